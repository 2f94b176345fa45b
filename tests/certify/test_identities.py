"""The identities of a dossier: a wrong count stops it."""

import pytest

from combinat import Shoe, analyze, load_game
from combinat.base.errors import CombinatError
from combinat.certify.dossier import Law, identities
from combinat.engine.pairs import PairDistribution
from tests.documents import COMMISSION_2013


def test_a_wrong_count_of_the_pair_algorithm_fails_its_law(monkeypatch: pytest.MonkeyPatch) -> None:
    analyses = {1: analyze(load_game(COMMISSION_2013), Shoe.of_decks(1), by_recursion=True)}
    assert {identity.law for identity in identities(analyses)} == set(Law)
    right = PairDistribution.results.func  # type: ignore[attr-defined]
    results = property(lambda self: {ended: ways + 1 for ended, ways in right(self).items()})
    monkeypatch.setattr(PairDistribution, "results", results)
    with pytest.raises(CombinatError):
        identities(analyses)
