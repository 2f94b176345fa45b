"""Which ``raise`` statements of a module a set of refusals came from."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType


def origins(error: BaseException | None) -> Iterator[tuple[str, int]]:
    """The file and line where an error, and each error that caused it, was raised."""
    while error is not None:
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        if place is not None:
            yield place.tb_frame.f_code.co_filename, place.tb_lineno
        error = error.__cause__ or error.__context__


def unreached(modules: Iterable[ModuleType], refusals: Iterable[BaseException]) -> set[tuple[str, int]]:
    """Every ``raise`` of these modules that raised none of these refusals, bare ones aside."""
    written = {
        (str(module.__file__), node.lineno)
        for module in modules
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8")))
        if isinstance(node, ast.Raise) and node.exc is not None
    }
    return written - {place for refusal in refusals for place in origins(refusal)}
