"""Evidence that is valid after every round: the winnings of gamblers who bet against a log.

Each gambler starts with 1 and bets on events whose exact probability is known beforehand. If the log is
right, every bet is fair given the past, so a gambler's capital is a non-negative martingale, and so is the
mean capital of all gamblers. The probability that the mean ever reaches ``1 / alpha`` is at most ``alpha``
(Ville's inequality), for any number of evaluations and any stopping rule. A gambler learns: the excess of an
event's count over its expected count raises the gambler's estimate of its probability. If probabilities are
constant, this is a mixture over a Dirichlet distribution.

A gambler's capital is a float, kept as a logarithm. Sums continue round by round, so a log in two parts gives
the same result as the whole log.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, log
from typing import Annotated

import msgspec
import numpy as np

from combinat.audit.judging.conditional import Ints, ResultWays, in_order
from combinat.audit.judging.sequence import LogTable
from combinat.audit.judging.statistics import Reals, ratios
from combinat.audit.judging.terms import LogTerms
from combinat.montecarlo.cell import NO_CARD, Deals, Indices
from combinat.montecarlo.tally import FIRST_CARDS
from combinat.rules.cards import RANKS

STRENGTHS = (100, 3000)
"""The number of events after which observations weigh as much as a gambler's prior."""

BLOCK = 2048
"""Rounds that are worked on at once."""

SUBJECTS = {
    "winners": "who wins",
    "winners after winners": "who wins after whom",
    "results": "the results of rounds",
    "ranks": "the ranks of the cards",
    "pairs": "pairs",
    "same rank": "the ranks of the round before, again",
    "same rank by place": "the ranks of the round before, again",
}
"""The events on which gamblers bet, in words."""


Finite = Annotated[float, msgspec.Meta(ge=-1e300, le=1e300)]
Sum = Annotated[float, msgspec.Meta(ge=0, le=1e300)]


class Gambler(msgspec.Struct, forbid_unknown_fields=True):
    """A bettor on mutually exclusive events, in one of several situations.

    ``strength``: the weight of the prior; ``holds``: the logarithm of the capital. ``seen`` and ``expected``:
    the count of each event so far and the sum of its probabilities, by situation.
    """

    subject: str
    strength: int
    holds: Finite
    seen: list[list[Sum]]
    expected: list[list[Sum]]

    @classmethod
    def new(cls, subject: str, strength: int, events: int, situations: int = 1) -> "Gambler":
        """Return a gambler without observations."""
        nothing = [[[0.0] * events for _ in range(situations)] for _ in range(2)]
        return cls(subject, strength, 0.0, *nothing)

    @property
    def shape(self) -> list[int]:
        """The number of events of each situation, as seen and as expected."""
        return [len(row) for row in (*self.seen, *self.expected)]

    def winnings(
        self, prior: Reals, chances: Reals, happened: Indices, situations: Indices | None = None
    ) -> Reals:
        """Return the logarithm of each bet's factor on the capital, and learn from each outcome.

        ``prior``: the prior count of each event.
        """
        logs = np.zeros(len(happened))
        for situation in range(len(self.seen)):
            rows = np.arange(len(happened)) if situations is None else np.flatnonzero(situations == situation)
            if not len(rows):
                continue
            seen = np.zeros((len(rows) + 1, len(prior)))
            seen[np.arange(1, len(rows) + 1), happened[rows]] = 1
            seen[0] = self.seen[situation]
            seen = np.cumsum(seen, axis=0)
            mine = chances[rows]
            expected = np.cumsum(np.concatenate([[self.expected[situation]], mine]), axis=0)
            tilts = (seen[:-1] + prior) / (expected[:-1] + prior)
            tilted = (mine * tilts).sum(axis=1)
            logs[rows] = np.log(tilts[np.arange(len(rows)), happened[rows]]) - np.log(tilted)
            self.seen[situation], self.expected[situation] = seen[-1].tolist(), expected[-1].tolist()
        return logs


@dataclass(frozen=True, slots=True)
class Bets:
    """The bets of some rounds: chances, outcomes and situations; and the round of each bet."""

    subject: str
    chances: Reals
    happened: Indices
    situations: Indices | None = None
    rounds: Indices | None = None


