"""Small rule books of every build, as text put together from parts."""

from pathlib import Path
from typing import NamedTuple

from combinat.rules.book.load import parsed_game
from combinat.rules.game import Game

HEAD = """
schema = 1
id = "small"
name = "Small Baccarat"
operator = "House"
effective = 2025-01-31
stated = "title page"
decks = { least = 1, most = 8, clause = "2.1" }
layouts = [{ id = "A", clause = "2.2", positions = { least = 1, most = 6 } }]

[clauses]
card_values = "3.1"
point_total = "3.2"
natural = "1.3"
deal = "3.3"
third_cards = "3.4"
table_of_play = "3.5"
winner = "3.6"
tie = "3.7"

[void]
clauses = ["5.1"]
bets = "returned"
"""


def bet(bet_id: str, *pays: str, hand: str = "") -> str:
    """A bet of a rule book; several lines get names."""
    named = [f'{{ name = "line {number}", {pay} }}' for number, pay in enumerate(pays)]
    lines = named if len(pays) > 1 else [f"{{ {pay} }}" for pay in pays]
    return f"""
[[bets]]
id = "{bet_id}"
name = "{bet_id.replace("-", " ").title()}"
about = "A bet."
{f'hand = "{hand}"' if hand else ""}
defined = "1.1"
settled = "4.1"
layouts = ["A"]
pays = [{", ".join(lines)}]
"""


PLAYER_WINS, BANKER_WINS = 'winner = "player", odds = "1 to 1"', 'winner = "banker", odds = "0.95 to 1"'
TIE_RETURNS = 'winner = "tie", odds = "push"'
PLAYER, BANKER = bet("player", PLAYER_WINS, TIE_RETURNS), bet("banker", BANKER_WINS, TIE_RETURNS)
PAIR = bet("a-pair", 'player_pair = true, odds = "11 to 1"')
TIE = bet("tie", 'winner = "tie", odds = "8 to 1"')
SAME = bet("same", *(f'winner = "{winner}", odds = "2 to 1"' for winner in ("player", "banker", "tie")))
NEVER = bet("never", 'player_pair = true, player_cards = 2, player_points = 7, odds = "5 to 1"')

PLAYER_WINS_WITH = 'winner = "player", player_points ='
MANY_PARTS = [
    (points, f'odds = "1 to 999999999.999999{digits}"')
    for points, digits in zip(range(1, 6), (989, 967, 877, 847, 743), strict=True)
]
"""Odds that have only very small parts of a unit in common."""

LIMIT = '{ clause = "3.9", caps = "payout", per = "round", share = "100%", of = "original-bet" }'
SIX_AGAINST_5 = "player_points = 6, banker_points = 5"
FIVE_AGAINST_6 = "player_points = 5, banker_points = 6"
NINE_AGAINST_6 = 'player_points = 9, banker_points = 6, odds = "8 to 1", tie_pays = 9'
SEVEN = '{ player_points = 7, banker_points = 0, odds = "4 to 1" }'


def terms(opens: str = "card-to-come", limits: str = LIMIT) -> str:
    return f"""
[insurance_terms]
name = "Insurance"
clauses = ["3.8"]
open = "{opens}"
limits = [{limits}]
"""


def insurance(side: str, stage: str, offer: str) -> str:
    return f"""
[[insurance]]
side = "{side}"
stage = "{stage}"
settled = "4.3"
offers = [{{ {offer} }}]
"""


def interpretation(number: int, instead: str) -> str:
    return f"""
[[interpretations]]
id = "reading-{number}"
clauses = ["1.2"]
question = "Which?"
reading = "This."
otherwise = "That."
instead.{instead}
"""


OF_PLAYER = insurance("player", "four-cards", f'{SIX_AGAINST_5}, odds = "3 to 1"')
OF_PLAYER_LATER = insurance("player", "player-third-card", NINE_AGAINST_6)
OF_BANKER = insurance("banker", "four-cards", f'{FIVE_AGAINST_6}, odds = "3 to 1"')


