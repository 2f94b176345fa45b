"""The analyses of several games, counted and checked side by side in processes of this machine."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from combinat.base.processes import side_by_side
from combinat.certify.analysis_file import analysis_bytes, read_dossier
from combinat.certify.dossier import STEPS, Dossier, dossier
from combinat.certify.verification import checked_numbers
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
        return STEPS + 1 + len(self.decks)

    def analysis(self, step: Callable[[str], None] = lambda words: None) -> tuple[bytes, int]:
        """Return the ``analysis.json`` of the game and how many of its numbers the checker has checked."""
        book = parsed_rule_book(self.content, Path(self.name)).reading(*self.readings)
        analysis = analysis_bytes(dossier(book, self.decks, step))
        checked = checked_numbers(analysis, self.content)
        step("checked")
        return analysis, checked


class CheckedDossier(NamedTuple):
    """A dossier, and how many of its numbers the checker has derived again: all of them."""

    dossier: Dossier
    checked: int


def checked_dossiers(
    tasks: Sequence[Recount], advance: Callable[[int], None] = lambda steps: None
) -> Iterator[CheckedDossier]:
    """Yield the dossier of each game, in order; several games are counted by as many processes as there are cores.

    ``advance``: called with the number of steps done.
    """
    workers = min(len(tasks), os.cpu_count() or 1)
    if workers < 2:
        for task in tasks:
            analysis, checked = task.analysis(lambda words: advance(1))
            yield CheckedDossier(read_dossier(analysis), checked)
        return
    for task, counted in zip(tasks, side_by_side(Recount.analysis, tasks, workers), strict=True):
        advance(task.steps)
        analysis, checked = counted
        yield CheckedDossier(read_dossier(analysis), checked)
