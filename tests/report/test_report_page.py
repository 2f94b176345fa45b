"""The page of a report: static, with one script that copies tables."""

import re
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from combinat.base.kinds import COUNT
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Column, Paragraph, Section, table
from combinat.render.html import html
from combinat.render.html_table import row_anchors
from combinat.report.folder import Documents, Form
from combinat.rules.book.load import RuleBook
from tests.report.html_page import Elements, hash_of


def test_nothing_runs_but_the_one_script_and_nothing_is_requested(small_report: Path) -> None:
    elements = Elements((small_report / "report.html").read_text("utf-8"))
    (code,), (style,) = elements.texts["script"], elements.texts["style"]
    allowed = elements.policy
    assert (allowed["default-src"], allowed["script-src"]) == (["'none'"], [hash_of(code)])
    assert allowed["style-src"] == [hash_of(style)]
    assert [attributes.get("type") for tag, attributes in elements.tags if tag == "script"] == ["module"]
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|fetch\("
    )
    assert re.findall(forbidden, code) == []
    for tag, attributes in elements.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src")], tag
        assert (attributes.get("href") or "#").startswith("#")
        assert (attributes.get("xlink:href") or "#").startswith("#")
        assert tag != "link"


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


HOSTILE = "</script><img src=x onerror=alert(1)><!--<script>&amp;"


def test_markup_in_a_rule_book_stays_text(
    small_dossier: Dossier, small_book: RuleBook, small_report: Path
) -> None:
    shoes = tuple(
        replace(shoe, bets=tuple(msgspec.structs.replace(bet, name=HOSTILE) for bet in shoe.bets))
        for shoe in small_dossier.shoes
    )
    documents = Documents(replace(small_dossier, shoes=shoes), small_book)
    hostile = documents.in_form(Form.HTML)["report.html"].decode()
    assert HOSTILE not in hostile
    assert unescape(hostile).count(HOSTILE) > len(small_dossier.reference.bets)
    plain = (small_report / "report.html").read_text("utf-8")
    assert {tag for tag, _ in Elements(hostile).tags} == {tag for tag, _ in Elements(plain).tags}
