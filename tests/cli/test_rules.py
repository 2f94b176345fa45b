"""``combinat games`` and ``combinat rules``: every bet of every rule book, as JSON, as tables and as the file itself."""

import csv
import io
import re
from pathlib import Path

import pytest

from combinat import load_game
from tests.conftest import Run, asked
from tests.documents import BETS, COMMISSION_2013, GAMES, NONCOMMISSION_2025


@pytest.mark.parametrize("game_id", GAMES)
def test_rules_in_csv_are_one_table_at_a_time(run: Run, game_id: str) -> None:
    """The bets by default: each line of a pay table says whose it is. LaTeX has all tables."""
    ran = run("rules", game_id, "--format", "csv")
    header, *rows = csv.reader(io.StringIO(ran.out))
    assert (ran.code, header) == (0, ["bet", "outcome", "pays", "defined", "settled", "layouts"])
    lines = [(bet.id, bet.defined) for bet in load_game(game_id).bets for _ in bet.pays]
    assert [(row[0], row[3]) for row in rows] == lines
    others = len(re.findall(r"(?:: |, )\d+ ", ran.err))
    assert run("rules", game_id, "--format", "latex").output().count(r"\begin{tabular}") == others + 1


def test_rules_have_the_exact_net_beside_the_odds_and_when_a_line_pays(run: Run) -> None:
    bets = asked(run, "rules", NONCOMMISSION_2025)["bets"]
    assert [(pay["odds"], pay["net"]) for pay in bets[1]["pays"]] == [
        ("1 to 2", "1/2"),
        ("1 to 1", "1"),
        ("push", "0"),
    ]
    assert bets[1]["pays"][1]["banker_points"] == [0, 1, 2, 3, 4, 5, 7, 8, 9]
    assert bets[2]["pays"][0]["when"] == "the hands tie"
    assert asked(run, "rules", COMMISSION_2013)["bets"][1]["pays"][0]["net"] == "19/20"


def test_rules_as_toml_are_the_rule_book(run: Run, tmp_path: Path) -> None:
    copied = tmp_path / f"{COMMISSION_2013}.toml"
    copied.write_text(run("rules", COMMISSION_2013, "--format", "toml").output(), "utf-8")
    assert load_game(copied) == load_game(COMMISSION_2013)


APPENDIX_P = (
    "player banker tie banker-big-7 banker-small-7 player-big-7 player-small-7 tiger-pair tiger wu-dalang"
)


@pytest.mark.parametrize("layout", ["P", "p"])
def test_layout_p_of_2025_lists_exactly_the_ten_bets_of_appendix_p(run: Run, layout: str) -> None:
    book = asked(run, "rules", NONCOMMISSION_2025, "--layout", layout)
    assert " ".join(bet["id"] for bet in book["bets"]) == APPENDIX_P
    assert [(one["id"], one["positions"]) for one in book["layouts"]] == [("P", {"least": 1, "most": 6})]
    first_words = re.findall(
        r"^(\S+)  ", run("rules", NONCOMMISSION_2025, "--layout", layout).output(), re.MULTILINE
    )
    shown = [word for word in first_words if word in BETS[NONCOMMISSION_2025]]
    assert " ".join(shown) == " ".join([APPENDIX_P] * 3)  # what they pay, when they win, when each line pays
