"""The analysis of bets, alone and together: against every round of small shoes, and by its laws on large ones."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import Game, Shoe, analyze, evaluate, load_game
from combinat.analysis.bets import bet_analysis
from combinat.analysis.joint import Combination, combination, correlations, joint_nets
from combinat.base.errors import InputError
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.rules.book.load import parsed_game
from combinat.rules.odds import Odds
from tests.documents import (
    BETS,
    COMMISSION_2013,
    COMMISSION_2024,
    GAMES,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
)
from tests.games import dealt, loaded
from tests.oracle import dealer, settler
from tests.oracle.dealer import Deal
from tests.oracle.settler import chance, mean
from tests.oracle.shoes import FRESH, LARGE, SMALL, UNFINISHABLE, small_shoes
from tests.paths import ROOT

ZERO, ONE = Fraction(0), Fraction(1)
SAMPLE_SPACE = 4998398275503360
"""The ordered sequences of six cards from 8 decks."""

UNFINISHED = "unfinished-round-void"
ALL_BETS = [(game_id, bet_id) for game_id in GAMES for bet_id in BETS[game_id]]


@cache
def deals(shoe: str) -> Counter[Deal]:
    """Every round of a small shoe, by the independent dealer."""
    return dealer.deals(Shoe.parse(shoe).counts)


@cache
def standing(game_id: str) -> Game:
    """The game read so that bets already decided stand in a void round."""
    return loaded(game_id).reading(UNFINISHED)


def odds_of(net: Fraction) -> Odds:
    return Odds.parse(f"{net.numerator} to {net.denominator}")


# ---------------------------------------------------------------- every round


def bet_is_every_rounds(game: Game, bet_id: str, shoe: str, void_stands: bool = False) -> Counter[Fraction]:
    """Every figure of a bet on a small shoe follows from the settler's nets, which are returned."""
    bet = bet_analysis(game, game.bet(bet_id), dealt(shoe))
    net_of = settler.decided_net if void_stands else settler.bet_net
    nets, by_line = (
        settler.summed(pairs)
        for pairs in (
            ((net_of(game.id, bet_id, deal), ways) for deal, ways in deals(shoe).items()),
            ((line.net, line.ways) for line in bet.outcomes),
        )
    )
    space = dealer.sequences(Shoe.parse(shoe).counts)
    assert +by_line == nets
    assert nets.total() == space
    won, returned, lost = (chance(nets, sign) for sign in (1, 0, -1))
    average = mean(nets)
    assert (bet.expected_value, bet.house_edge, bet.return_to_player) == (average, -average, 1 + average)
    assert bet.variance == mean(moments(nets, average, 2))
    assert bet.third_central_moment == mean(moments(nets, average, 3))
    assert (bet.hit_frequency, bet.returned) == (won, returned)
    assert bet.largest_payout == max((net for net in nets if net > 0), default=None)
    assert bet.edge_per_resolved_bet == (-average / (won + lost) if won + lost else None)
    assert bet.fair_odds == (lost / won if won else None)
    void = settler.summed(
        (net_of(game.id, bet_id, deal), ways) for deal, ways in deals(shoe).items() if deal.is_void
    )
    lines = [line for line in bet.outcomes if line.is_void]
    assert {line.net: line.ways for line in lines if line.ways} == +void
    assert len(lines) == len(void)
    assert bet.void == Fraction(void.total(), space)
    assert bet.push == Fraction(nets[ZERO] - void[ZERO], space)
    return nets


def moments(nets: Counter[Fraction], average: Fraction, power: int) -> Counter[Fraction]:
    """The ways of each power of the distance from the average."""
    return settler.summed(((net - average) ** power, ways) for net, ways in nets.items())


@pytest.mark.parametrize(("game_id", "bet_id"), ALL_BETS)
def test_a_bet_is_settled_as_in_every_round_of_a_small_shoe(game_id: str, bet_id: str) -> None:
    met: set[Fraction] = set()
    for shoe in SMALL:
        met |= bet_is_every_rounds(loaded(game_id), bet_id, shoe).keys()
    assert met >= set(settler.line_nets(game_id, bet_id)[1])  # the shoes meet every line


@pytest.mark.parametrize("shoe", UNFINISHABLE)
@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2025])
def test_a_decided_bet_stands_as_in_every_round_of_a_small_shoe(game_id: str, shoe: str) -> None:
    game = standing(game_id)
    for bet in game.bets:
        bet_is_every_rounds(game, bet.id, shoe, void_stands=True)
        for line in bet_analysis(game, bet, dealt(shoe)).outcomes:
            if line.is_void:
                name = "void" if not line.net else "void, won" if line.net > 0 else "void, lost"
                assert (line.name, line.odds) == (name, "" if line.net else "push"), bet.id


