"""The Table of Play is data: one rule book, one table, and every dealer in the program reads it from there.

The variants are tables that no document prints. Their counts are derived by brute force from the conditions of
``tests.oracle.tables_of_play``: every order of six cards, dealt one by one.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

from combinat import Game, Shoe, load_game
from combinat.analysis.formula import check_formulas, formulas_for
from combinat.analysis.round_in_progress import round_in_progress
from combinat.base.errors import InputError, RuleBookError
from combinat.certify import checker
from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.dossier import dossier
from combinat.engine.distribution import falling
from combinat.engine.walk import exact_openings, walk
from combinat.montecarlo.cell import NO_CARD
from combinat.montecarlo.dealer import ThirdCardRules
from combinat.report.rules.rule_book_data import rule_book_json
from combinat.rules.book.load import parsed_game
from combinat.rules.cards import RANKS, Rank, parse_cards
from combinat.rules.outcome import Result
from combinat.rules.round import Round
from combinat.table.settlement import settle
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.games import WORTH
from tests.oracle import dealer
from tests.oracle.dealer import Draws, banker_draws
from tests.oracle.tables_of_play import (
    CELLS,
    PLAYABLE,
    VARIANTS,
    Cell,
    Hands,
    Stated,
    book_with,
    dealt_by,
    game_of,
    text_with,
    turned,
)
from tests.paths import PLAIN_BOOK

# ---------------------------------------------------------------- what the documents print

# 3.7 in 2013, 3.15 in 2024, 3.12 in 2025. Banker's first two cards: draws when the Player's third card is | stands.
PRINTED = {
    "0-1-2": "0-1-2-3-4-5-6-7-8-9 | ",
    "3": "0-1-2-3-4-5-6-7-9 | 8",
    "4": "2-3-4-5-6-7 | 0-1-8-9",
    "5": "4-5-6-7 | 0-1-2-3-8-9",
    "6": "6-7 | 0-1-2-3-4-5-8-9",
    "7": " | 0-1-2-3-4-5-6-7-8-9",
}
# The sentence for a Player Hand that took no third card: 3.6 in 2013, 3.13 in 2024, 3.11 in 2025.
STOOD = "stand on 6, 7, 8 or 9 and draw on 0, 1, 2, 3, 4 or 5"
PLAYER = "draws 0-1-2-3-4-5 | stands 6-7"


def digits(printed: str) -> list[int]:
    """The digits of a printed cell."""
    return [int(digit) for digit in re.findall(r"\d", printed)]


def printed_cells() -> dict[Cell, bool]:
    """Whether a hand draws, for every cell of the printed table."""
    cells: dict[Cell, bool] = {}
    for row, line in PRINTED.items():
        for draws, part in zip((True, False), line.split("|"), strict=True):
            cells |= {("banker", total, third): draws for total in digits(row) for third in digits(part)}
    for draws, part in zip((False, True), STOOD.split("draw"), strict=True):
        cells |= {("banker", total, None): draws for total in digits(part) if total < 8}
    for draws, part in zip((True, False), PLAYER.split("|"), strict=True):
        cells |= {("player", total, None): draws for total in digits(part)}
    return cells


def two_cards(total: int) -> list[tuple[Rank, Rank]]:
    """Every two cards, up to points, that come to this total."""
    return [(WORTH[first], WORTH[(total - first) % 10]) for first in range(10)]


def position(game: Game, cell: Cell, number: int) -> Round:
    """A round in which the hand of a cell is next to draw or stand; another pair of cards for each number."""
    hand, total, third = cell
    if hand == "player":
        return game.round(two_cards(total)[number], two_cards(7)[number])
    player = two_cards(6)[number] if third is None else (*two_cards(number % 6)[number], WORTH[third])
    return game.round(player, two_cards(total)[number])


@pytest.mark.parametrize("game_id", [*GAMES, str(SMALL_BOOK)])
def test_a_hand_draws_where_the_printed_table_says(game_id: str) -> None:
    """In the four documents, and in a rule book that states no table. The oracle's conditions agree."""
    game, cells = load_game(game_id), printed_cells()
    assert sorted(cells, key=str) == sorted(CELLS, key=str)
    assert len(cells) == 96
    for (hand, total, third), draws in cells.items():
        assert draws == (total <= 5 if hand == "player" else banker_draws(total, third))
        turns = {position(game, (hand, total, third), number).next_hand for number in range(10)}
        assert {turn == hand for turn in turns} == {draws}, (hand, total, third)
    for player, banker in product(range(10), repeat=2):
        if player >= 8 or banker >= 8:
            for hands in product(two_cards(player), two_cards(banker)):
                assert game.round(*hands).is_over


