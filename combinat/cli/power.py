"""``combinat power``: how many rounds of a file show a known fault."""

from typing import Annotated

import typer

from combinat.audit.power import power as question
from combinat.cli.answers import FormatOption, show
from combinat.cli.options import CardsOption, DecksOption, GameArgument, RemovedOption, shoe_from
from combinat.montecarlo.fault import FORMS
from combinat.montecarlo.simulation import MOST_ROUNDS
from combinat.render.text import Format
from combinat.report.audit.power import POWER, power_csv, power_document
from combinat.rules.converters import as_game


def power(
    game: GameArgument,
    fault: Annotated[str, typer.Option(metavar="FAULT", help="One of: " + "; ".join(FORMS) + ".")],
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    alpha: Annotated[
        str, typer.Option(metavar="P", help="Accepted probability of a false alarm over all tests.")
    ] = "0.001",
    target: Annotated[str, typer.Option("--power", metavar="P", help="Target power.")] = "0.9",
    rounds: Annotated[
        int | None,
        typer.Option(metavar="N", help="Also the power of a run of N rounds.", min=1, max=MOST_ROUNDS),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show how many rounds a hand log, a counts file or a list of results needs to detect a known fault of a simulator."""
    loaded = as_game(game)
    shoe = shoe_from(loaded, decks, removed, cards)
    answer = question(loaded, fault, shoe=shoe, alpha=alpha, target=target, rounds=rounds)
    show(
        form,
        loaded,
        record=lambda: POWER.object(answer),
        csv=lambda: power_csv(answer),
        document=lambda: power_document(answer),
    )
