"""The JSON Schemas, listed."""

from collections.abc import Sequence
from typing import Any

from combinat.render.blocks import Column, Table, table


def schemas_table(schemas: Sequence[tuple[str, str]]) -> Table:
    """A line for every schema: its name, and what it is of."""
    return table((Column("schema"), Column("of")), schemas)


def schemas_json(schemas: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The list under the schema ``combinat/schemas/1``."""
    return {
        "schema": "combinat/schemas/1",
        "schemas": [{"name": name, "of": about} for name, about in schemas],
    }
