"""``--pays``: other odds for a whole bet or for one line by its name, in every command that reads odds so."""

import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest

from combinat import Round, Shoe, load_game, settle
from combinat.analysis.odds import one_round_analysis
from combinat.cli.app import COMMANDS, imported
from combinat.cli.usage import RULE_BOOKS_ODDS
from combinat.rules.odds import Odds
from tests.conftest import VOCABULARY, Run
from tests.documents import NONCOMMISSION_2025

SHOE = Shoe.of_decks(8)
LINE = "tiger:three cards"
ON_THE_LINE = ["--player", "K K 5", "--banker", "2 K 4"]


def test_one_line_is_changed_and_the_others_stay() -> None:
    game = load_game(NONCOMMISSION_2025)
    for odds, net in {"24 to 1": Fraction(24), "push": Fraction(0), "lose": Fraction(-1)}.items():
        other = game.paying({LINE: [Odds.parse(odds)]})
        assert [pay.odds.net for pay in other.bet("tiger").pays] == [12, net]
        assert [bet for bet in other.bets if bet.id != "tiger"] == [
            bet for bet in game.bets if bet.id != "tiger"
        ]
        ways = 12 * 186173936904192 + net * 83058367551488
        lost = 4998398275503360 - 186173936904192 - 83058367551488
        value = one_round_analysis(other, SHOE).bet("tiger").expected_value
        assert value == Fraction(ways - lost, 4998398275503360)


def test_a_whole_bet_comes_before_its_lines_and_a_push_can_be_made_to_pay() -> None:
    game = load_game(NONCOMMISSION_2025)
    tried = {LINE: [Odds.parse("push")], "tiger": [Odds.parse("13 to 1"), Odds.parse("21 to 1")]}
    assert [pay.odds for pay in game.paying(tried).bet("tiger").pays] == ["13 to 1", "push"]
    paid = game.paying({"player:tie": [Odds.parse("1 to 2")]}).bet("player")
    assert [pay.odds for pay in paid.pays] == ["1 to 1", "1 to 2"]


def test_a_commission_is_part_of_the_odds_that_are_replaced() -> None:
    for name in ("banker-less-4", "banker-less-4:Banker wins"):
        bet = load_game(VOCABULARY).paying({name: [Odds.parse("1 to 1")]}).bet("banker-less-4")
        assert bet.pays[0].odds.net == 1


@pytest.mark.parametrize(
    "words",
    [
        ["odds", NONCOMMISSION_2025, "--bet", "tiger"],
        ["solve", NONCOMMISSION_2025, "tiger", "--edge", "9%"],
        ["round", NONCOMMISSION_2025, "--player", "5 K", "--banker", "K 6"],
        ["removal", NONCOMMISSION_2025, "--bet", "tiger"],
        ["count", NONCOMMISSION_2025, "tiger", "--tags", "6=-3 7=1 8=1 9=1", "--left", "104"],
        pytest.param(["formula", NONCOMMISSION_2025, "tiger", "--decks", "8"], marks=pytest.mark.full),
        pytest.param(
            ["perfect", NONCOMMISSION_2025, "--bet", "tiger", "--left", "52", "--ceilings"],
            marks=pytest.mark.full,
        ),
        ["exposure", NONCOMMISSION_2025, "--stake", "tiger=5"],
        ["settle", NONCOMMISSION_2025, *ON_THE_LINE, "--stake", "tiger=5"],
        ["settle", NONCOMMISSION_2025, *ON_THE_LINE],
        ["ruling", NONCOMMISSION_2025, "--incident", "technical-interruption", "--cards", "5 2 K 4"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_that_tries_odds_says_so(run: Run, words: list[str]) -> None:
    trying = [*words, "--pays", f"{LINE}=24 to 1"]
    assert "Not the document's odds: tiger:three cards at 24 to 1" in run(*trying).output()
    record, plain = (run(*each, "--format", "json").document() for each in (trying, words))
    assert record.pop("pays") == {LINE: ["24 to 1"]}
    assert record != plain
    assert "pays" not in plain


def test_the_round_itself_pays_what_is_tried() -> None:
    dealt = Round.parse("K K 5", "2 K 4")
    for odds, net in {"20 to 1": 100, "24 to 1": 120, "push": 0}.items():
        assert settle(load_game(NONCOMMISSION_2025).paying({LINE: odds}), dealt, {"tiger": 5}).net == net


def test_every_row_of_a_batch_says_what_is_tried(run: Run, tmp_path: Path) -> None:
    shoes = tmp_path / "shoes.csv"
    shoes.write_text("removed\nA\nK\n", "ascii")
    tried = ("--pays", f"{LINE}=push", "--pays", "tiger=13 to 1,21 to 1")
    words = ("evaluate", NONCOMMISSION_2025, "--shoes", str(shoes))
    rows = list(csv.DictReader(io.StringIO(run(*words, *tried).out)))
    assert [row["pays_tried"] for row in rows] == [f"{LINE} at push; tiger at 13 to 1, 21 to 1"] * 2
    (plain, _) = csv.DictReader(io.StringIO(run(*words).out))
    assert [*rows[0]] == [*plain, "pays_tried"]
    assert {column for column in plain if rows[0][column] != plain[column]} == {"tiger", "tiger_decimal"}
    other = load_game(NONCOMMISSION_2025).paying({"tiger": ["13 to 1", "push"]})
    assert rows[1]["tiger"] == str(one_round_analysis(other, SHOE.minus("K")).bet("tiger").expected_value)


def test_a_whole_table_says_it_too(run: Run) -> None:
    tried = ("--pays", f"{LINE}=24 to 1")
    table = run("table", NONCOMMISSION_2025, "docs/open-table.toml", *tried).output()
    assert "Not the document's odds: tiger:three cards at 24 to 1" in table


def test_a_command_that_reads_odds_takes_them_or_says_why_not() -> None:
    """The commands without a game aside."""
    for command in set(COMMANDS) - {"games", "new", "keygen", "doctor"}:
        takes = any(option.opts == ["--pays"] for option in imported(command).params)
        assert takes != (command in RULE_BOOKS_ODDS), command
