"""What is counted for every shoe of a batch: the columns of its table, and three ways to fill them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from math import lcm
from typing import TypeVar

from combinat.analysis.bets import bet_analysis
from combinat.analysis.counted import ANY_RESULT, Column, counted_state, state_net
from combinat.analysis.insurance import StateBet, insurance_analysis, moments
from combinat.engine.distribution import Course, result, told_result
from combinat.engine.pair_program import Question
from combinat.engine.pairs import NO_MATCH, NO_MATCH_TOLD
from combinat.engine.polynomial import Compiled, Polynomial
from combinat.engine.program import Values
from combinat.engine.walk import walk
from combinat.rules.bet import holds
from combinat.rules.game import Game
from combinat.rules.insurance import Moment, State
from combinat.rules.outcome import FirstFour, Outcome, Result
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe

Key = TypeVar("Key")


@dataclass(frozen=True, kw_only=True, eq=False)
class Plan:
    """The columns for a game, in this order: bets, ways of states, nets of states, lines of the pay tables.

    Nets are in parts of ``unit``; of the bets, they are taken to a ``power``: 2 is for the variance.
    """

    game: Game
    unit: int
    power: int
    bets: tuple[Column, ...]
    states: tuple[State, ...]
    outcomes: tuple[tuple[str, str], ...]
    lines: tuple[Column, ...]

    @cached_property
    def settled(self) -> dict[int, Column]:
        """The columns that outcomes decide, by their place in the table."""
        after = len(self.bets) + 2 * len(self.states)
        return dict(enumerate(self.bets)) | dict(enumerate(self.lines, start=after))

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.settled) + 2 * len(self.states)

    @cached_property
    def question(self) -> Question:
        """The columns as a question to the kernel.

        Every round is taken to add what a lost bet does, so that its course and its match add only where a bet is
        won or returned. A bet that looks at both adds by its course as if nothing matched, and jointly what differs.
        """
        columns = self.settled
        by_match = {
            place: column
            for place, column in columns.items()
            if column.looks_at_first_four and not column.looks_at_result
        }
        by_course = {place: column for place, column in columns.items() if place not in by_match}
        joint = {place: column for place, column in by_course.items() if column.looks_at_first_four}

        thirds = any(column.looks_at_thirds for column in by_course.values())
        pair_ranks = any(column.looks_at_pair_ranks for column in columns.values())
        result_of = told_result if thirds else result
        no_match = NO_MATCH_TOLD if pair_ranks else NO_MATCH

        def unmatched(ended: Result) -> Outcome:
            return Outcome(ended, no_match)

        def matched(match: FirstFour) -> Outcome:
            return Outcome(ANY_RESULT, match)

        of_result, of_match = values_by(by_course, unmatched), values_by(by_match, matched)
        of_both = values_by(joint, _itself, lambda outcome: unmatched(outcome.result))
        after_four, after_five = (self._state_values(stage) for stage in Stage)

        def by_result_and_third_card(course: Course) -> Values:
            return of_result(result_of(course)) + after_five(course)

        paid = [int(self.game.offers[state].odds.net * self.unit) for state in self.states]
        return Question(
            columns=self.width,
            largest=max(self.unit, *paid, *(column.largest for column in columns.values())),
            every_round=tuple((place, column.otherwise) for place, column in columns.items()),
            courses=(by_result_and_third_card, after_four) if self.states else (by_result_and_third_card,),
            matches=of_match if by_match else None,
            stands_for=_stands_for(joint.values()) if pair_ranks else None,
            pair_ranks=pair_ranks,
            joint=(lambda course, match: of_both(Outcome(result_of(course), match))) if joint else None,
        )

    def _state_values(self, stage: Stage) -> Callable[[Course], Values]:
        """What a course adds to the states of one stage."""
        first, terms = len(self.bets), self.game.insurance_terms
        at: dict[Moment, list[tuple[int, StateBet]]] = {}
        for place, state in enumerate(self.states, start=first):
            if state.stage is stage:
                at.setdefault(state.moment, []).append((place, StateBet(state, self.game.offers[state])))

        def values(course: Course) -> Values:
            passed = moments(course, terms.open) if at and terms else ()
            bets = [bet for moment in passed for bet in at.get(moment, ())]
            ways = [(place, 1) for place, _ in bets]
            nets = [(place + len(self.states), state_net(bet, course, self.unit)) for place, bet in bets]
            return (*ways, *((place, net) for place, net in nets if net))

        return values

    @cached_property
    def polynomials(self) -> list[tuple[Compiled, list[int], Polynomial]]:
        """The columns in the compiled form: those of each level together, with their places."""
        settled = {place: column.counted(self.game.table_of_play) for place, column in self.settled.items()}
        first, terms = len(self.bets), len(self.states)
        for place, state in enumerate(self.states, start=first):
            offer = self.game.offers[state]
            settled[place] = counted_state(self.game, state, None, self.unit)
            settled[place + terms] = counted_state(self.game, state, offer, self.unit)
        polynomials = []
        for level in {id(counted.compiled): counted.compiled for counted in settled.values()}.values():
            places = [place for place, counted in settled.items() if counted.compiled is level]
            values = [settled[place].value for place in places]
            polynomials.append((level, places, Polynomial.of(level, values)))
        return polynomials

    def walked(self, shoe: Shoe) -> list[int]:
        """The columns for a shoe that may not be able to finish a round, by the recursion."""
        distribution = walk(shoe, self.game.round())
        analyses = [bet_analysis(self.game, bet, distribution) for bet in self.game.bets]
        row = [
            sum(int((line.net * self.unit) ** self.power) * line.ways for line in analysis.outcomes)
            for analysis in analyses
        ]
        if self.states:
            states = insurance_analysis(self.game, distribution)
            row += [state.ways for state in states]
            row += [int(((state.net or 0) * state.won - state.lost) * self.unit) for state in states]
        if self.lines:
            row += [
                line.ways
                for analysis, bet in zip(analyses, self.game.bets, strict=True)
                for line in analysis.outcomes[: len(bet.pays)]
            ]
        return row


def _stands_for(columns: Iterable[Column]) -> Callable[[FirstFour], FirstFour]:
    """Of matches that no fact of these columns tells apart, the one that was met first."""
    cases = [case for column in columns for pay, _ in column.lines for case in (pay, *pay.exceptions)]
    facts = [case.first_four_facts for case in cases]
    first: dict[tuple[bool, ...], FirstFour] = {}

    def stands_for(match: FirstFour) -> FirstFour:
        return first.setdefault(tuple(holds(some, match) for some in facts), match)

    return stands_for


def values_by(
    columns: Mapping[int, Column],
    outcome: Callable[[Key], Outcome],
    other: Callable[[Key], Outcome] | None = None,
) -> Callable[[Key], Values]:
    """What each key's outcome adds to the columns beyond what its other outcome adds, or else a lost bet."""

    @cache
    def values(key: Key) -> Values:
        beyond = other(key) if other else None
        differences = [
            (place, column.value(outcome(key)) - (column.value(beyond) if beyond else column.otherwise))
            for place, column in columns.items()
        ]
        return tuple((place, value) for place, value in differences if value)

    return values


