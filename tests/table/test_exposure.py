"""What a round can cost the House: against every card sequence of a small shoe, and against the laws of sums."""

import csv
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from pathlib import Path

import pytest

from combinat import Shoe, analyze, load_game
from combinat.analysis.analysis import Analysis
from combinat.analysis.ceiling import Limits, ceiling
from combinat.analysis.exposure import Exposure, exposure
from combinat.analysis.joint import combination, correlations
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.errors import StakeError
from combinat.rules.cards import RANKS, Rank
from combinat.rules.game import Game
from combinat.rules.gaming_table import Chips, Rounding
from combinat.rules.reading import with_readings
from combinat.rules.round import Round
from combinat.rules.rulebook import RuleBook
from combinat.rules.settlement import settle
from tests.conftest import SMALL_BOOK, Run
from tests.csv_columns import without_decimals
from tests.documents import COMMISSION_2013, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.paths import ROOT

F = Fraction
TINY = Shoe.parse("A=2 6=2 9=1 K=2")
FEW = Shoe.parse("2=2 4=1 K=2")
"""Five cards: some rounds cannot be finished."""

EXAMPLE = str(ROOT / "docs" / "table.toml")


def rounds(game: Game, shoe: Shoe) -> Iterator[Round | None]:
    """Every sequence of six cards, or of all there are, dealt as far as it goes; None: it cannot be finished."""
    cards = [rank for rank in RANKS for _ in range(shoe[rank])]
    for order in permutations(range(len(cards)), min(6, len(cards))):
        dealt = game.round()
        for place in order:
            if dealt.is_over:
                break
            dealt = dealt.with_card(cards[place])
        yield dealt if dealt.is_over else None


def house(
    game: Game, dealt: Round | None, stakes: dict[str, Sequence[Fraction]], chips: Chips | None
) -> Fraction:
    """The House's result of one round, by the settlement of every single stake."""
    if dealt is None:
        return F(0)
    nets = [settle(game, dealt, {bet: amount}).net for bet, amounts in stakes.items() for amount in amounts]
    return -sum((chips.rounded(net) if chips else net for net in nets), F(0))


@cache
def dealt_rounds(shoe: Shoe) -> Counter[Round | None]:
    """The rounds of the small game, each with the sequences that deal it."""
    return Counter(rounds(load_game(SMALL_BOOK), shoe))


def brute_force(
    game: Game, shoe: Shoe, stakes: dict[str, Sequence[Fraction]], chips: Chips | None = None
) -> Counter[Fraction]:
    counted: Counter[Fraction] = Counter()
    for dealt, ways in dealt_rounds(shoe).items():
        counted[house(game, dealt, stakes, chips)] += ways
    return counted


def exposed(
    game: Game, shoe: Shoe, stakes: dict[str, Sequence[Fraction]], chips: Chips | None = None
) -> Exposure:
    return exposure(game, shoe, walk(shoe, game.round()), stakes, chips)


@cache
def analyzed(game: str) -> Analysis:
    """A game on eight decks, once."""
    return analyze(load_game(game), Shoe.of_decks(8))


STAKES: dict[str, Sequence[Fraction]] = {
    "punto": [F(30)], "banco": [F(100), F(5)], "six": [F(7)], "any-pair": [F(3), F(3)],
}  # fmt: skip


@pytest.mark.parametrize("chips", [None, Chips(smallest=F(2), rounding=Rounding.DOWN), Chips(smallest=F(3), rounding=Rounding.HALF_EVEN)], ids=["exact", "down", "half-even"])  # fmt: skip
@pytest.mark.parametrize("shoe", [TINY, FEW], ids=["seven cards", "five cards"])
def test_the_distribution_is_that_of_every_card_sequence(
    small_book: RuleBook, shoe: Shoe, chips: Chips | None
) -> None:
    game = small_book.game
    result = exposed(game, shoe, STAKES, chips)
    assert {one.net: one.ways for one in result.results} == brute_force(game, shoe, STAKES, chips)


@pytest.mark.parametrize("game", GAMES)
def test_the_mean_is_the_sum_of_the_expected_values(game: str) -> None:
    """Whatever bets are on, whatever they have to do with each other."""
    analysis = analyzed(game)
    loaded, shoe = analysis.game, analysis.shoe
    stakes = {bet.id: F(10 + 3 * number, 7) for number, bet in enumerate(loaded.bets)}
    result = exposure(loaded, shoe, analysis.distribution, {bet: [amount] for bet, amount in stakes.items()})
    assert result.mean == -sum(amount * analysis.bet(bet).expected_value for bet, amount in stakes.items())
    assert sum(one.ways for one in result.results) == analysis.sample_space
    assert result.results[-1].at_most == 1


