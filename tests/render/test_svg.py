"""Pictures as SVG: all that is said is there as text, in its place, and the same bytes every time."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.render.charts.elements import number, scale
from combinat.render.charts.pictures import (
    Bar,
    BarPanel,
    Bars,
    Drawing,
    LinePanel,
    Lines,
    Range,
    Ranges,
)
from combinat.render.charts.svg import svg
from combinat.render.escape import for_svg

LONG = "a-bet-whose-id-has-30-letters-"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10-K")


def bar_panel(title: str, *values: Fraction | None) -> BarPanel:
    return BarPanel(
        title=title,
        bars=tuple(Bar(label=rank, value=value) for rank, value in zip(RANKS, values, strict=False)),
    )


def bars(*panels: BarPanel) -> Bars:
    return Bars(title="Effects of removal", across_title="card removed", down_title="change", panels=panels)


def lines(*panels: LinePanel) -> Lines:
    return Lines(title="House edge", across_title="decks", down_title="edge, %", panels=panels)


def ranges(*rows: Range) -> Ranges:
    return Ranges(title="By the exact cards", across_title="expected value, %", rows=rows)


def spread(title: str, of: int) -> LinePanel:
    return LinePanel(
        title=title, points=tuple((decks, Fraction(of * decks + 1, 97)) for decks in range(4, 11))
    )


EFFECTS = tuple(Fraction(rank - 4, 7001) for rank in range(10))
SAMPLES: dict[str, Drawing] = {
    "bars": bars(*(bar_panel(f"{LONG}{place}", *EFFECTS) for place in range(7))),
    "bars of every kind": bars(
        bar_panel("none", None, None),
        bar_panel("zero", Fraction(0)),
        bar_panel("empty"),
        bar_panel("loss", -EFFECTS[9]),
    ),
    "bars with long names": bars(
        BarPanel(title=LONG * 3, bars=tuple(Bar(label=f"{LONG}{at}", value=Fraction(at)) for at in range(9)))
    ),
    "no bars": bars(),
    "lines": lines(*(spread(f"{LONG}{of}", of) for of in range(-2, 3))),
    "two lines": lines(spread("falls", -1), LinePanel(title="one", points=((8, Fraction(1, 70)),))),
    "a long line": lines(LinePanel(title="a", points=tuple((at, Fraction(at * at)) for at in range(1, 200)))),
    "no line": lines(LinePanel(title="a", points=())),
    "ranges": ranges(
        Range(label=LONG * 3, low=Fraction(-1, 7), middle=Fraction(0), high=Fraction(1, 9), favours=True),
        Range(label="loss", low=Fraction(-1, 2), middle=Fraction(-1, 3), high=Fraction(-1, 8), favours=False),
        Range(label="gain", low=Fraction(1, 90), middle=Fraction(1, 70), high=Fraction(1, 60), favours=True),
        Range(label="point", low=Fraction(0), middle=Fraction(0), high=Fraction(0), favours=False),
    ),
    "no ranges": ranges(),
    "narrow lines": replace(lines(*(spread(f"{LONG}{of}", of) for of in range(-2, 3))), is_narrow=True),
}
every_sample = pytest.mark.parametrize("drawing", SAMPLES.values(), ids=SAMPLES.keys())


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """An element with what it takes over from the groups around it."""

    tag: str
    said: str
    attributes: dict[str, str]

    def at(self, name: str) -> Fraction:
        """A number among its attributes."""
        return Fraction(self.attributes[name])


def elements(drawing: Drawing) -> list[Element]:
    """The elements of the picture, in order."""

    def walk(node: ElementTree.Element, above: dict[str, str]) -> Iterator[Element]:
        attributes = {**above, **node.attrib}
        yield Element(tag=node.tag.rpartition("}")[2], said=node.text or "", attributes=attributes)
        inherited = {
            name: attributes[name] for name in attributes if name not in ("x", "y", "width", "height")
        }
        for child in node:
            yield from walk(child, inherited)

    return list(walk(ElementTree.fromstring(svg(drawing)), {}))


def texts(drawing: Drawing) -> list[str]:
    return [element.said for element in elements(drawing) if element.tag == "text"]


def boxes(drawing: Drawing) -> Iterator[tuple[str, Fraction, Fraction, Fraction, Fraction]]:
    """Every text with the edges of the box it fills, at 0.55 em a letter: left, upper, right, lower."""
    for element in elements(drawing):
        if element.tag == "text":
            size = element.at("font-size")
            length = len(element.said) * size * Fraction(55, 100)
            back = {"start": Fraction(0), "middle": length / 2, "end": length}[
                element.attributes.get("text-anchor", "start")
            ]
            x, y = element.at("x"), element.at("y")
            if "transform" in element.attributes:
                assert element.attributes["transform"] == f"rotate(-90 {number(x)} {number(y)})"
                yield element.said, x - size * Fraction(7, 10), y + back - length, x, y + back
            else:
                yield element.said, x - back, y - size * Fraction(7, 10), x - back + length, y


# ---------------------------------------------------------------- every picture


@every_sample
def test_it_is_one_picture_that_can_stand_beside_others(drawing: Drawing) -> None:
    """Well-formed, named, sized; nothing that another picture on the page could collide with."""
    written = svg(drawing)
    root, *rest = elements(drawing)
    assert (root.tag, root.attributes["role"]) == ("svg", "img")
    assert root.attributes["viewBox"] == f"0 0 {root.attributes['width']} {root.attributes['height']}"
    assert (rest[0].tag, rest[0].said) == ("title", drawing.title)
    assert {element.tag for element in rest} <= {
        "title", "g", "text", "rect", "path", "polyline", "circle",
    }  # fmt: skip
    assert not re.search(r"\b(id|href|style|class)=", written)


@every_sample
def test_equal_bytes_and_few_decimals(drawing: Drawing) -> None:
    assert svg(drawing) == svg(replace(drawing))
    numbers = [
        found
        for element in elements(drawing)
        for name, value in element.attributes.items()
        if name in ("x", "y", "width", "height", "d", "points", "cx", "cy", "viewBox", "transform")
        for found in re.findall(r"-?[\d.]+", value)
    ]
    assert numbers
    assert [found for found in numbers if not re.fullmatch(r"-?(0|[1-9]\d*)(\.[1-9])?", found)] == []


@every_sample
def test_nothing_lies_outside(drawing: Drawing) -> None:
    root, *rest = elements(drawing)
    width, height = root.at("width"), root.at("height")
    for element in rest:
        if element.tag == "rect":
            assert 0 <= element.at("x") <= element.at("x") + element.at("width") <= width
            assert 0 <= element.at("y") <= element.at("y") + element.at("height") <= height
        if element.tag == "circle":
            assert 0 <= element.at("cx") <= width
            assert 0 <= element.at("cy") <= height
        if element.tag == "path":
            ends = re.findall(r"[ML](\S+?) ([^ML]+)", element.attributes["d"])
            assert all(0 <= Fraction(x) <= width and 0 <= Fraction(y) <= height for x, y in ends)
    for said, left, upper, right, lower in boxes(drawing):
        assert 0 <= left <= right <= width, said
        assert 0 <= upper <= lower <= height, said


@every_sample
def test_no_text_stands_on_another(drawing: Drawing) -> None:
    for (one, *a), (two, *b) in combinations(boxes(drawing), 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, f"{one!r} and {two!r}"


def test_what_xml_cannot_hold_is_shown_by_its_code_point() -> None:
    assert for_svg("a\x1b[31m\x00\ud800\uffff\r\tb") == "a[U+001B][31m[U+0000][U+D800][U+FFFF]  b"


# ---------------------------------------------------------------- bars and lines


def test_bars_carry_their_signs() -> None:
    drawing = bars(bar_panel("banker", Fraction(1, 50), Fraction(-1, 100), Fraction(0), None))
    assert texts(drawing)[7:11] == ["+", "\u2212", "0", "-"]
    up, down = [one for one in elements(drawing) if one.tag == "rect"][1:]
    assert up.at("y") + up.at("height") == down.at("y"), "they meet at zero"
    assert abs(up.at("height") - 2 * down.at("height")) <= Fraction(1, 5)
    assert up.attributes["fill"] != down.attributes["fill"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((Fraction(0), Fraction(0)), "no effect"),
        ((Fraction(0), None), "no effect"),
        ((None, None), "no value"),
    ],
)
def test_bars_without_a_height_are_said_to_have_none(values: tuple[Fraction | None, ...], said: str) -> None:
    drawing = bars(bar_panel("pair", *values))
    assert said in texts(drawing)
    assert len([one for one in elements(drawing) if one.tag == "rect"]) == 1, "the paper alone"


def test_an_edge_that_hardly_moves_has_ticks_that_differ() -> None:
    points = ((4, Fraction(10561, 10**6)), (6, Fraction(10570, 10**6)), (8, Fraction(10579, 10**6)))
    assert texts(lines(LinePanel(title="banker", points=points))) == [
        "House edge", "edge, %", "banker", "1.0560", "1.0565", "1.0570", "1.0575", "1.0580", "4", "6", "8", "decks",
    ]  # fmt: skip


def test_a_line_goes_through_its_points() -> None:
    drawing = lines(spread("banker", 1))
    (line,) = [one for one in elements(drawing) if one.tag == "polyline"]
    marks = [
        f"{one.attributes['cx']},{one.attributes['cy']}" for one in elements(drawing) if one.tag == "circle"
    ]
    assert line.attributes["points"].split() == marks
    assert len(marks) == 7


# ---------------------------------------------------------------- ranges


def test_ranges_print_both_ends_and_mark_what_favours_the_player() -> None:
    """Figures in which every digit occurs."""
    drawing = ranges(
        Range(
            label="P5 B4",
            low=Fraction(-1234, 10**4),
            middle=Fraction(0),
            high=Fraction(568, 10**4),
            favours=True,
        ),
        Range(
            label="P6 B4",
            low=Fraction(-2037, 10**4),
            middle=Fraction(-1, 8),
            high=Fraction(-919, 10**4),
            favours=False,
        ),
    )
    assert {"P5 B4", "-12.34", "+5.68", "P6 B4", "-20.37", "-9.19"} <= set(texts(drawing))
    bold = [one.said for one in elements(drawing) if one.tag == "text" and "font-weight" in one.attributes]
    assert bold == ["By the exact cards", "+", "P5 B4", "+5.68"]


# ---------------------------------------------------------------- scales

values = st.builds(Fraction, st.integers(-(10**9), 10**9), st.integers(1, 10**9))


@given(st.lists(values, max_size=6), st.sampled_from([Fraction(0), Fraction(1, 5)]), st.integers(4, 9))
def test_ticks_are_round_exact_few_and_distinct(shown: list[Fraction], margin: Fraction, most: int) -> None:
    marked = scale(shown, margin=margin, most=most)
    assert all(marked.low <= value <= marked.high for value in shown)
    assert 1 <= len(marked.ticks) <= most
    assert all(marked.low <= tick <= marked.high for tick in marked.ticks)
    assert all(after - before == marked.step for before, after in pairwise(marked.ticks))
    assert [Fraction(label) for label in marked.labels] == list(marked.ticks)
    assert len(set(marked.labels)) == len(marked.ticks)
    digits = f"{marked.step.numerator * 10**30 // marked.step.denominator}".rstrip("0")
    assert digits in ("1", "2", "25", "5")
