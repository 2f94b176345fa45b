"""Every composition of this number of cards left of a shoe, with its number of ways, and perfect play over them.

Perfect play stakes a unit only if the composition of the cards left favours the player. Over every composition, each
with its exact probability: how often it favours the player, and the gain a round of betting only then. The mean of the
expected value is that of the whole shoe. A player who knows only the cards gone cannot gain more in the round
dealt there. Bets on pairs need no compositions (``pairs``).

A shoe of ``n_r`` cards of each rank leaves ``k_r`` of each in ``prod C(n_r, k_r)`` ways. Cards that are alike
for a bet are one kind: by points the tens and pictures are.

The kinds are split into two halves. A block is some first halves with every second half that fills them up,
so that the ways of a composition, which may have hundreds of bits, are never multiplied out one by one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb

import msgspec
import numpy as np

from combinat.analysis.evaluate import evaluate
from combinat.base.errors import InputError
from combinat.engine.arrays import Array, Ints
from combinat.engine.distribution import falling
from combinat.engine.walk import MOST_CARDS
from combinat.protection.betting import Betting
from combinat.protection.inputs import check_left
from combinat.protection.pairs import looks_at_pairs_alone, pair_play
from combinat.rules.bet import Bet
from combinat.rules.bounds import COMPOSITIONS
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

BLOCK = 65_536
"""The approximate number of compositions in a batch."""

TENS = [number for number, rank in enumerate(RANKS) if rank.points == 0]
OTHERS = [number for number, rank in enumerate(RANKS) if rank.points]


@dataclass(frozen=True, slots=True)
class CompositionPart:
    """Some cards of some kinds: how many of each rank, and in how many ways a shoe has them."""

    cards: int
    counts: tuple[int, ...]
    ways: int


Kind = list[CompositionPart]
"""The ways to have 0, 1, 2 and more cards of one kind."""


@dataclass(frozen=True, slots=True)
class CompositionBlock:
    """First halves, each with every second half: their counts, and the ways of either."""

    firsts: Ints
    first_ways: list[int]
    seconds: Ints
    second_ways: list[int]

    @property
    def counts(self) -> Ints:
        """The compositions as shoes, a row each: the first half's number counts slowest."""
        counts: Ints = (self.firsts[:, None, :] + self.seconds[None, :, :]).reshape(-1, len(RANKS))
        return counts


def kinds_by_points(shoe: Shoe, left: int) -> list[Kind]:
    """Return the kinds of cards for a bet that looks at points: tens and pictures are one kind."""
    kinds = [_one_rank(number, shoe.counts[number], left, shoe.size - left) for number in OTHERS]
    return [*kinds, _one_rank(TENS[0], sum(shoe.counts[number] for number in TENS), left, shoe.size - left)]


def kinds_by_rank(shoe: Shoe, left: int) -> list[Kind]:
    """Return the kinds of cards for a bet that looks at ranks: each rank is a kind."""
    return [_one_rank(number, cards, left, shoe.size - left) for number, cards in enumerate(shoe.counts)]


def _one_rank(number: int, cards: int, left: int, gone: int) -> Kind:
    fewest = max(0, cards - gone)
    return [
        CompositionPart(few, _counts({number: few}), comb(cards, few))
        for few in range(fewest, min(cards, left) + 1)
    ]


def _counts(cards: dict[int, int]) -> tuple[int, ...]:
    return tuple(cards.get(number, 0) for number in range(len(RANKS)))


def compositions(kinds: Sequence[Kind], left: int) -> int:
    """Return how many compositions of this number of cards there are."""
    numbers = [1] + [0] * left
    for kind in kinds:
        longer = [0] * (left + 1)
        for part in kind:
            for cards in range(left - part.cards + 1):
                longer[cards + part.cards] += numbers[cards]
        numbers = longer
    return numbers[left]


