"""The gallery of well-known side bets: every file loads, and what is published of it holds."""

import re
from pathlib import Path

import pytest

from combinat import Shoe, load_game
from combinat.analysis.coverage import coverage, expectations
from combinat.analysis.odds import one_round_analysis
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "rule-books.md").read_text("utf-8")
FILES = sorted((ROOT / "docs" / "gallery").glob("*.toml"))

FIGURES = {"big-and-small": 6, "dragon-bonus": 24, "egalite": 20, "ez-baccarat": 9, "lucky-6": 5}
"""How many published figures each file states."""

WAYS = {
    ("ez-baccarat", "dragon-7", "wins"): 112633011329024,
    ("ez-baccarat", "panda-8", "wins"): 172660763262976,
    ("dragon-bonus", "player-dragon-bonus", "by 9"): 18409431764992,
    ("dragon-bonus", "banker-dragon-bonus", "natural tie"): 89325908267520,
    ("lucky-6", "lucky-6-stingy", "two cards"): 186173936904192,
    ("lucky-6", "lucky-6-stingy", "three cards"): 83058367551488,
    ("egalite", "egalite-7", "wins"): 101717538899968,
    ("big-and-small", "small", "wins"): 1893735611458560,
}
"""8 decks, as wizardofodds.com prints them, in full."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_published_of_a_bet_holds(path: Path) -> None:
    game = load_game(path)
    figures = expectations(game)
    assert len(figures) == FIGURES[path.stem]
    assert [one.stated for one in figures if not one.is_met] == []
    analysis = one_round_analysis(game, Shoe.of_decks(8))
    for (book, bet, line), ways in WAYS.items():
        if book == path.stem:
            (outcome,) = [each for each in analysis.bet(bet).outcomes if each.name == line]
            assert outcome.ways == ways
    assert all(bet.cautions == () for bet in coverage(game, Shoe.of_decks(8)).bets)


def test_the_page_names_every_file() -> None:
    assert sorted(re.findall(r"\]\(gallery/(.*?)\.toml\)", PAGE)) == sorted(FIGURES)
