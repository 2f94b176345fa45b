"""The tables of a game's report, one CSV file each: exact columns, and decimals beside them.

Every table is drawn from the dossier alone. An exact figure is in lowest terms; its decimal has ``PLACES``
digits, rounded once, half to even. An empty cell is a figure that does not exist, such as the fair odds of a
bet that never wins. What is given for one shoe only has the number of its decks in the first column. Where the
report follows other readings than those of the rule book, they are named in the last.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from combinat.analysis.bets import BETS, OUTCOMES
from combinat.analysis.formula import FORMULAS
from combinat.analysis.insurance import STATES
from combinat.analysis.insurance_habits import INSURED_BETS
from combinat.analysis.joint import COMBINATIONS, COMBINED_OUTCOMES, Combination
from combinat.analysis.readings import READING_EFFECTS
from combinat.analysis.removal import REMOVALS
from combinat.base.kinds import CARDS, CLAUSE, COUNT, FRACTION, NUMBER, ODDS, TEXT, Kind, decimal, root
from combinat.base.number import PLACES
from combinat.base.relation import Field, Relation
from combinat.certify.dossier import Dossier
from combinat.protection.insurance import InsuranceProtection
from combinat.protection.summary import BetProtection, TwoCards
from combinat.render.blocks import Cell, Column, Table, table, with_columns
from combinat.render.text import Format, rendered
from combinat.report.analysis.insurance import STATES_BY_THIRD_CARD
from combinat.report.analysis.insurance_records import EXTREMES, NOT_OFFERED, extremes
from combinat.report.analysis.joint import CORRELATION_LIST
from combinat.report.relation_tables import program_table
from combinat.rules.insurance import State

Named = tuple[Column, Cell]
"""A cell with its column: every row of a table names the same columns."""

Rows = Iterator[list[Named]]


def tables(dossier: Dossier) -> dict[str, Table]:
    """Every table of the report by the stem of its file; one that would have no rows is left out."""
    drawn = {stem: _drawn(made(dossier)) for stem, made in _TABLES.items()}
    if dossier.followed:
        followed = {"readings": " ".join(dossier.followed)}
        drawn = {stem: with_columns(made, followed) for stem, made in drawn.items()}
    return {stem: made for stem, made in drawn.items() if made.rows}


def _drawn(made: Table | Rows) -> Table:
    return made if isinstance(made, Table) else _table(made)


def tables_files(dossier: Dossier) -> dict[str, bytes]:
    """Every table as a file of the report, by its path in the report's folder."""
    return {
        f"tables/{stem}.csv": f"{rendered([made], Format.CSV)}\n".encode()
        for stem, made in tables(dossier).items()
    }


def _table(rows: Iterable[list[Named]]) -> Table:
    """The rows as a table."""
    columns: list[Column] = []
    cells: list[list[Cell]] = []
    for row in rows:
        columns = columns or [column for column, _ in row]
        cells.append([cell for _, cell in row])
    return table(columns, cells)


@cache
def _column(head: str, kind: Kind = TEXT) -> Column:
    return Column(head, kind)


def _cells(kind: Kind, **values: Cell) -> list[Named]:
    """Cells of one kind, each in the column of its name."""
    return [(_column(head, kind), value) for head, value in values.items()]


def _exact(record: Any, *names: str, of: str = "") -> list[Named]:
    """These figures of a record, each with its decimal in the next column; ``of``: what the heads begin with.

    None: there is no such record.
    """
    cells: list[Named] = []
    for name in names:
        value = None if record is None else getattr(record, name)
        cells.append((_column(f"{of}{name}", FRACTION), value))
        cells.append((_column(f"{of}{name}_decimal", decimal(PLACES)), value))
    return cells


def _state(state: State) -> list[Named]:
    return [
        *_cells(TEXT, side=str(state.side), stage=str(state.stage)),
        *_cells(COUNT, player_points=state.player_points, banker_points=state.banker_points),
    ]


DECKS: Field[Any] = Field("decks", "decks", NUMBER, "Decks of the fresh shoe.", lambda shoe: shoe.decks)
REFERENCE: Field[Dossier] = Field(
    "decks", "decks", NUMBER, "Decks of the fresh shoe.", lambda dossier: dossier.reference_decks
)
SAMPLE_SPACE: Field[Any] = Field("sample_space", "card sequences", COUNT, "Card sequences of the shoe.")


def _bets(dossier: Dossier) -> Table:
    rows = [(shoe, bet) for shoe in dossier.shoes for bet in shoe.bets]
    return program_table(BETS.under(DECKS, id="bet"), rows)


def _outcomes(dossier: Dossier) -> Table:
    rows = [(shoe, (bet, line)) for shoe in dossier.shoes for bet in shoe.bets for line in bet.outcomes]
    return program_table(OUTCOMES.under(DECKS, SAMPLE_SPACE), rows)


