"""Closed forms, as people and programs read them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from combinat.analysis.formula import FORMULAS, Formula, FormulaAnalysis
from combinat.base.kinds import COUNT, FRACTION, NUMBER, TEXT, decimal
from combinat.base.relation import ByName, Document, Field, Many, Relation
from combinat.render.blocks import Block, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.render.escape import for_latex_comment
from combinat.report.analysis.odds import FINE
from combinat.report.game_fields import GAME
from combinat.report.provisos import provisos_in_words


def extremes(values: Mapping[int, Fraction]) -> tuple[int, int]:
    """Return the numbers of decks at which a figure is smallest and largest."""
    return min(values, key=lambda decks: values[decks]), max(values, key=lambda decks: values[decks])


def _share(formula: Formula) -> str:
    """The quantity that a formula gives."""
    return "house edge" if formula.is_expected_value else "probability"


def formula_document(answer: FormulaAnalysis) -> Section:
    """Each formula with its limit, and the values of the first."""
    *stated, values_shown = formula_blocks(answer.formulas, answer.decks)
    equal = Paragraph(f"Equal to the recursion at {', '.join(map(str, answer.checked))} decks, checked now.")
    shown = Section("Values", (values_shown, _extremes(answer.formulas[0], answer.decks), equal))
    return Section(f"{answer.game.name}: {answer.name}", (*stated, shown))


def formula_blocks(formulas: Sequence[Formula], decks: Sequence[int]) -> tuple[Block, ...]:
    """Each formula with its limit, and the values of the first on fresh shoes."""
    return (
        Paragraph("n is the number of decks in a fresh shoe."),
        *(Section(formula.name.capitalize(), (_terms(formula),)) for formula in formulas),
        values(formulas[0], decks),
    )


def _terms(formula: Formula) -> Terms:
    limit = formula.limit
    return Terms(
        {"Formula": formula.text, "Limit": (Figure(limit, FRACTION), " = ", Figure(limit, decimal(9)))}
    )


def values(formula: Formula, decks: Sequence[int]) -> Table:
    """Return the values of a formula at these numbers of decks."""
    columns = (
        Column("decks", COUNT),
        Column("exact", FRACTION),
        Column("decimal", decimal(9)),
        Column(f"{_share(formula)} %", FINE),
    )
    rows = [(number, formula.at(number), formula.at(number), formula.share_at(number)) for number in decks]
    return table(columns, rows)


def formula_csv(answer: FormulaAnalysis) -> Table:
    """Return the values of every formula, exact."""
    columns = (
        Column("formula"),
        Column("decks", COUNT),
        Column("value", FRACTION),
    )
    values = [(formula, number, formula.at(number)) for formula in answer for number in answer.decks]
    return table(columns, [(formula.name, number, value) for formula, number, value in values])


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
    """Return the formulas as LaTeX displays, each after a comment that names it; the provisos as comments before."""
    provisos = provisos_in_words(answer.game)
    head = [f"% {for_latex_comment(f'{name}: {words}')}" for name, words in provisos.items()]
    displays = (
        f"% {for_latex_comment(formula.name)}; limit {formula.limit}\n\\[\n{formula.latex}\n\\]"
        for formula in answer
    )
    return "\n\n".join((*head, *displays))


def _extreme_decks(answer: FormulaAnalysis, share: str, place: int) -> int | None:
    """Return the number of decks at which the first share is smallest (0) or largest (1), if it is the share named."""
    first = answer.formulas[0]
    if _share(first) != share:
        return None
    return extremes({number: first.share_at(number) for number in answer.decks})[place]


VALUES: Relation[tuple[Formula, Sequence[int]]] = Relation(
    "closed forms",
    *FORMULAS.part(lambda row: row[0]),
    Field(
        *("values", "values", ByName(FRACTION), "Its value by number of decks."),
        lambda row: {str(number): row[0].at(number) for number in row[1]},
    ),
)


def _extreme(share: str, which: str, place: int) -> Field[FormulaAnalysis]:
    return Field(
        f"{share.replace(' ', '_')}_{which}_at",
        f"{share} {which} at",
        NUMBER,
        f"The number of decks at which the {share} is {which}.",
        lambda answer: _extreme_decks(answer, share, place),
        may_be_absent=True,
    )


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
