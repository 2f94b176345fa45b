"""The explorer in Chromium, from a file: what people see and touch (``make slow M=browser``).

Its figures are compared with Python's in tests/report/test_explorer_engine.py; here, that the page shows them.
"""

import json
import random
import re
import threading
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from combinat.base.number import percent
from combinat.report.explorer import explorer
from combinat.report.explorer.page import WEB
from combinat.rules.book.load import load_game, parsed_game
from combinat.rules.cards import RANKS, parse_cards
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2025
from tests.explorer.browser import AXE, OF_COLOUR, Opened, axe, opened
from tests.explorer.engine import OTHER_TABLE, odds_record, round_record, state_records, variants
from tests.explorer.picture import LINK
from tests.games import EIGHT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PHONE = 390

odds_on = lru_cache(maxsize=None)(odds_record)


def edge(game: str, shoe: Shoe, bet: str) -> str:
    """The exact house edge of a bet, as the page shows it."""
    return str(odds_on(load_game(game), shoe)["bets"][bet]["house_edge"])


def signed(value: str) -> str:
    """A value in percent, with its sign."""
    return f"+{percent(Fraction(value))}" if Fraction(value) > 0 else percent(Fraction(value))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, small_game: Game) -> Path:
    """The page of the four games, the small one, another Table of Play, and games in which bets stay or stand."""
    place = tmp_path_factory.mktemp("explorer") / "explorer.html"
    others = [small_game, load_game(OTHER_TABLE), *variants()[:3]]
    place.write_bytes(explorer([*map(load_game, GAMES), *others]))
    return place


@pytest.fixture(scope="module")
def shared(chromium: "Browser", file: Path) -> Iterator[Opened]:
    """The page, loaded once for all tests that leave no trace in it but the link."""
    one = opened(chromium, file)
    one.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield one
    one.page.close()


@pytest.fixture(scope="module")
def phone(chromium: "Browser", file: Path) -> Iterator[Opened]:
    """The page on a narrow screen."""
    one = opened(chromium, file, width=PHONE)
    yield one
    assert one.said == []
    one.page.close()


@pytest.fixture
def tab(shared: Opened) -> Iterator[Opened]:
    """The page at its start; afterwards it has requested nothing but itself and written nothing to the console."""
    shared.turn("")
    yield shared
    assert shared.said == []
    assert set(shared.requested) <= {shared.address, "about:blank", "data:,"}


# ---------------------------------------------------------------- the shoe


def shown_edge(tab: Opened, name: str) -> str:
    """The exact house edge that the page shows of a bet, opened for it and closed again."""
    tab.click(f"Exact figures of {name}")
    shown = tab.page.locator("tr.more dd code").first.inner_text()
    tab.click(f"Exact figures of {name}")
    return shown


def check_shoe(tab: Opened, game: str, expected: Shoe) -> None:
    """The counts of the shoe, and the edge and expected value of two bets on it."""
    assert tab.text(".big").startswith(f"{expected.size} cards left")
    boxes = "[...document.querySelectorAll('.tile input')].map((one) => Number(one.value))"
    assert tuple(tab.page.evaluate(boxes)) == expected.counts
    for bet in ("tie", "tiger-pair"):
        exact = edge(game, expected, bet)
        row = tab.text(f'tr[data-bet="{bet}"]')
        assert percent(Fraction(exact)) in row
        assert signed(str(-Fraction(exact))) in row
    assert shown_edge(tab, "Tie") == edge(game, expected, "tie")


