"""Known faults: deliberate errors of a simulator, to test an audit and compute its power."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

import msgspec
import numpy as np

from combinat.analysis.odds import one_round_analysis
from combinat.base.errors import CombinatError, InputError, named, shortened
from combinat.montecarlo.cell import Bytes, Deals, Indices, cells
from combinat.montecarlo.dealer import Chance, Flags
from combinat.montecarlo.partition import LabelNumbers, Partition
from combinat.rules.cards import Rank, parse_rank
from combinat.rules.game import Game
from combinat.rules.odds import Odds
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import TOTALS, BankerRow, PrintedTable
from combinat.rules.value_sets import NumberSet

PARTS = 10**8
"""Shares of rounds are whole numbers of this many parts."""


class FaultForm(StrEnum):
    """The form of a fault."""

    WRONG_CELL = "wrong-cell"
    PLAYER_DRAWS = "player draws"
    PLAYER_STANDS = "player stands"
    CARD_MISSING = "one card missing"
    CARD_TOO_MANY = "one card too many"
    INFINITE_DECK = "infinite deck"
    COPIES = "copies first card"
    DUPLICATES = "duplicated rows"
    PAID_WRONG = "paid wrong"
    BIASED = "bet"


FORMS = {
    "wrong-cell B/T": "the Banker Hand does the opposite on a total of B against a third card worth T, or (T = `stood`) if Player stood",
    "player draws on N": "the Player Hand draws on a total of N, on which it should stand",
    "player stands on N": "the Player Hand stands on a total of N, on which it should draw",
    "one card missing RANK": "the shoe lacks a card of the rank",
    "one card too many RANK": "the shoe has one extra card of the rank",
    "infinite deck": "every card is drawn from the whole shoe, with replacement",
    "copies first card P%": "in P % of the rounds the first card is that of the round before",
    "duplicated rows P%": "P % of the rounds are written twice",
    "paid wrong BET=ODDS in P%": "P % of the wins of a bet are paid at other odds",
    "BET +P%": "the expected value of a bet is P points higher (or -P% lower): rounds that win (lose) it are more frequent",
}
"""The forms of faults, and their effects."""

_PERCENT = r"(?P<percent>\d{1,2}(?:\.\d{1,6})?) ?%"
_PATTERNS = {
    FaultForm.WRONG_CELL: r"wrong[- ]cell (?P<banker>\d)/(?P<third>\d|stood)",
    FaultForm.PLAYER_DRAWS: r"player draws on (?P<points>\d)",
    FaultForm.PLAYER_STANDS: r"player stands on (?P<points>\d)",
    FaultForm.CARD_MISSING: r"one card missing (?P<rank>\w{1,2})",
    FaultForm.CARD_TOO_MANY: r"one card too many (?P<rank>\w{1,2})",
    FaultForm.INFINITE_DECK: r"infinite deck",
    FaultForm.COPIES: rf"copies first card {_PERCENT}",
    FaultForm.DUPLICATES: rf"duplicated rows {_PERCENT}",
    FaultForm.PAID_WRONG: rf"paid wrong (?P<bet>[\w-]+)=(?P<odds>.+?) in {_PERCENT}(?: of wins)?",
    FaultForm.BIASED: rf"(?P<bet>[\w-]+) (?P<sign>[+-]){_PERCENT}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A known fault. Unused fields are None. ``share``: of rounds, of wins, or of the stake."""

    text: str
    kind: FaultForm
    banker: int | None = None
    third: int | None = None
    points: int | None = None
    rank: Rank | None = None
    share: Fraction | None = None
    bet: str | None = None
    net: Fraction | None = None

    @classmethod
    def parse(cls, text: str) -> "Fault":
        """Return the fault that a text names.

        >>> Fault.parse("wrong-cell 6/7").kind
        <FaultForm.WRONG_CELL: 'wrong-cell'>
        """
        plain = " ".join(text.split())
        for kind, pattern in _PATTERNS.items():
            match = re.fullmatch(pattern, plain, re.ASCII | re.IGNORECASE)
            if match is not None:
                return _read(plain, kind, match.groupdict())
        raise InputError(f'found "{shortened(text)}"; write one of {"; ".join(FORMS)}', parameter="fault")

    def of_game(self, game: Game) -> Game:
        """Return the game with the fault in its rules."""
        if self.bet is not None:
            game.bet(self.bet)
        if self.kind not in (FaultForm.WRONG_CELL, FaultForm.PLAYER_DRAWS, FaultForm.PLAYER_STANDS):
            return game
        return msgspec.structs.replace(game, stated_table=self._table(game.printed_table))

    def _table(self, table: PrintedTable) -> PrintedTable:
        """Return the Table of Play with the fault."""
        total = (self.points if self.banker is None else self.banker) or 0
        if total in table.natural:
            raise InputError(
                f"{self.text}: nobody draws on a natural {total}; name another total", parameter="fault"
            )
        if self.kind is not FaultForm.WRONG_CELL:
            draws = self.kind is FaultForm.PLAYER_DRAWS
            if (total in table.player_draws) is draws:
                word = "draws" if draws else "stands"
                raise InputError(
                    f"{self.text}: the Player Hand already {word} on {total}; name another total",
                    parameter="fault",
                )
            return msgspec.structs.replace(table, player_draws=NumberSet(table.player_draws ^ {total}))
        if self.third is None:
            stood = NumberSet(table.banker_draws_when_player_stood ^ {total})
            return msgspec.structs.replace(table, banker_draws_when_player_stood=stood)
        rows = {
            points: {third for row in table.banker_draws if points in row.points for third in row.third}
            for points in TOTALS
            if points not in table.natural
        }
        rows[total] = rows[total] ^ {self.third}
        return msgspec.structs.replace(
            table,
            banker_draws=tuple(
                BankerRow(points=NumberSet({points}), third=NumberSet(third))
                for points, third in rows.items()
            ),
        )

    def of_shoe(self, shoe: Shoe) -> Shoe:
        """Return the shoe with the fault in its cards."""
        if self.rank is None:
            return shoe
        if self.kind is FaultForm.CARD_MISSING:
            with named("fault"):
                return shoe.minus([self.rank])
        return shoe.plus([self.rank])


