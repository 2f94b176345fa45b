"""Insurance: the states that favour the player first, one grid a stage, habits; and the annexes with every state."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from combinat.analysis.insurance import STATES, THIRD_CARDS, StateAnalysis
from combinat.analysis.insurance_habits import INSURED_BETS, InsuredBet
from combinat.base.kinds import COUNT, ODDS, TEXT, Kind, percentage, telling
from combinat.certify.dossier import Dossier
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Part,
    Reference,
    Row,
    Section,
    Table,
    annex,
    chapter,
    table,
)
from combinat.report.analysis.insurance import cards_in_words
from combinat.report.analysis.odds import BLANK, across, decks_in_words
from combinat.report.phrases import HAND_COLUMNS, bet_names, decks_figure, hand_named, stage_named
from combinat.report.relation_tables import cells, columns, fine_cells
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand

SHARE, VALUE, GRID = percentage(4), percentage(3, signed=True), percentage(1, signed=True)

STATE_COLUMNS = (
    Column(HAND_COLUMNS[0]),
    Column(HAND_COLUMNS[1]),
    *(Column(head, COUNT) for head in HAND_COLUMNS[2:]),
)


def _state(state: State) -> tuple[Cell, ...]:
    return hand_named(state.side), stage_named(state.stage), state.player_points, state.banker_points


def _fine(value: Fraction | None, kind: Kind) -> Cell:
    return Figure(value, telling(kind, value))


def _meaning(state: StateAnalysis) -> Meaning:
    return Meaning.FAVOURS_PLAYER if state.favours_player else Meaning.PLAIN


def insurance_chapter(dossier: Dossier, game: Game) -> Section:
    """What a reader needs of insurance."""
    shoe = dossier.reference
    if not shoe.insurance:
        return chapter("Insurance", (Paragraph("The document offers no insurance."),), anchor="insurance")
    best = [one for one in shoe.insurance if one.favours_player]
    blocks: list[Block] = [Paragraph(tuple(_favourable(dossier)))]
    if best:
        best.sort(key=lambda one: -(one.expected_value or 0))
        blocks.append(
            _states(best, "Insurance states that favour the player, the best first", "favourable-states")
        )
    blocks += _grids(dossier)
    blocks.append(
        Paragraph(
            (
                "A letter names the insured hand: P is the Player Hand, B the Banker Hand. *: the state favours the player. "
                "o: a card is still to come, but no insurance is offered. For all figures of every state see ",
                Reference("insurance-states"),
                ".",
            )
        )
    )
    blocks += _habits(dossier.insured, game)
    return chapter("Insurance", blocks, anchor="insurance")


def _favourable(dossier: Dossier) -> Iterator[Part]:
    yield "With "
    yield from decks_figure(dossier.reference_decks)
    yield ", "
    if dossier.favourable_states:
        yield Figure(dossier.favourable_states, COUNT)
        yield " of "
        yield Figure(dossier.offered_states, COUNT)
        yield f" insurance states {'favours' if dossier.favourable_states == 1 else 'favour'} the player."
    else:
        yield "none of "
        yield Figure(dossier.offered_states, COUNT)
        yield " insurance states favours the player."


FIGURES = STATES.select(
    "pays", "probability", "wins", "pushes", "loses", "expected_value", "fair_odds"
).fields
"""The figures of a state that the report shows."""

OF_THIRD_CARD = THIRD_CARDS.select(
    "player_third", "pays", "probability", "wins", "pushes", "loses", "expected_value"
).fields


def _states(states: Sequence[StateAnalysis], caption: str, anchor: str = "") -> Table:
    """A line a state."""
    rows = [Row((*_state(one.state), *fine_cells(FIGURES, one)), _meaning(one)) for one in states]
    return table((*STATE_COLUMNS, *columns(FIGURES)), rows, caption, anchor=anchor)


def _grids(dossier: Dossier) -> Iterator[Table]:
    """A grid of both totals for each stage, with both hands in it; two where a state is offered for both."""
    offered = {one.state: one for one in dossier.reference.insurance}
    waiting = {one.state for one in dossier.not_offered}
    tables = dict.fromkeys((state.side, state.stage) for state in offered)
    for stage in dict.fromkeys(stage for _, stage in tables):
        sides = [side for side, of in tables if of is stage]
        totals = [
            {
                (one.player_points, one.banker_points)
                for one in offered
                if (one.side, one.stage) == (side, stage)
            }
            for side in sides
        ]
        overlap = len(totals) > 1 and totals[0] & totals[1]
        for some in [[side] for side in sides] if overlap else [sides]:
            yield _grid(stage, some, offered, waiting)


def _grid(
    stage: Stage, sides: Sequence[Hand], offered: dict[State, StateAnalysis], waiting: set[State]
) -> Table:
    def cell(player: int, banker: int) -> Cell:
        for side in sides:
            one = offered.get(State(side, stage, player, banker))
            if one is not None and one.expected_value is not None:
                return _starred(one, GRID, f"{hand_named(side)[0]} " if len(sides) > 1 else "")
        return (
            Figure("o", TEXT)
            if any(State(side, stage, player, banker) in waiting for side in sides)
            else BLANK
        )

    listed = [state for state in offered if state.stage is stage and state.side in sides]
    bankers = range(min(one.banker_points for one in listed), max(one.banker_points for one in listed) + 1)
    players = range(min(one.player_points for one in listed), max(one.player_points for one in listed) + 1)
    hands = " and ".join(hand_named(side) for side in sides)
    return table(
        (Column("Player's points"), *(Column(f"Banker {banker}", GRID) for banker in bankers)),
        [(str(player), *(cell(player, banker) for banker in bankers)) for player in players],
        f"{hands} Insurance {stage.in_words}: expected value, % of the stake",
    )


HABITS = INSURED_BETS.view("terminal")


def _habits(insured: Sequence[InsuredBet], game: Game) -> Iterator[Block]:
    if not insured:
        return
    names = bet_names(game)
    rows: list[tuple[Cell, ...]] = []
    for before, one in zip((None, *insured), insured, strict=False):
        is_same = before is not None and before.bet == one.bet
        rows.append(("" if is_same else names[one.bet], *cells(HABITS, one)))
    caption = "Insurance as a habit, per unit of the original bet"
    yield table((Column("bet insured"), *columns(HABITS)), rows, caption, anchor="habits")
    yield Paragraph(
        "Always: the player takes every offer. Favourable: the player takes only offers that favour the player, judged by both totals or by "
        "the exact cards, each up to the limit that is left. Best: the stakes at both offers of a round that together gain most, for a player who "
        "remembers the totals of both or sees the cards. Insures: share of rounds with insurance. Staked and gain: insurance alone, in a round. "
        "Both: the bet and its insurance together. Cost/var: what the player pays for each unit of variance removed; a dash: insurance removes none. "
        "All habits keep to the document's limits, except for a table maximum. A negative house edge is a gain of the player."
    )


# ---------------------------------------------------------------- annexes


def insurance_annexes(dossier: Dossier) -> Iterator[Section]:
    """Every state; by the Player's third card; by the exact cards; by the number of decks. None without insurance."""
    shoe = dossier.reference
    if not shoe.insurance:
        return
    reference: tuple[Part, ...] = (*decks_figure(shoe.decks), ".")
    yield annex(
        "All insurance states",
        (Paragraph(reference), _states(shoe.insurance, "All insurance states", "all-states")),
        anchor="insurance-states",
    )
    if dossier.third_cards:
        yield annex("Insurance by the Player's third card", (Paragraph(reference), _third_cards(dossier)))
    if dossier.ranges:
        yield annex("Insurance by the exact cards", tuple(_exact_cards(dossier)))
    if len(dossier.shoes) > 1:
        yield annex("Insurance by number of decks", tuple(_by_decks(dossier)))


