"""``combinat evaluate``: files of shoes in, exact values out, and nothing by halves."""

import csv
import io
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from combinat import Game, Shoe, analyze, evaluate, load_game
from combinat.analysis.insurance import insurance_analysis
from combinat.cli.progress import progress_bar
from combinat.engine import kernel
from combinat.errors import ShoeError
from combinat.render.number import decimal
from combinat.rules import shoe_file
from combinat.rules.cards import RANKS
from combinat.rules.shoe_file import shoe_file as opened
from tests.conftest import SMALL_BOOK, Ran, Run
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


def run_on(monkeypatch: pytest.MonkeyPatch, run: Run, text: str | bytes, game_id: str, *words: str) -> Ran:
    """Run ``evaluate`` with shoes on standard input."""
    content = text.encode("utf-8") if isinstance(text, str) else text
    real = open

    def opening(file: Any, *how: Any, **more: Any) -> Any:
        return io.BufferedReader(io.BytesIO(content)) if file == 0 else real(file, *how, **more)

    monkeypatch.setattr("builtins.open", opening)
    return run("evaluate", game_id, "--shoes", "-", *words)


def holds_the_values(
    game_id: str, lines: list[dict[str, str]], shoes: list[tuple[int, ...]], places: int = 12
) -> None:
    """Each line has the shoe, and each bet's exact value with its decimal."""
    expected = evaluate(LOADED(game_id), shoes)
    bets = list(BETS[game_id])
    figures = ["void", *bets]
    assert list(lines[0]) == [*RANKS, *(name for figure in figures for name in (figure, f"{figure}_decimal"))]
    assert [tuple(int(line[rank]) for rank in RANKS) for line in lines] == shoes
    for number, line in enumerate(lines):
        void = analyze(LOADED(game_id), Shoe(shoes[number])).void
        assert (line["void"], line["void_decimal"]) == (str(void), decimal(void, places))
        for bet in bets:
            value = expected.expected_value(number, bet)
            assert line[bet] == str(value)
            assert line[f"{bet}_decimal"] == decimal(value, places)


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
    assert [len(block) for block, _ in opened(path, 8).blocks()] == [3, 3, 3, 2]
    printed = worked(run("evaluate", COMMISSION_2013, "--shoes", str(path)))
    holds_the_values(COMMISSION_2013, list(csv.DictReader(io.StringIO(printed))), shoes)


def test_old_values_are_replaced(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "values.csv"
    out.write_text("old values")
    path = shoes_in(tmp_path, as_csv([(32,) * 13]))
    worked(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(out)))
    assert out.read_text("utf-8").startswith(HEADER)


# ---------------------------------------------------------------- more that is asked for


def exact_figures(game: Game, shoe: Shoe, stakes: dict[str, Fraction]) -> dict[str, Fraction | None]:
    """By the recursion: what each column but decimals and ways has to hold."""
    analysis = analyze(game, shoe, by_recursion=True)
    figures: dict[str, Fraction | None] = {}
    for bet in analysis.bets:
        figures |= {bet.id: bet.expected_value, f"{bet.id}-variance": bet.variance}
    figures["stakes"] = sum(
        (stake * analysis.bet(bet).expected_value for bet, stake in stakes.items()), Fraction(0)
    )
    for state in insurance_analysis(game, analysis.distribution):
        own, other = state.state.points(state.state.side), state.state.points(state.state.side.other)
        name = f"{state.state.side}:{state.state.stage}:{own}-{other}"
        figures |= {f"{name}:probability": state.probability, f"{name}:expected-value": state.expected_value}
    return {"void": analysis.void, **figures}


