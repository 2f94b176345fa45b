"""The amounts of a hand log: net results, stakes and payouts as they were written, held against what is due.

Values are read once each by their text, as fractions. Stakes may all differ, and so plain amounts of money
are also read as whole units, for whole columns at once; either way nothing is rounded.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from combinat.audit.judging.cells import Flags, numbered
from combinat.audit.reading.hand_log import LogColumn, Money
from combinat.audit.reading.log_map import Rounding
from combinat.base.errors import CombinatError, FileError
from combinat.montecarlo.cell import Indices
from combinat.montecarlo.question import Label
from combinat.montecarlo.tally import Tallies
from combinat.rules.money import format_money, parse_money, parse_net

if TYPE_CHECKING:
    import polars

Chips = tuple[Fraction, Rounding]
"""The smallest amount that is paid, and how winnings are rounded to it."""

UNIT = 10**4
"""How many units of a plain amount make 1."""

NOTHING = -1
"""In place of units: the row says nothing."""


@dataclass(slots=True)
class Total:
    """A column added up: rows in which it says something, wrong ones, what it says and what is due."""

    rows: int = 0
    wrong: int = 0
    recorded: Fraction = Fraction(0)
    due: Fraction = Fraction(0)

    def add(self, rows: int, said: Fraction | None, due: Fraction | None, *, is_wrong: bool) -> bool:
        """Add rows that say this where that is due; whether they are wrong."""
        self.rows += rows
        self.recorded += (said or 0) * rows
        self.due += (due or 0) * rows
        self.wrong += rows if is_wrong else 0
        return is_wrong


@dataclass(frozen=True, slots=True)
class ColumnTexts:
    """The different values of a column: each as an amount, None where there is none; and what is wrong with some."""

    values: list[Fraction | None]
    unreadable: dict[int, str]


Read = tuple[Indices, ColumnTexts] | Tallies
"""A column: the number of each row's value and what the numbers stand for; or its plain amounts in units."""


@dataclass(slots=True)
class Texts:
    """The values of a column that were met so far, each read once: a column of nets has few."""

    money: Money
    numbers: dict[str | None, int] = field(default_factory=lambda: {None: 0})
    read: ColumnTexts = field(default_factory=lambda: ColumnTexts([None], {}))

    def of(self, column: "polars.Series") -> tuple[Indices, ColumnTexts]:
        """Some rows of the column, by number, and what the numbers stand for."""
        by_number = numbered(column, self.numbers)
        if (by_number < 0).any():
            if len(self.numbers) > MOST_TEXTS:
                self.numbers, self.read = {None: 0}, ColumnTexts([None], {})
                by_number = numbered(column, self.numbers)
            for text in column.filter(by_number < 0).unique().to_list():
                self._learn(text)
            by_number = numbered(column, self.numbers)
        return by_number, self.read

    def _learn(self, text: str) -> None:
        values = self.read.values
        self.numbers[text] = len(values)
        try:
            values.append(parse_net(text) if self.money is Money.NET else parse_money(text.strip()))
        except CombinatError as error:
            self.read.unreadable[len(values)] = str(error)
            values.append(None)


MOST_TEXTS = 1_000
"""Different values of a column that are remembered from one batch of rows to the next."""


def read_column(column: "polars.Series", texts: Texts) -> Read:
    """A column's values: plain amounts of money in units, all else by text."""
    if texts.money is not Money.NET:
        units = _units(column)
        if units is not None:
            return units
    return texts.of(column)


def _units(column: "polars.Series") -> Tallies | None:
    """The amounts in units, ``NOTHING`` for a blank; None: some have more digits, or are no amounts."""
    import polars

    plain = column.str.contains(r"^[0-9]{1,9}(\.[0-9]{1,4})?$").fill_null(True)
    if not plain.all():
        return None
    parts = column.fill_null("0").str.splitn(".", 2).struct.unnest()
    whole = parts["field_0"].cast(polars.Int64)
    decimals = parts["field_1"].fill_null("").str.pad_end(4, "0").cast(polars.Int64)
    return (whole * UNIT + decimals).set(column.is_null(), NOTHING).to_numpy()


def check_unit(columns: dict[LogColumn, Read], unit: Fraction) -> None:
    """Refuse a unit of payment above a stake: winnings rounded to it would be anything but what the rules pay."""
    for column, read in columns.items():
        if column.money is not Money.STAKE:
            continue
        stakes = [value for value in _by_text(read)[1].values if value]
        if stakes and min(stakes) < unit:
            raise FileError(
                f"{column}: a stake of {format_money(min(stakes))} is below the unit of {format_money(unit)} that "
                "winnings are rounded to; give the smallest amount that is paid"
            )


def unreadable_values(columns: dict[LogColumn, Read]) -> dict[int, str]:
    """The rows in which a column holds what is no value, with what is wrong."""
    bad: dict[int, str] = {}
    for column, values in columns.items():
        if isinstance(values, tuple) and values[1].unreadable:
            numbers, texts = values
            for row in np.flatnonzero(np.isin(numbers, list(texts.unreadable))).tolist():
                bad.setdefault(row, f"{column}: {texts.unreadable[int(numbers[row])]}")
    return bad


