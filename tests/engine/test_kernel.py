"""The kernel: equal to the compiled form, the recursion and the checker, on every sort of shoe; and how it is had."""

import random
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Sequence
from errno import ENOSPC
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from combinat import Evaluation, Game, Shoe, analyze, load_game
from combinat.analysis.bets import bet_analysis
from combinat.analysis.evaluate import evaluate, products
from combinat.analysis.identities import Law, identities
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.joint import combination
from combinat.analysis.plan import plan_of, squares_of
from combinat.analysis.what_if import with_odds
from combinat.certify import checker
from combinat.engine import kernel
from combinat.engine.distribution import Course, falling, result
from combinat.engine.multisets import Array, Ints
from combinat.engine.pair_program import Question
from combinat.engine.pairs import RANKS_WORTH, pair_distribution
from combinat.engine.polynomial import Polynomial, by_points
from combinat.engine.program import Values
from combinat.engine.walk import MOST_CARDS, walk
from combinat.errors import CombinatError, NotInGameError, ShoeError, StakeError
from combinat.rules.accepted import NumberSet, PairsSet, WinnerSet
from combinat.rules.bet import Bet, Pay
from combinat.rules.cards import RANKS
from combinat.rules.odds import Odds, PointSet
from combinat.rules.outcome import Pairs, Winner
from combinat.rules.round import Round
from combinat.rules.rulebook import rule_book_path
from combinat.rules.table_of_play import TABLE_OF_PLAY, TableOfPlay
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, GAMES, NONCOMMISSION_2025
from tests.engine.test_engine import depleted_shoes, small_shoes
from tests.oracle import second_opinion
from tests.oracle.tables_of_play import PLAIN_BOOK, PLAYABLE, VARIANTS, book_with, game_of
from tests.paths import ROOT

LOADED, WALKED = cache(load_game), cache(walk)

needs_numba = pytest.mark.skipif(
    not kernel.is_available(), reason="numba is not installed: pip install 'combinat[fast]'"
)


in_full = pytest.mark.full
"""What is much the same again, for other games, tables and shoes: ``make slow M=full`` goes through all of it."""

SOME_GAMES = [COMMISSION_2013, NONCOMMISSION_2025]
"""With insurance, and with the most bets."""

EVERY_GAME = [
    pytest.param(game_id, marks=() if game_id in SOME_GAMES else in_full, id=game_id) for game_id in GAMES
]


