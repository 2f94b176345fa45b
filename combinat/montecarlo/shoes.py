"""Whole shoes: shuffled, and dealt round by round to the cut card and beyond."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from combinat.montecarlo.cell import NO_CARD, POINTS, Bytes, Deals, Indices, joined
from combinat.montecarlo.chance import Chance
from combinat.montecarlo.dealer import ROUND, Flags, ThirdCardRules
from combinat.montecarlo.shoe_dealing import Burn, ShoeDealing
from combinat.rules.cards import RANKS
from combinat.rules.shoe import Shoe

Ints = npt.NDArray[np.int64]

RANK_BITS = 4
"""The lowest bits of a key, which hold the rank of its card."""

MOST_SORTED = 2**11
"""The largest shoe that is shuffled by keys: in a larger one, two keys would often be equal."""


def shuffled_shoes(chance: Chance, pack: Bytes, shoes: int) -> Bytes:
    """Shuffled shoes, a column each, the cards from the top down: by swaps, card by card."""
    decks = np.repeat(pack[:, None], shoes, axis=1)
    cards, columns = decks.reshape(-1), np.arange(shoes)
    chosen = np.empty(shoes, dtype=np.uint8)
    for turn in range(len(pack) - 1):
        places = np.multiply(chance.below(len(pack) - turn, shoes), shoes, dtype=np.intp)
        places += columns
        below = cards[turn * shoes :]  # a place counts from this card on
        below.take(places, out=chosen, mode="clip")  # none is beyond it, and "raise" would copy
        below[places] = decks[turn]
        decks[turn] = chosen
    return decks


def sorted_shoes(chance: Chance, pack: Bytes, shoes: int) -> Bytes:
    """Shuffled shoes, a column each, the cards from the top down: in the order of random keys of 28 bits.

    If all keys of a shoe differ, every order is equally likely. A shoe with two equal keys is shuffled again.
    """
    if len(pack) > MOST_SORTED:
        return shuffled_shoes(chance, pack, shoes)
    return np.ascontiguousarray(_in_order_of_keys(chance, pack, shoes).T)


def _in_order_of_keys(chance: Chance, pack: Bytes, shoes: int) -> Bytes:
    """The shoes, a row each."""
    keys = chance.bits(shoes * len(pack)).reshape(shoes, len(pack))
    keys >>= np.uint32(RANK_BITS)
    keys <<= np.uint32(RANK_BITS)
    keys |= pack
    keys.sort(axis=1)
    equal = ((keys[:, 1:] ^ keys[:, :-1]) < 2**RANK_BITS).any(axis=1)
    keys &= np.uint32(2**RANK_BITS - 1)
    decks: Bytes = keys.astype(np.uint8)
    again = np.flatnonzero(equal)
    if again.size:
        decks[again] = _in_order_of_keys(chance, pack, again.size)
    return decks


@dataclass(frozen=True, slots=True)
class Turn:
    """One round of every shoe still in play: the shoes' numbers, the cards left before the round, the round."""

    shoes: Indices
    left: Indices
    dealt: Deals


def deal(
    decks: Bytes, dealing: ShoeDealing, drawing: ThirdCardRules, copied: Callable[[int], Flags] | None = None
) -> Iterator[Turn]:
    """The rounds of whole shoes, a column each, turn by turn.

    ``copied``: a known fault; which of this number of rounds have the first card of the round before.
    """
    size, shoes = decks.shape
    flat, steps = decks.reshape(-1), (np.arange(ROUND) * shoes)[:, None]
    playing, used = np.arange(shoes), burnt(decks, dealing.burn)
    recent: list[Indices] = []  # the cards used before the last rounds, by shoe
    first: Bytes | None = None
    while playing.size:
        cards = tuple(flat.take(used[playing] * shoes + playing + steps))
        if copied is not None:
            if first is not None:
                cards = (np.where(copied(len(playing)), first[playing], cards[0]), *cards[1:])
            first = np.zeros(shoes, dtype=np.uint8) if first is None else first
            first[playing] = cards[0]
        dealt = drawing.dealt(cards)
        yield Turn(playing, size - used[playing], dealt)
        recent = [*recent, used.copy()][-dealing.after :] if dealing.after else []
        drawn = (dealt.player[2] != NO_CARD).view(np.uint8) + (dealt.banker[2] != NO_CARD).view(np.uint8)
        used[playing] += drawn + np.uint8(4)
        reached = recent[0] if recent else used
        playing = playing[size - reached[playing] > dealing.cut_card]


def burnt(decks: Bytes, burn: Burn) -> Indices:
    """How many cards each shoe burns; a first card that is shown is followed by its value in cards (0 is ten)."""
    if not burn.first_card:
        return np.full(decks.shape[1], burn.cards, dtype=np.intp)
    value = POINTS[decks[0]].astype(np.intp)
    cards: Indices = 1 + np.where(value == 0, 10, value)
    return cards


def certain_rounds(size: int, cut_card: int, burn: bool) -> int:
    """How many rounds every shoe deals, whatever its cards: one, and each takes six cards at most.

    Each of these rounds is distributed as the first is. Whether a later round is dealt depends on the cards before it,
    and its odds differ slightly from those of a fresh shoe (the cut-card effect).
    """
    return max(1, (size - (MOST_BURNT if burn else 0) - cut_card - 1) // ROUND + 1)


MOST_BURNT = Burn(first_card=True).most


@dataclass(frozen=True, kw_only=True, eq=False)
class ShoeRounds:
    """The rounds of many shoes, turn by turn: a row each.

    ``unseen``: the cards by rank that nobody has seen before the round, those burnt face down among them.
    ``left``: the number of cards in the shoe then; ``before``: before the round before it (for the first round, the
    most there can be). ``reach``: the round is dealt wherever the cut card has fewer cards behind it.
    """

    shoe: Ints
    unseen: Ints
    left: Ints
    before: Ints
    reach: Ints
    dealt: Deals


def dealt_shoes(decks: Bytes, shoe: Shoe, dealing: ShoeDealing, drawing: ThirdCardRules) -> ShoeRounds:
    """Shuffled shoes, a column each, with the cards that a player at the table has not seen before each round."""
    shoes = decks.shape[1]
    cards = np.zeros((shoes, NO_CARD + 1), dtype=np.int64)  # the last column takes the cards not drawn
    cards[:, : len(RANKS)] = shoe.counts
    if dealing.burn.first_card:
        cards[np.arange(shoes), decks[0]] -= 1
    lefts: list[Ints] = []
    rows: list[tuple[Ints, ...]] = []
    turns: list[Deals] = []
    for number, turn in enumerate(deal(decks, dealing, drawing)):
        playing, left = turn.shoes, np.zeros(shoes, dtype=np.int64)
        left[playing] = turn.left
        lefts.append(left)
        before, reach = lefts[max(number - 1, 0)], lefts[max(number - dealing.after, 0)]
        rows.append((playing, cards[playing, : len(RANKS)], turn.left, before[playing], reach[playing]))
        turns.append(turn.dealt)
        for card in (*turn.dealt.player, *turn.dealt.banker):
            cards[playing, card] -= 1
    shoe_numbers, unseen, left, before, reach = (np.concatenate(column) for column in zip(*rows, strict=True))
    return ShoeRounds(
        shoe=shoe_numbers, unseen=unseen, left=left, before=before, reach=reach, dealt=joined(turns)
    )
