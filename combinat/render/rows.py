"""The names of the rows of a table: each row is a place of its document, told by its first cells."""

import re

from combinat.render.blocks import Table, in_words

MOST_CELLS = 5
"""How many of a row's cells may make its name."""

LONGEST = 60


def row_names(table: Table) -> list[str]:
    """A name for every row that no other row of the table has: as few of its first cells as tell the rows apart.

    Where five do not, the rows are counted.
    """
    names = [""] * len(table.rows)
    for place, column in enumerate(table.columns[:MOST_CELLS]):
        said = (_slug(in_words(row.cells[place], column.kind)) for row in table.rows)
        names = [f"{name}-{more}".strip("-")[:LONGEST] for name, more in zip(names, said, strict=True)]
        if all(names) and len(set(names)) == len(names):
            return names
    return [f"row-{number}" for number in range(1, len(names) + 1)]


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
