"""Closed forms: a probability or an expected value as a rational function of the number of decks.

A fresh shoe of ``n`` decks has ``4n`` cards of each rank, so each term ``prod falling(n_v, m_v)`` of the
compiled form is a polynomial in ``n``. Added up they give the count of the event as a polynomial of degree
six, over ``falling(52n, 6)``. sympy cancels and factors; the enumerator has the last word.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import sympy

from combinat.analysis.analysis import analyze
from combinat.analysis.evaluate import bet_column, line_column, state_column
from combinat.analysis.insurance import insurance_analysis
from combinat.engine.multisets import levels
from combinat.engine.polynomial import Compiled, Polynomial, Way
from combinat.engine.walk import SLOTS, walk
from combinat.errors import CombinatError
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.shoe import COPIES_PER_DECK, Shoe

DECKS = sympy.Symbol("n", positive=True, integer=True)

VALUE = "expected value"

Coefficients = list[int]
"""A polynomial in the number of decks, lowest power first."""


def times(one: Coefficients, other: Coefficients) -> Coefficients:
    """The product of two polynomials.

    >>> times([1, 1], [-1, 1])
    [-1, 0, 1]
    """
    product = [0] * (len(one) + len(other) - 1)
    for power, value in enumerate(one):
        for more, factor in enumerate(other):
            product[power + more] += value * factor
    return product


def falling_polynomial(cards_per_deck: int, drawn: int, already: int = 0) -> Coefficients:
    """``falling(cards_per_deck * n - already, drawn)`` as a polynomial in ``n``.

    >>> falling_polynomial(4, 2)
    [0, -4, 16]
    """
    found: Coefficients = [1]
    for gone in range(already, already + drawn):
        found = times(found, [-gone, cards_per_deck])
    return found


@dataclass(frozen=True)
class Formula:
    """An exact figure as a function of the number of decks: ``top / bottom``, lowest powers first."""

    name: str
    top: Coefficients
    bottom: Coefficients

    def at(self, decks: int) -> Fraction:
        """Its value for so many decks."""
        return Fraction(_value(self.top, decks), _value(self.bottom, decks))

    @property
    def limit(self) -> Fraction:
        """Its limit as the number of decks grows without bound."""
        degree = len(self.bottom) - 1
        return Fraction(self.top[degree] if len(self.top) > degree else 0, self.bottom[degree])

    @cached_property
    def expression(self) -> Any:
        """The formula in lowest terms, factored."""
        top, bottom = (sympy.Poly(list(reversed(part)), DECKS).as_expr() for part in (self.top, self.bottom))
        return sympy.factor(sympy.cancel(top / bottom))


def _value(polynomial: Coefficients, decks: int) -> int:
    total = 0
    for value in reversed(polynomial):
        total = total * decks + value
    return total


def _count(compiled: Compiled, value: Callable[[Way], int]) -> Coefficients:
    """The count of an event in sequences of six cards of a fresh shoe, as a polynomial in its decks."""
    kinds = COPIES_PER_DECK * len(RANKS)
    per_kind = [COPIES_PER_DECK] * compiled.kinds
    if compiled.kinds == 10:  # by points: the tens and the pictures are one kind
        per_kind[0] = COPIES_PER_DECK * 4
    total: Coefficients = [0] * (SLOTS + 1)
    for cards, rows in Polynomial.of(compiled, [value]).coefficients.items():
        shapes: dict[tuple[tuple[int, int], ...], int] = {}
        for code, coefficient in zip(
            levels(compiled.kinds, cards)[-1].codes.tolist(), rows[0].tolist(), strict=True
        ):
            if coefficient:
                drawn = [(per_kind[kind], code // 7**kind % 7) for kind in range(compiled.kinds)]
                shape = tuple(sorted(pair for pair in drawn if pair[1]))
                shapes[shape] = shapes.get(shape, 0) + int(coefficient)
        rest = falling_polynomial(kinds, SLOTS - cards, already=cards)
        for shape, coefficient in shapes.items():
            term = [coefficient]
            for copies, drawn_ in shape:
                term = times(term, falling_polynomial(copies, drawn_))
            for power, part in enumerate(times(term, rest)):
                total[power] += part
    return total


def _sample_space() -> Coefficients:
    return falling_polynomial(COPIES_PER_DECK * len(RANKS), SLOTS)


def bet_formulas(game: Game, bet_id: str) -> list[Formula]:
    """The expected value of a bet, then the probability of each line of its pay table."""
    bet = game.bet(bet_id)
    unit = lcm(*(pay.odds.net.denominator for pay in bet.pays))
    space = _sample_space()
    formulas = [Formula(VALUE, _count(*bet_column(bet, unit)), [unit * part for part in space])]
    for number, pay in enumerate(bet.pays):
        formulas.append(Formula(pay.name or "wins", _count(*line_column(bet, number)), space))
    return formulas


def state_formulas(game: Game, state: State) -> list[Formula]:
    """The expected value of an insurance bet given its state, then the probability of the state."""
    offer = game.offers[state]
    unit = offer.odds.net.denominator
    arises = _count(*state_column(game, state, None, unit))
    nets = _count(*state_column(game, state, offer, unit))
    return [
        Formula(VALUE, nets, [unit * part for part in arises]),
        Formula("state arises", arises, _sample_space()),
    ]


def check_formulas(game: Game, what: str | State, formulas: Sequence[Formula]) -> tuple[int, ...]:
    """Hold the formulas against the enumerator; the numbers of decks at which they were found equal."""
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
        bet = analyze(game, shoe).bet(what)
        lines = len(game.bet(what).pays)
        return [bet.expected_value, *(line.probability for line in bet.outcomes[:lines])]
    state = next(one for one in insurance_analysis(game, walk(shoe)) if one.state == what)
    return [state.expected_value or Fraction(0), state.probability]
