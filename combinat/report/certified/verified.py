"""A report, a collection and a study, verified: numbers checked and reproduced, documents drawn again and compared.

Of a study, the figures must follow from the sums of its blocks and from the rule book, and some of the blocks are dealt
again from rule book and seed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom

from combinat.base.errors import CertificateError, MalformedCertificateError, RejectedCertificateError
from combinat.base.files import Files
from combinat.base.strict_json import quoted
from combinat.certify.analysis_file import ANALYSIS
from combinat.certify.certificate import CERTIFICATE, CollectionPredicate, Predicate, StudyPredicate, expect
from combinat.certify.collection import COLLECTION, collection, collection_bytes, reports_in
from combinat.certify.dossier import Dossier
from combinat.certify.filing import FILING
from combinat.certify.report_files import SIMULATION, checked_issue, companion_files
from combinat.certify.verification import (
    Check,
    FileCheck,
    Origin,
    VerifiedFolder,
    checked_documents,
    checked_dossier,
    checked_rule_book,
    compare_files,
    opened,
    refuse_others,
    versions_to_install,
)
from combinat.protection.study import PROTECT
from combinat.protection.study_file import StudyFile, read_study
from combinat.protection.study_workers import workers_for
from combinat.report.certified.simulations import judged_again
from combinat.report.folder import Form, files, libraries, over_the_games
from combinat.report.protection.study_folder import study_documents, task
from combinat.rules.game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedReport(VerifiedFolder):
    """A report without faults; ``numbers``: the number of figures that the checker checked."""

    predicate: Predicate
    dossier: Dossier
    game: Game
    origin: Origin
    numbers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedCollection(VerifiedFolder):
    """A collection that holds, and its reports by folder."""

    reports: tuple[str, ...]


def verify_report(
    contents: Files,
    *,
    public_key: Path | None = None,
    rule_book: bytes | None = None,
    figures_only: bool = False,
) -> VerifiedReport:
    """Return the checks made of a report's files, if nothing is wrong. ``figures_only``: check only its numbers.

    ``MalformedCertificateError``: there is no certificate to check. ``RejectedCertificateError``: it does
    not hold. Another ``CombinatError``: the key or the rule book could not be used.
    """
    predicate, folder = opened(contents, public_key, Predicate)
    game, origin = checked_rule_book(contents, predicate, rule_book)
    stated, game, numbers = checked_dossier(contents, predicate, game)
    every = [
        FileCheck(name=ANALYSIS, check=Check.DERIVED),
        FileCheck(name=predicate.rule_book.name, check=Check.RULE_BOOK, why=origin.in_words),
        *checked_files(contents, predicate, stated, game, folder.key_id, numbers, figures_only=figures_only),
    ]
    return VerifiedReport(
        predicate=predicate,
        dossier=stated,
        game=game,
        origin=origin,
        signature=folder.signature,
        key_id=folder.key_id,
        numbers=numbers,
        files=tuple(sorted(every)),
    )


def checked_files(
    contents: Files,
    predicate: Predicate,
    stated: Dossier,
    game: Game,
    key_id: str | None,
    numbers: int,
    *,
    figures_only: bool = False,
) -> list[FileCheck]:
    """Return the checks made of a report's other files, apart from its analysis and its rule book."""
    if unknown := [form for form in predicate.forms if form not in list(Form)]:
        raise MalformedCertificateError(
            f"{CERTIFICATE}: predicate.forms: found {quoted(unknown[0])}; expected some of {', '.join(Form)}"
        )
    issue = checked_issue(contents, predicate, game, key_id)
    for name in predicate.simulations:
        if f"{SIMULATION}{name}" not in contents:
            raise RejectedCertificateError(f"{SIMULATION}{name}: belongs here, and is not there")
    simulations = {name: contents[f"{SIMULATION}{name}"] for name in predicate.simulations}
    filed = [FileCheck(name=FILING, check=Check.FILING)] if issue.filing else []

    def draw() -> list[FileCheck]:
        forms = list(map(Form, predicate.forms))
        verdicts = judged_again(game, simulations) if forms else ()
        drawn = files(stated, game, forms, verdicts, issue, numbers)
        judged, why = (Check.JUDGED, "") if drawn else (Check.UNCHECKED, "no document shows it judged")
        return [
            *compare_files(contents, companion_files(game, issue), Check.SAME),
            *compare_files(contents, drawn, Check.DRAWN),
            *(FileCheck(name=f"{SIMULATION}{name}", check=judged, why=why) for name in simulations),
        ]

    needed = libraries(predicate.forms, simulations=bool(simulations))
    known = [ANALYSIS, predicate.rule_book.name, *(file.name for file in filed)]
    return [*filed, *checked_documents(contents, predicate, needed, known, draw, figures_only=figures_only)]


def verify_collection(
    contents: Files, reports: Mapping[str, VerifiedReport], public_key: Path | None = None
) -> VerifiedCollection:
    """Return a verified collection; ``reports``: its verified reports, by folder.

    It must have exactly its games, and its own file, its index and its explorer must follow from the reports.
    """
    own = {name: content for name, content in contents.items() if "/" not in name}
    folders = reports_in(contents)
    certificates = {
        f"{folder}/{CERTIFICATE}": files[CERTIFICATE]
        for folder, files in folders.items()
        if CERTIFICATE in files
    }
    predicate, checked = opened({**own, **certificates}, public_key, CollectionPredicate)
    if missing := set(predicate.games) - folders.keys():
        raise RejectedCertificateError(f"{min(missing)}: a game of this collection, and not there")
    if extra := folders.keys() - set(predicate.games):
        raise RejectedCertificateError(f"{min(extra)}: no game of this collection; expected no other folder")
    if reports.keys() != folders.keys():
        raise MalformedCertificateError(
            "a report of it does not hold or was not checked, so that nothing can be said of the whole"
        )
    for folder, report in reports.items():
        expect(f"{folder}: game", report.predicate.game.id, folder)
    if why := versions_to_install(predicate, libraries([Form.MARKDOWN])):
        raise MalformedCertificateError(f"{CERTIFICATE}: its documents were not checked: {why}")
    collected = collection(
        [(one.game, one.dossier, sorted(folders[folder])) for folder, one in reports.items()]
    )
    drawn = over_the_games(collected, [one.game for one in reports.values()])
    expected = {COLLECTION: collection_bytes(collected), **drawn}
    compare_files(own, expected, Check.DRAWN)
    refuse_others(own, expected)
    return VerifiedCollection(
        signature=checked.signature, key_id=checked.key_id, reports=tuple(sorted(reports))
    )


# ---------------------------------------------------------------- a study


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
        return compare_files(files, study_documents(file), Check.DRAWN)

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
