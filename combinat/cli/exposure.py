"""``combinat exposure``: what one round can cost the House."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import InputError
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import (
    CardsOption,
    DecksOption,
    GameArgument,
    LayoutOption,
    ReadingOption,
    RemovedOption,
    StakeOption,
    pairs,
    shoe_from,
    stakes_of,
    varied_game,
)
from combinat.render.text import Format
from combinat.report.relation_tables import program_table
from combinat.report.table.exposure import EXPOSURE, HOUSE_RESULTS, exposure_document
from combinat.rules import bounds
from combinat.table.exposure import exposure as exposed

TableOption = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE", help="The stakes of a table, as for `combinat table`."),
]
PositionsOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=bounds.POSITIONS,
        metavar="N",
        help="Number of positions with these stakes. [default: 1, or all positions of a full layout]",
    ),
]
LimitOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[BET=]AMOUNT",
        help="For a full layout: BET=AMOUNT, the maximum stake of one position on a bet; AMOUNT, the maximum of every "
        "other bet; maximum-differential=AMOUNT, that of the bets on the hands; repeat for more.",
    ),
]
DetailOption = Annotated[bool, typer.Option("--detail", help="Also every result of the distribution.")]


def exposure(
    game: GameArgument,
    table: TableOption = None,
    stake: StakeOption = None,
    layout: LayoutOption = None,
    positions: PositionsOption = None,
    limit: LimitOption = None,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    reading: ReadingOption = None,
    detail: DetailOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """The exact distribution of the House's result in one round with given stakes, and the most costly rounds."""
    loaded = varied_game(game, reading)
    of_each = [word for word in limit or () if "=" not in word]
    if len(of_each) > 1:
        raise InputError("two limits of every bet", "write one", parameter="limit")
    by_bet = pairs("--limit", "BET=AMOUNT", [word for word in limit or () if "=" in word], str)
    differential = by_bet.pop("maximum-differential", None)
    answer = exposed(
        loaded,
        stakes_of(stake),
        table=table,
        layout=layout,
        positions=positions,
        limits=by_bet,
        maximum=of_each[0] if of_each else None,
        maximum_differential=differential,
        shoe=shoe_from(loaded, decks, removed, cards),
    )
    show(
        form,
        loaded,
        record=lambda: EXPOSURE.object(answer),
        csv=lambda: program_table(HOUSE_RESULTS, answer.results),
        document=lambda: exposure_document(answer, detail=detail),
    )