def test_the_variance_is_the_sum_of_the_covariances(small_book: RuleBook) -> None:
    game, shoe = small_book.game, Shoe.of_decks(1)
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


def test_the_largest_loss_its_chance_and_its_rounds(small_book: RuleBook) -> None:
    """Each example can be dealt, ends as it says, and costs that much; all sorts together have all its ways."""
    game = small_book.game
    result = exposed(game, TINY, STAKES)
    counted = brute_force(game, TINY, STAKES)
    assert result.largest_loss == -min(counted)
    assert result.worst.ways == counted[min(counted)] == sum(cause.ways for cause in result.causes)
    assert result.loses == F(sum(ways for net, ways in counted.items() if net < 0), sum(counted.values()))
    for cause in result.causes:
        assert cause.example is not None
        assert cause.example.outcome.result.without_thirds == cause.result
        assert house(game, cause.example, STAKES, None) == -result.largest_loss
        for rank, number in Counter(cause.example.player + cause.example.banker).items():
            assert number <= TINY[rank]


@pytest.mark.parametrize("game", GAMES)
def test_every_cause_of_every_game_has_an_example_that_costs_as_much(game: str) -> None:
    analysis = analyzed(game)
    loaded, shoe, distribution = analysis.game, analysis.shoe, analysis.distribution
    for bets in ([bet.id for bet in loaded.bets][::2], ["tie"]):
        stakes: dict[str, Sequence[Fraction]] = {bet: [F(10)] for bet in bets}
        result = exposure(loaded, shoe, distribution, stakes)
        assert result.causes
        for cause in result.causes:
            assert house(loaded, cause.example, stakes, None) == result.worst.net
            assert cause.wins


def test_what_wins_in_the_costliest_rounds_is_named() -> None:
    game = load_game(NONCOMMISSION_2025)
    result = exposed(game, Shoe.of_decks(8), {"banker": [F(100)], "tiger": [F(5)]})
    assert list(result.costly_wins) == [("Banker (Banker wins with 6)", "Tiger (three cards)")]
    assert sum(result.costly_wins.values()) == result.worst.probability


def test_a_quantile_is_the_least_result_with_that_chance(small_book: RuleBook) -> None:
    result = exposed(small_book.game, TINY, STAKES)
    for chance in (F(0), F(1, 100), F(1, 2), F(99, 100), F(1)):
        reached = result.quantile(chance)
        below = [one for one in result.results if one.net < reached.net]
        assert sum(one.probability for one in below) < chance or not below
        assert sum(one.probability for one in [*below, reached]) == reached.at_most >= chance


def test_void_rounds_that_leave_decided_bets_standing_are_counted() -> None:
    game = with_readings(load_game(NONCOMMISSION_2024), ["unfinished-round-void"])
    result = exposed(game, Shoe.parse("K=4"), {"player-pair": [F(1)], "tie": [F(1)]})
    assert [(one.net, one.probability) for one in result.results] == [(F(-11), F(1))]
    (cause,) = result.causes
    assert (cause.result, cause.example, cause.wins) == (None, None, ("Player Pair",))


# ---------------------------------------------------------------- the most that a full layout can cost


def grid_ceiling(
    game: Game, limits: Limits, distribution: Distribution, steps: Sequence[Fraction]
) -> Fraction:
    """The second opinion: every outcome with every stake on the hands from a grid, side bets all or nothing."""
    hands = {"punto", "banco"}
    worst = F(0)
    together = {tuple(bet.net(outcome) for bet in game.bets) for outcome in distribution.outcomes}
    for all_nets in together:
        nets = {bet.id: net for bet, net in zip(game.bets, all_nets, strict=True)}
        side = sum(
            max(F(0), net) * limits.bets[bet] * limits.positions
            for bet, net in nets.items()
            if bet not in hands
        )
        for punto, banco in product(steps, repeat=2):
            if limits.differential is not None and abs(punto - banco) > limits.differential:
                continue
            caps = {bet: limits.bets[bet] * limits.positions for bet in hands & set(limits.bets)}
            if punto > caps.get("punto", punto) or banco > caps.get("banco", banco):
                continue
            worst = max(worst, side + nets["punto"] * punto + nets["banco"] * banco)
    return worst


SIDE = {"six": F(10), "any-pair": F(4)}


