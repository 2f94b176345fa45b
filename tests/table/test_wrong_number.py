"""A hand with a wrong number of cards that cannot be reconstructed: void (5.5.3), whatever the incident is called.

5.12 (5.13 in 2025) opens options only after errors that 5.5 does not describe. In every example Player K K (0) against
Banker 8 K (8) takes no third card, and a 5 was drawn after them.
"""

import pytest

from combinat import ruling
from tests.conftest import Run
from tests.documents import COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025

MODERN = (COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025)
WITH_OPTIONS = ("excess-cards", "exposed-cards", "wrong-side", "face-up", "dealing-error")
CARDS = "K 8 K K 5"


@pytest.mark.parametrize("game", MODERN)
@pytest.mark.parametrize("incident", WITH_OPTIONS)
def test_three_cards_where_two_belong_are_void(game: str, incident: str) -> None:
    made = ruling(game, incident, CARDS, player="K K 5", banker="8 K", reconstructible=False)
    assert (made.ruling, made.cited) == ("void", "5.5.3, 5.16")
    assert not made.options
    assert set(made.worths.values()) == {0}


@pytest.mark.parametrize("game", MODERN)
def test_a_wrong_number_is_void_where_the_hands_as_they_lay_establish_an_outcome(game: str) -> None:
    """By order Player 2 6 (8) against Banker K 9 (9): over. As it lay, Player 2 K draws the last card: 3 cards for 2."""
    made = ruling(game, "excess-cards", "2 K 6 9 5", player="2 K 5", banker="6 9", reconstructible=False)
    assert made.outcome_established
    assert (made.ruling, made.cited) == ("void", "5.5.3, 5.16")


@pytest.mark.parametrize("game", MODERN)
@pytest.mark.parametrize("incident", ["excess-cards", "exposed-cards", "face-up", "dealing-error"])
def test_hands_that_are_not_known_have_no_value(game: str, incident: str) -> None:
    """The 5 may lie in a hand (void) or beside it (options): "as it is" has no value, so nothing is best or costs."""
    made = ruling(game, incident, CARDS, reconstructible=False, stakes={"player-pair": 100})
    assert made.ruling == "options"
    assert "both hands have the right number of cards" in made.condition
    assert "5.5.3" in made.condition
    as_it_is = made.options[0]
    assert (as_it_is.id, as_it_is.is_open, as_it_is.dealt, as_it_is.values) == ("continue", True, None, None)
    assert {(choice.best, choice.cost) for choice in made.choices} == {((), None)}
    assert made.total_cost is None


def test_a_cost_that_is_unknown_is_null_in_json_and_a_dash_in_text(run: Run) -> None:
    argv = [
        "ruling",
        NONCOMMISSION_2024,
        "--incident",
        "excess-cards",
        "--cards",
        CARDS,
        "--cannot-reconstruct",
    ]
    argv += ["--layout", "A", "--stake", "player-pair=100"]
    record = run(*argv, "--format", "json").document()
    pair = next(one for one in record["choices"] if one["bet"] == "player-pair")
    assert (pair["best"], pair["cost"], pair["money"]) == ([], None, None)
    line = next(line for line in run(*argv).output().splitlines() if line.startswith("player-pair "))
    assert line.split() == ["player-pair", "-", "+1100.0000", "0.0000", "-", "-"]
