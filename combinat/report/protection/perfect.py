"""Perfect play and its ceilings: the document of ``combinat perfect``."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from combinat.base.kinds import COUNT, FRACTION, NUMBER, TEXT, decimal, percentage
from combinat.base.relation import Document, Field, Many, Relation
from combinat.protection.perfect import PerfectAnswer, PerfectBet
from combinat.render.blocks import (
    Block,
    Column,
    Figure,
    Paragraph,
    Section,
    Table,
    section,
    table,
)
from combinat.report.analysis.odds import PERCENT, shoe_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.protection.count import favourable
from combinat.report.provisos import GAME, SHOE
from combinat.report.relation_tables import across, program_table, view_table

CEILING, UNITS = percentage(4, up=True), decimal(4, up=True)
"""Ceilings, in per cent of a stake and in units of it: never shown too small."""

DEPTHS_ABREAST = 6
"""Depths in a table of ceilings; more need another table."""

ROUNDED = f"{ROUNDING[:-1]}; ceilings up."

PERFECT_BETS: Relation[PerfectBet] = Relation(
    "perfect play",
    Field("id", "bet", TEXT, "The bet's id.", views="terminal"),
    Field("mean", "EV %", PERCENT, "Mean expected value over all compositions.", views="terminal"),
    Field("favourable", "favourable %", PERCENT, "Probability of a composition that favours the player.", lambda row: row.play and row.play.chance, views="terminal"),
    Field("edge", "player's edge %", PERCENT, "The player's mean edge when betting.", lambda row: row.play and row.play.edge, views="terminal", may_be_none=True),
    Field("gain", "gain a round %", PERCENT, "Expected profit of a unit bet only then.", lambda row: row.play and row.play.gain, views="terminal"),
    Field("ceiling", "ceiling %", CEILING, "Upper bound on any player's gain.", lambda row: next(iter(row.ceilings.values())), views="terminal"),
)  # fmt: skip

SHOE_BOUNDS: Relation[PerfectBet] = Relation(
    "ceilings of a shoe",
    Field("id", "bet", TEXT, "The bet's id.", views="terminal"),
    Field("gain", "ceiling a shoe", UNITS, "Upper bound on the gain of a whole shoe, in units.", lambda row: row.over_shoe, views="terminal"),
    Field("within", "sufficient cut card", NUMBER, "The fewest cards behind the cut card within the limit.", lambda row: row.sufficient_cut, views="terminal", may_be_none=True),
)  # fmt: skip

CUT_CARD: Relation[PerfectAnswer] = Relation(
    "cut card",
    Field("behind", "cards behind", NUMBER, "Cards behind the cut card.", lambda row: row.cut_card),
    Field("limit", "limit", FRACTION, "The limit on the gain of a shoe, in units."),
    Field("bets", "bets", Many(SHOE_BOUNDS), "Every bet."),
)

DEPTH_CEILINGS: Relation[tuple[int, Fraction]] = Relation(
    "ceilings of a depth",
    Field("left", "cards left", NUMBER, "The cards left.", lambda row: row[0]),
    Field("ceiling", "ceiling %", CEILING, "Upper bound on any player's gain in a round.", lambda row: row[1]),
)  # fmt: skip

_BET: Field[PerfectBet] = Field("id", "bet", TEXT, "The bet's id.")

BET_CEILINGS: Relation[PerfectBet] = Relation(
    "ceilings of a bet",
    _BET,
    Field("ceilings", "ceilings", Many(DEPTH_CEILINGS), "Its ceiling at each depth.", lambda row: row.ceilings.items()),
)  # fmt: skip

_SHOE: Field[PerfectAnswer] = Field("shoe", "shoe", SHOE, "The shoe.")
_LEFT: Field[PerfectAnswer] = Field("left", "cards left", NUMBER, "The cards left.")
_CUT_CARD: Field[PerfectAnswer] = Field(
    *("cut_card", "cut card", CUT_CARD, "A whole shoe with a cut card."),
    lambda row: None if row.cut_card is None else row,
    may_be_absent=True,
)

PERFECT: Document[PerfectAnswer] = Document(
    "combinat/perfect/1",
    "Perfect play: combinat perfect.",
    *GAME.part(lambda row: row.game),
    _SHOE,
    _LEFT,
    Field("compositions", "compositions", COUNT, "Compositions of the cards left."),
    Field("bets", "bets", Many(PERFECT_BETS), "Every bet."),
    _CUT_CARD,
)

CEILINGS: Document[PerfectAnswer] = Document(
    "combinat/ceilings/1",
    "Upper bounds on any player's gain: combinat perfect.",
    *GAME.part(lambda row: row.game),
    _SHOE,
    Field("bets", "bets", Many(BET_CEILINGS), "Every bet."),
    _CUT_CARD,
)


def perfect_document(answer: PerfectAnswer) -> Section:
    """Return perfect play, or ceilings by depth; then the bounds of a whole shoe."""
    is_played = answer.compositions is not None
    by_points = is_played and any(not answer.game.bet(one.id).needs_ranks for one in answer.bets)
    played = (
        view_table(PERFECT_BETS, answer.bets, meaning=lambda row: favourable(row.mean > 0))
        if is_played
        else None
    )
    return section(
        f"{answer.game.name}: {'perfect play' if is_played else 'ceilings'}",
        {
            "Shoe": shoe_in_words(answer.shoe),
            "Cards left": Figure(answer.left, COUNT) if is_played else None,
            "Compositions by points": Figure(answer.compositions, COUNT) if by_points else None,
        },
        (played, PLAY_NOTE) if is_played else (_ceilings_tables(answer), CEILINGS_NOTE),
        None if answer.cut_card is None else _over_shoe(answer),
        ROUNDED,
    )


PLAY_NOTE = (
    "Perfect play stakes a unit only if the composition left favours the player. EV: the expected value of the "
    "bet, over all compositions. favourable: how often perfect play bets; player's edge: the average edge of "
    "those bets; gain: per round dealt, bet or not. No player can gain more than the ceiling."
)
CEILINGS_NOTE = (
    "Upper bounds on any player's gain in a round that begins with this many cards left, in per cent of a "
    "stake: proven for every way to count. The actual gain may be far smaller."
)


def _over_shoe(answer: PerfectAnswer) -> Iterator[Block]:
    """Yield the bounds of a whole shoe."""
    yield view_table(SHOE_BOUNDS, answer.bets)
    yield Paragraph(
        (
            "Upper bounds on any player's gain in a whole shoe, in units, at most one unit a round, with "
            f"{answer.cut_card} cards behind the cut card and one round dealt after the one in which it "
            "comes. Sufficient cut card: the fewest cards behind it for which the bound is at most ",
            Figure(answer.limit, FRACTION),
            " of a unit. These bounds rest on the variance alone; combinat protect proves lower ones, from exact "
            "play and counts too.",
        )
    )


def _ceilings_tables(answer: PerfectAnswer) -> Iterator[Table]:
    """Yield tables with a column for each depth, as many as fit on a terminal."""
    lefts = list(answer.bets[0].ceilings)
    for some in across(lefts, DEPTHS_ABREAST):
        columns = (Column("bet"), *(Column(f"{left} left", CEILING) for left in some))
        yield table(columns, [(bet.id, *(bet.ceilings[left] for left in some)) for bet in answer.bets])


def perfect_csv(answer: PerfectAnswer) -> list[Table]:
    """Return the figures, exact and decimal: perfect play or ceilings, then the bounds of a whole shoe."""
    tables = [program_table(*perfect_rows(answer))]
    if answer.cut_card is not None:
        rows = [(answer, bet) for bet in answer.bets]
        tables.append(program_table(SHOE_BOUNDS.under(*CUT_CARD.fields[:2]), rows))
    return tables


def perfect_rows(answer: PerfectAnswer) -> tuple[Relation[Any], Sequence[Any]]:
    """Return a row for each bet; of ceilings alone, for each bet at each depth."""
    if answer.compositions is None:
        return DEPTH_CEILINGS.under(_BET), [(bet, one) for bet in answer.bets for one in bet.ceilings.items()]
    return PERFECT_BETS.under(_LEFT), [(answer, bet) for bet in answer.bets]


def perfect_json(answer: PerfectAnswer) -> dict[str, Any]:
    """Return perfect play with exact figures, or ceilings alone."""
    return (CEILINGS if answer.compositions is None else PERFECT).object(answer)
