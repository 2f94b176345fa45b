"""Insurance, exactly: published figures, every state counted in other ways, exact cards, habits.

The states, their odds and their stars are those typed in ``documents``; what a bet comes to is worked out
here once more. Only the verdicts are compared with the settlement of real cards.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import Game, Shoe, load_game
from combinat.analysis.bets import bet_analysis
from combinat.analysis.exact_cards import StateRange, seen_moments, state_ranges
from combinat.analysis.insurance import (
    StateAnalysis,
    StateBet,
    by_third_card,
    insurance_analysis,
    moments,
    not_offered,
)
from combinat.analysis.insured import Habit, InsuredBet, insured_bets
from combinat.analysis.what_if import with_insurance_odds
from combinat.engine.distribution import Course, falling, summed
from combinat.engine.seen import Seen, seen_openings
from combinat.engine.walk import every_round, walk
from combinat.render.number import decimal
from combinat.rules.cards import RANKS, Rank
from combinat.rules.insurance import Base, Caps, Insured, Limit, Offer, Open, Per, State
from combinat.rules.limits import least_room
from combinat.rules.odds import Odds, PointSet, Share
from combinat.rules.round import Round, Stage
from combinat.rules.settlement import settle
from combinat.rules.table_of_play import TABLE_OF_PLAY, Hand
from tests.documents import (
    COMMISSION_2013,
    COMMISSION_2024,
    INSURANCE,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
)
from tests.oracle import second_opinion

FOUR, THIRD = Stage.FOUR_CARDS, Stage.PLAYER_THIRD_CARD
BEST = (Habit.BEST_BY_TOTALS, Habit.BEST_BY_CARDS)
PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
INSURED = (COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024)
PLUS = (COMMISSION_2024, NONCOMMISSION_2024)
ONE = Fraction(1)

loaded = cache(load_game)
walked = cache(walk)


@cache
def fresh(decks: int) -> Shoe:
    return Shoe.of_decks(decks)


def in_words(value: object) -> str:
    """What a test is called after."""
    return "8 decks" if value == fresh(8) else "" if isinstance(value, list) else str(value)


def states_on(game: Game, shoe: Shoe) -> dict[State, StateAnalysis]:
    """Every state of a game on a shoe."""
    return {one.state: one for one in insurance_analysis(game, walked(shoe))}


@cache
def states_of(game_id: str, shoe: Shoe) -> dict[State, StateAnalysis]:
    """Every state of a document on a shoe."""
    return states_on(loaded(game_id), shoe)


@pytest.fixture(scope="module", autouse=True)
def seen_once() -> Iterator[None]:
    """The exact cards of a shoe are gone through once for all the tests of this page."""
    seen = cache(lambda shoe, table: list(seen_openings(shoe, table)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("combinat.analysis.exact_cards.seen_openings", seen)
        patched.setattr("combinat.analysis.insured.seen_openings", seen)
        yield


# ---------------------------------------------------------------- the documents, and other ways to count


def points(printed: str) -> range:
    """The totals of a printed cell: ``4`` or ``0-5``."""
    low, _, high = printed.partition("-")
    return range(int(low), int(high or low) + 1)


@cache
def listed(game_id: str) -> dict[State, tuple[Fraction, bool]]:
    """The states that the document lists, each with its odds and whether it is starred."""
    states: dict[State, tuple[Fraction, bool]] = {}
    for line in INSURANCE[game_id].strip().split("\n"):
        side, stage, player, banker, odds, *star = line.split()
        profit, stake = odds.split(":")
        for totals in product(points(player), points(banker)):
            state = State(Hand(side), FOUR if stage == "4" else THIRD, *totals)
            states[state] = Fraction(profit) / Fraction(stake), bool(star)
    return states


class Deal(NamedTuple):
    """A round by points: two-card totals, the Player's third card, the last card; or where it broke off."""

    player: int
    banker: int
    third: int | None
    last: int | None
    is_void: bool


def met(deal: Deal) -> Iterator[tuple[Stage, int, int]]:
    """The moments of this round at which a card was to come."""
    banker_draws = deal.last is not None or deal.is_void
    if deal.third is not None or banker_draws:
        yield FOUR, deal.player, deal.banker
    if deal.third is not None and banker_draws:
        yield THIRD, (deal.player + deal.third) % 10, deal.banker


def verdict(side: Hand, starred: bool, deal: Deal) -> int:
    """1 where the insured hand lost or tied under a star, -1 where it won, 0 where the bet comes back."""
    if deal.is_void:
        return 0
    player, banker = (deal.player + (deal.third or 0)) % 10, (deal.banker + (deal.last or 0)) % 10
    if player == banker:
        return int(starred and player == (9 if side is PLAYER else 0))
    return 1 if (player < banker) == (side is PLAYER) else -1


class Rounds:
    """The rounds of a shoe in sequences of full length, and those that pass each moment."""

    def __init__(self, ways: Mapping[Deal, int]) -> None:
        self.ways = ways
        self.passing: dict[tuple[Stage, int, int], list[tuple[Deal, int]]] = defaultdict(list)
        for deal, count in ways.items():
            for moment in met(deal):
                self.passing[moment].append((deal, count))


def deal_of(dealt: Round) -> Deal:
    """A round of four cards or more, by points."""
    player, banker = ([rank.points for rank in hand] for hand in (dealt.player, dealt.banker))
    return Deal(
        sum(player[:2]) % 10,
        sum(banker[:2]) % 10,
        player[2] if len(player) == 3 else None,
        banker[2] if len(banker) == 3 else None,
        not dealt.is_over,
    )


def first_two(hand: Sequence[Rank]) -> tuple[int, ...]:
    """A hand's first two cards by points, in no order."""
    return tuple(sorted(rank.points for rank in hand[:2]))


Cards = tuple[tuple[int, ...], tuple[int, ...]]
"""The first two cards of each hand."""


