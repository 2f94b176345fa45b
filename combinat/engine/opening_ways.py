"""The ways of the first four cards, as rows of a program: by the pairs of points, and by how they match.

Four ranks are worth 0 and one each is worth 1 to 9, so two cards worth the same are of one rank, or they are
two different tens and pictures. Ranks matter for these only.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from combinat.engine.pairs import APART, OTHER_PAIRED, PAIRED, RANKS_WORTH, TWO, UNLIKE, Pair
from combinat.engine.program import Product, Row, Writer
from combinat.engine.walk import MOST_CARDS
from combinat.rules.cards import RANKS, Rank
from combinat.rules.outcome import FirstFour

TENS: Pair = (0, 0)


class OpeningWays(Protocol):
    """Some of the openings of a round, by pairs."""

    def ways(self, player: Pair, banker: Pair) -> list[Product]:
        """The ways of the openings with these pairs, as products of rows to be added up."""


class EveryOpening:
    """All openings; and the rows that all ways are made of."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.cards = [self._worth(points) for points in range(10)]
        self.size = writer.once("size", lambda: writer.total(writer.ranks))
        less = [writer.plus(self.size, -gone) for gone in range(MOST_CARDS)]
        self.two_more = writer.once("two more", lambda: [(less[2], less[3])])
        self.unseen = {4: writer.once("unseen", lambda: [(less[4], less[5])]), 5: less[5], 6: writer.one}
        """The ways of the cards that are not dealt, by how many are."""

    def rank(self, rank: Rank) -> Row:
        """The cards of a rank."""
        return self.writer.ranks[RANKS.index(rank)]

    def _worth(self, points: int) -> Row:
        rows = [self.rank(rank) for rank in RANKS_WORTH[points]]
        return rows[0] if len(rows) == 1 else self.writer.once(points, lambda: self.writer.total(rows))

    def pair(self, pair: Pair) -> Row:
        """The ordered ways of two cards."""
        low, high = (self.cards[points] for points in pair)
        if low == high:
            return self.writer.falling(low, 2)
        return self.writer.once(pair, lambda: [(self.writer.times(low, 2), high)])

    def product(self, player: Pair, banker: Pair) -> Product:
        """The ordered ways of these two pairs: ``falling(n_v, m_v)`` of each value, in the orders of each pair."""
        if not set(player) & set(banker):
            return self.pair(player), self.pair(banker)
        four = (*player, *banker)
        most = max(four, key=four.count)
        rest = sorted(points for points in four if points != most)
        orders = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        if len(rest) == 2 and rest[0] != rest[1]:
            orders //= 2  # the pair has its two orders already
        drawn = self.writer.times(self.writer.falling(self.cards[most], four.count(most)), orders)
        if len(rest) == 2:
            return drawn, self.pair((rest[0], rest[1]))
        return drawn, self.cards[rest[0]] if rest else self.writer.one

    def ways(self, player: Pair, banker: Pair) -> list[Product]:
        """The ways of these two pairs."""
        return [self.product(player, banker)]


