"""Hand logs as files: heads, columns, rows by line, batches, and what is refused."""

import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import Shoe, load_game
from combinat.audit import rows as log_rows
from combinat.audit.hand_log import HandLog
from combinat.audit.hand_log import open_log as log_of
from combinat.audit.source import Source
from combinat.errors import CombinatError, HandLogError
from combinat.simulate.log_file import LogWriter
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025

LOADED = cache(load_game)

HEAD = f"# game: {COMMISSION_2013}\n# decks: 8\n"
NAMES = ["round", "player_cards", "banker_cards", "net:player", "net:tie"]
HEADER = ",".join(NAMES) + "\n"
ROWS = "1,5 2,A 8,-1,-1\n2,A 6,J J A,1,\n3,K Q Q,7 Q,,-1\n"
CELLS: list[tuple[str | None, ...]] = [
    ("1", "5 2", "A 8", "-1", "-1"),
    ("2", "A 6", "J J A", "1", None),
    ("3", "K Q Q", "7 Q", None, "-1"),
]


def open_log(path: Path) -> HandLog:
    return log_of(Source.at(path))


class Read(NamedTuple):
    """Everything that a log's batches gave, and how many batches there were."""

    rows: dict[int, tuple[str | None, ...]]
    unreadable: list[tuple[int, str]]
    batches: int
    advanced: int


def read(path: Path) -> Read:
    rows: dict[int, tuple[str | None, ...]] = {}
    unreadable: list[tuple[int, str]] = []
    advances: list[int] = []
    batches = 0
    for batch in open_log(path).batches(advances.append):
        assert len(batch.lines) == batch.frame.height
        rows.update(zip(batch.lines.tolist(), batch.frame.rows(), strict=True))
        unreadable += batch.unreadable
        batches += 1
    return Read(rows, unreadable, batches, sum(advances))


