"""The folder of a study: its documents (a page and a PDF), and its verification."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import SystemRandom

from combinat import __version__
from combinat.base.errors import CertificateError
from combinat.base.files import Files
from combinat.certify.certificate import CERTIFICATE, StudyPredicate, parsed_certificate
from combinat.certify.report_files import rule_book_name
from combinat.certify.study_folder import VerifiedStudy, verify_study
from combinat.protection.study import PROTECT, Study
from combinat.protection.study_figures import StudyResults
from combinat.protection.study_file import StudyFile
from combinat.protection.study_run import Here, Made, Processes, Task, Workers
from combinat.render.html import html
from combinat.render.pdf import Front, pdf
from combinat.report.folder import Form, libraries
from combinat.report.protection.study import StudyShown, study_document
from combinat.rules.book.load import RuleBook

PAGE, PRINTED = "protect.html", "protect.pdf"


def study_documents(shown: StudyShown) -> dict[str, bytes]:
    """The page and the PDF, by the names of their files."""
    document = study_document(shown)
    front = Front(
        subject=shown.game.name,
        mark="",
        foot=f"combinat {__version__}; rule book SHA-256 {shown.rule_book_sha256}",
    )
    foot = f"combinat {__version__}; rule book SHA-256 {shown.rule_book_sha256}; seed {shown.study.seed}"
    return {
        PAGE: html(document, foot).encode("utf-8"),
        PRINTED: pdf(document, front),
    }


def study_libraries() -> Mapping[str, str]:
    """The libraries that the bytes of the documents depend on, with their versions."""
    return libraries([Form.PDF])


SHOES_A_PROCESS = 1_000
"""A process is started for this number of shoes: fewer are dealt sooner than it starts."""


def workers_for(shoes: int, workers: int | None, cluster: str | None) -> Workers:
    """The workers for this number of shoes: this process, processes of this machine, or a cluster."""
    if cluster is not None:
        from combinat.protection.study_cluster import Cluster  # its library is large

        return Cluster(cluster)
    number = min(workers or os.cpu_count() or 1, shoes // SHOES_A_PROCESS)
    return Processes(number) if number > 1 else Here()


def task_of(book: RuleBook, study: Study) -> Task:
    """The task of the workers of a study."""
    return Task(book.content, rule_book_name(book.game.id), study)


def is_study(files: Files) -> bool:
    """Whether these are the files of a study, valid or not."""
    try:
        return isinstance(parsed_certificate(files.get(CERTIFICATE, b"")).predicate, StudyPredicate)
    except CertificateError:
        return PROTECT in files


def checked_study(
    files: Files,
    public_key: Path | None,
    rule_book: bytes | None,
    blocks: int | None,
    *,
    figures_only: bool,
    workers: int | None = None,
) -> VerifiedStudy:
    """The checks of a valid study. ``blocks``: the number of blocks to deal again, chosen at random; None: all."""

    def sample(number: int) -> Sequence[int]:
        return SystemRandom().sample(range(number), number if blocks is None else min(blocks, number))

    def redeal(book: RuleBook, study: Study, numbers: Sequence[int]) -> Iterator[Made]:
        shoes = sum(map(study.shoes_of, numbers))
        for some in workers_for(shoes, workers, None).made(task_of(book, study), numbers):
            yield from some

    return verify_study(
        files,
        public_key=public_key,
        rule_book=rule_book,
        draw=None if figures_only else _drawn,
        versions=study_libraries(),
        sample=sample,
        redeal=redeal,
    )


def _drawn(file: StudyFile, figures: StudyResults, book: RuleBook) -> dict[str, bytes]:
    shown = StudyShown(game=book.game, rule_book_sha256=book.sha256, study=file.study, results=figures)
    return study_documents(shown)
