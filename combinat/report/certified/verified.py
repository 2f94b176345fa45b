"""A report and a collection, verified: numbers checked and reproduced, documents drawn again and compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from combinat.audit.verdict import Verdict
from combinat.base.errors import (
    CertificateError,
    CombinatError,
    MalformedCertificateError,
    RejectedCertificateError,
    shown,
)
from combinat.base.files import Files
from combinat.base.processes import side_by_side
from combinat.base.strict_json import quoted
from combinat.certify.analysis_file import ANALYSIS
from combinat.certify.certificate import CERTIFICATE, SUMS, CollectionPredicate, Predicate, expect
from combinat.certify.collection import COLLECTION, collection, collection_bytes, reports_in
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.certify.report_files import FILING, SIMULATION, checked_issue, companion_files
from combinat.certify.verification import (
    Check,
    FileCheck,
    Origin,
    Signed,
    checked_dossier,
    checked_rule_book,
    compared,
    opened,
    refuse_others,
    versions_to_install,
)
from combinat.montecarlo.simulation import simulation_obstacle
from combinat.report.certified.simulations import judged_again
from combinat.report.folder import Documents, Form, libraries, over_the_games
from combinat.rules.game import Game

KNOWN_FORMS: tuple[str, ...] = tuple(Form)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedReport:
    """A report in which nothing is wrong, and how each of its files was checked."""

    predicate: Predicate
    dossier: Dossier
    game: Game
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
    figures_only: bool = False,
) -> VerifiedReport:
    """Return how the files of a report were checked, if nothing is wrong; with ``figures_only`` its numbers alone.

    ``MalformedCertificateError``: there is no certificate to check. ``RejectedCertificateError``: it does
    not hold. Another ``CombinatError``: the key or the rule book could not be used.
    """
    certificate, signature = opened(contents, public_key)
    predicate = certificate.predicate
    if not isinstance(predicate, Predicate):
        what = "a collection" if isinstance(predicate, CollectionPredicate) else "a study"
        raise MalformedCertificateError(f"{CERTIFICATE}: of {what}; expected that of a game's report")
    game, origin = checked_rule_book(contents, predicate, rule_book)
    stated, game, numbers = checked_dossier(contents, predicate, game)
    key_id = certificate.envelope.keyid if certificate.envelope else None
    files = [
        FileCheck(name=ANALYSIS, check=Check.DERIVED),
        FileCheck(name=predicate.rule_book.name, check=Check.RULE_BOOK, why=origin.in_words),
        *checked_documents(contents, predicate, stated, game, key_id, numbers, figures_only=figures_only),
    ]
    return VerifiedReport(
        predicate=predicate,
        dossier=stated,
        game=game,
        origin=origin,
        signature=signature,
        key_id=key_id,
        numbers=numbers,
        files=tuple(sorted(files, key=lambda file: file.name)),
    )


def checked_documents(
    contents: Files,
    predicate: Predicate,
    stated: Dossier,
    game: Game,
    key_id: str | None,
    checked: int,
    *,
    figures_only: bool = False,
) -> list[FileCheck]:
    """Return how every other file was checked. With other versions than the certificate's, none is."""
    if unknown := [form for form in predicate.forms if form not in KNOWN_FORMS]:
        raise MalformedCertificateError(
            f"{CERTIFICATE}: predicate.forms: found {quoted(unknown[0])}; expected some of {', '.join(KNOWN_FORMS)}"
        )
    issue = checked_issue(contents, predicate, game, key_id)
    filed = [FileCheck(name=FILING, check=Check.FILING)] if issue.filing else []
    known = {ANALYSIS, predicate.rule_book.name, *(file.name for file in filed)}
    for name in predicate.simulations:
        if f"{SIMULATION}{name}" not in contents:
            raise RejectedCertificateError(f"{SIMULATION}{name}: belongs here, and is not there")
    simulations = {name: contents[f"{SIMULATION}{name}"] for name in predicate.simulations}
    others = contents.keys() - known - {CERTIFICATE, SUMS}
    why = versions_to_install(predicate, libraries(predicate.forms, simulations=bool(simulations)))
    if figures_only or why:
        check = Check.HASH if figures_only else Check.UNCHECKED
        return [*filed, *(FileCheck(name=name, check=check, why=why) for name in others)]
    try:
        forms = predicate.forms
        drawn = drawn_again(stated, game, forms, simulations, issue, checked) if forms else {}
    except CombinatError as error:
        raise RejectedCertificateError(f"documents: cannot be drawn again: {shown(str(error))}") from None
    checks = compared(contents, companion_files(game, issue), Check.SAME)
    checks += compared(contents, drawn, Check.DRAWN)
    judged, why = (Check.JUDGED, "") if drawn else (Check.UNCHECKED, "no document shows it judged")
    checks += [FileCheck(name=f"{SIMULATION}{name}", check=judged, why=why) for name in simulations]
    refuse_others(contents, [*known, *(file.name for file in checks)])
    return [*filed, *checks]


def drawn_again(
    dossier: Dossier, game: Game, forms: Sequence[str], simulations: Files, issue: Issue, checked: int
) -> Files:
    """Return every document of a report, drawn from its dossier, with its simulations judged again."""
    return drawn(dossier, game, forms, judged_again(game, simulations), issue, checked)


def drawn(
    dossier: Dossier,
    game: Game,
    forms: Sequence[str],
    verdicts: Sequence[Verdict],
    issue: Issue,
    checked: int,
) -> Files:
    """Return every document of a report, by the names of their files."""
    why = simulation_obstacle(game, dossier.reference_decks)
    documents = Documents(dossier, game, verdicts, why, issue, checked)
    return {name: content for form in forms for name, content in documents.in_form(Form(form)).items()}


# ---------------------------------------------------------------- reports side by side


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFiles:
    """A report to verify: its files, the signer's public key and the expected rule book, if they are given."""

    files: Files
    public_key: Path | None
    rule_book: bytes | None
    figures_only: bool

    def verified(self) -> VerifiedReport | CombinatError:
        """Return the verified report, or why it does not hold or could not be checked."""
        try:
            return verify_report(
                self.files,
                public_key=self.public_key,
                rule_book=self.rule_book,
                figures_only=self.figures_only,
            )
        except CertificateError as error:
            return error
        except CombinatError as error:
            return CombinatError(str(error))  # which, unlike some others, a worker process can send


def verified_reports(
    reports: Sequence[ReportFiles], workers: int
) -> Iterator[VerifiedReport | CombinatError]:
    """Yield the verdict on each report, in order; reports are verified side by side in this many processes."""
    return side_by_side(
        ReportFiles.verified, reports, workers, size=lambda one: len(one.files.get(ANALYSIS, b""))
    )


# ---------------------------------------------------------------- the collection over them


def verify_collection(
    contents: Files, reports: Mapping[str, VerifiedReport], public_key: Path | None = None
) -> Signed:
    """Return the state of the signature of a collection that holds; ``reports``: those that do, by folder.

    Its games are all there and no other; its own file, its index and its explorer follow from the reports.
    """
    own = {name: content for name, content in contents.items() if "/" not in name}
    folders = reports_in(contents)
    certificates = {
        f"{folder}/{CERTIFICATE}": files[CERTIFICATE]
        for folder, files in folders.items()
        if CERTIFICATE in files
    }
    certificate, signature = opened({**own, **certificates}, public_key)
    predicate = certificate.predicate
    if not isinstance(predicate, CollectionPredicate):
        raise MalformedCertificateError(f"{CERTIFICATE}: of a report; expected that of a collection")
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
    compared(own, expected, Check.DRAWN)
    refuse_others(own, expected)
    return signature