def _itself(outcome: Outcome) -> Outcome:
    return outcome


@lru_cache(maxsize=32)
def plan_of(game: Game, insurance: bool, outcomes: bool) -> Plan:
    """What to count for a game: bets, and on request insurance states and the lines of the pay tables."""
    odds = [pay.odds for bet in game.bets for pay in bet.pays]
    odds += [offer.odds for offer in game.offers.values()] if insurance else []
    unit = lcm(*(each.net.denominator for each in odds))
    paid = [(bet, number) for bet in game.bets for number in range(len(bet.pays))] if outcomes else []
    return Plan(
        game=game,
        unit=unit,
        power=1,
        bets=_nets(game, unit, 1),
        states=tuple(game.offers) if insurance else (),
        outcomes=tuple((bet.id, bet.pays[number].name or "wins") for bet, number in paid),
        lines=tuple(Column.of_line(bet, number) for bet, number in paid),
    )


@lru_cache(maxsize=16)
def squares_of(game: Game, unit: int) -> Plan:
    """What to count for the variance: the squares of the nets, apart, since they are larger numbers."""
    return Plan(game=game, unit=unit, power=2, bets=_nets(game, unit, 2), states=(), outcomes=(), lines=())


def _nets(game: Game, unit: int, power: int) -> tuple[Column, ...]:
    return tuple(Column.of_bet(bet, lambda net: int((net * unit) ** power)) for bet in game.bets)
