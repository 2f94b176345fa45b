"""Other odds without a file: a game with some of its odds replaced."""

from collections.abc import Mapping, Sequence

import msgspec

from combinat.base.errors import OddsError, near_matches, shortened
from combinat.rules.bet import Bet
from combinat.rules.game import Game
from combinat.rules.insurance import Offer, State
from combinat.rules.odds import Odds, PointSet


def with_odds(game: Game, pays: Mapping[str, Sequence[str]]) -> Game:
    """The game with other odds for some bets: one for each line that pays, in the order of the pay table.

    ``tiger:three cards`` names one line of a bet, whatever it pays now; it comes after what is said of whole bets.
    What is no ``Odds`` yet is read as such.
    """
    read = {named: _odds(named, written) for named, written in pays.items()}
    for bet_id, odds in read.items():
        if ":" not in bet_id:
            bet = game.bet(bet_id)
            game = _replaced(game, bet, dict(zip(_paying(bet, odds), odds, strict=True)))
    for named, odds in read.items():
        bet_id, colon, name = named.partition(":")
        if colon:
            bet = game.bet(bet_id)
            if len(odds) != 1:
                raise OddsError(f"{shortened(named)}: found {len(odds)} odds; write one, for this line")
            game = _replaced(game, bet, {line_number(bet, name): odds[0]})
    return game


def line_number(bet: Bet, name: str) -> int:
    """The number of the line of a pay table that has this name; ``wins`` where the only one has none."""
    names = [bet.line_name(pay) for pay in bet.pays]
    if name in names:
        return names.index(name)
    near = near_matches(shortened(name), names)
    hint = f"; did you mean {near[0]}?" if near else "."
    raise OddsError(f'{bet.id}: there is no line "{shortened(name)}"{hint} It has: {", ".join(names)}')


def _paying(bet: Bet, odds: Sequence[Odds]) -> list[int]:
    """The numbers of the lines that pay; as many odds as there are lines are needed."""
    lines = [number for number, pay in enumerate(bet.pays) if pay.odds.net > 0]
    if len(odds) != len(lines):
        names = ", ".join(f"{bet.line_name(bet.pays[number])} ({bet.pays[number].odds})" for number in lines)
        raise OddsError(
            f"{bet.id}: the bet has {len(lines)} odds ({names}); found {len(odds)}; "
            "write one for each, separated by commas"
        )
    return lines


def _replaced(game: Game, bet: Bet, odds: Mapping[int, Odds]) -> Game:
    pays = tuple(
        msgspec.structs.replace(pay, odds=odds[number], commission=None) if number in odds else pay
        for number, pay in enumerate(bet.pays)
    )
    bets = tuple(
        msgspec.structs.replace(each, pays=pays) if each.id == bet.id else each for each in game.bets
    )
    return msgspec.structs.replace(game, bets=bets)


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
