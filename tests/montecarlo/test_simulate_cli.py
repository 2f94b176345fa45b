"""``combinat simulate`` as a user runs it: the same seed, the same file; whole shoes; nothing by halves."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import polars
import pytest

from combinat import load_game
from combinat.audit.counts_file import read_counts
from combinat.audit.source import Source
from combinat.simulate import simulation
from tests.claims import repeating
from tests.conftest import Ran, Run
from tests.documents import (
    BETS,
    COMMISSION_2013,
    NONCOMMISSION_2025,
)

FEW_RANKS = "A=12 4=12 6=12 9=12 K=12"  # sixty cards, so that shoes are short


def worked(ran: Ran) -> str:
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def message_of(ran: Ran) -> str:
    """The one message of a command that could not be carried out."""
    assert (ran.code, ran.out) == (2, "")
    message, newline, rest = ran.err.partition("\n")
    assert (newline, rest) == ("\n", "")
    assert message.startswith("combinat: ")
    return message.removeprefix("combinat: ")


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV log."""
    names, *lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [dict(zip(names.split(","), line.split(","), strict=True)) for line in lines]


def cards_in(row: dict[str, str]) -> int:
    return len(f"{row['player_cards']} {row['banker_cards']}".split())


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of work so small that a few hundred rounds are many of them."""
    monkeypatch.setattr(simulation, "ROUNDS", 64)
    monkeypatch.setattr(simulation, "SHOES", 3)


# ---------------------------------------------------------------- the same seed, the same file

WAYS: list[list[str]] = [[], ["--shoe-dealing"], ["--shoe-dealing", "--burn", "--cut-card", "20"]]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        *(("sim.json", words) for words in WAYS),
        *(("log.csv", words) for words in WAYS),
        ("log.parquet", WAYS[1]),
    ],
)
def test_a_seed_gives_one_file_for_any_number_of_workers(
    run: Run, tmp_path: Path, name: str, words: list[str]
) -> None:
    files = []
    for number, workers in enumerate([["--workers", "1"], ["--workers", "5"]]):
        out = tmp_path / str(number) / name
        common = ["--rounds", "250", "--seed", "7", "--cards", FEW_RANKS]
        worked(run("simulate", COMMISSION_2013, "--out", str(out), *common, *words, *workers))
        files.append(out.read_bytes())
    assert files[0] == files[1]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("words", WAYS, ids=" ".join)
def test_another_seed_gives_other_rounds(run: Run, tmp_path: Path, words: list[str]) -> None:
    deals = set()
    for seed in (0, 1, 2**64 + 1):
        out = tmp_path / f"{seed}.csv"
        worked(run("simulate", COMMISSION_2013, "--out", str(out), "--rounds", "20", "--seed", str(seed),
                   "--cards", FEW_RANKS, *words))  # fmt: skip
        deals.add(tuple(row["player_cards"] + "|" + row["banker_cards"] for row in rows_of(out)))
    assert len(deals) == 3


@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2025])
def test_counts_and_logs_of_one_seed_tell_of_the_same_rounds(run: Run, tmp_path: Path, game_id: str) -> None:
    for name in ("sim.json", "log.csv", "log.parquet"):
        words = ["--rounds", "300", "--seed", "5"]
        ran = run("simulate", game_id, "--out", str(tmp_path / name), *words)
        assert worked(ran) == f"wrote {tmp_path / name}: 300 rounds of {game_id}, seed 5\n"
    rows = rows_of(tmp_path / "log.csv")
    counts = json.loads((tmp_path / "sim.json").read_text("utf-8"))
    assert [entry["id"] for entry in counts["bets"]] == list(BETS[game_id])
    for entry in counts["bets"]:
        nets = Counter(Fraction(row[f"net:{entry['id']}"]) for row in rows)
        assert {Fraction(one["net"]): one["rounds"] for one in entry["results"] if one["rounds"]} == nets
    frame = polars.read_parquet(tmp_path / "log.parquet")
    assert [
        {name: "" if cell is None else str(cell) for name, cell in row.items()}
        for row in frame.rows(named=True)
    ] == rows
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.csv", "log.parquet", "sim.json"]


# ---------------------------------------------------------------- what is written


def test_a_log_says_what_it_is(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "log.csv"
    worked(run("simulate", "comm", "--rounds", "3", "--seed", "4", "--out", str(out)))
    lines = out.read_text("utf-8").splitlines()
    assert lines[:2] == [f"# game: {COMMISSION_2013}", "# decks: 8"]
    assert lines[2].startswith("# note: ")
    assert lines[2].endswith("seed 4")
    assert lines[3].split(",") == [
        "round", "player_cards", "banker_cards", "net:player", "net:banker", "net:tie", "net:player-pair",
        "net:banker-pair", "net:banker@four-cards", "net:player@four-cards", "net:banker@player-third-card",
        "net:player@player-third-card",
    ]  # fmt: skip
    assert [line.split(",")[0] for line in lines[4:]] == ["1", "2", "3"]
    assert out.read_bytes().endswith(b"\n")


def test_a_shoe_that_is_no_number_of_decks_is_written_by_its_cards(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "log.csv"
    worked(run("simulate", "comm", "--rounds", "3", "--removed", "A", "--out", str(out)))
    assert "\n# cards: A=31 2=32 3=32 4=32 5=32 6=32 7=32 8=32 9=32 10=32 J=32 Q=32 K=32\n" in out.read_text()


SHOES, BURNT = ["--decks", "4", "--shoe-dealing"], ["--decks", "4", "--shoe-dealing", "--burn"]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(
    ("game_id", "name", "words"),
    [
        (COMMISSION_2013, "log.parquet", SHOES),
        (NONCOMMISSION_2025, "log.csv", BURNT),
    ],
)
def test_every_round_of_a_log_replays(
    run: Run, tmp_path: Path, game_id: str, name: str, words: Sequence[str]
) -> None:
    """Dealer and settlement of the simulator, against the Table of Play and ``settle``."""
    out = tmp_path / name
    ran = run("simulate", game_id, "--rounds", "70", "--seed", "11", "--out", str(out), *words)
    dealt = int(worked(ran).split(": ")[-1].split()[0])
    ran = repeating(run)("crosscheck", str(out), "--settlement-only", "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    replay = json.loads(ran.out)["replay"]
    assert (replay["rows"], replay["unreadable"], replay["impossible"], replay["wrong"]) == (dealt, 0, 0, 0)
    totals = {total["column"]: total for total in replay["totals"]}
    assert all(totals[f"net:{bet}"]["rows"] == dealt for bet in BETS[game_id])
    insured = [f"net:{one.side}@{one.stage}" for one in load_game(game_id).insurance]
    assert list(totals) == [*(f"net:{bet}" for bet in BETS[game_id]), *insured]
    assert all(0 < totals[column]["rows"] < dealt for column in insured if "four" in column)


# ---------------------------------------------------------------- whole shoes


def shoes_in(rows: list[dict[str, str]]) -> list[list[dict[str, str]]]:
    return [list(shoe) for _, shoe in groupby(rows, key=lambda row: row["shoe"])]


@pytest.mark.usefixtures("small_batches")
def test_whole_shoes_are_never_cut(run: Run, tmp_path: Path) -> None:
    """However many rounds are asked for, the log is that of a longer run up to the end of a shoe."""
    logs = {}
    for rounds in (1, 9, 10, 61, 150):
        out = tmp_path / f"{rounds}.csv"
        words = ["--cards", FEW_RANKS, "--shoe-dealing", "--rounds", str(rounds), "--out", str(out)]
        said = worked(run("simulate", COMMISSION_2013, *words))
        logs[rounds] = rows_of(out)
        assert said.startswith(f"wrote {out}: {len(logs[rounds])} rounds of ")
    most = logs[150]
    for rounds, rows in logs.items():
        assert rows == most[: len(rows)]
        last = shoes_in(most)[int(rows[-1]["shoe"]) - 1]
        assert rows[-1] == last[-1], "the last shoe was cut"
        assert rounds <= len(rows) < rounds + len(last)
    assert [row["round"] for row in most] == [str(number + 1) for number in range(len(most))]
    assert [shoe[0]["shoe"] for shoe in shoes_in(most)] == [str(n + 1) for n in range(len(shoes_in(most)))]


@pytest.mark.parametrize(
    ("words", "behind"), [([], 14), (["--cut-card", "6"], 6), (["--cut-card", "30"], 30)]
)
def test_the_round_in_which_the_cut_card_comes_out_is_the_last(
    run: Run, tmp_path: Path, words: list[str], behind: int
) -> None:
    out = tmp_path / "log.csv"
    worked(
        run(
            "simulate",
            "comm",
            "--cards",
            FEW_RANKS,
            "--shoe-dealing",
            *words,
            "--rounds",
            "200",
            "--out",
            str(out),
        )
    )
    for shoe in shoes_in(rows_of(out)):
        drawn = [cards_in(row) for row in shoe]
        assert 60 - sum(drawn) <= behind < 60 - sum(drawn[:-1])


def test_burnt_cards_are_not_dealt(run: Run, tmp_path: Path) -> None:
    """Two to eleven cards are gone before the first round; which, a log does not say."""
    out, left = tmp_path / "log.csv", set()
    words = ["--cards", FEW_RANKS, "--shoe-dealing", "--burn", "--rounds", "2000", "--out", str(out)]
    worked(run("simulate", "comm", *words))
    for shoe in shoes_in(rows_of(out)):
        drawn = [cards_in(row) for row in shoe]
        assert 60 - 11 - sum(drawn) <= 14 < 60 - 2 - sum(drawn[:-1])
        left.add(60 - sum(drawn))
    assert max(left) > 14 + 2


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--out sim.txt", '--out: found "sim.txt"; write a file name that ends in .json for counts, .csv or .parquet for a hand log'),
        ("--out sim", '--out: found "sim"; write a file name that ends in .json for counts, .csv or .parquet for a hand log'),
        ("--out sim.CSV", '--out: found "sim.CSV"; write a file name that ends in .json for counts, .csv or .parquet for a hand log'),
        (
            "--out sim.json --format log",
            '--out: found "sim.json" for --format log; write a file name that ends in .csv or .parquet',
        ),
        (
            "--out sim.csv --format counts",
            '--out: found "sim.csv" for --format counts; write a file name that ends in .json',
        ),
        ("--out sim.json --burn", "--burn and --cut-card are for whole shoes; add --shoe-dealing"),
        ("--out sim.json --cut-card 14", "--burn and --cut-card are for whole shoes; add --shoe-dealing"),
        ("--out sim.json --workers 0", "--workers: found 0; write 1 or more"),
        (
            "--out sim.json --shoe-dealing --cut-card 5",
            "the cut card must lie 6 to 415 cards from the end of 416 cards, so that every round can be finished and one is dealt; found 5",
        ),
        (
            "--out sim.json --shoe-dealing --cut-card -1",
            "the cut card must lie 6 to 415 cards from the end of 416 cards, so that every round can be finished and one is dealt; found -1",
        ),
        (
            "--out sim.csv --shoe-dealing --cut-card 416",
            "the cut card must lie 6 to 415 cards from the end of 416 cards, so that every round can be finished and one is dealt; found 416",
        ),
        (
            "--out sim.csv --shoe-dealing --burn --cut-card 405",
            "the cut card must lie 6 to 404 cards from the end of 416 cards, so that every round can be finished and one is dealt; found 405",
        ),
        ("--out sim.json --cards A=5", "the shoe has 5 cards; a simulation deals from 6 to 65535, so that every round can be finished"),
        ("--out sim.csv --cards K=65536", "the shoe has 65536 cards; a simulation deals from 6 to 65535, so that every round can be finished"),
        ("--out sim.json --decks 0", '--decks: found "0"; write a whole number of 1 or more, such as 8, up to 999999'),
        ("--out sim.json --decks 8 --cards A=9", "--cards says all that is left; it does not go with --decks or --removed"),
        ("--out sim.json --cards A=x", '--cards: found "A=x"; write a rank, = and a whole number, such as A=31'),
    ],
)  # fmt: skip
def test_what_cannot_be_simulated_is_refused_and_nothing_is_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message_of(run("simulate", COMMISSION_2013, *words.split())) == message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    ["--rounds 0", "--rounds -5", "--rounds 1000000000001", "--rounds 1e6", "--seed -1", "--format text"],
)
def test_numbers_out_of_range_are_refused(run: Run, tmp_path: Path, words: str) -> None:
    ran = run("simulate", COMMISSION_2013, "--out", str(tmp_path / "sim.json"), *words.split())
    assert (ran.code, ran.out) == (2, "")
    assert words.split()[0] in ran.err
    assert "Traceback" not in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_to_write_is_required(run: Run) -> None:
    ran = run("simulate", COMMISSION_2013)
    assert (ran.code, ran.out, "--out" in ran.err) == (2, "", True)


@pytest.mark.parametrize("name", ["sim.json", "log.csv", "log.parquet"])
def test_a_place_that_cannot_be_written_is_refused(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("here")
    out = tmp_path / "file" / name
    refused = message_of(run("simulate", COMMISSION_2013, "--out", str(out), "--rounds", "10"))
    assert refused.startswith(f"{out}: cannot be written (")
    folder = tmp_path / name
    folder.mkdir()
    refused = message_of(run("simulate", COMMISSION_2013, "--out", str(folder), "--rounds", "10"))
    assert refused == f"{folder}: cannot be written (Is a directory); choose another place"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["file", name])
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["sim.json", "log.csv", "log.parquet"])
def test_an_old_file_is_replaced_and_folders_are_made(run: Run, tmp_path: Path, name: str) -> None:
    out = tmp_path / "new" / name
    words = ["simulate", COMMISSION_2013, "--out", str(out), "--rounds", "10"]
    worked(run(*words))
    first = out.read_bytes()
    out.write_text("old")
    worked(run(*words))
    assert out.read_bytes() == first
    assert list(out.parent.iterdir()) == [out]


def test_only_parquet_needs_polars_and_says_so_before_anything_is_dealt(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    assert message_of(run("simulate", COMMISSION_2013, "--out", str(tmp_path / "log.parquet"))) == (
        "hand logs need polars: pip install 'combinat[crosscheck]'"
    )
    assert list(tmp_path.iterdir()) == []
    assert run("simulate", COMMISSION_2013, "--rounds", "9", "--out", str(tmp_path / "log.csv")).code == 0


# ---------------------------------------------------------------- Ctrl-C


def rounds_in(path: Path) -> int:
    """The rounds of a whole file."""
    if path.suffix == ".json":
        counted = read_counts(Source.at(path))
        assert counted.made_by["stopped"].startswith("after ")
        return counted.rounds
    if path.suffix == ".parquet":
        return polars.read_parquet(path).height
    text = path.read_text("utf-8")
    assert text.endswith("\n")
    last = text.splitlines()[-1].split(",")
    assert len(last) == 12
    return int(last[0])


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("name", ["sim.json", "log.csv", "log.parquet"])
def test_ctrl_c_keeps_what_has_been_dealt(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The batch under way is ended, and no other begun: three batches of 64 rounds."""
    out, asked = tmp_path / name, iter([0, 0, signal.SIGINT, signal.SIGINT])

    @contextmanager
    def interruption() -> Iterator[Callable[[], int]]:
        yield lambda: next(asked)

    monkeypatch.setattr("combinat.cli.simulate.interruption", interruption)
    ran = run("simulate", COMMISSION_2013, "--rounds", "1000000000", "--out", str(out))
    assert ran.code == 130
    assert list(tmp_path.iterdir()) == [out]
    assert rounds_in(out) == 192
    assert ran.out == f"wrote {out}: 192 rounds of {COMMISSION_2013}, seed 1\n"
    assert ran.err == f"combinat: stopped after 192 of 1000000000 rounds; {out} holds those\n"


@pytest.mark.usefixtures("signals_are_heard")
def test_a_program_that_is_interrupted_ends_what_is_under_way(tmp_path: Path) -> None:
    """The signal itself, to a program of its own. Its file's place is taken before the first round is dealt."""
    out = tmp_path / "sim.json"
    words = ["simulate", COMMISSION_2013, "--rounds", "1000000000", "--out", str(out)]
    program = subprocess.Popen(
        [sys.executable, "-m", "combinat", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        waited_until = time.monotonic() + 60
        while not list(tmp_path.iterdir()):
            assert time.monotonic() < waited_until
            assert program.poll() is None
            time.sleep(0.01)
        program.send_signal(signal.SIGINT)
        said, complaint = program.communicate(timeout=60)
    finally:
        program.kill()
    assert program.returncode == 130
    assert list(tmp_path.iterdir()) == [out]
    dealt = rounds_in(out)
    assert said == f"wrote {out}: {dealt} rounds of {COMMISSION_2013}, seed 1\n"
    assert complaint == f"combinat: stopped after {dealt} of 1000000000 rounds; {out} holds those\n"
    assert 0 < dealt < 1_000_000_000
