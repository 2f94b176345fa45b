"""The shapes of what is said of counters and of whole shoes."""

from typing import Literal, NotRequired, TypedDict

from combinat.protection.study_figures import StudyResults
from combinat.schemas.common import OfGame, Shoe
from combinat.schemas.texts import Count as Ways
from combinat.schemas.texts import Exact, Hash, Id, Integer, RankText, Version, Words


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


class StudyDealing(TypedDict):
    """How shoes are dealt; ``after``: rounds after the one in which the cut card comes."""

    burn: Words
    cut_card: int
    after: int


class StudyCount(TypedDict):
    """A count that is played."""

    name: Words
    bet: Id
    tags: Words
    index: Exact


class StudyBlock(TypedDict):
    """A block of shoes: the hash of what it deals, and a code by which sums are checked."""

    sha256: Hash
    code: Integer
    firsts: list[Integer]


class RoundSums(TypedDict):
    """Sums over the rounds of a band with so many cards unseen."""

    band: int
    unseen: int
    rounds: Integer
    offers: list[Integer]
    bets: list[Integer]
    numerators: list[Integer]
    squares: list[Integer]


class MarkSums(TypedDict):
    """Sums at a mark of the shoe."""

    position: int
    unseen: int
    rounds: Integer
    numerators: list[Integer]
    tags: list[Integer]


class MomentSums(TypedDict):
    """Sums and sums of products over shoes."""

    sums: list[Integer]
    products: list[Integer]


class StudySums(TypedDict):
    """All sums of a study; every figure follows from them."""

    shoes: int
    rounds: list[RoundSums]
    marks: list[MarkSums]
    moments: list[list[MomentSums]]


class _Study(TypedDict):
    game: Id
    rule_book_sha256: Hash
    software_version: Version
    shoe: Shoe
    dealing: StudyDealing
    seed: Integer
    shoes: int
    block: int
    bets: list[Id]
    counts: list[StudyCount]
    positions: list[int]
    limit: Exact | None
    blocks: list[StudyBlock]
    sums: StudySums


class Protect(_Study):
    """A study of whole shoes: what was dealt, its sums, and its results."""

    schema: Literal["combinat/protect/1"]
    results: StudyResults


class ProtectPartial(_Study):
    """A study that is under way."""

    schema: Literal["combinat/protect-partial/1"]
