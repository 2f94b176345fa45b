"""Workers of a study: processes of this machine, one for each core."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import wait as wait_for

from combinat.base.errors import WorkerError
from combinat.protection.study_run import Made, Task, made, next_few

PATIENCE = 5
"""How often in a row all workers may die before a block is done."""

LOOK_UP = 1
"""Seconds after which a caller may look up, though nothing is done."""


@dataclass(frozen=True)
class Processes:
    """So many processes. One that dies loses the blocks that are under way, and they are dealt again."""

    number: int

    def made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        """These blocks, as they are done."""
        with safe_path():
            yield from self._made(task, numbers)

    def _made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        left, lost, deaths = iter(numbers), list[int](), 0
        while True:
            with self._pool() as pool:
                under_way: dict[Future[Made], int] = {}
                try:
                    while True:
                        few = 2 * self.number - len(under_way)
                        now, lost = lost[:few], lost[few:]
                        for block in [*now, *next_few(left, few - len(now))]:
                            under_way[pool.submit(made, task, block)] = block
                        if not under_way:
                            return
                        done, _ = wait(under_way, timeout=LOOK_UP, return_when=FIRST_COMPLETED)
                        finished = [future.result() for future in done]
                        for future in done:
                            del under_way[future]
                        deaths = 0 if finished else deaths
                        yield finished
                except BrokenProcessPool:
                    deaths += 1
                    lost = sorted({*under_way.values(), *lost})
                    if deaths >= PATIENCE:
                        raise WorkerError(
                            f"the workers died {deaths} times in a row, at block {lost[0]}; is there enough memory?"
                        ) from None
                finally:
                    pool.shutdown(wait=True, cancel_futures=True)

    def _pool(self) -> ProcessPoolExecutor:
        """The processes, and what the library starts beside them."""
        with deaf():
            pool = ProcessPoolExecutor(
                self.number, mp_context=multiprocessing.get_context("spawn"), initializer=_begin
            )
            for _ in range(self.number):
                pool.submit(os.getpid)  # each starts a process, as long as none is waiting for work
        return pool


def _begin() -> None:
    """Make a process a worker: signals are for the program that started it, and it ends when that one does."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)


SAFE_PATH = "PYTHONSAFEPATH"
"""The environment variable by which Python leaves the current folder off its module path."""


@contextmanager
def safe_path() -> Iterator[None]:
    """Processes started here import no module from the current folder.

    multiprocessing starts each process with ``python -c``, which searches the current folder first. Files of a
    stranger may lie there. A process can start at any time while a pool is open, so this surrounds all of it.
    """
    if sys.flags.ignore_environment and not sys.flags.safe_path:
        raise WorkerError(
            "Python was started with -E, so worker processes would import modules from the current folder; use -I"
        )
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(SAFE_PATH, None)
        else:
            os.environ[SAFE_PATH] = before


@contextmanager
def deaf() -> Iterator[None]:
    """Processes and threads started here never hear Ctrl-C: it is for the program, which hears it a moment later.

    A signal that is held back is held back in all that is started meanwhile, and is delivered here at the end.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield  # a system that knows no such thing
        return
    # The library's own helper hears nothing either; but starting it lets signals through again, so it is started first.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
