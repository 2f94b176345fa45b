"""Game protection as a report shows it: a verdict on every bet, and in an annex what it rests on."""

from collections.abc import Iterator, Sequence

from combinat.base.kinds import COUNT, percentage
from combinat.certify.dossier import Dossier
from combinat.protection.ceiling import USUAL_DEALING
from combinat.protection.summary import (
    CUT_CARDS,
    PERFECT_LEFT,
    ROUND_LIMIT,
    Beaten,
    BetProtection,
    InsuranceProtection,
    Protected,
)
from combinat.protection.wagers import LARGEST_TAG
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
    table,
)
from combinat.report.analysis.odds import PERCENT
from combinat.report.analysis.removal import CHANGE
from combinat.report.protection.count import index_cell
from combinat.report.protection.perfect import CEILING, UNITS
from combinat.report.protection.protect import BEATEN
from combinat.rules.bounds import COUNTED_CARDS
from combinat.rules.cards import RANKS, format_cards

OF_A_STAKE, OF_A_UNIT = "0.1 % of a stake", "a tenth of a unit"
"""The limits of a round and of a shoe, in words."""

INDEX_LEFT = 26
"""The depth at which the table of verdicts shows a count."""

TOO_LARGE = (
    f"The shoe of this report has more than {COUNTED_CARDS} cards: counts, perfect play and ceilings are not computed "
    "for it."
)


def protection_blocks(dossier: Dossier) -> tuple[Block, ...]:
    """Return the verdict on every bet and on insurance: about a page."""
    bets, insurance = dossier.protection, dossier.insurance_protection
    if not bets:
        return (Paragraph(TOO_LARGE),)
    return (
        Paragraph(
            (
                "A fresh shoe of ",
                Figure(dossier.reference_decks, COUNT),
                f" deck{'' if dossier.reference_decks == 1 else 's'}. A player sees every card dealt and no other card, and each "
                "round stakes one unit on a bet or nothing. Assumption: the rules state no position of the cut card; this section "
                f"assumes {CUT_CARDS[0]} cards behind it. The round in which the cut card appears is finished, and one more is dealt, "
                f"so that a round starts with at least {PERFECT_LEFT} cards. All figures are exact or proven bounds; none is simulated.",
            )
        ),
        Section("Who can beat each bet", (_verdicts(bets, insurance), *_meanings(bets))),
        *([Section("Insurance", tuple(_offers(insurance)))] if insurance else []),
    )


def _meanings(bets: Sequence[BetProtection]) -> tuple[Paragraph, Paragraph]:
    """Return the meanings of the columns of the verdicts, with their limits."""
    *others, last = [str(at.left) for at in reversed(bets[0].count.depths)]
    return (
        Paragraph(
            f"Beaten by: no one, if it is proven that no player can gain more than {OF_A_UNIT} in a shoe; anyone, if the bet favours "
            f"the player from the first card; a count, if the simple count gains more than {OF_A_STAKE} in a round at one of the "
            f"depths examined ({', '.join(others)} and {last} cards left); exact composition, if the simple count does not, but a player who "
            f"tracks every card (for example with a device) does with {PERFECT_LEFT} cards left; not settled otherwise. From: the largest "
            f"number of cards left, of those examined, at which this holds. Safe until: with this many cards left or more, no player can gain "
            f"more than {OF_A_STAKE} in a round. For another cut card, compare both depths: with N cards behind it, no round starts "
            f"with fewer than N - {CUT_CARDS[0] - PERFECT_LEFT} cards. Rows that favour the player from the first card are marked."
        ),
        Paragraph(
            "True count: the running count divided by the decks unseen, from which the simple count bets upwards or downwards; count %: "
            'its gain per round, in per cent of a stake. Both are for the depth in the column "from" if a count beats the bet, and for '
            f"{INDEX_LEFT} cards left otherwise. A count takes every offer of an insurance table from that true count, with the cards on the "
            f"table counted. Perfect: the gain of a player who tracks every card, with {PERFECT_LEFT} cards left; no earlier round gains more. "
            "Ceiling: an upper bound on the gain of any player in a shoe, in units. Sufficient cut card: the fewest cards behind the cut card "
            f"for which the ceiling is proven to be at most {OF_A_UNIT} with every number of decks of this report "
            f"({decks_in_words([cut.decks for cut in bets[0].cut_cards])}; a dash: there is none). Fewer may suffice, but that is not proven."
        ),
    )


