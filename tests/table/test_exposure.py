"""What a round can cost the House: against every card sequence of a small shoe, and against the laws of sums."""

import tomllib
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from combinat import Shoe, analyze, load_game
from combinat.analysis.joint import combination, correlations
from combinat.base.errors import InputError
from combinat.engine.distribution import Distribution
from combinat.engine.walk import every_round, walk
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.table_of_play import Hand
from combinat.table.exposure import Exposure, house_results
from combinat.table.exposure_ceiling import ceiling
from combinat.table.gaming_table import BetLimits, ChipRounding, Chips, DisplayedLimits
from combinat.table.settlement import settle
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.oracle import any_book
from tests.oracle.dealer import Cards, deals
from tests.paths import ROOT, stored

F = Fraction
TINY = Shoe.parse("A=2 6=2 9=1 K=2")
FEW = Shoe.parse("2=2 4=1 K=2")
"""Five cards: some rounds cannot be finished."""

EXAMPLE = str(ROOT / "docs" / "table.toml")


BETS = tomllib.loads(SMALL_BOOK.read_text("utf-8"))["bets"]
Stakes = dict[str, Sequence[Fraction]]


def house(player: Cards, banker: Cards, stakes: Stakes, chips: Chips | None = None) -> Fraction:
    """The House's result of one round of the small game, stake by stake, by the oracle."""
    known = any_book.facts(player, banker)
    units = {bet["id"]: any_book.net(bet, known) for bet in BETS}
    nets = [units[bet] * amount for bet, amounts in stakes.items() for amount in amounts]
    return -sum((chips.rounded(net) if chips else net for net in nets), F(0))


def brute_force(shoe: Shoe, stakes: Stakes, chips: Chips | None = None) -> Counter[Fraction]:
    """The ways of each result of the House, over every round of a shoe."""
    counted: Counter[Fraction] = Counter()
    for deal, ways in deals(shoe.counts).items():
        counted[F(0) if deal.is_void else house(deal.player, deal.banker, stakes, chips)] += ways
    return counted


def exposed(game: Game, shoe: Shoe, stakes: Stakes, chips: Chips | None = None) -> Exposure:
    return house_results(game, shoe, walk(shoe, game.round()), stakes, chips)


STAKES: Stakes = {
    "punto": [F(30)], "banco": [F(100), F(5)], "six": [F(7)], "any-pair": [F(3), F(3)],
}  # fmt: skip


@pytest.mark.parametrize("chips", [None, Chips(smallest=F(2), rounding=ChipRounding.DOWN), Chips(smallest=F(3), rounding=ChipRounding.HALF_EVEN)], ids=["exact", "down", "half-even"])  # fmt: skip
@pytest.mark.parametrize("shoe", [TINY, FEW], ids=["seven cards", "five cards"])
def test_the_distribution_is_that_of_every_card_sequence(
    small_game: Game, shoe: Shoe, chips: Chips | None
) -> None:
    game = small_game
    result = exposed(game, shoe, STAKES, chips)
    assert {one.net: one.ways for one in result.results} == brute_force(shoe, STAKES, chips)


def test_the_variance_is_the_sum_of_the_covariances(small_game: Game) -> None:
    game, shoe = small_game, Shoe.of_decks(1)
    distribution = walk(shoe, game.round())
    stakes = {bet.id: F(number + 1) for number, bet in enumerate(game.bets)}
    pairs = correlations(game, game.bets, distribution)
    bets = analyze(game, shoe)
    variance = sum((amount**2 * bets.bet(bet).variance for bet, amount in stakes.items()), F(0))
    variance += sum(2 * stakes[pair.first] * stakes[pair.second] * pair.covariance for pair in pairs)
    result = exposed(game, shoe, {bet: [amount] for bet, amount in stakes.items()})
    assert result.variance == variance
    players = combination(game, stakes, distribution)
    assert [(one.net, one.ways) for one in result.results] == [
        (-one.net, one.ways) for one in players.outcomes
    ]
    assert (result.house_edge, result.staked) == (players.house_edge, players.staked)


