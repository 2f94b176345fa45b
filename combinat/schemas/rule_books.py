"""The shapes of what is said of rule books and of the machine."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

from combinat.rules.bet import Pay
from combinat.rules.document import RuleDocument
from combinat.rules.insurance import Limit, Offer
from combinat.rules.table_of_play import PrintedTable
from combinat.schemas.drawing import Drawn
from combinat.schemas.texts import Exact, Hash, Id, Version, Words


class ClauseUse(TypedDict):
    """What a clause is used for."""

    what: Words
    ids: list[str]


class ClauseInUse(TypedDict):
    """A clause of the document, and all that rests on it."""

    clause: Words
    used_for: list[ClauseUse]


class CoveredClause(TypedDict):
    """A clause that is not named by itself: what it is a part of, or the heading of."""

    clause: Words
    part_of: Words | None
    parts: list[Words]


def beside_the_rule_book(record: type) -> Mapping[str, Any]:
    """What ``rules`` adds to a record of the rule book: hashes, exact odds, when a line pays."""
    if record is RuleDocument:
        return {
            "schema": Literal["combinat/rules/1"],
            "game": Id,
            "sha256": Hash,
            "table_of_play": PrintedTable,
            "clauses_in_use": list[ClauseInUse],
            "clauses_covered": NotRequired[list[CoveredClause]],
        }
    if record is PrintedTable:
        return {"is_stated": bool, "banker_draws_against_natural": NotRequired[list[int]]}
    if record is Pay:
        return {"net": Exact, "when": NotRequired[Words]}
    if record is Offer:
        return {"net": Exact}
    return {"net": NotRequired[Exact]} if record is Limit else {}


RULES = Drawn(says_nothing=True, besides=beside_the_rule_book)


class Trial(TypedDict):
    """A small piece of the real work, and how it ended."""

    what: Words
    state: Literal["works", "missing", "fails"]
    said: str


class LibraryHere(TypedDict):
    """A library: the version here, the versions wanted, and the extra that asks for it."""

    name: Words
    installed: Version | None
    wanted: str
    extra: Words | None


class Doctor(TypedDict):
    """What is installed, and what this machine can do."""

    schema: Literal["combinat/doctor/1"]
    combinat: Version
    python: Words
    system: Words
    holds: bool
    missing_extras: list[Words]
    trials: list[Trial]
    libraries: list[LibraryHere]


class ListedSchema(TypedDict):
    """A JSON Schema, and what it is of."""

    name: Id
    of: Words


class Schemas(TypedDict):
    """The JSON Schemas that come with combinat."""

    schema: Literal["combinat/schemas/1"]
    schemas: list[ListedSchema]
