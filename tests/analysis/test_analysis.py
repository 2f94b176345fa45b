"""The analysis of bets and insurance: against every round of small shoes, and by its laws on large ones.

The small shoes are walked with ``every_round``, the definition, and settled here once more: when a bet
wins is written out below in plain conditions, and what it then pays is typed in ``documents.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import Game, Shoe, load_game
from combinat.analysis.analysis import analyze
from combinat.analysis.bets import BetAnalysis, bet_analysis, void_nets
from combinat.analysis.insurance import StateAnalysis, insurance_analysis
from combinat.analysis.joint import Combination, combination, correlations, joint_nets
from combinat.analysis.readings import Difference, Measure, differences
from combinat.analysis.subject import Subject
from combinat.analysis.what_if import with_odds
from combinat.engine.distribution import Distribution, falling
from combinat.engine.walk import every_round, walk
from combinat.errors import NotInGameError, OddsError
from combinat.render.number import decimal
from combinat.rules.cards import POINTS, RANKS, Rank
from combinat.rules.insurance import State
from combinat.rules.odds import Odds
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand
from tests.documents import (
    BETS,
    COMMISSION_2013,
    COMMISSION_2024,
    GAMES,
    INSURANCE,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
)
from tests.oracle.second_opinion import banker_draws

SMALL = (
    "2=1 4=1 5=1 6=1 7=1 8=1 Q=1",
    "2=1 3=1 5=1 6=1 7=2 9=1",
    "A=1 2=1 4=1 5=1 6=1 8=1 K=1",
    "2=1 3=1 4=1 6=1 7=1 9=2",
    "4=1 5=2 6=2 9=1 Q=1",
    "A=1 3=1 4=1 6=1 7=1 8=1 9=1",
    "2=4 3=1 6=1 10=1",
    "K=3 Q=2 6=1 10=1",  # pairs worth the same
    "A=2 2=1 3=1 4=1",  # five cards: not always enough
    "5=1 6=1 K=2",  # four
    "A=2 K=1",  # three: never enough
    "A=0",
    "A=6",  # every round is the same
)
"""Shoes small enough to deal every round. Together they meet every line of every pay table."""

LARGE = (
    "A=32 2=32 3=32 4=32 5=32 6=32 7=32 8=32 9=32 10=32 J=32 Q=32 K=32",
    "A=16 2=16 3=16 4=16 5=16 6=16 7=16 8=16 9=16 10=16 J=16 Q=16 K=16",
    "A=31 2=7 3=19 4=0 5=32 6=4 7=28 8=1 9=13 10=2 J=30 Q=5 K=0",  # depleted, two ranks missing
    "6=40 K=300",
)


@cache
def game_of(game_id: str) -> Game:
    return load_game(game_id)


@cache
def walked(shoe: str) -> Distribution:
    return walk(Shoe.parse(shoe))


FRESH = LARGE[0]
SAMPLE_SPACE = 4998398275503360
"""The ordered sequences of six cards from 8 decks."""

ZERO, ONE = Fraction(0), Fraction(1)


# ---------------------------------------------------------------- the second opinion


class Dealt(NamedTuple):
    """A round of a small shoe: the cards, whether the shoe ran out, and its ways in full sequences."""

    player: tuple[Rank, ...]
    banker: tuple[Rank, ...]
    is_void: bool
    ways: int


@cache
def every_deal(text: str) -> tuple[Dealt, ...]:
    """Every round of a small shoe; those that differ in the order of a hand's first two cards are one."""
    shoe = Shoe.parse(text)
    length = min(shoe.size, 6)
    deals: Counter[tuple[tuple[Rank, ...], tuple[Rank, ...], bool]] = Counter()
    for dealt, ways in every_round(shoe, Round()):
        taken = len(dealt.player) + len(dealt.banker)
        hands = [(*sorted(hand[:2]), *hand[2:]) for hand in (dealt.player, dealt.banker)]
        deals[hands[0], hands[1], not dealt.is_over] += ways * falling(shoe.size - taken, length - taken)
    return tuple(Dealt(*dealt, ways) for dealt, ways in deals.items())


def total(cards: Sequence[Rank]) -> int:
    return sum(POINTS[card] for card in cards) % 10


def lines_met(player: tuple[Rank, ...], banker: tuple[Rank, ...]) -> dict[str, int | None]:
    """Which line of its pay table each bet meets, from 0; None: it loses."""
    p, b, cards = total(player), total(banker), len(player) + len(banker)
    player_wins, banker_wins, tie = p > b, b > p, p == b
    player_pair, banker_pair = player[0] == player[1], banker[0] == banker[1]
    pairs = player_pair + banker_pair
    two_p, two_b = len(player) == 2, len(banker) == 2

    def wins(met: bool) -> int | None:
        return 0 if met else None

    return {
        "player": 0 if player_wins else 1 if tie else None,
        "tie": wins(tie),
        "tiger-tie": wins(tie and p == 6),
        "player-pair": wins(player_pair),
        "banker-pair": wins(banker_pair),
        "big-tiger": wins(banker_wins and b == 6 and not two_b),
        "small-tiger": wins(banker_wins and b == 6 and two_b),
        "big-buffalo": wins(player_wins and p == 6 and not two_p),
        "small-buffalo": wins(player_wins and p == 6 and two_p),
        "banker-big-7": wins(banker_wins and b == 7 and not two_b),
        "banker-small-7": wins(banker_wins and b == 7 and two_b),
        "player-big-7": wins(player_wins and p == 7 and not two_p),
        "player-small-7": wins(player_wins and p == 7 and two_p),
        "tiger-buffalo": wins((player_wins and p == 6) or (banker_wins and b == 6)),
        "tiger-pair": None if not pairs else 0 if pairs == 1 else 2 if player[0] == banker[0] else 1,
        "tiger": None if not (banker_wins and b == 6) else 0 if two_b else 1,
        "wu-dalang": wins(player_wins and p == 1),
        "player-char-siu": cards - 4 if p - b == 1 and p >= 7 else None,
        "banker-char-siu": cards - 4 if b - p == 1 and b >= 7 else None,
        "banker": 0 if banker_wins else 1 if tie else None,
        "banker, half on 6": (0 if b == 6 else 1) if banker_wins else 2 if tie else None,
    }


def net_of(odds: str) -> Fraction:
    if odds == "push":
        return Fraction(0)
    profit, stake = odds.split(":")
    return Fraction(profit) / Fraction(stake)


@cache
def lines_dealt(shoe: str) -> tuple[dict[str, int | None] | None, ...]:
    """What every bet meets in every round of a small shoe; None: the round is void."""
    return tuple(
        None if dealt.is_void else lines_met(dealt.player, dealt.banker) for dealt in every_deal(shoe)
    )


@cache
def odds_typed(game_id: str, bet_id: str) -> tuple[str, tuple[Fraction, ...]]:
    """The bet's name among the conditions above, and what each of its lines pays."""
    odds = tuple(net_of(one) for one in BETS[game_id][bet_id][2].split())
    return "banker, half on 6" if bet_id == "banker" and len(odds) == 3 else bet_id, odds


def net_met(game_id: str, bet_id: str, lines: dict[str, int | None]) -> Fraction:
    """The net result of the bet where these lines are met."""
    name, odds = odds_typed(game_id, bet_id)
    met = lines[name]
    return Fraction(-1) if met is None else odds[met]


