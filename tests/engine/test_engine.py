"""The walk: golden counts, equality with the independent dealer, and its laws. Every wrong cell of the Table of Play: ``tests/rules``."""

from collections import Counter
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from combinat import Shoe
from combinat.engine.distribution import falling
from combinat.engine.walk import every_round, walk
from combinat.rules.cards import RANKS, parse_cards
from combinat.rules.outcome import Outcome, Result
from combinat.rules.round import Round
from tests.oracle import dealer
from tests.oracle.dealer import Cards, Deal
from tests.oracle.shoes import depleted_shoes, shoe_of, shoes_of_few_ranks, small_shoes
from tests.paths import GOLDEN


@cache
def golden() -> dict[int, dict[Result, int]]:
    """The golden file: decks, Player points and cards, Banker points and cards, ways."""
    counts: dict[int, dict[Result, int]] = {}
    for line in (GOLDEN / "results.txt").read_text().splitlines():
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


def test_the_golden_file_is_complete() -> None:
    assert {decks: sum(ways.values()) for decks, ways in golden().items()} == {
        decks: falling(52 * decks, 6) for decks in (1, 2, 4, 6, 8, 10)
    }


@pytest.mark.parametrize("decks", [1, 8])
def test_the_independent_dealer_has_the_golden_counts(decks: int) -> None:
    assert by_dealer(Shoe.of_decks(decks)) == golden()[decks]


def by_dealer(shoe: Shoe) -> dict[Result, int]:
    return {Result(*ended): ways for ended, ways in dealer.results(shoe.counts).items()}


# ---------------------------------------------------------------- the independent dealer, card by card


def agrees(shoe: Shoe, player: Cards = (), banker: Cards = ()) -> None:
    """Every outcome and the void rounds, with their ways, from these cards on; and the definition's rounds."""
    start = Round(parse_cards(" ".join(player)), parse_cards(" ".join(banker)))
    deals = dealer.deals(shoe.counts, player, banker)
    outcomes: Counter[Outcome] = Counter()
    for deal, ways in deals.items():
        if not deal.is_void:
            outcome = Outcome.of(*(parse_cards(" ".join(hand)) for hand in (deal.player, deal.banker)))
            outcomes[Outcome(outcome.result._replace(thirds=None), outcome.first_four.without_ranks)] += ways
    distribution = walk(shoe, start)
    assert distribution.outcomes == outcomes
    assert distribution.void == sum(ways for deal, ways in deals.items() if deal.is_void)
    to_deal = min(shoe.size, 6 - len(player) - len(banker))
    assert distribution.sample_space == deals.total() == falling(shoe.size, to_deal)
    defined: Counter[Deal] = Counter()
    for ended, ways in every_round(shoe, start):
        hands = [dealer.in_no_order(tuple(map(str, hand))) for hand in (ended.player, ended.banker)]
        taken = sum(map(len, hands)) - len(player) - len(banker)
        unseen = falling(shoe.size - taken, to_deal - taken)
        defined[Deal(hands[0], hands[1], not ended.is_over)] += ways * unseen
    assert defined == deals


@settings(max_examples=50)
@given(small_shoes(most=7))
@example(Shoe.parse("A=2 4=2 9=1 10=1 Q=1"))
@example(Shoe.parse("K=9"))
def test_every_round_of_a_small_shoe(shoe: Shoe) -> None:
    agrees(shoe)


@settings(max_examples=50)
@given(st.lists(st.sampled_from(dealer.RANKS), min_size=5, max_size=9), st.integers(1, 5))
def test_every_round_from_any_point_of_a_round(cards: list[str], known: int) -> None:
    player, banker = dealer.hands_of(cards[:known])
    agrees(shoe_of(cards[len(player) + len(banker) :]), player, banker)


@pytest.mark.parametrize(
    ("player", "banker"),
    [("", "7"), ("5", ""), ("5 4", ""), ("", "K 6"), ("5", "K 6"), ("5 K", "6 K"), ("5 K 7", "6 K")],
)
def test_with_some_of_the_first_cards_known(player: str, banker: str) -> None:
    agrees(Shoe.parse("A=1 4=2 7=1 9=1 Q=2"), tuple(player.split()), tuple(banker.split()))


@settings(max_examples=50)
@given(shoes_of_few_ranks(most=32))
def test_shoes_of_few_ranks_by_six_cards_at_once(shoe: Shoe) -> None:
    distribution = walk(shoe)
    assert distribution.by_points == dealer.courses(shoe.counts)
    assert sum(distribution.by_points.values()) == falling(shoe.size, 6) == distribution.sample_space
    assert distribution.void == 0


@settings(max_examples=4)
@given(depleted_shoes())
def test_depleted_shoes_by_six_cards_at_once(shoe: Shoe) -> None:
    assert walk(shoe).by_points == dealer.courses(shoe.counts)


# ---------------------------------------------------------------- laws


@settings(max_examples=50)
@given(shoes_of_few_ranks(most=9).filter(lambda shoe: shoe.size >= 7))
@example(Shoe.parse("A=30 2=1 5=9 6=2 9=17 10=4 K=8"))
def test_removing_a_card_at_random_changes_nothing_on_average(shoe: Shoe) -> None:
    """The sum over r of n_r * ways(shoe - r) is (N - 6) * ways(shoe), for every outcome."""
    total: Counter[Outcome] = Counter()
    for rank in RANKS:
        if shoe[rank]:
            for outcome, ways in walk(shoe.minus([rank])).outcomes.items():
                total[outcome] += shoe[rank] * ways
    assert +total == {outcome: (shoe.size - 6) * ways for outcome, ways in walk(shoe).outcomes.items()}


@settings(max_examples=50)
@given(small_shoes(least=6, most=16), st.permutations(range(9, 13)))
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


def test_the_cost_of_a_walk_does_not_grow_with_the_shoe() -> None:
    """A walk that took a step for each card would not end."""
    distribution = walk(Shoe((10**9,) * 13))
    assert sum(distribution.results.values()) == distribution.sample_space == falling(13 * 10**9, 6)
