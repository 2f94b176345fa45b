"""Games: those that come with combinat, those of a file or a text, and games with other odds or readings."""

import re
from collections.abc import Sequence
from pathlib import Path

from combinat.base.errors import RuleBookError, in_words
from combinat.base.tabular import Records
from combinat.library.given import (
    GameGiven,
    Pays,
    book_given,
    game_given,
    odds_given,
    read_otherwise,
    remembered,
)
from combinat.rules.book.catalogue import Listed, listed
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import parsed_rule_book
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


def with_odds(game: GameGiven, pays: Pays) -> Game:
    """The game with other odds for some bets: one for each line that pays, in the order of the pay table.

    >>> with_odds("commission-insurance-2013", {"tie": "9 to 1"}).bet("tie").pays[0].odds.net
    Fraction(9, 1)
    """
    from combinat.analysis.other_odds import with_odds as with_other_odds

    own = game_given(game)
    return with_other_odds(own, odds_given(own, pays))


def with_readings(game: GameGiven, readings: Sequence[str]) -> Game:
    """The game under the other reading of these entries of its register; of none, as the rule book takes it.

    >>> with_readings("tiger-buffalo-noncommission-2025", ["wu-dalang-must-win"]).followed
    ('wu-dalang-must-win',)
    """
    return read_otherwise(game_given(game), readings)
