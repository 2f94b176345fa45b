"""``combinat crosscheck`` as a user runs it: one line at the end, an exit code, and one message for a bad file."""

import csv
import hashlib
import io
import json
import re
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from types import NoneType
from typing import Any

import msgspec
import polars
import pytest

from combinat import simulate
from combinat.analysis.verdict import Contradiction, Evidence, Word
from combinat.audit import rows as log_rows
from combinat.audit.verdict import verdict, verdict_of_bytes
from combinat.cli import main
from combinat.errors import CombinatError
from combinat.render.blocks import Paragraph, Section
from combinat.render.text import Format, rendered
from combinat.report.simulation import simulation_section
from combinat.report.verdict import verdict_text
from combinat.report.verdict_json import verdict_json
from combinat.rules.rulebook import load_rule_book, rule_book_path
from tests.claims import claimed_shoe, repeating
from tests.conftest import Ran, Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025

FEW_RANKS = "4=70 9=70 K=70"  # few cells, so that a file is judged fast
HEAD = f"# game: {COMMISSION_2013}\n# decks: 8\n"
SMALL_HEAD = f"# game: {COMMISSION_2013}\n# cards: A=9 8=9 9=9 K=9\n"
HEADER = "round,player_cards,banker_cards,net:player,net:tie\n"
RIGHT, WRONG, IMPOSSIBLE, UNREADABLE = "K 9,K 8,1,-1", "K 9,K 8,1,8", "K 9 A,K 8,1,-1", "K 9,K 8,one,-1"


def simulated(path: Path, *words: str, game: str = COMMISSION_2013, rounds: int = 10_000) -> Path:
    """A file by ``combinat simulate``."""
    common = ["simulate", game, "--cards", FEW_RANKS, "--rounds", str(rounds), "--out", str(path)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["combinat", *common, *words])
        with pytest.raises(SystemExit) as leaving:
            main()
    assert not leaving.value.code
    return path


@pytest.fixture
def run(run: Run) -> Run:
    """A run whose auditor repeats the cards that the file claims: these tests are about other things."""
    return repeating(run)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log that agrees, of as many rounds as are judged at least."""
    return simulated(tmp_path_factory.mktemp("log") / "log.csv")


@pytest.fixture(scope="module")
def shoes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of whole shoes that agrees."""
    return simulated(tmp_path_factory.mktemp("shoes") / "shoes.csv", "--shoe-dealing", rounds=16_000)


def log_of(folder: Path, *rows: str, head: str = HEAD + HEADER, name: str = "log.csv") -> Path:
    """A log of these rows, numbered; a row that begins with ``!`` stands as it is."""
    lines = [row[1:] if row.startswith("!") else f"{number},{row}" for number, row in enumerate(rows, 1)]
    path = folder / name
    path.write_text(head + "".join(f"{line}\n" for line in lines), "utf-8")
    return path


def verdict_of(ran: Ran) -> tuple[int, str]:
    """The exit code and the last line."""
    assert ran.err == ""
    assert ran.out.endswith("\n")
    return ran.code, ran.out.splitlines()[-1]


def message_of(ran: Ran) -> str:
    """The one message of a file that could not be judged."""
    assert (ran.code, ran.out) == (2, "")
    message, newline, rest = ran.err.partition("\n")
    assert (newline, rest) == ("\n", "")
    assert message.startswith("combinat: ")
    return message.removeprefix("combinat: ")


# ---------------------------------------------------------------- the verdict


def test_a_log_that_agrees(run: Run, log: Path) -> None:
    ran = run("crosscheck", str(log))
    code, sentence = verdict_of(ran)
    assert code == 0
    assert re.fullmatch(
        r"Verdict: agrees: every settlement is right, and none of \d+ tests on 10000 rounds of "
        r"commission-insurance-2013 finds a difference from the exact results",
        sentence,
    )
    rule, result = ran.out.index("Decision rule, fixed in advance"), ran.out.index("Every row replayed")
    assert rule < result
    for line in ("Rows: 10000", "Unreadable rows: 0", "Impossible deals: 0", "Wrong settlements: 0"):
        assert f"\n{line}\n" in ran.out


def test_a_log_of_whole_shoes_that_agrees(run: Run, shoes: Path) -> None:
    code, sentence = verdict_of(run("crosscheck", str(shoes)))
    assert (code, sentence.startswith("Verdict: agrees: every settlement is right, and none of ")) == (
        0,
        True,
    )


def test_a_log_from_another_shoe_than_it_says_does_not_agree(run: Run, log: Path, tmp_path: Path) -> None:
    text, other = log.read_text("utf-8"), "# cards: 4=80 9=60 K=70\n"
    path = tmp_path / "log.csv"
    path.write_text(re.sub(r"# cards: .*\n", other, text), "utf-8")
    code, sentence = verdict_of(run("crosscheck", str(path)))
    assert code == 1
    assert sentence.startswith("Verdict: does not agree: ")
    assert ": off beyond chance" in sentence
    # The settlements are none the worse for it.
    assert verdict_of(run("crosscheck", str(path), "--settlement-only"))[0] == 0


