"""One reader for every TOML file of a user: a record of declared types, and every mistake in the file.

The reader walks the types of the record, key by key, and reads each value by itself. A value that is refused
is left out, so that the rest can still be checked:

- a record in a list that is only meaningful as a whole (``complete`` in its class) is left out of its list; a refused
  value of one of its ``apart`` keys does not count;
- a key that is read before the record is made (``read_first`` in its class) is known too; if it is
  misspelt, the keys that it would have stated do not count as missing;
- any other record is built without the value: an optional key has its default, a required one ``None``.

``Found.is_refused`` reports whether a value at or below a key was refused.
"""

import builtins
import datetime
import re
import typing
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import islice
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec

from combinat.base.errors import CombinatError, FileError, InputError, RuleBookError, near_matches, shortened
from combinat.base.files import plain_bytes
from combinat.rules import bounds
from combinat.rules.book.parse import (
    KeyLines,
    comments,
    hidden_character,
    parsed_toml,
    text_mistake,
)
from combinat.rules.odds import as_written, did_you_mean
from combinat.rules.value_sets import Parsed

T = TypeVar("T", covariant=True)
E = TypeVar("E")

MOST = 100
"""The most mistakes that are reported of one file."""

_LAYOUT = str.maketrans("\t\r\n", "   ")
"""Characters that lay out a file, beside spaces."""

_REFUSED: Any = object()

_ID = 'lower-case words joined by hyphens, such as "big-tiger"'

_EXPECTED: dict[Any, str] = {
    str: "text in quotes",
    int: "a whole number",
    bool: "true or false",
    datetime.date: "a date, such as 2025-08-08",
    datetime.time: "a time, such as 08:00:00",
}


class Mistake(NamedTuple):
    """A mistake in a file: its dotted key, a message (what was found, what to write), and its line."""

    key: str
    what: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.key}: {self.what}" if self.key else self.what


class Found(Generic[T]):
    """A record as far as it could be read, and the mistakes.

    ``numbers``: for lists from which entries were left out, the numbers in the file of the remaining entries.
    ``named``: the ids, as the file writes them, of entries in which something was refused; with an empty text for
    entries without an id. ``refused``: every key at or below which something was refused, and keys that the file
    probably misspells.
    """

    def __init__(self, record: T | None = None) -> None:
        self.record = record
        self.mistakes: list[Mistake] = []
        self.numbers: dict[str, list[int]] = {}
        self.named: set[str] = set()
        self.refused: set[str] = set()

    def is_named(self, wanted: str, known: Sequence[str]) -> bool:
        """Whether an id equals or resembles the id of an entry of the file that could not be read."""
        if "" in self.named or not known:
            return True  # it may be the id of an entry whose id could not be read
        return bool(near_matches(wanted, [name for name in self.named if name not in known]))

    def unknown(self, key: str, wanted: str, known: Sequence[str], kind: str) -> Iterator[Mistake]:
        """Yield a mistake if an id is not among those of the game; an id that could not be read counts as known."""
        if wanted not in known and not self.is_named(wanted, known):
            ids = ", ".join(dict.fromkeys(known))
            yield Mistake(
                key, f'found "{shortened(wanted)}", which is no {kind} of this game; write one of {ids}'
            )

    def references(self, key: str, ids: Sequence[str], known: Sequence[str], kind: str) -> Iterator[Mistake]:
        """Yield the ids of a list that are unknown, or that the list repeats."""
        for number, wanted in enumerate(ids):
            where = f"{key}[{number}]"
            if wanted in ids[:number]:
                yield Mistake(where, f'found "{shortened(wanted)}" again; write each {kind} once')
            else:
                yield from self.unknown(where, wanted, known, kind)

    def is_refused(self, key: str) -> bool:
        """Whether a value was refused at a key or below it."""
        return key in self.refused

    def entries(self, key: str, records: tuple[E, ...]) -> list[tuple[str, E]]:
        """Return the entries of a list, each with its dotted key in the file."""
        numbers = self.numbers.get(key, range(len(records)))
        return [(f"{key}[{number}]", record) for number, record in zip(numbers, records, strict=True)]


