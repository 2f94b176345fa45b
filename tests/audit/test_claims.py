"""A file does not decide how it is judged: its claims are shown, and some count only when the auditor repeats them."""

import gzip
import io
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import polars
import pytest
import zstandard

from combinat import FileError, InputError, Shoe, crosscheck, follow, simulate
from combinat.audit.judging.crosscheck import verdict_of_bytes
from combinat.audit.reading import source
from combinat.report.certified import simulations as report_simulations
from combinat.rules.book.load import load_game
from tests.audit.logs import HEAD
from tests.conftest import Run
from tests.documents import COMMISSION_2013
from tests.paths import CORPUS, stored

ROUNDED = "# unit: 10\n# rounding: up\n"
STAKED = "round,player_cards,banker_cards,stake:banker,payout:banker\n1,K 8,K 9,100,200\n"
CARDS = "A=32 2=32 3=32 4=32 5=32 6=32 7=32 8=32 9=4 10=32 J=32 Q=32 K=32"


@pytest.fixture
def rounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log that claims that winnings are rounded up to whole 10, by which 100 for 95 is right."""
    monkeypatch.chdir(tmp_path)
    path = Path("log.csv")
    path.write_text(HEAD + ROUNDED + STAKED, "utf-8")
    return path


# ---------------------------------------------------------------- rounding


@pytest.mark.parametrize("more", [(), ("--follow", "--every", "0")], ids=["whole", "followed"])
def test_a_claim_of_rounding_counts_only_when_it_is_repeated(
    run: Run, rounded: Path, more: tuple[str, ...]
) -> None:
    words = ("crosscheck", str(rounded), *(more or ("--settlement-only",)))
    refused = run(*words)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.endswith(": --set unit=10 --set rounding=up\n")
    assert run(*words, "--set", "unit=10.0", "--set", "rounding=up").code == 0
    assert run(*words, "--set", "unit=10", "--set", "rounding=down").code == 2
    rounded.write_text(HEAD + STAKED, "utf-8")
    assert run(*words).code == 1
    assert run(*words, "--set", "unit=10", "--set", "rounding=up").code == 0


def test_python_says_which_parameter_repeats_a_claim(rounded: Path) -> None:
    for question in (crosscheck, follow):
        with pytest.raises(InputError, match=r"log_map unit=10 log_map rounding=up$"):
            question(rounded)
    chips = {"unit": "10", "rounding": "up"}
    assert crosscheck(rounded, log_map=chips, settlement_only=True).rounding == (Fraction(10), "up")


def test_a_unit_above_a_stake_is_refused_whoever_states_it(run: Run, rounded: Path) -> None:
    rounded.write_text(HEAD + STAKED + "2,K 8,K 9,9,18\n", "utf-8")
    for more in (("--settlement-only",), ("--follow", "--every", "0")):
        ran = run("crosscheck", str(rounded), "--set", "unit=10", "--set", "rounding=up", *more)
        assert (ran.code, ran.out) == (2, "")
        assert "a stake of 9 is below the unit of 10" in ran.err


# ---------------------------------------------------------------- the shoe


@pytest.mark.parametrize(
    ("name", "shoe"),
    [
        ("log.csv", "9"),
        *(pytest.param(name, CARDS, marks=pytest.mark.full) for name in ("counts.json", "log.parquet")),
    ],
)
def test_a_shoe_that_the_game_does_not_allow_counts_only_when_it_is_repeated(
    run: Run, tmp_path: Path, shoe: str, name: str
) -> None:
    cards = Shoe.parse(shoe) if "=" in shoe else Shoe.of_decks(int(shoe))
    path = simulate(COMMISSION_2013, tmp_path / name, cards, rounds=10_000)
    refused = run("crosscheck", str(path))
    assert (refused.code, refused.out) == (2, "")
    option = "--cards" if "=" in shoe else "--decks"
    assert f": {option}=" in refused.err
    assert run("crosscheck", str(path), option, shoe).code == 0
    assert run("crosscheck", str(path), "--decks", "7").code == 2
    with pytest.raises(InputError):
        crosscheck(path)


def test_a_report_takes_fresh_decks_and_no_other_claims(tmp_path: Path) -> None:
    game = load_game(COMMISSION_2013)
    for claim in (f"# game: {COMMISSION_2013}\n# cards: {CARDS}\n", HEAD + ROUNDED):
        with pytest.raises(InputError):
            verdict_of_bytes("log.csv", (claim + STAKED).encode(), game)
    two = (HEAD.replace("8", "2") + STAKED).encode()
    assert verdict_of_bytes("log.csv", two, game).shoe == Shoe.of_decks(2)


# ---------------------------------------------------------------- small files, large cost


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "zst": lambda content: zstandard.ZstdCompressor().compress(content),
}


@pytest.mark.parametrize("name", PACKERS)
def test_a_small_file_unpacks_to_so_much_and_no_more(name: str, tmp_path: Path) -> None:
    path = stored(tmp_path, PACKERS[name](HEAD.encode() + b"# note: x\n" * 2_000_000), f"log.csv.{name}")
    assert path.stat().st_size < source.MOST_UNPACKED // source.MOST_RATIO
    with pytest.raises(FileError, match="unpacks to more than"):
        source.Source.at(path).unended_line()


def test_zstandard_is_fed_in_small_pieces() -> None:
    pieces = source.zstd_pieces(io.BytesIO(PACKERS["zst"](b"\n" * 2**26)))
    assert max(map(len, pieces)) <= 2**25


def test_a_parquet_of_many_equal_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    rows = 2**20 + 1
    polars.DataFrame({"round": ["1"]}).select(
        polars.col("round").repeat_by(rows).explode(), polars.lit("K 9").alias("player_cards")
    ).with_columns(banker_cards=polars.lit("K 8")).write_parquet(path)
    assert path.stat().st_size < rows
    with pytest.raises(FileError, match="no hand log is so small"):
        crosscheck(path, game=COMMISSION_2013, shoe=8)


def test_a_report_has_logs_of_so_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_simulations, "MOST_ROWS", 3)
    game = load_game(COMMISSION_2013)
    one, two = (HEAD + STAKED).encode(), (HEAD + STAKED + "2,K 8,K 9,100,195\n").encode()
    assert len(report_simulations.judged_again(game, {"a.csv": one, "b.csv": two})) == 2
    with pytest.raises(FileError, match="more than 1 rows"):
        report_simulations.judged_again(game, {"a.csv": two, "b.csv": two})


# ---------------------------------------------------------------- what a row may hold


def test_a_long_line_is_neither_read_nor_printed(run: Run, tmp_path: Path) -> None:
    path = stored(
        tmp_path, HEAD + f"round,player_cards,banker_cards\n1,K 9,K 8\n2,{'y' * 100_000}\n", "log.csv"
    )
    for more in ("--settlement-only", "--follow"):
        ran = run("crosscheck", str(path), more, *(("--every", "0") if more == "--follow" else ()))
        assert (ran.code, "longer than 65536 bytes" in ran.out + ran.err) == (2, True)
    path.write_text(HEAD + f"round,player_cards,banker_cards,table\n2,K 9 A,K 8,{'y' * 60_000}\n", "utf-8")
    ran = run("crosscheck", str(path), "--settlement-only", "--format", "json")
    assert (ran.code, "y" * 400 in ran.out) == (1, False)


def test_convert_writes_no_formula(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert run("convert", str(CORPUS / "map_logs" / "formulas.csv"), "--out", str(out)).code == 0
    frame = polars.read_csv(out, comment_prefix="#", infer_schema=False)
    assert frame["table"].to_list() == ["'=cmd|'x'!A0", "'@SUM(1)", "'+1", "'-1+1", "plain"]
    assert frame["net:tie"].to_list() == ["-1"] * 5
    assert run("crosscheck", str(out), "--settlement-only").code == 0
