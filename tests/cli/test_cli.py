"""The commands as people and other programs use them: output, exit codes, messages."""

import ast
import csv
import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import combinat
from combinat import __version__
from combinat.cli.app import COMMANDS
from combinat.errors import StakeError
from combinat.rules.money import format_money, parse_money
from tests.conftest import Run
from tests.documents import BETS, COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2025
from tests.paths import ROOT, TESTS

EXAMPLES = {command: example for command, (_, example) in COMMANDS.items()}
WIDTH = 100


def widest(text: str) -> int:
    """The length of the longest line."""
    return max(map(len, text.split("\n")))


def refused(run: Run, *arguments: str) -> str:
    """The one message of a command that could not be carried out."""
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err
    message, newline, rest = ran.err.partition("\n")
    assert (newline, rest) == ("\n", "")
    assert message.startswith("combinat: ")
    return message.removeprefix("combinat: ")


# ---------------------------------------------------------------- the program


def test_the_version(run: Run) -> None:
    ran = run("--version")
    assert (ran.code, ran.out, ran.err) == (0, f"combinat {__version__}\n", "")


@pytest.mark.parametrize(("command", "example"), EXAMPLES.items())
def test_the_help_of_every_command_shows_an_example(run: Run, command: str, example: str) -> None:
    ran = run(command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert f"Example: combinat {command}" in ran.out
    assert example.split() == re.findall(r"Example: (.*)", " ".join(ran.out.split()))[0].split()


def test_help_may_be_asked_for_in_short(run: Run) -> None:
    assert run("games", "-h") == run("games", "--help")


BY_THEMSELVES = ("games", "rules", "odds", "compare", "insurance", "round", "settle", "ruling", "exposure")
"""The commands whose examples need no file of the user's own."""


@pytest.mark.parametrize("command", BY_THEMSELVES)
def test_the_example_of_a_command_works(
    run: Run, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where the example of report writes
    program, *arguments = shlex.split(EXAMPLES[command])
    assert (program, arguments[0]) == ("combinat", command)
    ran = run(*arguments)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out


def test_the_help_of_the_program_lists_every_command(run: Run) -> None:
    ran = run("--help")
    assert ran.code == 0
    assert set(COMMANDS) >= set(BY_THEMSELVES)
    for command in COMMANDS:
        assert re.search(rf"^\W*{command} ", ran.out, re.MULTILINE), command


@pytest.mark.parametrize(
    "arguments",
    [
        ["shuffle"],
        ["--decks"],
        ["rules"],
        ["rules", "commission", "--colour"],
        ["games", "--format", "xml"],
        ["settle", "commission", "--stake"],
    ],
)
def test_a_command_that_cannot_be_read_leaves_with_2_and_no_traceback(run: Run, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(r"combinat: .*; combinat( \w+)? --help shows \w+\n", ran.err)


def test_the_module_is_the_program(tmp_path: Path) -> None:
    def python(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "combinat", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    version = python("--version")
    assert (version.returncode, version.stdout, version.stderr) == (0, f"combinat {__version__}\n", "")
    no_such_game = python("rules", "no-such-game")
    assert (no_such_game.returncode, no_such_game.stdout) == (2, "")
    assert no_such_game.stderr.startswith('combinat: no game "no-such-game"')
    assert "Traceback" not in no_such_game.stderr


@pytest.mark.parametrize(
    ("shell", "line"),
    [
        ("bash", "complete -o default -F _combinat_completion combinat"),
        ("zsh", "compdef _combinat_completion combinat"),
        ("fish", "complete --command combinat"),
    ],
)
def test_the_completion_script_can_be_shown(
    run: Run, monkeypatch: pytest.MonkeyPatch, shell: str, line: str
) -> None:
    monkeypatch.setenv("_COMBINAT_COMPLETE", f"source_{shell}")
    ran = run()
    assert ran.code == 0
    assert line in ran.out


@pytest.mark.parametrize("command", ["rules", "settle", "report"])
def test_game_ids_are_completed(run: Run, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("_COMBINAT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"combinat {command} tiger-buffalo-n")
    monkeypatch.setenv("COMP_CWORD", "2")
    assert run().out.split() == [game_id for game_id in GAMES if game_id.startswith("tiger-buffalo-n")]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"odds {NONCOMMISSION_2025} --bet big-t", ["big-tiger"]),
        (f"odds {COMMISSION_2013} --stake player", ["player=", "player-pair="]),
        (f"formula {COMMISSION_2013} banker-", ["banker-pair"]),
        (f"settle {COMMISSION_2013} --layout A", ["A"]),
        (f"odds {COMMISSION_2013} --reading pair", ["pair-by-rank"]),
        (f"ruling {COMMISSION_2024} --incident foreign", ["foreign-card"]),
        (f"settle {COMMISSION_2024} --procedure foreign", ["foreign-card"]),
        (f"settle {COMMISSION_2013} --insure player@f", ["player@four-cards="]),
        (f"solve {NONCOMMISSION_2025} tiger --line th", ["three", "cards"]),
        (f"odds {COMMISSION_2013} --sort h", ["house_edge"]),
        (f"odds --decks 6 {COMMISSION_2013} --format csv --only bet,ho", ["bet,house_edge_decimal"]),
        ("games --only ga", ["game"]),
        ("crosscheck x.csv --game tiger-buffalo-c", [COMMISSION_2024]),
        ("odds no-such-game --bet t", []),
    ],
)
def test_what_a_game_has_is_completed(
    run: Run, monkeypatch: pytest.MonkeyPatch, line: str, words: list[str]
) -> None:
    monkeypatch.setenv("_COMBINAT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"combinat {line}")
    monkeypatch.setenv("COMP_CWORD", str(len(line.split())))
    ran = run()
    assert (ran.out.split(), ran.err) == (words, "")


def test_a_dash_is_standard_output_and_an_empty_word_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("games", "--out", "-") == run("games")
    for words in (["--only", ""], ["--only", ","], ["--sort", ""], ["--sort", "-"], ["--part", ""]):
        ran = run("games", *words)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f'combinat: {words[0]}: found "{words[1]}"; write ')
    for words in (["games", "--out", ""], ["games", "--out="], ["report", COMMISSION_2013, "--out", "-"]):
        ran = run(*words)
        assert (ran.code, ran.out, ran.err.startswith("combinat: --out: found ")) == (2, "", True)
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------- games


def test_games_in_text_is_one_line_each(run: Run) -> None:
    ran = run("games")
    assert (ran.code, ran.err) == (0, "")
    header, rule, *lines = ran.out.splitlines()
    assert header.split() == ["game", "in", "force", "decks", "layouts", "bets", "insurance"]
    assert set(rule) == {"-", " "}
    assert [line.split()[0] for line in lines] == list(GAMES)
    assert lines[0].split() == [COMMISSION_2013, "2013-10-22", "4-8", "7", "5", "Baccarat", "Insurance"]
    assert lines[2].split() == [NONCOMMISSION_2025, "2025-08-08", "4-10", "18", "20", "none"]
    assert widest(ran.out) <= WIDTH


def test_games_in_json(run: Run) -> None:
    listed = json.loads(run("games", "--format", "json").out)
    assert listed["schema"] == "combinat/games/1"
    assert [game["id"] for game in listed["games"]] == list(GAMES)
    assert [game["insurance_states"] for game in listed["games"]] == [73, 83, 0, 83]
    assert listed["games"][2] == {
        "id": NONCOMMISSION_2025,
        "name": "Tiger Buffalo (Non-Commission Baccarat)",
        "version": "4",
        "effective": "2025-08-08",
        "decks": {"least": 4, "most": 10},
        "bets": 20,
        "insurance_states": 0,
    }
    assert listed["games"][1]["version"] is None


@pytest.mark.parametrize(
    ("form", "first"),
    [
        ("markdown", "| game "),
        ("csv", "game,in_force,decks,layouts,bets,insurance"),
        ("latex", r"\begin{tabular}{lllrrl}"),
    ],
)
def test_games_in_the_other_formats(run: Run, form: str, first: str) -> None:
    ran = run("games", "-f", form)
    assert ran.code == 0
    assert ran.out.startswith(first)
    assert [game_id for game_id in GAMES if game_id in ran.out] == list(GAMES)


# ---------------------------------------------------------------- rules


@pytest.mark.parametrize("game_id", GAMES)
def test_rules_in_text_fits_the_terminal(run: Run, game_id: str) -> None:
    ran = run("rules", game_id)
    assert (ran.code, ran.err) == (0, "")
    assert widest(ran.out) <= WIDTH
    for bet in BETS[game_id]:
        assert re.search(rf"^{bet} ", ran.out, re.MULTILINE), bet
    assert f"Game id: {game_id}\n" in ran.out
    assert "Interpretation register\n-----------------------\n" in ran.out


@pytest.mark.parametrize("game_id", GAMES)
def test_rules_in_json_carries_every_bet(run: Run, game_id: str) -> None:
    book = json.loads(run("rules", game_id, "--format", "json").out)
    assert (book["schema"], book["game"]) == ("combinat/rules/1", game_id)
    assert re.fullmatch("[0-9a-f]{64}", book["sha256"])
    assert {bet["id"]: (bet["settled"], "".join(bet["layouts"])) for bet in book["bets"]} == {
        bet: (settled, layouts) for bet, (settled, layouts, _) in BETS[game_id].items()
    }


def test_rules_in_json_has_the_exact_net_beside_the_odds(run: Run) -> None:
    book = json.loads(run("rules", NONCOMMISSION_2025, "--format", "json").out)
    (banker,) = [bet for bet in book["bets"] if bet["id"] == "banker"]
    assert [(pay["odds"], pay["net"]) for pay in banker["pays"]] == [
        ("1 to 2", "1/2"),
        ("1 to 1", "1"),
        ("push", "0"),
    ]
    assert banker["pays"][1]["banker_points"] == [0, 1, 2, 3, 4, 5, 7, 8, 9]
    commission = json.loads(run("rules", COMMISSION_2013, "--format", "json").out)
    assert commission["bets"][1]["pays"][0]["net"] == "19/20"


@pytest.mark.parametrize("game_id", GAMES)
def test_rules_in_markdown(run: Run, game_id: str) -> None:
    ran = run("rules", game_id, "-f", "markdown")
    assert ran.code == 0
    headings = [line for line in ran.out.splitlines() if line.startswith("#")]
    assert headings[0].startswith("# ")
    assert [heading for heading in headings if heading in ("## Bets", "## Layouts")] == [
        "## Bets",
        "## Layouts",
    ]
    assert any(heading.startswith("## Insurance: ") for heading in headings) == (
        game_id != NONCOMMISSION_2025
    )


@pytest.mark.parametrize("game_id", GAMES)
def test_rules_in_csv_and_latex_carry_every_table(run: Run, game_id: str) -> None:
    """In CSV one at a time, the bets where nothing is said."""
    in_csv, in_latex = run("rules", game_id, "-f", "csv"), run("rules", game_id, "-f", "latex")
    assert (in_csv.code, in_latex.code, in_latex.err) == (0, 0, "")
    assert in_csv.err.startswith("combinat: warning: CSV is one table; left out: 1 ")
    header, *rows = csv.reader(io.StringIO(in_csv.out))
    bets = list(BETS[game_id])
    assert header == ["bet", "outcome", "pays", "defined", "settled", "layouts"]
    lines = [(bet.id, bet.defined) for bet in combinat.load_game(game_id).bets for _ in bet.pays]
    assert [(row[0], row[3]) for row in rows] == lines  # each line of a pay table says whose it is
    assert all(row[5] for row in rows)
    others = len(re.findall(r"(?:: |, )\d+ ", in_csv.err))
    assert in_latex.out.count(r"\begin{tabular}") == in_latex.out.count(r"\end{tabular}") == others + 1
    last = run("rules", game_id, "-f", "csv", "--part", str(others + 1))
    assert (last.code, last.err, last.out == in_csv.out) == (0, "", False)
    for bet in bets:
        assert len(re.findall(rf"^ *{bet} +&", in_latex.out, re.MULTILINE)) >= 2, bet


def test_rules_say_when_each_line_pays_and_give_the_file_itself(run: Run, tmp_path: Path) -> None:
    text = run("rules", NONCOMMISSION_2025, "--layout", "P").out
    assert re.search(
        r"^wu-dalang +wins +150 to 1 +the Player Hand wins, the Player Hand has 1 point$", text, re.MULTILINE
    )
    bets = json.loads(run("rules", NONCOMMISSION_2025, "--format", "json").out)["bets"]
    assert bets[2]["pays"][0]["when"] == "the hands tie"
    copied = tmp_path / f"{COMMISSION_2013}.toml"
    ran = run("rules", COMMISSION_2013, "--format", "toml")
    assert (ran.code, ran.err) == (0, "")
    copied.write_text(ran.out, "utf-8")
    assert combinat.load_game(copied) == combinat.load_game(COMMISSION_2013)
    message = refused(run, "rules", COMMISSION_2013, "--format", "toml", "--layout", "A")
    assert message == "--layout does not go with --format toml, which is the whole rule book"


APPENDIX_P = [
    "player",
    "banker",
    "tie",
    "banker-big-7",
    "banker-small-7",
    "player-big-7",
    "player-small-7",
    "tiger-pair",
    "tiger",
    "wu-dalang",
]


@pytest.mark.parametrize("layout", ["P", "p"])
def test_layout_p_of_2025_lists_exactly_the_ten_bets_of_appendix_p(run: Run, layout: str) -> None:
    ran = run("rules", NONCOMMISSION_2025, "--layout", layout)
    assert (ran.code, ran.err) == (0, "")
    assert "Layout P\n" in ran.out
    first_words = re.findall(r"^(\S+)  ", ran.out, re.MULTILINE)
    bets = [word for word in first_words if word in BETS[NONCOMMISSION_2025]]
    assert bets == APPENDIX_P * 3  # what they pay, when they win, and when each line pays
    book = json.loads(run("rules", NONCOMMISSION_2025, "--layout", layout, "--format", "json").out)
    assert [bet["id"] for bet in book["bets"]] == APPENDIX_P
    assert [(one["id"], one["positions"]) for one in book["layouts"]] == [("P", {"least": 1, "most": 6})]


def test_a_unique_beginning_of_an_id_is_enough(run: Run) -> None:
    assert run("rules", "comm").out == run("rules", COMMISSION_2013).out


def test_a_rule_book_of_ones_own_is_read_by_its_path(run: Run, tmp_path: Path) -> None:
    book = ROOT / "tables" / f"{COMMISSION_2013}.toml"
    mine = book.read_text("utf-8").replace(f'id = "{COMMISSION_2013}"', 'id = "house-game"')
    (tmp_path / "house-game.toml").write_text(mine.replace('"8 to 1"', '"9 to 1"', 1), "utf-8")
    out = run(
        "settle", str(tmp_path / "house-game.toml"), "--player", "K 7", "--banker", "Q 7",
        "--stake", "tie=10", "-f", "json",
    ).out  # fmt: skip
    assert (json.loads(out)["game"], json.loads(out)["net"]) == ("house-game", "90")


def test_what_rules_cannot_find_is_said_in_one_line(run: Run) -> None:
    assert refused(run, "rules", "tiger-buffalo-noncommission-2026") == (
        'no game "tiger-buffalo-noncommission-2026"; did you mean tiger-buffalo-noncommission-2025? '
        f"The games are {', '.join(GAMES)}; or give a path to a TOML file"
    )
    assert refused(run, "rules", "tiger-buffalo-non") == (
        'game "tiger-buffalo-non" could be tiger-buffalo-noncommission-2025, '
        "tiger-buffalo-noncommission-plus-2024; write more of the id"
    )
    assert refused(run, "rules", COMMISSION_2013, "--layout", "H") == (
        f'{COMMISSION_2013} has no layout "H". It has: A, B, C, D, E, F, G'
    )
    assert refused(run, "rules", "no/such/book.toml") == (
        "no/such/book.toml: cannot be read (No such file or directory); give the path of a TOML file"
    )


# ---------------------------------------------------------------- settle

ROUND = ["--player", "5 K 2", "--banker", "4 q 5"]
SETTLE = [
    "settle", COMMISSION_2024, *ROUND,
    "--stake", "player=100", "--stake", "banker=12.50", "--stake", "tie=3",
    "--insure", "player@player-third-card=25",
]  # fmt: skip


def test_settle_in_text(run: Run) -> None:
    ran = run(*SETTLE)
    assert (ran.code, ran.err) == (0, "")
    sentence, blank, *table = ran.out.splitlines()
    assert (sentence, blank) == ("Player 5 K 2 (7 points), Banker 4 Q 5 (9 points).", "")
    assert [re.split(r"  +", line.strip()) for line in table[:1] + table[2:]] == [
        ["bet", "stake", "outcome", "odds", "result", "net", "clause"],
        ["Player", "100", "loses", "lost", "-100", "4.1.2"],
        ["Banker", "12.5", "Banker wins", "0.95 to 1", "won", "+11.875", "4.1.2"],
        ["Tie", "3", "loses", "lost", "-3", "4.1.3"],
        ["Player Insurance, third card", "25", "player loses", "4 to 1", "won", "+100", "4.1.9"],
        ["total", "140.5", "+8.875"],
    ]
    assert widest(ran.out) <= WIDTH


def test_settle_in_json(run: Run) -> None:
    ran = run(*SETTLE, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    columns = ("id", "name", "stake", "outcome", "odds", "result", "net", "clause", "condition")
    lines = [
        ("player", "Player", "100", "loses", None, "lost", "-100", "4.1.2"),
        ("banker", "Banker", "25/2", "Banker wins", "0.95 to 1", "won", "95/8", "4.1.2"),
        ("tie", "Tie", "3", "loses", None, "lost", "-3", "4.1.3"),
        (
            "player@player-third-card",
            "Player Insurance, third card",
            "25",
            "player loses",
            "4 to 1",
            "won",
            "100",
            "4.1.9",
        ),
    ]
    assert json.loads(ran.out) == {
        "schema": "combinat/settle/1",
        "game": COMMISSION_2024,
        "player": ["5", "K", "2"],
        "banker": ["4", "Q", "5"],
        "procedure": None,
        "lines": [dict(zip(columns, (*line, None), strict=True)) for line in lines],
        "staked": "281/2",
        "net": "71/8",
    }


def test_settle_in_csv(run: Run) -> None:
    ran = run(*SETTLE, "--format", "csv")
    assert (ran.code, ran.err) == (0, "")
    assert list(csv.reader(io.StringIO(ran.out))) == [
        ["bet", "stake", "outcome", "odds", "result", "net", "clause"],
        ["Player", "100", "loses", "", "lost", "-100", "4.1.2"],
        ["Banker", "12.5", "Banker wins", "0.95 to 1", "won", "+11.875", "4.1.2"],
        ["Tie", "3", "loses", "", "lost", "-3", "4.1.3"],
        ["Player Insurance, third card", "25", "player loses", "4 to 1", "won", "+100", "4.1.9"],
        ["total", "140.5", "", "", "", "+8.875", ""],
    ]


def test_settle_in_markdown(run: Run) -> None:
    ran = run(*SETTLE, "--format", "markdown")
    assert (ran.code, ran.err) == (0, "")
    sentence, blank, *table = ran.out.splitlines()
    assert (sentence, blank) == ("Player 5 K 2 (7 points), Banker 4 Q 5 (9 points).", "")
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    assert cells[0] == ["bet", "stake", "outcome", "odds", "result", "net", "clause"]
    assert all(set(cell) <= set(":-") for cell in cells[1])
    assert cells[3] == ["Banker", "12.5", "Banker wins", "0.95 to 1", "won", "+11.875", "4.1.2"]
    assert cells[-1] == ["total", "140.5", "", "", "", "+8.875", ""]


def test_settle_in_latex(run: Run) -> None:
    ran = run(*SETTLE, "--format", "latex")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert (lines[0], lines[-1]) == (r"\begin{tabular}{lrlllrl}", r"\end{tabular}")
    rows = [[cell.strip() for cell in line.removesuffix(r"\\").split("&")] for line in lines if "&" in line]
    assert rows[2] == ["Banker", "12.5", "Banker wins", "0.95 to 1", "won", "+11.875", "4.1.2"]
    assert len(rows) == 6


def test_settle_a_round_with_every_bet_fits_the_terminal(run: Run) -> None:
    stakes = [word for bet in BETS[NONCOMMISSION_2025] for word in ("--stake", f"{bet}=100000.25")]
    ran = run("settle", NONCOMMISSION_2025, "--player", "7 7 2", "--banker", "7 7 9", *stakes)
    assert ran.code == 0
    assert widest(ran.out) <= WIDTH


def test_settle_on_a_layout_takes_its_bets_alone(run: Run) -> None:
    settle = ["settle", NONCOMMISSION_2025, "--player", "K 7", "--banker", "Q 6", "--layout", "P"]
    assert run(*settle, "--stake", "player-small-7=1").code == 0
    assert refused(run, *settle, "--stake", "player-char-siu=1") == (
        "player-char-siu: layout P does not offer Player Char Siu (4.1.13); "
        "it is on A, B, C, D, E, F, G, H, I, J, K, L, O, Q, R"
    )


def test_settle_a_void_round_needs_no_cards(run: Run) -> None:
    void = run(
        "settle", COMMISSION_2013, "--stake", "player=5", "--procedure", "insufficient-cards", "-f", "json"
    )
    record = json.loads(void.out)
    assert (record["player"], record["banker"], record["net"]) == ([], [], "0")
    assert record["lines"][0]["result"] == "returned"
    text = run(
        "settle", COMMISSION_2013, "--player", "5", "--stake", "player=5", "--procedure", "insufficient-cards"
    )
    assert text.out.startswith("Player 5, Banker -.\n")


def test_settle_checks_the_table_maximum(run: Run) -> None:
    settle = [
        "settle", COMMISSION_2024, "--player", "5 K 3", "--banker", "4 Q 5",
        "--stake", "player=1000", "--insure", "player@player-third-card=250",
    ]  # fmt: skip
    assert run(*settle, "--table-max", "1000").code == 0
    assert refused(run, *settle, "--table-max", "999.99") == (
        "player@player-third-card: the stake of 250 is over the limit of 249.9975, "
        "25% of the table maximum (3.12.2)"
    )
    assert refused(run, *settle) == (
        "player@player-third-card: at 10 to 1 the stake may not exceed 25% of the table maximum (3.12.2); "
        "give the table maximum so that this can be checked (--table-max AMOUNT)"
    )


def test_settle_says_how_to_stake_on_the_hand_that_is_insured(run: Run) -> None:
    settle = ["settle", COMMISSION_2024, *ROUND, "--stake", "banker=100", "--insure", "player@four-cards=10"]
    message = refused(run, *settle)
    assert message.startswith("player@four-cards: there is no stake on player to insure (")
    assert message.endswith("); add one on player (--stake player=AMOUNT)")


@pytest.mark.parametrize("amount", ["", "-1000", "1e3", "1,000", "1234567890123456"])
def test_a_table_maximum_that_cannot_be_read_is_refused(run: Run, amount: str) -> None:
    assert refused(
        run, "settle", COMMISSION_2024, *ROUND, "--stake", "player=100", f"--table-max={amount}"
    ) == (f"--table-max: {bad_amount(amount)}")


@pytest.mark.parametrize("amount", ["0", "0.00"])
def test_a_table_maximum_of_nothing_is_refused(run: Run, amount: str) -> None:
    settle = ["settle", COMMISSION_2024, *ROUND, "--stake", "player=100"]
    assert refused(run, *settle, "--table-max", amount) == (
        "--table-max: the table maximum must be more than 0"
    )


def bad_amount(amount: str) -> str:
    """What is said of an amount that cannot be read."""
    return (
        f'amount: found "{amount}"; write digits with at most one point, such as 100 or 12.50 '
        "(15 digits and 9 decimals at most)"
    )


@pytest.mark.parametrize("amount", ["-5", "1e3", "1,000", "1234567890123456", "0.0123456789"])
def test_a_bad_amount_is_refused_where_it_stands(run: Run, amount: str) -> None:
    refusal = bad_amount(amount)
    settle = ["settle", COMMISSION_2024, *ROUND, "--stake"]
    assert refused(run, *settle, f"player={amount}") == f"--stake player: {refusal}"
    insure = ["--insure", f"player@four-cards={amount}"]
    assert refused(run, *settle, "player=100", *insure) == f"--insure player@four-cards: {refusal}"


@pytest.mark.parametrize(
    "amount", ["ten", "+5", " 5", "5 ", "5\n", "5.", ".5", "1_000", "1/3", "$5", "5%", "0x10", "٥", "nan", ""]
)
def test_an_amount_is_digits_with_at_most_one_point(amount: str) -> None:
    with pytest.raises(StakeError) as bad:
        parse_money(amount)
    assert str(bad.value) == bad_amount(amount)


@pytest.mark.parametrize(
    ("amount", "written"), [("100", "100"), ("12.50", "12.5"), ("0.01", "0.01"), ("007", "7")]
)
def test_an_amount_is_written_as_it_is_read(amount: str, written: str) -> None:
    assert format_money(parse_money(amount)) == written
    assert parse_money(written) == parse_money(amount) == Fraction(amount)


def test_a_stake_of_nothing_is_refused(run: Run) -> None:
    assert refused(run, "settle", COMMISSION_2024, *ROUND, "--stake", "player=0.00") == (
        "player: the stake must be more than 0; found 0"
    )


@pytest.mark.parametrize("word", ["player", "player=", "=5", "=", "", "player:5"])
def test_a_malformed_stake_is_refused(run: Run, word: str) -> None:
    assert refused(run, "settle", COMMISSION_2024, *ROUND, "--stake", word) == (
        f'--stake: found "{word}"; write BET=AMOUNT'
    )


@pytest.mark.parametrize("word", ["player", "player@four-cards", "player@four-cards=", "=5"])
def test_a_malformed_insurance_bet_is_refused(run: Run, word: str) -> None:
    assert refused(run, "settle", COMMISSION_2024, *ROUND, "--stake", "player=100", "--insure", word) == (
        f'--insure: found "{word}"; write HAND@STAGE=AMOUNT'
    )


@pytest.mark.parametrize("word", ["tie", "tie=", "=9 to 1", ""])
def test_malformed_odds_of_a_bet_are_refused(run: Run, word: str) -> None:
    assert refused(run, "odds", COMMISSION_2024, "--pays", word) == (
        f'--pays: found "{word}"; write BET=ODDS'
    )


@pytest.mark.parametrize("word", ["banker:four-cards:6-5", "banker:four-cards:6-5=", "=3 to 1", ""])
def test_malformed_odds_of_an_insurance_state_are_refused(run: Run, word: str) -> None:
    assert refused(run, "insurance", COMMISSION_2024, "--pays", word) == (
        f'--pays: found "{word}"; write STATE=ODDS'
    )


@pytest.mark.parametrize(
    "name", ["player", "player@", "@four-cards", "player@river", "tie@four-cards", "player@@"]
)
def test_insurance_on_an_unknown_hand_or_stage_is_refused(run: Run, name: str) -> None:
    assert refused(
        run, "settle", COMMISSION_2024, *ROUND, "--stake", "player=100", "--insure", f"{name}=5"
    ) == (
        f'--insure: found "{name}"; write player or banker, then @four-cards or @player-third-card, '
        "such as player@four-cards=50"
    )


def test_a_stake_given_twice_is_refused(run: Run) -> None:
    settle = ["settle", COMMISSION_2024, *ROUND, "--stake", "player=100"]
    assert refused(run, *settle, "--stake", "player=50") == '--stake: "player" is given twice; write it once'
    insure = ["--insure", "player@four-cards=5"]
    assert refused(run, *settle, *insure, *insure) == (
        '--insure: "player@four-cards" is given twice; write it once'
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [*ROUND, "--insure", "player@four-cards=5"],
            "--insure: nothing is staked; add --stake BET=AMOUNT, such as --stake banker=100",
        ),
        (
            ["--player", "5 K 1", "--banker", "4 K 5", "--stake", "tie=1"],
            'card "1" does not exist; write one of A 2 3 4 5 6 7 8 9 10 J Q K',
        ),
        (
            ["--player", "5 K", "--banker", "4 K 5", "--stake", "tie=1"],
            "Player Hand: a third card is missing: Player has 5, so it draws (3.15)",
        ),
        (
            ["--player", "5 K 9", "--banker", "4 K 5", "--stake", "tie=1"],
            "Banker Hand: the third card 5 is against the Table of Play: "
            "Banker has 4 and the Player's third card is worth 9, so it stands (3.15)",
        ),
        (
            ["--stake", "tie=1"],
            "Player Hand: found 0 cards; a finished hand has two or three (3.15)",
        ),
        (
            ["--player", "5 K 2", "--banker", "4", "--stake", "tie=1"],
            "Banker Hand: found 1 card; a finished hand has two or three (3.15)",
        ),
        (
            [*ROUND, "--stake", "tie=1", "--procedure", ""],
            f'{COMMISSION_2024} has no procedure "". It has: technical-interruption, '
            "technical-interruption-outcome, foreign-card, wrong-deck, wrong-number-of-cards, "
            "wrong-number-reconstructed, wrong-number-after-outcome, insufficient-cards, not-shuffled, "
            "excess-cards, excess-cards-after-outcome, exposed-cards, exposed-cards-after-outcome, wrong-side, "
            "wrong-side-after-outcome, face-up, face-up-after-outcome, simultaneous-cards, late-error, "
            "dealing-error, squeeze, insurance-not-offered, insurance-offered-late, insurance-forgotten, "
            "silent-player, walked-away, late-bet, withdrawn-bet, misplaced-bet, wrong-display, unforeseen",
        ),
        (
            [*ROUND, "--stake", "tiger-bufalo=1"],
            f'{COMMISSION_2024} has no bet "tiger-bufalo"; did you mean tiger-buffalo? '
            f"It has: {', '.join(BETS[COMMISSION_2024])}",
        ),
        (
            [*ROUND, "--stake", "tie=1", "--insure", "banker@four-cards=1"],
            "banker@four-cards: not on offer with Player 5, Banker 4: "
            "the table does not list these totals (4.1.9)",
        ),
    ],
)
def test_what_cannot_be_settled_is_said_in_one_line(run: Run, arguments: list[str], message: str) -> None:
    assert refused(run, "settle", COMMISSION_2024, *arguments) == message


@pytest.mark.parametrize(
    ("game_id", "clause"),
    [(COMMISSION_2013, "3.6"), (COMMISSION_2024, "3.13"), (NONCOMMISSION_2025, "3.11")],
)
def test_a_wrong_banker_hand_is_refused_with_the_clause_on_a_player_hand_that_stood(
    run: Run, game_id: str, clause: str
) -> None:
    settle = ["settle", game_id, "--player", "6 K", "--banker", "5 K", "--stake", "tie=1"]
    assert refused(run, *settle) == (
        f"Banker Hand: a third card is missing: Banker has 5 and Player stood, so it draws ({clause})"
    )


@pytest.mark.parametrize(
    ("game_id", "clause"), [(COMMISSION_2013, "3.7"), (COMMISSION_2024, "3.15"), (NONCOMMISSION_2025, "3.12")]
)
def test_a_wrong_hand_is_refused_with_the_clause_of_the_game(run: Run, game_id: str, clause: str) -> None:
    settle = ["settle", game_id, "--player", "6 K 2", "--banker", "4 K", "--stake", "tie=1"]
    assert refused(run, *settle) == (
        f"Player Hand: the third card 2 is against the Table of Play: Player has 6, so it stands ({clause})"
    )


# ---------------------------------------------------------------- the names of options

OPTION = re.compile(r"(?:^|\s)--[a-z][a-z-]*+(?!:)")
"""An option in a text; ``--ink: #1a1a1a`` of a style sheet is none."""


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every string of a module with its line, but not what documents it."""
    documentation = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documentation:
            yield node.lineno, node.value


def test_only_the_command_line_knows_the_names_of_options() -> None:
    """The checker is a program of its own, with options of its own."""
    package = Path(combinat.__file__).parent
    modules = sorted(package.rglob("*.py"))
    library = [path for path in modules if path.parent.name != "cli" and path.name != "checker.py"]
    assert len(library) > 50
    named = [
        f"{path.relative_to(package)}:{line}: {text.strip()}"
        for path in library
        for line, text in texts(ast.parse(path.read_text("utf-8")))
        if OPTION.search(text)
    ]
    assert named == []


def test_an_option_in_a_text_is_noticed() -> None:
    module = '''"""--documented"""
def one(stem):
    """As --out says."""
    return f"{stem}: choose another --out", "--decks N", "a -- b", "a--b", "{ --ink: #000; }"
'''
    named = {text for _, text in texts(ast.parse(module)) if OPTION.search(text)}
    assert named == {": choose another --out", "--decks N"}


# ---------------------------------------------------------------- report


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_report_to_a_place_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", "utf-8")
    small = TESTS / "books" / "small-baccarat.toml"
    options = ["--decks", "1", "--formats", "markdown", "--out", str(tmp_path / "file")]
    assert refused(run, "report", str(small), *options) == (
        f"--out: {tmp_path}/file is no folder; write another name, such as --out filing"
    )
    assert files(tmp_path) == {"file": b"not a folder"}


def test_report_of_an_unknown_game_writes_nothing(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "filing"
    assert refused(run, "report", COMMISSION_2013, "nonesuch", "--out", str(out)).startswith(
        'no game "nonesuch"'
    )
    assert not out.exists()
