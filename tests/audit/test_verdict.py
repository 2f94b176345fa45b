"""The verdict on a file: what decides it, the causes of faults, and what is written of it.

Refusals are in ``tests/refusals.toml`` and ``tests/corpus``, the printed verdict in ``tests/approved``.
"""

import csv
import hashlib
import io
import json
import re
from collections import Counter
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import NoneType
from typing import Any

import msgspec
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat import CombinatError, Shoe, crosscheck, simulate
from combinat.audit.judging import ledger
from combinat.audit.judging.crosscheck import verdict_of_bytes
from combinat.audit.judging.faults import cell_cause, line_faults, ranges
from combinat.audit.judging.ledger import Ledger
from combinat.audit.reading import rows as log_rows
from combinat.audit.reading.log_map import PLACES, LogMap
from combinat.audit.reading.notation import Notation
from combinat.audit.verdict import Contradiction, Evidence, FaultKind, Verdict, Word
from combinat.base.errors import InputError
from combinat.render.blocks import Section
from combinat.render.text import Format, rendered
from combinat.report.audit.simulation import simulation_section
from combinat.report.audit.verdict import verdict_text
from combinat.rules.book.find import rule_book_path
from combinat.rules.book.load import load_game
from combinat.rules.cards import Rank
from combinat.rules.table_of_play import STOOD
from tests.audit.logs import GAME, HEAD, judgement_of, replay_of, with_faults, written
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013
from tests.games import WORTH
from tests.paths import ROOT

FEW = Shoe.parse("4=70 9=70 K=70")
"""Few ranks and so few cells: a file is judged fast."""

SMALL = Shoe.parse("A=9 8=9 9=9 K=9")
HEADER = "round,player_cards,banker_cards,net:player,net:tie"
RIGHT, WRONG, IMPOSSIBLE, UNREADABLE = "K 9,K 8,1,-1", "K 9,K 8,1,8", "K 9 A,K 8,1,-1", "K 9,K 8,one,-1"


def log_of(folder: Path, *rows: str, header: str = HEADER, head: str = HEAD) -> Path:
    """A log of these rows, numbered; a row that begins with ``!`` stands as it is."""
    lines = [row[1:] if row.startswith("!") else f"{number},{row}" for number, row in enumerate(rows, 1)]
    return written(folder, [header, *lines], head)


def small_log(folder: Path, *rows: str) -> Path:
    return log_of(folder, *rows, head=f"# game: {COMMISSION_2013}\n# cards: {SMALL}\n")