@pytest.mark.parametrize(
    ("game_id", "clause", "stood_clause", "is_stated"),
    [
        (COMMISSION_2013, "3.7", "3.6", True),
        (COMMISSION_2024, "3.15", "3.13", True),
        (NONCOMMISSION_2024, "3.15", "3.13", True),
        (NONCOMMISSION_2025, "3.12", "3.11", True),
        (str(SMALL_BOOK), "3.5", "3.4", False),
    ],
)
def test_the_table_has_the_clauses_of_its_document(
    game_id: str, clause: str, stood_clause: str, is_stated: bool
) -> None:
    game = load_game(game_id)
    assert (game.table_clause, game.stood_clause) == (clause, stood_clause)
    table = rule_book_json(game)["table_of_play"]
    assert (table["clause"], table["stood_clause"], table["is_stated"]) == (clause, stood_clause, is_stated)
    assert (
        game.table_of_play == load_game(SMALL_BOOK).table_of_play
    )  # equal tables are one, whatever their clauses


def test_the_checker_has_the_common_table_too() -> None:
    assert checker.play_of({}) == checker.play_of(tomllib.loads(Stated().toml()))


# ---------------------------------------------------------------- every dealer follows it

CARDS = parse_cards("A 3 4 5 6 6 9 K")
SHOE = Shoe(tuple(CARDS.count(rank) for rank in RANKS))


@cache
def brute_force(name: str) -> Counter[Hands]:
    """Every order of six of the cards, dealt: 20,160 in all."""
    return Counter(dealt_by(VARIANTS[name][1], six) for six in permutations(CARDS, 6))


@pytest.mark.parametrize("name", VARIANTS)
def test_the_recursion_counts_a_table_as_brute_force_does(name: str) -> None:
    """Pairs, batches and checker count as the recursion does: ``tests/engine/test_batches.py``."""
    results = Counter[Result]()
    for hands, ways in brute_force(name).items():
        player, banker = (sum(rank.points for rank in hand) % 10 for hand in hands)
        results[Result(player, banker, len(hands[0]), len(hands[1]))] += ways
    assert results.total() == falling(8, 6)
    assert walk(SHOE, game_of(name).round()).results == results


def dealt_by_the_simulator(game: Game, sixes: Sequence[tuple[Rank, ...]]) -> list[Hands]:
    """The hands that the simulator's dealer makes of these cards."""
    cards = np.array([[RANKS.index(rank) for rank in six] for six in sixes], dtype=np.uint8)
    dealt = ThirdCardRules.of(game).dealt(tuple(cards.T))
    places = zip(*dealt.player, *dealt.banker, strict=True)
    hands = [[RANKS[card] if card != NO_CARD else None for card in six] for six in places]
    return [(tuple(filter(None, six[:3])), tuple(filter(None, six[3:]))) for six in hands]


@pytest.mark.parametrize("name", VARIANTS)
def test_the_simulators_dealer_deals_by_a_table(name: str) -> None:
    """All 20,160 orders of the cards."""
    assert Counter(dealt_by_the_simulator(game_of(name), list(permutations(CARDS, 6)))) == brute_force(name)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_finished_round_is_one_that_the_table_could_have_dealt(name: str) -> None:
    """Settlement and the replay of hand logs accept every hand that the variant deals, and no other."""
    game, possible = game_of(name), brute_force(name)
    for player, banker in possible:
        assert game.finished_round(player, banker).is_over
    impossible = {hands for other in VARIANTS for hands in brute_force(other)} - set(possible)
    assert impossible
    for player, banker in impossible:
        with pytest.raises(InputError, match=r"\(3\.[45]\)$"):
            game.finished_round(player, banker)


@pytest.mark.parametrize(
    "name", [*PLAYABLE[:1], *(pytest.param(name, marks=pytest.mark.full) for name in PLAYABLE[1:])]
)
def test_exact_cards_and_closed_forms_follow_the_table(name: str) -> None:
    game = game_of(name)
    for shoe in (SHOE, Shoe((2, 0, 3, 2, 1, 1, 3, 2, 2, 0, 0, 1, 2))):
        seen = Counter[object]()
        for _, courses in exact_openings(shoe, game.table_of_play):
            seen.update(courses)
        assert seen == walk(shoe, game.round()).by_points
    assert check_formulas(game, "six", formulas_for(game, "six")) == (1, 2)


