"""Every fact that a bet can name, against every round of small shoes dealt card by card, by every opinion.

The plain settlement here reads the TOML by itself and looks at cards as texts: it shares nothing with the rules.
"""

import json
import random
import shutil
import subprocess
import tomllib
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from combinat import load_game
from combinat.analysis.analysis import analyze
from combinat.analysis.dossier import dossier
from combinat.analysis.plan import plan_of
from combinat.analysis.protection.perfect import perfect_play
from combinat.analysis.removal import removals
from combinat.certify import checker
from combinat.certify.analysis_file import analysis_bytes
from combinat.engine.kernel import in_integers
from combinat.report.explorer.page import WEB, carried
from combinat.rules.bet import FACTS
from combinat.rules.cards import RANKS, parse_cards
from combinat.rules.game import Game
from combinat.rules.outcome import Outcome, Result, UntoldError
from combinat.rules.possible import possible_deals
from combinat.rules.rulebook import load_rule_book
from combinat.rules.shoe import Shoe
from combinat.simulate.cell import NO_CARD, Six, cells
from combinat.simulate.question import questions
from tests.conftest import VOCABULARY, Run
from tests.oracle.plain_round import Hands, ends, points, total
from tests.paths import TESTS

SHOES = [
    Shoe.parse("2=2 6=1 10=2 K=3"),
    Shoe.parse("A=2 7=1 9=1 10=1 Q=1 K=2"),
]
NODE = shutil.which("node")


@pytest.fixture(scope="module")
def game() -> Game:
    """The game that names every fact."""
    return load_game(VOCABULARY)


# ---------------------------------------------------------------- the plain settlement


def plain_facts(player: tuple[str, ...], banker: tuple[str, ...]) -> dict[str, Any]:
    """Every fact of two hands."""
    ours, theirs = total(player), total(banker)
    winner = "tie" if ours == theirs else "player" if ours > theirs else "banker"
    hands = {"player": (ours, len(player)), "banker": (theirs, len(banker))}
    won = hands.get(winner, (None, None))
    lost = hands.get({"player": "banker", "banker": "player"}.get(winner, ""), (None, None))
    natural = {name: held in ((8, 2), (9, 2)) for name, held in hands.items()}
    facts: dict[str, Any] = {
        "winner": winner,
        "cards": len(player) + len(banker),
        "margin": abs(ours - theirs),
    }
    facts |= {
        "winning_points": won[0],
        "winning_cards": won[1],
        "losing_points": lost[0],
        "losing_cards": lost[1],
    }
    facts |= {"total_points": ours + theirs, "natural": any(natural.values())}
    for name, hand in (("player", player), ("banker", banker)):
        facts[f"{name}_points"], facts[f"{name}_cards"] = hands[name]
        facts[f"{name}_natural"] = natural[name]
        facts[f"{name}_third"] = points(hand[2]) if len(hand) == 3 else None
        facts[f"{name}_pair"] = hand[0] == hand[1]
        facts[f"{name}_pair_of"] = hand[0] if hand[0] == hand[1] else None
        facts[f"{name}_point_pair"] = points(hand[0]) == points(hand[1])
    for key, pair, first in (
        ("pairs", "pair", (player[0], banker[0])),
        ("point_pairs", "point_pair", (points(player[0]), points(banker[0]))),
    ):
        both = facts[f"player_{pair}"] + facts[f"banker_{pair}"]
        facts[key] = ("none", "single", "twin" if first[0] == first[1] else "double")[both]
    return facts


def plain_values(written: Any) -> list[Any]:
    """The values that the TOML accepts for a fact."""
    if isinstance(written, list):
        return written
    if isinstance(written, bool) or (isinstance(written, str) and written.isalpha() and written != "none"):
        return [written]
    values: list[Any] = []
    for part in str(written).split(","):
        low, _, high = part.partition("-")
        values += [None] if part == "none" else range(int(low), int(high or low) + 1)
    return values


def plain_case(case: dict[str, Any], facts: dict[str, Any]) -> bool:
    return all(facts[name] in plain_values(value) for name, value in case.items() if name in FACTS)


def plain_net(bet: dict[str, Any], facts: dict[str, Any]) -> Fraction:
    """Profit per unit staked."""
    for pay in bet["pays"]:
        if plain_case(pay, facts) and not any(plain_case(case, facts) for case in pay.get("except", [])):
            if " to " not in pay["odds"]:
                return Fraction({"push": 0, "lose": -1}[pay["odds"]])
            profit, stake = map(Fraction, pay["odds"].split(" to "))
            return profit / stake * (1 - Fraction(pay.get("commission", "0%")[:-1]) / 100)
    return Fraction(0 if bet.get("otherwise") == "push" else -1)


@cache
def stated() -> list[dict[str, Any]]:
    bets: list[dict[str, Any]] = tomllib.loads(VOCABULARY.read_text("utf-8"))["bets"]
    return bets