@pytest.mark.parametrize(
    "limits",
    [
        Limits(positions=3, bets=SIDE, differential=F(100)),
        Limits(positions=3, bets=SIDE | {"banco": F(20)}, differential=F(100)),
        Limits(positions=2, bets=SIDE | {"punto": F(20), "banco": F(70)}, differential=F(60)),
        Limits(positions=2, bets=SIDE | {"punto": F(20), "banco": F(70)}, differential=None),
    ],
    ids=["Differential alone", "and one hand limited", "and both", "no Differential"],
)
def test_the_ceiling_is_that_of_every_stake_of_a_grid(small_book: RuleBook, limits: Limits) -> None:
    distribution = walk(TINY, small_book.game.round())
    steps = [F(10 * step) for step in range(16)]
    most = ceiling(small_book.game, "A", limits, distribution)
    assert most.loss == grid_ceiling(small_book.game, limits, distribution, steps)
    result = exposure(
        small_book.game, TINY, distribution, {bet: [amount] for bet, amount in most.stakes.items()}
    )
    assert result.largest_loss == most.loss


def test_the_ceiling_worked_out_by_hand() -> None:
    """2013, six positions, 100 on every bet: both pairs and Player, or both pairs and a tie.

    11 + 11 + 1 = 23 times 600, against 11 + 11 + 8 = 30 times 600 with a tie: 18000.
    """
    game, shoe = load_game(COMMISSION_2013), Shoe.of_decks(8)
    limits = Limits(positions=6, bets={bet.id: F(100) for bet in game.bets}, differential=None)
    most = ceiling(game, "F", limits, walk(shoe, game.round()))
    assert most.loss == 18_000
    assert dict(most.stakes) == {"tie": 600, "player-pair": 600, "banker-pair": 600}


def test_by_box_every_position_has_the_differential_for_itself() -> None:
    game, shoe = load_game(NONCOMMISSION_2024), Shoe.of_decks(8)
    limits = Limits(positions=6, bets={bet.id: F(1) for bet in game.bets_on("A")[2:]}, differential=F(1000))
    distribution = walk(shoe, game.round())
    one = ceiling(game, "A", limits, distribution)
    each = ceiling(with_readings(game, ["differential-of-the-table"]), "A", limits, distribution)
    assert each.loss - one.loss == 5000


def test_without_a_limit_there_is_no_ceiling(small_book: RuleBook) -> None:
    distribution = walk(TINY, small_book.game.round())
    limits = Limits(positions=1, bets={"six": F(1)}, differential=F(10))
    with pytest.raises(StakeError, match="no limit is given for any-pair; without one"):
        ceiling(small_book.game, "A", limits, distribution)


def test_a_differential_does_not_bound_hands_that_pay_more_than_they_take(tmp_path: Path) -> None:
    text = (
        SMALL_BOOK.read_text("utf-8").replace("small-baccarat", "generous").replace('"0.95 to 1"', '"3 to 1"')
    )
    (tmp_path / "generous.toml").write_text(text, "utf-8")
    game = load_game(tmp_path / "generous.toml")
    distribution = walk(TINY, game.round())
    with pytest.raises(StakeError, match="punto and banco together can pay more than they take"):
        ceiling(game, "A", Limits(positions=1, bets=SIDE, differential=F(10)), distribution)
    bounded = ceiling(
        game, "A", Limits(positions=1, bets=SIDE | {"punto": F(50)}, differential=F(10)), distribution
    )
    steps = [F(10 * step) for step in range(8)]
    limits = Limits(positions=1, bets=SIDE | {"punto": F(50)}, differential=F(10))
    assert bounded.loss == grid_ceiling(game, limits, distribution, steps)


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "latex"])
def test_the_command_prints_every_format(run: Run, form: str) -> None:
    ran = run("exposure", COMMISSION_2013, "--stake", "banker=100", "--stake", "tie=10", "--format", form)
    assert (ran.code, ran.err) == (0, "")
    assert "-85" in ran.out  # 95 are paid, 10 are won
    if form == "text":
        assert max(map(len, ran.out.splitlines())) <= 100
    if form == "csv":
        header, *_ = without_decimals(list(csv.reader(ran.out.splitlines())))
        assert header == ["net", "ways", "probability", "at_most"]


def test_the_json_of_stakes(run: Run) -> None:
    ran = run("exposure", COMMISSION_2013, "--stake", "banker=100", "--stake", "tie=10", "--positions", "2", "--layout", "G", "-f", "json")  # fmt: skip
    record = json.loads(ran.out)
    assert record["schema"] == "combinat/exposure/1"
    assert record["stakes"] == {"banker": "200", "tie": "20"}
    assert [one["net"] for one in record["results"]] == ["-170", "-160", "220"]
    assert sum(F(one["probability"]) for one in record["results"]) == 1
    assert record["largest_loss"]["amount"] == "170"
    assert record["largest_loss"]["rounds"][0]["example"] == {"player": ["K", "K"], "banker": ["K", "9"]}
    analysis = analyzed(COMMISSION_2013)
    mean = -200 * analysis.bet("banker").expected_value - 20 * analysis.bet("tie").expected_value
    assert F(record["mean"]) == mean