def test_a_shoe_can_be_touched_typed_pasted_undone_and_reset(tab: Opened) -> None:
    game = NONCOMMISSION_2025
    tab.turn(f"game={game}")
    for rank in ("A", "A", "K"):
        tab.click(f"Remove one {rank}", exact=False)
    check_shoe(tab, game, EIGHT.minus("A A K"))
    tab.click("Add one K")
    tab.type("Cards left of rank 9", "5")
    changed = Shoe(tuple(5 if rank == "9" else EIGHT.minus("A A")[rank] for rank in RANKS))
    tab.type("Cards left of rank 9", "-3")
    assert tab.text("#notice") == '9: found "-3"; write a whole number from 0 to 3999996'
    check_shoe(tab, game, changed)
    remove = tab.page.get_by_role("button", name="Remove", exact=True)
    tab.page.get_by_label("Cards", exact=True).fill("10, j Q 2 2")
    tab.drawn(remove.first.click)
    check_shoe(tab, game, changed.minus("10 J Q 2 2"))
    tab.click("Undo")
    tab.page.get_by_label("Cards", exact=True).fill("10 X")
    remove.first.click()
    assert 'card "X" does not exist' in tab.text("#notice")
    tab.click("Fresh shoe")
    check_shoe(tab, game, EIGHT)
    tab.drawn(remove.nth(1).click)
    assert tab.text(".big").startswith(f"{416 - 260} cards left")
    tab.select("Decks", value="6")
    check_shoe(tab, game, Shoe.of_decks(6))
    tab.turn(f"game={COMMISSION_2013}&decks=10")
    assert tab.text("#forbidden-decks").startswith("The document allows 4 to 8 decks (2.2.1).")


def test_favourable_bets_are_marked_in_words_and_bets_can_be_sorted_and_printed(tab: Opened) -> None:
    shoe = Shoe.parse("A=20 2=3 6=1 7=31 K=40")
    tab.turn(f"game={NONCOMMISSION_2025}&shoe={'.'.join(map(str, shoe.counts))}")
    bets = odds_on(load_game(NONCOMMISSION_2025), shoe)["bets"]
    edges = {bet_id: Fraction(bet["house_edge"]) for bet_id, bet in bets.items()}
    rows = tab.page.locator("tr[data-bet]")
    marked = {row.get_attribute("data-bet") for row in rows.all() if "favours the player" in row.inner_text()}
    assert marked == {bet for bet, one in edges.items() if one < 0} != set()
    tab.click("House edge %", exact=False)
    shown = [row.get_attribute("data-bet") or "" for row in rows.all()]
    assert [edges[bet] for bet in shown] == sorted(edges.values())
    tab.click("House edge %", exact=False)
    assert [row.get_attribute("data-bet") for row in rows.all()] == shown[::-1]
    assert tab.page.locator("th[aria-sort=descending]").count() == 1
    tab.page.emulate_media(media="print")
    assert not tab.page.locator("[role=tablist]").is_visible()
    assert rows.first.is_visible()
    tab.page.emulate_media(media="screen")


def test_insurance_states_can_be_filtered(tab: Opened) -> None:
    tab.turn(f"game={COMMISSION_2013}")
    states = state_records(load_game(COMMISSION_2013), EIGHT)
    good = [state for state in states if state["favours_player"]]
    assert f"{len(good)} of {len(states)} insurance states favour the player." in tab.text("#favours")
    tab.page.locator("summary").click()
    rows = tab.page.locator("table.states tbody tr")
    assert rows.count() == len(states)
    tab.select("Hand", label="Banker")
    tab.select("Player points", label="5")
    wanted = [state for state in states if (state["side"], state["player_points"]) == ("banker", 5)]
    assert rows.count() == len(wanted) > 0
    assert f"{len(wanted)} of {len(states)} states" in tab.text(".filter")
    assert "filter=banker..5.." in tab.page.evaluate("location.hash")
    tab.click("Show all")
    tab.drawn(tab.page.get_by_label("Only states that favour the player").check)
    assert rows.count() == len(good)


# ---------------------------------------------------------------- copying


def test_copying_is_confirmed_for_everybody(tab: Opened) -> None:
    confirmation = tab.page.locator("#confirmation")
    assert not confirmation.is_visible()
    tab.click("Exact figures of Tie")
    tab.page.get_by_role("button", name="Copy: House edge", exact=True).click()
    confirmation.wait_for(state="visible")
    assert confirmation.inner_text() == "Copied: House edge"
    assert tab.page.evaluate("navigator.clipboard.readText()") == edge(COMMISSION_2013, EIGHT, "tie")
    tab.click("Exact figures of Tie")
    tab.page.get_by_role("button", name="Copy link").click()
    confirmation.filter(has_text="Link copied").wait_for()
    assert "This page is a file: the link works on this computer only" in confirmation.inner_text()
    box = confirmation.bounding_box()
    assert box is not None
    assert box["width"] > 200
    assert box["y"] + box["height"] <= 900


