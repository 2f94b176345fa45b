"""``combinat evaluate``: files of shoes in, exact values out, and nothing by halves."""

import csv
import io
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from combinat import Shoe, evaluate, load_game
from combinat.cli.progress import progress_bar
from combinat.engine import kernel
from combinat.errors import ShoeError
from combinat.render.number import decimal
from combinat.rules import shoe_file
from combinat.rules.cards import RANKS
from combinat.rules.shoe_file import read_shoes
from tests.conftest import Ran, Run
from tests.documents import BETS, COMMISSION_2013, NONCOMMISSION_2025

LOADED = cache(load_game)


def worked(ran: Ran) -> str:
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")
    return ran.out


def message_of(ran: Ran) -> str:
    """The one message of a command that could not be carried out."""
    assert (ran.code, ran.out) == (2, "")
    message, newline, rest = ran.err.partition("\n")
    assert (newline, rest) == ("\n", "")
    assert message.startswith("combinat: ")
    return message.removeprefix("combinat: ")


# ---------------------------------------------------------------- what is written

HEADER = ",".join(RANKS)


def shoes_in(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "shoes.csv"
    path.write_bytes(text.encode("utf-8"))
    return path


def some_shoes() -> list[tuple[int, ...]]:
    chosen = random.Random(13)
    return [(32,) * 13, *(tuple(chosen.randint(0, 32) for _ in RANKS) for _ in range(9)), (1,) + (0,) * 12]


def as_csv(shoes: Sequence[tuple[int, ...]]) -> str:
    return "\n".join([HEADER, *(",".join(map(str, shoe)) for shoe in shoes)]) + "\n"


def holds_the_values(
    game_id: str, lines: list[dict[str, str]], shoes: list[tuple[int, ...]], places: int = 12
) -> None:
    """Each line has the shoe, and each bet's exact value with its decimal."""
    expected = evaluate(LOADED(game_id), shoes)
    bets = list(BETS[game_id])
    assert list(lines[0]) == [*RANKS, *(name for bet in bets for name in (bet, f"{bet}-decimal"))]
    assert [tuple(int(line[rank]) for rank in RANKS) for line in lines] == shoes
    for number, line in enumerate(lines):
        for bet in bets:
            value = expected.expected_value(number, bet)
            assert line[bet] == str(value)
            assert line[f"{bet}-decimal"] == decimal(value, places)


@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2025])
def test_the_values_of_a_file_of_shoes(run: Run, tmp_path: Path, game_id: str) -> None:
    shoes, out = some_shoes(), tmp_path / "values.csv"
    ran = run("evaluate", game_id, "--shoes", str(shoes_in(tmp_path, as_csv(shoes))), "--out", str(out))
    assert worked(ran) == f"wrote {out}: {len(shoes)} shoes\n"
    assert b"\r" not in out.read_bytes()
    holds_the_values(game_id, list(csv.DictReader(io.StringIO(out.read_text("utf-8")))), shoes)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shoes.csv", "values.csv"]


def test_the_values_on_standard_output(run: Run, tmp_path: Path) -> None:
    shoes = some_shoes()
    path = shoes_in(tmp_path, as_csv(shoes))
    printed = worked(run("evaluate", COMMISSION_2013, "--shoes", str(path)))
    holds_the_values(COMMISSION_2013, list(csv.DictReader(io.StringIO(printed))), shoes)
    out = tmp_path / "values.csv"
    worked(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(out)))
    assert out.read_text("utf-8") == printed


def test_the_values_as_parquet(run: Run, tmp_path: Path) -> None:
    """Counts are integers; values are text, so that nothing is lost."""
    polars = pytest.importorskip("polars")
    shoes, out = some_shoes(), tmp_path / "values.parquet"
    path = shoes_in(tmp_path, as_csv(shoes))
    ran = run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(out))
    assert worked(ran) == f"wrote {out}: {len(shoes)} shoes\n"
    table = polars.read_parquet(out)
    assert {table.schema[rank] for rank in RANKS} == {polars.Int64}
    assert {kind for name, kind in table.schema.items() if name not in RANKS} == {polars.String}
    holds_the_values(COMMISSION_2013, table.rows(named=True), shoes)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shoes.csv", "values.parquet"]


