"""``combinat settle``: a finished round, settled exactly."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

import typer

from combinat.base.errors import NothingInsuredError, StakeError, TableMaximumError, near_matches, shortened
from combinat.cli.options import FormatOption, GameArgument, pairs
from combinat.cli.output import say
from combinat.cli.variant_options import PaysOption, ReadingOption, varied_game
from combinat.render.text import Format, as_json, rendered
from combinat.report.provisos import with_provisos
from combinat.report.settlement import every_bet_blocks, every_bet_json, settlement_blocks, settlement_json
from combinat.rules.cards import parse_cards
from combinat.rules.game import Game
from combinat.rules.insurance import Base, Insured
from combinat.rules.money import parse_money
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand
from combinat.table.settlement import Settlement, unit_settlement
from combinat.table.settlement import settle as settled

PlayerOption = Annotated[str, typer.Option(help='The Player Hand, such as "9 4 K".', show_default=False)]
BankerOption = Annotated[str, typer.Option(help='The Banker Hand, such as "7 7".', show_default=False)]
StakeOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BET=AMOUNT",
        help="A stake; repeat for more. Without one: what every bet does, for each unit.",
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
LayoutOption = Annotated[
    str | None, typer.Option(help="The layout played on: only its bets are taken.", show_default=False)
]
TableMaxOption = Annotated[
    str | None,
    typer.Option(
        metavar="AMOUNT", help="The table maximum, which limits some insurance.", show_default=False
    ),
]
MaxDifferentialOption = Annotated[
    str | None,
    typer.Option(
        metavar="AMOUNT",
        help="The maximum Differential, which limits some insurance under another reading.",
        show_default=False,
    ),
]
ProcedureOption = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        help="Something that happened at the table (see `combinat rules GAME`), such as insufficient-cards.",
        show_default=False,
    ),
]
LateOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HAND@STAGE",
        help="Under a procedure that offers insurance late: this bet was late, those not named were not. "
        "Without it all were.",
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

    Without a stake: what every bet of the layout does on this hand, and the insurance that was on offer.
    """
    loaded = varied_game(game, pays, reading)
    stakes = pairs("--stake", "BET=AMOUNT", stake or [], parse_money)
    insurance = pairs("--insure", "HAND@STAGE=AMOUNT", insure or [], parse_money)
    insured = {_insured("--insure", name): amount for name, amount in insurance.items()}
    lately = [_insured("--late", name) for name in late] if late else None
    dealt = _dealt(loaded, player, banker, procedure)
    if not stakes:
        _refuse_without_stake(
            {
                "--insure": insure,
                "--late": late,
                "--table-max": table_max,
                "--max-differential": max_differential,
            }
        )
        _say_every_bet(loaded, unit_settlement(loaded, dealt, layout=layout, procedure=procedure), form)
        return
    try:
        settlement = settled(
            loaded,
            dealt,
            stakes,
            insured,
            layout=layout,
            table_maximum=_maximum("--table-max", "table maximum", table_max),
            maximum_differential=_maximum("--max-differential", "maximum Differential", max_differential),
            procedure=procedure,
            late=lately,
        )
    except TableMaximumError as error:
        option = "--table-max" if error.base == Base.TABLE_MAXIMUM else "--max-differential"
        raise StakeError(f"{error} ({option} AMOUNT)") from None
    except NothingInsuredError as error:
        raise StakeError(f"{error} (--stake {error.bet}=AMOUNT)") from None
    if form is Format.JSON:
        say(as_json(settlement_json(loaded, settlement)))
    else:
        say(rendered(with_provisos(loaded, settlement_blocks(settlement), form), form))


def _refuse_without_stake(given: Mapping[str, object]) -> None:
    """Refuse options that say something of a stake, where there is none."""
    for option, words in given.items():
        if words:
            raise StakeError(
                f"{option}: nothing is staked; add --stake BET=AMOUNT, such as --stake banker=100"
            )


def _say_every_bet(game: Game, settlement: Settlement, form: Format) -> None:
    if form is Format.JSON:
        say(as_json(every_bet_json(game, settlement)))
    else:
        say(rendered(with_provisos(game, every_bet_blocks(settlement), form), form))


def _maximum(option: str, what: str, text: str | None) -> Fraction | None:
    if text is None:
        return None
    try:
        amount = parse_money(text)
    except StakeError as error:
        raise StakeError(f"{option}: {error}") from None
    if not amount:
        raise StakeError(f"{option}: the {what} must be more than 0")
    return amount


def _insured(option: str, name: str) -> Insured:
    """The hand and the stage that ``HAND@STAGE`` names."""
    hand, _, stage = name.partition("@")
    if hand not in list(Hand) or stage not in list(Stage):
        near_hand, near_stage = near_matches(hand, list(Hand)), near_matches(stage, list(Stage))
        near = f" (did you mean {near_hand[0]}@{near_stage[0]}?)" if near_hand and near_stage else ""
        raise StakeError(
            f'{option}: found "{shortened(name)}"{near}; write player or banker, then @four-cards or @player-third-card, '
            f"such as player@four-cards{'=50' if option == '--insure' else ''}"
        )
    return Insured(Hand(hand), Stage(stage))


def _dealt(game: Game, player: str, banker: str, procedure: str | None) -> Round:
    """The round that was dealt; under a procedure it may have any cards, or none, as far as its condition goes."""
    hands = parse_cards(player), parse_cards(banker)
    return game.finished_round(*hands) if procedure is None else game.round(*hands)
