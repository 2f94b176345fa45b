"""Any rule book that loads can be reported: small books of every build, each through everything a report states.

What is asserted of each book must hold for any: its dossier exists, its written form gives it back, and no figure
is missing because no bet has a certain name.
"""

import json
import tomllib

import pytest

from combinat import Shoe
from combinat.analysis.bets import bet_analysis
from combinat.analysis.insurance_habits import Habit
from combinat.analysis.joint import correlations
from combinat.certify.analysis_file import analysis_bytes, read_dossier
from combinat.certify.dossier import Dossier, dossier
from combinat.engine.walk import walk
from combinat.report.folder import Documents, Form
from combinat.rules.game import Game
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from tests.report.second_reader import compared_page, tables_of
from tests.rules.books import BOOKS, HEAD, NEVER, PLAYER, SAME, book_of

PLAIN_SUITE = ("a single bet, on no hand", "every kind of other reading")
"""The smallest book, and the one with most parts; the others are tried by ``make slow M=full``."""


@pytest.mark.parametrize(
    "name", [name if name in PLAIN_SUITE else pytest.param(name, marks=pytest.mark.full) for name in BOOKS]
)
def test_any_rule_book_that_loads_has_a_dossier(name: str) -> None:
    """It speaks of every bet and every state on the one deck asked for, and its written form gives it back."""
    game = book_of(BOOKS[name].text)
    said = dossier(game, [1])
    assert (said.game, said.rule_book_sha256, said.decks) == ("small", game.sha256, (1,))
    speaks_of_every_bet(said, game)
    speaks_of_every_state(said, game)
    assert [stake.bet for stake in said.combination.stakes] == BOOKS[name].together
    written = analysis_bytes(said)
    assert read_dossier(written) == said
    assert analysis_bytes(read_dossier(written)) == written
    page = Documents(said, game).in_form(Form.HTML)["report.html"].decode()
    rules = tomllib.loads(BOOKS[name].text)
    assert (
        compared_page(tables_of(page), json.loads(written), rules) > 100
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
    assert [(each.hand, each.bet) for each in said.insured] == [
        (hand, on.id) for hand in insured if (on := game.bet_on(hand)) for _ in Habit
    ]
    assert bool(said.not_offered) == bool(states)
    later = {state for state in states if state.stage is Stage.PLAYER_THIRD_CARD}
    assert {each.analysis.state for each in said.third_cards} == later


@pytest.mark.parametrize("name", BOOKS)
def test_the_bets_on_the_hands(name: str) -> None:
    """A bet that states its hand comes before one that is called after it."""
    game = book_of(BOOKS[name].text)
    on_hands = [game.bet_on(hand) for hand in (Hand.PLAYER, Hand.BANKER)]
    assert [on and on.id for on in on_hands] == [BOOKS[name].player, BOOKS[name].banker]


def test_figures_that_there_are_not_are_none() -> None:
    game, one_deck = book_of(HEAD + NEVER + SAME), walk(Shoe.of_decks(1))
    for bet_id, hit_frequency, fair_odds, largest_payout in (("never", 0, None, None), ("same", 1, 0, 2)):
        analysis = bet_analysis(game, game.bet(bet_id), one_deck)
        assert analysis.hit_frequency == hit_frequency
        assert analysis.variance == 0
        assert (analysis.fair_odds, analysis.largest_payout) == (fair_odds, largest_payout)
        assert analysis.skewness_signed_square is None
    (pair,) = correlations(game, game.bets, one_deck)
    assert pair.signed_square is None


def test_the_shoes_are_those_that_are_asked_for() -> None:
    """Any numbers of decks, in their order, the last one the reference."""
    said = dossier(book_of(HEAD + PLAYER), [2, 1])
    assert (said.decks, said.reference_decks, said.reference.cards) == ((2, 1), 1, 52)
