"""The counts file as it is written: JSON, an entry a line, so that it can be read and compared."""

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from combinat.montecarlo.dealing import Dealing
from combinat.montecarlo.observed import Observed, Times
from combinat.rules.cards import RANKS

SCHEMA = "combinat/counts/1"
COLUMNS = ("player", "player_third", "banker", "banker_third", "pairs", "rounds")


def counts_json(counted: Observed) -> str:
    """The text of a counts file."""
    whole = counted.dealing is Dealing.SHOES
    head = {
        "schema": SCHEMA,
        "game": counted.game_id,
        "rule_book_sha256": counted.rule_book_sha256,
        "made_by": dict(counted.made_by),
        "shoe": {
            "size": counted.shoe.size,
            "cards": dict(zip(RANKS, counted.shoe.counts, strict=True)),
        },
        "rounds": counted.rounds,
        "dealing": counted.dealing,
        "shoes": {"dealt": counted.shoes, "rounds_each": counted.rounds // (counted.shoes or 1)}
        if whole
        else None,
        "repeats": {"neighbours": counted.repeats[0], "same": counted.repeats[1]}
        if counted.repeats
        else None,
    }
    lists: dict[str, list[Any]] = {
        "bets": [
            {"id": bet, "results": _results(results)}
            | ({"net_squares": str(counted.net_squares[bet])} if whole else {})
            for bet, results in counted.bets.items()
        ],
        "insurance": [
            {**msgspec.structs.asdict(state), "offered": sum(times.rounds for times in results.values())}
            | {"results": _results(results)}
            for state, results in counted.insurance.items()
        ],
    }
    lines = [f'  "{key}": {json.dumps(value)}' for key, value in head.items() if value is not None]
    lines += [f'  "{key}": {_listed(entries, 4)}' for key, entries in lists.items()]
    cards = [
        f'    "{slot}": {json.dumps(dict(zip(RANKS, row, strict=True)))}'
        for slot, row in counted.cards.items()
    ]
    if cards:
        lines.append('  "cards": {\n' + ",\n".join(cards) + "\n  }")
    if counted.cells:
        columns = [*COLUMNS, "squares"] if whole else list(COLUMNS)
        rows = [
            [*cell, times.rounds, *([times.squares] if whole else [])]
            for cell, times in counted.cells.items()
        ]
        lines.append(
            f'  "cells": {{\n    "columns": {json.dumps(columns)},\n    "rows": {_listed(rows, 6)}\n  }}'
        )
    return "{\n" + ",\n".join(lines) + "\n}"


def _results(results: Mapping[Fraction, Times]) -> list[dict[str, Any]]:
    return [
        {"net": str(net)} | {key: value for key, value in times._asdict().items() if value is not None}
        for net, times in results.items()
    ]


def _listed(entries: Iterable[Any], indent: int) -> str:
    """A JSON list with an entry a line."""
    lines = [" " * indent + json.dumps(entry) for entry in entries]
    return "[\n" + ",\n".join(lines) + "\n" + " " * (indent - 2) + "]" if lines else "[]"
