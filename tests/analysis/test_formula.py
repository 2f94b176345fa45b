"""Closed forms in the number of decks: equal to the enumerator, their limits, and ``combinat formula``."""

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.parsing.sympy_parser import (
    implicit_multiplication,
    parse_expr,
    standard_transformations,
)

from combinat import Analysis, Shoe, analyze, load_game
from combinat.analysis.figure import Whole
from combinat.analysis.formula import (
    Formula,
    bet_formulas,
    check_formulas,
    falling_polynomial,
    state_formulas,
    symbol_of_decks,
    times,
)
from combinat.analysis.insurance import insurance_analysis
from combinat.cli.states import states_named
from combinat.engine.distribution import falling
from combinat.engine.walk import walk
from combinat.errors import CombinatError, NotInGameError
from combinat.render.number import decimal, percent
from combinat.report.formula import extremes, in_latex, in_text
from combinat.rules.bet import Bet, Pay
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from tests.conftest import Ran, Run
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025

WIDTH = 100
TRIED = (3, 8, 12)

LOADED, WALKED = cache(load_game), cache(walk)


@pytest.fixture(autouse=True)
def worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shoe is walked, a game analysed and a formula made once for all the tests of this page."""
    for module in ("analysis", "formula"):
        monkeypatch.setattr(f"combinat.analysis.{module}.walk", WALKED)
    monkeypatch.setattr("combinat.cli.formula.load_game", LOADED)
    monkeypatch.setattr(
        "combinat.analysis.formula.analyze",
        lambda game, shoe, *, by_recursion: analysed(game.id, shoe.decks or 0, by_recursion),
    )
    monkeypatch.setattr("combinat.cli.formula.bet_formulas", lambda game, bet: formulas_of(game.id, bet))
    monkeypatch.setattr(
        "combinat.cli.formula.state_formulas", lambda game, state: state_formulas_of(game.id, state)
    )


@cache
def analysed(game_id: str, decks: int, by_recursion: bool = True) -> Analysis:
    return analyze(LOADED(game_id), Shoe.of_decks(decks), by_recursion=by_recursion)


@cache
def formulas_of(game_id: str, bet: str) -> list[Formula]:
    return bet_formulas(LOADED(game_id), bet)


@cache
def state_formulas_of(game_id: str, state: State) -> list[Formula]:
    return state_formulas(LOADED(game_id), state)


def evaluated(coefficients: list[Any], decks: int) -> int:
    """A polynomial, lowest power first, at a number of decks."""
    return sum(int(part) * decks**power for power, part in enumerate(coefficients))


# ---------------------------------------------------------------- small polynomials

COEFFICIENTS = st.lists(st.integers(-99, 99), min_size=1, max_size=7)


@settings(max_examples=50, deadline=None)
@given(COEFFICIENTS, COEFFICIENTS, st.integers(-9, 9))
def test_a_product_of_polynomials_is_the_product_of_their_values(
    one: list[int], other: list[int], at: int
) -> None:
    assert evaluated(times(one, other), at) == evaluated(one, at) * evaluated(other, at)
    assert len(times(one, other)) == len(one) + len(other) - 1
    assert times(one, other) == times(other, one)


def test_nothing_drawn_is_one_way() -> None:
    assert falling_polynomial(52, 0) == [1]
    assert times([1], [3, 0, 2]) == [3, 0, 2]


@pytest.mark.parametrize("per_deck", [4, 16, 52])
@pytest.mark.parametrize("drawn", range(7))
@pytest.mark.parametrize("already", [0, 4, 5])
def test_a_falling_polynomial_is_the_falling_count(per_deck: int, drawn: int, already: int) -> None:
    polynomial = falling_polynomial(per_deck, drawn, already)
    assert len(polynomial) == drawn + 1
    assert polynomial[-1] == per_deck**drawn
    for decks in (2, 3, 8, 100):
        assert evaluated(polynomial, decks) == falling(per_deck * decks - already, drawn)


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
        for bet in LOADED(game_id).bets:
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


def test_the_lines_add_up_to_the_expected_value() -> None:
    """As n grows too: the sum of odds times limits, less what is lost."""
    for game_id, bet in pay_tables():
        value, *lines = formulas_of(game_id, bet.id)
        lost = 1 - sum(line.limit for line in lines)
        paid = sum(pay.odds.net * line.limit for pay, line in zip(bet.pays, lines, strict=True))
        assert value.limit == paid - lost == -value.share_limit
        assert [line.share_limit for line in lines] == [line.limit for line in lines]


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
    assert in_text(value) == "-(4 n + 11)/(52 n - 1)"
    assert in_text(wins) == "(4 n - 1)/(52 n - 1)"
    assert in_latex(wins) == r"\frac{4 n - 1}{52 n - 1}"
    assert (value.limit, wins.limit) == (Fraction(-1, 13), Fraction(1, 13))


def test_published_counts_at_8_decks_follow_from_the_formulas() -> None:
    """wizardofodds.com: Banker wins on a three-card 6, and the Tie."""
    space = falling(416, 6)
    assert formulas_of(NONCOMMISSION_2025, "big-tiger")[1].at(8) * space == 83058367551488
    assert formulas_of(COMMISSION_2013, "tie")[1].at(8) * space == 475627426473216
    assert formulas_of(COMMISSION_2013, "tie")[1].at(1) * falling(52, 6) == 1372227328


def test_a_large_number_of_decks_comes_near_the_limit() -> None:
    value = formulas_of(COMMISSION_2013, "banker")[0]
    assert 0 < abs(value.at(10**9) - value.limit) < Fraction(1, 10**9)


def test_a_bet_that_the_game_does_not_have_has_no_formula() -> None:
    with pytest.raises(NotInGameError, match='has no bet "big-tiger"'):
        bet_formulas(LOADED(COMMISSION_2013), "big-tiger")


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
    value, arises = state_formulas_of(game_id, state)
    assert (value.name, arises.name) == ("expected value", "state arises")
    for decks in TRIED:
        analysis = next(
            one
            for one in insurance_analysis(LOADED(game_id), analysed(game_id, decks).distribution)
            if one.state == state
        )
        assert value.at(decks) == analysis.expected_value
        assert arises.at(decks) == analysis.probability


def test_a_published_insurance_state() -> None:
    """wizardofodds.com, Marina Bay Sands insurance: Banker 6 against Player 5 at 3 to 1, 8 decks, +.084397."""
    value, _ = state_formulas_of(COMMISSION_2013, STATES[0][1])
    assert decimal(value.at(8), 6) == "0.084397"


# ---------------------------------------------------------------- the last word


def test_formulas_are_held_against_the_enumerator() -> None:
    game = LOADED(COMMISSION_2013)
    assert check_formulas(game, "tie", formulas_of(COMMISSION_2013, "tie")) == (1, 2, 4, 8)
    state = STATES[0][1]
    assert check_formulas(game, state, state_formulas_of(game.id, state)) == (1, 2, 4, 8)


def test_a_formula_that_is_wrong_is_not_printed() -> None:
    game, (value, wins) = LOADED(COMMISSION_2013), formulas_of(COMMISSION_2013, "tie")
    numerator = [part + (power == 1) for power, part in enumerate(wins.numerator)]
    wrong = a_formula(wins.name, numerator, wins.denominator)
    with pytest.raises(CombinatError) as refusal:
        check_formulas(game, "tie", [value, wrong])
    assert str(refusal.value) == (
        f"wins at 1 decks: the formula gives {wrong.at(1)}, the enumerator {wins.at(1)}; please report this"
    )


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
        for shown in (in_text(formula), plain(in_latex(formula))):
            expression = read_back(shown)
            for decks in (1, 6, 11):
                value = expression.subs(symbol_of_decks(), decks)
                assert Fraction(int(value.p), int(value.q)) == formula.at(decks)


@pytest.mark.parametrize(("game_id", "bet"), SHOWN)
def test_latex_closes_what_it_opens(game_id: str, bet: str) -> None:
    for formula in formulas_of(game_id, bet):
        latex = in_latex(formula)
        assert latex.count("{") == latex.count("}") > 0
        assert latex.count(r"\left(") == latex.count(r"\right)")


# ---------------------------------------------------------------- the command


def worked(ran: Ran) -> str:
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")
    return ran.out


def refused(run: Run, *arguments: str) -> str:
    """The one message of a command that could not be carried out."""
    ran = run("formula", *arguments)
    assert (ran.code, ran.out) == (2, "")
    message, newline, rest = ran.err.partition("\n")
    assert (newline, rest) == ("\n", "")
    assert message.startswith("combinat: ")
    return message.removeprefix("combinat: ")


def loaded(run: Run, *arguments: str) -> dict[str, Any]:
    def refuse(text: str) -> None:
        raise AssertionError(f"the float {text} in JSON")

    record: dict[str, Any] = json.loads(
        worked(run("formula", *arguments, "--format", "json")), parse_float=refuse
    )
    return record


def test_the_json_of_a_bet(run: Run) -> None:
    record = loaded(run, NONCOMMISSION_2025, "big-tiger")
    assert (record["schema"], record["game"], record["of"]) == (
        "combinat/formula/1",
        NONCOMMISSION_2025,
        "big-tiger",
    )
    assert record["checked_at_decks"] == [1, 2, 4, 10]
    assert [one["name"] for one in record["formulas"]] == ["expected value", "wins"]
    for one, formula in zip(record["formulas"], formulas_of(NONCOMMISSION_2025, "big-tiger"), strict=True):
        assert list(one["values"]) == [str(decks) for decks in range(4, 11)]
        for decks, value in one["values"].items():
            top, bottom = (evaluated(one[part], int(decks)) for part in ("numerator", "denominator"))
            assert Fraction(top, bottom) == Fraction(value) == formula.at(int(decks))
            assert value == str(Fraction(value))
        assert Fraction(one["limit"]) == formula.limit
        assert one["factored"] == in_text(formula)
        assert one["latex"] == in_latex(formula)
        assert all(isinstance(part, str) for part in one["numerator"] + one["denominator"])
    exact = analysed(NONCOMMISSION_2025, 8).bet("big-tiger")
    assert record["formulas"][0]["values"]["8"] == str(exact.expected_value)


@pytest.mark.parametrize(
    ("game_id", "bet"), [(COMMISSION_2013, "banker"), (COMMISSION_2013, "player"), (COMMISSION_2013, "tie")]
)
def test_where_the_edge_is_smallest_and_largest(run: Run, game_id: str, bet: str) -> None:
    record = loaded(run, game_id, bet)
    edges = {int(n): -Fraction(value) for n, value in record["formulas"][0]["values"].items()}
    assert list(edges) == [4, 5, 6, 7, 8]
    assert record["house_edge_smallest_at"] == min(edges, key=edges.__getitem__)
    assert record["house_edge_largest_at"] == max(edges, key=edges.__getitem__)


def test_the_text_says_the_formula_its_limit_and_its_values(run: Run) -> None:
    lines = worked(run("formula", COMMISSION_2013, "player-pair")).splitlines()
    assert lines[:2] == ["Commission Baccarat with Insurance: Player Pair", "=" * 47]
    assert "Formula: -(4 n + 11)/(52 n - 1)" in lines
    assert "Limit: -1/13 = -0.076923077" in lines
    assert [line.split() for line in lines if line.strip().startswith("8 ")] == [
        ["8", "-43/415", "-0.103614458", "10.361446"]
    ]
    prose = " ".join(lines)
    assert "the house edge is smallest at 8 (10.361446 %) and largest at 4 (13.043478 %)" in prose
    assert "As n grows it tends to 7.692308 %." in prose
    assert lines[-1] == "Equal to the enumerator at 1, 2, 4, 8 decks, checked just now."


@pytest.mark.parametrize(("game_id", "bet"), SHOWN)
def test_the_text_fits_a_terminal(run: Run, game_id: str, bet: str) -> None:
    printed = worked(run("formula", game_id, bet))
    assert max(map(len, printed.splitlines())) <= WIDTH
    one_line = re.sub(r"\s+", " ", printed)
    for formula in formulas_of(game_id, bet):
        assert f"Formula: {in_text(formula)} Limit: {formula.limit} = " in one_line


def test_the_latex_is_displays_with_their_names(run: Run) -> None:
    printed = worked(run("formula", COMMISSION_2013, "player-pair", "-f", "latex"))
    displays, between, table = printed.partition("\n\\begin{tabular}")
    table = between.strip() + table
    assert displays == (
        "% expected value; limit -1/13\n\\[\n- \\frac{4 n + 11}{52 n - 1}\n\\]\n\n"
        "% wins; limit 1/13\n\\[\n\\frac{4 n - 1}{52 n - 1}\n\\]\n"
    )
    assert table.startswith("\\begin{tabular}{rrrr}\n\\toprule\n decks &")


def test_an_insurance_state_by_its_name(run: Run) -> None:
    """The insured hand's points come first: Banker 6 against Player 5."""
    record = loaded(run, COMMISSION_2013, "banker:four-cards:6-5")
    assert [one["name"] for one in record["formulas"]] == ["expected value", "state arises"]
    value, arises = state_formulas_of(COMMISSION_2013, STATES[0][1])
    assert record["formulas"][0]["values"]["8"] == str(value.at(8)) == "38510831/456307407"
    assert record["formulas"][1]["values"]["8"] == str(arises.at(8))
    title = worked(run("formula", COMMISSION_2013, "banker:four-cards:6-5")).splitlines()[0]
    assert title == ("Commission Baccarat with Insurance: insurance banker@four-cards, Player 5, Banker 6")


