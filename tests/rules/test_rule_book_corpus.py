"""Bad rule books: each is refused with the very message that its first line states.

The corpus holds one file per refusal, each a small valid game with one fault. What no file can hold
(bytes that are no text, a missing file, a game that does not exist) is built here. Together they reach
every ``raise`` on the way from a file to a game.
"""

import ast
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from combinat import load_game
from combinat.errors import RuleBookError
from combinat.rules import (
    accepted,
    bounded_toml,
    bounds,
    checks,
    examples,
    listing,
    odds,
    resolved,
    rule_book_files,
    rulebook,
    table_of_play,
)
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.paths import TESTS

CORPUS = TESTS / "corpus" / "rulebooks"
GOOD = [CORPUS / "good.toml", CORPUS / "good-plain.toml", CORPUS / "good-table.toml"]
BAD = sorted(set(CORPUS.iterdir()) - set(GOOD))


def test_the_corpus_is_all_there() -> None:
    assert len(BAD) == 274
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
    assert game.read_otherwise("six-must-win").bet("lucky-six").pays[0].winner is None


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_rule_book_is_refused_in_these_words(path: Path) -> None:
    first_line = path.read_text("utf-8").split("\n", 1)[0]
    assert first_line.startswith("# ")
    with pytest.raises(RuleBookError) as refusal:
        load_game(path)
    assert str(refusal.value) == f"{path.name}: {first_line.removeprefix('# ')}"


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_rule_book_is_a_good_one_with_one_fault(path: Path) -> None:
    """Beside its message and its id, a file changes a line or two; a pay table of two lines takes four."""
    lines = path.read_text("utf-8").splitlines()[1:]
    changes = [[line for line in lines if line not in good.read_text("utf-8").splitlines()] for good in GOOD]
    assert min(map(len, changes)) - 1 <= 4


# ---------------------------------------------------------------- what no file of the corpus can hold


def not_utf8(folder: Path) -> Path:
    path = folder / "latin.toml"
    path.write_bytes(b'schema = 1\nname = "Caf\xe9"\n')
    return path


def with_a_mark_of_byte_order(folder: Path) -> Path:
    path = folder / "marked.toml"
    path.write_text(GOOD[0].read_text("utf-8"), "utf-8-sig")
    return path


def too_large(folder: Path) -> Path:
    path = folder / "large.toml"
    path.write_bytes(b"#" * 1_000_001)
    return path


def too_many_entries(folder: Path) -> Path:
    path = folder / "many.toml"
    path.write_text(f"schema = 1\nbets = [{'1,' * bounds.MARKS}]", "utf-8")
    return path


def too_large_with_its_base(folder: Path) -> Path:
    for name in ("wide", "under"):
        keys = "\n".join(f'{name}{number} = "{"x" * 90}"' for number in range(6000))
        (folder / f"{name}.toml").write_text(f'schema = 1\nid = "{name}"\nname = "x"\n{keys}', "utf-8")
    wide = folder / "wide.toml"
    wide.write_text(
        wide.read_text("utf-8").replace('name = "x"', 'name = "x"\nbase = "under.toml"', 1), "utf-8"
    )
    return wide


def a_pipe(folder: Path) -> Path:
    path = folder / "pipe.toml"
    if not path.exists():
        os.mkfifo(path)
    return path


def missing(folder: Path) -> str:
    return f"{folder}/missing.toml"


def a_folder(folder: Path) -> str:
    return f"{folder}/"


BUILT: dict[str, tuple[Callable[[Path], Path | str], str]] = {
    "not UTF-8": (not_utf8, "{folder}/latin.toml: not UTF-8 text (byte 22); save it as UTF-8"),
    "a mark of byte order": (
        with_a_mark_of_byte_order,
        "marked.toml: not readable as TOML: line 1: found a byte order mark (BOM); "
        "save the file as UTF-8 without one",
    ),
    "too large": (
        too_large,
        "{folder}/large.toml: larger than 1000000 bytes; give the path of a TOML file",
    ),
    "too large with its base": (
        too_large_with_its_base,
        "wide.toml: larger than 1000000 bytes with its base; take less over",
    ),
    "too many entries": (
        too_many_entries,
        "many.toml: not readable as TOML: line 2: found very many keys, tables and list entries; "
        "write at most 20000 of them in a rule book",
    ),
    "a pipe": (a_pipe, "{folder}/pipe.toml: not a plain file; give the path of a TOML file"),
    "missing": (
        missing,
        "{folder}/missing.toml: cannot be read (No such file or directory); give the path of a TOML file",
    ),
    "a folder": (a_folder, "{folder}: cannot be read (Is a directory); give the path of a TOML file"),
    "several games": (
        lambda _: "tiger-buffalo",
        f'game "tiger-buffalo" could be {COMMISSION_2024}, {NONCOMMISSION_2025}, {NONCOMMISSION_2024}; '
        "write more of the id",
    ),
    "nearly a game": (
        lambda _: "tiger-bufalo-commission-plus-2024",
        f'no game "tiger-bufalo-commission-plus-2024"; did you mean {COMMISSION_2024}? '
        f"The games are {', '.join(GAMES)}; or give a path to a TOML file",
    ),
    "nearly the beginning of one": (
        lambda _: "comission",
        f'no game "comission"; did you mean {COMMISSION_2013}? '
        f"The games are {', '.join(GAMES)}; or give a path to a TOML file",
    ),
    "nearly the beginning of several games": (
        lambda _: "tiger-bufalo",
        f'no game "tiger-bufalo"; did you mean {COMMISSION_2024} or {NONCOMMISSION_2025} or {NONCOMMISSION_2024}? '
        f"The games are {', '.join(GAMES)}; or give a path to a TOML file",
    ),
    "no game": (
        lambda _: "poker",
        f'no game "poker". The games are {", ".join(GAMES)}; or give a path to a TOML file',
    ),
    "nothing": (
        lambda _: "",
        f'no game "". The games are {", ".join(GAMES)}; or give a path to a TOML file',
    ),
}


