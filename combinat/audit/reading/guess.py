"""The meaning of the columns of a foreign log, detected from its header and first rows.

The verdict states every detected meaning; an ambiguous log is refused.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from combinat.audit.reading.log_map import HANDS, MONEY, PLACES, LogMap, Shoes, name_list, plain_name
from combinat.audit.reading.notation import (
    NO_CARD,
    Notation,
    distinct_readings,
    fitting_notations,
    notations_in_range,
    reads,
    winner_named,
)
from combinat.audit.reading.rows import RowFile
from combinat.base.errors import FileError, InputError, near_matches, shortened
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import load_game
from combinat.rules.game import Game

FIRST = 1_000
"""The number of first rows that are examined."""

SYNONYMS: Mapping[str, str] = {
    name: what
    for what, names in {
        "round": "round hand hand_no hand_number hand_id round_no round_number round_id game_no game_number game_id gameid "
        "coup coup_no no number deal",
        "shoe": "shoe shoe_no shoe_number shoe_id",
        "table": "table table_no table_number table_id table_name tbl tbl_no tbl_id desk",
        "player_cards": "player_cards player_hand player_card player p_cards pcards punto punto_cards cards_player",
        "banker_cards": "banker_cards banker_hand banker_card banker b_cards bcards banco banco_cards cards_banker",
        "winner": "winner result outcome winning_hand won_by win",
        "player_points": "player_points player_total player_score player_value p_total ptotal p_points p_score",
        "banker_points": "banker_points banker_total banker_score banker_value b_total btotal b_points b_score",
        "player_pair": "player_pair p_pair ppair",
        "banker_pair": "banker_pair b_pair bpair",
        "player_drew": "player_drew player_draws player_third_drawn p_drew",
        "banker_drew": "banker_drew banker_draws banker_third_drawn b_drew",
        "player": "login user user_id user_name username account account_id customer customer_id patron patron_id member "
        "member_id player_id player_name",
        "bet": "bet wager bet_type wager_type bet_on",
        "stake": "stake amount bet_amount wager_amount staked",
        "payout": "payout paid returned return_amount",
    }.items()
    for name in names.split()
}
"""The meanings of known column names."""

HARMLESS = frozenset(
    [
        "time",
        "timestamp",
        "when",
        "created",
        "created_at",
        "placed",
        "placed_at",
        "settled_at",
        "date",
        "day",
        "datetime",
        "dealer",
        "croupier",
        "pit",
        "operator",
        "casino",
        "site",
        "currency",
        "session",
        "seed",
        "comment",
        "remark",
        "note",
        "suit",
        "burn",
        "started",
        "ended",
        "start",
        "end",
        "duration",
    ]
)
"""Columns that are irrelevant to the verdict."""

_CARD = re.compile(
    r"(?P<hand>player|p|punto|banker|b|banco)_?(?:card_?|c)?(?P<number>[123]|first|second|third)(?:_card)?"
)
_NUMBERS = {"first": "1", "second": "2", "third": "3"}
_STAKED = re.compile(r"(?P<money>stake|staked|payout|paid)_(?:on_)?(?P<bet>.+)")
_WORDS = {"staked": "stake", "paid": "payout"}
_LAST_WORDS = {
    "stake": "bet stake staked wager",
    "payout": "paid payout returned",
    "profit": "profit win won",
}
"""Last words of columns that may be money on the bet before them, and too common to take them for it unasked."""


Detected = tuple[tuple[str, str], ...]
"""The detected parts of a map, in words."""


def whole_map(rows: RowFile, game: Game | None, given: LogMap) -> tuple[LogMap, Detected]:
    """Return the given map, completed from the header and the first rows of a log, and what was detected."""
    place = rows.source.place
    columns, ignored = _columns(rows, game, given)
    if not is_native(rows):
        _check_amounts(rows, columns, given)
    detected = [(what, " + ".join(names)) for what, names in columns.items() if names != (what,)]
    if ignored:
        detected.append(("ignored", ", ".join(ignored)))
    notation = given.cards_as
    if all(hand in columns for hand in HANDS):
        notation = notation or _notation(rows, columns, place)
        if notation is not Notation.RANK or given.cards_as or not _has_standard_names(rows):
            detected.append(("cards", notation.in_words))
        if not _has_standard_names(rows) or given.shoes:
            detected += _shoes(columns, given)
    elif "winner" not in columns:
        missing = next(hand for hand in HANDS if hand not in columns)
        raise InputError(
            f"{place}: no column says {missing}; found {name_list(list(rows.names))}",
            f"name it, with {{log_map}} columns.{missing}=NAME",
            parameter="log_map",
        )
    log_map = msgspec.structs.replace(given, columns=columns, ignore=tuple(ignored), cards_as=notation)
    return log_map, tuple(detected)


def _shoes(columns: Mapping[str, tuple[str, ...]], given: LogMap) -> list[tuple[str, str]]:
    """Return the division of a log into shoes, if no column names them."""
    if "shoe" in columns:
        return []
    if given.shoes is Shoes.RESTART:
        return [("shoes", "a new one where the numbers of rounds begin again")]
    return [("shoes", "no column; every round is taken to come from a fresh shuffle")]


def _check_amounts(rows: RowFile, columns: Mapping[str, tuple[str, ...]], given: LogMap) -> None:
    """Refuse amounts with ambiguous commas."""
    if given.decimal != "." or given.thousands:
        return
    for name in [names[0] for what, names in columns.items() if what.partition(":")[0] in MONEY]:
        for text in rows.first(FIRST)[name].drop_nulls().to_list():
            if re.search(r"[0-9],[0-9]", text):
                raise InputError(
                    f'{rows.source.place}: the amount "{shortened(text)}" of the column "{name}" has a comma',
                    "state the marks, with {log_map} decimal=MARK or {log_map} thousands=MARK",
                    parameter="log_map",
                )


# ---------------------------------------------------------------- columns


def _columns(rows: RowFile, game: Game | None, given: LogMap) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return the columns of each meaning, and the columns that are ignored."""
    place, names = rows.source.place, list(rows.names)
    for what, wanted in [*given.columns.items(), ("ignore", given.ignore or ())]:
        for name in wanted:
            if name not in names:
                raise FileError(f'{place}: {what}: there is no column "{name}"; found {name_list(names)}')
    columns = dict(given.columns)
    taken = {name for wanted in columns.values() for name in wanted} | set(given.ignore or ())
    free = [name for name in names if name not in taken]
    mapped = [(name, what) for what, wanted in columns.items() for name in wanted]
    for number, (name, what) in enumerate(mapped):
        before = [meant for other, meant in mapped[:number] if other == name]
        if before:
            raise FileError(f'{place}: the column "{name}" is mapped to {before[0]} and to {what}')
    for hand, cards in _split_hands(free).items():
        if hand not in columns:
            columns[hand] = cards
            free = [name for name in free if name not in cards]
    ignored, unknown = list(given.ignore or ()), []
    guesses: dict[str, list[str]] = {}
    for name in free:
        meant = meaning(name, game)
        if name == "player" and _may_be("player_cards", name, rows):
            meant = "player_cards"
        if meant is not None and meant not in columns and _may_be(meant, name, rows):
            guesses.setdefault(meant, []).append(name)
        elif given.ignore is None or plain_name(name) in HARMLESS:
            ignored.append(name)
        else:
            unknown.append(name)
    for what, candidates in guesses.items():
        if len(candidates) > 1:
            raise InputError(
                f"{place}: {name_list(candidates)} may each say {what}",
                f"name one with {{log_map}} columns.{what}=NAME, and the other with {{log_map}} ignore=NAME",
                parameter="log_map",
            )
        columns[what] = (candidates[0],)
    if unknown and len(names) == 1:
        raise FileError(
            f'{place}: found one column, "{shortened(unknown[0])}"; the first line must name the columns, with a comma, '
            "a semicolon, a tab or | between them"
        )
    if unknown:
        raise _unknown_columns_error(place, unknown, game)
    return columns, ignored


