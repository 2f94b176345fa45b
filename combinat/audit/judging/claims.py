"""The claims of a file about itself: its game, its shoe, its rounding; and the rule book and the shoe to judge it by."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from combinat.audit.reading.guess import games_with_bets_of
from combinat.audit.reading.hand_log import HandLog, hand_log, open_rows
from combinat.audit.reading.log_map import LogMap
from combinat.audit.reading.rows import RowFile
from combinat.audit.reading.source import Source
from combinat.base.errors import FileError, InputError, RuleBookError, quoted
from combinat.montecarlo.log_writer import HEAD_KEYS
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import RuleBook, load_rule_book
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

Claims = tuple[tuple[str, str], ...]


def is_counts(source: Source) -> bool:
    """Whether a file is a counts file; any other is a hand log."""
    return not source.is_parquet and source.is_json and not source.is_json_rows


@contextmanager
def located(place: str) -> Iterator[None]:
    """A refusal of a file names the file."""
    try:
        yield
    except FileError as error:
        raise FileError(str(error) if str(error).startswith(place) else f"{place}: {error}") from None


def log_at(
    path: Path, game: RuleBook | None, shoe: Shoe | None, log_map: LogMap
) -> tuple[RuleBook, HandLog, Shoe]:
    """Return the hand log at this path, with the rule book and the shoe to judge it by."""
    source = Source.at(path)
    if not source.is_regular or is_counts(source):
        raise FileError(f"{source.place}: not a hand log; give a CSV, JSON or Parquet file of rounds")
    rows = open_rows(source, log_map)
    book = rule_book_of(source, rows.head.get("game"), game or log_map.game, rows)
    log = hand_log(rows, book.game, log_map)
    return book, log, shoe_of(log, book.game, shoe)


def rule_book_of(
    source: Source, named: str | None, given: RuleBook | str | None, rows: RowFile | None = None
) -> RuleBook:
    """Return the rule book to judge by: the one given, which must be of the game that the file names, if it names one."""
    if given is None and named is None:
        likely = games_with_bets_of(rows) if rows is not None else []
        is_told = 0 < len(likely) < len(rule_book_paths())
        bets = f", and its bets are those of {' or '.join(likely)}" if is_told else ""
        raise InputError(
            f"{source.place}: the file names no game{bets}",
            f"add a line # game: ID, or give {{game}} ID, where ID is one of {', '.join(rule_book_paths())}",
            parameter="game",
        )
    if given is None and named not in rule_book_paths():
        raise InputError(
            f'{source.place}: the file names the game "{named}", which is none of {", ".join(rule_book_paths())}',
            "give its rule book with {game}",
            parameter="game",
        )
    book = given if isinstance(given, RuleBook) else load_rule_book(given or named or "")
    if named is not None and book.game.id != named:
        raise RuleBookError(
            f"{source.place}: the file is about {named}, and the rule book is that of {book.game.id}; give that game's"
        )
    return book


def shoe_of(log: HandLog, game: Game, given: Shoe | None, *, in_report: bool = False) -> Shoe:
    """Return the shoe to judge by: the one that the log or its map names, or the one given."""
    named = log.shoe()
    if named is None and given is None:
        raise InputError(
            f"{log.source.place}: the log names no shoe",
            "add a line # decks: N, or give {decks}",
            parameter="decks",
        )
    if "decks" in log.stated:
        given = given or named
    return agreed_shoe(log.source, game, named, given, in_report=in_report)


def agreed_shoe(
    source: Source, game: Game, claimed: Shoe | None, given: Shoe | None, *, in_report: bool
) -> Shoe:
    """Return the shoe that the file claims or the auditor gives; a shoe that the game does not allow must be given."""
    if claimed is None or given is not None:
        assert given is not None
        if claimed is not None and claimed != given:
            raise InputError(
                f"{source.place}: the file claims {_in_words(claimed)}",
                "leave out {decks} and {cards}",
                parameter="decks",
            )
        return given
    decks = claimed.decks
    if decks is None or not (in_report or game.decks.allows(decks)):
        allowed = f"{game.decks.least} to {game.decks.most} decks, {game.decks.clause}"
        key, value = shoe_claim(claimed)
        raise InputError(
            f"{source.place}: the file claims {_in_words(claimed)}, and {game.id} allows {allowed}",
            f'repeat the claim to judge the file by it: {{{key}}}="{value}"',
            parameter=key,
        )
    return claimed


def shoe_claim(shoe: Shoe) -> tuple[str, str]:
    """Return a shoe as the key and the value of a log's head."""
    if shoe.decks is not None:
        return "decks", str(shoe.decks)
    held = ((rank, count) for rank, count in zip(RANKS, shoe.counts, strict=True) if count)
    return "cards", " ".join(f"{rank}={count}" for rank, count in held)


def _in_words(shoe: Shoe) -> str:
    decks = shoe.decks
    return f"a shoe of {shoe.size} cards" if decks is None else f"{decks} deck{'' if decks == 1 else 's'}"


def claims_of(log: HandLog) -> Claims:
    """Return the claims of a log about how it is to be judged."""
    return tuple((key, quoted(log.head[key])) for key in HEAD_KEYS if key in log.claims)
