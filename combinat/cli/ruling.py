"""``combinat ruling``: rule on an irregularity, by clause."""

from typing import Annotated

import typer

from combinat.cli.options import FormatOption, GameArgument, LayoutOption, pairs
from combinat.cli.shoe import DecksOption, RemovedOption, shoe_from
from combinat.cli.show import show
from combinat.cli.variant_options import PaysOption, ReadingOption, varied_game
from combinat.render.text import Format
from combinat.report.table.ruling import RULING, ruling_document
from combinat.rules import bounds
from combinat.rules.converters import whole_number
from combinat.table.ruling import ruling as ruled

IncidentOption = Annotated[
    str,
    typer.Option(
        "--incident",
        metavar="ID",
        help="The incident (see `combinat rules GAME`), such as technical-interruption.",
        show_default=False,
    ),
]
DrawnOption = Annotated[
    str,
    typer.Option(
        "--cards",
        metavar="CARDS",
        help="The cards in the order in which they left the shoe, including cards drawn by mistake.",
        show_default=False,
    ),
]
PlayerOption = Annotated[
    str | None,
    typer.Option(
        metavar="CARDS", help="The cards at the Player Hand, if they were dealt wrongly.", show_default=False
    ),
]
BankerOption = Annotated[
    str | None,
    typer.Option(
        metavar="CARDS", help="The cards at the Banker Hand, if they were dealt wrongly.", show_default=False
    ),
]
TogetherOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="Number of last cards that came out together. [default: 2]",
        show_default=False,
    ),
]
EarlyOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="Number of last cards drawn or exposed before their turn. [default: 1]",
        show_default=False,
    ),
]
NewSetOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="Rule for a new set of N decks, used after cards came out together.",
        show_default=False,
    ),
]
BeyondRepairOption = Annotated[
    bool,
    typer.Option("--cannot-reconstruct", help="The order of the cards cannot be reconstructed."),
]
StakeOption = Annotated[
    list[str] | None,
    typer.Option(metavar="BET=AMOUNT", help="A stake; repeat for more.", show_default=False),
]
ShoeOption = Annotated[
    str | None,
    typer.Option(
        "--shoe",
        metavar="COUNTS",
        help='The cards in the shoe before the round, such as "A=31 2=32 K=32"; other ranks: 0.',
        show_default=False,
    ),
]


def ruling(
    game: GameArgument,
    incident: IncidentOption,
    cards: DrawnOption = "",
    player: PlayerOption = None,
    banker: BankerOption = None,
    together: TogetherOption = None,
    new_set: NewSetOption = None,
    early: EarlyOption = None,
    cannot_reconstruct: BeyondRepairOption = False,
    layout: LayoutOption = None,
    stake: StakeOption = None,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    shoe: ShoeOption = None,
    pays: PaysOption = None,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Rule on an irregularity: the established outcome, the consequence, the value of each option.

    The cards are removed from the shoe. Every answer cites its clause.
    """
    loaded = varied_game(game, pays, reading)
    made = ruled(
        loaded,
        incident,
        cards,
        shoe_from(loaded, decks, removed, shoe, "shoe"),
        player=player,
        banker=banker,
        together=together,
        early=early,
        new_set=None if new_set is None else whole_number("new_set", new_set, 1, bounds.SHOE_DECKS),
        reconstructible=not cannot_reconstruct,
        layout=layout,
        stakes=pairs("--stake", "BET=AMOUNT", stake or [], str),
    )
    show(form, loaded, record=lambda: RULING.object(made), document=lambda: ruling_document(made))