def test_a_star_that_can_be_only_one_state(run: Run) -> None:
    """The document insures a Player Hand of 5 after four cards against a Banker Hand of 4 only."""
    assert states_named(LOADED(COMMISSION_2013), "player:four-cards:5-*") == [
        State(Hand.PLAYER, Stage.FOUR_CARDS, 5, 4)
    ]
    starred, named = (loaded(run, COMMISSION_2013, f"player:four-cards:5-{other}") for other in "*4")
    assert starred["formulas"] == named["formulas"]


def test_one_outcome_alone(run: Run) -> None:
    record = loaded(run, COMMISSION_2013, "banker", "--outcome", "tie")
    (only,) = record["formulas"]
    assert only["name"] == "tie"
    assert only["values"]["8"] == str(Fraction(475627426473216, 4998398275503360))
    assert (
        worked(run("formula", COMMISSION_2013, "banker", "--outcome", "tie", "-f", "latex")).count("\\[") == 1
    )


@pytest.mark.parametrize(("decks", "shown"), [("8", ["8"]), ("1-3", ["1", "2", "3"]), ("100", ["100"])])
def test_the_decks_to_show(run: Run, decks: str, shown: list[str]) -> None:
    record = loaded(run, COMMISSION_2013, "player-pair", "--decks", decks)
    assert list(record["formulas"][0]["values"]) == shown
    last = int(shown[-1])
    assert record["formulas"][0]["values"][shown[-1]] == str(Fraction(-(4 * last + 11), 52 * last - 1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [COMMISSION_2013, "big-tiger"],
            f'{COMMISSION_2013} has no bet "big-tiger". It has: player, banker, tie, player-pair, banker-pair',
        ),
        (
            [COMMISSION_2013, "bankr"],
            f'{COMMISSION_2013} has no bet "bankr"; did you mean banker? '
            "It has: player, banker, tie, player-pair, banker-pair",
        ),
        (
            [COMMISSION_2013, "banker:four-cards:6"],
            'found "banker:four-cards:6"; write HAND:STAGE:OWN-OTHER, the insured hand\'s points first, '
            'such as "banker:four-cards:6-5"',
        ),
        (
            [COMMISSION_2013, "banker:four-cards:4-0"],
            f'"banker:four-cards:4-0" is no state that {COMMISSION_2013} offers; combinat insurance lists them',
        ),
        (
            [NONCOMMISSION_2025, "banker:four-cards:6-5"],
            f'"banker:four-cards:6-5" is no state that {NONCOMMISSION_2025} offers; combinat insurance lists them',
        ),
        (
            [COMMISSION_2013, "banker:four-cards:6-*"],
            '"banker:four-cards:6-*" names 6 states; write the points of both hands',
        ),
        (
            [COMMISSION_2013, "banker", "--outcome", "wins"],
            '--outcome: found "wins"; the lines are "Banker wins", "tie"',
        ),
        (
            [COMMISSION_2013, "tie", "--outcome", "expected value"],
            '--outcome: found "expected value"; the lines are "wins"',
        ),
        (
            [COMMISSION_2013, "banker:four-cards:6-5", "--outcome", "wins"],
            '--outcome: found "wins"; the lines are "state arises"',
        ),
        (
            [COMMISSION_2013, "tie", "--decks", "eight"],
            '--decks: found "eight"; write a number or a range, such as 8, 4-10 or 4,6,8',
        ),
        (
            [COMMISSION_2013, "tie", "--decks", "4-"],
            '--decks: found "4-"; write a number or a range, such as 8, 4-10 or 4,6,8',
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(run: Run, arguments: list[str], message: str) -> None:
    assert refused(run, *arguments) == message


@pytest.mark.parametrize("decks", ["10-4", "1-101", "0-4"])
def test_a_range_that_is_none_is_refused(run: Run, decks: str) -> None:
    message = refused(run, COMMISSION_2013, "tie", "--decks", decks)
    assert message.startswith(f'--decks: found "{decks}"; write ')


def test_the_values_are_a_table_like_any_other(run: Run) -> None:
    """CSV has those of every formula; the options of tables choose, sort and round."""
    asked = ("formula", COMMISSION_2013, "player-pair", "--decks", "4,8")
    assert worked(run(*asked, "--format", "csv")).splitlines() == [
        "formula,decks,value,value_decimal",
        "expected value,4,-3/23,-0.130434782609",
        "expected value,8,-43/415,-0.103614457831",
        "wins,4,5/69,0.072463768116",
        "wins,8,31/415,0.074698795181",
    ]
    assert worked(
        run(*asked, "--part", "values", "--only", "decks,house", "--sort", "-decks", "--places", "2")
    ) == ("decks  house edge %\n-----  ------------\n    8         10.36\n    4         13.04\n")
    assert "| 4 |" in re.sub(" +", " ", worked(run(*asked, "--format", "markdown")))


def test_a_game_that_is_not_there_is_refused(run: Run) -> None:
    assert refused(run, "baccarat", "tie").startswith('no game "baccarat"')
