"""``combinat ruling``: an irregularity at the table, and what follows from it."""

from typing import Annotated

import typer

from combinat.base.errors import CombinatError, NotToldError, RoundError, shortened
from combinat.cli.options import FormatOption, GameArgument, pairs
from combinat.cli.output import say
from combinat.cli.shoe import DecksOption, RemovedOption, shoe_from, whole_decks
from combinat.cli.variant_options import PaysOption, ReadingOption, varied_game
from combinat.render.text import Format, as_json, rendered
from combinat.report.provisos import with_provisos
from combinat.report.ruling import ruling_document, ruling_json
from combinat.rules import bounds
from combinat.rules.cards import Rank
from combinat.rules.money import parse_money
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.table.incident_report import STAKES, IncidentReport, parse_drawn
from combinat.table.ruling import rule

IncidentOption = Annotated[
    str,
    typer.Option(
        "--incident",
        metavar="ID",
        help="What happened (see `combinat rules GAME`), such as technical-interruption.",
        show_default=False,
    ),
]
DrawnOption = Annotated[
    str,
    typer.Option(
        "--cards",
        metavar="CARDS",
        help="The cards in the order in which they left the shoe, those drawn by mistake included.",
        show_default=False,
    ),
]
PlayerOption = Annotated[
    str | None,
    typer.Option(help="The cards that lay at the Player Hand, where that was wrong.", show_default=False),
]
BankerOption = Annotated[
    str | None,
    typer.Option(help="The cards that lay at the Banker Hand, where that was wrong.", show_default=False),
]
TogetherOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="How many of the last cards came out together. Default: 2.",
        show_default=False,
    ),
]
EarlyOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="How many of the last cards were drawn or exposed before their turn. Default: 1.",
        show_default=False,
    ),
]
NewSetOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="The cards in the shoe are replaced by a new set of so many decks, after cards came out together.",
        show_default=False,
    ),
]
BeyondRepairOption = Annotated[
    bool,
    typer.Option(
        "--cannot-reconstruct", help="The House finds that the cards cannot be put back into their order."
    ),
]
LayoutOption = Annotated[
    str | None, typer.Option(help="The layout in use: its bets are the available ones.", show_default=False)
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
        help='All that the shoe held before the round, such as "A=31 2=32 K=32"; ranks not named have none.',
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
    """An irregularity: is an outcome established, what follows, what each option is worth.

    The cards are taken out of the shoe. Every answer comes with its clause.
    """
    loaded = varied_game(game, pays, reading)
    report = IncidentReport(
        incident=incident,
        cards=_cards("--cards", cards),
        hands=_hands(player, banker),
        together=_number("--together", together, 2),
        early=_number("--early", early, 1),
        new_set=Shoe.of_decks(whole_decks(new_set, "--new-set")) if new_set is not None else None,
        reconstructible=not cannot_reconstruct,
        layout=layout,
        stakes=pairs("--stake", "BET=AMOUNT", stake or [], parse_money),
    )
    try:
        made = rule(loaded, report, shoe_from(loaded, decks, removed, shoe, "--shoe"))
    except NotToldError as error:
        such = "--stake banker=100" if error.thing == STAKES else '--player "5 K" --banker "3 6"'
        raise RoundError(f"{error}; say so, such as {such}") from None
    if form is Format.JSON:
        say(as_json(ruling_json(made)))
    else:
        say(rendered(with_provisos(loaded, [ruling_document(made)], form), form))


def _cards(option: str, text: str) -> tuple[Rank, ...]:
    try:
        return parse_drawn(text)
    except CombinatError as error:
        raise type(error)(f"{option}: {error}") from None


def _hands(player: str | None, banker: str | None) -> Round | None:
    """The hands as they lay; None: that is not reported."""
    if player is None and banker is None:
        return None
    return Round(_cards("--player", player or ""), _cards("--banker", banker or ""))


def _number(option: str, text: str | None, least: int) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) == 1 and least <= int(text) <= bounds.TOGETHER):
        raise RoundError(
            f'{option}: found "{shortened(text)}"; write a whole number from {least} to {bounds.TOGETHER}'
        )
    return int(text)
