"""A round in progress: what every bet is still worth, and the insurance on offer now."""

from dataclasses import dataclass

from combinat.analysis.bets import BetAnalysis, bet_analysis
from combinat.analysis.insurance import StateAnalysis, Verdicts
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A round with some of its cards on the table. ``shoe`` holds what is left without them."""

    game: Game
    dealt: Round
    shoe: Shoe
    found: Distribution
    bets: tuple[BetAnalysis, ...]
    insurance: tuple[StateAnalysis, ...]

    @property
    def bets_may_be_taken_back(self) -> bool:
        """Whether fewer than four cards are known, as after a dealing error."""
        return len(self.dealt.player) + len(self.dealt.banker) < 4


def is_decided(bet: BetAnalysis) -> bool:
    """Whether every way in which the round can go on comes to the same for this bet."""
    return len({line.net for line in bet.outcomes if line.ways}) == 1


def progress(game: Game, dealt: Round, shoe: Shoe) -> Progress:
    """The round as it stands; ``shoe`` is the one it is dealt from, the cards on the table still in it."""
    left = shoe.minus((*dealt.player, *dealt.banker))
    found = walk(left, dealt)
    courses = found.by_points
    insurance = []
    for side in Hand:
        offer = game.offer(side, dealt)
        if offer is not None and dealt.stage is not None:
            state = State(side, dealt.stage, dealt.points(Hand.PLAYER), dealt.points(Hand.BANKER))
            insurance.append(Verdicts(state, offer).analysis(courses, found.sample_space))
    return Progress(
        game=game,
        dealt=dealt,
        shoe=left,
        found=found,
        bets=tuple(bet_analysis(game, bet, found) for bet in game.bets),
        insurance=tuple(insurance),
    )