def test_the_stakes_of_a_table_are_what_its_limits_leave(run: Run) -> None:
    ran = run("exposure", NONCOMMISSION_2024, "--table", EXAMPLE, "-f", "json")
    record = json.loads(ran.out)
    assert record["stakes"] == {"banker": "10975", "tie": "100", "big-tiger": "50", "player": "1000"}
    # Banker wins with 6 and three cards: 3625, 1800 and 25 are paid in whole chips, 50 to 1 on 50, the rest is won
    assert str(100 + 1000 - 3625 - 1800 - 25 - 2500) in [one["net"] for one in record["results"]]
    text = run("exposure", NONCOMMISSION_2024, "--table", EXAMPLE).out
    assert "The cards of the file are not looked at" in text
    assert "Insurance is no part of this" in text


def test_the_most_that_a_full_layout_can_cost(run: Run) -> None:
    ran = run(
        "exposure", COMMISSION_2013, "--layout", "F", "--maximum", "50", "--limit", "tie=100", "-f", "json"
    )
    record = json.loads(ran.out)
    assert record["full_layout"]["positions"] == 6
    assert (
        record["full_layout"]["insured"]["without_insurance"]
        == record["largest_loss"]["amount"]
        == str(6 * (100 * 8 + 2 * 50 * 11))
    )
    assert record["full_layout"]["largest_loss"] == str(6 * (100 * 8 + 2 * 50 * 11 + 50))  # insured on 9


def test_a_house_that_cannot_lose_is_said_to_be_one(run: Run) -> None:
    """As much on either hand: Player wins what Banker loses, and of Banker's winnings 5 % stay."""
    ran = run("exposure", COMMISSION_2013, "--stake", "player=100", "--stake", "banker=100")
    assert "It never loses; its least result: 0, in " in ran.out
    assert "+5 " in ran.out


def test_a_reading_is_followed_and_said(run: Run) -> None:
    words = ["exposure", NONCOMMISSION_2024, "--layout", "A", "--maximum", "1", "--max-differential", "1000"]
    own = json.loads(run(*words, "-f", "json").out)
    other = json.loads(run(*words, "--reading", "differential-of-the-table", "-f", "json").out)
    assert other["readings"] == ["differential-of-the-table"]
    assert int(other["largest_loss"]["amount"]) - int(own["largest_loss"]["amount"]) == 5000


def test_a_long_distribution_is_cut_to_some_chances_unless_all_is_asked_for(run: Run) -> None:
    bets = enumerate(load_game(NONCOMMISSION_2025).bets_on("P"))
    stakes = [word for number, bet in bets for word in ("--stake", f"{bet.id}={2**number}")]
    short = run("exposure", NONCOMMISSION_2025, *stakes).out
    whole = run("exposure", NONCOMMISSION_2025, *stakes, "--detail").out
    assert "There are 34 results" in short
    assert "There are 34 results" not in whole
    assert "it or less %" in whole


