"""A picture as SVG: text as text, equal bytes on every machine, nothing to install; ranges are drawn here.

Why it is drawn by hand. The effects of removal of a game of 20 bets, on a machine of two cores: matplotlib 3.11
with text as text takes 1.9 seconds with its import and writes 219 kB; this takes 0.04 seconds with its own
(0.02 to draw) and writes 38 kB. vl-convert-python 1.9 installs from one wheel, of 34 MB (84 MB unpacked), and took
0.6 seconds and 113 kB for twenty panels of made-up bars with fewer labels and no signs. Both compute in floats,
so equal bytes need a pinned version; here every coordinate is a fraction, rounded once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from combinat.render.charts.elements import (
    BODY,
    FAINT,
    GAIN,
    HALF,
    INK,
    LEADING,
    LOSS,
    MARGIN,
    PAPER,
    SMALL,
    TITLE,
    Length,
    Scale,
    baseline,
    element,
    group,
    page,
    paragraph,
    path,
    scale,
    signed,
    text,
    text_width,
    wrapped,
)
from combinat.render.charts.panels import bars, lines
from combinat.render.charts.pictures import Bars, Drawing, Lines, Range, Ranges


def svg(drawing: Drawing) -> str:
    """Return the drawing as one ``<svg>`` element, ready for a file or for a page of HTML."""
    match drawing:
        case Bars():
            return bars(drawing)
        case Lines():
            return lines(drawing)
        case Ranges():
            return ranges(drawing)


# ---------------------------------------------------------------- ranges

WIDTH, NARROWEST = 520, 200
"""The width of the picture, and of its plot at least: for long names the picture grows."""

ROW, THICKNESS, TICK = 14, 5, 11
"""The heights of a row, of its bar and of the tick at the middle."""

MARK, GAP, PLACES = 12, 14, 2
"""The width of a row's plus, the space between columns, the decimals of a figure."""

BAND = "#f5f5f5"
"""Behind every second row, so that the eye keeps to its line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeRows:
    """Where the rows lie: figures end at ``lows`` and ``highs``, and the plot is in between."""

    top: Length
    lows: Length
    left: Length
    right: Length
    highs: Length
    scale: Scale

    def x(self, value: Fraction) -> Fraction:
        """The position of a value, in per cent."""
        return self.left + self.scale.part(value) * (self.right - self.left)

    def y(self, row: int) -> Fraction:
        """Return the middle of a row."""
        return self.top + (row + HALF) * ROW


def ranges(drawing: Ranges) -> str:
    """Return the ranges as SVG."""
    ends = [end * 100 for row in drawing.rows for end in (row.low, row.middle, row.high)]
    figures = [signed(end, PLACES) for row in drawing.rows for end in (row.low, row.high)]
    figure = max((text_width(said, SMALL) for said in [*figures, "highest"]), default=0)
    names = MARGIN + MARK + max((text_width(row.label, SMALL) for row in drawing.rows), default=Fraction(0))
    lows = names + GAP + figure
    width = max(Fraction(WIDTH), lows + NARROWEST + 2 * GAP + figure + MARGIN)
    title = wrapped(drawing.title, TITLE, width - 2 * MARGIN)
    across_title = wrapped(drawing.across_title, BODY, width - 2 * MARGIN)
    highs = width - MARGIN
    top = MARGIN + len(title) * TITLE * LEADING + SMALL + 12
    rows = RangeRows(
        top=top,
        lows=lows,
        left=lows + GAP,
        right=highs - figure - GAP,
        highs=highs,
        scale=scale([Fraction(0), *ends], margin=Fraction(1, 50), most=9),
    )
    bottom = top + len(drawing.rows) * ROW
    parts = [
        *paragraph(MARGIN, MARGIN + TITLE, title, TITLE, font_weight="bold"),
        path(
            ((MARGIN, rows.y(place), highs, rows.y(place)) for place in range(0, len(drawing.rows), 2)),
            stroke=BAND,
            stroke_width=ROW,
        ),
        *_axis(rows, bottom),
        *_rows(drawing, rows),
        *paragraph(
            (rows.left + rows.right) * HALF,
            bottom + SMALL + BODY + 12,
            across_title,
            BODY,
            text_anchor="middle",
        ),
    ]
    height = bottom + SMALL + len(across_title) * BODY * LEADING + MARGIN + 12
    return page(drawing.title, width, height, parts)


def _axis(rows: RangeRows, bottom: Length) -> Iterator[str]:
    """Yield the ticks, labelled above and below, a strong line at zero, and the names of the two figures."""
    ticks = [(rows.x(tick), label) for tick, label in zip(rows.scale.ticks, rows.scale.labels, strict=True)]
    yield path(((x, rows.top, x, bottom) for x, _ in ticks), stroke=FAINT)
    yield group(
        (text(x, y, label) for y in (rows.top - 5, bottom + SMALL + 3) for x, label in ticks),
        font_size=SMALL,
        text_anchor="middle",
    )
    yield group(
        (text(rows.lows, rows.top - 5, "lowest"), text(rows.highs, rows.top - 5, "highest")),
        font_size=SMALL,
        text_anchor="end",
    )
    zero = rows.x(Fraction(0))
    yield path([(zero, rows.top, zero, bottom)], stroke=INK, stroke_width=Fraction(3, 2))


def _rows(drawing: Ranges, rows: RangeRows) -> Iterator[str]:
    colours = (GAIN, LOSS) if drawing.is_of_the_house else (LOSS, GAIN)
    bars, middles, written = list[str](), list[tuple[Length, Length, Length, Length]](), list[str]()
    for place, row in enumerate(drawing.rows):
        y = rows.y(place)
        bars += _bar(row, rows, y, colours)
        x = rows.x(row.middle * 100)
        middles.append((x, y - TICK * HALF, x, y + TICK * HALF))
        stand, look = y + baseline(SMALL), {"font_weight": "bold"} if row.favours else {}
        if row.favours:
            written.append(text(MARGIN + MARK - 4, stand, "+", **look))
        written += [
            text(MARGIN + MARK, stand, row.label, text_anchor="start", **look),
            text(rows.lows, stand, signed(row.low, PLACES)),
            text(rows.highs, stand, signed(row.high, PLACES), **look),
        ]
    yield group(bars)
    yield path(middles, stroke=PAPER, stroke_width=3)
    yield path(middles, stroke=INK, stroke_width=2)
    yield group(written, font_size=SMALL, text_anchor="end")


def _bar(row: Range, rows: RangeRows, y: Length, colours: tuple[str, str]) -> Iterator[str]:
    """Yield a bar, in one colour on each side of zero."""
    zero = Fraction(0)
    for low, high, colour in (
        (row.low, min(row.high, zero), colours[0]),
        (max(row.low, zero), row.high, colours[1]),
    ):
        if low < high:
            left, right = rows.x(low * 100), rows.x(high * 100)
            yield element(
                "rect", x=left, y=y - THICKNESS * HALF, width=right - left, height=THICKNESS, fill=colour
            )
