"""A bet as the pay table states it, and its settlement on an outcome."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations_with_replacement, product
from operator import attrgetter
from typing import Any

import msgspec

from combinat.rules.cards import Rank
from combinat.rules.odds import Clause, Odds, PointSet, Text
from combinat.rules.outcome import FirstFour, Outcome, Pairs, Result, Winner
from combinat.rules.table_of_play import Hand, TableOfPlay

LOST = Fraction(-1)
RETURNED = Fraction(0)

RESULT_FACTS = (
    "winner",
    "winning_points",
    "player_points",
    "banker_points",
    "player_cards",
    "banker_cards",
    "cards",
    "margin",
)
FIRST_FOUR_FACTS = FirstFour._fields


Facts = dict[str, frozenset[Any]]
"""Facts by name, each with the values that are accepted for it."""


class Pay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A line of a pay table: these facts pay these odds. A fact that is not named may be anything.

    Its facts are asked for with every outcome, so they are gathered once and kept (``dict``).
    """

    odds: Odds
    name: str = ""
    clause: str = ""
    winner: Winner | None = None
    winning_points: PointSet | None = None
    player_points: PointSet | None = None
    banker_points: PointSet | None = None
    player_cards: int | None = None
    banker_cards: int | None = None
    cards: int | None = None
    margin: int | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    pairs: Pairs | None = None
    player_point_pair: bool | None = None
    banker_point_pair: bool | None = None
    point_pairs: Pairs | None = None

    @cached_property
    def result_facts(self) -> Facts:
        """The facts about the result that this line names, each with the values it accepts."""
        return self._named(RESULT_FACTS)

    @cached_property
    def first_four_facts(self) -> Facts:
        """The facts about the first four cards that this line names."""
        return self._named(FIRST_FOUR_FACTS)

    def _named(self, facts: tuple[str, ...]) -> Facts:
        values = {fact: getattr(self, fact) for fact in facts}
        return {
            fact: value if isinstance(value, PointSet) else frozenset({value})
            for fact, value in values.items()
            if value is not None
        }

    def covers(self, outcome: Outcome) -> bool:
        """Whether every fact this line names is so."""
        return holds(self.result_facts, outcome.result) and holds(self.first_four_facts, outcome.first_four)


def holds(facts: Facts, record: Result | FirstFour) -> bool:
    """Whether every one of these facts is so in the record."""
    return all(getattr(record, fact) in accepted for fact, accepted in facts.items())


class Bet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bet of a game: what it pays, and loses otherwise; where it is defined, settled and offered.

    ``hand``: it is the bet on this hand, the one that insurance insures.
    """

    id: Text
    name: Text
    about: Text
    hand: Hand | None = None
    defined: Clause
    settled: Clause
    layouts: tuple[str, ...]
    pays: tuple[Pay, ...]

    def line(self, outcome: Outcome) -> Pay | None:
        """The line of the pay table that covers the outcome; None: the bet loses."""
        return next((pay for pay in self.pays if pay.covers(outcome)), None)

    def net(self, outcome: Outcome) -> Fraction:
        """Profit per unit staked: -1 lost, 0 returned."""
        line = self.line(outcome)
        return line.odds.net if line else LOST

    def result_net(self, result: Result) -> Fraction:
        """Profit per unit staked, for a bet that looks at the result alone."""
        line = next((pay for pay in self.pays if holds(pay.result_facts, result)), None)
        return line.odds.net if line else LOST

    def label(self, pay: Pay) -> str:
        """What the pay table calls this line."""
        return pay.name or self.name

    @property
    def needs_ranks(self) -> bool:
        """Whether the bet looks at ranks (pairs) and not at points alone."""
        return any(pay.first_four_facts for pay in self.pays)


@lru_cache(maxsize=64)
def possible_results(table: TableOfPlay) -> frozenset[Result]:
    """Every result that a Table of Play can come to."""
    results: set[Result] = set()
    banker_drew: set[tuple[int, int]] = set()  # then its total can be any
    for player, banker in product(range(10), repeat=2):
        hands: list[tuple[int, ...]] = [(player, 0)]
        if table.next_hand(hands[0], (banker, 0)) is Hand.PLAYER:
            hands = [(player, 0, third) for third in range(10)]
        for hand in hands:
            total, cards = sum(hand) % 10, len(hand)
            if table.next_hand(hand, (banker, 0)) is None:
                results.add(Result(total, banker, cards, 2))
            else:
                banker_drew.add((total, cards))
    return frozenset(results).union(
        Result(total, points, cards, 3) for total, cards in banker_drew for points in range(10)
    )


@lru_cache(maxsize=1024)
def possible_values(table: TableOfPlay, facts: tuple[str, ...]) -> frozenset[tuple[Any, ...]]:
    """What some facts can be together: of all the results, or of all first four cards."""
    records = possible_results(table) if set(facts) <= set(RESULT_FACTS) else possible_first_fours()
    return frozenset(zip(*(map(attrgetter(fact), records) for fact in facts), strict=True))


def results_from(player: tuple[int, ...], banker: tuple[int, ...], table: TableOfPlay) -> Iterator[Result]:
    """Every result that can follow once these card points are on the table."""
    match table.next_hand(player, banker):
        case Hand.PLAYER:
            for points in range(10):
                yield from results_from((*player, points), banker, table)
        case Hand.BANKER:
            total, cards = sum(player) % 10, len(player)
            yield from (Result(total, points, cards, len(banker) + 1) for points in range(10))
        case None:
            yield Result(sum(player) % 10, sum(banker) % 10, len(player), len(banker))


@cache
def possible_first_fours() -> frozenset[FirstFour]:
    """Every way in which the first four cards can match; four ranks show them all, in any order."""
    ranks = (Rank.ACE, Rank.TWO, Rank.TEN, Rank.KING)
    hands = tuple(combinations_with_replacement(ranks, 2))
    return frozenset(FirstFour.of(player, banker) for player, banker in product(hands, repeat=2))
