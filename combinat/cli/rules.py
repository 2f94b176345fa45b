"""``combinat rules``: one rule book."""

from enum import StrEnum
from typing import Annotated

import typer

from combinat.base.errors import CombinatError
from combinat.cli.options import GameArgument, LayoutOption
from combinat.cli.output import say
from combinat.render.text import Format, as_json, rendered


class RulesFormat(StrEnum):
    """The formats of a rule book: those of every table, and its own."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"
    TOML = "toml"


def rules(
    game: GameArgument,
    layout: LayoutOption = None,
    form: Annotated[
        RulesFormat, typer.Option("--format", "-f", help="Output format; toml: a copy of the rule book file.")
    ] = RulesFormat.TEXT,
) -> None:
    """Show one rule book: bets, odds, when each line pays, layouts, insurance, clauses, interpretation register."""
    from combinat.report.provisos import with_provisos
    from combinat.report.rules.rule_book_data import rule_book_json
    from combinat.report.rules.rulebook import rule_book
    from combinat.rules.book.load import load_game

    loaded = load_game(game)
    if form is RulesFormat.TOML:
        if layout is not None:
            raise CombinatError("--layout does not go with --format toml, which is the whole rule book")
        say(loaded.content.decode("utf-8").removesuffix("\n"))
        return
    if form is RulesFormat.JSON:
        say(as_json(rule_book_json(loaded, layout)))
        return
    document = rule_book(loaded, layout, when=True)
    say(
        rendered(
            with_provisos(loaded, [document], Format(form.value)),
            Format(form.value),
            main="The bets: outcomes, odds and clauses",
        )
    )
