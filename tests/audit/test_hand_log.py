"""Hand logs as files: rows by line, batches, Parquet, writing; what is refused is in ``tests/corpus/logs``."""

from contextlib import suppress
from pathlib import Path

import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import FileError, Shoe
from combinat.audit.judging.terms import bet_columns
from combinat.audit.reading import rows as log_rows
from combinat.audit.reading.hand_log import HandLog, hand_log, open_rows
from combinat.audit.reading.source import Source
from combinat.montecarlo.log_writer import log_file
from tests.audit.logs import GAME, HEAD
from tests.documents import COMMISSION_2013
from tests.paths import stored

NAMES = ["round", "player_cards", "banker_cards", "net:player", "net:tie"]
HEADER = ",".join(NAMES) + "\n"
GOOD = "7,5 2,A 8,-1,-1"
ROWS = "1,5 2,A 8,-1,-1\n2,A 6,J J A,1,\n3,K Q Q,7 Q,,-1\n"
PLAIN = HEAD + HEADER + ROWS
CELLS: list[tuple[str | None, ...]] = [
    ("1", "5 2", "A 8", "-1", "-1"),
    ("2", "A 6", "J J A", "1", None),
    ("3", "K Q Q", "7 Q", None, "-1"),
]
Lines = tuple[dict[int, tuple[str | None, ...]], list[int], int]


def open_log(path: Path) -> HandLog:
    return hand_log(open_rows(Source.at(path)), None)


def read(path: Path) -> Lines:
    """The rows of a log by line, the lines that are no rows, and the number of batches."""
    rows: dict[int, tuple[str | None, ...]] = {}
    unreadable, batches = list[int](), 0
    for batch in open_log(path).batches(lambda done: None):
        rows.update(zip(batch.lines.tolist(), batch.frame.rows(), strict=True))
        unreadable += [line for line, _ in batch.unreadable]
        batches += 1
    return rows, unreadable, batches


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (PLAIN, 4),
        (PLAIN.rstrip("\n"), 4),
        (PLAIN.replace("\n", "\r\n"), 4),
        (PLAIN.replace("\n", "\r\n").rstrip("\r\n"), 4),
        ("\ufeff" + PLAIN.replace("\n", "\r\n"), 4),
        (f"# note: one\n{HEAD}# note: two, ünd: more\n" + HEADER + ROWS, 6),
        (PLAIN.replace("# ", "#   ").replace(": ", " :").replace("8\n", "8  \n", 1), 4),
        (HEAD + HEADER.replace(",", " , ") + ROWS, 4),
        (PLAIN + "\r\n\n" * 100, 4),
    ],
    ids=["plain", "no end", "Windows", "Windows, no end", "mark", "notes", "spaces", "header", "blank lines"],
)
def test_a_log_may_be_written_in_many_ways(tmp_path: Path, text: str, first: int) -> None:
    path = stored(tmp_path, text)
    log = open_log(path)
    assert (log.head["game"], log.shoe(), list(log.names)) == (COMMISSION_2013, Shoe.of_decks(8), NAMES)
    assert (log.line_word, log.has_shoes) == ("line", False)
    assert read(path)[:2] == (dict(enumerate(CELLS, first)), [])


def test_a_head_may_say_nothing_or_name_cards(tmp_path: Path) -> None:
    log = open_log(stored(tmp_path, HEADER + ROWS))
    assert (dict(log.head), log.shoe()) == ({}, None)
    log = open_log(stored(tmp_path, "# cards: A=3 K=9, 10=1\n" + HEADER.replace("net:tie", "shoe") + ROWS))
    assert (log.shoe(), log.has_shoes) == (Shoe.parse("A=3 K=9 10=1"), True)


def test_the_columns_of_every_bet_and_insurance_are_known(tmp_path: Path) -> None:
    subjects = [*(bet.id for bet in GAME.bets), *(f"{one.side}@{one.stage}" for one in GAME.insurance)]
    names = [f"{money}:{subject}" for subject in subjects for money in ("payout", "net", "stake")]
    log = open_log(stored(tmp_path, ",".join([*names, "banker_cards", "shoe", "player_cards", "round"])))
    assert [str(column) for column in bet_columns(log, GAME)] == names


# ---------------------------------------------------------------- batches

LINES = [
    GOOD,
    "8,K Q,7 2,,",
    ",,,,",
    "",
    "x",
    "1,2,3,4",
    "1,2,3,4,5,6",
    '9,"K Q",7 2,,',
    "9,K\tQ,7 2,,",
    "9,é,7 2,,",
]


