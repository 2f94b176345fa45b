"""How often right logs are suspected: every family of tests of hand logs, over many seeds (``make calibration``)."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import polars
import pytest
from scipy import stats

from combinat import Shoe, load_game
from combinat.analysis.verdict import Dealing, Judgement, StatisticalTest
from combinat.audit.expected import Expected
from combinat.audit.judged_log import judged_log
from combinat.audit.replay import Replay
from combinat.audit.rows import Rows
from combinat.audit.settled import Settled
from combinat.montecarlo.observed import observed
from combinat.montecarlo.simulation import Simulation
from tests.dealing import texts
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025

SURE = 0.999
"""A study goes beyond its interval by chance in one of a thousand."""


@dataclass(frozen=True)
class Study:
    """Right logs: of so many rounds each, or of so many shoes."""

    game: str
    decks: int
    each: int
    cut_card: int | None
    logs: int


STUDIES = {
    "rounds of their own, eight decks": Study(NONCOMMISSION_2025, 8, 4_000, None, 160),
    "rounds of their own, one deck": Study(COMMISSION_2013, 1, 4_000, None, 100),
    "whole shoes, eight decks": Study(COMMISSION_2013, 8, 50, 14, 110),
    "whole shoes, one deck": Study(NONCOMMISSION_2025, 1, 400, 14, 160),
}


def judgements(study: Study) -> Iterator[Judgement]:
    """Each log, judged as ``crosscheck`` judges it."""
    game, shoe = load_game(study.game), Shoe.of_decks(study.decks)
    expected, settled = Expected.of(game, shoe), Settled(game)
    burn = study.cut_card is not None and study.decks > 1
    dealing = Simulation(game=game, shoe=shoe, rounds=10**9, seed=7, cut_card=study.cut_card, burn=burn)
    made, number = 0, 0
    while made < study.logs:
        batch = dealing.batch(number)
        number += 1
        frame = polars.DataFrame(texts(batch), schema=["player_cards", "banker_cards"], orient="row")
        if batch.shoes is None:
            of_log = np.arange(batch.rounds) // study.each
        else:
            of_log = (batch.shoes - batch.shoes[0]) // study.each
            frame = frame.with_columns(polars.Series("shoe", batch.shoes).cast(polars.String))
        for log in range(min(int(of_log[-1]), study.logs - made)):  # the last may be cut off
            rows = frame.filter(polars.Series(of_log == log))
            numbers = np.arange(rows.height)
            rows = rows.with_columns(polars.Series("round", numbers).cast(polars.String))
            replay = Replay(game, shoe, [], study.cut_card, settled=settled)
            replay.add_all([Rows(numbers, rows, ())])
            how = Dealing.INDEPENDENT if study.cut_card is None else Dealing.SHOES
            counted = observed(replay.tally, game.id, shoe, how)
            yield judged_log(counted, replay, expected, Fraction(1, 20))
            made += 1


def family(test: StatisticalTest) -> str:
    """Tests of one kind; insurance, and winners after winners, by themselves."""
    if test.subject.startswith("insurance"):
        return "insurance"
    return f"{test.kind}, {test.what}" if test.kind in ("repeats", "omnibus") else str(test.kind)


def most(logs: int, level: float) -> int:
    """As many logs go beyond the level by chance alone."""
    return int(stats.binom.ppf(SURE, logs, level))


@pytest.mark.parametrize("name", STUDIES)
def test_right_logs_are_suspected_no_oftener_than_stated(name: str) -> None:
    """All tests together by Holm's method, and each family by itself, at 0.05 and at 0.001."""
    alarms = dict.fromkeys((0.05, 0.001), 0)
    by_family: dict[str, dict[float, int]] = defaultdict(lambda: dict.fromkeys(alarms, 0))
    shares: dict[str, list[float]] = defaultdict(list)
    logs = 0
    for judgement in judgements(STUDIES[name]):
        logs += 1
        assert judgement.contradictions == ()
        chances: dict[str, list[float]] = defaultdict(list)
        for test in judgement.tests:
            chances[family(test)].append(float(test.score.chance))
        for level in alarms:
            alarms[level] += any(float(test.adjusted_chance) <= level for test in judgement.tests)
            for kind, listed in chances.items():
                by_family[kind][level] += min(listed) <= level / len(listed)
        for kind, listed in chances.items():
            shares[kind].append(float(np.mean(np.array(listed) <= 0.05)))
    assert len(by_family) == 7 + bool(load_game(STUDIES[name].game).insurance)
    beyond = {
        (kind, level): times
        for kind, counted in by_family.items()
        for level, times in counted.items()
        if times > most(logs, level)
    }
    assert beyond == {}
    assert {level: times for level, times in alarms.items() if times > most(logs, level)} == {}
    for kind, listed in shares.items():  # each test by itself, with those of one log taken together
        spread = max(float(np.std(listed)), 0.01) / len(listed) ** 0.5
        assert np.mean(listed) <= 0.05 + float(stats.norm.ppf(SURE)) * spread, kind
