"""The tables of a terminal: laid out as tabulate would lay them out."""

from unittest import mock

import tabulate
from hypothesis import given
from hypothesis import strategies as st

from combinat.base.kinds import COUNT
from combinat.render.blocks import Column, table
from combinat.render.text import Format, rendered
from combinat.render.text_table import text_table

WORDS = st.text("ab -é中", max_size=24)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]], str, list[int]]:
    """Heads, rows, alignments and widths."""
    columns = draw(st.integers(1, 4))
    row = st.lists(WORDS, min_size=columns, max_size=columns).filter(lambda cells: any(map(str.strip, cells)))
    rows = draw(st.lists(row, max_size=5))
    heads = draw(st.lists(st.text("ab-é中", min_size=1, max_size=12), min_size=columns, max_size=columns))
    aligns = draw(st.text("lr", min_size=columns, max_size=columns))
    return heads, rows, aligns, draw(st.lists(st.integers(1, 24), min_size=columns, max_size=columns))


@given(tables())
def test_the_layout_is_that_of_tabulate(made: tuple[list[str], list[list[str]], str, list[int]]) -> None:
    """Where every letter is as wide as any other: it wraps otherwise where a library that knows widths is installed."""
    heads, rows, aligns, widths = made
    full = {"l": "left", "r": "right"}
    with mock.patch.object(tabulate, "wcwidth", None), mock.patch.object(tabulate, "MIN_PADDING", 0):
        other = tabulate.tabulate(
            rows,
            headers=heads,
            tablefmt="simple",
            disable_numparse=True,
            colalign=[full[align] for align in aligns] if rows else None,
            maxcolwidths=widths,
            break_long_words=False,
            break_on_hyphens=False,
        )
    assert text_table(heads, rows, aligns, widths) == "\n".join(line.rstrip() for line in other.split("\n"))


@given(
    st.lists(
        st.tuples(st.text("ab ", max_size=60), st.integers(0, 10**40), st.text("ab-", max_size=40)),
        min_size=1,
        max_size=4,
    )
)
def test_no_line_is_wider_than_the_terminal(rows: list[tuple[str, int, str]]) -> None:
    """Columns of words are narrowed to their longest word; what is still too wide is told row by row."""
    columns = [Column("what"), Column("of how many", COUNT), Column("named")]
    printed = rendered([table(columns, rows, may_be_listed=True)], Format.TEXT)
    assert max(map(len, printed.splitlines())) <= 100
    for _, number, named in rows:
        assert str(number) in printed
        assert named in printed


def test_a_table_that_is_too_wide_is_told_row_by_row() -> None:
    columns = [Column("who"), Column("stake", COUNT), Column("back", COUNT)]
    rows = [("Ann", 10**60, 10**50), ("Bob", 1, 2)]
    assert rendered([table(columns, rows, may_be_listed=True)], Format.TEXT).splitlines() == [
        "who    Ann",
        f"stake  {10**60}",
        f"back   {10**50}",
        "",
        "who    Bob",
        "stake  1",
        "back   2",
    ]
