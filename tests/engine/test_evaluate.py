"""``combinat.evaluate``: whole batches equal to the analysis of each shoe, in integers, in their order."""

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from combinat import Evaluation, Game, Shoe, analyze, evaluate, load_game
from combinat.analysis.counted import counted_bet
from combinat.analysis.evaluate import CHUNK
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.what_if import with_odds
from combinat.engine.distribution import falling
from combinat.engine.multisets import Array
from combinat.engine.polynomial import by_first_four, by_points, by_rank
from combinat.engine.walk import walk
from combinat.errors import ShoeError
from combinat.rules.book.find import rule_book_path
from combinat.rules.book.load import parsed_rule_book
from combinat.rules.cards import RANKS
from combinat.rules.odds import Odds
from combinat.rules.table_of_play import TABLE_OF_PLAY
from tests.documents import (
    COMMISSION_2013,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
)
from tests.engine.test_engine import depleted_shoes, small_shoes

LOADED, WALKED = cache(load_game), cache(walk)


@cache
def narrow(game_id: str) -> Game:
    """A game with the first of its insurance tables alone: fewer states to compile."""
    game = LOADED(game_id)
    return msgspec.structs.replace(game, insurance=game.insurance[:1])


@pytest.fixture(autouse=True)
def walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The analysis that a batch is held against walks each shoe once for all the tests of this page."""
    monkeypatch.setattr("combinat.analysis.analysis.walk", WALKED)


SHOES = {
    "fresh, 1 deck": Shoe.of_decks(1),
    "fresh, 4 decks": Shoe.of_decks(4),
    "fresh, 8 decks": Shoe.of_decks(8),
    "fresh, 10 decks": Shoe.of_decks(10),
    "depleted": Shoe((31, 29, 27, 25, 23, 21, 19, 31, 29, 27, 25, 23, 21)),
    "nearly gone": Shoe((3, 0, 1, 2, 2, 1, 0, 1, 3, 1, 0, 2, 1)),
    "ranks missing": Shoe.parse("A=7 2=1 4=3 6=5 7=11 10=2 Q=9"),
    "one rank": Shoe.parse("8=32"),
    "seven cards": Shoe.parse("A=1 3=1 5=2 9=1 J=1 K=1"),
    "six cards": Shoe.parse("3=2 5=1 8=1 K=2"),
    "five cards that cannot always finish": Shoe.parse("A=2 2=1 3=1 4=1"),
    "four cards that cannot finish": Shoe.parse("A=2 2=1 3=1"),
    "four cards that may finish": Shoe.parse("4=2 K=1 Q=1"),
    "three cards": Shoe.parse("A=1 9=2"),
    "one card": Shoe.parse("K=1"),
    "empty": Shoe((0,) * 13),
}


def rows(shoes: Sequence[Shoe]) -> list[tuple[int, ...]]:
    return [shoe.counts for shoe in shoes]


def integers(table: Array | None) -> Any:
    """An array as lists of Python integers: a float among them is a fault, whatever its value."""
    assert table is not None
    assert {type(value) for value in table.ravel().tolist()} <= {int}
    return table.tolist()


def same_values(game: Game, shoes: Sequence[Shoe]) -> Evaluation:
    """The values of a batch are those of the recursion, shoe by shoe."""
    batch = evaluate(game, rows(shoes))
    for tops, bottom, shoe in zip(
        integers(batch.numerators), integers(batch.denominators), shoes, strict=True
    ):
        assert [Fraction(top, bottom) for top in tops] == [
            bet.expected_value for bet in analyze(game, shoe, by_recursion=True).bets
        ]
    return batch


def agrees(game: Game, shoes: Sequence[Shoe]) -> Evaluation:
    """Every figure of a batch is that of the recursion, shoe by shoe."""
    batch = evaluate(game, rows(shoes), insurance=True, outcomes=True)
    numerators, denominators = integers(batch.numerators), integers(batch.denominators)
    spaces, lines = integers(batch.sample_spaces), integers(batch.outcome_ways)
    state_ways, state_nets = integers(batch.state_ways), integers(batch.state_numerators)
    assert batch.bets == tuple(bet.id for bet in game.bets)
    assert batch.states == tuple(game.offers)
    assert batch.outcomes == tuple((bet.id, pay.name or "wins") for bet in game.bets for pay in bet.pays)
    assert len(numerators) == len(denominators) == len(spaces) == len(shoes)
    for number, shoe in enumerate(shoes):
        analysis = analyze(game, shoe, by_recursion=True)
        assert spaces[number] == analysis.sample_space
        assert denominators[number] % spaces[number] == 0
        values = [Fraction(top, denominators[number]) for top in numerators[number]]
        assert values == [bet.expected_value for bet in analysis.bets]
        assert [batch.expected_value(number, bet.id) for bet in game.bets] == values
        assert lines[number] == [
            line.ways
            for bet, analysed in zip(game.bets, analysis.bets, strict=True)
            for line in analysed.outcomes[: len(bet.pays)]
        ]
        states = insurance_analysis(game, analysis.distribution)
        assert state_ways[number] == [state.ways for state in states]
        assert [Fraction(top, denominators[number]) for top in state_nets[number]] == [
            Fraction((state.net or 0) * state.won - state.lost, state.sample_space) for state in states
        ]
    return batch


# ---------------------------------------------------------------- equal to the recursion


@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2024, NONCOMMISSION_2025])
def test_a_batch_of_every_sort_of_shoe(game_id: str) -> None:
    """Large shoes and shoes that cannot finish a round, mixed: each figure is the recursion's."""
    agrees(LOADED(game_id), list(SHOES.values()))


