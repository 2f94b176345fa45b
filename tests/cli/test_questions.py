"""Every question that a command answers can be asked in Python, with an equal answer."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import combinat
from combinat import Round, load_game
from combinat.certify.folder import files_in
from combinat.cli.app import COMMANDS
from combinat.report.analysis.formula import FORMULA
from combinat.report.analysis.insurance import INSURANCE
from combinat.report.analysis.odds import COMPARISON, ODDS
from combinat.report.analysis.removal import REMOVAL
from combinat.report.analysis.round_in_progress import ROUND
from combinat.report.analysis.solve import SOLVED_EDGE
from combinat.report.audit.power import POWER
from combinat.report.audit.review import REVIEW
from combinat.report.protection.count import COUNT_DOCUMENT
from combinat.report.protection.perfect import perfect_json
from combinat.report.protection.protect import PROTECTION
from combinat.report.rules.check import CHECK
from combinat.report.rules.games import GAMES
from combinat.report.rules.rule_book_changes import DIFF
from combinat.report.table.exposure import EXPOSURE
from combinat.report.table.ruling import RULING
from combinat.report.table.settlement import SETTLE
from combinat.report.table.whole_table import TABLE as TABLE_DOCUMENT
from tests.audit.logs import STAKED_LOG, stored
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.paths import ROOT

SMALL = str(SMALL_BOOK)
GAME = load_game(COMMISSION_2013)
TABLE = ROOT / "docs" / "table.toml"
NO_QUESTION = {"rules", "new", "explore", "prove", "keygen", "doctor"}
WRITTEN = {"evaluate", "simulate", "crosscheck", "convert", "review", "report", "verify", "protect"}
"""Commands about files, which have tests of their own below."""


QUESTIONS: dict[str, tuple[list[str], Callable[[], Any]]] = {
    "odds": ([COMMISSION_2013, "--decks", "6"], lambda: ODDS.object(combinat.odds(GAME, decks=6))),
    "round": (
        [COMMISSION_2013, "--player", "5 K", "--banker", "K 6"],
        lambda: ROUND.object(combinat.round_in_progress(GAME, Round.parse("5 K", "K 6"))),
    ),
    "removal": (
        [COMMISSION_2013, "--decks", "6"],
        lambda: REMOVAL.object(combinat.removal(GAME, 6)),
    ),
    "insurance": (
        [COMMISSION_2013, "--range", "--grid", "--removed", "A K"],
        lambda: INSURANCE.object(combinat.insurance(GAME, removed="A K", ranges=True, grid=True)),
    ),
    "formula": (
        [COMMISSION_2013, "tie", "--decks", "2,8"],
        lambda: FORMULA.object(combinat.formula(GAME, "tie", decks="2,8")),
    ),
    "games": ([], lambda: GAMES.object(combinat.games())),
    "check": ([SMALL, "--decks", "1"], lambda: CHECK.object(combinat.check(SMALL, decks=1))),
    "diff": (
        [COMMISSION_2013, NONCOMMISSION_2024],
        lambda: DIFF.object(combinat.diff(COMMISSION_2013, NONCOMMISSION_2024)),
    ),
    "solve": (
        [COMMISSION_2013, "player-pair", "--edge", "5%"],
        lambda: SOLVED_EDGE.object(combinat.solve(GAME, "player-pair", edge="5%")),
    ),
    "settle": (
        [COMMISSION_2013, "--player", "9 4 K", "--banker", "7 7", "--stake", "banker=2.50"],
        lambda: SETTLE.object(combinat.settle(GAME, ("9 4 K", "7 7"), {"banker": "2.50"})),
    ),
    "table": (
        [NONCOMMISSION_2024, str(TABLE)],
        lambda: TABLE_DOCUMENT.object(combinat.settle_table(NONCOMMISSION_2024, TABLE)),
    ),
    "ruling": (
        [COMMISSION_2013, "--incident", "foreign-card", "--cards", "9 4 K"],
        lambda: RULING.object(combinat.ruling(GAME, "foreign-card", "9 4 K")),
    ),
    "exposure": (
        [COMMISSION_2013, "--stake", "tie=5", "--decks", "6"],
        lambda: EXPOSURE.object(combinat.exposure(GAME, {"tie": 5}, decks=6)),
    ),
    "count": (
        [COMMISSION_2013, "tie", "--tags", "8=1", "--left", "26"],
        lambda: COUNT_DOCUMENT.object(combinat.count(GAME, "tie", "8=1", 26)),
    ),
    "protect": (
        [SMALL, "--decks", "1", "--cut-card", "20"],
        lambda: PROTECTION.object(combinat.protect(SMALL, decks=1, cut_card=20)),
    ),
    "perfect": (
        [COMMISSION_2013, "--left", "26,52", "--ceilings"],
        lambda: perfect_json(combinat.perfect(GAME, [26, 52], ceilings=True)),
    ),
    "power": (
        [COMMISSION_2013, "--fault", "wrong-cell 6/7"],
        lambda: POWER.object(combinat.power(GAME, "wrong-cell 6/7")),
    ),
}


def test_every_command_with_an_answer_is_a_question_of_python() -> None:
    tried = {*QUESTIONS, *WRITTEN, *NO_QUESTION}
    assert tried == set(COMMANDS)
    named = {"round": "round_in_progress", "table": "settle_table", "report": "write_report"}
    for command in set(COMMANDS) - NO_QUESTION:
        assert callable(getattr(combinat, named.get(command, command)))


@pytest.mark.parametrize("command", QUESTIONS)
def test_a_question_has_the_same_answer_in_python(run: Run, command: str) -> None:
    words, ask = QUESTIONS[command]
    assert run("--quiet", command, *words, "--format", "json").document() == json.loads(json.dumps(ask()))


STAKED = ["--stake", "banker=100", "--stake", "big-tiger=10"]
A_FEW = "A=4 4=4 6=4 7=4 9=4 K=16"  # of few ranks, so that it is counted quickly
EVEN = "K=8 6=8"  # no hand ever has an odd total
VIEWS: list[tuple[str, list[str], dict[str, Any]]] = [
    ("odds", ["--removed", "A, a 10 k"], {"removed": "A A 10 K"}),
    ("odds", ["--decks", "6", "--removed", "A"], {"decks": 6, "removed": "A"}),
    ("odds", ["--bet", "tiger", "--bet", "tie", "--bet", "tie"], {"bets": ["tie", "tiger"]}),
    ("odds", ["--layout", "p"], {"layout": "P"}),
    ("odds", ["--joint", "--bet", "tie", "--bet", "tiger"], {"joint": True, "bets": ["tie", "tiger"]}),
    ("odds", ["--joint", "--cards", "A=6"], {"joint": True, "cards": "A=6"}),
    ("odds", STAKED, {"stakes": {"banker": 100, "big-tiger": 10}}),
    ("odds", ["--bet", "tie", "--stake", "tiger=5"], {"bets": ["tie"], "stakes": {"tiger": 5}}),
    ("odds", ["--interpretations"], {"interpretations": True}),
    ("insurance", ["--favourable"], {"favourable": True}),
    ("insurance", ["--stage", "four-cards"], {"stage": "four-cards"}),
    (
        "insurance",
        ["--hand", "player", "--stage", "player-third-card", "--cards", A_FEW],
        {"hand": "player", "stage": "player-third-card", "cards": A_FEW},
    ),
    (
        "insurance",
        ["--summary", "--hand", "banker", "--cards", A_FEW],
        {"summary": True, "hand": "banker", "cards": A_FEW},
    ),
    ("removal", ["--pairs", "--cards", A_FEW], {"pairs": True, "cards": A_FEW}),
    ("removal", ["--insurance", "--cards", EVEN], {"insurance": True, "cards": EVEN}),
    (
        "insurance",
        ["--by-card", "--range", "--grid", "--summary", "--cards", EVEN],
        {**dict.fromkeys(("by_card", "ranges", "grid", "summary"), True), "cards": EVEN},
    ),
]
"""Command, its words, and what they are in Python."""


@pytest.mark.parametrize(("command", "words", "question"), VIEWS, ids=lambda one: " ".join(one))
def test_every_view_has_the_same_answer_in_python(
    run: Run, command: str, words: list[str], question: dict[str, Any]
) -> None:
    """What is asked for, and nothing else."""
    game = NONCOMMISSION_2025 if command == "odds" else COMMISSION_2013
    record = run(command, game, *words, "--format", "json").document()
    answer = getattr(combinat, command)(game, **question)
    relations: dict[str, Any] = {"odds": ODDS, "insurance": INSURANCE, "removal": REMOVAL}
    expected = relations[command].object(answer)
    assert record == json.loads(json.dumps(expected))
    wanted = {"side": question.get("hand"), "stage": question.get("stage")}
    for entry in record.get("states", ()):
        assert all(value in (None, entry[key]) for key, value in wanted.items())
        assert ("favourable" in question) <= entry["favours_player"]
        assert ("range" in entry) == ("ranges" in question and entry["ways"] != "0")
    views = {"joint": "joint", "stakes": "combination", "interpretations": "interpretations"}
    assert {views[name] for name in question if name in views} == record.keys() & {*views.values()}


def decimals_aside(table: list[list[str]]) -> list[list[str]]:
    """The rows without the twelve decimals beside each exact figure, which must be there, rounded half to even."""
    header, *rows = table
    kept = [place for place, name in enumerate(header) if not name.endswith("_decimal")]
    for place in kept:
        beside = (
            [row[place + 1] for row in rows]
            if header[place + 1 : place + 2] == [f"{header[place]}_decimal"]
            else []
        )
        exact = [Fraction(row[place]) if row[place] else None for row in rows] if beside else []
        assert beside == ["" if one is None else in_decimals(one) for one in exact], header[place]
        assert beside or not any(re.fullmatch(r"-?\d+/\d+", row[place]) for row in rows)
    return [[row[place] for place in kept] for row in rows]


def in_decimals(value: Fraction) -> str:
    """Twelve decimals, half to even; no sign before a 0."""
    units = round(abs(value) * 10**12)
    return f"{'-' * (value < 0 < units)}{units // 10**12}.{units % 10**12:012}"


def leaves(document: Any) -> Iterator[str]:
    """The values of a JSON document as CSV has them."""
    if isinstance(document, dict | list):
        for inner in document.values() if isinstance(document, dict) else document:
            yield from leaves(inner)
    else:
        yield (
            "" if document is None else str(document).lower() if isinstance(document, bool) else str(document)
        )


FIVE = ["odds", NONCOMMISSION_2025, "--cards", "A=2 2=1 3=1 4=1"]
A_FEW_STATES = ["insurance", COMMISSION_2013, "--cards", A_FEW]


@pytest.mark.parametrize(
    "words",
    [
        *([*FIVE, *view] for view in ([], ["--detail"], ["--joint"], STAKED, ["--interpretations"])),
        *([*A_FEW_STATES, view] for view in ("--by-card", "--range", "--grid", "--summary")),
        *(A_FEW_STATES, ["insurance", COMMISSION_2013, "--cards", EVEN]),
        ["insurance", COMMISSION_2013, "--decks", "7-8"],
        ["odds", COMMISSION_2013, "--decks", "4-8"],
        ["odds", COMMISSION_2013, NONCOMMISSION_2025, NONCOMMISSION_2024],
    ],
    ids=" ".join,
)
def test_csv_holds_exact_figures_of_the_json(run: Run, words: list[str]) -> None:
    """Every number, with decimals beside it where it is a fraction; the names of columns: ``tests/report``."""
    values = set(leaves(run(*words, "--format", "json").document()))
    printed = csv.reader(io.StringIO(run(*words, "--format", "csv").output()))
    cells = {cell for row in decimals_aside(list(printed)) for cell in row}
    numbers = {cell for cell in cells if re.fullmatch(r"-?\d+(/\d+)?", cell)}
    assert len(numbers) > 5
    assert numbers - values == set()


def test_several_games_have_the_same_values(run: Run) -> None:
    games = [COMMISSION_2013, NONCOMMISSION_2024]
    assert run("odds", *games, "-f", "json").document() == COMPARISON.object(
        [combinat.odds(game) for game in games]
    )


def test_files_are_written_and_judged_alike(run: Run, tmp_path: Path) -> None:
    def written(out: str, *words: str) -> bytes:
        assert run("-q", *words, "--out", str(tmp_path / out)).code == 0
        return (tmp_path / out).read_bytes()

    of_command = written("a.csv", "simulate", SMALL, "--decks", "2", "--rounds", "500", "--seed", "3")
    log = combinat.simulate(SMALL, tmp_path / "b.csv", 2, rounds=500, seed=3)
    assert log.read_bytes() == of_command
    ran = run("crosscheck", str(log), "--game", SMALL, "--format", "json")
    verdict = combinat.crosscheck(log, game=SMALL)
    assert (json.loads(ran.out)["verdict"], ran.code) == (verdict.word, verdict.word.exit_code)
    own = written("c.csv", "convert", str(log), "--game", SMALL)
    combinat.convert(log, tmp_path / "d.csv", game=SMALL)
    assert (tmp_path / "d.csv").read_bytes() == own
    shoes = tmp_path / "shoes.csv"
    shoes.write_text("removed\nA A\n", "utf-8")
    values = written("values.csv", "evaluate", SMALL, "--shoes", str(shoes), "--decks", "1").decode()
    expected = combinat.evaluate(SMALL, shoes, decks=1)["punto"][0]
    assert f"{expected.numerator}" in values


def test_a_study_is_written_alike(run: Run, tmp_path: Path) -> None:
    few = ["--decks", "1", "--cut-card", "20", "--burn", "none", "--shoes", "50", "--seed", "7"]
    assert run("protect", SMALL, "--bet", "six", *few, "--out", str(tmp_path / "a")).code == 0
    asked: dict[str, Any] = {"decks": 1, "cut_card": 20, "burn": "none", "shoes": 50, "seed": 7}
    study = combinat.study(SMALL, tmp_path / "b", bets=["six"], **asked)
    assert study.file.is_whole
    assert files_in(tmp_path / "a") == files_in(tmp_path / "b")
    ran = run("verify", str(tmp_path / "a"), "--rule-book", SMALL, "--blocks", "1")
    assert (ran.code, combinat.verify(tmp_path / "b", rule_book=SMALL, blocks=1).blocks) == (0, 1)


def test_a_review_has_the_same_answer(run: Run, tmp_path: Path) -> None:
    log = stored(tmp_path, STAKED_LOG)
    asked = run("review", str(log), "-f", "json").document()
    assert asked == json.loads(json.dumps(REVIEW.object(combinat.review(log))))
