"""The file of a whole table, read strictly: TOML, closed keys, every amount exact and more than 0.

What the document does not know is refused with its clause: a bet that the layout lacks, more boxes than it
has, a box without a seated player, a limit that the document does not speak of.
"""

import os
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from combinat.errors import CombinatError, RuleBookError, StakeError, TableError, near_matches, shortened
from combinat.render.files import FileError, plain_bytes
from combinat.rules.bounded_toml import check_values, parsed_toml
from combinat.rules.bounds import BYTES
from combinat.rules.cards import parse_cards
from combinat.rules.game import Game, Layout
from combinat.rules.gaming_table import (
    BetLimits,
    Bettor,
    Chips,
    Displayed,
    GamingTable,
    Place,
    Rounding,
)
from combinat.rules.insurance import Insured
from combinat.rules.money import format_money, parse_money
from combinat.rules.odds import as_written
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand

SCHEMA = 1

MOST_PLAYERS = 500
"""Players of one table: the work of apportioning grows with their square."""

Entry = Mapping[str, Any]
Key = TypeVar("Key")


def load_table(path: Path, game: Game) -> GamingTable:
    """The table that a file states, for this game."""
    try:
        content = plain_bytes(Path(os.path.realpath(path)), BYTES)
    except FileError as error:
        raise TableError(f"{_named(path)}: {error.why}; give the path of a TOML file of a table") from None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TableError(f"{_named(path)}: not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    try:
        return parsed_table(text, game)
    except CombinatError as error:
        raise TableError(f"{_named(path)}: {error}") from None


def _named(path: Path) -> str:
    return shortened(str(path), 300)


def parsed_table(text: str, game: Game) -> GamingTable:
    """The table that a TOML text states, for this game."""
    try:
        raw = parsed_toml(text)
    except ValueError as error:
        raise TableError(f"not readable as TOML: {error}") from None
    try:
        check_values(raw, text)
    except RuleBookError as error:
        raise TableError(str(error)) from None
    _check_keys("", raw, "schema layout", "closed limits chips boxes cards")
    if raw["schema"] != SCHEMA or isinstance(raw["schema"], bool):
        _refuse("schema", raw["schema"], f"{SCHEMA}, the schema that this combinat reads")
    layout = _layout(game, _text("layout", raw["layout"]))
    chips = _chips(raw.get("chips"))
    dealt = _dealt(game, raw.get("cards"))
    return GamingTable(
        layout=layout.id,
        is_closed=_is_closed(raw.get("closed"), dealt),
        displayed=_displayed(game, layout, raw.get("limits", {}), chips),
        chips=chips,
        bettors=_bettors(game, layout, raw.get("boxes"), chips, dealt),
        dealt=dealt,
    )


# ---------------------------------------------------------------- values


def _refuse(key: str, value: object, write: str) -> NoReturn:
    raise TableError(f"{key}: found {as_written(value)}; write {write}")


def _check_keys(key: str, entry: Any, needed: str, others: str = "") -> None:
    """Refuse what is no table, a key that is not known, and one that is missing."""
    known = [*needed.split(), *others.split()]
    if not isinstance(entry, dict):
        _refuse(key, entry, f"a table with the keys {', '.join(known)}")
    where = f"{key}: " if key else ""
    for name in entry:
        if name not in known:
            near = near_matches(shortened(name), known)
            hint = f"; did you mean {near[0]}?" if near else "."
            raise TableError(
                f"{where}unknown key {shortened(name)}{hint} The keys here are {', '.join(known)}"
            )
    for name in needed.split():
        if name not in entry:
            raise TableError(f"{where}the key {name} is missing; write it")


def _text(key: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        _refuse(key, value, "text in quotes")
    return value


def _amount(key: str, value: object, chips: Chips | None = None) -> Fraction:
    """An amount of money: a whole number, or a decimal in quotes; more than 0, and one that the chips make."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        _refuse(key, value, 'an amount: a whole number such as 100, or a decimal in quotes such as "12.50"')
    try:
        amount = parse_money(value if isinstance(value, str) else as_written(value))
    except StakeError as error:
        raise TableError(f"{key}: {error}") from None
    if not amount:
        raise TableError(f"{key}: found 0; write an amount of more than 0, or leave it out")
    if chips is not None and not chips.make(amount):
        raise TableError(
            f"{key}: found {format_money(amount)}, which no chips of {format_money(chips.smallest)} make; "
            "write a multiple, or a smaller chip"
        )
    return amount


def _amounts(
    key: str, entry: object, name: Callable[[str, str], Key], chips: Chips | None
) -> dict[Key, Fraction]:
    """Amounts by what each is for; ``name`` reads that."""
    if not isinstance(entry, dict):
        _refuse(key, entry, "a table such as { banker = 100 }")
    return {
        name(key, word): _amount(f"{key}.{shortened(word)}", value, chips) for word, value in entry.items()
    }


# ---------------------------------------------------------------- the parts of a file


def _layout(game: Game, layout_id: str) -> Layout:
    try:
        return game.layout(layout_id)
    except CombinatError as error:
        raise TableError(f"layout: {error}") from None


def _chips(entry: Any) -> Chips | None:
    if entry is None:
        return None
    _check_keys("chips", entry, "smallest round")
    ways = list(Rounding)
    if entry["round"] not in ways:
        _refuse("chips.round", entry["round"], f"one of {', '.join(ways)}")
    return Chips(smallest=_amount("chips.smallest", entry["smallest"]), rounding=Rounding(entry["round"]))


def _dealt(game: Game, entry: Any) -> Round | None:
    if entry is None:
        return None
    _check_keys("cards", entry, "player banker")
    player, banker = (_text(f"cards.{hand}", entry[hand]) for hand in ("player", "banker"))
    try:
        return game.finished_round(parse_cards(player), parse_cards(banker))
    except CombinatError as error:
        raise TableError(f"cards: {error}") from None


def _is_closed(value: object, dealt: Round | None) -> bool:
    """Whether the bets are closed; once there are cards, they are."""
    if value is None:
        return dealt is not None
    if not isinstance(value, bool):
        _refuse("closed", value, "true or false")
    if dealt is not None and not value:
        raise TableError(
            "closed: found false, but there are cards; no card is dealt before the bets are closed"
        )
    return value


def _displayed(game: Game, layout: Layout, entry: Any, chips: Chips | None) -> Displayed:
    if game.table_limits is None:
        if entry:
            raise TableError(
                f"limits: {game.id} says nothing of a minimum, a Differential or other limits of a table; "
                "leave [limits] out"
            )
        return Displayed(bets={})
    clause = game.table_limits.clauses.displayed
    if not entry:
        raise TableError(
            f"the table [limits] is missing: the minimum and the maximum Differential are displayed ({clause}); "
            "write minimum and maximum_differential"
        )
    _check_keys("limits", entry, "minimum maximum_differential", "maximum bets")
    stated = {
        name: _amount(f"limits.{name}", entry[name], chips)
        for name in ("minimum", "maximum", "maximum_differential")
        if name in entry
    }
    for name, amount in stated.items():
        if amount < stated["minimum"]:
            raise TableError(
                f"limits.{name}: found {format_money(amount)}, less than the minimum of "
                f"{format_money(stated['minimum'])}; write a larger amount"
            )
    bets = entry.get("bets", {})
    if not isinstance(bets, dict):
        _refuse("limits.bets", bets, "a table such as { tie = { minimum = 10, maximum = 500 } }")
    return Displayed(
        **stated,
        bets={
            _bet(game, layout)("limits.bets", bet): _bet_limits(
                f"limits.bets.{shortened(bet)}", limits, chips
            )
            for bet, limits in bets.items()
        },
    )


def _bet_limits(key: str, entry: Any, chips: Chips | None) -> BetLimits:
    _check_keys(key, entry, "", "minimum maximum")
    stated = {name: _amount(f"{key}.{name}", value, chips) for name, value in entry.items()}
    if not stated:
        raise TableError(f"{key}: found no limit; write minimum, maximum or both")
    limits = BetLimits(**stated)
    if limits.minimum is not None and limits.maximum is not None and limits.maximum < limits.minimum:
        raise TableError(f"{key}: the maximum is less than the minimum; write the larger as maximum")
    return limits


def _bet(game: Game, layout: Layout) -> Callable[[str, str], str]:
    """How a bet is read that this layout must offer."""

    def named(key: str, word: str) -> str:
        try:
            bet = game.bet(word)
        except CombinatError as error:
            raise TableError(f"{key}: {error}") from None
        if layout.id not in bet.layouts:
            raise TableError(
                f"{key}.{bet.id}: layout {layout.id} does not offer {bet.name} ({bet.settled}); "
                f"it offers {', '.join(one.id for one in game.bets_on(layout.id))}"
            )
        return bet.id

    return named


def _bettors(
    game: Game, layout: Layout, entries: Any, chips: Chips | None, dealt: Round | None
) -> tuple[Bettor, ...]:
    if not isinstance(entries, list) or not entries:
        raise TableError("boxes: found none; write at least one [[boxes]] with a seated player")
    most = layout.positions.most
    if len(entries) > most:
        raise TableError(
            f"boxes: found {len(entries)}; layout {layout.id} has {layout.positions} ({layout.clause})"
        )
    bettors: list[Bettor] = []
    numbers: list[int] = []
    for place, entry in enumerate(entries):
        key = f"boxes[{place}]"
        _check_keys(key, entry, "number", "seated standing")
        number = entry["number"]
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
            _refuse(
                f"{key}.number", number, f"a box of layout {layout.id}, from 1 to {most} ({layout.clause})"
            )
        if number in numbers:
            raise TableError(f"{key}.number: found {number} again; write each box once")
        numbers.append(number)
        bettors += _box(game, layout, key, entry, chips, dealt)
        if len(bettors) > MOST_PLAYERS:
            raise TableError(f"{key}: found more than {MOST_PLAYERS} players at the table; write fewer")
    return tuple(bettors)


def _box(
    game: Game, layout: Layout, key: str, entry: Entry, chips: Chips | None, dealt: Round | None
) -> list[Bettor]:
    """Who bets in a box: the seated player, then those who stand behind it."""
    limits, standing = game.table_limits, entry.get("standing", [])
    if "seated" not in entry:
        where = f" ({limits.clauses.seated}, {limits.clauses.standing})" if limits else ""
        raise TableError(f"{key}: the box has no seated player{where}; write seated = {{ stakes = ... }}")
    if not isinstance(standing, list):
        _refuse(f"{key}.standing", standing, "a list of tables, each with its stakes")
    if limits is None and standing:
        raise TableError(f"{key}.standing: {game.id} knows no standing players; leave it out")
    people = [(Place.SEATED, f"{key}.seated", "seated", entry["seated"])]
    people += [
        (Place.STANDING, f"{key}.standing[{place}]", f"standing {place + 1}", one)
        for place, one in enumerate(standing)
    ]
    bettors = [
        _bettor(game, layout, entry["number"], place, where, name, one, chips, dealt)
        for place, where, name, one in people
    ]
    names = [bettor.name for bettor in bettors]
    for (_, where, _, _), name, number in zip(people, names, range(len(names)), strict=True):
        if name in names[:number]:
            raise TableError(f'{where}.name: found "{name}" again in this box; give each player another name')
    return bettors


def _bettor(
    game: Game,
    layout: Layout,
    box: int,
    place: Place,
    key: str,
    name: str,
    entry: Any,
    chips: Chips | None,
    dealt: Round | None,
) -> Bettor:
    _check_keys(key, entry, "stakes", "name insurance")
    stakes = _amounts(f"{key}.stakes", entry["stakes"], _bet(game, layout), chips)
    if not stakes:
        raise TableError(f"{key}.stakes: found none; a player is someone who has placed a bet")
    insured = _amounts(f"{key}.insurance", entry.get("insurance", {}), _insured, chips)
    if insured and dealt is None:
        raise TableError(
            f"{key}.insurance: insurance is taken when cards are on the table; write [cards], or leave it out"
        )
    return Bettor(
        box=box,
        place=place,
        name=_text(f"{key}.name", entry.get("name", name)),
        stakes=stakes,
        insured=insured,
    )


def _insured(key: str, word: str) -> Insured:
    hand, _, stage = word.partition("@")
    if hand not in list(Hand) or stage not in list(Stage):
        raise TableError(
            f'{key}: found "{shortened(word)}"; write player or banker, then @four-cards or @player-third-card, '
            'such as "player@four-cards" = 50'
        )
    return Insured(Hand(hand), Stage(stage))