def _third_cards(dossier: Dossier) -> Table:
    rows = [
        Row((hand, *points, *fine_cells(OF_THIRD_CARD, card)), _meaning(card.analysis))
        for card in dossier.third_cards
        for hand, _, *points in [_state(card.analysis.state)]
    ]
    caption = "Insurance after the Player's third card, by the points of that card"
    hand, _, *points = STATE_COLUMNS
    return table((hand, *points, *columns(OF_THIRD_CARD)), rows, caption)


def _exact_cards(dossier: Dossier) -> Iterator[Block]:
    heads = (
        *(*STATE_COLUMNS, Column("pays", ODDS), Column("worst cards"), Column("EV %", VALUE)),
        *(Column("best cards"), Column("EV %", VALUE), Column("these come %", SHARE)),
        Column("some favour %", percentage(2)),
    )
    rows = [
        Row(
            (
                *(*_state(span.state), span.worst.analysis.odds),
                *(cards_in_words(span.worst.seen), _fine(span.worst.expected_value, VALUE)),
                *(cards_in_words(span.best.seen), _fine(span.best.expected_value, VALUE)),
                *(_fine(span.best.analysis.probability, SHARE), span.favourable),
            ),
            _meaning(span.best.analysis),
        )
        for span in dossier.ranges
    ]
    yield table(heads, rows, "The worst and the best exact cards of every insurance state")
    yield Paragraph(
        (
            *decks_figure(dossier.reference_decks),
            ". Cards: Player v Banker, a third card after +; K is any card worth 0; the order of a hand's first two cards does not matter. "
            "These come %: probability of the best cards in a round. Some favour %: probability, given the state, of cards that favour the player.",
        )
    )


def _by_decks(dossier: Dossier) -> Iterator[Block]:
    by_decks = {shoe.decks: shoe.insurance for shoe in dossier.shoes}
    for numbers in across(list(by_decks)):
        heads = (
            *(*STATE_COLUMNS, Column("pays", ODDS)),
            *(Column(decks_in_words(number), VALUE) for number in numbers),
        )
        rows = [
            (*_state(line[0].state), line[0].odds, *map(_starred, line))
            for line in zip(*(by_decks[number] for number in numbers), strict=True)
        ]
        yield table(heads, rows, "Insurance by number of decks: expected value, % of the stake")
    yield Paragraph("*: the state favours the player.")


def _starred(state: StateAnalysis, kind: Kind = VALUE, before: str = "") -> Figure:
    """The expected value of a state, with a star if it favours the player."""
    after = "*" if state.favours_player else ""
    return Figure(state.expected_value, telling(kind, state.expected_value), before=before, after=after)
