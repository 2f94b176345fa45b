"""The documents of ``combinat count``: the law of one count, and the best count of every bet."""

from collections.abc import Mapping
from fractions import Fraction

from combinat.base.kinds import COUNT, FRACTION, NUMBER, TEXT, decimal, percentage
from combinat.base.relation import ByName, Document, Field, Many, Relation
from combinat.protection.betting import Betting
from combinat.protection.count import CountAnswer, CountsAnswer, SimpleCount
from combinat.protection.count_law import CountAt, Depth, Running, true_count
from combinat.protection.wagers import EXPLAINED_LEFT, LARGEST_TAG
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
    section,
    table,
)
from combinat.report.analysis.odds import PERCENT, shoe_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import GAME, SHOE
from combinat.report.relation_tables import cells, program_table, view_table
from combinat.rules.cards import RANKS

TRUE, INDEX = decimal(3), decimal(1)
"""True counts: of one count, and in a table of many."""

SHARE = percentage(2)

MATTERS = Fraction(1, 1000)
"""The gain of a round from which a row is marked: about a twelfth of a unit in a shoe of eight decks."""

MARKED = "0.1 % of a stake"
"""The same in words."""


def count_document(answer: CountAnswer, *, detail: bool) -> Section:
    """Return betting by the count at each depth, and with ``detail`` every running count."""
    name = answer.bet if "@" in answer.bet else answer.game.bet(answer.bet).name
    tags = " ".join(f"{rank}={tag}" for rank, tag in zip(RANKS, answer.tags, strict=True) if tag) or "all 0"
    effects = answer.effects and list(zip(map(str, RANKS), answer.effects, answer.tags, strict=True))
    return section(
        f"{answer.game.name}: counting {name}",
        {"Shoe": shoe_in_words(answer.shoe), "Tags": tags},
        view_table(EFFECTS, effects) if effects else None,
        {"Seen of the best possible sum": Figure(answer.share, PERCENT, after=" %") if effects else None},
        _depths_table(answer),
        _betting_in_words(answer),
        (
            section(
                f"{depth.left} cards left",
                view_table(
                    RUNNING_COUNTS, depth.counts, meaning=lambda count: favourable(count.expected_value > 0)
                ),
            )
            for depth in answer.depths
            if detail
        ),
        ROUNDING,
    )


def favourable(is_favourable: bool) -> Meaning:
    """Return the meaning of a row that favours the player or does not."""
    return Meaning.FAVOURS_PLAYER if is_favourable else Meaning.PLAIN


def _betting_in_words(answer: CountAnswer) -> str:
    if answer.index is not None:
        where = "at the index and above, a unit each. The index is a true count"
    elif _bets_down(answer):
        where = "at the first favourable counts, up from one and down from another below the mean, a unit each. True count"
    else:
        where = "at the first favourable count and above, a unit each. True count"
    return (
        f"Bets {where}: the running count divided by the decks unseen. Player's edge: the average edge of the bets made. "
        "Gain: per round dealt, bet or not."
    )


def _bets_down(answer: CountAnswer) -> bool:
    """Return whether the count bets below the mean at any depth."""
    return answer.index is None and any(depth.sides.bets_down is not None for depth in answer.depths)


def betting(depth: Depth, index: Fraction | None) -> Betting | None:
    """Return betting from the index on, or from the first favourable counts above and below the mean; None if no count is favourable."""
    if index is not None:
        return depth.from_index(index)
    return depth.sides if depth.sides.chance else None


def _depths_table(answer: CountAnswer) -> Table:
    down = _bets_down(answer)
    columns = (
        Column("cards left", COUNT),
        Column("up from" if down else "first favourable", COUNT),
        Column("true count", TRUE),
        *((Column("down from", COUNT), Column("true count", TRUE)) if down else ()),
        *(Column(field.head, PERCENT) for field in BETTING.fields),
    )
    rows = []
    for depth in answer.depths:
        made = betting(depth, answer.index)
        figures = (made.chance, made.edge, made.gain) if made else (None, None, None)
        up = depth.first_favourable if answer.index is not None else depth.sides.bets_up
        below = (depth.sides.bets_down, depth.sides.true_count_down) if down else ()
        cells = (depth.left, up, true_count(up, depth.unseen), *below, *figures)
        rows.append(Row(cells, favourable(made is not None and made.gain >= MATTERS)))
    return table(columns, rows)


EFFECTS: Relation[tuple[str, Fraction, int]] = Relation(
    "effects of removal",
    Field("rank", "card seen", TEXT, "The rank.", lambda row: row[0], views="terminal"),
    Field("effect", "effect of removal %", percentage(4, signed=True), "Its effect of removal.", lambda row: row[1], views="terminal"),
    Field("tag", "tag", COUNT, "Its tag.", lambda row: row[2], views="terminal"),
)  # fmt: skip

