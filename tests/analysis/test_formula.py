"""Closed forms in the number of decks: equal to the enumerator, their limits, and ``combinat formula``."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
import pytest
import sympy
from sympy.parsing.sympy_parser import (
    implicit_multiplication,
    parse_expr,
    standard_transformations,
)

from combinat import Analysis, Shoe, analyze
from combinat.analysis.formula import (
    Formula,
    check_formulas,
    formulas_for,
    symbol_of_decks,
)
from combinat.analysis.insurance import insurance_analysis
from combinat.base.errors import CombinatError
from combinat.base.number import Whole, percent
from combinat.report.analysis.formula import extremes
from combinat.rules.bet import Bet, Pay
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from tests.conftest import Run, asked
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.games import loaded, walked

TRIED = (3, 8, 12)


@pytest.fixture(autouse=True)
def worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shoe is walked, a game analysed and a formula made once for all the tests of this page."""
    for module in ("odds", "formula"):
        monkeypatch.setattr(f"combinat.analysis.{module}.walk", walked)
    monkeypatch.setattr(
        "combinat.analysis.formula.one_round_analysis",
        lambda game, shoe, *, by_recursion: analysed(game.id, shoe.decks or 0, by_recursion),
    )


@cache
def analysed(game_id: str, decks: int, by_recursion: bool = True) -> Analysis:
    return analyze(loaded(game_id), Shoe.of_decks(decks), by_recursion=by_recursion)


@cache
def formulas_of(game_id: str, subject: str | State) -> list[Formula]:
    return formulas_for(loaded(game_id), subject)


# ---------------------------------------------------------------- a formula


def a_formula(name: str, numerator: Sequence[int], denominator: Sequence[int]) -> Formula:
    top, bottom = (tuple(map(Whole, part)) for part in (numerator, denominator))
    return Formula(name=name, numerator=top, denominator=bottom)


def test_a_value_and_a_limit_are_read_off_the_coefficients() -> None:
    one = a_formula("one", [1, 2], [3, 0, 4])
    assert one.at(2) == Fraction(5, 19)
    assert one.limit == 0
    assert a_formula("two", [9, 9, -6], [1, 1, 4]).limit == Fraction(-3, 2)
    assert one.expression.subs(symbol_of_decks(), 2) == sympy.Rational(5, 19)


# ---------------------------------------------------------------- bets


def pay_tables() -> list[tuple[str, Bet]]:
    """Every pay table of every game once, with a game that has it."""
    first: dict[tuple[Pay, ...], tuple[str, Bet]] = {}
    for game_id in GAMES:
        for bet in loaded(game_id).bets:
            lines = tuple(msgspec.structs.replace(pay, name="", clause="") for pay in bet.pays)
            first.setdefault(lines, (game_id, bet))
    return list(first.values())


def test_every_bet_of_every_game_is_the_enumerators() -> None:
    """The expected value and the probability of each line, also beyond the decks that are allowed."""
    assert len(pay_tables()) == 21  # the twenty bets of 2025, and Banker with commission
    for game_id, bet in pay_tables():
        value, *lines = formulas_of(game_id, bet.id)
        assert value.name == "expected value"
        assert [line.name for line in lines] == [pay.name or "wins" for pay in bet.pays]
        for decks in TRIED:
            analysis = analysed(game_id, decks).bet(bet.id)
            assert value.at(decks) == analysis.expected_value
            assert value.share_at(decks) == analysis.house_edge
            probabilities = [one.probability for one in analysis.outcomes[: len(bet.pays)]]
            assert [line.at(decks) for line in lines] == probabilities
            assert [line.share_at(decks) for line in lines] == probabilities


# Infinite decks, house edge in per cent, six decimals (re-derived; printed in many places)
@pytest.mark.parametrize(
    ("bet", "edge"), [("banker", "1.063999"), ("player", "1.228141"), ("tie", "14.116987")]
)
def test_the_limits_of_the_main_bets(bet: str, edge: str) -> None:
    assert percent(-formulas_of(COMMISSION_2013, bet)[0].limit, 6) == edge


@pytest.mark.parametrize("bet", ["player-pair", "banker-pair"])
def test_a_pair_has_a_formula_that_fits_on_a_line(bet: str) -> None:
    value, wins = formulas_of(COMMISSION_2013, bet)
    for decks in range(1, 60):
        assert value.at(decks) == Fraction(-(4 * decks + 11), 52 * decks - 1)
        assert wins.at(decks) == Fraction(4 * decks - 1, 52 * decks - 1)
    assert value.text == "-(4 n + 11)/(52 n - 1)"
    assert wins.text == "(4 n - 1)/(52 n - 1)"
    assert wins.latex == r"\frac{4 n - 1}{52 n - 1}"
    assert (value.limit, wins.limit) == (Fraction(-1, 13), Fraction(1, 13))
    assert (value.share_limit, wins.share_limit) == (Fraction(1, 13), Fraction(1, 13))


# ---------------------------------------------------------------- insurance states

STATES = [
    (COMMISSION_2013, State(Hand.BANKER, Stage.FOUR_CARDS, 5, 6)),
    (COMMISSION_2013, State(Hand.PLAYER, Stage.PLAYER_THIRD_CARD, 9, 4)),
    (COMMISSION_2013, State(Hand.BANKER, Stage.PLAYER_THIRD_CARD, 3, 4)),
    (COMMISSION_2024, State(Hand.BANKER, Stage.PLAYER_THIRD_CARD, 0, 1)),
    (NONCOMMISSION_2024, State(Hand.PLAYER, Stage.FOUR_CARDS, 5, 4)),
]


