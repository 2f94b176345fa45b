"""A study dealt block by block, by as many workers as there are, in any order, to the same sums.

The blocks are numbered, each has a stream of chance of its own, and their sums are whole numbers: so it does not
matter who deals which, nor when. They are added up from the first on, so that what was done is always the blocks up
to some number, and a run that was stopped can go on from there.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Protocol

from combinat import __version__
from combinat.base.errors import WorkerError
from combinat.protection.study import Block, Dealt, Study, Sums
from combinat.protection.study_block import Dealer
from combinat.protection.sums_checksum import block_of
from combinat.rules.book.load import parsed_rule_book

Made = tuple[int, Block, Sums]
"""A block's number, what is kept of it, and its sums."""


@dataclass(frozen=True)
class Task:
    """What a worker has to know: the bytes of the rule book, the name of its file, and the study.

    ``version``: of the combinat that asks; another one would deal, but perhaps not the same.
    """

    content: bytes
    name: str
    study: Study
    version: str = __version__


def made(task: Task, number: int) -> Made:
    """One block of a task, dealt here."""
    if task.version != __version__:
        raise WorkerError(
            f"a worker has combinat {__version__}, and {task.version} asks; install one version"
        )
    sums = _dealer(task.content, task.name, task.study).block(number)
    return number, block_of(sums), sums


@lru_cache(maxsize=2)
def _dealer(content: bytes, name: str, study: Study) -> Dealer:
    return Dealer(parsed_rule_book(content, Path(name)).game, study)


class Workers(Protocol):
    """Who deals the blocks of a task."""

    def made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        """These blocks in any order, some at a time; nothing from time to time, so that a caller can look up."""


class Here:
    """The process that asks, alone."""

    def made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        """These blocks, one at a time."""
        for number in numbers:
            yield [made(task, number)]


def dealt(task: Task, begun: Dealt, workers: Workers, look_up: Callable[[Dealt], bool]) -> Dealt:
    """The blocks of a study, from what was begun to the last, or until ``look_up`` says that it is enough."""
    done, waiting = begun, dict[int, Made]()
    numbers = iter(range(len(begun.blocks), task.study.blocks))
    with closing(workers.made(task, numbers)) as made_by_them:
        for some in made_by_them:
            waiting |= {one[0]: one for one in some}
            blocks, sums = list(done.blocks), done.sums
            while len(blocks) in waiting:
                _, block, its_sums = waiting.pop(len(blocks))
                blocks.append(block)
                sums = sums.plus(its_sums)
            done = Dealt(blocks=tuple(blocks), sums=sums)
            if not look_up(done):
                break
    return done


def next_few(numbers: Iterator[int], few: int) -> list[int]:
    """The next numbers, at most so many."""
    return list(islice(numbers, max(0, few)))
