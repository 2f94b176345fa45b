"""Whole batches of shoes: the exact expected value of every bet on each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from combinat.analysis.batch import batch_columns
from combinat.analysis.odds import one_round_analysis
from combinat.analysis.shoe_file import as_counts
from combinat.base.errors import InputError, near_hint, shortened
from combinat.base.money import Amount
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular, frame_of, in_int64_or_text, quotients
from combinat.engine import kernel
from combinat.engine.arrays import Array, Ints
from combinat.engine.distribution import falling
from combinat.engine.walk import MOST_CARDS
from combinat.rules import bounds
from combinat.rules.cards import RANKS
from combinat.rules.converters import DECKS, GameGiven, as_game, as_stakes, whole_number
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:
    import polars

    from combinat.base.tabular import Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Evaluation(Tabular):
    """The exact expected values of a batch: ``numerators[shoe, bet] / denominators[shoe]``.

    ``shoes``: the cards of every shoe by rank. ``void_ways``, out of ``sample_spaces``: those in which the shoe cannot finish the round and bets are returned.
    With insurance: ``state_ways`` are out of ``sample_spaces``, and the expected net result of a unit
    staked whenever the state arises is ``state_numerators / denominators`` (divide by the probability for
    the expected value given the state). With outcomes: ``outcome_ways``, out of ``sample_spaces``. With
    variance: the expected square of the net result is ``square_numerators / (unit * denominators)``, and
    ``denominators`` are ``unit * sample_spaces``. With stakes: their expected value together is
    ``combined_numerators / combined_denominators``.

    The integer arrays are int64 where all of their numbers fit, else of Python's integers (dtype object).
    ``len`` is the number of shoes, iterating gives a dict of exact values for each shoe, and ``evaluation["tie"]``
    is the exact value of that bet on every shoe.

    >>> from combinat import Shoe, evaluate
    >>> evaluation = evaluate("commission-insurance-2013", [Shoe.of_decks(8), Shoe.of_decks(6)])
    >>> len(evaluation), evaluation.bets, evaluation["player-pair"]
    (2, ('player', 'banker', 'tie', 'player-pair', 'banker-pair'), (Fraction(-43, 415), Fraction(-35, 311)))
    >>> evaluation.expected_value(1, "player-pair"), evaluation.expected_values().shape
    (Fraction(-35, 311), (2, 5))
    """

    shoes: Ints
    bets: tuple[str, ...]
    unit: int
    numerators: Array
    denominators: Array
    sample_spaces: Array
    void_ways: Array
    states: tuple[State, ...] = ()
    state_ways: Array | None = None
    state_numerators: Array | None = None
    outcomes: tuple[tuple[str, str], ...] = ()
    outcome_ways: Array | None = None
    square_numerators: Array | None = None
    combined_numerators: Array | None = None
    combined_denominators: Array | None = None

    def expected_value(self, shoe: int, bet: str) -> Fraction:
        """The exact expected value of one bet on one shoe of the batch."""
        return self._exact(self.bets[self._column(bet)], shoe) or Fraction(0)

    def expected_values(self, bet: str | None = None) -> "Floats":
        """The expected values as floats: of one bet an array with a value for each shoe; otherwise shoes by bets.

        Each is the exact value, ``numerators / denominators``, rounded once to the nearest float.
        """
        if bet is None:
            return quotients(self.numerators, self.denominators[:, None])
        return quotients(self.numerators[:, self._column(bet)], self.denominators)

    def edges(self, bet: str) -> "tuple[Ints, Floats]":
        """The cards left and the house edge of one bet, for each shoe: the edge against the penetration.

        ``plt.plot(*evaluation.edges("tie"))`` draws it.
        """
        return self.shoes.sum(axis=1), -self.expected_values(bet)

    def __len__(self) -> int:
        return len(self.denominators)

    def __iter__(self) -> Iterator[dict[str, Fraction]]:
        for row in range(len(self)):
            yield {bet: self.figures[bet].exact(row) or Fraction(0) for bet in self.bets}

    def __contains__(self, what: object) -> bool:
        return what in self.bets if isinstance(what, str) else any(values == what for values in self)

    def __getitem__(self, bet: str) -> tuple[Fraction, ...]:
        figure = self.figures[self.bets[self._column(bet)]]
        return tuple(figure.exact(row) or Fraction(0) for row in range(len(self)))

    def to_dicts(self) -> list[dict[str, Exact]]:
        """A row for each shoe: its number in the batch, and the exact value of every figure.

        That is ``void``, ``BET``, and on request ``BET-variance``, ``stakes``, ``STATE:probability`` and
        ``STATE:expected-value``, ``sample-space`` and ``BET:LINE:ways``.
        """
        return self.head(len(self))

    def head(self, most: int) -> list[dict[str, Exact]]:
        """The first ``most`` rows."""
        ways = dict(batch_ways(self))
        return [
            {
                "shoe": row,
                **{name: figure.exact(row) for name, figure in self.figures.items()},
                **{name: int(counts[row]) for name, counts in ways.items()},
            }
            for row in range(min(most, len(self)))
        ]

    def to_columns(self, *, exact: bool = True) -> dict[str, Array]:
        """A column for each rank, the cards left, and each figure of ``to_dicts``, a row for each shoe.

        Exact: ``FIGURE_numerator``, and its denominator: ``denominator`` for bets, ``sample-space`` for
        probabilities, a separate one for other figures. Not exact: ``FIGURE``, the nearest float, or nan
        where the figure does not exist.
        """
        if exact:
            figures = exact_columns(self)
        else:
            figures = {name: quotients(one.tops, one.bottoms) for name, one in self.figures.items()}
        cards = dict(zip(map(str, RANKS), self.shoes.T, strict=True))
        return {**cards, "cards_left": self.shoes.sum(axis=1), **figures, **dict(batch_ways(self))}

    def to_polars(self, *, exact: bool = True) -> "polars.DataFrame":
        """``to_columns`` as a polars frame. Whole numbers beyond 64 bits are text."""
        frame: polars.DataFrame = frame_of("polars", self._in_a_frame(exact))
        return frame

    def to_pandas(self, *, exact: bool = True) -> Any:
        """``to_columns`` as a pandas frame. Whole numbers beyond 64 bits are text."""
        return frame_of("pandas", self._in_a_frame(exact))

    def _in_a_frame(self, exact: bool) -> dict[str, Any]:
        return {
            name: in_int64_or_text(column) if column.dtype == object else column
            for name, column in self.to_columns(exact=exact).items()
        }

    def __repr__(self) -> str:
        shoes = f"{len(self)} shoe{'' if len(self) == 1 else 's'}"
        return f"<Evaluation of {shoes}: {len(self.bets)} bets>"

    @cached_property
    def figures(self) -> "dict[str, BatchFigure]":
        """The figures requested for the batch, by name."""
        return {figure.name: figure for figure in batch_figures(self)}

    def void(self, shoe: int) -> Fraction:
        """The probability that the shoe cannot finish the round; 1 if no round can be dealt at all."""
        return self._exact("void", shoe) or Fraction(0)

    def variance(self, shoe: int, bet: str) -> Fraction:
        """The exact variance of the net result of one bet on one shoe."""
        requested_part(self.square_numerators, "variance")
        return self._exact(f"{self.bets[self._column(bet)]}-variance", shoe) or Fraction(0)

    def combined(self, shoe: int) -> Fraction:
        """The exact expected value of all stakes together on one shoe."""
        requested_part(self.combined_numerators, "stakes")
        return self._exact("stakes", shoe) or Fraction(0)

    def state_probability(self, shoe: int, state: State) -> Fraction:
        """The probability that a round reaches an insurance state with the offer open."""
        return self._exact(f"{self._offered(state).key}:probability", shoe) or Fraction(0)

    def state_expected_value(self, shoe: int, state: State) -> Fraction | None:
        """The exact expected value of the insurance bet, given its state. None if the state cannot arise."""
        return self._exact(f"{self._offered(state).key}:expected-value", shoe)

    def _exact(self, name: str, shoe: int) -> Fraction | None:
        """Return a figure of one shoe of the batch, or None if it does not exist.

        A negative index counts from the end.
        """
        is_number = hasattr(shoe, "__index__") and not isinstance(shoe, bool)
        if not is_number or not -len(self) <= index(shoe) < len(self):
            raise InputError(
                f"found {shortened(repr(shoe))} for a shoe of the batch; write a number from 0 to {len(self) - 1}"
            )
        return self.figures[name].exact(index(shoe))

    def _column(self, bet: str) -> int:
        if bet not in self.bets:
            hint = near_hint(str(bet), self.bets)
            raise InputError(
                f'no value of a bet "{shortened(str(bet))}"{hint} There are {", ".join(self.bets)}'
            )
        return self.bets.index(bet)

    def _offered(self, state: State) -> State:
        requested_part(self.state_ways, "insurance")
        if state not in self.states:
            raise InputError(f"no insurance is offered at {state}")
        return state

    @cached_property
    def variance_numerators(self) -> Array:
        """The variance of every bet on every shoe, over ``denominators**2``: Python integers."""
        squares = requested_part(self.square_numerators, "variance").astype(object)
        spaces, nets = self.sample_spaces.astype(object), self.numerators.astype(object)
        numerators: Array = squares * spaces[:, None] - nets**2
        return numerators


def requested_part(column: Array | None, what: str) -> Array:
    """Return a part of a batch that is computed only on request; refuse if it was not requested."""
    if column is None:
        raise InputError(f"the batch was evaluated without {what}; ask for it")
    return column


def evaluate(
    game: GameGiven,
    shoes: Any,
    *,
    insurance: bool = False,
    outcomes: bool = False,
    variance: bool = False,
    stakes: Mapping[str, Amount] | None = None,
    decks: int = DECKS,
) -> Evaluation:
    """Return the exact expected values of every bet for every shoe.

    ``shoes``: an integer array of shape (shoes, 13), a ``Shoe`` or a list of them, a frame of polars or pandas with a
    column for each rank, or the path of a CSV or Parquet file with a shoe a row: the thirteen ranks A to K, or a
    column ``removed``, the cards gone from ``decks``. The command ``evaluate`` reads files of any length; here all
    shoes are held in memory.

    On request also every insurance state (``insurance``), the ways of every line of the pay tables (``outcomes``), the
    ``variance`` of every bet, and the expected value of ``stakes`` together.

    >>> evaluation = evaluate("commission-insurance-2013", [Shoe.of_decks(8), Shoe.of_decks(6)])
    >>> evaluation["player-pair"]
    (Fraction(-43, 415), Fraction(-35, 311))
    """
    played = as_game(game)
    staked = None if stakes is None else as_stakes(played, stakes)
    return evaluated(
        played,
        as_counts(shoes, whole_number("decks", decks, 1, bounds.SHOE_DECKS)),
        insurance=insurance,
        outcomes=outcomes,
        variance=variance,
        stakes=staked,
    )


def evaluated(
    game: Game,
    shoes: Ints,
    *,
    insurance: bool = False,
    outcomes: bool = False,
    variance: bool = False,
    stakes: Mapping[str, Fraction] | None = None,
) -> Evaluation:
    """Return the exact expected values of every bet for every shoe.

    ``shoes`` has a row of counts for each.
    """
    columns, sizes = batch_columns(game, insurance), shoes.sum(axis=1)
    spaces = _sample_spaces(sizes)
    rounds = max(int(spaces.max(initial=0)), 2)
    lines, states = len(columns.lines), len(columns.states)

    exact, squared, counted = (
        _whole(largest * rounds) for largest in (columns.largest, columns.largest**2, 1)
    )

    def table(width: int, whole: np.dtype[Any]) -> Array:
        return np.empty((width, len(shoes)), dtype=whole)

    nets, state_nets = table(len(game.bets), exact), table(states, exact)
    squares = table(len(game.bets) if variance else 0, squared)
    line_ways, state_ways = table(lines if outcomes else 0, counted), table(states, counted)

    def use(places: Any, ways: Array) -> None:
        state_ways[:, places] = ways[lines : lines + states]
        state_nets[:, places] = columns.state_sums(ways, exact)
        if outcomes:
            line_ways[:, places] = ways[:lines]
        if variance:
            squares[:, places] = columns.net_sums(ways.copy(), spaces[places], 2, squared)
        nets[:, places] = columns.net_sums(ways, spaces[places], 1, exact)

    void = np.zeros(len(shoes), dtype=np.int64)
    enough = sizes >= MOST_CARDS
    columns.ways(*kernel.shoes_where(enough, shoes, use))
    for row in np.flatnonzero(~enough).tolist():
        analysis = one_round_analysis(game, Shoe(tuple(shoes[row].tolist())), by_recursion=True)
        use([row], np.array(columns.of_shoe(analysis))[:, None])
        void[row] = analysis.distribution.void
        nets[:, row] = columns.net_sums_of(analysis, 1)
        if variance:
            squares[:, row] = columns.net_sums_of(analysis, 2)
    numerators, denominators = nets.T, spaces.astype(exact, copy=False) * columns.unit
    combined, parts = (
        _combined(numerators, denominators, stakes, game) if stakes is not None else (None, None)
    )
    return Evaluation(
        shoes=shoes,
        bets=tuple(bet.id for bet in game.bets),
        unit=columns.unit,
        numerators=numerators,
        denominators=denominators,
        sample_spaces=spaces,
        void_ways=void,
        states=columns.states,
        state_ways=state_ways.T if insurance else None,
        state_numerators=state_nets.T if insurance else None,
        outcomes=columns.names if outcomes else (),
        outcome_ways=line_ways.T if outcomes else None,
        square_numerators=squares.T if variance else None,
        combined_numerators=combined,
        combined_denominators=parts,
    )


def _whole(largest: int) -> np.dtype[Any]:
    """Return the type of whole numbers up to this size: int64, or Python integers (dtype object)."""
    return np.dtype(np.int64 if largest < kernel.BOUND else object)


def _sample_spaces(sizes: Ints) -> Array:
    """``falling(N, min(N, 6))`` of every shoe."""
    whole = _whole(falling(int(sizes.max(initial=0)), MOST_CARDS))
    cards = sizes - np.arange(MOST_CARDS)[:, None]
    spaces: Array = np.maximum(cards, 1, out=cards).astype(whole, copy=False).prod(axis=0)
    return spaces


def _combined(
    numerators: Array, denominators: Array, stakes: Mapping[str, Fraction], game: Game
) -> tuple[Array, Array]:
    """Return the expected value of all stakes together: a numerator and a denominator for each shoe."""
    part = lcm(*(stake.denominator for stake in stakes.values()))
    weights = [int(stakes.get(bet.id, Fraction(0)) * part) for bet in game.bets]
    most = max((int(np.abs(values).max(initial=0)) for values in (numerators, denominators)), default=0)
    if numerators.dtype != object and most * max(part, sum(map(abs, weights))) >= kernel.BOUND:
        numerators, denominators = numerators.astype(object), denominators.astype(object)
    return numerators @ np.array(weights, dtype=numerators.dtype), denominators * part


# ---------------------------------------------------------------- figures of a batch by name

SPACE = "sample-space"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BatchFigure:
    """A column: a numerator and a denominator for every shoe.

    A denominator of 0 means that the figure does not exist. ``over``: the name of the denominators, which
    several figures share.
    """

    name: str
    over: str
    tops: Array
    bottoms: Array

    def exact(self, row: int) -> Fraction | None:
        """Return the figure of one shoe, or None if it does not exist."""
        bottom = int(self.bottoms[row])
        return Fraction(int(self.tops[row]), bottom) if bottom else None


def batch_figures(evaluation: Evaluation) -> Iterator[BatchFigure]:
    """Return the figures requested for the batch.

    ``void``: the probability that the round is void. ``BET`` and ``BET-variance``: its expected value and variance.
    ``stakes``: the expected value of the stakes together. ``STATE:probability`` and ``STATE:expected-value``: of an
    insurance state, the second given the first.
    """
    spaces, bottoms = evaluation.sample_spaces, evaluation.denominators
    yield BatchFigure(name="void", over=SPACE, tops=evaluation.void_ways, bottoms=spaces)
    squares = None if evaluation.square_numerators is None else bottoms.astype(object) ** 2
    for column, bet in enumerate(evaluation.bets):
        yield BatchFigure(
            name=bet, over="denominator", tops=evaluation.numerators[:, column], bottoms=bottoms
        )
        if squares is not None:
            tops = evaluation.variance_numerators[:, column]
            yield BatchFigure(name=f"{bet}-variance", over="variance_denominator", tops=tops, bottoms=squares)
    if evaluation.combined_numerators is not None and evaluation.combined_denominators is not None:
        yield BatchFigure(
            name="stakes",
            over="stakes_denominator",
            tops=evaluation.combined_numerators,
            bottoms=evaluation.combined_denominators,
        )
    if evaluation.state_ways is not None and evaluation.state_numerators is not None:
        for column, state in enumerate(evaluation.states):
            ways, nets = evaluation.state_ways[:, column], evaluation.state_numerators[:, column]
            yield BatchFigure(name=f"{state.key}:probability", over=SPACE, tops=ways, bottoms=spaces)
            name = f"{state.key}:expected-value"
            yield BatchFigure(
                name=name,
                over=f"{name}_denominator",
                tops=nets,
                bottoms=ways.astype(nets.dtype) * evaluation.unit,
            )


def exact_columns(evaluation: Evaluation) -> dict[str, Array]:
    """Return the figures of a batch as integers: ``FIGURE_numerator``, and each denominator once."""
    columns: dict[str, Array] = {}
    for figure in batch_figures(evaluation):
        columns.setdefault(figure.over, figure.bottoms)
        columns[f"{figure.name}_numerator"] = figure.tops
    return columns


def batch_ways(evaluation: Evaluation) -> Iterator[tuple[str, Array]]:
    """Return the integers requested for the batch: the sample space, and the ways of every line that pays."""
    if evaluation.outcome_ways is not None:
        yield SPACE, evaluation.sample_spaces
        for column, (bet, line) in enumerate(evaluation.outcomes):
            yield f"{bet}:{line}:ways", evaluation.outcome_ways[:, column]