def test_a_round_is_dealt_and_settled_by_the_games_table() -> None:
    """By the common table the second round is over; the variant has the Player draw."""
    variant, printed = game_of("Player draws on 6"), game_of("as printed")
    for game, cards in ((variant, {3}), (printed, {2})):
        now = round_in_progress(game, game.round(parse_cards("K 6"), parse_cards("K 2")), Shoe.of_decks(1))
        assert {ended.player_cards for ended in now.distribution.results} == cards
    for hands, ended, other in ((("K 6", "K 7"), printed, variant), (("K 6 2", "K 7"), variant, printed)):
        dealt = Round.parse(*hands)
        settle(ended, dealt)
        with pytest.raises(InputError):
            settle(other, dealt)
    assert round_in_progress(variant, Round.parse("K 6", "K 7"), Shoe.of_decks(1)).dealt.next_hand == "player"


def test_bets_and_offers_are_checked_against_the_books_own_table() -> None:
    """A round of four cards cannot end with Player 8 on two cards and Banker on three, unless 8 is no natural."""
    line = '{ winner = "player", player_points = 8, player_cards = 2, banker_cards = 3, odds = "9 to 1" }'
    six = '{ winner = "banker", banker_points = 6, odds = "12 to 1" }'
    offer = '{ player_points = 6, banker_points = "0-5", odds = "3 to 1" }'
    wider = offer.replace("0-5", "0-6")
    for path, old, new, stated in (
        (PLAIN_BOOK, six, line, Stated(natural="9")),
        (SMALL_BOOK, offer, wider, Stated(stood="0-6")),
    ):
        parsed_game(text_with(stated, path).replace(old, new).encode(), path)
        with pytest.raises(RuleBookError, match=r"no round has all its facts|can never arise"):
            parsed_game(text_with(Stated(), path).replace(old, new).encode(), path)


# ---------------------------------------------------------------- one cell

PROBES = [
    (WORTH[0], WORTH[0], WORTH[player], WORTH[banker], WORTH[fifth], WORTH[1])
    for player, banker, fifth in (
        *((total, 7, 0) for total in range(8)),
        *((6, total, 0) for total in range(8)),
        *((0, total, third) for total, third in product(range(8), range(10))),
    )
]
"""Six cards that come to each cell of the table."""


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_one_cell_of_a_rule_book_changes_every_reader_alike(cell: Cell) -> None:
    """Each of the 96: rounds, recursion, simulator and checker deal by the reversed cell, as the oracle does."""
    flipped = Draws(
        player=lambda total: (total <= 5) ^ (cell == ("player", total, None)),
        banker=lambda total, third: banker_draws(total, third) ^ (cell == ("banker", total, third)),
    )
    text = text_with(turned(cell), PLAIN_BOOK)
    game, play = parsed_game(text.encode(), PLAIN_BOOK), checker.play_of(tomllib.loads(text))
    dealt_so = {six: dealt_by(flipped, six) for six in PROBES}
    moved = [six for six in PROBES if dealt_so[six] != dealt_by(Draws(), six)]
    assert moved
    shoe = Shoe((0,) * 13).plus(moved[0])
    counted = {tuple(result)[:4]: ways for result, ways in walk(shoe, game.round()).results.items()}
    assert counted == dealer.results(shoe.counts, flipped)
    assert dealt_by_the_simulator(game, list(dealt_so)) == list(dealt_so.values())
    for six in (*moved, *PROBES[::8]):
        player, banker = dealt_so[six]
        dealt = game.round()
        for card in six[: len(player) + len(banker)]:
            dealt = dealt.with_card(card)
        assert (dealt.player, dealt.banker, dealt.is_over) == (player, banker, True)
        course = checker.round_of(play, *(rank.points for rank in six[2:]))
        assert (course.player_third, course.banker_third) == tuple(
            hand[2].points if len(hand) == 3 else None for hand in (player, banker)
        )


@pytest.mark.full
@pytest.mark.parametrize("path", [PLAIN_BOOK, SMALL_BOOK])
def test_the_checker_accepts_the_dossier_of_a_variant(path: Path) -> None:
    """It rejects one made with another table: ``toml-table-other-cell`` in the corpus of the checker."""
    game = book_with(VARIANTS["no naturals, both draw on 9"][0], path)
    assert checker.check(analysis_bytes(dossier(game, (1,))), game.content)


# ---------------------------------------------------------------- shown, and on the command line


@pytest.fixture
def variant(tmp_path: Path) -> Path:
    """A file of the small rule book in which the Player Hand draws on 6."""
    path = tmp_path / SMALL_BOOK.name
    path.write_text(text_with(VARIANTS["Player draws on 6"][0]), "utf-8")
    return path


def test_a_variant_of_the_table_is_shown(run: Run, variant: Path) -> None:
    """The printed table itself is among the approved outputs."""
    rows = [re.split("  +", line) for line in run("rules", str(variant)).output().splitlines()]
    assert ["0-1-2-3-4-5-6", "draws"] in rows
    assert ["7", "stands"] in rows
