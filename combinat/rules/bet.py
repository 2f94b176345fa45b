"""A bet as the pay table states it, and its settlement on an outcome."""

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations_with_replacement, product
from operator import attrgetter
from typing import Any

import msgspec

from combinat.rules.accepted import NumberSet, PairsSet, RankSet, ThirdSet, WinnerSet, one_or_many
from combinat.rules.cards import Rank
from combinat.rules.odds import Clause, Odds, PointSet, Share, Text
from combinat.rules.outcome import FirstFour, Outcome, Result
from combinat.rules.table_of_play import Hand, TableOfPlay

LOST = Fraction(-1)
RETURNED = Fraction(0)

PLAIN_RESULT_FACTS = (
    "winner",
    "winning_points",
    "losing_points",
    "winning_cards",
    "losing_cards",
    "player_points",
    "banker_points",
    "total_points",
    "player_cards",
    "banker_cards",
    "cards",
    "margin",
    "natural",
    "player_natural",
    "banker_natural",
)
THIRD_FACTS = ("player_third", "banker_third")
RESULT_FACTS = (*PLAIN_RESULT_FACTS, *THIRD_FACTS)
MATCH_FACTS = FirstFour._fields[:6]
PAIR_RANK_FACTS = ("player_pair_of", "banker_pair_of")
FIRST_FOUR_FACTS = (*MATCH_FACTS, *PAIR_RANK_FACTS)
FACTS = (*RESULT_FACTS, *FIRST_FOUR_FACTS)
NATURAL_FACTS = ("natural", "player_natural", "banker_natural")


Facts = dict[str, frozenset[Any]]
"""Facts by name, each with the values that are accepted for it."""


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """Some rounds, by facts that are so in all of them. A fact that is not named may be anything.

    There are facts of the result, and of the first four cards; of each sort the last ones tell more apart than most
    bets ask for: the third cards, and the ranks of pairs. Facts are asked for with every outcome, so they are
    gathered once and kept (``dict``).
    """

    winner: WinnerSet | None = None
    winning_points: PointSet | None = None
    losing_points: PointSet | None = None
    winning_cards: NumberSet | None = None
    losing_cards: NumberSet | None = None
    player_points: PointSet | None = None
    banker_points: PointSet | None = None
    total_points: NumberSet | None = None
    player_cards: NumberSet | None = None
    banker_cards: NumberSet | None = None
    cards: NumberSet | None = None
    margin: NumberSet | None = None
    natural: bool | None = None
    player_natural: bool | None = None
    banker_natural: bool | None = None
    player_third: ThirdSet | None = None
    banker_third: ThirdSet | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    pairs: PairsSet | None = None
    player_point_pair: bool | None = None
    banker_point_pair: bool | None = None
    point_pairs: PairsSet | None = None
    player_pair_of: RankSet | None = None
    banker_pair_of: RankSet | None = None

    @cached_property
    def result_facts(self) -> Facts:
        """The facts about the result that are named, each with the values accepted for it."""
        return self._named(RESULT_FACTS)

    @cached_property
    def first_four_facts(self) -> Facts:
        """The facts about the first four cards that are named."""
        return self._named(FIRST_FOUR_FACTS)

    @property
    def facts(self) -> Facts:
        """All facts that are named."""
        return self.result_facts | self.first_four_facts

    def _named(self, facts: tuple[str, ...]) -> Facts:
        values = {fact: getattr(self, fact) for fact in facts}
        return {fact: frozenset(one_or_many(value)) for fact, value in values.items() if value is not None}

    def is_so(self, outcome: Outcome) -> bool:
        """Whether every fact that is named is so. Each result, and each first four, is looked at once."""
        results, first_fours = self._looked_at
        result_holds = results.get(outcome.result)
        if result_holds is None:
            result_holds = results[outcome.result] = holds(self.result_facts, outcome.result)
        if not result_holds:
            return False
        first_four_holds = first_fours.get(outcome.first_four)
        if first_four_holds is None:
            first_four_holds = first_fours[outcome.first_four] = holds(
                self.first_four_facts, outcome.first_four
            )
        return first_four_holds

    @cached_property
    def _looked_at(self) -> tuple[dict[Result, bool], dict[FirstFour, bool]]:
        return {}, {}


class Pay(Case, frozen=True, kw_only=True):
    """A line of a pay table: these facts pay these odds, except in some cases.

    A commission is taken from what the odds pay: it becomes part of the odds.
    """

    odds: Odds
    name: str = ""
    clause: str = ""
    commission: Share | None = None
    exceptions: tuple[Case, ...] = msgspec.field(name="except", default=())

    def __post_init__(self) -> None:
        takes_a_part = (
            self.commission is not None and self.commission.part < 1
        )  # else the rule book is refused
        if self.commission is not None and takes_a_part and self.odds.net > 0 and self.odds.less is None:
            msgspec.structs.force_setattr(self, "odds", self.odds.with_commission(self.commission))

    def covers(self, outcome: Outcome) -> bool:
        """Whether every fact this line names is so, and no exception is."""
        if not self.is_so(outcome):
            return False
        return not (self.exceptions and any(case.is_so(outcome) for case in self.exceptions))

    def covers_result(self, result: Result) -> bool:
        """The same, for a line that looks at the result alone."""
        return holds(self.result_facts, result) and not any(
            holds(case.result_facts, result) for case in self.exceptions
        )

    def covers_first_four(self, first_four: FirstFour) -> bool:
        """The same, for a line that looks at the first four cards alone."""
        return holds(self.first_four_facts, first_four) and not any(
            holds(case.first_four_facts, first_four) for case in self.exceptions
        )

    @cached_property
    def named(self) -> frozenset[str]:
        """The facts that the line looks at, in its exceptions too."""
        return frozenset(self.facts).union(*(case.facts for case in self.exceptions))

    @cached_property
    def looks_at_result(self) -> bool:
        """Whether it looks at how the hands ended."""
        return not self.named.isdisjoint(RESULT_FACTS)

    @cached_property
    def looks_at_first_four(self) -> bool:
        """Whether it looks at how the first four cards match."""
        return not self.named.isdisjoint(FIRST_FOUR_FACTS)

    @cached_property
    def looks_at_thirds(self) -> bool:
        """Whether it looks at the points of third cards."""
        return not self.named.isdisjoint(THIRD_FACTS)

    @cached_property
    def looks_at_pair_ranks(self) -> bool:
        """Whether it looks at the ranks of pairs."""
        return not self.named.isdisjoint(PAIR_RANK_FACTS)

    @cached_property
    def is_plain(self) -> bool:
        """Whether it has no exceptions and looks neither at third cards nor at the ranks of pairs."""
        return not (self.exceptions or self.looks_at_thirds or self.looks_at_pair_ranks)


