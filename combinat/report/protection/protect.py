"""The documents of ``combinat protect``, also part of a report: the bets that can be beaten, by the position of the cut card."""

from collections.abc import Iterator, Sequence

from combinat.base.kinds import FRACTION, NUMBER, TEXT, decimal, with_enough_decimals
from combinat.base.relation import Document, Field, Many, Relation
from combinat.protection.ceiling import USUAL_DEALING
from combinat.protection.insurance_play import FavourableOffers
from combinat.protection.protect import Beaten, Proof, ProtectAnswer, ProtectedWager, WagerAtCut
from combinat.render.blocks import (
    Cell,
    Column,
    Figure,
    Meaning,
    Row,
    Section,
    Table,
    Terms,
    section,
    table,
)
from combinat.report.analysis.odds import PERCENT, shoe_in_words
from combinat.report.protection.count import BETTING, SIMPLE_COUNT
from combinat.report.protection.perfect import ROUNDED, UNITS
from combinat.report.provisos import GAME, SHOE
from combinat.report.relation_tables import cells, columns, program_table

BEATEN = {
    Beaten.ANYONE: "anyone",
    Beaten.COUNT: "a count",
    Beaten.COMPOSITION: "exact composition",
    Beaten.OPEN: "not settled",
    Beaten.NO_ONE: "no one",
}
"""The player who can beat a wager, in words."""

FEWEST_LEFT = USUAL_DEALING.fewest_left()

WAGERS: Relation[ProtectedWager] = Relation(
    "wagers",
    Field("id", "bet", TEXT, "The bet's id, or the insurance such as player@four-cards.", views="terminal offers"),
    Field("house_edge", "house edge %", PERCENT, "House edge on the fresh shoe, a unit on every offer.", views="terminal"),
)  # fmt: skip

CUTS: Relation[WagerAtCut] = Relation(
    "wagers by cut card",
    Field("cut_card", "cut card", NUMBER, "Cards behind the cut card.", views="terminal"),
    Field("count_gain", "count >=", decimal(4), "Gain of a shoe by the best simple count, in units: at least.", views="terminal"),
    Field("perfect_gain", "perfect >=", decimal(4), "Gain of a shoe by perfect play, in units: at least.", views="terminal"),
    Field("ceiling", "perfect <=", UNITS, "Gain of a shoe by perfect play, in units: at most; no player can gain more.", views="terminal"),
    Field("proof", "proof", TEXT, "The bound from which most of it comes: exact play, a count, or the variance.", words=Proof, views="terminal"),
    Field("beaten", "beaten by", TEXT, "The player who gains more than the limit in a shoe.", words=Beaten),
)  # fmt: skip

WAGERS_AT_CUT: Relation[tuple[ProtectedWager, WagerAtCut]] = CUTS.under(*WAGERS.fields)

OFFERS: Relation[FavourableOffers] = Relation(
    "offers that favour the player",
    Field("by_totals", "by totals", BETTING, "From the first round on, judged by both totals."),
    Field("by_cards", "by cards", BETTING, "From the first round on, judged by the cards on the table."),
    Field("last_round", "last round", BETTING, f"By every card seen, in a round that begins with {FEWEST_LEFT} cards left."),
)  # fmt: skip

PROTECTED: Relation[ProtectedWager] = Relation(
    "protected wagers",
    *WAGERS.fields,
    Field("count", "count", SIMPLE_COUNT, "The best simple count."),
    Field("offers", "offers", OFFERS, "Of insurance: a unit on every offer that favours the player, per round dealt.", may_be_none=True),
    Field("cuts", "cut cards", Many(CUTS), "The bounds for each position of the cut card."),
)  # fmt: skip

PROTECTION: Document[ProtectAnswer] = Document(
    "combinat/protection/2",
    "Which bets can be beaten, by the position of the cut card: combinat protect.",
    *GAME.part(lambda row: row.game),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("limit", "limit", FRACTION, "The limit on the gain of a shoe, in units."),
    Field("bets", "bets", Many(PROTECTED), "Every bet.", lambda row: row.wagers),
)


