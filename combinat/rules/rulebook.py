"""Rule books: finding a game's TOML file, reading it strictly, and believing only what holds together.

A key that is not known, a value of another type, a bet that pays one outcome twice, an offer that can
never arise: each is refused with the file, the dotted key, what was found and what to write.
"""

import contextlib
import datetime
import os
import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin

import msgspec

from combinat.errors import RuleBookError, near_matches, shortened
from combinat.render.files import FileError, plain_bytes
from combinat.rules.accepted import NumberSet, PairsSet, RankSet, ThirdSet, WinnerSet, bad_numbers
from combinat.rules.bounds import BYTES
from combinat.rules.examples import Published
from combinat.rules.game import SCHEMA, Game, Layout, OtherLayout, Status
from combinat.rules.odds import Odds, PointSet, PointsOrNone, Share, as_written, did_you_mean
from combinat.rules.prepared import prepared
from combinat.rules.rule_book_files import rule_book_path, rule_book_paths

__all__ = [
    "RuleBook",
    "load_game",
    "load_rule_book",
    "parse_game",
    "parsed_rule_book",
    "rule_book_path",
    "rule_book_paths",
]

_TEXTS: dict[Any, Callable[[object], Any]] = {
    Odds: Odds.parse,
    PointSet: PointSet.parse,
    PointsOrNone: PointsOrNone.parse,
    Share: Share.parse,
    NumberSet: NumberSet.parse,
    ThirdSet: ThirdSet.parse,
    WinnerSet: WinnerSet.parse,
    PairsSet: PairsSet.parse,
    RankSet: RankSet.parse,
    Published: Published.parse,
}

_PLAIN: dict[Any, str] = {
    str: 'text in quotes, such as "4.1.2"',
    int: "a whole number",
    bool: "true or false",
    Odds: 'odds, such as "50 to 1"',
    PointSet: 'points, such as 6 or "0-5"',
    PointsOrNone: 'points, such as 6, "0-5" or "none"',
    Share: 'a percentage, such as "25%"',
    NumberSet: 'numbers, such as 6 or "4-9"',
    ThirdSet: 'the points of a third card, such as 6, "0-5" or "none"',
    WinnerSet: 'who wins, such as "player" or ["player", "banker"]',
    PairsSet: 'which pairs, such as "single" or ["double", "twin"]',
    Published: 'a figure in quotes, such as "7.611%"',
    RankSet: 'ranks, such as "K" or ["J", "Q", "K"]',
    datetime.date: "a date, such as 2025-08-08",
    datetime.time: "a time, such as 08:00:00",
}


_STAND_INS: dict[Any, Any] = {
    str: "not stated",
    int: 1,
    Odds: "1 to 1",
    PointSet: 0,
    PointsOrNone: "none",
    Share: "5%",
    datetime.date: datetime.date(1970, 1, 1),
}
"""A value of each type that some key of a rule book must have."""


class RuleBook(msgspec.Struct, frozen=True):
    """A rule book as it was read: its bytes, and the game that they state."""

    content: bytes
    game: Game

    @property
    def sha256(self) -> str:
        """The SHA-256 of its bytes."""
        import hashlib  # only some commands need it

        return hashlib.sha256(self.content).hexdigest()

    def read_otherwise(self, interpretation_ids: Sequence[str]) -> "RuleBook":
        """The same bytes, with the game under the other reading of these entries of its register."""
        if not interpretation_ids:
            return RuleBook(self.content, self.game.document)
        from combinat.rules.reading import with_readings  # most commands follow the document's own

        return RuleBook(self.content, with_readings(self.game, interpretation_ids))


def load_rule_book(game: str | Path) -> RuleBook:
    """The rule book of a game with this id, unique beginning of an id, or TOML file, fully checked."""
    path = game if isinstance(game, Path) else rule_book_path(game)
    content = _bytes(path)
    shipped = _prepared_game(path.stem, content)
    return RuleBook(content, shipped) if shipped else parsed_rule_book(content, path, folder=path.parent)


@lru_cache(maxsize=16)
def _prepared_game(game_id: str, content: bytes) -> Game | None:
    """The game that these bytes state, if that was found out beforehand: they are those of a shipped rule book."""
    return prepared(game_id, content, Game, _of_text)


def read_again(path: Path) -> Game:
    """The game that a rule book's file states, read and checked by itself, where what was prepared of it is the same."""
    content = _bytes(path)
    game = parsed_rule_book(content, path, folder=path.parent).game
    if _prepared_game(path.stem, content) not in (None, game):
        raise RuleBookError(
            f"{_named(path)}: what was prepared from it states something else than the file; "
            "this installation is damaged: install combinat again"
        )
    return game


