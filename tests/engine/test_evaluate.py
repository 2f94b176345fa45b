"""``combinat.evaluate``: the contract of a batch, its counts, its stakes and its refusals."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
import pytest

from combinat import Shoe, evaluate
from combinat.analysis.joint import combination
from combinat.base.errors import CombinatError, InputError
from combinat.engine.arrays import Array
from combinat.engine.distribution import falling
from combinat.engine.walk import walk
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025
from tests.games import loaded
from tests.oracle.shoes import DEPLETED

FULL = [32] * 13
DEPLETED_SHOE = Shoe.parse(DEPLETED)


def test_the_contract() -> None:
    batch = evaluate(loaded(COMMISSION_2013), [FULL, [16] * 13])
    assert batch.bets == ("player", "banker", "tie", "player-pair", "banker-pair")
    assert batch.numerators.shape == (2, 5)
    assert batch.denominators.shape == batch.sample_spaces.shape == (2,)
    assert batch.numerators.dtype == batch.denominators.dtype == np.int64
    assert batch.sample_spaces.tolist() == [4998398275503360, falling(208, 6)]
    assert [batch.expected_value(0, bet) for bet in batch.bets] == [
        Fraction(-241149546272, 19524993263685),
        Fraction(-114753351728, 10847218479825),
        Fraction(-103841353768, 723147898655),
        Fraction(-43, 415),
        Fraction(-43, 415),
    ]


def test_what_was_not_asked_for_is_not_there() -> None:
    batch = evaluate(loaded(COMMISSION_2013), [FULL])
    state = next(iter(loaded(COMMISSION_2013).offers))
    assert (batch.states, batch.state_ways, batch.state_numerators) == ((), None, None)
    assert (batch.outcomes, batch.outcome_ways) == ((), None)
    asking: list[Callable[[], object]] = [
        lambda: batch.variance(0, "tie"),
        lambda: batch.variance_numerators,
        lambda: batch.combined(0),
        lambda: batch.state_probability(0, state),
        lambda: batch.state_expected_value(0, state),
    ]
    for ask in asking:
        with pytest.raises(CombinatError):
            ask()


@pytest.mark.parametrize(("insurance", "outcomes"), [(True, False), (False, True)])
def test_asking_for_one_part_changes_no_value(insurance: bool, outcomes: bool) -> None:
    game, shoes = loaded(COMMISSION_2013), [FULL, DEPLETED_SHOE.counts, [1] * 5 + [0] * 8]
    both = evaluate(game, shoes, insurance=True, outcomes=True)
    batch = evaluate(game, shoes, insurance=insurance, outcomes=outcomes)
    assert [list(row.values()) for row in batch] == [list(row.values()) for row in evaluate(game, shoes)]
    for part, whole in ((batch.state_ways, both.state_ways), (batch.outcome_ways, both.outcome_ways)):
        if part is not None and whole is not None:
            assert part.tolist() == whole.tolist()
    assert (batch.state_ways is None, batch.outcome_ways is None) == (not insurance, not outcomes)


def test_a_game_without_insurance_has_no_states() -> None:
    batch = evaluate(loaded(NONCOMMISSION_2025), [[4] * 13] * 3, insurance=True)
    assert batch.states == ()
    for table in (batch.state_ways, batch.state_numerators):
        assert table is not None
        assert table.tolist() == [[], [], []]


def test_the_lines_of_a_bet_are_counted_in_sequences_of_six() -> None:
    """Published counts, 8 decks: Banker wins on a two-card and on a three-card 6 (wizardofodds.com)."""
    game = loaded(NONCOMMISSION_2025)
    tigers = msgspec.structs.replace(game, bets=(game.bet("small-tiger"), game.bet("big-tiger")))
    batch = evaluate(tigers, [FULL], outcomes=True)
    assert batch.outcomes == (("small-tiger", "wins"), ("big-tiger", "wins"))
    assert batch.outcome_ways is not None
    assert batch.outcome_ways.tolist() == [[186173936904192, 83058367551488]]


def test_a_batch_without_shoes() -> None:
    game = loaded(COMMISSION_2013)
    batch = evaluate(game, np.zeros((0, 13), dtype=np.int64), insurance=True, outcomes=True)
    assert batch.numerators.shape == (0, 5)
    assert batch.denominators.shape == batch.sample_spaces.shape == (0,)
    assert batch.state_ways is not None
    assert batch.state_ways.shape == (0, len(game.offers))
    assert batch.outcome_ways is not None
    assert batch.outcome_ways.shape == (0, 7)


def test_the_variance_of_a_whole_batch() -> None:
    """Squares of nets may be too large for int64 where the nets are not."""
    batch = evaluate(loaded(NONCOMMISSION_2025), [FULL, [1] * 4 + [0] * 9], variance=True)
    assert batch.numerators.dtype == np.int64
    assert batch.variance_numerators.dtype == object
    for number, bottom in enumerate(batch.denominators.tolist()):
        for column, bet in enumerate(batch.bets):
            variance = Fraction(batch.variance_numerators[number, column], bottom**2)
            assert variance == batch.variance(number, bet)


@pytest.mark.parametrize(
    "stakes",
    [
        {"player": Fraction(100), "tie": Fraction(5, 2), "tiger-pair": Fraction(1, 7), "tiger": Fraction(3)},
        {"player": Fraction(10**15 - 1), "tie": Fraction(1, 10**14)},
        {},
    ],
)
def test_stakes_together_are_those_of_the_joint_distribution(stakes: dict[str, Fraction]) -> None:
    game = loaded(NONCOMMISSION_2025)
    expected = combination(game, stakes, walk(DEPLETED_SHOE)).mean if stakes else 0
    assert evaluate(game, [DEPLETED_SHOE.counts], stakes=stakes).combined(0) == expected


@pytest.mark.parametrize("stakes", [{"tie": 0.5}, {"tie": True}, {"tei": Fraction(1)}])
def test_stakes_that_are_refused(stakes: Any) -> None:
    with pytest.raises(InputError):
        evaluate(loaded(COMMISSION_2013), [FULL], stakes=stakes)


# ---------------------------------------------------------------- counts


@pytest.mark.parametrize(
    "counts",
    [
        [tuple(FULL)],
        [[np.int32(32)] * 13],
        *(np.array([FULL], dtype=dtype) for dtype in (np.uint8, np.int16, np.uint32, np.uint64, object)),
        [np.array(FULL)],
        np.asfortranarray([FULL] * 2)[:1],
        np.repeat(np.array([FULL]), 2, axis=0)[::2],
    ],
    ids=repr,
)
def test_counts_in_any_form_of_whole_numbers(counts: Any) -> None:
    if isinstance(counts, np.ndarray):
        counts.setflags(write=False)
    assert evaluate(loaded(COMMISSION_2013), counts).expected_value(0, "player-pair") == Fraction(-43, 415)


def test_the_counts_are_left_as_they_are() -> None:
    counts: Array = np.array([FULL, [1] + [0] * 12], dtype=np.uint8)
    before = counts.copy()
    evaluate(loaded(COMMISSION_2013), counts)
    assert (counts == before).all()


@pytest.mark.parametrize(
    ("counts", "named"),
    [
        ([FULL, [32, 32, -1, *[32] * 10]], "shoe 1: the count of 3 .* -1"),
        (np.array([FULL, [32] * 12 + [-5]]), "shoe 1: the count of K .* -5"),
        ([[-(10**30), *[0] * 12]], f"shoe 0: the count of A .* -{10**30}"),
        ([FULL, [32, 0.5, *[32] * 11]], r"shoe 1: the count of 2 .* 0\.5"),
        (np.array([FULL]) / 2, r"shoe 0: the count of A .* 16\.0"),
        ([FULL, FULL, [32, True, *[32] * 11]], "shoe 2: the count of 2 .* True"),
        (np.ones((1, 13), dtype=bool), "shoe 0: the count of A .* True"),
        ([["32"] * 13], "shoe 0: the count of A .*32"),
        ([[None] * 13], "shoe 0: the count of A .* None"),
        ([FULL, [0] * 12 + [10**9 + 1]], "shoe 1: the count of K .* 1000000001"),
        ([[2**63] * 13], f"shoe 0: the count of A .* {2**63}"),
        ([FULL, [0, 10**30, *[0] * 11]], f"shoe 1: the count of 2 .* {10**30}"),
        ([FULL, FULL[:-1]], "shoe 1: .* 12"),
        ([FULL[:-1], FULL], "shoe 0: .* 12"),
        ([FULL, 32], "counts"),
        (FULL, r"counts .*\(13,\)"),
        ([FULL[:-1]], r"counts .*\(1, 12\)"),
        ([[FULL]], r"counts .*\(1, 1, 13\)"),
        (np.zeros((2, 14), dtype=int), r"counts .*\(2, 14\)"),
        ([], r"counts .*\(0,\)"),
        (32, r"counts .*\(\)"),
    ],
)  # fmt: skip
def test_counts_that_are_refused(counts: Any, named: str) -> None:
    """The error names the first wrong row, its rank and what was found."""
    with pytest.raises(InputError, match=f"^{named}"):
        evaluate(loaded(COMMISSION_2013), counts)