@cache
def nets_dealt(game_id: str, bet_id: str, shoe: str) -> tuple[Fraction, ...]:
    """The net result of the bet in every round of a small shoe."""
    return tuple(
        Fraction(0) if lines is None else net_met(game_id, bet_id, lines) for lines in lines_dealt(shoe)
    )


Cards = tuple[Rank, ...]


def finished(player: Cards, banker: Cards) -> Iterator[tuple[Cards, Cards]]:
    """Every way to finish a void round of four or five cards, as if the shoe had cards of every rank."""
    if len(player) == 2 and total(player) <= 5:
        for card in RANKS:
            yield from finished((*player, card), banker)
    elif banker_draws(total(banker), POINTS[player[2]] if len(player) == 3 else None):
        for card in RANKS:
            yield player, (*banker, card)
    else:
        yield player, banker


@cache
def ends_dealt(shoe: str) -> tuple[tuple[dict[str, int | None], ...], ...]:
    """What every bet meets in every round of a small shoe; in a void one, in all the ways to finish it.

    Nothing before four cards are dealt: until then no bet is decided.
    """
    met = []
    for dealt in every_deal(shoe):
        ends: Iterable[tuple[Cards, Cards]] = [(dealt.player, dealt.banker)]
        if dealt.is_void:
            opened = len(dealt.player) + len(dealt.banker) >= 4
            ends = finished(dealt.player, dealt.banker) if opened else []
        met.append(tuple(lines_met(*end) for end in ends))
    return tuple(met)


@cache
def nets_standing(game_id: str, bet_id: str, shoe: str) -> tuple[Fraction, ...]:
    """The net result in every round of a small shoe where what is decided stands, finished or not."""
    standing_nets = []
    for ends in ends_dealt(shoe):
        nets = {net_met(game_id, bet_id, lines) for lines in ends}
        standing_nets.append(nets.pop() if len(nets) == 1 else Fraction(0))
    return tuple(standing_nets)


Ways = Sequence[tuple[Fraction, int]]
"""Values, each with its ways."""


def gathered(values: Iterable[Fraction], shoe: str) -> Ways:
    """A value for every round of a small shoe, equal ones together, with their ways."""
    ways: Counter[Fraction] = Counter()
    for value, dealt in zip(values, every_deal(shoe), strict=True):
        ways[value] += dealt.ways
    return list(ways.items())


def mean(values: Ways) -> Fraction:
    return sum((value * ways for value, ways in values), Fraction(0)) / sum(ways for _, ways in values)


def chance(values: Ways, sign: int) -> Fraction:
    """How often the value is above (1), at (0) or below (-1) nothing."""
    return mean([(Fraction((value > 0) - (value < 0) == sign), ways) for value, ways in values])


def ways_of(together: Combination) -> dict[Fraction, int]:
    """The ways of everything that stakes come to together, in the order in which it is listed."""
    assert len({outcome.net for outcome in together.outcomes}) == len(together.outcomes)
    return {outcome.net: outcome.ways for outcome in together.outcomes}


def odds_of(net: Fraction) -> Odds:
    return Odds.parse(f"{net.numerator} to {net.denominator}")


ALL_BETS = [(game_id, bet_id) for game_id in GAMES for bet_id in BETS[game_id]]


def analyses(game_id: str, bet_id: str) -> Iterator[tuple[BetAnalysis, Ways]]:
    """The bet on every small shoe: as analysed, and as dealt."""
    game = game_of(game_id)
    for shoe in SMALL:
        dealt = gathered(nets_dealt(game_id, bet_id, shoe), shoe)
        yield bet_analysis(game, game.bet(bet_id), walked(shoe)), dealt


# ---------------------------------------------------------------- the bets


@pytest.mark.parametrize("shoe", [*SMALL, *LARGE])
@pytest.mark.parametrize("game_id", GAMES)
def test_the_outcomes_of_a_bet_are_all_that_can_be_dealt(game_id: str, shoe: str) -> None:
    cards = Shoe.parse(shoe).size
    game, distribution = game_of(game_id), walked(shoe)
    assert distribution.sample_space == falling(cards, min(cards, 6))
    bets = [bet_analysis(game, bet, distribution) for bet in game.bets]
    assert [bet.id for bet in bets] == list(BETS[game_id])
    for bet in bets:
        assert all(line.ways >= 0 for line in bet.outcomes), bet.id
        assert sum(line.ways for line in bet.outcomes) == falling(cards, min(cards, 6)), bet.id
        assert all(
            line.probability == Fraction(line.ways, distribution.sample_space)
            and line.contribution == line.net * line.probability
            for line in bet.outcomes
        ), bet.id
        assert bet.void == Fraction(distribution.void, distribution.sample_space), bet.id


def test_the_small_shoes_meet_every_line_of_every_pay_table() -> None:
    for game_id, bet_id in ALL_BETS:
        game = game_of(game_id)
        met = [
            sum(bet_analysis(game, game.bet(bet_id), walked(shoe)).outcomes[line].ways for shoe in SMALL)
            for line in range(len(BETS[game_id][bet_id][2].split()))
        ]
        assert all(met), (game_id, bet_id, met)


@pytest.mark.parametrize(("game_id", "bet_id"), ALL_BETS)
def test_a_bet_is_what_every_round_of_a_small_shoe_says(game_id: str, bet_id: str) -> None:
    for bet, dealt in analyses(game_id, bet_id):
        by_net: Counter[Fraction] = Counter()
        for line in bet.outcomes:
            by_net[line.net] += line.ways
        assert +by_net == dict(dealt)
        won, returned, lost = (chance(dealt, sign) for sign in (1, 0, -1))
        average = mean(dealt)
        assert bet.expected_value == average
        assert bet.house_edge == -average
        assert bet.return_to_player == mean([(1 + value, ways) for value, ways in dealt])
        assert bet.variance == mean([((value - average) ** 2, ways) for value, ways in dealt])
        assert bet.third_central_moment == mean([((value - average) ** 3, ways) for value, ways in dealt])
        assert bet.hit_frequency == won
        assert bet.returned == returned == bet.push + bet.void
        assert bet.largest_payout == max((value for value, _ in dealt if value > 0), default=None)
        assert bet.edge_per_resolved_bet == (-average / (won + lost) if won + lost else None)
        assert bet.fair_odds == (lost / won if won else None)


@pytest.mark.parametrize("shoe", SMALL)
def test_void_rounds_are_told_from_pushes(shoe: str) -> None:
    dealt = every_deal(shoe)
    void = mean([(Fraction(one.is_void), one.ways) for one in dealt])
    tie = mean(
        [(Fraction(not one.is_void and total(one.player) == total(one.banker)), one.ways) for one in dealt]
    )
    analysis = analyze(game_of(NONCOMMISSION_2025), Shoe.parse(shoe))
    assert analysis.void == void
    for bet in analysis.bets:
        assert bet.void == void
        assert bet.push == (tie if bet.id in ("player", "banker") else 0)
        assert [line.name for line in bet.outcomes].count("void") == (void > 0)
        assert {line.name for line in bet.outcomes if line.is_void} <= {"void"}
        assert sum(line.probability for line in bet.outcomes if line.is_void) == void


