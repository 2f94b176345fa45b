"""The display of records in Python: the tables of their documents in notebooks, and the rows of answers."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.coverage import COVERED, RuleBookCheck
from combinat.analysis.formula import Formula, FormulaAnalysis
from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.insurance_analysis import InsuranceAnalysis
from combinat.analysis.odds import Analysis
from combinat.analysis.removal import Removal, RemovalAnalysis
from combinat.analysis.round_in_progress import RoundInProgress
from combinat.analysis.rule_book_changes import RuleBookDiff
from combinat.analysis.solve import HitSolution, Solution
from combinat.audit.power import Power
from combinat.audit.review import Review
from combinat.audit.verdict import Judgement, Verdict
from combinat.base.kinds import Kind, Sort, decimal
from combinat.base.number import Root
from combinat.base.relation import Exact, Relation
from combinat.base.tabular import Answer, Records, Tabular
from combinat.protection.count import CountAnswer, CountsAnswer
from combinat.protection.perfect import PerfectAnswer
from combinat.protection.protect import ProtectAnswer
from combinat.render.blocks import Block, Cell, Column, Paragraph, Section, section, table
from combinat.render.notebook import MOST_ROWS, notebook_html
from combinat.render.text import Format
from combinat.report.analysis.formula import formula_blocks
from combinat.report.analysis.insurance import states_table
from combinat.report.analysis.odds import figures, odds_table, outcome_table, shoe_in_words
from combinat.report.analysis.removal import removal_blocks
from combinat.report.analysis.round_in_progress import round_document
from combinat.report.analysis.solve import solution_document
from combinat.report.audit.power import power_document
from combinat.report.audit.review import review_document
from combinat.report.audit.verdict import judgement_blocks, verdict_blocks
from combinat.report.protection.count import (
    COUNT_ROWS,
    RUNNING_ROWS,
    count_document,
    count_rows,
    counts_document,
    running_rows,
)
from combinat.report.protection.perfect import perfect_document, perfect_rows
from combinat.report.protection.protect import WAGERS_AT_CUT, protect_document, wager_rows
from combinat.report.protection.study import PLAYERS_AT, player_blocks, player_rows
from combinat.report.protection.study_folder import StudyAnswer
from combinat.report.relation_tables import view_table
from combinat.report.rules.check import MISTAKES, check_document, mistakes_document
from combinat.report.rules.rule_book_changes import CHANGES, changes_document
from combinat.report.rules.rulebook import bets_blocks
from combinat.report.table.exposure import HOUSE_RESULTS, exposure_document
from combinat.report.table.ruling import ruling_document
from combinat.report.table.settlement import settlement_blocks
from combinat.report.table.whole_table import table_document, table_rows
from combinat.rules.book.listing import LISTED, Listed
from combinat.rules.game import Game
from combinat.table.exposure import Exposure
from combinat.table.ruling import IncidentRuling
from combinat.table.settlement import Settlement
from combinat.table.table_settlement import LimitedTable


def title(answer: Answer) -> str:
    """Return the title of the document of an answer."""
    return ANSWERS[type(answer)].document(answer).title


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
        case Power():
            return [power_document(record)]
        case Review():
            return [review_document(record)]
        case Answer():
            return [ANSWERS[type(record)].document(record)]
        case Records() if record and isinstance(record[0], Listed):
            return [view_table(LISTED, record)]
        case Records() if record and isinstance(record[0], StateAnalysis):
            return [states_table(record)]
        case Tabular():
            rows = record.head(MOST_ROWS + 1)
            return [plain_table(rows[:MOST_ROWS]), *([MORE] if len(rows) > MOST_ROWS else [])]
    return []


class AnswerView(NamedTuple):
    """The tables of an answer for people, and its rows with their relation."""

    document: Callable[[Any], Section]
    rows: Callable[[Any], tuple[Relation[Any], Iterable[Any]]]


ANSWERS: dict[type[Answer], AnswerView] = {
    ProtectAnswer: AnswerView(protect_document, lambda answer: (WAGERS_AT_CUT, wager_rows(answer.wagers))),
    CountAnswer: AnswerView(
        lambda answer: count_document(answer, detail=False),
        lambda answer: (RUNNING_ROWS, running_rows(answer)),
    ),
    CountsAnswer: AnswerView(counts_document, lambda answer: (COUNT_ROWS, count_rows(answer.counts))),
    PerfectAnswer: AnswerView(perfect_document, perfect_rows),
    StudyAnswer: AnswerView(
        lambda answer: section(
            f"{answer.file.game.id}: {answer.file.shoes} of {answer.file.study.shoes} shoes dealt",
            player_blocks(answer.file, Format.MARKDOWN) if answer.file.is_whole else None,
        ),
        lambda answer: (PLAYERS_AT, player_rows(answer.file) if answer.file.is_whole else ()),
    ),
    Exposure: AnswerView(exposure_document, lambda answer: (HOUSE_RESULTS, answer.results)),
    LimitedTable: AnswerView(table_document, table_rows),
    RuleBookDiff: AnswerView(changes_document, lambda answer: (CHANGES, answer.changes)),
    RuleBookCheck: AnswerView(
        lambda answer: (
            check_document(answer.coverage, answer.published)
            if answer.coverage
            else mistakes_document(answer.path.name, answer.mistakes)
        ),
        lambda answer: (
            (COVERED, answer.coverage.records()) if answer.coverage else (MISTAKES, answer.mistakes)
        ),
    ),
}
"""The answers whose documents and rows are those of their commands."""


def rows(answer: Answer) -> list[dict[str, Exact]]:
    """Return the rows of an answer, as its CSV table has them."""
    relation, records = ANSWERS[type(answer)].rows(answer)
    return relation.rows(records)


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
