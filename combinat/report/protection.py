"""Game protection as a report shows it: who can beat a bet, by which count, perfect play, ceilings, cut cards."""

from collections.abc import Iterator, Sequence

from combinat.analysis.dossier import Dossier
from combinat.analysis.protection.ceiling import LEAST_BEHIND
from combinat.analysis.protection.summary import (
    CUT_CARDS,
    PERFECT_LEFT,
    ROUND_LIMIT,
    Beaten,
    BetProtection,
    SimpleCount,
)
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
from combinat.render.kinds import COUNT, percentage
from combinat.report.odds import PERCENT
from combinat.report.perfect import CEILING, TRUE, UNITS
from combinat.report.removal import CHANGE
from combinat.rules.bounds import COUNTED_CARDS
from combinat.rules.cards import RANKS, format_cards

BEATEN = {
    Beaten.ANYONE: "anyone",
    Beaten.NO_ONE: "no one",
    Beaten.COUNT: "a count",
    Beaten.COMPOSITION: "exact composition",
}
"""By whom a bet can be beaten, in a cell."""

OF_A_STAKE, OF_A_UNIT = "0.1 % of a stake", "a tenth of a unit"
"""The limits of a round and of a shoe, in words."""

TOO_LARGE = (
    f"The shoe of this report has more than {COUNTED_CARDS} cards: counts, perfect play and ceilings are not computed "
    "for it."
)


def protection_blocks(dossier: Dossier) -> tuple[Block, ...]:
    """What is said of the protection of every bet, before the effects of removal."""
    bets = dossier.protection
    if not bets:
        return (Paragraph(TOO_LARGE),)
    return (
        Paragraph(
            (
                "A fresh shoe of ",
                Figure(dossier.reference_decks, COUNT),
                " decks; a player who sees every card dealt, knows no other, and stakes a unit a round or nothing. "
                "All figures are exact or proven bounds; nothing is simulated.",
            )
        ),
        Section("Who can beat what", (_verdicts(bets), Terms({one.bet: _sentence(one) for one in bets}))),
        Section("The best simple counts", tuple(_counts(bets))),
        Section(f"Perfect play with {PERFECT_LEFT} cards left", tuple(_perfect(bets))),
        Section("Ceilings", tuple(_ceilings(bets))),
    )


def _verdicts(bets: Sequence[BetProtection]) -> Table:
    columns = (
        Column("bet"),
        Column("beaten by"),
        Column("safe until, cards left", COUNT),
        Column(f"ceiling a shoe, {CUT_CARDS[0]} behind", UNITS),
        Column("cut card advised", COUNT),
    )
    rows = [
        Row(
            (one.bet, BEATEN[one.beaten], one.safe_left, one.shoe_ceilings[0].gain, one.cut_card),
            Meaning.FAVOURS_PLAYER if one.beaten is Beaten.ANYONE else Meaning.PLAIN,
        )
        for one in bets
    ]
    return table(columns, rows)


def _sentence(one: BetProtection) -> Words:
    """Who can beat the bet, in a plain sentence; it says no more than was computed."""
    match one.beaten:
        case Beaten.ANYONE:
            return "It favours the player from the first card on: nothing need be counted."
        case Beaten.NO_ONE:
            return (
                "No one can gain more than ",
                Figure(one.shoe_ceilings[0].gain, UNITS),
                f" units in a shoe with {CUT_CARDS[0]} cards behind the cut card, whatever is counted.",
            )
        case Beaten.COUNT if one.count is not None:
            return _beaten_by_count(one.count)
        case _:
            return tuple(_beaten_by_composition(one))


def _beaten_by_count(count: SimpleCount) -> Words:
    at = max((depth for depth in count.depths if depth.gain > ROUND_LIMIT), key=lambda depth: depth.left)
    return (
        f"A person with a count can beat it: with {at.left} cards left, betting from a true count of ",
        Figure(at.true_count, TRUE),
        " on, in ",
        Figure(at.chance, PERCENT),
        " % of the rounds, gains ",
        Figure(at.gain, PERCENT),
        " % of a stake a round.",
    )


def _beaten_by_composition(one: BetProtection) -> Iterator[str | Figure]:
    if one.count is None:
        yield "The removal of one card changes nothing, whichever it is, so that no tags follow. "
    else:
        yield f"The simple count gains no more than {OF_A_STAKE} a round at the depths shown. "
    if one.perfect is None:
        yield "What knowing every card gone would gain is bounded by the ceilings alone."
        return
    yield "Who knows every card gone, as a machine may, gains "
    yield Figure(one.perfect.gain, PERCENT)
    yield f" % of a stake in a round with {one.perfect.left} cards left, and no more than that in any earlier one."


