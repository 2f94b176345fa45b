"""The cells of a game, each settled by the rules once; and the hands of a log, each read once by its text."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from combinat.analysis.insurance import moments
from combinat.audit.reading.guess import likely
from combinat.audit.reading.notation import Notation, cards_in
from combinat.base.errors import FileError, InputError
from combinat.montecarlo.cell import NO_CARD, NUMBER, PAIRINGS, STOOD, Bytes, Indices, Six, cells
from combinat.montecarlo.question import (
    NOT_OFFERED,
    Question,
    bet_labels,
    ranked_question,
    table_labels,
)
from combinat.rules.bet import Bet
from combinat.rules.cards import RANKS, Rank
from combinat.rules.deal_space import Course, deal_space, result, told_result
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.outcome import FirstFour, Outcome
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

Flags = npt.NDArray[np.bool_]


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
                raise FileError(
                    f"more than {MOST_HANDS} different hands; a hand is two or three ranks, such as K 5 4"
                )
            self._numbers[text] = len(self._ranks)
            self._ranks.append(self._parsed(text))
        return numbered(column, self._numbers)

    def _parsed(self, text: str | None) -> tuple[int, int, int]:
        try:
            cards = cards_in(text or "", Notation.RANK)
        except InputError as error:
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
    except InputError:
        return None
    return insurance_line(game, taken, dealt)


class Cells:
    """Every cell of a game: whether the Table of Play can deal it, and the label of each question.

    Labels are those of the rules: bets by ``Bet.net``, insurance by its offers. A bet that looks at the ranks of pairs,
    which cells do not tell, is a ranked question.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        courses = deal_space(game.table_of_play).courses
        numbers = np.array([_number(course) for course in courses], dtype=np.intp)
        possible = np.zeros(POINT_CELLS, dtype=np.bool_)
        possible[numbers] = True
        self.impossible = np.repeat(~possible, PAIR_CELLS)
        self.questions: list[Question] = [
            *(_bet_question(bet, courses, numbers) for bet in game.bets),
            *_insurance_questions(game, courses, numbers),
        ]


def _number(course: Course) -> int:
    """The number of a course among the cells without their pairs."""
    thirds = [STOOD if third is None else third for third in (course.player_third, course.banker_third)]
    return ((course.player * 10 + course.banker) * (STOOD + 1) + thirds[0]) * (STOOD + 1) + thirds[1]


@cache
def _first_fours() -> dict[int, FirstFour]:
    """How the first four cards match, by the number of the pairing by rank and by points; five ranks show them all."""
    some = (Rank.ACE, Rank.TWO, Rank.TEN, Rank.JACK, Rank.QUEEN)
    hands = list(product(some, repeat=4))
    cards = np.array([[RANKS.index(card) for card in hand] for hand in hands], dtype=np.uint8).T
    none = np.full(len(hands), NO_CARD, dtype=np.uint8)
    numbers = cells(Six((cards[0], cards[1], none), (cards[2], cards[3], none))) % PAIR_CELLS
    return {
        number: FirstFour.of(hand[:2], hand[2:]) for number, hand in zip(numbers.tolist(), hands, strict=True)
    }


def _bet_question(bet: Bet, courses: Sequence[Course], numbers: Indices) -> Question:
    """The net result of a bet in every cell."""
    if bet.looks_at_pair_ranks:
        return ranked_question(bet)
    labels = bet_labels(bet)
    result_of = told_result if bet.looks_at_thirds else result
    ended = [result_of(course) for course in courses]
    places = {one: place for place, one in enumerate(dict.fromkeys(ended))}
    first_fours = _first_fours()
    by_result = np.zeros((len(places), PAIR_CELLS), dtype=np.int16)
    for one, place in places.items():
        if not bet.needs_ranks:
            by_result[place] = labels.index(bet.net(Outcome(one, first_fours[0])))
            continue
        for pairing, first_four in first_fours.items():
            by_result[place, pairing] = labels.index(bet.net(Outcome(one, first_four)))
    of_cell = np.zeros((POINT_CELLS, PAIR_CELLS), dtype=np.int16)
    of_cell[numbers] = by_result[[places[one] for one in ended]]
    return Question(bet.id, labels, of_cell.ravel())


def _insurance_questions(game: Game, courses: Sequence[Course], numbers: Indices) -> Iterator[Question]:
    """What each insurance table offers and pays in every cell."""
    if game.insurance_terms is None:
        return
    offers = game.offers
    open_at = [
        (number, course, moments(course, game.insurance_terms.open))
        for number, course in zip(numbers.tolist(), courses, strict=True)
    ]
    for table in game.insurance:
        labels = table_labels(table)
        places = {label: place for place, label in enumerate(labels)}
        of_points = np.full(POINT_CELLS, places[NOT_OFFERED], dtype=np.int16)
        for number, course, of_course in open_at:
            for moment in of_course:
                state = State(table.side, *moment)
                if moment.stage == table.stage and state in offers:
                    of_points[number] = places[state, offers[state].net(table.side, result(course))]
        yield Question(str(table.insured), labels, np.repeat(of_points, PAIR_CELLS))