@cache
def every_end(shoe: Shoe) -> dict[Hands | None, Fraction]:
    return ends((), (), Counter(dict(zip(map(str, RANKS), shoe.counts, strict=True))))


@cache
def plain_chances(shoe: Shoe) -> list[dict[Fraction, Fraction]]:
    """Of every bet the probability of each net result."""
    chances = [defaultdict[Fraction, Fraction](Fraction) for _ in stated()]
    for hands, chance in every_end(shoe).items():
        assert hands is not None
        facts = plain_facts(*hands)
        for bet, of_bet in zip(stated(), chances, strict=True):
            of_bet[plain_net(bet, facts)] += chance
    return [dict(of_bet) for of_bet in chances]


def mean(chances: dict[Fraction, Fraction]) -> Fraction:
    return sum((net * chance for net, chance in chances.items()), Fraction(0))


def test_the_book_names_every_new_fact_and_the_bets_differ() -> None:
    """Or the tests below would hold nothing."""
    named = {
        name
        for bet in stated()
        for pay in bet["pays"]
        for case in (pay, *pay.get("except", []))
        for name in case
    }
    assert {*FACTS, "except", "commission"} - named == {"player_points", "player_cards", "player_point_pair"}
    for shoe in SHOES:
        for chances in plain_chances(shoe):
            assert len(chances) >= 2
            assert sum(chances.values()) == 1


# ---------------------------------------------------------------- every opinion


@pytest.mark.parametrize("shoe", SHOES, ids=str)
@pytest.mark.parametrize("by_recursion", [True, False])
def test_recursion_and_pairs(game: Game, shoe: Shoe, by_recursion: bool) -> None:
    analysis = analyze(game, shoe, by_recursion=by_recursion)
    for bet, chances in zip(analysis.bets, plain_chances(shoe), strict=True):
        nets = defaultdict[Fraction, Fraction](Fraction)
        for line in bet.outcomes:
            nets[line.net] += line.probability
        assert {net: chance for net, chance in nets.items() if chance} == chances, bet.id


@pytest.mark.parametrize("shoe", SHOES, ids=str)
def test_polynomials_and_the_program_of_the_kernel(game: Game, shoe: Shoe) -> None:
    plan = plan_of(game, False, False)
    counts = np.array([shoe.counts], dtype=np.int64)
    expected = [
        mean(chances) * plan.unit * int(np.prod(range(shoe.size, shoe.size - 6, -1)))
        for chances in plain_chances(shoe)
    ]
    assert in_integers(plan.question, game.table_of_play, counts)[0].tolist() == expected
    by_points = np.array([shoe.by_points], dtype=np.int64)
    for level, places, polynomial in plan.polynomials:
        totals = polynomial.totals(counts if level.kinds == 13 else by_points)[0]
        assert totals.tolist() == [expected[place] for place in places]


@pytest.mark.parametrize("shoe", SHOES, ids=str)
def test_the_stand_alone_checker(shoe: Shoe) -> None:
    book = tomllib.loads(VOCABULARY.read_text("utf-8"))
    values = checker.Dealt(checker.Game(book, {}), shoe.counts).values()
    assert values == [mean(chances) for chances in plain_chances(shoe)]


def test_the_simulators_questions_and_the_settlement_of_a_round(game: Game) -> None:
    """Round by round: the labels of the simulator, and what the rules settle."""
    hands = [hands for shoe in SHOES for hands in every_end(shoe) if hands is not None]
    hands = random.Random(1).sample(hands, 1500)
    numbers = {str(rank): number for number, rank in enumerate(RANKS)}
    of_hands = [
        [
            np.array([numbers[hand[card]] if card < len(hand) else NO_CARD for hand in each], dtype=np.uint8)
            for card in range(3)
        ]
        for each in zip(*hands, strict=True)
    ]
    dealt = Six(tuple(of_hands[0]), tuple(of_hands[1]))  # type: ignore[arg-type]
    for question, bet in zip(questions(game), stated(), strict=True):
        labels = question.labels_of(cells(dealt), dealt)
        due = [plain_net(bet, plain_facts(*each)) for each in hands]
        assert [question.labels[label] for label in labels.tolist()] == due, bet["id"]
        settled = game.bet(bet["id"])
        outcomes = [Outcome.of(*(parse_cards(" ".join(hand)) for hand in each)) for each in hands[:500]]
        assert [settled.net(outcome) for outcome in outcomes] == due[:500]


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_explorer() -> None:
    """On fresh shoes, and on one that cannot finish every round."""
    assert NODE is not None
    book = load_rule_book(VOCABULARY)
    shoes = [*SHOES, Shoe.parse("2=2 10=1 K=2")]
    asked = [{"ask": "odds", "game": book.game.id, "cards": list(shoe.counts)} for shoe in shoes]
    ran = subprocess.run(
        [NODE, str(TESTS / "explorer" / "answers.mjs"), str(WEB)],
        input=json.dumps({"carried": carried([book]), "questions": asked}),
        capture_output=True,
        text=True,
        check=True,
    )
    for answer, shoe in zip(json.loads(ran.stdout), shoes, strict=True):
        for bet in analyze(book.game, shoe).bets:
            outcomes = [[line.name, line.odds or None, str(line.ways)] for line in bet.outcomes]
            said = [[line["name"], line["odds"], line["ways"]] for line in answer["bets"][bet.id]["outcomes"]]
            assert said == outcomes, (bet.id, shoe)


