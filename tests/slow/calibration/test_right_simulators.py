"""Every test of every family has its stated law under a right simulator, on any shoe (``make slow M=calibration``).

Over 200 seeds (``SEEDS``), counts and logs, rounds of their own and whole shoes, from 13 cards to eight decks: the mean of every
statistic is off by no more than chance, its variance is not above 1 by more than chance, and small probabilities come
no oftener than they say.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from math import sqrt

import msgspec
import numpy as np
import polars
import pytest
from scipy import stats

from combinat import Shoe, load_game
from combinat.analysis.odds import one_round_analysis
from combinat.audit.judging.decision import judged
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.groups import Groups
from combinat.audit.judging.replay import whole_log
from combinat.audit.judging.sample import Counting, RoundSample
from combinat.audit.judging.terms import LogTerms
from combinat.audit.reading.log_map import LogColumn, Money
from combinat.audit.reading.rows import RowBatch
from combinat.audit.verdict import Evidence, Judgement, StatisticalTest
from combinat.montecarlo.counts import Dealing, observed
from combinat.montecarlo.simulation import SHOES, Batch, Simulation
from combinat.rules.game import Game
from tests.dealing import texts
from tests.documents import COMMISSION_2013

SEEDS = int(os.environ.get("SEEDS", "200"))
SMALL = 6
"""The cut card of small shoes."""

SURE = 1e-4
"""The chance with which a right test of the whole study fails here."""

WHOLE = load_game(COMMISSION_2013)
TABLE = WHOLE.insurance[0]
GAME: Game = msgspec.structs.replace(
    WHOLE,
    bets=tuple(map(WHOLE.bet, ("player", "player-pair"))),
    insurance=(msgspec.structs.replace(TABLE, offers=TABLE.offers[:1]),),
)
ABSURD = ("J=1 Q=6 K=6", "A=2 2=3 3=5 9=7", "A=1 4=2 5=6 6=7 7=8 K=6")


@dataclass(frozen=True)
class Dealt:
    """How rounds were dealt: from which shoe, and of whole shoes the cut card; ``each``: rounds or shoes of a seed."""

    cards: str
    cut_card: int | None
    each: int

    @property
    def shoe(self) -> Shoe:
        """The cards of a fresh shoe."""
        return Shoe.of_decks(int(self.cards)) if self.cards.isdecimal() else Shoe.parse(self.cards)


CASES = [
    *(Dealt(cards, None, 1_500) for cards in ("1", "2", "4", "8", *ABSURD)),
    *(Dealt(decks, 14, shoes) for decks, shoes in (("1", 200), ("2", 110), ("4", 100), ("8", 100))),
    *(Dealt(cards, SMALL, 700) for cards in ABSURD),
]


def pieces(case: Dealt) -> Iterator[Batch]:
    """The rounds of every seed: parts of one long simulation."""
    simulation = Simulation(game=GAME, shoe=case.shoe, rounds=10**9, seed=7, cut_card=case.cut_card)
    made, number = 0, 0
    while made < SEEDS:
        batch = simulation.batch(number)
        number += 1
        if batch.shoes is None:
            of_seed = np.arange(batch.rounds) // case.each
            whole = batch.rounds // case.each
        else:
            of_seed, whole = (batch.shoes - batch.shoes[0]) // case.each, SHOES // case.each
        ends = np.searchsorted(of_seed, np.arange(min(whole, SEEDS - made) + 1))
        for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
            rows = np.arange(start, end)
            yield Batch(
                batch.dealt.take(rows),
                batch.cells[rows],
                None if batch.shoes is None else batch.shoes[rows],
            )
            made += 1


exact = cache(partial(Expected.of, GAME))


def of_counts(case: Dealt, batch: Batch) -> Judgement:
    """Every test of a counts file."""
    simulation = Simulation(game=GAME, shoe=case.shoe, rounds=1, seed=0, cut_card=case.cut_card)
    dealing = Dealing.INDEPENDENT if case.cut_card is None else Dealing.SHOES
    counted = observed(simulation.tally(batch), GAME.id, case.shoe, dealing)
    return judged(RoundSample.of(counted, exact(case.shoe)), Fraction(1, 20))


def of_log(case: Dealt, batch: Batch) -> Judgement:
    """Every test of a hand log with a stake of 1 on two bets in every round, grouped by odd and even rounds."""
    expected = exact(case.shoe)
    numbers = np.arange(batch.rounds)
    frame = polars.DataFrame(
        texts(batch), schema=["player_cards", "banker_cards"], orient="row"
    ).with_columns(
        polars.Series("round", numbers).cast(polars.String),
        polars.Series("by:half", (numbers % 2).astype(str)),
        *(polars.lit("0").alias(f"net:{bet}") for bet in ("player", "player-pair")),
    )
    if batch.shoes is not None:
        frame = frame.with_columns(polars.Series("shoe", batch.shoes).cast(polars.String))
    columns = tuple(LogColumn(Money.NET, bet) for bet in ("player", "player-pair"))
    terms = LogTerms(GAME, case.shoe, columns, case.cut_card)
    groups = Groups((("half",),), one_round_analysis(GAME, case.shoe), terms)
    counting = Counting(terms)
    for piece in whole_log(terms, [RowBatch(numbers, frame, ())]):
        counting.add(piece)
        groups.add(piece)
    dealing = Dealing.INDEPENDENT if case.cut_card is None else Dealing.SHOES
    counted = observed(counting.tally, GAME.id, case.shoe, dealing)
    sample = RoundSample.of(counted, expected, counting)
    return judged(sample, Fraction(1, 20), groups.tests())


def deviation(test: StatisticalTest) -> float:
    """The statistic with mean 0 and variance 1; of a sum of squares, less its degrees of freedom."""
    statistic, freedom = float(test.score.statistic), test.score.freedom or 0
    return (statistic - freedom) / sqrt(2 * freedom) if test.score.is_squares else statistic


def mistakes(case: Dealt, judge: Callable[[Dealt, Batch], Judgement]) -> list[str]:
    """The statistics whose mean, variance or small p-values are off by more than chance, and too many alarms."""
    deviations: dict[tuple[str, str], list[float]] = defaultdict(list)
    squares: dict[Evidence, list[float]] = defaultdict(list)
    small: dict[Evidence, list[float]] = defaultdict(list)
    alarms = 0
    for batch in pieces(case):
        judgement = judge(case, batch)
        assert judgement.contradictions == ()
        alarms += bool(judgement.failed)
        for kind, tests in judgement.families.items():
            each = np.array([deviation(test) for test in tests])
            squares[kind].append(float((each**2).mean()))
            shares = [test.score.chance <= Fraction(1, 20) for test in tests]
            small[kind].append(20 * float(np.mean(shares)))
            for test, value in zip(tests, each.tolist(), strict=True):
                deviations[test.subject, test.what].append(value)
    assert {Evidence.CARDS, Evidence.OUTCOME, Evidence.MEAN} <= set(squares)
    most = float(stats.norm.isf(SURE / 2 / len(deviations)))
    off = {name: sum(each) / sqrt(len(each)) for name, each in deviations.items()}
    found = [f"{name}: mean {value}" for name, value in off.items() if abs(value) > most]
    for kind, values in (*squares.items(), *small.items()):
        error = max(float(np.std(values)), 0.05) / sqrt(len(values))
        if np.mean(values) > 1 + float(stats.norm.isf(SURE)) * error:
            found.append(f"{kind}: {np.mean(values)}")
    if alarms > stats.binom.isf(SURE, SEEDS, 0.05):
        found.append(f"{alarms} alarms")
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.cards}, {case.cut_card}")
@pytest.mark.parametrize("judge", [of_counts, of_log])
def test_every_statistic_has_its_law(case: Dealt, judge: Callable[[Dealt, Batch], Judgement]) -> None:
    if judge is of_log:  # small shoes need more rounds: pairs of a shoe of ties are skewed
        case = replace(case, each=case.each // (2 if case.cards in ABSURD else 5))
    elif case.cut_card == SMALL:  # their outcomes are judged where they are frequent
        case = replace(case, each=4_000)
    assert mistakes(case, judge) == []


def test_a_wrong_law_is_found() -> None:
    """Rounds of one deck, judged as rounds of two, have too few pairs."""
    found = mistakes(Dealt("1", None, 1_500), lambda case, batch: of_counts(replace(case, cards="2"), batch))
    assert any("player-pair" in one for one in found)
