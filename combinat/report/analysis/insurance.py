"""Insurance as people read it: a row a state, its third cards, its range, grids of both totals, habits."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from combinat.analysis.insurance import STATE, STATES, THIRD_CARDS, StateAnalysis, ThirdCard
from combinat.analysis.insurance_analysis import InsuranceAnalysis
from combinat.base.kinds import TEXT, Kind, percentage, telling
from combinat.base.relation import Relation
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Row,
    Section,
    Table,
    Terms,
    table,
)
from combinat.report.analysis.odds import BLANK, PERCENT, across, decks_in_words, shoe_in_words
from combinat.report.phrases import ROUNDING, hand_named
from combinat.report.relation_tables import cells, columns, view_table
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand

if TYPE_CHECKING:  # views of insurance that only some ask for
    from combinat.analysis.insurance_analysis import StateRange
    from combinat.analysis.insurance_habits import InsuredBet
    from combinat.engine.walk import CardsOnTable

SIGNED, VALUE, GRID = (percentage(places, signed=True) for places in (4, 3, 1))

OFFERS = {
    "terminal": STATES.select("side", "moment", "player_points", "banker_points", "pays").fields,
    "report": STATES.select("insured_hand", "offered", "player_total", "banker_total", "pays").fields,
}
"""The columns that name a state and its odds, by view."""

STATES_BY_THIRD_CARD: Relation[ThirdCard] = Relation(
    "states by third card",
    *STATE.part(lambda card: card.analysis.state),
    *THIRD_CARDS.fields,
)
"""States by the Player's third card, a row each, with their state."""


def _meaning(state: StateAnalysis) -> Meaning:
    return Meaning.FAVOURS_PLAYER if state.favours_player else Meaning.PLAIN


def _starred(state: StateAnalysis, kind: Kind) -> Figure:
    """Return the expected value of a state, with a star if it favours the player."""
    after = "*" if state.favours_player else ""
    return Figure(state.expected_value, telling(kind, state.expected_value), after=after)


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
        heads = (*columns(OFFERS[view]), *(Column(decks_in_words(number), VALUE) for number in numbers))
        rows = [
            (*cells(OFFERS[view], line[0]), *(_starred(state, VALUE) for state in line))
            for line in zip(*(states[number] for number in numbers), strict=True)
        ]
        yield table(heads, rows, caption)


def third_card_table(third_cards: Sequence[ThirdCard], view: str = "terminal", caption: str = "") -> Table:
    """Return every state after the Player's third card, a row for each value of that card."""
    return view_table(
        *(STATES_BY_THIRD_CARD, third_cards, view, caption),
        meaning=lambda card: _meaning(card.analysis),
    )


def cards_in_words(seen: "CardsOnTable") -> str:
    """Return the cards on the table, one rank standing for all of the same points: ``4 K + 7 v 3 3``."""
    from combinat.analysis.insurance_analysis import rank_of  # only this view needs it

    player, banker = " ".join(map(rank_of, seen.player)), " ".join(map(rank_of, seen.banker))
    third = "" if seen.third is None else f" + {rank_of(seen.third)}"
    return f"{player}{third} v {banker}"


def range_blocks(
    ranges: "Sequence[StateRange]", view: str = "terminal", caption: str = ""
) -> tuple[Block, ...]:
    """Return the worst and the best exact cards of every state."""
    heads = (
        *(*columns(OFFERS[view]), Column("worst cards"), Column("worst EV %", VALUE)),
        *(Column("best cards"), Column("best EV %", VALUE)),
        *(Column("best %", PERCENT), Column("+EV %", percentage(2))),
    )
    rows = [
        Row(
            (
                *(*cells(OFFERS[view], span.worst.analysis), cards_in_words(span.worst.seen)),
                *(_fine(span.worst.expected_value, VALUE), cards_in_words(span.best.seen)),
                *(_fine(span.best.expected_value, VALUE), _fine(span.best.analysis.probability, PERCENT)),
                span.favourable,
            ),
            _meaning(span.best.analysis),
        )
        for span in ranges
    ]
    return (
        table(heads, rows, caption),
        Paragraph(
            "Cards: Player v Banker, a third card after +. K stands for any card worth 0; the order of a hand's first two "
            "cards does not matter. best %: probability that a round has the best cards. +EV %: probability, given the "
            "state, of cards that favour the player."
        ),
    )


def _fine(value: Fraction | None, kind: Kind) -> Figure:
    return Figure(value, telling(kind, value))


def grid_blocks(states: Sequence[StateAnalysis], others: Sequence[StateAnalysis]) -> tuple[Block, ...]:
    """Return a grid of both totals for each hand and stage; ``others``: the states that no table offers."""
    found: dict[State, Cell] = {other.state: Figure("o", TEXT) for other in others}
    found |= {state.state: _starred(state, GRID) for state in states}
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
    """Return the grid of a hand and stage, without the totals at which no card is to come."""
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
    from combinat.analysis.insurance_habits import INSURED_BETS  # only this view needs it

    return (
        *(
            view_table(
                *(INSURED_BETS, [bet for bet in insured if bet.hand is hand]),
                caption=f"Insurance as a habit: a unit on {hand_named(hand)}",
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


def insurance_document(answer: InsuranceAnalysis) -> Section:
    """Return the states on this shoe: the tables asked for, or a row each."""
    terms, states = answer.game.insurance_terms, answer.states
    plain: Block = states_table(states) if states else Paragraph("No state to show.")
    heads = {"Shoe": shoe_in_words(answer.shoe), "Favourable to the player": _favourable(answer)}
    return Section(
        f"{answer.game.name}: {terms.name if terms else ''}",
        (Terms(heads), *(_asked_for(answer) or (plain,)), Paragraph(ROUNDING)),
    )


def _asked_for(answer: InsuranceAnalysis) -> tuple[Block, ...]:
    """Return the view requested instead of the plain table."""
    return (
        *(() if answer.third_cards is None else (third_card_table(answer.third_cards),)),
        *(() if answer.ranges is None else range_blocks(answer.ranges)),
        *(() if answer.not_offered is None else grid_blocks(answer.states, answer.not_offered)),
        *(() if answer.summary is None else habit_blocks(answer.summary)),
    )


def _favourable(answer: InsuranceAnalysis) -> str:
    if not answer.favourable:
        return favourable_in_words(answer.states)
    count = len(answer.states)
    return f"{count} state{'s' if count > 1 else ''}" if count else "no state"


def favourable_in_words(states: Sequence[StateAnalysis]) -> str:
    """Return how many of the states favour the player: ``12 of 73 states``."""
    return f"{sum(state.favours_player for state in states) or 'none'} of {len(states)} states"


def decks_document(answers: Mapping[int, InsuranceAnalysis]) -> Section:
    """Return the expected value of these states by number of decks."""
    game = next(iter(answers.values())).game
    blocks: tuple[Block, ...] = (Paragraph("No state favours the player at any of these numbers of decks."),)
    if any(answers.values()):
        what = "Expected value in per cent of the stake, by number of decks. * The state favours the player."
        states = {number: answer.states for number, answer in answers.items()}
        blocks = (*decks_tables(states), Paragraph(what))
    return Section(f"{game.name}: insurance", (*blocks, Paragraph(ROUNDING)))
