"""How many standard errors an interval of 95 per cent reaches to each side, by Student's law, in fractions."""

from fractions import Fraction

Z = Fraction(49, 25)
"""By the normal law, rounded up."""

FEW = (
    *(127063, 43027, 31825, 27765, 25706, 24470, 23647, 23061, 22622, 22282),
    *(22010, 21789, 21604, 21448, 21315, 21200, 21099, 21010, 20931, 20860),
    *(20797, 20739, 20687, 20639, 20596, 20556, 20519, 20485, 20453, 20423),
)
"""For 1 to 30 degrees of freedom, in ten-thousandths, rounded up."""


def reach(free: int) -> Fraction:
    """The quantile for so many degrees of freedom; for many, by its expansion about the normal one.

    >>> float(reach(1)), float(reach(30)), round(float(reach(499)), 4)
    (12.7063, 2.0423, 1.9648)
    """
    if free <= len(FEW):
        return Fraction(FEW[free - 1], 10**4)
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    return Z + first / free + second / free**2