@pytest.mark.parametrize("shoe", [FRESH, "A=2 2=1 3=1 4=1", "K=3 Q=2 6=1 10=1", "A=2 K=1"])
def test_a_pay_line_that_is_called_void_is_none(shoe: str) -> None:
    """What a rule book calls its lines has no say in which rounds are void."""
    game, distribution = game_of(NONCOMMISSION_2025), walked(shoe)
    for bet_id in ("player", "tie"):
        bet = game.bet(bet_id)
        renamed = tuple(msgspec.structs.replace(pay, name="void") for pay in bet.pays)
        before = bet_analysis(game, bet, distribution)
        after = bet_analysis(game, msgspec.structs.replace(bet, pays=renamed), distribution)
        assert [line.name for line in after.outcomes].count("void") == len(renamed) + (distribution.void > 0)
        assert after.void == before.void == Fraction(distribution.void, distribution.sample_space)
        assert after.push == before.push
        assert after.returned == before.returned == before.push + before.void


def test_a_bet_that_cannot_win_has_no_largest_payout() -> None:
    game = game_of(NONCOMMISSION_2025)
    assert bet_analysis(game, game.bet("tiger"), walked(FRESH)).largest_payout == 20
    without_sixes = bet_analysis(game, game.bet("tiger"), walked("K=9"))  # nobody ends with 6
    assert (without_sixes.hit_frequency, without_sixes.expected_value) == (ZERO, -ONE)
    assert without_sixes.largest_payout is None
    assert without_sixes.fair_odds is None
    only_ties = bet_analysis(game, game.bet("player"), walked("K=9"))
    assert (only_ties.push, only_ties.largest_payout) == (ONE, None)
    only_void = bet_analysis(game, game.bet("player"), walked("A=2 K=1"))
    assert (only_void.void, only_void.largest_payout) == (ONE, None)
    other = with_odds(game, {"player": [Odds.parse("push")]})
    assert bet_analysis(other, other.bet("player"), walked(FRESH)).largest_payout is None
    # odds of a line that the shoe cannot deal do not count
    three = bet_analysis(game, game.bet("tiger-pair"), walked("A=2 2=2 3=2 4=2 5=2"))
    assert [line.ways > 0 for line in three.outcomes] == [True, True, False, True]
    assert three.largest_payout == 20


@pytest.mark.parametrize("bet_id", BETS[NONCOMMISSION_2025])
def test_at_fair_odds_neither_side_gains(bet_id: str) -> None:
    """The fair odds put on every winning line leave nothing to the house."""
    game = game_of(NONCOMMISSION_2025)
    fair = bet_analysis(game, game.bet(bet_id), walked(FRESH)).fair_odds
    assert fair is not None
    part = Fraction(round(fair * 10**4), 10**4)  # odds of a rule book have few digits
    lines = [pay for pay in game.bet(bet_id).pays if pay.odds.net]
    other = with_odds(game, {bet_id: [odds_of(part)] * len(lines)})
    bet = bet_analysis(other, other.bet(bet_id), walked(FRESH))
    assert bet.expected_value == (part - fair) * bet.hit_frequency


def small_shoes() -> st.SearchStrategy[Shoe]:
    return st.lists(st.integers(0, 3), min_size=13, max_size=13).map(tuple).map(Shoe)


@settings(max_examples=8, deadline=None)
@given(small_shoes())
def test_on_any_shoe_the_outcomes_are_all_that_can_be_dealt(shoe: Shoe) -> None:
    distribution = walk(shoe)
    for game_id in GAMES:
        game = game_of(game_id)
        for one in game.bets:
            bet = bet_analysis(game, one, distribution)
            assert sum(line.ways for line in bet.outcomes) == falling(shoe.size, min(shoe.size, 6))
            assert bet.hit_frequency + bet.returned <= 1
            assert bet.variance >= 0


def test_an_analysis_does_not_know_bets_of_other_games() -> None:
    analysis = analyze(game_of(COMMISSION_2013), Shoe.parse("A=2 K=1"))
    with pytest.raises(NotInGameError) as refused:
        analysis.bet("big-tiger")
    assert str(refused.value) == (
        'no analysis of a bet "big-tiger"; there are player, banker, tie, player-pair, banker-pair'
    )


# ---------------------------------------------------------------- other odds

odds_texts = st.builds(
    lambda profit, stake: Odds.parse(f"{profit} to {stake}"), st.integers(1, 999), st.integers(1, 99)
)


@settings(max_examples=25, deadline=None)
@given(st.lists(odds_texts, min_size=3, max_size=3), st.lists(odds_texts, min_size=3, max_size=3))
def test_the_expected_value_is_linear_in_the_odds(first: list[Odds], second: list[Odds]) -> None:
    game, distribution = game_of(NONCOMMISSION_2025), walked(FRESH)

    def value(odds: Sequence[Odds]) -> Fraction:
        other = with_odds(game, {"player-char-siu": odds})
        return bet_analysis(other, other.bet("player-char-siu"), distribution).expected_value

    probabilities = (134572610764800, 59125646364672, 34288165392384)  # published
    assert value(second) - value(first) == sum(
        Fraction(ways, SAMPLE_SPACE) * (after.net - before.net)
        for ways, before, after in zip(probabilities, first, second, strict=True)
    )
    between = [odds_of((one.net + two.net) / 2) for one, two in zip(first, second, strict=True)]
    assert value(between) == (value(first) + value(second)) / 2


def test_other_odds_change_that_bet_alone() -> None:
    game = game_of(NONCOMMISSION_2025)
    other = with_odds(game, {"banker": [Odds.parse("1 to 4"), Odds.parse("19 to 20")]})
    assert [bet for bet in other.bets if bet.id != "banker"] == [
        bet for bet in game.bets if bet.id != "banker"
    ]
    assert [(pay.name, pay.odds) for pay in other.bet("banker").pays] == [
        ("Banker wins with 6", "1 to 4"),
        ("Banker wins otherwise", "19 to 20"),
        ("tie", "push"),
    ]
    assert with_odds(game, {}) == game
    assert with_odds(game, {bet.id: [p.odds for p in bet.pays if p.odds.net] for bet in game.bets}) == game


@pytest.mark.parametrize(
    ("bet_id", "count", "message"),
    [
        (
            "tiger",
            1,
            "tiger: the bet has 2 odds (two cards (12 to 1), three cards (20 to 1)); found 1; "
            "write one for each, separated by commas",
        ),
        (
            "banker",
            3,
            "banker: the bet has 2 odds (Banker wins with 6 (1 to 2), Banker wins otherwise (1 to 1)); "
            "found 3; write one for each, separated by commas",
        ),
        (
            "big-tiger",
            2,
            "big-tiger: the bet has 1 odds (wins (50 to 1)); found 2; "
            "write one for each, separated by commas",
        ),
        (
            "tie",
            0,
            "tie: the bet has 1 odds (wins (8 to 1)); found 0; write one for each, separated by commas",
        ),
    ],
)
def test_a_wrong_number_of_odds_is_refused(bet_id: str, count: int, message: str) -> None:
    with pytest.raises(OddsError) as refused:
        with_odds(game_of(NONCOMMISSION_2025), {bet_id: [Odds.parse("9 to 1")] * count})
    assert str(refused.value) == message


def test_odds_for_a_bet_that_is_not_there_are_refused() -> None:
    with pytest.raises(NotInGameError) as refused:
        with_odds(game_of(COMMISSION_2013), {"banker-pear": [Odds.parse("9 to 1")]})
    assert str(refused.value) == (
        f'{COMMISSION_2013} has no bet "banker-pear"; did you mean banker-pair? '
        "It has: player, banker, tie, player-pair, banker-pair"
    )


# ---------------------------------------------------------------- bets together


