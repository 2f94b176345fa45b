"""Closed forms as people read them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.formula import Formula
from combinat.base.kinds import COUNT, FRACTION, decimal
from combinat.base.number import PLACES
from combinat.render.blocks import Block, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.render.escape import for_latex_comment
from combinat.report.odds import FINE
from combinat.report.provisos import provisos_in_words
from combinat.rules.game import Game


def in_text(formula: Formula) -> str:
    """The formula on one line, powers as ``n^5``."""
    return formula.text


def in_latex(formula: Formula) -> str:
    """The formula as LaTeX."""
    import sympy  # only LaTeX and factored forms need it

    return str(sympy.latex(formula.expression))


def extremes(values: Mapping[int, Fraction]) -> tuple[int, int]:
    """The numbers of decks at which a figure is smallest and largest."""
    return min(values, key=lambda decks: values[decks]), max(values, key=lambda decks: values[decks])


def _share(formula: Formula) -> str:
    """What the shares of a formula are."""
    return "house edge" if formula.is_expected_value else "probability"


def formula_document(
    title: str, formulas: Sequence[Formula], decks: Sequence[int], checked: Sequence[int]
) -> Section:
    """Each formula with its limit, and the values of the first."""
    *stated, values_shown = formula_blocks(formulas, decks)
    equal = Paragraph(f"Equal to the enumerator at {', '.join(map(str, checked))} decks, checked just now.")
    return Section(title, (*stated, Section("Values", (values_shown, _extremes(formulas[0], decks), equal))))


def formula_blocks(formulas: Sequence[Formula], decks: Sequence[int]) -> tuple[Block, ...]:
    """Each formula with its limit, and the values of the first on shoes of so many decks."""
    return (
        Paragraph("n is the number of decks in a fresh shoe."),
        *(Section(formula.name.capitalize(), (_terms(formula),)) for formula in formulas),
        values(formulas[0], decks),
    )


def _terms(formula: Formula) -> Terms:
    limit = formula.limit
    return Terms(
        {"Formula": in_text(formula), "Limit": (Figure(limit, FRACTION), " = ", Figure(limit, decimal(9)))}
    )


def values(formula: Formula, decks: Sequence[int]) -> Table:
    """The values of a formula at these numbers of decks."""
    columns = (
        Column("decks", COUNT),
        Column("exact", FRACTION),
        Column("decimal", decimal(9)),
        Column(f"{_share(formula)} %", FINE),
    )
    rows = [(number, formula.at(number), formula.at(number), formula.share_at(number)) for number in decks]
    return table(columns, rows)


def formula_csv(formulas: Sequence[Formula], decks: Sequence[int]) -> Table:
    """The values of every formula, exact, with decimals beside them."""
    columns = (
        Column("formula"),
        Column("decks", COUNT),
        Column("value", FRACTION),
        Column("value_decimal", decimal(PLACES)),
    )
    rows = [
        (formula.name, number, formula.at(number), formula.at(number))
        for formula in formulas
        for number in decks
    ]
    return table(columns, rows)


def _extremes(formula: Formula, decks: Sequence[int]) -> Paragraph:
    shares = {number: formula.share_at(number) for number in decks}
    smallest, largest = extremes(shares)
    return Paragraph(
        (
            f"Over these numbers of decks the {_share(formula)} is smallest at {smallest} ",
            Figure(shares[smallest], FINE, before="(", after=" %)"),
            f" and largest at {largest} ",
            Figure(shares[largest], FINE, before="(", after=" %)"),
            ". As n grows it tends to ",
            Figure(formula.share_limit, FINE, after=" %."),
        )
    )


def formula_latex(game: Game, formulas: Sequence[Formula]) -> str:
    """The formulas as LaTeX displays, each with a comment that names it; and one for each proviso."""
    head = [f"% {for_latex_comment(f'{name}: {words}')}" for name, words in provisos_in_words(game).items()]
    displays = (
        f"% {for_latex_comment(formula.name)}; limit {formula.limit}\n\\[\n{in_latex(formula)}\n\\]"
        for formula in formulas
    )
    return "\n\n".join((*head, *displays))


def formula_json(
    game: str, what: str, formulas: Sequence[Formula], decks: Sequence[int], checked: Sequence[int]
) -> dict[str, Any]:
    """The formulas under the schema ``combinat/formula/1``; coefficients lowest power first."""
    first = formulas[0]
    share = _share(first).replace(" ", "_")
    smallest, largest = extremes({number: first.share_at(number) for number in decks})
    return {
        "schema": "combinat/formula/1",
        "game": game,
        "of": what,
        "formulas": [
            {
                "name": formula.name,
                "numerator": [str(part) for part in formula.numerator],
                "denominator": [str(part) for part in formula.denominator],
                "factored": in_text(formula),
                "latex": in_latex(formula),
                "limit": str(formula.limit),
                "values": {str(number): str(formula.at(number)) for number in decks},
            }
            for formula in formulas
        ],
        f"{share}_smallest_at": smallest,
        f"{share}_largest_at": largest,
        "checked_at_decks": list(checked),
    }
