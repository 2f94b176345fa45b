"""Tables of Play that no document prints: each as a rule book states it, and as conditions that deal six cards.

The conditions are written out here and in ``dealer``; the program has no part in them.
"""

import re
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from combinat import Game
from combinat.rules.book.load import parsed_game
from combinat.rules.cards import Rank
from tests.conftest import SMALL_BOOK
from tests.oracle.dealer import Draws, banker_draws, drawn, points, total
from tests.paths import PLAIN_BOOK


class Stated(NamedTuple):
    """A ``[table_of_play]``, key by key. The defaults are the table that the documents print."""

    natural: str = "8-9"
    player_draws: str = "0-5"
    rows: tuple[tuple[str, str], ...] = (
        ("0-2", "0-9"),
        ("3", "0-7,9"),
        ("4", "2-7"),
        ("5", "4-7"),
        ("6", "6-7"),
    )
    stood: str = "0-5"

    def toml(self) -> str:
        """The table as a rule book states it."""
        rows = "".join(f'    {{ points = "{points}", third = "{third}" }},\n' for points, third in self.rows)
        return (
            f'[table_of_play]\nclause = "3.5"\nstood_clause = "3.4"\nnatural = "{self.natural}"\n'
            f'player_draws = "{self.player_draws}"\nbanker_draws = [\n{rows}]\n'
            f'banker_draws_when_player_stood = "{self.stood}"\n'
        )


def text_with(stated: Stated, path: Path = SMALL_BOOK) -> str:
    """The text of a rule book, with this table."""
    text = re.sub(r'^(third_cards|table_of_play) = "3\.[45]"\n', "", path.read_text("utf-8"), flags=re.M)
    return text.replace("[void]\n", f"{stated.toml()}\n[void]\n", 1)


@cache
def book_with(stated: Stated, path: Path = SMALL_BOOK) -> Game:
    """A rule book with this table."""
    return parsed_game(text_with(stated, path).encode(), path)


VARIANTS: dict[str, tuple[Stated, Draws]] = {
    "as printed": (Stated(), Draws()),
    "Banker draws on 6 when Player stood": (
        Stated(stood="0-6"),
        Draws(banker=lambda banker, third: banker_draws(banker, third) or (banker == 6 and third is None)),
    ),
    "Player draws on 6": (Stated(player_draws="0-6"), Draws(player=lambda total: total <= 6)),
    "no natural on 8": (Stated(natural="9"), Draws(natural=lambda total: total == 9)),
    "no naturals, both draw on 9": (
        Stated(
            natural="none",
            player_draws="0-5,9",
            rows=(*Stated().rows, ("7-8", "none"), ("9", "0-9")),
            stood="0-5,9",
        ),
        Draws(
            natural=lambda total: False,
            player=lambda total: total <= 5 or total == 9,
            banker=lambda banker, third: banker == 9 or banker_draws(banker, third),
        ),
    ),
    "nobody draws": (
        Stated(player_draws="none", rows=(("0", "none"),), stood="none"),
        Draws(player=lambda total: False, banker=lambda banker, third: False),
    ),
}
PLAYABLE = [name for name in VARIANTS if name != "nobody draws"]
"""The variants for which the small rule book's insurance can arise."""


def game_of(name: str) -> Game:
    """A small game with the table of a variant."""
    return book_with(VARIANTS[name][0], SMALL_BOOK if name in PLAYABLE else PLAIN_BOOK)


Hands = tuple[tuple[Rank, ...], tuple[Rank, ...]]


def dealt_by(draws: Draws, six: tuple[Rank, ...]) -> Hands:
    """The hands that six cards come to, dealt by a table's conditions."""
    player, banker = (six[0], six[2]), (six[1], six[3])
    course = drawn(total(player), total(banker), points(six[4]), points(six[5]), draws)
    player_third = six[4:5] if course.player_third is not None else ()
    banker_third = six[4 + len(player_third) :][:1] if course.banker_third is not None else ()
    return (*player, *player_third), (*banker, *banker_third)


Cell = tuple[str, int, int | None]
"""A cell of the printed table: whose row, the points of the first two cards, the Player's third card or None."""

CELLS: list[Cell] = [
    *(("player", total, None) for total in range(8)),
    *(("banker", total, third) for total, third in product(range(8), (*range(10), None))),
]


def turned(cell: Cell) -> Stated:
    """The printed table with one cell reversed, as a rule book would state it."""
    hand, total, third = cell
    player, stood = set(range(6)), set(range(6))
    thirds = {banker: {card for card in range(10) if banker_draws(banker, card)} for banker in range(8)}
    if hand == "player":
        player ^= {total}
    elif third is None:
        stood ^= {total}
    else:
        thirds[total] ^= {third}

    def shown(totals: set[int]) -> str:
        return ",".join(map(str, sorted(totals))) or "none"

    rows = tuple((str(banker), shown(draws)) for banker, draws in thirds.items())
    return Stated(player_draws=shown(player), rows=rows, stood=shown(stood))
