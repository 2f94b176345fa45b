"""Cards that lie face down, put where they belong, and what can come of a round that has some.

A card that nobody has seen may be any that is not seen yet, each as likely as the others: in a hand's first two it is as
good as one that is still to come, and so is the last card of a round. A Player's third card that lies face down under
a Banker's that was seen is taken for every card that it may be.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from combinat.base.errors import RoundError
from combinat.engine.distribution import Course, Distribution
from combinat.engine.walk import walk
from combinat.rules.cards import RANKS, Rank
from combinat.rules.outcome import FirstFour
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import TableOfPlay
from combinat.table.face_down import Card, Cards, Hands


class Placed(NamedTuple):
    """Cards in the order in which they were drawn, each in its hand; ``beyond``: those that the round does not take.

    ``unplaced``: so many of the last, all face down, of which that is not known before cards are turned.
    """

    hands: Hands
    beyond: Cards = ()
    unplaced: int = 0


def placed(cards: Sequence[Card], table: TableOfPlay, left: Shoe) -> Placed:
    """Each card in the hand whose turn it was; refused: one of which a card that lies face down decides."""
    first, rest = tuple(cards[:4]), tuple(cards[4:])
    hands = Hands(first[::2], first[1::2])
    possible = [] if hands.face_down else [hands.face_up(table)]
    for number, card in enumerate(rest):
        turns = {dealt.next_hand for dealt in possible}
        if turns == {None}:
            return Placed(hands, beyond=rest[number:])
        if len(turns) != 1:
            return Placed(hands, unplaced=_all_face_down(rest[number:]))
        (hand,) = turns
        assert hand is not None, "looked at above"
        hands = hands.with_card(hand, card)
        possible = [dealt.with_card(rank) for dealt in possible for rank in _may_be(card, left)]
    return Placed(hands)


def _may_be(card: Card, left: Shoe) -> list[Rank]:
    return [rank for rank in RANKS if left[rank]] if card is None else [card]


def _all_face_down(cards: Cards) -> int:
    for card in cards:
        if card is not None:
            raise RoundError(
                f"where the {card} belongs hangs on a card that lies face down before it; turn that card, and give it"
            )
    return len(cards)


def counted(hands: Hands, table: TableOfPlay, left: Shoe) -> Distribution | None:
    """What a round with these hands can come to; None: they lie as no Table of Play deals them.

    ``left``: all cards that are not seen yet, those that lie face down among them.
    """
    if max(len(hands.player), len(hands.banker)) > 3:
        return None
    rounds = list(_rounds(hands, table, left))
    follows = {dealt.follows_table for _, _, dealt in rounds}
    if len(follows) > 1:
        raise RoundError(
            f"whether the hands lie as the Table of Play deals them ({hands}) hangs on a card that lies face down; "
            "turn that card, and give it"
        )
    return _together(rounds) if follows == {True} else None


def _rounds(hands: Hands, table: TableOfPlay, left: Shoe) -> Iterator[tuple[int, Shoe, Round]]:
    """The rounds that it may be, with their ways and the cards not seen then."""
    player, banker = hands.player, hands.banker
    if None in (*player[:2], *banker[:2]) and max(len(player), len(banker)) > 2:
        raise RoundError(
            f"whether a third card was to be drawn ({hands}) hangs on a card that lies face down; "
            "turn that card, and give it"
        )
    if player[2:] == (None,) and banker[2:] not in ((), (None,)):
        for rank in _may_be(None, left):
            turned = Hands((*player[:2], rank), banker)
            yield left[rank], left.minus([rank]), turned.face_up(table)
        return
    yield 1, left, hands.face_up(table)


def _together(rounds: Sequence[tuple[int, Shoe, Round]]) -> Distribution:
    """The distribution over all of these rounds, each by its ways."""
    if len(rounds) == 1:
        return walk(rounds[0][1], rounds[0][2])
    sample_space, unopened = 0, dict[Round, int]()
    courses: dict[FirstFour, dict[Course, int]] = {}
    for ways, left, dealt in rounds:
        one = walk(left, dealt)
        sample_space += ways * one.sample_space
        for broken_off, count in one.unopened.items():
            unopened[broken_off] = unopened.get(broken_off, 0) + ways * count
        for first_four, counts in one.courses.items():
            into = courses.setdefault(first_four, {})
            for course, count in counts.items():
                into[course] = into.get(course, 0) + ways * count
    return Distribution(sample_space=sample_space, courses=courses, unopened=unopened)