ONE = 'such as line 4: net:player: found "one"; write profit per unit staked, such as -1, 0.95 or 3/2'


@pytest.mark.parametrize(
    ("rows", "settlement_only", "code", "sentence"),
    [
        (
            [RIGHT] * 3, True, 0,
            "agrees: every settlement of 3 rounds of commission-insurance-2013 is the one the rules give",
        ),
        ([RIGHT] * 3, False, 2, "could not be judged: too few rounds to agree: 3, and 10000 are needed; nothing was found against them"),
        ([RIGHT, WRONG], True, 1, "does not agree: 1 wrong settlement (tie)"),
        ([RIGHT, WRONG, "K 9,K 8,-1,8"], True, 1, "does not agree: 3 wrong settlements (player, tie)"),
        ([RIGHT, WRONG], False, 1, "does not agree: 1 wrong settlement (tie) (and 1 more)"),
        ([IMPOSSIBLE], True, 1, "does not agree: 1 impossible deal"),
        ([IMPOSSIBLE] * 2, False, 1, "does not agree: 2 impossible deals"),
        ([RIGHT, UNREADABLE], True, 2, f"could not be judged: 1 unreadable row, {ONE.replace('4', '5', 1)}"),
        (["!x", "!", RIGHT, UNREADABLE], True, 2, "could not be judged: 3 unreadable rows, such as line 4: found 1 cell; the header has 5"),
        ([UNREADABLE], True, 2, f"could not be judged: 1 unreadable row, {ONE}"),
        ([UNREADABLE], False, 2, f"could not be judged: 1 unreadable row, {ONE}"),
        ([RIGHT, UNREADABLE], False, 2, f"could not be judged: 1 unreadable row, {ONE.replace('4', '5', 1)} (and 1 more)"),
        ([IMPOSSIBLE, UNREADABLE], True, 1, "does not agree: 1 impossible deal (and 1 more)"),
        ([WRONG, UNREADABLE], True, 1, "does not agree: 1 wrong settlement (tie) (and 1 more)"),
        (
            [UNREADABLE, IMPOSSIBLE, WRONG], False, 1,
            "does not agree: 1 wrong settlement (tie) (and 3 more)",
        ),
    ],
)  # fmt: skip
def test_the_gravest_fault_is_the_verdict(
    run: Run, tmp_path: Path, rows: list[str], settlement_only: bool, code: int, sentence: str
) -> None:
    """A wrong settlement or an impossible deal, then a row that cannot be read, then too few rounds."""
    path = log_of(tmp_path, *rows, head=SMALL_HEAD + HEADER)
    ran = run("crosscheck", str(path), *(["--settlement-only"] if settlement_only else []))
    assert verdict_of(ran) == (code, f"Verdict: {sentence}")


def test_rounds_beyond_chance_do_not_agree(run: Run, tmp_path: Path) -> None:
    """The same round again and again, each settled right: a few hundred are enough to say so."""
    for rounds in (10_000, 300):
        path = log_of(tmp_path, *[RIGHT] * rounds, head=SMALL_HEAD + HEADER)
        code, sentence = verdict_of(run("crosscheck", str(path)))
        assert (code, sentence.startswith("Verdict: does not agree: ")) == (1, True)
        assert verdict_of(run("crosscheck", str(path), "--settlement-only"))[0] == 0


def test_few_rounds_cannot_agree(run: Run, tmp_path: Path) -> None:
    path = simulated(tmp_path / "log.csv", rounds=1_500)
    assert verdict_of(run("crosscheck", str(path))) == (
        2,
        "Verdict: could not be judged: too few rounds to agree: 1500, and 10000 are needed; nothing was found against them",
    )


def test_one_bad_row_among_ten_thousand_decides(run: Run, log: Path, tmp_path: Path) -> None:
    lines = log.read_text("utf-8").splitlines()
    head, first, rest = lines[:4], lines[4], lines[5:]
    path = tmp_path / "log.csv"
    for row, code, said in (
        (
            "1,K 9,K 9,1,-1,-1,-1,-1,,,,",
            1,
            "Verdict: does not agree: 3 wrong settlements (banker, player, tie)",
        ),
        ("1,K 9 A,K 9,1,-1,-1,-1,-1,,,,", 1, "Verdict: does not agree: 1 impossible deal"),
        (
            first + ",",
            2,
            "Verdict: could not be judged: 1 unreadable row, such as line 5: found 13 cells; the header has 12",
        ),
    ):
        path.write_text("\n".join([*head, row, *rest]) + "\n", "utf-8")
        code_found, sentence = verdict_of(run("crosscheck", str(path), "--settlement-only"))
        assert (code_found, sentence) == (code, said)


