"""The workers of a study: blocks dealt in this process, in others, or on a cluster, in any order, to the same sums.

Each block has its own random stream and its sums are whole numbers, so it does not matter who deals which
block, or when. Blocks are kept from the first on: an interrupted run continues after its last kept block.
"""

import logging
import os
import re
import socket
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from combinat import __version__
from combinat.base.errors import InputError, MissingLibraryError, shortened
from combinat.base.processes import interrupts_blocked, safe_path, worker_pool
from combinat.protection.study import Blocks, BlockSums, Study
from combinat.protection.study_block import Dealer
from combinat.rules.book.load import parsed_game
from combinat.rules.converters import whole_number

Made = tuple[int, BlockSums]
"""A block's number and its sums."""


@dataclass(frozen=True)
class Task:
    """The input of a worker: the bytes of the rule book, the name of its file, and the study.

    ``version``: that of the combinat which asks. Another version might deal other shoes.
    """

    content: bytes
    name: str
    study: Study
    version: str = __version__


def made(task: Task, number: int) -> Made:
    """Deal one block of a task in this process."""
    if task.version != __version__:
        raise InputError(f"a worker has combinat {__version__}, and {task.version} asks; install one version")
    return number, _dealer(task.content, task.name, task.study).block(number)


@lru_cache(maxsize=2)
def _dealer(content: bytes, name: str, study: Study) -> Dealer:
    return Dealer(parsed_game(content, Path(name)), study)


LOOK_UP = 1
"""Seconds after which a caller gets control, though no block is done."""

PATIENCE = 5
"""The number of times in a row that all processes may die before a block is done."""

LOCAL = "local"
_ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:\d{1,5}", re.ASCII)

TO_CONNECT = 10
"""Seconds within which a scheduler must answer."""

MOST_WORKERS = 1024

SHOES_A_PROCESS = 1_000
"""A process is started for this number of shoes: fewer are dealt sooner than it starts."""


