"""Hostile files: each gets the words that the corpus states, and the program leaves with one line.

``corpus.py`` says where they are; in a message ``...`` stands for words of Python or of another library. What is too
large to keep is made here. Files that are wrong and not hostile are in ``tests/corpus``.

What a fuzzer finds is mended, and then added: the file, and what becomes of it now.
"""

import base64
import json
import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from combinat.audit.reading import counts_file, source
from combinat.base import strict_json
from combinat.base.errors import CertificateError
from combinat.base.strict_json import canonical
from combinat.certify import checker, folder
from combinat.certify.certificate import CERTIFICATE, MOST_CERTIFICATE_BYTES, SUMS, named_files, sums
from combinat.report.certified import simulations as report_simulations
from tests.conftest import SMALL_BOOK, Run
from tests.hostile import corpus
from tests.hostile.fuzzer import MOST_MESSAGE, bounds, check_law, hidden
from tests.hostile.readers import READERS, analysis_seeds, house_keys, sealed
from tests.paths import PLAIN_BOOK, ROOT

FILES = corpus.files()
FOR_THE_CHECKER = [path for path in FILES if path.parent.name == "analyses"]


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


pytestmark = pytest.mark.usefixtures("here")


def test_the_corpus_is_all_there() -> None:
    """A file that is lost, or that nothing is said of, would be a promise that nobody keeps."""
    assert Counter(path.parent.name for path in FILES) == {
        "analyses": 21,
        "books": 73,
        "certificates": 41,
        "counts": 35,
        "keys": 18,
        "logs": 37,
        "shoes": 43,
    }
    for place in {path.parent for path in FILES if path.parent.name != corpus.BOOKS}:
        assert set(corpus.index(place)) == {path.name for path in FILES if path.parent == place}


def becomes(reader: str, content: bytes, place: Path) -> str:
    """What becomes of an input, by the law."""
    refusal = check_law(READERS[reader], content, place)
    return "accepted" if refusal is None else f"refused: {refusal}"


def check(reader: str, content: bytes, expected: str, place: Path) -> None:
    """An input gets these words, ``...`` being any, within all bounds, and leaves nothing behind."""
    said = becomes(reader, content, place)
    pattern = ".*".join(map(re.escape, expected.split("...")))
    assert re.fullmatch(pattern, said), f"{said}\nand not\n{expected}"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_hostile_file_gets_these_words(path: Path, tmp_path: Path) -> None:
    check(path.parent.name, corpus.content(path), corpus.expected(path), tmp_path)


# ---------------------------------------------------------------- what is too large to keep


