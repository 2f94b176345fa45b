"""The explorer in Chromium, from a file: what people see and touch (``make slow M=browser``)."""

import json
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from combinat.analysis.analysis import analyze
from combinat.analysis.bets import BetAnalysis, bet_analysis
from combinat.analysis.insurance import STATES, insurance_analysis
from combinat.analysis.round_in_progress import RoundInProgress, result_so_far, round_in_progress
from combinat.analysis.until_decided import as_they_stay
from combinat.base.number import money, percent
from combinat.engine.distribution import Distribution
from combinat.engine.pairs import pair_distribution
from combinat.report.explorer import explorer
from combinat.report.explorer.page import WEB
from combinat.rules.book.load import RuleBook, load_game, load_rule_book, parsed_rule_book
from combinat.rules.cards import RANKS, parse_cards
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand
from combinat.table.settlement import settle
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2025
from tests.explorer.browser import AXE, CHROMIUM, OF_COLOUR, Opened, axe, browser, opened
from tests.explorer.engine import (
    AT_THE_TABLE,
    OTHER_TABLE,
    SHOES,
    answered_odds,
    assert_same_but_named,
    counted,
    odds_of,
    plain,
    stated,
)
from tests.explorer.picture import LINK

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    """One browser for all."""
    with browser() as one:
        yield one


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, small_book: RuleBook) -> Path:
    """The page of the four games, of the small one, and of one by another Table of Play."""
    place = tmp_path_factory.mktemp("explorer") / "explorer.html"
    place.write_bytes(explorer([*map(load_rule_book, GAMES), small_book, load_rule_book(OTHER_TABLE)]))
    return place


@pytest.fixture
def tab(chromium: "Browser", file: Path) -> Iterator[Opened]:
    """The page in a tab; at its end it has asked for nothing but itself and said nothing to the console."""
    one = opened(chromium, file)
    yield one
    assert one.said == []
    assert set(one.requested) <= {one.address, "about:blank", "data:,"}
    one.page.close()


KNOWN: dict[tuple[object, Shoe], Distribution] = {}
"""The rounds of the shoes of all games: the four documents print one table."""

distribution_of = lru_cache(maxsize=64)(pair_distribution)


def analysis_of(game: Game, shoe: Shoe, bet: str) -> BetAnalysis:
    return bet_analysis(game, game.bet(bet), distribution_of(shoe, game.table_of_play))


# ---------------------------------------------------------------- exact


@pytest.mark.parametrize("name", [*GAMES, "small", "other-table"])
def test_every_bet_and_every_insurance_state_of_every_game_on_every_shoe(
    tab: Opened, small_book: RuleBook, name: str
) -> None:
    """Hundreds of shoes: fresh, depleted, tiny, void."""
    game = (
        load_game(name)
        if name in GAMES
        else (small_book if name == "small" else load_rule_book(OTHER_TABLE)).game
    )
    assert 6 * len(SHOES) > 300
    ask = "([id, shoes]) => shoes.map((shoe) => [combinat.odds(id, shoe), combinat.insurance(id, shoe)])"
    answers = tab.page.evaluate(ask, [game.id, [list(shoe.counts) for shoe in SHOES]])
    for (odds, insurance), shoe in zip(answers, SHOES, strict=True):
        distribution = counted(game, shoe, KNOWN)
        assert answered_odds(odds) == odds_of(game, distribution), f"{game.id} on {shoe}"
        states = [plain(STATES.object(state)) for state in insurance_analysis(game, distribution)]
        assert insurance["states"] == states, f"{game.id} on {shoe}"


# ---------------------------------------------------------------- the shoe


def exact_edge(tab: Opened, name: str) -> str:
    """The exact house edge that the page shows of a bet, opened for it and closed again."""
    tab.click(f"Exact figures of {name}")
    shown = tab.page.locator("tr.more dd code").first.inner_text()
    tab.click(f"Exact figures of {name}")
    return shown


