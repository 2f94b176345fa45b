"""A log in groups: the rounds and faults of each group, and its hold compared with the exact expected hold.

The expected loss of stakes is exact: on a fresh shoe, or for rounds of whole shoes on the cards left before
each. A group is tested by the payments due on the cards dealt, so that a wrong payment counts as a fault and
not as luck. The variance of each bet is its variance on the cards left; bets of the same round are combined
by their correlations on a fresh shoe. Insurance is excluded, because a player who insures has seen cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from combinat.analysis.evaluate import evaluate
from combinat.analysis.odds import Analysis
from combinat.audit.judging.conditional import BITS, edges_and_variances, to_decimals
from combinat.audit.judging.payments import Payment, paid_columns, sums_by
from combinat.audit.judging.replay import Piece
from combinat.audit.judging.statistics import MOST_SKEW, Reals, normal
from combinat.audit.judging.terms import LogTerms
from combinat.audit.reading.log_map import Money
from combinat.audit.reading.rounds import PREFIX, Groupings
from combinat.audit.reading.values import UNIT, Units, exact, text_codes
from combinat.audit.verdict import Evidence, Grouping, LogGroup, StatisticalTest
from combinat.base.errors import FileError, quoted
from combinat.engine.distribution import summed
from combinat.montecarlo.cell import Indices
from combinat.montecarlo.tally import Tallies
from combinat.rules.bet import Bet

if TYPE_CHECKING:
    import polars

MOST_GROUPS = 1_000
"""The most groups of one grouping: with more, the column distinguishes rounds, not parts of the log."""


@dataclass(slots=True)
class _Sums:
    """The sums of a group: amounts in units, ``expected`` with ``BITS`` binary places."""

    rounds: int = 0
    faults: int = 0
    staked: Fraction = Fraction(0)
    kept: Fraction = Fraction(0)
    by_rules: Fraction = Fraction(0)
    expected: int = 0
    variance: float = 0.0
    skew: float = 0.0


@dataclass(slots=True)
class _Division:
    """A grouping: the sums of its groups by name, and for each table the groups in its last round."""

    names: tuple[str, ...]
    sums: dict[str, _Sums] = field(default_factory=dict)
    in_last_round: dict[str, set[str]] = field(default_factory=dict)

    @property
    def by(self) -> str:
        """The name of the grouping."""
        return " + ".join(self.names)

    def groups_of(self, frame: "polars.DataFrame") -> tuple[Indices, list[str], list[_Sums]]:
        """Return the number of each row's group, and the names and the sums of these groups."""
        import polars

        texts = frame.select(polars.concat_str([f"{PREFIX}{name}" for name in self.names], separator=" / "))
        codes, names = text_codes(texts.to_series())
        sums = [self.sums.setdefault(name, _Sums()) for name in names]
        if len(self.sums) > MOST_GROUPS:
            raise FileError(f"by {self.by}: more than {MOST_GROUPS} groups; is every row one of its own?")
        return codes.astype(np.intp), names, sums


