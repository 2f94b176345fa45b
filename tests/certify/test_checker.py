"""The stand-alone checker: it accepts what the product writes, and no statement that is wrong.

The corpus holds one file per fault. Its first line is the verdict: the exception, and how its message
begins (the rest may be Python's own words, which differ from version to version). The faults are of four
kinds, told by the file's suffix: ``.text`` is an analysis as it stands; ``.change`` is one place of a right
analysis of ``plain.toml`` and what is put there, nothing where it is taken out (``.insured``: the same with
``small.toml``, which has insurance); ``.edit`` is a piece of its text and what replaces it; ``.toml`` is a
rule book, with a right analysis of ``plain.toml`` that names its hash.

The real games are not here: ``make verify`` has the checker go through all of them, and ``make slow M=full``
through each under every other reading.
"""

import ast
import hashlib
import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from math import perm
from pathlib import Path
from traceback import walk_tb
from typing import Any

import pytest

from combinat import Shoe
from combinat.certify import checker
from combinat.certify import dossier as dossiers
from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.checker import Malformed, Rejected, check
from combinat.engine.walk import walk
from combinat.rules.book.load import load_game
from combinat.rules.cards import RANKS
from tests.certify.forger import Place, at, places, put, spelled
from tests.paths import TESTS
from tests.programs import python

CORPUS = TESTS / "corpus" / "analyses"
SMALL, PLAIN = CORPUS / "small.toml", CORPUS / "plain.toml"
BAD = sorted(set(CORPUS.iterdir()) - {SMALL, PLAIN}, key=lambda path: (path.suffix == ".toml", path))
"""Those with rule books of their own come last: the checker remembers only some."""
CHECKER = Path(checker.__file__)


