"""``--pays``: other odds for a whole bet or for one line by its name, in every command that reads odds so."""

import json
from fractions import Fraction

import pytest

from combinat import Shoe, load_game
from combinat.analysis.analysis import analyze
from combinat.analysis.what_if import with_odds
from combinat.rules.odds import Odds
from tests.conftest import VOCABULARY, Run
from tests.documents import NONCOMMISSION_2025
from tests.test_cli import refused

SHOE = Shoe.of_decks(8)
LINE = "tiger:three cards"


def test_one_line_is_changed_and_the_others_stay() -> None:
    game = load_game(NONCOMMISSION_2025)
    for odds, net in {"24 to 1": Fraction(24), "push": Fraction(0), "lose": Fraction(-1)}.items():
        other = with_odds(game, {LINE: [Odds.parse(odds)]})
        assert [pay.odds.net for pay in other.bet("tiger").pays] == [12, net]
        assert [bet for bet in other.bets if bet.id != "tiger"] == [
            bet for bet in game.bets if bet.id != "tiger"
        ]
        ways = 12 * 186173936904192 + net * 83058367551488
        lost = 4998398275503360 - 186173936904192 - 83058367551488
        value = analyze(other, SHOE).bet("tiger").expected_value
        assert value == Fraction(ways - lost, 4998398275503360)


def test_a_whole_bet_comes_before_its_lines_and_a_push_can_be_made_to_pay() -> None:
    game = load_game(NONCOMMISSION_2025)
    tried = {LINE: [Odds.parse("push")], "tiger": [Odds.parse("13 to 1"), Odds.parse("21 to 1")]}
    assert [pay.odds for pay in with_odds(game, tried).bet("tiger").pays] == ["13 to 1", "push"]
    paid = with_odds(game, {"player:tie": [Odds.parse("1 to 2")]}).bet("player")
    assert [pay.odds for pay in paid.pays] == ["1 to 1", "1 to 2"]


def test_a_commission_is_part_of_the_odds_that_are_replaced() -> None:
    for name in ("banker-less-4", "banker-less-4:Banker wins"):
        bet = with_odds(load_game(VOCABULARY), {name: [Odds.parse("1 to 1")]}).bet("banker-less-4")
        assert bet.pays[0].odds.net == 1


@pytest.mark.parametrize(
    "words",
    [
        ["odds", NONCOMMISSION_2025, "--bet", "tiger"],
        ["solve", NONCOMMISSION_2025, "tiger", "--edge", "9%"],
        ["round", NONCOMMISSION_2025, "--player", "5 K", "--banker", "K 6"],
        ["removal", NONCOMMISSION_2025, "--bet", "tiger"],
        ["count", NONCOMMISSION_2025, "tiger", "--tags", "6=-3 7=1 8=1 9=1", "--left", "104"],
        ["formula", NONCOMMISSION_2025, "tiger", "--decks", "8"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_that_tries_odds_says_so(run: Run, words: list[str]) -> None:
    trying = [*words, "--pays", f"{LINE}=24 to 1"]
    assert "Not the document's odds: tiger:three cards at 24 to 1" in run(*trying).out
    if words[0] == "formula":
        assert run(*trying, "--format", "latex").out.startswith(
            "% Not the document's odds: tiger:three cards at"
        )
    record, plain = (json.loads(run(*each, "--format", "json").out) for each in (trying, words))
    assert record.pop("pays") == {LINE: ["24 to 1"]}
    assert record != plain
    assert "pays" not in plain


def test_a_mistake_is_one_line(run: Run) -> None:
    odds = ("odds", NONCOMMISSION_2025, "--pays")
    assert refused(run, *odds, "tiger:three card=push") == (
        '--pays tiger: there is no line "three card"; did you mean three cards? It has: two cards, three cards'
    )
    assert refused(run, *odds, f"{LINE}=push,push") == (
        f"--pays {LINE}: found 2 odds; write one, for this line"
    )
    assert "has no bet" in refused(run, *odds, "tigress:x=push")
