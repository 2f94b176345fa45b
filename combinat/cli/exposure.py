"""``combinat exposure``: what one round can cost the House."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.cli.options import FormatOption, GameArgument, LayoutOption, pairs
from combinat.cli.shoe import CardsOption, DecksOption, RemovedOption, shoe_from
from combinat.cli.show import show
from combinat.cli.variant_options import PaysOption, ReadingOption, varied_game
from combinat.render.text import Format
from combinat.report.relation_tables import program_table
from combinat.report.table.exposure import EXPOSURE, HOUSE_RESULTS, exposure_document
from combinat.rules import bounds
from combinat.table.exposure import exposure as exposed

TableOption = Annotated[
    Path | None,
    typer.Option(
        "--table", metavar="FILE", help="The stakes of a table, as for `combinat table`.", show_default=False
    ),
]
StakeOption = Annotated[
    list[str] | None,
    typer.Option(metavar="BET=AMOUNT", help="A stake of each position; repeat for more.", show_default=False),
]
PositionsOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=bounds.POSITIONS,
        metavar="N",
        help="Number of positions with these stakes. [default: 1, or all positions of a full layout]",
        show_default=False,
    ),
]
LimitOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BET=AMOUNT",
        help="For a full layout: the maximum stake of one position on a bet; repeat for more.",
        show_default=False,
    ),
]
MaximumOption = Annotated[
    str | None,
    typer.Option(
        metavar="AMOUNT",
        help="For a full layout: the maximum stake of one position on each bet without a --limit.",
        show_default=False,
    ),
]
DifferentialOption = Annotated[
    str | None,
    typer.Option(
        metavar="AMOUNT",
        help="For a full layout: the maximum Differential, which limits the bets on the hands.",
        show_default=False,
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
    maximum: MaximumOption = None,
    max_differential: DifferentialOption = None,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    pays: PaysOption = None,
    reading: ReadingOption = None,
    detail: DetailOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """The exact distribution of the House's result in one round with these stakes, and the most costly rounds."""
    loaded = varied_game(game, pays, reading)
    answer = exposed(
        loaded,
        pairs("--stake", "BET=AMOUNT", stake or [], str),
        table=table,
        layout=layout,
        positions=positions,
        limits=pairs("--limit", "BET=AMOUNT", limit or [], str),
        maximum=maximum,
        maximum_differential=max_differential,
        shoe=shoe_from(loaded, decks, removed, cards),
    )
    show(
        form,
        loaded,
        record=lambda: EXPOSURE.object(answer),
        csv=lambda: program_table(HOUSE_RESULTS, answer.results),
        document=lambda: exposure_document(answer, detail=detail),
    )
