"""The readers of what strangers write for a study of whole shoes: files of counts, and studies."""

from functools import cache
from typing import Any

from combinat.base.errors import CombinatError
from combinat.montecarlo.shoes import Burn, ShoeDealing
from combinat.protection.inputs import LIMIT, parsed_counts
from combinat.protection.study import Study
from combinat.protection.study_block import Dealer
from combinat.protection.study_file import StudyFile, partial_bytes, read_partial, read_study, study_bytes
from combinat.render.html import html
from combinat.report.protection.study import study_document
from combinat.rules.shoe import Shoe
from tests.conftest import SMALL_BOOK
from tests.games import loaded
from tests.hostile.fuzzer import check_message
from tests.paths import TESTS

COUNTS = TESTS / "books" / "published-counts.toml"
ONE_COUNT = b'[[counts]]\nname = "x"\nbet = "six"\ntags = "6=-3 7=1 8=2"\nindex = "7/2"\n'


def count_seeds() -> list[bytes]:
    """Files of counts."""
    return [ONE_COUNT, COUNTS.read_bytes()]


def read_count_file(content: bytes) -> None:
    """The counts, and the page that shows them."""
    counts = parsed_counts(content)
    study = _study(counts=tuple(count for count in counts if count.bet == "six")[:1])
    assert html(study_document(_file(study, study.blocks)), "foot")


def _study(**changes: Any) -> Study:
    said = {
        "shoe": Shoe.of_decks(1),
        "dealing": ShoeDealing(cut_card=14, burn=Burn(), after=1),
        "seed": 1,
        "shoes": 50,
        "bets": ("six",),
    }
    return Study(**{**said, **changes})


def _file(study: Study, blocks: int) -> StudyFile:
    """The study with this number of blocks, all alike."""
    dealt = (Dealer(loaded(SMALL_BOOK), study).block(0),) * blocks
    return StudyFile(game=loaded(SMALL_BOOK), study=study, blocks=dealt, limit=LIMIT)


@cache
def study_seeds() -> list[bytes]:
    """A study, and one that was interrupted."""
    study = _study(counts=tuple(parsed_counts(ONE_COUNT)))
    return [study_bytes(_file(study, study.blocks)), partial_bytes(_file(study, 1))]


def read_study_file(content: bytes) -> None:
    """A study through both of its readers; a study is not an interrupted one."""
    try:
        read_study(content, loaded(SMALL_BOOK))
    except CombinatError as refusal:
        check_message(refusal)
        read_partial(content, loaded(SMALL_BOOK))
