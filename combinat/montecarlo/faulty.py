"""What known faults do to rounds as they are dealt."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from combinat.analysis.analysis import analyze
from combinat.base.errors import InputError
from combinat.montecarlo.cell import Bytes, Indices, Six, cells, chosen
from combinat.montecarlo.chance import Chance
from combinat.montecarlo.dealer import Flags
from combinat.montecarlo.fault import PARTS, Fault, Kind
from combinat.montecarlo.question import LabelNumbers, Question
from combinat.montecarlo.tally import Mispaid
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

AT_ONCE = 2**16
"""Rounds that are dealt at once to choose from."""


def part_of(fault: Fault, game: Game, shoe: Shoe) -> int:
    """The share of rounds, or of wins, that a fault is about, in parts of ``PARTS``."""
    if fault.share is None:
        return 0
    if fault.kind is not Kind.OFTENER or fault.bet is None:
        return int(fault.share * PARTS)
    bet = analyze(game, shoe).bet(fault.bet)
    wanted = [line for line in bet.outcomes if (line.net > 0 if fault.share > 0 else line.net < 0)]
    often = sum((line.probability for line in wanted), Fraction(0))
    if not often:
        raise InputError(f"fault: {fault.text}: no round of these cards comes to that")
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
    """Which of so many rounds are among those that a fault is about."""
    numbers = chance.below(10**4, rounds).astype(np.int64) * 10**4 + chance.below(10**4, rounds)
    return numbers < part


def with_replacement(chance: Chance, pack: Bytes, cards: int, rounds: int) -> Bytes:
    """So many cards for each of so many rounds, each drawn from the whole pack: a column each."""
    return pack.take(chance.below(len(pack), cards * rounds)).reshape(cards, rounds)


def copying(copied: Flags, first: Bytes) -> Bytes:
    """The first cards of rounds, some of which have that of the round before."""
    own = ~copied
    own[0] = True
    return first[np.maximum.accumulate(np.where(own, np.arange(len(first)), 0))]


def duplicated(chance: Chance, rounds: int, part: int) -> Indices:
    """The numbers of the rounds, some of them twice."""
    return np.repeat(np.arange(rounds), 1 + some(chance, rounds, part).astype(np.intp))


def winning(question: Question) -> list[bool]:
    """Which labels of a bet are wins."""
    return [isinstance(label, Fraction) and label > 0 for label in question.labels]


def oftener(
    chance: Chance, fault: Fault, part: int, question: Question, dealt: Six, deal: Callable[[int], Six]
) -> Six:
    """Rounds some of which are replaced by others that win a bet, or lose it."""
    rows = np.flatnonzero(some(chance, len(dealt.player[0]), part))
    wins = fault.share is not None and fault.share > 0
    wanted = np.array(
        [isinstance(label, Fraction) and (label > 0 if wins else label < 0) for label in question.labels]
    )
    parts: list[Six] = []
    missing = len(rows)
    while missing > 0:
        more = deal(AT_ONCE)
        fit = np.flatnonzero(wanted[question.labels_of(cells(more), more)])[:missing]
        parts.append(chosen(more, fit))
        missing -= len(fit)
    if not parts:
        return dealt

    def replaced(hand: str, card: int) -> Bytes:
        before: Bytes = getattr(dealt, hand)[card].copy()
        before[rows] = np.concatenate([getattr(part, hand)[card] for part in parts])
        return before

    return Six(*((replaced(hand, 0), replaced(hand, 1), replaced(hand, 2)) for hand in ("player", "banker")))


def mispaid(fault: Fault, question: Question, wrong: LabelNumbers) -> Mispaid:
    """The wins among rounds, by their labels, that a fault pays wrong."""
    rounds = np.bincount(wrong, minlength=len(question.labels)).astype(np.int64)
    net = Fraction(0) if fault.net is None else fault.net
    return Mispaid(question.subject, net, rounds * np.array(winning(question)))
