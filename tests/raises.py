"""Which ``raise`` statements of a module a set of refusals came from."""

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from traceback import walk_tb
from types import ModuleType

import pytest

from combinat.base.errors import CombinatError
from combinat.rules.book.reader import Mistake


def origins(error: BaseException | None) -> Iterator[tuple[str, int]]:
    """The files and lines that an error, and each error that caused it, came through."""
    while error is not None:
        for frame, line in walk_tb(error.__traceback__):
            yield frame.f_code.co_filename, line
        error = error.__cause__ or error.__context__


def unreached(modules: Iterable[ModuleType], refusals: Iterable[BaseException]) -> set[tuple[str, int]]:
    """Every ``raise`` and ``_require`` of these modules that none of these refusals came from, bare ones aside."""
    written = {
        (str(module.__file__), node.lineno)
        for module in modules
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8")))
        if (isinstance(node, ast.Raise) and node.exc is not None)
        or (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_require")
    }
    return written - {place for refusal in refusals for place in origins(refusal)}


# ---------------------------------------------------------------- mistakes, which are values


def refusing(module: ModuleType) -> Iterator[tuple[str, int]]:
    """The lines of a module that make a mistake or an error, by their calls."""
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name == "Mistake" or name.endswith("Error") or name in ("_refuse", "_wrong", "_wrong_word"):
                yield str(module.__file__), node.lineno


def noting_refusals(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, int]]:
    """A set to which every mistake and every error adds the lines of all calls under way, from now on."""
    reached: set[tuple[str, int]] = set()

    def note() -> None:
        frame = sys._getframe(1)
        while frame.f_back is not None:
            frame = frame.f_back
            reached.add((frame.f_code.co_filename, frame.f_lineno))

    def made(cls: type, *values: object) -> object:
        note()
        return tuple.__new__(cls, values if len(values) == 3 else (*values, None))

    monkeypatch.setattr(Mistake, "__new__", made)
    monkeypatch.setattr(CombinatError, "__init__", lambda error, *values: note(), raising=False)
    return reached
