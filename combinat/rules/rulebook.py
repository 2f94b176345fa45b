"""Rule books: finding a game's TOML file, reading it strictly, and believing only what holds together.

A key that is not known, a value of another type, a bet that pays one outcome twice, an offer that can
never arise: each is refused with the file, the dotted key, what was found and what to write.
"""

import contextlib
import datetime
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin

import msgspec

from combinat.errors import RuleBookError, near_matches
from combinat.rules.checks import check_game
from combinat.rules.game import SCHEMA, Game
from combinat.rules.odds import Odds, PointSet, Share, as_written

_MOST_BYTES = 1_000_000
_MOST_ENTRIES = 100
"""The longest list of a rule book; the checker takes no longer ones."""

_MOST_DOTS = 200
"""In a line: the time that ``tomllib`` takes for a dotted key grows with the square of its parts."""

_MOST_DEPTH = 10
"""No list of a rule book is as deep: ``interpretations[0].instead.bets[0].pays`` is at 6."""

_TEXTS: dict[Any, Callable[[object], Any]] = {Odds: Odds.parse, PointSet: PointSet.parse, Share: Share.parse}

_PLAIN: dict[Any, str] = {
    str: 'text in quotes, such as "4.1.2"',
    int: "a whole number",
    bool: "true or false",
    Odds: 'odds, such as "50 to 1"',
    PointSet: 'points, such as 6 or "0-5"',
    Share: 'a percentage, such as "25%"',
    datetime.date: "a date, such as 2025-08-08",
    datetime.time: "a time, such as 08:00:00",
}


def rule_book_paths() -> dict[str, Path]:
    """The rule books that come with combinat, by game id."""
    package = Path(__file__).resolve().parent.parent
    # An installed wheel carries the rule books inside the package; a checkout has them beside it.
    for folder in (package / "tables", package.parent / "tables"):
        if folder.is_dir():
            return {path.stem: path for path in sorted(folder.glob("*.toml"))}
    raise RuleBookError(
        f"no rule books found: neither {package / 'tables'} nor the checkout's tables/ exists"
    )


def rule_book_path(game: str) -> Path:
    """The file of a game named by its id, by the beginning of its id, or by a path to a TOML file."""
    if game.endswith(".toml") or "/" in game or "\\" in game:
        return Path(game)
    known = rule_book_paths()
    matches = (
        [known[game]] if game in known else [path for name, path in known.items() if name.startswith(game)]
    )
    if game and len(matches) == 1:
        return matches[0]
    ids = ", ".join(known)
    if game and matches:
        several = ", ".join(path.stem for path in matches)
        raise RuleBookError(f'game "{game}" could be {several}; write more of the id')
    near = near_matches(game, list(known))
    hint = f"; did you mean {near[0]}?" if near else "."
    raise RuleBookError(f'no game "{game}"{hint} The games are {ids}; or give a path to a TOML file')


@dataclass(frozen=True, slots=True)
class RuleBook:
    """A rule book as it was read: its bytes, and the game that they state."""

    content: bytes
    game: Game

    @property
    def sha256(self) -> str:
        """The SHA-256 of its bytes."""
        import hashlib  # only some commands need it

        return hashlib.sha256(self.content).hexdigest()


def load_rule_book(game: str | Path) -> RuleBook:
    """The rule book of a game with this id, unique beginning of an id, or TOML file, fully checked."""
    path = game if isinstance(game, Path) else rule_book_path(game)
    return parsed_rule_book(_bytes(path), path)


def parsed_rule_book(content: bytes, path: Path) -> RuleBook:
    """The rule book that these bytes are; ``path`` names it in errors and must carry its game's id."""
    if len(content) > _MOST_BYTES:
        raise RuleBookError(f"{path}: larger than {_MOST_BYTES} bytes; a rule book is a small TOML file")
    return RuleBook(content, parse_game(_decoded(content, path), path))


def load_game(game: str | Path) -> Game:
    """The game with this id, unique beginning of an id, or TOML file, fully checked.

    >>> load_game("commission-insurance-2013").decks.most
    8
    """
    return load_rule_book(game).game


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise RuleBookError(f"{path}: cannot be read ({why}); give the path of a TOML file") from None
    return content


def _decoded(content: bytes, path: Path) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RuleBookError(f"{path}: not UTF-8 text (byte {error.start}); save it as UTF-8") from None


