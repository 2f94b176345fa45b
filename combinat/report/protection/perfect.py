"""Perfect play and its ceilings as people and programs read them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from combinat.base.kinds import COUNT, FRACTION, NUMBER, TEXT, decimal, percentage
from combinat.base.relation import Document, Field, Many, Relation
from combinat.protection.ceiling import Ceiling
from combinat.protection.perfect import PerfectBet, PerfectPlay
from combinat.render.blocks import (
    Block,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Section,
    Table,
    Terms,
    table,
)
from combinat.report.analysis.odds import PERCENT, shoe_in_words
from combinat.report.game_fields import GAME, SHOE
from combinat.report.phrases import ROUNDING
from combinat.report.relation_tables import program_table, view_table
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

CEILING, UNITS = percentage(4, up=True), decimal(4, up=True)
"""Ceilings, in per cent of a stake and in units of it: never shown too small."""

TRUE = decimal(3)
"""A true count."""

DEPTHS_ABREAST = 6
"""Depths in a table of ceilings; of more, another table follows."""

ROUNDED = f"{ROUNDING[:-1]}; ceilings up."


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCard:
    """Ceilings over a shoe by bet, with so many cards behind the cut card, and a limit that they may have.

    ``within``: the fewest cards behind the cut card with which a bet stays within it; None: no number does.
    """

    behind: int
    limit: Fraction
    gains: Mapping[str, Fraction]
    within: Mapping[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """What was asked of some bets on a shoe: perfect play at a depth, ceilings, and a cut card."""

    game: Game
    shoe: Shoe
    bets: Sequence[str]
    play: PerfectPlay | None
    ceilings: Sequence[Ceiling]
    cut_card: CutCard | None

    def ceiling(self, bet: str) -> Fraction:
        """The ceiling of a bet at the depth of perfect play."""
        return next(
            one.gain for one in self.ceilings if one.bet == bet and self.play and one.left == self.play.left
        )

    @property
    def by_points(self) -> bool:
        """Whether any of the bets goes through compositions by points."""
        return any(not self.game.bet(bet).needs_ranks for bet in self.bets)


def perfect_document(asked: Protection) -> Section:
    """Perfect play, then ceilings by depth, then those of a whole shoe."""
    head: dict[str, str | Figure] = {"Shoe": shoe_in_words(asked.shoe)}
    blocks: list[Block] = []
    if asked.play is not None:
        head["Cards left"] = Figure(asked.play.left, COUNT)
        if asked.by_points:
            head["Compositions by points"] = Figure(asked.play.compositions, COUNT)
        blocks += [
            _play_table(asked, asked.play),
            Paragraph(
                "A unit bet only where the composition left favours the player: how often that is, the average edge "
                "then, and the gain a round, bet or not. No one can gain more than the ceiling."
            ),
        ]
    else:
        blocks += [
            *_ceilings_tables(asked),
            Paragraph(
                "What no one can gain more than, in a round that begins with so many cards left, in per cent of a "
                "stake: a proven bound for every way to count; what is really gained may be far less."
            ),
        ]
    if asked.cut_card is not None:
        blocks += _cut_card_blocks(asked, asked.cut_card)
    title = f"{asked.game.name}: {'perfect play' if asked.play else 'ceilings'}"
    return Section(title, (Terms(head), *blocks, Paragraph(ROUNDED)))


PERFECT_BETS: Relation[tuple[Protection, PerfectBet]] = Relation(
    "perfect play",
    Field("id", "bet", TEXT, "The bet's id.", lambda row: row[1].bet, views="terminal"),
    Field("mean", "mean %", PERCENT, "Mean expected value over all compositions.", lambda row: row[1].mean, views="terminal"),
    Field("favourable", "favourable %", PERCENT, "Probability of a composition that favours the player.", lambda row: row[1].favourable, views="terminal"),
    Field("edge", "average edge %", PERCENT, "Mean expected value when betting.", lambda row: row[1].edge, views="terminal", may_be_none=True),
    Field("gain", "gain a round %", PERCENT, "Expected profit of a unit bet only then.", lambda row: row[1].gain, views="terminal"),
    Field("ceiling", "ceiling %", CEILING, "Upper bound on any player's gain.", lambda row: row[0].ceiling(row[1].bet), views="terminal"),
)  # fmt: skip
"""Bets under perfect play, a row each."""


def _play_table(asked: Protection, play: PerfectPlay) -> Table:
    return view_table(
        PERFECT_BETS,
        [(asked, one) for one in play.bets],
        meaning=lambda row: Meaning.FAVOURS_PLAYER if row[1].mean > 0 else Meaning.PLAIN,
    )


def _ceilings_tables(asked: Protection) -> Iterator[Table]:
    """A column a depth, so many of them side by side as a terminal has room for."""
    every = list(dict.fromkeys(one.left for one in asked.ceilings))
    gains = {(one.bet, one.left): one.gain for one in asked.ceilings}
    for start in range(0, len(every), DEPTHS_ABREAST):
        lefts = every[start : start + DEPTHS_ABREAST]
        columns = (Column("bet"), *(Column(f"{left} left", CEILING) for left in lefts))
        yield table(columns, [(bet, *(gains[bet, left] for left in lefts)) for bet in asked.bets])


def _cut_card_blocks(asked: Protection, cut_card: CutCard) -> tuple[Block, ...]:
    columns = (
        Column("bet"),
        Column(f"ceiling a shoe, {cut_card.behind} behind", UNITS),
        Column("sufficient cut card", COUNT),
    )
    rows = [(bet, cut_card.gains[bet], cut_card.within[bet]) for bet in asked.bets]
    return (
        table(columns, rows),
        Paragraph(
            (
                "What no one can gain more than in a whole shoe, in units of a stake, a unit a round at most, with "
                f"{cut_card.behind} cards behind the cut card and one round dealt after the one in which it comes; "
                "and the fewest cards behind it with which that is proven to stay at or below ",
                Figure(cut_card.limit, FRACTION),
                " of a unit.",
            )
        ),
    )


def _cut(asked: Protection) -> CutCard:
    if asked.cut_card is None:  # pragma: no cover  # the key is left out then
        raise TypeError("no cut card was asked about")
    return asked.cut_card


CUT_CARD_BETS: Relation[tuple[CutCard, str]] = Relation(
    "ceilings of a shoe",
    Field("id", "bet", TEXT, "The bet's id.", lambda row: row[1]),
    Field("gain", "ceiling a shoe", UNITS, "Upper bound on the gain of a whole shoe, in units.", lambda row: row[0].gains[row[1]]),
    Field("within", "sufficient cut card", NUMBER, "The fewest cards behind the cut card within the limit.", lambda row: row[0].within[row[1]], may_be_none=True),
)  # fmt: skip

CUT_CARD: Relation[CutCard] = Relation(
    "cut card",
    Field("behind", "cards behind", NUMBER, "Cards behind the cut card."),
    Field("limit", "limit", FRACTION, "The limit of the gain of a shoe, in units."),
)

CUT_CARD_ROWS: Relation[tuple[CutCard, str]] = Relation(
    "cut cards", *CUT_CARD.part(lambda row: row[0]), *CUT_CARD_BETS.fields
)

DEPTH_CEILINGS: Relation[Ceiling] = Relation(
    "ceilings of a depth",
    Field("left", "cards left", NUMBER, "The cards left."),
    Field(
        "ceiling", "ceiling %", CEILING, "Upper bound on any player's gain in a round.", lambda one: one.gain
    ),
)

CEILING_ROWS: Relation[Ceiling] = Relation(
    "ceilings", Field("id", "bet", TEXT, "The bet's id.", lambda one: one.bet), *DEPTH_CEILINGS.fields
)

BET_CEILINGS: Relation[tuple[Protection, str]] = Relation(
    "ceilings of a bet",
    Field("id", "bet", TEXT, "The bet's id.", lambda row: row[1]),
    Field(
        *("ceilings", "ceilings", Many(DEPTH_CEILINGS), "Its ceiling at each depth."),
        lambda row: [one for one in row[0].ceilings if one.bet == row[1]],
    ),
)

_GAME_AND_SHOE: list[Field[Protection]] = [
    *GAME.part(lambda row: row.game),
    Field("shoe", "shoe", SHOE, "The shoe."),
]

_CUT_CARD: Field[Protection] = Field(
    "cut_card",
    "cut card",
    Relation[Protection](
        "shoe with a cut card",
        *CUT_CARD.part(_cut),
        Field(
            "bets",
            "bets",
            Many(CUT_CARD_BETS),
            "Every bet.",
            lambda row: [(_cut(row), bet) for bet in row.bets],
        ),
    ),
    "A whole shoe with a cut card.",
    lambda row: row if row.cut_card else None,
    may_be_absent=True,
)

PERFECT: Document[Protection] = Document(
    "combinat/perfect/1",
    "Perfect play: combinat perfect.",
    *_GAME_AND_SHOE,
    Field("left", "cards left", NUMBER, "The cards left.", lambda row: row.play and row.play.left),
    Field(
        "compositions",
        "compositions",
        COUNT,
        "Compositions of the cards left.",
        lambda row: row.play and row.play.compositions,
    ),
    Field("bets", "bets", Many(PERFECT_BETS), "Every bet.", lambda row: _played(row)),
    _CUT_CARD,
)

CEILINGS: Document[Protection] = Document(
    "combinat/ceilings/1",
    "Upper bounds on any player's gain: combinat perfect.",
    *_GAME_AND_SHOE,
    Field("bets", "bets", Many(BET_CEILINGS), "Every bet.", lambda row: [(row, bet) for bet in row.bets]),
    _CUT_CARD,
)


def _played(asked: Protection) -> list[tuple[Protection, PerfectBet]]:
    return [(asked, one) for one in asked.play.bets] if asked.play else []


def perfect_csv(asked: Protection) -> list[Table]:
    """The figures a line each, exact and decimal: perfect play or ceilings, then the cut card's."""
    left: Field[Protection] = Field(
        "left", "cards left", NUMBER, "The cards left.", lambda row: row.play and row.play.left
    )
    bets = PERFECT_BETS.under(left)
    tables = [
        program_table(bets, [(asked, row) for row in _played(asked)])
        if asked.play
        else program_table(CEILING_ROWS, asked.ceilings)
    ]
    if asked.cut_card is not None:
        cut = asked.cut_card
        tables.append(program_table(CUT_CARD_ROWS, [(cut, bet) for bet in asked.bets]))
    return tables


def perfect_json(asked: Protection) -> dict[str, Any]:
    """Perfect play, exact; without it, ceilings alone."""
    return (PERFECT if asked.play else CEILINGS).object(asked)
