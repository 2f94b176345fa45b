"""The picture of the explorer: ``make regenerate`` writes it anew."""

import sys
import tempfile
from pathlib import Path

from combinat.report.explorer import explorer
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import load_game
from tests.explorer.browser import browser, opened

PICTURE = Path(__file__).parent.parent.parent / "docs" / "explorer.png"
LINK = "game=tiger-buffalo-noncommission-2025&layout=P&shoe=6.3.5.7.4.4.8.4.2.5.10.4.8&sort=edge"


def picture(place: Path) -> None:
    """Write the picture: the shoe view on a shoe that favours the player on some bets."""
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        page = Path(folder) / "explorer.html"
        page.write_bytes(explorer([load_game(path) for path in rule_book_paths().values()]))
        tab = opened(chromium, page, link=LINK)
        tab.page.screenshot(path=str(place))


if __name__ == "__main__":
    picture(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
