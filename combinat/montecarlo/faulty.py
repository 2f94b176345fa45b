"""The effect of known faults on rounds as they are dealt."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from combinat.analysis.odds import one_round_analysis
from combinat.base.errors import InputError
from combinat.montecarlo.cell import Bytes, Deals, Indices, cells, chosen
from combinat.montecarlo.chance import Chance
from combinat.montecarlo.dealer import Flags
from combinat.montecarlo.fault import PARTS, Fault, FaultForm
from combinat.montecarlo.partition import LabelNumbers, Partition
from combinat.montecarlo.tally import Mispaid
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

AT_ONCE = 2**16
"""Rounds that are dealt at once to choose from."""


def part_of(fault: Fault, game: Game, shoe: Shoe) -> int:
    """The share of rounds, or of wins, that a fault is about, in parts of ``PARTS``."""
    if fault.share is None:
        return 0
    if fault.kind is not FaultForm.BIASED or fault.bet is None:
        return int(fault.share * PARTS)
    bet = one_round_analysis(game, shoe).bet(fault.bet)
    wanted = [line for line in bet.outcomes if (line.net > 0 if fault.share > 0 else line.net < 0)]
    often = sum((line.probability for line in wanted), Fraction(0))
    if not often:
        raise InputError(f"fault: {fault.text}: no round of these cards has such a result")
    mean = sum((line.net * line.probability for line in wanted), Fraction(0)) / often
    share = fault.share / (mean - bet.expected_value)
    if share > 1:
        most = abs(mean - bet.expected_value)
        raise InputError(
            f"{fault.text}: {fault.bet} cannot be that far off; the most is {int(most * 100)} %",
            parameter="fault",
        )
    return round(share * PARTS)


def some(chance: Chance, rounds: int, part: int) -> Flags:
    """Which of ``rounds`` rounds a fault affects."""
    numbers = chance.below(10**4, rounds).astype(np.int64) * 10**4 + chance.below(10**4, rounds)
    return numbers < part


def with_replacement(chance: Chance, pack: Bytes, cards: int, rounds: int) -> Bytes:
    """Cards drawn with replacement: a row for each of ``cards``, a column for each of ``rounds``."""
    return pack.take(chance.below(len(pack), cards * rounds)).reshape(cards, rounds)


def copying(copied: Flags, first: Bytes) -> Bytes:
    """The first cards of rounds, some of which have that of the round before."""
    own = ~copied
    own[0] = True
    return first[np.maximum.accumulate(np.where(own, np.arange(len(first)), 0))]


def duplicated(chance: Chance, rounds: int, part: int) -> Indices:
    """The numbers of the rounds, some of them twice."""
    return np.repeat(np.arange(rounds), 1 + some(chance, rounds, part).astype(np.intp))


def winning(partition: Partition) -> list[bool]:
    """Which labels of a bet are wins."""
    return [isinstance(label, Fraction) and label > 0 for label in partition.labels]


def biased(
    chance: Chance, fault: Fault, part: int, partition: Partition, dealt: Deals, deal: Callable[[int], Deals]
) -> Deals:
    """Rounds some of which are replaced by others that win a bet, or lose it."""
    rows = np.flatnonzero(some(chance, len(dealt.player[0]), part))
    wins = fault.share is not None and fault.share > 0
    wanted = np.array(
        [isinstance(label, Fraction) and (label > 0 if wins else label < 0) for label in partition.labels]
    )
    parts: list[Deals] = []
    missing = len(rows)
    while missing > 0:
        more = deal(AT_ONCE)
        fit = np.flatnonzero(wanted[partition.labels_of(cells(more), more)])[:missing]
        parts.append(chosen(more, fit))
        missing -= len(fit)
    if not parts:
        return dealt

    def replaced(hand: str, card: int) -> Bytes:
        before: Bytes = getattr(dealt, hand)[card].copy()
        before[rows] = np.concatenate([getattr(part, hand)[card] for part in parts])
        return before

    return Deals(
        *((replaced(hand, 0), replaced(hand, 1), replaced(hand, 2)) for hand in ("player", "banker"))
    )


def mispaid(fault: Fault, partition: Partition, wrong: LabelNumbers) -> Mispaid:
    """The wins among rounds, by their labels, that a fault pays wrong."""
    rounds = np.bincount(wrong, minlength=len(partition.labels)).astype(np.int64)
    net = Fraction(0) if fault.net is None else fault.net
    return Mispaid(partition.subject, net, rounds * np.array(winning(partition)))
