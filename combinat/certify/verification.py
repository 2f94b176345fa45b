"""The checks of a folder that need no drawing: certificate, signature, hashes, set of files, rule book, numbers.

They are made in this order, and the first that fails is named. Nothing outside the folder is read except the rule book
and the key, and no content is used before its hash is checked.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from combinat.base.errors import (
    CertificateError,
    CombinatError,
    MalformedCertificateError,
    RejectedCertificateError,
    RuleBookError,
    printable,
)
from combinat.base.files import Files
from combinat.base.strict_json import quoted
from combinat.certify.analysis_file import ANALYSIS, analysis_bytes, read_dossier
from combinat.certify.certificate import (
    CERTIFICATE,
    SUMS,
    THIS,
    AnyPredicate,
    Certificate,
    CollectionPredicate,
    Predicate,
    StudyPredicate,
    expect,
    parsed_certificate,
    rule_book_name,
    sums,
)
from combinat.certify.checker import Malformed, Rejected, check
from combinat.certify.dossier import Dossier, dossier
from combinat.certify.signature import verify_signature
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import load_game, parsed_game
from combinat.rules.game import Game
from combinat.rules.house_rules import Phrased


class Signed(Phrased):
    """The state of a certificate's signature."""

    VALID = "valid", "valid"
    NOT_CHECKED = "not-checked", "signed, but not checked: no public key was given"
    NONE = "none", "none"


class Origin(Phrased):
    """Where the rule book of a report comes from."""

    SHIPPED = "shipped", "the rule book of this combinat"
    GIVEN = "given", "the rule book that was given"
    FOREIGN = "foreign", "a rule book that this combinat does not include; compare it with the document"


class Check(Phrased):
    """The way in which a file was checked."""

    DERIVED = (
        "derived-again",
        "bets and insurance counted again from the rule book by the checker; all of it reproduced: equal bytes",
    )
    DRAWN = "drawn-again", "drawn again: equal bytes"
    RULE_BOOK = "rule-book", "the rule book"
    SAME = "same-as-ours", "the same as in this combinat"
    JUDGED = "judged-again", "judged again for the chapter on simulation"
    FILING = "filing", "statements of the issuer; the documents are drawn again with them"
    FOLLOWS = (
        "follows-from-its-sums",
        "its sums are consistent, and every figure follows from them and from the rule book",
    )
    HASH = "hash-alone", "hash only"
    UNCHECKED = "not-checked", "not checked"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class FileCheck:
    """A file of the folder, and how it was checked; ``why``: the origin of a rule book, or why it was not checked."""

    name: str
    check: Check
    why: str = ""

    @property
    def in_words(self) -> str:
        """The way in which it was checked, as a phrase."""
        return self.why if self.check is Check.RULE_BOOK else self.check.in_words


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedFolder:
    """A folder in which nothing is wrong: the state of its signature, and how each of its files was checked."""

    signature: Signed
    key_id: str | None
    files: tuple[FileCheck, ...] = ()

    @property
    def unchecked(self) -> tuple[FileCheck, ...]:
        """The files that could not be checked."""
        return tuple(file for file in self.files if file.check is Check.UNCHECKED)


# ---------------------------------------------------------------- the certificate and the hashes

Kind = TypeVar("Kind", Predicate, CollectionPredicate, StudyPredicate)