@pytest.fixture(autouse=True)
def walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each shoe is walked once for all the tests of this page."""
    monkeypatch.setattr("combinat.analysis.analysis.walk", WALKED)
    monkeypatch.setattr("combinat.analysis.plan.walk", WALKED)


def random_shoes(number: int, seed: int, left: Callable[[random.Random], int]) -> list[Shoe]:
    """What is left of eight decks once some cards are dealt."""
    chosen, pack, shoes = random.Random(seed), [rank for rank in RANKS for _ in range(32)], []
    for _ in range(number):
        dealt = chosen.sample(pack, left(chosen))
        shoes.append(Shoe(tuple(dealt.count(rank) for rank in RANKS)))
    return shoes


FRESH = [Shoe.of_decks(decks) for decks in range(1, 13)]
DEPLETED = random_shoes(3, 1, lambda chosen: chosen.randint(60, 416))
RANKS_MISSING = [
    Shoe.parse("A=7 2=1 4=3 6=5 7=11 10=2 Q=9"),
    Shoe.parse("8=32"),
    Shoe.parse("10=3 J=1 Q=9 K=2"),
    Shoe.parse("A=20 9=20"),
]
FEW_CARDS = [shoe for size in range(13) for shoe in random_shoes(1, size, lambda _, size=size: size)]  # type: ignore[misc]
OVER_2_TO_53 = [Shoe.of_decks(10).minus("A 3 3 8 K"), Shoe((456,) + (1,) * 12)]
OVER_2_TO_63 = [Shoe.of_decks(29).minus("A 3 3 8 K"), Shoe((10**9,) * 13)]
SHOES = [*FRESH, *DEPLETED, *RANKS_MISSING, *FEW_CARDS, *OVER_2_TO_53, *OVER_2_TO_63]
SOME_SHOES = [
    *(FRESH[11], DEPLETED[0], RANKS_MISSING[0], RANKS_MISSING[2], *FEW_CARDS[3:8]),
    *(OVER_2_TO_53[0], OVER_2_TO_63[1]),
]


def table_of(shoes: Sequence[Shoe], least: int = 6) -> Ints:
    return np.array([shoe.counts for shoe in shoes if shoe.size >= least], dtype=np.int64).reshape(-1, 13)


def joint_bet(bet_id: str, *pays: Pay) -> Bet:
    return Bet(
        id=bet_id, name=bet_id, about="Of this test.", defined="1", settled="1", layouts=("A",), pays=pays
    )


OWN_BETS = (
    joint_bet(
        "pair-and-points",
        Pay(player_pair=True, winner=WinnerSet({Winner.PLAYER}), player_points=PointSet(range(1, 8)), odds=Odds.parse("37 to 3")),
        Pay(pairs=PairsSet({Pairs.DOUBLE}), winner=WinnerSet({Winner.TIE}), cards=NumberSet({6}), odds=Odds.parse("1000 to 7")),
        Pay(banker_point_pair=True, banker_cards=NumberSet({2}), winner=WinnerSet({Winner.BANKER}), odds=Odds.parse("push")),
        Pay(pairs=PairsSet({Pairs.TWIN}), winner=WinnerSet({Winner.BANKER}), banker_cards=NumberSet({3}), odds=Odds.parse("88 to 1")),
    ),
    joint_bet(
        "points-or-pair",
        Pay(winner=WinnerSet({Winner.TIE}), pairs=PairsSet({Pairs.NONE}), odds=Odds.parse("9 to 1")),
        Pay(point_pairs=PairsSet({Pairs.TWIN}), pairs=PairsSet({Pairs.SINGLE}), odds=Odds.parse("20 to 1")),
    ),
    joint_bet("point-pair", Pay(point_pairs=PairsSet({Pairs.DOUBLE}), banker_pair=False, odds=Odds.parse("30 to 1"))),
    joint_bet("never", Pay(player_pair=True, player_cards=NumberSet({2}), player_points=PointSet({7}), odds=Odds.parse("5 to 1"))),
)  # fmt: skip


@cache
def own_game() -> Game:
    """A document with bets that look at pairs and points together, and at pairs by points."""
    game = LOADED(COMMISSION_2013)
    bets = (*game.bets, *OWN_BETS)
    return msgspec.structs.replace(game, bets=bets, insurance=(), insurance_terms=None)  # asked elsewhere


def same(*tables: Array) -> None:
    """Tables of equal integers; a float among them is a fault, whatever its value."""
    for table in tables:
        assert {type(value) for value in table.ravel().tolist()} <= {int}
        assert table.tolist() == tables[0].tolist()


# ---------------------------------------------------------------- equal to the compiled form, the recursion, the checker


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_every_way_to_fill_a_table_gives_the_same(game_id: str) -> None:
    """Bets, states, lines and squares: Python integers, the compiled form and, where there is numba, the kernel."""
    game = own_game() if game_id == "own" else LOADED(game_id)
    shoes = table_of(
        [*DEPLETED, *RANKS_MISSING, *FEW_CARDS, *OVER_2_TO_53, Shoe.of_decks(1), Shoe.of_decks(12)]
    )
    squares = [squares_of(game, 20)] if game_id == NONCOMMISSION_2025 else []
    for plan in (plan_of(game, game_id == COMMISSION_2013, True), *squares):
        tables = [kernel.in_integers(plan.question, TABLE_OF_PLAY, shoes), products(plan, shoes)]
        if kernel.load():
            tables.append(kernel.totals(plan.question, TABLE_OF_PLAY, shoes))
        same(*tables)


@in_full
def test_pairs_and_points_together_by_the_compiled_form_by_rank() -> None:
    plan, shoes = plan_of(own_game(), False, False), table_of([DEPLETED[0], RANKS_MISSING[2], FEW_CARDS[6]])
    tables = [kernel.in_integers(plan.question, TABLE_OF_PLAY, shoes), products(plan, shoes)]
    if kernel.load():
        tables.append(kernel.totals(plan.question, TABLE_OF_PLAY, shoes))
    same(*tables)


@pytest.mark.parametrize("shoes", [SOME_SHOES, pytest.param(SHOES, marks=in_full)], ids=["some", "all"])
def test_the_recursion_gives_the_same_on_every_sort_of_shoe(shoes: list[Shoe]) -> None:
    """Fresh shoes of 1 to 12 decks, depleted ones, ranks missing, 0 to 12 cards, over 2**53 and over 2**63."""
    batch_is_the_recursions(own_game(), shoes)


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_the_recursion_gives_the_same_for_the_documents(game_id: str) -> None:
    batch_is_the_recursions(
        LOADED(game_id), [Shoe.of_decks(8), *DEPLETED[:1], *FEW_CARDS[2:9], OVER_2_TO_63[0]]
    )


def batch_is_the_recursions(game: Game, shoes: Sequence[Shoe]) -> None:
    stakes = {bet.id: Fraction(number, 3) for number, bet in enumerate(game.bets, start=1)}
    counts = [shoe.counts for shoe in shoes]
    batch = evaluate(game, counts, insurance=True, outcomes=True, variance=True, stakes=stakes)
    assert batch.states == tuple(game.offers)
    assert batch.outcome_ways is not None
    for number, shoe in enumerate(shoes):
        analysis = analyze(game, shoe, by_recursion=True)
        assert int(batch.sample_spaces[number]) == analysis.sample_space
        assert int(batch.denominators[number]) == analysis.sample_space * batch.unit
        for bet in analysis.bets:
            assert batch.expected_value(number, bet.id) == bet.expected_value
            assert batch.variance(number, bet.id) == bet.variance
        lines = zip(game.bets, analysis.bets, strict=True)
        assert batch.outcome_ways[number].tolist() == [
            line.ways for bet, analysed in lines for line in analysed.outcomes[: len(bet.pays)]
        ]
        assert batch.combined(number) == sum(stakes[bet.id] * bet.expected_value for bet in analysis.bets)
        for state in insurance_analysis(game, analysis.distribution):
            assert batch.state_probability(number, state.state) == state.probability
            assert batch.state_expected_value(number, state.state) == state.expected_value


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_the_checker_gives_the_same(game_id: str) -> None:
    """It deals six cards always and shares nothing with the engine."""
    book = tomllib.loads(rule_book_path(game_id).read_text("utf-8"))
    shoes = [DEPLETED[1], Shoe.of_decks(10)]
    batch = evaluate(LOADED(game_id), [shoe.counts for shoe in shoes])
    for number, shoe in enumerate(shoes):
        wagers = checker.Dealt(checker.Game(book, {}), shoe.counts).wagers
        listed = list(wagers.values()) if isinstance(wagers, dict) else wagers
        assert [batch.expected_value(number, bet) for bet in batch.bets] == [
            wager.mean() for wager in listed[: len(batch.bets)]
        ]


def as_written(fact: object) -> object:
    """A fact as a line of a pay table states it."""
    if isinstance(fact, WinnerSet | PairsSet):
        return sorted(str(one) for one in fact)
    return str(fact) if isinstance(fact, str | PointSet | NumberSet) else fact


def as_stated(bet: Bet) -> dict[str, Any]:
    """A bet as a rule book states it."""
    pays = []
    for pay in bet.pays:
        stated = {
            name: value for name, value in msgspec.structs.asdict(pay).items() if value not in (None, "", ())
        }
        pays.append({name: as_written(fact) for name, fact in stated.items()})
        if len(bet.pays) > 1:
            pays[-1]["name"] = f"line {len(pays)}"
    named = {key: getattr(bet, key) for key in ("id", "name", "about", "defined", "settled")}
    return named | {"layouts": list(bet.layouts), "pays": pays}


def stated_books() -> dict[str, tuple[Game, dict[str, Any]]]:
    """Games with the TOML that states them: the documents, one with bets of our own, and other tables."""
    books = {
        game_id: (LOADED(game_id), tomllib.loads(rule_book_path(game_id).read_text("utf-8")))
        for game_id in GAMES
    }
    plain = tomllib.loads(rule_book_path(COMMISSION_2013).read_text("utf-8"))
    for key in ("insurance", "insurance_terms"):
        plain.pop(key)
    books["pairs and points"] = own_game(), plain | {"bets": [*plain["bets"], *map(as_stated, OWN_BETS)]}
    for name in VARIANTS:
        book = book_with(VARIANTS[name][0], SMALL_BOOK if name in PLAYABLE else PLAIN_BOOK)
        books[name] = book.game, tomllib.loads(book.content.decode("utf-8"))
    return books


@in_full
@pytest.mark.parametrize("name", [*GAMES, "pairs and points", *VARIANTS])
def test_the_checker_gives_the_same_on_every_sort_of_shoe(name: str) -> None:
    """Of six cards or more: it deals six always."""
    game, book = stated_books()[name]
    shoes = [shoe for shoe in SHOES if shoe.size >= MOST_CARDS]
    batch = evaluate(game, [shoe.counts for shoe in shoes])
    stated = checker.Game(book, {})
    for number, shoe in enumerate(shoes):
        values = checker.Dealt(stated, shoe.counts).values()
        assert [batch.expected_value(number, bet) for bet in batch.bets] == values, shoe


@settings(max_examples=10, deadline=None)
@given(st.lists(small_shoes(least=0, most=12), min_size=1, max_size=5))
@example([Shoe((0,) * 13), Shoe.parse("K=6"), Shoe.parse("A=2 2=1 3=1 4=1")])
def test_small_shoes(shoes: list[Shoe]) -> None:
    """Void rounds among them, in one batch with others."""
    game = own_game()
    batch = evaluate(game, [shoe.counts for shoe in shoes])
    for number, shoe in enumerate(shoes):
        assert [batch.expected_value(number, bet) for bet in batch.bets] == [
            bet.expected_value for bet in analyze(game, shoe, by_recursion=True).bets
        ]


def test_the_law_of_the_compiled_form_looks_at_the_compiled_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dossier states it: one wrong count there, and nothing is written, whichever way a batch takes."""
    analyses = {1: analyze(LOADED(COMMISSION_2013), Shoe.of_decks(1), by_recursion=True)}
    assert Law.COMPILED_FORM in {identity.law for identity in identities(analyses)}
    totals = Polynomial.totals
    monkeypatch.setattr(Polynomial, "totals", lambda self, counts: totals(self, counts) + 1)
    with pytest.raises(CombinatError, match=r"an identity fails at 1 decks, .* the compiled form gives"):
        identities(analyses)


