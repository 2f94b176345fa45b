"""``combinat insurance``: exact odds of every insurance state."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from combinat.analysis.insurance import StateAnalysis, by_third_card, insurance_analysis, not_offered
from combinat.analysis.what_if import with_insurance_odds
from combinat.cli.options import FormatOption, GameArgument, pairs
from combinat.cli.shoe import (
    CardsOption,
    DecksRangeOption,
    RemovedOption,
    decks_from,
    shoe_from,
    warn_of_decks,
)
from combinat.cli.states import states_named
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.errors import CombinatError, OddsError
from combinat.render.document import (
    Block,
    Format,
    Heading,
    Paragraph,
    Table,
    Terms,
    as_json,
    rendered,
    table_of,
)
from combinat.report import insurance as shown
from combinat.report.odds import ROUNDING, shoe_in_words, shoe_json, tried_blocks, tried_json
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.odds import Odds
from combinat.rules.round import Stage
from combinat.rules.rulebook import load_game
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand


def insurance(
    game: GameArgument,
    decks: DecksRangeOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    side: Annotated[
        Hand | None, typer.Option(help="Only insurance of this hand.", show_default=False)
    ] = None,
    stage: Annotated[Stage | None, typer.Option(help="Only this moment.", show_default=False)] = None,
    favourable: Annotated[
        bool, typer.Option("--favourable", help="Only the states that favour the player.")
    ] = False,
    by_card: Annotated[bool, typer.Option("--by-card", help="Split by the Player's third card.")] = False,
    ranges: Annotated[
        bool, typer.Option("--range", help="The best and the worst exact cards of each state.")
    ] = False,
    grid: Annotated[
        bool, typer.Option("--grid", help="A grid of both totals for each hand and stage.")
    ] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="What insurance comes to for a player who takes it by habit.")
    ] = False,
    pays: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STATE=ODDS",
            help="Try other odds: SIDE:STAGE:OWN-OTHER=ODDS, the insured hand's points first and * for any, "
            'such as "banker:four-cards:6-5=5 to 2".',
            show_default=False,
        ),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Exact odds of every insurance state, for any shoe."""
    loaded = load_game(game)
    if loaded.insurance_terms is None:
        raise CombinatError(f"{loaded.id} offers no insurance: there is nothing to analyse")
    tried = pairs("--pays", "STATE=ODDS", pays or [], Odds.parse)
    loaded = with_insurance_odds(loaded, _other_odds(loaded, tried))
    chosen = [state for state in loaded.offers if side in (None, state.side) and stage in (None, state.stage)]
    numbers = decks_from(decks)
    if favourable and (grid or summary):
        raise CombinatError("--favourable does not go with --grid or --summary, which show every state")
    if numbers is not None:
        if removed is not None or cards is not None or by_card or ranges or grid or summary:
            raise CombinatError(
                "--decks with a range goes with --side, --stage, --favourable, --pays and --format alone"
            )
        _by_decks(loaded, chosen, numbers, favourable, form)
        return
    shoe = shoe_from(loaded, decks, removed, cards)
    found = walk(shoe)
    states = _states(loaded, found, chosen, favourable)
    views = _views(loaded, shoe, found, states, by_card=by_card, ranges=ranges, grid=grid, summary=summary)
    if form is Format.JSON:
        payload = {
            "schema": "combinat/insurance/1",
            "game": loaded.id,
            "shoe": shoe_json(shoe),
            "sample_space": str(found.sample_space),
            "states": [{**shown.state_json(one), **views.of_state.get(one.state, {})} for one in states],
        }
        typer.echo(
            as_json(
                {**payload, **tried_json({name: [odds] for name, odds in tried.items()}), **views.of_game}
            )
        )
        return
    if form is Format.CSV:
        typer.echo(rendered(views.tables or [table_of([shown.state_json(one) for one in states])], form))
        return
    head: list[Block] = [
        Heading(f"{loaded.name}: {loaded.insurance_terms.name if loaded.insurance_terms else ''}", 1),
        Terms({"Shoe": shoe_in_words(shoe), "Favourable to the player": _favourable(states, favourable)}),
        *tried_blocks({name: [odds] for name, odds in tried.items()}),
    ]
    plain = shown.states_table(states) if states else Paragraph("No state to show.")
    typer.echo(rendered([*head, *(views.blocks or [plain]), Paragraph(ROUNDING)], form))


@dataclass(frozen=True, slots=True)
class _Views:
    """What was asked for beside the plain table: blocks, exact tables, JSON for each state and the game."""

    blocks: list[Block]
    tables: list[Block]
    of_state: dict[State, dict[str, Any]]
    of_game: dict[str, Any]


