"""``combinat insurance``: exact odds of every insurance state."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from combinat.analysis.insurance import StateAnalysis, by_third_card, insurance_analysis, not_offered
from combinat.base.errors import CombinatError, named
from combinat.cli.options import FormatOption, GameArgument, pairs
from combinat.cli.output import say
from combinat.cli.shoe import (
    CardsOption,
    DecksRangeOption,
    RemovedOption,
    several_decks,
    shoe_from,
    warn_of_decks,
)
from combinat.cli.variant_options import ReadingOption, paying, varied_game
from combinat.engine.distribution import Distribution
from combinat.engine.pairs import pair_distribution
from combinat.render.blocks import Block
from combinat.render.text import Format, as_json, rendered
from combinat.report.analysis import insurance as shown
from combinat.report.provisos import with_provisos
from combinat.report.view import View
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand

HandOption = Annotated[Hand | None, typer.Option(help="Only insurance of this hand.", show_default=False)]
SideOption = Annotated[Hand | None, typer.Option("--side", hidden=True)]  # as it was called once
StageOption = Annotated[Stage | None, typer.Option(help="Only this moment.", show_default=False)]
FavourableOption = Annotated[
    bool, typer.Option("--favourable", help="Only the states that favour the player.")
]
ByCardOption = Annotated[bool, typer.Option("--by-card", help="Split by the Player's third card.")]
RangesOption = Annotated[
    bool, typer.Option("--range", help="The best and the worst exact cards of each state.")
]
GridOption = Annotated[bool, typer.Option("--grid", help="A grid of both totals for each hand and stage.")]
SummaryOption = Annotated[bool, typer.Option("--summary", help="The cost or gain of insurance as a habit.")]
PaysOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="STATE=ODDS",
        help="Try other odds: HAND:STAGE:OWN-OTHER=ODDS, the insured hand's points first and * for any, "
        'such as "banker:four-cards:6-5=5 to 2".',
        show_default=False,
    ),
]


def insurance(
    game: GameArgument,
    decks: DecksRangeOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    hand: HandOption = None,
    side: SideOption = None,
    stage: StageOption = None,
    favourable: FavourableOption = False,
    by_card: ByCardOption = False,
    ranges: RangesOption = False,
    grid: GridOption = False,
    summary: SummaryOption = False,
    pays: PaysOption = None,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Exact odds of every insurance state, for any shoe."""
    loaded = varied_game(game, None, reading)
    if loaded.insurance_terms is None:
        under = f" under {', '.join(loaded.provisos.readings)}" if loaded.document.insurance_terms else ""
        raise CombinatError(f"{loaded.id} offers no insurance{under}: there is nothing to analyse")
    loaded = _at_other_odds(loaded, pays)
    hand = hand or side
    chosen = [state for state in loaded.offers if hand in (None, state.side) and stage in (None, state.stage)]
    numbers = several_decks(decks)
    if favourable and (grid or summary):
        raise CombinatError("--favourable does not go with --grid or --summary, which show every state")
    if numbers is not None:
        if removed is not None or cards is not None or by_card or ranges or grid or summary:
            raise CombinatError(
                "--decks with a range goes with --hand, --stage, --favourable, --pays, --reading and --format alone"
            )
        _print_by_decks(loaded, chosen, numbers, favourable, form)
        return
    shoe = shoe_from(loaded, decks, removed, cards)
    distribution = pair_distribution(shoe, loaded.table_of_play)
    states = _states(loaded, distribution, chosen, favourable)
    wanted = tuple(
        _views(loaded, shoe, distribution, states, by_card=by_card, ranges=ranges, grid=grid, summary=summary)
    )
    document: Sequence[Block]
    if form in (Format.JSON, Format.CSV):
        from combinat.report.analysis import insurance_views as views  # programs alone need all declarations

        if form is Format.JSON:
            say(as_json(views.insurance_json(loaded, shoe, distribution.sample_space, states, wanted)))
            return
        document = views.insurance_csv(states, wanted)
    else:
        document = [shown.insurance_document(loaded, shoe, states, wanted, only_favourable=favourable)]
    say(rendered(with_provisos(loaded, document, form), form))


def _views(
    game: Game,
    shoe: Shoe,
    distribution: Distribution,
    states: Sequence[StateAnalysis],
    *,
    by_card: bool,
    ranges: bool,
    grid: bool,
    summary: bool,
) -> Iterator[View]:
    """What was asked for beside the plain table."""
    if not (by_card or ranges or grid or summary):
        return
    from combinat.report.analysis import insurance_views as views  # the plain table needs none of it

    if by_card:
        yield views.third_card_view(states, by_third_card(game, distribution))
    if ranges:
        from combinat.analysis.exact_cards import state_ranges

        yield views.range_view(states, state_ranges(game, shoe, distribution.sample_space))
    if grid:
        yield views.grid_view(states, not_offered(game, distribution))
    if summary:
        from combinat.analysis.insurance_habits import insured_bets

        yield views.summary_view(states, insured_bets(game, shoe, distribution))


def _states(
    game: Game, distribution: Distribution, chosen: Sequence[State], favourable: bool
) -> list[StateAnalysis]:
    """The states asked for, in the order of the rule book."""
    return [
        state
        for state in insurance_analysis(game, distribution)
        if state.state in chosen and (state.favours_player or not favourable)
    ]


def _at_other_odds(game: Game, pays: list[str] | None) -> Game:
    """The game with other odds for some of its insurance states."""
    for name in pairs("--pays", "STATE=ODDS", pays or [], str):
        with named("pays"):
            game.states_named(name)
    return paying(game, pays)


def _print_by_decks(
    game: Game, chosen: Sequence[State], numbers: list[int], favourable: bool, form: Format
) -> None:
    from combinat.report.analysis import insurance_views as views  # one shoe in words needs none of it

    warn_of_decks(game, numbers)
    analyses = {
        number: {
            state.state: state
            for state in insurance_analysis(
                game, pair_distribution(Shoe.of_decks(number), game.table_of_play)
            )
        }
        for number in numbers
    }
    kept = [
        state
        for state in chosen
        if not favourable or any(analysis[state].favours_player for analysis in analyses.values())
    ]
    states = {number: [analysis[state] for state in kept] for number, analysis in analyses.items()}
    if form is Format.JSON:
        say(as_json(views.decks_json(game, states)))
        return
    document: Block = views.decks_csv(states) if form is Format.CSV else shown.decks_document(game, states)
    say(rendered(with_provisos(game, [document], form), form))
