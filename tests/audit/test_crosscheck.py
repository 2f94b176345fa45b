"""The cross-check: it agrees with the simulator, it catches every mutant and says by what, and rarely cries wolf."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import msgspec
import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from combinat import Game, Shoe
from combinat.audit.judging.decision import (
    ALPHA,
    adjusted,
    decision_rule,
    impossible,
    too_few,
    wrong_settlements,
)
from combinat.audit.judging.decision import judged as judged_sample
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.sample import RoundSample
from combinat.audit.judging.statistics import (
    LEAST_EXPECTED,
    POWER,
    chi_square,
    clustered,
    count_score,
    design_effect,
    most_spread,
    normal,
    pooled_cells,
    rounded,
    smallest_deviation,
)
from combinat.audit.judging.tests import MeanLaw
from combinat.audit.verdict import Evidence, Judgement, Score, StatisticalTest
from combinat.base.errors import FileError, InputError
from combinat.montecarlo.cell import (
    Bytes,
    Deals,
    Pairing,
    cells,
)
from combinat.montecarlo.counts import Dealing, JointCell, Observed, Times, observed
from combinat.montecarlo.dealer import ThirdCardRules
from combinat.montecarlo.partition import Partition, partitions
from combinat.montecarlo.simulation import Batch, Simulation
from combinat.montecarlo.tally import Tally, tallied
from combinat.rules.cards import RANKS, Rank
from combinat.rules.insurance import State
from combinat.rules.odds import Odds
from combinat.rules.outcome import Winner
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from tests.dealing import whole_tally
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025
from tests.games import EIGHT, WORTH, loaded

EXPECTED = cache(Expected.of)
ASKED = cache(partitions)

THREE_RANKS = Shoe.parse("2=40 6=40 K=40")
"""A shoe with few joint cells, so that much is expected of each and judging is quick."""


@cache
def with_bets(game: Game, *bets: str) -> Game:
    """The game with these bets alone."""
    return msgspec.structs.replace(
        game, bets=tuple(map(game.bet, bets)), insurance=(), insurance_terms=None, interpretations=()
    )


FEW = with_bets(loaded(NONCOMMISSION_2025), "player", "banker", "tie", "player-pair", "tiger")

Change = Callable[[Batch], Batch]


def counted(
    game: Game,
    shoe: Shoe = EIGHT,
    rounds: int = 20_000,
    seed: int = 1,
    *,
    cut_card: int | None = None,
    change: Change = lambda batch: batch,
) -> Observed:
    """The counts of a simulation; ``change``: what a faulty dealer makes of its rounds."""
    simulation = Simulation(
        game=game,
        shoe=shoe,
        rounds=rounds,
        seed=seed,
        cut_card=cut_card,
    )
    simulation.__dict__["partitions"] = ASKED(game)  # made once for all the seeds
    how = Dealing.INDEPENDENT if cut_card is None else Dealing.SHOES
    return observed(whole_tally(simulation, change), game.id, shoe, how)


def judged(observation: Observed, expected: Expected) -> Judgement:
    return judged_sample(RoundSample.of(observation, expected))


def bets_only(observation: Observed) -> Observed:
    """What the smallest counts file has."""
    return replace(observation, cells={}, cards={}, repeats=None, insurance={})


def subjects(judgement: Judgement) -> set[tuple[Evidence, str]]:
    """What speaks against the simulator: the contradictions and the tests that failed."""
    return {(fault.kind, fault.subject) for fault in judgement.contradictions} | {
        (test.kind, test.subject) for test in judgement.failed
    }


def the_test(judgement: Judgement, subject: str, what: str) -> StatisticalTest:
    """The one test of this name."""
    (test,) = [test for test in judgement.tests if (test.subject, test.what) == (subject, what)]
    return test


# ---------------------------------------------------------------- it agrees with what is right

DEPLETED = Shoe.parse("A=31 2=9 5=1 6=21 8=30 9=17 10=26")
RANKS_MISSING = Shoe.parse("A=70 4=30 6=50 9=60 10=20 Q=90")


# ---------------------------------------------------------------- mutants: the Table of Play

WINNERS = with_bets(loaded(NONCOMMISSION_2025), "player", "banker", "tie")
TIE = with_bets(loaded(NONCOMMISSION_2025), "tie")
TABLE_CELLS = [("player", total, 0) for total in range(8)]
TABLE_CELLS += [("banker", total, column) for total, column in product(range(8), range(11))]


def mutated(hand: str, total: int, column: int) -> ThirdCardRules:
    """The rules of drawing with one cell turned round."""
    rules = ThirdCardRules.of(TIE)
    if hand == "player":
        rules.player[total] ^= True
    else:
        rules.banker[total, column] ^= True
    return rules


def every_drawing() -> tuple[Bytes, ...]:
    """The cards of 640 rounds: every two totals that are no naturals, with every next card."""
    worth = [RANKS.index(rank) for rank in WORTH]
    king = RANKS.index(Rank.KING)
    rounds = [
        (worth[player], worth[banker], king, king, worth[third], worth[third])
        for player, banker, third in product(range(8), range(8), range(10))
    ]
    return tuple(np.array(rounds, dtype=np.uint8).T)


def test_every_wrong_cell_of_the_table_of_play_makes_impossible_rounds() -> None:
    """Each of the 96 cells turned round, where the rounds reach it: joint cells that no round can come to.

    Nothing else contradicts the rules, and what is said names the totals of the cell that is wrong.
    """
    expected, asked, cards = EXPECTED(TIE, EIGHT), ASKED(TIE), every_drawing()
    right = observed_of(asked, ThirdCardRules.of(TIE).dealt(cards))
    assert judged(right, expected).contradictions == ()
    assert len(TABLE_CELLS) == 96
    for hand, total, column in TABLE_CELLS:
        wrong = observed_of(asked, mutated(hand, total, column).dealt(cards))
        faults = list(impossible(wrong, expected))
        assert faults, (hand, total, column)
        assert not expected.knows(wrong.cells)  # and so there is no test of all cells together
        for fault in faults:
            assert (fault.kind, fault.subject) == (Evidence.IMPOSSIBLE, "joint cells")
            assert f"{hand.capitalize()} {total} and " in fault.message
            if hand == "banker":
                drawn = "Player 6 and stands", "Player 7 and stands", f" and draws {column}, Banker"
                assert any(words in fault.message for words in (drawn[:2] if column == 10 else drawn[2:]))


def observed_of(asked: Sequence[Partition], dealt: Deals) -> Observed:
    """Rounds of eight decks, with neither cards nor repeats."""
    observation = observed(tallied(asked, dealt, cells(dealt)), TIE.id, EIGHT, Dealing.INDEPENDENT)
    return replace(observation, repeats=None, cards={})


# ---------------------------------------------------------------- mutants: settlement

SMALL = Shoe.parse("2=50 5=50 6=50 10=50 K=50")
"""Few joint cells, and cards worth the same that are no pair."""

COMMISSION = loaded(COMMISSION_2013)
MAIN_BETS = "player", "banker", "player-pair", "banker-pair"
PLAIN = with_bets(COMMISSION, *MAIN_BETS)
INSURED = msgspec.structs.replace(COMMISSION, bets=(COMMISSION.bet("player"),))


def without_the_tie_line(game: Game, bet_id: str) -> Game:
    """The game with a bet that loses on a tie."""
    bet = game.bet(bet_id)
    pays = tuple(pay for pay in bet.pays if pay.facts.get("winner") != frozenset({Winner.TIE}))
    assert len(pays) < len(bet.pays)
    return msgspec.structs.replace(
        game,
        bets=tuple(msgspec.structs.replace(one, pays=pays) if one.id == bet_id else one for one in game.bets),
    )


AT_7_TO_3 = State(Hand.PLAYER, Stage.FOUR_CARDS, 7, 2)

SETTLEMENTS = {
    "odds that no line has": (
        PLAIN.paying({"banker": [Odds.parse("0.96 to 1")]}),
        PLAIN,
        {
            (Evidence.IMPOSSIBLE, "bet banker"),
            (Evidence.SETTLEMENT, "bet banker"),
            (Evidence.OUTCOME, "bet banker"),
        },
        {(Evidence.IMPOSSIBLE, "bet banker"), (Evidence.OUTCOME, "bet banker")},
        "bet banker: net 24/25 in ",
    ),
    "odds of another line": (
        FEW.paying({"banker": [Odds.parse("1 to 1"), Odds.parse("1 to 1")]}),
        FEW,
        {
            (Evidence.SETTLEMENT, "bet banker"),
            (Evidence.OUTCOME, "bet banker"),
            (Evidence.MEAN, "bet banker"),
        },
        {(Evidence.OUTCOME, "bet banker"), (Evidence.MEAN, "bet banker")},
        "bet banker: net 1/2 in 0 rounds; by the joint cells 4.1.1 gives it in ",
    ),
    "pairs by points": (
        with_bets(COMMISSION.reading("pair-by-rank"), *MAIN_BETS),
        PLAIN,
        {
            (kind, f"bet {hand}-pair")
            for kind in (Evidence.SETTLEMENT, Evidence.OUTCOME, Evidence.MEAN)
            for hand in ("player", "banker")
        },
        {
            (kind, f"bet {hand}-pair")
            for kind in (Evidence.OUTCOME, Evidence.MEAN)
            for hand in ("player", "banker")
        },
        "bet player-pair: net -1 in ",
    ),
    "a tie that is not returned": (
        without_the_tie_line(PLAIN, "player"),
        PLAIN,
        {(kind, "bet player") for kind in (Evidence.SETTLEMENT, Evidence.OUTCOME, Evidence.MEAN)},
        {(kind, "bet player") for kind in (Evidence.OUTCOME, Evidence.MEAN)},
        "bet player: net -1 in ",
    ),
    "odds of insurance": (
        INSURED.paying({AT_7_TO_3.key: "3 to 1"}),
        INSURED,
        {
            (kind, f"insurance {AT_7_TO_3}")
            for kind in (Evidence.IMPOSSIBLE, Evidence.SETTLEMENT, Evidence.OUTCOME)
        },
        set(),
        f"insurance {AT_7_TO_3}: net 3 in ",
    ),
}
"""The mutant, the game it claims to be, what catches it, what still does with bets alone, the first thing said."""


@pytest.mark.parametrize("name", SETTLEMENTS)
def test_a_wrong_settlement_is_caught(name: str) -> None:
    """By the file's own joint cells, whatever the number of rounds; with bets alone by the pay table or by chance.

    Wrong insurance is not seen in a file that has no insurance.
    """
    mutant, game, whole, bets_alone, first = SETTLEMENTS[name]
    observation = counted(mutant, SMALL, 20_000, 3)
    judgement = judged(observation, EXPECTED(game, SMALL))
    assert subjects(judgement) == whole
    said = judgement.contradictions[0]
    assert f"{said.subject}: {said.message}".startswith(first)
    only = judged(bets_only(observation), EXPECTED(game, SMALL))
    assert subjects(only) == bets_alone
    assert only.agrees is (bets_alone == set())
    if name in ("pairs by points", "odds of insurance"):
        in_shoes_too = judged(counted(mutant, SMALL, 12_000, 3, cut_card=14), EXPECTED(game, SMALL))
        assert subjects(in_shoes_too) >= {one for one in whole if one[0] is Evidence.SETTLEMENT}


def test_a_single_round_settled_wrongly_is_caught() -> None:
    """One of 20,000: far below what chance shows, and a contradiction all the same."""
    observation = counted(PLAIN, SMALL, 20_000, 3)
    player = dict(observation.bets["player"])
    player[Fraction(1)] = Times(player[Fraction(1)].rounds + 1)
    player[Fraction(-1)] = Times(player[Fraction(-1)].rounds - 1)
    judgement = judged(
        replace(observation, bets={**observation.bets, "player": player}), EXPECTED(PLAIN, SMALL)
    )
    assert subjects(judgement) == {(Evidence.SETTLEMENT, "bet player")}
    won, lost = player[Fraction(1)].rounds, player[Fraction(-1)].rounds
    assert [one.message for one in judgement.contradictions] == [
        f"net -1 in {lost} rounds; by the joint cells 4.1.2 gives it in {lost + 1}",
        f"net 1 in {won} rounds; by the joint cells 4.1.2 gives it in {won - 1}",
    ]


def test_what_no_shoe_holds_and_no_table_offers_is_impossible() -> None:
    observation = counted(FEW, SMALL, 20_000, 3)
    (slot, row), *others = observation.cards.items()
    never = State(Hand.PLAYER, Stage.FOUR_CARDS, 0, 0)
    changed = replace(
        observation,
        cards={slot: (3, row[1] - 3, *row[2:]), **dict(others)},
        insurance={never: {Fraction(-1): Times(4)}},
    )
    judgement = judged(changed, EXPECTED(FEW, SMALL))
    assert [(one.kind, one.subject, one.message) for one in judgement.contradictions] == [
        (Evidence.IMPOSSIBLE, "player-first card", "A in 3 rounds; the shoe holds none"),
        (Evidence.IMPOSSIBLE, f"insurance {never}", "offered in 4 rounds; the rules offer none there"),
    ]
    assert judgement.failed == ()


# ---------------------------------------------------------------- mutants: the shoe and the shuffle


def only_rounds(rows: Callable[[int], npt.NDArray[np.intp]]) -> Change:
    """A dealer that deals these of its rounds, by their numbers."""

    def changed(batch: Batch) -> Batch:
        kept = rows(batch.rounds)
        return Batch(batch.dealt.take(kept), batch.cells[kept], None)

    return changed


def one_in_twenty(rounds: int) -> npt.NDArray[np.intp]:
    numbers = np.arange(rounds)
    numbers[10::20] -= 1
    return numbers


EVERY_BET = {f"bet {bet.id}" for bet in FEW.bets}
SHUFFLES: dict[str, tuple[Change, set[tuple[Evidence, str]], bool]] = {
    "each deal used twice": (
        only_rounds(lambda rounds: np.arange(rounds) // 2),
        {
            (Evidence.REPEATS, "neighbouring rounds"),
            (Evidence.OMNIBUS, "joint cells"),
            (Evidence.OMNIBUS, "final results"),
        },
        False,
    ),
    "one shuffle in twenty left out": (
        only_rounds(one_in_twenty),
        {(Evidence.REPEATS, "neighbouring rounds")},
        False,
    ),
    "the same deals over again": (
        only_rounds(lambda rounds: np.arange(rounds) % (rounds // 2)),
        {(Evidence.OMNIBUS, "joint cells"), (Evidence.OMNIBUS, "final results")},
        False,
    ),
    "always the same deal": (
        only_rounds(lambda rounds: np.zeros(rounds, dtype=np.intp)),
        {
            (Evidence.REPEATS, "neighbouring rounds"),
            (Evidence.OMNIBUS, "joint cells"),
            (Evidence.OMNIBUS, "final results"),
            *((Evidence.CARDS, f"{slot} card") for slot in ("player-first", "banker-first")),
            *((Evidence.CARDS, f"{slot} card") for slot in ("player-second", "banker-second")),
            *((Evidence.OUTCOME, subject) for subject in EVERY_BET),
            *((Evidence.MEAN, subject) for subject in EVERY_BET),
        },
        True,
    ),
}
"""What the dealer does, what catches it, and whether a file with bets alone still shows it."""


@pytest.mark.parametrize("name", SHUFFLES)
def test_rounds_that_are_not_shuffled_afresh_are_caught(name: str) -> None:
    """Every deal is possible and every settlement right: only repeats and joint cells tell.

    In a file with nothing but bets, deals used twice pass: their results are those of fewer rounds.
    """
    change, caught, with_bets_alone = SHUFFLES[name]
    observation = counted(FEW, SMALL, 40_000, 4, change=change)
    judgement = judged(observation, EXPECTED(FEW, SMALL))
    assert subjects(judgement) == caught
    assert judgement.contradictions == ()
    assert judged(bets_only(observation), EXPECTED(FEW, SMALL)).agrees is not with_bets_alone


@pytest.mark.full
def test_a_card_missing_from_the_shoe_is_caught_by_the_ranks_alone() -> None:
    """415 cards, an Ace gone, in a file that claims 416: a million rounds; no bet would ever show it."""
    depleted = EIGHT.minus("A")
    observation = replace(counted(WINNERS, depleted, 1_000_000, 3), shoe=EIGHT)
    judgement = judged(observation, EXPECTED(WINNERS, EIGHT))
    assert subjects(judgement) == {
        (Evidence.CARDS, f"{slot} card")
        for slot in ("player-first", "banker-first", "player-second", "banker-second")
    }
    assert judgement.contradictions == ()
    assert judged(bets_only(observation), EXPECTED(WINNERS, EIGHT)).agrees
    assert judged(replace(observation, shoe=depleted), EXPECTED(WINNERS, depleted)).agrees


# ---------------------------------------------------------------- what cannot be judged


def test_what_a_file_does_not_have_is_not_judged() -> None:
    observation, shoe = counted(FEW, THREE_RANKS, 20_000), Shoe.parse("8=6")
    only = judged(bets_only(observation), EXPECTED(FEW, THREE_RANKS))
    whole = judged(observation, EXPECTED(FEW, THREE_RANKS))
    assert {test.kind for test in only.tests} == {Evidence.OUTCOME, Evidence.MEAN}
    assert len(only.notes) > len(whole.notes)
    with pytest.raises(FileError):  # five cards cannot finish every round
        judged(replace(counted(FEW, shoe, 100), shoe=Shoe.parse("8=5")), EXPECTED(FEW, shoe))
    with pytest.raises(InputError):
        judged(counted(loaded(NONCOMMISSION_2025), shoe, 100), EXPECTED(FEW, shoe))


# ---------------------------------------------------------------- statistics


def test_sums_are_judged_by_the_normal_and_shoes_by_the_t_distribution() -> None:
    """A variance of the shoes far above the exact one is held to four standard deviations: it excuses nothing."""
    for off in (30, -30):
        score = normal(Fraction(off), Fraction(100))
        assert (score.statistic, score.freedom) == (Fraction(off, 10), None)
        assert score.chance == pytest.approx(0.0026997960632601866)
    score = clustered(Fraction(-30), Fraction(100), Fraction(90), 101, Fraction(1))
    assert (score.statistic, score.freedom) == (Fraction(-3), 100)
    assert score.chance == pytest.approx(2 * stats.t.sf(3, 100))
    score = clustered(Fraction(-30), Fraction(10_000), Fraction(45), 101, Fraction(2))
    assert score.statistic == pytest.approx(-30 / (90 * (1 + 4 * (2 / 101) ** 0.5)) ** 0.5)


def test_cells_are_tested_by_the_chi_square_of_scipy() -> None:
    """A design effect divides the statistic; one cell, or too little expected of each, is no test."""
    chances = [Fraction(1, 10), Fraction(1, 4), Fraction(7, 20), Fraction(3, 10)]
    expected = [1_000 * chance for chance in chances]
    covariances = np.array([[float(1_000 * a * ((a is b) - b)) for b in chances] for a in chances])
    general = chi_square([120, 250, 330, 300], expected, covariances)
    assert general == chi_square([120, 250, 330, 300], expected)  # the covariances of a multinomial law
    for spread in (1, 2):
        score = chi_square([120, 250, 330, 300], expected, None, Fraction(spread))
        plain = stats.chisquare([120, 250, 330, 300], [100, 250, 350, 300]).statistic / spread
        assert score is not None
        assert (score.freedom, score.statistic) == (3, rounded(plain))
        assert score.chance == rounded(stats.chi2.sf(plain, 3))
    assert chi_square([1_000], [Fraction(1_000)]) is None
    assert chi_square([4, 5], [Fraction(9, 2), Fraction(9, 2)]) is None


@pytest.mark.parametrize(
    ("count", "trials", "chance"), [(3, 5_000, Fraction(1, 900)), (10**6, 10**7, Fraction(1, 10))]
)
def test_a_count_of_equal_trials_is_tested_exactly(count: int, trials: int, chance: Fraction) -> None:
    mean = trials * chance
    score = count_score(count, trials, mean, mean * (1 - chance))
    assert score.chance == rounded(stats.binomtest(count, trials, float(chance)).pvalue)
    assert float(score.statistic) == pytest.approx(float(count - mean) / float(mean * (1 - chance)) ** 0.5)


def test_rare_cells_are_pooled_by_what_is_expected() -> None:
    """Never by what was observed: the same groups whatever the counts."""
    expected = [Fraction(50), Fraction(19, 2), Fraction(10), Fraction(3), Fraction(30)]
    assert LEAST_EXPECTED == 10
    for means, groups in (
        ([50, 9.5, 10, 3, 30], [0, 3, 1, 3, 2]),
        ([50, 3, 12], [0, 1, 1]),
        ([50, 20], [0, 1]),
        ([1, 2], [0, 0]),
    ):
        assert pooled_cells(np.array(means, dtype=float)).tolist() == groups
    scores = [chi_square(counts, expected) for counts in ([50, 9, 10, 3, 30], [30, 30, 10, 30, 2])]
    assert [score.freedom for score in scores if score] == [3, 3]


def test_a_state_that_the_file_leaves_out_though_it_was_reached_is_missed() -> None:
    """A simulator that never offers an insurance state just has no entry for it."""
    game = loaded(COMMISSION_2013)
    observation = counted(game)
    left = dict(list(observation.insurance.items())[::2])
    gone = {state for state in observation.insurance if state not in left}
    faults = list(wrong_settlements(replace(observation, insurance=left), EXPECTED(game, EIGHT)))
    assert {one.kind for one in faults} == {Evidence.SETTLEMENT}
    named = {one.subject for one in faults}
    assert named <= {f"insurance {state}" for state in gone}
    assert len(named) > 20


def in_shoes(copies: int, each: int, rounds: int = 40_000) -> tuple[Tally, Observed, npt.NDArray[np.intp]]:
    """Independent rounds said to be from shoes, each round so many times over; and the cells of the shoes."""
    simulation = Simulation(game=FEW, shoe=THREE_RANKS, rounds=rounds // copies, seed=9)
    batch = simulation.batch(0)
    rows = np.repeat(np.arange(batch.rounds), copies)
    shoes = np.arange(len(rows)) // each
    tally = tallied(simulation.partitions, batch.dealt.take(rows), batch.cells[rows], shoes)
    return tally, observed(tally, FEW.id, THREE_RANKS, Dealing.SHOES), batch.cells[rows].reshape(-1, each)


@pytest.mark.parametrize(("copies", "each"), [(1, 40), (2, 40)])
def test_the_design_effect_is_how_often_a_round_is_told(copies: int, each: int) -> None:
    """1 for independent rounds, however they are grouped; 2 where every round is doubled within its shoe."""
    _, observation, _ = in_shoes(copies, each)
    expected = EXPECTED(FEW, THREE_RANKS).cells
    times = {cell: observation.cells.get(cell, Times(0, 0)) for cell in expected}
    rows = [(one.rounds, one.squares or 0, expected[cell]) for cell, one in times.items()]
    effect = design_effect(rows, observation.rounds, each)
    assert float(effect) == pytest.approx(copies, rel=0.03)


def test_the_variance_over_shoes_is_that_of_the_shoes_themselves() -> None:
    """Of every net result of every bet, and of every bet's mean: by brute force, shoe by shoe."""
    tally, observation, by_shoe = in_shoes(1, 40, 12_000)
    expected, shoes = EXPECTED(FEW, THREE_RANKS), len(by_shoe)
    judgement = judged(observation, expected)
    for partition in tally.partitions:
        labels = partition.of_cell[by_shoe]
        chances, bet = expected.bet(partition.subject), expected.analysis.bet(partition.subject)
        nets = [Fraction(str(label)) for label in partition.labels]
        totals = [sum((nets[label] for label in row), Fraction(0)) for row in labels.tolist()]
        off = sum(totals, Fraction(0)) - observation.rounds * bet.expected_value
        variance = sum(((total - 40 * bet.expected_value) ** 2 for total in totals), Fraction(0))
        law, table = (
            MeanLaw.of(chances),
            RoundSample.of(observation, expected).tables["bet", partition.subject],
        )
        assert law.deviation(table) == (off, variance)
        score = law.score(table)
        assert score is None or score == clustered(
            off, variance, observation.rounds * bet.variance, shoes, most_spread(120, 40)
        )
        for number, net in enumerate(nets):
            if observation.rounds * min(chances[net], 1 - chances[net]) < 2_500 or (
                len(nets) == 2 and net == -1
            ):
                continue
            times = [Fraction(int(count)) for count in (labels == number).sum(axis=1)]
            spread = sum(((count - 40 * chances[net]) ** 2 for count in times), Fraction(0))
            exact = observation.rounds * chances[net] * (1 - chances[net])
            score = clustered(
                sum(times, -observation.rounds * chances[net]), spread, exact, shoes, most_spread(120, 40)
            )
            assert the_test(judgement, f"bet {partition.subject}", f"net {net}").score == score
    times_20, chance_20 = observation.bets["tiger"][Fraction(20)].rounds, expected.bet("tiger")[Fraction(20)]
    rare = the_test(judgement, "bet tiger", "net 20").score  # judged exactly: fewer than 2,500 are expected
    mean_20 = observation.rounds * chance_20
    assert rare == count_score(times_20, observation.rounds, mean_20, mean_20 * (1 - chance_20))


