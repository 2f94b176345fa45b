"""Every JSON document that combinat writes: its name, its shape, and what writes it."""

import json
from typing import Any, NamedTuple, TypedDict

from combinat.audit.follow import SCHEMA as WATCH_SCHEMA
from combinat.audit.follow import WatchState
from combinat.audit.reading.counts_file import CountsFile, Number
from combinat.base.relation import Document, Relation
from combinat.certify.analysis_file import AnalysisDocument, CollectionDocument
from combinat.certify.certificate import CertificateDocument
from combinat.montecarlo.counts import SCHEMA as COUNTS_SCHEMA
from combinat.protection.study_file import PARTIAL, STUDY
from combinat.report.analysis.comparison import COMPARISON
from combinat.report.analysis.formula import FORMULA
from combinat.report.analysis.insurance_records import INSURANCE, INSURANCE_BY_DECKS
from combinat.report.analysis.odds import ODDS, ODDS_BY_DECKS
from combinat.report.analysis.removal import REMOVAL
from combinat.report.analysis.round_in_progress import ROUND
from combinat.report.analysis.solve import SOLVED_EDGE, SOLVED_HIT
from combinat.report.audit.power import POWER
from combinat.report.audit.review import REVIEW
from combinat.report.audit.verdict_records import CROSSCHECK
from combinat.report.doctor import DOCTOR
from combinat.report.protection.count import COUNT_DOCUMENT, COUNTS
from combinat.report.protection.perfect import CEILINGS, PERFECT
from combinat.report.protection.protect import PROTECTION
from combinat.report.rules.check import BAD_BOOK, GOOD_BOOK
from combinat.report.rules.games import GAMES
from combinat.report.rules.rule_book_changes import DIFF
from combinat.report.table.exposure import EXPOSURE
from combinat.report.table.ruling import RULING
from combinat.report.table.settlement import SETTLE
from combinat.report.table.whole_table import TABLE
from combinat.report.verification import VERIFY
from combinat.rules.document import RuleDocument
from combinat.schemas import rule_books
from combinat.schemas.drawing import DIALECT, Drawn, schema
from combinat.schemas.texts import RankText


class Stored(NamedTuple):
    """A document: the type that states its shape, in a sentence what it is, and how its records are written.

    ``states``: the schema that it states, if its type names none.
    """

    kind: Any
    about: str
    drawn: Drawn | None = None
    states: str = ""


CardSlots = TypedDict(
    "CardSlots",
    {
        "player-first": dict[RankText, int],
        "banker-first": dict[RankText, int],
        "player-second": dict[RankText, int],
        "banker-second": dict[RankText, int],
    },
)
"""The ranks of the first four cards, as a counts file counts them."""

EVERY: dict[str, Stored] = {
    "rules": Stored(RuleDocument, "A rule book as data: combinat rules.", rule_books.RULES),
    "analysis": Stored(AnalysisDocument, "All that a report says, analysis.json: combinat report."),
    "collection": Stored(
        CollectionDocument, "Reports that belong together, collection.json: combinat report."
    ),
    "certificate": Stored(
        CertificateDocument, "The files of a folder by their hashes, signed or not: certificate.json."
    ),
    "counts": Stored(
        CountsFile,
        "The counts of a simulation: combinat simulate.",
        Drawn(says_nothing=True, instead={dict[str, dict[str, Number]]: CardSlots}),
        COUNTS_SCHEMA,
    ),
    "watch": Stored(
        WatchState, "The state of the watch over a growing log: combinat crosscheck.", None, WATCH_SCHEMA
    ),
}


DOCUMENTS: tuple[Document[Any], ...] = (
    *(
        ODDS,
        ODDS_BY_DECKS,
        COMPARISON,
        INSURANCE,
        INSURANCE_BY_DECKS,
        REMOVAL,
        FORMULA,
        SOLVED_EDGE,
        SOLVED_HIT,
    ),
    *(
        ROUND,
        SETTLE,
        TABLE,
        RULING,
        EXPOSURE,
        COUNT_DOCUMENT,
        COUNTS,
        PERFECT,
        CEILINGS,
        PROTECTION,
        STUDY,
        PARTIAL,
    ),
    *(VERIFY, GAMES, GOOD_BOOK, BAD_BOOK, DIFF, CROSSCHECK, POWER, REVIEW, DOCTOR),
)
"""The documents that are declared as relations."""

NAMES = (*EVERY, *dict.fromkeys(document.name for document in DOCUMENTS))


def relations() -> list[Relation[Any]]:
    """Every relation whose rows documents hold, each once."""
    found: dict[str, Relation[Any]] = {}
    for document in DOCUMENTS:
        for one in within(document):
            found.setdefault(one.name, one)
    return list(found.values())


def within(relation: Relation[Any]) -> list[Relation[Any]]:
    """The relation, and those of the rows in its rows."""
    inner = [getattr(field.kind, "of", field.kind) for field in relation.fields]
    return [relation, *(found for one in inner if isinstance(one, Relation) for found in within(one))]


def drawn(name: str) -> dict[str, Any]:
    """The JSON Schema of a document."""
    if name in EVERY:
        document = EVERY[name]
        return schema(document.kind, name, document.about, document.drawn, document.states)
    declared = [document for document in DOCUMENTS if document.name == name]
    shapes = [document.schema() for document in declared]
    return {
        "$schema": DIALECT,
        "$id": f"urn:combinat:schema:{name}",
        "title": name,
        "description": declared[0].about,
        **(shapes[0] if len(shapes) == 1 else {"anyOf": shapes}),
    }


def files() -> dict[str, bytes]:
    """The schemas as files, by name."""
    return {
        f"{name}.json": (json.dumps(drawn(name), indent=2, ensure_ascii=True) + "\n").encode("ascii")
        for name in NAMES
    }