def _views(
    game: Game,
    shoe: Shoe,
    found: Distribution,
    states: list[StateAnalysis],
    *,
    by_card: bool,
    ranges: bool,
    grid: bool,
    summary: bool,
) -> _Views:
    views = _Views([], [], {one.state: {} for one in states}, {})
    if by_card:
        split = {state: one for state, one in by_third_card(game, found).items() if state in views.of_state}
        views.blocks.append(shown.third_card_table(split))
        for state, one in split.items():
            views.of_state[state]["third_cards"] = shown.third_cards_json(one)
        views.tables.append(_of_states({state: shown.third_cards_json(one) for state, one in split.items()}))
    if ranges:
        from combinat.analysis.exact_cards import state_ranges

        spans = {
            state: span
            for state, span in state_ranges(game, shoe, found.sample_space).items()
            if state in views.of_state
        }
        views.blocks.extend(shown.range_blocks(spans))
        for state, span in spans.items():
            views.of_state[state]["range"] = shown.range_json(span)
        views.tables.append(_of_states({state: shown.range_rows(span) for state, span in spans.items()}))
    if grid:
        kinds = {(one.state.side, one.state.stage) for one in states}
        others = [one for one in not_offered(game, found) if (one.state.side, one.state.stage) in kinds]
        views.blocks.extend(shown.grid_blocks(states, others))
        views.of_game["not_offered"] = [shown.not_offered_json(other) for other in others]
        offered = [{**shown.not_offered_json(one), "odds": str(one.offer.odds.net)} for one in states]
        rest = [{**shown.not_offered_json(other), "odds": ""} for other in others]
        views.tables.append(table_of([*offered, *rest]))
    if summary:
        from combinat.analysis.insured import insured_bets

        hands = {one.state.side for one in states}
        bets = [bet for bet in insured_bets(game, shoe, found) if bet.hand in hands]
        views.blocks.extend(shown.summary_blocks(bets))
        views.of_game["summary"] = shown.summary_json(bets)
        views.tables.append(table_of(shown.summary_json(bets)))
    return views


def _of_states(records: dict[State, list[dict[str, Any]]]) -> Table:
    """Records of states as a table, the state first."""
    return table_of([{**state._asdict(), **record} for state, listed in records.items() for record in listed])


def _states(game: Game, found: Distribution, chosen: list[State], favourable: bool) -> list[StateAnalysis]:
    """The states asked for, in the order of the rule book."""
    return [
        one
        for one in insurance_analysis(game, found)
        if one.state in chosen and (one.favours_player or not favourable)
    ]


def _favourable(states: list[StateAnalysis], only: bool) -> str:
    count = sum(one.favours_player for one in states)
    if only:
        return f"{count} state{'s' if count > 1 else ''}" if count else "no state"
    return f"{count} of {len(states)} states" if count else f"none of {len(states)} states"


def _other_odds(game: Game, wanted: dict[str, Odds]) -> dict[State, Odds]:
    """The states named, each with its other odds."""
    found: dict[State, Odds] = {}
    for name, odds in wanted.items():
        if not odds.net:
            raise OddsError(f'--pays {name}: found "push"; insurance pays, such as "5 to 2"')
        try:
            found |= dict.fromkeys(states_named(game, name), odds)
        except OddsError as error:
            raise OddsError(f"--pays: {error}") from None
    return found


def _by_decks(game: Game, chosen: list[State], numbers: list[int], favourable: bool, form: Format) -> None:
    warn_of_decks(game, numbers)
    analyses = {
        number: {one.state: one for one in insurance_analysis(game, walk(Shoe.of_decks(number)))}
        for number in numbers
    }
    kept = [
        state
        for state in chosen
        if not favourable or any(analysis[state].favours_player for analysis in analyses.values())
    ]
    states = {number: [analysis[state] for state in kept] for number, analysis in analyses.items()}
    if form is Format.JSON:
        by_decks: list[dict[str, Any]] = [
            {
                "decks": number,
                "shoe": shoe_json(Shoe.of_decks(number)),
                "states": [shown.state_json(one) for one in states[number]],
            }
            for number in numbers
        ]
        typer.echo(as_json({"schema": "combinat/insurance-by-decks/1", "game": game.id, "decks": by_decks}))
        return
    if form is Format.CSV:
        records = [{"decks": number, **shown.state_json(one)} for number in numbers for one in states[number]]
        typer.echo(rendered([table_of(records)], form))
        return
    if not kept:
        shown_blocks: list[Block] = [
            Paragraph("No state favours the player at any of these numbers of decks.")
        ]
    else:
        what = "Expected value in per cent of the stake, by number of decks. * The state favours the player."
        shown_blocks = [*shown.decks_tables(states), Paragraph(what)]
    typer.echo(rendered([Heading(f"{game.name}: insurance", 1), *shown_blocks, Paragraph(ROUNDING)], form))
