"""Small linear programs, solved exactly: the simplex method on fractions, with Bland's rule, so that it always ends."""

from collections.abc import Sequence
from fractions import Fraction

Inequality = tuple[Sequence[Fraction], Fraction]
"""So much of each variable, added up, is at most this; the bound is 0 or more."""


def largest(gains: Sequence[Fraction], inequalities: Sequence[Inequality]) -> list[Fraction] | None:
    """The variables, none below 0, that gain most within the inequalities; None: they can gain without end.

    >>> one, two = Fraction(1), Fraction(2)
    >>> largest([one, two], [([one, one], Fraction(4)), ([one, two], Fraction(6)), ([one, Fraction(0)], Fraction(3))])
    [Fraction(2, 1), Fraction(2, 1)]
    >>> largest([one], [])
    """
    width, height = len(gains), len(inequalities)
    rows = [
        [*parts, *(Fraction(number == slack) for slack in range(height)), most]
        for number, (parts, most) in enumerate(inequalities)
    ]
    costs = [*(-gain for gain in gains), *[Fraction(0)] * (height + 1)]
    basis = [width + number for number in range(height)]
    while (column := next((at for at, cost in enumerate(costs[:-1]) if cost < 0), None)) is not None:
        ratios = [(row[-1] / row[column], basis[at], at) for at, row in enumerate(rows) if row[column] > 0]
        if not ratios:
            return None
        _, _, pivot = min(ratios)
        scale = rows[pivot][column]
        rows[pivot] = [value / scale for value in rows[pivot]]
        for at, row in enumerate(rows):
            if at != pivot and row[column]:
                rows[at] = [value - row[column] * of for value, of in zip(row, rows[pivot], strict=True)]
        costs = [value - costs[column] * of for value, of in zip(costs, rows[pivot], strict=True)]
        basis[pivot] = column
    values = dict(zip(basis, (row[-1] for row in rows), strict=True))
    return [values.get(number, Fraction(0)) for number in range(width)]
