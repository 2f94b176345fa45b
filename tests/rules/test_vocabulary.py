"""Every fact that a bet can name, against every round of small shoes, by every way of counting.

The oracle reads the TOML by itself and looks at cards as texts: it shares nothing with the rules.
"""

import csv
import random
import tomllib
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from pathlib import Path
from typing import Any

import msgspec
import pytest

from combinat import Shoe, analyze, load_game, settle
from combinat.analysis.removal import removals
from combinat.certify import checker
from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.dossier import dossier
from combinat.protection.compositions import perfect_play
from combinat.rules.cards import RANKS, parse_cards
from combinat.rules.deal_space import deal_space
from combinat.rules.facts import BY_NAME as FACTS
from combinat.rules.game import Game
from combinat.rules.outcome import Outcome, Result, UncountedFactError
from tests.audit.logs import round_of
from tests.conftest import VOCABULARY, Run
from tests.oracle import any_book
from tests.oracle.dealer import Deal, deals

SHOES = [
    Shoe.parse("2=2 6=1 10=2 K=3"),
    Shoe.parse("A=2 7=1 9=1 10=1 Q=1 K=2"),
]
BOOK = tomllib.loads(VOCABULARY.read_text("utf-8"))
BETS: list[dict[str, Any]] = BOOK["bets"]


@pytest.fixture(scope="module")
def game() -> Game:
    """The game that names every fact."""
    return load_game(VOCABULARY)


@cache
def every_deal(shoe: Shoe) -> Counter[Deal]:
    """Every round of a shoe, with its ways."""
    return deals(shoe.counts)


@cache
def ways_of_nets(shoe: Shoe) -> dict[str, Counter[Fraction]]:
    """For every bet the ways of each net."""
    nets = {bet["id"]: Counter[Fraction]() for bet in BETS}
    for deal, ways in every_deal(shoe).items():
        known = any_book.facts(deal.player, deal.banker)
        for bet in BETS:
            nets[bet["id"]][any_book.net(bet, known)] += ways
    return nets


def test_the_book_names_every_fact_and_the_bets_differ() -> None:
    """Or the tests below would show nothing."""
    cases = [case for bet in BETS for pay in bet["pays"] for case in (pay, *pay.get("except", []))]
    named = {name for case in cases for name in case}
    assert {*FACTS, "except", "commission"} - named == {"player_points", "player_cards", "player_point_pair"}
    assert all(len(ways) >= 2 for shoe in SHOES for ways in ways_of_nets(shoe).values())


# ---------------------------------------------------------------- every way of counting


@pytest.mark.parametrize("shoe", SHOES, ids=str)
def test_the_recursion(game: Game, shoe: Shoe) -> None:
    """Pairs, batches and checker count as it does: ``tests/engine/test_batches.py``; the explorer: ``tests/report``."""
    analysis = analyze(game, shoe, by_recursion=True)
    for bet in analysis.bets:
        ways = defaultdict[Fraction, int](int)
        for line in bet.outcomes:
            ways[line.net] += line.ways
        assert {net: number for net, number in ways.items() if number} == ways_of_nets(shoe)[bet.id], bet.id


def test_the_settlement_of_a_round(game: Game) -> None:
    every = sorted(deal for shoe in SHOES for deal in every_deal(shoe) if not deal.is_void)
    stakes = {bet["id"]: Fraction(1) for bet in BETS}
    for deal in random.Random(1).sample(every, 100):
        hands = (parse_cards(" ".join(hand)) for hand in (deal.player, deal.banker))
        known = any_book.facts(deal.player, deal.banker)
        settlement = settle(game, game.finished_round(*hands), stakes)
        assert [line.net for line in settlement.lines] == [any_book.net(bet, known) for bet in BETS], deal


def test_a_simulators_log_and_its_audit(game: Game, run: Run, tmp_path: Path) -> None:
    """The simulator writes the nets of the oracle, and the audit agrees. Wrong nets: ``tests/audit``."""
    log, book = tmp_path / "log.csv", str(VOCABULARY)
    made = run("simulate", book, "--rounds", "3000", "--seed", "3", "--decks", "1", "--out", str(log))
    assert made.code == 0, made.err
    lines = log.read_text("utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    for row in rows:
        known = any_book.facts(*(tuple(row[f"{hand}_cards"].split()) for hand in ("player", "banker")))
        assert {bet["id"]: Fraction(row[f"net:{bet['id']}"]) for bet in BETS} == {
            bet["id"]: any_book.net(bet, known) for bet in BETS
        }
    assert run("crosscheck", str(log), "--game", book, "--settlement-only").code == 0


# ---------------------------------------------------------------- what is possible


def test_every_outcome_has_a_deal_that_shows_it(game: Game) -> None:
    """Whatever a round of a full shoe comes to, some listed deal comes to it; and each can be dealt."""
    possible = deal_space(game.table_of_play)
    listed = set(possible.outcomes)
    chance = random.Random(2)
    for _ in range(1000):
        assert round_of(chance.choices(RANKS, k=6)).outcome in listed
    for deal in chance.sample(possible.deals, 200):
        game.finished_round(deal.player, deal.banker)


def test_facts_that_were_not_counted_are_not_answered(game: Game) -> None:
    """A third card or the rank of a pair is never taken for none because nobody counted it."""
    with pytest.raises(UncountedFactError):
        game.bet("thirds").result_net(Result(1, 2, 3, 3))
    first_four = Outcome.of(parse_cards("K K"), parse_cards("9 K")).first_four
    with pytest.raises(UncountedFactError):
        game.bet("kings").net(Outcome(Result(0, 9, 2, 2), first_four.without_ranks))


# ---------------------------------------------------------------- where tens and pictures differ


@pytest.mark.full
def test_removal_tells_the_pictures_apart(game: Game) -> None:
    """A King and a Jack move a bet on Kings differently; the checker removes each of them too."""
    shoe = Shoe((1,) * 9 + (3,) * 4)
    book = BOOK | {"bets": [bet for bet in BETS if bet["id"] == "kings"]}
    alone = msgspec.structs.replace(game, bets=(game.bet("kings"),))
    (entry,) = checker.removal_entries(checker.Dealt(checker.CheckedGame(book), shoe.counts), [])
    (removal,) = removals(alone, shoe)
    assert {(one["removed"][0],): one["change"] for one in entry["changes"]} == dict(removal.effects)
    assert len({removal.effects[(rank,)] for rank in RANKS[9:]}) == 3


def test_perfect_play_of_a_bet_on_the_rank_of_a_pair(game: Game) -> None:
    shoe, left = Shoe.parse("2=2 10=2 J=1 K=3"), 6
    played = perfect_play(game, shoe, left, ["kings"])["kings"]
    favourable = gain = Fraction(0)
    for cards in product(*(range(number + 1) for number in shoe.counts)):
        if sum(cards) == left:
            ways = prod(map(comb, shoe.counts, cards))
            value = analyze(game, Shoe(cards)).bet("kings").expected_value
            favourable += ways * (value > 0)
            gain += ways * max(value, Fraction(0))
    every = comb(shoe.size, left)
    assert (played.chance, played.gain) == (favourable / every, gain / every)
    assert 0 < played.chance < 1


@pytest.mark.full
def test_the_checker_accepts_the_whole_analysis() -> None:
    game = load_game(VOCABULARY)
    assert sum(checker.check(analysis_bytes(dossier(game, [1])), game.content).values()) > 800
