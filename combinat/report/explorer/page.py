"""The explorer page: its modules as one script, its texts, and the rule books of its games as data.

The page computes with an engine of its own (``web/``), so nothing here is a figure.
"""

import json
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from combinat import __version__
from combinat.certify.dossier import REFERENCE_DECKS
from combinat.render.web_page import assembled, script_page
from combinat.rules.book.parse import parsed_toml
from combinat.rules.game import Game
from combinat.rules.table_of_play import COMMON_TABLE, PrintedTable

EXPLORER = "explorer.html"
WEB = Path(__file__).parent / "web"
TITLE = "combinat explorer: exact odds of baccarat games"
WITHOUT_SCRIPT = "This page computes exact odds with JavaScript, which is turned off. It uses no network."
NOT_SHOWN = ("interpretations", "examples", "expect", "no_bearing")
"""Keys of a rule book that the page does not show."""


def explorer(games: Sequence[Game]) -> bytes:
    """Return the explorer of these games, in the order of their ids."""
    page = script_page(
        title=TITLE,
        style=(WEB / "style.css").read_text("utf-8"),
        script=script(),
        data=page_data(games),
        without_script=WITHOUT_SCRIPT,
    )
    return page.encode("utf-8")


@cache
def script() -> str:
    """Return the one script of the page."""
    return assembled({path.name: path.read_text("utf-8") for path in WEB.glob("*.js")})


def page_data(games: Sequence[Game]) -> dict[str, Any]:
    """Return the data of the page: its texts, and the parts of the rule books that it shows."""
    return {
        "version": __version__,
        "texts": page_texts(),
        "common_table": _table_of_play_data(COMMON_TABLE),
        "games": [
            {
                "sha256": game.sha256,
                "reference_decks": _reference_decks(game),
                "ambiguous_clauses": len(game.interpretations),
                "book": _book_data(parsed_toml(game.content.decode("utf-8"))),
            }
            for game in sorted(games, key=lambda game: game.id)
        ],
    }


@cache
def page_texts() -> dict[str, Any]:
    """Return the texts and terms of the page."""
    return tomllib.loads((WEB / "texts.toml").read_text("utf-8"))


def _book_data(book: dict[str, Any]) -> Any:
    """Return the shown parts of a rule book as JSON has them, dates and times as text."""
    shown = {key: value for key, value in book.items() if key not in NOT_SHOWN}
    return json.loads(json.dumps(shown, default=str))


def _reference_decks(game: Game) -> int:
    return REFERENCE_DECKS if game.decks.allows(REFERENCE_DECKS) else game.decks.most


def _table_of_play_data(table: PrintedTable) -> dict[str, Any]:
    return {
        "clause": table.clause,
        "stood_clause": table.stood_clause,
        "natural": str(table.natural),
        "player_draws": str(table.player_draws),
        "banker_draws": [{"points": str(row.points), "third": str(row.third)} for row in table.banker_draws],
        "banker_draws_when_player_stood": str(table.banker_draws_when_player_stood),
    }
