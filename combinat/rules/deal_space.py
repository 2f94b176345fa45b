"""The space of deals: all possible rounds under one Table of Play.

By points, a round takes a ``Course``: the totals of the first two cards of each hand, then the third cards. By cards, it is
a ``Round``. Rounds are of one kind if no fact of a pay line distinguishes them: their hands have the same totals, match in
the same way and draw third cards worth the same. The space has one round of each kind, so a set of kinds is a whole number
with a bit for each of them: the overlap of two lines is one ``and``.

Every part of the space is built on first use.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations_with_replacement, product
from operator import attrgetter
from typing import Any, NamedTuple

from combinat.rules.bet import Bet, BetResult, Facts, Pay, common_result
from combinat.rules.cards import POINTS, RANKS, Rank, point_total
from combinat.rules.facts import BY_NAME, Part, named_facts
from combinat.rules.outcome import FirstFour, Outcome, Result
from combinat.rules.round import Round, Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import TOTALS, Hand, TableOfPlay

# ---------------------------------------------------------------- by points


class Course(NamedTuple):
    """A round by points: the totals of each hand's first two cards, and the third cards, if any.

    ``is_void``: the shoe had no card left for the hand that had to draw.
    """

    player: int
    banker: int
    player_third: int | None = None
    banker_third: int | None = None
    is_void: bool = False

    @classmethod
    def of(cls, dealt: Round) -> "Course":
        """Return the course so far of a round of four cards or more."""
        return cls.of_hands(dealt.player, dealt.banker)

    @classmethod
    def of_hands(cls, player: Sequence[Rank], banker: Sequence[Rank]) -> "Course":
        """Return the course so far of two hands of two cards or more."""
        return cls(
            point_total(rank.points for rank in player[:2]),
            point_total(rank.points for rank in banker[:2]),
            player[2].points if len(player) == 3 else None,
            banker[2].points if len(banker) == 3 else None,
        )

    @property
    def cards(self) -> int:
        """The number of cards dealt."""
        return 4 + (self.player_third is not None) + (self.banker_third is not None)

    @property
    def result(self) -> Result:
        """The result of the hands, without third cards."""
        return result(self)

    def next_hand(self, table: TableOfPlay) -> Hand | None:
        """Return the hand that draws the next card, or None if the round is over."""
        if self.banker_third is not None:
            return None
        return table.next_after_four(self.player, self.banker, self.player_third)


@cache
def result(course: Course) -> Result:
    """Return the result of the hands; for a void round, the hands as dealt so far."""
    return Result(
        (course.player + (course.player_third or 0)) % 10,
        (course.banker + (course.banker_third or 0)) % 10,
        2 + (course.player_third is not None),
        2 + (course.banker_third is not None),
    )


@cache
def result_with_thirds(course: Course) -> Result:
    """Return the result of the hands, with the points of third cards."""
    return result(course)._replace(thirds=(course.player_third, course.banker_third))


# ---------------------------------------------------------------- by cards

ORDER = (*reversed(RANKS[9:]), *RANKS[:9])
"""The ranks as examples prefer them: K Q J 10, then A to 9. So a hand of 6 is a King and a 6."""

_PLACE = {rank: place for place, rank in enumerate(ORDER)}
_WORTH = [tuple(rank for rank in ORDER if POINTS[rank] == points) for points in TOTALS]

Two = tuple[Rank, ...]
"""The first two cards of a hand."""


def _kind(two: Two) -> tuple[int, Rank | bool]:
    """Return the kind of first two cards: their total, and the rank of a pair, or whether points match."""
    first, second = two
    total = point_total((first.points, second.points))
    return (total, first) if first is second else (total, first.points == second.points)


def _kinds() -> dict[Two, tuple[Two, ...]]:
    """Return the first two cards of every kind, by the first of them.

    Cards that do not match come before pairs.
    """
    twos: dict[tuple[int, Rank | bool], list[Two]] = {}
    for two in combinations_with_replacement(ORDER, 2):
        twos.setdefault(_kind(two), []).append(two)
    apart = [twos[total, False] for total in TOTALS]
    pairs = [twos[point_total((2 * rank.points,)), rank] for rank in reversed(RANKS)]
    return {alike[0]: tuple(alike) for alike in (*apart, *pairs, twos[0, True])}


_TWOS = _kinds()


def order_of(dealt: Round) -> tuple[int, ...]:
    """Return the sort key of a round among all: its cards in the order of dealing, with ranks as in ``ORDER``."""
    return tuple(_PLACE[card] for card in dealt.in_order)


def dealt_from(shoe: Shoe, first: Round) -> Round | None:
    """Return the first round of the same kind that the shoe has the cards for, or None; ``first``: of all.

    >>> str(dealt_from(Shoe.parse("K=2 Q=1 9=1"), Round((Rank.KING, Rank.KING), (Rank.KING, Rank.NINE))))
    'Player K K, Banker Q 9'
    """
    if _has(shoe, first.in_order):
        return first
    twos = _twos_on(shoe)
    fours = product(twos[first.player[:2]], twos[first.banker[:2]])
    deals = (_with_thirds(shoe, player, banker, first) for player, banker in fours)
    return min((deal for deal in deals if deal), key=order_of, default=None)


@lru_cache(maxsize=4)
def _twos_on(shoe: Shoe) -> dict[Two, list[Two]]:
    """Return the first two cards of every kind that the shoe can deal."""
    return {first: [two for two in alike if _has(shoe, two)] for first, alike in _TWOS.items()}


def _has(shoe: Shoe, cards: Sequence[Rank]) -> bool:
    return all(cards.count(rank) <= shoe[rank] for rank in cards)


def _with_third(two: Two, points: int | None) -> tuple[Rank, ...]:
    return two if points is None else (*two, _WORTH[points][0])


def _with_thirds(shoe: Shoe, player: Two, banker: Two, like: Round) -> Round | None:
    """Return these first four cards with third cards of the same points as another round, if the shoe has them."""
    hands, dealt = [player, banker], [*player, *banker]
    for number, hand in enumerate((like.player, like.banker)):
        if len(hand) == 3:
            left = (rank for rank in _WORTH[hand[2].points] if dealt.count(rank) < shoe[rank])
            if (third := next(left, None)) is None:
                return None
            hands[number], dealt = (*hands[number], third), [*dealt, third]
    return Round(hands[0], hands[1], like.table) if _has(shoe, dealt) else None


Kinds = int
"""A set of kinds of deals: the bit of each one's place."""


