"""Partitions of rounds: the result of each bet and of each insurance table in every cell.

The simulator settles by the lines of the rule book alone. This module reads them a second time, without the
settlement code of ``rules/``, so that the two can be compared.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from combinat.montecarlo.cell import (
    NO_CARD,
    NUMBER,
    PAIRINGS,
    STOOD,
    CellFacts,
    Deals,
    Indices,
    Pairing,
)
from combinat.rules.bet import Bet, Case, Pay
from combinat.rules.cards import RANKS
from combinat.rules.facts import PAIR_RANK_FACTS
from combinat.rules.game import Game
from combinat.rules.insurance import InsuranceTable, Open, State

LabelNumbers = npt.NDArray[np.int16]
Flags = npt.NDArray[np.bool_]

NOT_OFFERED = "not offered"

Label = Fraction | tuple[State, Fraction] | str
"""A bet's net result; or an insurance state and its net result; or ``NOT_OFFERED``."""


def net_of(label: Label) -> Fraction | None:
    """Return the net result of a label, or None if no bet was offered."""
    if isinstance(label, str):
        return None
    return label[1] if isinstance(label, tuple) else label


class RankedCase(NamedTuple):
    """A case that depends on the ranks of pairs: its cells, and for each hand the ranks of its pair."""

    cells: Flags
    player: Flags
    banker: Flags

    def covers(self, cells: Indices, dealt: Deals) -> Flags:
        """Return the rounds that meet the case. The flags of a hand are by rank, the last one for no pair."""
        pairs = [np.where(hand[0] == hand[1], hand[0], NO_CARD) for hand in (dealt.player, dealt.banker)]
        so: Flags = self.cells[cells] & self.player[pairs[0]] & self.banker[pairs[1]]
        return so


