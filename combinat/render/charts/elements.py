"""The elements of an SVG page, the one place where its text is written; and the scales of its plots, in fractions.

Nothing here has an ``id``, a style sheet or a link, so that several pictures can stand on one HTML page. A tick is a
whole multiple of 1, 2, 2.5 or 5 times a power of ten, and its label is that value in full: no two ticks look alike.
"""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from combinat.base.kinds import percentage, rounded_text
from combinat.base.number import decimal
from combinat.render.escape import for_svg, visible

Length = int | Fraction

INK, SOFT, FAINT, PAPER = "#1a1a1a", "#666666", "#dddddd", "#ffffff"
GAIN, LOSS, LINE = "#1b7837", "#762a83", "#2166ac"
"""Green and purple: most people who cannot distinguish green from red can distinguish these."""

FONTS = "Helvetica, Arial, 'Libertinus Serif', sans-serif"
"""The third is for typst, which uses the fonts it brings along, and brings no sans."""

TITLE, BODY, SMALL = 13, 11, 10
"""Sizes of letters: of a picture's title, of its other words, of marks and ticks."""

HALF = Fraction(1, 2)

MARGIN = 10
LEADING = Fraction(5, 4)


def number(value: Length) -> str:
    """Return a coordinate: at most one decimal, no zero at its end.

    >>> number(12), number(Fraction(37, 3)), number(Fraction(-1, 2)), number(Fraction(299, 100))
    ('12', '12.3', '-0.5', '3')
    """
    tenths = round(value * 10)
    whole, rest = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}{f'.{rest}' if rest else ''}"


def element(name: str, content: str = "", /, **attributes: str | Length) -> str:
    """Return an element; ``content`` is SVG already. An underscore in an attribute's name is a hyphen."""
    written = "".join(
        f' {key.replace("_", "-")}="{for_svg(value if isinstance(value, str) else number(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def text(x: Length, y: Length, said: str, **attributes: str | Length) -> str:
    """Return a text whose letters stand on ``y``."""
    return element("text", for_svg(said), x=x, y=y, **attributes)


def upwards(x: Length, y: Length, said: str, **attributes: str | Length) -> str:
    """Return a text that reads upwards, its letters standing to the left of ``x``."""
    return text(x, y, said, transform=f"rotate(-90 {number(x)} {number(y)})", **attributes)


def group(parts: Iterable[str], **attributes: str | Length) -> str:
    """Elements that share attributes; nothing where there are none."""
    inside = "\n".join(part for part in parts if part)
    return element("g", f"\n{inside}\n", **attributes) if inside else ""


def path(strokes: Iterable[tuple[Length, Length, Length, Length]], **attributes: str | Length) -> str:
    """Straight strokes as one element, each from a point to a point; nothing where there are none."""
    drawn = "".join(f"M{number(a)} {number(b)}L{number(c)} {number(d)}" for a, b, c, d in strokes)
    return element("path", d=drawn, fill="none", **attributes) if drawn else ""


def signed(value: Fraction, places: int) -> str:
    """Return a value in per cent with its sign, as tables show it.

    >>> signed(Fraction(1, 40), 1), signed(Fraction(-1, 10000), 1), signed(Fraction(0), 1)
    ('+2.5', '0.0', '0.0')
    """
    return rounded_text(value, percentage(places, signed=True))


def text_width(said: str, size: int) -> Fraction:
    """Return how wide a text is, roughly: letters are a little over half as wide as high."""
    return Fraction(len(visible(said)) * size * 55, 100)


def wrapped(said: str, size: int, width: Length) -> list[str]:
    """Return the text in lines that fit the width; unchanged where it fits as it is."""
    if text_width(said, size) <= width:
        return [said]
    return textwrap.wrap(visible(said), max(1, int(width / text_width("n", size))))


def paragraph(x: Length, y: Length, lines: Iterable[str], size: int, **attributes: str | Length) -> list[str]:
    """Lines under one another, the first standing on ``y``."""
    return [
        text(x, y + place * size * LEADING, line, font_size=size, **attributes)
        for place, line in enumerate(lines)
    ]


def baseline(size: int) -> Fraction:
    """Return how far below its middle a line of letters stands."""
    return Fraction(35 * size, 100)


def page(title: str, width: Length, height: Length, parts: Iterable[str]) -> str:
    """Return the whole picture on white paper."""
    inside = [
        element("title", for_svg(title)),
        element("rect", x=0, y=0, width=width, height=height, fill=PAPER),
        *(part for part in parts if part),
    ]
    return (
        element(
            "svg",
            "\n".join(["", *inside, ""]),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(width)} {number(height)}",
            width=width,
            height=height,
            role="img",
            font_family=FONTS,
            fill=INK,
        )
        + "\n"
    )


# ---------------------------------------------------------------- scales

STEPS = (Fraction(1), Fraction(2), Fraction(5, 2), Fraction(5))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The values from ``low`` to ``high``, marked at every multiple of ``step``."""

    low: Fraction
    high: Fraction
    step: Fraction

    @property
    def ticks(self) -> tuple[Fraction, ...]:
        """The marked values, ascending."""
        first, last = -(-self.low // self.step), self.high // self.step
        return tuple(times * self.step for times in range(first, last + 1))

    @property
    def labels(self) -> tuple[str, ...]:
        """The marked values as decimals, all with as many places as the step needs."""
        places = next(places for places in count() if (self.step * 10**places).denominator == 1)
        return tuple(decimal(tick, places) for tick in self.ticks)

    def part(self, value: Fraction) -> Fraction:
        """The position of a value: 0 at the low end, 1 at the high end."""
        return (value - self.low) / (self.high - self.low)


def scale(values: Iterable[Fraction], *, margin: Fraction, most: int = 5) -> Scale:
    """Return the scale that holds the values with a margin (a share of their span), with at most this many ticks.

    >>> scale([Fraction(10561, 10000), Fraction(10579, 10000)], margin=Fraction(0)).labels
    ('1.0565', '1.0570', '1.0575')
    """
    known = sorted(values) or [Fraction(0)]
    low, high = known[0], known[-1]
    room = (high - low) * margin if low < high else abs(low) / 10 or Fraction(1)
    low, high = low - room, high + room
    return next(
        marked
        for step in _steps((high - low) / (most + 1))
        if len((marked := Scale(low=low, high=high, step=step)).ticks) <= most
    )


def _steps(least: Fraction) -> Iterator[Fraction]:
    """Yield the round steps that are larger than this, ascending.

    >>> from itertools import islice
    >>> [str(step) for step in islice(_steps(Fraction(21, 1000)), 4)]
    ['1/40', '1/20', '1/10', '1/5']
    """
    power = Fraction(10) ** (len(str(least.numerator)) - len(str(least.denominator)) - 1)
    while True:
        yield from (step * power for step in STEPS if step * power > least)
        power *= 10
