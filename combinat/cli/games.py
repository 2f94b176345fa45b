"""``combinat games``: the rule books."""

from combinat.cli.answers import FormatOption, show
from combinat.render.text import Format
from combinat.report.rules.games import games_json, games_table
from combinat.rules.book.listing import games as ask


def games(form: FormatOption = Format.TEXT) -> None:
    """List the rule books, one line each."""
    listed = ask()
    show(form, None, record=lambda: games_json(listed), document=lambda: games_table(listed))
