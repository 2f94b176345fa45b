"""The options after a dealing error: what every bet is worth under each, and which is best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.analysis.bets import bet_analysis
from combinat.analysis.round_in_progress import dealt_on, result_so_far
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.rules.bet import RETURNED, BetResult, is_outcome
from combinat.rules.cards import Rank
from combinat.rules.game import Game
from combinat.rules.procedure import DealingErrors
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe

Cards = tuple[Rank, ...]
Values = Mapping[str, Fraction]
"""What each bet is worth per unit staked, by its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A round with the results and values of every bet of the game; ``beyond``: drawn cards that it does not take."""

    dealt: Round
    beyond: Cards
    distribution: Distribution
    results: Mapping[str, BetResult | None]
    values: Values


def position(game: Game, dealt: Round, left: Shoe, beyond: Cards = ()) -> Position:
    """The round as it stands, and what every bet of the game is worth from here; ``left``: the cards still to come."""
    distribution = walk(left, dealt)
    bets = {bet.id: bet_analysis(game, bet, distribution) for bet in game.bets}
    results = {name: result_so_far(bet) for name, bet in bets.items()}
    if distribution.void == distribution.sample_space:  # nothing comes of it but what stands in a void round
        results = {name: result if is_outcome(result) else None for name, result in results.items()}
    return Position(
        dealt=dealt,
        beyond=beyond,
        distribution=distribution,
        results=results,
        values={name: bet.expected_value for name, bet in bets.items()},
    )


def in_order(game: Game, cards: Cards, left: Shoe) -> Position:
    """The round as reconstructed: each card to the hand whose turn it was, what is in excess to the next round."""
    rounds, beyond = dealt_on(game.round(), cards)
    return position(game, rounds[-1], left, beyond)


def common_results(positions: Sequence[Position]) -> dict[str, BetResult | None]:
    """What every order has made of each bet."""
    together: dict[str, BetResult | None] = {}
    for bet in positions[0].results:
        results = {each.results[bet] for each in positions}
        together[bet] = results.pop() if len(results) == 1 else None
    return together


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorOption:
    """A way to go on that players may choose, or that is decided for them; ``values`` None: unknown.

    ``order``: the order in which cards that came together are taken; ``next_round``: the cards left over then.
    ``is_open``: whether players have this option as things stand.
    """

    id: str
    clause: str
    is_open: bool
    dealt: Round | None
    next_round: Cards
    order: Cards
    values: Values | None

    def value(self, bet: str) -> Fraction | None:
        """What a bet is worth under it."""
        return None if self.values is None else self.values[bet]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOption:
    """The best of the open options for one bet; ``cost``: what the worst of them costs against it, per unit.

    Where the value of an open option is unknown, ``best`` is empty and ``cost`` is None. ``bet`` None: for all stakes together, and the cost in money. ``order``: given that cards which came together are
    taken in this order.
    """

    bet: str | None
    order: Cards
    best: tuple[str, ...]
    cost: Fraction | None


CONTINUE, RECONSTRUCTED, TAKE_BACK = "continue", "continue-reconstructed", "take-back"


def error_options(
    errors: DealingErrors, as_it_is: Position | None, reconstructed: Position, reconstructible: bool
) -> tuple[ErrorOption, ...]:
    """What every player may choose. ``as_it_is`` None: the hands as they lay are none that the Table of Play deals."""
    return (
        _go_on(CONTINUE, errors.as_it_is, as_it_is, is_open=not reconstructible),
        _go_on(RECONSTRUCTED, errors.reconstructed, reconstructed, is_open=reconstructible),
        _take_back(errors, list(reconstructed.values)),
    )


def options_by_order(
    errors: DealingErrors, orders: Sequence[Cards], positions: Sequence[Position]
) -> tuple[ErrorOption, ...]:
    """What every player may choose when the order of cards that came together is to be decided on: to go on in it."""
    go_on = [
        _go_on(f"{CONTINUE}-{number}", errors.as_it_is, now, is_open=True, order=order)
        for number, (order, now) in enumerate(zip(orders, positions, strict=True), start=1)
    ]
    return *go_on, _take_back(errors, list(positions[0].values))


def _go_on(name: str, clause: str, now: Position | None, *, is_open: bool, order: Cards = ()) -> ErrorOption:
    return ErrorOption(
        id=name,
        clause=clause,
        is_open=is_open,
        dealt=now.dealt if now else None,
        next_round=now.beyond if now else (),
        order=order,
        values=now.values if now else None,
    )


def _take_back(errors: DealingErrors, bets: Sequence[str]) -> ErrorOption:
    return ErrorOption(
        id=TAKE_BACK,
        clause=errors.returned,
        is_open=True,
        dealt=None,
        next_round=(),
        order=(),
        values=dict.fromkeys(bets, RETURNED),
    )


def best_options(offered: Sequence[ErrorOption], bets: Sequence[str]) -> tuple[BestOption, ...]:
    """For each bet, and each order that may be decided on, the best of the options that are open then."""
    return tuple(
        _choice(offered, bet, order, {bet: Fraction(1)}) for bet in bets for order in _orders(offered)
    )


def best_options_together(
    offered: Sequence[ErrorOption], stakes: Mapping[str, Fraction]
) -> tuple[BestOption, ...]:
    """For all stakes together, and each order that may be decided on, the best of the options that are open then."""
    return tuple(_choice(offered, None, order, stakes) for order in _orders(offered) if stakes)


def _orders(offered: Sequence[ErrorOption]) -> list[Cards]:
    return [option.order for option in offered if option.order] or [()] * bool(offered)


def _choice(
    offered: Sequence[ErrorOption], bet: str | None, order: Cards, stakes: Mapping[str, Fraction]
) -> BestOption:
    worth: dict[str, Fraction] = {}
    for option in offered:
        if option.is_open and option.order in ((), order):
            if option.values is None:
                return BestOption(bet=bet, order=order, best=(), cost=None)
            worth[option.id] = sum(
                (stake * option.values[name] for name, stake in stakes.items()), Fraction(0)
            )
    most = max(worth.values())
    best = tuple(name for name, value in worth.items() if value == most)
    return BestOption(bet=bet, order=order, best=best, cost=most - min(worth.values()))
