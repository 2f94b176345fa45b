"""The ways of the first four cards, by the pairs of points or by how they match: closed forms in the rank counts.

They are written once, for one shoe and for programs (``Arithmetic``).

Four ranks are worth 0, and one rank each is worth 1 to 9. So two cards worth the same have one rank, or they
are two different tens and pictures. Ranks matter for these only.
"""

from collections.abc import Sequence

from combinat.engine.arithmetic import Arithmetic, Product, Row
from combinat.engine.walk import MOST_CARDS
from combinat.rules.cards import RANKS, Rank
from combinat.rules.outcome import FirstFour

Pair = tuple[int, int]
"""The points of two cards, lowest first."""

Two = tuple[Rank, Rank]
"""Two cards by rank that stand for all that match as they do."""

RANKS_WORTH = tuple(tuple(rank for rank in RANKS if rank.points == points) for points in range(10))
TWO = tuple((ranks[0], ranks[0]) for ranks in RANKS_WORTH)
PAIRED, OTHER_PAIRED = ((rank, rank) for rank in RANKS_WORTH[0][:2])
UNLIKE: Two = (RANKS_WORTH[0][0], RANKS_WORTH[0][1])
APART: Two = (Rank.ACE, Rank.TWO)


class EveryOpening:
    """All openings by pairs of points, and the rows from which all ways are computed."""

    def __init__(self, rows: Arithmetic) -> None:
        self.rows = rows
        self.cards = [self._worth(points) for points in range(10)]
        self.size = rows.once("size", lambda: rows.total(rows.ranks))
        less = [rows.plus(self.size, -gone) for gone in range(MOST_CARDS)]
        self.two_more = rows.once("two more", lambda: [(less[2], less[3])])
        self.unseen = {4: rows.once("unseen", lambda: [(less[4], less[5])]), 5: less[5], 6: rows.one}
        """The ways of the cards that are not dealt, by how many are."""

    def rank(self, rank: Rank) -> Row:
        """Return the row that counts the cards of a rank."""
        return self.rows.ranks[RANKS.index(rank)]

    def _worth(self, points: int) -> Row:
        worth = [self.rank(rank) for rank in RANKS_WORTH[points]]
        return worth[0] if len(worth) == 1 else self.rows.once(points, lambda: self.rows.total(worth))

    def pair(self, pair: Pair) -> Row:
        """Return the row of the ordered ways of two cards."""
        low, high = (self.cards[points] for points in pair)
        if low == high:
            return self.rows.falling(low, 2)
        return self.rows.once(pair, lambda: [(self.rows.times(low, 2), high)])

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
        drawn = self.rows.times(self.rows.falling(self.cards[most], four.count(most)), orders)
        if len(rest) == 2:
            return drawn, self.pair((rest[0], rest[1]))
        return drawn, self.cards[rest[0]] if rest else self.rows.one


class TensByRank:
    """The ways of two tens or pictures in one hand or in both, of one rank or of two."""

    def __init__(self, every: EveryOpening) -> None:
        rows = every.rows
        ranks = [every.rank(rank) for rank in RANKS_WORTH[0]]
        pairs = [rows.falling(row, 2) for row in ranks]
        all_tens, minus = every.cards[0], rows.constant(-1)
        more = [rows.plus(all_tens, -gone) for gone in (2, 3)]
        two_more = rows.once("two more tens", lambda: [(more[0], more[1])])
        self.paired = rows.once("paired tens", lambda: rows.total(pairs))
        self.unlike = rows.once(
            "unlike tens", lambda: rows.difference([rows.falling(all_tens, 2)], [self.paired])
        )
        self.twins = rows.once("twin tens", lambda: rows.total(rows.falling(row, 4) for row in ranks))
        self.doubles = rows.once(
            "double tens",
            lambda: [(self.paired, self.paired), *((row, rows.times(row, -1)) for row in pairs)],
        )
        self.one_paired = rows.once(
            "one pair of tens",
            lambda: [(self.paired, two_more), (self.twins, minus), (self.doubles, minus)],
        )
        self.none_paired = rows.once(
            "no pair of tens", lambda: [(self.unlike, two_more), (self.one_paired, minus)]
        )


def ways_of_matches(every: EveryOpening) -> dict[FirstFour, Row]:
    """Return the ways of every match of the first four cards: closed forms in the rank counts."""
    tens, rows = TensByRank(every), every.rows
    minus, one, two_more = rows.constant(-1), rows.one, every.two_more
    pairs = [rows.falling(row, 2) for row in rows.ranks]
    a_pair = rows.once("pairs", lambda: rows.total(pairs))
    not_tens = rows.once("pairs but tens", lambda: rows.difference([a_pair], [tens.paired]))
    low, other = TWO[1], TWO[2]
    ways: dict[FirstFour, Row] = {}

    def match(player: Sequence[Rank], banker: Sequence[Rank], products: list[Product]) -> Row:
        row = rows.once(("match", player, banker), lambda: products)
        for hands in ((player, banker), (banker, player)):
            ways[FirstFour.of(*hands)] = row
        return row

    twins = match(low, low, rows.total(rows.falling(row, 4) for row in rows.ranks))
    double_tens = match(PAIRED, OTHER_PAIRED, [(tens.doubles, one)])
    squares = [(row, rows.times(row, -1)) for row in pairs]
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
    four = rows.falling(every.size, 4)
    match(APART, (Rank.THREE, Rank.FOUR), rows.difference([four], [*once, *twice, *twice]))
    return ways
