"""What a rule book states, each thing in a phrase: for tables that set two rule books side by side."""

from collections.abc import Sequence
from typing import Any

import msgspec

from combinat.rules.bet import Bet, Case, Pay
from combinat.rules.document import Layout
from combinat.rules.facts import BY_NAME, fact_in_words
from combinat.rules.game import Game
from combinat.rules.insurance import Offer
from combinat.rules.odds import Odds
from combinat.rules.table_of_play import TOTALS
from combinat.rules.value_sets import NumberSet


def pays_in_words(bet: Bet, *, with_facts: bool = False) -> str:
    """A pay table in a phrase; with the facts of every line where their names do not tell them apart."""
    return "; ".join(
        [
            *(f"{_line(pay, with_facts)} {_paid(pay.odds)}" for pay in bet.pays),
            *(["otherwise returned"] if not bet.rest else []),
        ]
    )


def _paid(odds: Odds) -> str:
    return f"at {odds}" if odds.net > 0 else "lost" if odds.net else "returned"


def _line(pay: Pay, with_facts: bool) -> str:
    name = pay.name or "wins"
    if not with_facts:
        return name
    excepted = "".join(f", except {_facts(case)}" for case in pay.exceptions)
    return f"{name} ({_facts(pay)}{excepted})"


def _facts(case: Case) -> str:
    return ", ".join(f"{fact} {_values(getattr(case, fact))}" for fact in BY_NAME if fact in case.facts)


def when_it_pays(pay: Pay) -> str:
    """When a line of a pay table pays, in words that follow from its facts.

    >>> when_it_pays(Pay.of("1 to 1", winner="player", margin="4-9"))
    'the Player Hand wins, the hands are 4 to 9 points apart'
    """
    excepted = "; or when ".join(_case_in_words(case) for case in pay.exceptions)
    return _case_in_words(pay) + (f"; not when {excepted}" if excepted else "")


def _case_in_words(case: Case) -> str:
    return ", ".join(fact_in_words(fact, accepted) for fact, accepted in case.facts.items())


def _values(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def layout_in_words(layout: Layout) -> str:
    """A layout in a phrase: its kind, and how many positions it has."""
    return f"{layout.kind + ', ' if layout.kind else ''}{layout.positions} positions"


def offer_in_words(offer: Offer) -> str:
    """A line of an insurance table in a phrase: its odds, and what a tie does."""
    return f"{offer.odds}, {f'a tie on {offer.tie_pays} pays' if offer.tie_pays else 'a tie is returned'}"


def draws_in_words(game: Game) -> dict[str, str]:
    """The Table of Play, a phrase for each of its rules."""
    printed = game.printed_table
    rules = {
        "natural": str(printed.natural),
        "Player Hand draws": str(printed.player_draws),
        "Banker Hand draws, Player stood": str(printed.banker_draws_when_player_stood),
        "Banker Hand draws against a natural": str(printed.banker_draws_against_natural),
    }
    thirds = {
        f"Banker Hand with {total} draws, Player's third": str(NumberSet(printed.third(total)))
        for total in TOTALS
        if total not in printed.natural
    }
    return rules | thirds


def record_in_words(record: msgspec.Struct, keys: Sequence[str]) -> str:
    """These keys of a record with their values, in a phrase."""
    said = {key.replace("_", " "): _plain(getattr(record, key)).rstrip(".") or "none" for key in keys}
    return "; ".join(f"{key}: {words}" for key, words in said.items())


def _plain(value: Any) -> str:
    """A value about as the rule book states it."""
    if isinstance(value, msgspec.Struct):
        stated = {
            key: inner
            for key in value.__struct_fields__
            if (inner := getattr(value, key)) not in (None, (), "")
        }
        return ", ".join(f"{key} {_plain(inner)}" for key, inner in stated.items())
    if isinstance(value, tuple):
        return "; ".join(_plain(entry) for entry in value)
    return str(value)
