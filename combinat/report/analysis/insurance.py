"""The documents of insurance: states, third cards, ranges, grids of both totals, habits."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from combinat.analysis.insurance import STATE, STATES, THIRD_CARDS, StateAnalysis, ThirdCard
from combinat.analysis.insurance_analysis import (
    RANGES,
    SEEN_STATES,
    InsuranceAnalysis,
    SeenState,
    StateRange,
    rank_of,
)
from combinat.base.kinds import COUNT, TEXT, Kind, percentage, with_enough_decimals
from combinat.base.relation import Document, Field, Later, Many, Relation
from combinat.engine.walk import CardsOnTable
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Section,
    Table,
    section,
    table,
)
from combinat.report.analysis.odds import BLANK, DECKS, PERCENT, decks_in_words, shoe_in_words
from combinat.report.phrases import ROUNDING, hand_named
from combinat.report.provisos import GAME, SHOE
from combinat.report.relation_tables import across, cells, columns, program_table, view_table
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand

if TYPE_CHECKING:  # a view that only some ask for
    from combinat.analysis.insurance_habits import InsuredBet

SIGNED, VALUE, GRID = (percentage(places, signed=True) for places in (4, 3, 1))

BOTH = "terminal report"

OFFER = (
    *("side", "moment", "player_points", "banker_points"),
    *("insured_hand", "offered", "player_total", "banker_total", "pays"),
)
"""The fields that name a state and its odds, in both views."""

STATES_BY_THIRD_CARD: Relation[ThirdCard] = Relation(
    "states by third card",
    *STATE.part(lambda card: card.analysis.state),
    *THIRD_CARDS.fields,
)
"""States by the Player's third card, a row each, with their state."""


def _meaning(state: StateAnalysis) -> Meaning:
    return Meaning.FAVOURS_PLAYER if state.favours_player else Meaning.PLAIN


def _value_with_star(state: StateAnalysis, kind: Kind) -> Figure:
    """Return the expected value of a state, with a star if it favours the player."""
    after = "*" if state.favours_player else ""
    return Figure(state.expected_value, with_enough_decimals(kind, state.expected_value), after=after)


def states_table(
    states: Sequence[StateAnalysis], view: str = "terminal", caption: str = "", anchor: str = ""
) -> Table:
    """Return a row for each state."""
    return view_table(STATES, states, view, caption, anchor=anchor, meaning=_meaning)


def decks_tables(
    states: Mapping[int, Sequence[StateAnalysis]], view: str = "terminal", caption: str = ""
) -> Iterator[Table]:
    """Yield the expected value of every state, a column for each number of decks; favourable ones are starred."""
    for numbers in across(list(states)):
        offer = STATES.select(*OFFER).view(view)
        heads = (*columns(offer), *(Column(decks_in_words(number), VALUE) for number in numbers))
        rows = [
            (*cells(offer, line[0]), *(_value_with_star(state, VALUE) for state in line))
            for line in zip(*(states[number] for number in numbers), strict=True)
        ]
        yield table(heads, rows, caption)


def third_card_table(third_cards: Sequence[ThirdCard], view: str = "terminal", caption: str = "") -> Table:
    """Return a table of every state after the Player's third card, with a row for each value of that card."""
    return view_table(
        *(STATES_BY_THIRD_CARD, third_cards, view, caption),
        meaning=lambda card: _meaning(card.analysis),
    )


def cards_in_words(seen: CardsOnTable) -> str:
    """Return the cards on the table, one rank standing for all of the same points: ``4 K + 7 v 3 3``."""
    player, banker = " ".join(map(rank_of, seen.player)), " ".join(map(rank_of, seen.banker))
    third = "" if seen.third is None else f" + {rank_of(seen.third)}"
    return f"{player}{third} v {banker}"