@cache
def dealt_from(shoe: Shoe) -> Counter[tuple[Cards, Deal]]:
    """Every round of a shoe that comes to four cards, straight from the definition."""
    drawn = min(shoe.size, 6)
    dealt: Counter[tuple[Cards, Deal]] = Counter()
    for ended, ways in every_round(shoe, Round()):
        cards = len(ended.player) + len(ended.banker)
        if cards >= 4:
            known = first_two(ended.player), first_two(ended.banker)
            dealt[known, deal_of(ended)] += ways * falling(shoe.size - cards, drawn - cards)
    return dealt


@cache
def in_order(shoe: Shoe) -> Rounds:
    """The rounds of a small shoe, sequence by sequence."""
    return Rounds(summed((deal, ways) for (_, deal), ways in dealt_from(shoe).items()))


@cache
def six_at_once(shoe: Shoe) -> Rounds:
    """The rounds of a shoe of six cards or more; six are dealt whether the round needs them or not."""
    deals: Counter[Deal] = Counter()
    for fifth, sixth in product(range(10), repeat=2):
        left = list(shoe.by_points)
        ways = left[fifth]
        left[fifth] -= 1
        ways *= left[sixth]
        left[sixth] -= 1
        for (player, banker), opening in second_opinion.totals(left).items():
            third = last = None
            if player < 8 and banker < 8:
                third = fifth if player <= 5 else None
                if second_opinion.banker_draws(banker, third):
                    last = fifth if third is None else sixth
            deals[Deal(player, banker, third, last, False)] += ways * opening
    return Rounds(+deals)  # without what cannot happen


class Figure(NamedTuple):
    """What was counted of a state."""

    ways: int
    won: int
    lost: int


def counted(rounds: Rounds, state: State, starred: bool, third: int | None = None) -> Figure:
    """A state among these rounds; ``third``: only with that third card."""
    here = [
        (ways, verdict(state.side, starred, deal))
        for deal, ways in rounds.passing.get(state.moment, ())
        if third in (None, deal.third)
    ]
    return Figure(
        sum(ways for ways, _ in here),
        sum(ways for ways, sign in here if sign > 0),
        sum(ways for ways, sign in here if sign < 0),
    )


def figure(one: StateAnalysis) -> Figure:
    return Figure(one.ways, one.won, one.lost)


def added(several: Iterable[StateAnalysis]) -> Figure:
    figures = [figure(one) for one in several]
    return Figure(
        sum(one.ways for one in figures), sum(one.won for one in figures), sum(one.lost for one in figures)
    )


def small_shoes(least: int = 4, most: int = 7) -> st.SearchStrategy[Shoe]:
    """Shoes of few cards, many of them too few to finish every round."""

    def shoe(cards: list[Rank]) -> Shoe:
        counts = Counter(cards)
        return Shoe(tuple(counts[rank] for rank in RANKS))

    return st.lists(st.sampled_from(RANKS), min_size=least, max_size=most).map(shoe)


# ---------------------------------------------------------------- published figures

# wizardofodds.com, baccarat insurance at Marina Bay Sands, 8 decks, good to 6 decimals. The bet printed there
# is that the Banker Hand loses: our Banker Insurance. Player and Banker points, Player wins, Banker wins, tie, EV.
PUBLISHED = """
2 to 1
0 5 0.319950 0.638715 0.041335  0.001185
1 5 0.283814 0.674655 0.041531 -0.107027
4 5 0.294993 0.604412 0.100595 -0.014426
3 to 1
0 6 0.248749 0.721860 0.029391  0.024389
3 6 0.224458 0.687609 0.087932 -0.014235
4 6 0.236160 0.675002 0.088838  0.033478
5 6 0.248909 0.662332 0.088759  0.084397
4 to 1
0 7 0.154340 0.769393 0.076268 -0.152035
5 7 0.154124 0.768810 0.077066 -0.152312
"""


def published() -> list[tuple[str, State, list[str]]]:
    odds, lines = "", []
    for line in PUBLISHED.strip().split("\n"):
        if "to" in line:
            odds = line
        else:
            player, banker, *printed = line.split()
            lines.append((odds, State(BANKER, FOUR, int(player), int(banker)), printed))
    return lines


@pytest.mark.parametrize(("odds", "state", "printed"), published(), ids=in_words)
def test_the_published_four_card_table(odds: str, state: State, printed: list[str]) -> None:
    one = states_of(COMMISSION_2013, fresh(8))[state]
    assert one.odds == odds
    figures = (one.wins, one.loses, one.pushes, one.expected_value)
    assert [decimal(value, 6) for value in figures if value is not None] == printed


def test_the_best_state_of_2013_in_full() -> None:
    """Banker 6 against Player 5 at 3 to 1, 8 decks: the integers behind the published +8.4397 %."""
    one = states_of(COMMISSION_2013, fresh(8))[State(BANKER, FOUR, 5, 6)]
    assert figure(one) == (44856843337728, 11165290938368, 29710104084480)
    assert one.sample_space == 4998398275503360
    assert one.expected_value == Fraction(38510831, 456307407)


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


@pytest.mark.parametrize(
    ("game_id", "decks", "best"),
    [
        *((COMMISSION_2013, decks, State(BANKER, FOUR, 5, 6)) for decks in (4, 8)),
        *((game_id, decks, State(BANKER, FOUR, 0, 4)) for game_id in PLUS for decks in (4, 10)),
    ],
)
def test_the_best_state_for_the_player(game_id: str, decks: int, best: State) -> None:
    values = {state: one.expected_value for state, one in states_of(game_id, fresh(decks)).items()}
    highest = values[best]
    assert highest is not None
    assert all(value is not None and value < highest for state, value in values.items() if state != best)


def test_the_numbers_of_decks_are_all_that_the_documents_allow() -> None:
    allowed = {game_id: (loaded(game_id).decks.least, loaded(game_id).decks.most) for game_id in INSURED}
    assert allowed == {COMMISSION_2013: (4, 8), COMMISSION_2024: (4, 10), NONCOMMISSION_2024: (4, 10)}


