"""A rule book as data: the JSON of ``combinat rules``."""

from typing import Any, NamedTuple

import msgspec

from combinat.base.kinds import FLAG, FRACTION, HASH, TEXT
from combinat.base.relation import ABSENT, Document, Field, Many, Relation
from combinat.report.rules.clauses import CLAUSE_USES, COVERED_CLAUSES, clauses_in_use, covered_clauses
from combinat.rules.bet import Pay
from combinat.rules.book.find import document_clauses
from combinat.rules.document import RuleDocument
from combinat.rules.game import Game
from combinat.rules.insurance import Limit, Offer
from combinat.rules.table_of_play import PrintedTable
from combinat.rules.value_sets import NumberSet, WordSet


class PrintedBook(NamedTuple):
    """A game and the layout to print, or None for all layouts."""

    game: Game
    layout: str | None

    @property
    def covered(self) -> Any:
        """The clauses that the rule book does not name by themselves, or ABSENT if there are none."""
        listed = document_clauses(self.game.id) if self.layout is None else ()
        return covered_clauses(self.game, listed) or ABSENT


_NET: Field[Any] = Field("net", "net", FRACTION, "The profit per unit staked.", lambda pair: pair[0].odds.net)

BESIDE: dict[type, Relation[Any]] = {
    RuleDocument: Document(
        "combinat/rules/1",
        "A rule book as data: combinat rules.",
        Field("game", "game", TEXT, "The game's id.", lambda pair: pair[1].game.id),
        Field("sha256", "SHA-256", HASH, "The SHA-256 of the rule book.", lambda pair: pair[1].game.sha256),
        Field(
            *("clauses_in_use", "clauses in use", Many(CLAUSE_USES), "The clauses that the rule book cites."),
            lambda pair: clauses_in_use(pair[1].game).items(),
        ),
        Field(
            *("clauses_covered", "clauses covered", Many(COVERED_CLAUSES), "Headings and parts of clauses."),
            lambda pair: pair[1].covered,
            may_be_absent=True,
        ),
    ),
    PrintedTable: Relation(
        "table of play",
        Field(
            *("is_stated", "stated", FLAG, "Whether the rule book states it; else it is the common one."),
            lambda pair: pair[1].game.stated_table is not None,
        ),
    ),
    Pay: Relation(
        "pay lines",
        _NET,
        Field("when", "when", TEXT, "When the line pays, in words.", lambda pair: pair[0].in_words()),
    ),
    Offer: Relation("insurance lines", _NET),
    Limit: Relation(
        "insurance limits",
        Field(
            *("net", "net", FRACTION, "The profit per unit staked of the odds that it applies to."),
            lambda pair: pair[0].odds.net if pair[0].odds else ABSENT,
            may_be_absent=True,
        ),
    ),
}
"""The keys of JSON beside those of a table of the rule book: of a table and the ``PrintedBook`` it belongs to."""


def rule_book_json(game: Game, layout: str | None = None) -> dict[str, Any]:
    """Return the rule book as data, under the schema ``combinat/rules/1``."""
    book = PrintedBook(game, layout)
    data = _table(game, RuleDocument, book)
    stated = {"clause": game.table_clause, "stood_clause": game.stood_clause}
    data["clauses"] |= {"third_cards": game.stood_clause, "table_of_play": game.table_clause}
    data["table_of_play"] = _table(game.printed_table, PrintedTable, book) | stated
    if layout is not None:
        only = game.layout(layout).id
        data["layouts"] = [listed for listed in data["layouts"] if listed["id"] == only]
        data["bets"] = [bet for bet in data["bets"] if only in bet["layouts"]]
    return data


def _table(record: Any, kind: type[msgspec.Struct], book: PrintedBook) -> dict[str, Any]:
    """Return a table of the rule book without empty keys, and with the keys of ``BESIDE``."""
    stated = {field.encode_name: getattr(record, field.name) for field in msgspec.structs.fields(kind)}
    data = {key: _plain(value, book) for key, value in stated.items() if value is not None and value != ""}
    return data | (BESIDE[kind].object((record, book)) if kind in BESIDE else {})


def _plain(value: Any, book: PrintedBook) -> Any:
    """Return a value in the types of JSON."""
    if isinstance(value, msgspec.Struct):
        return _table(value, type(value), book)
    if isinstance(value, tuple):
        return [_plain(one, book) for one in value]
    if isinstance(value, WordSet):
        return str(value).split(", ")
    if isinstance(value, NumberSet):
        return sorted(value, key=lambda one: (one is None, one or 0))
    return value if isinstance(value, int) else str(value)
