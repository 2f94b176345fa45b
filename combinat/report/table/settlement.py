"""The documents of a settlement."""

from msgspec.structs import replace

from combinat.base.kinds import CARDS, MONEY, TEXT, Kind, Sort
from combinat.base.relation import Document, Field, Many
from combinat.render.blocks import Block, Paragraph, Row
from combinat.report.provisos import GAME
from combinat.report.relation_tables import view_table
from combinat.rules.cards import format_cards
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand
from combinat.table.settlement import STAKE_LINES, Settlement

NET = Kind(Sort.MONEY, signed=True)


def settlement_blocks(settlement: Settlement) -> tuple[Block, ...]:
    """Return the round, the procedure applied, and a table of the stakes with their total, if stakes were placed."""
    head = [Paragraph(round_in_words(settlement.round))]
    if (why := settlement.procedure) is not None:
        effect = settlement.game.effect_in_words(why)
        head.append(Paragraph(f"{why.id} ({why.cited}): {why.when} So {effect}."))
    total = () if settlement.is_of_units else ("total", settlement.staked, "", "", "", settlement.net, "", "")
    view = "unit" if settlement.is_of_units else "stakes"
    made = view_table(STAKE_LINES, settlement.lines, view, total=total)
    if not any(line.condition for line in settlement.lines):  # the last column, of conditions, is empty
        rows = tuple(Row(row.cells[:-1], row.meaning) for row in made.rows)
        made = replace(made, columns=made.columns[:-1], rows=rows)
    return *head, made


def round_in_words(dealt: Round) -> str:
    """Return both hands with their points, in a sentence."""
    if not dealt.player or not dealt.banker:
        return f"{dealt}."
    player, banker = dealt.points(Hand.PLAYER), dealt.points(Hand.BANKER)
    return (
        f"Player {format_cards(dealt.player)} ({player} points), "
        f"Banker {format_cards(dealt.banker)} ({banker} points)."
    )


SETTLE: Document[Settlement] = Document(
    "combinat/settle/1",
    "A finished round, settled: combinat settle.",
    *GAME.part(lambda row: row.game),
    Field("player", "Player", CARDS, "The Player Hand.", lambda row: row.round.player),
    Field("banker", "Banker", CARDS, "The Banker Hand.", lambda row: row.round.banker),
    Field(
        *("procedure", "procedure", TEXT, "The procedure applied."),
        lambda row: row.procedure.id if row.procedure else None,
        may_be_none=True,
    ),
    Field("lines", "lines", Many(STAKE_LINES), "Every stake."),
    Field("staked", "staked", MONEY, "All stakes.", lambda row: None if row.is_of_units else row.staked, may_be_none=True),
    Field("net", "net", MONEY, "All results.", lambda row: None if row.is_of_units else row.net, may_be_none=True),
)  # fmt: skip
