"""Rounds in progress: ``combinat round``, what every bet is still worth, the insurance on offer now."""

import csv
import io
import json
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import Shoe, analyze, load_game
from combinat.analysis.round_in_progress import RoundInProgress, result_so_far, round_in_progress
from combinat.cli.app import COMMANDS
from combinat.engine.distribution import falling
from combinat.engine.walk import every_round
from combinat.rules.cards import RANKS, Rank, parse_cards
from combinat.rules.outcome import Outcome
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand
from tests.conftest import Ran, Run
from tests.documents import (
    BETS,
    COMMISSION_2013,
    COMMISSION_2024,
    GAMES,
    INSURANCE,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
)
from tests.oracle import second_opinion

WIDTH = 100
FORMATS = ("text", "markdown", "csv", "json", "latex")
INSURED = (COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024)
FRESH = Shoe.of_decks(8)
SMALL = Shoe.parse("2=1 4=1 5=2 6=1 7=1 K=2")

LOADED = cache(load_game)


@pytest.fixture(autouse=True)
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule book is read once for all the commands of this page."""


def a_round(player: str, banker: str, third: str = "") -> Round:
    """A round with these cards on the table."""
    return Round((*parse_cards(player), *parse_cards(third)), parse_cards(banker))


def worked(ran: Ran) -> str:
    """What a command printed that had nothing to complain of."""
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")
    return ran.out


def loaded(run: Run, *arguments: str) -> dict[str, Any]:
    """The JSON that ``combinat round`` prints; no number in it is a float."""

    def refuse(text: str) -> None:
        raise AssertionError(f"the float {text} in JSON")

    printed = worked(run("round", *arguments, "--format", "json"))
    record: dict[str, Any] = json.loads(printed, parse_float=refuse)
    return record


def refused(run: Run, *arguments: str) -> str:
    """The one message of a command that could not be carried out."""
    ran = run("round", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err
    message, newline, rest = ran.err.partition("\n")
    assert (newline, rest) == ("\n", "")
    assert message.startswith("combinat: ")
    return message.removeprefix("combinat: ")


def stands(record: dict[str, Any]) -> dict[str, str]:
    """How every bet stands."""
    return {bet["id"]: bet["stands"] for bet in record["bets"]}


# ---------------------------------------------------------------- against the definition


def slowly(game_id: str, dealt: Round, shoe: Shoe) -> tuple[int, dict[str, Counter[Fraction]]]:
    """The sequences that can follow, and how many of them bring each net of each bet.

    Insurance is under ``player@`` and ``banker@``, for the moment that this is.
    """
    game = LOADED(game_id)
    left = shoe.minus((*dealt.player, *dealt.banker))
    on_table = len(dealt.player) + len(dealt.banker)
    drawn = min(left.size, 6 - on_table)
    ends: Counter[Outcome | None] = Counter()
    for ended, ways in every_round(left, dealt):
        taken = len(ended.player) + len(ended.banker) - on_table
        full = ways * falling(left.size - taken, drawn - taken)
        ends[ended.outcome if ended.is_over else None] += full
    nets: dict[str, Counter[Fraction]] = {bet.id: Counter() for bet in game.bets}
    nets |= {f"{side}@": Counter() for side in Hand}
    offers = {side: game.offer(side, dealt) for side in Hand}
    for end, ways in ends.items():
        for bet in game.bets:
            nets[bet.id][Fraction(0) if end is None else bet.net(end)] += ways
        for side, offer in offers.items():
            if offer is not None:
                nets[f"{side}@"][Fraction(0) if end is None else offer.net(side, end.result)] += ways
    return falling(left.size, drawn), nets


def mean(nets: Counter[Fraction], space: int) -> Fraction:
    return sum((net * ways for net, ways in nets.items()), Fraction(0)) / space


def agrees(game_id: str, dealt: Round, shoe: Shoe) -> RoundInProgress:
    """The round in progress is what playing it to its end in every way comes to."""
    now = round_in_progress(LOADED(game_id), dealt, shoe)
    space, nets = slowly(game_id, dealt, shoe)
    assert now.distribution.sample_space == space
    for bet in now.bets:
        assert bet.expected_value == mean(nets[bet.id], space), bet.id
        won = sum(ways for net, ways in nets[bet.id].items() if net > 0)
        assert bet.hit_frequency == Fraction(won, space)
        results = {"won" if net > 0 else "lost" if net < 0 else "returned" for net in nets[bet.id]}
        assert result_so_far(bet) == (results.pop() if len(results) == 1 else None)
    for one in now.insurance:
        counts = nets[f"{one.state.side}@"]
        assert sum(counts.values()) == one.ways == space
        assert one.probability == 1
        assert one.expected_value == mean(counts, space)
        assert one.net is not None
        assert (one.won, one.lost) == (counts[one.net], counts[Fraction(-1)])
    assert {one.state.side for one in now.insurance} == {side for side in Hand if nets[f"{side}@"]}
    return now


@pytest.mark.parametrize("game_id", [COMMISSION_2024, NONCOMMISSION_2025])  # insurance; every kind of bet
@pytest.mark.parametrize(
    ("player", "banker", "third"),
    [
        ("5 K", "4 K", ""),
        ("5 K", "4 K", "2"),
        ("K 6", "5 K", ""),
        ("5 5", "6 K", ""),
        ("5 5", "6 K", "7"),
        ("5 4", "K", ""),
        ("5", "", ""),
        ("", "6", ""),
        ("5", "6 K", ""),
    ],
)
def test_a_round_in_progress_is_what_playing_it_in_every_way_comes_to(
    game_id: str, player: str, banker: str, third: str
) -> None:
    agrees(game_id, a_round(player, banker, third), SMALL)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(RANKS), min_size=4, max_size=8), st.integers(1, 5), st.sampled_from(GAMES))
def test_from_any_cards_of_any_small_shoe(cards: list[Rank], known: int, game_id: str) -> None:
    """Also where the shoe cannot finish the round and every bet comes back."""
    shoe = Shoe(tuple(Counter(cards)[rank] for rank in RANKS))
    dealt = Round()
    for card in cards[:known]:
        if not dealt.is_over:
            dealt = dealt.with_card(card)
    if not dealt.is_over:
        agrees(game_id, dealt, shoe)


@pytest.mark.parametrize("hand", Hand)
def test_averaged_over_its_first_card_a_round_is_the_whole_shoe(hand: Hand) -> None:
    shoe = Shoe.parse("A=3 4=2 6=3 9=4 Q=3 K=2")
    game = LOADED(NONCOMMISSION_2025)
    value: Counter[str] = Counter()
    for rank in [rank for rank in RANKS if shoe[rank]]:
        dealt = Round(player=(rank,)) if hand is Hand.PLAYER else Round(banker=(rank,))
        for bet in round_in_progress(game, dealt, shoe).bets:
            value[bet.id] += shoe[rank] * bet.expected_value  # type: ignore[assignment]  # exact, not whole
    whole = analyze(game, shoe)
    assert value == {bet.id: shoe.size * bet.expected_value for bet in whole.bets}


def test_the_published_state_from_its_exact_cards() -> None:
    """Player 5 K against Banker K 6, 8 decks: counted here from the 412 cards left."""
    left = list(FRESH.minus("5 K K 6").by_points)
    ends: Counter[str] = Counter()
    for third, last in product(range(10), repeat=2):
        ways = left[third] * (left[last] - (third == last))
        player, banker = (5 + third) % 10, 6
        if second_opinion.banker_draws(6, third):
            banker = (6 + last) % 10
        ends["player" if player > banker else "banker" if banker > player else "tie"] += ways
    now = round_in_progress(LOADED(COMMISSION_2013), a_round("5 K", "K 6"), FRESH)
    assert sum(ends.values()) == now.distribution.sample_space == 412 * 411
    (one,) = now.insurance
    assert (one.state.side, one.won, one.lost) == (Hand.BANKER, ends["player"], ends["banker"])
    assert one.expected_value == Fraction(3 * ends["player"] - ends["banker"], 412 * 411)


# ---------------------------------------------------------------- the insurance on offer


def points(printed: str) -> range:
    low, _, high = printed.partition("-")
    return range(int(low), int(high or low) + 1)


def listed(game_id: str) -> dict[tuple[str, Stage, int, int], Fraction]:
    """The states that the document lists, with their odds."""
    states = {}
    for line in INSURANCE[game_id].strip().split("\n"):
        if line:
            side, stage, player, banker, odds, *_ = line.split()
            profit, stake = odds.split(":")
            for totals in product(points(player), points(banker)):
                moment = Stage.FOUR_CARDS if stage == "4" else Stage.PLAYER_THIRD_CARD
                states[side, moment, *totals] = Fraction(profit) / Fraction(stake)
    return states


@cache
def moments() -> dict[tuple[Stage, int, int], list[Round]]:
    """The rounds in which a card is to come, by stage and both totals."""
    rounds: dict[tuple[Stage, int, int], list[Round]] = defaultdict(list)
    for player, banker in product(range(8), repeat=2):
        cards = [RANKS[player - 1], RANKS[banker - 1]]  # of no points: a King
        four = Round((cards[0], Rank.QUEEN), (Rank.JACK, cards[1]))
        if not four.is_over:
            rounds[Stage.FOUR_CARDS, player, banker].append(four)
        for third in range(10) if player <= 5 else ():
            five = four.with_card(RANKS[third - 1])
            if not five.is_over:
                rounds[Stage.PLAYER_THIRD_CARD, (player + third) % 10, banker].append(five)
    return rounds


@pytest.mark.parametrize("game_id", GAMES)
def test_insurance_is_on_offer_where_the_document_lists_it_and_nowhere_else(game_id: str) -> None:
    states = listed(game_id)
    met = set()
    assert sum(map(len, moments().values())) == 60 + 6 * 51
    for moment, rounds in moments().items():
        expected = {(side, *moment) for side in ("player", "banker")} & states.keys()
        for dealt in {rounds[0], rounds[-1]}:
            shoe = Shoe((0,) * len(RANKS)).plus((*dealt.player, *dealt.banker, Rank.TWO, Rank.THREE))
            offered = round_in_progress(LOADED(game_id), dealt, shoe).insurance
            assert {(one.state.side.value, *one.state.moment) for one in offered} == expected, dealt
            for one in offered:
                assert one.net == states[one.state.side.value, *moment]
        met |= expected
    assert met == states.keys()


@pytest.mark.parametrize("cards", [["--player", "5"], ["--player", "5 K", "--banker", "K"]])
def test_with_fewer_than_four_cards_no_insurance_is_on_offer(run: Run, cards: list[str]) -> None:
    assert loaded(run, COMMISSION_2013, *cards)["insurance"] == []
    assert "\nInsurance\n---------\n\nNone is on offer at this moment.\n" in worked(
        run("round", COMMISSION_2013, *cards)
    )


def test_a_game_without_insurance_does_not_speak_of_it(run: Run) -> None:
    cards = ["--player", "5 K", "--banker", "K 6"]
    assert "nsurance" not in worked(run("round", NONCOMMISSION_2025, *cards))
    assert loaded(run, NONCOMMISSION_2025, *cards)["insurance"] == []


@pytest.mark.parametrize(
    ("game_id", "cards", "row"),
    [
        (
            COMMISSION_2013,
            ["--player", "5 K", "--banker", "K 6"],
            ["banker", "3 to 1", "25.0774", "8.9203", "66.0023", "+9.2298", "2.6319 to 1", "the player"],
        ),
        (
            COMMISSION_2024,
            ["--player", "5 K", "--banker", "K 4", "--player-third", "2"],
            ["player", "4 to 1", "15.0852", "7.7859", "77.1290", "-16.7883", "5.1129 to 1", "the house"],
        ),
    ],
)  # fmt: skip
def test_the_insurance_on_offer_says_whom_it_favours(
    run: Run, game_id: str, cards: list[str], row: list[str]
) -> None:
    printed = worked(run("round", game_id, *cards))
    _, _, offer = printed.partition("\nInsurance on offer now\n")
    assert re.split(r"  +", offer.splitlines()[4].strip()) == row


@pytest.mark.parametrize(("game_id", "states"), [(COMMISSION_2013, 72), (NONCOMMISSION_2024, 82)])
def test_the_best_and_the_worst_cards_of_every_state_are_those_of_a_round(
    run: Run, game_id: str, states: int
) -> None:
    """JSON to JSON: what ``insurance --range`` names, ``round`` gives for the same cards, exactly."""
    shoe = ["--cards", "A=3 4=4 6=3 7=3 9=2 K=5"]
    ranges = json.loads(worked(run("insurance", game_id, "--range", *shoe, "--format", "json")))
    met = [state for state in ranges["states"] if "range" in state]
    assert len(met) == states
    for state in met:
        for which in ("best", "worst"):
            seen = state["range"][which]
            cards = ["--player", " ".join(seen["player"]), "--banker", " ".join(seen["banker"])]
            if seen["player_third"] is not None:
                cards += ["--player-third", seen["player_third"]]
            offered = loaded(run, game_id, *cards, *shoe)["insurance"]
            (one,) = [offer for offer in offered if offer["side"] == state["side"]]
            for key in ("side", "stage", "player_points", "banker_points", "odds", "pays_on_tie"):
                assert one[key] == state[key]
            assert one["expected_value"] == seen["expected_value"]
            assert one["probability"] == "1"


# ---------------------------------------------------------------- the example, in every format

EXAMPLE = shlex.split(COMMANDS["round"][1])[1:]


def test_the_example_in_json(run: Run) -> None:
    assert EXAMPLE == ["round", "comm", "--player", "5 K", "--banker", "K 6"]
    record = loaded(run, *EXAMPLE[1:])
    assert list(record) == [
        "schema", "game", "player", "banker", "next", "coming", "beyond", "shoe", "sample_space", "results",
        "bets", "insurance",
    ]  # fmt: skip
    assert (record["schema"], record["game"]) == ("combinat/round/1", COMMISSION_2013)
    assert (record["player"], record["banker"], record["next"]) == (["5", "K"], ["K", "6"], "player")
    assert record["shoe"]["size"] == 412
    assert record["shoe"]["cards"] == dict.fromkeys(map(str, RANKS), 32) | {"5": 31, "6": 31, "K": 30}
    assert record["sample_space"] == str(412 * 411)
    assert record["results"] == {
        "player wins": "10616/42333",
        "banker wins": "111763/169332",
        "tie": "5035/56444",
    }
    assert sum(Fraction(chance) for chance in record["results"].values()) == 1
    banker = {
        "id": "banker",
        "stands": "open",
        "hit_frequency": "111763/169332",
        "returned": "5035/56444",
        "expected_value": str(Fraction(19, 20) * Fraction(111763, 169332) - Fraction(10616, 42333)),
    }
    assert record["bets"][1] == banker
    assert [(one["side"], one["wins"], one["favours_player"]) for one in record["insurance"]] == [
        ("banker", "10616/42333", True)
    ]


def test_the_example_in_text(run: Run) -> None:
    printed = worked(run(*EXAMPLE))
    assert printed.startswith("Commission Baccarat with Insurance: a round in progress\n=====")
    assert "\nOn the table: Player 5 K (5), Banker K 6 (6)\nNext to draw: Player Hand\nLeft in the shoe: 412 cards" in printed  # fmt: skip
    rows = [re.split(r"  +", line.strip()) for line in printed.splitlines()]
    assert ["banker wins", "111763/169332", "66.002291"] in rows
    assert ["banker", "open", "66.0023", "8.9203", "+37.6248"] in rows
    assert ["player-pair", "lost", "0.0000", "0.0000", "-100.0000"] in rows


SITUATIONS = {
    "four cards": ["--player", "5 K", "--banker", "K 6"],
    "third card": ["--player", "5 K", "--banker", "K 4", "--player-third", "2"],
    "one card": ["--player", "5"],
    "too few cards": ["--player", "5 K", "--banker", "K 4", "--cards", "5=1 K=2 4=1 2=1 A=1"],
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_round_is_printed_in_every_format(run: Run, situation: str, form: str) -> None:
    words = ["round", COMMISSION_2013, *SITUATIONS[situation], "--format", form]
    printed = worked(run(*words, "-q"))
    count = 2 if situation == "one card" else 3
    match form:
        case "text":
            assert len(re.findall(r"^-+(?:  +-+)+$", printed, re.MULTILINE)) == count
        case "markdown":
            assert printed.startswith("# Commission Baccarat with Insurance: a round in progress\n")
            assert len(re.findall(r"^\|[:|-]+\|$", printed, re.MULTILINE)) == count
        case "csv":
            parts = [worked(run(*words, "--part", str(part))) for part in range(1, count + 1)]
            tables = [list(csv.reader(io.StringIO(part))) for part in parts]
            assert all(len(row) == len(table[0]) for table in tables for row in table)
            assert [row[0] for row in tables[1][1:]] == list(BETS[COMMISSION_2013])
            assert parts[1] == printed  # the bets, where nothing is said
        case "latex":
            assert printed.count(r"\begin{tabular}") == printed.count(r"\end{tabular}") == count
        case "json":
            assert json.loads(printed)["schema"] == "combinat/round/1"


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_round_of_every_game_fits_the_terminal(run: Run, situation: str, game_id: str) -> None:
    printed = worked(run("round", game_id, *SITUATIONS[situation]))
    assert max(map(len, printed.splitlines())) <= WIDTH
    for bet in BETS[game_id]:
        assert re.search(rf"^{bet} ", printed, re.MULTILINE), bet


def test_the_cards_on_the_table_come_out_of_the_shoe(run: Run) -> None:
    cards = ["--player", "5 K", "--banker", "K 6", "--player-third", "7"]
    for options, shoe in (
        ([], FRESH),
        (["--decks", "6"], Shoe.of_decks(6)),
        (["--removed", "A A 10"], FRESH.minus("A A 10")),
        (["--cards", "A=3 5=1 6=1 7=1 K=2"], Shoe.parse("A=3 5=1 6=1 7=1 K=2")),
    ):
        left = shoe.minus("5 K K 6 7")
        record = loaded(run, COMMISSION_2013, *cards, *options)["shoe"]
        assert (record["size"], tuple(record["cards"].values())) == (left.size, left.counts)


def test_a_number_of_decks_that_the_document_does_not_allow_is_warned_of(run: Run) -> None:
    ran = run("round", COMMISSION_2013, "--player", "5 K", "--banker", "K 6", "--decks", "1")
    assert ran.code == 0
    assert ran.err == (
        f"combinat: warning: {COMMISSION_2013} allows 4 to 8 decks (2.2.1); 1 is analysed all the same\n"
    )


# ---------------------------------------------------------------- what is already decided


def test_pairs_are_decided_once_a_hand_has_two_cards(run: Run) -> None:
    record = loaded(run, NONCOMMISSION_2025, "--player", "K K", "--banker", "Q 5")
    assert stands(record)["player-pair"] == "won"
    assert stands(record)["banker-pair"] == "lost"
    assert stands(record)["tiger-pair"] == "won"
    one_hand = stands(loaded(run, NONCOMMISSION_2025, "--player", "K K"))
    assert (one_hand["player-pair"], one_hand["banker-pair"], one_hand["tiger-pair"]) == (
        "won",
        "open",
        "won",  # at which odds, the other hand decides
    )


def test_a_decided_bet_has_one_value(run: Run) -> None:
    bets = {bet["id"]: bet for bet in loaded(run, COMMISSION_2013, "--player", "K K", "--banker", "Q 5")["bets"]}  # fmt: skip
    assert bets["player-pair"] == {
        "id": "player-pair",
        "stands": "won",
        "hit_frequency": "1",
        "returned": "0",
        "expected_value": "11",
    }
    assert (bets["banker-pair"]["expected_value"], bets["player"]["stands"]) == ("-1", "open")


def test_once_the_player_hand_is_whole_what_it_cannot_come_to_is_lost(run: Run) -> None:
    """Player 5 K 2 is a 7 of three cards: no 6, no 1, no 7 of two cards; Banker draws to 4."""
    record = stands(
        loaded(run, NONCOMMISSION_2025, "--player", "5 K", "--banker", "K 4", "--player-third", "2")
    )
    still_open = {
        "player",
        "banker",
        "tie",
        "player-big-7",
        "player-char-siu",
        "banker-char-siu",
    }
    assert {bet for bet, standing in record.items() if standing == "open"} == still_open
    assert {standing for bet, standing in record.items() if bet not in still_open} == {"lost"}


def test_a_round_that_the_shoe_cannot_finish_returns_every_bet(run: Run) -> None:
    record = loaded(run, COMMISSION_2013, "--player", "5 K", "--banker", "K 4", "--cards", "5=1 K=2 4=1")
    assert record["results"] == {"player wins": "0", "banker wins": "0", "tie": "0", "void": "1"}
    assert set(stands(record).values()) == {"returned"}
    (one,) = record["insurance"]
    assert (one["wins"], one["pushes"], one["loses"], one["expected_value"]) == ("0", "1", "0", "0")
    assert one["fair_odds"] is None
    assert one["favours_player"] is False


def test_a_round_that_the_shoe_cannot_always_finish(run: Run) -> None:
    """An Ace ends the round, Player 6 against Banker 4; a 2 asks for a card that is not there."""
    cards = ["--player", "5 K", "--banker", "K 4", "--cards"]
    five = loaded(run, COMMISSION_2013, *cards, "5=1 K=2 4=1 2=1")
    assert five["results"]["void"] == "1"
    six = loaded(run, COMMISSION_2013, *cards, "5=1 K=2 4=1 2=1 A=1")
    assert six["results"] == {"player wins": "1", "banker wins": "0", "tie": "0"}
    (one,) = six["insurance"]
    assert (one["wins"], one["loses"]) == ("0", "1")


# ---------------------------------------------------------------- a bet that may be taken back


def test_with_fewer_than_four_cards_a_bet_may_be_worth_more_back(run: Run) -> None:
    record = loaded(run, NONCOMMISSION_2025, "--player", "5")
    for bet in record["bets"]:
        value = Fraction(bet["expected_value"])
        assert value
        assert bet["worth_more_to"] == ("continue" if value > 0 else "take back")
    worth = {bet["id"]: bet["worth_more_to"] for bet in record["bets"]}
    assert {bet for bet, better in worth.items() if better == "continue"} == {"banker"}


def test_with_four_cards_nothing_is_taken_back(run: Run) -> None:
    four = loaded(run, NONCOMMISSION_2025, "--player", "5 K", "--banker", "K 6")
    assert not any("worth_more_to" in bet for bet in four["bets"])
    assert "worth more to" not in worked(run("round", NONCOMMISSION_2025, "--player", "5 K", "--banker", "K 6"))  # fmt: skip
    three = loaded(run, NONCOMMISSION_2025, "--player", "5 K", "--banker", "K")
    assert all("worth_more_to" in bet for bet in three["bets"])


def test_where_neither_is_worth_more(run: Run) -> None:
    record = loaded(run, COMMISSION_2013, "--player", "5", "--cards", "5=1 K=2")
    assert {bet["worth_more_to"] for bet in record["bets"]} == {"either"}


@pytest.mark.parametrize(
    ("game_id", "sentence"),
    [
        (COMMISSION_2013, "This document gives no right to have a bet returned after a dealing error."),
        (COMMISSION_2024, "After a dealing error a player may have a bet returned (5.12.3)."),
        (NONCOMMISSION_2024, "After a dealing error a player may have a bet returned (5.12.3)."),
        (NONCOMMISSION_2025, "After a dealing error a player may have a bet returned (5.13.3)."),
    ],
)
def test_the_right_to_take_a_bet_back_is_cited(run: Run, game_id: str, sentence: str) -> None:
    printed = worked(run("round", game_id, "--banker", "9"))
    assert f"\n{sentence}\n" in printed
    rows = [re.split(r"  +", line.strip()) for line in printed.splitlines()]
    assert ["bet", "stands", "wins %", "returned %", "EV %", "worth more to"] in rows
    assert [row[-1] for row in rows if row[0] == "player" and len(row) == 6] == ["take back"]
    assert [row[-1] for row in rows if row[0] == "banker" and len(row) == 6] == ["continue"]


# ---------------------------------------------------------------- refusals

TABLE = {COMMISSION_2013: "3.7", COMMISSION_2024: "3.15", NONCOMMISSION_2024: "3.15", NONCOMMISSION_2025: "3.12"}  # fmt: skip


def test_too_many_cards_are_refused(run: Run) -> None:
    assert refused(run, COMMISSION_2013, "--player", "5 K 3", "--banker", "K 6") == (
        "Player Hand: found 3 cards; write the first two at most; "
        "give the Player's third card with --player-third"
    )
    assert refused(run, COMMISSION_2013, "--player", "5 K", "--banker", "K 6 3") == (
        "Banker Hand: found 3 cards; write the first two at most; "
        "a Banker's third card ends the round: settle it with combinat settle"
    )


@pytest.mark.parametrize("cards", [[], ["--player", ""], ["--player", " ", "--banker", ","]])
def test_a_round_without_cards_is_refused(run: Run, cards: list[str]) -> None:
    assert refused(run, COMMISSION_2013, *cards) == (
        'no card is on the table; write some, such as --player "5 4" --banker "K 6"'
    )


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(
    ("player", "banker", "third"),
    [
        ("8 K", "2 3", ""),  # a natural of either hand
        ("2 3", "9 K", ""),
        ("6 K", "7 K", ""),  # both stand
        ("5 K", "K 7", "3"),  # Banker stands after the Player's third card
        ("5 K", "K 3", "8"),
    ],
)
def test_a_finished_round_is_refused(run: Run, game_id: str, player: str, banker: str, third: str) -> None:
    options = ["--player", player, "--banker", banker] + (["--player-third", third] if third else [])
    hand = f"{player} {third}".strip()
    assert refused(run, game_id, *options) == (
        f"the round is over (Player {hand}, Banker {banker}) ({TABLE[game_id]}); "
        "settle it with combinat settle"
    )


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(
    ("player", "banker", "totals"),
    [
        ("6 K", "K 5", "Player 6, Banker 5"),
        ("7 K", "K 7", "Player 7, Banker 7"),
        ("8 K", "K 5", "Player 8, Banker 5"),
        ("5 K", "4 5", "Player 5, Banker 9"),
    ],
)
def test_a_third_card_that_the_player_hand_does_not_draw_is_refused(
    run: Run, game_id: str, player: str, banker: str, totals: str
) -> None:
    options = ["--player", player, "--banker", banker, "--player-third", "3"]
    assert refused(run, game_id, *options) == (
        f"--player-third: the Player Hand does not draw (Player {player}, Banker {banker}: {totals}) "
        f"({TABLE[game_id]})"
    )


@pytest.mark.parametrize("cards", ["3 4", "", " ", "3,4"])
def test_a_third_card_is_one_card(run: Run, cards: str) -> None:
    options = ["--player", "5 K", "--banker", "K 6", "--player-third", cards]
    assert refused(run, COMMISSION_2013, *options) == (
        f'--player-third: found "{cards}"; write one card, such as 3'
    )


@pytest.mark.parametrize("cards", [["--player", "5 K"], ["--player", "5 K", "--banker", "6"], []])
def test_a_third_card_comes_after_four(run: Run, cards: Sequence[str]) -> None:
    message = refused(run, COMMISSION_2013, *cards, "--player-third", "3")
    if cards:
        assert message == "--player-third: four cards come first; write two for each hand"
    else:
        assert message.startswith("no card is on the table; ")


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (["--player", "5 5", "--banker", "K 6"], "cannot remove 2 of 5: the shoe holds 1"),
        (["--player", "5 K", "--banker", "K 7"], "cannot remove 1 of 7: the shoe holds 0"),
        (
            ["--player", "5 K", "--banker", "K A", "--player-third", "5"],
            "cannot remove 2 of 5: the shoe holds 1",
        ),
    ],
)
def test_cards_that_could_not_be_there_are_refused(run: Run, cards: list[str], message: str) -> None:
    assert refused(run, COMMISSION_2013, *cards, "--cards", "A=4 5=1 6=4 K=4") == message


@pytest.mark.parametrize("option", ["--player", "--banker", "--player-third"])
def test_a_card_that_does_not_exist_is_refused(run: Run, option: str) -> None:
    cards = {"--player": "5 K", "--banker": "K 6", option: "1"}
    assert refused(run, COMMISSION_2013, *(word for pair in cards.items() for word in pair)) == (
        'card "1" does not exist; write one of A 2 3 4 5 6 7 8 9 10 J Q K'
    )


@pytest.mark.parametrize("decks", ["4-10", "0", "x"])
def test_a_round_is_dealt_from_one_shoe(run: Run, decks: str) -> None:
    assert refused(run, COMMISSION_2013, "--player", "5", "--decks", decks) == (
        f'--decks: found "{decks}"; write a whole number of 1 or more, such as 8, up to 999999'
    )
    assert refused(run, COMMISSION_2013, "--player", "5", "--cards", "5=3", "--decks", "8") == (
        "--cards says all that is left; it does not go with --decks or --removed"
    )


@pytest.mark.parametrize(("game_id", "coming"), [(COMMISSION_2013, "7"), (NONCOMMISSION_2024, "7 3")])
def test_the_insurance_with_next_cards_fits_the_terminal(run: Run, game_id: str, coming: str) -> None:
    """Every column has its heading, and no line is wider than a terminal."""
    printed = worked(run("round", game_id, "--player", "5 K", "--banker", "K 4", "--next", coming))
    assert max(map(len, printed.splitlines())) <= 100
    heads = next(line for line in printed.splitlines() if line.startswith("hand "))
    assert heads.endswith("fair odds    favours")
