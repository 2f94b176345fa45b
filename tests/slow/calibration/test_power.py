"""How often simulated counts with a fault are seen, against the power that is stated (``make slow M=calibration``)."""

from fractions import Fraction

import pytest

from combinat import load_game
from combinat.audit.judging.decision import judged
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.sample import RoundSample
from combinat.audit.power import power
from combinat.montecarlo.counts import Dealing, observed
from combinat.montecarlo.fault import Fault
from combinat.montecarlo.simulation import Simulation
from tests.dealing import whole_tally
from tests.documents import COMMISSION_2013
from tests.games import EIGHT

GAME = load_game(COMMISSION_2013)
ALPHA = Fraction(1, 1000)


@pytest.mark.parametrize(
    ("text", "rounds"),
    [("infinite deck", 450_000), ("player +0.5%", 1_000_000), ("one card missing 9", 700_000)],
)
def test_simulated_counts_are_seen_as_often_as_is_said(text: str, rounds: int) -> None:
    """At least as often, and not much oftener: what is said is on the safe side."""
    fault, expected, runs = Fault.parse(text), Expected.of(GAME, EIGHT), 25
    said = power(GAME, text, shoe=EIGHT, rounds=rounds).sources[1].power or Fraction(0)
    seen = 0
    for seed in range(runs):
        simulation = Simulation(game=GAME, shoe=EIGHT, rounds=rounds, seed=seed, fault=fault)
        counted = observed(whole_tally(simulation, workers=2), GAME.id, EIGHT, Dealing.INDEPENDENT)
        seen += bool(judged(RoundSample.of(counted, expected), ALPHA).failed)
    assert seen / runs > float(said) - 0.2
    assert seen / runs < float(said) + 0.3
