"""Effects of removal: the figures against direct differences, ``combinat removal`` and its charts."""

from fractions import Fraction
from functools import cache

import pytest

from combinat import Shoe
from combinat.analysis.bets import FigureSubject, bet_analysis
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.removal import Cards, Removal, RemovalEffect, removals
from combinat.base.errors import InputError
from combinat.report.analysis.removal import removal_bars
from combinat.rules.cards import RANKS, Rank, parse_cards
from tests.conftest import Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025
from tests.games import EIGHT, loaded, walked

FEW = Shoe.parse("A=2 4=3 5=1 7=1 9=2 Q=1 K=4")


@cache
def values(game_id: str, shoe: Shoe) -> dict[str, Fraction]:
    """The expected values of a game's bets, by the recursion."""
    game = loaded(game_id)
    return {bet.id: bet_analysis(game, bet, walked(shoe)).expected_value for bet in game.bets}


@cache
def state_values(game_id: str, shoe: Shoe) -> dict[str, Fraction | None]:
    """The expected values of a game's insurance states, by the recursion."""
    return {str(one.state): one.expected_value for one in insurance_analysis(loaded(game_id), walked(shoe))}


@cache
def removals_of(game_id: str, shoe: Shoe, pairs: bool = False, insurance: bool = False) -> dict[str, Removal]:
    return {
        str(one.subject): one for one in removals(loaded(game_id), shoe, pairs=pairs, insurance=insurance)
    }


# ---------------------------------------------------------------- single cards


@pytest.mark.parametrize(
    ("shoe", "removed"), [(EIGHT, "A 6 K"), (FEW, "A 4 5 7 9 Q K")], ids=["fresh", "few"]
)
def test_an_effect_is_the_difference_of_two_expected_values(shoe: Shoe, removed: str) -> None:
    before, effects = values(NONCOMMISSION_2025, shoe), removals_of(NONCOMMISSION_2025, shoe)
    assert list(effects) == list(before)
    held = [(rank,) for rank in RANKS if shoe[rank]]
    assert all(list(one.effects) == held for one in effects.values())
    for rank in parse_cards(removed):
        after = values(NONCOMMISSION_2025, shoe.minus([rank]))
        for bet, one in effects.items():
            assert one.expected_value == before[bet]
            assert one.effects[(rank,)] == after[bet] - before[bet]


def test_the_ranks_that_matter_most_come_first() -> None:
    for one in removals_of(NONCOMMISSION_2025, EIGHT).values():
        sizes = [abs(one.effects[(rank,)] or Fraction(0)) for rank in one.most]
        assert sizes == sorted(sizes, reverse=True)
        assert sorted(one.most) == sorted(RANKS)
    assert removals_of(COMMISSION_2013, EIGHT)["tie"].most[:2] == list(parse_cards("6 7"))


def test_ranks_that_matter_alike_keep_the_order_of_the_shoe() -> None:
    """On a fresh shoe every rank has the same part in a pair: none is told from another."""
    pair = removals_of(COMMISSION_2013, EIGHT)["player-pair"]
    assert set(pair.effects.values()) == {Fraction(0)}
    assert pair.most == list(RANKS)
    assert removals_of(COMMISSION_2013, EIGHT)["tie"].most.index(Rank.KING) == (
        removals_of(COMMISSION_2013, EIGHT)["tie"].most.index(Rank.TEN) + 3
    )


def test_an_empty_shoe_has_no_card_to_remove() -> None:
    with pytest.raises(InputError):
        removals(loaded(COMMISSION_2013), Shoe((0,) * 13))


def test_the_last_card_of_a_shoe() -> None:
    """Neither with it nor without it can a round be opened: every bet comes back."""
    for one in removals(loaded(COMMISSION_2013), Shoe.parse("K=1"), pairs=True):
        assert (one.expected_value, one.effects) == (Fraction(0), {(Rank.KING,): Fraction(0)})


# ---------------------------------------------------------------- two cards


def test_two_cards_are_removed_together() -> None:
    before = values(COMMISSION_2013, EIGHT)
    effects = removals_of(COMMISSION_2013, EIGHT, pairs=True)
    for one in effects.values():
        assert [len(cards) for cards in one.effects] == [1] * 13 + [2] * 91
        assert len(set(one.effects)) == 13 + 91
    for pair in ("4 9", "K K"):
        cards = parse_cards(pair)
        after = values(COMMISSION_2013, EIGHT.minus(cards))
        for bet, one in effects.items():
            assert one.effects[cards] == after[bet] - before[bet]


