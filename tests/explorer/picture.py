"""The pictures of the explorer and of a report in a browser: ``make regenerate`` writes them anew."""

import sys
import tempfile
from pathlib import Path

from combinat.certify.dossier import dossier
from combinat.report.explorer import explorer
from combinat.report.folder import Documents, Form
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import load_rule_book
from tests.explorer.browser import browser, opened

PICTURE = Path(__file__).parent.parent.parent / "docs" / "explorer.png"
REPORT_PICTURE = PICTURE.parent / "report-in-a-browser.png"
LINK = "game=tiger-buffalo-noncommission-2025&layout=P&shoe=6.3.5.7.4.4.8.4.2.5.10.4.8&sort=edge"


def picture(place: Path) -> None:
    """Write the picture: the shoe view on a shoe that favours the player on some bets."""
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        page = Path(folder) / "explorer.html"
        page.write_bytes(explorer([load_rule_book(path) for path in rule_book_paths().values()]))
        tab = opened(chromium, page, link=LINK)
        tab.page.screenshot(path=str(place))


def report_picture(place: Path) -> None:
    """Write the picture of a report's page: another number of decks, and other odds tried."""
    book = load_rule_book("commission-insurance-2013")
    told = dossier(book, range(book.game.decks.least, book.game.decks.most + 1))
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        page = Path(folder) / "report.html"
        page.write_bytes(Documents(told, book).in_form(Form.HTML)["report.html"])
        tab = opened(chromium, page)
        tab.page.locator("[data-key=decks]").select_option("6")
        odds = tab.page.locator("#bet-tie input.odds")
        odds.fill("9")
        odds.press("Tab")
        tab.page.locator("#bet-tie").evaluate("(one) => one.scrollIntoView({ block: 'center' })")
        tab.page.screenshot(path=str(place))


if __name__ == "__main__":
    picture(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
    report_picture(Path(sys.argv[2]) if len(sys.argv) > 2 else REPORT_PICTURE)