def parsed_rule_book(content: bytes, path: Path, *, folder: Path | None = None) -> RuleBook:
    """The rule book that these bytes are; ``path`` names it in errors and must carry its game's id.

    What it takes over from its base, or as a draft leaves out, is written out: the bytes of the rule book are then
    those of the whole. ``folder``: where a base that is a file lies; None: a base is a shipped game.
    """
    if len(content) > BYTES:
        raise RuleBookError(f"{_named(path)}: larger than {BYTES} bytes; a rule book is a small TOML file")
    text = _decoded(content, path)
    whole, _ = _whole(text, path, folder)
    return RuleBook(content if whole is text else whole.encode("utf-8"), parse_game(whole, path))


def load_game(game: str | Path) -> Game:
    """The game with this id, unique beginning of an id, or TOML file, fully checked.

    >>> load_game("commission-insurance-2013").decks.most
    8
    """
    return load_rule_book(game).game


def _named(path: Path) -> str:
    return shortened(str(path), 300)


def _bytes(path: Path, named: Path | None = None) -> bytes:
    """The content of a plain file, or of the one that a link leads to; no pipe or device is waited for.

    ``named``: what errors call it.
    """
    try:
        return plain_bytes(Path(os.path.realpath(path)), BYTES)
    except FileError as error:
        why = error.why
    except ValueError as error:
        why = f"cannot be read ({error})"
    raise RuleBookError(f"{_named(named or path)}: {why}; give the path of a TOML file")


def _decoded(content: bytes, path: Path) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RuleBookError(
            f"{_named(path)}: not UTF-8 text (byte {error.start}); save it as UTF-8"
        ) from None


@lru_cache(maxsize=16)
def parse_game(text: str, path: Path) -> Game:
    """The game that a rule book's text states; ``path`` names it in errors and must carry its id.

    Checking a rule book costs tens of milliseconds, and a game never changes: the last few are kept.
    """
    from combinat.rules.checks import check_game  # of a shipped rule book it was asked beforehand

    _, raw = _whole(text, path, None)
    try:
        game = stated_game(raw)
    except RuleBookError as error:
        raise RuleBookError(f"{path.name}: {error}") from None
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


def stated_game(raw: dict[str, Any]) -> Game:
    """The game that the data of a whole rule book state, by the types of its values; whether it holds is not asked."""
    try:
        return msgspec.convert(
            raw,
            Game,
            dec_hook=_of_text,
            builtin_types=(datetime.date, datetime.time, datetime.datetime),
        )
    except msgspec.ValidationError as error:
        raise RuleBookError(explained(str(error), raw, Game)) from None


def _of_text(kind: Any, value: object) -> Any:
    return _TEXTS[kind](value)


def rule_book_text(path: Path) -> str:
    """The text of a rule book's file."""
    return _decoded(_bytes(path), path)


def whole_data(text: str, path: Path) -> dict[str, Any]:
    """The data of the whole rule book that a file's text states, of which only the bounds have been looked at."""
    return _whole(text, path, path.parent)[1]


def stand_in(key: str, raw: dict[str, Any]) -> Any:
    """A value that may stand at a dotted key, where the file has none that can be read; None: it may be left out."""
    above, _, name = key.rpartition(".")
    field = next(
        field
        for field in msgspec.structs.fields(_at(above, raw, Game)[0] if above else Game)
        if field.encode_name == name
    )
    return _stand_in(field.type) if field.required else None


def _stand_in(kind: Any) -> Any:
    kind = _plain(kind)
    if get_origin(kind) is tuple:
        return [_stand_in(_plain(get_args(kind)[0]))]
    if issubclass(kind, StrEnum):
        return next(iter(kind)).value
    if issubclass(kind, msgspec.Struct):
        required = (field for field in msgspec.structs.fields(kind) if field.required)
        return {field.encode_name: _stand_in(field.type) for field in required}
    return _STAND_INS[kind]


def _whole(text: str, path: Path, folder: Path | None) -> tuple[str, dict[str, Any]]:
    """The whole rule book that a text states, as text and as data: with what it takes over and may leave out."""
    raw = _parsed(text, path)
    if "base" not in raw and raw.get("status") != "draft":
        return text, raw
    from combinat.rules.resolved import resolved_text  # only some rule books need it

    def loaded(base: Path) -> dict[str, Any]:
        name = Path(base.name)
        try:
            return _parsed(_decoded(_bytes(base, name), name), name)
        except RuleBookError as error:
            raise RuleBookError(f"base: {error}") from None

    try:
        whole = resolved_text(text, raw, folder, loaded)
    except RuleBookError as error:
        raise RuleBookError(f"{path.name}: {error}") from None
    if len(whole.encode("utf-8")) > BYTES:
        raise RuleBookError(f"{path.name}: larger than {BYTES} bytes with its base; take less over")
    return whole, raw if whole is text else _parsed(whole, path)