# ---------------------------------------------------------------- nothing passes for want of anything to judge


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("round,player_cards,banker_cards\n", "K 9,K 8"),
        (HEADER, "K 9,K 8,,"),
        ("round,player_cards,banker_cards,stake:tie,payout:tie\n", "K 9,K 8,,"),
    ],
    ids=["no bets", "no bet placed", "no stake placed"],
)
def test_a_log_without_a_settlement_does_not_agree_on_settlements(
    run: Run, tmp_path: Path, header: str, row: str
) -> None:
    ran = run("crosscheck", str(log_of(tmp_path, row, row, head=HEAD + header)), "--settlement-only")
    assert ran.code == 2


def test_a_log_of_parts_of_shoes_is_judged_by_what_it_has(run: Run, tmp_path: Path) -> None:
    """Two rounds of each of 199 shoes, and always the same two."""
    rows = [f"{shoe},K 9,K 8,1" for shoe in range(1, 200) for _ in range(2)]
    path = log_of(tmp_path, *rows, head=HEAD + "round,shoe,player_cards,banker_cards,net:player\n")
    code, sentence = verdict_of(run("crosscheck", str(path)))
    assert (code, sentence.startswith("Verdict: does not agree: ")) == (1, True)


def test_every_settlement_of_whole_shoes_is_counted(run: Run, tmp_path: Path) -> None:
    """Of settlements all rounds are judged, also those of shoes cut short."""
    rows = [f"{shoe},K 9,K 8,1" for shoe in (1, 1, 2, 5)]
    path = log_of(tmp_path, *rows, head=HEAD + "round,shoe,player_cards,banker_cards,net:player\n")
    assert verdict_of(run("crosscheck", str(path), "--settlement-only")) == (
        0,
        "Verdict: agrees: every settlement of 4 rounds of commission-insurance-2013 is the one the rules give",
    )


def test_whatever_simulate_deals_can_be_judged(run: Run, tmp_path: Path) -> None:
    """Also where the cut card lies so high that one round comes from each shoe."""
    path = simulated(tmp_path / "log.csv", "--shoe-dealing", "--cut-card", "209", rounds=100)
    ran = run("crosscheck", str(path), "--settlement-only")
    assert (ran.code, ran.err) == (0, "")


# ---------------------------------------------------------------- what is shown


def test_wrong_rows_are_shown_with_cards_bet_paid_due_and_clause(run: Run, tmp_path: Path) -> None:
    head = "round,player_cards,banker_cards,net:banker,stake:tie,payout:tie,net:player@four-cards\n"
    rows = ["2 2 2,K 7,1,100,0,", "K 6,K 2 3,-1,50,50,", "K 9,K 8,-1,,,3"]
    ran = run("crosscheck", str(log_of(tmp_path, *rows, head=HEAD + head)), "--settlement-only")
    assert verdict_of(ran) == (
        1,
        "Verdict: does not agree: 3 wrong settlements (banker, player@four-cards, tie)",
    )
    shown = [re.split(r" {2,}", line.strip()) for line in ran.out.splitlines()]
    assert ["line", "round", "cards", "column", "paid", "due", "clause"] in shown
    assert ["4", "1", "Player 2 2 2, Banker K 7", "net:banker", "1", "0.95", "4.1.2"] in shown
    assert ["5", "2", "Player K 6, Banker K 2 3", "payout:tie", "50", "0", "4.1.2"] in shown
    assert [
        "6",
        "3",
        "Player K 9, Banker K 8",
        "net:player@four-cards",
        "3",
        "not on offer",
        "4.1.3",
    ] in shown
    assert ["payout:tie", "2", "1", "50", "0"] in shown
    assert ["net:banker", "3", "1", "-1", "-1.05"] in shown


def test_faulty_rows_are_shown_by_line_and_beyond_ten_counted(run: Run, tmp_path: Path) -> None:
    rows = [*["!x"] * 12, *[IMPOSSIBLE] * 11, *[WRONG] * 13]
    ran = run("crosscheck", str(log_of(tmp_path, *rows)), "--settlement-only")
    for line in ("The first 10 of 12.", "The first 10 of 11.", "The first 10 of 13."):
        assert f"\n{line}\n" in ran.out
    assert re.search(r"^ +4 +- +- +found 1 cells?; the header has 5$", ran.out, re.MULTILINE)
    assert re.search(
        r"^ +16 +13 +Player K 9 A, Banker K 8 +Player Hand: the third card A", ran.out, re.MULTILINE
    )


