"""Worked examples: finished rounds, as few as may be, that show every way in which every wager can end.

What is to be shown: each line of each pay table and its loss, as far as a round can come to it; and for each line
of an insurance table the bet won, lost, returned on a tie, and paid on one. The rounds are found here and not
typed, so that they fit any rule book:

- A deal is the cards of a round in the order of dealing. Deals have an order: card by card, with the ranks as in
  ``ORDER``, so that a hand of 6 is a King and a 6. None has more than four cards of a rank: any shoe can deal it.
- Of all deals that show most of what no example has shown yet, the first is the next example, until all is shown.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

from combinat.rules.cards import RANKS, Rank, point_total
from combinat.rules.game import Game
from combinat.rules.insurance import Open, State
from combinat.rules.outcome import FirstFour, Outcome, Result
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand, TableOfPlay
from combinat.table.settlement import insurance_bet, insurance_line, settle

ORDER = (*reversed(RANKS[9:]), *RANKS[:9])
"""The ranks as examples prefer them: K Q J 10, then A to 9."""

OF_A_RANK = 4
"""The most cards of one rank in an example: those of one deck."""

UNIT = Fraction(1)

Deal = tuple[int, ...]
"""The cards of a round in the order of dealing, each as its place in ``ORDER``."""


@dataclass(frozen=True, kw_only=True)
class ExampleLine:
    """A bet of a worked example: a unit staked, and what became of it.

    ``line``: the line of its pay table, counted from 1; the one after the last is that of a loss.
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
    """The worked examples of a game."""
    shown_by: dict[int, Deal] = {}  # what can be shown, as bits; of the deals that show the same, the first
    for deal, shows in _deals(game):
        if shows not in shown_by or deal < shown_by[shows]:
            shown_by[shows] = deal
    chosen, unseen = list[Example](), 0
    for shows in shown_by:
        unseen |= shows
    while unseen:
        best = max(
            shown_by, key=lambda shows: ((shows & unseen).bit_count(), [-card for card in shown_by[shows]])
        )
        chosen.append(_example(game, shown_by[best], len(chosen) + 1))
        unseen &= ~best
    return tuple(chosen)


def _deals(game: Game) -> Iterator[tuple[Deal, int]]:
    """The first deal of every kind, each with what it shows; a kind is known by points and matches."""
    bits = _Bits(game)
    by_rank = any(bet.looks_at_pair_ranks for bet in game.bets)
    by_third = any(bet.looks_at_thirds for bet in game.bets)
    for (player, banker, first_four), deals in _openings(by_rank).items():
        for third, last in _courses(game.table_of_play, player, banker):
            result = Result(
                (player + (third or 0)) % 10,
                (banker + (last or 0)) % 10,
                2 + (third is not None),
                2 + (last is not None),
                (third, last) if by_third else None,
            )
            shows = bits.of_bets(Outcome(result, first_four)) | bits.of_insurance(
                player, banker, third, result
            )
            drawn = [points for points in (third, last) if points is not None]
            if (deal := next(filter(None, (_dealt_on(four, drawn) for four in deals)), None)) is not None:
                yield deal, shows


@cache
def _openings(by_rank: bool) -> dict[tuple[int, int, FirstFour], list[Deal]]:
    """The first four cards by both totals and by their matches, each hand's in order; in the order of deals."""
    openings = defaultdict[tuple[int, int, FirstFour], list[Deal]](list)
    hands = list(combinations_with_replacement(range(len(ORDER)), 2))
    for player, banker in product(hands, repeat=2):
        cards = [[ORDER[place] for place in hand] for hand in (player, banker)]
        totals = [point_total(card.points for card in hand) for hand in cards]
        openings[totals[0], totals[1], FirstFour.of(*cards, by_rank=by_rank)].append(
            (player[0], banker[0], player[1], banker[1])
        )
    return {key: sorted(deals) for key, deals in openings.items()}


def _courses(table: TableOfPlay, player: int, banker: int) -> Iterator[tuple[int | None, int | None]]:
    """How a round may go on from two totals: the points of the Player's third card and of the Banker's."""
    first = table.next_hand((player, 0), (banker, 0))
    thirds = range(10) if first is Hand.PLAYER else (None,)
    for third in thirds:
        hand = (player, 0) if third is None else (player, 0, third)
        draws = table.next_hand(hand, (banker, 0)) is Hand.BANKER
        yield from ((third, last) for last in (range(10) if draws else (None,)))


