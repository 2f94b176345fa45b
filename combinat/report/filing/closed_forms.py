"""Closed forms: the expected value of every bet as a function of the number of decks."""

from combinat.base.kinds import FRACTION
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Cell, Column, Paragraph, Section, annex, table
from combinat.report.filing.names import bet_names
from combinat.rules.game import Game


def closed_forms_annex(dossier: Dossier, game: Game) -> Section:
    """The factored form of each, and the limit."""
    names = bet_names(game)
    columns = (Column("bet"), Column("expected value"), Column("limit", FRACTION))
    rows: list[tuple[Cell, ...]] = [
        (names[forms.subject.bet], formula.text, formula.limit)
        for forms in dossier.formulas
        for formula in forms.formulas
        if forms.subject.bet is not None and formula.is_expected_value
    ]
    return annex(
        "Closed forms",
        (
            Paragraph(
                "The expected value of a unit staked on a fresh shoe of n decks, for every n. The coefficients, and those of "
                "single outcomes and of insurance states, are in tables/formulas.csv."
            ),
            table(columns, rows, "Expected values as functions of the number of decks n"),
        ),
        anchor="closed-forms",
    )