def opened(contents: Files, public_key: Path | None, kind: type[Kind]) -> tuple[Kind, VerifiedFolder]:
    """Return the claims of the certificate of these files, of this kind, and the state of its signature.

    Refuse a wrong signature or hash, and missing or extra files.
    """
    if CERTIFICATE not in contents:
        raise MalformedCertificateError(f"{CERTIFICATE}: not there; give a folder that combinat report wrote")
    try:
        certificate = parsed_certificate(contents[CERTIFICATE])
        signature = _signature(certificate, public_key)
        expect("predicate.software.name", certificate.predicate.software.name, THIS.name)
        words = certificate.predicate.WORDS[certificate.envelope is not None]
        expect("predicate.statement", certificate.predicate.statement, words)
    except (MalformedCertificateError, RejectedCertificateError) as error:
        raise type(error)(f"{CERTIFICATE}: {error}") from None
    expected = sums(certificate.digests, contents[CERTIFICATE])
    if SUMS not in contents:
        raise RejectedCertificateError(f"{SUMS}: not there")
    if contents[SUMS] != expected:
        difference = first_difference(contents[SUMS], expected)
        raise RejectedCertificateError(f"{SUMS}: {difference} by the certificate")
    there = contents.keys() - {CERTIFICATE, SUMS}
    if missing := certificate.digests.keys() - there:
        raise RejectedCertificateError(f"{min(missing)}: named in the certificate, and not there")
    if extra := there - certificate.digests.keys():
        raise RejectedCertificateError(f"{min(extra)}: not named in the certificate; expected no other file")
    for name, digest in certificate.digests.items():
        expect(f"{name}: SHA-256", hashlib.sha256(contents[name]).hexdigest(), digest)
    if not isinstance(certificate.predicate, kind):
        raise MalformedCertificateError(
            f"{CERTIFICATE}: of {certificate.predicate.SUBJECT}; expected that of {kind.SUBJECT}"
        )
    key_id = certificate.envelope.keyid if certificate.envelope else None
    return certificate.predicate, VerifiedFolder(signature=signature, key_id=key_id)


def _signature(certificate: Certificate, public_key: Path | None) -> Signed:
    if certificate.envelope is None:
        if public_key is not None:
            raise RejectedCertificateError(f"not signed; expected a signature by {public_key}")
        return Signed.NONE
    if public_key is None:
        return Signed.NOT_CHECKED
    verify_signature(certificate.envelope, public_key)
    return Signed.VALID


# ---------------------------------------------------------------- the rule book and the numbers


def checked_rule_book(
    contents: Files, predicate: Predicate | StudyPredicate, given: bytes | None
) -> tuple[Game, Origin]:
    """Return the rule book of the folder, if it is the expected one, and where it comes from."""
    name = rule_book_name(predicate.game.id)
    expect(f"{CERTIFICATE}: predicate.rule_book.name", predicate.rule_book.name, name)
    if name not in contents:
        raise RejectedCertificateError(f"{name}: the rule book is not there")
    content = contents[name]
    sha256 = hashlib.sha256(content).hexdigest()
    expect(f"{CERTIFICATE}: predicate.rule_book.sha256", predicate.rule_book.sha256, sha256)
    shipped = rule_book_paths().get(predicate.game.id)
    origin = Origin.FOREIGN
    if given is not None:
        expect(f"{name}: SHA-256", sha256, hashlib.sha256(given).hexdigest())
        origin = Origin.GIVEN
    elif shipped is not None:
        ours = load_game(shipped).sha256
        if sha256 != ours:
            raise RejectedCertificateError(
                f"{name}: SHA-256 {sha256}; the rule book of that name in this combinat has {ours}. "
                "If another one is meant, say which rule book"
            )
        origin = Origin.SHIPPED
    try:
        game = parsed_game(content, Path(name))
    except RuleBookError as error:
        raise RejectedCertificateError(str(error)) from None
    expect(f"{CERTIFICATE}: predicate.game.name", predicate.game.name, game.name)
    return game, origin


def checked_numbers(analysis: bytes, book: bytes) -> int:
    """Return the number of figures of the analysis that the checker has checked; it refuses an analysis with a wrong one."""
    try:
        return sum(check(analysis, book).values())
    except Rejected as error:
        raise RejectedCertificateError(f"{ANALYSIS}: {printable(str(error))}") from None
    except Malformed as error:
        raise MalformedCertificateError(f"{ANALYSIS}: {printable(str(error))}") from None


def checked_dossier(contents: Files, predicate: Predicate, game: Game) -> tuple[Dossier, Game, int]:
    """Return the dossier that the checker accepts and this combinat reproduces; its rule book; the numbers checked."""
    if ANALYSIS not in contents:
        raise RejectedCertificateError(f"{ANALYSIS}: not there, and it holds the numbers")
    numbers = checked_numbers(contents[ANALYSIS], game.content)
    try:
        stated = read_dossier(contents[ANALYSIS])
    except CertificateError as error:
        raise type(error)(f"{ANALYSIS}: {error}") from None
    expect(f"{ANALYSIS}: game", stated.game, predicate.game.id)
    expect(f"{ANALYSIS}: decks", str(stated.decks), str(predicate.decks))
    try:
        followed = game.reading(*stated.followed)
    except CombinatError as error:
        raise RejectedCertificateError(f"{ANALYSIS}: followed: {printable(str(error))}") from None
    check_reproduced(stated, followed)
    return stated, followed, numbers


