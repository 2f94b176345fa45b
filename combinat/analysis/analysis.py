"""A game on a shoe: the one call that answers for every bet, and games side by side."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from combinat.analysis.bets import BETS, BetAnalysis, bet_analysis
from combinat.base.tabular import Listing, Records
from combinat.engine.distribution import Distribution
from combinat.engine.pairs import pair_distribution
from combinat.engine.walk import walk
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:
    from combinat.analysis.insurance import StateAnalysis
    from combinat.analysis.joint import Combination, Correlation
    from combinat.analysis.readings import Reading
else:
    Combination = Correlation = Reading = Any  # imported where they are asked for; ``help`` reads annotations


class Analysis(Listing[BetAnalysis], msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Every bet of a game on one shoe, exactly.

    Iterating gives the bets; ``analysis["tie"]`` is the bet with that id. ``joint`` (correlations), ``combination``
    (stakes together) and ``interpretations`` (effects of other readings) are None unless ``odds`` was asked for them.

    >>> from combinat import analyze
    >>> analysis = analyze("commission-insurance-2013")
    >>> [bet.id for bet in analysis], analysis["tie"].hit_frequency
    (['player', 'banker', 'tie', 'player-pair', 'banker-pair'], Fraction(619306544887, 6508331087895))
    >>> analysis.sample_space, analysis.insurance["banker:four-cards:6-5"].odds
    (4998398275503360, '3 to 1')
    """

    RELATION: ClassVar = BETS

    game: Game
    shoe: Shoe
    distribution: Distribution
    bets: tuple[BetAnalysis, ...]
    joint: tuple[Correlation, ...] | None = None
    combination: Combination | None = None
    interpretations: tuple[Reading, ...] | None = None

    def listed(self) -> tuple[BetAnalysis, ...]:
        """The bets."""
        return self.bets

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
        return self[bet_id]

    @cached_property
    def insurance(self) -> "Records[StateAnalysis]":
        """Every insurance state that the game offers; none where it offers no insurance.

        ``analysis.insurance["banker:four-cards:6-5"]`` is one of them, the insured hand's points first.
        """
        from combinat.analysis.insurance import insurance_analysis  # odds of bets need none

        return Records(insurance_analysis(self.game, self.distribution))

    def __repr__(self) -> str:
        return f"<Analysis of {self.game.id} on {self.shoe.in_short}: {len(self.bets)} bets>"


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


class Compared(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A bet in several games. ``house_edges``: one a game; None: the game does not have the bet."""

    bet: str
    house_edges: tuple[Fraction | None, ...]

    @cached_property
    def differences(self) -> tuple[Fraction | None, ...]:
        """By how much each game after the first has another house edge than the first."""
        first, *others = self.house_edges
        return tuple(None if first is None or edge is None else edge - first for edge in others)


def compared(analyses: Sequence[Analysis]) -> tuple[Compared, ...]:
    """Every bet that one of the games has."""
    edges = [{bet.id: bet.house_edge for bet in analysis.bets} for analysis in analyses]
    return tuple(
        Compared(bet=bet_id, house_edges=tuple(of_game.get(bet_id) for of_game in edges))
        for bet_id in dict.fromkeys(chain(*edges))
    )
