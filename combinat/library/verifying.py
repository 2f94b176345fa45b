"""Reports verified: what was checked of them where all of it holds, and a refusal where it does not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from combinat.certify.analysis_file import ANALYSIS
from combinat.certify.certificate import CERTIFICATE, CollectionPredicate, StudyPredicate, parsed_certificate
from combinat.certify.collected import reports_in, verify_collection
from combinat.certify.folder import files_in
from combinat.certify.signature import public_key as read_public_key
from combinat.certify.verification import Signed, VerifiedReport, verify_report
from combinat.errors import CertificateError, CombinatError
from combinat.library.given import GameGiven, book_given, path_given
from combinat.library.redrawing import redraw_here
from combinat.render.files import Files
from combinat.report.folder import Form, libraries, over_the_games

Checked = TypeVar("Checked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """Reports that hold, by folder; ``signed``: every one of them, by the key that was given."""

    path: Path
    reports: Mapping[str, VerifiedReport]
    signed: bool

    @property
    def numbers(self) -> int:
        """How many numbers were derived again."""
        return sum(report.numbers for report in self.reports.values())

    def __repr__(self) -> str:
        how = "signed" if self.signed else "unsigned, or not looked at"
        return (
            f"<Verified {self.path}: {', '.join(self.reports)}; {self.numbers} numbers derived again; {how}>"
        )


def verify(
    path: str | Path,
    *,
    public_key: str | Path | None = None,
    rule_book: GameGiven | None = None,
    unsigned_ok: bool = False,
    figures_only: bool = False,
) -> Verified:
    """What was checked of a report, or of a folder of them, where all of it holds.

    Signature, hashes, rule book, every number derived again, every document drawn again; with ``figures_only`` the
    documents are left aside. Raises ``RejectedCertificateError`` where something was checked and does not hold, and
    ``CertificateError`` where something could not be checked: a signature without ``public_key`` is such a thing,
    unless ``unsigned_ok`` leaves signatures aside. ``rule_book``: the one that is meant, if not this combinat's.
    """
    place = path_given("path", path)
    if unsigned_ok and public_key is not None:
        raise CombinatError(
            "unsigned_ok leaves signatures aside, and public_key checks them; give one of the two"
        )
    if not place.exists():
        raise CertificateError(f"{place}: not there; give a game's folder or a folder of them")
    contents = files_in(place)
    is_collection = isinstance(_predicate(contents), CollectionPredicate)
    single = (CERTIFICATE in contents or ANALYSIS in contents) and not is_collection
    folders = {place.name: contents} if single else reports_in(contents)
    if not folders:
        raise CertificateError(f"{place}: no report in it; give a folder that write_report wrote")
    if not single and not is_collection:
        raise CertificateError(f"{place}: {CERTIFICATE} is missing: nothing says which reports belong here")
    if rule_book is not None and len(folders) > 1:
        raise CombinatError(f"rule_book: {place} holds {len(folders)} games; give one game's folder")
    key = None if public_key is None else path_given("public_key", public_key)
    if key is not None:
        read_public_key(key)  # a key that is none is no fault of a certificate
    book = None if rule_book is None else book_given(rule_book).content
    reports = {
        name: _verified(name, files, key, book, unsigned_ok=unsigned_ok, figures_only=figures_only)
        for name, files in folders.items()
    }
    signatures = [report.signature for report in reports.values()]
    if is_collection:
        versions = dict(libraries([Form.MARKDOWN]))
        signatures.append(
            _named(place.name, lambda: verify_collection(contents, reports, over_the_games, versions, key))
        )
        _check_signature(place.name, signatures[-1], unsigned_ok=unsigned_ok)
    return Verified(path=place, reports=reports, signed=all(signed is Signed.VALID for signed in signatures))


def _predicate(contents: Files) -> object:
    try:
        return parsed_certificate(contents.get(CERTIFICATE, b"")).predicate
    except CertificateError:
        return None  # what is wrong with it is said when it is verified


def _verified(
    name: str, files: Files, key: Path | None, book: bytes | None, *, unsigned_ok: bool, figures_only: bool
) -> VerifiedReport:
    """A report that holds, all of which could be checked."""
    if isinstance(_predicate(files), StudyPredicate):
        raise CertificateError(f"{name}: a study of whole shoes; the command combinat verify checks those")
    redraw = None if figures_only else redraw_here()
    report = _named(name, lambda: verify_report(files, public_key=key, rule_book=book, redraw=redraw))
    if report.unchecked:
        first, *more = report.unchecked
        others = f" (and {len(more)} more)" if more else ""
        raise CertificateError(f"{name}: {first.name} could not be checked: {first.why}{others}")
    _check_signature(name, report.signature, unsigned_ok=unsigned_ok)
    return report


def _check_signature(name: str, signature: Signed, *, unsigned_ok: bool) -> None:
    if signature is Signed.NOT_CHECKED and not unsigned_ok:
        raise CertificateError(
            f"{name}: signed, but not checked; give public_key, or unsigned_ok=True to leave signatures aside"
        )


def _named(name: str, check: Callable[[], Checked]) -> Checked:
    """What a check gives; what it refuses is said of the folder."""
    try:
        return check()
    except CertificateError as error:
        raise type(error)(f"{name}: {error}") from None
