"""The Table of Play is data: one rule book, one table, and everyone who deals reads it from there.

The variants are tables that no document prints. What each comes to is derived here by brute force, from
conditions that are written out in this file: every order of six cards, dealt one by one.
"""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import combinat
from combinat import Game, Shoe, analyze, evaluate, load_game
from combinat.analysis.dossier import dossier
from combinat.analysis.formula import bet_formulas, check_formulas
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.round_in_progress import round_in_progress
from combinat.certify import checker
from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.checker import check
from combinat.engine.distribution import falling, result
from combinat.engine.polynomial import Polynomial, Route, by_points
from combinat.engine.seen import seen_openings
from combinat.engine.walk import every_round, walk
from combinat.errors import RoundError, RuleBookError
from combinat.render.text import Format, rendered
from combinat.report.rulebook import rule_book_json, table_of_play_blocks
from combinat.rules.accepted import NumberSet
from combinat.rules.book.load import RuleBook, parsed_rule_book
from combinat.rules.cards import RANKS, Rank, parse_cards
from combinat.rules.outcome import Result
from combinat.rules.round import Round
from combinat.rules.settlement import settle
from combinat.rules.table_of_play import COMMON_TABLE, STOOD, TABLE_OF_PLAY, Hand, TableOfPlay
from combinat.simulate.cell import NO_CARD
from combinat.simulate.dealer import ThirdCardRules
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.engine.test_engine import Cell, cells, mutated
from tests.oracle.second_opinion import banker_draws
from tests.paths import TESTS

SOURCES = Path(combinat.__file__).parent
PLAIN_BOOK = TESTS / "corpus" / "analyses" / "plain.toml"


# ---------------------------------------------------------------- rule books with tables of their own


class Stated(NamedTuple):
    """A ``[table_of_play]``, key by key; as it stands, the one that the documents print."""

    natural: str = "8-9"
    player_draws: str = "0-5"
    rows: tuple[tuple[str, str], ...] = (
        ("0-2", "0-9"),
        ("3", "0-7,9"),
        ("4", "2-7"),
        ("5", "4-7"),
        ("6", "6-7"),
    )
    stood: str = "0-5"

    def toml(self) -> str:
        """The table as a rule book states it."""
        rows = "".join(f'    {{ points = "{points}", third = "{third}" }},\n' for points, third in self.rows)
        return (
            f'[table_of_play]\nclause = "3.5"\nstood_clause = "3.4"\nnatural = "{self.natural}"\n'
            f'player_draws = "{self.player_draws}"\nbanker_draws = [\n{rows}]\n'
            f'banker_draws_when_player_stood = "{self.stood}"\n'
        )


def text_with(stated: Stated, path: Path = SMALL_BOOK) -> str:
    """The text of a rule book, with this table."""
    text = re.sub(r'^(third_cards|table_of_play) = "3\.[45]"\n', "", path.read_text("utf-8"), flags=re.M)
    return text.replace("[void]\n", f"{stated.toml()}\n[void]\n", 1)


@cache
def book_with(stated: Stated, path: Path = SMALL_BOOK) -> RuleBook:
    """A rule book with this table."""
    return parsed_rule_book(text_with(stated, path).encode(), path)


class Draws(NamedTuple):
    """A table as conditions: on a natural nobody draws; the Player Hand; the Banker Hand, None: Player stood."""

    natural: Callable[[int], bool]
    player: Callable[[int], bool]
    banker: Callable[[int, int | None], bool]


def printed_natural(total: int) -> bool:
    """As the documents have it."""
    return total >= 8


def printed_player(total: int) -> bool:
    """As the documents have it."""
    return total <= 5


