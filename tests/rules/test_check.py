"""A rule book looked through: every mistake at once, what its lines cover, what looks forgotten."""

import json
import re
from math import perm
from pathlib import Path

import pytest

from combinat import Shoe, load_game
from combinat.analysis.coverage import CautionSort, coverage
from combinat.rules.book.load import examined_book
from combinat.rules.book.reader import Mistake
from tests.conftest import SMALL_BOOK, VOCABULARY, Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025

MANY = SMALL_BOOK.with_name("many-mistakes.toml")

MISTAKES_BY_LINE = {
    3: "name",
    5: "colour",
    6: "effective",
    7: "decks.least decks.most",
    11: "layouts[0].positions",
    15: "bets[0].hand",
    16: "bets[0].layouts[0] bets[0].layouts[1]",
    18: "bets[0].pays[0].winner bets[0].pays[0].player_points bets[0].pays[0].odds bets[0].pays[0].colour",
    20: "bets[0].pays[2].name bets[0].pays[2].commission bets[0].pays[2].except[0] bets[0].pays[2].except[1]",
    21: "bets[0].pays[3]",
    22: "bets[0].pays[4]",
    23: "bets[0].pays[5].name bets[0].pays[5].except[0]",
    27: "bets[1].id",
    28: "bets[1].abuot",
    29: "bets[1].pays[0].winer bets[1].pays[0].odd bets[1].pays[0].cards",
    31: "bets[2].pays",
    35: "bets[3].id",
    40: "examples[0].player",
    41: "examples[0].banker",
    46: "expect[0].bet",
    47: "expect[0].decks",
    48: "expect[0].house_edge",
    49: "expect[0].source",
    55: "insurance_terms.limits[0].procedure insurance_terms.limits[0].per",
    63: "insurance[0].offers[1]",
    64: "insurance[0].offers[2]",
    65: "insurance[0].offers[3].odds",
    66: "insurance[0].offers[4].tie_pays",
    70: "insurance[1].side",
    75: "procedures[0].id",
    76: "procedures[0].incident",
    77: "procedures[0].when",
    78: "procedures[0].effect",
    79: "procedures[0].colour",
    83: "procedures[1].incident",
    85: "procedures[1].effect",
    86: "procedures[1].if",
    92: "interpretations[0].otherwise",
    93: "interpretations[0].instead.bets[0].pays[0].winner interpretations[0].instead.bets[0].pays[0].odds interpretations[0].instead.silent_player interpretations[0].instead.bets[0].id",
    100: "interpretations[1].instead.bets[0].id interpretations[1].instead.bets[1].pays[0].name interpretations[1].instead.bets[1].pays[1]",
    104: "table_of_play.player_draws",
    107: "table_of_play.banker_draws[1].points",
    108: "table_of_play.banker_draws[2].points",
    111: "table_of_play.banker_draws_when_player_stood",
}
"""Every mistake of the book above, by its line: several in one entry, and none that follows from another."""

DRAFT = """schema = 1
id = "draft"
name = "Draft"
status = "draft"

[[bets]]
id = "totals"
pays = [
    { name = "6", winner = "player", player_points = 6, odds = "3 to 1" },
    { name = "7", winner = "player", player_points = 7, player_cards = 3, odds = "3 to 1" },
    { name = "8", winner = "player", player_points = 8, odds = "3 to 1" },
]

[[bets]]
id = "gift"
otherwise = "push"
pays = [{ winner = "tie", odds = "8 to 1" }]

[[expect]]
bet = "gift"
decks = 8
hit_frequency = "9.5%"
source = "a book"
"""


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.toml"
    path.write_text(DRAFT, "utf-8")
    return path


# ---------------------------------------------------------------- mistakes


def mistakes_in(path: Path) -> tuple[Mistake, ...]:
    return examined_book(path.read_bytes(), path, path.parent)[1]


def test_all_mistakes_are_shown_at_once_with_their_lines(run: Run) -> None:
    ran = run("check", str(MANY), "--format", "json")
    assert ran.code == 1
    record = json.loads(ran.out)
    assert record["holds"] is False
    places = [(mistake["line"], mistake["key"]) for mistake in record["mistakes"]]
    assert sorted(places) == sorted(
        (line, key) for line, keys in MISTAKES_BY_LINE.items() for key in keys.split()
    )
    assert [line for line, _ in places] == sorted(line for line, _ in places)
    by_key = {mistake["key"]: mistake for mistake in record["mistakes"]}
    assert "for example Player A 9 K, Banker A 9 7; narrow" in by_key["bets[0].pays[4]"]["mistake"]
    assert "Player A 9 K, Banker A 9 K" in by_key["bets[0].pays[3]"]["mistake"]
    assert len(run("check", str(MANY), "--format", "csv").out.splitlines()) == 1 + len(places)


