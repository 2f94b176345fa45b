"""The notebook view of a record: the tables of its document."""

from collections.abc import Sequence
from fractions import Fraction

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.formula import Formula, FormulaAnalysis
from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.insurance_analysis import InsuranceAnalysis
from combinat.analysis.odds import Analysis
from combinat.analysis.removal import Removal, RemovalAnalysis
from combinat.analysis.round_in_progress import RoundInProgress
from combinat.analysis.solve import HitSolution, Solution
from combinat.audit.verdict import Judgement, Verdict
from combinat.base.kinds import Kind, Sort, decimal
from combinat.base.number import Root
from combinat.base.relation import Exact
from combinat.base.tabular import Records, Tabular
from combinat.render.blocks import Block, Cell, Column, Paragraph, table
from combinat.render.notebook import MOST_ROWS, notebook_html
from combinat.report.analysis.formula import formula_blocks
from combinat.report.analysis.insurance import states_table
from combinat.report.analysis.odds import figures, odds_table, outcome_table, shoe_in_words
from combinat.report.analysis.removal import removal_blocks
from combinat.report.analysis.round_in_progress import round_document
from combinat.report.analysis.solve import solution_document
from combinat.report.audit.verdict import judgement_blocks, verdict_blocks
from combinat.report.relation_tables import view_table
from combinat.report.rules.rulebook import bets_blocks
from combinat.report.table.ruling import ruling_document
from combinat.report.table.settlement import settlement_blocks
from combinat.rules.book.listing import LISTED, Listed
from combinat.rules.game import Game
from combinat.table.ruling import IncidentRuling
from combinat.table.settlement import Settlement


def html(record: object) -> str:
    """Return the notebook view of a record."""
    return notebook_html(blocks(record))


def blocks(record: object) -> Sequence[Block]:
    """Return the tables of a record."""
    match record:
        case Analysis():
            head = Paragraph(f"{record.game.name}: {shoe_in_words(record.shoe)}")
            insured = [states_table(record.insurance)] if record.insurance else []
            return [head, odds_table(record.bets), *insured]
        case BetAnalysis():
            return [Paragraph(f"{record.name} ({record.id})"), outcome_table(record), figures(record)]
        case StateAnalysis():
            return [states_table([record])]
        case InsuranceAnalysis():
            return [states_table(record.states)]
        case RoundInProgress():
            return [round_document(record)]
        case Settlement():
            return settlement_blocks(record)
        case Verdict():
            return verdict_blocks(record)
        case Judgement():
            return judgement_blocks(record)
        case Solution() | HitSolution():
            return [solution_document(record)]
        case IncidentRuling():
            return [ruling_document(record)]
        case Formula():
            return formula_blocks([record], SHOWN_DECKS)
        case FormulaAnalysis():
            return formula_blocks(record.formulas, record.decks)
        case Removal():
            return removal_blocks([record])
        case RemovalAnalysis():
            return removal_blocks(record.effects)
        case Game():
            return [Paragraph(f"{record.name} ({record.id})"), *bets_blocks(record)]
        case Records() if record and isinstance(record[0], Listed):
            return [view_table(LISTED, record)]
        case Records() if record and isinstance(record[0], StateAnalysis):
            return [states_table(record)]
        case Tabular():
            rows = record.head(MOST_ROWS + 1)
            return [plain_table(rows[:MOST_ROWS]), *([MORE] if len(rows) > MOST_ROWS else [])]
    return []


SHOWN_DECKS = range(1, 11)
"""The decks of the fresh shoes at which a formula is shown."""

DECIMAL = decimal(6)

MORE = Paragraph("and more rows: to_dicts() has them all")


def plain_table(rows: Sequence[dict[str, Exact]]) -> Block:
    """Rows of exact values as a table: fractions with six decimals."""
    if not rows:
        return Paragraph("nothing")
    kinds = []
    for name in rows[0]:
        values = [row[name] for row in rows if row[name] is not None]
        numbers = any(isinstance(value, Fraction) for value in values)
        whole = values and all(isinstance(value, int) and not isinstance(value, bool) for value in values)
        kinds.append(DECIMAL if numbers else Kind(Sort.COUNT) if whole else Kind(Sort.TEXT))
    columns = tuple(Column(name.replace("_", " "), kind) for name, kind in zip(rows[0], kinds, strict=True))
    return table(columns, [tuple(_plain(value) for value in row.values()) for row in rows])


def _plain(value: Exact) -> Cell:
    if isinstance(value, Root):
        return str(value)
    return ("yes" if value else "no") if isinstance(value, bool) else value
