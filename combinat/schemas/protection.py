"""The shapes of what is said of counters and of whole shoes."""

from typing import Literal, NotRequired, TypedDict

from combinat.protection.study_figures import StudyResults
from combinat.protection.study_file import StudyRecord
from combinat.schemas.common import OfGame, Shoe
from combinat.schemas.texts import Count as Ways
from combinat.schemas.texts import Exact, Id, RankText


class RunningCount(TypedDict):
    """A running count at a depth, and what the bet is worth there."""

    running: int
    probability: Exact
    expected_value: Exact


class Betting(TypedDict):
    """How often one bets, at which edge, and what that gains for each round."""

    chance: Exact
    edge: Exact | None
    gain: Exact


class CountDepth(TypedDict):
    """The law of a count with so many cards left."""

    left: int
    counts: list[RunningCount]
    first_favourable: int | None
    bets_up: int | None
    bets_down: int | None
    betting: Betting | None
    favourable: Betting | None


class BestTags(TypedDict):
    """From what the best tags were made, and the share of the variance that they see."""

    effects: dict[RankText, Exact]
    share: Exact | None


class Count(OfGame):
    """The exact law of a linear count against a bet."""

    schema: Literal["combinat/count/1"]
    game: Id
    bet: Id
    shoe: Shoe
    tags: dict[RankText, int]
    index: Exact | None
    best: NotRequired[BestTags]
    depths: list[CountDepth]


class CutCardBet(TypedDict):
    """What a bet can gain over a whole shoe at most, and the deepest cut card within the limit."""

    id: Id
    gain: Exact
    within: int | None


class CutCard(TypedDict):
    """A whole shoe with so many cards behind the cut card."""

    behind: int
    limit: Exact
    bets: list[CutCardBet]


class PerfectBet(TypedDict):
    """A bet under perfect play; ``favourable``: how often it favours the player, ``gain``: of a unit bet only then."""

    id: Id
    mean: Exact
    favourable: Exact
    gain: Exact
    ceiling: Exact


class Perfect(OfGame):
    """Perfect play with so many cards left."""

    schema: Literal["combinat/perfect/1"]
    game: Id
    shoe: Shoe
    left: int
    compositions: Ways
    bets: list[PerfectBet]
    cut_card: NotRequired[CutCard]


class Ceiling(TypedDict):
    """What no one can gain more than with so many cards left."""

    left: int
    ceiling: Exact


class BetCeilings(TypedDict):
    """The ceilings of a bet."""

    id: Id
    ceilings: list[Ceiling]


class Ceilings(OfGame):
    """What no one can gain more than, by depth."""

    schema: Literal["combinat/ceilings/1"]
    game: Id
    shoe: Shoe
    bets: list[BetCeilings]
    cut_card: NotRequired[CutCard]


class Protect(StudyRecord, frozen=True, kw_only=True):
    """A study of whole shoes: what was dealt, the sums of its blocks, and its results."""

    schema: Literal["combinat/protect/2"]
    results: StudyResults


class ProtectPartial(StudyRecord, frozen=True, kw_only=True):
    """A study that is not finished."""

    schema: Literal["combinat/protect-partial/2"]
