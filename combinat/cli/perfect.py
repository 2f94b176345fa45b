"""``combinat perfect``: perfect play at a depth, and upper bounds on any player's gain."""

from typing import Annotated

import typer

from combinat.cli.answers import FormatOption, show
from combinat.cli.options import SHOE_LIMIT, CardsOption, DecksOption, GameArgument, RemovedOption, shoe_from
from combinat.cli.progress import ON_TERMINAL
from combinat.protection.perfect import perfect as played
from combinat.render.text import Format
from combinat.report.protection.perfect import perfect_csv, perfect_document, perfect_json
from combinat.rules.converters import as_game


def perfect(
    game: GameArgument,
    left: Annotated[
        str,
        typer.Option(
            metavar="N", help="The depth, in cards left; with --ceilings several, such as 26,52,104."
        ),
    ],
    bet: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this bet; repeat for more.")
    ] = None,
    ceilings: Annotated[
        bool, typer.Option("--ceilings", help="Show only upper bounds on any player's gain, by depth.")
    ] = False,
    cut_card: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Also upper bounds for a whole shoe with N cards behind the cut card."
        ),
    ] = None,
    limit: Annotated[
        str | None, typer.Option(metavar="UNITS", help=f"For --cut-card: {SHOE_LIMIT}. [default: 0.1]")
    ] = None,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """The exact gain of perfect play at a depth, over every composition of the cards left."""
    loaded = as_game(game)
    answer = played(
        loaded,
        left,
        shoe=shoe_from(loaded, decks, removed, cards),
        bets=bet or (),
        ceilings=ceilings,
        cut_card=cut_card,
        limit=limit,
        progress=ON_TERMINAL,
    )
    show(
        form,
        loaded,
        record=lambda: perfect_json(answer),
        csv=lambda: perfect_csv(answer),
        document=lambda: perfect_document(answer),
    )
