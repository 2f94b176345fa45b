"""Rule books that were read beforehand: what they state is what their files state, and any other file is read."""

from pathlib import Path

import pytest

from combinat.cli import trials
from combinat.cli.trials import tried
from combinat.errors import RuleBookError
from combinat.report.machine import State, Trial
from combinat.rules import prepared, rule_book_files, rulebook
from combinat.rules.rule_book_files import rule_book_paths
from combinat.rules.rulebook import load_rule_book, parsed_rule_book
from tests.conftest import Run
from tests.documents import COMMISSION_2013
from tests.prepare_books import prepared_books


@pytest.fixture
def books(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of prepared books in the place of combinat's, with none in it."""
    monkeypatch.setattr(prepared, "FOLDER", tmp_path)
    monkeypatch.setattr(rulebook, "_prepared_game", rulebook._prepared_game.__wrapped__)
    return tmp_path


def test_the_prepared_books_are_those_of_the_rule_books() -> None:
    """Each file was fully checked to make it; after a change of tables/ or of a record, ``make regenerate`` writes them."""
    here = {path.name: path.read_bytes() for path in prepared.FOLDER.iterdir()}
    wanted = prepared_books()
    assert sorted(here) == sorted(wanted)
    assert [name for name in wanted if here[name] != wanted[name]] == [], "make regenerate writes them"


def test_a_rule_book_with_another_byte_is_read_itself(tmp_path: Path) -> None:
    text = rule_book_paths()[COMMISSION_2013].read_text("utf-8")
    other = tmp_path / f"{COMMISSION_2013}.toml"
    other.write_text(text.replace("least = 4", "least = 3", 1), "utf-8")
    assert load_rule_book(other).game.decks.least == 3
    other.write_text(text.replace("most = 8", "most = 3", 1), "utf-8")
    with pytest.raises(RuleBookError):
        load_rule_book(other)


@pytest.mark.parametrize("written", [None, b"", b"{}", b'{"lines": [], "states": {}}', b"\xff"])
def test_without_a_prepared_book_the_file_is_read(books: Path, written: bytes | None) -> None:
    if written is not None:
        (books / f"{COMMISSION_2013}.json").write_bytes(written)
    path = rule_book_paths()[COMMISSION_2013]
    assert load_rule_book(COMMISSION_2013) == parsed_rule_book(path.read_bytes(), path)


def test_what_is_prepared_is_used_and_verified_is_what_is_read(books: Path, run: Run) -> None:
    """A command takes what was prepared; ``verify`` reads the rule book of a report by itself.

    And ``check`` and ``doctor`` say that the two are not the same.
    """
    path = rule_book_paths()[COMMISSION_2013]
    text = path.read_text("utf-8")
    raw = rulebook.whole_data(text, path)
    (books / f"{COMMISSION_2013}.json").write_bytes(prepared.prepared_file(text, {**raw, "name": "Another"}))
    assert load_rule_book(path).game.name == "Another"
    assert parsed_rule_book(path.read_bytes(), path).game.name == raw["name"]
    said = f"{path}: what was prepared from it states something else than the file; this installation is damaged: install combinat again"
    assert run("check", COMMISSION_2013).refusal() == said
    assert tried("read", trials._rule_books) == Trial(what="read", state=State.FAILS, said=said)


def test_a_rule_book_that_is_lost_is_no_working_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_book_files, "rule_book_paths", dict)
    trial = tried("read", trials._rule_books)
    assert trial.state is State.FAILS
    assert trial.said.startswith(f"no rule book of {COMMISSION_2013}, ")
