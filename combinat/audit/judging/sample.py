"""The observations of a file with the exact probabilities: counts of a replayed log, and tables of events.

A key names mutually exclusive events, such as the net results of a bet. A sample gives, for each of its keys,
a table of observed and expected counts.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from combinat.audit.judging.conditional import Conditional, Sums
from combinat.audit.judging.expected import Expected, Key, by_ending
from combinat.audit.judging.replay import Piece
from combinat.audit.judging.serial import Serial
from combinat.audit.judging.statistics import (
    Reals,
    card_spread,
    design_effect,
    most_spread,
    reals,
    rounded,
)
from combinat.audit.judging.terms import LogTerms
from combinat.base.errors import FileError
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import NO_CARD, WINNERS, Deals, Pairing, winners_of
from combinat.montecarlo.counts import JointCell, Observed, Times
from combinat.montecarlo.shoes import Burn
from combinat.montecarlo.tally import FIRST_CARDS, Tallies, Tally, tallied
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.insurance import State

LARGEST_SPREAD = Fraction(11, 10)
"""The variance of right shoes, as a ratio to that of independent rounds, up to which a common test of all cells holds."""


class Counting:
    """The rounds of a log so far. ``short_shoes``: the shoes that end before the cut card can appear.

    ``is_tested``: if False, only rounds and shoes are counted.
    """

    def __init__(self, terms: LogTerms, *, is_tested: bool = True) -> None:
        self.shoe, self._terms, self._is_tested = terms.shoe, terms, is_tested
        self.shoes = self.short_shoes = self.unfinished = 0
        self.tally = Tally(tuple(terms.partitions.values()))
        self.serial = Serial()
        self.conditional = Conditional(terms) if terms.whole_shoes and is_tested else None

    def add(self, piece: Piece) -> None:
        """Count the possible rounds of a piece."""
        rounds = piece.certain_rounds
        self.unfinished += int((piece.possible & piece.first).sum()) - len(rounds)
        if not len(rounds):
            return
        dealt, cells, left = piece.dealt.take(rounds), piece.cells[rounds], piece.left_before
        self.tally.add(tallied(self.tally.partitions, dealt, cells))
        if self._terms.whole_shoes:
            self._add_shoes(piece.shoes[rounds], left, dealt)
        if not self._is_tested:
            return
        chances = None
        if self.conditional is not None:
            chances = self.conditional.add(left, dealt, cells)
        if self._terms.tells_ranks:
            self.serial.add(piece, rounds, dealt)
        self.serial.add_winners(piece.table, winners_of(cells), chances)

    def _add_shoes(self, shoes: Tallies, left: Tallies, dealt: Deals) -> None:
        """Count shoes, and the shoes that end with more cards left than any cut card and burn can leave."""
        ends = np.flatnonzero(np.diff(shoes, append=shoes[-1] + 1))
        drawn = (dealt.cards[:, ends] != NO_CARD).sum(axis=0)
        self.shoes += len(ends)
        most = (self._terms.cut_card or 0) + Burn(first_card=True).most
        self.short_shoes += int((left[ends].sum(axis=1) - drawn > most).sum())


def by_points(counted: Observed, game: Game) -> Observed:
    """Return the counts for cards recorded by points: without pairs and ranks."""
    cells: dict[JointCell, Times] = {}
    for cell, times in counted.cells.items():
        alike = cell._replace(pairs=Pairing.NONE)
        before = cells.get(alike, Times(0))
        cells[alike] = Times(before.rounds + times.rounds)
    bets = {bet_id: results for bet_id, results in counted.bets.items() if not game.bet(bet_id).needs_ranks}
    return replace(counted, bets=bets, cells=cells if counted.shoes is None else {}, cards={}, repeats=None)


# ---------------------------------------------------------------- samples


@dataclass(frozen=True, slots=True)
class Clusters:
    """Whole shoes, each with the same number of rounds.

    ``spread``: the largest variance ratio of the counts of fair shoes to those of independent rounds.
    """

    shoes: int
    rounds_each: int
    spread: Fraction

    @classmethod
    def of(cls, counted: Observed) -> "Clusters | None":
        """Return the whole shoes of counts, or None if rounds are independent or tested given the cards left."""
        if counted.shoes is None:
            return None
        each = counted.rounds // counted.shoes
        return cls(counted.shoes, each, most_spread(counted.shoe.size, each))

    @property
    def are_small(self) -> bool:
        """Whether the shoes are small, so that some counts vary far more than those of independent rounds."""
        return self.spread > LARGEST_SPREAD

    def variance(self, mean: Fraction, total: Fraction | int, squares: Fraction | int) -> Fraction:
        """Return the variance over shoes of a sum, from its mean per round, total and sum of squares."""
        expected = mean * self.rounds_each
        return Fraction(squares - 2 * expected * total + expected**2 * self.shoes)


@dataclass(frozen=True, kw_only=True)
class EventTable:
    """The observed and expected counts of events, and their distribution.

    Trials are independent unless ``covariances`` of the counts are given, or the rounds are those of whole
    shoes, with ``squares``: the sums over shoes of the squared counts, and of the squared net results of a bet.
    ``spread``: the design effect of a test of all events together.
    """

    counts: Mapping[Any, int]
    expected: Mapping[Any, Fraction]
    trials: int
    covariances: Reals | None = None
    clusters: Clusters | None = None
    squares: Mapping[Any, int] = field(default_factory=dict)
    net_squares: Fraction = Fraction(0)
    spread: Fraction = Fraction(1)

    def variance(self, weights: Mapping[Any, Fraction]) -> Fraction:
        """Return the variance of the sum of the counts times these weights, of independent rounds or as given."""
        of_events = [weights.get(event, Fraction(0)) for event in self.expected]
        if self.covariances is not None:
            values = reals([float(weight) for weight in of_events])
            return Fraction(max(0.0, float(values @ self.covariances @ values)))
        pairs = list(zip(of_events, self.expected.values(), strict=True))
        total = sum((weight * count for weight, count in pairs), Fraction(0))
        return sum((weight**2 * count for weight, count in pairs), Fraction(0)) - total**2 / self.trials


Tables = Mapping[Key, EventTable]


@dataclass(frozen=True)
class RoundSample:
    """Counts of rounds, their exact probabilities, and a table of each kind of events that can be tested.

    ``counting``: of a log. ``clusters``: the whole shoes of counts; None if rounds are independent, or if they are
    tested given the cards left.
    """

    observed: Observed
    right: Expected
    counting: Counting | None
    clusters: Clusters | None
    tables: Tables

    @classmethod
    def of(cls, counted: Observed, right: Expected, counting: Counting | None = None) -> "RoundSample":
        """Return the sample of counts, or of the counts of a log."""
        if counted.shoe.size < MOST_CARDS:
            raise FileError(
                f"the shoe has {counted.shoe.size} cards; rounds are judged from {MOST_CARDS} cards on"
            )
        for bet_id in counted.bets:
            right.game.bet(bet_id)  # an unknown bet is refused
        clusters, tables = Clusters.of(counted), _of_counts
        if counting is not None and counting.conditional is not None:
            tables = _given_cards_left
        return cls(counted, right, counting, clusters, dict(tables(counted, right, counting)))

    @property
    def is_conditional(self) -> bool:
        """Whether rounds are tested given the cards left."""
        return self.counting is not None and self.counting.conditional is not None


NamedTables = Iterator[tuple[Key, EventTable]]


def _given_cards_left(counted: Observed, right: Expected, counting: Counting | None) -> NamedTables:
    """Yield the tables of a log of whole shoes: every round by its exact chances given the cards left."""
    assert counting is not None
    assert counting.conditional is not None
    conditional = counting.conditional
    yield ("results",), _table_of_sums(conditional.results, conditional.of_results)
    for slot, sums in conditional.cards.items():
        if sums.rounds:
            yield ("card", slot), _table_of_sums(range(len(RANKS)), sums)
    yield from _serial_tables(counting, right)
    for bet in counted.bets:
        yield ("bet", bet), _table_of_sums(*conditional.bet(bet))
    for state, of_state in conditional.states.items():
        yield ("insurance", state), _table_of_sums(*of_state)


def _table_of_sums(events: Iterable[Any], sums: Sums) -> EventTable:
    expected = sums.expected()
    events = list(events)
    return EventTable(
        counts=dict(zip(events, sums.seen.tolist(), strict=True)),
        expected=dict(zip(events, expected, strict=True)),
        trials=sums.rounds,
        covariances=sums.covariances(expected),
    )


# ---------------------------------------------------------------- rounds of a fresh shoe


def _of_counts(counted: Observed, right: Expected, counting: Counting | None) -> NamedTables:
    """Yield the tables of counts, by the chances of a fresh shoe."""
    clusters, has_cells = Clusters.of(counted), bool(counted.cells) and right.knows(counted.cells)
    keys = list[Key]()
    if has_cells and clusters is not None:
        keys.append(("each cell",) if clusters.are_small else ("cells",))
    keys += keys_of_rounds(
        right,
        counted.bets,
        cells=has_cells and clusters is None,
        slots=[
            slot
            for slot, counts in counted.cards.items()
            if all(held or not count for count, held in zip(counts, counted.shoe.counts, strict=True))
        ],
        serial=counting is not None,
        repeats=counted.repeats is not None,
        states=counted.insurance if clusters is None else (),
    )
    if clusters is not None:
        keys += (("insurance of all rounds", state) for state in right.met(counted.insurance))
    serial = dict(_serial_tables(counting, right)) if counting is not None else {}
    for key in keys:
        yield key, serial.get(key) or _table_of_counts(key, counted, right, clusters)


def _table_of_counts(key: Key, counted: Observed, right: Expected, clusters: Clusters | None) -> EventTable:
    """Return the table of counts and of the chances of a fresh shoe."""
    chances, counts, squares = right.chances(key), _numbers(key, counted, 0), dict[Any, int]()
    trials, total = sum(counts.values()), sum(chances.values(), Fraction(0))
    if clusters is not None and key[0] != "card":
        squares = _numbers(key, counted, 1)
    spread, covariances = Fraction(1), None
    if key == ("same cell",):  # of neighbouring rounds
        covariances = float(right.repeat_variance * trials) * reals([[1, -1], [-1, 1]])
    if clusters is not None and key[0] == "card":
        spread = card_spread(counted.shoe.size, clusters.rounds_each)
    if clusters is not None and key == ("cells",):
        rows = [(counts.get(cell, 0), squares.get(cell, 0), chance) for cell, chance in chances.items()]
        spread = design_effect(rows, counted.rounds, clusters.rounds_each)
    return EventTable(
        counts=counts,
        expected={event: chance / total * trials for event, chance in chances.items()} if total else {},
        trials=trials,
        covariances=covariances,
        clusters=clusters,
        squares=squares,
        net_squares=counted.net_squares.get(str(key[-1]), Fraction(0)),
        spread=spread,
    )


def _numbers(key: Key, counted: Observed, part: int) -> dict[Any, int]:
    """Return the rounds of each event of a key, or (``part`` 1) the sums of their squares over shoes."""

    def numbers(times: Mapping[Any, Times]) -> dict[Any, int]:
        return {event: each[part] or 0 for event, each in times.items()}

    match key:
        case ("cells",) | ("each cell",):
            return numbers(counted.cells)
        case ("endings",):
            return by_ending(numbers(counted.cells))
        case ("card", slot):
            return dict(enumerate(counted.cards[str(slot)]))
        case ("same cell",):
            pairs, same = counted.repeats or (0, 0)
            return {True: same, False: pairs - same}
        case ("bet", bet):
            return numbers(counted.bets[str(bet)])
    nets = numbers(counted.insurance[key[1]])
    offered = sum(nets.values())
    if key[0] == "offered":
        return {True: offered, False: counted.rounds - offered}
    return nets if key[0] == "insurance" else {**nets, None: counted.rounds - offered}


# ---------------------------------------------------------------- rounds by the round before


def _serial_tables(counting: Counting, right: Expected) -> NamedTables:
    """Yield the tables of equal ranks, of winners after each winner, and of changes of the winner."""
    serial = counting.serial
    for cards, agreement in serial.agreements.items():
        yield (
            ("same rank", *cards),
            EventTable(
                counts={True: agreement.seen},
                expected={True: agreement.expected},
                trials=agreement.pairs,
                covariances=reals([[agreement.variance]]),
            ),
        )
    after = {winner: _after(counting, right, winner) for winner in WINNERS}
    yield from ((("after", winner), table) for winner, table in after.items())
    rounds = sum(table.trials for table in after.values())
    same = sum(table.counts[winner] for winner, table in after.items())
    mean = sum((table.expected[winner] for winner, table in after.items()), Fraction(0))
    variance = sum(table.variance({winner: Fraction(1)}) for winner, table in after.items() if table.trials)
    yield (
        ("runs",),
        EventTable(
            counts={True: rounds - same},
            expected={True: rounds - mean},
            trials=rounds,
            covariances=reals([[float(variance)]]),
        ),
    )


def _after(counting: Counting, right: Expected, winner: str) -> EventTable:
    """Return the table of winners after this winner, given the cards left if they are known."""
    serial, row = counting.serial, WINNERS.index(winner)
    counts = dict(zip(WINNERS, serial.moves[row].tolist(), strict=True))
    rounds = sum(counts.values())
    if counting.conditional is None:
        expected = {name: chance * rounds for name, chance in right.winners.items()}
        return EventTable(counts=counts, expected=expected, trials=rounds)
    means = [rounded(float(mean)) for mean in serial.expected_moves[row]]
    return EventTable(
        counts=counts,
        expected=dict(zip(WINNERS, means, strict=True)),
        trials=rounds,
        covariances=np.diag([float(mean) for mean in means]) - serial.move_products[row],
    )


def keys_of_rounds(
    right: Expected,
    bets: Iterable[str],
    *,
    cells: bool = False,
    slots: Iterable[str] = (),
    serial: bool = False,
    repeats: bool = False,
    states: Iterable[State] = (),
) -> Iterator[Key]:
    """Yield the keys of what a file records of independent rounds.

    ``cells``: joint cells; ``slots``: the cards with ranks; ``serial``: rounds in their order; ``repeats``:
    of neighbouring rounds; ``states``: insurance.
    """
    if cells:
        yield from (("cells",), ("endings",))
    yield from (("card", slot) for slot in slots)
    if serial:
        yield from serial_keys()
    elif repeats:
        yield ("same cell",)
    yield from (("bet", bet) for bet in bets)
    for state in right.met(states):
        yield from (("offered", state), ("insurance", state))


def serial_keys() -> Iterator[Key]:
    """Yield the keys of serial tests: equal ranks, winners, runs."""
    yield from (("same rank", now, before) for now in FIRST_CARDS for before in FIRST_CARDS)
    yield from (("after", winner) for winner in WINNERS)
    yield ("runs",)