# ---------------------------------------------------------------- every state, counted in other ways


def agrees(game_id: str, shoe: Shoe, rounds: Rounds, sample_space: int) -> None:
    """Every state of the document is the engine's, with its odds, ways, wins and losses."""
    states = states_of(game_id, shoe)
    assert states.keys() == listed(game_id).keys()
    for state, (odds, starred) in listed(game_id).items():
        one = states[state]
        assert one.net == odds, state
        assert figure(one) == counted(rounds, state, starred), state
        assert one.sample_space == sample_space


@pytest.mark.parametrize("game_id", INSURED)
@pytest.mark.parametrize("decks", [1, 8])
def test_every_state_of_a_fresh_shoe_by_six_cards_at_once(game_id: str, decks: int) -> None:
    shoe = fresh(decks)
    rounds = six_at_once(shoe)
    assert sum(rounds.ways.values()) == falling(52 * decks, 6)
    agrees(game_id, shoe, rounds, falling(52 * decks, 6))


@pytest.mark.parametrize("game_id", INSURED)
def test_every_state_of_a_depleted_shoe_by_six_cards_at_once(game_id: str) -> None:
    shoe = Shoe.parse("A=7 2=1 3=5 4=9 5=2 6=8 7=1 9=3 10=2 K=4")
    agrees(game_id, shoe, six_at_once(shoe), falling(42, 6))


@settings(max_examples=20, deadline=None)
@given(small_shoes(), st.sampled_from(INSURED))
def test_every_state_of_a_small_shoe_round_by_round(shoe: Shoe, game_id: str) -> None:
    agrees(game_id, shoe, in_order(shoe), falling(shoe.size, min(shoe.size, 6)))


@pytest.mark.parametrize("game_id", INSURED)
@pytest.mark.parametrize("cards", ["2=1 4=1 5=2 6=1 7=1 K=2", "4=1 5=1 6=1 7=2 K=1", "3=1 4=1 7=1 8=1 K=1"])
def test_every_state_of_a_chosen_small_shoe_round_by_round(game_id: str, cards: str) -> None:
    shoe = Shoe.parse(cards)
    agrees(game_id, shoe, in_order(shoe), falling(shoe.size, min(shoe.size, 6)))
    assert any(one.ways for one in states_of(game_id, shoe).values())


@pytest.mark.parametrize("game_id", INSURED)
@pytest.mark.parametrize("shoe", [fresh(8), Shoe.parse("2=1 4=1 5=2 6=1 7=1 K=2")], ids=in_words)
def test_the_figures_of_a_state_follow_from_its_counts(game_id: str, shoe: Shoe) -> None:
    for one in states_of(game_id, shoe).values():
        assert one.net is not None
        assert one.probability == Fraction(one.ways, one.sample_space)
        if not one.ways:
            continue
        returned = one.ways - one.won - one.lost
        nets = [(one.net, one.won), (Fraction(0), returned), (-ONE, one.lost)]
        mean = sum(net * ways for net, ways in nets) / one.ways
        assert (one.wins, one.pushes, one.loses) == tuple(Fraction(ways, one.ways) for _, ways in nets)
        assert (one.expected_value, one.house_edge) == (mean, -mean)
        assert one.variance == sum((net - mean) ** 2 * ways for net, ways in nets) / one.ways
        assert (one.favours_player, one.favours_house) == (mean > 0, mean < 0)


def odds_of(net: Fraction) -> Odds:
    """Odds of any profit, however many digits it has."""
    odds = Odds(f"{net.numerator} to {net.denominator}")
    odds.net = net
    return odds


def test_at_its_fair_odds_a_state_favours_neither_side() -> None:
    game, shoe = loaded(COMMISSION_2013), fresh(8)
    fair = {state: one.fair_odds for state, one in states_on(game, shoe).items()}
    at_fair = with_insurance_odds(game, {state: odds_of(odds) for state, odds in fair.items() if odds})
    for state, one in states_on(at_fair, shoe).items():
        assert one.net == fair[state]
        assert one.expected_value == 0
        assert not one.favours_player
        assert not one.favours_house


# ---------------------------------------------------------------- what the states come from

# Ordered sequences of 8 decks in which a round takes 5 and 6 cards (published, wizardofodds.com).
FIVE_CARDS, SIX_CARDS = 1516734808780800, 1587927855264000


@pytest.mark.parametrize("game_id", INSURED)
@pytest.mark.parametrize("side", Hand)
def test_the_states_part_the_rounds_that_go_on(game_id: str, side: Hand) -> None:
    """Offered or not, each moment at which a card is to come is one state of either hand, and no other."""
    offered = insurance_analysis(loaded(game_id), walked(fresh(8)))
    others = not_offered(loaded(game_id), walked(fresh(8)))
    for stage, total in ((FOUR, FIVE_CARDS + SIX_CARDS), (THIRD, SIX_CARDS)):
        mine = [one for one in (*offered, *others) if (one.state.side, one.state.stage) == (side, stage)]
        assert len({one.state for one in mine}) == len(mine)
        assert sum(one.ways for one in mine) == total


@pytest.mark.parametrize("game_id", INSURED)
def test_what_is_not_offered_has_no_value_but_fair_odds_with_ties_returned(game_id: str) -> None:
    rounds, offered = six_at_once(fresh(8)), listed(game_id)
    others = not_offered(loaded(game_id), walked(fresh(8)))
    live = {State(side, *moment) for side in Hand for moment in rounds.passing}
    assert {one.state for one in others} == live - offered.keys()
    for one in others:
        assert (one.odds, one.net, one.expected_value, one.house_edge, one.variance) == (None,) * 5
        assert not one.favours_player
        assert not one.favours_house
        assert figure(one) == counted(rounds, one.state, starred=False)
        assert one.fair_odds == (Fraction(one.lost, one.won) if one.won else None)


