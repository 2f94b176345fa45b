"""Odds that were looked for, as people and programs read them."""

from collections.abc import Mapping
from typing import Any

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.solve import HitSolution, Solution
from combinat.base.kinds import FRACTION, ODDS, decimal, percentage
from combinat.base.number import exact
from combinat.render.blocks import Column, Figure, Paragraph, Section, Table, Terms, Words, table
from combinat.report.answer import shoe_json
from combinat.report.odds import FINE, shoe_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.relation_tables import EXACT_DECIMAL


def solution_document(solution: Solution) -> Section:
    """The odds at which a bet has the house edge wanted, exactly, and those near to them that can be paid."""
    said: dict[str, Words] = {
        "Shoe": shoe_in_words(solution.shoe),
        "Wanted": ("a house edge of ", Figure(-solution.wanted, FINE, after=" %")),
        "Now": (solution.now.pays, ", a house edge of ", _edge(solution.now)),
    }
    if solution.factor is not None and len(solution.lines) > 1:
        said["Factor on all odds"] = (
            Figure(solution.factor, FRACTION),
            " = ",
            Figure(solution.factor, decimal(9)),
        )
    exact_odds = table(
        (Column("line"), Column("now", ODDS), Column("to 1", decimal(6)), Column("exactly", FRACTION)),
        [(line.name, line.now, line.odds.net, line.odds.net) for line in solution.lines],
    )
    payable = table(
        (
            Column("payable odds"),
            Column("pays", ODDS),
            Column("house edge %", FINE),
            Column("largest change %", percentage(2)),
        ),
        [
            (choice.name, ", ".join(choice.odds), choice.bet.house_edge, choice.change)
            for choice in solution.payable
        ],
    )
    return Section(
        f"{solution.game.name}: {solution.now.name}",
        (Terms(said), exact_odds, payable, Paragraph(f"{SEARCH} {ROUNDING}")),
    )


SEARCH = (
    "Payable odds: the nearest to the house edge wanted, then pay tables whose shape is nearer to that of the "
    "exact odds. Largest change: of one line, against its exact odds."
)


def solution_csv(solution: Solution) -> Table:
    """A row for every line of every choice: as it is now, exactly, and as it can be paid."""
    columns = (
        Column("choice"),
        Column("line"),
        Column("odds", ODDS),
        Column("net", FRACTION),
        Column("house_edge", FRACTION),
        Column("house_edge_decimal", EXACT_DECIMAL),
    )
    every = [
        ("now", [line.now for line in solution.lines], solution.now),
        ("exact", [line.odds for line in solution.lines], solution.exact),
        *((choice.name, list(choice.odds), choice.bet) for choice in solution.payable),
    ]
    rows = [
        (name, line.name, each, each.net, bet.house_edge, bet.house_edge)
        for name, odds, bet in every
        for line, each in zip(solution.lines, odds, strict=True)
    ]
    return table(columns, rows)


def solution_json(solution: Solution) -> dict[str, Any]:
    """The solution under the schema ``combinat/solve/1``."""
    return {
        **_head(solution),
        "wanted": {"house_edge": exact(-solution.wanted)},
        "now": _figures(solution.now),
        "factor": exact(solution.factor),
        "lines": [
            {"name": line.name, "now": line.now, "net_now": exact(line.now.net), "net": exact(line.odds.net)}
            for line in solution.lines
        ],
        "payable": [
            {
                "name": choice.name,
                "odds": list(choice.odds),
                "net": [exact(odds.net) for odds in choice.odds],
                "change": exact(choice.change),
                **_figures(choice.bet),
            }
            for choice in solution.payable
        ],
    }


def hit_document(solution: HitSolution) -> Section:
    """The lines that may pay so that a bet wins about as often as wanted."""
    said: dict[str, Words] = {
        "Shoe": shoe_in_words(solution.shoe),
        "Wanted": ("a hit frequency of ", Figure(solution.wanted, FINE, after=" %")),
        "Now": (
            "wins ",
            Figure(solution.now.hit_frequency, FINE, after=" %"),
            " of rounds, a house edge of ",
            _edge(solution.now),
        ),
    }
    columns = (
        Column("lines that pay"),
        Column("lines that come back"),
        Column("wins %", FINE),
        Column("house edge %", FINE),
    )
    rows = [
        (
            ", ".join(choice.paying),
            ", ".join(choice.returned) or "none",
            choice.bet.hit_frequency,
            choice.bet.house_edge,
        )
        for choice in solution.choices
    ]
    return Section(
        f"{solution.game.name}: {solution.now.name}",
        (Terms(said), table(columns, rows), Paragraph(f"{OF_A_LINE}{_of_lines_back(solution)} {ROUNDING}")),
    )


def _of_lines_back(solution: HitSolution) -> str:
    """What is said of lines that come back now where a choice has them pay; empty: none does."""
    lifted = [name for name in solution.back_now if any(name in choice.paying for choice in solution.choices)]
    if not lifted:
        return ""
    return f" Lines that come back now ({', '.join(lifted)}) are taken to pay 1 to 1 where they pay."


OF_A_LINE = (
    "Odds do not change how often a line is won: a bet wins more or less often as its lines pay or come back."
)


def hit_csv(solution: HitSolution) -> Table:
    """A row for every choice of lines."""
    columns = (
        Column("paying"),
        Column("returned"),
        Column("hit_frequency", FRACTION),
        Column("hit_frequency_decimal", EXACT_DECIMAL),
        Column("house_edge", FRACTION),
        Column("house_edge_decimal", EXACT_DECIMAL),
    )
    rows = [
        (
            "; ".join(choice.paying),
            "; ".join(choice.returned),
            *((choice.bet.hit_frequency,) * 2),
            *((choice.bet.house_edge,) * 2),
        )
        for choice in solution.choices
    ]
    return table(columns, rows)


def hit_json(solution: HitSolution) -> dict[str, Any]:
    """The choices under the schema ``combinat/solve/1``."""
    return {
        **_head(solution),
        "wanted": {"hit_frequency": exact(solution.wanted)},
        "now": _figures(solution.now),
        "back_now": list(solution.back_now),
        "choices": [
            {"paying": list(choice.paying), "returned": list(choice.returned), **_figures(choice.bet)}
            for choice in solution.choices
        ],
    }


def _head(solution: Solution | HitSolution) -> Mapping[str, Any]:
    return {
        "schema": "combinat/solve/1",
        "game": solution.game.id,
        "shoe": shoe_json(solution.shoe),
        "bet": solution.now.id,
    }


def _figures(bet: BetAnalysis) -> dict[str, Any]:
    return {"house_edge": exact(bet.house_edge), "hit_frequency": exact(bet.hit_frequency)}


def _edge(bet: BetAnalysis) -> Figure:
    return Figure(bet.house_edge, FINE, after=" %")
