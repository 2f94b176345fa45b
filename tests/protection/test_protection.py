"""Game protection without chance: perfect play, counts, ceilings, each against another way to compute it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import Game, Shoe, analyze, load_game, protect
from combinat.analysis.odds import one_round_analysis
from combinat.analysis.removal import removals
from combinat.base.errors import InputError
from combinat.montecarlo.dealer import Chance, ThirdCardRules, packed
from combinat.montecarlo.shoes import Burn, ShoeDealing, deal, shuffled_shoes
from combinat.protection import ceiling as ceilings
from combinat.protection.betting import NOTHING
from combinat.protection.compositions import (
    TENS,
    blocks,
    compositions,
    kinds_by_points,
    kinds_by_rank,
    perfect_play,
    weighted_sums,
    work,
)
from combinat.protection.count import CountAnswer, count
from combinat.protection.count_law import Depth, Running, true_count
from combinat.protection.inputs import Tags
from combinat.protection.lanes import Lanes
from combinat.protection.perfect import perfect
from combinat.protection.samples import sample_by_rank, samples
from combinat.protection.wagers import nearest_tags, share_seen
from combinat.rules.book.load import parsed_game
from combinat.rules.bounds import TAG
from combinat.rules.cards import RANKS, Rank
from combinat.rules.outcome import Outcome
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025
from tests.games import loaded
from tests.paths import BOOKS
from tests.protection.joint_bets import JOINT

TAGS = "4=-1 5=-1 6=-1 7=-1 8=2 9=2"
DRAGON_BOOK, SMALL = str(BOOKS / "dragon-panda.toml"), str(SMALL_BOOK)
SMALL_GAME = load_game(SMALL)
TINY = Shoe.parse("A=1 4=2 6=3 10=2 K=1")
"""Nine cards, tens and pictures of two ranks among them."""
MIDDLING = Shoe.parse("A=3 5=2 6=4 8=3 9=2 10=1 J=2 K=2")


@pytest.fixture(scope="module")
def game() -> Game:
    """The small game with bets that look at ranks and points together."""
    text = SMALL_BOOK.read_text("utf-8").replace('"small-baccarat"', '"joint"') + JOINT
    return parsed_game(text.encode(), Path("joint.toml"))


def depths(game: Game, bet: str, shoe: Shoe, tags: Tags, lefts: list[int]) -> Sequence[Depth]:
    return count(game, bet, tags, lefts, shoe=shoe).depths


def best(game: Game, bet: str, shoe: Shoe, largest: int) -> CountAnswer:
    return count(game, bet, left=8, shoe=shoe, largest=largest)


def ids(game: Game) -> list[str]:
    return [bet.id for bet in game.bets]


# ---------------------------------------------------------------- every ordered deal of a tiny shoe


def played_out(game: Game, cards: tuple[Rank, ...]) -> dict[str, Fraction]:
    """The mean net result of every bet over every order of dealing six of these cards."""
    deals, outcomes = Counter(permutations(cards, 6)), Counter[Outcome]()
    for six, ways in deals.items():
        dealt = game.round()
        for card in six:
            if not dealt.is_over:
                dealt = dealt.with_card(card)
        outcomes[dealt.outcome] += ways
    return {
        bet.id: sum(ways * bet.net(outcome) for outcome, ways in outcomes.items()) / Fraction(deals.total())
        for bet in game.bets
    }


def left_over(shoe: Shoe, left: int) -> Counter[tuple[Rank, ...]]:
    """Every set of so many cards that a shoe can leave, with how often it is left."""
    return Counter(combinations(shoe, left))


@pytest.fixture(scope="module")
def values(game: Game) -> dict[tuple[Rank, ...], dict[str, Fraction]]:
    """What every bet is worth with each seven of the nine cards left, by playing all deals out."""
    return {cards: played_out(game, cards) for cards in left_over(TINY, 7)}


def test_perfect_play_is_what_playing_every_deal_out_comes_to(
    game: Game, values: dict[tuple[Rank, ...], dict[str, Fraction]]
) -> None:
    play, by_bet = perfect_play(game, TINY, 7, ids(game)), samples(game, TINY)
    sets, fresh = left_over(TINY, 7), analyze(game, TINY)
    for bet, one in play.items():
        worth = [(Fraction(ways, comb(9, 7)), values[cards][bet]) for cards, ways in sets.items()]
        mean = sum(chance * value for chance, value in worth)
        assert mean == fresh.bet(bet).expected_value == by_bet[bet].mean(bet)
        assert one.chance == sum(chance for chance, value in worth if value > 0)
        assert one.gain == sum(chance * max(value, Fraction(0)) for chance, value in worth)
        assert by_bet[bet].mean_square(bet, 7) == sum(chance * value**2 for chance, value in worth)
    assert any(0 < one.chance < 1 for one in play.values())
    by_points = {tuple(sorted(rank.points for rank in cards)) for cards in sets}
    assert perfect(game, 7, shoe=TINY).compositions == len(by_points)


@pytest.mark.parametrize(
    "tags",
    ["A=1 6=-1 4=2", "10=1 K=-1 4=3", "A=-5 4=10 6=5 10=5 K=5", "2=7"],
)
def test_a_count_is_what_playing_every_deal_out_comes_to(
    game: Game, values: dict[tuple[Rank, ...], dict[str, Fraction]], tags: str
) -> None:
    counting = Tags.parse(tags)
    for bet in ("punto", "six", "any-pair", "pair-and-win", "own-pair"):
        (depth,) = depths(game, bet, TINY, counting, [7])
        law = defaultdict[int, list[Fraction]](lambda: [Fraction(0)] * 2)
        for cards, ways in left_over(TINY, 7).items():
            running = law[sum(counting[rank] for rank in TINY.minus(cards))]
            running[0] += Fraction(ways, comb(9, 7))
            running[1] += Fraction(ways, comb(9, 7)) * values[cards][bet]
        assert [(count.running, count.probability, count.expected_value) for count in depth.counts] == [
            (running, chance, gain / chance) for running, (chance, gain) in sorted(law.items())
        ]


# ---------------------------------------------------------------- laws


@pytest.mark.parametrize("shoe", [MIDDLING, TINY], ids=lambda shoe: shoe.in_short)
def test_perfect_play_gains_more_the_deeper_it_is_and_never_more_than_its_ceilings(
    game: Game, shoe: Shoe
) -> None:
    before = dict.fromkeys(("punto", "six", "own-pair"), Fraction(0))
    for left in (8, 7, 6):
        play = perfect_play(game, shoe, left, list(before))
        assert all(before[bet] <= one.gain for bet, one in play.items())
        before = {bet: one.gain for bet, one in play.items()}
        for bet, one in play.items():
            sample = samples(game, shoe)[bet]
            bound = ceilings.ceiling(sample, bet, left)
            assert bound >= one.gain
            (depth,) = depths(game, bet, shoe, Tags.parse("A=1 6=-1 8=2"), [left])
            square = sample.square_over(bet, left)
            assert ceilings.ceiling_by_count(depth, square, sample.mean(bet)) >= one.gain


def test_a_count_that_explains_everything_gives_the_exact_gain() -> None:
    """With two kinds of cards the number of one of them tells the composition."""
    game, shoe = SMALL_GAME, Shoe.parse("6=8 K=8")
    sample = samples(game, shoe)["six"]
    play = perfect_play(game, shoe, 8, ["six"])["six"]
    (depth,) = depths(game, "six", shoe, Tags.parse("6=1"), [8])
    ceiling = ceilings.ceiling_by_count(depth, sample.square_over("six", 8), sample.mean("six"))
    assert 0 <= ceiling - play.gain < Fraction(1, 10**5)
    assert play.gain < ceilings.ceiling(sample, "six", 8) - Fraction(1, 1000)


def test_sums_of_cards_explain_what_a_straight_line_does() -> None:
    """With two kinds of cards a sum of tags is a count of one of them, and the best is its regression."""
    game, shoe = SMALL_GAME, Shoe.parse("6=6 K=6")
    sample = samples(game, shoe)["six"]
    left = 8
    law = []
    for sixes in range(2, 7):
        cards = Shoe.parse(f"6={sixes} K={left - sixes}")
        chance = Fraction(comb(6, sixes) * comb(6, left - sixes), comb(12, left))
        law.append((chance, sixes, one_round_analysis(game, cards).bet("six").expected_value))
    mean = sum(chance * value for chance, _, value in law)
    middle = sum(chance * sixes for chance, sixes, _ in law)
    both = sum(chance * (sixes - middle) * (value - mean) for chance, sixes, value in law)
    spread = sum(chance * (sixes - middle) ** 2 for chance, sixes, _ in law)
    assert sample.first_order("six", left) == both**2 / spread
    assert 0 < sample.first_order("six", left) < sample.variance("six", left)


def test_the_effects_are_those_of_removal(game: Game) -> None:
    shoe, bets = Shoe.of_decks(1), ["six", "point-pair", "own-pair"]
    few = msgspec.structs.replace(game, bets=tuple(map(game.bet, bets)))
    effects = {str(one.subject): one.effects for one in removals(few, shoe)}
    for bet in bets:
        by_rank = sample_by_rank(few, shoe) if bet == "six" else samples(few, shoe)[bet]
        assert by_rank.removal_effects(bet) == tuple(effects[bet][(rank,)] for rank in RANKS)


# ---------------------------------------------------------------- compositions


@pytest.mark.parametrize(("shoe", "left"), [(TINY, 7), (MIDDLING, 6), (Shoe.of_decks(8), 414)])
def test_the_blocks_are_all_the_compositions_with_all_their_ways(shoe: Shoe, left: int) -> None:
    """With few cards gone too, where parts that cannot be filled up are not begun."""
    for kinds, alike in (
        (kinds_by_points(shoe, left), lambda counts: Shoe(counts).by_points),
        (kinds_by_rank(shoe, left), lambda counts: counts),
    ):
        met = [alike(tuple(counts)) for block in blocks(kinds, left) for counts in block.counts.tolist()]
        assert len(met) == len(set(met)) == compositions(kinds, left)
        ways = sum(sum(block.first_ways) * sum(block.second_ways) for block in blocks(kinds, left))
        assert ways == comb(shoe.size, left)


def test_ways_of_any_size_are_weighed_exactly() -> None:
    """By digits, and by Python's integers where values leave no room for digits."""
    import numpy as np

    (block, *_) = blocks(kinds_by_points(Shoe.of_decks(400), 12), 12)
    rows = len(block.first_ways) * len(block.second_ways)
    small = np.arange(rows, dtype=np.int64)[:, None] % 1000 - 500
    ways = [first * second for first in block.first_ways for second in block.second_ways]
    for values in (small, small * 2**45, small.astype(object) * 10**30):
        assert weighted_sums(block, values) == [
            sum(way * value for way, value in zip(ways, values[:, 0].tolist(), strict=True))
        ]


