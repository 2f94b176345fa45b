"""The documents of exact odds."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

from combinat.analysis.bets import BETS, LINES, OUTCOMES, BetAnalysis
from combinat.analysis.odds import Analysis
from combinat.base.kinds import (
    COUNT,
    FRACTION,
    MONEY,
    NUMBER,
    TEXT,
    decimal,
    percentage,
    root,
    with_enough_decimals,
)
from combinat.base.relation import Document, Field, Later, Many, Relation
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Meaning,
    Row,
    Section,
    Table,
    Terms,
    Words,
    section,
    table,
)
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import GAME, SHOE, UNTIL_DECIDED, staying_terms
from combinat.report.relation_tables import across, program_table, view_table
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:  # requested figures that most answers do not have
    from combinat.analysis.joint import Combination, Correlation

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
    """Return a table with a row for each bet: odds, hit frequency, house edge."""
    return view_table(
        BETS, bets, meaning=lambda bet: Meaning.FAVOURS_PLAYER if bet.house_edge < 0 else Meaning.PLAIN
    )


def odds_document(analysis: Analysis, *, detail: bool = False) -> Section:
    """Return the odds of every bet (with ``detail`` every outcome), then the other requested tables."""
    favourable = [bet.id for bet in analysis.bets if bet.house_edge < 0]
    details = (Section(f"{bet.name} ({bet.id})", (outcome_table(bet), figures(bet))) for bet in analysis.bets)
    return section(
        analysis.game.name,
        {
            "Shoe": shoe_in_words(analysis.shoe),
            "Card sequences": Figure(analysis.sample_space, COUNT),
            "Void rounds": _fraction_and_percent(analysis.void) if analysis.void else "none",
        },
        staying_terms(analysis.game, UNTIL_DECIDED),
        details if detail else odds_table(analysis.bets),
        f"Favours the player: {', '.join(favourable)}." if favourable else None,
        [shown for shown, _ in _more(analysis)],
        ROUNDING,
    )


def _more(analysis: Analysis) -> Iterator[tuple[Section, Table]]:
    """Yield the figures requested besides the bets, for people and for programs."""
    if analysis.joint is not None:
        from combinat.analysis.joint import CORRELATION_LIST  # most tables of odds have none

        tables = correlation_tables([bet.id for bet in analysis.bets], analysis.joint)
        yield Section("Correlations", tables), program_table(CORRELATION_LIST, analysis.joint)
    if analysis.combination is not None:
        from combinat.analysis.joint import COMBINED_OUTCOMES

        shown = Section("Stakes together", combination_blocks(analysis.combination))
        yield shown, program_table(COMBINED_OUTCOMES, analysis.combination.outcomes)
    if analysis.interpretations is not None:
        from combinat.report.analysis.readings import readings_section

        yield readings_section(analysis.interpretations, analysis.game)


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
    """Return all figures of a bet; exact figures also as fractions."""
    largest = (line.odds for line in bet.outcomes if line.net == bet.largest_payout)
    return Terms(
        {
            "Expected value": exact_and_decimal(bet.expected_value, 9),
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


def exact_and_decimal(value: Fraction, places: int) -> Words:
    """Return a value as a fraction and as a decimal."""
    return Figure(value, FRACTION), " = ", Figure(value, decimal(places))


def _or_none(figure: Figure) -> Words:
    return "none" if figure.value is None else figure


def _fraction_and_percent(value: Fraction) -> Words:
    if not value:
        return Figure(value, FRACTION)
    return Figure(value, FRACTION), " = ", Figure(value, FINE, after=" %")


def decks_tables(
    bets: Mapping[int, Sequence[BetAnalysis]], names: Mapping[str, str] | None = None, caption: str = ""
) -> Iterator[Table]:
    """Yield tables of the house edge of every bet, with a column for each number of decks and a few columns in each table.

    ``names``: by the ids of bets, if ids are not to be shown.
    """
    for numbers in across(list(bets)):
        heads = (Column("house edge %"), *(Column(decks_in_words(number), PERCENT) for number in numbers))
        rows = [
            Row(
                (
                    (names or {}).get(line[0].id, line[0].id),
                    *(Figure(bet.house_edge, with_enough_decimals(PERCENT, bet.house_edge)) for bet in line),
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
    return section(game.name, staying_terms(game, UNTIL_DECIDED), tables, ROUNDING)


# ---------------------------------------------------------------- bets together

BETS_ACROSS = 8
"""Number of bets side by side."""


def correlation_tables(bets: Sequence[str], correlations: Sequence["Correlation"]) -> tuple[Table, ...]:
    """Return tables of the correlations of every pair of bets, with a few columns in each."""
    known: dict[tuple[str, str], Cell] = {(bet, bet): Figure(1, COUNT) for bet in bets}
    for pair in correlations:
        known[pair.first, pair.second] = known[pair.second, pair.first] = pair.signed_square
    numbered = list(enumerate(bets, start=1))
    return tuple(
        table(
            (Column(""), *(Column(str(number), root(5)) for number, _ in columns)),
            [(f"{number} {bet}", *(known[bet, other] for _, other in columns)) for number, bet in numbered],
        )
        for columns in across(numbered, BETS_ACROSS)
    )


def combination_blocks(
    combination: "Combination", names: Mapping[str, str] | None = None, caption: str = ""
) -> tuple[Block, ...]:
    """Return the net result of several stakes in one round together; ``names``: of the bets. Default: their ids."""
    from combinat.analysis.joint import COMBINED_OUTCOMES

    stakes = {stake.bet: stake.amount for stake in combination.stakes}
    said: dict[str, Words] = {
        "Stakes": amounts({(names or {}).get(bet, bet): amount for bet, amount in stakes.items()}),
        "Staked": Figure(combination.staked, MONEY),
        "Mean": exact_and_decimal(combination.mean, 6),
        "Standard deviation": Figure(combination.variance, root(6)),
        "House edge on all staked": Figure(combination.house_edge, FINE, after=" %"),
    }
    return Terms(said), view_table(COMBINED_OUTCOMES, combination.outcomes, caption=caption)


def amounts(stakes: Mapping[str, Fraction]) -> tuple[Figure, ...]:
    """Return stakes in a phrase: ``tie 5, banker 100``."""
    return tuple(
        Figure(amount, MONEY, before=f"{', ' if number else ''}{bet} ")
        for number, (bet, amount) in enumerate(stakes.items())
    )


# ---------------------------------------------------------------- games side by side

LETTERS = "ABCD"
"""The columns of the games."""

ComparedBet = tuple[str, tuple[Fraction | None, ...]]
"""The id of a bet, and its house edge in each game; None: the game does not have the bet."""


def compared_bets(analyses: Sequence[Analysis]) -> list[ComparedBet]:
    """Return every bet of these games, with its house edge in each."""
    edges = [{bet.id: bet.house_edge for bet in analysis.bets} for analysis in analyses]
    return [(bet, tuple(of_game.get(bet) for of_game in edges)) for bet in dict.fromkeys(chain(*edges))]


COMPARED: Relation[ComparedBet] = Relation(
    "compared bets",
    Field("id", "house edge %", TEXT, "The bet's id.", lambda row: row[0], views="terminal"),
    Field(
        *("house_edge", "house edge %", Many(FRACTION, or_none=True)),
        "Expected loss per unit staked in each game; null where it is not offered.",
        lambda row: row[1],
    ),
)

COMPARISON: Document[Sequence[Analysis]] = Document(
    "combinat/compare/1",
    "House edges side by side: combinat odds with several games.",
    Field("games", "games", Many(TEXT), "The games' ids.", lambda row: [one.game.id for one in row]),
    Field("shoe", "shoe", SHOE, "The shoe of all of them.", lambda row: row[0].shoe),
    Field("bets", "bets", Many(COMPARED), "The bets of all of them.", compared_bets),
)


def comparison_document(analyses: Sequence[Analysis]) -> Section:
    """Return the house edge of each bet in every game, and its difference from the first game."""
    return section(
        "Bets side by side",
        {letter: analysis.game.id for letter, analysis in zip(LETTERS, analyses, strict=False)},
        f"Shoe: {shoe_in_words(analyses[0].shoe)}.",
        view_table(_side_by_side(analyses), compared_bets(analyses)),
        ROUNDING,
    )


def comparison_csv(analyses: Sequence[Analysis]) -> Table:
    """Return the house edges, with a row for each bet and a column for each game, named by its id."""
    return program_table(_side_by_side(analyses), compared_bets(analyses))


def _side_by_side(analyses: Sequence[Analysis]) -> Relation[ComparedBet]:
    """Return the relation with a column for each game and, for people, the differences from the first game."""

    def edge(place: int) -> Field[ComparedBet]:
        about = "Expected loss per unit staked in this game."
        return Field(
            analyses[place].game.id,
            LETTERS[place],
            PERCENT,
            about,
            lambda row: row[1][place],
            views="terminal",
        )

    def difference(place: int) -> Field[ComparedBet]:
        head, kind = f"{LETTERS[place]} - A", percentage(4, signed=True)
        return Field(
            head,
            head,
            kind,
            "",
            lambda row: _difference(row[1][0], row[1][place]),
            views="terminal",
            for_people=True,
        )

    places = range(len(analyses))
    return COMPARED.select("id").extended(*map(edge, places), *map(difference, places[1:]))


def _difference(first: Fraction | None, edge: Fraction | None) -> Cell:
    """The difference of a house edge from that of the first game; a plain 0 is exact, not rounded."""
    if first is None or edge is None:
        return None
    return Figure(0, COUNT) if edge == first else edge - first


# ---------------------------------------------------------------- CSV and JSON

DECKS: Field[int] = Field("decks", "decks", NUMBER, "Decks of the fresh shoe.", lambda decks: decks)

EDGES_BY_DECKS: Relation[tuple[int, BetAnalysis]] = BETS.select("id", "house_edge").under(DECKS)


def odds_csv(analysis: Analysis, *, detail: bool = False) -> Sequence[Block]:
    """Return the figures requested besides the bets. Default: a row for each bet, or with ``detail`` for each outcome."""
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


def _relation(module: str, relation: str) -> Relation[Any]:
    """Return a relation of ``combinat.analysis``; its module is imported now, as most answers do without it."""
    found: Relation[Any] = getattr(import_module(f"combinat.analysis.{module}"), relation)
    return found


ODDS: Document[Analysis] = Document(
    "combinat/odds/1",
    "Exact odds of every bet: combinat odds.",
    *GAME.extended(UNTIL_DECIDED).part(lambda row: row.game),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("sample_space", "card sequences", COUNT, "Ordered card sequences."),
    Field("void", "void rounds", FRACTION, "Share of them that no round finishes."),
    Field("bets", "bets", Many(BETS), "Every bet."),
    Field(
        "joint",
        "joint",
        Later(lambda: Many(_relation("joint", "CORRELATIONS"))),
        "Every pair of bets in one round.",
        may_be_absent=True,
    ),
    Field(
        *(
            "combination",
            "combination",
            Later(lambda: _relation("joint", "COMBINATIONS")),
            "Stakes in one round together.",
        ),
        may_be_absent=True,
    ),
    Field(
        *(
            "interpretations",
            "interpretations",
            Later(lambda: Many(_relation("readings", "READINGS"))),
            "The figures under every other reading.",
        ),
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
