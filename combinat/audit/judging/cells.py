"""The cells of a game, each settled by the rules once; and the hands of a log, each read once by its text."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from combinat.analysis.insurance import moments
from combinat.audit.reading.guess import likely
from combinat.audit.reading.notation import Notation, cards_in
from combinat.base.errors import FileError, InputError
from combinat.montecarlo.cell import NO_CARD, NUMBER, PAIRINGS, STOOD, Bytes, Deals, Indices, cells
from combinat.montecarlo.partition import (
    NOT_OFFERED,
    Partition,
    bet_labels,
    ranked_partition,
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
from combinat.table.insurance_bet import insurance_bet
from combinat.table.settlement import StakeLine, bet_line, insurance_line

if TYPE_CHECKING:
    import polars

MOST_HANDS = 100_000
"""The most different hands of a log: far more than exist in any spelling. More would fill the memory."""

PAIR_CELLS = len(PAIRINGS) ** 2
POINT_CELLS = NUMBER // PAIR_CELLS
"""A cell is the points of both hands and the pairs among the first four cards."""

Flags = npt.NDArray[np.bool_]


class TextNumbers:
    """The different texts of a column, numbered from 1 in the order in which they were met; 0 is no text."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def numbers(self, column: "polars.Series") -> tuple[Indices, list[str]]:
        """The number of each row's text, and the texts that are new."""
        import polars

        places = column.cast(polars.Enum(self.texts), strict=False)
        new: list[str] = []
        if places.null_count() > column.null_count():
            new = column.filter(places.is_null() & column.is_not_null()).unique(maintain_order=True).to_list()
            self.texts += new
            places = column.cast(polars.Enum(self.texts))
        numbers = (places.to_physical().cast(polars.Int32) + 1).fill_null(0)
        return numbers.to_numpy().astype(np.intp), new


class Hands:
    """The hands of a log by their text: three rank numbers each, or why it is not a hand.

    ``unreadable``: texts that name no cards; ``faults``: cards that are no finished hand.
    """

    def __init__(self) -> None:
        self.unreadable: dict[int, str] = {}
        self.faults: dict[int, str] = {}
        self._texts = TextNumbers()
        self._ranks: list[tuple[int, int, int]] = []
        self._learn("")

    def numbers(self, column: "polars.Series") -> Indices:
        """The number of each row's hand."""
        numbers, new = self._texts.numbers(column)
        if len(self._texts.texts) > MOST_HANDS:
            raise FileError(
                f"more than {MOST_HANDS} different hands; a hand is two or three ranks, such as K 5 4"
            )
        for text in new:
            self._learn(text)
        return numbers

    def _learn(self, text: str) -> None:
        self._ranks.append(self._parsed(text))

    def _parsed(self, text: str) -> tuple[int, int, int]:
        try:
            cards = cards_in(text, Notation.RANK)
        except InputError as error:
            other = likely([text])
            hint = f"; it looks like {other.in_words}" if other else ""
            self.unreadable[len(self._ranks)] = f"{error}{hint}"
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
    """A stake of 1 on a bet or on insurance, settled; None if that insurance was not on offer."""
    if "@" not in subject:
        return bet_line(game.bet(subject), Fraction(1), dealt)
    try:
        taken = insurance_bet(game, dealt, *insured(subject), Fraction(1))
    except InputError:
        return None
    return insurance_line(game, taken, dealt)


class Cells:
    """Every cell of a game: whether the Table of Play can deal it, and the label of each partition.

    Labels are those of the rules: bets by ``Bet.net``, insurance by its offers. A bet that looks at the ranks of pairs,
    which cells do not tell, is a ranked partition.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        courses = deal_space(game.table_of_play).courses
        numbers = np.array([_number(course) for course in courses], dtype=np.intp)
        possible = np.zeros(POINT_CELLS, dtype=np.bool_)
        possible[numbers] = True
        self.impossible = np.repeat(~possible, PAIR_CELLS)
        self.partitions: list[Partition] = [
            *(_bet_partition(bet, courses, numbers) for bet in game.bets),
            *_insurance_partitions(game, courses, numbers),
        ]


@lru_cache(maxsize=4)
def cells_of(game: Game) -> Cells:
    """The cells of a game. Those of the last few games are remembered."""
    return Cells(game)


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
    numbers = cells(Deals((cards[0], cards[1], none), (cards[2], cards[3], none))) % PAIR_CELLS
    return {
        number: FirstFour.of(hand[:2], hand[2:]) for number, hand in zip(numbers.tolist(), hands, strict=True)
    }


def _bet_partition(bet: Bet, courses: Sequence[Course], numbers: Indices) -> Partition:
    """The net result of a bet in every cell."""
    if bet.looks_at_pair_ranks:
        return ranked_partition(bet)
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
    return Partition(bet.id, labels, of_cell.ravel())


def _insurance_partitions(game: Game, courses: Sequence[Course], numbers: Indices) -> Iterator[Partition]:
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
        yield Partition(str(table.insured), labels, np.repeat(of_points, PAIR_CELLS))