def _joint(dossier: Dossier) -> Table:
    rows = [(shoe, pair) for shoe in dossier.shoes for pair in shoe.joint]
    return program_table(CORRELATION_LIST.under(DECKS), rows)


def _insurance(dossier: Dossier) -> Table:
    rows = [(shoe, state) for shoe in dossier.shoes for state in shoe.insurance]
    return program_table(STATES.under(DECKS), rows)


def _third_cards(dossier: Dossier) -> Table:
    return _of_reference(dossier, STATES_BY_THIRD_CARD, dossier.third_cards)


def _of_reference(dossier: Dossier, relation: Relation[Any], records: Iterable[Any]) -> Table:
    """The rows of the shoe that stands for all."""
    return program_table(relation.under(REFERENCE), [(dossier, record) for record in records])


def _not_offered(dossier: Dossier) -> Table:
    """The states at which a card is to come and nothing is offered, as if ties were returned."""
    return _of_reference(dossier, NOT_OFFERED, dossier.not_offered)


def _ranges(dossier: Dossier) -> Table:
    """The worst and the best exact cards of every state."""
    return _of_reference(dossier, EXTREMES, extremes(dossier.ranges))


def _habits(dossier: Dossier) -> Table:
    return _of_reference(dossier, INSURED_BETS, dossier.insured)


def _interpretations(dossier: Dossier) -> Table:
    return _of_reference(
        dossier,
        READING_EFFECTS,
        [(reading, one) for reading in dossier.readings for one in reading.differences],
    )


def _examples(dossier: Dossier) -> Rows:
    """The worked examples, numbered: a unit staked on every bet."""
    for example in dossier.examples:
        for line in example.lines:
            yield [
                *_cells(COUNT, example=example.number),
                *_cells(CARDS, player=example.player, banker=example.banker),
                *_cells(COUNT, player_points=example.player_points, banker_points=example.banker_points),
                *_cells(TEXT, bet=line.bet, name=line.name, result=line.result),
                *_cells(ODDS, odds=line.odds),
                *_exact(line, "net"),
                *_cells(CLAUSE, clause=line.clause),
            ]


def _insurance_examples(dossier: Dossier) -> Rows:
    """The insurance bets that were open in the worked examples: a unit staked on each."""
    for example in dossier.examples:
        for line in example.insurance:
            yield [
                *_cells(COUNT, example=example.number),
                *_state(line.state),
                *_cells(TEXT, result=line.result, tie=str(line.is_tie).lower()),
                *_cells(ODDS, odds=line.odds),
                *_exact(line, "net"),
                *_cells(CLAUSE, clause=line.clause),
            ]


def _combination(dossier: Dossier) -> Table:
    """What the stakes come to together, a row each; what holds for all of them is in every row."""
    stakes: Field[Combination] = Field(
        *("stakes", "stakes", TEXT, "The amount staked on each bet."),
        lambda combined: " ".join(f"{stake.bet}={stake.amount}" for stake in combined.stakes),
    )
    figures = COMBINATIONS.select("staked", "mean", "variance", "standard_deviation", "house_edge").fields
    rows = [(dossier.combination, outcome) for outcome in dossier.combination.outcomes]
    return _of_reference(dossier, COMBINED_OUTCOMES.under(stakes, *figures), rows)


def _protection(dossier: Dossier) -> Rows:
    """By whom each bet can be beaten; depths in cards left, and behind the cut card."""
    for one in dossier.protection:
        perfect = one.perfect
        yield [
            *_cells(COUNT, decks=dossier.reference_decks),
            *_cells(TEXT, bet=one.bet, beaten=str(one.beaten)),
            *_cells(COUNT, beaten_from=one.beaten_from),
            *_exact(one, "expected_value"),
            *_cells(COUNT, safe_left=one.safe_left, cut_card=one.cut_card),
            *_exact(one, "first_order"),
            *_cells(COUNT, perfect_left=perfect.left if perfect else None),
            *_exact(perfect, "favourable", "gain", "edge", of="perfect_"),
            *_two_cards(one.worst, "worst_"),
            *_two_cards(one.best, "best_"),
        ]


def _insurance_protection(dossier: Dossier) -> Rows:
    """By whom insurance can be beaten, and what taking it where it favours the player gains a round."""
    for one in dossier.insurance_protection:
        yield [
            *_cells(COUNT, decks=dossier.reference_decks),
            *_cells(TEXT, insurance=one.name, beaten=str(one.beaten)),
            *_cells(COUNT, beaten_from=one.beaten_from, safe_left=one.safe_left, cut_card=one.cut_card),
            *_exact(one.by_totals, "chance", "gain", of="by_totals_"),
            *_exact(one.by_cards, "chance", "gain", of="by_cards_"),
            *_cells(COUNT, perfect_left=one.perfect.left),
            *_exact(one.perfect, "favourable", "gain", "edge", of="perfect_"),
        ]


def _protected(dossier: Dossier) -> list[tuple[str, BetProtection | InsuranceProtection]]:
    """The bets and the insurance that have ceilings, by name."""
    bets = [(one.bet, one) for one in dossier.protection]
    return [*bets, *((one.name, one) for one in dossier.insurance_protection)]


