"""The shapes of what is said of a round and of a table: a round in progress, settlements, rulings, exposure."""

from typing import Literal, NotRequired, TypedDict

from combinat.rules.house_rules import DifferentialOf, MinimumOf, ProRata, UnderMinimum
from combinat.rules.outcome import Pairs
from combinat.rules.procedure import Effect, Ruling
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from combinat.schemas.common import InsuranceFigures, OfGame, Result, Shoe, TwoHands
from combinat.schemas.texts import Count, Exact, Id, OddsText, RankText, Rounded, Words
from combinat.table.differential import Why
from combinat.table.gaming_table import ChipRounding, PlayerPlace


class OpenBet(TypedDict):
    """A bet of a round in progress; ``stands``: open, or what it has come to already."""

    id: Id
    stands: Literal["open", "won", "lost", "returned"]
    hit_frequency: Exact
    returned: Exact
    expected_value: Exact
    worth_more_to: NotRequired[Literal["continue", "take back", "either"]]


Results = TypedDict(
    "Results", {"player wins": Exact, "banker wins": Exact, "tie": Exact, "void": NotRequired[Exact]}
)


class Round(OfGame):
    """A round in progress; ``coming``: cards known to come, ``beyond``: those known that this round will not need."""

    schema: Literal["combinat/round/1"]
    game: Id
    player: list[RankText]
    banker: list[RankText]
    next: Hand | None
    coming: list[RankText]
    beyond: list[RankText]
    shoe: Shoe
    sample_space: Count
    results: Results
    bets: list[OpenBet]
    insurance: list[InsuranceFigures]


class SettledLine(TypedDict):
    """What became of a stake."""

    id: Id
    name: Words
    stake: Exact
    outcome: Words
    odds: OddsText | None
    result: Result
    net: Exact
    clause: str
    condition: Words | None


class Settle(OfGame):
    """A round settled; ``staked`` and ``net`` are null where every bet is shown for a unit of its own."""

    schema: Literal["combinat/settle/1"]
    game: Id
    player: list[RankText]
    banker: list[RankText]
    procedure: Id | None
    lines: list[SettledLine]
    staked: Exact | None
    net: Exact | None


class LaidHands(TypedDict):
    """The cards of both hands."""

    player: list[RankText]
    banker: list[RankText]


class RuledRound(LaidHands):
    """The round as the ruling has it, and the hand that is next to draw."""

    next: Hand | None


class DecidedBet(TypedDict):
    """A bet that the cards have decided."""

    bet: Id
    result: Result


class Option(TypedDict):
    """Something that a player may choose; ``values``: what each bet is then worth."""

    id: Id
    clause: str
    open: bool
    order: list[RankText] | None
    round: LaidHands | None
    next_round: list[RankText]
    values: dict[Id, Exact] | None
    worth: NotRequired[Exact | None]


class BestChoice(TypedDict):
    """What is best for a bet, or for all together where it is null, and what a wrong choice costs."""

    bet: Id | None
    order: list[RankText] | None
    best: list[Id]
    cost: Exact | None
    money: NotRequired[Exact | None]


class MissedOffer(TypedDict):
    """An insurance offer that was not made, and what it was worth."""

    side: Hand
    stage: Stage
    odds: Exact | None
    expected_value: Exact
    result: Result | None
    most: Exact | None
    most_stake: NotRequired[Exact]
    original_bet: Id
    original_bet_value: Exact | None
    original_bet_worth: NotRequired[Exact]


class Ruled(OfGame):
    """What the document does about an incident."""

    schema: Literal["combinat/ruling/2"]
    game: Id
    incident: Id
    procedure: Id
    clauses: list[Words]
    when: Words
    condition: Words | None
    decides: Words | None
    effect: Effect
    layout: Id | None
    outcome_established: bool | None
    established_on: list[Id]
    decided: list[DecidedBet]
    round: RuledRound
    as_it_lay: LaidHands | None
    next_round: list[RankText]
    shoe: Shoe
    void: Exact
    ruling: Ruling
    values: dict[Id, Exact]
    options: list[Option]
    choices: list[BestChoice]
    differences: dict[Id, Exact]
    insurance: list[MissedOffer]
    stakes: dict[Id, Exact]
    money: dict[Id, Exact | None]


class PracticeOfTable(TypedDict):
    """How the game reads its clauses on the limits of a table."""

    differential: DifferentialOf
    pro_rata: ProRata
    under_minimum: UnderMinimum
    minimum_of: MinimumOf


class BetLimits(TypedDict):
    """The least and the most that may be staked on a bet."""

    minimum: Exact | None
    maximum: Exact | None


class DisplayedLimits(BetLimits):
    """The limits that the table displays."""

    maximum_differential: Exact | None
    bets: dict[Id, BetLimits]


class Chips(TypedDict):
    """The smallest chip, and how amounts are rounded to it."""

    smallest: Exact
    round: ChipRounding


