"""At the table: a round in progress, a finished round settled, a ruling on an incident."""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from combinat.analysis.round_in_progress import RoundInProgress
from combinat.analysis.round_in_progress import round_in_progress as as_it_stands
from combinat.base.errors import CombinatError, InputError, in_words, named
from combinat.base.money import Amount
from combinat.library import looks
from combinat.rules import bounds
from combinat.rules.cards import Rank
from combinat.rules.converters import (
    DECKS,
    GameGiven,
    InsuredGiven,
    ShoeGiven,
    as_amount,
    as_cards,
    as_game,
    as_insured,
    as_path,
    as_shoe,
    as_stakes,
    as_text,
    whole_number,
)
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.round import Round
from combinat.table import settlement as by_the_rules
from combinat.table.settlement import Settlement

if TYPE_CHECKING:
    from combinat.table.ruling import IncidentRuling
    from combinat.table.table_settlement import LimitedTable

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
    given = as_game(game)
    on_the_table = _on_the_table(given, dealt)
    if not on_the_table.player and not on_the_table.banker:
        raise InputError("no card is on the table; write some, such as Round.parse('5 4', 'K 6')")
    if on_the_table.is_over:
        raise InputError(
            f"the round is over ({on_the_table}) ({given.table_clause}); settle it with settle(...)"
        )
    return as_it_stands(given, on_the_table, as_shoe(shoe), as_cards("coming", coming))


def _cards_of(dealt: object) -> Round:
    if isinstance(dealt, tuple) and len(dealt) == 2 and all(isinstance(cards, str) for cards in dealt):
        return Round.parse(*dealt)
    if not isinstance(dealt, Round):
        raise InputError(
            f"found {in_words(dealt)}", "write the cards of both hands, ('9 4 K', '7 7')", parameter="dealt"
        )
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
    dealt: "Round | tuple[str, str]",
    stakes: Mapping[str, Amount] | None = None,
    insured: Mapping[str, Amount] | Mapping[Insured, Amount] | Mapping[tuple[str, str], Amount] | None = None,
    *,
    layout: str | None = None,
    table_maximum: Amount | None = None,
    maximum_differential: Amount | None = None,
    procedure: str | None = None,
    late: Collection[InsuredGiven] | None = None,
) -> Settlement:
    """A finished round settled exactly, line by line, each with its clause.

    ``dealt``: a ``Round``, or the cards of both hands, ``("9 4 K", "7 7")``. Without ``stakes``: a unit on every bet of
    the layout, and on the insurance that was on offer. ``stakes``: amounts by bet; ``insured``: amounts by ``"player@four-cards"`` and the like. Amounts are whole
    numbers, Fractions, Decimals or text; a float is none. ``layout``: the one played on, whose bets alone are taken.
    ``table_maximum``, ``maximum_differential``: where a limit on insurance is a share of them. ``procedure``: something
    that happened; ``late``: which insurance was offered late under it, else all was.

    >>> settlement = settle("commission-insurance-2013", Round.parse("9 4 K", "7 7"), {"banker": 100, "tie": "2.50"})
    >>> settlement
    <Settlement of Player 9 4 K, Banker 7 7: staked 102.5, net 92.5>
    """
    given = as_game(game)
    cards = _cards_of(dealt)
    if late is not None and not isinstance(late, list | tuple | set | frozenset):
        raise InputError(
            f"found {in_words(late)}", 'write a list, such as ["player@four-cards"]', parameter="late"
        )
    if insured is not None and not isinstance(insured, Mapping):
        raise InputError(
            f"found {in_words(insured)}",
            'write amounts, such as {"player@four-cards": 50}',
            parameter="insured",
        )
    exact = as_stakes(given, {} if stakes is None else stakes)
    amounts = {
        as_insured(name): as_amount(f"insured {name}", amount) for name, amount in (insured or {}).items()
    }
    lately = None if late is None else [as_insured(name, "late") for name in late]
    if procedure is None:
        finished = given.finished_round(cards.player, cards.banker)
    else:
        finished = given.round(cards.player, cards.banker)
    if not exact:
        beside: dict[str, object] = {"insured": insured, "late": late}
        beside |= {"table_maximum": table_maximum, "maximum_differential": maximum_differential}
        for name, value in beside.items():
            if value:
                raise InputError(
                    "nothing is staked", "add {stakes}, or leave out {" + name + "}", parameter=name
                )
        return by_the_rules.unit_settlement(
            given, finished, layout=as_text("layout", layout), procedure=as_text("procedure", procedure)
        )
    return by_the_rules.settle(
        given,
        finished,
        exact,
        amounts,
        layout=as_text("layout", layout),
        table_maximum=_maximum("table_maximum", table_maximum),
        maximum_differential=_maximum("maximum_differential", maximum_differential),
        procedure=as_text("procedure", procedure),
        late=lately,
    )


def _maximum(name: str, amount: Amount | None) -> Fraction | None:
    if amount is None:
        return None
    exact = as_amount(name, amount)
    if exact <= 0:
        raise InputError(f"found {exact}", "write an amount of more than 0", parameter=name)
    return exact


def ruling(
    game: GameGiven,
    incident: str,
    cards: str = "",
    shoe: ShoeGiven = DECKS,
    *,
    player: str | None = None,
    banker: str | None = None,
    together: int | str | None = None,
    early: int | str | None = None,
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

    given = as_game(game)
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
        new_set=None if new_set is None else as_shoe(new_set),
        reconstructible=reconstructible,
        layout=as_text("layout", layout),
        stakes={} if stakes is None else as_stakes(given, stakes),
    )
    return rule(given, report, as_shoe(shoe))


def _drawn(name: str, text: str | None) -> tuple[Rank, ...]:
    from combinat.table.incident_report import parse_drawn

    if text is not None and not isinstance(text, str):
        raise InputError(f"found {in_words(text)}", "write cards as text, such as '9 4 K'", parameter=name)
    with named(name):
        return parse_drawn(text or "")


def _number(name: str, number: int | str | None, least: int) -> int | None:
    return None if number is None else whole_number(name, number, least, bounds.TOGETHER)


def settle_table(game: GameGiven, file: str | Path) -> "LimitedTable":
    """A whole table, as a TOML file states it: what its limits reject or cut, every player's result, the House's.

    >>> settle_table("commission-insurance-2013", "no-such-table.toml")
    Traceback (most recent call last):
    combinat.base.errors.FileError: no-such-table.toml: cannot be read (No such file or directory); give the path of a TOML file of a table
    """
    from combinat.table.table_file import load_table
    from combinat.table.table_settlement import table_state

    given = as_game(game)
    return table_state(given, load_table(as_path("file", file), given))
