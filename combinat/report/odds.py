"""Exact odds as people read them, and as programs do."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.analysis.bets import BetAnalysis
from combinat.report.document import Block, Heading, Paragraph, Table, Terms
from combinat.report.number import PLACES, decimal, exact, one_in, percent, root
from combinat.rules.cards import RANKS
from combinat.rules.shoe import Shoe

ROUNDING = "Computed in whole numbers and fractions; decimals are rounded once, half to even."


def shoe_in_words(shoe: Shoe) -> str:
    """The shoe in a phrase: so many decks, or its counts."""
    decks, rest = divmod(shoe.counts[0], 4)
    if decks and not rest and shoe == Shoe.of_decks(decks):
        return f"{decks} deck{'s' if decks > 1 else ''}, {shoe.size} cards"
    return f"{shoe.size} cards ({shoe})"


def pays_in_words(bet: BetAnalysis) -> str:
    """The odds of a bet's winning lines in a phrase.

    Lines that all pay something to 1 are drawn together: ``4, 20, 100 to 1``.
    """
    odds = [line.odds for line in bet.outcomes if line.net > 0 and line.odds]
    if all(text.endswith(" to 1") for text in odds):
        return ", ".join(text.removesuffix(" to 1") for text in odds) + " to 1"
    return ", ".join(odds)


def odds_table(bets: Sequence[BetAnalysis]) -> Table:
    """One line a bet: what it pays, how often it wins, what the house keeps."""
    rows = [
        [
            bet.id,
            pays_in_words(bet),
            percent(bet.hit_frequency),
            one_in(bet.hit_frequency),
            percent(bet.returned),
            percent(bet.house_edge),
            root(bet.variance, 4),
        ]
        for bet in bets
    ]
    columns = ("bet", "pays", "wins %", "one in", "returned %", "house edge %", "std dev")
    return Table(columns=columns, align="llrrrrr", rows=rows)


def odds_document(analysis: Analysis, bets: Sequence[BetAnalysis], *, detail: bool) -> list[Block]:
    """The odds of these bets; in ``detail`` every outcome of each."""
    blocks: list[Block] = [
        Heading(analysis.game.name, 1),
        Terms(
            {
                "Shoe": shoe_in_words(analysis.shoe),
                "Card sequences": str(analysis.sample_space),
                "Void rounds": _fraction_and_percent(analysis.void) if analysis.void else "none",
            }
        ),
    ]
    if detail:
        for bet in bets:
            blocks += [
                Heading(f"{bet.name} ({bet.id})"),
                outcome_table(bet, analysis.sample_space),
                figures(bet),
            ]
    else:
        blocks.append(odds_table(bets))
    return blocks


def outcome_table(bet: BetAnalysis, sample_space: int) -> Table:
    """Every outcome of a bet: ways, probability, share of the return, and their totals."""
    rows = [
        [
            line.name,
            line.odds,
            str(line.ways),
            percent(line.probability, 6),
            one_in(line.probability),
            percent(line.contribution, 6),
        ]
        for line in bet.outcomes
    ]
    total = ["total", "", str(sample_space), percent(Fraction(1), 6), "", percent(bet.expected_value, 6)]
    columns = ("outcome", "odds", "ways", "probability %", "one in", "to return %")
    return Table(columns=columns, align="llrrrr", rows=[*rows, total])


def figures(bet: BetAnalysis) -> Terms:
    """The figures of a bet in full, exact ones as fractions too."""
    resolved, fair = bet.edge_per_resolved_bet, bet.fair_odds
    said = {
        "Expected value": f"{bet.expected_value} = {decimal(bet.expected_value, 9)}",
        "House edge": f"{percent(bet.house_edge, 6)} %",
        "Return to player": f"{percent(bet.return_to_player, 6)} %",
        "Hit frequency": _fraction_and_percent(bet.hit_frequency),
        "Push": _fraction_and_percent(bet.push),
        "Void": _fraction_and_percent(bet.void),
        "Edge per resolved bet": "none" if resolved is None else f"{percent(resolved, 6)} %",
        "Variance": decimal(bet.variance, 6),
        "Standard deviation": root(bet.variance, 6),
        "Skewness": _skewness(bet, 6) or "none",
        "Largest payout": f"{bet.largest_payout} to 1",
        "Fair odds": "none" if fair is None else f"{decimal(fair, 6)} to 1",
    }
    return Terms(said)


def _fraction_and_percent(value: Fraction) -> str:
    return f"{value} = {percent(value, 6)} %" if value else "0"


def _skewness(bet: BetAnalysis, places: int) -> str | None:
    """The third central moment over the cube of the standard deviation; None: the bet never varies."""
    third = bet.third_central_moment
    if not bet.variance:
        return None
    return root(third**2 / bet.variance**3, places, negative=third < 0)


def decks_table(bets: Mapping[int, Sequence[BetAnalysis]]) -> Table:
    """The house edge of every bet, a column for each number of decks."""
    numbers = list(bets)
    rows = [
        [line[0].id, *(percent(bet.house_edge) for bet in line)] for line in zip(*bets.values(), strict=True)
    ]
    return Table(
        columns=("house edge %", *(f"{number} decks" for number in numbers)),
        align="l" + "r" * len(numbers),
        rows=rows,
        caption="House edge in per cent, by number of decks",
    )


def compare_document(analyses: Sequence[Analysis]) -> list[Block]:
    """Games side by side: the house edge of each bet, and how it differs from the first game's."""
    rows = []
    for bet_id, found in _edges(analyses).items():
        first = found[0]
        shown = [percent(edge) if edge is not None else "-" for edge in found]
        differences = [
            percent(edge - first) if edge is not None and first is not None else "-" for edge in found[1:]
        ]
        rows.append([bet_id, *shown, *differences])
    letters = [chr(ord("A") + number) for number in range(len(analyses))]
    columns = ("house edge %", *letters, *(f"{letter} - A" for letter in letters[1:]))
    return [
        Heading("Bets side by side", 1),
        Terms({letter: analysis.game.id for letter, analysis in zip(letters, analyses, strict=True)}),
        Paragraph(f"Shoe: {shoe_in_words(analyses[0].shoe)}."),
        Table(columns=columns, align="l" + "r" * (len(columns) - 1), rows=rows),
        Paragraph(ROUNDING),
    ]


def _edges(analyses: Sequence[Analysis]) -> dict[str, list[Fraction | None]]:
    """The house edge of every bet in each of the games; None: the game does not have it."""
    edges = [{bet.id: bet.house_edge for bet in analysis.bets} for analysis in analyses]
    return {bet_id: [edge.get(bet_id) for edge in edges] for bet_id in dict.fromkeys(chain(*edges))}


def compare_json(analyses: Sequence[Analysis]) -> dict[str, Any]:
    """The comparison under the schema ``combinat/compare/1``."""
    return {
        "schema": "combinat/compare/1",
        "games": [analysis.game.id for analysis in analyses],
        "shoe": shoe_json(analyses[0].shoe),
        "bets": [
            {"id": bet_id, "house_edge": [exact(edge) for edge in found]}
            for bet_id, found in _edges(analyses).items()
        ],
    }


def shoe_json(shoe: Shoe) -> dict[str, Any]:
    """The shoe as the contracts have it."""
    return {"size": shoe.size, "cards": {str(rank): shoe[rank] for rank in RANKS}}


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
        "standard_deviation": root(bet.variance, PLACES),
        "third_central_moment": str(bet.third_central_moment),
        "skewness": _skewness(bet, PLACES),
        "largest_payout": str(bet.largest_payout),
        "fair_odds": exact(bet.fair_odds),
    }
