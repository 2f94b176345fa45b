"""The collection over the folders of several reports: its own small file, its index, its explorer, and its certificate."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from combinat.base.errors import CertificateError
from combinat.base.files import Files
from combinat.certify.analysis_file import ANALYSIS, COLLECTION, collection_bytes
from combinat.certify.certificate import (
    CERTIFICATE,
    THIS,
    WORDS,
    CollectionPredicate,
    parsed_certificate,
    sealed,
    software,
)
from combinat.certify.collection import Collection

INDEX = "README.md"
INDEX_PAGE = "index.html"
EXPLORER = "explorer.html"


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
