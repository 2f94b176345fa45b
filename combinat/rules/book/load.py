"""Rule books: a game's TOML file, read strictly and checked.

``examined_file`` returns the game and every mistake; ``load_game`` raises the first mistake.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from combinat.base.errors import RuleBookError, in_words, shortened
from combinat.rules.book.find import is_checked, rule_book_path, rule_book_paths
from combinat.rules.book.reader import Mistake, file_bytes, placed, record_of, toml_data
from combinat.rules.bounds import BYTES
from combinat.rules.document import SCHEMA, RuleDocument, RuleText, Status
from combinat.rules.game import Game

Examined = tuple[Game | None, tuple[Mistake, ...]]
"""A game, or None, and the mistakes in its rule book, in the order of its lines."""


def load_game(game: Game | str | Path) -> Game:
    """Return the game with this id, unique beginning of an id, or TOML file, fully checked; or this ``Game``.

    >>> load_game("commission-insurance-2013").decks.most
    8
    """
    if isinstance(game, Game):
        return game
    if not isinstance(game, str | Path):
        raise RuleBookError(
            f'found {in_words(game)} for a game; write its id, such as "{next(iter(rule_book_paths()))}", '
            "the path of a TOML file, or a game from load_game"
        )
    path = game if isinstance(game, Path) else rule_book_path(game)
    return parsed_game(file_bytes(path), path, folder=path.parent)


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
    return parsed_game(content, Path(f"{stated[1] if stated else 'rule-book'}.toml"))


def parsed_game(content: bytes, path: Path, *, folder: Path | None = None) -> Game:
    """Return the game of the rule book in these bytes; ``path`` names it in errors and must contain its id.

    ``folder``: the folder of a base that is a file; None: only shipped games can be bases.
    """
    game, mistakes = examined_book(content, path, folder)
    if game is None:
        raise RuleBookError(f"{path.name}: {mistakes[0]}")
    return game


def examined_file(path: Path) -> Examined:
    """Return the game of a file, or every mistake in it; a shipped rule book is checked again."""
    return examined_book(file_bytes(path), path, path.parent, again=True)


def examined_book(content: bytes, path: Path, folder: Path | None, *, again: bool = False) -> Examined:
    """Return the game in these bytes, or every mistake in them; ``path`` must contain its game's id.

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
        return None, tuple(mistakes)
    text = content.decode("utf-8")
    whole: dict[str, Any] | None = data
    if "base" in data or data.get("status", Status.APPROVED) != Status.APPROVED:
        from combinat.rules.book.inherit import inherited  # only some rule books need it

        whole, of_base = inherited(data, folder)
        mistakes += of_base
    if whole is None:
        return None, tuple(placed(mistakes, text))
    if whole is not data:
        content = _whole_text(data, whole)
        if len(content) > BYTES:
            return None, (Mistake("base", f"larger than {BYTES} bytes with its base; inherit less"),)
    found = record_of(whole, RuleDocument)
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
        return None, tuple(placed(mistakes, text))
    stated = {name: getattr(document, name) for name in RuleDocument.__struct_fields__}
    return Game(**stated, text=RuleText(content)), ()


def _whole_text(data: dict[str, Any], whole: dict[str, Any]) -> bytes:
    """Return the text of the complete rule book, with inherited keys and those that a draft left out."""
    from combinat.rules.book.write import toml_text  # only some rule books need it

    base = f", and that of {shortened(str(data['base']))}" if "base" in data else ""
    comment = f"Written by combinat: what {shortened(str(data.get('id', '')))} states{base}, whole."
    return toml_text(whole, (comment,)).encode("utf-8")
