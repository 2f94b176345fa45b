"""``combinat power``: how many rounds of a file show a known fault."""

from fractions import Fraction
from typing import Annotated

import typer

from combinat.base.errors import CombinatError, FaultError, StakeError, shortened
from combinat.cli.options import FormatOption, GameArgument
from combinat.cli.output import say
from combinat.cli.shoe import CardsOption, DecksOption, RemovedOption, shoe_from
from combinat.cli.simulate import known_fault
from combinat.cli.variant_options import PaysOption, varied_game
from combinat.montecarlo.dealer import packed
from combinat.montecarlo.fault import FORMS
from combinat.montecarlo.written import MOST_ROUNDS
from combinat.render.text import Format, as_json, rendered
from combinat.report.power import power_csv, power_document, power_json
from combinat.report.provisos import provisos_json, with_provisos
from combinat.rules.money import parse_money


def power(
    game: GameArgument,
    fault: Annotated[
        str,
        typer.Option(metavar="FAULT", help="One of: " + "; ".join(FORMS) + ".", show_default=False),
    ],
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    pays: PaysOption = None,
    alpha: Annotated[
        str,
        typer.Option(metavar="P", help="The chance of a false alarm that is accepted, all tests together."),
    ] = "0.001",
    target: Annotated[
        str, typer.Option("--power", metavar="P", help="How surely the fault is to be seen.")
    ] = "0.9",
    rounds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Also how surely a run of N rounds shows it.",
            min=1,
            max=MOST_ROUNDS,
            show_default=False,
        ),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """How many rounds of a log, of counts or of results alone show a known fault of a simulator."""
    loaded = varied_game(game, pays)
    level = probability("--alpha", alpha, Fraction(1, 2))
    surely = probability("--power", target, Fraction(1))
    known = known_fault(fault, loaded)
    shoe = shoe_from(loaded, decks, removed, cards)
    packed(known.of_shoe(shoe))  # a shoe from which no simulator deals is refused
    from combinat.audit.power import power as power_of

    try:
        answer = power_of(loaded, shoe, known, level, surely, rounds)
    except FaultError as error:
        raise FaultError(f"--{error}") from None
    if form is Format.JSON:
        say(as_json(power_json(answer) | provisos_json(loaded)))
    else:
        block = power_csv(answer) if form is Format.CSV else power_document(answer)
        say(rendered(with_provisos(loaded, [block], form), form))


def probability(option: str, text: str, most: Fraction) -> Fraction:
    """The probability that an option states: more than 0, less than this."""
    try:
        value = parse_money(text)
    except StakeError:
        value = Fraction(0)
    if not 0 < value < most:  # also what has more than nine decimals
        raise CombinatError(
            f'{option}: found "{shortened(text)}"; write a probability between 0 and {"1" if most == 1 else "0.5"} '
            "with nine decimals at most"
        )
    return value