@cache
def analysis_of(path: Path, *decks: int) -> bytes:
    """The product's analysis of a rule book, without game protection, which takes longest and is not checked here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dossiers, "protected_wagers", lambda *_: ())
        return analysis_bytes(dossiers.dossier(load_game(path), decks))


def small() -> bytes:
    """The analysis of a game with everything, for one deck."""
    return analysis_of(SMALL, 1)


def plain() -> bytes:
    """The analysis of a game with hardly anything, for one deck."""
    return analysis_of(PLAIN, 1)


def refusal(analysis: bytes, rule_book: bytes) -> Malformed | Rejected:
    """What the checker has against an analysis."""
    with pytest.raises((Malformed, Rejected)) as refused:
        check(analysis, rule_book)
    assert isinstance(refused.value, Malformed | Rejected)
    return refused.value


def changed(analysis: bytes, place: Place, value: Any) -> bytes:
    """The text of an analysis with another value at one place; ``...``: with none."""
    return spelled(put(json.loads(analysis), place, value))


# ---------------------------------------------------------------- accepted


def test_every_number_is_checked_but_those_of_the_parts_that_verify_reproduces() -> None:
    leaves_of = leaves(json.loads(small()))
    numbers = [place for place, value in leaves_of.items() if is_number(place, value)]
    checked = check(small(), SMALL.read_bytes())
    told = [place for place in numbers if place[0] not in checker.NOT_CHECKED]
    told = [place for place in told if place[-1] not in ("read", "otherwise") or not of_limits(*place[1:4:2])]
    assert sum(checked.values()) == len(told) > 2500
    assert min(checked.values()) > 0
    assert json.loads(small()).keys() >= set(checker.NOT_CHECKED)


@cache
def of_limits(reading: int, difference: int) -> bool:
    """Whether a difference of a reading is no expected value: of limits, of layouts."""
    measure = at(json.loads(small()), ("readings", reading, "differences", difference, "measure"))
    return not measure.startswith("expected-value")


def is_number(place: Place, value: Any) -> bool:
    """Whether a value of an analysis is a number, and no rank and no clause."""
    names = tuple(part for part in place if isinstance(part, str))
    if {"removed", "most", "clause"} & set(place) or names in NO_NUMBERS:
        return False
    return type(value) is int or (isinstance(value, str) and bool(NUMBER.fullmatch(value)))


NUMBER = re.compile(r"-?\d+(/\d+)?")
NO_NUMBERS = {("examples", "player"), ("examples", "banker"), ("examples", "dealt")}
"""The cards of the worked rounds."""


@pytest.mark.full
def test_insurance_on_a_result_that_is_known_is_read_as_the_product_reads_it(tmp_path: Path) -> None:
    """With naturals listed, without limits, and with every moment open."""
    text = SMALL.read_text("utf-8")
    head, terms, tail = re.split(r"(\[insurance_terms\](?:.|\n)*?)(?=\[\[procedures\]\])", text)
    terms = re.sub(r"limits = \[(.|\n)*?\n\]", "limits = []", terms).replace(
        "card-to-come", "whenever-listed"
    )
    terms = terms.replace(
        'player_points = 5, banker_points = "4"', 'player_points = "9", banker_points = "9"'
    )
    path = tmp_path / "small.toml"
    path.write_text(head + terms + tail[: tail.index("[[interpretations]]")], "utf-8")
    data = json.loads(analysis_of(path, 1))
    assert {"player_points": 9, "banker_points": 9, "side": "player", "stage": "four-cards"} in [
        entry["state"] for entry in data["ranges"]
    ]
    assert sum(check(analysis_of(path, 1), path.read_bytes()).values()) > 2500


# ---------------------------------------------------------------- another way to count, the same counts


PLAY = checker.play_of({})
"""The Table of Play of a rule book that states none."""
NUMBERS = random.Random(6)
SHOES = [Shoe(tuple(NUMBERS.randint(0, most) for _ in RANKS)) for most in (1, 2, 4, 40)]
"""Small shoes, with ranks that run out; beside them a full one."""


def courses_walked(shoe: Shoe) -> dict[tuple[Any, ...], int]:
    """The ways of every course that the product finds."""
    return {tuple(course)[:4]: ways for course, ways in walk(shoe).by_points.items()}


def courses_dealt(shoe: Shoe) -> dict[tuple[Any, ...], int]:
    """The ways of every course that the checker finds."""
    courses = Counter[tuple[Any, ...]]()
    for (totals, _), counts in checker.deal(shoe.counts, ()).items():
        for course, ways in zip(checker.rounds_after(PLAY)[totals], counts, strict=True):
            courses[tuple(course)[:4]] += ways
    return +courses


@pytest.mark.parametrize("shoe", [*SHOES, Shoe.of_decks(8)], ids=str)
def test_the_deal_counts_what_the_recursion_counts(shoe: Shoe) -> None:
    assert courses_dealt(shoe) == courses_walked(shoe)
    rounds = checker.rounds_by_facts(PLAY, checker.FACTS, shoe.counts)
    assert rounds.total() == perm(shoe.size, 6)
    outcomes = Counter[tuple[Any, ...]]()
    for outcome, count in walk(shoe).detailed(thirds=True, pair_ranks=True).outcomes.items():
        parts = [outcome.first_four if "pair" in name else outcome.result for name in checker.FACTS]
        outcomes[tuple(map(getattr, parts, checker.FACTS))] += count
    assert +rounds == outcomes


# ---------------------------------------------------------------- every value counts


def leaves(data: Any) -> dict[Place, Any]:
    """Every value of an analysis with its place."""
    values = {place: at(data, place) for place in places(data)}
    return {place: value for place, value in values.items() if not isinstance(value, dict | list)}


@cache
def statements_of_small() -> list[checker.Statement]:
    """All statements of the analysis of the small game, which point into it."""
    return list(checker.statements(*checker.analysis_in(small(), SMALL.read_bytes())))


def is_caught(work: Callable[[], object]) -> bool:
    """Whether the checker refuses."""
    try:
        work()
    except (Malformed, Rejected, *checker.FAULTS):
        return True
    return False


def another(value: Any) -> Any:
    """A number greater by one; true for false; a longer text; one where none was."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    is_number = isinstance(value, str) and NUMBER.fullmatch(value)
    return str(Fraction(value) + 1) if is_number else f"{value or ''}0"


def not_caught(entry: Any, place: Place, again: Callable[[], object]) -> list[Place]:
    """The values of an entry that can be another one, and nobody notices."""
    unnoticed = []
    for inside in leaves(entry) if isinstance(entry, dict | list) else ():
        around = at(entry, inside[:-1])
        value = around[inside[-1]]
        around[inside[-1]] = another(value)
        if not is_caught(again):
            unnoticed.append((*place, *inside))
        around[inside[-1]] = value
    return unnoticed


CHOSEN = {"combination", "examples", "formulas", "operations", "ranges", "readings"}
"""The parts whose entries the program chose: what is right depends on what is stated."""


def test_every_counted_value_counts() -> None:
    """Bets, insurance, third cards, removal, identities: each is what it must be, whatever the file says."""
    unnoticed = []
    for _, where, found, right in statements_of_small():
        if where not in CHOSEN:
            for number, entry in enumerate(found if isinstance(found, list) else [found]):
                expected = right[number] if isinstance(found, list) else right
                again = partial(checker.compare, entry, expected, where)
                unnoticed += not_caught(entry, (where, number), again)
    assert unnoticed == []