def test_a_link_works_where_the_page_is_hosted(chromium: "Browser", file: Path) -> None:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=file.parent)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = chromium.new_page()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto(f"http://127.0.0.1:{server.server_port}/{file.name}#view=round&round=5.K.K.6")
        page.get_by_role("button", name="Copy link").click()
        page.wait_for_selector("#confirmation:visible")
        assert page.inner_text("#confirmation") == "Link copied. It opens this game, shoe, round and odds."
        link = page.evaluate("navigator.clipboard.readText()")
        page.goto("about:blank")
        page.goto(link)
        assert "The Player Hand has 5 and draws" in page.inner_text("#next")
        page.close()
        server.shutdown()


# ---------------------------------------------------------------- the round

ROUNDS = {
    "5 K K 6 6 2": ("Player's third card is worth 6: Banker draws (3.7).", "Banker wins 8 to 1", "Banker 6"),
    "5 9 K K": ("A natural ends the round: Player 5, Banker 9", "The round is over", "Banker 9"),
    "6 3 K 2 9": ("The Player Hand stands on 6. The Banker Hand has 5 and draws (3.6).", "over", "Banker 5"),
}


@pytest.mark.parametrize("cards", ROUNDS)
def test_a_round_is_dealt_by_clicks_with_the_values_of_the_program(tab: Opened, cards: str) -> None:
    game = load_game(COMMISSION_2013)
    tab.turn(f"game={COMMISSION_2013}&view=round")
    dealt, words, rows = game.round(), "", set()
    for card in parse_cards(cards):
        tab.click(f"Deal {card},", exact=False)
        dealt = dealt.with_card(card)
        record = round_record(game, dealt, EIGHT)
        for bet in record["bets"]:
            row = tab.text(f'tr[data-bet="{bet["id"]}"]')
            assert signed(bet["expected_value"]) in row
            assert percent(-Fraction(bet["expected_value"])) in row
            assert ("open" in row) is (bet["stands"] == "open")
        offers = tab.text("#offers")
        assert all(signed(state["expected_value"]) in offers for state in record["insurance"])
        assert ("No insurance is on offer" in offers) is not record["insurance"]
        assert bool(tab.page.locator("#offer-hint").count()) is bool(record["insurance"])
        words += tab.text("#next")
        rows |= {row.split("\t")[0] for row in tab.texts(".play tr:has(.lit)")}
    *sentences, cell = ROUNDS[cards]
    assert all(sentence in words for sentence in sentences)
    assert cell in rows
    assert tab.page.get_by_role("button", name="Random card").is_disabled()
    tab.click("Take back")
    assert not tab.page.get_by_role("button", name="Random card").is_disabled()


def settlement_lines(tab: Opened) -> list[list[str]]:
    return [row.split("\t") for row in tab.texts("table.settlement tbody tr")]


def test_a_finished_round_is_settled_by_line(tab: Opened) -> None:
    tab.turn(f"game={COMMISSION_2024}&view=round&round=6.2.K.3.9")
    tab.type("Player", "100")
    tab.type("Tie", "12.50")
    tab.type("Insurance: Player Insurance, four cards", "10")
    assert [[line[0], line[1], line[4], line[5]] for line in settlement_lines(tab)] == [
        ["Player", "100", "won", "+100"],
        ["Tie", "12.5", "lost", "-12.5"],
        ["Player Insurance, four cards", "10", "lost", "-10"],
        ["Total", "122.5", "", "+77.5"],
    ]
    for label, text, refusal in (
        ("Insurance: Player Insurance, four cards", "5000", "exceeds the limit of"),
        ("Player", "", "there is no stake on Player to insure"),
        ("Player", "a lot", "Player: write an amount such as 100 or 12.50."),
    ):
        tab.type(label, text)
        assert refusal in tab.text(".refused")


