"""What every bet of a layout does on one round, for each unit staked."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from combinat.base.errors import StakeError
from combinat.rules.game import Game
from combinat.rules.round import Round
from combinat.table.settlement import Line, Settlement, insurance_line, settle, taken_bet

UNIT = Fraction(1)


def every_bet(
    game: Game, dealt: Round, *, layout: str | None = None, procedure: str | None = None
) -> Settlement:
    """A unit on every bet of the layout, or of the game, settled; then the insurance that was on offer.

    Under a procedure it depends on what was staked which insurance was open, so none is shown.
    """
    bets = game.bets if layout is None else game.bets_on(layout)
    stakes = {bet.id: UNIT for bet in bets}
    settlement = settle(game, dealt, stakes, layout=layout, procedure=procedure)
    insurance = () if procedure is not None else tuple(_insurance(game, dealt, set(stakes)))
    return replace(settlement, lines=(*settlement.lines, *insurance))


def _insurance(game: Game, dealt: Round, bets: set[str]) -> Iterator[Line]:
    """A unit on each insurance that was open in this round, where the bet that it insures is there."""
    for table in game.insurance:
        hand, stage = table.insured
        try:
            taken = taken_bet(game, dealt, hand, stage, UNIT)
        except StakeError:
            continue  # it was not on offer
        if taken.insured.id in bets:
            yield insurance_line(game, taken, dealt)
