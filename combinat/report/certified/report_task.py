"""The report of one game, counted, checked, simulated and drawn: the work of one process."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from combinat.audit.verdict import Verdict
from combinat.base.files import Files
from combinat.base.processes import side_by_side
from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.dossier import Dossier, dossier
from combinat.certify.filing import Issue
from combinat.certify.report_files import sealed_report
from combinat.certify.verification import checked_numbers
from combinat.montecarlo.simulation import simulation_obstacle
from combinat.report.certified.simulations import JudgedSimulation, judged_own_simulation
from combinat.report.folder import Form, files, libraries
from combinat.rules.game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeReport:
    """The report of a game: its dossier, the files of its folder, and the verdicts on its simulations."""

    dossier: Dossier
    files: Files
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTask:
    """A report to make. ``rounds``: of the report's own simulation; 0: it has none."""

    game: Game
    decks: tuple[int, ...]
    forms: tuple[Form, ...]
    rounds: int
    simulations: tuple[JudgedSimulation, ...]
    issue: Issue
    filing: bytes | None
    key: Path | None

    def made(self) -> MadeReport:
        """Count everything, have the checker check it, deal and judge the simulation, draw the documents, seal them."""
        game = self.game
        counted = dossier(game, self.decks)
        checked = checked_numbers(analysis_bytes(counted), game.content)
        judged = list(self.simulations)
        if self.rounds and not simulation_obstacle(game, counted.reference_decks):
            judged.append(judged_own_simulation(game, counted.reference_decks, self.rounds))
        judged.sort(key=lambda one: one.verdict.file)
        verdicts = tuple(one.verdict for one in judged)
        sealed = sealed_report(
            counted,
            game,
            files(counted, game, self.forms, verdicts, self.issue, checked),
            self.forms,
            libraries=libraries(self.forms, simulations=bool(judged)),
            simulations={one.verdict.file: one.content for one in judged},
            key=self.key,
            issue=self.issue,
            filing=self.filing,
        )
        return MadeReport(dossier=counted, files=sealed, verdicts=verdicts)


def made_reports(tasks: Sequence[ReportTask], workers: int) -> Iterator[MadeReport]:
    """Yield the reports in the order of the tasks; several are made side by side in this many processes."""
    return side_by_side(ReportTask.made, tasks, workers, size=lambda task: len(task.game.content))
