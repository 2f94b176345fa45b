"""Insurance to one who knows the cards gone, against every deal of a tiny shoe and against insurance as it is listed."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

import pytest

from combinat import Game, Shoe, load_game
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.odds import one_round_analysis
from combinat.protection.betting import Betting
from combinat.protection.inputs import Tags
from combinat.protection.insurance_count import InsuranceLaw, removal_effects
from combinat.protection.insurance_play import insurance_play
from combinat.rules.cards import RANKS, Rank
from combinat.rules.insurance import InsuranceTable, State
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, COMMISSION_2024

TINY = Shoe.parse("2=1 3=2 6=2 10=1 K=2")
TAGS = Tags.parse("2=1 3=-2 6=1 10=-1 K=2")
"""The ten and the king have different tags."""
SMALL = load_game(str(SMALL_BOOK))
TABLES = pytest.mark.parametrize("table", SMALL.insurance, ids=lambda table: str(table.insured))


class Offer(NamedTuple):
    """Insurance on offer: its state, the cards unseen then, the chance of both and what a unit comes to."""

    state: State
    unseen: Shoe
    chance: Fraction
    value: Fraction


def held(shoe: Shoe) -> list[tuple[Rank, int]]:
    """The ranks of which a shoe has cards, and how many."""
    return [(rank, cards) for rank, cards in zip(RANKS, shoe.counts, strict=True) if cards]


def openings(dealt: Round, left: Shoe, more: int, chance: Fraction) -> Iterator[tuple[Round, Shoe, Fraction]]:
    """Every way to deal this many more cards, with its probability; the fifth is the Player's."""
    if more == 0:
        yield dealt, left, chance
    elif len(dealt.player) + len(dealt.banker) < 4 or dealt.next_hand is Hand.PLAYER:
        for card, cards in held(left):
            likely = chance * Fraction(cards, left.size)
            yield from openings(dealt.with_card(card), left.minus([card]), more - 1, likely)


def worth(table: InsuranceTable, dealt: Round, state: State, unseen: Shoe) -> Fraction:
    """What a unit on an offer comes to, over every order of the cards to come."""
    if dealt.is_over:
        return SMALL.offers[state].net(table.side, dealt.outcome.result)
    return sum(
        (
            Fraction(cards, unseen.size) * worth(table, dealt.with_card(rank), state, unseen.minus([rank]))
            for rank, cards in held(unseen)
        ),
        Fraction(0),
    )


@cache
def offers(table: InsuranceTable, left: int) -> list[Offer]:
    """Every offer of a round that begins with this many cards of the tiny shoe, deal by deal."""
    found, on_table = [], 4 if table.stage is Stage.FOUR_CARDS else 5
    for dealt, rest, likely in openings(SMALL.round(), TINY, on_table, Fraction(1)):
        state = State(table.side, table.stage, dealt.points(Hand.PLAYER), dealt.points(Hand.BANKER))
        if dealt.is_over or state not in SMALL.offers:
            continue
        sets = Counter(combinations(rest, left - on_table))
        for cards, ways in sets.items():
            unseen, chance = Shoe.of(Counter(cards)), likely * Fraction(ways, sets.total())
            found.append(Offer(state, unseen, chance, worth(table, dealt, state, unseen)))
    return found


@TABLES
def test_perfect_insurance_is_that_of_every_deal(table: InsuranceTable) -> None:
    """Taking an offer only where every card seen says so."""
    play = insurance_play(SMALL, table, TINY)
    gains = []
    for left in (6, 7, TINY.size):
        good = [one for one in offers(table, left) if one.value > 0]
        gain = sum((one.chance * one.value for one in good), Fraction(0))
        exact = Betting(chance=sum((one.chance for one in good), Fraction(0)), gain=gain)
        assert play.perfect(left) == exact
        assert play.perfect_range(left) == (exact.gain, exact.gain)  # one card decides every offer
        assert 0 < exact.gain <= play.ceiling(left)
        gains.append(exact.gain)
    assert gains == sorted(gains, reverse=True)
    assert play.by_cards() == exact


@TABLES
def test_a_ceiling_is_the_mean_square_of_every_state_under_the_root(table: InsuranceTable) -> None:
    """At the bottom of a shoe, every set of cards unseen by itself; the roots are within the parts they are cut to."""
    squares = defaultdict[State, list[Fraction]](lambda: [Fraction(0), Fraction(0)])
    for one in offers(table, 7):
        squares[one.state][0] += one.chance
        squares[one.state][1] += one.chance * one.value**2
    total = sum(one.chance * one.value for one in offers(table, 7))
    roots = sum(float(chance * square) ** 0.5 for chance, square in squares.values())
    ceiling = insurance_play(SMALL, table, TINY).ceiling(7)
    assert 0 <= float(ceiling) - (roots + float(total)) / 2 < 1e-11


