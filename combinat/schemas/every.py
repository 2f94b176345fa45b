"""Every JSON document that combinat writes: its name, its shape, and what writes it."""

import json
from typing import Any, NamedTuple, get_args, get_type_hints

from combinat.base.relation import Relation
from combinat.report.answer import Answer
from combinat.report.insurance_views import InsuranceAnswer, InsuranceByDecks
from combinat.report.odds_records import OddsAnswer, OddsByDecks
from combinat.rules.document import RuleDocument
from combinat.schemas import at_the_table, audit, certified, odds, protection, rule_books
from combinat.schemas.drawing import Drawn, schema


class Document(NamedTuple):
    """A document: the type that states its shape, in a sentence what it is, and how its records are written."""

    kind: Any
    about: str
    drawn: Drawn | None = None


def answers(*kinds: type[Answer]) -> dict[str, Document]:
    """The documents of answers, which state their names and what they hold."""
    return {kind.SCHEMA.split("/")[1]: Document(kind, kind.ABOUT) for kind in kinds}


EVERY: dict[str, Document] = {
    "games": Document(rule_books.Games, "The rule books: combinat games."),
    "rules": Document(RuleDocument, "A rule book as data: combinat rules.", rule_books.RULES),
    "check": Document(rule_books.Checked, "A rule book looked through: combinat check."),
    "diff": Document(rule_books.Diff, "What changed between two rule books: combinat diff."),
    **answers(OddsAnswer, OddsByDecks),
    "compare": Document(odds.Compare, "House edges side by side: combinat compare."),
    **answers(InsuranceAnswer, InsuranceByDecks),
    "round": Document(at_the_table.Round, "A round in progress: combinat round."),
    "settle": Document(at_the_table.Settle, "A finished round, settled: combinat settle."),
    "ruling": Document(at_the_table.Ruled, "What is done about an incident: combinat ruling."),
    "table": Document(at_the_table.WholeTable, "A whole table: combinat table."),
    "exposure": Document(at_the_table.Exposure, "What a round can cost the House: combinat exposure."),
    "formula": Document(odds.Formula, "Closed forms in the number of decks: combinat formula."),
    "solve": Document(odds.Solve, "Odds for a wanted edge: combinat solve."),
    "removal": Document(odds.Removal, "Effects of removing cards: combinat removal."),
    "count": Document(protection.Count, "A count against a bet: combinat count."),
    "perfect": Document(protection.Perfect, "Perfect play: combinat perfect."),
    "ceilings": Document(protection.Ceilings, "What no one can gain more than: combinat perfect."),
    "protect": Document(protection.Protect, "A study of whole shoes, protect.json: combinat protect."),
    "protect-partial": Document(
        protection.ProtectPartial, "A study under way, beside its folder: combinat protect."
    ),
    "analysis": Document(certified.Analysis, "All that a report says, analysis.json: combinat report."),
    "collection": Document(
        certified.Collection, "Reports that belong together, collection.json: combinat report."
    ),
    "certificate": Document(
        certified.Certificate, "The files of a folder by their hashes, signed or not: certificate.json."
    ),
    "verify": Document(certified.Verify, "The verdict on reports: combinat verify."),
    "counts": Document(audit.Counts, "The counts of a simulation: combinat simulate."),
    "crosscheck": Document(audit.Crosscheck, "The verdict on a simulation or a log: combinat crosscheck."),
    "watch": Document(audit.Watch, "Where the watch over a growing log stands: combinat crosscheck."),
    "review": Document(audit.Review, "Players of a log: combinat review."),
    "power": Document(audit.Power, "How many rounds an audit needs: combinat power."),
    "doctor": Document(rule_books.Doctor, "What this machine can do: combinat doctor."),
    "schemas": Document(rule_books.Schemas, "These schemas, listed: combinat schema."),
}


def relations() -> list[Relation[Any]]:
    """Every relation whose rows documents hold, each once."""
    found: dict[str, Relation[Any]] = {}
    for document in EVERY.values():
        for hint in _hints(document.kind):
            for mark in getattr(hint, "__metadata__", ()):
                if isinstance(mark, Relation):
                    found |= {one.name: one for one in within(mark)}
    return list(found.values())


def _hints(kind: Any) -> list[Any]:
    """The types of an answer's fields, and of the answers in it."""
    if not (isinstance(kind, type) and issubclass(kind, Answer)):
        return []
    hints = list(get_type_hints(kind, include_extras=True).values())
    return [*hints, *(inner for hint in hints for part in get_args(hint) for inner in _hints(part))]


def within(relation: Relation[Any]) -> list[Relation[Any]]:
    """The relation, and those of the rows in its rows."""
    inner = [getattr(field.kind, "of", field.kind) for field in relation.fields]
    return [relation, *(found for one in inner if isinstance(one, Relation) for found in within(one))]


def drawn(name: str) -> dict[str, Any]:
    """The JSON Schema of a document."""
    document = EVERY[name]
    return schema(document.kind, name, document.about, document.drawn)


def files() -> dict[str, bytes]:
    """The schemas as files, by name."""
    return {
        f"{name}.json": (json.dumps(drawn(name), indent=2, ensure_ascii=True) + "\n").encode("ascii")
        for name in EVERY
    }
