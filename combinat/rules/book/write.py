"""A rule book written out as TOML: what was read as data becomes a text that reads as the same data."""

import datetime
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_ESCAPED = {'"': '\\"', "\\": "\\\\"}


def toml_text(book: Mapping[str, Any], comments: tuple[str, ...] = ()) -> str:
    """The TOML of a table of tables: plain values first, then a ``[table]`` or ``[[table]]`` for each of the others.

    >>> print(toml_text({"schema": 1, "void": {"bets": "returned"}}), end="")
    schema = 1
    <BLANKLINE>
    [void]
    bets = "returned"
    """
    lines = [f"# {comment}" for comment in comments]
    lines += [line for key, value in book.items() if not _is_table(value) for line in _entry(key, value)]
    for key, value in book.items():
        for head, table in _tables(key, value):
            lines += ["", head, *(line for inner, each in table.items() for line in _entry(inner, each))]
    return "\n".join(lines) + "\n"


def toml_value(value: Any) -> str:
    """A value as TOML writes it, on one line.

    >>> toml_value(["K", 6, True])
    '["K", 6, true]'
    """
    return _inline(value)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or _is_list_of_tables(value)


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _tables(key: str, value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        yield f"[{_key(key)}]", value
    elif _is_list_of_tables(value):
        yield from ((f"[[{_key(key)}]]", one) for one in value)


def _entry(key: str, value: Any) -> list[str]:
    """A key with its value; a list of tables stands over several lines, one on each."""
    if _is_list_of_tables(value):
        return [f"{_key(key)} = [", *(f"    {_inline(one)}," for one in value), "]"]
    return [f"{_key(key)} = {_inline(value)}"]


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quoted(key)


def _quoted(text: str) -> str:
    return (
        '"' + "".join(_ESCAPED.get(one, one) if one.isprintable() else _by_number(one) for one in text) + '"'
    )


def _by_number(character: str) -> str:
    return f"\\U{ord(character):08x}"


def _inline(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return _quoted(value)
        case list():
            return f"[{', '.join(map(_inline, value))}]"
        case dict():
            inner = ", ".join(f"{_key(key)} = {_inline(each)}" for key, each in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case datetime.date() | datetime.time():
            return value.isoformat()
        case _:
            return str(value)
