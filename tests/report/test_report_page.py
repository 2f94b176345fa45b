"""The page of a report: static, with one script that copies tables."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from combinat.base.kinds import COUNT
from combinat.render.blocks import Column, Paragraph, Section, table
from combinat.render.html import html, row_anchors
from tests.html_page import Elements, assert_runs_only_its_script


def test_nothing_runs_but_the_one_script_and_nothing_is_requested(small_report: Path) -> None:
    elements = Elements((small_report / "report.html").read_text("utf-8"))
    assert_runs_only_its_script(elements)
    assert len(elements.texts["script"]) == 1
    assert "link" not in {tag for tag, _ in elements.tags}


def test_every_link_leads_somewhere_and_the_headings_are_in_order(small_report: Path) -> None:
    elements = Elements((small_report / "report.html").read_text("utf-8"))
    ids = [attributes["id"] for _, attributes in elements.tags if attributes.get("id")]
    links = {attributes["href"] for tag, attributes in elements.tags if tag == "a" and "href" in attributes}
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in links if link} <= set(ids)
    levels = [int(tag[1]) for tag, _ in elements.tags if re.fullmatch("h[1-6]", tag)]
    assert (levels[0], levels.count(1)) == (1, 1)
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_every_table_of_the_page_has_headers_and_every_picture_words(small_report: Path) -> None:
    text = (small_report / "report.html").read_text("utf-8")
    tables = re.findall(r"<table>.*?</table>", text, re.DOTALL)
    assert len(tables) > 20
    assert all('<th scope="col"' in table and '<th scope="row"' in table for table in tables)
    pictures = re.findall('<div class="scroll" tabindex="0" role="img" aria-label="[^"]', text)
    assert len(pictures) == text.count("<svg") == 1


def test_a_document_without_a_script_may_run_none() -> None:
    plain = html(Section("t", (Paragraph("x"),)), "")
    assert "default-src 'none'; style-src 'sha256-" in plain
    assert "script" not in {tag for tag, _ in Elements(plain).tags}


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ([("Tie", 1), ("Big Tiger!", 2)], ["tie", "big-tiger"]),
        ([("p", 1), ("p", 2), ("b", 1)], ["p-1", "p-2", "b-1"]),
        ([("p", 1), ("p", 1)], ["row-1", "row-2"]),
        ([("\u9592", 1), ("<b>", 2)], ["1", "b-2"]),
    ],
)
def test_the_anchor_of_a_row_is_its_first_cells(rows: list[tuple[str, int]], names: list[str]) -> None:
    assert row_anchors(table((Column("a"), Column("b", COUNT)), rows)) == names
