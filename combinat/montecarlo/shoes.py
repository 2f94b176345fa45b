"""Whole shoes: shuffled, burned, and dealt round by round to the cut card and beyond."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from combinat.base.errors import InputError, shortened
from combinat.montecarlo.cell import NO_CARD, POINTS, Bytes, Deals, Indices
from combinat.montecarlo.dealer import ROUND, Chance, Flags, ThirdCardRules
from combinat.rules.cards import RANKS
from combinat.rules.shoe import Shoe

Ints = npt.NDArray[np.int64]

MOST_AFTER = 10
"""The most rounds that may follow the one in which the cut card comes."""

MOST_BURNT = 100
"""The most cards that a burn rule may name."""

FIRST_CARD = "first-card"
NONE = "none"
_NUMBER = re.compile(r"[1-9]\d{0,2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Burn:
    """The cards that leave a shoe before its first round.

    ``first_card``: the first card is turned over, and its value in cards follows face down (ten for 10, J, Q,
    K). Otherwise ``cards`` cards are burned face down. Nobody sees cards that are face down.
    """

    first_card: bool = False
    cards: int = 0

    @classmethod
    def parse(cls, text: str) -> "Burn":
        """Return the burning rule that a text names.

        >>> str(Burn.parse("first-card")), str(Burn.parse("none")), Burn.parse("5").most
        ('first-card', 'none', 5)
        """
        if text == FIRST_CARD:
            return cls(first_card=True)
        if text == NONE:
            return cls()
        if _NUMBER.fullmatch(text) and int(text) <= MOST_BURNT:
            return cls(cards=int(text))
        raise InputError(
            f'found "{shortened(text)}"; write {FIRST_CARD} (it is shown, and its value in cards is burnt), '
            f"{NONE}, or a number of cards up to {MOST_BURNT}"
        )

    @property
    def most(self) -> int:
        """The maximum number of cards burned."""
        return 11 if self.first_card else self.cards

    @property
    def in_words(self) -> str:
        """The rule as a phrase."""
        if self.first_card:
            return (
                "the first card is shown, and as many as its value are burnt face down (ten for 10, J, Q, K)"
            )
        return f"{self.cards} cards are burnt face down" if self.cards else "no card is burnt"

    def __str__(self) -> str:
        return FIRST_CARD if self.first_card else str(self.cards) if self.cards else NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeDealing:
    """The dealing of a shoe. The cut card is ``cut_card`` cards from the end.

    The cut card appears when at most that number of cards is left. The round in which it appears is finished,
    and ``after`` more rounds are dealt. A cut card on top of the shoe before a round belongs to the preceding
    round.
    """

    cut_card: int
    burn: Burn
    after: int

    def check(self, size: int) -> None:
        """Refuse a cut card that leaves no round in a shoe of this size, or an unfinished round."""
        self.check_after()
        self.check_room(size)
        self.check_cut(size)

    def check_after(self) -> None:
        """Refuse too many rounds after the cut card."""
        if not 0 <= self.after <= MOST_AFTER:
            raise InputError(
                f"found {self.after} rounds after the cut card; write a number from 0 to {MOST_AFTER}"
            )

    def check_room(self, size: int) -> None:
        """Refuse a shoe that is too small to deal a round before any cut card."""
        if self.most_cut(size) < self.least_cut():
            burnt = f" and {self.burn.most} may be burnt" if self.burn.most else ""
            raise InputError(
                f"{size} cards leave no round before a cut card: {self.least_cut()} must lie behind it{burnt}; "
                "take a larger shoe"
            )

    def check_cut(self, size: int) -> None:
        """Refuse a cut card with no round before it, or with too few cards behind it for the last rounds."""
        least, most = self.least_cut(), self.most_cut(size)
        if not least <= self.cut_card <= most:
            raise InputError(
                f"the cut card must lie {least} to {most} cards from the end of {size} cards, so that a round is "
                f"dealt before it and every round can be finished; found {self.cut_card}"
            )

    def least_cut(self) -> int:
        """Return the fewest cards behind the cut card: six for each round that ends after it appears.

        This also suffices where a cut card on top of the shoe belongs to the next round.
        """
        return ROUND * (1 + self.after)

    def fewest_left(self) -> int:
        """Return the fewest cards with which a round can begin.

        Before the cut card appears, a round begins with at least one card more than are behind it. That round
        and all later rounds but the last may take six cards each.

        >>> ShoeDealing(cut_card=14, burn=Burn(), after=1).fewest_left()
        9
        """
        return self.cut_card + 1 - ROUND * self.after

    def certain_rounds(self, size: int) -> int:
        """Return the number of rounds that every shoe of this size is certain to deal before its cut card.

        A round takes six cards at most. Each of these rounds has the distribution of the first. Whether a
        later round is dealt depends on the cards before it, and its odds differ slightly from those of a
        fresh shoe (the cut-card effect).
        """
        return (self.most_cut(size) - self.cut_card) // ROUND + 1

    def most_cut(self, size: int) -> int:
        """Return the most cards behind the cut card: one card is left before it after any burn."""
        return size - self.burn.most - 1


# ---------------------------------------------------------------- shuffles


RANK_BITS = 4
"""The lowest bits of a key, which hold the rank of its card."""

MOST_SORTED = 2**11
"""The largest shoe that is shuffled by keys: in a larger one, two keys would often be equal."""


def shuffled_shoes(chance: Chance, pack: Bytes, shoes: int) -> Bytes:
    """Return shuffled shoes, one column per shoe, cards from the top down: shuffled by swaps."""
    decks = np.repeat(pack[:, None], shoes, axis=1)
    cards, columns = decks.reshape(-1), np.arange(shoes)
    chosen = np.empty(shoes, dtype=np.uint8)
    for turn in range(len(pack) - 1):
        places = np.multiply(chance.below(len(pack) - turn, shoes), shoes, dtype=np.intp)
        places += columns
        below = cards[turn * shoes :]  # places are relative to this card
        below.take(places, out=chosen, mode="clip")  # no place is out of range, and "raise" would copy
        below[places] = decks[turn]
        decks[turn] = chosen
    return decks


def sorted_shoes(chance: Chance, pack: Bytes, shoes: int) -> Bytes:
    """Return shuffled shoes, one column per shoe, cards from the top down: sorted by random keys of 28 bits.

    If all keys of a shoe differ, every order is equally likely. A shoe with two equal keys is shuffled again.
    """
    if len(pack) > MOST_SORTED:
        return shuffled_shoes(chance, pack, shoes)
    return np.ascontiguousarray(_in_order_of_keys(chance, pack, shoes).T)


def _in_order_of_keys(chance: Chance, pack: Bytes, shoes: int) -> Bytes:
    """Return the shoes, one row per shoe."""
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
    """A round of every shoe in play: the shoe numbers, the cards left before the round, and the round."""

    shoes: Indices
    left: Indices
    dealt: Deals


def deal(
    decks: Bytes, dealing: ShoeDealing, drawing: ThirdCardRules, copied: Callable[[int], Flags] | None = None
) -> Iterator[Turn]:
    """Yield the rounds of whole shoes (one column per shoe), turn by turn.

    ``copied``: for a known fault, chooses the rounds that repeat the first card of the preceding round.
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
    """Return the number of cards that each shoe burns.

    A face-up first card burns its value in cards (0: ten).
    """
    if not burn.first_card:
        return np.full(decks.shape[1], burn.cards, dtype=np.intp)
    value = POINTS[decks[0]].astype(np.intp)
    cards: Indices = 1 + np.where(value == 0, 10, value)
    return cards