@pytest.mark.parametrize(
    ("how", "line"),
    [
        (lambda text: text.replace("\n", "\r\n"), 6),
        (lambda text: "\ufeff" + text, 6),
        (lambda text: text.rstrip("\n"), 6),
        (lambda text: text.removeprefix(HEAD), 4),
        (lambda text: "# note: a\n# note: b\n" + text, 8),
        (lambda text: text.replace("\n1,", "\nbad\n1,"), 7),
    ],
    ids=[
        "Windows",
        "a byte order mark",
        "no newline at the end",
        "no head",
        "notes",
        "after another bad line",
    ],
)
def test_a_bad_row_is_named_by_its_line(
    run: Run, tmp_path: Path, how: Callable[[str], str], line: int
) -> None:
    path = log_of(tmp_path, RIGHT, RIGHT, UNREADABLE)
    path.write_bytes(how(path.read_text("utf-8")).encode())
    given = [] if b"# game" in path.read_bytes() else ["--game", COMMISSION_2013, "--decks", "8"]
    ran = run("crosscheck", str(path), "--settlement-only", "--format", "json", *given)
    assert ran.code == 2
    faults = json.loads(ran.out)["replay"]["first_unreadable"]
    assert faults[-1] == {
        "line": line,
        "round": "3",
        "cards": "Player K 9, Banker K 8",
        "message": 'net:player: found "one"; write profit per unit staked, such as -1, 0.95 or 3/2',
    }


def test_the_verdict_as_json(run: Run, log: Path, tmp_path: Path) -> None:
    said = json.loads(run("crosscheck", str(log), "--format", "json", "--alpha", "0.01").out)
    assert (said["schema"], said["verdict"], said["exit_code"]) == ("combinat/crosscheck/2", "agrees", 0)
    assert (said["reasons"], said["alpha"], said["file"]) == ([], "1/100", "log.csv")
    assert said["sha256"] == hashlib.sha256(log.read_bytes()).hexdigest()
    assert (
        said["rule_book_sha256"] == hashlib.sha256(rule_book_path(COMMISSION_2013).read_bytes()).hexdigest()
    )
    assert said["replay"]["rows"] == said["rounds"] == 10_000

    path = log_of(tmp_path, RIGHT, WRONG, IMPOSSIBLE, UNREADABLE, head=SMALL_HEAD + HEADER)
    ran = run("crosscheck", str(path), "--format", "json")
    said = json.loads(ran.out)
    assert (ran.code, said["verdict"], said["exit_code"]) == (1, "does not agree", 1)
    assert said["sentence"] == "Verdict: does not agree: 1 wrong settlement (tie) (and 3 more)"
    assert said["reasons"] == [
        "1 wrong settlement (tie)",
        "1 impossible deal",
        f"1 unreadable row, {ONE.replace('4', '7', 1)}",
        "too few rounds to agree: 2, and 10000 are needed",
    ]
    assert said["replay"]["first_wrong"] == [
        {
            "line": 5,
            "round": "2",
            "cards": "Player K 9, Banker K 8",
            "bet": "tie",
            "column": "net",
            "paid": "8",
            "due": "-1",
            "clause": "4.1.2",
        }
    ]
    assert [one["line"] for one in said["replay"]["first_impossible"]] == [6]
    assert [one["line"] for one in said["replay"]["first_unreadable"]] == [7]
    assert {one["column"]: (one["rows"], one["wrong"], one["recorded"], one["due"])
            for one in said["replay"]["totals"]} == {
        "net:player": (2, 0, "2", "2"),
        "net:tie": (2, 1, "7", "-2"),
    }  # fmt: skip


@pytest.mark.parametrize(("row", "code"), [(RIGHT, 0), (WRONG, 1), (UNREADABLE, 2)])
def test_every_format_says_the_same(tmp_path: Path, row: str, code: int) -> None:
    judged = verdict(log_of(tmp_path, RIGHT, row), settlement_only=True)
    assert judged.word.exit_code == code
    said = {form: verdict_text(judged, form) for form in Format}
    assert all("net:tie" in text for text in said.values())
    sentence = judged.sentence.partition('"')[0]  # JSON and LaTeX write quotes otherwise
    assert [form for form, text in said.items() if sentence not in text] == [Format.CSV, Format.LATEX]
    total = ["net:tie", "2" if code < 2 else "1"]
    assert total in [line[:2] for line in csv.reader(io.StringIO(said[Format.CSV]))]
    tables = said[Format.LATEX].count(r"\begin{tabular}"), said[Format.LATEX].count(r"\end{tabular}")
    assert set(tables) == {1 if code == 0 else 3}


def test_the_same_file_gives_an_equal_record(log: Path, shoes: Path, tmp_path: Path) -> None:
    """From its path or from bytes, in one batch or many; and a verdict is text, numbers and records alone."""
    counts = simulated(tmp_path / "sim.json")
    book = load_rule_book(COMMISSION_2013)
    whole = [simulate(COMMISSION_2013, tmp_path / name, rounds=10_000) for name in ("8.csv", "8.json")]
    for path in (log, shoes, counts, *whole):
        first = verdict(path, shoe=claimed_shoe(path))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(log_rows, "BATCH_BYTES", 100_000)
            assert verdict(path, shoe=claimed_shoe(path)) == first
        if path in whole:  # as in a report, which is of whole decks
            assert verdict_of_bytes(path.name, path.read_bytes(), book) == first
        assert kinds_in(first) <= {str, int, bool, NoneType, Fraction, tuple}
        assert verdict_json(first)["sentence"] == first.sentence
    shoe = claimed_shoe(counts)
    assert verdict(counts, shoe=shoe, alpha=Fraction(1, 100)) != verdict(counts, shoe=shoe)


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