def variance_is_that_of_each_bet_with_itself(game: Game, shoe: str) -> None:
    distribution = walked(shoe)
    for bet in game.bets:
        (with_itself,) = correlations(game, [bet, bet], distribution)
        alone = bet_analysis(game, bet, distribution)
        variance = alone.variance
        assert (with_itself.covariance, with_itself.variances) == (variance, (variance, variance)), bet.id
        assert with_itself.signed_square == (1 if variance else None), bet.id
        together = combination(game, {bet.id: ONE}, distribution)
        assert (together.mean, together.variance) == (alone.expected_value, variance), bet.id


@pytest.mark.parametrize(
    ("game_id", "shoe"), [(COMMISSION_2013, FRESH), *product(GAMES, (SMALL[0], SMALL[8]))]
)
def test_the_covariance_of_a_bet_with_itself_is_its_variance(game_id: str, shoe: str) -> None:
    variance_is_that_of_each_bet_with_itself(game_of(game_id), shoe)


def test_covariances_are_what_every_round_of_a_small_shoe_says() -> None:
    game = game_of(NONCOMMISSION_2025)
    for shoe in (SMALL[6], SMALL[8]):
        nets = {bet.id: nets_dealt(game.id, bet.id, shoe) for bet in game.bets}
        means = {bet_id: mean(gathered(values, shoe)) for bet_id, values in nets.items()}
        correlated = correlations(game, game.bets, walked(shoe))
        assert len(correlated) == 20 * 19 // 2
        for one in correlated:
            pairs: Counter[tuple[Fraction, Fraction]] = Counter()
            for dealt, *pair in zip(every_deal(shoe), nets[one.first], nets[one.second], strict=True):
                pairs[pair[0], pair[1]] += dealt.ways
            products = [
                ((first - means[one.first]) * (second - means[one.second]), ways)
                for (first, second), ways in pairs.items()
            ]
            assert one.covariance == mean(products), (shoe, one.first, one.second)


def test_the_order_of_two_bets_does_not_matter() -> None:
    game, distribution = game_of(NONCOMMISSION_2025), walked(FRESH)
    some = [game.bet(bet_id) for bet_id in ("player", "banker", "tie", "tiger-pair", "wu-dalang")]
    one_way = {(one.first, one.second): one for one in correlations(game, some, distribution)}
    other_way = {(one.second, one.first): one for one in correlations(game, some[::-1], distribution)}
    assert one_way.keys() == other_way.keys()
    for pair, one in one_way.items():
        other = other_way[pair]
        assert (one.covariance, one.variances, one.signed_square) == (
            other.covariance,
            other.variances[::-1],
            other.signed_square,
        )
        assert one.signed_square is not None
        assert abs(one.signed_square) == one.covariance**2 / (one.variances[0] * one.variances[1]) <= 1
        assert (one.signed_square < 0) == (one.covariance < 0)


def test_covariances_by_hand_at_8_decks() -> None:
    """From the published counts: on a tie Player and Banker come back, so their products with Tie vanish."""
    banker, player, tie = (
        Fraction(ways, SAMPLE_SPACE) for ways in (2292252566437888, 2230518282592256, 475627426473216)
    )
    game, distribution = game_of(COMMISSION_2013), walked(FRESH)
    commission = Fraction(95, 100)
    means = {"player": player - banker, "banker": commission * banker - player, "tie": 9 * tie - 1}
    products = {
        ("player", "banker"): -player - commission * banker,
        ("player", "tie"): banker - player,
        ("banker", "tie"): player - commission * banker,
    }
    main = [game.bet(bet_id) for bet_id in means]
    assert {(one.first, one.second): one.covariance for one in correlations(game, main, distribution)} == {
        (first, second): product - means[first] * means[second]
        for (first, second), product in products.items()
    }


def test_a_bet_that_never_varies_has_no_correlation() -> None:
    game = game_of(COMMISSION_2013)
    for one in correlations(game, game.bets, walked("A=6")):
        assert (one.covariance, one.variances) == (ZERO, (ZERO, ZERO))
        assert one.signed_square is None
    some = correlations(game, game.bets, walked("10=1 J=1 Q=1 K=1 6=3"))
    half = {(one.first, one.second): one for one in some}
    assert half["player", "banker"].signed_square is not None
    never = [game.bet("player"), *with_odds(game, {"tie": [Odds.parse("push")]}).bets]
    assert [one.signed_square for one in correlations(game, never, walked("A=2 K=1"))] == [None] * 15


@pytest.mark.parametrize("shoe", [SMALL[6], SMALL[8], SMALL[10], LARGE[2]])
def test_the_results_of_bets_together_are_those_of_each_alone(shoe: str) -> None:
    game, distribution = game_of(NONCOMMISSION_2025), walked(shoe)
    cards = Shoe.parse(shoe).size
    together = joint_nets(game, game.bets, distribution)
    assert sum(together.values()) == falling(cards, min(cards, 6))
    assert joint_nets(game, [], distribution) == {(): distribution.sample_space}
    for number, one in enumerate(game.bets):
        alone: Counter[Fraction] = Counter()
        for line in bet_analysis(game, one, distribution).outcomes:
            alone[line.net] += line.ways
        marginal: Counter[Fraction] = Counter()
        for nets, ways in together.items():
            marginal[nets[number]] += ways
        assert +marginal == +alone, one.id


STAKES = {
    "banker": Fraction(100),
    "big-tiger": Fraction(10),
    "tiger-pair": Fraction(5, 2),
    "tie": Fraction(7),
}


@pytest.mark.parametrize("shoe", [LARGE[2], *SMALL[:2], SMALL[8]])
def test_the_variance_of_stakes_together_is_that_of_their_covariances(shoe: str) -> None:
    game, distribution = game_of(NONCOMMISSION_2025), walked(shoe)
    together = combination(game, STAKES, distribution)
    covariance = {
        (one.first, one.second): one.covariance for one in correlations(game, game.bets, distribution)
    }
    covariance |= {(second, first): value for (first, second), value in covariance.items()}
    alone = {bet.id: bet_analysis(game, bet, distribution) for bet in game.bets}
    covariance |= {(bet_id, bet_id): bet.variance for bet_id, bet in alone.items()}
    assert together.variance == sum(
        STAKES[one] * STAKES[two] * covariance[one, two] for one, two in product(STAKES, repeat=2)
    )
    assert together.mean == sum(stake * alone[bet_id].expected_value for bet_id, stake in STAKES.items())
    assert together.staked == Fraction(239, 2)
    assert together.house_edge == -together.mean / Fraction(239, 2)
    cards = Shoe.parse(shoe).size
    assert sum(ways_of(together).values()) == falling(cards, min(cards, 6))
    assert all(
        outcome.probability == Fraction(outcome.ways, falling(cards, min(cards, 6)))
        for outcome in together.outcomes
    )


@pytest.mark.parametrize("shoe", SMALL)
def test_stakes_together_are_what_every_round_of_a_small_shoe_says(shoe: str) -> None:
    nets = [nets_dealt(NONCOMMISSION_2025, bet_id, shoe) for bet_id in STAKES]
    won = [sum(map(Fraction.__mul__, STAKES.values(), each), Fraction(0)) for each in zip(*nets, strict=True)]
    expected = dict(gathered(won, shoe))
    together = combination(game_of(NONCOMMISSION_2025), STAKES, walked(shoe))
    assert ways_of(together) == expected
    assert list(ways_of(together)) == sorted(expected, reverse=True)
    assert {stake.bet: stake.amount for stake in together.stakes} == STAKES