RANGES_SHOWN: Relation[StateRange] = Relation(
    "ranges shown",
    *STATES.part(lambda span: span.worst.analysis, *OFFER),
    Field("worst_cards", "worst cards", TEXT, "The worst cards for the player.", lambda span: cards_in_words(span.worst.seen), views=BOTH),
    Field("worst", "worst EV %", VALUE, "Their expected value.", lambda span: _figure(span.worst.expected_value, VALUE), views=BOTH),
    Field("best_cards", "best cards", TEXT, "The best cards for the player.", lambda span: cards_in_words(span.best.seen), views=BOTH),
    Field("best", "best EV %", VALUE, "Their expected value.", lambda span: _figure(span.best.expected_value, VALUE), views=BOTH),
    Field("probability", "best %", PERCENT, "Their probability.", lambda span: _figure(span.best.analysis.probability, PERCENT), views=BOTH),
    Field("favourable", "+EV %", percentage(2), "Given the state, probability of cards that favour the player.", lambda span: Figure(span.favourable), views=BOTH),
)  # fmt: skip
"""States with their worst and best cards, a row each; for people."""


def _figure(value: Fraction | None, kind: Kind) -> Figure:
    """Return a figure with enough decimals that it is not shown as 0."""
    return Figure(value, with_enough_decimals(kind, value))


def range_blocks(
    ranges: Sequence[StateRange], view: str = "terminal", caption: str = ""
) -> tuple[Block, ...]:
    """Return the worst and the best exact cards of every state."""
    return (
        view_table(
            *(RANGES_SHOWN, ranges, view, caption),
            meaning=lambda span: _meaning(span.best.analysis),
        ),
        Paragraph(
            "Cards: Player v Banker, a third card after +. K stands for any card worth 0; the order of a hand's first two "
            "cards does not matter. best %: probability that a round has the best cards. +EV %: probability, given the "
            "state, of cards that favour the player."
        ),
    )


def grid_blocks(states: Sequence[StateAnalysis], others: Sequence[StateAnalysis]) -> tuple[Block, ...]:
    """Return a grid of both totals for each hand and stage; ``others``: the states without an offer."""
    found: dict[State, Cell] = {other.state: Figure("o", TEXT) for other in others}
    found |= {state.state: _value_with_star(state, GRID) for state in states}
    tables = dict.fromkeys((state.state.side, state.state.stage) for state in states)
    return (
        *(_grid(side, stage, found) for side, stage in tables),
        Paragraph(
            "Rows: the Player's points; columns: the Banker's. A number: the player's expected value per 100 staked; "
            "*: the state favours the player. o: a card is to come, but no insurance is offered. Blank: no card is to "
            "come."
        ),
    )


def _grid(side: Hand, stage: Stage, found: Mapping[State, Cell]) -> Table:
    """Return the grid of a hand and stage; totals without a state have no row or column."""
    listed = [state for state in found if (state.side, state.stage) == (side, stage)]
    players, bankers = (
        sorted({getattr(one, key) for one in listed}) for key in ("player_points", "banker_points")
    )
    return table(
        (Column("Player"), *(Column(f"B {banker}", GRID) for banker in bankers)),
        [
            (str(player), *(found.get(State(side, stage, player, banker), BLANK) for banker in bankers))
            for player in players
        ],
        f"{hand_named(side)} Insurance {stage.in_words}: expected value, % of the stake",
    )


def habit_blocks(insured: "Sequence[InsuredBet]") -> tuple[Block, ...]:
    """Return the cost or gain of insurance as a habit."""
    caption = "Insurance as a habit: a unit on {}"
    return (
        *(
            view_table(
                *(_habits(), [bet for bet in insured if bet.hand is hand]),
                caption=caption.format(hand_named(hand)),
            )
            for hand in dict.fromkeys(bet.hand for bet in insured)
        ),
        Paragraph(
            "Always: the player takes every offer. Favourable: only offers that favour the player, judged by both totals or "
            "by the exact cards, each up to the limit that is left. Best: the stakes at both offers of a round that together "
            "gain most, for a player who remembers both totals or sees the cards. All habits keep to the document's limits, "
            "except for a table maximum. Insures: share of rounds with insurance. Staked and gain: insurance alone, per "
            "round and unit of the original bet. Ins edge: on the money insured; below 0 the player gains. Both: the bet and "
            "its insurance together. Cost/var: what the player pays for each unit of variance removed; a dash: insurance "
            "removes none."
        ),
    )


