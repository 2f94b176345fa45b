"""The simulations of a report: its own, and files; judged when it is written, and again when it is verified."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from combinat.audit.verdict import Verdict, Word
from combinat.base.errors import CombinatError, FileError, InputError, in_words
from combinat.base.files import plain_bytes
from combinat.certify.folder import MOST_FILE_BYTES, is_plain
from combinat.engine.progress import Progress
from combinat.library.redrawing import judged_again, rows_left
from combinat.montecarlo.output import MOST_ROUNDS, counted
from combinat.montecarlo.report_simulation import NAME, ROUNDS, own_simulation, why_none
from combinat.rules.book.load import RuleBook
from combinat.rules.converters import as_path, whole_number

LEAST_ROUNDS = 10_000
"""Fewer rounds can disagree and cannot agree."""

OWN_STEPS = 4
"""How many steps the dealing of a report's own simulation reports."""

OWN, NONE = "own", "none"
"""What may be asked for instead of a file."""


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

    def add(self, game: str, verdict: Verdict, content: bytes, said: str, progress: Progress) -> None:
        """Put a simulation among those of its game, in the order of their names; note it where it does not agree."""
        self.contents.setdefault(game, {})[verdict.file] = content
        verdicts = self.verdicts.setdefault(game, [])
        verdicts.append(verdict)
        verdicts.sort(key=lambda one: one.file)
        if verdict.word is not Word.AGREES:
            progress.warn(f"{said}: {verdict.sentence.removeprefix('Verdict: ')}")


def asked_simulations(given: object, rounds: object) -> tuple[list[Path], int]:
    """The files to show, and the rounds of the report's own simulation; 0: it has none.

    ``given``: own, none, or files. Default: own, unless files are given.
    """
    words = [given] if isinstance(given, str | Path) else given
    if not isinstance(words, list | tuple):
        raise _refused(
            f"found {in_words(given)}", f"write {OWN}, {NONE}, the path of a file, or a list of them"
        )
    if NONE in words and len(words) > 1:
        raise _refused(f"found {NONE} beside others", f"write {NONE} alone, or leave it out")
    if NONE in words and rounds:
        raise _refused(f"found {NONE}", "leave it out, or leave out {simulation_rounds}")
    files = [as_path("simulations", word) for word in words if word not in (OWN, NONE)]
    own = ROUNDS if not words or OWN in words else 0
    if rounds is not None:
        own = whole_number("simulation_rounds", rounds, 0, MOST_ROUNDS)
        if 0 < own < LEAST_ROUNDS:
            raise InputError(
                f"found {own}", f"write 0, or {LEAST_ROUNDS} or more", parameter="simulation_rounds"
            )
    names = [file.name for file in files]
    if own and NAME in names:
        raise _refused(f"{NAME} is the name of the report's own simulation", "give the file another name")
    if len(set(names)) < len(names):
        raise _refused("two files have one name", "give each file once, under a name of its own")
    return files, own


def _refused(found: str, write: str = "") -> InputError:
    return InputError(found, write, parameter="simulations")


def judge_files(
    simulations: Simulations,
    files: Sequence[Path],
    books: Sequence[RuleBook],
    decks: dict[str, list[int]],
    progress: Progress,
) -> None:
    """Judge the files, and put each among the simulations of its game."""
    for file in files:
        try:
            content = plain_bytes(file, MOST_FILE_BYTES, links=True)
        except FileError as error:
            raise _refused(
                f"{file}: {error.why}", f"write {OWN}, {NONE}, or the path of a counts file or a hand log"
            ) from None
        book, verdict = _judged(file, content, books, simulations)
        if verdict.shoe.decks not in decks[book.game.id]:
            raise _refused(
                f"{file} is of {verdict.shoe.size} cards; this report is of fresh shoes of "
                f"{', '.join(map(str, decks[book.game.id]))} decks"
            )
        simulations.add(book.game.id, verdict, content, str(file), progress)


def _judged(
    file: Path, content: bytes, books: Sequence[RuleBook], simulations: Simulations
) -> tuple[RuleBook, Verdict]:
    from combinat.audit.judging.judge import game_named, verdict_of_bytes
    from combinat.audit.judging.judgement import ALPHA

    name = file.name
    if not is_plain(name):
        raise _refused(f"{name!r} cannot be the name of a file in a report", "rename it")
    about = game_named(file)
    book = next((book for book in books if book.game.id == about), None)
    if book is None:
        raise _refused(
            f"{name} is about {about or 'a game that it does not name'}; this report is of "
            f"{', '.join(book.game.id for book in books)}"
        )
    most = rows_left(simulations.verdicts.get(book.game.id, ()))
    return book, verdict_of_bytes(name, content, book, ALPHA, most)


def deal_own(
    simulations: Simulations,
    book: RuleBook,
    decks: int,
    rounds: int,
    progress: Progress,
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
            f"{book.game.id}: the report's own simulation cannot be judged: {error}; ask for no simulation"
        ) from None
    simulations.add(book.game.id, verdict, content, f"{book.game.id}: the report's own simulation", progress)