def file_bytes(
    path: Path, error: type[FileError] | type[RuleBookError] = RuleBookError, of: str = ""
) -> bytes:
    """Return the content of a plain file, or of the target of a link; never wait for a pipe or device.

    Raises ``error`` if it cannot be read; ``of``: the kind of file, for its message.
    """
    try:
        return plain_bytes(path, bounds.BYTES, links=True)
    except FileError as refusal:
        named = shortened(str(path), 300)
        raise error(f"{named}: {refusal.why}; give the path of a TOML file{of and f' of {of}'}") from None


def read(content: bytes, kind: type[T], *, schema: int | None = None) -> tuple[T | None, list[Mistake]]:
    """Return the record in a TOML file, or None, and every mistake in the file, in the order of its lines."""
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
    mistakes = [] if is_checked else list(islice(_hidden_in_comments(text), MOST))
    version = data.get("schema")
    if schema is not None and (version != schema or isinstance(version, bool)):
        stated = "no key schema" if version is None else f"schema = {as_written(version)}"
        mistakes.append(Mistake("schema", f"found {stated}; this combinat reads schema = {schema}"))
        data["schema"] = schema  # the rest is read as if it had this schema
    return data, mistakes


def _hidden_in_comments(text: str) -> Iterator[Mistake]:
    """Yield hidden characters in comments, which people read too. ``_Walk`` checks texts and keys."""
    if hidden_character(text.translate(_LAYOUT)) is None:
        return
    for comment in comments(text):
        if character := hidden_character(comment[0].translate(_LAYOUT)):
            line = text.count("\n", 0, comment.start()) + 1
            yield Mistake("", f"line {line}: found {character}, which is not printable; remove it", line)


def record_of(data: dict[str, Any], kind: type[E]) -> Found[E]:
    """Return the record in the data, with every mistake in them."""
    walk = _Walk[E]()
    record = walk.table(Shape("table", kind), data, "")
    walk.record = None if record is _REFUSED else record
    return walk


def placed(mistakes: list[Mistake], text: str) -> list[Mistake]:
    """Return mistakes with their lines, in the order of the file; those of missing keys come first."""
    if not mistakes:
        return []
    lines = KeyLines(text)
    with_lines = [
        mistake if mistake.line is not None else mistake._replace(line=lines.of(mistake.key))
        for mistake in mistakes[:MOST]
    ]
    return sorted(with_lines, key=lambda mistake: mistake.line or 0)


# ---------------------------------------------------------------- the types of a record


class Shape(NamedTuple):
    """The parsed type of a value: the method of ``_Walk`` that reads it, and its kind.

    ``kind``: the parser of a single value, the type of a table, or the shape of the entries of a list. ``least``: the
    fewest entries of a list.
    """

    sort: str
    kind: Any
    least: int = 0

    @property
    def expected(self) -> str:
        """The expected value, as a phrase for messages."""
        match self.sort:
            case "list_entries":
                return f"a list [...], each of its items {self.kind.expected}"
            case "names":
                return "a table"
            case "table":
                return f"a table with the keys {', '.join(keys_of(self.kind))}"
        return str(self.kind.expected)


@cache
def shape_of(kind: Any) -> Shape:
    """Return the shape of the values of a type; ``| None`` is ignored."""
    if get_origin(kind) in (Union, UnionType):
        return shape_of(next(part for part in get_args(kind) if part is not NoneType))
    constraint = None
    if get_origin(kind) is Annotated:
        kind, constraint, *_ = get_args(kind)
        if isinstance(constraint, Parsed):
            return Shape("value", constraint)
    least = (constraint.min_length or 0) if constraint else 0
    match get_origin(kind):
        case builtins.tuple:
            return Shape("list_entries", shape_of(get_args(kind)[0]), least)
        case builtins.dict:
            return Shape("names", shape_of(get_args(kind)[1]))
        case typing.Literal:
            return Shape("value", _word({word: word for word in get_args(kind)}))
    if issubclass(kind, msgspec.Struct):
        return Shape("table", kind)
    if issubclass(kind, StrEnum):
        return Shape("value", _word({word.value: word for word in kind}))
    if hasattr(kind, "parse"):
        return Shape("value", Parsed(kind.parse, kind.EXPECTED))
    return Shape("value", _plain(kind, least, (constraint.pattern or "") if constraint else ""))