def is_blank(column: Read, kept: Indices) -> Flags:
    """Which of the kept rows say nothing in a column."""
    if not isinstance(column, tuple):
        plain: Flags = column[kept] == NOTHING
        return plain
    blank = np.array([value is None for value in column[1].values], dtype=np.bool_)
    rows: Flags = blank[column[0][kept]]
    return rows


def net_of(label: Label) -> Fraction | None:
    """The net result of a label; None: nothing was offered."""
    if isinstance(label, str):
        return None
    return label[1] if isinstance(label, tuple) else label


def wrong_nets(
    total: Total,
    said: Indices,
    texts: ColumnTexts,
    labels: npt.NDArray[np.int16],
    nets: list[Fraction | None],
) -> Flags:
    """Which rows say another net result than the due one. A blank says nothing."""
    keys = said * len(nets) + labels
    counts = np.bincount(keys, minlength=len(texts.values) * len(nets))
    bad: Flags = np.zeros(len(counts), dtype=np.bool_)
    for key in np.flatnonzero(counts).tolist():
        number, label = divmod(key, len(nets))
        value = texts.values[number]
        if value is not None:
            due = nets[label]
            bad[key] = total.add(int(counts[key]), value, due, is_wrong=value != due)
    wrong: Flags = bad[keys]
    return wrong


def due_back(stake: Fraction, net: Fraction, chips: Chips | None) -> Fraction:
    """What comes back of a stake: winnings in whole units where there are chips.

    >>> str(due_back(Fraction("0.39"), Fraction(1, 2), (Fraction("0.01"), Rounding.DOWN)))
    '29/50'
    """
    if chips is None or net <= 0:
        return stake * (1 + net)
    unit, rounding = chips
    return stake + rounding.rounded(stake * net, unit)


def wrong_payouts(
    total: Total,
    payouts: Read,
    stakes: Read,
    kept: Indices,
    labels: npt.NDArray[np.int16],
    nets: list[Fraction | None],
    chips: Chips | None = None,
) -> Flags:
    """Which of the kept rows paid out another amount than the due one: the stake and what it won or lost."""
    if chips is not None or isinstance(payouts, tuple) or isinstance(stakes, tuple):
        paid, staked = _by_text(payouts), _by_text(stakes)
        return _wrong_by_text(total, paid[0][kept], paid[1], staked[0][kept], staked[1], labels, nets, chips)
    back = [1 + net if net is not None else Fraction(0) for net in nets]
    if max(max(share.numerator, share.denominator) for share in back) * 10**9 * UNIT >= 2**62:
        return wrong_payouts(total, _by_text(payouts), _by_text(stakes), kept, labels, nets)
    numerators = np.array([share.numerator for share in back], dtype=np.int64)[labels]
    denominators = np.array([share.denominator for share in back], dtype=np.int64)[labels]
    paid_units, stake_units = payouts[kept], stakes[kept]
    placed, due = stake_units != NOTHING, stake_units * numerators
    known = placed & np.array([net is not None for net in nets])[labels]
    wrong: Flags = np.where(known, paid_units * denominators != due, placed | (paid_units != NOTHING))
    wrong |= known & (paid_units == NOTHING)
    total.rows += int((placed | (paid_units != NOTHING)).sum())
    total.wrong += int(wrong.sum())
    total.recorded += Fraction(int(paid_units[paid_units != NOTHING].sum()), UNIT)
    for label in np.unique(labels[known]).tolist():
        mine = known & (labels == label)
        total.due += Fraction(int(stake_units[mine].sum()), UNIT) * back[label]
    return wrong


def _by_text(column: Read) -> tuple[Indices, ColumnTexts]:
    """Plain amounts as if they had been read by their text."""
    if isinstance(column, tuple):
        return column
    units, numbers = np.unique(column, return_inverse=True)
    values = [None if unit == NOTHING else Fraction(unit, UNIT) for unit in units.tolist()]
    return numbers, ColumnTexts(values, {})


def _wrong_by_text(
    total: Total,
    said: Indices,
    texts: ColumnTexts,
    stakes: Indices,
    staked: ColumnTexts,
    labels: npt.NDArray[np.int16],
    nets: list[Fraction | None],
    chips: Chips | None,
) -> Flags:
    """Which rows paid out another amount than the due one: the stake and what it won or lost."""
    keys, which, counts = np.unique(
        (said * len(staked.values) + stakes) * len(nets) + labels, return_inverse=True, return_counts=True
    )
    bad: Flags = np.zeros(len(keys), dtype=np.bool_)
    for place, (key, rows) in enumerate(zip(keys.tolist(), counts.tolist(), strict=True)):
        rest, label = divmod(key, len(nets))
        number, stake_number = divmod(rest, len(staked.values))
        paid, stake, net = texts.values[number], staked.values[stake_number], nets[label]
        if paid is None and stake is None:
            continue
        due = None if stake is None or net is None else due_back(stake, net, chips)
        bad[place] = total.add(rows, paid, due, is_wrong=due is None or paid != due)
    wrong: Flags = bad[which]
    return wrong