def decks_in_words(decks: Sequence[int]) -> str:
    """Numbers of decks in words: a range where they follow each other.

    >>> decks_in_words([4, 5, 6]), decks_in_words([4, 6, 8]), decks_in_words([8])
    ('4 to 6', '4, 6 and 8', '8')
    """
    *others, last = decks
    if len(decks) > 2 and list(decks) == list(range(decks[0], last + 1)):
        return f"{decks[0]} to {last}"
    return f"{', '.join(map(str, others))} and {last}" if others else str(last)


def _verdicts(bets: Sequence[BetProtection], insurance: Sequence[InsuranceProtection]) -> Table:
    columns = (
        Column("bet"),
        Column("beaten by"),
        Column("from, cards left", COUNT, name="from"),
        Column("safe until, cards left", COUNT, name="safe_until"),
        Column("true count"),
        Column("count %", PERCENT),
        Column("perfect %", PERCENT),
        Column("ceiling", UNITS),
        Column("sufficient cut card", COUNT),
    )
    rows = [_verdict(one) for one in (*bets, *insurance)]
    return table(columns, rows, "Who can beat each bet, from which depth on, and the proven bounds")


def _verdict(one: Protected) -> Row:
    perfect = one.perfect.gain if one.perfect else None
    left = one.beaten_from if one.beaten is Beaten.COUNT else INDEX_LEFT
    at = next(at for at in one.count.depths if at.left == left)
    cells = (
        *(one.name, BEATEN[one.beaten], one.beaten_from, one.safe_left, index_cell(at), at.gain, perfect),
        *(one.shoe_ceilings[0].gain, one.cut_card),
    )
    return Row(cells, Meaning.FAVOURS_PLAYER if one.beaten is Beaten.ANYONE else Meaning.PLAIN)


def _offers(insurance: Sequence[InsuranceProtection]) -> Iterator[Block]:
    columns = (
        Column("insurance"),
        Column("by totals: takes %", PERCENT),
        Column("gain a round %", PERCENT),
        Column("by cards: takes %", PERCENT),
        Column("gain a round %", PERCENT),
        Column(f"{PERFECT_LEFT} left: takes %", PERCENT),
        Column("gain a round %", PERCENT),
    )
    rows = [
        Row(
            (
                one.name,
                *(one.by_totals.chance, one.by_totals.gain, one.by_cards.chance, one.by_cards.gain),
                *(one.perfect.favourable, one.perfect.gain),
            ),
            Meaning.FAVOURS_PLAYER if one.by_cards.gain > ROUND_LIMIT else Meaning.PLAIN,
        )
        for one in insurance
    ]
    yield table(columns, rows, "Gain from taking every insurance offer that favours the player")
    yield Paragraph(
        "One unit on every offer that favours the player, per round dealt: from the first round, judged by both totals or by the cards on "
        f"the table; and for a player who tracks every card, in a round that starts with {PERFECT_LEFT} cards left. No round gains less than "
        "the fresh shoe by cards, or more than the last round. The document's limits on insurance stakes and the insured bet are left out. "
        f"Rows with a gain by cards over {OF_A_STAKE} in a round are marked."
    )


# ---------------------------------------------------------------- the annex


def protection_annex_blocks(dossier: Dossier) -> tuple[Block, ...]:
    """Return the evidence for the verdicts: the counts, perfect play, the ceilings."""
    bets, insurance = dossier.protection, dossier.insurance_protection
    if not bets:
        return ()
    every: tuple[Protected, ...] = (*bets, *insurance)
    return (
        Section("The simple counts", tuple(_counts(every))),
        Section(f"Perfect play with {PERFECT_LEFT} cards left", tuple(_perfect(bets, every))),
        Section("Ceilings", tuple(_ceilings(every))),
    )


def _counts(every: Sequence[Protected]) -> Iterator[Block]:
    columns = (Column("bet"), *(Column(rank, COUNT) for rank in RANKS), Column("sees %", percentage(2)))
    rows = [(one.name, *one.count.tags, one.count.share) for one in every]
    yield table(columns, rows, "Tags of the simple counts, by rank")
    yield Paragraph(
        f"The balanced integer tags of at most {LARGEST_TAG} in size, one for each rank, that correlate best with the effects of removal, and "
        "the share of their betting correlation. For insurance, the effects are those of one unit on every offer. A dash: single cards have "
        "no effect, so no tags are best; the low ranks are then counted against the high ranks."
    )
    columns = (
        Column("bet"),
        Column("cards left", COUNT),
        Column("true count"),
        Column("bets %", PERCENT),
        Column("gain a round %", PERCENT),
    )
    depths = [
        ("" if number else one.name, at.left, index_cell(at), at.chance, at.gain)
        for one in every
        for number, at in enumerate(one.count.depths)
    ]
    yield table(columns, depths, "Gains of the simple counts")
    yield Paragraph(
        "True count: the count from which it bets, upwards and downwards, since a bet may gain on both sides of the mean (a side that gains less "
        "than a hundredth of the other is ignored). Then how often it bets, and the gain a round, bet or not, in per cent of a stake. Cards left: "
        "at the start of the round; for insurance the cards on the table are counted too."
    )