def _dealt_on(deal: Deal, drawn: list[int]) -> Deal | None:
    """A deal with cards of these points after it; None: a fifth card of some rank would be needed."""
    for points in drawn:
        places = (place for place, rank in enumerate(ORDER) if rank.points == points)
        place = next((place for place in places if deal.count(place) < OF_A_RANK), None)
        if place is None:
            return None
        deal = (*deal, place)
    return deal


class _Bits:
    """What is to be shown, a bit each."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._numbers: dict[tuple[object, ...], int] = {}
        self._of_bets: dict[Outcome, int] = {}
        self.lines = insurance_lines(game)

    def bit(self, *what: object) -> int:
        """The bit of what is shown."""
        return int(1 << self._numbers.setdefault(what, len(self._numbers)))

    def of_bets(self, outcome: Outcome) -> int:
        """The lines of pay tables that an outcome is on."""
        if outcome not in self._of_bets:
            self._of_bets[outcome] = sum(
                self.bit(bet.id, _line(game_line.covers(outcome) for game_line in bet.pays))
                for bet in self.game.bets
            )
        return self._of_bets[outcome]

    def of_insurance(self, player: int, banker: int, third: int | None, result: Result) -> int:
        """The insurance that was open in a round, and how it ended."""
        terms, shows = self.game.insurance_terms, 0
        if terms is None:
            return shows
        whenever = terms.open is Open.WHENEVER_LISTED
        moments = []
        if whenever or result.cards > 4:
            moments.append((Stage.FOUR_CARDS, player))
        if third is not None and (whenever or result.banker_cards > 2):
            moments.append((Stage.PLAYER_THIRD_CARD, result.player_points))
        for stage, points in moments:
            for side in Hand:
                state = State(side, stage, points, banker)
                if state in self.lines:
                    net = self.game.offers[state].net(side, result)
                    shows |= self.bit(self.lines[state], (net > 0) - (net < 0), result.margin == 0)
        return shows


def insurance_lines(game: Game) -> dict[State, int]:
    """The line of the insurance tables that covers each state, counted from 1 through all tables."""
    lines, number = dict[State, int](), 0
    for table in game.insurance:
        for offer in table.offers:
            number += 1
            for player, banker in product(offer.player_points, offer.banker_points):
                lines[State(table.side, table.stage, player, banker)] = number
    return lines


def _line(covers: Iterator[bool]) -> int:
    """The number of the first line that covers an outcome, counted from 1; else of the line after the last."""
    number = 1
    for covered in covers:
        if covered:
            break
        number += 1
    return number


def _example(game: Game, deal: Deal, number: int) -> Example:
    dealt, cards = game.round(), tuple(ORDER[place] for place in deal)
    for card in cards:
        dealt = dealt.with_card(card)
    settled = settle(game, dealt, {bet.id: UNIT for bet in game.bets})
    first_two = game.round(dealt.player[:2], dealt.banker[:2])
    return Example(
        number=number,
        dealt=cards,
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
                line=_line(pay.covers(dealt.outcome) for pay in bet.pays),
                result="returned" if line.stays else line.result,  # of this round: it stays for the next
                odds=line.odds,
                net=line.net,
                clause=line.clause,
            )
            for bet, line in zip(game.bets, settled.lines, strict=True)
        ),
        insurance=tuple(_insurance(game, dealt)),
    )


def _insurance(game: Game, dealt: Round) -> Iterator[ExampleInsurance]:
    """The insurance bets that were open in a round, settled, in the order of the tables."""
    lines = insurance_lines(game)
    for table in game.insurance:
        moment = dealt.stages.get(table.stage)
        if moment is None or game.offer(table.side, moment) is None:
            continue
        state = State(table.side, table.stage, moment.points(Hand.PLAYER), moment.points(Hand.BANKER))
        line = insurance_line(game, insurance_bet(game, dealt, table.side, table.stage, UNIT), dealt)
        yield ExampleInsurance(
            line=lines[state],
            state=state,
            result=line.result,
            is_tie=dealt.outcome.result.margin == 0,
            odds=line.odds,
            net=line.net,
            clause=line.clause,
        )