@pytest.mark.parametrize("shoe", SHOES)
def test_each_sort_of_shoe_alone(shoe: str) -> None:
    same_values(LOADED(COMMISSION_2013), [SHOES[shoe]])


@settings(max_examples=4, deadline=None)
@given(st.lists(depleted_shoes(), min_size=1, max_size=2))
def test_depleted_shoes(shoes: list[Shoe]) -> None:
    agrees(LOADED(NONCOMMISSION_2025), shoes)


@settings(max_examples=10, deadline=None)
@given(st.lists(small_shoes(least=0, most=9), min_size=1, max_size=4))
@example([SHOES["six cards"], SHOES["empty"], SHOES["seven cards"]])
def test_small_shoes_with_ranks_missing(shoes: list[Shoe]) -> None:
    agrees(narrow(NONCOMMISSION_2024), shoes)


@pytest.mark.parametrize(
    ("game_id", "interpretation"),
    [
        (COMMISSION_2013, "unfinished-round-void"),
        (COMMISSION_2013, "insurance-needs-a-card-to-come"),
        (COMMISSION_2013, "player-insurance-tie-on-9"),
    ],
)
def test_under_another_reading(game_id: str, interpretation: str) -> None:
    """Decided bets that stand in a void round; insurance offered when the result is known."""
    game = LOADED(game_id).read_otherwise(interpretation)
    assert game != LOADED(game_id)
    sorts = ("fresh, 1 deck", "nearly gone", "seven cards", "six cards", *list(SHOES)[-6:])
    agrees(game, [SHOES[sort] for sort in sorts])


def test_a_void_round_that_settles_what_is_decided_is_seen() -> None:
    """The two readings differ on a shoe that cannot finish, so the test above can fail."""
    shoe = [SHOES["five cards that cannot always finish"].counts]
    ours, other = LOADED(COMMISSION_2013), LOADED(COMMISSION_2013).read_otherwise("unfinished-round-void")
    assert integers(evaluate(ours, shoe).numerators) != integers(evaluate(other, shoe).numerators)


OWN = """
[[bets]]
id = "pair-and-points"
name = "Pair and points"
about = "A pair in a hand that wins with few points, or two pairs in a long round."
defined = "1"
settled = "1"
layouts = ["A"]
pays = [
    { name = "paired win", player_pair = true, winner = "player", player_points = "1-7", odds = "37 to 3" },
    { name = "paired tie", pairs = "double", winner = "tie", cards = 6, odds = "1000 to 7" },
    { name = "natural push", banker_point_pair = true, banker_cards = 2, winner = "banker", odds = "push" },
    { name = "twin loss", pairs = "twin", winner = "banker", banker_cards = 3, odds = "88 to 1" },
]

[[bets]]
id = "points-or-pair"
name = "Points or pair"
about = "One line looks at the result alone, the other at the first four cards alone."
defined = "1"
settled = "1"
layouts = ["A"]
pays = [
    { name = "big tie", winner = "tie", pairs = "none", odds = "9 to 1" },
    { name = "point twins", point_pairs = "twin", pairs = "single", odds = "20 to 1" },
]

[[bets]]
id = "never"
name = "Never"
about = "Two cards of one rank have an even total: it is never paid."
defined = "1"
settled = "1"
layouts = ["A"]
pays = [{ player_pair = true, player_cards = 2, player_points = 7, odds = "5 to 1" }]

"""
MARK = "# ---------------------------------------------------------------- insurance"


