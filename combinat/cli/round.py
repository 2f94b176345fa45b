"""``combinat round``: a round in progress."""

from typing import Annotated

import typer

from combinat.analysis.round_in_progress import dealt_so_far
from combinat.analysis.round_in_progress import round_in_progress as ask
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
from combinat.report.analysis import round_in_progress as report


def round_(
    game: GameArgument,
    player: Annotated[
        str, typer.Option(metavar="CARDS", help='The first cards of the Player Hand, such as "5 4".')
    ] = "",
    banker: Annotated[
        str, typer.Option(metavar="CARDS", help='The first cards of the Banker Hand, such as "K 6".')
    ] = "",
    player_third: Annotated[str | None, typer.Option(metavar="CARD", help="The Player's third card.")] = None,
    next_cards: Annotated[
        str,
        typer.Option("--next", metavar="CARDS", help='The next cards in the shoe, if known, such as "7".'),
    ] = "",
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """A round in progress: exact odds of every bet from here, and the insurance on offer.

    The cards on the table and the known next cards are removed from the shoe.
    """
    variant = varied_game(game, reading)
    dealt = dealt_so_far(variant, player, banker, player_third)
    answer = ask(variant, dealt, shoe_from(variant, decks, removed, cards), next_cards)
    show(
        form,
        variant,
        record=lambda: report.ROUND.object(answer),
        document=lambda: report.round_document(answer),
        main="Bets",
    )
