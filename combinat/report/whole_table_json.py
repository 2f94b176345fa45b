"""A whole table, as programs read it."""

from collections.abc import Mapping
from typing import Any

from combinat.base.number import exact
from combinat.report.provisos import provisos_json
from combinat.rules.game import Game
from combinat.rules.table_of_play import Hand
from combinat.table.differential import Acceptance, Differential, Share
from combinat.table.gaming_table import Displayed
from combinat.table.table_settlement import TableSettlement, TableState


def table_json(game: Game, state: TableState) -> dict[str, Any]:
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
        "limits": _limits_json(shown.displayed),
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
        "settlement": None if state.settlement is None else _settlement_json(state, state.settlement),
    }


def other_readings_json(others: Mapping[str, TableState]) -> list[dict[str, Any]]:
    """What the table would come to under each other reading, for the key ``interpretations``."""
    return [
        {
            "id": entry,
            "at_stake": {hand.value: str(state.on(hand)) for hand in Hand},
            "house": None if state.settlement is None else str(state.settlement.house),
        }
        for entry, state in others.items()
    ]


def _limits_json(displayed: Displayed) -> dict[str, Any]:
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


def _who_json(one: Acceptance | Share) -> dict[str, Any]:
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


def _share_json(share: Share) -> dict[str, Any]:
    return {
        **_who_json(share),
        "share": str(share.exact),
        "at_stake": str(share.at_stake),
        "returned": str(share.returned),
        "why": share.why,
        "clause": share.clause or None,
    }


def _settlement_json(state: TableState, settlement: TableSettlement) -> dict[str, Any]:
    return {
        "player": list(settlement.round.player),
        "banker": list(settlement.round.banker),
        "lines": [
            {
                "box": one.bettor.box,
                "player": one.bettor.name,
                "id": one.line.id,
                "at_stake": str(one.line.stake),
                "outcome": one.line.outcome,
                "odds": one.line.odds or None,
                "result": one.line.result,
                "net": str(one.line.net),
                "by_rounding": str(one.rounding),
                "clause": one.line.clause,
            }
            for one in settlement.lines
        ],
        "players": [
            {
                "box": bettor.box,
                "player": bettor.name,
                "place": bettor.place,
                "net": str(settlement.of(bettor)),
            }
            for bettor in state.table.bettors
        ],
        "house": {
            "bets": {bet: str(net) for bet, net in settlement.by_bet.items()},
            "net": str(settlement.house),
            "by_rounding": str(settlement.house_rounding),
        },
    }
