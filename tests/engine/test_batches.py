"""Every way to count gives the same integers: walk, pairs, kernel, rows of numpy, Python integers, and the checker."""

import random
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from combinat import Evaluation, Game, Shoe, analyze, evaluate, load_game
from combinat.analysis.bets import bet_analysis
from combinat.analysis.insurance import insurance_analysis
from combinat.certify import checker
from combinat.engine import kernel
from combinat.engine.arrays import Array
from combinat.engine.distribution import falling
from combinat.engine.pairs import pair_distribution
from combinat.engine.walk import MOST_CARDS
from combinat.rules.book.find import rule_book_path
from combinat.rules.cards import RANKS
from combinat.rules.odds import Odds
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.games import loaded, walked
from tests.oracle.shoes import depleted_shoes, shoes_of_few_ranks, small_shoes
from tests.oracle.tables_of_play import PLAYABLE, VARIANTS, book_with
from tests.paths import BOOKS, PLAIN_BOOK

in_full = pytest.mark.full
"""The same promise for other games, tables and shoes."""


@pytest.fixture(autouse=True)
def walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each shoe is walked once for all the tests of this page."""
    monkeypatch.setattr("combinat.analysis.odds.walk", walked)
    monkeypatch.setattr("combinat.analysis.batch.walk", walked)


# ---------------------------------------------------------------- shoes


def dealt_shoe(cards: int, seed: int) -> Shoe:
    """So many cards drawn at random from eight decks."""
    drawn = random.Random(seed).sample([rank for rank in RANKS for _ in range(32)], cards)
    return Shoe(tuple(drawn.count(rank) for rank in RANKS))


def even_shoe(cards: int) -> Shoe:
    """So many cards, spread evenly over the ranks."""
    each, over = divmod(cards, 13)
    return Shoe(tuple(each + (number < over) for number in range(13)))


RANKS_MISSING = Shoe.parse("A=7 2=1 4=3 6=5 7=11 10=2 Q=9")
SOME_SHOES = [
    Shoe.of_decks(12),
    dealt_shoe(200, 1),
    RANKS_MISSING,
    Shoe.parse("10=3 J=1 Q=9 K=2"),
    *(dealt_shoe(cards, cards) for cards in range(3, 8)),
    Shoe.of_decks(10).minus("A 3 3 8 K"),  # over 2**53
    Shoe((10**9,) * 13),  # over 2**63
]
ALL_SHOES = [
    *SOME_SHOES,
    *(Shoe.of_decks(decks) for decks in range(1, 12)),
    *(dealt_shoe(cards, 2) for cards in (60, 150, 300)),
    *(Shoe.parse(cards) for cards in ("8=32", "A=20 9=20", "A=2 2=1 3=1 4=1", "4=2 K=1 Q=1")),
    *(dealt_shoe(cards, cards) for cards in (0, 1, 2, *range(8, 13))),
    *(Shoe((count,) + (1,) * 12) for count in (455, 456, 457)),
    *(Shoe.of_decks(decks).minus("A 3 3 8 K") for decks in (20, 28, 29, 1000)),
]


# ---------------------------------------------------------------- ways to count

WAYS = ("kernel", "rows of numpy", "Python integers")


@contextmanager
def counting_by(way: str) -> Iterator[None]:
    """Make ``evaluate`` count in one of its ways."""
    if way == "kernel" and not kernel.load():
        pytest.skip("numba is not installed: pip install '.[fast]'")
    loaded_kernel: dict[str, list[Any]] = {"rows of numpy": [None], "Python integers": []}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "_kernel", loaded_kernel.get(way, kernel._kernel))
        patch.setattr(kernel, "_few", [-kernel.FEW])
        yield


def integers(table: Array | None) -> Any:
    """An array as lists of Python integers: a float among them is a fault, whatever its value."""
    assert table is not None
    assert {type(value) for value in table.ravel().tolist()} <= {int}
    return table.tolist()


def batch_is_the_walks(game: Game, shoes: Sequence[Shoe]) -> Evaluation:
    """Every figure of a batch is that of the walk, shoe by shoe."""
    stakes = {bet.id: Fraction(number, 3) for number, bet in enumerate(game.bets, start=1)}
    counts = [shoe.counts for shoe in shoes]
    batch = evaluate(game, counts, insurance=True, outcomes=True, variance=True, stakes=stakes)
    tops, bottoms = integers(batch.numerators), integers(batch.denominators)
    lines, state_ways = integers(batch.outcome_ways), integers(batch.state_ways)
    for number, shoe in enumerate(shoes):
        analysis = analyze(game, shoe, by_recursion=True)
        assert integers(batch.sample_spaces)[number] == analysis.sample_space
        assert bottoms[number] == analysis.sample_space * batch.unit
        values = [bet.expected_value for bet in analysis.bets]
        assert [Fraction(top, bottoms[number]) for top in tops[number]] == values
        assert [batch.expected_value(number, bet) for bet in batch.bets] == values
        assert [batch.variance(number, bet.id) for bet in game.bets] == [
            bet.variance for bet in analysis.bets
        ]
        paid = zip(game.bets, analysis.bets, strict=True)
        assert lines[number] == [line.ways for bet, one in paid for line in one.outcomes[: len(bet.pays)]]
        assert batch.combined(number) == sum(stakes[bet.id] * bet.expected_value for bet in analysis.bets)
        assert batch.void(number) == analysis.void
        states = insurance_analysis(game, analysis.distribution)
        assert state_ways[number] == [state.ways for state in states]
        for state in states:
            assert batch.state_probability(number, state.state) == state.probability
            assert batch.state_expected_value(number, state.state) == state.expected_value
    return batch


# ---------------------------------------------------------------- the promise

BOOK_NAMES = [COMMISSION_2013, NONCOMMISSION_2025, "pairs-and-points", "new-vocabulary", *VARIANTS]
"""Rule books with and without insurance, with bets that only the walk counts, with every fact, and other Tables of Play."""


@cache
def book_of(name: str) -> Game:
    """A shipped rule book, one of the tests, or a small one with another Table of Play."""
    if name in VARIANTS:
        return book_with(VARIANTS[name][0], SMALL_BOOK if name in PLAYABLE else PLAIN_BOOK)
    return load_game(rule_book_path(name) if name in GAMES else BOOKS / f"{name}.toml")


def every_way_is_the_walks(shoe: Shoe, name: str) -> None:
    """Pairs, kernel, rows of numpy, Python integers and the checker, which shares no code with any of them."""
    game = book_of(name)
    by_walk, by_pairs = walked(shoe, game.round()), pair_distribution(shoe, game.table_of_play)
    for count in ("sample_space", "by_points", "results", "first_fours", "void"):
        assert getattr(by_pairs, count) == getattr(by_walk, count), count
    values = [bet_analysis(game, bet, by_walk).expected_value for bet in game.bets]
    assert [bet.expected_value for bet in analyze(game, shoe).bets] == values
    for way in WAYS[not kernel.is_available() :]:
        with counting_by(way):
            batch_is_the_walks(game, [shoe])
    if shoe.size >= MOST_CARDS:  # the checker always deals six cards
        stated = checker.CheckedGame(tomllib.loads(game.content.decode("utf-8")))
        dealt = checker.Dealt(stated, shoe.counts)
        assert [dealt.value(bet.id) for bet in game.bets] == values


few_cards = small_shoes(most=10)
"""Also void: of fewer than four cards, and of five that cannot always finish a round."""

any_shoe = st.one_of(
    *(few_cards, few_cards, few_cards, shoes_of_few_ranks(most=32)),
    depleted_shoes() | st.integers(1, 12).map(Shoe.of_decks),
)


@settings(max_examples=50)
@given(any_shoe, st.sampled_from(BOOK_NAMES))
@example(Shoe.of_decks(1), "Player draws on 6")
@example(Shoe.parse("A=2 7=1 9=1 10=1 Q=1 K=2"), "new-vocabulary")
@example(Shoe.parse("10=2 J=2 K=2"), "new-vocabulary")
@example(Shoe.parse("6=6"), "pairs-and-points")
@example(Shoe.parse("6=10"), "new-vocabulary")
@example(Shoe.of_decks(12), COMMISSION_2013)
@example(Shoe.of_decks(10).minus("A 3 3 8 K"), NONCOMMISSION_2025)  # over 2**53
@example(Shoe((10**9,) * 13), COMMISSION_2013)  # over 2**63
@example(Shoe((10**9,) * 13), "pairs-and-points")
def test_every_way_to_count_gives_the_same_integers(shoe: Shoe, name: str) -> None:
    every_way_is_the_walks(shoe, name)


@in_full
@pytest.mark.parametrize("name", BOOK_NAMES)
def test_every_way_to_count_gives_the_same_integers_on_all_shoes(name: str) -> None:
    for shoe in ALL_SHOES:
        every_way_is_the_walks(shoe, name)


@pytest.mark.parametrize("way", WAYS)
def test_shoes_of_every_kind_in_one_batch(way: str) -> None:
    with counting_by(way):
        batch_is_the_walks(loaded(COMMISSION_2013), SOME_SHOES)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "entry", ["unfinished-round-void", "insurance-needs-a-card-to-come", "player-insurance-tie-on-9"]
)
def test_a_batch_is_the_walks_under_another_reading(entry: str, way: str) -> None:
    game = loaded(COMMISSION_2013).reading(entry)
    with counting_by(way):
        batch = batch_is_the_walks(game, [RANKS_MISSING, *(dealt_shoe(cards, 7) for cards in range(4, 8))])
    assert any(batch.void(number) for number in range(len(batch)))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("odds", ["0.000000001 to 1", "999999999.999999999 to 0.000000001"])
def test_odds_of_any_size(odds: str, way: str) -> None:
    """The largest and smallest odds that a rule book can state, beside ordinary ones."""
    game = loaded(COMMISSION_2013).paying({"tie": [Odds.parse(odds)]})
    with counting_by(way):
        batch_is_the_walks(game, [Shoe.of_decks(8), dealt_shoe(8, 8), dealt_shoe(3, 3)])


# ---------------------------------------------------------------- exact, always


def last_int64(largest: int) -> int:
    """The most cards whose rounds, times the largest value of a round, stay below 2**63."""
    return max(cards for cards in range(6, 2000) if largest * falling(cards, 6) < 2**63)


PAIR = 220
"""The largest value of 2013, a pair at 11 to 1, in twentieths."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("cards", "dtype"), [(last_int64(PAIR), np.int64), (last_int64(PAIR) + 1, object)], ids=["last", "first"]
)
def test_int64_and_python_integers_meet_at_the_bound(cards: int, dtype: type, way: str) -> None:
    with counting_by(way):
        batch = batch_is_the_walks(loaded(COMMISSION_2013), [even_shoe(cards), even_shoe(20)])
    assert batch.numerators.dtype == dtype


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shoe", [even_shoe(last_int64(1)), Shoe((0,) * 12 + (last_int64(1),))], ids=str)
def test_sums_on_the_way_may_overflow(shoe: Shoe, way: str) -> None:
    """Of one rank, ``n * n * falling(n, 4)`` is over 2**63 where ``falling(n, 6)`` is not."""
    assert last_int64(1) == kernel.MOST_IN_LANES
    assert last_int64(1) ** 2 * falling(last_int64(1), 4) >= 2**63
    one_more = Shoe((*shoe.counts[:12], shoe.counts[12] + 1))
    with counting_by(way):
        batch_is_the_walks(loaded(NONCOMMISSION_2024), [shoe, one_more])


