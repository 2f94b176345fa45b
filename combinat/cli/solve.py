"""``combinat solve``: the odds at which a bet has the house edge or hit frequency wanted."""

from typing import Annotated

import typer

from combinat.analysis.solve import solve as ask
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import (
    CardsOption,
    DecksOption,
    GameArgument,
    ReadingOption,
    RemovedOption,
    shoe_from,
    varied_game,
)
from combinat.render.text import Format
from combinat.report.analysis import solve as report


def solve(
    game: GameArgument,
    bet: Annotated[str, typer.Argument(metavar="BET", help="A bet of the game.")],
    edge: Annotated[str | None, typer.Option(metavar="N%", help="The target house edge, such as 5%.")] = None,
    returned: Annotated[
        str | None, typer.Option("--return", metavar="N%", help="The target return to player, such as 95%.")
    ] = None,
    hit: Annotated[
        str | None,
        typer.Option(
            metavar="N%",
            help="The target hit frequency, such as 12%: find which lines should pay, and which return the stake.",
        ),
    ] = None,
    line: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Change only the odds of this line of the pay table. [default: all paying lines, by one factor]",
        ),
    ] = None,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """The exact odds at which a bet has the target house edge, and the nearest whole pay tables."""
    variant = varied_game(game, reading)
    shoe = shoe_from(variant, decks, removed, cards)
    answer = ask(variant, bet, shoe, edge=edge, returned=returned, hit=hit, line=line)
    show(
        form,
        variant,
        record=lambda: report.SOLVED.relations[type(answer)].object(answer),
        csv=lambda: report.solution_csv(answer),
        document=lambda: report.solution_document(answer),
    )
