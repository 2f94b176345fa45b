"""A histogram: how likely amounts are, in bars of equal width; losses purple, gains green.

Beside the bars, every stretch in which anything lies has a stroke under the axis: so that what is too rare for
its bar to be seen is seen to be possible.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import count

from combinat.render.charts.elements import (
    GAIN,
    HALF,
    INK,
    LOSS,
    MARGIN,
    SMALL,
    element,
    group,
    path,
    text,
    text_width,
)
from combinat.render.charts.panels import Panel, Plot, are_clear, panels_page, remark
from combinat.render.charts.pictures import Histogram
from combinat.render.charts.scale import Scale, scale

ACROSS, PARTS = 9, 5
"""The most ticks below the bars, and the bars from one tick to the next."""

FOOT = SMALL + 16
"""The room that strokes and labels need below the plot."""

Points = tuple[tuple[Fraction, Fraction], ...]
Bins = dict[int, Fraction]


def histogram(drawing: Histogram) -> str:
    """The histogram as SVG."""
    amounts = scale((amount for amount, _ in drawing.points), margin=Fraction(1, 50), most=ACROSS)
    width = amounts.step / PARTS
    bins = _bins(drawing.points, width)
    shares = scale([Fraction(0), *(share * 100 for share in bins.values())], margin=Fraction(0))
    panel = Panel(title="", scale=shares, drawn=partial(_bars, bins, width, amounts))
    return panels_page(drawing.title, drawing.across_title, drawing.down_title, [panel], foot=FOOT)


def _bins(points: Points, width: Fraction) -> Bins:
    """The shares by the number of the stretch in which they lie, counted from 0."""
    bins: Bins = {}
    for amount, share in points:
        number = amount // width
        bins[number] = bins.get(number, Fraction(0)) + share
    return bins


def _bars(bins: Bins, width: Fraction, amounts: Scale, plot: Plot) -> Iterator[str]:
    if not bins:
        yield remark(plot, "no value")
        return
    least, most = min(bins) * width, (max(bins) + 1) * width
    whole = Scale(low=min(amounts.low, least), high=max(amounts.high, most), step=amounts.step)

    def x(amount: Fraction) -> Fraction:
        return plot.left + whole.part(amount) * plot.width

    for colour, own in ((LOSS, [n for n in bins if n < 0]), (GAIN, [n for n in bins if n >= 0])):
        yield group((_bar(bins[n], plot, x(n * width), x((n + 1) * width)) for n in own), fill=colour)
    middles = [x((number + HALF) * width) for number in bins]
    yield path(((at, plot.bottom + 2, at, plot.bottom + 6) for at in middles), stroke=INK)
    ticks = [(x(tick), label) for tick, label in zip(whole.ticks, whole.labels, strict=True)]
    labels = [(at, label) for at, label in ticks if _fits(at, label, plot)]
    shown = next(labels[::every] for every in count(1) if are_clear(labels[::every]))
    yield group(
        (text(at, plot.bottom + SMALL + 8, label) for at, label in shown),
        font_size=SMALL,
        text_anchor="middle",
    )


def _fits(at: Fraction, label: str, plot: Plot) -> bool:
    """Whether a label below the axis stays on the page."""
    half = text_width(label, SMALL) * HALF
    return half <= at <= plot.left + plot.width + MARGIN - half


def _bar(share: Fraction, plot: Plot, left: Fraction, right: Fraction) -> str:
    top = plot.y(share * 100)
    return element("rect", x=left, y=top, width=right - left, height=plot.bottom - top)