def test_one_stake_alone_is_the_bet() -> None:
    game = game_of(COMMISSION_2024)
    together = combination(game, {"banker": Fraction(20)}, walked(FRESH))
    assert ways_of(together) == {19: 2292252566437888, 0: 475627426473216, -20: 2230518282592256}
    bet = bet_analysis(game, game.bet("banker"), walked(FRESH))
    assert (together.mean, together.variance) == (20 * bet.expected_value, 400 * bet.variance)
    assert together.house_edge == bet.house_edge


def test_a_stake_on_a_bet_that_is_not_there_is_refused() -> None:
    with pytest.raises(NotInGameError) as refused:
        combination(game_of(COMMISSION_2013), {"tie": ONE, "big-tiger": ONE}, walked("A=6"))
    assert str(refused.value) == (
        f'{COMMISSION_2013} has no bet "big-tiger". It has: player, banker, tie, player-pair, banker-pair'
    )


# ---------------------------------------------------------------- other readings of bets


def differences_of(game_id: str, entry: str, shoe: str = FRESH) -> dict[str, Difference]:
    """What the other reading of an entry changes, by what it is about."""
    game = game_of(game_id)
    changed = differences(game, game.interpretation(entry), Shoe.parse(shoe), walked(shoe))
    assert len({str(difference.subject) for difference in changed}) == len(changed)
    return {str(difference.subject): difference for difference in changed}


WU_DALANG = (COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025)


@pytest.mark.parametrize("game_id", WU_DALANG)
def test_wu_dalang_on_any_player_1(game_id: str) -> None:
    results = walked(FRESH).results
    any_one = Fraction(
        sum(ways for result, ways in results.items() if result.player_points == 1), SAMPLE_SPACE
    )
    winning_one = Fraction(24639193538560, SAMPLE_SPACE)  # published: Player wins with 1
    assert differences_of(game_id, "wu-dalang-must-win") == {
        "wu-dalang": Difference(
            subject=Subject(bet="wu-dalang"),
            measure=Measure.EXPECTED_VALUE,
            read=151 * winning_one - 1,
            otherwise=151 * any_one - 1,
        )
    }
    (difference,) = differences_of(game_id, "wu-dalang-must-win").values()
    assert difference.change == 151 * (any_one - winning_one)
    assert decimal(any_one, 6) != decimal(winning_one, 6)


def test_twins_by_points() -> None:
    """Two different pairs among 10, J, Q and K: paid 100 and not 20."""
    ways = 4 * 3 * (32 * 31) ** 2
    (difference,) = differences_of(NONCOMMISSION_2025, "twin-by-rank").values()
    assert (str(difference.subject), difference.change) == (
        "tiger-pair",
        Fraction(80 * ways, 416 * 415 * 414 * 413),
    )
    assert decimal(difference.read or Fraction(0), 12) == "-0.161217223880"  # published


def test_every_line_of_tiger_pair_paid() -> None:
    """A double pays 4 more, a twin 24 more; the counts are published."""
    (difference,) = differences_of(NONCOMMISSION_2025, "tiger-pair-highest-only").values()
    assert (str(difference.subject), difference.change) == (
        "tiger-pair",
        Fraction(4 * 153513984 + 24 * 11219520, 29518332480),
    )


@pytest.mark.parametrize("game_id", GAMES)
def test_pairs_by_points(game_id: str) -> None:
    by_rank = Fraction(13 * 32 * 31, 416 * 415)
    by_points = Fraction(9 * 32 * 31 + 128 * 127, 416 * 415)
    changed = differences_of(game_id, "pair-by-rank")
    tiger_pair = {"tiger-pair"} if game_id == NONCOMMISSION_2025 else set()
    assert changed.keys() == {"player-pair", "banker-pair"} | tiger_pair
    for bet_id in ("player-pair", "banker-pair"):
        assert changed[bet_id].read == 12 * by_rank - 1 == Fraction(-43, 415)
        assert changed[bet_id].otherwise == 12 * by_points - 1
        assert changed[bet_id].change == 12 * (by_points - by_rank)


@pytest.mark.parametrize("game_id", [COMMISSION_2013, COMMISSION_2024])
def test_commission_taken_twice(game_id: str) -> None:
    (difference,) = differences_of(game_id, "commission-once").values()
    assert str(difference.subject) == "banker"
    assert difference.read == Fraction(-114753351728, 10847218479825)  # published
    assert difference.change == Fraction(-1, 20) * Fraction(2292252566437888, SAMPLE_SPACE)


def test_the_odds_of_a_drawing() -> None:
    """Small Tiger at 20 and not 22 to 1, Small Buffalo at 22 and not 20."""
    changed = differences_of(NONCOMMISSION_2024, "pay-table-over-drawing")
    small_buffalo = sum(
        ways
        for result, ways in walked(FRESH).results.items()
        if (result.player_points, result.player_cards) == (6, 2) and result.banker_points < 6
    )
    assert {bet_id: difference.change for bet_id, difference in changed.items()} == {
        "small-tiger": Fraction(-2 * 186173936904192, SAMPLE_SPACE),
        "small-buffalo": Fraction(2 * small_buffalo, SAMPLE_SPACE),
    }


# ---------------------------------------------------------------- rounds that the shoe cannot finish

UNFINISHED = "unfinished-round-void"


@pytest.mark.parametrize("game_id", GAMES)
def test_on_a_fresh_shoe_no_round_is_unfinished(game_id: str) -> None:
    changed = differences_of(game_id, UNFINISHED)
    assert changed.keys() == BETS[game_id].keys()
    assert {difference.change for difference in changed.values()} == {0}
    game = game_of(game_id)
    for bet in game.bets:
        assert changed[bet.id].read == bet_analysis(game, bet, walked(FRESH)).expected_value


def test_decided_bets_of_four_cards_by_hand() -> None:
    """Two Aces and two Kings: the Player Hand always draws, and there is no fifth card.

    One time in three the hands are A A and K K, a pair in both and no twin; else neither is a pair. Two
    cards worth 6 or 7 are out of reach, so the bets on them are lost; all others are undecided.
    """
    changed = differences_of(NONCOMMISSION_2025, UNFINISHED, "A=2 K=2")
    decided = {
        "player-pair": 11 * Fraction(1, 3) - Fraction(2, 3),
        "banker-pair": 11 * Fraction(1, 3) - Fraction(2, 3),
        "tiger-pair": 20 * Fraction(1, 3) - Fraction(2, 3),
        "small-tiger": Fraction(-1),
        "small-buffalo": Fraction(-1),
        "banker-small-7": Fraction(-1),
        "player-small-7": Fraction(-1),
    }
    assert {difference.read for difference in changed.values()} == {0}
    assert {bet_id: difference.otherwise for bet_id, difference in changed.items()} == {
        bet_id: decided.get(bet_id, 0) for bet_id in BETS[NONCOMMISSION_2025]
    }


def test_decided_pairs_of_five_cards_by_hand() -> None:
    """One pair of Aces in five cards: the Player Hand has it one time in ten, finished or not."""
    shoe = "A=2 2=1 3=1 4=1"
    assert Fraction(walked(shoe).void, walked(shoe).sample_space) == Fraction(1, 3)
    for game_id in GAMES:
        changed = differences_of(game_id, UNFINISHED, shoe)
        for bet_id in ("player-pair", "banker-pair"):
            assert changed[bet_id].read == Fraction(2, 15)
            assert changed[bet_id].otherwise == 11 * Fraction(1, 10) - Fraction(9, 10) == Fraction(1, 5)
    assert differences_of(NONCOMMISSION_2025, UNFINISHED, shoe)["tiger-pair"].otherwise == (
        4 * Fraction(1, 5) - Fraction(4, 5)
    )


