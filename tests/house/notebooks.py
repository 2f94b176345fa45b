"""The notebooks of docs/, executed: ``python -m tests.house.notebooks`` writes them anew, with what came of every cell.

What is written is the same on every machine: no counts of executions, no times, no places.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat

from tests.paths import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))

FRAME = "frame"
"""The tag of a cell that shows a frame of polars or pandas: how those draw one is theirs, and changes."""

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
SECONDS = 120


def executed(path: Path) -> Any:
    """The notebook at this path, executed in an empty folder, and tidied."""
    from nbclient import NotebookClient  # which only those need who execute

    notebook = nbformat.read(path, as_version=4)
    search = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(search)}
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": folder}}
        )
        client.execute(env=environment)
    return tidied(notebook)


def tidied(notebook: Any) -> Any:
    """The notebook without what depends on the machine or the moment."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number:02}"
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = None
    return notebook


def in_text(notebook: Any) -> str:
    """The notebook as its file has it."""
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook)) + "\n"


def main() -> None:
    """Execute every notebook and write it anew."""
    for path in NOTEBOOKS:
        path.write_text(in_text(executed(path)), "utf-8")
        sys.stdout.write(f"wrote {path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
