"""The page of a report in Chromium, from a file: what people see and touch (``make slow M=browser``)."""

import csv
import io
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from combinat.base.kinds import COUNT, FRACTION, ODDS
from combinat.certify.collection import collection
from combinat.certify.dossier import Dossier, dossier
from combinat.render.blocks import Cell, Column, Section, table
from combinat.render.html import html
from combinat.render.numbering import numbered
from combinat.report.folder import Documents, Form, over_the_games
from combinat.rules.book.load import parsed_game
from combinat.rules.game import Game
from tests.conftest import SMALL_BOOK
from tests.explorer.browser import AXE, OF_COLOUR, Opened, axe, opened
from tests.paths import stored

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CLIPBOARD = "() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void (window.copied = text) } })"
"""What is copied is kept, to be looked at."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, small_dossier: Dossier, small_game: Game) -> Path:
    """The page of the small game on one deck and on two."""
    place = tmp_path_factory.mktemp("page") / "report.html"
    place.write_bytes(Documents(small_dossier, small_game).in_form(Form.HTML)["report.html"])
    return place


@pytest.fixture
def tab(chromium: "Browser", file: Path) -> Iterator[Opened]:
    """The page in a tab; at its end it has asked for nothing but itself and said nothing to the console."""
    one = opened(chromium, file)
    yield one
    assert one.said == []
    assert set(one.requested) <= {one.address, "about:blank"}
    one.page.close()


def test_a_copied_table_cannot_be_a_formula(chromium: "Browser", tmp_path: Path) -> None:
    rows: list[tuple[Cell, ...]] = [
        ("b 9", 10**20 + 1, Fraction(-1, 2), "0.95 to 1"),
        ("=a", 10**20, None, "10 to 1"),
    ]
    made = table((Column("w"), Column("n", COUNT), Column("f", FRACTION), Column("o", ODDS)), rows)
    place = stored(tmp_path, html(numbered(Section("Tables", (made,))), "", copies_tables=True), "page.html")
    tab = opened(chromium, place)
    tab.page.evaluate(CLIPBOARD)
    tab.page.locator("#table-1 button").click()
    assert tab.page.evaluate("window.copied").splitlines() == [
        "w,n,f,o",
        "b 9,100000000000000000001,-1/2,0.95 to 1",
        "'=a,100000000000000000000,,10 to 1",
    ]
    tab.page.close()


def test_a_table_is_copied_as_csv(tab: Opened, small_dossier: Dossier) -> None:
    """With whole numbers that a program reads."""
    tab.page.evaluate(CLIPBOARD)
    bet = small_dossier.reference.bets[0]
    tab.page.locator(f"#bet-{bet.id} button").click()
    rows = list(csv.reader(io.StringIO(tab.page.evaluate("window.copied"))))
    assert [row[2] for row in rows[1:-1]] == [str(line.ways) for line in bet.outcomes]
    assert [row[:2] for row in rows[1:-1]] == [[line.name, line.odds] for line in bet.outcomes]


# ---------------------------------------------------------------- for everyone


@pytest.fixture(scope="module")
def index_file(file: Path, small_dossier: Dossier, small_game: Game) -> Path:
    """The index of a collection of one game, with files of every form."""
    names = ["report.html", "report.pdf", "workbook.xlsx", "certificate.json", "small-baccarat.toml"]
    over = over_the_games(collection([(small_game, small_dossier, names)]), [small_game])
    place = file.parent / "index.html"
    place.write_bytes(over["index.html"])
    return place


def test_axe_finds_nothing(chromium: "Browser", file: Path, index_file: Path) -> None:
    """In the light every rule, in the dark those of colours."""
    tab = opened(chromium, file, width=390)
    page = tab.page
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    page.evaluate(axe())
    assert page.evaluate(AXE, None) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(AXE, OF_COLOUR) == []
    page.goto(index_file.as_uri())
    page.evaluate(axe())
    assert page.evaluate(AXE, None) == []
    page.close()


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_nothing_is_wider_than_the_screen(
    chromium: "Browser", file: Path, index_file: Path, width: int
) -> None:
    """Tables and pictures scroll in boxes of their own, with a script and without."""
    for has_script in (True, False):
        page = chromium.new_page(java_script_enabled=has_script, viewport={"width": width, "height": 900})
        for place in (file, index_file):
            page.goto(place.as_uri())
            assert page.locator("html").evaluate("(root) => root.scrollWidth") <= width, place.name
        page.close()


def test_without_a_script_everything_is_there(chromium: "Browser", file: Path) -> None:
    """Every row of every table, and nothing that would do nothing; on a phone nothing is wider than it."""
    page = chromium.new_page(java_script_enabled=False, viewport={"width": 390, "height": 900})
    page.goto(file.as_uri())
    written = file.read_text("utf-8")
    assert page.locator("main tbody tr:visible").count() == len(re.findall("<tr", written)) - written.count(
        "<thead>"
    )
    assert not page.locator("button, select, input").count()
    page.close()


def test_a_rule_book_of_markup_stays_words(chromium: "Browser", tmp_path: Path, small_game: Game) -> None:
    """A word of any length fits a phone."""
    markup = "</script><img src=x onerror=document.title=1><b onclick=x>&lt;" + 7 * "long"
    text = re.sub(
        r'\b(name|about|when|operator) = "[^"]*"',
        lambda match: f"{match[1]} = {json.dumps(f'{markup}{match.start()}')}",
        small_game.content.decode("utf-8"),
    )
    hostile = parsed_game(text.encode("utf-8"), SMALL_BOOK)
    place = stored(
        tmp_path,
        Documents(dossier(hostile, (1, 2)), hostile).in_form(Form.HTML)["report.html"],
        "hostile.html",
    )
    tab = opened(chromium, place, width=390)
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert markup in tab.text("main")
    assert tab.page.locator("img, b[onclick]").count() == 0
    assert tab.said == []
    tab.page.close()
