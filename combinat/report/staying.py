"""Bets that a tie or a void round leaves on the layout: what is said of their figures."""

from combinat.analysis.until_decided import staying_bets, ties_stay, void_stays
from combinat.render.blocks import Terms
from combinat.rules.game import Game

OF_ONE_ROUND = "Of one round"


def leaving(game: Game) -> str:
    """What leaves a stake on the layout, as a phrase; empty: nothing does.

    Only the bets on the hands stay after a tie; every bet stays after a void round.
    """
    causes = [(ties_stay(game), "a tie"), (void_stays(game), "a void round")]
    return " or ".join(cause for holds, cause in causes if holds)


def one_round_in_words(game: Game) -> str:
    """Which bets have figures of one round though they may stay for the next, and why; empty: none does."""
    staying = ", ".join(bet.id for bet in staying_bets(game))
    return (
        f"{staying}; {leaving(game)}, here counted as returned, leaves the stake on the layout"
        if staying
        else ""
    )


def one_round_terms(game: Game) -> tuple[Terms, ...]:
    """The same as a line; nothing where no bet may stay."""
    said = one_round_in_words(game)
    return (Terms({OF_ONE_ROUND: said}),) if said else ()
