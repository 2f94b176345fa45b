"""The page of a report in Chromium, from a file: what people see and touch (``make slow M=browser``)."""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace as changed

from combinat.analysis.analysis import analyze
from combinat.analysis.bets import bet_analysis
from combinat.base.kinds import COUNT, FRACTION, ODDS
from combinat.base.number import grouped, percent, root
from combinat.certify.collection import collection
from combinat.certify.dossier import Dossier, dossier
from combinat.render.blocks import Cell, Column, Meaning, Row, Section, Table, table
from combinat.render.html import Live, html
from combinat.render.numbering import numbered
from combinat.report.folder import Documents, Form, over_the_games
from combinat.report.page.page import script
from combinat.rules.bet import Bet
from combinat.rules.book.load import RuleBook, parsed_rule_book
from combinat.rules.odds import Odds
from combinat.rules.shoe import Shoe
from tests.conftest import SMALL_BOOK
from tests.explorer.browser import AXE, CHROMIUM, OF_COLOUR, Opened, axe, browser, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

CLIPBOARD = "() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void (window.copied = text) } })"
"""What is copied is kept, to be looked at."""

STATES = "#all-states"
"""The table of every insurance state."""


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    """One browser for all."""
    with browser() as one:
        yield one


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, small_dossier: Dossier, small_book: RuleBook) -> Path:
    """The page of the small game on one deck and on two."""
    place = tmp_path_factory.mktemp("page") / "report.html"
    place.write_bytes(Documents(small_dossier, small_book).in_form(Form.HTML)["report.html"])
    return place


@pytest.fixture
def tab(chromium: "Browser", file: Path) -> Iterator[Opened]:
    """The page in a tab; at its end it has asked for nothing but itself and said nothing to the console."""
    one = opened(chromium, file)
    yield one
    assert one.said == []
    assert set(one.requested) <= {one.address, "about:blank"}
    one.page.close()


def texts(tab: Opened, table: str) -> list[list[str]]:
    """The rows of a table that are seen, as they are read; an odds field as what is in it."""
    rows: list[list[str]] = tab.page.evaluate(
        "(id) => [...document.querySelector(id).querySelectorAll('tbody tr')].filter((row) => row.checkVisibility())"
        ".map((row) => [...row.cells].map((cell) => cell.querySelector('input')?.value ?? cell.textContent))",
        table,
    )
    return rows


def decks(tab: Opened, number: int) -> None:
    """Switch the page to so many decks."""
    tab.page.locator("[data-key=decks]").select_option(str(number))


# ---------------------------------------------------------------- decks


def test_the_number_of_decks_is_switched_for_every_table_and_back(
    tab: Opened, small_dossier: Dossier, small_book: RuleBook, tmp_path: Path, chromium: "Browser"
) -> None:
    """Each table that follows shows what the report of that number of decks alone shows."""
    alone = tmp_path / "alone.html"
    one = replace(small_dossier, reference_decks=1)
    alone.write_bytes(Documents(one, small_book).in_form(Form.HTML)["report.html"])
    other = opened(chromium, alone)
    every = tab.page.evaluate(
        "[...document.querySelectorAll('main .scroll:has(table)')].map((one) => `#${one.id}`)"
    )
    before = {place: texts(tab, place) for place in every}
    decks(tab, 1)
    marked = tab.page.evaluate("[...document.querySelectorAll('.scroll.other')].map((one) => `#${one.id}`)")
    assert {"#every-bet", STATES, *(f"#bet-{bet.id}" for bet in small_book.game.bets)} <= set(marked)
    for place in every:
        if place in marked:
            assert sorted(texts(tab, place)) == sorted(texts(other, place)) != sorted(before[place])
            good = "[...document.querySelectorAll('{} tr.favours-player')].map((row) => row.id).sort()"
            assert tab.page.evaluate(good.format(place)) == other.page.evaluate(good.format(place))
        else:
            assert texts(tab, place) == before[place]
    assert "1 deck" in tab.text("#every-bet caption")
    assert "shows 1 deck; all else stays at 2 decks" in tab.text(".switched")
    decks(tab, 2)
    assert {place: texts(tab, place) for place in every} == before
    assert not tab.page.locator(".other").count()
    other.page.close()


# ---------------------------------------------------------------- odds