@settings(max_examples=15, deadline=None)
@given(small_shoes(), st.sampled_from(INSURED))
def test_the_states_of_a_small_shoe_part_its_rounds_too(shoe: Shoe, game_id: str) -> None:
    """Rounds that break off for want of a card go on as far as insurance is concerned."""
    both = [
        *insurance_analysis(loaded(game_id), walked(shoe)),
        *not_offered(loaded(game_id), walked(shoe)),
    ]
    passed: Counter[Stage] = Counter()
    for (stage, _, _), passing in in_order(shoe).passing.items():
        passed[stage] += sum(ways for _, ways in passing)
    for side, stage in product(Hand, Stage):
        assert (
            sum(one.ways for one in both if (one.state.side, one.state.stage) == (side, stage))
            == passed[stage]
        )


@pytest.mark.parametrize("game_id", INSURED)
def test_where_offers_stand_whenever_listed_the_states_part_all_rounds(game_id: str) -> None:
    other = loaded(game_id).read_otherwise("insurance-needs-a-card-to-come")
    distribution = walked(fresh(8))
    both = [*insurance_analysis(other, distribution), *not_offered(other, distribution)]
    drew = sum(ways for deal, ways in six_at_once(fresh(8)).ways.items() if deal.third is not None)
    for side in Hand:
        for stage, total in ((FOUR, falling(416, 6)), (THIRD, drew)):
            assert (
                sum(one.ways for one in both if (one.state.side, one.state.stage) == (side, stage)) == total
            )


def test_where_offers_stand_whenever_listed_a_known_loss_is_a_loss() -> None:
    """Player 7 against Banker 6: with a third card other than 6 or 7 the Banker Hand stands and has lost."""
    game, state = loaded(COMMISSION_2013), State(PLAYER, THIRD, 7, 6)
    narrow = states_on(game, fresh(8))[state]
    wide = states_on(game.read_otherwise("insurance-needs-a-card-to-come"), fresh(8))[state]
    assert wide.ways > narrow.ways
    assert wide.won == narrow.won
    assert wide.lost - narrow.lost == wide.ways - narrow.ways


# ---------------------------------------------------------------- by the Player's third card


def third_cards(game_id: str, shoe: Shoe) -> dict[State, dict[int, StateAnalysis]]:
    """Every state after the Player's third card, by that card's points."""
    split: dict[State, dict[int, StateAnalysis]] = defaultdict(dict)
    for entry in by_third_card(loaded(game_id), walked(shoe)):
        assert entry.player_third not in split[entry.analysis.state]
        split[entry.analysis.state][entry.player_third] = entry.analysis
    return split


@pytest.mark.parametrize("game_id", INSURED)
@pytest.mark.parametrize("shoe", [fresh(8), Shoe.parse("2=1 4=1 5=2 6=1 7=1 K=2")], ids=in_words)
def test_the_third_cards_add_up_to_the_state(game_id: str, shoe: Shoe) -> None:
    split, states = third_cards(game_id, shoe), states_of(game_id, shoe)
    assert list(split) == [state for state, one in states.items() if state.stage is THIRD and one.ways]
    for state, by_card in split.items():
        assert list(by_card) == sorted(by_card)
        assert added(by_card.values()) == figure(states[state])


@pytest.mark.parametrize("game_id", INSURED)
def test_every_third_card_of_every_state_by_six_cards_at_once(game_id: str) -> None:
    rounds = six_at_once(fresh(8))
    split = third_cards(game_id, fresh(8))
    assert split.keys() == {state for state in listed(game_id) if state.stage is THIRD}
    for state, by_card in split.items():
        starred = listed(game_id)[state][1]
        expected = {third: counted(rounds, state, starred, third) for third in range(10)}
        assert {third: figure(one) for third, one in by_card.items()} == {
            third: counts for third, counts in expected.items() if counts.ways
        }


# ---------------------------------------------------------------- by the exact cards


@pytest.mark.parametrize("shoe", [fresh(8), Shoe.parse("2=1 4=1 5=2 6=1 7=1 K=2")], ids=in_words)
def test_the_openings_that_are_seen_add_up_to_the_walk(shoe: Shoe) -> None:
    seen = list(seen_openings(shoe, TABLE_OF_PLAY))
    assert len({opening for opening, _ in seen}) == len(seen)
    assert summed(counted for _, courses in seen for counted in courses.items()) == walked(shoe).by_points
    for opening, courses in seen:
        assert opening.third is None
        assert list(opening.player) == sorted(opening.player)
        assert list(opening.banker) == sorted(opening.banker)
        totals = sum(opening.player) % 10, sum(opening.banker) % 10
        assert {(course.player, course.banker) for course in courses} == {totals}


@settings(max_examples=15, deadline=None)
@given(small_shoes())
def test_the_openings_of_a_small_shoe_add_up_too(shoe: Shoe) -> None:
    seen = summed(counted for _, courses in seen_openings(shoe, TABLE_OF_PLAY) for counted in courses.items())
    assert seen == walked(shoe).by_points


def ranges_of(game: Game, shoe: Shoe) -> dict[State, StateRange]:
    return {span.state: span for span in state_ranges(game, shoe, walked(shoe).sample_space)}


def ranges_hold(game_id: str, shoe: Shoe) -> dict[State, StateRange]:
    """Averaged over the exact cards a state is itself; its worst and best are the worst and best of them."""
    game, distribution = loaded(game_id), walked(shoe)
    states = states_on(game, shoe)
    ranges = ranges_of(game, shoe)
    assert list(ranges) == [state for state, one in states.items() if one.ways]
    by_cards: dict[State, dict[Seen, StateAnalysis]] = defaultdict(dict)
    at = {state: StateBet(state, offer) for state, offer in game.offers.items()}
    moments = {state.moment for state in at}
    for seen, moment, courses in seen_moments(shoe, TABLE_OF_PLAY, Open.CARD_TO_COME, moments):
        for state in (State(PLAYER, *moment), State(BANKER, *moment)):
            if state in at:
                assert seen not in by_cards[state]
                by_cards[state][seen] = at[state].analysis(courses, distribution.sample_space)
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
    return ranges


