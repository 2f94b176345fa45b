"""Closed forms: a probability or an expected value as a rational function of the number of decks.

A fresh shoe of ``n`` decks has ``4n`` cards of each rank, so each term ``prod falling(n_v, m_v)`` of the
compiled form is a polynomial in ``n``. Added up they give the count of the event as a polynomial of degree
six, over ``falling(52n, 6)``. sympy cancels and factors; the enumerator has the last word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import lcm
from operator import index
from typing import Any, ClassVar

from combinat.analysis.analysis import analyze
from combinat.analysis.counted import Counted, counted_bet, counted_line, counted_state
from combinat.analysis.figure import Whole
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.subject import Subject
from combinat.base.errors import CombinatError, shortened
from combinat.base.tabular import Exact, Tabular
from combinat.engine.multisets import levels
from combinat.engine.polynomial import Polynomial
from combinat.engine.walk import MOST_CARDS, walk
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.shoe import COPIES_PER_DECK, Shoe

VALUE = "expected value"

Coefficients = list[int]
"""A polynomial in the number of decks, lowest power first."""


def times(polynomial: Coefficients, other: Coefficients) -> Coefficients:
    """The product of two polynomials.

    >>> times([1, 1], [-1, 1])
    [-1, 0, 1]
    """
    product = [0] * (len(polynomial) + len(other) - 1)
    for power, value in enumerate(polynomial):
        for more, factor in enumerate(other):
            product[power + more] += value * factor
    return product


def falling_polynomial(cards_per_deck: int, drawn: int, already: int = 0) -> Coefficients:
    """``falling(cards_per_deck * n - already, drawn)`` as a polynomial in ``n``.

    >>> falling_polynomial(4, 2)
    [0, -4, 16]
    """
    product: Coefficients = [1]
    for gone in range(already, already + drawn):
        product = times(product, [-gone, cards_per_deck])
    return product


@dataclass(frozen=True, kw_only=True)
class Formula(Tabular):
    """An exact figure as a function of the number of decks: ``numerator / denominator``, lowest powers first.

    >>> from combinat import formula
    >>> value = formula("commission-insurance-2013", "player-pair")["expected value"]
    >>> value.at(8), value.limit, value.text
    (Fraction(-43, 415), Fraction(-1, 13), '-(4 n + 11)/(52 n - 1)')
    """

    FIGURES: ClassVar = ("limit",)

    name: str
    numerator: tuple[Whole, ...]
    denominator: tuple[Whole, ...]

    def at(self, decks: int) -> Fraction:
        """Its value for so many decks."""
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
        """What it is a formula of: ``expected value``, or the name of a line of the pay table."""
        return self.name

    @property
    def text(self) -> str:
        """The formula on one line, in lowest terms and factored, powers as ``n^5``."""
        return str(self.expression).replace("**", "^").replace("*", " ")

    def to_dicts(self) -> list[dict[str, Exact]]:
        """A row: the formula in text, and its limit."""
        return [{"name": self.name, "formula": self.text, "limit": self.limit}]

    def __repr__(self) -> str:
        return f"<Formula {self.name}: limit {self.limit}>"

    @property
    def is_expected_value(self) -> bool:
        """Whether it is an expected value, and not a probability."""
        return self.name == VALUE

    def share_at(self, decks: int) -> Fraction:
        """For so many decks, the house edge that an expected value comes to; a probability as it is."""
        return self._share(self.at(decks))

    @cached_property
    def share_limit(self) -> Fraction:
        """The limit of ``share_at`` as the number of decks grows without bound."""
        return self._share(self.limit)

    def _share(self, value: Fraction) -> Fraction:
        return -value if self.is_expected_value else value

    @cached_property
    def expression(self) -> Any:
        """The formula in lowest terms, factored."""
        import sympy  # a dossier needs the coefficients alone

        decks = symbol_of_decks()
        parts = (self.numerator, self.denominator)
        top, bottom = (sympy.Poly(list(reversed(part)), decks).as_expr() for part in parts)
        return sympy.factor(sympy.cancel(top / bottom))


@cache
def symbol_of_decks() -> Any:
    """The number of decks, as formulas write it: ``n``."""
    import sympy

    return sympy.Symbol("n", positive=True, integer=True)


def _value(polynomial: Sequence[int], decks: int) -> int:
    total = 0
    for value in reversed(polynomial):
        total = total * decks + value
    return total


def _count(counted: Counted) -> Coefficients:
    """The count of an event in sequences of six cards of a fresh shoe, as a polynomial in its decks."""
    compiled, value = counted
    kinds = COPIES_PER_DECK * len(RANKS)
    per_kind = [COPIES_PER_DECK] * compiled.kinds
    if compiled.kinds == 10:  # by points: the tens and the pictures are one kind
        per_kind[0] = COPIES_PER_DECK * 4
    total: Coefficients = [0] * (MOST_CARDS + 1)
    for cards, rows in Polynomial.of(compiled, [value]).coefficients.items():
        shapes: dict[tuple[tuple[int, int], ...], int] = {}
        for code, coefficient in zip(
            levels(compiled.kinds, cards)[-1].codes.tolist(), rows[0].tolist(), strict=True
        ):
            if coefficient:
                drawn = [(per_kind[kind], code // 7**kind % 7) for kind in range(compiled.kinds)]
                shape = tuple(sorted(pair for pair in drawn if pair[1]))
                shapes[shape] = shapes.get(shape, 0) + int(coefficient)
        rest = falling_polynomial(kinds, MOST_CARDS - cards, already=cards)
        for shape, coefficient in shapes.items():
            term = [coefficient]
            for copies, drawn_ in shape:
                term = times(term, falling_polynomial(copies, drawn_))
            for power, part in enumerate(times(term, rest)):
                total[power] += part
    return total


def _sample_space() -> Coefficients:
    return falling_polynomial(COPIES_PER_DECK * len(RANKS), MOST_CARDS)


def _formula(name: str, top: Coefficients, bottom: Coefficients) -> Formula:
    numerator, denominator = (tuple(map(Whole, part)) for part in (top, bottom))
    return Formula(name=name, numerator=numerator, denominator=denominator)


def bet_formulas(game: Game, bet_id: str) -> list[Formula]:
    """The expected value of a bet, then the probability of each line of its pay table."""
    bet = game.bet(bet_id)
    unit = lcm(*(pay.odds.net.denominator for pay in bet.pays))
    space = _sample_space()
    formulas = [
        _formula(VALUE, _count(counted_bet(bet, unit, game.table_of_play)), [unit * part for part in space])
    ]
    for number, pay in enumerate(bet.pays):
        formulas.append(
            _formula(pay.name or "wins", _count(counted_line(bet, number, game.table_of_play)), space)
        )
    return formulas


def state_formulas(game: Game, state: State) -> list[Formula]:
    """The expected value of an insurance bet given its state, then the probability of the state."""
    offer = game.offers[state]
    unit = offer.odds.net.denominator
    arises = _count(counted_state(game, state, None, unit))
    nets = _count(counted_state(game, state, offer, unit))
    return [
        _formula(VALUE, nets, [unit * part for part in arises]),
        _formula("state arises", arises, _sample_space()),
    ]


@dataclass(frozen=True, kw_only=True)
class ClosedForms:
    """The closed forms of a bet, or of an insurance state that a fresh shoe can come to."""

    subject: Subject
    formulas: tuple[Formula, ...]


def closed_forms(game: Game) -> tuple[ClosedForms, ...]:
    """Every bet and every insurance state as functions of the number of decks."""
    bets = [
        ClosedForms(subject=Subject(bet=bet.id), formulas=tuple(bet_formulas(game, bet.id)))
        for bet in game.bets
    ]
    states = [
        ClosedForms(subject=Subject(state=state), formulas=tuple(state_formulas(game, state)))
        for state in game.offers
    ]
    return (*bets, *states)


def check_formulas(game: Game, what: str | State, formulas: Sequence[Formula]) -> tuple[int, ...]:
    """Hold the formulas against the enumerator; the numbers of decks at which they are equal."""
    tried = tuple(sorted({1, 2, game.decks.least, game.decks.most}))
    for decks in tried:
        for formula, value in zip(formulas, _enumerated(game, what, decks), strict=True):
            if formula.at(decks) != value:
                raise CombinatError(  # pragma: no cover  # the compiled form is the recursion's
                    f"{formula.name} at {decks} decks: the formula gives {formula.at(decks)}, "
                    f"the enumerator {value}; please report this"
                )
    return tried


def _enumerated(game: Game, what: str | State, decks: int) -> list[Fraction]:
    shoe = Shoe.of_decks(decks)
    if isinstance(what, str):
        bet = analyze(game, shoe, by_recursion=True).bet(what)
        lines = len(game.bet(what).pays)
        return [bet.expected_value, *(line.probability for line in bet.outcomes[:lines])]
    state = next(each for each in insurance_analysis(game, walk(shoe, game.round())) if each.state == what)
    return [state.expected_value or Fraction(0), state.probability]
