"""Where the JSON Schemas are."""

from pathlib import Path

from combinat.base.errors import CombinatError


def schema_paths() -> dict[str, Path]:
    """The JSON Schemas that come with combinat, by name."""
    here = Path(__file__).resolve().parent
    # An installed wheel carries the schemas beside this file; a checkout has them in its documentation.
    for folder in (here, here.parent.parent / "docs" / "schemas"):
        if paths := {path.stem: path for path in sorted(folder.glob("*.json"), key=lambda path: path.stem)}:
            return paths
    raise CombinatError(f"no schemas found: neither {here} nor the checkout's docs/schemas/ has any")
