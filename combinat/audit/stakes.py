"""The stakes of a log by player: exact sums, and the stakes and edges along each shoe."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

import msgspec
import numpy as np
import numpy.typing as npt

from combinat.analysis.evaluate import evaluate
from combinat.audit.judging.conditional import Ints, edges_and_variances, insurance_ways
from combinat.audit.judging.replay import Piece, Replay, cards_by_rank
from combinat.audit.judging.statistics import Places, Reals, deviations, ratios, reals, zeros
from combinat.audit.reading.log_map import LogColumn, Money
from combinat.audit.reading.values import UNIT
from combinat.base.errors import FileError
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import Deals, Indices
from combinat.montecarlo.partition import net_of
from combinat.protection.inputs import Tags
from combinat.rules.cards import RANKS
from combinat.rules.insurance import State

Exact = npt.NDArray[np.object_]

MOST_ROUNDS = 5_000_000
MOST_PLAYERS = 1_000
DECK = 52


ALL = "all bets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Staked:
    """The exact sums of the stakes on a bet, or on all bets.

    ``expected``: the sum of stakes times their exact expected values on the cards left; ``favourable``: the
    stakes with an expected value above 0; ``fresh``: the expected sum on fresh shoes (None for insurance);
    ``won``: the net result by the rules; ``luck``: won minus expected, in standard deviations.
    """

    wagers: int
    staked: Fraction
    favourable: Fraction
    expected: Fraction
    fresh: Fraction | None
    won: Fraction
    luck: Fraction | None = None

    @property
    def mean(self) -> Fraction:
        """The stake-weighted mean of the expected values."""
        return self.expected / self.staked

    @property
    def fresh_mean(self) -> Fraction | None:
        """The same mean on fresh shoes."""
        return None if self.fresh is None else self.fresh / self.staked

    @property
    def favourable_share(self) -> Fraction:
        """The share staked when the bet favoured the player."""
        return self.favourable / self.staked


@dataclass(slots=True)
class StakeSums:
    """Exact sums of a player's stakes on one bet."""

    fresh: Fraction | None
    wagers: int = 0
    staked: Fraction = Fraction(0)
    favourable: Fraction = Fraction(0)
    won: Fraction = Fraction(0)
    variance: float = 0
    _by_space: dict[int, Fraction | int] = field(default_factory=dict)

    def add(self, units: Exact, tops: Exact, bottoms: Exact, nets: Sequence[Fraction]) -> None:
        """Add wagers: stakes in units, each with its expected value as a fraction and its net result."""
        self.wagers += len(units)
        self.staked += Fraction(units.sum()) / UNIT
        self.favourable += Fraction(units[tops > 0].sum()) / UNIT
        totals: dict[Fraction, Fraction] = {}
        for stake, top, bottom, net in zip(
            units.tolist(), tops.tolist(), bottoms.tolist(), nets, strict=True
        ):
            self._by_space[bottom] = self._by_space.get(bottom, 0) + stake * top
            totals[net] = totals.get(net, Fraction(0)) + stake
        self.won += sum((net * total for net, total in totals.items()), Fraction(0)) / UNIT

    def record(self) -> Staked:
        """Return the sums as a record."""
        expected = (
            sum((Fraction(total) / bottom for bottom, total in self._by_space.items()), Fraction(0)) / UNIT
        )
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
    """A player's stakes along a shoe, by round and bet, from the player's first staked round to the last."""

    stakes: Reals
    first: int
    last: int


Offers = list[tuple[Reals, Reals, Places]]
"""The insurance offers to a player, piece by piece: the stakes, their expected values, the states by number."""


@dataclass(slots=True)
class PlayerStakes:
    """The stakes of a player."""

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
    """The rounds of a piece: the cards left before each, and the round of each row (-1: no round)."""

    left: Ints
    of_row: Indices
    shoes: Ints
    cells: Indices
    dealt: Deals


@dataclass(frozen=True, slots=True)
class _Values:
    """The value of a bet or of insurance in each round: expected value as a fraction, variance, net result.

    ``states``: for insurance the state by number; -1 without an offer.
    """

    tops: Exact
    bottoms: Exact
    variances: Reals
    nets: list[Fraction]
    states: Places | None = None


