"""Insurance as people read it: a row a state, its third cards, its range, grids of both totals, habits."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from combinat.analysis.insurance import (
    STATE,
    STATES,
    THIRD_CARDS,
    StateAnalysis,
    ThirdCard,
)
from combinat.analysis.insurance_analysis import InsuranceAnalysis
from combinat.base.kinds import TEXT, percentage
from combinat.base.relation import Relation
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Section,
    Table,
    Terms,
    table,
)
from combinat.report.analysis.odds import BLANK, PERCENT, across, shoe_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.relation_tables import cells, columns, view_table
from combinat.rules.insurance import State

if TYPE_CHECKING:  # views of insurance that only some ask for
    from combinat.analysis.exact_cards import StateRange
    from combinat.analysis.insurance_habits import InsuredBet
    from combinat.engine.walk import CardsOnTable

SIGNED = percentage(4, signed=True)

OFFER = STATES.select("side", "moment", "player_points", "banker_points", "pays").fields
"""The columns that name a state, and what it pays."""

STATES_BY_THIRD_CARD: Relation[ThirdCard] = Relation(
    "states by third card",
    *STATE.part(lambda card: card.analysis.state),
    *THIRD_CARDS.fields,
)
"""States by the Player's third card, a row each, with their state."""

NOTHING_OFFERED = Figure("o", TEXT)


def _meaning(state: StateAnalysis) -> Meaning:
    return Meaning.FAVOURS_PLAYER if state.favours_player else Meaning.PLAIN


def states_table(states: Sequence[StateAnalysis]) -> Table:
    """A row for each state."""
    return view_table(STATES, states, meaning=_meaning)


def decks_tables(answers: Mapping[int, InsuranceAnalysis]) -> tuple[Table, ...]:
    """The expected value of every state, a column for each number of decks; favourable ones are starred."""
    return tuple(
        table(
            (
                *columns(OFFER),
                *(Column(str(number), percentage(3, signed=True)) for number in numbers),
            ),
            [
                (
                    *cells(OFFER, line[0]),
                    *(
                        Figure(state.expected_value, after="*" if state.favours_player else "")
                        for state in line
                    ),
                )
                for line in zip(*(answers[number] for number in numbers), strict=True)
            ],
        )
        for numbers in across(list(answers))
    )


def third_card_table(third_cards: Sequence[ThirdCard]) -> Table:
    """Every state after the Player's third card, a row for each value of that card."""
    return view_table(STATES_BY_THIRD_CARD, third_cards, meaning=lambda card: _meaning(card.analysis))


def cards_in_words(seen: "CardsOnTable") -> str:
    """The cards on the table, one rank standing for all of the same points: ``4 K + 7 v 3 3``."""
    from combinat.analysis.exact_cards import rank_of  # only this view needs it

    player, banker = " ".join(map(rank_of, seen.player)), " ".join(map(rank_of, seen.banker))
    third = "" if seen.third is None else f" + {rank_of(seen.third)}"
    return f"{player}{third} v {banker}"


def range_blocks(ranges: "Sequence[StateRange]") -> tuple[Block, ...]:
    """The worst and the best exact cards of every state."""
    value = percentage(3, signed=True)
    heads = (
        *columns(OFFER),
        *(
            Column("worst cards"),
            Column("worst EV %", value),
            Column("best cards"),
            Column("best EV %", value),
        ),
        *(Column("best %", PERCENT), Column("+EV %", percentage(2))),
    )
    rows = [
        (
            *cells(OFFER, span.worst.analysis),
            *(cards_in_words(span.worst.seen), span.worst.expected_value),
            *(cards_in_words(span.best.seen), span.best.expected_value),
            *(span.best.analysis.probability, span.favourable),
        )
        for span in ranges
    ]
    return (
        table(heads, rows),
        Paragraph(
            "Cards: Player v Banker; K stands for any card worth 0; the order of a hand's first two does not "
            "matter. best %: how often a round has the best cards. +EV %: given the state, how often its "
            "exact cards favour the player."
        ),
    )


