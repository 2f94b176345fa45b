"""Any rule book that loads can be reported: small books of every build, each through all that is said of it.

The books are built here as text, from parts. What is asserted of each is what must hold for any: its dossier
exists, its one written form gives it back, and no figure is left out for want of a bet of some name.
"""

import json
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from combinat import Shoe
from combinat.analysis.bets import bet_analysis
from combinat.analysis.dossier import STEPS, Dossier, dossier
from combinat.analysis.insured import Habit
from combinat.analysis.joint import correlations
from combinat.certify.analysis_file import analysis_bytes, read_dossier
from combinat.engine.walk import walk
from combinat.report.folder import Documents, Form
from combinat.rules.book.load import RuleBook, parsed_rule_book
from combinat.rules.game import Game
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from tests.report.second_reader import compared_page

HEAD = """
schema = 1
id = "small"
name = "Small Baccarat"
operator = "House"
effective = 2025-01-31
stated = "title page"
decks = { least = 1, most = 8, clause = "2.1" }
layouts = [{ id = "A", clause = "2.2", positions = { least = 1, most = 6 } }]

[clauses]
card_values = "3.1"
point_total = "3.2"
natural = "1.3"
deal = "3.3"
third_cards = "3.4"
table_of_play = "3.5"
winner = "3.6"
tie = "3.7"

[void]
clauses = ["5.1"]
bets = "returned"
"""


def bet(bet_id: str, *pays: str, hand: str = "") -> str:
    """A bet of a rule book; several lines get names."""
    named = [f'{{ name = "line {number}", {pay} }}' for number, pay in enumerate(pays)]
    lines = named if len(pays) > 1 else [f"{{ {pay} }}" for pay in pays]
    return f"""
[[bets]]
id = "{bet_id}"
name = "{bet_id.replace("-", " ").title()}"
about = "A bet."
{f'hand = "{hand}"' if hand else ""}
defined = "1.1"
settled = "4.1"
layouts = ["A"]
pays = [{", ".join(lines)}]
"""


PLAYER_WINS, BANKER_WINS = 'winner = "player", odds = "1 to 1"', 'winner = "banker", odds = "0.95 to 1"'
TIE_RETURNS = 'winner = "tie", odds = "push"'
PLAYER, BANKER = bet("player", PLAYER_WINS, TIE_RETURNS), bet("banker", BANKER_WINS, TIE_RETURNS)
PAIR = bet("a-pair", 'player_pair = true, odds = "11 to 1"')
TIE = bet("tie", 'winner = "tie", odds = "8 to 1"')
SAME = bet("same", *(f'winner = "{winner}", odds = "2 to 1"' for winner in ("player", "banker", "tie")))
NEVER = bet("never", 'player_pair = true, player_cards = 2, player_points = 7, odds = "5 to 1"')

PLAYER_WINS_WITH = 'winner = "player", player_points ='
MANY_PARTS = [
    (points, f'odds = "1 to 999999999.999999{digits}"')
    for points, digits in zip(range(1, 6), (989, 967, 877, 847, 743), strict=True)
]
"""Odds that have only very small parts of a unit in common."""

LIMIT = '{ clause = "3.9", caps = "payout", per = "round", share = "100%", of = "original-bet" }'
SIX_AGAINST_5 = "player_points = 6, banker_points = 5"
FIVE_AGAINST_6 = "player_points = 5, banker_points = 6"
NINE_AGAINST_6 = 'player_points = 9, banker_points = 6, odds = "8 to 1", tie_pays = 9'
SEVEN = '{ player_points = 7, banker_points = 0, odds = "4 to 1" }'


def terms(opens: str = "card-to-come", limits: str = LIMIT) -> str:
    return f"""
[insurance_terms]
name = "Insurance"
clauses = ["3.8"]
open = "{opens}"
limits = [{limits}]
"""


def insurance(side: str, stage: str, offer: str) -> str:
    return f"""
[[insurance]]
side = "{side}"
stage = "{stage}"
settled = "4.3"
offers = [{{ {offer} }}]
"""


def interpretation(number: int, instead: str) -> str:
    return f"""
[[interpretations]]
id = "reading-{number}"
clauses = ["1.2"]
question = "Which?"
reading = "This."
otherwise = "That."
instead.{instead}
"""


