"""The whole report: page one, the chapters in their order, the annexes, and the end mark.

Nothing here computes: a number in a section is a number of the dossier. The text is the same in every format.
"""

from collections.abc import Sequence

from combinat.audit.verdict import Verdict
from combinat.certify.dossier import Dossier
from combinat.certify.filing import DRAFT, Issue
from combinat.montecarlo.simulation import simulation_obstacle
from combinat.render.blocks import Picture, Section, Table, walk
from combinat.report.audit.simulation import simulation_section
from combinat.report.derivation import derivations
from combinat.report.filing.examples import examples_chapter
from combinat.report.filing.front_matter import control_chapter, end_mark, scope_chapter, statement_chapter
from combinat.report.filing.insurance import insurance_annexes, insurance_chapter
from combinat.report.filing.page_one import summary_section
from combinat.report.filing.protection import protection_annex, protection_chapter
from combinat.report.filing.register import register_annex, register_chapter
from combinat.report.filing.rules import rules_chapter, trace_annex
from combinat.report.filing.verification import certificate_chapter, method_chapter, verification_chapter
from combinat.report.filing.wagers import (
    closed_forms_annex,
    correlations_annex,
    decks_chapter,
    operations_annex,
    wagers_chapter,
)
from combinat.rules.game import Game


def report_document(
    dossier: Dossier,
    game: Game,
    verdicts: Sequence[Verdict] = (),
    issue: Issue = DRAFT,
    checked: int = 0,
) -> Section:
    """Return the report of a game, not yet numbered.

    ``verdicts``: the verdicts on its simulations; ``issue``: who files it; ``checked``: how many numbers the checker has
    checked.
    """
    chapters = (
        rules_chapter(game),
        examples_chapter(dossier, game),
        register_chapter(dossier, game, issue),
        wagers_chapter(dossier, game),
        insurance_chapter(dossier),
        *((decks_chapter(dossier, game),) if len(dossier.shoes) > 1 else ()),
        protection_chapter(dossier, game),
        method_chapter(),
        verification_chapter(dossier, game, checked, tuple(derivations(dossier, game))),
        simulation_section(game, verdicts, simulation_obstacle(game, dossier.reference_decks)),
        certificate_chapter(game),
    )
    annexes = (
        *insurance_annexes(dossier),
        correlations_annex(dossier, game),
        operations_annex(dossier, game),
        protection_annex(dossier, game),
        closed_forms_annex(dossier, game),
        trace_annex(dossier, game),
        register_annex(dossier, game, issue),
    )
    every = walk((*chapters, *annexes))
    places = {block.anchor for _, block in every if isinstance(block, Section | Table | Picture)}
    return Section(
        f"{game.name}: exact pay-table analysis",
        (
            summary_section(dossier, game, issue, verdicts, places),
            control_chapter(game, issue),
            scope_chapter(dossier, game),
            *chapters,
            statement_chapter(game, issue),
            *annexes,
            end_mark(issue),
        ),
    )
