"""The analyses of several games, counted side by side in processes of this machine."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from combinat.base.processes import side_by_side
from combinat.certify.analysis_file import analysis_bytes, read_dossier
from combinat.certify.dossier import STEPS, Dossier, dossier
from combinat.rules.book.load import RuleBook, parsed_rule_book


class Recount(NamedTuple):
    """The input of a worker: the bytes of a rule book and its file name, the readings to follow, the numbers of decks."""

    content: bytes
    name: str
    readings: tuple[str, ...]
    decks: tuple[int, ...]

    @classmethod
    def of(cls, book: RuleBook, decks: Sequence[int]) -> "Recount":
        """The task of counting one game."""
        return cls(book.content, f"{book.game.id}.toml", book.game.provisos.readings, tuple(decks))

    @property
    def steps(self) -> int:
        """The number of steps that ``analysis`` reports."""
        return STEPS + len(self.decks)

    def analysis(self, step: Callable[[str], None] = lambda words: None) -> bytes:
        """Return the ``analysis.json`` of the game, counted in this process."""
        book = parsed_rule_book(self.content, Path(self.name)).reading(*self.readings)
        return analysis_bytes(dossier(book, self.decks, step))


def dossiers(
    tasks: Sequence[Recount], advance: Callable[[int], None] = lambda steps: None
) -> Iterator[Dossier]:
    """Yield the dossier of each game, in order; several games are counted by as many processes as there are cores.

    ``advance``: called with the number of steps done.
    """
    workers = min(len(tasks), os.cpu_count() or 1)
    if workers < 2:
        yield from (read_dossier(task.analysis(lambda words: advance(1))) for task in tasks)
        return
    for task, analysis in zip(tasks, side_by_side(Recount.analysis, tasks, workers), strict=True):
        advance(task.steps)
        yield read_dossier(analysis)
