"""Insurance as programs read it: JSON documents and the exact tables of CSV."""

from collections.abc import Mapping, Sequence

from combinat.analysis.insurance import STATE, STATES, THIRD_CARDS, StateAnalysis, ThirdCard
from combinat.analysis.insurance_analysis import RANGES, SEEN_STATES, InsuranceAnalysis, SeenState, StateRange
from combinat.analysis.insurance_habits import INSURED_BETS
from combinat.base.kinds import COUNT, TEXT
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Table
from combinat.report.analysis.insurance import STATES_BY_THIRD_CARD
from combinat.report.analysis.odds import DECKS
from combinat.report.game_fields import GAME, SHOE
from combinat.report.relation_tables import program_table
from combinat.rules.round import Stage

OfferedState = tuple[InsuranceAnalysis, StateAnalysis]
"""A state of an answer."""


def _third_cards(row: OfferedState) -> list[ThirdCard] | None:
    answer, one = row
    if answer.third_cards is None or one.state.stage is not Stage.PLAYER_THIRD_CARD:
        return None
    return [card for card in answer.third_cards if card.analysis.state == one.state]


def _range(row: OfferedState) -> StateRange | None:
    answer, one = row
    return next((span for span in answer.ranges or () if span.state == one.state), None)


OFFERED: Relation[OfferedState] = Relation(
    "offered states",
    *STATES.part(lambda row: row[1]),
    Field(
        *("third_cards", "third cards", Many(THIRD_CARDS), "The state by the Player's third card."),
        _third_cards,
        may_be_absent=True,
    ),
    Field(
        *("range", "range", RANGES, "The worst and the best exact cards of the state."),
        _range,
        may_be_absent=True,
    ),
)

CHANCES = (
    *("side", "stage", "player_points", "banker_points", "ways"),
    *("probability", "wins", "pushes", "loses", "fair_odds"),
)
NOT_OFFERED = STATES.select(*CHANCES)
"""States as far as they do not depend on an offer."""

GRID = STATES.select(*CHANCES, "odds")

Extreme = tuple[StateRange, str, SeenState]
"""The worst or the best cards of a state."""

EXTREMES: Relation[Extreme] = Relation(
    "extremes",
    *STATE.part(lambda row: row[0].state),
    Field("cards", "cards", TEXT, "Whether they are the worst or the best cards.", lambda row: row[1]),
    *SEEN_STATES.part(lambda row: row[2]),
    *RANGES.part(lambda row: row[0], "ways", "favourable_ways", "favourable", ways="state_ways"),
)

STATES_BY_DECKS: Relation[tuple[int, StateAnalysis]] = STATES.under(DECKS)


INSURANCE: Document[InsuranceAnalysis] = Document(
    "combinat/insurance/1",
    "Exact odds of insurance: combinat insurance.",
    *GAME.part(lambda answer: answer.game),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("sample_space", "card sequences", COUNT, "Ordered card sequences."),
    Field(
        *("states", "states", Many(OFFERED), "Every state that is offered."),
        lambda answer: [(answer, state) for state in answer],
    ),
    Field(
        *("not_offered", "not offered", Many(NOT_OFFERED), "The states at which nothing is offered."),
        may_be_absent=True,
    ),
    Field(
        *("summary", "summary", Many(INSURED_BETS), "Insurance as a habit, per unit on the hand."),
        may_be_absent=True,
    ),
)

STATES_OF_DECKS: Relation[tuple[int, InsuranceAnalysis]] = Relation(
    "states of decks",
    *Relation("decks", DECKS).part(lambda row: row[0]),
    Field("shoe", "shoe", SHOE, "The shoe.", lambda row: row[1].shoe),
    Field("states", "states", Many(STATES), "Every state that is offered.", lambda row: row[1].states),
)

INSURANCE_BY_DECKS: Document[Mapping[int, InsuranceAnalysis]] = Document(
    "combinat/insurance-by-decks/1",
    "Exact odds of insurance for several shoes: combinat insurance.",
    *GAME.part(lambda answers: next(iter(answers.values())).game),
    Field(
        *("decks", "decks", Many(STATES_OF_DECKS), "The states for each number of decks."),
        lambda answers: list(answers.items()),
    ),
)


def insurance_csv(answer: InsuranceAnalysis) -> tuple[Table, ...]:
    """Return the exact tables asked for, or one of the states."""
    asked_for = (
        *(() if answer.third_cards is None else (program_table(STATES_BY_THIRD_CARD, answer.third_cards),)),
        *(() if answer.ranges is None else (program_table(EXTREMES, extremes(answer.ranges)),)),
        *(() if answer.not_offered is None else (program_table(GRID, [*answer, *answer.not_offered]),)),
        *(() if answer.summary is None else (program_table(INSURED_BETS, answer.summary),)),
    )
    return asked_for or (program_table(STATES, answer.states),)


def decks_csv(answers: Mapping[int, InsuranceAnalysis]) -> Table:
    """Return a row for each state and number of decks."""
    rows = [(number, state) for number, answer in answers.items() for state in answer]
    return program_table(STATES_BY_DECKS, rows)


def extremes(ranges: Sequence[StateRange]) -> list[Extreme]:
    """Return the worst and the best cards of each state."""
    return [(span, which, getattr(span, which)) for span in ranges for which in ("worst", "best")]
