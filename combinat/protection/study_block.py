"""One block of a study: some shoes dealt by chance, and what the players' bets on them are worth, exactly."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from combinat.analysis.evaluate import asked_for, evaluate
from combinat.montecarlo.cell import NO_CARD, POINTS, total
from combinat.montecarlo.chance import Chance
from combinat.montecarlo.dealer import ThirdCardRules, packed, shuffled_shoes
from combinat.montecarlo.whole_shoes import ShoeRounds, dealt_shoes
from combinat.protection.insurance_values import NO_THIRD, Flags, OfferValues
from combinat.protection.multisets import Array, Ints
from combinat.protection.study import (
    SCALE,
    Cell,
    Player,
    Row,
    Study,
    Sums,
    Wager,
    products,
    variables,
    wagers,
    with_bets,
)
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.round import Stage

DECK = 52
BOUND = 2**63
LIMB = 32
"""The bits by which a numerator is cut in two, so that sums of many stay whole numbers of 64 bits."""


@dataclass(frozen=True, eq=False)
class Dealer:
    """What deals the blocks of a study."""

    game: Game
    study: Study

    @cached_property
    def _asked(self) -> Game:
        return with_bets(self.game, self.study.bets)

    @cached_property
    def wagers(self) -> tuple[Wager, ...]:
        """What is bet on."""
        return wagers(self.game, self.study.bets)

    @cached_property
    def _offers(self) -> dict[str, OfferValues]:
        tables = [wager.table for wager in self.wagers if wager.table is not None]
        return {str(table.insured): OfferValues.of(self.game, table) for table in tables}

    @cached_property
    def _drawing(self) -> ThirdCardRules:
        return ThirdCardRules.of(self.game)

    def block(self, number: int) -> Sums:
        """The sums of one block."""
        study = self.study
        chance, shoes = Chance(study.seed, number), study.shoes_of(number)
        decks = shuffled_shoes(chance, packed(study.shoe), shoes)
        return self.sums(dealt_shoes(decks, study.shoe, study.dealing, self._drawing), shoes)

    def sums(self, rounds: ShoeRounds, shoes: int) -> Sums:
        """What these rounds of so many shoes come to."""
        unseen = rounds.unseen.sum(axis=1)
        values = self._values(rounds, unseen)
        positions = np.array(self.study.positions)
        bands = np.searchsorted(positions, rounds.reach)  # the positions below what is left
        grouped = _Groups.of(bands, unseen)
        rows: list[Array] = [grouped.sums(np.ones(len(unseen), dtype=np.int64))]
        rows += [grouped.sums(value.is_offered.astype(np.int64)) for value in values.values()]
        marks = _Marks.of(rounds, unseen, positions)
        moments = []
        every_bet = [
            self._bets(player, values[player.wager], rounds, unseen) for player in self.study.players
        ]
        for player, bets in zip(self.study.players, every_bet, strict=True):
            value = values[player.wager]
            rows.append(grouped.sums(bets.astype(np.int64)))
            rows.append(grouped.sums(value.numerators * bets))
            gain = value.scaled * bets
            at_marks = [value.scaled, *self._scaled_tags(player, rounds, unseen)]
            matrices = [_by_shoe(rounds.shoe, bands, each, shoes, positions) for each in (bets, gain)]
            ones = np.ones(len(unseen), dtype=np.int64)
            matrices.insert(0, _by_shoe(rounds.shoe, bands, ones, shoes, positions))
            matrices += [marks.by_shoe(each, shoes, self.study.first_mark) for each in at_marks]
            assert len(matrices) == variables(player)
            moments.append(_moments(matrices))
        rows += [grouped.sums(squares) for squares in self._squares(every_bet, rounds, unseen)]
        at_marks = [value.numerators for value in values.values()]
        at_marks += [_tags_unseen(count.tags.values, rounds) for count in self.study.counts]
        return Sums(
            shoes=shoes,
            rounds=grouped.rows(rows),
            marks=marks.groups.rows([marks.sums(ones), *(marks.sums(each) for each in at_marks)]),
            moments=tuple(moments),
        )

    def _values(self, rounds: ShoeRounds, unseen: Ints) -> dict[str, "_Value"]:
        """Every wager before every round, or as its offer arises."""
        values: dict[str, _Value] = {}
        if self._asked.bets:
            evaluation = evaluate(self._asked, rounds.unseen)
            always = np.ones(len(unseen), dtype=np.bool_)
            for column, bet in enumerate(evaluation.bets):
                values[bet] = _Value(always, evaluation.numerators[:, column], evaluation.denominators)
        for insured, offers in self._offers.items():
            values[insured] = _offered(offers, rounds, unseen)
        return {wager: values[wager] for wager in self.study.bets}

    def _squares(self, every_bet: list[Flags], rounds: ShoeRounds, unseen: Ints) -> list[Array]:
        """For each player the mean squares of the units that are bet, in every round."""
        players = list(zip(self.study.players, every_bet, strict=True))
        places = {bet.id: place for place, bet in enumerate(self._asked.bets)}
        some = [bets for player, bets in players if player.wager in places]
        made = np.flatnonzero(np.any(some, axis=0)) if some else np.zeros(0, dtype=np.int64)
        squares: list[Array] = []
        evaluated = evaluate(self._asked, rounds.unseen[made], variance=True) if len(made) else None
        for player, bets in players:
            if player.wager in self._offers:
                squared = _offered(self._offers[player.wager].squared(), rounds, unseen)
                squares.append(squared.numerators * bets)
                continue
            table = None if evaluated is None else asked_for(evaluated.square_numerators, "variance")
            column: Array = np.zeros(len(bets), dtype=np.int64 if table is None else table.dtype)
            if table is not None:
                column[made] = table[:, places[player.wager]] * bets[made]
            squares.append(column)
        return squares

    def _bets(self, player: Player, value: "_Value", rounds: ShoeRounds, unseen: Ints) -> Flags:
        """In which rounds a player bets."""
        if player.count is None:
            positive: Flags = value.numerators > 0
            return positive & value.is_offered
        count = player.count
        tags = np.array([*count.tags.values, 0], dtype=np.int64)  # no card has no tag
        running = int(np.dot(self.study.shoe.counts, count.tags.values)) - rounds.unseen @ tags[: len(RANKS)]
        if player.wager in self._offers:  # the cards on the table are seen too
            hands = [*rounds.dealt.player[:2], *rounds.dealt.banker[:2]]
            if self._offers[player.wager].stage is Stage.PLAYER_THIRD_CARD:
                hands.append(rounds.dealt.player[2])
            for card in hands:
                running = running + tags[card]
                unseen = unseen - (card != NO_CARD)
        index = count.index
        is_reached: Flags = running * (DECK * index.denominator) >= index.numerator * unseen
        return is_reached & value.is_offered

    def _scaled_tags(self, player: Player, rounds: ShoeRounds, unseen: Ints) -> list[Ints]:
        """The mean tag of the cards unseen, in parts of the scale; nothing where there is no count."""
        if player.count is None:
            return []
        tags = _tags_unseen(player.count.tags.values, rounds)
        rounded: Ints = ((tags << (SCALE + 1)) + unseen) // (2 * unseen)
        return [rounded]


@dataclass(frozen=True, eq=False)
class _Value:
    """A wager in every round: whether it is on offer, and its expected value."""

    is_offered: Flags
    numerators: Array
    denominators: Array

    @cached_property
    def scaled(self) -> Ints:
        """The expected values rounded to parts of the scale, half up, by long division."""
        tops, bottoms = self.numerators, self.denominators
        room = 63 - int(bottoms.max(initial=1)).bit_length()
        if tops.dtype == object or bottoms.dtype == object or room < 2:
            tops, bottoms = tops.astype(object), bottoms.astype(object)
            rounded: Ints = ((tops * 2 ** (SCALE + 1) + bottoms) // (2 * bottoms)).astype(np.int64)
            return rounded
        whole, rest = np.divmod(tops, bottoms)
        bits = SCALE
        while bits:
            step = min(room, bits)
            digits, rest = np.divmod(rest << step, bottoms)
            whole, bits = (whole << step) + digits, bits - step
        half_up: Ints = whole + (2 * rest >= bottoms)
        return half_up


def _tags_unseen(tags: tuple[int, ...], rounds: ShoeRounds) -> Ints:
    unseen: Ints = rounds.unseen @ np.array(tags, dtype=np.int64)
    return unseen


def _offered(offers: OfferValues, rounds: ShoeRounds, unseen: Ints) -> _Value:
    """An insurance table as its offers arise, each valued given the cards on the table and those seen before."""
    hands = rounds.dealt
    player = [POINTS.take(card) for card in hands.player]
    banker = [POINTS.take(card) for card in hands.banker]
    left = np.stack(
        [rounds.unseen[:, _ranks_worth(points)].sum(axis=1) for points in range(10)],
        axis=1,
    )
    rows = np.arange(len(unseen))
    third = np.where(hands.player[2] == NO_CARD, NO_THIRD, player[2]).astype(np.int64)
    for card in (player[0], player[1], banker[0], banker[1]):
        left[rows, card] -= 1
    if offers.stage is Stage.PLAYER_THIRD_CARD:
        drawn = third != NO_THIRD
        left[rows[drawn], third[drawn]] -= 1
    totals = [total(hand[0], hand[1]).astype(np.int64) for hand in (player, banker)]
    is_offered, numerators = offers.numerators(totals[0], totals[1], third, left)
    denominators = np.array([offers.denominator(number) for number in range(int(unseen.max(initial=0)) + 1)])
    return _Value(is_offered, numerators, denominators[unseen])


def _ranks_worth(points: int) -> list[int]:
    return [number for number, rank in enumerate(RANKS) if rank.points == points]


@dataclass(frozen=True, eq=False)
class _Groups:
    """Rounds in groups of one band and one number of cards unseen."""

    order: Ints
    starts: Ints
    cells: tuple[Cell, ...]

    @classmethod
    def of(cls, bands: Ints, unseen: Ints) -> "_Groups":
        """The groups of rounds by two numbers."""
        width = int(unseen.max(initial=0)) + 1
        keys = bands * width + unseen
        order = np.argsort(keys, kind="stable")
        present, starts = np.unique(keys[order], return_index=True)
        return cls(order, starts, tuple((key // width, key % width) for key in present.tolist()))

    def sums(self, numbers: Array) -> Array:
        """What the numbers of each group come to, as Python integers."""
        numbers = numbers[self.order]
        if not len(self.starts):
            return np.zeros(0, dtype=object)
        if numbers.dtype == object:
            whole: Array = np.add.reduceat(numbers, self.starts)
            return whole
        high = np.add.reduceat(numbers >> LIMB, self.starts).astype(object)
        low = np.add.reduceat(numbers & (2**LIMB - 1), self.starts).astype(object)
        joined: Array = high * 2**LIMB + low
        return joined

    def rows(self, columns: list[Array]) -> dict[Cell, Row]:
        """The columns as a row for each group."""
        return dict(zip(self.cells, zip(*(column.tolist() for column in columns), strict=True), strict=True))


@dataclass(frozen=True, eq=False)
class _Marks:
    """The rounds at the marks: at each position, the first of a shoe that begins with no more cards left."""

    rounds: Ints
    positions: Ints
    shoes: Ints
    number: int
    groups: _Groups

    @classmethod
    def of(cls, rounds: ShoeRounds, unseen: Ints, positions: Ints) -> "_Marks":
        """The rounds at these positions."""
        first, last = np.searchsorted(positions, rounds.left), np.searchsorted(positions, rounds.before)
        # Positions lie at least a round apart, so that a round is at one mark at most.
        chosen = np.flatnonzero(last > first)
        return cls(
            chosen,
            first[chosen],
            rounds.shoe[chosen],
            len(positions),
            _Groups.of(first[chosen], unseen[chosen]),
        )

    def sums(self, numbers: Array) -> Array:
        """What the numbers of each group come to."""
        return self.groups.sums(numbers[self.rounds])

    def by_shoe(self, numbers: Ints, shoes: int, first: int) -> Ints:
        """For each shoe and position of the cut card, the numbers at the marks from there on, added up."""
        table = np.zeros((shoes, self.number + 1), dtype=np.int64)
        table[self.shoes, self.positions] = numbers[self.rounds]
        added = np.cumsum(table[:, ::-1], axis=1)[:, ::-1]
        from_there: Ints = added[:, first : first + self.number]
        return from_there


def _by_shoe(shoe: Ints, bands: Ints, numbers: Any, shoes: int, positions: Ints) -> Ints:
    """For each shoe and position of the cut card, the numbers of the rounds dealt there, added up."""
    table = np.zeros((shoes, len(positions) + 1), dtype=np.int64)
    np.add.at(table, (shoe, bands), numbers)
    added = np.cumsum(table[:, ::-1], axis=1)[:, ::-1]
    dealt: Ints = added[:, 1:]
    return dealt


def _moments(matrices: list[Ints]) -> tuple[Row, ...]:
    """For each position, the sums of these figures over shoes, and the sums of their products."""
    figures = np.stack(matrices)
    pairs = products(len(matrices))
    firsts = figures.sum(axis=1)
    largest = int(np.abs(figures).max(initial=0))
    if largest < 2**31 and figures.shape[1] < 2**15:
        high, low = figures >> 16, figures & 0xFFFF
        seconds = [
            (high[one] * figures[two]).sum(axis=0).astype(object) * 2**16
            + (low[one] * figures[two]).sum(axis=0).astype(object)
            for one, two in pairs
        ]
    else:
        whole = figures.astype(object)
        seconds = [(whole[one] * whole[two]).sum(axis=0) for one, two in pairs]
    columns = [*(row.astype(object) for row in firsts), *seconds]
    return tuple(tuple(column[place] for column in columns) for place in range(figures.shape[2]))
