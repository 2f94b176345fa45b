"""A log in groups: the rounds and faults of each group, and its hold compared with the exact expected hold.

The expected loss of stakes is exact: on a fresh shoe, or for rounds of whole shoes on the cards left before
each. A group is tested by the payments due on the cards dealt, so that a wrong payment counts as a fault and
not as luck. The variance of each bet is its variance on the cards left; bets of the same round are combined
by their correlations on a fresh shoe. Insurance is excluded, because a player who insures has seen cards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from operator import itemgetter

import msgspec
import numpy as np

from combinat.analysis.evaluate import evaluate
from combinat.analysis.odds import Analysis
from combinat.audit.judging.conditional import BITS, edges_and_variances, to_decimals
from combinat.audit.judging.payments import sums_by
from combinat.audit.judging.replay import Piece
from combinat.audit.judging.statistics import MOST_SKEW, Reals, normal
from combinat.audit.reading.log_map import LogColumn, Money
from combinat.audit.reading.rounds import PREFIX, Groupings
from combinat.audit.reading.rows import RowBatch
from combinat.audit.reading.values import UNIT, Units, text_codes
from combinat.audit.verdict import Evidence, Grouping, LogGroup, Score, StatisticalTest
from combinat.base.errors import FileError, quoted
from combinat.engine.distribution import summed
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import Indices
from combinat.montecarlo.partition import Partition, net_of

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
    """A grouping: its groups by name, their sums, and for each table the groups in its last round."""

    names: tuple[str, ...]
    groups: list[str] = field(default_factory=list)
    sums: list[_Sums] = field(default_factory=list)
    in_last_round: dict[str, set[int]] = field(default_factory=dict)

    @property
    def by(self) -> str:
        """The name of the grouping."""
        return " + ".join(self.names)


class Groups:
    """The groups of a log so far."""

    def __init__(
        self, groupings: Groupings, analysis: Analysis, columns: Sequence[LogColumn], *, whole_shoes: bool
    ) -> None:
        self._divisions = [_Division(names) for names in groupings]
        self._analysis, self._whole_shoes = analysis, whole_shoes
        by_subject = {
            column.subject: column
            for money in (Money.NET, Money.PAYOUT)
            for column in columns
            if column.money is money
        }
        bets = [bet for bet in analysis.game.bets if bet.id in by_subject]
        self._bets = tuple(bet.id for bet in bets)
        self._columns = [by_subject[bet] for bet in self._bets]
        self._game = msgspec.structs.replace(analysis.game, bets=tuple(bets), insurance=())
        self._chances, self._nets = _joint(analysis, self._bets)

    def add(self, piece: Piece, partitions: Sequence[Partition]) -> None:
        """Add rows of one table."""
        rows = piece.rows
        if not rows.frame.height:
            return
        played = np.flatnonzero(piece.possible & (piece.left.sum(axis=1) >= MOST_CARDS))
        money = [self._money(column, played, piece, partitions) for column in self._columns]
        expected, scales = self._expected(played, piece, money)
        for division in self._divisions:
            groups = self._groups(division, rows)
            for number, count in _counts(groups[piece.faulty]):
                division.sums[number].faults += count
            self._add_rounds(division, rows, groups, piece)
            for bet_money in money:
                bet_money.add_to(division.sums, groups[played])
            for number, amount in sums_by(groups[played], expected):
                division.sums[number].expected += int(amount)
            self._add_moments(division, groups[played], _rounds(piece)[played], money, scales)

    # ------------------------------------------------------------ groups and rounds

    def _groups(self, division: _Division, rows: RowBatch) -> Indices:
        """Return the number of each row's group."""
        import polars

        texts = rows.frame.select(
            polars.concat_str([f"{PREFIX}{name}" for name in division.names], separator=" / ").alias("group")
        )["group"]
        groups = text_codes(texts, division.groups).astype(np.intp)
        if len(division.groups) > MOST_GROUPS:
            raise FileError(f"by {division.by}: more than {MOST_GROUPS} groups; is every row one of its own?")
        division.sums += [_Sums() for _ in range(len(division.groups) - len(division.sums))]
        return groups

    def _add_rounds(self, division: _Division, rows: RowBatch, groups: Indices, piece: Piece) -> None:
        """Count the rounds of each group; a round with several rows counts once in each group."""
        table = rows.frame["table"][0] or "" if "table" in rows.frame.columns else ""
        rounds = _rounds(piece)
        pairs = np.unique(rounds * len(division.sums) + groups)
        before = division.in_last_round.get(table, set())
        for pair in pairs.tolist():
            number, group = divmod(pair, len(division.sums))
            if number > 0 or group not in before:  # number 0: a round that began in earlier rows
                division.sums[group].rounds += 1
        last = set(groups[rounds == rounds[-1]].tolist())
        division.in_last_round[table] = last | before if rounds[-1] == 0 else last

    # ------------------------------------------------------------ money

    def _money(
        self,
        column: LogColumn,
        played: Indices,
        piece: Piece,
        partitions: Sequence[Partition],
    ) -> "_Money":
        """Return the stakes of rows on a bet, the amounts kept, and the net results by the rules."""
        partition = next(partition for partition in partitions if partition.subject == column.subject)
        labels = partition.labels_of(piece.cells[played], piece.dealt, played).astype(np.intp)
        nets = [net_of(label) or Fraction(0) for label in partition.labels]
        paid = piece.values[column]
        if column.money is Money.NET:
            return _Money(paid.is_given[played] * UNIT, -paid.units[played], labels, nets)
        stakes = piece.values[LogColumn(Money.STAKE, column.subject)].units[played]
        return _Money(stakes, stakes - paid.units[played], labels, nets)

    def _expected(self, played: Indices, piece: Piece, money: "Sequence[_Money]") -> tuple[Units, Reals]:
        """Return the expected loss of the stakes of each row, in units with ``BITS`` binary places.

        Also return, for each bet, the ratio of its standard deviation on the cards left to that on a fresh
        shoe.
        """
        total: Units = np.zeros(len(played), dtype=object)
        scales: Reals = np.ones((len(played), len(money)))
        if not len(played) or not money:
            return total, scales
        if not self._whole_shoes:
            for bet, one in zip(self._bets, money, strict=True):
                edge = -self._analysis.bet(bet).expected_value
                total = total + one.stakes.astype(object) * ((edge.numerator << BITS) // edge.denominator)
            return total, scales
        values = evaluate(self._game, piece.left[played], variance=True)
        bottoms = values.denominators.astype(object)
        for number, one in enumerate(money):
            tops = one.stakes.astype(object) * -values.numerators[:, number].astype(object)
            total = total + tops * 2**BITS // bottoms
        _, variances = edges_and_variances(values)
        fresh = [float(self._analysis.bet(bet).variance) or 1.0 for bet in self._bets]
        return total, np.sqrt(np.maximum(variances, 0) / np.array(fresh))

    def _add_moments(
        self,
        division: _Division,
        groups: Indices,
        rounds: Indices,
        money: "Sequence[_Money]",
        scales: Reals,
    ) -> None:
        """The variance and the third moment of the net result of each group in each round."""
        if not len(groups) or not money:
            return
        keys, which = np.unique(rounds * len(division.sums) + groups, return_inverse=True)
        stakes: Reals = np.zeros((len(keys), len(money)))
        for number, one in enumerate(money):
            np.add.at(stakes[:, number], which, one.stakes.astype(np.float64) / UNIT * scales[:, number])
        won = stakes @ self._nets.T
        means = won @ self._chances
        apart = won - means[:, None]
        variances, thirds = apart**2 @ self._chances, np.abs(apart**3 @ self._chances)
        for number, sums in enumerate(division.sums):
            mine = keys % len(division.sums) == number
            sums.variance += float(variances[mine].sum())
            sums.skew += float(thirds[mine].sum())

    # ------------------------------------------------------------ the record

    def record(self) -> tuple[Grouping, ...]:
        """Return the groups, before their p-values are adjusted."""
        return tuple(
            Grouping(
                by=division.by,
                groups=tuple(
                    _group(name, sums)
                    for name, sums in sorted(
                        zip(division.groups, division.sums, strict=True), key=itemgetter(0)
                    )
                ),
            )
            for division in self._divisions
        )


@dataclass(frozen=True, slots=True)
class _Money:
    """A bet in some rows: stakes and amounts kept, in units; labels, and the net result of each label."""

    stakes: Units
    kept: Units
    labels: Indices
    nets: list[Fraction]

    def add_to(self, sums: list[_Sums], groups: Indices) -> None:
        """Add them to the sums of groups."""
        for number, amount in sums_by(groups, self.stakes):
            sums[number].staked += amount
        for number, amount in sums_by(groups, self.kept):
            sums[number].kept += amount
        for key, amount in sums_by(groups * len(self.nets) + self.labels, self.stakes):
            number, label = divmod(key, len(self.nets))
            sums[number].by_rules -= amount * self.nets[label]


def _rounds(piece: Piece) -> Indices:
    """Return the round number of each row, from 1; 0 for a round that began in earlier rows."""
    return np.cumsum(piece.first, dtype=np.intp)


def _counts(groups: Indices) -> Iterator[tuple[int, int]]:
    numbers, counts = np.unique(groups, return_counts=True)
    yield from zip(numbers.tolist(), counts.tolist(), strict=True)


def _joint(analysis: Analysis, bets: Sequence[str]) -> tuple[Reals, Reals]:
    """Return the joint law of bets: the chance of each combination of net results, and the combinations."""
    wanted = [analysis.game.bet(bet) for bet in bets]
    outcomes = analysis.distribution.detailed_for(wanted).outcomes
    ways = summed((tuple(bet.net(outcome) for bet in wanted), count) for outcome, count in outcomes.items())
    chances = np.array([float(Fraction(count, analysis.sample_space)) for count in ways.values()])
    return chances, np.array([[float(net) for net in nets] for nets in ways]).reshape(len(ways), len(bets))


def _group(name: str, sums: _Sums) -> LogGroup:
    staked = sums.staked / UNIT
    if not staked:
        return LogGroup(
            name=quoted(name) or "(nothing)",
            rounds=sums.rounds,
            faults=sums.faults,
            staked=staked,
            hold=None,
            exact=None,
            score=None,
        )
    expected = to_decimals(sums.expected) / UNIT
    return LogGroup(
        name=quoted(name) or "(nothing)",
        rounds=sums.rounds,
        faults=sums.faults,
        staked=staked,
        hold=sums.kept / sums.staked,
        exact=expected / staked,
        score=_score(sums, sums.by_rules / UNIT - expected),
    )


def _score(sums: _Sums, off: Fraction) -> Score | None:
    """Return the test of a group, or None if its sum is too skewed for a normal tail."""
    if not sums.variance or sums.skew > float(MOST_SKEW) * sums.variance**1.5:
        return None
    return normal(off, Fraction(sums.variance))


def group_tests(groupings: Sequence[Grouping]) -> Iterator[StatisticalTest]:
    """Yield the tests of groups, not yet adjusted for the number of tests."""
    for grouping in groupings:
        for group in grouping.groups:
            if group.score is not None:
                yield StatisticalTest(
                    subject=f"{grouping.by} {group.name}",
                    kind=Evidence.GROUP,
                    what="hold",
                    observed=group.hold,
                    expected=group.exact,
                    score=group.score,
                )


def adjusted_groupings(
    groupings: Sequence[Grouping], tests: Sequence[StatisticalTest]
) -> tuple[Grouping, ...]:
    """Return the groups, each with the adjusted p-value of its test; ``tests``: in the same order."""
    chances = iter([test.adjusted_chance for test in tests if test.kind is Evidence.GROUP])
    return tuple(
        replace(
            grouping,
            groups=tuple(
                group if group.score is None else replace(group, adjusted_chance=next(chances, None))
                for group in grouping.groups
            ),
        )
        for grouping in groupings
    )
