"""Any rule book that loads can be reported: small books of every build, each through everything a report states.

What is asserted of each book must hold for any: its dossier exists, its written form gives it back, and no figure
is missing because no bet has a certain name.
"""

import json
import tomllib

import pytest

from combinat import Shoe
from combinat.analysis.bets import bet_analysis
from combinat.analysis.joint import correlations
from combinat.certify import checker
from combinat.certify.analysis_file import analysis_bytes, read_dossier
from combinat.certify.dossier import dossier
from combinat.engine.walk import walk
from combinat.report.folder import Documents, Form
from combinat.rules.table_of_play import Hand
from tests.report import hostile_book
from tests.report.second_reader import compared_page, tables_of
from tests.rules.books import BOOKS, HEAD, NEVER, PLAYER, SAME, book_of

PLAIN_SUITE = (
    "a single bet, on no hand",
    "every kind of other reading",
    "a bet that never varies",
    "insurance whenever listed, the result known",
)
"""The smallest book, the one with most parts, a count that explains all, offers alike; the others are tried by ``make slow M=full``."""


@pytest.mark.parametrize(
    "name", [name if name in PLAIN_SUITE else pytest.param(name, marks=pytest.mark.full) for name in BOOKS]
)
def test_any_rule_book_that_loads_has_a_dossier(name: str) -> None:
    """The checker derives all of it on the one deck asked for, and its written form gives it back."""
    game = book_of(BOOKS[name].text)
    said = dossier(game, [1])
    assert (said.game, said.rule_book_sha256, said.decks) == ("small", game.sha256, (1,))
    assert [stake.bet for stake in said.combination.stakes] == BOOKS[name].together
    written = analysis_bytes(said)
    assert checker.check(written, game.content)  # every bet, every state, every reading, and nothing else
    assert read_dossier(written) == said
    assert analysis_bytes(read_dossier(written)) == written
    page = Documents(said, game).in_form(Form.HTML)["report.html"].decode()
    rules = tomllib.loads(BOOKS[name].text)
    assert (
        compared_page(tables_of(page), json.loads(written), rules) > 100
    )  # drawn, and what it shows is what was written


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


def test_the_checker_reads_what_a_stranger_may_write() -> None:
    """Names of markup and quotation marks, on several numbers of decks, not the last of them the reference."""
    assert checker.check(analysis_bytes(hostile_book.small_dossier()), hostile_book.small_game().content)


def test_the_shoes_are_those_that_are_asked_for() -> None:
    """Any numbers of decks, in their order, the last one the reference."""
    said = dossier(book_of(HEAD + PLAYER), [2, 1])
    assert (said.decks, said.reference_decks, said.reference.cards) == ((2, 1), 1, 52)
