"""Games: those that come with combinat, those of a file or a text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from combinat.analysis.coverage import Coverage, Expectation, coverage, expectations
from combinat.analysis.rule_book_changes import RuleBookChange, rule_book_changes
from combinat.base.errors import CombinatError, RuleBookError, in_words
from combinat.base.tabular import Records
from combinat.rules import bounds
from combinat.rules.book.find import rule_book_path, rule_book_paths
from combinat.rules.book.load import Listed, examined_file, listed, parsed_rule_book
from combinat.rules.book.reader import Mistake
from combinat.rules.converters import (
    DECKS,
    GameGiven,
    as_bet,
    as_book,
    as_game,
    as_shoe,
    remembered,
    whole_number,
)
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
    return game if isinstance(game, Game) else as_book(game).game


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBookDiff:
    """Return every difference between two rule books, with its effect on fresh shoes of ``decks`` decks."""

    before: Game
    after: Game
    decks: int
    changes: Sequence[RuleBookChange]


def diff(before: GameGiven, after: GameGiven | None = None, *, decks: int | str = DECKS) -> RuleBookDiff:
    """All that one rule book adds, takes out and changes in another, with the effect on the house edge.

    With one game alone: what it changes in its base.

    >>> diff("commission-insurance-2013", "tiger-buffalo-commission-plus-2024").after.id
    'tiger-buffalo-commission-plus-2024'
    """
    number = whole_number("decks", decks, 1, bounds.SHOE_DECKS)
    earlier, later = as_game(before), None if after is None else as_game(after)
    if later is None:
        later = earlier
        if not later.varies:
            raise CombinatError(f"{later.id} has no base to compare it with; give two games")
        beside = Path(str(before)).parent / later.varies
        earlier = as_game(beside if later.varies.endswith(".toml") else later.varies)
    changes = rule_book_changes(earlier, later, number)
    return RuleBookDiff(before=earlier, after=later, decks=number, changes=changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBookCheck:
    """A rule book, checked: its mistakes; of one without mistakes, what its lines cover and its published figures."""

    path: Path
    mistakes: Sequence[Mistake]
    coverage: Coverage | None = None
    published: Sequence[Expectation] = ()

    @property
    def holds(self) -> bool:
        """Whether it has no mistake and every published figure holds."""
        return not self.mistakes and all(one.is_met for one in self.published)


def check(file: str | Path, *, bets: Sequence[str] = (), decks: int | str | None = None) -> RuleBookCheck:
    """Check a rule book: every mistake with its line, what each line covers, its published figures.

    Default of ``decks``: 8 if the game allows them, else the most that it allows.

    >>> check("commission-insurance-2013", bets=["tie"]).holds
    True
    """
    path = rule_book_path(str(file))
    examined = examined_file(path)
    if examined.book is None:
        return RuleBookCheck(path=path, mistakes=examined.mistakes)
    game = examined.book.game
    usual = DECKS if game.decks.allows(DECKS) else game.decks.most
    shoe = as_shoe(None, decks=usual if decks is None else decks)
    covered = coverage(game, shoe, [as_bet(game, bet) for bet in bets])
    return RuleBookCheck(path=path, mistakes=(), coverage=covered, published=expectations(game))
