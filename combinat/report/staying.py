"""Bets that a tie leaves on the layout: what is said where their figures are of one round."""

from typing import Any

from combinat.analysis.until_decided import staying_bets
from combinat.render.blocks import Terms
from combinat.rules.game import Game

OF_ONE_ROUND = "Of one round"
IN_WORDS = "a tie, here counted as returned, leaves the stake on the layout"


def one_round_in_words(game: Game) -> str:
    """Which bets have figures of one round though they may stay for the next, and why; empty: none does."""
    staying = ", ".join(bet.id for bet in staying_bets(game))
    return f"{staying}; {IN_WORDS}" if staying else ""


def one_round_terms(game: Game) -> tuple[Terms, ...]:
    """The same as a line; nothing where no bet stays after a tie."""
    said = one_round_in_words(game)
    return (Terms({OF_ONE_ROUND: said}),) if said else ()


def one_round_json(game: Game) -> dict[str, Any]:
    """The bets whose figures are of one round, for the key ``of_one_round``; nothing where none may stay."""
    staying = [bet.id for bet in staying_bets(game)]
    return {"of_one_round": staying} if staying else {}
