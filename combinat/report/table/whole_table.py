"""A whole table, as people and as programs read it."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from combinat.base.kinds import CLAUSE, COUNT, FLAG, FRACTION, MONEY, NUMBER, ODDS, TEXT
from combinat.base.relation import ByName, Document, Either, Field, Many, Relation
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Row,
    Section,
    Table,
    Terms,
    Words,
    table,
)
from combinat.report.game_fields import GAME, HANDS
from combinat.report.table.settlement import NET, round_in_words
from combinat.rules.game import Game
from combinat.rules.house_rules import DifferentialOf, MinimumOf, Practice, ProRata, UnderMinimum
from combinat.rules.table_of_play import Hand
from combinat.table.differential import Acceptance, Differential, StakeShare, TableWager, Why
from combinat.table.gaming_table import (
    BetLimits,
    Bettor,
    ChipRounding,
    Chips,
    DisplayedLimits,
    GamingTable,
    PlayerPlace,
)
from combinat.table.settlement import STAKE_LINES, Settlement, StakeLine
from combinat.table.table_settlement import LimitedTable, TableSettlement


def table_document(game: Game, state: LimitedTable) -> Section:
    """What the limits make of the table, and every player's result and the House's where the cards are known."""
    blocks: list[Block] = [Terms(_said(game, state.table))]
    if state.placed:
        blocks.append(Section("Differential", (differential_table(state),)))
    if state.table.is_closed:
        blocks.append(Section("What wins or loses", (shares_table(state.shares),)))
    else:
        blocks.append(Section("Before the bets are closed", _before(state)))
    if state.settlement is not None:
        blocks += _results(state, state.settlement)
    return Section(game.name, tuple(blocks))


def _said(game: Game, shown: GamingTable) -> dict[str, Words]:
    said: dict[str, Words] = {
        "Layout": f"{shown.layout} ({game.layout(shown.layout).clause})",
        "Bets": "closed" if shown.is_closed else "not yet closed",
    }
    limits, practice = game.table_limits, game.practice
    if limits is None:
        said["Limits"] = f"{game.id} states none: every bet stands as it was placed"
    else:
        said["Limits"] = (*_limits(shown.limits), f" ({limits.clauses.displayed})")
        of_table = practice.differential is DifferentialOf.TABLE
        rests_on = limits.clauses.differential if of_table else limits.clauses.excess
        said["Differential"] = f"{practice.differential.in_words} ({rests_on})"
        said["Minimum"] = f"for {practice.minimum_of.in_words} ({limits.clauses.raised})"
        if shown.is_closed:
            said["Pro rata"] = f"{practice.pro_rata.in_words} ({limits.clauses.pro_rata})"
            said["A bet under the minimum"] = (
                f"suspends the pro rata for {practice.under_minimum.in_words} ({limits.clauses.under_minimum})"
            )
    said["Chips"] = _chips(shown.chips)
    return said


def _limits(displayed: DisplayedLimits) -> tuple[str | Figure, ...]:
    words: list[str | Figure] = [
        Figure(displayed.minimum, MONEY, before="minimum "),
        Figure(displayed.maximum_differential, MONEY, before=", maximum Differential "),
    ]
    if displayed.maximum is not None:
        words.append(Figure(displayed.maximum, MONEY, before=", maximum of a bet on a hand "))
    for bet, limits in displayed.bets.items():
        words.append(f"; {bet}")
        if limits.minimum is not None:
            words.append(Figure(limits.minimum, MONEY, before=" from "))
        if limits.maximum is not None:
            words.append(Figure(limits.maximum, MONEY, before=" to "))
    return tuple(words)


def _chips(chips: Chips | None) -> Words:
    if chips is None:
        return "nothing is rounded"
    return Figure(
        chips.smallest, MONEY, before="of ", after=f" at least; amounts are rounded {chips.rounding.in_words}"
    )


def differential_table(state: LimitedTable) -> Table:
    """What is bet on each hand, as placed and as the limits leave it, and how much more each hand would take."""
    columns = (
        Column("of"),
        Column("bets"),
        Column("Banker", MONEY),
        Column("Player", MONEY),
        Column("Differential", MONEY),
        Column("over", MONEY),
        Column("room Banker", MONEY),
        Column("room Player", MONEY),
    )
    left = "at stake" if state.table.is_closed else "taken"
    rows = [
        _differential(one, bets)
        for both in zip(state.placed, state.left, strict=True)
        for one, bets in zip(both, ("placed", left), strict=True)
    ]
    return table(columns, rows)


def _differential(one: Differential, bets: str) -> tuple[Cell, ...]:
    of = "table" if one.box is None else f"box {one.box}"
    rooms = one.room(Hand.BANKER), one.room(Hand.PLAYER)
    return of, bets, one.banker, one.player, one.difference, one.excess, *rooms


WHO = (Column("box", COUNT), Column("player"), Column("place"), Column("bet"))


def _before(state: LimitedTable) -> tuple[Block, ...]:
    columns = (
        *WHO,
        Column("placed", MONEY),
        Column("taken", MONEY),
        Column("rejected", MONEY),
        Column("to do"),
        Column("clause", CLAUSE),
    )
    rows = [
        (
            one.wager.bettor.box,
            one.wager.bettor.name,
            one.wager.bettor.place,
            one.wager.bet,
            one.wager.staked,
            one.accepted,
            one.rejected,
            _to_do(one),
            ", ".join(one.clauses),
        )
        for one in state.acceptances
    ]
    return (table(columns, rows),)


def _to_do(one: Acceptance) -> Cell:
    """The dealer's instruction to the player."""
    if not one.accepted:
        return ("take it back",)
    if one.short and one.can_raise:
        return Figure(one.short, MONEY, before="raise by "), " or withdraw"
    if one.short:
        return Figure(one.short, MONEY, before="withdraw: no room for the "), " to the minimum"
    return ("take back the excess",) if one.rejected else ("stands",)


