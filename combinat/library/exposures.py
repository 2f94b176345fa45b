"""What one round can cost the House: with stakes, with the stakes of a table, or with a full layout at its limits."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from combinat.base.amounts import Amount
from combinat.base.errors import CombinatError, InputError
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.report.table.exposure import NOTES
from combinat.rules import bounds
from combinat.rules.converters import (
    GameGiven,
    ShoeGiven,
    as_amount,
    as_game,
    as_path,
    as_shoe,
    as_stakes,
    as_text,
    whole_number,
)
from combinat.rules.document import Layout
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe
from combinat.table.exposure import Exposure
from combinat.table.exposure import exposure as exposed
from combinat.table.exposure_ceiling import LayoutCeiling, ceiling
from combinat.table.gaming_table import BetLimits, Chips, DisplayedLimits, GamingTable, hand_of
from combinat.table.table_file import load_table
from combinat.table.table_settlement import table_state


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposureAnswer:
    """The distribution of the House's result of a round. ``full``: the stakes of a full layout that cost it most."""

    game: Game
    shoe: Shoe
    result: Exposure
    full: LayoutCeiling | None = None
    notes: tuple[str, ...] = ()


def exposure(
    game: GameGiven,
    stakes: Mapping[str, Amount] | None = None,
    *,
    table: str | Path | None = None,
    layout: str | None = None,
    positions: int | None = None,
    limits: Mapping[str, Amount] | None = None,
    maximum: Amount | None = None,
    maximum_differential: Amount | None = None,
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
) -> ExposureAnswer:
    """The exact distribution of the House's result of one round with all the stakes, and the rounds that cost it most.

    ``stakes``: amounts by bet, the same at each of the ``positions``. ``table``: or the stakes of a TOML file of a table. With
    neither: the most that a full ``layout`` can cost within ``limits`` by bet, a ``maximum`` for every bet, and a
    ``maximum_differential``.

    >>> exposure("commission-insurance-2013", {"tie": 5}).result.results[0].net
    Fraction(-40, 1)
    """
    loaded, dealt_from = as_game(game), as_shoe(shoe, decks=decks)
    asks_limits = bool(limits) or maximum is not None or maximum_differential is not None
    distribution = walk(dealt_from, loaded.round())
    full: LayoutCeiling | None = None
    chips: Chips | None = None
    notes: tuple[str, ...] = (NOTES["insurance"],) if loaded.offers else ()
    if table is not None:
        if stakes or layout or positions or asks_limits:
            raise InputError(
                "a table says what is staked", "leave out everything else, or {table}", parameter="table"
            )
        read = load_table(as_path("table", table), loaded)
        chips, at_stake = read.chips, _at_stake(loaded, read)
        notes = ((NOTES["cards"],) if read.dealt is not None else ()) + notes
    elif stakes and asks_limits:
        raise InputError(
            "stakes say what is staked, and limits ask for the most",
            "give {stakes} or limits",
            parameter="stakes",
        )
    else:
        played_on = None if layout is None else loaded.layout(as_text("layout", layout) or "")
        if played_on and positions is not None and positions > played_on.positions.most:
            raise InputError(
                f"found {positions}; layout {played_on.id} has {played_on.positions} ({played_on.clause})",
                parameter="positions",
            )
        if stakes:
            number = 1 if positions is None else whole_number("positions", positions, 1, bounds.POSITIONS)
            amounts = _on_layout(loaded, "stakes", as_stakes(loaded, stakes), played_on)
            at_stake = {bet: [amount * number] for bet, amount in amounts.items()}
        elif asks_limits:
            full = _full(
                loaded, played_on, positions, limits or {}, maximum, maximum_differential, distribution
            )
            at_stake = {bet: [amount] for bet, amount in full.choices[0].items()}
            notes = (NOTES["full"],) if full.insured is not None else ()
        else:
            raise InputError(
                "nothing is staked",
                "give {stakes} or {table}; or ask for the most that a full layout can cost, with {limits}, {maximum} "
                "or {maximum_differential}",
                parameter="stakes",
            )
    result = exposed(loaded, dealt_from, distribution, at_stake, chips)
    return ExposureAnswer(game=loaded, shoe=dealt_from, result=result, full=full, notes=notes)


def _at_stake(game: Game, table: GamingTable) -> dict[str, list[Fraction]]:
    """What the limits of a table leave of its stakes."""
    stakes: dict[str, list[Fraction]] = {}
    for wager, amount in table_state(game, table).at_stake:
        if amount:
            stakes.setdefault(wager.bet, []).append(amount)
    return stakes


def _on_layout(
    game: Game, what: str, amounts: Mapping[str, Fraction], layout: Layout | None
) -> Mapping[str, Fraction]:
    """Amounts by bet, each on a bet that the layout offers."""
    for bet_id in amounts:
        bet = game.bet(bet_id)
        if layout is not None and layout.id not in bet.layouts:
            raise InputError(
                f"layout {layout.id} does not offer {bet.name} ({bet.settled})",
                f"write one of {', '.join(one.id for one in game.bets_on(layout.id))}",
                parameter=f"{what} {bet_id}",
            )
    return amounts


def _full(
    game: Game,
    layout: Layout | None,
    positions: int | None,
    limits: Mapping[str, Amount],
    maximum: Amount | None,
    differential: Amount | None,
    distribution: Distribution,
) -> LayoutCeiling:
    """The stakes within the limits that can cost the House most."""
    if layout is None and len(game.layouts) > 1:
        raise InputError(
            "missing",
            f"write which of its layouts is full: {', '.join(one.id for one in game.layouts)}",
            parameter="layout",
        )
    layout = layout or game.layouts[0]
    by_bet = dict(_on_layout(game, "limits", as_stakes(game, limits, "limits"), layout))
    of_differential = _positive("maximum_differential", differential)
    of_bets = _positive("maximum", maximum)
    if of_differential is not None and game.table_limits is None:
        raise InputError(
            f"{game.id} knows no Differential",
            "give a limit for the bets on the hands",
            parameter="maximum_differential",
        )
    if of_bets is not None:
        free = [
            bet.id
            for bet in game.bets_on(layout.id)
            if of_differential is None or hand_of(game, bet.id) is None
        ]
        by_bet = dict.fromkeys(free, of_bets) | by_bet
    stated = DisplayedLimits(
        maximum_differential=of_differential,
        bets={bet: BetLimits(maximum=amount) for bet, amount in by_bet.items()},
    )
    most = ceiling(game, layout.id, positions or layout.positions.most, stated, distribution)
    if not most.loss:
        raise CombinatError("with this shoe no stakes within the limits can cost the House anything")
    return most


def _positive(what: str, amount: Amount | None) -> Fraction | None:
    if amount is None:
        return None
    exact = as_amount(what, amount)
    if exact <= 0:
        raise InputError(f"found {exact}", "write an amount of more than 0", parameter=what)
    return exact