def check_reproduced(stated: Dossier, game: Game) -> None:
    """Refuse an analysis that this combinat does not reproduce: game protection, habits, choice of examples too."""
    again = dossier(game, stated.decks)
    if stated == again:
        return
    found, expected = analysis_bytes(stated), analysis_bytes(again)
    if found != expected:
        raise RejectedCertificateError(f"{ANALYSIS}: not reproduced: {first_difference(found, expected)}")


# ---------------------------------------------------------------- documents


def versions_to_install(predicate: AnyPredicate, libraries: Mapping[str, str]) -> str:
    """Return the reason why documents cannot be redrawn here, and the versions to install; empty if the versions match.

    ``libraries``: those that draw the documents, with the versions that are here.
    """
    here = {THIS.name: THIS.version, **libraries}
    named = {one.name: one.version for one in (predicate.software, *predicate.libraries)}
    if named.keys() != here.keys() and predicate.software == THIS:
        found, needed = (", ".join(sorted(names - {THIS.name})) for names in (named.keys(), here.keys()))
        raise RejectedCertificateError(
            f'{CERTIFICATE}: predicate.libraries: found "{printable(found)}", expected "{needed}"'
        )
    if missing := here.keys() - named.keys():
        return f"the certificate names no version of {', '.join(sorted(missing))}, which drew them"
    others = [f"{name}=={version}" for name, version in named.items() if here.get(name) != version]
    return f"drawn with {', '.join(others)}; install that to check them" if others else ""


def checked_documents(
    contents: Files,
    predicate: Predicate | StudyPredicate,
    libraries: Mapping[str, str],
    known: Sequence[str],
    draw: Callable[[], list[FileCheck]],
    *,
    figures_only: bool,
) -> list[FileCheck]:
    """Return how the files were checked that are not ``known``: ``draw`` draws them again and compares.

    With other versions than the certificate names, and for ``figures_only``, nothing is drawn.
    """
    why = versions_to_install(predicate, libraries)
    if figures_only or why:
        check = Check.HASH if figures_only else Check.UNCHECKED
        others = contents.keys() - {CERTIFICATE, SUMS, *known}
        return [FileCheck(name=name, check=check, why=why) for name in others]
    try:
        checks = draw()
    except CertificateError:
        raise
    except CombinatError as error:
        raise RejectedCertificateError(f"documents: cannot be drawn again: {printable(str(error))}") from None
    refuse_others(contents, [*known, *(file.name for file in checks)])
    return checks


def compare_files(contents: Files, expected: Files, how: Check) -> list[FileCheck]:
    """Refuse files that are missing or have other bytes; return how they were checked."""
    for name in expected:
        if name not in contents:
            raise RejectedCertificateError(f"{name}: belongs here, and is not there")
        if contents[name] != expected[name]:
            what = "drawn again, it is not the same" if how is Check.DRAWN else "not that of this combinat"
            raise RejectedCertificateError(f"{name}: {what}{_where(name, contents[name], expected[name])}")
    return [FileCheck(name=name, check=how) for name in expected]


def refuse_others(contents: Files, known: Iterable[str]) -> None:
    """Refuse a file that does not belong to the folder, whatever its hash."""
    if extra := contents.keys() - {CERTIFICATE, SUMS, *known}:
        raise RejectedCertificateError(f"{min(extra)}: does not belong here; expected no other file")


def _where(name: str, given: bytes, expected: bytes) -> str:
    is_binary = b"\0" in given[:8000] or name.endswith((".pdf", ".xlsx"))
    return "" if is_binary else f": {first_difference(given, expected)}"


def first_difference(given: bytes, expected: bytes) -> str:
    """Return the first difference between two texts, in words."""
    pairs = enumerate(zip_longest(given.split(b"\n"), expected.split(b"\n")), start=1)
    number, lines = next((number, lines) for number, lines in pairs if lines[0] != lines[1])
    found, wanted = (
        "no line" if line is None else quoted(line.decode("utf-8", "backslashreplace")) for line in lines
    )
    return f"line {number}: found {found}, expected {wanted}"