def test_averaged_over_the_exact_cards_a_state_is_itself_in_2013() -> None:
    ranges = ranges_hold(COMMISSION_2013, fresh(8))
    always = {state for state, span in ranges.items() if span.favourable == 1}
    sometimes = {state for state, span in ranges.items() if 0 < span.favourable < 1}
    assert always == {State(BANKER, FOUR, player, 6) for player in (0, 4, 5)}
    assert FAVOURABLE_2013 - always < sometimes
    assert len(sometimes) == 18


def test_at_8_decks_not_even_the_exact_cards_make_insurance_plus_favour_the_player() -> None:
    ranges = ranges_of(loaded(COMMISSION_2024), fresh(8))
    assert len(ranges) == 83
    assert not any(span.favourable_ways for span in ranges.values())
    assert all(span.best.expected_value < 0 for span in ranges.values())


@settings(max_examples=12, deadline=None)
@given(small_shoes(), st.sampled_from(INSURED))
def test_averaged_over_the_exact_cards_a_state_of_a_small_shoe_is_itself(shoe: Shoe, game_id: str) -> None:
    ranges_hold(game_id, shoe)


def test_the_exact_cards_of_the_published_state_at_its_best_and_worst() -> None:
    """Banker 6 against Player 5 at 3 to 1; each value counted here from the 412 cards left."""
    game = loaded(COMMISSION_2013)
    banker_only = msgspec.structs.replace(game, insurance=game.insurance[:1])
    span = ranges_of(banker_only, fresh(8))[State(BANKER, FOUR, 5, 6)]
    assert (span.best.seen, span.worst.seen) == (Seen((0, 5), (8, 8)), Seen((2, 3), (2, 4)))
    for extreme in (span.best, span.worst):
        left = list(fresh(8).by_points)
        for card in (*extreme.seen.player, *extreme.seen.banker):
            left[card] -= 1
        net = 0
        for third, last in product(range(10), repeat=2):
            ways = left[third] * (left[last] - (third == last))
            deal = Deal(5, 6, third, last if second_opinion.banker_draws(6, third) else None, False)
            net += ways * (0, 3, -1)[verdict(BANKER, False, deal)]
        assert extreme.expected_value == Fraction(net, 412 * 411)


# ---------------------------------------------------------------- too few cards, and none at all


def test_a_shoe_that_cannot_deal_a_fifth_card_returns_insurance() -> None:
    """Four cards left: Player 5 against Banker 4 is reached, and nothing more is dealt."""
    one = states_of(COMMISSION_2013, Shoe.parse("4=1 5=1 K=2"))[State(PLAYER, FOUR, 5, 4)]
    assert figure(one) == (8, 0, 0)  # 5 K or K 5 against 4 K or K 4, with either King first
    assert one.probability == Fraction(8, 24)
    assert [one.wins, one.pushes, one.loses, one.expected_value, one.variance] == [0, 1, 0, 0, 0]
    assert one.fair_odds is None
    assert not one.favours_player
    assert not one.favours_house


def test_a_shoe_that_cannot_deal_the_bankers_third_card_returns_insurance_of_both_stages() -> None:
    """Five cards left: Player gets 7 with 5 K 2 or 2 K 5, and Banker must draw on 4 but cannot."""
    states = states_of(COMMISSION_2013, Shoe.parse("2=1 4=1 5=1 K=2"))
    for state, ways in ((State(PLAYER, FOUR, 5, 4), 8), (State(PLAYER, THIRD, 7, 4), 16)):
        assert figure(states[state]) == (ways, 0, 0)
        assert states[state].pushes == 1


def test_a_round_that_the_last_card_ends_is_settled() -> None:
    """Five cards left: with 6 K against 5 K the 9 goes to the Banker Hand, which has 4 and loses."""
    one = states_of(COMMISSION_2013, Shoe.parse("5=1 6=1 9=1 K=2"))[State(PLAYER, FOUR, 6, 5)]
    assert figure(one) == (8, 0, 8)
    assert one.probability == Fraction(8, 120)


@settings(max_examples=15, deadline=None)
@given(small_shoes(least=5, most=5), st.sampled_from(INSURED))
def test_with_five_cards_left_both_totals_tell_the_fifth_and_so_the_end(shoe: Shoe, game_id: str) -> None:
    for one in states_of(game_id, shoe).values():
        if one.ways and one.state.stage is FOUR:
            assert sorted([one.won, one.lost, one.ways - one.won - one.lost]) == [0, 0, one.ways]


@pytest.mark.parametrize("game_id", INSURED)
@pytest.mark.parametrize("cards", ["K=40", "8=12 9=12", "K=3", "A=0"])
def test_a_state_that_cannot_arise_has_a_probability_of_nothing_and_no_other_figure(
    game_id: str, cards: str
) -> None:
    shoe = Shoe.parse(cards)
    for one in states_of(game_id, shoe).values():
        assert one.ways == one.probability == 0
        figures = (one.wins, one.pushes, one.loses, one.expected_value, one.house_edge, one.variance)
        assert set(figures) == {None}
        assert one.fair_odds is None
        assert not one.favours_player
        assert not one.favours_house
    assert state_ranges(loaded(game_id), shoe, walked(shoe).sample_space) == ()
    assert by_third_card(loaded(game_id), walked(shoe)) == ()


def test_a_game_without_insurance_has_nothing_to_analyse() -> None:
    game, distribution = loaded(NONCOMMISSION_2025), walked(fresh(8))
    assert insurance_analysis(game, distribution) == ()
    assert not_offered(game, distribution) == ()
    assert by_third_card(game, distribution) == ()
    assert state_ranges(game, fresh(8), distribution.sample_space) == ()
    assert insured_bets(game, fresh(8), distribution) == ()


# ---------------------------------------------------------------- every leaf, as settled


