"""The shoe options, the same in every command."""

import os
import re
from typing import Annotated

import typer

from combinat.base.errors import InputError, named, shortened
from combinat.cli.output import warn
from combinat.library.coerce import other_decks
from combinat.rules import bounds
from combinat.rules.document import Decks
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

DecksOption = Annotated[
    str | None,
    typer.Option(
        "--decks", metavar="N", help="Decks in a fresh shoe; 8 when nothing is said.", show_default=False
    ),
]
DecksRangeOption = Annotated[
    str | None,
    typer.Option(
        "--decks",
        metavar="N",
        help="Decks in a fresh shoe; 8 when nothing is said. 4-10 or 4,6,8 for a column each.",
        show_default=False,
    ),
]
RemovedOption = Annotated[
    str | None,
    typer.Option(
        "--removed", metavar="CARDS", help='Cards already gone, such as "A A 10 K".', show_default=False
    ),
]
CardsOption = Annotated[
    str | None,
    typer.Option(
        "--cards",
        metavar="COUNTS",
        help='All that is left, such as "A=31 2=32 K=32"; ranks not named have none.',
        show_default=False,
    ),
]

DEFAULT_DECKS = 8
_NUMBER = r"(?a)0*(\d{1,9})"
_SEVERAL = r"(?a)\d+(-\d+)?(,\d+(-\d+)?)*"
DECKS = "COMBINAT_DECKS"
"""The environment variable that says how many decks there are where no option does."""


def shoe_from(
    game: Game, decks: str | None, removed: str | None, cards: str | None, option: str = "--cards"
) -> Shoe:
    """The shoe that the options state; a number of decks the document does not allow is warned of.

    ``option``: the one by which ``cards`` was given.
    """
    if cards is not None:
        if decks is not None or removed is not None:
            raise InputError(f"{option} says all that is left; it does not go with --decks or --removed")
        with named(option.lstrip("-")):
            return Shoe.parse(cards)
    number = whole_decks(decks) if decks is not None else _usual_decks()
    shoe = Shoe.of_decks(number)
    if removed is not None:
        with named("removed"):
            shoe = shoe.minus(removed)
    warn_of_decks(game, [number])
    return shoe


def _usual_decks() -> int:
    """The number of decks where nothing is said: as the environment has it, or the usual one."""
    usual = os.environ.get(DECKS)
    return whole_decks(usual, DECKS) if usual else DEFAULT_DECKS


def decks_from(
    decks: str | None, *, columns: int = bounds.COLUMNS, most: int = bounds.SHOE_DECKS
) -> list[int] | None:
    """The numbers of decks in a range such as ``4-10`` or a list such as ``4,6,8``; None: it is one number, or none.

    There are not too many of them, and none is too large.
    """
    if decks is None or not is_several(decks):
        return None
    numbers: list[int] = []
    for part in decks.split(","):
        least, _, greatest = part.partition("-")
        first, last = _number(least, most), _number(greatest or least, most)
        if first is None or last is None or not max([0, *numbers]) < first <= last < first + columns:
            break
        numbers += range(first, last + 1)
    else:
        if len(numbers) <= columns:
            return numbers
    raise InputError(
        f'--decks: found "{shortened(decks)}"; write 1 or more decks, the fewest first, such as 4-10 or 4,6,8, '
        f"at most {columns} of them, up to {most} decks"
    )


def is_several(decks: str) -> bool:
    """Whether a text is a range or a list of numbers of decks."""
    return not decks.isdigit() and re.fullmatch(_SEVERAL, decks) is not None


def warn_of_decks(game: Game, numbers: list[int]) -> None:
    """Say on standard error which numbers of decks the document does not allow."""
    warn_of_other_decks(game.id, game.decks, numbers)


def warn_of_other_decks(game_id: str, allowed: Decks, numbers: list[int]) -> None:
    """Say on standard error which numbers of decks are other than those allowed."""
    if warning := other_decks(game_id, allowed, numbers):
        warn(warning)


def whole_decks(text: str, option: str = "--decks") -> int:
    """The number of decks that a text states, given by this option."""
    number = _number(text, bounds.SHOE_DECKS)
    if number is None:
        raise InputError(
            f'{option}: found "{shortened(text)}"; '
            f"write a whole number of 1 or more, such as 8, up to {bounds.SHOE_DECKS}"
        )
    return number


def _number(text: str, most: int) -> int | None:
    """The whole number from 1 on that a text states, in however many zeros; None: none up to the most."""
    match = re.fullmatch(_NUMBER, text)
    return int(match[1]) if match and 1 <= int(match[1]) <= most else None
