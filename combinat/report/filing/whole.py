"""The sections in their order: the body, then the annexes.

Nothing here computes: a number in a section is a number of the dossier. The text is the same in every format.
"""

from collections.abc import Sequence

from combinat.audit.verdict import Verdict
from combinat.certify.dossier import Dossier
from combinat.certify.filing import DRAFT, Issue
from combinat.render.blocks import Section
from combinat.report.audit.simulation import simulation_section
from combinat.report.filing.certificate import certificate_chapter, hashes_annex
from combinat.report.filing.closed_forms import closed_forms_annex
from combinat.report.filing.decks import decks_chapter
from combinat.report.filing.examples import examples_chapter
from combinat.report.filing.insurance import insurance_annexes, insurance_chapter
from combinat.report.filing.method import method_chapter
from combinat.report.filing.operations import operations_annex
from combinat.report.filing.protection import protection_annex, protection_chapter
from combinat.report.filing.register import register_annex, register_chapter
from combinat.report.filing.rules import rules_chapter
from combinat.report.filing.together import together_annex
from combinat.report.filing.trace import trace_annex
from combinat.report.filing.verification import verification_chapter
from combinat.report.filing.wagers import wagers_chapter
from combinat.rules.game import Game


def filing(
    dossier: Dossier,
    game: Game,
    verdicts: Sequence[Verdict] = (),
    not_simulated: str = "",
    issue: Issue = DRAFT,
    checked: int = 0,
) -> Section:
    """What the report says within its frame.

    ``verdicts``: what is said of simulations, or why there can be none; ``issue``: who files it; ``checked``: how
    many numbers the checker has checked.
    """
    return Section(
        f"{game.name}: exact pay-table analysis",
        (
            *body(dossier, game, verdicts, not_simulated, issue, checked),
            *annexes(dossier, game, issue),
        ),
    )


def body(
    dossier: Dossier,
    game: Game,
    verdicts: Sequence[Verdict],
    not_simulated: str,
    issue: Issue,
    checked: int,
) -> tuple[Section, ...]:
    """The chapters from the rules to the certificate."""
    return (
        rules_chapter(game),
        examples_chapter(dossier, game),
        register_chapter(dossier, game, issue),
        wagers_chapter(dossier, game),
        insurance_chapter(dossier, game),
        *((decks_chapter(dossier, game),) if len(dossier.shoes) > 1 else ()),
        protection_chapter(dossier, game),
        method_chapter(),
        verification_chapter(dossier, game, checked),
        simulation_section(game, verdicts, not_simulated),
        certificate_chapter(game),
    )


def annexes(dossier: Dossier, game: Game, issue: Issue) -> tuple[Section, ...]:
    """What stands behind the body, with numbers of its own."""
    return (
        *insurance_annexes(dossier),
        together_annex(dossier, game),
        operations_annex(dossier, game),
        protection_annex(dossier, game),
        closed_forms_annex(dossier, game),
        trace_annex(dossier, game),
        register_annex(dossier, game, issue),
        hashes_annex(dossier, game, issue),
    )