@dataclass(frozen=True, kw_only=True, eq=False)
class ShoeRounds:
    """The rounds of many shoes, turn by turn, one row per round.

    ``unseen``: the cards by rank that nobody has seen before the round, including those burned face down.
    ``reach``: the round is dealt if the cut card has fewer cards behind it than this.
    """

    unseen: Ints
    reach: Ints
    dealt: Deals


def dealt_shoes(decks: Bytes, shoe: Shoe, dealing: ShoeDealing, drawing: ThirdCardRules) -> ShoeRounds:
    """Return the rounds of shuffled shoes with the cards that a player has not seen before each round."""
    shoes = decks.shape[1]
    cards = np.zeros((shoes, NO_CARD + 1), dtype=np.int64)  # the last column takes the cards not drawn
    cards[:, : len(RANKS)] = shoe.counts
    if dealing.burn.first_card:
        cards[np.arange(shoes), decks[0]] -= 1
    lefts, unseen, reach = list[Ints](), list[Ints](), list[Ints]()
    turns = list(deal(decks, dealing, drawing))
    for number, turn in enumerate(turns):
        left = np.zeros(shoes, dtype=np.int64)
        left[turn.shoes] = turn.left
        lefts.append(left)
        unseen.append(cards[turn.shoes, : len(RANKS)])
        reach.append(lefts[max(number - dealing.after, 0)][turn.shoes])
        for card in (*turn.dealt.player, *turn.dealt.banker):
            cards[turn.shoes, card] -= 1
    return ShoeRounds(
        unseen=np.concatenate(unseen),
        reach=np.concatenate(reach),
        dealt=Deals.concat([turn.dealt for turn in turns]),
    )
