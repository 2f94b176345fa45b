"""The faults of a log as CSV, written as they are met: no spreadsheet takes a cell for a formula."""

import csv
import re
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from combinat.audit.verdict import FaultRow
from combinat.render.escape import for_csv
from combinat.report.audit.verdict_records import FAULT_ROWS

COLUMNS = tuple(field.name for field in FAULT_ROWS.fields)

_NUMBER = re.compile(r"-?[0-9]{1,15}(/[0-9]{1,15}|\.[0-9]{1,9})?")


class FaultsFile:
    """A file of faults being written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIOWrapper | None = None

    def __enter__(self) -> "FaultsFile":
        self._file = self._path.open("w", encoding="utf-8", newline="")
        csv.writer(self._file, lineterminator="\n").writerow(COLUMNS)
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, faults: Sequence[FaultRow]) -> None:
        """Add faults, a line each."""
        assert self._file is not None
        writer = csv.writer(self._file, lineterminator="\n")
        writer.writerows([_cell(str(getattr(fault, name))) for name in COLUMNS] for fault in faults)


def _cell(text: str) -> str:
    """A number as it is, any other text so that it stays one."""
    return text if _NUMBER.fullmatch(text) else for_csv(text)
