"""Certificates: written with equal bytes, accepted as they are, refused with a message once anything is changed.

Most tests use a folder of four small files, and a checker that accepts every number: what the checker
itself refuses is tested with it. Each fault is one entry of a table with its very message, and together
the tables reach every ``raise`` of the modules that write and read certificates.
"""

import base64
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import __version__, load_game
from combinat.certify import certificate, checker, signature, verification
from combinat.certify.certificate import is_plain, plain_files, sums, write_certificate
from combinat.certify.checker import Malformed, Rejected
from combinat.certify.signature import PAYLOAD_TYPE, canonical, write_key_pair
from combinat.certify.verification import Signed, Verified, game_folders, verify_folder
from combinat.errors import (
    CertificateError,
    CombinatError,
    MalformedCertificateError,
    RejectedCertificateError,
    RuleBookError,
)
from combinat.report.exact import analysis_json
from combinat.rules.rulebook import rule_book_sha256
from tests.test_rule_book_corpus import origins, raises_of

CORPUS = Path(__file__).parent / "corpus" / "rulebooks"
GAME, OTHER = "good-plain", "good"
CHECKED = [
    {"identity": "the outcomes of every bet are all the outcomes", "result": "holds at 6, 8 decks"},
    {"identity": "drawing one card first changes nothing", "result": "holds at 8 decks"},
]
NUMBERS = 421


def book_of(game: str) -> Path:
    return CORPUS / f"{game}.toml"


def analysis_of(game: str) -> dict[str, Any]:
    """What a certificate reads of an analysis; the rest is the checker's."""
    return {
        "schema": "combinat/analysis/1",
        "game": game,
        "rule_book_sha256": rule_book_sha256(book_of(game)),
        "software": {"name": "combinat", "version": __version__},
        "decks": [{"decks": decks, "void": "0"} for decks in (6, 8)],
    }


def pdf_of(game: str) -> bytes:
    return f"%PDF-1.7 {game}\n".encode() + bytes(range(0, 256, 8))


def make_report(place: Path, game: str = GAME, key: Path | None = None) -> Path:
    """A small report of a game, certified."""
    folder = place / game
    (folder / "tables").mkdir(parents=True)
    (folder / "analysis.json").write_bytes(canonical(analysis_of(game)))
    (folder / "report.pdf").write_bytes(pdf_of(game))
    (folder / "report.md").write_text(f"# {game}\n\nPlayer 1.24 %\n", "utf-8")
    (folder / "tables" / "bets.csv").write_text(f"bet,edge\n{game},0.0124\n", "utf-8")
    write_certificate(folder, load_game(book_of(game)), rule_book_sha256(book_of(game)), CHECKED, key)
    return folder


LISTED = ["analysis.json", "report.md", "report.pdf", "tables/bets.csv"]


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two key pairs: ``house`` signs, ``other`` is another's."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("house", "other"):
        write_key_pair(folder / f"{name}-private.pem", folder / f"{name}-public.pem")
    return folder


@pytest.fixture(autouse=True)
def _every_number_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "check", lambda analysis, rule_book: NUMBERS)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    return make_report(tmp_path)


@pytest.fixture
def signed(tmp_path: Path, keys: Path) -> Path:
    return make_report(tmp_path, key=keys / "house-private.pem")


def verified(folder: Path, public_key: Path | None = None) -> Verified:
    return verify_folder(folder, public_key, book_of(GAME))


# ---------------------------------------------------------------- accepted


def test_an_unsigned_certificate_holds(report: Path) -> None:
    found = verified(report)
    assert (found.signature, found.key_id, found.files, found.numbers) == (Signed.NONE, None, 4, NUMBERS)
    assert found.predicate.game.id == GAME
    assert found.predicate.decks == (6, 8)


def test_a_signed_certificate_holds(signed: Path, keys: Path) -> None:
    found = verified(signed, keys / "house-public.pem")
    assert found.signature is Signed.VALID
    assert found.key_id == key_id(keys / "house-public.pem")


def test_a_signature_that_was_not_checked_is_said_to_be_so(signed: Path) -> None:
    found = verified(signed)
    assert found.signature is Signed.NOT_CHECKED
    assert found.signature.in_words == "signed, but not checked: give --public-key"
    assert found.numbers == NUMBERS


def test_the_rule_book_that_comes_with_the_program_is_the_default(
    report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "rule_book_paths", lambda: {GAME: book_of(GAME)})
    assert verify_folder(report).numbers == NUMBERS


def test_a_person_may_name_the_rule_book_by_a_link(report: Path, tmp_path: Path) -> None:
    link = tmp_path / "book.toml"
    link.symlink_to(book_of(GAME).absolute())
    assert verify_folder(report, rule_book=link).numbers == NUMBERS


def test_the_checker_gets_the_bytes_whose_hash_was_checked(
    report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bytes, bytes]] = []

    def check(analysis: bytes, rule_book: bytes) -> int:
        seen.append((analysis, rule_book))
        return 1

    monkeypatch.setattr(verification, "check", check)
    verified(report)
    assert seen == [((report / "analysis.json").read_bytes(), book_of(GAME).read_bytes())]


def test_a_folder_is_found_from_inside(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(report)
    assert verify_folder(Path(), rule_book=book_of(GAME).absolute()).files == 4


# ---------------------------------------------------------------- what is written


def statement_of(folder: Path) -> dict[str, Any]:
    raw: dict[str, Any] = json.loads((folder / "certificate.json").read_bytes())
    return json.loads(base64.b64decode(raw["payload"])) if "payload" in raw else raw


def test_the_certificate_is_an_in_toto_statement(report: Path) -> None:
    found = statement_of(report)
    words = found["predicate"].pop("statement")
    assert found == {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": name, "digest": {"sha256": hashlib.sha256((report / name).read_bytes()).hexdigest()}}
            for name in LISTED
        ],
        "predicateType": "urn:combinat:pay-table-analysis:1",
        "predicate": {
            "game": {"id": GAME, "name": "Small Baccarat"},
            "rule_book": {
                "name": "good-plain.toml",
                "sha256": hashlib.sha256(book_of(GAME).read_bytes()).hexdigest(),
            },
            "software": {"name": "combinat", "version": __version__},
            "decks": [6, 8],
            "checked": CHECKED,
        },
    }
    assert words.startswith("A reproducible analysis, not signed: ")
    assert words.endswith("It is not a test laboratory's certification.")


def test_a_signed_certificate_says_so_and_is_the_same_otherwise(
    report: Path, tmp_path: Path, keys: Path
) -> None:
    plain = statement_of(report)
    sealed = statement_of(make_report(tmp_path / "signed", key=keys / "house-private.pem"))
    words = sealed["predicate"].pop("statement")
    plain["predicate"].pop("statement")
    assert sealed == plain
    assert words.startswith("A signed, reproducible analysis: ")
    assert words.endswith("It is not a test laboratory's certification.")


def test_the_text_is_canonical(report: Path, tmp_path: Path, keys: Path) -> None:
    for folder in (report, make_report(tmp_path / "signed", key=keys / "house-private.pem")):
        content = (folder / "certificate.json").read_bytes()
        assert content == (json.dumps(json.loads(content), sort_keys=True, indent=1) + "\n").encode("ascii")


