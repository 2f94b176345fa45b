"""The public names of combinat: one list, imported on first use (see ``combinat/__init__.py``)."""

from combinat.analysis.analysis import Analysis
from combinat.analysis.bets import BetAnalysis, OutcomeLine
from combinat.analysis.coverage import BetCoverage, Coverage
from combinat.analysis.evaluate import Evaluation
from combinat.analysis.formula import Formula
from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.removal import Removal
from combinat.analysis.round_in_progress import RoundInProgress, round_in_progress
from combinat.analysis.solve import HitSolution, Solution
from combinat.audit.convert import convert
from combinat.audit.follow import Followed, follow
from combinat.audit.power import power
from combinat.audit.review import review
from combinat.audit.verdict import Judgement, Verdict
from combinat.base.errors import (
    CertificateError,
    CombinatError,
    FileError,
    InputError,
    MissingLibraryError,
    RuleBookError,
)
from combinat.base.tabular import Records
from combinat.library.design import coverage, solve
from combinat.library.games import check, diff, games, load_game, parse_game
from combinat.library.odds import analyze, evaluate, formula, insurance, odds, removal
from combinat.montecarlo.simulate import simulate
from combinat.protection.count import count, counts
from combinat.protection.perfect import perfect
from combinat.protection.protect import protect
from combinat.report.audit.crosscheck import crosscheck
from combinat.report.certified.verify import Verified, verify
from combinat.report.certified.write_report import Written, write_report
from combinat.report.protection.study_folder import study
from combinat.rules.book.load import Listed
from combinat.rules.cards import Rank
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.odds import Odds
from combinat.rules.round import Round, Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand
from combinat.table.exposure import exposure
from combinat.table.ruling import IncidentRuling, ruling
from combinat.table.settlement import Settlement, settle
from combinat.table.table_settlement import settle_table

__all__ = [
    "Analysis",
    "BetAnalysis",
    "BetCoverage",
    "CertificateError",
    "CombinatError",
    "Coverage",
    "Evaluation",
    "FileError",
    "Followed",
    "Formula",
    "Game",
    "Hand",
    "HitSolution",
    "IncidentRuling",
    "InputError",
    "Judgement",
    "Listed",
    "MissingLibraryError",
    "Odds",
    "OutcomeLine",
    "Rank",
    "Records",
    "Removal",
    "Round",
    "RoundInProgress",
    "RuleBookError",
    "Settlement",
    "Shoe",
    "Solution",
    "Stage",
    "State",
    "StateAnalysis",
    "Verdict",
    "Verified",
    "Written",
    "analyze",
    "check",
    "convert",
    "count",
    "counts",
    "coverage",
    "crosscheck",
    "diff",
    "evaluate",
    "exposure",
    "follow",
    "formula",
    "games",
    "insurance",
    "load_game",
    "odds",
    "parse_game",
    "perfect",
    "power",
    "protect",
    "removal",
    "review",
    "round_in_progress",
    "ruling",
    "settle",
    "settle_table",
    "simulate",
    "solve",
    "study",
    "verify",
    "write_report",
]
