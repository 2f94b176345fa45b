"""``combinat simulate`` as a user runs it: the same seed, the same file; whole shoes; known faults; nothing by halves.

Refusals are in ``tests/refusals.toml``.
"""

import json
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import chain, repeat
from pathlib import Path

import polars
import pytest

from combinat import analyze, crosscheck, load_game
from combinat.audit.reading.counts_file import read_counts
from combinat.audit.reading.source import Source
from combinat.base.errors import InputError
from combinat.montecarlo import simulation
from combinat.montecarlo.fault import FORMS, PARTS, Fault
from combinat.montecarlo.simulation import Simulation
from combinat.rules.table_of_play import STOOD
from tests.conftest import Run
from tests.documents import BETS, COMMISSION_2013, NONCOMMISSION_2025
from tests.games import EIGHT

GAME = load_game(COMMISSION_2013)
FEW_RANKS = "A=12 4=12 6=12 9=12 K=12"  # sixty cards, so that shoes are short


@pytest.fixture
def simulate(run: Run, tmp_path: Path) -> Callable[..., Path]:
    """Run ``simulate`` and return its file."""

    def simulated(name: str, *words: str, game: str = COMMISSION_2013) -> Path:
        out = tmp_path / name
        run("simulate", game, "--out", str(out), *words).output()
        return out

    return simulated


Simulate = Callable[..., Path]


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV log."""
    return polars.read_csv(path, comment_prefix="#", infer_schema=False).fill_null("").rows(named=True)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of work so small that a few hundred rounds are many of them."""
    monkeypatch.setattr(simulation, "ROUNDS", 64)
    monkeypatch.setattr(simulation, "SHOES", 3)


# ---------------------------------------------------------------- the same seed, the same file


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sim.json", ""),
        ("sim.json", "--cut-card 14"),
        ("log.csv", "--burn --cut-card 20"),
        ("log.parquet", ""),
    ],
)
def test_a_seed_gives_one_file_for_any_number_of_workers(simulate: Simulate, name: str, words: str) -> None:
    """In new folders or in the place of an old file; and another seed gives another."""
    common = ["--rounds", "250", "--cards", FEW_RANKS, *words.split()]
    files = [
        simulate(f"new/{name}", *common, "--seed", seed, "--workers", workers).read_bytes()
        for seed, workers in (("7", "1"), ("8", "5"), ("7", "5"), (str(2**64 + 1), "1"))
    ]
    assert files[0] == files[2]
    assert len(set(files)) == 3


@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2025])
def test_counts_and_logs_of_one_seed_tell_of_the_same_rounds(simulate: Simulate, game_id: str) -> None:
    sim, log, parquet = (
        simulate(name, "--rounds", "300", game=game_id) for name in ("sim.json", "log.csv", "log.parquet")
    )
    rows, counts = rows_of(log), json.loads(sim.read_text("utf-8"))
    assert [entry["id"] for entry in counts["bets"]] == list(BETS[game_id])
    for entry in counts["bets"]:
        nets = Counter(Fraction(row[f"net:{entry['id']}"]) for row in rows)
        assert {Fraction(one["net"]): one["rounds"] for one in entry["results"] if one["rounds"]} == nets
    frame = polars.read_parquet(parquet).cast(polars.String).fill_null("")
    assert frame.rows(named=True) == rows


@pytest.mark.parametrize(
    ("words", "dealt"),
    [
        ("", ["# decks: 8"]),
        ("--removed A --cut-card 14", [f"# cards: {EIGHT.minus('A')}", "# cut-card: 14"]),
    ],
)
def test_a_log_says_what_it_is(simulate: Simulate, words: str, dealt: list[str]) -> None:
    log = simulate("log.csv", "--rounds", "3", "--seed", "4", *words.split())
    *head, note = [line for line in log.read_text("utf-8").splitlines() if line.startswith("#")]
    assert (head, note[-6:]) == ([f"# game: {COMMISSION_2013}", *dealt], "seed 4")


# ---------------------------------------------------------------- whole shoes


@pytest.mark.usefixtures("small_batches")
def test_whole_shoes_are_never_cut(simulate: Simulate) -> None:
    """However many rounds are asked for, the log is that of a longer run up to the end of a shoe."""
    words = ["--cards", FEW_RANKS, "--cut-card", "14", "--rounds"]
    logs = {rounds: rows_of(simulate("log.csv", *words, str(rounds))) for rounds in (150, 61, 10, 9, 1)}
    most = logs[150]
    assert [row["round"] for row in most] == [str(number + 1) for number in range(len(most))]
    for rounds, rows in logs.items():
        shoe = rows[-1]["shoe"]
        assert rows == [row for row in most if int(row["shoe"]) <= int(shoe)]
        assert rounds <= len(rows)
        assert sum(row["shoe"] != shoe for row in rows) < rounds


# ---------------------------------------------------------------- known faults

FAULTS = (
    "wrong-cell 6/7",
    "wrong-cell 5/stood",
    "player draws on 6",
    "player stands on 5",
    "one card missing 9",
    "one card too many 10",
    "infinite deck",
    "copies first card 5%",
    "duplicated rows 2%",
    "paid wrong banker=1 to 1 in 1%",
    "player +0.5%",
    "tie -1.25 %",
)