def test_a_shoe_can_be_touched_typed_pasted_undone_and_reset(tab: Opened) -> None:
    game = load_game(NONCOMMISSION_2025)
    tab.show(f"game={NONCOMMISSION_2025}")
    shoe = Shoe.of_decks(8)

    def same(expected: Shoe) -> None:
        assert tab.text(".big").startswith(f"{expected.size} cards left")
        values = [
            tab.page.get_by_label(f"Cards left of rank {rank}", exact=True).input_value() for rank in RANKS
        ]
        assert values == [str(expected[rank]) for rank in RANKS]
        for bet in ("tie", "tiger-pair"):
            edge = analysis_of(game, expected, bet).house_edge
            row = tab.page.locator(f'tr[data-bet="{bet}"]')
            assert percent(edge) in row.inner_text()
            assert exact_edge(tab, game.bet(bet).name) == str(edge)

    same(shoe)
    for rank in ("A", "A", "K"):
        tab.click(f"Take out one {rank}", exact=False)
    same(shoe.minus("A A K"))
    tab.click("Put back one K")
    tab.type("Cards left of rank 9", "5")
    changed = Shoe(tuple(5 if rank == "9" else shoe.minus("A A")[rank] for rank in RANKS))
    same(changed)
    tab.type("Cards left of rank 9", "-3")
    assert tab.text("#notice") == '9: found "-3"; write a whole number from 0 to 3999996'
    same(changed)
    tab.page.get_by_label("Cards that are gone").fill("10, j Q 2 2")
    tab.click("Take out")
    same(changed.minus("10 J Q 2 2"))
    tab.click("Undo")
    same(changed)
    tab.page.get_by_label("Cards that are gone").fill("10 X")
    tab.page.get_by_role("button", name="Take out", exact=True).first.click()
    assert 'card "X" does not exist' in tab.text("#notice")
    tab.click("Fresh shoe")
    same(shoe)
    tab.drawn(lambda: tab.page.get_by_role("button", name="Take out", exact=True).nth(1).click())
    assert tab.text(".big").startswith(f"{416 - 260} cards left")
    counts = [
        int(tab.page.get_by_label(f"Cards left of rank {rank}", exact=True).input_value()) for rank in RANKS
    ]
    same(Shoe(tuple(counts)))
    tab.drawn(lambda: tab.page.get_by_role("combobox", name="Decks", exact=True).select_option("6"))
    same(Shoe.of_decks(6))


def test_what_favours_the_player_stands_out_in_words_and_bets_can_be_sorted(tab: Opened) -> None:
    tab.show(
        f"game={NONCOMMISSION_2025}&shoe={'.'.join(map(str, Shoe.parse('A=20 2=3 6=1 7=31 K=40').counts))}"
    )
    game, shoe = load_game(NONCOMMISSION_2025), Shoe.parse("A=20 2=3 6=1 7=31 K=40")
    favourable = {bet.id for bet in game.bets if analysis_of(game, shoe, bet.id).expected_value > 0}
    rows = tab.page.locator("tr[data-bet]")
    marked = {row.get_attribute("data-bet") for row in rows.all() if "favours the player" in row.inner_text()}
    assert marked == favourable != set()
    tab.click("House edge %", exact=False)
    shown = [row.get_attribute("data-bet") for row in rows.all()]
    edges = {bet.id: analysis_of(game, shoe, bet.id).house_edge for bet in game.bets}
    assert [edges[bet or ""] for bet in shown] == sorted(edges.values())
    tab.click("House edge %", exact=False)
    assert [row.get_attribute("data-bet") for row in rows.all()] == shown[::-1]
    assert tab.page.locator("th[aria-sort=descending]").count() == 1


def test_an_exact_fraction_is_copied_with_one_click(tab: Opened) -> None:
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.click("Exact figures of Tie")
    tab.page.get_by_role("button", name="Copy: House edge", exact=True).click()
    tab.page.wait_for_selector("button.done")
    edge = analysis_of(load_game(COMMISSION_2013), Shoe.of_decks(8), "tie").house_edge
    assert tab.page.evaluate("navigator.clipboard.readText()") == str(edge)


# ---------------------------------------------------------------- the round


def check_round(tab: Opened, now: RoundInProgress) -> None:
    """What the page says of a round is what ``combinat round`` says."""
    for bet in now.bets:
        row = tab.page.locator(f'tr[data-bet="{bet.id}"]').inner_text()
        value = percent(bet.expected_value)
        assert (f"+{value}" if bet.expected_value > 0 else value) in row
        assert percent(bet.hit_frequency) in row
        assert ("open" in row) is (result_so_far(bet) is None)
    offers = tab.text("#offers")
    for state in now.insurance:
        assert state.expected_value is not None
        value = percent(state.expected_value)
        assert (f"+{value}" if state.expected_value > 0 else value) in offers
    if not now.insurance:
        assert "None is on offer" in offers


