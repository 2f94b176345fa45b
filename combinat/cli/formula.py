"""``combinat formula``: closed forms in the number of decks."""

from typing import Annotated

import typer

from combinat.analysis.formula import formula as ask
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import GameArgument
from combinat.cli.output import say
from combinat.render.text import Format
from combinat.report.analysis import formula as report
from combinat.rules.converters import as_game


def formula(
    game: GameArgument,
    bet: Annotated[
        str,
        typer.Argument(
            metavar="BET",
            help="A bet, or an insurance state as HAND:STAGE:OWN-OTHER, such as banker:four-cards:6-5.",
        ),
    ],
    outcome: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only the probability of this line of the pay table.")
    ] = None,
    decks: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Numbers of decks to show values for, such as 4-10 or 4,6,8. [default: all allowed]",
        ),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """The exact expected value and probabilities as functions of the number of decks."""
    answer = ask(as_game(game), bet, outcome=outcome, decks=decks)
    is_latex = form is Format.LATEX
    if is_latex:
        say(f"{report.formula_latex(answer)}\n")
    show(
        form,
        answer.game,
        record=lambda: report.FORMULA.object(answer),
        csv=lambda: report.formula_csv(answer),
        document=lambda: (
            report.values(answer[0], answer.decks) if is_latex else report.formula_document(answer)
        ),
    )