def test_stakes_off_the_layout_and_void_rounds(tab: Opened) -> None:
    tab.turn(f"game={COMMISSION_2024}&view=round&round=9.2.K.3&layout=C&stakes=player:100;player-pair:10")
    assert "layout C does not offer Player Pair (4.1.4); layouts that do: A, B," in tab.text(".refused")
    tab.type("Player Pair (not on layout C)", "")
    assert len(settlement_lines(tab)) == 2
    tab.turn(
        f"game={COMMISSION_2024}&view=round&shoe=0.1.1.0.0.0.0.0.0.0.0.0.2&round=K.3.2.K&stakes=player:100"
    )
    assert "the round is void (1.28, 5.5.4, 5.16); every bet is returned" in tab.text("#next")
    line, total = settlement_lines(tab)
    assert line == ["Player", "100", "void", "–", "returned", "0", "5.5.4, 5.16"]
    assert total[5] == "0"
    tab.turn("view=round&shoe=0.0.0.0.1.0.0.0.0.0.1.1.1")
    tab.click("Random to the end")
    assert "the round is void" in tab.text("#next")


def test_bets_that_stay_say_how_their_figures_are_meant(tab: Opened) -> None:
    game = next(game for game in variants() if game.id == "tied")
    tab.turn("game=tied")
    assert shown_edge(tab, "Player") == odds_on(game, EIGHT)["bets"]["player"]["house_edge"]
    for view in ("shoe", "pays", "charts"):
        tab.turn(f"game=tied&view={view}")
        assert tab.text(".stays").startswith("Player, Banker: figures until the bet is decided.")
    tab.turn("game=tied&view=round&round=8.9.K.9&stakes=player:100")
    assert tab.text(".stays").startswith("Player, Banker: figures of this round alone.")
    assert settlement_lines(tab)[0][4] == "stays"
    tab.turn("game=other-table&view=round&round=9.2.K.K")
    assert "The Banker Hand has 2 and draws against it" in tab.text("#next")
    assert "Against a natural of the Player the Banker Hand draws on 0, 1, 2, 7." in tab.text("#view")


# ---------------------------------------------------------------- the pay table and the charts


def test_odds_are_changed_solved_and_restored(tab: Opened) -> None:
    shoe = EIGHT.minus("A 2 3 4 5 5 5 K")
    tab.turn(f"game={NONCOMMISSION_2025}&view=pays&shoe={'.'.join(map(str, shoe.counts))}")
    tab.type("Odds of Tie", "9")
    tab.type("Odds of Banker, Banker wins with 6", "3/5")
    assert "Tie: 9 to 1 (approved 8 to 1)" in tab.text("#changed")
    game = load_game(NONCOMMISSION_2025).paying({"tie": "9 to 1", "banker": ["3 to 5", "1 to 1"]})
    for bet in ("tie", "banker", "player"):
        value = odds_on(game, shoe)["bets"][bet]["house_edge"]
        assert percent(Fraction(value)) in tab.text(f'tr[data-line="{bet} 0"]')
    tab.type("Odds of Tie", "eight")
    assert "write the profit to a stake" in tab.text("#notice")
    assert tab.page.get_by_label("Odds of Tie", exact=True).input_value() == "9 to 1"
    tab.select("Line to change", label="Big Tiger")
    tab.type("Target house edge %", "2.5")
    tab.select("Round down to", label="halves")
    tab.click("Use these odds")
    odds = tab.page.get_by_label("Odds of Big Tiger", exact=True).input_value()
    solved = odds_on(load_game(NONCOMMISSION_2025).paying({"big-tiger": odds}), shoe)["bets"]["big-tiger"]
    most = Fraction(1, 40) + Fraction(solved["hit_frequency"]) / 2
    assert Fraction(1, 40) <= Fraction(solved["house_edge"]) < most
    tab.click("Restore the approved odds")
    assert tab.page.locator("#changed").count() == 0
    tab.turn(f"game={COMMISSION_2013}&view=pays")
    field = tab.page.locator("input.odds[data-key*='@']").first
    field.fill("7 to 3")
    tab.drawn(lambda: field.press("Enter"))
    assert "7 to 3 (approved" in tab.text("#changed")


