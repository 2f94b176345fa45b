"""What is meant by a key that a rule book does not know: words that people who design bets use for other things."""

from collections.abc import Collection

from combinat.rules.facts import BY_NAME

_SUITS = "Cards have ranks here and no suits, so that no bet can depend on them."
_SINGLE = "Of single cards a line can name the points of third cards alone: player_third, banker_third."
_ODDS = 'Write odds = "8 to 1", the profit to a stake.'
_EXCEPT = "Write what is taken out of a line as except = [{ ... }]."

OF_LINES = {
    "points": "Write whose: player_points, banker_points, winning_points or losing_points.",
    **dict.fromkeys(("suit", "suits", "suited", "same_suit", "colour", "color", "red", "black"), _SUITS),
    **dict.fromkeys(
        ("card", "rank", "ranks", "first", "first_card", "player_first", "banker_first"), _SINGLE
    ),
    **dict.fromkeys(("pay", "pays", "payout", "pay_out", "payoff", "paid"), _ODDS),
    **dict.fromkeys(("not", "unless", "but", "exceptions", "without"), _EXCEPT),
    "otherwise": "Write it in the bet, beside pays: it is what becomes of all that no line covers.",
}
"""In a line of a pay table, by what was written."""

OF_BETS = {
    "commission": 'Write it in a line, beside its odds: { ..., odds = "1 to 1", commission = "5%" }.',
    "suit": _SUITS,
    "suited": _SUITS,
    "pushes": 'Write it as a line: { winner = "tie", odds = "push" }.',
}
"""In a bet."""

_WITHIN = "Write it in a line of the bet: pays = [{ ... }]."


def hint(key: str, known: Collection[str]) -> str:
    """What to write in the place of an unknown key, in a sentence; ``known``: the keys there; empty: nothing is known.

    >>> hint("points", ["winner", "odds"])
    'Write whose: player_points, banker_points, winning_points or losing_points.'
    """
    if "winner" in known:
        return OF_LINES.get(key, "")
    if "pays" in known and "layouts" in known:
        return OF_BETS.get(key, _WITHIN if key in BY_NAME or key == "odds" else "")
    return ""
