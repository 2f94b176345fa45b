"""Bets that stay on the layout after a tie or a void round: valued until they are decided.

A stake that stays has no net result of one round. It plays again, each round here from such a shoe, until a round
settles it. The rounds after which it stays therefore drop out, and the other outcomes keep their proportions. A round
that returns the stake to the player settles it.
"""

from fractions import Fraction

from msgspec.structs import replace

from combinat.analysis.bets import BetAnalysis, bet_analysis
from combinat.base.number import Whole
from combinat.engine.distribution import Distribution
from combinat.rules.bet import RETURNED, Bet
from combinat.rules.document import VoidBets
from combinat.rules.game import Game
from combinat.rules.outcome import Winner
from combinat.rules.table_of_play import Hand


def ties_stay(game: Game) -> bool:
    """Whether a tie leaves the bets on the hands on the layout, as the game is read."""
    return game.practice.tied_bets == "stay"


def void_stays(game: Game) -> bool:
    """Whether a void round leaves every bet on the layout, as the game is read."""
    return game.void.bets is VoidBets.STAY


def staying_bets(game: Game) -> tuple[Bet, ...]:
    """The bets that may stay on the layout, as the game is read: all after a void round, those on the hands after a tie."""
    if void_stays(game):
        return game.bets
    return tuple(bet for bet in game.bets if _stays_on_a_tie(game, bet))


def until_decided(game: Game, bet: Bet, distribution: Distribution) -> BetAnalysis | None:
    """A bet played until a round settles it; None: on this shoe none ever does."""
    analysis = bet_analysis(game, bet, distribution)
    ties = _tied_ways(bet, distribution) if _stays_on_a_tie(game, bet) else {}
    left: list[tuple[int, int]] = []
    for number, line in enumerate(analysis.outcomes):
        stays = line.net == RETURNED and (void_stays(game) if line.is_void else bool(ties))
        ways = line.ways - (line.ways if line.is_void else ties[number]) if stays else line.ways
        if ways or not stays:
            left.append((number, ways))
    decided = sum(ways for _, ways in left)
    if not decided:
        return None
    outcomes = tuple(
        replace(analysis.outcomes[number], ways=Whole(ways), probability=Fraction(ways, decided))
        for number, ways in left
    )
    return BetAnalysis(id=bet.id, name=bet.name, outcomes=outcomes)


def _stays_on_a_tie(game: Game, bet: Bet) -> bool:
    """Whether it is a bet on a hand, at whatever odds, and a tie leaves these on the layout."""
    on_hands = [its.id for hand in Hand if (its := game.bet_on(hand)) is not None]
    return ties_stay(game) and bet.id in on_hands


def _tied_ways(bet: Bet, distribution: Distribution) -> dict[int, int]:
    """The ways of the ties on each line of the bet, by its number; the rest, which no line names, comes last."""
    numbers = {id(pay): number for number, pay in enumerate(bet.pays)}
    ties = dict.fromkeys(range(len(bet.pays) + 1), 0)
    for outcome, ways in distribution.telling_for([bet]).outcomes.items():
        if outcome.result.winner is Winner.TIE:
            pay = bet.line(outcome)
            ties[len(bet.pays) if pay is None else numbers[id(pay)]] += ways
    return ties