def cards_worth(card_points: Sequence[int], number: int) -> tuple[Rank, ...]:
    """Real cards of these points; the number chooses among tens and pictures."""
    worth = {value: [rank for rank in RANKS if rank.points == value] for value in range(10)}
    return tuple(
        worth[value][(number + place) % len(worth[value])] for place, value in enumerate(card_points)
    )


def real_round(course: Course, number: int) -> Round:
    """A round of real cards that takes this course; the number chooses how the first two total."""
    hands: list[tuple[Rank, ...]] = []
    for total, third in ((course.player, course.player_third), (course.banker, course.banker_third)):
        first = (number * 3 + total) % 10
        card_points = [first, (total - first) % 10] + ([] if third is None else [third])
        hands.append(cards_worth(card_points, number))
        number += 1
    player, banker = hands
    return Round(player, banker)


def void_courses(course: Course) -> Iterator[Course]:
    """The courses that break off on the way of this one for want of a card."""
    if course.player_third is not None or course.banker_third is not None:
        yield Course(course.player, course.banker, is_void=True)
    if course.player_third is not None and course.banker_third is not None:
        yield Course(course.player, course.banker, course.player_third, is_void=True)


@cache
def every_course() -> list[Course]:
    """Every course that a round can take, those that break off included."""
    finished = list(walked(fresh(8)).by_points)
    return [*finished, *dict.fromkeys(course for one in finished for course in void_courses(one))]


def test_the_real_cards_take_their_course() -> None:
    for number, course in enumerate(every_course()):
        dealt = real_round(course, number)
        assert Course.of(dealt) == course._replace(is_void=False)
        assert dealt.is_over != course.is_void
    naturals, player_stood, player_drew = 36, 12 * 10 + 4, 6 * (51 * 10 + 29)
    broken_off = 6 * 8 + 2 * 6 + 6 * 51  # after four cards: Player draws, Banker draws; after five
    assert len(every_course()) == naturals + player_stood + player_drew + broken_off


@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2024])
@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("side", Hand)
def test_every_leaf_of_every_state_is_settled_as_the_cards_are(
    game_id: str, side: Hand, stage: Stage
) -> None:
    """The verdict of the analysis is the net of ``settle`` on real cards, course by course."""
    table = loaded(game_id).insurance_table(side, stage)
    assert table is not None
    game = msgspec.structs.replace(loaded(game_id), insurance=(table,))  # the others are not asked
    verdicts = {state.moment: StateBet(state, offer) for state, offer in game.offers.items()}
    signs: dict[State, set[int]] = defaultdict(set)
    for number, course in enumerate(every_course()):
        for moment in moments(course, Open.CARD_TO_COME):
            if moment not in verdicts:
                continue
            settlement = settle(
                game,
                real_round(course, number),
                {side.value: Fraction(100)},
                {Insured(side, stage): ONE},
                table_maximum=Fraction(1000),
                procedure="insufficient-cards" if course.is_void else None,
            )
            line, at = settlement.lines[1], verdicts[moment]
            sign = at.sign(course)
            assert line.net == (at.odds.net if sign > 0 else sign), (at.state, course)
            signs[at.state].add(sign)
    assert signs == {at.state: {-1, 0, 1} for at in verdicts.values()}


# ---------------------------------------------------------------- other odds


def test_other_odds_change_one_state_and_nothing_else_of_it() -> None:
    game, state = loaded(COMMISSION_2024), State(PLAYER, THIRD, 9, 4)
    other = with_insurance_odds(game, {state: Odds.parse("7 to 2")})
    assert list(other.offers) == list(game.offers)
    for one, offer in game.offers.items():
        changed = other.offers[one]
        assert changed.odds == ("7 to 2" if one == state else offer.odds)
        assert (changed.tie_pays, changed.clause) == (offer.tie_pays, offer.clause)
    before, after = states_on(game, fresh(8)), states_on(other, fresh(8))
    assert figure(after[state]) == figure(before[state])
    ratio = Fraction(before[state].won, before[state].ways)
    assert after[state].expected_value == (before[state].expected_value or 0) - Fraction(13, 2) * ratio
    assert {one for one in before if after[one].expected_value != before[one].expected_value} == {state}


def test_no_other_odds_are_the_game_as_it_is() -> None:
    game = loaded(COMMISSION_2013)
    same = with_insurance_odds(game, {})
    assert states_on(same, fresh(8)).keys() == states_on(game, fresh(8)).keys()
    assert insured_bets(same, SMALL, walked(SMALL)) == insured_bets(game, SMALL, walked(SMALL))


# ---------------------------------------------------------------- insurance as a habit

SMALL = Shoe.parse("2=1 4=1 5=2 6=1 7=1 K=2")
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

    totals: tuple[Stage, int, int]
    cards: tuple[Stage, Cards, int | None]
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


def bet_net(game_id: str, hand: Hand, deal: Deal) -> Fraction:
    """What the documents pay on a hand, typed once more."""
    player, banker = (deal.player + (deal.third or 0)) % 10, (deal.banker + (deal.last or 0)) % 10
    if deal.is_void or player == banker:
        return Fraction(0)
    if (player > banker) != (hand is PLAYER):
        return -ONE
    if hand is PLAYER:
        return ONE
    if game_id == NONCOMMISSION_2024:
        return Fraction(1, 2) if banker == 6 else ONE
    return Fraction(19, 20)


@cache
def played(game_id: str, hand: Hand, shoe: Shoe) -> list[Played]:
    rounds: Counter[tuple[Fraction, tuple[Offered, ...]]] = Counter()
    for (cards, deal), ways in dealt_from(shoe).items():
        offers = []
        for moment in met(deal):
            state = State(hand, *moment)
            if state in listed(game_id):
                odds, starred = listed(game_id)[state]
                known = (moment[0], cards, deal.third if moment[0] is THIRD else None)
                offers.append(Offered(moment, known, odds, verdict(hand, starred, deal)))
        rounds[bet_net(game_id, hand, deal), tuple(offers)] += ways
    return [Played(ways, *came) for came, ways in rounds.items()]


