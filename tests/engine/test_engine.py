"""The walk: golden counts, the definition it groups, its laws, and every wrong cell of the Table of Play."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from combinat import Shoe
from combinat.engine.distribution import falling
from combinat.engine.walk import every_round, walk
from combinat.rules.cards import RANKS, Rank, parse_cards
from combinat.rules.outcome import Outcome, Result
from combinat.rules.round import Round
from combinat.rules.table_of_play import STOOD, TABLE_OF_PLAY, Hand, TableOfPlay
from tests.oracle import second_opinion
from tests.paths import TESTS

GOLDEN = TESTS / "golden" / "results.txt"


def by_points(shoe: Shoe) -> list[int]:
    return [sum(shoe[rank] for rank in RANKS if rank.points == points) for points in range(10)]


def by_second_opinion(shoe: Shoe) -> dict[Result, int]:
    return {Result(*ended): ways for ended, ways in second_opinion.results(by_points(shoe)).items()}


@cache
def golden() -> dict[int, dict[Result, int]]:
    """The golden file: decks, Player points and cards, Banker points and cards, ways."""
    counts: dict[int, dict[Result, int]] = {}
    for line in GOLDEN.read_text().splitlines():
        if line and not line.startswith("#"):
            decks, player, player_cards, banker, banker_cards, ways = map(int, line.split())
            result = Result(player, banker, player_cards, banker_cards)
            assert result not in counts.setdefault(decks, {})
            counts[decks][result] = ways
    return counts


@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8, 10])
def test_golden_counts(decks: int) -> None:
    counted, expected = walk(Shoe.of_decks(decks)).results, golden()[decks]
    wrong = [
        f"{decks} decks: {result} counted {counted.get(result, 0)}, expected {expected.get(result, 0)}"
        for result in sorted(counted.keys() | expected.keys())
        if counted.get(result, 0) != expected.get(result, 0)
    ]
    assert not wrong, "\n".join([f"{len(wrong)} results differ; by result:", *wrong])


def test_the_golden_file_is_whole() -> None:
    counts = golden()
    assert {decks: sum(ways.values()) for decks, ways in counts.items()} == {
        decks: falling(52 * decks, 6) for decks in (1, 2, 4, 6, 8, 10)
    }


@pytest.mark.parametrize("decks", [1, 8])
def test_the_second_opinion_agrees_on_fresh_shoes(decks: int) -> None:
    """With the golden counts, which the walk has too."""
    assert by_second_opinion(Shoe.of_decks(decks)) == golden()[decks]


def small_shoes(least: int = 0, most: int = 9) -> st.SearchStrategy[Shoe]:
    """Shoes of few cards, with ranks missing."""

    def shoe(cards: list[Rank]) -> Shoe:
        counts = Counter(cards)
        return Shoe(tuple(counts[rank] for rank in RANKS))

    return st.lists(st.sampled_from(RANKS), min_size=least, max_size=most).map(shoe)


def depleted_shoes() -> st.SearchStrategy[Shoe]:
    return st.tuples(*[st.integers(0, 32)] * 13).map(Shoe).filter(lambda shoe: shoe.size >= 6)


def ungrouped(shoe: Shoe, dealt: Round) -> tuple[dict[Outcome, int], int]:
    """The ways of every outcome and of void rounds, straight from the definition."""
    drawn = min(shoe.size, 6 - len(dealt.player) - len(dealt.banker))
    outcomes: Counter[Outcome] = Counter()
    void = 0
    for ended, ways in every_round(shoe, dealt):
        taken = len(ended.player) + len(ended.banker) - len(dealt.player) - len(dealt.banker)
        ways *= falling(shoe.size - taken, drawn - taken)
        if ended.is_over:
            told = ended.outcome
            outcomes[Outcome(told.result.without_thirds, told.first_four.without_ranks)] += ways
        else:
            void += ways
    return dict(outcomes), void


def agrees(shoe: Shoe, dealt: Round) -> None:
    distribution = walk(shoe, dealt)
    outcomes, void = ungrouped(shoe, dealt)
    assert distribution.outcomes == outcomes
    assert distribution.void == void
    assert sum(outcomes.values()) + void == distribution.sample_space


@settings(max_examples=30, deadline=None)
@given(small_shoes(most=8))
@example(Shoe.parse("A=2 4=2 9=1 10=1 J=1 Q=1 K=1"))
@example(Shoe.parse("K=9"))
def test_the_grouped_walk_is_the_ungrouped_one(shoe: Shoe) -> None:
    agrees(shoe, Round())


@settings(max_examples=40, deadline=None)
@given(small_shoes(least=5, most=9), st.integers(1, 5))
def test_from_any_point_of_a_round_too(shoe: Shoe, dealt: int) -> None:
    """Deal the first cards of the shoe, whichever they are, and walk on from there."""
    cards = [rank for rank in RANKS for _ in range(shoe[rank])]
    so_far = Round()
    for card in cards[:: 2 if len(cards) > 6 else 1][:dealt]:
        if so_far.is_over:
            break
        so_far, shoe = so_far.with_card(card), shoe.minus([card])
    agrees(shoe, so_far)


@pytest.mark.parametrize(
    ("player", "banker"),
    [("", "7"), ("5", ""), ("5 4", ""), ("", "K 6"), ("5", "K 6"), ("5 K", "6 K"), ("5 K 7", "6 K")],
)
def test_with_some_of_the_first_cards_known(player: str, banker: str) -> None:
    dealt = Round(parse_cards(player), parse_cards(banker))
    agrees(Shoe.parse("A=1 4=2 7=1 9=1 Q=2"), dealt)


@settings(max_examples=4, deadline=None)
@given(depleted_shoes())
def test_depleted_shoes_against_the_second_opinion(shoe: Shoe) -> None:
    distribution = walk(shoe)
    assert distribution.results == by_second_opinion(shoe)
    assert sum(distribution.results.values()) == falling(shoe.size, 6) == distribution.sample_space
    assert distribution.void == 0


@settings(max_examples=8, deadline=None)
@given(small_shoes(least=7, most=20))
@example(Shoe.parse("A=30 2=1 5=9 6=2 9=17 10=4 K=8"))
def test_removing_a_card_at_random_changes_nothing_on_average(shoe: Shoe) -> None:
    """The sum over r of n_r * ways(shoe - r) is (N - 6) * ways(shoe), for every outcome."""
    total: Counter[Outcome] = Counter()
    for rank in RANKS:
        if shoe[rank]:
            for outcome, ways in walk(shoe.minus([rank])).outcomes.items():
                total[outcome] += shoe[rank] * ways
    expected = {outcome: (shoe.size - 6) * ways for outcome, ways in walk(shoe).outcomes.items()}
    assert dict(total) == expected | {outcome: ways for outcome, ways in total.items() if not ways}


@settings(max_examples=4, deadline=None)
@given(depleted_shoes(), st.permutations(range(9, 13)))
def test_tens_and_pictures_can_change_names(shoe: Shoe, order: list[int]) -> None:
    renamed = Shoe((*shoe.counts[:9], *(shoe.counts[number] for number in order)))
    assert walk(renamed).outcomes == walk(shoe).outcomes


@pytest.mark.parametrize("cards", range(4))
def test_fewer_than_four_cards_are_always_void(cards: int) -> None:
    distribution = walk(Shoe((cards, *[0] * 12)))
    assert (distribution.void, distribution.results) == (distribution.sample_space, {})
    assert distribution.sample_space == falling(cards, cards)


def test_five_cards_that_cannot_always_finish() -> None:
    distribution = walk(Shoe.parse("A=2 2=1 3=1 4=1"))
    assert (distribution.void, distribution.sample_space) == (40, 120)


Cell = tuple[Hand, int, int]
"""A cell of the Table of Play: whose row, the points of the first two cards, the column."""


def cells() -> list[Cell]:
    """Every cell of the Table of Play: the Player's eight and the Banker's eighty-eight."""
    player = [(Hand.PLAYER, points, STOOD) for points in range(8)]
    return player + [(Hand.BANKER, points, column) for points, column in product(range(8), range(11))]


def mutated(cell: Cell) -> TableOfPlay:
    hand, points, column = cell
    player, banker = list(TABLE_OF_PLAY.player), [list(row) for row in TABLE_OF_PLAY.banker]
    if hand is Hand.PLAYER:
        player[points] = not player[points]
    else:
        banker[points][column] = not banker[points][column]
    return TableOfPlay(tuple(player), tuple(map(tuple, banker)))


def test_the_table_of_play_has_96_cells() -> None:
    assert len(cells()) == 96 == 8 + sum(len(row) for row in TABLE_OF_PLAY.banker)


def six_cards_for(cell: Cell) -> Shoe:
    """Six cards with which a round can come to the cell: two a hand, a third for the Player, one more."""
    hand, points, column = cell
    totals = (points, 0) if hand is Hand.PLAYER else (6 if column == STOOD else 0, points)
    third = 0 if column == STOOD else column
    cards = Counter((0, totals[0], 0, totals[1], third, 0))
    worth = [next(rank for rank in RANKS if rank.points == value) for value in range(10)]
    return Shoe(tuple(cards[rank.points] if rank in worth else 0 for rank in RANKS))


@pytest.mark.parametrize("cell", cells(), ids=lambda cell: "-".join(map(str, cell)))
def test_every_wrong_cell_of_the_table_of_play_is_caught(cell: Cell) -> None:
    """On the smallest shoe that reaches a cell the counts are the second opinion's, and with it wrong not."""
    shoe = six_cards_for(cell)
    assert shoe.size == 6
    expected = by_second_opinion(shoe)
    assert walk(shoe).results == expected
    assert walk(shoe, Round(table=mutated(cell))).results != expected


@pytest.mark.parametrize("cell", [(Hand.PLAYER, 5, STOOD), (Hand.BANKER, 3, 8), (Hand.BANKER, 6, 7)])
def test_a_wrong_cell_changes_the_golden_counts(cell: Cell) -> None:
    assert walk(Shoe.of_decks(1), Round(table=mutated(cell))).results != golden()[1]


def test_the_walk_does_the_same_work_for_any_number_of_decks(monkeypatch: pytest.MonkeyPatch) -> None:
    from combinat.engine import walk as engine

    steps: list[int] = []
    deal_on: Callable[..., None] = engine.deal_on

    def counted(*arguments: object) -> None:
        steps[-1] += 1
        deal_on(*arguments)

    monkeypatch.setattr(engine, "deal_on", counted)
    for decks in (4, 1000):
        steps.append(0)
        assert walk(Shoe.of_decks(decks)).sample_space == falling(52 * decks, 6)
    assert steps[0] == steps[1] > 0
