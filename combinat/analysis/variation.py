"""What a rule book on a shipped base changes in its bets, and the effect on their house edges."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from combinat.analysis.analysis import Analysis, analyze
from combinat.rules.bet import Bet
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import load_game
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

REFERENCE_DECKS = 8


class BetVariation(NamedTuple):
    """A bet that a variation changes: its name, the change, and by how much the house edge moves, if both have one."""

    subject: str
    words: str
    edge: Fraction | None


class Variation(NamedTuple):
    """The base of a rule book, and the changes in its bets, with house edges on a fresh shoe."""

    base: Game
    decks: int
    changes: tuple[BetVariation, ...]


def variation(game: Game) -> Variation | None:
    """What a game changes in the shipped game that it varies, or None if it varies none."""
    if game.varies not in rule_book_paths():
        return None
    base = load_game(game.varies)
    shoe = Shoe.of_decks(REFERENCE_DECKS)
    return Variation(base, REFERENCE_DECKS, tuple(_changes(analyze(base, shoe), analyze(game, shoe))))


def _changes(before: Analysis, after: Analysis) -> Iterator[BetVariation]:
    old = {bet.id: bet for bet in before.game.bets}
    new = {bet.id: bet for bet in after.game.bets}
    for bet_id, bet in new.items():
        if bet_id not in old:
            yield BetVariation(bet.name, "added", None)
            continue
        edge = after.bet(bet_id).house_edge - before.bet(bet_id).house_edge
        words = ", ".join(_odds(old[bet_id], bet))
        if words or edge:
            yield BetVariation(bet.name, words or "settled otherwise", edge)
    yield from (BetVariation(bet.name, "removed", None) for bet_id, bet in old.items() if bet_id not in new)


def _odds(before: Bet, after: Bet) -> Iterator[str]:
    """The lines of a pay table whose odds differ."""
    old = {before.line_name(pay): pay.odds for pay in before.pays}
    new = {after.line_name(pay): pay.odds for pay in after.pays}
    alone = len(old) == len(new) == 1
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            line = "" if alone else f"{name} "
            yield f"{line}{old.get(name, 'not paid')} -> {new.get(name, 'not paid')}"