def test_before_four_cards_nothing_is_decided() -> None:
    for shoe in ("A=3", "K=1", "A=0"):
        changed = differences_of(NONCOMMISSION_2025, UNFINISHED, shoe)
        assert {(difference.read, difference.otherwise) for difference in changed.values()} == {(ZERO, ZERO)}


@pytest.mark.parametrize("shoe", ["A=2 K=2", "A=2 2=1 3=1 4=1", "5=1 6=1 K=2", "A=3"])
def test_decided_or_not_the_outcomes_are_all_that_can_be_dealt(shoe: str) -> None:
    cards = Shoe.parse(shoe).size
    game = game_of(NONCOMMISSION_2025).read_otherwise(UNFINISHED)
    for one in game.bets:
        bet = bet_analysis(game, one, walked(shoe))
        assert sum(line.ways for line in bet.outcomes) == falling(cards, cards)
        assert all(line.ways >= 0 for line in bet.outcomes)


UNFINISHABLE = (
    "A=2 K=2",  # never a fifth card
    "A=4",  # a twin, every time
    "A=4 K=1",
    "A=2 2=1 3=1 4=1",
    "5=1 6=1 K=2",
    "6=2 10=1 J=1 K=1",
    "2=2 4=1 7=1 8=1",
    "A=1 3=2 6=1 9=1",
    "A=3",  # never four cards
    "A=0",
)
"""Shoes that cannot always finish a round."""


@cache
def standing(game_id: str) -> Game:
    """The game read so that bets already decided stand in a void round."""
    return game_of(game_id).read_otherwise(UNFINISHED)


@pytest.mark.parametrize("shoe", UNFINISHABLE)
@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2025])
def test_a_decided_bet_is_what_every_round_of_a_small_shoe_says(game_id: str, shoe: str) -> None:
    game, deals = standing(game_id), every_deal(shoe)
    space = sum(dealt.ways for dealt in deals)
    for one in game.bets:
        bet = bet_analysis(game, one, walked(shoe))
        void: Counter[Fraction] = Counter()
        full: Counter[Fraction] = Counter()
        for net, dealt in zip(nets_standing(game_id, one.id, shoe), deals, strict=True):
            (void if dealt.is_void else full)[net] += dealt.ways
        by_net: Counter[Fraction] = Counter()
        for line in bet.outcomes:
            if not line.is_void:
                by_net[line.net] += line.ways
        assert +by_net == full, one.id
        # every net result of void rounds has one line, named after what became of the bet
        lines = [line for line in bet.outcomes if line.is_void]
        assert {line.net: line.ways for line in lines} == void, one.id
        assert len(lines) == len(void), one.id
        for line in lines:
            name = "void" if not line.net else "void, won" if line.net > 0 else "void, lost"
            assert (line.name, line.odds) == (name, "" if line.net else "push"), one.id
        dealt_nets = gathered(nets_standing(game_id, one.id, shoe), shoe)
        average = mean(dealt_nets)
        assert bet.expected_value == average, one.id
        assert bet.variance == mean([((net - average) ** 2, ways) for net, ways in dealt_nets]), one.id
        assert bet.void == Fraction(void.total(), space), one.id
        assert bet.push == Fraction(full[ZERO], space), one.id
        assert bet.returned == Fraction(full[ZERO] + void[ZERO], space), one.id
        assert bet.hit_frequency == chance(dealt_nets, 1), one.id
        assert bet.largest_payout == max((net for net, _ in dealt_nets if net > 0), default=None), one.id


def test_the_shoes_above_decide_bets_in_every_way() -> None:
    """Won at every odds of Tiger Pair, lost and returned; beside rounds that are finished."""
    decided = Counter(
        (line.net, line.is_void)
        for shoe in UNFINISHABLE
        for bet in [
            bet_analysis(
                standing(NONCOMMISSION_2025), game_of(NONCOMMISSION_2025).bet("tiger-pair"), walked(shoe)
            )
        ]
        for line in bet.outcomes
        if line.ways
    )
    assert decided.keys() >= {(net, True) for net in (4, 20, 100, -1, 0)} | {(net, False) for net in (4, -1)}
    assert any(walked(shoe).outcomes and walked(shoe).void for shoe in UNFINISHABLE)
    assert any(
        course.is_void and course.player_third is not None
        for shoe in UNFINISHABLE
        for course in walked(shoe).by_points
    )


def test_decided_stakes_by_hand() -> None:
    """Two Aces and two Kings: one time in three a pair in both hands and no twin, else none."""
    game, distribution = standing(NONCOMMISSION_2025), walked("A=2 K=2")
    pair = bet_analysis(game, game.bet("player-pair"), distribution)
    assert {(line.name, line.net, line.ways) for line in pair.outcomes if line.ways} == {
        ("void, won", Fraction(11), 8),
        ("void, lost", -ONE, 16),
    }
    assert pair.expected_value == 3
    assert pair.variance == 32
    assert pair.largest_payout == 11
    assert (pair.void, pair.push, pair.returned) == (ONE, ZERO, ZERO)
    ids = ("player-pair", "tiger-pair", "small-tiger", "tie")
    bets = [game.bet(bet_id) for bet_id in ids]
    won, lost = (Fraction(11), Fraction(20), -ONE, ZERO), (-ONE, -ONE, -ONE, ZERO)
    assert void_nets(game, bets, distribution) == joint_nets(game, bets, distribution) == {won: 8, lost: 16}
    covariances = {(one.first, one.second): one.covariance for one in correlations(game, bets, distribution)}
    assert covariances.pop(("player-pair", "tiger-pair")) == Fraction(2, 9) * 12 * 21
    assert set(covariances.values()) == {ZERO}  # Small Tiger is always lost, Tie always returned
    stakes = {"tiger-pair": Fraction(5), "tie": Fraction(50), "player-pair": Fraction(10)}
    together = combination(game, stakes, distribution)
    assert ways_of(together) == {210: 8, -15: 16}
    assert together.mean == 60
    assert together.staked == 65
    assert together.variance == Fraction(2, 9) * 225**2
    assert together.house_edge == Fraction(-60, 65)


@pytest.mark.parametrize("shoe", UNFINISHABLE[::3])
def test_where_decided_bets_stand_the_covariance_of_a_bet_with_itself_is_its_variance(shoe: str) -> None:
    variance_is_that_of_each_bet_with_itself(standing(NONCOMMISSION_2025), shoe)


@pytest.mark.parametrize("shoe", UNFINISHABLE)
def test_decided_stakes_together_are_what_every_round_of_a_small_shoe_says(shoe: str) -> None:
    game = standing(NONCOMMISSION_2025)
    nets = {bet.id: nets_standing(game.id, bet.id, shoe) for bet in game.bets}
    dealt = [one.ways for one in every_deal(shoe)]
    expected: Counter[tuple[Fraction, ...]] = Counter()
    for each, ways in zip(zip(*nets.values(), strict=True), dealt, strict=True):
        expected[each] += ways
    assert joint_nets(game, game.bets, walked(shoe)) == expected
    means = {bet_id: mean(gathered(values, shoe)) for bet_id, values in nets.items()}
    for one in correlations(game, game.bets, walked(shoe)):
        products = zip(nets[one.first], nets[one.second], dealt, strict=True)
        product_mean = mean([(first * second, ways) for first, second, ways in products])
        assert one.covariance == product_mean - means[one.first] * means[one.second], (one.first, one.second)
    won = [
        sum(map(Fraction.__mul__, STAKES.values(), each), ZERO)
        for each in zip(*(nets[bet_id] for bet_id in STAKES), strict=True)
    ]
    assert ways_of(combination(game, STAKES, walked(shoe))) == dict(gathered(won, shoe))


