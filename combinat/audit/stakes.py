"""The stakes of a log, gathered by player: exact sums, and their course along each shoe with that of the edges."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

import msgspec
import numpy as np
import numpy.typing as npt

from combinat.analysis.evaluate import evaluate
from combinat.audit.judging.cells import insured
from combinat.audit.judging.conditional import ConditionalInsurance, Ints
from combinat.audit.judging.replay import TEN, Piece
from combinat.audit.judging.statistics import Places, Reals, deviations, ratios, reals, zeros
from combinat.audit.reading.log_map import LogColumn, Money
from combinat.audit.reading.values import UNIT, Amounts
from combinat.audit.review_records import Staked
from combinat.base.errors import FileError
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import Deals, Indices, chosen
from combinat.montecarlo.partition import Partition, net_of
from combinat.protection.inputs import Tags
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.shoe import Shoe

Exact = npt.NDArray[np.object_]

FINE = 10**9
"""Parts of 1 in which amounts are whole that have more decimals than usual."""

MOST_ROUNDS = 5_000_000
MOST_PLAYERS = 1_000
DECK = 52


@dataclass(slots=True)
class StakeSums:
    """Exact sums of a player's stakes on one bet."""

    fresh: Fraction | None
    wagers: int = 0
    staked: Fraction = Fraction(0)
    favourable: Fraction = Fraction(0)
    won: Fraction = Fraction(0)
    variance: float = 0
    _by_space: dict[int, Fraction] = field(default_factory=dict)

    def add(self, units: Exact, unit: int, tops: Exact, bottoms: Exact, nets: Sequence[Fraction]) -> None:
        """Add wagers: stakes in units, each with its expected value as a fraction and its net result."""
        self.wagers += len(units)
        self.staked += Fraction(int(units.sum()), unit)
        self.favourable += Fraction(int(units[tops > 0].sum()), unit)
        totals: dict[Fraction, int] = {}
        products: dict[int, int] = {}
        for stake, top, bottom, net in zip(
            units.tolist(), tops.tolist(), bottoms.tolist(), nets, strict=True
        ):
            products[bottom] = products.get(bottom, 0) + stake * top
            totals[net] = totals.get(net, 0) + stake
        for bottom, product in products.items():
            self._by_space[bottom] = self._by_space.get(bottom, Fraction(0)) + Fraction(product, unit)
        self.won += sum((net * Fraction(total, unit) for net, total in totals.items()), Fraction(0))

    def record(self) -> Staked:
        """The sums as a record."""
        expected = sum((total / bottom for bottom, total in self._by_space.items()), Fraction(0))
        return Staked(
            wagers=self.wagers,
            staked=self.staked,
            favourable=self.favourable,
            expected=expected,
            fresh=None if self.fresh is None else self.fresh * self.staked,
            won=self.won,
            luck=deviations(self.won - expected, self.variance),
        )


@dataclass(slots=True)
class ShoeStakes:
    """A player's stakes along a shoe, by round and bet; from the first round in which they stake to the last."""

    stakes: Reals
    first: int
    last: int


@dataclass(slots=True)
class Offers:
    """Insurance that was offered to a player: the stake, its expected value, its state by number."""

    stakes: list[Reals] = field(default_factory=list)
    edges: list[Reals] = field(default_factory=list)
    states: list[Places] = field(default_factory=list)


@dataclass(slots=True)
class PlayerStakes:
    """What was gathered of one player."""

    sums: dict[str, StakeSums] = field(default_factory=dict)
    courses: dict[int, ShoeStakes] = field(default_factory=dict)
    offers: dict[str, Offers] = field(default_factory=dict)


@dataclass(slots=True)
class ShoePath:
    """A shoe's edges by round and bet, and its true counts by round and set of tags."""

    edges: Reals
    counts: Reals


@dataclass(frozen=True, slots=True)
class _Rounds:
    """The rounds of a piece: the cards left before each, which rows are of which round, expected values exactly."""

    left: Ints
    of_row: Indices
    shoes: Ints
    cells: Indices
    dealt: Deals
    tops: Exact
    bottoms: Exact
    edges: Reals
    variances: Reals