def test_bytes_that_are_none_are_refused_by_their_name() -> None:
    book = load_rule_book(COMMISSION_2013)
    for content, message in (
        (b"{}", 'sim: schema: found null; this combinat reads "combinat/counts/1"'),
        (b"", "sim: there is no header; give a CSV, JSON or Parquet hand log"),
        (HEADER.encode(), "sim: the log names no shoe; add a line # decks: N"),
        (b"PAR1", "sim: not readable as Parquet: "),
        (
            b"# game: mine\n# decks: 8\n" + HEADER.encode(),
            f"sim: the file is about mine, and the rule book is that of {COMMISSION_2013}; give that game's",
        ),
    ):
        with pytest.raises(CombinatError) as refused:
            verdict_of_bytes("sim", content, book)
        assert str(refused.value).startswith(message)


def test_a_file_of_a_report_s_folder_is_shown_in_it(log: Path) -> None:
    """A section for each file, its verdict at the end; what is too long to show is not offered by an option there."""
    judged = verdict(log, shoe=claimed_shoe(log))
    assert judged.judgement is not None
    fault = Contradiction(subject="bet tie", kind=Evidence.SETTLEMENT, message="net 9")
    judged = replace(judged, judgement=replace(judged.judgement, contradictions=(fault,) * 25))
    introduction, section, *_ = simulation_section(load_rule_book(judged.game).game, [judged]).blocks
    assert isinstance(introduction, Paragraph)
    assert isinstance(section, Section)
    assert section.title == "log.csv: agrees"
    assert section.blocks[-1] == Paragraph(f"{judged.sentence}.")
    text = rendered([section], Format.TEXT)
    assert "\nAnd 5 more.\n" in text
    assert not re.search(r"--[a-z]", text)
    assert "\nAnd 5 more, all of them in --format json.\n" in verdict_text(
        judged, Format.TEXT, "--format json"
    )


# ---------------------------------------------------------------- reports


@pytest.mark.parametrize(
    ("name", "row", "code"),
    [("verdict.html", WRONG, 1), ("verdict.md", RIGHT, 0), ("verdict.json", UNREADABLE, 2)],
)
def test_a_report_holds_the_verdict_whatever_it_is(
    run: Run, tmp_path: Path, name: str, row: str, code: int
) -> None:
    path, report = log_of(tmp_path, row), tmp_path / "reports" / name
    ran = run("crosscheck", str(path), "--settlement-only", "--report", str(report))
    left_with, sentence = verdict_of(ran)
    assert left_with == code
    assert list(report.parent.iterdir()) == [report]
    text, judged = report.read_text("utf-8"), verdict(path, settlement_only=True)
    assert sentence == judged.sentence
    if report.suffix == ".html":
        assert sentence in text
        assert text.startswith("<!DOCTYPE html>")
        assert text.endswith("</html>\n")
    else:
        form = Format.MARKDOWN if report.suffix == ".md" else Format.JSON
        assert text == verdict_text(judged, form) + "\n"
        assert (json.dumps(sentence)[1:-1] if form is Format.JSON else sentence) in text


