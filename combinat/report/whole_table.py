"""A whole table, as people and as programs read it."""

from collections.abc import Mapping, Sequence
from typing import Any

from combinat.base.kinds import CLAUSE, COUNT, MONEY, ODDS
from combinat.base.number import exact
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
    Words,
    table,
)
from combinat.report.provisos import provisos_json
from combinat.report.settlement import NET, round_in_words
from combinat.rules.game import Game
from combinat.rules.house_rules import DifferentialOf
from combinat.rules.table_of_play import Hand
from combinat.table.differential import Acceptance, Differential, StakeShare
from combinat.table.gaming_table import Chips, DisplayedLimits, GamingTable
from combinat.table.table_settlement import LimitedTable, TableSettlement


def table_document(game: Game, state: LimitedTable) -> Section:
    """What the limits make of the table, and every player's result and the House's where the cards are known."""
    blocks: list[Block] = [Terms(_said(game, state.table))]
    if state.placed:
        blocks.append(Section("Differential", (differential_table(state),)))
    if state.table.is_closed:
        blocks.append(Section("What wins or loses", (shares_table(state.shares),)))
    else:
        blocks.append(Section("Before the bets are closed", _before(state)))
    if state.settlement is not None:
        blocks += _results(state, state.settlement)
    return Section(game.name, tuple(blocks))


def _said(game: Game, shown: GamingTable) -> dict[str, Words]:
    said: dict[str, Words] = {
        "Layout": f"{shown.layout} ({game.layout(shown.layout).clause})",
        "Bets": "closed" if shown.is_closed else "not yet closed",
    }
    limits, practice = game.table_limits, game.practice
    if limits is None:
        said["Limits"] = f"{game.id} states none: every bet stands as it was placed"
    else:
        said["Limits"] = (*_limits(shown.limits), f" ({limits.clauses.displayed})")
        of_table = practice.differential is DifferentialOf.TABLE
        rests_on = limits.clauses.differential if of_table else limits.clauses.excess
        said["Differential"] = f"{practice.differential.in_words} ({rests_on})"
        said["Minimum"] = f"for {practice.minimum_of.in_words} ({limits.clauses.raised})"
        if shown.is_closed:
            said["Pro rata"] = f"{practice.pro_rata.in_words} ({limits.clauses.pro_rata})"
            said["A bet under the minimum"] = (
                f"suspends the pro rata for {practice.under_minimum.in_words} ({limits.clauses.under_minimum})"
            )
    said["Chips"] = _chips(shown.chips)
    return said


def _limits(displayed: DisplayedLimits) -> tuple[str | Figure, ...]:
    words: list[str | Figure] = [
        Figure(displayed.minimum, MONEY, before="minimum "),
        Figure(displayed.maximum_differential, MONEY, before=", maximum Differential "),
    ]
    if displayed.maximum is not None:
        words.append(Figure(displayed.maximum, MONEY, before=", maximum of a bet on a hand "))
    for bet, limits in displayed.bets.items():
        words.append(f"; {bet}")
        if limits.minimum is not None:
            words.append(Figure(limits.minimum, MONEY, before=" from "))
        if limits.maximum is not None:
            words.append(Figure(limits.maximum, MONEY, before=" to "))
    return tuple(words)


def _chips(chips: Chips | None) -> Words:
    if chips is None:
        return "nothing is rounded"
    return Figure(
        chips.smallest, MONEY, before="of ", after=f" at least; amounts are rounded {chips.rounding.in_words}"
    )


def differential_table(state: LimitedTable) -> Table:
    """What is bet on each hand, as placed and as the limits leave it, and how much more each hand would take."""
    columns = (
        Column("of"),
        Column("bets"),
        Column("Banker", MONEY),
        Column("Player", MONEY),
        Column("Differential", MONEY),
        Column("over", MONEY),
        Column("room Banker", MONEY),
        Column("room Player", MONEY),
    )
    left = "at stake" if state.table.is_closed else "taken"
    rows = [
        _differential(one, bets)
        for both in zip(state.placed, state.left, strict=True)
        for one, bets in zip(both, ("placed", left), strict=True)
    ]
    return table(columns, rows)


def _differential(one: Differential, bets: str) -> tuple[Cell, ...]:
    of = "table" if one.box is None else f"box {one.box}"
    rooms = one.room(Hand.BANKER), one.room(Hand.PLAYER)
    return of, bets, one.banker, one.player, one.difference, one.excess, *rooms


