"""A bet as the pay table states it, and its settlement on an outcome."""

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import msgspec

from combinat.base.errors import InputError, near_hint, shortened
from combinat.rules.facts import (
    BY_NAME,
    FACTS,
    FIRST_FOUR_FACTS,
    PAIR_RANK_FACTS,
    RESULT_FACTS,
    THIRD_FACTS,
    fact_in_words,
)
from combinat.rules.odds import Clause, Id, Odds, Published, Share, Text
from combinat.rules.outcome import FirstFour, Outcome, Result
from combinat.rules.table_of_play import Hand

LOST = Fraction(-1)
RETURNED = Fraction(0)


class BetResult(StrEnum):
    """The result of a bet."""

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"

    @classmethod
    def of(cls, net: Fraction) -> "BetResult":
        """Return the name of a net result per unit staked."""
        return cls.RETURNED if net == RETURNED else cls.WON if net > RETURNED else cls.LOST


def common_result(nets: Iterable[Fraction]) -> BetResult | None:
    """Return the result that all these nets share, or None if they differ.

    >>> common_result([Fraction(12), Fraction(20)]), common_result([Fraction(12), Fraction(-1)])
    (<BetResult.WON: 'won'>, None)
    """
    results = {BetResult.of(net) for net in nets}
    return results.pop() if len(results) == 1 else None


def is_outcome(result: BetResult | None) -> bool:
    """Whether a bet with this result has won or lost; a returned bet has done neither."""
    return result in (BetResult.WON, BetResult.LOST)


Facts = dict[str, frozenset[Any]]
"""Facts by name, each with the values that are accepted for it."""


if TYPE_CHECKING:

    class _FactKeys(msgspec.Struct, frozen=True, kw_only=True, dict=True):
        """A key for each fact. ``Pay.of`` makes lines; ``Case.facts`` holds the named facts."""
else:
    _FactKeys = msgspec.defstruct(
        "_FactKeys",
        [(fact.name, fact.accepts | None, None) for fact in FACTS],
        frozen=True,
        kw_only=True,
        dict=True,
        module=__name__,
    )


