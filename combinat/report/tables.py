"""The tables of a game's report, one CSV file each: exact columns as text, decimals beside them.

Every table comes from ``analysis.json`` alone, so that whoever has that file can make them again. An exact
figure is in lowest terms; its decimal has ``PLACES`` digits, rounded once, half to even. An empty cell is a
figure that does not exist, such as the fair odds of a bet that never wins.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from combinat.render.document import Format, Table, rendered, table_of
from combinat.render.files import write_whole
from combinat.render.number import PLACES, decimal

Records = Iterator[dict[str, Any]]

_BET = (
    *("expected_value", "house_edge", "return_to_player", "hit_frequency", "push", "void"),
    *("edge_per_resolved_bet", "variance", "third_central_moment", "largest_payout", "fair_odds"),
)
_IRRATIONAL = ("standard_deviation", "skewness")
_STATE = ("side", "stage", "player_points", "banker_points", "odds")
_GIVEN_STATE = ("wins", "pushes", "loses", "expected_value")


def report_tables(analysis: dict[str, Any]) -> dict[str, Table]:
    """Every table of the report by the stem of its file; a game without insurance has none about it."""
    records = {
        "bets": _bets(analysis),
        "outcomes": _outcomes(analysis),
        "joint": _joint(analysis),
        "insurance": _insurance(analysis),
        "insurance-by-third-card": _third_cards(analysis),
        "interpretations": _interpretations(analysis),
        "removal": _removal(analysis),
        "formulas": _formulas(analysis),
    }
    tables = {stem: table_of(list(found)) for stem, found in records.items()}
    return {stem: table for stem, table in tables.items() if table.rows}


def write_tables(analysis: dict[str, Any], folder: Path) -> list[Path]:
    """Write every table to ``tables/`` in the game's folder; the paths written."""
    return [
        write_whole(folder / "tables" / f"{stem}.csv", rendered([table], Format.CSV))
        for stem, table in report_tables(analysis).items()
    ]


def _exact(record: Mapping[str, Any], names: Sequence[str]) -> dict[str, str | None]:
    """These figures of a record, each with its decimal in the next column."""
    figures: dict[str, str | None] = {}
    for name in names:
        value = record[name]
        figures[name] = value
        figures[f"{name}_decimal"] = None if value is None else decimal(Fraction(value), PLACES)
    return figures


def _bets(analysis: dict[str, Any]) -> Records:
    for shoe in analysis["decks"]:
        for bet in shoe["bets"]:
            yield {
                "decks": shoe["decks"],
                "bet": bet["id"],
                "name": bet["name"],
                **_exact(bet, _BET),
                **{f"{name}_decimal": bet[name] for name in _IRRATIONAL},
            }


def _outcomes(analysis: dict[str, Any]) -> Records:
    for shoe in analysis["decks"]:
        for bet in shoe["bets"]:
            for outcome in bet["outcomes"]:
                yield {
                    "decks": shoe["decks"],
                    "bet": bet["id"],
                    "outcome": outcome["name"],
                    "odds": outcome["odds"],
                    **_exact(outcome, ("net",)),
                    "ways": outcome["ways"],
                    "sample_space": shoe["sample_space"],
                    **_exact(outcome, ("probability", "contribution")),
                }


def _joint(analysis: dict[str, Any]) -> Records:
    for shoe in analysis["decks"]:
        for pair in shoe["joint"]:
            bet, other = pair["bets"]
            yield {
                "decks": shoe["decks"],
                "bet": bet,
                "other_bet": other,
                **_exact(pair, ("covariance",)),
                "correlation_decimal": pair["correlation"],
            }


def _insurance(analysis: dict[str, Any]) -> Records:
    for shoe in analysis["decks"]:
        for state in shoe["insurance"]:
            yield {
                "decks": shoe["decks"],
                **{name: state[name] for name in (*_STATE, "pays_on_tie", "ways")},
                **_exact(state, ("probability", *_GIVEN_STATE, "house_edge", "variance", "fair_odds")),
                "favours_player": state["favours_player"],
            }


def _third_cards(analysis: dict[str, Any]) -> Records:
    for shoe in analysis["decks"]:
        for state in shoe["insurance"]:
            for card in state.get("third_cards", ()):
                yield {
                    "decks": shoe["decks"],
                    **{name: state[name] for name in _STATE},
                    "player_third": card["player_third"],
                    **_exact(card, ("probability", *_GIVEN_STATE)),
                }


def _interpretations(analysis: dict[str, Any]) -> Records:
    for entry in analysis["interpretations"]:
        for effect in entry["effects"]:
            yield {
                "decks": analysis["reference_decks"],
                "entry": entry["id"],
                "for": effect["for"],
                "figure": effect["figure"],
                **_exact(effect, ("read", "otherwise", "change")),
            }


def _removal(analysis: dict[str, Any]) -> Records:
    for bet in analysis["removal"]:
        for effect in bet["effects"]:
            yield {
                "decks": analysis["reference_decks"],
                "bet": bet["id"],
                **_exact(bet, ("expected_value",)),
                "removed": effect["removed"],
                **_exact(effect, ("change",)),
            }


def _formulas(analysis: dict[str, Any]) -> Records:
    """Coefficients of a polynomial in the number of decks, the lowest power first."""
    for subject in analysis["formulas"]:
        for formula in subject["formulas"]:
            yield {
                "of": subject["of"],
                "figure": formula["name"],
                "numerator": formula["numerator"],
                "denominator": formula["denominator"],
                **_exact(formula, ("limit",)),
            }
