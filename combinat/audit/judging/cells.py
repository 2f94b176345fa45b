"""The cells of a game, each settled by the rules once."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from combinat.analysis.insurance import moments
from combinat.base.errors import InputError
from combinat.montecarlo.cell import (
    NO_CARD,
    NUMBER,
    PAIRINGS,
    STOOD,
    WINNERS,
    CellFacts,
    Deals,
    Indices,
    cells,
)
from combinat.montecarlo.counts import Dealing, JointCell, Observed, observed
from combinat.montecarlo.partition import (
    NOT_OFFERED,
    Partition,
    ranked_partition,
    table_labels,
)
from combinat.montecarlo.tally import Tally
from combinat.rules.bet import Bet
from combinat.rules.cards import RANKS, Rank
from combinat.rules.deal_space import Course, deal_space, result, result_with_thirds
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.outcome import FirstFour, Outcome
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand
from combinat.table.insurance_bet import insurance_bet
from combinat.table.settlement import StakeLine, bet_line, insurance_line

if TYPE_CHECKING:
    import polars

PAIR_CELLS = len(PAIRINGS) ** 2
POINT_CELLS = NUMBER // PAIR_CELLS
"""A cell is the points of both hands and the pairs among the first four cards."""

Flags = npt.NDArray[np.bool_]


def hands_of(dealt: Deals, row: int) -> tuple[tuple[Rank, ...], tuple[Rank, ...]]:
    """Return the cards of a dealt round, by hand."""
    player, banker = (
        tuple(RANKS[cards[row]] for cards in hand if cards[row] != NO_CARD)
        for hand in (dealt.player, dealt.banker)
    )
    return player, banker


def facts_of(row_cells: Indices) -> dict[str, "polars.Series"]:
    """Return the facts of rounds, from their cards, in the words of the declared columns."""
    import polars

    facts = CellFacts.of(row_cells)
    pair = facts.pairing
    yes_no = np.array(["no", "yes"])
    return {
        name: polars.Series(name, values)
        for name, values in {
            "winner": np.array(WINNERS)[facts.winners],
            "player_points": facts.player_points.astype(str),
            "banker_points": facts.banker_points.astype(str),
            "player_pair": yes_no[((pair == 1) | (pair >= 3)).astype(int)],
            "banker_pair": yes_no[(pair >= 2).astype(int)],
            "player_drew": yes_no[(facts.player_third != STOOD).astype(int)],
            "banker_drew": yes_no[(facts.banker_third != STOOD).astype(int)],
        }.items()
    }


def insured_hand_and_stage(subject: str) -> tuple[Hand, Stage]:
    """Return the hand and the stage that an insurance column names."""
    side, _, stage = subject.partition("@")
    return Hand(side), Stage(stage)


def settled_line(game: Game, dealt: Round, subject: str) -> StakeLine | None:
    """Return the settlement of a stake of 1 on a bet or on insurance, or None if that was not on offer."""
    if "@" not in subject:
        return bet_line(game.bet(subject), Fraction(1), dealt)
    try:
        taken = insurance_bet(game, dealt, *insured_hand_and_stage(subject), Fraction(1))
    except InputError:
        return None
    return insurance_line(game, taken, dealt)


class Cells:
    """Every cell of a game: whether the Table of Play can deal it, and the label of each partition.

    Labels are those of the rules: bets by ``Bet.net``, insurance by its offers. A bet that depends on the
    ranks of pairs, which cells do not record, is a ranked partition.
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
    """Return the cells of a game, cached for the last few games."""
    return Cells(game)


def _number(course: Course) -> int:
    """Return the number of a course among the cells without their pairs."""
    thirds = [STOOD if third is None else third for third in (course.player_third, course.banker_third)]
    return ((course.player * 10 + course.banker) * (STOOD + 1) + thirds[0]) * (STOOD + 1) + thirds[1]


@cache
def _first_fours() -> dict[int, FirstFour]:
    """Return an example of the first four cards for each pairing, by rank and by points.

    Five ranks cover every case.
    """
    some = (Rank.ACE, Rank.TWO, Rank.TEN, Rank.JACK, Rank.QUEEN)
    hands = list(product(some, repeat=4))
    cards = np.array([[RANKS.index(card) for card in hand] for hand in hands], dtype=np.uint8).T
    none = np.full(len(hands), NO_CARD, dtype=np.uint8)
    numbers = cells(Deals.of((cards[0], cards[1], none), (cards[2], cards[3], none))) % PAIR_CELLS
    return {
        number: FirstFour.of(hand[:2], hand[2:]) for number, hand in zip(numbers.tolist(), hands, strict=True)
    }


def _bet_partition(bet: Bet, courses: Sequence[Course], numbers: Indices) -> Partition:
    """Return the net result of a bet in every cell."""
    if bet.looks_at_pair_ranks:
        return ranked_partition(bet)
    labels = bet.nets
    result_of = result_with_thirds if bet.looks_at_thirds else result
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
    """Yield the partition of each insurance table: its offer and payment in every cell."""
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


BY_POINTS = {"player_point_pair", "banker_point_pair", "point_pairs"}


def recounted(counted: Observed, game: Game) -> Observed:
    """Return the bets and insurance of counts, settled by the rules from their joint cells.

    Bets that depend on pairs by points or on the ranks of pairs are left out: joint cells do not record these.
    """
    numbers = np.array([_of_joint(cell) for cell in counted.cells], dtype=np.intp)
    tally = Tally([one for one in cells_of(game).partitions if _decides(game, one)])
    np.add.at(tally.cells, numbers, [times.rounds for times in counted.cells.values()])
    return observed(tally, game.id, counted.shoe, Dealing.INDEPENDENT)


def _of_joint(cell: JointCell) -> int:
    """Return the number of a joint cell, with pairs by points as those by rank."""
    pairing = PAIRINGS.index(cell.pairs)
    course = Course(cell.player, cell.banker, cell.player_third, cell.banker_third)
    return _number(course) * PAIR_CELLS + pairing * len(PAIRINGS) + pairing


def _decides(game: Game, partition: Partition) -> bool:
    """Return whether joint cells decide a partition."""
    if "@" in partition.subject:
        return True
    named = {fact for pay in game.bet(partition.subject).pays for fact in pay.named}
    return not partition.ranked and named.isdisjoint(BY_POINTS)
