"""The documents of closed forms."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from combinat.analysis.formula import FORMULAS, Formula, FormulaAnalysis
from combinat.base.kinds import COUNT, FRACTION, NUMBER, TEXT, decimal
from combinat.base.relation import ByName, Document, Field, Many, Relation
from combinat.render.blocks import Block, Figure, Paragraph, Section, Table, section
from combinat.render.escape import for_latex_comment
from combinat.report.analysis.odds import FINE, exact_and_decimal
from combinat.report.provisos import GAME, provisos_in_words
from combinat.report.relation_tables import program_table, view_table


def extremes(values: Mapping[int, Fraction]) -> tuple[int, int]:
    """Return the numbers of decks at which a figure is smallest and largest."""
    return min(values, key=lambda decks: values[decks]), max(values, key=lambda decks: values[decks])


def _share(formula: Formula) -> str:
    """The quantity that a formula computes."""
    return "house edge" if formula.is_expected_value else "probability"


def formula_document(answer: FormulaAnalysis) -> Section:
    """Return each formula with its limit, and the values of the first."""
    *stated, values_shown = formula_blocks(answer.formulas, answer.decks)
    equal = f"Equal to the recursion at {', '.join(map(str, answer.checked))} decks, checked now."
    shown = section("Values", values_shown, _extremes(answer.formulas[0], answer.decks), equal)
    return section(f"{answer.game.name}: {answer.name}", stated, shown)


def formula_blocks(formulas: Sequence[Formula], decks: Sequence[int]) -> tuple[Block, ...]:
    """Return each formula with its limit, and the values of the first formula on fresh shoes."""
    return (
        Paragraph("n is the number of decks in a fresh shoe."),
        *(
            section(
                formula.name.capitalize(),
                {"Formula": formula.text, "Limit": exact_and_decimal(formula.limit, 9)},
            )
            for formula in formulas
        ),
        values(formulas[0], decks),
    )


def values(formula: Formula, decks: Sequence[int]) -> Table:
    """Return the values of a formula at these numbers of decks."""
    rows = [(formula, number) for number in decks]
    return view_table(DECK_VALUES, rows, heads={"share": f"{_share(formula)} %"})


DECK_VALUES: Relation[tuple[Formula, int]] = Relation(
    "values of closed forms",
    Field("formula", "formula", TEXT, "The probability or the expected value.", lambda row: row[0].name),
    Field("decks", "decks", COUNT, "Decks of the fresh shoe.", lambda row: row[1], views="terminal"),
    Field("value", "exact", FRACTION, "Its value.", lambda row: row[0].at(row[1]), views="terminal"),
    Field("decimal", "decimal", decimal(9), "Its value.", lambda row: row[0].at(row[1]), views="terminal", for_people=True),
    Field("share", "share %", FINE, "The house edge or the probability.", lambda row: row[0].share_at(row[1]), views="terminal", for_people=True),
)  # fmt: skip
"""Values of closed forms, a row for each number of decks."""


def formula_csv(answer: FormulaAnalysis) -> Table:
    """Return the values of every formula, exact."""
    return program_table(DECK_VALUES, [(formula, number) for formula in answer for number in answer.decks])


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


def formula_latex(answer: FormulaAnalysis) -> str:
    """Return the formulas as LaTeX displays, each after a comment with its name; comments at the top state the provisos."""
    provisos = provisos_in_words(answer.game)
    head = [f"% {for_latex_comment(f'{name}: {words}')}" for name, words in provisos.items()]
    displays = (
        f"% {for_latex_comment(formula.name)}; limit {formula.limit}\n\\[\n{formula.latex}\n\\]"
        for formula in answer
    )
    return "\n\n".join((*head, *displays))


VALUES: Relation[tuple[Formula, Sequence[int]]] = Relation(
    "closed forms",
    *FORMULAS.part(lambda row: row[0]),
    Field(
        *("values", "values", ByName(FRACTION), "Its value by number of decks."),
        lambda row: {str(number): row[0].at(number) for number in row[1]},
    ),
)


def _extreme(share: str, which: str, place: int) -> Field[FormulaAnalysis]:
    """Return the field of the number of decks at which the first figure is smallest or largest; absent if that is another figure."""

    def decks(answer: FormulaAnalysis) -> int | None:
        first = answer.formulas[0]
        shares = {number: first.share_at(number) for number in answer.decks}
        return extremes(shares)[place] if _share(first) == share else None

    about = f"The number of decks at which the {share} is {which}."
    name = f"{share.replace(' ', '_')}_{which}_at"
    return Field(name, f"{share} {which} at", NUMBER, about, decks, may_be_absent=True)


FORMULA: Document[FormulaAnalysis] = Document(
    "combinat/formula/1",
    "Closed forms in the number of decks: combinat formula.",
    *GAME.part(lambda row: row.game),
    Field("of", "of", TEXT, "The bet or the insurance state."),
    Field(
        *("formulas", "formulas", Many(VALUES), "The closed forms."),
        lambda row: [(formula, row.decks) for formula in row.formulas],
    ),
    *(
        _extreme(share, which, place)
        for share in ("house edge", "probability")
        for place, which in enumerate(("smallest", "largest"))
    ),
    Field(
        "checked_at_decks",
        "checked at decks",
        Many(NUMBER),
        "Numbers of decks at which they equal the recursion.",
        lambda row: row.checked,
    ),
)