def test_the_charts_show_the_figures(tab: Opened) -> None:
    link, shoe = f"game={COMMISSION_2013}&view=charts&bet=tie&decks=1", Shoe.of_decks(1)
    tab.turn(link)
    base = Fraction(edge(COMMISSION_2013, shoe, "tie"))
    effects = [Fraction(edge(COMMISSION_2013, shoe.minus([rank]), "tie")) - base for rank in RANKS]
    rows = [row.split("\t")[-1] for row in tab.texts("table.ranks tbody tr")]
    assert rows == [signed(str(effect)) for effect in effects]
    game = load_game(COMMISSION_2013)
    side, _, stage = str(game.insurance[0].insured).partition("@")
    states = [one for one in state_records(game, shoe) if (one["side"], one["stage"]) == (side, stage)]
    cells = [cell for cell in tab.texts("td.heat") if cell.strip(" –")]
    assert len(cells) == len(states)
    assert sum("▲" in cell for cell in cells) == sum(state["favours_player"] for state in states)
    tab.page.wait_for_selector("#path-summary")
    first = tab.text("#path-summary")
    assert re.match(r"\d+ rounds\. Lowest house edge ", first)
    tab.click("Shuffle again")
    tab.turn(link)
    tab.page.wait_for_selector("#path-summary")
    assert tab.text("#path-summary") == first


# ---------------------------------------------------------------- links

LINKS = {
    "shoe": f"game={NONCOMMISSION_2025}&layout=P&shoe=20.9.30.31.26.8.24.19.28.22.20.18.17&sort=-edge",
    "states": f"game={COMMISSION_2013}&filter=banker.four-cards.5..1",
    "round": f"game={COMMISSION_2013}&view=round&decks=6&round=5.K.K.6&stakes=player:100&insured=player@four-cards:5",
    "round over": f"game={COMMISSION_2024}&view=round&round=6.2.K.3.9&stakes=player:100;tie:5"
    "&insured=player@four-cards:10&maximum=1000",
    "pays": f"game={NONCOMMISSION_2025}&view=pays&layout=P&odds=tie:0:9 to 1;tiger-pair:1:24 to 1",
    "insurance": f"game={COMMISSION_2013}&view=pays&insurance=player@four-cards:0:7 to 3",
    "charts": f"game={COMMISSION_2024}&view=charts&bet=big-tiger&heat=1&seed=77&shoe=1.1.1.1.1.1.1.1.1.1.1.1.9",
    "glossary": "view=glossary",
    "picture": LINK,
}


def test_a_link_restores_the_page(tab: Opened, chromium: "Browser", file: Path) -> None:
    colleague = opened(chromium, file)
    tab.show()
    fields = "[...document.querySelectorAll('input, select')].map((one) => one.value)"
    for name, link in LINKS.items():
        tab.turn(link)
        assert tab.text("#notice") == ""
        if "layout" not in link:
            tab.select("Layout", value="B")
        colleague.turn(tab.page.evaluate("location.hash").removeprefix("#"))
        for one in (tab, colleague):
            if "charts" in link:
                one.page.wait_for_selector("#path-summary")
            one.page.evaluate("document.getElementById('confirmation').textContent = ''")
        assert colleague.text("#page") == tab.text("#page"), name
        assert colleague.page.evaluate(fields) == tab.page.evaluate(fields), name
    colleague.page.close()


STRANGE = {
    "game": "no-game",
    "layout": "<b>",
    "view": "secret",
    "shoe": "1.2",
    "decks": "0",
    "round": "5.Z",
    "odds": "tie:0:0 to 1",
    "insurance": "player@never:0:1 to 1",
    "stakes": "tie:-4",
    "insured": "x:1",
    "maximum": "1e9",
    "differential": "-1",
    "sort": "__proto__",
    "filter": "player.four-cards.5.constructor.",
    "bet": "constructor",
    "heat": "99999999999",
    "seed": "1.5",
}


