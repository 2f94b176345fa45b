"""Certificates: written with equal bytes, accepted as they are, refused once anything is changed.

The reports here are of next to nothing (``tests/reports.py``), and the checker accepts every number: the refusals of
the checker itself are tested with it. Each fault is one entry of a table with its verdict and what the message names,
and together the tables reach every ``raise`` of the modules that write and read certificates. What is not
readable as a certificate is in ``tests/corpus/certificates.toml``; its wording is in ``tests/hostile/certificates``.
"""

import base64
import dataclasses
import hashlib
import inspect
import json
import pickle
import shutil
import tomllib
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import __version__
from combinat.base.errors import (
    CertificateError,
    MalformedCertificateError,
    RejectedCertificateError,
)
from combinat.certify import certificate, collection, verification
from combinat.certify.certificate import WORDS, Predicate, named_files, parsed_certificate
from combinat.certify.checker import Malformed, Rejected
from combinat.certify.dossier import Dossier
from combinat.certify.signature import write_key_pair
from combinat.certify.verification import Check, Origin, Signed, check_reproduced, opened
from combinat.report.certified import verified as documents
from combinat.report.certified.verified import VerifiedReport, verify_collection, verify_report
from combinat.report.certified.verify import result_or_error
from combinat.rules.game import Game
from tests import computed
from tests.certify.forger import (
    Fault,
    both,
    certified,
    changed,
    damaged,
    dropped,
    lost,
    put,
    restated,
    sealed_again,
    spelled,
    stated,
    statement_of,
)
from tests.certify.hostile_names import HOSTILE_NAMES
from tests.conftest import SMALL_BOOK
from tests.paths import CORPUS
from tests.programs import process, python
from tests.raises import noting_refusals, refusal_of, refusing
from tests.reports import (
    GAME,
    NUMBERS,
    OTHER,
    Contents,
    Reports,
    collection_of,
    key_id,
    press,
    report_of,
    sha256,
    two_reports,
    written,
)

SIMULATIONS = {"counts.json": b"{}"}
YES, NO = RejectedCertificateError, MalformedCertificateError
LISTED = [
    *("VERIFY.txt", "analysis.json", "checker.py", "report.md", "report.pdf", "simulation/counts.json"),
    *(f"{GAME}.toml", "tables/bets.csv"),
]
DIGEST = "0" * 64


@pytest.fixture(scope="module", autouse=True)
def _every_number_is_right() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        press(patched)
        yield


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two key pairs: ``house`` signs, ``other`` is another's."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("house", "other"):
        write_key_pair(folder / f"{name}-private.pem", folder / f"{name}-public.pem")
    return folder


@pytest.fixture(scope="module")
def sealed_files(small_game: Game, tiny_dossier: Dossier) -> Contents:
    return report_of(small_game, tiny_dossier, simulations=SIMULATIONS)


@pytest.fixture(scope="module")
def signed_files(small_game: Game, tiny_dossier: Dossier, keys: Path) -> Contents:
    return report_of(small_game, tiny_dossier, simulations=SIMULATIONS, key=keys / "house-private.pem")


@pytest.fixture
def report(sealed_files: Contents) -> Contents:
    """A report, to be changed."""
    return dict(sealed_files)


# ---------------------------------------------------------------- accepted


def test_a_report_holds_and_every_file_is_checked(report: Contents) -> None:
    verdict = verify_report(report)
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


def test_the_figures_alone_hold_and_the_documents_are_only_hashed(report: Contents) -> None:
    changed("report.md", b"All bets are fair.\n")(report)
    checked = verify_report(report, figures_only=True).files
    hashed = [file.name for file in checked if file.check is Check.HASH]
    assert hashed == [name for name in sorted(LISTED) if name not in ("analysis.json", f"{GAME}.toml")]