def grid_blocks(states: Sequence[StateAnalysis], others: Sequence[StateAnalysis]) -> tuple[Block, ...]:
    """A grid of both totals for each hand and stage; ``others``: the states that no table offers."""
    cells: dict[State, Cell] = {other.state: NOTHING_OFFERED for other in others}
    cells |= {state.state: _grid_cell(state) for state in states}
    grids = [
        Section(
            f"{side.capitalize()} Insurance {stage.in_words}: expected value in per cent",
            (
                table(
                    (
                        Column(""),
                        *(Column(f"B {banker}", percentage(1, signed=True)) for banker in range(10)),
                    ),
                    [
                        (
                            f"Player {player}",
                            *(cells.get(State(side, stage, player, banker), BLANK) for banker in range(10)),
                        )
                        for player in range(10)
                    ],
                ),
            ),
        )
        for side, stage in dict.fromkeys((state.state.side, state.state.stage) for state in states)
    ]
    return (
        *grids,
        Paragraph(
            "Rows: the Player's points; columns: the Banker's. A number: offered, the player's expected value "
            "per 100 staked; [+n]: it favours the player. o: a card is to come but nothing is offered. Blank: "
            "no card is to come, so there is nothing to insure."
        ),
    )


def _grid_cell(state: StateAnalysis) -> Cell:
    if state.favours_player:
        return Figure(state.expected_value, before="[", after="]")
    return state.expected_value


def summary_blocks(insured: "Sequence[InsuredBet]") -> tuple[Block, ...]:
    """The cost or gain of insurance as a habit."""
    from combinat.analysis.insurance_habits import INSURED_BETS  # only this view needs it

    return (
        *(
            Section(
                f"A unit on {hand}", (view_table(INSURED_BETS, [bet for bet in insured if bet.hand is hand]),)
            )
            for hand in dict.fromkeys(bet.hand for bet in insured)
        ),
        Paragraph(
            "Habits: never; always, every offer; favourable by totals, only offers that favour the player as far as "
            "both totals tell; favourable by cards, as the exact cards tell: each to the limit that is left; best by "
            "totals and best by cards, the stakes at both offers of a round that gain most together, for one who "
            "remembers the totals of both, or sees the cards. Per unit of the original bet, within the document's "
            "limits (a cap by the table maximum left out). insures: how often; staked, gain: on insurance, per round; "
            "ins edge: on the money insured; both: the bet and its insurance together; cost/var: what the player pays "
            "for each unit of variance removed (a dash: none is removed)."
        ),
    )


def insurance_document(answer: InsuranceAnalysis) -> Section:
    """The states on this shoe: the tables asked for, or a row each."""
    terms, states = answer.game.insurance_terms, answer.states
    plain: Block = states_table(states) if states else Paragraph("No state to show.")
    heads = {"Shoe": shoe_in_words(answer.shoe), "Favourable to the player": _favourable(answer)}
    return Section(
        f"{answer.game.name}: {terms.name if terms else ''}",
        (Terms(heads), *(_asked_for(answer) or (plain,)), Paragraph(ROUNDING)),
    )


def _asked_for(answer: InsuranceAnalysis) -> tuple[Block, ...]:
    """What was asked for in the place of the plain table."""
    return (
        *(() if answer.third_cards is None else (third_card_table(answer.third_cards),)),
        *(() if answer.ranges is None else range_blocks(answer.ranges)),
        *(() if answer.not_offered is None else grid_blocks(answer.states, answer.not_offered)),
        *(() if answer.summary is None else summary_blocks(answer.summary)),
    )


def _favourable(answer: InsuranceAnalysis) -> str:
    states = answer.states
    count = sum(state.favours_player for state in states)
    if answer.favourable:
        return f"{count} state{'s' if count > 1 else ''}" if count else "no state"
    return f"{count} of {len(states)} states" if count else f"none of {len(states)} states"


def decks_document(answers: Mapping[int, InsuranceAnalysis]) -> Section:
    """The expected value of these states by number of decks."""
    game = next(iter(answers.values())).game
    blocks: tuple[Block, ...] = (Paragraph("No state favours the player at any of these numbers of decks."),)
    if any(answers.values()):
        what = "Expected value in per cent of the stake, by number of decks. * The state favours the player."
        blocks = (*decks_tables(answers), Paragraph(what))
    return Section(f"{game.name}: insurance", (*blocks, Paragraph(ROUNDING)))
