"""The trace from clause to model: every clause with its uses, or the reason why it has no effect."""

from collections.abc import Sequence

from combinat.certify.dossier import Dossier
from combinat.render.blocks import Section, annex
from combinat.report.filing.register import numbers
from combinat.report.phrases import bet_names, in_words_of_id
from combinat.report.rules.clauses import trace_blocks
from combinat.report.rules.rulebook import layouts_table
from combinat.rules.game import Game


def trace_annex(dossier: Dossier, game: Game) -> Section:
    """Return the clause trace with the names of the report, and the layouts."""
    names, entries = bet_names(game), numbers(dossier)

    def used(what: str, ids: Sequence[str]) -> str:
        """Return the use of a clause: ``bet Player Pair, Banker Pair``."""
        if not ids:
            return what
        if what == "reading":
            return f"reading no. {', '.join(entries.get(one, one) for one in ids)}"
        shown = [
            names.get(one, one) if what == "bet" else one if what == "layout" else in_words_of_id(one)
            for one in ids
        ]
        return f"{what} {', '.join(shown)}"

    return annex("Clause-to-model trace", (*trace_blocks(game, used), layouts_table(game)), anchor="trace")