def _two_cards(two: TwoCards | None, of: str) -> list[Named]:
    return [*_cells(CARDS, **{f"{of}removed": two.removed if two else None}), *_exact(two, "change", of=of)]


def _counts(dossier: Dossier) -> Rows:
    """The best simple count of each bet and of insurance, a row a depth; tags from A to K."""
    for name, one in _protected(dossier):
        for depth in one.count.depths:
            yield [
                *_cells(COUNT, decks=dossier.reference_decks),
                *_cells(TEXT, bet=name),
                *_cells(COUNT, tags=" ".join(map(str, one.count.tags))),
                *_exact(one.count, "share"),
                *_cells(COUNT, left=depth.left, unseen=depth.unseen),
                *_cells(COUNT, bets_up=depth.bets_up, bets_down=depth.bets_down),
                *_exact(depth, "true_count_up", "true_count_down", "chance", "gain"),
            ]


def _ceilings(dossier: Dossier) -> Rows:
    """What no one can gain more than in a round, by cards left."""
    for name, one in _protected(dossier):
        for at in one.ceilings:
            yield [
                *_cells(COUNT, decks=dossier.reference_decks),
                *_cells(TEXT, bet=name),
                *_cells(COUNT, left=at.left),
                *_exact(at, "gain"),
            ]


def _shoe_ceilings(dossier: Dossier) -> Rows:
    """What no one can gain more than in a shoe, by cards behind the cut card."""
    for name, one in _protected(dossier):
        for at in one.shoe_ceilings:
            yield [
                *_cells(COUNT, decks=dossier.reference_decks),
                *_cells(TEXT, bet=name),
                *_cells(COUNT, behind=at.behind),
                *_exact(at, "gain"),
            ]


def _cut_cards(dossier: Dossier) -> Rows:
    """The sufficient cut card by number of decks."""
    for name, one in _protected(dossier):
        for cut in one.cut_cards:
            yield [
                *_cells(COUNT, decks=cut.decks),
                *_cells(TEXT, bet=name),
                *_cells(COUNT, cut_card=cut.behind),
            ]


def _removal(dossier: Dossier) -> Table:
    rows = [(removal, change) for removal in dossier.removal for change in removal.changes]
    return _of_reference(dossier, REMOVALS, rows)


def _formulas(dossier: Dossier) -> Table:
    """Coefficients of a polynomial in the number of decks, the lowest power first."""
    of: Field[Any] = Field(
        "of", "of", TEXT, "The bet or the insurance state.", lambda forms: str(forms.subject)
    )
    rows = [(forms, formula) for forms in dossier.formulas for formula in forms.formulas]
    return program_table(
        FORMULAS.select("name", "numerator", "denominator", "limit").under(of, name="figure"), rows
    )


def _operations(dossier: Dossier) -> Rows:
    """What the house wins after so many rounds of a unit each, and one, two and three standard deviations.

    Below and above: cut where all would be lost or won.
    """
    for volume in dossier.operations:
        yield [
            *_cells(COUNT, decks=dossier.reference_decks),
            *_cells(TEXT, bet=volume.bet),
            *_cells(COUNT, rounds=volume.rounds),
            *_exact(volume, "expected_win", "sigma_squared"),
            *_exact(volume, "most_win", "most_loss"),
            *_cells(
                root(PLACES),
                sigma=volume.sigma_squared,
                sigma_below=volume.below_squared(1),
                sigma_above=volume.above_squared(1),
                two_sigma_below=volume.below_squared(2),
                two_sigma_above=volume.above_squared(2),
                three_sigma_below=volume.below_squared(3),
                three_sigma_above=volume.above_squared(3),
            ),
        ]


def _identities(dossier: Dossier) -> Rows:
    for identity in dossier.identities:
        yield [
            *_cells(COUNT, decks=identity.decks),
            *_cells(TEXT, law=str(identity.law)),
            *_cells(COUNT, equalities=identity.equalities),
            *_exact(identity, "left", "right"),
        ]


_TABLES: dict[str, Callable[[Dossier], Table | Rows]] = {
    "bets": _bets,
    "outcomes": _outcomes,
    "joint": _joint,
    "insurance": _insurance,
    "insurance-by-third-card": _third_cards,
    "insurance-not-offered": _not_offered,
    "insurance-ranges": _ranges,
    "insurance-habits": _habits,
    "interpretations": _interpretations,
    "examples": _examples,
    "examples-insurance": _insurance_examples,
    "combination": _combination,
    "protection": _protection,
    "insurance-protection": _insurance_protection,
    "counts": _counts,
    "ceilings": _ceilings,
    "shoe-ceilings": _shoe_ceilings,
    "cut-cards": _cut_cards,
    "removal": _removal,
    "formulas": _formulas,
    "operations": _operations,
    "identities": _identities,
}
