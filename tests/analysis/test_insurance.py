"""Insurance, exactly: published figures, every state against the independent dealer, exact cards, habits, limits."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import Game, Shoe
from combinat.analysis.bets import bet_analysis
from combinat.analysis.insurance import (
    RoundsAhead,
    StateAnalysis,
    StateBet,
    by_third_card,
    insurance_analysis,
    not_offered,
)
from combinat.analysis.insurance_analysis import StateRange, seen_moments, state_ranges
from combinat.analysis.insurance_habits import Habit, HandOffers, InsuranceStakes, InsuredBet, insured_bets
from combinat.engine.distribution import falling
from combinat.engine.walk import CardsOnTable
from combinat.rules.deal_space import Course
from combinat.rules.insurance import Base, Caps, InsuranceTerms, Limit, Offer, Open, Per, State
from combinat.rules.odds import Odds, Share
from combinat.rules.round import Stage
from combinat.rules.table_of_play import TABLE_OF_PLAY, Hand
from combinat.rules.value_sets import NumberSet
from tests.documents import (
    COMMISSION_2013,
    COMMISSION_2024,
    INSURED,
    NONCOMMISSION_2025,
    PLUS,
)
from tests.games import loaded, walked
from tests.oracle import dealer, settler
from tests.oracle import shoes as shared
from tests.oracle.settler import chance, mean
from tests.oracle.shoes import small_shoes

FOUR, THIRD = Stage.FOUR_CARDS, Stage.PLAYER_THIRD_CARD
BEST = (Habit.BEST_BY_TOTALS, Habit.BEST_BY_CARDS)
PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
TABLES = (COMMISSION_2013, COMMISSION_2024)
"""Insurance Plus is one table in both documents of 2024: ``tests/rules/test_rule_books.py``."""
WHENEVER_LISTED = "insurance-needs-a-card-to-come"
ONE = Fraction(1)
SMALL = Shoe.parse("2=1 4=1 5=2 6=1 7=1 K=2")

fresh = cache(Shoe.of_decks)


def in_words(value: object) -> str:
    """The name of a test's parameter."""
    return "8 decks" if value == fresh(8) else "" if isinstance(value, list) else str(value)


def states_on(game: Game, shoe: Shoe) -> dict[State, StateAnalysis]:
    """Every state of a game on a shoe."""
    return {one.state: one for one in insurance_analysis(game, walked(shoe))}


@cache
def states_of(game_id: str, shoe: Shoe) -> dict[State, StateAnalysis]:
    """Every state of a document on a shoe."""
    return states_on(loaded(game_id), shoe)


@cache
def listed(game_id: str) -> dict[State, tuple[Fraction, bool]]:
    """The states that the document lists, each with its odds and whether a tie pays."""
    return {
        State(Hand(side), Stage(stage), *totals): offer
        for (side, stage, *totals), offer in settler.offers(game_id).items()
    }


@cache
def courses(shoe: Shoe) -> Counter[dealer.Course]:
    """The rounds of a shoe that come to four cards, by the independent dealer."""
    if shoe.size > 9:
        return dealer.courses(shoe.counts)
    ways: Counter[dealer.Course] = Counter()
    for deal, number in dealer.deals(shoe.counts).items():
        if len(deal.banker) >= 2:
            ways[dealer.course_of(deal)] += number
    return ways


class Figure(NamedTuple):
    """The counts of a state."""

    ways: int
    won: int
    lost: int


def figure(one: StateAnalysis) -> Figure:
    return Figure(one.ways, one.won, one.lost)


def added(several: Iterable[StateAnalysis]) -> Figure:
    return Figure(*map(sum, zip((0, 0, 0), *map(figure, several), strict=True)))


@cache
def passing(shoe: Shoe) -> dict[settler.Moment, list[tuple[dealer.Course, int]]]:
    """The rounds of a shoe that pass each moment."""
    passed: dict[settler.Moment, list[tuple[dealer.Course, int]]] = defaultdict(list)
    for course, ways in courses(shoe).items():
        for moment in settler.moments(course):
            passed[moment].append((course, ways))
    return passed


def counted(shoe: Shoe, state: State, tie_pays: bool, third: int | None = None) -> Figure:
    """The counts of a state on a shoe; ``third``: only with that third card."""
    signs: Counter[int] = Counter()
    for course, ways in passing(shoe)[state.moment]:
        if third in (None, course.player_third):
            signs[settler.insurance_sign(state.side, tie_pays, course)] += ways
    return Figure(signs.total(), signs[1], signs[-1])


