"""A study dealt block by block, in this process or in others, in any order, to the same sums.

Each block has its own random stream and its sums are whole numbers, so it does not matter who deals which block, or
when. Blocks are kept from the first on: an interrupted run continues after its last kept block.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Protocol

from combinat import __version__
from combinat.base.errors import InputError
from combinat.base.processes import safe_path, worker_pool
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
