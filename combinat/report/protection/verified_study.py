"""The folder of a study of whole shoes, verified.

In this order: the certificate and every hash; the rule book; ``protect.json``, whose figures must follow from the sums
of its blocks and from the rule book; the documents, drawn again and compared byte for byte; and some of the blocks,
dealt again from rule book and seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom

from combinat.base.errors import CertificateError, RejectedCertificateError
from combinat.base.files import Files
from combinat.certify.certificate import StudyPredicate
from combinat.certify.verification import (
    Check,
    FileCheck,
    Origin,
    VerifiedFolder,
    checked_documents,
    checked_rule_book,
    compared,
    opened,
)
from combinat.protection.study import PROTECT
from combinat.protection.study_file import StudyFile, read_study
from combinat.protection.study_workers import workers_for
from combinat.report.folder import Form, libraries
from combinat.report.protection.study_folder import study_documents, task


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedStudy(VerifiedFolder):
    """A study without faults; ``again``: the blocks that were dealt again."""

    predicate: StudyPredicate
    file: StudyFile
    origin: Origin
    again: tuple[int, ...]


def checked_study(
    files: Files,
    public_key: Path | None,
    rule_book: bytes | None,
    blocks: int | None,
    *,
    figures_only: bool,
    workers: int | None = None,
) -> VerifiedStudy:
    """Return the checks made of a study. ``blocks``: the number of blocks to deal again, chosen at random; None: all.

    The errors are those of a report: malformed if it cannot be checked, rejected if it does not hold.
    """
    predicate, folder = opened(files, public_key, StudyPredicate)
    game, origin = checked_rule_book(files, predicate, rule_book)
    if PROTECT not in files:
        raise RejectedCertificateError(f"{PROTECT}: not there, and it holds the sums")
    try:
        file = read_study(files[PROTECT], game)
    except CertificateError as error:
        raise type(error)(f"{PROTECT}: {error}") from None

    def draw() -> list[FileCheck]:
        return compared(files, study_documents(file), Check.DRAWN)

    known, needed = [PROTECT, predicate.rule_book.name], libraries([Form.PDF])
    return VerifiedStudy(
        predicate=predicate,
        file=file,
        origin=origin,
        signature=folder.signature,
        key_id=folder.key_id,
        files=tuple(
            sorted(
                [
                    FileCheck(name=PROTECT, check=Check.FOLLOWS),
                    FileCheck(name=predicate.rule_book.name, check=Check.RULE_BOOK, why=origin.in_words),
                    *checked_documents(files, predicate, needed, known, draw, figures_only=figures_only),
                ]
            )
        ),
        again=tuple(sorted(_dealt_again(file, blocks, workers))),
    )


def _dealt_again(file: StudyFile, blocks: int | None, workers: int | None) -> Iterator[int]:
    """Deal blocks again and yield their numbers; refuse a block with other sums."""
    every = len(file.blocks)
    numbers = sorted(SystemRandom().sample(range(every), every if blocks is None else min(blocks, every)))
    shoes = sum(map(file.study.shoes_of, numbers))
    for some in workers_for(shoes, workers).made(task(file.game, file.study), numbers):
        for number, sums in some:
            if sums != file.blocks[number]:
                raise RejectedCertificateError(f"{PROTECT}: block {number}: dealt again, its sums differ")
            yield number
