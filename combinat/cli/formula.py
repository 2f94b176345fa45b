"""``combinat formula``: closed forms in the number of decks."""

from collections.abc import Sequence
from typing import Annotated

import typer

from combinat.analysis.formula import Formula, bet_formulas, check_formulas, state_formulas
from combinat.base.errors import CombinatError, shortened
from combinat.cli.options import FormatOption, GameArgument
from combinat.cli.output import say
from combinat.cli.variant_options import PaysOption, varied_game
from combinat.render.blocks import Block
from combinat.render.table_options import table_options
from combinat.render.text import Format, as_json, rendered
from combinat.report.analysis.formula import (
    formula_csv,
    formula_document,
    formula_json,
    formula_latex,
    values,
)
from combinat.report.provisos import with_provisos
from combinat.rules.converters import as_decks
from combinat.rules.game import Game
from combinat.rules.insurance import State


def formula(
    game: GameArgument,
    bet: Annotated[
        str,
        typer.Argument(
            metavar="BET",
            help="A bet, or an insurance state as HAND:STAGE:OWN-OTHER, such as banker:four-cards:6-5.",
            show_default=False,
        ),
    ],
    outcome: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Only the probability of this line of the pay table.", show_default=False
        ),
    ] = None,
    decks: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="The decks to show values for, such as 4-10 or 4,6,8; all allowed.",
            show_default=False,
        ),
    ] = None,
    pays: PaysOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """The exact expected value and probabilities as functions of the number of decks."""
    loaded = varied_game(game, pays)
    what, formulas = _formulas(loaded, bet)
    numbers = list(range(loaded.decks.least, loaded.decks.most + 1))
    if decks is not None:
        numbers = as_decks(decks)
    checked = check_formulas(loaded, what, formulas)
    shown = _chosen(formulas, outcome)
    if form is Format.JSON:
        say(as_json(formula_json(loaded, bet, shown, numbers, checked)))
        return
    name = loaded.bet(what).name if isinstance(what, str) else f"insurance {what}"
    options = table_options()
    if form is Format.LATEX and not options.choose:
        say(f"{formula_latex(loaded, shown)}\n")
    say(
        rendered(
            with_provisos(loaded, [_block(f"{loaded.name}: {name}", shown, numbers, checked, form)], form),
            form,
        )
    )


def _block(
    title: str, shown: Sequence[Formula], numbers: Sequence[int], checked: Sequence[int], form: Format
) -> Block:
    """What a format has of the formulas, beside LaTeX's own displays of them."""
    if form is Format.CSV:
        return formula_csv(shown, numbers)
    return (
        formula_document(title, shown, numbers, checked)
        if form is not Format.LATEX
        else values(shown[0], numbers)
    )


def _formulas(game: Game, name: str) -> tuple[str | State, list[Formula]]:
    if ":" not in name:
        return name, bet_formulas(game, name)
    states = game.states_named(name)
    if len(states) != 1:
        raise CombinatError(f'"{name}" names {len(states)} states; write the points of both hands')
    return states[0], state_formulas(game, states[0])


def _chosen(formulas: list[Formula], outcome: str | None) -> list[Formula]:
    if outcome is None:
        return formulas
    lines = formulas[1:]
    chosen = [line for line in lines if line.name == outcome]
    if not chosen:
        known = ", ".join(f'"{line.name}"' for line in lines)
        raise CombinatError(f'--outcome: found "{shortened(outcome)}"; the lines are {known}')
    return chosen
