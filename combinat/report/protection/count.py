"""The exact law of a count as people and programs read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from combinat.base.kinds import COUNT, FRACTION, NUMBER, TEXT, percentage
from combinat.base.relation import ByName, Document, Field, Many, Relation
from combinat.protection.best_tags import BestTags
from combinat.protection.count import Betting, Depth, Running
from combinat.protection.tags import Tags
from combinat.render.blocks import (
    Block,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Row,
    Section,
    Table,
    Terms,
    table,
)
from combinat.report.analysis.odds import PERCENT, shoe_in_words
from combinat.report.game_fields import GAME, SHOE
from combinat.report.phrases import ROUNDING
from combinat.report.protection.perfect import TRUE
from combinat.report.relation_tables import program_table, view_table
from combinat.rules.bet import Bet
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A count that was asked for: of which bet, with which tags, from which true count on; its law."""

    game: Game
    bet: Bet
    shoe: Shoe
    tags: Tags
    index: Fraction | None
    best: BestTags | None
    depths: Sequence[Depth]


def count_document(counted: Counted, *, detail: bool) -> Section:
    """What betting by the count comes to at each depth; in ``detail`` every running count."""
    shares: tuple[Block, ...] = ()
    if counted.best is not None:
        shares = (
            _effects_table(counted.best),
            Terms({"Seen of the best possible sum": Figure(counted.best.share, PERCENT, after=" %")}),
        )
    laws = tuple(_law_section(depth) for depth in counted.depths) if detail else ()
    return Section(
        f"{counted.game.name}: counting {counted.bet.name}",
        (
            Terms({"Shoe": shoe_in_words(counted.shoe), "Tags": _tags_in_words(counted.tags)}),
            *shares,
            _depths_table(counted),
            Paragraph(_betting_in_words(counted)),
            *laws,
            Paragraph(ROUNDING),
        ),
    )


def _betting_in_words(counted: Counted) -> str:
    if counted.index is not None:
        return (
            "Bets at the index and above, a unit each; the gain is per round dealt, bet or not. "
            "The index is a true count: the running count divided by the decks left."
        )
    which = (
        "counts, up from one and down from another below the mean"
        if _bets_down(counted)
        else "count and above"
    )
    return (
        f"Bets at the first favourable {which}, a unit each; the gain is per round dealt, bet or not. "
        "True count: the running count divided by the decks left."
    )


def _bets_down(counted: Counted) -> bool:
    """Whether it bets below the mean at any depth."""
    return counted.index is None and any(depth.sides.most is not None for depth in counted.depths)


def _tags_in_words(tags: Tags) -> str:
    return " ".join(f"{rank}={tag}" for rank, tag in zip(RANKS, tags, strict=True) if tag) or "all 0"


def _effects_table(best: BestTags) -> Table:
    rows = [
        (str(rank), effect, tag) for rank, effect, tag in zip(RANKS, best.effects, best.tags, strict=True)
    ]
    columns = (
        Column("card seen"),
        Column("effect of removal %", percentage(4, signed=True)),
        Column("tag", COUNT),
    )
    return table(columns, rows)


def betting(depth: Depth, index: Fraction | None) -> Betting | None:
    """Betting from the index on, or from the first favourable counts, above the mean and below; None: never."""
    if index is not None:
        return depth.from_index(index)
    return depth.sides if depth.sides.chance else None


def _depths_table(counted: Counted) -> Table:
    down = _bets_down(counted)
    columns = (
        Column("cards left", COUNT),
        Column("up from" if down else "first favourable", COUNT),
        Column("true count", TRUE),
        *((Column("down from", COUNT), Column("true count", TRUE)) if down else ()),
        Column("bets %", PERCENT),
        Column("average edge %", PERCENT),
        Column("gain a round %", PERCENT),
    )
    rows = []
    for depth in counted.depths:
        made = betting(depth, counted.index)
        favours = made is not None and made.gain > 0
        figures = (made.chance, made.edge, made.gain) if made else (None, None, None)
        up = depth.first_favourable if counted.index is not None else depth.sides.least
        below = (depth.sides.most, depth.true(depth.sides.most)) if down else ()
        cells = (depth.left, up, depth.true(up), *below, *figures)
        rows.append(Row(cells, Meaning.FAVOURS_PLAYER if favours else Meaning.PLAIN))
    return table(columns, rows)


