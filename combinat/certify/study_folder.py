"""The folder of a study of whole shoes: sealed, and verified.

In this order: the certificate and every hash; the rule book; ``protect.json``, whose figures must follow from the sums
of its blocks and from the rule book; the documents, drawn again and compared byte for byte; and some of the blocks,
dealt again from rule book and seed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from combinat.base.errors import CombinatError, MalformedCertificateError, RejectedCertificateError, shown
from combinat.base.files import Files
from combinat.certify.certificate import (
    CERTIFICATE,
    STUDY_WORDS,
    SUMS,
    THIS,
    NamedGame,
    RuleBookFile,
    StudyPredicate,
    sealed,
    software,
)
from combinat.certify.report_files import rule_book_name
from combinat.certify.verification import (
    Check,
    FileCheck,
    Origin,
    Signed,
    checked_rule_book,
    compared,
    opened,
    refuse_others,
    versions_to_install,
)
from combinat.protection.study import PROTECT, BlockSums, Study
from combinat.protection.study_figures import StudyResults
from combinat.protection.study_file import StudyFile, read_study, study_bytes
from combinat.rules.book.load import RuleBook

Draw = Callable[[StudyFile, StudyResults, RuleBook], Mapping[str, bytes]]
"""The documents of a study. certify knows none: the command brings them along."""

Redeal = Callable[[RuleBook, Study, Sequence[int]], Iterable[tuple[int, BlockSums]]]
"""Blocks of a study, dealt again: number and sums."""


def sealed_study(
    file: StudyFile,
    figures: StudyResults,
    book: RuleBook,
    documents: Files,
    *,
    libraries: Mapping[str, str],
    key: Path | None = None,
) -> dict[str, bytes]:
    """Return all files of a study: its file, its documents, the rule book, the certificate and the sums."""
    game = book.game
    predicate = StudyPredicate(
        game=NamedGame(id=game.id, name=game.name),
        rule_book=RuleBookFile(name=rule_book_name(game.id), sha256=book.sha256),
        software=THIS,
        libraries=software(libraries),
        statement=STUDY_WORDS[key is not None],
    )
    standing = {PROTECT: study_bytes(book, file, figures), rule_book_name(game.id): book.content}
    return sealed({**documents, **standing}, predicate, key)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedStudy:
    """A study without faults, and the checks made. ``again``: the blocks that were dealt again."""

    predicate: StudyPredicate
    file: StudyFile
    origin: Origin
    signature: Signed
    key_id: str | None
    again: tuple[int, ...]
    files: tuple[FileCheck, ...]

    @property
    def unchecked(self) -> tuple[FileCheck, ...]:
        """The files that could not be checked."""
        return tuple(file for file in self.files if file.check is Check.UNCHECKED)


def verify_study(
    contents: Files,
    *,
    public_key: Path | None,
    rule_book: bytes | None,
    draw: Draw | None,
    versions: Mapping[str, str],
    sample: Callable[[int], Sequence[int]],
    redeal: Redeal,
) -> VerifiedStudy:
    """Verify a study's files and return the checks made. ``sample`` chooses the blocks to deal again.

    The errors are those of a report: malformed if it cannot be checked, rejected if it does not hold.
    """
    certificate, signature = opened(contents, public_key)
    predicate = certificate.predicate
    if not isinstance(predicate, StudyPredicate):
        raise MalformedCertificateError(f"{CERTIFICATE}: not of a study of whole shoes")
    name = predicate.rule_book.name
    book, origin = checked_rule_book(contents, predicate, rule_book)
    if PROTECT not in contents:
        raise RejectedCertificateError(f"{PROTECT}: not there, and it holds the sums")
    try:
        file, figures = read_study(contents[PROTECT], book)
    except (MalformedCertificateError, RejectedCertificateError) as error:
        raise type(error)(f"{PROTECT}: {error}") from None
    checks = [
        FileCheck(name=PROTECT, check=Check.FOLLOWS),
        FileCheck(name=name, check=Check.RULE_BOOK, why=origin.in_words),
    ]
    checks += _documents(contents, predicate, file, figures, book, draw, versions)
    again = tuple(_dealt_again(file, book, sample, redeal))
    return VerifiedStudy(
        predicate=predicate,
        file=file,
        origin=origin,
        signature=signature,
        key_id=certificate.envelope.keyid if certificate.envelope else None,
        again=again,
        files=tuple(sorted(checks, key=lambda check: check.name)),
    )


def _documents(
    contents: Files,
    predicate: StudyPredicate,
    file: StudyFile,
    figures: StudyResults,
    book: RuleBook,
    draw: Draw | None,
    versions: Mapping[str, str],
) -> list[FileCheck]:
    """Return how every other file was checked.

    With versions other than the certificate's, no document is checked.
    """
    known = {PROTECT, predicate.rule_book.name}
    why = versions_to_install(predicate, versions)
    if draw is None or why:
        check = Check.HASH if draw is None else Check.UNCHECKED
        others = contents.keys() - known - {CERTIFICATE, SUMS}
        return [FileCheck(name=name, check=check, why=why) for name in others]
    try:
        drawn = draw(file, figures, book)
    except CombinatError as error:
        raise RejectedCertificateError(f"cannot be drawn again: {shown(str(error))}") from None
    checks = compared(contents, drawn, Check.DRAWN)
    refuse_others(contents, [*known, *drawn])
    return checks


def _dealt_again(
    file: StudyFile, book: RuleBook, sample: Callable[[int], Sequence[int]], redeal: Redeal
) -> Iterator[int]:
    """Deal blocks again and yield their numbers; refuse a block with other sums."""
    for number, sums in redeal(book, file.study, sorted(sample(len(file.blocks)))):
        if sums != file.blocks[number]:
            raise RejectedCertificateError(f"{PROTECT}: block {number}: dealt again, its sums differ")
        yield number
