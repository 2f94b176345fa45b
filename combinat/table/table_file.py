"""The TOML file of a whole table: closed keys, every amount exact and more than 0.

Refused with its clause: a bet or a box that the layout lacks, a box without a seated player, a limit that the document
does not have.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import msgspec

from combinat.base.errors import CombinatError, FileError, shortened
from combinat.base.money import format_money
from combinat.rules.book.reader import Mistake, file_bytes, read
from combinat.rules.cards import parse_cards
from combinat.rules.converters import as_insured
from combinat.rules.document import Layout
from combinat.rules.game import Game
from combinat.rules.odds import Text, as_written
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand
from combinat.table.gaming_table import (
    Amount,
    BetLimits,
    Bettor,
    Chips,
    DisplayedLimits,
    GamingTable,
    PlayerPlace,
)

SCHEMA = 1

MOST_PLAYERS = 500
"""Players of one table: the work of apportioning grows with their square."""


class _Cards(msgspec.Struct, frozen=True, kw_only=True):
    player: Text
    banker: Text


class _Person(msgspec.Struct, frozen=True, kw_only=True):
    stakes: dict[str, Amount]
    name: Text | None = None
    insurance: dict[str, Amount] = {}


class _Box(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    seated: _Person | None = None
    standing: tuple[_Person, ...] = ()


class TableFile(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of the file."""

    schema: int
    layout: Text
    closed: bool | None = None
    limits: DisplayedLimits | None = None
    chips: Chips | None = None
    boxes: tuple[_Box, ...] = ()
    cards: _Cards | None = None


def load_table(path: Path, game: Game) -> GamingTable:
    """Return the table in a file, for this game."""
    content = file_bytes(path, FileError, "a table")
    try:
        return parsed_table(content, game)
    except FileError as error:
        raise FileError(f"{shortened(str(path), 300)}: {error}") from None


def parsed_table(content: bytes, game: Game) -> GamingTable:
    """Return the table in the bytes of a TOML file, for this game."""
    file, mistakes = read(content, TableFile, schema=SCHEMA)
    if file is None:
        raise FileError(str(mistakes[0]))
    try:
        layout = game.layout(file.layout)
    except CombinatError as error:
        raise FileError(f"layout: {error}") from None
    dealt = _dealt(game, file.cards)
    for mistake in _mistakes(file, game, layout, dealt):
        raise FileError(str(mistake))
    return GamingTable(
        layout=layout.id,
        is_closed=dealt is not None if file.closed is None else file.closed,
        limits=file.limits or DisplayedLimits(),
        chips=file.chips,
        bettors=tuple(bettor for box in file.boxes for bettor in _bettors(box)),
        dealt=dealt,
    )


def _dealt(game: Game, cards: _Cards | None) -> Round | None:
    if cards is None:
        return None
    try:
        return game.finished_round(parse_cards(cards.player), parse_cards(cards.banker))
    except CombinatError as error:
        raise FileError(f"cards: {error}") from None


def _people(box: _Box) -> Iterator[tuple[PlayerPlace, str, str, _Person]]:
    """Return the players of a box, the seated player first: place, key within the box, player."""
    if box.seated is not None:
        yield PlayerPlace.SEATED, "seated", box.seated.name or "seated", box.seated
    for number, one in enumerate(box.standing):
        yield PlayerPlace.STANDING, f"standing[{number}]", one.name or f"standing {number + 1}", one


def _bettors(box: _Box) -> Iterator[Bettor]:
    for place, _, name, one in _people(box):
        yield Bettor(
            box=box.number,
            place=place,
            name=name,
            stakes=one.stakes,
            insured={as_insured(word): amount for word, amount in one.insurance.items()},
        )


# ---------------------------------------------------------------- inconsistencies


def _mistakes(file: TableFile, game: Game, layout: Layout, dealt: Round | None) -> Iterator[Mistake]:
    if file.closed is False and dealt is not None:
        yield Mistake(
            "closed", "found false, but there are cards; no card is dealt before the bets are closed"
        )
    yield from _of_limits(file.limits, game, layout)
    yield from _of_boxes(file.boxes, game, layout, dealt)
    if file.chips is not None:
        yield from _of_chips(file, file.chips)


def _of_limits(limits: DisplayedLimits | None, game: Game, layout: Layout) -> Iterator[Mistake]:
    if game.table_limits is None:
        if limits is not None:
            yield Mistake(
                "limits",
                f"{game.id} has no minimum, Differential or other limits of a table; leave [limits] out",
            )
        return
    if limits is None:
        clause = game.table_limits.clauses.displayed
        yield Mistake(
            "limits",
            f"missing: the minimum and the maximum Differential are displayed ({clause}); "
            "write minimum and maximum_differential",
        )
        return
    for name in ("minimum", "maximum_differential"):
        if getattr(limits, name) is None:
            clause = game.table_limits.clauses.displayed
            yield Mistake(
                f"limits.{name}", f"missing: the table displays it ({clause}); write an amount such as 100"
            )
    for name, amount in (
        ("maximum", limits.maximum),
        ("maximum_differential", limits.maximum_differential),
    ):
        if amount is not None and limits.minimum is not None and amount < limits.minimum:
            yield Mistake(
                f"limits.{name}",
                f"found {format_money(amount)}, less than the minimum of "
                f"{format_money(limits.minimum)}; write a larger amount",
            )
    for bet_id, one in limits.bets.items():
        key = f"limits.bets.{shortened(bet_id)}"
        yield from _of_bet("limits.bets", bet_id, game, layout)
        if one.minimum is None and one.maximum is None:
            yield Mistake(key, "found no limit; write minimum, maximum or both")
        elif one.minimum is not None and one.maximum is not None and one.maximum < one.minimum:
            yield Mistake(key, "the maximum is less than the minimum; write the larger as maximum")


