"""The register that the checker derives is the producer's, under the document's readings and under others."""

import tomllib
from typing import Any

import pytest

from combinat import Shoe, load_game
from combinat.analysis.readings import readings
from combinat.certify import checker
from combinat.engine.walk import walk
from tests.documents import COMMISSION_2013, COMMISSION_2024
from tests.paths import ROOT


@pytest.mark.parametrize(
    ("game_id", "followed"),
    [
        (COMMISSION_2013, []),
        (COMMISSION_2013, ["tied-bets-returned", "void-game-returns-bets"]),
        (COMMISSION_2013, ["cap-of-each-hand"]),
        (COMMISSION_2024, []),
    ],
)
def test_every_entry_is_derived_twice(game_id: str, followed: list[str]) -> None:
    book: dict[str, Any] = tomllib.loads((ROOT / "tables" / f"{game_id}.toml").read_text("utf-8"))
    game = load_game(game_id).reading(*followed)
    shoe = Shoe.of_decks(6)
    produced = {
        one.entry: [(each.subject.bet, each.subject.odds, str(each.measure), each.read, each.otherwise) for each in one.differences]
        for one in readings(game, shoe, walk(shoe, game.round()))
    }  # fmt: skip
    read = checker.game_read(book, followed)
    dealt = checker.Dealt(read, shoe.counts)
    for entry in book["interpretations"]:
        derived = checker.reading_entry(dealt, book, followed, entry)
        found = [
            (
                each["subject"]["bet"],
                each["subject"]["odds"],
                each["measure"],
                each["read"],
                each["otherwise"],
            )
            for each in derived["differences"]
        ]
        assert found == produced[entry["id"]], entry["id"]