def settled(path: Path) -> Verdict:
    return crosscheck(path, settlement_only=True)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log that agrees, of as many rounds as are judged at least."""
    return simulate(COMMISSION_2013, tmp_path_factory.mktemp("log") / "log.csv", FEW, rounds=10_000)


# ---------------------------------------------------------------- what decides


def test_a_right_log_agrees_and_one_of_another_shoe_does_not(log: Path, tmp_path: Path) -> None:
    """The settlements of its rounds are right all the same."""
    assert crosscheck(log, shoe=FEW).reasons == ()
    other, path = Shoe.parse("4=80 9=60 K=70"), tmp_path / "other.csv"
    path.write_text(log.read_text("utf-8").replace(str(FEW), str(other)), "utf-8")
    words = [crosscheck(path, shoe=other, settlement_only=only).word for only in (False, True)]
    assert words == [Word.DISAGREES, Word.AGREES]


@pytest.mark.parametrize(
    ("rows", "settlement_only", "code", "reasons"),
    [
        ([RIGHT] * 3, True, 0, []),
        ([RIGHT] * 3, False, 2, ["too few"]),
        ([RIGHT, WRONG, "K 9,K 8,-1,8"], True, 1, ["3 wrong settlements (player, tie)"]),
        ([RIGHT, WRONG], False, 1, ["1 wrong settlement (tie)", "too few"]),
        ([IMPOSSIBLE], True, 1, ["1 impossible deal"]),
        ([RIGHT, UNREADABLE], True, 2, ["1 unreadable row"]),
        (["!x", "!", RIGHT, UNREADABLE], True, 2, ["3 unreadable rows"]),
        ([RIGHT, UNREADABLE], False, 2, ["1 unreadable row", "too few"]),
        ([IMPOSSIBLE, UNREADABLE], True, 1, ["1 impossible deal", "1 unreadable row"]),
        ([UNREADABLE, IMPOSSIBLE, WRONG], False, 1, ["1 wrong", "1 impossible", "1 unreadable", "too few"]),
        (
            [RIGHT, "!1,K 9,K 8,1,-1", "!2,K 9,K 8,1,-1"],
            True,
            1,
            ["1 row with a round that was given before"],
        ),
        (["K 9,K 8,,"] * 2, True, 2, None),
    ],
)
def test_the_gravest_fault_decides(
    tmp_path: Path, rows: list[str], settlement_only: bool, code: int, reasons: list[str] | None
) -> None:
    """A wrong settlement or an impossible deal, then a row that cannot be read, then too few rounds; or no settlement."""
    judged = crosscheck(small_log(tmp_path, *rows), shoe=SMALL, settlement_only=settlement_only)
    assert judged.word.exit_code == code
    assert reasons is None or [
        why.startswith(start) for why, start in zip(judged.reasons, reasons, strict=True)
    ] == [True] * len(reasons)


def test_the_same_round_again_and_again_does_not_agree(tmp_path: Path) -> None:
    """Each settled right: a few hundred are enough to say so."""
    path = small_log(tmp_path, *[RIGHT] * 300)
    assert crosscheck(path, shoe=SMALL).word is Word.DISAGREES
    assert crosscheck(path, shoe=SMALL, settlement_only=True).word is Word.AGREES


def test_a_log_may_stop_its_shoes_where_it_likes_but_not_before_a_cut_card_that_it_names(
    tmp_path: Path,
) -> None:
    """Sums given the cards left hold under any rule that stops a shoe; a stated rule must be kept."""
    few = Shoe.parse("4=30 9=30 K=30")
    path = simulate(COMMISSION_2013, tmp_path / "log.csv", few, rounds=10_000, cut_card=60)
    text = path.read_text("utf-8")
    assert text.count("# cut-card: 60\n") == 1
    path.write_text(text.replace("# cut-card: 60\n", ""), "utf-8")
    words = [crosscheck(path, shoe=few, cut_card=cut_card).word for cut_card in (None, 60, 14)]
    assert words == [Word.AGREES, Word.AGREES, Word.DISAGREES]


def test_a_log_that_was_cut_off_never_passes_unless_between_rows(tmp_path: Path) -> None:
    """A last row that ends early is unreadable or wrong; only a blank in its last cell cannot be told from one."""
    path = log_of(tmp_path, RIGHT, RIGHT)
    whole = path.read_bytes()
    for left in range(whole.index(b"\n2,") + 2, len(whole) - 1):
        path.write_bytes(whole[:left])
        word = settled(path).word
        assert (word is Word.AGREES) == whole[:left].endswith(b",1,"), whole[:left]
        assert word is not Word.DISAGREES


# ---------------------------------------------------------------- the rule book


@pytest.mark.parametrize("name", ["sim.json", "log.csv"])
def test_a_rule_book_of_ones_own_judges_what_was_dealt_by_it(tmp_path: Path, name: str) -> None:
    """The Tie at 9 to 1: by the book that comes with combinat that is wrong, and only that."""
    book = tmp_path / f"{COMMISSION_2013}.toml"
    text = rule_book_path(COMMISSION_2013).read_text("utf-8")
    old = 'winner = "tie", odds = "8 to 1"'
    assert text.count(old) == 1
    book.write_text(text.replace(old, old.replace("8", "9")), "utf-8")
    path = simulate(book, tmp_path / name, FEW, rounds=10_000)
    judged = crosscheck(path, shoe=FEW)
    assert judged.word is Word.DISAGREES
    assert all("tie" in why for why in judged.reasons)
    assert judged.made_under == (
        hashlib.sha256(book.read_bytes()).hexdigest() if name == "sim.json" else None
    )
    assert crosscheck(path, game=book, shoe=FEW).word is Word.AGREES


def test_the_file_and_the_options_name_one_game_and_one_shoe(run: Run, tmp_path: Path) -> None:
    words = ["crosscheck", str(log_of(tmp_path, RIGHT)), "--settlement-only"]
    for more in (["--game", COMMISSION_2013], ["--game", "comm"], ["--decks", "8"]):
        run(*words, *more).output()
    log_of(tmp_path, RIGHT, head="")
    run(*words, "--game", COMMISSION_2013, "--decks", "8").output()
    run(*words, "--game", COMMISSION_2013, "--cards", "K=2 8=1 9=1").output()
    assert run(*words, "--game", COMMISSION_2013, "--cards", "K=1 8=1 9=1").code == 1


# ---------------------------------------------------------------- the record


def kinds_in(value: Any) -> set[type]:
    """The types of all that a record holds, but for records themselves and the words of an enumeration."""
    if isinstance(value, StrEnum):
        return set()
    if isinstance(value, msgspec.Struct):
        return kinds_in(tuple(msgspec.structs.astuple(value)))
    if is_dataclass(value):
        return set().union(*(kinds_in(getattr(value, field.name)) for field in fields(value)))
    if isinstance(value, tuple):
        return {tuple}.union(*map(kinds_in, value))
    return {type(value)}


@pytest.mark.parametrize(("name", "cut_card"), [("shoes.csv", 330), ("sim.json", None)])
def test_the_same_file_gives_an_equal_record(tmp_path: Path, name: str, cut_card: int | None) -> None:
    """From its path or from bytes, in one batch or many; and a verdict is text, numbers and records alone."""
    path = simulate(COMMISSION_2013, tmp_path / name, rounds=40, cut_card=cut_card)
    first = crosscheck(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_rows, "BATCH_BYTES", 1_000)
        again = crosscheck(path)
    assert (again.word, again.reasons, again.replay) == (first.word, first.reasons, first.replay)
    # In no order: insurance is in the order of its first offer.
    assert set(judgement_of(again).tests) == set(judgement_of(first).tests)
    assert verdict_of_bytes(path.name, path.read_bytes(), load_game(COMMISSION_2013)) == first
    assert kinds_in(first) <= {str, int, bool, NoneType, Fraction, tuple, dict}


def test_a_file_of_a_report_s_folder_is_shown_in_it(log: Path) -> None:
    """A section for each file, its verdict at the end; what is too long to show is not offered by an option there."""
    judged = crosscheck(log, shoe=FEW)
    fault = Contradiction(subject="bet tie", kind=Evidence.SETTLEMENT, message="net 9")
    judged = replace(judged, judgement=replace(judgement_of(judged), contradictions=(fault,) * 25))
    (section,) = [block for block in simulation_section(GAME, [judged]).blocks if isinstance(block, Section)]
    text = rendered([section], Format.TEXT)
    assert " ".join(text.split()).index(f"{judged.sentence}.") < 120
    assert "And 5 more.\n" in text
    assert not re.search(r"--[a-z]", text)
    assert "in --format json.\n" in verdict_text(judged, Format.TEXT, "--format json")


# ---------------------------------------------------------------- causes


def test_a_cause_says_what_the_table_of_play_says_of_every_cell() -> None:
    """Second opinion: the refusal that a finished round of such cards gets."""
    met, worth = 0, {"ten": 0, "ace": 1, **{str(points): points for points in range(2, 10)}}
    for player, banker, *thirds in product(range(10), range(10), range(11), range(11)):
        hands = [
            [Rank.KING, WORTH[total]] + ([] if third == STOOD else [WORTH[third]])
            for total, third in zip((player, banker), thirds, strict=True)
        ]
        try:
            GAME.finished_round(*hands)
        except InputError as error:
            met += 1
            cause, message = cell_cause(GAME, player, banker, *thirds), str(error)
            told = cause.text.format(cause.total)
            hand = told.partition(" ")[0]
            against, third = re.search(r" against an? (\w+)", told), re.search(r"card is worth (\d)", message)
            holds = (
                message.startswith(f"{hand} Hand"),
                message.endswith(f"({cause.clause})"),
                ("drew" in told) == ("is against the Table of Play" in message),
                ("natural" in told) == ("natural" in message),
                cause.total is None or f"{hand} has {cause.total}" in message,
                (worth[against[1]] if against else None) == (int(third[1]) if third else None),
            )
            assert all(holds), (told, message)
    assert met == 8_706


@given(st.sets(st.integers(0, 9), min_size=1))
def test_ranges_name_every_total_once(totals: set[int]) -> None:
    parts = [list(map(int, part.split(" to "))) for part in re.split(r", | and ", ranges(totals))]
    assert [total for ends in parts for total in range(ends[0], ends[-1] + 1)] == sorted(totals)


def test_more_causes_than_are_told_apart_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "MOST_CAUSES", 2)
    many = Ledger()
    for number in range(5):
        lines = [(100 - number, f"cause {'abcde'[number]}")] * (10 - number)
        many.add_faults(line_faults(lines))
    told = [(one.message, one.rows, one.first_line) for one in many.causes()]
    assert told == [("other causes", 8 + 7 + 6, 96), ("cause a", 10, 100), ("cause b", 9, 99)]


CAUSES_HEADER = "round,player_cards,banker_cards,winner,net:tie,stake:banker,payout:banker"
CAUSES = [
    "1,K 9,K 8,player,-1,10,0",
    "2,K 5 K,K 3,player,-1,,",  # Banker 3 stands against a ten
    "3,K 5 Q,10 2,player,-1,,",  # Banker 2 stands against a ten
    "4,K 9,K 8,banker,-1,10,0",  # declared otherwise
    "5,K 9,K 8,player,8,10,19.5",  # a tie paid, a lost bet won
    "6,K 9,K 8,player,-1,20,39",
    '7,K 9,"=cmd|x",player,-1,10,0',  # no cards
    "8,X 9,K 8,player,-1,10,0",
    "9,K 9,K 8,player,-1,10,ten",
    "10,K 7 A,K 8,player,-1,10,0",  # the Player Hand draws after a natural
    "11,K 9 9 9 9,K 8,player,-1,10,0",
    "12,K 8,K 9,banker,-1,100,",  # not settled
]


def causes_log(folder: Path, times: int = 1) -> Path:
    rows = [row.split(",", 1) for row in CAUSES]
    numbered = [f"{100 * turn + int(number)},{rest}" for turn in range(times) for number, rest in rows]
    return written(folder, [CAUSES_HEADER, *numbered])


def test_faults_are_counted_by_cause_worst_first(tmp_path: Path) -> None:
    judged, faults = with_faults(causes_log(tmp_path))
    causes = replay_of(judged).causes
    told = [(str(one.kind), one.message, one.rows, one.first_line, one.clause) for one in causes]
    unreadable = [one.message for one in causes[4:7]]
    assert told == [
        ("impossible", "Banker 2 to 3 stood against a ten", 2, 5, "3.7"),
        ("settlement", "banker: paid 0.95 to 1, to be lost", 2, 8, "4.1.2"),
        ("declared", "winner: not what the cards say", 1, 7, ""),
        ("settlement", "tie: paid 8 to 1, to be lost", 1, 8, "4.1.2"),
        *(("unreadable", message, 1, 10 + number, "") for number, message in enumerate(unreadable)),
        ("impossible", "Player drew after a natural", 1, 13, "3.7"),
        ("impossible", "Player Hand: found 5 cards; a finished hand has two or three", 1, 14, ""),
        ("settlement", "banker: not settled, due 0.95 to 1", 1, 15, "4.1.2"),
    ]
    assert not any("cmd" in message or '"X"' in message for message in unreadable)
    assert [fault.line for fault in faults] == [5, 6, 7, 8, 8, 9, 10, 11, 12, 13, 14, 15]


def test_every_fault_is_handed_on_and_counted_alike(tmp_path: Path) -> None:
    """Many more than are shown: ten of each kind."""
    judged, faults = with_faults(causes_log(tmp_path, 30))
    replay, by_kind = replay_of(judged), Counter(fault.kind for fault in faults)
    assert Counter(cause.kind for cause in replay.causes for _ in range(cause.rows)) == by_kind
    assert min(by_kind.values()) == 30
    for kind in (FaultKind.IMPOSSIBLE, FaultKind.SETTLEMENT):
        assert (replay.counts[kind], len(replay.first[kind])) == (by_kind[kind], 10)


def test_a_cause_says_how_often_and_where(tmp_path: Path) -> None:
    """Of 40 rounds in which Banker has 3 against a ten, the dealer of one table stands in 9; the other never does."""
    header = "table,round,player_cards,banker_cards"
    right, wrong = "K 5 K,K 3 2", "K 5 K,K 3"
    rows = [f"A,{n},{right}" for n in range(1, 21)]
    rows += [f"B,{n},{wrong if n <= 9 else right}" for n in range(1, 21)]
    judged, faults = with_faults(written(tmp_path, [header, *rows, "A,21,K 9,K 8"]))
    (cause,) = replay_of(judged).causes
    assert (cause.how_often, cause.where) == ("9 of 40 such situations", "9 of 9 at table B")
    shown = replay_of(judged).first[FaultKind.IMPOSSIBLE]
    assert [fault.line for fault in shown] == sorted(fault.line for fault in faults)
    text = verdict_text(judged, Format.TEXT)
    places = [
        text.index(words) for words in (judged.sentence, "Causes of the faults", "SHA-256", "Replay of")
    ]
    assert places == sorted(places)
    assert places[0] == 0


def test_no_group_with_faults_is_hidden(tmp_path: Path) -> None:
    """Thirty tables, the last three with faults: these come first; of those without, some are left out."""
    wrong = {"T28", "T29", "T30"}
    rows = [f"T{n:02},1,{'K 5,K 3' if f'T{n}' in wrong else 'K 9,K 8'}" for n in range(1, 31)]
    path = written(tmp_path, ["table,round,player_cards,banker_cards", *rows])
    text = verdict_text(crosscheck(path, settlement_only=True, by="table"), Format.TEXT)
    names = re.findall(r"^(T\d\d) ", text.partition("By table")[2], re.MULTILINE)
    assert set(names[:3]) == wrong
    assert len(names) == 20


# ---------------------------------------------------------------- files that are written


def test_the_file_of_faults(tmp_path: Path, run: Run) -> None:
    """Every fault a line, no cell a formula; written whole, or not at all."""
    path, out = causes_log(tmp_path), tmp_path / "faults.csv"
    assert run("crosscheck", str(path), "--settlement-only", "--faults", str(out)).code == 1
    header, *rows = csv.reader(io.StringIO(out.read_text("utf-8"), newline=""))
    assert header == [
        "line",
        "table",
        "shoe",
        "round",
        "cards",
        "kind",
        "cause",
        "message",
        "paid",
        "due",
        "clause",
    ]
    _, faults = with_faults(path)
    told = [(row[0], row[3], row[5], *row[8:]) for row in rows]
    assert told == [
        (str(one.line), one.round, str(one.kind), one.paid, one.due, one.clause) for one in faults
    ]
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row)
    before = out.read_bytes()
    written(tmp_path, ["round,player_cards", *CAUSES])
    assert run("crosscheck", str(path), "--faults", str(out)).code == 2
    assert out.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["faults.csv", "log.csv"]


@pytest.mark.parametrize(("suffix", "row", "code"), [("html", WRONG, 1), ("json", UNREADABLE, 2)])
def test_a_report_holds_the_verdict_whatever_it_is(
    run: Run, tmp_path: Path, suffix: str, row: str, code: int
) -> None:
    path, report = log_of(tmp_path, row), tmp_path / "reports" / f"verdict.{suffix}"
    assert run("crosscheck", str(path), "--settlement-only", "--report", str(report)).code == code
    text, sentence = report.read_text("utf-8"), settled(path).sentence
    assert (json.dumps(sentence)[1:-1] if suffix == "json" else sentence) in text
    assert list(report.parent.iterdir()) == [report]
    assert not re.search(r"https?:|//\w|@import|<script|<link|<img|url\(", text) or suffix != "html"
    assert {target[0] for target in re.findall(r'href="([^"]*)"', text)} <= {"#"}


def test_a_hostile_log_is_harmless_in_every_output(tmp_path: Path, run: Run) -> None:
    """Markup, formulas and what commands a terminal, from cells of CSV and of Parquet."""
    trap = "<script>alert(1)</script>&\u202e"
    header = "round,shoe,table,player_cards,banker_cards,dealer,net:tie"
    rows = [
        f"{trap},K 9,K 8,{trap},-1",
        f"{trap},K 9,K 8,{trap},8",
        f"=1+1,K 9,K 8,{trap},8",
        f"{trap},<b>K</b>,K 8,,",
    ]
    path = log_of(tmp_path, *(f"1,{row}" for row in rows), header=header)
    outs = {option: tmp_path / name for option, name in
            (("--report", "v.html"), ("--faults", "f.csv"))}  # fmt: skip
    words = [word for option, out in outs.items() for word in (option, str(out))]
    assert run("crosscheck", str(path), "--by", "dealer", *words).code == 1
    texts = {option: out.read_text("utf-8") for option, out in outs.items()}
    assert not any("\u202e" in text for text in texts.values())
    assert "<script" not in texts["--report"]
    assert "<b>K" not in texts["--report"]
    assert "'=1+1" in [row[1] for row in csv.reader(io.StringIO(texts["--faults"]))]
    cells = {"round": "\x1b[2J", "player_cards": "K 9", "banker_cards": "\x1b[2JK 8", "net:tie": "\x1b[2J"}
    frame = polars.DataFrame({name: [cell] for name, cell in cells.items()})
    frame.write_parquet(tmp_path / "log", metadata={"game": COMMISSION_2013, "decks": "8"})
    ran = run("crosscheck", str(tmp_path / "log"), "--settlement-only", "--report", str(outs["--report"]))
    assert ran.code == 2
    assert "\x1b" not in ran.out + ran.err + outs["--report"].read_text("utf-8")


def test_the_page_says_every_key_notation_and_column() -> None:
    page = (ROOT / "docs" / "logs.md").read_text("utf-8")
    keys = [one.encode_name for one in msgspec.structs.fields(LogMap)]
    words = [*keys, *PLACES, *Notation, "stake:BET", "payout:BET", "profit:BET", "net:BET"]
    assert [word for word in words if f"`{word}`" not in page] == []
    maps = sorted(path.name for path in (ROOT / "docs" / "maps").glob("*.toml"))
    assert maps == sorted(re.findall(r"\[[a-z-]+\.toml\]\(maps/(.*?)\)", page))


def test_a_game_of_ones_own_needs_its_rule_book(tmp_path: Path) -> None:
    head, header = (
        f"# game: {SMALL_BOOK.stem}\n# decks: 1\n",
        "round,player_cards,banker_cards,net:punto",
    )
    path = log_of(tmp_path, "K 9,K 8,1", header=header, head=head)
    assert crosscheck(path, game=SMALL_BOOK, settlement_only=True).word is Word.AGREES
    for game in (None, COMMISSION_2013):
        with pytest.raises(CombinatError):
            crosscheck(path, game=game, settlement_only=True)
