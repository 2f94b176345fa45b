"""Bets together, as people and programs read them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from combinat.analysis.joint import Combination, Correlation
from combinat.base.kinds import COUNT, FRACTION, MONEY, decimal, root
from combinat.render.blocks import Block, Cell, Column, Figure, Section, Table, Terms, table
from combinat.report.odds import FINE
from combinat.report.odds_records import EXACT_ROOT, root_json
from combinat.report.view import View

BETS_ACROSS = 8
"""How many bets stand side by side."""


def correlation_tables(bets: Sequence[str], correlations: Sequence[Correlation]) -> tuple[Table, ...]:
    """The correlations of every pair of bets, some columns at a time."""
    known = {(pair.first, pair.second): pair for pair in correlations}
    numbered = list(enumerate(bets, start=1))
    return tuple(
        table(
            (Column(""), *(Column(str(number), root(5)) for number, _ in columns)),
            [
                (f"{number} {bet}", *(_correlation(known, bet, other) for _, other in columns))
                for number, bet in numbered
            ],
        )
        for columns in (numbered[start : start + BETS_ACROSS] for start in range(0, len(bets), BETS_ACROSS))
    )


def _correlation(known: Mapping[tuple[str, str], Correlation], first: str, second: str) -> Cell:
    if first == second:
        return Figure(1, COUNT)
    return (known.get((first, second)) or known[second, first]).signed_square


def correlation_list(correlations: Sequence[Correlation]) -> Table:
    """Every pair of bets a line, with the exact covariance."""
    columns = (
        Column("bet"),
        Column("other bet"),
        Column("covariance", FRACTION),
        Column("correlation", EXACT_ROOT),
    )
    rows = [(pair.first, pair.second, pair.covariance, pair.signed_square) for pair in correlations]
    return table(columns, rows)


def correlation_view(bets: Sequence[str], correlations: Sequence[Correlation]) -> View:
    """The correlations of these bets, in every format."""
    return View(
        blocks=(Section("Correlations", correlation_tables(bets, correlations)),),
        tables=(correlation_list(correlations),),
        of_game={"joint": joint_json(correlations)},
    )


def combination_blocks(combination: Combination) -> tuple[Block, ...]:
    """What several stakes in one round come to together."""
    columns = (Column("net", MONEY), Column("ways", COUNT), Column("probability %", FINE))
    mean = combination.mean
    return (
        Terms(
            {
                "Stakes": tuple(_stakes(combination)),
                "Staked": Figure(combination.staked, MONEY),
                "Mean": (Figure(mean, FRACTION), " = ", Figure(mean, decimal(6))),
                "Standard deviation": Figure(combination.variance, root(6)),
                "House edge on all staked": Figure(combination.house_edge, FINE, after=" %"),
            }
        ),
        _outcomes(combination, columns),
    )


def _stakes(combination: Combination) -> Iterator[Figure]:
    for stake in combination.stakes:
        before = "" if stake is combination.stakes[0] else ", "
        yield Figure(stake.amount, MONEY, before=f"{before}{stake.bet} ")


def _outcomes(combination: Combination, columns: Sequence[Column]) -> Table:
    rows = [(outcome.net, outcome.ways, outcome.probability) for outcome in combination.outcomes]
    return table(columns, rows)


def combination_view(combination: Combination) -> View:
    """Stakes together, in every format."""
    blocks = combination_blocks(combination)
    return View(
        blocks=(Section("Stakes together", blocks),),
        tables=tuple(block for block in blocks if isinstance(block, Table)),
        of_game={"combination": combination_json(combination)},
    )


def joint_json(correlations: Sequence[Correlation]) -> list[dict[str, Any]]:
    """Covariances and correlations, for the key ``joint``."""
    return [
        {
            "bets": [pair.first, pair.second],
            "covariance": str(pair.covariance),
            "correlation": root_json(pair.signed_square),
        }
        for pair in correlations
    ]


def combination_json(combination: Combination) -> dict[str, Any]:
    """Stakes together, for the key ``combination``."""
    return {
        "stakes": {stake.bet: str(stake.amount) for stake in combination.stakes},
        "staked": str(combination.staked),
        "mean": str(combination.mean),
        "variance": str(combination.variance),
        "standard_deviation": root_json(combination.variance),
        "house_edge": str(combination.house_edge),
        "outcomes": [
            {"net": str(outcome.net), "ways": str(outcome.ways), "probability": str(outcome.probability)}
            for outcome in combination.outcomes
        ],
    }