def test_odds_are_tried_in_place_and_the_edge_follows_exactly(
    tab: Opened, small_dossier: Dossier, small_book: RuleBook
) -> None:
    """On both numbers of decks, as the program settles a bet that pays so."""
    bet = next(bet for bet in small_book.game.bets if len(bet.pays) > 1 and bet.pays[0].odds.net > 0)
    pay = bet.pays[0]
    document = texts(tab, f"#bet-{bet.id}")
    field = tab.page.locator(f"#bet-{bet.id} input.odds").first
    for typed, odds in (("7/3", "7 to 3"), ("1000000.125", "1000000.125 to 1")):
        field.fill(typed)
        field.press("Tab")
        assert field.input_value() == odds
        tried = replace_pays(bet, odds)
        for number in (1, 2):
            decks(tab, number)
            game = small_book.game
            analysis = bet_analysis(game, tried, analyze(game, Shoe.of_decks(number)).distribution)
            said = tab.text(f"#bet-{bet.id} + .tried")
            edge = analysis.house_edge
            assert f"house edge {percent(edge, 6)} % = {grouped(str(edge))};" in said
            assert f"return {percent(analysis.return_to_player, 6)} %" in said
            assert f"standard deviation {root(analysis.variance, 4)}." in said
            assert ("favours the player" in said) == (edge < 0)
            total = texts(tab, f"#bet-{bet.id}")[-1][-1].replace(",", "")
            assert total == percent(analysis.return_to_player, 4)
    field.fill("nothing")
    field.press("Tab")
    assert "write the profit to a stake" in tab.text("#notice")
    assert field.input_value() == pay.odds
    field.fill("9")
    field.press("Tab")
    tab.page.get_by_role("button", name="Back to the document's odds").first.click()
    decks(tab, 2)
    assert texts(tab, f"#bet-{bet.id}") == document
    assert not tab.page.locator(".tried:visible").count()


def replace_pays(bet: Bet, odds: str) -> Bet:
    """The bet with other odds on its first line."""
    return changed(bet, pays=(changed(bet.pays[0], odds=Odds.parse(odds)), *bet.pays[1:]))


# ---------------------------------------------------------------- rows


def test_rows_are_sorted_by_what_they_show_and_back(tab: Opened) -> None:
    """Numbers by their size, however they are written; a total stays at the end."""
    before = texts(tab, STATES)
    head = tab.page.locator(f"{STATES} thead th", has_text="expected value")
    column = tab.page.evaluate("(head) => head.cellIndex", head.element_handle())
    for direction, is_reverse in (("descending", True), ("ascending", False)):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == direction
        values = [Fraction(row[column].replace(",", "").replace("+", "")) for row in texts(tab, STATES)]
        assert values == sorted(values, reverse=is_reverse)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None
    assert texts(tab, STATES) == before


def made_up(chromium: "Browser", place: Path, *tables: Table) -> Opened:
    """A page of these tables, with the script of a report's."""
    data = {"decks": {"reference": "8", "numbers": ["8"]}, "bets": []}
    page = html(numbered(Section("Tables", tables)), "", Live(script=script(), data=data, versions={}))
    place.write_text(page, "utf-8")
    return opened(chromium, place)


def test_what_a_row_shows_is_what_it_is_sorted_by(chromium: "Browser", tmp_path: Path) -> None:
    """Counts of any size, fractions, odds, words; what shows no figure comes last, a total always does."""
    rows: list[Row | tuple[Cell, ...]] = [
        ("b 10", 99, Fraction(1, 3), "3 to 2"),
        ("b 9", 10**20 + 1, Fraction(-1, 2), "0.95 to 1"),
        ("=a", 10**20, None, "10 to 1"),
        ("\u00e4", 1000, Fraction(1, 4), "push"),
        Row(("total", 0, Fraction(0), "1 to 1"), Meaning.TOTAL),
    ]
    columns = (Column("w"), Column("n", COUNT), Column("f", FRACTION), Column("o", ODDS))
    plain = table(columns, rows)
    in_groups = table(columns, [*rows, Row(("g", 1, None, ""), Meaning.GROUP)])
    tab = made_up(chromium, tmp_path / "page.html", plain, in_groups)
    orders = {
        "w": ["=a", "\u00e4", "b 9", "b 10"],
        "n": ["b 9", "=a", "\u00e4", "b 10"],
        "f": ["b 10", "\u00e4", "b 9", "=a"],
        "o": ["b 9", "b 10", "=a", "\u00e4"],
    }
    for head, names in orders.items():
        tab.page.locator("#table-1").get_by_role("button", name=head, exact=True).click()
        assert [row[0] for row in texts(tab, "#table-1")] == [*names, "total"], head
    tab.page.locator("#table-1").get_by_role("button", name="f", exact=True).dblclick()
    assert [row[0] for row in texts(tab, "#table-1")] == ["b 9", "\u00e4", "b 10", "=a", "total"]
    assert not tab.page.locator("#table-2 .sort").count()
    tab.page.evaluate(CLIPBOARD)
    tab.page.locator("#table-2 button.small").click()
    assert tab.page.evaluate("window.copied").splitlines()[1:4] == [
        "b 10,99,1/3,3 to 2",
        "b 9,100000000000000000001,-1/2,0.95 to 1",
        "'=a,100000000000000000000,,10 to 1",
    ]
    tab.page.close()


