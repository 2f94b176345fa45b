"""``combinat round``: a round in progress."""

from typing import Annotated

import typer

from combinat.analysis.round_in_progress import round_in_progress
from combinat.base.errors import InputError, shortened
from combinat.cli.options import FormatOption, GameArgument
from combinat.cli.output import say
from combinat.cli.shoe import CardsOption, DecksOption, RemovedOption, shoe_from
from combinat.cli.variant_options import PaysOption, ReadingOption, varied_game
from combinat.render.text import Format, as_json, rendered
from combinat.report.analysis.round_in_progress import round_document, round_json
from combinat.report.provisos import with_provisos
from combinat.rules.cards import parse_cards
from combinat.rules.game import Game
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand


def round_(
    game: GameArgument,
    player: Annotated[
        str, typer.Option(help='The first cards of the Player Hand, such as "5 4".', show_default=False)
    ] = "",
    banker: Annotated[
        str, typer.Option(help='The first cards of the Banker Hand, such as "K 6".', show_default=False)
    ] = "",
    player_third: Annotated[
        str | None, typer.Option(metavar="CARD", help="The Player's third card.", show_default=False)
    ] = None,
    next_cards: Annotated[
        str,
        typer.Option(
            "--next",
            metavar="CARDS",
            help='The next cards to come, where they are known, such as "7".',
            show_default=False,
        ),
    ] = "",
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    pays: PaysOption = None,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """A round in progress: exact odds of every bet from here, and the insurance on offer.

    The cards on the table, and those that are known to come, come out of the shoe.
    """
    loaded = varied_game(game, pays, reading)
    dealt = _dealt(loaded, player, banker, player_third)
    shoe = shoe_from(loaded, decks, removed, cards)
    now = round_in_progress(loaded, dealt, shoe, next_cards)
    if form is Format.JSON:
        say(as_json(round_json(now)))
    else:
        say(rendered(with_provisos(loaded, [round_document(now)], form), form, main="Bets"))


def _dealt(game: Game, player: str, banker: str, player_third: str | None) -> Round:
    """The round on the table, if it is one that goes on."""
    hands = {Hand.PLAYER: parse_cards(player), Hand.BANKER: parse_cards(banker)}
    for hand, cards in hands.items():
        if len(cards) > 2:
            third = (
                "give the Player's third card with --player-third"
                if hand is Hand.PLAYER
                else "a Banker's third card ends the round: settle it with combinat settle"
            )
            raise InputError(
                f"{hand.in_full}: found {len(cards)} cards; write the first two at most; {third}"
            )
    if not any(hands.values()):
        raise InputError('no card is on the table; write some, such as --player "5 4" --banker "K 6"')
    dealt = game.round(hands[Hand.PLAYER], hands[Hand.BANKER])
    clause = game.table_clause
    if player_third is not None:
        dealt = _with_third_card(dealt, player_third, clause)
    if dealt.is_over:
        raise InputError(f"the round is over ({dealt}) ({clause}); settle it with combinat settle")
    return dealt


def _with_third_card(dealt: Round, player_third: str, clause: str) -> Round:
    """The round with the Player's third card, if the Player Hand draws one."""
    thirds = parse_cards(player_third)
    if len(thirds) != 1:
        raise InputError(f'--player-third: found "{shortened(player_third)}"; write one card, such as 3')
    if len(dealt.player) + len(dealt.banker) < 4:
        raise InputError("--player-third: four cards come first; write two for each hand")
    if dealt.next_hand is not Hand.PLAYER:
        raise InputError(
            f"--player-third: the Player Hand does not draw ({dealt}: Player {dealt.points(Hand.PLAYER)}, "
            f"Banker {dealt.points(Hand.BANKER)}) ({clause})"
        )
    return dealt.with_card(thirds[0])
