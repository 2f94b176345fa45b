"""The settlement of a whole table: every player's lines, and the House's result.

Each player is settled separately, then every line is cut to its share (5.1.1). Insurance is limited by the
original bet as it was placed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_others
from fractions import Fraction
from pathlib import Path

from msgspec.structs import replace

from combinat.base.errors import CombinatError, FileError, InputError
from combinat.base.tabular import Answer
from combinat.rules.converters import GameGiven, as_game, as_path
from combinat.rules.game import Game, read_instead
from combinat.rules.house_rules import OF_A_TABLE
from combinat.rules.insurance import Base
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand
from combinat.table.differential import (
    Acceptance,
    Differential,
    StakeShare,
    TableWager,
    acceptances,
    differentials,
    shares,
    wagers,
)
from combinat.table.gaming_table import Bettor, Chips, GamingTable
from combinat.table.insurance_bet import check_limits, insurance_bet, original_stakes
from combinat.table.settlement import Settlement, StakeLine, settle
from combinat.table.table_file import load_table

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettlement:
    """The settlement of every player of a table whose cards are known."""

    round: Round
    players: tuple[tuple[Bettor, Settlement], ...]

    @property
    def lines(self) -> tuple[tuple[Bettor, StakeLine], ...]:
        """Every line of every player."""
        return tuple((bettor, line) for bettor, settlement in self.players for line in settlement)

    @property
    def by_bet(self) -> dict[str, Fraction]:
        """The House's result on each bet."""
        sums: dict[str, Fraction] = {}
        for _, line in self.lines:
            sums[line.id] = sums.get(line.id, ZERO) - line.net
        return sums

    @property
    def house(self) -> Fraction:
        """The House's result."""
        return sum(self.by_bet.values(), ZERO)

    @property
    def house_rounding(self) -> Fraction:
        """The part of the House's result that comes from rounding to whole chips."""
        return -sum((line.rounding for _, line in self.lines), ZERO)


@dataclass(repr=False, frozen=True, slots=True, kw_only=True)
class LimitedTable(Answer):
    """A table under its limits: the stakes accepted before the close, the shares after it, and the results.

    ``placed`` and ``left``: the Differentials of the stakes as placed, and after the limits are applied.
    ``others``: the same table under the other reading of each entry of the register about its limits; None if
    not requested.
    """

    game: Game
    table: GamingTable
    placed: tuple[Differential, ...]
    left: tuple[Differential, ...]
    acceptances: tuple[Acceptance, ...]
    shares: tuple[StakeShare, ...]
    settlement: TableSettlement | None
    others: "Mapping[str, LimitedTable] | None" = None

    @property
    def at_stake(self) -> tuple[tuple[TableWager, Fraction], ...]:
        """The part of every stake that wins or loses; before the close, the part accepted."""
        if self.table.is_closed:
            return tuple((share.wager, share.at_stake) for share in self.shares)
        return tuple((one.wager, one.accepted) for one in self.acceptances)

    def on(self, hand: Hand) -> Fraction:
        """Return the amount that wins or loses on a hand."""
        return sum((amount for wager, amount in self.at_stake if wager.hand is hand), ZERO)


def settle_table(game: GameGiven, file: str | Path, *, interpretations: bool = False) -> LimitedTable:
    """Settle the table in a TOML file: amounts rejected or cut, every player's result, the House's.

    ``interpretations``: also under the other reading of each entry of the register, one at a time.

    >>> settle_table("commission-insurance-2013", "no-such-table.toml")
    Traceback (most recent call last):
    combinat.base.errors.FileError: no-such-table.toml: cannot be read (No such file or directory); give the path of a TOML file of a table
    """
    loaded = as_game(game)
    table = load_table(as_path("file", file), loaded)
    state = table_state(loaded, table)
    if not interpretations:
        return state
    if loaded.provisos.odds:
        raise InputError(
            "other odds are tried, and the other readings have odds of their own",
            "leave out {interpretations} or {pays}",
            parameter="interpretations",
        )
    entries = [entry.id for entry in loaded.interpretations if entry.instead.practices.keys() & OF_A_TABLE]
    others = {entry: table_state(read_instead(loaded, entry), table) for entry in entries}
    return with_others(state, others=others)


def table_state(game: Game, table: GamingTable) -> LimitedTable:
    """Return a table under the document's limits, and the results of its players if the cards are known."""
    placed = wagers(game, table)
    taken = () if table.is_closed else acceptances(game, table)
    closed = shares(game, table) if table.is_closed else ()
    left = [(share.wager, share.at_stake) for share in closed] or [(one.wager, one.accepted) for one in taken]
    return LimitedTable(
        game=game,
        table=table,
        placed=differentials(game, table, [(wager, wager.staked) for wager in placed]),
        left=differentials(game, table, left),
        acceptances=taken,
        shares=closed,
        settlement=_settlement(game, table, table.dealt, closed) if table.dealt is not None else None,
    )


def _settlement(
    game: Game, table: GamingTable, dealt: Round, closed: Sequence[StakeShare]
) -> TableSettlement:
    players = []
    for bettor in table.bettors:
        own = {share.wager.bet: share for share in closed if share.wager.bettor is bettor}
        players.append((bettor, _player_settlement(game, table, dealt, bettor, own)))
    return TableSettlement(round=dealt, players=tuple(players))


def _player_settlement(
    game: Game, table: GamingTable, dealt: Round, bettor: Bettor, shares: Mapping[str, StakeShare]
) -> Settlement:
    """Return one player's settlement, cut to the shares that the limits leave and rounded to chips."""
    try:
        placed = settle(
            game,
            dealt,
            bettor.stakes,
            bettor.insured,
            layout=table.layout,
            table_maximum=table.limits.maximum,
            maximum_differential=table.limits.maximum_differential,
        )
        _check_limits_together(game, table, dealt, bettor)
    except CombinatError as error:
        message = error.text(lambda parameter: f"limits.{parameter.removeprefix('table_')}")
        raise FileError(f"box {bettor.box}, {bettor.name}: {message}") from None
    return replace(placed, lines=tuple(_cut(line, shares.get(line.id), table.chips) for line in placed))


def _check_limits_together(game: Game, table: GamingTable, dealt: Round, bettor: Bettor) -> None:
    """Refuse insurance of a player over a limit, that of the other players added where the limit is the table's."""
    taken = [insurance_bet(game, dealt, *insured, stake) for insured, stake in bettor.insured.items()]
    others = {
        insured: [
            one.insured[insured] for one in table.bettors if one is not bettor and insured in one.insured
        ]
        for insured in bettor.insured
    }
    maxima = {
        Base.TABLE_MAXIMUM: table.limits.maximum,
        Base.MAXIMUM_DIFFERENTIAL: table.limits.maximum_differential,
    }
    check_limits(game, original_stakes(game, taken, bettor.stakes), maxima, other_players=others)


def _cut(line: StakeLine, share: StakeShare | None, chips: Chips | None) -> StakeLine:
    """Return the line cut to its share; ``share`` None: not cut, as for insurance."""
    odds = line.net / line.stake
    at_stake, exact = (line.stake, line.stake) if share is None else (share.at_stake, share.exact)
    net = odds * at_stake
    if chips is not None:
        net = chips.rounded(net)
    return replace(line, stake=at_stake, net=net, rounding=net - odds * exact)
