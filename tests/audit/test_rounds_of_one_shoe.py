"""Counts of whole shoes: a right simulator agrees, on shoes that deal alike rounds too."""

import json
from pathlib import Path

import pytest

from combinat import Shoe, crosscheck, simulate

GAME = "tiger-buffalo-noncommission-2025"


@pytest.mark.parametrize(
    ("shoe", "cut_card"),
    [("J=1 Q=6 K=6", 6), (1, 14), (2, 14), (8, 14)],
    ids=["three ranks", "1 deck", "2 decks", "8 decks"],
)
def test_a_right_simulator_agrees_on_every_shoe(shoe: str | int, cut_card: int, tmp_path: Path) -> None:
    """Two rounds of one shoe are not independent: on three ranks they share a cell far more often."""
    cards = Shoe.parse(shoe) if isinstance(shoe, str) else Shoe.of_decks(shoe)
    counts = simulate(GAME, tmp_path / "counts.json", cards, rounds=400_000, cut_card=cut_card)
    judgement = crosscheck(counts, shoe=cards).judgement
    assert judgement is not None
    assert judgement.agrees, judgement.failed


def test_counts_of_whole_shoes_need_no_cells(tmp_path: Path) -> None:
    counts = simulate(GAME, tmp_path / "counts.json", rounds=30_000, cut_card=14)
    document = json.loads(counts.read_text())
    del document["cells"]
    counts.write_text(json.dumps(document))
    judgement = crosscheck(counts).judgement
    assert judgement is not None
    assert {test.kind.value for test in judgement.tests} == {"cards", "outcome", "mean"}
