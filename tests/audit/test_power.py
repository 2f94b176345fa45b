"""How many rounds show a fault: the laws are exact, the powers are those of simulated files."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

import numpy as np
import pytest
from scipy import stats

from combinat import Shoe, analyze, load_game
from combinat.audit.judging.decision import judged
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.sample import RoundSample
from combinat.audit.judging.statistics import CellCurve, SumCurve, chi_square
from combinat.audit.judging.tests import list_tests
from combinat.audit.power import FileKind, Power, keys, power, under_fault, with_replacement
from combinat.montecarlo.cell import STOOD, CellFacts, without_point_pairing
from combinat.montecarlo.counts import Dealing, observed
from combinat.montecarlo.fault import Fault
from combinat.montecarlo.simulation import Simulation
from combinat.rules.cards import RANKS
from combinat.rules.outcome import Outcome
from tests.audit.logs import round_of
from tests.documents import COMMISSION_2013
from tests.games import EIGHT

GAME = load_game(COMMISSION_2013)
ALPHA = Fraction(1, 1000)


@cache
def of(text: str, rounds: int | None = None) -> Power:
    return power(GAME, text, shoe=EIGHT, rounds=rounds)


def needed(answer: Power) -> dict[FileKind, int | None]:
    return {source.source: source.best.rounds if source.best else None for source in answer.sources}


# ---------------------------------------------------------------- the laws


def test_an_infinite_deck_is_dealt_with_replacement() -> None:
    """Against every sequence of six cards, one by one."""
    shoe = Shoe.parse("4=2 6=1 K=3")
    ranks = [number for number, count in enumerate(shoe.counts) if count]
    outcomes: Counter[Outcome] = Counter()
    for six in product(ranks, repeat=6):
        ways = prod(shoe.counts[number] for number in six)
        outcomes[round_of([RANKS[number] for number in six]).outcome] += ways
    distribution = with_replacement(shoe, GAME.table_of_play)
    assert distribution.detailed(thirds=True, pair_ranks=True).outcomes == outcomes
    assert sum(distribution.outcomes.values()) == sum(outcomes.values()) == distribution.sample_space == 6**6


@pytest.mark.parametrize("text", ["player +0.5%", "tie -0.5%"])
def test_a_bet_is_off_by_what_is_said(text: str) -> None:
    fault = Fault.parse(text)
    wrong = under_fault(GAME, EIGHT, fault).analysis
    assert sum(wrong.distribution.outcomes.values()) == wrong.sample_space
    assert fault.bet is not None
    assert fault.share is not None
    off = wrong.bet(fault.bet).expected_value - analyze(GAME, EIGHT).bet(fault.bet).expected_value
    assert abs(off - fault.share) < Fraction(1, 10**6)


# ---------------------------------------------------------------- how many rounds


def test_a_wrong_cell_is_seen_at_once_by_cards_and_hardly_by_results() -> None:
    rounds = needed(of("wrong-cell 6/7"))
    assert rounds[FileKind.CELLS] == rounds[FileKind.LOG]
    assert 400 < (rounds[FileKind.LOG] or 0) < 600
    answer = of("wrong-cell 6/7")
    assert [(row["source"], row["rounds_needed"]) for row in answer.to_dicts()] == list(rounds.items())
    assert answer["log"].best == answer.sources[0].best
    assert 10**7 < (rounds[FileKind.RESULTS] or 0) < 71 * 10**6


def test_what_a_file_does_not_tell_is_never_seen() -> None:
    copies, paid = needed(of("copies first card 5%")), needed(of("paid wrong banker=1 to 1 in 1%"))
    assert 1000 < (copies[FileKind.LOG] or 0) < 2000
    assert [copies[source] for source in (FileKind.CELLS, FileKind.BETS, FileKind.RESULTS)] == [None] * 3
    assert [source for source, rounds in paid.items() if rounds is None] == [FileKind.RESULTS]


# ---------------------------------------------------------------- against simulations

LEVEL, RUNS = 0.01, 4000
RIGHT = np.array([0.3, 0.3, 0.2, 0.1, 0.08, 0.015, 0.005])
WRONG = np.array([0.28, 0.32, 0.2, 0.1, 0.08, 0.012, 0.008])


@pytest.mark.parametrize(("rounds", "right", "wrong"), [(2000, 0.02, 0.03), (20_000, 0.5, 0.51)])
def test_the_power_of_a_count_is_that_of_simulated_counts(rounds: int, right: float, wrong: float) -> None:
    counts = np.random.default_rng(1).binomial(rounds, wrong, RUNS).tolist()
    chances = {count: stats.binomtest(count, rounds, right).pvalue for count in set(counts)}
    rate = np.mean([chances[count] <= LEVEL for count in counts])
    assert abs(rate - SumCurve.of_count(right, wrong).power(rounds, LEVEL)) < 0.03


def test_the_power_of_cells_is_that_of_simulated_cells() -> None:
    """With rare cells pooled as the test pools them: of 1800 rounds the last cell expects fewer than ten."""
    for rounds in (1800, 4000):
        seen = np.random.default_rng(2).multinomial(rounds, WRONG, RUNS)
        scores = [chi_square(row, [Fraction(rounds * part) for part in RIGHT]) for row in seen.tolist()]
        rate = np.mean([score is not None and score.chance <= LEVEL for score in scores])
        assert abs(rate - CellCurve(RIGHT, WRONG).power(rounds, LEVEL)) < 0.06


def test_a_mean_is_judged_from_where_its_tail_is_normal() -> None:
    mean = SumCurve(1.0, 1.0, 1.0, least=50.0)
    assert (mean.power(49, LEVEL), mean.power(50, LEVEL) > 0.99) == (0, True)


def test_more_rounds_show_a_fault_more_surely() -> None:
    seen = [of("infinite deck", rounds).sources[1].power or Fraction(0) for rounds in (10_000, 495_000)]
    assert seen[0] < Fraction(1, 20) < Fraction(89, 100) < seen[1] < Fraction(92, 100)


def test_rows_written_twice_agree_as_often_as_is_said() -> None:
    """The share of rows that have the first card of the row before, and of those that have its cell."""
    fault = Fault.parse("duplicated rows 20%")
    right, wrong = Expected.of(GAME, EIGHT), under_fault(GAME, EIGHT, fault)
    batch = Simulation(game=GAME, shoe=EIGHT, rounds=100_000, seed=6, fault=fault).batch(0)
    for source, what, of_round in (
        (FileKind.LOG, "same rank", batch.dealt.player[0]),
        (FileKind.CELLS, "same cell", without_point_pairing(batch.cells)),
    ):
        test = next(test for test in list_tests(right, keys(source, right)) if test.what == what)
        curve = test.power(right, wrong)
        assert isinstance(curve, SumCurve)
        assert curve.chances is not None
        assert abs(float((of_round[1:] == of_round[:-1]).mean()) - curve.chances[1]) < 0.005


def test_nine_in_ten_short_logs_show_a_wrong_cell() -> None:
    """Logs of as many rounds as are said to be needed, dealt with the fault."""
    rounds = needed(of("wrong-cell 6/7"))[FileKind.LOG] or 0
    logs = 400
    fault = Fault.parse("wrong-cell 6/7")
    batch = Simulation(game=GAME, shoe=EIGHT, rounds=rounds * logs, seed=5, fault=fault).batch(0)
    facts = CellFacts.of(batch.cells)
    broken = (facts.banker == 6) & (facts.player_third == 7) & (facts.banker_third == STOOD)
    shown = broken.reshape(logs, rounds).any(axis=1).mean()
    assert 0.85 < shown < 0.95


def test_the_tests_are_as_many_as_the_cross_check_makes() -> None:
    simulation = Simulation(game=GAME, shoe=EIGHT, rounds=30_000, seed=1)
    tally = simulation.tally(simulation.batch(0))
    counted = observed(tally, GAME.id, EIGHT, Dealing.INDEPENDENT)
    judgement = judged(RoundSample.of(counted, Expected.of(GAME, EIGHT)), ALPHA)
    assert of("infinite deck", 10_000).sources[1].tests == len(judgement.tests)