class FactBits:
    """Records with a bit for each; ``read`` returns the function that reads one of these facts from a record."""

    def __init__(
        self, records: Sequence[Any], facts: Iterable[str], read: Callable[[str], Callable[[Any], object]]
    ) -> None:
        self.records, self.facts, self._read = records, frozenset(facts), read
        self._by_value: dict[str, dict[object, int]] = {}

    def having(self, *wanted: Mapping[str, Iterable[object]], excepted: Iterable[Facts] = ()) -> int:
        """Return the bits of the records that have all the facts wanted and no case excepted, as far as they tell."""
        bits = (1 << len(self.records)) - 1
        for fact, accepted in ((fact, accepted) for facts in wanted for fact, accepted in facts.items()):
            if fact in self.facts:
                by_value, having = self._of(fact), 0
                for value in accepted:
                    having |= by_value.get(value, 0)
                bits &= having
        for case in excepted:
            if case.keys() <= self.facts:
                bits &= ~self.having(case)
        return bits

    def _of(self, fact: str) -> dict[object, int]:
        """Return the bits of the records with each value of a fact."""
        if fact not in self._by_value:
            digits: dict[object, bytearray] = {}
            for place, value in enumerate(map(self._read(fact), reversed(self.records))):
                if value not in digits:
                    digits[value] = bytearray(b"0" * len(self.records))
                digits[value][place] = ord("1")
            self._by_value[fact] = {value: int(bits, 2) for value, bits in digits.items()}
        return self._by_value[fact]


