"""Bets that stay on the layout when the hands tie: valued until they are decided.

A stake that stays has no net result of one round. It plays again until it is won or lost, each round here from
such a shoe: so its outcomes are those in which it is decided, each by its part of them.
"""

from fractions import Fraction

from msgspec.structs import replace

from combinat.analysis.analysis import Analysis
from combinat.analysis.bets import BetAnalysis
from combinat.rules.bet import RETURNED, Bet
from combinat.rules.game import Game
from combinat.rules.practice import TiedBets
from combinat.rules.table_of_play import Hand


def staying_bets(game: Game) -> tuple[Bet, ...]:
    """The bets that a tie leaves on the layout, as the game is read: those on the hands, or none."""
    if game.practice.tied_bets is TiedBets.RETURNED:
        return ()
    on_hands = [game.bet_on(hand) for hand in Hand]
    return tuple(bet for bet in game.bets if bet in on_hands)


def until_decided(bet: BetAnalysis) -> BetAnalysis | None:
    """A bet played until it is won or lost; None: on this shoe it never is."""
    decided = [line for line in bet.outcomes if line.net != RETURNED]
    ways = sum(line.ways for line in decided)
    if not ways:
        return None
    outcomes = tuple(replace(line, probability=Fraction(line.ways, ways)) for line in decided)
    return BetAnalysis(id=bet.id, name=bet.name, outcomes=outcomes)


def as_they_stay(analysis: Analysis) -> Analysis:
    """An analysis with the bets that stay valued until decided; one that never is, is as in one round."""
    staying = {bet.id for bet in staying_bets(analysis.game)}
    return replace(
        analysis,
        bets=tuple((until_decided(bet) or bet) if bet.id in staying else bet for bet in analysis.bets),
    )