class Stakes:
    """The stakes of the rows replayed so far."""

    def __init__(self, replay: Replay, tags: Sequence[Tags]) -> None:
        subjects = [column.subject for column in replay.columns if column.money is Money.STAKE]
        self.bets = [subject for subject in subjects if "@" not in subject]
        self.insured = [subject for subject in subjects if "@" in subject]
        self.game, self.tags = replay.game, tuple(tags)
        bets = (
            tuple(map(self.game.bet, self.bets)) or self.game.bets[:1]
        )  # with insurance only: any bet will do
        self._asked = msgspec.structs.replace(self.game, bets=bets, insurance=())
        self._full = cards_by_rank(replay.shoe, replay.notation.tells_ranks)
        fresh = evaluate(self._asked, self._full[None, :])
        self.fresh = {subject: fresh.expected_value(0, subject) for subject in self.bets}
        self.paths: list[ShoePath] = []
        self.players: dict[str, PlayerStakes] = {}
        self.rounds = 0
        self.not_offered = 0
        self._states = list(self.game.offers)
        self._partitions = {partition.subject: partition for partition in replay.partitions}

    def add(self, piece: Piece) -> None:
        """Add rows of one table."""
        rounds = _rounds(piece)
        if rounds is None:
            return
        self.rounds += len(rounds.cells)
        if self.rounds > MOST_ROUNDS:
            raise FileError(f"more than {MOST_ROUNDS} rounds; review a part of the log at a time")
        starts = np.flatnonzero(np.diff(rounds.shoes, prepend=-1))
        spans = list(zip(starts.tolist(), [*starts[1:].tolist(), len(rounds.shoes)], strict=True))
        base, edges, of_bets = len(self.paths), *self._of_bets(rounds)
        counts = self._true_counts(rounds.left)
        self.paths += [ShoePath(edges[start:end], counts[start:end]) for start, end in spans]
        values = of_bets | {subject: self._of_insurance(subject, rounds) for subject in self.insured}
        frame = piece.rows.frame
        names = frame["player"].fill_null("").to_numpy() if "player" in frame.columns else None
        units = {
            subject: piece.values[LogColumn(Money.STAKE, subject)].units.astype(object) for subject in values
        }
        for name in [""] if names is None else sorted(set(names.tolist())):
            mine = rounds.of_row >= 0 if names is None else (rounds.of_row >= 0) & (names == name)
            rows = np.flatnonzero(mine)
            placed = {}
            for subject, of in values.items():
                placed[subject] = self._add_wagers(
                    name, subject, rounds.of_row[rows], units[subject][rows], of
                )
                if of.states is not None:
                    self._add_offers(name, subject, rounds.of_row[rows], placed[subject], of)
            self._add_courses(name, placed, spans, base, is_named=names is not None)

    def _of_bets(self, rounds: _Rounds) -> tuple[Reals, dict[str, _Values]]:
        """Return the expected values of all bets as floats, and the values of each bet."""
        evaluation = evaluate(self._asked, rounds.left, variance=True)
        edges, variances = edges_and_variances(evaluation)
        tops, bottoms = evaluation.numerators.astype(object), evaluation.denominators.astype(object)
        values = {}
        for number, subject in enumerate(self.bets):
            partition = self._partitions[subject]
            nets = [net_of(label) or Fraction(0) for label in partition.labels]
            labels = partition.labels_of(rounds.cells, rounds.dealt).tolist()
            of_rounds = [nets[label] for label in labels]
            values[subject] = _Values(tops[:, number], bottoms, variances[:, number], of_rounds)
        return edges, values

    def _true_counts(self, left: Ints) -> Reals:
        """Return the true count of each set of tags before each round."""
        tags = np.array([tuple(one) for one in self.tags], dtype=np.int64).reshape(-1, len(RANKS))
        return ratios((self._full - left) @ tags.T * DECK, left.sum(axis=1))

    def _player(self, name: str) -> PlayerStakes:
        if name not in self.players and len(self.players) >= MOST_PLAYERS:
            raise FileError(f"more than {MOST_PLAYERS} players; is this a column of players?")
        return self.players.setdefault(name, PlayerStakes())

    def _add_wagers(self, name: str, subject: str, of_round: Indices, amounts: Exact, of: _Values) -> Reals:
        """Add a player's stakes on a bet, or on insurance where it was offered.

        Return the stakes by round.
        """
        is_placed = amounts > 0
        if of.states is not None:
            is_offered = of.states[of_round] >= 0
            self.not_offered += int((is_placed & ~is_offered).sum())
            is_placed &= is_offered
        amounts, of_round = amounts[is_placed], of_round[is_placed]
        stakes, by_round = reals(amounts) / UNIT, zeros(len(of.nets))
        np.add.at(by_round, of_round, stakes)
        if len(amounts):
            sums = self._player(name).sums.setdefault(subject, StakeSums(self.fresh.get(subject)))
            nets = [of.nets[number] for number in of_round.tolist()]
            sums.add(amounts, of.tops[of_round], of.bottoms[of_round], nets)
            sums.variance += (stakes**2 * of.variances[of_round]).sum()
        return by_round

    def _add_courses(
        self, name: str, placed: dict[str, Reals], spans: list[tuple[int, int]], base: int, *, is_named: bool
    ) -> None:
        """Add a player's stakes on bets along each shoe."""
        course = (
            np.stack([placed[subject] for subject in self.bets], axis=1)
            if self.bets
            else zeros(spans[-1][1], 0)
        )
        for place, (start, end) in enumerate(spans):
            staked = np.flatnonzero(course[start:end].any(axis=1))
            if len(staked):
                first, last = (int(staked[0]), int(staked[-1])) if is_named else (0, end - start - 1)
                self._player(name).courses[base + place] = ShoeStakes(course[start:end], first, last)

    def _of_insurance(self, subject: str, rounds: _Rounds) -> _Values:
        """Return the value of insurance in each round with an offer."""
        size, partition = len(rounds.cells), self._partitions[subject]
        tops, bottoms = np.zeros(size, dtype=object), np.ones(size, dtype=object)
        states, variances = np.full(size, -1, dtype=np.intp), zeros(size)
        labels = partition.of_cell[rounds.cells]
        by_state: dict[State, list[int]] = {}
        for number, label in enumerate(partition.labels):
            if isinstance(label, tuple):
                by_state.setdefault(label[0], []).append(number)
        for state, numbers in by_state.items():
            here = np.flatnonzero(np.isin(labels, numbers))
            if not len(here):
                continue
            nets, ways, spaces, enough = insurance_ways(self.game, state, rounds.left, rounds.dealt, here)
            here = here[enough]
            part = lcm(*(net.denominator for net in nets))
            tops[here] = ways.astype(object) @ np.array([int(net * part) for net in nets], dtype=object)
            bottoms[here] = spaces.astype(object) * part
            states[here] = self._states.index(state)
            chances = ratios(ways, spaces)
            values = reals([net.numerator for net in nets]) / reals([net.denominator for net in nets])
            variances[here] = chances @ values**2 - (chances @ values) ** 2
        of_label = [net_of(label) or Fraction(0) for label in partition.labels]
        return _Values(tops, bottoms, variances, [of_label[label] for label in labels.tolist()], states)

    def _add_offers(self, name: str, subject: str, of_round: Indices, placed: Reals, of: _Values) -> None:
        """Add every insurance offer to a player, with the stake on it."""
        assert of.states is not None
        met = np.unique(of_round[of.states[of_round] >= 0])
        if len(met) and name in self.players:
            edges = ratios(of.tops[met, None], of.bottoms[met])[:, 0]
            offers = self._player(name).offers.setdefault(subject, [])
            offers.append((placed[met], edges, of.states[met]))


def _rounds(piece: Piece) -> _Rounds | None:
    """Return the possible rounds of a piece with six or more cards left, or None."""
    begin = np.flatnonzero(piece.first & piece.possible)
    enough = piece.left[begin].sum(axis=1) >= MOST_CARDS
    if not enough.any():
        return None
    number = np.where(enough, np.cumsum(enough) - 1, -1)
    of_row = np.cumsum(piece.first & piece.possible) - 1
    of_row = np.where((of_row >= 0) & piece.possible, number[np.maximum(of_row, 0)], -1)
    begin = begin[enough]
    return _Rounds(piece.left[begin], of_row, piece.shoes[begin], piece.cells[begin], piece.dealt.take(begin))