def test_parquet_without_polars_is_refused_with_the_way_out(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    path, out = shoes_in(tmp_path, as_csv([(32,) * 13])), tmp_path / "values.parquet"
    assert message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(out))) == (
        "Parquet needs polars: pip install 'combinat[parquet]', or write .csv"
    )
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("places", [1, 5, 50])
def test_the_decimals_beside_the_fractions(run: Run, tmp_path: Path, places: int) -> None:
    shoes: list[tuple[int, ...]] = [(32,) * 13]
    path = shoes_in(tmp_path, as_csv(shoes))
    printed = worked(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--places", str(places)))
    holds_the_values(COMMISSION_2013, list(csv.DictReader(io.StringIO(printed))), shoes, places)


def test_a_file_of_many_blocks_keeps_its_order(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shoe_file, "BLOCK", 3)
    shoes = some_shoes()
    path = shoes_in(tmp_path, as_csv(shoes))
    assert [len(block) for block in read_shoes(path, 8)] == [3, 3, 3, 2]
    printed = worked(run("evaluate", COMMISSION_2013, "--shoes", str(path)))
    holds_the_values(COMMISSION_2013, list(csv.DictReader(io.StringIO(printed))), shoes)


def test_old_values_are_replaced(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "values.csv"
    out.write_text("old values")
    path = shoes_in(tmp_path, as_csv([(32,) * 13]))
    worked(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(out)))
    assert out.read_text("utf-8").startswith(HEADER)


# ---------------------------------------------------------------- what is read


def read(path: Path, decks: int = 8) -> list[tuple[int, ...]]:
    return [row for block in read_shoes(path, decks) for row in block]


TWO: list[tuple[int, ...]] = [(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13), (0,) * 13]


def mixed_up() -> Iterator[tuple[str, str]]:
    """Ways to write the same two shoes."""
    plain = as_csv(TWO)
    yield "plain", plain
    yield "no newline at the end", plain.rstrip("\n")
    yield "Windows line ends", plain.replace("\n", "\r\n")
    yield "a byte order mark", "\ufeff" + plain
    yield "empty lines", plain.replace("\n", "\n\n")
    yield "spaces", plain.replace(",", " , ")
    yield "quoted cells", re.sub(r"(\w+)", r'"\1"', plain)
    yield "leading zeros", plain.replace("\n1,", "\n0001,")
    order = random.Random(1).sample(range(13), 13)
    other = [[line.split(",")[place] for place in order] for line in plain.splitlines()]
    assert other[0] != list(RANKS)
    yield "another order", "\n".join(map(",".join, other))


@pytest.mark.parametrize(("how", "text"), list(mixed_up()), ids=lambda each: str(each)[:25])
def test_a_file_may_be_written_in_many_ways(tmp_path: Path, how: str, text: str) -> None:
    assert read(shoes_in(tmp_path, text)) == TWO, how


@pytest.mark.parametrize("decks", [1, 8])
def test_a_column_of_removed_cards(tmp_path: Path, decks: int) -> None:
    path = shoes_in(tmp_path, 'removed\nA A 10 K\n"5, 5, 5"\n""\nq\n')
    fresh = Shoe.of_decks(decks)
    assert read(path, decks) == [
        fresh.minus("A A 10 K").counts,
        fresh.minus("5 5 5").counts,
        fresh.counts,
        fresh.minus("Q").counts,
    ]


def test_removed_cards_come_from_the_decks_that_are_named(run: Run, tmp_path: Path) -> None:
    path = shoes_in(tmp_path, "removed\nA A\n")
    for decks in (6, 8):
        printed = worked(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--decks", str(decks)))
        holds_the_values(
            COMMISSION_2013,
            list(csv.DictReader(io.StringIO(printed))),
            [Shoe.of_decks(decks).minus("A A").counts],
        )
    printed_by_default = worked(run("evaluate", COMMISSION_2013, "--shoes", str(path)))
    assert printed_by_default == printed


def test_a_header_alone_is_a_file_of_no_shoes(run: Run, tmp_path: Path) -> None:
    path, out = shoes_in(tmp_path, HEADER + "\n"), tmp_path / "values.csv"
    ran = run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(out))
    assert worked(ran) == f"wrote {out}: 0 shoes\n"
    assert len(out.read_text().splitlines()) == 1


GOOD = ",".join(["32"] * 13)
WRITE_HEADER = f"write {HEADER} or removed"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"line 1: found the header nothing; {WRITE_HEADER}"),
        ("\n\n", f"line 1: found the header nothing; {WRITE_HEADER}"),
        (GOOD, f"line 1: found the header {GOOD}; {WRITE_HEADER}"),
        ("A,2,3\n1,2,3\n", f"line 1: found the header A,2,3; {WRITE_HEADER}"),
        (f"{HEADER},removed\n", f"line 1: found the header {HEADER},removed; {WRITE_HEADER}"),
        (f"{HEADER},A\n", f"line 1: found the header {HEADER},A; {WRITE_HEADER}"),
        (f"{HEADER}\n{GOOD}\n{GOOD},7\n", "line 3: found 14 cells; the header has 13"),
        (f"{HEADER}\n{GOOD}\n1,2,3\n", "line 3: found 3 cells; the header has 13"),
        (f"{HEADER}\n\n\n{GOOD[:-2]}x\n", 'line 4: K: found "x"; write a whole number of 0 or more'),
        (f"{HEADER}\n-1{GOOD[2:]}\n", 'line 2: A: found "-1"; write a whole number of 0 or more'),
        (f"{HEADER}\n3.5{GOOD[2:]}\n", 'line 2: A: found "3.5"; write a whole number of 0 or more'),
        (f"{HEADER}\n{GOOD[2:]}\n", 'line 2: A: found ""; write a whole number of 0 or more'),
        (f"{HEADER}\n٣{GOOD[2:]}\n", 'line 2: A: found "٣"; write a whole number of 0 or more'),
        (
            f"{HEADER}\n1234567890{GOOD[2:]}\n",
            'line 2: A: found "1234567890"; write a whole number of 0 or more',
        ),
        ("removed\nA\nA B\n", 'line 3: card "B" does not exist; write one of A 2 3 4 5 6 7 8 9 10 J Q K'),
        (f"removed\n{' '.join(['9'] * 33)}\n", "line 2: cannot remove 33 of 9: the shoe holds 32"),
        ("removed\nA,2\n", "line 2: found 2 cells; the header has 1"),
        (f'{HEADER}\n"{GOOD}\n', "not readable as CSV: unexpected end of data"),
    ],
)
@pytest.mark.parametrize("out", [None, "values.csv", "values.parquet"])
def test_a_bad_row_is_named_and_nothing_is_written(
    run: Run, tmp_path: Path, text: str, message: str, out: str | None
) -> None:
    path = shoes_in(tmp_path, text)
    place = ["--out", str(tmp_path / out)] if out else []
    refused = message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path), *place))
    joint = ", " if message.startswith("line") else ": "
    assert refused == f"{path}{joint}{message}"
    assert list(tmp_path.iterdir()) == [path]


