"""Whether a report holds: every check, from the certificate's form to the last byte of the last document.

In this order: the certificate is well formed; its signature; what it says of itself; ``SHA256SUMS``; the
files, all of them and no other; each file's hash; the rule book; the statements of ``analysis.json``, by the
checker; all of ``analysis.json``, reproduced from the rule book, since the checker leaves some of it out; what stands
beside the documents; and then every document, drawn again from ``analysis.json`` and the rule book and compared byte
for byte. The first that fails is named.

Nothing outside the folder is read but the rule book and the key, and nothing is believed before its hash is.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from combinat.base.errors import (
    CertificateError,
    MalformedCertificateError,
    RejectedCertificateError,
    RuleBookError,
    shown,
)
from combinat.base.files import Files
from combinat.certify.analysis_file import ANALYSIS, analysis_bytes, read_dossier
from combinat.certify.certificate import (
    CERTIFICATE,
    SUMS,
    THIS,
    Certificate,
    Predicate,
    StudyPredicate,
    expect,
    parsed_certificate,
    sums,
)
from combinat.certify.checker import Malformed, Rejected, check
from combinat.certify.document_check import Check, FileCheck, Redraw, checked_documents, first_difference
from combinat.certify.dossier import Dossier, dossier
from combinat.certify.report_files import rule_book_name
from combinat.certify.signature import verify_signature
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import RuleBook, load_rule_book, parsed_rule_book


class Signed(StrEnum):
    """What is known of a certificate's signature."""

    VALID = "valid"
    NOT_CHECKED = "not-checked"
    NONE = "none"


class Origin(StrEnum):
    """Where the rule book of a report comes from."""

    SHIPPED = "shipped"
    GIVEN = "given"
    FOREIGN = "foreign"

    @property
    def in_words(self) -> str:
        """Where from, as a phrase."""
        return _ORIGINS[self]