RUNNING_COUNTS: Relation[Running] = Relation(
    "running counts",
    Field("running", "running count", NUMBER, "The running count.", views="terminal"),
    Field("probability", "probability %", percentage(6), "Its probability at this depth.", views="terminal"),
    Field("expected_value", "EV %", PERCENT, "Expected value of the bet there.", views="terminal"),
)
"""The law of a count at a depth, with a row for each running count."""

BETTING: Relation[Betting] = Relation(
    "betting",
    Field("chance", "bets %", PERCENT, "Share of rounds in which one bets."),
    Field(
        "edge", "player's edge %", PERCENT, "The player's mean expected value when betting.", may_be_none=True
    ),
    Field("gain", "gain a round %", PERCENT, "The gain of a round, bet or not."),
)

DEPTHS: Relation[tuple[Depth, Fraction | None]] = Relation(
    "depths",
    Field("left", "cards left", NUMBER, "The cards left.", lambda row: row[0].left),
    Field("counts", "counts", Many(RUNNING_COUNTS), "Every running count.", lambda row: row[0].counts),
    Field("first_favourable", "first favourable", NUMBER, "The first count that favours the player.", lambda row: row[0].first_favourable, may_be_none=True),
    Field("bets_up", "up from", NUMBER, "The count from which one bets upwards.", lambda row: row[0].sides.bets_up if row[1] is None else None, may_be_none=True),
    Field("bets_down", "down from", NUMBER, "The count from which one bets downwards.", lambda row: row[0].sides.bets_down if row[1] is None else None, may_be_none=True),
    Field("betting", "betting", BETTING, "Betting by the count.", lambda row: betting(*row), may_be_none=True),
    Field("favourable", "favourable", BETTING, "Betting at every favourable count.", lambda row: row[0].favourable, may_be_none=True),
)  # fmt: skip
"""The law of a count, with a row for each depth and the index from which the player bets."""

BEST: Relation[CountAnswer] = Relation(
    "best tags",
    Field("effects", "effect of removal %", ByName(FRACTION, names=RANKS), "The effect of removing a card of each rank.", lambda row: dict(zip(RANKS, row.effects or (), strict=True))),
    Field("share", "share", PERCENT, "Share of the variance that the tags see.", may_be_none=True),
)  # fmt: skip

TAGS = ByName(NUMBER, names=RANKS)

COUNT_DOCUMENT: Document[CountAnswer] = Document(
    "combinat/count/1",
    "A count against a bet: combinat count.",
    *GAME.part(lambda row: row.game),
    Field("bet", "bet", TEXT, "The bet's id, or the insurance such as player@four-cards."),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("tags", "tags", TAGS, "The tag of each rank.", lambda row: dict(zip(RANKS, row.tags, strict=True))),
    Field("index", "index", FRACTION, "The true count from which one bets.", may_be_none=True),
    Field("best", "best", BEST, "The effects that the best tags come from.", lambda row: None if row.effects is None else row, may_be_absent=True),
    Field("depths", "depths", Many(DEPTHS), "Every depth.", lambda row: [(depth, row.index) for depth in row.depths]),
)  # fmt: skip


_LEFT: Field[Depth] = Field("left", "cards left", NUMBER, "The cards left.")

RUNNING_ROWS: Relation[tuple[Depth, Running]] = RUNNING_COUNTS.under(_LEFT)
"""A row for each running count of each depth."""


def count_csv(answer: CountAnswer) -> Table:
    """Return every running count of every depth, exact and decimal."""
    return program_table(RUNNING_ROWS, running_rows(answer))


def running_rows(answer: CountAnswer) -> list[tuple[Depth, Running]]:
    """Return a row for each running count of each depth."""
    return [(depth, count) for depth in answer.depths for count in depth.counts]


# ---------------------------------------------------------------- every bet

COUNTS_AT: Relation[CountAt] = Relation(
    "simple count at a depth",
    Field("left", "cards left", NUMBER, "The cards left at the beginning of the round."),
    Field("unseen", "cards unseen", NUMBER, "The cards that the counter has not seen when the bet is made."),
    Field("bets_up", "up from", NUMBER, "The running count from which it bets upwards.", may_be_none=True),
    Field(
        "bets_down", "down from", NUMBER, "The running count from which it bets downwards.", may_be_none=True
    ),
    Field("true_count_up", "index up", INDEX, "The same divided by the decks unseen.", may_be_none=True),
    Field("true_count_down", "index down", INDEX, "The same divided by the decks unseen.", may_be_none=True),
    Field("chance", "bets %", PERCENT, "Share of rounds in which it bets."),
    Field("gain", "gain a round %", PERCENT, "The gain of a round, bet or not."),
)