def test_every_value_of_a_chosen_statement_counts() -> None:
    """Of each list the last entry; of the exact cards the first; of the readings one that changes no limit."""
    found, _, _, game = checker.analysis_in(small(), SMALL.read_bytes())
    dealt, unnoticed = checker.Dealt(game, checker.fresh(1)), []

    def again(key: str) -> None:
        checker.compare(found[key], checker.ON_REFERENCE[key][1](dealt, found[key]), key)

    for key in sorted(CHOSEN):
        entry = (
            found[key]
            if isinstance(found[key], dict)
            else found[key][{"ranges": 0, "readings": 5}.get(key, -1)]
        )
        unnoticed += not_caught(entry, (key,), partial(again, key))
    assert unnoticed == []


def test_what_is_missing_or_of_another_shape_is_wrong() -> None:
    """One place of each kind, without its value or with another: not that the file could not be checked."""
    data, begins = json.loads(plain()), ("schema", "rule_book_sha256", "followed", *checker.NOT_CHECKED)
    kinds = {tuple(part if isinstance(part, str) else 0 for part in place): place for place in places(data)}
    kinds = {kind: place for kind, place in kinds.items() if place[0] not in begins and len(place) > 1}
    wrong = []
    for kind, place in kinds.items():
        if kind in (("shoes", 0), ("shoes", 0, "decks")):
            continue  # they say which shoes are checked
        for value in (None, ["x"], *([...] if isinstance(place[-1], str) else [])):
            text = changed(plain(), place, value)
            if text != plain() and not isinstance(refusal(text, PLAIN.read_bytes()), Rejected):
                wrong.append((place, value))
    assert wrong == []
    assert len(kinds) > 100


def test_what_is_accepted_is_accepted_byte_for_byte() -> None:
    """Bytes turned at random anywhere but in the values of the parts that are not checked, and each byte around these."""
    numbers, text, rule_book = random.Random(2), plain(), PLAIN.read_bytes()
    left_out, edges = set[int](), set[int]()
    for key in checker.NOT_CHECKED:
        match: Any = re.search(rf'\n "{key}": (.+?)(?=,\n "|\n}})'.encode(), text, re.DOTALL)
        left_out |= set(range(*match.span(1)))
        edges |= {*range(match.start(), match.start(1)), match.end()}
    assert len(left_out) < len(text) / 10
    for place in [*edges, *numbers.sample(sorted(set(range(len(text))) - left_out), 100)]:
        byte = numbers.choice([one for one in b'0123456789abcXYZ{}[]",:/-. \n\xff' if one != text[place]])
        refusal(text[:place] + bytes([byte]) + text[place + 1 :], rule_book)


# ---------------------------------------------------------------- the corpus


