"""The dealer: the Table of Play as conditions, and two plain ways to count rounds.

``deals`` deals every round of a small shoe card by card. ``courses`` always deals six cards, whether the round
needs them or not, so that every sequence has equal weight; it counts the rounds of any shoe by points.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import prod
from typing import NamedTuple

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
Cards = tuple[str, ...]


def points(card: str) -> int:
    """The points of a card."""
    return 0 if card in ("10", "J", "Q", "K") else 1 if card == "A" else int(card)


def total(hand: Cards) -> int:
    """The points of a hand."""
    return sum(map(points, hand)) % 10


def by_points(counts: Sequence[int]) -> list[int]:
    """The number of cards worth 0 to 9 points, from the counts of the thirteen ranks."""
    return [sum(n for card, n in zip(RANKS, counts, strict=True) if points(card) == p) for p in range(10)]


def falling(number: int, factors: int) -> int:
    """The number of ordered sequences of so many of these cards."""
    return prod(range(number, number - factors, -1))


def sequences(counts: Sequence[int]) -> int:
    """The ordered sequences of six cards, or of all cards where there are fewer than six."""
    return falling(sum(counts), min(sum(counts), 6))


# ---------------------------------------------------------------- the Table of Play


def banker_draws(banker: int, third: int | None) -> bool:
    """The Banker Hand's rule by the points of the Player's third card; None: the Player Hand stood."""
    if third is None:
        return banker <= 5
    if banker <= 2:
        return True
    if banker == 3:
        return third != 8
    if banker == 4:
        return 2 <= third <= 7
    if banker == 5:
        return 4 <= third <= 7
    return banker == 6 and third in (6, 7)


class Draws(NamedTuple):
    """A Table of Play as conditions; as it stands, the one that the documents print."""

    natural: Callable[[int], bool] = lambda points: points >= 8
    player: Callable[[int], bool] = lambda points: points <= 5
    banker: Callable[[int, int | None], bool] = banker_draws
    banker_against_natural: Callable[[int], bool] = lambda points: False


PRINTED = Draws()


def next_to_draw(player: Cards, banker: Cards, draws: Draws = PRINTED) -> str | None:
    """The hand that is dealt the next card: "player" or "banker"; None: the round is over."""
    if len(player) + len(banker) < 4:
        players_turn = len(banker) == 2 or (len(player) < 2 and len(player) <= len(banker))
        return "player" if players_turn else "banker"
    if len(banker) == 3:
        return None
    if draws.natural(total(banker)):
        return None
    if draws.natural(total(player[:2])):
        return "banker" if draws.banker_against_natural(total(banker)) else None
    if len(player) == 2 and draws.player(total(player)):
        return "player"
    third = points(player[2]) if len(player) == 3 else None
    return "banker" if draws.banker(total(banker), third) else None


def hands_of(cards: Sequence[str], draws: Draws = PRINTED) -> tuple[Cards, Cards]:
    """Both hands, dealt from these cards in their order until the round is over or no card is left."""
    player: Cards = ()
    banker: Cards = ()
    for card in cards:
        turn = next_to_draw(player, banker, draws)
        if turn == "player":
            player = (*player, card)
        elif turn == "banker":
            banker = (*banker, card)
    return player, banker


# ---------------------------------------------------------------- every round, card by card


class Deal(NamedTuple):
    """A round that is over, or void for want of a card; the first two cards of a hand are in no order."""

    player: Cards
    banker: Cards
    is_void: bool = False


def deals(
    counts: Sequence[int], player: Cards = (), banker: Cards = (), draws: Draws = PRINTED
) -> Counter[Deal]:
    """Every round that can follow from these hands, with its ways.

    ``counts`` is the shoe without the cards of the hands. Ways are counted in sequences that complete six cards,
    or use up the shoe: all of them together are ``falling(cards left, cards still to deal)``.
    """
    whole = Counter({card: n + (*player, *banker).count(card) for card, n in zip(RANKS, counts, strict=True)})
    to_deal = min(sum(counts), 6 - len(player) - len(banker))
    rounds: Counter[Deal] = Counter()
    unfinished = Counter({(in_no_order(player), in_no_order(banker)): 1})
    for dealt in range(to_deal + 1):
        left = sum(counts) - dealt
        longer: Counter[tuple[Cards, Cards]] = Counter()
        for (first, second), ways in unfinished.items():
            turn = next_to_draw(first, second, draws)
            if turn is None or not left:
                rounds[Deal(first, second, turn is not None)] += ways * falling(left, to_deal - dealt)
                continue
            for card, number in whole.items():
                number -= first.count(card) + second.count(card)
                if number:
                    hands = ((*first, card), second) if turn == "player" else (first, (*second, card))
                    longer[in_no_order(hands[0]), in_no_order(hands[1])] += ways * number
        unfinished = longer
    return rounds


def in_no_order(hand: Cards) -> Cards:
    """A hand with its first two cards sorted."""
    return (*sorted(hand[:2]), *hand[2:])


# ---------------------------------------------------------------- rounds by points, six cards at once


class Course(NamedTuple):
    """A round by points: both two-card totals, the Player's third card, the Banker's; void: broken off here."""

    player: int
    banker: int
    player_third: int | None = None
    banker_third: int | None = None
    is_void: bool = False

    @property
    def result(self) -> tuple[int, int, int, int]:
        """Player points, Banker points, Player cards, Banker cards."""
        return (
            (self.player + (self.player_third or 0)) % 10,
            (self.banker + (self.banker_third or 0)) % 10,
            2 + (self.player_third is not None),
            2 + (self.banker_third is not None),
        )


def course_of(deal: Deal) -> Course:
    """The course of a round of four cards or more."""
    thirds = [points(hand[2]) if len(hand) == 3 else None for hand in (deal.player, deal.banker)]
    return Course(total(deal.player[:2]), total(deal.banker[:2]), thirds[0], thirds[1], deal.is_void)


def courses(counts: Sequence[int], draws: Draws = PRINTED) -> Counter[Course]:
    """Every course with its ways, for a shoe of six cards or more.

    The fifth and the sixth card are chosen first; the first four come from the shoe without them.
    """
    rounds: Counter[Course] = Counter()
    for fifth, sixth in product(range(10), repeat=2):
        left = by_points(counts)
        ways = left[fifth]
        left[fifth] -= 1
        ways *= left[sixth]
        left[sixth] -= 1
        if ways:
            for (player, banker), opening in first_totals(left).items():
                rounds[drawn(player, banker, fifth, sixth, draws)] += ways * opening
    return +rounds  # without rounds of no ways


def results(counts: Sequence[int], draws: Draws = PRINTED) -> Counter[tuple[int, int, int, int]]:
    """The ways of every result, for a shoe of six cards or more."""
    ways: Counter[tuple[int, int, int, int]] = Counter()
    for course, number in courses(counts, draws).items():
        ways[course.result] += number
    return ways


def drawn(player: int, banker: int, fifth: int, sixth: int, draws: Draws = PRINTED) -> Course:
    """The course of a round with these two-card totals when these two cards lie ready."""
    if draws.natural(banker):
        return Course(player, banker)
    if draws.natural(player):
        return Course(player, banker, None, fifth if draws.banker_against_natural(banker) else None)
    if draws.player(player):
        return Course(player, banker, fifth, sixth if draws.banker(banker, fifth) else None)
    return Course(player, banker, None, fifth if draws.banker(banker, None) else None)


def first_totals(left: Sequence[int]) -> Counter[tuple[int, int]]:
    """The ordered ways to deal two cards to each hand, by both totals, from cards counted by points."""
    dealt: Counter[tuple[int, int]] = Counter()
    for one, two in combinations_with_replacement(range(10), 2):
        player = pair_ways(left, one, two)
        if player:
            rest = list(left)
            rest[one] -= 1
            rest[two] -= 1
            for banker, ways in enumerate(pair_totals(tuple(rest))):
                dealt[(one + two) % 10, banker] += player * ways
    return dealt


def pair_ways(left: Sequence[int], one: int, two: int) -> int:
    """The ordered ways to deal these two cards in either order."""
    return left[one] * (left[one] - 1) if one == two else 2 * left[one] * left[two]


@lru_cache(maxsize=1000)  # of one shoe there are 715: one for each four cards that are gone
def pair_totals(left: tuple[int, ...]) -> list[int]:
    """The ordered ways to deal two cards, by their total."""
    ways = [0] * 10
    for one, two in combinations_with_replacement(range(10), 2):
        ways[(one + two) % 10] += pair_ways(left, one, two)
    return ways
