"""One reader for every TOML file of a user: a record of declared types, and every mistake in the file.

The reader walks the types of the record, key by key, and reads each value by itself. A value that is refused is left
out, so that the rest can still be checked:

- a record in a list that is only meaningful as a whole (``complete`` in its class) is left out of its list; a refused
  value of one of its ``apart`` keys does not count;
- a key that is read before the record is made (``read_first`` in its class) is known too; if it is misspelt, what it
  would have stated is not missing;
- any other record is built without the value: an optional key has its default, a required one ``None``.

``Found.is_refused`` says for which keys something was refused.
"""

import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec

from combinat.base.errors import CombinatError, FileError, RuleBookError, near_matches, shortened
from combinat.base.files import plain_bytes
from combinat.rules import bounds
from combinat.rules.book.parse import key_lines, line_of, parsed_toml, toml_tokens
from combinat.rules.book.texts import hidden_character, text_mistake
from combinat.rules.odds import Id, as_written, did_you_mean

T = TypeVar("T")
E = TypeVar("E")

MOST = 100
"""The most mistakes that are reported of one file."""

_LAYOUT = str.maketrans("\t\r\n", "   ")
"""Characters that lay out a file, beside spaces."""

_ENDS = re.compile(r"[.\[]")
"""Where the key of a table or list ends within a dotted key."""

_REFUSED: Any = object()

_DATES = (datetime.date, datetime.time)
_EXPECTED: dict[Any, str] = {
    str: "text in quotes",
    int: "a whole number",
    bool: "true or false",
    datetime.date: "a date, such as 2025-08-08",
    datetime.time: "a time, such as 08:00:00",
}


class Parsed(NamedTuple):
    """How a value of a type that does not parse itself is read: ``Annotated[Fraction, Parsed(...)]``.

    ``any_text``: its texts name parts of another file, where spaces and tabs are significant.
    """

    parse: Callable[[object], Any]
    expected: str
    any_text: bool = False


class Mistake(NamedTuple):
    """A mistake in a file: its dotted key, what was found and what to write, and its line if the file has the key."""

    key: str
    what: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.key}: {self.what}" if self.key else self.what


class Found(NamedTuple, Generic[T]):
    """A record as far as it could be read, and the mistakes.

    ``numbers``: for lists from which entries were left out, the numbers in the file of those that are left.
    ``named``: the ids, as the file writes them, of entries in which something was refused; with an empty text for
    entries without an id. ``refused``: every key at or below which something was refused, and keys that the file
    probably misspells.
    """

    record: T | None
    mistakes: list[Mistake]
    numbers: dict[str, list[int]]
    named: set[str]
    refused: set[str]

    @classmethod
    def whole(cls, record: T) -> "Found[T]":
        """A record in which nothing was refused."""
        return cls(record, [], {}, set(), set())

    def is_named(self, wanted: str, known: Sequence[str]) -> bool:
        """Whether an id is that, or nearly that, of an entry of the file that could not be read."""
        if "" in self.named or not known:
            return True  # it may be that of an entry whose id could not be read
        return bool(near_matches(wanted, [name for name in self.named if name not in known]))

    def is_refused(self, key: str) -> bool:
        """Whether something was refused at a key, or below it."""
        return key in self.refused

    def entries(self, key: str, records: tuple[E, ...]) -> list[tuple[str, E]]:
        """The entries of a list, each with its dotted key in the file."""
        numbers = self.numbers.get(key, range(len(records)))
        return [(f"{key}[{number}]", record) for number, record in zip(numbers, records, strict=True)]


def repeated(part: str, values: Sequence[tuple[str, object]]) -> Iterator[Mistake]:
    """A mistake for each value of a key that an earlier entry has; each value with the key of its entry."""
    first: dict[object, str] = {}
    for entry, value in values:
        if first.setdefault(value, entry) != entry:
            yield Mistake(
                f"{entry}.{part}", f'found "{value}" again (first in {first[value]}); write each {part} once'
            )


def file_bytes(
    path: Path, error: type[FileError] | type[RuleBookError] = RuleBookError, of: str = ""
) -> bytes:
    """The content of a plain file, or of the one that a link leads to; no pipe or device is waited for.

    Raises ``error`` if it cannot be read; ``of``: what the file states, for its message.
    """
    try:
        return plain_bytes(path, bounds.BYTES, links=True)
    except FileError as refusal:
        named = shortened(str(path), 300)
        raise error(f"{named}: {refusal.why}; give the path of a TOML file{of and f' of {of}'}") from None


