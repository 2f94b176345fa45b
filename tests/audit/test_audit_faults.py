"""Faults of other people's dealers, each caught at a size at which it used to pass; and right ones that are not."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from combinat import Shoe, crosscheck, simulate
from combinat.audit.judging.crosscheck import verdict_of_bytes
from combinat.audit.reading import rows as log_rows
from combinat.audit.verdict import Evidence, FaultKind, Verdict, Word
from combinat.montecarlo.cell import cells
from combinat.montecarlo.dealer import ThirdCardRules
from combinat.montecarlo.simulation import Batch
from combinat.rules.book.load import load_game
from tests.audit.logs import GAME, judgement_of, replay_of
from tests.dealing import (
    Row,
    chosen_rows,
    log_text,
    rounds_of_their_own,
    shoe_log_text,
    texts,
    whole_shoes,
)
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025
from tests.oracle.dealer import total


def judged(text: str, game: str = COMMISSION_2013) -> Verdict:
    return verdict_of_bytes("log.csv", text.encode(), load_game(game))


def dealt_from(cards: "np.typing.NDArray[np.int64]") -> list[Row]:
    """Rounds dealt from these cards, six a row, in the order in which they leave the shoe."""
    dealt = ThirdCardRules.of(GAME).dealt(tuple(cards.astype(np.uint8).T))
    return texts(Batch(dealt, cells(dealt), None))


# ---------------------------------------------------------------- right dealers


def test_an_absurd_shoe_does_not_condemn_a_right_dealer(tmp_path: Path) -> None:
    """Thirteen cards that are all worth nothing, and a cut card in their middle."""
    shoe = Shoe.parse("J=1 Q=6 K=6")
    shoes = whole_shoes(1, 2_000, shoe, 6, burn=False)
    path = tmp_path / "log.csv"
    path.write_text(shoe_log_text(shoes, head=f"# cards: {shoe}\n# cut-card: 6\n"))
    verdict = crosscheck(path, shoe=shoe)
    assert verdict.word is not Word.DISAGREES, verdict.sentence


@pytest.mark.parametrize(
    ("game", "shoe", "cut_card"),
    [
        (NONCOMMISSION_2025, "J=1 Q=6 K=6", 6),
        (NONCOMMISSION_2025, "A=70 4=30 6=50 9=60 10=20 Q=90", 14),
        (COMMISSION_2013, "A=31 2=9 5=1 6=21 8=30 9=17 10=26", None),
        *(pytest.param(NONCOMMISSION_2025, decks, 14, marks=pytest.mark.full) for decks in (8, 1, 2)),
    ],
    ids=["three ranks", "ranks missing", "depleted", "8 decks", "1 deck", "2 decks"],
)
def test_counts_of_a_right_simulator_agree_on_every_shoe(
    game: str, shoe: str | int, cut_card: int | None, tmp_path: Path
) -> None:
    """Two rounds of one shoe are not independent: on three ranks they share a cell far more often."""
    cards = Shoe.parse(shoe) if isinstance(shoe, str) else Shoe.of_decks(shoe)
    rounds = 400_000 if shoe in ("J=1 Q=6 K=6", 8, 1, 2) else 15_000
    counts = simulate(game, tmp_path / "sim.json", cards, rounds=rounds, cut_card=cut_card)
    judgement = judgement_of(crosscheck(counts, shoe=cards))
    assert judgement.agrees, judgement.failed
    families = {"omnibus", "outcome", "mean", "cards"} | ({"repeats"} if cut_card is None else set())
    assert shoe == "J=1 Q=6 K=6" or {test.kind.value for test in judgement.tests} == families
    document = json.loads(counts.read_text())
    del document["cells"]  # which counts of whole shoes need not have
    counts.write_text(json.dumps(document))
    kinds = {test.kind.value for test in judgement_of(crosscheck(counts, shoe=cards)).tests}
    assert {"cards"} <= kinds <= families - {"omnibus"}


def test_the_burned_cards_are_among_those_left() -> None:
    """Nobody saw them: the shoe may end so many cards before the cut card."""
    shoes = whole_shoes(12, 30)
    assert any(416 - sum(len(f"{player} {banker}".split()) for player, banker in rows) > 14 for rows in shoes)
    verdict = judged(shoe_log_text(shoes))
    assert verdict.word is not Word.DISAGREES
    assert replay_of(verdict).short_shoes == 0


# ---------------------------------------------------------------- faults


def rows_twice() -> list[Row]:
    """Two per cent of rows twice."""
    pairs = zip(rounds_of_their_own(3, 4_000), chosen_rows(3, 4_000, 0.02), strict=True)
    return [row for row, twice in pairs for _ in range(1 + twice)]


def first_card_again() -> list[Row]:
    """The first card of the round before, in one round of twenty; of so many decks that ranks are independent."""
    six = np.random.default_rng(4).integers(0, 13, (2_500, 6))
    for number in 1 + np.flatnonzero(chosen_rows(4, 2_499, 0.05)):
        six[number, 0] = six[number - 1, 0]
    return dealt_from(six)


def ties_alone() -> list[Row]:
    return [
        row
        for row in rounds_of_their_own(8, 20_000)
        if total(tuple(row[0].split())) == total(tuple(row[1].split()))
    ][:1_500]


@pytest.mark.parametrize(
    ("rows", "named"),
    [(rows_twice, ""), (first_card_again, "player-first card of the round before"), (ties_alone, "")],
)
def test_rounds_with_a_fault_do_not_agree(rows: Callable[[], list[Row]], named: str) -> None:
    verdict = judged(log_text(rows()))
    assert verdict.word is Word.DISAGREES
    assert named in verdict.reasons[0]
    assert rows is ties_alone or Evidence.REPEATS in {test.kind for test in judgement_of(verdict).failed}


@pytest.mark.parametrize("batch", [None, pytest.param(5_000, marks=pytest.mark.full)])
def test_a_shoe_that_repeats_the_one_before(batch: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both places are named, however few there are and however the log is cut."""
    if batch:
        monkeypatch.setattr(log_rows, "BATCH_BYTES", batch)
    shoes = whole_shoes(5, 40)
    shoes[20] = shoes[19]
    (again,) = judgement_of(judged(shoe_log_text(shoes))).contradictions
    first = sum(len(rows) for rows in shoes[:19]) + 5  # after the head and the header
    assert again.kind is Evidence.REPEATS
    assert f"line {first} and line {first + len(shoes[19])}" in again.message