@pytest.mark.parametrize(
    ("cards", "said", "lit"),
    [
        (
            "5 K K 6 6 2",
            [
                "The Banker Hand draws: it has 6 and the Player's third card is worth 6 (3.7).",
                "Banker wins 8 to 1",
            ],
            "Banker 6",
        ),
        ("9 3 K 4", ["A natural ends the round: Player 9, Banker 7"], "Player draws"),
        ("5 9 K K", ["A natural ends the round: Player 5, Banker 9"], "Banker 9"),
        ("6 3 K 2 9", ["The Player Hand stands with 6. The Banker Hand draws: it has 5 (3.6)."], "Banker 5"),
        (
            "5 K K 4 A",
            ["The Banker Hand stands: it has 4 and the Player's third card is worth 1 (3.7)."],
            "Banker 4",
        ),
    ],
)
def test_a_round_is_dealt_by_clicks_with_the_values_of_the_program(
    tab: Opened, cards: str, said: list[str], lit: str
) -> None:
    game, shoe = load_game(COMMISSION_2013), Shoe.of_decks(8)
    tab.show(f"game={COMMISSION_2013}")
    tab.click("Round", role="tab")
    dealt = game.round()
    words, rows = "", set()
    for card in parse_cards(cards):
        tab.click(f"Deal {card},", exact=False)
        dealt = dealt.with_card(card)
        check_round(tab, round_in_progress(game, dealt, shoe))
        words += tab.text("#next")
        rows |= {row.inner_text().split("\t")[0] for row in tab.page.locator(".play tr:has(.lit)").all()}
    assert dealt.is_over
    for sentence in said:
        assert sentence in words
    assert lit in rows
    assert tab.page.get_by_role("button", name="Random card").is_disabled()
    tab.click("Take back")
    assert not tab.page.get_by_role("button", name="Random card").is_disabled()


def test_a_finished_round_is_settled_line_by_line(tab: Opened) -> None:
    game = load_game(COMMISSION_2024)
    tab.show(f"game={COMMISSION_2024}&view=round")
    for card in parse_cards("6 2 K 3 9"):
        tab.click(f"Deal {card},", exact=False)
    tab.type("Player", "100")
    tab.type("Tie", "12.50")
    tab.type("Insurance: Player Insurance, four cards", "10")
    dealt = game.finished_round(parse_cards("6 K"), parse_cards("2 3 9"))
    settled = settle(
        game,
        dealt,
        {"player": Fraction(100), "tie": Fraction(25, 2)},
        {Insured(Hand.PLAYER, Stage.FOUR_CARDS): Fraction(10)},
    )
    lines = [row.inner_text().split("\t") for row in tab.page.locator("table.settlement tbody tr").all()]
    assert len(lines) == len(settled.lines) + 1
    for shown, line in zip(lines, settled.lines, strict=False):
        assert (shown[0], shown[1], shown[6]) == (line.name, money(line.stake), line.clause)
        assert shown[5] == (f"+{money(line.net)}" if line.net > 0 else money(line.net))
    assert lines[-1][5].lstrip("+") == money(settled.net)
    tab.type("Insurance: Player Insurance, four cards", "5000")
    assert "is over the limit of" in tab.text(".refused")
    tab.type("Player", "")
    assert "there is no stake on Player to insure" in tab.text(".refused")
    tab.type("Player", "a lot")
    assert tab.text(".refused") == "Player: write an amount such as 100 or 12.50."


def test_a_stake_that_the_layout_lacks_is_refused_and_can_be_taken_off(tab: Opened) -> None:
    link = f"game={COMMISSION_2024}&view=round&round=9.2.K.3&layout=C&stakes=player:100;player-pair:10"
    tab.show(link)
    assert tab.text(".refused") == (
        "Player Pair: layout C does not offer Player Pair (4.1.4); it is on A, B, D, E, G, J, K"
    )
    assert tab.page.locator("table.settlement").count() == 0
    tab.type("Player Pair (not on layout C)", "")
    assert tab.page.locator("table.settlement tbody tr").count() == 2
    assert "player-pair" not in tab.page.evaluate("location.hash")


def test_a_void_round_is_settled(tab: Opened) -> None:
    tab.show(
        f"game={COMMISSION_2024}&view=round&shoe=0.1.1.0.0.0.0.0.0.0.0.0.2&round=K.3.2.K&stakes=player:100"
    )
    assert "the round is void (1.28, 5.5.4, 5.16); every bet is returned" in tab.text("#next")
    (line, total) = [
        row.inner_text().split("\t") for row in tab.page.locator("table.settlement tbody tr").all()
    ]
    assert line == ["Player", "100", "void", "–", "returned", "0", "5.5.4, 5.16"]
    assert total[5] == "0"