# ---------------------------------------------------------------- every state, by the independent dealer


def agrees(game_id: str, shoe: Shoe, *, also_known: bool = False) -> None:
    """Every figure of every state is that of the rounds that pass it, and the states part the rounds."""
    game = loaded(game_id).reading(WHENEVER_LISTED) if also_known else loaded(game_id)
    states, space = states_on(game, shoe), dealer.sequences(shoe.counts)
    assert states.keys() == listed(game_id).keys()
    both = [*states.values(), *not_offered(game, walked(shoe))]
    assert len({one.state for one in both}) == len(both)
    ways_of = settler.summed_stages(courses(shoe), also_known=also_known)
    for side, stage in product(Hand, Stage):  # offered or not, each moment is one state of either hand
        mine = [one.ways for one in both if (one.state.side, one.state.stage) == (side, stage)]
        assert sum(mine) == ways_of[stage]
    passed = settler.insurance_nets(game_id, courses(shoe), also_known=also_known)
    for state, one in states.items():
        nets = passed.get(msgspec.structs.astuple(state), Counter())
        assert (one.net, one.sample_space) == (listed(game_id)[state][0], space), state
        assert (one.ways, one.probability) == (nets.total(), Fraction(nets.total(), space)), state
        figures = one.wins, one.pushes, one.loses, one.expected_value, one.house_edge, one.variance
        if not nets:
            assert figures == (None,) * 6
            assert (one.fair_odds, one.favours_player, one.favours_house) == (None, False, False)
            continue
        average, (won, returned, lost) = mean(nets), (chance(nets, sign) for sign in (1, 0, -1))
        squares = settler.summed(((net - average) ** 2, ways) for net, ways in nets.items())
        assert figures == (won, returned, lost, average, -average, mean(squares)), state
        assert one.won == won * one.ways
        assert one.lost == lost * one.ways
        assert one.fair_odds == (lost / won if won else None)
        assert (one.favours_player, one.favours_house) == (average > 0, average < 0)


CHOSEN = (shared.FRESH, shared.DEPLETED, *shared.SMALL, *shared.UNFINISHABLE, "K=40", "8=12 9=12")


@pytest.mark.parametrize("game_id", TABLES)
@pytest.mark.parametrize("also_known", [False, True])
@pytest.mark.parametrize("cards", CHOSEN)
def test_every_state_of_a_chosen_shoe(game_id: str, cards: str, also_known: bool) -> None:
    agrees(game_id, Shoe.parse(cards), also_known=also_known)


@settings(max_examples=50)
@given(small_shoes(), st.sampled_from(INSURED), st.booleans())
def test_every_state_of_any_small_shoe(shoe: Shoe, game_id: str, also_known: bool) -> None:
    agrees(game_id, shoe, also_known=also_known)


@pytest.mark.parametrize("game_id", TABLES)
def test_the_small_shoes_meet_every_state_won_lost_and_returned(game_id: str) -> None:
    """As far as it can be: at a line where a tie pays no bet is returned, save in a void round."""
    met: dict[settler.State, set[int]] = defaultdict(set)
    for cards in shared.SMALL:
        for key, nets in settler.insurance_nets(game_id, courses(Shoe.parse(cards))).items():
            met[key] |= {(net > 0) - (net < 0) for net in nets}
    assert len(listed(game_id)) == (73 if game_id == COMMISSION_2013 else 83)
    for state, one in states_of(game_id, fresh(1)).items():
        possible = {sign for sign, share in ((1, one.wins), (0, one.pushes), (-1, one.loses)) if share}
        assert possible <= met[msgspec.structs.astuple(state)], state


# ---------------------------------------------------------------- states that favour the player

FAVOURABLE_2013 = {
    *(State(BANKER, FOUR, player, banker) for player, banker in ((0, 5), (0, 6), (4, 6), (5, 6))),
    *(State(PLAYER, FOUR, player, banker) for player, banker in ((6, 0), (6, 5))),
    *(State(PLAYER, THIRD, player, banker) for player, banker in ((5, 0), (5, 1), (5, 2))),
    *(State(PLAYER, THIRD, player, banker) for player, banker in ((6, 0), (6, 1), (6, 5))),
}


