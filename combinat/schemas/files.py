"""Where the JSON Schemas are, and what each is of."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from combinat.base.errors import CombinatError, near_matches, shortened


class Listed(NamedTuple):
    """A schema in one line."""

    name: str
    about: str


def schema_paths() -> dict[str, Path]:
    """The JSON Schemas that come with combinat, by name."""
    here = Path(__file__).resolve().parent
    # An installed wheel carries the schemas beside this file; a checkout has them in its documentation.
    for folder in (here, here.parent.parent / "docs" / "schemas"):
        if paths := {path.stem: path for path in sorted(folder.glob("*.json"), key=lambda path: path.stem)}:
            return paths
    raise CombinatError(f"no schemas found: neither {here} nor the checkout's docs/schemas/ has any")


def schema_text(name: str) -> str:
    """The JSON Schema of this name, as its file has it."""
    known = schema_paths()
    if name not in known:
        near = "".join(f"; did you mean {one}?" for one in near_matches(name, list(known)))
        raise CombinatError(f'no schema "{shortened(name)}"{near or "."} The schemas are {", ".join(known)}')
    return known[name].read_text("utf-8").removesuffix("\n")


def listed() -> list[Listed]:
    """Every schema in one line."""
    return [Listed(name, str(_read(path).get("description", ""))) for name, path in schema_paths().items()]


def _read(path: Path) -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return raw
