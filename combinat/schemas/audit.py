"""The shapes of other people's numbers: counts, verdicts, reviews, power, and the state of a watch."""

from typing import Literal, NotRequired, TypedDict

from combinat.audit.reading.rounds import Numbering
from combinat.audit.verdict import (
    Cause,
    ColumnTotal,
    Evidence,
    FaultKind,
    FaultRow,
)
from combinat.audit.verdict import Word as VerdictWord
from combinat.audit.watch import (
    GamblerState,
    Place,
    TableState,
    WatchSubject,
)
from combinat.montecarlo.dealing import Dealing
from combinat.schemas.common import InsuranceState, Shoe
from combinat.schemas.texts import Exact, Hash, Id, RankText, Words


class NetRounds(TypedDict):
    """How many rounds had this net result; ``squares``: the sum of squares over shoes."""

    net: Exact
    rounds: int
    squares: NotRequired[int]


class CountedBet(TypedDict):
    """A bet, and how often each net result came."""

    id: Id
    results: list[NetRounds]
    net_squares: NotRequired[Exact]


class CountedState(InsuranceState):
    """An insurance state, how often it was offered, and how often each net result came."""

    offered: int
    results: list[NetRounds]


class CountedCells(TypedDict):
    """Rounds by both hands; a row has a value for each column."""

    columns: list[Literal["player", "player_third", "banker", "banker_third", "pairs", "rounds", "squares"]]
    rows: list[list[int | Literal["none", "player", "banker", "both", "twin"] | None]]


class CountedShoes(TypedDict):
    """Whole shoes: how many were dealt, and the rounds that are counted of each."""

    dealt: int
    rounds_each: int


class Repeats(TypedDict):
    """Rounds next to each other, and how many of them had the same cards."""

    neighbours: int
    same: int


CardSlots = TypedDict(
    "CardSlots",
    {
        "player-first": dict[RankText, int],
        "banker-first": dict[RankText, int],
        "player-second": dict[RankText, int],
        "banker-second": dict[RankText, int],
    },
)


class Counts(TypedDict):
    """The counts of a simulation: of combinat, or of anyone who writes the same."""

    schema: Literal["combinat/counts/1"]
    game: Id
    rule_book_sha256: Hash
    made_by: dict[str, str]
    shoe: Shoe
    rounds: int
    dealing: Dealing
    shoes: NotRequired[CountedShoes]
    repeats: NotRequired[Repeats]
    bets: list[CountedBet]
    insurance: list[CountedState]
    cards: NotRequired[CardSlots]
    cells: NotRequired[CountedCells]


class GroupVerdict(TypedDict):
    """A part of a log: what it won of its stakes, against what it should have."""

    name: str
    rounds: int
    faults: int
    staked: Exact
    hold: Exact | None
    exact: Exact | None
    z: float | None
    p: float | None
    adjusted_p: float | None


class GroupingVerdict(TypedDict):
    """A log told apart by a column."""

    by: Words
    groups: list[GroupVerdict]


class RoundOfShoe(TypedDict):
    """A round of a shoe, and the house edges on the cards left before it."""

    line: int
    round: str
    cards: str
    winner: Literal["player", "banker", "tie"] | None
    player_pair: bool
    banker_pair: bool
    faulty: bool
    house_edges: dict[Id, Exact] | None


class ShoeShown(TypedDict):
    """A shoe of a log, round by round."""

    table: str
    shoe: str
    all_rounds: int
    rounds: list[RoundOfShoe]


class FaultsOfKind(TypedDict):
    """How many rows have a kind of fault (of settlements and gaps, their number), and the first of them."""

    rows: int
    first: list[FaultRow]


class Replay(TypedDict):
    """What a hand log says, row by row, held against the rules."""

    read_as: dict[str, str]
    tables: int
    rows: int
    declared: int
    cut_card: int | None
    cut_card_stated: bool
    shoes: int
    short_shoes: int
    missing: int
    faults: dict[FaultKind, FaultsOfKind]
    totals: list[ColumnTotal]
    causes: list[Cause]
    groupings: list[GroupingVerdict]
    shoe: ShoeShown | None


class ContradictionShown(TypedDict):
    """Something that no chance explains."""

    subject: Words
    kind: Evidence
    found: Words


class MeanOfBet(TypedDict):
    """The mean net result of a bet, observed and exact; ``noticeable``: the difference that would be noticed."""

    id: Id
    mean: Exact
    exact: Exact
    z: float
    judged: bool
    noticeable: float


class TestOfChance(TypedDict):
    """A test; its statistic and probabilities have nine digits."""

    subject: Words
    kind: Evidence
    what: Words
    observed: Exact | None
    expected: Exact | None
    statistic: float
    degrees_of_freedom: int | None
    p: float
    adjusted_p: float


class RoundingStated(TypedDict):
    """How winnings were rounded to whole units, as the auditor stated."""

    unit: Words
    how: Literal["down", "up", "half-up", "half-even"]


class Crosscheck(TypedDict):
    """The verdict on a simulation or a hand log; those keys that judge chance are there where it was judged."""

    schema: Literal["combinat/crosscheck/3"]
    verdict: VerdictWord
    exit_code: Literal[0, 1, 2]
    sentence: Words
    reasons: list[Words]
    claims: dict[str, str]
    rounding: RoundingStated | None
    file: Words
    sha256: Hash
    game: Id
    rule_book_sha256: Hash
    shoe: Shoe
    rounds: int
    dealing: Dealing
    shoes: int | None
    made_by: dict[str, str]
    replay: NotRequired[Replay]
    alpha: NotRequired[Exact]
    decision_rule: NotRequired[Words]
    notes: NotRequired[list[Words]]
    contradictions: NotRequired[list[ContradictionShown]]
    bets: NotRequired[list[MeanOfBet]]
    tests: NotRequired[list[TestOfChance]]


class Watch(TypedDict):
    """Where a watch over a growing log stands."""

    schema: Literal["combinat/watch/3"]
    subject: WatchSubject
    place: Place
    rows: int
    missing: int
    faults: dict[FaultKind, int]
    undelivered: list[str]
    rounds: int
    highest: float
    tables: dict[str, TableState]
    numbering: dict[str, Numbering]
    gamblers: list[GamblerState]
