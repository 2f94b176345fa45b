"""Known faults: each does what it says, is named in the file, and is seen by a cross-check of the log."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from combinat import Shoe, analyze, load_game
from combinat.errors import FaultError
from combinat.rules.table_of_play import STOOD
from combinat.simulate import simulation
from combinat.simulate.fault import FORMS, PARTS, Fault
from combinat.simulate.simulation import Simulation
from tests.claims import repeating
from tests.conftest import Run
from tests.documents import COMMISSION_2013

GAME = load_game(COMMISSION_2013)

EXAMPLES = (
    "wrong-cell 6/7",
    "wrong-cell 5/stood",
    "player draws on 6",
    "player stands on 5",
    "one card missing 9",
    "one card too many 10",
    "infinite deck",
    "copies first card 5%",
    "duplicated rows 2%",
    "paid wrong banker=1 to 1 in 1%",
    "player +0.5%",
    "tie -1.25 %",
)


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_form_is_read(text: str) -> None:
    fault = Fault.parse(text)
    assert Fault.parse(fault.text) == fault
    fault.of_game(GAME)


def test_no_form_is_without_an_example() -> None:
    assert len({Fault.parse(text).kind for text in EXAMPLES}) == len(FORMS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("wrong cell", 'found "wrong cell"; write one of wrong-cell B/T; player draws on N'),
        ("wrong-cell 8/3", "nobody draws on a natural 8"),
        ("player draws on 5", "the Player Hand draws on 5 as it is"),
        ("player stands on 7", "the Player Hand stands on 7 as it is"),
        ("one card missing 11", "11"),
        ("duplicated rows 0%", "found 0 %"),
        ("paid wrong tie=much in 1%", "write the profit to a stake"),
    ],
)
def test_what_is_no_fault_is_refused(run: Run, tmp_path: Path, text: str, said: str) -> None:
    ran = run("simulate", COMMISSION_2013, "--out", str(tmp_path / "log.csv"), "--fault", text)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.startswith("combinat: --fault: ")
    assert ran.err.count("\n") == 1


def test_only_the_cell_named_is_another() -> None:
    right, wrong = GAME.table_of_play, Fault.parse("wrong-cell 6/7").of_game(GAME).table_of_play
    differing = [
        (points, third)
        for points in range(8)
        for third in range(STOOD + 1)
        if right.banker[points][third] != wrong.banker[points][third]
    ]
    assert (differing, right.player) == ([(6, 7)], wrong.player)
    stood = Fault.parse("wrong-cell 6/stood").of_game(GAME).table_of_play
    assert (stood.banker[6][STOOD], right.banker[6][STOOD]) == (True, False)


@pytest.fixture
def few_shoes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of whole shoes so small that a few hundred rounds are no work."""
    monkeypatch.setattr(simulation, "SHOES", 20)


def simulated(text: str, rounds: int = 40_000, cut_card: int | None = None) -> Simulation:
    return Simulation(
        game=GAME, shoe=Shoe.of_decks(8), rounds=rounds, seed=3, fault=Fault.parse(text), cut_card=cut_card
    )


def test_a_bet_comes_oftener_by_what_is_said() -> None:
    """The exact share of rounds that are replaced moves the expected value by the points named."""
    bet = analyze(GAME, Shoe.of_decks(8)).bet("player")
    wins = [line for line in bet.outcomes if line.net > 0]
    often = sum((line.probability for line in wins), Fraction(0))
    mean = sum((line.net * line.probability for line in wins), Fraction(0)) / often
    share = Fraction(simulated("player +0.5%").part, PARTS)
    moved = (1 - share) * bet.expected_value + share * mean - bet.expected_value
    assert abs(moved - Fraction(1, 200)) < Fraction(1, 10**7)
    with pytest.raises(FaultError, match="cannot be that far off"):
        _ = simulated("tie -99%").part


@pytest.mark.usefixtures("few_shoes")
def test_with_a_fault_the_dealer_copies_and_duplicates() -> None:
    copied, doubled = (simulated(text).batch(0) for text in ("copies first card 5%", "duplicated rows 2%"))
    first = copied.dealt.player[0]
    assert 0.11 < float((first[1:] == first[:-1]).mean()) < 0.135  # 1/13 of the rest, and 5 %
    assert 40_600 < doubled.rounds < 41_000
    in_shoes = simulated("copies first card 50%", rounds=1000, cut_card=14).batch(0)
    first = in_shoes.dealt.player[0]
    assert 0.5 < float((first[1:] == first[:-1]).mean()) < 0.56


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("wrong-cell 6/7", "impossible deal"),
        ("copies first card 8%", "off beyond chance"),
        ("duplicated rows 4%", "off beyond chance"),
        ("paid wrong banker=1 to 1 in 1%", "wrong settlement"),
    ],
)
def test_a_log_with_a_fault_says_so_and_is_seen(run: Run, tmp_path: Path, text: str, why: str) -> None:
    log = tmp_path / "log.csv"
    ran = run("simulate", COMMISSION_2013, "--rounds", "2000", "--fault", text, "--out", str(log))
    assert ran.code == 0
    assert f"with a known fault: {text}" in ran.out
    assert f"with a known fault: {text}" in log.read_text("utf-8").splitlines()[2]
    verdict = repeating(run)("crosscheck", str(log))
    assert verdict.code == 1
    assert why in verdict.out


def test_counts_with_a_fault_say_so_and_are_seen(run: Run, tmp_path: Path) -> None:
    counts, text = tmp_path / "sim.json", "paid wrong banker=1 to 1 in 1%"
    words = ["simulate", COMMISSION_2013, "--rounds", "50000", "--fault", text, "--out", str(counts)]
    assert run(*words).code == 0
    said = json.loads(counts.read_text("utf-8"))
    assert said["made_by"]["known fault"] == text
    nets = Counter(
        {
            result["net"]: result["rounds"]
            for bet in said["bets"]
            if bet["id"] == "banker"
            for result in bet["results"]
        }
    )
    assert nets.total() == 50_000
    assert 150 < nets["1"] < 310  # 1 % of 45.86 % of the rounds
    assert repeating(run)("crosscheck", str(counts)).code == 1
    assert run(*words, "--shoe-dealing").code == 2


@pytest.mark.usefixtures("few_shoes")
def test_an_infinite_deck_overdraws_a_shoe(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    words = ("--rounds", "100", "--decks", "1", "--cut-card", "6", "--shoe-dealing", "--out", str(log))
    assert run("simulate", COMMISSION_2013, "--fault", "infinite deck", *words).code == 0
    verdict = repeating(run)("crosscheck", str(log))
    assert verdict.code == 1
    assert "than the 4 that the shoe holds" in verdict.out
    refused = run("simulate", COMMISSION_2013, "--fault", "tie +1%", *words)
    assert (refused.code, "shuffle afresh for every round" in refused.err) == (2, True)