def test_the_largest_loss_its_chance_and_its_rounds(small_game: Game) -> None:
    """Each example can be dealt, ends as it says, and costs that much; all sorts together have all its ways."""
    game = small_game
    result = exposed(game, TINY, STAKES)
    counted = brute_force(TINY, STAKES)
    assert result.largest_loss == -min(counted)
    assert result.worst.ways == counted[min(counted)] == sum(cause.ways for cause in result.causes)
    assert result.loses == F(sum(ways for net, ways in counted.items() if net < 0), sum(counted.values()))
    for cause in result.causes:
        assert cause.example is not None
        assert cause.example.outcome.result._replace(thirds=None) == cause.result
        assert house(cause.example.player, cause.example.banker, STAKES) == -result.largest_loss
        TINY.minus(cause.example.player + cause.example.banker)  # or it could not be dealt


@pytest.mark.parametrize("game", GAMES)
def test_every_cause_of_every_game_has_an_example_that_costs_as_much(game: str) -> None:
    loaded, shoe = load_game(game), Shoe.parse("A=1 2=2 4=2 6=2 7=1 K=2")
    distribution = walk(shoe, loaded.round())
    for bets in ([bet.id for bet in loaded.bets][::2], ["tie"]):
        stakes: Stakes = {bet: [F(10)] for bet in bets}
        result = house_results(loaded, shoe, distribution, stakes)
        assert result.causes
        for cause in result.causes:
            assert cause.example is not None
            settlement = settle(loaded, cause.example, {bet: amount for bet, (amount,) in stakes.items()})
            assert -settlement.net == result.worst.net
            assert cause.wins


def test_what_wins_in_the_costliest_rounds_is_named() -> None:
    game = load_game(NONCOMMISSION_2025)
    result = exposed(game, Shoe.of_decks(8), {"banker": [F(100)], "tiger": [F(5)]})
    assert list(result.costly_wins) == [("Banker (Banker wins with 6)", "Tiger (three cards)")]
    assert sum(result.costly_wins.values()) == result.worst.probability


def test_a_quantile_is_the_least_result_with_that_chance(small_game: Game) -> None:
    result = exposed(small_game, TINY, STAKES)
    for chance in (F(0), F(1, 100), F(1, 2), F(99, 100), F(1)):
        reached = result.quantile(chance)
        below = [one for one in result.results if one.net < reached.net]
        assert sum(one.probability for one in below) < chance or not below
        assert sum(one.probability for one in [*below, reached]) == reached.at_most >= chance


def test_void_rounds_that_leave_decided_bets_standing_are_counted() -> None:
    game = load_game(NONCOMMISSION_2024).reading("unfinished-round-void")
    result = exposed(game, Shoe.parse("K=4"), {"player-pair": [F(1)], "tie": [F(1)]})
    assert [(one.net, one.probability) for one in result.results] == [(F(-11), F(1))]
    (cause,) = result.causes
    assert (cause.result, cause.example, cause.wins) == (None, None, ("Player Pair",))


# ---------------------------------------------------------------- the most that a full layout can cost


def limited(bets: dict[str, Fraction], differential: Fraction | None = None) -> DisplayedLimits:
    """The limits of one position on each bet, and the Differential."""
    each = {bet: BetLimits(maximum=amount) for bet, amount in bets.items()}
    return DisplayedLimits(maximum_differential=differential, bets=each)


def grid_ceiling(
    game: Game,
    positions: int,
    most: dict[str, Fraction],
    differential: Fraction | None,
    distribution: Distribution,
    steps: Sequence[Fraction],
) -> Fraction:
    """The second opinion: every outcome with every stake on the hands from a grid, side bets all or nothing."""
    hands = {"punto", "banco"}
    worst = F(0)
    together = {tuple(bet.net(outcome) for bet in game.bets) for outcome in distribution.outcomes}
    for all_nets in together:
        nets = {bet.id: net for bet, net in zip(game.bets, all_nets, strict=True)}
        side = sum(max(F(0), net) * most[bet] * positions for bet, net in nets.items() if bet not in hands)
        for punto, banco in product(steps, repeat=2):
            if differential is not None and abs(punto - banco) > differential:
                continue
            caps = {bet: most[bet] * positions for bet in hands & set(most)}
            if punto > caps.get("punto", punto) or banco > caps.get("banco", banco):
                continue
            worst = max(worst, side + nets["punto"] * punto + nets["banco"] * banco)
    return worst


SIDE = {"six": F(10), "any-pair": F(4)}


