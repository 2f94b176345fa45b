"""Printing: results on standard output, one-line messages on standard error.

Characters that the terminal's encoding lacks are printed as backslash escapes. Output that cannot be written is an
error (exit code 2), whatever the verdict.
"""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from combinat.base.errors import CombinatError, printable

_MOST = 1000
_HEAD, _TAIL = 700, 250


class OutputError(CombinatError):
    """A standard stream that cannot be written to."""


class ReaderGoneError(CombinatError):
    """Standard output is a pipe whose reader has closed it, as after ``| head -1``."""


def open_streams() -> None:
    """Prepare the standard streams; refuse to begin if standard output is closed."""
    _cautions.clear()
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # so that no file of ours gets the number of a standard stream
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (until the program ends)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if sys.stdout is None:
        raise OutputError("standard output is closed; send it to a file or to a terminal")


@contextmanager
def standard_output() -> Iterator[TextIO]:
    """Standard output; a failure to write becomes an error of ours."""
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderGoneError("nobody reads standard output any more") from None
    except CombinatError:
        raise  # a mistake of the user, found while the output is written
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise OutputError(f"standard output cannot be written to ({why}); nothing more is printed") from None


_diverted: list[list[str]] = []
_cautions: list[str] = []


def caution(message: str) -> None:
    """Warn about the next result; without a result there is no warning."""
    if message not in _cautions:
        _cautions.append(message)


def say(text: str) -> None:
    """Print a result, after the warnings about it."""
    while _cautions:
        warn(_cautions.pop(0))
    if _diverted:
        _diverted[-1].append(text)
        return
    with standard_output() as stream:
        print(text, file=stream)


def say_line(text: str) -> None:
    """Print a line that holds text from a file or a user: escaped, and wrapped on a terminal."""
    from combinat.render.escape import for_text  # most print tables
    from combinat.render.text import line_of_text

    say(line_of_text(for_text(text), "  "))


@contextmanager
def collecting_output() -> Iterator[list[str]]:
    """Collect the results printed within, instead of printing them."""
    _diverted.append([])
    try:
        yield _diverted[-1]
    finally:
        _diverted.pop()


def tell(message: str) -> None:
    """Print an error on standard error; if that fails, the exit code still reports it."""
    with suppress(OSError, ValueError):
        _tell(message)


_quiet = [False]


@contextmanager
def quietly(wanted: bool) -> Iterator[None]:
    """Suppress warnings and progress within, if ``wanted``."""
    before, _quiet[0] = _quiet[0], wanted
    try:
        yield
    finally:
        _quiet[0] = before


def is_quiet() -> bool:
    """Whether warnings and progress are suppressed."""
    return _quiet[0]


def warn(message: str) -> None:
    """Print a warning on standard error, unless quiet; a warning that cannot be printed is an error."""
    if is_quiet():
        return
    try:
        _tell(f"warning: {message}")
    except (OSError, ValueError):
        raise OutputError(f"standard error cannot be written to; the warning was: {message}") from None


def _tell(message: str) -> None:
    print(f"combinat: {one_line(message)}", file=sys.stderr, flush=True)


def one_line(message: str) -> str:
    r"""A message as one line that prints, shortened in the middle if it is very long.

    >>> one_line("two\nlines")
    'two lines'
    """
    line = printable(" ".join(message.splitlines()))
    return line if len(line) <= _MOST else f"{line[:_HEAD]} ... {line[-_TAIL:]}"


def abandon_output() -> None:
    """Drop what could not be printed, so that the end of the program does not try it again."""
    if sys.stdout is None:
        return
    with suppress(OSError, ValueError):  # a stream that is no file has nothing to drop
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
