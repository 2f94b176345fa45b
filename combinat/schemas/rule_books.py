"""The shapes of what is said of rule books and of the machine."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

from combinat.analysis.coverage import CautionSort
from combinat.analysis.rule_book_changes import BookPart, Done
from combinat.rules.bet import Pay
from combinat.rules.document import RuleDocument
from combinat.rules.insurance import Limit, Offer
from combinat.rules.table_of_play import PrintedTable
from combinat.schemas.common import Shoe
from combinat.schemas.drawing import Drawn
from combinat.schemas.texts import Count, Date, Exact, Hash, Id, OddsText, Version, Words


class DecksAllowed(TypedDict):
    """How many decks the document allows."""

    least: int
    most: int


class ListedGame(TypedDict):
    """A rule book in one line."""

    id: Id
    name: Words
    version: Words | None
    effective: Date
    decks: DecksAllowed
    bets: int
    insurance_states: int


class Games(TypedDict):
    """The rule books that come with combinat."""

    schema: Literal["combinat/games/1"]
    games: list[ListedGame]


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


class Mistake(TypedDict):
    """A mistake in a rule book: where and what."""

    line: int | None
    key: str
    mistake: Words


class RefusedBook(TypedDict):
    """A rule book with mistakes."""

    schema: Literal["combinat/check/2"]
    file: Words
    holds: Literal[False]
    mistakes: list[Mistake]


class CoverageLine(TypedDict):
    """A line of a pay table, or everything else: when, how often, and a deal that comes to it."""

    outcome: Words
    when: Words
    odds: OddsText
    net: Exact
    ways: Count
    probability: Exact
    deal: Words | None


class CoverageOfBet(TypedDict):
    """A bet, line by line."""

    id: Id
    house_edge: Exact
    lines: list[CoverageLine]


class Warned(TypedDict):
    """Something to look at in a bet; it may be meant so."""

    bet: Id
    warning: CautionSort
    says: Words
    deal: Words | None


class PublishedFigure(TypedDict):
    """A published figure, and the exact one."""

    bet: Id
    decks: int
    figure: Literal["house_edge", "expected_value", "return_to_player", "hit_frequency", "probability"]
    line: Words | None
    published: Words
    exact: Exact
    holds: bool
    source: Words


class CheckedBook(TypedDict):
    """A rule book without mistakes: what every line covers."""

    schema: Literal["combinat/check/2"]
    file: Words
    game: Id
    holds: bool
    mistakes: list[Mistake]
    shoe: Shoe
    bets: list[CoverageOfBet]
    warnings: list[Warned]
    examples: int
    expect: list[PublishedFigure]


Checked = CheckedBook | RefusedBook

EffectOfChange = TypedDict(
    "EffectOfChange",
    {"of": Id, "for": Words, "measure": Words, "first": Exact, "second": Exact, "change": Exact},
)


class Change(TypedDict):
    """Something in which two rule books differ; ``effect``: on the house edge, or several, or none."""

    part: BookPart
    id: Words
    change: Done
    before: Words | None
    after: Words | None
    clause_before: Words | None
    clause_after: Words | None
    house_edge_before: Exact | None
    house_edge_after: Exact | None
    effect: Exact | Literal["several", "none"]
    effects: list[EffectOfChange]


class Diff(TypedDict):
    """In what two rule books differ."""

    schema: Literal["combinat/diff/1"]
    before: Id
    after: Id
    decks: int
    changes: list[Change]


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