def log_in(folder: Path, text: str | bytes, name: str = "log.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


def refusal(path: Path) -> str:
    """Why a log is refused, after the path that every refusal begins with."""
    with pytest.raises(HandLogError) as refused:
        read(path)
    message = str(refused.value)
    assert message.startswith(str(path))
    return message.removeprefix(str(path))


# ---------------------------------------------------------------- what is read


def mixed_up() -> Iterator[tuple[str, str, int]]:
    """Ways to write the same log, each with the line of its first row."""
    plain = HEAD + HEADER + ROWS
    yield "plain", plain, 4
    yield "no newline at the end", plain.rstrip("\n"), 4
    yield "Windows line ends", plain.replace("\n", "\r\n"), 4
    yield "Windows line ends, none at the end", plain.replace("\n", "\r\n").rstrip("\r\n"), 4
    yield "a byte order mark", "\ufeff" + plain, 4
    yield "a byte order mark and Windows line ends", "\ufeff" + plain.replace("\n", "\r\n"), 4
    yield "notes", f"# note: one\n{HEAD}# note: two, ünd: more\n" + HEADER + ROWS, 6
    yield "spaces", plain.replace("# ", "#   ").replace(": ", " :").replace("8\n", "8  \n", 1), 4
    yield "spaces in the header", HEAD + HEADER.replace(",", " , ") + ROWS, 4


@pytest.mark.parametrize(("how", "text", "first"), list(mixed_up()), ids=lambda each: str(each)[:25])
def test_a_log_may_be_written_in_many_ways(tmp_path: Path, how: str, text: str, first: int) -> None:
    path = log_in(tmp_path, text)
    log, content = open_log(path), read(path)
    assert log.head["game"] == COMMISSION_2013, how
    assert log.shoe() == Shoe.of_decks(8)
    assert list(log.names) == NAMES
    assert (log.line_word, log.has_shoes) == ("line", False)
    assert content == Read(dict(enumerate(CELLS, first)), [], content.batches, log.size)


@pytest.mark.parametrize("batch", [20, 23, 64, 2**24])
def test_blank_lines_at_the_end_are_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """Few or many of them, also where a batch is nothing else."""
    monkeypatch.setattr(log_rows, "BATCH_BYTES", batch)
    for end in ("\n", "\n" * 100, "\r\n", "\n\r\n", "\r\n" * 100):
        content = read(log_in(tmp_path, HEAD + HEADER + ROWS + end))
        assert (list(content.rows), content.unreadable) == ([4, 5, 6], []), repr(end)
        content = read(log_in(tmp_path, HEAD + HEADER + ROWS + end + GOOD))
        blank = end.count("\n")
        assert [number for number, _ in content.unreadable] == list(range(7, 7 + blank))
        assert list(content.rows) == [4, 5, 6, 7 + blank]


def test_a_log_without_a_head_says_nothing_of_game_and_shoe(tmp_path: Path) -> None:
    log = open_log(log_in(tmp_path, HEADER + ROWS))
    assert (dict(log.head), log.shoe()) == ({}, None)
    assert list(read(log_in(tmp_path, HEADER + ROWS)).rows) == [2, 3, 4]


def test_a_shoe_by_its_cards(tmp_path: Path) -> None:
    log = open_log(log_in(tmp_path, "# cards: A=3 K=9, 10=1\n" + HEADER + ROWS))
    assert log.shoe() == Shoe.parse("A=3 K=9 10=1")


def test_rows_may_name_their_shoes(tmp_path: Path) -> None:
    log = open_log(log_in(tmp_path, HEAD + "round,shoe,player_cards,banker_cards\n1,1,5 2,A 8\n"))
    assert log.has_shoes


# ---------------------------------------------------------------- lines that are no rows

GOOD = "7,5 2,A 8,-1,-1"
STRANGE = 'a character that no value needs, in column {}: found "\\x{}"'


NO_ROWS = {
    "7,5 2,A 8,-1": "found 4 cells; the header has 5",
    "7,5 2,A 8,-1,-1,": "found 6 cells; the header has 5",
    "7,5,2,A,8,-1,-1": "found 7 cells; the header has 5",
    "7,5 2,A 8,-1\0,-1": STRANGE.format(13, "00"),
    "7,5 2,A 8,-1,-1\x1a": STRANGE.format(16, "1a"),
    "7,5 2,A 8,-1,-1\x7f": STRANGE.format(16, "7f"),
    "7,5 2\r,A 8,-1,-1": STRANGE.format(6, "0d"),
    "\x00\x01\x02": STRANGE.format(1, "00"),
    '7,"5 2,A 8,-1,-1': "quotes that do not end, from column 3 on",
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["unix", "windows"])
@pytest.mark.parametrize("ends", [True, False], ids=["whole", "no newline at the end"])
def test_a_line_that_is_no_row_is_named(tmp_path: Path, newline: str, ends: bool) -> None:
    """Nothing is lost with it: the lines around it are read, each under its own number."""
    lines = [*(HEAD + HEADER).splitlines(), *(line for bad in NO_ROWS for line in (GOOD, bad))]
    content = read(log_in(tmp_path, newline.join(lines) + newline * ends))
    assert content.unreadable == list(zip(range(5, 5 + 2 * len(NO_ROWS), 2), NO_ROWS.values(), strict=True))
    assert list(content.rows) == list(range(4, 4 + 2 * len(NO_ROWS), 2))


@pytest.mark.parametrize("line", ["", " ", "x"])
def test_a_blank_line_in_the_middle_is_no_row(tmp_path: Path, line: str) -> None:
    content = read(log_in(tmp_path, HEAD + HEADER + f"{GOOD}\n{line}\n{line}\n{GOOD}\n"))
    assert [number for number, _ in content.unreadable] == [5, 6]
    assert list(content.rows) == [4, 7]


def test_a_log_of_bad_lines_alone_has_no_rows(tmp_path: Path) -> None:
    content = read(log_in(tmp_path, HEAD + HEADER + "x\ny\nz\n"))
    assert ([number for number, _ in content.unreadable], content.rows) == ([4, 5, 6], {})


def test_a_head_line_among_the_rows_is_no_row(tmp_path: Path) -> None:
    content = read(log_in(tmp_path, HEAD + HEADER + f"{GOOD}\n# note: a break\n{GOOD}\n"))
    assert ([number for number, _ in content.unreadable], list(content.rows)) == ([5], [4, 6])


# ---------------------------------------------------------------- batches


LINES = st.sampled_from(
    [
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
)


@given(
    lines=st.lists(LINES, min_size=1, max_size=30),
    newline=st.sampled_from(["\n", "\r\n"]),
    ends=st.booleans(),
    batch=st.integers(min_value=20, max_value=400),
)
@settings(deadline=None, max_examples=60)
def test_the_size_of_batches_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], newline: str, ends: bool, batch: int
) -> None:
    """Against lines counted and split one by one."""
    lines = [*lines, GOOD]
    text = newline.join(["# decks: 8", HEADER.rstrip(), *lines]) + newline * ends
    path = log_in(tmp_path_factory.getbasetemp(), text, "batches.csv")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_rows, "BATCH_BYTES", batch)
        content = read(path)
    is_row = {number: line.count(",") == 4 for number, line in enumerate(lines, 3)}
    assert [number for number, _ in content.unreadable] == [one for one, good in is_row.items() if not good]
    assert content.rows == {
        number: tuple(cell or None for cell in line.replace('"', "").split(","))
        for number, line in enumerate(lines, 3)
        if is_row[number]
    }
    assert content.advanced == open_log(path).size


