"""``protect.json``: what is read of it, and what a forger can change without being noticed before blocks are dealt again."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from combinat.base import strict_json
from combinat.base.errors import CertificateError, MalformedCertificateError, RejectedCertificateError
from combinat.base.strict_json import canonical
from combinat.protection.study import Study
from combinat.protection.study_block import Dealer
from combinat.protection.study_figures import results
from combinat.protection.study_file import StudyFile, partial_bytes, read_partial, read_study, study_bytes
from combinat.rules.book.load import load_rule_book
from combinat.rules.count_file import Count
from combinat.rules.shoe import Shoe
from combinat.rules.shoe_dealing import Burn, ShoeDealing
from combinat.rules.tags import Tags
from tests.conftest import SMALL_BOOK

BOOK = load_rule_book(SMALL_BOOK)
STUDY = Study(
    shoe=Shoe.of_decks(1),
    dealing=ShoeDealing(cut_card=14, burn=Burn(first_card=True), after=1),
    seed=5,
    shoes=51,
    bets=("six", "player@four-cards"),
    counts=(Count(name="x", bet="six", tags=Tags.parse("6=-3 7=1 8=2"), index=Fraction(1)),),
)


@cache
def a_file() -> StudyFile:
    dealer = Dealer(BOOK.game, STUDY)
    blocks = tuple(dealer.block(number) for number in range(STUDY.blocks))
    return StudyFile(study=STUDY, blocks=blocks, limit=Fraction(1, 2))


@cache
def content() -> bytes:
    return study_bytes(BOOK, a_file(), results(BOOK.game, STUDY, a_file().blocks, a_file().limit))


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    stated = json.loads(content())
    change(stated)
    return canonical(stated)


def test_what_is_written_is_read() -> None:
    file, figures = read_study(content(), BOOK)
    assert file == a_file()
    assert figures == results(BOOK.game, STUDY, file.blocks, file.limit)
    begun = StudyFile(study=STUDY, blocks=file.blocks[:3], limit=None)
    assert read_partial(partial_bytes(BOOK, begun), BOOK) == begun


def a_figure(stated: dict[str, Any]) -> None:
    stated["results"]["players"][0]["cuts"][0]["gain_a_shoe"]["value"] = "1/3"


def a_mean(stated: dict[str, Any]) -> None:
    stated["results"]["fresh"][0]["expected_value"] = "-1/10"


def a_gain(stated: dict[str, Any]) -> None:
    gains = stated["blocks"][7][0]["gains"]
    gains[0] = str(int(gains[0]) + 1)


def a_square(stated: dict[str, Any]) -> None:
    band = next(band for block in stated["blocks"] for band in block if band["bets"][0])
    band["squares"][0] = "0"


def more_bets_than_offers(stated: dict[str, Any]) -> None:
    band = stated["blocks"][0][0]
    band["bets"][0] = band["rounds"] + 1


def no_rounds(stated: dict[str, Any]) -> None:
    stated["blocks"][0][-1].update(rounds=0, offers=[0, 0], bets=[0, 0, 0])


def a_column_less(stated: dict[str, Any]) -> None:
    del stated["blocks"][0][0]["gains"][0]


def a_band_less(stated: dict[str, Any]) -> None:
    del stated["blocks"][0][0]


def a_block_less(stated: dict[str, Any]) -> None:
    del stated["blocks"][1]


def another_book(stated: dict[str, Any]) -> None:
    stated["rule_book_sha256"] = "0" * 64


@pytest.mark.parametrize(
    "change",
    [
        a_figure,
        a_mean,
        a_gain,
        a_square,
        more_bets_than_offers,
        no_rounds,
        a_column_less,
        a_band_less,
        a_block_less,
        another_book,
    ],
)
def test_a_forged_number_is_rejected(change: Callable[[dict[str, Any]], object]) -> None:
    """Each is false in itself; a forger who makes all of it fit is caught when blocks are dealt again."""
    with pytest.raises(RejectedCertificateError):
        read_study(changed(change), BOOK)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("schema", "combinat/protect/1"),
        ("software_version", "99.0"),
        ("seed", "-1"),
        ("seed", "1.5"),
        ("shoes", 49),
        ("bets", ["nine"]),
        ("counts", [{"name": "x", "bet": "six", "tags": "Z=1", "index": "1"}]),
        ("counts", [{"name": "x", "bet": "six", "tags": "A=1", "index": "1e9"}]),
        ("dealing", {"burn": "all", "cut_card": 14, "after": 1}),
        ("dealing", {"burn": "none", "cut_card": 1, "after": 1}),
        ("limit", "1/0"),
        ("shoe", {"size": 52, "cards": {"A": 4}}),
        ("blocks", "none"),
        ("blocks", [[]] * 51),
        ("more", 1),
    ],
)
def test_a_file_that_states_no_study_is_malformed(key: str, value: object) -> None:
    with pytest.raises(MalformedCertificateError):
        read_study(changed(lambda stated: stated.update({key: value})), BOOK)


def test_a_partial_file_with_another_spelling_is_refused() -> None:
    kept = partial_bytes(BOOK, a_file())
    with pytest.raises(CertificateError):
        read_partial(kept.replace(b'"seed": "5"', b'"seed":  "5"'), BOOK)


@pytest.mark.parametrize("value", [b"{}", b"[]", b"0", b'{"":0}'])
def test_values_are_counted_before_they_are_parsed(value: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small archive could hold a file of 256 MB that costs 6 GB."""
    monkeypatch.setattr("json.loads", _never)
    monkeypatch.setattr(strict_json, "MOST_VALUES", 1000)
    with pytest.raises(MalformedCertificateError):
        read_study(b'{"results":[' + b",".join([value] * 1001) + b"]}", BOOK)


def _never(*_: object, **__: object) -> None:
    raise AssertionError("it was parsed")
