"""A settlement, as people and programs read it."""

from typing import Any, NamedTuple

from msgspec.structs import replace

from combinat.base.kinds import CARDS, MONEY, TEXT, Kind, Sort
from combinat.base.relation import Document, Field, Many
from combinat.render.blocks import Block, Paragraph, Row, Table
from combinat.report.game_fields import GAME
from combinat.report.relation_tables import view_table
from combinat.rules.cards import format_cards
from combinat.rules.game import Game
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand
from combinat.table.settlement import STAKE_LINES, Settlement

NET = Kind(Sort.MONEY, signed=True)


def settlement_blocks(settlement: Settlement) -> tuple[Block, ...]:
    """The round and what happened in it, then a line for every stake, and their total."""
    head = [Paragraph(round_in_words(settlement.round))]
    if (happened := settlement.procedure) is not None:
        head.append(Paragraph(f"{happened.id} ({happened.cited}): {happened.when} So {settlement.effect}."))
    return *head, settlement_table(settlement)


def settlement_table(settlement: Settlement) -> Table:
    """A line for every stake, and their total."""
    total = ("total", settlement.staked, "", "", "", settlement.net, "", "")
    return _without_conditions(settlement, view_table(STAKE_LINES, settlement.lines, "stakes", total=total))


def every_bet_blocks(settlement: Settlement) -> tuple[Block, ...]:
    """The round and what happened in it, then the result of a unit on every bet."""
    *head, _ = settlement_blocks(settlement)
    return *head, _without_conditions(settlement, view_table(STAKE_LINES, settlement.lines, "unit"))


def _without_conditions(settlement: Settlement, made: Table) -> Table:
    """The table without its last column, the conditions, unless a line has one."""
    if any(line.condition for line in settlement.lines):
        return made
    rows = tuple(Row(row.cells[:-1], row.meaning) for row in made.rows)
    return replace(made, columns=made.columns[:-1], rows=rows)


def round_in_words(dealt: Round) -> str:
    """Both hands with their points, in a sentence."""
    if not dealt.player or not dealt.banker:
        return f"{dealt}."
    player, banker = dealt.points(Hand.PLAYER), dealt.points(Hand.BANKER)
    return (
        f"Player {format_cards(dealt.player)} ({player} points), "
        f"Banker {format_cards(dealt.banker)} ({banker} points)."
    )


class Settled(NamedTuple):
    """A settlement with its game; ``is_of_units``: every stake is a unit, and nothing is added up."""

    game: Game
    made: Settlement
    is_of_units: bool = False


SETTLE: Document[Settled] = Document(
    "combinat/settle/1",
    "A finished round, settled: combinat settle.",
    *GAME.part(lambda row: row.game),
    Field("player", "Player", CARDS, "The Player Hand.", lambda row: row.made.round.player),
    Field("banker", "Banker", CARDS, "The Banker Hand.", lambda row: row.made.round.banker),
    Field(
        *("procedure", "procedure", TEXT, "The procedure applied."),
        lambda row: row.made.procedure.id if row.made.procedure else None,
        may_be_none=True,
    ),
    Field("lines", "lines", Many(STAKE_LINES), "Every stake.", lambda row: row.made.lines),
    Field("staked", "staked", MONEY, "All stakes.", lambda row: None if row.is_of_units else row.made.staked, may_be_none=True),
    Field("net", "net", MONEY, "All results.", lambda row: None if row.is_of_units else row.made.net, may_be_none=True),
)  # fmt: skip


def every_bet_json(game: Game, settlement: Settlement) -> dict[str, Any]:
    """The same document; every stake is a unit, and nothing is added up."""
    return SETTLE.object(Settled(game, settlement, is_of_units=True))


def settlement_json(game: Game, settlement: Settlement) -> dict[str, Any]:
    """The settlement as a document."""
    return SETTLE.object(Settled(game, settlement))
