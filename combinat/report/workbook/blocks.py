"""The blocks of the workbook that carry formulas: a bet with its outcomes, an insurance state."""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from combinat.render.xlsx.cells import Cell, Figure, Live, Styled, count_cell, fraction, traced
from combinat.render.xlsx.sheet import Sheet
from combinat.rules.round import Stage

_NETS, _WAYS = "E{first}:E{last}", "G{first}:G{last}"
_VARIANCE = f"=SUMPRODUCT({_NETS},{_NETS},{_WAYS})/(E{{head}}*E{{head}}*G{{total}})-H{{expected_value}}^2"


class Derived(NamedTuple):
    """A figure derived from a bet's outcomes: its formula in terms of rows, and how it is shown."""

    key: str
    label: str
    style: str
    formula: str


DERIVED = (
    Derived("expected_value", "Expected value", "signed", "=K{total}"),
    Derived("return_to_player", "Return to player", "percent", "=1+H{expected_value}"),
    Derived("house_edge", "House edge", "percent", "=-H{expected_value}"),
    Derived("hit_frequency", "Hit frequency", "percent", f'=SUMIF({_NETS},">0",{_WAYS})/G{{total}}'),
    Derived("returned", "Stake returned", "percent", f"=SUMIF({_NETS},0,{_WAYS})/G{{total}}"),
    Derived("edge_per_resolved_bet", "Edge per resolved bet", "percent", "=H{house_edge}/(1-H{returned})"),
    Derived("variance", "Variance", "decimal", _VARIANCE),
    Derived("standard_deviation", "Standard deviation", "decimal", "=SQRT(H{variance})"),
    Derived(
        *("fair_odds", "Fair odds to 1", "decimal"),
        f'=SUMIF({_NETS},-E{{head}},{_WAYS})/SUMIF({_NETS},">0",{_WAYS})',
    ),
)


def figures(bet: Mapping[str, Any]) -> dict[str, Figure]:
    """The figures of a bet by key; one that does not exist is left out."""
    lines = [(Fraction(line["net"]), Fraction(line["probability"])) for line in bet["outcomes"]]
    exact = {one.key: fraction(bet.get(one.key)) for one in DERIVED if one.key != "standard_deviation"}
    exact["returned"] = sum((probability for net, probability in lines if not net), Fraction(0))
    figures = {key: Figure.of(value) for key, value in exact.items() if value is not None}
    return {**figures, "standard_deviation": Figure.root(Fraction(bet["variance"]))}


def write_bet(sheet: Sheet, bet: Mapping[str, Any], space: int) -> dict[str, int]:
    """Write a bet's outcomes, their total and the figures derived from them; the row of each figure."""
    outcomes, known = bet["outcomes"], figures(bet)
    stake = lcm(*(Fraction(outcome["net"]).denominator for outcome in outcomes))
    head = sheet.row(bet["id"], bet["name"], None, "stake:", stake, style="block")
    total = head + 1 + len(outcomes)
    for row, outcome in enumerate(outcomes, start=head + 1):
        net, probability, share = (Fraction(outcome[key]) for key in ("net", "probability", "contribution"))
        sheet.row(
            *(bet["id"], outcome["name"], outcome["odds"], str(net), int(net * stake), outcome["ways"]),
            count_cell(f"F{row}", int(outcome["ways"])),
            *traced(f"=G{row}/G{total}", Figure.of(probability), row, "H"),
            *traced(f"=E{row}*G{row}/(E{head}*G{total})", Figure.of(share), row, "K"),
            *(str(probability), str(share)),
        )
    rows = {"head": head, "first": head + 1, "last": total - 1, "total": total}
    nets, ways, mean = _NETS.format(**rows), _WAYS.format(**rows), known["expected_value"]
    sheet.row(
        *(bet["id"], "total", None, None, None, str(space), count_cell(f"F{total}", space)),
        *traced(f"=SUM({ways})/G{total}", Figure.of(Fraction(1)), total, "H"),
        *traced(f"=SUMPRODUCT({nets},{ways})/(E{head}*G{total})", mean, total, "K"),
        *("1", mean.exact),
        style="total",
    )
    for one in DERIVED:
        if one.key in known:
            row = rows[one.key] = sheet.next
            live, *beside = traced(one.formula.format(**rows), known[one.key], row, "H")
            exact = known[one.key].exact
            sheet.row(bet["id"], one.label, *[None] * 5, Styled(live, one.style), *beside, *[None] * 3, exact)
    return rows


class Offered(NamedTuple):
    """An insurance state, what follows from it or from it and a third card, and what tells them apart."""

    state: Mapping[str, Any]
    given: Mapping[str, Any]
    mark: Cell
    odds: str

    @property
    def named(self) -> list[Cell]:
        """The first four cells of its row."""
        stage = Stage(self.state["stage"]).in_words.removeprefix("after ")
        return [self.state["side"], stage, self.state["player_points"], self.state["banker_points"]]


def write_state(sheet: Sheet, offered: Offered, space: int, total: int) -> None:
    """Write an insurance state: its ways as text, read as numbers, and what follows from them."""
    given, net, row = offered.given, Fraction(offered.state["odds"]), sheet.next
    named = (*offered.named, offered.mark, offered.odds, net.numerator, net.denominator)
    if given["expected_value"] is None:
        sheet.row(*named, *[None] * 4, "never")
        return
    reached, mean = Fraction(given["probability"]), Fraction(given["expected_value"])
    shares = [Fraction(given[key]) for key in ("wins", "pushes", "loses")]
    counts = [int(share * reached * space) for share in shares]
    favours = "PLAYER" if mean > 0 else "house" if mean < 0 else "neither"
    ways = f"SUM(T{row}:V{row})"
    formula = f"=(G{row}*T{row}-H{row}*V{row})/(H{row}*{ways})"
    live, *beside = traced(formula, Figure.of(mean), row, "N")
    sheet.row(
        *named,
        Live(f"={ways}/T${total}", float(reached)),
        *(Live(f"={letter}{row}/{ways}", float(share)) for letter, share in zip("TUV", shares, strict=True)),
        Live(f'=IF(N{row}>0,"PLAYER",IF(N{row}<0,"house","neither"))', favours),
        *(live, *beside),
        *map(str, counts),
        *(count_cell(f"{letter}{row}", count) for letter, count in zip("QRS", counts, strict=True)),
        str(mean),
    )
