"""Designing a bet: odds for the edge that is wanted, and what the lines of a pay table cover."""

from collections.abc import Sequence
from fractions import Fraction
from typing import overload

from combinat.analysis.coverage import Coverage
from combinat.analysis.coverage import coverage as covered
from combinat.analysis.solve import HitSolution, Solution, solve_hit
from combinat.analysis.solve import solve as solved
from combinat.base.errors import CombinatError, InputError, in_words
from combinat.base.money import Amount
from combinat.library import looks
from combinat.rules.converters import (
    DECKS,
    GameGiven,
    ShoeGiven,
    as_amount,
    as_bet,
    as_game,
    as_shoe,
)

looks.register()


@overload
def solve(
    game: GameGiven,
    bet: str,
    shoe: ShoeGiven = DECKS,
    *,
    edge: Amount,
    line: str | None = None,
) -> Solution: ...


@overload
def solve(
    game: GameGiven,
    bet: str,
    shoe: ShoeGiven = DECKS,
    *,
    returned: Amount,
    line: str | None = None,
) -> Solution: ...


@overload
def solve(
    game: GameGiven,
    bet: str,
    shoe: ShoeGiven = DECKS,
    *,
    hit: Amount,
) -> HitSolution: ...


def solve(
    game: GameGiven,
    bet: str,
    shoe: ShoeGiven = DECKS,
    *,
    edge: Amount | None = None,
    returned: Amount | None = None,
    hit: Amount | None = None,
    line: str | None = None,
) -> Solution | HitSolution:
    """The odds at which a bet has the house edge (or the return) wanted, exactly, and the nearest that can be paid.

    Shares are text such as ``"5%"`` or ``"0.05"``, Fractions or Decimals. ``line``: change this line of the pay table
    alone; else all that pay, by one factor. With ``hit``, how often the bet should win: which lines may pay, and which
    come back.

    >>> solve("commission-insurance-2013", "player-pair", edge="5%").lines[0].odds.net
    Fraction(1453, 124)
    """
    wanted = {"edge": edge, "returned": returned, "hit": hit}
    stated = {name: share for name, share in wanted.items() if share is not None}
    if len(stated) != 1:
        raise CombinatError(
            f'found {" and ".join(stated) or "none of them"}; write one of edge="5%", returned="95%" or hit="12%"'
        )
    ((name, share),) = stated.items()
    part = _share(name, share)
    if hit is not None and line is not None:
        raise CombinatError("line does not go with hit, which chooses among all lines of the bet")
    given = as_game(game)
    bet_id = as_bet(given, bet)
    if hit is not None:
        return solve_hit(given, bet_id, as_shoe(shoe), part)
    if line is not None and not isinstance(line, str):
        raise InputError(f"line: found {in_words(line)}; write the name of a line of the pay table")
    value = -part if edge is not None else part - 1
    return solved(given, bet_id, as_shoe(shoe), value, line=line or "")


def _share(name: str, given: object) -> Fraction:
    """A share, as a percentage or as a part; an edge may be less than 0."""
    text = given.strip() if isinstance(given, str) else None
    if text is None:
        share = as_amount(name, given)
    else:
        number = text.removesuffix("%").rstrip().removeprefix("-")
        share = as_amount(name, number) / (100 if text.endswith("%") else 1)
        share = -share if text.startswith("-") else share
    if (name != "edge" and share < 0) or (name == "hit" and share > 1):
        raise CombinatError(f'{name}: found {in_words(given)}; write a share, such as "5%"')
    return share


def coverage(
    game: GameGiven,
    shoe: ShoeGiven = DECKS,
    *,
    bets: Sequence[str] = (),
) -> Coverage:
    """What the lines of every bet cover: in words, in ways, with a deal that shows it; and what is left over.

    >>> coverage("commission-insurance-2013", bets=["tie"])["tie"].lines[0].when
    'the hands tie'
    """
    given = as_game(game)
    if not isinstance(bets, list | tuple):
        what = f"text, {in_words(bets)}" if isinstance(bets, str) else in_words(bets)
        such = in_words(bets) if isinstance(bets, str) else "'tie'"
        raise CombinatError(f"bets: found {what}; write a list, such as [{such}]")
    return covered(given, as_shoe(shoe), [as_bet(given, bet) for bet in bets])
