"""The faults of a log: a frame with one row per fault.

Faults are grouped by cause. The cause of an impossible deal is the rule of the Table of Play for its cell; of
a wrong settlement, the bet with the amounts paid and due per unit; of a declared result, its column; of an
unreadable row, the message without the values found. A situation is a case in which the fault could have
occurred: the number of situations shows whether a cause is systematic or intermittent.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from combinat.audit.reading.rows import RowBatch
from combinat.audit.verdict import FaultKind, FaultRow
from combinat.base.errors import quoted
from combinat.base.money import format_money
from combinat.montecarlo.cell import STOOD as STOOD_POINTS
from combinat.montecarlo.cell import CellFacts
from combinat.montecarlo.tally import Tallies
from combinat.rules.game import Game
from combinat.rules.table_of_play import STOOD, Hand

if TYPE_CHECKING:
    import polars

SHOWN = 10
"""Maximum number of rows shown for each kind of fault."""

HANDS = ("player_cards", "banker_cards")

_COLUMNS = tuple(one.name for one in fields(FaultRow))

_FOUND = re.compile(
    r'"[^"]*"(?=[;,: ]|$)|".*"|(?<=found )\d+|(?<=after )\d+|(?<=column )\d+|(?<=other cards: ).*|(?<=^round )\d+',
    re.DOTALL,
)
"""The parts of a message that belong to its row."""


def no_faults() -> "polars.DataFrame":
    """Return the frame of faults, empty."""
    import polars

    texts = dict.fromkeys(_COLUMNS, polars.String)
    return polars.DataFrame(
        schema={**texts, "line": polars.Int64, "total": polars.Int64, "situation": polars.String}
    )


def line_faults(lines: Sequence[tuple[int, str]]) -> "polars.DataFrame":
    """Return the faults of lines that cannot be read as rows."""
    messages = [quoted(why) for _, why in lines]
    return _faults(
        len(lines),
        {
            "line": [line for line, _ in lines],
            "kind": [FaultKind.UNREADABLE] * len(lines),
            "message": messages,
            "cause": [shape(message) for message in messages],
        },
    )


def row_faults(
    rows: RowBatch, kind: FaultKind, messages: Mapping[int, str], **columns: Sequence[object]
) -> "polars.DataFrame":
    """Return the faults of rows, a message for each. ``columns``: further columns of the frame, in row order.

    The default of ``cause`` is the message without the values found.
    """
    places = sorted(messages)
    if not places:
        return no_faults()
    frame = rows.frame[places]

    def texts_of(name: str) -> list[str]:
        return [quoted(text or "") for text in frame[name]] if name in frame.columns else [""] * len(places)

    hands = [[quoted(cards or "nothing") for cards in frame[name]] for name in HANDS]
    quotes = [quoted(messages[place]) for place in places]
    return _faults(
        len(places),
        {
            "line": rows.lines[places],
            "table": texts_of("table"),
            "shoe": texts_of("shoe"),
            "round": texts_of("id" if "id" in frame.columns else "round"),
            "cards": [f"Player {player}, Banker {banker}" for player, banker in zip(*hands, strict=True)],
            "kind": [kind] * len(places),
            "cause": [shape(message) for message in quotes],
            "message": quotes,
        }
        | columns,
    )


def _faults(count: int, columns: dict[str, Any]) -> "polars.DataFrame":
    """Return a frame of faults; missing text columns are empty."""
    import polars

    schema = no_faults().schema
    missing = {name: [None if kind == polars.Int64 else ""] * count for name, kind in schema.items()}
    return polars.DataFrame(missing | columns, schema=schema)


def fault_rows(faults: "polars.DataFrame") -> list[FaultRow]:
    """Return the faults of a frame as records, by line."""
    import polars

    listed = faults.sort("line", maintain_order=True).with_columns(
        polars.col("cause").str.replace(
            "{}", polars.col("total").cast(polars.String).fill_null(""), literal=True
        )
    )
    rows = listed.select(_COLUMNS).iter_rows(named=True)
    return [FaultRow(**{**row, "kind": FaultKind(row["kind"])}) for row in rows]


# ---------------------------------------------------------------- causes in words


class CellCause(NamedTuple):
    """The reason why a cell is impossible, with ``{}`` in place of the total.

    ``situation``: the situation in which the fault could have occurred.
    """

    text: str
    total: int | None
    clause: str
    situation: str


def cell_cause(game: Game, player: int, banker: int, player_third: int, banker_third: int) -> CellCause:
    """Return why the Table of Play cannot deal these totals and third cards (``STOOD``: no third card).

    >>> from combinat import load_game
    >>> cell_cause(load_game("commission-insurance-2013"), 5, 3, 0, STOOD)
    CellCause(text='Banker {} stood against a ten', total=3, clause='3.7', situation='banker 3 0')
    """
    table = game.table_of_play
    if player in table.natural or banker in table.natural:
        hand = Hand.PLAYER if player_third != STOOD else Hand.BANKER
        text = f"{hand.value.capitalize()} drew after a natural"
        return CellCause(text, None, game.table_clause, "natural")
    if table.player[player] != (player_third != STOOD):
        return CellCause(f"Player {{}} {_did(player_third)}", player, game.table_clause, f"player {player}")
    against = f" against {_third(player_third)}" if player_third != STOOD else " after Player stood"
    clause = game.table_clause if player_third != STOOD else game.stood_clause
    text = f"Banker {{}} {_did(banker_third)}{against}"
    return CellCause(text, banker, clause, f"banker {banker} {player_third}")


def cell_situations(game: Game, of_cells: Tallies) -> dict[str, int]:
    """Return how often each situation of the Table of Play arose, from the rows of each cell."""
    met = np.flatnonzero(of_cells)
    facts = CellFacts.of(met)
    counts = np.zeros((10, 10, STOOD_POINTS + 1), dtype=np.int64)
    np.add.at(counts, (facts.player, facts.banker, facts.player_third), of_cells[met])
    natural = sorted(game.table_of_play.natural)
    others = [total for total in range(10) if total not in natural]
    going_on = counts[np.ix_(others, others)]
    situations = {"natural": int(counts.sum() - going_on.sum())}
    for place, total in enumerate(others):
        situations[f"player {total}"] = int(going_on[place].sum())
        for third in range(counts.shape[2]):
            situations[f"banker {total} {third}"] = int(going_on[:, place, third].sum())
    return situations


def _did(third: int) -> str:
    return "stood" if third == STOOD else "drew"


def _third(points: int) -> str:
    return {0: "a ten", 1: "an ace", 8: "an 8"}.get(points, f"a {points}")


def ranges(totals: Iterable[int]) -> str:
    """Return totals in words, consecutive totals as a range.

    >>> ranges([3, 0, 1, 2]), ranges([5]), ranges([0, 1, 3, 5, 6])
    ('0 to 3', '5', '0 to 1, 3 and 5 to 6')
    """
    ordered = sorted(set(totals))
    starts = [ordered[0], *(after for before, after in pairwise(ordered) if after != before + 1)]
    ends = [*(before for before, after in pairwise(ordered) if after != before + 1), ordered[-1]]
    runs = [str(a) if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=True)]
    return runs[0] if len(runs) == 1 else f"{', '.join(runs[:-1])} and {runs[-1]}"


def shape(message: str) -> str:
    """Return a message without the values found in its row.

    >>> shape('round: found 5 after 7; give each round a higher one')
    'round: found ... after ...; give each round a higher one'
    >>> shape('Player Hand: card "X" does not exist; write one of A 2')
    'Player Hand: card ... does not exist; write one of A 2'
    """
    return _FOUND.sub("...", message)


def paid_in_words(net: Fraction) -> str:
    """Return the net result of a unit, in words.

    >>> [paid_in_words(net) for net in (Fraction(-1), Fraction(0), Fraction(19, 20), Fraction(-1, 2))]
    ['lost', 'returned', 'paid 0.95 to 1', 'net -0.5']
    """
    if net in (-1, 0):
        return "lost" if net else "returned"
    return f"paid {_decimal(net)} to 1" if net > 0 else f"net {_decimal(net)}"


def due_in_words(net: Fraction | None) -> str:
    """Return the net result due on a unit, in words. ``net`` is None if no bet was on offer.

    >>> [due_in_words(net) for net in (Fraction(-1), Fraction(0), Fraction(19, 20), None)]
    ['to be lost', 'to be returned', 'due 0.95 to 1', 'not on offer']
    """
    if net is None:
        return "not on offer"
    return f"to be {paid_in_words(net)}" if net in (-1, 0) else f"due {_decimal(net)} to 1"


def _decimal(value: Fraction) -> str:
    """Return a ratio as a decimal if that is short, otherwise as a fraction."""
    return format_money(value) if 10**9 % value.denominator == 0 else str(value)