def test_bets_that_stay_say_what_their_figures_are(tab: Opened) -> None:
    """Valued until decided where a whole shoe is looked at; of one round where one is in progress."""
    game = load_game(COMMISSION_2013).reading("tied-bets-returned")
    valued = {bet.id: bet for bet in as_they_stay(analyze(game, Shoe.of_decks(8))).bets}
    link = f"game={COMMISSION_2013}&readings=tied-bets-returned"
    tab.show(link)
    for bet in ("player", "banker", "tie"):
        assert exact_edge(tab, game.bet(bet).name) == str(valued[bet].house_edge)
    for view in ("shoe", "pays", "pictures"):
        tab.turn(f"{link}&view={view}")
        assert tab.text(".stays").startswith("Player, Banker: valued until decided.")
    tab.turn(f"{link}&view=pays")
    assert percent(valued["player"].house_edge) in tab.text('[data-line="player 0"]')
    tab.turn(f"{link}&view=round&round=8.9.K.9&stakes=player:100;banker:50")
    assert tab.text(".stays").startswith("Player, Banker: of this round alone.")
    lines = [row.inner_text().split("\t") for row in tab.page.locator("table.settlement tbody tr").all()]
    assert [line[4] for line in lines[:2]] == ["stays", "stays"]


def test_decks_that_the_document_forbids_are_named(tab: Opened) -> None:
    tab.show(f"game={COMMISSION_2013}&decks=10")
    assert tab.text("#forbidden-decks").startswith("The document allows 4 to 8 decks (2.2.1).")
    tab.turn(f"game={COMMISSION_2013}&decks=6")
    assert tab.page.locator("#forbidden-decks").count() == 0


def test_insurance_that_favours_the_player_is_said_beside_the_bets(tab: Opened) -> None:
    tab.show(f"game={COMMISSION_2013}")
    assert tab.text("#favours") == (
        "No bet favours the player on this shoe. Of 73 insurance states, 12 favour the player."
    )
    tab.turn(f"game={COMMISSION_2013}&view=round&round=6.K.K.2")
    rows = tab.page.locator("tr.favours[data-bet]").all()
    assert rows
    assert all("favours the player" in row.inner_text() for row in rows)


def test_rounds_at_random_end_and_leave_the_shoe(tab: Opened) -> None:
    tab.click("Round", role="tab")
    for _ in range(5):
        tab.click("Random to the end")
        assert "The round is over" in tab.text("#next")
        tab.click("Next round")
    tab.click("Shoe", role="tab")
    left = int(tab.text(".big").split()[0])
    assert 416 - 30 <= left <= 416 - 20
    tab.show("view=round&shoe=0.0.0.0.1.0.0.0.0.0.1.1.1")
    tab.click("Random to the end")
    assert "the round is void" in tab.text("#next")


# ---------------------------------------------------------------- the pay table


def exported(tab: Opened) -> RuleBook:
    content = tab.page.input_value("#toml")
    name = re.search(r'^id = "(.*)"$', content, re.MULTILINE)
    assert name is not None
    return parsed_rule_book(content.encode("utf-8"), Path(f"{name[1]}.toml"))


def check_export(tab: Opened, shoe: Shoe) -> Game:
    """The exported rule book gives the figures that the page shows."""
    game = exported(tab).game
    for bet in game.bets:
        edge = analysis_of(game, shoe, bet.id).house_edge
        assert percent(edge) in tab.page.locator(f'tr[data-line="{bet.id} 0"]').inner_text(), bet.id
    return game


def test_odds_are_changed_solved_and_exported_with_the_same_figures(tab: Opened, tmp_path: Path) -> None:
    original, shoe = load_game(NONCOMMISSION_2025), Shoe.of_decks(8).minus("A 2 3 4 5 5 5 K")
    tab.show(f"game={NONCOMMISSION_2025}&view=pays&shoe={'.'.join(map(str, shoe.counts))}")
    assert check_export(tab, shoe) == original
    assert tab.page.locator("#changed").count() == 0
    tab.type("Odds of Tie", "9")
    tab.type("Odds of Banker, Banker wins with 6", "3/5")
    changed = check_export(tab, shoe)
    assert [pay.odds for pay in (*changed.bet("tie").pays, changed.bet("banker").pays[0])] == [
        "9 to 1",
        "3 to 5",
    ]
    assert "Tie: 9 to 1 (approved 8 to 1)" in tab.text("#changed")
    tab.type("Odds of Tie", "eight")
    assert "write the profit to a stake" in tab.text("#notice")
    assert tab.page.get_by_label("Odds of Tie", exact=True).input_value() == "9 to 1"
    tab.drawn(
        lambda: tab.page.get_by_role("combobox", name="Line to change").select_option(label="Big Tiger")
    )
    tab.type("Wanted house edge %", "2.5")
    tab.drawn(lambda: tab.page.get_by_role("combobox", name="Round down to").select_option(label="halves"))
    tab.click("Use these odds")
    solved = check_export(tab, shoe)
    (pay,) = solved.bet("big-tiger").pays
    edge = analysis_of(solved, shoe, "big-tiger").house_edge
    win = analysis_of(solved, shoe, "big-tiger").hit_frequency
    assert Fraction(1, 40) <= edge < Fraction(1, 40) + win / 2, pay.odds
    tab.drawn(lambda: tab.page.get_by_role("switch").first.click())
    assert "Must the Player Hand win with its 1" in tab.text("#changed")
    check_export(tab, shoe)
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="Download", exact=False).click()
    place = tmp_path / download.value.suggested_filename
    download.value.save_as(place)
    assert load_rule_book(place).game == exported(tab).game
    tab.click("Back to the approved rule book")
    assert check_export(tab, shoe) == original