def test_rounds_taken_from_the_end_of_shoes_are_noticed() -> None:
    shoes = [rows[:-6] if number % 5 == 0 else rows for number, rows in enumerate(whole_shoes(6, 60))]
    verdict = judged(shoe_log_text(shoes))
    assert (verdict.word, verdict.reasons[0].split(" shoes")[0]) == (Word.DISAGREES, "12 of 60")


def test_late_rounds_are_judged() -> None:
    """A dealer that swaps the last rounds of every shoe for others of a fresh shoe passes in the early ones."""
    shoes = whole_shoes(7, 150)
    for rows in shoes:
        rows[-4:] = [("9 K", banker) if len(f"{player} {banker}".split()) == 4 else (player, banker)
                     for player, banker in rows[-4:]]  # fmt: skip
    assert judged(shoe_log_text(shoes)).word is Word.DISAGREES


def test_dealing_with_replacement_shows_in_the_pairs() -> None:
    """The outcomes of Tiger Pair are tested exactly, whose mean is too skewed for a normal tail."""
    rows = dealt_from(np.random.default_rng(11).integers(0, 13, (60_000, 6)))
    judgement = judgement_of(judged(log_text(rows, game=NONCOMMISSION_2025), NONCOMMISSION_2025))
    tested = {(test.bet, test.kind) for test in judgement.tests}
    assert ("tiger-pair", Evidence.OUTCOME) in tested
    assert judgement["tiger-pair"].z is None


def test_gaps_in_the_numbers_are_reported() -> None:
    lines = log_text(rounds_of_their_own(10, 50)).splitlines()
    del lines[24:27]
    replay = replay_of(judged("\n".join(lines) + "\n"))
    assert (
        replay.counts[FaultKind.GAP],
        replay.missing,
        [gap.line for gap in replay.first[FaultKind.GAP]],
    ) == (1, 3, [25])