SIMPLE_COUNT: Relation[SimpleCount] = Relation(
    "simple count",
    Field("tags", "tags", TAGS, "The tag of each rank.", lambda count: dict(zip(RANKS, count.tags, strict=True))),
    Field("share", "seen %", SHARE, "Share of the variance of the best sum that the tags see; null: single cards have no effect.", may_be_none=True, views="tags"),
    Field("explained", "explained %", SHARE, "Share of the variance with 26 cards left that the best sum explains; null: insurance, or a smaller shoe.", may_be_none=True, views="tags"),
    Field("depths", "depths", Many(COUNTS_AT), "Every depth."),
)  # fmt: skip

_BET: Field[tuple[str, SimpleCount]] = Field("id", "bet", TEXT, "The bet's id, or the insurance such as player@four-cards.", lambda row: row[0])  # fmt: skip
_TAGS: Field[tuple[str, SimpleCount]] = Field("tags", "tags", COUNT, "The tags, A to K.", lambda row: " ".join(map(str, row[1].tags)))  # fmt: skip

SIMPLE_COUNTS: Relation[tuple[str, SimpleCount]] = Relation(
    "simple counts", _BET, *SIMPLE_COUNT.part(lambda row: row[1])
)

COUNT_ROWS: Relation[tuple[tuple[str, SimpleCount], CountAt]] = COUNTS_AT.under(
    _BET, _TAGS, *SIMPLE_COUNT.select("share", "explained").part(lambda row: row[1])
)
"""A row for each depth of each count."""

COUNTS: Document[CountsAnswer] = Document(
    "combinat/simple-counts/1",
    "The best simple count of every bet: combinat count.",
    *GAME.part(lambda row: row.game),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("bets", "bets", Many(SIMPLE_COUNTS), "Every bet.", lambda row: row.counts.items()),
)


def counts_document(answer: CountsAnswer) -> Section:
    """Return the best simple count of every bet: tags, the true count from which it bets, and the gain at each depth."""
    gains = {bet: max(at.gain for at in count.depths) for bet, count in answer.counts.items()}
    best = max(gains, key=lambda bet: gains[bet])
    return section(
        f"{answer.game.name}: the best count of each bet; {best} gains most",
        {"Shoe": shoe_in_words(answer.shoe)},
        counts_blocks(answer.counts),
        ROUNDING,
    )


def counts_blocks(
    counts: Mapping[str, SimpleCount], caption: str = "", *, shares: bool = False
) -> list[Block]:
    """Return the table of simple counts and a note on it; ``shares``: add the share that the tags detect, for a wide page."""
    lefts = [at.left for at in next(iter(counts.values())).depths]
    seen = SIMPLE_COUNT.view("tags") if shares else ()
    columns = (
        Column("bet"),
        Column("tags, A to K"),
        *(Column(field.head, SHARE) for field in seen),
        Column("index"),
        *(Column(f"{left} left", PERCENT) for left in lefts),
    )
    rows = [
        Row(
            (
                bet,
                " ".join(map(str, count.tags)),
                *cells(seen, count),
                index_cell(count.depths[0]),
                *(at.gain for at in count.depths),
            ),
            favourable(max(at.gain for at in count.depths) >= MATTERS),
        )
        for bet, count in counts.items()
    ]
    note = (
        f"The best balanced integer tags of at most {LARGEST_TAG} in size, by rank. Index: the true count from which a unit is bet, up or "
        f"down, with {lefts[0]} cards left; the true count is the running count divided by the decks unseen. The gains, by cards left, are per "
        "round dealt, bet or not, in per cent of a stake. Single cards do not affect bets on pairs; their tags count low ranks against high ranks. "
        f"Insurance: every offer from the index on, with the cards on the table counted. Rows with a gain of at least {MARKED} are marked."
    )
    more = (
        " The best possible linear count adds the exact effect of each card gone. Seen: the share of its variance that the tags capture. "
        f"Explained: the share of the variance of the expected value, with {EXPLAINED_LEFT} cards left, that this best count explains. "
        "Dashes: single cards have no effect; for insurance, the share explained is not computed."
    )
    return [table(columns, rows, caption), Paragraph(note + more if shares else note)]


def index_cell(at: CountAt) -> Cell:
    """Return the true counts from which a count bets, in a cell."""
    sides = [(at.true_count_up, " up"), (at.true_count_down, " down")]
    cells = [Figure(count, INDEX, after=way) for count, way in sides if count is not None]
    return (cells[0], ", ", cells[1]) if len(cells) == 2 else cells[0] if cells else None


def counts_csv(answer: CountsAnswer) -> Table:
    """Return every bet at every depth, exact and decimal."""
    return program_table(COUNT_ROWS, count_rows(answer.counts))


def count_rows(counts: Mapping[str, SimpleCount]) -> list[tuple[tuple[str, SimpleCount], CountAt]]:
    """Return a row for each depth of each count."""
    return [(bet, at) for bet in counts.items() for at in bet[1].depths]