class RankedLine(NamedTuple):
    """A line of a bet that depends on the ranks of pairs: its label number, its case and its exceptions."""

    label: int
    case: RankedCase
    exceptions: tuple[RankedCase, ...]


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition of all rounds: by net result of a bet, or by offer and net result of an insurance table.

    ``subject`` is a bet's id, or a hand and a stage such as ``player@four-cards``. ``of_cell`` holds the
    label number of every cell. Cells do not record the ranks of pairs, so a bet that depends on them has
    ``ranked`` lines instead, and the label number of the ``rest``.
    """

    subject: str
    labels: tuple[Label, ...]
    of_cell: LabelNumbers
    ranked: tuple[RankedLine, ...] = ()
    rest: int = 0

    def labels_of(self, cells: Indices, dealt: Deals, rounds: Indices | None = None) -> LabelNumbers:
        """Return the label number of every round.

        ``rounds``: their indices in ``dealt``. Default: all.
        """
        if not self.ranked:
            return self.of_cell[cells]
        dealt = dealt if rounds is None else dealt.take(rounds)
        labels = np.full(len(cells), self.rest, dtype=np.int16)
        for line in self.ranked:
            covered = line.case.covers(cells, dealt)
            for exception in line.exceptions:
                covered &= ~exception.covers(cells, dealt)
            labels[covered] = line.label
        return labels


NATURAL = (8, 9)
"""The points of a natural of two cards, stated independently of ``rules/``."""

_PAIR_FACTS = {
    Pairing.NONE: ("none", False, False),
    Pairing.PLAYER: ("single", True, False),
    Pairing.BANKER: ("single", False, True),
    Pairing.BOTH: ("double", True, True),
    Pairing.TWIN: ("twin", True, True),
}
_PAIR_CELLS = len(PAIRINGS) ** 2
_POINT_CELLS = NUMBER // _PAIR_CELLS


class FactTable:
    """The facts of every cell, named as in a rule book: facts about points, and facts about pairs."""

    def __init__(self) -> None:
        facts = CellFacts.of(np.arange(0, NUMBER, _PAIR_CELLS))
        self.facts = facts
        drew = [third != STOOD for third in (facts.player_third, facts.banker_third)]
        player = (facts.player + np.where(drew[0], facts.player_third, 0)) % 10
        banker = (facts.banker + np.where(drew[1], facts.banker_third, 0)) % 10
        player_cards, banker_cards = 2 + drew[0], 2 + drew[1]
        winner = np.where(player > banker, "player", np.where(banker > player, "banker", "tie"))
        naturals = [
            (cards == 2) & np.isin(points, NATURAL)
            for cards, points in ((player_cards, player), (banker_cards, banker))
        ]

        def decided(won: npt.NDArray[Any], lost: npt.NDArray[Any]) -> npt.NDArray[Any]:
            """Return the value of the winning hand in each cell; -1 in a tie."""
            return np.where(winner == "tie", -1, np.where(winner == "player", won, lost))

        self.points: dict[str, npt.NDArray[Any]] = {
            "player_points": player,
            "banker_points": banker,
            "player_cards": player_cards,
            "banker_cards": banker_cards,
            "cards": player_cards + banker_cards,
            "winner": winner,
            "winning_points": decided(player, banker),
            "losing_points": decided(banker, player),
            "winning_cards": decided(player_cards, banker_cards),
            "losing_cards": decided(banker_cards, player_cards),
            "total_points": player + banker,
            "margin": np.abs(player - banker),
            "natural": naturals[0] | naturals[1],
            "player_natural": naturals[0],
            "banker_natural": naturals[1],
            "player_third": facts.player_third,
            "banker_third": facts.banker_third,
        }
        pairs = CellFacts.of(np.arange(_PAIR_CELLS))
        by_rank = [_PAIR_FACTS[PAIRINGS[number]] for number in pairs.pairing]
        by_points = [_PAIR_FACTS[PAIRINGS[number]] for number in pairs.point_pairing]
        self.pairs: dict[str, npt.NDArray[Any]] = {
            "pairs": np.array([fact[0] for fact in by_rank]),
            "player_pair": np.array([fact[1] for fact in by_rank]),
            "banker_pair": np.array([fact[2] for fact in by_rank]),
            "point_pairs": np.array([fact[0] for fact in by_points]),
            "player_point_pair": np.array([fact[1] for fact in by_points]),
            "banker_point_pair": np.array([fact[2] for fact in by_points]),
        }

    def covered(self, pay: Pay) -> Flags:
        """Return the cells that a line of a pay table covers."""
        covered = self._in_case(pay)
        for case in pay.exceptions:
            covered &= ~self._in_case(case)
        return covered

    def ranked(self, pay: Pay, label: int) -> RankedLine:
        """Return the line of a bet that depends on the ranks of pairs."""
        return RankedLine(label, self._ranked(pay), tuple(map(self._ranked, pay.exceptions)))

    def _ranked(self, case: Case) -> RankedCase:
        wanted = [case.facts.get(fact) for fact in PAIR_RANK_FACTS]
        hands = [
            np.array([some is None or rank in some for rank in (*RANKS, None)], dtype=np.bool_)
            for some in wanted
        ]
        return RankedCase(self._in_case(case), hands[0], hands[1])

    def _in_case(self, case: Case) -> Flags:
        """Return the cells of a case, ignoring the ranks of pairs."""
        points, pairs = np.ones(_POINT_CELLS, dtype=np.bool_), np.ones(_PAIR_CELLS, dtype=np.bool_)
        for fact, accepted in case.facts.items():
            if fact in self.points:
                points &= _is_accepted(self.points[fact], accepted)
            elif fact not in PAIR_RANK_FACTS:
                pairs &= _is_accepted(self.pairs[fact], accepted)
        return np.logical_and.outer(points, pairs).ravel()


def _is_accepted(known: npt.NDArray[Any], accepted: frozenset[Any]) -> Flags:
    kind = known.dtype.type
    return np.isin(known, [kind(STOOD if value is None else value) for value in accepted])


def partitions(game: Game) -> tuple[Partition, ...]:
    """Return the partitions of every bet of the game, then of every insurance table."""
    cell_facts = FactTable()
    return tuple([_bet(bet, cell_facts) for bet in game.bets] + list(_insurance(game, cell_facts)))


def table_labels(table: InsuranceTable) -> tuple[Label, ...]:
    """Return the labels of an insurance table: not offered, then each net result of each state."""
    return (
        NOT_OFFERED,
        *(
            (state, net)
            for state, offer in table.states()
            for net in (Fraction(-1), Fraction(0), offer.odds.net)
        ),
    )


def ranked_partition(bet: Bet, cell_facts: FactTable | None = None) -> Partition:
    """Return the partition of a bet that depends on the ranks of pairs."""
    labels, cell_facts = bet.nets, cell_facts or FactTable()
    lines = tuple(cell_facts.ranked(pay, labels.index(pay.odds.net)) for pay in bet.pays)
    return Partition(bet.id, labels, np.empty(0, dtype=np.int16), lines, labels.index(bet.rest))


def _bet(bet: Bet, cell_facts: FactTable) -> Partition:
    labels = bet.nets
    if bet.looks_at_pair_ranks:
        return ranked_partition(bet, cell_facts)
    of_cell = np.full(NUMBER, labels.index(bet.rest), dtype=np.int16)
    for pay in bet.pays:
        of_cell[cell_facts.covered(pay)] = labels.index(pay.odds.net)
    return Partition(bet.id, labels, of_cell)


def _insurance(game: Game, cell_facts: FactTable) -> Iterator[Partition]:
    if game.insurance_terms is None:
        return
    always = game.insurance_terms.open is Open.WHENEVER_LISTED
    facts, winner = cell_facts.facts, cell_facts.points["winner"]
    player_drew, banker_drew = facts.player_third != STOOD, facts.banker_third != STOOD
    after_third = (facts.player + np.where(player_drew, facts.player_third, 0)) % 10
    for table in game.insurance:
        if table.stage == "four-cards":
            player, is_open = facts.player, player_drew | banker_drew | always
        else:
            player, is_open = after_third, player_drew & (banker_drew | always)
        labels = table_labels(table)
        of_points = np.zeros(_POINT_CELLS, dtype=np.int16)
        for state, offer in table.states():
            here = is_open & (player == state.player_points) & (facts.banker == state.banker_points)
            nets = np.where(winner == table.side, 0, 2)  # insurance loses where the insured hand won
            pays = _isin(cell_facts.points["player_points"], sorted(offer.tie_pays or ()))
            nets = np.where(winner == "tie", np.where(pays, 2, 1), nets)
            of_points[here] = (labels.index((state, Fraction(-1))) + nets)[here]
        yield Partition(str(table.insured), labels, np.repeat(of_points, _PAIR_CELLS))


def _isin(values: Indices, accepted: Sequence[int]) -> Flags:
    return np.isin(values, np.array(accepted, dtype=np.intp))