def test_a_long_log_is_read_in_several_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log_in(tmp_path, HEAD + HEADER + f"{GOOD}\n" * 1000)
    assert read(path).batches == 1
    monkeypatch.setattr(log_rows, "BATCH_BYTES", 1600)
    content = read(path)
    assert content.batches >= 10
    assert list(content.rows) == list(range(4, 1004))


def test_a_line_as_long_as_a_block_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a file of one line would be held in memory as a whole."""
    monkeypatch.setattr(log_rows, "BATCH_BYTES", 1000)
    monkeypatch.setattr(log_rows, "MOST_LINE", 2000)
    path = log_in(tmp_path, HEAD + HEADER + GOOD + "\n" + "x" * 5000)
    assert refusal(path) == ", line 5: longer than 2000 bytes; give a CSV hand log"


# ---------------------------------------------------------------- heads and columns that are refused

WRITE = "write one of # game: ID, # decks: N, # cards: A=32 ..., # cut-card: N, # unit: 0.01, # rounding: down, each once, or # note: TEXT"


MAP = (
    "map them to one of round, id, shoe, table, time, player_cards, banker_cards, winner, player_points, banker_points, player_pair, "
    "banker_pair, player_drew, banker_drew, player, bet, stake, payout, profit, net, stake:BET, payout:BET, profit:BET, net:BET, "
    "or ignore them"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": there is no header; give a CSV, JSON or Parquet hand log"),
        ("\n" + HEADER + ROWS, ": there is no header; give a CSV, JSON or Parquet hand log"),
        (HEAD, ": there is no header; give a CSV, JSON or Parquet hand log"),
        ("# game: x", ": there is no header; give a CSV, JSON or Parquet hand log"),
        ("#", f', line 1: found "#"; {WRITE}'),
        ("#\n" + HEADER, f', line 1: found "#"; {WRITE}'),
        ("# a log\n" + HEADER, f', line 1: found "# a log"; {WRITE}'),
        (f"{HEAD}# gmae: x\n" + HEADER, f', line 3: found "# gmae: x"; {WRITE}'),
        (f"{HEAD}# game: x\n" + HEADER, f', line 3: found "# game: x"; {WRITE}'),
        (f"{HEAD}# decks: 6\r\n" + HEADER, f', line 3: found "# decks: 6"; {WRITE}'),
        (f"# Game: x\n{HEAD}" + HEADER, f', line 1: found "# Game: x"; {WRITE}'),
        (f"# {'x' * 300}\n", f', line 1: found "# {"x" * 98}"; {WRITE}'),
        (HEAD + ROWS.replace(",-1,-1", ""), f': it is not known what "1", "5 2", "A 8" say; {MAP}'),
        ("round,player_cards,net:tie\n", ': no column says banker_cards; found "round", "player_cards", "net:tie"; '
         "say which it is"),
        (HEADER.rstrip() + ",net:player\n" + ROWS, ': the column "net:player" is given twice'),
        (HEADER.rstrip() + ", round\n" + ROWS, ': the column "round" is given twice'),
        (b"\xff\xfe" + HEADER.encode("utf-16-le"), ", line 1: UTF-16 text; write the file as UTF-8"),
        (b"\xffround,player_cards", ", line 1, column 1: not UTF-8 text; give a CSV, JSON or Parquet hand log"),
        (HEADER.encode().replace(b"\n", b"\r") + b"1,5 2,A 8\r", f", line 1, column {len(HEADER)}: a carriage return without a line feed; end each line with a line feed"),
        (HEAD.encode() + b"# note: \xe9\n", ", line 3, column 9: not UTF-8 text; give a CSV, JSON or Parquet hand log"),
        (HEADER.encode("utf-16-le"), ", line 1: no line of text; give a CSV, JSON or Parquet hand log"),
        ("\0", ", line 1: no line of text; give a CSV, JSON or Parquet hand log"),
        ("round," * 200_000, ", line 1: no line of text; give a CSV, JSON or Parquet hand log"),
    ],
    ids=lambda each: ascii(each)[:40],
)  # fmt: skip
def test_a_head_that_cannot_be_read_is_refused(tmp_path: Path, text: str | bytes, message: str) -> None:
    assert refusal(log_in(tmp_path, text)) == message


@pytest.mark.parametrize("seed", range(5))
def test_bytes_at_random_are_refused(tmp_path: Path, seed: int) -> None:
    refusal(log_in(tmp_path, random.Random(seed).randbytes(3000)))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == ": cannot be read (Is a directory)"
    assert refusal(tmp_path / "none.csv") == ": cannot be read (No such file or directory)"


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("# decks: 8\n# cards: A=32\n", ": give decks or cards, not both"),
        *(
            (f"# decks: {decks}\n", f': decks: found "{decks}"; write a whole number')
            for decks in ("eight", "0", "8.0", "-1", "", "٨", "99999")
        ),
        *((f"# cards: {cards}\n", None) for cards in ("", "A", "A=x", "A=-1", "A=1 A=2", "B=3", "A=1.5")),
    ],
    ids=ascii,
)
def test_a_shoe_that_cannot_be_is_said_of_the_file(tmp_path: Path, head: str, message: str | None) -> None:
    log = open_log(log_in(tmp_path, head + HEADER + ROWS))
    with pytest.raises(CombinatError) as refused:
        log.shoe()
    said = str(refused.value).removeprefix(log.source.place)
    assert said == message if message is not None else said.startswith(": cards: ")


COLUMNS_2025 = (
    "The columns are round, shoe, player_cards, banker_cards, and net:, stake: or payout: with one of "
    + ", ".join(bet.id for bet in LOADED(NONCOMMISSION_2025).bets)
)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("net:playr", f'unknown column "net:playr"; did you mean net:player? {COLUMNS_2025}'),
        ("net:Tie", f'unknown column "net:Tie"; did you mean net:tie? {COLUMNS_2025}'),
        ("net:player@four-cards", None),
        ("payout:tie", "the column payout:tie needs stake:tie beside it"),
    ],
)
def test_a_column_that_the_game_does_not_know_is_refused(
    tmp_path: Path, column: str, message: str | None
) -> None:
    log = open_log(log_in(tmp_path, f"{HEADER.rstrip()},{column}\n"))
    with pytest.raises(HandLogError) as refused:
        log.columns(LOADED(NONCOMMISSION_2025))
    if message is None:  # the nearest name is a matter of taste
        assert str(refused.value).startswith(f'{log.source.place}: unknown column "{column}"; did you mean ')
    else:
        assert str(refused.value) == f"{log.source.place}: {message}"


def test_the_columns_of_every_bet_and_insurance_are_known(tmp_path: Path) -> None:
    game = LOADED(COMMISSION_2013)
    subjects = [*(bet.id for bet in game.bets), *(f"{one.side}@{one.stage}" for one in game.insurance)]
    names = [f"{money}:{subject}" for subject in subjects for money in ("payout", "net", "stake")]
    log = open_log(log_in(tmp_path, ",".join([*names, "banker_cards", "shoe", "player_cards", "round"])))
    assert [str(column) for column in log.columns(game)] == names


def test_a_hand_log_without_polars_is_refused_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(HandLogError) as refused:
        open_log(log_in(tmp_path, HEAD + HEADER + ROWS))
    assert str(refused.value) == "hand logs need polars: pip install 'combinat[crosscheck]'"


# ---------------------------------------------------------------- Parquet


def parquet_in(folder: Path, frame: polars.DataFrame, head: dict[str, str] | None = None) -> Path:
    path = folder / "log.parquet"
    frame.write_parquet(path, metadata=head or {})
    return path


def frame_of(cells: list[tuple[str | None, ...]]) -> polars.DataFrame:
    return polars.DataFrame(cells, schema=dict.fromkeys(NAMES, polars.String), orient="row")


@pytest.mark.parametrize("kind", [polars.String, polars.Int64, polars.UInt8])
def test_a_parquet_log_is_read_as_text(tmp_path: Path, kind: type[polars.DataType]) -> None:
    """Whole numbers may be numbers; an empty text is as blank as none at all."""
    frame = frame_of([*CELLS, ("4", "K", "", "", None)]).with_columns(polars.col("round").cast(kind))
    head = {"game": COMMISSION_2013, "decks": "8", "other": "is nobody's business"}
    path = parquet_in(tmp_path, frame, head)
    log, content = open_log(path), read(path)
    assert dict(log.head) == {"game": COMMISSION_2013, "decks": "8"}
    assert (log.line_word, log.size, content.advanced) == ("row", 4, 4)
    assert content.rows == dict(enumerate([*CELLS, ("4", "K", None, None, None)], 1))
    assert content.unreadable == []


def test_a_parquet_log_is_known_by_what_it_is_and_not_by_its_name(tmp_path: Path) -> None:
    path = parquet_in(tmp_path, frame_of(CELLS)).rename(tmp_path / "log.csv")
    assert list(read(path).rows.values()) == CELLS


@pytest.mark.parametrize(("batch", "batches"), [(1, 10), (3, 4), (9, 2), (10, 1), (11, 1)])
def test_a_parquet_log_is_read_in_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int, batches: int
) -> None:
    rows: list[tuple[str | None, ...]] = [(str(number), "K Q", None, "1", "") for number in range(10)]
    path = parquet_in(tmp_path, frame_of(rows))
    monkeypatch.setattr(log_rows, "BATCH_ROWS", batch)
    content = read(path)
    assert (content.batches, content.advanced, list(content.rows)) == (batches, 10, list(range(1, 11)))
    assert [row[0] for row in content.rows.values()] == [row[0] for row in rows]


@pytest.mark.parametrize("kind", [polars.Float64, polars.Float32])
def test_numbers_that_may_have_been_rounded_need_a_scale(tmp_path: Path, kind: type[polars.DataType]) -> None:
    frame = frame_of(CELLS).with_columns(polars.Series("net:tie", [8.0, 0.5, None]).cast(kind))
    assert refusal(parquet_in(tmp_path, frame)) == (
        f": the column net:tie holds {kind.__name__}, which is no exact amount; write text, or say how many decimals it "
        "stands for"
    )


def test_floats_that_are_whole_are_whole_numbers(tmp_path: Path) -> None:
    """A column of whole numbers with gaps becomes one of floats in many programs."""
    frame = frame_of(CELLS).with_columns(polars.Series("net:tie", [8.0, -1.0, None]))
    assert [row[-1] for row in read(parquet_in(tmp_path, frame)).rows.values()] == ["8", "-1", None]


def test_a_parquet_log_without_a_column_is_refused(tmp_path: Path) -> None:
    assert refusal(parquet_in(tmp_path, frame_of(CELLS).drop("banker_cards"))).startswith(
        ': no column says banker_cards; found "round", "player_cards", "net:player", "net:tie";'
    )


@pytest.mark.parametrize("left", [4, 5, 12, 0.3, 0.9, -1])
def test_a_parquet_log_that_was_cut_off_is_refused(tmp_path: Path, left: float) -> None:
    path = parquet_in(tmp_path, frame_of(CELLS * 50))
    whole = path.read_bytes()
    path.write_bytes(whole[: left if isinstance(left, int) else int(left * len(whole))])
    assert refusal(path).startswith(": not readable as Parquet: ")


@pytest.mark.parametrize(("place", "value"), [(9, 0), (52, 17), (79, 0), (83, 255), (87, 0), (87, 255)])
def test_a_damaged_parquet_log_is_refused_or_read_to_its_end(tmp_path: Path, place: int, value: int) -> None:
    """One byte among the pages: whatever the reader makes of it, it is no error of another kind."""
    path = parquet_in(tmp_path, frame_of(CELLS * 50))
    content = bytearray(path.read_bytes())
    content[place] = value
    path.write_bytes(content)
    with suppress(HandLogError):
        assert len(read(path).rows) == 150


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
def test_what_is_written_is_what_is_read(tmp_path: Path, name: str) -> None:
    path, head = tmp_path / name, {"game": COMMISSION_2013, "decks": "8", "note": "a, b: c"}
    with LogWriter(path, head, WRITTEN.columns, parquet=name.endswith(".parquet")) as writer:
        writer.write(TEXT_LINES[:2])
        writer.write(TEXT_LINES[2:])
    log = open_log(path)
    assert (dict(log.head), list(log.names), log.has_shoes) == (head, WRITTEN.columns, True)
    assert list(read(path).rows.values()) == WRITTEN.cast(polars.String).rows()
    assert list(tmp_path.iterdir()) == [path]


def test_a_csv_log_is_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    with LogWriter(path, {"game": "x", "note": "y"}, WRITTEN.columns, parquet=False) as writer:
        writer.write(TEXT_LINES)
    assert path.read_bytes() == (
        b"# game: x\n# note: y\nround,shoe,player_cards,banker_cards,net:tie\n"
        b"1,1,5 2,A 8,-1\n2,1,A 6,J J A,\n3,2,K Q Q,7 Q,3/2\n"
    )


def test_parquet_keeps_numbers_of_rounds_as_numbers_and_all_else_as_text(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    with LogWriter(path, {}, WRITTEN.columns, parquet=True) as writer:
        writer.write(TEXT_LINES)
    assert polars.read_parquet(path).equals(WRITTEN)


def test_an_interrupted_parquet_log_leaves_nothing_behind(tmp_path: Path) -> None:
    def interrupted() -> None:
        with LogWriter(tmp_path / "log.parquet", {}, WRITTEN.columns, parquet=True) as writer:
            writer.write(TEXT_LINES)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        interrupted()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["log.csv", "log.parquet"])
def test_a_log_of_no_rounds_can_be_written_and_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with LogWriter(path, {"decks": "8"}, WRITTEN.columns, parquet=name.endswith(".parquet")):
        pass
    assert read(path).rows == {}