def test_equal_reports_have_equal_bytes(tmp_path: Path, keys: Path) -> None:
    for key in (None, keys / "house-private.pem"):
        one, two = (make_report(tmp_path / f"{key is None}-{number}", key=key) for number in (1, 2))
        for name in ("certificate.json", "SHA256SUMS"):
            assert (one / name).read_bytes() == (two / name).read_bytes()
            assert stat.S_IMODE((one / name).stat().st_mode) == 0o644


def test_a_second_certificate_takes_the_place_of_the_first(report: Path, keys: Path) -> None:
    before = (report / "certificate.json").read_bytes()
    again = (report, load_game(book_of(GAME)), rule_book_sha256(book_of(GAME)), CHECKED)
    assert write_certificate(*again) == [report / "certificate.json", report / "SHA256SUMS"]
    assert (report / "certificate.json").read_bytes() == before
    write_certificate(*again, keys / "house-private.pem")
    assert verified(report, keys / "house-public.pem").signature is Signed.VALID
    assert plain_files(report) == sorted([*LISTED, "certificate.json", "SHA256SUMS"])


def test_the_signature_is_ed25519_over_the_dsse_encoding(signed: Path, keys: Path) -> None:
    """Checked here by hand, without the library that made the envelope."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    envelope = json.loads((signed / "certificate.json").read_bytes())
    assert sorted(envelope) == ["payload", "payloadType", "signatures"]
    assert envelope["payloadType"] == PAYLOAD_TYPE == "application/vnd.in-toto+json"
    payload = base64.b64decode(envelope["payload"])
    encoded = b"DSSEv1 28 application/vnd.in-toto+json %d %s" % (len(payload), payload)
    (only,) = envelope["signatures"]
    assert only["keyid"] == key_id(keys / "house-public.pem")
    known = load_pem_public_key((keys / "house-public.pem").read_bytes())
    assert isinstance(known, Ed25519PublicKey)
    known.verify(base64.b64decode(only["sig"]), encoded)


def key_id(public: Path) -> str:
    """The SHA-256 of a public key's DER form, by hand."""
    _, *body, _ = public.read_text("ascii").splitlines()
    return hashlib.sha256(base64.b64decode("".join(body))).hexdigest()


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="coreutils are not here")
def test_sha256sum_reads_the_sums(report: Path) -> None:
    def sha256sum() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sha256sum", "--check", "--strict", "SHA256SUMS"],
            cwd=report,
            env={**os.environ, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=False,
        )

    ran = sha256sum()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [f"{name}: OK" for name in sorted([*LISTED, "certificate.json"])]
    (report / "report.md").write_text("changed", "utf-8")
    assert sha256sum().returncode == 1


def test_an_unsigned_certificate_needs_no_library_of_signatures() -> None:
    script = (
        "import sys, combinat.certify.certificate, combinat.certify.verification, combinat.cli.verify; "
        "print([name for name in ('cryptography', 'securesystemslib', 'sympy') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


# ---------------------------------------------------------------- any byte, any file


@pytest.mark.parametrize("name", [*LISTED, "SHA256SUMS", "certificate.json"])
def test_any_byte_changed_is_refused(report: Path, name: str) -> None:
    path = report / name
    content = path.read_bytes()
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(CertificateError) as refusal:
            verified(report)
        if name != "certificate.json":  # what its change makes of it is another matter
            assert isinstance(refusal.value, RejectedCertificateError)
            assert str(refusal.value).startswith(f"{name}: ")
    path.write_bytes(content)
    assert verified(report).files == 4


@pytest.mark.parametrize("name", [*LISTED, "SHA256SUMS", "certificate.json"])
def test_a_file_cut_anywhere_or_grown_is_refused(report: Path, name: str) -> None:
    path = report / name
    content = path.read_bytes()
    lengths = {*range(0, len(content), 5), len(content) - 1}
    for changed in [content[:length] for length in lengths] + [content + b"\n", content + b"\0"]:
        path.write_bytes(changed)
        with pytest.raises(CertificateError, match=f"^{name}: "):
            verified(report)


# ---------------------------------------------------------------- faults: each with its message

Fault = Callable[[Path, Path], object]
"""What is done to a folder (the first) with the keys at hand (the second)."""


def rewritten(folder: Path, content: bytes) -> None:
    """A certificate in the place of another, and sums that fit: what a forger would do."""
    (folder / "certificate.json").write_bytes(content)
    try:
        named = {subject["name"]: subject["digest"]["sha256"] for subject in statement_of(folder)["subject"]}
    except Exception:
        named = {}  # it is refused before its sums matter
    (folder / "SHA256SUMS").write_bytes(sums(named, content))


def stated(*path: str | int, value: Any) -> Fault:
    """The statement with another value at a place; sealed again if it was sealed, with the old signature."""

    def change(folder: Path, keys: Path) -> None:
        statement = statement_of(folder)
        place: Any = statement
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        rewritten(folder, canonical(statement))

    return change


def without(*path: str | int) -> Fault:
    """The statement without a key."""

    def change(folder: Path, keys: Path) -> None:
        statement = statement_of(folder)
        place: Any = statement
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]
        rewritten(folder, canonical(statement))

    return change


def spelled(content: bytes) -> Fault:
    return lambda folder, keys: rewritten(folder, content)


def replaced(old: bytes, new: bytes) -> Fault:
    def change(folder: Path, keys: Path) -> None:
        content = (folder / "certificate.json").read_bytes()
        assert old in content
        rewritten(folder, content.replace(old, new, 1))

    return change


def file(name: str, content: bytes = b"x") -> Fault:
    def change(folder: Path, keys: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)

    return change


def dropped(name: str) -> Fault:
    return lambda folder, keys: (folder / name).unlink()


def linked(name: str) -> Fault:
    """A file of the folder moved out of it, a link to it in its place."""

    def change(folder: Path, keys: Path) -> None:
        outside = folder.parent / "outside"
        (folder / name).rename(outside)
        (folder / name).symlink_to(outside)

    return change


def named_also(name: str) -> Fault:
    """One more file named, with the hash of a file that is there outside, in its order."""

    def change(folder: Path, keys: Path) -> None:
        outside = folder.parent / "secret"
        outside.write_bytes(b"secret")
        statement = statement_of(folder)
        digest = hashlib.sha256(b"secret").hexdigest()
        statement["subject"].append({"name": name, "digest": {"sha256": digest}})
        statement["subject"].sort(key=lambda subject: str(subject["name"]))
        (folder / "certificate.json").write_bytes(canonical(statement))

    return change


def piped(folder: Path, keys: Path) -> None:
    os.mkfifo(folder / "pipe")


def piped_certificate(folder: Path, keys: Path) -> None:
    (folder / "certificate.json").unlink()
    os.mkfifo(folder / "certificate.json")


def a_folder(folder: Path, keys: Path) -> None:
    (folder / "certificate.json").unlink()
    (folder / "certificate.json").mkdir()


def a_line_more(folder: Path, keys: Path) -> None:
    with (folder / "SHA256SUMS").open("ab") as lines:
        lines.write(b"\xff\x1b  x\n")