def test_a_bad_row_leaves_the_old_values_as_they_were(run: Run, tmp_path: Path) -> None:
    path, out = shoes_in(tmp_path, f"{HEADER}\n{GOOD}\nx\n"), tmp_path / "values.csv"
    out.write_text("old values")
    assert "line 3" in message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(out)))
    assert out.read_text() == "old values"


def test_a_line_is_numbered_as_an_editor_numbers_it(tmp_path: Path) -> None:
    """A quoted cell may hold a line break: the number is that of the row's last line."""
    path = shoes_in(tmp_path, 'removed\n"A\nA"\nX\n')
    with pytest.raises(ShoeError, match=r"line 4: card \"X\" does not exist"):
        read(path)


def test_text_that_is_not_utf_8_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "shoes.csv"
    path.write_bytes(f"{HEADER}\n".encode() + b"\xff\xfe\n")
    assert message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path))).startswith(
        f"{path}: not readable as CSV: 'utf-8' codec can't decode byte 0xff"
    )


def test_a_file_that_is_not_there_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    assert message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path))) == (
        f"{path}: cannot be read (No such file or directory); give a CSV file of shoes"
    )
    assert message_of(run("evaluate", COMMISSION_2013, "--shoes", str(tmp_path))) == (
        f"{tmp_path}: not a regular file; it is read twice, so write the shoes to a file first"
    )


def test_a_blank_row_of_removed_cards_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "shoes.csv"
    path.write_text("removed\nA A\n\n", "utf-8")
    assert message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path))) == (
        f'{path}, line 3: blank; write "" for a shoe from which nothing is removed'
    )


