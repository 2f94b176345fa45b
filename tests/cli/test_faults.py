"""Faults of the machine: full disks, closed pipes, signals, kills, pipes in the place of files. Nothing is lost."""

import io
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from combinat.base import files
from combinat.base.errors import CombinatError
from combinat.base.files import replacing
from combinat.certify.signature import write_key_pair
from combinat.cli import exits
from combinat.cli.app import COMMANDS
from combinat.cli.output import one_line, say
from tests.conftest import SMALL_BOOK, Ran, Run
from tests.paths import PLAIN_BOOK, ROOT
from tests.programs import process, program, python, wait_for

BOOK = str(SMALL_BOOK)
SHOES = "A,2,3,4,5,6,7,8,9,10,J,Q,K\n" + ",".join(["4"] * 13) + "\n"
NAME = "Small Baccarat"
BEGUN = Mock(side_effect=CombinatError("work was begun"))
"""Stands for the work itself, which is another test's."""


def shell(line: str, folder: Path, **environment: str) -> Ran:
    """What a line of a shell leaves behind, in which ``combinat`` is the program."""
    line = f'combinat() {{ "{sys.executable}" -m combinat "$@"; }}; {line}'
    return process(["bash", "-c", line], folder, encoding="latin-1", **environment)


# ---------------------------------------------------------------- what is read is not written to


@pytest.mark.parametrize("link", [os.link, os.symlink, shutil.copyfile], ids=["hard", "symbolic", "none"])
@pytest.mark.parametrize(
    ("name", "words", "option", "what"),
    [
        ("in.csv", ["evaluate", BOOK, "--shoes", "in.csv", "--out", "out.csv"], "--out", "the file of shoes"),
        ("small-baccarat.toml", ["removal", "small-baccarat.toml", "--chart", "out.svg"], "--chart", "the rule book"),
        ("small-baccarat.toml", ["simulate", "small-baccarat.toml", "--out", "out.json"], "--out", "the rule book"),
        ("in.json", ["crosscheck", "in.json", "--report", "out.md"], "--report", "the file to judge"),
    ],
    ids=["evaluate", "removal", "simulate", "crosscheck"],
)  # fmt: skip
def test_an_input_is_never_an_output(
    run: Run,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    link: object,
    name: str,
    words: list[str],
    option: str,
    what: str,
) -> None:
    """By whatever link one leads to the other, it is refused before any work; a copy is another file."""
    for work in ("cli.evaluate.shoe_file", "cli.removal.ask", "montecarlo.simulate.write_simulation"):
        monkeypatch.setattr(f"combinat.{work}", BEGUN)
    Path(name).write_text(SMALL_BOOK.read_text("utf-8") if name.endswith(".toml") else SHOES, "utf-8")
    assert callable(link)
    link(name, words[-1])
    before = Path(name).read_bytes()
    ran = run(*words)
    if link is shutil.copyfile:
        assert f"is {what}" not in ran.err
    else:
        assert ran.refusal() == f"{option}: {words[-1]} is {what}; write to another"
    assert Path(name).read_bytes() == before


@pytest.mark.parametrize(
    "option", [[BOOK], [BOOK, "--sign"], [BOOK, "--simulation"]], ids=["book", "key", "log"]
)
def test_a_report_is_not_written_to_what_it_is_made_of(run: Run, here: Path, option: list[str]) -> None:
    Path("x").write_text("x")
    words = [*option, "x"] if len(option) > 1 else [shutil.copyfile(BOOK, "small-baccarat.toml")]
    place = "x" if len(option) > 1 else "small-baccarat.toml"
    assert run("report", *words, "--out", f"./{place}").refusal().startswith(f"--out: {place} is ")
    assert [path.name for path in here.iterdir() if path.is_dir()] == []


# ---------------------------------------------------------------- signals


