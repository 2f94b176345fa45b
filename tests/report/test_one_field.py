"""A figure of a bet is declared once: a new ``Field`` appears in every form of an answer without another edit."""

import json
import re
import sys
from collections.abc import Callable
from fractions import Fraction

import pytest

from combinat import analyze, load_game, round_in_progress, ruling
from combinat.analysis.bets import BETS, BetAnalysis
from combinat.base.kinds import percentage
from combinat.base.relation import Field
from combinat.render.blocks import Block, Table
from combinat.render.csv_table import for_programs
from combinat.render.table_options import named_tables
from combinat.render.text import Format, rendered
from combinat.report.analysis.odds import ODDS, odds_csv, odds_document
from combinat.report.analysis.round_in_progress import round_document
from combinat.report.filing.page_one import bets_table
from combinat.report.rules.rulebook import rule_book
from combinat.report.schemas import document_schema
from combinat.report.table.ruling import ruling_document
from combinat.report.tables import tables_files
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025
from tests.paths import ROOT
from tests.report.hostile_book import small_dossier

LOSS: Field[BetAnalysis] = Field(
    *("loss_frequency", "loses %", percentage(), "Probability that the bet loses."),
    lambda bet: 1 - bet.hit_frequency - bet.returned,
    views="terminal report",
)


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Declare one more figure of a bet."""
    monkeypatch.setattr(BETS, "fields", (*BETS.fields, LOSS))
    monkeypatch.syspath_prepend(ROOT / "docs" / "site")


@pytest.mark.usefixtures("declared")
def test_a_figure_declared_once_appears_in_every_form(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = analyze(SMALL_BOOK, 1)
    bet = analysis.bets[0]
    value = LOSS.of(bet)
    assert isinstance(value, Fraction)
    assert LOSS.head in rendered([odds_document(analysis)], Format.TEXT)
    assert LOSS.head in [column.head for column in bets_table(small_dossier()).columns]
    (bets,) = odds_csv(analysis)
    assert isinstance(bets, Table)
    assert "loss_frequency" in {column.name for column in bets.columns}
    assert b"loss_frequency,loss_frequency_decimal" in tables_files(small_dossier())["tables/bets.csv"]
    assert analysis.to_dicts()[0]["loss_frequency"] == value
    assert ODDS.object(analysis)["bets"][0]["loss_frequency"] == str(value)
    assert "Probability that the bet loses." in json.dumps(document_schema("odds"))
    from figures_page import figures_page

    assert "| `loss_frequency` | loses % | Probability that the bet loses. |" in figures_page()
    monkeypatch.delitem(sys.modules, "figures_page")


def _rules() -> Block:
    return rule_book(load_game(NONCOMMISSION_2025), when=True)


@pytest.mark.parametrize(
    "document",
    [
        _rules,
        lambda: rule_book(load_game(COMMISSION_2013)),
        lambda: round_document(round_in_progress(COMMISSION_2013, ("5", "K 6"))),
        lambda: ruling_document(ruling(COMMISSION_2013, "wrong-number-of-cards", "9 4 K", stakes={"tie": 3})),
    ],
)
def test_a_column_of_csv_has_a_name_that_was_written(document: Callable[[], Block]) -> None:
    """The tables that are built by hand too: lower-case words with underscores, as in JSON, or an id."""
    tables = [for_programs(table) for _, table in named_tables([document()])]
    heads = [column.head for table in tables for column in table.columns]
    assert [head for head in heads if not re.fullmatch("[a-z][a-z0-9_-]*", head)] == []
    assert len(tables) > 1
