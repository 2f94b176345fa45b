"""``combinat doctor``: the installed libraries, and small pieces of the real work tried on this machine."""

import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import typer

from combinat.base.errors import CombinatError, shortened
from combinat.cli.answers import FormatOption
from combinat.cli.output import one_line, say
from combinat.render.text import Format, as_json, rendered
from combinat.report.doctor import (
    DOCTOR,
    TRIALS,
    Library,
    Machine,
    Trial,
    TrialState,
    machine_document,
)
from combinat.report.relation_tables import program_table

_REQUIREMENT = re.compile(r"([\w.-]+)\s*(\[[^\]]*\])?\s*([^;]*?)\s*(?:;.*extra == ['\"]([\w-]+)['\"].*)?")
_FOR_DEVELOPERS = ("dev", "docs")


def doctor(form: FormatOption = Format.TEXT) -> None:
    """Show the installed libraries, and whether the program works on this machine.

    Exit codes: 0, what is installed works; 1, something fails.
    """
    machine = Machine(
        python=f"{platform.python_version()} ({platform.python_implementation()})",
        system=f"{platform.system()} {platform.machine()}",
        libraries=tuple(libraries(metadata.requires("combinat") or ())),
        trials=tuple(trials(Path.cwd())),
    )
    if form is Format.JSON:
        say(as_json(DOCTOR.object(machine)))
    else:
        block = program_table(TRIALS, machine.trials) if form is Format.CSV else machine_document(machine)
        say(rendered([block], form))
    raise typer.Exit(0 if machine.holds else 1)


def libraries(requirements: Sequence[str]) -> list[Library]:
    """The libraries that these requirements name, with the versions here; those of extras last."""
    named = []
    for requirement in requirements:
        match = _REQUIREMENT.fullmatch(requirement)
        if match and not match[2] and match[4] not in _FOR_DEVELOPERS:
            version = _installed(match[1])
            named.append(Library(name=match[1], wanted=match[3], extra=match[4] or "", version=version))
    return sorted(named, key=lambda library: (library.extra, library.name))


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def trials(folder: Path) -> Iterator[Trial]:
    """Every trial, in order. ``folder``: the folder for reports."""
    yield run_trial("read the rule books", _rule_books)
    yield run_trial("count exactly", _odds)
    if find_spec("numba") is None:
        install = "numba is not installed: pip install '.[fast]'"
        yield Trial(what="compile the kernel", state=TrialState.MISSING, said=install)
    else:
        yield run_trial("compile the kernel", _kernel)
    yield run_trial("write files here", lambda: _file_writing(folder))
    yield run_trial("print every letter", _terminal_encoding)


def run_trial(what: str, attempt: Callable[[], str]) -> Trial:
    """Run one trial; any exception is a failure."""
    try:
        return Trial(what=what, state=TrialState.WORKS, said=attempt())
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also a panic of a library in another language
        why = str(error) if isinstance(error, CombinatError) else f"{type(error).__name__}: {error}"
        return Trial(what=what, state=TrialState.FAILS, said=shortened(one_line(why), 300))


def _rule_books() -> str:
    """Every shipped rule book is there and passes all checks."""
    from combinat.rules.book.find import checked_sums, rule_book_paths
    from combinat.rules.book.load import examined_file

    paths = rule_book_paths()
    if lost := [game_id for game_id in checked_sums() if game_id not in paths]:
        raise CombinatError(f"no rule book of {', '.join(lost)} in tables/; install combinat again")
    bets = 0
    for path in paths.values():
        game, mistakes = examined_file(path)
        if game is None:
            raise CombinatError(f"{path.name}: {mistakes[0]}")
        bets += len(game.bets)
    return f"{len(paths)} rule books, {bets} bets"


def _odds() -> str:
    """The number of sequences of six cards of eight decks is right."""
    from combinat.engine.walk import walk
    from combinat.rules.shoe import Shoe

    sequences = walk(Shoe.of_decks(8)).sample_space
    if sequences != 416 * 415 * 414 * 413 * 412 * 411:
        raise CombinatError(f"found {sequences} card sequences of 8 decks")
    return f"{sequences} card sequences of 8 decks"


def _kernel() -> str:
    from combinat.engine import kernel

    if not kernel.load():
        raise CombinatError("numba is installed but cannot be used here; shoes are evaluated without it")
    return "compiled and loaded"


def _file_writing(folder: Path) -> str:
    from combinat.base.files import write_whole

    with tempfile.TemporaryDirectory(dir=folder, prefix=".combinat-doctor.") as name:
        write_whole(Path(name) / "trial.txt", "combinat")
    free = shutil.disk_usage(folder).free // 1_000_000
    if free < 50:
        raise CombinatError(f"only {free} MB are free; the report of a game takes about 20")
    return f"{free} MB are free"


def _terminal_encoding() -> str:
    encoding = getattr(sys.stdout, "encoding", None) or "none"
    try:
        "\N{GREEK SMALL LETTER SIGMA}\N{MINUS SIGN}\N{BLACK SPADE SUIT}".encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return f"{encoding}: letters it lacks are shown as escapes; PYTHONIOENCODING=utf-8 shows them"
    return encoding
