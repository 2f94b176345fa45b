"""What combinat prove writes: the theorems of a game, none left out. No Coq is needed here; ``tests/slow/proof`` has it."""

import json
import re
import shutil
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.odds import one_round_analysis
from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.dossier import Dossier
from combinat.certify.statements import GameStatement, game_statement, read_statement
from combinat.report import proof
from combinat.report.proof import UnprovableError, proof_sources, proof_text, theorem_count
from combinat.rules.bet import Pay
from combinat.rules.book.load import load_game
from combinat.rules.facts import PAIR_RANK_FACTS, THIRD_FACTS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe
from tests.certify.proving import GOLDEN, check_program
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013, GAMES
from tests.paths import ROOT
from tests.programs import python

THEOREM = re.compile(r"^Theorem (\w+) : (.*)\.$", re.MULTILINE)


@pytest.fixture(scope="module")
def statement(small_game: Game) -> GameStatement:
    """What holds for the small game on one deck."""
    return game_statement(small_game, [1])


# ---------------------------------------------------------------- what is written


def test_the_file_of_the_small_game_is_the_golden_one(run: Run) -> None:
    printed = run("prove", str(SMALL_BOOK), "--decks", "1").output()
    if printed != GOLDEN.read_text("utf-8"):
        GOLDEN.with_suffix(".v.new").write_text(printed, "utf-8")
    assert printed == GOLDEN.read_text("utf-8")


def figures(analysis: dict[str, Any]) -> int:
    """How many figures of an analysis are to be proved: counted in the file itself."""
    return sum(
        2  # the sample space and the void rounds
        + sum(len(bet["outcomes"]) + (bet["house_edge"] is not None) for bet in shoe["bets"])
        + sum(4 + (state["house_edge"] is not None) for state in shoe["insurance"])
        for shoe in analysis["shoes"]
    )


@pytest.mark.parametrize("game_id", GAMES)
def test_every_figure_of_a_report_is_a_theorem(game_id: str) -> None:
    """As many theorems as figures, each with a name of its own and on the list of what is proved."""
    content = (ROOT / "output" / game_id / "analysis.json").read_bytes()
    statement = read_statement(content)
    text = proof_text(load_game(game_id), statement)
    names = [name for name, _ in THEOREM.findall(text)]
    assert len(names) == len(set(names)) == theorem_count(statement) == figures(json.loads(content)) > 500
    assert re.findall(r"^  Proved (\w+)", text, re.MULTILINE) == names
    assert text.count("\nProof. ") == text.count(". Qed.\n") == len(names) + len(statement.shoes)


def test_a_file_states_what_the_recursion_counts(small_game: Game, small_dossier: Dossier) -> None:
    read = read_statement(analysis_bytes(small_dossier))
    assert read == game_statement(small_game, [1, 2])
    assert read_statement(analysis_bytes(small_dossier), [2]).shoes == read.shoes[1:]


def test_a_changed_digit_is_stated_as_it_stands(small_game: Game, small_dossier: Dossier) -> None:
    """What is wrong in the file is not found here but by Coq, which names the theorem."""
    ways = small_dossier.shoes[0].bets[0].outcomes[0].ways
    content = analysis_bytes(small_dossier).replace(f'"{ways}"'.encode(), f'"{ways + 1}"'.encode(), 1)
    text = proof_text(small_game, read_statement(content, [1]))
    assert f"(ByLine 1) (decks 1) = {ways + 1}." in text


def test_a_text_of_the_rule_book_is_a_comment_and_stays_one(
    small_game: Game, statement: GameStatement
) -> None:
    evil = '*) Axiom false : False. (* " (*'
    game = msgspec.structs.replace(
        small_game,
        name=evil,
        bets=tuple(msgspec.structs.replace(bet, name=evil, defined=evil) for bet in small_game.bets),
    )
    plain, odd = proof_text(small_game, statement), proof_text(game, statement)
    assert without_comments(odd) == without_comments(plain)
    assert "Axiom" in odd


