"""The printed output of every command, compared with the approved one, and rules that hold for all outputs.

``commands.txt`` lists the commands. An output that differs from its file in ``outputs/`` fails and is written beside
it as ``.new``; ``python -m tests.approved`` accepts all of them.
"""

import csv
import io
import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

from combinat.cli import main
from combinat.cli.app import COMMANDS
from combinat.cli.command import DOCUMENTS
from combinat.report.schemas import files
from tests.approved.commands import LINES, LISTED
from tests.audit.made_up_players import PLAYERS, dealt, write_log
from tests.conftest import Ran, Terminal
from tests.json_documents import mistakes, schema_name
from tests.paths import BOOKS, ROOT, TESTS

WIDTH = 80
OUTPUTS = TESTS / "approved" / "outputs"
TABLES = [line for line in LINES if " --out " not in line and line.split()[0] not in {"new", "evaluate"}]
"""Commands that print a table, and write no file."""

EVERY_FORMAT = [line for line, _, note in LISTED if note == "every format"]
FORMATS = {"markdown": "md", "csv": "csv", "json": "json", "latex": "tex"}
FIGURE = re.compile(r"[+-]?\d[\d,]*(?:\.\d+|/\d+)")
WIDE = ("diff small-baccarat.toml commission-insurance-2013", "review staked.csv")
"""Commands with a table that 80 columns cannot hold: it is printed as it is."""

COPIED = ("next: ", "check it: ", "chart: ")
"""Beginnings of lines that people copy whole: they may be longer than a terminal is wide."""

OF_THIS_MACHINE = {
    "doctor": r"(?s)^.+(?=\n# exit)",
    "keygen": r"[0-9a-f]{64}",
    "crosscheck": r"[0-9a-f]{64}|combinat \d+\.\d+\.\w+",
}
"""Parts of an output that differ between machines and versions, by command."""


