"""Two rule books side by side: every difference is seen, and its effect is the exact one."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from combinat import Game, Shoe, analyze, load_game
from combinat.analysis.rule_book_changes import COMPARED, BookPart, rule_book_changes
from tests.conftest import SMALL_BOOK, Run, asked
from tests.documents import COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.oracle.tables_of_play import Stated, text_with


def changed(tmp_path: Path, *edits: tuple[str, str]) -> Path:
    """The small rule book with some edits, as a book of one's own."""
    text = SMALL_BOOK.read_text("utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / SMALL_BOOK.name
    path.write_text(text, "utf-8")
    return path


def diff(run: Run, *words: str) -> dict[str, Any]:
    record: dict[str, Any] = asked(run, "diff", *words)
    assert record["schema"] == "combinat/diff/1"
    return record


def of_part(record: dict[str, Any], part: str) -> dict[str, dict[str, Any]]:
    return {change["id"]: change for change in record["changes"] if change["part"] == part}


def test_the_documents_of_2013_and_2024(run: Run) -> None:
    """Written out from the documents: eight bets more, other odds of insurance, decks up to 10."""
    record = diff(run, COMMISSION_2013, COMMISSION_2024)
    by_decks = of_part(record, "decks")["decks"].pop("effects")
    new = load_game(COMMISSION_2024)
    assert {effect["for"]: (effect["first"], effect["second"]) for effect in by_decks} == {
        bet.id: tuple(str(analyze(new, Shoe.of_decks(number)).bet(bet.id).house_edge) for number in (8, 10))
        for bet in new.bets
    }
    assert of_part(record, "decks") == {
        "decks": {
            "part": "decks",
            "id": "decks",
            "change": "changed",
            "before": "4 to 8",
            "after": "4 to 10",
            "clause_before": "2.2.1",
            "clause_after": "2.2.1",
            "house_edge_before": None,
            "house_edge_after": None,
            "effect": "several",
        }
    }
    bets = of_part(record, "bets")
    assert {change["change"] for change in bets.values()} == {"added"}
    assert len(bets) == 8
    assert (bets["big-tiger"]["after"], bets["big-tiger"]["clause_after"]) == ("wins at 50 to 1", "4.1.5")
    edge = analyze(load_game(COMMISSION_2024), Shoe.of_decks(8)).bet("big-tiger").house_edge
    assert bets["big-tiger"]["house_edge_after"] == str(edge)
    five = of_part(record, "insurance")["banker@four-cards, Player 4, Banker 5"]
    assert (five["before"], five["after"]) == ("2 to 1, a tie is returned", "3 to 2, a tie is returned")
    assert (five["clause_before"], five["clause_after"]) == ("4.1.3", "4.1.9")
    assert Fraction(five["effect"]) == Fraction(five["house_edge_after"]) - Fraction(
        five["house_edge_before"]
    )
    assert of_part(record, "layouts")["K"]["change"] == "added"
    squeeze = of_part(record, "practice")["squeeze_waives"]
    assert (squeeze["clause_before"], squeeze["clause_after"]) == ("4.1.5", "3.14")
    assert (squeeze["after"], squeeze["effect"], squeeze["effects"]) == ("for all players", "none", [])
    stays = of_part(record, "readings")["tied-bets-returned"]
    assert [(one["of"], one["for"], one["first"]) for one in stays["effects"]] == [
        (COMMISSION_2013, bet, str(analyze(load_game(COMMISSION_2013), Shoe.of_decks(8)).bet(bet).house_edge))
        for bet in ("player", "banker")
    ]
    assert (stays["effect"], bets["big-tiger"]["effect"]) == ("several", "none")
    assert of_part(record, "procedures")["not-shuffled"]["clause_after"] == "5.5.5, 5.16"
    assert of_part(record, "clauses")["deal"]["before"] == "3.4"
    assert of_part(record, "clauses")["deal"]["after"] == "3.10"
    assert of_part(record, "table-of-play") == {}


def test_everything_that_is_stated_has_its_clause_or_says_that_it_has_none(run: Run) -> None:
    record = diff(run, COMMISSION_2013, NONCOMMISSION_2025)
    for change in record["changes"]:
        for side in ("before", "after"):
            assert (change[side] is None) == (change[f"clause_{side}"] is None), change["id"]
        assert change["effect"], change["id"]
    assert of_part(record, "other-rules")["table_limits.clauses.pro_rata"]["clause_after"] == "5.1.1"
    assert of_part(record, "practice")["squeeze_waives"]["clause_after"] == "none"


def test_insurance_that_both_have_alike_is_no_difference(run: Run) -> None:
    """Both documents of 2024 have one insurance table; only the clauses moved."""
    record = diff(run, COMMISSION_2024, NONCOMMISSION_2024)
    assert of_part(record, "insurance") == {}
    assert of_part(record, "bets").keys() == {"banker"}
    assert of_part(record, "clauses")["insurance player@four-cards"]["after"] == "4.1.8"


def test_the_effect_of_other_odds_is_exact(run: Run, tmp_path: Path) -> None:
    """12 to 1 becomes 14 to 1: the edge falls by twice the chance of the line."""
    own = changed(tmp_path, ('odds = "12 to 1"', 'odds = "14 to 1"'))
    record = diff(run, str(SMALL_BOOK), str(own), "--decks", "2")
    (change,) = record["changes"]
    six = analyze(load_game(SMALL_BOOK), Shoe.of_decks(2)).bet("six")
    assert record["decks"] == 2
    assert Fraction(change["effect"]) == -2 * six.outcomes[0].probability
    assert (change["part"], change["clause_before"], change["clause_after"]) == ("bets", "4.3", "4.3")


@pytest.mark.parametrize(
    ("edit", "part", "name"),
    [
        (('name = "Small Baccarat"', 'name = "Smaller Baccarat"'), "document", "name"),
        (
            ('side = "player"\nstage', 'side = "banker"\nstage'),
            "insurance",
            "player@four-cards, Player 5, Banker 4",
        ),
        (('share = "100%"', 'share = "50%"'), "insurance-terms", "limit 1"),
        (('open = "card-to-come"', 'open = "whenever-listed"'), "insurance-terms", "open"),
        (('bets = "returned"', 'bets = "stay"'), "void", "void"),
        (("[void]", '[practice]\navailable_bets = "staked"\n\n[void]'), "practice", "available_bets"),
        (("[void]", '[[no_bearing]]\nclauses = ["9.9"]\nwhy = "None."\n\n[void]'), "no-bearing", "None."),
        (('reading = "On the round."', 'reading = "On all."'), "readings", "cap-on-each-offer"),
        (('pairs = "single"', 'point_pairs = "single"'), "bets", "any-pair"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_part_is_looked_at(
    run: Run, tmp_path: Path, edit: tuple[str, str], part: str, name: str
) -> None:
    record = diff(run, str(SMALL_BOOK), str(changed(tmp_path, edit)), "--decks", "1")
    assert name in of_part(record, part)


def test_no_field_of_a_rule_book_is_overlooked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A field that no part tells of is told key by key."""
    fields = {field.name for field in msgspec.structs.fields(Game)}
    assert fields >= COMPARED
    own = load_game(changed(tmp_path, ('bets = "returned"', 'bets = "stay"')))
    monkeypatch.setattr("combinat.analysis.rule_book_changes.COMPARED", COMPARED - {"void"})
    (other,) = [one for one in rule_book_changes(load_game(SMALL_BOOK), own, 1) if one.part is BookPart.OTHER]
    assert (other.id, other.before, other.after) == ("void.bets", "returned", "stay")


def test_lines_that_read_the_same_and_are_not_show_their_facts(run: Run, tmp_path: Path) -> None:
    own = changed(tmp_path, ('pairs = "single"', 'point_pairs = "single"'))
    change = of_part(diff(run, str(SMALL_BOOK), str(own), "--decks", "1"), "bets")["any-pair"]
    assert "one pair (pairs single) at 4 to 1" in change["before"]
    assert "one pair (point_pairs single) at 4 to 1" in change["after"]


def test_another_table_of_play_moves_every_bet_that_it_moves(run: Run, tmp_path: Path) -> None:
    own = tmp_path / SMALL_BOOK.name
    own.write_text(text_with(Stated(rows=(*Stated().rows[:-1], ("6", "6")))), "utf-8")
    record = diff(run, str(SMALL_BOOK), str(own), "--decks", "1")
    assert of_part(record, "table-of-play").keys() == {"Banker Hand with 6 draws, Player's third"}
    moved = of_part(record, "bets")
    assert moved.keys() == {"punto", "banco", "six"}
    for bet, change in moved.items():
        edges = [analyze(load_game(path), Shoe.of_decks(1)).bet(bet).house_edge for path in (SMALL_BOOK, own)]
        assert Fraction(change["effect"]) == edges[1] - edges[0] != 0
