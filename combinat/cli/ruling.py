"""``combinat ruling``: rule on an irregularity, by clause."""

from typing import Annotated, Any

import typer

from combinat.base.errors import InputError, shortened
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import (
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
from combinat.report.table.ruling import RULING, ruling_document
from combinat.rules import bounds
from combinat.rules.converters import whole_number
from combinat.table.ruling import ruling as ask

PARTICULARS = ("player", "banker", "together", "early", "new-set", "reconstructible")


IncidentOption = Annotated[
    str,
    typer.Option(
        "--incident",
        metavar="ID",
        help="The incident (see `combinat rules GAME`), such as technical-interruption.",
    ),
]
DrawnOption = Annotated[
    str,
    typer.Option(
        "--cards",
        metavar="CARDS",
        help="The cards in the order in which they left the shoe, including cards drawn by mistake.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="A detail of the incident: player and banker (the cards in each hand's area, if dealt to the wrong one), "
        "together (number of last cards drawn at once), early (number of last cards drawn before their turn), new-set "
        "(decks of the set used afterwards), reconstructible=no; repeat for more.",
    ),
]
ShoeOption = Annotated[
    str | None,
    typer.Option(
        "--shoe",
        metavar="COUNTS",
        help='The cards in the shoe before the round, such as "A=31 2=32 K=32"; other ranks: 0.',
    ),
]


def ruling(
    game: GameArgument,
    incident: IncidentOption,
    cards: DrawnOption = "",
    settings: SetOption = None,
    layout: LayoutOption = None,
    stake: StakeOption = None,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    shoe: ShoeOption = None,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Rule on an irregularity: the established outcome, the consequence, the value of each option.

    The cards drawn are removed from the shoe. Every answer cites its clause.
    """
    loaded = varied_game(game, reading)
    made = ask(
        loaded,
        incident,
        cards,
        shoe_from(loaded, decks, removed, shoe, "shoe"),
        layout=layout,
        stakes=stakes_of(stake),
        **_particulars(settings),
    )
    show(form, loaded, record=lambda: RULING.object(made), document=lambda: ruling_document(made))


def _particulars(settings: list[str] | None) -> dict[str, Any]:
    """The parameters of ``combinat.ruling`` that ``--set`` states."""
    stated: dict[str, Any] = pairs("--set", "KEY=VALUE", settings, str)
    for key in stated:
        if key not in PARTICULARS:
            raise InputError(
                f'found "{shortened(key)}"', f"write one of {', '.join(PARTICULARS)}", parameter="settings"
            )
    if "new-set" in stated:
        stated["new_set"] = whole_number("new_set", stated.pop("new-set"), 1, bounds.SHOE_DECKS)
    answer = stated.pop("reconstructible", "yes")
    if answer not in ("yes", "no"):
        raise InputError(f'found "{shortened(answer)}"', "write yes or no", parameter="reconstructible")
    return stated | {"reconstructible": answer == "yes"}