def test_rows_that_favour_the_player_a_hand_or_a_stage_are_seen_alone(
    tab: Opened, small_dossier: Dossier
) -> None:
    tools = tab.page.locator(f".tools:has(+ {STATES})")
    tools.get_by_role("checkbox").check()
    rows = texts(tab, STATES)
    states = small_dossier.reference.insurance
    assert len(rows) == sum(state.favours_player for state in states)
    assert tools.locator(".count").inner_text() == f"{len(rows)} of {len(states)} rows"
    tools.get_by_role("checkbox").uncheck()
    assert len(texts(tab, STATES)) == len(states)


def test_a_table_is_copied_as_csv(tab: Opened, small_dossier: Dossier) -> None:
    """As it is seen, with whole numbers that a program reads."""
    tab.page.evaluate(CLIPBOARD)
    bet = small_dossier.reference.bets[0]
    tab.page.locator(f"#bet-{bet.id} button.small").click()
    rows = list(csv.reader(io.StringIO(tab.page.evaluate("window.copied"))))
    assert [row[2] for row in rows[1:-1]] == [str(line.ways) for line in bet.outcomes]
    assert [row[:2] for row in rows[1:-1]] == [[line.name, line.odds] for line in bet.outcomes]


def test_a_row_is_a_place_that_is_seen_under_the_bar(tab: Opened) -> None:
    row = tab.page.locator(f"{STATES} tbody tr").last
    name = row.get_attribute("id")
    tab.page.goto(f"{tab.address}#{name}")
    tab.page.wait_for_timeout(100)
    box, bar = row.bounding_box(), tab.page.locator(".bar").bounding_box()
    assert box is not None
    assert bar is not None
    assert bar["y"] + bar["height"] <= box["y"] < 900


# ---------------------------------------------------------------- for everyone


@pytest.fixture(scope="module")
def index_file(file: Path, small_dossier: Dossier, small_book: RuleBook) -> Path:
    """The index of a collection of one game, with files of every form."""
    names = ["report.html", "report.pdf", "workbook.xlsx", "certificate.json", "small-baccarat.toml"]
    over = over_the_games(collection([(small_book.game, small_dossier, names)]), [small_book])
    place = file.parent / "index.html"
    place.write_bytes(over["index.html"])
    return place


def test_axe_finds_nothing(chromium: "Browser", file: Path, index_file: Path) -> None:
    """In the light every rule, in the dark those of colours; switched and tried, so that all is there to be seen."""
    tab = opened(chromium, file, width=390)
    page = tab.page
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    decks(tab, 1)
    field = page.locator("input.odds").first
    field.fill("3")
    field.press("Tab")
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


def test_a_rule_book_of_markup_stays_words(chromium: "Browser", tmp_path: Path, small_book: RuleBook) -> None:
    """In the page, in its fields, and in what is said of odds that are tried; a word of any length fits a phone."""
    markup = "</script><img src=x onerror=document.title=1><b onclick=x>&lt;" + 7 * "long"
    text = re.sub(
        r'\b(name|about|when|operator) = "[^"]*"',
        lambda match: f"{match[1]} = {json.dumps(f'{markup}{match.start()}')}",
        small_book.content.decode("utf-8"),
    )
    hostile = parsed_rule_book(text.encode("utf-8"), SMALL_BOOK)
    place = tmp_path / "hostile.html"
    place.write_bytes(Documents(dossier(hostile, (1, 2)), hostile).in_form(Form.HTML)["report.html"])
    tab = opened(chromium, place, width=390)
    decks(tab, 1)
    field = tab.page.locator("input.odds").first
    field.fill("3")
    field.press("Tab")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert markup in tab.text(".tried:visible")
    assert tab.page.locator("img, b[onclick]").count() == 0
    assert tab.said == []
    tab.page.close()
