"""Other odds (``--pays``) and other readings: one game tried everywhere, and named in every document."""

import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest

from combinat import Round, load_game, settle
from combinat.analysis.odds import one_round_analysis
from combinat.cli.app import COMMANDS, imported
from combinat.rules.odds import Odds
from tests.conftest import VOCABULARY, Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025
from tests.games import EIGHT

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
        value = one_round_analysis(other, EIGHT).bet("tiger").expected_value
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


# ---------------------------------------------------------------- named in every document

TRIED = {"pays": {LINE: ["24 to 1"]}}
FOLLOWED = {"readings": ["pair-by-rank"]}
PAYS, READING = ("--pays", f"{LINE}=24 to 1"), ("--reading", "pair-by-rank")


@pytest.mark.parametrize(
    ("words", "provisos"),
    [
        (["odds", NONCOMMISSION_2025, "--bet", "tiger"], TRIED | FOLLOWED),
        (["odds", NONCOMMISSION_2025, "--decks", "7-8", "--bet", "tiger"], TRIED | FOLLOWED),
        (["insurance", COMMISSION_2013], FOLLOWED),
        (["insurance", COMMISSION_2013, "--decks", "8-8"], FOLLOWED),
        (["solve", NONCOMMISSION_2025, "tiger", "--edge", "9%"], FOLLOWED),
        (["round", NONCOMMISSION_2025, "--player", "5 K", "--banker", "K 6"], FOLLOWED),
        (["exposure", NONCOMMISSION_2025, "--stake", "tiger-pair=5"], FOLLOWED),
        (["settle", NONCOMMISSION_2025, *ON_THE_LINE], FOLLOWED),
        (
            ["ruling", NONCOMMISSION_2025, "--incident", "technical-interruption", "--cards", "5 2 K 4"],
            FOLLOWED,
        ),
        (["table", NONCOMMISSION_2025, "docs/open-table.toml"], FOLLOWED),
    ],
    ids=lambda part: " ".join(part[:1]) if isinstance(part, list) else "-".join(part),
)
def test_every_document_names_what_it_tries(run: Run, words: list[str], provisos: dict[str, object]) -> None:
    """The words for readings are among the approved outputs."""
    trying = [*words, *(PAYS if "pays" in provisos else ()), *(READING if "readings" in provisos else ())]
    assert ("Not the document's odds: tiger:three cards at 24 to 1" in run(*trying).output()) == (
        "pays" in provisos
    )
    record, plain = (run(*each, "--format", "json").document() for each in (trying, words))
    assert {key: record.pop(key) for key in provisos} == provisos
    assert record != plain or words[0] not in ("odds", "exposure")  # the others state no figure of a pair
    assert not {"pays", "readings"} & plain.keys()


def test_every_row_of_a_batch_names_what_is_tried(run: Run, tmp_path: Path) -> None:
    shoes, out = tmp_path / "shoes.csv", str(tmp_path / "values.csv")
    shoes.write_text("removed\nA\nK\n", "ascii")
    words = ("evaluate", NONCOMMISSION_2025, "--shoes", str(shoes))
    tried = ("--pays", f"{LINE}=push", "--pays", "tiger=13 to 1,21 to 1", *READING)
    plain, rows = (list(csv.DictReader(io.StringIO(run(*words, *more).out))) for more in ((), tried))
    assert rows[0].keys() - plain[0].keys() == {"pays_tried", "readings"}
    assert {(row["pays_tried"], row["readings"]) for row in rows} == {
        (f"{LINE} at push; tiger at 13 to 1, 21 to 1", "pair-by-rank")
    }
    changed = {column.removesuffix("_decimal") for column in plain[0] if rows[0][column] != plain[0][column]}
    assert changed == {"tiger", "tiger-pair", "player-pair", "banker-pair"}
    game = load_game(NONCOMMISSION_2025).paying({"tiger": ["13 to 1", "push"]}).reading("pair-by-rank")
    analysis = one_round_analysis(game, EIGHT.minus("K"))
    assert {bet: rows[1][bet] for bet in changed} == {
        bet: str(analysis.bet(bet).expected_value) for bet in changed
    }
    assert " ".join(run(*words, *READING, "--out", out).out.split()).endswith(
        "2 shoes under the other reading of pair-by-rank"
    )


def test_the_round_itself_pays_what_is_tried() -> None:
    dealt = Round.parse("K K 5", "2 K 4")
    for odds, net in {"20 to 1": 100, "24 to 1": 120, "push": 0}.items():
        assert settle(load_game(NONCOMMISSION_2025).paying({LINE: odds}), dealt, {"tiger": 5}).net == net


def test_a_command_without_other_odds_says_how_to_try_them(run: Run) -> None:
    for command in COMMANDS:
        if not any(option.opts == ["--pays"] for option in imported(command).params):
            assert run(command, "--pays", "tie=9 to 1").refusal().startswith("--pays: this command uses")
