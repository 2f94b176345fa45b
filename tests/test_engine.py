"""The walk: golden counts, the definition it groups, its laws, and every wrong cell of the Table of Play."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import Shoe
from combinat.engine.distribution import Distribution, falling
from combinat.engine.walk import every_round, walk
from combinat.rules.cards import RANKS, Rank
from combinat.rules.outcome import Outcome, Result
from combinat.rules.round import Round
from combinat.rules.table_of_play import TABLE_OF_PLAY, TableOfPlay
from tests import second_opinion

GOLDEN = Path(__file__).parent / "golden" / "results.txt"


def by_points(shoe: Shoe) -> list[int]:
    return [sum(shoe[rank] for rank in RANKS if rank.points == points) for points in range(10)]


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
    found, expected = walk(Shoe.of_decks(decks)).results, golden()[decks]
    wrong = [
        f"{decks} decks: {result} found {found.get(result, 0)}, expected {expected.get(result, 0)}"
        for result in sorted(found.keys() | expected.keys())
        if found.get(result, 0) != expected.get(result, 0)
    ]
    assert not wrong, "\n".join([f"{len(wrong)} results differ; by result:", *wrong])


def test_the_golden_file_is_whole() -> None:
    counts = golden()
    assert {decks: sum(ways.values()) for decks, ways in counts.items()} == {
        decks: falling(52 * decks, 6) for decks in (1, 2, 4, 6, 8, 10)
    }


@pytest.mark.parametrize("decks", [1, 8, 10])
def test_the_second_opinion_agrees_on_fresh_shoes(decks: int) -> None:
    shoe = Shoe.of_decks(decks)
    assert dict(second_opinion.results(by_points(shoe))) == {
        tuple(result): ways for result, ways in walk(shoe).results.items()
    }


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
            outcomes[ended.outcome] += ways
        else:
            void += ways
    return dict(outcomes), void


def agrees(shoe: Shoe, dealt: Round) -> None:
    found = walk(shoe, dealt)
    outcomes, void = ungrouped(shoe, dealt)
    assert found.outcomes == outcomes
    assert found.void == void
    assert sum(outcomes.values()) + void == found.sample_space


@settings(max_examples=60, deadline=None)
@given(small_shoes())
def test_the_grouped_walk_is_the_ungrouped_one(shoe: Shoe) -> None:
    agrees(shoe, Round())


@settings(max_examples=60, deadline=None)
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
    from combinat.rules.cards import parse_cards

    dealt = Round(parse_cards(player), parse_cards(banker))
    agrees(Shoe.parse("A=1 4=2 7=1 9=1 Q=2"), dealt)


@settings(max_examples=8, deadline=None)
@given(depleted_shoes())
def test_depleted_shoes_against_the_second_opinion(shoe: Shoe) -> None:
    found = walk(shoe)
    assert {tuple(result): ways for result, ways in found.results.items()} == dict(
        second_opinion.results(by_points(shoe))
    )
    assert sum(found.results.values()) == falling(shoe.size, 6) == found.sample_space
    assert found.void == 0


@settings(max_examples=3, deadline=None)
@given(depleted_shoes())
def test_removing_a_card_at_random_changes_nothing_on_average(shoe: Shoe) -> None:
    """The sum over r of n_r * ways(shoe - r) is (N - 6) * ways(shoe), for every outcome."""
    if shoe.size < 7:
        return
    total: Counter[Outcome] = Counter()
    for rank in RANKS:
        if shoe[rank]:
            for outcome, ways in walk(shoe.minus([rank])).outcomes.items():
                total[outcome] += shoe[rank] * ways
    expected = {outcome: (shoe.size - 6) * ways for outcome, ways in walk(shoe).outcomes.items()}
    assert dict(total) == expected | {outcome: ways for outcome, ways in total.items() if not ways}


@settings(max_examples=10, deadline=None)
@given(depleted_shoes(), st.permutations(range(9, 13)))
def test_tens_and_pictures_can_change_names(shoe: Shoe, order: list[int]) -> None:
    renamed = Shoe((*shoe.counts[:9], *(shoe.counts[number] for number in order)))
    assert walk(renamed).outcomes == walk(shoe).outcomes


@pytest.mark.parametrize("cards", range(4))
def test_fewer_than_four_cards_are_always_void(cards: int) -> None:
    found = walk(Shoe((cards, *[0] * 12)))
    assert (found.void, found.results) == (found.sample_space, {})
    assert found.sample_space == falling(cards, cards)


def test_five_cards_that_cannot_always_finish() -> None:
    found = walk(Shoe.parse("A=2 2=1 3=1 4=1"))
    assert (found.void, found.sample_space) == (40, 120)


def cells() -> list[tuple[str, int, int]]:
    """Every cell of the Table of Play: the Player's eight and the Banker's eighty-eight."""
    player = [("player", points, 0) for points in range(8)]
    return player + [("banker", points, column) for points, column in product(range(8), range(11))]


def mutated(cell: tuple[str, int, int]) -> TableOfPlay:
    hand, points, column = cell
    player, banker = list(TABLE_OF_PLAY.player), [list(row) for row in TABLE_OF_PLAY.banker]
    if hand == "player":
        player[points] = not player[points]
    else:
        banker[points][column] = not banker[points][column]
    return TableOfPlay(tuple(player), tuple(map(tuple, banker)))


def test_the_table_of_play_has_96_cells() -> None:
    assert len(cells()) == 96 == 8 + sum(len(row) for row in TABLE_OF_PLAY.banker)


@pytest.mark.parametrize("cell", cells(), ids=lambda cell: "-".join(map(str, cell)))
def test_every_wrong_cell_of_the_table_of_play_is_caught(cell: tuple[str, int, int]) -> None:
    """The golden counts of one deck change when a single cell does."""
    assert walk(Shoe.of_decks(1), Round(table=mutated(cell))).results != golden()[1]


def test_the_walk_does_the_same_work_for_any_number_of_decks(monkeypatch: pytest.MonkeyPatch) -> None:
    from combinat.engine import walk as engine

    steps: list[int] = []
    deal_on: Callable[..., None] = engine.deal_on

    def counted(*arguments: object) -> None:
        steps[-1] += 1
        deal_on(*arguments)

    monkeypatch.setattr(engine, "deal_on", counted)
    for decks in (4, 10, 1000):
        steps.append(0)
        found: Distribution = walk(Shoe.of_decks(decks))
        assert found.sample_space == falling(52 * decks, 6)
    assert steps[0] == steps[1] == steps[2]
