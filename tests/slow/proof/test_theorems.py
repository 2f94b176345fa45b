"""Theorems, asked of Coq: what is right compiles, what is wrong does not, and the theorem is named (make slow M=proof)."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.dossier import Dossier
from combinat.certify.statements import GameStatement, game_statement, read_statement
from combinat.report.proof import UnprovableError, proof_text
from combinat.rules.bet import Bet, Pay
from combinat.rules.book.load import load_game
from combinat.rules.game import Game
from combinat.rules.insurance import Open
from combinat.rules.odds import Odds
from combinat.rules.outcome import Pairs, Winner
from combinat.rules.table_of_play import COMMON_TABLE, BankerRow
from combinat.rules.value_sets import NumberSet
from tests.certify.forger import Place, at, put
from tests.certify.proving import GOLDEN, check_program
from tests.conftest import VOCABULARY

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs Debian's coq")

CHECK = check_program()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sources of the proof, compiled."""
    folder = tmp_path_factory.mktemp("proof")
    for name in ("Cards", "Play", "Walk", "Grouped", "Counts"):
        shutil.copy(CHECK.HERE / f"{name}.v", folder)
        code, _, err = CHECK.Programs().run("coqc", "-q", "-Q", ".", "Baccarat", f"{name}.v", cwd=folder)
        assert code == 0, err
    return folder


def theorems(folder: Path, text: str, name: str = "asked") -> int:
    """How many theorems a text holds, when Coq accepts it."""
    path = folder / f"{name}.v"
    path.write_text(text, "utf-8")
    proved: int = CHECK.compiled(CHECK.Programs(), path)
    return proved


def refused(folder: Path, text: str) -> str:
    """The theorem by whose name Coq refuses a text."""
    with pytest.raises(CHECK.NotHoldingError) as refusal:
        theorems(folder, text)
    named = re.match(r"asked\.v, line \d+: (\w+) does not hold: ", str(refusal.value))
    assert named is not None, str(refusal.value)
    return named[1]


def test_the_small_game_is_proved(built: Path) -> None:
    assert theorems(built, GOLDEN.read_text("utf-8")) == 89


@pytest.mark.parametrize(
    ("place", "change", "theorem"),
    [
        (("bets", 2, "outcomes", 1, "ways"), lambda ways: str(int(ways) + 1), "bet_six_1_line_2"),
        (("bets", 3, "house_edge"), lambda edge: edge + "1", "bet_any_pair_1_edge"),
        (
            ("insurance", 0, "lost"),
            lambda lost: str(int(lost) - 10),
            "state_player_four_cards_5_4_1_returned",
        ),
    ],
)
def test_a_changed_digit_is_refused_by_name(
    place: Place,
    change: Callable[[str], str],
    theorem: str,
    built: Path,
    small_game: Game,
    small_dossier: Dossier,
) -> None:
    analysis = json.loads(analysis_bytes(small_dossier))
    put(analysis["shoes"][0], place, change(at(analysis["shoes"][0], place)))
    text = proof_text(small_game, read_statement(json.dumps(analysis).encode(), [1]))
    assert refused(built, text) == theorem


def test_changed_odds_are_refused_by_the_edge_of_the_bet(built: Path, small_game: Game) -> None:
    game = small_game
    pays = (msgspec.structs.replace(game.bets[2].pays[0], odds=Odds.parse("13 to 1")), game.bets[2].pays[1])
    bets = (*game.bets[:2], msgspec.structs.replace(game.bets[2], pays=pays), *game.bets[3:])
    text = proof_text(msgspec.structs.replace(game, bets=bets), game_statement(game, [1]))
    assert refused(built, text) == "bet_six_1_edge"


@pytest.mark.parametrize(
    ("cell", "other"),
    [
        ("([6], [6; 7])", "([6], [6])"),
        ("([3], [0; 1; 2; 3; 4; 5; 6; 7; 9])", "([3], [0; 1; 2; 3; 4; 5; 6; 7; 8; 9])"),
    ],
)
def test_a_changed_cell_of_the_table_of_play_is_refused(cell: str, other: str, built: Path) -> None:
    text = GOLDEN.read_text("utf-8")
    assert text.count(cell) == 1
    assert refused(built, text.replace(cell, other)) == "bet_punto_1_line_1"


def line(odds: str, **facts: Any) -> Pay:
    return Pay(odds=Odds.parse(odds), **facts)


def bet(bet_id: str, *pays: Pay) -> Bet:
    return Bet(id=bet_id, name=bet_id, about=bet_id, defined="1", settled="2", layouts=("A",), pays=pays)


