"""Certified reports, written to a folder game by game, with the index of their collection."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from combinat.audit.verdict import Verdict, Word
from combinat.base.errors import CombinatError, InputError, in_words, near_matches
from combinat.base.files import Files
from combinat.base.output_paths import refuse_inputs, refuse_inside, refuse_no_folder
from combinat.base.paper import Paper
from combinat.base.processes import side_by_side
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular
from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.certificate import (
    CERTIFICATE,
    SUMS,
)
from combinat.certify.collection import (
    COLLECTION,
    EXPLORER,
    INDEX,
    INDEX_PAGE,
    collection,
    sealed_collection,
)
from combinat.certify.dossier import Dossier, dossier
from combinat.certify.filing import Issue, issue_of
from combinat.certify.folder import files_in
from combinat.certify.folder_writer import (
    check_files,
    check_folder,
    mark_complete,
    mark_incomplete,
    place_files,
    place_folder,
    writing_to,
)
from combinat.certify.report_files import sealed_report
from combinat.certify.signature import is_private
from combinat.certify.verification import checked_numbers
from combinat.engine.progress import SILENT, Progress
from combinat.montecarlo.simulation import REPORT_COUNTS, simulation_obstacle
from combinat.report.certified.simulations import (
    JudgedSimulation,
    asked_simulations,
    judged_files,
    judged_own_simulation,
)
from combinat.report.certified.verified import verify_report
from combinat.report.folder import FORMS, MEMOS, Form, files, libraries, over_the_games
from combinat.rules import bounds
from combinat.rules.book.find import rule_book_paths
from combinat.rules.converters import (
    GameGiven,
    as_choice,
    as_decks,
    as_document,
    as_path,
    other_decks,
    rule_books_read,
)
from combinat.rules.game import Game

OVER_THE_GAMES = (CERTIFICATE, SUMS, COLLECTION, INDEX, INDEX_PAGE, EXPLORER)
"""The files of a collection that stand over the folders of its games."""


# ---------------------------------------------------------------- the report of one game: the work of a process


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeReport:
    """The report of a game: its dossier, the files of its folder, and the verdicts on its simulations."""

    dossier: Dossier
    files: Files
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTask:
    """A report to make. ``rounds``: of the report's own simulation; 0 for no simulation."""

    game: Game
    decks: tuple[int, ...]
    forms: tuple[Form, ...]
    rounds: int
    simulations: tuple[JudgedSimulation, ...]
    issue: Issue

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
            issue=self.issue,
        )
        return MadeReport(dossier=counted, files=sealed, verdicts=verdicts)


def made_reports(tasks: Sequence[ReportTask], workers: int) -> Iterator[MadeReport]:
    """Yield the reports in the order of the tasks, made in this many processes."""
    return side_by_side(ReportTask.made, tasks, workers, size=lambda task: len(task.game.content))


# ---------------------------------------------------------------- reports and the files over them


