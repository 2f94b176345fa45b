"""Bets outside a table's limits: rejections before the close, and the shares that win or lose after it.

The clauses are 5.1 to 5.2.1 of the documents that have them. Where they are ambiguous, the
game's ``practice`` states the interpretation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.rules.game import Game
from combinat.rules.house_rules import Phrased, Practice, TableLimits
from combinat.rules.table_of_play import Hand
from combinat.table.gaming_table import Bettor, GamingTable, PlayerPlace, hand_of

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWager:
    """One stake of one player; ``least`` and ``most``: the limits displayed for it, if any."""

    bettor: Bettor
    bet: str
    hand: Hand | None
    staked: Fraction
    least: Fraction | None
    most: Fraction | None

    @property
    def is_under_minimum(self) -> bool:
        """Whether this bet by itself is less than its displayed minimum."""
        return self.least is not None and self.staked < self.least


def wagers(game: Game, table: GamingTable) -> tuple[TableWager, ...]:
    """Return every stake of a table, in the order of placing."""
    return tuple(
        TableWager(
            bettor=bettor,
            bet=bet,
            hand=hand_of(game, bet),
            staked=staked,
            least=table.limits.least(game, bet),
            most=table.limits.most(game, bet),
        )
        for bettor in table.bettors
        for bet, staked in bettor.stakes.items()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Differential:
    """The bets on each hand, at the table or in one ``box``, and the maximum Differential."""

    box: int | None
    banker: Fraction
    player: Fraction
    maximum: Fraction

    @property
    def heavier(self) -> Hand | None:
        """The hand on which more is bet; None if both are equal."""
        if self.banker == self.player:
            return None
        return Hand.BANKER if self.banker > self.player else Hand.PLAYER

    @property
    def difference(self) -> Fraction:
        """The Differential."""
        return abs(self.banker - self.player)

    @property
    def excess(self) -> Fraction:
        """The amount over the maximum."""
        return max(ZERO, self.difference - self.maximum)

    def on(self, hand: Hand) -> Fraction:
        """Return the amount bet on a hand."""
        return self.banker if hand is Hand.BANKER else self.player

    def room(self, hand: Hand) -> Fraction:
        """Return how much more may be bet on a hand."""
        return max(ZERO, self.maximum + self.on(hand.other) - self.on(hand))


Amounts = Sequence[tuple[TableWager, Fraction]]
"""Stakes, each with the amount that counts of it."""


def differentials(game: Game, table: GamingTable, amounts: Amounts) -> tuple[Differential, ...]:
    """Return the Differential of the table, or those of its boxes.

    Empty if the document has no Differential.
    """
    maximum = table.limits.maximum_differential
    if game.table_limits is None or maximum is None:
        return ()
    whole = game.practice.differential == "table"
    boxes = [None] if whole else list(dict.fromkeys(bettor.box for bettor in table.bettors))
    return tuple(_differential(box, amounts, maximum) for box in boxes)


def _differential(box: int | None, amounts: Amounts, maximum: Fraction) -> Differential:
    on = {
        hand: sum((amount for wager, amount in amounts if _is_in(wager, box) and wager.hand is hand), ZERO)
        for hand in Hand
    }
    return Differential(box=box, banker=on[Hand.BANKER], player=on[Hand.PLAYER], maximum=maximum)


def _is_in(wager: TableWager, box: int | None) -> bool:
    """Whether a bet is on a hand, and in this box."""
    return wager.hand is not None and box in (None, wager.bettor.box)


def shortages(practice: Practice, amounts: Amounts) -> list[Fraction]:
    """Return each bet's shortage from its minimum (5.2): by itself, or with the same bets in its box."""
    missing: list[Fraction] = []
    for wager, amount in amounts:
        if practice.minimum_of == "box":
            box, bet = wager.bettor.box, wager.bet
            amount = sum((one for other, one in amounts if (other.bettor.box, other.bet) == (box, bet)), ZERO)
        missing.append(max(ZERO, wager.least - amount) if wager.least is not None else ZERO)
    return missing