VARIANTS: dict[str, tuple[Stated, Draws]] = {
    "as printed": (Stated(), Draws(printed_natural, printed_player, banker_draws)),
    "Banker draws on 6 when Player stood": (
        Stated(stood="0-6"),
        Draws(
            printed_natural,
            printed_player,
            lambda banker, third: banker_draws(banker, third) or (banker == 6 and third is None),
        ),
    ),
    "Player draws on 6": (
        Stated(player_draws="0-6"),
        Draws(printed_natural, lambda total: total <= 6, banker_draws),
    ),
    "no natural on 8": (Stated(natural="9"), Draws(lambda total: total == 9, printed_player, banker_draws)),
    "no naturals, both draw on 9": (
        Stated(
            natural="none",
            player_draws="0-5,9",
            rows=(*Stated().rows, ("7-8", "none"), ("9", "0-9")),
            stood="0-5,9",
        ),
        Draws(
            lambda total: False,
            lambda total: total <= 5 or total == 9,
            lambda banker, third: banker == 9 or banker_draws(banker, third),
        ),
    ),
    "nobody draws": (
        Stated(player_draws="none", rows=(("0", "none"),), stood="none"),
        Draws(printed_natural, lambda total: False, lambda banker, third: False),
    ),
}
PLAYABLE = [name for name in VARIANTS if name != "nobody draws"]
"""The variants for which the small rule book's insurance can arise."""

CARDS = parse_cards("A 3 4 5 6 6 9 K")
SHOE = Shoe(tuple(CARDS.count(rank) for rank in RANKS))


def game_of(name: str) -> Game:
    """A small game with the table of a variant."""
    return book_with(VARIANTS[name][0], SMALL_BOOK if name in PLAYABLE else PLAIN_BOOK).game


Six = tuple[Rank, ...]
Hands = tuple[tuple[Rank, ...], tuple[Rank, ...]]


def dealt_by(draws: Draws, six: Six) -> Hands:
    """The hands that six cards come to, dealt by a table's conditions."""
    player, banker, ready = (six[0], six[2]), (six[1], six[3]), list(six[4:])
    totals = [(first.points + second.points) % 10 for first, second in (player, banker)]
    if any(map(draws.natural, totals)):
        return player, banker
    player_third = (ready.pop(0),) if draws.player(totals[0]) else ()
    third = player_third[0].points if player_third else None
    return (*player, *player_third), (*banker, *(ready[:1] if draws.banker(totals[1], third) else ()))


@cache
def brute_force(name: str) -> Counter[Hands]:
    """Every order of six of the cards, dealt: 20,160 in all."""
    draws = VARIANTS[name][1]
    return Counter(dealt_by(draws, six) for six in permutations(CARDS, 6))


def points(hand: tuple[Rank, ...]) -> int:
    return sum(rank.points for rank in hand) % 10


@cache
def brute_results(name: str) -> Counter[Result]:
    """The same, by the result."""
    results = Counter[Result]()
    for (player, banker), ways in brute_force(name).items():
        results[Result(points(player), points(banker), len(player), len(banker))] += ways
    return results


# ---------------------------------------------------------------- what a rule book states


@pytest.mark.parametrize(
    ("game_id", "clause", "stood_clause"),
    [
        (COMMISSION_2013, "3.7", "3.6"),
        (COMMISSION_2024, "3.15", "3.13"),
        (NONCOMMISSION_2024, "3.15", "3.13"),
        (NONCOMMISSION_2025, "3.12", "3.11"),
    ],
)
def test_the_four_rule_books_state_the_printed_table_and_its_clauses(
    game_id: str, clause: str, stood_clause: str
) -> None:
    game = load_game(game_id)
    assert game.stated_table is not None
    assert (game.table_clause, game.stood_clause) == (clause, stood_clause)
    assert (game.clauses.table_of_play, game.clauses.third_cards) == ("", "")
    assert game.table_of_play == TABLE_OF_PLAY
    for banker, third in product(range(8), range(10)):
        assert game.table_of_play.banker[banker][third] == banker_draws(banker, third)
    assert [row[STOOD] for row in game.table_of_play.banker] == [banker_draws(n, None) for n in range(8)]
    assert game.table_of_play.player == (True,) * 6 + (False,) * 2
    assert game.table_of_play.natural == {8, 9}


