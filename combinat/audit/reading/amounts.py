"""The amounts of a hand log: net results, stakes and payouts as written, compared with the amounts due.

Values are read once each by their text, as fractions. Stakes may all differ, and so plain amounts of money
are also read as whole units, for whole columns at once; either way nothing is rounded.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from combinat.audit.judging.cells import Flags, TextNumbers
from combinat.audit.reading.hand_log import LogColumn, Money
from combinat.audit.reading.log_map import Rounding
from combinat.base.errors import CombinatError, FileError
from combinat.montecarlo.cell import Indices
from combinat.montecarlo.partition import Label
from combinat.montecarlo.tally import Tallies
from combinat.rules.money import format_money, parse_money, parse_net

if TYPE_CHECKING:
    import polars

Chips = tuple[Fraction, Rounding]
"""The smallest amount that is paid, and how winnings are rounded to it."""

UNIT = 10**4
"""How many units of a plain amount make 1."""

NOTHING = -1
"""In place of units: a blank."""


@dataclass(slots=True)
class Total:
    """The totals of a column: rows with a value, wrong rows, the amounts recorded and the amounts due."""

    rows: int = 0
    wrong: int = 0
    recorded: Fraction = Fraction(0)
    due: Fraction = Fraction(0)

    def add(self, rows: int, said: Fraction | None, due: Fraction | None, *, is_wrong: bool) -> bool:
        """Add rows with this amount where that amount is due; return whether they are wrong."""
        self.rows += rows
        self.recorded += (said or 0) * rows
        self.due += (due or 0) * rows
        self.wrong += rows if is_wrong else 0
        return is_wrong


@dataclass(frozen=True, slots=True)
class ColumnTexts:
    """The different values of a column: each as an amount, or None; and the reasons why some cannot be read."""

    values: list[Fraction | None]
    unreadable: dict[int, str]


Read = tuple[Indices, ColumnTexts] | Tallies
"""A column: the number of each row's value, and the values by number; or its plain amounts in units."""


@dataclass(slots=True)
class ColumnReader:
    """Reads a column of amounts: each different text once, and remembers some from one batch of rows to the next."""

    money: Money
    _numbers: TextNumbers = field(default_factory=TextNumbers)
    _read: ColumnTexts = field(default_factory=lambda: ColumnTexts([None], {}))

    def read(self, column: "polars.Series") -> Read:
        """The values of some rows: plain amounts of money in units, all else by text."""
        units = None if self.money is Money.NET else _units(column)
        if units is not None:
            return units
        if len(self._read.values) > MOST_TEXTS:
            self._numbers, self._read = TextNumbers(), ColumnTexts([None], {})
        numbers, new = self._numbers.numbers(column)
        for text in new:
            self._learn(text)
        return numbers, self._read

    def _learn(self, text: str) -> None:
        values = self._read.values
        try:
            values.append(parse_net(text) if self.money is Money.NET else parse_money(text.strip()))
        except CombinatError as error:
            self._read.unreadable[len(values)] = str(error)
            values.append(None)


MOST_TEXTS = 1_000
"""Different values of a column that are remembered from one batch of rows to the next."""


def _units(column: "polars.Series") -> Tallies | None:
    """The amounts in units, ``NOTHING`` for a blank; None if some have more digits or are no amounts."""
    import polars

    plain = column.str.contains(r"^[0-9]{1,9}(\.[0-9]{1,4})?$").fill_null(True)
    if not plain.all():
        return None
    parts = column.fill_null("0").str.splitn(".", 2).struct.unnest()
    whole = parts["field_0"].cast(polars.Int64)
    decimals = parts["field_1"].fill_null("").str.pad_end(4, "0").cast(polars.Int64)
    return (whole * UNIT + decimals).set(column.is_null(), NOTHING).to_numpy()


def check_unit(columns: dict[LogColumn, Read], unit: Fraction) -> None:
    """Refuse a unit of payment above a stake: winnings rounded to it would not be those of the rules."""
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
    """The rows with a value that cannot be read, and the reason."""
    bad: dict[int, str] = {}
    for column, values in columns.items():
        if isinstance(values, tuple) and values[1].unreadable:
            numbers, texts = values
            for row in np.flatnonzero(np.isin(numbers, list(texts.unreadable))).tolist():
                bad.setdefault(row, f"{column}: {texts.unreadable[int(numbers[row])]}")
    return bad


def net_of(label: Label) -> Fraction | None:
    """The net result of a label; None if no bet was offered."""
    if isinstance(label, str):
        return None
    return label[1] if isinstance(label, tuple) else label


def wrong_nets(
    total: Total,
    said: Indices,
    texts: ColumnTexts,
    labels: npt.NDArray[np.int16],
    nets: list[Fraction | None],
) -> tuple[Flags, Tallies]:
    """Which rows state another net result than the due one; and how many state any, by what was due."""
    keys = said * len(nets) + labels
    counts = np.bincount(keys, minlength=len(texts.values) * len(nets))
    by_label = counts.reshape(-1, len(nets))[[value is not None for value in texts.values]].sum(axis=0)
    bad: Flags = np.zeros(len(counts), dtype=np.bool_)
    for key in np.flatnonzero(counts).tolist():
        number, label = divmod(key, len(nets))
        value = texts.values[number]
        if value is not None:
            due = nets[label]
            bad[key] = total.add(int(counts[key]), value, due, is_wrong=value != due)
    return bad[keys], by_label


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
) -> tuple[Flags, Tallies]:
    """Which of the kept rows paid out another amount than the due one, the stake and what it won or lost.

    And how many have a stake or a payout, by what was due.
    """
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
    settled = placed | (paid_units != NOTHING)
    total.rows += int(settled.sum())
    total.wrong += int(wrong.sum())
    total.recorded += Fraction(int(paid_units[paid_units != NOTHING].sum()), UNIT)
    for label in np.unique(labels[known]).tolist():
        mine = known & (labels == label)
        total.due += Fraction(int(stake_units[mine].sum()), UNIT) * back[label]
    return wrong, np.bincount(labels[settled], minlength=len(nets))


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
) -> tuple[Flags, Tallies]:
    """The same of amounts that are read by their text."""
    keys, which, counts = np.unique(
        (said * len(staked.values) + stakes) * len(nets) + labels, return_inverse=True, return_counts=True
    )
    bad: Flags = np.zeros(len(keys), dtype=np.bool_)
    by_label: Tallies = np.zeros(len(nets), dtype=np.int64)
    for place, (key, rows) in enumerate(zip(keys.tolist(), counts.tolist(), strict=True)):
        rest, label = divmod(key, len(nets))
        number, stake_number = divmod(rest, len(staked.values))
        paid, stake, net = texts.values[number], staked.values[stake_number], nets[label]
        if paid is None and stake is None:
            continue
        by_label[label] += rows
        due = None if stake is None or net is None else due_back(stake, net, chips)
        bad[place] = total.add(rows, paid, due, is_wrong=due is None or paid != due)
    return bad[which], by_label
