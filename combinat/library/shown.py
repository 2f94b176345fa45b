"""What notebooks show of the records, by the presenters of ``report``."""

from collections.abc import Sequence
from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.analysis.bets import BetAnalysis
from combinat.analysis.formula import Formula
from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.removal import Removal
from combinat.analysis.round_in_progress import RoundInProgress
from combinat.analysis.solve import HitSolution, Solution
from combinat.audit.verdict import Judgement, Verdict
from combinat.base.kinds import Kind, Sort, decimal
from combinat.base.number import Root
from combinat.base.relation import Exact
from combinat.base.tabular import Records, Tabular
from combinat.render.blocks import Block, Cell, Column, Paragraph, table
from combinat.render.notebook import MOST_ROWS
from combinat.rules.book.load import Listed
from combinat.rules.game import Game
from combinat.table.ruling import IncidentRuling
from combinat.table.settlement import Settlement


def blocks(record: object) -> Sequence[Block]:
    """What a notebook shows of a record."""
    match record:
        case Analysis():
            from combinat.report.analysis.insurance import states_table
            from combinat.report.analysis.odds import odds_table, shoe_in_words

            head = Paragraph(f"{record.game.name}: {shoe_in_words(record.shoe)}")
            insured = [states_table(record.insurance)] if record.insurance else []
            return [head, odds_table(record.bets), *insured]
        case BetAnalysis():
            from combinat.report.analysis.odds import figures, outcome_table

            return [Paragraph(f"{record.name} ({record.id})"), outcome_table(record), figures(record)]
        case StateAnalysis():
            from combinat.report.analysis.insurance import states_table

            return [states_table([record])]
        case RoundInProgress():
            from combinat.report.analysis.round_in_progress import round_document

            return [round_document(record)]
        case Settlement():
            from combinat.report.table.settlement import settlement_blocks

            return settlement_blocks(record)
        case Verdict():
            from combinat.report.audit.verdict import verdict_blocks

            return verdict_blocks(record)
        case Judgement():
            from combinat.report.audit.verdict import judgement_blocks

            return judgement_blocks(record)
        case Solution():
            from combinat.report.analysis.solve import solution_document

            return [solution_document(record)]
        case HitSolution():
            from combinat.report.analysis.solve import hit_document

            return [hit_document(record)]
        case IncidentRuling():
            from combinat.report.table.ruling import ruling_document

            return [ruling_document(record)]
        case Formula():
            return _formulas([record])
        case Removal():
            from combinat.report.analysis.removal import removal_blocks

            return removal_blocks([record])
        case Game():
            from combinat.report.rules.rulebook import bets_blocks

            return [Paragraph(f"{record.name} ({record.id})"), *bets_blocks(record)]
        case Records() if record:
            return _records(record)
        case Tabular():
            rows = record.head(MOST_ROWS + 1)
            return [plain_table(rows[:MOST_ROWS]), *([MORE] if len(rows) > MOST_ROWS else [])]
    return []


def _records(records: Records[Any]) -> Sequence[Block]:
    """What a notebook shows of several records of one kind."""
    match records[0]:
        case Listed():
            from combinat.report.rules.games import games_table

            return [games_table(records)]
        case StateAnalysis():
            from combinat.report.analysis.insurance import states_table

            return [states_table(records)]
        case Removal():
            from combinat.report.analysis.removal import removal_blocks

            return removal_blocks(records)
        case Formula():
            return _formulas(records)
    return [plain_table(records.to_dicts()[:MOST_ROWS])]


def _formulas(formulas: Sequence[Formula]) -> Sequence[Block]:
    """Each formula with its limit, and the values of the first on fresh shoes."""
    from combinat.report.analysis.formula import formula_blocks

    return formula_blocks(formulas, SHOWN_DECKS)


SHOWN_DECKS = range(1, 11)
"""The decks of the fresh shoes at which a formula is shown."""

DECIMAL = decimal(6)

MORE = Paragraph("and more rows: to_dicts() has them all")


def plain_table(rows: Sequence[dict[str, Exact]]) -> Block:
    """Rows of exact values as a table: fractions with six decimals."""
    from fractions import Fraction

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