@pytest.mark.usefixtures("signals_are_heard")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_cleans_up_and_a_second_one_does_not_disturb_that(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, code: int
) -> None:
    """The old file stays, what was written aside is gone, and the program leaves as after Ctrl-C."""
    Path("chart.svg").write_text("old")
    before = [signal.getsignal(each) for each in exits.SIGNALS]
    remove = files._remove

    def remove_disturbed(folder: Path) -> None:
        for again in exits.SIGNALS:
            os.kill(os.getpid(), again)
        remove(folder)

    def chart(*words: object) -> bytes:
        with replacing(Path("chart.svg")) as temporary:
            temporary.write_text("half")
            os.kill(os.getpid(), number)
            time.sleep(1)
        raise AssertionError("the signal was lost")

    monkeypatch.setattr(files, "_remove", remove_disturbed)
    monkeypatch.setattr("combinat.cli.removal.report.removal_chart", chart)
    ran = run("removal", BOOK, "--decks", "1", "--chart", "chart.svg")
    assert (ran.code, ran.out, ran.err) == (code, "", "")
    assert [(path.name, path.read_text()) for path in here.iterdir()] == [("chart.svg", "old")]
    assert [signal.getsignal(each) for each in exits.SIGNALS] == before


def test_a_signal_that_the_caller_ignores_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after ``nohup``."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert exits.ending(lambda: os.kill(os.getpid(), signal.SIGHUP)) == 0
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("signals_are_heard")
@pytest.mark.parametrize("first", exits.SIGNALS)
def test_the_first_signal_is_noted_by_a_simulation_and_the_second_stops_it(first: signal.Signals) -> None:
    noted = []

    def program() -> None:
        with exits.interruption() as signal_received:
            noted.append(signal_received())
            os.kill(os.getpid(), first)
            noted.append(signal_received())
            os.kill(os.getpid(), signal.SIGHUP)
            noted.append(-1)

    assert exits.ending(program) == 129
    assert noted == [0, first]


@pytest.mark.usefixtures("signals_are_heard")
def test_a_simulation_that_is_stopped_keeps_what_has_been_dealt(here: Path) -> None:
    """The signal itself, to a program of its own."""
    words = ["simulate", BOOK, "--decks", "1", "--rounds", "1000000000", "--out", "log.csv", "--workers", "1"]
    with program(words, here) as running:
        wait_for(lambda: any(path.stat().st_size for path in here.glob(".log.csv.*/log.csv")))
        running.send_signal(signal.SIGTERM)
        said, complaint = running.communicate(timeout=60)
    assert running.returncode == 143
    assert [path.name for path in here.iterdir()] == ["log.csv"]
    rows = [line for line in Path("log.csv").read_text().splitlines() if line[0].isdigit()]
    assert said == f"wrote log.csv: {len(rows)} rounds of small-baccarat, seed 1\n"
    assert (
        complaint
        == f"combinat: warning: stopped after {len(rows)} of 1000000000 rounds; log.csv holds those\n"
    )


# ---------------------------------------------------------------- output that cannot be printed


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("combinat games >/dev/full", 2, "standard output cannot be written to (No space left on device)"),
        ("combinat --version >/dev/full", 2, "standard output cannot be written to (No space left on device)"),
        ("combinat --help >/dev/full", 2, "standard output cannot be written to (No space left on device)"),
        ("combinat odds --help >/dev/full", 2, "standard output cannot be written to (No space left on device)"),
        ("combinat evaluate $BOOK --shoes in.csv >/dev/full", 2, "standard output cannot be written to (No space"),
        ("combinat games >&-", 2, "standard output is closed"),
        ("combinat odds $BOOK --decks 99 2>/dev/full", 2, ""),
        ("combinat shuffle 2>&-", 2, ""),
        ("combinat games 2>&- >/dev/null", 0, ""),
        ("combinat odds $BOOK --decks 1 --detail | true; exit ${PIPESTATUS[0]}", 2, ""),
        ("combinat --help | true; exit ${PIPESTATUS[0]}", 2, ""),
        ("combinat games <&- | grep -c commission-insurance", 0, ""),
    ],
    ids=lambda each: each if isinstance(each, str) and each.startswith("combinat") else "",
)  # fmt: skip
def test_a_failure_to_print_is_one_line_and_no_verdict(
    here: Path, line: str, code: int, message: str
) -> None:
    """Exit code 2, never 1; a pipe that nobody reads any more is left in silence."""
    Path("in.csv").write_text(SHOES)
    ran = shell(line, here, BOOK=BOOK)
    assert ran.code == code
    assert ran.err.count("\n") == bool(message)
    assert message in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_name_that_the_encoding_cannot_hold_is_printed_with_escapes(here: Path, encoding: str) -> None:
    text = SMALL_BOOK.read_text("utf-8").replace(f'name = "{NAME}"', 'name = "Pünto € Banco"')
    Path("small-baccarat.toml").write_text(text, "utf-8")
    ran = shell("combinat rules small-baccarat.toml", here, PYTHONIOENCODING=encoding)
    assert (ran.code, ran.err) == (0, "")
    shown = "Pünto € Banco".encode(encoding, "backslashreplace").decode("latin-1")
    assert shown in ran.out