def fault(path: Path) -> tuple[str, bytes, bytes]:
    """The verdict that a file of the corpus states, its analysis, its rule book."""
    own_book, book = path.read_bytes(), (SMALL if path.suffix == ".insured" else PLAIN).read_bytes()
    own, sha256 = hashlib.sha256(own_book).hexdigest(), hashlib.sha256(book).hexdigest()
    first, _, rest = own_book.partition(b"\n")
    verdict = first.decode().removeprefix("# ").replace("SHA256", sha256)
    if path.suffix == ".text":
        return verdict, rest.replace(b"SHA256", sha256.encode()), book
    if path.suffix == ".toml":
        return verdict, plain().replace(sha256.encode(), own.encode()), own_book
    one, two = rest.decode().removesuffix("\n").split("\n")
    if path.suffix == ".edit":
        text = plain().decode()
        assert json.loads(one) in text
        start, _, end = text.rpartition(json.loads(one))
        return verdict, (start + json.loads(two) + end).encode(), book
    place = tuple(int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", one))
    text_of = small() if path.suffix == ".insured" else plain()
    return verdict, changed(text_of, place, json.loads(two) if two else ...), book


@cache
def refusals() -> dict[str, tuple[str, Malformed | Rejected]]:
    """What each file of the corpus states, and what is said of it."""
    return {path.name: (verdict, refusal(*files)) for path in BAD for verdict, *files in [fault(path)]}


def test_the_corpus_is_all_there() -> None:
    assert {path.suffix for path in BAD} == {".text", ".change", ".insured", ".edit", ".toml"}
    assert len(BAD) > 150
    assert all(path.stat().st_size < 7000 for path in BAD)


def test_every_file_of_the_corpus_is_refused_in_its_words() -> None:
    said = {
        name: (verdict, f"{type(error).__name__}: {error}") for name, (verdict, error) in refusals().items()
    }
    assert {name: both for name, both in said.items() if not both[1].startswith(both[0])} == {}
    assert all(words.isascii() and "\n" not in words and len(words) < 700 for _, words in said.values())


def test_every_refusal_is_reached() -> None:
    """A refusal whose condition is always true would be noticed here; those of ``main`` and of its files have their own tests."""
    refusals_by_line = {
        line: node.lineno
        for part in ast.parse(CHECKER.read_text("utf-8")).body
        if not (
            isinstance(part, ast.FunctionDef)
            and part.name in ("main", "content_of", "explain", "require", "confirm")
        )
        for node in ast.walk(part)
        if isinstance(node, ast.Raise)
        or (isinstance(node, ast.Call) and ast.unparse(node.func) in ("require", "confirm"))
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    assert len(set(refusals_by_line.values())) >= 40
    errors = [error for _, error in refusals().values()]
    errors += [refusal(b"", b"#" * (checker.MOST_BOOK_BYTES + 1)), refusal(b"[" * 2_000_000, b"")]
    reached = set()
    for error in errors:
        frames = [
            line
            for frame, line in walk_tb(error.__traceback__)
            if frame.f_code.co_name not in ("require", "confirm")
        ]
        reached.add(refusals_by_line[frames[-1]])
    assert reached == set(refusals_by_line.values())


# ---------------------------------------------------------------- hostile files


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 15_000_000,
        b"[" * 900_000,
        b'{"a":' * 900_000,
        b'{"shoes": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"shoes": ' + b"9" * 10_000_000 + b"}",
        b"[" + b"{}," * 20_000_000 + b"{}]",
        b'"' + b"9" * 10_000_000 + b'"',
        b"\x00" * 10_000_000,
        b" " * (checker.MOST_BYTES + 1),
    ],
    ids=lambda text: text[:12].decode(),
)
def test_a_file_made_to_hurt_is_malformed(text: bytes) -> None:
    assert isinstance(refusal(text, PLAIN.read_bytes()), Malformed)


@pytest.mark.parametrize("place", ["schema", "rule_book_sha256", "name", "decks", "game", "void", "shoes"])
def test_a_deep_value_is_refused_at_any_depth(place: str) -> None:
    """However near to what Python can bear."""
    text, rule_book = re.sub(rf'"{place}": [^\n]+', f'"{place}": DEEP,', plain().decode()), PLAIN.read_bytes()
    text = re.sub(r"DEEP,(\n *})", r"DEEP\1", text)
    for depth in (1, 10, *range(900, 1010, 11)):
        refusal(text.replace("DEEP", "[" * depth + "]" * depth, 1).replace("DEEP", "0").encode(), rule_book)


def test_a_rule_book_made_to_hurt_is_malformed() -> None:
    """Too large a text; and a hundred lines at odds of eighteen digits, whose skewness Python does not write."""
    lines = (
        f'{{ name = "{n}", player_points = {n // 10}, banker_points = {n % 10}, odds = "1 to 999999937.{100000007 + 2 * n}" }}'
        for n in range(100)
    )
    book = f'schema = 1\nid = "x"\nbets = [{{ id = "x", name = "x", settled = "1", pays = [{",".join(lines)}] }}]\n'
    for content in (PLAIN.read_bytes() + b"#" * 1_000_000, book.encode()):
        sha256 = hashlib.sha256(content).hexdigest()
        assert isinstance(refusal(changed(plain(), ("rule_book_sha256",), sha256), content), Malformed)


# ---------------------------------------------------------------- the program


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A folder with the analysis of the plain game alone in it."""
    path = tmp_path / "analysis.json"
    path.write_bytes(plain())
    return path


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code of the program and the line that it prints, to the stream of its verdict."""
    code = checker.main(list(arguments))
    out, err = capsys.readouterr()
    assert (out, err)[code == 0] == ""
    assert (out + err).count("\n") == 1
    return code, out + err


