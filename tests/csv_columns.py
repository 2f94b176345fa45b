"""A table of CSV for the tests: its exact columns, once their decimals are seen to be right."""

import csv
import io
import re
from fractions import Fraction

from tests.conftest import Run


def twelve_decimals_of(value: Fraction) -> str:
    """A fraction with twelve decimals, rounded half to even; no sign before a 0."""
    units = round(abs(value) * 10**12)
    sign = "-" if value < 0 and units else ""
    return f"{sign}{units // 10**12}.{units % 10**12:012}"


def without_decimals(table: list[list[str]]) -> list[list[str]]:
    """The table without the decimals beside its exact figures, each of which must have them, and rightly."""
    header, *rows = table
    kept = []
    for place, name in enumerate(header):
        cells = [row[place] for row in rows]
        if place and name == f"{header[place - 1]}_decimal":
            exact = [row[place - 1] for row in rows]
            assert cells == [twelve_decimals_of(Fraction(text)) if text else "" for text in exact], name
            continue
        kept.append(place)
        if any(re.fullmatch(r"-?\d+/\d+", cell) for cell in cells):
            assert header[place + 1 : place + 2] == [f"{name}_decimal"]
    return [[row[place] for place in kept] for row in table]


def csv_rows(run: Run, *words: str) -> list[dict[str, str]]:
    """The rows of the table that a command prints in CSV, without decimals."""
    out = run(*words, "--format", "csv").output()
    header, *rows = without_decimals(list(csv.reader(io.StringIO(out))))
    return [dict(zip(header, row, strict=True)) for row in rows]
