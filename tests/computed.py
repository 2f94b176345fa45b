"""What is costly and the same for every test of a run: worked out once, and shared by all of its processes.

A dossier follows from the text of a rule book, its readings and the numbers of decks; that the checker accepts an
analysis, from the analysis and the rule book; the tests that write and verify reports are about other things. Nothing is kept from one run to the next.
"""

import hashlib
import os
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from combinat.certify import checker
from combinat.certify import dossier as dossiers
from combinat.certify.dossier import Dossier
from combinat.rules.game import Game

FOLDER: list[Path] = []
"""Where the processes of a run leave what they worked out, once ``conftest`` has said where."""

KNOWN: dict[str, Any] = {}
"""The last results that this process has worked out or read."""

MOST_KNOWN = 12

DOSSIER, CHECK = dossiers.dossier, checker.check


def once(work: Callable[..., Any], *given: Any, key: object) -> Any:
    """What a pure function gives, worked out by the first process that asks."""
    name = hashlib.sha256(repr((work.__name__, key)).encode()).hexdigest()
    if name not in KNOWN:
        path = FOLDER[0] / name if FOLDER else None
        if path and path.exists():
            KNOWN[name] = pickle.loads(path.read_bytes())
        else:
            KNOWN[name] = work(*given)
        if path and not path.exists():
            mine = path.with_suffix(f".{os.getpid()}")
            mine.write_bytes(pickle.dumps(KNOWN[name]))
            mine.replace(path)
    KNOWN[name] = result = KNOWN.pop(name)
    while len(KNOWN) > MOST_KNOWN:
        del KNOWN[next(iter(KNOWN))]
    return result


def dossier_of(game: Game, decks: Sequence[int]) -> Dossier:
    """The dossier of a rule book on fresh shoes of these numbers of decks."""
    said: Dossier = once(DOSSIER, game, decks, key=(game.content, game.provisos.readings, tuple(decks)))
    return said


def checked(analysis: bytes, rule_book: bytes) -> Any:
    """What the checker says of an analysis that it accepts; one that it refuses, it sees again each time."""
    return once(CHECK, analysis, rule_book, key=(analysis, rule_book))


def share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reports be written with what is worked out once, but for what a test has put there itself.

    All in this process, which knows of it; what processes do side by side is tested in ``tests/base``.
    """
    from combinat.certify import verification
    from combinat.report.certified import write_report

    monkeypatch.setattr("os.cpu_count", lambda: 1)
    for module in (write_report, verification):
        if module.dossier is DOSSIER:
            monkeypatch.setattr(module, "dossier", dossier_of)
    if vars(verification)["check"] is CHECK:
        monkeypatch.setattr(verification, "check", checked)
