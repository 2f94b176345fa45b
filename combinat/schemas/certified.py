"""The shapes of a report's files and of their verification."""

from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from combinat.certify.certificate import CollectionPredicate, NamedFile, Predicate, StudyPredicate
from combinat.certify.collection import CollectedGame
from combinat.certify.dossier import Dossier
from combinat.certify.signature import Envelope
from combinat.certify.verification import Check, Origin, Signed
from combinat.schemas.texts import Hash, Id, Version, Words


@dataclass(frozen=True, kw_only=True)
class Analysis(Dossier):
    """Everything that a report says of a game; ``analysis.json``."""

    schema: Literal["combinat/analysis/4"]


class Collection(TypedDict):
    """The reports that belong together; ``collection.json``."""

    schema: Literal["combinat/collection/1"]
    games: list[CollectedGame]


class _Statement(TypedDict):
    _type: Literal["https://in-toto.io/Statement/v1"]
    subject: list[NamedFile]


class ReportStatement(_Statement):
    """The certificate of a game's report: each file by its hash, and what is said of them."""

    predicateType: Literal["urn:combinat:pay-table-analysis:3"]
    predicate: Predicate


class CollectionStatement(_Statement):
    """The certificate of a collection of reports."""

    predicateType: Literal["urn:combinat:collection:1"]
    predicate: CollectionPredicate


class StudyStatement(_Statement):
    """The certificate of a study of whole shoes."""

    predicateType: Literal["urn:combinat:whole-shoes:1"]
    predicate: StudyPredicate


Certificate = ReportStatement | CollectionStatement | StudyStatement | Envelope


class CheckedFile(TypedDict):
    """A file, and how it was checked."""

    name: Words
    check: Check | Literal["follows-from-its-sums"]
    how: Words


class _Folder(TypedDict):
    folder: Words
    verdict: Literal["holds", "rejected", "unchecked"]
    message: Words | None
    files: list[CheckedFile]


class UnreadFolder(_Folder):
    """A folder whose certificate says nothing that could be relied on."""


class CheckedCollection(_Folder):
    """What stands over the reports."""

    reports: list[Id]
    signature: Signed


class _CheckedFolder(_Folder):
    game: Id
    signature: Signed
    key_id: Hash | None
    rule_book: Origin
    rule_book_sha256: Hash
    software_version: Version
    figures_only: bool


class CheckedReport(_CheckedFolder):
    """A game's report; ``numbers``: how many the checker checked."""

    decks: list[int]
    readings: NotRequired[list[Id]]
    numbers: int


class CheckedStudy(_CheckedFolder):
    """A study of whole shoes; ``dealt_again``: which of its blocks were."""

    shoes: int
    blocks: int
    dealt_again: list[int]


class Verify(TypedDict):
    """The verdict on reports."""

    schema: Literal["combinat/verify/2"]
    holds: bool
    folders: list[CheckedReport | CheckedStudy | CheckedCollection | UnreadFolder]