def protect_document(answer: ProtectAnswer) -> Section:
    """Return the verdicts by cut card, then the bounds behind them."""
    deepest = [min(wager.cuts, key=lambda at: at.cut_card) for wager in answer.wagers]
    beaten = [at for at in deepest if is_beaten(at)]
    title = (
        f"{answer.game.name}: {len(beaten)} of {len(deepest)} bets can be beaten with {deepest[0].cut_card} "
        "cards behind the cut card"
    )
    limit = (Figure(answer.limit, with_enough_decimals(decimal(2), answer.limit)), " units a shoe")
    return section(
        title,
        verdict_terms(answer.wagers),
        {"Shoe": shoe_in_words(answer.shoe), "Limit": limit},
        verdict_table(answer.wagers),
        NOTES,
        ROUNDED,
    )


def is_beaten(at: WagerAtCut) -> bool:
    """Return whether some player provably gains more than the limit."""
    return at.beaten not in (Beaten.NO_ONE, Beaten.OPEN)


def verdict_terms(wagers: Sequence[ProtectedWager]) -> Terms:
    """Return the bets by verdict, for each cut card."""
    return Terms(
        {f"Cut card at {at.cut_card}": tuple(_verdicts(wagers, at.cut_card)) for at in wagers[0].cuts}
    )


def _verdicts(wagers: Sequence[ProtectedWager], cut: int) -> Iterator[str]:
    """Yield the parts of a sentence, the id of each bet by itself."""
    between = ""
    for verdict, words in BEATEN.items():
        bets = [one.id for one in wagers for at in one.cuts if (at.cut_card, at.beaten) == (cut, verdict)]
        lead = words if verdict is Beaten.OPEN else f"beaten by {words}"
        for bet in bets:
            yield f"{between}{lead}: " if bet is bets[0] else ", "
            yield bet
            between = "; "


def verdict_table(wagers: Sequence[ProtectedWager], caption: str = "") -> Table:
    """Return the bounds of each bet with each cut card, and the players who beat it."""
    shown = WAGERS_AT_CUT.view("terminal")
    rows = [
        Row(
            (*cells(shown, (one, at)), _beaten_by(at)),
            Meaning.FAVOURS_PLAYER if is_beaten(at) else Meaning.PLAIN,
        )
        for one in wagers
        for at in one.cuts
    ]
    return table((*columns(shown), Column("beaten by")), rows, caption)


def _beaten_by(at: WagerAtCut) -> Cell:
    """Return the verdict in words; for an open verdict, the range of the gain of perfect play."""
    if at.beaten is not Beaten.OPEN:
        return BEATEN[at.beaten]
    between = Figure(at.perfect_gain, decimal(2)), Figure(at.ceiling, decimal(2, up=True))
    return ("between ", between[0], " and ", between[1])


NOTES = (
    "Gains of a player in a shoe, in units; the player stakes one unit a round or nothing, and sees every card dealt. count: the best "
    "simple count (combinat count GAME shows it). perfect: perfect play, a player who tracks every card (for example with a "
    "device). All are proven bounds, none is simulated: the simple count gains at least count >=, perfect play at least perfect >=, and no "
    "player more than perfect <=. proof: the source of most of the bound perfect <=, which is the exact gain of perfect play deep in the "
    "shoe, a count, or the variance. A player who decides anew before every round gains more than the lower bounds.",
    "Beaten by anyone: the bet, or an insurance offer, favours the player from the first card. Beaten by a count: the simple count gains "
    "more than the limit. Beaten by exact composition: only perfect play does. Beaten by no one: no player can. Between two gains: not "
    "settled, because the limit is between the bounds. To settle it, study 10000 dealt shoes.",
    "Assumptions: the round in which the cut card appears is finished and one more is dealt; no card is burnt. Insurance: one unit on "
    "every offer taken; the document's limits on it are ignored. Its house edge is that of one unit on every offer.",
)


def protect_csv(answer: ProtectAnswer) -> Table:
    """Return every bet with every cut card, exact and decimal."""
    return program_table(WAGERS_AT_CUT, wager_rows(answer.wagers))


def wager_rows(wagers: Sequence[ProtectedWager]) -> list[tuple[ProtectedWager, WagerAtCut]]:
    """Return a row for each cut card of each bet."""
    return [(one, at) for one in wagers for at in one.cuts]
