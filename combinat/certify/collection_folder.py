"""The collection over the folders of several reports: its own small file, its index, its explorer, and its certificate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from combinat.base.errors import CertificateError, MalformedCertificateError, RejectedCertificateError
from combinat.base.files import Files
from combinat.certify.analysis_file import ANALYSIS, COLLECTION, collection_bytes
from combinat.certify.certificate import (
    CERTIFICATE,
    SUMS,
    THIS,
    WORDS,
    CollectionPredicate,
    expect,
    parsed_certificate,
    sealed,
    software,
)
from combinat.certify.collection import Collection, collection
from combinat.certify.verification import Signed, VerifiedReport, opened
from combinat.rules.book.load import RuleBook

INDEX = "README.md"
INDEX_PAGE = "index.html"
EXPLORER = "explorer.html"

DrawOver = Callable[[Collection, Sequence[RuleBook]], Files]
"""What is read over the folders of a collection, drawn from it and its rule books: the index in both its forms and the explorer."""


def sealed_collection(
    collected: Collection,
    certificates: Files,
    documents: Files,
    *,
    libraries: Mapping[str, str],
    key: Path | None = None,
) -> dict[str, bytes]:
    """The files over the folders of the games.

    ``certificates``: those of the games, by game id; ``documents``: the index in both its forms and the explorer.
    """
    named = {f"{game}/{CERTIFICATE}": content for game, content in certificates.items()}
    predicate = CollectionPredicate(
        games=tuple(sorted(certificates)),
        software=THIS,
        libraries=software(libraries),
        statement=WORDS[key is not None],
    )
    own = {COLLECTION: collection_bytes(collected), **documents}
    every = sealed({**own, **named}, predicate, key)
    return {name: content for name, content in every.items() if name not in named}


def reports_in(contents: Files) -> dict[str, dict[str, bytes]]:
    """The files of each folder of a collection, by the folder's name."""
    reports: dict[str, dict[str, bytes]] = {}
    for name, content in contents.items():
        folder, slash, rest = name.partition("/")
        if slash:
            reports.setdefault(folder, {})[rest] = content
    return reports


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Reports that stand side by side, by folder; ``contents``: all that is in the folder around them.

    ``place``: that folder, inside the one that is looked at; empty: it is that one. ``whole``: it is a collection,
    with a certificate that says which reports belong to it. A report that is looked at by itself has no folder's name.
    """

    place: str
    contents: Files
    reports: Mapping[str, Files]
    whole: bool

    @property
    def is_single(self) -> bool:
        """Whether it is one report, and nothing stands over it."""
        return "" in self.reports


def gathered_in(contents: Files) -> list[Gathered]:
    """The reports of a folder: itself, those of a collection, or those one folder down and of the collections there."""
    folders = reports_in(contents)
    if _is_collection(contents):
        return [Gathered(place="", contents=contents, reports=folders, whole=True)]
    if CERTIFICATE in contents or ANALYSIS in contents:
        return [Gathered(place="", contents=contents, reports={"": contents}, whole=False)]
    inner = [
        Gathered(place=name, contents=files, reports=reports_in(files), whole=True)
        for name, files in folders.items()
        if _is_collection(files)
    ]
    known = {collected.place for collected in inner}
    alone = {name: files for name, files in folders.items() if name not in known}
    return [*inner, Gathered(place="", contents=contents, reports=alone, whole=False)]


def _is_collection(contents: Files) -> bool:
    try:
        predicate = parsed_certificate(contents.get(CERTIFICATE, b"")).predicate
    except CertificateError:
        return False  # what is wrong with it is said when it is verified
    return isinstance(predicate, CollectionPredicate)


def verify_collection(
    contents: Files,
    reports: Mapping[str, VerifiedReport],
    draw_over: DrawOver,
    versions: Mapping[str, str],
    public_key: Path | None = None,
) -> Signed:
    """What is known of the signature of a collection that holds; ``reports``: those that do, by folder.

    Its games are all there and no other; its own file, its index and its explorer say what the reports
    say.
    """
    own = {name: content for name, content in contents.items() if "/" not in name}
    sealed_too = {
        name: content
        for name, content in contents.items()
        if name.endswith(f"/{CERTIFICATE}") and name.count("/") == 1
    }
    certificate, signature = opened({**own, **sealed_too}, public_key)
    predicate = certificate.predicate
    if not isinstance(predicate, CollectionPredicate):
        raise MalformedCertificateError(f"{CERTIFICATE}: of a report; expected that of a collection")
    folders = tuple(sorted({name.partition("/")[0] for name in contents if "/" in name}))
    if missing := set(predicate.games) - set(folders):
        raise RejectedCertificateError(f"{min(missing)}: a game of this collection, and not there")
    if extra := set(folders) - set(predicate.games):
        raise RejectedCertificateError(f"{min(extra)}: no game of this collection; expected no other folder")
    known = {CERTIFICATE, SUMS, COLLECTION, INDEX}
    if strange := own.keys() - known - {EXPLORER, INDEX_PAGE}:
        raise RejectedCertificateError(f"{min(strange)}: no file of a collection; expected no other file")
    for name in sorted(known - own.keys()):
        raise RejectedCertificateError(f"{name}: belongs to a collection, and is not there")
    if reports.keys() != set(folders):
        raise MalformedCertificateError(
            "a report of it does not hold or was not checked, so that nothing can be said of the whole"
        )
    for folder, report in reports.items():
        expect(f"{folder}: game", report.predicate.game.id, folder)
    if predicate.software != THIS:
        made = f"{predicate.software.name} {predicate.software.version}"
        raise MalformedCertificateError(
            f"{CERTIFICATE}: not checked: written by {made}; install that version to check it"
        )
    collected = collection(
        [
            (report.book.game, report.dossier, sorted(reports_in(contents)[folder]))
            for folder, report in reports.items()
        ]
    )
    _compare(own[COLLECTION], collection_bytes(collected), COLLECTION, predicate, versions)
    books = [report.book for report in reports.values()]
    for name, drawn in draw_over(collected, books).items():
        if name not in own:
            raise RejectedCertificateError(f"{name}: belongs to a collection, and is not there")
        _compare(own[name], drawn, name, predicate, versions)
    return signature


def _compare(
    given: bytes, expected: bytes, name: str, predicate: CollectionPredicate, versions: Mapping[str, str]
) -> None:
    if given == expected:
        return
    named = {library.name: library.version for library in predicate.libraries}
    if named != versions:
        made = ", ".join(f"{library}=={version}" for library, version in named.items()) or "no library"
        raise MalformedCertificateError(f"{name}: not checked: drawn with {made}; install that to check it")
    raise RejectedCertificateError(f"{name}: drawn again from the reports, it is not the same")