TIE = 'pays = [{ winner = "tie",'
SLIPS: dict[str, tuple[str, str, list[str]]] = {
    "no TOML": ('id = "gift"', "id = ", ["15 "]),
    "no end": ('pays = [{ winner = "tie", odds = "8 to 1" }]', "pays = [", [""]),
    "a list": ('bet = "gift"', 'bet = ["gift"]', ["20 expect[0].bet: "]),
    "a number": ('id = "gift"', "id = 3", ["15 bets[1].id: "]),
    "no bets": ("[[bets]]", "[[bet]]", ["6 bet: "]),
    "another name": ('id = "draft"', 'id = "other"', ["2 id: "]),
    "decks": ('status = "draft"', 'status = "draft"\ndecks = { least = 9, most = 2 }', ["5 decks: "]),
    "points": (TIE, f"{TIE} points = 6,", ["unknown key. Write whose: player_points, banker_points"]),
    "suits": (TIE, 'pays = [{ pairs = "single", suited = true,', ["Cards have ranks here and no suits"]),
    "payout": (TIE, f"{TIE} payout = 8,", ['Write odds = "8 to 1"']),
    "numbers in a list": (TIE, "pays = [{ cards = [5, 6],", ['found a list; did you mean "5-6"? Write numbers']),
    "a capital": (TIE, 'pays = [{ winner = "Tie",', ['found "Tie"; did you mean "tie"? Write one of']),
    "winner of a tie": (TIE, f"{TIE} winning_points = 6,", ["nobody wins a tie: write player_points"]),
    "keys that are only guessed": ('winner = "tie", odds', 'pair = "suited", odd', ["bets[1].pays[0].pair: ", "bets[1].pays[0].odd: "]),
    "status": ('status = "draft"', 'status = "drafft"\ncolour = 1', ['status: found "drafft"; did you mean "draft"? Write one of', "colour: unknown key"]),
    "facts": ('winner = "tie", odds = "8 to 1"', 'cards = "7-9", odds = "2:1"', ["bets[1].pays[0].odds: found", "bets[1].pays[0]: no round has all its facts"]),
    "commission": ('odds = "8 to 1"', 'odds = "8:1", commission = "105%"', ["bets[1].pays[0].odds: found", 'bets[1].pays[0].commission: found "105%"; write one below 100%']),
    "margin": ('winner = "tie"', 'margin = "10 up"', ['bets[1].pays[0].margin: found "10 up"; write numbers from 0 to 9, such as']),
    "bet": ('id = "gift"', "", ["bets[1].id: missing; give it lower-case words joined by hyphens"]),
    "game": ('id = "draft"', "", ["id: missing; give it lower-case words joined by hyphens"]),
    "overlap": ('6, odds = "3 to 1" },\n    { name = "7", winner = "player", player_points = 7', '6, odds = "3:1" },\n    { name = "7", winner = "player", player_points = "6-7"', ["bets[0].pays[0].odds: found", "bets[0].pays[1]: covers outcomes that bets[0].pays[0] covers too"]),
}  # fmt: skip
"""A change of the draft, and a part of each mistake that it makes, some with their lines."""


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_hides_nothing_and_brings_nothing_else(draft: Path, name: str) -> None:
    old, new, parts = SLIPS[name]
    assert old in DRAFT
    draft.write_text(DRAFT.replace(old, new), "utf-8")
    mistakes = [f"{mistake.line} {mistake}" for mistake in mistakes_in(draft)]
    assert len(mistakes) == len(parts), mistakes
    assert all(part in mistake for part, mistake in zip(parts, mistakes, strict=True)), mistakes


def test_what_stands_for_something_left_out_is_never_shown(draft: Path) -> None:
    """Neither in an empty file, nor in one that leaves out ids, or all that a document states."""
    twice = DRAFT.replace('id = "gift"', 'id = "totals"').replace('bet = "gift"', 'bet = "ttals"')
    for text in ("", DRAFT.replace('status = "draft"', ""), twice, DRAFT.replace('id = "totals"', "")):
        draft.write_text(text, "utf-8")
        assert mistakes_in(draft)
        for mistake in mistakes_in(draft):
            assert not re.search("not.stated|found none|totals-1|without-id", mistake.what), mistake
    draft.write_text(twice, "utf-8")
    assert mistakes_in(draft)[-1].what.endswith("write one of totals")


