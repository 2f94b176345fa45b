"""Converters of a caller's arguments: a game, a shoe, bets, amounts, cards. Wrong values are refused here.

A refusal names the parameter; the command line shows it as an option.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from combinat.base.errors import InputError, RuleBookError, in_words, named, near_matches, shortened
from combinat.base.money import MOST_DIGITS, exact_amount, is_money, parse_money
from combinat.base.number import integer
from combinat.rules import bounds
from combinat.rules.book.find import rule_book_path
from combinat.rules.book.load import load_game, parsed_game
from combinat.rules.cards import Rank, parse_cards
from combinat.rules.document import Decks
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.round import Round, Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand

GameGiven = Game | str | Path
"""A game, its id or the beginning of it, or the path of its rule book."""

Choice = TypeVar("Choice", bound=StrEnum)

ShoeGiven = Shoe | int
"""A shoe, or a number of decks."""

InsuredGiven = Insured | str | tuple[str, str]
"""An insured hand and its stage: ``"player@four-cards"``, or ``("player", "four-cards")``."""

DECKS = 8
"""The default number of decks."""


def as_game(game: GameGiven) -> Game:
    """Return the game itself, or the game with this id or rule book."""
    return load_game(game)


def as_document(game: GameGiven) -> Game:
    """Return a game that its rule book states; refuse one with other odds, or edited since it was read."""
    if not isinstance(game, Game):
        return load_game(game)
    path = Path(f"{game.id}.toml")
    if not game.provisos.odds and game.content and parsed_game(game.content, path) == game.document:
        return game
    raise RuleBookError(
        f"{game.id}: this needs the rule book itself, and the game is not as one has it; "
        "give its id or the path of its TOML file"
    )


def as_text(what: str, text: object) -> str | None:
    """Return a name as text, or None."""
    if text is None or isinstance(text, str):
        return text
    raise InputError(f"found {in_words(text)}", "write its id as text", parameter=what)


def as_bet(game: Game, bet: object) -> str:
    """Return the id of a bet of the game."""
    if isinstance(bet, str):
        return game.bet(bet).id
    raise InputError(
        f"found {in_words(bet)} for a bet; write its id as text, one of {', '.join(each.id for each in game.bets)}"
    )


def as_choice(what: str, word: object, choices: type[Choice]) -> Choice:
    """Return a member of an enumeration."""
    if isinstance(word, str) and word in list(choices):
        return choices(word)
    raise InputError(f"found {in_words(word)}", f"write one of {', '.join(choices)}", parameter=what)


def as_bets(game: Game, bets: object) -> list[str]:
    """Return the ids of several bets of the game."""
    if not isinstance(bets, list | tuple):
        such = in_words(bets) if isinstance(bets, str) else '"tie"'
        raise InputError(f"found {in_words(bets)}", f"write a list, such as [{such}]", parameter="bets")
    return [as_bet(game, bet) for bet in bets]


def as_shoe(
    shoe: ShoeGiven | None,
    *,
    decks: int | str | None = None,
    removed: str | None = None,
    cards: str | None = None,
) -> Shoe:
    """Return the shoe: itself or a number of decks, without the cards removed; or the cards left.

    Default: 8 decks.

    >>> as_shoe(Shoe.of_decks(1), removed="A A").size, as_shoe(None, decks=2).size
    (50, 104)
    """
    if shoe is not None:
        for name, other in (("decks", decks), ("cards", cards)):
            if other is not None:
                raise InputError("a shoe is given", f"leave out {{shoe}} or {{{name}}}", parameter=name)
    if cards is not None:
        if decks is not None or removed is not None:
            raise InputError("these are all cards left", "leave out {decks} and {removed}", parameter="cards")
        with named("cards"):
            return Shoe.parse(cards)
    if isinstance(shoe, Shoe):
        fresh = shoe
    elif shoe is not None:
        number = integer(shoe)
        if number is None or not 1 <= number <= bounds.SHOE_DECKS:
            raise InputError(
                f"found {in_words(shoe)}",
                "write a whole number of decks, such as 8, or a Shoe, "
                "such as Shoe.of_decks(8) or Shoe.parse('A=31 2=32 K=32')",
                parameter="shoe",
            )
        fresh = Shoe.of_decks(number)
    else:
        fresh = Shoe.of_decks(whole_number("decks", DECKS if decks is None else decks, 1, bounds.SHOE_DECKS))
    with named("removed"):
        return fresh if removed is None else fresh.minus(removed)


def as_amount(what: str, amount: object) -> Fraction:
    """Return an exact amount of money.

    >>> as_amount("banker", "12.50"), as_amount("banker", 7)
    (Fraction(25, 2), Fraction(7, 1))
    """
    if isinstance(amount, float):
        such = f'"{amount!s}"' if is_money(str(amount).removeprefix("-")) else 'such as "12.50"'
        raise InputError(
            f"found the float {amount!s}, which is no exact amount",
            f"write it as text, {such}, or as a whole number, a Fraction or a Decimal",
            parameter=what,
        )
    if isinstance(amount, str):
        with named(what):
            return parse_money(amount.strip())
    whole = integer(amount)
    exact = exact_amount(amount if whole is None else whole)
    if exact is None:
        raise InputError(
            f"found {in_words(amount)}",
            f'write an amount of at most {MOST_DIGITS} digits, such as 100, "12.50" or Fraction(25, 2)',
            parameter=what,
        )
    return exact


def as_stakes(game: Game, stakes: object, what: str = "stakes") -> dict[str, Fraction]:
    """Return stakes (or other amounts) by bet, each more than 0."""
    if not isinstance(stakes, Mapping):
        raise InputError(
            f"found {in_words(stakes)}",
            'write bets and amounts, such as {"banker": 100}',
            parameter=what,
        )
    return {as_bet(game, bet): _more_than_nothing(f"{what} {bet}", amount) for bet, amount in stakes.items()}


def as_positive(what: str, amount: object) -> Fraction | None:
    """Return an amount of money of more than 0, or None for None."""
    return None if amount is None else _more_than_nothing(what, amount)


def _more_than_nothing(what: str, amount: object) -> Fraction:
    exact = as_amount(what, amount)
    if exact <= 0:
        raise InputError(f"found {exact}", "write an amount of more than 0", parameter=what)
    return exact


def as_insured(insured: object, what: str = "insured") -> Insured:
    """Return an insured hand and its stage.

    >>> str(as_insured("player@four-cards"))
    'player@four-cards'
    """
    parts = insured.partition("@")[::2] if isinstance(insured, str) else insured
    near = ""
    if isinstance(parts, list | tuple) and len(parts) == 2:
        hand, stage = parts
        if hand in list(Hand) and stage in list(Stage):
            return Insured(Hand(hand), Stage(stage))
        hands, stages = near_matches(str(hand), list(Hand)), near_matches(str(stage), list(Stage))
        near = f" (did you mean {hands[0]}@{stages[0]}?)" if hands and stages else ""
    raise InputError(
        f"found {in_words(insured)}{near}",
        "write player or banker, then @four-cards or @player-third-card, such as player@four-cards",
        parameter=what,
    )


def as_cards(what: str, cards: "str | Iterable[Rank]") -> tuple[Rank, ...]:
    """Return cards, from text or ranks."""
    if isinstance(cards, str):
        with named(what):
            return parse_cards(cards)
    try:
        listed = tuple(cards)
    except TypeError:
        listed = (None,)  # type: ignore[assignment]
    if not all(isinstance(card, Rank) for card in listed):
        raise InputError(f"found {in_words(cards)}", "write cards as text, such as '9 4 K'", parameter=what)
    return listed


def as_hands(dealt: object) -> Round:
    """Return the cards of both hands, from a ``Round`` or ``("9 4 K", "7 7")``."""
    if isinstance(dealt, tuple) and len(dealt) == 2 and all(isinstance(cards, str) for cards in dealt):
        return Round(as_cards("player", dealt[0]), as_cards("banker", dealt[1]))
    if not isinstance(dealt, Round):
        raise InputError(
            f"found {in_words(dealt)}", "write the cards of both hands, ('9 4 K', '7 7')", parameter="dealt"
        )
    return dealt


def as_path(what: str, path: object) -> Path:
    """Return a path."""
    if isinstance(path, str | Path) and str(path) and "\0" not in str(path):
        try:
            os.fsencode(path)
        except UnicodeEncodeError:
            pass
        else:
            return Path(path)
    raise InputError(f"found {in_words(path)}", "write a path", parameter=what)


def whole_number(what: str, number: object, least: int, most: int, otherwise: str = "") -> int:
    """Return an integer within bounds, also from text.

    ``otherwise``: an alternative that the message names.
    """
    whole = (
        int(number) if isinstance(number, str) and re.fullmatch(r"(?a)\d{1,20}", number) else integer(number)
    )
    if whole is not None and least <= whole <= most:
        return whole
    raise InputError(
        f"found {in_words(number)}",
        f"write {otherwise}a whole number from {least} to {most}",
        parameter=what,
    )


def rule_books_read(game: GameGiven) -> dict[str, Path]:
    """Return the file that a game is read from; empty for a ``Game``."""
    if isinstance(game, Game):
        return {}
    return {"the rule book": game if isinstance(game, Path) else rule_book_path(game)}


_DECKS = r"(?a)\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*"


def as_decks(
    decks: "int | str | Sequence[int]", *, columns: int = bounds.COLUMNS, most: int = bounds.SHOE_DECKS
) -> list[int]:
    """Return numbers of decks in ascending order, from integers or text such as ``4-10`` or ``4,6,8``.

    >>> as_decks("4-6,8"), as_decks([6, 8]), as_decks(8)
    ([4, 5, 6, 8], [6, 8], [8])
    """
    numbers: list[int | None] = []
    if isinstance(decks, str):
        for part in decks.split(",") if re.fullmatch(_DECKS, decks) else ():
            first, _, last = part.partition("-")
            numbers += range(int(first), min(int(last or first), int(first) + columns) + 1)
    else:
        numbers = [integer(number) for number in decks] if isinstance(decks, Sequence) else [integer(decks)]
    known = [number for number in numbers if number is not None and 1 <= number <= most]
    if not numbers or len(known) < len(numbers) or known != sorted(set(known)) or len(known) > columns:
        found = f'"{shortened(decks)}"' if isinstance(decks, str) else in_words(decks)
        raise InputError(
            f"found {found}",
            f"write numbers of decks from 1 to {most} in ascending order, such as 8, 4-10 or 4,6,8, at most {columns} of them",
            parameter="decks",
        )
    return known


def other_decks(game_id: str, allowed: Decks, numbers: "Sequence[int]") -> str:
    """Return a warning about numbers of decks that a game does not allow, or "" if it allows all of them."""
    others = [str(number) for number in numbers if not allowed.allows(number)]
    verb = "is" if len(others) == 1 else "are"
    limits = f"{game_id} allows {allowed.least} to {allowed.most} decks ({allowed.clause})"
    return f"{limits}; {', '.join(others)} {verb} analysed all the same" if others else ""


def as_probability(what: str, value: object, most: Fraction = Fraction(1)) -> Fraction:
    """Return an exact probability between 0 and ``most``.

    >>> as_probability("alpha", "0.001")
    Fraction(1, 1000)
    """
    found = in_words(value)
    try:
        exact = as_amount(what, value)
    except InputError:
        if isinstance(value, float):
            raise
        exact = Fraction(0)
    if not 0 < exact < most:
        bound = "1" if most == 1 else "0.5"
        raise InputError(
            f"found {found}",
            f"write a probability between 0 and {bound} with nine decimals at most, such as 0.001",
            parameter=what,
        )
    return exact
