"""A map of a foreign log: the meaning of columns, the notation of cards and amounts, columns to ignore."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import msgspec

from combinat.audit.reading.notation import Notation
from combinat.base.errors import CombinatError, FileError, InputError, in_words, near_matches, shortened
from combinat.base.files import plain_bytes
from combinat.base.money import positive_money
from combinat.rules import bounds
from combinat.rules.book.reader import Mistake, read, record_of
from combinat.rules.converters import as_path
from combinat.rules.value_sets import Parsed

HANDS = ("player_cards", "banker_cards")
DECLARED = (
    "winner",
    "player_points",
    "banker_points",
    "player_pair",
    "banker_pair",
    "player_drew",
    "banker_drew",
)
"""Results that a log may declare beside the cards of a round."""

WAGER = ("player", "bet", "stake", "payout", "profit", "net")
"""The columns of a log with one row for each wager, besides those of the round: player, bet, money."""

PLACES = ("round", "id", "shoe", "table", "time", *HANDS, *DECLARED, *WAGER)
"""The meanings of a column that is not about one bet."""

MONEY = ("stake", "payout", "profit", "net")
"""The meanings of a column about one bet, before a colon and the bet."""


class Rounding(StrEnum):
    """The rounding of winnings to whole units."""

    DOWN = "down"
    UP = "up"
    HALF_UP = "half-up"
    HALF_EVEN = "half-even"

    def rounded(self, amount: Fraction, unit: Fraction) -> Fraction:
        """Return the amount, rounded to whole units.

        >>> [str(way.rounded(Fraction("0.195"), Fraction("0.01"))) for way in Rounding]
        ['19/100', '1/5', '1/5', '1/5']
        """
        units = amount / unit
        whole = units.numerator // units.denominator
        rest = units - whole
        more = {
            Rounding.DOWN: False,
            Rounding.UP: rest > 0,
            Rounding.HALF_UP: rest >= Fraction(1, 2),
            Rounding.HALF_EVEN: rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1),
        }[self]
        return (whole + more) * unit


Chips = tuple[Fraction, Rounding]
"""The smallest amount that is paid, and the rounding of winnings to it."""


class Money(StrEnum):
    """The kinds of amounts on a bet."""

    NET = "net"
    STAKE = "stake"
    PAYOUT = "payout"


@dataclass(frozen=True, slots=True)
class LogColumn:
    """A column about a bet, or about insurance such as ``player@four-cards``."""

    money: Money
    subject: str

    def __str__(self) -> str:
        return f"{self.money}:{self.subject}"


class Shoes(StrEnum):
    """The division of a log without a shoe column into shoes."""

    NONE = "none"  # every round is from a fresh shuffle
    RESTART = "restart"  # a new shoe begins where the numbers of the rounds begin again


def _texts(value: object) -> tuple[str, ...]:
    """Return a text or a list of texts as a tuple."""
    texts = value if isinstance(value, list) else [value]
    if not all(isinstance(text, str) for text in texts):
        raise FileError(f"found {shortened(repr(value))}; write the name of a column, or a list of names")
    return tuple(texts)


def _columns_to_ignore(value: object) -> tuple[str, ...] | None:
    """Return the columns to ignore, or None for all columns that are not named."""
    if isinstance(value, str) and value != "others":
        what = 'write a list of columns, or "others" for all that are not named'
        raise FileError(f'found "{shortened(value)}"; {what}')
    return None if value == "others" else _texts(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise FileError(f"found {shortened(repr(value))}; write text in quotes")
    return value


def _character(value: object) -> str:
    text = _text(value)
    if len(text) != 1 or text.isalnum() or text in '"\n\r':
        raise FileError(f'found "{shortened(text)}"; write one character, such as ;')
    return text


def _unit(value: object) -> Fraction:
    try:
        return positive_money(_text(value))
    except CombinatError:
        text = shortened(str(value))
        raise FileError(f'found "{text}"; write the smallest amount paid, such as 0.01') from None


Names = Annotated[tuple[str, ...], Parsed(_texts, "the name of a column, or a list of names", any_text=True)]
Ignored = Annotated[
    tuple[str, ...], Parsed(_columns_to_ignore, 'a list of columns, or "others"', any_text=True)
]
Character = Annotated[str, Parsed(_character, "one character, such as ;", any_text=True)]
Text = Annotated[str, Parsed(_text, "text in quotes", any_text=True)]
Unit = Annotated[Fraction, Parsed(_unit, "the smallest amount paid, such as 0.01")]


class LogMap(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """A description of a log. Missing parts are detected from the log itself.

    ``ignore``: columns to ignore, or None for all unknown columns.
    """

    game: str | None = None
    decks: int | None = None
    cut_card: int | None = None
    columns: dict[str, Names] = {}
    ignore: Ignored | None = ()
    cards_as: Notation | None = None
    delimiter: Character | None = None
    decimal: Character = "."
    thousands: Text = ""
    currency: Text = ""
    shoes: Shoes | None = None
    scale: int | None = None
    unit: Unit | None = None
    rounding: Rounding | None = None

    def over(self, other: "LogMap") -> "LogMap":
        """Return the map, completed from another.

        >>> other = LogMap(columns={"round": ("b",), "shoe": ("s",)}, decks=8, ignore=("y",))
        >>> both = LogMap(columns={"round": ("a",)}, decimal=",", ignore=("x",)).over(other)
        >>> both.columns, both.decimal, both.decks, both.ignore
        ({'round': ('a',), 'shoe': ('s',)}, ',', 8, ('y', 'x'))
        """
        default = LogMap()
        stated = {
            name: getattr(self, name)
            for name in self.__struct_fields__
            if getattr(self, name) != getattr(default, name)
        }
        stated["columns"] = {**other.columns, **self.columns}
        if self.ignore and other.ignore:
            stated["ignore"] = tuple(dict.fromkeys((*other.ignore, *self.ignore)))
        return msgspec.structs.replace(other, **stated)


def read_map(path: Path) -> LogMap:
    """Return the map in a TOML file."""
    try:
        content = plain_bytes(path, bounds.BYTES, links=True)
    except FileError as error:
        raise FileError(f"{path}: {error.why}") from None
    return _check_map(*read(content, LogMap), str(path))


def parsed_map(raw: Mapping[str, Any], place: str) -> LogMap:
    """Return the map of these keys. ``place``: their source, for messages."""
    found = record_of(dict(raw), LogMap)
    return _check_map(found.record, found.mistakes, place)


LogMapGiven = str | Path | Mapping[str, Any] | LogMap
"""The meaning of the columns of a foreign log: the path of a TOML file, or its keys in a dict."""


def as_log_map(given: object) -> LogMap:
    """Return the map of a log: itself, from a TOML file, or from its keys."""
    if given is None or isinstance(given, LogMap):
        return given or LogMap()
    if isinstance(given, str | Path):
        return read_map(as_path("log_map", given))
    if not isinstance(given, Mapping):
        raise InputError(
            f"found {in_words(given)}",
            'write the path of a TOML file, or its keys, such as {"columns": {"round": "hand"}}',
            parameter="log_map",
        )
    return parsed_map({str(key).replace("_", "-"): value for key, value in given.items()}, "log_map")


def _check_map(log_map: LogMap | None, mistakes: Sequence[Mistake], place: str) -> LogMap:
    """Return the map, or refuse its mistakes."""
    if log_map is None or mistakes:
        raise FileError(f"{place}: {mistakes[0]}")
    for mistake in _mistakes(log_map):
        raise FileError(f"{place}: {mistake}")
    return log_map


def _mistakes(log_map: LogMap) -> Iterator[Mistake]:
    """Yield the mistakes of a map."""
    for what, names in log_map.columns.items():
        kind, colon, _ = what.partition(":")
        if what not in PLACES and not (colon and kind in MONEY):
            known = [*PLACES, *(f"{money}:BET" for money in MONEY)]
            near = near_matches(what, known)
            hint = f"did you mean {near[0]}?" if near else f"a column says one of {', '.join(known)}"
            yield Mistake("columns", f'found "{shortened(what)}"; {hint}')
        if len(names) != 1 and not (what in HANDS and 2 <= len(names) <= 3):
            wanted = "name one, or of the cards of a hand two or three"
            yield Mistake(f"columns.{what}", f"found {len(names)} columns; {wanted}")
    if len(log_map.thousands) > 1 or (log_map.thousands and log_map.thousands == log_map.decimal):
        found = f'found "{shortened(log_map.thousands)}"'
        yield Mistake("thousands", f"{found}; write one character that is not the decimal one")
    if log_map.scale is not None and not 0 <= log_map.scale <= 9:
        yield Mistake("scale", f"found {log_map.scale}; write 0 to 9 decimals")
    if log_map.decks is not None and not 1 <= log_map.decks <= 9999:
        yield Mistake("decks", f"found {log_map.decks}; write a whole number from 1 on")
    if log_map.cut_card is not None and log_map.cut_card < 0:
        yield Mistake("cut-card", f"found {log_map.cut_card}; write a whole number of cards")
    if (log_map.rounding is None) != (log_map.unit is None):
        missing = "rounding" if log_map.rounding is None else "unit"
        yield Mistake(missing, "missing; give unit and rounding together")


def plain_name(name: str) -> str:
    """Return a column's name in the form used for comparison: lower-case words joined by underscores.

    >>> [plain_name(name) for name in ("Player Card #1", "playerCard1", "PLAYER_CARD_1", "HandNo.")]
    ['player_card_1', 'player_card_1', 'player_card_1', 'hand_no']
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])", "_", name)
    return re.sub(r"[^a-z0-9]+", "_", spaced.casefold()).strip("_")


def name_list(names: Sequence[str]) -> str:
    """Return names as a list for messages."""
    quoted = [f'"{shortened(name, 40)}"' for name in names[:10]]
    return ", ".join(quoted) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