def favourable(game_id: str, decks: int) -> set[State]:
    return {state for state, one in states_of(game_id, fresh(decks)).items() if one.favours_player}


@pytest.mark.parametrize("decks", range(4, 9))
def test_the_same_12_of_73_states_of_2013_favour_the_player_at_every_number_of_decks(decks: int) -> None:
    assert loaded(COMMISSION_2013).decks.allows(decks)
    assert len(listed(COMMISSION_2013)) == 73
    assert len(FAVOURABLE_2013) == 12
    assert favourable(COMMISSION_2013, decks) == FAVOURABLE_2013


@pytest.mark.parametrize("decks", range(4, 11))
def test_no_state_of_insurance_plus_favours_the_player_at_any_number_of_decks(decks: int) -> None:
    for game_id in PLUS:
        assert loaded(game_id).decks.allows(decks)
        assert len(listed(game_id)) == 83
        assert favourable(game_id, decks) == set()


# ---------------------------------------------------------------- what the states come from


@pytest.mark.parametrize("game_id", TABLES)
def test_what_is_not_offered_has_no_value_but_fair_odds_with_ties_returned(game_id: str) -> None:
    offered, live = listed(game_id), passing(fresh(8)).keys()
    others = not_offered(loaded(game_id), walked(fresh(8)))
    states = {State(side, Stage(stage), *totals) for side in Hand for stage, *totals in live}
    assert {one.state for one in others} == states - offered.keys()
    for one in others:
        assert (one.odds, one.net, one.expected_value, one.house_edge, one.variance) == (None,) * 5
        assert (one.favours_player, one.favours_house) == (False, False)
        assert figure(one) == counted(fresh(8), one.state, tie_pays=False)
        assert one.fair_odds == (Fraction(one.lost, one.won) if one.won else None)


# ---------------------------------------------------------------- by the Player's third card


def third_cards(game_id: str, shoe: Shoe) -> dict[State, dict[int, StateAnalysis]]:
    """Every state after the Player's third card, by that card's points."""
    split: dict[State, dict[int, StateAnalysis]] = defaultdict(dict)
    for entry in by_third_card(loaded(game_id), walked(shoe)):
        assert entry.player_third not in split[entry.analysis.state]
        split[entry.analysis.state][entry.player_third] = entry.analysis
    return split


@pytest.mark.parametrize("game_id", TABLES)
def test_every_third_card_of_every_state_by_six_cards_at_once(game_id: str) -> None:
    split = third_cards(game_id, fresh(8))
    assert split.keys() == {state for state in listed(game_id) if state.stage is THIRD}
    for state, by_card in split.items():
        tie_pays = listed(game_id)[state][1]
        expected = {third: counted(fresh(8), state, tie_pays, third) for third in range(10)}
        assert {third: figure(one) for third, one in by_card.items()} == {
            third: counts for third, counts in expected.items() if counts.ways
        }


# ---------------------------------------------------------------- by the exact cards


def ranges_of(game: Game, shoe: Shoe) -> dict[State, StateRange]:
    return {span.state: span for span in state_ranges(game, shoe, walked(shoe).sample_space)}


def ranges_hold(game_id: str, shoe: Shoe) -> None:
    """Averaged over the exact cards a state is itself; its worst and best are the worst and best of them."""
    game, distribution = loaded(game_id), walked(shoe)
    states = states_on(game, shoe)
    ranges = ranges_of(game, shoe)
    assert list(ranges) == [state for state, one in states.items() if one.ways]
    by_cards: dict[State, dict[CardsOnTable, StateAnalysis]] = defaultdict(dict)
    at = {state: StateBet(state, offer) for state, offer in game.offers.items()}
    asked = {state.moment for state in at}
    for seen, moment, ways in seen_moments(shoe, TABLE_OF_PLAY, Open.CARD_TO_COME, asked):
        for state in (State(PLAYER, *moment), State(BANKER, *moment)):
            if state in at:
                assert seen not in by_cards[state]
                by_cards[state][seen] = at[state].analysis(ways, distribution.sample_space)
    for state, span in ranges.items():
        seen_here, whole = by_cards[state], states[state]
        assert added(seen_here.values()) == figure(whole), state
        assert span.ways == whole.ways
        values = {seen: one.expected_value for seen, one in seen_here.items()}
        average = sum(value * seen_here[seen].ways for seen, value in values.items() if value is not None)
        assert average / whole.ways == whole.expected_value
        assert span.worst.expected_value == min(value for value in values.values() if value is not None)
        assert span.best.expected_value == max(value for value in values.values() if value is not None)
        assert values[span.worst.seen] == span.worst.expected_value
        assert values[span.best.seen] == span.best.expected_value
        assert span.favourable_ways == sum(one.ways for one in seen_here.values() if one.favours_player)
        assert span.favourable == Fraction(span.favourable_ways, whole.ways)