class Case(_FactKeys, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The rounds in which all named facts hold. A fact that is not named may have any value.

    The keys are those of ``facts.FACTS``. Every outcome needs the facts, so they are collected once and cached
    (``dict``).
    """

    complete: ClassVar[bool] = True  # without one of its facts the case would cover other rounds

    @cached_property
    def facts(self) -> Facts:
        """The facts that are named, each with the values accepted for it."""
        values = {fact: getattr(self, fact) for fact in BY_NAME}
        return {
            fact: frozenset(value) if isinstance(value, frozenset) else frozenset({value})
            for fact, value in values.items()
            if value is not None
        }

    @cached_property
    def in_result(self) -> "FactsHold":
        """Whether the facts about the result hold in a result."""
        return FactsHold({fact: self.facts[fact] for fact in RESULT_FACTS if fact in self.facts})

    @cached_property
    def in_first_four(self) -> "FactsHold":
        """Whether the facts about the first four cards hold in their matches."""
        return FactsHold({fact: self.facts[fact] for fact in FIRST_FOUR_FACTS if fact in self.facts})

    def holds(self, outcome: Outcome) -> bool:
        """Whether every named fact holds in an outcome."""
        return self.in_result[outcome.result] and self.in_first_four[outcome.first_four]

    def in_words(self) -> str:
        """The facts in words, joined by commas."""
        return ", ".join(fact_in_words(fact, accepted) for fact, accepted in self.facts.items())


class FactsHold(dict[Result | FirstFour, bool]):
    """Whether these facts hold in a record; cached for each record."""

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts

    def __missing__(self, record: Result | FirstFour) -> bool:
        self[record] = all(getattr(record, fact) in accepted for fact, accepted in self.facts.items())
        return self[record]


class Pay(Case, frozen=True, kw_only=True):
    """A line of a pay table: these facts pay these odds, except in some cases.

    A commission is taken from what the odds pay: it becomes part of the odds.
    """

    apart: ClassVar[tuple[str, ...]] = (
        "odds",
        "name",
        "clause",
        "commission",
    )  # keys that do not describe the rounds

    odds: Odds
    """The profit to a stake; push returns the stake, lose takes it."""
    name: str = ""
    """The name of the line; required where a bet has several."""
    clause: str = ""
    """Where the document states this line, if not where it settles the bet."""
    commission: Share | None = None
    """The share of the profit that is kept."""
    exceptions: tuple[Case, ...] = msgspec.field(name="except", default=())
    """Cases that the line does not cover, each by facts of its own."""

    def __post_init__(self) -> None:
        if self.commission is None or self.odds is None:  # odds that were refused
            return
        if self.commission.part < 1 and self.odds.net > 0 and self.odds.less is None:
            msgspec.structs.force_setattr(self, "odds", self.odds.with_commission(self.commission))

    @classmethod
    def of(cls, odds: str, **facts: object) -> "Pay":
        """Return a line with these odds and facts, each written as in a rule book.

        >>> Pay.of("1 to 1", winner="player", margin="4-9").covers_result(Result(9, 2, 2, 2))
        True
        """
        accepted: dict[str, Any] = {}
        for name, written in facts.items():
            (*_, parsed) = get_args(BY_NAME[name].accepts) or (None,)
            accepted[name] = parsed.parse(written) if parsed else written
        return cls(odds=Odds.parse(odds), **accepted)

    def in_words(self) -> str:
        """The condition of the line in words, derived from its facts.

        >>> Pay.of("1 to 1", winner="player", margin="4-9").in_words()
        'the Player Hand wins, the hands are 4 to 9 points apart'
        """
        excepted = "; or when ".join(case.in_words() for case in self.exceptions)
        return super().in_words() + (f"; not when {excepted}" if excepted else "")

    def covers(self, outcome: Outcome) -> bool:
        """Whether every fact of the line holds and no exception holds."""
        return self.holds(outcome) and not any(case.holds(outcome) for case in self.exceptions)

    def covers_result(self, result: Result) -> bool:
        """Whether the line covers a result; for a line that depends on the result alone."""
        return self.in_result[result] and not any(case.in_result[result] for case in self.exceptions)

    def covers_first_four(self, first_four: FirstFour) -> bool:
        """Whether the line covers first four cards; for a line that depends on them alone."""
        return self.in_first_four[first_four] and not any(
            case.in_first_four[first_four] for case in self.exceptions
        )

    @property
    def excepted(self) -> list[Facts]:
        """The facts of its exceptions."""
        return [case.facts for case in self.exceptions]

    @cached_property
    def named(self) -> frozenset[str]:
        """The facts that the line depends on, including those of its exceptions."""
        return frozenset(self.facts).union(*self.excepted)

    @cached_property
    def looks_at_result(self) -> bool:
        """Whether it depends on the result of the hands."""
        return not self.named.isdisjoint(RESULT_FACTS)

    @cached_property
    def looks_at_first_four(self) -> bool:
        """Whether it depends on the matches of the first four cards."""
        return not self.named.isdisjoint(FIRST_FOUR_FACTS)

    @cached_property
    def looks_at_thirds(self) -> bool:
        """Whether it looks at the points of third cards."""
        return not self.named.isdisjoint(THIRD_FACTS)

    @cached_property
    def looks_at_pair_ranks(self) -> bool:
        """Whether it looks at the ranks of pairs."""
        return not self.named.isdisjoint(PAIR_RANK_FACTS)


class Otherwise(StrEnum):
    """The result of a bet when no line of its pay table covers the round."""

    LOSE = "lose"
    PUSH = "push"


class Bet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bet of a game: its pay table, its result if no line covers the round, its clauses and its layouts.

    ``hand``: the hand that it is a bet on; insurance insures such a bet.
    """

    id: Id
    """The id of the bet: lower-case words joined by hyphens."""
    name: Text
    """The name of the bet."""
    about: Text
    """A sentence: when the bet wins, and its result otherwise."""
    hand: Hand | None = None
    """The hand that the bet is on, if it is the bet that insurance insures."""
    defined: Clause
    """Where the document defines the bet."""
    settled: Clause
    """Where the document prints its odds."""
    layouts: tuple[str, ...]
    """The layouts that offer it."""
    pays: tuple[Pay, ...]
    """The lines of its pay table. At most one line covers any round."""
    otherwise: Otherwise = Otherwise.LOSE
    """The result of the bet when no line covers the round."""

    def __repr__(self) -> str:
        return f"<Bet {self.id}: {', '.join(str(pay.odds) for pay in self.pays)}>"

    @property
    def rest(self) -> Fraction:
        """The net result if no line covers the round: lost, or returned."""
        return RETURNED if self.otherwise is Otherwise.PUSH else LOST

    @property
    def nets(self) -> tuple[Fraction, ...]:
        """Every net result that the bet can have, in ascending order."""
        return tuple(sorted({self.rest, *(pay.odds.net for pay in self.pays)}))

    def line(self, outcome: Outcome) -> Pay | None:
        """Return the line of the pay table that covers the outcome, or None if no line does."""
        return next((pay for pay in self.pays if pay.covers(outcome)), None)

    def line_number(self, outcome: Outcome) -> int:
        """Return the index of that line in the pay table, or -1 if no line covers the outcome."""
        return next((number for number, pay in enumerate(self.pays) if pay.covers(outcome)), -1)

    def net(self, outcome: Outcome) -> Fraction:
        """Profit per unit staked: -1 lost, 0 returned."""
        line = self.line(outcome)
        return line.odds.net if line else self.rest

    def result_net(self, result: Result) -> Fraction:
        """Profit per unit staked, for a bet that looks at the result alone."""
        line = next((pay for pay in self.pays if pay.covers_result(result)), None)
        return line.odds.net if line else self.rest

    def line_name(self, pay: Pay | None) -> str:
        """Return the name of a line among the outcomes of the bet.

        None means the rounds that no line covers.
        """
        if pay is not None:
            return pay.name or "wins"
        return "loses" if self.rest else "returned"

    def line_named(self, name: str) -> int:
        """Return the index of the line of this name in the pay table; an only line without a name is ``wins``."""
        names = [self.line_name(pay) for pay in self.pays]
        if name in names:
            return names.index(name)
        hint = near_hint(name, names)
        raise InputError(f'{self.id}: there is no line "{shortened(name)}"{hint} It has: {", ".join(names)}')

    @property
    def needs_ranks(self) -> bool:
        """Whether the bet depends on ranks (pairs) and not on points alone."""
        return any(pay.looks_at_first_four for pay in self.pays)

    @property
    def looks_at_thirds(self) -> bool:
        """Whether it looks at the points of third cards."""
        return any(pay.looks_at_thirds for pay in self.pays)

    @property
    def looks_at_pair_ranks(self) -> bool:
        """Whether it looks at the ranks of pairs."""
        return any(pay.looks_at_pair_ranks for pay in self.pays)


# ---------------------------------------------------------------- statements about bets that can be checked


class ExampleRound(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A finished round, and the line of a bet's pay table that covers it.

    ``line``: its name; ``wins`` where the only line has none; ``loses``, or ``returned``, where no line covers it.
    """

    player: Text
    """The cards of the Player Hand, such as K 5 3."""
    banker: Text
    """The cards of the Banker Hand."""
    bet: Text
    """The bet."""
    line: Text
    """The line that applies: its name (wins if the only line has none), loses or returned."""


FIGURES = ("house_edge", "expected_value", "return_to_player", "hit_frequency", "probability")


class Expect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published figure of a bet on a fresh shoe, and where it is published: one of these figures.

    ``probability`` is that of a line, which ``line`` names as an example does.
    """

    bet: Text
    """The bet."""
    decks: int
    """The decks of the fresh shoe."""
    source: Text
    """Where the figure is published."""
    line: str = ""
    """The line whose probability it is."""
    house_edge: Published | None = None
    """The house edge as printed."""
    expected_value: Published | None = None
    """The expected value as printed."""
    return_to_player: Published | None = None
    """The return to the player as printed."""
    hit_frequency: Published | None = None
    """The hit frequency as printed."""
    probability: Published | None = None
    """The probability of the line as printed."""

    @property
    def figures(self) -> dict[str, Published]:
        """The figures that it states, by name."""
        stated = {name: getattr(self, name) for name in FIGURES}
        return {name: figure for name, figure in stated.items() if figure is not None}
