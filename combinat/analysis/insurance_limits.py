"""The limits on insurance: how much a player may still stake, by which clause. All who ask, ask here."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from combinat.rules.insurance import Base, Limit, Per
from combinat.rules.odds import Odds

Staked = tuple[Fraction, Odds]
"""An insurance bet on a hand: its stake, and its odds."""


class InsuranceRoom(NamedTuple):
    """What a limit leaves: the limit, what it caps at, how much of that other bets took up, the largest stake."""

    limit: Limit
    most: Fraction
    used: Fraction
    stake: Fraction


def in_force(limits: Sequence[Limit], procedure: str | None = None) -> list[Limit]:
    """The limits that hold under a procedure: its own, else those that name none."""
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
    """What the narrowest limit leaves for a bet at these odds after earlier ones on the hand; None: no limit.

    ``other_hand``: the player's insurance of the other hand in the round; ``other_players``: theirs on this
    offer. A cap by a maximum of the table, which is no part of the original bet, is left out where none is given.
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
        counted = [bet for bet in added_up[limit.per] if limit.applies_to(bet[1])]
        used = sum((limit.amount(*bet) for bet in counted), Fraction(0))
        most = limit.share.part * base
        left = max(Fraction(0), most - used)
        rooms.append(InsuranceRoom(limit, most, used, left / limit.amount(Fraction(1), odds)))
    return min(rooms, key=lambda room: room.stake, default=None)


def largest_stake(
    limits: Sequence[Limit], odds: Odds, procedure: str | None = None, bets: int = 1
) -> Fraction | None:
    """The most that so many insurance bets at these odds on one hand can stake, per unit of the original bet.

    None: there is no limit.
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
    """The most that one insurance bet on each hand can stake together, taken in the better order.

    Per unit of the original bet on each hand. None: there is no limit.
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