def analysed(**changed: Any) -> Fault:
    """Another analysis, named as it is."""

    def change(folder: Path, keys: Path) -> None:
        content = canonical(analysis_of(GAME) | changed)
        (folder / "analysis.json").write_bytes(content)
        stated("subject", 0, "digest", "sha256", value=hashlib.sha256(content).hexdigest())(folder, keys)

    return change


def analysis_text(content: bytes) -> Fault:
    def change(folder: Path, keys: Path) -> None:
        (folder / "analysis.json").write_bytes(content)
        stated("subject", 0, "digest", "sha256", value=hashlib.sha256(content).hexdigest())(folder, keys)

    return change


def files_swapped(folder: Path, keys: Path) -> None:
    other = make_report(folder.parent, OTHER)
    (other / "report.pdf").rename(folder / "report.pdf")


def folders_swapped(folder: Path, keys: Path) -> None:
    other = make_report(folder.parent / "there", OTHER)
    shutil.rmtree(folder)
    other.rename(folder)


def folder_linked(folder: Path, keys: Path) -> None:
    folder.rename(folder.parent / "elsewhere")
    folder.symlink_to(folder.parent / "elsewhere")


DIGEST = "0" * 64
PLAIN = 'a plain name: no ".." or leading "." or "/", no "\\" or ":", printable characters only'
PLAIN_SHA = hashlib.sha256(f"# {GAME}\n\nPlayer 1.24 %\n".encode()).hexdigest()
ANALYSIS_SHA = hashlib.sha256(canonical(analysis_of(GAME))).hexdigest()

REJECTED: dict[str, tuple[Fault, str]] = {
    "a file is changed": (
        file("report.md", b"Player 1.20 %\n"),
        f'report.md: SHA-256: found "{hashlib.sha256(b"Player 1.20 %" + bytes([10])).hexdigest()}", '
        f'expected "{PLAIN_SHA}"',
    ),
    "a file is dropped": (
        dropped("tables/bets.csv"),
        "tables/bets.csv: named in the certificate, and not there",
    ),
    "the analysis is dropped": (
        dropped("analysis.json"),
        "analysis.json: named in the certificate, and not there",
    ),
    "the sums are dropped": (
        dropped("SHA256SUMS"),
        "SHA256SUMS: cannot be read (No such file or directory)",
    ),
    "a file is added": (
        file("tables/more.csv"),
        "tables/more.csv: not named in the certificate; expected no other file",
    ),
    "a folder is added": (
        file("more/bets.csv"),
        "more/bets.csv: not named in the certificate; expected no other file",
    ),
    "a hidden file is added": (file(".hidden"), f'".hidden": expected {PLAIN}'),
    "a file of odd name is added": (
        file("\x1b[2J\udcff.md"),
        f'"\\u001b[2J\\udcff.md": expected {PLAIN}',
    ),
    "a file is a folder": (
        lambda folder, keys: (dropped("report.md")(folder, keys), file("report.md/report.md")(folder, keys)),
        "report.md: named in the certificate, and not there",
    ),
    "a file is a link": (linked("report.pdf"), '"report.pdf": a symbolic link; expected a plain file'),
    "a folder inside is a link": (linked("tables"), '"tables": a symbolic link; expected a plain file'),
    "the sums are a link": (linked("SHA256SUMS"), "SHA256SUMS: a symbolic link; expected a plain file"),
    "the folder is a link": (folder_linked, "a symbolic link; expected the folder itself"),
    "a pipe is there": (piped, "pipe: a device or a pipe; expected a plain file"),
    "two games' files are swapped": (
        files_swapped,
        f'report.pdf: SHA-256: found "{hashlib.sha256(pdf_of(OTHER)).hexdigest()}", '
        f'expected "{hashlib.sha256(pdf_of(GAME)).hexdigest()}"',
    ),
    "two games' folders are swapped": (
        folders_swapped,
        'the folder\'s name: found "good-plain", expected "good"',
    ),
    "a hash in the sums is changed": (
        lambda folder, keys: (folder / "SHA256SUMS").write_bytes(
            (folder / "SHA256SUMS").read_bytes().replace(PLAIN_SHA.encode(), DIGEST.encode())
        ),
        f'SHA256SUMS: line 3: found "{DIGEST}  report.md", expected "{PLAIN_SHA}  report.md" '
        "by the certificate",
    ),
    "the sums have no line": (
        file("SHA256SUMS", b""),
        f'SHA256SUMS: line 1: found no line, expected "{ANALYSIS_SHA}  analysis.json" by the certificate',
    ),
    "the sums have a line more": (
        a_line_more,
        'SHA256SUMS: line 6: found "\\\\xff\\u001b  x", expected no line by the certificate',
    ),
    "the rule book is another": (
        lambda folder, keys: (
            analysed(rule_book_sha256=DIGEST)(folder, keys),
            stated("predicate", "rule_book", "sha256", value=DIGEST)(folder, keys),
        ),
        f'{book_of(GAME)}: SHA-256 of the rule book: found "{rule_book_sha256(book_of(GAME))}", '
        f'expected "{DIGEST}"',
    ),
    "the rule book has another name": (
        stated("predicate", "rule_book", "name", value="good.toml"),
        'certificate.json: predicate.rule_book.name: found "good.toml", expected "good-plain.toml"',
    ),
    "the game has another name": (
        stated("predicate", "game", "name", value="Small Bakkarat \u202e"),
        'certificate.json: predicate.game.name: found "Small Bakkarat \\u202e", expected "Small Baccarat"',
    ),
    "the game is another": (
        stated("predicate", "game", "id", value="good"),
        'certificate.json: predicate.rule_book.name: found "good-plain.toml", expected "good.toml"',
    ),
    "the software is another": (
        stated("predicate", "software", "name", value="combinate"),
        'certificate.json: predicate.software.name: found "combinate", expected "combinat"',
    ),
    "the software's version is another": (
        stated("predicate", "software", "version", value="9.9"),
        f'analysis.json: software.version: found "{__version__}", expected "9.9"',
    ),
    "it claims more than it is": (
        stated("predicate", "statement", value="Certified by a test laboratory."),
        'certificate.json: predicate.statement: found "Certified by a test laboratory.", expected '
        '"A reproducible analysis, not signed: anyone can derive every number again from the rule book. '
        'It is not a test labora..."',
    ),
    "the decks are others": (
        stated("predicate", "decks", value=[6, 7, 8]),
        'analysis.json: decks: found "(6, 8)", expected "(6, 7, 8)"',
    ),
    "the analysis is of another game": (
        analysed(game=OTHER),
        'analysis.json: game: found "good", expected "good-plain"',
    ),
    "the analysis is from another rule book": (
        analysed(rule_book_sha256=DIGEST),
        f'analysis.json: rule_book_sha256: found "{DIGEST}", expected "{rule_book_sha256(book_of(GAME))}"',
    ),
    "the analysis is by another program": (
        analysed(software={"name": "abacus", "version": __version__}),
        'analysis.json: software.name: found "abacus", expected "combinat"',
    ),
    "an identity does not hold": (
        stated("predicate", "checked", 1, "result", value="fails at 8 decks"),
        'certificate.json: predicate.checked: "drawing one card first changes nothing": '
        'found "fails at 8 decks"; expected that it holds',
    ),
}