@pytest.mark.parametrize(
    ("positions", "bets", "differential"),
    [
        (3, SIDE, F(100)),
        (3, SIDE | {"banco": F(20)}, F(100)),
        (2, SIDE | {"punto": F(20), "banco": F(70)}, F(60)),
        (2, SIDE | {"punto": F(20), "banco": F(70)}, None),
    ],
    ids=["Differential alone", "and one hand limited", "and both", "no Differential"],
)
def test_the_ceiling_is_that_of_every_stake_of_a_grid(
    small_game: Game, positions: int, bets: dict[str, Fraction], differential: Fraction | None
) -> None:
    distribution = walk(TINY, small_game.round())
    steps = [F(10 * step) for step in range(16)]
    most = ceiling(small_game, "A", positions, limited(bets, differential), distribution)
    assert most.loss == grid_ceiling(small_game, positions, bets, differential, distribution, steps)
    result = house_results(
        small_game, TINY, distribution, {bet: [amount] for bet, amount in most.choices[0].items()}
    )
    assert result.largest_loss == most.loss


def test_by_box_every_position_has_the_differential_for_itself() -> None:
    game = load_game(NONCOMMISSION_2024)
    limits = limited({bet.id: F(1) for bet in game.bets_on("A")[2:]}, F(1000))
    distribution = walk(TINY, game.round())
    one = ceiling(game, "A", 6, limits, distribution)
    each = ceiling(game.reading("differential-of-the-table"), "A", 6, limits, distribution)
    assert each.loss - one.loss == 5000


def test_a_differential_does_not_bound_hands_that_pay_more_than_they_take(tmp_path: Path) -> None:
    text = (
        SMALL_BOOK.read_text("utf-8").replace("small-baccarat", "generous").replace('"0.95 to 1"', '"3 to 1"')
    )
    game = load_game(stored(tmp_path, text, "generous.toml"))
    distribution = walk(TINY, game.round())
    for bets in (SIDE, {"six": F(1)}):  # a limit for any-pair is missing in the second
        with pytest.raises(InputError):
            ceiling(game, "A", 1, limited(bets, F(10)), distribution)
    steps = [F(10 * step) for step in range(8)]
    bets = SIDE | {"punto": F(50)}
    most = ceiling(game, "A", 1, limited(bets, F(10)), distribution)
    assert most.loss == grid_ceiling(game, 1, bets, F(10), distribution, steps)


# ---------------------------------------------------------------- the command


def test_the_stakes_of_a_table_are_what_its_limits_leave(run: Run) -> None:
    record = run("exposure", NONCOMMISSION_2024, "--table", EXAMPLE, "-f", "json").document()
    assert record["stakes"] == {"banker": "10975", "tie": "100", "big-tiger": "50", "player": "1000"}
    # Banker wins with 6 and three cards: 3625, 1800 and 25 are paid in whole chips, 50 to 1 on 50, the rest is won
    assert str(100 + 1000 - 3625 - 1800 - 25 - 2500) in [one["net"] for one in record["results"]]


def test_a_long_distribution_is_cut_to_some_chances_unless_all_is_asked_for(run: Run) -> None:
    bets = enumerate(load_game(NONCOMMISSION_2025).bets_on("P"))
    stakes = [word for number, bet in bets for word in ("--stake", f"{bet.id}={2**number}")]
    short = run("exposure", NONCOMMISSION_2025, *stakes).output()
    whole = run("exposure", NONCOMMISSION_2025, *stakes, "--detail").output()
    assert ("There are 34 results" in short, "There are 34 results" in whole) == (True, False)


def test_every_choice_of_stakes_with_the_largest_loss_is_told(run: Run) -> None:
    """440,000 three times: 50,000 on a hand, 3000 at 100 to 1, and 90,000 of a 7 at 30 to 1 or of 600 at 150 to 1."""
    words = ["exposure", NONCOMMISSION_2025, "--layout", "P", "--limit", "500"]
    words += ["--limit", "wu-dalang=100", "--limit", "maximum-differential=50000"]
    record = run(*words, "--format", "json").document()
    assert record["full_layout"]["largest_loss"] == "440000"
    assert record["full_layout"]["choices"] == [
        {"player-big-7": "3000", "tiger-pair": "3000", "player": "50000"},
        {"banker-big-7": "3000", "tiger-pair": "3000", "banker": "50000"},
        {"tiger-pair": "3000", "wu-dalang": "600", "player": "50000"},
    ]
    assert record["stakes"].items() == record["full_layout"]["choices"][0].items()
    for choice in record["full_layout"]["choices"]:
        stakes = [f"--stake={bet}={amount}" for bet, amount in choice.items()]
        alone = run("exposure", NONCOMMISSION_2025, *stakes, "--format", "json").document()
        assert alone["largest_loss"]["amount"] == "440000"