@pytest.mark.full
def test_averaged_over_the_exact_cards_a_state_is_itself_in_2013() -> None:
    ranges_hold(COMMISSION_2013, fresh(8))


@settings(max_examples=50)
@given(small_shoes(), st.sampled_from(INSURED))
def test_averaged_over_the_exact_cards_a_state_of_a_small_shoe_is_itself(shoe: Shoe, game_id: str) -> None:
    ranges_hold(game_id, shoe)


def test_the_exact_cards_of_the_published_state_at_its_best_and_worst() -> None:
    """Banker 6 against Player 5 at 3 to 1; each value counted here from the 412 cards left."""
    game = loaded(COMMISSION_2013)
    banker_only = msgspec.structs.replace(game, insurance=game.insurance[:1])
    span = ranges_of(banker_only, fresh(8))[State(BANKER, FOUR, 5, 6)]
    assert (span.best.seen, span.worst.seen) == (CardsOnTable((0, 5), (8, 8)), CardsOnTable((2, 3), (2, 4)))
    for extreme in (span.best, span.worst):
        left = list(fresh(8).by_points)
        for card in (*extreme.seen.player, *extreme.seen.banker):
            left[card] -= 1
        net = 0
        for third, last in product(range(10), repeat=2):
            ways = left[third] * (left[last] - (third == last))
            course = dealer.drawn(5, 6, third, last)
            net += ways * (0, 3, -1)[settler.insurance_sign("banker", False, course)]
        assert extreme.expected_value == Fraction(net, 412 * 411)


# ---------------------------------------------------------------- too few cards, and no insurance at all


@pytest.mark.parametrize(
    ("cards", "state", "counts"),
    [
        # Four cards left: Player 5 against Banker 4 is reached, and nothing more is dealt.
        ("4=1 5=1 K=2", State(PLAYER, FOUR, 5, 4), (8, 0, 0)),
        # Five: Player gets 7 with 5 K 2 or 2 K 5, and Banker must draw on 4 but cannot.
        ("2=1 4=1 5=1 K=2", State(PLAYER, FOUR, 5, 4), (8, 0, 0)),
        ("2=1 4=1 5=1 K=2", State(PLAYER, THIRD, 7, 4), (16, 0, 0)),
        # Five: with 6 K against 5 K the 9 goes to the Banker Hand, which has 4 and loses.
        ("5=1 6=1 9=1 K=2", State(PLAYER, FOUR, 6, 5), (8, 0, 8)),
    ],
)
def test_a_shoe_that_runs_out_returns_insurance_by_hand(cards: str, state: State, counts: Figure) -> None:
    assert figure(states_of(COMMISSION_2013, Shoe.parse(cards))[state]) == counts


@pytest.mark.parametrize("cards", ["K=40", "K=3", "A=0"])
def test_where_no_state_can_arise_there_are_no_ranges_and_no_third_cards(cards: str) -> None:
    game, shoe = loaded(COMMISSION_2013), Shoe.parse(cards)
    assert state_ranges(game, shoe, walked(shoe).sample_space) == ()
    assert by_third_card(game, walked(shoe)) == ()


def test_a_game_without_insurance_has_nothing_to_analyse() -> None:
    game, distribution = loaded(NONCOMMISSION_2025), walked(fresh(8))
    assert insurance_analysis(game, distribution) == ()
    assert not_offered(game, distribution) == ()
    assert by_third_card(game, distribution) == ()
    assert state_ranges(game, fresh(8), distribution.sample_space) == ()
    assert insured_bets(game, fresh(8), distribution) == ()


# ---------------------------------------------------------------- insurance as a habit

