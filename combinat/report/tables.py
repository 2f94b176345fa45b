"""The tables of a game's report, one CSV file each: exact columns, and decimals beside them.

Every table is drawn from the dossier alone. An exact figure is in lowest terms; its decimal has ``PLACES``
digits, rounded once, half to even. An empty cell is a figure that does not exist, such as the fair odds of a
bet that never wins. Figures of one shoe only have the number of its decks in the first column. If the report
follows other readings than those of the rule book, the last column names them.
"""

from collections.abc import Callable, Iterable
from operator import attrgetter, itemgetter
from typing import Any

from combinat.analysis.bets import BETS, OUTCOMES
from combinat.analysis.formula import FORMULAS
from combinat.analysis.insurance import STATE, STATES
from combinat.analysis.insurance_habits import INSURED_BETS
from combinat.analysis.joint import COMBINATIONS, COMBINED_OUTCOMES, CORRELATION_LIST, Combination
from combinat.analysis.readings import READING_EFFECTS
from combinat.analysis.removal import REMOVALS
from combinat.base.kinds import CARDS, CLAUSE, COUNT, FLAG, FRACTION, ODDS, TEXT, Kind
from combinat.base.relation import Field, Relation
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Table, with_columns
from combinat.render.text import Format, rendered
from combinat.report.analysis.insurance import EXTREMES, NOT_OFFERED, STATES_BY_THIRD_CARD, extremes
from combinat.report.filing.wagers import OPERATIONS, bets_by_rounds
from combinat.report.protection.count import COUNT_ROWS, count_rows
from combinat.report.protection.protect import WAGERS_AT_CUT, wager_rows
from combinat.report.relation_tables import program_table

FIRST, SECOND = itemgetter(0), itemgetter(1)
"""The parts of a row that is a tuple of records."""


def tables(dossier: Dossier) -> dict[str, Table]:
    """Return every table of the report that has rows, by the stem of its file."""
    drawn = {stem: program_table(relation, rows(dossier)) for stem, (relation, rows) in _tables().items()}
    if dossier.followed:
        followed = {"readings": " ".join(dossier.followed)}
        drawn = {stem: with_columns(made, followed) for stem, made in drawn.items()}
    return {stem: made for stem, made in drawn.items() if made.rows}


def tables_files(dossier: Dossier) -> dict[str, bytes]:
    """Return every table as a file of the report, by its path in the report's folder."""
    return {
        f"tables/{stem}.csv": f"{rendered([made], Format.CSV)}\n".encode()
        for stem, made in tables(dossier).items()
    }


# ---------------------------------------------------------------- columns


def _fields(kind: Kind, *names: str, of: Callable[[Any], Any] = SECOND, prefix: str = "") -> list[Field[Any]]:
    """Return a field for each of these attributes of a part of the row, empty if the row has no such part."""

    def field(name: str) -> Field[Any]:
        words = f"{prefix}{name}".replace("_", " ")
        return Field(
            f"{prefix}{name}", words, kind, f"{words.capitalize()}.", lambda row: getattr(of(row), name, None)
        )

    return [field(name) for name in names]


def _decks(of: str = "reference_decks") -> Field[Any]:
    return Field("decks", "decks", COUNT, "Decks of the fresh shoe.", attrgetter(of))


def _plain_field(name: str, about: str, of: Callable[[Any], Any], kind: Kind = TEXT) -> Field[Any]:
    return Field(name, name, kind, about, of)


REFERENCE = _decks()
SHOE, SAMPLE_SPACE = (
    _decks("decks"),
    _plain_field("sample_space", "Card sequences.", attrgetter("sample_space"), COUNT),
)
EXAMPLE = _plain_field("example", "The number of the example.", lambda row: row[0].number, COUNT)
BET = _plain_field("bet", "The bet or the insurance.", SECOND)