def _habits() -> "Relation[InsuredBet]":
    from combinat.analysis.insurance_habits import INSURED_BETS  # only a summary needs it

    return INSURED_BETS


def insurance_document(answer: InsuranceAnalysis) -> Section:
    """Return the states on this shoe: the requested tables, or a row for each state."""
    terms, states = answer.game.insurance_terms, answer.states
    number = len(states)
    chosen = f"{number or 'no'} state{'s' if number > 1 else ''}"
    requested: tuple[Block, ...] = (
        *(() if answer.third_cards is None else (third_card_table(answer.third_cards),)),
        *(() if answer.ranges is None else range_blocks(answer.ranges)),
        *(() if answer.not_offered is None else grid_blocks(states, answer.not_offered)),
        *(() if answer.summary is None else habit_blocks(answer.summary)),
    )
    return section(
        f"{answer.game.name}: {terms.name if terms else ''}",
        {
            "Shoe": shoe_in_words(answer.shoe),
            "Favourable to the player": chosen if answer.favourable else favourable_in_words(states),
        },
        requested,
        None if requested else states_table(states) if states else "No state to show.",
        ROUNDING,
    )


def insurance_csv(answer: InsuranceAnalysis) -> tuple[Table, ...]:
    """Return the requested exact tables, or the table of states."""
    requested = (
        *(() if answer.third_cards is None else (program_table(STATES_BY_THIRD_CARD, answer.third_cards),)),
        *(() if answer.ranges is None else (program_table(EXTREMES, extremes(answer.ranges)),)),
        *(
            ()
            if answer.not_offered is None
            else (program_table(STATES_OF_GRID, [*answer, *answer.not_offered]),)
        ),
        *(() if answer.summary is None else (program_table(_habits(), answer.summary),)),
    )
    return requested or (program_table(STATES, answer.states),)


def favourable_in_words(states: Sequence[StateAnalysis]) -> str:
    """Return the number of states that favour the player, in words: ``12 of 73 states``."""
    return f"{sum(state.favours_player for state in states) or 'none'} of {len(states)} states"


def decks_document(answers: Mapping[int, InsuranceAnalysis]) -> Section:
    """Return the expected value of these states by number of decks."""
    game = next(iter(answers.values())).game
    tables = decks_tables({number: answer.states for number, answer in answers.items()})
    starred = "Expected value in per cent of the stake, by number of decks. * The state favours the player."
    none = "No state favours the player at any of these numbers of decks."
    has_rows = any(answers.values())
    return section(
        f"{game.name}: insurance", tables if has_rows else None, starred if has_rows else none, ROUNDING
    )


def decks_csv(answers: Mapping[int, InsuranceAnalysis]) -> Table:
    """Return a row for each state and number of decks."""
    rows = [(number, state) for number, answer in answers.items() for state in answer]
    return program_table(STATES.under(DECKS), rows)


# ---------------------------------------------------------------- JSON

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

STATES_OF_GRID = STATES.select(*CHANCES, "odds")

Extreme = tuple[StateRange, str, SeenState]
"""The worst or the best cards of a state."""

EXTREMES: Relation[Extreme] = Relation(
    "extremes",
    *STATE.part(lambda row: row[0].state),
    Field("cards", "cards", TEXT, "Whether they are the worst or the best cards.", lambda row: row[1]),
    *SEEN_STATES.part(lambda row: row[2]),
    *RANGES.part(lambda row: row[0], "ways", "favourable_ways", "favourable", ways="state_ways"),
)

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
        *(
            "summary",
            "summary",
            Later(lambda: Many(_habits())),
            "Insurance as a habit, per unit on the hand.",
        ),
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


def extremes(ranges: Sequence[StateRange]) -> list[Extreme]:
    """Return the worst and the best cards of each state."""
    return [(span, which, getattr(span, which)) for span in ranges for which in ("worst", "best")]
