"""``combinat count``: the best count of every bet, or the exact law of one count of a bet."""

from typing import Annotated

import typer

from combinat.base.errors import InputError
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import CardsOption, DecksOption, GameArgument, RemovedOption, shoe_from
from combinat.protection.count import BEST
from combinat.protection.count import count as counted
from combinat.protection.count import counts as counted_all
from combinat.protection.inputs import checked_wagers
from combinat.protection.wagers import LARGEST
from combinat.render.text import Format
from combinat.report.protection.count import (
    COUNT_DOCUMENT,
    COUNTS,
    count_csv,
    count_document,
    counts_csv,
    counts_document,
)
from combinat.rules.converters import as_game


def count(
    game: GameArgument,
    bet: Annotated[
        str | None,
        typer.Argument(
            metavar="[BET]",
            help="The bet, or insurance such as player@four-cards. [default: the best count of every bet]",
        ),
    ] = None,
    tags: Annotated[
        str | None,
        typer.Option(
            metavar="TAGS",
            help='The tags of the ranks, such as "4=-1 8=2" (other ranks: 0), or best. [default: best]',
        ),
    ] = None,
    left: Annotated[
        str | None, typer.Option(metavar="N,N,...", help="Depths, in cards left. [default: 26,52,104]")
    ] = None,
    index: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Bet at this true count and above (the running count divided by the decks left). "
            "[default: from the first favourable count of each depth]",
        ),
    ] = None,
    largest: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Largest absolute value of the best tags. [default: 2]", min=1, max=LARGEST
        ),
    ] = None,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    detail: Annotated[bool, typer.Option("--detail", help="Also every running count.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """The best count of every bet in one table; with BET, each running count's probability and expected value."""
    loaded = as_game(game)
    checked_wagers(loaded, [bet] if bet else [])  # refused before anything is warned of
    shoe = shoe_from(loaded, decks, removed, cards)
    if bet is None:
        for what, given in {
            "tags": tags,
            "index": index,
            "largest": largest,
            "detail": detail or None,
        }.items():
            if given is not None:
                raise InputError(
                    "this is for the count of one bet", "name the bet after the game", parameter=what
                )
        answers = counted_all(loaded, left, shoe=shoe)
        show(
            form,
            loaded,
            record=lambda: COUNTS.object(answers),
            csv=lambda: counts_csv(answers),
            document=lambda: counts_document(answers),
        )
        return
    answer = counted(
        loaded, bet, BEST if tags is None else tags, left, shoe=shoe, index=index, largest=largest or 2
    )
    show(
        form,
        loaded,
        record=lambda: COUNT_DOCUMENT.object(answer),
        csv=lambda: count_csv(answer),
        document=lambda: count_document(answer, detail=detail),
    )
