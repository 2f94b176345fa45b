"""``combinat evaluate``: files of shoes in, exact values out, whole or not at all.

Files that cannot be read are in ``tests/hostile/shoes``, wrong options in ``tests/refusals.toml``.
"""

import csv
import io
import random
import re
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars
import pytest

from combinat import Shoe, evaluate
from combinat.analysis import shoe_file
from combinat.analysis.shoe_file import shoe_file as opened
from combinat.base.number import decimal
from combinat.cli.progress import progress_bar
from combinat.engine import kernel
from combinat.rules.cards import RANKS
from tests.conftest import SMALL_BOOK, Ran, Run, Terminal
from tests.documents import BETS, COMMISSION_2013, NONCOMMISSION_2025
from tests.games import loaded
from tests.programs import python

HEADER = ",".join(RANKS)
FRESH = (32,) * 13
ONE_CARD = (1,) + (0,) * 12
ENDS = (0, 0, 0, 0, 0, 0, 0, 9, 0, 9, 0, 0, 0)  # no insurance state arises
SHOES = [FRESH, *(tuple(random.Random(seed).randint(0, 32) for _ in RANKS) for seed in range(9)), ONE_CARD]


def as_csv(shoes: Sequence[tuple[int, ...]]) -> str:
    return "\n".join([HEADER, *(",".join(map(str, shoe)) for shoe in shoes)]) + "\n"


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Write a file of shoes into an empty folder, in which the command runs; its name."""
    monkeypatch.chdir(tmp_path)

    def write(text: str) -> str:
        Path("shoes.csv").write_bytes(text.encode("utf-8"))
        return "shoes.csv"

    return write


Given = Callable[[str], str]


def from_input(monkeypatch: pytest.MonkeyPatch, run: Run, content: bytes, *words: str) -> Ran:
    """Run ``evaluate`` with shoes on standard input."""
    real = open

    def opening(file: Any, *how: Any, **more: Any) -> Any:
        return io.BufferedReader(io.BytesIO(content)) if file == 0 else real(file, *how, **more)

    monkeypatch.setattr("builtins.open", opening)
    return run("evaluate", COMMISSION_2013, "--shoes", "-", *words)


def check_values(text: str, shoes: Sequence[tuple[int, ...]], game_id: str = COMMISSION_2013) -> None:
    check_lines(list(csv.DictReader(io.StringIO(text))), shoes, game_id)


def check_lines(
    lines: list[dict[str, str]], shoes: Sequence[tuple[int, ...]], game_id: str, places: int = 12, **more: Any
) -> None:
    """Each line has the shoe, and every value of the batch with its decimal; nothing where there is no value."""
    for line, counts, row in zip(
        lines, shoes, evaluate(loaded(game_id), shoes, **more).to_dicts(), strict=True
    ):
        del row["shoe"]
        cells = {str(rank): str(count) for rank, count in zip(RANKS, counts, strict=True)}
        for name, value in row.items():
            cells[name] = "" if value is None else str(value)
            if not name.endswith(("ways", "sample-space")):
                cells[f"{name}_decimal"] = "" if value is None else decimal(Fraction(str(value)), places)
        assert list(line.items()) == list(cells.items())


# ---------------------------------------------------------------- what is written


@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2025])
def test_the_values_of_a_file_of_shoes(run: Run, given: Given, game_id: str) -> None:
    """The same on standard output, in CSV and, with counts as integers and values as text, in Parquet."""
    words = ["evaluate", game_id, "--shoes", given(as_csv(SHOES))]
    Path("values.csv").write_text("old values")
    printed = run(*words).output()
    check_values(printed, SHOES, game_id)
    for name in ("values.csv", "values.parquet"):
        assert run(*words, "--out", name).output() == f"wrote {name}: {len(SHOES)} shoes\n"
    assert Path("values.csv").read_bytes() == printed.encode("ascii")
    table = polars.read_parquet("values.parquet")
    assert {kind for name, kind in table.schema.items() if name in RANKS} == {polars.Int64}
    assert {kind for name, kind in table.schema.items() if name not in RANKS} == {polars.String}
    check_lines(
        [{name: str(cell) for name, cell in row.items()} for row in table.rows(named=True)], SHOES, game_id
    )
    assert sorted(path.name for path in Path().iterdir()) == ["shoes.csv", "values.csv", "values.parquet"]


@pytest.mark.parametrize("large", [False, True], ids=["int64", "larger"])
@pytest.mark.parametrize("values", ["decimals", "integers"])
def test_decimals_or_integers_alone_are_those_of_the_fractions(
    run: Run, given: Given, values: str, large: bool
) -> None:
    """Beside the ranks and the cards left; the same in CSV and in Parquet, also beyond int64."""
    shoes = [FRESH, ENDS, ONE_CARD, *SHOES, *([(10**6,) * 13] if large else [])]
    extra = ["--insurance", "--outcomes", "--stake", "tie=10", "--pays", "tie=9 to 1"]
    words = ["evaluate", COMMISSION_2013, "--shoes", given(as_csv(shoes)), *extra]
    exact = list(csv.DictReader(io.StringIO(run(*words).output())))
    lines = list(csv.DictReader(io.StringIO(run(*words, "--values", values).output())))
    run(*words, "--values", values, "--out", "values.parquet").output()
    stored = polars.read_parquet("values.parquet")
    assert [["" if cell is None else str(cell) for cell in row] for row in stored.rows()] == [
        list(line.values()) for line in lines
    ]
    figures = [name for name in exact[0] if f"{name}_decimal" in exact[0]]
    whole = {name for name in exact[0] if name not in figures and not name.endswith("_decimal")}
    for shoe, line, fractions in zip(shoes, lines, exact, strict=True):
        assert int(line["cards_left"]) == sum(shoe)
        assert {name: line[name] for name in whole} == {name: fractions[name] for name in whole}
        for name in figures:
            if values == "decimals":
                assert line[name] == fractions[f"{name}_decimal"]
                continue
            over = "denominator" if name in BETS[COMMISSION_2013] else f"{name}_denominator"
            bottom = int(line.get(over) or line["sample-space"])
            quotient = str(Fraction(int(line[f"{name}_numerator"]), bottom)) if bottom else ""
            assert quotient == fractions[name]
    if values == "integers":
        assert stored.schema["tie_numerator"] == (polars.String if large else polars.Int64)


def test_variance_insurance_outcomes_and_stakes(run: Run, given: Given) -> None:
    """Also where a state cannot arise or a round not end; the same in Parquet."""
    shoes = [FRESH, ENDS, (3, 1) + (0,) * 10 + (1,)]
    extra = ["--variance", "--insurance", "--outcomes", "--stake", "player=2.5", "--stake", "tie=10"]
    words = ["evaluate", COMMISSION_2013, "--shoes", given(as_csv(shoes)), *extra, "--places", "7"]
    lines = list(csv.DictReader(io.StringIO(run(*words).output())))
    asked = {"variance": True, "insurance": True, "outcomes": True, "stakes": {"player": "2.5", "tie": 10}}
    check_lines(lines, shoes, COMMISSION_2013, 7, **asked)
    assert "" in lines[1].values()
    run(*words, "--out", "values.parquet").output()
    rows = polars.read_parquet("values.parquet").rows()
    assert [["" if cell is None else str(cell) for cell in row] for row in rows] == [
        list(line.values()) for line in lines
    ]
    assert None in rows[1]


def test_parquet_is_made_of_parts(run: Run, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each small enough to be held; in their order; none stays behind."""
    monkeypatch.setattr(shoe_file, "BLOCK", 2)
    monkeypatch.setattr("combinat.report.analysis.evaluation.PART", 2)
    for number in (0, 4, 11):
        words = ["--shoes", given(as_csv(SHOES[:number])), "--out", f"values-{number}.parquet"]
        run("evaluate", COMMISSION_2013, *words).output()
        table = polars.read_parquet(f"values-{number}.parquet")
        assert [row[:13] for row in table.rows()] == SHOES[:number]
        assert len(table.columns) == 13 + 2 * (1 + len(BETS[COMMISSION_2013]))
    assert len(list(Path().iterdir())) == 1 + 3


