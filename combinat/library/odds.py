"""Exact odds: one shoe, whole batches, effects of removal, closed forms."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from combinat.base.amounts import Amount
from combinat.base.errors import CombinatError, InputError
from combinat.base.tabular import Records
from combinat.library import looks
from combinat.rules import bounds
from combinat.rules.cards import RANKS
from combinat.rules.converters import (
    DECKS,
    GameGiven,
    ShoeGiven,
    as_bet,
    as_game,
    as_path,
    as_shoe,
    as_stakes,
    whole_number,
)
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:
    from combinat.analysis.evaluate import Evaluation
    from combinat.analysis.formula import Formula
    from combinat.analysis.removal import Removal

looks.register()


def evaluate(
    game: GameGiven,
    shoes: Any,
    *,
    insurance: bool = False,
    outcomes: bool = False,
    variance: bool = False,
    stakes: Mapping[str, Amount] | None = None,
    decks: int = DECKS,
) -> "Evaluation":
    """The exact expected values of every bet for every shoe.

    ``shoes``: an integer array of shape (shoes, 13), a ``Shoe`` or a list of them, a frame of polars or pandas
    with a column for each rank, or the path of a CSV or Parquet file with
    a shoe a row: the thirteen ranks A to K, or a column ``removed``, the cards gone from ``decks``. The command
    ``evaluate`` reads files of any length; here all of it is held.

    On request also every insurance state (``insurance``), the ways of every line of the pay tables (``outcomes``), the
    ``variance`` of every bet, and the expected value of ``stakes`` together.

    >>> evaluation = evaluate("commission-insurance-2013", [Shoe.of_decks(8), Shoe.of_decks(6)])
    >>> evaluation["player-pair"]
    (Fraction(-43, 415), Fraction(-35, 311))
    """
    from combinat.analysis.evaluate import evaluate as evaluated

    given = as_game(game)
    number = whole_number("decks", decks, 1, bounds.SHOE_DECKS)
    staked = None if stakes is None else as_stakes(given, stakes)
    return evaluated(
        given,
        _counts(shoes, number),
        insurance=insurance,
        outcomes=outcomes,
        variance=variance,
        stakes=staked,
    )


def _counts(shoes: Any, decks: int) -> Any:
    """The counts of shoes in any of their forms, as the rooms take them."""
    if isinstance(shoes, str | Path):
        return _shoes_in(as_path("shoes", shoes), decks)
    if isinstance(shoes, Shoe):
        return [shoes.counts]
    if hasattr(shoes, "columns") and hasattr(shoes, "to_numpy"):
        return _of_frame(shoes)
    listed = list(shoes) if isinstance(shoes, Iterator) else shoes
    if isinstance(listed, list | tuple) and any(isinstance(shoe, Shoe) for shoe in listed):
        return [shoe.counts if isinstance(shoe, Shoe) else shoe for shoe in listed]
    return listed


def _of_frame(frame: Any) -> Any:
    """The counts in a frame of polars or pandas, by the names of its columns, whatever their order."""
    import numpy as np

    labels = list(frame.columns)
    named = [[label for label in labels if str(label) == rank] for rank in RANKS]
    for rank, columns in zip(RANKS, named, strict=True):
        if len(columns) != 1:
            raise InputError(
                f"a frame of shoes has a column for each rank, {','.join(RANKS)}; found {len(columns)} for {rank}"
            )
    counts = []
    for rank, (label,) in zip(RANKS, named, strict=True):
        column = frame[label]
        nothing = column.is_null() if hasattr(column, "is_null") else column.isna()
        missing = np.flatnonzero(nothing.to_numpy())
        if len(missing):
            raise InputError(f"shoe {missing[0]}: the count of {rank} is missing; write a whole number")
        counts.append(column.to_numpy())
    if not all(np.issubdtype(column.dtype, np.integer) for column in counts):
        # Else whole numbers became floats beside floats, and True became 1 beside whole numbers.
        counts = [column.astype(object) for column in counts]
    return np.stack(counts, axis=1, dtype=None if np.result_type(*counts).kind in "iuO" else object)


def _shoes_in(path: Path, decks: int) -> Any:
    """The shoes of a file."""
    import numpy as np

    from combinat.analysis.shoe_file import shoe_file

    try:
        blocks = [block for block, _ in shoe_file(path, decks).blocks()]
    except InputError as error:
        raise InputError(str(error).removesuffix(", or - for standard input")) from None
    return np.concatenate([np.zeros((0, len(RANKS)), dtype=np.int64), *blocks])


def removal(
    game: GameGiven,
    shoe: ShoeGiven = DECKS,
    *,
    pairs: bool = False,
    insurance: bool = False,
) -> "Records[Removal]":
    """The exact effect of removing each rank, and each two with ``pairs``, on every bet.

    With ``insurance`` on every insurance state instead.

    >>> removal("commission-insurance-2013")[0]
    <Removal player: expected value -1.2351 %, 13 removals>
    """
    from combinat.analysis.removal import removals

    given = as_game(game)
    if insurance and given.insurance_terms is None:
        raise CombinatError(f"{given.id} offers no insurance: there is nothing to analyse")
    return Records(removals(given, as_shoe(shoe), pairs=pairs, insurance=insurance))


def formula(game: GameGiven, bet: str) -> "Records[Formula]":
    """The expected value of a bet as a function of the number of decks, then the probability of each of its lines.

    ``bet`` may be an insurance state too, ``"banker:four-cards:6-5"``, the insured hand's points first: then the
    expected value given the state, and the probability of the state. All are held against the enumerator.

    >>> formula("commission-insurance-2013", "player-pair")[0].at(8)
    Fraction(-43, 415)
    """
    from combinat.analysis.formula import bet_formulas, check_formulas, state_formulas

    given = as_game(game)
    what = _state(given, bet) if isinstance(bet, str) and ":" in bet else as_bet(given, bet)
    formulas = bet_formulas(given, what) if isinstance(what, str) else state_formulas(given, what)
    check_formulas(given, what, formulas)
    return Records(formulas)


def _state(game: Game, name: str) -> State:
    """The insurance state of a name, if the game offers it."""
    states = game.states_named(name)
    if len(states) > 1:
        raise InputError(f'"{name}" names {len(states)} states; write the points of both hands')
    return states[0]
