"""The simulations of a report: its own, and files; judged when it is written, and again when it is verified."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from combinat.audit.verdict import Verdict, Word
from combinat.base.errors import CombinatError, FileError
from combinat.base.files import plain_bytes
from combinat.certify.folder import MOST_FILE_BYTES, is_plain
from combinat.library.redrawing import judged_again, rows_left
from combinat.montecarlo.counted import counted
from combinat.montecarlo.report_simulation import NAME, own_simulation, why_none
from combinat.rules.book.load import RuleBook

LEAST_ROUNDS = 10_000
"""Fewer rounds can disagree and cannot agree."""

OWN_STEPS = 4
"""How many steps the dealing of a report's own simulation reports."""

Note = Callable[[str], None]
"""What takes a remark: the command warns of it, the library keeps it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What errors call things: the files of simulations, what else could be given, and how to do without any."""

    files: str
    instead: str
    without: str


IN_PYTHON = Called(
    files="simulations",
    instead="the path of a counts file or a hand log",
    without="simulation_rounds=0",
)


@dataclass(frozen=True, slots=True)
class Simulations:
    """Files of simulations by the game they are about: what is in them, and what is said of them."""

    contents: dict[str, dict[str, bytes]] = field(default_factory=dict)
    verdicts: dict[str, list[Verdict]] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """1 where one does not agree, 2 where one could not be judged, else 0."""
        codes = [verdict.word.exit_code for verdicts in self.verdicts.values() for verdict in verdicts]
        return 1 if 1 in codes else max(codes, default=0)

    def add(self, game: str, verdict: Verdict, content: bytes, said: str, note: Note) -> None:
        """Put a simulation among those of its game, in the order of their names; note it where it does not agree."""
        self.contents.setdefault(game, {})[verdict.file] = content
        verdicts = self.verdicts.setdefault(game, [])
        verdicts.append(verdict)
        verdicts.sort(key=lambda one: one.file)
        if verdict.word is not Word.AGREES:
            note(f"{said}: {verdict.sentence.removeprefix('Verdict: ')}")


def check_names(files: Sequence[Path], own_rounds: int, called: Called) -> None:
    """Refuse files that could not lie in one folder, or with the report's own simulation."""
    names = [file.name for file in files]
    if own_rounds and NAME in names:
        raise CombinatError(
            f"{called.files}: {NAME} is the name of the report's own simulation; give the file another name"
        )
    if len(set(names)) < len(names):
        raise CombinatError(
            f"{called.files}: two files have one name; give each file once, under a name of its own"
        )


def judge_files(
    simulations: Simulations,
    files: Sequence[Path],
    books: Sequence[RuleBook],
    decks: dict[str, list[int]],
    called: Called,
    note: Note,
) -> None:
    """Judge the files, and put each among the simulations of its game."""
    for file in files:
        try:
            content = plain_bytes(file, MOST_FILE_BYTES, links=True)
        except FileError as error:
            raise CombinatError(f"{called.files}: {file}: {error.why}; write {called.instead}") from None
        book, verdict = _judged(file, content, books, called, simulations)
        if verdict.shoe.decks not in decks[book.game.id]:
            raise CombinatError(
                f"{called.files}: {file} is of {verdict.shoe.size} cards; this report is of fresh shoes of "
                f"{', '.join(map(str, decks[book.game.id]))} decks"
            )
        simulations.add(book.game.id, verdict, content, str(file), note)


def _judged(
    file: Path, content: bytes, books: Sequence[RuleBook], called: Called, simulations: Simulations
) -> tuple[RuleBook, Verdict]:
    from combinat.audit.judging.judge import game_named, verdict_of_bytes
    from combinat.audit.judging.judgement import ALPHA

    name = file.name
    if not is_plain(name):
        raise CombinatError(f"{called.files}: {name!r} cannot be the name of a file in a report; rename it")
    about = game_named(file)
    book = next((book for book in books if book.game.id == about), None)
    if book is None:
        raise CombinatError(
            f"{called.files}: {name} is about {about or 'a game that it does not name'}; this report is of "
            f"{', '.join(book.game.id for book in books)}"
        )
    most = rows_left(simulations.verdicts.get(book.game.id, ()))
    return book, verdict_of_bytes(name, content, book, ALPHA, most)


def deal_own(
    simulations: Simulations,
    book: RuleBook,
    decks: int,
    rounds: int,
    called: Called,
    note: Note,
    advance: Callable[[int], None] = lambda steps: None,
) -> None:
    """Deal the report's own simulation, judge it and put it among the others; nothing where none can be dealt."""
    if why_none(book.game, decks):
        advance(OWN_STEPS)  # its chapter says why
        return
    dealt = 0

    def count(batch: int) -> None:
        nonlocal dealt
        before, dealt = dealt * OWN_STEPS // rounds, dealt + batch
        advance(dealt * OWN_STEPS // rounds - before)

    text, _ = counted(own_simulation(book.game, decks, rounds), book.sha256, count)
    content = text.encode("utf-8")
    try:
        (verdict,) = judged_again(book, {NAME: content})
    except CombinatError as error:
        raise CombinatError(
            f"{book.game.id}: the report's own simulation cannot be judged: {error}; write {called.without}"
        ) from None
    simulations.add(book.game.id, verdict, content, f"{book.game.id}: the report's own simulation", note)
