"""The explorer page: its modules put together, and the rule books of its games as data.

The page computes by itself, with an engine of its own (``web/``), so that nothing here is a figure.
"""

import datetime
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from combinat import __version__
from combinat.certify.dossier import REFERENCE_DECKS
from combinat.render.js_bundle import assembled
from combinat.render.script_page import script_page
from combinat.rules.book.load import RuleBook
from combinat.rules.book.parse import parsed_toml
from combinat.rules.game import Game
from combinat.rules.table_of_play import COMMON_TABLE, PrintedTable

EXPLORER = "explorer.html"
WEB = Path(__file__).parent / "web"
ENTRY = "app.js"
TITLE = "combinat explorer: exact odds of baccarat games"
WITHOUT_SCRIPT = (
    "This page computes exact odds in the browser and needs JavaScript. It requests nothing from the network."
)


def explorer(books: Sequence[RuleBook]) -> bytes:
    """The explorer of these games, in the order of their ids."""
    page = script_page(
        title=TITLE,
        style=(WEB / "style.css").read_text("utf-8"),
        script=script(),
        data=carried(books),
        without_script=WITHOUT_SCRIPT,
    )
    return page.encode("utf-8")


@cache
def script() -> str:
    """The one script of the page."""
    return assembled({path.name: path.read_text("utf-8") for path in sorted(WEB.glob("*.js"))}, ENTRY)


def carried(books: Sequence[RuleBook]) -> dict[str, Any]:
    """What travels in the page: the rule books as they are written, with what they leave unsaid."""
    return {
        "version": __version__,
        "common_table": _printed(COMMON_TABLE),
        "games": [
            {
                "sha256": book.sha256,
                "reference_decks": _reference_decks(book.game),
                "book": _plain(parsed_toml(book.content.decode("utf-8"))),
            }
            for book in sorted(books, key=lambda book: book.game.id)
        ],
    }


def _reference_decks(game: Game) -> int:
    return REFERENCE_DECKS if game.decks.allows(REFERENCE_DECKS) else game.decks.most


def _printed(table: PrintedTable) -> dict[str, Any]:
    return {
        "clause": table.clause,
        "stood_clause": table.stood_clause,
        "natural": str(table.natural),
        "player_draws": str(table.player_draws),
        "banker_draws": [{"points": str(row.points), "third": str(row.third)} for row in table.banker_draws],
        "banker_draws_when_player_stood": str(table.banker_draws_when_player_stood),
    }


def _plain(value: Any) -> Any:
    """TOML as JSON has it; a date or a time, which is no text in TOML, is marked as such."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, datetime.date | datetime.time):
        return {"$moment": value.isoformat()}
    return value
