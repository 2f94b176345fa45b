"""The options of players after a dealing error: the value of every bet under each, and which option is best."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.analysis.round_in_progress import RoundInProgress
from combinat.base.kinds import CARDS, MONEY, TEXT, percentage
from combinat.base.relation import Field, Many, Relation
from combinat.rules.bet import RETURNED
from combinat.rules.cards import Rank
from combinat.rules.procedure import DealingErrors
from combinat.rules.round import Round

Cards = tuple[Rank, ...]

CONTINUE, RECONSTRUCTED, TAKE_BACK = "continue", "continue-reconstructed", "take-back"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorOption:
    """An option that players may choose, or that is decided for them.

    ``is_open``: whether players have this option here. ``now``: the round under it; None: the bets are taken back, or the
    hands are unknown. ``order``: the order in which cards that came together are taken.
    """

    id: str
    clause: str
    is_open: bool = True
    now: RoundInProgress | None = None
    order: Cards = ()

    @property
    def dealt(self) -> Round | None:
        """The hands under it, or None."""
        return self.now.reached if self.now else None

    @property
    def next_round(self) -> Cards:
        """The cards left over for the next round."""
        return self.now.beyond if self.now else ()

    @property
    def is_known(self) -> bool:
        """Whether the bets have a value under it."""
        return self.now is not None or self.id == TAKE_BACK

    def value(self, bet: str) -> Fraction | None:
        """Return the value of a bet per unit staked, or None if it is unknown."""
        if self.id == TAKE_BACK:
            return RETURNED
        return self.now[bet].expected_value if self.now else None

    def worth(self, stakes: Mapping[str, Fraction]) -> Fraction | None:
        """Return the value of these stakes together, or None if it is unknown."""
        values = {bet: self.value(bet) for bet in stakes}
        return total(None if value is None else stakes[bet] * value for bet, value in values.items())


def total(amounts: Iterable[Fraction | None]) -> Fraction | None:
    """Return the sum of the amounts, or None if one of them is unknown."""
    known = list(amounts)
    return None if None in known else sum((amount for amount in known if amount is not None), Fraction(0))


def options_by_hands(
    errors: DealingErrors,
    as_it_is: RoundInProgress | None,
    reconstructed: RoundInProgress,
    *,
    reconstructible: bool,
) -> tuple[ErrorOption, ...]:
    """Return the options: continue as it is, continue reconstructed, or take the bets back.

    ``as_it_is`` is None if the Table of Play cannot deal the hands that lay on the table.
    """
    return (
        ErrorOption(id=CONTINUE, clause=errors.as_it_is, is_open=not reconstructible, now=as_it_is),
        ErrorOption(
            id=RECONSTRUCTED, clause=errors.reconstructed, is_open=reconstructible, now=reconstructed
        ),
        ErrorOption(id=TAKE_BACK, clause=errors.returned),
    )


def options_by_order(
    errors: DealingErrors, orders: Sequence[Cards], rounds: Sequence[RoundInProgress]
) -> tuple[ErrorOption, ...]:
    """Return the options: continue in an order of the cards that came together, or take the bets back."""
    go_on = (
        ErrorOption(id=f"{CONTINUE}-{number}", clause=errors.as_it_is, now=now, order=order)
        for number, (order, now) in enumerate(zip(orders, rounds, strict=True), start=1)
    )
    return *go_on, ErrorOption(id=TAKE_BACK, clause=errors.returned)


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOption:
    """The best of the open options for one bet; ``cost``: the loss by the worst of them against it, per unit.

    ``bet`` None: for all stakes together. ``order``: given that cards which came together are taken in this order.
    ``money``: the cost for the stake, or for all stakes; None: nothing is staked. If the value of an open option is
    unknown, ``best`` is empty and both costs are None.
    """

    bet: str | None
    order: Cards
    best: tuple[str, ...]
    cost: Fraction | None
    money: Fraction | None


BEST_OPTIONS: Relation[BestOption] = Relation(
    "choices",
    Field("bet", "bet", TEXT, "The bet's id; null: for all bets together.", may_be_none=True),
    Field(
        "order", "order", CARDS, "The order of the cards.", lambda one: one.order or None, may_be_none=True
    ),
    Field("best", "best", Many(TEXT), "The options that are best."),
    Field(
        "cost", "cost of wrong choice", percentage(), "Loss by the worst choice, per unit.", may_be_none=True
    ),
    Field("money", "cost of wrong choice", MONEY, "The same for the stake.", may_be_absent=True),
)
"""The best options, a row each."""


def best_options(
    options: Sequence[ErrorOption], bet: str | None, stakes: Mapping[str, Fraction]
) -> Iterator[BestOption]:
    """Yield the best open option for a bet, or for all stakes together, for each order of the cards."""
    counting = stakes if bet is None else {bet: Fraction(1)}
    stake = Fraction(1) if bet is None else stakes.get(bet)
    for order in orders_of(options):
        worth = {one.id: one.worth(counting) for one in options if one.is_open and one.order in ((), order)}
        known = [value for value in worth.values() if value is not None]
        if len(known) < len(worth):
            yield BestOption(bet=bet, order=order, best=(), cost=None, money=None)
            continue
        cost = max(known) - min(known)
        yield BestOption(
            bet=bet,
            order=order,
            best=tuple(name for name, value in worth.items() if value == max(known)),
            cost=cost,
            money=None if stake is None else stake * cost,
        )


def orders_of(options: Sequence[ErrorOption]) -> list[Cards]:
    """Return the orders in which the options take the cards; one empty order if no cards came together."""
    return [option.order for option in options if option.order] or [()]