def test_a_verdict_comes_back_from_another_process(report: Contents) -> None:
    """Reports of a collection are verified side by side."""
    for contents in (report, {**report, "report.md": b""}, {**report, "certificate.json": b"{"}):
        check = pickle.loads(pickle.dumps(partial(result_or_error, verify_report)))
        verdict = check(contents)
        back = pickle.loads(pickle.dumps(verdict))
        assert (type(back), repr(back)) == (type(verdict), repr(verdict))


def test_the_verdict_names_the_origin_of_the_rule_book(report: Contents, small_game: Game) -> None:
    """A stranger's, the one given, or ours; the one given is preferred to ours."""
    ours = patched("rule_book_paths", lambda: {GAME: SMALL_BOOK})
    given = {"rule_book": small_game.content}
    preferred = patched("rule_book_paths", lambda: {GAME: CORPUS / "analyses" / "small.toml"}, **given)
    assert [verify(report).origin for verify in (verify_report, ours, preferred)] == [
        *(Origin.FOREIGN, Origin.SHIPPED, Origin.GIVEN)
    ]


def edge_turned(told: Dossier) -> Dossier:
    """A figure of game protection moved by a billionth; those that follow from it fit."""
    first, *others = told.protection
    moved = dataclasses.replace(first, house_edge=first.house_edge + Fraction(1, 10**9))
    return dataclasses.replace(told, protection=(moved, *others))


LEFT_OUT: dict[str, Callable[[Dossier], Dossier]] = {
    "a figure of protection": edge_turned,
    "protection": lambda told: dataclasses.replace(told, protection=()),
    "the order of protection": lambda told: dataclasses.replace(told, protection=told.protection[::-1]),
    "habits": lambda told: dataclasses.replace(told, insured=told.insured[1:]),
    "examples": lambda told: dataclasses.replace(told, examples=told.examples[:-1]),
}


@pytest.mark.parametrize("forged", LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_the_checker_leaves_out_is_reproduced(
    small_game: Game,
    small_dossier: Dossier,
    monkeypatch: pytest.MonkeyPatch,
    forged: Callable[[Dossier], Dossier],
) -> None:
    monkeypatch.setattr(verification, "dossier", computed.dossier_of)
    check_reproduced(small_dossier, small_game)
    with pytest.raises(RejectedCertificateError):
        check_reproduced(forged(small_dossier), small_game)


# ---------------------------------------------------------------- what is written


def test_the_certificate_is_an_in_toto_statement(report: Contents, small_game: Game) -> None:
    statement = statement_of(report)
    assert statement == {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": name, "digest": {"sha256": hashlib.sha256(report[name]).hexdigest()}}
            for name in sorted(LISTED)
        ],
        "predicateType": "urn:combinat:pay-table-analysis:3",
        "predicate": {
            "game": {"id": GAME, "name": "Small Baccarat"},
            "rule_book": {"name": f"{GAME}.toml", "sha256": small_game.sha256},
            "software": {"name": "combinat", "version": __version__},
            "libraries": [{"name": "press", "version": "1.0"}],
            "decks": [1],
            "forms": ["html", "pdf"],
            "simulations": ["counts.json"],
            "statement": WORDS[False],
        },
    }


def test_a_signed_certificate_differs_in_its_claim_and_its_guide(
    report: Contents, signed_files: Contents
) -> None:
    plain, sealed = statement_of(report), statement_of(signed_files)
    assert plain["predicate"].pop("statement") == WORDS[False]
    assert sealed["predicate"].pop("statement") == WORDS[True]
    guides = [statement["subject"].pop(0)["name"] for statement in (plain, sealed)]
    assert (sealed, guides) == (plain, ["VERIFY.txt", "VERIFY.txt"])
    assert all("not a test laboratory's certification" in words for words in WORDS.values())


def test_the_text_is_canonical_and_equal_reports_have_equal_bytes(
    report: Contents, signed_files: Contents, small_game: Game, tiny_dossier: Dossier, keys: Path
) -> None:
    for contents, key in ((report, None), (signed_files, keys / "house-private.pem")):
        content = contents["certificate.json"]
        assert content == spelled(json.loads(content))
        assert report_of(small_game, tiny_dossier, simulations=SIMULATIONS, key=key) == contents


