"""The documents of a whole table."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from combinat.base.kinds import CLAUSE, FLAG, MONEY, NUMBER, TEXT
from combinat.base.money import format_money
from combinat.base.relation import ByName, Document, Either, Field, Many, Relation
from combinat.render.blocks import Figure, Section, Words, section
from combinat.report.provisos import GAME, HANDS
from combinat.report.relation_tables import view_table
from combinat.report.table.settlement import NET, round_in_words
from combinat.rules.game import Game
from combinat.rules.house_rules import PRACTICES, Practice
from combinat.rules.table_of_play import Hand
from combinat.table.differential import Acceptance, Differential, ShareReason, StakeShare, TableWager
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


def table_document(state: LimitedTable) -> Section:
    """Return the stakes after the limits, the results of players and House if the cards are known, and other readings."""
    is_closed, others = state.table.is_closed, state.others or {}
    left = "at stake" if is_closed else "taken"
    differentials = [
        row
        for one, other in zip(state.placed, state.left, strict=True)
        for row in (("placed", one), (left, other))
    ]
    other_readings = "Other readings: what is at stake on the hands, and the House's result"
    return section(
        state.game.name,
        _terms(state.game, state.table),
        section("Differential", view_table(DIFFERENTIAL_ROWS, differentials)) if differentials else None,
        section("Stakes after the limits", view_table(SHARED, state.shares)) if is_closed else None,
        None if is_closed else section("Before the bets are closed", view_table(ACCEPTED, state.acceptances)),
        _results(state.settlement, with_chips=state.table.chips is not None) if state.settlement else None,
        section(other_readings, view_table(READ_OTHERWISE, [("none", state), *others.items()]))
        if others
        else None,
    )


def _results(made: TableSettlement, *, with_chips: bool) -> list[Section]:
    """Return the results of every wager, of the players and of the House, and the House's gain from rounding to whole chips."""
    gain = made.house_rounding
    whose = "nobody's" if not gain else "the House's" if gain > 0 else "the players'"
    by_rounding = Figure(gain, NET, after=f", in {whose} favour")
    lines = view_table(SETTLED_WAGERS, made.lines, "chips" if with_chips else "terminal")
    house = view_table(HOUSE_BETS, made.by_bet.items(), total=("total", made.house))
    return [
        section("Results", round_in_words(made.round), lines),
        section("Players", view_table(SETTLED_PLAYERS, made.players)),
        section("The House", house, {"By rounding to whole chips": by_rounding if with_chips else None}),
    ]


def _terms(game: Game, gaming_table: GamingTable) -> dict[str, Words | None]:
    limits, practice, chips = game.table_limits, game.practice, gaming_table.chips
    terms: dict[str, Words | None] = {
        "Layout": f"{gaming_table.layout} ({game.layout(gaming_table.layout).clause})",
        "Bets": "closed" if gaming_table.is_closed else "not yet closed",
        "Limits": f"{game.id} states none: every bet is accepted as placed",
    }
    if limits is not None:
        rests_on = limits.clauses.differential if practice.differential == "table" else limits.clauses.excess
        suspends = f"suspends the pro rata for {practice.in_words('under_minimum')}"
        terms |= {
            "Limits": (*_limits(gaming_table.limits), f" ({limits.clauses.displayed})"),
            "Differential": f"{practice.in_words('differential')} ({rests_on})",
            "Minimum": f"for {practice.in_words('minimum_of')} ({limits.clauses.raised})",
            "Pro rata": f"{practice.in_words('pro_rata')} ({limits.clauses.pro_rata})",
            "Bet under the minimum": f"{suspends} ({limits.clauses.under_minimum})",
        }
    if not gaming_table.is_closed:
        terms |= {"Pro rata": None, "Bet under the minimum": None}
    if chips is None:
        return {**terms, "Chips": "nothing is rounded"}
    after = f" and larger; amounts are rounded {chips.rounding.in_words}"
    return {**terms, "Chips": Figure(chips.smallest, MONEY, before="of ", after=after)}


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


def _to_do(one: Acceptance) -> str:
    """Return the dealer's instruction to the player."""
    if not one.accepted:
        return "take it back"
    if one.short and one.can_raise:
        return f"raise by {format_money(one.short)} or withdraw"
    if one.short:
        return f"withdraw: no room for the {format_money(one.short)} to the minimum"
    return "take back the excess" if one.rejected else "none"


def table_rows(state: LimitedTable) -> tuple[Relation[Any], Sequence[Any]]:
    """Return a row for each wager: settled if the cards are known, otherwise the stake after the limits."""
    if state.settlement is not None:
        return SETTLED_WAGERS, state.settlement.lines
    return (SHARED, state.shares) if state.table.is_closed else (ACCEPTED, state.acceptances)


