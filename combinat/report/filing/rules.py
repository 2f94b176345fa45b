"""The rules restated: the Table of Play, the bets, insurance, limits, irregularities; and the trace from clause to model."""

from collections.abc import Iterator, Sequence

from combinat.base.kinds import CLAUSE
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Block, Column, Paragraph, Section, annex, chapter, table
from combinat.report.filing.register import numbers
from combinat.report.phrases import bet_names, in_words_of_id
from combinat.report.rules import rulebook
from combinat.report.rules.clauses import trace_blocks
from combinat.rules.game import Game
from combinat.rules.procedure import Procedure


def rules_chapter(game: Game) -> Section:
    """Return the rules of the document, in our words."""
    clauses = game.clauses
    return chapter(
        "Rules restated",
        (
            Paragraph(
                f"{rulebook.points_in_words(game)} Player and Banker receive two cards each, in turn ({clauses.deal}). "
                f"Third cards follow the Table of Play ({game.table_clause}; {game.stood_clause} when the Player Hand has "
                f"stood). The higher points win ({clauses.winner}); equal points are a tie ({clauses.tie}). When the shoe cannot "
                f"finish a round, {game.void.bets.in_words} ({', '.join(game.void.clauses)})."
            ),
            *rulebook.table_of_play_blocks(game),
            *rulebook.bets_blocks(game, bet_names(game)),
            *rulebook.insurance_blocks(game),
            *(rulebook.table_limits_blocks(game.table_limits, game.practice) if game.table_limits else ()),
            *_irregularities(game),
        ),
        anchor="rules",
    )


def _irregularities(game: Game) -> Iterator[Block]:
    """Each incident of the document, and every answer to it under its condition."""
    incidents: dict[str, list[Procedure]] = {}
    for procedure in game.procedures:
        incidents.setdefault(procedure.answers, []).append(procedure)
    if not incidents:
        return
    columns = (Column("incident"), Column("consequence, with its condition"), Column("clause", CLAUSE))
    rows = [_irregularity(game, answers) for answers in incidents.values()]
    yield table(columns, rows, "Irregularities")
    yield from rulebook.dealing_errors(game)


def _irregularity(game: Game, answers: Sequence[Procedure]) -> tuple[str, str, str]:
    whens = " ".join(dict.fromkeys(one.when for one in answers))
    clauses = ", ".join(dict.fromkeys(clause for one in answers for clause in one.clauses))
    return whens, "; ".join(_follows(game, one) for one in answers), clauses


def _follows(game: Game, procedure: Procedure) -> str:
    condition = f"if {procedure.condition}: " if procedure.condition else ""
    decided = f" (decided by {procedure.decides})" if procedure.decides else ""
    return f"{condition}{game.effect_in_words(procedure)}{decided}"


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

    return annex(
        "Clause-to-model trace", (*trace_blocks(game, used), rulebook.layouts_table(game)), anchor="trace"
    )
