"""Exact odds, as people and programs read them."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.bets import BETS, LINES, OUTCOMES, BetAnalysis
from combinat.analysis.odds import Analysis
from combinat.base.kinds import COUNT, FRACTION, NUMBER, TEXT, decimal, percentage, root, telling
from combinat.base.relation import Document, Field, Later, Many, Relation
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Row,
    Section,
    Table,
    Terms,
    Words,
    table,
)
from combinat.report.game_fields import GAME, SHOE
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import UNTIL_DECIDED, staying_terms
from combinat.report.relation_tables import program_table, view_table
from combinat.rules.shoe import Shoe

PERCENT = percentage(4)
"""A figure of a table."""

FINE = percentage(6)
"""A figure that is given in full."""

BLANK = Figure("", TEXT)


def shoe_in_words(shoe: Shoe) -> str:
    """Return the shoe in a phrase: its number of decks, or its counts."""
    if shoe.decks:
        return f"{decks_in_words(shoe.decks)}, {shoe.size} cards"
    return f"{shoe.size} cards ({shoe})"


def decks_in_words(decks: int) -> str:
    """Return a number of decks in words.

    >>> decks_in_words(1), decks_in_words(8)
    ('1 deck', '8 decks')
    """
    return f"{decks} deck{'s' if decks > 1 else ''}"


def odds_table(bets: Sequence[BetAnalysis]) -> Table:
    """One line a bet: what it pays, how often it wins, what the house keeps."""
    return view_table(
        BETS, bets, meaning=lambda bet: Meaning.FAVOURS_PLAYER if bet.house_edge < 0 else Meaning.PLAIN
    )


def odds_document(analysis: Analysis, *, detail: bool = False) -> Section:
    """Return the odds of every bet, in ``detail`` every outcome of each; then what else was asked for."""
    head = Terms(
        {
            "Shoe": shoe_in_words(analysis.shoe),
            "Card sequences": Figure(analysis.sample_space, COUNT),
            "Void rounds": _fraction_and_percent(analysis.void) if analysis.void else "none",
        }
    )
    tables = _details(analysis.bets) if detail else (odds_table(analysis.bets),)
    favourable = [bet.id for bet in analysis.bets if bet.house_edge < 0]
    marked = [Paragraph(f"Favours the player: {', '.join(favourable)}.")] if favourable else []
    more = [section for section, _ in _more(analysis)]
    return Section(
        analysis.game.name,
        (head, *staying_terms(analysis.game, UNTIL_DECIDED), *tables, *marked, *more, Paragraph(ROUNDING)),
    )


def _more(analysis: Analysis) -> Iterator[tuple[Section, Table]]:
    """The figures requested besides the bets, for people and for programs."""
    if analysis.joint is not None or analysis.combination is not None:
        from combinat.report.analysis import joint  # most tables of odds need neither

        if analysis.joint is not None:
            yield joint.correlation_section(analysis.bets, analysis.joint)
        if analysis.combination is not None:
            yield joint.combination_section(analysis.combination)
    if analysis.interpretations is not None:
        from combinat.report.analysis.readings import readings_section

        yield readings_section(analysis.interpretations, analysis.game)


def _details(bets: Sequence[BetAnalysis]) -> Iterator[Section]:
    for bet in bets:
        yield Section(f"{bet.name} ({bet.id})", (outcome_table(bet), figures(bet)))


def outcome_table(bet: BetAnalysis, view: str = "terminal", caption: str = "", anchor: str = "") -> Table:
    """Return every outcome of a bet: ways, probability, contribution to expected value or return, and their totals."""
    whole = BLANK if bet.total_probability != 1 else Figure(bet.total_probability, FRACTION)
    totals: dict[str, Cell] = {
        "name": "total",
        "odds": "",
        "ways": sum(line.ways for line in bet.outcomes),
        "fraction": whole,
        "probability": bet.total_probability,
        "contribution": bet.expected_value,
        "share_of_return": bet.return_to_player,
    }
    total = [totals.get(field.name, BLANK) for field in LINES.view(view)]
    return view_table(LINES, bet.outcomes, view, caption, anchor=anchor, total=total)


def figures(bet: BetAnalysis) -> Terms:
    """Return the figures of a bet in full, exact ones as fractions too."""
    value = bet.expected_value
    largest = (line.odds for line in bet.outcomes if line.net == bet.largest_payout)
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
            "Largest payout": next(largest, "none"),
            "Fair odds": _or_none(Figure(bet.fair_odds, decimal(6), after=" to 1")),
        },
        across=2,
    )


def _or_none(figure: Figure) -> Words:
    return "none" if figure.value is None else figure


def _fraction_and_percent(value: Fraction) -> Words:
    if not value:
        return Figure(value, FRACTION)
    return Figure(value, FRACTION), " = ", Figure(value, FINE, after=" %")


DECKS_ACROSS = 7
"""Numbers of decks side by side: those that the documents allow."""


def across(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the numbers of decks, as many at a time as stand side by side."""
    for start in range(0, len(numbers), DECKS_ACROSS):
        yield numbers[start : start + DECKS_ACROSS]