# ---------------------------------------------------------------- coverage


@pytest.mark.parametrize("game_id", [str(VOCABULARY), COMMISSION_2013, NONCOMMISSION_2025])  # every pay table
def test_the_lines_of_a_bet_part_all_rounds_and_each_has_a_deal_of_its_own(game_id: str) -> None:
    game = load_game(game_id)
    shoe = Shoe.of_decks(1)
    for bet in coverage(game, shoe).bets:
        assert bet.cautions == () or game_id == str(VOCABULARY)  # no bet of the documents is warned of
        assert sum(line.ways for line in bet.lines) == 14658134400
        for line in bet.lines:
            assert (line.deal is None) is (line.ways == 0)
            if line.deal is not None:
                dealt = game.finished_round(line.deal.player, line.deal.banker)
                assert bet.bet.line_name(bet.bet.line(dealt.outcome)) == line.name
                shoe.minus([*line.deal.player, *line.deal.banker])


def test_lines_that_no_round_can_have_together_do_not_overlap(draft: Path) -> None:
    """Two cards of one rank are never worth 9."""
    lines = (
        '{ name = "nine", player_points = 9, player_cards = 2, odds = "5 to 1" }',
        '{ name = "pair", player_pair = true, odds = "8 to 1" }',
    )
    draft.write_text(DRAFT.replace('{ winner = "tie", odds = "8 to 1" }', ", ".join(lines)), "utf-8")
    covered = coverage(load_game(draft), Shoe.of_decks(8)).bets[1]
    assert sum(line.ways for line in covered.lines) == perm(416, 6)
    assert all(line.ways and line.deal for line in covered.lines)


def test_a_line_that_no_round_can_have_is_warned_of(run: Run, draft: Path) -> None:
    never = '{ name = "odd pair", player_pair = true, player_points = 9, player_cards = 2, odds = "5 to 1" }'
    draft.write_text(DRAFT.replace('{ winner = "tie", odds = "8 to 1" }', never), "utf-8")
    assert 'no round can have all the facts of its line "odd pair"' in " ".join(
        run("check", str(draft)).out.split()
    )


def test_a_forgotten_total_a_gift_and_a_bet_that_never_loses_are_warned_of(draft: Path) -> None:
    totals, gift = coverage(load_game(draft), Shoe.of_decks(8)).bets
    (hole,) = [caution.hole for caution in totals.cautions]
    assert hole is not None
    assert (hole.fact, hole.values, str(hole.deal)) == ("player_points", (7,), "Player K 7, Banker A 9 K")
    assert hole.where == {"player_cards": {2}, "winner": {"player"}}
    assert [caution.sort for caution in gift.cautions] == [
        CautionSort.FAVOURS_PLAYER,
        CautionSort.NEVER_LOSES,
    ]


def test_a_hole_is_warned_of_once_for_all_winners(run: Run, draft: Path) -> None:
    both = '{ name = "far", winner = ["player", "banker"], margin = "7-9", odds = "2 to 1" }'
    near = both.replace("far", "near").replace("7-9", "4-5")
    draft.write_text(DRAFT.replace('{ winner = "tie", odds = "8 to 1" }', f"{both}, {near}"), "utf-8")
    gift = coverage(load_game(draft), Shoe.of_decks(8)).bets[1]
    (hole,) = [caution.hole for caution in gift.cautions if caution.hole]
    assert (hole.fact, hole.values, hole.where) == (
        "margin",
        (6,),
        {"winner": frozenset({"player", "banker"})},
    )
    shown = " ".join(run("check", str(draft)).out.split())
    assert shown.count("gift: margin 6 comes back when the Player Hand wins or the Banker Hand wins") == 1


def test_the_command_and_its_verdict(run: Run, draft: Path) -> None:
    assert "totals: player_points 7 loses" in run("check", str(draft)).output()
    draft.write_text(DRAFT.replace("9.5%", "9.6%"), "utf-8")
    for form in ("text", "csv", "markdown", "latex"):
        assert run("check", str(draft), "--bet", "gift", "--format", form).code == 1
    record = json.loads(run("check", str(draft), "--format", "json").out)
    assert [one["holds"] for one in record["expect"]] == [record["holds"]] == [False]
    assert [warning["warning"] for warning in record["warnings"]] == ["hole", "favours-player", "never-loses"]
