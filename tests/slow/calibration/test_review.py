"""Whom a review names, over many logs of made-up players (``make slow M=calibration``)."""

from fractions import Fraction
from pathlib import Path

from combinat import review
from tests.audit.made_up_players import PLAYERS, dealt, write_log


def test_error_rates_over_many_logs(tmp_path: Path) -> None:
    """Of 40 logs of 20 shoes: mood is named at 5 % in one in twenty, flat stakes and the clock never; counting always."""
    logs, low, named = 40, 0, dict.fromkeys(PLAYERS, 0)
    for seed in range(logs):
        write_log(tmp_path / "log.csv", dealt(20, seed=1000 + seed), PLAYERS)
        answer = review(tmp_path / "log.csv")
        for player in answer.players:
            named[player.player] += player.is_conspicuous
            if player.player == "moody":
                low += (player.bets[0].edge.chance or 1) <= Fraction(1, 20)
    assert low <= 7  # binomial, 40 at 5 %: more in 1 of 200
    assert (named["flat"], named["clock"]) == (0, 0)
    assert named["moody"] + named["tie-chaser"] <= 3
    assert min(named["counter"], named["perfect"]) >= 36