def test_an_html_report_is_one_file_without_the_network(run: Run, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "verdict.html"
    out.write_text("old")
    assert run("crosscheck", str(log), "--report", str(out)).code == 0
    html = out.read_text("utf-8")
    assert not re.search(r"https?:|//\w|@import|<script|<link|<img|url\(", html)
    assert {target[0] for target in re.findall(r'href="([^"]*)"', html)} <= {"#"}
    assert list(tmp_path.iterdir()) == [out]


def test_what_a_log_says_is_text_in_a_report(run: Run, tmp_path: Path) -> None:
    path, out = log_of(tmp_path, "<b>K</b>,K 8,1,<i>"), tmp_path / "verdict.html"
    assert run("crosscheck", str(path), "--settlement-only", "--report", str(out)).code == 2
    html = out.read_text("utf-8")
    assert "&lt;i&gt;" in html
    assert "<i>" not in html
    assert "<b>K" not in html


def test_control_characters_of_a_log_reach_nobody(run: Run, tmp_path: Path) -> None:
    """Neither a terminal, from a head or a header, nor a report, from the cells of a Parquet log."""
    for text in ("# game: \x1b[2J\n" + HEADER, HEAD + HEADER.replace("net:tie", "net:\x1b[2J")):
        path = tmp_path / "log.csv"
        path.write_text(text, "utf-8")
        assert "\x1b" not in message_of(run("crosscheck", str(path)))
    path, out = tmp_path / "log.parquet", tmp_path / "verdict.html"
    cells = {"round": "\x1b[2J", "player_cards": "K 9", "banker_cards": "\x1b[2JK 8", "net:tie": "\x1b[2J"}
    head = {"game": COMMISSION_2013, "decks": "8"}
    polars.DataFrame({name: [cell] for name, cell in cells.items()}).write_parquet(path, metadata=head)
    assert run("crosscheck", str(path), "--settlement-only", "--report", str(out)).code == 2
    assert "\x1b" not in out.read_text("utf-8")


@pytest.mark.parametrize("name", ["verdict.pdf", "verdict", "verdict.HTML", "verdict.txt"])
def test_a_report_of_another_kind_is_refused_before_anything_is_read(
    run: Run, tmp_path: Path, name: str
) -> None:
    out = tmp_path / name
    assert message_of(run("crosscheck", str(tmp_path / "none.csv"), "--report", str(out))) == (
        f'--report: found "{out}"; write a file name that ends in .html, .md, .json'
    )


def test_a_report_that_cannot_be_written_is_refused(run: Run, tmp_path: Path) -> None:
    path = log_of(tmp_path, RIGHT)
    refused = message_of(run("crosscheck", str(path), "--settlement-only", "--report", str(path / "v.md")))
    assert refused == f"--report: {path / 'v.md'} cannot be written; choose another place"


def test_a_log_may_stop_its_shoes_where_it_likes_but_not_before_a_cut_card_that_it_names(
    run: Run, tmp_path: Path
) -> None:
    """Sums given the cards left hold under any rule that stops a shoe; a stated rule must be kept."""
    path = simulated(tmp_path / "log.csv", "--shoe-dealing", "--cut-card", "126", rounds=15_000)
    text = path.read_text("utf-8")
    assert text.count("# cut-card: 126\n") == 1  # with it, it agrees as any log of whole shoes does
    path.write_text(text.replace("# cut-card: 126\n", ""), "utf-8")
    assert verdict_of(run("crosscheck", str(path)))[0] == 0
    assert verdict_of(run("crosscheck", str(path), "--cut-card", "126"))[0] == 0
    code, sentence = verdict_of(run("crosscheck", str(path), "--cut-card", "14"))
    assert (code, sentence.endswith(" shoes end before the cut card")) == (1, True)


def test_a_log_that_names_its_cut_card_takes_no_other(run: Run, shoes: Path) -> None:
    assert message_of(run("crosscheck", str(shoes), "--cut-card", "126")) == (
        f"{shoes}: the log says cut-card 14; leave out --cut-card"
    )


# ---------------------------------------------------------------- options


@pytest.mark.parametrize("alpha", ["0", "1", "-1", "abc", "0.6", "0.5", "", "nan", "1e-3", "1/1000", "0.0"])
def test_a_level_that_is_none_is_refused(run: Run, tmp_path: Path, alpha: str) -> None:
    assert message_of(run("crosscheck", str(tmp_path / "none.csv"), "--alpha", alpha)) == (
        f'--alpha: found "{alpha}"; write a probability between 0 and 0.5 with nine decimals at most, such as 0.001'
    )


def test_the_file_and_the_options_name_one_game_and_one_shoe(run: Run, tmp_path: Path) -> None:
    path = log_of(tmp_path, RIGHT)
    only = ["crosscheck", str(path), "--settlement-only"]
    assert run(*only, "--game", COMMISSION_2013).code == 0
    assert run(*only, "--game", "comm").code == 0
    assert message_of(run(*only, "--game", NONCOMMISSION_2025)) == (
        f"{path}: the file is about {COMMISSION_2013}, and the rule book is that of {NONCOMMISSION_2025}; give that game's"
    )
    assert run(*only, "--decks", "8").code == 0
    assert message_of(run(*only, "--decks", "6")) == (
        f"{path}: the file claims 8 decks; leave out --decks and --cards"
    )
    assert message_of(run(*only, "--decks", "8", "--cards", "A=9")) == (
        "--cards says all that is left; it does not go with --decks"
    )
    assert message_of(run(*only, "--cut-card", "14")) == (
        f"{path}: a cut card goes with a column shoe, and there is none"
    )
    assert message_of(run(*only, "--game", "none.toml")).startswith("none.toml: cannot be read (")


def test_what_a_log_does_not_say_is_asked_for(run: Run, tmp_path: Path) -> None:
    path = log_of(tmp_path, RIGHT, head=HEADER)
    only = ["crosscheck", str(path), "--settlement-only"]
    no_game = f"{path}: the file names no game; add a line # game: ID, or give --game GAME"
    no_shoe = f"{path}: the log names no shoe; add a line # decks: N, or give --decks N"
    assert message_of(run(*only)) == no_game
    assert message_of(run(*only, "--decks", "8")) == no_game
    assert message_of(run(*only, "--game", COMMISSION_2013)) == no_shoe
    assert run(*only, "--game", COMMISSION_2013, "--decks", "8").code == 0
    assert run(*only, "--game", COMMISSION_2013, "--cards", "K=2 8=1 9=1").code == 0
    ran = run(*only, "--game", COMMISSION_2013, "--cards", "K=1 8=1 9=1")
    assert verdict_of(ran) == (1, "Verdict: does not agree: 1 impossible deal")


def test_a_game_that_nobody_knows_is_refused(run: Run, tmp_path: Path) -> None:
    path = log_of(tmp_path, RIGHT, head="# game: mine\n# decks: 8\n" + HEADER)
    refused = message_of(run("crosscheck", str(path)))
    assert refused.startswith(f'{path}: the file names the game "mine", which is none of {COMMISSION_2013}, ')
    assert refused.endswith("; give its rule book with --game FILE.toml")


# ---------------------------------------------------------------- a rule book of one's own


def own_book(folder: Path, old: str, new: str) -> Path:
    """The rule book of 2013 with one thing changed."""
    text = rule_book_path(COMMISSION_2013).read_text("utf-8")
    assert text.count(old) == 1
    path = folder / f"{COMMISSION_2013}.toml"
    path.write_text(text.replace(old, new), "utf-8")
    return path


@pytest.mark.parametrize("name", ["sim.json", "log.csv"])
def test_a_rule_book_of_ones_own_judges_what_was_dealt_by_it(run: Run, tmp_path: Path, name: str) -> None:
    """The Tie at 9 to 1: by the book that comes with combinat that is wrong, and only that."""
    book = own_book(tmp_path, 'winner = "tie", odds = "8 to 1"', 'winner = "tie", odds = "9 to 1"')
    path = simulated(tmp_path / name, game=str(book))
    ran = run("crosscheck", str(path))
    code, sentence = verdict_of(ran)
    assert code == 1
    ties = (
        r"bet tie: net 9 in \d+ rounds; 4\.1\.2 knows -1, 8"
        if name == "sim.json"
        else r"\d+ wrong settlements \(tie\)"
    )
    assert re.match(rf"Verdict: does not agree: {ties}", sentence)
    ran = run("crosscheck", str(path), "--game", str(book))
    assert verdict_of(ran)[0] == 0
    sha256 = hashlib.sha256(book.read_bytes()).hexdigest()
    assert sha256 in ran.out


def test_a_file_made_under_another_rule_book_has_a_note(run: Run, tmp_path: Path) -> None:
    """The same rules in other bytes: it agrees, and says under which book it was made."""
    book = tmp_path / f"{COMMISSION_2013}.toml"
    book.write_bytes(rule_book_path(COMMISSION_2013).read_bytes() + b"# ours\n")
    path = simulated(tmp_path / "sim.json", game=str(book))
    sha256 = hashlib.sha256(book.read_bytes()).hexdigest()
    ran = run("crosscheck", str(path))
    assert verdict_of(ran)[0] == 0
    assert f"Note: made under another rule book, SHA-256 {sha256}, and judged by the one above" in " ".join(
        ran.out.split()
    )
    assert "another rule book" not in run("crosscheck", str(path), "--game", str(book)).out


def test_a_game_of_ones_own_needs_its_rule_book(run: Run, tmp_path: Path) -> None:
    book = own_book(tmp_path, f'id = "{COMMISSION_2013}"', 'id = "mine"').rename(tmp_path / "mine.toml")
    path = log_of(tmp_path, RIGHT, head="# game: mine\n# decks: 8\n" + HEADER)
    assert run("crosscheck", str(path), "--settlement-only", "--game", str(book)).code == 0
    assert message_of(run("crosscheck", str(path), "--settlement-only", "--game", "comm")) == (
        f"{path}: the file is about mine, and the rule book is that of {COMMISSION_2013}; give that game's"
    )


# ---------------------------------------------------------------- files that are none


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ": there is no header; give a CSV, JSON or Parquet hand log"),
        (HEAD + HEADER, ": the log has no rows; there is nothing to judge"),
        (HEAD + HEADER.rstrip("\n"), ": the log has no rows; there is nothing to judge"),
        (HEAD, ": there is no header; give a CSV, JSON or Parquet hand log"),
        (
            "#\n",
            ', line 1: found "#"; write one of # game: ID, # decks: N, # cards: A=32 ..., # cut-card: N, '
            "# unit: 0.01, # rounding: down, each once, or # note: TEXT",
        ),
        (HEAD + "# decks: 8\n" + HEADER, None),
        (HEAD + "# cards: A=32\n" + HEADER + f"1,{RIGHT}\n", ": give decks or cards, not both"),
        (HEAD + "round,player_cards,net:player\n1,K 9,1\n", None),
        (HEAD + HEADER.replace("net:tie", "payout:tie"), ": the column payout:tie needs stake:tie beside it"),
        (HEAD + HEADER.replace("net:tie", "net:tiger-tie"), None),
        (HEAD + HEADER.replace("net:tie", "net:player"), ': the column "net:player" is given twice'),
        (f"# game: {NONCOMMISSION_2025}\n# decks: 8\n" + HEADER.replace("net:tie", "net:player@four-cards"), None),
        (b"\x89PNG\r\n\x1a\n\0\0\0", ": not UTF-8 text (byte 0)"),
        (b"PK\x03\x04\0\0", ", line 1: no line of text; give a CSV, JSON or Parquet hand log"),
        ("\0" * 100, ", line 1: no line of text; give a CSV, JSON or Parquet hand log"),
        (b"PAR1", None),
        (b"PAR1" + bytes(100) + b"PAR1", None),
        ("{", ": not readable as JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("{}", ': schema: found null; this combinat reads "combinat/counts/1"'),
        ('\ufeff  {"schema": 1}', None),
        ("{" * 100_000, None),
        ("[1, 2]", ": none of the first rows is a JSON object with a key for each column"),
    ],
    ids=lambda each: ascii(each)[:40],
)  # fmt: skip
def test_a_file_that_is_none_is_one_message(
    run: Run, tmp_path: Path, content: str | bytes, message: str | None
) -> None:
    """Never a traceback, never a verdict."""
    path = tmp_path / ("log.csv", "log.parquet", "sim.json")[len(content) % 3]  # the name says little
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    refused = message_of(run("crosscheck", str(path)))
    assert refused.startswith(str(path))
    if message is not None:
        assert refused == f"{path}{message}"


