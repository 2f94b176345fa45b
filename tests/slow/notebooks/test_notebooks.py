"""The notebooks of docs/, executed: each cell gives what the notebook shows."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.house.notebooks import FRAME, NOTEBOOKS, executed, in_text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # of the libraries that run a kernel
def test_a_notebook_comes_to_what_it_shows(path: Path) -> None:
    """Were a figure another one now, or the look of a table: python -m tests.house.notebooks writes it anew."""
    again = json.loads(in_text(executed(path)))
    for before, now in zip(json.loads(path.read_text("utf-8"))["cells"], again["cells"], strict=True):
        said = "".join(before["source"])
        if FRAME in before["metadata"].get("tags", ()):
            assert [kind(output) for output in now["outputs"]] == [
                kind(output) for output in before["outputs"]
            ]
        else:
            assert now == before, said


def kind(output: Any) -> tuple[str, list[str]]:
    """What sort of output it is: how others draw a frame is theirs."""
    return output["output_type"], sorted(output.get("data", {}))