@pytest.mark.parametrize(("game_id", "state"), STATES, ids=str)
def test_an_insurance_state_is_the_enumerators(game_id: str, state: State) -> None:
    value, arises = formulas_of(game_id, state)
    assert (value.name, arises.name) == ("expected value", "state arises")
    for decks in TRIED:
        analysis = next(
            one
            for one in insurance_analysis(loaded(game_id), analysed(game_id, decks).distribution)
            if one.state == state
        )
        assert value.at(decks) == analysis.expected_value
        assert arises.at(decks) == analysis.probability


# ---------------------------------------------------------------- the last word


def test_formulas_are_held_against_the_enumerator() -> None:
    game = loaded(COMMISSION_2013)
    assert check_formulas(game, "tie", formulas_of(COMMISSION_2013, "tie")) == (1, 2, 4, 8)
    state = STATES[0][1]
    assert check_formulas(game, state, formulas_of(game.id, state)) == (1, 2, 4, 8)


def test_a_formula_that_is_wrong_is_not_printed() -> None:
    game, (value, wins) = loaded(COMMISSION_2013), formulas_of(COMMISSION_2013, "tie")
    numerator = [part + (power == 1) for power, part in enumerate(wins.numerator)]
    wrong = a_formula(wins.name, numerator, wins.denominator)
    with pytest.raises(CombinatError):
        check_formulas(game, "tie", [value, wrong])


@pytest.mark.parametrize(
    ("values", "smallest", "largest"),
    [
        ({4: Fraction(1), 5: Fraction(3), 6: Fraction(2)}, 4, 5),
        ({4: Fraction(3), 5: Fraction(-1), 6: Fraction(2)}, 5, 4),
        ({8: Fraction(1)}, 8, 8),
        ({4: Fraction(1), 5: Fraction(1)}, 4, 4),
    ],
)
def test_where_a_figure_is_smallest_and_largest(
    values: dict[int, Fraction], smallest: int, largest: int
) -> None:
    assert extremes(values) == (smallest, largest)


# ---------------------------------------------------------------- text and LaTeX that can be read back


def read_back(text: str) -> Any:
    """The expression that a text states; what stands side by side is multiplied."""
    return parse_expr(
        text.replace("^", "**"),
        local_dict={"n": symbol_of_decks()},
        transformations=(*standard_transformations, implicit_multiplication),
    )


def plain(latex: str) -> str:
    """LaTeX of one fraction at most, as text."""
    text = re.sub(r"\^\{(\d+)\}", r"^\1", latex).replace(r"\left(", "(").replace(r"\right)", ")")
    text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", text)
    assert not set(text) & set("\\{}"), f"more than a fraction, powers and brackets: {latex}"
    return text


SHOWN = [
    (COMMISSION_2013, "banker"),
    (COMMISSION_2013, "player-pair"),
    (NONCOMMISSION_2025, "big-tiger"),
    (NONCOMMISSION_2025, "tiger-pair"),
]


@pytest.mark.parametrize(("game_id", "bet"), SHOWN)
def test_what_is_shown_reads_back_as_the_formula(game_id: str, bet: str) -> None:
    for formula in formulas_of(game_id, bet):
        for shown in (formula.text, plain(formula.latex)):
            expression = read_back(shown)
            for decks in (1, 6, 11):
                value = expression.subs(symbol_of_decks(), decks)
                assert Fraction(int(value.p), int(value.q)) == formula.at(decks)


# ---------------------------------------------------------------- the command


def test_an_insurance_state_by_its_name(run: Run) -> None:
    """The insured hand's points come first: Banker 6 against Player 5. A star may name one state."""
    record = asked(run, "formula", COMMISSION_2013, "banker:four-cards:6-5")
    assert [one["name"] for one in record["formulas"]] == ["expected value", "state arises"]
    value, arises = formulas_of(COMMISSION_2013, STATES[0][1])
    assert record["formulas"][0]["values"]["8"] == str(value.at(8)) == "38510831/456307407"
    assert record["formulas"][1]["values"]["8"] == str(arises.at(8))
    starred, named = (
        asked(run, "formula", COMMISSION_2013, f"player:four-cards:5-{other}") for other in "*4"
    )
    assert starred["formulas"] == named["formulas"]


def test_one_outcome_alone(run: Run) -> None:
    (only,) = asked(run, "formula", COMMISSION_2013, "banker", "--outcome", "tie")["formulas"]
    assert only["name"] == "tie"
    assert only["values"]["8"] == str(Fraction(475627426473216, 4998398275503360))


@pytest.mark.parametrize(("decks", "shown"), [("8", [8]), ("1-3", [1, 2, 3]), ("100", [100])])
def test_the_decks_to_show(run: Run, decks: str, shown: list[int]) -> None:
    record = asked(run, "formula", COMMISSION_2013, "player-pair", "--decks", decks)
    assert record["formulas"][0]["values"] == {
        str(n): str(Fraction(-(4 * n + 11), 52 * n - 1)) for n in shown
    }