def test_a_rule_book_that_states_none_has_the_common_table(small_book: RuleBook) -> None:
    """A file from before the key was there loads as it did, with its clauses where they were."""
    game = small_book.game
    assert game.stated_table is None
    assert game.printed_table is COMMON_TABLE
    assert game.table_of_play == TABLE_OF_PLAY == book_with(Stated()).game.table_of_play
    assert (game.table_clause, game.stood_clause) == ("3.5", "3.4")
    assert checker.play_of({}) == checker.play_of({"table_of_play": checker.COMMON})


def test_two_clauses_make_no_other_table() -> None:
    """What is compiled for a table is shared by all rule books that print it."""
    tables = {load_game(game_id).table_of_play for game_id in GAMES}
    assert tables == {TABLE_OF_PLAY}
    assert len({load_game(game_id).printed_table for game_id in GAMES}) == 3


# ---------------------------------------------------------------- everyone deals by it


@pytest.mark.parametrize("name", VARIANTS)
def test_the_recursion_counts_a_table_as_brute_force_does(name: str) -> None:
    """The definition, and its grouped form."""
    game, expected = game_of(name), brute_results(name)
    assert sum(expected.values()) == falling(8, 6)
    assert walk(SHOE, game.round()).results == expected
    by_definition = Counter[Result]()
    for ended, ways in every_round(SHOE, game.round()):
        used = len(ended.player) + len(ended.banker)
        by_definition[ended.outcome.result.without_thirds] += ways * falling(8 - used, 6 - used)
    assert by_definition == expected


@pytest.mark.parametrize("name", VARIANTS)
def test_the_compiled_form_counts_a_table_as_brute_force_does(name: str) -> None:
    """By the winner and the cards of each hand; the whole joint distribution is held in the tests of the form."""
    expected = Counter[tuple[object, ...]]()
    for ended, ways in brute_results(name).items():
        expected[kind(ended)] += ways
    compiled = by_points(game_of(name).table_of_play)
    kinds = [kind(result(route.course)) for route in compiled.routes if route.course is not None]
    wanted = sorted(set(kinds))

    def counted(one: tuple[object, ...]) -> Callable[[Route], int]:
        return lambda route: int(route.course is not None and kind(result(route.course)) == one)

    polynomial = Polynomial.of(compiled, [counted(one) for one in wanted])
    totals = polynomial.totals(np.array([SHOE.by_points], dtype=np.int64))[0].tolist()
    assert {one: ways for one, ways in zip(wanted, totals, strict=True) if ways} == expected


def kind(ended: Result) -> tuple[str, int, int]:
    return ended.winner.value, ended.player_cards, ended.banker_cards


@pytest.mark.parametrize("name", VARIANTS)
def test_the_checker_counts_a_table_as_brute_force_does(name: str) -> None:
    stated = {"table_of_play": tomllib.loads(VARIANTS[name][0].toml())["table_of_play"]}
    counted = Counter[Result]()
    for facts, ways in checker.rounds(
        checker.play_of(stated), SHOE.counts, checker.Asked(thirds=False, ranks=False)
    ).facts.items():
        counted[Result(facts.player_points, facts.banker_points, facts.player_cards, facts.banker_cards)] += (
            ways
        )
    assert counted == brute_results(name)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_simulators_dealer_deals_by_a_table(name: str) -> None:
    """All 20,160 orders of the cards, in its hands."""
    order = np.array([[RANKS.index(rank) for rank in CARDS]], dtype=np.uint8)
    places = np.array(list(permutations(range(8), 6)))
    dealt = ThirdCardRules.of(game_of(name)).dealt(tuple(order[0][places].T))
    hands = Counter[Hands]()
    for six in zip(*dealt.player, *dealt.banker, strict=True):
        player, banker = (
            tuple(RANKS[card] for card in hand if card != NO_CARD) for hand in (six[:3], six[3:])
        )
        hands[player, banker] += 1
    assert hands == brute_force(name)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_finished_round_is_one_that_the_table_could_have_dealt(name: str) -> None:
    """Settlement and the replay of hand logs take what the variant deals, and of what it does not, nothing."""
    game, possible = game_of(name), brute_force(name)
    for player, banker in possible:
        assert game.finished_round(player, banker).is_over
    impossible = {hands for other in VARIANTS for hands in brute_force(other)} - set(possible)
    for player, banker in impossible:
        with pytest.raises(RoundError, match=r"\(3\.[45]\)$"):
            game.finished_round(player, banker)
    assert impossible


