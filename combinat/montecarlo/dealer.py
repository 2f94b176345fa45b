"""The dealer: random streams, shuffled cards and third cards, for many rounds at once.

This module uses neither the engine nor its Table of Play. It reads the rule book's table independently, so
that agreement with the exact results is evidence.

The random numbers are the same on every machine and for any number of workers: only the raw bits of numpy's
PCG64 are used, which numpy promises never to change. Each batch has its own stream, named by the seed and its
number.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from combinat.base.errors import InputError
from combinat.montecarlo.cell import NO_CARD, POINTS, STOOD, Bytes, Deals, total
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

Flags = npt.NDArray[np.bool_]

Numbers = npt.NDArray[np.uint16]

ROUND = 6
"""The most cards that a round takes."""

MOST = 2**16 - 1
"""The largest bound of a random number, and so the largest shoe: numbers are made of 16 bits."""


class Chance:
    """The random stream of a batch."""

    def __init__(self, seed: int, batch: int) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(batch,)))

    def bits(self, size: int) -> npt.NDArray[np.uint32]:
        """Return ``size`` random numbers of 32 bits."""
        return (
            self._bits.random_raw((size + 1) // 2)
            .astype("<u8", copy=False)
            .view("<u4")[:size]
            .astype(np.uint32, copy=False)
        )

    def below(self, bound: int, size: int) -> Numbers:
        """Return ``size`` uniform random integers from 0 to ``bound - 1``.

        Sixteen random bits are multiplied by the bound; the upper half of the product is the number. The few
        lower halves that would bias the result are rejected and drawn again.
        """
        words = self._bits.random_raw((size + 3) // 4).astype("<u8", copy=False).view("<u2")[:size]
        halves = np.multiply(words, bound, dtype="<u4").view("<u2")
        lower = halves[0::2]
        numbers: Numbers = halves[1::2].astype(np.uint16)
        unfair = np.flatnonzero(lower < 2**16 % bound)
        if unfair.size:
            numbers[unfair] = self.below(bound, unfair.size)
        return numbers


@dataclass(frozen=True, slots=True)
class ThirdCardRules:
    """The rules for third cards, by the totals of both hands and the Player's third card.

    ``goes_on``: by both totals, whether neither hand is a natural; ``against``: whether the Banker Hand draws
    against a natural of the Player.
    """

    player: Flags
    banker: Flags
    goes_on: Flags
    against: Flags

    @classmethod
    def of(cls, game: Game) -> "ThirdCardRules":
        """Return the rules that a game's rule book states."""
        stated = game.printed_table
        player = np.zeros(10, dtype=np.bool_)
        player[sorted(stated.player_draws)] = True
        banker = np.zeros((10, STOOD + 1), dtype=np.bool_)
        for row in stated.banker_draws:
            for total_of_two in row.points:
                banker[total_of_two, sorted(row.third)] = True
        banker[sorted(stated.banker_draws_when_player_stood), STOOD] = True
        goes_on = np.ones((10, 10), dtype=np.bool_)
        for natural in stated.natural:
            goes_on[natural, :] = goes_on[:, natural] = False
        against = np.zeros((10, 10), dtype=np.bool_)
        for natural in stated.natural:
            against[natural, sorted(stated.banker_draws_against_natural)] = True
        return cls(player, banker, goes_on, against)

    def dealt(self, cards: tuple[Bytes, ...]) -> Deals:
        """Rounds dealt from these cards, in the order in which they leave the shoe.

        Two cards go to each hand in turn, Player first. A hand that does not draw leaves the next card
        for the other hand.
        """
        player, banker = (cards[0], cards[2]), (cards[1], cards[3])
        player_total = total(POINTS.take(player[0]), POINTS.take(player[1]))
        banker_total = total(POINTS.take(banker[0]), POINTS.take(banker[1]))
        totals = player_total * np.uint8(10) + banker_total
        goes_on = self.goes_on.take(totals)
        player_draws = goes_on & self.player.take(player_total)
        player_third = _if_drawn(player_draws, cards[4])
        row = banker_total * np.uint8(STOOD + 1)
        banker_draws = goes_on & self.banker.take(row + POINTS.take(player_third))
        banker_draws |= self.against.take(totals)
        next_card = np.where(player_draws, cards[5], cards[4])
        return Deals.of((*player, player_third), (*banker, _if_drawn(banker_draws, next_card)))


def _if_drawn(draws: Flags, cards: Bytes) -> Bytes:
    """Return the cards where they are drawn, and ``NO_CARD`` elsewhere, which is above every rank."""
    thirds: Bytes = np.maximum(cards, np.uint8(NO_CARD) * (~draws).view(np.uint8))
    return thirds


def packed(shoe: Shoe) -> Bytes:
    """Return the cards of a shoe, unshuffled, as rank numbers."""
    if not ROUND <= shoe.size <= MOST:
        raise InputError(
            f"the shoe has {shoe.size} cards; a simulation deals from {ROUND} to {MOST}, so that every round can be finished"
        )
    return np.repeat(np.arange(len(shoe.counts), dtype=np.uint8), shoe.counts)


def fresh_rounds(chance: Chance, pack: Bytes, rounds: int) -> tuple[Bytes, ...]:
    """Return the first six cards of ``rounds`` independent shuffles of the pack.

    A shuffle swaps card i with a random card from i on. Only the first six swaps matter. They are simulated
    without moving cards: a place that is chosen again holds the card that an earlier swap left there.
    """
    places = [chance.below(len(pack) - turn, rounds) + np.uint16(turn) for turn in range(ROUND)]
    again = np.zeros(rounds, dtype=np.bool_)
    for turn in range(ROUND):
        for earlier in range(turn):
            again |= places[turn] == places[earlier]
    rows = np.flatnonzero(again)
    chosen = [place[rows] for place in places]
    cards = []
    for turn, place in enumerate(places):
        holds = chosen[turn].copy()
        for earlier in range(turn - 1, -1, -1):
            holds[holds == chosen[earlier]] = earlier
        place = place.copy()
        place[rows] = holds
        cards.append(pack.take(place))
    return tuple(cards)
