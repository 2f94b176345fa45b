"""What rows declare of their round beside its cards (who won, totals, pairs, who drew), held against the cards."""

from typing import TYPE_CHECKING

import numpy as np

from combinat.analysis.verdict import FaultKind
from combinat.audit.faults import Faults
from combinat.audit.log_map import DECLARED
from combinat.audit.noted import SHOWN, Noted, row_fault
from combinat.audit.rows import Rows
from combinat.base.errors import quoted
from combinat.montecarlo.cell import STOOD, CellFacts, Indices

if TYPE_CHECKING:
    import polars


def hold_declared(
    rows: Rows, kept: Indices, round_cells: Indices, tells_ranks: bool, noted: Noted, faults: Faults
) -> Indices:
    """The rows, of those kept, that declare otherwise than their cards; they are noted."""
    names = [
        name
        for name in DECLARED
        if name in rows.frame.columns and (tells_ranks or not name.endswith("_pair"))
    ]
    if not names or not len(kept):
        return kept[:0]
    truth = _facts(round_cells)
    messages: dict[int, list[str]] = {}
    for name in names:
        said = rows.frame[name].gather(kept)
        noted.declared += len(said) - said.null_count()
        places = (said != truth[name]).fill_null(False).arg_true().to_list()
        faults.add_declared(name, rows, kept[places].tolist())
        for place in places:
            messages.setdefault(place, []).append(
                f"{name} {quoted(said[place])}; the cards say {truth[name][place]}"
            )
    noted.misdeclared += len(messages)
    for place in sorted(messages)[: SHOWN - len(noted.first_misdeclared)]:
        noted.first_misdeclared.append(row_fault(rows, int(kept[place]), ", ".join(messages[place])))
    for place, said_of_it in messages.items():
        faults.add_row(rows, int(kept[place]), FaultKind.DECLARED, ", ".join(said_of_it))
    return kept[list(messages)]


def _facts(round_cells: Indices) -> dict[str, "polars.Series"]:
    """What the cards say of rounds, in the words in which it is declared."""
    import polars

    facts = CellFacts.of(round_cells)
    player, banker = (
        (first + third) % 10
        for first, third in ((facts.player, facts.player_third), (facts.banker, facts.banker_third))
    )
    pair = facts.pairing
    yes_no = np.array(["no", "yes"])
    return {
        name: polars.Series(name, values)
        for name, values in {
            "winner": np.array(["tie", "player", "banker"])[np.sign(player - banker)],
            "player_points": player.astype(str),
            "banker_points": banker.astype(str),
            "player_pair": yes_no[((pair == 1) | (pair >= 3)).astype(int)],
            "banker_pair": yes_no[(pair >= 2).astype(int)],
            "player_drew": yes_no[(facts.player_third != STOOD).astype(int)],
            "banker_drew": yes_no[(facts.banker_third != STOOD).astype(int)],
        }.items()
    }
