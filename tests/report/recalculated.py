"""A workbook worked out anew by LibreOffice: without its cached values, and with other inputs.

Every formula's cached value is taken out first, so that what comes back was worked out there.
"""

import io
import re
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.programs import process
from tests.report.second_reader import SheetCell, workbook_cells

_CACHED = re.compile(rb"(</f>)<v>[^<]*</v>")


def without_values(package: bytes, inputs: Mapping[tuple[str, str], float] | None = None) -> bytes:
    """The workbook without what its formulas come to; ``inputs``: other numbers, by part and cell."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as parts, zipfile.ZipFile(written, "w") as changed:
        for name in parts.namelist():
            content = parts.read(name)
            if name.startswith("xl/worksheets/sheet"):
                content = _CACHED.sub(rb"\1", content)
                for (part, cell), number in (inputs or {}).items():
                    if part == name:
                        content = _put(content, cell, number)
            changed.writestr(name, content)
    return written.getvalue()


def _put(content: bytes, cell: str, number: float) -> bytes:
    put, times = re.subn(
        rb'(<c r="' + cell.encode() + rb'"[^>]*><v>)[^<]*(</v>)',
        rb"\g<1>" + repr(number).encode() + rb"\2",
        content,
    )
    assert times == 1, cell
    return put


def recalculated(package: bytes, to: str = "xlsx") -> bytes:
    """The workbook as LibreOffice writes it, worked out anew; or printed, ``to`` pdf."""
    program = shutil.which("soffice")
    assert program, (
        "soffice is not here; install libreoffice-calc (on Debian: apt-get install libreoffice-calc)"
    )
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "given.xlsx").write_bytes(package)
        words = [program, f"-env:UserInstallation=file://{place}/profile", "--headless", "--convert-to", to]
        words += ["--outdir", str(place / "out"), str(place / "given.xlsx")]
        assert process(words).code == 0
        return (place / "out" / f"given.{to}").read_bytes()


def differences(package: bytes) -> list[str]:
    """Every formula that comes to something else in LibreOffice than its cached value."""
    here, there = workbook_cells(package), workbook_cells(recalculated(without_values(package)))
    wrong, compared = [], 0
    for sheet, cells in here.items():
        for place, cell in cells.items():
            if not cell.formula:
                continue
            compared += 1
            value = there[sheet].get(place, SheetCell(None)).value
            if not is_same(cell.value, value):
                wrong.append(
                    f"{sheet} {place}: {cell.value!r}, and LibreOffice has {value!r}: {cell.formula}"
                )
    assert compared > 500
    return wrong


def is_same(cached: object, value: object) -> bool:
    """Whether two values are one: numbers to 13 digits, or to the 16th decimal; no text is an empty text."""
    if isinstance(cached, float) and isinstance(value, float):
        return abs(cached - value) <= max(1e-13 * abs(cached), 1e-15)
    if isinstance(cached, bool):
        return value in (cached, float(cached))
    return (cached or "") == (value or "")
