"""combinat: exact combinatorial analysis of baccarat games.

The public names are those that ``combinat/library/public.py`` imports; each is imported on first use.
``docs/python.md`` shows how to use them.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from combinat.library.public import *  # noqa: F403  (public.py lists them)

__version__ = "0.5.0"


@cache
def _homes() -> dict[str, str]:
    """The module of each public name, as ``public.py`` imports it."""
    import ast
    from pathlib import Path

    source = Path(__file__).with_name("library") / "public.py"
    imports = [node for node in ast.parse(source.read_text("utf-8")).body if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name == "__all__":
        return __dir__()
    if name not in _homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("combinat.library.looks").register()
    return getattr(import_module(_homes()[name]), name)


def __dir__() -> list[str]:
    return ["__version__", *_homes()]
