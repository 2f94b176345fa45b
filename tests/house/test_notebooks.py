"""The notebooks: their outputs are what they come to, show tables, and say nothing of a machine."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.house.notebooks import METADATA, NOTEBOOKS, in_text, tidied

NAMES = [path.stem for path in NOTEBOOKS]


def committed(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_both_notebooks_are_there() -> None:
    assert NAMES == ["counting-and-batches", "first-look"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_a_notebook_is_saved_with_its_outputs_and_nothing_of_a_machine(path: Path) -> None:
    import nbformat

    notebook, text = committed(path), path.read_text("utf-8")
    assert notebook["metadata"] == METADATA
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert {cell["execution_count"] for cell in code} == {None}
    assert sum(bool(cell["outputs"]) for cell in code) >= len(code) - 1  # one imports, and shows nothing
    outputs = [output for cell in code for output in cell["outputs"]]
    assert {output["output_type"] for output in outputs} <= {"execute_result", "stream"}
    assert {output.get("name") for output in outputs} <= {None, "stdout"}
    tables = sum("<table" in "".join(output.get("data", {}).get("text/html", "")) for output in outputs)
    assert tables >= 7
    assert not re.search(r"/(home|root|tmp|work|Users)/|\bin [0-9.]+ ?m?s\b", text)
    assert text == in_text(tidied(nbformat.reads(text, as_version=4)))