class DealSpace:
    """The deals under one Table of Play."""

    def __init__(self, table: TableOfPlay) -> None:
        self.table = table
        self._results: dict[Course, frozenset[Result]] = {}

    # ------------------------------------------------------------ courses

    @cached_property
    def courses(self) -> tuple[Course, ...]:
        """Every course that a round can take."""
        return tuple(
            course for player, banker in product(TOTALS, repeat=2) for course in self._from[player, banker]
        )

    @cached_property
    def _from(self) -> dict[tuple[int, int], tuple[Course, ...]]:
        """The courses by the totals of the first two cards of each hand."""
        return {
            (player, banker): tuple(self._following(Course(player, banker)))
            for player, banker in product(TOTALS, repeat=2)
        }

    def courses_from(self, start: Course) -> Sequence[Course]:
        """Return every course that can follow once these cards are on the table, including void ones."""
        if start.cards == 4:
            return self._from[start.player, start.banker]
        return tuple(self._following(start._replace(is_void=False)))

    def _following(self, start: Course) -> Iterator[Course]:
        player, banker, third, _, _ = start
        match start.next_hand(self.table):
            case Hand.PLAYER:
                for points in TOTALS:
                    yield from self._following(Course(player, banker, points))
            case Hand.BANKER:
                yield from (Course(player, banker, third, points) for points in TOTALS)
            case None:
                yield start

    def ending(self, start: Course, more: Sequence[int]) -> Course:
        """Return the course of a round if cards worth these points come next; unneeded cards are ignored."""
        match start.next_hand(self.table):
            case Hand.PLAYER:
                return self.ending(start._replace(player_third=more[0]), more[1:])
            case Hand.BANKER:
                return start._replace(banker_third=more[0])
            case None:
                return start

    # ------------------------------------------------------------ results and outcomes

    @cached_property
    def results(self) -> frozenset[Result]:
        """Every result that a round can have, without third cards."""
        starts = (Course(player, banker) for player, banker in product(TOTALS, repeat=2))
        return frozenset[Result]().union(*map(self.results_from, starts))

    def results_from(self, start: Course, *, thirds: bool = False) -> frozenset[Result]:
        """Return every result that can follow once these cards are on the table.

        ``thirds``: with the third cards.
        """
        if thirds:
            return frozenset(map(result_with_thirds, self.courses_from(start)))
        if start not in self._results:
            courses = self._when_player_is_done(start)
            self._results[start] = frozenset().union(*map(self._last_results, courses))
        return self._results[start]

    def _when_player_is_done(self, start: Course) -> Sequence[Course]:
        """Return the courses by the Player's third card, if the Player Hand is to draw it."""
        if start.next_hand(self.table) is not Hand.PLAYER:
            return (start,)
        return [Course(start.player, start.banker, points) for points in TOTALS]

    def _last_results(self, start: Course) -> Collection[Result]:
        """Return every result that can follow when the Player Hand is done."""
        if start.next_hand(self.table) is None:
            return (result(start),)
        return _after_last_card(*_player_hand(start))

    @cached_property
    def _at_stage(self) -> Mapping[tuple[Stage, int, int], tuple[set[Result], set[Result]]]:
        """The results that can follow both totals at a stage: with a card to come, and if the round is over."""
        at: dict[tuple[Stage, int, int], tuple[set[Result], set[Result]]] = {}
        for player, banker in product(TOTALS, repeat=2):
            courses = self._when_player_is_done(Course(player, banker))
            following = [self._last_results(course) for course in courses]
            moments = [
                (Stage.PLAYER_THIRD_CARD, result(course), results)
                for course, results in zip(courses, following, strict=True)
                if course.player_third is not None
            ]
            opening = Result(player, banker, 2, 2)
            for stage, hands, results in [(Stage.FOUR_CARDS, opening, set().union(*following)), *moments]:
                key = stage, hands.player_points, hands.banker_points
                going_on, over = at.setdefault(key, (set(), set()))
                (going_on if len(results) > 1 else over).update(results)  # a card to come changes a total
        return at

    def results_at(self, stage: Stage, player: int, banker: int, *, to_come: bool) -> set[Result]:
        """Return every result that can follow these totals at a stage; ``to_come``: only with a card to come."""
        going_on, over = self._at_stage.get((stage, player, banker), (set(), set()))
        return going_on if to_come else going_on | over

    # ------------------------------------------------------------ which facts go together

    def is_possible(
        self, wanted: Sequence[Facts], excepted: Sequence[Facts] = (), *, jointly: bool = True
    ) -> bool:
        """Whether a round can have all the facts wanted, and no case excepted.

        Results and first four cards are searched by themselves, and the kinds of deals only if that decides nothing.
        ``jointly``: False if a result and first four cards that never meet are possible nevertheless.
        """
        named, told, found = set[str]().union(*wanted, *excepted), set[str](), 0
        for records in self._records_of_rounds():
            found = records.having(*wanted, excepted=excepted)
            told |= records.facts
            if not found or named <= (records.facts if jointly else told):
                break
        return bool(found)

    def _records_of_rounds(self) -> Iterator[FactBits]:
        """Yield records that tell other facts of rounds each, the last one all of them; built on first use."""
        yield self._result_set
        yield _first_fours()
        yield self._bits

    @cached_property
    def _result_set(self) -> FactBits:
        return FactBits(tuple(self.results), named_facts(Part.RESULT), attrgetter)

    # ------------------------------------------------------------ kinds of deals

    @cached_property
    def _kinds(self) -> list[tuple[Two, Two, Course]]:
        return [
            (player, banker, course)
            for player, banker in product(_TWOS, repeat=2)
            for course in self.courses_from(Course.of_hands(player, banker))
        ]

    @cached_property
    def deals(self) -> list[Round]:
        """The first round of every kind."""
        return [
            Round(
                _with_third(player, course.player_third),
                _with_third(banker, course.banker_third),
                self.table,
            )
            for player, banker, course in self._kinds
        ]

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """The outcome of every kind, with all facts."""
        matches = {fours: FirstFour.of(*fours, by_rank=True) for fours in product(_TWOS, repeat=2)}
        return [
            Outcome(result_with_thirds(course), matches[player, banker])
            for player, banker, course in self._kinds
        ]

    @cached_property
    def _bits(self) -> FactBits:
        return FactBits(self.outcomes, BY_NAME, lambda fact: BY_NAME[fact].of)

    @property
    def all_kinds(self) -> Kinds:
        """The set of all kinds."""
        return self.having({})

    @cached_property
    def by_course(self) -> dict[Course, Kinds]:
        """The kinds that take each course."""
        kinds = dict.fromkeys(self.courses, 0)
        for place, (_, _, course) in enumerate(self._kinds):
            kinds[course] |= 1 << place
        return kinds

    def covered(self, line: Pay) -> Kinds:
        """Return the kinds that a line of a pay table covers."""
        return self._bits.having(line.facts, excepted=line.excepted)

    def having(self, facts: Mapping[str, Iterable[object]]) -> Kinds:
        """Return the kinds in which each fact has one of its values."""
        return self._bits.having(facts)

    def indexes(self, kinds: Kinds) -> Iterator[int]:
        """Return the indexes of the kinds of a set."""
        while kinds:
            lowest = kinds & -kinds
            yield lowest.bit_length() - 1
            kinds ^= lowest

    def example(self, kinds: Kinds, shoe: Shoe | None = None) -> Round | None:
        """Return a deal of the first kind in a set, dealt from the shoe if one is passed, or None."""
        deals = (self.deals[number] for number in self.indexes(kinds))
        return next(deals if shoe is None else filter(None, (dealt_from(shoe, deal) for deal in deals)), None)

    def first(self, kinds: Kinds, shoe: Shoe) -> Round | None:
        """Return the first deal of these kinds that the shoe has the cards for, or None."""
        deals = (dealt_from(shoe, self.deals[number]) for number in self.indexes(kinds))
        return min(filter(None, deals), key=order_of, default=None)


