"""``combinat count``: the exact law of a linear count."""

from typing import Annotated

import typer

from combinat.cli.options import FormatOption, GameArgument
from combinat.cli.shoe import CardsOption, DecksOption, RemovedOption, shoe_from
from combinat.cli.show import show
from combinat.cli.variant_options import PaysOption, varied_game
from combinat.library.protection import count as counted
from combinat.protection.best_tags import LARGEST
from combinat.render.text import Format
from combinat.report.protection.count import count_csv, count_document, count_json


def count(
    game: GameArgument,
    bet: Annotated[str, typer.Argument(metavar="BET", help="The bet that is counted.", show_default=False)],
    tags: Annotated[
        str,
        typer.Option(
            metavar="TAGS",
            help='What each card seen adds, such as "4=-1 8=2" (others 0); or best: the best there are.',
            show_default=False,
        ),
    ],
    left: Annotated[
        str | None,
        typer.Option(metavar="N,N,...", help="Depths, in cards left; 26,52,104.", show_default=False),
    ] = None,
    index: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Bet at this true count and above (the running count divided by the decks left); "
            "else from the first favourable counts of each depth on.",
            show_default=False,
        ),
    ] = None,
    largest: Annotated[
        int, typer.Option(metavar="N", help="The largest of the best tags, in size.", min=1, max=LARGEST)
    ] = 2,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    pays: PaysOption = None,
    detail: Annotated[bool, typer.Option("--detail", help="Every running count.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """What a count tells of a bet: every running count's probability and exact expected value."""
    loaded = varied_game(game, pays)
    loaded.bet(bet)  # refused before anything is warned of
    shoe = shoe_from(loaded, decks, removed, cards)
    answer = counted(loaded, bet, tags, left, shoe=shoe, index=index, largest=largest)
    show(
        form,
        loaded,
        record=lambda: count_json(answer),
        csv=lambda: count_csv(answer),
        document=lambda: count_document(answer, detail=detail),
    )
