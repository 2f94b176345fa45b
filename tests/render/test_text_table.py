"""The tables of a terminal: laid out as tabulate would lay them out."""

from unittest import mock

import tabulate
from hypothesis import given
from hypothesis import strategies as st

from combinat.render.blocks import Column, Meaning, Row, table
from combinat.render.table_options import TableOptions, printing_tables
from combinat.render.text import Format, rendered, text_table

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
    lines = [line for part in text_table(heads, rows, aligns, 1000) for line in part]
    assert lines == [line.rstrip() for line in other.split("\n")]


def test_rows_that_matter_are_red_on_a_terminal_alone() -> None:
    rows = [
        Row(("a",)),
        Row(("b",), Meaning.FAILED),
        Row(("c",), Meaning.FAVOURS_PLAYER),
        Row(("d",), Meaning.TOTAL),
    ]
    block = table([Column("bet")], rows)
    plain = "bet\n---\na\nb\nc\nd"
    assert rendered([block], Format.TEXT) == plain
    with printing_tables(TableOptions(is_styled=True)):
        assert rendered([block], Format.TEXT) == plain.replace("b\nc", "\x1b[31mb\x1b[0m\n\x1b[31mc\x1b[0m")