def test_variance_insurance_outcomes_and_stakes(run: Run, tmp_path: Path) -> None:
    """Each column is what the recursion says of the shoe, also where a state cannot arise or a round not end."""
    game, stakes = LOADED(COMMISSION_2013), {"player": Fraction(5, 2), "tie": Fraction(10)}
    shoes = [(32,) * 13, (0, 0, 0, 0, 0, 0, 0, 9, 0, 9, 0, 0, 0), (3, 1) + (0,) * 10 + (1,)]
    words = ["--variance", "--insurance", "--outcomes", "--stake", "player=2.5", "--stake", "tie=10"]
    path = shoes_in(tmp_path, as_csv(shoes))
    printed = worked(run("evaluate", COMMISSION_2013, "--shoes", str(path), *words, "--places", "7"))
    lines = list(csv.DictReader(io.StringIO(printed)))
    for line, counts in zip(lines, shoes, strict=True):
        shoe = Shoe(counts)
        figures = exact_figures(game, shoe, stakes)
        analysis = analyze(game, shoe, by_recursion=True)
        ways = {
            f"{bet.id}:{outcome.name}:ways": outcome.ways
            for bet, own in zip(analysis.bets, game.bets, strict=True)
            for outcome in bet.outcomes[: len(own.pays)]
        }
        decimals = {
            f"{name}_decimal": "" if value is None else decimal(value, 7) for name, value in figures.items()
        }
        expected = {name: "" if value is None else str(value) for name, value in figures.items()}
        whole = {"sample-space": analysis.sample_space} | ways
        ranks = {str(rank): shoe[rank] for rank in RANKS}
        assert line == expected | decimals | {name: str(value) for name, value in (whole | ranks).items()}
    assert any(value == "" for value in lines[1].values())