def test_the_unfinishable_shoes_decide_bets_in_every_way() -> None:
    """Won at every odds of Tiger Pair, lost and returned; beside rounds that are finished."""
    game, decided = standing(NONCOMMISSION_2025), set()
    for shoe in UNFINISHABLE:
        outcomes = bet_analysis(game, game.bet("tiger-pair"), dealt(shoe)).outcomes
        decided |= {(line.net, line.is_void) for line in outcomes if line.ways}
    assert decided >= {(net, True) for net in (4, 20, 100, -1, 0)} | {(net, False) for net in (4, -1)}
    assert any(deal.is_void and len(deal.player) == 3 for shoe in UNFINISHABLE for deal in deals(shoe))


# ---------------------------------------------------------------- laws


def partition_holds(shoe: Shoe, distribution: Distribution) -> None:
    """The outcomes of every bet are all that can be dealt."""
    space = dealer.sequences(shoe.counts)
    assert distribution.sample_space == space
    for game in (loaded(COMMISSION_2013), loaded(NONCOMMISSION_2025), standing(NONCOMMISSION_2025)):
        bets = [bet_analysis(game, bet, distribution) for bet in game.bets]
        assert [bet.id for bet in bets] == list(BETS[game.id])
        for bet in bets:
            assert sum(line.ways for line in bet.outcomes) == space, bet.id
            for line in bet.outcomes:
                assert line.ways >= 0
                assert line.probability == Fraction(line.ways, space)
                assert line.contribution == line.net * line.probability


@pytest.mark.parametrize("shoe", LARGE)
def test_the_outcomes_of_a_bet_are_all_that_can_be_dealt(shoe: str) -> None:
    partition_holds(Shoe.parse(shoe), dealt(shoe))


@settings(max_examples=50)
@given(small_shoes(most=16))
def test_the_outcomes_are_all_that_can_be_dealt_on_any_small_shoe(shoe: Shoe) -> None:
    partition_holds(shoe, walk(shoe))


odds_texts = st.builds(
    lambda profit, stake: Odds.parse(f"{profit} to {stake}"), st.integers(1, 999), st.integers(1, 99)
)


@settings(max_examples=50)
@given(st.lists(odds_texts, min_size=3, max_size=3), st.lists(odds_texts, min_size=3, max_size=3))
def test_the_expected_value_is_linear_in_the_odds(first: list[Odds], second: list[Odds]) -> None:
    def value(odds: Sequence[Odds]) -> Fraction:
        other = loaded(NONCOMMISSION_2025).paying({"player-char-siu": odds})
        return bet_analysis(other, other.bet("player-char-siu"), dealt(FRESH)).expected_value

    published = (134572610764800, 59125646364672, 34288165392384)
    assert value(second) - value(first) == sum(
        Fraction(ways, SAMPLE_SPACE) * (after.net - before.net)
        for ways, before, after in zip(published, first, second, strict=True)
    )
    between = [odds_of((one.net + two.net) / 2) for one, two in zip(first, second, strict=True)]
    assert value(between) == (value(first) + value(second)) / 2


# ---------------------------------------------------------------- bets alone


def test_a_bet_that_cannot_win_has_no_largest_payout() -> None:
    game = loaded(NONCOMMISSION_2025)
    never = game.paying({"player": [Odds.parse("push")]})
    assert bet_analysis(never, never.bet("player"), dealt(FRESH)).largest_payout is None
    # the odds of a line that the shoe cannot deal do not count
    three = bet_analysis(game, game.bet("tiger-pair"), dealt("A=2 2=2 3=2 4=2 5=2"))
    assert [line.ways > 0 for line in three.outcomes] == [True, True, False, True]
    assert three.largest_payout == 20


def test_a_bet_of_another_game_is_refused() -> None:
    game = loaded(COMMISSION_2013)
    with pytest.raises(InputError):
        analyze(game, Shoe.parse("A=2 K=1")).bet("big-tiger")
    with pytest.raises(InputError):
        combination(game, {"tie": ONE, "big-tiger": ONE}, dealt("A=6"))


# ---------------------------------------------------------------- bets together

