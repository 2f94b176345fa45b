"""Reports and studies verified: a verdict on every folder."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from combinat.base.errors import (
    CertificateError,
    CombinatError,
    InputError,
    MalformedCertificateError,
    RejectedCertificateError,
)
from combinat.base.files import Files
from combinat.base.processes import side_by_side
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular
from combinat.certify.analysis_file import ANALYSIS
from combinat.certify.certificate import CERTIFICATE, CollectionPredicate, StudyPredicate, predicate_of
from combinat.certify.collection import reports_in
from combinat.certify.folder_writer import delivered_files
from combinat.certify.signature import public_key as read_public_key
from combinat.certify.verification import Origin, Signed
from combinat.engine.progress import SILENT, Progress
from combinat.report.certified.verified import (
    VerifiedCollection,
    VerifiedReport,
    VerifiedStudy,
    checked_study,
    verify_collection,
    verify_report,
)
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
    """Return the path of a folder within the given place; for the place itself, its name."""
    within = folder.relative_to(place) if folder != place else Path()
    return str(within) if within != Path() else place.name or place.resolve().name or str(place)


class Holding(Phrased):
    """The states of a folder, in the order of their exit codes."""

    HOLDS = "holds", "holds"
    REJECTED = "rejected", "does not hold"
    UNCHECKED = "unchecked", "could not be checked"

    @property
    def exit_code(self) -> int:
        """The exit code of the program."""
        return list(Holding).index(self)


Answer: TypeAlias = VerifiedReport | VerifiedStudy | VerifiedCollection


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFolder:
    """A folder, the verdict on it with its reason or a proviso, and the checks made.

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
        reports, over = reports_and_parents(delivered_files(place))
    except RejectedCertificateError as error:
        return [_refused_folder(place, error)]
    except CertificateError as error:
        raise type(error)(f"{place}: {error}") from None
    games = len(reports)
    if not games and not any(map(is_collection, over.values())):
        raise CertificateError(f"{place}: no report in it; give a folder that combinat report wrote")
    if rule_book is not None and games > 1:
        raise InputError(f"{place} holds {games} games", "give one game's folder", parameter="rule_book")
    key = None if public_key is None else as_path("public_key", public_key)
    if key is not None:
        read_public_key(key)  # a file that is no key is no fault of a certificate
    book = None if rule_book is None else as_document(rule_book).content
    studies = {name for name, files in reports.items() if isinstance(predicate_of(files), StudyPredicate)}
    check = partial(result_or_error, verify_report, public_key=key, rule_book=book, figures_only=figures_only)
    answers = side_by_side(
        check,
        [files for name, files in reports.items() if name not in studies],
        number or os.cpu_count() or 1,
        size=lambda files: len(files.get(ANALYSIS, b"")),
    )
    checked: dict[str, Answer | CombinatError] = {}
    with progress.bar(games, "games") as advance:
        for name, files in reports.items():
            if name in studies:
                checked[name] = result_or_error(
                    checked_study, files, key, book, again, figures_only=figures_only, workers=number
                )
            else:
                checked[name] = next(answers)
            advance(1)
    for name, files in over.items():
        own = {
            report.removeprefix(name): one
            for report, one in checked.items()
            if report.startswith(name) and isinstance(one, VerifiedReport)
        }
        checked[name] = result_or_error(_collection, files, own, key)
    return [
        _refused_folder(place / name, answer)
        if isinstance(answer, CombinatError)
        else _checked_folder(place / name, answer, unsigned_ok=unsigned_ok, figures_only=figures_only)
        for name, answer in checked.items()
    ]


def reports_and_parents(contents: Files) -> tuple[dict[str, Files], dict[str, Files]]:
    """Return the reports and studies of a folder by their paths, and their parent folders by paths with a final slash.

    A report is the folder itself, a subfolder, or a subfolder of a collection in it.
    """
    if not is_collection(contents) and (CERTIFICATE in contents or ANALYSIS in contents):
        return {"": contents}, {}
    reports: dict[str, Files] = {}
    over: dict[str, Files] = {}
    for name, files in reports_in(contents).items():
        if is_collection(files) and not is_collection(contents):
            reports |= {f"{name}/{report}": inner for report, inner in reports_in(files).items()}
            over[f"{name}/"] = files
        else:
            reports[name] = files
    return reports, {**over, "": contents}


Checked = TypeVar("Checked")


def result_or_error(check: Callable[..., Checked], *given: Any, **options: Any) -> Checked | CombinatError:
    """Return the result of a check, or its refusal as an error that a worker process can send."""
    try:
        return check(*given, **options)
    except CertificateError as error:
        return error
    except CombinatError as error:
        return CombinatError(str(error))


def is_collection(contents: Files) -> bool:
    """Return whether the certificate of these files is that of a collection."""
    return isinstance(predicate_of(contents), CollectionPredicate)


def _collection(
    contents: Files, reports: Mapping[str, VerifiedReport], key: Path | None
) -> VerifiedCollection:
    """Return the collection of these reports, if these files make up one."""
    if not is_collection(contents):
        raise MalformedCertificateError(
            f"{CERTIFICATE}: nothing says which reports belong here; each of them is judged alone"
        )
    return verify_collection(contents, reports, key)


def _checked_folder(folder: Path, answer: Answer, *, unsigned_ok: bool, figures_only: bool) -> CheckedFolder:
    """Return the verdict on a folder without faults."""
    gap = _gap(answer, unsigned_ok=unsigned_ok)
    return CheckedFolder(
        folder=folder,
        holding=Holding.UNCHECKED if gap else Holding.HOLDS,
        message=gap or _proviso(answer, figures_only=figures_only),
        answer=answer,
        figures_only=figures_only,
    )


def _refused_folder(folder: Path, error: CombinatError) -> CheckedFolder:
    is_rejected = isinstance(error, CertificateError) and error.is_rejected
    holding = Holding.REJECTED if is_rejected else Holding.UNCHECKED
    return CheckedFolder(folder=folder, holding=holding, message=" ".join(str(error).splitlines()))


def _gap(answer: Answer, *, unsigned_ok: bool) -> str | None:
    """Return what could not be checked, with the remedy, or None if everything was checked."""
    if answer.unchecked:
        reasons = "; ".join(dict.fromkeys(file.why for file in answer.unchecked))
        return f"documents: not checked, {reasons}; its numbers hold"
    if isinstance(answer, VerifiedStudy) and not answer.again:
        return "no block was dealt again; ask for some blocks"
    if answer.signature is Signed.NOT_CHECKED and not unsigned_ok:
        return "signed, but not checked: give the public key, or ask to leave signatures aside"
    return None


def _proviso(answer: Answer, *, figures_only: bool) -> str | None:
    """Return the proviso on a verdict "holds", or None."""
    if isinstance(answer, VerifiedCollection):
        return None
    foreign = [f"for {answer.origin.in_words}"] if answer.origin is Origin.FOREIGN else []
    left_out = ["figures only; the documents were not checked"] if figures_only else []
    return "; ".join([*left_out, *foreign]) or None