@given(st.lists(st.integers(-1000, 1000), max_size=20))
def test_lanes_hold_what_was_put_into_them(counts: list[int]) -> None:
    lanes = Lanes.up_to(2 * 1000)
    row = sum(lanes.shifted(count, place) for place, count in enumerate(counts))
    assert dict(lanes.signed(row)) == {place: count for place, count in enumerate(counts) if count}


# ---------------------------------------------------------------- a whole shoe


def test_a_shoe_has_a_quarter_of_the_ceilings_down_to_three_cards_into_its_last_round() -> None:
    game, shoe = SMALL_GAME, Shoe.of_decks(1)
    sample = samples(game, shoe)["six"]
    at = {left: ceilings.ceiling(sample, "six", left) for left in range(6, 53)}
    bounds = ceilings.shoe_ceilings(at.__getitem__, 52)
    assert bounds[20] == sum(at[left] for left in range(20 - 6 - 3, 53)) / 4
    assert bounds[12] == (3 * at[6] + sum(at.values())) / 4  # with 5, 4 and 3 left as with 6
    assert list(bounds) == list(range(12, 52))


@given(st.fractions(min_value=0, max_value=100))
def test_a_root_is_never_taken_too_small(square: Fraction) -> None:
    root = Fraction(ceilings.root_in_parts(square.numerator, square.denominator), ceilings.PARTS)
    assert root**2 >= square
    assert root == 0 or (root - Fraction(1, ceilings.PARTS)) ** 2 < square