def _read(text: str, kind: FaultForm, parts: dict[str, str | None]) -> Fault:
    """Return the fault of a form with its parameters."""
    percent, rank, odds = parts.get("percent"), parts.get("rank"), parts.get("odds")
    numbers = {name: int(text) for name, text in parts.items() if text and re.fullmatch(r"\d", text)}
    try:
        share = Fraction(percent) / 100 if percent else None
        fault = Fault(
            text=text,
            kind=kind,
            banker=numbers.get("banker"),
            third=numbers.get("third"),
            points=numbers.get("points"),
            rank=parse_rank(rank) if rank else None,
            share=-share if share and parts.get("sign") == "-" else share,
            bet=parts.get("bet"),
            net=Odds.parse(odds).net if odds else None,
        )
    except CombinatError as error:
        raise InputError(f"{shortened(text)}: {error}", parameter="fault") from None
    if fault.share == 0:
        raise InputError(f"{text}: found 0 %; write a larger percentage", parameter="fault")
    return fault


# ---------------------------------------------------------------- the effect on rounds


AT_ONCE = 2**16
"""Rounds that are dealt at once to choose from."""


def part_of(fault: Fault, game: Game, shoe: Shoe) -> int:
    """Return the share of rounds, or of wins, that a fault affects, in parts of ``PARTS``."""
    if fault.share is None:
        return 0
    if fault.kind is not FaultForm.BIASED or fault.bet is None:
        return int(fault.share * PARTS)
    bet = one_round_analysis(game, shoe).bet(fault.bet)
    wanted = [line for line in bet.outcomes if (line.net > 0 if fault.share > 0 else line.net < 0)]
    often = sum((line.probability for line in wanted), Fraction(0))
    if not often:
        raise InputError(f"fault: {fault.text}: no round of these cards has such a result")
    mean = sum((line.net * line.probability for line in wanted), Fraction(0)) / often
    share = fault.share / (mean - bet.expected_value)
    if share > 1:
        most = abs(mean - bet.expected_value)
        raise InputError(
            f"{fault.text}: {fault.bet} cannot differ that much; the maximum is {int(most * 100)} %",
            parameter="fault",
        )
    return round(share * PARTS)


def some(chance: Chance, rounds: int, part: int) -> Flags:
    """Return which of ``rounds`` rounds a fault affects."""
    numbers = chance.below(10**4, rounds).astype(np.int64) * 10**4 + chance.below(10**4, rounds)
    return numbers < part


def with_replacement(chance: Chance, pack: Bytes, cards: int, rounds: int) -> Bytes:
    """Return cards drawn with replacement: a row for each of ``cards``, a column for each of ``rounds``."""
    return pack.take(chance.below(len(pack), cards * rounds)).reshape(cards, rounds)


def copying(copied: Flags, first: Bytes) -> Bytes:
    """Return the first cards of rounds, some of them copied from the preceding round."""
    own = ~copied
    own[0] = True
    return first[np.maximum.accumulate(np.where(own, np.arange(len(first)), 0))]


def duplicated(chance: Chance, rounds: int, part: int) -> Indices:
    """Return the numbers of the rounds, with some of them repeated."""
    return np.repeat(np.arange(rounds), 1 + some(chance, rounds, part).astype(np.intp))


def mispaying(partition: Partition, fault: Fault) -> Partition:
    """Return the partition of a bet with one more label: the net result that the fault pays."""
    net = fault.net or Fraction(0)
    return partition if net in partition.labels else replace(partition, labels=(*partition.labels, net))


def mispaid(
    chance: Chance, fault: Fault, part: int, partition: Partition, labels: LabelNumbers
) -> LabelNumbers:
    """Return the labels of rounds, some wins of the bet paid at the odds of the fault."""
    wins = np.array([isinstance(label, Fraction) and label > 0 for label in partition.labels])
    paid = np.int16(partition.labels.index(fault.net or Fraction(0)))
    return np.where(some(chance, len(labels), part) & wins[labels], paid, labels)


def biased(
    chance: Chance, fault: Fault, part: int, partition: Partition, dealt: Deals, deal: Callable[[int], Deals]
) -> Deals:
    """Return rounds, some of them replaced by rounds that win (or lose) a bet."""
    rows = np.flatnonzero(some(chance, dealt.cards.shape[1], part))
    wins = fault.share is not None and fault.share > 0
    wanted = np.array(
        [isinstance(label, Fraction) and (label > 0 if wins else label < 0) for label in partition.labels]
    )
    parts: list[Deals] = []
    missing = len(rows)
    while missing > 0:
        more = deal(AT_ONCE)
        fit = np.flatnonzero(wanted[partition.labels_of(cells(more), more)])[:missing]
        parts.append(more.take(fit))
        missing -= len(fit)
    if not parts:
        return dealt
    cards = dealt.cards.copy()
    cards[:, rows] = Deals.concat(parts).cards
    return Deals(cards)
