"""Exact odds as people read them, and as programs do."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.analysis.bets import BetAnalysis
from combinat.render.document import Block, Heading, Paragraph, Table, Terms
from combinat.render.number import PLACES, decimal, exact, one_in, percent, root
from combinat.rules.cards import RANKS
from combinat.rules.odds import PUSH, Odds
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
    if not odds:
        return PUSH
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


Tried = Mapping[str, Sequence[Odds]]
"""Odds that are tried in the place of the document's, by bet."""


def tried_in_words(tried: Tried) -> str:
    """The odds tried, in a phrase."""
    return "; ".join(f"{bet} at {', '.join(odds)}" for bet, odds in tried.items())


def tried_blocks(tried: Tried) -> list[Block]:
    """A line that says which odds are not the document's."""
    return [Terms({"Not the document's odds": tried_in_words(tried)})] if tried else []


def tried_json(tried: Tried) -> dict[str, Any]:
    """The odds tried, for the key ``pays``; nothing where none were."""
    return {"pays": {bet: list(odds) for bet, odds in tried.items()}} if tried else {}


def odds_document(
    analysis: Analysis, bets: Sequence[BetAnalysis], tried: Tried | None = None, *, detail: bool
) -> list[Block]:
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
        *tried_blocks(tried or {}),
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
        "Largest payout": "none" if bet.largest_payout is None else f"{bet.largest_payout} to 1",
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


DECKS_ACROSS = 7
"""How many numbers of decks stand side by side: those that the documents allow."""


def decks_tables(bets: Mapping[int, Sequence[BetAnalysis]]) -> list[Block]:
    """The house edge of every bet, a column for each number of decks, some columns at a time."""
    numbers, blocks = list(bets), list[Block]()
    for start in range(0, len(numbers), DECKS_ACROSS):
        across = numbers[start : start + DECKS_ACROSS]
        rows = [
            [line[0].id, *(percent(bet.house_edge) for bet in line)]
            for line in zip(*(bets[number] for number in across), strict=True)
        ]
        columns = ("house edge %", *(f"{number} deck{'s' if number > 1 else ''}" for number in across))
        blocks.append(Table(columns=columns, align="l" + "r" * len(across), rows=rows))
    return blocks


def odds_csv(bets: Sequence[BetAnalysis], *, detail: bool) -> Table:
    """One line a bet, or in ``detail`` one an outcome: exact columns, and decimals beside them."""
    if detail:
        columns = (
            "bet",
            "outcome",
            "odds",
            "net",
            "ways",
            "probability",
            "probability_decimal",
            "contribution",
        )
        rows = [
            [
                bet.id,
                line.name,
                line.odds,
                str(line.net),
                str(line.ways),
                str(line.probability),
                decimal(line.probability, PLACES),
                str(line.contribution),
            ]
            for bet in bets
            for line in bet.outcomes
        ]
        return Table(columns=columns, align="l" * len(columns), rows=rows)
    columns_ = (
        *("bet", "pays", "hit_frequency", "push", "void", "expected_value", "expected_value_decimal"),
        *("house_edge_decimal", "variance", "standard_deviation", "skewness", "fair_odds"),
    )
    rows = [
        [
            bet.id,
            pays_in_words(bet),
            str(bet.hit_frequency),
            str(bet.push),
            str(bet.void),
            str(bet.expected_value),
            decimal(bet.expected_value, PLACES),
            decimal(bet.house_edge, PLACES),
            str(bet.variance),
            root(bet.variance, PLACES),
            _skewness(bet, PLACES) or "",
            exact(bet.fair_odds) or "",
        ]
        for bet in bets
    ]
    return Table(columns=columns_, align="l" * len(columns_), rows=rows)


def decks_csv(bets: Mapping[int, Sequence[BetAnalysis]]) -> Table:
    """One line for each bet and number of decks."""
    rows = [
        [bet.id, str(number), str(bet.house_edge), decimal(bet.house_edge, PLACES)]
        for number, found in bets.items()
        for bet in found
    ]
    return Table(columns=("bet", "decks", "house_edge", "house_edge_decimal"), align="llll", rows=rows)


def compare_csv(analyses: Sequence[Analysis]) -> Table:
    """One line a bet, a column a game, named by its id."""
    rows = [[bet_id, *(exact(edge) or "" for edge in found)] for bet_id, found in _edges(analyses).items()]
    columns = ("house_edge", *(analysis.game.id for analysis in analyses))
    return Table(columns=columns, align="l" * len(columns), rows=rows)


def _difference(value: Fraction) -> str:
    """A difference in per cent with its sign; a plain 0 is exact."""
    return "0" if not value else f"+{percent(value)}" if value > 0 else percent(value)


def compare_document(analyses: Sequence[Analysis]) -> list[Block]:
    """Games side by side: the house edge of each bet, and how it differs from the first game's."""
    rows = []
    for bet_id, found in _edges(analyses).items():
        first = found[0]
        shown = [percent(edge) if edge is not None else "-" for edge in found]
        differences = [
            _difference(edge - first) if edge is not None and first is not None else "-" for edge in found[1:]
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
        "largest_payout": exact(bet.largest_payout),
        "fair_odds": exact(bet.fair_odds),
    }