@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2025])
def test_what_void_rounds_do_to_bets_together(game_id: str) -> None:
    for shoe in (*UNFINISHABLE[::2], SMALL[6], FRESH):
        distribution = walked(shoe)
        bets = game_of(game_id).bets
        returned = (ZERO,) * len(bets)
        void = sum(one.ways for one in every_deal(shoe) if one.is_void) if shoe in UNFINISHABLE else 0
        assert void_nets(game_of(game_id), bets, distribution) == ({returned: void} if void else {})
        decided = void_nets(standing(game_id), bets, distribution)
        assert sum(decided.values()) == void
        assert all(decided.values())
        for number, bet in enumerate(bets):
            alone = void_nets(standing(game_id), [bet], distribution)
            marginal: Counter[tuple[Fraction, ...]] = Counter()
            for nets, ways in decided.items():
                marginal[nets[number : number + 1]] += ways
            assert marginal == alone, (shoe, bet.id)


# ---------------------------------------------------------------- insurance

STAGES = {"4": Stage.FOUR_CARDS, "3": Stage.PLAYER_THIRD_CARD}


class Line(NamedTuple):
    """What the documents offer at one state."""

    odds: Fraction
    tie_pays: bool


def points(text: str) -> range:
    low, _, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


@cache
def lines_of(game_id: str) -> dict[State, Line]:
    """The insurance pay tables of a game, state by state, as typed in ``documents.py``."""
    lines = {}
    for line in INSURANCE[game_id].strip().splitlines():
        side, stage, player, banker, odds, *star = line.split()
        for p, b in product(points(player), points(banker)):
            lines[State(Hand(side), STAGES[stage], p, b)] = Line(net_of(odds), bool(star))
    return lines


def states_passed(dealt: Dealt, *, also_known: bool = False) -> Iterator[State]:
    """The states that a round passes with a card to come; ``also_known``: or with none."""
    if len(dealt.player) < 2 or len(dealt.banker) < 2:
        return
    player, banker = total(dealt.player[:2]), total(dealt.banker[:2])
    natural = player >= 8 or banker >= 8
    if also_known or (not natural and (player <= 5 or banker <= 5)):
        for side in Hand:
            yield State(side, Stage.FOUR_CARDS, player, banker)
    if len(dealt.player) == 3 and (also_known or banker_draws(banker, POINTS[dealt.player[2]])):
        for side in Hand:
            yield State(side, Stage.PLAYER_THIRD_CARD, total(dealt.player), banker)


def insured(line: Line, side: Hand, dealt: Dealt) -> Fraction:
    """What a unit of insurance on this hand comes to."""
    own, others = total(dealt.player), total(dealt.banker)
    if side is Hand.BANKER:
        own, others = others, own
    if dealt.is_void:
        return Fraction(0)
    if own == others:
        return line.odds if line.tie_pays else Fraction(0)
    return line.odds if own < others else Fraction(-1)


@cache
def insured_in(game_id: str, shoe: str, also_known: bool = False) -> dict[State, Counter[Fraction]]:
    """Every state that rounds of a small shoe pass: what its insurance comes to, and in how many ways."""
    passed: dict[State, Counter[Fraction]] = {}
    lines = lines_of(game_id)
    for dealt in every_deal(shoe):
        for state in states_passed(dealt, also_known=also_known):
            if state in lines:
                passed.setdefault(state, Counter())[insured(lines[state], state.side, dealt)] += dealt.ways
    return passed


INSURED = (COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024)


def compared(states: Sequence[StateAnalysis], expected: dict[State, Counter[Fraction]]) -> None:
    """Each state against every round that passes it."""
    for one in states:
        nets = list(expected.get(one.state, Counter()).items())
        if not nets:
            assert (one.ways, one.probability) == (0, ZERO), one.state
            given = (one.wins, one.pushes, one.loses, one.expected_value, one.house_edge, one.variance)
            assert given == (None,) * 6, one.state
            assert one.fair_odds is None
            assert not one.favours_player
            continue
        average = mean(nets)
        won, pushed, lost = (chance(nets, sign) for sign in (1, 0, -1))
        assert one.ways == sum(ways for _, ways in nets), one.state
        assert one.probability == Fraction(one.ways, one.sample_space), one.state
        assert (one.wins, one.pushes, one.loses) == (won, pushed, lost), one.state
        assert (one.expected_value, one.house_edge) == (average, -average), one.state
        assert one.variance == mean([((value - average) ** 2, ways) for value, ways in nets]), one.state
        assert one.fair_odds == (lost / won if won else None), one.state
        assert one.favours_player == (average > 0), one.state


@pytest.mark.parametrize("shoe", SMALL)
@pytest.mark.parametrize("game_id", INSURED)
def test_insurance_is_what_every_round_of_a_small_shoe_says(game_id: str, shoe: str) -> None:
    states = insurance_analysis(game_of(game_id), walked(shoe))
    assert {one.state for one in states} == lines_of(game_id).keys()
    assert {one.sample_space for one in states} == {sum(dealt.ways for dealt in every_deal(shoe))}
    compared(states, insured_in(game_id, shoe))


@pytest.mark.parametrize("shoe", SMALL)
@pytest.mark.parametrize("game_id", INSURED)
def test_insurance_whenever_listed_is_too(game_id: str, shoe: str) -> None:
    game = game_of(game_id).read_otherwise("insurance-needs-a-card-to-come")
    compared(insurance_analysis(game, walked(shoe)), insured_in(game_id, shoe, also_known=True))


@pytest.mark.parametrize("game_id", INSURED)
def test_the_small_shoes_meet_every_state_won_lost_and_returned(game_id: str) -> None:
    """As far as it can be: against a starred line there is no tie that returns the bet, save a void one."""
    nets = {
        state: {
            (value > 0) - (value < 0) for shoe in SMALL for value in insured_in(game_id, shoe).get(state, ())
        }
        for state in lines_of(game_id)
    }
    assert len(nets) == (73 if game_id == COMMISSION_2013 else 83)
    one_deck = {one.state: one for one in insurance_analysis(game_of(game_id), walk(Shoe.of_decks(1)))}
    for state, met in nets.items():
        full = one_deck[state]
        possible = {sign for sign, share in ((1, full.wins), (0, full.pushes), (-1, full.loses)) if share}
        assert possible <= met, state


def test_a_void_round_returns_insurance() -> None:
    """Player K 5, Banker K 6 and no fifth card: the offer on the Banker's 6 was open, and comes back."""
    (state,) = [
        one
        for one in insurance_analysis(game_of(COMMISSION_2013), walked("5=1 6=1 K=2"))
        if one.state == State(Hand.BANKER, Stage.FOUR_CARDS, 5, 6)
    ]
    assert (state.probability, state.wins, state.pushes, state.loses) == (Fraction(1, 3), ZERO, ONE, ZERO)
    assert (state.expected_value, state.favours_player) == (ZERO, False)
    assert state.fair_odds is None


def test_a_game_without_insurance_has_no_states() -> None:
    assert insurance_analysis(game_of(NONCOMMISSION_2025), walked(FRESH)) == ()


