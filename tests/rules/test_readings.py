"""Other readings, followed: the same game everywhere, said in every output, refused where they contradict."""

import csv
import io
import json
import re
import shlex
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from combinat import Game, Shoe, analyze, evaluate, load_game
from combinat.analysis.insurance_limits import largest_stake_on_both
from combinat.analysis.readings import Measure, differences, readings
from combinat.base.errors import CombinatError, InputError
from combinat.base.money import format_money
from combinat.certify.analysis_file import analysis_bytes, read_dossier
from combinat.certify.checker import check
from combinat.certify.dossier import dossier
from combinat.engine.walk import walk
from combinat.montecarlo.dealer import ThirdCardRules
from combinat.render.text import Format, rendered
from combinat.report.analysis.readings import one_round_terms
from combinat.rules.book.load import parsed_game
from combinat.rules.document import Instead
from combinat.rules.game import read_instead
from combinat.rules.odds import Odds
from combinat.rules.readings import other_reading
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.games import EIGHT
from tests.oracle.dealer import Draws, banker_draws, results
from tests.oracle.settler import FOUR_CARDS, THIRD_CARD, offers
from tests.paths import PLAIN_BOOK, ROOT

EVERY = [(game_id, entry.id) for game_id in GAMES for entry in load_game(game_id).interpretations]


def following(game_id: str, *readings: str) -> Game:
    return load_game(game_id).reading(*readings)


# ---------------------------------------------------------------- which readings go together


@pytest.mark.parametrize(("game_id", "reading"), EVERY)
def test_a_reading_gives_another_game_that_knows_it(game_id: str, reading: str) -> None:
    game, read = load_game(game_id), following(game_id, reading)
    assert (game.provisos.readings, read.provisos.readings) == ((), (reading,))
    assert read.document == game != read
    assert read_instead(read, reading) == game


def test_readings_about_different_things_are_followed_together() -> None:
    read = following(
        NONCOMMISSION_2024, "late-payout-is-winnings", "insurance-cap-each-time", "wu-dalang-must-win"
    )
    assert read.insurance_terms is not None
    assert [(limit.caps, limit.per) for limit in read.insurance_terms.limits] == [
        ("stake", "round"),
        ("stake", "offer"),
        ("payout-and-stake", "round"),
    ]
    assert read.bet("wu-dalang").pays[0].facts.keys().isdisjoint({"winner"})
    order = following(
        NONCOMMISSION_2024, "wu-dalang-must-win", "insurance-cap-each-time", "late-payout-is-winnings"
    )
    assert order.insurance_terms == read.insurance_terms


@pytest.mark.parametrize(
    ("game_id", "readings", "what"),
    [
        (NONCOMMISSION_2025, ("twin-by-rank", "pair-by-rank"), "what tiger-pair pays"),
        (COMMISSION_2024, ("insurance-cap-on-stake", "late-payout-is-winnings"), "limit 3 on insurance"),
        (COMMISSION_2024, ("quarter-of-the-maximum-bet", "quarter-for-each-player"), "limit 2 on insurance"),
        (
            COMMISSION_2024,
            ("insurance-needs-a-card-to-come", "insurance-after-no-more-bets"),
            "when insurance is open",
        ),
        (
            COMMISSION_2013,
            ("unfinished-round-void", "void-game-returns-bets"),
            "the bets of a void round",
        ),
    ],
)
def test_readings_that_contradict_each_other_are_refused(
    game_id: str, readings: tuple[str, str], what: str
) -> None:
    game = load_game(game_id)
    for order in (readings, readings[::-1]):
        with pytest.raises(InputError, match=what):
            game.reading(*order)


