"""Certified reports: written to a folder, game by game, with what stands over them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from combinat.audit.verdict import Verdict
from combinat.base.errors import CombinatError, in_words
from combinat.base.files import Files
from combinat.base.output_paths import refuse_inputs, refuse_inside
from combinat.base.paper import Paper
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular
from combinat.certify.analysis_file import COLLECTION, analysis_bytes
from combinat.certify.certificate import (
    CERTIFICATE,
    SUMS,
)
from combinat.certify.collected import (
    EXPLORER,
    INDEX,
    INDEX_PAGE,
    sealed_collection,
)
from combinat.certify.collection import collection
from combinat.certify.dossier import Dossier
from combinat.certify.folder import files_in
from combinat.certify.output_lock import mark_complete, mark_incomplete, writing_to
from combinat.certify.placing import check_files, check_folder, place_files, place_folder
from combinat.certify.recount import Recount, dossiers
from combinat.certify.signature import is_private
from combinat.certify.standing import sealed_report
from combinat.certify.verification import checked_numbers, verify_report
from combinat.library import looks
from combinat.library.given import (
    GameGiven,
    book_given,
    integer,
    path_given,
    rule_books_read,
    whole_number,
)
from combinat.library.issuing import issue_of
from combinat.library.simulations import (
    IN_PYTHON,
    LEAST_ROUNDS,
    Simulations,
    check_names,
    deal_own,
    judge_files,
)
from combinat.montecarlo.report_simulation import ROUNDS, why_none
from combinat.montecarlo.written import MOST_ROUNDS
from combinat.report.folder import FORMS, MEMOS, Documents, Form, libraries, over_the_games
from combinat.rules import bounds
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import RuleBook
from combinat.rules.filing import Issue
from combinat.rules.game import Game

looks.register()

Collected = tuple[RuleBook, Dossier, Sequence[str]]
"""A report of a collection: its rule book, its dossier, and the names of its files."""

OVER_THE_GAMES = (CERTIFICATE, SUMS, COLLECTION, INDEX, INDEX_PAGE, EXPLORER)
"""The files of a collection that stand over the folders of its games."""


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
        """A row for each game: where its report is, how many files it has, the words on its simulations."""
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
    decks: int | Sequence[int] | None = None,
    formats: Sequence[str] | None = None,
    sign: str | Path | None = None,
    simulations: "str | Path | Sequence[str | Path]" = (),
    simulation_rounds: int | None = None,
    filing: str | Path | None = None,
    memo: bool = False,
    paper: str = "a4",
) -> Written:
    """Write the certified reports of one game, of some, or of all: analysis, tables, documents, certificate.

    ``decks``: a number, or several, the fewest first; all that the document allows when nothing is said.
    ``formats``: some of markdown, html, pdf, csv, xlsx. ``sign``: a private key. ``simulations``: counts files or CSV
    hand logs of these games, which the report judges, shows and takes along. ``simulation_rounds``: of the
    simulation that the report deals itself, 20,000,000 where nothing is said and no file is given; 0: it deals none.
    ``filing``: a TOML file that says who issues the report, for whom and when; without it the report is a draft. ``memo``:
    page 1 and the open readings as a document of their own too. ``paper``: a4 or letter.

    A report of ours in the same place is replaced; anything else there is left alone, and refused.

    >>> write_report("commission-insurance-2013", formats=["doc"])
    Traceback (most recent call last):
    combinat.base.errors.CombinatError: formats: found 'doc'; write some of markdown, html, pdf, csv, xlsx
    """
    given = _listed(games)
    books = [book_given(game) for game in given]
    numbers = {book.game.id: _decks(book.game, decks) for book in books}
    if len(numbers) < len(books):
        raise CombinatError("two of the rule books have one id; give each game once")
    forms = _forms(formats, memo=memo)
    others, rounds = _simulations(simulations, simulation_rounds)
    key = None if sign is None else path_given("sign", sign)
    filed_in = None if filing is None else path_given("filing", filing)
    issue, filed = issue_of(books, filed_in, key, _paper(paper))
    folder = _place(path_given("out", out), books, _inputs(given, key, filed_in, others))
    notes = _notes(books, numbers, key)
    shown = Simulations()
    written: list[Collected] = []
    with writing_to(folder):
        judge_files(shown, others, books, numbers, IN_PYTHON, notes.append)
        tasks = [Recount.of(book, numbers[book.game.id]) for book in books]
        for book, told in zip(books, dossiers(tasks), strict=True):
            game_id = book.game.id
            if rounds:
                deal_own(shown, book, told.reference_decks, rounds, IN_PYTHON, notes.append)
            verdicts, contents = shown.verdicts.get(game_id, ()), shown.contents.get(game_id, {})
            names = write_game(folder, told, book, forms, verdicts, contents, issue, filed, key)
            written.append((book, told, names))
        write_collection(folder, written, key, notes.append)
    return Written(
        folder=folder,
        files={book.game.id: tuple(names) for book, _, names in written},
        verdicts={game_id: tuple(verdicts) for game_id, verdicts in shown.verdicts.items()},
        notes=tuple(notes),
    )


def write_game(
    folder: Path,
    told: Dossier,
    book: RuleBook,
    forms: Sequence[Form],
    verdicts: Sequence[Verdict],
    simulations: Files,
    issue: Issue,
    filing: bytes | None,
    key: Path | None,
    advance: Callable[[int], None] = lambda forms: None,
) -> list[str]:
    """Write the folder of one game, if the checker derives all of its numbers again; the names of its files."""
    checked = checked_numbers(analysis_bytes(told), book.content)
    advance(1)
    drawn = Documents(told, book, verdicts, why_none(book.game, told.reference_decks), issue, checked)
    documents: dict[str, bytes] = {}
    for form in forms:
        documents |= drawn.in_form(form)
        advance(1)
    sealed = sealed_report(
        told,
        book,
        documents,
        forms,
        libraries=libraries(forms, simulations=bool(simulations)),
        simulations=simulations,
        key=key,
        issue=issue,
        filing=filing,
    )
    is_first = mark_incomplete(folder)
    try:
        place_folder(folder / book.game.id, sealed)
    except CombinatError:
        if is_first:
            mark_complete(folder)  # nothing was replaced
        raise
    return sorted(sealed)


def write_collection(
    folder: Path, written: Sequence[Collected], key: Path | None, note: Callable[[str], None]
) -> None:
    """Write what stands over the games: of those written now, and of other reports of ours in the folder."""
    reports, now = list(written), {book.game.id for book, _, _ in written}
    certificates = {name: (folder / name / CERTIFICATE).read_bytes() for name in now}
    for entry in sorted(folder.iterdir()):
        if entry.name in now or entry.name.startswith(".") or not (entry / CERTIFICATE).is_file():
            continue
        try:
            contents = files_in(entry)
            report = verify_report(contents)  # an index says only what holds
            if entry.name != report.dossier.game:
                raise CombinatError(f"it is the report of {report.dossier.game}, under another name")
        except CombinatError as error:
            note(f"{entry} is left out of the index: {error}")
            continue
        reports.append((report.book, report.dossier, sorted(contents)))
        certificates[entry.name] = contents[CERTIFICATE]
    collected = collection([(book.game, told, names) for book, told, names in reports])
    documents = over_the_games(collected, [book for book, _, _ in reports])
    sealed = sealed_collection(
        collected, certificates, documents, libraries=libraries([Form.MARKDOWN]), key=key
    )
    place_files(folder, sealed)
    mark_complete(folder)


def _listed(games: "GameGiven | Sequence[GameGiven] | None") -> "list[GameGiven]":
    if games is None:
        return list(rule_book_paths())
    listed = [games] if isinstance(games, str | Path | Game) else games
    if not isinstance(listed, list | tuple) or not listed:
        raise CombinatError(f"games: found {in_words(games)}; write a game, a list of them, or None for all")
    return list(listed)


def _decks(game: Game, decks: int | Sequence[int] | None) -> list[int]:
    if decks is None:
        return list(range(game.decks.least, game.decks.most + 1))
    listed = list(decks) if isinstance(decks, Sequence) and not isinstance(decks, str) else [decks]
    numbers = [whole_number("decks", number, 1, bounds.DECKS) for number in listed]
    if not numbers or len(numbers) > bounds.SHOES or numbers != sorted(set(numbers)):
        raise CombinatError(
            f"decks: found {in_words(decks)}; write a number, or several, the fewest first, such as range(4, 11) or "
            f"[4, 6, 8], at most {bounds.SHOES}"
        )
    return numbers


def _simulations(files: object, rounds: int | None) -> tuple[list[Path], int]:
    """The files of simulations that are to be shown, and the rounds of the report's own; 0: it has none."""
    given = [files] if isinstance(files, str | Path) else files
    if not isinstance(given, list | tuple):
        raise CombinatError(
            f"simulations: found {in_words(files)}; write the path of a file, or a list of them"
        )
    paths = [path_given("simulations", path) for path in given]
    own = 0 if paths else ROUNDS
    if rounds is not None:
        own = (
            0
            if integer(rounds) == 0
            else whole_number("simulation_rounds", rounds, LEAST_ROUNDS, MOST_ROUNDS, "0, or ")
        )
    check_names(paths, own, IN_PYTHON)
    return paths, own


