"""Simulations for section L of a report: files that are judged when it is written, and again when it is verified."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from combinat.analysis.verdict import Verdict, Word
from combinat.certify.folder import MOST_FILE_BYTES, is_plain
from combinat.cli.output import warn
from combinat.errors import CombinatError, MissingLibraryError
from combinat.render.files import FileError, Files, plain_bytes
from combinat.rules.rulebook import RuleBook


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


def judged(files: Sequence[Path], books: Sequence[RuleBook], decks: dict[str, list[int]]) -> Simulations:
    """The files, judged; one that does not agree is warned of."""
    simulations = Simulations()
    if not files:
        return simulations
    _check_library()
    if len({file.name for file in files}) < len(files):
        raise CombinatError(
            "--simulation: two files have one name; give each file once, under a name of its own"
        )
    for file in files:
        try:
            content = plain_bytes(file, MOST_FILE_BYTES, links=True)
        except FileError as error:
            raise CombinatError(f"--simulation: {file}: {error.why}") from None
        book, verdict = _judged(file, content, books)
        if verdict.shoe.decks not in decks[book.game.id]:
            raise CombinatError(
                f"--simulation: {file} is of {verdict.shoe.size} cards; this report is of fresh shoes of "
                f"{', '.join(map(str, decks[book.game.id]))} decks"
            )
        simulations.contents.setdefault(book.game.id, {})[file.name] = content
        simulations.verdicts.setdefault(book.game.id, []).append(verdict)
        if verdict.word is not Word.AGREES:
            said = verdict.sentence.removeprefix("Verdict: ")
            warn(f"{file}: {said}")
    for verdicts in simulations.verdicts.values():
        verdicts.sort(key=lambda verdict: verdict.file)
    return simulations


def judged_again(book: RuleBook, contents: Files) -> list[Verdict]:
    """What is said of the files that travel in a report's folder, in the order of their names."""
    _check_library()
    from combinat.audit.judgement import ALPHA
    from combinat.audit.verdict import verdict_of_bytes

    return [verdict_of_bytes(name, contents[name], book, ALPHA) for name in sorted(contents)]


def _judged(file: Path, content: bytes, books: Sequence[RuleBook]) -> tuple[RuleBook, Verdict]:
    from combinat.audit.judgement import ALPHA
    from combinat.audit.verdict import game_named, verdict_of_bytes

    name = file.name
    if not is_plain(name):
        raise CombinatError(f"--simulation: {name!r} cannot be the name of a file in a report; rename it")
    about = game_named(file)
    book = next((book for book in books if book.game.id == about), None)
    if book is None:
        raise CombinatError(
            f"--simulation: {name} is about {about or 'a game that it does not name'}; this report is of "
            f"{', '.join(book.game.id for book in books)}"
        )
    return book, verdict_of_bytes(name, content, book, ALPHA)


def _check_library() -> None:
    if find_spec("scipy") is None:
        raise MissingLibraryError("judging a simulation needs scipy: pip install 'combinat[crosscheck]'")
