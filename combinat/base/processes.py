"""Worker processes: they import nothing from the current folder, ignore Ctrl-C, and end with the program."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import wait as wait_for
from typing import TypeVar

from combinat.base.errors import InputError

Task = TypeVar("Task")
Result = TypeVar("Result")


def worker_pool(number: int) -> ProcessPoolExecutor:
    """Return a pool of started processes. Open it within ``safe_path``."""
    with interrupts_blocked():
        pool = ProcessPoolExecutor(
            number, mp_context=multiprocessing.get_context("spawn"), initializer=_begin
        )
        for _ in range(number):
            pool.submit(os.getpid)  # each task starts a process as long as no process is idle
    return pool


def side_by_side(
    work: Callable[[Task], Result], tasks: Sequence[Task], workers: int, size: Callable[[Task], int]
) -> Iterator[Result]:
    """Yield the result of each task, in order; with two or more workers the tasks run in that many processes.

    The largest by ``size`` begin first, so that all processes are busy to the end.
    """
    if min(workers, len(tasks)) < 2:
        yield from map(work, tasks)
        return
    with ExitStack() as stack:
        stack.enter_context(safe_path())
        pool = stack.enter_context(worker_pool(min(workers, len(tasks))))
        stack.callback(pool.shutdown, wait=True, cancel_futures=True)
        largest_first = sorted(range(len(tasks)), key=lambda place: -size(tasks[place]))
        results = {place: pool.submit(work, tasks[place]) for place in largest_first}
        for place, task in enumerate(tasks):
            try:
                yield results[place].result()
            except BrokenProcessPool:  # a worker was killed: do its task here
                yield work(task)


def _begin() -> None:
    """Make this process a worker: it ignores signals, and ends when the program that started it ends."""
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
    """Keep processes started in this block from importing modules from the current folder.

    multiprocessing starts each process with ``python -c``, which searches the current folder first. That
    folder may hold untrusted files. A process can start at any time while a pool is open, so the block
    contains all of its use.
    """
    if sys.flags.ignore_environment and not sys.flags.safe_path:
        raise InputError(
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
def interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C in processes and threads that are started here; the program receives it afterwards.

    New processes and threads inherit the blocked signals.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield  # not on this system
        return
    # Starting the library's helper unblocks signals, so it is started first.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
