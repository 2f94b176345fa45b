"""Small panels of bars or of lines, three across, each on a scale of its own.

A bar goes up and is green for a gain, down and purple for a loss, and has a sign at its end.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import count, pairwise

from combinat.render.charts.elements import (
    BODY,
    FAINT,
    GAIN,
    HALF,
    INK,
    LEADING,
    LINE,
    LOSS,
    MARGIN,
    SMALL,
    SOFT,
    TITLE,
    Length,
    Scale,
    baseline,
    element,
    group,
    number,
    page,
    paragraph,
    path,
    scale,
    text,
    text_width,
    upwards,
    wrapped,
)
from combinat.render.charts.pictures import Bar, Bars, Lines

GAP = 14
"""The space between two panels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelLayout:
    """The area of the panels: its width, the number of panels across, and the height of a plot by that number."""

    width: int
    across: int
    heights: Mapping[int, int]


PAGE = PanelLayout(width=720, across=3, heights={1: 160, 2: 120, 3: 84})
"""Seven rows of three panels fit a page of A4."""

PHONE = PanelLayout(width=360, across=2, heights={1: 120, 2: 84})


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Where the values of one panel are drawn, and on what scale."""

    left: Length
    top: Length
    width: Fraction
    height: Length
    scale: Scale

    @property
    def bottom(self) -> Length:
        """The lower edge."""
        return self.top + self.height

    def y(self, value: Fraction) -> Fraction:
        """Return the vertical position of a value."""
        return self.bottom - self.height * self.scale.part(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One panel: its title, its scale, and the marks of its plot."""

    title: str
    scale: Scale
    drawn: Callable[[Plot], Iterator[str]]


