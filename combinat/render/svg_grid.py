"""A grid of values, coloured: the deeper, the further from zero; the sign is always printed too."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from combinat.render.pictures import Grid, GridCell
from combinat.render.svg_elements import (
    BODY,
    FAINT,
    GAIN,
    HALF,
    INK,
    LEADING,
    LOSS,
    MARGIN,
    SOFT,
    TITLE,
    Length,
    baseline,
    element,
    group,
    page,
    paragraph,
    path,
    signed,
    text,
    text_width,
    upwards,
    wrapped,
)

CELL_WIDTH, CELL_HEIGHT = 54, 30
"""A cell is as wide as this, or as its longest figure needs."""

NARROWEST = 300
"""The width of a picture, at least: its title needs room."""

DEEPEST = Fraction(11, 20)
"""How much of the colour is mixed with white, at most: black letters stay easy to read on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Squares:
    """Where the cells lie."""

    left: Length
    top: Length
    width: Length
    columns: int
    rows: int

    def x(self, column: Length) -> Length:
        """The left edge of a column; its middle at a half."""
        return self.left + column * self.width

    def y(self, row: Length) -> Length:
        """The upper edge of a row; its middle at a half."""
        return self.top + row * CELL_HEIGHT


def grid(drawing: Grid) -> str:
    """The grid as SVG."""
    words = [drawing.across, *([_figure(cell, drawing.places) for cell in row] for row in drawing.cells)]
    widest = max((text_width(word, BODY) for row in words for word in row), default=0)
    cell_width = max(CELL_WIDTH, widest + 10)
    down_title = wrapped(drawing.down_title, BODY, CELL_HEIGHT * len(drawing.down))
    names = max((text_width(name, BODY) for name in drawing.down), default=0)
    left = MARGIN + len(down_title) * BODY * LEADING + names + 14
    width = max(Fraction(NARROWEST), left + cell_width * len(drawing.across) + MARGIN)
    title = wrapped(drawing.title, TITLE, width - 2 * MARGIN)
    across_title = wrapped(drawing.across_title, BODY, cell_width * len(drawing.across))
    under_title = MARGIN + len(title) * TITLE * LEADING
    top = under_title + len(across_title) * BODY * LEADING + BODY + 18
    squares = Squares(
        left=left, top=top, width=cell_width, columns=len(drawing.across), rows=len(drawing.down)
    )
    middle_x, middle_y = squares.x(squares.columns * HALF), squares.y(squares.rows * HALF)
    parts = [
        *paragraph(MARGIN, MARGIN + TITLE, title, TITLE, font_weight="bold"),
        *paragraph(middle_x, under_title + BODY + 6, across_title, BODY, text_anchor="middle"),
        *(
            upwards(
                MARGIN + BODY + place * BODY * LEADING, middle_y, line, font_size=BODY, text_anchor="middle"
            )
            for place, line in enumerate(down_title)
        ),
        *_names(drawing, squares),
        *_cells(drawing, squares),
    ]
    return page(drawing.title, width, squares.y(squares.rows) + MARGIN, parts)


def _names(drawing: Grid, squares: Squares) -> Iterator[str]:
    """The names of the columns above them, of the rows beside them."""
    columns = (
        text(squares.x(place + HALF), squares.top - 6, name) for place, name in enumerate(drawing.across)
    )
    yield group(columns, font_size=BODY, text_anchor="middle")
    rows = (
        text(squares.left - 7, squares.y(place + HALF) + baseline(BODY), name)
        for place, name in enumerate(drawing.down)
    )
    yield group(rows, font_size=BODY, text_anchor="end")


def _cells(drawing: Grid, squares: Squares) -> Iterator[str]:
    right, bottom = squares.x(squares.columns), squares.y(squares.rows)
    yield path(
        [
            *((squares.left, squares.y(row), right, squares.y(row)) for row in range(squares.rows + 1)),
            *(
                (squares.x(column), squares.top, squares.x(column), bottom)
                for column in range(squares.columns + 1)
            ),
        ],
        stroke=FAINT,
    )
    fills, frames, figures = list[str](), list[str](), list[str]()
    for row, (_, cells) in enumerate(zip(drawing.down, drawing.cells, strict=True)):
        for column, (_, cell) in enumerate(zip(drawing.across, cells, strict=True)):
            if cell.value is not None:
                fills.append(_box(squares, column, row, fill=shade(cell.value)))
            if cell.favours:
                frames.append(_box(squares, column, row))
            figures.append(_written(cell, drawing.places, squares.x(column + HALF), squares.y(row + HALF)))
    yield group(fills)
    yield group(frames, fill="none", stroke=INK, stroke_width=2)
    yield group(figures, font_size=BODY, text_anchor="middle")


def _box(squares: Squares, column: int, row: int, **attributes: str) -> str:
    x, y = squares.x(column) + 1, squares.y(row) + 1
    return element("rect", x=x, y=y, width=squares.width - 2, height=CELL_HEIGHT - 2, **attributes)


def _figure(cell: GridCell, places: int) -> str:
    if cell.value is None:
        return "o" if cell.is_open else ""
    return signed(cell.value, places)


def _written(cell: GridCell, places: int, x: Length, middle: Length) -> str:
    """What stands in a cell: bold where it favours the player, grey where there is no value."""
    look = {"font_weight": "bold"} if cell.favours else {"fill": SOFT} if cell.value is None else {}
    said = _figure(cell, places)
    return text(x, middle + baseline(BODY), said, **look) if said else ""


def shade(value: Fraction) -> str:
    """The colour of a value: grey for zero, and the full depth from 22.5 per cent on.

    >>> shade(Fraction(0)), shade(Fraction(1, 50)), shade(Fraction(-1))
    ('#eeeeee', '#d7e7dc', '#b48abb')
    """
    if not value:
        return "#eeeeee"
    depth = min(Fraction(1), Fraction(1, 4) + abs(value) * 10 / 3) * DEEPEST
    colour = GAIN if value > 0 else LOSS
    channels = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - channel) * depth):02x}" for channel in channels)
