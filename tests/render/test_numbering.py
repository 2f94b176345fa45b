"""The numbers of a document: sections, tables, figures, references, digits in threes."""

import re
from fractions import Fraction

import pytest

from combinat.base.kinds import COUNT, FRACTION, HASH
from combinat.render.blocks import (
    Column,
    Figure,
    Paragraph,
    Picture,
    Reference,
    Section,
    Standing,
    Table,
    annex,
    chapter,
    section,
    table,
    walk,
)
from combinat.render.charts.pictures import Range, Ranges
from combinat.render.html import html
from combinat.render.numbering import numbered
from combinat.render.text import Format, rendered

WAYS = 4998398275503360


def ways_table(caption: str = "", anchor: str = "") -> Table:
    """A table of one count."""
    return table((Column("bet"), Column("ways", COUNT)), [("Tie", WAYS)], caption, anchor=anchor)


def picture() -> Picture:
    """A picture of one range."""
    row = Range(label="Tie", low=Fraction(0), middle=Fraction(1, 9), high=Fraction(1, 4), favours=False)
    drawing = Ranges(title="Ranges", across_title="%", rows=(row,))
    return Picture(name="ranges", drawing=drawing, alt="A range.", caption="Ranges of all")


def document() -> Section:
    """A document with everything that has a number."""
    said = ("See ", Reference("edges"), ", ", Reference("states"), " and ", Reference("whole-register"), ".")
    return Section(
        "Report",
        (
            section("Summary", Paragraph(said), ways_table("Every bet"), standing=Standing.SUMMARY),
            chapter(
                "Rules",
                [Section("Layouts", (ways_table(),)), Section("Limits", (picture(),))],
                anchor="rules",
            ),
            chapter("Results", [ways_table("Edges", "edges")]),
            annex("All states", [ways_table("States", "states"), picture()]),
            annex("Register", [Section("Whole", (ways_table(),), anchor="whole-register")]),
        ),
    )


def test_what_has_a_number_has_one() -> None:
    """Tables and figures are counted through the body, and again in each annex; sections in chapters."""
    blocks = [block for _, block in walk(numbered(document()).blocks)]
    labels = [block.titled for block in blocks if isinstance(block, Table | Picture)]
    assert labels == [
        *("Table 1. Every bet", "Table 2. Layouts", "Figure 1. Ranges of all", "Table 3. Edges"),
        *("Table A.1. States", "Figure A.1. Ranges of all", "Table B.1. Whole"),
    ]
    assert [block.heading for block in blocks if isinstance(block, Section)] == [
        *("Summary", "1. Rules", "1.1. Layouts", "1.2. Limits", "2. Results"),
        *("Annex A. All states", "Annex B. Register", "B.1. Whole"),
    ]


def test_a_reference_names_its_place_and_leads_there() -> None:
    """In Markdown and HTML every reference leads to an anchor that is there, and no anchor is there twice."""
    made = numbered(document())
    markdown, page = rendered([made], Format.MARKDOWN), html(made, "")
    assert "See [Table 3](#edges), [Table A.1](#states) and [section B.1](#whole-register)." in markdown
    assert '<a href="#edges">Table 3</a>, <a href="#states">Table A.1</a>' in page
    for text, link in ((markdown, r"\]\(#([\w-]+)\)"), (page, r'href="#([\w-]+)"')):
        anchors = re.findall(r' id="([\w-]+)"', text)
        assert len(anchors) == len(set(anchors)) >= 8
        assert set(re.findall(link, text)) <= set(anchors)
    assert "**Table A.1.** States" in markdown
    assert "<caption><span><b>Table A.1.</b> <span>States</span></span></caption>" in page


def test_a_place_that_is_not_there_or_there_twice_is_refused() -> None:
    """A presenter's mistake is no document."""
    with pytest.raises(ValueError, match="no place of this document is called nowhere"):
        numbered(Section("Report", (Paragraph((Reference("nowhere"),)),)))
    with pytest.raises(ValueError, match="two places of a document are called edges"):
        numbered(Section("Report", (ways_table("", "edges"), ways_table("", "edges"))))


def test_digits_stand_in_threes_for_people_alone() -> None:
    """A numbered document groups digits of numbers and of nothing else; CSV is made of tables that are not."""
    said = (Figure("1234567890", HASH), " ", Figure(Fraction(-1234567, 1000), FRACTION))
    made = numbered(Section("Report", (ways_table(), Paragraph(said))))
    shown = rendered([made], Format.TEXT)
    assert "4,998,398,275,503,360" in shown
    assert "1234567890 -1,234,567/1,000" in shown
    assert str(WAYS) in rendered([ways_table()], Format.CSV)
