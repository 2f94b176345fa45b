"""The list of checked rule books: ``python -m tests.house.checked_books`` checks every shipped one and writes it anew."""

import hashlib
from pathlib import Path

from combinat.base.errors import RuleBookError
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import examined_book
from tests.paths import ROOT

LIST = ROOT / "combinat" / "rules" / "book" / "checked.txt"


def checked_line(game_id: str, path: Path) -> str:
    """The line of a rule book in the list, if every check finds nothing in it."""
    content = path.read_bytes()
    game, mistakes = examined_book(content, path, path.parent, again=True)
    if game is None:
        raise RuleBookError(f"{path.name}: {mistakes[0]}")
    return f"{hashlib.sha256(content).hexdigest()}  {game_id}\n"


def checked_books() -> str:
    """The SHA-256 of every shipped rule book, which was checked for it."""
    return "".join(checked_line(game_id, path) for game_id, path in rule_book_paths().items())


if __name__ == "__main__":
    LIST.write_text(checked_books(), encoding="utf-8")
