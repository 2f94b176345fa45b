"""At the table: a round in progress, a finished round settled, a ruling on an incident."""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from combinat.analysis.round_in_progress import RoundInProgress
from combinat.analysis.round_in_progress import round_in_progress as as_it_stands
from combinat.base.amounts import Amount
from combinat.base.errors import CombinatError, InputError, in_words, named
from combinat.library import looks
from combinat.library.given import (
    DECKS,
    GameGiven,
    InsuredGiven,
    ShoeGiven,
    amount_given,
    cards_given,
    game_given,
    insured_given,
    integer,
    shoe_given,
    stakes_given,
    text_given,
)
from combinat.rules import bounds
from combinat.rules.cards import Rank
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.round import Round
from combinat.table import settlement as by_the_rules
from combinat.table.settlement import Settlement

if TYPE_CHECKING:
    from combinat.table.ruling import IncidentRuling

looks.register()


def round_in_progress(
    game: GameGiven,
    dealt: Round,
    shoe: ShoeGiven = DECKS,
    coming: "str | Iterable[Rank]" = (),
) -> RoundInProgress:
    """A round in progress: what every bet is still worth, and the insurance on offer now.

    ``shoe`` is the one it is dealt from, the cards on the table still in it. ``coming``: the next cards, where they
    are known.

    >>> now = round_in_progress("commission-insurance-2013", Round.parse("2 4", "K 5"))
    >>> now["banker"].expected_value
    Fraction(-1967, 4120)
    """
    given = game_given(game)
    on_the_table = _on_the_table(given, dealt)
    if not on_the_table.player and not on_the_table.banker:
        raise InputError("no card is on the table; write some, such as Round.parse('5 4', 'K 6')")
    if on_the_table.is_over:
        raise InputError(
            f"the round is over ({on_the_table}) ({given.table_clause}); settle it with settle(...)"
        )
    return as_it_stands(given, on_the_table, shoe_given(shoe), cards_given("coming", coming))


def _cards_of(dealt: object) -> Round:
    if not isinstance(dealt, Round):
        raise InputError(f"found {in_words(dealt)} for a round; write Round.parse('9 4 K', '7 7')")
    return dealt


def _on_the_table(game: Game, dealt: Round) -> Round:
    """The round by the game's Table of Play, if that could have dealt it so far."""
    cards = _cards_of(dealt)
    again = game.round(cards.player, cards.banker)
    first = len(again.player) - len(again.banker) in (0, 1) or max(len(again.player), len(again.banker)) <= 2
    drew_early = (
        max(len(again.player), len(again.banker)) > 2 and min(len(again.player), len(again.banker)) < 2
    )
    if not first or drew_early or not again.follows_table:
        raise InputError(
            f"the round ({again}) could not have been dealt by the Table of Play of {game.id} ({game.table_clause})"
        )
    return again