# ---------------------------------------------------------------- published figures

AT_14_CARDS = {
    "player": ("0.064261538225", "0.000574326330"),
    "banker-commission": ("0.085977323710", "0.000533283930"),
    "banker-half-on-6": ("0.116423258351", "0.000792909942"),
    "tie": ("0.093038995186", "0.009879068510"),
    "dragon-7": ("0.419586110793", "0.109558816397"),
    "panda-8": ("0.348971851695", "0.075082003497"),
    "big-tiger": ("0.321357598388", "0.085448017855"),
    "tiger": ("0.248749114261", "0.067799304501"),
    "wu-dalang": ("0.177136581238", "0.114718407679"),
}
"""Every composition of 14 cards of 8 decks: favourable, gain a round; twelve decimals."""


@pytest.mark.full
def test_perfect_play_at_14_cards_of_8_decks() -> None:
    shoe = Shoe.of_decks(8)
    play = perfect_play(loaded(DRAGON_BOOK), shoe, 14, list(AT_14_CARDS))
    assert work(loaded(DRAGON_BOOK), shoe, 14, list(AT_14_CARDS)) == comb(14 + 9, 9)
    analysis = one_round_analysis(loaded(DRAGON_BOOK), shoe)
    by_bet = samples(loaded(DRAGON_BOOK), shoe)
    for bet, one in play.items():
        assert tuple(f"{float(figure):.12f}" for figure in (one.chance, one.gain)) == AT_14_CARDS[bet]
        assert by_bet[bet].mean(bet) == analysis.bet(bet).expected_value
        assert ceilings.ceiling(by_bet[bet], bet, 14) >= one.gain


