"""The simulation that a report brings along: how many rounds, from which seed, of which shoe.

Nobody chose the seed: it is made of the game's id. So the file cannot have been picked among many for agreeing,
two games are not dealt the same cards, and anybody can deal the same rounds again.
"""

import hashlib

from combinat.base.errors import CombinatError
from combinat.montecarlo.simulation import Simulation
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

ROUNDS = 20_000_000
NAME = "counts.json"


def seed_of(game_id: str) -> int:
    """The first 32 bits of the SHA-256 of a game's id.

    >>> seed_of("small-baccarat")
    417054320
    """
    return int(hashlib.sha256(game_id.encode("utf-8")).hexdigest()[:8], 16)


def own_simulation(game: Game, decks: int, rounds: int = ROUNDS) -> Simulation:
    """The simulation of a report whose figures are for this number of decks."""
    return Simulation(game=game, shoe=Shoe.of_decks(decks), rounds=rounds, seed=seed_of(game.id))


def why_none(game: Game, decks: int) -> str:
    """Why no such simulation can be dealt; empty if it can."""
    try:
        simulation = own_simulation(game, decks)
        simulation.asked, simulation.third_cards  # noqa: B018  (made of the rule book, or refused)
    except CombinatError as error:
        return str(error)
    return ""
