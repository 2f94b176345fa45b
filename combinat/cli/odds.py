"""``combinat odds`` and ``combinat compare``: exact odds of every bet, for any shoe."""

from fractions import Fraction
from typing import Annotated, Any

import typer

from combinat.analysis.analysis import Analysis, analyze
from combinat.analysis.what_if import with_odds
from combinat.cli.options import FormatOption, GameArgument, LayoutOption, known_games, pairs
from combinat.cli.shoe import (
    CardsOption,
    DecksOption,
    DecksRangeOption,
    RemovedOption,
    decks_from,
    shoe_from,
    warn_of_decks,
)
from combinat.errors import CombinatError, OddsError
from combinat.render.document import Block, Format, Heading, Paragraph, as_json, rendered
from combinat.report import odds as shown
from combinat.rules.game import Game
from combinat.rules.money import parse_money
from combinat.rules.odds import Odds
from combinat.rules.rulebook import load_game
from combinat.rules.shoe import Shoe


def odds(
    game: GameArgument,
    decks: DecksRangeOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    bet: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Only this bet; repeat for more.", show_default=False),
    ] = None,
    layout: LayoutOption = None,
    pays: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BET=ODDS",
            help='Try other odds: big-tiger="45 to 1", tiger="13 to 1,20 to 1".',
            show_default=False,
        ),
    ] = None,
    detail: Annotated[bool, typer.Option("--detail", help="Every outcome of every bet.")] = False,
    joint: Annotated[bool, typer.Option("--joint", help="Correlations between the bets.")] = False,
    stake: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BET=AMOUNT", help="A combination of stakes in one round; repeat.", show_default=False
        ),
    ] = None,
    interpretations: Annotated[
        bool, typer.Option("--interpretations", help="What every other reading would come to.")
    ] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Exact odds of every bet, for any shoe."""
    tried = pairs("--pays", "BET=ODDS", pays or [], _several_odds)
    try:
        loaded = with_odds(load_game(game), tried)
    except OddsError as error:
        raise OddsError(f"--pays {error}") from None
    chosen = _chosen(loaded, bet, layout)
    numbers = decks_from(decks)
    if numbers is not None:
        if removed is not None or cards is not None or detail or joint or stake or interpretations:
            raise CombinatError("--decks with a range goes with --bet, --layout, --pays and --format alone")
        _by_decks(loaded, chosen, numbers, tried, form)
        return
    stakes = pairs("--stake", "BET=AMOUNT", stake or [], parse_money)
    for bet_id in stakes:
        _check_stake(loaded, bet_id, stakes[bet_id], layout)
    if tried and interpretations:
        raise CombinatError(
            "--pays does not go with --interpretations, whose other readings have odds of their own"
        )
    analysis = analyze(loaded, shoe_from(loaded, decks, removed, cards))
    bets = [analysis.bet(bet_id) for bet_id in chosen]
    sections: list[Section] = []
    if joint:
        sections.append(_joint(analysis, chosen, form))
    if stakes:
        sections.append(_stakes(analysis, stakes))
    if interpretations:
        sections.append(_readings(analysis, form))
    if form is Format.JSON:
        more = {name: payload for name, payload, _ in sections}
        typer.echo(as_json({**shown.odds_json(analysis, bets), **shown.tried_json(tried), **more}))
    else:
        plain = shown.odds_csv(bets, detail=detail)
        blocks = [plain] if form is Format.CSV else shown.odds_document(analysis, bets, tried, detail=detail)
        extra = [block for _, _, section in sections for block in section]
        typer.echo(rendered([*blocks, *extra, Paragraph(shown.ROUNDING)], form))


Section = tuple[str, Any, list[Block]]
"""A part of the output that was asked for: its key in JSON, its JSON, its blocks."""


def _several_odds(text: str) -> list[Odds]:
    return [Odds.parse(one.strip()) for one in text.split(",")]


def _chosen(game: Game, bets: list[str] | None, layout: str | None) -> list[str]:
    """The ids of the bets asked for, in the order of the rule book."""
    wanted = {game.bet(bet_id).id for bet_id in bets} if bets else {bet.id for bet in game.bets}
    offered = [bet.id for bet in (game.bets_on(layout) if layout is not None else game.bets)]
    if bets and not wanted <= set(offered):
        missing = ", ".join(sorted(wanted - set(offered)))
        raise CombinatError(f"layout {layout} does not offer {missing}; it offers {', '.join(offered)}")
    return [bet_id for bet_id in offered if bet_id in wanted]


def _joint(analysis: Analysis, chosen: list[str], form: Format) -> Section:
    from combinat.analysis.joint import correlations
    from combinat.report import joint

    found = correlations(analysis.game, [analysis.game.bet(bet_id) for bet_id in chosen], analysis.found)
    blocks: list[Block] = (
        [joint.correlation_list(found)] if form is Format.CSV else joint.correlation_tables(chosen, found)
    )
    return "joint", joint.joint_json(found), blocks


def _check_stake(game: Game, bet_id: str, amount: Fraction, layout: str | None) -> None:
    bet = game.bet(bet_id)
    if not amount:
        raise CombinatError(f"--stake {bet_id}: the stake must be more than 0")
    if layout is not None and bet not in game.bets_on(layout):
        raise CombinatError(f"--stake {bet_id}: layout {layout} does not offer it")


def _stakes(analysis: Analysis, stakes: dict[str, Fraction]) -> Section:
    from combinat.analysis.joint import combination
    from combinat.report import joint

    together = combination(analysis.game, stakes, analysis.found)
    return "combination", joint.combination_json(together), joint.combination_document(together)


def _readings(analysis: Analysis, form: Format) -> Section:
    from combinat.analysis.readings import effects
    from combinat.report import readings

    game = analysis.game
    found = {entry.id: effects(game, entry, analysis.found) for entry in game.interpretations}
    csv: list[Block] = [readings.effects_csv(found)]
    blocks = csv if form is Format.CSV else readings.effects_document(found, game)
    return "interpretations", readings.effects_json(found), blocks


def _by_decks(
    game: Game, chosen: list[str], numbers: list[int], tried: dict[str, list[Odds]], form: Format
) -> None:
    warn_of_decks(game, numbers)
    analyses = {number: analyze(game, Shoe.of_decks(number)) for number in numbers}
    bets = {number: [found.bet(bet_id) for bet_id in chosen] for number, found in analyses.items()}
    if form is Format.JSON:
        by_decks = [
            {"decks": number, **shown.odds_json(analyses[number], bets[number])} for number in numbers
        ]
        head = {"schema": "combinat/odds-by-decks/1", "game": game.id, **shown.tried_json(tried)}
        typer.echo(as_json({**head, "decks": by_decks}))
    elif form is Format.CSV:
        typer.echo(rendered([shown.decks_csv(bets)], form))
    else:
        blocks = [Heading(game.name, 1), *shown.tried_blocks(tried), *shown.decks_tables(bets)]
        typer.echo(rendered([*blocks, Paragraph(shown.ROUNDING)], form))


def compare(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME GAME...",
            help="Two to four game ids or TOML files.",
            autocompletion=known_games,
            show_default=False,
        ),
    ],
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Bets of several games side by side, with the difference in house edge."""
    if not 2 <= len(games) <= 4:
        raise CombinatError(f"compare takes two to four games; found {len(games)}")
    loaded = [load_game(game) for game in games]
    analyses = [analyze(game, shoe_from(game, decks, removed, cards)) for game in loaded]
    if form is Format.JSON:
        typer.echo(as_json(shown.compare_json(analyses)))
    else:
        blocks = [shown.compare_csv(analyses)] if form is Format.CSV else shown.compare_document(analyses)
        typer.echo(rendered(blocks, form))
