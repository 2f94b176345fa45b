"""Tables for the tests: a TOML text from a few words; and what every bet of a round in progress is worth."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from combinat import Shoe
from combinat.rules.game import Game
from combinat.table.gaming_table import GamingTable
from combinat.table.table_file import parsed_table
from combinat.table.table_settlement import TableSettlement, table_state
from tests.documents import BETS
from tests.oracle.dealer import deals
from tests.oracle.settler import settled

Stakes = Mapping[str, int]


def stakes_text(stakes: Stakes) -> str:
    return "{ " + ", ".join(f"{bet} = {amount}" for bet, amount in stakes.items()) + " }"


def table_text(
    boxes: Sequence[tuple[Stakes, Sequence[Stakes]]],
    *,
    closed: bool = True,
    minimum: int | None = 100,
    maximum: int | None = 10_000,
    more: str = "",
    layout: str = "A",
) -> str:
    """A file: each box its seated player's stakes and those of the standing ones; ``more`` stands at its end."""
    lines = ["schema = 1", f'layout = "{layout}"', f"closed = {str(closed).lower()}"]
    if minimum is not None:
        lines += ["[limits]", f"minimum = {minimum}", f"maximum_differential = {maximum}"]
    for number, (seated, standing) in enumerate(boxes, start=1):
        lines += ["[[boxes]]", f"number = {number}", f"seated = {{ stakes = {stakes_text(seated)} }}"]
        if standing:
            people = ", ".join(f"{{ stakes = {stakes_text(one)} }}" for one in standing)
            lines.append(f"standing = [{people}]")
    return "\n".join([*lines, more, ""])


def table_of(
    game: Game,
    boxes: Sequence[tuple[Stakes, Sequence[Stakes]]],
    *,
    closed: bool = True,
    minimum: int | None = 100,
    maximum: int | None = 10_000,
    more: str = "",
) -> GamingTable:
    """The table that such a file states."""
    text = table_text(boxes, closed=closed, minimum=minimum, maximum=maximum, more=more)
    return parsed_table(text.encode(), game)


def settled_table(game: Game, table: GamingTable) -> TableSettlement:
    """The settlement of a table that has cards."""
    settlement = table_state(game, table).settlement
    assert settlement is not None
    return settlement


def chips(smallest: int, way: str) -> str:
    """The part of a file that says how amounts are rounded."""
    return f'[chips]\nsmallest = {smallest}\nround = "{way}"'


def cards(player: str, banker: str) -> str:
    """The part of a file that has the cards."""
    return f'[cards]\nplayer = "{player}"\nbanker = "{banker}"'


def third(amount: int) -> Fraction:
    return Fraction(amount, 3)


def plainly(game_id: str, player: str, banker: str, shoe: Shoe) -> dict[str, tuple[Fraction, str | None]]:
    """The value and the result of every bet from these hands, dealt in every way; None: not decided."""
    rounds = deals(shoe.counts, tuple(player.split()), tuple(banker.split()))
    return {bet: settled(game_id, bet, rounds) for bet in BETS[game_id]}
