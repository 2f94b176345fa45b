"""Faults of other people's dealers, each caught at a size at which it used to pass; and right ones that are not."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from combinat import Shoe, load_game
from combinat.analysis.verdict import Evidence, Verdict, Word
from combinat.audit.verdict import verdict_of_bytes
from combinat.rules.cards import RANKS, Rank, format_cards
from combinat.rules.round import Round
from combinat.rules.rulebook import RuleBook, load_rule_book
from combinat.simulate.dealer import MOST_BURNT
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025

BOOK = load_rule_book(COMMISSION_2013)
Row = tuple[Sequence[Rank], Sequence[Rank]]


def dealt_from(cards: list[Rank]) -> Row:
    """A round from the top of these cards, which it takes away."""
    one = Round()
    while not one.is_over:
        one = one.with_card(cards.pop())
    return one.player, one.banker


def fresh(chance: random.Random, shoe: Shoe) -> list[Rank]:
    cards = [rank for rank, count in zip(RANKS, shoe.counts, strict=True) for _ in range(count)]
    chance.shuffle(cards)
    return cards


def rounds_of_their_own(chance: random.Random, count: int, shoe: Shoe) -> list[Row]:
    cards = [rank for rank, held in zip(RANKS, shoe.counts, strict=True) for _ in range(held)]
    return [dealt_from(chance.sample(cards, 6)) for _ in range(count)]


def whole_shoes(
    chance: random.Random, shoes: int, shoe: Shoe, cut: int, burn: bool = True
) -> list[list[Row]]:
    dealt = []
    for _ in range(shoes):
        cards = fresh(chance, shoe)
        if burn:
            value = cards.pop().points or 10
            del cards[-value:]
        rows = []
        while len(cards) > cut:
            rows.append(dealt_from(cards))
        dealt.append(rows)
    return dealt


def judged(rows: Sequence[Row], book: RuleBook = BOOK, head: str = "# decks: 8\n") -> Verdict:
    lines = [
        f"{number},{format_cards(player)},{format_cards(banker)}"
        for number, (player, banker) in enumerate(rows)
    ]
    text = f"# game: {book.game.id}\n{head}round,player_cards,banker_cards\n" + "\n".join(lines)
    return verdict_of_bytes("log.csv", text.encode(), book)


def judged_shoes(shoes: Sequence[Sequence[Row]], head: str = "# decks: 8\n# cut-card: 14\n") -> Verdict:
    lines, number = [], 0
    for shoe, rows in enumerate(shoes):
        for player, banker in rows:
            number += 1
            lines.append(f"{number},{shoe},{format_cards(player)},{format_cards(banker)}")
    text = f"# game: {COMMISSION_2013}\n{head}round,shoe,player_cards,banker_cards\n" + "\n".join(lines)
    return verdict_of_bytes("log.csv", text.encode(), BOOK)


def failed(verdict: Verdict) -> set[Evidence]:
    assert verdict.judgement is not None
    return {test.kind for test in verdict.judgement.failed}


EIGHT = Shoe.of_decks(8)


def test_right_rounds_are_not_condemned() -> None:
    verdict = judged(rounds_of_their_own(random.Random(1), 12_000, EIGHT))
    assert verdict.word is Word.AGREES
    shoes = judged_shoes(whole_shoes(random.Random(2), 160, EIGHT, 14))
    assert (shoes.word, shoes.rounds > 10_000) == (Word.AGREES, True)


def test_two_per_cent_of_rows_twice() -> None:
    chance = random.Random(3)
    rows = []
    for row in rounds_of_their_own(chance, 4_000, EIGHT):
        rows += [row, row] if chance.random() < 0.02 else [row]
    verdict = judged(rows)
    assert (verdict.word, Evidence.REPEATS in failed(verdict)) == (Word.DISAGREES, True)


def test_the_first_card_of_the_round_before_again() -> None:
    """In one round of twenty; seen in some 2,000 rounds."""
    chance = random.Random(4)
    cards = [rank for rank, held in zip(RANKS, EIGHT.counts, strict=True) for _ in range(held)]
    rows: list[Row] = []
    for _ in range(2_500):
        six = chance.sample(cards, 6)
        if rows and chance.random() < 0.05:
            six[-1] = rows[-1][0][0]
        rows.append(dealt_from(six))
    verdict = judged(rows)
    assert (verdict.word, Evidence.REPEATS in failed(verdict)) == (Word.DISAGREES, True)
    assert "player-first card and the player-first card of the round before" in verdict.reasons[0]


def test_a_shoe_that_repeats_the_one_before() -> None:
    """Both places are named, however few there are."""
    shoes = whole_shoes(random.Random(5), 40, EIGHT, 14)
    shoes[20] = shoes[19]
    verdict = judged_shoes(shoes)
    assert verdict.word is Word.DISAGREES
    assert verdict.judgement is not None
    (again,) = verdict.judgement.contradictions
    first = sum(len(rows) for rows in shoes[:19]) + 5  # after the head and the header
    assert again.kind is Evidence.REPEATS
    assert f"line {first} and line {first + len(shoes[19])}" in again.message


def test_rounds_taken_from_the_end_of_shoes_are_noticed() -> None:
    shoes = whole_shoes(random.Random(6), 60, EIGHT, 14)
    cut = [rows[:-6] if number % 5 == 0 else rows for number, rows in enumerate(shoes)]
    verdict = judged_shoes(cut)
    assert (verdict.word, verdict.reasons[0]) == (Word.DISAGREES, "12 of 60 shoes end before the cut card")
    assert judged_shoes(shoes).word is not Word.DISAGREES


def test_late_rounds_are_judged() -> None:
    """A dealer that swaps the last rounds of every shoe for others of a fresh shoe passes in the early ones."""
    chance = random.Random(7)
    shoes = whole_shoes(chance, 150, EIGHT, 14)
    nine = (Rank.NINE, Rank.KING)
    for rows in shoes:
        rows[-4:] = [
            (nine, dealt[1]) if len(dealt[0]) == 2 == len(dealt[1]) else dealt for dealt in rows[-4:]
        ]
    verdict = judged_shoes(shoes)
    assert verdict.word is Word.DISAGREES


@pytest.mark.parametrize("seed", range(4))
def test_an_absurd_shoe_does_not_condemn_a_right_dealer(seed: int) -> None:
    """Thirteen cards that are all worth nothing, and a cut card in their middle."""
    shoe = Shoe.parse("J=1 Q=6 K=6")
    shoes = whole_shoes(random.Random(seed), 2_000, shoe, 6, burn=False)
    verdict = judged_shoes(shoes, head=f"# cards: {shoe}\n# cut-card: 6\n")
    assert verdict.word is not Word.DISAGREES, verdict.sentence


def test_nine_thousand_ties_are_no_chance() -> None:
    rows = [row for row in rounds_of_their_own(random.Random(8), 20_000, EIGHT)
            if sum(card.points for card in row[0]) % 10 == sum(card.points for card in row[1]) % 10]  # fmt: skip
    verdict = judged(rows[:1_500])
    assert verdict.word is Word.DISAGREES


def test_few_rounds_condemn_and_do_not_acquit() -> None:
    verdict = judged(rounds_of_their_own(random.Random(9), 1_500, EIGHT))
    assert verdict.word is Word.UNJUDGED
    assert "nothing was found against them" in verdict.sentence


def test_gaps_in_the_numbers_are_reported() -> None:
    rows = rounds_of_their_own(random.Random(10), 50, EIGHT)
    lines = [
        f"{number + 3 * (number > 20)},{format_cards(player)},{format_cards(banker)}"
        for number, (player, banker) in enumerate(rows)
    ]
    text = f"# game: {COMMISSION_2013}\n# decks: 8\nround,player_cards,banker_cards\n" + "\n".join(lines)
    replay = verdict_of_bytes("log.csv", text.encode(), BOOK).replay
    assert replay is not None
    assert (replay.gaps, replay.missing) == (1, 3)
    assert [(gap.line, gap.message) for gap in replay.first_gaps] == [(25, "3 numbers are missing after 20")]


def test_dealing_with_replacement_shows_in_the_pairs() -> None:
    """The mean of Tiger Pair is judged, however skewed it is: its tail comes from the saddlepoint."""
    chance = random.Random(11)
    rows = [dealt_from(chance.choices(RANKS, k=6)) for _ in range(60_000)]
    game = load_rule_book(NONCOMMISSION_2025)
    verdict = judged(rows, game)
    assert verdict.judgement is not None
    means = {test.bet: test for test in verdict.judgement.tests if test.kind is Evidence.MEAN}
    assert "tiger-pair" in means
    assert all(bet.is_judged for bet in verdict.judgement.bets)


def test_the_burned_cards_are_among_those_left() -> None:
    """Nobody saw them: eleven at the most, and the shoe may end so many cards before the cut card."""
    shoes = whole_shoes(random.Random(12), 30, EIGHT, 14)
    assert any(416 - sum(len(player) + len(banker) for player, banker in rows) > 14 for rows in shoes)
    replay = judged_shoes(shoes).replay
    assert replay is not None
    assert (replay.short_shoes, MOST_BURNT) == (0, 11)


def test_a_log_is_about_a_game(tmp_path: Path) -> None:
    """What these tests deal is what the rule book deals."""
    assert load_game(COMMISSION_2013).table_of_play == load_game(NONCOMMISSION_2025).table_of_play