def shares_table(shares: Sequence[StakeShare]) -> Table:
    """What of every stake wins or loses, and what comes back whatever the cards."""
    columns = (
        *WHO,
        Column("placed", MONEY),
        Column("share", MONEY),
        Column("at stake", MONEY),
        Column("back", MONEY),
        Column("why"),
        Column("clause", CLAUSE),
    )
    rows = [
        (
            share.wager.bettor.box,
            share.wager.bettor.name,
            share.wager.bettor.place,
            share.wager.bet,
            share.wager.staked,
            share.exact,
            share.at_stake,
            share.returned,
            share.why.in_words,
            share.clause,
        )
        for share in shares
    ]
    return table(columns, rows)


def _results(state: LimitedTable, settlement: TableSettlement) -> tuple[Block, ...]:
    rounded = state.table.chips is not None
    return (
        Section(
            "Results", (Paragraph(round_in_words(settlement.round)), _lines(settlement, rounded=rounded))
        ),
        Section("Players", (_players(settlement),)),
        Section("The House", (_house(settlement), *(_rounded(settlement) if rounded else ()))),
    )


def _rounded(settlement: TableSettlement) -> tuple[Block, ...]:
    """In whose favour whole chips have turned out in this round."""
    favour = settlement.house_rounding
    whose = (
        "in nobody's favour"
        if not favour
        else "in the House's favour"
        if favour > 0
        else "in the players' favour"
    )
    return (Terms({"By rounding to whole chips": Figure(favour, NET, after=f", {whose}")}),)


def _lines(settlement: TableSettlement, *, rounded: bool) -> Table:
    columns = (
        Column("box", COUNT),
        Column("player"),
        Column("bet"),
        Column("at stake", MONEY),
        Column("outcome"),
        Column("odds", ODDS),
        Column("net", NET),
        *((Column("by rounding", NET),) if rounded else ()),
        Column("clause", CLAUSE),
    )
    rows = [
        (
            bettor.box,
            bettor.name,
            line.name,
            line.stake,
            line.outcome,
            line.odds,
            line.net,
            *((line.rounding,) if rounded else ()),
            line.clause,
        )
        for bettor, line in settlement.lines
    ]
    return table(columns, rows)


def _players(settlement: TableSettlement) -> Table:
    columns = (Column("box", COUNT), Column("player"), Column("place"), Column("net", NET))
    rows = [(bettor.box, bettor.name, bettor.place, own.net) for bettor, own in settlement.players]
    return table(columns, rows)


def _house(settlement: TableSettlement) -> Table:
    rows: list[Row] = [Row((bet, net)) for bet, net in settlement.by_bet.items()]
    total = Row(("total", settlement.house), Meaning.TOTAL)
    return table((Column("bet"), Column("the House", NET)), [*rows, total])


def other_readings(state: LimitedTable, others: Mapping[str, LimitedTable]) -> Section:
    """The result of the table under each other reading of the clauses on its limits."""
    columns = (
        Column("read otherwise"),
        Column("Banker", MONEY),
        Column("Player", MONEY),
        Column("the House", NET),
    )
    rows = [_other("nothing", state), *(_other(entry, other) for entry, other in others.items())]
    return Section(
        "Other readings: what is at stake on the hands, and the House's result", (table(columns, rows),)
    )


