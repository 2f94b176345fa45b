"""Reports and studies verified: what was checked of them where all of it holds, and a refusal where it does not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

from combinat.base.errors import CertificateError, CombinatError, RejectedCertificateError
from combinat.base.files import Files
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular
from combinat.certify.certificate import CERTIFICATE
from combinat.certify.collection_folder import Gathered, gathered_in, verify_collection
from combinat.certify.document_check import FileCheck
from combinat.certify.folder import delivered_files
from combinat.certify.signature import public_key as read_public_key
from combinat.certify.study_folder import VerifiedStudy
from combinat.certify.verification import Signed, VerifiedReport
from combinat.library import looks
from combinat.library.given import GameGiven, book_given, path_given, whole_number
from combinat.library.redrawing import ReportFiles, verified_reports
from combinat.library.studies import checked_study, is_study
from combinat.report.folder import Form, libraries, over_the_games

Checked = TypeVar("Checked")

ALL = "all"
BLOCKS = 8
"""Blocks of a study that are dealt again where nothing is said."""

MOST_BLOCKS = 999_999_999
MOST_WORKERS = 1_000

looks.register()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified(Tabular):
    """Reports and studies that hold, by folder; ``signed``: every one of them, by the key that was given.

    ``verified.reports["commission-insurance-2013"].numbers`` is how many numbers of that report the checker checked,
    and its ``files`` say how each file was checked; of a study, ``again`` are the blocks that were dealt again.

    >>> Verified(path=Path("filing"), reports={}, signed=False).numbers
    0
    """

    path: Path
    reports: Mapping[str, VerifiedReport]
    signed: bool
    studies: Mapping[str, VerifiedStudy] = field(default_factory=dict)

    @property
    def numbers(self) -> int:
        """How many numbers of reports the checker checked."""
        return sum(report.numbers for report in self.reports.values())

    @property
    def blocks(self) -> int:
        """How many blocks of studies were dealt again."""
        return sum(len(study.again) for study in self.studies.values())

    def to_dicts(self) -> list[dict[str, Exact]]:
        """A row for each report and each study: what was derived or dealt again, the files, the signature."""
        rows: list[dict[str, Exact]] = []
        for name in sorted({**self.reports, **self.studies}):
            report, study = self.reports.get(name), self.studies.get(name)
            checked = report or self.studies[name]
            rows.append(
                {
                    "folder": name,
                    "game": checked.predicate.game.id,
                    "numbers_derived_again": report.numbers if report else None,
                    "blocks_dealt_again": len(study.again) if study else None,
                    "files": len(checked.files),
                    "signature": checked.signature.value,
                    "rule_book": checked.origin.value,
                }
            )
        return rows

    def __repr__(self) -> str:
        parts = [*([f"{self.numbers} numbers checked"] if self.reports else [])]
        parts += [f"{self.blocks} blocks dealt again"] if self.studies else []
        parts += ["signed" if self.signed else "unsigned, or not looked at"]
        return f"<Verified {self.path}: {', '.join((*self.reports, *self.studies))}; {'; '.join(parts)}>"


def verify(
    path: str | Path,
    *,
    public_key: str | Path | None = None,
    rule_book: GameGiven | None = None,
    unsigned_ok: bool = False,
    figures_only: bool = False,
    blocks: int | Literal["all"] = BLOCKS,
    workers: int = 1,
) -> Verified:
    """What was checked of a report, of a study of whole shoes, or of a folder of reports, where all of it holds.

    ``path``: a folder. Signature, hashes, rule book, every number checked and reproduced, every
    document drawn again; with ``figures_only`` the documents are left aside. Of a study ``blocks`` are dealt again,
    chosen by chance, or ``"all"``. ``workers``: reports, and blocks of a study, are checked side by side in this many
    processes; a script that asks for more than one needs its ``if __name__ == "__main__":``.

    Raises ``RejectedCertificateError`` where something was checked and does not hold, and ``CertificateError`` where
    something could not be checked: a signature without ``public_key`` is such a thing, unless ``unsigned_ok`` leaves
    signatures aside. ``rule_book``: the one that is meant, if not this combinat's.

    >>> verify("no-such-folder")
    Traceback (most recent call last):
    combinat.base.errors.CertificateError: no-such-folder: not there; give a game's folder or a folder of them
    """
    place = path_given("path", path)
    if unsigned_ok and public_key is not None:
        raise CombinatError(
            "unsigned_ok leaves signatures aside, and public_key checks them; give one of the two"
        )
    again = None if blocks == ALL else whole_number("blocks", blocks, 1, MOST_BLOCKS, '"all", or ')
    number = whole_number("workers", workers, 1, MOST_WORKERS)
    contents = _contents(place)
    groups = gathered_in(contents)
    games = sum(len(group.reports) for group in groups)
    if not games:
        raise CertificateError(f"{place}: no report in it; give a folder that write_report wrote")
    if rule_book is not None and games > 1:
        raise CombinatError(f"rule_book: {place} holds {games} games; give one game's folder")
    key = None if public_key is None else path_given("public_key", public_key)
    if key is not None:
        read_public_key(key)  # a key that is none is no fault of a certificate
    book = None if rule_book is None else book_given(rule_book).content
    reports, studies = dict[str, VerifiedReport](), dict[str, VerifiedStudy]()
    wrong: list[CertificateError] = []
    signatures: list[Signed] = []
    tasks = [
        ReportFiles(files=files, public_key=key, rule_book=book, figures_only=figures_only)
        for group in groups
        for files in group.reports.values()
        if not is_study(files)
    ]
    verdicts = verified_reports(tasks, number)
    for group in groups:
        own: dict[str, VerifiedReport] = {}
        around = place / group.place
        for folder, files in group.reports.items():
            name = "/".join(filter(None, (group.place, folder))) or _name(place)
            try:
                if is_study(files):
                    studies[name] = _study(name, files, key, book, again, number, figures_only=figures_only)
                    signatures.append(studies[name].signature)
                else:
                    reports[name] = own[folder] = _report(name, next(verdicts))
                    signatures.append(reports[name].signature)
                _check_signature(name, signatures[-1], unsigned_ok=unsigned_ok)
            except CertificateError as error:
                wrong.append(error)
        try:
            if not group.is_single:
                signatures.append(_over_them(around, group, own, key))
                _check_signature(_name(around), signatures[-1], unsigned_ok=unsigned_ok)
        except CertificateError as error:
            wrong.append(error)
    _refuse(wrong)
    is_signed = all(signed is Signed.VALID for signed in signatures)
    return Verified(path=place, reports=reports, studies=studies, signed=is_signed)


def _refuse(wrong: list[CertificateError]) -> None:
    """Raise what does not hold before what could not be checked; how many more there are is said."""
    if not wrong:
        return
    first, *others = sorted(wrong, key=lambda error: not isinstance(error, RejectedCertificateError))
    if not others:
        raise first
    raise type(first)(f"{first} (and {len(others)} more)") from None


def _contents(place: Path) -> Files:
    if not place.exists():
        raise CertificateError(f"{place}: not there; give a game's folder or a folder of them")
    return _named(str(place), lambda: delivered_files(place))


def _report(name: str, verdict: VerifiedReport | CombinatError) -> VerifiedReport:
    """A report that holds, all of which could be checked."""
    if isinstance(verdict, CertificateError):
        raise type(verdict)(f"{name}: {verdict}")
    if isinstance(verdict, CombinatError):
        raise verdict
    _refuse_unchecked(name, verdict.unchecked)
    return verdict


def _study(
    name: str,
    files: Files,
    key: Path | None,
    book: bytes | None,
    blocks: int | None,
    workers: int,
    *,
    figures_only: bool,
) -> VerifiedStudy:
    """A study that holds, all of which could be checked."""
    study = _named(
        name, lambda: checked_study(files, key, book, blocks, figures_only=figures_only, workers=workers)
    )
    _refuse_unchecked(name, study.unchecked)
    return study


def _refuse_unchecked(name: str, unchecked: tuple[FileCheck, ...]) -> None:
    if unchecked:
        first, *more = unchecked
        others = f" (and {len(more)} more)" if more else ""
        raise CertificateError(f"{name}: {first.name} could not be checked: {first.why}{others}")


def _name(folder: Path) -> str:
    """The name of a folder, also of the one that we are in."""
    return folder.name or folder.resolve().name or str(folder)


def _over_them(
    place: Path, group: Gathered, reports: Mapping[str, VerifiedReport], key: Path | None
) -> Signed:
    """What became of the signature of what stands over the reports."""
    if not group.whole:
        raise CertificateError(f"{place}: {CERTIFICATE} is missing: nothing says which reports belong here")
    versions = dict(libraries([Form.MARKDOWN]))
    return _named(
        _name(place), lambda: verify_collection(group.contents, reports, over_the_games, versions, key)
    )


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
