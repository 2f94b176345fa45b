"""Bets together, as people and programs read them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.joint import Combination, Correlation
from combinat.render.document import Block, Heading, Table, Terms
from combinat.render.number import PLACES, decimal, percent, root
from combinat.rules.money import format_money


def correlation_tables(bets: Sequence[str], found: Sequence[Correlation], columns: int = 8) -> list[Block]:
    """The correlations of every pair of bets, some columns at a time."""
    known = {(one.first, one.second): one for one in found}
    blocks: list[Block] = [Heading("Correlations")]
    for start in range(0, len(bets), columns):
        across = bets[start : start + columns]
        rows = [
            [f"{number} {bet}", *(_correlation(known, bet, other) for other in across)]
            for number, bet in enumerate(bets, start=1)
        ]
        numbers = [str(start + number) for number in range(1, len(across) + 1)]
        blocks.append(Table(columns=("", *numbers), align="l" + "r" * len(across), rows=rows))
    return blocks


def _correlation(known: Mapping[tuple[str, str], Correlation], first: str, second: str) -> str:
    if first == second:
        return "1"
    return correlation_decimal(known.get((first, second)) or known[second, first], 5)


def correlation_decimal(one: Correlation, places: int) -> str:
    """The correlation as a decimal; a dash where one of the bets never varies."""
    squared = one.squared
    return "-" if squared is None else root(squared, places, negative=one.covariance < 0)


def correlation_list(found: Sequence[Correlation]) -> Table:
    """Every pair of bets a line, with the exact covariance."""
    rows = [[one.first, one.second, str(one.covariance), correlation_decimal(one, PLACES)] for one in found]
    return Table(columns=("bet", "other bet", "covariance", "correlation"), align="llrr", rows=rows)


def combination_document(combination: Combination) -> list[Block]:
    """What several stakes in one round come to together."""
    rows = [
        [format_money(net), str(ways), percent(Fraction(ways, combination.sample_space), 6)]
        for net, ways in combination.ways.items()
    ]
    return [
        Heading("Stakes together"),
        Terms(
            {
                "Stakes": ", ".join(
                    f"{bet} {format_money(stake)}" for bet, stake in combination.stakes.items()
                ),
                "Staked": format_money(combination.staked),
                "Mean": f"{combination.mean} = {decimal(combination.mean, 6)}",
                "Standard deviation": root(combination.variance, 6),
                "House edge on all staked": f"{percent(combination.house_edge, 6)} %",
            }
        ),
        Table(columns=("net", "ways", "probability %"), align="rrr", rows=rows),
    ]


def joint_json(found: Sequence[Correlation]) -> list[dict[str, Any]]:
    """Covariances and correlations, for the key ``joint``."""
    return [
        {
            "bets": [one.first, one.second],
            "covariance": str(one.covariance),
            "correlation": None if one.squared is None else correlation_decimal(one, PLACES),
        }
        for one in found
    ]


def combination_json(combination: Combination) -> dict[str, Any]:
    """Stakes together, for the key ``combination``."""
    return {
        "stakes": {bet: str(stake) for bet, stake in combination.stakes.items()},
        "staked": str(combination.staked),
        "mean": str(combination.mean),
        "variance": str(combination.variance),
        "standard_deviation": root(combination.variance, PLACES),
        "house_edge": str(combination.house_edge),
        "outcomes": [
            {"net": str(net), "ways": str(ways), "probability": str(Fraction(ways, combination.sample_space))}
            for net, ways in combination.ways.items()
        ],
    }