def test_a_path_that_is_no_file_is_one_message(run: Run, tmp_path: Path) -> None:
    assert message_of(run("crosscheck", str(tmp_path))) == (
        f"{tmp_path}: not a regular file; give a counts file or a hand log"
    )
    assert message_of(run("crosscheck", str(tmp_path / "none.csv"))) == (
        f"{tmp_path / 'none.csv'}: cannot be read (No such file or directory)"
    )


def test_a_report_does_not_take_the_place_of_what_is_judged(run: Run, tmp_path: Path) -> None:
    path = simulated(tmp_path / "sim.json", rounds=100)
    before = path.read_bytes()
    same = str(tmp_path / "." / "sim.json")
    assert message_of(run("crosscheck", str(path), "--report", same)) == (
        f"--report: {path} is the file to judge; write to another"
    )
    assert path.read_bytes() == before


def test_what_is_for_hand_logs_alone_is_refused_with_counts(run: Run, tmp_path: Path) -> None:
    path = simulated(tmp_path / "sim.json", rounds=100)
    assert message_of(run("crosscheck", str(path), "--settlement-only")) == (
        f"{path}: a counts file has no rounds to settle; settlements alone are judged of hand logs"
    )
    assert message_of(run("crosscheck", str(path), "--cards", "A=9")) == (
        f"{path}: the file claims a shoe of 210 cards; leave out --decks and --cards"
    )
    assert message_of(run("crosscheck", str(path), "--cut-card", "14")) == (
        f"{path}: a counts file has no cut card; leave out --cut-card"
    )