def opening(offer: Offered, habit: Habit) -> object:
    """What a player knows when the first four cards are dealt: their totals, or the cards."""
    stage, player, banker = offer.totals
    third = offer.cards[2] or 0
    return (
        (player - third) % 10 if stage is THIRD else player,
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
        first = next((offer for offer in offers.values() if offer.totals[0] is FOUR), None)
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


# Insurance Plus is one table in both documents of 2024; at 8 decks one of them will do.
ON_EVERY_SHOE = [
    *product((COMMISSION_2013, NONCOMMISSION_2024), [fresh(8)]),
    *product(INSURED, HABIT_SHOES.values()),
]


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


@pytest.mark.parametrize(("game_id", "shoe"), ON_EVERY_SHOE, ids=in_words)
def test_never_to_insure_is_the_plain_bet_and_favourable_insurance_adds_to_it(
    game_id: str, shoe: Shoe
) -> None:
    game = loaded(game_id)
    for hand in Hand:
        mine = {habit: habits(game_id, shoe)[hand, habit] for habit in Habit}
        plain = bet_analysis(game, game.bet(hand.value), walked(shoe))
        never = mine[Habit.NEVER]
        assert (never.mean, never.variance) == (plain.expected_value, plain.variance)
        assert never.insurance_mean == never.insurance_staked == never.insured == 0
        assert never.insurance_edge is None
        for bet in mine.values():
            assert bet.mean == never.mean + bet.insurance_mean
            if bet.insurance_staked:
                assert bet.insurance_edge == -bet.insurance_mean / bet.insurance_staked
        for habit in (Habit.BY_TOTALS, Habit.BY_CARDS):
            assert mine[habit].mean >= never.mean
            assert mine[habit].insurance_mean >= 0
        by_totals, by_cards = mine[Habit.BEST_BY_TOTALS], mine[Habit.BEST_BY_CARDS]
        assert by_cards.mean >= by_totals.mean >= mine[Habit.BY_TOTALS].mean
        assert by_cards.mean >= mine[Habit.BY_CARDS].mean


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


def test_at_8_decks_one_who_waits_for_a_favourable_offer_of_insurance_plus_never_insures() -> None:
    mine = habits(NONCOMMISSION_2024, fresh(8))
    for hand in Hand:
        never = mine[hand, Habit.NEVER]
        for habit in (Habit.BY_TOTALS, Habit.BY_CARDS, *BEST):
            assert replace(mine[hand, habit], habit=Habit.NEVER) == never


def test_at_8_decks_the_exact_cards_are_worth_more_than_the_totals_in_2013() -> None:
    mine = habits(COMMISSION_2013, fresh(8))
    for hand in Hand:
        by_totals, by_cards = mine[hand, Habit.BY_TOTALS], mine[hand, Habit.BY_CARDS]
        assert 0 < by_totals.insurance_mean < by_cards.insurance_mean
        assert mine[hand, Habit.ALWAYS].insurance_mean < 0


@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2024])
def test_always_to_insure_at_8_decks_by_six_cards_at_once(game_id: str) -> None:
    """Each state's own figures, weighted by what may be staked there: all of it, or in 2013 what is left.

    In 2013 an offer after four cards uses the cap up; one after the third card is open only to those who
    were offered none before.
    """
    rounds = six_at_once(fresh(8))
    for hand in Hand:
        staked = gain = Fraction(0)
        for deal, ways in rounds.ways.items():
            offers = [State(hand, *moment) for moment in met(deal) if State(hand, *moment) in listed(game_id)]
            for state in offers[:1] if game_id == COMMISSION_2013 else offers:
                odds, starred = listed(game_id)[state]
                stake = ways / odds if game_id == COMMISSION_2013 else Fraction(ways)
                sign = verdict(hand, starred, deal)
                staked += stake
                gain += stake * (odds if sign > 0 else sign)
        bet = habits(game_id, fresh(8))[hand, Habit.ALWAYS]
        assert bet.insurance_staked == staked / falling(416, 6)
        assert bet.insurance_mean == gain / falling(416, 6)
        assert bet.insurance_edge == -gain / staked


def test_what_variance_removed_costs() -> None:
    mine = habits(COMMISSION_2013, fresh(8))
    never, always = mine[PLAYER, Habit.NEVER], mine[PLAYER, Habit.ALWAYS]
    removed = never.variance - always.variance
    assert removed > 0
    assert always.cost_of_variance == -always.insurance_mean / removed
    assert never.cost_of_variance is None
    # Insurance Plus may be staked to the full bet: the variance grows, so nothing is bought.
    plus = habits(NONCOMMISSION_2024, fresh(8))
    assert plus[PLAYER, Habit.ALWAYS].variance > plus[PLAYER, Habit.NEVER].variance
    assert plus[PLAYER, Habit.ALWAYS].cost_of_variance is None


def test_a_game_that_insures_one_hand_has_habits_on_that_hand_alone() -> None:
    game = loaded(COMMISSION_2013)
    banker_only = msgspec.structs.replace(
        game, insurance=tuple(table for table in game.insurance if table.side is BANKER)
    )
    insured = insured_bets(banker_only, SMALL, walked(SMALL))
    assert [(bet.hand, bet.habit) for bet in insured] == [(BANKER, habit) for habit in Habit]


# ---------------------------------------------------------------- what may still be staked


def limit(
    caps: Caps,
    per: Per = Per.ROUND,
    share: str = "100%",
    *,
    of: Base = Base.ORIGINAL_BET,
    odds: str | None = None,
    procedure: str | None = None,
) -> Limit:
    return Limit(
        clause="1",
        caps=caps,
        per=per,
        share=Share.parse(share),
        of=of,
        odds=None if odds is None else Odds.parse(odds),
        procedure=procedure,
    )


Earlier = list[tuple[str, str]]


