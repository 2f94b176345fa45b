"""Reports and studies verified: a verdict on every folder."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from combinat.base.errors import (
    CertificateError,
    CombinatError,
    InputError,
    MalformedCertificateError,
    RejectedCertificateError,
)
from combinat.base.files import Files
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular
from combinat.certify.certificate import CERTIFICATE
from combinat.certify.collection import Gathered, gathered_in
from combinat.certify.folder_writer import delivered_files
from combinat.certify.signature import public_key as read_public_key
from combinat.certify.verification import Check, FileCheck, Signed
from combinat.engine.progress import SILENT, Progress
from combinat.report.certified.verified import (
    ReportFiles,
    VerifiedReport,
    verified_reports,
    verify_collection,
)
from combinat.report.protection.verified_study import VerifiedStudy, checked_study, is_study
from combinat.report.provisos import provisos_json
from combinat.report.verification import CheckedFile, Holding, Verification, proviso
from combinat.rules.converters import GameGiven, as_book, as_path, whole_number

ALL = "all"
BLOCKS = 8
"""Default number of blocks of a study that are dealt again."""

MOST_BLOCKS = 999_999_999
MOST_WORKERS = 1_000


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
        """Return a row for each report and each study: what was derived or dealt again, the files, the signature."""
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
    workers: int | None = 1,
) -> Verified:
    """What was checked of a report, of a study of whole shoes, or of a folder of reports, if all of it holds.

    ``path``: a folder. Signature, hashes, rule book, every number checked and reproduced, every document drawn again;
    with ``figures_only`` the documents are left aside. Of a study, ``blocks`` chosen at random (or ``"all"``) are dealt
    again. Reports and blocks are checked side by side by ``workers`` processes; a script that asks for more than one
    needs its ``if __name__ == "__main__":``.

    Raises ``CertificateError``, whose ``is_rejected`` says whether something was checked and does not hold, or could not
    be checked. A signature without ``public_key`` cannot be checked, unless ``unsigned_ok`` leaves signatures aside.
    ``rule_book``: the one that is meant, if not this combinat's.

    >>> verify("no-such-folder")
    Traceback (most recent call last):
    combinat.base.errors.CertificateError: no-such-folder: not there; give a game's folder or a folder of them
    """
    place = as_path("path", path)
    checked = verdicts(
        place,
        public_key=public_key,
        rule_book=rule_book,
        unsigned_ok=unsigned_ok,
        figures_only=figures_only,
        blocks=blocks,
        workers=workers,
    )
    wrong = [one.verdict for one in checked if one.verdict.holding is not Holding.HOLDS]
    if wrong:
        first = min(wrong, key=lambda verdict: verdict.holding.exit_code)
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        kind = RejectedCertificateError if first.holding is Holding.REJECTED else MalformedCertificateError
        raise kind(f"{_name(place, Path(first.folder))}: {first.message}{more}")
    return Verified(
        path=place,
        reports={
            _name(place, one.folder): one.answer for one in checked if isinstance(one.answer, VerifiedReport)
        },
        studies={
            _name(place, one.folder): one.answer for one in checked if isinstance(one.answer, VerifiedStudy)
        },
        signed=all(one.signature is Signed.VALID for one in checked),
    )


def _name(place: Path, folder: Path) -> str:
    """Return a folder by its path within the place; the place itself by its name."""
    within = folder.relative_to(place) if folder != place else Path()
    return str(within) if within != Path() else place.name or place.resolve().name or str(place)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFolder:
    """A folder, the verdict on it, and what was checked of a report or study that is one."""

    folder: Path
    verdict: Verification
    signature: Signed = Signed.NONE
    answer: VerifiedReport | VerifiedStudy | None = None


def verdicts(
    place: Path,
    *,
    public_key: str | Path | None = None,
    rule_book: GameGiven | None = None,
    unsigned_ok: bool = False,
    figures_only: bool = False,
    blocks: int | str = BLOCKS,
    workers: int | None = None,
    progress: Progress = SILENT,
) -> list[CheckedFolder]:
    """Return a verdict on every report, study and collection in a folder."""
    if unsigned_ok and public_key is not None:
        raise InputError(
            "a signature is either checked or left aside",
            "give {unsigned_ok} or {public_key}",
            parameter="public_key",
        )
    again = None if blocks == ALL else whole_number("blocks", blocks, 0, MOST_BLOCKS, f'"{ALL}", or ')
    number = None if workers is None else whole_number("workers", workers, 1, MOST_WORKERS)
    if not place.exists():
        raise CertificateError(f"{place}: not there; give a game's folder or a folder of them")
    try:
        groups = gathered_in(delivered_files(place))
    except RejectedCertificateError as error:
        refused = Verification(folder=str(place), holding=Holding.REJECTED, message=str(error))
        return [CheckedFolder(folder=place, verdict=refused)]
    except CertificateError as error:
        raise type(error)(f"{place}: {error}") from None
    games = sum(len(group.reports) for group in groups)
    if not games and not any(group.whole for group in groups):
        raise CertificateError(f"{place}: no report in it; give a folder that combinat report wrote")
    if rule_book is not None and games > 1:
        raise InputError(f"{place} holds {games} games", "give one game's folder", parameter="rule_book")
    key = None if public_key is None else as_path("public_key", public_key)
    if key is not None:
        read_public_key(key)  # a file that is no key is no fault of a certificate
    book = None if rule_book is None else as_book(rule_book).content
    checked: list[CheckedFolder] = []
    reports = [
        ReportFiles(files=files, public_key=key, rule_book=book, figures_only=figures_only)
        for group in groups
        for files in group.reports.values()
        if not is_study(files)
    ]
    answers = verified_reports(reports, number or os.cpu_count() or 1)
    with progress.bar(games, "games") as advance:
        for group in groups:
            own: dict[str, VerifiedReport] = {}
            for name, files in group.reports.items():
                folder = place / group.place / name
                if is_study(files):
                    one = _study(folder, files, key, book, again, number, figures_only=figures_only)
                else:
                    one = _report(folder, next(answers), figures_only=figures_only)
                    if isinstance(one.answer, VerifiedReport):
                        own[name] = one.answer
                checked.append(one)
                advance(1)
            if not group.is_single:
                checked.append(_collection(place / group.place, group, own, key))
    return [_with_signature(one, unsigned_ok=unsigned_ok) for one in checked]


def _refused(folder: Path, error: CombinatError) -> CheckedFolder:
    is_rejected = isinstance(error, CertificateError) and error.is_rejected
    holding = Holding.REJECTED if is_rejected else Holding.UNCHECKED
    message = " ".join(str(error).splitlines())
    return CheckedFolder(
        folder=folder, verdict=Verification(folder=str(folder), holding=holding, message=message)
    )


def _report(folder: Path, report: VerifiedReport | CombinatError, *, figures_only: bool) -> CheckedFolder:
    if isinstance(report, CombinatError):
        return _refused(folder, report)
    holding, message = Holding.HOLDS, proviso(report.origin, figures_only=figures_only)
    if report.unchecked:
        holding, message = Holding.UNCHECKED, _not_checked(report.unchecked)
    predicate = report.predicate
    said = {
        "game": predicate.game.name,
        "signature": _signature(report.signature, report.key_id),
        "rule book": f"{predicate.rule_book.name}, SHA-256 {predicate.rule_book.sha256}",
        "decks": ", ".join(map(str, predicate.decks)),
        **({"readings": report.book.game.provisos.readings_in_words} if report.dossier.followed else {}),
        "numbers": f"{report.numbers} checked against the rule book by the checker; all reproduced by this combinat",
        "note": predicate.statement,
        "files": f"{len(report.files)}, each with the SHA-256 that the certificate names, and",
    }
    record = {
        **_record(report),
        "decks": list(predicate.decks),
        **provisos_json(report.book.game),
        "numbers": report.numbers,
        "figures_only": figures_only,
    }
    verdict = Verification(
        folder=str(folder),
        holding=holding,
        message=message,
        said=said,
        record=record,
        files=tuple(_checked_file(file) for file in report.files),
    )
    return CheckedFolder(folder=folder, verdict=verdict, signature=report.signature, answer=report)


def _study(
    folder: Path,
    files: Files,
    key: Path | None,
    book: bytes | None,
    blocks: int | None,
    workers: int | None,
    *,
    figures_only: bool,
) -> CheckedFolder:
    try:
        study = checked_study(files, key, book, blocks, figures_only=figures_only, workers=workers)
    except CombinatError as error:
        return _refused(folder, error)
    holding, message = Holding.HOLDS, proviso(study.origin, figures_only=figures_only)
    again, every = len(study.again), len(study.file.blocks)
    if study.unchecked:
        holding, message = Holding.UNCHECKED, _not_checked(study.unchecked)
    elif not again:
        holding, message = Holding.UNCHECKED, "no block was dealt again; ask for some blocks"
    predicate = study.predicate
    said = {
        "game": predicate.game.name,
        "signature": _signature(study.signature, study.key_id),
        "rule book": f"{predicate.rule_book.name}, SHA-256 {predicate.rule_book.sha256}",
        "shoes": f"{study.file.study.shoes}, seed {study.file.study.seed}",
        "blocks": f"{again} of {every} dealt again, the same; a block changed elsewhere was not looked at"
        if again < every
        else f"all {every} dealt again, the same",
        "note": predicate.statement,
        "files": f"{len(study.files)}, each with the SHA-256 that the certificate names, and",
    }
    record = {
        **_record(study),
        "shoes": study.file.study.shoes,
        "blocks": every,
        "dealt_again": sorted(study.again),
        "figures_only": figures_only,
    }
    verdict = Verification(
        folder=str(folder),
        holding=holding,
        message=message,
        said=said,
        record=record,
        files=tuple(_checked_file(file, "protect.json and the rule book") for file in study.files),
    )
    return CheckedFolder(folder=folder, verdict=verdict, signature=study.signature, answer=study)


def _collection(
    folder: Path, group: Gathered, reports: dict[str, VerifiedReport], key: Path | None
) -> CheckedFolder:
    """Return the verdict on the files over the reports."""
    if not group.whole:
        message = f"{CERTIFICATE}: nothing says which reports belong here; each of them is judged alone"
        verdict = Verification(folder=str(folder), holding=Holding.UNCHECKED, message=message)
        return CheckedFolder(folder=folder, verdict=verdict)
    try:
        signature = verify_collection(group.contents, reports, key)
    except CombinatError as error:
        return _refused(folder, error)
    said = {
        "collection": f"{len(reports)} report{'' if len(reports) == 1 else 's'}, all that belong to it; its index and its explorer are drawn again from them",
        "signature": _signature(signature, None),
    }
    record = {"reports": sorted(reports), "signature": signature.value}
    verdict = Verification(folder=str(folder), holding=Holding.HOLDS, said=said, record=record)
    return CheckedFolder(folder=folder, verdict=verdict, signature=signature)


def _record(checked: VerifiedReport | VerifiedStudy) -> dict[str, Any]:
    """What JSON says of a report and of a study alike."""
    return {
        "game": checked.predicate.game.id,
        "signature": checked.signature.value,
        "key_id": checked.key_id,
        "rule_book": checked.origin.value,
        "rule_book_sha256": checked.predicate.rule_book.sha256,
        "software_version": checked.predicate.software.version,
    }


def _with_signature(checked: CheckedFolder, *, unsigned_ok: bool) -> CheckedFolder:
    """Return the verdict; what is signed holds only if its signature was checked, or signatures are left aside."""
    if checked.signature is not Signed.NOT_CHECKED:
        return checked
    verdict = checked.verdict
    if unsigned_ok:
        verdict = replace(verdict, said={**verdict.said, "signature": "signed; the signature was left aside"})
    elif verdict.holding is Holding.HOLDS:
        message = "signed, but not checked: give the public key, or ask to leave signatures aside"
        verdict = replace(verdict, holding=Holding.UNCHECKED, message=message)
    return replace(checked, verdict=verdict)


def _not_checked(files: Sequence[FileCheck]) -> str:
    """Return why documents were not checked, and what to install, each reason once; the numbers were checked all the same."""
    return f"documents: not checked, {'; '.join(dict.fromkeys(file.why for file in files))}; its numbers hold"


def _checked_file(file: FileCheck, source: str = "") -> CheckedFile:
    """Return how a file was checked. ``source``: what a study's documents are drawn from."""
    if file.check is Check.RULE_BOOK:
        words = file.why
    elif file.check is Check.DRAWN and source:
        words = f"drawn again from {source}: equal bytes"
    else:
        words = f"{file.check.in_words}: {file.why}" if source and file.why else file.check.in_words
    return CheckedFile(name=file.name, check=file.check.value, words=words)


def _signature(signature: Signed, key_id: str | None) -> str:
    words = {
        Signed.VALID: "valid",
        Signed.NOT_CHECKED: "signed, but not checked: no public key was given",
        Signed.NONE: "none",
    }
    return f"{words[signature]} (key {key_id})" if key_id else words[signature]