EXAMPLES: Relation[Any] = Relation(
    "examples",
    EXAMPLE,
    *_fields(CARDS, "player", "banker", of=FIRST),
    *_fields(COUNT, "player_points", "banker_points", of=FIRST),
    *_fields(TEXT, "bet", "name", "result"),
    *_fields(ODDS, "odds"),
    *_fields(FRACTION, "net"),
    *_fields(CLAUSE, "clause"),
)
INSURANCE_EXAMPLES: Relation[Any] = Relation(
    "insurance examples",
    EXAMPLE,
    *STATE.part(lambda row: row[1].state, "side", "stage", "player_points", "banker_points"),
    *_fields(TEXT, "result"),
    _plain_field("tie", "Whether the hands tied.", lambda row: row[1].is_tie, FLAG),
    *_fields(ODDS, "odds"),
    *_fields(FRACTION, "net"),
    *_fields(CLAUSE, "clause"),
)
FAVOURABLE_OFFERS: Relation[Any] = Relation(
    "insurance offers",
    _plain_field("insurance", "The insurance.", attrgetter("id")),
    *_fields(FRACTION, "chance", "gain", of=attrgetter("offers.by_totals"), prefix="by_totals_"),
    *_fields(FRACTION, "chance", "gain", of=attrgetter("offers.by_cards"), prefix="by_cards_"),
    *_fields(FRACTION, "chance", "gain", of=attrgetter("offers.last_round"), prefix="last_round_"),
)
IDENTITIES: Relation[Any] = Relation(
    "identities",
    SHOE,
    *_fields(TEXT, "law", of=lambda one: one),
    *_fields(COUNT, "equalities", of=lambda one: one),
    *_fields(FRACTION, "left", "right", of=lambda one: one),
)
STAKES: Field[Combination] = Field(
    *("stakes", "stakes", TEXT, "The amount staked on each bet."),
    lambda combined: " ".join(f"{stake.bet}={stake.amount}" for stake in combined.stakes),
)
COMBINED: Relation[Any] = COMBINED_OUTCOMES.under(
    STAKES, *COMBINATIONS.select("staked", "mean", "variance", "standard_deviation", "house_edge").fields
)
CLOSED_FORMS: Relation[Any] = FORMULAS.select("name", "numerator", "denominator", "limit").under(
    _plain_field("of", "The bet or the insurance state.", lambda forms: str(forms.subject)), name="figure"
)


# ---------------------------------------------------------------- rows

Drawn = tuple[Relation[Any], Callable[[Dossier], Iterable[Any]]]


def _by_shoe(
    relation: Relation[Any], rows: Callable[[Any], Iterable[Any]], *more: Field[Any], **renamed: str
) -> Drawn:
    """Rows of every shoe."""
    return relation.under(SHOE, *more, **renamed), lambda dossier: [
        (shoe, row) for shoe in dossier.shoes for row in rows(shoe)
    ]


def _of_reference(relation: Relation[Any], rows: Callable[[Dossier], Iterable[Any]], **renamed: str) -> Drawn:
    """Rows of the reference shoe."""
    return relation.under(REFERENCE, **renamed), lambda dossier: [(dossier, row) for row in rows(dossier)]


def _tables() -> dict[str, Drawn]:
    """Return every table by the stem of its file: its columns, and its rows."""
    return {
        "bets": _by_shoe(BETS, attrgetter("bets"), id="bet"),
        "outcomes": _by_shoe(
            OUTCOMES, lambda shoe: [(bet, line) for bet in shoe.bets for line in bet.outcomes], SAMPLE_SPACE
        ),
        "joint": _by_shoe(CORRELATION_LIST, attrgetter("joint")),
        "insurance": _by_shoe(STATES, attrgetter("insurance")),
        "insurance-by-third-card": _of_reference(STATES_BY_THIRD_CARD, attrgetter("third_cards")),
        "insurance-not-offered": _of_reference(NOT_OFFERED, attrgetter("not_offered")),
        "insurance-ranges": _of_reference(EXTREMES, lambda dossier: extremes(dossier.ranges)),
        "insurance-habits": _of_reference(INSURED_BETS, attrgetter("insured")),
        "interpretations": _of_reference(
            READING_EFFECTS,
            lambda dossier: [(one, each) for one in dossier.readings for each in one.differences],
        ),
        "examples": (
            EXAMPLES,
            lambda dossier: [(one, line) for one in dossier.examples for line in one.lines],
        ),
        "examples-insurance": (
            INSURANCE_EXAMPLES,
            lambda dossier: [(one, line) for one in dossier.examples for line in one.insurance],
        ),
        "combination": _of_reference(
            COMBINED, lambda dossier: [(dossier.combination, one) for one in dossier.combination.outcomes]
        ),
        "protection": _of_reference(WAGERS_AT_CUT, lambda dossier: wager_rows(dossier.protection), id="bet"),
        "insurance-offers": _of_reference(
            FAVOURABLE_OFFERS, lambda dossier: [one for one in dossier.protection if one.offers is not None]
        ),
        "counts": _of_reference(
            COUNT_ROWS,
            lambda dossier: count_rows({one.id: one.count for one in dossier.protection}),
            id="bet",
        ),
        "removal": _of_reference(
            REMOVALS, lambda dossier: [(one, change) for one in dossier.removal for change in one.changes]
        ),
        "formulas": (
            CLOSED_FORMS,
            lambda dossier: [(one, formula) for one in dossier.formulas for formula in one.formulas],
        ),
        "operations": _of_reference(OPERATIONS, bets_by_rounds),
        "identities": (IDENTITIES, attrgetter("identities")),
    }