class Stakes:
    """The stakes of a log as far as it has been replayed."""

    def __init__(
        self, game: Game, shoe: Shoe, columns: Sequence[LogColumn], tags: Sequence[Tags], tells_ranks: bool
    ) -> None:
        subjects = [column.subject for column in columns if column.money is Money.STAKE]
        self.bets = [subject for subject in subjects if "@" not in subject]
        self.insured = [subject for subject in subjects if "@" in subject]
        self.game, self.tags = game, tuple(tags)
        self._asked = msgspec.structs.replace(
            game,
            bets=tuple(game.bet(subject) for subject in self.bets)
            or game.bets[:1],  # insurance alone: any bet
            insurance=(),
        )
        self._full = np.array(shoe.counts, dtype=np.int64)
        if not tells_ranks:  # as cards by points are read: all that is worth nothing is a 10
            self._full[TEN], self._full[TEN + 1 :] = self._full[TEN:].sum(), 0
        fresh = evaluate(self._asked, self._full[None, :])
        self.fresh = {subject: fresh.expected_value(0, subject) for subject in self.bets}
        self.paths: list[ShoePath] = []
        self.players: dict[str, PlayerStakes] = {}
        self.rounds = 0
        self.not_offered = 0
        self._states = list(game.offers)
        self.partitions: Sequence[Partition] = ()

    def add(self, piece: Piece) -> None:
        """Add rows of one table."""
        rounds = self._rounds(piece) if piece.rows.frame.height else None
        if rounds is None:
            return
        self.rounds += len(rounds.cells)
        if self.rounds > MOST_ROUNDS:
            raise FileError(f"more than {MOST_ROUNDS} rounds; review a part of the log at a time")
        starts = np.flatnonzero(np.diff(rounds.shoes, prepend=-1))
        base = len(self.paths)
        counts = self._true_counts(rounds.left)
        for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(rounds.shoes)], strict=True):
            self.paths.append(ShoePath(rounds.edges[start:end], counts[start:end]))
        names = (
            piece.rows.frame["player"].fill_null("").to_numpy()
            if "player" in piece.rows.frame.columns
            else None
        )
        units = {
            subject: _units(piece.values[LogColumn(Money.STAKE, subject)])
            for subject in (*self.bets, *self.insured)
        }
        insured_at = {subject: self._insured(subject, piece, rounds) for subject in self.insured}
        for name in [""] if names is None else sorted(set(names.tolist())):
            mine = rounds.of_row >= 0 if names is None else (rounds.of_row >= 0) & (names == name)
            self._add_player(name, np.flatnonzero(mine), rounds, units, starts, base, names is not None)
            for subject in self.insured:
                self._add_offers(
                    name, np.flatnonzero(mine), rounds, units[subject], subject, insured_at[subject]
                )

    def _rounds(self, piece: Piece) -> _Rounds | None:
        begin = np.flatnonzero(piece.first & piece.possible)
        enough = piece.left[begin].sum(axis=1) >= MOST_CARDS
        number = np.where(enough, np.cumsum(enough) - 1, -1)
        of_row = np.cumsum(piece.first & piece.possible) - 1
        of_row = np.where(
            (of_row >= 0) & piece.possible, number[np.maximum(of_row, 0)] if len(number) else -1, -1
        )
        begin = begin[enough]
        if not len(begin):
            return None
        left = piece.left[begin]
        evaluation = evaluate(self._asked, left, variance=True)
        edges = ratios(evaluation.numerators, evaluation.denominators)
        squares = evaluation.square_numerators
        assert squares is not None
        second = ratios(squares, evaluation.denominators) / evaluation.unit
        return _Rounds(
            left,
            of_row,
            piece.shoes[begin],
            piece.cells[begin],
            chosen(piece.dealt, begin),
            evaluation.numerators.astype(object),
            evaluation.denominators.astype(object),
            edges,
            second - edges**2,
        )

    def _true_counts(self, left: Ints) -> Reals:
        """The count of each set of tags, for a deck left, before each round."""
        tags = np.array([tuple(one) for one in self.tags], dtype=np.int64).reshape(-1, len(RANKS))
        return ratios((self._full - left) @ tags.T * DECK, left.sum(axis=1))

    def _player(self, name: str) -> PlayerStakes:
        if name not in self.players and len(self.players) >= MOST_PLAYERS:
            raise FileError(f"more than {MOST_PLAYERS} players; is this a column of players?")
        return self.players.setdefault(name, PlayerStakes())

    def _partition(self, subject: str) -> Partition:
        return next(partition for partition in self.partitions if partition.subject == subject)

    def _add_player(
        self,
        name: str,
        rows: Indices,
        rounds: _Rounds,
        units: dict[str, tuple[Exact, int]],
        starts: Indices,
        base: int,
        by_player: bool,
    ) -> None:
        """Add a player's stakes on bets."""
        course = zeros(len(rounds.cells), len(self.bets))
        for number, subject in enumerate(self.bets):
            amounts, unit = units[subject]
            placed = rows[amounts[rows] > 0]
            if not len(placed):
                continue
            of_round = rounds.of_row[placed]
            stakes = reals(amounts[placed]) / unit
            np.add.at(course[:, number], of_round, stakes)
            partition = self._partition(subject)
            nets = [net_of(label) or Fraction(0) for label in partition.labels]
            sums = self._player(name).sums.setdefault(subject, StakeSums(self.fresh[subject]))
            labels = partition.labels_of(rounds.cells[of_round], rounds.dealt, of_round).tolist()
            sums.add(
                amounts[placed],
                unit,
                rounds.tops[of_round, number],
                rounds.bottoms[of_round],
                [nets[label] for label in labels],
            )
            sums.variance += (stakes**2 * rounds.variances[of_round, number]).sum()
        ends = [*starts[1:].tolist(), len(rounds.cells)]
        for place, (start, end) in enumerate(zip(starts.tolist(), ends, strict=True)):
            staked = np.flatnonzero(course[start:end].any(axis=1))
            if len(staked):
                whole = (0, end - start - 1)
                first, last = (int(staked[0]), int(staked[-1])) if by_player else whole
                self._player(name).courses[base + place] = ShoeStakes(course[start:end], first, last)

    def _insured(
        self, subject: str, piece: Piece, rounds: _Rounds
    ) -> tuple[Exact, Exact, Places, Reals, list[Fraction]]:
        """Of each round the expected value of insurance as a fraction, its state by number (-1: none), its variance, its net."""
        side_and_stage = insured(subject)
        begin = np.flatnonzero(piece.first & piece.possible)
        begin = begin[piece.left[begin].sum(axis=1) >= MOST_CARDS]
        dealt = chosen(piece.dealt, begin)
        size = len(begin)
        tops, bottoms = np.zeros(size, dtype=object), np.ones(size, dtype=object)
        states, variances = np.full(size, -1, dtype=np.intp), zeros(size)
        partition = self._partition(subject)
        labels = partition.of_cell[rounds.cells]
        given = ConditionalInsurance(self.game, ())
        nets = [net_of(label) or Fraction(0) for label in partition.labels]
        by_state: dict[State, list[int]] = {}
        for number, label in enumerate(partition.labels):
            if isinstance(label, tuple):
                by_state.setdefault(label[0], []).append(number)
        for state, numbers in by_state.items():
            here = np.flatnonzero(np.isin(labels, numbers))
            if not len(here):
                continue
            of_state, ways, spaces, enough = given.ways(state, side_and_stage[1], rounds.left, dealt, here)
            here = here[enough]
            part = lcm(*(net.denominator for net in of_state))
            whole = np.array([int(net * part) for net in of_state], dtype=object)
            tops[here] = ways.astype(object) @ whole
            bottoms[here] = spaces.astype(object) * part
            states[here] = self._states.index(state)
            chances = ratios(ways, spaces)
            values = reals([net.numerator for net in of_state]) / reals([net.denominator for net in of_state])
            variances[here] = chances @ values**2 - (chances @ values) ** 2
        return tops, bottoms, states, variances, [nets[label] for label in labels.tolist()]

    def _add_offers(
        self,
        name: str,
        rows: Indices,
        rounds: _Rounds,
        amounts: tuple[Exact, int],
        subject: str,
        at: tuple[Exact, Exact, Places, Reals, list[Fraction]],
    ) -> None:
        """Add a player's stakes on insurance, wherever it was offered."""
        units, unit = amounts
        tops, bottoms, states, variances, nets = at
        of_round = rounds.of_row[rows]
        offered = states[of_round] >= 0
        self.not_offered += int((units[rows][~offered] > 0).sum())
        rows, of_round = rows[offered], of_round[offered]
        placed = units[rows] > 0
        if placed.any():
            sums = self._player(name).sums.setdefault(subject, StakeSums(None))
            which = of_round[placed]
            stakes = reals(units[rows[placed]]) / unit
            sums.add(
                units[rows[placed]],
                unit,
                tops[which],
                bottoms[which],
                [nets[number] for number in which.tolist()],
            )
            sums.variance += (stakes**2 * variances[which]).sum()
        met, where = np.unique(of_round, return_inverse=True)
        if not len(met) or name not in self.players:
            return
        staked = zeros(len(met))
        np.add.at(staked, where, reals(units[rows]) / unit)
        offers = self._player(name).offers.setdefault(subject, Offers())
        offers.stakes.append(staked)
        offers.edges.append(ratios(tops[met, None], bottoms[met])[:, 0])
        offers.states.append(states[met])


def _units(amounts: Amounts) -> tuple[Exact, int]:
    """A column of stakes in whole units, and how many of them make 1."""
    if amounts.units.dtype != object:
        return amounts.units.astype(object), UNIT
    return np.array([int(units * (FINE // UNIT)) for units in amounts.units], dtype=object), FINE
