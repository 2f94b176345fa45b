"""``analysis.json``: everything a report rests on, exact and canonical, for the checker to re-derive.

Exact numbers are text; irrational figures are decimals of ``PLACES`` digits, correctly rounded. Keys are
sorted, the text is ASCII and ends in one newline, so that equal figures are equal bytes.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from combinat import __version__
from combinat.analysis.analysis import Analysis, analyze
from combinat.analysis.formula import Formula, bet_formulas, state_formulas
from combinat.analysis.insurance import by_third_card, insurance_analysis
from combinat.analysis.joint import correlations
from combinat.analysis.readings import effects
from combinat.analysis.removal import removals
from combinat.render.number import exact
from combinat.report.insurance import state_json, third_cards_json
from combinat.report.joint import joint_json
from combinat.report.odds import odds_json
from combinat.report.readings import effects_json
from combinat.report.removal import removal_json
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

REFERENCE_DECKS = 8
"""The shoe of the figures that are given for one shoe only: other readings and effects of removal."""


def analysis_json(
    game: Game, sha256: str, decks: Sequence[int], done: Callable[[str], None] = lambda step: None
) -> dict[str, Any]:
    """The whole analysis of a game under the schema ``combinat/analysis/1``."""
    reference = REFERENCE_DECKS if REFERENCE_DECKS in decks else decks[-1]
    by_decks = []
    for number in decks:
        by_decks.append(_on_shoe(analyze(game, Shoe.of_decks(number)), number))
        done(f"{number} decks")
    found = analyze(game, Shoe.of_decks(reference)).found
    readings = {entry.id: effects(game, entry, found) for entry in game.interpretations}
    done("readings")
    payload = {
        "schema": "combinat/analysis/1",
        "software": {"name": "combinat", "version": __version__},
        "game": game.id,
        "rule_book_sha256": sha256,
        "reference_decks": reference,
        "decks": by_decks,
        "interpretations": effects_json(readings),
        "removal": removal_json(removals(game, Shoe.of_decks(reference))),
        "formulas": [
            *(_formulas(bet.id, bet_formulas(game, bet.id)) for bet in game.bets),
            *(_formulas(str(state), state_formulas(game, state)) for state in game.offers),
        ],
    }
    done("formulas")
    return payload


def _on_shoe(analysis: Analysis, decks: int) -> dict[str, Any]:
    """One number of decks: bets, covariances, insurance states by third card."""
    game, found = analysis.game, analysis.found
    odds = odds_json(analysis, analysis.bets)
    split = by_third_card(game, found)
    return {
        "decks": decks,
        "shoe": odds["shoe"],
        "sample_space": odds["sample_space"],
        "void": odds["void"],
        "bets": odds["bets"],
        "joint": joint_json(correlations(game, game.bets, found)),
        "insurance": [
            {
                **state_json(one),
                **({"third_cards": third_cards_json(split[one.state])} if one.state in split else {}),
            }
            for one in insurance_analysis(game, found)
        ],
    }


def _formulas(of: str, formulas: Sequence[Formula]) -> dict[str, Any]:
    return {
        "of": of,
        "formulas": [
            {
                "name": formula.name,
                "numerator": [str(part) for part in formula.top],
                "denominator": [str(part) for part in formula.bottom],
                "limit": exact(formula.limit),
            }
            for formula in formulas
        ],
    }


def canonical(payload: dict[str, Any]) -> str:
    """The one text of a payload: sorted keys, ASCII, one space a level, a newline at the end."""
    return json.dumps(payload, sort_keys=True, ensure_ascii=True, indent=1) + "\n"
