"""Worked examples: few finished rounds that together show every result of every wager.

The examples show each line of each pay table and its loss, if a round can reach it; and for each line
of an insurance table the bet won, lost, returned on a tie, and paid on a tie. The rounds are computed, not
listed by hand, so that they fit any rule book:

- Deals have an order (``order_of``), in which a hand of 6 is a King and a 6.
- Of all deals of one deck that show most of what no example has shown yet, the first is the next example, until all is shown.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, product

from combinat.analysis.insurance import moments
from combinat.rules.bet import Bet
from combinat.rules.cards import Rank
from combinat.rules.deal_space import Course, DealSpace, Kinds, deal_space, order_of
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand
from combinat.table.insurance_bet import open_insurance
from combinat.table.settlement import insurance_line, settle

ONE_DECK = Shoe.of_decks(1)
"""The shoe of the examples: any shoe can deal them."""

UNIT = Fraction(1)


@dataclass(frozen=True, kw_only=True)
class ExampleLine:
    """A bet of a worked example: a unit staked, and its result.

    ``line``: the line of its pay table, counted from 1; a loss has the number after the last line.
    """

    bet: str
    name: str
    line: int
    result: str
    odds: str
    net: Fraction
    clause: str


@dataclass(frozen=True, kw_only=True)
class ExampleInsurance:
    """An insurance bet that was open in a worked example: a unit staked, and what became of it.

    ``line``: the line of the insurance tables, counted from 1 through all of them.
    """

    line: int
    state: State
    result: str
    is_tie: bool
    odds: str
    net: Fraction
    clause: str


@dataclass(frozen=True, kw_only=True)
class Example:
    """A finished round, with a unit on every bet and on every insurance bet that was open; counted from 1."""

    number: int
    dealt: tuple[Rank, ...]
    player: tuple[Rank, ...]
    banker: tuple[Rank, ...]
    player_two_cards: int
    banker_two_cards: int
    player_third: int | None
    player_points: int
    banker_points: int
    lines: tuple[ExampleLine, ...]
    insurance: tuple[ExampleInsurance, ...]


def examples(game: Game) -> tuple[Example, ...]:
    """Return the worked examples of a game."""
    space = deal_space(game.table_of_play)
    shown_by: dict[int, Round] = {}  # the sets of results, as bits, each with the first deal that shows it
    for shows, kinds in _kinds(game, space).items():
        if (deal := space.first(kinds, ONE_DECK)) is not None:
            shown_by[shows] = deal
    chosen, unseen = list[Example](), 0
    for shows in shown_by:
        unseen |= shows
    while unseen:
        best = max(
            shown_by,
            key=lambda shows: ((shows & unseen).bit_count(), [-rank for rank in order_of(shown_by[shows])]),
        )
        chosen.append(_example(game, shown_by[best], len(chosen) + 1))
        unseen &= ~best
    return tuple(chosen)


def _kinds(game: Game, space: DealSpace) -> dict[int, Kinds]:
    """Return the kinds of deals by the results they show: a bit per pay line and insurance result."""
    places = defaultdict[tuple[object, ...], int](count().__next__)
    by_course, insured = defaultdict[int, Kinds](int), insurance_lines(game)
    for course, kinds in space.by_course.items():
        bits = {1 << places[shown] for shown in _insurance_shown(game, insured, course)}
        by_course[sum(bits)] |= kinds
    shown = dict(by_course)
    for bet in game.bets:
        lines, left = list[tuple[int, Kinds]](), space.all_kinds
        for number, pay in enumerate(bet.pays, start=1):
            lines.append((1 << places[bet.id, number], space.covered(pay) & left))
            left &= ~lines[-1][1]
        lines.append((1 << places[bet.id, len(bet.pays) + 1], left))
        shown = {
            shows | bit: both
            for shows, kinds in shown.items()
            for bit, covered in lines
            if (both := kinds & covered)
        }
    return shown


def _insurance_shown(game: Game, lines: dict[State, int], course: Course) -> Iterator[tuple[int, int, bool]]:
    """Yield the insurance that is open in a course: its line, whether it wins or loses, whether it is a tie."""
    for moment in moments(course, game.insurance_terms.open) if game.insurance_terms else ():
        for side in Hand:
            state = State(side, *moment)
            if state in lines:
                net = game.offers[state].net(side, course.result)
                yield lines[state], (net > 0) - (net < 0), course.result.margin == 0


def insurance_lines(game: Game) -> dict[State, int]:
    """Return the line of the insurance tables that covers each state, counted from 1 through all tables."""
    lines, number = dict[State, int](), 0
    for table in game.insurance:
        for offer in table.offers:
            number += 1
            for player, banker in product(offer.player_points, offer.banker_points):
                lines[State(table.side, table.stage, player, banker)] = number
    return lines


def _line(bet: Bet, dealt: Round) -> int:
    """Return the number of the line that covers a round, counted from 1.

    A loss has the number after the last.
    """
    number = bet.line_number(dealt.outcome)
    return number + 1 if number >= 0 else len(bet.pays) + 1


def _example(game: Game, dealt: Round, number: int) -> Example:
    settled = settle(game, dealt, {bet.id: UNIT for bet in game.bets})
    first_two = game.round(dealt.player[:2], dealt.banker[:2])
    return Example(
        number=number,
        dealt=dealt.in_order,
        player=dealt.player,
        banker=dealt.banker,
        player_two_cards=first_two.points(Hand.PLAYER),
        banker_two_cards=first_two.points(Hand.BANKER),
        player_third=dealt.player[2].points if len(dealt.player) > 2 else None,
        player_points=dealt.points(Hand.PLAYER),
        banker_points=dealt.points(Hand.BANKER),
        lines=tuple(
            ExampleLine(
                bet=line.id,
                name=line.name,
                line=_line(bet, dealt),
                result="returned"
                if line.stays
                else line.result,  # the result of this round; the stake stays for the next
                odds=line.odds,
                net=line.net,
                clause=line.clause,
            )
            for bet, line in zip(game.bets, settled.lines, strict=True)
        ),
        insurance=tuple(_insurance(game, dealt)),
    )


def _insurance(game: Game, dealt: Round) -> Iterator[ExampleInsurance]:
    """Return the settled insurance bets that were open in a round, in the order of the tables."""
    lines = insurance_lines(game)
    for bet in open_insurance(game, dealt):
        moment = dealt.stages[bet.stage]
        state = State(bet.hand, bet.stage, moment.points(Hand.PLAYER), moment.points(Hand.BANKER))
        line = insurance_line(game, bet, dealt)
        yield ExampleInsurance(
            line=lines[state],
            state=state,
            result=line.result,
            is_tie=dealt.outcome.result.margin == 0,
            odds=line.odds,
            net=line.net,
            clause=line.clause,
        )
