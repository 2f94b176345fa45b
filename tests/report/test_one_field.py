"""A figure of a bet is declared once: a new ``Field`` appears in every form of an answer without another edit."""

import json
import sys
from fractions import Fraction

import pytest

from combinat import analyze
from combinat.analysis.bets import BETS, BetAnalysis
from combinat.base.kinds import percentage
from combinat.base.relation import Field
from combinat.render.blocks import Table
from combinat.render.text import Format, rendered
from combinat.report.analysis.odds import ODDS, odds_csv, odds_document
from combinat.report.filing.page_one import bets_table
from combinat.report.schemas import document_schema
from combinat.report.tables import tables_files
from tests.conftest import SMALL_BOOK
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
    assert {"loss_frequency", "loss_frequency_decimal"} <= {column.head for column in bets.columns}
    assert b"loss_frequency,loss_frequency_decimal" in tables_files(small_dossier())["tables/bets.csv"]
    assert analysis.to_dicts()[0]["loss_frequency"] == value
    assert ODDS.object(analysis)["bets"][0]["loss_frequency"] == str(value)
    assert "Probability that the bet loses." in json.dumps(document_schema("odds"))
    from figures_page import figures_page

    assert "| `loss_frequency` | loses % | Probability that the bet loses. |" in figures_page()
    monkeypatch.delitem(sys.modules, "figures_page")