DRAGON = {
    26: ("0.3875", "0.1284", "4"),
    52: ("0.3001", "0.0858", "4"),
    104: ("0.1896", "0.0542", "4"),
    208: ("0.0570", "0.0299", "3.75"),
}
"""Cards left: how often the true count is 4 or more, the average edge then, the first favourable true count.

Printed from floats that left very unlikely states out: good to a unit of the last digit.
"""


def test_the_count_of_dragon_7() -> None:
    tags, unit = Tags.parse("4=-1 5=-1 6=-1 7=-1 8=2 9=2"), Fraction(1, 10_000)
    for depth in depths(loaded(DRAGON_BOOK), "dragon-7", Shoe.of_decks(8), tags, list(DRAGON)):
        chance, edge, first = map(Fraction, DRAGON[depth.left])
        made, bet_at = (
            depth.from_index(Fraction(4)),
            [one for one in depth.counts if one.running * 52 >= 4 * depth.left],
        )
        assert made.chance == sum(one.probability for one in bet_at)
        assert made.gain == sum(one.probability * one.expected_value for one in bet_at)
        assert made.edge == made.gain / made.chance
        assert (abs(made.chance - chance) < unit, abs(made.edge - edge) < unit) == (True, True)
        assert sum(one.probability for one in depth.counts) == 1
        assert true_count(depth.first_favourable, depth.unseen) == first
        assert depth.mean == 0
        assert depth.favourable.gain >= made.gain


