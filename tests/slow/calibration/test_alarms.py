"""How often a right log that is followed raises an alarm, over many seeds (``make slow M=calibration``)."""

from math import log

import numpy as np
import pytest
from scipy import stats

from combinat import Shoe, load_game
from combinat.audit.evidence import RunningEvidence
from combinat.audit.judging.sequence import LogTable
from combinat.audit.judging.terms import LogTerms
from combinat.montecarlo.simulation import Simulation
from tests.dealing import left_before, shoe_batch
from tests.documents import COMMISSION_2013

GAME = load_game(COMMISSION_2013)


@pytest.mark.parametrize(("decks", "seeds"), [(None, 120), (8, 40), (1, 80)])
def test_a_right_log_hardly_ever_raises_an_alarm(decks: int | None, seeds: int) -> None:
    """At a level of 0.05, looked at after every one of some 4,000 rounds: in no more logs than chance allows."""
    shoe, alarms = Shoe.of_decks(decks or 8), 0
    for seed in range(seeds):
        if decks is None:
            batch = Simulation(game=GAME, shoe=shoe, rounds=4_000, seed=seed).batch(0)
            left = np.broadcast_to(np.array(shoe.counts), (4_000, 13))
        else:
            batch = shoe_batch(seed, 400 if decks == 1 else 50, shoe, 14, burn=decks == 8)
            left = left_before(batch, shoe)
        evidence = RunningEvidence(LogTerms(GAME, shoe, cut_card=decks and 14))
        alarms += evidence.add(LogTable.new(), left, batch.dealt, batch.cells, log(20)) is not None
    assert alarms <= int(stats.binom.ppf(0.99, seeds, 0.05))