def _plain(kind: type, least: int, pattern: str) -> Parsed:
    """Return the parser of texts, numbers or dates; ``least``: 1 if a text may not be empty."""

    def parse(value: Any) -> Any:
        if type(value) is not kind or (least and not value):
            raise InputError(f"found {as_written(value)}; write {_EXPECTED[kind]}")
        if pattern and not re.search(pattern, str(value), re.ASCII):
            raise InputError(f"found {as_written(value)}; write {_ID}")
        return value

    return Parsed(parse, _ID if pattern else _EXPECTED[kind])


def _word(words: Mapping[str, Any]) -> Parsed:
    """Return the parser of one of a few words."""
    expected = "one of " + ", ".join(f'"{word}"' for word in words)

    def parse(value: Any) -> Any:
        text = value if isinstance(value, str) else ""
        if text in words:
            return words[text]
        meant = next(iter(near_matches(shortened(text), list(words))), "")
        raise InputError(f"found {as_written(value)}; {did_you_mean(meant)} {expected}")

    return Parsed(parse, expected)


class TableKey(NamedTuple):
    """A key of a table: its name in the file and in the record, and the shape of its values."""

    name: str
    attribute: str
    shape: Shape
    required: bool


@cache
def keys_of(kind: type[msgspec.Struct]) -> dict[str, TableKey]:
    """Return the keys of a table, its own before inherited ones."""
    own = kind.__annotations__
    types = {
        name: its
        for base in reversed(kind.__mro__)
        for name, its in vars(base).get("__annotations__", {}).items()
    }
    defaults = kind.__struct_defaults__
    is_required = [True] * (len(kind.__struct_fields__) - len(defaults))
    is_required += [default is msgspec.NODEFAULT for default in defaults]
    keys = [
        TableKey(name, attribute, shape_of(types[attribute]), required)
        for name, attribute, required in zip(
            kind.__struct_encode_fields__, kind.__struct_fields__, is_required, strict=True
        )
    ]
    return {key.name: key for key in sorted(keys, key=lambda key: key.attribute not in own)}


@cache
def required_keys(kind: type[msgspec.Struct]) -> tuple[TableKey, ...]:
    """Return the keys that a table must have."""
    return tuple(key for key in keys_of(kind).values() if key.required)


