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
from combinat.audit.judging.replay import Piece
from combinat.audit.judging.statistics import Places, Reals, in_deviations, ratios, reals, rounded
from combinat.audit.judging.terms import LogTerms
from combinat.audit.reading.log_map import LogColumn, Money
from combinat.audit.reading.values import UNIT, Units, exact
from combinat.base.errors import FileError
from combinat.base.kinds import FRACTION, NUMBER, decimal, estimated, percentage
from combinat.base.relation import Field, Relation
from combinat.montecarlo.cell import Deals, Indices
from combinat.montecarlo.partition import net_of
from combinat.protection.inputs import Tags
from combinat.rules.cards import RANKS

Exact = npt.NDArray[np.object_]

MOST_ROUNDS = 5_000_000
MOST_PLAYERS = 1_000
DECK = 52


ALL = "all bets"


@dataclass(slots=True, kw_only=True)
class Staked:
    """The exact sums of the stakes on a bet, or on all bets.

    ``favourable``: the stakes with an expected value above 0; ``fresh``: the expected sum on fresh shoes (None
    for insurance); ``won``: the net result by the rules; ``variance``: of that, 0 if it is not known.
    """

    wagers: int = 0
    staked: Fraction = Fraction(0)
    favourable: Fraction = Fraction(0)
    fresh: Fraction | None = Fraction(0)
    won: Fraction = Fraction(0)
    variance: float = 0
    _by_space: dict[int, Fraction] = field(default_factory=dict)

    def add(self, stakes: Sequence[Fraction], values: "RoundValues", rounds: Sequence[int]) -> None:
        """Add the wagers of these rounds."""
        self.wagers += len(stakes)
        for stake, number in zip(stakes, rounds, strict=True):
            top, bottom = values.tops[number], values.bottoms[number]
            self.staked += stake
            self.favourable += stake if top > 0 else 0
            self.won += stake * values.nets[number]
            self._by_space[bottom] = self._by_space.get(bottom, Fraction(0)) + stake * top
        if self.fresh is not None and values.fresh is not None:
            self.fresh += values.fresh * sum(stakes, Fraction(0))

    @classmethod
    def sum_of(cls, parts: "Sequence[Staked]") -> "Staked":
        """Return the sums of several bets."""
        every = cls(
            wagers=sum(part.wagers for part in parts),
            staked=sum((part.staked for part in parts), Fraction(0)),
            favourable=sum((part.favourable for part in parts), Fraction(0)),
            fresh=None,
            won=sum((part.won for part in parts), Fraction(0)),
        )
        fresh = [part.fresh for part in parts if part.fresh is not None]
        if len(fresh) == len(parts):
            every.fresh = sum(fresh, Fraction(0))
        for part in parts:
            for space, total in part._by_space.items():
                every._by_space[space] = every._by_space.get(space, Fraction(0)) + total
        return every

    @property
    def expected(self) -> Fraction:
        """The sum of the stakes times their exact expected values on the cards left."""
        return sum((total / bottom for bottom, total in self._by_space.items()), Fraction(0))

    @property
    def luck(self) -> Fraction | None:
        """The amount won minus the expected sum, in standard deviations."""
        off = self.won - self.expected
        return rounded(in_deviations(off, self.variance)) if self.variance > 0 else None

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


STATISTIC = estimated(decimal(9))
"""A statistic: a number, rounded."""

TWO, EDGE = decimal(2, signed=True), percentage(4, signed=True)

STAKED: Relation[Staked] = Relation(
    "staked",
    Field("wagers", "wagers", NUMBER, "Number of wagers.", views="players"),
    Field("staked", "staked", decimal(2), "Sum of the stakes.", views="players bets"),
    Field("expected", "expected", TWO, "Expected result on the cards left.", views="players"),
    Field("mean", "mean EV %", EDGE, "Mean expected value per unit staked.", views="players bets"),
    Field("fresh", "fresh", FRACTION, "The same stakes on a fresh shoe.", may_be_none=True),
    Field("fresh_mean", "fresh EV %", EDGE, "", views="players bets", for_people=True),
    Field("favourable", "favourable", FRACTION, "Staked where the expected value was above 0."),
    Field("favourable_share", "favourable %", percentage(2), "", views="players bets", for_people=True),
    Field("won", "won", TWO, "The result by the rules.", views="players"),
    Field("luck", "s.d.", STATISTIC, "Won less expected, in standard deviations.", may_be_none=True),
    Field("luck", "luck, SD", TWO, "", views="bets", for_people=True),
)
"""The sums of stakes, a row for each bet."""


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

    sums: dict[str, Staked] = field(default_factory=dict)
    courses: dict[int, ShoeStakes] = field(default_factory=dict)
    offers: dict[str, Offers] = field(default_factory=dict)