@pytest.mark.parametrize("name", ["values.txt", "values", "values.CSV"])
def test_values_go_to_csv_or_parquet_only(run: Run, tmp_path: Path, name: str) -> None:
    path, out = shoes_in(tmp_path, as_csv(TWO)), tmp_path / name
    assert message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(out))) == (
        f'--out: found "{out}"; write a file name that ends in .csv or .parquet'
    )
    assert list(tmp_path.iterdir()) == [path]


def test_values_that_cannot_be_written_are_refused(run: Run, tmp_path: Path) -> None:
    path = shoes_in(tmp_path, as_csv(TWO))
    out = path / "values.csv"
    message = message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(out)))
    assert message.startswith(f"{out}: cannot be written (")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("option", [["--decks", "0"], ["--places", "0"], ["--places", "51"]], ids=" ".join)
def test_options_out_of_range_are_refused(run: Run, tmp_path: Path, option: list[str]) -> None:
    path = shoes_in(tmp_path, as_csv(TWO))
    ran = run("evaluate", COMMISSION_2013, "--shoes", str(path), *option)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f'combinat: {option[0]}: found "{option[1]}"; write a whole number from 1 to ')


class Terminal(io.StringIO):
    """A standard error that a person looks at."""

    def isatty(self) -> bool:
        """A person is looking."""
        return True


@pytest.mark.parametrize(("terminal", "shown"), [(Terminal(), True), (io.StringIO(), False)])
def test_a_progress_bar_is_shown_to_a_person_and_to_no_file(
    monkeypatch: pytest.MonkeyPatch, terminal: io.StringIO, shown: bool
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar(11, "shoes") as advance:
        for done in (4, 4, 3):
            advance(done)
    assert ("11/11" in terminal.getvalue()) is shown
    assert bool(terminal.getvalue()) is shown


def test_every_shoe_is_reported_as_done(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shoe_file, "BLOCK", 4)
    reported: list[object] = []

    @contextmanager
    def recorded(total: int, what: str) -> Iterator[Callable[[int], None]]:
        reported.extend([total, what])
        yield reported.append

    monkeypatch.setattr("combinat.cli.evaluate.progress_bar", recorded)
    path = shoes_in(tmp_path, as_csv(some_shoes()))
    worked(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(tmp_path / "values.csv")))
    assert reported == [11, "shoes", 4, 4, 3]


# ---------------------------------------------------------------- what takes long, and what would take less


@pytest.mark.parametrize(
    ("shoes", "note"),
    [
        (199, ""),
        (200, "combinat: 200 shoes without numba; pip install 'combinat[fast]' saves some of the time\n"),
    ],
)
def test_many_shoes_without_numba_are_told_of_the_extra(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shoes: int, note: str
) -> None:
    """Once, on standard error; the values are what they are."""
    monkeypatch.setattr(kernel, "_kernel", [])
    monkeypatch.setattr(kernel, "find_spec", lambda name: None)
    monkeypatch.setattr("combinat.cli.evaluate.MANY", 200)
    path = shoes_in(tmp_path, as_csv([(1,) + (0,) * 12] * shoes))
    ran = run("evaluate", COMMISSION_2013, "--shoes", str(path))
    assert (ran.code, ran.err) == (0, note)
    assert len(ran.out.splitlines()) == 1 + shoes


@pytest.mark.parametrize("shoes", [kernel.FEW, kernel.FEW + 1])
@pytest.mark.parametrize("is_terminal", [True, False])
def test_compiling_for_the_first_time_is_told_where_a_person_waits(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_terminal: bool, shoes: int
) -> None:
    """Before it begins, and only where there are shoes enough for the kernel."""

    def load(before_compiling: Callable[[], None] | None = None) -> bool:
        if before_compiling:
            before_compiling()
        return False

    monkeypatch.setattr(kernel, "load", load)
    monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal)
    path = shoes_in(tmp_path, as_csv([(1,) + (0,) * 12] * shoes))
    ran = run("evaluate", COMMISSION_2013, "--shoes", str(path))
    told = is_terminal and shoes > kernel.FEW
    assert ran.err == (
        "combinat: compiling for the first time: some seconds, and not again\n" if told else ""
    )
    assert ran.code == 0