LARGE: dict[str, tuple[str, Callable[[], str], str]] = {
    "an analysis of brackets": ("analyses", lambda: "[" * 1_000_000, "not readable as JSON: ..."),
    "an analysis of empty lists": ("analyses", lambda: f"[{'[],' * 100_000}1]", "expected a JSON object"),
    "a certificate of brackets": ("certificates", lambda: '{"a":' * 1_000_000, "not readable as JSON: ..."),
    "a key of more than ten thousand bytes": ("keys", lambda: "x" * 10_001, "hostile.pem: larger than 10000 bytes; ..."),
    "counts of brackets": ("counts", lambda: '{"a":' * 1_000_000, "hostile.json, line 1: longer than 65536 bytes; give a hand log"),
    "counts with a long key": ("counts", lambda: '{"schema": "combinat/counts/1", "' + "k" * 2_000_000 + '": 1}', "hostile.json: ..."),
    "a log of one long line": ("logs", lambda: "round," * 200_000, "hostile.csv, line 1: ..."),
    "a log of many columns": ("logs", lambda: ",".join(f"c{n}" for n in range(10_000)) + "\n", "hostile.csv, line 1: found 10000 columns; give a hand log"),
    "a log of many lines before its columns": ("logs", lambda: "# note: x\n" * 200_000, "hostile.csv..."),
    "shoes under a long header": ("shoes", lambda: "A," * 200_000 + "\n", "hostile.csv, line 1: found the header A,..."),
    "shoes in a long cell": ("shoes", lambda: 'removed\n"' + "A " * 100_000 + '"\n', "hostile.csv: not readable as CSV: ..."),
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_what_is_large_costs_little(name: str, tmp_path: Path) -> None:
    """It is refused in a line, within a few seconds and a gigabyte, however much of it there is."""
    reader, content, expected = LARGE[name]
    check(reader, content().encode("utf-8"), f"refused: {expected}", tmp_path)


# ---------------------------------------------------------------- what must fit the files of today


FORGED: dict[str, tuple[Callable[[Any], object], bool, str]] = {
    "the name of the game commands the terminal": (
        lambda tree: tree["predicate"]["game"].update(name="\x1b[2J"),
        False,
        r'certificate.json: predicate.game.name: found "\u001b[2J", expected "Small Baccarat"',
    ),
    "the rule book is another": (
        lambda tree: tree["predicate"]["rule_book"].update(name="../plain.toml"),
        False,
        'certificate.json: predicate.rule_book.name: found "../plain.toml", expected "plain.toml"',
    ),
    "the software is another": (
        lambda tree: tree["predicate"]["software"].update(name="a"),
        False,
        'certificate.json: predicate.software.name: found "a", expected "combinat"',
    ),
    "nobody signed": (
        lambda tree: tree["signatures"][0].update(sig=base64.b64encode(b"x" * 64).decode()),
        True,
        "certificate.json: the signature does not fit: ...",
    ),
    "another key": (
        lambda tree: tree["signatures"][0].update(keyid="0" * 64),
        True,
        "VERIFY.txt: not that of this combinat: ... by the key 0000...",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_certificate_gets_these_words(name: str, tmp_path: Path) -> None:
    """Every hash of it is right, and one thing is not."""
    change, signed, expected = FORGED[name]
    tree = json.loads(sealed()[signed][CERTIFICATE])
    change(tree)
    check("certificates", canonical(tree), f"refused: {expected}", tmp_path)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (r"-162\ud800186752", "not a dossier: ..."),
        (r"\u0661", "not a dossier: ..."),
        ("1_000", "..."),
        (" 1", "..."),
        ("9" * 5_000, "not a dossier: ..."),
    ],
)
def test_a_number_that_is_none_is_no_number_of_an_analysis(
    number: str, expected: str, tmp_path: Path
) -> None:
    """Half a character, digits of another script, what Python alone reads as a number, digits without end."""
    tree = json.loads(analysis_seeds()[0])
    tree["formulas"][1]["formulas"][0]["numerator"][4] = json.loads(f'"{number}"')
    check("analyses", canonical(tree), f"refused: {expected}", tmp_path)


# ---------------------------------------------------------------- the program


VERDICTS = ("certificates", "counts", "logs")
COMMANDS = {
    "books": ["rules", "hostile.toml"],
    "certificates": ["verify", "plain", "--public-key", "public.pem", "--figures-only"],
    "keys": ["report", str(SMALL_BOOK), "--sign", "{path}", "--out", "out"],
    "counts": ["crosscheck", "{path}", "--game", str(SMALL_BOOK)],
    "logs": ["crosscheck", "{path}", "--game", str(SMALL_BOOK), "--settlement-only"],
    "shoes": ["evaluate", str(PLAIN_BOOK), "--shoes", "{path}"],
}
"""What someone runs who was sent such a file."""


def write_report_with(certificate: bytes) -> None:
    """Write a report with this certificate, and sums that fit."""
    try:
        fitting = sums(named_files(certificate), certificate)
    except CertificateError:
        fitting = b""
    Path("plain").mkdir()
    for name, file in {**sealed()[0], CERTIFICATE: certificate, SUMS: fitting}.items():
        Path("plain", name).write_bytes(file)


FOR_THE_PROGRAM = [
    pytest.param(path, id=named(path), marks=() if number % 8 == 0 else pytest.mark.full)
    for number, path in enumerate(path for path in FILES if path not in FOR_THE_CHECKER)
]
"""One in eight in the plain suite: the reader itself is tried with every file above."""


@pytest.mark.parametrize("path", FOR_THE_PROGRAM)
def test_the_program_says_so_in_one_line(path: Path, run: Run) -> None:
    """What is refused leaves with 2, or 1 where a verdict is asked for; nothing printed commands a terminal."""
    reader, accepted = path.parent.name, corpus.expected(path) == "accepted"
    Path("hostile.toml").write_bytes(corpus.content(path))
    Path("public.pem").write_bytes(house_keys()[1])
    if reader == "certificates":
        write_report_with(path.read_bytes())
    ran = run(*(word.format(path=path) for word in COMMANDS[reader]))
    if reader == "keys" or not accepted:
        assert ran.code in ((1, 2) if reader in VERDICTS else (2,))
    if not accepted and not ran.out:
        assert len(ran.refusal(ran.code)) < MOST_MESSAGE + 100
    assert hidden((ran.out + ran.err).replace("\n", " ")) == ""
    assert not Path("out").exists()


@pytest.mark.parametrize("path", FOR_THE_CHECKER, ids=named)
def test_the_checker_says_so_in_one_line(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checker.main([str(path), "--rule-book", str(PLAIN_BOOK)]) in (1, 2)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert hidden(said.err.removesuffix("\n")) == ""


def test_the_checker_does_not_wait_for_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "analysis.json"
    os.mkfifo(pipe)
    with bounds(2, wall=4):
        assert checker.main([str(pipe), "--rule-book", str(PLAIN_BOOK)]) == 2


# ---------------------------------------------------------------- what is said of all this

LIMITS = {
    "a certificate": MOST_CERTIFICATE_BYTES,
    "a file of a report": folder.MOST_FILE_BYTES,
    "all files of a report": folder.MOST_BYTES,
    "the number of them": folder.MOST_FILES,
    "a counts file": counts_file.MOST_BYTES,
    "the values of a JSON file": strict_json.MOST_VALUES,
    "a line of a hand log": source.MOST_LINE,
    "rows of all hand logs in a report": report_simulations.MOST_ROWS,
}


def test_the_limits_are_those_that_are_stated() -> None:
    """SECURITY.md says the numbers that the code has; those of a rule book and of a key are tried above."""
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    stated = dict(re.findall(r"(?m)^\| ([a-zA-Z ]+) \| (\d+)(?: bytes)? \|$", page))
    assert {what: int(stated[what]) for what in LIMITS} == LIMITS
    assert (stated["a rule book"], stated["a key"]) == ("1000000", "10000")
    assert len(stated) == len(LIMITS) + 2
