"""Tags of a count: as written, as printed, and refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.errors import TagsError
from combinat.rules.bounds import TAG
from combinat.rules.cards import RANKS, Rank
from combinat.rules.tags import Tags

DRAGON = "4=-1 5=-1 6=-1 7=-1 8=2 9=2"


def test_ranks_not_named_have_the_tag_0() -> None:
    tags = Tags.parse(DRAGON)
    assert tags.values == (0, 0, 0, -1, -1, -1, -1, 2, 2, 0, 0, 0, 0)
    assert (tags[Rank.SEVEN], tags[Rank.KING]) == (-1, 0)
    assert list(tags) == list(tags.values)


@given(st.tuples(*[st.integers(-TAG, TAG)] * len(RANKS)))
def test_printed_tags_are_read_back(values: tuple[int, ...]) -> None:
    assert Tags.parse(str(Tags(values))) == Tags(values)


@pytest.mark.parametrize(("text", "balanced"), [(DRAGON, True), ("8=1", False), ("10=1 A=-1", True)])
def test_balanced_tags_add_up_to_0(text: str, balanced: bool) -> None:
    assert Tags.parse(text).is_balanced is balanced


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'tags: no rank is named; write a tag for some ranks, such as "4=-1 8=2"'),
        ("11=1", 'tags: card "11" does not exist; write one of A 2 3 4 5 6 7 8 9 10 J Q K'),
        ("8=1 8=2", "tags: 8 is given twice; write each rank once"),
        ("8=1.5", 'tags: found "8=1.5"; write a rank, = and a whole number, such as 8=-2'),
        ("8", 'tags: found "8"; write a rank, = and a whole number, such as 8=-2'),
        ("8=1001", "tags: the tag of 8 must be from -1000 to 1000; found 1001"),
    ],
)
def test_tags_that_cannot_be(text: str, message: str) -> None:
    with pytest.raises(TagsError) as error:
        Tags.parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize("values", [(0,) * 12, [0] * 13, (True,) * 13, ("1",) * 13])
def test_values_that_are_no_tags(values: object) -> None:
    with pytest.raises(TagsError):
        Tags(values)  # type: ignore[arg-type]
