"""Insurance as people read it: a line a state, its third cards, its range, grids of both totals, habits."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from combinat.analysis.insurance import StateAnalysis, ThirdCard
from combinat.base.kinds import COUNT, ODDS, TEXT, decimal, percentage, root
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
from combinat.report.odds import BLANK, PERCENT, across, shoe_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.view import View, blocks_of
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:  # views of insurance that only some ask for
    from combinat.analysis.exact_cards import StateRange
    from combinat.analysis.insurance_habits import InsuredBet
    from combinat.engine.exact_openings import CardsOnTable

SIGNED = percentage(4, signed=True)

NOTHING_OFFERED = Figure("o", TEXT)


def favours(state: StateAnalysis) -> str:
    """Whom the bet favours, in a word."""
    return "PLAYER" if state.favours_player else "house" if state.favours_house else "neither"


def stage_in_short(stage: Stage) -> str:
    """The stage in two words."""
    return "4 cards" if stage is Stage.FOUR_CARDS else "3rd card"


STATE_COLUMNS = (Column("hand"), Column("stage"), Column("P", COUNT), Column("B", COUNT))


def _named(state: State) -> tuple[Cell, ...]:
    return state.side, stage_in_short(state.stage), state.player_points, state.banker_points


def _row(state: StateAnalysis, *cells: Cell) -> Row:
    """A row about one state, which says whether it favours the player."""
    return Row(cells, Meaning.FAVOURS_PLAYER if state.favours_player else Meaning.PLAIN)


_GIVEN_COLUMNS = (
    Column("reached %", PERCENT),
    Column("wins %", PERCENT),
    Column("returned %", PERCENT),
    Column("loses %", PERCENT),
    Column("EV %", SIGNED),
)


def _given(state: StateAnalysis) -> tuple[Cell, ...]:
    return state.probability, state.wins, state.pushes, state.loses, state.expected_value


def states_table(states: Sequence[StateAnalysis]) -> Table:
    """One line a state."""
    columns = (
        *STATE_COLUMNS,
        Column("pays", ODDS),
        *_GIVEN_COLUMNS,
        Column("fair", decimal(3)),
        Column("favours", is_spare=True),
    )
    rows = [
        _row(
            state,
            *_named(state.state),
            state.odds,
            *_given(state),
            state.fair_odds,
            favours(state) if state.ways else "never",
        )
        for state in states
    ]
    return table(columns, rows)


def decks_tables(states: Mapping[int, Sequence[StateAnalysis]]) -> tuple[Table, ...]:
    """The expected value of every state, a column for each number of decks; favourable ones are starred."""
    return tuple(
        table(
            (
                *STATE_COLUMNS,
                Column("pays", ODDS),
                *(Column(str(number), percentage(3, signed=True)) for number in numbers),
            ),
            [
                (
                    *_named(line[0].state),
                    line[0].odds,
                    *(
                        Figure(state.expected_value, after="*" if state.favours_player else "")
                        for state in line
                    ),
                )
                for line in zip(*(states[number] for number in numbers), strict=True)
            ],
        )
        for numbers in across(list(states))
    )


def third_card_table(third_cards: Sequence[ThirdCard]) -> Table:
    """Every state after the Player's third card, a line for each value of that card."""
    columns = (
        *STATE_COLUMNS,
        Column("3rd", COUNT),
        Column("pays", ODDS),
        *_GIVEN_COLUMNS,
        Column("favours", is_spare=True),
    )
    rows = [
        _row(
            card.analysis,
            *_named(card.analysis.state),
            card.player_third,
            card.analysis.odds,
            *_given(card.analysis),
            favours(card.analysis),
        )
        for card in third_cards
    ]
    return table(columns, rows)


def cards_in_words(seen: "CardsOnTable") -> str:
    """The cards on the table, one rank standing for all of the same points: ``4 K + 7 v 3 3``."""
    player, banker = " ".join(map(rank_of, seen.player)), " ".join(map(rank_of, seen.banker))
    third = "" if seen.third is None else f" + {rank_of(seen.third)}"
    return f"{player}{third} v {banker}"