def test_a_count_bets_on_the_sides_of_the_mean_that_gain() -> None:
    """The best tags of the Tie gain below the mean alone, those of ranks apart on a pair on both sides alike."""
    game, shoe = load_game("commission-insurance-2013"), Shoe.of_decks(8)
    tie = best(game, "tie", shoe, 2).tags
    halves = Tags.parse("A=1 2=1 3=1 4=1 5=1 6=1 8=-1 9=-1 10=-1 J=-1 Q=-1 K=-1")
    for bet, tags, is_up in (("tie", tie, False), ("player-pair", halves, True)):
        (depth,) = depths(game, bet, shoe, tags, [8])
        sides, good = depth.sides, [count.running for count in depth.counts if count.expected_value > 0]
        assert depth.first_favourable == min(running for running in good if running >= 0)
        assert depth.first_favourable_below == max(running for running in good if running < 0)
        assert (sides.bets_up, sides.bets_down) == (
            depth.first_favourable if is_up else None,
            depth.first_favourable_below,
        )
        made = [
            count
            for count in depth.counts
            if (sides.bets_up is not None and count.running >= sides.bets_up)
            or (sides.bets_down is not None and count.running <= sides.bets_down)
        ]
        assert sides.chance == sum(count.probability for count in made)
        assert sides.gain == sum(count.probability * count.expected_value for count in made)
        assert Fraction(99, 100) * depth.favourable.gain <= sides.gain <= depth.favourable.gain


def test_a_count_that_never_favours_the_player() -> None:
    (depth,) = depths(SMALL_GAME, "punto", Shoe.of_decks(1), Tags.parse("2=1"), [50])
    assert (depth.first_favourable, depth.favourable) == (None, NOTHING)
    assert depth.favourable.edge is None


@pytest.mark.parametrize(
    ("nets", "first", "below", "sides"),
    [
        ((0, 5, 0, 9), 1, -1, (1, -1)),
        ((0, 0, 3, 9), 0, None, (0, None)),
        ((-1, -1, -1, 0), None, None, (None, None)),
        ((0, -100, 9, -900), 0, None, (None, None)),
        ((500, 0, 0, 4), 1, -2, (None, -2)),
    ],
)
def test_a_side_is_bet_where_it_gains(
    nets: tuple[int, ...], first: int | None, below: int | None, sides: tuple[int | None, int | None]
) -> None:
    """The mean counts with the counts above it; a side that gains a hundredth of the other is left alone."""
    counts = tuple(Running(running, 1, net, 4, 900) for running, net in zip(range(-2, 2), nets, strict=True))
    depth = Depth(left=26, unseen=26, counts=counts)
    assert (depth.first_favourable, depth.first_favourable_below) == (first, below)
    assert (depth.sides.bets_up, depth.sides.bets_down) == sides


def test_a_pair_favours_the_player_in_one_of_ten_compositions_of_a_deck() -> None:
    """And no depth is too much for it."""
    game = load_game("commission-insurance-2013")
    (pair,) = perfect(game, 52, bets=["player-pair"]).bets
    assert pair.play is not None
    assert (f"{float(pair.play.chance):.4f}", pair.mean) == ("0.0960", Fraction(-43, 415))


# ---------------------------------------------------------------- what cannot be