def ran(line: str, *more: str, columns: int = WIDTH) -> Ran:
    """Run a command in this process, with a terminal of this width as its standard output."""
    out, err, code = Terminal(), io.StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["combinat", *shlex.split(line), *more])
        patch.setenv("TERM", "xterm-256color")
        patch.setenv("NO_COLOR", "1")
        patch.setenv("COLUMNS", str(columns))
        try:
            main()
        except SystemExit as leaving:
            code = int(leaving.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def folder(small_report: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder that the commands run in, with the files that they read."""
    place = tmp_path_factory.mktemp("approved")
    for name in ("small-baccarat", "new-vocabulary", "many-mistakes"):
        shutil.copy(BOOKS / f"{name}.toml", place)
    for path in (ROOT / "docs").rglob("*"):
        if path.suffix in (".toml", ".csv"):
            target = place / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    shutil.copytree(small_report, place / "report")
    rows = "".join(",".join([count] * 13) + "\n" for count in "42")
    (place / "shoes.csv").write_text("A,2,3,4,5,6,7,8,9,10,J,Q,K\n" + rows, "utf-8")
    write_log(place / "staked.csv", dealt(2, seed=1), PLAYERS)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        yield place


@pytest.fixture(scope="module")
def texts(folder: Path) -> dict[str, Ran]:
    """What every command prints in a terminal of 80 columns."""
    return {line: ran(line) for line in LINES}


@pytest.fixture(scope="module")
def documents(texts: dict[str, Ran]) -> dict[str, Ran]:
    """What every command that prints a table prints as JSON; the files that it reads are written."""
    return {line: ran(f"-q {line}", "--format", "json") for line in TABLES}


def test_every_command_is_listed() -> None:
    listed = {line.split()[0] for line in LINES}
    assert listed == set(COMMANDS) - {"report"}  # tests/report has that one
    assert len(set(LINES)) == len(LINES)


# ---------------------------------------------------------------- compared with the approved outputs


def stored(line: str, suffix: str) -> Path:
    """The file of a command's approved output."""
    name = re.sub(r"[^\w,=.]+", "-", line.replace(".toml", "")).strip("-")
    return OUTPUTS / f"{name}.{suffix}"


def differing(line: str, suffix: str, output: Ran) -> list[str]:
    """The lines that differ between an output and the approved one; a differing output is written as ``.new``."""
    path = stored(line, suffix)
    printed = f"{output.out}{output.err}# exit {output.code}\n".replace(str(ROOT), "ROOT")
    found = f"$ combinat {line}\n" + re.sub(OF_THIS_MACHINE.get(line.split()[0], r"\Z."), "...", printed)
    approved = path.read_text("utf-8") if path.exists() else ""
    new = path.with_name(f"{path.name}.new")
    if found == approved:
        new.unlink(missing_ok=True)
    else:
        new.write_text(found, "utf-8")
    named = (path.name, new.name)
    return list(unified_diff(approved.splitlines(), found.splitlines(), *named, lineterm="", n=1))


@pytest.mark.parametrize("line", LINES)
def test_a_text_is_the_approved_one(line: str, texts: dict[str, Ran]) -> None:
    assert differing(line, "txt", texts[line]) == []


@pytest.mark.parametrize("line", EVERY_FORMAT)
def test_an_output_in_every_format_is_the_approved_one(
    line: str, texts: dict[str, Ran], documents: dict[str, Ran]
) -> None:
    """The formats state the same figures: Markdown those of the text, LaTeX its tables, CSV exact ones of the JSON."""
    outputs = {
        form: documents[line] if form == "json" else ran(f"-q {line}", "--format", form) for form in FORMATS
    }
    assert [row for form in FORMATS for row in differing(line, FORMATS[form], outputs[form])] == []
    plain, markdown, latex = (
        figures(text) for text in (texts[line].out, outputs["markdown"].out, outputs["latex"].out)
    )
    assert plain == markdown >= latex != set()
    values = set(leaves(json.loads(outputs["json"].out)))
    cells = {cell for row in csv.reader(io.StringIO(outputs["csv"].out)) for cell in row}
    exact = {cell for cell in cells if re.fullmatch(r"-?\d+/\d+", cell)}
    assert exact <= values
    assert exact or line.startswith(("settle", "crosscheck"))


def test_no_approved_output_is_left_over() -> None:
    known = {stored(line, "txt") for line in LINES}
    known |= {stored(line, suffix) for line in EVERY_FORMAT for suffix in FORMATS.values()}
    assert {path for path in OUTPUTS.iterdir() if path.suffix != ".new"} == known


# ---------------------------------------------------------------- rules for every output


@pytest.mark.parametrize("line", LINES)
def test_a_text_fits_a_terminal_and_is_plain(line: str, texts: dict[str, Ran]) -> None:
    """At most 80 columns, no escape sequence, no traceback, an exit code of a verdict or a refusal."""
    shown = texts[line]
    wide = [row for row in shown.out.splitlines() if len(row) > WIDTH and not row.startswith(COPIED)]
    assert bool(wide) == (line in WIDE)
    assert "\x1b" not in shown.out + shown.err
    assert "Traceback" not in shown.out + shown.err
    assert shown.code in ((0, 1, 2) if line in TABLES else (0,))


@pytest.mark.parametrize("line", TABLES)
def test_a_document_follows_its_schema(line: str, documents: dict[str, Ran], texts: dict[str, Ran]) -> None:
    assert mistakes(json.loads(documents[line].out)) == []
    assert documents[line].code == texts[line].code


def test_a_written_document_follows_its_schema(folder: Path, documents: dict[str, Ran]) -> None:
    """Files of a report, a simulation and a study; the state of a watch; a study that was stopped."""
    ran("crosscheck faulty.csv --game small-baccarat.toml --follow --every 0 --state state.json")
    written = [json.loads(path.read_bytes()) for path in folder.rglob("*.json")]
    study = json.loads((folder / "study" / "protect.json").read_bytes())
    del study["results"]
    written.append({**study, "schema": "combinat/protect-partial/3"})
    assert [mistakes(document) for document in written] == [[]] * len(written)
    printed = [json.loads(document.out) for document in documents.values()]
    elsewhere = {"collection", "rule-book"}  # of several reports; of TOML files
    assert {schema_name(document) for document in (*written, *printed)} == {
        Path(name).stem for name in files()
    } - elsewhere


def figures(text: str) -> set[str]:
    """The figures in a text: decimals and fractions."""
    return set(FIGURE.findall(text.replace("{", "").replace("}", "")))


def leaves(document: Any) -> Iterator[str]:
    """The texts of a JSON document."""
    if isinstance(document, dict | list):
        for inner in document.values() if isinstance(document, dict) else document:
            yield from leaves(inner)
    else:
        yield str(document)


# ---------------------------------------------------------------- help, progress, quiet


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_terminal_and_names_the_common_options(command: str) -> None:
    shown = ran(f"{command} --help").out
    assert [row for row in shown.splitlines() if len(row) > WIDTH] == []
    options = set(re.findall(r"--[a-z]+", shown))
    if command in {line.split()[0] for line in TABLES}:
        assert {"--format", "--out"} <= options
        assert "text|markdown|csv|json|latex" in shown
        assert options.isdisjoint({"--columns", "--sort"}) == (command in DOCUMENTS)


FAVOURABLE = 'odds commission-insurance-2013 --decks 8 --pays "tie=12 to 1"'


def test_no_colours_are_printed_though_the_environment_asks_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for line in ("odds commission-insurance-2013 --decks 3", "odds commission-insurance-2013 --bet tye"):
        shown = ran(line)
        assert "\x1b" not in shown.out + shown.err


@pytest.mark.parametrize(
    ("environment", "styles"),
    [({}, {"1", "31", "0"}), ({"NO_COLOR": "1"}, set()), ({"TERM": "dumb"}, set())],
    ids=["terminal", "NO_COLOR", "dumb"],
)
def test_a_terminal_shows_bold_heads_and_red_rows(
    environment: dict[str, str], styles: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that favour the player are red, and named in words too."""
    for name, value in {"NO_COLOR": "", "TERM": "xterm", "COLUMNS": str(WIDTH), **environment}.items():
        monkeypatch.setenv(name, value)
    screen = Terminal()
    monkeypatch.setattr(sys, "argv", ["combinat", *shlex.split(FAVOURABLE)])
    with redirect_stdout(screen), redirect_stderr(io.StringIO()), pytest.raises(SystemExit, match="0"):
        main()
    shown = screen.getvalue()
    assert set(re.findall(r"\x1b\[(\d*)m", shown)) == styles
    assert re.sub(r"\x1b\[\d*m", "", shown) == ran(FAVOURABLE).out
    assert "Favours the player: tie" in shown


def test_progress_without_colours_and_none_when_quiet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    asked = ["combinat", *shlex.split("simulate commission-insurance-2013 --rounds 2000 --out sim.json")]
    for words in (asked, ["combinat", "-q", *asked[1:]]):
        screen = Terminal()
        monkeypatch.setattr(sys, "argv", words)
        with redirect_stderr(screen), redirect_stdout(io.StringIO()), pytest.raises(SystemExit, match="0"):
            main()
        assert not re.search(r"\x1b\[(?!0?m)[\d;]+m", screen.getvalue())
        assert (screen.getvalue() == "") == ("-q" in words)


def test_quiet_holds_for_one_run() -> None:
    line = "odds commission-insurance-2013 --decks 3"
    loud = ran(line)
    assert loud.err.startswith("combinat: warning: ")
    quiet = Ran(0, loud.out, "")
    assert [ran(f"-q {line}"), ran(f"--quiet {line}"), ran(line)] == [quiet, quiet, loud]