def _other(entry: str, state: LimitedTable) -> tuple[Cell, ...]:
    house = None if state.settlement is None else state.settlement.house
    return entry, state.on(Hand.BANKER), state.on(Hand.PLAYER), house


# ---------------------------------------------------------------- JSON


class TableAsked(NamedTuple):
    """A table of a game; ``others``: the table under each other reading, if that was asked for."""

    game: Game
    state: LimitedTable
    others: Mapping[str, LimitedTable] | None = None


BY_HAND = Relation(
    "by hand",
    Field[Callable[[Hand], Fraction]](
        "player", "Player", MONEY, "On the Player Hand.", lambda on: on(Hand.PLAYER)
    ),
    Field[Callable[[Hand], Fraction]](
        "banker", "Banker", MONEY, "On the Banker Hand.", lambda on: on(Hand.BANKER)
    ),
)

PRACTICE: Relation[Practice] = Relation(
    "practice of the table",
    Field("differential", "Differential", TEXT, "Over what the Differential is taken.", words=DifferentialOf),
    Field("pro_rata", "pro rata", TEXT, "How bets over it are apportioned.", words=ProRata),
    Field(
        "under_minimum", "under the minimum", TEXT, "For whom the pro rata is suspended.", words=UnderMinimum
    ),
    Field("minimum_of", "minimum", TEXT, "What has to meet the minimum.", words=MinimumOf),
)

BET_LIMITS: Relation[BetLimits] = Relation(
    "limits of a bet",
    Field("minimum", "minimum", MONEY, "The least that may be staked.", may_be_none=True),
    Field("maximum", "maximum", MONEY, "The most that may be staked.", may_be_none=True),
)

LIMITS: Relation[DisplayedLimits] = Relation(
    "displayed limits",
    Field("minimum", "minimum", MONEY, "The least that may be staked.", may_be_none=True),
    Field("maximum", "maximum", MONEY, "The most that may be staked on a hand.", may_be_none=True),
    Field(
        "maximum_differential", "maximum Differential", MONEY, "The maximum Differential.", may_be_none=True
    ),
    Field("bets", "bets", ByName(BET_LIMITS), "Limits of other bets."),
)

CHIPS: Relation[Chips] = Relation(
    "chips",
    Field("smallest", "smallest", MONEY, "The smallest chip."),
    Field(
        "round",
        "round",
        TEXT,
        "How amounts are rounded to it.",
        lambda chips: chips.rounding,
        words=ChipRounding,
    ),
)

DIFFERENTIALS: Relation[Differential] = Relation(
    "differentials",
    Field("box", "box", NUMBER, "The box; null: the whole table.", may_be_none=True),
    Field("banker", "Banker", MONEY, "Staked on the Banker Hand."),
    Field("player", "Player", MONEY, "Staked on the Player Hand."),
    Field("differential", "Differential", MONEY, "The difference.", lambda one: one.difference),
    Field("maximum", "maximum", MONEY, "The most that it may be."),
    Field("over", "over", MONEY, "By how much it is more.", lambda one: one.excess),
    Field("heavier", "heavier", TEXT, "The hand with more.", may_be_none=True, words=Hand),
    Field("room", "room", BY_HAND, "How much more each hand would take.", lambda one: one.room),
)

PLACED_AND_LEFT: Relation[tuple[Differential, Differential]] = Relation(
    "placed and left",
    Field("placed", "placed", DIFFERENTIALS, "As the bets were placed.", lambda row: row[0]),
    Field("left", "left", DIFFERENTIALS, "As the limits leave them.", lambda row: row[1]),
)

BETTOR: Relation[Bettor] = Relation(
    "bettor",
    Field("box", "box", NUMBER, "The box."),
    Field("player", "player", TEXT, "The player.", lambda one: one.name),
    Field("place", "place", TEXT, "Where the player is.", words=PlayerPlace),
)

WAGERS: Relation[TableWager] = Relation(
    "wagers",
    *BETTOR.part(lambda wager: wager.bettor),
    Field("bet", "bet", TEXT, "The bet's id."),
    Field("placed", "placed", MONEY, "The amount placed.", lambda wager: wager.staked),
)

ACCEPTED: Relation[Acceptance] = Relation(
    "accepted wagers",
    *WAGERS.part(lambda one: one.wager),
    Field("taken", "taken", MONEY, "How much of it is taken.", lambda one: one.accepted),
    Field("rejected", "rejected", MONEY, "How much is not."),
    Field("over_maximum", "over the maximum", MONEY, "Over the maximum."),
    Field("over_differential", "over the Differential", MONEY, "Over the Differential."),
    Field("short_of_minimum", "short of the minimum", MONEY, "Short of the minimum.", lambda one: one.short),
    Field("can_raise", "can raise", FLAG, "Whether it can be raised.", lambda one: one.can_raise if one.short else None, may_be_none=True),
    Field("clauses", "clause", Many(CLAUSE), "The clauses."),
)  # fmt: skip

