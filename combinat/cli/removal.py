"""``combinat removal``: effects of removal."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.analysis.removal import REMOVALS
from combinat.analysis.removal import removal as ask
from combinat.base.errors import InputError
from combinat.base.files import replacing
from combinat.base.output_paths import refuse_inputs
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import BetsOption, CardsOption, DecksOption, GameArgument, RemovedOption, shoe_from
from combinat.cli.output import say
from combinat.render.escape import for_text
from combinat.render.text import Format
from combinat.report.analysis import removal as report
from combinat.report.relation_tables import program_table
from combinat.rules.book.find import rule_book_path
from combinat.rules.converters import as_game


def removal(
    game: GameArgument,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    bet: BetsOption = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="Also the effect of removing two cards.")] = False,
    insurance: Annotated[
        bool, typer.Option("--insurance", help="Show the insurance states instead of the bets.")
    ] = False,
    chart: Annotated[Path | None, typer.Option(metavar="FILE", help="Also draw a bar chart (.svg).")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """The exact effect on every bet of removing one card, rank by rank."""
    variant = as_game(game)
    if chart is not None:
        if chart.suffix != ".svg":
            raise InputError(f'found "{chart}"', "write a file name that ends in .svg", parameter="chart")
        refuse_inputs("chart", chart, {"the rule book": rule_book_path(game)})
    shoe = shoe_from(variant, decks, removed, cards)
    answer = ask(variant, shoe, bets=bet or (), pairs=pairs, insurance=insurance)
    if chart is not None:
        picture = report.removal_chart(answer)
        with replacing(chart) as temporary:
            temporary.write_bytes(picture)
    show(
        form,
        variant,
        record=lambda: report.REMOVAL.object(answer),
        csv=lambda: program_table(REMOVALS, answer.records()),
        document=lambda: report.removal_document(answer),
    )
    if chart is not None and form not in (Format.JSON, Format.CSV):
        say(f"\n{for_text(f'chart: {chart}')}")
