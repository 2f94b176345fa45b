"""Other odds without a file: a game with some of its odds replaced."""

from collections.abc import Mapping, Sequence

import msgspec

from combinat.errors import OddsError
from combinat.rules.game import Game
from combinat.rules.insurance import Offer, State
from combinat.rules.odds import Odds, PointSet


def with_odds(game: Game, pays: Mapping[str, Sequence[Odds]]) -> Game:
    """The game with other odds for some bets: one for each line that pays, in the order of the pay table."""
    for bet_id, odds in pays.items():
        bet = game.bet(bet_id)
        lines = [pay for pay in bet.pays if pay.odds.net > 0]
        if len(odds) != len(lines):
            names = ", ".join(f"{bet.label(pay)} ({pay.odds})" for pay in lines)
            raise OddsError(
                f"{bet_id}: the bet has {len(lines)} odds ({names}); found {len(odds)}; "
                "write one for each, separated by commas"
            )
        others = iter(odds)
        replaced = tuple(
            msgspec.structs.replace(pay, odds=next(others), commission=None) if pay.odds.net > 0 else pay
            for pay in bet.pays
        )
        bets = tuple(
            msgspec.structs.replace(each, pays=replaced) if each.id == bet_id else each for each in game.bets
        )
        game = msgspec.structs.replace(game, bets=bets)
    return game


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