def test_every_reading_can_be_switched_and_exported(tab: Opened) -> None:
    """Those that change what the page shows, each in one game; those of a table are named without a switch."""
    switched: set[str] = set()
    for game_id in GAMES:
        game = load_game(game_id)
        tab.show(f"game={game_id}&view=pays")
        shown = [entry for entry in game.interpretations if set(stated(entry)) - AT_THE_TABLE]
        assert tab.page.get_by_role("switch").count() == len(shown)
        for entry in (entry for entry in shown if entry.id not in switched):
            switched.add(entry.id)
            switch = tab.page.locator(f'[data-key="reading {entry.id}"]')
            tab.drawn(switch.click)
            assert_same_but_named(exported(tab).game, game.read_otherwise(entry.id))
            tab.drawn(switch.click)
        others = [entry for entry in game.interpretations if entry not in shown]
        listed = tab.page.locator("#table-readings")
        for entry in others:
            assert entry.otherwise in listed.inner_text()
        assert "what happens at the table" in tab.text("#view")
        assert len(others) == listed.locator("li").count() > 0


def test_two_readings_that_contradict_each_other_are_refused(tab: Opened) -> None:
    tab.show(f"game={COMMISSION_2013}&view=pays&readings=unfinished-round-void")
    switch = tab.page.locator('[data-key="reading void-game-returns-bets"]')
    switch.click()
    assert tab.text("#notice") == (
        "unfinished-round-void and void-game-returns-bets contradict each other: "
        "both change what becomes of bets in a void round; follow one of them"
    )
    assert switch.get_attribute("aria-checked") == "false"
    tab.drawn(tab.page.locator('[data-key="reading unfinished-round-void"]').click)
    assert tab.text("#notice") == ""
    tab.drawn(switch.click)
    assert "readings=void-game-returns-bets" in tab.page.evaluate("location.hash")
    for readings in (
        "unfinished-round-void.void-game-returns-bets",
        "pair-by-rank.pair-by-rank",
        "squeeze-waives-for-the-requester",
    ):
        tab.turn(f"game={COMMISSION_2013}&view=pays&readings={readings}")
        assert tab.text("#notice") == "Part of the link was not understood and left out: readings."


def test_a_reading_of_the_table_of_play_reaches_the_round_and_back(tab: Opened) -> None:
    """The Banker Hand draws against a natural; read as approved again, its card is taken back."""
    tab.show(f"game={COMMISSION_2013}&view=round&readings=natural-stops-the-banker&round=9.3.K.K")
    assert "The Banker Hand draws against it: it has 3" in tab.text("#next")
    assert "Against a natural of the Player the Banker Hand draws on 0, 1, 2, 3, 4, 5." in tab.text("#view")
    game = load_game(COMMISSION_2013).reading("natural-stops-the-banker")
    now = game.round(parse_cards("9 K"), parse_cards("3 K"))
    check_round(tab, round_in_progress(game, now, Shoe.of_decks(8)))
    tab.click("Deal 6,", exact=False)
    assert "Tie on 9" in tab.text("#next")
    tab.click("Back to the approved rule book")
    assert "A natural ends the round: Player 9, Banker 3" in tab.text("#next")
    assert "round=9.3.K.K" in tab.page.evaluate("location.hash")


def test_readings_of_insurance_reach_the_stakes(tab: Opened) -> None:
    """A Maximum Differential is asked for where a limit is measured by it; without insurance no stake on it stays."""
    tab.show(
        f"game={COMMISSION_2024}&view=round&round=6.2.K.3.9&stakes=player:100&insured=player@four-cards:10"
        "&readings=quarter-of-the-maximum-bet"
    )
    before = tab.page.get_by_label("Maximum Differential", exact=True).count()
    tab.click("Back to the approved rule book")
    assert {before, tab.page.get_by_label("Maximum Differential", exact=True).count()} == {0, 1}
    tab.click("Pay table", role="tab")
    tab.drawn(tab.page.locator('[data-key="reading insurance-after-no-more-bets"]').click)
    tab.click("Round", role="tab")
    assert tab.page.locator("#offers").count() == 0
    assert tab.page.locator(".refused").count() == 0
    assert "insured" not in tab.page.evaluate("location.hash")