# ---------------------------------------------------------------- another Table of Play


def random_table(seed: int) -> TableOfPlay:
    chosen = random.Random(seed)
    player = tuple(chosen.random() < 0.5 for _ in range(8))
    return TableOfPlay(player, tuple(tuple(chosen.random() < 0.5 for _ in range(11)) for _ in range(8)))


NOBODY_DRAWS = TableOfPlay((False,) * 8, ((False,) * 11,) * 8)
TABLES = {
    "any": random_table(1),
    "any other": random_table(2),
    "nobody draws": NOBODY_DRAWS,
    "all draw": TableOfPlay((True,) * 8, ((True,) * 11,) * 8),
}


@pytest.mark.parametrize(
    "name",
    ["any", "nobody draws", *(pytest.param(name, marks=in_full) for name in ("any other", "all draw"))],
)
def test_another_table_of_play(name: str) -> None:
    """The tables of the kernel are made from it; only the recursion is there to compare with."""
    table, game, shoes = TABLES[name], own_game(), [Shoe.of_decks(2), RANKS_MISSING[0], FEW_CARDS[9]]
    plan = plan_of(game, False, True)
    if kernel.load():
        totals = kernel.totals(plan.question, table, table_of(shoes))
        same(totals, kernel.in_integers(plan.question, table, table_of(shoes)))
    else:
        totals = kernel.in_integers(plan.question, table, table_of(shoes))
    for row, shoe in zip(totals.tolist(), shoes, strict=True):
        distribution = walk(shoe, Round(table=table))
        assert pair_distribution(shoe, table) == distribution
        assert pair_distribution(shoe, table).results == distribution.results
        assert pair_distribution(shoe, table).by_points == distribution.by_points
        analyses = [bet_analysis(game, bet, distribution) for bet in game.bets]
        assert row[: len(game.bets)] == [
            bet.expected_value * plan.unit * distribution.sample_space for bet in analyses
        ]