def read(content: bytes, kind: type[T], *, schema: int | None = None) -> tuple[T | None, list[Mistake]]:
    """The record that a TOML file states, or None, and every mistake in the file, in the order of its lines."""
    data, mistakes = toml_data(content, schema=schema)
    if data is None:
        return None, mistakes
    found = record_of(data, kind)
    mistakes = placed([*mistakes, *found.mistakes], content.decode("utf-8"))
    return None if mistakes else found.record, mistakes


def toml_data(
    content: bytes, *, schema: int | None = None, is_checked: bool = False
) -> tuple[dict[str, Any] | None, list[Mistake]]:
    """Return the data of a TOML file, or None if it cannot be read or exceeds the bounds, and the mistakes.

    ``is_checked``: the file is known to be within the bounds and without hidden characters.
    """
    if len(content) > bounds.BYTES:
        return None, [Mistake("", f"larger than {bounds.BYTES} bytes; write a smaller file")]
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, [Mistake("", f"not UTF-8 text (byte {error.start}); save it as UTF-8")]
    try:
        data = parsed_toml(text, is_checked=is_checked)
    except ValueError as error:
        line = re.search(r"\bline (\d+)", str(error))
        return None, [Mistake("", f"not readable as TOML: {error}", int(line[1]) if line else None)]
    mistakes = [] if is_checked else list(_hidden_in_comments(text))
    version = data.get("schema")
    if schema is not None and (version != schema or isinstance(version, bool)):
        stated = "no key schema" if version is None else f"schema = {as_written(version)}"
        mistakes.append(Mistake("schema", f"found {stated}; this combinat reads schema = {schema}"))
        data["schema"] = schema  # the rest is read as if it were of this schema
    return data, mistakes


def _hidden_in_comments(text: str) -> Iterator[Mistake]:
    """People read comments too: nothing in them may be invisible. The walk looks at texts and keys."""
    if hidden_character(text.translate(_LAYOUT)) is None:
        return
    line = 1
    for token in toml_tokens(text):
        for number, part in enumerate(token[0].split("\n")):
            character = hidden_character(part.translate(_LAYOUT)) if token.lastgroup == "space" else None
            if character:
                where = line + number
                yield Mistake("", f"line {where}: found {character}, which does not show; take it out", where)
        line += token[0].count("\n")


def record_of(data: dict[str, Any], kind: type[T]) -> Found[T]:
    """The record that data state, with every mistake in them."""
    walk = _Walk()
    record = walk.table(kind, data, "")
    if walk.lines > bounds.LINES:
        what = f"found {walk.lines} lines in all pay tables together; write at most {bounds.LINES}"
        return Found(None, [Mistake("pays", what)], {}, set(), set())
    return Found(
        None if record is _REFUSED else record, walk.mistakes, walk.numbers, walk.named, walk.refused
    )


def placed(mistakes: list[Mistake], text: str) -> list[Mistake]:
    """Mistakes with their lines, in the order of the file; those of keys that it does not have come first."""
    if not mistakes:
        return []
    lines = key_lines(text)
    with_lines = [
        mistake if mistake.line is not None else mistake._replace(line=line_of(mistake.key, lines))
        for mistake in mistakes[:MOST]
    ]
    return sorted(with_lines, key=lambda mistake: mistake.line or 0)


# ---------------------------------------------------------------- the types of a record


class TableKey(NamedTuple):
    """A key of a table: its name in the file and in the record, and its type without ``| None``."""

    name: str
    attribute: str
    kind: Any
    required: bool


@cache
def keys_of(kind: type[msgspec.Struct]) -> dict[str, TableKey]:
    """The keys of a table, its own before those that it inherits."""
    own = kind.__annotations__
    fields = sorted(msgspec.structs.fields(kind), key=lambda field: field.name not in own)
    return {
        field.encode_name: TableKey(field.encode_name, field.name, _plain(field.type), field.required)
        for field in fields
    }