EIGHT_DECKS, TOO_MANY_DECKS = Shoe.of_decks(8), Shoe.of_decks(17)
REFUSED: dict[str, Callable[[Game], object]] = {
    "perfect play below a round": lambda game: perfect_play(game, TINY, 5, ["punto"]),
    "perfect play above the shoe": lambda game: perfect_play(game, TINY, 10, ["punto"]),
    "a count below a round": lambda game: depths(game, "punto", TINY, Tags.parse("A=1"), [5]),
    "a count above the shoe": lambda game: depths(game, "punto", TINY, Tags.parse("A=1"), [10]),
    "a ceiling below a round": lambda game: ceilings.ceiling(samples(game, TINY)["punto"], "punto", 5),
    "a ceiling above the shoe": lambda game: ceilings.ceiling(samples(game, TINY)["punto"], "punto", 10),
    "the best tags of a pair": lambda game: best(game, "own-pair", Shoe.of_decks(1), 2),
    "the best tags of a shoe that is not fresh": lambda game: best(game, "punto", TINY, 2),
    "best tags of six levels": lambda game: best(game, "punto", Shoe.of_decks(1), 6),
    "too many compositions": lambda game: perfect_play(game, EIGHT_DECKS, 30, ["punto", "six"]),
    "too many compositions by rank": lambda game: perfect_play(game, EIGHT_DECKS, 26, ["pair-and-win"]),
    "too many running counts": lambda game: depths(
        game, "punto", EIGHT_DECKS, Tags.parse("A=-1000 2=1 K=999"), [52]
    ),
    "a count of too many decks": lambda game: depths(game, "punto", TOO_MANY_DECKS, Tags.parse("A=1"), [52]),
    "ceilings of too many decks": lambda game: perfect(
        game, 26, shoe=TOO_MANY_DECKS, ceilings=True, cut_card=14
    ),
    "bounds of too many decks": lambda game: protect(game, shoe=TOO_MANY_DECKS),
    "perfect play of insurance": lambda game: perfect(game, 7, decks=1, bets=["player@four-cards"]),
    "compositions of a thousand decks": lambda game: work(game, Shoe.of_decks(1000), 26_000, ["punto"]),
}


