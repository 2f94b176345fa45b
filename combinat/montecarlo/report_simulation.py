"""The simulation that a report includes: its rounds, its seed and its shoe.

The seed follows from the game's id, so nobody chooses it: the file cannot be selected for its agreement, no
two games are dealt the same cards, and anyone can deal the same rounds again.
"""

import hashlib

from combinat.base.errors import CombinatError
from combinat.montecarlo.simulation import Simulation
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

ROUNDS = 20_000_000
NAME = "counts.json"


def seed_of(game_id: str) -> int:
    """Return the first 32 bits of the SHA-256 of a game's id.

    >>> seed_of("small-baccarat")
    417054320
    """
    return int(hashlib.sha256(game_id.encode("utf-8")).hexdigest()[:8], 16)


def own_simulation(game: Game, decks: int, rounds: int = ROUNDS) -> Simulation:
    """Return the simulation of a report whose figures are for this number of decks."""
    return Simulation(game=game, shoe=Shoe.of_decks(decks), rounds=rounds, seed=seed_of(game.id))


def simulation_obstacle(game: Game, decks: int) -> str:
    """Return why a report cannot include a simulation, or an empty text if it can."""
    try:
        simulation = own_simulation(game, decks)
        simulation.partitions, simulation.third_cards  # noqa: B018  (made of the rule book, or refused)
    except CombinatError as error:
        return str(error)
    return ""
