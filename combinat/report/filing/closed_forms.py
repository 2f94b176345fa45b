"""Closed forms: the expected value of every bet as a function of the number of decks."""

from collections.abc import Iterator, Sequence

from combinat.base.kinds import FRACTION, percentage
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Cell, Column, Paragraph, Section, annex, table
from combinat.report.filing.names import bet_names
from combinat.rules.game import Game


def closed_forms_annex(dossier: Dossier, game: Game) -> Section:
    """Numerator and denominator of each, and the limit."""
    names = bet_names(game)
    columns = (
        *(Column("bet"), Column("numerator"), Column("denominator")),
        *(Column("limit", FRACTION), Column("limit of the house edge %", percentage(6))),
    )
    rows: list[tuple[Cell, ...]] = []
    for forms in dossier.formulas:
        if forms.subject.bet is None:
            continue
        for formula in forms.formulas:
            if formula.is_expected_value:
                sides = (polynomial(side) for side in (formula.numerator, formula.denominator))
                rows.append((names[forms.subject.bet], *sides, formula.limit))
    return annex(
        "Closed forms",
        (
            Paragraph(
                "The expected value of a unit staked on a fresh shoe of n decks is numerator divided by denominator, for every n. Those of single "
                "outcomes and of insurance states are in tables/formulas.csv."
            ),
            table(columns[:4], rows, "Expected values as functions of the number of decks n"),
        ),
        anchor="closed-forms",
    )


def polynomial(coefficients: Sequence[int]) -> str:
    """A polynomial in n, the highest power first.

    >>> polynomial([0, -6, 1, 3])
    '3 n^3 + n^2 - 6 n'
    """
    terms = " ".join(_terms(coefficients))
    return (
        terms.removeprefix("+ ").replace("- ", "-", 1)
        if terms.startswith("-")
        else terms.removeprefix("+ ") or "0"
    )


def _terms(coefficients: Sequence[int]) -> Iterator[str]:
    for power in range(len(coefficients) - 1, -1, -1):
        value = coefficients[power]
        if value:
            letter = {0: "", 1: "n"}.get(power, f"n^{power}")
            size = "" if abs(value) == 1 and power else f"{abs(value):,}"
            yield f"{'-' if value < 0 else '+'} {f'{size} {letter}'.strip()}"
