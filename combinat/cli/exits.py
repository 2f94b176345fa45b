"""Exit codes, and the one place where the program turns an error or a signal into one.

0: done, or it holds. 1: it was checked and does not hold; nothing else. 2: it could not be done or checked, because of a
mistake, a file or a device. 70: an unforeseen fault. 128 plus the number of the signal that stopped the program:
130 Ctrl-C, 143 SIGTERM, 129 SIGHUP.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from combinat.base.errors import CombinatError
from combinat.cli.output import (
    OutputError,
    ReaderGoneError,
    abandon_output,
    open_streams,
    standard_output,
    tell,
)

FAILED = 2
FAULT = 70
DEBUG = "COMBINAT_DEBUG"
"""The environment variable that shows where an unforeseen fault came from, as the option does."""

_shows_faults = [False]


def show_faults() -> None:
    """Print the traceback of an unforeseen fault from now on."""
    _shows_faults[0] = True


SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]  # Windows has no SIGHUP


def stopped_by(number: int) -> int:
    """The exit code of a program that a signal stopped."""
    return 128 + number


def ending(program: Callable[[], Any]) -> int:
    """Run a program and return its exit code, also if it raises or is stopped by a signal."""
    _shows_faults[0] = bool(os.environ.get(DEBUG))
    with _signals() as received:
        code = _ended(program)
    return stopped_by(received[0]) if received else code


def _ended(program: Callable[[], Any]) -> int:
    try:
        open_streams()
        code = program()
        with standard_output():
            pass  # flushed, while a failure can still be reported
        return code if isinstance(code, int) else 0
    except ReaderGoneError:
        abandon_output()
        return FAILED
    except CombinatError as error:
        if isinstance(error, OutputError):
            abandon_output()
        tell(str(error))
        return FAILED
    except KeyboardInterrupt:
        return stopped_by(signal.SIGINT)
    except SystemExit as leaving:  # of a library; its exit code is not a verdict
        abandon_output()
        return FAILED if leaving.code else 0
    except OSError as error:
        return _failed(error)
    except MemoryError:
        tell("not enough memory")
        return FAILED
    except BaseException as fault:  # also a panic of a library in another language
        return _fault(fault)


def _failed(error: OSError) -> int:
    """Report a file or device that failed unexpectedly."""
    try:
        with standard_output():
            pass  # what could not be printed is still there to be tried again
    except ReaderGoneError:
        abandon_output()
    except OutputError as output:
        abandon_output()
        tell(str(output))
    else:
        if not isinstance(error, BrokenPipeError):
            where = f"{error.filename}: " if error.filename else ""
            tell(f"{where}the system refuses ({error.strerror or error})")
    _show(error)
    return FAILED


def _fault(fault: BaseException) -> int:
    said = f": {fault}" if str(fault) else ""
    tell(
        f"an unforeseen fault: {type(fault).__name__}{said}; please report this (combinat --debug COMMAND shows where)"
    )
    _show(fault)
    return FAULT


def _show(error: BaseException) -> None:
    if _shows_faults[0] and sys.stderr is not None:
        import traceback  # only a fault needs it

        traceback.print_exception(error)


@contextmanager
def _signals() -> Iterator[list[int]]:
    """The signal that stopped the program, if any: each acts as Ctrl-C, so that unfinished files are removed.

    A second signal does not interrupt the removal. Signals that the caller ignores stay ignored (``nohup``).
    """
    received: list[int] = []
    before = {number: signal.getsignal(number) for number in SIGNALS}
    heard = [number for number in SIGNALS if before[number] is not signal.SIG_IGN]

    def stop(number: int, frame: object) -> None:
        for other in heard:
            signal.signal(other, signal.SIG_IGN)
        received.append(number)
        raise KeyboardInterrupt

    try:
        for number in heard:
            signal.signal(number, stop)
        yield received
    finally:
        for number in heard:
            signal.signal(number, before[number])


Received = Callable[[], int]
"""The number of the signal that stops a simulation, or 0."""


@contextmanager
def interruption() -> Iterator[Received]:
    """The signal that stops the program: the first one is recorded, so that the current block can finish.

    A second one stops the program at once, and nothing is written.
    """
    received = 0

    def note(number: int, frame: object) -> None:
        nonlocal received
        received = number
        restore()

    def restore() -> None:
        for number in heard:
            signal.signal(number, before[number])

    before = {number: signal.getsignal(number) for number in SIGNALS}
    heard = [number for number in SIGNALS if before[number] is not signal.SIG_IGN]
    for number in heard:
        signal.signal(number, note)
    try:
        yield lambda: received
    finally:
        restore()
