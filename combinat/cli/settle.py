"""``combinat settle``: a finished round, settled exactly."""

from fractions import Fraction
from typing import Annotated, Any

import typer

from combinat.cli.options import FormatOption, GameArgument, pairs
from combinat.errors import StakeError
from combinat.render.document import Format, Paragraph, Table, as_json, rendered
from combinat.rules.cards import format_cards, parse_cards
from combinat.rules.game import Effect, Game
from combinat.rules.money import format_money, parse_money
from combinat.rules.round import Round, Stage, finished_round
from combinat.rules.rulebook import load_game
from combinat.rules.settlement import Insured, Settlement
from combinat.rules.settlement import settle as settled
from combinat.rules.table_of_play import Hand


def settle(
    game: GameArgument,
    player: Annotated[str, typer.Option(help='The Player Hand, such as "9 4 K".', show_default=False)] = "",
    banker: Annotated[str, typer.Option(help='The Banker Hand, such as "7 7".', show_default=False)] = "",
    stake: Annotated[
        list[str] | None,
        typer.Option(metavar="BET=AMOUNT", help="A stake; repeat for more.", show_default=False),
    ] = None,
    insure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HAND@STAGE=AMOUNT",
            help="An insurance bet: player or banker, at four-cards or player-third-card.",
            show_default=False,
        ),
    ] = None,
    layout: Annotated[
        str | None, typer.Option(help="The layout played on: only its bets are taken.", show_default=False)
    ] = None,
    table_max: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT", help="The table maximum, which limits some insurance.", show_default=False
        ),
    ] = None,
    procedure: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Something that happened at the table (see `combinat rules GAME`), such as insufficient-cards.",
            show_default=False,
        ),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Settle a finished round exactly, line by line, each with its clause."""
    loaded = load_game(game)
    stakes = pairs("--stake", "BET=AMOUNT", stake or [], parse_money)
    insurance = pairs("--insure", "HAND@STAGE=AMOUNT", insure or [], parse_money)
    insured = {_insured(name): amount for name, amount in insurance.items()}
    if not stakes:
        raise StakeError("nothing is staked; add --stake BET=AMOUNT, such as --stake banker=100")
    settlement = settled(
        loaded,
        _dealt(loaded, player, banker, procedure),
        stakes,
        insured,
        layout=layout,
        table_maximum=_table_maximum(table_max),
        procedure=procedure,
    )
    if form is Format.JSON:
        typer.echo(as_json(_json(loaded, settlement)))
    else:
        typer.echo(_shown(settlement, form))


def _table_maximum(text: str | None) -> Fraction | None:
    if text is None:
        return None
    try:
        amount = parse_money(text)
    except StakeError as error:
        raise StakeError(f"--table-max: {error}") from None
    if not amount:
        raise StakeError("--table-max: the table maximum must be more than 0")
    return amount


def _insured(name: str) -> Insured:
    """The hand and the stage that ``HAND@STAGE`` names."""
    hand, _, stage = name.partition("@")
    if hand not in list(Hand) or stage not in list(Stage):
        raise StakeError(
            f'--insure: found "{name}"; write player or banker, then @four-cards or @player-third-card, '
            "such as player@four-cards=50"
        )
    return Hand(hand), Stage(stage)


def _dealt(game: Game, player: str, banker: str, procedure: str | None) -> Round:
    """The round that was dealt; a round whose bets are all returned may have any cards, or none."""
    hands = parse_cards(player), parse_cards(banker)
    if procedure is not None and game.procedure(procedure).effect is Effect.RETURNED:
        return Round(*hands)
    return finished_round(
        *hands, table_clause=game.clauses.table_of_play, stood_clause=game.clauses.third_cards
    )


def _shown(settlement: Settlement, form: Format) -> str:
    rows = [
        [
            line.name,
            format_money(line.stake),
            line.outcome,
            line.odds,
            line.result,
            _signed(line.net),
            line.clause,
        ]
        for line in settlement.lines
    ]
    total = ["total", format_money(settlement.staked), "", "", "", _signed(settlement.net), ""]
    table = Table(
        columns=("bet", "stake", "outcome", "odds", "result", "net", "clause"),
        align="lrlllrl",
        rows=[*rows, total],
    )
    return rendered([Paragraph(_round_in_words(settlement.round)), table], form)


def _signed(amount: Fraction) -> str:
    return f"+{format_money(amount)}" if amount > 0 else format_money(amount)


def _round_in_words(dealt: Round) -> str:
    if not dealt.player or not dealt.banker:
        return f"{dealt}."
    player, banker = dealt.points(Hand.PLAYER), dealt.points(Hand.BANKER)
    return (
        f"Player {format_cards(dealt.player)} ({player} points), "
        f"Banker {format_cards(dealt.banker)} ({banker} points)."
    )


def _json(game: Game, settlement: Settlement) -> dict[str, Any]:
    lines = [
        {
            "id": line.id,
            "name": line.name,
            "stake": str(line.stake),
            "outcome": line.outcome,
            "odds": line.odds or None,
            "result": line.result,
            "net": str(line.net),
            "clause": line.clause,
        }
        for line in settlement.lines
    ]
    return {
        "schema": "combinat/settle/1",
        "game": game.id,
        "player": list(settlement.round.player),
        "banker": list(settlement.round.banker),
        "lines": lines,
        "staked": str(settlement.staked),
        "net": str(settlement.net),
    }
