"""A simulation: rounds dealt by chance, block by block, by as many workers as there are.

The blocks are numbered, each has its own stream of chance, and they are taken in order: the result is
the same for any number of workers.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from combinat.errors import ShoeError
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe
from combinat.simulate.cell import Cells, Six, cells, chosen, turns
from combinat.simulate.chance import Chance
from combinat.simulate.dealer import (
    MOST_BURNT,
    ROUND,
    Drawing,
    certain_rounds,
    fresh_rounds,
    packed,
    shoe_rounds,
    shuffled_shoes,
)
from combinat.simulate.question import Question, questions
from combinat.simulate.tally import Tally, tallied

ROUNDS = 2**18
"""Rounds in a block of independent rounds."""

SHOES = 2**11
"""Shoes in a block of whole shoes."""

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Block:
    """Some rounds in the order of their dealing, their cells and, of whole shoes, their shoes' numbers."""

    dealt: Six
    cells: Cells
    shoes: npt.NDArray[np.intp] | None

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return len(self.cells)


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """What is to be dealt. ``cut_card``: whole shoes, with so many cards behind the cut card."""

    game: Game
    shoe: Shoe
    rounds: int
    seed: int
    cut_card: int | None = None
    burn: bool = False
    drawing: Drawing = field(default_factory=Drawing.by_the_rules)

    def __post_init__(self) -> None:
        size = len(self.pack)
        if self.cut_card is not None:
            most = size - (MOST_BURNT if self.burn else 0) - 1
            if most < ROUND:
                raise ShoeError(
                    f"{size} cards are too few for whole shoes with a cut card; leave out --shoe-dealing"
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
    def asked(self) -> Sequence[Question]:
        """What is asked of every round."""
        return questions(self.game)

    def block(self, number: int) -> Block:
        """One block, whole."""
        chance = Chance(self.seed, number)
        if self.cut_card is None:
            left = self.rounds - number * ROUNDS
            dealt = self.drawing.dealt(fresh_rounds(chance, self.pack, min(ROUNDS, left)))
            return Block(dealt, cells(dealt), None)
        decks = shuffled_shoes(chance, self.pack, SHOES)
        dealt_by_turn = list(shoe_rounds(decks, self.drawing, self.cut_card, self.burn))
        shoes = np.concatenate([playing for playing, _ in dealt_by_turn])
        order = np.argsort(shoes, kind="stable")

        def joined(hand: str, card: int) -> npt.NDArray[np.uint8]:
            return np.concatenate([getattr(dealt, hand)[card] for _, dealt in dealt_by_turn])[order]

        dealt = Six(*((joined(hand, 0), joined(hand, 1), joined(hand, 2)) for hand in ("player", "banker")))
        return Block(dealt, cells(dealt), shoes[order] + number * SHOES)

    def tally(self, block: Block) -> Tally:
        """A block, counted: of whole shoes, the rounds that are certain to be dealt."""
        if block.shoes is None or self.cut_card is None:
            return tallied(self.asked, block.dealt, block.cells)
        certain = certain_rounds(len(self.pack), self.cut_card, self.burn)
        kept = np.flatnonzero(turns(block.shoes) < certain)
        return tallied(self.asked, chosen(block.dealt, kept), block.cells[kept], block.shoes[kept])

    def results(
        self, make: Callable[[Block], Made], workers: int | None = None
    ) -> Iterator[tuple[int, Made]]:
        """What ``make`` makes of each block in order, with its number of rounds, until all are dealt.

        Whole shoes are dealt to their end: the last may take the rounds over the number asked for.
        """
        self.asked, self.pack  # noqa: B018  (made once, before the workers share them)
        workers = workers or os.cpu_count() or 1
        number, done = 0, 0
        waiting: deque[Future[tuple[Block, Made]]] = deque()

        def work(number: int) -> tuple[Block, Made]:
            block = self.block(number)
            return block, make(block)

        with ThreadPoolExecutor(workers) as pool:
            try:
                while done < self.rounds:
                    while len(waiting) < workers + 2 and (
                        self.cut_card is not None or number * ROUNDS < self.rounds
                    ):
                        waiting.append(pool.submit(work, number))
                        number += 1
                    block, made = waiting.popleft().result()
                    if done + block.rounds > self.rounds:
                        block = _until(block, self.rounds - done)
                        made = make(block)
                    done += block.rounds
                    yield block.rounds, made
            finally:
                pool.shutdown(cancel_futures=True)


def _until(block: Block, rounds: int) -> Block:
    """The block up to the end of the shoe in which this many rounds are reached."""
    if block.shoes is None:
        end = rounds
    else:
        end = int(np.searchsorted(block.shoes, block.shoes[rounds - 1], side="right"))
    kept = np.arange(end)
    return Block(
        chosen(block.dealt, kept), block.cells[kept], None if block.shoes is None else block.shoes[kept]
    )