OF_PLAYER = insurance("player", "four-cards", f'{SIX_AGAINST_5}, odds = "3 to 1"')
OF_PLAYER_LATER = insurance("player", "player-third-card", NINE_AGAINST_6)
OF_BANKER = insurance("banker", "four-cards", f'{FIVE_AGAINST_6}, odds = "3 to 1"')


class Book(NamedTuple):
    """A rule book, which of its bets are on the hands, and which are the example of bets together."""

    text: str
    player: str | None
    banker: str | None
    together: list[str]


BOOKS = {
    "the bets on both hands and no other": Book(
        HEAD + PLAYER + BANKER, "player", "banker", ["banker", "player"]
    ),
    "a single bet, on a hand, and one number of decks": Book(
        HEAD.replace("most = 8", "most = 1") + PLAYER, "player", None, ["player"]
    ),
    "a single bet, on no hand": Book(HEAD + PAIR, None, None, ["a-pair"]),
    "no bet on any hand, decided bets stand": Book(
        HEAD.replace('"returned"', '"decided-stand"') + PAIR + TIE, None, None, ["a-pair", "tie"]
    ),
    "a bet that never varies": Book(HEAD + SAME + PAIR, None, None, ["same", "a-pair"]),
    "bets on pairs and points together: one that can never win, one at the longest odds": Book(
        HEAD
        + NEVER
        + bet("both", 'point_pairs = "twin", winner = "tie", odds = "999999999.5 to 0.000000001"'),
        None,
        None,
        ["never", "both"],
    ),
    "bets on hands that say so, insured at odds of as many parts as may be": Book(
        HEAD
        + PAIR
        + bet(
            "punto", *(f"{PLAYER_WINS_WITH} {points}, {odds}" for points, odds in MANY_PARTS), hand="player"
        )
        + bet("banco", BANKER_WINS, TIE_RETURNS, hand="banker")
        + terms()
        + insurance("player", "four-cards", f"{SIX_AGAINST_5}, {MANY_PARTS[0][1]}")
        + insurance("banker", "four-cards", f"{FIVE_AGAINST_6}, {MANY_PARTS[1][1]}"),
        "punto",
        "banco",
        ["banco", "a-pair"],
    ),
    "bets called after one hand and on the other, insured by the table maximum, never losing": Book(
        HEAD
        + bet("banker", PLAYER_WINS, 'winner = "banker", odds = "1 to 100"', TIE_RETURNS, hand="player")
        + bet("player", BANKER_WINS, TIE_RETURNS, hand="banker")
        + terms(limits='{ clause = "1", caps = "stake", per = "offer", share = "25%", of = "table-maximum" }')
        + OF_PLAYER,
        "banker",
        "player",
        ["player", "banker"],
    ),
    "insurance on one hand, after the third card alone, without limits": Book(
        HEAD + PLAYER + PAIR + terms(limits="") + OF_PLAYER_LATER, "player", None, ["player", "a-pair"]
    ),
    "insurance whenever listed, the result known": Book(
        HEAD
        + PLAYER
        + BANKER
        + terms("whenever-listed")
        + OF_BANKER
        + insurance("player", "four-cards", 'player_points = 9, banker_points = "8-9", odds = "1 to 1"'),
        "player",
        "banker",
        ["banker", "player"],
    ),
    "every kind of other reading": Book(
        HEAD
        + PLAYER
        + BANKER
        + terms()
        + OF_PLAYER
        + OF_PLAYER_LATER
        + interpretation(1, f'bets = [{{ id = "banker", pays = [{{ {BANKER_WINS} }}] }}]')
        + interpretation(2, 'insurance_open = "whenever-listed"')
        + interpretation(3, f"insurance_limits = [{LIMIT.replace('payout', 'payout-and-stake')}]")
        + interpretation(4, 'void_bets = "decided-stand"')
        + interpretation(5, f'insurance = [{{ side = "player", stage = "four-cards", offers = [{SEVEN}] }}]'),
        "player",
        "banker",
        ["banker", "player"],
    ),
}


def loaded(text: str) -> RuleBook:
    return parsed_rule_book(text.encode(), Path("small.toml"))


