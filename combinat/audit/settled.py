"""What the rules make of the rows of a hand log: hands read once by their text, cells settled once each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from combinat.audit.guess import likely
from combinat.audit.notation import Notation, cards_in
from combinat.base.errors import CardError, HandLogError, RoundError, StakeError
from combinat.montecarlo.cell import NO_CARD, NUMBER, PAIRINGS, Bytes, Indices, Six
from combinat.montecarlo.question import (
    NOT_OFFERED,
    Label,
    LabelNumbers,
    Question,
    bet_labels,
    ranked_question,
    table_labels,
)
from combinat.rules.cards import RANKS, Rank
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.outcome import FirstFour, Outcome, Result
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand
from combinat.table.settlement import StakeLine, bet_line, insurance_bet, insurance_line

if TYPE_CHECKING:
    import polars

MOST_HANDS = 100_000
"""Far more than there are, however they are spelt: beyond it a log is no log, and would fill the memory."""

PAIR_CELLS = len(PAIRINGS) ** 2
POINT_CELLS = NUMBER // PAIR_CELLS
"""A cell is what both hands came to by points, and the pairs among the first four cards."""

NOT_MET, IMPOSSIBLE = -2, -1
"""In place of the number of a result."""

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ReplayedRows:
    """What the replay made of rows: which could be dealt, which begin their round, which have a fault.

    ``cells``: of those that could be dealt; ``left``: the cards of the shoe before each row.
    """

    possible: Flags
    first: Flags
    faulty: Flags
    cells: Indices
    dealt: Six
    left: npt.NDArray[np.int64]


def numbered(column: "polars.Series", numbers: Mapping[Any, int]) -> Indices:
    """The values of a column by their numbers; -1 for a value that has none, and for none where that has none."""
    import polars

    texts = [text for text in numbers if text is not None]
    places = (
        column.cast(polars.Enum(texts), strict=False).to_physical().cast(polars.Int64).fill_null(len(texts))
    )
    by_place = np.array([*(numbers[text] for text in texts), -1], dtype=np.intp)
    by_number: Indices = by_place[places.to_numpy()]
    if None in numbers:
        by_number[column.is_null().to_numpy()] = numbers[None]
    return by_number


class Hands:
    """The hands of a log by their text: three rank numbers each, or why it is none.

    ``unreadable``: texts that name no cards; ``faults``: cards that are no finished hand.
    """

    def __init__(self) -> None:
        self.unreadable: dict[int, str] = {}
        self.faults: dict[int, str] = {}
        self._numbers: dict[str | None, int] = {}
        self._ranks: list[tuple[int, int, int]] = []

    def numbers(self, column: "polars.Series") -> Indices:
        """The number of each row's hand."""
        by_number = numbered(column, self._numbers)
        if not (by_number < 0).any():
            return by_number
        for text in column.filter(by_number < 0).unique().to_list():
            if len(self._numbers) > MOST_HANDS:
                raise HandLogError(
                    f"more than {MOST_HANDS} different hands; a hand is two or three ranks, such as K 5 4"
                )
            self._numbers[text] = len(self._ranks)
            self._ranks.append(self._parsed(text))
        return numbered(column, self._numbers)

    def _parsed(self, text: str | None) -> tuple[int, int, int]:
        try:
            cards = cards_in(text or "", Notation.RANK)
        except CardError as error:
            other = likely([text or ""])
            self.unreadable[len(self._ranks)] = (
                f"{error}{f'; it looks like {other.in_words}' if other else ''}"
            )
            return 0, 0, NO_CARD
        if not cards:
            self.unreadable[len(self._ranks)] = "found no cards"
            return 0, 0, NO_CARD
        if not 2 <= len(cards) <= 3:
            count = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
            self.faults[len(self._ranks)] = f"found {count}; a finished hand has two or three"
            return 0, 0, NO_CARD
        first, second, *third = (RANKS.index(card) for card in cards)
        return first, second, third[0] if third else NO_CARD

    def ranks(self, numbers: Indices) -> tuple[Bytes, Bytes, Bytes]:
        """The ranks of hands by their numbers."""
        table = np.array(self._ranks, dtype=np.uint8).reshape(-1, 3)
        return table[numbers, 0], table[numbers, 1], table[numbers, 2]

    def are(self, which: Mapping[int, str], numbers: Indices) -> Flags:
        """Which of these hands are among those."""
        flags = np.zeros(len(self._ranks), dtype=np.bool_)
        flags[list(which)] = True
        among: Flags = flags[numbers]
        return among


