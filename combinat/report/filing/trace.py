"""The trace from clause to model: every clause, what it is used for, or why it has no bearing."""

from collections.abc import Iterator, Sequence

from combinat.base.kinds import CLAUSE
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Block, Column, Paragraph, Section, annex, table
from combinat.report.filing.names import bet_names, folded, in_words_of_id
from combinat.report.filing.register import numbers
from combinat.report.filing.rules import layouts_table
from combinat.report.rules.citations import clauses_in_use, covered_clauses
from combinat.report.rules.clauses import covered_table, no_bearing_table
from combinat.rules.book.find import document_clauses
from combinat.rules.game import Game


def trace_annex(dossier: Dossier, game: Game) -> Section:
    """Where every clause went."""
    return annex("Clause-to-model trace", tuple(_blocks(dossier, game)), anchor="trace")


def _blocks(dossier: Dossier, game: Game) -> Iterator[Block]:
    names, entries = bet_names(game), numbers(dossier)

    def used(what: str, ids: Sequence[str]) -> str:
        """What a clause is used for: ``bet Player Pair, Banker Pair``."""
        if not ids:
            return what
        if what == "reading":
            return f"reading no. {', '.join(entries.get(one, one) for one in ids)}"
        shown = [
            names.get(one, one) if what == "bet" else one if what == "layout" else in_words_of_id(one)
            for one in ids
        ]
        return f"{what} {', '.join(shown)}"

    rows = [
        (clause, "; ".join(used(what, ids) for what, ids in by.items()))
        for clause, by in clauses_in_use(game).items()
    ]
    yield table((Column("clause", CLAUSE), Column("used for")), folded(rows), "Clauses in use")
    if game.no_bearing:
        without = no_bearing_table(game)
        yield table(without.columns, without.rows, "Clauses without effect on the mathematics")
    else:
        yield Paragraph("The rule book lists no clause without effect on the mathematics.")
    if covered := covered_clauses(game, document_clauses(game.id)):
        yield covered_table(covered, "Headings and parts that the trace does not list separately")
    yield layouts_table(game)