def blocks(kinds: Sequence[Kind], left: int) -> Iterator[CompositionBlock]:
    """Yield all compositions of this number of cards, block by block."""
    middle = len(kinds) // 2
    firsts, seconds = (
        _halves(some, left, sum(map(_most, others)))
        for some, others in ((kinds[:middle], kinds[middle:]), (kinds[middle:], kinds[:middle]))
    )
    for cards, halves in firsts.items():
        others = seconds.get(left - cards, [])
        if not others:
            continue
        at_once = max(1, BLOCK // len(others))
        second_counts, second_ways = _array(others), [half.ways for half in others]
        for start in range(0, len(halves), at_once):
            some = halves[start : start + at_once]
            yield CompositionBlock(_array(some), [half.ways for half in some], second_counts, second_ways)


def _most(kind: Kind) -> int:
    """Return the largest number of cards of a kind."""
    return max(part.cards for part in kind)


def _halves(kinds: Sequence[Kind], left: int, to_come: int) -> dict[int, list[CompositionPart]]:
    """Return every part of these kinds, by its number of cards: up to this number, and enough for what is yet to come.

    ``to_come``: the most cards that the other half can add. So where few cards are gone, few parts are looked
    at.
    """
    parts = [CompositionPart(0, (0,) * len(RANKS), 1)]
    to_come += sum(map(_most, kinds))
    for kind in kinds:
        to_come -= _most(kind)
        parts = [
            CompositionPart(
                part.cards + more.cards,
                tuple(map(int.__add__, part.counts, more.counts)),
                part.ways * more.ways,
            )
            for part in parts
            for more in kind
            if left - to_come <= part.cards + more.cards <= left
        ]
    by_cards: dict[int, list[CompositionPart]] = {}
    for part in parts:
        by_cards.setdefault(part.cards, []).append(part)
    return by_cards


def _array(parts: Sequence[CompositionPart]) -> Ints:
    return np.array([part.counts for part in parts], dtype=np.int64)


def weighted_sums(block: CompositionBlock, values: Array) -> list[int]:
    """Return the sum over a block of a composition's ways times its value, exactly, for every column of values.

    The second halves' ways are cut into digits so short that int64 holds every sum of them times values.
    """
    rows = values.reshape(len(block.first_ways), len(block.second_ways), values.shape[1])
    bits = 62 - _bits(values) - len(block.second_ways).bit_length()
    if values.dtype == object or bits < 8:
        inner = np.einsum("s,psv->pv", np.array(block.second_ways, dtype=object), rows.astype(object))
        return [int(total) for total in np.array(block.first_ways, dtype=object) @ inner]
    digits = -(-max(block.second_ways).bit_length() // bits)
    mask = (1 << bits) - 1
    ways = np.array(
        [[way >> bits * place & mask for way in block.second_ways] for place in range(digits)], dtype=np.int64
    )
    products = np.matmul(ways, rows).astype(object)
    shifts = np.array([1 << bits * place for place in range(digits)], dtype=object)
    inner = np.einsum("d,pdv->pv", shifts, products)
    return [int(total) for total in np.array(block.first_ways, dtype=object) @ inner]


def _bits(values: Array) -> int:
    """Return the number of bits of the value with the largest absolute value."""
    return max(abs(int(values.max(initial=0))), abs(int(values.min(initial=0)))).bit_length()


@cache
def multisets_of(kinds: int, cards: int) -> Ints:
    """Return every multiset of this number of cards, a row each.

    >>> multisets_of(2, 2).tolist()
    [[2, 0], [1, 1], [0, 2]]
    """
    drawn = list(combinations_with_replacement(range(kinds), cards))
    rows = np.zeros((len(drawn), kinds), dtype=np.int64)
    for place in range(cards):
        rows[np.arange(len(drawn)), [one[place] for one in drawn]] += 1
    return rows


def places_of(multisets: Ints, cards: int) -> Ints:
    """Return the row of each of these multisets among all of this number of cards.

    >>> places_of(np.array([[0, 2], [1, 1]]), 2).tolist()
    [2, 1]
    """
    kinds = multisets.shape[1]
    # Read as digits, the rows fall from the first to the last.
    digits = -((cards + 1) ** np.arange(kinds - 1, -1, -1))
    places: Ints = np.searchsorted(multisets_of(kinds, cards) @ digits, multisets @ digits)
    return places


# ---------------------------------------------------------------- perfect play

Advance = Callable[[int], None]
"""Called with the number of compositions done since the last call."""


def work(game: Game, shoe: Shoe, left: int, bets: Sequence[str]) -> int:
    """Return the number of compositions that ``perfect_play`` goes through; refuse too many."""
    check_left(shoe.size, left)
    by_points, _, by_rank = _levels(game, bets)
    levels = (kinds_by_points, by_points), (kinds_by_rank, by_rank)
    return sum(_checked_work(shoe, kinds, left, some) for kinds, some in levels if some)


def perfect_play(
    game: Game, shoe: Shoe, left: int, bets: Sequence[str], advance: Advance = lambda done: None
) -> dict[str, Betting]:
    """Return perfect play of these bets, by their ids, with this number of cards left, over every composition."""
    work(game, shoe, left, bets)
    by_points, by_pairs, by_rank = _levels(game, bets)
    results = {bet.id: pair_play(bet, shoe, range(left, left + 1))[left] for bet in by_pairs}
    if by_points:
        results |= _over_compositions(game, shoe, left, kinds_by_points(shoe, left), by_points, advance)
    if by_rank:
        results |= _over_compositions(game, shoe, left, kinds_by_rank(shoe, left), by_rank, advance)
    return {bet: results[bet] for bet in bets}


def _levels(game: Game, bets: Sequence[str]) -> tuple[list[Bet], list[Bet], list[Bet]]:
    """Return the bets by what decides them: points; pairs alone; ranks and points together."""
    wanted = [game.bet(bet) for bet in bets]
    by_points = [bet for bet in wanted if not bet.needs_ranks]
    by_pairs = [bet for bet in wanted if looks_at_pairs_alone(bet)]
    return by_points, by_pairs, [bet for bet in wanted if bet not in by_points + by_pairs]


def _checked_work(
    shoe: Shoe, kinds: Callable[[Shoe, int], list[Kind]], left: int, bets: Sequence[Bet]
) -> int:
    """Return the number of compositions; refuse too many, in a large shoe before they are counted.

    Their number grows up to half the shoe and falls again alike; and of no more cards than there are of any
    points, every split among the points is one.
    """
    held = [number for number in (*shoe.counts[: TENS[0]], sum(shoe.counts[TENS[0] :])) if number]
    few = min(left, shoe.size - left, *held)
    number = comb(few + len(held) - 1, few)
    if number <= COMPOSITIONS:
        number = compositions(kinds(shoe, left), left)
    if number > COMPOSITIONS:
        raise InputError(
            f"{left} cards left have more than {COMPOSITIONS} compositions for {', '.join(bet.id for bet in bets)}, "
            "and no more are gone through; write fewer cards, or ask for ceilings, which there are at every depth"
        )
    return number


def _over_compositions(
    game: Game, shoe: Shoe, left: int, kinds: Sequence[Kind], bets: Sequence[Bet], advance: Advance
) -> dict[str, Betting]:
    asked = msgspec.structs.replace(game, bets=tuple(bets), insurance=())
    width = len(bets)
    sums, unit = [0] * (2 * width), 1
    for block in blocks(kinds, left):
        evaluation = evaluate(asked, block.counts)
        values = evaluation.numerators
        favourable = (values > 0).astype(values.dtype)
        columns = np.concatenate([favourable, np.maximum(values, 0)], axis=1)
        sums = [total + more for total, more in zip(sums, weighted_sums(block, columns), strict=True)]
        unit = evaluation.unit
        advance(len(columns))
    ways = comb(shoe.size, left)
    whole = ways * unit * falling(left, MOST_CARDS)
    return {
        bet.id: Betting(
            chance=Fraction(sums[place], ways),
            gain=Fraction(sums[place + width], whole),
        )
        for place, bet in enumerate(bets)
    }
