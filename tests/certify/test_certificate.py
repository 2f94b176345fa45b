"""Certificates: written with equal bytes, accepted as they are, refused with a message once anything is changed.

The reports here are of next to nothing (``tests/reports.py``), and the checker accepts every number: what the
checker itself refuses is tested with it. Each fault is one entry of a table with its very message, and
together the tables reach every ``raise`` of the modules that write and read certificates.
"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import __version__
from combinat.analysis.dossier import Dossier
from combinat.analysis.proof_sources import proof_sha256
from combinat.certify import certificate, collected, redrawing, verification
from combinat.certify.certificate import WORDS, named_files, parsed_certificate
from combinat.certify.checker import Malformed, Rejected
from combinat.certify.collected import verify_collection
from combinat.certify.redrawing import Check, Redraw
from combinat.certify.signature import PAYLOAD_TYPE, write_key_pair
from combinat.certify.verification import Signed, VerifiedReport, opened, verify_report
from combinat.errors import (
    CertificateError,
    CombinatError,
    MalformedCertificateError,
    RejectedCertificateError,
)
from combinat.rules.book.load import RuleBook
from tests.conftest import SMALL_BOOK
from tests.reports import (
    FORMS,
    GAME,
    NUMBERS,
    OTHER,
    REDRAW,
    Contents,
    Fault,
    both,
    certified,
    changed,
    collection_of,
    drawn_over,
    dropped,
    other_of,
    redraw_without_press,
    report_of,
    reseal,
    sha256,
    spelled,
    stated,
    statement_of,
    tiny,
    unreached,
    unstated,
    written,
)

SIMULATIONS = {"counts.json": b"{}"}
LISTED = [
    *("VERIFY.txt", "analysis.json", "checker.py", "report.md", "report.pdf", "simulation/counts.json"),
    *(f"{GAME}.toml", "tables/bets.csv"),
]


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


@pytest.fixture(scope="module")
def tiny_dossier(small_dossier: Dossier) -> Dossier:
    return tiny(small_dossier)


@pytest.fixture(scope="module")
def sealed_files(small_book: RuleBook, tiny_dossier: Dossier) -> Contents:
    return report_of(small_book, tiny_dossier, simulations=SIMULATIONS)


@pytest.fixture(scope="module")
def signed_files(small_book: RuleBook, tiny_dossier: Dossier, keys: Path) -> Contents:
    return report_of(small_book, tiny_dossier, simulations=SIMULATIONS, key=keys / "house-private.pem")


@pytest.fixture
def report(sealed_files: Contents) -> Contents:
    """A report, to be changed."""
    return dict(sealed_files)


@pytest.fixture
def signed(signed_files: Contents) -> Contents:
    """A signed report, to be changed."""
    return dict(signed_files)


def verified(
    contents: Contents, public_key: Path | None = None, redraw: Redraw | None = REDRAW
) -> VerifiedReport:
    return verify_report(contents, public_key=public_key, redraw=redraw)


def refusal_of(
    contents: Contents, public_key: Path | None = None, redraw: Redraw | None = REDRAW
) -> CombinatError:
    with pytest.raises(CombinatError) as refusal:
        verified(contents, public_key, redraw)
    str(refusal.value).encode("utf-8")  # it can be printed
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 1000
    return refusal.value


# ---------------------------------------------------------------- accepted


def test_an_unsigned_report_holds(report: Contents) -> None:
    verdict = verified(report)
    assert (verdict.signature, verdict.key_id, verdict.numbers) == (Signed.NONE, None, NUMBERS)
    assert verdict.predicate.game.id == GAME
    assert verdict.unchecked == ()
    assert {file.name: file.check for file in verdict.files} == {
        "VERIFY.txt": Check.SAME,
        "analysis.json": Check.DERIVED,
        "checker.py": Check.SAME,
        "report.md": Check.DRAWN,
        "report.pdf": Check.DRAWN,
        "simulation/counts.json": Check.JUDGED,
        f"{GAME}.toml": Check.RULE_BOOK,
        "tables/bets.csv": Check.DRAWN,
    }


def test_the_figures_alone_hold_and_the_documents_are_said_to_be_hashed(report: Contents) -> None:
    changed("report.md", b"All bets are fair.\n")(report)
    verdict = verified(report, redraw=None)
    hashed = [file.name for file in verdict.files if file.check is Check.HASH]
    assert hashed == ["report.md", "report.pdf", "simulation/counts.json", "tables/bets.csv"]


def test_a_signed_report_holds(signed: Contents, keys: Path) -> None:
    verdict = verified(signed, keys / "house-public.pem")
    assert verdict.signature is Signed.VALID
    assert verdict.key_id == key_id(keys / "house-public.pem")


def test_a_signature_that_was_not_checked_is_said_to_be_so(signed: Contents) -> None:
    assert verified(signed).signature is Signed.NOT_CHECKED


def rule_book_words(contents: Contents, given: bytes | None = None) -> str:
    verdict = verify_report(contents, rule_book=given)
    (why,) = (file.why for file in verdict.files if file.check is Check.RULE_BOOK)
    return why


def test_which_rule_book_is_meant_is_said(
    report: Contents, small_book: RuleBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = "a rule book that does not come with this combinat; read it beside the document"
    assert rule_book_words(report) == stranger
    assert rule_book_words(report, small_book.content) == "the rule book that was given"
    monkeypatch.setattr(verification, "rule_book_paths", lambda: {GAME: SMALL_BOOK})
    assert rule_book_words(report) == "the rule book of this combinat"


def test_the_checker_gets_the_bytes_whose_hash_was_checked(
    report: Contents, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bytes, bytes]] = []

    def check(analysis: bytes, rule_book: bytes) -> int:
        seen.append((analysis, rule_book))
        return 1

    monkeypatch.setattr(verification, "check", check)
    verified(report)
    assert seen == [(report["analysis.json"], report[f"{GAME}.toml"])]


# ---------------------------------------------------------------- what is written


def test_the_certificate_is_an_in_toto_statement(report: Contents, small_book: RuleBook) -> None:
    assert statement_of(report) == {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": name, "digest": {"sha256": hashlib.sha256(report[name]).hexdigest()}}
            for name in sorted(LISTED)
        ],
        "predicateType": "urn:combinat:pay-table-analysis:2",
        "predicate": {
            "game": {"id": GAME, "name": "Small Baccarat"},
            "rule_book": {"name": f"{GAME}.toml", "sha256": small_book.sha256},
            "software": {"name": "combinat", "version": __version__},
            "libraries": [{"name": "press", "version": "1.0"}],
            "decks": [1],
            "forms": ["plain", "packed"],
            "simulations": ["counts.json"],
            "proof": {"sha256": proof_sha256()},
            "statement": WORDS[False],
        },
    }
    assert WORDS[False].startswith("A reproducible analysis, not signed: ")


def test_a_signed_certificate_says_so_and_is_the_same_otherwise(report: Contents, signed: Contents) -> None:
    plain, sealed = statement_of(report), statement_of(signed)
    words = sealed["predicate"].pop("statement")
    plain["predicate"].pop("statement")
    assert sealed == plain
    assert words.startswith("A signed, reproducible analysis: ")
    assert words.endswith("It is not a test laboratory's certification.")


def test_the_text_is_canonical_and_equal_reports_have_equal_bytes(
    report: Contents, signed: Contents, small_book: RuleBook, tiny_dossier: Dossier, keys: Path
) -> None:
    for contents, key in ((report, None), (signed, keys / "house-private.pem")):
        content = contents["certificate.json"]
        assert content == spelled(json.loads(content))
        backwards = dict(reversed(SIMULATIONS.items()))
        assert report_of(small_book, tiny_dossier, simulations=backwards, key=key) == contents


def test_the_signature_is_ed25519_over_the_dsse_encoding(signed: Contents, keys: Path) -> None:
    """Checked here by hand, without the library that made the envelope."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    envelope = json.loads(signed["certificate.json"])
    assert sorted(envelope) == ["payload", "payloadType", "signatures"]
    assert envelope["payloadType"] == PAYLOAD_TYPE == "application/vnd.in-toto+json"
    payload = base64.b64decode(envelope["payload"])
    encoding = b"DSSEv1 28 application/vnd.in-toto+json %d %s" % (len(payload), payload)
    (only,) = envelope["signatures"]
    assert only["keyid"] == key_id(keys / "house-public.pem")
    known = load_pem_public_key((keys / "house-public.pem").read_bytes())
    assert isinstance(known, Ed25519PublicKey)
    known.verify(base64.b64decode(only["sig"]), encoding)


