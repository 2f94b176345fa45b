"""A game on a shoe: the one call that answers for every bet."""

from fractions import Fraction

import msgspec

from combinat.analysis.bets import BetAnalysis, bet_analysis
from combinat.engine.distribution import Distribution
from combinat.engine.pairs import pair_distribution
from combinat.engine.walk import walk
from combinat.errors import NotInGameError
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """Every bet of a game on one shoe, exactly."""

    game: Game
    shoe: Shoe
    distribution: Distribution
    bets: tuple[BetAnalysis, ...]

    @property
    def sample_space(self) -> int:
        """The ordered card sequences that all ways are counted in."""
        return self.distribution.sample_space

    @property
    def void(self) -> Fraction:
        """How often the shoe cannot finish a round."""
        return Fraction(self.distribution.void, self.distribution.sample_space)

    def bet(self, bet_id: str) -> BetAnalysis:
        """The analysis of one bet."""
        for bet in self.bets:
            if bet.id == bet_id:
                return bet
        raise NotInGameError(
            f'no analysis of a bet "{bet_id}"; there are {", ".join(bet.id for bet in self.bets)}'
        )


def analyze(game: Game, shoe: Shoe, *, by_recursion: bool = False) -> Analysis:
    """The exact analysis of a game on a shoe.

    The rounds are counted by pairs (``engine/pairs.py``), in a fraction of the time that the recursion takes
    (``engine/walk.py``). The recursion is the definition: both give the same integers, and what is certified is
    counted by it.

    >>> from combinat import load_game
    >>> analysis = analyze(load_game("commission-insurance-2013"), Shoe.of_decks(8))
    >>> analysis.bet("player-pair").expected_value
    Fraction(-43, 415)
    """
    distribution = walk(shoe, game.round()) if by_recursion else pair_distribution(shoe, game.table_of_play)
    bets = tuple(bet_analysis(game, bet, distribution) for bet in game.bets)
    return Analysis(game=game, shoe=shoe, distribution=distribution, bets=bets)