@pytest.mark.parametrize("name", BUILT)
def test_what_is_no_rule_book_is_refused_in_these_words(name: str, tmp_path: Path) -> None:
    build, message = BUILT[name]
    with pytest.raises(RuleBookError) as refusal:
        load_game(build(tmp_path))
    assert str(refusal.value) == message.replace("{folder}", str(tmp_path))


def test_a_file_of_the_most_bytes_is_still_read(tmp_path: Path) -> None:
    good = GOOD[0].read_bytes()
    path = tmp_path / "good.toml"
    path.write_bytes(good + b"#" * (1_000_000 - len(good)))
    assert load_game(path) == load_game(GOOD[0])


def test_a_program_without_its_tables_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_book_files, "__file__", str(tmp_path / "combinat" / "rules" / "module.py"))
    with pytest.raises(RuleBookError) as refusal:
        load_game(GAMES[0])
    assert str(refusal.value) == (
        f"no rule books found: neither {tmp_path.resolve()}/combinat/tables nor the checkout's tables/ exists"
    )


@pytest.mark.parametrize(
    ("instead", "message"),
    [
        (
            'insurance = [{ side = "player", stage = "four-cards", '
            'offers = [{ player_points = 8, banker_points = 0, odds = "1 to 1" }] }]',
            "Player 8, Banker 0 can never arise after four cards with a card to come",
        ),
        (
            'insurance = [{ side = "player", stage = "player-third-card", offers = [] }]',
            "offers: found none; write at least one line",
        ),
        (
            'insurance_limits = [{ clause = "5.2", caps = "stake", per = "round", share = "25%", '
            'of = "table-maximum" }]',
            'a cap by the table maximum is per "offer"',
        ),
        (
            'insurance_limits = [{ clause = "5.2", caps = "stake", per = "round", share = "25%", '
            'of = "original-bet", procedure = "squeeze" }]',
            'found "squeeze", which is no procedure of this game with effect = "late-insurance"',
        ),
    ],
)
def test_the_other_reading_of_insurance_must_hold_together_too(
    instead: str, message: str, tmp_path: Path
) -> None:
    *lines, own = GOOD[0].read_text("utf-8").splitlines()
    assert own.startswith("instead.bets = ")
    path = tmp_path / "good.toml"
    path.write_text("\n".join([*lines, f"instead.{instead}"]), "utf-8")
    with pytest.raises(RuleBookError) as refusal:
        load_game(path)
    assert str(refusal.value).startswith("good.toml: ")
    assert message in str(refusal.value)


# ---------------------------------------------------------------- every refusal is reached


def raises_of(module: ModuleType) -> set[tuple[str, int]]:
    """Every ``raise`` of a module, as its file and line."""
    file = str(module.__file__)
    tree = ast.parse(Path(file).read_text("utf-8"))
    return {(file, node.lineno) for node in ast.walk(tree) if isinstance(node, ast.Raise)}


def origins(error: BaseException | None) -> Iterator[tuple[str, int]]:
    """Where an error and those it came of were raised: the innermost frame of each."""
    while error is not None:
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        if place is not None:
            yield place.tb_frame.f_code.co_filename, place.tb_lineno
        error = error.__cause__ or error.__context__


def test_every_raise_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``raise`` that nothing here reaches is a refusal that nobody has seen."""
    modules = (
        bounded_toml,
        checks,
        listing,
        rule_book_files,
        rulebook,
        resolved,
        odds,
        accepted,
        examples,
        table_of_play,
    )
    written = {module.__name__: raises_of(module) for module in modules}
    reached: set[tuple[str, int]] = set()
    for game in [*BAD, *(build(tmp_path) for build, _ in BUILT.values())]:
        with pytest.raises(RuleBookError) as refusal:
            load_game(game)
        reached.update(origins(refusal.value))
    with pytest.raises(RuleBookError) as refusal:
        rulebook.parsed_rule_book(b"#" * 1_000_001, Path("large.toml"))
    reached.update(origins(refusal.value))
    with pytest.raises(RuleBookError) as refusal:
        listing.listed(tmp_path / "none.toml")
    reached.update(origins(refusal.value))
    other = load_game(GOOD[1])
    monkeypatch.setattr(rulebook, "_prepared_game", lambda *_: other)
    with pytest.raises(RuleBookError) as refusal:
        rulebook.read_again(GOOD[0])
    reached.update(origins(refusal.value))
    monkeypatch.setattr(rule_book_files, "__file__", str(tmp_path / "combinat" / "rules" / "module.py"))
    with pytest.raises(RuleBookError) as refusal:
        load_game(GAMES[0])
    reached.update(origins(refusal.value))
    for module, expected in written.items():
        assert expected, module
        assert expected - reached == set(), module
