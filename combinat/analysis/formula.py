"""Closed forms: a probability or an expected value as a rational function of the number of decks.

On a fresh shoe of ``n`` decks, which has ``4n`` cards of each rank, the ways of any event among ``falling(52n, 6)``
sequences are a polynomial in ``n`` of degree six. Seven shoes determine it, an eighth checks it; sympy cancels and
factors the quotient.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from math import factorial, lcm
from operator import index
from typing import Any, ClassVar

from combinat.analysis.bets import FigureSubject
from combinat.analysis.evaluate import Evaluation, evaluate, requested_part
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.odds import one_round_analysis
from combinat.base.errors import CombinatError, InputError, shortened
from combinat.base.kinds import COUNT, FRACTION, TEXT
from combinat.base.number import Whole
from combinat.base.relation import Field, Many, Relation
from combinat.base.tabular import Listing, Tabular
from combinat.engine.arrays import Array
from combinat.engine.walk import MOST_CARDS, walk
from combinat.rules.converters import GameGiven, as_bet, as_decks, as_game
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.shoe import Shoe

VALUE = "expected value"

Coefficients = list[int]
"""A polynomial in the number of decks, lowest power first."""


def times(polynomial: Coefficients, other: Coefficients) -> Coefficients:
    """Return the product of two polynomials.

    >>> times([1, 1], [-1, 1])
    [-1, 0, 1]
    """
    product = [0] * (len(polynomial) + len(other) - 1)
    for power, value in enumerate(polynomial):
        for more, factor in enumerate(other):
            product[power + more] += value * factor
    return product


def interpolated(values: Sequence[int]) -> Coefficients:
    """The polynomial of degree six that has these values at 1, 2, ... 8; CombinatError if no such polynomial exists.

    The first seven values determine it, by Newton's differences; the eighth checks it.

    >>> interpolated([n**6 - n for n in range(1, 9)])
    [0, -1, 0, 0, 0, 0, 1]
    """
    scale, differences = factorial(MOST_CARDS), list(values)
    total, basis = [0] * (MOST_CARDS + 1), [1]
    for degree in range(MOST_CARDS + 1):
        for power, part in enumerate(basis):  # basis: (n - 1)(n - 2)...(n - degree)
            total[power] += differences[0] * part * (scale // factorial(degree))
        differences = [after - before for before, after in pairwise(differences)]
        basis = times(basis, [-(degree + 1), 1])
    if any(differences) or any(part % scale for part in total):
        raise CombinatError(f"no polynomial of degree {MOST_CARDS} has these counts; please report this")
    return [part // scale for part in total]


FORMULAS: "Relation[Formula]" = Relation(
    "formulas",
    Field("name", "of", TEXT, "Expected value, or the name of a line of the pay table."),
    Field("numerator", "numerator", Many(COUNT), "Coefficients in the number of decks, the lowest power first."),
    Field("denominator", "denominator", Many(COUNT), "Coefficients in the number of decks, the lowest power first."),
    Field("factored", "formula", TEXT, "In lowest terms and factored; n is the number of decks.", lambda row: row.text, views="report"),
    Field("latex", "LaTeX", TEXT, "The formula as LaTeX."),
    Field("limit", "limit", FRACTION, "Its limit as the number of decks grows.", views="report", is_figure=True),
)  # fmt: skip
"""Closed forms, a row each."""


@dataclass(frozen=True, kw_only=True)
class Formula(Tabular):
    """An exact figure as a function of the number of decks: ``numerator / denominator``, lowest powers first.

    >>> from combinat import formula
    >>> value = formula("commission-insurance-2013", "player-pair")["expected value"]
    >>> value.at(8), value.limit, value.text
    (Fraction(-43, 415), Fraction(-1, 13), '-(4 n + 11)/(52 n - 1)')
    """

    FIGURES: ClassVar = FORMULAS.figures
    RELATION: ClassVar = FORMULAS

    name: str
    numerator: tuple[Whole, ...]
    denominator: tuple[Whole, ...]

    def at(self, decks: int) -> Fraction:
        """Return its value for this number of decks."""
        if isinstance(decks, bool) or not hasattr(decks, "__index__") or index(decks) < 1:
            raise CombinatError(f"found {shortened(repr(decks))}; write a whole number of decks, such as 8")
        number = index(decks)
        return Fraction(_value(self.numerator, number), _value(self.denominator, number))

    @cached_property
    def limit(self) -> Fraction:
        """Its limit as the number of decks grows without bound."""
        degree = len(self.denominator) - 1
        top = self.numerator[degree] if len(self.numerator) > degree else 0
        return Fraction(top, self.denominator[degree])

    @property
    def key(self) -> str:
        """The figure that it gives: ``expected value``, or the name of a line of the pay table."""
        return self.name

    @property
    def text(self) -> str:
        """The formula on one line, in lowest terms and factored, powers as ``n^5``."""
        return str(self.expression).replace("**", "^").replace("*", " ")

    @property
    def latex(self) -> str:
        """The formula as LaTeX."""
        import sympy  # imported here: only LaTeX and factored forms need it

        return str(sympy.latex(self.expression))

    def __repr__(self) -> str:
        return f"<Formula {self.name}: limit {self.limit}>"

    @property
    def is_expected_value(self) -> bool:
        """Whether it is an expected value rather than a probability."""
        return self.name == VALUE

    def share_at(self, decks: int) -> Fraction:
        """Return its value for these decks: a house edge for an expected value, else a probability."""
        return self._share(self.at(decks))

    @cached_property
    def share_limit(self) -> Fraction:
        """The limit of ``share_at`` as the number of decks grows without bound."""
        return self._share(self.limit)

    def _share(self, value: Fraction) -> Fraction:
        return -value if self.is_expected_value else value

    @property
    def expression(self) -> Any:
        """The formula in lowest terms, factored: an expression of sympy."""
        return factored(self.numerator, self.denominator)


@cache
def factored(numerator: tuple[int, ...], denominator: tuple[int, ...]) -> Any:
    """Return the quotient of two polynomials in lowest terms, factored."""
    import sympy  # imported here: a dossier needs only the coefficients

    decks = symbol_of_decks()
    top, bottom = (sympy.Poly(list(reversed(side)), decks).as_expr() for side in (numerator, denominator))
    return sympy.factor(sympy.cancel(top / bottom))


@cache
def symbol_of_decks() -> Any:
    """Return the symbol for the number of decks in formulas: ``n``."""
    import sympy

    return sympy.Symbol("n", positive=True, integer=True)


def _value(polynomial: Sequence[int], decks: int) -> int:
    total = 0
    for value in reversed(polynomial):
        total = total * decks + value
    return total


DECKS = range(1, MOST_CARDS + 3)
"""The shoes that determine a closed form, and the one that checks it."""


@lru_cache(maxsize=4)
def _fresh_shoes(game: Game) -> Evaluation:
    """Return the figures on fresh shoes from which closed forms are computed."""
    counts = [Shoe.of_decks(decks).counts for decks in DECKS]
    return evaluate(game, counts, insurance=bool(game.offers), outcomes=True)


def formulas_for(game: Game, what: str | State) -> list[Formula]:
    """Return the expected value of a bet, then the probability of each line of its pay table.

    For an insurance state: the expected value of its bet given the state, then the probability of the state.
    """
    shoes = _fresh_shoes(game)
    if isinstance(what, State):
        value, odds = shoes.figures[f"{what.key}:expected-value"], [game.offers[what].odds]
        ways = [("state arises", shoes.figures[f"{what.key}:probability"].tops)]
    else:
        value, odds = shoes.figures[what], [pay.odds for pay in game.bet(what).pays]
        counted = zip(shoes.outcomes, requested_part(shoes.outcome_ways, "outcomes").T, strict=True)
        ways = [(line, counts) for (bet, line), counts in counted if bet == what]
    scale = shoes.unit // lcm(*(each.net.denominator for each in odds))
    return [
        _formula(VALUE, value.tops // scale, value.bottoms // scale),
        *(_formula(name, counts, shoes.sample_spaces) for name, counts in ways),
    ]


def _formula(name: str, tops: Array, bottoms: Array) -> Formula:
    """Return the quotient of two counts on the fresh shoes."""
    numerator, denominator = (tuple(map(Whole, interpolated(part.tolist()))) for part in (tops, bottoms))
    return Formula(name=name, numerator=numerator, denominator=denominator)


@dataclass(frozen=True, kw_only=True)
class ClosedForms:
    """The closed forms of a bet, or of an insurance state that a fresh shoe can reach."""

    subject: FigureSubject
    formulas: tuple[Formula, ...]


def closed_forms(game: Game) -> tuple[ClosedForms, ...]:
    """Return every bet and every insurance state as functions of the number of decks."""
    subjects = [FigureSubject(bet=bet.id) for bet in game.bets]
    subjects += [FigureSubject(state=state) for state in game.offers]
    return tuple(
        ClosedForms(subject=one, formulas=tuple(formulas_for(game, one.state or one.bet or "")))
        for one in subjects
    )


def check_formulas(game: Game, what: str | State, formulas: Sequence[Formula]) -> tuple[int, ...]:
    """Compare the formulas with the recursion; return the numbers of decks at which they were compared."""
    tried = tuple(sorted({1, 2, game.decks.least, game.decks.most}))
    for decks in tried:
        for formula, value in zip(formulas, _enumerated(game, what, decks), strict=True):
            if formula.at(decks) != value:
                raise CombinatError(  # pragma: no cover  # all ways of counting agree
                    f"{formula.name} at {decks} decks: the formula gives {formula.at(decks)}, "
                    f"the recursion {value}; please report this"
                )
    return tried


def _enumerated(game: Game, what: str | State, decks: int) -> list[Fraction]:
    shoe = Shoe.of_decks(decks)
    if isinstance(what, str):
        bet = one_round_analysis(game, shoe, by_recursion=True).bet(what)
        lines = len(game.bet(what).pays)
        return [bet.expected_value, *(line.probability for line in bet.outcomes[:lines])]
    state = next(each for each in insurance_analysis(game, walk(shoe, game.round())) if each.state == what)
    return [state.expected_value or Fraction(0), state.probability]


@dataclass(frozen=True, kw_only=True)
class FormulaAnalysis(Listing[Formula]):
    """The closed forms of a bet or an insurance state; iterating gives them, the expected value first.

    ``decks``: the numbers of decks to show values for; ``checked``: those at which the recursion gave the same values.
    """

    RELATION: ClassVar = FORMULAS
    LISTED: ClassVar = "formulas"

    game: Game
    of: str
    name: str
    formulas: tuple[Formula, ...]
    decks: tuple[int, ...]
    checked: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<FormulaAnalysis of {self.of} in {self.game.id}: {len(self.formulas)} formulas>"


def formula(
    game: GameGiven,
    bet: str,
    *,
    outcome: str | None = None,
    decks: "int | str | Sequence[int] | None" = None,
) -> FormulaAnalysis:
    """Return the expected value of a bet as a function of the number of decks, and the probability of each line.

    ``bet`` may be an insurance state, ``"banker:four-cards:6-5"``, the insured hand's points first: then the expected
    value given the state, and the probability of the state. ``outcome``: the probability of this line alone.
    ``decks``: the numbers of decks to show values for, such as ``"4-10"``. Default: all that the game allows. Every
    formula is compared with the recursion.

    >>> formula("commission-insurance-2013", "player-pair")[0].at(8)
    Fraction(-43, 415)
    """
    played = as_game(game)
    numbers = range(played.decks.least, played.decks.most + 1) if decks is None else as_decks(decks)
    state = played.states_named(bet) if isinstance(bet, str) and ":" in bet else []
    if len(state) > 1:
        raise InputError(f'"{bet}" names {len(state)} states; write the points of both hands')
    what: str | State = state[0] if state else as_bet(played, bet)
    formulas = formulas_for(played, what)
    checked = check_formulas(played, what, formulas)
    return FormulaAnalysis(
        game=played,
        of=bet,
        name=played.bet(what).name if isinstance(what, str) else f"insurance {what}",
        formulas=tuple(formulas if outcome is None else _of_line(formulas, outcome)),
        decks=tuple(numbers),
        checked=checked,
    )


def _of_line(formulas: Sequence[Formula], outcome: str) -> list[Formula]:
    """Return the probability of the line of this name."""
    lines = formulas[1:]
    if chosen := [line for line in lines if line.name == outcome]:
        return chosen
    known = ", ".join(f'"{line.name}"' for line in lines)
    raise InputError(f'found "{shortened(outcome)}"', f"write one of {known}", parameter="outcome")