@lru_cache(maxsize=16)
def parse_game(text: str, path: Path) -> Game:
    """The game that a rule book's text states; ``path`` names it in errors and must carry its id.

    Checking a rule book costs tens of milliseconds, and a game never changes: the last few are kept.
    """
    try:
        raw = tomllib.loads(_with_few_dots(text))
    except (ValueError, RecursionError) as error:
        raise RuleBookError(f"{path.name}: not readable as TOML: {error}") from None
    version = raw.get("schema")
    if version != SCHEMA or isinstance(version, bool):
        stated = "no key schema" if version is None else f"schema = {as_written(version)}"
        raise RuleBookError(f"{path.name}: schema: found {stated}; this combinat reads schema = {SCHEMA}")
    for key, entries in _lists("", raw):
        if len(entries) > _MOST_ENTRIES:
            raise RuleBookError(
                f"{path.name}: {key}: found {len(entries)} entries; write at most {_MOST_ENTRIES}"
            )
    try:
        game = msgspec.convert(
            raw,
            Game,
            dec_hook=lambda kind, value: _TEXTS[kind](value),
            builtin_types=(datetime.date, datetime.time, datetime.datetime),
        )
    except msgspec.ValidationError as error:
        raise RuleBookError(f"{path.name}: {_explained(str(error), raw)}") from None
    if path.stem != game.id:
        raise RuleBookError(
            f'{path.name}: id: found "{game.id}"; the file is named after its game: '
            f'write id = "{path.stem}" or name the file {game.id}.toml'
        )
    try:
        check_game(game)
    except RuleBookError as error:
        raise RuleBookError(f"{path.name}: {error}") from None
    return game


def _with_few_dots(text: str) -> str:
    """The text, if none of its lines can hold a key of very many parts."""
    for number, line in enumerate(text.split("\n"), start=1):
        if (dots := line.count(".")) > _MOST_DOTS:
            raise ValueError(f"line {number}: found {dots} dots; write at most {_MOST_DOTS} in a line")
    return text


def _lists(key: str, value: Any, depth: int = 0) -> Iterator[tuple[str, list[Any]]]:
    """Every list below a dotted key, each with its own; deeper than any key of a rule book none is looked for."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, list):
        yield key, value
        for number, entry in enumerate(value):
            yield from _lists(f"{key}[{number}]", entry, depth + 1)
    elif isinstance(value, dict):
        for name, entry in value.items():
            yield from _lists(f"{key}.{name}" if key else name, entry, depth + 1)


def _explained(message: str, raw: dict[str, Any]) -> str:
    """A msgspec refusal in our words: dotted key, what was found, what to write."""
    reason, key, kind, value = message, "", Game, raw
    if placed := re.fullmatch(r"(.*) - at `\$\.?([\w.\[\]]+)`", message, re.DOTALL):
        # A key of the file's own making may look like a place; then there is nothing at it.
        with contextlib.suppress(StopIteration, KeyError):
            kind, value = _at(placed[2], raw)
            reason, key = placed[1], placed[2]
    where = f"{key}: " if key else ""
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", reason):
        near = near_matches(unknown[1], _keys(kind))
        hint = f"; did you mean {near[0]}?" if near else "."
        return f"{where}unknown key {unknown[1]}{hint} The keys here are {', '.join(_keys(kind))}"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", reason):
        wanted = _expected(_field(kind, missing[1]))
        return f"{where}the key {missing[1]} is missing; give it {wanted}"
    if get_origin(kind) is not tuple and kind in _TEXTS:
        return f"{where}{reason}"
    return f"{where}found {as_written(value)}; write {_expected(kind)}"


def _at(key: str, raw: dict[str, Any]) -> tuple[Any, Any]:
    """The type that a rule book has at a dotted key, and the value there."""
    kind: Any = Game
    value: Any = raw
    for name, index in re.findall(r"([a-z_]+)|\[(\d+)\]", key):
        if name:
            kind, value = _field(kind, name), value[name]
        else:
            kind, value = _plain(get_args(kind)[0]), value[int(index)]
    return kind, value


def _keys(kind: Any) -> list[str]:
    return [field.name for field in msgspec.structs.fields(kind)]


def _field(kind: Any, name: str) -> Any:
    """The type of one key of a table, without its ``| None`` and its constraints."""
    of_key = next(field.type for field in msgspec.structs.fields(kind) if field.name == name)
    if isinstance(of_key, UnionType):
        of_key = next(part for part in get_args(of_key) if part is not NoneType)
    return _plain(of_key)


def _plain(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _expected(kind: Any) -> str:
    """What a value of this type looks like, in words."""
    if get_origin(kind) is tuple:
        return f"a list [...], each of its items {_expected(_plain(get_args(kind)[0]))}"
    if issubclass(kind, StrEnum):
        return "one of " + ", ".join(f'"{member}"' for member in kind)
    if issubclass(kind, msgspec.Struct):
        return f"a table with the keys {', '.join(_keys(kind))}"
    return _PLAIN.get(
        kind, f"a {kind.__name__} such as {'2025-08-08' if kind.__name__ == 'date' else '08:00:00'}"
    )
