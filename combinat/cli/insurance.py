"""``combinat insurance``: exact odds of every insurance state, for any shoe."""

from typing import Annotated, Any

import typer

from combinat.analysis.insurance_analysis import favourable_at_any
from combinat.analysis.insurance_analysis import insurance as ask
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import (
    CardsOption,
    DecksRangeOption,
    GameArgument,
    ReadingOption,
    RemovedOption,
    StatePaysOption,
    game_at_insurance_odds,
    refuse,
    several_decks,
    shoe_from,
    warn_of_decks,
)
from combinat.render.text import Format
from combinat.report.analysis import insurance as report
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand


def insurance(
    game: GameArgument,
    decks: DecksRangeOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    hand: Annotated[Hand | None, typer.Option(help="Only insurance of this hand.")] = None,
    stage: Annotated[Stage | None, typer.Option(help="Only offers at this stage.")] = None,
    favourable: Annotated[
        bool, typer.Option("--favourable", help="Only the states that favour the player.")
    ] = False,
    by_card: Annotated[
        bool, typer.Option("--by-card", help="Split each state by the Player's third card.")
    ] = False,
    ranges: Annotated[
        bool,
        typer.Option(
            "--range", help="Also the lowest and the highest expected value of each state, by exact cards."
        ),
    ] = False,
    grid: Annotated[
        bool, typer.Option("--grid", help="Also a grid of both totals for each hand and stage.")
    ] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="Also the cost or gain of taking insurance by a fixed rule.")
    ] = False,
    pays: StatePaysOption = None,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Exact odds of every insurance state, for any shoe."""
    variant = game_at_insurance_odds(game, reading, pays)
    more: dict[str, Any] = {"by_card": by_card, "ranges": ranges, "grid": grid, "summary": summary}
    numbers = several_decks(decks)
    if numbers is not None:
        refuse("a range of decks shows only expected values", {"removed": removed, "cards": cards, **more})
        warn_of_decks(variant, numbers)
        answers = {number: ask(variant, number, hand=hand, stage=stage) for number in numbers}
        if favourable:
            answers = favourable_at_any(answers)
        show(
            form,
            variant,
            record=lambda: report.INSURANCE_BY_DECKS.object(answers),
            csv=lambda: report.decks_csv(answers),
            document=lambda: report.decks_document(answers),
        )
        return
    shoe = shoe_from(variant, decks, removed, cards)
    answer = ask(variant, shoe, hand=hand, stage=stage, favourable=favourable, **more)
    show(
        form,
        variant,
        record=lambda: report.INSURANCE.object(answer),
        csv=lambda: report.insurance_csv(answer),
        document=lambda: report.insurance_document(answer),
    )
