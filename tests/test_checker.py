"""The stand-alone checker: it accepts what the product writes, and nothing else.

The corpus holds one file per fault. Its first line is the verdict: the exception, and how its message
begins (the rest may be Python's own words, which differ from version to version). The faults are of four
kinds, told by the file's suffix: ``.text`` is an analysis as it stands; ``.change`` is one place of a right
analysis and what is put there, nothing where it is taken out; ``.edit`` is a piece of its text and what
replaces it; ``.toml`` is a rule book, with a right analysis of ``small.toml`` that names its hash.
"""

import ast
import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from pathlib import Path
from traceback import walk_tb
from typing import Any

import pytest

from combinat import Shoe, load_game
from combinat.analysis import analysis as analysis_module
from combinat.certify import checker
from combinat.certify.checker import Malformed, Rejected, check
from combinat.engine.walk import walk
from combinat.render.number import root
from combinat.report.exact import analysis_json, canonical
from combinat.rules.cards import RANKS
from combinat.rules.round import Round
from combinat.rules.rulebook import rule_book_path, rule_book_sha256
from combinat.rules.table_of_play import TABLE_OF_PLAY, TableOfPlay
from tests.documents import GAMES

CORPUS = Path(__file__).parent / "corpus" / "analyses"
SMALL = CORPUS / "small.toml"
BAD = sorted(set(CORPUS.iterdir()) - {SMALL})
CHECKER = Path(checker.__file__)


def analysis_of(path: Path, *decks: int) -> dict[str, Any]:
    """The product's analysis of a rule book."""
    return analysis_json(load_game(path), rule_book_sha256(path), decks)


@cache
def small() -> bytes:
    """The small game's analysis for one deck."""
    return canonical(analysis_of(SMALL, 1)).encode()


def refusal(analysis: bytes, rule_book: bytes) -> Malformed | Rejected:
    """What the checker has against an analysis."""
    with pytest.raises((Malformed, Rejected)) as refused:
        check(analysis, rule_book)
    assert isinstance(refused.value, Malformed | Rejected)
    return refused.value


Place = tuple[str | int, ...]


