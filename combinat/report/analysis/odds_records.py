"""Exact odds as programs read them: CSV and JSON, every figure exact, decimals beside them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from combinat.analysis.analysis import Analysis
from combinat.analysis.bets import BETS, OUTCOMES, BetAnalysis
from combinat.base.kinds import COUNT, FRACTION, NUMBER
from combinat.base.relation import Document, Field, Later, Many, Relation
from combinat.render.blocks import Table
from combinat.report.game_fields import GAME, SHOE, UNTIL_DECIDED
from combinat.report.relation_tables import program_table
from combinat.rules.game import Game

DECKS: Field[int] = Field("decks", "decks", NUMBER, "Decks of the fresh shoe.", lambda decks: decks)

EDGES_BY_DECKS: Relation[tuple[int, BetAnalysis]] = BETS.select("id", "house_edge").under(DECKS)


class OddsAsked(NamedTuple):
    """Bets on a shoe; ``views``: what was asked for besides, by its key."""

    analysis: Analysis
    bets: Sequence[BetAnalysis]
    views: Mapping[str, Any] = MappingProxyType({})


def _view(key: str, kind: Later, about: str) -> Field[OddsAsked]:
    return Field(key, key, kind, about, lambda row: row.views.get(key), may_be_absent=True)


def _correlations() -> Many:
    from combinat.analysis.joint import CORRELATIONS

    return Many(CORRELATIONS)


def _combinations() -> Relation[Any]:
    from combinat.analysis.joint import COMBINATIONS

    return COMBINATIONS


def _readings() -> Many:
    from combinat.analysis.readings import READINGS

    return Many(READINGS)


ODDS: Document[OddsAsked] = Document(
    "combinat/odds/1",
    "Exact odds of every bet: combinat odds.",
    *GAME.extended(UNTIL_DECIDED).part(lambda row: row.analysis.game),
    Field("shoe", "shoe", SHOE, "The shoe.", lambda row: row.analysis.shoe),
    Field(
        "sample_space",
        "card sequences",
        COUNT,
        "Ordered card sequences.",
        lambda row: row.analysis.sample_space,
    ),
    Field(
        "void",
        "void rounds",
        FRACTION,
        "Share of them that no round finishes.",
        lambda row: row.analysis.void,
    ),
    Field("bets", "bets", Many(BETS), "Every bet."),
    _view("joint", Later(_correlations), "Every pair of bets in one round."),
    _view("combination", Later(_combinations), "Stakes in one round together."),
    _view("interpretations", Later(_readings), "The figures under every other reading."),
)

ODDS_BY_DECKS: Document[tuple[Game, Mapping[int, OddsAsked]]] = Document(
    "combinat/odds-by-decks/1",
    "Exact odds of every bet for several shoes: combinat odds.",
    *GAME.extended(UNTIL_DECIDED).part(lambda row: row[0]),
    Field(
        "decks",
        "decks",
        Many(ODDS.under(DECKS)),
        "The odds for each number of decks.",
        lambda row: list(row[1].items()),
    ),
)


def odds_csv(bets: Sequence[BetAnalysis], *, detail: bool) -> Table:
    """One line a bet, or in ``detail`` one an outcome: exact columns, and decimals beside them."""
    if detail:
        return program_table(OUTCOMES, [(bet, line) for bet in bets for line in bet.outcomes])
    return program_table(BETS, bets)


def decks_csv(bets: Mapping[int, Sequence[BetAnalysis]]) -> Table:
    """One line for each bet and number of decks."""
    return program_table(EDGES_BY_DECKS, [(number, bet) for number, listed in bets.items() for bet in listed])


def odds_json(analysis: Analysis, bets: Sequence[BetAnalysis], **views: Any) -> dict[str, Any]:
    """The odds; ``views``: what was asked for besides, by its key."""
    return ODDS.object(OddsAsked(analysis, bets, views))


def decks_json(
    game: Game, analyses: Mapping[int, Analysis], bets: Mapping[int, Sequence[BetAnalysis]]
) -> dict[str, Any]:
    """The odds by number of decks."""
    return ODDS_BY_DECKS.object(
        (game, {number: OddsAsked(one, bets[number]) for number, one in analyses.items()})
    )