HOSTILE_NAMES = [
    "../secret",
    "tables/../../secret",
    "/etc/passwd",
    "..",
    ".",
    "",
    "tables//bets.csv",
    "tables/",
    "./report.md",
    "..\\secret",
    "tables\\bets.csv",
    "C:secret",
    "C:/secret",
    "report.md:stream",
    "report.md\0",
    "report\n.md",
    "\u202ereport.md",
    "cafe\u0301.md",
    "\ud800",
    ".hidden",
    "report.md ",
    " report.md",
    "report.md.",
]

MALFORMED: dict[str, tuple[Fault, str]] = {
    "no certificate": (dropped("certificate.json"), "cannot be read (No such file or directory)"),
    "a link": (linked("certificate.json"), "a symbolic link; expected a plain file"),
    "a pipe": (piped_certificate, "expected a plain file"),
    "a folder": (a_folder, "cannot be read (Is a directory)"),
    "empty": (spelled(b""), "not readable as JSON: Expecting value: line 1 column 1 (char 0)"),
    "cut": (
        spelled(b'{\n "_type": "htt'),
        "not readable as JSON: Unterminated string starting at: line 2 column 11 (char 12)",
    ),
    "no text": (spelled(b'{"\xff": 1}'), "not ASCII text (byte 2)"),
    "a mark of byte order": (spelled(b"\xef\xbb\xbf{}"), "not ASCII text (byte 0)"),
    "a list": (spelled(b"[]\n"), "expected a JSON object"),
    "a text": (spelled(b'"payload"\n'), "expected a JSON object"),
    "brackets without end": (spelled(b"[" * 1_000_000), "not readable as JSON: maximum recursion"),
    "braces without end": (spelled(b'{"a":' * 1_000_000), "not readable as JSON: maximum recursion"),
    "a number without end": (
        spelled(b'{"a": ' + b"9" * 5000 + b"}"),
        "not readable as JSON: Exceeds the limit",
    ),
    "a fraction": (spelled(b'{"a": 0.5}'), 'not readable as JSON: "0.5" is not a whole number'),
    "no number": (spelled(b'{"a": NaN}'), 'not readable as JSON: "NaN" is not a whole number'),
    "infinity": (spelled(b'{"a": -Infinity}'), 'not readable as JSON: "-Infinity" is not a whole number'),
    "a key twice": (
        replaced(b'"predicateType"', b'"_type"'),
        'not readable as JSON: the key "_type" stands twice',
    ),
    "another spelling": (
        replaced(b'"analysis.json"', b'"\\u0061nalysis.json"'),
        "not in canonical form: expected sorted keys, one space a level, a newline at the end",
    ),
    "deep in what was checked": (
        replaced(b'"holds at 8 decks"', b"[" * 900 + b"]" * 900),
        "not in canonical form: expected sorted keys, one space a level, a newline at the end",
    ),
    "nothing in it": (spelled(b"{}\n"), "Object missing required field `_type`"),
    "another type": (
        stated("_type", value="https://in-toto.io/Statement/v0.1"),
        '_type: found "https://in-toto.io/Statement/v0.1", expected "https://in-toto.io/Statement/v1"',
    ),
    "another predicate": (
        stated("predicateType", value="urn:combinat:pay-table-analysis:2"),
        'predicateType: found "urn:combinat:pay-table-analysis:2", '
        'expected "urn:combinat:pay-table-analysis:1"',
    ),
    "an unknown key": (stated("more", value=1), "Object contains unknown field `more`"),
    "an unknown key that does not print": (
        stated("\x1b[2J", value=1),
        "Object contains unknown field `\\u001b[2J`",
    ),
    "an unknown key that is half a character": (
        stated("\ud800", value=1),
        "'utf-8' codec can't encode character '\\ud800' in position 0: surrogates not allowed",
    ),
    "an unknown key without end": (
        stated("x" * 100_000, value=1),
        "Object contains unknown field `" + "x" * 100,
    ),
    "an unknown hash": (
        stated("subject", 1, "digest", "md5", value="0" * 32),
        "subject[1].digest: Object contains unknown field `md5`",
    ),
    "a file without its hash": (
        without("subject", 0, "digest", "sha256"),
        "subject[0].digest: Object missing required field `sha256`",
    ),
    "a hash in capitals": (
        stated("subject", 0, "digest", "sha256", value="A" * 64),
        "subject[0].digest.sha256: Expected `str` matching regex",
    ),
    "a hash with a newline": (
        stated("subject", 0, "digest", "sha256", value="a" * 64 + "\n"),
        "subject[0].digest.sha256: Expected `str` matching regex",
    ),
    "a hash that is a number": (
        stated("subject", 0, "digest", "sha256", value=1),
        "subject[0].digest.sha256: Expected `str`, got `int`",
    ),
    "files that are no list": (stated("subject", value={}), "subject: Expected `array`, got `object`"),
    "a file that is a text": (
        stated("subject", 0, value="report.md"),
        "subject[0]: Expected `object`, got `str`",
    ),
    "no files": (
        stated("subject", value=[]),
        "subject: analysis.json is not named, and it holds the numbers",
    ),
    "files out of order": (
        lambda folder, keys: stated("subject", value=statement_of(folder)["subject"][::-1])(folder, keys),
        'subject: "tables/bets.csv" stands before "report.pdf"; expected each once, in order',
    ),
    "a file twice": (
        lambda folder, keys: stated(
            "subject", value=[statement_of(folder)["subject"][0], *statement_of(folder)["subject"]]
        )(folder, keys),
        'subject: "analysis.json" stands before "analysis.json"; expected each once, in order',
    ),
    "it names itself": (
        named_also("certificate.json"),
        "subject[1].name: certificate.json cannot name itself",
    ),
    "it names the sums": (named_also("SHA256SUMS"), "subject[0].name: SHA256SUMS cannot name itself"),
    "a game that is a path": (
        stated("predicate", "game", "id", value="a/good-plain"),
        f'predicate.game.id: found "a/good-plain"; expected {PLAIN}, and no folder',
    ),
    "a game that climbs": (
        stated("predicate", "game", "id", value=".."),
        f'predicate.game.id: found ".."; expected {PLAIN}, and no folder',
    ),
    "no decks": (
        stated("predicate", "decks", value=[]),
        'predicate.decks: found "[]"; expected one or more, ascending',
    ),
    "decks twice": (
        stated("predicate", "decks", value=[8, 8]),
        'predicate.decks: found "[8, 8]"; expected one or more, ascending',
    ),
    "true decks": (
        stated("predicate", "decks", value=[True]),
        "predicate.decks[0]: Expected `int`, got `bool`",
    ),
    "no deck": (stated("predicate", "decks", value=[0]), "predicate.decks[0]: Expected `int` >= 1"),
    "too many decks": (
        stated("predicate", "decks", value=[10**100]),
        "predicate.decks[0]: Expected `int` <= 1000",
    ),
    "decks in words": (
        stated("predicate", "decks", value="8"),
        "predicate.decks: Expected `array`, got `str`",
    ),
    "a version that does not print": (
        stated("predicate", "software", "version", value="1\x1b"),
        "predicate.software.version: Expected `str` matching regex",
    ),
    "checks that are texts": (
        stated("predicate", "checked", value=["all"]),
        "predicate.checked[0]: Expected `object`, got `str`",
    ),
    "no statement": (
        without("predicate", "statement"),
        "predicate: Object missing required field `statement`",
    ),
    **{
        f"names {name!a}": (named_also(name), f"found {json.dumps(name)}; expected {PLAIN}")
        for name in HOSTILE_NAMES
    },
}

