"""Permutation of whole shoes: the p-value of the association of a player's stakes with a signal.

A player stakes along a shoe as they did, and the edges and counts are those of another shoe at the same rounds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from combinat.audit.permutation import LEAST_SHOES, PERMUTATIONS, Places, Sum, blocks, common_rounds, orders
from combinat.audit.review_records import ALL
from combinat.audit.stakes import PlayerStakes, Stakes

MOST_TURNS = 20
"""The most rounds of further permutations."""


class Signal(NamedTuple):
    """The signal that stakes on a bet, or on all bets, are compared with: its edge, or a set of tags by number."""

    bet: str
    tags: int | None = None


@dataclass(slots=True)
class Tried:
    """How many permutations were tried, and how many reached the observed sum."""

    as_much: int = 0
    ways: int = 0

    @property
    def chance(self) -> Fraction:
        """The p-value; the observed order counts as one permutation."""
        return Fraction(1 + self.as_much, 1 + self.ways)


Chances = dict[str, dict[Signal, Tried]]


def chances(stakes: Stakes, tags_of: dict[str, tuple[int, ...]], alpha: Fraction) -> Chances:
    """For every player each signal's chance; empty where the shoes are too few."""
    tried: Chances = {name: {} for name in stakes.players}
    if len(stakes.paths) < LEAST_SHOES:
        return tried
    _turn(stakes, tags_of, tried, list(stakes.players), 0)
    number = sum(len(of_player) for of_player in tried.values())
    turns = min(MOST_TURNS, int(2 * number / alpha) // PERMUTATIONS + 1)
    for turn in range(1, turns):
        names = [
            name for name, of_player in tried.items() if any(not one.as_much for one in of_player.values())
        ]
        if names:
            _turn(stakes, tags_of, tried, names, turn)
    return tried


def _turn(
    stakes: Stakes, tags_of: dict[str, tuple[int, ...]], tried: Chances, names: Sequence[str], turn: int
) -> None:
    """Try further permutations for the sums that none has reached yet."""
    sums: dict[str, dict[Signal, Sum]] = {name: {} for name in names}
    for number, block in enumerate(blocks(len(stakes.paths))):
        _add_block(stakes, tags_of, sums, block, (turn, number))
    for name, of_player in sums.items():
        for signal, one in (*of_player.items(), *_together(of_player)):
            known = tried[name].setdefault(signal, Tried())
            if not known.as_much:
                known.as_much += one.as_much
                known.ways += PERMUTATIONS


def _together(sums: dict[Signal, Sum]) -> Iterable[tuple[Signal, Sum]]:
    """The edges of all bets together, where there are several: of one it says no more."""
    edges = [one for signal, one in sums.items() if signal.tags is None]
    if len(edges) > 1:
        whole = Sum()
        for one in edges:
            whole = whole.plus(one)
        yield Signal(ALL), whole


def _add_block(
    stakes: Stakes,
    tags_of: dict[str, tuple[int, ...]],
    sums: dict[str, dict[Signal, Sum]],
    block: Places,
    stream: tuple[int, int],
) -> None:
    """Add the shoes of a block: every signal of theirs, and the stakes of everybody who was there.

    Whether a late round is dealt depends on the cards of its shoe. So shoes are compared only over rounds that all of
    them have.
    """
    rounds = common_rounds([len(stakes.paths[shoe].edges) for shoe in block.tolist()])
    kept = [shoe for shoe in block.tolist() if len(stakes.paths[shoe].edges) >= rounds]
    edges = np.stack([stakes.paths[shoe].edges[:rounds] for shoe in kept])
    counts = np.stack([stakes.paths[shoe].counts[:rounds] for shoe in kept])
    order = orders(len(kept), stream)
    for name, mine in sums.items():
        player = stakes.players[name]
        places = [place for place, shoe in enumerate(kept) if shoe in player.courses]
        if not places:
            continue
        here = np.stack([player.courses[kept[place]].stakes[:rounds] for place in places])
        for column, bet in _placed(stakes, player):
            staked, at = here[:, :, column], np.array(places)
            mine.setdefault(Signal(bet), Sum()).add(staked @ edges[:, :, column].T, at, order)
            for tags in tags_of[bet]:
                mine.setdefault(Signal(bet, tags), Sum()).add(staked @ counts[:, :, tags].T, at, order)


def _placed(stakes: Stakes, player: PlayerStakes) -> list[tuple[int, str]]:
    """The bets on which a player staked anything, with their columns."""
    return [(column, bet) for column, bet in enumerate(stakes.bets) if bet in player.sums]