def test_a_verdict_that_could_not_be_printed_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the work says 1 and the page says nothing, the program leaves with 2."""

    def program() -> int:
        say("does not hold")
        return 1

    assert exits.ending(program) == 1
    full = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(full, "write", Mock(side_effect=OSError(28, "No space left on device")))
    monkeypatch.setattr(sys, "stdout", full)
    assert exits.ending(program) == 2


def test_every_command_prints_in_the_one_way() -> None:
    """Typer's own printing takes an ASCII terminal for one of UTF-8, and has another end for a closed pipe."""
    sources = {path.name: path.read_text("utf-8") for path in (ROOT / "combinat" / "cli").glob("*.py")}
    assert len(sources) > 15
    printing = [name for name, text in sources.items() if re.search(r"\btyper\.echo\(|(?<!\w)print\(", text)]
    assert printing == ["output.py"]


# ---------------------------------------------------------------- unforeseen faults


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (ValueError("of a\nsort"), "ValueError: of a sort"),
        (RecursionError("too deep"), "RecursionError: too deep"),
        (type("PanicError", (BaseException,), {})("in Rust"), "PanicError: in Rust"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_an_unforeseen_fault_is_one_line_and_70(
    run: Run, monkeypatch: pytest.MonkeyPatch, fault: BaseException, said: str
) -> None:
    def fail(*words: object) -> None:
        raise fault

    monkeypatch.delenv(exits.DEBUG, raising=False)
    monkeypatch.setattr("combinat.rules.book.load.load_game", fail)
    assert said in run("rules", "comm").refusal(70)
    ran = run("--debug", "rules", "comm")
    assert (ran.code, ran.out) == (70, "")
    assert "Traceback (most recent call last)" in ran.err
    assert "in fail" in ran.err
    assert "Traceback" not in run("rules", "comm").err
    monkeypatch.setenv(exits.DEBUG, "1")
    assert "in fail" in run("rules", "comm").err


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (PermissionError(13, "Permission denied", "a/b"), "a/b: the system refuses (Permission denied)"),
        (FileNotFoundError(2, "No usable temporary directory"), "the system refuses (No usable temporary directory)"),
        (OSError("of a sort"), "the system refuses (of a sort)"),
    ],
    ids=["denied", "temporary", "bare"],
)  # fmt: skip
def test_a_device_that_fails_anywhere_is_one_line_and_2(
    run: Run, monkeypatch: pytest.MonkeyPatch, fault: OSError, said: str
) -> None:
    monkeypatch.setattr("combinat.rules.book.load.load_game", Mock(side_effect=fault))
    assert run("rules", "comm").refusal() == said


@pytest.mark.parametrize("code", [1, "a word"])
def test_a_library_that_leaves_gives_no_verdict(code: object) -> None:
    assert exits.ending(lambda: sys.exit(code)) == 2  # type: ignore[arg-type]


