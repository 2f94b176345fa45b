"""The workers of a study: blocks dealt in this process, in others, or on a cluster, in any order, to the same sums.

Each block has its own random stream and its sums are whole numbers, so it does not matter who deals which block, or
when. Blocks are kept from the first on: an interrupted run continues after its last kept block.
"""

import asyncio
import concurrent.futures
import logging
import os
import re
import socket
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from combinat import __version__
from combinat.base.errors import InputError, MissingLibraryError, shortened
from combinat.base.processes import deaf, safe_path, worker_pool
from combinat.protection.study import Blocks, BlockSums, Study
from combinat.protection.study_block import Dealer
from combinat.rules.book.load import parsed_rule_book

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
    """One block of a task, dealt in this process."""
    if task.version != __version__:
        raise InputError(f"a worker has combinat {__version__}, and {task.version} asks; install one version")
    return number, _dealer(task.content, task.name, task.study).block(number)


@lru_cache(maxsize=2)
def _dealer(content: bytes, name: str, study: Study) -> Dealer:
    return Dealer(parsed_rule_book(content, Path(name)).game, study)


class Workers(Protocol):
    """The dealers of a task's blocks."""

    def made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        """These blocks in any order, some at a time; an empty list now and then, so that a caller can stop."""


class Here:
    """The present process alone."""

    def made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        """These blocks, one at a time."""
        for number in numbers:
            yield [made(task, number)]


def dealt(
    task: Task,
    begun: Blocks,
    workers: Workers,
    goes_on: Callable[[Blocks], bool],
) -> Blocks:
    """The sums of a study's blocks, after those already dealt, to the last block or until ``goes_on`` is false."""
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


def next_few(numbers: Iterator[int], few: int) -> list[int]:
    """The next numbers, at most ``few``."""
    return list(islice(numbers, max(0, few)))


# ---------------------------------------------------------------- processes

PATIENCE = 5
"""The number of times in a row that all workers may die before a block is done."""

LOOK_UP = 1
"""Seconds after which a caller gets control, though no block is done."""


@dataclass(frozen=True)
class Processes:
    """Processes of this machine. The blocks of one that dies are dealt again."""

    number: int

    def made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        """These blocks, in the order in which they are done."""
        with safe_path():
            yield from self._made(task, numbers)

    def _made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        left, lost, deaths = iter(numbers), list[int](), 0
        while True:
            with worker_pool(self.number) as pool:
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
                        raise InputError(
                            f"the workers died {deaths} times in a row, at block {lost[0]}; is there enough memory?"
                        ) from None
                finally:
                    pool.shutdown(wait=True, cancel_futures=True)


# ---------------------------------------------------------------- a cluster of dask.distributed

LOCAL = "local"
_ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:\d{1,5}", re.ASCII)
TO_CONNECT = 10
"""Seconds within which a scheduler must answer."""


@dataclass(frozen=True)
class Cluster:
    """A cluster: ``local`` for one of this machine's own, else the address of a scheduler.

    A worker that dies loses its block, which another one deals.
    """

    address: str

    def __post_init__(self) -> None:
        if self.address != LOCAL and not _ADDRESS.fullmatch(self.address):
            raise InputError(
                f'found "{shortened(self.address)}"; write {LOCAL} or the address of a scheduler, such as '
                "tcp://10.0.0.5:8786"
            )
        if find_spec("distributed") is None:
            raise MissingLibraryError("a cluster needs dask.distributed: pip install '.[cluster]'")

    def made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        """These blocks, in the order in which they are done."""
        left = iter(numbers)
        with ExitStack() as open_until_the_end:
            open_until_the_end.enter_context(safe_path())
            client = self._client(open_until_the_end)
            # The task is sent once; a block then costs its number.
            known = client.scatter(task, broadcast=True)
            under_way: list[Any] = []
            while True:
                few = 2 * max(1, len(client.nthreads())) - len(under_way)
                under_way += [
                    client.submit(made, known, block, key=f"block-{block}-{os.urandom(8).hex()}", pure=False)
                    for block in next_few(left, few)
                ]
                if not under_way:
                    return
                finished, under_way = self._finished(under_way)
                yield finished

    def _client(self, stack: ExitStack) -> Any:
        from distributed import Client, LocalCluster

        _silence()
        try:
            if self.address != LOCAL:
                self._knock()
                return stack.enter_context(Client(self.address, timeout=TO_CONNECT))
            cores = os.cpu_count() or 1
            with deaf():
                cluster = LocalCluster(
                    n_workers=cores,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=":0",  # any port: the usual one may be taken
                    silence_logs=logging.CRITICAL,
                )
            return stack.enter_context(Client(stack.enter_context(cluster)))
        except (OSError, OverflowError) as error:
            raise InputError(
                f"{self.address}: no scheduler answers ({error}); start one with dask scheduler"
            ) from None

    def _knock(self) -> None:
        """Fail at once if nothing listens; the library would try until its time-out."""
        host, _, port = self.address.partition("://")[2].rpartition(":")
        socket.create_connection((host.strip("[]"), int(port)), TO_CONNECT).close()

    def _finished(self, under_way: list[Any]) -> tuple[list[Made], list[Any]]:
        """The finished blocks, and those still being dealt."""
        from distributed import wait

        try:
            wait(under_way, timeout=LOOK_UP, return_when="FIRST_COMPLETED")
        except TimeoutError:
            pass
        except _GONE:
            raise self._gone() from None
        done = [future for future in under_way if future.done()]
        return [self._result(future) for future in done], [one for one in under_way if one not in done]

    def _gone(self) -> InputError:
        return InputError(f"{self.address}: the cluster is gone; what was dealt is kept")

    def _result(self, future: Any) -> Made:
        from distributed import KilledWorker

        if future.status not in ("finished", "error"):
            raise self._gone()
        try:
            result: Made = future.result()
        except _GONE:
            raise self._gone() from None
        except KilledWorker:
            raise InputError(
                f"{self.address}: a block was lost by several workers in turn; is there enough memory?"
            ) from None
        except ImportError as error:
            raise InputError(
                f"{self.address}: a worker cannot load combinat ({error}); install it there"
            ) from None
        return result


_GONE = (OSError, asyncio.CancelledError, concurrent.futures.CancelledError)
"""The errors of the library when the scheduler or the workers cannot be reached."""


def _silence() -> None:
    """Silence the libraries: the program reports errors itself, in one line."""
    loud = ("distributed", "tornado", "asyncio", "bokeh")
    for name in [*loud, *logging.root.manager.loggerDict]:  # many set a level of their own
        if name.partition(".")[0] in loud:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module=r"distributed\b")


# ---------------------------------------------------------------- which of them


SHOES_A_PROCESS = 1_000
"""A process is started for this number of shoes: fewer are dealt sooner than it starts."""


def workers_for(shoes: int, workers: int | None, cluster: str | None) -> Workers:
    """Return the workers for this number of shoes: this process, processes of this machine, or a cluster."""
    if cluster is not None:
        return Cluster(cluster)
    number = min(workers or os.cpu_count() or 1, shoes // SHOES_A_PROCESS)
    return Processes(number) if number > 1 else Here()
