"""The values of a hand log, read exactly: hands by rank, amounts in units.

Each different text is read once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from combinat.audit.reading.log_map import LogColumn, Money
from combinat.audit.reading.notation import Notation, cards_in, only_notation
from combinat.base.errors import CombinatError, FileError, InputError
from combinat.base.money import format_money, parse_money, parse_net
from combinat.montecarlo.cell import NO_CARD, Bytes
from combinat.rules.cards import RANKS, Rank, format_cards

if TYPE_CHECKING:
    import polars


def text_codes(column: "polars.Series") -> tuple[npt.NDArray[np.uint32], list[str]]:
    """Return the index of each row's text among the different texts, and these texts.

    The index of a blank is the number of texts.
    """
    import polars

    coded = column.cast(polars.Categorical(polars.Categories.random()))
    distinct = coded.drop_nulls().unique(maintain_order=True)
    blank = len(distinct)  # the numbers of new categories run from 0 on
    places = np.empty(blank + 1, dtype=np.uint32)
    places[distinct.to_physical().to_numpy()], places[blank] = np.arange(blank), blank
    codes = coded.to_physical().fill_null(blank).to_numpy()
    return places[codes], distinct.cast(polars.String).to_list()


# ---------------------------------------------------------------- hands


MOST_HANDS = 100_000
"""Different texts whose cards are remembered: far more than there are hands."""


class HandText(NamedTuple):
    """The cards of a text, with three ranks by number; or why it is unreadable or unfinished."""

    cards: tuple[Rank, ...] = ()
    ranks: tuple[int, int, int] = (0, 0, NO_CARD)
    unreadable: str = ""
    unfinished: str = ""


@lru_cache(MOST_HANDS)
def _hand(text: str, notation: Notation) -> HandText:
    """Return the hand that a text names."""
    try:
        cards = cards_in(text, notation)
    except InputError as error:
        other = only_notation([text])
        hint = f"; it looks like {other.in_words}" if other not in (None, notation) else ""
        return HandText(unreadable=f"{error}{hint}")
    if not cards:
        return HandText(unreadable="found no cards")
    if not 2 <= len(cards) <= 3:
        plural = "" if len(cards) == 1 else "s"
        return HandText(
            cards, unfinished=f"found {len(cards)} card{plural}; a finished hand has two or three"
        )
    first, second, third = (*map(RANKS.index, cards), NO_CARD)[:3]
    return HandText(cards, (first, second, third))


def hand_mistakes(hands: Iterable[Mapping[int, str]]) -> dict[int, str]:
    """Return the mistakes in the Player Hand and the Banker Hand of rows, one message per row."""
    messages: dict[int, str] = {}
    for name, of_hand in zip(("Player Hand", "Banker Hand"), hands, strict=True):
        for row, why in of_hand.items():
            messages[row] = f"{messages[row]}; {name}: {why}" if row in messages else f"{name}: {why}"
    return messages


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of a column: the ranks of three cards by number, ``NO_CARD`` for a third that was not drawn.

    ``unreadable``: why a text does not name cards, by row; ``unfinished``: why the cards are not a finished
    hand.
    """

    ranks: tuple[Bytes, Bytes, Bytes]
    unreadable: Mapping[int, str]
    unfinished: Mapping[int, str]
    _different: Sequence[HandText]
    _places: npt.NDArray[np.uint32]

    @classmethod
    def of(cls, column: "polars.Series", notation: Notation) -> "Hands":
        """Return the hands of a column."""
        places, texts = text_codes(column)
        different = [_hand(text, notation) for text in (*texts, "")]
        unreadable, unfinished = dict[int, str](), dict[int, str]()
        for place, hand in enumerate(different):
            if why := hand.unreadable or hand.unfinished:
                rows = np.flatnonzero(places == place).tolist()
                (unreadable if hand.unreadable else unfinished).update(dict.fromkeys(rows, why))
        first, second, third = np.array([hand.ranks for hand in different], dtype=np.uint8).T
        ranks = first[places], second[places], third[places]
        return cls(ranks, unreadable, unfinished, different, places)

    @property
    def cards(self) -> "polars.Series":
        """The cards in standard notation."""
        import polars

        return polars.Series([format_cards(hand.cards) for hand in self._different]).gather(self._places)


# ---------------------------------------------------------------- amounts


UNIT = 10**4
"""Number of units in 1."""

MOST_UNITS = 10**13
"""The bound of amounts that are held as integers of 64 bits, so that a batch of them can be added up."""

Units = npt.NDArray[Any]
"""Amounts in units: integers, or fractions as objects if some are not whole."""


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts of a column.

    ``codes``: the text of each row by number; ``of_text``: the amount of each text, and last 0 for a blank.
    ``unreadable``: why, by row.
    """

    codes: npt.NDArray[np.uint32]
    of_text: Units
    unreadable: Mapping[int, str]

    @property
    def units(self) -> Units:
        """The amount of each row."""
        return self.of_text[self.codes]

    @classmethod
    def of(cls, column: "polars.Series", money: Money) -> "Amounts":
        """Return the amounts of a column, each distinct text read once."""
        codes, texts = text_codes(column)
        plain = None if money is Money.NET else _plain_units(texts)
        if plain is not None:
            return cls(codes, plain, {})
        values, unreadable = list[Fraction](), dict[int, str]()
        for place, text in enumerate(texts):
            try:
                values.append(parse_net(text) if money is Money.NET else parse_money(text.strip()))
            except CombinatError as error:
                values.append(Fraction(0))
                unreadable |= dict.fromkeys(np.flatnonzero(codes == place).tolist(), str(error))
        units = [value * UNIT for value in (*values, Fraction(0))]
        if all(unit.denominator == 1 and abs(unit) < MOST_UNITS for unit in units):
            return cls(codes, np.array([int(unit) for unit in units], dtype=np.int64), unreadable)
        return cls(codes, np.array(units, dtype=object), unreadable)


def exact(units: Any) -> Fraction:
    """Return an amount in units, an element or a sum of an array, as a fraction."""
    return units if isinstance(units, Fraction) else Fraction(int(units))


def _plain_units(texts: Sequence[str]) -> Units | None:
    """Return the amounts of texts and of a blank, or None if some have more digits or are not amounts."""
    import polars

    column = polars.Series([*texts, "0"])
    if not column.str.contains(r"^[0-9]{1,9}(\.[0-9]{1,4})?$").all():
        return None
    parts = column.str.splitn(".", 2).struct.unnest()
    whole = parts["field_0"].cast(polars.Int64)
    decimals = parts["field_1"].fill_null("").str.pad_end(4, "0").cast(polars.Int64)
    return (whole * UNIT + decimals).to_numpy()


def check_unit(columns: Mapping[LogColumn, Amounts], unit: Fraction) -> None:
    """Refuse a unit of payment larger than a stake: rounded winnings would not follow the rules."""
    for column, amounts in columns.items():
        stakes = amounts.of_text[amounts.of_text > 0]
        if column.money is Money.STAKE and len(stakes) and stakes.min() < unit * UNIT:
            smallest = format_money(exact(stakes.min()) / UNIT)
            raise FileError(
                f"{column}: a stake of {smallest} is below the unit of {format_money(unit)} that "
                "winnings are rounded to; give the smallest amount that is paid"
            )
