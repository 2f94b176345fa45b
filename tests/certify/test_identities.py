"""A dossier: its identities, which a wrong count fails; its bands; the largest shoe of its verdicts."""

from dataclasses import replace
from fractions import Fraction

import pytest

from combinat import Shoe, analyze, load_game
from combinat.base.errors import CombinatError
from combinat.certify.dossier import Law, Volume, identities, protected_wagers
from combinat.engine.pairs import PairDistribution
from combinat.rules import bounds
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013


def test_a_wrong_count_of_the_pair_algorithm_fails_its_law(monkeypatch: pytest.MonkeyPatch) -> None:
    analyses = {1: analyze(load_game(COMMISSION_2013), Shoe.of_decks(1), by_recursion=True)}
    assert {identity.law for identity in identities(analyses)} == set(Law)
    right = PairDistribution.results.func  # type: ignore[attr-defined]
    results = property(lambda self: {ended: ways + 1 for ended, ways in right(self).items()})
    monkeypatch.setattr(PairDistribution, "results", results)
    with pytest.raises(CombinatError):
        identities(analyses)


def test_a_band_ends_where_all_is_won_or_lost() -> None:
    """Ten rounds at 2 to 1: the house can win 10 and lose 20, however wide a band would be."""
    volume = Volume(
        bet="six",
        rounds=10,
        expected_win=Fraction(1),
        sigma_squared=Fraction(25),
        most_win=Fraction(10),
        most_loss=Fraction(20),
    )
    bands = [(volume.below_squared(sigmas), volume.above_squared(sigmas)) for sigmas in (1, 2, 3)]
    assert bands == [tuple(map(Fraction, pair)) for pair in ((25, 25), (100, 81), (225, 81))]
    assert replace(volume, most_loss=Fraction(13)).below_squared(3) == 196


def test_a_shoe_too_large_to_go_through_has_no_verdicts() -> None:
    game = load_game(str(SMALL_BOOK))
    assert protected_wagers(game, Shoe.of_decks(bounds.COUNTED_CARDS // 52 + 1)) == ()
