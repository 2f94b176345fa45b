"""A settlement, as people and programs read it."""

from typing import Any

from combinat.base.kinds import CLAUSE, MONEY, ODDS, Kind, Sort
from combinat.render.blocks import Block, Column, Meaning, Paragraph, Row, Table, table
from combinat.rules.cards import format_cards
from combinat.rules.game import Game
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand
from combinat.table.settlement import Settlement

NET = Kind(Sort.MONEY, signed=True)


def settlement_blocks(settlement: Settlement) -> tuple[Block, ...]:
    """The round and what happened in it, then a line for every stake, and their total."""
    head = [Paragraph(round_in_words(settlement.round))]
    if (happened := settlement.procedure) is not None:
        head.append(Paragraph(f"{happened.id} ({happened.cited}): {happened.when} So {settlement.effect}."))
    return *head, settlement_table(settlement)


def settlement_table(settlement: Settlement) -> Table:
    """A line for every stake, and their total."""
    with_condition = any(line.condition for line in settlement.lines)
    columns = (
        Column("bet"),
        Column("stake", MONEY),
        Column("outcome"),
        Column("odds", ODDS),
        Column("result"),
        Column("net", NET),
        Column("clause", CLAUSE),
        *((Column("holds if"),) if with_condition else ()),
    )
    rows = [
        (
            *(line.name, line.stake, line.outcome, line.odds, line.result, line.net, line.clause),
            *((line.condition,) if with_condition else ()),
        )
        for line in settlement.lines
    ]
    total = ("total", settlement.staked, "", "", "", settlement.net, "", *(("",) if with_condition else ()))
    return table(columns, [*rows, Row(total, Meaning.TOTAL)])


def every_bet_blocks(settlement: Settlement) -> tuple[Block, ...]:
    """The round and what happened in it, then the result of a unit on every bet."""
    *head, _ = settlement_blocks(settlement)
    with_condition = any(line.condition for line in settlement.lines)
    columns = (
        Column("bet"),
        Column("outcome"),
        Column("odds", ODDS),
        Column("result"),
        Column("net per unit", NET),
        Column("clause", CLAUSE),
        *((Column("holds if"),) if with_condition else ()),
    )
    rows = [
        (
            *(line.id, line.outcome, line.odds, line.result, line.net, line.clause),
            *((line.condition,) if with_condition else ()),
        )
        for line in settlement.lines
    ]
    return *head, table(columns, rows)


def round_in_words(dealt: Round) -> str:
    """Both hands with their points, in a sentence."""
    if not dealt.player or not dealt.banker:
        return f"{dealt}."
    player, banker = dealt.points(Hand.PLAYER), dealt.points(Hand.BANKER)
    return (
        f"Player {format_cards(dealt.player)} ({player} points), "
        f"Banker {format_cards(dealt.banker)} ({banker} points)."
    )


def every_bet_json(game: Game, settlement: Settlement) -> dict[str, Any]:
    """The same under the schema of a settlement; every stake is a unit, and nothing is added up."""
    return settlement_json(game, settlement) | {"staked": None, "net": None}


def settlement_json(game: Game, settlement: Settlement) -> dict[str, Any]:
    """The settlement under the schema ``combinat/settle/1``."""
    return {
        "schema": "combinat/settle/1",
        "game": game.id,
        "player": list(settlement.round.player),
        "banker": list(settlement.round.banker),
        "procedure": settlement.procedure.id if settlement.procedure else None,
        "lines": [
            {
                "id": line.id,
                "name": line.name,
                "stake": str(line.stake),
                "outcome": line.outcome,
                "odds": line.odds or None,
                "result": line.result,
                "net": str(line.net),
                "clause": line.clause,
                "condition": line.condition or None,
            }
            for line in settlement.lines
        ],
        "staked": str(settlement.staked),
        "net": str(settlement.net),
    }
