"""``combinat settle``: a finished round, settled."""

from typing import Annotated

import typer

from combinat.base.errors import InputError, shortened
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import (
    GameArgument,
    LayoutOption,
    ReadingOption,
    StakeOption,
    pairs,
    stakes_of,
    varied_game,
)
from combinat.render.text import Format
from combinat.report.table.settlement import SETTLE, settlement_blocks
from combinat.table.settlement import settle as settled

LIMITS = ("table-maximum", "maximum-differential")

PlayerOption = Annotated[str, typer.Option(metavar="CARDS", help='The Player Hand, such as "9 4 K".')]
BankerOption = Annotated[str, typer.Option(metavar="CARDS", help='The Banker Hand, such as "7 7".')]
InsureOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HAND@STAGE=AMOUNT",
        help="An insurance bet: player or banker, at four-cards or player-third-card.",
    ),
]
LimitOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LIMIT=AMOUNT",
        help="A table limit on which the limit on insurance depends: table-maximum, or under another reading "
        "maximum-differential; repeat for more.",
    ),
]
ProcedureOption = Annotated[
    str | None,
    typer.Option(
        metavar="ID", help="An incident at the table (see `combinat rules GAME`), such as insufficient-cards."
    ),
]
LateOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HAND@STAGE",
        help="An insurance bet that was offered late under --procedure; repeat for more. "
        "[default: all were late]",
    ),
]


def settle(
    game: GameArgument,
    player: PlayerOption = "",
    banker: BankerOption = "",
    stake: StakeOption = None,
    insure: InsureOption = None,
    layout: LayoutOption = None,
    limit: LimitOption = None,
    procedure: ProcedureOption = None,
    late: LateOption = None,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Settle a finished round exactly, line by line, each with its clause.

    Without a stake: the result of a unit on every bet of the layout, and the insurance that was on offer.
    """
    loaded = varied_game(game, reading)
    limits = pairs("--limit", "LIMIT=AMOUNT", limit, str)
    for name in limits:
        if name not in LIMITS:
            raise InputError(f'found "{shortened(name)}"', f"write {' or '.join(LIMITS)}", parameter="limit")
    settlement = settled(
        loaded,
        (player, banker),
        stakes_of(stake),
        pairs("--insure", "HAND@STAGE=AMOUNT", insure, str),
        layout=layout,
        table_maximum=limits.get("table-maximum"),
        maximum_differential=limits.get("maximum-differential"),
        procedure=procedure,
        late=late,
    )
    show(
        form,
        loaded,
        record=lambda: SETTLE.object(settlement),
        document=lambda: settlement_blocks(settlement),
    )