WHO = (Column("box", COUNT), Column("player"), Column("place"), Column("bet"))


def _before(state: LimitedTable) -> tuple[Block, ...]:
    columns = (
        *WHO,
        Column("placed", MONEY),
        Column("taken", MONEY),
        Column("rejected", MONEY),
        Column("to do"),
        Column("clause", CLAUSE),
    )
    rows = [
        (
            one.wager.bettor.box,
            one.wager.bettor.name,
            one.wager.bettor.place,
            one.wager.bet,
            one.wager.staked,
            one.accepted,
            one.rejected,
            _to_do(one),
            ", ".join(one.clauses),
        )
        for one in state.acceptances
    ]
    return (table(columns, rows),)


def _to_do(one: Acceptance) -> Cell:
    """The dealer's instruction to the player."""
    if not one.accepted:
        return ("take it back",)
    if one.short and one.can_raise:
        return Figure(one.short, MONEY, before="raise by "), " or withdraw"
    if one.short:
        return Figure(one.short, MONEY, before="withdraw: no room for the "), " to the minimum"
    return ("take back the excess",) if one.rejected else ("stands",)


def shares_table(shares: Sequence[StakeShare]) -> Table:
    """What of every stake wins or loses, and what comes back whatever the cards."""
    columns = (
        *WHO,
        Column("placed", MONEY),
        Column("share", MONEY),
        Column("at stake", MONEY),
        Column("back", MONEY),
        Column("why"),
        Column("clause", CLAUSE),
    )
    rows = [
        (
            share.wager.bettor.box,
            share.wager.bettor.name,
            share.wager.bettor.place,
            share.wager.bet,
            share.wager.staked,
            share.exact,
            share.at_stake,
            share.returned,
            share.why.in_words,
            share.clause,
        )
        for share in shares
    ]
    return table(columns, rows)


def _results(state: LimitedTable, settlement: TableSettlement) -> tuple[Block, ...]:
    rounded = state.table.chips is not None
    return (
        Section(
            "Results", (Paragraph(round_in_words(settlement.round)), _lines(settlement, rounded=rounded))
        ),
        Section("Players", (_players(settlement),)),
        Section("The House", (_house(settlement), *(_rounded(settlement) if rounded else ()))),
    )


def _rounded(settlement: TableSettlement) -> tuple[Block, ...]:
    """In whose favour whole chips have turned out in this round."""
    favour = settlement.house_rounding
    whose = (
        "in nobody's favour"
        if not favour
        else "in the House's favour"
        if favour > 0
        else "in the players' favour"
    )
    return (Terms({"By rounding to whole chips": Figure(favour, NET, after=f", {whose}")}),)


def _lines(settlement: TableSettlement, *, rounded: bool) -> Table:
    columns = (
        Column("box", COUNT),
        Column("player"),
        Column("bet"),
        Column("at stake", MONEY),
        Column("outcome"),
        Column("odds", ODDS),
        Column("net", NET),
        *((Column("by rounding", NET),) if rounded else ()),
        Column("clause", CLAUSE),
    )
    rows = [
        (
            bettor.box,
            bettor.name,
            line.name,
            line.stake,
            line.outcome,
            line.odds,
            line.net,
            *((line.rounding,) if rounded else ()),
            line.clause,
        )
        for bettor, line in settlement.lines
    ]
    return table(columns, rows)


def _players(settlement: TableSettlement) -> Table:
    columns = (Column("box", COUNT), Column("player"), Column("place"), Column("net", NET))
    rows = [(bettor.box, bettor.name, bettor.place, own.net) for bettor, own in settlement.players]
    return table(columns, rows)


def _house(settlement: TableSettlement) -> Table:
    rows: list[Row] = [Row((bet, net)) for bet, net in settlement.by_bet.items()]
    total = Row(("total", settlement.house), Meaning.TOTAL)
    return table((Column("bet"), Column("the House", NET)), [*rows, total])


def other_readings(state: LimitedTable, others: Mapping[str, LimitedTable]) -> Section:
    """The result of the table under each other reading of the clauses on its limits."""
    columns = (
        Column("read otherwise"),
        Column("Banker", MONEY),
        Column("Player", MONEY),
        Column("the House", NET),
    )
    rows = [_other("nothing", state), *(_other(entry, other) for entry, other in others.items())]
    return Section(
        "Other readings: what is at stake on the hands, and the House's result", (table(columns, rows),)
    )