def test_repeats_scatter_as_neighbouring_pairs_do() -> None:
    """Their mean and variance against 10,000 runs of 200 rounds, drawn without the dealer.

    Eights and a few nines: one cell comes so often that pairs of neighbours depend on each other.
    """
    shoe, neighbours, same = Shoe.parse("8=60 9=4"), 10**7, 6_125_000
    expected = EXPECTED(FEW, shoe)
    chances = np.array([float(chance) for chance in expected.cells.values()])
    runs = np.random.default_rng(5).choice(len(chances), size=(10_000, 200), p=chances / chances.sum())
    repeats = (runs[:, 1:] == runs[:, :-1]).sum(axis=1)
    observation = replace(counted(FEW, shoe, 20_000), repeats=(neighbours, same))
    test = the_test(judged(observation, expected), "neighbouring rounds", "same cell")
    assert test.observed == same
    assert test.expected == neighbours * sum(chance**2 for chance in expected.cells.values())
    assert float(test.expected) / neighbours == pytest.approx(repeats.mean() / 199, rel=0.01)
    deviation_of_all = (same - float(test.expected)) / float(test.score.statistic)
    assert deviation_of_all**2 / neighbours == pytest.approx(repeats.var() / 199, rel=0.06)


def test_the_smallest_deviation_is_noticed_nine_times_in_ten() -> None:
    """A mean off by that much, over its standard error, passes the strictest level of Holm's method so often."""
    error, alpha, tests = Fraction(1, 40_000), Fraction(1, 1000), 50
    smallest = smallest_deviation(error, alpha, tests)
    shift, bar = float(smallest) / float(error) ** 0.5, stats.norm.isf(float(alpha) / tests / 2)
    assert stats.norm.sf(bar - shift) + stats.norm.cdf(-bar - shift) == pytest.approx(0.9, abs=1e-8)
    assert float(smallest) == pytest.approx(0.0277, abs=0.0002)


