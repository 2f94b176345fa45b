"""Insurance to one who knows the cards gone, against every deal of a tiny shoe and against insurance as it is listed."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from combinat import Game, Shoe, load_game
from combinat.analysis.analysis import analyze
from combinat.analysis.insurance import insurance_analysis
from combinat.base.errors import InputError
from combinat.protection.ceiling import shoe_ceilings
from combinat.protection.count import Betting
from combinat.protection.insurance_play import InsurancePlay
from combinat.rules.cards import RANKS, Rank
from combinat.rules.insurance import InsuranceTable, State
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand
from tests.conftest import SMALL_BOOK

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
    states = insurance_analysis(game, analyze(game, shoe).distribution)
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