@dataclass(slots=True)
class ShoePath:
    """A shoe's edges by round and bet, and its true counts by round and set of tags."""

    edges: Reals
    counts: Reals


@dataclass(frozen=True, slots=True)
class RoundValues:
    """The value of a bet or of insurance in each round: expected value as a fraction, variance, net result.

    ``fresh``: the expected value on a fresh shoe. ``states``: for insurance the state by number; -1 without an
    offer.
    """

    tops: Exact
    bottoms: Exact
    variances: Reals
    nets: list[Fraction]
    fresh: Fraction | None = None
    states: Places | None = None


class Stakes:
    """The stakes of the rows replayed so far."""

    def __init__(self, terms: LogTerms, tags: Sequence[Tags]) -> None:
        subjects = [column.subject for column in terms.columns if column.money is Money.STAKE]
        self.bets = [subject for subject in subjects if "@" not in subject]
        self.insured = [subject for subject in subjects if "@" in subject]
        self.game, self.tags = terms.game, tuple(tags)
        bets = (
            tuple(map(self.game.bet, self.bets)) or self.game.bets[:1]
        )  # with insurance only: any bet will do
        self._asked = msgspec.structs.replace(self.game, bets=bets, insurance=())
        self._full = terms.fresh
        fresh = evaluate(self._asked, self._full[None, :])
        self.fresh = {subject: fresh.expected_value(0, subject) for subject in self.bets}
        self.paths: list[ShoePath] = []
        self.players: dict[str, PlayerStakes] = {}
        self.rounds = 0
        self.not_offered = 0
        self._states = list(self.game.offers)
        self._partitions = terms.partitions

    def add(self, piece: Piece) -> None:
        """Add rows of one table."""
        begin, left = piece.certain_rounds, piece.left_before
        if not len(begin):
            return
        self.rounds += len(begin)
        if self.rounds > MOST_ROUNDS:
            raise FileError(f"more than {MOST_ROUNDS} rounds; review a part of the log at a time")
        dealt, cells = piece.dealt.take(begin), piece.cells[begin]
        starts = np.flatnonzero(np.diff(piece.shoes[begin], prepend=-1))
        spans = list(zip(starts.tolist(), [*starts[1:].tolist(), len(begin)], strict=True))
        base, edges, values = len(self.paths), *self._of_bets(left, dealt, cells)
        counts = self._true_counts(left)
        self.paths += [ShoePath(edges[start:end], counts[start:end]) for start, end in spans]
        values |= {subject: self._of_insurance(subject, left, dealt, cells) for subject in self.insured}
        every = np.arange(len(piece.first))
        number = np.full(len(every), -1)  # the round of each row
        number[begin] = np.arange(len(begin))
        number = np.where(piece.possible, number[np.maximum.accumulate(every * piece.first)], -1)
        frame = piece.rows.frame
        names = frame["player"].fill_null("").to_numpy() if "player" in frame.columns else None
        units = {subject: piece.values[LogColumn(Money.STAKE, subject)].units for subject in values}
        for name in [""] if names is None else sorted(set(names.tolist())):
            rows = np.flatnonzero((number >= 0) & (names is None or names == name))
            placed = {}
            for subject, of in values.items():
                placed[subject] = self._add_wagers(name, subject, number[rows], units[subject][rows], of)
                if of.states is not None:
                    self._add_offers(name, subject, number[rows], placed[subject], of)
            self._add_courses(name, placed, spans, base, is_named=names is not None)

    def _of_bets(self, left: Ints, dealt: Deals, cells: Indices) -> tuple[Reals, dict[str, RoundValues]]:
        """Return the expected values of all bets as floats, and the values of each bet."""
        evaluation = evaluate(self._asked, left, variance=True)
        edges, variances = edges_and_variances(evaluation)
        tops, bottoms = evaluation.numerators.astype(object), evaluation.denominators.astype(object)
        values = {}
        for number, subject in enumerate(self.bets):
            partition = self._partitions[subject]
            nets = [net_of(label) or Fraction(0) for label in partition.labels]
            of_rounds = [nets[label] for label in partition.labels_of(cells, dealt).tolist()]
            fresh = self.fresh[subject]
            values[subject] = RoundValues(tops[:, number], bottoms, variances[:, number], of_rounds, fresh)
        return edges, values

    def _true_counts(self, left: Ints) -> Reals:
        """Return the true count of each set of tags before each round."""
        tags = np.array([tuple(one) for one in self.tags], dtype=np.int64).reshape(-1, len(RANKS))
        return ratios((self._full - left) @ tags.T * DECK, left.sum(axis=1))

    def _player(self, name: str) -> PlayerStakes:
        if name not in self.players and len(self.players) >= MOST_PLAYERS:
            raise FileError(f"more than {MOST_PLAYERS} players; is this a column of players?")
        return self.players.setdefault(name, PlayerStakes())

    def _add_wagers(self, name: str, subject: str, of_round: Indices, units: Units, of: RoundValues) -> Reals:
        """Add a player's stakes on a bet, or on insurance where it was offered.

        Return the stakes by round.
        """
        is_placed = units > 0
        if of.states is not None:
            is_offered = of.states[of_round] >= 0
            self.not_offered += int((is_placed & ~is_offered).sum())
            is_placed &= is_offered
        units, of_round = units[is_placed], of_round[is_placed]
        stakes, by_round = reals(units) / UNIT, np.zeros(len(of.nets))
        np.add.at(by_round, of_round, stakes)
        if len(units):
            fresh = None if of.fresh is None else Fraction(0)
            sums = self._player(name).sums.setdefault(subject, Staked(fresh=fresh))
            sums.add([exact(unit) / UNIT for unit in units], of, of_round.tolist())
            sums.variance += (stakes**2 * of.variances[of_round]).sum()
        return by_round

    def _add_courses(
        self, name: str, placed: dict[str, Reals], spans: list[tuple[int, int]], base: int, *, is_named: bool
    ) -> None:
        """Add a player's stakes on bets along each shoe."""
        course = np.array([placed[subject] for subject in self.bets]).reshape(-1, spans[-1][1]).T
        for place, (start, end) in enumerate(spans):
            staked = np.flatnonzero(course[start:end].any(axis=1))
            if len(staked):
                first, last = (int(staked[0]), int(staked[-1])) if is_named else (0, end - start - 1)
                self._player(name).courses[base + place] = ShoeStakes(course[start:end], first, last)

    def _of_insurance(self, subject: str, left: Ints, dealt: Deals, cells: Indices) -> RoundValues:
        """Return the value of insurance in each round with an offer."""
        size, partition = len(cells), self._partitions[subject]
        tops, bottoms = np.zeros(size, dtype=object), np.ones(size, dtype=object)
        states, variances = np.full(size, -1, dtype=np.intp), np.zeros(size)
        labels = partition.of_cell[cells]
        of_label = [
            self._states.index(label[0]) if isinstance(label, tuple) else -1 for label in partition.labels
        ]
        offered = np.array(of_label)[labels]
        for number in np.unique(offered[offered >= 0]).tolist():
            here, state = np.flatnonzero(offered == number), self._states[number]
            nets, ways, spaces, enough = insurance_ways(self.game, state, left, dealt, here)
            here = here[enough]
            part = lcm(*(net.denominator for net in nets))
            tops[here] = ways.astype(object) @ np.array([int(net * part) for net in nets], dtype=object)
            bottoms[here] = spaces.astype(object) * part
            states[here] = number
            chances = ratios(ways, spaces)
            values = reals([net.numerator for net in nets]) / reals([net.denominator for net in nets])
            variances[here] = chances @ values**2 - (chances @ values) ** 2
        nets_of = [net_of(label) or Fraction(0) for label in partition.labels]
        return RoundValues(
            tops, bottoms, variances, [nets_of[label] for label in labels.tolist()], states=states
        )

    def _add_offers(self, name: str, subject: str, of_round: Indices, placed: Reals, of: RoundValues) -> None:
        """Add every insurance offer to a player, with the stake on it."""
        assert of.states is not None
        met = np.unique(of_round[of.states[of_round] >= 0])
        if len(met) and name in self.players:
            edges = ratios(of.tops[met, None], of.bottoms[met])[:, 0]
            offers = self._player(name).offers.setdefault(subject, [])
            offers.append((placed[met], edges, of.states[met]))
