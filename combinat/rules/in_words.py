"""What a rule book states, each thing in a phrase: for tables that set two rule books side by side."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from combinat.rules.bet import FACTS, Bet, Case, Pay
from combinat.rules.cards import RANKS
from combinat.rules.game import Game, Layout
from combinat.rules.insurance import Offer
from combinat.rules.odds import Odds, PointSet, runs
from combinat.rules.outcome import Pairs, Winner
from combinat.rules.table_of_play import TOTALS


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
    return ", ".join(f"{fact} {_values(getattr(case, fact))}" for fact in FACTS if fact in case.facts)


_WHEN = {
    "winning_points": "the winning hand has {} points",
    "losing_points": "the losing hand has {} points",
    "winning_cards": "the winning hand has {} cards",
    "losing_cards": "the losing hand has {} cards",
    "player_points": "the Player Hand has {} points",
    "banker_points": "the Banker Hand has {} points",
    "total_points": "both hands together have {} points",
    "player_cards": "the Player Hand has {} cards",
    "banker_cards": "the Banker Hand has {} cards",
    "cards": "the round takes {} cards",
    "margin": "the hands are {} points apart",
}
_IF_SO = {
    "natural": "a hand is a natural",
    "player_natural": "the Player Hand is a natural",
    "banker_natural": "the Banker Hand is a natural",
    "player_pair": "the Player's first two cards are a pair",
    "banker_pair": "the Banker's first two cards are a pair",
    "player_point_pair": "the Player's first two cards are worth the same",
    "banker_point_pair": "the Banker's first two cards are worth the same",
}
_IF_NOT = {"natural": "no hand is a natural"}
_PAIRS = {
    Pairs.NONE: "no pair",
    Pairs.SINGLE: "one pair",
    Pairs.DOUBLE: "two different pairs",
    Pairs.TWIN: "the same pair twice",
}
_WINS = {
    Winner.PLAYER: "the Player Hand wins",
    Winner.BANKER: "the Banker Hand wins",
    Winner.TIE: "the hands tie",
}


def when_it_pays(pay: Pay) -> str:
    """When a line of a pay table pays, in words that follow from its facts.

    >>> from combinat.rules.accepted import NumberSet, WinnerSet
    >>> from combinat.rules.odds import Odds
    >>> when_it_pays(Pay(odds=Odds.parse("1 to 1"), winner=WinnerSet.parse("player"), margin=NumberSet.parse("4-9")))
    'the Player Hand wins, the hands are 4 to 9 points apart'
    """
    excepted = "; or when ".join(_case_in_words(case) for case in pay.exceptions)
    return _case_in_words(pay) + (f"; not when {excepted}" if excepted else "")


def _case_in_words(case: Case) -> str:
    return ", ".join(_fact_in_words(fact, accepted) for fact, accepted in case.facts.items())


def _fact_in_words(fact: str, accepted: frozenset[Any]) -> str:
    if fact == "winner":
        return " or ".join(words for winner, words in _WINS.items() if winner in accepted)
    if fact in _IF_SO:
        is_so = True in accepted
        return (
            _IF_SO[fact]
            if is_so
            else _IF_NOT.get(fact, _IF_SO[fact].replace(" is ", " is not ").replace(" are ", " are not ", 1))
        )
    hand = "Player" if fact.startswith("player") else "Banker"
    if fact in ("pairs", "point_pairs"):
        by = "" if fact == "pairs" else ", by points"
        return f"the first four cards have {' or '.join(words for kind, words in _PAIRS.items() if kind in accepted)}{by}"
    if fact in ("player_pair_of", "banker_pair_of"):
        ranks = " or ".join(str(rank) for rank in RANKS if rank in accepted)
        return f"the {hand}'s first two cards are a pair of {ranks}"
    if fact in ("player_third", "banker_third"):
        points = numbers_in_words(card for card in accepted if card is not None)
        drawn = f"the {hand}'s third card is worth {points}" if points else ""
        stood = f"the {hand} Hand takes no third card" if None in accepted else ""
        return " or ".join(words for words in (drawn, stood) if words)
    return _WHEN[fact].format(numbers_in_words(accepted))


def numbers_in_words(numbers: Iterable[int]) -> str:
    """Whole numbers as they are read out.

    >>> numbers_in_words([4, 5, 6, 9]), numbers_in_words([2, 3])
    ('4 to 6 or 9', '2 or 3')
    """
    words = []
    for part in runs(numbers).split(","):
        low, _, high = part.partition("-")
        words += [low, high] if high and int(high) == int(low) + 1 else [part.replace("-", " to ")]
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


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
        f"Banker Hand with {total} draws, Player's third": str(PointSet(printed.third(total))) or "none"
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