def test_invalid_parts_of_a_link_are_left_out_and_named(tab: Opened) -> None:
    for key, value in STRANGE.items():
        tab.turn(f"{key}={value}")
        assert tab.text("#notice") == f"These parts of the link are not valid and were left out: {key}."
    tab.turn("&".join(f"{key}={value}" for key, value in STRANGE.items()))
    assert len(tab.text("#notice").split(",")) == len(STRANGE)
    tab.turn("shoo=4&decks=4&decks=6&__proto__=1&readings=pair-by-rank")
    assert tab.text("#notice").endswith("left out: decks, shoo, __proto__, readings.")


# ---------------------------------------------------------------- for everyone


def test_every_term_is_explained_in_place(tab: Opened) -> None:
    button = tab.page.get_by_role("button", name="What is House edge?").first
    button.click()
    dialog = tab.page.get_by_role("dialog")
    assert "keeps on average" in dialog.inner_text()
    tab.page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert button.evaluate("(one) => one === document.activeElement")


def test_everything_is_reached_by_keyboard_and_the_focus_stays(tab: Opened) -> None:
    page = tab.page
    focused = "document.activeElement.dataset.key"
    page.locator("#tab-shoe").focus()
    tab.drawn(lambda: page.keyboard.press("ArrowRight"))
    page.wait_for_selector("#tab-round:focus")
    page.locator("[data-key='deal 4']").focus()
    tab.drawn(lambda: page.keyboard.press("Enter"))
    assert page.evaluate(focused) == "deal 4"
    tab.drawn(lambda: page.keyboard.press("Space"))
    assert "Player Hand 5, Banker Hand 5" in page.inner_text("#status")
    page.locator("#tab-round").focus()
    tab.drawn(lambda: page.keyboard.press("Home"))
    page.get_by_label("Cards left of rank 5", exact=True).fill("3")
    tab.drawn(lambda: page.keyboard.press("Tab"))
    assert page.evaluate(focused) == "put 4"
    assert page.inner_text("#status").startswith("387 cards left.")
    wanted = page.evaluate(
        "[...document.querySelectorAll('button:not(:disabled):not([role=tab])[data-key], input, select')]"
        ".filter((one) => one.checkVisibility()).map((one) => one.dataset.key)"
    )
    reached: set[str] = set()
    page.locator(".skip").focus()
    while not set(wanted) <= reached and len(reached) < 250:
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset?.key ?? document.activeElement.outerHTML"))
    assert set(wanted) <= reached


MOMENTS = {
    "the shoe": f"game={COMMISSION_2013}&filter=banker.four-cards.5..",
    **{name: LINKS[name] for name in ("round", "round over", "insurance", "charts", "glossary")},
    "an empty shoe": "view=round&shoe=0.0.0.0.0.0.0.0.0.0.0.0.0",
    "forbidden decks, a bad part, bets that stay": "game=tied&decks=10&bet=none",
}
IN_THE_DARK = ("the shoe", "round over", "charts")

SMALL_TARGETS = (
    "[...document.querySelectorAll('button, select, input, summary')].filter((one) => one.checkVisibility())"
    ".filter((one) => one.offsetWidth < 44 || one.offsetHeight < 44).map((one) => one.outerHTML)"
)