def _notes(books: Sequence[RuleBook], numbers: Mapping[str, Sequence[int]], key: Path | None) -> list[str]:
    """The numbers of decks that the documents do not allow, and a key that others can read."""
    notes = [
        f"{book.game.id} allows {book.game.decks.least} to {book.game.decks.most} decks "
        f"({book.game.decks.clause}); {number} is analysed all the same"
        for book in books
        for number in numbers[book.game.id]
        if not book.game.decks.allows(number)
    ]
    if key is not None and not is_private(key):
        notes.append(f"{key}: others can read this private key; take that right from them, or make a new key")
    return notes


def _forms(formats: Sequence[str] | None, *, memo: bool) -> list[Form]:
    """The forms that are asked for, each with its memo where there is one."""
    listed = isinstance(formats, list | tuple | set | frozenset)
    words = list(FORMS) if formats is None else list(formats) if listed else [formats]
    unknown = [word for word in words if word not in list(FORMS)]
    if unknown:
        raise CombinatError(f"formats: found {in_words(unknown[0])}; write some of {', '.join(FORMS)}")
    asked = [form for form in FORMS if form in words]
    memos = [MEMOS[form] for form in asked if form in MEMOS] if memo else []
    if memo and not memos:
        raise CombinatError(f"memo: a memo is one of {', '.join(MEMOS)}; let formats name one of them")
    return [*asked, *memos]


def _paper(name: str) -> Paper:
    if name in list(Paper):
        return Paper(name)
    raise CombinatError(f"paper: found {in_words(name)}; write one of {', '.join(Paper)}")


def _inputs(
    given: "Sequence[GameGiven]", key: Path | None, filing: Path | None, simulations: Sequence[Path]
) -> list[tuple[str, Path]]:
    """What each file that is read is, and its path."""
    return [
        *(("a rule book", path) for game in given for path in rule_books_read(game).values()),
        *(("a file of a simulation", path) for path in simulations),
        *([("the key", key)] if key is not None else []),
        *([("the filing", filing)] if filing is not None else []),
    ]


def _place(folder: Path, books: Sequence[RuleBook], inputs: Sequence[tuple[str, Path]]) -> Path:
    """The folder to write to, when nothing in it would be lost and nothing that is read is in it."""
    for what, path in inputs:
        refuse_inputs("out", folder, {what: path})
        for book in books:
            refuse_inside(folder / book.game.id, {what: path})
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise CombinatError(f"out: {place} is no folder; write another name")
    for book in books:
        check_folder(folder / book.game.id)
    check_files(folder, OVER_THE_GAMES)
    return folder