def own_game(game: Game) -> Game:
    """Another Table of Play, offers open whenever listed, and a bet on every fact that there is."""
    table = msgspec.structs.replace(
        COMMON_TABLE,
        natural=NumberSet({9}),
        player_draws=NumberSet({0, 1, 2, 3, 4}),
        banker_draws=(
            BankerRow(points=NumberSet({0, 1, 2, 3}), third=NumberSet(range(10))),
            BankerRow(points=NumberSet({4, 5}), third=NumberSet({1, 3, 8})),
        ),
        banker_draws_when_player_stood=NumberSet({0, 1, 2, 3, 4, 5, 6}),
    )
    bets = (
        *game.bets,
        bet("margins", line("3 to 1", winner=Winner.PLAYER, margin=2), line("9 to 4", margin=5)),
        bet("cards", line("1 to 4", cards=5, player_cards=2), line("7 to 1", cards=6, banker_points=NumberSet({8, 9}))),
        bet("winners", line("2 to 1", winning_points=NumberSet({7, 8})), line("push", winner=Winner.TIE)),
        bet("own", line("3 to 1", player_pair=True, winner=Winner.PLAYER), line("5 to 1", banker_pair=True, player_pair=False)),
        bet("by-points", line("1 to 1", point_pairs=Pairs.DOUBLE), line("2 to 1", point_pairs=Pairs.NONE, player_points=NumberSet({0}))),
        bet("halves", line("1 to 1", player_point_pair=True), line("2 to 1", banker_point_pair=True, player_point_pair=False)),
        bet("none", line("1 to 9", pairs=Pairs.NONE, banker_cards=3)),
    )  # fmt: skip
    terms = game.insurance_terms
    assert terms is not None
    terms = msgspec.structs.replace(terms, open=Open.WHENEVER_LISTED)
    return msgspec.structs.replace(game, id="own", bets=bets, stated_table=table, insurance_terms=terms)


def test_a_game_of_ones_own_is_proved(built: Path, small_game: Game) -> None:
    """Another Table of Play and other bets, on a number of decks of one's own."""
    game = own_game(small_game)
    statement = game_statement(game, [3])
    assert theorems(built, proof_text(game, statement)) > 89


@pytest.mark.parametrize("entry", ["pair-by-rank"])
def test_the_other_reading_of_a_clause_is_proved(entry: str, built: Path, small_game: Game) -> None:
    game = small_game.reading(entry)
    assert theorems(built, proof_text(game, game_statement(game, [1]))) == 89


def test_an_axiom_in_a_file_is_seen(built: Path) -> None:
    """A theorem that is assumed and not proved is on the list, and what it assumes is said."""
    text = GOLDEN.read_text("utf-8")
    theorem = "Theorem void_1 : void_ways table_of_play (decks 1) = 0.\nProof. counted_in tables_1_hold. Qed."
    assert theorem in text
    assumed = text.replace(theorem, "Axiom void_1 : void_ways table_of_play (decks 1) = 0.")
    with pytest.raises(CHECK.NotHoldingError, match=r"theorems_1 assumes: Axioms: void_1"):
        theorems(built, assumed)


def test_a_game_without_insurance_is_proved_on_one_deck(built: Path) -> None:
    game = load_game("tiger-buffalo-noncommission-2025")
    statement: GameStatement = game_statement(game, [1])
    expected = 2 + sum(len(bet.ways) + 1 for bet in statement.shoes[0].bets)
    assert theorems(built, proof_text(game, statement)) == expected


def test_sets_naturals_exceptions_and_a_bet_that_comes_back_are_proved(built: Path) -> None:
    """The bets of the vocabulary that the model has words for; one way more on the line that is left is refused."""
    game = load_game(VOCABULARY)
    game = msgspec.structs.replace(game, bets=game.bets[:5])
    said = game_statement(game, [1])
    text = proof_text(game, said)
    assert theorems(built, text) == 24
    (returned,) = re.findall(r"bet_not_three_card_7_1_returned : .* = (\d+)\.", text)
    assert refused(built, text.replace(returned, str(int(returned) + 1))) == "bet_not_three_card_7_1_returned"


def test_third_cards_and_ranks_of_pairs_have_no_theorem() -> None:
    game = load_game(VOCABULARY)
    with pytest.raises(
        UnprovableError, match='bet thirds: the proof has no words for "player_third"; nothing is proved'
    ):
        proof_text(game, game_statement(game, [1]))
