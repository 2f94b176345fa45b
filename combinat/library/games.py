"""Games: those that come with combinat, those of a file or a text."""

import re
from pathlib import Path

from combinat.base.errors import RuleBookError, in_words
from combinat.base.tabular import Records
from combinat.library.given import (
    GameGiven,
    book_given,
    remembered,
)
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import Listed, listed, parsed_rule_book
from combinat.rules.game import Game

_ID = re.compile(r"""^id\s*=\s*["']([a-z0-9][a-z0-9-]*)["']""", re.MULTILINE)


def games() -> Records[Listed]:
    """The games that come with combinat, a line about each.

    >>> [game.id for game in games()][0]
    'commission-insurance-2013'
    """
    return Records(listed(path) for path in rule_book_paths().values())


def load_game(game: GameGiven) -> Game:
    """The game with this id, unique beginning of an id, or TOML file, fully checked; a ``Game`` is itself.

    >>> load_game("commission-insurance-2013").decks.most
    8
    """
    return game if isinstance(game, Game) else book_given(game).game


def parse_game(text: str) -> Game:
    """The game that the text of a rule book states, fully checked.

    >>> from combinat.rules.book.find import rule_book_path
    >>> parse_game(rule_book_path("commission-insurance-2013").read_text("utf-8")).id
    'commission-insurance-2013'
    """
    if not isinstance(text, str):
        raise RuleBookError(
            f"found {in_words(text)}; write the text of a rule book (TOML); load_game reads a file"
        )
    stated = _ID.search(text)
    name = stated[1] if stated else "rule-book"
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise RuleBookError(f"the text of the rule book cannot be UTF-8 (character {error.start})") from None
    return remembered(parsed_rule_book(content, Path(f"{name}.toml")))