def shown(place: Place) -> str:
    """A place of an analysis as the checker names it."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).lstrip(".")


def within(data: Any, place: Place) -> Any:
    """What an analysis has at a place."""
    for part in place:
        data = data[part]
    return data


def changed(data: Any, place: Place, value: Any) -> bytes:
    """The text of an analysis with another value at one place; ``...``: with none."""
    *outer, last = place
    inner = within(data, tuple(outer))
    whole = inner.copy()
    if value is ...:
        del inner[last]
    elif isinstance(inner, list) and last == len(inner):
        inner.append(value)
    else:
        inner[last] = value
    text = canonical(data).encode()
    inner.clear()
    inner.extend(whole) if isinstance(inner, list) else inner.update(whole)
    return text


# ---------------------------------------------------------------- accepted


@pytest.mark.parametrize("game", GAMES)
def test_what_the_product_writes_is_accepted(game: str) -> None:
    """All of it; and of its values some, changed, are found (of a small analysis, all of them: below)."""
    path, decks = rule_book_path(game), (4, 8) if game == GAMES[0] else (8,)
    rule_book, data = path.read_bytes(), analysis_of(path, *decks)
    places = list(leaves(data))
    assert check(canonical(data).encode(), rule_book) == sum(map(is_number, places))
    for place, value in random.Random(game).sample(places, k=5):
        error = refusal(changed(data, place, other(value)), rule_book)
        assert isinstance(error, Rejected)
        assert str(error).startswith(f"{shown(place)}: found {json.dumps(other(value))}, should be ")


def is_number(leaf: tuple[Place, Any]) -> bool:
    """Whether a value of an analysis is a number and no rank."""
    place, value = leaf
    if {"removed", "matter_most"} & set(place):
        return False
    return type(value) is int or (
        isinstance(value, str) and bool(re.fullmatch(r"-?\d+(/\d+|\.\d{12})?", value))
    )


def test_other_numbers_of_decks_are_accepted() -> None:
    """Without eight decks among them the largest number is the one of reference."""
    data = analysis_of(SMALL, 1, 3)
    assert data["reference_decks"] == 3
    assert check(canonical(data).encode(), SMALL.read_bytes()) > 600


def test_any_version_is_accepted() -> None:
    """No one but the program itself can know its version."""
    text = changed(json.loads(small()), ("software", "version"), "12.3.4rc1")
    assert check(text, SMALL.read_bytes()) == check(small(), SMALL.read_bytes())


# ---------------------------------------------------------------- another way to count, the same counts


def test_the_table_of_play_is_the_products() -> None:
    """Every four cards by points, with every two that may follow."""
    for player, banker, fifth, sixth in product(range(10), repeat=4):
        cards, hands = [fifth, sixth], ([player, 0], [banker, 0])
        while drawing := TABLE_OF_PLAY.next_hand(*hands):
            hands[drawing.value == "banker"].append(cards.pop(0))
        thirds = [hand[2] if len(hand) == 3 else None for hand in hands]
        totals = [sum(hand) % 10 for hand in hands]
        assert checker.course_of(player, banker, fifth, sixth) == (player, banker, *thirds, *totals)


def shoes() -> Iterator[Shoe]:
    """Small shoes, with ranks that run out, and full ones."""
    numbers = random.Random(6)
    for most in (1, 2, 4, 40):
        yield Shoe(tuple(numbers.randint(0, most) for _ in RANKS))
    yield Shoe.of_decks(8)


@pytest.mark.parametrize("shoe", list(shoes()), ids=str)
def test_the_deal_counts_what_the_recursion_counts(shoe: Shoe) -> None:
    courses, facts = checker.rounds(shoe.counts)
    assert sum(courses.values()) == sum(facts.values()) == perm(shoe.size, 6)
    found = walk(shoe)
    assert {course[:4]: ways for course, ways in courses.items() if ways} == {
        (course.player, course.banker, course.player_third, course.banker_third): ways
        for course, ways in found.by_points.items()
    }
    outcomes = Counter[tuple[Any, ...]]()
    for outcome, ways in found.outcomes.items():
        result, match = (
            outcome.result,
            [str(part) if isinstance(part, str) else part for part in outcome.first_four],
        )
        names = checker.FACTS[: -len(match)]
        outcomes[*(getattr(result, name) for name in names), *match] += ways
    assert +facts == outcomes


def test_a_root_is_rounded_half_to_even() -> None:
    halves = [Fraction(2 * number + 1, 2 * 10**12) ** 2 for number in (0, 1, 2, 5 * 10**11, 10**12)]
    others = [Fraction(number, 7) for number in range(20)]
    near = [half + step * Fraction(1, 10**40) for half in halves for step in (-1, 1)]
    for square in (*halves, *others, *near):
        assert checker.root(square) == root(square, 12)
        assert checker.root(square, Fraction(-1)) == root(square, 12, negative=True)
    assert [checker.root(half) for half in halves[:3]] == [f"0.{units:012}" for units in (0, 2, 2)]


# ---------------------------------------------------------------- every value counts


def leaves(data: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value of an analysis with its place."""
    if isinstance(data, dict | list):
        parts = data.items() if isinstance(data, dict) else enumerate(data)
        for part, value in parts:
            yield from leaves(value, (*place, part))
    else:
        yield place, data


