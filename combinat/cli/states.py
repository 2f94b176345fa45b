"""Insurance states as they are written on the command line: ``HAND:STAGE:OWN-OTHER``."""

from combinat.base.errors import OddsError, shortened
from combinat.rules import insurance
from combinat.rules.game import Game
from combinat.rules.insurance import State


def states_named(game: Game, name: str) -> list[State]:
    """The states that a name stands for: the insured hand's points first, ``*`` for any."""
    states = insurance.states_named(name, game.offers)
    if states is None:
        raise OddsError(
            f'found "{shortened(name)}"; write HAND:STAGE:OWN-OTHER, the insured hand\'s points first, '
            'such as "banker:four-cards:6-5"'
        )
    if not states:
        raise OddsError(f'"{name}" is no state that {game.id} offers; combinat insurance lists them')
    return states