@pytest.mark.parametrize("name", BOOKS)
def test_any_rule_book_that_loads_has_a_dossier(name: str) -> None:
    """It speaks of every bet and every state on the one deck asked for, and its written form gives it back."""
    book = loaded(BOOKS[name].text)
    said = dossier(book, [1])
    assert (said.game, said.rule_book_sha256, said.decks) == ("small", book.sha256, (1,))
    speaks_of_every_bet(said, book.game)
    speaks_of_every_state(said, book.game)
    on_hands = [book.game.bet_on(hand) for hand in (Hand.PLAYER, Hand.BANKER)]
    assert [on and on.id for on in on_hands] == [BOOKS[name].player, BOOKS[name].banker]
    assert [stake.bet for stake in said.combination.stakes] == BOOKS[name].together
    written = analysis_bytes(said)
    assert read_dossier(written) == said
    assert analysis_bytes(read_dossier(written)) == written
    page = Documents(said, book).in_form(Form.HTML)["report.html"].decode()
    rules = tomllib.loads(BOOKS[name].text)
    assert (
        compared_page(page, json.loads(written), rules) > 100
    )  # drawn, and what it shows is what was written


def speaks_of_every_bet(said: Dossier, game: Game) -> None:
    bets = [each.id for each in game.bets]
    shoe = said.reference
    assert (shoe.cards, shoe.sample_space) == (52, 14658134400)
    assert [each.id for each in shoe.bets] == bets
    assert all(sum(line.ways for line in each.outcomes) == 14658134400 for each in shoe.bets)
    assert len(shoe.joint) == len(bets) * (len(bets) - 1) // 2
    assert [each.subject.bet for each in said.removal] == bets
    assert [each.bet for each in said.operations] == [bet_id for bet_id in bets for _ in range(4)]
    assert {tuple(line.bet for line in example.lines) for example in said.examples} == {tuple(bets)}
    assert [reading.entry for reading in said.readings] == [entry.id for entry in game.interpretations]
    assert sum(outcome.ways for outcome in said.combination.outcomes) == 14658134400
    assert [each.subject.bet for each in said.formulas[: len(bets)]] == bets


def speaks_of_every_state(said: Dossier, game: Game) -> None:
    """Nothing where the game has no insurance."""
    states = list(game.offers)
    insured = [hand for hand in Hand if any(state.side is hand for state in states)]
    assert [each.state for each in said.reference.insurance] == states
    assert [each.state for each in said.ranges] == states
    assert [each.subject.state for each in said.formulas[len(game.bets) :]] == states
    assert {each.side for each in said.insurance_tables} == set(insured)
    assert [(each.hand, each.bet) for each in said.insured] == [
        (hand, on.id) for hand in insured if (on := game.bet_on(hand)) for _ in Habit
    ]
    assert bool(said.not_offered) == bool(states)
    later = {state for state in states if state.stage is Stage.PLAYER_THIRD_CARD}
    assert {each.analysis.state for each in said.reference.third_cards} == later


def test_a_bet_that_says_so_comes_before_one_that_is_called_so() -> None:
    on = loaded(HEAD + PLAYER + bet("punto", PLAYER_WINS, hand="player")).game.bet_on(Hand.PLAYER)
    assert on is not None
    assert on.id == "punto"


def test_figures_that_there_are_not_are_none() -> None:
    game, one_deck = loaded(HEAD + NEVER + SAME).game, walk(Shoe.of_decks(1))
    for bet_id, hit_frequency, fair_odds, largest_payout in (("never", 0, None, None), ("same", 1, 0, 2)):
        analysis = bet_analysis(game, game.bet(bet_id), one_deck)
        assert analysis.hit_frequency == hit_frequency
        assert analysis.variance == 0
        assert (analysis.fair_odds, analysis.largest_payout) == (fair_odds, largest_payout)
        assert analysis.skewness_signed_square is None
    (pair,) = correlations(game, game.bets, one_deck)
    assert pair.signed_square is None


def test_the_shoes_are_those_that_are_asked_for() -> None:
    """Any numbers of decks, in their order, the last one the reference; each step is reported."""
    steps: list[str] = []
    said = dossier(loaded(HEAD + PLAYER), [2, 1], steps.append)
    assert (said.decks, said.reference_decks, said.reference.cards) == ((2, 1), 1, 52)
    assert len(steps) == 2 + STEPS