@lru_cache(maxsize=4)
def _parsed(text: str, path: Path) -> dict[str, Any]:
    """The data of a rule book's text, within the bounds; it is asked for twice, and nobody changes it."""
    try:
        raw = stated_data(text, SCHEMA)
        if "status" in raw and raw["status"] not in list(Status):
            raise RuleBookError(
                f"status: found {as_written(raw['status'])}; {did_you_mean(meant_status(raw['status']))} "
                f"{_expected(Status)}"
            )
    except RuleBookError as error:
        raise RuleBookError(f"{path.name}: {error}") from None
    return raw


def meant_status(written: object) -> str:
    """The status that was meant where it is misspelt; empty: neither of them.

    >>> meant_status("drafft"), meant_status("final")
    ('draft', '')
    """
    return next(iter(near_matches(str(written), [str(status) for status in Status])), "")


def stated_data(text: str, schema: int) -> dict[str, Any]:
    """The data of a TOML file of this schema, within the bounds."""
    from combinat.rules.bounded_toml import check_values, parsed_toml  # a shipped rule book is not parsed

    try:
        raw = parsed_toml(text)
    except ValueError as error:
        raise RuleBookError(f"not readable as TOML: {error}") from None
    version = raw.get("schema")
    if version != schema or isinstance(version, bool):
        stated = "no key schema" if version is None else f"schema = {as_written(version)}"
        raise RuleBookError(f"schema: found {stated}; this combinat reads schema = {schema}")
    check_values(raw, text)
    return raw


def explained(message: str, raw: dict[str, Any], root: Any) -> str:
    """A msgspec refusal in our words: dotted key, what was found, what to write; ``root``: the type of the file."""
    reason, key, kind, value = message, "", root, raw
    if placed := re.fullmatch(r"(.*) - at `\$\.?([\w.\[\]]+)`", message, re.DOTALL):
        # A key of the file's own making may look like a place; then there is nothing at it.
        with contextlib.suppress(StopIteration, LookupError, TypeError):
            there, value_there = _at(placed[2], raw, root)
            if " field `" in placed[1]:
                _keys(there)  # nothing but a table has any
            reason, key, kind, value = placed[1], placed[2], there, value_there
    where = f"{key}: " if key else ""
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", reason):
        from combinat.rules.hints import hint  # only a mistake needs it

        unknown_key = shortened(unknown[1])
        near = near_matches(unknown_key, _keys(kind))
        said = hint(unknown_key, _keys(kind))
        hinted = f". {said}" if said else f"; did you mean {near[0]}?" if near else "."
        return f"{where}unknown key {unknown_key}{hinted} The keys here are {', '.join(_keys(kind))}"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", reason):
        wanted = _wanted(_field(kind, missing[1]), kind, missing[1])
        return f"{where}the key {missing[1]} is missing; give it {wanted}"
    if get_origin(kind) is not tuple and kind in _TEXTS:
        return f"{where}{bad_numbers(value, key.rpartition('.')[2]) if kind is NumberSet else reason}"
    above, _, name = re.sub(r"\[\d+\]$", "", key).rpartition(".")
    return f"{where}found {as_written(value)}; write {_wanted(kind, _at(above, raw, root)[0], name)}"


def _at(key: str, raw: dict[str, Any], root: Any) -> tuple[Any, Any]:
    """The type that a file has at a dotted key, and the value there."""
    kind: Any = root
    value: Any = raw
    for name, index in re.findall(r"([a-z_]+)|\[(\d+)\]", key):
        if name:
            kind, value = _field(kind, name), value[name]
        else:
            kind, value = _plain(get_args(kind)[0]), value[int(index)]
    return kind, value


def _keys(kind: Any) -> list[str]:
    """The keys of a table, its own before those that it shares with others."""
    own = getattr(kind, "__annotations__", {})
    fields = sorted(msgspec.structs.fields(kind), key=lambda field: field.name not in own)
    return [field.encode_name for field in fields] + (["base"] if kind is Game else [])


def _field(kind: Any, name: str) -> Any:
    """The type of one key of a table, without its ``| None`` and its constraints."""
    of_key = next(field.type for field in msgspec.structs.fields(kind) if field.encode_name == name)
    if isinstance(of_key, UnionType):
        of_key = next(part for part in get_args(of_key) if part is not NoneType)
    return _plain(of_key)


def _plain(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _wanted(kind: Any, table: Any, name: str) -> str:
    """What a value of this type looks like at a key of a table, in words: text is of more than one sort."""
    wanted = _expected(kind)
    if not wanted.endswith(_PLAIN[str]):
        return wanted
    from combinat.rules.resolved import is_a_place  # only a mistake needs it

    if name == "id" and table not in (Layout, OtherLayout):
        return 'lower-case words joined by hyphens, in quotes, such as "big-tiger"'
    return wanted if is_a_place(table, name) else wanted.removesuffix(', such as "4.1.2"')


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
