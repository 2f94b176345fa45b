"""Reports and studies verified: a verdict on every folder."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

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
from combinat.certify.collection import Gathered, reports_of_folder
from combinat.certify.folder_writer import delivered_files
from combinat.certify.signature import public_key as read_public_key
from combinat.certify.verification import Origin, Signed
from combinat.engine.progress import SILENT, Progress
from combinat.report.certified.verified import (
    ReportFiles,
    VerifiedReport,
    verified_reports,
    verify_collection,
)
from combinat.report.protection.verified_study import VerifiedStudy, checked_study, is_study
from combinat.rules.converters import GameGiven, as_document, as_path, whole_number
from combinat.rules.house_rules import Phrased

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
        """Number of figures of reports that the checker checked."""
        return sum(report.numbers for report in self.reports.values())

    @property
    def blocks(self) -> int:
        """Number of blocks of studies that were dealt again."""
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
        parts += ["signed" if self.signed else "unsigned, or not checked"]
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
    """Return the checks that a report, a study of whole shoes, or a folder of reports passed.

    ``path``: a folder. Signature, hashes, rule book, every number checked and reproduced, every document drawn again;
    with ``figures_only`` the documents are left aside. Of a study, ``blocks`` chosen at random (or ``"all"``) are dealt
    again. Reports and blocks are checked side by side by ``workers`` processes; a script that asks for more than one
    needs its ``if __name__ == "__main__":``.

    Raises ``CertificateError``, whose ``is_rejected`` says whether something was checked and does not hold, or could not
    be checked. A signature without ``public_key`` cannot be checked, unless ``unsigned_ok`` leaves signatures aside.
    ``rule_book``: the one that is meant, if not this combinat's.

    >>> verify("no-such-folder")
    Traceback (most recent call last):
    combinat.base.errors.CertificateError: no-such-folder: does not exist; give a game's folder or a folder of them
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
    wrong = [one for one in checked if one.holding is not Holding.HOLDS]
    if wrong:
        first = min(wrong, key=lambda one: one.holding.exit_code)
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        kind = RejectedCertificateError if first.holding is Holding.REJECTED else MalformedCertificateError
        raise kind(f"{_name(place, first.folder)}: {first.message}{more}")
    return Verified(
        path=place,
        reports={
            _name(place, one.folder): one.answer for one in checked if isinstance(one.answer, VerifiedReport)
        },
        studies={
            _name(place, one.folder): one.answer for one in checked if isinstance(one.answer, VerifiedStudy)
        },
        signed=all(one.answer and one.answer.signature is Signed.VALID for one in checked),
    )


def _name(place: Path, folder: Path) -> str:
    """Return a folder by its path within the place; the place itself by its name."""
    within = folder.relative_to(place) if folder != place else Path()
    return str(within) if within != Path() else place.name or place.resolve().name or str(place)


class Holding(Phrased):
    """Whether a folder holds; in the order of their exit codes."""

    HOLDS = "holds", "holds"
    REJECTED = "rejected", "does not hold"
    UNCHECKED = "unchecked", "could not be checked"

    @property
    def exit_code(self) -> int:
        """The exit code of the program."""
        return list(Holding).index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedCollection:
    """A collection that holds: its reports, by folder, and the state of its signature."""

    reports: tuple[str, ...]
    signature: Signed