@pytest.mark.parametrize("ask", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_or_would_take_too_long_is_refused(game: Game, ask: Callable[[Game], object]) -> None:
    with pytest.raises(InputError):
        ask(game)


def test_the_work_of_large_shoes_is_that_of_few_cards_left_or_gone() -> None:
    """The least that is sure is never more than there are."""
    assert list(RANKS)[TENS[0] :] == [RANKS[number] for number in TENS]
    assert work(SMALL_GAME, Shoe.of_decks(100), 12, ["punto"]) == comb(12 + 9, 9)
    assert work(SMALL_GAME, Shoe.of_decks(1000), 51_998, ["punto"]) == comb(2 + 9, 9)


# ---------------------------------------------------------------- tags as written


@given(st.tuples(*[st.integers(-TAG, TAG)] * len(RANKS)))
def test_printed_tags_are_read_back(values: tuple[int, ...]) -> None:
    assert Tags.parse(str(Tags(values))) == Tags(values)


@pytest.mark.parametrize("values", [(0,) * 12, [0] * 13, (True,) * 13, ("1",) * 13, "", "8=1 8=2", "8=1001"])
def test_tags_that_are_refused(values: Any) -> None:
    with pytest.raises(InputError):
        Tags.parse(values) if isinstance(values, str) else Tags(values)


# ---------------------------------------------------------------- the commands


def test_larger_tags_see_more_of_a_bet() -> None:
    two, three = (
        best(loaded(DRAGON_BOOK), "dragon-7", Shoe.of_decks(8), largest).share for largest in (2, 3)
    )
    assert two is not None
    assert three is not None
    assert 0 < two < three < 1


@pytest.mark.parametrize(
    ("bet", "within"), [("tie", 23), ("player-pair", 63), ("player@player-third-card", 204)]
)
def test_a_sufficient_cut_card_keeps_the_ceiling_within_the_limit(bet: str, within: int) -> None:
    """Of insurance too. Ceilings fall with the cards left; nothing is known of a fresh shoe but the cards on the table."""
    found = perfect(COMMISSION_2013, "26,52,416", bets=[bet], ceilings=True, cut_card=14)
    (one,) = found.bets
    assert (one.id, one.sufficient_cut) == (bet, within)
    assert one.over_shoe is not None
    assert one.over_shoe > one.ceilings[26] > one.ceilings[52] > one.ceilings[416]
    assert "@" in bet or one.ceilings[416] <= Fraction(1, 10**11)


def test_perfect_play_of_one_bet_and_a_cut_card() -> None:
    """Its limit decides which cut card suffices."""
    found = perfect(SMALL, 7, decks=1, bets=["six"], cut_card=14, limit="1/4")
    sample = samples(SMALL_GAME, Shoe.of_decks(1))["six"]
    (one,) = found.bets
    assert one.play == perfect_play(SMALL_GAME, Shoe.of_decks(1), 7, ["six"])["six"]
    bounds = ceilings.shoe_ceilings(lambda left: ceilings.ceiling(sample, "six", left), 52)
    assert one.over_shoe == bounds[14]
    assert one.sufficient_cut == min(cut for cut, gain in bounds.items() if gain <= Fraction(1, 4)) > 14


# ---------------------------------------------------------------- one rule for the cut card


@pytest.mark.parametrize("after", [0, 1, 2])
def test_no_round_of_a_study_begins_with_fewer_cards(after: int) -> None:
    """Of many shoes the deepest round begins with exactly as many."""
    dealing = ShoeDealing(cut_card=18, burn=Burn(), after=after)
    shoe, shoes = Shoe.of_decks(1), 40_000
    decks = shuffled_shoes(Chance(1, 0), packed(shoe), shoes)
    rules = ThirdCardRules.of(load_game(COMMISSION_2013))
    assert min(turn.left.min() for turn in deal(decks, dealing, rules)) == dealing.fewest_left()


# ---------------------------------------------------------------- the best whole tags are the best of all


@pytest.mark.parametrize(
    ("game", "bet", "largest", "tags", "share"),
    [
        (DRAGON_BOOK, "dragon-7", 2, TAGS, "92.97"),
        (NONCOMMISSION_2025, "banker", 2, "A=1 2=1 3=1 4=1 5=-1 6=1 7=-2 8=-2 9=-1 K=1", "90.40"),
        (
            NONCOMMISSION_2025,
            "tie",
            3,
            "2=-1 3=-1 4=-1 5=-1 6=-3 7=-3 8=2 9=1 10=1 J=2 Q=2 K=2",
            "95.74",
        ),
    ],
)
def test_the_best(game: str, bet: str, largest: int, tags: str, share: str) -> None:
    """Jacobson's published count of Dragon 7; tens and pictures may have tags of their own."""
    found = best(load_game(game), bet, Shoe.of_decks(8), largest)
    assert found.share is not None
    assert found.tags == Tags.parse(tags)
    assert f"{float(100 * found.share):.2f}" == share


@settings(max_examples=50)
@given(st.lists(st.integers(-36, 36), min_size=3, max_size=3).filter(lambda effects: len(set(effects)) > 1))
def test_no_tags_of_one_level_see_more(few: list[int]) -> None:
    """Of 3**13 tags, by how many ranks of each effect have each tag: that decides their sum and their share."""
    effects = [few[number % 3] for number in range(13)]
    exact = tuple(map(Fraction, effects))
    numbers = Counter(effects)
    splits = [
        [cut for cut in product(range(number + 1), repeat=2) if sum(cut) <= number]
        for number in numbers.values()
    ]
    largest = [0] * 7
    for chosen in product(*splits):
        ups = sum(up for up, _ in chosen)
        if ups == sum(down for _, down in chosen):
            seen = sum(effect * (up - down) for effect, (up, down) in zip(numbers, chosen, strict=True))
            largest[ups] = max(largest[ups], seen**2)
    squares = sum((effect - sum(exact) / 13) ** 2 for effect in exact)
    shares = [square / (2 * ups * squares) for ups, square in enumerate(largest) if ups]
    assert max(shares) <= share_seen(exact, nearest_tags(exact, 1))


def test_of_equal_tags_the_smallest_are_taken() -> None:
    """Tags twice as large see as much: those of size 1 are given."""
    effects = (Fraction(1), Fraction(-1), *[Fraction(0)] * 11)
    assert nearest_tags(effects, 2) == Tags((1, -1, *[0] * 11))
