"""The places of a module that refuse something, and the places that refusals came from."""

import ast
import sys
from pathlib import Path
from traceback import walk_stack, walk_tb
from types import ModuleType

import pytest

from combinat.base.errors import CombinatError
from combinat.rules.book.reader import Mistake

HELPERS = ("_refuse", "_require", "_wrong", "_wrong_word")
"""Functions that refuse for the line that calls them."""


def refusing(*modules: ModuleType) -> set[tuple[str, int]]:
    """Every ``raise`` of these modules, bare ones aside, and every call that makes a mistake or an error."""
    places = set()
    for module in modules:
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
            if not isinstance(node, ast.Call | ast.Raise):
                continue
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                refuses = name == "Mistake" or name.endswith("Error") or name in HELPERS
            else:
                refuses = node.exc is not None
            if refuses:
                places.add((str(module.__file__), node.lineno))
    return places


def noting_refusals(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, int]]:
    """A set to which every mistake and every error adds the lines that it came from, from now on.

    They are the lines of all calls under way, and those that the error being handled came through, with its causes.
    """
    reached: set[tuple[str, int]] = set()

    def note() -> None:
        lines, error = list(walk_stack(sys._getframe(1))), sys.exc_info()[1]
        while error is not None:
            lines += walk_tb(error.__traceback__)
            error = error.__cause__ or error.__context__
        reached.update((frame.f_code.co_filename, line) for frame, line in lines)

    def mistake(cls: type, *values: object) -> object:
        note()
        return tuple.__new__(cls, values if len(values) == 3 else (*values, None))

    def error(made: CombinatError, *values: object) -> None:
        note()
        Exception.__init__(made, *values)

    monkeypatch.setattr(Mistake, "__new__", mistake)
    monkeypatch.setattr(CombinatError, "__init__", error, raising=False)
    return reached
