"""Whole shoes, round by round, with the cards that a player at the table has not seen before each round."""

from dataclasses import dataclass

import numpy as np

from combinat.engine.arrays import Ints
from combinat.montecarlo.cell import NO_CARD, POINTS, Bytes, Six
from combinat.montecarlo.dealer import ROUND, ThirdCardRules
from combinat.rules.cards import RANKS
from combinat.rules.shoe import Shoe
from combinat.rules.shoe_dealing import ShoeDealing


@dataclass(frozen=True, kw_only=True, eq=False)
class ShoeRounds:
    """The rounds of many shoes, turn by turn: a row each.

    ``unseen``: the cards by rank that nobody has seen before the round, those burnt face down among them.
    ``left``: how many lie in the shoe then, and ``before``: how many lay there before the round before it (for the
    first round, the most there can be). ``reach``: the round is dealt wherever the cut card has fewer cards behind it.
    """

    shoe: Ints
    unseen: Ints
    left: Ints
    before: Ints
    reach: Ints
    dealt: Six


def dealt_shoes(decks: Bytes, shoe: Shoe, dealing: ShoeDealing, drawing: ThirdCardRules) -> ShoeRounds:
    """Shuffled shoes (a column each, from the top down), dealt to their cut card and beyond."""
    size, shoes = decks.shape
    cards = np.zeros((shoes, NO_CARD + 1), dtype=np.int64)  # the last column takes the cards not drawn
    cards[:, : len(RANKS)] = shoe.counts
    used = _burnt(decks, dealing, cards)
    lefts = [size - used]
    playing = np.arange(shoes)
    turns: list[tuple[Ints, Ints, Ints, Ints, Ints, Six]] = []
    while playing.size:
        turn = len(turns)
        drawn = tuple(decks[used[playing] + place, playing] for place in range(ROUND))
        dealt = drawing.dealt(drawn)
        left, before = lefts[turn][playing], lefts[max(turn - 1, 0)][playing]
        reach = lefts[max(turn - dealing.after, 0)][playing]
        turns.append((playing, cards[playing, : len(RANKS)], left, before, reach, dealt))
        for card in (*dealt.player, *dealt.banker):
            cards[playing, card] -= 1
            used[playing] += card != NO_CARD
        lefts.append(size - used)
        playing = playing[lefts[max(turn + 1 - dealing.after, 0)][playing] > dealing.cut_card]
    columns = [np.concatenate([turn[column] for turn in turns]) for column in range(5)]
    hands = [
        [np.concatenate([getattr(turn[5], hand)[card] for turn in turns]) for card in range(3)]
        for hand in ("player", "banker")
    ]
    return ShoeRounds(
        shoe=columns[0],
        unseen=columns[1],
        left=columns[2],
        before=columns[3],
        reach=columns[4],
        dealt=Six(*((hand[0], hand[1], hand[2]) for hand in hands)),
    )


def _burnt(decks: Bytes, dealing: ShoeDealing, cards: Ints) -> Ints:
    """How many cards each shoe burns; one that is shown is taken from the cards unseen."""
    shoes = decks.shape[1]
    if not dealing.burn.first_card:
        return np.full(shoes, dealing.burn.cards, dtype=np.int64)
    cards[np.arange(shoes), decks[0]] -= 1
    value = POINTS[decks[0]].astype(np.int64)
    burnt: Ints = 1 + np.where(value == 0, 10, value)
    return burnt