_ORIGINS = {
    Origin.SHIPPED: "the rule book of this combinat",
    Origin.GIVEN: "the rule book that was given",
    Origin.FOREIGN: "a rule book that does not come with this combinat; read it beside the document",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedReport:
    """A report in which nothing was wrong, and what was checked of it."""

    predicate: Predicate
    dossier: Dossier
    book: RuleBook
    origin: Origin
    signature: Signed
    key_id: str | None
    numbers: int
    files: tuple[FileCheck, ...]

    @property
    def unchecked(self) -> tuple[FileCheck, ...]:
        """The files that could not be checked."""
        return tuple(file for file in self.files if file.check is Check.UNCHECKED)


def verify_report(
    contents: Files,
    *,
    public_key: Path | None = None,
    rule_book: bytes | None = None,
    redraw: Redraw | None = None,
) -> VerifiedReport:
    """What was checked of a report's files, where nothing is wrong; without ``redraw`` its figures alone.

    ``MalformedCertificateError``: there is no certificate to check. ``RejectedCertificateError``: it does
    not hold. Another ``CombinatError``: the key or the rule book could not be used.
    """
    certificate, signature = opened(contents, public_key)
    predicate = certificate.predicate
    if not isinstance(predicate, Predicate):
        what = "a study" if isinstance(predicate, StudyPredicate) else "a collection"
        raise MalformedCertificateError(f"{CERTIFICATE}: of {what}; expected that of a game's report")
    expect(
        f"{CERTIFICATE}: predicate.rule_book.name",
        predicate.rule_book.name,
        rule_book_name(predicate.game.id),
    )
    book, origin = checked_rule_book(contents, predicate, rule_book)
    if ANALYSIS not in contents:
        raise RejectedCertificateError(f"{ANALYSIS}: not there, and it holds the numbers")
    numbers = checked_numbers(contents[ANALYSIS], book.content)
    stated = _checked_dossier(contents[ANALYSIS], predicate)
    book = book.reading(*stated.followed)  # the checker has seen that they can be followed
    check_reproduced(stated, book)
    files = [
        FileCheck(name=ANALYSIS, check=Check.DERIVED),
        FileCheck(name=predicate.rule_book.name, check=Check.RULE_BOOK, why=origin.in_words),
    ]
    key_id = certificate.envelope.keyid if certificate.envelope else None
    files += checked_documents(contents, predicate, stated, book, redraw, key_id, numbers)
    return VerifiedReport(
        predicate=predicate,
        dossier=stated,
        book=book,
        origin=origin,
        signature=signature,
        key_id=key_id,
        numbers=numbers,
        files=tuple(sorted(files, key=lambda file: file.name)),
    )


# ---------------------------------------------------------------- the certificate and the hashes


def opened(contents: Files, public_key: Path | None) -> tuple[Certificate, Signed]:
    """The certificate of these files, when its signature and all hashes are right and no file is amiss."""
    if CERTIFICATE not in contents:
        raise MalformedCertificateError(f"{CERTIFICATE}: not there; give a folder that combinat report wrote")
    try:
        certificate = parsed_certificate(contents[CERTIFICATE])
        signature = _signature(certificate, public_key)
        expect("predicate.software.name", certificate.predicate.software.name, THIS.name)
        expect("predicate.statement", certificate.predicate.statement, certificate.words)
    except (MalformedCertificateError, RejectedCertificateError) as error:
        raise type(error)(f"{CERTIFICATE}: {error}") from None
    _check_sums(contents, sums(certificate.digests, contents[CERTIFICATE]))
    there = contents.keys() - {CERTIFICATE, SUMS}
    if missing := certificate.digests.keys() - there:
        raise RejectedCertificateError(f"{min(missing)}: named in the certificate, and not there")
    if extra := there - certificate.digests.keys():
        raise RejectedCertificateError(f"{min(extra)}: not named in the certificate; expected no other file")
    for name, expected in certificate.digests.items():
        expect(f"{name}: SHA-256", hashlib.sha256(contents[name]).hexdigest(), expected)
    return certificate, signature


def _signature(certificate: Certificate, public_key: Path | None) -> Signed:
    if certificate.envelope is None:
        if public_key is not None:
            raise RejectedCertificateError(f"not signed; expected a signature by {public_key}")
        return Signed.NONE
    if public_key is None:
        return Signed.NOT_CHECKED
    verify_signature(certificate.envelope, public_key)
    return Signed.VALID


def _check_sums(contents: Files, expected: bytes) -> None:
    if SUMS not in contents:
        raise RejectedCertificateError(f"{SUMS}: not there")
    if contents[SUMS] != expected:
        raise RejectedCertificateError(
            f"{SUMS}: {first_difference(contents[SUMS], expected)} by the certificate"
        )


# ---------------------------------------------------------------- the rule book and the numbers


def checked_rule_book(
    contents: Files, predicate: Predicate | StudyPredicate, given: bytes | None
) -> tuple[RuleBook, Origin]:
    """The rule book of the folder, when it is the one that is meant, and where it comes from."""
    name = predicate.rule_book.name
    if name not in contents:
        raise RejectedCertificateError(f"{name}: the rule book is not there")
    content = contents[name]
    sha256 = hashlib.sha256(content).hexdigest()
    expect(f"{CERTIFICATE}: predicate.rule_book.sha256", predicate.rule_book.sha256, sha256)
    shipped = rule_book_paths().get(predicate.game.id)
    if given is not None:
        expect(f"{name}: SHA-256", sha256, hashlib.sha256(given).hexdigest())
        origin = Origin.GIVEN
    elif shipped is not None:
        ours = load_rule_book(shipped).sha256
        if sha256 != ours:
            raise RejectedCertificateError(
                f"{name}: SHA-256 {sha256}; the rule book of that name in this combinat has {ours}. "
                "If another one is meant, say which rule book"
            )
        origin = Origin.SHIPPED
    else:
        origin = Origin.FOREIGN
    try:
        book = parsed_rule_book(content, Path(name))
    except RuleBookError as error:
        raise RejectedCertificateError(str(error)) from None
    expect(f"{CERTIFICATE}: predicate.game.name", predicate.game.name, book.game.name)
    return book, origin


def checked_numbers(analysis: bytes, book: bytes) -> int:
    """How many numbers of the analysis the checker has checked; all of them hold."""
    try:
        return sum(check(analysis, book).values())
    except Rejected as error:
        raise RejectedCertificateError(f"{ANALYSIS}: {shown(str(error))}") from None
    except Malformed as error:
        raise MalformedCertificateError(f"{ANALYSIS}: {shown(str(error))}") from None


def check_reproduced(stated: Dossier, book: RuleBook) -> None:
    """Refuse an analysis that this combinat does not reproduce: game protection, habits, choice of examples too."""
    again = dossier(book, stated.decks)
    if stated == again:
        return
    found, expected = analysis_bytes(stated), analysis_bytes(again)
    if found != expected:
        raise RejectedCertificateError(f"{ANALYSIS}: not reproduced: {first_difference(found, expected)}")


def _checked_dossier(analysis: bytes, predicate: Predicate) -> Dossier:
    try:
        stated = read_dossier(analysis)
    except CertificateError as error:
        raise type(error)(f"{ANALYSIS}: {error}") from None
    expect(f"{ANALYSIS}: game", stated.game, predicate.game.id)
    expect(f"{ANALYSIS}: decks", str(stated.decks), str(predicate.decks))
    return stated