HABIT_SHOES = {
    "eight cards": SMALL,
    "seven cards": Shoe.parse("A=2 3=1 4=2 6=1 Q=1"),
    "six cards": Shoe.parse("2=1 4=1 5=1 6=1 8=1 J=1"),
    "five cards, often too few": Shoe.parse("2=1 4=1 5=1 10=1 K=1"),
    "seven cards, the second offer better": Shoe.parse("4=1 5=3 9=1 K=2"),
    "nine cards, the second offer better": Shoe.parse("5=1 7=6 8=2"),
}


class Offered(NamedTuple):
    """An offer that a round passed: what was known then, the odds, and how the bet would end."""

    totals: settler.Moment
    cards: tuple[str, tuple[tuple[int, ...], ...], int | None]
    odds: Fraction
    sign: int

    @property
    def net(self) -> Fraction:
        """Profit per unit staked."""
        return self.odds if self.sign > 0 else Fraction(self.sign)


class Played(NamedTuple):
    """A round: its sequences, what the bet on the hand nets, and the offers it passed in order."""

    ways: int
    net: Fraction
    offers: tuple[Offered, ...]


@cache
def played(game_id: str, hand: Hand, shoe: Shoe) -> list[Played]:
    rounds: Counter[tuple[Fraction, tuple[Offered, ...]]] = Counter()
    for deal, ways in dealer.deals(shoe.counts).items():
        if len(deal.banker) < 2:
            continue
        course, offers = dealer.course_of(deal), []
        cards = tuple(tuple(sorted(map(dealer.points, held[:2]))) for held in (deal.player, deal.banker))
        for moment in settler.moments(course):
            offer = settler.offers(game_id).get((hand.value, *moment))
            if offer:
                known = (moment[0], cards, course.player_third if moment[0] == THIRD else None)
                offers.append(
                    Offered(moment, known, offer[0], settler.insurance_sign(hand, offer[1], course))
                )
        rounds[settler.bet_net(game_id, hand.value, deal), tuple(offers)] += ways
    return [Played(ways, *came) for came, ways in rounds.items()]


def opening(offer: Offered, habit: Habit) -> object:
    """What a player knows when the first four cards are dealt: their totals, or the cards."""
    stage, player, banker = offer.totals
    third = offer.cards[2] or 0
    return (
        (player - third) % 10 if stage == THIRD else player,
        banker,
        (offer.cards[1] if habit is Habit.BEST_BY_CARDS else None),
    )


def room_left(game_id: str, offer: Offered, paid_out: Fraction) -> Fraction:
    """2013: all payouts of the round together within the bet. 2024: each stake within the bet."""
    return (1 - paid_out) / offer.odds if game_id == COMMISSION_2013 else ONE


def best_stakes(game_id: str, rounds: list[Played], habit: Habit) -> Callable[[Played], list[Fraction]]:
    """The stakes that gain most: every quarter of the first room tried, the least of the best taken."""
    alike: dict[object, list[Played]] = defaultdict(list)
    for one in rounds:
        if one.offers:
            alike[opening(one.offers[0], habit)].append(one)
    chosen: dict[object, dict[object, Fraction]] = {}

    def key(offer: Offered) -> object:
        return offer.totals, offer.cards[2]

    for known, group in alike.items():
        worth: dict[object, Fraction] = defaultdict(Fraction)
        offers = {key(offer): offer for one in group for offer in one.offers}
        for one in group:
            for offer in one.offers:
                worth[key(offer)] += one.ways * offer.net
        first = next((offer for offer in offers.values() if offer.totals[0] == FOUR), None)
        tries = [Fraction(quarter, 4) for quarter in range(5)] if first else [Fraction(0)]
        plans = []
        for part in tries:
            stake = part * room_left(game_id, first, Fraction(0)) if first else Fraction(0)
            paid_out = stake * first.odds if first else Fraction(0)
            plan = {
                seen: (
                    max(Fraction(0), room_left(game_id, offer, paid_out)) if worth[seen] > 0 else Fraction(0)
                )
                for seen, offer in offers.items()
            }
            if first:
                plan[key(first)] = stake
            plans.append((sum(stake * worth[seen] for seen, stake in plan.items()), plan))
        chosen[known] = max(plans, key=lambda plan: plan[0])[1]
    return lambda one: [chosen[opening(one.offers[0], habit)][key(offer)] for offer in one.offers]


