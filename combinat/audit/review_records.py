"""The records of a review: stakes, their exact expected values, and p-values.

Sums of money and of expected values are exact; correlations and probabilities are fractions of nine significant digits.
"""

from dataclasses import dataclass
from fractions import Fraction

from combinat.protection.inputs import Tags
from combinat.rules.shoe import Shoe


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """The association of stakes with a signal, the edge or a count; None where it is undefined, as for constant stakes.

    ``slope``: what is staked more for each unit of the signal; ``rank_correlation``: Spearman's; ``chance``: how often
    stakes that know nothing of the cards go with it as well; ``adjusted``: the same for the number of such tests.
    """

    signal: str
    slope: Fraction | None
    rank_correlation: Fraction | None
    chance: Fraction | None
    adjusted: Fraction | None
    tags: Tags | None = None

    @property
    def slope_a_point(self) -> Fraction | None:
        """What is staked more for each point (one in a hundred) of the edge."""
        return None if self.slope is None else self.slope / 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Staked:
    """What was staked on a bet, or on all of them: exact sums.

    ``expected``: the sum of stakes times their exact expected values on the cards left; ``favourable``: what was staked
    where that was above 0; ``fresh``: the sum that a fresh shoe would give (None for insurance, which has none);
    ``won``: what came of it by the rules; ``luck``: won less expected, in standard deviations.
    """

    wagers: int
    staked: Fraction
    favourable: Fraction
    expected: Fraction
    fresh: Fraction | None
    won: Fraction
    luck: Fraction | None = None

    @property
    def mean(self) -> Fraction:
        """The stake-weighted mean of the expected values."""
        return self.expected / self.staked

    @property
    def fresh_mean(self) -> Fraction | None:
        """What it would be on a fresh shoe each time."""
        return None if self.fresh is None else self.fresh / self.staked

    @property
    def favourable_share(self) -> Fraction:
        """The share staked when the bet favoured the player."""
        return self.favourable / self.staked


@dataclass(frozen=True, slots=True, kw_only=True)
class BetReview:
    """A player's stakes on a bet; ``subject``: its id, insurance such as ``player@four-cards``, or all bets."""

    subject: str
    staked: Staked
    edge: Association
    counts: tuple[Association, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReview:
    """A player's stakes: all together, and by bet."""

    player: str
    rounds: int
    shoes: int
    together: BetReview
    bets: tuple[BetReview, ...]

    @property
    def tests(self) -> list[Association]:
        """Every association with an edge."""
        return [self.together.edge, *(bet.edge for bet in self.bets)]

    @property
    def chance(self) -> Fraction | None:
        """The smallest probability by chance alone, adjusted for the number of tests."""
        return min((test.adjusted for test in self.tests if test.adjusted is not None), default=None)


ALL = "all bets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The review of a log's stakes; the most conspicuous players first."""

    file: str
    sha256: str
    game: str
    game_name: str
    shoe: Shoe
    shoes: int
    rounds: int
    alpha: Fraction
    permutations: int
    claims: tuple[tuple[str, str], ...]
    read_as: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    players: tuple[PlayerReview, ...]

    def is_conspicuous(self, player: PlayerReview) -> bool:
        """Whether a player's stakes follow the edge beyond chance."""
        return player.chance is not None and player.chance <= self.alpha