def test_the_signature_is_ed25519_over_the_dsse_encoding(signed_files: Contents, keys: Path) -> None:
    """Checked here without the library that made the envelope."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    envelope = json.loads(signed_files["certificate.json"])
    assert sorted(envelope) == ["payload", "payloadType", "signatures"]
    assert envelope["payloadType"] == "application/vnd.in-toto+json"
    payload = base64.b64decode(envelope["payload"])
    encoding = b"DSSEv1 28 application/vnd.in-toto+json %d %s" % (len(payload), payload)
    (only,) = envelope["signatures"]
    assert only["keyid"] == key_id(keys / "house-public.pem")
    known = load_pem_public_key((keys / "house-public.pem").read_bytes())
    assert isinstance(known, Ed25519PublicKey)
    known.verify(base64.b64decode(only["sig"]), encoding)


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="coreutils are not here")
def test_sha256sum_reads_the_sums(report: Contents, tmp_path: Path) -> None:
    written(report, tmp_path)
    ran = process(["sha256sum", "--check", "--strict", "SHA256SUMS"], tmp_path, LC_ALL="C")
    assert ran.output().splitlines() == [f"{name}: OK" for name in sorted([*LISTED, "certificate.json"])]


def test_the_guide_names_the_checker_by_its_hash(report: Contents) -> None:
    assert sha256(report["checker.py"]) in report["VERIFY.txt"].decode("utf-8")


def test_an_unsigned_certificate_needs_no_library_of_signatures() -> None:
    script = (
        "import sys, combinat.certify.certificate, combinat.certify.verification, combinat.cli.verify; "
        "print([name for name in ('cryptography', 'securesystemslib') if name in sys.modules])"
    )
    assert python("-c", script).output() == "[]\n"


# ---------------------------------------------------------------- any byte, any file


SMALL = ["report.md", "report.pdf", "tables/bets.csv", "SHA256SUMS", "certificate.json"]
LARGE = ["analysis.json", "checker.py", "VERIFY.txt", f"{GAME}.toml"]


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_any_byte_changed_and_any_length_is_refused(report: Contents, name: str) -> None:
    content = report[name]
    step = 1 if name in SMALL else len(content) // 23
    turned = [
        content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
        for place in range(0, len(content), step)
    ]
    cut = [content[:length] for length in {*range(0, len(content), 5 * step), len(content) - 1}]
    for other in [*turned, *cut, content + b"\n", content + b"\0"]:
        report[name] = other
        refusal = refusal_of(opened, report, None, Predicate, kind=CertificateError)
        if name != "certificate.json":  # a change of it can make another file wrong
            assert isinstance(refusal, RejectedCertificateError)
            assert str(refusal).startswith(f"{name}: ")


# ---------------------------------------------------------------- faults: each with its verdict and what it names


Faults = dict[str, tuple[Fault, str]]
"""Faults by name: each with the beginning of its refusal."""


def sums_with(change: Callable[[bytes], bytes]) -> Fault:
    return lambda contents: contents.update(SHA256SUMS=change(contents["SHA256SUMS"]))


def as_other_game(contents: Contents) -> None:
    """The certificate and the rule book of another id; the analysis stays."""
    contents[f"{OTHER}.toml"] = contents.pop(f"{GAME}.toml").replace(GAME.encode(), OTHER.encode(), 1)
    digest = sha256(contents[f"{OTHER}.toml"])
    stated("predicate", "game", "id", value=OTHER)(contents)
    stated("predicate", "rule_book", value={"name": f"{OTHER}.toml", "sha256": digest})(contents)
    sealed_again(contents)


def analyzed(*place: str | int, value: Any) -> Fault:
    """An analysis with another value at a place."""
    return lambda contents: changed(
        "analysis.json", spelled(put(json.loads(contents["analysis.json"]), place, value))
    )(contents)


PREDICATE = "certificate.json: predicate."
REJECTED: Faults = {
    # the files, by their hashes
    "a file is changed": (damaged("report.md", b"Player 1.20 %\n"), "report.md: "),
    "a file is lost": (lost("tables/bets.csv"), "tables/bets.csv: "),
    "the analysis is lost": (lost("analysis.json"), "analysis.json: "),
    "the sums are lost": (lost("SHA256SUMS"), "SHA256SUMS: "),
    "a file is added": (damaged("more/bets.csv", b""), "more/bets.csv: "),
    "a hash in the sums is changed": (
        sums_with(lambda lines: DIGEST.encode() + lines[64:]),
        "SHA256SUMS: line 1: ",
    ),
    "the sums are empty": (damaged("SHA256SUMS", b""), "SHA256SUMS: line 1: "),
    "the sums have a line more": (
        sums_with(lambda lines: lines + b"\xff\x1b  x\n"),
        "SHA256SUMS: line 10: ",
    ),
    "the sums have an end more": (sums_with(lambda lines: lines + b"\n"), "SHA256SUMS: line 11: "),
    # the certificate's own claims
    "the software is another": (
        stated("predicate", "software", "name", value="combinate"),
        f"{PREDICATE}software.name: ",
    ),
    "it claims more than it is": (
        stated("predicate", "statement", value="Certified by a test laboratory."),
        f"{PREDICATE}statement: ",
    ),
    # the rule book
    "the rule book has another name": (
        stated("predicate", "rule_book", "name", value="good.toml"),
        f"{PREDICATE}rule_book.name: ",
    ),
    "the rule book is not there": (dropped(f"{GAME}.toml"), f"{GAME}.toml: "),
    "the rule book has another hash": (
        stated("predicate", "rule_book", "sha256", value=DIGEST),
        f"{PREDICATE}rule_book.sha256: ",
    ),
    "the rule book is none": (
        both(
            changed(f"{GAME}.toml", b"schema = 1\n"),
            stated("predicate", "rule_book", "sha256", value=sha256(b"schema = 1\n")),
        ),
        f"{GAME}.toml: ",
    ),
    "the game has another name": (
        stated("predicate", "game", "name", value="Small Bakkarat \u202e"),
        f"{PREDICATE}game.name: ",
    ),
    "the game is another": (stated("predicate", "game", "id", value="good"), f"{PREDICATE}rule_book.name: "),
    # the analysis
    "the analysis is not there": (dropped("analysis.json"), "analysis.json: "),
    "the decks are others": (stated("predicate", "decks", value=[1, 2]), "analysis.json: decks: "),
    "the analysis is of another game": (as_other_game, "analysis.json: game: "),
    "a figure does not follow": (analyzed("shoes", 0, "bets", 0, "house_edge", value="1"), "analysis.json: "),
    "it follows no entry": (analyzed("followed", value=["no-such-entry"]), "analysis.json: followed: "),
    # the documents
    "a document is changed": (changed("report.md", b"# Small Baccarat\nall is well\n"), "report.md: "),
    "a packed document is changed": (changed("report.pdf", b"%PDF\0other"), "report.pdf: "),
    "a document is dropped": (dropped("report.md"), "report.md: "),
    "a document is added": (changed("addendum.md", b"All bets are fair.\n"), "addendum.md: "),
    "a table is added": (changed("tables/more.csv", b"a\n"), "tables/more.csv: "),
    "a form is not named": (stated("predicate", "forms", value=["pdf"]), "report.md: "),
    "a library is not named": (stated("predicate", "libraries", value=[]), f"{PREDICATE}libraries: "),
    "one library more": (
        stated(
            "predicate",
            "libraries",
            value=[{"name": "abacus", "version": "1"}, {"name": "press", "version": "1.0"}],
        ),
        f"{PREDICATE}libraries: ",
    ),
    "the checker is another": (changed("checker.py", b"print('all right')\n"), "checker.py: "),
    "the guide is not there": (dropped("VERIFY.txt"), "VERIFY.txt: "),
    # the simulations
    "a simulation is not there": (dropped("simulation/counts.json"), "simulation/counts.json: "),
    "a simulation is not named": (stated("predicate", "simulations", value=[]), "report.md: "),
    "a simulation is another": (changed("simulation/counts.json", b'{"a": 1}'), "report.md: "),
    "a simulation cannot be judged": (changed("simulation/counts.json", b"\x1b"), "documents: "),
}
CERTIFICATE = "certificate.json: "
MALFORMED: Faults = {
    "none": (lost("certificate.json"), CERTIFICATE),
    "too large": (certified(b" " * 16_000_001), CERTIFICATE),
    "brackets without end": (certified(b"[" * 100_000), CERTIFICATE),
    "braces without end": (certified(b'{"a":' * 100_000), CERTIFICATE),
    "a number without end": (certified(b'{"a": ' + b"9" * 5000 + b"}"), CERTIFICATE),
    "an unknown key that does not print": (stated("\x1b[2J", value=1), CERTIFICATE),
    "an unknown key that is half a character": (stated("\ud800", value=1), CERTIFICATE),
    "an unknown key without end": (stated("x" * 100_000, value=1), CERTIFICATE),
    **{
        f"a file named {name!a}": (
            restated(lambda statement, name=name: statement["subject"][0].update(name=name)),  # type: ignore[misc]
            f"{CERTIFICATE}subject[0].name: found {json.dumps(name)}; ",
        )
        for name in HOSTILE_NAMES
    },
}


def of_the_corpus(entry: dict[str, str]) -> Fault:
    """A fault of ``certificates.toml``."""
    if "text" in entry:
        return certified(entry["text"].encode("utf-8"))
    if "old" in entry:
        return lambda contents: certified(
            contents["certificate.json"].replace(entry["old"].encode(), entry["new"].encode(), 1)
        )(contents)
    place = [int(part) if part.isdigit() else part for part in entry["at"].split(".")]
    return stated(*place, value=json.loads(entry["value"]) if "value" in entry else ...)


for one in tomllib.loads((CORPUS / "certificates.toml").read_text("utf-8"))["certificates"]:
    MALFORMED[str(one)] = (of_the_corpus(one), CERTIFICATE + one.get("names", ""))


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
    """A base64 text after a change of its content."""
    return lambda text: encoded(change(base64.b64decode(text)))


def any_bit(place: int) -> Fault:
    """One bit of the signature turned."""
    return signature_with(
        sig=edited(lambda sig: sig[:place] + bytes([sig[place] ^ (1 << place % 8)]) + sig[place + 1 :])
    )


FORGED: Faults = {
    **{f"a bit of byte {place} of the signature": (any_bit(place), CERTIFICATE) for place in range(64)},
    "a signature of zeros": (signature_with(sig=edited(lambda sig: bytes(64))), CERTIFICATE),
    "the payload": (sealed_with(payload=edited(lambda text: text.replace(b"Small", b"Large"))), CERTIFICATE),
    "no signature, the claim left": (restated(lambda statement: None), CERTIFICATE),
    "no signature, another claim": (stated("predicate", "statement", value=WORDS[False]), CERTIFICATE),
    "a document": (damaged("report.md", b"changed"), "report.md: "),
}
SIG, PAYLOAD = f"{CERTIFICATE}signatures[0].sig: ", f"{CERTIFICATE}payload: "
MALFORMED_ENVELOPES: Faults = {
    "signature cut": (signature_with(sig=edited(lambda sig: sig[:-1])), SIG),
    "base64 cut": (signature_with(sig=lambda sig: sig[:-1]), SIG),
    "signature empty": (signature_with(sig=lambda sig: ""), SIG),
    "base64 with bits to spare": (
        signature_with(sig=lambda sig: f"{sig[:-3]}{chr(ord(sig[-3]) + 1)}=="),
        SIG,
    ),
    "base64 with spaces": (signature_with(sig=lambda sig: f" {sig}"), SIG),
    "base64 of other letters": (sealed_with(payload="p\u00e4yload"), PAYLOAD),
    "no payload": (sealed_with(payload=""), PAYLOAD),
    "payload cut": (sealed_with(payload=edited(lambda text: text[:20])), PAYLOAD),
    "payload in another spelling": (sealed_with(payload=edited(lambda text: text + b"\n")), PAYLOAD),
    "payload no object": (sealed_with(payload=encoded(b"[]\n")), PAYLOAD),
    "payload an envelope": (
        lambda contents: sealed_with(payload=encoded(contents["certificate.json"]))(contents),
        CERTIFICATE,
    ),
    "payload a number": (sealed_with(payload=1), PAYLOAD),
    "another type of payload": (
        sealed_with(payloadType="text/plain\x1b"),
        f'{CERTIFICATE}payloadType: found "text/plain\\u001b"',
    ),
    "no signatures": (sealed_with(signatures=[]), f"{CERTIFICATE}signatures: "),
    "two signatures": (
        sealed_with(signatures=lambda signatures: signatures * 2),
        f"{CERTIFICATE}signatures: ",
    ),
    "a key id of other letters": (
        signature_with(keyid=lambda _: "\x1b" * 64),
        f"{CERTIFICATE}signatures[0].keyid: ",
    ),
    "an unknown key": (sealed_with(more=1), CERTIFICATE),
    "another spelling of the envelope": (
        lambda contents: certified(json.dumps(json.loads(contents["certificate.json"])).encode())(contents),
        CERTIFICATE,
    ),
}


# ---------------------------------------------------------------- the collection


def collection_verified(contents: Contents, public_key: Path | None = None) -> Signed:
    """The verdict on a collection, its reports verified first; those that do not hold are left out."""
    holding: dict[str, VerifiedReport] = {}
    for folder, files in collection.reports_in(contents).items():
        try:
            holding[folder] = verify_report(files, public_key=public_key)
        except CertificateError:
            continue
    return verify_collection(contents, holding, public_key).signature


def test_a_collection_holds(small_game: Game, tiny_dossier: Dossier, reports: Reports, keys: Path) -> None:
    contents = collection_of(reports)
    assert sorted(name for name in contents if "/" not in name) == [
        *("README.md", "SHA256SUMS", "certificate.json", "collection.json", "explorer.html")
    ]
    assert collection_verified(contents) is Signed.NONE
    assert statement_of(contents)["predicate"] == {
        "games": [OTHER, GAME],
        "software": {"name": "combinat", "version": __version__},
        "libraries": [{"name": "press", "version": "1.0"}],
        "statement": WORDS[False],
    }
    private, public = keys / "house-private.pem", keys / "house-public.pem"
    contents = collection_of(two_reports(small_game, tiny_dossier, private), private)
    assert collection_verified(contents) is Signed.NOT_CHECKED
    assert collection_verified(contents, public) is Signed.VALID


def without_folder(folder: str) -> Fault:
    return lambda contents: [contents.pop(name) for name in list(contents) if name.startswith(f"{folder}/")]


def folders_swapped(contents: Contents) -> None:
    names = {GAME: OTHER, OTHER: GAME}
    inside = {name: contents.pop(name) for name in list(contents) if "/" in name}
    for name, content in inside.items():
        folder, _, rest = name.partition("/")
        contents[f"{names[folder]}/{rest}"] = content


REJECTED_COLLECTIONS: Faults = {
    "the index is changed": (changed("README.md", b"- all games\n"), "README.md: "),
    "its file is changed": (changed("collection.json", b"{}\n"), "collection.json: "),
    "the index is changed, the hash is not": (damaged("README.md", b"- all games\n"), "README.md: "),
    "the index is dropped": (dropped("README.md"), "README.md: "),
    "the explorer is changed": (changed("explorer.html", b"<p>all games</p>\n"), "explorer.html: "),
    "the explorer is dropped": (dropped("explorer.html"), "explorer.html: "),
    "a file is added": (changed("more.md", b""), "more.md: "),
    "a game is dropped": (both(without_folder(OTHER), sealed_again), f"{OTHER}: "),
    "a game is dropped, and its name": (
        both(without_folder(OTHER), stated("predicate", "games", value=[GAME]), sealed_again),
        "collection.json: ",
    ),
    "a folder is added": (changed("more/report.md", b""), "more: "),
    "two games are swapped": (both(folders_swapped, sealed_again), f"{OTHER}: game: "),
    "a certificate of a report is another": (
        damaged(f"{GAME}/certificate.json", b"{}\n"),
        f"{GAME}/certificate.json: ",
    ),
    "it claims more than it is": (
        stated("predicate", "statement", value="Approved."),
        f"{PREDICATE}statement: ",
    ),
}
MALFORMED_COLLECTIONS: Faults = {
    "a report does not hold": (damaged(f"{GAME}/report.md", b"changed"), ""),
    "games out of order": (stated("predicate", "games", value=[GAME, OTHER]), f"{PREDICATE}games: "),
    "a game that climbs": (stated("predicate", "games", value=[".."]), f"{PREDICATE}games: "),
    "another version of the program": (
        stated("predicate", "software", "version", value="9.9"),
        CERTIFICATE,
    ),
    "another version of a library": (
        both(
            stated("predicate", "libraries", 0, "version", value="0.9"),
            changed("README.md", b"- all games\n"),
        ),
        CERTIFICATE,
    ),
}


# ---------------------------------------------------------------- every fault is caught, every refusal reached


def unchanged(contents: Contents) -> None:
    """No fault of the files themselves."""


def patched(name: str, value: object, **options: Any) -> Callable[[Contents], VerifiedReport]:
    """Verification of a report where a function that it calls is another."""

    def verify(contents: Contents) -> VerifiedReport:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(verification, name, value)
            return verify_report(contents, **options)

    return verify


def checker_that_raises(verdict: type[Exception]) -> Callable[[bytes, bytes], None]:
    """A checker whose verdict names the bytes that it was given."""

    def check(analysis: bytes, rule_book: bytes) -> None:
        raise verdict(f"{sha256(analysis)} {sha256(rule_book)} \x1b")

    return check


def test_every_fault_is_caught_and_every_raise_is_reached(
    sealed_files: Contents,
    signed_files: Contents,
    small_game: Game,
    small_dossier: Dossier,
    tiny_dossier: Dossier,
    reports: Reports,
    keys: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each with its verdict. A ``raise`` that no fault here reaches is a refusal that nobody has seen."""
    house, whole, ours = keys / "house-public.pem", collection_of(reports), keys / f"{GAME}.toml"
    ours.write_bytes(small_game.content.replace(b"20 to 1", b"21 to 1", 1))
    by_key = partial(verify_report, public_key=house)
    by_another = report_of(small_game, tiny_dossier, key=keys / "other-private.pem")
    over = {name: whole[name] for name in whole if "/" not in name or name.endswith("/certificate.json")}
    flat = {name: content for name, content in sealed_files.items() if "/" not in name}
    book, analysis = f"{GAME}.toml", "analysis.json"
    another_book: Faults = {"the rule book is not the expected one": (unchanged, f"{book}: SHA-256")}
    checked: Faults = {
        "the checker": (unchanged, f"{analysis}: {sha256(flat[analysis])} {sha256(flat[book])} \\u001b")
    }
    tables: list[tuple[Contents, Callable[..., object], type, Faults]] = [
        (sealed_files, verify_report, YES, REJECTED),
        (sealed_files, verify_report, NO, MALFORMED),
        (
            sealed_files,
            partial(verify_report, public_key=Path("none")),
            YES,
            {"unsigned": (unchanged, CERTIFICATE)},
        ),
        (sealed_files, patched("rule_book_paths", lambda: {GAME: ours}), YES, another_book),
        (sealed_files, partial(verify_report, rule_book=ours.read_bytes()), YES, another_book),
        (sealed_files, patched("check", checker_that_raises(Rejected)), YES, checked),
        (sealed_files, patched("check", checker_that_raises(Malformed)), NO, checked),
        (signed_files, by_key, YES, FORGED),
        (signed_files, by_key, NO, MALFORMED_ENVELOPES),
        (signed_files, verify_report, NO, MALFORMED_ENVELOPES),
        (signed_files, verify_report, YES, {"unsealed": (restated(unchanged), f"{PREDICATE}statement: ")}),
        (by_another, by_key, YES, {"by another": (unchanged, f"{CERTIFICATE}signed with another key: ")}),
        (
            by_another,
            by_key,
            YES,
            {"also as ours": (signature_with(keyid=lambda _: key_id(house)), CERTIFICATE)},
        ),
        (whole, collection_verified, YES, REJECTED_COLLECTIONS),
        (whole, collection_verified, NO, MALFORMED_COLLECTIONS),
        (over, verify_report, NO, {"a collection for a report": (unchanged, CERTIFICATE)}),
        (flat, partial(verify_collection, reports={}), NO, {"a report for one": (sealed_again, CERTIFICATE)}),
    ]
    reached, tried, wrong = noting_refusals(monkeypatch), 0, {}
    for made, verify, kind, faults in tables:
        for fault, (change, names) in faults.items():
            contents = dict(made)
            change(contents)
            found = refusal_of(partial(verify, contents))
            tried += 1
            if type(found) is not kind or not str(found).startswith(names):
                wrong[fault] = found
    assert wrong == {}
    assert tried > 200
    monkeypatch.setattr(verification, "dossier", lambda game, decks: small_dossier)
    forged = dataclasses.replace(small_dossier, protection=())
    refusal_of(lambda: check_reproduced(forged, small_game))
    left = refusing(certificate, verification, documents, collection) - reached
    of_studies = inspect.getsourcelines(documents.checked_study)[1]  # tests/protection tries those
    assert {(path, line) for path, line in left if path != documents.__file__ or line < of_studies} == set()