def containers(data: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every object and list of an analysis with its place."""
    if isinstance(data, dict | list):
        yield place, data
        for part, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from containers(value, (*place, part))


def other(value: Any) -> Any:
    """A value near this one: the last digit or letter is another, true is false, there is one where none was."""
    if value is None:
        return "0"
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    last = str(9 - int(value[-1])) if value[-1].isdigit() else "y" if value[-1] == "x" else "x"
    return value[:-1] + last


FREE = {("software", "version")}  # any text
TAKEN = {("schema",), *(("decks", n, "decks") for n in (0, 1))}  # what the checker refuses in other words


def test_every_value_of_a_small_analysis_counts() -> None:
    data, rule_book = json.loads(small()), SMALL.read_bytes()
    places = dict(leaves(data))
    assert len(places) > 600
    for place, value in places.items():
        if place in FREE | TAKEN:
            continue
        error = refusal(changed(data, place, other(value)), rule_book)
        assert isinstance(error, Rejected)
        assert str(error).startswith(f"{shown(place)}: found {json.dumps(other(value))}, should be ")
        assert str(error).rpartition(", should be ")[2].strip('"') == json.dumps(value).strip('"')


FRAME = {("schema",), ("rule_book_sha256",), ("decks",), *TAKEN}
"""Without these it is no analysis, and refused in other words."""


def test_every_key_and_every_entry_of_a_small_analysis_counts() -> None:
    data, rule_book = json.loads(small()), SMALL.read_bytes()
    places = dict(containers(data))
    assert len(places) > 150
    for place, value in places.items():
        name, size = shown(place) or "file", len(value)
        if isinstance(value, dict):
            for key in value:
                error = refusal(changed(data, (*place, key), ...), rule_book)
                assert isinstance(error, Malformed)
                if (*place, key) not in FRAME:
                    assert str(error) == f"{name}: the key '{key}' is missing"
            error = refusal(changed(data, (*place, "zzz"), None), rule_book)
            assert str(error) == f"{name}: the key 'zzz' is unknown"
        elif place != ("decks",):
            error = refusal(changed(data, (*place, size), None), rule_book)
            assert str(error) == f'{name}: found "{size + 1} entries", should be "{size} entries"'
            if value:
                error = refusal(changed(data, (*place, size - 1), ...), rule_book)
                assert str(error) == f'{name}: found "{size - 1} entries", should be "{size} entries"'


def test_an_analysis_for_other_decks_is_rejected() -> None:
    error = refusal(changed(json.loads(small()), ("decks", 0, "decks"), 8), SMALL.read_bytes())
    assert isinstance(error, Rejected)
    assert str(error).startswith("decks[0].bets[0].edge_per_resolved_bet: found ")


# ---------------------------------------------------------------- a product that is wrong


def mutated(hand: str, points: int, column: int) -> TableOfPlay:
    """The Table of Play with one cell turned round."""
    if hand == "player":
        cells = list(TABLE_OF_PLAY.player)
        cells[points] = not cells[points]
        return replace(TABLE_OF_PLAY, player=tuple(cells))
    rows = [list(row) for row in TABLE_OF_PLAY.banker]
    rows[points][column] = not rows[points][column]
    return replace(TABLE_OF_PLAY, banker=tuple(map(tuple, rows)))


@pytest.mark.parametrize(
    ("hand", "points", "column"),
    [
        ("player", 5, 0),
        ("banker", 3, 8),
        ("banker", 4, 1),
        ("banker", 6, 6),
    ],
)
def test_one_wrong_cell_of_the_products_table_is_rejected(
    monkeypatch: pytest.MonkeyPatch, hand: str, points: int, column: int
) -> None:
    table = mutated(hand, points, column)
    monkeypatch.setattr(analysis_module, "walk", lambda shoe: walk(shoe, Round(table=table)))
    error = refusal(canonical(analysis_of(SMALL, 1)).encode(), SMALL.read_bytes())
    assert isinstance(error, Rejected)
    assert str(error).startswith("decks[0].bets[0].")


# ---------------------------------------------------------------- the corpus


def fault(path: Path) -> tuple[str, bytes, bytes]:
    """The verdict that a file of the corpus states, its analysis, its rule book."""
    rule_book = SMALL.read_bytes()
    first, _, rest = path.read_bytes().partition(b"\n")
    verdict = first.decode().removeprefix("# ")
    sha256 = hashlib.sha256(rule_book).hexdigest()
    if path.suffix == ".text":
        return verdict.replace("SHA256", sha256), rest.replace(b"SHA256", sha256.encode()), rule_book
    if path.suffix == ".toml":
        rule_book = path.read_bytes()
        own = hashlib.sha256(rule_book).hexdigest()
        return verdict, small().replace(sha256.encode(), own.encode()), rule_book
    one, two = rest.decode().removesuffix("\n").split("\n")
    if path.suffix == ".edit":
        text = small().decode()
        assert json.loads(one) in text
        start, _, end = text.rpartition(json.loads(one))
        return verdict, (start + json.loads(two) + end).encode(), rule_book
    place = tuple(int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", one))
    return verdict, changed(json.loads(small()), place, json.loads(two) if two else ...), rule_book


def test_the_corpus_is_all_there() -> None:
    kinds = Counter(path.suffix for path in BAD)
    assert kinds == {".text": 41, ".change": 32, ".edit": 6, ".toml": 28}
    assert all(path.stat().st_size < 7000 for path in BAD)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_a_file_of_the_corpus_is_refused_in_these_words(path: Path) -> None:
    verdict, analysis, rule_book = fault(path)
    error = refusal(analysis, rule_book)
    assert f"{type(error).__name__}: {error}".startswith(verdict)
    assert str(error).isascii()


TOO_LARGE = b" " * (checker.MOST_BYTES + 1)
"""What is too large to keep."""


def test_the_corpus_reaches_every_refusal() -> None:
    """A refusal that forgot to raise would be noticed here; that of ``main`` has a test of its own."""
    raises = {
        line: node.lineno
        for part in ast.parse(CHECKER.read_text("utf-8")).body
        if not (isinstance(part, ast.FunctionDef) and part.name == "main")
        for node in ast.walk(part)
        if isinstance(node, ast.Raise)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    assert len(set(raises.values())) == 11
    reached = set()
    for analysis, rule_book in [(TOO_LARGE, b""), *(fault(path)[1:] for path in BAD)]:
        error = refusal(analysis, rule_book)
        *_, (frame, line) = walk_tb(error.__traceback__)
        assert frame.f_code.co_filename == str(CHECKER)
        reached.add(raises[line])
    assert reached == set(raises.values())


# ---------------------------------------------------------------- hostile files


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 15_000_000,
        b'{"a":' * 1_000_000,
        b'{"decks": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"decks": ' + b"9" * 10_000_000 + b"}",
        b"[" + b"{}," * 1_000_000 + b"{}]",
        b'"' + b"9" * 10_000_000 + b'"',
        b"\x00" * 10_000_000,
        TOO_LARGE,
    ],
    ids=lambda text: text[:12].decode(),
)
def test_a_file_made_to_hurt_is_malformed(text: bytes) -> None:
    assert isinstance(refusal(text, SMALL.read_bytes()), Malformed)


@pytest.mark.parametrize("place", ["schema", "rule_book_sha256", "version", "name", "decks", "game", "void"])
def test_a_deep_value_is_refused_at_any_depth(place: str) -> None:
    """However near to what Python can bear."""
    text, rule_book = re.sub(rf'"{place}": [^\n]+', f'"{place}": DEEP,', small().decode()), SMALL.read_bytes()
    text = text.replace("DEEP,\n }", "DEEP\n }")
    for depth in (1, 10, *range(800, 1010)):
        refusal(text.replace("DEEP", "[" * depth + "]" * depth, 1).replace("DEEP", "0").encode(), rule_book)


def test_a_rule_book_made_to_hurt_is_malformed() -> None:
    error = refusal(small(), SMALL.read_bytes() + b"#" * 1_000_000)
    assert str(error) == "larger than 16000000 bytes; or its rule book, than a sixteenth of that"


def test_a_long_value_is_cut() -> None:
    error = refusal(changed(json.loads(small()), ("game",), "9" * 1_000_000), SMALL.read_bytes())
    assert str(error) == f'game: found "{"9" * 299}, should be "small"'


def test_a_cut_file_is_malformed() -> None:
    for end in range(0, len(small()) - 1, 97):
        assert isinstance(refusal(small()[:end], SMALL.read_bytes()), Malformed)


def test_any_other_byte_is_refused() -> None:
    """Bytes turned at random anywhere but in the version."""
    numbers, text = random.Random(2), small()
    version = text.index(b'"version": ')
    for _ in range(400):
        place = numbers.randrange(len(text))
        byte = numbers.choice(b'0123456789abcXYZ{}[]",:/-. \n\xff')
        if text[place] != byte and not version < place < version + 25:
            refusal(text[:place] + bytes([byte]) + text[place + 1 :], SMALL.read_bytes())


# ---------------------------------------------------------------- the program


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "analysis.json"
    path.write_bytes(small())
    return path


def test_a_right_file_is_praised(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checker.main([str(report), "--rule-book", str(SMALL)]) == 0
    out, err = capsys.readouterr()
    assert out == "small: all 489 numbers hold: bets, insurance, readings, removal, closed forms\n"
    assert err == ""


def test_a_wrong_file_is_named(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report.write_bytes(changed(json.loads(small()), ("reference_decks",), 8))
    assert checker.main([str(report), "--rule-book", str(SMALL)]) == 1
    assert capsys.readouterr() == ("", "wrong: reference_decks: found 8, should be 1\n")


def test_an_edited_rule_book_is_named(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edited = tmp_path / "small.toml"
    edited.write_bytes(SMALL.read_bytes() + b"\n")
    assert checker.main([str(report), "--rule-book", str(edited)]) == 1
    assert capsys.readouterr().err.startswith("wrong: rule_book_sha256: found ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.json"],
        ["."],
        ["nul\0byte.json"],
        ["odd-\udcff\u202e.json"],
        ["a" * 5000],
        ["analysis.json"],  # there is no rule book for it
        ["analysis.json", "--rule-book", "missing.toml"],
        ["analysis.json", "--rule-book", "nul\0byte.toml"],
        ["analysis.json", "--rule-book", "."],
        ["cut.json", "--rule-book", str(SMALL)],
    ],
)
def test_what_cannot_be_checked_is_said(
    report: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.chdir(report.parent)
    Path("cut.json").write_bytes(small()[:-5])
    assert checker.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"could not be checked: .+\n", err)


@pytest.mark.parametrize("arguments", [[], ["one.json", "two.json"], ["--rule-book"]])
def test_other_arguments_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        checker.main(arguments)
    assert leaving.value.code == 2
    assert capsys.readouterr().err.startswith("usage: ")


@pytest.mark.parametrize("game", ["../../small", "small\0", "", "Small", "x" * 101])
def test_a_game_names_no_path(report: Path, capsys: pytest.CaptureFixture[str], game: str) -> None:
    report.write_bytes(changed(json.loads(small()), ("game",), game))
    assert checker.main([str(report)]) == 2
    assert capsys.readouterr().err == "could not be checked: not an analysis: no game is named\n"


@pytest.mark.parametrize("place", ["package/tables", "tables"])
def test_it_runs_alone_beside_its_rule_books(tmp_path: Path, place: str) -> None:
    """Without site packages, in another folder, with the rule books of a package or of a checkout."""
    program, folder = tmp_path / "package" / "certify" / "checker.py", tmp_path / "elsewhere"
    for made in (program.parent, tmp_path / place, folder):
        made.mkdir(parents=True)
    shutil.copy(CHECKER, program)
    shutil.copy(SMALL, tmp_path / place)
    text = small() if place == "tables" else changed(json.loads(small()), ("rule_book_sha256",), "")
    (folder / "analysis.json").write_bytes(text)
    arguments = [sys.executable, "-I", "-S", str(program), "analysis.json"]
    ran = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False)
    if place == "tables":
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout.startswith("small: all 489 numbers hold")
    else:
        assert (ran.returncode, ran.stdout) == (1, "")
        assert ran.stderr.startswith('wrong: rule_book_sha256: found "", should be ')


# ---------------------------------------------------------------- the file itself


def test_it_imports_nothing_but_the_standard_library() -> None:
    names = set()
    for node in ast.walk(ast.parse(CHECKER.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(str(node.module))
    assert {"json", "fractions", "tomllib"} <= names
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_it_can_be_read_in_half_an_hour() -> None:
    lines = CHECKER.read_text("utf-8").splitlines()
    assert len(lines) <= 400
    assert max(map(len, lines)) <= 110