OTHER_WAYS = ("the products", "Python integers")


def test_the_table_of_play_is_not_written_in_the_kernel() -> None:
    """So the test above can fail."""
    question, shoes = plan_of(LOADED(COMMISSION_2013), False, False).question, table_of([Shoe.of_decks(1)])
    totals = [
        kernel.in_integers(question, table, shoes).tolist() for table in (TABLE_OF_PLAY, *TABLES.values())
    ]
    assert len({str(total) for total in totals}) == 1 + len(TABLES)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("way", ["the kernel", *(pytest.param(way, marks=in_full) for way in OTHER_WAYS)])
def test_a_rule_book_with_a_table_of_its_own(way: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another table, other naturals or none, stated in TOML: each way that a batch can take is the recursion's."""
    if way == "the kernel" and not kernel.load():
        pytest.skip("numba is not installed: pip install 'combinat[fast]'")
    taken: dict[str, list[Callable[..., Array] | None]] = {"the products": [None], "Python integers": []}
    monkeypatch.setattr(kernel, "_kernel", taken.get(way, kernel._kernel))
    monkeypatch.setattr(kernel, "_few", [-kernel.FEW])
    batch_is_the_recursions(game_of(name), [Shoe.of_decks(2), RANKS_MISSING[0], FEW_CARDS[9], FEW_CARDS[5]])


def test_the_books_with_tables_of_their_own_differ() -> None:
    """So the test above can fail: on one shoe, no two of them have the same ways."""
    ways = [evaluate(game_of(name), [[8] * 13], outcomes=True).outcome_ways for name in VARIANTS]
    assert len({str(listed[0, :2].tolist()) for listed in ways if listed is not None}) == len(VARIANTS)


# ---------------------------------------------------------------- one shoe, in plain integers


@pytest.mark.parametrize(
    "shoe", [*FRESH[::4], DEPLETED[0], *RANKS_MISSING, *FEW_CARDS, *OVER_2_TO_63], ids=str
)
def test_the_pair_distribution_is_the_walks(shoe: Shoe) -> None:
    """Every course with every match of the first four cards, void rounds too; and what is counted by itself."""
    counted, walked = pair_distribution(shoe, TABLE_OF_PLAY), WALKED(shoe)
    assert counted == walked
    for alone in ("by_points", "results", "first_fours", "outcomes", "void"):
        assert getattr(pair_distribution(shoe, TABLE_OF_PLAY), alone) == getattr(walked, alone), alone


@settings(max_examples=10, deadline=None)
@given(st.one_of(small_shoes(least=6, most=20), depleted_shoes()))
def test_the_pair_distribution_is_the_walks_on_any_shoe(shoe: Shoe) -> None:
    distribution, walked = pair_distribution(shoe, TABLE_OF_PLAY), walk(shoe)
    assert distribution == walked
    assert (distribution.by_points, distribution.first_fours) == (
        walked.by_points,
        walked.first_fours,
    )
    results = second_opinion.results(shoe.by_points)
    assert {tuple(ended)[:4]: ways for ended, ways in distribution.results.items()} == results


def test_one_rank_alone_is_worth_1_to_9_points_each() -> None:
    """Two equal cards that are not worth 0 are a pair by rank: both forms of the algorithm rely on it."""
    assert [len(ranks) for ranks in RANKS_WORTH] == [4] + [1] * 9


# ---------------------------------------------------------------- exact, always


def results_question() -> Question:
    """How often each result comes up: no value is larger than 1."""
    ended = sorted({result(course) for route in by_points(TABLE_OF_PLAY).routes if (course := route.course)})

    def value(course: Course) -> Values:
        return ((ended.index(result(course)), 1),)

    return Question(columns=len(ended), largest=1, courses=(cache(value),))


RESULTS = results_question()
MOST_ROUNDS = max(cards for cards in range(1400, 1500) if falling(cards, 6) < 2**63)


def even_shoe(size: int) -> Shoe:
    each, over = divmod(size, 13)
    return Shoe(tuple(each + (number < over) for number in range(13)))


def test_a_question_says_the_largest_value_of_any_path() -> None:
    """The bound is that number times the rounds: the compiled form, which looks at every path, has the same."""
    plans = [plan_of(LOADED(game_id), game_id == COMMISSION_2013, True) for game_id in GAMES]
    for plan in (*plans, plan_of(own_game(), False, False)):
        assert plan.question.largest == max(polynomial.largest for _, _, polynomial in plan.polynomials)


def test_the_bound_between_one_digit_several_and_python_integers() -> None:
    largest = 220  # a pair at 11 to 1, in twentieths
    assert kernel.digits_for(largest, 591) == kernel.ONE_DIGIT
    assert largest * falling(591, 6) < 2**63 <= largest * falling(592, 6)
    bits, digits = kernel.digits_for(largest, 592) or (0, 0)
    assert digits > 1
    assert 2 * largest < 2 ** (bits * digits)
    assert kernel.PARTS * 2**bits * falling(592, 6) < 2**63
    most = kernel.most_in_lanes(largest)
    assert kernel.digits_for(largest, most) is not None
    assert kernel.digits_for(largest, most + 1) is None
    assert kernel.most_in_lanes(1) == MOST_ROUNDS


@needs_numba
@pytest.mark.parametrize("cards", [591, 592, kernel.most_in_lanes(220), kernel.most_in_lanes(220) + 1])
def test_on_either_side_of_the_bound(cards: int) -> None:
    plan, shoes = plan_of(LOADED(COMMISSION_2013), False, False), table_of([even_shoe(cards), even_shoe(20)])
    assert kernel.load()
    totals = kernel.totals(plan.question, TABLE_OF_PLAY, shoes)
    assert totals.dtype == (np.int64 if cards == 591 else object)
    same(totals, kernel.in_integers(plan.question, TABLE_OF_PLAY, shoes))


@needs_numba
@pytest.mark.parametrize("shoe", [Shoe((0,) * 12 + (MOST_ROUNDS,)), even_shoe(MOST_ROUNDS)], ids=str)
def test_what_overflows_on_the_way_does_not_matter(shoe: Shoe) -> None:
    """Of one rank, ``n * n * falling(n, 4)`` is a step of the program, and over 2**63; its results are below."""
    assert MOST_ROUNDS**2 * falling(MOST_ROUNDS, 4) >= 2**63 > falling(MOST_ROUNDS, 6)
    assert kernel.load()
    shoes = table_of([shoe])
    totals = kernel.totals(RESULTS, TABLE_OF_PLAY, shoes)
    assert totals.dtype == np.int64
    assert sum(totals[0].tolist()) == falling(MOST_ROUNDS, 6)
    same(totals, kernel.in_integers(RESULTS, TABLE_OF_PLAY, shoes))


@needs_numba
def test_one_card_beyond_the_bound_int64_would_be_wrong() -> None:
    """The bound is no larger than it must be: ways alone, one card more."""
    shoe = Shoe((0,) * 12 + (MOST_ROUNDS + 1,))
    assert kernel.load()
    wrapped = kernel._in_lanes(kernel.program(RESULTS, TABLE_OF_PLAY), table_of([shoe]))
    assert wrapped.tolist() != kernel.in_integers(RESULTS, TABLE_OF_PLAY, table_of([shoe])).tolist()
    assert kernel.totals(RESULTS, TABLE_OF_PLAY, table_of([shoe])).dtype == object


@given(st.integers(-(2**70), 2**70), st.integers(1, 20))
def test_digits_are_the_value(value: int, bits: int) -> None:
    digits = -(-value.bit_length() // bits) + 1
    split = kernel.in_digits(Question(columns=2, largest=1, every_round=((1, value),)), bits, digits)
    assert split.columns == 2 * digits
    assert sum(digit << bits * (column - digits) for column, digit in split.every_round) == value
    assert all(abs(digit) <= 2**bits for _, digit in split.every_round)


@pytest.mark.parametrize("odds", ["0.000000001 to 1", "999999999.999999999 to 0.000000001"])
def test_odds_of_any_size(odds: str) -> None:
    """The largest and smallest odds that a rule book can state: split into digits."""
    game = with_odds(LOADED(COMMISSION_2013), {"tie": [Odds.parse(odds)]})
    shoes = table_of([Shoe.of_decks(8), FEW_CARDS[8]])
    for plan in (plan_of(game, False, False), squares_of(game, 1)):
        tables = [kernel.in_integers(plan.question, TABLE_OF_PLAY, shoes), products(plan, shoes)]
        if kernel.load():
            tables.append(kernel.totals(plan.question, TABLE_OF_PLAY, shoes))
        same(*tables)


# ---------------------------------------------------------------- with numba and without


def arrays(batch: Evaluation) -> list[Array]:
    parts = (
        batch.numerators,
        batch.denominators,
        batch.sample_spaces,
        batch.state_ways,
        batch.state_numerators,
    )
    return [part for part in (*parts, batch.outcome_ways, batch.square_numerators) if part is not None]


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has not looked for the kernel yet."""
    monkeypatch.setattr(kernel, "_kernel", [])
    monkeypatch.setattr(kernel, "_few", [0])


@needs_numba
@pytest.mark.usefixtures("unloaded")
def test_without_numba_the_results_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """In value and in type, for many shoes (the compiled form) and for few (one by one)."""
    game, many = LOADED(COMMISSION_2013), [shoe.counts for shoe in random_shoes(40, 2, lambda _: 100)]
    for shoes in (many[:3], many):
        monkeypatch.setattr(kernel, "_kernel", [])
        assert kernel.load()
        fast = evaluate(game, shoes, insurance=True, outcomes=True)
        monkeypatch.setattr(kernel, "_kernel", [])
        monkeypatch.setattr(kernel, "is_available", lambda: False)
        slow = evaluate(game, shoes, insurance=True, outcomes=True)
        monkeypatch.undo()
        assert not kernel._kernel or kernel._kernel[0] is not None
        for ours, theirs in zip(arrays(fast), arrays(slow), strict=True):
            assert ours.dtype == theirs.dtype == np.int64
            same(ours, theirs)


@pytest.mark.usefixtures("unloaded")
def test_few_shoes_load_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading numba takes longer than they do; once there have been many, it is loaded for the next as well."""
    asked = []
    monkeypatch.setattr(kernel, "FEW", 5)
    monkeypatch.setattr(kernel, "load", lambda: asked.append(1))
    game, shoe = LOADED(COMMISSION_2013), [[4] * 13]
    for _ in range(kernel.FEW):
        evaluate(game, shoe)
    assert asked == []
    evaluate(game, shoe)
    assert asked == [1]


@pytest.mark.usefixtures("unloaded")
def test_without_numba_there_is_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "find_spec", lambda name: None)
    assert not kernel.is_available()
    assert not kernel.load()


@pytest.mark.usefixtures("unloaded")
def test_numba_that_does_not_load_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is there, but not made for this numpy, or broken."""
    monkeypatch.setattr(kernel, "is_available", lambda: True)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not kernel.load()


def test_numba_that_is_switched_off_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert not kernel.is_available()


@needs_numba
@pytest.mark.usefixtures("unloaded")
@pytest.mark.parametrize(
    "failure",
    [RuntimeError("no locator available"), OSError(ENOSPC, "No space left on device"), EOFError("cut short")],
    ids=["no directory may be written to", "a full disk", "a file that was cut short"],
)
def test_what_cannot_be_kept_is_compiled_for_this_process(
    failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numba

    def njit(signature: object, **options: object) -> Callable[[object], object]:
        if options.get("cache"):
            raise failure
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)
    assert kernel.load()
    assert kernel._kernel == [kernel.count]


TOLD = """
from combinat.engine import kernel
print(kernel.load(lambda: print("compiling")))
"""


@needs_numba
@pytest.mark.full
def test_compiling_is_told_once_and_loading_from_disk_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    words = [sys.executable, "-W", "error", "-c", TOLD]
    assert [run_again(words) for _ in range(2)] == [("compiling\nTrue\n", ""), ("True\n", "")]


COLD = """
import sys
from combinat.cli import main
sys.argv = ["combinat", *sys.argv[1:]]
try:
    main()
finally:
    print(sorted({"numba", "llvmlite"} & set(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("odds", COMMISSION_2013),
        ("removal", COMMISSION_2013),
    ],
    ids=str,
)
def test_few_shoes_do_not_import_numba(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes longer to load than they do: the odds of a game, and the report of a small rule book."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    out = ("--out", str(tmp_path / "output")) if arguments[0] == "report" else ()
    ran = run_again([sys.executable, "-c", COLD, *arguments, *out])
    assert ran[1] == "[]\n"


PROGRAM = """
from combinat import Shoe, evaluate, load_game
from combinat.engine import kernel
assert kernel.load()
print(evaluate(load_game("commission-insurance-2013"), [[32] * 13] * 100).numerators[99].tolist())
"""


@needs_numba
@pytest.mark.full
def test_two_processes_may_compile_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Into one empty directory; the next finds it there. Nothing is said. This takes some seconds of compiling."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    words = [sys.executable, "-W", "error", "-c", PROGRAM]
    running = [
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    said = [process.communicate() for process in running]
    assert [process.returncode for process in running] == [0, 0]
    kept = sorted(path.name for path in tmp_path.rglob("kernel.count-*"))
    assert len(kept) == 2  # an index, and the code
    said.append(run_again(words))
    assert sorted(path.name for path in tmp_path.rglob("kernel.count-*")) == kept
    for path in tmp_path.rglob("*.nbi"):
        path.write_bytes(b"cut short")
    said.append(run_again(words))
    expected = evaluate(LOADED(COMMISSION_2013), [[32] * 13]).numerators[0].tolist()
    assert said == [(f"{expected}\n", "")] * 4


@needs_numba
@pytest.mark.full
def test_a_place_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel is compiled for the process alone; nothing is said, and nothing is left."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "folder"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    expected = evaluate(LOADED(COMMISSION_2013), [[32] * 13]).numerators[0].tolist()
    assert run_again([sys.executable, "-W", "error", "-c", PROGRAM]) == (f"{expected}\n", "")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def run_again(words: list[str]) -> tuple[str, str]:
    ran = subprocess.run(words, check=True, capture_output=True, text=True)
    return ran.stdout, ran.stderr


@needs_numba
def test_threads_may_evaluate_at_once() -> None:
    """The kernel lets other threads run, and holds nothing of its own between calls."""
    game, shoes = (
        LOADED(NONCOMMISSION_2025),
        table_of(random_shoes(300, 3, lambda chosen: chosen.randint(60, 416))),
    )
    expected, batches = evaluate(game, shoes).numerators.tolist(), []
    threads = [threading.Thread(target=lambda: batches.append(evaluate(game, shoes))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [batch.numerators.tolist() for batch in batches] == [expected] * 4


@needs_numba
def test_every_shoe_keeps_its_place() -> None:
    """Over several chunks of several lanes, the last of them not full, small shoes among them."""
    game, number = LOADED(COMMISSION_2013), 2 * kernel.CHUNK + kernel.LANES + 3
    chosen = np.random.default_rng(4)
    shoes = chosen.integers(0, 9, size=(number, 13))
    shoes[[0, 70, kernel.CHUNK, number - 1]] = 0
    shoes[[1, number - 2], 1:] = 0
    whole, backwards = evaluate(game, shoes), evaluate(game, shoes[::-1])
    assert whole.numerators.tolist() == backwards.numerators.tolist()[::-1]
    some = [5, 63, 64, kernel.CHUNK - 1, kernel.CHUNK + 1, number - 3]
    assert whole.numerators[some].tolist() == products(plan_of(game, False, False), shoes[some]).tolist()


# ---------------------------------------------------------------- what a batch tells


def test_what_was_not_asked_for_is_not_there() -> None:
    batch = evaluate(LOADED(COMMISSION_2013), [[32] * 13])
    state = next(iter(LOADED(COMMISSION_2013).offers))
    asking: list[Callable[[], object]] = [
        lambda: batch.variance(0, "tie"),
        lambda: batch.variance_numerators,
        lambda: batch.combined(0),
        lambda: batch.state_probability(0, state),
        lambda: batch.state_expected_value(0, state),
    ]
    for ask in asking:
        with pytest.raises(CombinatError):
            ask()
    with pytest.raises(CombinatError, match="without insurance; ask for it"):
        batch.state_probability(0, state)


def test_the_variance_of_a_whole_batch() -> None:
    """Squares of nets may be too large for int64 where the nets are not: these stay as they are."""
    game, shoes = LOADED(NONCOMMISSION_2025), [Shoe.of_decks(8), DEPLETED[0], FEW_CARDS[4]]
    batch = evaluate(game, [shoe.counts for shoe in shoes], variance=True)
    assert batch.numerators.dtype == np.int64
    assert batch.variance_numerators.dtype == object
    for number, bottom in enumerate(batch.denominators.tolist()):
        for column, bet in enumerate(batch.bets):
            variance = Fraction(batch.variance_numerators[number, column], bottom**2)
            assert variance == batch.variance(number, bet)


def test_stakes_together_are_what_the_joint_distribution_says() -> None:
    game, shoe = LOADED(NONCOMMISSION_2025), DEPLETED[2]
    stakes = {
        "player": Fraction(100),
        "tie": Fraction(5, 2),
        "tiger-pair": Fraction(-1, 7),
        "tiger": Fraction(3),
    }
    batch = evaluate(game, [shoe.counts], stakes=stakes)
    assert batch.combined(0) == combination(game, stakes, WALKED(shoe)).mean
    huge = {"player": Fraction(10**30), "tie": Fraction(1, 10**30)}
    assert (
        evaluate(game, [shoe.counts], stakes=huge).combined(0) == combination(game, huge, WALKED(shoe)).mean
    )
    assert evaluate(game, [shoe.counts], stakes={}).combined(0) == 0


@pytest.mark.parametrize(
    ("stakes", "error", "message"),
    [
        ({"tie": 0.5}, StakeError, "tie: the stake must be a whole number or a Fraction; found 0.5"),
        ({"tie": True}, StakeError, "tie: the stake must be a whole number or a Fraction; found True"),
        ({"tei": Fraction(1)}, NotInGameError, 'no bet "tei"; did you mean tie?'),
    ],
)
def test_stakes_that_cannot_be(stakes: Any, error: type[CombinatError], message: str) -> None:
    with pytest.raises(error) as refusal:
        evaluate(LOADED(COMMISSION_2013), [[32] * 13], stakes=stakes)
    assert message in str(refusal.value)


FULL = [32] * 13


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([FULL, [32, 32, -1, *[32] * 10]], "shoe 1: the count of 3 must not be negative; found -1"),
        (np.array([FULL, [32] * 12 + [-5]]), "shoe 1: the count of K must not be negative; found -5"),
        ([[-(10**30), *[0] * 12]], f"shoe 0: the count of A must not be negative; found -{10**30}"),
        ([FULL, [32, 0.5, *[32] * 11]], "shoe 1: the count of 2 must be a whole number; found 0.5"),
        (np.array([FULL]) / 2, "shoe 0: the count of A must be a whole number; found 16.0"),
        ([[32.0] * 13], "shoe 0: the count of A must be a whole number; found 32.0"),
        ([FULL, FULL, [32, True, *[32] * 11]], "shoe 2: the count of 2 must be a whole number; found True"),
        (np.ones((1, 13), dtype=bool), "shoe 0: the count of A must be a whole number; found True"),
        ([["32"] * 13], "shoe 0: the count of A must be a whole number; found '32'"),
        ([[None] * 13], "shoe 0: the count of A must be a whole number; found None"),
        ([FULL, [0] * 12 + [10**9 + 1]], "shoe 1: the count of K must be at most 1000000000; found 1000000001"),
        ([[2**63] * 13], f"shoe 0: the count of A must be at most 1000000000; found {2**63}"),
        ([FULL, [0, 10**30, *[0] * 11]], f"shoe 1: the count of 2 must be at most 1000000000; found {10**30}"),
        ([FULL, FULL[:-1]], "shoe 1: there must be 13 counts, A to K; found 12"),
        ([FULL[:-1], FULL], "shoe 0: there must be 13 counts, A to K; found 12"),
        ([FULL, 32], "counts must have the shape (shoes, 13); found rows of different lengths"),
        (FULL, "counts must have the shape (shoes, 13); found (13,)"),
        ([FULL[:-1]], "counts must have the shape (shoes, 13); found (1, 12)"),
        ([[FULL]], "counts must have the shape (shoes, 13); found (1, 1, 13)"),
        (np.zeros((2, 14), dtype=int), "counts must have the shape (shoes, 13); found (2, 14)"),
        ([], "counts must have the shape (shoes, 13); found (0,)"),
        (32, "counts must have the shape (shoes, 13); found ()"),
    ],
)  # fmt: skip
def test_counts_that_cannot_be_are_refused(counts: Any, message: str) -> None:
    """One error, which names the first row and rank."""
    with pytest.raises(ShoeError) as refusal:
        evaluate(LOADED(COMMISSION_2013), counts)
    assert str(refusal.value) == message


def test_counts_in_any_form_of_whole_numbers() -> None:
    forms: list[Any] = [
        [tuple(FULL)],
        [[np.int32(32)] * 13],
        np.array([FULL], dtype=np.uint8),
        np.array([FULL], dtype=object),
        [np.array(FULL)],
        np.asfortranarray([FULL] * 2)[:1],
    ]
    fixed = np.array([FULL])
    fixed.setflags(write=False)
    for counts in (*forms, fixed):
        assert evaluate(LOADED(COMMISSION_2013), counts).expected_value(0, "player-pair") == Fraction(
            -43, 415
        )