def without_comments(source: str) -> str:
    """A Coq text without its comments, which nest, and in which a quotation mark begins a string."""
    kept, depth, index = [], 0, 0
    while index < len(source):
        pair = source[index : index + 2]
        if pair == "(*" or (pair == "*)" and depth):
            depth += 1 if pair == "(*" else -1
            index += 2
            continue
        assert not (depth and source[index] == '"'), "a string in a comment"
        kept.append("" if depth else source[index])
        index += 1
    assert depth == 0
    return "".join(kept)


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("words", "fact", "where"),
    [
        ("FACTS", "pairs", "bet any-pair"),
        ("FACTS", "banker_cards", "bet six"),
        ("OFFER_KEYS", "tie_pays", "banker@player-third-card, Player 6, Banker 6"),
    ],
)
def test_a_fact_without_a_word_is_refused_by_name(
    words: str,
    fact: str,
    where: str,
    small_game: Game,
    statement: GameStatement,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = getattr(proof, words)
    others = [word for word in known if word != fact]
    monkeypatch.setattr(proof, words, {word: known[word] for word in others} if words == "FACTS" else others)
    with pytest.raises(UnprovableError, match=f'{where}: .*"{fact}"'):
        proof_text(small_game, statement)


def test_every_key_of_a_line_has_a_word_or_needs_none() -> None:
    """A fact that is added to the rules must be added to the proof, or it is refused: third cards and ranks of pairs are."""
    known = {field.name for field in msgspec.structs.fields(Pay)}
    assert known == {*proof.FACTS, *proof.NO_FACTS, *THIRD_FACTS, *PAIR_RANK_FACTS}


def replaced(change: Callable[[Any], dict[str, Any]]) -> Callable[[GameStatement], GameStatement]:
    """The statement with other parts of its one shoe."""
    return lambda statement: replace(
        statement, shoes=(replace(statement.shoes[0], **change(statement.shoes[0])),)
    )


WRONG = {
    "a bet less": replaced(lambda shoe: {"bets": shoe.bets[1:]}),
    "a bet twice": replaced(lambda shoe: {"bets": (shoe.bets[0], *shoe.bets)}),
    "a state less": replaced(lambda shoe: {"insurance": shoe.insurance[:-1]}),
    "a line more": replaced(
        lambda shoe: {"bets": (replace(shoe.bets[0], outcomes=shoe.bets[1].outcomes * 2), *shoe.bets[1:])}
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_counts_that_are_not_those_of_the_game_are_refused(
    wrong: str, small_game: Game, statement: GameStatement
) -> None:
    with pytest.raises(UnprovableError):
        proof_text(small_game, WRONG[wrong](statement))


# ---------------------------------------------------------------- the command


def test_the_command_writes_the_file_and_what_it_stands_on(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "there" / "small.v"
    asked = ("prove", str(SMALL_BOOK), "--decks", "1", "--out", str(out), "--with-sources")
    assert "89 theorems" in run(*asked).output()
    assert out.read_text("utf-8") == GOLDEN.read_text("utf-8")
    written = {path.name: path.read_bytes() for path in out.parent.iterdir()}
    program = (ROOT / "proof" / "check.py").read_bytes()
    assert written == {"small.v": out.read_bytes(), "check.py": program, **proof_sources()}
    run(*asked).output()
    (out.parent / "Play.v").write_text("(* mine *)\n")
    run(*asked).refusal()
    assert (out.parent / "Play.v").read_text() == "(* mine *)\n"


def test_counts_of_another_game_are_refused(run: Run) -> None:
    other = ROOT / "output" / COMMISSION_2013 / "analysis.json"
    assert run("prove", str(SMALL_BOOK), "--analysis", str(other)).code == 2


def test_another_rule_book_of_the_game_is_warned_of(run: Run, tmp_path: Path) -> None:
    """One odds changed: the file is written, and the theorem of the edge is what fails."""
    book = tmp_path / f"{COMMISSION_2013}.toml"
    text = (ROOT / "tables" / book.name).read_text("utf-8")
    book.write_text(text.replace('odds = "11 to 1"', 'odds = "12 to 1"', 1), "utf-8")
    analysis = ROOT / "output" / COMMISSION_2013 / "analysis.json"
    ran = run("prove", str(book), "--analysis", str(analysis), "--decks", "8")
    assert ran.code == 0
    assert ran.err.startswith("combinat: warning: ")
    assert "(12 # 1) (* 12 to 1 *)" in ran.out
    assert "(house_edge table_of_play bet_player_pair (decks 8) == (43 # 415))%Q" in ran.out


# ---------------------------------------------------------------- the sources


def test_the_sources_admit_and_assume_nothing() -> None:
    """No axiom and nothing unproved; a variable or hypothesis stands in a section only."""
    assert set(proof_sources()) == {f"{name}.v" for name in check_program().GENERAL}
    for name, content in proof_sources().items():
        source = without_comments(content.decode("ascii"))
        assert not re.search(
            r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|Unset|bypass_check)\b", source
        ), name
        depth = 0
        for line in source.splitlines():
            depth += bool(re.match(r"\s*Section\b", line)) - bool(re.match(r"\s*End\b", line))
            assert depth or not re.match(r"\s*(Variables?|Hypothes[ie]s|Context)\b", line), (name, line)


def test_the_general_theorems_are_all_asked_what_they_assume() -> None:
    main = proof_sources()["Main.v"].decode("ascii")
    listed = re.findall(r"Proved (\w+)", main)
    assert listed == re.findall(r"^Print Assumptions (\w+)\.$", main, re.MULTILINE)
    general = (proof_sources()[name].decode("ascii") for name in ("Walk.v", "Counts.v"))
    assert set(re.findall(r"^\s*Theorem (\w+)", "\n".join(general), re.MULTILINE)) <= set(listed)


def test_the_small_shoes_of_the_sources_are_counted_here_too() -> None:
    """The counts that Coq proves of nine and of five cards are those of the recursion."""
    source = proof_sources()["Small.v"].decode("ascii")
    said = {name: text.rpartition("= ")[2] for name, text in THEOREM.findall(source)}
    game = load_game(COMMISSION_2013)
    nine, five = (
        one_round_analysis(game, Shoe.parse(cards))
        for cards in ("A=2 3=1 6=1 8=1 9=2 K=2", "A=1 2=1 3=1 5=1 K=1")
    )
    states = [
        {str(one.state): one for one in insurance_analysis(game, analysis.distribution)}
        for analysis in (nine, five)
    ]
    player, banker = nine.bet("player"), nine.bet("banker")
    insured = states[0]["player@player-third-card, Player 9, Banker 0"]
    returned = states[1]["player@player-third-card, Player 9, Banker 2"]
    expected = {
        "nine_space": nine.sample_space,
        "nine_void": 0,
        "nine_player_wins": player.outcomes[0].ways,
        "nine_banker_wins": player.outcomes[2].ways,
        "nine_ties": player.outcomes[1].ways,
        "nine_player_pairs": nine.bet("player-pair").outcomes[0].ways,
        "nine_banker_edge": banker.house_edge,
        "nine_insured": insured.ways,
        "nine_insured_edge": insured.house_edge,
        "five_space": five.sample_space,
        "five_void": five.distribution.void,
        "five_player_wins": five.bet("player").outcomes[0].ways,
        "five_banker_wins": five.bet("player").outcomes[2].ways,
        "five_banker_edge": five.bet("banker").house_edge,
        "five_insured": returned.ways - returned.won - returned.lost,
    }
    read = {name: Fraction(text.removesuffix(")%Q").replace(" # ", "/")) for name, text in said.items()}
    assert read == expected


# ---------------------------------------------------------------- the program that asks Coq


def test_without_coq_it_names_the_package(tmp_path: Path) -> None:
    ran = python(str(ROOT / "proof" / "check.py"), "output", PATH=str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert "coqc is not installed" in ran.err


def test_a_refusal_names_the_theorem_of_its_line() -> None:
    lines = GOLDEN.read_text("utf-8").splitlines()
    (line,) = [number for number, text in enumerate(lines) if text.startswith("Theorem bet_six_1_line_2 ")]
    err = f'File "./small.v", line {line + 2}, characters 7-32:\nError: Unable to\n unify "1" with "2".\n'
    assert "bet_six_1_line_2 does not hold" in check_program().refusal(GOLDEN, err)


COUNTED, CLOSED = "     = 89\n     : N\n", "Closed under the global context"


@pytest.mark.parametrize(
    ("coqc", "coqchk", "said"),
    [
        (f"{COUNTED}Axioms:\nfalse : False", "", "theorems_1 assumes: Axioms: false : False"),
        (COUNTED, "", "2 questions and 1 answers of Coq"),
        (f"     = 0\n     : N\n{CLOSED}", "", "it lists no theorem"),
        (f"{COUNTED}{CLOSED}", "* Axioms:\n    false\n", "coqchk finds axioms under Baccarat"),
    ],
)
def test_what_coq_answers_is_looked_at(
    coqc: str, coqchk: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs in the place of Coq's print this."""
    for name, out in (("coqc", coqc), ("coqchk", coqchk)):
        (tmp_path / name).write_text(f"#!{sys.executable}\nprint({out!r})\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    path, check = shutil.copy(GOLDEN, tmp_path), check_program()
    programs = check.Programs()
    steps: list[Callable[[], object]] = [
        partial(check.compiled, programs, Path(path)),
        partial(check.checked_again, programs, tmp_path, ("Baccarat.Main",)),
    ]
    with pytest.raises(check.NotHoldingError, match=re.escape(said)):
        [step() for step in steps]


def test_a_folder_without_reports_is_no_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = check_program()
    with pytest.raises(program.UncheckedError, match="found no report in it"):
        list(program.written(program.Programs(), tmp_path, tmp_path))


# ---------------------------------------------------------------- the page

PAGE = (ROOT / "docs" / "mathematics.md").read_text("utf-8")


def test_the_page_names_theorems_that_are_there() -> None:
    main = proof_sources()["Main.v"].decode("ascii")
    rows = re.findall(r"^\| (`.*?`) \| `(\w+\.v)` \|", PAGE, re.MULTILINE)
    named = [(name, file) for names, file in rows for name in re.findall(r"`(\w+)`", names)]
    assert sorted(name for name, _ in named) == sorted(re.findall(r"Proved (\w+)", main))
    for name, file in named:
        assert re.search(rf"^\s*Theorem {name} ", proof_sources()[file].decode("ascii"), re.MULTILINE)