def _law_section(depth: Depth) -> Section:
    law = view_table(
        RUNNING_COUNTS,
        depth.counts,
        meaning=lambda count: Meaning.FAVOURS_PLAYER if count.expected_value > 0 else Meaning.PLAIN,
    )
    return Section(f"{depth.left} cards left", (law,))


RUNNING_COUNTS: Relation[Running] = Relation(
    "running counts",
    Field("running", "running count", NUMBER, "The running count.", views="terminal"),
    Field("probability", "probability %", percentage(6), "Its probability at this depth.", views="terminal"),
    Field("expected_value", "EV %", PERCENT, "Expected value of the bet there.", views="terminal"),
)
"""The law of a count at a depth, a row for each running count."""

BETTING: Relation[Betting] = Relation(
    "betting",
    Field("chance", "bets %", PERCENT, "Share of rounds in which one bets."),
    Field(
        "edge", "average edge %", PERCENT, "The player's mean expected value when betting.", may_be_none=True
    ),
    Field("gain", "gain a round %", PERCENT, "The gain of a round, bet or not."),
)

DepthAsked = tuple[Depth, Fraction | None]
"""A depth, and the index from which one bets."""

DEPTHS: Relation[DepthAsked] = Relation(
    "depths",
    Field("left", "cards left", NUMBER, "The cards left.", lambda row: row[0].left),
    Field("counts", "counts", Many(RUNNING_COUNTS), "Every running count.", lambda row: row[0].counts),
    Field("first_favourable", "first favourable", NUMBER, "The first count that favours the player.", lambda row: row[0].first_favourable, may_be_none=True),
    Field("bets_up", "up from", NUMBER, "The count from which one bets upwards.", lambda row: row[0].sides.least if row[1] is None else None, may_be_none=True),
    Field("bets_down", "down from", NUMBER, "The count from which one bets downwards.", lambda row: row[0].sides.most if row[1] is None else None, may_be_none=True),
    Field("betting", "betting", BETTING, "Betting by the count.", lambda row: betting(*row), may_be_none=True),
    Field("favourable", "favourable", BETTING, "Betting at every favourable count.", lambda row: row[0].favourable, may_be_none=True),
)  # fmt: skip
"""The law of a count, a row for each depth."""

BEST: Relation[BestTags] = Relation(
    "best tags",
    Field(
        *(
            "effects",
            "effect of removal %",
            ByName(FRACTION, names=RANKS),
            "The effect of removing a card of each rank.",
        ),
        lambda best: dict(zip(RANKS, best.effects, strict=True)),
    ),
    Field("share", "share", PERCENT, "Share of the variance that the tags see.", may_be_none=True),
)

COUNT_DOCUMENT: Document[Counted] = Document(
    "combinat/count/1",
    "A count against a bet: combinat count.",
    *GAME.part(lambda row: row.game),
    Field("bet", "bet", TEXT, "The bet's id.", lambda row: row.bet.id),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field(
        "tags",
        "tags",
        ByName(NUMBER, names=RANKS),
        "The tag of each rank.",
        lambda row: dict(zip(RANKS, row.tags, strict=True)),
    ),
    Field("index", "index", FRACTION, "The true count from which one bets.", may_be_none=True),
    Field("best", "best", BEST, "The effects that the best tags come from.", may_be_absent=True),
    Field(
        "depths",
        "depths",
        Many(DEPTHS),
        "Every depth.",
        lambda row: [(depth, row.index) for depth in row.depths],
    ),
)


def count_csv(counted: Counted) -> Table:
    """Every running count of every depth a line, exact and decimal."""
    left: Field[Depth] = Field("left", "cards left", NUMBER, "The cards left.")
    rows = [(depth, count) for depth in counted.depths for count in depth.counts]
    return program_table(RUNNING_COUNTS.under(left), rows)


def count_json(counted: Counted) -> dict[str, Any]:
    """The law, exact, as a document."""
    return COUNT_DOCUMENT.object(counted)
