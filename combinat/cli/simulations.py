"""The simulations of a report: its own, and files; judged when it is written, and again when it is verified."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from combinat.analysis.verdict import Verdict, Word
from combinat.certify.folder import MOST_FILE_BYTES, is_plain
from combinat.cli.output import warn
from combinat.errors import CombinatError
from combinat.library.redrawing import check_library, judged_again
from combinat.render.files import FileError, plain_bytes
from combinat.rules.rulebook import RuleBook
from combinat.simulate.counted import counted
from combinat.simulate.own import NAME, ROUNDS, own_simulation, why_none


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


OWN, NONE = "own", "none"
"""What may be asked for instead of a file."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The simulations that a report is to show: files, and how many rounds of its own; 0: none of its own."""

    files: tuple[Path, ...] = ()
    own_rounds: int = 0


LEAST_ROUNDS = 10_000
"""Fewer rounds can disagree and cannot agree."""


def asked(words: Sequence[str], rounds: int | None) -> Asked:
    """What the options ask for: the report's own simulation where they say nothing."""
    own = not words or OWN in words
    if rounds is not None and not own:
        raise CombinatError(
            f"--simulation-rounds is for the report's own simulation; leave it out, or add --simulation {OWN}"
        )
    if NONE in words and len(words) > 1:
        raise CombinatError(f"--simulation: found {NONE} beside others; write {NONE} alone, or leave it out")
    wanted = Asked(
        files=tuple(Path(word) for word in words if word not in (OWN, NONE)),
        own_rounds=(rounds or ROUNDS) if own else 0,
    )
    if wanted.files or wanted.own_rounds:
        check_library(f", or leave it out with --simulation {NONE}")
    names = [file.name for file in wanted.files]
    if wanted.own_rounds and NAME in names:
        raise CombinatError(
            f"--simulation: {NAME} is the name of the report's own simulation; give the file another name"
        )
    if len(set(names)) < len(names):
        raise CombinatError(
            "--simulation: two files have one name; give each file once, under a name of its own"
        )
    return wanted


def judged(files: Sequence[Path], books: Sequence[RuleBook], decks: dict[str, list[int]]) -> Simulations:
    """The files, judged; one that does not agree is warned of."""
    simulations = Simulations()
    for file in files:
        try:
            content = plain_bytes(file, MOST_FILE_BYTES, links=True)
        except FileError as error:
            raise CombinatError(
                f"--simulation: {file}: {error.why}; write {OWN}, {NONE}, or the path of a counts file or a hand log"
            ) from None
        book, verdict = _judged(file, content, books)
        if verdict.shoe.decks not in decks[book.game.id]:
            raise CombinatError(
                f"--simulation: {file} is of {verdict.shoe.size} cards; this report is of fresh shoes of "
                f"{', '.join(map(str, decks[book.game.id]))} decks"
            )
        _add(simulations, book.game.id, verdict, content, str(file))
    return simulations


OWN_STEPS = 4
"""How many steps the dealing of a report's own simulation reports."""


def deal_own(
    simulations: Simulations, book: RuleBook, decks: int, rounds: int, advance: Callable[[int], None]
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
            f"{book.game.id}: the report's own simulation cannot be judged: {error}; write --simulation {NONE}"
        ) from None
    _add(simulations, book.game.id, verdict, content, f"{book.game.id}: the report's own simulation")


def _add(simulations: Simulations, game: str, verdict: Verdict, content: bytes, said: str) -> None:
    """Put a simulation among those of its game, in the order of their names; warn where it does not agree."""
    simulations.contents.setdefault(game, {})[verdict.file] = content
    verdicts = simulations.verdicts.setdefault(game, [])
    verdicts.append(verdict)
    verdicts.sort(key=lambda one: one.file)
    if verdict.word is not Word.AGREES:
        warn(f"{said}: {verdict.sentence.removeprefix('Verdict: ')}")


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