def test_two_of_a_rank_are_removed_only_where_there_are_two() -> None:
    cards = set(removals_of(COMMISSION_2013, FEW, pairs=True)["tie"].effects)
    assert parse_cards("A A") in cards
    assert parse_cards("5 7") in cards
    assert not {parse_cards(pair) for pair in ("5 5", "7 7", "Q Q")} & cards
    held = sum(1 for rank in RANKS if FEW[rank])
    assert len(cards) == held + held * (held - 1) // 2 + sum(1 for rank in RANKS if FEW[rank] >= 2)


def test_no_error_can_be_told_where_an_effect_is_unknown() -> None:
    ace, two = Rank.ACE, Rank.TWO
    known: dict[Cards, Fraction | None] = {(ace,): Fraction(1), (two,): Fraction(2), (ace, two): Fraction(4)}
    assert removal_of(known).linear_error((ace, two)) == -1
    assert removal_of(known).largest_linear_error == 1
    for unknown in known:
        partly = removal_of({**known, unknown: None})
        assert partly.linear_error((ace, two)) is None
        assert partly.largest_linear_error is None
    assert removal_of({**known, (two,): None}).most == [ace]


def removal_of(changes: dict[Cards, Fraction | None]) -> Removal:
    return Removal(
        subject=FigureSubject(bet="x"),
        expected_value=Fraction(0),
        changes=tuple(RemovalEffect(removed=cards, change=change) for cards, change in changes.items()),
    )


def test_the_worst_and_the_best_two_cards() -> None:
    """Of equal ones, the first by name is the worst and the last the best; of none there is neither."""
    ace, two, king = Rank.ACE, Rank.TWO, Rank.KING
    changes: dict[Cards, Fraction | None] = {
        (ace,): Fraction(9),
        (ace, ace): None,
        (king, king): Fraction(-2),
        (ace, two): Fraction(-2),
        (two, two): Fraction(3),
        (two, king): Fraction(3),
    }
    removal = removal_of(changes)
    assert (removal.worst_pair, removal.best_pair) == ((ace, two), (two, king))
    alone = removal_of({(ace,): Fraction(9)})
    assert (alone.worst_pair, alone.best_pair, alone.largest_linear_error) == (None, None, None)


# ---------------------------------------------------------------- insurance states


@pytest.mark.parametrize(("shoe", "removed"), [(EIGHT, "6 K"), (FEW, "A 4 5 7 9 Q K")], ids=["fresh", "few"])
def test_an_insurance_state_is_valued_given_that_it_arose(shoe: Shoe, removed: str) -> None:
    before = state_values(COMMISSION_2013, shoe)
    effects = removals_of(COMMISSION_2013, shoe, insurance=True)
    assert list(effects) == list(before)
    assert len(effects) == 73
    for rank in parse_cards(removed):
        after = state_values(COMMISSION_2013, shoe.minus([rank]))
        for state, one in effects.items():
            assert one.expected_value == before[state]
            value, start = after[state], before[state]
            change = None if value is None or start is None else value - start
            assert one.effects[(rank,)] == change


# ---------------------------------------------------------------- the command


def test_tens_and_pictures_have_columns_of_their_own_where_they_differ(run: Run) -> None:
    printed = run("removal", COMMISSION_2013, "--removed", "J J", "--bet", "player-pair").output()
    headers = [line.split()[1:] for line in printed.splitlines() if line.split()[:1] == ["bet"]]
    assert headers[1] + headers[2] == list(RANKS)
    alike = run("removal", COMMISSION_2013, "--bet", "tie").output()
    _, header = [line.split()[1:] for line in alike.splitlines() if line.split()[:1] == ["bet"]]
    assert header == [*RANKS[:9], "10-K"]


# ---------------------------------------------------------------- the chart


def test_a_chart_shows_every_bet_and_every_rank() -> None:
    """Exact values, tens and pictures as one, and no bar for a value that does not exist."""
    tie, other = (removals_of(COMMISSION_2013, EIGHT)[bet] for bet in ("tie", "player"))
    bars = removal_bars([tie, other], "a title")
    assert (bars.title, [panel.title for panel in bars.panels]) == ("a title", ["tie", "player"])
    assert [bar.label for bar in bars.panels[0].bars] == [*RANKS[:9], "10-K"]
    assert [bar.value for bar in bars.panels[0].bars] == [tie.effects[(rank,)] for rank in RANKS[:10]]
    (panel,) = removal_bars([removal_of({(Rank.ACE,): None})], "").panels
    assert [(bar.label, bar.value) for bar in panel.bars] == [("A", None)]