# ---------------------------------------------------------------- relations and JSON

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
    Field(
        "differential",
        "Differential",
        TEXT,
        "Whether the Differential is that of the table or of each box.",
        words=PRACTICES["differential"],
    ),
    Field(
        "pro_rata",
        "pro rata",
        TEXT,
        "How bets over the Differential are apportioned.",
        words=PRACTICES["pro_rata"],
    ),
    Field(
        "under_minimum",
        "under the minimum",
        TEXT,
        "Whose bets are exempt from the pro rata.",
        words=PRACTICES["under_minimum"],
    ),
    Field(
        "minimum_of",
        "minimum",
        TEXT,
        "Whether the minimum applies to each player's bet or to the sum of a box.",
        words=PRACTICES["minimum_of"],
    ),
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
    Field("banker", "Banker", MONEY, "Staked on the Banker Hand.", views="terminal"),
    Field("player", "Player", MONEY, "Staked on the Player Hand.", views="terminal"),
    Field(
        "differential", "Differential", MONEY, "The difference.", lambda one: one.difference, views="terminal"
    ),
    Field("maximum", "maximum", MONEY, "The maximum Differential."),
    Field("over", "over", MONEY, "The excess over the maximum.", lambda one: one.excess, views="terminal"),
    Field("heavier", "heavier", TEXT, "The hand with more.", may_be_none=True, words=Hand),
    Field("room", "room", BY_HAND, "The amount that may still be bet on each hand.", lambda one: one.room),
)

DIFFERENTIAL_ROWS: Relation[tuple[str, Differential]] = Relation(
    "rows of differentials",
    Field("of", "Differential of", TEXT, "The table or a box.", lambda row: "table" if row[1].box is None else f"box {row[1].box}", views="terminal"),
    Field("bets", "bets", TEXT, "Whether as placed or as the limits leave them.", lambda row: row[0], views="terminal"),
    *DIFFERENTIALS.part(lambda row: row[1], "banker", "player", "differential", "over"),
    Field("room_banker", "room Banker", MONEY, "The amount that may still be bet on the hand.", lambda row: row[1].room(Hand.BANKER), views="terminal"),
    Field("room_player", "room Player", MONEY, "The amount that may still be bet on the hand.", lambda row: row[1].room(Hand.PLAYER), views="terminal"),
)  # fmt: skip
"""Differentials before and after the limits, one row for each."""

PLACED_AND_LEFT: Relation[tuple[Differential, Differential]] = Relation(
    "placed and left",
    Field("placed", "placed", DIFFERENTIALS, "As the bets were placed.", lambda row: row[0]),
    Field("left", "left", DIFFERENTIALS, "As the limits leave them.", lambda row: row[1]),
)

BETTOR: Relation[Bettor] = Relation(
    "bettor",
    Field("box", "box", NUMBER, "The box.", views="terminal chips"),
    Field("player", "player", TEXT, "The player.", lambda one: one.name, views="terminal chips"),
    Field("place", "place", TEXT, "Where the player is.", views="terminal", words=PlayerPlace),
)

WAGERS: Relation[TableWager] = Relation(
    "wagers",
    *BETTOR.part(lambda wager: wager.bettor),
    Field("bet", "bet", TEXT, "The bet's id.", views="terminal"),
    Field("placed", "placed", MONEY, "The amount placed.", lambda wager: wager.staked, views="terminal"),
)

ACCEPTED: Relation[Acceptance] = Relation(
    "accepted wagers",
    *WAGERS.part(lambda one: one.wager),
    Field("taken", "taken", MONEY, "The amount accepted.", lambda one: one.accepted, views="terminal"),
    Field("rejected", "rejected", MONEY, "The amount rejected.", views="terminal"),
    Field("to_do", "to do", TEXT, "The dealer's instruction to the player.", lambda one: _to_do(one), views="terminal", for_people=True),
    Field("over_maximum", "over the maximum", MONEY, "Over the maximum."),
    Field("over_differential", "over the Differential", MONEY, "Over the Differential."),
    Field("short_of_minimum", "short of the minimum", MONEY, "Short of the minimum.", lambda one: one.short),
    Field("can_raise", "can raise", FLAG, "Whether it can be raised.", lambda one: one.can_raise if one.short else None, may_be_none=True),
    Field("clauses", "clause", Many(CLAUSE), "The clauses."),
    Field("cited", "clause", CLAUSE, "The clauses.", lambda one: ", ".join(one.clauses), views="terminal", for_people=True),
)  # fmt: skip