@pytest.mark.parametrize("suffix", ["svg", "html", "png"])
def test_the_chart_is_written(run: Run, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"chart.{suffix}"
    ran = run("exposure", COMMISSION_2013, "--stake", "tie=10", "--chart", str(file))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith(f"\nchart: {file}\n")
    content = file.read_bytes()
    begins = {"svg": b"<svg ", "html": b"<!DOCTYPE html>", "png": b"\x89PNG"}
    assert content.startswith(begins[suffix])
    if suffix == "html":
        assert b"<svg " in content
        assert b"The rounds that cost most" in content


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing is staked; add --stake BET=AMOUNT or --table FILE, or ask for the most that a full layout can cost with --limit BET=AMOUNT, --maximum AMOUNT, --max-differential AMOUNT"),
        (["--stake", "tie=0"], "--stake tie: found 0; write an amount of more than 0"),
        (["--stake", "tie=-5"], '--stake tie: amount: found "-5"; write digits with at most one point, such as 100 or 12.50 (15 digits and 9 decimals at most)'),
        (["--stake", "tiger=5"], f'{NONCOMMISSION_2024} has no bet "tiger"; did you mean tie? It has: player, banker, tie, player-pair, banker-pair, big-tiger, small-tiger, big-buffalo, small-buffalo, tiger-buffalo, wu-dalang, player-char-siu, banker-char-siu'),
        (["--stake", "wu-dalang=5", "--layout", "A"], "--stake wu-dalang: layout A does not offer Wu Dalang (4.1.6); it offers player, banker, tie, player-pair, banker-pair, big-tiger, small-tiger, big-buffalo, small-buffalo, player-char-siu, banker-char-siu"),
        (["--stake", "tie=5", "--layout", "A", "--positions", "7"], "--positions: found 7; layout A has 1 to 6 (2.1.1, Appendix A)"),
        (["--stake", "tie=5", "--maximum", "7"], "--stake says what is staked; --limit, --maximum and --max-differential ask for the most"),
        (["--table", EXAMPLE, "--stake", "tie=5"], "--table says what is staked; --stake, --layout, --positions, --limit, --maximum and --max-differential do not go with it"),
        (["--maximum", "5"], "--layout: missing; write which of its layouts is full: A, B, C, D, E, F, G, H, I, J, K"),
        (["--layout", "A", "--maximum", "0"], "--maximum: found 0; write an amount of more than 0"),
        (["--layout", "A", "--max-differential", "x"], '--max-differential: amount: found "x"; write digits with at most one point, such as 100 or 12.50 (15 digits and 9 decimals at most)'),
        (["--layout", "A", "--max-differential", "100"], "no limit is given for tie, player-pair, banker-pair, big-tiger, small-tiger, big-buffalo, small-buffalo, player-char-siu, banker-char-siu; without one there is no most that they can cost"),
        (["--layout", "A", "--maximum", "5", "--cards", "K=3"], "with this shoe no stakes within the limits can cost the House anything"),
        (["--stake", "tie=5", "--positions", "1001"], '--positions: found "1001"; write a whole number from 1 to 1000; combinat exposure --help shows how'),
        (["--stake", "tie=5", "--chart", "x.pdf"], '--chart: found "x.pdf"; write a file name that ends in .svg, .png, .html'),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)  # fmt: skip
def test_a_mistake_is_one_message(run: Run, words: list[str], message: str) -> None:
    ran = run("exposure", NONCOMMISSION_2024, *words)
    assert (ran.code, ran.out, ran.err) == (2, "", f"combinat: {message}\n")


def test_a_differential_is_refused_where_the_document_knows_none(run: Run) -> None:
    ran = run("exposure", COMMISSION_2013, "--layout", "F", "--maximum", "5", "--max-differential", "5")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"combinat: --max-differential: {COMMISSION_2013} knows no Differential; give a limit for the bets on the hands\n"  # fmt: skip


def test_the_chart_is_not_written_over_the_table(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "table.html"
    file.write_bytes(Path(EXAMPLE).read_bytes())
    ran = run("exposure", NONCOMMISSION_2024, "--table", str(file), "--chart", str(file))
    assert (ran.code, ran.err) == (2, f"combinat: --chart: {file} is the table; write to another\n")
    assert file.read_bytes() == Path(EXAMPLE).read_bytes()


def test_ranks_are_ranks() -> None:
    """The small shoes hold what they seem to."""
    assert (TINY.size, FEW.size, TINY[Rank.SIX]) == (7, 5, 2)


def test_every_choice_of_stakes_with_the_largest_loss_is_told(run: Run) -> None:
    """440,000 three times: 50,000 on a hand, 3000 at 100 to 1, and 90,000 of a 7 at 30 to 1 or of 600 at 150 to 1."""
    words = ["exposure", NONCOMMISSION_2025, "--layout", "P", "--maximum", "500"]
    words += ["--limit", "wu-dalang=100", "--max-differential", "50000"]
    record = json.loads(run(*words, "--format", "json").out)
    assert record["full_layout"]["largest_loss"] == "440000"
    assert record["full_layout"]["choices"] == [
        {"player-big-7": "3000", "tiger-pair": "3000", "player": "50000"},
        {"banker-big-7": "3000", "tiger-pair": "3000", "banker": "50000"},
        {"tiger-pair": "3000", "wu-dalang": "600", "player": "50000"},
    ]
    assert record["stakes"].items() == record["full_layout"]["choices"][0].items()
    printed = run(*words).out
    assert "Choices of stakes that can lose as much: 3; what follows" in printed
    for choice in record["full_layout"]["choices"]:
        stakes = [f"--stake={bet}={amount}" for bet, amount in choice.items()]
        alone = json.loads(run("exposure", NONCOMMISSION_2025, *stakes, "--format", "json").out)
        assert alone["largest_loss"]["amount"] == "440000"
