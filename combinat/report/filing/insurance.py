"""Insurance: the states that favour the player first, one grid a stage, habits; and the annexes with every state."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.insurance_habits import InsuredBet
from combinat.base.kinds import COUNT, ODDS, TEXT, Kind, decimal, percentage, root, telling
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
from combinat.report.filing.names import HAND_COLUMNS, bet_names, decks_figure, hand_named, stage_named
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand

SHARE, VALUE = percentage(4), percentage(4, signed=True)
GRID = percentage(1, signed=True)

STATE_COLUMNS = (
    Column(HAND_COLUMNS[0]),
    Column(HAND_COLUMNS[1]),
    *(Column(head, COUNT) for head in HAND_COLUMNS[2:]),
)


def _state(state: State) -> tuple[Cell, ...]:
    return hand_named(state.side), stage_named(state.stage), state.player_points, state.banker_points


def _meaning(state: StateAnalysis) -> Meaning:
    return Meaning.FAVOURS_PLAYER if state.favours_player else Meaning.PLAIN


def insurance_chapter(dossier: Dossier, game: Game) -> Section:
    """What a reader needs of insurance."""
    shoe = dossier.reference
    if not shoe.insurance:
        return chapter("Insurance", (Paragraph("The document offers none."),), anchor="insurance")
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
                "A letter names the insured hand: P the Player Hand, B the Banker Hand. * The state favours the player. "
                "o: a card is to come, and nothing is offered. Every state with its figures is in ",
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


def _states(states: Sequence[StateAnalysis], caption: str, anchor: str = "") -> Table:
    """A line a state."""
    columns = (
        *(*STATE_COLUMNS, Column("pays", ODDS), Column("reached, % of rounds", SHARE)),
        *(Column("wins %", SHARE), Column("returned %", SHARE), Column("loses %", SHARE)),
        *(Column("expected value %", VALUE), Column("fair odds to 1", decimal(3))),
    )
    rows = [
        Row(
            (
                *(*_state(one.state), one.odds, _fine(one.probability, SHARE)),
                *(one.wins, one.pushes, one.loses, _fine(one.expected_value, VALUE), one.fair_odds),
            ),
            _meaning(one),
        )
        for one in states
    ]
    return table(columns, rows, caption, anchor=anchor)


def _fine(value: Fraction | None, kind: Kind) -> Cell:
    return Figure(value, telling(kind, value))


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
                before = f"{hand_named(side)[0]} " if len(sides) > 1 else ""
                kind = telling(GRID, one.expected_value)
                return Figure(
                    one.expected_value, kind, before=before, after="*" if one.favours_player else ""
                )
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


def _habits(insured: Sequence[InsuredBet], game: Game) -> Iterator[Block]:
    if not insured:
        return
    names = bet_names(game)
    columns = (
        *(Column("bet insured"), Column("habit"), Column("insures, % of rounds", percentage(3))),
        *(
            Column("staked a round", decimal(6)),
            Column("gain a round", decimal(6)),
            Column("house edge on it %", percentage(3)),
        ),
        *(Column("with the bet: expected value %", VALUE), Column("and standard deviation", root(5))),
        Column("paid for a unit of variance", decimal(5)),
    )
    rows: list[tuple[Cell, ...]] = []
    last = ""
    for one in insured:
        name = names[one.bet]
        rows.append(
            (
                *("" if name == last else name, one.habit.in_words, one.insured),
                *(one.insurance_staked, one.insurance_mean, one.insurance_edge),
                *(one.mean, one.variance, one.cost_of_variance),
            )
        )
        last = name
    yield table(columns, rows, "Insurance as a habit, per unit of the original bet", anchor="habits")
    yield Paragraph(
        "Always: the player takes every offer. Favourable: the player takes only offers that favour the player, judged by both totals or by "
        "the exact cards, each up to the limit that is left. Best: the stakes at both offers of a round that together gain most, for a player who "
        "remembers the totals of both or sees the cards. All habits keep to the document's limits, except for a table maximum. A negative house "
        "edge is a gain of the player. A dash in the last column: insurance removes no variance."
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
    columns = (
        *(Column(HAND_COLUMNS[0]), *(Column(head, COUNT) for head in HAND_COLUMNS[2:])),
        *(Column("third card", COUNT), Column("pays", ODDS), Column("reached, % of rounds", SHARE)),
        *(
            Column("wins %", SHARE),
            Column("returned %", SHARE),
            Column("loses %", SHARE),
            Column("expected value %", VALUE),
        ),
    )
    rows = []
    for card in dossier.third_cards:
        one = card.analysis
        named = hand_named(one.state.side), one.state.player_points, one.state.banker_points
        figures = (
            _fine(one.probability, SHARE),
            one.wins,
            one.pushes,
            one.loses,
            _fine(one.expected_value, VALUE),
        )
        rows.append(Row((*named, card.player_third, one.odds, *figures), _meaning(one)))
    return table(columns, rows, "Insurance after the Player's third card, by the points of that card")


def _exact_cards(dossier: Dossier) -> Iterator[Block]:
    value = percentage(3, signed=True)
    columns = (
        *(*STATE_COLUMNS, Column("pays", ODDS), Column("worst cards"), Column("expected value %", value)),
        *(
            Column("best cards"),
            Column("expected value %", value),
            Column("these come %", SHARE),
        ),
        Column("some favour %", percentage(2)),
    )
    rows = [
        Row(
            (
                *(*_state(span.state), span.worst.analysis.odds),
                *(cards_in_words(span.worst.seen), _fine(span.worst.expected_value, value)),
                *(cards_in_words(span.best.seen), _fine(span.best.expected_value, value)),
                *(_fine(span.best.analysis.probability, SHARE), span.favourable),
            ),
            _meaning(span.best.analysis),
        )
        for span in dossier.ranges
    ]
    yield table(columns, rows, "The worst and the best exact cards of every insurance state")
    yield Paragraph(
        (
            *decks_figure(dossier.reference_decks),
            ". Cards: Player v Banker, a third card after +; K stands for any card worth 0; the order of a hand's first two cards does not matter. "
            "These come %: share of rounds with the best cards. Some favour %: share of the state with cards that favour the player.",
        )
    )


def _by_decks(dossier: Dossier) -> Iterator[Block]:
    kind = percentage(3, signed=True)
    by_decks = {shoe.decks: shoe.insurance for shoe in dossier.shoes}
    for numbers in across(list(by_decks)):
        columns = (
            *STATE_COLUMNS,
            Column("pays", ODDS),
            *(Column(decks_in_words(number), kind) for number in numbers),
        )
        rows = [
            (
                *(*_state(line[0].state), line[0].odds),
                *(
                    Figure(
                        one.expected_value,
                        telling(kind, one.expected_value),
                        after="*" if one.favours_player else "",
                    )
                    for one in line
                ),
            )
            for line in zip(*(by_decks[number] for number in numbers), strict=True)
        ]
        yield table(columns, rows, "Insurance by number of decks: expected value, % of the stake")
    yield Paragraph("* The state favours the player.")
