"""``combinat odds``: exact odds of every bet, for any shoe; several games side by side."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

import typer

from combinat.analysis.analysis import Analysis, analyze
from combinat.analysis.until_decided import as_they_stay
from combinat.base.errors import CombinatError, InputError
from combinat.cli.options import FormatOption, LayoutOption, pairs
from combinat.cli.output import say
from combinat.cli.shared import GAME
from combinat.cli.shoe import (
    CardsOption,
    DecksRangeOption,
    RemovedOption,
    is_several,
    several_decks,
    shoe_from,
    warn_of_decks,
)
from combinat.cli.variant_options import PaysOption, ReadingOption, varied_game
from combinat.render.blocks import Block
from combinat.render.text import Format, as_json, rendered
from combinat.report.analysis import odds as shown
from combinat.report.provisos import with_provisos
from combinat.report.view import View, said_of_game, tables_of
from combinat.rules.book.load import load_game
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

MOST_GAMES = 4

GamesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="GAME",
        help="A game id, the beginning of one, or a path to a TOML rule book; up to four of them.",
        show_default=False,
        envvar=GAME,
        show_envvar=False,
    ),
]
BetOption = Annotated[
    list[str] | None,
    typer.Option(metavar="ID", help="Only this bet; repeat for more.", show_default=False),
]
DetailOption = Annotated[bool, typer.Option("--detail", help="Every outcome of every bet.")]
JointOption = Annotated[bool, typer.Option("--joint", help="Correlations between the bets.")]
StakeOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BET=AMOUNT", help="A combination of stakes in one round; repeat.", show_default=False
    ),
]
InterpretationsOption = Annotated[
    bool, typer.Option("--interpretations", help="The figures under every other reading.")
]


def odds(
    game: GamesArgument,
    decks: DecksRangeOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    bet: BetOption = None,
    layout: LayoutOption = None,
    pays: PaysOption = None,
    detail: DetailOption = False,
    joint: JointOption = False,
    stake: StakeOption = None,
    interpretations: InterpretationsOption = False,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Exact odds of every bet, for any shoe; of two to four games side by side, with the difference in house edge."""
    if len(game) > 1:
        if (
            bet
            or layout
            or pays
            or detail
            or joint
            or stake
            or interpretations
            or reading
            or (decks and is_several(decks))
        ):
            raise InputError(
                "several games go side by side on one shoe",
                "leave out all options but {decks}, {removed}, {cards} and {form}",
            )
        _print_side_by_side(game, decks, removed, cards, form)
        return
    loaded = varied_game(game[0], pays, reading)
    chosen = _chosen(loaded, bet, layout)
    numbers = several_decks(decks)
    if numbers is not None:
        if removed is not None or cards is not None or detail or joint or stake or interpretations:
            raise CombinatError(
                "--decks with a range goes with --bet, --layout, --pays, --reading and --format alone"
            )
        _print_by_decks(loaded, chosen, numbers, form)
        return
    stakes = _stakes(loaded, stake, layout) if stake else {}
    if pays and interpretations:
        raise CombinatError(
            "--pays does not go with --interpretations, whose other readings have odds of their own"
        )
    analysis = as_they_stay(analyze(loaded, shoe_from(loaded, decks, removed, cards)))
    views: list[View] = []
    if joint:
        views.append(_correlations(analysis, chosen))
    if stakes:
        views.append(_combination(analysis, stakes))
    if interpretations:
        views.append(_readings(analysis))
    _print(analysis, chosen, views, detail, form)


def _chosen(game: Game, bets: list[str] | None, layout: str | None) -> list[str]:
    """The ids of the bets asked for, in the order of the rule book."""
    wanted = {game.bet(bet_id).id for bet_id in bets} if bets else {bet.id for bet in game.bets}
    offered = [bet.id for bet in (game.bets_on(layout) if layout is not None else game.bets)]
    if bets and not wanted <= set(offered):
        missing = ", ".join(sorted(wanted - set(offered)))
        raise CombinatError(f"layout {layout} does not offer {missing}; it offers {', '.join(offered)}")
    return [bet_id for bet_id in offered if bet_id in wanted]


def _stakes(game: Game, words: list[str], layout: str | None) -> dict[str, Fraction]:
    """The stakes that the option states, each on a bet of the game."""
    from combinat.base.money import parse_money

    stakes = pairs("--stake", "BET=AMOUNT", words, parse_money)
    for bet_id, amount in stakes.items():
        bet = game.bet(bet_id)
        if not amount:
            raise CombinatError(f"--stake {bet_id}: the stake must be more than 0")
        if layout is not None and bet not in game.bets_on(layout):
            raise CombinatError(f"--stake {bet_id}: layout {layout} does not offer it")
    return stakes


def _correlations(analysis: Analysis, chosen: list[str]) -> View:
    from combinat.analysis.joint import correlations
    from combinat.report.analysis.joint import correlation_view

    bets = [analysis.game.bet(bet_id) for bet_id in chosen]
    return correlation_view(chosen, correlations(analysis.game, bets, analysis.distribution))


def _combination(analysis: Analysis, stakes: dict[str, Fraction]) -> View:
    from combinat.analysis.joint import combination
    from combinat.report.analysis.joint import combination_view

    return combination_view(combination(analysis.game, stakes, analysis.distribution))


def _readings(analysis: Analysis) -> View:
    from combinat.analysis.readings import readings
    from combinat.report.analysis.readings import readings_view

    return readings_view(readings(analysis.game, analysis.shoe, analysis.distribution), analysis.game)


def _print(
    analysis: Analysis,
    chosen: list[str],
    views: Sequence[View],
    detail: bool,
    form: Format,
) -> None:
    bets = [analysis.bet(bet_id) for bet_id in chosen]
    document: Sequence[Block]
    if form in (Format.JSON, Format.CSV):
        from combinat.report.analysis import odds_records as records  # programs alone need all declarations

        if form is Format.JSON:
            say(as_json(records.odds_json(analysis, bets, **said_of_game(views))))
            return
        document = tables_of(views) or [records.odds_csv(bets, detail=detail)]
    else:
        document = [shown.odds_document(analysis, bets, views, detail=detail)]
    say(rendered(with_provisos(analysis.game, document, form), form))


def _print_by_decks(game: Game, chosen: list[str], numbers: list[int], form: Format) -> None:
    from combinat.report.analysis import odds_records as records  # one shoe in words needs none of it

    warn_of_decks(game, numbers)
    analyses = {number: as_they_stay(analyze(game, Shoe.of_decks(number))) for number in numbers}
    bets = {number: [analysis.bet(bet_id) for bet_id in chosen] for number, analysis in analyses.items()}
    if form is Format.JSON:
        record = records.decks_json(game, analyses, bets)
        say(as_json(record))
        return
    document: Block = records.decks_csv(bets) if form is Format.CSV else shown.decks_document(game, bets)
    say(rendered(with_provisos(game, [document], form), form))


def _print_side_by_side(
    games: list[str], decks: str | None, removed: str | None, cards: str | None, form: Format
) -> None:
    from combinat.report.analysis.comparison import comparison_csv, comparison_document, comparison_json

    if len(games) > MOST_GAMES:
        raise InputError(f"found {len(games)} games", f"write {MOST_GAMES} at most", parameter="game")
    loaded = [load_game(game) for game in games]
    analyses = [analyze(game, shoe_from(game, decks, removed, cards)) for game in loaded]
    if form is Format.JSON:
        say(as_json(comparison_json(analyses)))
    else:
        block = comparison_csv(analyses) if form is Format.CSV else comparison_document(analyses)
        say(rendered([block], form))