class Book(NamedTuple):
    """A rule book, which of its bets are on the hands, and which are the example of bets together."""

    text: str
    player: str | None
    banker: str | None
    together: list[str]


BOOKS = {
    "the bets on both hands and no other": Book(
        HEAD + PLAYER + BANKER, "player", "banker", ["banker", "player"]
    ),
    "a single bet, on a hand, and one number of decks": Book(
        HEAD.replace("most = 8", "most = 1") + PLAYER, "player", None, ["player"]
    ),
    "a single bet, on no hand": Book(HEAD + PAIR, None, None, ["a-pair"]),
    "no bet on any hand, decided bets stand": Book(
        HEAD.replace('"returned"', '"decided-stand"') + PAIR + TIE, None, None, ["a-pair", "tie"]
    ),
    "a bet that never varies": Book(HEAD + SAME + PAIR, None, None, ["same", "a-pair"]),
    "bets on pairs and points together: one that can never win, one at the longest odds": Book(
        HEAD
        + NEVER
        + bet("both", 'point_pairs = "twin", winner = "tie", odds = "999999999.5 to 0.000000001"'),
        None,
        None,
        ["never", "both"],
    ),
    "bets on hands that say so, insured at odds of as many parts as may be": Book(
        HEAD
        + PAIR
        + bet(
            "punto", *(f"{PLAYER_WINS_WITH} {points}, {odds}" for points, odds in MANY_PARTS), hand="player"
        )
        + bet("banco", BANKER_WINS, TIE_RETURNS, hand="banker")
        + terms()
        + insurance("player", "four-cards", f"{SIX_AGAINST_5}, {MANY_PARTS[0][1]}")
        + insurance("banker", "four-cards", f"{FIVE_AGAINST_6}, {MANY_PARTS[1][1]}"),
        "punto",
        "banco",
        ["banco", "a-pair"],
    ),
    "bets called after one hand and on the other, insured by the table maximum, never losing": Book(
        HEAD
        + bet("banker", PLAYER_WINS, 'winner = "banker", odds = "1 to 100"', TIE_RETURNS, hand="player")
        + bet("player", BANKER_WINS, TIE_RETURNS, hand="banker")
        + terms(limits='{ clause = "1", caps = "stake", per = "offer", share = "25%", of = "table-maximum" }')
        + OF_PLAYER,
        "banker",
        "player",
        ["player", "banker"],
    ),
    "insurance on one hand, after the third card alone, without limits": Book(
        HEAD + PLAYER + PAIR + terms(limits="") + OF_PLAYER_LATER, "player", None, ["player", "a-pair"]
    ),
    "insurance whenever listed, the result known": Book(
        HEAD
        + PLAYER
        + BANKER
        + terms("whenever-listed")
        + OF_BANKER
        + insurance("player", "four-cards", 'player_points = 9, banker_points = "8-9", odds = "1 to 1"'),
        "player",
        "banker",
        ["banker", "player"],
    ),
    "every kind of other reading": Book(
        HEAD
        + PLAYER
        + BANKER
        + terms()
        + OF_PLAYER
        + OF_PLAYER_LATER
        + interpretation(1, f'bets = [{{ id = "banker", pays = [{{ {BANKER_WINS} }}] }}]')
        + interpretation(2, 'insurance_open = "whenever-listed"')
        + interpretation(3, f"insurance_limits = [{LIMIT.replace('payout', 'payout-and-stake')}]")
        + interpretation(4, 'void_bets = "decided-stand"')
        + interpretation(5, f'insurance = [{{ side = "player", stage = "four-cards", offers = [{SEVEN}] }}]'),
        "player",
        "banker",
        ["banker", "player"],
    ),
}


def book_of(text: str) -> Game:
    """The rule book with this text."""
    return parsed_game(text.encode(), Path("small.toml"))
