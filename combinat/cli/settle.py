"""``combinat settle``: a finished round, settled."""

from typing import Annotated

import typer

from combinat.cli.options import FormatOption, GameArgument, LayoutOption, pairs
from combinat.cli.show import show
from combinat.cli.variant_options import PaysOption, ReadingOption, varied_game
from combinat.render.text import Format
from combinat.report.table.settlement import SETTLE, settlement_blocks
from combinat.table.settlement import settle as settled

PlayerOption = Annotated[
    str, typer.Option(metavar="CARDS", help='The Player Hand, such as "9 4 K".', show_default=False)
]
BankerOption = Annotated[
    str, typer.Option(metavar="CARDS", help='The Banker Hand, such as "7 7".', show_default=False)
]
StakeOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BET=AMOUNT",
        help="A stake; repeat for more. [default: one unit on every bet]",
        show_default=False,
    ),
]
InsureOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HAND@STAGE=AMOUNT",
        help="An insurance bet: player or banker, at four-cards or player-third-card.",
        show_default=False,
    ),
]
TableMaxOption = Annotated[
    str | None,
    typer.Option(metavar="AMOUNT", help="The table maximum, if it limits insurance.", show_default=False),
]
MaxDifferentialOption = Annotated[
    str | None,
    typer.Option(
        metavar="AMOUNT",
        help="The maximum Differential, if it limits insurance under another reading.",
        show_default=False,
    ),
]
ProcedureOption = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        help="An incident at the table (see `combinat rules GAME`), such as insufficient-cards.",
        show_default=False,
    ),
]
LateOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HAND@STAGE",
        help="An insurance bet that was offered late under --procedure; repeat for more. "
        "[default: all were late]",
        show_default=False,
    ),
]


def settle(
    game: GameArgument,
    player: PlayerOption = "",
    banker: BankerOption = "",
    stake: StakeOption = None,
    insure: InsureOption = None,
    layout: LayoutOption = None,
    table_max: TableMaxOption = None,
    max_differential: MaxDifferentialOption = None,
    procedure: ProcedureOption = None,
    late: LateOption = None,
    pays: PaysOption = None,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Settle a finished round exactly, line by line, each with its clause.

    Without a stake: the result of a unit on every bet of the layout, and the insurance that was on offer.
    """
    loaded = varied_game(game, pays, reading)
    settlement = settled(
        loaded,
        (player, banker),
        pairs("--stake", "BET=AMOUNT", stake or [], str),
        pairs("--insure", "HAND@STAGE=AMOUNT", insure or [], str),
        layout=layout,
        table_maximum=table_max,
        maximum_differential=max_differential,
        procedure=procedure,
        late=late,
    )
    show(
        form,
        loaded,
        record=lambda: SETTLE.object(settlement),
        document=lambda: settlement_blocks(settlement),
    )
