"""A round in progress, as people and programs read it."""

from fractions import Fraction
from typing import Any

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.progress import Progress, is_decided
from combinat.render.document import Block, Heading, Paragraph, Table, Terms
from combinat.render.number import decimal, percent
from combinat.report.insurance import favours, signed, state_json
from combinat.report.odds import shoe_in_words, shoe_json
from combinat.rules.game import Game
from combinat.rules.outcome import Winner
from combinat.rules.table_of_play import Hand

TAKE_BACK = "dealing-error"
"""The procedure under which a player may have a bet returned."""


def progress_document(now: Progress) -> list[Block]:
    """The round as it stands: results, bets, insurance."""
    dealt = now.dealt
    hands = [
        f"{hand.value.capitalize()} {' '.join(cards) or '-'} ({dealt.points(hand)})"
        for hand, cards in ((Hand.PLAYER, dealt.player), (Hand.BANKER, dealt.banker))
    ]
    draws = dealt.next_hand.in_full if dealt.next_hand else "nobody"
    blocks: list[Block] = [
        Heading(f"{now.game.name}: a round in progress", 1),
        Terms(
            {
                "On the table": ", ".join(hands),
                "Next to draw": draws,
                "Left in the shoe": shoe_in_words(now.shoe),
            }
        ),
        _results(now),
        Heading("Bets"),
        _bets(now),
    ]
    if now.bets_may_be_taken_back:
        blocks.append(Paragraph(_take_back(now.game)))
    return [*blocks, *_insurance(now)]


def _results(now: Progress) -> Table:
    rows = [[name, str(chance), percent(chance, 6)] for name, chance in result_chances(now).items()]
    return Table(columns=("result", "probability", "%"), align="lrr", rows=rows)


def result_chances(now: Progress) -> dict[str, Fraction]:
    """How likely each result is from here."""
    space, results = now.found.sample_space, now.found.results
    chances = {
        winner.value if winner is Winner.TIE else f"{winner.value} wins": Fraction(
            sum(ways for result, ways in results.items() if result.winner is winner), space
        )
        for winner in Winner
    }
    return chances | ({"void": Fraction(now.found.void, space)} if now.found.void else {})


def standing(bet: BetAnalysis) -> str:
    """How the bet stands: open, or what it has already come to."""
    if not is_decided(bet):
        return "open"
    return "won" if bet.expected_value > 0 else "lost" if bet.expected_value < 0 else "returned"


def _bets(now: Progress) -> Table:
    rows = []
    for bet in now.bets:
        row = [
            bet.id,
            standing(bet),
            percent(bet.hit_frequency),
            percent(bet.returned),
            signed(bet.expected_value),
        ]
        rows.append([*row, advice(bet)] if now.bets_may_be_taken_back else row)
    columns = ["bet", "stands", "wins %", "returned %", "EV %"]
    if now.bets_may_be_taken_back:
        columns.append("worth more to")
    return Table(columns=columns, align="llrrrl"[: len(columns)], rows=rows)


def advice(bet: BetAnalysis) -> str:
    """Whether going on is worth more than having the bet returned."""
    value = bet.expected_value
    return "continue" if value > 0 else "take back" if value < 0 else "either"


def _take_back(game: Game) -> str:
    for procedure in game.procedures:
        if procedure.id == TAKE_BACK:
            return f"After a dealing error a player may have a bet returned ({', '.join(procedure.clauses)})."
    return "This document gives no right to have a bet returned after a dealing error."


def _insurance(now: Progress) -> list[Block]:
    if now.game.insurance_terms is None:
        return []
    if not now.insurance:
        return [Heading("Insurance"), Paragraph("None is on offer at this moment.")]
    rows = [
        [
            one.state.side,
            one.offer.odds,
            percent(one.wins or Fraction(0)),
            percent(one.pushes or Fraction(0)),
            percent(one.loses or Fraction(0)),
            signed(one.expected_value),
            "never wins" if one.fair_odds is None else f"{decimal(one.fair_odds, 4)} to 1",
            f"favours the {favours(one).lower()}"
            if one.favours_player or one.favours_house
            else "favours neither side",
        ]
        for one in now.insurance
    ]
    columns = ("hand", "pays", "wins %", "returned %", "loses %", "EV %", "fair odds", "")
    return [Heading("Insurance on offer now"), Table(columns=columns, align="llrrrrll", rows=rows)]


def progress_json(now: Progress) -> dict[str, Any]:
    """The round under the schema ``combinat/round/1``."""
    return {
        "schema": "combinat/round/1",
        "game": now.game.id,
        "player": list(now.dealt.player),
        "banker": list(now.dealt.banker),
        "next": now.dealt.next_hand,
        "shoe": shoe_json(now.shoe),
        "sample_space": str(now.found.sample_space),
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
        "insurance": [state_json(one) for one in now.insurance],
    }
