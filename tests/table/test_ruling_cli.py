"""``combinat ruling`` and ``combinat round --next``, as people and programs read them."""

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from combinat import Shoe, load_game
from combinat.analysis.round_in_progress import round_in_progress
from combinat.cli.app import COMMANDS
from combinat.rules.cards import RANKS, parse_cards
from tests.conftest import SMALL_BOOK, Run
from tests.csv_columns import without_decimals
from tests.documents import BETS, COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.oracle import plain_round
from tests.table.tables import plainly

FORMATS = ("text", "markdown", "csv", "json", "latex")


def record(run: Run, *words: str) -> dict[str, Any]:
    """The JSON that a command prints; no number in it is a float."""

    def refuse(text: str) -> None:
        raise AssertionError(f"the float {text} in JSON")

    ran = run(*words, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    made: dict[str, Any] = json.loads(ran.out, parse_float=refuse)
    return made


def refused(run: Run, *words: str) -> str:
    """The one line of a command that could not be carried out."""
    ran = run(*words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "Traceback" not in ran.err
    return ran.err.removeprefix("combinat: ").rstrip("\n")


# ---------------------------------------------------------------- ruling

SIMULTANEOUS = ["ruling", NONCOMMISSION_2025, "--incident", "simultaneous-cards", "--cards", "5 K K 6 7 3"]


def test_the_schema(run: Run) -> None:
    made = record(run, *SIMULTANEOUS, "--layout", "p", "--stake", "player=100")
    wanted = {
        "schema", "game", "incident", "clauses", "outcome_established", "decided", "round", "next_round",
        "ruling", "options",
    }  # fmt: skip
    assert wanted <= set(made)
    assert (made["schema"], made["game"], made["incident"]) == (
        "combinat/ruling/1",
        NONCOMMISSION_2025,
        "simultaneous-cards",
    )
    assert made["clauses"] == ["5.11", "5.11.1", "5.11.2", "5.13"]
    assert made["outcome_established"] is True
    assert {"bet": "tie", "result": "lost"} in made["decided"]
    assert made["round"] == {"player": ["5", "K", "7"], "banker": ["K", "6", "3"], "next": None}
    assert (made["next_round"], made["ruling"], made["layout"]) == ([], "options", "P")
    first, second, back = made["options"]
    assert (first["id"], first["clause"], first["order"]) == ("continue-1", "5.13.1", ["7", "3"])
    assert (first["values"]["player"], second["values"]["player"], back["values"]["player"]) == (
        "-1",
        "1",
        "0",
    )
    assert (first["worth"], second["worth"], back["worth"]) == ("-100", "100", "0")
    assert made["differences"]["player"] == "2"
    assert set(first["values"]) == {
        bet for bet, (_, layouts, _) in BETS[NONCOMMISSION_2025].items() if "P" in layouts
    }
    assert made["choices"][1] == {
        "bet": "player", "order": ["3", "7"], "best": ["continue-2"], "cost": "1", "money": "100",
    }  # fmt: skip


@pytest.mark.parametrize("incident", load_game(COMMISSION_2024).incident_ids)
def test_every_incident_in_every_format(run: Run, incident: str) -> None:
    words = ["ruling", COMMISSION_2024, "--incident", incident, "--cards", "K Q 6 5", "--stake", "player=100"]
    if incident == "insufficient-cards":
        words += ["--shoe", "K=1 Q=1 6=1 5=1"]
    if incident == "squeeze":
        words[5] = "5 K K 4"
    if incident == "wrong-side":
        words += ["--player", "Q 6", "--banker", "K 5"]
    for form in FORMATS:
        ran = run(*words, "--format", form, "-q")
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.strip()


def test_a_table_in_csv(run: Run) -> None:
    ran = run(
        "ruling", NONCOMMISSION_2024, "--incident", "dealing-error", "--cards", "5 K K 6 7", "--stake", "tie=2",
        "--format", "csv", "--part", "for the stakes",
    )  # fmt: skip
    header, row, _ = without_decimals(list(csv.reader(io.StringIO(ran.out))))
    assert header == [
        *("bet", "stake", "as_it_is", "reconstructed", "returned", "best", "wrong_choice_costs")
    ]
    value = plainly(NONCOMMISSION_2024, "5 K 7", "K 6", Shoe.of_decks(8).minus("5 K K 6 7"))["tie"][0]
    assert row == ["tie", "2", str(2 * value), str(2 * value), "0", "returned", str(-2 * value)]
    assert round(2 * value, 2) == Fraction(-64, 100)


def test_the_text_says_whose_it_is_and_where(run: Run) -> None:
    ran = run(
        "ruling", COMMISSION_2024, "--incident", "excess-cards", "--cards", "K Q 6 7 2", "--layout", "C"
    )
    words = " ".join(ran.out.split())
    assert "Ruling: continue (5.7). Play goes on, and the bets are settled by the cards." in words
    assert (
        "Decided by: the House, at its absolute discretion, on whether the cards can be reconstructed"
        in words
    )
    assert "Outcome established: yes (5.4.1): a bet of layout C is decided" in words
    assert "Round by the order of the cards (1.20): Player K 6 (6), Banker Q 7 (7)" in words
    assert "Into the next round: 2" in words


def test_without_a_layout_the_text_says_on_which_an_outcome_is_established(run: Run) -> None:
    every = run("ruling", COMMISSION_2024, "--incident", "technical-interruption", "--cards", "5 K K")
    assert "yes (5.4.1): on every layout" in every.out
    none = run("ruling", COMMISSION_2024, "--incident", "technical-interruption", "--cards", "5 K")
    assert "no (5.4.1): none of the available bets" in none.out


def test_an_outcome_on_some_layouts_alone(run: Run) -> None:
    """The only Ace is the Player's first card: a Player Pair is lost, where a layout offers it."""
    shoe = " ".join(f"{rank}=32" for rank in RANKS[1:])
    words = ["ruling", NONCOMMISSION_2025, "--incident", "technical-interruption", "--cards", "A"]
    made = record(run, *words, "--shoe", f"A=1 {shoe}")
    assert made["decided"] == [{"bet": "player-pair", "result": "lost"}]
    assert (made["ruling"], "".join(made["established_on"])) == ("continue", "ABDEGJKLMN")
    text = " ".join(run(*words, "--shoe", f"A=1 {shoe}").out.split())
    assert "all bets of the game taken as available: on A B D E G J-N, not on C F H I O-R" in text
    on_c = record(run, *words, "--shoe", f"A=1 {shoe}", "--layout", "C")
    assert (on_c["ruling"], on_c["outcome_established"]) == ("void", False)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--incident", "face-up", "--cards", "5 X"], '--cards: card "X" does not exist; write one of'),
        (["--incident", "face-up", "--cards", "5 5", "--shoe", "5=1"], "cannot remove 2 of 5: the shoe holds 1"),
        (["--incident", "face-up", "--shoe", "5=1", "--decks", "8"], "--shoe says all that is left"),
        (["--incident", "nothing"], 'has no incident "nothing". It has: technical-interruption, foreign-card'),
        (["--incident", "wrong-side", "--cards", "5 K"], 'say so, such as --player "5 K" --banker "3 6"'),
        (["--incident", "simultaneous-cards", "--cards", "5 K", "--together", "9"], '--together: found "9"; write'),
        (["--incident", "face-up", "--stake", "player=x"], "--stake player: amount: found"),
        (["--incident", "face-up", "--stake", "player=-5"], "--stake player: amount: found"),
        (["--incident", "face-up", "--layout", "C", "--stake", "player-pair=5"], "layout C does not offer Player Pair"),
        (["--incident", "face-up", "--layout", "Z"], 'has no layout "Z"'),
        ([], "--incident is missing"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(run: Run, words: list[str], message: str) -> None:
    assert message in refused(run, "ruling", COMMISSION_2024, *words)


def test_the_example_of_the_help_runs(run: Run) -> None:
    _, example = COMMANDS["ruling"]
    import shlex

    ran = run(*shlex.split(example)[1:])
    assert (ran.code, ran.err) == (0, "")


def test_a_new_set_of_cards(run: Run) -> None:
    made = record(run, *SIMULTANEOUS[:-1], "5 K K 6", "--new-set", "4")
    assert made["shoe"]["size"] == 208
    assert '--new-set: found "x"; write a whole number' in refused(run, *SIMULTANEOUS, "--new-set", "x")


def test_another_reading_is_followed_and_named(run: Run) -> None:
    words = ["ruling", COMMISSION_2024, "--incident", "technical-interruption", "--cards", "K 7 K"]
    reading = ["--reading", "available-bets-of-the-layout"]
    assert record(run, *words, "--stake", "player=1")["ruling"] == "continue"
    made = record(run, *words, "--stake", "player=1", *reading)
    assert (made["ruling"], made["readings"]) == ("void", ["available-bets-of-the-layout"])
    printed = run(*words, "--stake", "player-pair=1", *reading).out
    assert "yes (5.4.1): one of the bets that were staked is decided" in printed
    assert "available-bets-of-the-layout" in printed


def test_a_reading_by_the_stakes_asks_for_them(run: Run) -> None:
    words = ["ruling", NONCOMMISSION_2024, "--cards", "K 8 9 K", "--layout", "A"]
    reading = ["--reading", "available-bets-of-the-layout"]
    assert refused(run, *words, *reading, "--incident", "technical-interruption") == (
        "technical-interruption: nothing is staked, and under the reading followed an outcome is established by the "
        "bets that were staked (5.4.2, 5.16); say so, such as --stake banker=100"
    )
    assert run(*words, *reading, "--incident", "foreign-card").code == 0


def test_cards_that_cannot_be_reconstructed_count_as_they_lay(run: Run) -> None:
    """The second and third card changed places: Player 5 K draws, and by the order it would stand on 8."""
    words = ["ruling", NONCOMMISSION_2025, "--incident", "wrong-side", "--cards", "5 K 3 6", "--layout", "M"]
    words += ["--player", "5 K", "--banker", "3 6", "--cannot-reconstruct"]
    printed = run(*words).out
    assert "Round as it lay: Player 5 K (5), Banker 3 6 (9)" in printed
    assert "by the order of the cards" not in printed
    made = record(run, *words)
    assert {"bet": "banker", "result": "won"} in made["decided"]
    assert made["values"]["banker"] == made["options"][0]["values"]["banker"] == "1"


@pytest.mark.parametrize("incident", ["foreign-card", "wrong-deck", "not-shuffled"])
def test_a_void_round_says_one_thing_of_every_bet(run: Run, incident: str) -> None:
    """The Player Pair and the Banker Hand have won by the cards; the round is void, and that is all."""
    words = [
        "ruling",
        NONCOMMISSION_2025,
        "--incident",
        incident,
        "--cards",
        "5 K 5 9",
        "--stake",
        "banker=10",
    ]
    printed = run(*words).out
    assert not re.search(r"\bwon\b|\blost\b|\bopen\b|EV %|Next to draw|Outcome established", printed)
    assert len(re.findall(r"^[\w-]+ +returned$", printed, re.MULTILINE)) == 20
    made = record(run, *words)
    assert (set(made["values"].values()), made["money"]) == ({"0"}, {"banker": "0"})


@pytest.mark.parametrize("lay", [[], ["--player", "K 6 2", "--banker", "Q 7"]])
def test_a_round_that_cannot_be_told_has_no_results(run: Run, lay: list[str]) -> None:
    words = [
        "ruling",
        NONCOMMISSION_2025,
        "--incident",
        "wrong-number-of-cards",
        "--cards",
        "K Q 6 7 2",
        *lay,
    ]
    made = record(run, *words, "--cannot-reconstruct")
    assert (made["ruling"], made["outcome_established"], made["decided"]) == ("void", False, [])
    assert (made["next_round"], set(made["values"].values()), made["established_on"]) == ([], {"0"}, [])
    printed = run(*words, "--cannot-reconstruct").out
    assert not re.search(r"\bwon\b|\blost\b|Into the next round", printed)
    assert "Outcome established: not to be told: the cards cannot be reconstructed" in printed
    assert record(run, *words)["next_round"] == ["2"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["wrong-side", "--cards", "5 K", "--player", "5", "--banker", "K"],
            "wrong-side: no card lay on the wrong side: by their order they belong where they lay (Player 5, Banker K) "
            "(5.8, 5.8.1, 5.8.2, 5.12); correct the cards, or leave the incident out",
        ),
        (["excess-cards"], "excess-cards: no card was drawn (5.7, 5.7.1, 5.12); correct the cards"),
        (["exposed-cards"], "exposed-cards: no card was drawn (5.7, 5.7.1, 5.12); correct the cards"),
        (["face-up"], "face-up: no card was drawn (5.9, 5.12); correct the cards"),
        (
            ["excess-cards", "--cards", "K Q 6 7"],
            "excess-cards: none of the cards is in excess: the round takes them all (Player K 6, Banker Q 7) (5.7",
        ),
        (
            ["silent-player", "--cards", "5 K"],
            "silent-player: no insurance has been on offer in this round (Player 5, Banker K) (5.3); correct",
        ),
        (["silent-player", "--cards", "9 K K 2"], "no insurance has been on offer in this round"),
        (["squeeze", "--cards", "5 K"], "no insurance has been on offer yet: four cards are not dealt (Player 5"),
        (["squeeze", "--cards", "K Q 6 5"], "squeeze: the Player Hand draws no third card (Player K 6, Banker Q 5)"),
        (
            ["technical-interruption", "--cards", "5 K", "--player", "K", "--banker", "5"],
            "technical-interruption: how the hands lay: no part of it (5.4.2, 5.16); leave that out",
        ),
        (
            ["foreign-card", "--cards", "5 K", "--cannot-reconstruct"],
            "foreign-card: whether the cards can be reconstructed: no part of it (5.5.1, 5.16); leave that out",
        ),
        (["simultaneous-cards", "--cards", "5 K", "--cannot-reconstruct"], "no part of it (5.10, 5.10.1, 5.10.2"),
        (["simultaneous-cards", "--cards", "5 K", "--player", "K", "--banker", "5"], "how the hands lay: no part"),
        (["squeeze", "--cards", "5 K K 4", "--cannot-reconstruct"], "no part of it (3.14)"),
    ],
)  # fmt: skip
def test_an_incident_that_the_cards_contradict_is_refused(run: Run, words: list[str], message: str) -> None:
    assert message in refused(run, "ruling", COMMISSION_2024, "--incident", *words)


@pytest.mark.parametrize("command", ["ruling", "settle"])
def test_what_a_silent_player_forgoes_is_said_by_the_reading(run: Run, command: str) -> None:
    words = ["ruling", COMMISSION_2024, "--incident", "silent-player", "--cards", "K Q 6 5"]
    if command == "settle":
        words = ["settle", COMMISSION_2024, "--player", "K 6", "--banker", "Q 5 2", "--stake", "player=1"]
        words += ["--procedure", "silent-player"]
    every, alone = "no further insurance in the round for this player", "this player forgoes that offer alone"
    taken = " ".join(run(*words).out.split())
    assert (every in taken, alone in taken) == (True, False)
    other = " ".join(run(*words, "--reading", "silent-player-forgoes-the-round").out.split())
    assert (every in other, alone in other) == (False, True)


def test_stakes_are_in_money_in_every_ruling(run: Run) -> None:
    words = ["ruling", COMMISSION_2024, "--layout", "A", "--stake", "player=100", "--stake", "tie=7"]
    void = [*words, "--incident", "technical-interruption", "--cards", "5 K"]
    assert record(run, *void)["money"] == {"player": "0", "tie": "0"}
    printed = run(*void).out
    assert re.search(r"^player +100 +returned +0\.00$", printed, re.MULTILINE)
    assert re.search(r"^total +107 +0\.00$", printed, re.MULTILINE)
    on = [*words, "--incident", "technical-interruption", "--cards", "5 K K 6"]
    values = plainly(COMMISSION_2024, "5 K", "K 6", Shoe.of_decks(8).minus("5 K K 6"))
    made = record(run, *on)
    assert made["money"] == {"player": str(100 * values["player"][0]), "tie": str(7 * values["tie"][0])}
    printed = run(*on).out
    assert re.search(r"^bet +stake +stands +if play goes on$", printed, re.MULTILINE)
    total = 100 * values["player"][0] + 7 * values["tie"][0]
    assert re.search(rf"^total +107 +{float(total):+.2f}$", printed, re.MULTILINE)
    assert record(run, *words, "--incident", "face-up", "--cards", "5 K")["money"] == {}
    assert "What becomes of the stakes" in run(*words, "--incident", "unforeseen").out


def test_money_of_a_void_round_is_that_of_the_settlement(run: Run) -> None:
    """Where decided bets are read to stand, and where all bets stay."""
    stakes = ["--stake", "player=5", "--stake", "player-pair=5"]
    told = ["--incident", "insufficient-cards", "--cards", "5 K K 6", "--shoe", "5=1 K=2 6=1"]
    settled = ["--player", "5 K", "--banker", "K 6", "--procedure", "insufficient-cards"]
    for reading in ([], ["--reading", "unfinished-round-void"]):
        made = record(run, "ruling", NONCOMMISSION_2025, *told, *stakes, *reading)
        lines = record(run, "settle", NONCOMMISSION_2025, *settled, *stakes, *reading)["lines"]
        assert (
            list(made["money"].values()) == [line["net"] for line in lines] == ["0", "-5" if reading else "0"]
        )
    foreign = ["ruling", COMMISSION_2013, "--incident", "foreign-card", "--cards", "5", "--stake", "player=5"]
    stays = run(*foreign, "--reading", "void-game-returns-bets").out
    assert re.search(r"^player +5 +stays for the next round +0\.00$", stays, re.MULTILINE)


def test_the_original_bet_of_neglected_insurance_in_words_and_money(run: Run) -> None:
    words = [
        "ruling",
        NONCOMMISSION_2024,
        "--incident",
        "insurance-neglected",
        "--layout",
        "A",
        "--stake",
        "banker=100",
    ]
    printed = " ".join(run(*words, "--cards", "K 6 5 K 4").out.split())
    assert "The original bet of those who had meant to insure it (5.13.2)" in printed
    told = re.sub(r"-100\.\d+|\+?0\.\d+|100", "", printed)
    assert all(word in told.split() for word in ("returned:", "would", "won"))
    (one,) = record(run, *words, "--cards", "K 6 5 K 4")["insurance"]
    assert (one["original_bet"], one["original_bet_value"], one["original_bet_worth"]) == ("banker", "0", "0")
    (earlier,) = record(run, *words, "--cards", "K 6 5 K")["insurance"]
    assert earlier["result"] is None
    assert Fraction(earlier["original_bet_worth"]) == 100 * Fraction(earlier["original_bet_value"])


# ---------------------------------------------------------------- round --next

IN_PROGRESS = ["round", COMMISSION_2013, "--player", "5 K", "--banker", "K 4"]


@pytest.mark.parametrize(
    ("coming", "hands", "beyond"),
    [("7", ("5 K 7", "K 4"), ""), ("7 2", ("5 K 7", "K 4 2"), ""), ("9 2 J", ("5 K 9", "K 4"), "2 J")],
)
def test_the_next_cards_may_be_known(run: Run, coming: str, hands: tuple[str, str], beyond: str) -> None:
    made = record(run, *IN_PROGRESS, "--next", coming)
    left = Shoe.of_decks(8).minus(f"5 K K 4 {coming}")
    for bet in made["bets"]:
        value, _ = plainly(COMMISSION_2013, *hands, left)[bet["id"]]
        assert bet["expected_value"] == str(value)
    assert (" ".join(made["coming"]), " ".join(made["beyond"])) == (
        coming.removesuffix(beyond).strip(),
        beyond,
    )
    assert made["shoe"]["size"] == left.size


def test_insurance_is_valued_with_the_next_card_known(run: Run) -> None:
    """Player 5 K, Banker K 4: insured at 2 to 1. A 7 brings the Player to 2: Banker Insurance at 4 to 1 follows."""
    made = record(run, *IN_PROGRESS, "--next", "7")
    left = Shoe.of_decks(8).minus("5 K K 4 7")
    counts = {str(rank): left[rank] for rank in parse_cards("A 2 3 4 5 6 7 8 9 10 J Q K")}
    wins = sum(count for card, count in counts.items() if (4 + plain_round.points(card)) % 10 > 2)
    ties = sum(count for card, count in counts.items() if (4 + plain_round.points(card)) % 10 == 2)
    lost = left.size - wins - ties
    player, banker = made["insurance"]
    assert (player["side"], player["stage"], banker["side"], banker["stage"]) == (
        "player", "four-cards", "banker", "player-third-card",
    )  # fmt: skip
    assert player["expected_value"] == str(Fraction(2 * wins - lost, left.size))
    assert banker["expected_value"] == str(Fraction(4 * lost - wins, left.size))


def test_the_text_says_what_is_known_to_come(run: Run) -> None:
    printed = run(*IN_PROGRESS, "--next", "9 2").out
    assert "Known to come: 9\n" in printed
    assert "Known, not of this round: 2\n" in printed
    assert "Insurance on offer, its next cards known" in printed
    assert "Known to come" not in run(*IN_PROGRESS).out


def test_known_cards_that_the_shoe_lacks_are_refused(run: Run) -> None:
    assert "cannot remove" in refused(run, *IN_PROGRESS, "--cards", "5=1 K=2 4=1 7=1", "--next", "7 7")
    assert "does not exist" in refused(run, *IN_PROGRESS, "--next", "X")


def test_the_mean_over_the_next_card_is_the_value_now() -> None:
    game, shoe = load_game(NONCOMMISSION_2025), Shoe.of_decks(8)
    dealt = game.round(parse_cards("5 K"), parse_cards("K 6"))
    left = shoe.minus("5 K K 6")
    now = {bet.id: bet.expected_value for bet in round_in_progress(game, dealt, shoe).bets}
    mean = dict.fromkeys(now, Fraction(0))
    for rank in parse_cards("A 2 3 4 5 6 7 8 9 10 J Q K"):
        for bet in round_in_progress(game, dealt, shoe, [rank]).bets:
            mean[bet.id] += bet.expected_value * Fraction(left[rank], left.size)
    assert mean == now


# ---------------------------------------------------------------- a rule book of a stranger


def test_the_words_of_a_stranger_are_data(run: Run, tmp_path: Path) -> None:
    """What happened, who decides and every clause are texts: in no format do they become anything else."""
    stated = r"""
[dealing_errors]
clause = "<b>1</b>"
outcome = "$x^2$"
reconstruction = "\\input{a}"
as_it_is = "a|b"
reconstructed = "=1+1"
returned = "`c`"

[[procedures]]
id = "rain"
clauses = ["<i>5</i>"]
when = "\\write18{ls} | <script>alert(1)</script> [x](y) & %"
effect = "options"
decides = "_who_ | $y$ \\end{document}"
"""
    text = SMALL_BOOK.read_text("utf-8").replace('id = "small-baccarat"', 'id = "rainy"')
    book = tmp_path / "rainy.toml"
    book.write_text(text.replace("[[interpretations]]", f"{stated}\n[[interpretations]]", 1), "utf-8")
    words = ["ruling", str(book), "--incident", "rain", "--cards", "5 K", "--decks", "1", "--format"]
    latex = run(*words, "latex")
    assert (latex.code, latex.err) == (0, "")
    assert not re.search(r"\\(write|input|end\{document)", latex.out)
    for command in (words, ["rules", str(book), "--format"]):
        markdown = run(*command, "markdown").out
        assert "<script>" not in markdown
        assert "[x](y)" not in markdown
        latex = run(*command, "latex")
        assert not re.search(r"\\(write|input|end\{document)", latex.out)
    assert json.loads(run(*words, "json").out)["decides"] == "_who_ | $y$ \\end{document}"