def test_right_wrong_and_unreadable(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A right file is praised with its parts, a wrong figure is named, and so is an edited rule book beside it."""
    book = ("--rule-book", str(PLAIN))
    code, line = ran(capsys, str(report), *book)
    assert (code, line.startswith("plain: checked 263 numbers, all correct: bets ")) == (0, True)
    assert "Left to combinat verify: game protection, insurance habits" in line
    report.write_bytes(changed(plain(), ("reference_decks",), 8))
    assert ran(capsys, str(report), *book)[0] == 1
    (report.parent / "plain.toml").write_bytes(PLAIN.read_bytes() + b"\n")
    assert ran(capsys, str(report))[0] == 1


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
        ["cut.json", "--rule-book", str(PLAIN)],
    ],
)
def test_what_cannot_be_checked_is_said(
    report: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.chdir(report.parent)
    Path("cut.json").write_bytes(plain()[:-5])
    assert ran(capsys, *arguments)[0] == 2


@pytest.mark.parametrize("arguments", [[], ["one.json", "two.json"], ["--rule-book"]])
def test_other_arguments_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        checker.main(arguments)
    assert leaving.value.code == 2
    assert capsys.readouterr().err.startswith("usage: ")


@pytest.mark.parametrize("game", ["../../plain", "plain\0", "", "Plain", "x" * 201])
def test_a_game_names_no_path(report: Path, capsys: pytest.CaptureFixture[str], game: str) -> None:
    report.write_bytes(changed(plain(), ("game",), game))
    assert ran(capsys, str(report))[0] == 2


def test_a_folder_with_the_rule_book_and_the_checker_needs_nothing_else(report: Path) -> None:
    """Neither combinat nor any other package."""
    shutil.copy(PLAIN, report.parent)
    program = shutil.copy(CHECKER, report.parent)
    ran = python("-I", "-S", str(program), "analysis.json", folder=report.parent)
    assert ran.output().startswith("plain: checked 263 numbers, all correct: ")


# ---------------------------------------------------------------- one figure, derived


@pytest.mark.parametrize("subject", ["punto", "punto:decks=1", "six"])
def test_a_bet_is_explained(report: Path, capsys: pytest.CaptureFixture[str], subject: str) -> None:
    """With its clause and its line, the ways by how the round goes on, and the value that the file states."""
    assert checker.main([str(report), "--rule-book", str(PLAIN), "--explain", subject]) == 0
    told = capsys.readouterr().out
    (bet,) = [bet for bet in json.loads(plain())["shoes"][0]["bets"] if bet["id"] == subject[:5].rstrip(":")]
    for outcome in bet["outcomes"]:
        assert f"  sum {outcome['ways']:>40}" in told
    assert f"expected value, the sum of these products: {bet['expected_value']} = -0." in told
    line = next(n for n, text in enumerate(PLAIN.read_text("utf-8").splitlines(), 1) if "odds" in text)
    assert subject == "six" or f"1 to 1: line {line} of the rule book, clause 4.1; net 1" in told
    assert told.endswith(": the same\n")


def test_an_insurance_state_is_explained() -> None:
    """Its rounds, by how they go on, sum up to it."""
    for entry in json.loads(small())["shoes"][0]["insurance"]:
        side, points = (
            entry["state"]["side"],
            [entry["state"][f"{hand}_points"] for hand in ("player", "banker")],
        )
        own, others = points if side == "player" else points[::-1]
        lines, is_same = checker.explain(
            small(), SMALL.read_bytes(), f"{side}:{entry['state']['stage']}:{own}-{others}"
        )
        assert is_same
        won, returned, lost = [int(line.split()[1]) for line in lines if line.startswith("  sum ")]
        assert [won + returned + lost, won, lost] == [int(entry[key]) for key in ("ways", "won", "lost")]
        by_course = [int(line.split()[-1]) for line in lines if line.split()[-2] in ("draws", "draw")]
        assert sum(by_course) == int(entry["ways"])


def test_a_wrong_value_is_shown_beside_the_right_one(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report.write_bytes(changed(plain(), ("shoes", 0, "bets", 0, "expected_value"), "-1/80"))
    assert checker.main([str(report), "--rule-book", str(PLAIN), "--explain", "punto"]) == 1
    assert capsys.readouterr().out.endswith('the file states "-1/80": wrong\n')


@pytest.mark.parametrize("subject", ["", "tie", "punto:decks=2", "punto:decks=x", "banker:four-cards:5-4"])
def test_what_cannot_be_explained_is_refused(subject: str) -> None:
    with pytest.raises(Malformed):
        checker.explain(plain(), PLAIN.read_bytes(), subject)


# ---------------------------------------------------------------- the file itself


def test_its_functions_fit_on_a_screen() -> None:
    for node in ast.walk(ast.parse(CHECKER.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 45, node.name
