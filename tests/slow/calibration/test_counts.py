"""How often right counts are suspected: all tests together, and the omnibus test by itself (``make slow M=calibration``)."""

from fractions import Fraction
from functools import cache

import msgspec
import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from combinat import Shoe, load_game
from combinat.analysis.verdict import Dealing, Score
from combinat.audit import crosscheck
from combinat.audit.crosscheck import judged
from combinat.audit.expected import Expected
from combinat.audit.statistics import g_test, pooled_cells, rounded
from combinat.montecarlo import simulation as dealing
from combinat.montecarlo.cell import PAIRINGS, STOOD, without_point_pairing
from combinat.montecarlo.observed import observed
from combinat.montecarlo.simulation import Simulation
from combinat.montecarlo.tally import LISTED
from tests.documents import NONCOMMISSION_2025

GAME = load_game(NONCOMMISSION_2025)
BETS = ("player", "banker", "tie", "player-pair", "tiger")
FEW = msgspec.structs.replace(GAME, bets=tuple(map(GAME.bet, BETS)), interpretations=())
THREE_RANKS, EIGHT = Shoe.parse("2=40 6=40 K=40"), Shoe.of_decks(8)


@cache
def tail_chances(rounds: int, probability: Fraction) -> npt.NDArray[np.float64]:
    """The chance of every count by the exact two-sided binomial test: of all counts that are no likelier."""
    likely = stats.binom.pmf(np.arange(rounds + 1), rounds, float(probability))
    ascending = np.sort(likely)
    no_likelier = np.searchsorted(ascending, likely * (1 + 1e-7), side="right")
    chances: npt.NDArray[np.float64] = np.cumsum(ascending)[no_likelier - 1]
    return chances


def looked_up(count: int, rounds: int, probability: Fraction) -> Score:
    """The binomial test from a table, for many seeds."""
    chance = rounded(min(1.0, float(tail_chances(rounds, probability)[count])))
    return Score(statistic=Fraction(0), freedom=None, chance=chance)


def most_alarms(runs: int, level: float = 0.05) -> int:
    """More alarms than this come, at the level, in one of a hundred such studies only."""
    return int(stats.binom.ppf(0.99, runs, level))


@pytest.mark.parametrize(("cut_card", "seeds"), [(None, 150), (14, 60)])
def test_false_alarms_stay_below_the_level(
    cut_card: int | None, seeds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 0.05, all tests together: runs of 20,000 right rounds, and of 600 whole shoes with 18 rounds each."""
    monkeypatch.setattr(dealing, "SHOES", 600)
    monkeypatch.setattr(crosscheck, "missettled", lambda *_: iter(()))  # slow, and no matter of chance
    monkeypatch.setattr(crosscheck, "binomial", looked_up)
    expected, asked = Expected.of(FEW, THREE_RANKS), None
    how = Dealing.INDEPENDENT if cut_card is None else Dealing.SHOES
    alarms, omnibus = [], []
    for seed in range(seeds):
        simulation = Simulation(game=FEW, shoe=THREE_RANKS, rounds=20_000, seed=seed, cut_card=cut_card)
        if asked is None:
            asked = simulation.asked
        simulation.__dict__["asked"] = asked  # made once for all the seeds
        observation = observed(simulation.tally(simulation.batch(0)), FEW.id, THREE_RANKS, how)
        judgement = judged(observation, expected, Fraction(1, 20))
        assert (observation.rounds, observation.shoes) == (
            (20_000, None) if cut_card is None else (10_800, 600)
        )
        assert judgement.contradictions == ()
        alarms.append(not judgement.agrees)
        (test,) = [test for test in judgement.tests if (test.subject, test.what) == ("joint cells", "G")]
        omnibus.append(float(test.score.chance))
    assert sum(alarms) <= most_alarms(seeds)
    assert stats.kstest(omnibus, "uniform").pvalue > 0.01
    assert sum(chance <= 0.05 for chance in omnibus) <= most_alarms(seeds)


def test_the_omnibus_test_of_eight_decks_has_uniform_chances() -> None:
    """150 runs of 20,000 rounds over all 8,105 joint cells, pooled once for all of them: its chance is uniform."""
    expected, rounds = Expected.of(FEW, EIGHT).cells, 20_000
    listed, chances = list(expected), list(expected.values())
    groups = pooled_cells([chance * rounds for chance in chances])
    pooled = [sum((chances[cell] for cell in group), Fraction(0)) for group in groups]
    assert (len(listed), len(groups)) == (8_105, 405)
    group_of = {listed[cell]: number for number, group in enumerate(groups) for cell in group}
    number_of = np.full(LISTED, -1)
    for cell, group in group_of.items():
        thirds = [STOOD if third is None else third for third in (cell.player_third, cell.banker_third)]
        number = ((cell.player * 10 + cell.banker) * 11 + thirds[0]) * 11 + thirds[1]
        number_of[number * 5 + PAIRINGS.index(cell.pairs)] = group
    chances_of_runs = []
    for seed in range(150):
        batch = Simulation(game=FEW, shoe=EIGHT, rounds=rounds, seed=seed).batch(0)
        counts = np.bincount(number_of[without_point_pairing(batch.cells)], minlength=len(groups)).tolist()
        score = g_test(counts, pooled, rounds)
        assert score is not None
        chances_of_runs.append(float(score.chance))
    assert stats.kstest(chances_of_runs, "uniform").pvalue > 0.01
    assert sum(chance <= 0.05 for chance in chances_of_runs) <= most_alarms(150)
