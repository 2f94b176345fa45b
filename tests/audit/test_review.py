"""Stakes that follow the edge: made-up players are told apart, sums are exact, and nobody is named by chance."""

import csv
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from combinat import Shoe, evaluate, load_game, review
from combinat.analysis.round_in_progress import round_in_progress
from combinat.audit import permutation
from combinat.audit.permutation import (
    PERMUTATIONS,
    Sum,
    orders,
    rank_correlation,
    slope,
    within,
)
from combinat.audit.review import PlayerReview, Review
from combinat.montecarlo import simulation
from combinat.montecarlo.simulation import Simulation
from combinat.rules.cards import RANKS
from tests.audit.made_up_players import (
    COUNT,
    EIGHT,
    GAME,
    GAME_ID,
    PLAYERS,
    Dealt,
    Player,
    counter,
    dealt,
    flat,
    moody,
    perfect,
    write_log,
)
from tests.conftest import Run
from tests.documents import COMMISSION_2013


@pytest.fixture(scope="module")
def table() -> Dealt:
    return dealt(20, seed=1)


@pytest.fixture(scope="module")
def log(table: Dealt, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "log.csv"
    write_log(path, table, PLAYERS)
    return path


@pytest.fixture(scope="module")
def answer(log: Path) -> Review:
    return review(log)


@pytest.fixture(scope="module")
def players(log: Path) -> dict[str, PlayerReview]:
    return {player.player: player for player in review(log, tags=[str(COUNT)]).players}


# ---------------------------------------------------------------- told apart


def test_the_counter_and_the_perfect_player_are_named_and_nobody_else(answer: Review) -> None:
    named = [player.player for player in answer.players if answer.is_conspicuous(player)]
    assert sorted(named) == ["counter", "perfect"]
    assert named == [player.player for player in answer.players[:2]]
    assert answer.players[0].player == "perfect"


def test_what_was_paid_need_not_be_there(log: Path, answer: Review, tmp_path: Path) -> None:
    """Winnings are by the rules: a log with stakes alone is reviewed as well."""
    lines = log.read_text("utf-8").splitlines()
    notes = [line for line in lines if line.startswith("#")]
    head, *rows = csv.reader(line for line in lines if not line.startswith("#"))
    kept = [place for place, name in enumerate(head) if not name.startswith("payout:")]
    assert len(kept) < len(head)
    alone = tmp_path / "stakes.csv"
    table = "\n".join(",".join(row[place] for place in kept) for row in (head, *rows))
    alone.write_text("\n".join([*notes, table]) + "\n", "utf-8")
    assert review(alone).players == answer.players


def test_stakes_that_go_by_the_clock_are_no_evidence(players: dict[str, PlayerReview]) -> None:
    """The deeper the shoe the larger the edges, for better and worse: whole shoes change places, round by round."""
    assert [players[name].bets[0].edge.chance for name in ("flat", "clock")] == [1, 1]
    assert [players[name].bets[0].edge.rank_correlation for name in ("flat",)] == [None]


def test_the_perfect_player_stakes_where_it_pays(players: dict[str, PlayerReview]) -> None:
    by_bet = {bet.subject: bet for bet in players["perfect"].bets}
    assert by_bet["big-tiger"].staked.favourable_share == 1
    assert by_bet["big-tiger"].staked.mean > 0
    assert by_bet["big-tiger"].edge.rank_correlation > Fraction(1, 5)  # type: ignore[operator]
    assert players["tie-chaser"].together.staked.favourable_share < Fraction(1, 20)


def test_the_counter_follows_the_count_given(players: dict[str, PlayerReview]) -> None:
    (count,), (mood,) = (players[name].bets[0].counts for name in ("counter", "moody"))
    assert (count.tags, count.chance) == (COUNT, Fraction(1, 10_000))
    assert count.adjusted is not None
    assert count.adjusted < Fraction(1, 100)
    assert mood.chance is not None
    assert mood.chance > Fraction(1, 100)


# ---------------------------------------------------------------- exact


def test_sums_are_exact(table: Dealt, players: dict[str, PlayerReview]) -> None:
    """Each round's expected value by itself, as a fraction, times what was staked on it."""
    evaluation = evaluate(GAME, table.left)
    for name, bet in (("flat", "banker"), ("counter", "big-tiger"), ("tie-chaser", "tie")):
        stakes = PLAYERS[name](table)[bet]
        values = [evaluation.expected_value(number, bet) for number in range(len(stakes))]
        staked = next(one.staked for one in players[name].bets if one.subject == bet)
        assert staked.staked == sum(stakes)
        assert staked.expected == sum(
            (stake * value for stake, value in zip(stakes, values, strict=True)), Fraction(0)
        )
        assert staked.favourable == sum(
            stake for stake, value in zip(stakes, values, strict=True) if value > 0
        )
        assert staked.won == sum(stake * net for stake, net in zip(stakes, table.nets[bet], strict=True))
        assert staked.fresh == sum(stakes) * evaluate(GAME, [EIGHT.counts]).expected_value(0, bet)


def test_insurance_is_worth_what_the_round_in_progress_says(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A unit on every offer of two shoes, against each round taken by itself."""
    monkeypatch.setattr(simulation, "SHOES", 4)
    game, shoe = load_game(COMMISSION_2013), Shoe.of_decks(2)
    batch = Simulation(game=game, shoe=shoe, rounds=1, seed=4, cut_card=14).batch(0)
    assert batch.shoes is not None
    subjects = [str(table.insured) for table in game.insurance]
    lines = [f"# game: {game.id}", "# decks: 2", "# cut-card: 14"]
    lines.append(
        ",".join(["round,shoe,player_cards,banker_cards", *(f"stake:{one},payout:{one}" for one in subjects)])
    )
    worth, left, last, wagers = dict.fromkeys(subjects, Fraction(0)), shoe, -1, 0
    for number in range(int(np.searchsorted(batch.shoes, 2))):
        hands = [
            [RANKS[int(card[number])] for card in hand if card[number] < len(RANKS)]
            for hand in (batch.dealt.player, batch.dealt.banker)
        ]
        left, last = (left if batch.shoes[number] == last else shoe), int(batch.shoes[number])
        offered = set[str]()
        moments = [game.round(hands[0][:2], hands[1][:2])]
        if len(hands[0]) == 3:
            moments.append(game.round(hands[0], hands[1][:2]))
        for moment in moments:
            if not moment.is_over:
                for state in round_in_progress(game, moment, left).insurance:
                    subject = f"{state.state.side}@{state.state.stage}"
                    offered.add(subject)
                    worth[subject] += state.expected_value or 0
        wagers += len(offered)
        cells = ["1,0" if one in offered else "," for one in subjects]
        lines.append(",".join([str(number), str(last), " ".join(hands[0]), " ".join(hands[1]), *cells]))
        left = left.minus(hands[0] + hands[1])
    (tmp_path / "log.csv").write_text("\n".join(lines) + "\n", "utf-8")
    ran = run("review", str(tmp_path / "log.csv"), "-f", "json", "--decks", "2")
    assert (ran.code, ran.err) == (0, "")
    (player,) = json.loads(ran.out)["players"]
    assert {bet["subject"]: Fraction(bet["expected"]) for bet in player["bets"]} == {
        subject: value for subject, value in worth.items() if value
    }
    assert player["together"]["wagers"] == wagers > 10


# ---------------------------------------------------------------- the statistics


def test_whole_shoes_change_places() -> None:
    order = orders(5, (0, 0))
    assert (np.sort(order, axis=1) == np.arange(5)).all()
    assert len({tuple(row) for row in order.tolist()}) == 120
    own, never = Sum(), Sum()
    own.add(np.eye(5), np.arange(5), order)
    assert 40 < own.as_much < 140  # one way of 120 leaves every shoe in its place
    never.add(np.ones((5, 5)), np.arange(5), order)
    assert never.as_much == PERMUTATIONS


def test_among_many_players_more_ways_are_looked_at(
    table: Dealt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in so many ways would never be enough to name anybody among them, were there no more."""
    monkeypatch.setattr(permutation, "PERMUTATIONS", 99)
    crowd = {f"flat {number}": flat for number in range(3)}
    write_log(tmp_path / "log.csv", table, {"counter": counter, **crowd})
    monkeypatch.setattr(permutation, "MOST_TURNS", 1)
    few = review(tmp_path / "log.csv")
    assert not any(few.is_conspicuous(player) for player in few.players)
    monkeypatch.setattr(permutation, "MOST_TURNS", 30)
    many = review(tmp_path / "log.csv")
    assert [player.player for player in many.players if many.is_conspicuous(player)] == ["counter"]


def test_correlations_of_a_few_numbers() -> None:
    stakes, signal = np.array([1.0, 2.0, 2.0, 5.0]), np.array([0.0, 1.0, 3.0, 2.0])
    assert slope(stakes, signal) == Fraction(3, 5)
    assert rank_correlation(stakes, signal) == Fraction("0.632455532")
    assert rank_correlation(np.ones(4), signal) is None
    assert within(np.array([1.0, 0.0]), np.array([1.0, 0.0]), np.array([0, 1])) is None
    chance = within(np.array([1.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]), np.array([0, 0, 0]))
    assert chance is not None
    assert abs(chance - Fraction(1, 3)) < Fraction(1, 50)


# ---------------------------------------------------------------- the command


def short_log(path: Path, table: Dealt, rows: int, players: dict[str, Player]) -> Path:
    write_log(path, table, players)
    path.write_text("\n".join(path.read_text("utf-8").splitlines()[: rows + 4]) + "\n", "utf-8")
    return path


def test_a_foreign_log_of_wagers_is_read_alike(run: Run, tmp_path: Path, table: Dealt) -> None:
    """A row for each wager, other names of columns, other marks."""
    native = short_log(tmp_path / "native.csv", table, 240, {"a": perfect, "b": moody})
    lines = ["hand;shoe;patron;punto;banco;wager;amount;returned"]
    for row in csv.DictReader(native.read_text("utf-8").splitlines()[3:]):
        for bet in ("big-tiger", "player", "tie"):
            if row[f"stake:{bet}"]:
                cells = [row[name] for name in ("round", "shoe", "player", "player_cards", "banker_cards")]
                back = row[f"payout:{bet}"].replace(".", ",")
                lines.append(";".join([*cells, bet, row[f"stake:{bet}"], back]))
    (tmp_path / "foreign.csv").write_text("\n".join(lines) + "\n", "utf-8")
    said = {"round": "hand", "player": "patron", "player_cards": "punto", "banker_cards": "banco"}
    said |= {"bet": "wager", "stake": "amount", "payout": "returned"}
    words = [word for what, name in said.items() for word in ("--set", f"columns.{what}={name}")]
    ran = run(
        "review",
        str(tmp_path / "foreign.csv"),
        "--game",
        GAME_ID,
        "--decks",
        "8",
        "--set",
        "decimal=,",
        *words,
        "-f",
        "json",
    )
    assert (ran.code, ran.err) == (0, "")
    sums = [
        {
            (player["player"], bet["subject"]): (bet["wagers"], bet["staked"], bet["expected"], bet["won"])
            for player in json.loads(out)["players"]
            for bet in player["bets"]
        }
        for out in (ran.out, run("review", str(native), "-f", "json").out)
    ]
    assert sums[0] == sums[1]
    assert len(sums[0]) >= 2


def test_of_few_shoes_no_probability_is_given(run: Run, tmp_path: Path, table: Dealt) -> None:
    ran = run(
        "review", str(short_log(tmp_path / "log.csv", table, 300, {"a": flat, "b": moody})), "-f", "json"
    )
    said = json.loads(ran.out)
    assert [player["adjusted_chance"] for player in said["players"]] == [None, None]
    assert "too few" in said["notes"][0]