def test_insurance_odds_are_changed_and_exported(tab: Opened) -> None:
    tab.show(f"game={COMMISSION_2013}&view=pays")
    before = load_game(COMMISSION_2013).insurance
    place = tab.page.locator("input.odds[data-key^='insure']").first
    place.fill("7 to 3")
    tab.drawn(lambda: place.press("Enter"))
    game = exported(tab).game
    assert game.insurance[0].offers[0].odds == "7 to 3"
    assert game.insurance[1:] == before[1:]
    states = tab.page.evaluate("location.hash")
    assert "insurance=" in states


# ---------------------------------------------------------------- pictures, link, words


def test_the_pictures_show_the_figures(tab: Opened) -> None:
    game, shoe = load_game(COMMISSION_2013), Shoe.of_decks(8)
    tab.show(f"game={COMMISSION_2013}&view=pictures&bet=tie")
    base = analysis_of(game, shoe, "tie").house_edge
    rows = tab.page.locator("table.ranks tbody tr").all()
    for rank, row in zip(RANKS, rows, strict=True):
        moved = analysis_of(game, shoe.minus([rank]), "tie").house_edge - base
        value = percent(moved)
        assert row.inner_text().split("\t")[-1] == (f"+{value}" if moved > 0 else value)
    states = [
        state
        for state in insurance_analysis(game, pair_distribution(shoe, game.table_of_play))
        if str(Insured(state.state.side, state.state.stage)) == str(game.insurance[0].insured)
    ]
    cells = [cell for cell in tab.page.locator("td.heat").all_inner_texts() if cell.strip(" –")]
    assert len(cells) == len(states)
    assert sum("▲" in cell for cell in cells) == sum(state.favours_player for state in states)
    tab.page.wait_for_selector("#path-said", timeout=60_000)
    assert re.match(r"\d+ rounds\. Lowest house edge ", tab.text("#path-said"))
    first = tab.text("#path-said")
    tab.show(f"game={COMMISSION_2013}&view=pictures&bet=tie")
    tab.page.wait_for_selector("#path-said", timeout=60_000)
    assert tab.text("#path-said") == first


LINKS = {
    "shoe": f"game={NONCOMMISSION_2025}&layout=P&shoe=20.9.30.31.26.8.24.19.28.22.20.18.17&sort=-edge",
    "round": f"game={COMMISSION_2013}&view=round&decks=6&round=5.K.K.6&stakes=player:100&insured=player@four-cards:5",
    "round over": f"game={COMMISSION_2024}&view=round&round=6.2.K.3.9&stakes=player:100;tie:5&insured=player@four-cards:10&maximum=1000",
    "pays": f"game={NONCOMMISSION_2025}&view=pays&layout=P&odds=tie:0:9 to 1;tiger-pair:1:24 to 1&readings=wu-dalang-must-win",
    "insurance": f"game={COMMISSION_2013}&view=pays&insurance=player@four-cards:0:7 to 3",
    "pictures": f"game={COMMISSION_2024}&view=pictures&bet=big-tiger&heat=1&seed=77",
    "words": "view=words",
}


@pytest.mark.parametrize("name", LINKS)
def test_a_link_restores_what_a_colleague_saw(
    tab: Opened, chromium: "Browser", file: Path, name: str
) -> None:
    tab.show(LINKS[name])
    assert tab.text("#notice") == ""
    if "layout" not in LINKS[name]:
        tab.drawn(lambda: tab.page.get_by_role("combobox", name="Layout", exact=True).select_option("B"))
    if name == "pictures":
        tab.page.wait_for_selector("#path-said", timeout=60_000)
    colleague = opened(chromium, file, link=tab.page.evaluate("location.hash").removeprefix("#"))
    if name == "pictures":
        colleague.page.wait_for_selector("#path-said", timeout=60_000)
    assert colleague.text("#page") == tab.text("#page")
    fields = "[...document.querySelectorAll('input, select, textarea')].map((one) => one.value)"
    assert colleague.page.evaluate(fields) == tab.page.evaluate(fields)
    colleague.page.close()


