"""A simulation: rounds dealt by chance, batch by batch, by as many workers as there are.

The batches are numbered, each has its own stream of chance, and they are taken in order: the result is
the same for any number of workers.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from combinat.errors import ShoeError
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe
from combinat.simulate.cell import Indices, Six, cells, chosen, turns
from combinat.simulate.chance import Chance
from combinat.simulate.dealer import (
    MOST_BURNT,
    ROUND,
    ThirdCardRules,
    certain_rounds,
    fresh_rounds,
    packed,
    shoe_rounds,
    shuffled_shoes,
)
from combinat.simulate.question import Question, questions
from combinat.simulate.tally import Tally, tallied

ROUNDS = 2**18
"""Rounds in a batch of independent rounds."""

SHOES = 2**11
"""Shoes in a batch of whole shoes."""

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rounds in the order of their dealing, their cells and, of whole shoes, their shoes' numbers."""

    dealt: Six
    cells: Indices
    shoes: Indices | None

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return len(self.cells)


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """What is to be dealt. ``cut_card``: whole shoes, with so many cards behind the cut card.

    ``drawing``: a dealer who draws by other rules than the game's.
    """

    game: Game
    shoe: Shoe
    rounds: int
    seed: int
    cut_card: int | None = None
    burn: bool = False
    drawing: ThirdCardRules | None = None

    def __post_init__(self) -> None:
        size = len(self.pack)
        if self.cut_card is not None:
            most = size - (MOST_BURNT if self.burn else 0) - 1
            if most < ROUND:
                raise ShoeError(
                    f"{size} cards are too few for whole shoes with a cut card; shuffle afresh for every round"
                )
            if not ROUND <= self.cut_card <= most:
                raise ShoeError(
                    f"the cut card must lie {ROUND} to {most} cards from the end of {size} cards, so that every round "
                    f"can be finished and one is dealt; found {self.cut_card}"
                )

    @cached_property
    def pack(self) -> npt.NDArray[np.uint8]:
        """The cards to shuffle."""
        return packed(self.shoe)

    @cached_property
    def third_cards(self) -> ThirdCardRules:
        """The rules by which third cards are drawn."""
        return self.drawing or ThirdCardRules.of(self.game)

    @cached_property
    def asked(self) -> Sequence[Question]:
        """What is asked of every round."""
        return questions(self.game)

    def batch(self, number: int) -> Batch:
        """One batch, whole."""
        chance = Chance(self.seed, number)
        if self.cut_card is None:
            left = self.rounds - number * ROUNDS
            dealt = self.third_cards.dealt(fresh_rounds(chance, self.pack, min(ROUNDS, left)))
            return Batch(dealt, cells(dealt), None)
        decks = shuffled_shoes(chance, self.pack, SHOES)
        dealt_by_turn = list(shoe_rounds(decks, self.third_cards, self.cut_card, self.burn))
        places = _places([playing for playing, _ in dealt_by_turn], SHOES)

        def joined(hand: str, card: int) -> npt.NDArray[np.uint8]:
            joint = np.empty(len(places), dtype=np.uint8)
            joint[places] = np.concatenate([getattr(dealt, hand)[card] for _, dealt in dealt_by_turn])
            return joint

        shoes = np.empty(len(places), dtype=np.intp)
        shoes[places] = np.concatenate([playing for playing, _ in dealt_by_turn])
        dealt = Six(*((joined(hand, 0), joined(hand, 1), joined(hand, 2)) for hand in ("player", "banker")))
        return Batch(dealt, cells(dealt), shoes + number * SHOES)

    def tally(self, batch: Batch) -> Tally:
        """A batch, counted: of whole shoes, the rounds that are certain to be dealt."""
        if batch.shoes is None or self.cut_card is None:
            return tallied(self.asked, batch.dealt, batch.cells)
        certain = certain_rounds(len(self.pack), self.cut_card, self.burn)
        kept = np.flatnonzero(turns(batch.shoes) < certain)
        return tallied(self.asked, chosen(batch.dealt, kept), batch.cells[kept], batch.shoes[kept])

    def results(
        self, make: Callable[[Batch], Made], workers: int | None = None
    ) -> Iterator[tuple[int, Made]]:
        """What ``make`` makes of each batch in order, with its number of rounds, until all are dealt.

        Whole shoes are dealt to their end: the last may take the rounds over the number asked for.
        """
        self.asked, self.pack, self.third_cards  # noqa: B018  (made once, before the workers share them)
        workers = workers or os.cpu_count() or 1
        number, done = 0, 0
        waiting: deque[Future[tuple[Batch, Made]]] = deque()

        def work(number: int) -> tuple[Batch, Made]:
            batch = self.batch(number)
            return batch, make(batch)

        with ThreadPoolExecutor(workers) as pool:
            try:
                while done < self.rounds:
                    while len(waiting) < workers + 2 and (
                        self.cut_card is not None or number * ROUNDS < self.rounds
                    ):
                        waiting.append(pool.submit(work, number))
                        number += 1
                    batch, made = waiting.popleft().result()
                    if done + batch.rounds > self.rounds:
                        batch = _until(batch, self.rounds - done)
                        made = make(batch)
                    done += batch.rounds
                    yield batch.rounds, made
            finally:
                pool.shutdown(cancel_futures=True)


def _places(by_turn: Sequence[Indices], shoes: int) -> Indices:
    """Where each round stands when shoe follows shoe, of rounds that are listed turn by turn."""
    rounds = np.zeros(shoes, dtype=np.intp)
    for playing in by_turn:
        rounds[playing] += 1
    first = np.cumsum(rounds) - rounds
    return np.concatenate([first[playing] + turn for turn, playing in enumerate(by_turn)])


def _until(batch: Batch, rounds: int) -> Batch:
    """The batch up to the end of the shoe in which this many rounds are reached."""
    if batch.shoes is None:
        end = rounds
    else:
        end = int(np.searchsorted(batch.shoes, batch.shoes[rounds - 1], side="right"))
    kept = np.arange(end)
    return Batch(
        chosen(batch.dealt, kept), batch.cells[kept], None if batch.shoes is None else batch.shoes[kept]
    )
