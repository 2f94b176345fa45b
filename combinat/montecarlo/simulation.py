"""A simulation: random rounds, dealt batch by batch by any number of workers.

Batches are numbered, each has its own random stream, and results are taken in the order of their numbers.
The result is therefore the same for any number of workers.
"""

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from combinat.base.errors import CombinatError, InputError
from combinat.montecarlo.cell import Deals, Indices, cells
from combinat.montecarlo.dealer import ROUND, Chance, ThirdCardRules, fresh_rounds, packed
from combinat.montecarlo.fault import (
    Fault,
    FaultForm,
    biased,
    copying,
    duplicated,
    mispaid,
    mispaying,
    part_of,
    some,
    with_replacement,
)
from combinat.montecarlo.partition import LabelNumbers, Partition, partitions
from combinat.montecarlo.shoes import Burn, ShoeDealing, deal, sorted_shoes
from combinat.montecarlo.tally import Tally, tallied
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

MOST_ROUNDS = 10**12
"""The most rounds of a simulation."""

ROUNDS = 2**18
"""Rounds in a batch of independent rounds."""

SHOES = 2**12
"""Shoes in a batch of whole shoes."""

SHOES_AT_ONCE = 2**11
"""Shoes that are shuffled and dealt at once, so that they stay near the processor."""

Made = TypeVar("Made")
Advance = Callable[[int], None]
IsStopped = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Batch:
    """Rounds in the order of dealing, with their cells and, for whole shoes, the numbers of their shoes.

    ``labels``: the labels of a bet that a known fault pays at wrong odds.
    """

    dealt: Deals
    cells: Indices
    shoes: Indices | None
    labels: Mapping[str, LabelNumbers] = field(default_factory=dict)

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.cells)

    def labels_of(self, partition: Partition) -> LabelNumbers:
        """Return the label number of every round."""
        if partition.subject in self.labels:
            return self.labels[partition.subject]
        return partition.labels_of(self.cells, self.dealt)

    def take(self, rows: Indices) -> "Batch":
        """Return the rounds with these numbers."""
        shoes = None if self.shoes is None else self.shoes[rows]
        labels = {subject: numbers[rows] for subject, numbers in self.labels.items()}
        return Batch(self.dealt.take(rows), self.cells[rows], shoes, labels)


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """A simulation to run.

    ``cut_card``: the cards behind the cut card of whole shoes, or None for a fresh shuffle before every
    round. ``fault``: a known fault of the simulator. Bets are still settled by the game's rules, and the output
    still names ``shoe`` as the shoe.
    """

    game: Game
    shoe: Shoe
    rounds: int
    seed: int
    cut_card: int | None = None
    burn: bool = False
    fault: Fault | None = None

    def __post_init__(self) -> None:
        if self.fault is not None and self.fault.kind is FaultForm.BIASED and self.cut_card is not None:
            raise InputError(
                f"{self.fault.text}: whole shoes cannot have this fault",
                "leave out {cut_card}",
                parameter="fault",
            )
        size = len(self.pack)  # a shoe that cannot be dealt is refused
        if self.dealing is not None:
            self.dealing.check(size)

    @property
    def dealing(self) -> ShoeDealing | None:
        """The dealing of whole shoes, or None for a fresh shuffle before every round."""
        if self.cut_card is None:
            return None
        return ShoeDealing(cut_card=self.cut_card, burn=Burn(first_card=self.burn), after=0)

    @cached_property
    def pack(self) -> npt.NDArray[np.uint8]:
        """The cards to shuffle."""
        return packed(self.fault.of_shoe(self.shoe) if self.fault is not None else self.shoe)

    @cached_property
    def third_cards(self) -> ThirdCardRules:
        """The rules by which third cards are drawn."""
        return ThirdCardRules.of(self.fault.of_game(self.game) if self.fault is not None else self.game)

    @cached_property
    def partitions(self) -> Sequence[Partition]:
        """The partitions by which every round is counted."""
        right = partitions(self.game)
        if self.fault is None or self.fault.kind is not FaultForm.PAID_WRONG:
            return right
        return [mispaying(part, self.fault) if part.subject == self.fault.bet else part for part in right]

    @property
    def _faulty_bet(self) -> Partition:
        """The partition of the bet that a known fault names."""
        bet = self.fault.bet if self.fault is not None else None
        return next(partition for partition in self.partitions if partition.subject == bet)

    @cached_property
    def part(self) -> int:
        """The share of rounds, or of wins, that a known fault affects, in parts of ``PARTS``."""
        return part_of(self.fault, self.game, self.shoe) if self.fault is not None else 0

    def _is(self, kind: FaultForm) -> bool:
        return self.fault is not None and self.fault.kind is kind

    def batch(self, number: int) -> Batch:
        """Return a whole batch by its number."""
        chance = Chance(self.seed, number)
        batch = (
            self._fresh(chance, min(ROUNDS, self.rounds - number * ROUNDS))
            if self.dealing is None
            else self._whole_shoes(chance, number, self.dealing)
        )
        if self._is(FaultForm.DUPLICATES):
            return batch.take(duplicated(chance, batch.rounds, self.part))
        if self._is(FaultForm.PAID_WRONG) and self.fault is not None:
            bet = self._faulty_bet
            labels = mispaid(chance, self.fault, self.part, bet, batch.labels_of(bet))
            return replace(batch, labels={bet.subject: labels})
        return batch

    def _fresh(self, chance: Chance, rounds: int) -> Batch:
        """Return rounds, each dealt from a fresh shuffle."""

        def deal(rounds: int) -> Deals:
            if self._is(FaultForm.INFINITE_DECK):
                cards = tuple(with_replacement(chance, self.pack, ROUND, rounds))
            else:
                cards = fresh_rounds(chance, self.pack, rounds)
            if self._is(FaultForm.COPIES):
                first = copying(some(chance, rounds, self.part), cards[0])
                cards = (first, *cards[1:])
            return self.third_cards.dealt(cards)

        dealt = deal(rounds)
        if self._is(FaultForm.BIASED) and self.fault is not None:
            dealt = biased(chance, self.fault, self.part, self._faulty_bet, dealt, deal)
        return Batch(dealt, cells(dealt), None)

    def _whole_shoes(self, chance: Chance, number: int, dealing: ShoeDealing) -> Batch:
        """Return the rounds of whole shoes."""
        parts = [self._some_shoes(chance, dealing, first) for first in range(0, SHOES, SHOES_AT_ONCE)]
        dealt = Deals.concat([part for part, _ in parts])
        return Batch(dealt, cells(dealt), np.concatenate([shoes for _, shoes in parts]) + number * SHOES)

    def _some_shoes(self, chance: Chance, dealing: ShoeDealing, first: int) -> tuple[Deals, Indices]:
        """Return the rounds of the next shoes, numbered from ``first``, and each round's shoe number."""
        shoes = min(SHOES_AT_ONCE, SHOES - first)
        if self._is(FaultForm.INFINITE_DECK):
            decks = np.ascontiguousarray(with_replacement(chance, self.pack, shoes, len(self.pack)).T)
        else:
            decks = sorted_shoes(chance, self.pack, shoes)
        copied = (lambda rounds: some(chance, rounds, self.part)) if self._is(FaultForm.COPIES) else None
        turns = list(deal(decks, dealing, self.third_cards, copied))
        of_shoe = np.concatenate([turn.shoes for turn in turns])
        order = np.argsort(of_shoe, kind="stable")
        return Deals.concat([turn.dealt for turn in turns]).take(order), of_shoe[order] + first

    def tally(self, batch: Batch) -> Tally:
        """Return the tally of a batch; for whole shoes, of the rounds that every shoe deals."""
        if batch.shoes is None or self.dealing is None:
            return tallied(self.partitions, batch.dealt, batch.cells, labels=batch.labels)
        certain = self.dealing.certain_rounds(len(self.pack))
        first = np.searchsorted(batch.shoes, np.arange(batch.shoes[0], batch.shoes[-1] + 1))
        kept = batch.take((first[:, None] + np.arange(certain)).ravel())
        return tallied(self.partitions, kept.dealt, kept.cells, kept.shoes)

    def results(
        self,
        make: Callable[[Batch], Made],
        workers: int | None = None,
        advance: Advance = lambda rounds: None,
        is_stopped: IsStopped = lambda: False,
    ) -> Iterator[tuple[int, Made]]:
        """Yield ``make(batch)`` for each batch in order, with the batch's number of rounds.

        Whole shoes are dealt to their end, so the last shoe may exceed the requested number of rounds. After
        each batch ``advance`` is called with its rounds; no further batch begins once ``is_stopped`` returns
        True.
        """
        self.partitions, self.pack, self.third_cards, self.part  # noqa: B018  (made once, before the workers share them)
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
                        batch = _whole_shoes_up_to(batch, self.rounds - done)
                        made = make(batch)
                    done += batch.rounds
                    yield batch.rounds, made
                    advance(batch.rounds)
                    if is_stopped():
                        break
            finally:
                pool.shutdown(cancel_futures=True)