def test_what_a_link_cannot_mean_is_left_out_and_named(tab: Opened) -> None:
    strange = {
        "game": "no-game",
        "layout": "<b>",
        "view": "secret",
        "shoe": "1.2",
        "decks": "0",
        "round": "5.Z",
        "odds": "tie:0:0 to 1",
        "insurance": "player@never:0:1 to 1",
        "readings": "none-such",
        "stakes": "tie:-4",
        "insured": "x:1",
        "maximum": "1e9",
        "differential": "-1",
        "sort": "__proto__",
        "bet": "constructor",
        "heat": "99999999999",
        "seed": "1.5",
    }
    for key, value in strange.items():
        tab.turn(f"{key}={value}")
        assert tab.text("#notice") == f"Part of the link was not understood and left out: {key}."
    tab.turn("&".join(f"{key}={value}" for key, value in strange.items()))
    assert len(tab.text("#notice").split(",")) == len(strange)
    tab.turn("shoo=4&decks=4&decks=6&__proto__=1")
    assert tab.text("#notice").endswith("left out: decks, shoo, __proto__.")


def test_every_term_is_explained_in_place(tab: Opened) -> None:
    button = tab.page.get_by_role("button", name="What is House edge?").first
    button.click()
    dialog = tab.page.get_by_role("dialog")
    assert "What the house keeps on average" in dialog.inner_text()
    tab.page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert button.evaluate("(one) => one === document.activeElement")


# ---------------------------------------------------------------- for everyone, and against strangers


def test_everything_is_reached_by_keyboard_and_the_focus_stays(tab: Opened) -> None:
    page = tab.page
    page.locator("#tab-shoe").focus()
    tab.drawn(lambda: page.keyboard.press("ArrowRight"))
    assert page.evaluate("document.activeElement.id") == "tab-round"
    page.locator("[data-key='deal 4']").focus()
    tab.drawn(lambda: page.keyboard.press("Enter"))
    assert page.evaluate("document.activeElement.dataset.key") == "deal 4"
    tab.drawn(lambda: page.keyboard.press("Space"))
    assert "Player Hand 5, Banker Hand 5" in page.inner_text("#status")
    page.locator("#tab-round").focus()
    tab.drawn(lambda: page.keyboard.press("Home"))
    page.get_by_label("Cards left of rank 5", exact=True).fill("3")
    tab.drawn(lambda: page.keyboard.press("Tab"))
    assert page.evaluate("document.activeElement.dataset.key") == "put 4"
    assert page.inner_text("#status").startswith("387 cards left.")
    reached = set()
    page.locator(".skip").focus()
    for _ in range(250):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset?.key ?? document.activeElement.tagName"))
    wanted = page.evaluate(
        "[...document.querySelectorAll('button:not(:disabled):not([role=tab])[data-key], input, select')].filter((one) => one.checkVisibility()).map((one) => one.dataset.key)"
    )
    assert set(wanted) <= reached


MOMENTS = {
    "a fresh shoe": "",
    **LINKS,
    "a natural": f"game={COMMISSION_2013}&view=round&round=9.3.K.4",
    "insurance, third card": f"game={COMMISSION_2013}&view=round&round=5.K.K.6.6",
    "an empty shoe": "shoe=0.0.0.0.0.0.0.0.0.0.0.0.0",
    "an empty shoe, round": "view=round&shoe=0.0.0.0.0.0.0.0.0.0.0.0.0",
    "a bad link": "shoe=1",
    "forbidden decks, bets that stay": f"game={COMMISSION_2013}&decks=10&readings=tied-bets-returned",
    "a void round": f"game={COMMISSION_2024}&view=round&shoe=0.1.1.0.0.0.0.0.0.0.0.0.2&round=K.3.2.K&stakes=player:9",
    "a stake off the layout": f"game={COMMISSION_2024}&view=round&layout=C&round=9.2.K.3&stakes=player-pair:10",
}


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    chromium: "Browser", file: Path, width: int
) -> None:
    """Every rule in the light, then in the dark, where only colours are others, those that look at colours."""
    dark = (WEB / "style.css").read_text("utf-8").partition("@media (prefers-color-scheme: dark) {")[2]
    assert all(name.startswith("--") for name in re.findall(r"([\w-]+):", dark[: dark.index("\n}")]))
    tab = opened(chromium, file, width=width, link="view=words")
    tab.page.evaluate(axe())

    def holds(name: str) -> None:
        tab.page.emulate_media(color_scheme="light")
        assert tab.page.evaluate(AXE, None) == [], f"{name} at {width}"
        tab.page.emulate_media(color_scheme="dark")
        assert tab.page.evaluate(AXE, OF_COLOUR) == [], f"{name} at {width}, dark"

    for name, link in MOMENTS.items():
        tab.turn(link)
        if "pictures" in name:
            tab.page.wait_for_selector("#path-said", timeout=60_000)
        tab.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        exact = tab.page.locator("button[aria-expanded][data-key^=exact]")
        if exact.count() and not tab.page.locator("tr.more").count():
            tab.drawn(exact.first.click)
        holds(name)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width, name
    tab.turn("")
    tab.page.get_by_role("button", name="What is House edge?").first.click()
    holds("a term")
    tab.page.close()