NOT_CERTIFICATES: dict[str, tuple[Fault, str]] = {
    "an analysis that is no JSON": (
        analysis_text(b"{"),
        "analysis.json: not readable as JSON: Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1)",
    ),
    "an analysis of nothing": (
        analysis_text(b"{}"),
        "analysis.json: Object missing required field `game`",
    ),
    "an analysis of brackets": (
        analysis_text(b'{"decks":' + b"[" * 100_000),
        "analysis.json: not readable as JSON: maximum recursion",
    ),
    "an analysis on true decks": (
        analysed(decks=[{"decks": True}]),
        "analysis.json: decks[0].decks: Expected `int`, got `bool`",
    ),
}


def refusal_of(folder: Path, public_key: Path | None = None) -> CombinatError:
    with pytest.raises(CombinatError) as refusal:
        verified(folder, public_key)
    str(refusal.value).encode("utf-8")  # it can be printed
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 1000
    return refusal.value


@pytest.mark.parametrize("fault", REJECTED)
def test_what_was_changed_is_rejected_in_these_words(report: Path, keys: Path, fault: str) -> None:
    change, message = REJECTED[fault]
    change(report, keys)
    refusal = refusal_of(report)
    assert isinstance(refusal, RejectedCertificateError)
    assert str(refusal) == message


@pytest.mark.parametrize("fault", MALFORMED)
def test_what_is_no_certificate_is_refused_in_these_words(report: Path, keys: Path, fault: str) -> None:
    change, message = MALFORMED[fault]
    change(report, keys)
    refusal = refusal_of(report)
    assert isinstance(refusal, MalformedCertificateError)
    assert str(refusal).startswith("certificate.json: ")
    assert message in str(refusal)


