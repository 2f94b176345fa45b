"""Work side by side in processes: in order, elsewhere, and done here where a worker was killed."""

import os
from multiprocessing import parent_process

from combinat.base.processes import side_by_side


def killed_if_a_worker(number: int) -> int:
    """The task; the second one ends the worker that takes it."""
    if number == 2 and parent_process() is not None:
        os._exit(1)
    return number


def place_of(number: int) -> tuple[int, bool]:
    """The task, and whether it was done by a worker."""
    return number, parent_process() is not None


def test_tasks_are_done_by_workers_and_come_in_order() -> None:
    assert list(side_by_side(place_of, [3, 1, 2], 2, size=int)) == [(3, True), (1, True), (2, True)]
    assert list(side_by_side(place_of, [3, 1], 1, size=int)) == [(3, False), (1, False)]


def test_the_task_of_a_worker_that_was_killed_is_done_here() -> None:
    assert list(side_by_side(killed_if_a_worker, [1, 2, 3], 2, size=int)) == [1, 2, 3]
