"""``combinat games``: the rule books."""

from combinat.cli.answers import FormatOption, show
from combinat.render.text import Format
from combinat.report.relation_tables import view_table
from combinat.report.rules.games import GAMES
from combinat.rules.book.listing import LISTED
from combinat.rules.book.listing import games as ask


def games(form: FormatOption = Format.TEXT) -> None:
    """List the rule books, one line each."""
    listed = ask()
    show(form, None, record=lambda: GAMES.object(listed), document=lambda: view_table(LISTED, listed))
