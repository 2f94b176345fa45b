"""The page of a report: what it holds for its script, and that it is whole without one."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from itertools import product
from typing import Any

import msgspec
import pytest

from combinat.analysis.analysis import Analysis, analyze
from combinat.base.kinds import COUNT
from combinat.base.number import grouped
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Column, Meaning, Paragraph, Row, Section, Table, Terms, switching, table
from combinat.render.html import html
from combinat.render.rows import row_names
from combinat.render.versions import difference
from combinat.report.folder import Documents, Form
from combinat.report.page.page import SHARED, WEB, script
from combinat.rules.book.load import RuleBook
from combinat.rules.shoe import Shoe


class Elements(HTMLParser):
    """The elements of a page with their attributes, what stands in scripts and styles, and the rows by their ids."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[str] = []
        self.rows: dict[str, list[str]] = {}
        self._into: list[str] | None = None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self._into = self.rows.setdefault(dict(attrs).get("id") or "", [])
        elif tag in ("script", "style"):
            self._into = self.raw
        if tag in ("th", "td", "script", "style") and self._into is not None:
            self._into.append("")

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a cell."""
        if tag in ("tr", "script", "style"):
            self._into = None

    def handle_data(self, data: str) -> None:
        """Note what stands in a cell."""
        if self._into:
            self._into[-1] += data


@pytest.fixture(scope="module")
def page(small_dossier: Dossier, small_book: RuleBook) -> str:
    """The page of the small game on one deck and on two."""
    return Documents(small_dossier, small_book).in_form(Form.HTML)["report.html"].decode("utf-8")


@pytest.fixture(scope="module")
def data(page: str) -> dict[str, Any]:
    """What the script of the page finds."""
    _, written, _ = Elements(page).raw
    loaded: dict[str, Any] = json.loads(written)
    return loaded


def on(book: RuleBook, decks: int) -> Analysis:
    """Another way to the figures than the dossier's: not by the recursion."""
    return analyze(book.game, Shoe.of_decks(decks))


# ---------------------------------------------------------------- what the page may do


def test_nothing_runs_but_the_one_script_and_nothing_is_requested(page: str) -> None:
    elements = Elements(page)
    look, _, code = elements.raw
    policy = next(attributes["content"] for tag, attributes in elements.tags if "http-equiv" in attributes)
    digest = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (code, look)]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert {part for part in policy.split() if part.startswith("'sha256-")} == {
        *(f"'sha256-{one}';" for one in digest)
    }
    assert [attributes.get("type") for tag, attributes in elements.tags if tag == "script"] == [
        "application/json",
        "module",
    ]
    for tag, attributes in elements.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src")], tag
        assert (attributes.get("href") or "#").startswith("#")


def test_a_document_without_a_script_may_run_none() -> None:
    plain = html(Section("t", (Paragraph("x"),)), "")
    assert "default-src 'none'; style-src 'sha256-" in plain
    assert "script" not in {tag for tag, _ in Elements(plain).tags}


def test_the_script_holds_what_the_explorer_computes_with_and_no_module_makes_markup() -> None:
    code = script()
    named = {path.name for path in WEB.glob("*.js")} | set(SHARED)
    assert set(re.findall(r"^// -+ (\w+\.js)$", code, re.MULTILINE)) == named
    forbidden = r"\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|srcdoc|fetch\(|XMLHttpRequest|WebSocket|\bimport\(|console\."
    assert re.findall(forbidden, code) == []


def test_the_page_is_as_large_as_a_page_may_be(page: str) -> None:
    assert len(page.encode()) < 1_500_000


# ---------------------------------------------------------------- other numbers of decks


def shown(page: str, data: dict[str, Any], decks: int, table_id: str) -> dict[str, list[str]]:
    """The rows of a table as the page shows them for so many decks, by their names."""
    rows = [
        (name, list(cells)) for name, cells in Elements(page).rows.items() if name.startswith(f"{table_id}-")
    ]
    if str(decks) != data["decks"]["reference"]:
        for row, column, text in data["versions"][str(decks)]["cells"].get(table_id, []):
            rows[row][1][column] = text
    return {name.removeprefix(f"{table_id}-"): cells for name, cells in rows}