def test_readings_that_together_hold_no_game_are_refused(tmp_path: Path) -> None:
    """Each by itself is fine: one takes the line at 3 to 1 away, the other limits it."""
    text = SMALL_BOOK.read_text("utf-8").replace('"small-baccarat"', '"two"')
    entry = (
        '[[interpretations]]\nid = "{}"\nclauses = ["3.9"]\nquestion = "?"\nreading = "1"\notherwise = "2"\n'
    )
    text += entry.format("one-line") + (
        'instead.insurance = [{ side = "player", stage = "four-cards", '
        'offers = [{ player_points = 5, banker_points = 4, odds = "3 to 2" }] }]\n'
    )
    text += entry.format("limit-of-a-line") + (
        'instead.insurance_limits = [{ clause = "3.9", caps = "stake", per = "round", share = "50%", '
        'of = "original-bet", odds = "3 to 1" }]\n'
    )
    (tmp_path / "two.toml").write_text(text, "utf-8")
    game = load_game(tmp_path / "two.toml")
    for one in ("one-line", "limit-of-a-line"):
        game.reading(one)
    with pytest.raises(InputError, match='"3 to 1"'):
        game.reading("one-line", "limit-of-a-line")


# ---------------------------------------------------------------- what they come to, by another way

TINY = Shoe.parse("A=1 3=2 5=1 6=1 8=1 9=1 K=1")


def test_a_banker_that_draws_against_a_natural_in_every_engine() -> None:
    game = following(COMMISSION_2013, "natural-stops-the-banker")
    against = Draws(banker_against_natural=lambda points: points <= 5)
    signs = Counter[int]()
    for (player, banker, *_), ways in results(TINY.counts, against).items():
        signs[(player > banker) - (player < banker)] += ways
    value = Fraction(signs[1] - signs[-1], signs.total())
    analysis = analyze(game, TINY)
    assert analysis.bet("player").expected_value == value
    assert analysis.bet("tie").hit_frequency == Fraction(signs[0], signs.total())
    assert evaluate(game, [TINY.counts]).expected_value(0, "player") == value
    assert analyze(game.document, TINY).bet("player").expected_value != value


def test_the_simulator_deals_a_third_card_against_a_natural() -> None:
    game = following(COMMISSION_2013, "natural-stops-the-banker")
    # Player 9 K, Banker 2 3, then 4: the Banker Hand draws; Player 9 K, Banker 3 3: it stands on 6.
    cards = np.array([[8, 8], [1, 2], [12, 12], [2, 2], [3, 3], [4, 4]], dtype=np.uint8)
    drawn = ThirdCardRules.of(game).dealt(tuple(cards))
    plain = ThirdCardRules.of(game.document).dealt(tuple(cards))
    assert drawn.banker[2].tolist()[0] == 3
    assert drawn.banker[2].tolist()[1] == plain.banker[2].tolist()[0] == plain.banker[2].tolist()[1] > 12
    assert drawn.player[2].tolist() == plain.player[2].tolist()


def test_a_layout_with_other_bets() -> None:
    shown = [bet.id for bet in following(NONCOMMISSION_2025, "text-over-drawing-of-layout-o").bets_on("O")]
    assert shown == [bet.id for bet in load_game(NONCOMMISSION_2025).bets_on("P")]


# ---------------------------------------------------------------- insurance on both hands


def rounds_that_offer_both() -> set[tuple[Fraction, Fraction]]:
    """The odds on Player and on Banker that one round can offer."""
    listed = {state: odds for state, (odds, _) in offers(COMMISSION_2013).items()}
    pairs = set()
    for player, banker, third in product(range(8), range(8), range(10)):
        moments = [(FOUR_CARDS, player, banker)] if player <= 5 or banker_draws(banker, None) else []
        if player <= 5 and banker_draws(banker, third):
            moments.append((THIRD_CARD, (player + third) % 10, banker))
        on_player, on_banker = (
            [listed[hand, *moment] for moment in moments if (hand, *moment) in listed]
            for hand in ("player", "banker")
        )
        pairs |= set(product(on_player, on_banker))
    return pairs