# ---------------------------------------------------------------- what is possible


def test_every_outcome_has_a_deal_that_shows_it(game: Game) -> None:
    """Whatever a round of a full shoe comes to, some deal of the list comes to it; and each can be dealt."""
    possible = possible_deals(game.table_of_play)
    listed = set(possible.outcomes)
    chance = random.Random(2)
    for _ in range(1000):
        dealt = game.round()
        while not dealt.is_over:
            dealt = dealt.with_card(chance.choice(RANKS))
        assert dealt.outcome in listed
    for deal in chance.sample(possible.deals, 200):
        game.finished_round(deal.player, deal.banker)


def test_what_was_not_counted_is_not_answered(game: Game) -> None:
    """A third card or the rank of a pair is never taken for none because nobody counted it."""
    with pytest.raises(UntoldError):
        game.bet("thirds").result_net(Result(1, 2, 3, 3))
    first_four = Outcome.of(parse_cards("K K"), parse_cards("9 K")).first_four
    with pytest.raises(UntoldError):
        game.bet("kings").net(Outcome(Result(0, 9, 2, 2), first_four.without_ranks))


# ---------------------------------------------------------------- where the tens and pictures are no longer alike


def test_removal_tells_the_pictures_apart(game: Game) -> None:
    """A bet on Kings is not moved alike by a King and by a Jack; the checker removes each of them too."""
    book, shoe = tomllib.loads(VOCABULARY.read_text("utf-8")), Shoe((1,) * 9 + (3,) * 4)
    book["bets"] = [bet for bet in book["bets"] if bet["id"] == "kings"]
    alone = msgspec.structs.replace(game, bets=(game.bet("kings"),))
    (entry,) = checker.removal_entries(checker.Dealt(checker.Game(book, {}), shoe.counts))
    (removal,) = removals(alone, shoe)
    assert {(one["removed"][0],): one["change"] for one in entry["changes"]} == dict(removal.effects)
    assert len({removal.effects[(rank,)] for rank in RANKS[9:]}) == 3


def test_perfect_play_of_a_bet_on_the_rank_of_a_pair(game: Game) -> None:
    shoe, left = Shoe.parse("2=2 10=2 J=1 K=3"), 6
    (played,) = perfect_play(game, shoe, left, ["kings"]).bets
    favourable = gain = Fraction(0)
    for cards in product(*(range(number + 1) for number in shoe.counts)):
        if sum(cards) == left:
            ways = prod(map(comb, shoe.counts, cards))
            value = analyze(game, Shoe(cards)).bet("kings").expected_value
            favourable += ways * (value > 0)
            gain += ways * max(value, Fraction(0))
    every = comb(shoe.size, left)
    assert (played.favourable, played.gain) == (favourable / every, gain / every)
    assert 0 < played.favourable < 1


@pytest.mark.full
def test_the_checker_derives_the_whole_analysis_again() -> None:
    """Protection included, in which ranks are told apart."""
    book = load_rule_book(VOCABULARY)
    assert checker.check(analysis_bytes(dossier(book, [1])), book.content) > 1000


def test_a_log_with_such_bets_is_settled_and_a_wrong_row_is_named(run: Run, tmp_path: Path) -> None:
    """What the simulator writes of third cards and of ranks of pairs, the audit settles by the rules."""
    log, book = tmp_path / "log.csv", str(VOCABULARY)
    made = run("simulate", book, "--rounds", "3000", "--seed", "3", "--decks", "1", "--out", str(log))
    assert made.code == 0, made.err
    judged = run("crosscheck", str(log), "--game", book, "--settlement-only")
    assert (judged.code, judged.err) == (0, ""), judged.out
    lines = log.read_text("utf-8").splitlines()
    column = lines[3].split(",").index("net:kings")
    number = next(place for place, line in enumerate(lines[4:], start=4) if line.split(",")[column] == "60")
    cells = lines[number].split(",")
    lines[number] = ",".join([*cells[:column], "50", *cells[column + 1 :]])
    log.write_text("\n".join(lines) + "\n", "utf-8")
    judged = run("crosscheck", str(log), "--game", book, "--settlement-only")
    assert judged.code == 1
    assert "kings" in judged.out[judged.out.index("Verdict") :]
