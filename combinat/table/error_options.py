"""The options of players after a dealing error: the value of every bet under each, and which option is best."""

from collections.abc import Mapping, Sequence
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
Values = Mapping[str, Fraction]
"""The value of each bet per unit staked, by its id."""

CONTINUE, RECONSTRUCTED, TAKE_BACK = "continue", "continue-reconstructed", "take-back"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorOption:
    """An option that players may choose, or that is decided for them; ``values`` None: unknown.

    ``order``: the order in which cards that came together are taken; ``next_round``: the cards left over then.
    ``is_open``: whether players have this option here. ``worth``: its value for all stakes together; None: nothing is
    staked, or it is unknown.
    """

    id: str
    clause: str
    is_open: bool
    dealt: Round | None
    next_round: Cards
    order: Cards
    values: Values | None
    worth: Fraction | None

    def value(self, bet: str) -> Fraction | None:
        """Return the value of a bet under this option, or None if it is unknown."""
        return None if self.values is None else self.values[bet]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedOptions:
    """The options of one dealing error: the bets that they are valued for, and the stakes."""

    errors: DealingErrors
    bets: Sequence[str]
    stakes: Mapping[str, Fraction]

    def by_sides(
        self, as_it_is: RoundInProgress | None, reconstructed: RoundInProgress, *, reconstructible: bool
    ) -> tuple[ErrorOption, ...]:
        """Return the options: continue as it is, continue reconstructed, or take the bets back.

        ``as_it_is`` is None if the Table of Play cannot deal the hands that lay on the table.
        """
        return (
            self._option(CONTINUE, self.errors.as_it_is, as_it_is, is_open=not reconstructible),
            self._option(RECONSTRUCTED, self.errors.reconstructed, reconstructed, is_open=reconstructible),
            self._take_back(),
        )

    def by_order(self, orders: Sequence[Cards], rounds: Sequence[RoundInProgress]) -> tuple[ErrorOption, ...]:
        """Return the options: continue in an order of the cards that came together, or take the bets back."""
        go_on = [
            self._option(f"{CONTINUE}-{number}", self.errors.as_it_is, now, order=order)
            for number, (order, now) in enumerate(zip(orders, rounds, strict=True), start=1)
        ]
        return *go_on, self._take_back()

    def _take_back(self) -> ErrorOption:
        return self._option(TAKE_BACK, self.errors.returned, None, dict.fromkeys(self.bets, RETURNED))

    def _option(
        self,
        name: str,
        clause: str,
        now: RoundInProgress | None,
        values: Values | None = None,
        *,
        is_open: bool = True,
        order: Cards = (),
    ) -> ErrorOption:
        if now is not None:
            values = {bet: now[bet].expected_value for bet in self.bets}
        worth = None if values is None or not self.stakes else worth_of(self.stakes, values)
        return ErrorOption(
            id=name,
            clause=clause,
            is_open=is_open,
            dealt=now.reached if now else None,
            next_round=now.beyond if now else (),
            order=order,
            values=values,
            worth=worth,
        )

    def best(self, offered: Sequence[ErrorOption], *, together: bool) -> tuple[BestOption, ...]:
        """Return the best open option for each possible order: for each bet, or for all stakes."""
        orders = [option.order for option in offered if option.order] or [()] * bool(offered)
        if together:
            chosen_for: list[tuple[str | None, Mapping[str, Fraction]]] = [(None, self.stakes)] * bool(
                self.stakes
            )
        else:
            chosen_for = [(bet, {bet: Fraction(1)}) for bet in self.bets]
        return tuple(
            self._best(offered, bet, order, stakes) for bet, stakes in chosen_for for order in orders
        )

    def _best(
        self, offered: Sequence[ErrorOption], bet: str | None, order: Cards, stakes: Mapping[str, Fraction]
    ) -> BestOption:
        open_to_all = [option for option in offered if option.is_open and option.order in ((), order)]
        if any(option.values is None for option in open_to_all):
            return BestOption(bet=bet, order=order, best=(), cost=None, money=None)
        worth = {option.id: worth_of(stakes, option.values or {}) for option in open_to_all}
        most = max(worth.values())
        cost = most - min(worth.values())
        best = tuple(name for name, value in worth.items() if value == most)
        stake = Fraction(1) if bet is None else self.stakes.get(bet)
        return BestOption(
            bet=bet, order=order, best=best, cost=cost, money=None if stake is None else stake * cost
        )


def worth_of(stakes: Mapping[str, Fraction], values: Values) -> Fraction:
    """Return the value of all stakes together."""
    return sum((stake * values[bet] for bet, stake in stakes.items()), Fraction(0))
