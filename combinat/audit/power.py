"""The power of an audit: how many rounds of a file show a known fault.

What never happens by the rules, or is settled otherwise, is a contradiction, and the first such round shows it. All
else is shown by a test: at the level that Holm's method allows at its strictest, so that what is said is on the safe
side. Laws are exact; the powers of tests are computed by scipy, in floats.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, inf, log, log1p, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from combinat.audit.fault_law import under_fault
from combinat.audit.judging.count_tests import by_ending, telling
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.statistics import LEAST_EXPECTED, MANY, MOST_SKEW, rounded
from combinat.audit.power_records import Power, Sight, Source, SourcePower
from combinat.montecarlo.cell import WINNERS
from combinat.montecarlo.fault import Fault, Kind
from combinat.montecarlo.tally import FIRST_CARDS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

Reals = npt.NDArray[np.float64]

MOST_ROUNDS = 10**15
"""What more rounds than that would show is said not to be shown."""

LOOKED_AT = 5
"""How many of the tests that come nearest are worked out to the round, and shown."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A count: its chance in a trial by the rules and with the fault; ``trials``: how many a round has."""

    subject: str
    what: str
    right: float
    wrong: float
    trials: float = 1.0

    def power(self, rounds: float, level: float) -> float:
        """How surely so many rounds show the fault."""
        number = int(rounds * self.trials)
        if not 0 < self.right < 1 or number < 1:
            return 0.0
        spread = number * self.right * (1 - self.right)
        if spread > float(MANY):
            off = number * (self.wrong - self.right)
            return _beyond(off, sqrt(spread), sqrt(number * self.wrong * (1 - self.wrong)), level)
        low, high = (
            stats.binom.ppf(level / 2, number, self.right),
            stats.binom.isf(level / 2, number, self.right),
        )
        return float(stats.binom.cdf(low - 1, number, self.wrong) + stats.binom.sf(high, number, self.wrong))

    def guess(self, level: float, target: float) -> float:
        """About how many rounds are needed."""
        if self.wrong == self.right or not 0 < self.right < 1 or not self.trials:
            return inf
        spreads = [sqrt(max(0.0, chance * (1 - chance))) for chance in (self.right, self.wrong)]
        ways = _deviations(level / 2) * spreads[0] + _deviations(1 - target) * spreads[1]
        return float((ways / (self.wrong - self.right)) ** 2 / self.trials)


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells that exclude each other, all together: their chances by the rules and with the fault."""

    subject: str
    what: str
    right: Reals
    wrong: Reals
    trials: float = 1.0

    def power(self, rounds: float, level: float) -> float:
        """How surely so many rounds show the fault, rare cells pooled as the test pools them."""
        number = rounds * self.trials
        rare = self.right * number < LEAST_EXPECTED
        right, wrong = self.right[~rare], self.wrong[~rare]
        if rare.any():
            right = np.append(right, self.right[rare].sum())
            wrong = np.append(wrong, self.wrong[rare].sum())
        if len(right) < 2:
            return 0.0
        freedom = len(right) - 1
        return _noncentral(number * float(((wrong - right) ** 2 / right).sum()), freedom, level)

    def guess(self, level: float, target: float) -> float:
        """About how many rounds are needed."""
        each = float(((self.wrong - self.right) ** 2 / self.right).sum()) * self.trials
        if each <= 0 or len(self.right) < 2:
            return inf
        freedom = len(self.right) - 1
        low, high = 0.0, 1.0
        while _noncentral(high, freedom, level) < target:
            high *= 2
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (low, middle) if _noncentral(middle, freedom, level) >= target else (middle, high)
        return high / each


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean: by how much the fault moves it, its variances; ``least``: the rounds from which on its tail is normal."""

    subject: str
    what: str
    off: float
    right: float
    wrong: float
    least: float

    def power(self, rounds: float, level: float) -> float:
        """How surely so many rounds show the fault; 0 where the test is not by a normal tail."""
        if rounds < self.least or self.right <= 0:
            return 0.0
        return _beyond(rounds * self.off, sqrt(rounds * self.right), sqrt(rounds * self.wrong), level)

    def guess(self, level: float, target: float) -> float:
        """About how many rounds are needed."""
        if not self.off or self.right <= 0:
            return inf
        ways = _deviations(level / 2) * sqrt(self.right) + _deviations(1 - target) * sqrt(self.wrong)
        return max(self.least, float((ways / self.off) ** 2))


