"""Bad rule books: each is refused with the very message that its first line states.

The corpus holds one file per refusal, each a small valid game with one fault. What no file can hold
(bytes that are no text, a missing file, a game that does not exist) is built here. Together they reach
every ``raise`` on the way from a file to a game.
"""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from combinat import load_game
from combinat.base.errors import RuleBookError
from combinat.rules import bounds, converters, odds, value_sets
from combinat.rules.book import (
    consistency,
    find,
    inherit,
    lines,
    load,
    other_readings,
    parse,
    reader,
)
from combinat.rules.book.load import _examined_once, examined_book
from combinat.rules.book.reader import read
from combinat.table.table_file import TableFile
from tests.documents import GAMES
from tests.paths import CORPUS
from tests.raises import noting_refusals, refusing
from tests.reports import written
from tests.rules.corpus import BAD, GOOD


def test_the_corpus_is_all_there() -> None:
    assert len(BAD) == 282
    assert {path.suffix for path in BAD} == {".toml"}


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_a_good_rule_book_is_accepted(path: Path) -> None:
    game = load_game(path)
    assert game.id == path.stem
    assert [bet.id for bet in game.bets] == ["player", "lucky-six"]


def test_the_good_rule_book_has_every_part() -> None:
    game = load_game(GOOD[0])
    assert game.insurance_terms is not None
    assert [len(part) for part in (game.insurance, game.procedures, game.interpretations)] == [2, 2, 1]
    assert len(game.offers) == 14
    assert game.reading("six-must-win").bet("lucky-six").pays[0].facts.keys() == {"banker_points"}


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_rule_book_has_one_mistake_and_is_refused_in_these_words(path: Path) -> None:
    first_line = path.read_text("utf-8").split("\n", 1)[0]
    assert first_line.startswith("# ")
    message = first_line.removeprefix("# ")
    with pytest.raises(RuleBookError) as refusal:
        load_game(path)
    assert str(refusal.value) == f"{path.name}: {message}"
    _, mistakes = examined_book(path.read_bytes(), path, path.parent)
    assert [str(mistake) for mistake in mistakes] == [message]


# ---------------------------------------------------------------- what no file of the corpus can hold

TEXT = {name: f'schema = 1\nid = "{name}"\nname = "x"\n' for name in ("wide", "under")}
KEYS = {name: "".join(f'{name}{number} = "{"x" * 4000}"\n' for number in range(135)) for name in TEXT}
MADE: dict[str, tuple[dict[str, bytes], str]] = {
    "not UTF-8": (
        {"a.toml": b'schema = 1\nname = "Caf\xe9"\n'},
        "a.toml: not UTF-8 text (byte 22); save it as UTF-8",
    ),
    "a byte order mark": (
        {"a.toml": b"\xef\xbb\xbf" + GOOD[0].read_bytes()},
        "a.toml: not readable as TOML: line 1: found a byte order mark (BOM); save the file as UTF-8 without one",
    ),
    "too large": (
        {"a.toml": b"#" * 1_000_001},
        "{folder}/a.toml: larger than 1000000 bytes; give the path of a TOML file",
    ),
    "too large with its base": (
        {
            "a.toml": f"{TEXT['wide']}base = 'under.toml'\n{KEYS['wide']}".replace('"wide"', '"a"').encode(),
            "under.toml": f"{TEXT['under']}{KEYS['under']}".encode(),
        },
        "a.toml: base: larger than 1000000 bytes with its base; inherit less",
    ),
    "too many entries": (
        {"a.toml": f"schema = 1\nbets = [{'1,' * bounds.MARKS}]".encode()},
        "a.toml: not readable as TOML: line 2: found very many keys, tables and list entries; "
        "write at most 20000 of them in a rule book",
    ),
    "missing": (
        {},
        "{folder}/a.toml: cannot be read (No such file or directory); give the path of a TOML file",
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_files_that_the_corpus_cannot_hold_are_refused_in_these_words(name: str, tmp_path: Path) -> None:
    files, message = MADE[name]
    with pytest.raises(RuleBookError) as refusal:
        load_game(written(files, tmp_path) / "a.toml")
    assert str(refusal.value) == message.replace("{folder}", str(tmp_path))


def test_a_file_of_the_most_bytes_is_still_read(tmp_path: Path) -> None:
    good = GOOD[0].read_bytes()
    path = tmp_path / "good.toml"
    path.write_bytes(good + b"#" * (1_000_000 - len(good)))
    assert load_game(path) == load_game(GOOD[0])


# ---------------------------------------------------------------- every refusal is reached


def refusals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BaseException]:
    """Every refusal on the way from a file to a game."""

    def refused(act: Callable[[], object]) -> BaseException:
        with pytest.raises(RuleBookError) as refusal:
            act()
        return refusal.value

    (tmp_path / "folder.toml").mkdir()
    os.mkfifo(tmp_path / "pipe.toml")
    folders = [written(files, tmp_path / name) for name, (files, _) in MADE.items()]
    games: list[Path | str] = [
        *BAD,
        *(folder / "a.toml" for folder in folders),
        tmp_path / "folder.toml",
        tmp_path / "pipe.toml",
        *("tiger-buffalo", "tiger-bufalo", "comission", "poker", ""),
    ]
    for game in games:
        yield refused(partial(load_game, game))
    yield refused(lambda: load.parsed_game(b"#" * 1_000_001, Path("large.toml")))
    monkeypatch.setattr(find, "__file__", str(tmp_path / "combinat" / "rules" / "book" / "module.py"))
    yield refused(lambda: load_game(GAMES[0]))


def test_every_refusal_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place that makes a mistake or an error, and that nothing here reaches, is a refusal that nobody has seen."""
    modules = [
        value_sets,
        consistency,
        find,
        inherit,
        load,
        odds,
        other_readings,
        lines,
        parse,
        reader,
    ]
    places = refusing(*modules)
    reached = noting_refusals(monkeypatch)
    tried = load_game(GAMES[0]).paying(tie="9 to 1")
    for wrong in (
        partial(load.parse_game, 7),  # type: ignore[arg-type]
        partial(load.parse_game, "\ud800"),
        partial(load.load_game, 7),  # type: ignore[arg-type]
        partial(converters.as_document, tried),
    ):
        with pytest.raises(RuleBookError):
            wrong()
    _examined_once.cache_clear()
    for _ in refusals(tmp_path, monkeypatch):
        pass
    for path in (CORPUS / "tables").iterdir():  # amounts, and tables whose keys the file chooses
        read(path.read_bytes(), TableFile)
    assert len(places) > 80
    assert places - reached == set()