# ---------------------------------------------------------------- other readings of insurance

INSURANCE_READINGS = [  # Insurance Plus is one table in both documents of 2024
    (COMMISSION_2013, "insurance-needs-a-card-to-come"),
    (COMMISSION_2013, "player-insurance-tie-on-9"),
    (COMMISSION_2013, "four-card-insurance-tie-on-9"),
    (COMMISSION_2024, "insurance-needs-a-card-to-come"),
    (COMMISSION_2024, "banker-insurance-tie-on-0"),
    (COMMISSION_2024, "four-card-insurance-tie-on-9"),
]


def by_state(game: Game, shoe: str = FRESH) -> dict[State, StateAnalysis]:
    return {one.state: one for one in insurance_analysis(game, walked(shoe))}


@pytest.mark.parametrize(("game_id", "entry"), INSURANCE_READINGS)
def test_the_other_reading_of_insurance_is_the_game_so_read(game_id: str, entry: str) -> None:
    game = game_of(game_id)
    before, after = by_state(game), by_state(game.read_otherwise(entry))
    expected = {
        str(state): (before[state].expected_value, after[state].expected_value)
        for state in before
        if before[state].expected_value != after[state].expected_value
    }
    assert expected
    changed = differences_of(game_id, entry)
    assert {what: (difference.read, difference.otherwise) for what, difference in changed.items()} == expected
    assert {difference.measure for difference in changed.values()} == {Measure.EXPECTED_VALUE}


def test_a_bet_that_a_tie_no_longer_pays() -> None:
    """Player 9 can but win or tie: read otherwise its insurance never wins, and the tie comes back."""
    changed = differences_of(COMMISSION_2013, "player-insurance-tie-on-9")
    before = by_state(game_of(COMMISSION_2013))
    starred = [State(Hand.PLAYER, Stage.PLAYER_THIRD_CARD, 9, banker) for banker in range(7)]
    assert changed.keys() == {str(state) for state in starred}
    for state in starred:
        wins, loses = before[state].wins, before[state].loses
        assert wins is not None
        assert loses is not None
        assert wins + loses == 1
        assert changed[str(state)].otherwise == -loses
        assert changed[str(state)].change == -8 * wins


@pytest.mark.parametrize("game_id", [COMMISSION_2024, NONCOMMISSION_2024])
def test_a_tie_on_0_that_no_longer_pays(game_id: str) -> None:
    changed = differences_of(game_id, "banker-insurance-tie-on-0")
    before = by_state(game_of(game_id))
    assert len(changed) == 6
    for banker in range(1, 7):
        state = State(Hand.BANKER, Stage.PLAYER_THIRD_CARD, 0, banker)
        wins = before[state].wins
        assert wins is not None
        assert changed[str(state)].change == -10 * wins


@pytest.mark.parametrize(
    ("game_id", "odds"),
    [(COMMISSION_2013, Fraction(2)), (COMMISSION_2024, Fraction(3, 2)), (NONCOMMISSION_2024, Fraction(3, 2))],
)
def test_a_tie_on_9_that_pays_after_four_cards(game_id: str, odds: Fraction) -> None:
    (difference,) = differences_of(game_id, "four-card-insurance-tie-on-9").values()
    passed = {
        course: ways
        for course, ways in walked(FRESH).by_points.items()
        if (course.player, course.banker) == (5, 4)
    }
    ties = sum(
        ways for course, ways in passed.items() if course.player_third == 4 and course.banker_third == 5
    )
    assert str(difference.subject) == "player@four-cards, Player 5, Banker 4"
    assert difference.change == odds * Fraction(ties, sum(passed.values()))


# ---------------------------------------------------------------- other readings of limits


@pytest.mark.parametrize("entry", ["insurance-cap-on-payout", "payout-is-winnings"])
def test_other_limits_of_2013_by_hand(entry: str) -> None:
    """A payout of 1 at odds of x lets 1/x be staked; with the stake in it, 1/(1 + x); a capped stake is 1."""
    odds = {"1.5": Fraction(3, 2)} | {str(whole): Fraction(whole) for whole in (2, 3, 4, 6, 7, 8)}
    changed = differences_of(COMMISSION_2013, entry)
    assert {
        what: (difference.measure, difference.read, difference.otherwise)
        for what, difference in changed.items()
    } == {
        f"insurance at {text} to 1": (
            Measure.LARGEST_STAKE,
            1 / net,
            1 if entry == "insurance-cap-on-payout" else 1 / (1 + net),
        )
        for text, net in odds.items()
    }


PLUS_ODDS = {
    "3 to 2": Fraction(3, 2),
    "5 to 2": Fraction(5, 2),
    "4 to 1": Fraction(4),
    "6 to 1": Fraction(6),
    "10 to 1": Fraction(10),
}


@pytest.mark.parametrize("game_id", [COMMISSION_2024, NONCOMMISSION_2024])
def test_other_limits_of_2024_by_hand(game_id: str) -> None:
    def changed(entry: str) -> dict[str, tuple[Fraction | None, Fraction | None]]:
        return {what: (one.read, one.otherwise) for what, one in differences_of(game_id, entry).items()}

    late = " under insurance-offered-late"
    assert changed("insurance-cap-on-stake") == {
        f"insurance at {text}": (ONE, 1 / net) for text, net in PLUS_ODDS.items()
    }
    assert changed("insurance-cap-each-time") == {
        f"insurance at {text}": (2 * ONE, ONE) for text in PLUS_ODDS
    }
    assert {one.measure for one in differences_of(game_id, "insurance-cap-each-time").values()} == {
        Measure.BOTH_STAGES
    }
    assert changed("late-payout-is-winnings") == {
        f"insurance at {text}{late}": (1 / net, 1 / (1 + net)) for text, net in PLUS_ODDS.items()
    }


@pytest.mark.parametrize("game_id", GAMES)
def test_every_entry_of_a_register_has_an_effect_to_compute(game_id: str) -> None:
    game = game_of(game_id)
    for entry in game.interpretations:
        changed = differences(game, entry, Shoe.parse(FRESH), walked(FRESH))
        if entry.id in NO_FIGURE:
            assert changed == (), entry.id
            continue
        assert changed, entry.id
        if entry.instead.void_bets is None and entry.instead.banker_draws_against_natural is None:
            assert all(difference.change != 0 for difference in changed), entry.id


NO_FIGURE = {
    "available-bets-of-the-layout",
    "quarter-for-each-player",
    "quarter-of-the-maximum-bet",
    "silent-player-forgoes-the-round",
    "squeeze-waives-for-the-requester",
    "differential-of-the-table",
    "under-minimum-one-player",
    "minimum-for-each-player",
    "pro-rata-to-the-limit",
    "pro-rata-heavier-hand",
    "options-for-each-bet",
    "early-card-counts-at-once",
}
"""Readings about incidents, several players, or limits that only a table states: no figure of one round is theirs."""


def test_a_difference_without_a_figure_has_no_change() -> None:
    def of(read: Fraction | None, otherwise: Fraction | None) -> Difference:
        subject, measure = Subject(bet="tie"), Measure.EXPECTED_VALUE
        return Difference(subject=subject, measure=measure, read=read, otherwise=otherwise)

    assert of(Fraction(1, 3), Fraction(1, 2)).change == Fraction(1, 6)
    for read, otherwise in ((None, Fraction(1)), (Fraction(1), None), (None, None)):
        assert of(read, otherwise).change is None
