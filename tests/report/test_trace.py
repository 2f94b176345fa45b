"""Every number that a document shows is a number of the dossier: followed to its place, object by object."""

import dataclasses
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from combinat.base.kinds import TEXT, Kind
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Figure, Paragraph, Picture, Row, Section, Table, Terms, walk
from combinat.render.charts.pictures import Bars, Lines, Ranges
from combinat.report.folder import report_document
from combinat.rules.game import Game

Number = Fraction | int

DERIVED = "Derived by hand"
"""The section of the checker's own counts, which the second reader compares with the dossier's."""


def body(dossier: Dossier, game: Game) -> Section:
    """The report behind page one, whose findings are derived."""
    document = report_document(dossier, game)
    return Section(document.title, document.blocks[1:])


def places(value: Any, place: str = "") -> Iterator[tuple[str, Number]]:
    """Every number of the dossier with its place."""
    if isinstance(value, bool):
        return
    if isinstance(value, Fraction | int):
        yield place, value
    elif isinstance(value, tuple):
        for number, part in enumerate(value):
            yield from places(part, f"{place}[{number}]")
    elif isinstance(value, msgspec.Struct) or dataclasses.is_dataclass(value):
        for name in (*field_names(value), *getattr(value, "FIGURES", ())):
            yield from places(getattr(value, name), f"{place}.{name}".lstrip("."))


def field_names(record: Any) -> Sequence[str]:
    """The fields of a record of either kind."""
    if isinstance(record, msgspec.Struct):
        return record.__struct_fields__
    return [field.name for field in dataclasses.fields(record)]


def figures(document: Section) -> Iterator[tuple[str, object, Kind]]:
    """Every figure of a document: where it stands, its value, and its kind."""
    heading = ""
    for _, block in walk([document]):
        match block:
            case Section(title):
                heading = title
            case Paragraph(words):
                yield from ((heading, value, kind) for value, kind in in_phrase(words, TEXT))
            case Terms(said):
                for words in said.values():
                    yield from ((heading, value, kind) for value, kind in in_phrase(words, TEXT))
            case Table():
                yield from ((heading, value, kind) for value, kind in in_rows(block))
            case Picture():
                for words in (block.alt, block.caption):
                    yield from ((heading, value, kind) for value, kind in in_phrase(words, TEXT))


def in_rows(table: Table) -> Iterator[tuple[object, Kind]]:
    for row in table.rows:
        assert isinstance(row, Row)
        for cell, column in zip(row.cells, table.columns, strict=True):
            yield from in_phrase(cell, column.kind)


def in_phrase(words: object, kind: Kind) -> Iterator[tuple[object, Kind]]:
    match words:
        case Figure():
            yield words.value, words.kind or kind
        case str() | int() | Fraction() | None:
            yield words, kind
        case Sequence() if any(isinstance(part, Figure) for part in words):
            for part in words:
                yield from in_phrase(part, TEXT)
        case _:
            yield words, kind


def untraced(shown: Iterator[tuple[str, object, Kind]], dossier: Dossier) -> list[str]:
    """The figures that are no numbers of the dossier: fractions by identity, whole numbers by value."""
    every = list(places(dossier))
    fractions = {id(value): place for place, value in every if isinstance(value, Fraction)}
    wholes = {value for _, value in every if not isinstance(value, Fraction)}
    bands = {
        width(sigmas)
        for volume in dossier.operations
        for width in (volume.below_squared, volume.above_squared)
        for sigmas in (1, 2, 3)
    }
    strange = []
    for heading, value, _ in shown:
        if isinstance(value, bool) or not isinstance(value, Fraction | int) or value in bands:
            continue
        if id(value) not in fractions if isinstance(value, Fraction) else value not in wholes:
            strange.append(f"{heading}: {value}")
    return strange


def test_every_figure_of_the_report_is_one_of_the_dossier(small_dossier: Dossier, small_game: Game) -> None:
    every = figures(body(small_dossier, small_game))
    shown = [one for one in every if one[0] != DERIVED]
    assert sum(isinstance(value, Fraction) for _, value, _ in shown) > 500
    assert untraced(iter(shown), small_dossier) == []


def test_every_value_of_a_picture_is_one_of_the_dossier(small_dossier: Dossier, small_game: Game) -> None:
    drawn: list[Fraction | None] = []
    for _, block in walk([body(small_dossier, small_game)]):
        if not isinstance(block, Picture):
            continue
        match block.drawing:
            case Bars(panels=panels):
                drawn += [bar.value for panel in panels for bar in panel.bars]
            case Lines(panels=lines):
                drawn += [value for panel in lines for _, value in panel.points]
            case Ranges(rows=rows):
                drawn += [value for row in rows for value in (row.low, row.middle, row.high)]
    assert len(drawn) == 3 * 4
    assert untraced(iter(("", value, TEXT) for value in drawn), small_dossier) == []


def test_no_figure_hides_in_a_text(small_dossier: Dossier, small_game: Game) -> None:
    """A number that were rounded before it came to the page would be a text that looks like one."""
    texts = [
        value
        for _, value, kind in figures(body(small_dossier, small_game))
        if isinstance(value, str) and kind == TEXT
    ]
    assert [text for text in texts if re.fullmatch(r"[+-]?\d+\.\d+ ?%?", text)] == []


def test_the_walk_sees_what_was_computed_on_the_way(small_dossier: Dossier) -> None:
    """Were a presenter to compute, its number would be another object, equal or not."""
    (bet, *_) = small_dossier.reference.bets
    assert untraced(iter([("", bet.house_edge, TEXT)]), small_dossier) == []
    assert untraced(iter([("", -bet.expected_value, TEXT)]), small_dossier) != []
