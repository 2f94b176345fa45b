"""Output paths: a file that is read as input is never overwritten."""

import os
from collections.abc import Mapping
from pathlib import Path

from combinat.base.errors import CombinatError, InputError
from combinat.base.files import is_same_file


def refuse_inputs(parameter: str, out: Path, inputs: Mapping[str, Path] | Mapping[str, Path | None]) -> None:
    """Refuse to overwrite an input. ``inputs``: a description of each, and its path, or None."""
    for what, path in inputs.items():
        if path is not None and is_same_file(out, path):
            raise InputError(f"{out} is {what}", "write to another", parameter=parameter)


def refuse_inside(folder: Path, inputs: Mapping[str, Path | None]) -> None:
    """Refuse to replace a folder that contains an input."""
    for what, path in inputs.items():
        if path is not None and Path(os.path.realpath(folder)) in Path(os.path.realpath(path)).parents:
            raise CombinatError(
                f"{path}: {what} lies in {folder}, which would be replaced; copy it elsewhere first"
            )


def refuse_no_folder(parameter: str, folder: Path) -> None:
    """Refuse a folder that cannot be created because a file has its name."""
    for place in (folder, *folder.parents):
        if os.path.lexists(place):
            if not place.is_dir():
                raise InputError(f"{place} is not a folder", "write another name", parameter=parameter)
            return
