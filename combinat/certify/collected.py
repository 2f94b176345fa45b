"""The collection over the folders of several reports: its own small file, its index, its explorer, and its certificate."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from combinat.analysis.collection import Collection, collection
from combinat.certify.analysis_file import COLLECTION, collection_bytes
from combinat.certify.certificate import (
    CERTIFICATE,
    SUMS,
    THIS,
    WORDS,
    CollectionPredicate,
    expect,
    sealed,
    software,
)
from combinat.certify.verification import Signed, VerifiedReport, opened
from combinat.errors import MalformedCertificateError, RejectedCertificateError
from combinat.render.files import Files
from combinat.rules.rulebook import RuleBook

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