@pytest.mark.parametrize("name", PLAYABLE)
def test_every_figure_of_a_variant_is_reached_on_two_ways(name: str) -> None:
    """Bets and insurance by recursion and compiled form; insurance by exact cards; closed forms."""
    game = game_of(name)
    shoes = [SHOE, Shoe((2, 0, 3, 2, 1, 1, 3, 2, 2, 0, 0, 1, 2))]
    batch = evaluate(game, [shoe.counts for shoe in shoes], insurance=True)
    for number, shoe in enumerate(shoes):
        analysis = analyze(game, shoe)
        for bet in analysis.bets:
            assert batch.expected_value(number, bet.id) == bet.expected_value
        states = insurance_analysis(game, analysis.distribution)
        assert batch.state_ways is not None
        assert batch.state_ways[number].tolist() == [state.ways for state in states]
        seen = Counter[object]()
        for _, courses in seen_openings(shoe, game.table_of_play):
            seen.update(courses)
        assert seen == analysis.distribution.by_points
    formulas = bet_formulas(game, "six")
    assert check_formulas(game, "six", formulas) == (1, 2)


def test_the_variants_differ_in_their_figures() -> None:
    """A cache that did not look at the table would make two of them one."""
    batches = [evaluate(game_of(name), [[4] * 13], outcomes=True) for name in VARIANTS]
    assert {batch.outcomes[0] for batch in batches} == {("punto", "Player wins")}
    ways = {int(batch.outcome_ways[0, 0]) for batch in batches if batch.outcome_ways is not None}
    assert len(ways) == len(VARIANTS)


def test_a_round_in_progress_goes_on_by_the_games_table() -> None:
    game = game_of("Player draws on 6")
    cards = parse_cards("K 6"), parse_cards("K 2")
    now = round_in_progress(game, game.round(*cards), Shoe.of_decks(1))
    assert {ended.player_cards for ended in now.distribution.results} == {3}
    common = round_in_progress(game_of("as printed"), Round(*cards), Shoe.of_decks(1))
    assert {ended.player_cards for ended in common.distribution.results} == {2}


def test_a_round_of_another_table_is_refused() -> None:
    """Nothing is settled, and no odds are given, by a table that is not the game's."""
    game, dealt = game_of("Player draws on 6"), Round(parse_cards("K 6"), parse_cards("K 7"))
    message = (
        "the round (Player K 6, Banker K 7) follows another Table of Play than that of small-baccarat (3.5); "
        "deal it with the game's: game.round(player, banker)"
    )
    for attempt in (
        lambda: settle(game, dealt, {}),
        lambda: round_in_progress(game, dealt, Shoe.of_decks(1)),
    ):
        with pytest.raises(RoundError) as refusal:
            attempt()
        assert str(refusal.value) == message


def test_bets_and_offers_are_checked_against_the_books_own_table() -> None:
    """With a natural on 9 alone, a round of four cards in which 8 loses to 9 is the only one with an 8 in it."""
    line = '{ winner = "player", player_points = 8, player_cards = 2, banker_cards = 3, odds = "9 to 1" }'
    pays = re.compile(r'pays = \[\{ winner = "banker", banker_points = 6, odds = "12 to 1" \}\]')
    for stated, refused in ((Stated(), True), (Stated(natural="9"), False)):
        text, times = pays.subn(f"pays = [{line}]", text_with(stated, PLAIN_BOOK))
        assert times == 1
        if refused:
            with pytest.raises(RuleBookError, match="no round can come to this"):
                parsed_rule_book(text.encode(), PLAIN_BOOK)
        else:
            assert parsed_rule_book(text.encode(), PLAIN_BOOK).game.bet("six").pays[
                0
            ].player_cards == NumberSet({2})
    offer = '{ player_points = 6, banker_points = "0-5", odds = "3 to 1" }'
    text = text_with(Stated(stood="0-6")).replace(offer, offer.replace("0-5", "0-6"))
    assert parsed_rule_book(text.encode(), SMALL_BOOK).game.offers
    with pytest.raises(RuleBookError, match="Player 6, Banker 6 can never arise after four cards"):
        parsed_rule_book(text.replace('stood = "0-6"', 'stood = "0-5"').encode(), SMALL_BOOK)