def _unknown_columns_error(place: str, unknown: Sequence[str], game: Game | None) -> InputError:
    """Return the error for columns of unknown meaning."""
    subjects = subjects_of(game) if game else []
    hint = next((f' (is "{name}" {money}?)' for name in unknown if (money := _money_of(name, subjects))), "")
    if not hint and len(unknown) == 1:
        every = [*PLACES, *(f"{money}:{subject}" for subject in subjects for money in MONEY)]
        hint = "".join(f" (did you mean {near}?)" for near in near_matches(unknown[0], every)[:1])
    return InputError(
        f"{place}: the meaning of {name_list(unknown)} is not known{hint}",
        f"write {{log_map}} columns.WHAT=NAME, where WHAT is one of {', '.join(PLACES)}, "
        f"{', '.join(f'{money}:BET' for money in MONEY)}; or {{log_map}} ignore=NAME",
        parameter="log_map",
    )


def _money_of(name: str, subjects: Sequence[str]) -> str | None:
    """Return the likely meaning of a column named after a bet: ``stake:banker`` for ``Banker Bet``."""
    bet, _, last = plain_name(name).rpartition("_")
    named = [subject for subject in subjects if plain_name(subject) == bet]
    kinds = [money for money, words in _LAST_WORDS.items() if last in words.split()]
    return f"{kinds[0]}:{named[0]}" if named and kinds else None


