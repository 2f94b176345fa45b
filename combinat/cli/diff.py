"""``combinat diff``: what one rule book changes in another."""

from typing import Annotated

import typer

from combinat.analysis.rule_book_changes import diff as ask
from combinat.base.errors import InputError
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import DecksOption, warn_of_decks
from combinat.render.text import Format
from combinat.report.relation_tables import program_table
from combinat.report.rules.rule_book_changes import CHANGES, DIFF, changes_document
from combinat.rules.converters import DECKS


def diff(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME [GAME]",
            help="Two game ids or TOML files, the earlier first; or one file, to compare it with its base.",
        ),
    ],
    decks: DecksOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Compare two rule books: what the second adds, removes and changes.

    Each change has its clause in both books and, for bets and insurance, the exact effect on the house edge.
    """
    if len(games) > 2:
        raise InputError(f"found {len(games)} games", "write two, or one that has a base", parameter="games")
    answer = ask(*games, decks=DECKS if decks is None else decks)
    for game in (answer.before, answer.after):
        warn_of_decks(game, [answer.decks])
    show(
        form,
        None,
        record=lambda: DIFF.object(answer),
        csv=lambda: program_table(CHANGES, answer.changes),
        document=lambda: changes_document(answer),
    )