def test_the_register_names_the_odds_that_one_round_offers_on_both_hands() -> None:
    """The entry cap-of-each-hand: what 3.5.2 leaves for both hands, in rounds that can be dealt."""
    game = load_game(COMMISSION_2013)
    found = differences(game, game.interpretation("cap-of-each-hand"), EIGHT, walk(EIGHT, game.round()))
    # Each hand's payout is within its own bet; or both together within one, all of it at the lower odds.
    expected = {
        f"{format_money(player)} to 1 on Player and {format_money(banker)} to 1 on Banker": (
            1 / player + 1 / banker,
            1 / min(player, banker),
        )
        for player, banker in rounds_that_offer_both()
    }
    assert {one.subject.odds: (one.read, one.otherwise) for one in found} == expected
    assert {one.measure for one in found} == {Measure.BOTH_HANDS}
    assert len(expected) > 3


def test_the_better_order_is_taken() -> None:
    terms = following(COMMISSION_2013, "cap-of-each-hand").insurance_terms
    assert terms is not None
    low, high = Odds.parse("2 to 1"), Odds.parse("8 to 1")
    for order in ((low, high), (high, low)):
        assert largest_stake_on_both(terms.limits, *order) == Fraction(1, 2)


# ---------------------------------------------------------------- settlements


BOTH = (
    "--player 'K 3 6' --banker 'K 6 2' --stake player=100 --stake banker=100 "
    "--insure banker@four-cards=30 --insure player@player-third-card=12"
)
OTHER_HAND = "--player 'K 3 6' --banker 'K 6 2' --stake player=100 --insure banker@four-cards="
QUARTER = "--player 'K 3 5' --banker 'K 2 K' --stake player=100 --insure player@player-third-card=20"
Lines = list[tuple[str, str]] | None


@pytest.mark.parametrize(
    ("game_id", "words", "reading", "plain", "read"),
    [
        # At 3 to 1 and 8 to 1 they pay 90 and 96: each within its bet of 100, together not.
        (
            COMMISSION_2013,
            BOTH,
            "cap-of-each-hand",
            [("100", "won"), ("-100", "lost"), ("90", "won"), ("-12", "lost")],
            None,
        ),
        (
            COMMISSION_2013,
            BOTH,
            "insurance-after-no-more-bets",
            [("100", "won"), ("-100", "lost"), ("90", "won"), ("-12", "lost")],
            None,
        ),
        # A bet on the Player Hand alone; the Banker Hand of 6 against 3 is insured, and loses.
        (
            COMMISSION_2013,
            f"{OTHER_HAND}30",
            "insurance-of-the-own-hand",
            None,
            [("100", "won"), ("90", "won")],
        ),
        (COMMISSION_2013, f"{OTHER_HAND}34", "insurance-of-the-own-hand", None, None),
        (
            COMMISSION_2013,
            "--player 'K 7' --banker 'K 7' --stake player=100 --stake tie=1",
            "tied-bets-returned",
            [("0", "returned"), ("8", "won")],
            [("0", "stays"), ("8", "won")],
        ),
        # A Queen and a King are a pair by points alone.
        (
            COMMISSION_2013,
            "--player 'Q K 4' --banker '7 K' --stake player-pair=10",
            "pair-by-rank",
            [("-10", "lost")],
            [("110", "won")],
        ),
        # At 10 to 1 a stake of 20 is within a quarter of 100, and not of a table maximum of 40.
        (COMMISSION_2024, QUARTER, "quarter-of-the-maximum-bet", None, None),
        (
            COMMISSION_2024,
            f"{QUARTER} --limit maximum-differential=100",
            "quarter-of-the-maximum-bet",
            None,
            [("100", "won"), ("-20", "lost")],
        ),
        (COMMISSION_2024, f"{QUARTER} --limit table-maximum=40", "quarter-of-the-maximum-bet", None, None),
    ],
)
def test_a_settlement_follows_the_reading(
    run: Run, game_id: str, words: str, reading: str, plain: Lines, read: Lines
) -> None:
    """None: the stakes are refused."""
    for options, lines in (((), plain), (("--reading", reading), read)):
        ran = run("settle", game_id, *shlex.split(words), *options, "--format", "json")
        if lines is None:
            ran.refusal()
        else:
            assert [(line["net"], line["result"]) for line in ran.document()["lines"]] == lines