class Groups:
    """The groups of a log so far."""

    def __init__(self, groupings: Groupings, analysis: Analysis, terms: LogTerms) -> None:
        self._divisions = [_Division(names) for names in groupings]
        self._analysis, self._whole_shoes = analysis, terms.whole_shoes
        paid = sorted(paid_columns(terms), key=lambda column: column.money is Money.PAYOUT)
        by_subject = {column.subject: column for column in paid}
        bets = [bet for bet in analysis.game.bets if bet.id in by_subject]
        self._bets = [analysis.bet(bet.id) for bet in bets]
        self._columns = [by_subject[bet.id] for bet in bets]
        self._game = msgspec.structs.replace(analysis.game, bets=tuple(bets), insurance=())
        self._chances, self._nets = _joint(analysis, bets)

    def add(self, piece: Piece) -> None:
        """Add rows of one table."""
        if not self._divisions:
            return
        rounds = np.cumsum(piece.first, dtype=np.intp)  # 0: a round that began in earlier rows
        played = np.flatnonzero(piece.is_certain)
        of_kept = piece.is_certain[piece.possible]
        by_column = {payment.column: payment.of_rows(of_kept) for payment in piece.payments}
        payments = [by_column[column] for column in self._columns]
        expected, scales = self._expected(piece.left[played], payments)
        for division in self._divisions:
            groups, names, sums = division.groups_of(piece.rows.frame)
            for number, count in enumerate(np.bincount(groups[piece.faulty]).tolist()):
                sums[number].faults += count
            _add_rounds(division, piece.name, groups, rounds, names)
            for payment in payments:
                _add_amounts(sums, groups[played], payment)
            for number, amount in sums_by(groups[played], expected):
                sums[number].expected += int(amount)
            self._add_moments(sums, groups[played], rounds[played], payments, scales)

    def _expected(self, left: Tallies, payments: Sequence[Payment]) -> tuple[Units, Reals]:
        """Return the expected loss of the stakes of each row, in units with ``BITS`` binary places.

        Also return, for each bet, the ratio of its standard deviation on the cards left to that on a fresh
        shoe.
        """
        total: Units = np.zeros(len(left), dtype=object)
        scales: Reals = np.ones((len(left), len(payments)))
        if not len(left) or not payments:
            return total, scales
        if not self._whole_shoes:
            for bet, payment in zip(self._bets, payments, strict=True):
                edge = bet.house_edge
                expected = payment.stakes.astype(object) * ((edge.numerator << BITS) // edge.denominator)
                total = total + expected[payment.rows]
            return total, scales
        values = evaluate(self._game, left, variance=True)
        bottoms = values.denominators.astype(object)
        for number, payment in enumerate(payments):
            tops = payment.stakes.astype(object)[payment.rows] * -values.numerators[:, number].astype(object)
            total = total + tops * 2**BITS // bottoms
        _, variances = edges_and_variances(values)
        fresh = np.array([float(bet.variance) or 1.0 for bet in self._bets])
        return total, np.sqrt(np.maximum(variances, 0) / fresh)

    def _add_moments(
        self,
        sums: Sequence[_Sums],
        groups: Indices,
        rounds: Indices,
        payments: Sequence[Payment],
        scales: Reals,
    ) -> None:
        """Add the variance and the third moment of the net result of each group in each round."""
        keys, which = np.unique(rounds * len(sums) + groups, return_inverse=True)
        stakes: Reals = np.zeros((len(keys), len(payments)))
        for number, payment in enumerate(payments):
            staked = payment.stakes.astype(np.float64)[payment.rows] / UNIT
            np.add.at(stakes[:, number], which, staked * scales[:, number])
        won = stakes @ self._nets.T
        apart = won - (won @ self._chances)[:, None]
        variances, thirds = apart**2 @ self._chances, np.abs(apart**3 @ self._chances)
        for of_group, variance, third in zip(
            sums,
            *(np.bincount(keys % len(sums), each, len(sums)) for each in (variances, thirds)),
            strict=True,
        ):
            of_group.variance += float(variance)
            of_group.skew += float(third)

    def tests(self) -> list[StatisticalTest]:
        """Return the test of the hold of each group that has one, before p-values are adjusted."""
        every = (
            _test(f"{one.by} {_group_name(name)}", sums)
            for one in self._divisions
            for name, sums in sorted(one.sums.items())
        )
        return [test for test in every if test is not None]

    def record(self, tests: Sequence[StatisticalTest] = ()) -> tuple[Grouping, ...]:
        """Return the groups. ``tests``: all tests of the log, adjusted."""
        of_group = {test.subject: test for test in tests if test.kind is Evidence.GROUP}
        return tuple(
            Grouping(
                by=one.by,
                groups=tuple(
                    _group(_group_name(name), sums, of_group.get(f"{one.by} {_group_name(name)}"))
                    for name, sums in sorted(one.sums.items())
                ),
            )
            for one in self._divisions
        )


def _add_rounds(
    division: _Division, table: str, groups: Indices, rounds: Indices, names: Sequence[str]
) -> None:
    """Count the rounds of each group; a round with several rows counts once in each group."""
    before = division.in_last_round.get(table, set())
    for pair in np.unique(rounds * len(names) + groups).tolist():
        number, group = divmod(pair, len(names))
        if number > 0 or names[group] not in before:  # number 0: a round that began in earlier rows
            division.sums[names[group]].rounds += 1
    last = {names[group] for group in groups[rounds == rounds[-1]].tolist()}
    division.in_last_round[table] = last | before if rounds[-1] == 0 else last


def _add_amounts(sums: Sequence[_Sums], groups: Indices, payment: Payment) -> None:
    """Add the amounts of a bet to the sums of groups."""
    cases = len(payment.labels)
    keys, times = np.unique(groups * cases + payment.rows, return_counts=True)
    for key, rows in zip(keys.tolist(), times.tolist(), strict=True):
        group, case = divmod(key, cases)
        staked = exact(payment.stakes[case]) * rows
        sums[group].staked += staked
        sums[group].kept += staked - exact(payment.back[case]) * rows
        sums[group].by_rules -= staked * (payment.nets[payment.labels[case]] or 0)


def _joint(analysis: Analysis, bets: Sequence[Bet]) -> tuple[Reals, Reals]:
    """Return the joint law of bets: the chance of each combination of net results, and the combinations."""
    outcomes = analysis.distribution.detailed_for(bets).outcomes
    ways = summed((tuple(bet.net(outcome) for bet in bets), count) for outcome, count in outcomes.items())
    chances = np.array([float(Fraction(count, analysis.sample_space)) for count in ways.values()])
    return chances, np.array([[float(net) for net in nets] for nets in ways]).reshape(len(ways), len(bets))


def _group_name(name: str) -> str:
    return quoted(name) or "(nothing)"


def _expected(sums: _Sums) -> Fraction:
    return to_decimals(sums.expected) / UNIT


def _test(subject: str, sums: _Sums) -> StatisticalTest | None:
    """Return the test of a hold; None without stakes or variance, or for a sum too skewed for a normal tail."""
    if not sums.staked or not sums.variance or sums.skew > float(MOST_SKEW) * sums.variance**1.5:
        return None
    expected, staked = _expected(sums), sums.staked / UNIT
    return StatisticalTest(
        subject=subject,
        kind=Evidence.GROUP,
        what="hold",
        observed=sums.kept / sums.staked,
        expected=expected / staked,
        score=normal(sums.by_rules / UNIT - expected, Fraction(sums.variance)),
    )


def _group(name: str, sums: _Sums, test: StatisticalTest | None) -> LogGroup:
    staked = sums.staked / UNIT
    return LogGroup(
        name=name,
        rounds=sums.rounds,
        faults=sums.faults,
        staked=staked,
        hold=sums.kept / sums.staked if staked else None,
        exact=_expected(sums) / staked if staked else None,
        test=test,
    )