def test_a_narrow_page_has_the_clauses_and_a_long_count_is_seen_whole(
    chromium: "Browser", file: Path
) -> None:
    tab = opened(chromium, file, width=360, link=f"game={COMMISSION_2013}")
    row = tab.page.locator('tr[data-bet="tie"]').first
    settled = load_game(COMMISSION_2013).bet("tie").settled
    assert settled in row.inner_text().split("\n")
    tab.type("Cards left of rank 9", "3999996")
    field = tab.page.get_by_label("Cards left of rank 9")
    assert field.input_value() == "3999996"
    assert field.evaluate("one => one.scrollWidth <= one.clientWidth")
    tab.page.set_viewport_size({"width": 1280, "height": 900})
    assert not row.locator(".narrow").is_visible()
    assert field.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_a_rule_book_of_markup_stays_words(chromium: "Browser", tmp_path: Path, small_book: RuleBook) -> None:
    """Every text that a stranger may write is shown as it is, in every view."""
    markup = "</script><img src=x onerror=document.title=1><b onclick=x>&lt;"
    lines = []
    for line in small_book.content.decode("utf-8").splitlines():
        changed = re.sub(
            r'\b(name|about|when|question|reading|otherwise|operator|clause|defined|settled) = "[^"]*"',
            lambda found: f"{found[1]} = {json.dumps(f'{markup}{abs(hash(found[0])) % 997}')}",
            line,
        )
        lines.append(changed)
    hostile = parsed_rule_book("\n".join(lines).encode("utf-8"), SMALL_BOOK)
    place = tmp_path / "hostile.html"
    place.write_bytes(explorer([hostile]))
    tab = opened(chromium, place)
    for view in ("shoe", "round", "pays", "pictures", "words"):
        tab.show(f"view={view}")
        tab.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        assert tab.page.locator("img, b").count() == 0
        assert markup in (tab.page.text_content("#page") or "")
        assert tab.page.title().startswith("combinat explorer")
    tab.show("view=pays")
    assert exported(tab).game == hostile.game
    assert (
        tab.said,
        {address for address in tab.requested if not address.startswith(("file:", "about:", "data:"))},
    ) == ([], set())
    tab.page.close()


def test_the_policy_stops_what_is_put_into_the_page(chromium: "Browser", file: Path) -> None:
    tab = opened(chromium, file)
    answered: list[str] = []
    tab.page.on("response", lambda response: answered.append(response.url))
    tab.page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.harmed = 1";
            const picture = document.createElement("img");
            picture.src = "https://example.org/x.png";
            document.body.append(script, picture);
            fetch("https://example.org/").catch(() => {});
        }"""
    )
    tab.page.wait_for_timeout(200)
    assert tab.page.evaluate("window.harmed") is None
    assert answered == []
    assert len([words for words in tab.said if "Content Security Policy" in words]) >= 3
    tab.page.close()


def test_the_page_can_be_printed(tab: Opened) -> None:
    tab.page.emulate_media(media="print")
    assert not tab.page.locator("[role=tablist]").is_visible()
    assert tab.page.locator("table.bets").is_visible()
    assert len(tab.page.pdf()) > 10_000


def test_the_picture_of_the_readme_can_be_made(tab: Opened, tmp_path: Path) -> None:
    tab.show(LINK)
    assert tab.text("#notice") == ""
    assert "favour the player" in tab.text("#view")


def test_a_small_random_walk_meets_no_fault(tab: Opened) -> None:
    """Buttons pressed at random, and nothing is ever said to the console."""
    chance = random.Random(7)
    for step in range(60):
        buttons = tab.page.locator("#top button:enabled:visible, #view button:enabled:visible:not(.term)")
        at = chance.randrange(buttons.count())
        if "Download" in buttons.nth(at).inner_text():
            continue
        buttons.nth(at).click()
        tab.page.wait_for_timeout(15)
        if step % 20 == 19:
            tab.drawn(
                lambda: tab.page.get_by_role("combobox", name="Game", exact=True).select_option(
                    index=chance.randrange(6)
                )
            )
    assert tab.page.evaluate("document.documentElement.dataset.drawn") is not None
