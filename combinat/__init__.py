"""combinat: exact combinatorial analysis of baccarat games.

The public names are in ``combinat/library/public.py``, and are imported on first use. ``docs/python.md`` shows how to use them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from combinat.library.public import *  # noqa: F403  (public.py lists them)

__version__ = "0.5.0"


def __getattr__(name: str) -> Any:
    """Import the public names when one is first used (PEP 562)."""
    public = import_module("combinat.library.public")
    if name == "__all__":
        return ["__version__", *public.__all__]
    if name not in public.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(public, name)


def __dir__() -> list[str]:
    return ["__version__", *import_module("combinat.library.public").__all__]
