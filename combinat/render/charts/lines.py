"""Panels of lines: a value at each whole number, joined."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import count

from combinat.render.charts.elements import HALF, LINE, SMALL, SOFT, element, group, number, path, text
from combinat.render.charts.panels import PAGE, PHONE, Panel, Plot, are_clear, panels_page, remark
from combinat.render.charts.pictures import Lines
from combinat.render.charts.scale import scale

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
    return panels_page(
        drawing.title,
        drawing.across_title,
        drawing.down_title,
        panels,
        foot=SMALL + 11,
        sheet=PHONE if drawing.is_narrow else PAGE,
    )


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
    """All the labels, or every second, or every third: as many as there is room for."""
    return next(labels[::every] for every in count(1) if are_clear(labels[::every]))