@lru_cache(maxsize=64)
def deal_space(table: TableOfPlay) -> DealSpace:
    """Return the space of deals under a Table of Play."""
    return DealSpace(table)


def _player_hand(course: Course) -> tuple[int, int]:
    """Return the Player Hand's total and number of cards."""
    if course.player_third is None:
        return course.player, 2
    return (course.player + course.player_third) % 10, 3


@cache
def _after_last_card(player_points: int, player_cards: int) -> frozenset[Result]:
    """Return the results if the Banker Hand draws the last card: it can reach every total from any total."""
    return frozenset(Result(player_points, points, player_cards, 3) for points in TOTALS)


@cache
def _first_fours() -> FactBits:
    """Return every possible match of the first four cards, without the ranks of pairs."""
    twos = list(_TWOS)[len(TOTALS) - 1 :]  # one of the kinds that do not match, and all that match
    fours = {FirstFour.of(player, banker) for player, banker in product(twos, repeat=2)}
    return FactBits(tuple(fours), named_facts(Part.MATCHES), attrgetter)


# ---------------------------------------------------------------- continuations of a round


@lru_cache(maxsize=64)
def outcomes_from(
    dealt: Round, thirds: bool = False, pair_ranks: bool = False
) -> Mapping[FirstFour, frozenset[Result]]:
    """Return every outcome that can follow from a round if the shoe has every rank: results by first four."""
    starts: dict[FirstFour, set[Course]] = {}
    for player, banker in product(_hands(dealt.player), _hands(dealt.banker)):
        first_four = FirstFour.of(player[:2], banker[:2], by_rank=pair_ranks)
        starts.setdefault(first_four, set()).add(Course.of_hands(player, banker))
    space = deal_space(dealt.table)
    return {
        first_four: frozenset().union(*(space.results_from(start, thirds=thirds) for start in courses))
        for first_four, courses in starts.items()
    }