def brute_force(game_id: str, hand: Hand, habit: Habit, shoe: Shoe) -> InsuredBet:
    """The habit, played out round by round."""
    rounds = played(game_id, hand, shoe)
    best = best_stakes(game_id, rounds, habit) if habit in BEST else None
    worth: dict[object, Fraction] = defaultdict(Fraction)
    for one in rounds:
        for offer in one.offers:
            for known in (offer.totals, offer.cards):
                worth[known] += one.ways * offer.net

    def takes(offer: Offered) -> bool:
        if habit is Habit.BY_TOTALS:
            return worth[offer.totals] > 0
        return worth[offer.cards] > 0 if habit is Habit.BY_CARDS else habit is Habit.ALWAYS

    space = falling(shoe.size, min(shoe.size, 6))
    mean = square = gain = staked = insured = Fraction(0)
    for one in rounds:
        paid_out = won = risked = Fraction(0)
        for number, offer in enumerate(one.offers):
            if best is None and not takes(offer):
                continue
            stake = best(one)[number] if best else room_left(game_id, offer, paid_out)
            paid_out += stake * offer.odds
            risked += stake
            won += stake * offer.net
        share = Fraction(one.ways, space)
        mean += share * (one.net + won)
        square += share * (one.net + won) ** 2
        gain += share * won
        staked += share * risked
        insured += share if risked else 0
    return InsuredBet(
        hand=hand,
        bet=hand.value,
        habit=habit,
        mean=mean,
        variance=square - mean**2,
        insurance_mean=gain,
        insurance_staked=staked,
        insured=insured,
    )


@cache
def habits(game_id: str, shoe: Shoe) -> dict[tuple[Hand, Habit], InsuredBet]:
    insured = insured_bets(loaded(game_id), shoe, walked(shoe))
    return {(bet.hand, bet.habit): bet for bet in insured}


@pytest.mark.parametrize("game_id", INSURED)
@pytest.mark.parametrize("shoe", HABIT_SHOES.values(), ids=HABIT_SHOES)
def test_every_habit_is_what_playing_every_round_comes_to(game_id: str, shoe: Shoe) -> None:
    assert list(habits(game_id, shoe)) == list(product(Hand, Habit))
    for (hand, habit), bet in habits(game_id, shoe).items():
        assert replace(bet, cost_of_variance=None) == brute_force(game_id, hand, habit, shoe), (hand, habit)


def test_the_small_shoes_tell_the_habits_and_the_caps_apart() -> None:
    """Somewhere each habit stakes something else, and somewhere both stages are insured in one round."""
    for game_id in INSURED:
        for hand in Hand:
            staked = [
                tuple(habits(game_id, shoe)[hand, habit].insurance_staked for shoe in HABIT_SHOES.values())
                for habit in Habit
            ]
            # Where no cap adds up over the round, all that the cards favour is the best: two habits are one.
            assert len(set(staked)) == len(Habit) - (game_id != COMMISSION_2013)
            assert any(len(one.offers) == 2 for one in played(game_id, hand, SMALL))


@pytest.mark.parametrize("game_id", INSURED)
@pytest.mark.parametrize("shoe", HABIT_SHOES.values(), ids=HABIT_SHOES)
def test_what_a_habit_costs_is_against_the_plain_bet(game_id: str, shoe: Shoe) -> None:
    game = loaded(game_id)
    for (hand, _), bet in habits(game_id, shoe).items():
        plain = bet_analysis(game, game.bet(hand.value), walked(shoe))
        removed, lost = plain.variance - bet.variance, -bet.insurance_mean
        assert bet.cost_of_variance == (lost / removed if removed > 0 else None)
        assert bet.insurance_edge == (lost / bet.insurance_staked if bet.insurance_staked else None)


@pytest.mark.parametrize(
    ("cards", "hand", "greedy", "best"),
    [
        ("4=1 5=3 9=1 K=2", PLAYER, Fraction(3, 35), Fraction(5, 56)),
        ("5=1 7=6 8=2", BANKER, Fraction(653, 3528), Fraction(229, 1176)),
    ],
)
def test_on_some_shoes_the_best_insurance_waits_for_the_second_offer(
    cards: str, hand: Hand, greedy: Fraction, best: Fraction
) -> None:
    mine = habits(COMMISSION_2013, Shoe.parse(cards))
    assert mine[hand, Habit.BY_CARDS].insurance_mean == greedy
    assert mine[hand, Habit.BEST_BY_CARDS].insurance_mean == best


