"""Rule books: a game's TOML file, read strictly and checked.

``examined_file`` returns the game and every mistake; ``load_game`` raises the first mistake.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from combinat.base.errors import RuleBookError, in_words, shortened
from combinat.rules.book.find import is_checked, rule_book_path, rule_book_paths, sha256
from combinat.rules.book.reader import Mistake, file_bytes, placed, record_of, toml_data
from combinat.rules.bounds import BYTES
from combinat.rules.document import SCHEMA, Status
from combinat.rules.game import Game


class RuleBook(msgspec.Struct, frozen=True):
    """The bytes of a rule book, and its game."""

    content: bytes
    game: Game

    @property
    def sha256(self) -> str:
        """The SHA-256 of its bytes."""
        return sha256(self.content)

    def reading(self, *entries: str) -> "RuleBook":
        """Return the same bytes, with the game under the other reading of these entries of its register."""
        return RuleBook(self.content, self.game.reading(*entries))


class Examined(NamedTuple):
    """A rule book, or None, and its mistakes in the order of its lines."""

    book: RuleBook | None
    mistakes: tuple[Mistake, ...]


_loaded: dict[Game, RuleBook] = {}
"""The rule books of the last games loaded, since certificates and counts name their bytes."""

MOST_LOADED = 64


def load_game(game: Game | str | Path) -> Game:
    """Return the game with this id, unique beginning of an id, or TOML file, fully checked; or this ``Game``.

    >>> load_game("commission-insurance-2013").decks.most
    8
    """
    return game if isinstance(game, Game) else load_rule_book(game).game


def parse_game(text: str) -> Game:
    """Return the game of the text of a rule book, fully checked.

    >>> parse_game(rule_book_path("commission-insurance-2013").read_text("utf-8")).id
    'commission-insurance-2013'
    """
    if not isinstance(text, str):
        raise RuleBookError(
            f"found {in_words(text)}; write the text of a rule book (TOML); load_game reads a file"
        )
    stated = re.search(r"""^id\s*=\s*["']([a-z0-9][a-z0-9-]*)["']""", text, re.MULTILINE)
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise RuleBookError(f"the text of the rule book cannot be UTF-8 (character {error.start})") from None
    return _remember(parsed_rule_book(content, Path(f"{stated[1] if stated else 'rule-book'}.toml"))).game


def load_rule_book(game: str | Path) -> RuleBook:
    """Return the rule book of a game with this id, unique beginning of an id, or TOML file, fully checked."""
    if not isinstance(game, str | Path):
        raise RuleBookError(
            f'found {in_words(game)} for a game; write its id, such as "{next(iter(rule_book_paths()))}", '
            "the path of a TOML file, or a game from load_game"
        )
    path = game if isinstance(game, Path) else rule_book_path(game)
    return _remember(parsed_rule_book(file_bytes(path), path, folder=path.parent))


def _remember(book: RuleBook) -> RuleBook:
    _loaded.pop(book.game, None)
    while len(_loaded) >= MOST_LOADED:
        del _loaded[next(iter(_loaded))]
    _loaded[book.game] = book
    return book


def book_of(game: Game) -> RuleBook:
    """Return the rule book of a game that was loaded or comes with combinat.

    Refuse a game with other odds.
    """
    document = game.document
    book = _loaded.get(document)
    if book is None and game.id in rule_book_paths():
        book = load_rule_book(game.id)
    if book is not None and book.game == document and not game.provisos.odds:
        return RuleBook(book.content, game)
    raise RuleBookError(
        f"{game.id}: this needs the rule book itself, and the game is not as one has it; "
        "give its id or the path of its TOML file"
    )


def parsed_rule_book(content: bytes, path: Path, *, folder: Path | None = None) -> RuleBook:
    """Return the rule book in these bytes; ``path`` names it in errors and must contain its game's id.

    ``folder``: the folder of a base that is a file; None: only shipped games can be bases.
    """
    examined = examined_book(content, path, folder)
    if examined.book is None:
        raise RuleBookError(f"{path.name}: {examined.mistakes[0]}")
    return examined.book


def examined_file(path: Path) -> Examined:
    """Return the rule book in a file, or every mistake in it; a shipped rule book is checked again."""
    return examined_book(file_bytes(path), path, path.parent, again=True)


def examined_book(content: bytes, path: Path, folder: Path | None, *, again: bool = False) -> Examined:
    """Return the rule book in these bytes, or every mistake in them; ``path`` must contain its game's id.

    A shipped rule book whose SHA-256 is listed has passed ``inconsistencies``; ``again``: check it anyway. A
    rule book without a base is cached by its bytes.
    """
    if b"base" in content:
        return _examined(content, path, folder, again)
    return _examined_once(content, path, again)


@lru_cache(maxsize=16)
def _examined_once(content: bytes, path: Path, again: bool) -> Examined:
    return _examined(content, path, None, again)


def _examined(content: bytes, path: Path, folder: Path | None, again: bool) -> Examined:
    known = not again and is_checked(content, path.stem)
    data, mistakes = toml_data(content, schema=SCHEMA, is_checked=known)
    if data is None:
        return Examined(None, tuple(mistakes))
    text = content.decode("utf-8")
    whole: dict[str, Any] | None = data
    if "base" in data or data.get("status", Status.APPROVED) != Status.APPROVED:
        from combinat.rules.book.inherit import inherited  # only some rule books need it

        whole, of_base = inherited(data, folder)
        mistakes += of_base
    if whole is None:
        return Examined(None, tuple(placed(mistakes, text)))
    if whole is not data:
        content = _whole_text(data, whole)
        if len(content) > BYTES:
            return Examined(
                None, (Mistake("base", f"larger than {BYTES} bytes with its base; inherit less"),)
            )
    found = record_of(whole, Game)
    mistakes += found.mistakes
    if not known:
        from combinat.rules.book.consistency import (
            inconsistencies,
        )  # a shipped rule book has passed this check

        mistakes += inconsistencies(found)
    document = found.record
    if document is not None and document.id and document.id != path.stem:
        mistakes.append(
            Mistake(
                "id",
                f'found "{document.id}"; the file is named after its game: '
                f'write id = "{path.stem}" or name the file {document.id}.toml',
            )
        )
    if mistakes or document is None:
        return Examined(None, tuple(placed(mistakes, text)))
    return Examined(RuleBook(content, document), ())


def _whole_text(data: dict[str, Any], whole: dict[str, Any]) -> bytes:
    """Return the text of the complete rule book, with inherited keys and those that a draft left out."""
    from combinat.rules.book.write import toml_text  # only some rule books need it

    base = f", and that of {shortened(str(data['base']))}" if "base" in data else ""
    comment = f"Written by combinat: what {shortened(str(data.get('id', '')))} states{base}, whole."
    return toml_text(whole, (comment,)).encode("utf-8")