class RunningEvidence:
    """The gamblers, and the highest logarithm of their mean capital so far."""

    def __init__(self, terms: LogTerms) -> None:
        self._ways, shoe = ResultWays(terms.game), terms.shoe
        self._whole_shoes, self._tells_ranks = terms.whole_shoes, terms.tells_ranks
        self._results, self._winners = self._chances(np.array([shoe.counts]))
        ranks = np.array(shoe.counts) / shoe.size
        same = np.array([1 - (ranks**2).sum(), (ranks**2).sum()])
        priors = {
            "winners": (self._winners[0], 1),
            "winners after winners": (self._winners[0], 4),
            "results": (self._results[0], 1),
            "ranks": (ranks, 1),
            "pairs": (same, 1),
            "same rank": (same, 1),
            "same rank by place": (same, len(FIRST_CARDS)),
        }
        self._priors = {
            (subject, strength): np.maximum(chances * strength, LEAST_PRIOR)
            for subject, (chances, _) in priors.items()
            for strength in STRENGTHS
        }
        self.gamblers = {
            name: Gambler.new(*name, len(prior), priors[name[0]][1]) for name, prior in self._priors.items()
        }
        self.rounds = 0
        self.highest = 0.0

    @property
    def logarithm(self) -> float:
        """The logarithm of the mean capital."""
        return float(_mean_of_logs(np.array([[gambler.holds] for gambler in self.gamblers.values()]))[0])

    @property
    def richest(self) -> str:
        """The subject of the richest gambler."""
        return max(self.gamblers, key=lambda name: self.gamblers[name].holds)[0]

    def add(self, table: LogTable, before: Ints, dealt: Deals, cells: Indices, level: float) -> int | None:
        """Add rounds of a table, each with the cards left before it.

        Return the number of the first round at which the evidence reaches the level, or None.
        """
        blocks = np.split(np.arange(len(cells)), range(BLOCK, len(cells), BLOCK))
        paths = [self._add_block(table, before[some], dealt.take(some), cells[some]) for some in blocks]
        path = np.concatenate(paths)
        self.rounds += len(path)
        self.highest = max(self.highest, float(path.max()))
        met = np.flatnonzero(path >= level)
        return int(met[0]) if len(met) else None

    def _add_block(self, table: LogTable, before: Ints, dealt: Deals, cells: Indices) -> Reals:
        """Return the logarithm of the mean after each of these rounds."""
        rounds = len(cells)
        paths = {name: np.full(rounds, gambler.holds) for name, gambler in self.gamblers.items()}
        for bets in self._bets(table, before, dealt, cells):
            for strength in STRENGTHS:
                gambler, prior = self.gamblers[bets.subject, strength], self._priors[bets.subject, strength]
                logs = gambler.winnings(prior, bets.chances, bets.happened, bets.situations)
                path = np.cumsum(np.concatenate([[gambler.holds], logs]))
                if bets.rounds is None:
                    paths[bets.subject, strength] = path[1:]
                else:  # several bets a round, or none
                    paths[bets.subject, strength] = path[
                        np.searchsorted(bets.rounds, np.arange(rounds), side="right")
                    ]
                gambler.holds = float(path[-1])
        return _mean_of_logs(np.array(list(paths.values())))

    def _chances(self, before: Ints) -> tuple[Reals, Reals]:
        """Return the probabilities of each result and of each winner, given the cards left."""
        spaces, ways, _ = self._ways.of(before)
        # integers, so that the result does not depend on the number of rounds
        winners = ways @ self._ways.winners.astype(ways.dtype)
        return ratios(ways, spaces), ratios(winners, spaces)

    def _bets(self, table: LogTable, before: Ints, dealt: Deals, cells: Indices) -> Iterator[Bets]:
        places = self._ways.result_numbers(cells)
        won = self._ways.winners.argmax(axis=1)[places]
        if self._whole_shoes:
            results, winners = self._chances(before)
        else:
            results = np.broadcast_to(self._results, (len(cells), self._results.shape[1]))
            winners = np.broadcast_to(self._winners, (len(cells), self._winners.shape[1]))
        yield Bets("winners", winners, won)
        earlier = np.concatenate([[3 if table.winner is None else table.winner], won[:-1]])
        yield Bets("winners after winners", winners, won, earlier)
        yield Bets("results", results, places)
        table.winner = int(won[-1])
        if self._tells_ranks:
            yield from self._card_bets(table, before, dealt)

    def _card_bets(self, table: LogTable, before: Ints, dealt: Deals) -> Iterator[Bets]:
        """Return bets on each card, given every card before it."""
        cards = np.stack(in_order(dealt), axis=1).astype(np.intp)
        rounds, slots = len(cards), cards.shape[1]
        left = np.repeat(before[:, None, :], slots, axis=1).astype(np.int64)
        everyone = np.arange(rounds)
        for slot in range(slots - 1):
            drawn = cards[:, slot]
            has = drawn != NO_CARD
            left[everyone[has], slot + 1 :, drawn[has]] -= 1
        chances = left / np.maximum(left.sum(axis=2), 1)[:, :, None]
        is_drawn = (cards != NO_CARD).ravel()
        of_round = np.repeat(everyone, slots)[is_drawn]
        yield Bets(
            "ranks", chances.reshape(-1, len(RANKS))[is_drawn], cards.ravel()[is_drawn], rounds=of_round
        )
        yield self._equal("pairs", chances, cards, {2: cards[:, 0], 3: cards[:, 1]}, everyone)
        again = np.concatenate([[table.cards or [NO_CARD] * slots], cards[:-1]]).astype(np.intp)
        later = everyone if table.cards is not None else everyone[1:]
        alike = self._equal(
            "same rank", chances, cards, {slot: again[:, slot] for slot in range(len(FIRST_CARDS))}, later
        )
        yield alike
        yield replace(
            alike, subject="same rank by place", situations=np.tile(np.arange(len(FIRST_CARDS)), len(later))
        )
        table.cards = cards[-1].tolist()

    def _equal(
        self, subject: str, chances: Reals, cards: Indices, ranks: dict[int, Indices], rounds: Indices
    ) -> Bets:
        """Return bets that the card of a slot has this rank."""
        chance = np.stack([chances[rounds, slot, rank[rounds]] for slot, rank in ranks.items()], axis=1)
        same = np.stack([cards[rounds, slot] == rank[rounds] for slot, rank in ranks.items()], axis=1)
        each = np.repeat(rounds, len(ranks))
        flat = chance.ravel()
        return Bets(subject, np.stack([1 - flat, flat], axis=1), same.ravel().astype(np.intp), rounds=each)


LEAST_PRIOR = 1e-3
"""The prior probability of an event that is impossible on a fresh shoe."""


def _mean_of_logs(logs: Reals) -> Reals:
    """Return the logarithm of the mean of each column's exponentials."""
    most = logs.max(axis=0)
    mean: Reals = most + np.log(np.exp(logs - most).mean(axis=0))
    return mean


def level_of(alpha: Fraction) -> float:
    """Return the alarm level as a logarithm; ``alpha``: the accepted probability of a false alarm."""
    return log(alpha.denominator / alpha.numerator) if alpha else inf