def played(game: Game, player: Sequence[Rank], banker: Sequence[Rank]) -> Round:
    """The round of a row, if the Table of Play could have dealt it."""
    return game.finished_round(player, banker)


def insured(subject: str) -> tuple[Hand, Stage]:
    """The hand and the stage that an insurance column names."""
    side, _, stage = subject.partition("@")
    return Hand(side), Stage(stage)


def settled_line(game: Game, dealt: Round, subject: str) -> StakeLine | None:
    """A stake of 1 on a bet or on insurance, settled; None: that insurance was not on offer."""
    if "@" not in subject:
        return bet_line(game.bet(subject), Fraction(1), dealt)
    try:
        taken = insurance_bet(game, dealt, *insured(subject), Fraction(1))
    except StakeError:
        return None
    return insurance_line(game, taken, dealt)


class Settled:
    """What every cell met so far comes to: that it is impossible, or the label of each question."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.impossible = np.zeros(NUMBER, dtype=np.bool_)
        self._known = np.zeros(NUMBER, dtype=np.bool_)
        self._every_bet = [
            ranked_question(bet)
            if bet.looks_at_pair_ranks
            else Question(bet.id, bet_labels(bet), _no_labels())
            for bet in game.bets
        ]
        self._bets = [question for question in self._every_bet if not question.ranked]
        self._tables = [
            Question(str(table.insured), table_labels(table), _no_labels()) for table in game.insurance
        ]
        self._insured = [insured(question.subject) for question in self._tables]
        self._results: list[Result] = []
        self._first_fours: dict[int, FirstFour] = {}
        self._result_of = np.full(POINT_CELLS, NOT_MET, dtype=np.int16)
        self._tables_of = np.zeros((len(self._tables), POINT_CELLS), dtype=np.int16)
        self._by_outcome: dict[int, list[int]] = {}
        self._by_result: dict[tuple[str, Result], int] = {}
        self._bet_named = {bet.id: bet for bet in game.bets}
        self._looks_at_thirds = any(bet.looks_at_thirds for bet in game.bets)
        self._by_moment: dict[tuple[int, int, int, Result], int] = {}

    @property
    def questions(self) -> list[Question]:
        """Every bet, then every insurance table, with the labels of the cells met so far."""
        return [*self._every_bet, *self._tables]

    def learn(self, cells: Indices, dealt: Six) -> None:
        """Settle each cell that is new, on the first of its rows."""
        new = np.flatnonzero(~self._known[cells])
        met, first = np.unique(cells[new], return_index=True)
        if not met.size:
            return
        rows = new[first]
        points, pairs = np.divmod(met, PAIR_CELLS)
        self._learn_points(points, rows, dealt)
        self._learn_pairs(pairs, rows, dealt)
        self._known[met] = True
        results = self._result_of[points]
        self.impossible[met] = results == IMPOSSIBLE
        is_possible = results != IMPOSSIBLE
        met, points = met[is_possible], points[is_possible]
        for question, of_points in zip(self._tables, self._tables_of, strict=True):
            question.of_cell[met] = of_points[points]
        outcomes, which = np.unique(
            results[is_possible].astype(np.intp) * PAIR_CELLS + pairs[is_possible], return_inverse=True
        )
        labels = np.array([self._of_outcome(outcome) for outcome in outcomes.tolist()], dtype=np.int16)
        for question, of_bet in zip(
            self._bets, labels.reshape(len(outcomes), len(self._bets)).T, strict=True
        ):
            question.of_cell[met] = of_bet[which]

    def _learn_points(self, points: Indices, rows: Indices, dealt: Six) -> None:
        """What the points that are new come to, each by the first of its rows."""
        for number, place in zip(*map(np.ndarray.tolist, np.unique(points, return_index=True)), strict=True):
            if self._result_of[number] == NOT_MET:
                row = rows[place]
                known = self._of_points(_cards(dealt.player, row), _cards(dealt.banker, row))
                if known is None:
                    self._result_of[number] = IMPOSSIBLE
                    continue
                result, self._tables_of[:, number] = known
                ended = result if self._looks_at_thirds else result.without_thirds
                if ended not in self._results:
                    self._results.append(ended)
                self._result_of[number] = self._results.index(ended)

    def _learn_pairs(self, pairs: Indices, rows: Indices, dealt: Six) -> None:
        """How the first four cards match, of pairings that are new."""
        for number, place in zip(*map(np.ndarray.tolist, np.unique(pairs, return_index=True)), strict=True):
            if number not in self._first_fours:
                player, banker = (_cards(hand, rows[place])[:2] for hand in (dealt.player, dealt.banker))
                self._first_fours[number] = FirstFour.of(player, banker)

    def _of_outcome(self, number: int) -> list[int]:
        """The labels of the bets, by the number of the result and that of the pairing."""
        if number not in self._by_outcome:
            result, pairing = divmod(number, PAIR_CELLS)
            outcome = Outcome(self._results[result], self._first_fours[pairing])
            self._by_outcome[number] = [self._bet_label(outcome, question) for question in self._bets]
        return self._by_outcome[number]

    def _of_points(
        self, player: tuple[Rank, ...], banker: tuple[Rank, ...]
    ) -> tuple[Result, list[int]] | None:
        """What all rounds of these points come to, and the labels of the insurance tables; None: no round is dealt so."""
        try:
            dealt = played(self.game, player, banker)
        except RoundError:
            return None
        points = [[card.points for card in hand] for hand in (player, banker)]
        thirds = [hand[2] if len(hand) > 2 else None for hand in points]
        totals, cards = (sum(points[0]) % 10, sum(points[1]) % 10), (len(player), len(banker))
        result, labels = Result(*totals, *cards, (thirds[0], thirds[1])), []
        of_banker = sum(points[1][:2]) % 10
        for number, question in enumerate(self._tables):
            side, stage = self._insured[number]
            of_player = sum(points[0][: 2 if stage is Stage.FOUR_CARDS else 3]) % 10
            if State(side, stage, of_player, of_banker) not in self.game.offers:
                labels.append(question.labels.index(NOT_OFFERED))
                continue
            # What is offered and paid depends on the totals at its moment and on the result: on nothing else.
            moment = number, of_player, of_banker, result.without_thirds
            if moment not in self._by_moment:
                self._by_moment[moment] = self._table_label(dealt, question)
            labels.append(self._by_moment[moment])
        return result, labels

    def _bet_label(self, outcome: Outcome, question: Question) -> int:
        bet = self._bet_named[question.subject]
        if bet.needs_ranks:
            return question.labels.index(bet.net(outcome))
        key = bet.id, outcome.result
        if key not in self._by_result:
            self._by_result[key] = question.labels.index(bet.net(outcome))
        return self._by_result[key]

    def _table_label(self, dealt: Round, question: Question) -> int:
        line = settled_line(self.game, dealt, question.subject)
        label: Label = NOT_OFFERED
        if line is not None:
            side, stage = insured(question.subject)
            moment = dealt.stages[stage]
            label = State(side, stage, moment.points(Hand.PLAYER), moment.points(Hand.BANKER)), line.net
        return question.labels.index(label)


def _no_labels() -> LabelNumbers:
    return np.zeros(NUMBER, dtype=np.int16)


def _cards(hand: tuple[Bytes, Bytes, Bytes], row: int) -> tuple[Rank, ...]:
    return tuple(RANKS[int(card[row])] for card in hand if card[row] != NO_CARD)