def decks_tables(
    bets: Mapping[int, Sequence[BetAnalysis]], names: Mapping[str, str] | None = None, caption: str = ""
) -> Iterator[Table]:
    """Yield the house edge of every bet, a column for each number of decks, some columns at a time.

    ``names``: by the ids of bets, if ids are not to be shown.
    """
    for numbers in across(list(bets)):
        heads = (Column("house edge %"), *(Column(decks_in_words(number), PERCENT) for number in numbers))
        rows = [
            Row(
                (
                    (names or {}).get(line[0].id, line[0].id),
                    *(Figure(bet.house_edge, telling(PERCENT, bet.house_edge)) for bet in line),
                ),
                Meaning.FAVOURS_PLAYER if any(bet.house_edge < 0 for bet in line) else Meaning.PLAIN,
            )
            for line in zip(*(bets[number] for number in numbers), strict=True)
        ]
        yield table(heads, rows, caption)


def decks_document(answers: Mapping[int, Analysis]) -> Section:
    """Return the house edge of every bet of a game, by number of decks."""
    game = next(iter(answers.values())).game
    tables = decks_tables({number: answer.bets for number, answer in answers.items()})
    return Section(game.name, (*staying_terms(game, UNTIL_DECIDED), *tables, Paragraph(ROUNDING)))


# ---------------------------------------------------------------- CSV and JSON

DECKS: Field[int] = Field("decks", "decks", NUMBER, "Decks of the fresh shoe.", lambda decks: decks)

EDGES_BY_DECKS: Relation[tuple[int, BetAnalysis]] = BETS.select("id", "house_edge").under(DECKS)


def odds_csv(analysis: Analysis, *, detail: bool = False) -> Sequence[Block]:
    """Return the figures requested besides the bets; else a row for each bet, or with ``detail`` for each outcome."""
    if more := [table for _, table in _more(analysis)]:
        return more
    if detail:
        return [program_table(OUTCOMES, [(bet, line) for bet in analysis for line in bet.outcomes])]
    return [program_table(BETS, analysis.bets)]


def decks_csv(answers: Mapping[int, Analysis]) -> Table:
    """Return a row for each bet and number of decks."""
    return program_table(
        EDGES_BY_DECKS, [(number, bet) for number, answer in answers.items() for bet in answer]
    )


def _correlations() -> Many:
    from combinat.analysis.joint import CORRELATIONS

    return Many(CORRELATIONS)


def _combinations() -> Relation[Any]:
    from combinat.analysis.joint import COMBINATIONS

    return COMBINATIONS


def _readings() -> Many:
    from combinat.analysis.readings import READINGS

    return Many(READINGS)


ODDS: Document[Analysis] = Document(
    "combinat/odds/1",
    "Exact odds of every bet: combinat odds.",
    *GAME.extended(UNTIL_DECIDED).part(lambda row: row.game),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("sample_space", "card sequences", COUNT, "Ordered card sequences."),
    Field("void", "void rounds", FRACTION, "Share of them that no round finishes."),
    Field("bets", "bets", Many(BETS), "Every bet."),
    Field("joint", "joint", Later(_correlations), "Every pair of bets in one round.", may_be_absent=True),
    Field(
        *("combination", "combination", Later(_combinations), "Stakes in one round together."),
        may_be_absent=True,
    ),
    Field(
        *("interpretations", "interpretations", Later(_readings), "The figures under every other reading."),
        may_be_absent=True,
    ),
)

ODDS_BY_DECKS: Document[Mapping[int, Analysis]] = Document(
    "combinat/odds-by-decks/1",
    "Exact odds of every bet for several shoes: combinat odds.",
    *GAME.extended(UNTIL_DECIDED).part(lambda row: next(iter(row.values())).game),
    Field(
        *("decks", "decks", Many(ODDS.under(DECKS)), "The odds for each number of decks."),
        lambda row: list(row.items()),
    ),
)
