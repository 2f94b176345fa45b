"""The tables of a terminal: laid out as tabulate would lay them out."""

from unittest import mock

import tabulate
from hypothesis import given
from hypothesis import strategies as st

from combinat.render.text_table import text_table

WORDS = st.text("ab -é中", max_size=24)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]], str]:
    """Heads, rows and alignments."""
    columns = draw(st.integers(1, 4))
    row = st.lists(WORDS, min_size=columns, max_size=columns).filter(lambda cells: any(map(str.strip, cells)))
    rows = draw(st.lists(row, max_size=5))
    heads = draw(st.lists(st.text("ab-é中", min_size=1, max_size=12), min_size=columns, max_size=columns))
    aligns = draw(st.text("lr", min_size=columns, max_size=columns))
    return heads, rows, aligns


@given(tables())
def test_the_layout_is_that_of_tabulate(made: tuple[list[str], list[list[str]], str]) -> None:
    """Where nothing wraps, and every letter is as wide as any other."""
    heads, rows, aligns = made
    full = {"l": "left", "r": "right"}
    with mock.patch.object(tabulate, "wcwidth", None), mock.patch.object(tabulate, "MIN_PADDING", 0):
        other = tabulate.tabulate(
            rows,
            headers=heads,
            tablefmt="simple",
            disable_numparse=True,
            colalign=[full[align] for align in aligns] if rows else None,
        )
    assert text_table(heads, rows, aligns, 1000) == "\n".join(line.rstrip() for line in other.split("\n"))