# ---------------------------------------------------------------- the most that a full layout can cost with insurance


def alike_limited(game: Game, differential: Fraction | None = None) -> DisplayedLimits:
    """500 for every bet of layout A; where a Differential limits the hands, for its side bets alone."""
    bets = game.bets_on("A")[0 if differential is None else 2 :]
    return limited({bet.id: F(500) for bet in bets}, differential)


@pytest.mark.parametrize(
    ("game_id", "cards", "plain", "most"),
    [
        # Player 2 2 5, Banker 7 7 5: Tie 8, both pairs 11 each; Player comes back, and an eighth of it is insured at 8 to 1
        (COMMISSION_2013, "2=2 5=2 7=2", 30, 31),
        # Player A A 5, Banker 2 2 4: 50 + 11 + 11 on side bets and 1 on Banker, or both hands and Player 7 insured at 4 to 1
        # (at 10 to 1 only a quarter of the maximum may be staked: 10 / 4 against 4)
        (NONCOMMISSION_2024, "A=2 2=2 4=1 5=1", 73, 76),
        (NONCOMMISSION_2025, "A=2 2=2 4=1 5=1", None, None),
    ],
)
def test_the_ceiling_worked_out_by_hand(
    game_id: str, cards: str, plain: int | None, most: int | None
) -> None:
    """The largest loss of one position, in units of the maximum; a game without insurance has no second figure."""
    game = load_game(game_id)
    found = ceiling(game, "A", 6, alike_limited(game), walk(Shoe.parse(cards), game.round()))
    assert (found.insured is None) == (most is None)
    if found.insured is not None:
        assert (found.loss, found.insured.loss) == (6 * 500 * F(plain or 0), 6 * 500 * F(most or 0))


@pytest.mark.parametrize("game", [COMMISSION_2024, NONCOMMISSION_2024])
def test_the_differential_alone_bounds_no_insurance(game: str) -> None:
    loaded = load_game(game)
    most = ceiling(loaded, "A", 6, alike_limited(loaded, F(1000)), walk(TINY, loaded.round())).insured
    assert most is not None
    assert most.loss is None


GRID = (F(0), F(1, 4), F(1, 3), F(1, 2), F(1), F(7, 6))
"""Stakes on insurance, per unit on a hand: those at which the limits of the examples are met, and one over them."""


@pytest.mark.parametrize(
    ("game_id", "readings", "cards"),
    [
        (COMMISSION_2013, (), "A=1 3=1 6=2 K=2"),
        (COMMISSION_2013, (), "2=2 7=1 9=1 K=2"),
        (COMMISSION_2013, ("insurance-cap-on-payout",), "A=1 3=1 6=2 K=2"),
        (COMMISSION_2013, ("insurance-of-the-own-hand",), "2=2 7=1 9=1 K=2"),
        (COMMISSION_2024, (), "2=2 7=1 9=1 K=2"),
    ],
)
def test_no_settlement_of_a_grid_costs_more(game_id: str, readings: tuple[str, ...], cards: str) -> None:
    """Every round of a small shoe, a unit or nothing on each hand, insurance from the grid: what settles within the limits."""
    game, shoe = load_game(game_id).reading(*readings), Shoe.parse(cards)
    bets = game.bets_on("A")
    most = ceiling(game, "A", 1, limited({bet.id: F(1) for bet in bets}), walk(shoe, game.round()))
    rounds = {
        (dealt.outcome, *dealt.stages.values()): dealt
        for dealt, _ in every_round(shoe, game.round())
        if dealt.is_over
    }
    worst = most.loss
    for dealt in rounds.values():  # one of each sort: what is settled depends on nothing else
        won = sum((max(F(0), bet.net(dealt.outcome)) for bet in bets[2:]), F(0))
        open_at = [
            Insured(hand, stage)
            for stage, moment in dealt.stages.items()
            for hand in Hand
            if game.offer(hand, moment) is not None
        ]
        for on_hands in ({"player": F(1)}, {"banker": F(1)}, {"player": F(1), "banker": F(1)}):
            for amounts in product(GRID, repeat=len(open_at)):
                insured = {one: amount for one, amount in zip(open_at, amounts, strict=True) if amount}
                try:
                    settled = settle(game, dealt, on_hands, insured, table_maximum=F(1))
                except InputError:
                    continue
                worst = max(worst, won + sum((line.net for line in settled.lines), F(0)))
    assert most.with_insurance == worst