@pytest.mark.parametrize("fault", NOT_CERTIFICATES)
def test_what_is_no_analysis_is_refused_in_these_words(report: Path, keys: Path, fault: str) -> None:
    change, message = NOT_CERTIFICATES[fault]
    change(report, keys)
    refusal = refusal_of(report)
    assert isinstance(refusal, MalformedCertificateError)
    assert str(refusal).startswith(message)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_no_file_outside_is_opened(
    report: Path, keys: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is one looked at: all that is opened is the certificate."""
    opened: list[Path] = []
    real = os.open

    def open_and_tell(path: str | Path, flags: int, *rest: Any, **more: Any) -> int:
        opened.append(Path(path))
        return real(path, flags, *rest, **more)

    named_also(name)(report, keys)
    monkeypatch.setattr(os, "open", open_and_tell)
    refusal_of(report)
    assert opened == [report / "certificate.json"]


@given(st.text())
def test_a_plain_name_stays_in_its_folder(name: str) -> None:
    """On every system: the name has no root, no drive, no way up, and is one name only."""
    if is_plain(name):
        for path in (PurePosixPath(name), PureWindowsPath(name)):
            assert path.anchor == ""  # neither a drive nor a root
            assert ".." not in path.parts
            assert path.as_posix() == name
        assert os.path.normpath(f"/folder/{name}") == f"/folder/{name}"
    else:
        assert name == "" or not name.isalnum() or not name.isascii()


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=50)
@given(ANY_JSON)
def test_any_json_is_no_certificate(payload: Any) -> None:
    for content in (canonical(payload), canonical({"payload": payload}), canonical({"subject": payload})):
        with pytest.raises(MalformedCertificateError):
            certificate.parsed_certificate(content)


@given(st.binary())
def test_any_bytes_are_no_certificate(content: bytes) -> None:
    with pytest.raises(MalformedCertificateError):
        certificate.parsed_certificate(content)


@pytest.mark.parametrize(
    ("limit", "most", "message"),
    [
        ("MOST_FILES", 5, "more than 5 files; no report has so many"),
        ("MOST_FILE_BYTES", 40, "report.pdf: larger than 40 bytes; no report has such a file"),
        ("MOST_HELD_BYTES", 300, "certificate.json: larger than 300 bytes; no report has such a file"),
    ],
)
def test_what_is_too_large_is_refused(
    report: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, message: str
) -> None:
    monkeypatch.setattr(certificate, limit, most)
    assert str(refusal_of(report)) == message


def test_a_file_without_end_is_left_early(report: Path) -> None:
    """A sparse file of a terabyte costs a moment."""
    with (report / "certificate.json").open("r+b") as sparse:
        sparse.truncate(10**12)
    assert str(refusal_of(report)) == (
        "certificate.json: larger than 16000000 bytes; no report has such a file"
    )


def test_a_folder_that_cannot_be_listed_is_refused(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "scandir", denied)
    assert str(refusal_of(report)) == f"{report}: cannot be read (Permission denied)"


def denied(*arguments: object, **more: object) -> Any:
    raise PermissionError(13, "Permission denied")


# ---------------------------------------------------------------- the rule book, the checker


def test_an_edited_rule_book_is_rejected(report: Path, tmp_path: Path) -> None:
    edited = tmp_path / "good-plain.toml"
    edited.write_text(book_of(GAME).read_text("utf-8").replace("1 to 1", "2 to 1"), "utf-8")
    with pytest.raises(RejectedCertificateError) as refusal:
        verify_folder(report, rule_book=edited)
    assert str(refusal.value) == (
        f'{edited}: SHA-256 of the rule book: found "{rule_book_sha256(edited)}", '
        f'expected "{rule_book_sha256(book_of(GAME))}"'
    )


def test_a_game_without_a_rule_book_cannot_be_checked(report: Path) -> None:
    with pytest.raises(CertificateError) as refusal:
        verify_folder(report)
    assert type(refusal.value) is CertificateError
    assert str(refusal.value) == 'no rule book of "good-plain" comes with combinat; give it with --rule-book'


def test_a_rule_book_that_is_not_there_cannot_be_checked(report: Path, tmp_path: Path) -> None:
    with pytest.raises(CertificateError) as refusal:
        verify_folder(report, rule_book=tmp_path / "none.toml")
    assert type(refusal.value) is CertificateError
    assert str(refusal.value) == "none.toml: cannot be read (No such file or directory)"


def test_a_rule_book_that_is_none_cannot_be_checked(report: Path, keys: Path, tmp_path: Path) -> None:
    none = tmp_path / "none.toml"
    none.write_bytes(b"\xff")
    sha256 = hashlib.sha256(b"\xff").hexdigest()
    analysed(rule_book_sha256=sha256)(report, keys)
    stated("predicate", "rule_book", "sha256", value=sha256)(report, keys)
    with pytest.raises(RuleBookError, match=r"^good-plain\.toml: not readable as TOML"):
        verify_folder(report, rule_book=none)


@pytest.mark.parametrize(
    ("verdict", "refused"),
    [(Rejected, RejectedCertificateError), (Malformed, MalformedCertificateError)],
)
def test_the_checker_has_the_last_word(
    report: Path, monkeypatch: pytest.MonkeyPatch, verdict: type[Exception], refused: type[Exception]
) -> None:
    def check(analysis: bytes, rule_book: bytes) -> int:
        raise verdict('decks[0].bets[0].ways: found "1\x1b", expected "2"')

    monkeypatch.setattr(verification, "check", check)
    refusal = refusal_of(report)
    assert type(refusal) is refused
    assert str(refusal) == ('analysis.json: decks[0].bets[0].ways: found \\"1\\u001b\\", expected \\"2\\"')


def test_the_checker_itself_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real analysis holds; with one digit changed and every hash made to fit, it does not."""
    monkeypatch.setattr(verification, "check", checker.check)
    folder = make_report(tmp_path)
    game, sha256 = load_game(book_of(GAME)), rule_book_sha256(book_of(GAME))
    right = canonical(analysis_json(game, sha256, [4]))
    (folder / "analysis.json").write_bytes(right)
    write_certificate(folder, game, sha256, CHECKED)
    assert verified(folder).numbers > 100

    edge = json.loads(right)["decks"][0]["bets"][0]["house_edge"]
    wrong = right.replace(f'"{edge}"'.encode(), f'"{edge[:-1]}{9 - int(edge[-1])}"'.encode())
    (folder / "analysis.json").write_bytes(wrong)
    write_certificate(folder, game, sha256, CHECKED)
    refusal = refusal_of(folder)
    assert isinstance(refusal, RejectedCertificateError)
    assert str(refusal).startswith("analysis.json: ")
    assert edge in str(refusal)


# ---------------------------------------------------------------- signatures


def sealed(**changed: Any) -> Fault:
    """The envelope with other values, the sums fitting."""

    def change(folder: Path, keys: Path) -> None:
        envelope = json.loads((folder / "certificate.json").read_bytes())
        for key, value in changed.items():
            envelope[key] = value(envelope[key]) if callable(value) else value
        rewritten(folder, canonical(envelope))

    return change


def signature_with(**changed: Any) -> Fault:
    return sealed(
        signatures=lambda signatures: [
            signatures[0] | {key: value(signatures[0][key]) for key, value in changed.items()}
        ]
    )


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def edited(change: Callable[[bytes], bytes]) -> Callable[[str], str]:
    """A base64 text after a change of what it says."""
    return lambda text: encoded(change(base64.b64decode(text)))


def signed_by_other(folder: Path, keys: Path) -> None:
    shutil.rmtree(folder)
    make_report(folder.parent, key=keys / "other-private.pem")


def signed_by_other_in_the_name_of_house(folder: Path, keys: Path) -> None:
    signed_by_other(folder, keys)
    signature_with(keyid=lambda _: key_id(keys / "house-public.pem"))(folder, keys)


def taken_off(folder: Path, keys: Path) -> None:
    """The envelope taken off: a statement that says it is signed."""
    rewritten(folder, canonical(statement_of(folder)))


def taken_off_and_reworded(folder: Path, keys: Path) -> None:
    stated("predicate", "statement", value=certificate.WORDS[False])(folder, keys)


UNFIT = (
    "certificate.json: the signature does not fit: the payload or the signature was changed, "
    "or house-public.pem did not sign it"
)
FORGED: dict[str, tuple[Fault, str]] = {
    "a bit of the signature": (signature_with(sig=edited(lambda sig: bytes([sig[0] ^ 1]) + sig[1:])), UNFIT),
    "a signature of zeros": (signature_with(sig=edited(lambda sig: bytes(64))), UNFIT),
    "the payload": (sealed(payload=edited(lambda text: text.replace(b"Small", b"Large"))), UNFIT),
    "another key": (
        signed_by_other,
        "certificate.json: signed with another key: found key id OTHER, house-public.pem has HOUSE",
    ),
    "another key under this one's id": (signed_by_other_in_the_name_of_house, UNFIT),
    "no signature, the words left": (
        taken_off,
        "certificate.json: not signed; expected a signature by house-public.pem",
    ),
    "no signature, other words": (
        taken_off_and_reworded,
        "certificate.json: not signed; expected a signature by house-public.pem",
    ),
}
MALFORMED_ENVELOPES: dict[str, tuple[Fault, str]] = {
    "signature cut": (
        signature_with(sig=edited(lambda sig: sig[:-1])),
        "signatures[0].sig: found 63 bytes, expected 64 (Ed25519)",
    ),
    "base64 cut": (signature_with(sig=lambda sig: sig[:-1]), "signatures[0].sig: not base64, or cut short"),
    "signature empty": (signature_with(sig=lambda sig: ""), "signatures[0].sig: not base64, or cut short"),
    "base64 with bits to spare": (
        signature_with(sig=lambda sig: f"{sig[:-3]}{chr(ord(sig[-3]) + 1)}=="),
        "signatures[0].sig: not base64, or cut short",
    ),
    "base64 with spaces": (
        signature_with(sig=lambda sig: f" {sig}"),
        "signatures[0].sig: not base64, or cut short",
    ),
    "base64 of other letters": (sealed(payload="p\u00e4yload"), "payload: not base64, or cut short"),
    "no payload": (sealed(payload=""), "payload: not base64, or cut short"),
    "payload cut": (
        sealed(payload=edited(lambda text: text[:20])),
        "payload: not readable as JSON: Unterminated string starting at",
    ),
    "payload in another spelling": (
        sealed(payload=edited(lambda text: text + b"\n")),
        "payload: not in canonical form: expected sorted keys, one space a level, a newline at the end",
    ),
    "payload no object": (sealed(payload=encoded(b"[]\n")), "payload: expected a JSON object"),
    "payload an envelope": (
        lambda folder, keys: sealed(payload=encoded((folder / "certificate.json").read_bytes()))(
            folder, keys
        ),
        "Object contains unknown field `payload`",
    ),
    "payload a number": (sealed(payload=1), "payload: Expected `str`, got `int`"),
    "another type of payload": (
        sealed(payloadType="text/plain\x1b"),
        'payloadType: found "text/plain\\u001b", expected "application/vnd.in-toto+json"',
    ),
    "no signatures": (sealed(signatures=[]), "signatures: Expected `array` of length >= 1"),
    "two signatures": (
        sealed(signatures=lambda signatures: signatures * 2),
        "signatures: Expected `array` of length <= 1",
    ),
    "a key id of other letters": (
        signature_with(keyid=lambda _: "\x1b" * 64),
        "signatures[0].keyid: Expected `str` matching regex",
    ),
    "an unknown key": (sealed(more=1), "Object contains unknown field `more`"),
    "another spelling of the envelope": (
        lambda folder, keys: rewritten(
            folder, json.dumps(json.loads((folder / "certificate.json").read_bytes())).encode()
        ),
        "not in canonical form: expected sorted keys, one space a level, a newline at the end",
    ),
}


@pytest.mark.parametrize("fault", FORGED)
def test_a_forged_signature_is_rejected_in_these_words(
    signed: Path, keys: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, message = FORGED[fault]
    change(signed, keys)
    book = book_of(GAME).absolute()
    monkeypatch.chdir(keys)
    with pytest.raises(RejectedCertificateError) as refusal:
        verify_folder(signed, Path("house-public.pem"), book)
    for name in ("house", "other"):
        message = message.replace(name.upper(), key_id(keys / f"{name}-public.pem"))
    assert str(refusal.value) == message


@pytest.mark.parametrize("given_key", [True, False])
@pytest.mark.parametrize("fault", MALFORMED_ENVELOPES)
def test_what_is_no_envelope_is_refused_in_these_words(
    signed: Path, keys: Path, fault: str, given_key: bool
) -> None:
    change, message = MALFORMED_ENVELOPES[fault]
    change(signed, keys)
    refusal = refusal_of(signed, keys / "house-public.pem" if given_key else None)
    assert isinstance(refusal, MalformedCertificateError)
    assert str(refusal).startswith(f"certificate.json: {message}")


def test_a_signature_taken_off_is_caught_without_the_key(signed: Path, keys: Path) -> None:
    taken_off(signed, keys)
    refusal = refusal_of(signed)
    assert isinstance(refusal, RejectedCertificateError)
    assert str(refusal).startswith('certificate.json: predicate.statement: found "A signed, reproducible')


def test_every_fault_is_caught_behind_a_signature_too(signed: Path, keys: Path) -> None:
    (signed / "report.md").write_text("changed", "utf-8")
    refusal = refusal_of(signed, keys / "house-public.pem")
    assert str(refusal).startswith("report.md: SHA-256: found ")


def test_any_bit_of_a_signature_matters(signed: Path, keys: Path) -> None:
    content = (signed / "certificate.json").read_bytes()
    sig = base64.b64decode(json.loads(content)["signatures"][0]["sig"])
    for place in range(64):
        flipped = sig[:place] + bytes([sig[place] ^ (1 << place % 8)]) + sig[place + 1 :]
        signature_with(sig=lambda _, flipped=flipped: encoded(flipped))(signed, keys)
        assert isinstance(refusal_of(signed, keys / "house-public.pem"), RejectedCertificateError)


# ---------------------------------------------------------------- keys


def test_a_key_pair(tmp_path: Path) -> None:
    private, public = tmp_path / "new" / "k-private.pem", tmp_path / "new" / "k-public.pem"
    before = os.umask(0)
    try:
        assert write_key_pair(private, public) == key_id(public)
    finally:
        os.umask(before)
    assert private.read_text("ascii").startswith("-----BEGIN PRIVATE KEY-----\n")
    assert public.read_text("ascii").startswith("-----BEGIN PUBLIC KEY-----\n")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (private, public)] == [0o600, 0o644]
    make_report(tmp_path, key=private)
    assert verified(tmp_path / GAME, public).signature is Signed.VALID


@pytest.mark.parametrize("there", ["private", "public"])
@pytest.mark.parametrize("what", ["file", "link"])
def test_no_key_is_ever_overwritten(tmp_path: Path, there: str, what: str) -> None:
    paths = {name: tmp_path / f"k-{name}.pem" for name in ("private", "public")}
    if what == "file":
        paths[there].write_bytes(b"mine")
    else:
        paths[there].symlink_to(tmp_path / "nowhere")
    with pytest.raises(CombinatError) as refusal:
        write_key_pair(paths["private"], paths["public"])
    assert str(refusal.value) == f"{paths[there]}: exists already, and a key is never overwritten"
    assert os.listdir(tmp_path) == [paths[there].name]
    assert what == "link" or paths[there].read_bytes() == b"mine"


def test_a_place_for_keys_that_is_none(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_bytes(b"")
    with pytest.raises(CombinatError, match=r"k-private.pem: cannot be written \(.*\); choose another place"):
        write_key_pair(place / "k-private.pem", place / "k-public.pem")


def pem_of(made: Any, password: bytes | None = None) -> tuple[bytes, bytes]:
    """A private key and its public key, as PEM."""
    from cryptography.hazmat.primitives import serialization as written

    hidden = written.BestAvailableEncryption(password) if password else written.NoEncryption()
    return (
        made.private_bytes(written.Encoding.PEM, written.PrivateFormat.PKCS8, hidden),
        made.public_key().public_bytes(written.Encoding.PEM, written.PublicFormat.SubjectPublicKeyInfo),
    )


def bad_keys() -> dict[str, tuple[bytes | None, str, str]]:
    """Files that are no key: the content, what is said of it as a private key, and as a public one."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    no_private = "no Ed25519 private key in PEM; make one with combinat keygen"
    no_public = "no Ed25519 public key in PEM; combinat keygen writes one"
    a_private = "a private key; give the public one, and keep this one to yourself"
    private, public = pem_of(Ed25519PrivateKey.generate())
    hidden, _ = pem_of(Ed25519PrivateKey.generate(), b"word")
    curve_private, curve_public = pem_of(ec.generate_private_key(ec.SECP256R1()))
    missing = "cannot be read (No such file or directory); give the path of a key"
    large = "larger than 10000 bytes; a key is a small PEM file"
    return {
        "missing": (None, missing, missing),
        "large": (b"#" * 10_001, large, large),
        "empty": (b"", no_private, no_public),
        "no text": (b"\xff\0", no_private, no_public),
        "private": (private, "", a_private),
        "public": (public, no_private, ""),
        "password": (hidden, "the private key has a password; give one without", a_private),
        "private of a curve": (curve_private, no_private, a_private),
        "public of a curve": (curve_public, no_private, no_public),
        "cut": (private[:80], no_private, a_private),
        "public cut": (public[:60], no_private, no_public),
    }


BAD_KEYS = bad_keys()


@pytest.mark.parametrize("fault", BAD_KEYS)
def test_what_is_no_key_is_refused_in_these_words(tmp_path: Path, fault: str) -> None:
    content, as_private, as_public = BAD_KEYS[fault]
    path = tmp_path / "key.pem"
    if content is not None:
        path.write_bytes(content)
    for read, message in ((signature.signer, as_private), (signature.public_key, as_public)):
        if message:
            with pytest.raises(CombinatError) as refusal:
                read(path)
            assert str(refusal.value) == f"{path}: {message}"
        else:
            assert read(path)


@pytest.mark.parametrize("library", ["cryptography", "securesystemslib"])
def test_signatures_say_what_they_need(
    signed: Path, keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    for use in (
        lambda: write_key_pair(tmp_path / "1", tmp_path / "2"),
        lambda: verified(signed, keys / "house-public.pem"),
        lambda: make_report(tmp_path / "new", key=keys / "house-private.pem"),
    ):
        with pytest.raises(CombinatError) as refusal:
            use()
        assert str(refusal.value) == (
            "signatures need more than combinat alone: pip install 'combinat[sign]'"
        )
    assert verified(signed).signature is Signed.NOT_CHECKED


# ---------------------------------------------------------------- what is not certified

Unwritten = Callable[[Path, pytest.MonkeyPatch], dict[str, Any]]
"""What is wrong with a folder before its certificate is written; other arguments for the writing."""


def in_folder(change: Fault) -> Unwritten:
    def done(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
        change(folder, folder)
        return {}

    return done


def full(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    def replace(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", replace)
    return {}


UNWRITTEN: dict[str, tuple[Unwritten, str]] = {
    "a link": (in_folder(linked("report.md")), '"report.md": a symbolic link; expected a plain file'),
    "a hidden file": (in_folder(file(".DS_Store")), f'".DS_Store": expected {PLAIN}'),
    "no analysis": (
        in_folder(dropped("analysis.json")),
        "analysis.json: cannot be read (No such file or directory)",
    ),
    "another game's analysis": (
        in_folder(file("analysis.json", canonical(analysis_of(OTHER)))),
        'analysis.json: game: found "good", expected "good-plain"',
    ),
    "another rule book": (
        lambda folder, monkeypatch: {"rule_book_sha256": DIGEST},
        f'analysis.json: rule_book_sha256: found "{rule_book_sha256(book_of(GAME))}", expected "{DIGEST}"',
    ),
    "an identity that does not hold": (
        lambda folder, monkeypatch: {"checked": [{"identity": "1 = 2", "result": "fails"}]},
        'predicate.checked: "1 = 2": found "fails"; expected that it holds',
    ),
    "an identity without a result": (
        lambda folder, monkeypatch: {"checked": [{"identity": "1 = 1"}]},
        "[0]: Object missing required field `result`",
    ),
    "a result that is a number": (
        lambda folder, monkeypatch: {"checked": [{"identity": "1 = 1", "result": 0.5}]},
        "[0].result: Expected `str`, got `float`",
    ),
    "no room": (full, "{folder}/certificate.json: cannot be written (No space left on device)"),
}


@pytest.mark.parametrize("fault", UNWRITTEN)
def test_what_is_not_certified_and_why(report: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """The certificate that was there stays as it was, and no other file is left behind."""
    change, message = UNWRITTEN[fault]
    other = change(report, monkeypatch)
    before = {name: (report / name).read_bytes() for name in os.listdir(report) if (report / name).is_file()}
    with pytest.raises(CertificateError) as refusal:
        unwritten(report, other)
    assert str(refusal.value) == message.replace("{folder}", str(report))
    after = {name: (report / name).read_bytes() for name in os.listdir(report) if (report / name).is_file()}
    assert after == before


def unwritten(folder: Path, other: dict[str, Any]) -> None:
    arguments = {"rule_book_sha256": rule_book_sha256(book_of(GAME)), "checked": CHECKED} | other
    write_certificate(folder, load_game(book_of(GAME)), **arguments)


# ---------------------------------------------------------------- folders of games


def test_a_folder_of_games(tmp_path: Path) -> None:
    one, two = make_report(tmp_path, GAME), make_report(tmp_path, OTHER)
    (tmp_path / "README.md").write_text("an index", "utf-8")
    (tmp_path / ".git").mkdir()
    assert game_folders(tmp_path) == sorted([one, two])
    assert game_folders(one) == [one]
    for name in ("certificate.json", "SHA256SUMS"):
        (one / name).unlink()
        assert game_folders(one) == [one]
        assert game_folders(tmp_path) == sorted([one, two])


def folder_missing(tmp_path: Path) -> Path:
    return tmp_path / "none"


def folder_empty(tmp_path: Path) -> Path:
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


def folder_a_file(tmp_path: Path) -> Path:
    (tmp_path / "file").write_bytes(b"")
    return tmp_path / "file"


NO_FOLDERS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "missing": (
        folder_missing,
        "{path}: cannot be read (No such file or directory); give a game's folder or a folder of them",
    ),
    "a file": (
        folder_a_file,
        "{path}: cannot be read (Not a directory); give a game's folder or a folder of them",
    ),
    "empty": (folder_empty, "{path}: no game's folder in it; give a folder that combinat report wrote"),
}


@pytest.mark.parametrize("fault", NO_FOLDERS)
def test_what_holds_no_game_is_refused_in_these_words(tmp_path: Path, fault: str) -> None:
    make, message = NO_FOLDERS[fault]
    path = make(tmp_path)
    with pytest.raises(CertificateError) as refusal:
        game_folders(path)
    assert str(refusal.value) == message.replace("{path}", str(path))


# ---------------------------------------------------------------- every refusal is reached


def refusals(place: Path, keys: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], object]]:
    """Everything above that is refused, each ready to be tried."""
    number = 0

    def fresh(key: Path | None = None) -> Path:
        nonlocal number
        number += 1
        return make_report(place / str(number), key=key)

    public = keys / "house-public.pem"
    for change, _ in (REJECTED | MALFORMED | NOT_CERTIFICATES).values():
        folder = fresh()
        change(folder, keys)
        yield partial(verified, folder)
    for change, _ in (FORGED | MALFORMED_ENVELOPES).values():
        folder = fresh(keys / "house-private.pem")
        change(folder, keys)
        yield partial(verified, folder, public)
    for wrong, _ in UNWRITTEN.values():
        folder = fresh()
        with monkeypatch.context() as patched:
            other = wrong(folder, patched)
            yield partial(unwritten, folder, other)
    for build, _ in NO_FOLDERS.values():
        path = build(place)
        yield partial(game_folders, path)
    yield partial(verify_folder, fresh())
    for verdict in (Rejected, Malformed):
        with monkeypatch.context() as patched:

            def check(analysis: bytes, rule_book: bytes, verdict: type[Exception] = verdict) -> int:
                raise verdict("wrong")

            patched.setattr(verification, "check", check)
            yield partial(verified, fresh())
    for limit in ("MOST_FILES", "MOST_FILE_BYTES"):
        folder = fresh()
        with monkeypatch.context() as patched:
            patched.setattr(certificate, limit, 1)
            yield partial(verified, folder)
    folder = fresh()
    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", denied)
        yield partial(verified, folder)
    for name, (content, as_private, as_public) in BAD_KEYS.items():
        path = place / f"{name}.pem"
        if content is not None:
            path.write_bytes(content)
        if as_private:
            yield partial(signature.signer, path)
        if as_public:
            yield partial(signature.public_key, path)
    yield partial(write_key_pair, keys / "house-private.pem", place / "new.pem")
    yield partial(write_key_pair, public / "private.pem", public / "public.pem")
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "cryptography", None)
        yield partial(write_key_pair, place / "1.pem", place / "2.pem")


def test_every_raise_is_reached(tmp_path: Path, keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``raise`` that nothing here reaches is a refusal that nobody has seen."""
    modules: list[ModuleType] = [certificate, signature, verification]
    expected = set[tuple[str, int]]().union(*map(raises_of, modules))
    assert len(expected) >= 40
    reached: set[tuple[str, int]] = set()
    for refused in refusals(tmp_path, keys, monkeypatch):
        with pytest.raises(CombinatError) as refusal:
            refused()
        reached.update(origins(refusal.value))
    assert expected - reached == set()