def _other(entry: str, state: LimitedTable) -> tuple[Cell, ...]:
    house = None if state.settlement is None else state.settlement.house
    return entry, state.on(Hand.BANKER), state.on(Hand.PLAYER), house


# ---------------------------------------------------------------- JSON


def table_json(game: Game, state: LimitedTable) -> dict[str, Any]:
    """The table under the schema ``combinat/table/1``."""
    shown, limits = state.table, game.table_limits
    return {
        "schema": "combinat/table/1",
        "game": game.id,
        **provisos_json(game),
        "layout": shown.layout,
        "closed": shown.is_closed,
        "rules": None
        if limits is None
        else {
            "differential": game.practice.differential,
            "pro_rata": game.practice.pro_rata,
            "under_minimum": game.practice.under_minimum,
            "minimum_of": game.practice.minimum_of,
        },
        "limits": _limits_json(shown.limits),
        "chips": None
        if shown.chips is None
        else {"smallest": str(shown.chips.smallest), "round": shown.chips.rounding},
        "differentials": [
            {"placed": _differential_json(placed), "left": _differential_json(left)}
            for placed, left in zip(state.placed, state.left, strict=True)
        ],
        "bets": [
            *(_acceptance_json(one) for one in state.acceptances),
            *(_share_json(share) for share in state.shares),
        ],
        "settlement": None if state.settlement is None else _settlement_json(state.settlement),
    }


def other_readings_json(others: Mapping[str, LimitedTable]) -> list[dict[str, Any]]:
    """The result of the table under each other reading, for the key ``interpretations``."""
    return [
        {
            "id": entry,
            "at_stake": {hand.value: str(state.on(hand)) for hand in Hand},
            "house": None if state.settlement is None else str(state.settlement.house),
        }
        for entry, state in others.items()
    ]


def _limits_json(displayed: DisplayedLimits) -> dict[str, Any]:
    return {
        "minimum": exact(displayed.minimum),
        "maximum": exact(displayed.maximum),
        "maximum_differential": exact(displayed.maximum_differential),
        "bets": {
            bet: {"minimum": exact(limits.minimum), "maximum": exact(limits.maximum)}
            for bet, limits in displayed.bets.items()
        },
    }


def _differential_json(one: Differential) -> dict[str, Any]:
    return {
        "box": one.box,
        "banker": str(one.banker),
        "player": str(one.player),
        "differential": str(one.difference),
        "maximum": str(one.maximum),
        "over": str(one.excess),
        "heavier": one.heavier,
        "room": {hand.value: str(one.room(hand)) for hand in Hand},
    }


def _who_json(one: Acceptance | StakeShare) -> dict[str, Any]:
    wager = one.wager
    return {
        "box": wager.bettor.box,
        "player": wager.bettor.name,
        "place": wager.bettor.place,
        "bet": wager.bet,
        "placed": str(wager.staked),
    }


def _acceptance_json(one: Acceptance) -> dict[str, Any]:
    return {
        **_who_json(one),
        "taken": str(one.accepted),
        "rejected": str(one.rejected),
        "over_maximum": str(one.over_maximum),
        "over_differential": str(one.over_differential),
        "short_of_minimum": str(one.short),
        "can_raise": one.can_raise if one.short else None,
        "clauses": list(one.clauses),
    }


def _share_json(share: StakeShare) -> dict[str, Any]:
    return {
        **_who_json(share),
        "share": str(share.exact),
        "at_stake": str(share.at_stake),
        "returned": str(share.returned),
        "why": share.why,
        "clause": share.clause or None,
    }


def _settlement_json(settlement: TableSettlement) -> dict[str, Any]:
    return {
        "player": list(settlement.round.player),
        "banker": list(settlement.round.banker),
        "lines": [
            {
                "box": bettor.box,
                "player": bettor.name,
                "id": line.id,
                "at_stake": str(line.stake),
                "outcome": line.outcome,
                "odds": line.odds or None,
                "result": line.result,
                "net": str(line.net),
                "by_rounding": str(line.rounding),
                "clause": line.clause,
            }
            for bettor, line in settlement.lines
        ],
        "players": [
            {
                "box": bettor.box,
                "player": bettor.name,
                "place": bettor.place,
                "net": str(own.net),
            }
            for bettor, own in settlement.players
        ],
        "house": {
            "bets": {bet: str(net) for bet, net in settlement.by_bet.items()},
            "net": str(settlement.house),
            "by_rounding": str(settlement.house_rounding),
        },
    }
