"""Reports of next to nothing, made once."""

import pytest

from combinat.certify.dossier import Dossier
from combinat.rules.game import Game
from tests.reports import Reports, tiny, two_reports


@pytest.fixture(scope="session")
def tiny_dossier(small_dossier: Dossier) -> Dossier:
    """The dossier of the small rule book with one entry of every list."""
    return tiny(small_dossier)


@pytest.fixture(scope="session")
def reports(small_game: Game, tiny_dossier: Dossier) -> Reports:
    """The reports of two games, to be read and not to be changed."""
    return two_reports(small_game, tiny_dossier)
