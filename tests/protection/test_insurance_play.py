"""Insurance to one who knows the cards gone, against every deal of a tiny shoe and against insurance as it is listed."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import comb

import pytest

from combinat import Game, Shoe, load_game
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.odds import one_round_analysis
from combinat.base.errors import InputError
from combinat.protection.ceiling import shoe_ceilings
from combinat.protection.count_law import Betting
from combinat.protection.inputs import Tags
from combinat.protection.insurance_count import InsuranceLaw, removal_effects
from combinat.protection.insurance_play import InsurancePlay
from combinat.protection.summary import ROUND_LIMIT, Beaten, InsuranceProtection, insurance_protection
from combinat.rules.cards import RANKS, Rank
from combinat.rules.insurance import InsuranceTable, State
from combinat.rules.round import Round, Stage
from combinat.rules.shoe import Shoe as Cards
from combinat.rules.table_of_play import Hand
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, COMMISSION_2024

TINY = Shoe.parse("2=2 3=2 4=1 6=3 K=2")
SMALL = load_game(str(SMALL_BOOK))


def held(shoe: Shoe) -> list[tuple[Rank, int]]:
    """The ranks of which a shoe has cards, and how many."""
    return [(rank, cards) for rank, cards in zip(RANKS, shoe.counts, strict=True) if cards]


def openings(game: Game, shoe: Shoe, stage: Stage) -> Iterator[tuple[Round, Shoe, Fraction]]:
    """Every way to come to a stage, card by card, with its chance."""
    ranks = [rank for rank, _ in held(shoe)]
    for cards in product(ranks, repeat=4 if stage is Stage.FOUR_CARDS else 5):
        dealt, left, chance = game.round(), shoe, Fraction(1)
        for number, card in enumerate(cards):
            if number == 4 and dealt.next_hand is not Hand.PLAYER:
                chance = Fraction(0)
            if chance := chance * Fraction(dict(held(left)).get(card, 0), left.size):
                dealt, left = dealt.with_card(card), left.minus([card])
            else:
                break
        if chance:
            yield dealt, left, chance


def unseen_cards(left: Shoe, number: int) -> Iterator[tuple[Shoe, Fraction]]:
    """Every set of so many cards among these, with its chance."""
    ranks = held(left)
    for split in product(*(range(cards + 1) for _, cards in ranks)):
        if sum(split) == number:
            ways = 1
            for (_, cards), few in zip(ranks, split, strict=True):
                ways *= comb(cards, few)
            some = {rank: few for (rank, _), few in zip(ranks, split, strict=True)}
            yield (
                Shoe.parse(" ".join(f"{rank}={few}" for rank, few in some.items())),
                Fraction(ways, comb(left.size, number)),
            )


def worth(game: Game, table: InsuranceTable, dealt: Round, state: State, unseen: Shoe) -> Fraction:
    """What a unit on an offer comes to, over every order of the cards to come."""
    if dealt.is_over:
        return game.offers[state].net(table.side, dealt.outcome.result)
    return sum(
        (
            Fraction(cards, unseen.size)
            * worth(game, table, dealt.with_card(rank), state, unseen.minus([rank]))
            for rank, cards in held(unseen)
        ),
        Fraction(0),
    )


def by_hand(game: Game, table: InsuranceTable, shoe: Shoe, left: int) -> Betting:
    """Taking an offer only where every card seen says so, deal by deal."""
    chance = gain = Fraction(0)
    for dealt, rest, likely in openings(game, shoe, table.stage):
        points = dealt.points(Hand.PLAYER), dealt.points(Hand.BANKER)
        state = State(table.side, table.stage, *points)
        if dealt.is_over or state not in game.offers:
            continue
        gone = len(dealt.player) + len(dealt.banker)
        for unseen, likely_too in unseen_cards(rest, left - gone):
            value = worth(game, table, dealt, state, unseen)
            if value > 0:
                chance += likely * likely_too
                gain += likely * likely_too * value
    return Betting(chance=chance, gain=gain)


@pytest.mark.parametrize("table", SMALL.insurance, ids=lambda table: str(table.insured))
def test_perfect_insurance_is_that_of_every_deal(table: InsuranceTable) -> None:
    play = InsurancePlay(SMALL, table, TINY)
    ceilings = play.round_ceilings()
    gains = []
    for left in (6, 8, TINY.size):
        exact = by_hand(SMALL, table, TINY, left)
        assert play.perfect(left) == exact
        assert 0 < exact.gain <= ceilings[left]
        gains.append(exact.gain)
    assert gains == sorted(gains, reverse=True)
    with pytest.raises(InputError):
        play.perfect(12)
    assert play.by_cards() == exact
    assert play.by_totals().gain <= play.by_cards().gain


@pytest.mark.parametrize("table", SMALL.insurance, ids=lambda table: str(table.insured))
def test_a_ceiling_is_the_mean_square_of_every_state_under_the_root(table: InsuranceTable) -> None:
    """At the bottom of a shoe, every set of cards unseen by itself; the roots are within the parts they are cut to."""
    left, squares, total = 7, dict[State, list[Fraction]](), Fraction(0)
    for dealt, rest, likely in openings(SMALL, TINY, table.stage):
        state = State(table.side, table.stage, dealt.points(Hand.PLAYER), dealt.points(Hand.BANKER))
        if dealt.is_over or state not in SMALL.offers:
            continue
        for unseen, likely_too in unseen_cards(rest, left - len(dealt.player) - len(dealt.banker)):
            value = worth(SMALL, table, dealt, state, unseen)
            sums = squares.setdefault(state, [Fraction(0), Fraction(0)])
            sums[0] += likely * likely_too
            sums[1] += likely * likely_too * value**2
            total += likely * likely_too * value
    roots = sum(float(chance * square) ** 0.5 for chance, square in squares.values())
    ceiling = InsurancePlay(SMALL, table, TINY).round_ceilings()[left]
    assert 0 <= float(ceiling) - (roots + float(total)) / 2 < 1e-11


@pytest.mark.parametrize("number", range(4))
def test_insurance_on_a_fresh_shoe_is_that_of_its_states(number: int) -> None:
    game, shoe = load_game("commission-insurance-2013"), Shoe.of_decks(8)
    table = game.insurance[number]
    play = InsurancePlay(game, table, shoe)
    states = insurance_analysis(game, one_round_analysis(game, shoe).distribution)
    good = [
        (one.probability, one.expected_value)
        for one in states
        if (one.state.side, one.state.stage) == table.insured
        and one.expected_value is not None
        and one.expected_value > 0
    ]
    assert play.by_totals() == Betting(
        chance=sum((chance for chance, _ in good), Fraction(0)),
        gain=sum((chance * value for chance, value in good), Fraction(0)),
    )
    ceilings = play.round_ceilings()
    assert play.by_totals().gain <= play.by_cards().gain <= ceilings[416]
    assert play.perfect(8).gain <= ceilings[8]
    assert shoe_ceilings(ceilings)[14] > shoe_ceilings(ceilings)[15]


# ---------------------------------------------------------------- counts of insurance


TINY = Shoe.parse("2=1 3=2 6=2 10=1 K=2")
TAGS = Tags.parse("2=1 3=-2 6=1 10=-1 K=2")
"""The ten and the king have different tags."""


def dealt_in(game: Game, order: tuple[Rank, ...], stage: Stage) -> tuple[Round, int] | None:
    """The round as it stands at a stage, and the cards on the table; None: it does not come to that stage."""
    dealt = game.round()
    for number in range(4 if stage is Stage.FOUR_CARDS else 5):
        if number == 4 and dealt.next_hand is not Hand.PLAYER:
            return None
        dealt = dealt.with_card(order[number])
    return None if dealt.is_over else (dealt, 4 if stage is Stage.FOUR_CARDS else 5)


def deals(game: Game, table: InsuranceTable, shoe: Cards, left: int) -> Iterator[tuple[int, Fraction]]:
    """Of every order of the last ``left`` cards at which the table is offered: the running count and the net."""
    cards = [rank for rank, number in zip(RANKS, shoe.counts, strict=True) for _ in range(number)]
    tag = dict(zip(RANKS, TAGS, strict=True))
    for order in permutations(cards):
        gone, coming = order[: shoe.size - left], order[shoe.size - left :]
        if (found := dealt_in(game, coming, table.stage)) is None:
            continue
        dealt, on_table = found
        state = State(table.side, table.stage, dealt.points(Hand.PLAYER), dealt.points(Hand.BANKER))
        if state not in game.offers:
            continue
        running = sum(tag[card] for card in (*gone, *coming[:on_table]))
        for card in coming[on_table:]:
            dealt = dealt if dealt.is_over else dealt.with_card(card)
        yield running, game.offers[state].net(table.side, dealt.outcome.result)


@pytest.mark.parametrize("table", SMALL.insurance, ids=lambda table: str(table.insured))
def test_the_law_of_an_insurance_count_is_that_of_every_deal(table: InsuranceTable) -> None:
    left = 7
    every = 40_320
    found: dict[int, list[Fraction]] = {}
    for running, net in deals(SMALL, table, TINY, left):
        found.setdefault(running, []).append(net)
    law = InsuranceLaw(InsurancePlay(SMALL, table, TINY), TINY, TAGS, 8).depth(left)
    assert len(found) > 3
    assert [(at.running, at.probability, at.expected_value) for at in law.counts] == [
        (running, Fraction(len(nets), every), sum(nets, Fraction(0)) / len(nets))
        for running, nets in sorted(found.items())
    ]


def test_the_effects_of_insurance_are_those_of_a_card_removed() -> None:
    """The mean of a unit on every offer, state by state, before and after a card leaves the shoe."""
    game, shoe = load_game(COMMISSION_2013), Shoe.of_decks(8)
    table = game.insurance[2]

    def mean(of: Cards) -> Fraction:
        states = insurance_analysis(game, one_round_analysis(game, of).distribution)
        return sum(
            (
                one.probability * one.expected_value
                for one in states
                if (one.state.side, one.state.stage) == table.insured and one.expected_value is not None
            ),
            Fraction(0),
        )

    effects = removal_effects(InsurancePlay(game, table, shoe))
    for number in (0, 6, 12):
        assert effects[number] == mean(shoe.minus([RANKS[number]])) - mean(shoe)


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
    sides = InsuranceLaw(InsurancePlay(loaded, table, shoe), shoe, Tags.parse(tags), 8).depth(8).sides
    assert (sides.least, sides.most) == (1, None)
    assert f"{float(100 * sides.gain):.4f}" == gain


@pytest.fixture(scope="module")
def insured() -> dict[str, InsuranceProtection]:
    """The insurance of a game in which no offer favours the player on a fresh shoe."""
    found = insurance_protection(load_game(COMMISSION_2024), Shoe.of_decks(8), [8])
    return {one.name: one for one in found}


def test_insurance_that_a_count_beats_is_said_to_be_beaten_by_a_count(
    insured: dict[str, InsuranceProtection],
) -> None:
    assert {name: (one.beaten, one.beaten_from) for name, one in insured.items()} == {
        "player@four-cards": (Beaten.COUNT, 26),
        "player@player-third-card": (Beaten.COUNT, 26),
        "banker@four-cards": (Beaten.COUNT, 26),
        "banker@player-third-card": (Beaten.COUNT, 52),
    }


def test_a_count_gains_no_more_than_perfect_play(insured: dict[str, InsuranceProtection]) -> None:
    for one in insured.values():
        first = one.count.depths[0]
        assert (first.left, first.unseen) == (9, 5 if one.stage is Stage.FOUR_CARDS else 4)
        assert ROUND_LIMIT < first.gain < one.perfect.gain
        for depth, ceiling in zip(one.count.depths, one.ceilings, strict=False):
            assert 0 < depth.gain < ceiling.gain
