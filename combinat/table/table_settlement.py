"""A whole table settled: every player's result line by line, and the House's.

What of a stake wins or loses is its share (5.1.1); each line is settled as ``rules/settlement.py`` settles a
single player's. Insurance is held against the original bet as it was placed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from msgspec.structs import replace

from combinat.base.errors import CombinatError, TableError, TableMaximumError
from combinat.rules.game import Game, read_instead
from combinat.rules.insurance import Base, Per
from combinat.rules.insurance_limits import in_force, least_room
from combinat.rules.money import format_money
from combinat.rules.practice import OF_A_TABLE
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand
from combinat.table.differential import (
    Acceptance,
    Differential,
    Share,
    Wager,
    acceptances,
    differentials,
    shares,
    wagers,
)
from combinat.table.gaming_table import Bettor, GamingTable
from combinat.table.settlement import Line, settle, taken_bet

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """One stake of one player, settled; ``exact``: its net result if nothing were rounded to whole chips.

    ``share``: what the limits left of the stake; None: it is insurance.
    """

    bettor: Bettor
    line: Line
    exact: Fraction
    share: Share | None

    @property
    def rounding(self) -> Fraction:
        """What the player has by rounding: less than 0 is in the House's favour."""
        return self.line.net - self.exact


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettlement:
    """Every line of a table whose cards are known."""

    round: Round
    lines: tuple[TableLine, ...]

    def of(self, bettor: Bettor) -> Fraction:
        """What one player has won or lost."""
        return sum((line.line.net for line in self.lines if line.bettor is bettor), ZERO)

    @property
    def by_bet(self) -> dict[str, Fraction]:
        """What the House has won or lost on each bet."""
        sums: dict[str, Fraction] = {}
        for one in self.lines:
            sums[one.line.id] = sums.get(one.line.id, ZERO) - one.line.net
        return sums

    @property
    def house(self) -> Fraction:
        """What the House has won or lost."""
        return sum(self.by_bet.values(), ZERO)

    @property
    def house_rounding(self) -> Fraction:
        """What the House has by rounding: less than 0 is in the players' favour."""
        return -sum((line.rounding for line in self.lines), ZERO)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """All that is said of a table: before the close what is taken, after it what is at stake and the results.

    ``placed`` and ``left``: the Differentials of what was placed, and of what the limits left of it.
    """

    table: GamingTable
    wagers: tuple[Wager, ...]
    placed: tuple[Differential, ...]
    left: tuple[Differential, ...]
    acceptances: tuple[Acceptance, ...]
    shares: tuple[Share, ...]
    settlement: TableSettlement | None

    @property
    def at_stake(self) -> tuple[tuple[Wager, Fraction], ...]:
        """What of every stake wins or loses: before the close, what is taken of it."""
        if self.table.is_closed:
            return tuple((share.wager, share.at_stake) for share in self.shares)
        return tuple((one.wager, one.accepted) for one in self.acceptances)

    def on(self, hand: Hand) -> Fraction:
        """What wins or loses on a hand."""
        return sum((amount for wager, amount in self.at_stake if wager.hand is hand), ZERO)


def table_state(game: Game, table: GamingTable) -> TableState:
    """What the document's limits make of a table, and what its players win or lose if the cards are known."""
    placed = wagers(game, table)
    taken = () if table.is_closed else acceptances(game, table)
    closed = shares(game, table) if table.is_closed else ()
    left = [(share.wager, share.at_stake) for share in closed] or [(one.wager, one.accepted) for one in taken]
    return TableState(
        table=table,
        wagers=placed,
        placed=differentials(game, table, [(wager, wager.staked) for wager in placed]),
        left=differentials(game, table, left),
        acceptances=taken,
        shares=closed,
        settlement=_settlement(game, table, table.dealt, closed) if table.dealt is not None else None,
    )


def other_states(game: Game, table: GamingTable) -> dict[str, TableState]:
    """The table under the other reading of each entry of the register that is about its limits, one at a time."""
    entries = [entry.id for entry in game.interpretations if entry.instead.practices.keys() & OF_A_TABLE]
    return {entry: table_state(read_instead(game, entry), table) for entry in entries}


def _settlement(game: Game, table: GamingTable, dealt: Round, closed: Sequence[Share]) -> TableSettlement:
    own: dict[int, dict[str, Share]] = {id(bettor): {} for bettor in table.bettors}
    for share in closed:
        own[id(share.wager.bettor)][share.wager.bet] = share
    lines = [line for bettor in table.bettors for line in _lines(game, table, dealt, bettor, own[id(bettor)])]
    _check_together(game, table, dealt)
    return TableSettlement(round=dealt, lines=tuple(lines))


def _check_together(game: Game, table: GamingTable, dealt: Round) -> None:
    """Refuse insurance that is over a limit on all players together."""
    limits = game.insurance_terms.limits if game.insurance_terms else ()
    for limit in (limit for limit in in_force(limits) if limit.per is Per.TABLE):
        for bettor in table.bettors:
            for insured, stake in bettor.insured.items():
                bet = taken_bet(game, dealt, *insured, stake)
                others = [
                    other.insured[insured]
                    for other in table.bettors
                    if other is not bettor and insured in other.insured
                ]
                room = least_room(
                    [limit],
                    bet.offer.odds,
                    other_players=[(other, bet.offer.odds) for other in others],
                    original_bet=bettor.stakes.get(bet.insured.id, ZERO),
                    table_maximum=table.displayed.maximum,
                    maximum_differential=table.displayed.maximum_differential,
                )
                if room is not None and stake > room.stake:
                    raise TableError(
                        f"box {bettor.box}, {bettor.name}: {bet.id}: with the other players' the {limit.caps.in_words} is over "
                        f"the limit of {format_money(room.most)}, {limit.share} of the {limit.of.in_words} ({limit.clause})"
                    )


def _lines(
    game: Game, table: GamingTable, dealt: Round, bettor: Bettor, own: Mapping[str, Share]
) -> Iterator[TableLine]:
    try:
        settled = settle(
            game,
            dealt,
            bettor.stakes,
            bettor.insured,
            layout=table.layout,
            table_maximum=table.displayed.maximum,
            maximum_differential=table.displayed.maximum_differential,
        )
    except TableMaximumError as error:
        key = "maximum" if error.base == Base.TABLE_MAXIMUM else "maximum_differential"
        raise TableError(f"box {bettor.box}, {bettor.name}: {error} (write limits.{key})") from None
    except CombinatError as error:
        raise TableError(f"box {bettor.box}, {bettor.name}: {error}") from None
    for line in settled.lines:
        share, odds = own.get(line.id), line.net / line.stake
        at_stake = share.at_stake if share is not None else line.stake
        net = odds * at_stake
        yield TableLine(
            bettor=bettor,
            line=replace(
                line, stake=at_stake, net=table.chips.rounded(net) if table.chips is not None else net
            ),
            exact=odds * (share.exact if share is not None else line.stake),
            share=share,
        )
