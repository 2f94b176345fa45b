"""Places to write to: never that of a file which is read."""

import os
from collections.abc import Mapping
from pathlib import Path

from combinat.errors import CombinatError


def refuse_inputs(option: str, out: Path, inputs: Mapping[str, Path | None]) -> None:
    """Refuse to write where something is read from. ``inputs``: what each is, and its path, if it was given."""
    for what, path in inputs.items():
        if path is not None and _is_same(out, path):
            raise CombinatError(f"{option}: {out} is {what}; write to another")


def _is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, by whatever links."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):  # one of them is not there, so it is no link to the other
        return os.path.realpath(one) == os.path.realpath(other)
