"""How other people write who won a round."""

_WINNER = {
    **dict.fromkeys(("player", "p", "punto"), "player"),
    **dict.fromkeys(("banker", "b", "banco", "bank"), "banker"),
    **dict.fromkeys(("tie", "t", "draw", "tied", "egalite"), "tie"),
}


def winner_named(text: str) -> str | None:
    """Who won, in the house's words; None: that is no winner.

    >>> winner_named("Banker wins"), winner_named("T"), winner_named("12.50")
    ('banker', 'tie', None)
    """
    plain = text.casefold().strip().removesuffix(" wins").removesuffix(" win").strip()
    return _WINNER.get(plain)
