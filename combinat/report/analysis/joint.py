"""Bets together, as people and programs read them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.joint import COMBINED_OUTCOMES, CORRELATIONS, Combination, Correlation
from combinat.base.kinds import COUNT, FRACTION, MONEY, decimal, percentage, root
from combinat.render.blocks import Block, Cell, Column, Figure, Section, Table, Terms, table
from combinat.report.relation_tables import program_table, view_table

CORRELATION_LIST = CORRELATIONS.select("first", "second", "covariance", "correlation")

BETS_ACROSS = 8
"""Number of bets side by side."""


def correlation_tables(bets: Sequence[str], correlations: Sequence[Correlation]) -> tuple[Table, ...]:
    """Return the correlations of every pair of bets, some columns at a time."""
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


def correlation_section(
    bets: Iterable[BetAnalysis], correlations: Sequence[Correlation]
) -> tuple[Section, Table]:
    """Return the correlations of these bets, as people and as programs read them."""
    shown = Section("Correlations", correlation_tables([bet.id for bet in bets], correlations))
    return shown, program_table(CORRELATION_LIST, correlations)


def combination_blocks(
    combination: Combination, names: Mapping[str, str] | None = None, caption: str = ""
) -> tuple[Block, ...]:
    """Return the net result of several stakes in one round together; ``names``: of the bets. Default: their ids."""
    mean = combination.mean
    return (
        Terms(
            {
                "Stakes": tuple(_stakes(combination, names or {})),
                "Staked": Figure(combination.staked, MONEY),
                "Mean": (Figure(mean, FRACTION), " = ", Figure(mean, decimal(6))),
                "Standard deviation": Figure(combination.variance, root(6)),
                "House edge on all staked": Figure(combination.house_edge, percentage(6), after=" %"),
            }
        ),
        view_table(COMBINED_OUTCOMES, combination.outcomes, caption=caption),
    )


def _stakes(combination: Combination, names: Mapping[str, str]) -> Iterator[Figure]:
    for stake in combination.stakes:
        before = "" if stake is combination.stakes[0] else ", "
        yield Figure(stake.amount, MONEY, before=f"{before}{names.get(stake.bet, stake.bet)} ")


def combination_section(combination: Combination) -> tuple[Section, Table]:
    """Stakes together, as people and as programs read them."""
    shown = Section("Stakes together", combination_blocks(combination))
    return shown, program_table(COMBINED_OUTCOMES, combination.outcomes)
