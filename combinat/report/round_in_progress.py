"""A round in progress, as people and programs read it."""

from fractions import Fraction
from typing import Any

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.round_in_progress import RoundInProgress, result_so_far
from combinat.base.kinds import FRACTION, ODDS, decimal
from combinat.render.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.report.insurance import SIGNED, favours
from combinat.report.insurance_views import state_json
from combinat.report.odds import FINE, PERCENT, shoe_in_words, shoe_json
from combinat.report.phrases import ROUNDING
from combinat.report.staying import one_round_json, one_round_terms
from combinat.rules.cards import format_cards
from combinat.rules.game import Game
from combinat.rules.house_rules import OptionsFor
from combinat.rules.outcome import Winner
from combinat.rules.table_of_play import Hand

TAKE_BACK = "dealing-error"
"""The procedure under which a player may have a bet returned."""


def round_document(now: RoundInProgress) -> Section:
    """The round as it stands: results, bets, insurance."""
    dealt = now.dealt
    hands = [
        f"{hand.value.capitalize()} {format_cards(cards) or '-'} ({dealt.points(hand)})"
        for hand, cards in ((Hand.PLAYER, dealt.player), (Hand.BANKER, dealt.banker))
    ]
    said = {
        "On the table": ", ".join(hands),
        "Next to draw": dealt.next_hand.in_full if dealt.next_hand else "nobody",
        **({"Known to come": format_cards(now.coming)} if now.coming else {}),
        **({"Known, not of this round": format_cards(now.beyond)} if now.beyond else {}),
        "Left in the shoe": shoe_in_words(now.shoe),
    }
    return Section(
        f"{now.game.name}: a round in progress",
        (
            Terms(said),
            *one_round_terms(now.game),
            _results(now),
            Section("Bets", _bets(now)),
            *_insurance(now),
            Paragraph(ROUNDING),
        ),
    )


def _results(now: RoundInProgress) -> Table:
    columns = (Column("result"), Column("probability", FRACTION), Column("%", FINE))
    return table(columns, [(name, chance, chance) for name, chance in result_chances(now).items()])


def result_chances(now: RoundInProgress) -> dict[str, Fraction]:
    """How likely each result is from here, by its name."""
    chances = {
        winner.value if winner is Winner.TIE else f"{winner.value} wins": chance
        for winner, chance in now.winners.items()
    }
    return chances | ({"void": now.void} if now.void else {})


def standing(bet: BetAnalysis) -> str:
    """How the bet stands: open, or what it has already come to."""
    return result_so_far(bet) or "open"


def advice(bet: BetAnalysis) -> str:
    """Whether going on is worth more than having the bet returned."""
    value = bet.expected_value
    return "continue" if value > 0 else "take back" if value < 0 else "either"


def _bets(now: RoundInProgress) -> tuple[Block, ...]:
    columns = (
        Column("bet"),
        Column("stands"),
        Column("wins %", PERCENT),
        Column("returned %", PERCENT),
        Column("EV %", SIGNED),
    )
    rows = [(bet.id, standing(bet), bet.hit_frequency, bet.returned, bet.expected_value) for bet in now.bets]
    if not now.bets_may_be_taken_back:
        return (table(columns, rows),)
    advised = [(*row, advice(bet)) for row, bet in zip(rows, now.bets, strict=True)]
    return table((*columns, Column("worth more to")), advised), Paragraph(_take_back(now.game))


def _take_back(game: Game) -> str:
    for procedure in game.procedures:
        if procedure.id == TAKE_BACK:
            joint = game.practice.options_for is OptionsFor.ALL_BETS
            chosen = f", and chooses {game.practice.options_for.in_words}" if joint else ""
            return f"After a dealing error a player may have a bet returned ({', '.join(procedure.clauses)}){chosen}."
    return "This document gives no right to have a bet returned after a dealing error."


def _insurance(now: RoundInProgress) -> tuple[Section, ...]:
    if now.game.insurance_terms is None:
        return ()
    if not now.insurance:
        return (Section("Insurance", (Paragraph("None is on offer at this moment."),)),)
    staged = bool(now.coming)
    columns = (
        Column("hand"),
        *((Column("offered"),) if staged else ()),
        Column("pays", ODDS),
        Column("wins %", PERCENT),
        Column("returned %", PERCENT),
        Column("loses %", PERCENT),
        Column("EV %", SIGNED),
        Column("fair odds", ODDS),
        Column("favours"),
    )
    rows = [
        (
            state.state.side,
            *((state.state.stage.in_words,) if staged else ()),
            state.odds,
            state.wins,
            state.pushes,
            state.loses,
            state.expected_value,
            _fair_odds(state),
            f"the {favours(state).lower()}"
            if state.favours_player or state.favours_house
            else "neither side",
        )
        for state in now.insurance
    ]
    title = "Insurance on offer, its next cards known" if staged else "Insurance on offer now"
    return (Section(title, (table(columns, rows),)),)


def _fair_odds(state: StateAnalysis) -> Cell:
    return "never wins" if state.fair_odds is None else Figure(state.fair_odds, decimal(4), after=" to 1")


def round_json(now: RoundInProgress) -> dict[str, Any]:
    """The round under the schema ``combinat/round/1``."""
    return {
        "schema": "combinat/round/1",
        "game": now.game.id,
        "player": list(now.dealt.player),
        "banker": list(now.dealt.banker),
        "next": now.dealt.next_hand,
        "coming": list(now.coming),
        "beyond": list(now.beyond),
        "shoe": shoe_json(now.shoe),
        "sample_space": str(now.distribution.sample_space),
        "results": {name: str(chance) for name, chance in result_chances(now).items()},
        "bets": [
            {
                "id": bet.id,
                "stands": standing(bet),
                "hit_frequency": str(bet.hit_frequency),
                "returned": str(bet.returned),
                "expected_value": str(bet.expected_value),
                **({"worth_more_to": advice(bet)} if now.bets_may_be_taken_back else {}),
            }
            for bet in now.bets
        ],
        "insurance": [state_json(state) for state in now.insurance],
        **one_round_json(now.game),
    }
