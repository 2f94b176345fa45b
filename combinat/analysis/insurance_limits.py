"""The limits on insurance: how much a player may still stake, and the clause that limits it."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from combinat.rules.insurance import Base, Limit, Per
from combinat.rules.odds import Odds

Staked = tuple[Fraction, Odds]
"""An insurance bet on a hand: its stake, and its odds."""


class InsuranceRoom(NamedTuple):
    """The room that a limit leaves: the limit, its cap, the part that other bets use, the largest stake."""

    limit: Limit
    most: Fraction
    used: Fraction
    stake: Fraction


def in_force(limits: Sequence[Limit], procedure: str | None = None) -> list[Limit]:
    """Return the limits in force under a procedure: its own, or else those that name no procedure."""
    own = [limit for limit in limits if limit.procedure is not None and limit.procedure == procedure]
    return own or [limit for limit in limits if limit.procedure is None]


def least_room(
    limits: Sequence[Limit],
    odds: Odds,
    earlier: Sequence[Staked] = (),
    *,
    other_hand: Sequence[Staked] = (),
    other_players: Sequence[Staked] = (),
    procedure: str | None = None,
    original_bet: Fraction = Fraction(1),
    table_maximum: Fraction | None = None,
    maximum_differential: Fraction | None = None,
) -> InsuranceRoom | None:
    """Return the least room for a bet at these odds after earlier bets on the hand, or None without a limit.

    ``other_hand``: the player's insurance of the other hand in the round; ``other_players``: their bets on
    this offer. A cap by a maximum of the table is ignored if that maximum is not passed.
    """
    bases = {
        Base.ORIGINAL_BET: original_bet,
        Base.TABLE_MAXIMUM: table_maximum,
        Base.MAXIMUM_DIFFERENTIAL: maximum_differential,
    }
    added_up: dict[Per, Sequence[Staked]] = {
        Per.OFFER: (),
        Per.ROUND: earlier,
        Per.BOTH_HANDS: (*earlier, *other_hand),
        Per.TABLE: other_players,
    }
    rooms: list[InsuranceRoom] = []
    for limit in in_force(limits, procedure):
        base = bases[limit.of]
        if base is None or not limit.applies_to(odds):
            continue
        limited = [bet for bet in added_up[limit.per] if limit.applies_to(bet[1])]
        used = sum((limit.amount(*bet) for bet in limited), Fraction(0))
        most = limit.share.part * base
        left = max(Fraction(0), most - used)
        rooms.append(InsuranceRoom(limit, most, used, left / limit.amount(Fraction(1), odds)))
    return min(rooms, key=lambda room: room.stake, default=None)


def largest_stake(
    limits: Sequence[Limit], odds: Odds, procedure: str | None = None, bets: int = 1
) -> Fraction | None:
    """Return the most that ``bets`` insurance bets at these odds on one hand can stake, or None if unlimited.

    Per unit of the original bet.
    """
    staked = list[Staked]()
    for _ in range(bets):
        room = least_room(limits, odds, staked, procedure=procedure)
        if room is None:
            return None
        staked.append((room.stake, odds))
    return sum((stake for stake, _ in staked), Fraction(0))


def largest_stake_on_both(
    limits: Sequence[Limit], first: Odds, second: Odds, procedure: str | None = None
) -> Fraction | None:
    """Return the most that one insurance bet on each hand can stake together, in the better order.

    Per unit of the original bet on each hand. None if there is no limit.
    """
    totals: list[Fraction] = []
    for one, other in ((first, second), (second, first)):
        room = least_room(limits, one, procedure=procedure)
        if room is None:
            return None
        left = least_room(limits, other, other_hand=[(room.stake, one)], procedure=procedure)
        if left is None:
            return None
        totals.append(room.stake + left.stake)
    return max(totals)