def test_axe_finds_nothing_and_a_narrow_screen_has_large_targets(phone: Opened) -> None:
    """Every rule in the light, then in the dark, where only colours differ, the rules of colours."""
    dark = (WEB / "style.css").read_text("utf-8").partition("@media (prefers-color-scheme: dark) {")[2]
    assert all(name.startswith("--") for name in re.findall(r"([\w-]+):", dark[: dark.index("\n}")]))
    page = phone.page
    page.evaluate(axe())
    for width, names in ((360, list(MOMENTS)), (1280, IN_THE_DARK)):
        page.set_viewport_size({"width": width, "height": 844})
        for name in names:
            phone.turn(MOMENTS[name])
            if name == "charts":
                page.wait_for_selector("#path-summary")
            page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
            exact = page.locator("button[aria-expanded=false][data-key^=exact]")
            if exact.count() and not page.locator("tr.more").count():
                phone.drawn(exact.first.click)
            assert page.evaluate(AXE, None) == [], f"{name} at {width}"
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            assert width > 700 or page.evaluate(SMALL_TARGETS) == [], name
            if width > 700:
                page.emulate_media(color_scheme="dark")
                assert page.evaluate(AXE, OF_COLOUR) == [], f"{name}, dark"
                page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": PHONE, "height": 844})


def test_a_phone_shows_insurance_whole_names_and_even_rows(phone: Opened) -> None:
    """The hint at insurance on the first screen, insurance before the Table of Play, no rank alone in its row."""
    phone.turn(f"game={COMMISSION_2013}&view=round&round=5.K.K.6")
    hint = phone.page.locator("#offer-hint").bounding_box()
    assert hint is not None
    assert hint["y"] + hint["height"] < 844
    tops = phone.page.evaluate(
        "['#offers', '.play'].map((one) => document.querySelector(one).getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)
    for view, cards in (("round", ".deal li"), ("shoe", ".tile")):
        phone.turn(f"view={view}")
        rows = phone.page.evaluate(
            f"Object.values(Object.groupBy([...document.querySelectorAll('{cards}')], (one) => one.offsetTop))"
            ".map((row) => row.length)"
        )
        assert sum(rows) == len(RANKS)
        assert min(rows) > 1
    for game in GAMES:
        phone.turn(f"game={game}")
        assert phone.text("#game-name").endswith(load_game(game).name)
    row = phone.page.locator('tr[data-bet="tie"]').first
    assert load_game(GAMES[-1]).bet("tie").settled in row.inner_text().split("\n")
    phone.type("Cards left of rank 9", "3999996")
    field = phone.page.get_by_label("Cards left of rank 9")
    assert field.evaluate("(one) => one.scrollWidth <= one.clientWidth")


# ---------------------------------------------------------------- against strangers, and at random


def test_a_rule_book_of_markup_stays_words(chromium: "Browser", tmp_path: Path, small_game: Game) -> None:
    """Every text of a stranger is shown as it is, in every view."""
    markup = "</script><img src=x onerror=document.title=1><b onclick=x>&lt;"
    changed = re.sub(
        r'\b(name|about|when|question|reading|otherwise|operator|clause|defined|settled) = "[^"\n]*"',
        lambda found: f"{found[1]} = {json.dumps(f'{markup}{found.start()}')}",
        small_game.content.decode("utf-8"),
    )
    place = tmp_path / "hostile.html"
    place.write_bytes(explorer([parsed_game(changed.encode("utf-8"), SMALL_BOOK)]))
    tab = opened(chromium, place)
    for view in ("shoe", "round", "pays", "charts", "glossary"):
        tab.turn(f"view={view}")
        assert tab.page.locator("img, b").count() == 0
        assert markup in (tab.page.text_content("#page") or "")
        assert tab.page.title().startswith("combinat explorer")
    assert tab.said == []
    assert all(address.startswith(("file:", "about:", "data:")) for address in tab.requested)
    tab.page.close()


def test_the_policy_stops_scripts_and_requests_put_into_the_page(chromium: "Browser", file: Path) -> None:
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


def test_a_random_walk_meets_no_fault(tab: Opened) -> None:
    """Buttons pressed at random; nothing is written to the console."""
    chance = random.Random(7)
    for step in range(26):
        buttons = tab.page.locator("#top button:enabled:visible, #view button:enabled:visible:not(.term)")
        buttons.nth(chance.randrange(buttons.count())).click()
        tab.page.wait_for_timeout(15)
        if step % 13 == 12:
            tab.select("Game", index=chance.randrange(6))
