"""Faults of other people's dealers, each caught at a size at which it used to pass; and right ones that are not."""

from collections.abc import Sequence

import numpy as np
import pytest

from combinat import Shoe, load_game
from combinat.analysis.verdict import Evidence, Verdict, Word
from combinat.audit import serial
from combinat.audit.verdict import verdict_of_bytes
from combinat.rules.book.load import RuleBook, load_rule_book
from combinat.simulate.cell import cells
from combinat.simulate.dealer import MOST_BURNT, ThirdCardRules
from combinat.simulate.simulation import Batch
from tests.dealing import (
    Row,
    chosen_rows,
    log_text,
    points,
    rounds_of_their_own,
    shoe_log_text,
    texts,
    whole_shoes,
)
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025

BOOK = load_rule_book(COMMISSION_2013)


def judged(rows: Sequence[Row], book: RuleBook = BOOK) -> Verdict:
    return verdict_of_bytes("log.csv", log_text(rows, game=book.game.id).encode(), book)


def judged_shoes(shoes: Sequence[Sequence[Row]], head: str = "# decks: 8\n# cut-card: 14\n") -> Verdict:
    return verdict_of_bytes("log.csv", shoe_log_text(shoes, head).encode(), BOOK)


def dealt_from(cards: "np.typing.NDArray[np.int64]") -> list[Row]:
    """Rounds dealt from these cards, six a row, in the order in which they leave the shoe."""
    dealt = ThirdCardRules.of(BOOK.game).dealt(tuple(cards.astype(np.uint8).T))
    return texts(Batch(dealt, cells(dealt), None))


def failed(verdict: Verdict) -> set[Evidence]:
    assert verdict.judgement is not None
    return {test.kind for test in verdict.judgement.failed}


def test_right_rounds_are_not_condemned() -> None:
    """Nor are right shoes: below, beside those that are cut short."""
    verdict = judged(rounds_of_their_own(1, 12_000))
    assert verdict.word is Word.AGREES


def test_two_per_cent_of_rows_twice() -> None:
    rows = []
    for row, twice in zip(rounds_of_their_own(3, 4_000), chosen_rows(3, 4_000, 0.02), strict=True):
        rows += [row, row] if twice else [row]
    verdict = judged(rows)
    assert (verdict.word, Evidence.REPEATS in failed(verdict)) == (Word.DISAGREES, True)


def test_the_first_card_of_the_round_before_again() -> None:
    """In one round of twenty; seen in some 2,000 rounds."""
    six = np.random.default_rng(4).integers(0, 13, (2_500, 6))  # of so many decks that ranks are independent
    for number, copied in enumerate(chosen_rows(4, 2_499, 0.05), 1):
        if copied:
            six[number, 0] = six[number - 1, 0]
    rows = dealt_from(six)
    verdict = judged(rows)
    assert (verdict.word, Evidence.REPEATS in failed(verdict)) == (Word.DISAGREES, True)
    assert "player-first card and the player-first card of the round before" in verdict.reasons[0]


def test_a_shoe_that_repeats_the_one_before() -> None:
    """Both places are named, however few there are."""
    shoes = whole_shoes(5, 40)
    shoes[20] = shoes[19]
    verdict = judged_shoes(shoes)
    assert verdict.word is Word.DISAGREES
    assert verdict.judgement is not None
    (again,) = verdict.judgement.contradictions
    first = sum(len(rows) for rows in shoes[:19]) + 5  # after the head and the header
    assert again.kind is Evidence.REPEATS
    assert f"line {first} and line {first + len(shoes[19])}" in again.message


def test_rounds_taken_from_the_end_of_shoes_are_noticed() -> None:
    shoes = whole_shoes(6, 60)
    cut = [rows[:-6] if number % 5 == 0 else rows for number, rows in enumerate(shoes)]
    verdict = judged_shoes(cut)
    assert (verdict.word, verdict.reasons[0]) == (Word.DISAGREES, "12 of 60 shoes end before the cut card")
    assert judged_shoes(shoes).word is not Word.DISAGREES