def rank_of(points: int) -> str:
    """The rank that stands for all cards worth so much."""
    return {0: "K", 1: "A"}.get(points, str(points))


def range_blocks(ranges: "Sequence[StateRange]") -> tuple[Block, ...]:
    """The worst and the best exact cards of every state."""
    value = percentage(3, signed=True)
    columns = (
        *STATE_COLUMNS,
        Column("pays", ODDS),
        Column("worst cards"),
        Column("worst EV %", value),
        Column("best cards"),
        Column("best EV %", value),
        Column("best %", PERCENT),
        Column("+EV %", percentage(2)),
    )
    rows = [
        (
            *_named(span.state),
            span.worst.analysis.odds,
            cards_in_words(span.worst.seen),
            span.worst.expected_value,
            cards_in_words(span.best.seen),
            span.best.expected_value,
            span.best.analysis.probability,
            span.favourable,
        )
        for span in ranges
    ]
    return (
        table(columns, rows),
        Paragraph(
            "Cards: Player v Banker; K stands for any card worth 0; the order of a hand's first two does not "
            "matter. best %: how often a round comes to the best cards. +EV %: given the state, how often its "
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
    """What insurance comes to as a habit."""
    return (
        *(
            Section(f"A unit on {hand}", (_habits([bet for bet in insured if bet.hand is hand]),))
            for hand in dict.fromkeys(bet.hand for bet in insured)
        ),
        Paragraph(
            "Habits: never; always, every offer; favourable by totals, only offers that favour the player as far as "
            "both totals tell; favourable by cards, as the exact cards tell: each to the limit that is left; best by "
            "totals and best by cards, the stakes at both offers of a round that gain most together, for one who "
            "remembers the totals of both, or sees the cards. Per unit of the original bet, within the document's "
            "limits (a cap by the table maximum left out). insures: how often; staked, gain: on insurance, per round; "
            "edge: on the money insured; both: the bet and its insurance together; cost/var: what the player pays "
            "for each unit of variance removed (a dash: none is removed)."
        ),
    )


def _habits(insured: "Sequence[InsuredBet]") -> Table:
    columns = (
        Column("habit"),
        Column("insures %", percentage(3)),
        Column("staked", decimal(6)),
        Column("gain", decimal(6)),
        Column("edge %", percentage(3)),
        Column("both EV %", SIGNED),
        Column("both SD", root(5)),
        Column("cost/var", decimal(5)),
    )
    rows = [
        (
            bet.habit.in_words,
            bet.insured,
            bet.insurance_staked,
            bet.insurance_mean,
            bet.insurance_edge,
            bet.mean,
            bet.variance,
            bet.cost_of_variance,
        )
        for bet in insured
    ]
    return table(columns, rows)


def insurance_document(
    game: Game,
    shoe: Shoe,
    states: Sequence[StateAnalysis],
    views: Sequence[View] = (),
    *,
    only_favourable: bool = False,
) -> Section:
    """These states on this shoe: the views asked for, or a line each."""
    name = game.insurance_terms.name if game.insurance_terms else ""
    plain: Block = states_table(states) if states else Paragraph("No state to show.")
    said = {"Shoe": shoe_in_words(shoe), "Favourable to the player": _favourable(states, only_favourable)}
    return Section(
        f"{game.name}: {name}",
        (Terms(said), *(blocks_of(views) or (plain,)), Paragraph(ROUNDING)),
    )


def _favourable(states: Sequence[StateAnalysis], only: bool) -> str:
    count = sum(state.favours_player for state in states)
    if only:
        return f"{count} state{'s' if count > 1 else ''}" if count else "no state"
    return f"{count} of {len(states)} states" if count else f"none of {len(states)} states"


def decks_document(game: Game, states: Mapping[int, Sequence[StateAnalysis]]) -> Section:
    """The expected value of these states by number of decks."""
    said: tuple[Block, ...] = (Paragraph("No state favours the player at any of these numbers of decks."),)
    if any(states.values()):
        what = "Expected value in per cent of the stake, by number of decks. * The state favours the player."
        said = (*decks_tables(states), Paragraph(what))
    return Section(f"{game.name}: insurance", (*said, Paragraph(ROUNDING)))