@cache
def own_game() -> Game:
    """A user's own rule book: a document with bets that look at pairs and points together."""
    text = rule_book_path(COMMISSION_2013).read_text("utf-8")
    assert text.count(MARK) == 1
    with_bets = text.replace(f'id = "{COMMISSION_2013}"', 'id = "our-own"', 1).replace(MARK, OWN + MARK)
    game = parsed_rule_book(with_bets.encode(), Path("our-own.toml")).game
    return msgspec.structs.replace(game, insurance=(), insurance_terms=None)  # it is asked elsewhere


def test_bets_on_pairs_and_points_together() -> None:
    batch = agrees(own_game(), list(SHOES.values()))
    column = batch.bets.index("never")
    enough = [number for number, shoe in enumerate(SHOES.values()) if shoe.size >= 6]
    assert [batch.expected_value(number, "never") for number in enough] == [Fraction(-1)] * len(enough)
    assert integers(batch.numerators)[list(SHOES).index("empty")][column] == 0


def test_a_bet_is_compiled_at_the_level_that_its_lines_name() -> None:
    levels = {bet.id: counted_bet(bet, 1, TABLE_OF_PLAY).compiled for bet in own_game().bets}
    assert {bet for bet, level in levels.items() if level is by_rank(TABLE_OF_PLAY)} == {
        "pair-and-points",
        "points-or-pair",
        "never",
    }
    assert {bet for bet, level in levels.items() if level is by_first_four()} == {
        "player-pair",
        "banker-pair",
    }
    assert {bet for bet, level in levels.items() if level is by_points(TABLE_OF_PLAY)} == {
        "player",
        "banker",
        "tie",
    }


@pytest.mark.parametrize("odds", ["999999999 to 1", "0.000000001 to 1", "999999999.999999999 to 0.000000001"])
def test_odds_of_any_size(odds: str) -> None:
    """The largest and smallest odds that a rule book can state, beside ordinary ones."""
    game = with_odds(LOADED(COMMISSION_2013), {"tie": [Odds.parse(odds)]})
    same_values(game, [SHOES["fresh, 8 decks"], SHOES["six cards"], SHOES["three cards"]])


@pytest.mark.parametrize("count", [455, 456, 457])
def test_many_cards_of_one_rank(count: int) -> None:
    """Where the ways of six cards pass what a float64 can hold, and the total is small."""
    same_values(LOADED(COMMISSION_2013), [Shoe((count,) + (1,) * 12), Shoe((0,) * 9 + (count, 0, 0, 3))])


@pytest.mark.parametrize("decks", [20, 28, 29, 1000])
def test_very_large_shoes(decks: int) -> None:
    same_values(LOADED(COMMISSION_2013), [Shoe.of_decks(decks).minus("A 3 3 8 K")])


# ---------------------------------------------------------------- the contract


def test_the_contract() -> None:
    batch = evaluate(LOADED(COMMISSION_2013), [[32] * 13, [16] * 13])
    assert batch.bets == ("player", "banker", "tie", "player-pair", "banker-pair")
    assert batch.numerators.shape == (2, 5)
    assert batch.denominators.shape == batch.sample_spaces.shape == (2,)
    assert batch.numerators.dtype == batch.denominators.dtype == np.int64
    assert batch.sample_spaces.tolist() == [4998398275503360, falling(208, 6)]
    assert [batch.expected_value(0, bet) for bet in batch.bets] == [
        Fraction(-241149546272, 19524993263685),
        Fraction(-114753351728, 10847218479825),
        Fraction(-103841353768, 723147898655),
        Fraction(-43, 415),
        Fraction(-43, 415),
    ]


def test_insurance_and_outcomes_are_left_out_unless_asked_for() -> None:
    batch = evaluate(LOADED(COMMISSION_2013), [[32] * 13])
    assert (batch.states, batch.state_ways, batch.state_numerators) == ((), None, None)
    assert (batch.outcomes, batch.outcome_ways) == ((), None)


@pytest.mark.parametrize(("insurance", "outcomes"), [(True, False), (False, True)])
def test_asking_for_one_of_them_changes_no_value(insurance: bool, outcomes: bool) -> None:
    game, shoes = narrow(COMMISSION_2013), list(SHOES.values())
    plain = evaluate(game, rows(shoes))
    batch = evaluate(game, rows(shoes), insurance=insurance, outcomes=outcomes)
    both = evaluate(game, rows(shoes), insurance=True, outcomes=True)
    for number in range(len(shoes)):
        for bet in plain.bets:
            assert batch.expected_value(number, bet) == plain.expected_value(number, bet)
    if insurance:
        assert integers(batch.state_ways) == integers(both.state_ways)
        assert batch.outcome_ways is None
    else:
        assert integers(batch.outcome_ways) == integers(both.outcome_ways)
        assert batch.state_ways is None