@given(
    lines=st.lists(st.sampled_from(LINES), min_size=1, max_size=30),
    newline=st.sampled_from(["\n", "\r\n"]),
    ends=st.booleans(),
    batch=st.integers(min_value=20, max_value=400),
)
@settings(max_examples=60)
def test_the_size_of_batches_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], newline: str, ends: bool, batch: int
) -> None:
    """Against lines counted and split one by one: a line that is no row keeps its number and harms no other."""
    lines = [*lines, GOOD]
    text = newline.join(["# decks: 8", HEADER.rstrip(), *lines]) + newline * ends
    path = stored(tmp_path_factory.getbasetemp(), text, "batches.csv")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_rows, "BATCH_BYTES", batch)
        rows, unreadable, _ = read(path)
    split = {number: line.replace('"', "").split(",") for number, line in enumerate(lines, 3)}
    assert unreadable == [number for number, cells in split.items() if len(cells) != 5]
    assert rows == {n: tuple(cell or None for cell in cells) for n, cells in split.items() if len(cells) == 5}


def test_a_long_log_is_read_in_several_batches_and_a_line_without_an_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a file would be held in memory as a whole."""
    path = stored(tmp_path, HEAD + HEADER + f"{GOOD}\n" * 1000)
    assert read(path)[2] == 1
    monkeypatch.setattr(log_rows, "BATCH_BYTES", 1600)
    rows, _, batches = read(path)
    assert (list(rows), batches >= 10) == (list(range(4, 1004)), True)
    monkeypatch.setattr(log_rows, "MOST_LINE", 2000)
    with pytest.raises(FileError):
        read(stored(tmp_path, HEAD + HEADER + GOOD + "\n" + "x" * 5000))


# ---------------------------------------------------------------- Parquet


def frame_of(cells: list[tuple[str | None, ...]]) -> polars.DataFrame:
    return polars.DataFrame(cells, schema=dict.fromkeys(NAMES, polars.String), orient="row")


@pytest.mark.parametrize("kind", [polars.String, polars.Int64, polars.Int8, polars.Float32, polars.Float64])
def test_a_parquet_log_is_read_as_text(tmp_path: Path, kind: type[polars.DataType]) -> None:
    """Whatever its name; whole numbers may be numbers of any kind, and an empty text is blank.

    A column of whole numbers with gaps becomes one of floats in many programs.
    """
    path = tmp_path / "log.csv"
    whole = polars.col("round", "net:tie").cast(kind)
    frame = frame_of([*CELLS, ("4", "K", "", "", None)]).with_columns(whole)
    head = {"game": COMMISSION_2013, "decks": "8"}
    frame.write_parquet(path, metadata=head | {"other": "is nobody's business"})
    log = open_log(path)
    assert (dict(log.head), log.line_word) == (head, "row")
    assert read(path)[:2] == (dict(enumerate([*CELLS, ("4", "K", None, None, None)], 1)), [])


@pytest.mark.parametrize(("place", "value"), [(9, 0), (52, 17), (79, 0), (83, 255), (87, 0), (87, 255)])
def test_a_damaged_parquet_log_is_refused(tmp_path: Path, place: int, value: int) -> None:
    """One byte among the pages, which the library notices with errors of many kinds."""
    path = tmp_path / "log"
    frame_of(CELLS * 50).write_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:place] + bytes([value]) + whole[place + 1 :])
    with pytest.raises(FileError):
        read(path)


# ---------------------------------------------------------------- writing

WRITTEN = polars.DataFrame(
    {
        "round": [1, 2, 3],
        "shoe": [1, 1, 2],
        "player_cards": ["5 2", "A 6", "K Q Q"],
        "banker_cards": ["A 8", "J J A", "7 Q"],
        "net:tie": ["-1", None, "3/2"],
    }
)
TEXT_LINES = ["1,1,5 2,A 8,-1\n", "2,1,A 6,J J A,\n", "3,2,K Q Q,7 Q,3/2\n"]


@pytest.mark.parametrize("name", ["log.csv", "log.parquet"])
@pytest.mark.parametrize("parts", [[TEXT_LINES[:2], TEXT_LINES[2:]], []], ids=["rows", "no rows"])
def test_what_is_written_is_what_is_read(tmp_path: Path, name: str, parts: list[list[str]]) -> None:
    """Plain text, or Parquet with the numbers of rounds as numbers and all else as text."""
    path, head = tmp_path / name, {"game": COMMISSION_2013, "decks": "8", "note": "a, b: c"}
    with log_file(path, head, WRITTEN.columns, parquet=name.endswith(".parquet")) as write:
        for part in parts:
            write("".join(part))
    log = open_log(path)
    assert (dict(log.head), list(log.names), log.has_shoes) == (head, WRITTEN.columns, True)
    assert list(read(path)[0].values()) == (WRITTEN.cast(polars.String).rows() if parts else [])
    assert list(tmp_path.iterdir()) == [path]
    if name == "log.csv":
        assert path.read_text("utf-8").splitlines(keepends=True)[4:] == (TEXT_LINES if parts else [])
    elif parts:
        assert polars.read_parquet(path).equals(WRITTEN)


def test_an_interrupted_parquet_log_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    with suppress(KeyboardInterrupt), log_file(path, {}, WRITTEN.columns, parquet=True) as write:
        write("".join(TEXT_LINES))
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
