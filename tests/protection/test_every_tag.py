"""The best whole tags are the best of all: every rank may have a tag of its own."""

from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import Shoe, load_game
from combinat.protection.best_tags import best_tags, nearest_tags, share_seen
from combinat.rules.tags import Tags
from tests.documents import NONCOMMISSION_2025

RATIOS = st.fractions(min_value=-3, max_value=3, max_denominator=4)


@pytest.mark.parametrize(
    ("bet", "largest", "tags", "share"),
    [
        ("banker", 2, "A=1 2=1 3=1 4=1 5=-1 6=1 7=-2 8=-2 9=-1 K=1", "90.40"),
        ("tie", 3, "2=-1 3=-1 4=-1 5=-1 6=-3 7=-3 8=2 9=1 10=1 J=2 Q=2 K=2", "95.74"),
    ],
)
def test_tens_and_pictures_may_have_tags_of_their_own(bet: str, largest: int, tags: str, share: str) -> None:
    best = best_tags(load_game(NONCOMMISSION_2025), bet, Shoe.of_decks(8), largest)
    assert best.tags == Tags.parse(tags)
    assert f"{float(100 * best.share):.2f}" == share


@settings(max_examples=50, deadline=None)
@given(st.lists(RATIOS, min_size=3, max_size=3).filter(lambda effects: len(set(effects)) > 1))
def test_no_tags_of_one_level_see_more(few: list[Fraction]) -> None:
    """Of 3**13 tags, by how many ranks of each effect have each tag: that decides their sum and their share."""
    effects = tuple(few[number % 3] for number in range(13))
    best = share_seen(effects, nearest_tags(effects, 1))
    numbers = [effects.count(effect) for effect in dict.fromkeys(effects)]
    splits = [
        [cut for cut in product(range(number + 1), repeat=2) if sum(cut) <= number] for number in numbers
    ]
    for chosen in product(*splits):
        ups, downs = sum(up for up, _ in chosen), sum(down for _, down in chosen)
        if ups == downs > 0:
            seen = sum(
                (
                    effect * (up - down)
                    for effect, (up, down) in zip(dict.fromkeys(effects), chosen, strict=True)
                ),
                Fraction(0),
            )
            mean = sum(effects, Fraction(0)) / 13
            squares = sum(((effect - mean) ** 2 for effect in effects), Fraction(0))
            assert seen**2 / ((ups + downs) * squares) <= best


def test_of_equal_tags_the_smallest_are_taken() -> None:
    """Tags twice as large see as much: those of size 1 are given."""
    effects = (Fraction(1), Fraction(-1), *[Fraction(0)] * 11)
    assert nearest_tags(effects, 2) == Tags((1, -1, *[0] * 11))


def test_every_order_of_the_tags_is_covered_by_one() -> None:
    """Five ranks stand for thirteen: of all orders of the same tags, none sees more than the rising one."""
    effects = [Fraction(number) for number in (-5, -1, 0, 2, 4)]
    for rising in combinations_with_replacement(range(-2, 3), 5):
        seen = [sum(map(Fraction.__mul__, effects, map(Fraction, order))) for order in permutations(rising)]
        assert max(seen) == sum(map(Fraction.__mul__, effects, map(Fraction, rising)))
    assert len(list(combinations_with_replacement(range(-2, 3), 13))) == comb(17, 4) == 2_380
