"""The tables of a game's report, one CSV file each: exact columns, and decimals beside them.

Every table is drawn from the dossier alone. An exact figure is in lowest terms; its decimal has ``PLACES``
digits, rounded once, half to even. An empty cell is a figure that does not exist, such as the fair odds of a
bet that never wins. What is given for one shoe only has the number of its decks in the first column. Where the
report follows other readings than those of the rule book, they are named in the last.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from combinat.analysis.exact_cards import SeenState
from combinat.base.kinds import CARDS, CLAUSE, COUNT, FRACTION, ODDS, TEXT, Kind, decimal, root
from combinat.base.number import PLACES
from combinat.certify.dossier import Dossier
from combinat.protection.insurance import InsuranceProtection
from combinat.protection.summary import BetProtection, TwoCards
from combinat.render.blocks import Cell, Column, Table, table
from combinat.render.text import Format, rendered
from combinat.rules.insurance import State

Named = tuple[Column, Cell]
"""A cell with its column: every row of a table names the same columns."""

Rows = Iterator[list[Named]]

_BET = (
    *("expected_value", "house_edge", "return_to_player", "hit_frequency", "push", "void"),
    *("edge_per_resolved_bet", "variance", "third_central_moment", "largest_payout", "fair_odds"),
)
_GIVEN_STATE = ("wins", "pushes", "loses", "expected_value")


def tables(dossier: Dossier) -> dict[str, Table]:
    """Every table of the report by the stem of its file; one that would have no rows is left out."""
    named = _cells(TEXT, readings=" ".join(dossier.followed)) if dossier.followed else []
    drawn = {stem: _table([*row, *named] for row in rows(dossier)) for stem, rows in _TABLES.items()}
    return {stem: made for stem, made in drawn.items() if made is not None}


def tables_files(dossier: Dossier) -> dict[str, bytes]:
    """Every table as a file of the report, by its path in the report's folder."""
    return {
        f"tables/{stem}.csv": f"{rendered([made], Format.CSV)}\n".encode()
        for stem, made in tables(dossier).items()
    }


def _table(rows: Iterable[list[Named]]) -> Table | None:
    """The rows as a table; None: there are none."""
    columns: list[Column] = []
    cells: list[list[Cell]] = []
    for row in rows:
        columns = columns or [column for column, _ in row]
        cells.append([cell for _, cell in row])
    return table(columns, cells) if cells else None


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


def _bets(dossier: Dossier) -> Rows:
    for shoe in dossier.shoes:
        for bet in shoe.bets:
            yield [
                *_cells(COUNT, decks=shoe.decks),
                *_cells(TEXT, bet=bet.id, name=bet.name),
                *_exact(bet, *_BET),
                *_cells(
                    root(PLACES),
                    standard_deviation_decimal=bet.variance,
                    skewness_decimal=bet.skewness_signed_square,
                ),
            ]


def _outcomes(dossier: Dossier) -> Rows:
    for shoe in dossier.shoes:
        for bet in shoe.bets:
            for line in bet.outcomes:
                yield [
                    *_cells(COUNT, decks=shoe.decks),
                    *_cells(TEXT, bet=bet.id, outcome=line.name),
                    *_cells(ODDS, odds=line.odds),
                    *_exact(line, "net"),
                    *_cells(COUNT, ways=line.ways, sample_space=shoe.sample_space),
                    *_exact(line, "probability", "contribution"),
                ]


def _joint(dossier: Dossier) -> Rows:
    for shoe in dossier.shoes:
        for pair in shoe.joint:
            yield [
                *_cells(COUNT, decks=shoe.decks),
                *_cells(TEXT, bet=pair.first, other_bet=pair.second),
                *_exact(pair, "covariance"),
                *_cells(root(PLACES), correlation_decimal=pair.signed_square),
            ]


def _insurance(dossier: Dossier) -> Rows:
    for shoe in dossier.shoes:
        for analysis in shoe.insurance:
            yield [
                *_cells(COUNT, decks=shoe.decks),
                *_state(analysis.state),
                *_cells(FRACTION, odds=analysis.net),
                *_cells(TEXT, pays_on_tie=" ".join(map(str, analysis.pays_on_tie))),
                *_cells(COUNT, ways=analysis.ways),
                *_exact(analysis, "probability", *_GIVEN_STATE, "house_edge", "variance", "fair_odds"),
                *_cells(TEXT, favours_player=str(analysis.favours_player).lower()),
            ]


def _third_cards(dossier: Dossier) -> Rows:
    for card in dossier.third_cards:
        yield [
            *_cells(COUNT, decks=dossier.reference_decks),
            *_state(card.analysis.state),
            *_cells(FRACTION, odds=card.analysis.net),
            *_cells(COUNT, player_third=card.player_third),
            *_exact(card.analysis, "probability", *_GIVEN_STATE),
        ]