# ---------------------------------------------------------------- one cell, in a TOML


def turned(cell: Cell) -> Stated:
    """The printed table with one cell turned round, as a rule book would state it."""
    hand, total, column = cell
    player, stood = set(range(6)), set(range(6))
    thirds = {banker: {third for third in range(10) if banker_draws(banker, third)} for banker in range(8)}
    turn = player if hand is Hand.PLAYER else stood if column == STOOD else thirds[total]
    turn ^= {column if turn is thirds[total] else total}

    def shown(totals: set[int]) -> str:
        return ",".join(map(str, sorted(totals))) or "none"

    rows = tuple((str(banker), shown(draws)) for banker, draws in thirds.items())
    return Stated(player_draws=shown(player), rows=rows, stood=shown(stood))


@pytest.mark.parametrize("cell", cells(), ids=lambda cell: "-".join(map(str, cell)))
def test_one_cell_of_a_toml_changes_all_readers_alike(cell: Cell) -> None:
    """Each of the 96: the recursion, the dealer and the checker read the same other table.

    That each of them counts by every cell that it read is shown where its counting is.
    """
    text, table = text_with(turned(cell), PLAIN_BOOK), mutated(cell)
    game = parsed_rule_book(text.encode(), PLAIN_BOOK).game
    assert game.table_of_play == table != TABLE_OF_PLAY
    dealer, play = ThirdCardRules.of(game), checker.play_of(tomllib.loads(text))
    assert (tuple(dealer.player[:8]), tuple(map(tuple, dealer.banker[:8]))) == (table.player, table.banker)
    assert tuple(total in play.player_draws for total in range(8)) == table.player
    assert table.banker == tuple(
        (
            *(third in play.banker_draws[total] for third in range(10)),
            total in play.banker_draws_when_player_stood,
        )
        for total in range(8)
    )


def test_a_dossier_of_a_variant_with_insurance_is_accepted_whole() -> None:
    """One made with another table is rejected: ``toml-table-other-cell`` in the corpus of the checker."""
    book = book_with(VARIANTS["no naturals, both draw on 9"][0])
    made = dossier(book, (1,))
    assert check(analysis_bytes(made), book.content) > 3000


# ---------------------------------------------------------------- shown, and on the command line


PRINTED = """
Player's first two  Player Hand
------------------  ---------------------
0-1-2-3-4-5         draws
6-7                 stands
8-9                 natural: nobody draws

Banker's first two  draws when Player's third is  stands when it is  Player stood
------------------  ----------------------------  -----------------  ------------
0-1-2               any                           never              draws
3                   0-1-2-3-4-5-6-7-9             8                  draws
4                   2-3-4-5-6-7                   0-1-8-9            draws
5                   4-5-6-7                       0-1-2-3-8-9        draws
6                   6-7                           0-1-2-3-4-5-8-9    stands
7                   never                         any                stands
8-9                 natural: nobody draws

"""


def test_the_table_is_printed_as_the_documents_print_it(run: Run) -> None:
    """By ``combinat rules``, with the clauses that state it."""
    shown = run("rules", NONCOMMISSION_2025).out
    assert PRINTED + "Stated by the rule book (3.12; 3.11 when the Player Hand has stood).\n" in shown
    assert "so that a 10 leaves 0, at its face value as at 0." in " ".join(shown.split())
    assert "With 8 or 9 in two cards on either side nobody draws (1.14)." in " ".join(shown.split())


