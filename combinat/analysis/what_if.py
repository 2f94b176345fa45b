"""Other odds without a file: a game with some of its odds replaced."""

from collections.abc import Mapping, Sequence

import msgspec

from combinat.errors import OddsError
from combinat.rules.game import Game
from combinat.rules.insurance import Offer, State
from combinat.rules.odds import Odds, PointSet


def with_odds(game: Game, pays: Mapping[str, Sequence[str]]) -> Game:
    """The game with other odds for some bets: one for each line that pays, in the order of the pay table.

    What is no ``Odds`` yet is read as such.
    """
    for bet_id, written in pays.items():
        odds = _odds(bet_id, written)
        bet = game.bet(bet_id)
        lines = [pay for pay in bet.pays if pay.odds.net]
        if len(odds) != len(lines):
            names = ", ".join(f"{bet.label(pay)} ({pay.odds})" for pay in lines)
            raise OddsError(
                f"{bet_id}: the bet has {len(lines)} odds ({names}); found {len(odds)}; "
                "write one for each, separated by commas"
            )
        others = iter(odds)
        replaced = tuple(
            msgspec.structs.replace(pay, odds=next(others)) if pay.odds.net else pay for pay in bet.pays
        )
        bets = tuple(
            msgspec.structs.replace(each, pays=replaced) if each.id == bet_id else each for each in game.bets
        )
        game = msgspec.structs.replace(game, bets=bets)
    return game


def _odds(bet_id: str, written: Sequence[str]) -> list[Odds]:
    listed = [written] if isinstance(written, str) else written
    try:
        return [each if isinstance(each, Odds) else Odds.parse(each) for each in listed]
    except OddsError as error:
        raise OddsError(f"{bet_id}: {error}") from None


def with_insurance_odds(game: Game, odds: Mapping[State, Odds]) -> Game:
    """The game with other odds for some of the insurance states that it offers."""

    def line(state: State, offer: Offer) -> Offer:
        return msgspec.structs.replace(
            offer,
            player_points=PointSet({state.player_points}),
            banker_points=PointSet({state.banker_points}),
            odds=odds.get(state, offer.odds),
        )

    tables = tuple(
        msgspec.structs.replace(table, offers=tuple(line(*listed) for listed in table.states()))
        for table in game.insurance
    )
    return msgspec.structs.replace(game, insurance=tables)