class Room(TypedDict):
    """How much more may be staked on each hand."""

    player: Exact
    banker: Exact


class DifferentialOfStakes(TypedDict):
    """The stakes on both hands, of the whole table (box is null) or of a box."""

    box: int | None
    banker: Exact
    player: Exact
    differential: Exact
    maximum: Exact
    over: Exact
    heavier: Hand | None
    room: Room


class PlacedAndLeft(TypedDict):
    """The Differential as placed, and as it is left."""

    placed: DifferentialOfStakes
    left: DifferentialOfStakes


class _Wager(TypedDict):
    box: int
    player: Words
    place: PlayerPlace
    bet: Id
    placed: Exact


class TakenWager(_Wager):
    """A wager while bets are open: how much of it is taken."""

    taken: Exact
    rejected: Exact
    over_maximum: Exact
    over_differential: Exact
    short_of_minimum: Exact
    can_raise: bool | None
    clauses: list[Words]


class SharedWager(_Wager):
    """A wager after bets are closed: how much of it wins or loses."""

    share: Exact
    at_stake: Exact
    returned: Exact
    why: Why
    clause: Words | None


class SettledWager(TypedDict):
    """What became of a wager."""

    box: int
    player: Words
    id: Id
    at_stake: Exact
    outcome: Words
    odds: OddsText | None
    result: Result
    net: Exact
    by_rounding: Exact
    clause: str


class SettledPlayer(TypedDict):
    """What a player has won or lost."""

    box: int
    player: Words
    place: PlayerPlace
    net: Exact


class House(TypedDict):
    """What the House has won or lost, by bet and in all."""

    bets: dict[Id, Exact]
    net: Exact
    by_rounding: Exact


class TableSettled(TwoHands):
    """The table settled."""

    lines: list[SettledWager]
    players: list[SettledPlayer]
    house: House


class TableOtherwise(TypedDict):
    """What the table would come to under the other reading of an entry."""

    id: Id
    at_stake: Room
    house: Exact | None


class WholeTable(OfGame):
    """A whole table in one round."""

    schema: Literal["combinat/table/1"]
    game: Id
    layout: Id
    closed: bool
    rules: PracticeOfTable | None
    limits: DisplayedLimits
    chips: Chips | None
    differentials: list[PlacedAndLeft]
    bets: list[TakenWager | SharedWager]
    settlement: TableSettled | None
    interpretations: NotRequired[list[TableOtherwise]]


class EndOfRound(TypedDict):
    """How a round ends."""

    player_points: int
    banker_points: int
    player_cards: int
    banker_cards: int
    thirds: NotRequired[list[int | None]]


class FirstFourCards(TypedDict):
    """What the bets see of the first four cards."""

    player_pair: NotRequired[bool]
    banker_pair: NotRequired[bool]
    pairs: NotRequired[Pairs]
    player_point_pair: NotRequired[bool]
    banker_point_pair: NotRequired[bool]
    point_pairs: NotRequired[Pairs]
    player_pair_of: NotRequired[RankText | None]
    banker_pair_of: NotRequired[RankText | None]


class CostlyRounds(TypedDict):
    """Rounds that cost the House most, what wins in them, and one of them."""

    round: Words
    result: EndOfRound | None
    first_four: FirstFourCards
    wins: list[Words]
    ways: Count
    probability: Exact
    example: TwoHands | None


class LargestLoss(TypedDict):
    """The most that the House can lose in a round."""

    amount: Exact
    ways: Count
    probability: Exact
    rounds: list[CostlyRounds]


class HouseResult(TypedDict):
    """A result of the House, and how often it is that or less."""

    net: Exact
    ways: Count
    probability: Exact
    at_most: Exact


class InsuredLayout(TypedDict):
    """The largest loss without insurance; the stakes and the insurance, of all positions, that cost most."""

    without_insurance: Exact
    stakes: dict[Id, Exact]
    insurance: dict[str, Exact]


class FullLayout(TypedDict):
    """Every position staking what costs the House most, insurance included; ``largest_loss`` null: no finite figure.

    ``choices``: all stakes that cost most without insurance.
    """

    positions: int
    limits: dict[Id, Exact]
    maximum_differential: Exact | None
    largest_loss: Exact | None
    insured: NotRequired[InsuredLayout]
    choices: list[dict[Id, Exact]]


class Exposure(OfGame):
    """The House's result of one round."""

    schema: Literal["combinat/exposure/1"]
    game: Id
    shoe: Shoe
    full_layout: NotRequired[FullLayout]
    stakes: dict[Id, Exact]
    staked: Exact
    mean: Exact
    variance: Exact
    standard_deviation: Rounded
    house_edge: Exact
    loses: Exact
    largest_loss: LargestLoss
    largest_gain: Exact
    results: list[HouseResult]
