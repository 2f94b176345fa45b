"""A round in progress: what every bet is still worth, and the insurance on offer now."""

from dataclasses import dataclass
from fractions import Fraction

from combinat.analysis.bets import BetAnalysis, bet_analysis
from combinat.analysis.insurance import StateAnalysis, StateBet
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.outcome import Winner
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundInProgress:
    """A round with some of its cards on the table. ``shoe`` holds what is left without them."""

    game: Game
    dealt: Round
    shoe: Shoe
    distribution: Distribution
    bets: tuple[BetAnalysis, ...]
    insurance: tuple[StateAnalysis, ...]

    @property
    def bets_may_be_taken_back(self) -> bool:
        """Whether fewer than four cards are known, as after a dealing error."""
        return len(self.dealt.player) + len(self.dealt.banker) < 4

    @property
    def winners(self) -> dict[Winner, Fraction]:
        """How likely each hand is to win from here, and a tie."""
        results = self.distribution.results.items()
        return {
            winner: Fraction(
                sum(ways for result, ways in results if result.winner is winner),
                self.distribution.sample_space,
            )
            for winner in Winner
        }

    @property
    def void(self) -> Fraction:
        """How likely it is that the shoe cannot finish the round."""
        return Fraction(self.distribution.void, self.distribution.sample_space)


def is_decided(bet: BetAnalysis) -> bool:
    """Whether every way in which the round can go on comes to the same for this bet."""
    return len({line.net for line in bet.outcomes if line.ways}) == 1


def round_in_progress(game: Game, dealt: Round, shoe: Shoe) -> RoundInProgress:
    """The round as it stands; ``shoe`` is the one it is dealt from, the cards on the table still in it."""
    game.check_round(dealt)
    left = shoe.minus((*dealt.player, *dealt.banker))
    distribution = walk(left, dealt)
    courses = distribution.by_points
    insurance = []
    for side in Hand:
        offer = game.offer(side, dealt)
        if offer is not None and dealt.stage is not None:
            state = State(side, dealt.stage, dealt.points(Hand.PLAYER), dealt.points(Hand.BANKER))
            insurance.append(StateBet(state, offer).analysis(courses, distribution.sample_space))
    return RoundInProgress(
        game=game,
        dealt=dealt,
        shoe=left,
        distribution=distribution,
        bets=tuple(bet_analysis(game, bet, distribution) for bet in game.bets),
        insurance=tuple(insurance),
    )