def _of_bet(key: str, bet_id: str, game: Game, layout: Layout) -> Iterator[Mistake]:
    """Check that the game has the bet and that the layout offers it."""
    try:
        bet = game.bet(bet_id)
    except CombinatError as error:
        yield Mistake(key, str(error))
        return
    if layout.id not in bet.layouts:
        yield Mistake(
            f"{key}.{bet.id}",
            f"layout {layout.id} does not offer {bet.name} ({bet.settled}); "
            f"it offers {', '.join(one.id for one in game.bets_on(layout.id))}",
        )


def _of_boxes(boxes: tuple[_Box, ...], game: Game, layout: Layout, dealt: Round | None) -> Iterator[Mistake]:
    if not boxes:
        yield Mistake("boxes", "found none; write at least one [[boxes]] with a seated player")
    if len(boxes) > layout.positions.most:
        yield Mistake(
            "boxes", f"found {len(boxes)}; layout {layout.id} has {layout.positions} ({layout.clause})"
        )
    players = 0
    for place, box in enumerate(boxes):
        key = f"boxes[{place}]"
        if not 1 <= box.number <= layout.positions.most:
            yield Mistake(
                f"{key}.number",
                f"found {as_written(box.number)}; write a box of layout {layout.id}, "
                f"from 1 to {layout.positions.most} ({layout.clause})",
            )
        if any(box.number == other.number for other in boxes[:place]):
            yield Mistake(f"{key}.number", f"found {box.number} again; write each box once")
        players += 1 + len(box.standing)
        if players > MOST_PLAYERS:
            yield Mistake(key, f"found more than {MOST_PLAYERS} players at the table; write fewer")
        yield from _of_box(key, box, game)
        for _, where, _, one in _people(box):
            yield from _of_person(f"{key}.{where}", one, game, layout, dealt)


def _of_box(key: str, box: _Box, game: Game) -> Iterator[Mistake]:
    limits = game.table_limits
    if box.seated is None:
        where = f" ({limits.clauses.seated}, {limits.clauses.standing})" if limits else ""
        yield Mistake(key, f"the box has no seated player{where}; write seated = {{ stakes = ... }}")
    if limits is None and box.standing:
        yield Mistake(f"{key}.standing", f"{game.id} has no standing players; leave it out")
    names: set[str] = set()
    for _, where, name, _ in _people(box):
        if name in names:
            yield Mistake(
                f"{key}.{where}.name",
                f'found "{name}" again in this box; give each player another name',
            )
        names.add(name)


def _of_person(key: str, one: _Person, game: Game, layout: Layout, dealt: Round | None) -> Iterator[Mistake]:
    if not one.stakes:
        yield Mistake(f"{key}.stakes", "found none; a player has at least one stake")
    for bet_id in one.stakes:
        yield from _of_bet(f"{key}.stakes", bet_id, game, layout)
    if one.insurance and dealt is None:
        yield Mistake(
            f"{key}.insurance",
            "insurance is taken when cards are on the table; write [cards], or leave it out",
        )
    for word in one.insurance:
        hand, _, stage = word.partition("@")
        if hand not in list(Hand) or stage not in list(Stage):
            yield Mistake(
                f"{key}.insurance",
                f'found "{shortened(word)}"; write player or banker, then @four-cards or @player-third-card, '
                'such as "player@four-cards" = 50',
            )


def _of_chips(file: TableFile, chips: Chips) -> Iterator[Mistake]:
    """Check that every amount is a whole number of chips."""
    for key, amount in _amounts(file):
        if not chips.make(amount):
            yield Mistake(
                key,
                f"found {format_money(amount)}, which is not a multiple of the smallest chip, {format_money(chips.smallest)}; "
                "write a multiple, or a smaller chip",
            )


def _amounts(file: TableFile) -> Iterator[tuple[str, Fraction]]:
    """Yield every amount of the file except the chip's own, with its key."""
    limits: list[tuple[str, DisplayedLimits | BetLimits]] = []
    if file.limits is not None:
        limits = [("limits", file.limits)]
        limits += [(f"limits.bets.{bet_id}", one) for bet_id, one in file.limits.bets.items()]
    for key, one in limits:
        for name in ("minimum", "maximum", "maximum_differential"):
            amount = getattr(one, name, None)
            if amount is not None:
                yield f"{key}.{name}", amount
    for place, box in enumerate(file.boxes):
        for _, where, _, person in _people(box):
            for part, amounts in (("stakes", person.stakes), ("insurance", person.insurance)):
                for word, amount in amounts.items():
                    yield f"boxes[{place}].{where}.{part}.{word}", amount