def test_odds_say_which_bets_are_valued_until_decided(run: Run) -> None:
    """The values themselves: ``tests/analysis/test_staying_bets.py``."""
    words = ("odds", COMMISSION_2013, "--bet", "player", "--bet", "banker")
    reading = ("--reading", "tied-bets-returned")
    assert "ntil decided" not in run(*words).output()
    assert "Valued until decided: player, banker" in run(*words, *reading).output()
    assert run(*words, *reading, "--format", "json").document()["until_decided"] == ["player", "banker"]


def test_what_is_of_one_round_is_said_to_be(run: Run, tmp_path: Path) -> None:
    """Where a bet that may stay is not valued until decided: rounds in progress, rulings, batches."""
    (tmp_path / "shoes.csv").write_text("removed\nA\n", "utf-8")
    said = (
        "of one round: player, banker; after a tie the stake stays on the layout; here it counts as returned"
    )
    for words in (
        ["round", COMMISSION_2013, "--player", "5 K", "--banker", "K 6"],
        ["ruling", COMMISSION_2013, "--incident", "late-error", "--cards", "5 K"],
        ["evaluate", COMMISSION_2013, "--shoes", str(tmp_path / "shoes.csv")],
    ):
        plain, read = run(*words), run(*words, "--reading", "tied-bets-returned")
        assert said in f"{read.out}{read.err}".lower()
        assert "of one round" not in f"{plain.out}{plain.err}".lower()
        if words[0] != "evaluate":
            record = json.loads(run(*words, "--reading", "tied-bets-returned", "--format", "json").out)
            assert record["of_one_round"] == ["player", "banker"]


def test_a_report_says_what_a_bet_that_stays_is_worth_until_decided() -> None:
    game = following(COMMISSION_2013, "tied-bets-returned")
    register = readings(game, EIGHT, walk(EIGHT, game.round()))
    (said,) = one_round_terms(register, 8, game)
    text = rendered([said], Format.TEXT)
    assert "Player has a house edge of 1.3650 % and Banker has a house edge of 1.1692 %." in " ".join(
        text.split()
    )
    assert one_round_terms(register, 8, load_game(COMMISSION_2013)) == ()


# ---------------------------------------------------------------- reports


def checked(game: Game, *readings: str, decks: int = 1) -> dict[str, Any]:
    """The analysis of a book under readings, when the checker derives every number of it from the book's own bytes."""
    written = analysis_bytes(dossier(game.reading(*readings), (decks,)))
    assert sum(check(written, game.content).values()) > 100
    assert read_dossier(written).followed == readings
    analysis: dict[str, Any] = json.loads(written)
    return analysis


"""A rule book that is analysed in no time."""

NATURAL = """
[[interpretations]]
id = "natural-stops-the-banker"
clauses = ["3.4"]
question = "Does the Banker Hand draw against a natural?"
reading = "No."
otherwise = "Yes."
instead.banker_draws_against_natural = "0-5"

[[interpretations]]
id = "six-with-three-cards"
clauses = ["1.2"]
question = "Must the Banker Hand have three cards?"
reading = "No."
otherwise = "Yes."
instead.bets = [
    { id = "six", pays = [{ winner = "banker", banker_points = 6, banker_cards = 3, odds = "12 to 1" }] },
    { id = "punto", pays = [{ winner = "player", odds = "1 to 1" }] },
]
"""


@pytest.fixture(scope="module")
def plain_game() -> Game:
    return parsed_game(PLAIN_BOOK.read_bytes() + NATURAL.encode(), PLAIN_BOOK)


