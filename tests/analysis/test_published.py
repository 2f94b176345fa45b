"""Published figures, each with its source and the digits it is good for; certify/published.py has those in reports.

The counts of ordered six-card sequences are exact unless said otherwise. Sources: wizardofodds.com
(baccarat appendices 1 and 6, Lucky 6), casinoexploit.com/baccarat.html, advancedadvantageplay.com.
"""

from functools import cache

import msgspec
import pytest

from combinat import Game, Shoe, evaluate
from combinat.analysis.bets import bet_analysis
from combinat.analysis.odds import Analysis
from combinat.analysis.removal import removals
from combinat.base.number import decimal, percent, root
from combinat.engine.walk import walk
from combinat.rules.cards import parse_cards
from combinat.rules.odds import Odds
from combinat.rules.outcome import Winner
from combinat.rules.round import Round
from combinat.rules.table_of_play import STOOD, TABLE_OF_PLAY, TableOfPlay
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025
from tests.games import loaded, walked


@cache
def analysis_of(game_id: str, decks: int) -> Analysis:
    game, distribution = loaded(game_id), walked(Shoe.of_decks(decks))
    bets = tuple(bet_analysis(game, bet, distribution) for bet in game.bets)
    return Analysis(game=game, shoe=Shoe.of_decks(decks), distribution=distribution, bets=bets)


@pytest.fixture
def commission() -> Analysis:
    return analysis_of(COMMISSION_2013, 8)


@pytest.fixture
def tigers() -> Analysis:
    return analysis_of(NONCOMMISSION_2025, 8)


def ways(analysis: Analysis, bet: str, line: int = 0) -> int:
    return analysis.bet(bet).outcomes[line].ways


@pytest.mark.parametrize(
    ("decks", "bet", "edge"),
    [
        (1, "banker", "1.011748"),
        (1, "player", "1.286372"),
        (1, "tie", "15.746127"),
    ],
)
def test_house_edges_to_six_decimals(decks: int, bet: str, edge: str) -> None:
    assert percent(analysis_of(COMMISSION_2013, decks).bet(bet).house_edge, 6) == edge


@pytest.mark.parametrize(
    ("bet", "deviation"),
    [("banker", "0.927372"), ("player", "0.951153"), ("tie", "2.640872"), ("player-pair", "3.154856")],
)
def test_standard_deviations_at_8_decks(commission: Analysis, bet: str, deviation: str) -> None:
    assert root(commission.bet(bet).variance, 6) == deviation


# Winning totals at 8 decks, 1 to 9, and ties, 0 to 9 (wizardofodds.com)
PLAYER_WINS = (
    24639193538560,
    44328525111296,
    62946423310336,
    86165771096064,
    122838277197824,
    312658895192064,
    408043979470848,
    555823197134848,
    613074020540416,
)
BANKER_WINS = (
    24291119898624,
    44681581871104,
    72927778568192,
    163359790133248,
    216715928915968,
    269232304455680,
    384279324919808,
    529914458673152,
    586850279002112,
)
TIES = (
    28979901420544,
    20499217668352,
    20006606104576,
    22250510129408,
    36294133463040,
    39684046743808,
    96170001308416,
    101717538899968,
    54879416675072,
    55146054060032,
)


def test_winning_totals_at_8_decks(tigers: Analysis) -> None:
    results = tigers.distribution.results

    def wins(winner: Winner, points: int) -> int:
        return sum(
            count
            for result, count in results.items()
            if result.winner is winner and max(result.player_points, result.banker_points) == points
        )

    assert tuple(wins(Winner.PLAYER, points) for points in range(1, 10)) == PLAYER_WINS
    assert tuple(wins(Winner.BANKER, points) for points in range(1, 10)) == BANKER_WINS
    assert tuple(wins(Winner.TIE, points) for points in range(10)) == TIES


def test_cards_in_a_round_at_8_decks(tigers: Analysis) -> None:
    by_cards = {
        cards: sum(count for result, count in tigers.distribution.results.items() if result.cards == cards)
        for cards in (4, 5, 6)
    }
    assert by_cards == {4: 1893735611458560, 5: 1516734808780800, 6: 1587927855264000}


def test_tiger_pair_by_rank_at_8_decks(tigers: Analysis) -> None:
    # The published counts are of the first four cards alone: 29518332480 sequences.
    unseen = 412 * 411
    assert tigers.sample_space == 29518332480 * unseen
    assert [ways(tigers, "tiger-pair", line) for line in range(3)] == [
        4080500736 * unseen,
        153513984 * unseen,
        11219520 * unseen,
    ]
    assert decimal(tigers.bet("tiger-pair").expected_value, 12) == "-0.161217223880"


def test_wins_by_one_point_at_8_decks(tigers: Analysis) -> None:
    assert [ways(tigers, "player-char-siu", line) for line in range(3)] == [
        134572610764800,
        59125646364672,
        34288165392384,
    ]
    assert [ways(tigers, "banker-char-siu", line) for line in range(3)] == [
        134572610764800,
        67919103025152,
        32728150720512,
    ]


# Effects of removal at 8 decks on a Banker-6 bet at 12 and 23 to 1 (wizardofodds.com, six decimals)
REMOVAL = {
    "K": "-0.000611",
    "A": "-0.000329",
    "2": "-0.000323",
    "3": "-0.001131",
    "4": "-0.000393",
    "5": "-0.000278",
    "6": "-0.005386",
    "7": "0.003907",
    "8": "0.003537",
    "9": "0.002838",
}


@cache
def banker_6_at_12_and_23() -> Game:
    game = loaded(NONCOMMISSION_2025)
    tiger_alone = msgspec.structs.replace(game, bets=(game.bet("tiger"),))
    return tiger_alone.paying({"tiger": [Odds.parse("12 to 1"), Odds.parse("23 to 1")]})


def test_effects_of_removal_by_a_batch_and_as_listed() -> None:
    fresh, game = Shoe.of_decks(8), banker_6_at_12_and_23()
    batch = evaluate(game, [fresh.counts, *(fresh.minus(card).counts for card in REMOVAL)])
    full, *without = batch["tiger"]
    assert [decimal(value - full, 6) for value in without] == list(REMOVAL.values())
    (listed,) = removals(game, fresh)
    assert [listed.effects[parse_cards(card)] for card in REMOVAL] == [value - full for value in without]
    assert listed.most[:3] == list(parse_cards("6 7 8"))


def test_a_known_fault_gives_its_known_counts() -> None:
    """The Banker Hand not drawing on 4 or 5 against a Player Hand that stood, one deck."""
    banker = [list(row) for row in TABLE_OF_PLAY.banker]
    banker[4][STOOD] = banker[5][STOOD] = False
    faulty = TableOfPlay(TABLE_OF_PLAY.player, tuple(map(tuple, banker)))
    results = walk(Shoe.of_decks(1), Round(table=faulty)).results
    by_winner = [
        sum(count for result, count in results.items() if result.winner is winner)
        for winner in (Winner.PLAYER, Winner.BANKER, Winner.TIE)
    ]
    assert by_winner == [6691512320, 6636013440, 1330608640]