def test_a_game_that_insures_one_hand_has_habits_on_that_hand_alone() -> None:
    game = loaded(COMMISSION_2013)
    banker_only = msgspec.structs.replace(
        game, insurance=tuple(table for table in game.insurance if table.side is BANKER)
    )
    insured = insured_bets(banker_only, SMALL, walked(SMALL))
    assert [(bet.hand, bet.habit) for bet in insured] == [(BANKER, habit) for habit in Habit]


# ---------------------------------------------------------------- what may still be staked


def test_without_a_limit_a_habit_stakes_the_bet_itself() -> None:
    def with_limits(*limits: Limit) -> Game:
        game = loaded(COMMISSION_2013)
        assert game.insurance_terms is not None
        terms = msgspec.structs.replace(game.insurance_terms, limits=limits)
        return msgspec.structs.replace(game, insurance_terms=terms)

    without, to_the_bet = (
        with_limits(),
        with_limits(
            Limit(caps=Caps.STAKE, per=Per.OFFER, share=Share.parse("100%"), of=Base.ORIGINAL_BET, clause="1")
        ),
    )
    assert insured_bets(without, SMALL, walked(SMALL)) == insured_bets(to_the_bet, SMALL, walked(SMALL))


# ---------------------------------------------------------------- the best insurance under limits that cross

LIMITS = (
    Limit(caps=Caps.PAYOUT, per=Per.ROUND, share=Share.parse("100%"), of=Base.ORIGINAL_BET, clause="1"),
    Limit(caps=Caps.STAKE, per=Per.ROUND, share=Share.parse("60%"), of=Base.ORIGINAL_BET, clause="2"),
)
"""With 1 to 2 first and 2 to 1 later the first leaves less up to a stake of 2/15, the second from there on."""


def offers_within(limits: tuple[Limit, ...]) -> HandOffers:
    """1 to 2 on Player 5 against Banker 3 after four cards, 2 to 1 on Player 6 against Banker 3 after the third card."""
    game = loaded(COMMISSION_2013)
    tables = [
        msgspec.structs.replace(
            table,
            offers=(
                Offer(player_points=NumberSet({player}), banker_points=NumberSet({3}), odds=Odds.parse(odds)),
            ),
        )
        for stage, player, odds in ((FOUR, 5, "1 to 2"), (THIRD, 6, "2 to 1"))
        if (table := game.insurance_table(PLAYER, stage)) is not None
    ]
    terms = InsuranceTerms(name="Insurance", clauses=("1",), open=Open.CARD_TO_COME, limits=limits)
    return HandOffers(msgspec.structs.replace(game, insurance=tuple(tables)), terms, PLAYER)


def best_stakes_of(ways: dict[Course, int], limits: tuple[Limit, ...] = LIMITS) -> InsuranceStakes:
    return offers_within(limits).best(RoundsAhead.of(ways, Open.CARD_TO_COME))


def crossing_courses(lost_early: int) -> dict[Course, int]:
    """The Player Hand draws an Ace and wins or loses by the Banker's card; or draws a 5 and loses at once."""
    return {
        Course(5, 3, 1, 2): 10,
        Course(5, 3, 1, 4): 6,
        Course(5, 3, 1, 0): 1,
        Course(5, 3, 5, 1): lost_early,
    }


def gain(lost_early: int, stake: Fraction) -> Fraction:
    """The gain of a first stake and the best second one, by hand.

    The insurance loses where the Player Hand wins: in 11 of the 17 ways with an Ace, and in none with a 5.
    """
    room = min((1 - stake / 2) / 2, Fraction(3, 5) - stake)
    return stake * (Fraction(6 + lost_early, 2) - 11) + room * (2 * 6 - 11)


@pytest.mark.parametrize(
    ("lost_early", "best"),
    [(0, Fraction(0)), (12, Fraction(0)), (18, Fraction(2, 15)), (36, Fraction(3, 5))],
)
def test_the_first_stake_is_nothing_or_all_or_where_two_limits_cross(lost_early: int, best: Fraction) -> None:
    stakes = best_stakes_of(crossing_courses(lost_early))
    assert stakes.first == best
    assert stakes.second == {1: min((1 - best / 2) / 2, Fraction(3, 5) - best)}
    tried = [Fraction(part, 150) for part in range(91)]
    most = max(gain(lost_early, stake) for stake in tried)
    assert best == min(stake for stake in tried if gain(lost_early, stake) == most)
