"""``combinat perfect``: perfect play at a depth, and what no one can gain more than."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated

import typer

from combinat.base.errors import CombinatError, DepthError, ShoeError, shortened
from combinat.cli.count import lefts_from
from combinat.cli.evaluate import make_ready
from combinat.cli.options import SHOE_LIMIT, FormatOption, GameArgument, shoe_limit
from combinat.cli.output import say
from combinat.cli.progress import progress_bar
from combinat.cli.shoe import CardsOption, DecksOption, RemovedOption, shoe_from
from combinat.cli.variant_options import PaysOption, varied_game
from combinat.protection.ceiling import (
    USUAL_DEALING,
    ceiling,
    cut_card_within,
    round_ceilings,
    shoe_ceilings,
)
from combinat.protection.perfect import PerfectPlay, perfect_play, work
from combinat.protection.samples import Sample, samples
from combinat.render.text import Format, as_json, rendered
from combinat.report.perfect import CutCard, Protection, perfect_csv, perfect_document, perfect_json
from combinat.report.provisos import with_provisos
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

LIMIT = "0.1"
"""The most that may be gained in a shoe, in units, when nothing is said."""


def perfect(
    game: GameArgument,
    left: Annotated[
        str,
        typer.Option(
            metavar="N",
            help="The depth, in cards left; with --ceilings several, such as 26,52,104.",
            show_default=False,
        ),
    ],
    bet: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Only this bet; repeat for more.", show_default=False),
    ] = None,
    ceilings: Annotated[
        bool, typer.Option("--ceilings", help="Only what no one can gain more than, at any depth.")
    ] = False,
    cut_card: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Also over a whole shoe with N cards behind the cut card.", show_default=False
        ),
    ] = None,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="UNITS",
            help=f"For --cut-card: {SHOE_LIMIT}; {LIMIT} when nothing is said.",
            show_default=False,
        ),
    ] = None,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    pays: PaysOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Perfect play at a depth: over every composition of the cards left, weighted exactly."""
    loaded = varied_game(game, pays)
    wanted = {loaded.bet(bet_id).id for bet_id in bet or []}
    bets = [one.id for one in loaded.bets if not wanted or one.id in wanted]
    shoe = shoe_from(loaded, decks, removed, cards)
    lefts = lefts_from(left)
    if len(lefts) > 1 and not ceilings:
        raise CombinatError(f'--left: found "{shortened(left)}"; write one depth, or add --ceilings')
    most = shoe_limit(LIMIT if limit is None else limit)
    if limit is not None and cut_card is None:
        raise CombinatError("--limit: it is for a whole shoe up to a cut card; add --cut-card, such as 14")
    if cut_card is not None:
        _check_cut_card(shoe, cut_card)
    try:
        play = None if ceilings else _played(loaded, shoe, lefts[0], bets)
        by_bet = samples(loaded, shoe)
        at_depths = [ceiling(by_bet[one], one, depth) for one in bets for depth in lefts]
    except DepthError as error:
        raise DepthError(f"--left: {error}") from None
    asked = Protection(
        game=loaded,
        shoe=shoe,
        bets=bets,
        play=play,
        ceilings=at_depths,
        cut_card=_cut_card(by_bet, bets, cut_card, most) if cut_card is not None else None,
    )
    if form is Format.JSON:
        say(as_json(perfect_json(asked)))
    else:
        blocks = perfect_csv(asked) if form is Format.CSV else [perfect_document(asked)]
        say(rendered(with_provisos(loaded, blocks, form), form))


def _check_cut_card(shoe: Shoe, behind: int) -> None:
    try:
        replace(USUAL_DEALING, cut_card=behind).check(shoe.size)
    except ShoeError as error:
        raise ShoeError(f"--cut-card: {error}") from None


def _played(game: Game, shoe: Shoe, left: int, bets: Sequence[str]) -> PerfectPlay:
    shoes = work(game, shoe, left, bets)
    make_ready(shoes)
    with progress_bar(shoes, "compositions", parts=False) as advance:
        return perfect_play(game, shoe, left, bets, advance)


def _cut_card(by_bet: Mapping[str, Sample], bets: Sequence[str], behind: int, limit: Fraction) -> CutCard:
    of_shoe = {bet: shoe_ceilings(round_ceilings(by_bet[bet], bet)) for bet in bets}
    for bet in bets:
        del of_shoe[bet][by_bet[bet].size]  # it leaves no round before it
    return CutCard(
        behind=behind,
        limit=limit,
        gains={bet: of_shoe[bet][behind] for bet in bets},
        within={bet: cut_card_within(of_shoe[bet], limit) for bet in bets},
    )