def holds(facts: Facts, record: Result | FirstFour) -> bool:
    """Whether every one of these facts is so in the record."""
    return all(getattr(record, fact) in accepted for fact, accepted in facts.items())


class Otherwise(StrEnum):
    """What becomes of a bet when no line of its pay table covers the round."""

    LOSE = "lose"
    PUSH = "push"


class Bet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bet of a game: what it pays, and what becomes of it otherwise; where it is defined, settled and offered.

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
    otherwise: Otherwise = Otherwise.LOSE

    def __repr__(self) -> str:
        return f"<Bet {self.id}: {', '.join(str(pay.odds) for pay in self.pays)}>"

    @property
    def rest(self) -> Fraction:
        """The net result where no line covers the round: lost, or returned."""
        return RETURNED if self.otherwise is Otherwise.PUSH else LOST

    @property
    def nets(self) -> tuple[Fraction, ...]:
        """Every net result that the bet can have, the least first."""
        return tuple(sorted({self.rest, *(pay.odds.net for pay in self.pays)}))

    def line(self, outcome: Outcome) -> Pay | None:
        """The line of the pay table that covers the outcome; None: none does."""
        number = self.line_number(outcome)
        return None if number < 0 else self.pays[number]

    def line_number(self, outcome: Outcome) -> int:
        """The place of that line in the pay table; -1: no line covers the outcome."""
        for number, pay in enumerate(self.pays):
            if pay.covers(outcome):
                return number
        return -1

    def net(self, outcome: Outcome) -> Fraction:
        """Profit per unit staked: -1 lost, 0 returned."""
        line = self.line(outcome)
        return line.odds.net if line else self.rest

    def result_net(self, result: Result) -> Fraction:
        """Profit per unit staked, for a bet that looks at the result alone."""
        line = next((pay for pay in self.pays if pay.covers_result(result)), None)
        return line.odds.net if line else self.rest

    def line_name(self, pay: Pay | None) -> str:
        """What a line is called among the outcomes of the bet; None: what is left, where no line covers the round."""
        if pay is not None:
            return pay.name or "wins"
        return "loses" if self.rest else "returned"

    @property
    def needs_ranks(self) -> bool:
        """Whether the bet looks at ranks (pairs) and not at points alone."""
        return any(pay.looks_at_first_four for pay in self.pays)

    @property
    def looks_at_thirds(self) -> bool:
        """Whether it looks at the points of third cards."""
        return any(pay.looks_at_thirds for pay in self.pays)

    @property
    def looks_at_pair_ranks(self) -> bool:
        """Whether it looks at the ranks of pairs."""
        return any(pay.looks_at_pair_ranks for pay in self.pays)


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
    """What some facts can be together: of all the results, or of all first four cards; no third cards or pair ranks."""
    records = possible_results(table) if set(facts) <= set(PLAIN_RESULT_FACTS) else possible_first_fours()
    return frozenset(zip(*(map(attrgetter(fact), records) for fact in facts), strict=True))


def results_from(
    player: tuple[int, ...], banker: tuple[int, ...], table: TableOfPlay, *, thirds: bool = False
) -> Iterator[Result]:
    """Every result that can follow once these card points are on the table; ``thirds``: with the third cards."""
    match table.next_hand(player, banker):
        case Hand.PLAYER:
            for points in range(10):
                yield from results_from((*player, points), banker, table, thirds=thirds)
        case Hand.BANKER if not thirds:
            yield from last_drawn(sum(player) % 10, len(player))
        case Hand.BANKER:
            yield from (_result(player, (*banker, points), thirds) for points in range(10))
        case None:
            yield _result(player, banker, thirds)


@cache
def last_drawn(player_points: int, player_cards: int) -> tuple[Result, ...]:
    """The results once the Banker Hand draws the last card: whatever it had, it can come to any total."""
    return tuple(Result(player_points, points, player_cards, 3) for points in range(10))


def _result(player: tuple[int, ...], banker: tuple[int, ...], thirds: bool) -> Result:
    told = [hand[2] if len(hand) == 3 else None for hand in (player, banker)]
    return Result(
        *(sum(player) % 10, sum(banker) % 10, len(player), len(banker)),
        (told[0], told[1]) if thirds else None,
    )


@cache
def possible_first_fours() -> frozenset[FirstFour]:
    """Every way in which the first four cards can match; four ranks show them all, in any order."""
    ranks = (Rank.ACE, Rank.TWO, Rank.TEN, Rank.KING)
    hands = tuple(combinations_with_replacement(ranks, 2))
    return frozenset(FirstFour.of(player, banker) for player, banker in product(hands, repeat=2))
