"""Inheritance from a base, and drafts: the data of the complete rule book.

A rule book with ``base`` inherits everything that it does not state; an entry of a list replaces the entry of
the base with the same id. A draft may leave out clauses, operator, dates, layouts and decks.
"""

import copy
from pathlib import Path
from typing import Any

import msgspec

from combinat.base.errors import RuleBookError, near_matches, shortened
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.reader import Mistake, file_bytes, keys_of, toml_data
from combinat.rules.bounds import BASES
from combinat.rules.document import SCHEMA, Clauses, RuleDocument, Status
from combinat.rules.house_rules import TableClauses
from combinat.rules.odds import as_written
from combinat.rules.procedure import DealingErrors

NOT_STATED = "not stated"
DRAFT_DECKS = {"least": 6, "most": 8}
DRAFT_LAYOUT = {"id": "A", "positions": {"least": 1, "most": 7}}

_BY_ID = ("bets", "layouts", "procedures", "interpretations")
"""The lists that are inherited entry by entry."""

_OF_A_DOCUMENT = ("version", "operator", "authority", "effective", "time", "stated")
"""The keys that name an approved document, which approves no other rule book."""

_NOT_INHERITED = ("schema", "id", "name", "status", "varies", "examples", "expect", *_OF_A_DOCUMENT)


def inherited(data: dict[str, Any], folder: Path | None) -> tuple[dict[str, Any] | None, list[Mistake]]:
    """Return the data of the complete rule book, or None if its base cannot be read, and the mistakes.

    The same object if nothing is inherited. ``folder``: the folder of a base that is a file; if None, only
    shipped games can be bases.
    """
    book, bases = data, list[str]()
    while "base" in book:
        base = book["base"]
        if not isinstance(base, str) or not base:
            return None, [Mistake("base", f'found {as_written(base)}; write a game, such as "my-game.toml"')]
        if base in bases or len(bases) == BASES:
            way = shortened(" -> ".join([*bases, base]), 300)
            return None, [
                Mistake("base", f"found {way}; a rule book has at most {BASES} bases in a row, each once")
            ]
        bases.append(base)
        base_data, mistakes = _base_data(base, folder)
        if base_data is None:
            return None, mistakes
        book = _on(book, base_data)
    if bases:
        book.setdefault("varies", bases[0])
    if _is_draft(book.get("status")):
        book = _with_defaults_of_base(copy.deepcopy(book))
    return (data if book == data else book), []


def _is_draft(status: object) -> bool:
    return bool(status) and near_matches(str(status), [str(one) for one in Status]) == [Status.DRAFT]


def _base_data(base: str, folder: Path | None) -> tuple[dict[str, Any] | None, list[Mistake]]:
    """Return the data of a shipped game by its id, or of a file beside the rule book by its name."""
    shipped = rule_book_paths()
    if base in shipped:
        path = shipped[base]
    elif folder is not None and base.endswith(".toml") and Path(base).name == base and "\\" not in base:
        path = folder / base
    else:
        beside = ', or the name of a file beside this one, such as "house.toml"' if folder is not None else ""
        games = ", ".join(shipped)
        what = f'found "{shortened(base)}"; write the id of a game that comes with combinat ({games}){beside}'
        return None, [Mistake("base", what)]
    try:
        data, mistakes = toml_data(file_bytes(path), schema=SCHEMA)
    except RuleBookError as error:
        return None, [Mistake("base", str(error).removeprefix(f"{path.parent}/"))]
    if mistakes:
        return None, [Mistake("base", f"{path.name}: {mistakes[0]}")]
    return data, []


def _on(own: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """Return a rule book merged with its base. It is a draft unless it states ``status = "approved"``."""
    book = {key: value for key, value in own.items() if key != "base"}
    book.setdefault("status", Status.DRAFT.value)
    for key, value in base.items():
        if key in _NOT_INHERITED:
            continue
        if key not in book:
            book[key] = value
        elif key in _BY_ID and isinstance(book[key], list) and isinstance(value, list):
            ids = [one.get("id") for one in _tables(book[key])]
            others = [one for one in value if not (isinstance(one, dict) and one.get("id") in ids)]
            book[key] = [_entry_of_base(one, value) for one in book[key]] + others
        elif isinstance(book[key], dict) and isinstance(value, dict):
            book[key] = {**value, **book[key]}
    return book


def _entry_of_base(entry: Any, of_base: list[Any]) -> Any:
    """Return an entry of a list with the name of the entry that it replaces, if it states no name."""
    names = (one for one in _tables(of_base) if isinstance(entry, dict) and one.get("id") == entry.get("id"))
    replaced = next(names, {})
    return {"name": replaced["name"], **entry} if "name" in replaced else entry


# ---------------------------------------------------------------- drafts


def _with_defaults_of_base(book: dict[str, Any]) -> dict[str, Any]:
    """Return a draft with the keys that it left out filled in."""
    book.setdefault("operator", NOT_STATED)
    book.setdefault("decks", dict(DRAFT_DECKS))
    book.setdefault("layouts", [copy.deepcopy(DRAFT_LAYOUT)])
    book.setdefault("clauses", {})
    book.setdefault("void", {"bets": "returned"})
    layouts = [one["id"] for one in _tables(book["layouts"]) if isinstance(one.get("id"), str)]
    for bet in _tables(book.get("bets")):
        bet.setdefault("name", str(bet.get("id", "")).replace("-", " ").capitalize() or NOT_STATED)
        bet.setdefault("about", NOT_STATED)
        bet.setdefault("layouts", layouts)
    if isinstance(book["clauses"], dict) and "table_of_play" not in book:
        for key in ("table_of_play", "third_cards"):
            book["clauses"].setdefault(key, NOT_STATED)
    _fill(book, RuleDocument)
    return book


def _tables(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _fill(table: dict[str, Any], kind: type[msgspec.Struct]) -> None:
    """Fill in every clause that a table of this kind must have, and the tables within it."""
    for name, key in keys_of(kind).items():
        is_list = key.shape.sort == "list_entries"
        inner = key.shape.kind if is_list else key.shape
        if name in table:
            for one in _tables(table[name] if is_list else [table[name]]) if inner.sort == "table" else ():
                _fill(one, inner.kind)
        elif key.required and inner.sort == "value" and is_citation(kind, name):
            table[name] = [NOT_STATED] if is_list else NOT_STATED


_CITATIONS = ("clause", "clauses", "stood_clause", "defined", "settled", "stated")
"""The keys that say where a document states something."""

_OF_CITATIONS = (Clauses, DealingErrors, TableClauses)
"""The tables that say nothing else."""


def is_citation(kind: type, key: str) -> bool:
    """Whether a key of a table of this kind cites a clause of the document."""
    return key in _CITATIONS or kind in _OF_CITATIONS
