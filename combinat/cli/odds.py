"""``combinat odds``: exact odds of every bet, for any shoe; several games side by side."""

from typing import Annotated

import typer

from combinat.analysis.odds import odds as ask
from combinat.base.errors import InputError
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import (
    BetsOption,
    CardsOption,
    DecksRangeOption,
    GamesArgument,
    LayoutOption,
    PaysOption,
    ReadingOption,
    RemovedOption,
    refuse,
    several_decks,
    shoe_from,
    stakes_of,
    varied_game,
    warn_of_decks,
)
from combinat.render.text import Format
from combinat.report.analysis import odds as report

MOST_GAMES = 4


def odds(
    game: GamesArgument,
    decks: DecksRangeOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    bet: BetsOption = None,
    layout: LayoutOption = None,
    pays: PaysOption = None,
    detail: Annotated[bool, typer.Option("--detail", help="Also every outcome of every bet.")] = False,
    joint: Annotated[bool, typer.Option("--joint", help="Also the correlations between the bets.")] = False,
    stake: Annotated[
        list[str] | None,
        typer.Option(metavar="BET=AMOUNT", help="Also the result of these stakes together; repeat for more."),
    ] = None,
    interpretations: Annotated[
        bool, typer.Option("--interpretations", help="Also the figures under every other reading.")
    ] = False,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Exact odds of every bet, for any shoe.

    Two to four games are shown side by side, with the difference in house edge.
    """
    numbers = several_decks(decks)
    more = {"detail": detail, "joint": joint, "stake": stake, "interpretations": interpretations}
    if len(game) > 1:
        one_game = {"bet": bet, "layout": layout, "pays": pays, "reading": reading, **more}
        refuse("several games are compared on one shoe", one_game)
        if numbers:
            raise InputError("several games are compared on one shoe", "write one number for {decks}")
        _show_side_by_side(game, decks, removed, cards, form)
        return
    variant = varied_game(game[0], reading, pays)
    if numbers is not None:
        refuse(
            "a range of decks shows only house edges",
            {"removed": removed, "cards": cards, **more},
        )
        warn_of_decks(variant, numbers)
        answers = {number: ask(variant, number, bets=bet or (), layout=layout) for number in numbers}
        show(
            form,
            variant,
            record=lambda: report.ODDS_BY_DECKS.object(answers),
            csv=lambda: report.decks_csv(answers),
            document=lambda: report.decks_document(answers),
        )
        return
    answer = ask(
        variant,
        shoe_from(variant, decks, removed, cards),
        bets=bet or (),
        layout=layout,
        joint=joint,
        stakes=stakes_of(stake),
        interpretations=interpretations,
    )
    show(
        form,
        variant,
        record=lambda: report.ODDS.object(answer),
        csv=lambda: report.odds_csv(answer, detail=detail),
        document=lambda: report.odds_document(answer, detail=detail),
    )


def _show_side_by_side(
    games: list[str], decks: str | None, removed: str | None, cards: str | None, form: Format
) -> None:
    if len(games) > MOST_GAMES:
        raise InputError(f"found {len(games)} games", f"write {MOST_GAMES} at most", parameter="game")
    variants = [varied_game(game) for game in games]
    answers = [ask(variant, shoe_from(variant, decks, removed, cards)) for variant in variants]
    show(
        form,
        None,
        record=lambda: report.COMPARISON.object(answers),
        csv=lambda: report.comparison_csv(answers),
        document=lambda: report.comparison_document(answers),
    )