def _not_offered(dossier: Dossier) -> Rows:
    """The states at which a card is to come and nothing is offered, as if ties were returned."""
    for analysis in dossier.not_offered:
        yield [
            *_cells(COUNT, decks=dossier.reference_decks),
            *_state(analysis.state),
            *_cells(COUNT, ways=analysis.ways),
            *_exact(analysis, "probability", "wins", "pushes", "loses", "fair_odds"),
        ]


def _ranges(dossier: Dossier) -> Rows:
    """The worst and the best exact cards of every state, by points: each hand's first two, the Player's third."""
    for span in dossier.ranges:
        yield [
            *_cells(COUNT, decks=dossier.reference_decks),
            *_state(span.state),
            *_cells(COUNT, ways=span.ways, favourable_ways=span.favourable_ways),
            *_exact(span, "favourable"),
            *_seen(span.worst, "worst_"),
            *_seen(span.best, "best_"),
        ]


def _seen(met: SeenState, of: str) -> list[Named]:
    player, banker = (" ".join(map(str, hand)) for hand in (met.seen.player, met.seen.banker))
    return [
        *_cells(TEXT, **{f"{of}player": player, f"{of}banker": banker}),
        *_cells(COUNT, **{f"{of}third": met.seen.third, f"{of}ways": met.analysis.ways}),
        *_exact(met.analysis, "probability", *_GIVEN_STATE, of=of),
    ]


def _habits(dossier: Dossier) -> Rows:
    for insured in dossier.insured:
        yield [
            *_cells(COUNT, decks=dossier.reference_decks),
            *_cells(TEXT, hand=str(insured.hand), bet=insured.bet, habit=str(insured.habit)),
            *_exact(insured, "mean", "variance"),
            *_cells(root(PLACES), standard_deviation_decimal=insured.variance),
            *_exact(insured, "insurance_mean", "insurance_staked", "insurance_edge"),
            *_exact(insured, "insured", "cost_of_variance"),
        ]


def _interpretations(dossier: Dossier) -> Rows:
    for reading in dossier.readings:
        for difference in reading.differences:
            yield [
                *_cells(COUNT, decks=dossier.reference_decks),
                *_cells(TEXT, entry=reading.entry, **{"for": str(difference.subject)}),
                *_cells(TEXT, figure=difference.measure.in_words),
                *_exact(difference, "read", "otherwise", "change"),
            ]


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


def _combination(dossier: Dossier) -> Rows:
    """What the stakes come to together, a row each; what holds for all of them is in every row."""
    combined = dossier.combination
    stakes = " ".join(f"{stake.bet}={stake.amount}" for stake in combined.stakes)
    for outcome in combined.outcomes:
        yield [
            *_cells(COUNT, decks=dossier.reference_decks),
            *_cells(TEXT, stakes=stakes),
            *_exact(outcome, "net"),
            *_cells(COUNT, ways=outcome.ways),
            *_exact(outcome, "probability"),
            *_exact(combined, "staked", "mean", "variance"),
            *_cells(root(PLACES), standard_deviation_decimal=combined.variance),
            *_exact(combined, "house_edge"),
        ]


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


def _removal(dossier: Dossier) -> Rows:
    for removal in dossier.removal:
        for change in removal.changes:
            yield [
                *_cells(COUNT, decks=dossier.reference_decks),
                *_cells(TEXT, bet=str(removal.subject)),
                *_exact(removal, "expected_value"),
                *_cells(CARDS, removed=change.removed),
                *_exact(change, "change"),
            ]


def _formulas(dossier: Dossier) -> Rows:
    """Coefficients of a polynomial in the number of decks, the lowest power first."""
    for forms in dossier.formulas:
        for formula in forms.formulas:
            numerator, denominator = (
                " ".join(map(str, side)) for side in (formula.numerator, formula.denominator)
            )
            yield [
                *_cells(TEXT, of=str(forms.subject), figure=formula.name),
                *_cells(COUNT, numerator=numerator, denominator=denominator),
                *_exact(formula, "limit"),
            ]


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
                sigma_decimal=volume.sigma_squared,
                sigma_below_decimal=volume.sigma_below_squared,
                sigma_above_decimal=volume.sigma_above_squared,
                two_sigma_below_decimal=volume.two_sigma_below_squared,
                two_sigma_above_decimal=volume.two_sigma_above_squared,
                three_sigma_below_decimal=volume.three_sigma_below_squared,
                three_sigma_above_decimal=volume.three_sigma_above_squared,
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


_TABLES: dict[str, Callable[[Dossier], Rows]] = {
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
