"""``combinat check``: check a rule book."""

from typing import Annotated

import typer

from combinat.analysis.coverage import RuleBookCheck
from combinat.analysis.coverage import check as ask
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import DecksOption, warn_of_decks
from combinat.cli.output import warn
from combinat.render.text import Format
from combinat.report.relation_tables import view_table
from combinat.report.rules import check as shown


def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A TOML rule book, or a game id.")],
    bet: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Show only this bet; repeat for more.")
    ] = None,
    decks: DecksOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check a rule book: all its mistakes, the coverage of each line, its published figures.

    Exit code 1: it has mistakes, or a published figure in it does not hold.
    """
    answer = ask(file, bets=bet or (), decks=decks)
    if answer.coverage is None:
        _show_mistakes(answer, form)
        raise typer.Exit(1)
    covered = answer.coverage
    if covered.shoe.decks is not None:
        warn_of_decks(covered.game, [covered.shoe.decks])
    show(
        form,
        covered.game,
        record=lambda: shown.CHECK.object(answer),
        csv=lambda: shown.coverage_table(covered),
        document=lambda: shown.check_document(covered, answer.published),
    )
    if form is Format.CSV:
        for words in (*shown.cautions_in_words(covered), *shown.unmet_in_words(answer.published)):
            warn(words)
    if not answer.holds:
        raise typer.Exit(1)


def _show_mistakes(answer: RuleBookCheck, form: Format) -> None:
    show(
        form,
        None,
        record=lambda: shown.CHECK.object(answer),
        document=lambda: (
            view_table(shown.MISTAKES, answer.mistakes, "list")
            if form in (Format.CSV, Format.LATEX)  # which have no paragraphs
            else shown.mistakes_document(answer.path.name, answer.mistakes)
        ),
    )