BAD = f"{HEADER}\n" + ",".join(map(str, FRESH)) + "\nx\n"


@pytest.mark.parametrize("place", [[], ["--out", "values.csv"], ["--out", "values.parquet"]])
def test_a_bad_row_leaves_everything_as_it_was(run: Run, given: Given, place: list[str]) -> None:
    words = ["evaluate", COMMISSION_2013, "--shoes", given(BAD), *place]
    Path(place[-1] if place else "other").write_text("old values")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    assert "shoes.csv, line 3" in run(*words).refusal()
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


# ---------------------------------------------------------------- what is read


def test_shoes_on_standard_input(run: Run, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    content = as_csv(SHOES).encode("ascii")
    printed = from_input(monkeypatch, run, content).output()
    check_values(printed, SHOES)
    from_input(monkeypatch, run, content, "--out", "values.csv").output()
    assert Path("values.csv").read_text("utf-8") == printed
    assert "standard input: " in from_input(monkeypatch, run, b"PAR1\xff").refusal()


def test_a_bad_row_on_standard_input_ends_what_is_printed(
    run: Run, given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks before it are printed already; a file is still written whole or not at all."""
    monkeypatch.setattr(shoe_file, "BLOCK", 2)
    content = (as_csv([FRESH] * 3) + "x\n").encode("ascii")
    ran = from_input(monkeypatch, run, content)
    assert (ran.code, ran.err.count("\n"), len(ran.out.splitlines())) == (2, 1, 3)
    assert "standard input, line 5" in from_input(monkeypatch, run, content, "--out", "values.csv").refusal()
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("block", [2, 3, 100])
def test_shoes_in_blocks_keep_their_order(
    run: Run, given: Given, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """In CSV, and in Parquet, however the file is called, in slices, its columns in any order."""
    monkeypatch.setattr(shoe_file, "BLOCK", block)
    monkeypatch.setattr(shoe_file, "CHUNK", 40 * block)
    monkeypatch.setattr(shoe_file, "SLICE", 5)
    columns = {str(rank): [shoe[number] for shoe in SHOES] for number, rank in enumerate(RANKS)}
    polars.DataFrame(dict(sorted(columns.items()))).write_parquet("shoes.any")
    assert opened(Path("shoes.any"), 8).size == len(SHOES)
    sizes = [len(rows) for rows, _ in opened(Path(given(as_csv(SHOES))), 8).blocks()]
    assert sum(sizes) == len(SHOES)
    assert max(sizes) <= block + 1
    for path in ("shoes.any", "shoes.csv"):
        check_values(run("evaluate", COMMISSION_2013, "--shoes", path).output(), SHOES)


def test_other_columns_are_not_read(run: Run, given: Given) -> None:
    """A column of names, and what evaluate itself wrote: both can be read again."""
    words = ["evaluate", COMMISSION_2013, "--shoes"]
    first = run(*words, given(as_csv(SHOES))).output()
    head, *lines = as_csv(SHOES).splitlines()
    named = "\n".join([f"table,{head},note", *(f"B7,{line},x" for line in lines)])
    polars.read_csv(io.BytesIO(first.encode()), infer_schema_length=None).write_parquet("values.parquet")
    assert run(*words, given(named)).output() == first
    assert run(*words, given(first)).output() == first
    assert run(*words, "values.parquet").output() == first
    polars.DataFrame({"table": ["B7", "B8"], "removed": ["A A", ""]}).write_parquet("named.parquet")
    out = run(*words, "named.parquet").output()
    assert [line[:6] for line in out.splitlines()[1:]] == ["30,32,", "32,32,"]


BOUNDED = """
import resource, sys
from pathlib import Path
import numpy
from combinat import load_game
from combinat.report.analysis.evaluation import ValuesAsked, write_csv_file
game, asked, shoe = load_game(sys.argv[1]), ValuesAsked(places=12), numpy.full((256, 13), 32)
for blocks in (4, 40):
    again = ((shoe, 0) for _ in range(blocks))
    write_csv_file(game, again, Path(sys.argv[2]), asked, lambda read: None)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Ten times the shoes, hardly more memory: all their cells would be some 30 MB more."""
    ran = python("-c", BOUNDED, str(SMALL_BOOK), str(tmp_path / "values.csv"))
    few, many = map(int, ran.output().split())
    assert many - few < 8_000, (few, many)


TWO: list[tuple[int, ...]] = [tuple(range(1, 14)), (0,) * 13]
PLAIN = as_csv(TWO)
WAYS = {
    "plain": PLAIN,
    "no newline at the end": PLAIN.rstrip("\n"),
    "Windows line ends": PLAIN.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + PLAIN,
    "empty lines": PLAIN.replace("\n", "\n\n"),
    "spaces": PLAIN.replace(",", " , "),
    "quoted cells": re.sub(r"(\w+)", r'"\1"', PLAIN),
    "leading zeros": PLAIN.replace("\n1,", "\n0001,"),
    "another order": "\n".join(",".join(line.split(",")[::-1]) for line in PLAIN.splitlines()),
    "no shoes": HEADER,
}


def read(path: str, decks: int = 8) -> list[tuple[int, ...]]:
    return [tuple(row) for block, _ in opened(Path(path), decks).blocks() for row in block.tolist()]


@pytest.mark.parametrize("how", WAYS)
def test_a_file_may_be_written_in_many_ways(given: Given, how: str) -> None:
    assert read(given(WAYS[how])) == ([] if how == "no shoes" else TWO)


def test_removed_cards_come_from_the_decks_that_are_named(run: Run, given: Given) -> None:
    path = given('removed\nA A 10 K\n"5, 5, 5"\n""\nq\n')
    removed = ["A A 10 K", "5 5 5", "", "Q"]
    polars.DataFrame({"removed": removed}).write_parquet("removed.parquet")
    for decks in (1, 8):
        left = [Shoe.of_decks(decks).minus(cards).counts for cards in removed]
        assert read(path, decks) == read("removed.parquet", decks) == left
    words = ["evaluate", COMMISSION_2013, "--shoes", path]
    check_values(run(*words, "--decks", "6").output(), read(path, 6))
    assert run(*words).output() == run(*words, "--decks", "8").output()


# ---------------------------------------------------------------- progress, and what would take less time


@pytest.mark.parametrize(("terminal", "shown"), [(Terminal(), True), (io.StringIO(), False)])
def test_a_progress_bar_is_shown_to_a_person_and_to_no_file(
    monkeypatch: pytest.MonkeyPatch, terminal: io.StringIO, shown: bool
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar(11, "shoes") as advance:
        for done in (4, 4, 3):
            advance(done)
    assert ("11/11" in terminal.getvalue(), terminal.getvalue() != "") == (shown, shown)


@pytest.mark.parametrize(("shoes", "lines"), [(199, 0), (200, 1)])
def test_many_shoes_without_numba_are_told_of_the_extra(
    run: Run, given: Given, monkeypatch: pytest.MonkeyPatch, shoes: int, lines: int
) -> None:
    """Once, on standard error; the values are what they are."""
    monkeypatch.setattr(kernel, "_kernel", [])
    monkeypatch.setattr(kernel, "find_spec", lambda name: None)
    monkeypatch.setattr("combinat.cli.progress.MANY", 200)
    ran = run("evaluate", COMMISSION_2013, "--shoes", given(as_csv([ONE_CARD] * shoes)))
    assert (ran.code, ran.err.count(".[fast]"), ran.err.count("\n")) == (0, lines, lines)
    assert len(ran.out.splitlines()) == 1 + shoes
