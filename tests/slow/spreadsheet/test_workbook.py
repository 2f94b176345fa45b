"""Every workbook, recalculated and printed by LibreOffice."""

import re
from unittest import mock

import pytest

from combinat.certify.dossier import Dossier, dossier
from combinat.report.workbook import workbook
from combinat.rules.book.load import load_game
from combinat.rules.game import Game
from tests.documents import GAMES
from tests.report.recalculated import differences, recalculated, without_values
from tests.report.second_reader import workbook_cells
from tests.report.spreadsheet import Spreadsheet


@pytest.mark.parametrize("game_id", GAMES)
def test_libreoffice_comes_to_the_same(game_id: str) -> None:
    """Every formula, without its cached value, is worked out to it; and printed, it has a page a sheet."""
    game = load_game(game_id)
    with mock.patch("combinat.certify.dossier.closed_forms", return_value=()):  # no sheet has them
        whole = dossier(game, range(game.decks.least, game.decks.most + 1))
    package = workbook(whole, game)
    assert differences(package) == []
    printed = recalculated(package, "pdf")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == (6 if whole.reference.insurance else 5)


def test_libreoffice_follows_other_odds_and_another_number_of_decks(
    small_dossier: Dossier, small_game: Game
) -> None:
    written = workbook(small_dossier, small_game)
    read = workbook_cells(written)
    changed = without_values(
        written, {("xl/worksheets/sheet1.xml", "F5"): 20, ("xl/worksheets/sheet3.xml", "B2"): 1}
    )
    there, here = (
        workbook_cells(recalculated(changed)),
        Spreadsheet(read, {("Inputs", "F5"): 20.0, ("Outcomes", "B2"): 1.0}),
    )
    assert there["Inputs"][2, 1].value == here.cell("Checks", "A2") != "Every check holds."
    compared = 0
    for sheet, cells in read.items():
        for place, cell in cells.items():
            if cell.formula:
                value = here.value(sheet, place)
                if isinstance(value, float):
                    assert there[sheet][place].value == pytest.approx(value, rel=1e-13, abs=1e-15)
                else:
                    assert there[sheet][place].value == value
                compared += 1
    assert compared == 473
