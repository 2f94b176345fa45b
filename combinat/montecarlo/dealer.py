"""The dealer: shuffled cards and the drawing of third cards, for many rounds at once.

Nothing of the engine is used here, nor its Table of Play. The rule book's table is read a second time, from
what the rule book states, so that agreement with the exact results means something.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from combinat.base.errors import InputError
from combinat.montecarlo.cell import NO_CARD, POINTS, STOOD, Bytes, Six, total
from combinat.montecarlo.chance import MOST, Chance
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

Flags = npt.NDArray[np.bool_]

ROUND = 6
"""The most cards that a round takes."""


@dataclass(frozen=True, slots=True)
class ThirdCardRules:
    """Who draws a third card: the Player Hand by its total, the Banker Hand by its total and the card.

    ``goes_on``: by the total of the Player Hand and that of the Banker Hand, that neither is a natural;
    ``against``: that the Banker Hand draws all the same, against a natural of the Player.
    """

    player: Flags
    banker: Flags
    goes_on: Flags
    against: Flags

    @classmethod
    def of(cls, game: Game) -> "ThirdCardRules":
        """The rules that a game's rule book states."""
        stated = game.printed_table
        player = np.zeros(10, dtype=np.bool_)
        player[sorted(stated.player_draws)] = True
        banker = np.zeros((10, STOOD + 1), dtype=np.bool_)
        for row in stated.banker_draws:
            for total_of_two in row.points:
                banker[total_of_two, sorted(row.third)] = True
        banker[sorted(stated.banker_draws_when_player_stood), STOOD] = True
        goes_on = np.ones((10, 10), dtype=np.bool_)
        for natural in stated.natural:
            goes_on[natural, :] = goes_on[:, natural] = False
        against = np.zeros((10, 10), dtype=np.bool_)
        for natural in stated.natural:
            against[natural, sorted(stated.banker_draws_against_natural)] = True
        return cls(player, banker, goes_on, against)

    def dealt(self, cards: tuple[Bytes, ...]) -> Six:
        """Rounds dealt from these cards, in the order in which they leave the shoe.

        Two cards go to each hand in turn, Player first. A hand that does not draw leaves the next card
        for the other hand.
        """
        player, banker = (cards[0], cards[2]), (cards[1], cards[3])
        player_total = total(POINTS.take(player[0]), POINTS.take(player[1]))
        banker_total = total(POINTS.take(banker[0]), POINTS.take(banker[1]))
        totals = player_total * np.uint8(10) + banker_total
        goes_on = self.goes_on.take(totals)
        player_draws = goes_on & self.player.take(player_total)
        player_third = _if_drawn(player_draws, cards[4])
        row = banker_total * np.uint8(STOOD + 1)
        banker_draws = goes_on & self.banker.take(row + POINTS.take(player_third))
        banker_draws |= self.against.take(totals)
        next_card = np.where(player_draws, cards[5], cards[4])
        return Six((*player, player_third), (*banker, _if_drawn(banker_draws, next_card)))


def _if_drawn(draws: Flags, cards: Bytes) -> Bytes:
    """The cards where they are drawn, else ``NO_CARD``, which is above every rank."""
    thirds: Bytes = np.maximum(cards, np.uint8(NO_CARD) * (~draws).view(np.uint8))
    return thirds


def packed(shoe: Shoe) -> Bytes:
    """The cards of a shoe, unshuffled, as rank numbers."""
    if not ROUND <= shoe.size <= MOST:
        raise InputError(
            f"the shoe has {shoe.size} cards; a simulation deals from {ROUND} to {MOST}, so that every round can be finished"
        )
    return np.repeat(np.arange(len(shoe.counts), dtype=np.uint8), shoe.counts)


def fresh_rounds(chance: Chance, pack: Bytes, rounds: int) -> tuple[Bytes, ...]:
    """The first six cards of so many shuffles of the pack, each shuffle independent of the others.

    A shuffle swaps card i with one of the cards from i on; only the first six swaps are made, and only
    on paper: a place chosen again holds the card that an earlier swap left there.
    """
    places = [chance.below(len(pack) - turn, rounds) + np.uint16(turn) for turn in range(ROUND)]
    again = np.zeros(rounds, dtype=np.bool_)
    for turn in range(ROUND):
        for earlier in range(turn):
            again |= places[turn] == places[earlier]
    rows = np.flatnonzero(again)
    chosen = [place[rows] for place in places]
    cards = []
    for turn, place in enumerate(places):
        holds = chosen[turn].copy()
        for earlier in range(turn - 1, -1, -1):
            holds[holds == chosen[earlier]] = earlier
        place = place.copy()
        place[rows] = holds
        cards.append(pack.take(place))
    return tuple(cards)


def shuffled_shoes(chance: Chance, pack: Bytes, shoes: int) -> Bytes:
    """So many whole shoes, shuffled: a column each, its cards from the top down."""
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


def burnt(decks: Bytes) -> npt.NDArray[np.intp]:
    """How many cards each shoe burns: the first is turned over, and its value in cards follows (0 is ten)."""
    value = POINTS[decks[0]].astype(np.intp)
    return 1 + np.where(value == 0, 10, value)


MOST_BURNT = 11


def certain_rounds(size: int, cut_card: int, burn: bool) -> int:
    """How many rounds every shoe deals, whatever its cards: one, and each takes six cards at most.

    Each of these rounds is distributed as the first is. Which later rounds are dealt depends on the cards
    before them, so that theirs are not quite the odds of a fresh shoe (the cut-card effect).
    """
    return max(1, (size - (MOST_BURNT if burn else 0) - cut_card - 1) // ROUND + 1)


def shoe_rounds(
    decks: Bytes,
    drawing: ThirdCardRules,
    cut_card: int,
    burn: bool,
    copied: Callable[[int], Flags] | None = None,
) -> Iterator[tuple[npt.NDArray[np.intp], Six]]:
    """The rounds of whole shoes, one of every shoe still in play at a time, with the shoes' numbers.

    The cut card lies so many cards from the end. The round during which it comes out is the last. ``copied``: a
    known fault, which of so many rounds have the first card of the round before.
    """
    size, shoes = decks.shape
    used = burnt(decks) if burn else np.zeros(shoes, dtype=np.intp)
    playing = np.arange(shoes)
    flat, steps = decks.reshape(-1), (np.arange(ROUND) * shoes)[:, None]
    first: Bytes | None = None
    while playing.size:
        cards = tuple(flat.take(used * shoes + playing + steps))
        if copied is not None:
            if first is not None:
                cards = (np.where(copied(len(playing)), first[playing], cards[0]), *cards[1:])
            first = np.zeros(shoes, dtype=np.uint8) if first is None else first
            first[playing] = cards[0]
        dealt = drawing.dealt(cards)
        yield playing, dealt
        used = used + (
            (dealt.player[2] != NO_CARD) + (dealt.banker[2] != NO_CARD).view(np.uint8) + np.uint8(4)
        )
        if int(used.max()) >= size - cut_card:
            goes_on = size - used > cut_card
            used, playing = used[goes_on], playing[goes_on]