@TABLES
def test_the_law_of_an_insurance_count_is_that_of_every_deal(table: InsuranceTable) -> None:
    """The count of all cards seen, those on the table among them."""
    tag, law = (
        dict(zip(RANKS, TAGS, strict=True)),
        defaultdict[int, list[Fraction]](lambda: [Fraction(0)] * 2),
    )
    for one in offers(table, 7):
        at = law[sum(tag[card] for card in TINY.minus(one.unseen))]
        at[0] += one.chance
        at[1] += one.chance * one.value
    counts = InsuranceLaw(insurance_play(SMALL, table, TINY), TINY, TAGS, 8).depth(7).counts
    assert len(law) > 3
    assert [(at.running, at.probability, at.expected_value) for at in counts] == [
        (running, chance, gain / chance) for running, (chance, gain) in sorted(law.items())
    ]


def states_of(game: Game, table: InsuranceTable, shoe: Shoe) -> list[tuple[Fraction, Fraction]]:
    """The probability and the expected value of every state of a table that can arise."""
    return [
        (one.probability, one.expected_value)
        for one in insurance_analysis(game, one_round_analysis(game, shoe).distribution)
        if (one.state.side, one.state.stage) == table.insured and one.expected_value is not None
    ]


@pytest.mark.parametrize("number", range(4))
def test_insurance_on_a_fresh_shoe_is_that_of_its_states(number: int) -> None:
    game, shoe = load_game("commission-insurance-2013"), Shoe.of_decks(8)
    table = game.insurance[number]
    play = insurance_play(game, table, shoe)
    good = [(chance, value) for chance, value in states_of(game, table, shoe) if value > 0]
    assert sum(chance * value for chance, value in good) <= play.by_cards().gain <= play.ceiling(416)
    least, most = play.perfect_range(8)
    assert least <= play.perfect(8).gain <= most <= play.ceiling(8)
    assert (least == most) == (table.stage is Stage.PLAYER_THIRD_CARD)


def test_the_effects_of_insurance_are_those_of_a_card_removed() -> None:
    """The mean of a unit on every offer, state by state, before and after a card leaves the shoe."""
    game, shoe = load_game(COMMISSION_2013), Shoe.of_decks(8)
    table = game.insurance[2]
    effects = removal_effects(insurance_play(game, table, shoe))
    fresh, *less = (
        sum((chance * value for chance, value in states_of(game, table, of)), Fraction(0))
        for of in (shoe, *(shoe.minus([RANKS[number]]) for number in (0, 6, 12)))
    )
    assert [effects[number] for number in (0, 6, 12)] == [mean - fresh for mean in less]


COUNTED = {
    (COMMISSION_2024, "banker@four-cards"): ("A=1 4=-1 5=-1 6=-1 7=-1 8=-1 10=1 J=1 Q=1 K=1", "1.8046"),
    (COMMISSION_2024, "player@four-cards"): ("A=1 4=-1 5=-1 6=-1 7=-1 8=-1 10=1 J=1 Q=1 K=1", "1.2110"),
    (COMMISSION_2024, "player@player-third-card"): (
        "A=1 2=1 4=-1 5=-1 6=-1 7=-1 8=-1 9=-1 10=1 J=1 Q=1 K=1",
        "1.8713",
    ),
    (COMMISSION_2024, "banker@player-third-card"): ("A=1 2=1 3=1 7=-1 8=-1 9=-1", "1.1714"),
    (COMMISSION_2013, "banker@player-third-card"): ("A=1 2=1 3=1 7=-1 8=-1 9=-1", "0.3903"),
}
"""The best balanced tags of at most 1 in size, and their gain with 8 cards left in per cent of a stake."""


@pytest.mark.parametrize(("game", "insured"), COUNTED, ids=str)
def test_a_count_of_one_level_beats_insurance_deep_in_the_shoe(game: str, insured: str) -> None:
    tags, gain = COUNTED[game, insured]
    loaded, shoe = load_game(game), Shoe.of_decks(8)
    (table,) = [one for one in loaded.insurance if str(one.insured) == insured]
    sides = InsuranceLaw(insurance_play(loaded, table, shoe), shoe, Tags.parse(tags), 8).depth(8).sides
    assert (sides.bets_up, sides.bets_down) == (1, None)
    assert f"{float(100 * sides.gain):.4f}" == gain