SHARED: Relation[StakeShare] = Relation(
    "shared wagers",
    *WAGERS.part(lambda one: one.wager),
    Field("share", "share", MONEY, "The exact share at stake.", lambda one: one.exact, views="terminal"),
    Field("at_stake", "at stake", MONEY, "The amount that wins or loses.", views="terminal"),
    Field("returned", "back", MONEY, "The amount returned.", views="terminal"),
    Field("why", "why", TEXT, "The reason.", words=ShareReason),
    Field("reason", "why", TEXT, "The reason in words.", lambda one: one.why.in_words, views="terminal", for_people=True),
    Field("clause", "clause", CLAUSE, "The clause.", lambda one: one.clause or None, views="terminal", may_be_none=True),
)  # fmt: skip

SETTLED_WAGERS: Relation[tuple[Bettor, StakeLine]] = Relation(
    "settled wagers",
    *BETTOR.part(lambda row: row[0], "box", "player"),
    *STAKE_LINES.part(lambda row: row[1], "id"),
    Field("bet", "bet", TEXT, "The bet's name.", lambda row: row[1].name, views="terminal chips", for_people=True),
    Field("at_stake", "at stake", MONEY, "The amount that wins or loses.", lambda row: row[1].stake, views="terminal chips"),
    *STAKE_LINES.part(lambda row: row[1], "outcome", "odds", "result", "net"),
    Field("by_rounding", "by rounding", NET, "The part of net that comes from rounding.", lambda row: row[1].rounding, views="chips"),
    *STAKE_LINES.part(lambda row: row[1], "clause"),
)  # fmt: skip

SETTLED_PLAYERS: Relation[tuple[Bettor, Settlement]] = Relation(
    "settled players",
    *BETTOR.part(lambda row: row[0]),
    Field("net", "net", NET, "Won or lost.", lambda row: row[1].net, views="terminal"),
)

HOUSE_BETS: Relation[tuple[str, Fraction]] = Relation(
    "house by bet",
    Field("bet", "bet", TEXT, "The bet's id.", lambda row: row[0], views="terminal"),
    Field("net", "the House", NET, "The House's result.", lambda row: row[1], views="terminal"),
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

READ_OTHERWISE: Relation[tuple[str, LimitedTable]] = Relation(
    "table read otherwise",
    Field("id", "other reading", TEXT, "The entry of the register.", lambda row: row[0], views="terminal"),
    Field("at_stake", "at stake", BY_HAND, "At stake on the hands.", lambda row: row[1].on),
    Field("banker", "Banker", MONEY, "At stake on it.", lambda row: row[1].on(Hand.BANKER), views="terminal", for_people=True),
    Field("player", "Player", MONEY, "At stake on it.", lambda row: row[1].on(Hand.PLAYER), views="terminal", for_people=True),
    Field(
        *("house", "the House", NET, "The House's result."),
        lambda row: row[1].settlement.house if row[1].settlement else None,
        views="terminal",
        may_be_none=True,
    ),
)  # fmt: skip

TABLE: Document[LimitedTable] = Document(
    "combinat/table/1",
    "A whole table: combinat table.",
    *GAME.part(lambda row: row.game),
    Field("layout", "layout", TEXT, "The layout.", lambda row: row.table.layout),
    Field("closed", "closed", FLAG, "Whether bets are closed.", lambda row: row.table.is_closed),
    Field("rules", "rules", PRACTICE, "The practice.", lambda row: row.game.practice if row.game.table_limits else None, may_be_none=True),
    Field("limits", "limits", LIMITS, "The limits displayed.", lambda row: row.table.limits),
    Field("chips", "chips", CHIPS, "The chips.", lambda row: row.table.chips, may_be_none=True),
    Field(
        *("differentials", "differentials", Many(PLACED_AND_LEFT), "Of the table, or of each box."),
        lambda row: list(zip(row.placed, row.left, strict=True)),
    ),
    Field(
        *("bets", "bets", Many(Either({Acceptance: ACCEPTED, StakeShare: SHARED})), "Every wager."),
        lambda row: [*row.acceptances, *row.shares],
    ),
    Field("settlement", "settlement", TABLE_SETTLED, "The table settled.", lambda row: row.settlement, may_be_none=True),
    Field(
        *("interpretations", "other readings", Many(READ_OTHERWISE), "The table under each other reading."),
        lambda row: None if row.others is None else list(row.others.items()),
        may_be_absent=True,
    ),
)  # fmt: skip