def _hands(known: Sequence[Rank]) -> list[tuple[Rank, ...]]:
    """Return a hand of two cards or more for each kind of two cards that can follow from the known cards."""
    drawn = product(ORDER, repeat=2 - min(len(known), 2))
    return list({_kind((*known, *more)[:2]): (*known, *more) for more in drawn}.values())


@lru_cache(maxsize=64)
def _results_of_all(dealt: Round, thirds: bool) -> frozenset[Result]:
    return frozenset().union(*outcomes_from(dealt, thirds).values())


def _nets(bet: Bet, dealt: Round) -> Iterator[Fraction]:
    if not bet.needs_ranks:
        return (bet.result_net(result) for result in _results_of_all(dealt, bet.looks_at_thirds))
    outcomes = outcomes_from(dealt, bet.looks_at_thirds, bet.looks_at_pair_ranks)
    return (bet.net(Outcome(result, four)) for four, of_four in outcomes.items() for result in of_four)


def decided_net(bet: Bet, dealt: Round) -> Fraction | None:
    """Return the net result of a bet that is already decided, or None. The shoe is assumed to hold every rank."""
    nets = set(_nets(bet, dealt))
    return nets.pop() if len(nets) == 1 else None


def decided_bets(bets: Sequence[Bet], dealt: Round) -> Mapping[str, BetResult | None]:
    """Return the result of each bet that is already decided, or None. The shoe is assumed to hold every rank."""
    return {bet.id: common_result(_nets(bet, dealt)) for bet in bets}
