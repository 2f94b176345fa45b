"""Who deals the shoes of a study: this process, processes of this machine, or a cluster."""

import os

from combinat.analysis.study import Study
from combinat.certify.standing import rule_book_name
from combinat.rules.rulebook import RuleBook
from combinat.simulate.study_run import Here, Task, Workers

FEW = 4
"""A process of its own is worth its start for so many blocks."""


def task_of(book: RuleBook, study: Study) -> Task:
    """What workers have to know."""
    return Task(book.content, rule_book_name(book.game.id), study)


def workers_for(blocks: int, workers: int | None, cluster: str | None) -> Workers:
    """Who deals so many blocks."""
    if cluster is not None:
        from combinat.simulate.study_cluster import Cluster  # its library is large

        return Cluster(cluster)
    number = min(workers or os.cpu_count() or 1, blocks // FEW)
    if number <= 1:
        return Here()
    from combinat.simulate.study_processes import Processes

    return Processes(number)
