"""The sheets of outcomes: every bet on a shoe, its outcomes, and the figures that formulas derive from them."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.dossier import FreshShoe
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import Styled, Traced, count_cell, is_held_whole, traced
from combinat.render.xlsx.sheet import A3, Sheet, columns_of
from combinat.report.odds import decks_in_words
from combinat.report.workbook.words import CHECK_NOTE, NET_NOTE, OUTCOME_COLUMNS, WAYS_NOTE, WHOLE_NOTE

_NETS, _WAYS = "E{first}:E{last}", "G{first}:G{last}"
_VARIANCE = f"=SUMPRODUCT({_NETS},{_NETS},{_WAYS})/(E{{head}}*E{{head}}*G{{total}})-H{{expected_value}}^2"


class Derived(NamedTuple):
    """A figure derived from a bet's outcomes: its formula in terms of rows, and how it is shown."""

    key: str
    label: str
    style: str
    formula: str


STANDARD_DEVIATION = "standard_deviation"
DERIVED = (
    Derived("expected_value", "Expected value", "signed", "=K{total}"),
    Derived("return_to_player", "Return to player", "percent", "=1+H{expected_value}"),
    Derived("house_edge", "House edge", "percent", "=-H{expected_value}"),
    Derived("hit_frequency", "Hit frequency", "percent", f'=SUMIF({_NETS},">0",{_WAYS})/G{{total}}'),
    Derived("returned", "Stake returned", "percent", f"=SUMIF({_NETS},0,{_WAYS})/G{{total}}"),
    Derived("edge_per_resolved_bet", "Edge per resolved bet", "percent", "=H{house_edge}/(1-H{returned})"),
    Derived("variance", "Variance", "decimal", _VARIANCE),
    Derived(STANDARD_DEVIATION, "Standard deviation", "decimal", "=SQRT(H{variance})"),
    Derived(
        *("fair_odds", "Fair odds to 1", "decimal"),
        f'=SUMIF({_NETS},-E{{head}},{_WAYS})/SUMIF({_NETS},">0",{_WAYS})',
    ),
)

Places = dict[tuple[str, str], str]
"""Where each figure of each bet stands, by the bet's id and the figure's key."""


def derived_values(bet: BetAnalysis) -> dict[str, Traced]:
    """The derived figures of a bet by key; one that does not exist is left out."""
    values: dict[str, Traced] = {}
    for derived in DERIVED:
        if derived.key == STANDARD_DEVIATION:
            values[derived.key] = Traced.root_of(bet.variance, "root of the variance")
        elif (value := getattr(bet, derived.key)) is not None:
            values[derived.key] = Traced.of(value)
    return values


def write_outcomes(book: Book, name: str, shoe: FreshShoe) -> Places:
    """Write the outcomes and figures of every bet on a shoe; where each figure of each bet stands."""
    counts = [shoe.sample_space, *(line.ways for bet in shoe.bets for line in bet.outcomes)]
    whole = WHOLE_NOTE if all(map(is_held_whole, counts)) else ""
    columns = columns_of(
        OUTCOME_COLUMNS,
        Whole=NET_NOTE,
        Ways=f"ordered sequences of six cards, as text. {WAYS_NOTE}{whole}",
        Check=CHECK_NOTE,
        Contribution="net x probability; their total is the expected value.",
    )
    title = f"Outcomes of every bet, {decks_in_words(shoe.decks)}, {shoe.sample_space} card sequences"
    sheet = Sheet(book, name, title, columns, frozen=2, paper=A3)
    places: Places = {}
    for bet in shoe.bets:
        rows = _write_bet(sheet, bet, shoe.sample_space)
        places.update({(bet.id, key): f"'{name}'!$H${row}" for key, row in rows.items()})
    sheet.finish()
    return places


def _write_bet(sheet: Sheet, bet: BetAnalysis, space: int) -> dict[str, int]:
    """Write a bet's outcomes, their total and the figures derived from them; the row of each figure."""
    values = derived_values(bet)
    stake = lcm(*(line.net.denominator for line in bet.outcomes))
    head = sheet.row(bet.id, bet.name, None, "stake:", stake, style="block")
    total = head + 1 + len(bet.outcomes)
    for row, line in enumerate(bet.outcomes, start=head + 1):
        probability, share = Traced.of(line.probability), Traced.of(line.contribution)
        sheet.row(
            *(bet.id, line.name, line.odds or None, str(line.net), int(line.net * stake), str(line.ways)),
            count_cell(f"F{row}", line.ways),
            *traced(f"=G{row}/G{total}", probability, row, "H"),
            *traced(f"=E{row}*G{row}/(E{head}*G{total})", share, row, "K"),
            *(probability.exact, share.exact),
        )
    rows = {"head": head, "first": head + 1, "last": total - 1, "total": total}
    _write_total(sheet, bet.id, space, values["expected_value"], rows)
    for derived in DERIVED:
        if derived.key in values:
            value, row = values[derived.key], sheet.next
            rows[derived.key] = row
            live, *beside = traced(derived.formula.format(**rows), value, row, "H")
            gap: Sequence[None] = [None] * 5
            sheet.row(
                bet.id, derived.label, *gap, Styled(live, derived.style), *beside, *gap[:3], value.exact
            )
    return rows


def _write_total(sheet: Sheet, bet: str, space: int, mean: Traced, rows: dict[str, int]) -> None:
    """Write the total of a bet's outcomes: all card sequences, and the expected value."""
    nets, ways, total = _NETS.format(**rows), _WAYS.format(**rows), rows["total"]
    sheet.row(
        *(bet, "total", None, None, None, str(space), count_cell(f"F{total}", space)),
        *traced(f"=SUM({ways})/G{total}", Traced.of(Fraction(1)), total, "H"),
        *traced(f"=SUMPRODUCT({nets},{ways})/(E{rows['head']}*G{total})", mean, total, "K"),
        *("1", mean.exact),
        style="total",
    )