SHARED: Relation[StakeShare] = Relation(
    "shared wagers",
    *WAGERS.part(lambda one: one.wager),
    Field("share", "share", FRACTION, "The exact share at stake.", lambda one: one.exact),
    Field("at_stake", "at stake", MONEY, "How much wins or loses."),
    Field("returned", "returned", MONEY, "How much is returned."),
    Field("why", "why", TEXT, "Why.", words=Why),
    Field("clause", "clause", CLAUSE, "The clause.", lambda one: one.clause or None, may_be_none=True),
)

SETTLED_WAGERS: Relation[tuple[Bettor, StakeLine]] = Relation(
    "settled wagers",
    *BETTOR.part(lambda row: row[0], "box", "player"),
    *STAKE_LINES.part(lambda row: row[1], "id", "stake", "outcome", "odds", "result", "net", "clause", stake="at_stake"),
    Field("by_rounding", "by rounding", MONEY, "The part of net that comes from rounding.", lambda row: row[1].rounding),
)  # fmt: skip

SETTLED_PLAYERS: Relation[tuple[Bettor, Settlement]] = Relation(
    "settled players",
    *BETTOR.part(lambda row: row[0]),
    Field("net", "net", NET, "Won or lost.", lambda row: row[1].net),
)

HOUSE: Relation[TableSettlement] = Relation(
    "house",
    Field("bets", "bets", ByName(MONEY), "The House's result by bet.", lambda one: one.by_bet),
    Field("net", "the House", NET, "The House's result.", lambda one: one.house),
    Field(
        "by_rounding",
        "by rounding",
        MONEY,
        "The part of it that comes from rounding.",
        lambda one: one.house_rounding,
    ),
)

TABLE_SETTLED: Relation[TableSettlement] = Relation(
    "table settled",
    *HANDS.part(lambda one: one.round),
    Field("lines", "lines", Many(SETTLED_WAGERS), "Every wager."),
    Field("players", "players", Many(SETTLED_PLAYERS), "Every player."),
    Field("house", "the House", HOUSE, "The House.", lambda one: one),
)

OTHERWISE: Relation[tuple[str, LimitedTable]] = Relation(
    "table read otherwise",
    Field("id", "read otherwise", TEXT, "The entry of the register.", lambda row: row[0]),
    Field("at_stake", "at stake", BY_HAND, "At stake on the hands.", lambda row: row[1].on),
    Field(
        *("house", "the House", NET, "The House's result."),
        lambda row: row[1].settlement.house if row[1].settlement else None,
        may_be_none=True,
    ),
)

TABLE: Document[TableAsked] = Document(
    "combinat/table/1",
    "A whole table: combinat table.",
    *GAME.part(lambda row: row.game),
    Field("layout", "layout", TEXT, "The layout.", lambda row: row.state.table.layout),
    Field("closed", "closed", FLAG, "Whether bets are closed.", lambda row: row.state.table.is_closed),
    Field("rules", "rules", PRACTICE, "The practice.", lambda row: row.game.practice if row.game.table_limits else None, may_be_none=True),
    Field("limits", "limits", LIMITS, "The limits displayed.", lambda row: row.state.table.limits),
    Field("chips", "chips", CHIPS, "The chips.", lambda row: row.state.table.chips, may_be_none=True),
    Field(
        *("differentials", "differentials", Many(PLACED_AND_LEFT), "Of the table, or of each box."),
        lambda row: list(zip(row.state.placed, row.state.left, strict=True)),
    ),
    Field(
        *("bets", "bets", Many(Either({Acceptance: ACCEPTED, StakeShare: SHARED})), "Every wager."),
        lambda row: [*row.state.acceptances, *row.state.shares],
    ),
    Field("settlement", "settlement", TABLE_SETTLED, "The table settled.", lambda row: row.state.settlement, may_be_none=True),
    Field(
        *("interpretations", "other readings", Many(OTHERWISE), "The table under each other reading."),
        lambda row: None if row.others is None else list(row.others.items()),
        may_be_absent=True,
    ),
)  # fmt: skip


def table_json(
    game: Game, state: LimitedTable, others: Mapping[str, LimitedTable] | None = None
) -> dict[str, Any]:
    """The table as a document; ``others``: the table under each other reading."""
    return TABLE.object(TableAsked(game, state, others))
