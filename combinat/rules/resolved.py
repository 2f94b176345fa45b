"""What a rule book may leave unsaid, said: what it takes over from its base, and what a draft need not state.

The text that comes of it reads by itself: it is what is hashed, certified and laid beside a report.
"""

import copy
from collections.abc import Callable
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin

import msgspec

from combinat.errors import RuleBookError, shortened
from combinat.rules.bounds import BASES
from combinat.rules.game import NO_DATE, Clauses, Game, Status
from combinat.rules.odds import as_written
from combinat.rules.procedure import DealingErrors
from combinat.rules.rule_book_files import rule_book_paths
from combinat.rules.table_limits import TableClauses
from combinat.rules.toml_text import toml_text

NOT_STATED = "not stated"
DRAFT_DECKS = {"least": 6, "most": 8}
DRAFT_LAYOUT = {"id": "A", "positions": {"least": 1, "most": 7}}

_BY_ID = ("bets", "layouts", "procedures", "interpretations")
"""The lists whose entries are taken over one by one: of two with one id, one's own stands."""

_OF_A_DOCUMENT = ("version", "operator", "authority", "effective", "time", "stated")
"""What names an approved document: it approves that one alone, and no rule book that stands on it."""

_OF_ITS_OWN = ("schema", "id", "name", "status", "examples", "expect", *_OF_A_DOCUMENT)
"""What is never taken over."""


def resolved_text(
    text: str, raw: dict[str, Any], folder: Path | None, load: Callable[[Path], dict[str, Any]]
) -> str:
    """The text of the whole rule book: the text as it stands where nothing was left unsaid.

    ``folder``: where a base that is a file lies; None: a base is a shipped game. ``load``: the data of a file that is
    within the bounds.
    """
    book, bases = raw, list[str]()
    while "base" in book:
        base = book["base"]
        if not isinstance(base, str) or not base:
            raise RuleBookError(f'base: found {as_written(base)}; write a game, such as "my-game.toml"')
        if base in bases or len(bases) == BASES:
            way = " -> ".join([*bases, base])
            raise RuleBookError(
                f"base: found {shortened(way, 300)}; a rule book stands on at most {BASES} others, each once"
            )
        bases.append(base)
        book = _on(book, load(_base_path(base, folder)))
    if book.get("status") == Status.DRAFT:
        book = _completed(copy.deepcopy(book))
    if book == raw:
        return text
    said = f", and that of {', '.join(bases)}" if bases else ""
    comment = f"Written by combinat: what {shortened(str(raw.get('id', '')))} states{said}, whole."
    return toml_text(book, (comment,))


def _base_path(base: str, folder: Path | None) -> Path:
    """The file of a base: of a shipped game by its id, or one beside the rule book by its name."""
    shipped = rule_book_paths()
    if base in shipped:
        return shipped[base]
    if folder is not None and base.endswith(".toml") and Path(base).name == base and "\\" not in base:
        return folder / base
    beside = ', or the name of a file beside this one, such as "house.toml"' if folder is not None else ""
    raise RuleBookError(
        f'base: found "{shortened(base)}"; write the id of a game that comes with combinat ({", ".join(shipped)}){beside}'
    )


def _on(own: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """A rule book on its base: what one says, and of the rest what the base says.

    The document of the base is not one's own: whoever does not say ``status = "approved"`` has a draft.
    """
    if "name" not in own:
        raise RuleBookError("name: missing; a game that stands on another has a name of its own")
    over = {key: value for key, value in base.items() if key not in _OF_ITS_OWN}
    book = {key: value for key, value in own.items() if key != "base"}
    book.setdefault("status", Status.DRAFT.value)
    for key, value in over.items():
        if key not in book:
            book[key] = value
        elif key in _BY_ID and isinstance(book[key], list) and isinstance(value, list):
            mine = [one.get("id") for one in book[key] if isinstance(one, dict)]
            others = [one for one in value if not (isinstance(one, dict) and one.get("id") in mine)]
            book[key] = [*book[key], *others]
        elif isinstance(book[key], dict) and isinstance(value, dict):
            book[key] = {**value, **book[key]}
    return book


# ---------------------------------------------------------------- drafts


def _completed(book: dict[str, Any]) -> dict[str, Any]:
    """A draft with what it may leave out: clauses, operator, dates, layouts, decks, and what is said of a bet."""
    book.setdefault("effective", NO_DATE)
    book.setdefault("operator", NOT_STATED)
    book.setdefault("decks", dict(DRAFT_DECKS))
    book.setdefault("layouts", [copy.deepcopy(DRAFT_LAYOUT)])
    book.setdefault("clauses", {})
    book.setdefault("void", {"bets": "returned"})
    layouts = [one.get("id") for one in _tables(book["layouts"])]
    for bet in _tables(book.get("bets")):
        bet.setdefault("name", str(bet.get("id", "")).replace("-", " ").capitalize() or NOT_STATED)
        bet.setdefault("about", NOT_STATED)
        bet.setdefault("layouts", layouts)
    if isinstance(book["clauses"], dict) and "table_of_play" not in book:
        for key in ("table_of_play", "third_cards"):
            book["clauses"].setdefault(key, NOT_STATED)
    _fill(book, Game)
    return book


def _tables(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _fill(table: dict[str, Any], kind: type[msgspec.Struct]) -> None:
    """State every clause that a table of this kind must have, wherever it stands in the table."""
    for field in msgspec.structs.fields(kind):
        inner, is_list = _kind(field.type)
        if field.encode_name in table:
            value = table[field.encode_name]
            for one in _tables(value) if is_list else [value] if isinstance(value, dict) else []:
                if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
                    _fill(one, inner)
        elif field.required and inner is str and is_a_place(kind, field.encode_name):
            table[field.encode_name] = [NOT_STATED] if is_list else NOT_STATED


_PLACES = ("clause", "clauses", "stood_clause", "defined", "settled", "stated")
"""The keys that say where a document states something."""

_OF_PLACES = (Clauses, DealingErrors, TableClauses)
"""The tables that say nothing else."""


def is_a_place(kind: type, key: str) -> bool:
    """Whether a key of a table of this kind says where a document states something."""
    return key in _PLACES or kind in _OF_PLACES


def _kind(annotated: Any) -> tuple[Any, bool]:
    """The plain type of a key, and whether it is a list of such."""
    if get_origin(annotated) is Annotated:
        return _kind(get_args(annotated)[0])
    if isinstance(annotated, UnionType):
        return _kind(next(part for part in get_args(annotated) if part is not NoneType))
    if get_origin(annotated) is tuple:
        return _kind(get_args(annotated)[0])[0], True
    return annotated, False