def test_every_bet_can_be_read_on_every_number_of_decks(
    page: str, data: dict[str, Any], small_book: RuleBook
) -> None:
    """The ways that the page shows, and those that it computes with, are those of another way of counting."""
    assert data["decks"] == {"reference": "2", "numbers": ["1", "2"]}
    bets = {bet["name"]: bet for bet in data["bets"]}
    for decks, bet in product((1, 2), small_book.game.bets):
        analysis = on(small_book, decks).bet(bet.id)
        ways = [str(line.ways) for line in analysis.outcomes]
        held = bets[bet.name]
        assert held["ways"][str(decks)] == ways
        assert [Fraction(*map(int, line["net"])) for line in held["outcomes"]] == [
            line.net for line in analysis.outcomes
        ]
        cells = {cell for row in shown(page, data, decks, held["table"]).values() for cell in row}
        assert {grouped(one) for one in ways} <= cells


# ---------------------------------------------------------------- versions of a document


def document(*rows: Row | tuple[str, int], line: str = "8 decks", title: str = "n") -> Section:
    """A document with a table and lines that switch, and a line that does not."""
    one: Table = table((Column("a"), Column(title, COUNT)), rows, line, anchor="t")
    return Section(
        "d", (Paragraph(f"stays {line}"), switching(Section("s", (Paragraph(line), Terms({"x": line}), one))))
    )


def test_a_version_holds_what_differs_and_nothing_else() -> None:
    """Rows may be in another order, marks are those of the rows here; a table of other rows stays."""
    here = document(("x", 1), Row(("y", 2), Meaning.FAVOURS_PLAYER), ("z", 3))
    there = document(Row(("z", 4), Meaning.FAVOURS_PLAYER), ("x", 1), ("y", 5), line="4 decks", title="m")
    found = difference(here, there)
    assert found is not None
    assert (found["cells"], found["marks"]) == ({"t": [[1, 1, "5"], [2, 1, "4"]]}, {"t": [2]})
    assert not any((difference(here, here) or {"": 1}).values())
    other = difference(document(("x", 1), ("y", 2)), document(("x", 2), ("w", 2), line="4 decks"))
    assert other is not None
    assert (other["cells"], other["said"]) == ({}, {"0": "4 decks", "1": "4 decks"})
    assert difference(here, Section("d", ())) is None


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ([("Tie", 1), ("Big Tiger!", 2)], ["tie", "big-tiger"]),
        ([("p", 1), ("p", 2), ("b", 1)], ["p-1", "p-2", "b-1"]),
        ([("p", 1), ("p", 1)], ["row-1", "row-2"]),
        ([("\u9592", 1), ("<b>", 2)], ["1", "b-2"]),
    ],
)
def test_a_row_is_called_by_the_first_cells_that_tell_it_apart(
    rows: list[tuple[str, int]], names: list[str]
) -> None:
    assert row_names(table((Column("a"), Column("b", COUNT)), rows)) == names


# ---------------------------------------------------------------- strangers


HOSTILE = "</script><img src=x onerror=alert(1)><!--<script>&amp;"


def test_markup_in_a_rule_book_stays_words_and_data(
    small_dossier: Dossier, small_book: RuleBook, page: str
) -> None:
    """In the document, in what other versions say, and in what the script finds."""
    shoes = tuple(
        replace(
            shoe, bets=tuple(msgspec.structs.replace(bet, name=f"{HOSTILE}{shoe.decks}") for bet in shoe.bets)
        )
        for shoe in small_dossier.shoes
    )
    hostile = (
        Documents(replace(small_dossier, shoes=shoes), small_book).in_form(Form.HTML)["report.html"].decode()
    )
    assert HOSTILE not in hostile
    assert unescape(hostile).count(HOSTILE) > len(small_dossier.reference.bets)
    assert [tag for tag, _ in Elements(hostile).tags] == [tag for tag, _ in Elements(page).tags]
    assert {bet["name"] for bet in json.loads(Elements(hostile).raw[1])["bets"]} == {f"{HOSTILE}2"}