class TensByRank:
    """Openings in which a hand holds two tens or pictures, of one rank or of two."""

    def __init__(self, every: EveryOpening) -> None:
        self.every, writer = every, every.writer
        self._parts: dict[tuple[Pair, Pair], list[tuple[FirstFour, Product]]] = {}
        ranks = [every.rank(rank) for rank in RANKS_WORTH[0]]
        pairs = [writer.falling(row, 2) for row in ranks]
        all_tens, minus = every.cards[0], writer.constant(-1)
        more = [writer.plus(all_tens, -gone) for gone in (2, 3)]
        two_more = writer.once("two more tens", lambda: [(more[0], more[1])])
        self.paired = writer.once("paired tens", lambda: writer.total(pairs))
        self.unlike = writer.once(
            "unlike tens", lambda: writer.difference([writer.falling(all_tens, 2)], [self.paired])
        )
        self.third_ten = more[0]
        self.twins = writer.once("twin tens", lambda: writer.total(writer.falling(row, 4) for row in ranks))
        self.doubles = writer.once(
            "double tens",
            lambda: [(self.paired, self.paired), *((row, writer.times(row, -1)) for row in pairs)],
        )
        self.one_paired = writer.once(
            "one pair of tens",
            lambda: [(self.paired, two_more), (self.twins, minus), (self.doubles, minus)],
        )
        self.none_paired = writer.once(
            "no pair of tens", lambda: [(self.unlike, two_more), (self.one_paired, minus)]
        )

    def with_tens(self, tens: Row, pair: Pair) -> Product:
        """The ways of two tens or pictures in one hand and a pair that is none in the other."""
        if 0 in pair:
            writer = self.every.writer
            three = writer.once(("three tens", tens), lambda: [(tens, self.third_ten)])
            return three, writer.times(self.every.cards[pair[1]], 2)
        return tens, self.every.pair(pair)

    def parts(self, player: Pair, banker: Pair) -> list[tuple[FirstFour, Product]]:
        """The ways of these two pairs by how they match."""
        if (player, banker) not in self._parts:
            self._parts[player, banker] = list(self._by_match(player, banker))
        return self._parts[player, banker]

    def _by_match(self, player: Pair, banker: Pair) -> Iterator[tuple[FirstFour, Product]]:
        one, cards = self.every.writer.one, (_ranks(player), _ranks(banker))
        kinds = ((PAIRED, self.paired), (UNLIKE, self.unlike))
        if player == banker == TENS:
            yield FirstFour.of(PAIRED, PAIRED), (self.twins, one)
            yield FirstFour.of(PAIRED, OTHER_PAIRED), (self.doubles, one)
            yield FirstFour.of(PAIRED, UNLIKE), (self.one_paired, one)
            yield FirstFour.of(UNLIKE, PAIRED), (self.one_paired, one)
            yield FirstFour.of(UNLIKE, UNLIKE), (self.none_paired, one)
        elif player == TENS:
            for tens, row in kinds:
                yield FirstFour.of(tens, cards[1]), self.with_tens(row, banker)
        elif banker == TENS:
            for tens, row in kinds:
                yield FirstFour.of(cards[0], tens), self.with_tens(row, player)
        else:
            yield FirstFour.of(*cards), self.every.product(player, banker)

    def matches(self) -> dict[FirstFour, Row]:
        """The ways of every match of the first four cards, whatever the points."""
        return ways_of_matches(self)


class PairsByRank(TensByRank):
    """The same, with matches that tell the ranks of pairs: of the tens and pictures, each rank by itself."""

    def _by_match(self, player: Pair, banker: Pair) -> Iterator[tuple[FirstFour, Product]]:
        for ours, theirs, ways in self._hands(player, banker):
            yield FirstFour.of(ours, theirs, by_rank=True), ways

    def _hands(self, player: Pair, banker: Pair) -> Iterator[tuple[Sequence[Rank], Sequence[Rank], Product]]:
        one, cards = self.every.writer.one, (_ranks(player), _ranks(banker))
        if player == banker == TENS:
            for rank in RANKS_WORTH[0]:
                for other in RANKS_WORTH[0]:
                    yield (rank, rank), (other, other), (self._two_pairs(rank, other), one)
                yield (rank, rank), UNLIKE, (self._pair_with_unlike(rank), one)
                yield UNLIKE, (rank, rank), (self._pair_with_unlike(rank), one)
            yield UNLIKE, UNLIKE, (self.none_paired, one)
        elif player == TENS:
            yield UNLIKE, cards[1], self.with_tens(self.unlike, banker)
            for rank in RANKS_WORTH[0]:
                yield (rank, rank), cards[1], self.with_tens(self._pair(rank), banker)
        elif banker == TENS:
            yield cards[0], UNLIKE, self.with_tens(self.unlike, player)
            for rank in RANKS_WORTH[0]:
                yield cards[0], (rank, rank), self.with_tens(self._pair(rank), player)
        else:
            yield *cards, self.every.product(player, banker)

    def _pair(self, rank: Rank) -> Row:
        return self.every.writer.falling(self.every.rank(rank), 2)

    def _two_pairs(self, rank: Rank, other: Rank) -> Row:
        """A pair of a rank in one hand, and of a rank in the other."""
        writer = self.every.writer
        if rank == other:
            return writer.falling(self.every.rank(rank), 4)
        pair = frozenset((rank, other))
        return writer.once(("two pairs", pair), lambda: [(self._pair(rank), self._pair(other))])

    def _pair_with_unlike(self, rank: Rank) -> Row:
        """A pair of a rank in one hand, and two different tens or pictures in the other."""
        writer, pair = self.every.writer, self._pair(rank)
        if rank.points:
            return writer.once(("with unlike", rank), lambda: [(pair, self.unlike)])
        two_more = [writer.plus(self.every.cards[0], -gone) for gone in (2, 3)]
        two_tens = writer.once("two more tens", lambda: [(two_more[0], two_more[1])])
        others = [self._two_pairs(rank, other) for other in RANKS_WORTH[0]]
        return writer.once(
            ("with unlike", rank),
            lambda: [(pair, two_tens), *((row, writer.constant(-1)) for row in others)],
        )

    def matches(self) -> dict[FirstFour, Row]:
        """The ways of every match of the first four cards, whatever the points."""
        writer, minus = self.every.writer, self.every.writer.constant(-1)
        ways: dict[FirstFour, Row] = {}

        def match(player: Sequence[Rank], banker: Sequence[Rank], row: Row) -> Row:
            for hands in ((player, banker), (banker, player)):
                ways[FirstFour.of(*hands, by_rank=True)] = row
            return row

        for number, rank in enumerate(RANKS):
            for other in RANKS[number:]:
                match((rank, rank), (other, other), self._two_pairs(rank, other))
            match((rank, rank), UNLIKE, self._pair_with_unlike(rank))
        match(UNLIKE, UNLIKE, self.none_paired)
        apart = Rank.ACE, Rank.TWO
        for hand, first_two in (*(((rank, rank), self._pair(rank)) for rank in RANKS), (UNLIKE, self.unlike)):
            others = (*((rank, rank) for rank in RANKS), UNLIKE)
            matched = [ways[FirstFour.of(hand, other, by_rank=True)] for other in others]
            row = writer.write(
                writer.new(), [(first_two, self.every.two_more), *((one, minus) for one in matched)]
            )
            match(hand, apart, row)
        four = writer.falling(self.every.size, 4)
        no_match = writer.write(writer.new(), writer.difference([four], list(ways.values())))
        match(apart, (Rank.THREE, Rank.FOUR), no_match)
        return ways


