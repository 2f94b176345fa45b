"""The counts of a simulator or a hand log, and the counts file: JSON with one entry per line."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
import numpy as np

from combinat.montecarlo.cell import PAIRINGS, STOOD, CellFacts, Pairing
from combinat.montecarlo.partition import NOT_OFFERED
from combinat.montecarlo.tally import FIRST_CARDS, Tally, unit
from combinat.rules.cards import RANKS
from combinat.rules.insurance import State
from combinat.rules.shoe import Shoe

SCHEMA = "combinat/counts/1"
COLUMNS = ("player", "player_third", "banker", "banker_third", "pairs", "rounds")


class Dealing(StrEnum):
    """The dealing of a file: independent rounds or whole shoes."""

    INDEPENDENT = "independent"  # a fresh shuffle for every round
    SHOES = "shoes"  # whole shoes, many rounds from each

    @property
    def in_words(self) -> str:
        """The way of dealing, as a phrase."""
        return (
            "a fresh shuffle for every round" if self is Dealing.INDEPENDENT else "many rounds from each shoe"
        )


class Times(NamedTuple):
    """The number of rounds with an event; for whole shoes, also the sum over shoes of the squared counts."""

    rounds: int
    squares: int | None = None


class JointCell(NamedTuple):
    """A round by points and pairs: totals of the first two cards, points of the third cards (None: stood)."""

    player: int
    player_third: int | None
    banker: int
    banker_third: int | None
    pairs: Pairing

    @property
    def in_words(self) -> str:
        """The cell in words, as a round."""

        def hand(name: str, points: int, third: int | None) -> str:
            return f"{name} {points} and " + ("stands" if third is None else f"draws {third}")

        pairs = {"none": "", "both": ", a pair in both", "twin": ", the same pair in both"}
        more = pairs.get(self.pairs, f", a {self.pairs.capitalize()} pair")
        player = hand("Player", self.player, self.player_third)
        return f"{player}, {hand('Banker', self.banker, self.banker_third)}{more}"


@dataclass(frozen=True, kw_only=True)
class Observed:
    """Tallies of rounds. Parts that a file does not have are empty.

    For whole shoes, ``shoes`` is their number, with the same number of rounds counted in each;
    ``net_squares`` holds for each bet the sum over shoes of its squared net result in the shoe. ``repeats``:
    the number of pairs of consecutive rounds, and the number of these pairs whose rounds fell into the same
    cell.
    """

    game_id: str
    rule_book_sha256: str | None
    shoe: Shoe
    rounds: int
    dealing: Dealing
    bets: Mapping[str, Mapping[Fraction, Times]]
    insurance: Mapping[State, Mapping[Fraction, Times]] = field(default_factory=dict)
    net_squares: Mapping[str, Fraction] = field(default_factory=dict)
    cells: Mapping[JointCell, Times] = field(default_factory=dict)
    cards: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    repeats: tuple[int, int] | None = None
    shoes: int | None = None
    made_by: Mapping[str, str] = field(default_factory=dict)


def observed(
    tally: Tally,
    game_id: str,
    shoe: Shoe,
    dealing: Dealing,
    *,
    rule_book_sha256: str | None = None,
    made_by: Mapping[str, str] | None = None,
) -> Observed:
    """Return the counts of a tally."""
    bets: dict[str, dict[Fraction, Times]] = {}
    insurance: dict[State, dict[Fraction, Times]] = {}
    net_squares: dict[str, Fraction] = {}
    for partition in tally.partitions:
        subject, counts = partition.subject, tally.counts(partition).tolist()
        squares = tally.squares[subject].tolist() if tally.shoes else [None] * len(counts)
        for label, *times in zip(partition.labels, counts, squares, strict=True):
            if isinstance(label, tuple):
                insurance.setdefault(label[0], {})[label[1]] = Times(*times)
            elif label != NOT_OFFERED:
                bets.setdefault(subject, {})[Fraction(label)] = Times(*times)
        if tally.shoes and subject in bets:
            net_squares[subject] = Fraction(tally.net_squares[subject], unit(partition) ** 2)
    return Observed(
        game_id=game_id,
        rule_book_sha256=rule_book_sha256,
        shoe=shoe,
        rounds=tally.rounds,
        dealing=dealing,
        bets={bet: dict(sorted(results.items())) for bet, results in bets.items()},
        insurance=insurance,
        net_squares=net_squares,
        cells=_cells(tally),
        cards={slot: tuple(row) for slot, row in zip(FIRST_CARDS, tally.cards.tolist(), strict=True)},
        repeats=(tally.neighbours, tally.repeats) if dealing is Dealing.INDEPENDENT else None,
        shoes=tally.shoes or None,
        made_by=made_by or {},
    )


def _cells(tally: Tally) -> dict[JointCell, Times]:
    """Return the listed cells that occurred."""
    listed = tally.listed
    occupied = np.flatnonzero(listed)
    facts = CellFacts.of(occupied * len(PAIRINGS))
    rows = zip(
        facts.player.tolist(),
        facts.player_third.tolist(),
        facts.banker.tolist(),
        facts.banker_third.tolist(),
        facts.pairing.tolist(),
        listed[occupied].tolist(),
        tally.cell_squares[occupied].tolist() if tally.shoes else [None] * len(occupied),
        strict=True,
    )
    return {
        JointCell(
            player,
            None if player_third == STOOD else player_third,
            banker,
            None if banker_third == STOOD else banker_third,
            PAIRINGS[pairs],
        ): Times(rounds, squares)
        for player, player_third, banker, banker_third, pairs, rounds, squares in rows
    }


# ---------------------------------------------------------------- the file


def counts_json(counted: Observed) -> str:
    """Return the text of a counts file."""
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
    lines += [f'  "{key}": {_json_list(entries, 4)}' for key, entries in lists.items()]
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
            f'  "cells": {{\n    "columns": {json.dumps(columns)},\n    "rows": {_json_list(rows, 6)}\n  }}'
        )
    return "{\n" + ",\n".join(lines) + "\n}"


def _results(results: Mapping[Fraction, Times]) -> list[dict[str, Any]]:
    return [
        {"net": str(net)} | {key: value for key, value in times._asdict().items() if value is not None}
        for net, times in results.items()
    ]


def _json_list(entries: Iterable[Any], indent: int) -> str:
    """Return a JSON list with one entry per line."""
    lines = [" " * indent + json.dumps(entry) for entry in entries]
    return "[\n" + ",\n".join(lines) + "\n" + " " * (indent - 2) + "]" if lines else "[]"