def test_a_game_without_insurance_has_no_states() -> None:
    batch = evaluate(LOADED(NONCOMMISSION_2025), [[4] * 13] * 3, insurance=True)
    assert batch.states == ()
    assert integers(batch.state_ways) == integers(batch.state_numerators) == [[], [], []]


def test_the_lines_of_a_bet_are_counted_in_sequences_of_six() -> None:
    """Published counts, 8 decks: Banker wins on a two-card and on a three-card 6 (wizardofodds.com)."""
    game = LOADED(NONCOMMISSION_2025)
    tigers = msgspec.structs.replace(game, bets=(game.bet("small-tiger"), game.bet("big-tiger")))
    batch = evaluate(tigers, [[32] * 13], outcomes=True)
    ways = dict(zip(batch.outcomes, integers(batch.outcome_ways)[0], strict=True))
    assert ways["small-tiger", "wins"] == 186173936904192
    assert ways["big-tiger", "wins"] == 83058367551488


def test_a_batch_without_shoes() -> None:
    game = narrow(COMMISSION_2013)
    batch = evaluate(game, np.zeros((0, 13), dtype=np.int64), insurance=True, outcomes=True)
    assert batch.numerators.shape == (0, 5)
    assert batch.denominators.shape == batch.sample_spaces.shape == (0,)
    assert batch.state_ways is not None
    assert batch.state_ways.shape == (0, len(game.offers))
    assert batch.outcome_ways is not None
    assert batch.outcome_ways.shape == (0, 7)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64])
def test_counts_of_any_integer_type(dtype: type) -> None:
    counts: Array = np.array([[32] * 13, [31, *[30] * 12], [1] + [0] * 12], dtype=dtype)
    before = counts.copy()
    expected = evaluate(LOADED(COMMISSION_2013), counts.tolist())
    for given_counts in (counts, np.asfortranarray(counts), np.repeat(counts, 2, axis=0)[::2]):
        batch = evaluate(LOADED(COMMISSION_2013), given_counts)
        assert integers(batch.numerators) == integers(expected.numerators)
        assert integers(batch.denominators) == integers(expected.denominators)
    assert (counts == before).all()


def test_counts_that_may_not_be_written_to() -> None:
    counts = np.full((2, 13), 32)
    counts.setflags(write=False)
    assert evaluate(LOADED(COMMISSION_2013), counts).expected_value(1, "player-pair") == Fraction(-43, 415)


# ---------------------------------------------------------------- order


def test_every_shoe_keeps_its_place_over_several_chunks() -> None:
    """More shoes than two threads take at once, some of them too small for the compiled form."""
    game, chosen = LOADED(COMMISSION_2013), random.Random(1024)
    shoes = [
        tuple(chosen.randint(0, 1 if chosen.random() < 0.1 else 32) for _ in range(13))
        for _ in range(2 * CHUNK + 50)
    ]
    for number in (5, CHUNK - 1, CHUNK, 2 * CHUNK + 49):
        shoes[number] = tuple(int(place < number % 5) for place in range(13))
    assert len(set(shoes)) > 2 * CHUNK
    batch = evaluate(game, shoes, outcomes=True)
    backwards = evaluate(game, shoes[::-1], outcomes=True)
    assert integers(batch.numerators) == integers(backwards.numerators)[::-1]
    assert integers(batch.outcome_ways) == integers(backwards.outcome_ways)[::-1]
    assert integers(batch.sample_spaces) == [falling(sum(shoe), min(sum(shoe), 6)) for shoe in shoes]
    for number in (0, 5, CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 49):
        analysis = analyze(game, Shoe(shoes[number]), by_recursion=True)
        assert [batch.expected_value(number, bet) for bet in batch.bets] == [
            bet.expected_value for bet in analysis.bets
        ]