def test_late_rounds_are_judged() -> None:
    """A dealer that swaps the last rounds of every shoe for others of a fresh shoe passes in the early ones."""
    shoes = whole_shoes(7, 150)
    for rows in shoes:
        rows[-4:] = [
            ("9 K", banker) if len(player.split()) == 2 == len(banker.split()) else (player, banker)
            for player, banker in rows[-4:]
        ]
    verdict = judged_shoes(shoes)
    assert verdict.word is Word.DISAGREES


@pytest.mark.parametrize("seed", range(4))
def test_an_absurd_shoe_does_not_condemn_a_right_dealer(seed: int) -> None:
    """Thirteen cards that are all worth nothing, and a cut card in their middle."""
    shoe = Shoe.parse("J=1 Q=6 K=6")
    shoes = whole_shoes(seed, 2_000, shoe, 6, burn=False)
    verdict = judged_shoes(shoes, head=f"# cards: {shoe}\n# cut-card: 6\n")
    assert verdict.word is not Word.DISAGREES, verdict.sentence


def test_nine_thousand_ties_are_no_chance() -> None:
    rows = [row for row in rounds_of_their_own(8, 20_000) if points(row[0]) == points(row[1])]
    verdict = judged(rows[:1_500])
    assert verdict.word is Word.DISAGREES


def test_few_rounds_condemn_and_do_not_acquit() -> None:
    verdict = judged(rounds_of_their_own(9, 1_500))
    assert verdict.word is Word.UNJUDGED
    assert "nothing was found against them" in verdict.sentence


def test_gaps_in_the_numbers_are_reported() -> None:
    lines = [
        f"{number + 3 * (number > 20)},{player},{banker}"
        for number, (player, banker) in enumerate(rounds_of_their_own(10, 50))
    ]
    text = f"# game: {COMMISSION_2013}\n# decks: 8\nround,player_cards,banker_cards\n" + "\n".join(lines)
    replay = verdict_of_bytes("log.csv", text.encode(), BOOK).replay
    assert replay is not None
    assert (replay.gaps, replay.missing) == (1, 3)
    assert [(gap.line, gap.message) for gap in replay.first_gaps] == [(25, "3 numbers are missing after 20")]


def test_dealing_with_replacement_shows_in_the_pairs() -> None:
    """The mean of Tiger Pair is judged, however skewed it is: its tail comes from the saddlepoint."""
    rows = dealt_from(np.random.default_rng(11).integers(0, 13, (60_000, 6)))
    game = load_rule_book(NONCOMMISSION_2025)
    verdict = judged(rows, game)
    assert verdict.judgement is not None
    means = {test.bet: test for test in verdict.judgement.tests if test.kind is Evidence.MEAN}
    assert "tiger-pair" in means
    assert all(bet.is_judged for bet in verdict.judgement.bets)


def test_the_burned_cards_are_among_those_left() -> None:
    """Nobody saw them: eleven at the most, and the shoe may end so many cards before the cut card."""
    shoes = whole_shoes(12, 30)
    assert any(416 - sum(len(f"{player} {banker}".split()) for player, banker in rows) > 14 for rows in shoes)
    replay = judged_shoes(shoes).replay
    assert replay is not None
    assert (replay.short_shoes, MOST_BURNT) == (0, 11)


def test_a_log_is_about_a_game() -> None:
    """What these tests deal is what the rule book deals."""
    assert load_game(COMMISSION_2013).table_of_play == load_game(NONCOMMISSION_2025).table_of_play


@pytest.mark.parametrize("most", [10**6, 40])
def test_stretches_are_known_again_however_the_log_is_cut(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a dictionary knows them; with room for few, of those that are kept."""
    monkeypatch.setattr(serial, "MOST_KEPT", most)
    hashes = np.random.default_rng(1).integers(0, 60, 300).astype(np.uint64)
    lines = np.arange(10, 310)
    kept, again = serial._Kept(), []
    for start, end in ((0, 1), (1, 120), (120, 120), (120, 300)):
        known, mine = kept.again(hashes[start:end], lines[start:end])
        again += list(zip(known.tolist(), mine.tolist(), strict=True))
    first: dict[int, int] = {}
    due = [
        (first.setdefault(one, line), line) for one, line in zip(hashes.tolist(), lines.tolist(), strict=True)
    ]
    due = [(known, line) for known, line in due if known != line]
    if most > 60:
        assert again == due
    else:
        assert set(again) < set(due)
        assert len(again) > 50
