"""The shapes of what is said of rule books and of the machine."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

from combinat.rules.bet import Pay
from combinat.rules.document import RuleDocument
from combinat.rules.insurance import Limit, Offer
from combinat.rules.table_of_play import PrintedTable
from combinat.schemas.drawing import Drawn
from combinat.schemas.texts import Exact, Hash, Id, Words


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