def _counts(bets: Sequence[BetProtection]) -> Iterator[Block]:
    counted = [(one.bet, one.count) for one in bets if one.count is not None]
    if not counted:
        yield Paragraph("No bet has effects of removal that give tags.")
        return
    ranks = [*RANKS[:9], f"{RANKS[9]}-{RANKS[-1]}"]
    columns = (Column("bet"), *(Column(rank, COUNT) for rank in ranks), Column("sees %", percentage(2)))
    yield table(columns, [(bet, *count.tags[: len(ranks)], count.share) for bet, count in counted])
    yield Paragraph(
        "What is added for each card seen: of all balanced whole tags of at most 2 in size those that go with the "
        "effects of removal best, and the share that they see of what the effects themselves would see. A bet that is "
        "not listed has none."
    )
    columns = (
        Column("bet"),
        Column("cards left", COUNT),
        Column("true count", TRUE),
        Column("bets %", PERCENT),
        Column("gain a round %", PERCENT),
    )
    rows: list[tuple[Cell, ...]] = []
    for bet, count in counted:
        for number, depth in enumerate(count.depths):
            name = "" if number else bet
            rows.append((name, depth.left, depth.true_count, depth.chance, depth.gain))
    yield table(columns, rows)
    yield Paragraph(
        "From which true count on (the running count divided by the decks left) a bet favours the player, how often it "
        "is bet then, and what that gains a round, bet or not, in per cent of a stake."
    )


def _perfect(bets: Sequence[BetProtection]) -> Iterator[Block]:
    played = [(one.bet, one.perfect) for one in bets if one.perfect is not None]
    columns = (
        Column("bet"),
        Column("favourable %", PERCENT),
        Column("average edge %", PERCENT),
        Column("gain a round %", PERCENT),
    )
    if played:
        yield table(columns, [(bet, play.favourable, play.edge, play.gain) for bet, play in played])
    yield Paragraph(
        f"The fewest cards with which a round can begin where {CUT_CARDS[0]} are behind the cut card. Over every "
        "composition of the cards left, weighed exactly: how often a bet favours the player, the average edge then, and "
        "the gain of one who bets only then. No earlier round has more to gain."
    )
    if len(played) < len(bets):
        yield Paragraph(
            "A bet that looks at ranks and points together is not listed; combinat perfect has it."
        )


def _ceilings(bets: Sequence[BetProtection]) -> Iterator[Block]:
    columns = (Column("bet"), *(Column(f"{at.left} left", CEILING) for at in bets[0].ceilings))
    yield table(columns, [(one.bet, *(at.gain for at in one.ceilings)) for one in bets])
    yield Paragraph(
        "What no one can gain more than in a round that begins with so many cards left, in per cent of a stake, "
        f"rounded up: a proven bound for every way to count. Safe until: the fewest cards left at which that is "
        f"{OF_A_STAKE} or less."
    )
    columns = (Column("bet"), *(Column(f"{at.behind} behind", UNITS) for at in bets[0].shoe_ceilings))
    yield table(columns, [(one.bet, *(at.gain for at in one.shoe_ceilings)) for one in bets])
    yield Paragraph(
        "What no one can gain more than in a whole shoe, in units of a stake, rounded up, with so many cards behind "
        "the cut card; the round in which it comes is finished and one more dealt. Cut card advised: the fewest cards "
        f"behind it at which that is {OF_A_UNIT} or less ({LEAST_BEHIND} at least). What is really gained may be far "
        "less than a ceiling."
    )


def two_cards_blocks(bets: Sequence[BetProtection]) -> Iterator[Block]:
    """Two cards removed, for the bets of which single cards explain less than half."""
    shown = [one for one in bets if one.worst is not None and one.best is not None]
    if not shown:
        return
    columns = (
        Column("bet"),
        Column("explained by single cards %", percentage(2)),
        Column("worst two for the player"),
        Column("best two for the player"),
    )
    yield table(columns, [(one.bet, one.first_order, *_two(one)) for one in shown])
    yield Paragraph(
        "Bets of which the removal of single cards explains less than half, and the two cards that matter most when they "
        "go together."
    )


def _two(one: BetProtection) -> Iterator[Cell]:
    for two in (one.worst, one.best):
        if two is not None:
            yield Figure(two.change, CHANGE, before=f"{format_cards(two.removed)}: ")