def test_a_book_without_a_table_says_where_the_printed_one_comes_from(small_book: RuleBook, run: Run) -> None:
    shown = run("rules", str(SMALL_BOOK)).out
    assert PRINTED + "The rule book states no table of its own (3.5, 3.4): this is the common one.\n" in shown
    data = rule_book_json(small_book.game, small_book.sha256)
    assert data["table_of_play"] == {
        "clause": "3.5",
        "stood_clause": "3.4",
        "natural": [8, 9],
        "player_draws": [0, 1, 2, 3, 4, 5],
        "banker_draws": [
            {"points": [0, 1, 2], "third": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]},
            {"points": [3], "third": [0, 1, 2, 3, 4, 5, 6, 7, 9]},
            {"points": [4], "third": [2, 3, 4, 5, 6, 7]},
            {"points": [5], "third": [4, 5, 6, 7]},
            {"points": [6], "third": [6, 7]},
        ],
        "banker_draws_when_player_stood": [0, 1, 2, 3, 4, 5],
        "is_stated": False,
    }
    stated = book_with(Stated())
    assert rule_book_json(stated.game, stated.sha256)["table_of_play"] == data["table_of_play"] | {
        "is_stated": True
    }
    assert rule_book_json(stated.game, "")["clauses"] == data["clauses"]


def test_a_variant_is_printed_as_it_is(run: Run, tmp_path: Path) -> None:
    """A total that is no natural has its row; a report and ``combinat rules`` show the same blocks."""
    game = game_of("no naturals, both draw on 9")
    shown = rendered(table_of_play_blocks(game), Format.TEXT)
    rows = [re.split("  +", line) for line in shown.splitlines()]
    assert ["0-1-2-3-4-5-9", "draws"] in rows
    assert ["6-7-8", "stands"] in rows
    assert ["7-8", "never", "any", "stands"] in rows
    assert ["0-1-2-9", "any", "never", "draws"] in rows
    assert "natural" not in shown
    path = tmp_path / SMALL_BOOK.name
    path.write_text(text_with(VARIANTS["no naturals, both draw on 9"][0]), "utf-8")
    assert "No two cards are a natural (1.3)." in " ".join(run("rules", str(path)).out.split())


def test_settlement_at_the_prompt_follows_the_books_table(run: Run, tmp_path: Path) -> None:
    """A Player Hand of 6 with a third card: due under one table, against the other, which is cited."""
    path = tmp_path / SMALL_BOOK.name
    path.write_text(text_with(VARIANTS["Player draws on 6"][0]), "utf-8")
    hands = ("--player", "K 6 2", "--banker", "K 7")
    assert run("settle", str(path), *hands, "--stake", "punto=10").code == 0
    refused = run("settle", str(SMALL_BOOK), *hands, "--stake", "punto=10")
    assert (refused.code, refused.out) == (2, "")
    assert (
        "Player Hand: the third card 2 is against the Table of Play: Player has 6, so it stands (3.5)"
        in " ".join(refused.err.split())
    )
    assert run("round", str(path), "--player", "K 6", "--banker", "K 7", "--player-third", "2").code == 2
    assert run("round", str(path), "--player", "K 6", "--banker", "K 7").code == 0
    assert run("round", str(SMALL_BOOK), "--player", "K 6", "--banker", "K 7").code == 2


def test_a_log_of_a_variant_is_replayed_by_its_table(run: Run, tmp_path: Path) -> None:
    """Every row is possible by the book it was dealt from; by the other one, some are not."""
    path, log = tmp_path / SMALL_BOOK.name, tmp_path / "log.csv"
    path.write_text(text_with(VARIANTS["Player draws on 6"][0]), "utf-8")
    assert (
        run("simulate", str(path), "--decks", "1", "--rounds", "10000", "--seed", "3", "--out", str(log)).code
        == 0
    )
    assert run("crosscheck", str(log), "--game", str(path)).code == 0
    other = run("crosscheck", str(log), "--game", str(SMALL_BOOK))
    assert other.code == 1
    assert "against the Table of Play: Player has 6, so it stands (3.5)" in " ".join(other.out.split())


# ---------------------------------------------------------------- no second copy


ALLOWED = {"rules/table_of_play.py": "COMMON_TABLE", "certify/checker.py": "COMMON"}
"""Where the common table may stand, and under which name."""