# ---------------------------------------------------------------- before the close


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The part of a stake that the House takes before the bets are closed.

    ``over_maximum``: rejected for the maximum of the bet; ``over_differential``: rejected for the
    Differential. ``short``: the amount missing to the minimum, of the bet or of its box; ``can_raise``:
    whether the limits leave room for it.
    """

    wager: TableWager
    over_maximum: Fraction
    over_differential: Fraction
    short: Fraction
    can_raise: bool
    clauses: tuple[str, ...]

    @property
    def rejected(self) -> Fraction:
        """The amount rejected."""
        return self.over_maximum + self.over_differential

    @property
    def accepted(self) -> Fraction:
        """The amount accepted."""
        return self.wager.staked - self.rejected


def acceptances(game: Game, table: GamingTable) -> tuple[Acceptance, ...]:
    """Return the accepted part of every stake before the close, seated players first (5.1, 5.2).

    As little as possible is rejected for the Differential: from the last standing player on, and from
    seated players only when no standing player has anything left on the heavier hand.
    """
    placed = wagers(game, table)
    capped = [
        (wager, wager.staked if wager.most is None else min(wager.staked, wager.most)) for wager in placed
    ]
    taken = [amount for _, amount in capped]
    for differential in differentials(game, table, capped):
        _reject(differential, placed, taken)
    accepted = list(zip(placed, taken, strict=True))
    after = differentials(game, table, accepted)
    return tuple(
        _acceptance(game.table_limits, wager, before, amount, short if amount else ZERO, after)
        for (wager, before), amount, short in zip(
            capped, taken, shortages(game.practice, accepted), strict=True
        )
    )


def _reject(differential: Differential, placed: Sequence[TableWager], taken: list[Fraction]) -> None:
    """Subtract the excess from the bets on the heavier hand, lowest priority first."""
    excess = differential.excess
    order = [
        *(number for number, wager in enumerate(placed) if wager.bettor.place is PlayerPlace.SEATED),
        *(number for number, wager in enumerate(placed) if wager.bettor.place is PlayerPlace.STANDING),
    ]
    for number in reversed(order):
        wager = placed[number]
        if _is_in(wager, differential.box) and wager.hand is differential.heavier:
            off = min(excess, taken[number])
            taken[number] -= off
            excess -= off


def _acceptance(
    limits: TableLimits | None,
    wager: TableWager,
    capped: Fraction,
    accepted: Fraction,
    short: Fraction,
    after: Sequence[Differential],
) -> Acceptance:
    rooms = [
        differential.room(wager.hand)
        for differential in after
        if wager.hand is not None and _is_in(wager, differential.box)
    ]
    clauses = limits.clauses if limits else None
    cited = [
        (wager.staked != capped, clauses and clauses.duty),
        (capped != accepted, clauses and clauses.excess),
        (bool(short), clauses and clauses.raised),
    ]
    return Acceptance(
        wager=wager,
        over_maximum=wager.staked - capped,
        over_differential=capped - accepted,
        short=short,
        can_raise=all(short <= room for room in rooms),
        clauses=tuple(clause for holds, clause in cited if holds and clause),
    )


# ---------------------------------------------------------------- after the close


class ShareReason(Phrased):
    """The reason for the part of a stake that wins or loses."""

    WHOLE = "whole", "as placed"
    PRO_RATA = "pro-rata", "pro rata"
    AT_MINIMUM = "at-the-minimum", "pro rata, not below the minimum"
    NO_PRO_RATA = "no-pro-rata", "in full: no pro rata with a bet under the minimum"
    UNNOTICED = "under-the-minimum", "in full: under the minimum, not noticed"
    OVER_MAXIMUM = "over-the-maximum", "in full: over the bet's maximum, no clause cuts it"


@dataclass(frozen=True, slots=True, kw_only=True)
class StakeShare:
    """The part of a stake that wins or loses once the bets are closed; the rest is returned.

    ``exact``: before it is rounded to whole chips.
    """

    wager: TableWager
    exact: Fraction
    at_stake: Fraction
    why: ShareReason
    clause: str

    @property
    def returned(self) -> Fraction:
        """The part that is returned regardless of the cards."""
        return self.wager.staked - self.at_stake


def shares(game: Game, table: GamingTable) -> tuple[StakeShare, ...]:
    """Return the part of every stake that wins or loses after the close (5.1.1, 5.1.2)."""
    placed = wagers(game, table)
    full = [(wager, wager.staked) for wager in placed]
    cut: dict[int, tuple[Fraction, ShareReason]] = {}
    if game.table_limits is not None:
        for differential in differentials(game, table, full):
            if differential.excess:
                cut |= _remaining_amounts(game.practice, placed, differential)
    return tuple(
        _share(game.table_limits, table, wager, cut.get(number), is_short=bool(short))
        for number, (wager, short) in enumerate(zip(placed, shortages(game.practice, full), strict=True))
    )


def _share(
    limits: TableLimits | None,
    table: GamingTable,
    wager: TableWager,
    cut: tuple[Fraction, ShareReason] | None,
    *,
    is_short: bool,
) -> StakeShare:
    exact, why = cut or (wager.staked, ShareReason.WHOLE)
    if cut is None and is_short:
        why = ShareReason.UNNOTICED
    elif cut is None and wager.most is not None and wager.staked > wager.most:
        why = ShareReason.OVER_MAXIMUM
    # The minimum is a whole number of chips, so rounding never goes below it.
    at_stake = table.chips.rounded(exact) if table.chips is not None else exact
    return StakeShare(wager=wager, exact=exact, at_stake=at_stake, why=why, clause=_clause(limits, why))


def _clause(limits: TableLimits | None, why: ShareReason) -> str:
    if limits is None:
        return ""
    clauses = limits.clauses
    return {
        ShareReason.PRO_RATA: clauses.pro_rata,
        ShareReason.AT_MINIMUM: clauses.pro_rata,
        ShareReason.NO_PRO_RATA: clauses.under_minimum,
        ShareReason.UNNOTICED: clauses.unnoticed,
    }.get(why, clauses.position)


def _remaining_amounts(
    practice: Practice, placed: Sequence[TableWager], differential: Differential
) -> dict[int, tuple[Fraction, ShareReason]]:
    """Return the remaining amounts of the bets in a Differential over its maximum, by their number."""
    heavier = differential.heavier
    within = [number for number, wager in enumerate(placed) if _is_in(wager, differential.box)]
    low = _in_full(practice, placed, within)
    both = practice.pro_rata == "both-hands"
    touched = [number for number in within if both or placed[number].hand is heavier]
    standing = sum((placed[number].staked for number in touched if number in low), ZERO)
    cut = {number: placed[number] for number in touched if number not in low}
    ratio = _ratio(practice, list(cut.values()), standing, differential)
    left = {number: (placed[number].staked, ShareReason.NO_PRO_RATA) for number in within if number in low}
    for number, wager in cut.items():
        least, amount = wager.least or ZERO, wager.staked * ratio
        left[number] = (amount, ShareReason.PRO_RATA) if amount > least else (least, ShareReason.AT_MINIMUM)
    return left


def _in_full(practice: Practice, placed: Sequence[TableWager], within: Sequence[int]) -> set[int]:
    """Return the bets not cut because a bet is under the minimum: that player's, or the box's (5.1.2)."""

    def whose(number: int) -> int:
        bettor = placed[number].bettor
        return bettor.box if practice.under_minimum == "box" else id(bettor)

    suspended = {whose(number) for number in within if placed[number].is_under_minimum}
    return {number for number in within if whose(number) in suspended}


def _ratio(
    practice: Practice, bets: Sequence[TableWager], standing: Fraction, differential: Differential
) -> Fraction:
    """Return the ratio by which bets are cut, each at least to its minimum.

    ``standing``: the amount not cut.
    """
    if practice.pro_rata == "both-hands":
        return differential.maximum / differential.difference
    lighter, heavier = sorted((differential.banker, differential.player))
    if practice.pro_rata == "by-ratio":
        return (lighter + differential.maximum) / heavier
    # A bet whose share would be below the minimum keeps the minimum, and the others share the rest.
    rest, sharing = lighter + differential.maximum - standing, list(bets)
    while sharing:
        ratio = rest / sum((wager.staked for wager in sharing), ZERO)
        above = [wager for wager in sharing if wager.staked * ratio >= (wager.least or ZERO)]
        if len(above) == len(sharing):
            return ratio
        rest -= sum(
            (wager.least or ZERO for wager in sharing if wager.staked * ratio < (wager.least or ZERO)), ZERO
        )
        sharing = above
    return ZERO
