"""Insurance states as they are written on the command line: ``SIDE:STAGE:OWN-OTHER``."""

import re

from combinat.errors import OddsError, shortened
from combinat.rules.game import Game
from combinat.rules.insurance import State

_STATE = re.compile(r"(player|banker):(four-cards|player-third-card):(\d|\*)-(\d|\*)", re.ASCII)


def states_named(game: Game, name: str) -> list[State]:
    """The states that a name stands for: the insured hand's points first, ``*`` for any."""
    match = _STATE.fullmatch(name)
    if match is None:
        raise OddsError(
            f'found "{shortened(name)}"; write SIDE:STAGE:OWN-OTHER, the insured hand\'s points first, '
            'such as "banker:four-cards:6-5"'
        )
    hand, stage, own, other = match.groups()
    states = [
        state
        for state in game.offers
        if (state.side, state.stage) == (hand, stage)
        and own in ("*", str(state.points(state.side)))
        and other in ("*", str(state.points(state.side.other)))
    ]
    if not states:
        raise OddsError(f'"{name}" is no state that {game.id} offers; combinat insurance lists them')
    return states
