"""Closed forms as people read them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

from combinat.analysis.formula import VALUE, Formula
from combinat.render.document import Block, Heading, Paragraph, Table, Terms
from combinat.render.number import decimal, percent


def in_text(formula: Formula) -> str:
    """The formula on one line, powers as ``n^5``."""
    return str(formula.expression).replace("**", "^").replace("*", " ")


def in_latex(formula: Formula) -> str:
    """The formula as LaTeX."""
    return str(sympy.latex(formula.expression))


def extremes(values: Mapping[int, Fraction]) -> tuple[int, int]:
    """The numbers of decks at which a figure is smallest and largest."""
    return min(values, key=lambda decks: values[decks]), max(values, key=lambda decks: values[decks])


def formula_document(
    title: str, formulas: Sequence[Formula], decks: Sequence[int], checked: Sequence[int]
) -> list[Block]:
    """Each formula, its limit, and its values; the first is the expected value."""
    value = formulas[0]
    blocks: list[Block] = [Heading(title, 1), Paragraph("n is the number of decks in a fresh shoe.")]
    for formula in formulas:
        shown = Terms(
            {"Formula": in_text(formula), "Limit": f"{formula.limit} = {decimal(formula.limit, 9)}"}
        )
        blocks += [Heading(formula.name.capitalize()), shown]
    sign, figure = (-1, "house edge") if value.name == VALUE else (1, "probability")
    shares = {number: sign * value.at(number) for number in decks}
    smallest, largest = extremes(shares)
    rows = [
        [str(number), str(value.at(number)), decimal(value.at(number), 9), percent(shares[number], 6)]
        for number in decks
    ]
    return [
        *blocks,
        Heading("Values"),
        Table(columns=("decks", "exact", "decimal", f"{figure} %"), align="rrrr", rows=rows),
        Paragraph(
            f"Over these numbers of decks the {figure} is smallest at {smallest} "
            f"({percent(shares[smallest], 6)} %) and largest at {largest} ({percent(shares[largest], 6)} %). "
            f"As n grows it tends to {percent(sign * value.limit, 6)} %."
        ),
        Paragraph(f"Equal to the enumerator at {', '.join(map(str, checked))} decks, checked just now."),
    ]


def formula_latex(formulas: Sequence[Formula]) -> str:
    """The formulas as LaTeX displays, each with a comment that names it."""
    return "\n\n".join(
        f"% {formula.name}; limit {formula.limit}\n\\[\n{in_latex(formula)}\n\\]" for formula in formulas
    )


def formula_json(
    game: str, what: str, formulas: Sequence[Formula], decks: Sequence[int], checked: Sequence[int]
) -> dict[str, Any]:
    """The formulas under the schema ``combinat/formula/1``; coefficients lowest power first."""
    sign, figure = (-1, "house_edge") if formulas[0].name == VALUE else (1, "probability")
    smallest, largest = extremes({number: sign * formulas[0].at(number) for number in decks})
    return {
        "schema": "combinat/formula/1",
        "game": game,
        "of": what,
        "formulas": [
            {
                "name": formula.name,
                "numerator": [str(part) for part in formula.top],
                "denominator": [str(part) for part in formula.bottom],
                "factored": in_text(formula),
                "latex": in_latex(formula),
                "limit": str(formula.limit),
                "values": {str(number): str(formula.at(number)) for number in decks},
            }
            for formula in formulas
        ],
        f"{figure}_smallest_at": smallest,
        f"{figure}_largest_at": largest,
        "checked_at_decks": list(checked),
    }