Test = Counted | Cells | Mean


@cache
def _deviations(chance: float) -> float:
    """How far out a normal tail has this chance."""
    return float(stats.norm.isf(chance))


def _beyond(off: float, right: float, wrong: float, level: float) -> float:
    """How surely a normal sum that is off lies beyond what the level allows, on either side."""
    most = _deviations(level / 2) * right
    if wrong <= 0:
        return 1.0 if abs(off) > most else 0.0
    return float(stats.norm.sf((most - off) / wrong) + stats.norm.cdf((-most - off) / wrong))


def _noncentral(shift: float, freedom: int, level: float) -> float:
    return float(stats.ncx2.sf(stats.chi2.isf(level, freedom), freedom, max(shift, 1e-9)))


# ---------------------------------------------------------------- the answer


def power(
    game: Game, shoe: Shoe, fault: Fault, alpha: Fraction, target: Fraction, rounds: int | None = None
) -> Power:
    """How many rounds, each from a fresh shuffle, show a fault; and how surely a run of ``rounds`` does."""
    right, wrong = Expected.of(game, shoe), under_fault(game, shoe, fault)
    case = _Case(right, wrong, shoe, fault)
    return Power(
        game=game.id,
        game_name=game.name,
        shoe=shoe,
        fault=fault.text,
        alpha=alpha,
        target=target,
        rounds=rounds,
        sources=tuple(
            _source(source, case.contradiction(source), list(case.tests(source)), alpha, target, rounds)
            for source in Source
        ),
    )


def _source(
    source: Source,
    contradiction: tuple[str, Fraction],
    tests: Sequence[Test],
    alpha: Fraction,
    target: Fraction,
    rounds: int | None,
) -> SourcePower:
    level = float(alpha) / max(1, len(tests))
    surely = float(target)
    nearest = sorted(tests, key=lambda test: test.guess(level, surely))[:LOOKED_AT]
    sights = [_sight(test, level, surely, rounds) for test in nearest]
    subject, chance = contradiction
    if chance:
        sights.append(_at_once(subject, chance, surely, rounds))
    sights.sort(key=lambda sight: (sight.rounds is None, sight.rounds))
    return SourcePower(source=source, tests=len(tests), contradiction=chance, sights=tuple(sights))


def _at_once(subject: str, chance: Fraction, target: float, rounds: int | None) -> Sight:
    """What the first such round shows."""
    each = -log1p(-float(chance)) if chance < 1 else inf
    needed = max(1, ceil(-log(1 - target) / each))
    seen = None if rounds is None else rounded(1 - np.exp(-each * rounds))
    return Sight(subject=subject, what="contradiction", rounds=needed, power=seen)


def _sight(test: Test, level: float, target: float, rounds: int | None) -> Sight:
    seen = None if rounds is None else rounded(min(1.0, test.power(rounds, level)))
    return Sight(subject=test.subject, what=test.what, rounds=_needed(test, level, target), power=seen)


