"""A program: numbers as sums of products, step by step, for any shoe.

Every step is ``row = x1*y1 + x2*y2 + x3*y3 + x4*y4`` over rows written before, and is added to its sums.
There is no division, no comparison and no branch. So a program is exact in Python integers; and in arithmetic
modulo 2**64 its results are right modulo 2**64, even if intermediate values overflow.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from combinat.engine.arithmetic import Arithmetic, Product, Row
from combinat.rules.cards import RANKS

Columns = tuple[int, ...]
"""The columns of a table that count a round."""

TERMS = 4
"""Number of products that a step adds up."""

ZERO_ROW = 0
"""The row that holds 0, as a factor of the products that a step does not have."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Program:
    """Steps over numbered rows: first constants, then the counts of the thirteen ranks, then computed rows.

    ``steps``: the row to write, then two rows for each product. The result of step ``k`` is added to the rows
    ``adds[starts[k] : starts[k + 1]]``; rows from ``first_sum`` on begin at 0. ``results``: the row of each
    column.
    """

    steps: npt.NDArray[np.uint16]
    starts: npt.NDArray[np.uint32]
    adds: npt.NDArray[np.uint16]
    constants: tuple[int, ...]
    first_sum: int
    rows: int
    results: npt.NDArray[np.uint16]

    @cached_property
    def listed(self) -> list[tuple[Row, list[Product], list[Row]]]:
        """The steps as lists: the row to write, its nonzero products, and the rows that it is added to."""
        starts, adds = self.starts.tolist(), self.adds.tolist()
        listed = []
        for number, (row, *factors) in enumerate(self.steps.tolist()):
            products = [(x, y) for x, y in zip(factors[::2], factors[1::2], strict=True) if x != ZERO_ROW]
            listed.append((row, products, adds[starts[number] : starts[number + 1]]))
        return listed

    def run(self, counts: Sequence[int]) -> list[int]:
        """Return the exact columns for one shoe, in Python integers."""
        rows = [*self.constants, *counts]
        rows += [0] * (self.rows - len(rows))
        for row, products, adds in self.listed:
            total = rows[row] = sum([rows[x] * rows[y] for x, y in products])
            for asking in adds:
                rows[asking] += total
        return [rows[row] for row in self.results.tolist()]


class Writer(Arithmetic):
    """A program being written. Its rows have provisional numbers until ``program`` puts them in order."""

    def __init__(self) -> None:
        self._steps: list[tuple[Row, list[Product], tuple[Row, ...]]] = []
        self._rows = 0
        self._constants: dict[int, Row] = {}
        self._sums: dict[Columns, Row] = {}
        self._named: dict[object, Row] = {}
        self.zero, self.one = self.constant(0), self.constant(1)
        self.ranks = [self.new() for _ in RANKS]
        self._between = self.new(), self.new()

    def new(self) -> Row:
        """Return a new row."""
        self._rows += 1
        return self._rows - 1

    def constant(self, value: int) -> Row:
        """Return the row that holds this number."""
        if value not in self._constants:
            self._constants[value] = self.new()
        return self._constants[value]

    def sum_of(self, columns: Columns) -> Row:
        """Return the row that sums the ways of the rounds that exactly these columns count."""
        if columns not in self._sums:
            self._sums[columns] = self.new()
        return self._sums[columns]

    def write(self, row: Row, products: Sequence[Product], adds: Sequence[Row] = ()) -> Row:
        """Write a sum of products into a row, in one or more steps; return it. An empty sum is the row of 0.

        No step reads the row that it writes, so that the compiler can vectorize over lanes.
        """
        products, turn = [factors for factors in products if self.zero not in factors], 0
        if not products:
            return self.zero
        while len(products) > TERMS:
            between = self._between[turn]
            self._steps.append((between, products[:TERMS], ()))
            products, turn = [(between, self.one), *products[TERMS:]], 1 - turn
        self._steps.append((row, products, tuple(adds)))
        return row

    def once(self, name: object, products: Callable[[], Sequence[Product]]) -> Row:
        """Return the row of this name, written on first use and kept."""
        if name not in self._named:
            self._named[name] = self.write(self.new(), products())
        return self._named[name]

    def program(self, columns: int) -> Program:
        """Return the program: each column is the sum of the ways of the rounds that it counts."""
        counting: list[list[Row]] = [[] for _ in range(columns)]
        for counted, ways in self._sums.items():
            for column in counted:
                counting[column].append(ways)
        return self._in_order(
            [rows[0] if len(rows) == 1 else self.write(self.new(), self.total(rows)) for rows in counting]
        )

    def _in_order(self, results: Sequence[Row]) -> Program:
        first, sums = [*self._constants.values(), *self.ranks], list(self._sums.values())
        others = set(range(self._rows)) - set(first) - set(sums)
        place = {row: number for number, row in enumerate([*first, *sorted(others), *sums])}
        nothing = [(self.zero, self.zero)] * TERMS
        steps = [
            [place[row], *(place[factor] for pair in [*products, *nothing][:TERMS] for factor in pair)]
            for row, products, _ in self._steps
        ]
        return Program(
            steps=np.array(steps, dtype=np.uint16),
            starts=np.cumsum([0, *(len(adds) for _, _, adds in self._steps)], dtype=np.uint32),
            adds=np.array([place[row] for _, _, adds in self._steps for row in adds], dtype=np.uint16),
            constants=tuple(self._constants),
            first_sum=self._rows - len(sums),
            rows=self._rows,
            results=np.array([place[row] for row in results], dtype=np.uint16),
        )