# ---------------------------------------------------------------- any JSON

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=50)
@given(ANY_JSON, st.binary())
def test_any_json_and_any_bytes_are_no_certificate(payload: Any, content: bytes) -> None:
    for raw in (payload, {"payload": payload}, {"subject": payload}):
        with pytest.raises(MalformedCertificateError):
            parsed_certificate(spelled(raw))
    for read_names in (parsed_certificate, named_files):
        with pytest.raises(MalformedCertificateError):
            read_names(content)


# ---------------------------------------------------------------- what cannot be checked here

OTHER_VERSIONS: dict[str, Fault] = {
    "the program": stated("predicate", "software", "version", value="9.9"),
    "a library": stated("predicate", "libraries", 0, "version", value="0.9"),
}


@pytest.mark.parametrize("other", OTHER_VERSIONS.values(), ids=OTHER_VERSIONS)
def test_with_other_versions_no_document_is_believed_and_the_numbers_are_checked(
    report: Contents, other: Fault
) -> None:
    """Whether they were changed or not; one reason says what to install."""
    other(report)
    changed("addendum.md", b"All bets are fair.\n")(report)
    checked = verify_report(report)
    assert checked.numbers == NUMBERS
    sure = {"analysis.json", f"{GAME}.toml"}
    assert [file.name for file in checked.unchecked] == [
        n for n in sorted([*LISTED, "addendum.md"]) if n not in sure
    ]
    assert len({file.why for file in checked.unchecked}) == 1


def test_a_simulation_that_no_document_shows_is_not_judged(small_game: Game, tiny_dossier: Dossier) -> None:
    contents = report_of(small_game, tiny_dossier, forms=(), simulations={"counts.json": b"nonsense"})
    assert [file.name for file in verify_report(contents).unchecked] == ["simulation/counts.json"]
