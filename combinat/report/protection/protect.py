"""Which bets can be beaten, by the position of the cut card: the document of ``combinat protect``."""

from collections.abc import Iterator

from combinat.base.kinds import FRACTION, NUMBER, TEXT, decimal, telling
from combinat.base.relation import Document, Field, Many, Relation
from combinat.protection.protect import Proof, ProtectAnswer, WagerAtCut
from combinat.protection.summary import Beaten
from combinat.render.blocks import Cell, Column, Figure, Meaning, Paragraph, Row, Section, Table, Terms, table
from combinat.report.analysis.odds import PERCENT, shoe_in_words
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

WAGERS_AT_CUT: Relation[WagerAtCut] = Relation(
    "wagers by cut card",
    Field("id", "bet", TEXT, "The bet's id, or the insurance such as player@four-cards.", views="terminal"),
    Field("house_edge", "house edge %", PERCENT, "House edge on the fresh shoe, a unit on every offer.", views="terminal"),
    Field("cut_card", "cut card", NUMBER, "Cards behind the cut card.", views="terminal"),
    Field("count_gain", "count >=", decimal(4), "Gain of a shoe by the best simple count, in units: at least.", views="terminal"),
    Field("perfect_gain", "perfect >=", decimal(4), "Gain of a shoe by perfect play, in units: at least.", views="terminal"),
    Field("ceiling", "perfect <=", UNITS, "Gain of a shoe by perfect play, in units: at most; no player can gain more.", views="terminal"),
    Field("proof", "proof", TEXT, "The bound from which most of it comes: exact play, a count, or the variance.", words=Proof, views="terminal"),
    Field("beaten", "beaten by", TEXT, "The player who gains more than the limit in a shoe.", words=Beaten),
)  # fmt: skip


def _beaten_by(row: WagerAtCut) -> Cell:
    """Return the verdict in words; a verdict that is open as the range in which the gain of perfect play is."""
    if row.beaten is not Beaten.OPEN:
        return BEATEN[row.beaten]
    return (
        "between ",
        Figure(row.perfect_gain, decimal(2)),
        " and ",
        Figure(row.ceiling, decimal(2, up=True)),
    )


PROTECTION: Document[ProtectAnswer] = Document(
    "combinat/protection/1",
    "Which bets can be beaten, by the position of the cut card: combinat protect.",
    *GAME.part(lambda row: row.game),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("limit", "limit", FRACTION, "The limit on the gain of a shoe, in units."),
    Field("bets", "bets", Many(WAGERS_AT_CUT), "Every bet with every cut card.", lambda row: row.wagers),
)


def protect_document(answer: ProtectAnswer) -> Section:
    """Return the verdicts by cut card, then the bounds that they rest on."""
    deepest = min(answer.cut_cards)
    here = [one for one in answer.wagers if one.cut_card == deepest]
    beaten = [one for one in here if one.beaten not in (Beaten.NO_ONE, Beaten.OPEN)]
    shown = WAGERS_AT_CUT.view("terminal")
    rows = [
        Row(
            (*cells(shown, one), _beaten_by(one)),
            Meaning.PLAIN if one.beaten in (Beaten.NO_ONE, Beaten.OPEN) else Meaning.FAVOURS_PLAYER,
        )
        for one in answer.wagers
    ]
    title = f"{answer.game.name}: {len(beaten)} of {len(here)} bets can be beaten with {deepest} cards behind the cut card"
    return Section(
        title,
        (
            Terms({f"Cut card at {cut}": "; ".join(_verdicts(answer, cut)) for cut in answer.cut_cards}),
            Terms(
                {
                    "Shoe": shoe_in_words(answer.shoe),
                    "Limit": (Figure(answer.limit, telling(decimal(2), answer.limit)), " units a shoe"),
                }
            ),
            table((*columns(shown), Column("beaten by")), rows),
            *map(Paragraph, NOTES),
            Paragraph(ROUNDED),
        ),
    )


def _verdicts(answer: ProtectAnswer, cut: int) -> Iterator[str]:
    """Yield the bets by verdict, in words."""
    for verdict, words in BEATEN.items():
        bets = [one.id for one in answer.wagers if one.cut_card == cut and one.beaten is verdict]
        if bets:
            lead = words if verdict is Beaten.OPEN else f"beaten by {words}"
            yield f"{lead}: {', '.join(bets)}"


NOTES = (
    "Gains of a player in a shoe, in units; the player stakes one unit a round or nothing, and sees every card dealt. count: the best "
    "simple count (combinat count GAME shows it). perfect: perfect play, a player who tracks every card (for example with a "
    "device). All are proven bounds, none is simulated: a count gains at least count >=, perfect play at least perfect >=, and no "
    "player more than perfect <=. proof: the bound from which most of perfect <= comes: the exact gain of perfect play deep in the "
    "shoe, a count, or the variance. A player who looks at every round gains more than the lower bounds.",
    "Beaten by anyone: the bet, or an insurance offer, favours the player from the first card. A count, exact composition: the "
    "simple count, or only perfect play, gains more than the limit. No one: no player can. Between two gains: not settled; the gain of perfect "
    "play is between these bounds, and so is the limit. To settle it, study 10000 dealt shoes.",
    "Assumptions: the round in which the cut card comes is finished and one more is dealt; no card is burnt. Insurance: a unit on "
    "every offer taken; the document's limits on it are ignored, and its house edge is that of a unit on every offer.",
)


def protect_csv(answer: ProtectAnswer) -> Table:
    """Return every bet with every cut card, exact and decimal."""
    return program_table(WAGERS_AT_CUT, answer.wagers)
