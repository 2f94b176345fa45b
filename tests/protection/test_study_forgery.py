"""Studies that a stranger wrote: products that no shoes have, and more values than a study can have."""

from dataclasses import replace
from fractions import Fraction

import pytest

from combinat import load_game
from combinat.base import strict_json
from combinat.base.errors import MalformedCertificateError, SumsError
from combinat.certify.study_file import read_study
from combinat.protection.study import Dealt, Study, checked_wagers, products, variables
from combinat.protection.study_block import Dealer
from combinat.protection.study_check import check_dealt
from combinat.protection.sums_checksum import block_of
from combinat.rules.book.load import load_rule_book
from combinat.rules.count_file import Count
from combinat.rules.shoe import Shoe
from combinat.rules.shoe_dealing import Burn, ShoeDealing
from combinat.rules.tags import Tags
from tests.conftest import SMALL_BOOK

SMALL = load_game(SMALL_BOOK)
STUDY = Study(
    shoe=Shoe.of_decks(1),
    dealing=ShoeDealing(cut_card=14, burn=Burn(first_card=True), after=1),
    seed=5,
    shoes=30,
    bets=checked_wagers(SMALL, ("six",)),
    counts=(Count(name="x", bet="six", tags=Tags.parse("6=-3 7=1 8=2"), index=Fraction(1)),),
)
SUMS = Dealer(SMALL, STUDY).block(0)
FORGED = [
    pytest.param(number, place, pair, id=f"{player.name}-{place}-{pair[0]}{pair[1]}")
    for number, player in enumerate(STUDY.players)
    for place in (0, len(STUDY.positions) - 1)
    for pair in products(variables(player))
]


def test_products_of_shoes_that_were_dealt_are_accepted() -> None:
    check_dealt(SMALL, STUDY, Dealt(blocks=(block_of(SUMS),), sums=SUMS))


@pytest.mark.parametrize(("number", "place", "pair"), FORGED)
def test_products_that_no_shoes_have_are_refused(number: int, place: int, pair: tuple[int, int]) -> None:
    """With every code and hash made to fit: a variance, or the square of a correlation, would be impossible."""
    width = variables(STUDY.players[number])
    moments = [list(rows) for rows in SUMS.moments]
    row = list(moments[number][place])
    at = width + products(width).index(pair)
    row[at] = -1 if pair[0] == pair[1] else 10**30
    moments[number][place] = tuple(row)
    forged = replace(SUMS, moments=tuple(map(tuple, moments)))
    with pytest.raises(SumsError):
        check_dealt(SMALL, STUDY, Dealt(blocks=(block_of(forged),), sums=forged))


@pytest.mark.parametrize("value", [b"{}", b"[]", b"0", b'{"":0}'])
def test_values_are_counted_before_they_are_parsed(value: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small archive could once hold a file of 256 MB that cost 6 GB."""
    monkeypatch.setattr("json.loads", _never)
    content = b'{"results":[' + b",".join([value] * strict_json.MOST_VALUES) + b"]}"
    with pytest.raises(MalformedCertificateError):
        read_study(content, load_rule_book(SMALL_BOOK))


def _never(*_: object, **__: object) -> None:
    raise AssertionError("it was parsed")