def _picture(
    drawing: Bars | Lines,
    panels: Sequence[Panel],
    foot: Callable[[Fraction], Length],
    sheet: PanelLayout = PAGE,
) -> str:
    """Return the picture; ``foot``: the room that labels need below a plot of this width."""
    count = max(1, min(sheet.across, len(panels)))
    inner = sheet.width - 2 * MARGIN
    width = Fraction(inner - (count - 1) * GAP, count)
    ticks = max((text_width(label, SMALL) for panel in panels for label in panel.scale.labels), default=0) + 6
    titles = [wrapped(panel.title, BODY, width) for panel in panels]
    head = max(map(len, titles), default=0) * BODY * LEADING + 8
    title_lines = wrapped(drawing.title, TITLE, inner)
    down_lines, across_lines = (
        wrapped(said, BODY, inner) for said in (drawing.down_title, drawing.across_title)
    )
    under_title = MARGIN + len(title_lines) * TITLE * LEADING
    first = under_title + len(down_lines) * BODY * LEADING + 8
    height = sheet.heights[count]
    step = head + height + foot(width - ticks)
    parts = [
        *paragraph(MARGIN, MARGIN + TITLE, title_lines, TITLE, font_weight="bold"),
        *paragraph(MARGIN, under_title + BODY, down_lines, BODY),
    ]
    for place, (panel, panel_title) in enumerate(zip(panels, titles, strict=True)):
        row, column = divmod(place, count)
        x, y = MARGIN + column * (width + GAP), first + row * step
        plot = Plot(left=x + ticks, top=y + head, width=width - ticks, height=height, scale=panel.scale)
        parts += paragraph(x, y + BODY, panel_title, BODY, font_weight="bold")
        parts += [*_axis(plot), *panel.drawn(plot)]
    last = first + -(-len(panels) // count) * step
    parts += paragraph(sheet.width * HALF, last + BODY, across_lines, BODY, text_anchor="middle")
    return page(drawing.title, sheet.width, last + len(across_lines) * BODY * LEADING + MARGIN, parts)


def _axis(plot: Plot) -> Iterator[str]:
    """Yield the ticks with their labels, and a strong line at zero where the scale has it."""
    right, zero = plot.left + plot.width, Fraction(0)
    heights = [plot.y(tick) for tick in plot.scale.ticks]
    yield path(((plot.left, y, right, y) for y in heights), stroke=FAINT)
    labels = zip(heights, plot.scale.labels, strict=True)
    yield group(
        (text(plot.left - 4, y + baseline(SMALL), label) for y, label in labels),
        font_size=SMALL,
        text_anchor="end",
    )
    if plot.scale.low <= zero <= plot.scale.high:
        yield path([(plot.left, plot.y(zero), right, plot.y(zero))], stroke=INK)


def remark(plot: Plot, said: str) -> str:
    """Words in the middle of a plot that has little else to show."""
    return text(
        plot.left + plot.width * HALF,
        plot.top + plot.height * Fraction(1, 4),
        said,
        font_size=BODY,
        text_anchor="middle",
    )


def are_clear(labels: Sequence[tuple[Fraction, str]]) -> bool:
    """Return whether labels in a row, each given with its middle, leave a little space between them."""
    edges = [(x - text_width(label, SMALL) / 2, x + text_width(label, SMALL) / 2) for x, label in labels]
    return all(end + 3 <= start for (_, end), (start, _) in pairwise(edges))


# ---------------------------------------------------------------- bars

FLAT = Scale(low=Fraction(-1), high=Fraction(1), step=Fraction(2))
"""The scale of bars without a height: zero in the middle, and no other tick."""

THICKNESS = Fraction(7, 10)
"""The share of its place that a bar fills."""

MARK = 9
"""The size of a sign at the end of a bar."""


def bars(drawing: Bars) -> str:
    """Panels of bars as SVG."""
    panels = [
        Panel(title=panel.title, scale=_scale(panel.bars), drawn=partial(_bars, panel.bars))
        for panel in drawing.panels
    ]
    return _picture(
        drawing, panels, lambda width: max((_foot(panel.bars, width) for panel in drawing.panels), default=0)
    )


def _scale(drawn: tuple[Bar, ...]) -> Scale:
    values = [bar.value * 100 for bar in drawn if bar.value is not None]
    return scale([Fraction(0), *values], margin=Fraction(1, 5)) if any(values) else FLAT


def _middle(place: int, count: int, width: Fraction) -> Fraction:
    """Return how far to the right the middle of a bar is."""
    return width * (place + HALF) / count


def _fit(drawn: tuple[Bar, ...], width: Fraction) -> bool:
    """Return whether the names fit below the bars as they are read; else they stand upright."""
    return are_clear([(_middle(place, len(drawn), width), bar.label) for place, bar in enumerate(drawn)])


def _foot(drawn: tuple[Bar, ...], width: Fraction) -> Length:
    """Return the room that the names need below the bars."""
    return SMALL + 10 if _fit(drawn, width) else max(text_width(bar.label, SMALL) for bar in drawn) + 14


def _bars(drawn: tuple[Bar, ...], plot: Plot) -> Iterator[str]:
    thickness = plot.width * THICKNESS / max(1, len(drawn))
    upright = not _fit(drawn, plot.width)
    zero = plot.y(Fraction(0))
    boxes, marks, names = list[str](), list[str](), list[str]()
    for place, bar in enumerate(drawn):
        x = plot.left + _middle(place, len(drawn), plot.width)
        end = zero if bar.value is None else plot.y(bar.value * 100)
        if bar.value:
            top, bottom = sorted((zero, end))
            colour = GAIN if bar.value > 0 else LOSS
            boxes.append(
                element(
                    "rect", x=x - thickness * HALF, y=top, width=thickness, height=bottom - top, fill=colour
                )
            )
        marks.append(_mark(bar.value, x, end))
        names.append(_name(bar.label, upright, x, plot.bottom))
    yield group(boxes)
    yield group(marks, font_size=MARK, font_weight="bold", text_anchor="middle")
    yield group(names, font_size=SMALL, text_anchor="end" if upright else "middle")
    if not any(bar.value for bar in drawn):
        yield remark(plot, "no effect" if any(bar.value is not None for bar in drawn) else "no value")


def _mark(value: Fraction | None, x: Length, end: Length) -> str:
    """Return the sign of a bar: beyond its end, and above the line where it has no height."""
    if value is None:
        return text(x, end - 2, "-")
    if value < 0:
        return text(x, end + MARK - 1, "\u2212")
    return text(x, end - 2, "+" if value else "0")


def _name(label: str, upright: bool, x: Length, bottom: Length) -> str:
    if upright:
        return upwards(x + baseline(SMALL), bottom + 4, label)
    return text(x, bottom + SMALL + 2, label)


# ---------------------------------------------------------------- lines

INSET = 10
"""The distance of the first and last points of a plot from its edges."""

Points = tuple[tuple[int, Fraction], ...]


def lines(drawing: Lines) -> str:
    """Panels of lines as SVG."""
    panels = [
        Panel(
            title=panel.title,
            scale=scale((value * 100 for _, value in panel.points), margin=Fraction(3, 20)),
            drawn=partial(_line, panel.points),
        )
        for panel in drawing.panels
    ]
    sheet = PHONE if drawing.is_narrow else PAGE
    return _picture(drawing, panels, lambda width: SMALL + 11, sheet)


def _line(points: Points, plot: Plot) -> Iterator[str]:
    if not points:
        yield remark(plot, "no value")
        return
    places = [_x(at, points, plot) for at, _ in points]
    heights = [plot.y(value * 100) for _, value in points]
    yield path(((x, plot.bottom, x, plot.bottom + 3) for x in places), stroke=SOFT)
    if len(points) > 1:
        joined = " ".join(f"{number(x)},{number(y)}" for x, y in zip(places, heights, strict=True))
        yield element("polyline", points=joined, fill="none", stroke=LINE, stroke_width=Fraction(3, 2))
    yield group((element("circle", cx=x, cy=y, r=2) for x, y in zip(places, heights, strict=True)), fill=LINE)
    labels = _thinned([(x, str(at)) for x, (at, _) in zip(places, points, strict=True)])
    yield group(
        (text(x, plot.bottom + SMALL + 4, label) for x, label in labels),
        font_size=SMALL,
        text_anchor="middle",
    )


def _x(at: int, points: Points, plot: Plot) -> Fraction:
    first, last = points[0][0], points[-1][0]
    part = Fraction(at - first, last - first) if last > first else HALF
    return plot.left + INSET + part * (plot.width - 2 * INSET)


def _thinned(labels: list[tuple[Fraction, str]]) -> list[tuple[Fraction, str]]:
    """All labels, or every second or third, according to the room."""
    return next(labels[::every] for every in count(1) if are_clear(labels[::every]))