def settle(
    game: GameGiven,
    dealt: Round,
    stakes: Mapping[str, Amount],
    insured: Mapping[str, Amount] | Mapping[Insured, Amount] | Mapping[tuple[str, str], Amount] | None = None,
    *,
    layout: str | None = None,
    table_maximum: Amount | None = None,
    maximum_differential: Amount | None = None,
    procedure: str | None = None,
    late: Collection[InsuredGiven] | None = None,
) -> Settlement:
    """A finished round settled exactly, line by line, each with its clause.

    ``stakes``: amounts by bet; ``insured``: amounts by ``"player@four-cards"`` and the like. Amounts are whole
    numbers, Fractions, Decimals or text; a float is none. ``layout``: the one played on, whose bets alone are taken.
    ``table_maximum``, ``maximum_differential``: where a limit on insurance is a share of them. ``procedure``: something
    that happened; ``late``: which insurance was offered late under it, else all was.

    >>> settlement = settle("commission-insurance-2013", Round.parse("9 4 K", "7 7"), {"banker": 100, "tie": "2.50"})
    >>> settlement
    <Settlement of Player 9 4 K, Banker 7 7: staked 102.5, net 92.5>
    """
    given = game_given(game)
    cards = _cards_of(dealt)
    exact = stakes_given(given, stakes)
    if not exact:
        raise InputError('nothing is staked; write bets and amounts, such as {"banker": 100}')
    if procedure is None:
        finished = given.finished_round(cards.player, cards.banker)
    else:
        finished = given.round(cards.player, cards.banker)
    if late is not None and not isinstance(late, list | tuple | set | frozenset):
        raise InputError(f'late: found {in_words(late)}; write a list, such as ["player@four-cards"]')
    if insured is not None and not isinstance(insured, Mapping):
        raise InputError(f'insured: found {in_words(insured)}; write {{"player@four-cards": 50}}')
    return by_the_rules.settle(
        given,
        finished,
        exact,
        {insured_given(name): amount_given(str(name), amount) for name, amount in (insured or {}).items()},
        layout=text_given("layout", layout),
        table_maximum=_maximum("table_maximum", table_maximum),
        maximum_differential=_maximum("maximum_differential", maximum_differential),
        procedure=text_given("procedure", procedure),
        late=None if late is None else [insured_given(name) for name in late],
    )


def _maximum(name: str, amount: Amount | None) -> Fraction | None:
    if amount is None:
        return None
    exact = amount_given(name, amount)
    if exact <= 0:
        raise InputError(f"{name}: it must be more than 0; found {exact}")
    return exact


def ruling(
    game: GameGiven,
    incident: str,
    cards: str = "",
    shoe: ShoeGiven = DECKS,
    *,
    player: str | None = None,
    banker: str | None = None,
    together: int | None = None,
    early: int | None = None,
    new_set: ShoeGiven | None = None,
    reconstructible: bool = True,
    layout: str | None = None,
    stakes: Mapping[str, Amount] | None = None,
) -> "IncidentRuling":
    """An irregularity: is an outcome established, what follows, what each option is worth.

    ``cards``: all that left the shoe, in their order, those drawn by mistake included.
    ``player``, ``banker``: the hands as they lay, where that was wrong. ``together``, ``early``: how many of the last
    cards came at once, or before their turn. ``new_set``: what the shoe then holds, where its cards are replaced.

    >>> ruling("commission-insurance-2013", "foreign-card", "9 4 K")
    <IncidentRuling on foreign-card: void (5.1, 5.1.1)>
    """
    from combinat.table.incident_report import IncidentReport
    from combinat.table.ruling import rule

    given = game_given(game)
    if not isinstance(incident, str):
        raise CombinatError(
            f"found {in_words(incident)} for an incident; write one of {', '.join(given.incident_ids)}"
        )
    hands = (
        None
        if player is None and banker is None
        else Round(_drawn("player", player), _drawn("banker", banker))
    )
    report = IncidentReport(
        incident=incident,
        cards=_drawn("cards", cards),
        hands=hands,
        together=_number("together", together, 2),
        early=_number("early", early, 1),
        new_set=None if new_set is None else shoe_given(new_set),
        reconstructible=reconstructible,
        layout=text_given("layout", layout),
        stakes={} if stakes is None else stakes_given(given, stakes),
    )
    return rule(given, report, shoe_given(shoe))


def _drawn(name: str, text: str | None) -> tuple[Rank, ...]:
    from combinat.table.incident_report import parse_drawn

    if text is not None and not isinstance(text, str):
        raise InputError(f"{name}: found {in_words(text)}; write cards as text, such as '9 4 K'")
    with named(name):
        return parse_drawn(text or "")


def _number(name: str, number: int | None, least: int) -> int | None:
    if number is None:
        return None
    whole = integer(number)
    if whole is None or not least <= whole <= bounds.TOGETHER:
        raise InputError(
            f"{name}: found {in_words(number)}; write a whole number from {least} to {bounds.TOGETHER}"
        )
    return whole
