"""The list of the JSON Schemas, from their files."""

import json
from pathlib import Path

HEAD = """# JSON Schemas

Each is a file, to be read by any validator.

| schema | of |
|---|---|
"""


def schemas_page(folder: Path) -> str:
    """The page: a line a schema, with what it says of itself."""
    read = {path.name: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}
    lines = [
        f"| [{name.removesuffix('.json')}](../schemas/{name}) | {one['description']} |"
        for name, one in read.items()
    ]
    return HEAD + "\n".join(lines) + "\n"