Answer: TypeAlias = VerifiedReport | VerifiedStudy | VerifiedCollection


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFolder:
    """A folder, the verdict on it with its reason or a proviso, and what was checked of it.

    ``figures_only``: the documents were left out. ``answer`` is None if something in the folder is wrong.
    """

    folder: Path
    holding: Holding
    message: str | None = None
    answer: Answer | None = None
    figures_only: bool = False


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
        raise CertificateError(f"{place}: does not exist; give a game's folder or a folder of them")
    try:
        groups = reports_of_folder(delivered_files(place))
    except RejectedCertificateError as error:
        return [_refused(place, error)]
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
    book = None if rule_book is None else as_document(rule_book).content
    reports = [
        ReportFiles(files=files, public_key=key, rule_book=book, figures_only=figures_only)
        for group in groups
        for files in group.reports.values()
        if not is_study(files)
    ]
    answers = verified_reports(reports, number or os.cpu_count() or 1)
    checked: list[CheckedFolder] = []

    def judge(folder: Path, answer: Answer | CombinatError) -> None:
        checked.append(_judged(folder, answer, unsigned_ok=unsigned_ok, figures_only=figures_only))

    with progress.bar(games, "games") as advance:
        for group in groups:
            own: dict[str, VerifiedReport] = {}
            for name, files in group.reports.items():
                answer: Answer | CombinatError
                if is_study(files):
                    answer = _study(files, key, book, again, number, figures_only=figures_only)
                else:
                    answer = next(answers)
                if isinstance(answer, VerifiedReport):
                    own[name] = answer
                judge(place / group.place / name, answer)
                advance(1)
            if not group.is_single:
                judge(place / group.place, _collection(group, own, key))
    return checked


def _study(
    files: Files,
    key: Path | None,
    book: bytes | None,
    blocks: int | None,
    workers: int | None,
    *,
    figures_only: bool,
) -> VerifiedStudy | CombinatError:
    try:
        return checked_study(files, key, book, blocks, figures_only=figures_only, workers=workers)
    except CombinatError as error:
        return error


def _collection(
    group: Gathered, reports: Mapping[str, VerifiedReport], key: Path | None
) -> VerifiedCollection | CombinatError:
    """Return the verdict on the files over the reports."""
    if not group.whole:
        return MalformedCertificateError(
            f"{CERTIFICATE}: nothing says which reports belong here; each of them is judged alone"
        )
    try:
        signature = verify_collection(group.contents, reports, key)
    except CombinatError as error:
        return error
    return VerifiedCollection(reports=tuple(sorted(reports)), signature=signature)


def _judged(
    folder: Path, answer: Answer | CombinatError, *, unsigned_ok: bool, figures_only: bool
) -> CheckedFolder:
    """Return the verdict on a folder in which nothing is wrong, or the error that was found."""
    if isinstance(answer, CombinatError):
        return _refused(folder, answer)
    gap = _gap(answer, unsigned_ok=unsigned_ok)
    return CheckedFolder(
        folder=folder,
        holding=Holding.UNCHECKED if gap else Holding.HOLDS,
        message=gap or _proviso(answer, figures_only=figures_only),
        answer=answer,
        figures_only=figures_only,
    )


def _refused(folder: Path, error: CombinatError) -> CheckedFolder:
    is_rejected = isinstance(error, CertificateError) and error.is_rejected
    holding = Holding.REJECTED if is_rejected else Holding.UNCHECKED
    return CheckedFolder(folder=folder, holding=holding, message=" ".join(str(error).splitlines()))


def _gap(answer: Answer, *, unsigned_ok: bool) -> str | None:
    """Return what could not be checked, and what to do about it; None: nothing is left."""
    if not isinstance(answer, VerifiedCollection) and answer.unchecked:
        reasons = "; ".join(dict.fromkeys(file.why for file in answer.unchecked))
        return f"documents: not checked, {reasons}; its numbers hold"
    if isinstance(answer, VerifiedStudy) and not answer.again:
        return "no block was dealt again; ask for some blocks"
    if answer.signature is Signed.NOT_CHECKED and not unsigned_ok:
        return "signed, but not checked: give the public key, or ask to leave signatures aside"
    return None


def _proviso(answer: Answer, *, figures_only: bool) -> str | None:
    """Return what a reader of "holds" has to know, or None."""
    if isinstance(answer, VerifiedCollection):
        return None
    foreign = [f"for {answer.origin.in_words}"] if answer.origin is Origin.FOREIGN else []
    left_out = ["figures only; the documents were not checked"] if figures_only else []
    return "; ".join([*left_out, *foreign]) or None