@pytest.mark.parametrize(
    ("bet_id", "least"), [("player", 2), ("tie", 19_036), ("player-pair", 26_170), ("tiger", 47_593)]
)
def test_a_mean_is_judged_from_the_rounds_on_at_which_its_tail_is_normal(bet_id: str, least: int) -> None:
    """Its skewness is 1/50 or less from exactly that number of rounds on."""
    bet = EXPECTED(FEW, EIGHT).analysis.bet(bet_id)
    third = sum(float((line.net - bet.expected_value) ** 3 * line.probability) for line in bet.outcomes)
    skew = third / float(bet.variance) ** 1.5
    assert least == -(-((skew * 50) ** 2) // 1)
    exact = MeanLaw.of(EXPECTED(FEW, EIGHT).bet(bet_id)).least
    assert exact is not None
    assert least - 1 < exact <= least


# ---------------------------------------------------------------- the judgement


def judgement_of(*chances: Fraction, alpha: Fraction = ALPHA, too_few: str | None = None) -> Judgement:
    """A judgement whose tests came to these chances."""
    trials = [
        StatisticalTest(
            subject=f"test {number}",
            kind=Evidence.MEAN,
            what="mean",
            observed=None,
            expected=None,
            score=Score(statistic=Fraction(0), freedom=None, chance=chance),
        )
        for number, chance in enumerate(chances)
    ]
    return Judgement(
        alpha=alpha,
        power=POWER,
        decision_rule=decision_rule(alpha),
        too_few=too_few,
        contradictions=(),
        bets=(),
        tests=adjusted(trials),
        notes=(),
    )


def test_it_agrees_where_nothing_is_rejected_after_holm() -> None:
    """Three tests at 0.001: the unlikeliest must be at 1/3 of it or below, the next at 1/2."""
    half, level = Fraction(1, 2), Fraction(1, 20)
    assert judgement_of(Fraction(4, 10_000), half, half).agrees
    third = judgement_of(half, Fraction(25, 100_000), Fraction(3, 10_000))
    assert not third.agrees
    assert [test.subject for test in third.failed] == ["test 1", "test 2"]
    assert [test.adjusted_chance for test in third.failed] == [Fraction(75, 100_000)] * 2
    assert judgement_of(Fraction(2, 100), half, half, alpha=level).agrees
    assert not judgement_of(Fraction(1, 100), half, half, alpha=level).agrees
    assert not judgement_of(level, alpha=level).agrees  # at the level is rejected
    assert not judgement_of(half, too_few="too few rounds").agrees


@pytest.mark.parametrize(
    ("rounds", "shoes", "why"),
    [
        (9_999, None, "too few rounds to agree: 9999, and 10000 are needed"),
        (10_000, None, None),
        (10_000, 99, "too few shoes to agree: 99, and 100 are needed"),
        (10_000, 100, None),
        (9_999, 99, "too few rounds to agree: 9999, and 10000 are needed"),
    ],
)
def test_when_there_is_too_little_to_judge(rounds: int, shoes: int | None, why: str | None) -> None:
    observation = replace(counted(FEW, THREE_RANKS, 100), rounds=rounds, shoes=shoes)
    assert too_few(observation) == why


def test_a_shoe_that_deals_one_round_only_leaves_nothing_to_chance() -> None:
    """Eights alone: a tie on 6 in every round, nothing to test, and nothing against it."""
    shoe = Shoe.parse("8=40")
    observation = counted(FEW, shoe, 10_000)
    assert list(observation.cells) == [JointCell(6, None, 6, None, Pairing.TWIN)]
    judgement = judged(observation, EXPECTED(FEW, shoe))
    assert [(test.what, test.score.chance) for test in judgement.tests] == [("same cell", Fraction(1))]
    assert judgement.agrees


def test_a_cell_that_never_came_hides_nothing() -> None:
    """A simulator may list every cell, also those that no round can come to, with no rounds in them."""
    observation = counted(FEW, THREE_RANKS)
    never = JointCell(0, None, 0, None, Pairing.NONE)
    assert never not in EXPECTED(FEW, THREE_RANKS).cells
    bet, results = next(iter(observation.bets.items()))
    (one, ones), (other, others), *_ = results.items()
    swapped = {**results, one: others, other: ones}
    wrong = replace(
        observation, bets={**observation.bets, bet: swapped}, cells={**observation.cells, never: Times(0)}
    )
    judgement = judged(wrong, EXPECTED(FEW, THREE_RANKS))
    assert {one.kind for one in judgement.contradictions} == {Evidence.SETTLEMENT}
    assert Evidence.OMNIBUS in {test.kind for test in judgement.tests}


def test_odds_with_many_decimals_are_summed_over_shoes_exactly() -> None:
    """Their whole units do not fit into 64 bits."""
    plain_game, odds = with_bets(loaded(COMMISSION_2013), "tie"), Odds.parse("8.000000001 to 1")
    game = plain_game.paying({"tie": [odds]})
    observation, plain = (counted(one, EIGHT, 2_000, cut_card=14) for one in (game, plain_game))
    wins, losses = plain.bets["tie"][Fraction(8)], plain.bets["tie"][Fraction(-1)]
    # With w wins of k rounds in a shoe, its net result is w * (odds + 1) - k, and k is the same for all.
    each = observation.rounds // (observation.shoes or 1)
    total, squares = wins.rounds, wins.squares or 0
    expected = (
        (odds.net + 1) ** 2 * squares - 2 * (odds.net + 1) * each * total + each**2 * (observation.shoes or 0)
    )
    assert losses.rounds == observation.rounds - total
    assert observation.net_squares["tie"] == expected