def _has_id(kind: Any) -> bool:
    """Whether the entries of a list are tables with an id."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct) and "id" in keys_of(kind)


def _plain(kind: Any) -> Any:
    if get_origin(kind) in (Union, UnionType):
        return next(part for part in get_args(kind) if part is not NoneType)
    return kind


def _parts(kind: Any) -> tuple[Any, msgspec.Meta | None]:
    """A type without its constraints, or how its values are parsed; and the constraints."""
    if get_origin(kind) is not Annotated:
        return kind, None
    plain, constraint, *_ = get_args(kind)
    return (constraint, None) if isinstance(constraint, Parsed) else (plain, constraint)


def plain_type(kind: Any) -> tuple[Any, bool]:
    """Return a type without its constraints, of a list the type of its entries; and whether it is a list."""
    plain, _ = _parts(kind)
    return (_parts(get_args(plain)[0])[0], True) if get_origin(plain) is tuple else (plain, False)


def expected(kind: Any) -> str:
    """What to write for a value of a type, as a phrase."""
    kind, meta = _parts(kind)
    if isinstance(kind, Parsed):
        return kind.expected
    if meta is not None and meta.pattern:
        return 'lower-case words joined by hyphens, such as "big-tiger"'
    if get_origin(kind) is tuple:
        return f"a list [...], each of its items {expected(get_args(kind)[0])}"
    if get_origin(kind) is dict:
        return "a table"
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if issubclass(kind, StrEnum):
        return "one of " + ", ".join(f'"{word}"' for word in kind)
    if issubclass(kind, msgspec.Struct):
        return f"a table with the keys {', '.join(keys_of(kind))}"
    return str(kind.EXPECTED)


class _Walk:
    """The types of a record, walked along the data of a file."""

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []
        self.numbers: dict[str, list[int]] = {}
        self.named: set[str] = set()
        self.refused: set[str] = set()
        self.lines = 0  # of all pay tables

    def _refuse(self, key: str, what: str) -> Any:
        self.mistakes.append(Mistake(key, what))
        self.refused |= {key, *(key[: end.start()] for end in _ENDS.finditer(key))}
        return _REFUSED

    def value(self, kind: Any, value: object, key: str) -> Any:
        """A value of a type, or the mark that it was refused."""
        kind, meta = _parts(kind)
        if get_origin(kind) is tuple:
            return self._list(get_args(kind)[0], value, key, meta)
        if get_origin(kind) is dict:
            return self._named_values(get_args(kind)[1], value, key)
        if hasattr(kind, "parse"):
            return self._parsed(kind, value, key)
        if issubclass(kind, msgspec.Struct):
            return self.table(kind, value, key)
        return self._plain(kind, value, key, meta)

    def _plain(self, kind: Any, value: object, key: str, meta: msgspec.Meta | None) -> Any:
        if isinstance(value, str) and (wrong := text_mistake(_name_in(key), value)):
            return self._refuse(key, wrong)
        if issubclass(kind, StrEnum):
            return kind(value) if value in list(kind) else self._wrong_word(kind, value, key)
        of_kind = type(value) is kind if kind in (int, bool, *_DATES) else isinstance(value, kind)
        if not of_kind or (meta is not None and meta.min_length and not value):
            return self._wrong(kind, value, key)
        pattern = meta.pattern if meta is not None and isinstance(value, str) else None
        if pattern and not re.search(pattern, str(value), re.ASCII):
            return self._wrong(Annotated[kind, meta], value, key)
        return value

    def _wrong(self, kind: Any, value: object, key: str) -> Any:
        return self._refuse(key, f"found {as_written(value)}; write {expected(kind)}")

    def _wrong_word(self, kind: type[StrEnum], value: object, key: str) -> Any:
        near = near_matches(shortened(value), list(map(str, kind))) if isinstance(value, str) else []
        meant = did_you_mean(near[0] if near else "")
        return self._refuse(key, f"found {as_written(value)}; {meant} {expected(kind)}")

    def _parsed(self, kind: Any, value: object, key: str) -> Any:
        texts = value if isinstance(value, list) else [value]
        for number, text in enumerate([] if getattr(kind, "any_text", False) else texts):
            if isinstance(text, str) and (wrong := text_mistake(_name_in(key), text)):
                return self._refuse(f"{key}[{number}]" if isinstance(value, list) else key, wrong)
        try:
            return kind.parse(value)
        except CombinatError as error:
            return self._refuse(key, str(error))

    def _named_values(self, kind: Any, value: object, key: str) -> Any:
        """Values under names that the file chooses."""
        if not isinstance(value, dict):
            return self._wrong(dict[str, kind], value, key)
        read: dict[str, Any] = {}
        for name, one in value.items():
            if wrong := text_mistake("", name):
                self._refuse(key, wrong)
                continue
            read[name] = self.value(kind, one, f"{key}.{shortened(name)}")
        return _REFUSED if _REFUSED in read.values() else read

    def _list(self, kind: Any, value: object, key: str, meta: msgspec.Meta | None) -> Any:
        if not isinstance(value, list) or (meta is not None and meta.min_length and not value):
            return self._wrong(tuple[kind, ...], value, key)
        most = bounds.LISTS.get(_name_in(key), max(bounds.LISTS.values()))
        if len(value) > most:
            return self._refuse(key, f"found {len(value)} entries; write at most {most}")
        self.lines += len(value) if _name_in(key) == "pays" else 0
        ids: dict[object, int] = {}
        read: list[tuple[int, Any]] = []
        for number, entry in enumerate(value):
            before = len(self.mistakes)
            record = self.value(kind, entry, f"{key}[{number}]")
            entry_id = entry.get("id") if isinstance(entry, dict) else None
            if isinstance(entry_id, str):
                self._check_new(kind, entry_id, ids.setdefault(entry_id, number), key, number)
            if len(self.mistakes) > before and "." not in key and _has_id(kind):
                self.named.add(entry_id if isinstance(entry_id, str) else "")
            if record is not _REFUSED:
                read.append((number, record))
        if len(read) < len(value):
            self.numbers[key] = [number for number, _ in read]
        return tuple(record for _, record in read)

    def _check_new(self, kind: Any, entry_id: str, first: int, key: str, number: int) -> None:
        """Refuse an id that another entry of the list has."""
        if first != number and _has_id(kind) and keys_of(kind)["id"].kind == Id:
            self._refuse(
                f"{key}[{number}].id",
                f'found "{shortened(entry_id)}" again (first in {key}[{first}]); write each id once',
            )

    def table(self, kind: Any, value: object, key: str) -> Any:
        """A record, or the mark that it was refused."""
        if not isinstance(value, dict):
            return self._refuse(key, f"found {as_written(value)}; write {expected(kind)}")
        keys = keys_of(kind)
        apart = getattr(kind, "apart", ())
        before = len(self.mistakes)
        first = getattr(kind, "read_first", ())
        unknown = [name for name in value if name not in keys][:MOST]
        meant = {self._unknown(name, key, [*keys, *first]) for name in unknown} - {""}
        self.refused |= {f"{key}.{name}" if key else name for name in meant}
        values: dict[str, Any] = {}
        refused = len(self.mistakes) > before
        for name, its in keys.items():
            before = len(self.mistakes)
            where = f"{key}.{name}" if key else name
            if name in value:
                read = self.value(its.kind, value[name], where)
                if read is not _REFUSED:
                    values[its.attribute] = read
            elif not meant.isdisjoint(first):
                self.refused.add(where)
            elif its.required and name not in meant:
                self._refuse(where, f"missing; give it {expected(its.kind)}")
            if its.required:
                nothing = () if get_origin(_parts(its.kind)[0]) is tuple else None
                values.setdefault(its.attribute, nothing)
            refused |= len(self.mistakes) > before and name not in apart
        if refused and getattr(kind, "complete", False):
            return _REFUSED
        return kind(**values)

    def _unknown(self, name: str, key: str, keys: list[str]) -> str:
        """Refuse a key that a table does not have; the key that was probably meant, or the empty text."""
        if character := hidden_character(name):
            self._refuse(key, f"found {character} in a key, which does not show; take it out")
            return ""
        from combinat.rules.facts import hint  # only a mistake needs it

        short = shortened(name) or '""'
        near = next(iter(near_matches(short, keys)), "")
        advice = hint(short, keys)
        advice = f". {advice}" if advice else f"; did you mean {near}?" if near else "."
        self._refuse(
            f"{key}.{short}" if key else short, f"unknown key{advice} The keys here are {', '.join(keys)}"
        )
        return near


def _name_in(key: str) -> str:
    """The last name in a dotted key.

    >>> _name_in("bets[1].layouts[0]")
    'layouts'
    """
    name = key.rpartition(".")[2]
    return name.partition("[")[0]
