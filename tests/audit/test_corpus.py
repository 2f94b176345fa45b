"""Counts files, logs and maps that are refused, and rows with faults: each gets the words that its corpus states.

``tests/corpus/counts`` and ``tests/corpus/logs`` state them in ``index.toml``, ``tests/corpus/maps`` in the first line
of a map, ``tests/corpus/rows`` in a note for each fault of a log. Hostile files are in ``tests/hostile``.
"""

import re
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from combinat import CombinatError, Shoe
from combinat.audit.reading import counts_file
from combinat.audit.reading.counts_file import parse_counts, read_counts
from combinat.audit.reading.source import Source
from combinat.audit.verdict import FaultKind, FaultRow
from tests.audit.logs import with_faults
from tests.conftest import Run
from tests.paths import CORPUS, TESTS
from tests.raises import noting_refusals, refusing


def index(folder: str) -> dict[str, Any]:
    """What is said of each file of a folder."""
    return tomllib.loads((CORPUS / folder / "index.toml").read_text("utf-8"))


def files(folder: str) -> list[Path]:
    return sorted(
        path for path in (CORPUS / folder).iterdir() if path.is_file() and path.name != "index.toml"
    )


COUNTS, LOGS = index("counts"), index("logs")
WHOLE = CORPUS / "counts" / "good"


def is_said(said: str, expected: str) -> bool:
    """Whether these are the words, ``...`` being any."""
    return re.fullmatch(".*".join(map(re.escape, expected.split("..."))), said) is not None


def test_every_file_is_in_its_index() -> None:
    assert [path.name for path in files("counts")] == sorted(COUNTS)
    assert [path.name for path in files("logs")] == sorted(LOGS)


MAP_OF = ("../logs/numbers-begin-again.csv", "--map")
REFUSED = [
    *(("counts", (name,), says) for name, says in COUNTS.items()),
    *(("logs", (name, *entry.get("argv", "").split()), entry["says"]) for name, entry in LOGS.items()),
    *(("maps", (*MAP_OF, one.name), one.read_text("utf-8").partition("\n")[0][2:]) for one in files("maps")),
]
"""Folder, words of the command, message."""


@pytest.mark.parametrize(("folder", "words", "expected"), REFUSED, ids=[" ".join(one[1]) for one in REFUSED])
def test_a_file_that_cannot_be_right_is_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, folder: str, words: tuple[str, ...], expected: str
) -> None:
    monkeypatch.chdir(CORPUS / folder)
    said = run("crosscheck", *words).refusal()
    assert is_said(said, expected), said


@pytest.mark.parametrize("path", sorted(WHOLE.iterdir()), ids=lambda path: path.stem)
def test_a_counts_file_that_is_cut_off_anywhere_is_refused(path: Path) -> None:
    content = path.read_bytes().rstrip()
    for end in range(len(content)):
        with pytest.raises(CombinatError):
            parse_counts(content[:end])


def shown(fault: FaultRow) -> str:
    """A fault as a note of the corpus states it."""
    if fault.kind is FaultKind.SETTLEMENT:
        return f"line {fault.line}, settlement {fault.message}: {fault.cards}: paid {fault.paid}, due {fault.due}, {fault.clause}"
    return f"line {fault.line}, {fault.kind}: {fault.message}"


@pytest.mark.parametrize("path", files("rows"), ids=lambda path: path.stem)
def test_the_faults_of_a_log_are_those_that_it_states(path: Path) -> None:
    """All of them, each under its own line, and no others; and the rounds, where rows are wagers."""
    text = path.read_bytes().decode(errors="replace")
    claimed = re.search(r"^# (?:decks|cards): (.*)$", text, re.MULTILINE)
    assert claimed is not None
    shoe = Shoe.of_decks(int(claimed[1])) if claimed[1].isdigit() else Shoe.parse(claimed[1])
    judged, faults = with_faults(path, shoe=shoe)
    assert [shown(fault) for fault in faults] == re.findall(r"^# note: (line .*)$", text, re.MULTILINE)
    assert re.findall(r"^# note: rounds (.*)$", text, re.MULTILINE) in ([], [str(judged.rounds)])


def test_every_refusal_of_a_counts_file_is_in_a_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a file that is missing, a folder, and a file that is too large to keep."""
    monkeypatch.setattr(counts_file, "MOST_BYTES", 100_000)
    large = tmp_path / "large"
    large.write_bytes(b" " * 100_001)
    reached = noting_refusals(monkeypatch)
    for path in [
        *files("counts"),
        *(TESTS / "hostile" / "counts").iterdir(),
        large,
        tmp_path,
        tmp_path / "none",
    ]:
        with suppress(CombinatError):
            read_counts(Source.at(path))
    assert refusing(counts_file) - reached == set()
