"""A distribution: how many card sequences lead to each course of a round."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from combinat.rules.bet import Bet
from combinat.rules.deal_space import Course, result, result_with_thirds
from combinat.rules.outcome import FirstFour, Outcome, Result, UncountedFactError
from combinat.rules.round import Round

Key = TypeVar("Key")


Courses = Mapping[FirstFour, Mapping[Course, int]]
"""The ways of every course, by how the first four cards match."""


class Distribution:
    """The ordered card sequences of a round, counted by their outcomes. It never changes.

    Every count is out of ``sample_space``: the sequences of the number of cards that a round can still take,
    or of all cards left if they are fewer. ``unopened``: the rounds that end before their fourth card, and
    their ways.

    All counts follow from ``courses``. A subclass that can compute some counts faster overrides them
    (``PairDistribution``); its courses are then counted on first use.

    Results do not include third cards, and matches do not include the ranks of pairs; ``detailed`` returns a
    distribution that includes them. ``by_pair_rank`` counts the courses again, by the ranks of pairs.
    """

    def __init__(
        self,
        *,
        sample_space: int,
        courses: Courses,
        unopened: Mapping[Round, int] | None = None,
        by_pair_rank: Callable[[], Courses] | None = None,
        thirds: bool = False,
    ) -> None:
        self.sample_space, self.unopened, self._courses = sample_space, unopened or {}, courses
        self._by_pair_rank, self._thirds = by_pair_rank, thirds
        self._detailed: dict[tuple[bool, bool], Distribution] = {(False, False): self}
        self._facts: dict[str, list[Any]] = {}
        self._by_facts: dict[tuple[str, ...], dict[tuple[Any, ...], int]] = {}
        self.kept: dict[object, Any] = {}
        """Values that callers derive from the counts and need again, by their keys."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        ours, theirs = ((each.sample_space, each.unopened, each.courses) for each in (self, other))
        return ours == theirs

    def __hash__(self) -> int:
        return hash(self.sample_space)  # hashing all counts would be slow

    def detailed(self, *, thirds: bool, pair_ranks: bool) -> "Distribution":
        """Return the same rounds, by third cards or by the ranks of pairs; counted on first use."""
        details = thirds, pair_ranks
        if details not in self._detailed:
            if pair_ranks and self._by_pair_rank is None:
                raise UncountedFactError("these rounds cannot be counted again by the ranks of pairs")
            courses = self._by_pair_rank() if pair_ranks and self._by_pair_rank else self.courses
            self._detailed[details] = Distribution(
                sample_space=self.sample_space, courses=courses, unopened=self.unopened, thirds=thirds
            )
        return self._detailed[details]

    def detailed_for(self, bets: Iterable[Bet]) -> "Distribution":
        """Return the same rounds, with all facts that these bets depend on."""
        bets = list(bets)
        return self.detailed(
            thirds=any(bet.looks_at_thirds for bet in bets),
            pair_ranks=any(bet.looks_at_pair_ranks for bet in bets),
        )

    @property
    def courses(self) -> Courses:
        """The ways of every course, by how the first four cards match."""
        return self._courses

    @cached_property
    def by_points(self) -> dict[Course, int]:
        """The ways of every course, regardless of the matches of the first four cards."""
        return summed(counted for courses in self.courses.values() for counted in courses.items())

    @cached_property
    def outcomes(self) -> dict[Outcome, int]:
        """The ways of every outcome: results and matches of the first four cards, jointly."""
        outcomes: dict[Outcome, int] = {}
        result_of = result_with_thirds if self._thirds else result
        for first_four, courses in self.courses.items():
            results: dict[Result, int] = {}
            for course, ways in courses.items():
                if not course.is_void:
                    ended = result_of(course)
                    results[ended] = results.get(ended, 0) + ways
            outcomes |= {Outcome(ended, first_four): ways for ended, ways in results.items()}
        return outcomes

    @cached_property
    def results(self) -> dict[Result, int]:
        """The ways of every result."""
        return summed((outcome.result, ways) for outcome, ways in self.outcomes.items())

    @cached_property
    def first_fours(self) -> dict[FirstFour, int]:
        """The ways of every match of the first four cards, in rounds that are not void."""
        return summed((outcome.first_four, ways) for outcome, ways in self.outcomes.items())

    def results_by(self, facts: tuple[str, ...]) -> dict[tuple[Any, ...], int]:
        """Return the ways of results by the values of some facts.

        Cached, because many bets use the same facts.
        """
        if facts not in self._by_facts:
            for fact in set(facts) - self._facts.keys():
                self._facts[fact] = list(map(attrgetter(fact), self.results))
            values = zip(*(self._facts[fact] for fact in facts), strict=True)
            self._by_facts[facts] = summed(zip(values, self.results.values(), strict=True))
        return self._by_facts[facts]

    @cached_property
    def void(self) -> int:
        """The ways in which the shoe cannot finish the round."""
        return sum(self.unopened.values()) + sum(
            ways for course, ways in self.by_points.items() if course.is_void
        )


def summed(counts: Iterable[tuple[Key, int]]) -> dict[Key, int]:
    """Return the sum of the ways of each key."""
    sums: dict[Key, int] = {}
    for key, ways in counts:
        sums[key] = sums.get(key, 0) + ways
    return sums


def falling(cards: int, drawn: int) -> int:
    """Return the number of ordered draws of ``drawn`` cards: ``cards * (cards - 1) * ...``.

    >>> falling(416, 6)
    4998398275503360
    """
    product = 1
    for number in range(cards, cards - drawn, -1):
        product *= number
    return product
