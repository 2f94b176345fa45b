"""The ways of the first four cards as rows of a program: by the pairs of points, or by how they match.

Four ranks are worth 0, and one rank each is worth 1 to 9. So two cards worth the same have one rank, or they
are two different tens and pictures. Ranks matter for these only.
"""

from collections.abc import Sequence

from combinat.engine.pairs import APART, OTHER_PAIRED, PAIRED, RANKS_WORTH, TWO, UNLIKE, Pair
from combinat.engine.program import Product, Row, Writer
from combinat.engine.walk import MOST_CARDS
from combinat.rules.cards import RANKS, Rank
from combinat.rules.outcome import FirstFour


class EveryOpening:
    """All openings by pairs of points, and the rows from which all ways are computed."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.cards = [self._worth(points) for points in range(10)]
        self.size = writer.once("size", lambda: writer.total(writer.ranks))
        less = [writer.plus(self.size, -gone) for gone in range(MOST_CARDS)]
        self.two_more = writer.once("two more", lambda: [(less[2], less[3])])
        self.unseen = {4: writer.once("unseen", lambda: [(less[4], less[5])]), 5: less[5], 6: writer.one}
        """The ways of the cards that are not dealt, by how many are."""

    def rank(self, rank: Rank) -> Row:
        """Return the row that counts the cards of a rank."""
        return self.writer.ranks[RANKS.index(rank)]

    def _worth(self, points: int) -> Row:
        rows = [self.rank(rank) for rank in RANKS_WORTH[points]]
        return rows[0] if len(rows) == 1 else self.writer.once(points, lambda: self.writer.total(rows))

    def pair(self, pair: Pair) -> Row:
        """Return the row of the ordered ways of two cards."""
        low, high = (self.cards[points] for points in pair)
        if low == high:
            return self.writer.falling(low, 2)
        return self.writer.once(pair, lambda: [(self.writer.times(low, 2), high)])

    def product(self, player: Pair, banker: Pair) -> Product:
        """Return the ordered ways of two pairs: ``falling(n_v, m_v)`` of each value, times their orders."""
        if not set(player) & set(banker):
            return self.pair(player), self.pair(banker)
        four = (*player, *banker)
        most = max(four, key=four.count)
        rest = sorted(points for points in four if points != most)
        orders = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        if len(rest) == 2 and rest[0] != rest[1]:
            orders //= 2  # the row of the pair includes its two orders
        drawn = self.writer.times(self.writer.falling(self.cards[most], four.count(most)), orders)
        if len(rest) == 2:
            return drawn, self.pair((rest[0], rest[1]))
        return drawn, self.cards[rest[0]] if rest else self.writer.one


class TensByRank:
    """The ways of two tens or pictures in one hand or in both, of one rank or of two."""

    def __init__(self, every: EveryOpening) -> None:
        writer = every.writer
        ranks = [every.rank(rank) for rank in RANKS_WORTH[0]]
        pairs = [writer.falling(row, 2) for row in ranks]
        all_tens, minus = every.cards[0], writer.constant(-1)
        more = [writer.plus(all_tens, -gone) for gone in (2, 3)]
        two_more = writer.once("two more tens", lambda: [(more[0], more[1])])
        self.paired = writer.once("paired tens", lambda: writer.total(pairs))
        self.unlike = writer.once(
            "unlike tens", lambda: writer.difference([writer.falling(all_tens, 2)], [self.paired])
        )
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


def ways_of_matches(every: EveryOpening) -> dict[FirstFour, Row]:
    """Return the ways of every match of the first four cards: closed forms in the rank counts."""
    tens, writer = TensByRank(every), every.writer
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