def _needed(test: Test, level: float, target: float) -> int | None:
    """The rounds from which on a test shows the fault as surely as wanted, to three digits, rounded up."""
    about = test.guess(level, target)
    if about > MOST_ROUNDS:
        return None
    low, high = 1.0, max(2.0, about)
    while test.power(high, level) < target:
        low, high = high, 2 * high
        if high > MOST_ROUNDS:
            return None
    while high - low > max(1.0, high / 2000):
        middle = (low + high) / 2
        low, high = (low, middle) if test.power(middle, level) >= target else (middle, high)
    whole = ceil(high)
    unit = int(10 ** max(0, len(str(whole)) - 3))
    return -(-whole // unit) * unit


# ---------------------------------------------------------------- the tests of each source


@dataclass(frozen=True, slots=True)
class _Case:
    """A game with and without a fault. Tests are those that the cross-check makes of each source."""

    right: Expected
    wrong: Expected
    shoe: Shoe
    fault: Fault

    @property
    def doubled(self) -> float:
        """The share of rows that repeat the row before."""
        share = float(self.fault.share or 0)
        return share / (1 + share) if self.fault.kind is Kind.DUPLICATES else 0.0

    def contradiction(self, source: Source) -> tuple[str, Fraction]:
        """What no right simulator does, and how often a round does it."""
        if self.fault.kind is Kind.PAID_WRONG:
            return "wrong settlements", self._paid_wrong(source)
        if source in (Source.LOG, Source.CELLS):
            known = self.right.cells
            often = sum(
                (chance for cell, chance in self.wrong.cells.items() if cell not in known), Fraction(0)
            )
            return "impossible deals", often
        often = Fraction(0)
        for bet in self._bets(source):
            nets = self.right.bet(bet)
            often = max(
                often,
                sum((chance for net, chance in self._nets(bet).items() if net not in nets), Fraction(0)),
            )
        return "impossible net results", often

    def _paid_wrong(self, source: Source) -> Fraction:
        """How often a bet is paid wrong, and a source can tell it."""
        bet, share = self.fault.bet or "", self.fault.share or Fraction(0)
        nets = self.right.bet(bet)
        often = share * sum(
            (chance for net, chance in nets.items() if net not in (self.fault.net,) and net > 0), Fraction(0)
        )
        seen = source in (Source.LOG, Source.CELLS) or (source is Source.BETS and self.fault.net not in nets)
        return often if seen else Fraction(0)

    def tests(self, source: Source) -> Iterator[Test]:
        """The tests that are made of a source."""
        if source in (Source.LOG, Source.CELLS):
            yield from self._omnibus()
            yield from self._cards()
            yield from self._serial() if source is Source.LOG else self._repeats()
        for bet in self._bets(source):
            yield from self._of_bet(bet, source)
        if source in (Source.LOG, Source.CELLS):
            yield from self._insurance()

    def _omnibus(self) -> Iterator[Test]:
        yield _cells("joint cells", "G", self.right.cells, self.wrong.cells)
        yield _cells("final results", "G", by_ending(self.right.cells), by_ending(self.wrong.cells))

    def _cards(self) -> Iterator[Test]:
        """The ranks of the first four cards: another shoe has others."""
        wrong = self.fault.of_shoe(self.shoe)
        laws = [
            {rank: Fraction(count, shoe.size) for rank, count in enumerate(shoe.counts) if count}
            for shoe in (self.shoe, wrong)
        ]
        for slot in FIRST_CARDS:
            yield _cells(f"{slot} card", "G", *laws)

    def _serial(self) -> Iterator[Test]:
        """Equal ranks in neighbouring rounds, winners after winners, runs."""
        counts, size = self.shoe.counts, self.shoe.size
        alike = float(sum((Fraction(count, size) ** 2 for count in counts), Fraction(0)))
        in_one = float(
            sum((Fraction(count * (count - 1), size * (size - 1)) for count in counts), Fraction(0))
        )
        copied = float(self.fault.share or 0) if self.fault.kind is Kind.COPIES else 0.0
        for now in FIRST_CARDS:
            for before in FIRST_CARDS:
                wrong = self.doubled * (1.0 if now == before else in_one) + (1 - self.doubled) * alike
                if now == FIRST_CARDS[0]:
                    wrong = copied * (1.0 if before == now else in_one) + (1 - copied) * wrong
                subject = f"{now} card and the {before} card of the round before"
                yield Counted(subject, "same rank", alike, wrong)
        right, wrong_chances = (
            [float(law.winners[name]) for name in WINNERS] for law in (self.right, self.wrong)
        )
        for number, name in enumerate(WINNERS):
            after = [
                self.doubled * (other == number) + (1 - self.doubled) * chance
                for other, chance in enumerate(wrong_chances)
            ]
            yield Cells(
                f"rounds after {name}", "winner", np.array(right), np.array(after), wrong_chances[number]
            )
        changes = [1 - sum(chance**2 for chance in law) for law in (right, wrong_chances)]
        yield Counted("runs", "another winner", changes[0], (1 - self.doubled) * changes[1])

    def _repeats(self) -> Iterator[Test]:
        """Neighbouring rounds of one cell, as counts tell them."""
        twice = float(self.right.coincidences[0])
        wrong = sum(float(chance) ** 2 for chance in self.wrong.cells.values())
        yield Counted("neighbouring rounds", "same cell", twice, self.doubled + (1 - self.doubled) * wrong)

    def _bets(self, source: Source) -> list[str]:
        """The bets that a source tells of: of results only, those that the winner decides."""
        return (
            list(self.right.by_winner)
            if source is Source.RESULTS
            else [bet.id for bet in self.right.game.bets]
        )

    def _nets(self, bet: str) -> dict[Fraction, Fraction]:
        """The net results of a bet with the fault, as they are written down."""
        nets = self.wrong.bet(bet)
        if self.fault.kind is not Kind.PAID_WRONG or self.fault.bet != bet or self.fault.net is None:
            return nets
        share, paid = self.fault.share or Fraction(0), dict[Fraction, Fraction]()
        for net, chance in nets.items():
            moved = chance * share if net > 0 else Fraction(0)
            paid[net] = paid.get(net, Fraction(0)) + chance - moved
            paid[self.fault.net] = paid.get(self.fault.net, Fraction(0)) + moved
        return paid

    def _of_bet(self, bet: str, source: Source) -> Iterator[Test]:
        """Every outcome of a bet, and its mean."""
        right = self.right.bet(bet)
        wrong = self.wrong.bet(bet) if source is Source.RESULTS else self._nets(bet)
        for net in telling(right, Fraction(1)):
            yield Counted(f"bet {bet}", f"net {net}", float(right[net]), float(wrong.get(net, 0)))
        analysis = self.right.analysis.bet(bet)
        if not analysis.variance:
            return
        means, variances = zip(*(_moments(law) for law in (right, wrong)), strict=True)
        least = float(analysis.third_central_moment**2 / (MOST_SKEW**2 * analysis.variance**3))
        off = float(means[1] - means[0])
        yield Mean(f"bet {bet}", "mean", off, float(variances[0]), float(variances[1]), least)

    def _insurance(self) -> Iterator[Test]:
        """How often each insurance state is offered, and what it comes to."""
        for state, analysis in self.right.states.items():
            reached = analysis.probability
            if not reached:
                continue
            other = self.wrong.states[state].probability
            subject = f"insurance {state}"
            yield Counted(subject, "offered", float(reached), float(other))
            right, wrong = self.right.state(state), self.wrong.state(state)
            for net in telling(right, reached):
                if other:
                    chances = float(right[net] / reached), float(wrong.get(net, 0) / other)
                    yield Counted(subject, f"net {net}", *chances, float(other))


def _moments(law: Mapping[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    mean = sum((net * chance for net, chance in law.items()), Fraction(0))
    return mean, sum((net**2 * chance for net, chance in law.items()), Fraction(0)) - mean**2


def _cells(subject: str, what: str, right: Mapping[Any, Fraction], wrong: Mapping[Any, Fraction]) -> Cells:
    """The test of all cells together; those that no right round comes to are a contradiction of their own."""
    keys = list(right)
    laws = [np.array([float(law.get(key, 0)) for key in keys]) for law in (right, wrong)]
    return Cells(subject, what, laws[0], laws[1])