@pytest.mark.parametrize(
    ("limits", "earlier", "odds", "most"),
    [
        # Nothing holds it down.
        ([], [], "3 to 1", None),
        ([], [("1", "3 to 1")], "3 to 1", None),
        # Payouts of the round together.
        ([limit(Caps.PAYOUT)], [], "3 to 1", "1/3"),
        ([limit(Caps.PAYOUT)], [], "1.5 to 1", "2/3"),
        ([limit(Caps.PAYOUT)], [], "1 to 2", "2"),
        ([limit(Caps.PAYOUT)], [("1/6", "3 to 1")], "4 to 1", "1/8"),
        ([limit(Caps.PAYOUT)], [("1/6", "3 to 1"), ("1/8", "4 to 1")], "7 to 1", "0"),
        ([limit(Caps.PAYOUT)], [("1", "3 to 1")], "7 to 1", "0"),
        ([limit(Caps.PAYOUT, share="50%")], [], "4 to 1", "1/8"),
        # Payout and stake: what comes back in all.
        ([limit(Caps.PAYOUT_AND_STAKE)], [], "3 to 1", "1/4"),
        ([limit(Caps.PAYOUT_AND_STAKE)], [("1/8", "3 to 1")], "4 to 1", "1/10"),
        # Stakes, offer by offer or of the round together.
        ([limit(Caps.STAKE, Per.OFFER)], [], "5 to 2", "1"),
        ([limit(Caps.STAKE, Per.OFFER)], [("1", "5 to 2")], "10 to 1", "1"),
        ([limit(Caps.STAKE)], [("3/4", "5 to 2")], "10 to 1", "1/4"),
        ([limit(Caps.PAYOUT, Per.OFFER)], [("1/3", "3 to 1")], "4 to 1", "1/4"),
        # Only at some odds.
        ([limit(Caps.STAKE, odds="10 to 1", share="25%")], [], "10 to 1", "1/4"),
        ([limit(Caps.STAKE, odds="10 to 1", share="25%")], [("1", "4 to 1")], "10 to 1", "1/4"),
        ([limit(Caps.STAKE, odds="10 to 1", share="25%")], [], "4 to 1", None),
        ([limit(Caps.STAKE, odds="10 to 1", share="25%")], [("1/5", "20 to 2")], "10 to 1", "1/20"),
        # The tightest of several.
        ([limit(Caps.STAKE, Per.OFFER, "50%"), limit(Caps.PAYOUT)], [], "3 to 1", "1/3"),
        ([limit(Caps.STAKE, Per.OFFER, "20%"), limit(Caps.PAYOUT)], [], "3 to 1", "1/5"),
        # A cap by the table maximum, or under a procedure, is none of the original bet's.
        ([limit(Caps.STAKE, Per.OFFER, "25%", of=Base.TABLE_MAXIMUM)], [], "10 to 1", None),
        ([limit(Caps.PAYOUT, procedure="insurance-offered-late")], [], "10 to 1", None),
    ],
)  # fmt: skip
def test_what_may_still_be_staked(limits: list[Limit], earlier: Earlier, odds: str, most: str | None) -> None:
    bets = [(Fraction(stake), Odds.parse(at)) for stake, at in earlier]
    room = least_room(limits, Odds.parse(odds), bets)
    assert (room and room.stake) == (most and Fraction(most))


def test_without_a_limit_a_habit_stakes_the_bet_itself() -> None:
    def with_limits(*limits: Limit) -> Game:
        game = loaded(COMMISSION_2013)
        assert game.insurance_terms is not None
        terms = msgspec.structs.replace(game.insurance_terms, limits=limits)
        return msgspec.structs.replace(game, insurance_terms=terms)

    without, to_the_bet = with_limits(), with_limits(limit(Caps.STAKE, Per.OFFER))
    assert insured_bets(without, SMALL, walked(SMALL)) == insured_bets(to_the_bet, SMALL, walked(SMALL))


@pytest.mark.parametrize("game_id", INSURED)
def test_what_may_still_be_staked_is_what_a_settlement_takes(game_id: str) -> None:
    """To the limit a settlement takes it, and not a thousandth more."""
    game = loaded(game_id)
    assert game.insurance_terms is not None
    limits = game.insurance_terms.limits
    dealt = Round(cards_worth([5, 0, 2], 0), cards_worth([4, 0, 5], 0))

    def most(state: State, *earlier: tuple[Fraction, Odds]) -> Fraction:
        room = least_room(limits, game.offers[state].odds, earlier)
        assert room is not None
        return room.stake

    first = most(State(PLAYER, FOUR, 5, 4))
    for taken in (Fraction(0), first / 3, first):
        odds = game.offers[State(PLAYER, FOUR, 5, 4)].odds
        second = most(State(PLAYER, THIRD, 7, 4), *([(taken, odds)] if taken else []))
        for more in (Fraction(0), Fraction(1, 1000)):
            insured = {Insured(PLAYER, FOUR): taken, Insured(PLAYER, THIRD): second + more}
            insured = {what: stake for what, stake in insured.items() if stake}
            if more:
                with pytest.raises(Exception, match="over the limit"):
                    settle(game, dealt, {"player": ONE}, insured)
            else:
                assert settle(game, dealt, {"player": ONE}, insured).staked == 1 + taken + second


def test_offers_are_judged_with_or_without_a_star() -> None:
    """The star is the line's own: without it the Player Hand of 9 could never lose."""
    game, state = loaded(COMMISSION_2013), State(PLAYER, THIRD, 9, 4)
    courses = {
        course: ways
        for course, ways in walked(fresh(8)).by_points.items()
        if state.moment in moments(course, Open.CARD_TO_COME)
    }
    starred = StateBet(state, game.offers[state]).analysis(courses, 1)
    plain = Offer(player_points=PointSet({9}), banker_points=PointSet({4}), odds=Odds.parse("8 to 1"))
    unstarred = StateBet(state, plain).analysis(courses, 1)
    assert (unstarred.won, unstarred.fair_odds) == (0, None)
    assert unstarred.lost == starred.lost
    assert starred.won == starred.ways - starred.lost > 0