def _ranks(pair: Pair) -> Sequence[Rank]:
    return [RANKS_WORTH[points][0] for points in pair]


class Matched:
    """The openings whose first four cards match in one of these ways."""

    def __init__(self, tens: TensByRank, matches: frozenset[FirstFour]) -> None:
        self.tens, self.matches = tens, matches

    def ways(self, player: Pair, banker: Pair) -> list[Product]:
        """The ways of those with these two pairs."""
        return [ways for match, ways in self.tens.parts(player, banker) if match in self.matches]


def ways_of_matches(tens: TensByRank) -> dict[FirstFour, Row]:
    """The ways of every match of the first four cards, whatever the points: closed forms in the rank counts."""
    every, writer = tens.every, tens.every.writer
    minus, one, two_more = writer.constant(-1), writer.one, every.two_more
    pairs = [writer.falling(row, 2) for row in writer.ranks]
    a_pair = writer.once("pairs", lambda: writer.total(pairs))
    not_tens = writer.once("pairs but tens", lambda: writer.difference([a_pair], [tens.paired]))
    low, other = TWO[1], TWO[2]
    ways: dict[FirstFour, Row] = {}

    def match(player: Sequence[Rank], banker: Sequence[Rank], products: list[Product]) -> Row:
        row = writer.write(writer.new(), products)
        for hands in ((player, banker), (banker, player)):
            ways[FirstFour.of(*hands)] = row
        return row

    twins = match(low, low, writer.total(writer.falling(row, 4) for row in writer.ranks))
    double_tens = match(PAIRED, OTHER_PAIRED, [(tens.doubles, one)])
    squares = [(row, writer.times(row, -1)) for row in pairs]
    doubles = match(low, other, [(a_pair, a_pair), *squares, (double_tens, minus)])
    with_unlike = match(low, UNLIKE, [(not_tens, tens.unlike)])
    tens_with_unlike = match(PAIRED, UNLIKE, [(tens.one_paired, one)])
    both_unlike = match(UNLIKE, UNLIKE, [(tens.none_paired, one)])
    paired = [twins, double_tens, doubles, with_unlike, tens_with_unlike]
    one_pair = match(low, APART, [(a_pair, two_more), *((row, minus) for row in paired)])
    alike = [with_unlike, tens_with_unlike, both_unlike]
    one_alike = match(UNLIKE, APART, [(tens.unlike, two_more), *((row, minus) for row in alike)])
    once = [twins, double_tens, doubles, both_unlike]
    twice = [with_unlike, tens_with_unlike, one_pair, one_alike]
    four = writer.falling(every.size, 4)
    match(APART, (Rank.THREE, Rank.FOUR), writer.difference([four], [*once, *twice, *twice]))
    return ways