def test_parquet_is_made_of_parts(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each small enough to be held; in their order; none stays behind."""
    polars = pytest.importorskip("polars")
    monkeypatch.setattr(shoe_file, "BLOCK", 2)
    monkeypatch.setattr("combinat.report.evaluation.PART", 2)
    for number in (0, 4, 11):
        shoes, out = some_shoes()[:number], tmp_path / f"values-{number}.parquet"
        path = shoes_in(tmp_path, as_csv(shoes))
        worked(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(out)))
        table = polars.read_parquet(out)
        assert [row[:13] for row in table.rows()] == shoes
        assert len(table.columns) == 13 + 2 * (1 + len(BETS[COMMISSION_2013]))
        path.unlink()
    assert {path.suffix for path in tmp_path.iterdir()} == {".parquet"}


def test_other_columns_are_not_read(run: Run, tmp_path: Path) -> None:
    """A column of names, and what evaluate itself wrote: both can be read again."""
    polars = pytest.importorskip("polars")
    shoes = some_shoes()
    path = shoes_in(tmp_path, as_csv(shoes))
    first = worked(run("evaluate", COMMISSION_2013, "--shoes", str(path)))
    head, *lines = as_csv(shoes).splitlines()
    path.write_text("\n".join([f"table,{head},note", *(f"B7,{line},x" for line in lines)]), "utf-8")
    assert worked(run("evaluate", COMMISSION_2013, "--shoes", str(path))) == first
    path.write_text(first, "utf-8")
    assert worked(run("evaluate", COMMISSION_2013, "--shoes", str(path))) == first
    for name, frame in {
        "values": polars.read_csv(io.BytesIO(first.encode()), infer_schema_length=None),
        "named": polars.DataFrame({"table": ["B7", "B8"], "removed": ["A A", ""]}),
    }.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
    assert worked(run("evaluate", COMMISSION_2013, "--shoes", str(tmp_path / "values.parquet"))) == first
    named = worked(run("evaluate", COMMISSION_2013, "--shoes", str(tmp_path / "named.parquet")))
    assert [line[:6] for line in named.splitlines()[1:]] == ["30,32,", "32,32,"]


def test_the_same_as_parquet(run: Run, tmp_path: Path) -> None:
    """A figure that does not exist is none."""
    polars = pytest.importorskip("polars")
    shoes, out = [(32,) * 13, (0, 0, 0, 0, 0, 0, 0, 9, 0, 9, 0, 0, 0)], tmp_path / "values.parquet"
    words = ["--shoes", str(shoes_in(tmp_path, as_csv(shoes))), "--insurance"]
    printed = worked(run("evaluate", COMMISSION_2013, *words))
    worked(run("evaluate", COMMISSION_2013, *words, "--out", str(out)))
    rows = polars.read_parquet(out).rows()
    lines = list(csv.reader(io.StringIO(printed)))[1:]
    assert [["" if cell is None else str(cell) for cell in row] for row in rows] == lines
    assert None in rows[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--stake", "tie"], '--stake: found "tie"; write BET=AMOUNT'),
        (["--stake", "tie=0"], "--stake tie: the stake must be more than 0"),
        (["--stake", "tie=1", "--stake", "tie=2"], '--stake: "tie" is given twice; write it once'),
        (["--stake", "tei=1"], 'has no bet "tei"; did you mean tie?'),
        (["--insurance"], f"--insurance: {NONCOMMISSION_2025} offers none; leave it out"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(
    run: Run, tmp_path: Path, words: list[str], message: str
) -> None:
    path = shoes_in(tmp_path, as_csv([(32,) * 13]))
    assert message in message_of(run("evaluate", NONCOMMISSION_2025, "--shoes", str(path), *words))


# ---------------------------------------------------------------- what is read


@pytest.mark.parametrize("place", [[], ["--out", "values.csv"]], ids=["printed", "to a file"])
def test_shoes_on_standard_input(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shoes = some_shoes()
    printed = worked(run_on(monkeypatch, run, as_csv(shoes), COMMISSION_2013, *place))
    text = Path("values.csv").read_text("utf-8") if place else printed
    holds_the_values(COMMISSION_2013, list(csv.DictReader(io.StringIO(text))), shoes)


def test_a_bad_row_on_standard_input_ends_what_is_printed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks before it are printed already; a file is still written whole or not at all."""
    monkeypatch.setattr(shoe_file, "BLOCK", 2)
    text = as_csv([(32,) * 13] * 3) + "x" + as_csv([(1,) * 13]).splitlines()[1][1:] + "\n"
    ran = run_on(monkeypatch, run, text, COMMISSION_2013)
    message = 'combinat: standard input, line 5: A: found "x"; write a whole number of 0 or more, of at most 9 digits\n'
    assert (ran.code, ran.err, len(ran.out.splitlines())) == (2, message, 3)
    ran = run_on(monkeypatch, run, text, COMMISSION_2013, "--out", str(tmp_path / "values.csv"))
    assert (ran.code, ran.out, ran.err) == (2, "", message)
    assert list(tmp_path.iterdir()) == []


def parquet(path: Path, columns: dict[str, Any]) -> Path:
    polars = pytest.importorskip("polars")
    polars.DataFrame(columns).write_parquet(path)
    return path


@pytest.mark.parametrize("block", [2, 4, 100])
def test_shoes_in_parquet(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    """However it is called, in slices and blocks, its columns in any order."""
    monkeypatch.setattr(shoe_file, "BLOCK", block)
    monkeypatch.setattr(shoe_file, "SLICE", 5)
    shoes = some_shoes()
    columns = {str(rank): [shoe[number] for shoe in shoes] for number, rank in enumerate(RANKS)}
    path = parquet(tmp_path / "shoes.any", dict(sorted(columns.items())))
    assert opened(path, 8).size == len(shoes)
    printed = worked(run("evaluate", COMMISSION_2013, "--shoes", str(path)))
    holds_the_values(COMMISSION_2013, list(csv.DictReader(io.StringIO(printed))), shoes)


def test_removed_cards_in_parquet(tmp_path: Path) -> None:
    path = parquet(tmp_path / "removed.parquet", {"removed": ["A A 10", ""]})
    fresh = Shoe.of_decks(6)
    assert read(path, 6) == [fresh.minus("A A 10").counts, fresh.counts]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"A": [1]}, f": found the header A; write {','.join(RANKS)} or removed"),
        ({str(rank): [1.5] for rank in RANKS}, ": the column A holds Float64; write whole numbers"),
        ({str(rank): [True] for rank in RANKS}, ": the column A holds Boolean; write whole numbers"),
        ({"removed": [7]}, ": the column removed holds Int64; write cards as text"),
        ({str(rank): [1, 2] for rank in RANKS} | {"9": [1, -2]}, ', row 2: 9: found "-2"; write a whole number of 0 or more, of at most 9 digits'),
        ({str(rank): [1, 2] for rank in RANKS} | {"K": [None, 2]}, ', row 1: K: found ""; write a whole number of 0 or more, of at most 9 digits'),
        ({str(rank): [2] for rank in RANKS} | {"Q": [10**9]}, ', row 1: Q: found "1000000000"; write a whole number of 0 or more, of at most 9 digits'),
        ({"removed": ["A", None]}, ", row 2: nothing is there; write the cards that are removed, or an empty text"),
        ({"removed": ["A", "1"]}, ', row 2: card "1" does not exist; write one of A 2 3 4 5 6 7 8 9 10 J Q K'),
    ],
)  # fmt: skip
def test_a_bad_row_of_parquet_is_named(
    run: Run, tmp_path: Path, columns: dict[str, Any], message: str
) -> None:
    path = parquet(tmp_path / "shoes.parquet", columns)
    assert message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path))) == f"{path}{message}"


