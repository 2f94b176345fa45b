"""Exact odds as programs read them: CSV and JSON, every figure exact, decimals beside them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.analysis.bets import BetAnalysis
from combinat.base.kinds import COUNT, FRACTION, ODDS, decimal, root, shown
from combinat.base.number import PLACES, exact
from combinat.render.blocks import Column, Table, table
from combinat.report.odds import pays_in_words, shoe_json

EXACT_DECIMAL, EXACT_ROOT = decimal(PLACES), root(PLACES)
"""The decimals of JSON and CSV."""


def odds_csv(bets: Sequence[BetAnalysis], *, detail: bool) -> Table:
    """One line a bet, or in ``detail`` one an outcome: exact columns, and decimals beside them."""
    return _outcomes_csv(bets) if detail else _bets_csv(bets)


def _outcomes_csv(bets: Sequence[BetAnalysis]) -> Table:
    columns = (
        Column("bet"),
        Column("outcome"),
        Column("odds", ODDS),
        Column("net", FRACTION),
        Column("ways", COUNT),
        Column("probability", FRACTION),
        Column("probability_decimal", EXACT_DECIMAL),
        Column("contribution", FRACTION),
    )
    rows = [
        (
            bet.id,
            line.name,
            line.odds,
            line.net,
            line.ways,
            line.probability,
            line.probability,
            line.contribution,
        )
        for bet in bets
        for line in bet.outcomes
    ]
    return table(columns, rows)


def _bets_csv(bets: Sequence[BetAnalysis]) -> Table:
    columns = (
        Column("bet"),
        Column("pays", ODDS),
        Column("hit_frequency", FRACTION),
        Column("push", FRACTION),
        Column("void", FRACTION),
        Column("expected_value", FRACTION),
        Column("expected_value_decimal", EXACT_DECIMAL),
        Column("house_edge_decimal", EXACT_DECIMAL),
        Column("variance", FRACTION),
        Column("standard_deviation", EXACT_ROOT),
        Column("skewness", EXACT_ROOT),
        Column("fair_odds", FRACTION),
    )
    rows = [
        (
            bet.id,
            pays_in_words(bet),
            bet.hit_frequency,
            bet.push,
            bet.void,
            bet.expected_value,
            bet.expected_value,
            bet.house_edge,
            bet.variance,
            bet.variance,
            bet.skewness_signed_square,
            bet.fair_odds,
        )
        for bet in bets
    ]
    return table(columns, rows)


def decks_csv(bets: Mapping[int, Sequence[BetAnalysis]]) -> Table:
    """One line for each bet and number of decks."""
    columns = (
        Column("bet"),
        Column("decks", COUNT),
        Column("house_edge", FRACTION),
        Column("house_edge_decimal", EXACT_DECIMAL),
    )
    rows = [
        (bet.id, number, bet.house_edge, bet.house_edge) for number, listed in bets.items() for bet in listed
    ]
    return table(columns, rows)


def odds_json(analysis: Analysis, bets: Sequence[BetAnalysis]) -> dict[str, Any]:
    """The odds under the schema ``combinat/odds/1``."""
    return {
        "schema": "combinat/odds/1",
        "game": analysis.game.id,
        "shoe": shoe_json(analysis.shoe),
        "sample_space": str(analysis.sample_space),
        "void": str(analysis.void),
        "bets": [_bet_json(bet) for bet in bets],
    }


def decks_json(
    game: str, analyses: Mapping[int, Analysis], bets: Mapping[int, Sequence[BetAnalysis]]
) -> dict[str, Any]:
    """The odds by number of decks, under the schema ``combinat/odds-by-decks/1``."""
    return {
        "schema": "combinat/odds-by-decks/1",
        "game": game,
        "decks": [
            {"decks": number, **odds_json(analysis, bets[number])} for number, analysis in analyses.items()
        ],
    }


def root_json(square: Fraction | None) -> str | None:
    """The root of a signed square as JSON has it; None where there is none."""
    return None if square is None else shown(square, EXACT_ROOT)


def _bet_json(bet: BetAnalysis) -> dict[str, Any]:
    return {
        "id": bet.id,
        "name": bet.name,
        "outcomes": [
            {
                "name": line.name,
                "odds": line.odds or None,
                "net": str(line.net),
                "ways": str(line.ways),
                "probability": str(line.probability),
                "contribution": str(line.contribution),
            }
            for line in bet.outcomes
        ],
        "expected_value": str(bet.expected_value),
        "house_edge": str(bet.house_edge),
        "return_to_player": str(bet.return_to_player),
        "variance": str(bet.variance),
        "hit_frequency": str(bet.hit_frequency),
        "push": str(bet.push),
        "void": str(bet.void),
        "edge_per_resolved_bet": exact(bet.edge_per_resolved_bet),
        "standard_deviation": root_json(bet.variance),
        "third_central_moment": str(bet.third_central_moment),
        "skewness": root_json(bet.skewness_signed_square),
        "largest_payout": exact(bet.largest_payout),
        "fair_odds": exact(bet.fair_odds),
    }
