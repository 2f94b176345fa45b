"""Small panels, three across, each on a scale of its own: where they lie, and their axes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from combinat.render.charts.elements import (
    BODY,
    FAINT,
    HALF,
    INK,
    LEADING,
    MARGIN,
    SMALL,
    TITLE,
    Length,
    baseline,
    group,
    page,
    paragraph,
    path,
    text,
    text_width,
    wrapped,
)
from combinat.render.charts.scale import Scale

WIDTH, ACROSS, GAP = 720, 3, 14

HEIGHTS = {1: 160, 2: 120, 3: 84}
"""The height of a plot, by the number of panels across: seven rows of three fit a page of A4."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelLayout:
    """The area of the panels: its width, the number of panels across, and the height of a plot by that number."""

    width: int
    across: int
    heights: Mapping[int, int]


PAGE = PanelLayout(width=WIDTH, across=ACROSS, heights=HEIGHTS)
PHONE = PanelLayout(width=360, across=2, heights={1: 120, 2: 84})


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Where the values of one panel are drawn, and on what scale."""

    left: Length
    top: Length
    width: Length
    height: Length
    scale: Scale

    @property
    def bottom(self) -> Length:
        """The lower edge."""
        return self.top + self.height

    def y(self, value: Fraction) -> Fraction:
        """Return how low a value lies."""
        return self.bottom - self.height * self.scale.part(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One panel: its title, its scale, and what is drawn in its plot."""

    title: str
    scale: Scale
    drawn: Callable[[Plot], Iterator[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The division of a picture's width among its panels: number of columns, their width, room for the ticks."""

    count: int
    width: Fraction
    ticks: Fraction

    @property
    def plot(self) -> Fraction:
        """The width of a plot."""
        return self.width - self.ticks


def columns(scales: Sequence[Scale], sheet: PanelLayout = PAGE) -> Columns:
    """Return the columns of a picture whose panels have these scales; all leave room for the longest label."""
    count = max(1, min(sheet.across, len(scales)))
    longest = max(
        (text_width(label, SMALL) for scale in scales for label in scale.labels), default=Fraction(0)
    )
    return Columns(
        count=count, width=Fraction(sheet.width - 2 * MARGIN - (count - 1) * GAP, count), ticks=longest + 6
    )


def panels_page(
    title: str,
    across_title: str,
    down_title: str,
    panels: Sequence[Panel],
    *,
    foot: Length,
    sheet: PanelLayout = PAGE,
) -> str:
    """Return the picture; ``foot``: the room that labels need below a plot."""
    shared = columns([panel.scale for panel in panels], sheet)
    height, inner = sheet.heights[shared.count], sheet.width - 2 * MARGIN
    titles = [wrapped(panel.title, BODY, shared.width) for panel in panels]
    head = max(map(len, titles), default=0) * BODY * LEADING + 8
    title_lines, down_lines, across_lines = (
        wrapped(said, size, inner)
        for said, size in ((title, TITLE), (down_title, BODY), (across_title, BODY))
    )
    under_title = MARGIN + len(title_lines) * TITLE * LEADING
    first = under_title + len(down_lines) * BODY * LEADING + 8
    parts = [
        *paragraph(MARGIN, MARGIN + TITLE, title_lines, TITLE, font_weight="bold"),
        *paragraph(MARGIN, under_title + BODY, down_lines, BODY),
    ]
    for place, (panel, panel_title) in enumerate(zip(panels, titles, strict=True)):
        row, column = divmod(place, shared.count)
        x, y = MARGIN + column * (shared.width + GAP), first + row * (head + height + foot)
        plot = Plot(left=x + shared.ticks, top=y + head, width=shared.plot, height=height, scale=panel.scale)
        parts += paragraph(x, y + BODY, panel_title, BODY, font_weight="bold")
        parts += [*_axis(plot), *panel.drawn(plot)]
    last = first + -(-len(panels) // shared.count) * (head + height + foot)
    parts += paragraph(sheet.width * HALF, last + BODY, across_lines, BODY, text_anchor="middle")
    return page(title, sheet.width, last + len(across_lines) * BODY * LEADING + MARGIN, parts)


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