def test_a_completion_that_cannot_be_installed_is_no_verdict(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    assert run("--show-completion", "no-such-shell").code == 2


def test_a_temporary_folder_that_cannot_be_written_is_one_line(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = FileNotFoundError(2, "No usable temporary directory found in ['t']")
    monkeypatch.setattr(tempfile, "TemporaryDirectory", Mock(side_effect=refused))
    ran = run(
        "report", str(PLAIN_BOOK), "--decks", "1", "--formats", "pdf", "--simulation", "none", "--out", "out"
    )
    assert "No usable temporary directory" in ran.refusal()
    assert list(here.rglob("*")) == []


def test_a_very_long_message_is_cut_in_the_middle() -> None:
    assert one_line("x" * 1000) == "x" * 1000
    line = one_line("begin " + "9" * 5000 + " end")
    assert len(line) < 1000
    assert (line[:6], line[-4:]) == ("begin ", " end")


# ---------------------------------------------------------------- pipes and devices in the place of files


PIPED = {
    "a rule book": ["rules", "PIPE.toml"],
    "a rule book to judge by": ["crosscheck", "log.csv", "--game", "PIPE.toml"],
    "counts": ["crosscheck", "PIPE"],
    "shoes": ["evaluate", BOOK, "--shoes", "PIPE"],
    "a private key": ["report", BOOK, "--sign", "PIPE"],
    "a public key": ["verify", "report", "--public-key", "PIPE"],
    "a report": ["verify", "PIPE"],
    "a simulation": ["report", BOOK, "--simulation", "PIPE"],
    "a place for counts": ["simulate", BOOK, "--decks", "1", "--out", "PIPE.json"],
    "a place for a report": ["report", BOOK, "--out", "PIPE"],
}


@pytest.mark.parametrize("what", PIPED)
def test_a_pipe_in_the_place_of_a_file_is_one_line(run: Run, here: Path, what: str) -> None:
    """It never waits for somebody to write into it, and the pipe stays where it is."""
    Path("report").mkdir()
    Path("report/analysis.json").write_text("{}")
    Path("log.csv").write_text("round,player_cards,banker_cards\n1,K 6,2 3 9\n")
    for name in ("PIPE", "PIPE.json", "PIPE.toml"):
        os.mkfifo(name)
    before = sorted(here.rglob("*"))
    signal.alarm(30)
    try:
        assert "PIPE" in run(*PIPED[what]).refusal()
    finally:
        signal.alarm(0)
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/stdin", "/dev/full", "."])
def test_a_device_or_a_folder_is_no_key(run: Run, here: Path, place: str) -> None:
    assert run("report", BOOK, "--sign", place, "--out", "out").refusal().startswith(f"{place}: ")


# ---------------------------------------------------------------- the machine's own folders


def test_no_library_complains_of_a_home_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one program: what draws, computes with arrays, reads logs and tests, each a library of its own."""
    script = (
        "import sys, runpy\n"
        "for words in sys.argv[1].split(';'):\n"
        "    sys.argv = ['combinat', *words.split()]\n"
        "    try: runpy.run_module('combinat', run_name='__main__')\n"
        "    except SystemExit as leaving: assert not leaving.code, (words, leaving.code)\n"
    )
    lines = [
        f"simulate {BOOK} --decks 1 --rounds 50 --out log.parquet",
        f"crosscheck log.parquet --game {BOOK} --settlement-only",
        f"removal {BOOK} --decks 1 --chart chart.svg",
        "--help",
    ]
    for name in set(os.environ) - {"PATH"}:
        monkeypatch.delenv(name)
    words = ["-W", "error::UserWarning", "-c", script, ";".join(lines)]
    ran = python(*words, folder=tmp_path, HOME="/dev/null/none")
    assert (ran.code, ran.err) == (0, "")


# ---------------------------------------------------------------- keys


@pytest.mark.parametrize(("mode", "warned"), [(0o600, False), (0o640, True), (0o604, True), (0o400, False)])
def test_a_private_key_that_others_can_read_is_warned_of(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch, mode: int, warned: bool
) -> None:
    write_key_pair(Path("k-private.pem"), Path("k-public.pem"))
    Path("k-private.pem").chmod(mode)
    monkeypatch.setattr("combinat.report.certified.write_report._check_place", BEGUN)
    ran = run("report", BOOK, "--sign", "k-private.pem")
    warning = (
        "combinat: warning: k-private.pem: others can read this private key; write chmod 600 k-private.pem, "
        "or make a new key\n"
    )
    assert (ran.code, ran.err) == (2, f"{warning if warned else ''}combinat: work was begun\n")


# ---------------------------------------------------------------- mistakes on the command line


@pytest.mark.parametrize("command", COMMANDS)
def test_no_mistake_echoes_a_value_whole(run: Run, command: str) -> None:
    for words in (["--decks", "9" * 5000], ["--format", "9" * 5000], [f"--{'9' * 5000}"], ["9" * 5000] * 4):
        assert len(run(command, *words).refusal()) < 1000


def test_a_report_does_not_replace_the_folder_that_it_reads_from(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = ("--decks", "1", "--formats", "csv", "--simulation", "none", "--out", str(out))
    assert run("report", str(PLAIN_BOOK), *options).code == 0
    inside = out / PLAIN_BOOK.stem / PLAIN_BOOK.name
    assert str(inside) in run("report", str(inside), *options).refusal()
    assert inside.exists()
