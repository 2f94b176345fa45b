"""A map of a foreign log: which of its columns says what, how cards and amounts are written, what to leave out."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from combinat.audit.notation import Notation
from combinat.base.errors import CombinatError, HandLogError, near_matches, shortened
from combinat.base.files import FileError, plain_bytes
from combinat.rules.money import positive_money

MOST_MAP = 100_000
"""Bytes of a map."""

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
"""What a log may say of a round beside its cards."""

WAGER = ("player", "bet", "stake", "payout", "profit", "net")
"""What a log of one row a wager has beside the round: who, on what, and the money."""

PLACES = ("round", "id", "shoe", "table", "time", *HANDS, *DECLARED, *WAGER)
"""Everything that a column can say that is not of one bet."""

MONEY = ("stake", "payout", "profit", "net")
"""What a column can say of one bet, before a colon and the bet."""


class Rounding(StrEnum):
    """How winnings that are no whole number of units are rounded."""

    DOWN = "down"
    UP = "up"
    HALF_UP = "half-up"
    HALF_EVEN = "half-even"

    def rounded(self, amount: Fraction, unit: Fraction) -> Fraction:
        """The amount in whole units.

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


class Shoes(StrEnum):
    """How the shoes of a log without a column of shoes are told apart."""

    NONE = "none"  # every round is from a fresh shuffle
    RESTART = "restart"  # a new shoe begins where the numbers of the rounds begin again


@dataclass(frozen=True, kw_only=True)
class LogMap:
    """What is said of a log beside the log: any part may be left to be told from the log itself."""

    game: str | None = None
    decks: int | None = None
    cut_card: int | None = None
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()
    ignore_others: bool = False
    cards_as: Notation | None = None
    delimiter: str | None = None
    decimal: str = "."
    thousands: str = ""
    currency: str = ""
    shoes: Shoes | None = None
    scale: int | None = None
    unit: Fraction | None = None
    rounding: Rounding | None = None

    def over(self, other: "LogMap") -> "LogMap":
        """What one map says, and what it does not say from another."""
        plain = LogMap()
        said = {
            name: getattr(self, name)
            for name in self.__dataclass_fields__
            if getattr(self, name) != getattr(plain, name)
        }
        columns = {**other.columns, **self.columns}
        ignore = tuple(dict.fromkeys((*other.ignore, *self.ignore)))
        return replace(other, **{**said, "columns": columns, "ignore": ignore})


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename="kebab"):
    game: str | None = None
    decks: int | None = None
    cut_card: int | None = None
    columns: dict[str, str | list[str]] = {}
    ignore: str | list[str] = []
    cards_as: str | None = None
    delimiter: str | None = None
    decimal: str = "."
    thousands: str = ""
    currency: str = ""
    shoes: str | None = None
    scale: int | None = None
    unit: str | None = None
    rounding: str | None = None


KEYS = tuple(one.encode_name for one in msgspec.structs.fields(_File))


def read_map(path: Path) -> LogMap:
    """The map in a TOML file."""
    try:
        text = plain_bytes(path, MOST_MAP, links=True).decode("utf-8")
        raw = tomllib.loads(text)
    except FileError as error:
        raise HandLogError(f"{path}: {error.why}") from None
    except (ValueError, RecursionError) as error:
        raise HandLogError(f"{path}: not readable as TOML: {shortened(str(error), 200)}") from None
    return parsed_map(raw, str(path))


def parsed_map(raw: Mapping[str, Any], place: str) -> LogMap:
    """The map that these keys state. ``place``: where they stand."""
    for key in raw:
        if key not in KEYS:
            near = near_matches(key, list(KEYS))
            hint = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(KEYS)}"
            raise HandLogError(f'{place}: unknown key "{shortened(key)}"; {hint}')
    try:
        said = msgspec.convert(dict(raw), _File)
    except msgspec.ValidationError as error:
        raise HandLogError(f"{place}: {error}") from None
    columns = {
        what: tuple([names] if isinstance(names, str) else names) for what, names in said.columns.items()
    }
    return _checked(
        LogMap(
            game=said.game,
            decks=said.decks,
            cut_card=said.cut_card,
            columns=columns,
            ignore=() if isinstance(said.ignore, str) else tuple(said.ignore),
            ignore_others=_others(said.ignore, place),
            cards_as=_one_of(Notation, said.cards_as, f"{place}: cards-as"),
            delimiter=said.delimiter,
            decimal=said.decimal,
            thousands=said.thousands,
            currency=said.currency,
            shoes=_one_of(Shoes, said.shoes, f"{place}: shoes"),
            scale=said.scale,
            unit=_unit(said.unit, place),
            rounding=_one_of(Rounding, said.rounding, f"{place}: rounding"),
        ),
        place,
    )