def _whole_shoes_up_to(batch: Batch, rounds: int) -> Batch:
    """Return the batch up to the end of the shoe that reaches this number of rounds."""
    if batch.shoes is not None:
        rounds = int(np.searchsorted(batch.shoes, batch.shoes[rounds - 1], side="right"))
    return batch.take(np.arange(rounds))


# ---------------------------------------------------------------- the simulation of a report

REPORT_ROUNDS = 20_000_000
REPORT_COUNTS = "counts.json"


def report_seed(game_id: str) -> int:
    """Return the seed of the simulation of a report: the first 32 bits of the SHA-256 of the game's id.

    Nobody chooses it: the file cannot be selected for its agreement, no two games are dealt the same cards, and
    anyone can deal the same rounds again.

    >>> report_seed("small-baccarat")
    417054320
    """
    return int(hashlib.sha256(game_id.encode("utf-8")).hexdigest()[:8], 16)


def report_simulation(game: Game, decks: int, rounds: int = REPORT_ROUNDS) -> Simulation:
    """Return the simulation of a report whose figures are for this number of decks."""
    return Simulation(game=game, shoe=Shoe.of_decks(decks), rounds=rounds, seed=report_seed(game.id))


def simulation_obstacle(game: Game, decks: int) -> str:
    """Return why a report cannot include a simulation, or an empty text if it can."""
    try:
        simulation = report_simulation(game, decks)
        simulation.partitions, simulation.third_cards  # noqa: B018  (made of the rule book, or refused)
    except CombinatError as error:
        return str(error)
    return ""