def key_id(public: Path) -> str:
    """The SHA-256 of a public key's DER form, by hand."""
    _, *body, _ = public.read_text("ascii").splitlines()
    return hashlib.sha256(base64.b64decode("".join(body))).hexdigest()


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="coreutils are not here")
def test_sha256sum_reads_the_sums(report: Contents, tmp_path: Path) -> None:
    def sha256sum() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sha256sum", "--check", "--strict", "SHA256SUMS"],
            cwd=tmp_path,
            env={**os.environ, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=False,
        )

    written(report, tmp_path)
    ran = sha256sum()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [f"{name}: OK" for name in sorted([*LISTED, "certificate.json"])]
    (tmp_path / "report.md").write_text("changed", "utf-8")
    assert sha256sum().returncode == 1


def test_the_guide_names_the_checker_and_the_proof(report: Contents) -> None:
    """By their hashes; that the checker works in a folder is tried with a report of the program."""
    assert sha256(report["checker.py"]) in report["VERIFY.txt"].decode("utf-8")
    assert proof_sha256() in report["VERIFY.txt"].decode("utf-8")


def test_an_unsigned_certificate_needs_no_library_of_signatures() -> None:
    script = (
        "import sys, combinat.certify.certificate, combinat.certify.verification, combinat.cli.verify; "
        "print([name for name in ('cryptography', 'securesystemslib') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


# ---------------------------------------------------------------- any byte, any file


SMALL = ["report.md", "report.pdf", "tables/bets.csv", "SHA256SUMS", "certificate.json"]
LARGE = ["analysis.json", "checker.py", "VERIFY.txt", f"{GAME}.toml"]


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_any_byte_changed_is_refused(report: Contents, name: str) -> None:
    content = report[name]
    step = 1 if name in SMALL else len(content) // 23
    for place in range(0, len(content), step):
        report[name] = content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
        with pytest.raises(CertificateError) as refusal:
            opened(report, None)
        if name != "certificate.json":  # what its change makes of it is another matter
            assert isinstance(refusal.value, RejectedCertificateError)
            assert str(refusal.value).startswith(f"{name}: ")


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_a_file_cut_anywhere_or_grown_is_refused(report: Contents, name: str) -> None:
    content = report[name]
    lengths = {*range(0, len(content), 5 if name in SMALL else len(content) // 23), len(content) - 1}
    for other in [content[:length] for length in lengths] + [content + b"\n", content + b"\0"]:
        report[name] = other
        with pytest.raises(CertificateError, match=f"^{name}: "):
            opened(report, None)


# ---------------------------------------------------------------- faults: each with its message

DIGEST = "0" * 64
PLAIN = 'a plain name: no ".." or leading "." or "/", no "\\" or ":", printable characters only'
NAMED_IN_VAIN = "named in the certificate, and not there"


def damaged(name: str, content: bytes) -> Fault:
    """A file with other content, and no hash made to fit."""

    def change(contents: Contents) -> None:
        contents[name] = content

    return change


def lost(name: str) -> Fault:
    return lambda contents: contents.pop(name)


def sums_with(change: Callable[[bytes], bytes]) -> Fault:
    def done(contents: Contents) -> None:
        contents["SHA256SUMS"] = change(contents["SHA256SUMS"])

    return done


def appended(*path: str | int, value: Any) -> Fault:
    """One more entry of a list of the statement."""

    def change(contents: Contents) -> None:
        statement = statement_of(contents)
        listed = statement
        for key in path:
            listed = listed[key]  # type: ignore[index]
        assert isinstance(listed, list)
        listed.append(value)
        certified(spelled(statement))(contents)

    return change


def analysis_with(**values: Any) -> Fault:
    """Another analysis, every hash made to fit."""

    def change(contents: Contents) -> None:
        raw = json.loads(contents["analysis.json"]) | values
        changed("analysis.json", spelled(raw))(contents)

    return change


def as_other_game(contents: Contents) -> None:
    """The certificate and the rule book of another id; the analysis stays."""
    contents[f"{OTHER}.toml"] = contents.pop(f"{GAME}.toml").replace(GAME.encode(), OTHER.encode(), 1)
    digest = sha256(contents[f"{OTHER}.toml"])
    stated("predicate", "game", "id", value=OTHER)(contents)
    stated("predicate", "rule_book", value={"name": f"{OTHER}.toml", "sha256": digest})(contents)
    reseal(contents)


REJECTED: dict[str, tuple[Fault, str]] = {
    # the files, as their hashes say
    "a file is changed": (
        damaged("report.md", b"Player 1.20 %\n"),
        f'report.md: SHA-256: found "{sha256(b"Player 1.20 %" + bytes([10]))}", expected "',
    ),
    "a file is lost": (lost("tables/bets.csv"), f"tables/bets.csv: {NAMED_IN_VAIN}"),
    "the analysis is lost": (lost("analysis.json"), f"analysis.json: {NAMED_IN_VAIN}"),
    "the sums are lost": (lost("SHA256SUMS"), "SHA256SUMS: not there"),
    "a file is added": (
        damaged("more/bets.csv", b""),
        "more/bets.csv: not named in the certificate; expected no other file",
    ),
    "a hash in the sums is changed": (
        sums_with(lambda lines: DIGEST.encode() + lines[64:]),
        f'SHA256SUMS: line 1: found "{DIGEST}  VERIFY.txt", expected "',
    ),
    "the sums are empty": (damaged("SHA256SUMS", b""), "SHA256SUMS: line 1: found an empty line, expected "),
    "the sums have a line more": (
        sums_with(lambda lines: lines + b"\xff\x1b  x\n"),
        'SHA256SUMS: line 10: found "\\\\xff\\u001b  x", expected an empty line by the certificate',
    ),
    "the sums have an end more": (
        sums_with(lambda lines: lines + b"\n"),
        "SHA256SUMS: line 11: found an empty line, expected no line by the certificate",
    ),
    # what the certificate says of itself
    "the software is another": (
        stated("predicate", "software", "name", value="combinate"),
        'certificate.json: predicate.software.name: found "combinate", expected "combinat"',
    ),
    "it claims more than it is": (
        stated("predicate", "statement", value="Certified by a test laboratory."),
        'certificate.json: predicate.statement: found "Certified by a test laboratory.", expected '
        '"A reproducible analysis, not signed: ',
    ),
    "the version is another, and all files are of this one": (
        stated("predicate", "software", "version", value="9.9"),
        f'certificate.json: predicate.software.version: found "9.9", expected "{__version__}"',
    ),
    "a library is invented": (
        stated(
            "predicate",
            "libraries",
            value=[{"name": "abacus", "version": "1"}, {"name": "press", "version": "1.0"}],
        ),
        'certificate.json: predicate.libraries: found "abacus, press", expected "press"',
    ),
    "a library is not named": (
        stated("predicate", "libraries", value=[]),
        'certificate.json: predicate.libraries: found "", expected "press"',
    ),
    # the rule book
    "the rule book has another name": (
        stated("predicate", "rule_book", "name", value="good.toml"),
        f'certificate.json: predicate.rule_book.name: found "good.toml", expected "{GAME}.toml"',
    ),
    "the rule book is not there": (dropped(f"{GAME}.toml"), f"{GAME}.toml: the rule book is not there"),
    "the rule book has another hash": (
        stated("predicate", "rule_book", "sha256", value=DIGEST),
        f'certificate.json: predicate.rule_book.sha256: found "{DIGEST}", expected "',
    ),
    "the rule book is none": (
        both(
            changed(f"{GAME}.toml", b"schema = 1\n"),
            stated("predicate", "rule_book", "sha256", value=sha256(b"schema = 1\n")),
        ),
        f"{GAME}.toml: the key id is missing; give it ",
    ),
    "the game has another name": (
        stated("predicate", "game", "name", value="Small Bakkarat \u202e"),
        'certificate.json: predicate.game.name: found "Small Bakkarat \\u202e", expected "Small Baccarat"',
    ),
    "the game is another": (
        stated("predicate", "game", "id", value="good"),
        f'certificate.json: predicate.rule_book.name: found "{GAME}.toml", expected "good.toml"',
    ),
    "the proof is another": (
        stated("predicate", "proof", "sha256", value=DIGEST),
        f'certificate.json: predicate.proof.sha256: found "{DIGEST}", expected "{proof_sha256()}"',
    ),
    # the analysis
    "the analysis is not there": (
        dropped("analysis.json"),
        "analysis.json: not there, and it holds the numbers",
    ),
    "the decks are others": (
        stated("predicate", "decks", value=[1, 2]),
        'analysis.json: decks: found "(1,)", expected "(1, 2)"',
    ),
    "the analysis is of another game": (
        as_other_game,
        f'analysis.json: game: found "{GAME}", expected "{OTHER}"',
    ),
    "a figure does not follow": (
        analysis_with(offered_states=10**6),
        "analysis.json: its figures do not follow from its own counts",
    ),
    # the documents
    "a document is changed": (
        changed("report.md", b"# Small Baccarat\nall is well\n"),
        'report.md: drawn again, it is not the same: line 2: found "all is well", expected "(1,) ',
    ),
    "a packed document is changed": (
        changed("report.pdf", b"%PDF\0other"),
        "report.pdf: drawn again, it is not the same",
    ),
    "a document is dropped": (dropped("report.md"), "report.md: belongs to this report, and is not there"),
    "a document is added": (
        changed("addendum.md", b"All bets are fair.\n"),
        "addendum.md: no file of this report; expected no other file",
    ),
    "a table is added": (
        changed("tables/more.csv", b"a\n"),
        "tables/more.csv: no file of this report; expected no other file",
    ),
    "a form is not named": (
        stated("predicate", "forms", value=["packed"]),
        "report.md: no file of this report; expected no other file",
    ),
    "the checker is another": (
        changed("checker.py", b"print('all right')\n"),
        "checker.py: not that of this combinat: line 1: found \"print('all right')\", expected ",
    ),
    "the guide is not there": (
        dropped("VERIFY.txt"),
        "VERIFY.txt: belongs to this report, and is not there",
    ),
    # the simulations
    "a simulation is not there": (
        dropped("simulation/counts.json"),
        "simulation/counts.json: belongs to this report, and is not there",
    ),
    "a simulation is not named": (
        both(stated("predicate", "simulations", value=[])),
        "report.md: drawn again, it is not the same: line 3: found ",
    ),
    "a simulation is another": (
        changed("simulation/counts.json", b'{"a": 1}'),
        "report.md: drawn again, it is not the same: line 3: found ",
    ),
    "a simulation cannot be judged": (
        changed("simulation/counts.json", b"\x1b"),
        "plain: cannot be drawn again: counts.json: not a counts file",
    ),
}


@pytest.mark.parametrize("fault", REJECTED)
def test_what_was_changed_is_rejected_in_these_words(report: Contents, fault: str) -> None:
    change, message = REJECTED[fault]
    change(report)
    refusal = refusal_of(report)
    assert isinstance(refusal, RejectedCertificateError), refusal
    assert str(refusal).startswith(message), refusal


HOSTILE_NAMES = [
    *("../secret", "tables/../../secret", "/etc/passwd", "..", ".", "", "tables//bets.csv", "tables/"),
    *("./report.md", "..\\secret", "tables\\bets.csv", "C:secret", "C:/secret", "report.md:stream"),
    *("report.md\0", "report\n.md", "\u202ereport.md", "cafe\u0301.md", "\ud800", ".hidden"),
    *("report.md ", " report.md", "report.md."),
]


def named_also(name: str) -> Fault:
    """One more file named, in its order."""

    def change(contents: Contents) -> None:
        statement = statement_of(contents)
        statement["subject"].append({"name": name, "digest": {"sha256": DIGEST}})
        statement["subject"].sort(key=lambda subject: str(subject["name"]))
        certified(spelled(statement))(contents)

    return change


def certificate_with(old: bytes, new: bytes) -> Fault:
    def change(contents: Contents) -> None:
        content = contents["certificate.json"]
        assert old in content
        certified(content.replace(old, new, 1))(contents)

    return change


def subjects_with(change: Callable[[list[Any]], list[Any]]) -> Fault:
    return lambda contents: stated("subject", value=change(statement_of(contents)["subject"]))(contents)


NOT_CANONICAL = "not in canonical form: expected sorted keys, one space a level, a newline at the end"
MALFORMED: dict[str, tuple[Fault, str]] = {
    "none": (lost("certificate.json"), "not there; give a folder that combinat report wrote"),
    "too large": (certified(b" " * 16_000_001), "larger than 16000000 bytes"),
    "empty": (certified(b""), "not readable as JSON: Expecting value: line 1 column 1 (char 0)"),
    "cut": (
        certified(b'{\n "_type": "htt'),
        "not readable as JSON: Unterminated string starting at: line 2 column 11 (char 12)",
    ),
    "no text": (certified(b'{"\xff": 1}'), "not ASCII text (byte 2)"),
    "a mark of byte order": (certified(b"\xef\xbb\xbf{}"), "not ASCII text (byte 0)"),
    "a list": (certified(b"[]\n"), "expected a JSON object"),
    "a text": (certified(b'"payload"\n'), "expected a JSON object"),
    "brackets without end": (certified(b"[" * 100_000), "not readable as JSON: maximum recursion"),
    "braces without end": (certified(b'{"a":' * 100_000), "not readable as JSON: maximum recursion"),
    "a number without end": (
        certified(b'{"a": ' + b"9" * 5000 + b"}"),
        "not readable as JSON: Exceeds the limit",
    ),
    "a fraction": (certified(b'{"a": 0.5}'), 'not readable as JSON: "0.5" is not a whole number'),
    "no number": (certified(b'{"a": NaN}'), 'not readable as JSON: "NaN" is not a whole number'),
    "infinity": (certified(b'{"a": -Infinity}'), 'not readable as JSON: "-Infinity" is not a whole number'),
    "a key twice": (
        certificate_with(b'"predicateType"', b'"_type"'),
        'not readable as JSON: the key "_type" stands twice',
    ),
    "another spelling": (certificate_with(b'"analysis.json"', b'"\\u0061nalysis.json"'), NOT_CANONICAL),
    "deep in its decks": (certificate_with(b'"plain"', b"[" * 900 + b"]" * 900), NOT_CANONICAL),
    "nothing in it": (certified(b"{}\n"), "Object missing required field `_type`"),
    "another type": (
        stated("_type", value="https://in-toto.io/Statement/v0.1"),
        '_type: found "https://in-toto.io/Statement/v0.1", expected "https://in-toto.io/Statement/v1"',
    ),
    "another predicate": (
        stated("predicateType", value="urn:combinat:pay-table-analysis:1"),
        'predicateType: found "urn:combinat:pay-table-analysis:1", '
        'expected "urn:combinat:pay-table-analysis:2", "urn:combinat:collection:1" or "urn:combinat:whole-shoes:1"',
    ),
    "a collection's predicate": (
        stated("predicateType", value="urn:combinat:collection:1"),
        "predicate: Object contains unknown field `decks`",
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
    "an unknown key of the predicate": (
        stated("predicate", "checked", value=["all"]),
        "predicate: Object contains unknown field `checked`",
    ),
    "an unknown hash": (
        stated("subject", 1, "digest", "md5", value="0" * 32),
        "subject[1].digest: Object contains unknown field `md5`",
    ),
    "a file without its hash": (
        unstated("subject", 0, "digest", "sha256"),
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
    "files out of order": (
        subjects_with(lambda subjects: subjects[::-1]),
        'subject: "tables/bets.csv" stands before "small-baccarat.toml"; expected each once, in order',
    ),
    "a file twice": (
        subjects_with(lambda subjects: [subjects[0], *subjects]),
        'subject: "VERIFY.txt" stands before "VERIFY.txt"; expected each once, in order',
    ),
    "it names itself": (
        named_also("certificate.json"),
        "subject[2].name: certificate.json cannot name itself",
    ),
    "it names the sums": (named_also("SHA256SUMS"), "subject[0].name: SHA256SUMS cannot name itself"),
    "a game that is a path": (
        stated("predicate", "game", "id", value="a/good"),
        f'predicate.game.id: found "a/good"; expected {PLAIN}, and no folder',
    ),
    "a game that climbs": (
        stated("predicate", "game", "id", value=".."),
        f'predicate.game.id: found ".."; expected {PLAIN}, and no folder',
    ),
    "a simulation that climbs": (
        stated("predicate", "simulations", value=["../counts.json"]),
        f'predicate.simulations: found "../counts.json"; expected {PLAIN}, and no folder',
    ),
    "a simulation twice": (
        appended("predicate", "simulations", value="counts.json"),
        'predicate.simulations: "counts.json" stands before "counts.json"; expected each once, in order',
    ),
    "a library twice": (
        appended("predicate", "libraries", value={"name": "press", "version": "2.0"}),
        'predicate.libraries: "press" stands before "press"; expected each once, in order',
    ),
    "a form twice": (
        appended("predicate", "forms", value="plain"),
        "predicate.forms: found \"['plain', 'packed', 'plain']\"; expected each once",
    ),
    "an unknown form": (
        appended("predicate", "forms", value="\x1bscroll"),
        'predicate.forms: found "\\u001bscroll"; expected some of plain, packed',
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
    "a day that is none": (
        stated("predicate", "date", value="2026-02-30"),
        'predicate.date: found "2026-02-30"; expected a date from 1970-01-01 to 2099-12-31',
    ),
    "a date before computers": (
        stated("predicate", "date", value="1969-12-31"),
        'predicate.date: found "1969-12-31"; expected a date from 1970-01-01 to 2099-12-31',
    ),
    "paper that is not sold": (
        stated("predicate", "paper", value="a4"),
        "predicate.paper: Invalid enum value 'a4'",
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
    "no statement": (
        unstated("predicate", "statement"),
        "predicate: Object missing required field `statement`",
    ),
    **{
        f"names {name!a}": (named_also(name), f"found {json.dumps(name)}; expected {PLAIN}")
        for name in HOSTILE_NAMES
    },
}


@pytest.mark.parametrize("fault", MALFORMED)
def test_what_is_no_certificate_is_refused_in_these_words(report: Contents, fault: str) -> None:
    change, message = MALFORMED[fault]
    change(report)
    refusal = refusal_of(report)
    assert isinstance(refusal, MalformedCertificateError), refusal
    assert str(refusal).startswith("certificate.json: ")
    assert message in str(refusal)


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=50)
@given(ANY_JSON)
def test_any_json_is_no_certificate(payload: Any) -> None:
    for raw in (payload, {"payload": payload}, {"subject": payload}):
        with pytest.raises(MalformedCertificateError):
            parsed_certificate(spelled(raw))


@given(st.binary())
def test_any_bytes_are_no_certificate(content: bytes) -> None:
    for read_names in (parsed_certificate, named_files):
        with pytest.raises(MalformedCertificateError):
            read_names(content)


def places(raw: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place of a JSON value."""
    if path:
        yield path
    entries = raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
    for key, value in entries:
        yield from places(value, (*path, key))


ODD_VALUES: list[Any] = [None, True, 0, -1, 1, 10**100, "", "x", "\ud800", [], {}, ["x"], {"x": 1}]


def test_any_value_anywhere_in_a_certificate_is_refused(sealed_files: Contents) -> None:
    """Whatever stands at whatever place of a certificate, the answer is a refusal and no other error."""
    before = statement_of(sealed_files)
    holds: list[tuple[tuple[str | int, ...], Any]] = []
    for path in places(before):
        for value in ODD_VALUES:
            contents = dict(sealed_files)
            stated(*path, value=value)(contents)
            if statement_of(contents) == before:
                continue
            try:
                verified(contents)
            except CertificateError:
                continue
            holds.append((path, value))
    # a library of another version may draw the same bytes, and here it did
    assert holds == [(("predicate", "libraries", 0, "version"), "x")]


# ---------------------------------------------------------------- what cannot be checked here


def test_another_version_of_a_library_is_not_believed(report: Contents) -> None:
    """Naming a version that is not here gains nothing: a document that differs is not checked, one that does not is."""
    stated("predicate", "libraries", 0, "version", value="0.9")(report)
    assert verified(report).unchecked == ()
    changed("report.pdf", b"%PDF\0other")(report)
    assert [(file.name, file.why) for file in verified(report).unchecked] == [
        ("report.pdf", "drawn with press 0.9; install press==0.9 to check it")
    ]
    changed("tables/more.csv", b"a\n")(report)
    assert [file.name for file in verified(report).unchecked] == ["report.pdf", "tables/more.csv"]
    changed("report.md", b"All bets are fair.\n")(report)  # no library draws this one
    assert str(refusal_of(report)).startswith("report.md: drawn again, it is not the same")


def test_another_version_of_the_program_is_not_believed(report: Contents) -> None:
    stated("predicate", "software", "version", value="9.9")(report)
    changed("VERIFY.txt", report["VERIFY.txt"].replace(__version__.encode(), b"9.9"))(report)
    changed("addendum.md", b"All bets are fair.\n")(report)
    why = "written by combinat 9.9; install that version to check it"
    assert [(file.name, file.why) for file in verified(report).unchecked] == [
        ("VERIFY.txt", why),
        ("addendum.md", why),
    ]


def test_a_document_of_another_version_that_cannot_be_drawn_is_not_checked(report: Contents) -> None:
    changed("simulation/counts.json", b"other")(report)
    stated("predicate", "software", "version", value="9.9")(report)
    names = [file.name for file in verified(report).unchecked]
    assert names == ["report.md", "report.pdf", "simulation/counts.json", "tables/bets.csv"]


def test_without_its_library_a_document_is_not_checked(report: Contents) -> None:
    verdict = verified(report, redraw=redraw_without_press())
    why = "a report needs press: pip install 'combinat[report]'; it was drawn with press 1.0"
    assert [(file.name, file.why) for file in verdict.unchecked] == [
        ("report.pdf", why),
        ("tables/bets.csv", why),
    ]


def test_without_its_library_a_document_that_is_missing_is_missing(report: Contents) -> None:
    dropped("report.pdf")(report)
    refusal = refusal_of(report, redraw=redraw_without_press())
    assert isinstance(refusal, RejectedCertificateError)
    assert str(refusal) == "report.pdf: belongs to this report, and is not there"


def test_a_simulation_that_no_document_shows_was_not_judged(
    small_book: RuleBook, tiny_dossier: Dossier
) -> None:
    contents = report_of(small_book, tiny_dossier, forms=(), simulations={"counts.json": b"nonsense"})
    assert [(file.name, file.why) for file in verified(contents).unchecked] == [
        ("simulation/counts.json", "no document was drawn again that would show it judged")
    ]


def test_a_certificate_that_names_no_version_of_a_library(report: Contents) -> None:
    """What another program drew, with a library that it does not name, is not checked either."""
    stated("predicate", "software", "version", value="9.9")(report)
    stated("predicate", "libraries", value=[])(report)
    changed("VERIFY.txt", b"another guide\n")(report)
    assert [file.name for file in verified(report).unchecked] == ["VERIFY.txt"]
    assert redrawing._other_library(verified(report).predicate, FORMS["packed"]) == (
        "the certificate does not name the version of press that drew it"
    )


# ---------------------------------------------------------------- the rule book, the checker


def test_a_rule_book_that_was_given_is_the_one_meant(report: Contents, small_book: RuleBook) -> None:
    given_book = small_book.content.replace(b"20 to 1", b"21 to 1", 1)
    with pytest.raises(RejectedCertificateError) as refusal:
        verify_report(report, rule_book=given_book)
    assert str(refusal.value) == (
        f'{GAME}.toml: SHA-256: found "{small_book.sha256}", expected "{sha256(given_book)}"'
    )


def test_another_rule_book_under_a_name_that_is_ours_is_rejected(
    small_book: RuleBook, tiny_dossier: Dossier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = tmp_path / f"{GAME}.toml"
    ours.write_bytes(small_book.content.replace(b"20 to 1", b"21 to 1", 1))
    monkeypatch.setattr(verification, "rule_book_paths", lambda: {GAME: ours})
    refusal = refusal_of(report_of(small_book, tiny_dossier))
    assert isinstance(refusal, RejectedCertificateError)
    assert str(refusal) == (
        f"{GAME}.toml: SHA-256 {small_book.sha256}; the rule book of that name in this combinat has "
        f"{sha256(ours.read_bytes())}. If another one is meant, say which rule book"
    )
    assert verify_report(report_of(small_book, tiny_dossier), rule_book=small_book.content).numbers == NUMBERS


@pytest.mark.parametrize(
    ("verdict", "refused"),
    [(Rejected, RejectedCertificateError), (Malformed, MalformedCertificateError)],
)
def test_the_checker_has_the_last_word(
    report: Contents, monkeypatch: pytest.MonkeyPatch, verdict: type[Exception], refused: type[Exception]
) -> None:
    def check(analysis: bytes, rule_book: bytes) -> int:
        raise verdict('decks[0].bets[0].ways: found "1\x1b", expected "2"')

    monkeypatch.setattr(verification, "check", check)
    refusal = refusal_of(report)
    assert type(refusal) is refused
    assert str(refusal) == ('analysis.json: decks[0].bets[0].ways: found \\"1\\u001b\\", expected \\"2\\"')


# ---------------------------------------------------------------- signatures


def sealed_with(**values: Any) -> Fault:
    """The envelope with other values, the sums fitting."""

    def change(contents: Contents) -> None:
        envelope = json.loads(contents["certificate.json"])
        for key, value in values.items():
            envelope[key] = value(envelope[key]) if callable(value) else value
        certified(spelled(envelope))(contents)

    return change


def signature_with(**values: Any) -> Fault:
    return sealed_with(
        signatures=lambda signatures: [
            signatures[0] | {key: value(signatures[0][key]) for key, value in values.items()}
        ]
    )


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def edited(change: Callable[[bytes], bytes]) -> Callable[[str], str]:
    """A base64 text after a change of what it says."""
    return lambda text: encoded(change(base64.b64decode(text)))


def taken_off(contents: Contents) -> None:
    """The envelope taken off: a statement that says it is signed."""
    certified(spelled(statement_of(contents)))(contents)


UNFIT = (
    "certificate.json: the signature does not fit: the payload or the signature was changed, "
    "or house-public.pem did not sign it"
)
NOT_SIGNED = "certificate.json: not signed; expected a signature by house-public.pem"
FORGED: dict[str, tuple[Fault, str]] = {
    "a bit of the signature": (signature_with(sig=edited(lambda sig: bytes([sig[0] ^ 1]) + sig[1:])), UNFIT),
    "a signature of zeros": (signature_with(sig=edited(lambda sig: bytes(64))), UNFIT),
    "the payload": (sealed_with(payload=edited(lambda text: text.replace(b"Small", b"Large"))), UNFIT),
    "no signature, the words left": (taken_off, NOT_SIGNED),
    "no signature, other words": (stated("predicate", "statement", value=WORDS[False]), NOT_SIGNED),
}
NO_BASE64 = "signatures[0].sig: not base64, or cut short"
MALFORMED_ENVELOPES: dict[str, tuple[Fault, str]] = {
    "signature cut": (
        signature_with(sig=edited(lambda sig: sig[:-1])),
        "signatures[0].sig: found 63 bytes, expected 64 (Ed25519)",
    ),
    "base64 cut": (signature_with(sig=lambda sig: sig[:-1]), NO_BASE64),
    "signature empty": (signature_with(sig=lambda sig: ""), NO_BASE64),
    "base64 with bits to spare": (
        signature_with(sig=lambda sig: f"{sig[:-3]}{chr(ord(sig[-3]) + 1)}=="),
        NO_BASE64,
    ),
    "base64 with spaces": (signature_with(sig=lambda sig: f" {sig}"), NO_BASE64),
    "base64 of other letters": (sealed_with(payload="p\u00e4yload"), "payload: not base64, or cut short"),
    "no payload": (sealed_with(payload=""), "payload: not base64, or cut short"),
    "payload cut": (
        sealed_with(payload=edited(lambda text: text[:20])),
        "payload: not readable as JSON: Unterminated string starting at",
    ),
    "payload in another spelling": (
        sealed_with(payload=edited(lambda text: text + b"\n")),
        f"payload: {NOT_CANONICAL}",
    ),
    "payload no object": (sealed_with(payload=encoded(b"[]\n")), "payload: expected a JSON object"),
    "payload an envelope": (
        lambda contents: sealed_with(payload=encoded(contents["certificate.json"]))(contents),
        "Object contains unknown field `payload`",
    ),
    "payload a number": (sealed_with(payload=1), "payload: Expected `str`, got `int`"),
    "another type of payload": (
        sealed_with(payloadType="text/plain\x1b"),
        'payloadType: found "text/plain\\u001b", expected "application/vnd.in-toto+json"',
    ),
    "no signatures": (sealed_with(signatures=[]), "signatures: Expected `array` of length >= 1"),
    "two signatures": (
        sealed_with(signatures=lambda signatures: signatures * 2),
        "signatures: Expected `array` of length <= 1",
    ),
    "a key id of other letters": (
        signature_with(keyid=lambda _: "\x1b" * 64),
        "signatures[0].keyid: Expected `str` matching regex",
    ),
    "an unknown key": (sealed_with(more=1), "Object contains unknown field `more`"),
    "another spelling of the envelope": (
        lambda contents: certified(json.dumps(json.loads(contents["certificate.json"])).encode())(contents),
        NOT_CANONICAL,
    ),
}


@pytest.mark.parametrize("fault", FORGED)
def test_a_forged_signature_is_rejected_in_these_words(
    signed: Contents, keys: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, message = FORGED[fault]
    change(signed)
    monkeypatch.chdir(keys)
    refusal = refusal_of(signed, Path("house-public.pem"))
    assert isinstance(refusal, RejectedCertificateError)
    assert str(refusal) == message


def test_a_signature_by_another_is_rejected(
    small_book: RuleBook, tiny_dossier: Dossier, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = report_of(small_book, tiny_dossier, key=keys / "other-private.pem")
    house, other = (key_id(keys / f"{name}-public.pem") for name in ("house", "other"))
    monkeypatch.chdir(keys)
    assert str(refusal_of(contents, Path("house-public.pem"))) == (
        f"certificate.json: signed with another key: found key id {other}, house-public.pem has {house}"
    )
    signature_with(keyid=lambda _: house)(contents)
    assert str(refusal_of(contents, Path("house-public.pem"))) == UNFIT


@pytest.mark.parametrize("fault", MALFORMED_ENVELOPES)
def test_what_is_no_envelope_is_refused_in_these_words(signed: Contents, keys: Path, fault: str) -> None:
    change, message = MALFORMED_ENVELOPES[fault]
    change(signed)
    for public_key in (keys / "house-public.pem", None):
        refusal = refusal_of(signed, public_key)
        assert isinstance(refusal, MalformedCertificateError)
        assert str(refusal).startswith(f"certificate.json: {message}")


def test_a_signature_taken_off_is_caught_without_the_key(signed: Contents) -> None:
    taken_off(signed)
    refusal = refusal_of(signed)
    assert isinstance(refusal, RejectedCertificateError)
    assert str(refusal).startswith('certificate.json: predicate.statement: found "A signed, reproducible')


def test_every_fault_is_caught_behind_a_signature_too(signed: Contents, keys: Path) -> None:
    signed["report.md"] = b"changed"
    assert str(refusal_of(signed, keys / "house-public.pem")).startswith("report.md: SHA-256: found ")


def test_any_bit_of_a_signature_matters(signed: Contents, keys: Path) -> None:
    sig = base64.b64decode(json.loads(signed["certificate.json"])["signatures"][0]["sig"])
    for place in range(64):
        flipped = sig[:place] + bytes([sig[place] ^ (1 << place % 8)]) + sig[place + 1 :]
        signature_with(sig=lambda _, flipped=flipped: encoded(flipped))(signed)
        assert isinstance(refusal_of(signed, keys / "house-public.pem"), RejectedCertificateError)


# ---------------------------------------------------------------- the collection

Reports = dict[str, tuple[RuleBook, Dossier, Contents]]


@pytest.fixture(scope="module")
def reports(small_book: RuleBook, tiny_dossier: Dossier) -> Reports:
    """Two reports, by game."""
    other, other_dossier = other_of(small_book, tiny_dossier)
    return {
        GAME: (small_book, tiny_dossier, report_of(small_book, tiny_dossier)),
        OTHER: (other, other_dossier, report_of(other, other_dossier)),
    }


def collection_verified(contents: Contents, public_key: Path | None = None) -> Signed:
    """The verdict on a collection, its reports verified first; those that do not hold are left out."""
    holding: dict[str, VerifiedReport] = {}
    for folder, files in collected.reports_in(contents).items():
        try:
            holding[folder] = verified(files, public_key)
        except CertificateError:
            continue
    return verify_collection(contents, holding, drawn_over, {"press": "1.0"}, public_key)


def test_a_collection_holds(reports: Reports, keys: Path) -> None:
    contents = collection_of(reports)
    assert sorted(name for name in contents if "/" not in name) == [
        *("README.md", "SHA256SUMS", "certificate.json", "collection.json", "explorer.html")
    ]
    assert collection_verified(contents) is Signed.NONE
    statement = statement_of(contents)
    assert statement["predicateType"] == "urn:combinat:collection:1"
    assert statement["predicate"] == {
        "games": [OTHER, GAME],
        "software": {"name": "combinat", "version": __version__},
        "libraries": [{"name": "press", "version": "1.0"}],
        "statement": WORDS[False],
    }
    signed_too = {
        game: (book, dossier, report_of(book, dossier, key=keys / "house-private.pem"))
        for game, (book, dossier, _) in reports.items()
    }
    contents = collection_of(signed_too, keys / "house-private.pem")
    assert collection_verified(contents) is Signed.NOT_CHECKED
    assert collection_verified(contents, keys / "house-public.pem") is Signed.VALID


def resealed_over(contents: Contents) -> None:
    """A certificate of the collection, and sums, that fit the files as they are."""
    over = {
        name: content
        for name, content in contents.items()
        if "/" not in name or (name.endswith("/certificate.json") and name.count("/") == 1)
    }
    reseal(over)
    contents |= {name: over[name] for name in ("certificate.json", "SHA256SUMS")}


def over(fault: Fault) -> Fault:
    """A change, and the collection sealed again."""
    return both(fault, resealed_over)


def without_folder(folder: str) -> Fault:
    def change(contents: Contents) -> None:
        for name in [name for name in contents if name.startswith(f"{folder}/")]:
            del contents[name]

    return change


def folders_swapped(contents: Contents) -> None:
    names = {GAME: OTHER, OTHER: GAME}
    for name in [name for name in contents if "/" in name]:
        folder, _, rest = name.partition("/")
        contents[f"-{names[folder]}/{rest}"] = contents.pop(name)
    for name in [name for name in contents if "/" in name]:
        contents[name[1:]] = contents.pop(name)


def report_broken(contents: Contents) -> None:
    contents[f"{GAME}/report.md"] = b"changed"


NOT_THE_SAME = "drawn again from the reports, it is not the same"
COLLECTIONS: dict[str, tuple[Fault, type[CertificateError], str]] = {
    "the index is changed": (
        over(damaged("README.md", b"- all games\n")),
        RejectedCertificateError,
        f"README.md: {NOT_THE_SAME}",
    ),
    "its file is changed": (
        over(damaged("collection.json", b"{}\n")),
        RejectedCertificateError,
        f"collection.json: {NOT_THE_SAME}",
    ),
    "the index is changed, the hash is not": (
        damaged("README.md", b"- all games\n"),
        RejectedCertificateError,
        "README.md: SHA-256: found ",
    ),
    "the index is dropped": (
        over(lost("README.md")),
        RejectedCertificateError,
        "README.md: belongs to a collection, and is not there",
    ),
    "the explorer is changed": (
        over(damaged("explorer.html", b"<p>all games</p>\n")),
        RejectedCertificateError,
        f"explorer.html: {NOT_THE_SAME}",
    ),
    "the explorer is dropped": (
        over(lost("explorer.html")),
        RejectedCertificateError,
        "explorer.html: belongs to a collection, and is not there",
    ),
    "a file is added": (
        over(damaged("more.md", b"")),
        RejectedCertificateError,
        "more.md: no file of a collection; expected no other file",
    ),
    "a game is dropped": (
        over(without_folder(OTHER)),
        RejectedCertificateError,
        f"{OTHER}: a game of this collection, and not there",
    ),
    "a game is dropped, and its name": (
        over(both(without_folder(OTHER), stated("predicate", "games", value=[GAME]))),
        RejectedCertificateError,
        f"collection.json: {NOT_THE_SAME}",
    ),
    "a folder is added": (
        over(damaged("more/report.md", b"")),
        RejectedCertificateError,
        "more: no game of this collection; expected no other folder",
    ),
    "two games are swapped": (
        over(folders_swapped),
        RejectedCertificateError,
        f'{OTHER}: game: found "{GAME}", expected "{OTHER}"',
    ),
    "a certificate of a report is another": (
        damaged(f"{GAME}/certificate.json", b"{}\n"),
        RejectedCertificateError,
        f"{GAME}/certificate.json: SHA-256: found ",
    ),
    "a report does not hold": (
        report_broken,
        MalformedCertificateError,
        "a report of it does not hold or was not checked, so that nothing can be said of the whole",
    ),
    "games out of order": (
        stated("predicate", "games", value=[GAME, OTHER]),
        MalformedCertificateError,
        f'certificate.json: predicate.games: "{GAME}" stands before "{OTHER}"; expected each once, in order',
    ),
    "a game that climbs": (
        stated("predicate", "games", value=[".."]),
        MalformedCertificateError,
        f'certificate.json: predicate.games: found ".."; expected {PLAIN}, and no folder',
    ),
    "another version of the program": (
        stated("predicate", "software", "version", value="9.9"),
        MalformedCertificateError,
        "certificate.json: not checked: written by combinat 9.9; install that version to check it",
    ),
    "another version of a library": (
        over(
            both(
                damaged("README.md", b"- all games\n"),
                stated("predicate", "libraries", 0, "version", value="0.9"),
            )
        ),
        MalformedCertificateError,
        "README.md: not checked: drawn with press==0.9; install that to check it",
    ),
    "it claims more than it is": (
        stated("predicate", "statement", value="Approved."),
        RejectedCertificateError,
        'certificate.json: predicate.statement: found "Approved.", expected "A reproducible',
    ),
}


@pytest.mark.parametrize("fault", COLLECTIONS)
def test_what_is_wrong_with_a_collection_in_these_words(reports: Reports, fault: str) -> None:
    change, refused, message = COLLECTIONS[fault]
    contents = collection_of(reports)
    change(contents)
    with pytest.raises(CertificateError) as refusal:
        collection_verified(contents)
    assert str(refusal.value).startswith(message)
    assert type(refusal.value) is refused


def test_one_kind_of_certificate_is_not_taken_for_the_other(reports: Reports, report: Contents) -> None:
    contents = collection_of(reports)
    assert str(refusal_of(contents)).startswith(f"{OTHER}/SHA256SUMS: not named in the certificate")
    assert str(refusal_of({name: contents[name] for name in named_over(reports)})) == (
        "certificate.json: of a collection; expected that of a game's report"
    )
    flat = {name: content for name, content in report.items() if "/" not in name}
    reseal(flat)
    with pytest.raises(MalformedCertificateError) as refusal:
        verify_collection(flat, {}, drawn_over, {})
    assert str(refusal.value) == "certificate.json: of a report; expected that of a collection"


# ---------------------------------------------------------------- every refusal is reached


def test_every_raise_is_reached(
    sealed_files: Contents,
    reports: Reports,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A ``raise`` that nothing here reaches is a refusal that nobody has seen."""

    def refusals() -> Iterator[BaseException]:
        for change, _ in (REJECTED | MALFORMED).values():
            contents = dict(sealed_files)
            change(contents)
            yield refusal_of(contents)
        contents = dict(sealed_files)
        dropped("report.pdf")(contents)
        yield refusal_of(contents, redraw=redraw_without_press())
        yield refusal_of(dict(sealed_files), Path("none"))
        yield refusal_of({name: collection_of(reports)[name] for name in named_over(reports)})
        for change, _, _ in COLLECTIONS.values():
            contents = collection_of(reports)
            change(contents)
            with pytest.raises(CertificateError) as refusal:
                collection_verified(contents)
            yield refusal.value
        flat = {name: content for name, content in sealed_files.items() if "/" not in name}
        reseal(flat)
        with pytest.raises(CertificateError) as refusal:
            verify_collection(flat, {}, drawn_over, {})
        yield refusal.value
        for verdict in (Rejected, Malformed):
            with monkeypatch.context() as patched:

                def check(analysis: bytes, rule_book: bytes, verdict: type[Exception] = verdict) -> int:
                    raise verdict("wrong")

                patched.setattr(verification, "check", check)
                yield refusal_of(dict(sealed_files))
        with monkeypatch.context() as patched:
            ours = tmp_path / f"{GAME}.toml"
            ours.write_bytes(SMALL_BOOK.read_bytes() + b"\n")
            patched.setattr(verification, "rule_book_paths", lambda: {GAME: ours})
            yield refusal_of(dict(sealed_files))

    modules = [certificate, verification, redrawing, collected]
    assert unreached(modules, refusals()) == set()


def named_over(reports: Reports) -> list[str]:
    """The files that the certificate of a collection speaks of."""
    return [name for name in collection_of(reports) if "/" not in name or name.endswith("/certificate.json")]
