"""``combinat removal``: effects of removal."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.analysis.removal import removals
from combinat.base.errors import CombinatError
from combinat.base.files import replacing
from combinat.base.output_paths import refuse_inputs
from combinat.cli.options import FormatOption, GameArgument
from combinat.cli.output import say
from combinat.cli.shoe import CardsOption, DecksOption, RemovedOption, shoe_from
from combinat.cli.variant_options import PaysOption, varied_game
from combinat.render.escape import for_text
from combinat.render.text import Format, as_json, rendered
from combinat.report.analysis import removal as shown
from combinat.report.provisos import with_provisos
from combinat.rules.book.find import rule_book_path


def removal(
    game: GameArgument,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    bet: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Only this bet; repeat for more.", show_default=False),
    ] = None,
    pays: PaysOption = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="Also two cards at once.")] = False,
    insurance: Annotated[
        bool, typer.Option("--insurance", help="For the insurance states instead of the bets.")
    ] = False,
    chart: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also draw a bar chart (.svg).", show_default=False),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """The exact effect of removing one card of each rank on every bet."""
    loaded = varied_game(game, pays)
    if insurance and loaded.insurance_terms is None:
        raise CombinatError(f"{loaded.id} offers no insurance: there is nothing to analyse")
    if insurance and bet:
        raise CombinatError("--bet does not go with --insurance")
    if chart is not None and chart.suffix != ".svg":
        raise CombinatError(f'--chart: found "{chart}"; write a file name that ends in .svg')
    if chart is not None:
        refuse_inputs("chart", chart, {"the rule book": rule_book_path(game)})
    wanted = [loaded.bet(bet_id).id for bet_id in bet or []]
    shoe = shoe_from(loaded, decks, removed, cards)
    effects = [
        effect
        for effect in removals(loaded, shoe, pairs=pairs, insurance=insurance)
        if not wanted or effect.subject.bet in wanted
    ]
    if chart is not None:
        picture = shown.removal_chart(loaded, shoe, effects)
        with replacing(chart) as temporary:
            temporary.write_bytes(picture)
    if form is Format.JSON:
        say(as_json(shown.removal_json(loaded, shoe, effects)))
    elif form is Format.CSV:
        say(rendered(with_provisos(loaded, [shown.removal_csv(effects)], form), form))
    else:
        document = shown.removal_document(loaded, shoe, effects, pairs=pairs)
        say(rendered(with_provisos(loaded, [document], form), form))
        if chart is not None:
            say(f"\n{for_text(f'chart: {chart}')}")