STAKES = {
    "banker": Fraction(100),
    "big-tiger": Fraction(10),
    "tiger-pair": Fraction(5, 2),
    "tie": Fraction(7),
}


def ways_of(together: Combination) -> dict[Fraction, int]:
    """The ways of each net of the stakes together, highest first."""
    ways = {outcome.net: int(outcome.ways) for outcome in together.outcomes}
    assert list(ways) == sorted((outcome.net for outcome in together.outcomes), reverse=True)
    return ways


def bets_together_are_every_rounds(game: Game, shoe: str, void_stands: bool) -> None:
    """Joint nets, covariances and stakes together, all from the settler's nets of every round."""
    net_of = settler.decided_net if void_stands else settler.bet_net
    joint: Counter[tuple[Fraction, ...]] = Counter()
    for deal, ways in deals(shoe).items():
        joint[tuple(net_of(game.id, bet.id, deal) for bet in game.bets)] += ways
    assert joint_nets(game, game.bets, dealt(shoe)) == joint
    place = {bet.id: number for number, bet in enumerate(game.bets)}

    def mean_of(values: Iterable[tuple[Fraction, int]]) -> Fraction:
        return mean(settler.summed(values))

    means = [mean_of((nets[number], ways) for nets, ways in joint.items()) for number in place.values()]
    correlated = correlations(game, game.bets, dealt(shoe))
    assert len(correlated) == len(game.bets) * (len(game.bets) - 1) // 2
    for one in correlated:
        first, second = place[one.first], place[one.second]
        products = mean_of((nets[first] * nets[second], ways) for nets, ways in joint.items())
        assert one.covariance == products - means[first] * means[second], (one.first, one.second)
    if not STAKES.keys() <= place.keys():
        return
    won = settler.summed(
        (sum((stake * nets[place[bet]] for bet, stake in STAKES.items()), ZERO), ways)
        for nets, ways in joint.items()
    )
    together = combination(game, STAKES, dealt(shoe))
    assert ways_of(together) == won
    assert {stake.bet: stake.amount for stake in together.stakes} == STAKES
    assert together.mean == mean(won)
    assert together.variance == mean(moments(won, mean(won), 2))


@pytest.mark.parametrize("shoe", [SMALL[0], SMALL[6], SMALL[8], SMALL[10]])
def test_bets_together_are_those_of_every_round(shoe: str) -> None:
    bets_together_are_every_rounds(loaded(NONCOMMISSION_2025), shoe, void_stands=False)


@pytest.mark.parametrize("shoe", UNFINISHABLE)
def test_decided_bets_together_are_those_of_every_round(shoe: str) -> None:
    bets_together_are_every_rounds(standing(NONCOMMISSION_2025), shoe, void_stands=True)


# ---------------------------------------------------------------- a shoe that runs out before the fourth card


@pytest.mark.parametrize("cards", ["9 J J", "7 7 7", "K Q Q", "A 2 3", "5 5", "K"])
@pytest.mark.parametrize("document", [COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024])
def test_a_pair_is_decided_by_the_third_card(document: str, cards: str) -> None:
    """The Player Hand has the first and the third card. With fewer cards every bet comes back."""
    game = load_game(document)
    deals = list(permutations(cards.split()))
    three = len(deals[0]) == 3
    pair = sum(Fraction(11 if deal[0] == deal[2] else -1) for deal in deals) / len(deals) if three else 0
    shoe = Shoe.of(Counter(cards.split()))
    analysis = analyze(game.reading(UNFINISHED), shoe)
    assert analysis["player-pair"].expected_value == pair
    assert analysis["banker-pair"].expected_value == 0
    assert analysis["tie"].expected_value == 0
    assert analysis["player-pair"].total_probability == 1
    assert analyze(game, shoe)["player-pair"].expected_value == 0
    assert evaluate(game.reading(UNFINISHED), [shoe])["player-pair"] == (pair,)


def test_two_cards_decide_a_bet_on_one_rank_of_pairs() -> None:
    """A bet on a pair of Kings is lost with the Player's first card, and stands as lost after two cards."""
    path = ROOT / "tables" / f"{COMMISSION_2013}.toml"
    text = path.read_text().replace(
        "pays = [{ player_pair = true, odds", 'pays = [{ player_pair_of = "K", odds'
    )
    game = parsed_game(text.encode(), path).reading(UNFINISHED)
    assert analyze(game, Shoe.parse("5=1 6=1"))["player-pair"].expected_value == -1
    assert analyze(game, Shoe.parse("K=2"))["player-pair"].expected_value == 0