def test_one_large_shoe_does_not_change_the_others() -> None:
    game, small = loaded(COMMISSION_2013), [RANKS_MISSING.counts] * 1024
    alone, together = evaluate(game, small), evaluate(game, [*small, (1000,) * 13])
    assert alone.numerators.dtype == np.int64
    assert together.numerators.dtype == object
    assert integers(together.numerators)[:1024] == integers(alone.numerators)


@pytest.mark.parametrize("way", WAYS)
def test_every_shoe_keeps_its_place(way: str) -> None:
    """Over several chunks of several lanes, the last of them not full, with small shoes among them."""
    game, number = loaded(COMMISSION_2013), kernel.NUMPY_LANES + kernel.CHUNK + kernel.LANES + 3
    shoes = np.random.default_rng(4).integers(0, 9, size=(number if way != "Python integers" else 99, 13))
    shoes[[0, 70, -1]] = 0
    shoes[[1, -2], 1:] = 0
    with counting_by(way):
        whole, backwards = evaluate(game, shoes, outcomes=True), evaluate(game, shoes[::-1], outcomes=True)
    assert len({tuple(row) for row in shoes.tolist()}) > len(shoes) - 9
    assert integers(whole.numerators) == integers(backwards.numerators)[::-1]
    assert integers(whole.outcome_ways) == integers(backwards.outcome_ways)[::-1]
    some = [5, 63, 64, len(shoes) // 2, -3]
    assert integers(whole.numerators[some]) == integers(evaluate(game, shoes[some]).numerators)