def test_a_parquet_log_without_metadata_needs_the_options(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    cells = [["1", *RIGHT.split(",")], ["2", *WRONG.split(",")], ["x", *RIGHT.split(",")]]
    frame = polars.DataFrame(cells, schema=HEADER.strip().split(","), orient="row")
    frame.write_parquet(path)
    only = ["crosscheck", str(path), "--settlement-only"]
    assert message_of(run(*only)).startswith(f"{path}: the file names no game; ")
    ran = run(*only, "--game", COMMISSION_2013, "--decks", "8", "--format", "json")
    assert (ran.code, ran.err) == (1, "")
    replay = json.loads(ran.out)["replay"]
    assert [(one["line"], one["due"]) for one in replay["first_wrong"]] == [(2, "-1")]
    assert [one["line"] for one in replay["first_unreadable"]] == [3]
    text = run(*only, "--game", COMMISSION_2013, "--decks", "8").out
    assert re.search(r"^row +round +cards +what$", text, re.MULTILINE)


def test_a_parquet_log_of_floats_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    frame = polars.DataFrame(
        {"round": [1], "player_cards": ["K 9"], "banker_cards": ["K 8"], "net:banker": [0.95]}
    )
    frame.write_parquet(path, metadata={"game": COMMISSION_2013, "decks": "8"})
    assert message_of(run("crosscheck", str(path))) == (
        f"{path}: the column net:banker holds Float64, which is no exact amount; write text, or say how many decimals it "
        "stands for, with --scale N"
    )


def test_a_parquet_log_that_was_cut_off_is_refused(run: Run, tmp_path: Path) -> None:
    path = simulated(tmp_path / "log.parquet", rounds=200)
    whole = path.read_bytes()
    for left in (len(whole) - 1, len(whole) // 2, 12):
        path.write_bytes(whole[:left])
        assert message_of(run("crosscheck", str(path))).startswith(f"{path}: not readable as Parquet: ")


def test_a_log_that_was_cut_off_never_passes_unless_between_rows(tmp_path: Path) -> None:
    """A last row that ends early is unreadable or wrong; only a blank in its last cell cannot be told from one."""
    path = log_of(tmp_path, RIGHT, RIGHT)
    whole = path.read_bytes()
    for left in range(whole.index(b"\n2,") + 2, len(whole) - 1):
        path.write_bytes(whole[:left])
        word = verdict(path, settlement_only=True).word
        assert (word is Word.AGREES) == whole[:left].endswith(b",1,"), whole[:left]
        assert word is not Word.DISAGREES