def test_every_form_of_a_fault_is_read() -> None:
    faults = [Fault.parse(text) for text in FAULTS]
    assert [Fault.parse(fault.text) for fault in faults] == faults
    assert len({fault.kind for fault in faults}) == len(FORMS)
    for fault in faults:
        fault.of_game(GAME)


@pytest.mark.parametrize(("column", "text"), [(7, "wrong-cell 6/7"), (STOOD, "wrong-cell 6/stood")])
def test_only_the_cell_named_is_another(column: int, text: str) -> None:
    right, wrong = GAME.table_of_play, Fault.parse(text).of_game(GAME).table_of_play
    cells = [(points, third) for points in range(8) for third in range(STOOD + 1)]
    assert [cell for cell in cells if right.banker[cell[0]][cell[1]] != wrong.banker[cell[0]][cell[1]]] == [
        (6, column)
    ]
    assert right.player == wrong.player


def simulation_of(text: str, rounds: int = 40_000, cut_card: int | None = None) -> Simulation:
    fault = Fault.parse(text)
    return Simulation(game=GAME, shoe=EIGHT, rounds=rounds, seed=3, fault=fault, cut_card=cut_card)


def test_a_bet_comes_oftener_by_what_is_said() -> None:
    """The exact share of rounds that are replaced moves the expected value by the points named."""
    bet = analyze(GAME, EIGHT).bet("player")
    wins = [line for line in bet.outcomes if line.net > 0]
    often = sum((line.probability for line in wins), Fraction(0))
    mean = sum((line.net * line.probability for line in wins), Fraction(0)) / often
    moved = Fraction(simulation_of("player +0.5%").part, PARTS) * (mean - bet.expected_value)
    assert abs(moved - Fraction(1, 200)) < Fraction(1, 10**7)
    with pytest.raises(InputError):
        _ = simulation_of("tie -99%").part


@pytest.mark.parametrize(
    ("text", "rounds", "cut_card", "least", "most"),
    [
        ("copies first card 5%", 40_000, None, 0.11, 0.135),  # 1/13 of the rest, and 5 %
        ("copies first card 50%", 1_000, 14, 0.5, 0.56),
        ("duplicated rows 2%", 40_000, None, 0.085, 0.105),
    ],
)
def test_with_a_fault_the_dealer_copies_and_duplicates(
    monkeypatch: pytest.MonkeyPatch, text: str, rounds: int, cut_card: int | None, least: float, most: float
) -> None:
    monkeypatch.setattr(simulation, "SHOES", 20)
    batch = simulation_of(text, rounds, cut_card).batch(0)
    first = batch.dealt.player[0]
    assert least < float((first[1:] == first[:-1]).mean()) < most
    assert (40_600 < batch.rounds < 41_000) is text.startswith("duplicated")


PAID = "paid wrong banker=1 to 1 in 1%"


@pytest.mark.parametrize(
    ("text", "words", "decks", "why"),
    [
        ("wrong-cell 6/7", "--rounds 2000", 8, "impossible deal"),
        ("copies first card 8%", "--rounds 2000", 8, "off beyond chance"),
        ("duplicated rows 4%", "--rounds 2000", 8, "off beyond chance"),
        (PAID, "--rounds 2000", 8, "wrong settlement"),
        (PAID, "--rounds 50000 --out sim.json", 8, ""),
        ("infinite deck", "--rounds 100 --decks 1 --cut-card 6", 1, "impossible deal"),
    ],
)
def test_a_file_with_a_fault_says_so_and_is_seen(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str, decks: int, why: str
) -> None:
    monkeypatch.setattr(simulation, "SHOES", 20)
    monkeypatch.chdir(tmp_path)
    ran = run("simulate", COMMISSION_2013, "--out", "log.csv", "--fault", text, *words.split())
    assert (ran.code, f"with a known fault: {text}" in ran.out) == (0, True)
    (out,) = tmp_path.iterdir()
    verdict = crosscheck(out, shoe=decks)
    assert verdict.word.exit_code == 1
    assert any(why in reason for reason in verdict.reasons)
    if out.suffix == ".json":
        counted = read_counts(Source.at(out))
        assert counted.made_by["known fault"] == text
        assert 150 < counted.bets["banker"][Fraction(1)].rounds < 310  # 1 % of 45.86 % of the rounds
    else:
        assert f"with a known fault: {text}\n" in out.read_text("utf-8")


# ---------------------------------------------------------------- files


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("name", ["sim.json", "log.csv", "log.parquet"])
def test_ctrl_c_keeps_what_has_been_dealt(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The batch under way is ended, and no other begun: three batches of 64 rounds."""
    out, asked = tmp_path / name, chain([0, 0], repeat(signal.SIGINT))

    @contextmanager
    def interruption() -> Iterator[Callable[[], int]]:
        yield lambda: next(asked)

    monkeypatch.setattr("combinat.cli.simulate.interruption", interruption)
    ran = run("simulate", COMMISSION_2013, "--rounds", "1000000000", "--out", str(out))
    assert (ran.code, "after 192 of 1000000000 rounds" in ran.err) == (130, True)
    assert (list(tmp_path.iterdir()), crosscheck(out).rounds) == ([out], 192)
    assert out.suffix != ".json" or '"stopped": "after ' in out.read_text("utf-8")
