"""The CSV tables of a report: exact columns in lowest terms, decimals rounded once, nothing left out.

Every cell is derived again by the second reader; this is what it does not ask.
"""

import csv
import re
from dataclasses import replace

from combinat.base.kinds import FRACTION, Sort
from combinat.render.csv_table import for_programs
from combinat.report.tables import tables, tables_files
from tests.report.hostile_book import (
    records,
    small_dossier,
    without_insurance,
)


def test_a_table_without_rows_is_left_out() -> None:
    """A game without insurance has no table about it; every other table has its rows."""
    every, whole = tables(small_dossier()), without_insurance(small_dossier())
    assert all(table.rows for table in every.values())
    assert set(every) - set(tables(whole)) == {name for name in every if "insurance" in name} - {
        "insurance-offers"
    }
    assert "interpretations" in every
    assert "interpretations" not in tables(replace(whole, readings=()))


def test_columns_are_named_once_and_an_exact_one_stands_before_its_decimal() -> None:
    for table in map(for_programs, tables(small_dossier()).values()):
        heads = [column.head for column in table.columns]
        assert len(set(heads)) == len(heads)
        assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", head) for head in heads)
        for place, column in enumerate(table.columns):
            assert (column.kind.sort is Sort.DECIMAL) == column.head.endswith("_decimal")
            if column.kind == FRACTION:
                assert heads[place + 1] == f"{column.head}_decimal"
                assert all(row.cells[place] is row.cells[place + 1] for row in table.rows)


def test_files_are_text_that_ends_in_one_newline_and_holds_no_formula() -> None:
    number = re.compile(r"-\d+(/\d+|\.\d+)?( -?\d+)*")
    for content in tables_files(small_dossier()).values():
        assert re.search(rb"[^\n]\n\Z", content)
        assert b"\r" not in content
        for row in csv.reader(content.decode().splitlines()):
            assert not [cell for cell in row if cell[:1] in "=+-@" and cell and not number.fullmatch(cell)]
    assert "'=tie" in {row["outcome"] for row in records(small_dossier(), "outcomes")}
