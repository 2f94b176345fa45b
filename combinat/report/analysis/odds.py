"""Exact odds as people read them."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.analysis.bets import BETS, LINES, BetAnalysis
from combinat.analysis.until_decided import staying_bets
from combinat.base.kinds import COUNT, FRACTION, TEXT, decimal, percentage, root
from combinat.render.blocks import (
    Column,
    Figure,
    Paragraph,
    Section,
    Table,
    Terms,
    Words,
    table,
)
from combinat.report.phrases import ROUNDING
from combinat.report.relation_tables import view_table
from combinat.report.view import View, blocks_of
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

PERCENT = percentage(4)
"""A figure of a table."""

FINE = percentage(6)
"""A figure that is given in full."""

BLANK = Figure("", TEXT)


def shoe_in_words(shoe: Shoe) -> str:
    """The shoe in a phrase: so many decks, or its counts."""
    if shoe.decks:
        return f"{decks_in_words(shoe.decks)}, {shoe.size} cards"
    return f"{shoe.size} cards ({shoe})"


def decks_in_words(decks: int) -> str:
    """So many decks.

    >>> decks_in_words(1), decks_in_words(8)
    ('1 deck', '8 decks')
    """
    return f"{decks} deck{'s' if decks > 1 else ''}"


def odds_table(bets: Sequence[BetAnalysis]) -> Table:
    """One line a bet: what it pays, how often it wins, what the house keeps."""
    return view_table(BETS, bets)


def staying_terms(game: Game) -> tuple[Terms, ...]:
    """A line that says which bets are valued until they are decided; nothing where none may stay."""
    staying = ", ".join(bet.id for bet in staying_bets(game))
    if not staying:
        return ()
    from combinat.report.provisos import leaving  # only another reading needs it

    valued = f"{staying}; a stake that {leaving(game)} leaves {UNTIL_DECIDED}"
    return (Terms({"Valued until decided": valued}),)


UNTIL_DECIDED = (
    "on the layout plays again, each round from such a shoe, so that ways and "
    "probabilities are of the rounds that decide it. Correlations and stakes combined are of one round."
)


def odds_document(
    analysis: Analysis,
    bets: Sequence[BetAnalysis],
    views: Sequence[View] = (),
    *,
    detail: bool,
) -> Section:
    """The odds of these bets, in ``detail`` every outcome of each; then the views asked for."""
    head = Terms(
        {
            "Shoe": shoe_in_words(analysis.shoe),
            "Card sequences": Figure(analysis.sample_space, COUNT),
            "Void rounds": _fraction_and_percent(analysis.void) if analysis.void else "none",
        }
    )
    said = _details(bets) if detail else (odds_table(bets),)
    blocks = (
        head,
        *staying_terms(analysis.game),
        *said,
        *blocks_of(views),
        Paragraph(ROUNDING),
    )
    return Section(analysis.game.name, blocks)


def _details(bets: Sequence[BetAnalysis]) -> Iterator[Section]:
    for bet in bets:
        yield Section(f"{bet.name} ({bet.id})", (outcome_table(bet), figures(bet)))


def outcome_table(bet: BetAnalysis) -> Table:
    """Every outcome of a bet: ways, probability, contribution to the expected value, and their totals."""
    ways = sum(line.ways for line in bet.outcomes)
    total = ("total", "", ways, bet.total_probability, BLANK, bet.expected_value)
    return view_table(LINES, bet.outcomes, total=total)


def figures(bet: BetAnalysis) -> Terms:
    """The figures of a bet in full, exact ones as fractions too."""
    value = bet.expected_value
    return Terms(
        {
            "Expected value": (Figure(value, FRACTION), " = ", Figure(value, decimal(9))),
            "House edge": Figure(bet.house_edge, FINE, after=" %"),
            "Return to player": Figure(bet.return_to_player, FINE, after=" %"),
            "Hit frequency": _fraction_and_percent(bet.hit_frequency),
            "Push": _fraction_and_percent(bet.push),
            "Void": _fraction_and_percent(bet.void),
            "Edge per resolved bet": _or_none(Figure(bet.edge_per_resolved_bet, FINE, after=" %")),
            "Variance": Figure(bet.variance, decimal(6)),
            "Standard deviation": Figure(bet.variance, root(6)),
            "Skewness": _or_none(Figure(bet.skewness_signed_square, root(6))),
            "Largest payout": _or_none(Figure(bet.largest_payout, FRACTION, after=" to 1")),
            "Fair odds": _or_none(Figure(bet.fair_odds, decimal(6), after=" to 1")),
        }
    )


def _or_none(figure: Figure) -> Words:
    return "none" if figure.value is None else figure


def _fraction_and_percent(value: Fraction) -> Words:
    if not value:
        return Figure(value, FRACTION)
    return Figure(value, FRACTION), " = ", Figure(value, FINE, after=" %")


DECKS_ACROSS = 7
"""How many numbers of decks stand side by side: those that the documents allow."""


def across(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """The numbers of decks, as many at a time as stand side by side."""
    for start in range(0, len(numbers), DECKS_ACROSS):
        yield numbers[start : start + DECKS_ACROSS]


def decks_tables(bets: Mapping[int, Sequence[BetAnalysis]]) -> tuple[Table, ...]:
    """The house edge of every bet, a column for each number of decks, some columns at a time."""
    return tuple(
        table(
            (Column("house edge %"), *(Column(decks_in_words(number), PERCENT) for number in numbers)),
            [
                (line[0].id, *(bet.house_edge for bet in line))
                for line in zip(*(bets[number] for number in numbers), strict=True)
            ],
        )
        for numbers in across(list(bets))
    )


def decks_document(game: Game, bets: Mapping[int, Sequence[BetAnalysis]]) -> Section:
    """The house edge of every bet of a game, by number of decks."""
    return Section(game.name, (*staying_terms(game), *decks_tables(bets), Paragraph(ROUNDING)))