def _others(ignore: str | list[str], place: str) -> bool:
    if isinstance(ignore, str) and ignore != "others":
        raise HandLogError(
            f'{place}: ignore: found "{shortened(ignore)}"; write a list of columns, or "others" for all that are not named'
        )
    return ignore == "others"


def _one_of(kind: type[StrEnum], text: str | None, where: str) -> Any:
    if text is None:
        return None
    try:
        return kind(text)
    except ValueError:
        raise HandLogError(f'{where}: found "{shortened(text)}"; write one of {", ".join(kind)}') from None


def _unit(text: str | None, place: str) -> Fraction | None:
    if text is None:
        return None
    try:
        return positive_money(text)
    except CombinatError:
        raise HandLogError(
            f'{place}: unit: found "{shortened(text)}"; write the smallest amount paid, such as 0.01'
        ) from None


def _checked(log_map: LogMap, place: str) -> LogMap:
    """The map, if what it says can be meant."""
    for what, names in log_map.columns.items():
        kind, colon, _ = what.partition(":")
        if what not in PLACES and not (colon and kind in MONEY):
            known = [*PLACES, *(f"{money}:BET" for money in MONEY)]
            near = near_matches(what, known)
            hint = f"did you mean {near[0]}?" if near else f"a column says one of {', '.join(known)}"
            raise HandLogError(f'{place}: columns: found "{shortened(what)}"; {hint}')
        if len(names) != 1 and not (what in HANDS and 2 <= len(names) <= 3):
            raise HandLogError(
                f"{place}: columns: {what}: found {len(names)} columns; name one, or of the cards of a hand two or three"
            )
    for name, text in (("delimiter", log_map.delimiter), ("decimal", log_map.decimal)):
        if text is not None and (len(text) != 1 or text.isalnum() or text in '"\n\r'):
            raise HandLogError(f'{place}: {name}: found "{shortened(text)}"; write one character, such as ;')
    if len(log_map.thousands) > 1 or (log_map.thousands and log_map.thousands == log_map.decimal):
        raise HandLogError(
            f'{place}: thousands: found "{shortened(log_map.thousands)}"; write one character that is not the decimal one'
        )
    if log_map.scale is not None and not 0 <= log_map.scale <= 9:
        raise HandLogError(f"{place}: scale: found {log_map.scale}; write 0 to 9 decimals")
    if log_map.decks is not None and not 1 <= log_map.decks <= 9999:
        raise HandLogError(f"{place}: decks: found {log_map.decks}; write a whole number from 1 on")
    if log_map.cut_card is not None and log_map.cut_card < 0:
        raise HandLogError(f"{place}: cut-card: found {log_map.cut_card}; write a whole number of cards")
    if (log_map.rounding is None) != (log_map.unit is None):
        missing = "rounding" if log_map.rounding is None else "unit"
        raise HandLogError(f"{place}: {missing} is missing; give unit and rounding together")
    return log_map


def plain_name(name: str) -> str:
    """A column's name as it is compared: small letters and digits, one line between words.

    >>> plain_name("Player Card #1"), plain_name("HandNo.")
    ('player_card_1', 'hand_no')
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])", "_", name)
    return re.sub(r"[^a-z0-9]+", "_", spaced.casefold()).strip("_")


def listed(names: Sequence[str]) -> str:
    """Names as a message lists them."""
    quoted = [f'"{shortened(name, 40)}"' for name in names[:10]]
    return ", ".join(quoted) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
