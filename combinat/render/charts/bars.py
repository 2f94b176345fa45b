"""Panels of bars: up and green for a gain, down and purple for a loss, and a sign at every end."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from combinat.render.charts.elements import (
    GAIN,
    HALF,
    LOSS,
    SMALL,
    Length,
    baseline,
    element,
    group,
    text,
    text_width,
    upwards,
)
from combinat.render.charts.panels import Panel, Plot, are_clear, columns, panels_page, remark
from combinat.render.charts.pictures import Bar, Bars
from combinat.render.charts.scale import Scale, scale

FLAT = Scale(low=Fraction(-1), high=Fraction(1), step=Fraction(2))
"""The scale of bars without a height: zero in the middle, and no other tick."""

THICKNESS = Fraction(7, 10)
"""The share of its place that a bar fills."""

MARK = 9
"""The size of a sign at the end of a bar."""


def bars(drawing: Bars) -> str:
    """Panels of bars as SVG."""
    scales = [_scale(panel.bars) for panel in drawing.panels]
    width = columns(scales).plot
    upright = [not _fit(panel.bars, width) for panel in drawing.panels]
    foot = max(
        (_foot(panel.bars, turned) for panel, turned in zip(drawing.panels, upright, strict=True)), default=0
    )
    panels = [
        Panel(title=panel.title, scale=own, drawn=partial(_bars, panel.bars, turned))
        for panel, own, turned in zip(drawing.panels, scales, upright, strict=True)
    ]
    return panels_page(drawing.title, drawing.across_title, drawing.down_title, panels, foot=foot)


def _scale(drawn: tuple[Bar, ...]) -> Scale:
    values = [bar.value * 100 for bar in drawn if bar.value is not None]
    return scale([Fraction(0), *values], margin=Fraction(1, 5)) if any(values) else FLAT


def _middle(place: int, count: int, width: Fraction) -> Fraction:
    """Return how far to the right the middle of a bar is."""
    return width * (place + HALF) / count


def _fit(drawn: tuple[Bar, ...], width: Fraction) -> bool:
    """Return whether the names fit below the bars as they are read."""
    labels = [(_middle(place, len(drawn), width), bar.label) for place, bar in enumerate(drawn)]
    return are_clear(labels)


def _foot(drawn: tuple[Bar, ...], upright: bool) -> Length:
    """Return the room that the names need below the bars."""
    return max(text_width(bar.label, SMALL) for bar in drawn) + 14 if upright else SMALL + 10


def _bars(drawn: tuple[Bar, ...], upright: bool, plot: Plot) -> Iterator[str]:
    thickness = plot.width * THICKNESS / max(1, len(drawn))
    zero = plot.y(Fraction(0))
    boxes, marks, names = list[str](), list[str](), list[str]()
    for place, bar in enumerate(drawn):
        x = plot.left + _middle(place, len(drawn), Fraction(plot.width))
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