def _split_hands(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the hands with a column for each card."""
    hands: dict[str, dict[str, str]] = {}
    for name in names:
        card = _CARD.fullmatch(plain_name(name))
        if card:
            hand = "player_cards" if card["hand"][0] == "p" else "banker_cards"
            number = _NUMBERS.get(card["number"], card["number"])
            if number in hands.setdefault(hand, {}):
                return {}
            hands[hand][number] = name
    return {
        hand: tuple(cards[number] for number in sorted(cards))
        for hand, cards in hands.items()
        if {"1", "2"} <= set(cards)
    }


def meaning(name: str, game: Game | None) -> str | None:
    """Return the meaning of a column of this name, or None if it is unknown or irrelevant."""
    if name == "time":
        return None
    if name in PLACES or name.partition(":")[0] in MONEY:
        return name
    plain = plain_name(name)
    if plain in SYNONYMS:
        return SYNONYMS[plain]
    staked = _STAKED.fullmatch(plain)
    bet = subject_named(game, staked["bet"]) if staked and game else None
    return f"{_WORDS.get(staked['money'], staked['money'])}:{bet}" if staked and bet else None


def subjects_of(game: Game) -> list[str]:
    """Return the bets and insurance of a game, as columns name them."""
    return [*(bet.id for bet in game.bets), *(str(table.insured) for table in game.insurance)]


def bets_named(rows: RowFile) -> list[str]:
    """Return the bets that columns of a log name, and the texts of its column of bets."""
    staked = [_STAKED.fullmatch(plain_name(name)) for name in rows.names]
    bets = [match["bet"] for match in staked if match]
    bets += [name.partition(":")[2] for name in rows.names if name.partition(":")[0] in MONEY]
    for name in rows.names:
        if meaning(name, None) == "bet":
            bets += rows.first(FIRST)[name].drop_nulls().unique().to_list()
    return bets


def games_with(bets: Iterable[str]) -> str:
    """Return the shipped games with the most of these bets, in words; empty if all games have as many."""
    names = list(bets)
    counts = {
        game_id: len({subject_named(load_game(game_id), name) for name in names} - {None})
        for game_id in rule_book_paths()
    }
    likely = [game_id for game_id, count in counts.items() if count == max(counts.values())]
    return f", and its bets are those of {' or '.join(likely)}" if len(likely) < len(counts) else ""


def subject_named(game: Game, text: str) -> str | None:
    """Return the bet or insurance that a text names, by its id or its name."""
    subjects = {plain_name(bet.name): bet.id for bet in game.bets}
    subjects |= {plain_name(subject): subject for subject in subjects_of(game)}
    return subjects.get(plain_name(text))


def _may_be(what: str, name: str, rows: RowFile) -> bool:
    """Return whether the first rows allow a meaning: a card column must hold cards, whatever its name."""
    if what == "player" and name != what:  # rows are wagers, and rounds are distinguished by their names
        return any(meaning(other, None) in ("round", "id") for other in rows.names)
    if plain_name(name) == "win":
        texts = rows.first(FIRST)[name].drop_nulls().to_list()
        return bool(texts) and all(winner_named(text) for text in texts)
    if what not in HANDS or name in HANDS:
        return True
    hands = _texts(rows, (name,))
    return bool(hands) and any(reads(hands[0], notation) for notation in Notation)


# ---------------------------------------------------------------- cards


def _notation(rows: RowFile, columns: Mapping[str, tuple[str, ...]], place: str) -> Notation:
    """Return the only notation that reads all the first hands, or the standard notation if none reads all."""
    hands = [text for hand in HANDS for text in _texts(rows, columns[hand])]
    fits = fitting_notations(hands)
    if Notation.RANK in fits and (
        tuple(columns) == tuple(rows.names) or any(letter.isalpha() for hand in hands for letter in hand)
    ):
        return Notation.RANK
    ways = distinct_readings(hands, fits or _most(hands, place))
    if len(ways) > 1:
        raise InputError(
            f"{place}: the cards can be read in {len(ways)} ways: "
            + "; ".join(f"{way} ({way.in_words})" for way in ways),
            "state the notation, with {log_map} cards-as=NOTATION",
            parameter="log_map",
        )
    return ways[0] if ways else Notation.RANK


def _most(hands: Sequence[str], place: str) -> list[Notation]:
    """Return the notations that read the most hands, if they read nearly all.

    If the standard notation is among them, return it alone.
    """
    counts = {
        notation: sum(reads(hand, notation) is not None for hand in hands)
        for notation in notations_in_range(hands)
    }
    most = max(counts.values(), default=0)
    if 2 * most <= len(hands) or most == counts.get(Notation.RANK):
        return [Notation.RANK]
    best = [notation for notation, count in counts.items() if count == most]
    if most * 10 < len(hands) * 9:
        other = next(hand for hand in hands if reads(hand, best[0]) is None)
        raise InputError(
            f"{place}: of {len(hands)} different hands in the first rows {most} can be read as {best[0]} "
            f'({best[0].in_words}), and others such as "{shortened(other)}" cannot',
            "state the notation, with {log_map} cards-as=NOTATION",
            parameter="log_map",
        )
    return best


def _texts(rows: RowFile, names: Sequence[str]) -> list[str]:
    """Return the distinct hands of the first rows, as written in these columns."""
    cells = list(rows.first(FIRST).select(list(names)).iter_rows())
    zeros = len(names) < 3 or any((cell or "").strip() == "0" for row in cells for cell in row[:2])
    if not zeros:  # a third card of 0 means no card
        cells = [(*row[:2], None if (row[2] or "").strip() == "0" else row[2]) for row in cells]
    return list(dict.fromkeys(filter(None, map(hand_text, cells))))


def hand_text(cells: Sequence[str | None]) -> str:
    """Return the cards of a hand from its columns, without the columns of cards not drawn.

    >>> hand_text(["K", "5", "-"]), hand_text(["13", "5", None]), hand_text(["K 5"])
    ('K 5', '13 5', 'K 5')
    """
    if len(cells) == 1:
        return (cells[0] or "").strip()
    return " ".join(cell.strip() for cell in cells if cell is not None and not is_no_card(cell))


def is_no_card(cell: str) -> bool:
    """Return whether a cell means that there is no card."""
    return cell.strip().casefold() in NO_CARD or cell.strip() == "-1"


def _has_standard_names(rows: RowFile) -> bool:
    """Return whether every column has a standard name."""
    return all(name in PLACES or name.partition(":")[0] in MONEY for name in rows.names)


def is_native(rows: RowFile) -> bool:
    """Return whether a log has the standard columns, so that at most its cards need translation."""
    return {"round", *HANDS} <= set(rows.names) and all(
        name in ("round", "shoe", *HANDS) or name.partition(":")[0] in ("net", "stake", "payout")
        for name in rows.names
    )
