"""The public names of combinat, each with its module: the one list, which ``__init__.py`` reads."""

from combinat.analysis.coverage import check as check
from combinat.analysis.coverage import coverage as coverage
from combinat.analysis.evaluate import Evaluation as Evaluation
from combinat.analysis.evaluate import evaluate as evaluate
from combinat.analysis.formula import formula as formula
from combinat.analysis.insurance_analysis import insurance as insurance
from combinat.analysis.odds import Analysis as Analysis
from combinat.analysis.odds import analyze as analyze
from combinat.analysis.odds import odds as odds
from combinat.analysis.removal import removal as removal
from combinat.analysis.round_in_progress import round_in_progress as round_in_progress
from combinat.analysis.rule_book_changes import diff as diff
from combinat.analysis.solve import solve as solve
from combinat.audit.convert import convert as convert
from combinat.audit.follow import follow as follow
from combinat.audit.power import power as power
from combinat.audit.review import review as review
from combinat.audit.verdict import Verdict as Verdict
from combinat.base.errors import CertificateError as CertificateError
from combinat.base.errors import CombinatError as CombinatError
from combinat.base.errors import FileError as FileError
from combinat.base.errors import InputError as InputError
from combinat.base.errors import RuleBookError as RuleBookError
from combinat.montecarlo.simulate import simulate as simulate
from combinat.protection.count import count as count
from combinat.protection.count import counts as counts
from combinat.protection.perfect import perfect as perfect
from combinat.protection.protect import protect as protect
from combinat.report.audit.crosscheck import crosscheck as crosscheck
from combinat.report.certified.verify import verify as verify
from combinat.report.certified.write_report import write_report as write_report
from combinat.report.protection.study_folder import study as study
from combinat.rules.book.listing import games as games
from combinat.rules.book.load import load_game as load_game
from combinat.rules.book.load import parse_game as parse_game
from combinat.rules.cards import Rank as Rank
from combinat.rules.game import Game as Game
from combinat.rules.round import Round as Round
from combinat.rules.shoe import Shoe as Shoe
from combinat.table.exposure import exposure as exposure
from combinat.table.ruling import ruling as ruling
from combinat.table.settlement import settle as settle
from combinat.table.table_settlement import settle_table as settle_table

__version__: str