def test_one_large_shoe_does_not_change_the_others() -> None:
    """In chunks of their own the small shoes would be int64; beside a large one all are Python integers."""
    game = LOADED(COMMISSION_2013)
    small = [SHOES["depleted"].counts] * CHUNK
    batch = evaluate(game, [*small, (1000,) * 13])
    assert batch.numerators.dtype == batch.denominators.dtype == object
    alone = evaluate(game, small)
    assert alone.numerators.dtype == np.int64
    assert integers(batch.numerators)[:CHUNK] == integers(alone.numerators)
    large = analyze(game, Shoe((1000,) * 13), by_recursion=True)
    assert [batch.expected_value(CHUNK, bet) for bet in batch.bets] == [
        bet.expected_value for bet in large.bets
    ]


def test_int64_and_python_integers_meet_at_the_bound() -> None:
    """``largest * falling(N, 6)`` below 2**63 is int64; one card more is not. Values are in twentieths."""
    game = LOADED(COMMISSION_2013)
    largest = 220  # a pair at 11 to 1
    size = max(cards for cards in range(6, 1000) if largest * falling(cards, 6) < 2**63)
    assert size == 591
    for cards, dtype in ((size, np.int64), (size + 1, object)):
        each, over = divmod(cards, 13)
        shoe = Shoe(tuple(each + (number < over) for number in range(13)))
        assert shoe.size == cards
        batch = same_values(game, [shoe])
        assert batch.numerators.dtype == batch.denominators.dtype == dtype


# ---------------------------------------------------------------- laws


@settings(max_examples=8, deadline=None)
@given(depleted_shoes().filter(lambda shoe: shoe.size >= 7))
def test_removing_a_card_at_random_changes_nothing_on_average(shoe: Shoe) -> None:
    """The sum over r of n_r * ways(shoe - r) is (N - 6) * ways(shoe), in every column."""
    game = narrow(NONCOMMISSION_2024)
    held = [rank for rank in RANKS if shoe[rank]]
    batch = evaluate(
        game, rows([shoe, *(shoe.minus([rank]) for rank in held)]), insurance=True, outcomes=True
    )
    for table in (batch.numerators, batch.outcome_ways, batch.state_ways, batch.state_numerators):
        before, *after = integers(table)
        total = [
            sum(shoe[rank] * row[column] for rank, row in zip(held, after, strict=True))
            for column in range(len(before))
        ]
        assert total == [(shoe.size - 6) * value for value in before]


def test_the_values_are_linear_in_the_odds() -> None:
    game, shoe = LOADED(COMMISSION_2013), [SHOES["depleted"].counts]
    at = {
        odds: evaluate(with_odds(game, {"tie": [Odds.parse(f"{odds} to 1")]}), shoe).expected_value(0, "tie")
        for odds in (7, 8, 9)
    }
    assert at[9] - at[8] == at[8] - at[7] > 0


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([32] * 13, "counts must have the shape (shoes, 13); found (13,)"),
        ([[32] * 12], "counts must have the shape (shoes, 13); found (1, 12)"),
        ([[32] * 14] * 2, "counts must have the shape (shoes, 13); found (2, 14)"),
        ([[[32] * 13]], "counts must have the shape (shoes, 13); found (1, 1, 13)"),
        ([], "counts must have the shape (shoes, 13); found (0,)"),
        (32, "counts must have the shape (shoes, 13); found ()"),
        ([[32.0] * 13], "shoe 0: the count of A must be a whole number; found 32.0"),
        ([[32, 0.5, *[32] * 11]], "shoe 0: the count of 2 must be a whole number; found 0.5"),
        ([[True] * 13], "shoe 0: the count of A must be a whole number; found True"),
        ([["32"] * 13], "shoe 0: the count of A must be a whole number; found '32'"),
        ([[10**30] * 13], f"shoe 0: the count of A must be at most 1000000000; found {10**30}"),
        ([[32] * 13, [32, 32, -1, *[32] * 10]], "shoe 1: the count of 3 must not be negative; found -1"),
        ([[32] * 12 + [-(2**40)]], "shoe 0: the count of K must not be negative; found -1099511627776"),
        ([[10**9 + 1] + [0] * 12], "shoe 0: the count of A must be at most 1000000000; found 1000000001"),
        ([[2**63] * 13], "shoe 0: the count of A must be at most 1000000000; found 9223372036854775808"),
    ],
)
def test_counts_that_cannot_be_are_refused(counts: Any, message: str) -> None:
    with pytest.raises(ShoeError) as refusal:
        evaluate(LOADED(COMMISSION_2013), counts)
    assert str(refusal.value) == message


def test_the_most_cards_of_a_rank_that_are_taken() -> None:
    same_values(LOADED(COMMISSION_2013), [Shoe((10**9,) * 13)])