class _Walk(Found[T]):
    """A walk over the types of a record, along the data of a file.

    The methods that are named after a sort of ``Shape`` return a value of it, or the mark of a refused value; ``name``:
    the last part of the key.
    """

    def _refuse(self, key: str, what: str) -> Any:
        self.mistakes.append(Mistake(key, what))
        self.refused |= {key, *(key[: end.start()] for end in re.finditer(r"[.\[]", key))}
        return _REFUSED

    def _wrong(self, shape: Shape, value: object, key: str) -> Any:
        return self._refuse(key, f"found {as_written(value)}; write {shape.expected}")

    def value(self, shape: Shape, value: object, key: str, name: str) -> Any:
        """Return a single value, which its type parses."""
        parser: Parsed = shape.kind
        if isinstance(value, str) and not parser.any_text and (wrong := text_mistake(name, value)):
            return self._refuse(key, wrong)
        try:
            return parser.parse(value)
        except CombinatError as error:
            if isinstance(error, InputError):
                error.parameter = ""  # the key says where
            return self._refuse(key, str(error))

    def names(self, shape: Shape, value: object, key: str, name: str) -> Any:
        """Return values under names that the file chooses."""
        if not isinstance(value, dict):
            return self._wrong(shape, value, key)
        read: dict[str, Any] = {}
        for own_name, one in value.items():
            if wrong := text_mistake("", own_name):
                self._refuse(key, wrong)
                continue
            short = shortened(own_name)
            read[own_name] = getattr(self, shape.kind.sort)(shape.kind, one, f"{key}.{short}", short)
        return _REFUSED if _REFUSED in read.values() else read

    def list_entries(self, shape: Shape, value: object, key: str, name: str) -> Any:
        """Return the entries of a list that are not refused; ids of refused entries stay known."""
        if not isinstance(value, list) or (shape.least and not value):
            return self._wrong(shape, value, key)
        most = bounds.LISTS.get(name, bounds.ENTRIES)
        if len(value) > most:
            return self._refuse(key, f"found {len(value)} entries; write at most {most}")
        ids: dict[object, int] = {}
        read: list[tuple[int, Any]] = []
        id_key = keys_of(shape.kind.kind).get("id") if shape.kind.sort == "table" else None
        read_entry = getattr(self, shape.kind.sort)
        for number, entry in enumerate(value):
            before = len(self.mistakes)
            record = read_entry(shape.kind, entry, f"{key}[{number}]", name)
            if id_key is not None:
                entry_id = entry.get("id") if isinstance(entry, dict) else None
                first = ids.setdefault(entry_id.upper(), number) if isinstance(entry_id, str) else number
                if first != number:
                    again = f'found "{shortened(str(entry_id))}" again (first in {key}[{first}])'
                    self._refuse(f"{key}[{number}].id", f"{again}; write each id once")
                if len(self.mistakes) > before and "." not in key:
                    self.named.add(entry_id if isinstance(entry_id, str) else "")
            if record is not _REFUSED:
                read.append((number, record))
        if len(read) < len(value):
            self.numbers[key] = [number for number, _ in read]
        return tuple(record for _, record in read)

    def table(self, shape: Shape, value: object, key: str, name: str = "") -> Any:
        """Return a record, or the mark of a refused value."""
        if not isinstance(value, dict):
            return self._wrong(shape, value, key)
        kind, keys, above = shape.kind, keys_of(shape.kind), f"{key}." if key else ""
        apart, first = getattr(kind, "apart", ()), getattr(kind, "read_first", ())
        values: dict[str, Any] = {}
        meant: set[str] = set()
        refused = False
        for name, inner in value.items():
            before = len(self.mistakes)
            if name in keys:
                its = keys[name]
                read = getattr(self, its.shape.sort)(its.shape, inner, above + name, name)
                if read is not _REFUSED:
                    values[its.attribute] = read
            elif before < MOST:
                meant.add(self._unknown(name, key, [*keys, *first]))
            refused |= len(self.mistakes) > before and name not in apart
        if not meant.isdisjoint(first):
            meant |= keys.keys() - value.keys()
        self.refused |= {above + name for name in meant if name}
        for its in required_keys(kind):
            if its.attribute in values:
                continue
            if its.name not in value and its.name not in meant:
                self._refuse(above + its.name, f"missing; give it {its.shape.expected}")
                refused |= its.name not in apart
            values[its.attribute] = () if its.shape.sort == "list_entries" else None
        if refused and getattr(kind, "complete", False):
            return _REFUSED
        return kind(**values)

    def _unknown(self, name: str, key: str, keys: list[str]) -> str:
        """Refuse an unknown key of a table; return the key that was probably meant, or the empty text."""
        if character := hidden_character(name):
            self._refuse(key, f"found {character} in a key, which is not printable; remove it")
            return ""
        from combinat.rules.facts import hint  # imported here: only a mistake needs it

        short = shortened(name) or '""'
        near = next(iter(near_matches(short, keys)), "")
        advice = hint(short, keys)
        advice = f". {advice}" if advice else f"; did you mean {near}?" if near else "."
        self._refuse(
            f"{key}.{short}" if key else short, f"unknown key{advice} The keys here are {', '.join(keys)}"
        )
        return near
