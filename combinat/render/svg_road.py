"""A road: beads in columns, as wide as a phone; what does not fit goes on below."""

from collections.abc import Iterator
from fractions import Fraction

from combinat.render.pictures import Bead, Road, Tone
from combinat.render.svg_elements import (
    FAINT,
    GAIN,
    HALF,
    INK,
    LEADING,
    MARGIN,
    PAPER,
    SMALL,
    SOFT,
    TITLE,
    Length,
    baseline,
    element,
    group,
    page,
    paragraph,
    path,
    text,
    wrapped,
)

WIDTH, SIDE = 360, 17
"""The width of the picture and of a cell."""

ACROSS = (WIDTH - 2 * MARGIN) // SIDE
"""Columns side by side."""

GAP = 10
RADIUS = Fraction(15, 2)
COLOURS = {Tone.ONE: "#1f4e9c", Tone.OTHER: "#b2182b", Tone.NEITHER: GAIN, Tone.UNKNOWN: SOFT}


def road(drawing: Road) -> str:
    """The road as SVG."""
    title = wrapped(drawing.title, TITLE, WIDTH - 2 * MARGIN)
    top = MARGIN + len(title) * TITLE * LEADING + 4
    columns = max((bead.column for bead in drawing.beads), default=0) + 1
    bands = -(-columns // ACROSS)
    band = drawing.rows * SIDE + GAP
    parts = [
        *paragraph(MARGIN, MARGIN + TITLE, title, TITLE, font_weight="bold"),
        *(
            _squares(top + number * band, drawing.rows, min(ACROSS, columns - number * ACROSS))
            for number in range(bands)
        ),
        *_beads(drawing, top, band),
    ]
    return page(drawing.title, WIDTH, top + bands * band + MARGIN - GAP, parts)


def _squares(top: Length, rows: int, columns: int) -> str:
    right, bottom = MARGIN + columns * SIDE, top + rows * SIDE
    return path(
        [
            *((MARGIN, top + row * SIDE, right, top + row * SIDE) for row in range(rows + 1)),
            *((MARGIN + at * SIDE, top, MARGIN + at * SIDE, bottom) for at in range(columns + 1)),
        ],
        stroke=FAINT,
    )


def _beads(drawing: Road, top: Length, band: Length) -> Iterator[str]:
    discs, rings, frames, dots, on_discs, in_rings = (list[str]() for _ in range(6))
    for bead in drawing.beads:
        number, column = divmod(bead.column, ACROSS)
        left, upper = MARGIN + column * SIDE, top + number * band + bead.row * SIDE
        x, y = left + SIDE * HALF, upper + SIDE * HALF
        colour = COLOURS[bead.tone]
        if bead.is_ring:
            rings.append(element("circle", cx=x, cy=y, r=RADIUS - 1, stroke=colour))
        else:
            discs.append(element("circle", cx=x, cy=y, r=RADIUS, fill=colour))
        if bead.is_framed:
            frames.append(element("rect", x=left, y=upper, width=SIDE, height=SIDE))
        dots += _dots(bead, left, upper)
        if bead.label:
            (in_rings if bead.is_ring else on_discs).append(text(x, y + baseline(SMALL), bead.label))
    yield group(discs)
    yield group(rings, fill="none", stroke_width=2)
    yield group(dots, stroke=PAPER)
    yield group(frames, fill="none", stroke=INK, stroke_width=2)
    yield group(on_discs, font_size=SMALL, text_anchor="middle", fill=PAPER)
    yield group(in_rings, font_size=SMALL, text_anchor="middle")


def _dots(bead: Bead, left: Length, upper: Length) -> Iterator[str]:
    if bead.upper_dot:
        yield element("circle", cx=left + 3, cy=upper + 3, r=3, fill=COLOURS[Tone.OTHER])
    if bead.lower_dot:
        yield element("circle", cx=left + SIDE - 3, cy=upper + SIDE - 3, r=3, fill=COLOURS[Tone.ONE])
