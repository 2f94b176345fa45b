"""Stakes that follow the edge: made-up players are distinguished, sums are exact, and nobody is named by chance."""

from collections import defaultdict
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
from tests.audit.logs import hands, shoe_rounds, written
from tests.audit.made_up_players import (
    COUNT,
    GAME,
    GAME_ID,
    PLAYERS,
    Dealt,
    counter,
    dealt,
    flat,
    write_log,
)
from tests.conftest import Run
from tests.documents import COMMISSION_2013
from tests.games import EIGHT
from tests.paths import CORPUS


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
    named = [player.player for player in answer.players if player.is_conspicuous]
    assert sorted(named) == ["counter", "perfect"]
    assert named == [player.player for player in answer.players[:2]]
    assert answer.players[0].player == "perfect"


def test_a_review_is_a_table_of_players(answer: Review) -> None:
    """A row for each player has the sums of all bets, under the names that JSON uses; a player is found by name."""
    rows, first = answer.to_dicts(), answer.players[0]
    assert [row["player"] for row in rows] == [player.player for player in answer.players]
    assert rows[0]["staked"] == sum(bet.staked.staked for bet in first.bets)
    assert (rows[0]["conspicuous"], rows[0]["adjusted_chance"]) == (True, first.chance)
    assert answer["perfect"] is first
    assert answer.to_polars().height == len(answer)


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
    assert count.adjusted_chance is not None
    assert count.adjusted_chance < Fraction(1, 100)
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


def test_insurance_is_worth_what_the_round_in_progress_says(run: Run, tmp_path: Path) -> None:
    """A unit on every offer of four shoes, against each round taken by itself."""
    game = load_game(COMMISSION_2013)
    subjects = [str(table.insured) for table in game.insurance]
    money = ",".join(f"stake:{one},payout:{one}" for one in subjects)
    lines, worth, wagers = (
        [f"round,shoe,player_cards,banker_cards,{money}"],
        defaultdict[str, Fraction](Fraction),
        0,
    )
    for number, one in enumerate(shoe_rounds(4, 4, 14, decks=2), 1):
        (player, banker), offered = (one.cards.player, one.cards.banker), set[str]()
        moments = [game.round(player[:2], banker[:2]), game.round(player, banker[:2])]
        for moment in moments[: len(player) - 1]:
            if not moment.is_over:
                for state in round_in_progress(game, moment, Shoe(one.left)).insurance:
                    subject = f"{state.state.side}@{state.state.stage}"
                    offered.add(subject)
                    worth[subject] += state.expected_value or Fraction(0)
        wagers += len(offered)
        cells = ("1,0" if subject in offered else "," for subject in subjects)
        lines.append(f"{number},{one.shoe},{hands(one.cards)},{','.join(cells)}")
    path = written(tmp_path, lines, f"# game: {game.id}\n# decks: 2\n")
    (player_review,) = run("review", str(path), "-f", "json", "--decks", "2").document()["players"]
    assert {bet["subject"]: Fraction(bet["expected"]) for bet in player_review["bets"]} == worth
    assert player_review["together"]["wagers"] == wagers > 10


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
    assert not any(player.is_conspicuous for player in few.players)
    monkeypatch.setattr(permutation, "MOST_TURNS", 30)
    many = review(tmp_path / "log.csv")
    assert [player.player for player in many.players if player.is_conspicuous] == ["counter"]


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


def test_a_foreign_log_of_wagers_is_read_alike(run: Run, tmp_path: Path) -> None:
    """A row for each wager, other names of columns, other marks: as the log that it is converted to.

    Winnings are by the rules, so what was paid need not be there. Two shoes are too few for a probability.
    """
    path, own, unpaid = (
        CORPUS / "map_logs" / "wagers-of-shoes.csv",
        tmp_path / "own.csv",
        tmp_path / "unpaid.csv",
    )
    columns = "round=hand player=patron player_cards=punto banker_cards=banco bet=wager stake=amount"
    foreign = [word for column in columns.split() for word in ("--set", f"columns.{column}")]
    paid = [*foreign, "--set", "columns.payout=returned", "--set", "decimal=,"]
    assert run("convert", str(path), "--game", GAME_ID, *paid, "--out", str(own)).code == 0
    unpaid.write_text(
        "".join(line.rpartition(";")[0] + "\n" for line in path.read_text().splitlines()), "utf-8"
    )
    given = ("--game", GAME_ID, "--decks", "8", "-f", "json")
    said, *others = (
        run("review", str(log), *words, *given).document()
        for log, words in ((path, paid), (own, []), (unpaid, foreign))
    )
    assert [other["players"] for other in others] == [said["players"]] * 2
    assert [(len(player["bets"]), player["adjusted_chance"]) for player in said["players"]] == [
        (2, None),
        (1, None),
    ]
    assert "too few" in said["notes"][0]
