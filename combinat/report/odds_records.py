"""Exact odds as programs read them: CSV and JSON, every figure exact, decimals beside them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from combinat.analysis.analysis import Analysis
from combinat.analysis.bets import BETS, OUTCOMES, BetAnalysis
from combinat.analysis.figure import Whole
from combinat.analysis.joint import COMBINATIONS, CORRELATIONS, Combination, Correlation
from combinat.analysis.readings import READINGS, Reading
from combinat.base.kinds import NUMBER
from combinat.base.relation import Field, Relation
from combinat.render.blocks import Table
from combinat.report.answer import GameAnswer, answer_json
from combinat.report.relation_tables import program_table
from combinat.rules.shoe import Shoe

DECKS: Field[int] = Field("decks", "decks", NUMBER, "Decks of the fresh shoe.", lambda decks: decks)

EDGES_BY_DECKS: Relation[tuple[int, BetAnalysis]] = BETS.select("id", "house_edge").under(DECKS)


class OddsOfShoe(GameAnswer, frozen=True, kw_only=True):
    """The exact odds of every bet on a shoe."""

    shoe: Shoe
    sample_space: Whole
    void: Fraction
    bets: Annotated[tuple[BetAnalysis, ...], BETS]


class OddsAnswer(OddsOfShoe, frozen=True, kw_only=True):
    """The exact odds of every bet. ``sample_space``: card sequences; ``void``: the share of them that no round finishes."""

    SCHEMA = "combinat/odds/1"
    ABOUT = "Exact odds of every bet: combinat odds."

    joint: Annotated[tuple[Correlation, ...] | UnsetType, CORRELATIONS] = UNSET
    combination: Annotated[Combination | UnsetType, COMBINATIONS] = UNSET
    interpretations: Annotated[tuple[Reading, ...] | UnsetType, READINGS] = UNSET


class OddsOfDecks(OddsOfShoe, frozen=True, kw_only=True):
    """The odds of a fresh shoe of so many decks."""

    schema: Literal["combinat/odds/1"] = "combinat/odds/1"
    decks: int


class OddsByDecks(GameAnswer, frozen=True, kw_only=True):
    """The exact odds by number of decks."""

    SCHEMA = "combinat/odds-by-decks/1"
    ABOUT = "Exact odds of every bet for several shoes: combinat odds."

    decks: tuple[OddsOfDecks, ...]


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
    return answer_json(OddsAnswer(**_of_shoe(analysis, bets), **views))


def decks_json(
    game: str, analyses: Mapping[int, Analysis], bets: Mapping[int, Sequence[BetAnalysis]]
) -> dict[str, Any]:
    """The odds by number of decks."""
    shoes = (OddsOfDecks(decks=number, **_of_shoe(one, bets[number])) for number, one in analyses.items())
    return answer_json(OddsByDecks(game=game, decks=tuple(shoes)))


def _of_shoe(analysis: Analysis, bets: Sequence[BetAnalysis]) -> dict[str, Any]:
    return {
        "game": analysis.game.id,
        "shoe": analysis.shoe,
        "sample_space": analysis.sample_space,
        "void": analysis.void,
        "bets": tuple(bets),
    }