def test_parquet_that_cannot_be_read(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("polars")
    path = tmp_path / "shoes.parquet"
    path.write_bytes(b"PAR1 and nothing more")
    refused = message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path)))
    assert refused.startswith(f"{path}: not readable as Parquet: ")
    refused = message_of(run_on(monkeypatch, run, b"PAR1\xff", COMMISSION_2013))
    assert refused == "standard input: found Parquet, which is read from a file only; give its path"
    monkeypatch.setitem(sys.modules, "polars", None)
    refused = message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path)))
    assert refused == f"{path}: Parquet needs polars: pip install 'combinat[parquet]', or give a CSV file"


def test_a_line_without_end_is_not_held(run: Run, tmp_path: Path) -> None:
    path = shoes_in(tmp_path, f"removed\n{'A ' * 600_000}\n")
    assert message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path))) == (
        f"{path}, line 2: longer than 1000000 characters; write a shoe a line"
    )


BOUNDED = """
import resource, sys
from pathlib import Path
from combinat import load_game
from combinat.report.evaluation import Asked, write_csv_file
game, asked, shoe = load_game(sys.argv[1]), Asked(places=12), (32,) * 13
for blocks in (4, 40):
    again = (([shoe] * 256, 0) for _ in range(blocks))
    write_csv_file(game, again, Path(sys.argv[2]), asked, lambda read: None)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Ten times the shoes, hardly more memory: all their cells would be some 30 MB more."""
    words = [sys.executable, "-c", BOUNDED, str(SMALL_BOOK), str(tmp_path / "values.csv")]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    few, many = map(int, ran.stdout.split())
    assert many - few < 8_000, (few, many)


def read(path: Path, decks: int = 8) -> list[tuple[int, ...]]:
    return [row for block, _ in opened(path, decks).blocks() for row in block]


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
        (
            f"{HEADER}\n\n\n{GOOD[:-2]}x\n",
            'line 4: K: found "x"; write a whole number of 0 or more, of at most 9 digits',
        ),
        (
            f"{HEADER}\n-1{GOOD[2:]}\n",
            'line 2: A: found "-1"; write a whole number of 0 or more, of at most 9 digits',
        ),
        (
            f"{HEADER}\n3.5{GOOD[2:]}\n",
            'line 2: A: found "3.5"; write a whole number of 0 or more, of at most 9 digits',
        ),
        (
            f"{HEADER}\n{GOOD[2:]}\n",
            'line 2: A: found ""; write a whole number of 0 or more, of at most 9 digits',
        ),
        (
            f"{HEADER}\n٣{GOOD[2:]}\n",
            'line 2: A: found "٣"; write a whole number of 0 or more, of at most 9 digits',
        ),
        (
            f"{HEADER}\n1234567890{GOOD[2:]}\n",
            'line 2: A: found "1234567890"; write a whole number of 0 or more, of at most 9 digits',
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


GIVE = "give a CSV or Parquet file of shoes, or - for standard input"


def test_a_file_that_is_not_there_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    assert message_of(run("evaluate", COMMISSION_2013, "--shoes", str(path))) == (
        f"{path}: cannot be read (No such file or directory); {GIVE}"
    )
    assert message_of(run("evaluate", COMMISSION_2013, "--shoes", str(tmp_path))) == (
        f"{tmp_path}: cannot be read (Is a directory); {GIVE}"
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
    reported: list[Any] = []

    @contextmanager
    def recorded(total: int | None, what: str, *, parts: bool) -> Iterator[Callable[[int], None]]:
        reported.extend([total, what, parts])
        yield reported.append

    monkeypatch.setattr("combinat.cli.evaluate.progress_bar", recorded)
    path = shoes_in(tmp_path, as_csv(some_shoes()))
    worked(run("evaluate", COMMISSION_2013, "--shoes", str(path), "--out", str(tmp_path / "values.csv")))
    assert reported[:3] == [path.stat().st_size, "shoes", False]  # in bytes, shown in per cent
    assert len(reported) == 6
    assert sum(reported[3:]) == path.stat().st_size
    lines = "".join(as_csv(some_shoes()))
    worked(run_on(monkeypatch, run, lines, COMMISSION_2013, "--out", str(tmp_path / "others.csv")))
    assert reported[6:] == [None, "shoes", True, 4, 4, 3]  # of a stream, in shoes


# ---------------------------------------------------------------- what takes long, and what would take less


@pytest.mark.parametrize(
    ("shoes", "note"),
    [
        (199, ""),
        (
            200,
            "combinat: 200 shoes and more without numba: pip install 'combinat[fast]' saves a third of the time\n",
        ),
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