def _perfect(bets: Sequence[BetProtection], every: Sequence[Protected]) -> Iterator[Block]:
    played = [(one.name, one.perfect) for one in every if one.perfect is not None]
    columns = (
        Column("bet"),
        Column("favourable %", PERCENT),
        Column("player's edge %", PERCENT),
        Column("gain a round %", PERCENT),
    )
    if played:
        rows = [(name, play.favourable, play.edge, play.gain) for name, play in played]
        yield table(columns, rows, f"Perfect play with {PERFECT_LEFT} cards left")
    yield Paragraph(
        f"These are the fewest cards with which a round can start with {CUT_CARDS[0]} cards behind the cut card. Over every composition of the "
        "cards left, weighted exactly: how often a bet favours the player, the average edge then, and the gain of a player who bets only then. "
        "No earlier round gains more."
    )
    if any(one.perfect is None for one in bets):
        yield Paragraph(
            "Bets that depend on both ranks and points are not listed; combinat perfect computes them."
        )


def _ceilings(every: Sequence[Protected]) -> Iterator[Block]:
    first = every[0]
    columns = (Column("bet"), *(Column(f"{at.left} left", CEILING) for at in first.ceilings))
    rows: list[tuple[Cell, ...]] = [(one.name, *(at.gain for at in one.ceilings)) for one in every]
    yield table(columns, rows, "Ceilings of a round, by cards left")
    yield Paragraph(
        "Upper bounds on any player's gain in a round that starts with this many cards left, in per cent of a stake, rounded up: proven for "
        "every way to count. The actual gain may be far smaller."
    )
    columns = (Column("bet"), *(Column(f"{at.behind} behind", UNITS) for at in first.shoe_ceilings))
    rows = [(one.name, *(at.gain for at in one.shoe_ceilings)) for one in every]
    yield table(columns, rows, "Ceilings of a shoe, by cards behind the cut card")
    yield Paragraph(
        "Upper bounds on any player's gain in a whole shoe, in units of a stake, rounded up, by cards behind the cut card. The round in which "
        "the cut card appears is finished, and one more is dealt. The bounds also hold if a cut card on top of the shoe at the start of a round "
        "counts as appearing in that round."
    )
    decks = [cut.decks for cut in first.cut_cards]
    if len(decks) == 1:
        return
    heads = (f"{number} deck{'' if number == 1 else 's'}" for number in decks)
    columns = (Column("bet"), *(Column(head, COUNT) for head in heads))
    rows = [(one.name, *(cut.behind for cut in one.cut_cards)) for one in every]
    yield table(columns, rows, "Sufficient cut card, by number of decks")
    yield Paragraph(
        f"The fewest cards behind the cut card for which no player can gain more than {OF_A_UNIT} in a shoe of this many decks, searched from "
        f"{USUAL_DEALING.least_cut()} cards: with fewer, the last two rounds might not be finished."
    )


def two_cards_blocks(bets: Sequence[BetProtection]) -> Iterator[Block]:
    """Two cards removed, for the bets of which single cards explain less than half."""
    shown = [one for one in bets if one.worst is not None and one.best is not None]
    if not shown:
        return
    columns = (Column("bet"), Column("worst two for the player"), Column("best two for the player"))
    if not any(one.first_order for one in shown):
        yield table(
            columns, [(one.bet, *_two(one)) for one in shown], "Pairs of cards with the largest effects"
        )
        yield Paragraph(
            "Removing a single card changes nothing for these bets; removing these two together does."
        )
        return
    share = Column("explained by single cards %", percentage(2))
    rows = [(one.bet, one.first_order, *_two(one)) for one in shown]
    yield table((columns[0], share, *columns[1:]), rows, "Pairs of cards with the largest effects")
    yield Paragraph(
        "Bets for which the removal of single cards explains less than half of the effect, and the pairs of cards with the largest effects "
        "when they are removed together."
    )


def _two(one: BetProtection) -> Iterator[Cell]:
    for two in (one.worst, one.best):
        if two is not None:
            yield Figure(two.change, CHANGE, before=f"{format_cards(two.removed)}: ")
