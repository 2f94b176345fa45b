"""A third way to know what a bet is worth in the middle of a round: every way to go on, dealt card by card.

It shares nothing with the engine and nothing with the rule books: cards are texts, the Table of Play is that of
``second_opinion``, and the pay tables are written out here as conditions. Slow and plain.
"""

from collections import Counter
from fractions import Fraction

from tests.documents import COMMISSION_2013, COMMISSION_2024
from tests.oracle.second_opinion import banker_draws

Hands = tuple[tuple[str, ...], tuple[str, ...]]
Ends = dict[Hands | None, Fraction]
"""How likely a round is to end with these hands; None: the shoe ran out."""


def points(card: str) -> int:
    return 0 if card in ("10", "J", "Q", "K") else 1 if card == "A" else int(card)


def total(hand: tuple[str, ...]) -> int:
    return sum(map(points, hand)) % 10


def next_to_draw(player: tuple[str, ...], banker: tuple[str, ...]) -> str | None:
    """Who is dealt the next card."""
    if len(player) + len(banker) < 4:
        players_turn = len(banker) == 2 or (len(player) < 2 and len(player) <= len(banker))
        return "player" if players_turn else "banker"
    if total(player[:2]) >= 8 or total(banker[:2]) >= 8 or len(banker) == 3:
        return None
    if len(player) == 2 and total(player) <= 5:
        return "player"
    third = points(player[2]) if len(player) == 3 else None
    return "banker" if banker_draws(total(banker), third) else None


def ends(player: tuple[str, ...], banker: tuple[str, ...], shoe: Counter[str]) -> Ends:
    """Every end of the round with its probability."""
    turn = next_to_draw(player, banker)
    if turn is None:
        return {(player, banker): Fraction(1)}
    left = sum(shoe.values())
    if not left:
        return {None: Fraction(1)}
    all_ends: Ends = {}
    for card, count in list(shoe.items()):
        if not count:
            continue
        shoe[card] -= 1
        hands = ((*player, card), banker) if turn == "player" else (player, (*banker, card))
        for end, chance in ends(*hands, shoe).items():
            all_ends[end] = all_ends.get(end, Fraction(0)) + chance * Fraction(count, left)
        shoe[card] += 1
    return all_ends


def net(game_id: str, bet: str, player: tuple[str, ...], banker: tuple[str, ...]) -> Fraction:
    """Profit per unit staked on a finished round."""
    p, b = total(player), total(banker)
    won = {"player": p > b, "banker": b > p, "tie": p == b}
    pairs = [hand[0] == hand[1] for hand in (player, banker)]
    cards = len(player) + len(banker)
    char_siu = {4: 10, 5: 15, 6: 50}[cards]
    if bet in ("player", "banker") and won["tie"]:
        return Fraction(0)
    commission = game_id in (COMMISSION_2013, COMMISSION_2024)
    for_banker = Fraction(19, 20) if commission else Fraction(1, 2) if b == 6 else Fraction(1)
    pays: dict[str, tuple[bool, Fraction | int]] = {
        "player": (won["player"], 1),
        "banker": (won["banker"], for_banker),
        "tie": (won["tie"], 8),
        "tiger-tie": (won["tie"] and p == 6, 35),
        "player-pair": (pairs[0], 11),
        "banker-pair": (pairs[1], 11),
        "tiger-pair": (
            any(pairs),
            4 if sum(pairs) < 2 else 100 if player[0] == banker[0] else 20,
        ),
        "big-tiger": (won["banker"] and b == 6 and len(banker) == 3, 50),
        "small-tiger": (won["banker"] and b == 6 and len(banker) == 2, 22),
        "big-buffalo": (won["player"] and p == 6 and len(player) == 3, 35),
        "small-buffalo": (won["player"] and p == 6 and len(player) == 2, 20),
        "banker-big-7": (won["banker"] and b == 7 and len(banker) == 3, 30),
        "banker-small-7": (won["banker"] and b == 7 and len(banker) == 2, 15),
        "player-big-7": (won["player"] and p == 7 and len(player) == 3, 30),
        "player-small-7": (won["player"] and p == 7 and len(player) == 2, 15),
        "tiger-buffalo": ((won["player"] and p == 6) or (won["banker"] and b == 6), 6),
        "tiger": (won["banker"] and b == 6, 12 if len(banker) == 2 else 20),
        "wu-dalang": (won["player"] and p == 1, 150),
        "player-char-siu": (p - b == 1 and p in (7, 8, 9), char_siu),
        "banker-char-siu": (b - p == 1 and b in (7, 8, 9), char_siu),
    }
    wins, odds = pays[bet]
    return Fraction(odds) if wins else Fraction(-1)


def worth(game_id: str, bet: str, all_ends: Ends) -> tuple[Fraction, str | None]:
    """What a unit on the bet is worth over these ends, and its result where all of them agree."""
    value, results = Fraction(0), set()
    for end, chance in all_ends.items():
        of_end = Fraction(0) if end is None else net(game_id, bet, *end)
        value += chance * of_end
        results.add("won" if of_end > 0 else "lost" if of_end < 0 else "returned")
    return value, results.pop() if len(results) == 1 else None
