"""A notebook as a page: its words, its code, and what came of it as it was saved."""

import json
from typing import Any


def notebook_page(text: str) -> str:
    """The cells of a notebook, in order."""
    return "\n\n".join(filter(None, map(_cell, json.loads(text)["cells"]))) + "\n"


def _cell(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    if cell["cell_type"] != "code" or not source:
        return ""
    return "\n\n".join([f"```python\n{source}\n```", *filter(None, map(_output, cell["outputs"]))])


def _output(output: dict[str, Any]) -> str:
    """What a cell printed or showed: a table as a table, else its text."""
    if output["output_type"] == "stream":
        return f"```text\n{''.join(output['text']).rstrip()}\n```"
    shown = output.get("data", {})
    if "text/html" in shown:
        # In one piece: a blank line would end it.
        html = "\n".join(line for line in "".join(shown["text/html"]).splitlines() if line.strip())
        return f'<div class="shown">\n{html}\n</div>'
    if "image/png" in shown:
        data = "".join(shown["image/png"]).replace("\n", "")
        return f'<img alt="what the cell draws" src="data:image/png;base64,{data}">'
    return f"```text\n{''.join(shown.get('text/plain', ''))}\n```" if shown else ""
