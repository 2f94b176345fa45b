"""Arithmetic of sums of products: on the numbers of one shoe, or on the rows of a program.

A formula that is written with ``Arithmetic`` gives a number for one shoe, and steps for a program.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence

Row = int
Product = tuple[Row, Row]


class Arithmetic(ABC):
    """Sums of products of rows, from the counts of the thirteen ranks on."""

    one: Row
    ranks: Sequence[Row]

    @abstractmethod
    def constant(self, value: int) -> Row:
        """Return the row that holds this number."""

    @abstractmethod
    def once(self, name: object, products: Callable[[], Sequence[Product]]) -> Row:
        """Return the row of this name, computed on first use and kept."""

    def times(self, row: Row, factor: int) -> Row:
        """Return a kept row times a number."""
        if factor == 1:
            return row
        return self.once(("times", row, factor), lambda: [(row, self.constant(factor))])

    def plus(self, row: Row, number: int) -> Row:
        """Return a kept row plus a number."""
        if number == 0:
            return row
        return self.once(("plus", row, number), lambda: [(row, self.one), (self.constant(number), self.one)])

    def falling(self, row: Row, drawn: int) -> Row:
        """Return the ordered ways to draw ``drawn`` of the cards that a kept row counts."""
        if drawn == 1:
            return row
        before = self.falling(row, drawn - 1)
        return self.once(("falling", row, drawn), lambda: [(before, self.plus(row, 1 - drawn))])

    def total(self, rows: Iterable[Row]) -> list[Product]:
        """Return the products whose sum is the sum of these rows."""
        return [(row, self.one) for row in rows]

    def difference(self, rows: Iterable[Row], less: Iterable[Row]) -> list[Product]:
        """Return the products whose sum is the sum of these rows minus the others."""
        minus = self.constant(-1)
        return [*self.total(rows), *((row, minus) for row in less)]


class ShoeArithmetic(Arithmetic):
    """The arithmetic of one shoe: a row is its value."""

    one = 1

    def __init__(self, counts: Sequence[int]) -> None:
        self.ranks = counts

    def constant(self, value: int) -> Row:
        """Return the number."""
        return value

    def once(self, name: object, products: Callable[[], Sequence[Product]]) -> Row:
        """Return the sum of the products."""
        return sum(x * y for x, y in products())