@dataclass(frozen=True, slots=True, kw_only=True)
class Written(Tabular):
    """Reports that were written: where, the files of each game, what is said of its simulations, in their order.

    ``notes``: what a reader should know, such as a number of decks that the document does not allow, or a
    simulation that does not agree. The report of a game is in the folder ``written.folder / game``.

    >>> Written(folder=Path("filing"), files={"my-game": ("analysis.json", "report.md")}).to_dicts()
    [{'game': 'my-game', 'folder': 'filing/my-game', 'files': 2, 'simulations': None}]
    """

    folder: Path
    files: Mapping[str, Sequence[str]]
    verdicts: Mapping[str, Sequence[Verdict]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def to_dicts(self) -> list[dict[str, Exact]]:
        """Return a row for each game: where its report is, how many files it has, the words on its simulations."""
        return [
            {
                "game": game,
                "folder": str(self.folder / game),
                "files": len(files),
                "simulations": ", ".join(
                    f"{verdict.file}: {verdict.word}" for verdict in self.verdicts.get(game, ())
                )
                or None,
            }
            for game, files in self.files.items()
        ]

    def __repr__(self) -> str:
        return f"<Written {self.folder}: {', '.join(self.files)}>"


def write_report(
    games: "GameGiven | Sequence[GameGiven] | None" = None,
    out: str | Path = "output",
    *,
    decks: int | str | Sequence[int] | None = None,
    formats: str | Sequence[str] | None = None,
    sign: str | Path | None = None,
    simulations: "str | Path | Sequence[str | Path]" = (),
    simulation_rounds: int | None = None,
    filing: str | Path | None = None,
    memo: bool = False,
    paper: str = "a4",
    progress: Progress = SILENT,
) -> Written:
    """Write the certified reports of one game, of some, or of all: analysis, tables, documents, certificate.

    ``decks``: a number, or several, the fewest first, such as ``"4-10"``. Default: all that the document allows.
    ``formats``: some of markdown, html, pdf, csv, xlsx. ``sign``: a private key. ``simulations``: counts files or CSV
    hand logs of these games, which the report judges, shows and takes along; ``"own"``, the default, for a simulation
    that the report deals itself, of ``simulation_rounds`` (20,000,000); ``"none"``. ``filing``: a TOML file that says
    who issues the report, for whom and when; without it the report is a draft. ``memo``: page 1 and the open readings
    as a document of their own too. ``paper``: a4 or letter.

    Replaces an earlier combinat report; refuses a folder that holds anything else.

    >>> write_report("commission-insurance-2013", formats=["doc"])
    Traceback (most recent call last):
    combinat.base.errors.InputError: formats: found "doc"; write some of markdown, html, pdf, csv, xlsx
    """
    given = _game_list(games)
    others, rounds = asked_simulations(simulations, simulation_rounds)
    key = None if sign is None else as_path("sign", sign)
    filed_in = None if filing is None else as_path("filing", filing)
    folder, inputs = as_path("out", out), _inputs(given, key, filed_in, others)
    for what, path in inputs:
        refuse_inputs("out", folder, {what: path})
    documents = [as_document(game) for game in given]
    numbers = {game.id: _decks(game, decks) for game in documents}
    if len(numbers) < len(documents):
        raise CombinatError("two of the rule books have one id; give each game once")
    forms = _forms(formats, memo=memo)
    issue = issue_of(documents, filed_in, key, as_choice("paper", paper, Paper))
    notes = _notes(documents, numbers, key)
    for note in notes:
        progress.warn(note)
    _check_place(folder, documents, inputs)
    with writing_to(folder):
        judged = judged_files(others, documents, numbers)
        tasks = [
            ReportTask(
                game=game,
                decks=tuple(numbers[game.id]),
                forms=tuple(forms),
                rounds=rounds,
                simulations=tuple(judged[game.id]),
                issue=issue,
            )
            for game in documents
        ]
        made: dict[str, MadeReport] = {}
        with progress.bar(len(tasks), "games") as advance:
            for game, report in zip(documents, made_reports(tasks, os.cpu_count() or 1), strict=True):
                _warn_of_simulations(game, report, progress)
                _place_report(folder, game, report.files)
                progress.say(_files_line(folder, game, sorted(report.files)))
                made[game.id] = report
                advance(1)
        write_collection(folder, [(game, made[game.id]) for game in documents], key, progress)
    progress.say(f"wrote {folder}: {', '.join(OVER_THE_GAMES)}")
    return Written(
        folder=folder,
        files={game: tuple(sorted(report.files)) for game, report in made.items()},
        verdicts={game: report.verdicts for game, report in made.items() if report.verdicts},
        notes=tuple(notes),
    )


def _warn_of_simulations(game: Game, report: MadeReport, progress: Progress) -> None:
    """Warn of simulations that do not agree."""
    for verdict in report.verdicts:
        if verdict.word is not Word.AGREES:
            file = "the report's own simulation" if verdict.file == REPORT_COUNTS else verdict.file
            progress.warn(f"{game.id}: {file}: {verdict.sentence.removeprefix('Verdict: ')}")


def _files_line(folder: Path, game: Game, names: Sequence[str]) -> str:
    """Return the line on a report's files; those in a subfolder are counted."""
    folders = Counter(name.partition("/")[0] for name in names if "/" in name)
    under_it = [f"{name}/ ({count} file{'' if count == 1 else 's'})" for name, count in folders.items()]
    listed = ", ".join([*(name for name in names if "/" not in name), *under_it])
    under = f" under {game.provisos.readings_in_words}" if game.provisos.readings else ""
    return f"wrote {folder / game.id}: {listed}{under}"


def _place_report(folder: Path, game: Game, files: Files) -> None:
    """Move a report into its place; the folder is marked as incomplete until the collection is written again."""
    is_first = mark_incomplete(folder)
    try:
        place_folder(folder / game.id, files)
    except CombinatError:
        if is_first:
            mark_complete(folder)  # nothing was replaced
        raise


def write_collection(
    folder: Path, made: Sequence[tuple[Game, MadeReport]], key: Path | None, progress: Progress
) -> None:
    """Write the collection's files, for the games written now and for earlier combinat reports in the folder."""
    reports = [(game, report.dossier, report.files) for game, report in made]
    now = {game.id for game, _ in made}
    for entry in sorted(folder.iterdir()):
        if entry.name in now or entry.name.startswith(".") or not (entry / CERTIFICATE).is_file():
            continue
        try:
            contents = files_in(entry)
            report = verify_report(contents, figures_only=True)  # an index has only reports that hold
            if entry.name != report.dossier.game:
                raise CombinatError(f"it is the report of {report.dossier.game}, under another name")
        except CombinatError as error:
            progress.warn(f"{entry} is left out of the index: {error}")
            continue
        reports.append((report.game, report.dossier, contents))
    collected = collection([(game, counted, sorted(files)) for game, counted, files in reports])
    certificates = {game.id: files[CERTIFICATE] for game, _, files in reports}
    documents = over_the_games(collected, [game for game, _, _ in reports])
    sealed = sealed_collection(
        collected, certificates, documents, libraries=libraries([Form.MARKDOWN]), key=key
    )
    place_files(folder, sealed)


def _game_list(games: "GameGiven | Sequence[GameGiven] | None") -> "list[GameGiven]":
    if games is None:
        return list(rule_book_paths())
    listed = [games] if isinstance(games, str | Path | Game) else games
    if not isinstance(listed, list | tuple) or not listed:
        raise InputError(
            f"found {in_words(games)}", "write a game, a list of them, or None for all", parameter="games"
        )
    return list(listed)


def _decks(game: Game, decks: "int | str | Sequence[int] | None") -> list[int]:
    if decks is None:
        return list(range(game.decks.least, game.decks.most + 1))
    return as_decks(decks, columns=bounds.SHOES, most=bounds.DECKS)


def _notes(games: Sequence[Game], numbers: Mapping[str, Sequence[int]], key: Path | None) -> list[str]:
    """Return notes on numbers of decks that the documents do not allow, and on a key that others can read."""
    notes = [other_decks(game.id, game.decks, numbers[game.id]) for game in games]
    if key is not None and not is_private(key):
        notes.append(f"{key}: others can read this private key; write chmod 600 {key}, or make a new key")
    return list(filter(None, notes))


def _forms(formats: "str | Sequence[str] | None", *, memo: bool) -> list[Form]:
    """Return the requested forms, with the memo if there is one."""
    words = list(FORMS) if formats is None else formats
    if isinstance(words, str):
        words = [word.strip() for word in words.split(",")]
    if not isinstance(words, list | tuple | set | frozenset):
        raise InputError(f"found {in_words(words)}", f"write some of {', '.join(FORMS)}", parameter="formats")
    for word in words:
        if word not in list(FORMS):
            near = near_matches(word, list(FORMS)) if isinstance(word, str) else []
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise InputError(
                f"found {in_words(word)}{hint}", f"write some of {', '.join(FORMS)}", parameter="formats"
            )
    asked = [form for form in FORMS if form in words]
    memos = [MEMOS[form] for form in asked if form in MEMOS] if memo else []
    if memo and not memos:
        raise InputError(
            f"a memo needs one of the formats {', '.join(MEMOS)}", "add one to {formats}", parameter="memo"
        )
    return [*asked, *memos]


def _inputs(
    given: "Sequence[GameGiven]", key: Path | None, filing: Path | None, simulations: Sequence[Path]
) -> list[tuple[str, Path]]:
    """Return the paths of the input files, by their roles."""
    return [
        *(("a rule book", path) for game in given for path in rule_books_read(game).values()),
        *(("a file of a simulation", path) for path in simulations),
        *([("the key", key)] if key is not None else []),
        *([("the filing", filing)] if filing is not None else []),
    ]


def _check_place(folder: Path, games: Sequence[Game], inputs: Sequence[tuple[str, Path]]) -> None:
    """Refuse a folder in which foreign files would be lost, or that holds an input file."""
    refuse_no_folder("out", folder)
    for game in games:
        check_folder(folder / game.id)
    check_files(folder, OVER_THE_GAMES)
    for game in games:
        for what, path in inputs:
            refuse_inside(folder / game.id, {what: path})