def rows_of_the_table(tree: ast.AST) -> list[str]:
    """What looks like a row of the printed table, or like one of its bounds, as it is written.

    A row: the third cards on which the Banker Hand draws with 3, 4 or 5, as text or as numbers. A bound:
    something told to be over or under 5, 6, 7 or 8 as a total is.
    """
    digits = {
        "".join(str(third) for third in range(10) if banker_draws(banker, third)) for banker in (3, 4, 5)
    }
    texts = {"0-7,9", "2-7", "4-7", *digits, *("-".join(row) for row in digits)}
    rows = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in texts:
            rows.append(str(node.value))
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            numbers = [part.value for part in node.elts if isinstance(part, ast.Constant)]
            if "".join(map(str, numbers)) in digits:
                rows.append(ast.unparse(node))
        elif isinstance(node, ast.Compare) and re.search(
            r"(total|points|player|banker)\w* (<=|<|>|>=) [5678]$", ast.unparse(node)
        ):
            rows.append(ast.unparse(node))
    return rows


@cache
def sources() -> dict[str, ast.Module]:
    """Every module of the program, by its path."""
    return {
        path.relative_to(SOURCES).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(SOURCES.rglob("*.py"))
    }


def test_no_source_holds_a_second_copy_of_the_table() -> None:
    """The common table stands once, for rule books that state none, and once in the checker, which stands alone."""
    copies = {name: rows for name, tree in sources().items() if (rows := rows_of_the_table(tree))}
    assert copies == {name: ["0-7,9", "2-7", "4-7"] for name in ALLOWED}
    for name, holder in ALLOWED.items():
        held = [
            rows_of_the_table(node)
            for node in sources()[name].body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == holder
        ]
        assert held == [["0-7,9", "2-7", "4-7"]]


@pytest.mark.parametrize(
    "copy",
    [
        "DRAWS = {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 6: (6, 7)}",
        "DRAWS = {4: [2, 3, 4, 5, 6, 7]}",
        "row = {4, 5, 6, 7}",
        'row = "0-1-2-3-4-5-6-7-9"',
        "goes_on = player_total < 8",
        "if banker <= 5: pass",
    ],
)
def test_a_copy_would_be_noticed(copy: str) -> None:
    assert len(rows_of_the_table(ast.parse(copy))) == 1


def without_a_table(tree: ast.AST) -> list[str]:
    """The calls that would deal by the common table, whatever the game's is."""
    needed = {"walk": (2, "dealt"), "Round": (3, "table"), "finished_round": (9, "table")}
    calls = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in needed:
            places, keyword = needed[node.func.id]
            if len(node.args) < places and keyword not in {given.arg for given in node.keywords}:
                calls.append(ast.unparse(node))
    return calls


def test_nothing_in_the_program_deals_without_saying_by_which_table() -> None:
    """But the default of the recursion itself; and ``walk`` of ``render`` is another one, of blocks."""
    calls = {
        name: calls
        for name, tree in sources().items()
        if name.split("/")[0] != "render" and (calls := without_a_table(tree))
    }
    assert calls == {
        "cli/trials.py": ["walk(Shoe.of_decks(8))"],  # whether the machine can count
        "engine/walk.py": ["Round()"],
        "report/folder.py": ["walk([document])"],  # of a document's blocks, as the two below
        "report/frame.py": ["walk(sections)"],
        "report/page/page.py": ["walk([document])"],
    }
    assert without_a_table(ast.parse("walk(shoe); Round(a, b); finished_round(a, b)")) == [
        "walk(shoe)",
        "Round(a, b)",
        "finished_round(a, b)",
    ]


def test_a_table_without_rows_for_its_naturals_is_never_asked_for_them() -> None:
    """A row for each total that goes on: nine with one natural, ten with none."""
    assert [len(game_of(name).table_of_play.banker) for name in VARIANTS] == [8, 8, 8, 9, 10, 8]
    table: TableOfPlay = game_of("no natural on 8").table_of_play
    for player, banker in product(range(10), repeat=2):
        over = table.next_hand((player, 0), (banker, 0)) is None
        assert over == (9 in (player, banker) or (player > 5 and banker > 5))