@pytest.mark.full
def test_the_checker_derives_what_readings_change(plain_game: Game) -> None:
    """Of the entry that is followed, otherwise is the reading of the rule book, the other followed all the same."""
    readings = ("natural-stops-the-banker", "six-must-win")
    read, less = (checked(plain_game, *followed) for followed in (readings, readings[:-1]))
    value, back = (said["shoes"][0]["bets"][-1]["expected_value"] for said in (read, less))
    assert value != back
    (of_six,) = [entry for entry in read["readings"] if entry["entry"] == "six-must-win"]
    (difference,) = of_six["differences"]
    assert (difference["read"], difference["otherwise"]) == (value, back)
    *_, in_its_place = read["readings"]
    _, instead = in_its_place["differences"]
    assert (instead["read"], in_its_place["entry"]) == (value, "six-with-three-cards")
    game = plain_game.reading(*readings)
    assert Fraction(value) == analyze(game, Shoe.of_decks(1)).bets[-1].expected_value
    six_must_win, *_ = checked(plain_game, "six-with-three-cards")["readings"]
    assert [one["subject"]["bet"] for one in six_must_win["differences"]] == ["punto", "six"]


def test_a_reading_takes_the_place_of_one_that_it_contradicts() -> None:
    """All of that one goes, also what they do not contradict in.

    In the register of a game that follows one of two such readings, the other stands against it alone.
    """
    read = following(COMMISSION_2024, "insurance-cap-on-stake")
    instead = read_instead(read, "late-payout-is-winnings")
    assert instead == other_reading(load_game(COMMISSION_2024), "late-payout-is-winnings")


AT_ONCE = 5
"""How many readings are followed in one analysis: each costs the checker as much as a report."""


def together(game_id: str) -> list[tuple[str, ...]]:
    """Every reading of a game once, as many at once as go together, in the order of the register."""
    groups: list[list[str]] = []
    for entry in load_game(game_id).interpretations:
        for group in groups:
            if len(group) == AT_ONCE:
                continue
            with suppress(CombinatError):
                following(game_id, *group, entry.id)
                group.append(entry.id)
                break
        else:
            groups.append([entry.id])
    return [tuple(group) for group in groups]


TOGETHER = [(game_id, group) for game_id in GAMES for group in together(game_id)]


@pytest.mark.full
@pytest.mark.parametrize(("game_id", "readings"), TOGETHER)
def test_the_checker_derives_every_game_under_every_reading(game_id: str, readings: tuple[str, ...]) -> None:
    checked(load_game(game_id), *readings, decks=8)


def test_every_reading_is_among_those_that_are_derived() -> None:
    assert sorted((game_id, one) for game_id, group in TOGETHER for one in group) == sorted(EVERY)


@pytest.mark.full
def test_a_report_says_what_it_follows_and_holds(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = f"--reading six-must-win --decks 1 --formats markdown,csv,html --out {out} --simulation 10000"
    ran = run("report", str(PLAIN_BOOK), *words.split())  # dealt and judged under that reading too
    assert (ran.code, "under the other reading of six-must-win" in ran.out) == (0, True)
    folder = out / "plain"
    assert (folder / "plain.toml").read_bytes() == PLAIN_BOOK.read_bytes()
    first_page = (folder / "report.md").read_text("utf-8").split("## B.")[0]
    assert first_page.count("the other reading of six-must-win") == 1
    for document in (folder / "rules.md", folder / "report.html"):
        assert "the other reading of six-must-win" in document.read_text("utf-8")
    assert re.search(r"Readings followed.*six-must-win", (out / "README.md").read_text("utf-8"))
    for path in (folder / "tables").iterdir():
        rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
        assert {row["readings"] for row in rows} == {"six-must-win"}
    assert json.loads((folder / "analysis.json").read_text("utf-8"))["followed"] == ["six-must-win"]
    ran = run("verify", str(out))
    assert (ran.code, "readings:   the other reading of six-must-win" in ran.out) == (0, True)


# ---------------------------------------------------------------- the page on readings

PAGE = (ROOT / "docs" / "rule-books.md").read_text("utf-8").split("\n### As data\n")[1].split("\n#")[0]


def test_the_page_has_every_key_of_another_reading() -> None:
    keys = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert set(keys) == set(Instead.__struct_fields__)
