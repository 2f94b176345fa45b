"""The list of checked rule books is up to date."""

from pathlib import Path

import pytest

from combinat.base.errors import RuleBookError
from combinat.rules.book.find import rule_book_paths
from tests.house.checked_books import LIST, checked_books, checked_line


def test_every_shipped_rule_book_is_checked_as_it_is_listed() -> None:
    assert LIST.read_text("utf-8") == checked_books(), "make regenerate writes it anew"


def test_a_rule_book_with_a_mistake_is_not_listed(tmp_path: Path) -> None:
    game_id, shipped = next(iter(rule_book_paths().items()))
    path = tmp_path / f"{game_id}.toml"
    path.write_bytes(shipped.read_bytes().replace(b"least = ", b"least = 9", 1))
    with pytest.raises(RuleBookError):
        checked_line(game_id, path)