@dataclass(frozen=True)
class Workers:
    """The dealers of blocks: ``number`` processes of this machine, one for this process alone, or a dask cluster.

    ``cluster``: ``local`` for one of this machine's own, else the address of a scheduler.
    """

    number: int = 1
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.cluster is None:
            return
        if self.cluster != LOCAL and not _ADDRESS.fullmatch(self.cluster):
            raise InputError(
                f'found "{shortened(self.cluster)}"; write a number of processes, {LOCAL}, or the address of a '
                "scheduler, such as tcp://10.0.0.5:8786"
            )
        if find_spec("distributed") is None:
            raise MissingLibraryError("a cluster needs dask.distributed: pip install '.[cluster]'")

    def made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        """Yield these blocks in any order, some at a time; an empty list now and then, so that a caller can stop.

        The blocks of processes that die are dealt again; a cluster does so by itself.
        """
        if self.cluster is None and self.number < 2:
            yield from ([made(task, number)] for number in numbers)
            return
        left, deaths = deque(numbers), 0
        with safe_path():
            while left:
                under_way: dict[Future[Made], int] = {}
                with ExitStack() as stack:
                    pool = self._cluster(stack, task) if self.cluster else self._processes(stack, task)
                    try:
                        while left or under_way:
                            while left and len(under_way) < 2 * pool.workers():
                                block = left.popleft()
                                under_way[pool.submit(block)] = block
                            done, _ = wait(under_way, timeout=LOOK_UP, return_when=FIRST_COMPLETED)
                            finished = [self._result(future) for future in done]
                            for future in done:
                                del under_way[future]
                            deaths = 0 if finished else deaths
                            yield finished
                    except BrokenProcessPool:
                        deaths += 1
                        left.extendleft(sorted(under_way.values(), reverse=True))
                        if deaths >= PATIENCE:
                            raise InputError(
                                f"the workers died {deaths} times in a row, at block {left[0]}; is there enough memory?"
                            ) from None

    def _processes(self, stack: ExitStack, task: Task) -> "_Pool":
        pool = stack.enter_context(worker_pool(self.number))
        stack.callback(pool.shutdown, wait=True, cancel_futures=True)
        return _Pool(lambda block: pool.submit(made, task, block), lambda: self.number)

    def _cluster(self, stack: ExitStack, task: Task) -> "_Pool":
        from distributed import Client, LocalCluster

        _silence()
        try:
            if self.cluster == LOCAL:
                with interrupts_blocked():
                    where = LocalCluster(
                        n_workers=os.cpu_count() or 1,
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address=":0",  # any port: the usual one may be taken
                        silence_logs=logging.CRITICAL,
                    )
                client = stack.enter_context(Client(stack.enter_context(where)))
            else:
                self._check_connection()
                client = stack.enter_context(Client(self.cluster, timeout=TO_CONNECT))
        except (OSError, OverflowError) as error:
            raise InputError(
                f"{self.cluster}: no scheduler answers ({error}); start one with dask scheduler"
            ) from None
        # The task is sent once; a block then costs its number.
        known, executor = client.scatter(task, broadcast=True), client.get_executor(pure=False)
        return _Pool(
            lambda block: executor.submit(made, known, block), lambda: max(1, len(client.nthreads()))
        )

    def _check_connection(self) -> None:
        """Fail at once if nothing listens; the library would retry until its time-out."""
        host, _, port = str(self.cluster).partition("://")[2].rpartition(":")
        socket.create_connection((host.strip("[]"), int(port)), TO_CONNECT).close()

    def _result(self, future: "Future[Made]") -> Made:
        """Return a block that is done; put the errors of a cluster in words."""
        try:
            return future.result()
        except (OSError, CancelledError):
            raise InputError(f"{self.cluster}: the cluster is gone; what was dealt is kept") from None
        except ImportError as error:
            raise InputError(
                f"{self.cluster}: a worker cannot load combinat ({error}); install it there"
            ) from None
        except Exception as error:
            if type(error).__name__ == "KilledWorker":  # of a library that only a cluster needs
                raise InputError(
                    f"{self.cluster}: a block was lost by several workers in turn; is there enough memory?"
                ) from None
            raise


class _Pool(NamedTuple):
    """Workers that are ready: ``submit`` hands a block over, ``workers`` is their present number."""

    submit: "Callable[[int], Future[Made]]"
    workers: Callable[[], int]


def _silence() -> None:
    """Silence the libraries: the program reports errors itself, in one line."""
    loud = ("distributed", "tornado", "asyncio", "bokeh")
    for name in [*loud, *logging.root.manager.loggerDict]:  # many set a level of their own
        if name.partition(".")[0] in loud:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module=r"distributed\b")


def workers_for(shoes: int, workers: int | str | None) -> Workers:
    """Return the workers for this number of shoes.

    ``workers``: the number of processes, None for one for each core; or a cluster.
    """
    if isinstance(workers, str) and not workers.isdecimal():
        return Workers(cluster=workers)
    number = os.cpu_count() or 1 if workers is None else whole_number("workers", workers, 1, MOST_WORKERS)
    return Workers(min(number, shoes // SHOES_A_PROCESS))


def dealt(
    task: Task,
    begun: Blocks,
    workers: Workers,
    goes_on: Callable[[Blocks], bool],
) -> Blocks:
    """Return the sums of a study's blocks, after those already dealt, to the last block or until ``goes_on`` is false."""
    blocks, waiting = list(begun), dict[int, BlockSums]()
    numbers = iter(range(len(begun), task.study.blocks))
    with closing(workers.made(task, numbers)) as made_by_them:
        for some in made_by_them:
            waiting |= dict(some)
            while len(blocks) in waiting:
                blocks.append(waiting.pop(len(blocks)))
            if not goes_on(tuple(blocks)):
                break
    return tuple(blocks)
