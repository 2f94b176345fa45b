"""Settlement: every bet on real cards, every insurance state, every limit.

The nets are worked out by hand from the documents, or by the oracle; nothing here is computed with the rule books.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

import pytest

from combinat import Game
from combinat.analysis.insurance_limits import least_room
from combinat.base.errors import InputError
from combinat.rules.cards import parse_cards
from combinat.rules.insurance import Base, Caps, Insured, Limit, Per
from combinat.rules.odds import Odds, Share
from combinat.rules.round import Round, Stage, finished_round
from combinat.rules.table_of_play import Hand
from combinat.table.settlement import Settlement, StakeLine, settle
from tests import documents
from tests.documents import (
    COMMISSION_2013,
    COMMISSION_2024,
    GAMES,
    INSURED,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
    PLUS,
)
from tests.games import loaded
from tests.oracle.dealer import PRINTED, Course, drawn
from tests.oracle.settler import insurance_sign, moments, offers

COMMISSION = (COMMISSION_2013, COMMISSION_2024)

FOUR, THIRD = Stage.FOUR_CARDS, Stage.PLAYER_THIRD_CARD
PLAYER_FOUR, PLAYER_THIRD = Insured(Hand.PLAYER, FOUR), Insured(Hand.PLAYER, THIRD)
BANKER_FOUR, BANKER_THIRD = Insured(Hand.BANKER, FOUR), Insured(Hand.BANKER, THIRD)


@cache
def by_the_stakes(game_id: str) -> Game:
    """The game with the staked bets as the available ones: so far as they are open, no outcome is established."""
    return loaded(game_id).reading("available-bets-of-the-layout")


def finished(player: str, banker: str) -> Round:
    """The finished round of these two hands."""
    return finished_round(parse_cards(player), parse_cards(banker))


def settled(
    game_id: str,
    player: str,
    banker: str,
    stakes: Mapping[str, str],
    insured: Mapping[Insured, str] | None = None,
    *,
    table_max: str | None = None,
    layout: str | None = None,
    procedure: str | None = None,
    game: Game | None = None,
) -> Settlement:
    """The settlement of a finished round, with amounts in digits."""
    return settle(
        game or loaded(game_id),
        finished(player, banker),
        {bet: Fraction(amount) for bet, amount in stakes.items()},
        {what: Fraction(amount) for what, amount in (insured or {}).items()},
        table_maximum=None if table_max is None else Fraction(table_max),
        layout=layout,
        procedure=procedure,
    )


def refused(clause: str, *words: Any, **told: Any) -> None:
    """Assert that a settlement is refused by this clause."""
    with pytest.raises(InputError, match=re.escape(f"({clause})")):
        settled(*words, **told)


def nets(settlement: Settlement) -> dict[str, Fraction]:
    """The net of every line."""
    return {line.id: line.net for line in settlement.lines}


# ---------------------------------------------------------------- every bet

# Player Hand | Banker Hand | the bets that do not lose, each with its net per unit staked.
# Two nets of the Banker bet: with commission/without.
ROUNDS = """
K 7    | Q 6    | player 1, player-char-siu 10, player-small-7 15
K 8    | Q 7    | player 1, player-char-siu 10
4 5    | 3 5    | player 1, player-char-siu 10
K 7    | Q 3 3  | player 1, player-char-siu 15, player-small-7 15
K 5 2  | Q 6    | player 1, player-char-siu 15, player-big-7 30
K 5 3  | Q 7    | player 1, player-char-siu 15
K 2 5  | Q 4 2  | player 1, player-char-siu 50, player-big-7 30
K 2 6  | Q 6 A  | player 1, player-char-siu 50
K 2 7  | Q 6 2  | player 1, player-char-siu 50

K 6    | Q 7    | banker 0.95/1, banker-char-siu 10, banker-small-7 15
K 7    | Q 8    | banker 0.95/1, banker-char-siu 10
K 8    | Q 9    | banker 0.95/1, banker-char-siu 10
K 4 2  | Q 7    | banker 0.95/1, banker-char-siu 15, banker-small-7 15
K 6    | Q 5 2  | banker 0.95/1, banker-char-siu 15, banker-big-7 30
K 7    | Q 5 3  | banker 0.95/1, banker-char-siu 15
K A 5  | Q 5 2  | banker 0.95/1, banker-char-siu 50, banker-big-7 30
K 3 4  | Q 5 3  | banker 0.95/1, banker-char-siu 50
K 3 5  | Q 4 5  | banker 0.95/1, banker-char-siu 50

K 5 10 | Q 6    | banker 0.95/0.5, small-tiger 22, tiger-buffalo 6, tiger 12
K 5 J  | Q 2 4  | banker 0.95/0.5, big-tiger 50, tiger-buffalo 6, tiger 20
K 6    | Q 5 K  | player 1, small-buffalo 20, tiger-buffalo 6
K 4 2  | Q 5    | player 1, big-buffalo 35, tiger-buffalo 6
A 2 3  | J 3 Q  | player 1, big-buffalo 35, tiger-buffalo 6
K A 5  | Q 4 A  | player 1, big-buffalo 35, tiger-buffalo 6

K A 10 | Q 3 7  | player 1, wu-dalang 150
5 6 K  | Q 3 8  | player 0, banker 0, tie 8
5 6 K  | Q 7    | banker 0.95/1, banker-small-7 15

K 9    | Q 7    | player 1
K 3 K  | Q 2 2  | banker 0.95/1
K 9    | Q 9    | player 0, banker 0, tie 8
K 7    | Q 7    | player 0, banker 0, tie 8
K 3 7  | Q 6 4  | player 0, banker 0, tie 8
K 6    | Q 6    | player 0, banker 0, tie 8, tiger-tie 35
K A 5  | Q 4 2  | player 0, banker 0, tie 8, tiger-tie 35

K K 5  | Q 7    | banker 0.95/1, banker-small-7 15, player-pair 11, tiger-pair 4
K 7    | 3 3    | player 1, player-char-siu 10, player-small-7 15, banker-pair 11, tiger-pair 4
4 4    | K K    | player 1, player-pair 11, banker-pair 11, tiger-pair 20
K K 6  | Q Q 9  | banker 0.95/1, player-pair 11, banker-pair 11, tiger-pair 20
7 7 2  | 7 7 9  | player 1, big-buffalo 35, tiger-buffalo 6, player-pair 11, banker-pair 11, tiger-pair 100
K K 10 | K K J  | player 0, banker 0, tie 8, player-pair 11, banker-pair 11, tiger-pair 100
10 K 5 | J Q 7  | banker 0.95/1, banker-big-7 30
K 5 5  | Q 7    | banker 0.95/1, banker-small-7 15
"""


def rounds_table() -> list[tuple[str, str, dict[str, str]]]:
    """The rounds, each with the nets that are not -1."""
    rows = [[cell.strip() for cell in line.split("|")] for line in ROUNDS.split("\n") if line]
    return [
        (player, banker, dict(re.findall(r"([a-z0-9-]+) ([0-9./]+)", paid))) for player, banker, paid in rows
    ]


def expected_net(game_id: str, bet: str, paid: Mapping[str, str]) -> Fraction:
    """The net per unit that the table of rounds gives a bet."""
    with_commission, _, without = paid.get(bet, "-1").partition("/")
    return Fraction(without if without and game_id not in COMMISSION else with_commission)


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(("player", "banker", "paid"), rounds_table())
def test_every_bet_on_a_round(game_id: str, player: str, banker: str, paid: dict[str, str]) -> None:
    bets = list(documents.BETS[game_id])
    settlement = settled(game_id, player, banker, dict.fromkeys(bets, "100"))
    expected = {bet: 100 * expected_net(game_id, bet, paid) for bet in bets}
    assert nets(settlement) == expected
    assert settlement.net == sum(expected.values())
    assert settlement.staked == 100 * len(bets)
    results = {-1: "lost", 0: "returned", 1: "won"}
    assert [line.result for line in settlement.lines] == [
        results[(net > 0) - (net < 0)] for net in expected.values()
    ]


@pytest.mark.parametrize("game_id", GAMES)
def test_the_rounds_show_every_line_of_every_pay_table_and_a_loss(game_id: str) -> None:
    for bet, (_, _, odds) in documents.BETS[game_id].items():
        lines = [line.replace(":", " ").replace("push", "0 1").split() for line in odds.split()]
        shown = {expected_net(game_id, bet, paid) for _, _, paid in rounds_table()}
        assert shown == {Fraction(profit) / Fraction(stake) for profit, stake in lines} | {Fraction(-1)}, bet


def test_the_rounds_name_no_bet_that_does_not_exist() -> None:
    named = {bet for _, _, paid in rounds_table() for bet in paid}
    assert named == set(documents.BETS[NONCOMMISSION_2025])
    assert len(named) == 20


@pytest.mark.parametrize(
    ("game_id", "line"),
    [
        (COMMISSION_2013, ("tie", "push", "3.9")),
        (COMMISSION_2024, ("tie", "push", "3.17")),
        (NONCOMMISSION_2024, ("tie", "push", "3.17")),
        (NONCOMMISSION_2025, ("tie", "push", "3.14")),
    ],
)
def test_a_returned_bet_cites_the_clause_on_ties(game_id: str, line: tuple[str, str, str]) -> None:
    (returned,) = settled(game_id, "K 9", "Q 9", {"banker": "10"}).lines
    assert (returned.outcome, returned.odds, returned.clause) == line


def test_a_line_says_which_line_of_the_pay_table_was_met() -> None:
    stakes = {"banker": "12.50", "tiger": "1", "tie": "1"}
    assert settled(NONCOMMISSION_2025, "K 5 J", "Q 2 4", stakes).lines == (
        StakeLine(
            id="banker",
            name="Banker",
            stake=Fraction("12.5"),
            outcome="Banker wins with 6",
            odds="1 to 2",
            net=Fraction("6.25"),
            clause="4.1.1",
        ),
        StakeLine(
            id="tiger",
            name="Tiger",
            stake=Fraction(1),
            outcome="three cards",
            odds="20 to 1",
            net=Fraction(20),
            clause="4.1.12",
        ),
        StakeLine(
            id="tie",
            name="Tie",
            stake=Fraction(1),
            outcome="loses",
            odds="",
            net=Fraction(-1),
            clause="4.1.2",
        ),
    )


# ---------------------------------------------------------------- void rounds

VOID_2024 = (
    "technical-interruption: 5.4.2, 5.16",
    "foreign-card: 5.5.1, 5.16",
    "wrong-deck: 5.5.2, 5.16",
    "wrong-number-of-cards: 5.5.3, 5.16",
    "insufficient-cards: 5.5.4, 5.16",
    "not-shuffled: 5.5.5, 5.16",
)
VOID = {
    COMMISSION_2013: (
        "foreign-card: 5.1, 5.1.1",
        "wrong-number-of-cards: 5.1, 5.1.2",
        "insufficient-cards: 5.1, 5.1.3",
    ),
    COMMISSION_2024: (*VOID_2024, "dealing-error: 5.12.3"),
    NONCOMMISSION_2024: (*VOID_2024, "dealing-error: 5.12.3"),
    NONCOMMISSION_2025: (*VOID_2024, "dealing-error: 5.13.3"),
}


CONTRADICTED = {
    "technical-interruption": [("K K", "7"), ("7 7", "7 7"), ("K 6", "Q 7")],  # pairs are decided
    "wrong-number-of-cards": [("K 6", "Q 7")],  # the round is over, as the Table of Play has it
    "insufficient-cards": [("K 6", "Q 7")],
}
"""Cards that contradict a procedure, all bets staked."""


@pytest.mark.parametrize("cards", [("", ""), ("K K", "7"), ("7 7", "7 7"), ("K 6", "Q 7")])
@pytest.mark.parametrize(
    ("game_id", "void"), [(game_id, void) for game_id in GAMES for void in VOID[game_id]]
)
def test_a_void_round_returns_every_bet(game_id: str, void: str, cards: tuple[str, str]) -> None:
    """Where the cards contradict the procedure, the round is not taken for void."""
    procedure, clauses = void.split(": ")
    stakes = {bet: Fraction(100) for bet in documents.BETS[game_id]}
    dealt = Round(parse_cards(cards[0]), parse_cards(cards[1]))
    if cards not in CONTRADICTED.get(procedure, []):
        settlement = settle(loaded(game_id), dealt, stakes, procedure=procedure)
        assert nets(settlement) == dict.fromkeys(stakes, Fraction(0))
        assert settlement.staked == 100 * len(stakes)
        lines = {(line.result, line.outcome, line.odds, line.clause) for line in settlement.lines}
        assert lines == {("returned", procedure, "", clauses)}
    elif procedure == "technical-interruption" and dealt.is_over:
        settlement = settle(loaded(game_id), dealt, stakes, procedure=procedure)
        assert nets(settlement) == nets(settle(loaded(game_id), dealt, stakes))
    else:
        with pytest.raises(InputError):
            settle(loaded(game_id), dealt, stakes, procedure=procedure)


@pytest.mark.parametrize("game_id", INSURED)
def test_a_void_round_returns_insurance_too(game_id: str) -> None:
    dealt = Round(parse_cards("K 6"), parse_cards("Q 5"))
    settlement = settle(
        loaded(game_id),
        dealt,
        {"player": Fraction(100)},
        {PLAYER_FOUR: Fraction(10)},
        procedure="insufficient-cards",
    )
    assert nets(settlement) == {"player": 0, "player@four-cards": 0}
    assert settlement.staked == 110


# ---------------------------------------------------------------- every insurance state


EVERY_COURSE = sorted(
    {drawn(p, b, fifth, sixth, PRINTED) for p, b, fifth, sixth in product(range(10), repeat=4)}, key=str
)
"""Every round by points: both two-card totals, and every card that either hand can draw."""


def hands_of(course: Course) -> tuple[str, str]:
    """Cards that make a course."""
    totals = (course.player, course.player_third), (course.banker, course.banker_third)
    player, banker = ([0, total, *(() if third is None else (third,))] for total, third in totals)
    return " ".join("KA23456789"[card] for card in player), " ".join("KA23456789"[card] for card in banker)


@pytest.mark.parametrize(
    ("game_id", "states"),
    [
        (COMMISSION_2013, 73),
        (COMMISSION_2024, 83),
        pytest.param(NONCOMMISSION_2024, 83, marks=pytest.mark.full),
    ],
)
def test_insurance_is_settled_in_every_state_and_refused_at_every_other_moment(
    game_id: str, states: int
) -> None:
    listed, settled_nets = offers(game_id), defaultdict[object, set[Fraction]](set)
    assert len(listed) == states
    for course in EVERY_COURSE:
        sign = (course.result[0] > course.result[1]) - (course.result[0] < course.result[1])
        for moment, side in product(moments(course, also_known=True), ("player", "banker")):
            state, is_open = (side, *moment), moment in moments(course)
            if (state, is_open, sign) in settled_nets:
                continue  # one round for each way in which a state can end
            insured = {Insured(Hand(side), Stage(moment[0])): "40"}
            bet = partial(settled, game_id, *hands_of(course), {side: "1000"}, insured, table_max="1000")
            if is_open and state in listed:
                odds, tie_pays = listed[state]
                due = insurance_sign(side, tie_pays, course)
                assert bet().lines[1].net == 40 * (odds if due > 0 else due), (state, course)
                settled_nets[state].add(odds if due > 0 else Fraction(due))
            else:
                with pytest.raises(InputError):
                    bet()
            settled_nets[state, is_open, sign].add(Fraction(0))
    for state, (odds, tie_pays) in listed.items():
        assert settled_nets[state] == ({odds, -1} if tie_pays else {odds, 0, -1}), state


@pytest.mark.parametrize(
    ("game_id", "hands", "side", "odds", "returned", "clause"),
    [
        (COMMISSION_2013, ("5 K 4", "4 K 5"), Hand.PLAYER, 8, "3.9", "4.1.3, starred note"),
        *((game, ("5 K 4", "4 K 5"), Hand.PLAYER, 10, "3.17", "4.2.1a") for game in PLUS),
        *((game, ("K 3 7", "Q 6 4"), Hand.BANKER, 10, "3.17", "4.2.1b") for game in PLUS),
    ],
)
def test_a_starred_line_pays_on_a_tie(
    game_id: str, hands: tuple[str, str], side: Hand, odds: int, returned: str, clause: str
) -> None:
    """On 9, or on 0; what was taken after four cards, on other totals, is returned."""
    insured = {Insured(side, stage): "10" for stage in (FOUR, THIRD)}
    settlement = settled(game_id, *hands, {side.value: "100"}, insured, table_max="1000")
    assert [line.net for line in settlement.lines] == [0, 0, 10 * odds]
    _, early, star = settlement.lines
    assert early.clause == returned
    assert (star.outcome, star.odds, star.result, star.clause) == ("tie", f"{odds} to 1", "won", clause)


@pytest.mark.parametrize("game_id", INSURED)
def test_in_the_other_reading_four_card_insurance_pays_on_a_tie_on_9_alone(game_id: str) -> None:
    other = loaded(game_id).reading("four-card-insurance-tie-on-9")
    for player, banker, net in (
        ("5 K 4", "4 K 5", 20 if game_id == COMMISSION_2013 else 15),
        ("5 K 3", "4 K 4", 0),
    ):
        settlement = settled("", player, banker, {"player": "100"}, {PLAYER_FOUR: "10"}, game=other)
        assert nets(settlement) == {"player": 0, "player@four-cards": net}


@pytest.mark.parametrize("game_id", INSURED)
@pytest.mark.parametrize(("banker", "outcome"), [("Q 5 2", "player loses"), ("Q 5 K", "player wins")])
def test_an_insurance_line_says_how_the_insured_hand_fared(game_id: str, banker: str, outcome: str) -> None:
    line = settled(game_id, "K 6", banker, {"player": "100"}, {PLAYER_FOUR: "20"}).lines[1]
    odds, clause = {
        COMMISSION_2013: ("3 to 1", "4.1.3"),
        COMMISSION_2024: ("5 to 2", "4.1.9"),
        NONCOMMISSION_2024: ("5 to 2", "4.1.8"),
    }[game_id]
    won = outcome == "player loses"
    assert line == StakeLine(
        id="player@four-cards",
        name="Player Insurance, four cards",
        stake=Fraction(20),
        outcome=outcome,
        odds=odds if won else "",
        net=Fraction(60 if game_id == COMMISSION_2013 else 50) if won else Fraction(-20),
        clause=clause,
    )


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize(
    ("hands", "insured"),
    [
        (("5 K 2", "4 K 5"), {PLAYER_FOUR: "50"}),  # 2 to 1
        (("5 K 2", "4 K 5"), {PLAYER_THIRD: "25"}),  # 4 to 1
        (("5 K 2", "4 K 5"), {PLAYER_FOUR: "30", PLAYER_THIRD: "10"}),  # 60 and 40
        (("4 K 7", "5 K 5"), {BANKER_FOUR: "15", BANKER_THIRD: "10"}),  # 2 to 1 and 7 to 1: 30 and 70
        (("K 5 4", "4 K 5"), {PLAYER_THIRD: "12.50"}),  # 8 to 1, starred
    ],
)
def test_in_2013_all_payouts_of_a_round_may_reach_the_original_bet_and_no_more(
    hands: tuple[str, str], insured: dict[Insured, str]
) -> None:
    (hand, _), *_ = insured
    stakes = {hand.value: "100"}
    assert len(settled(COMMISSION_2013, *hands, stakes, insured).lines) == 1 + len(insured)
    for what in insured:
        one_cent_more = {**insured, what: str(Fraction(insured[what]) + Fraction("0.01"))}
        refused("3.5.2", COMMISSION_2013, *hands, stakes, one_cent_more)
    refused("3.5.2", COMMISSION_2013, *hands, {hand.value: "99.99"}, insured)


def test_in_2013_the_payouts_on_the_two_hands_are_not_added_together() -> None:
    insured = {PLAYER_FOUR: "50", BANKER_THIRD: "10"}  # 2 to 1 on 100, 7 to 1 on 70
    stakes = {"player": "100", "banker": "70"}
    assert len(settled(COMMISSION_2013, "5 K 6", "4 K 3", stakes, insured).lines) == 4
    refused("3.5.2", COMMISSION_2013, "5 K 6", "4 K 3", stakes, {**insured, BANKER_THIRD: "10.01"})


@pytest.mark.parametrize("game_id", PLUS)
def test_in_2024_each_insurance_bet_may_reach_the_original_bet_and_no_more(game_id: str) -> None:
    stakes, at_the_limit = {"player": "100"}, {PLAYER_FOUR: "100", PLAYER_THIRD: "100"}
    settlement = settled(game_id, "5 K 2", "4 K 5", stakes, at_the_limit)
    assert nets(settlement) == {"player": -100, "player@four-cards": 150, "player@player-third-card": 400}
    for what in at_the_limit:
        refused("3.12.2", game_id, "5 K 2", "4 K 5", stakes, {**at_the_limit, what: "100.01"})


@pytest.mark.parametrize("game_id", PLUS)
@pytest.mark.parametrize(
    ("hands", "what", "hand"),
    [
        (("5 K 3", "4 K 5"), PLAYER_THIRD, "player"),  # 8 against 4
        (("5 K 4", "4 K 5"), PLAYER_THIRD, "player"),  # 9 against 4, starred
        (("4 K 7", "6 K 4"), BANKER_THIRD, "banker"),  # 1 against 6
        (("3 K 7", "6 K 4"), BANKER_THIRD, "banker"),  # 0 against 6, starred
    ],
)
def test_in_2024_a_bet_at_10_to_1_may_reach_a_quarter_of_the_table_maximum(
    game_id: str, hands: tuple[str, str], what: Insured, hand: str
) -> None:
    stakes = {hand: "400"}
    settlement = settled(game_id, *hands, stakes, {what: "250"}, table_max="1000")
    assert settlement.lines[1].net == 2500
    refused("3.12.2", game_id, *hands, stakes, {what: "250.01"}, table_max="1000")
    refused("3.12.2", game_id, *hands, {hand: "200"}, {what: "200.01"}, table_max="1000")
    refused("3.12.2", game_id, *hands, stakes, {what: "1"})  # the table maximum is not known


@pytest.mark.parametrize("game_id", PLUS)
def test_in_2024_the_table_maximum_limits_no_other_odds(game_id: str) -> None:
    at_6_to_1 = settled(game_id, "4 K 7", "A K 9", {"banker": "400"}, {BANKER_THIRD: "400"}, table_max="400")
    assert at_6_to_1.lines[1].net == 2400
    assert settled(game_id, "K 6", "Q 5 2", {"player": "400"}, {PLAYER_FOUR: "400"}).lines[1].net == 1000


def limit(
    caps: Caps,
    per: Per = Per.ROUND,
    share: str = "100%",
    *,
    of: Base = Base.ORIGINAL_BET,
    odds: str | None = None,
    procedure: str | None = None,
) -> Limit:
    return Limit(
        clause="1",
        caps=caps,
        per=per,
        share=Share.parse(share),
        of=of,
        odds=None if odds is None else Odds.parse(odds),
        procedure=procedure,
    )


Earlier = list[tuple[str, str]]


@pytest.mark.parametrize(
    ("limits", "earlier", "odds", "most"),
    [
        # Nothing holds it down.
        ([], [], "3 to 1", None),
        ([], [("1", "3 to 1")], "3 to 1", None),
        # Payouts of the round together.
        ([limit(Caps.PAYOUT)], [], "3 to 1", "1/3"),
        ([limit(Caps.PAYOUT)], [], "1.5 to 1", "2/3"),
        ([limit(Caps.PAYOUT)], [], "1 to 2", "2"),
        ([limit(Caps.PAYOUT)], [("1/6", "3 to 1")], "4 to 1", "1/8"),
        ([limit(Caps.PAYOUT)], [("1/6", "3 to 1"), ("1/8", "4 to 1")], "7 to 1", "0"),
        ([limit(Caps.PAYOUT)], [("1", "3 to 1")], "7 to 1", "0"),
        ([limit(Caps.PAYOUT, share="50%")], [], "4 to 1", "1/8"),
        # Payout and stake: what comes back in all.
        ([limit(Caps.PAYOUT_AND_STAKE)], [], "3 to 1", "1/4"),
        ([limit(Caps.PAYOUT_AND_STAKE)], [("1/8", "3 to 1")], "4 to 1", "1/10"),
        # Stakes, offer by offer or of the round together.
        ([limit(Caps.STAKE, Per.OFFER)], [], "5 to 2", "1"),
        ([limit(Caps.STAKE, Per.OFFER)], [("1", "5 to 2")], "10 to 1", "1"),
        ([limit(Caps.STAKE)], [("3/4", "5 to 2")], "10 to 1", "1/4"),
        ([limit(Caps.PAYOUT, Per.OFFER)], [("1/3", "3 to 1")], "4 to 1", "1/4"),
        # Only at some odds.
        ([limit(Caps.STAKE, odds="10 to 1", share="25%")], [], "10 to 1", "1/4"),
        ([limit(Caps.STAKE, odds="10 to 1", share="25%")], [("1", "4 to 1")], "10 to 1", "1/4"),
        ([limit(Caps.STAKE, odds="10 to 1", share="25%")], [], "4 to 1", None),
        ([limit(Caps.STAKE, odds="10 to 1", share="25%")], [("1/5", "20 to 2")], "10 to 1", "1/20"),
        # The tightest of several.
        ([limit(Caps.STAKE, Per.OFFER, "50%"), limit(Caps.PAYOUT)], [], "3 to 1", "1/3"),
        ([limit(Caps.STAKE, Per.OFFER, "20%"), limit(Caps.PAYOUT)], [], "3 to 1", "1/5"),
        # A cap by the table maximum, or under a procedure, is none of the original bet's.
        ([limit(Caps.STAKE, Per.OFFER, "25%", of=Base.TABLE_MAXIMUM)], [], "10 to 1", None),
        ([limit(Caps.PAYOUT, procedure="insurance-offered-late")], [], "10 to 1", None),
    ],
)  # fmt: skip
def test_what_may_still_be_staked(limits: list[Limit], earlier: Earlier, odds: str, most: str | None) -> None:
    """Per unit of the original bet; None: no limit holds."""
    bets = [(Fraction(stake), Odds.parse(at)) for stake, at in earlier]
    room = least_room(limits, Odds.parse(odds), bets)
    assert (None if room is None else room.stake) == (None if most is None else Fraction(most))


# ---------------------------------------------------------------- procedures with insurance


@pytest.mark.parametrize("game_id", PLUS)
@pytest.mark.parametrize(
    ("hands", "insured"),
    [
        (("K 6", "Q 5 2"), {PLAYER_FOUR: "40"}),  # 5 to 2
        (("5 K 2", "4 K 5"), {PLAYER_FOUR: "20", PLAYER_THIRD: "17.50"}),  # 3 to 2 and 4 to 1
        (("5 K 3", "4 K 5"), {PLAYER_THIRD: "10"}),  # 10 to 1
        (("4 K 7", "6 K 4"), {BANKER_FOUR: "20", BANKER_THIRD: "5"}),  # 5 to 2 and 10 to 1
    ],
)
def test_payouts_of_insurance_offered_late_may_reach_the_original_bet(
    game_id: str, hands: tuple[str, str], insured: dict[Insured, str]
) -> None:
    (hand, _), *_ = insured
    late, game = "insurance-offered-late", by_the_stakes(game_id)
    settlement = settled(game_id, *hands, {hand.value: "100"}, insured, procedure=late, game=game)
    assert sum(line.net for line in settlement.lines[1:]) == 100
    for what in insured:
        one_cent_more = {**insured, what: str(Fraction(insured[what]) + Fraction("0.01"))}
        refused("5.13.1", game_id, *hands, {hand.value: "100"}, one_cent_more, procedure=late, game=game)


@pytest.mark.parametrize(
    ("game_id", "clause"),
    [(COMMISSION_2013, "4.1.5"), (COMMISSION_2024, "3.14"), (NONCOMMISSION_2024, "3.14")],
)
def test_a_squeeze_waives_insurance_after_the_players_third_card_alone(game_id: str, clause: str) -> None:
    hands, stakes = ("5 K 2", "4 K 5"), {"player": "100"}
    settlement = settled(game_id, *hands, stakes, {PLAYER_FOUR: "10"}, procedure="squeeze")
    assert settlement.lines[1].net == (20 if game_id == COMMISSION_2013 else 15)
    refused(clause, game_id, *hands, stakes, {PLAYER_THIRD: "10"}, procedure="squeeze")


@pytest.mark.parametrize("game_id", PLUS)
@pytest.mark.parametrize("what", [PLAYER_FOUR, PLAYER_THIRD], ids=str)
def test_at_a_table_without_insurance_none_is_taken(game_id: str, what: Insured) -> None:
    hands, stakes = ("5 K 2", "4 K 5"), {"player": "100"}
    refused("4.2.2", game_id, *hands, stakes, {what: "10"}, procedure="insurance-not-offered")
    assert settled(game_id, *hands, stakes, procedure="insurance-not-offered").net == -100


@pytest.mark.parametrize("game_id", PLUS)
@pytest.mark.parametrize(
    ("hands", "meant", "player"),
    [
        (("K 6", "Q 5 2"), {PLAYER_FOUR: "10"}, 0),  # the Player Hand lost: the bet comes back
        (("K 6", "Q 5 K"), {PLAYER_FOUR: "10"}, 100),  # it won
        (("K 6", "Q 5 A"), {PLAYER_FOUR: "10"}, 0),  # a tie returns the bet anyway
        (("5 K 2", "4 K 5"), {PLAYER_THIRD: "10"}, 0),
        (("5 K 2", "4 K 5"), {}, -100),  # no insurance was meant
    ],
)
def test_insurance_that_was_forgotten_returns_the_bet_it_would_have_saved(
    game_id: str, hands: tuple[str, str], meant: dict[Insured, str], player: int
) -> None:
    settlement = settled(
        game_id, *hands, {"player": "100", "tie": "5"}, meant, procedure="insurance-forgotten"
    )
    tie = 40 if hands[1] == "Q 5 A" else -5
    assert nets(settlement) == {"player": player, "tie": tie}


@pytest.mark.parametrize("game_id", PLUS)
def test_forgotten_insurance_saves_only_the_hand_it_was_meant_for(game_id: str) -> None:
    stakes = {"player": "100", "banker": "10"}
    lost = settled(game_id, "4 K 7", "6 K 4", stakes, {BANKER_FOUR: "5"}, procedure="insurance-forgotten")
    assert nets(lost) == {"player": 100, "banker": 0}
    assert (lost.lines[1].outcome, lost.lines[1].result, lost.lines[1].clause) == (
        "insurance-forgotten",
        "returned",
        "5.13.2",
    )
    # The Player's bet is lost here, and no insurance of it was open.
    won = settled(game_id, "4 K 7", "6 K K", stakes, {BANKER_FOUR: "5"}, procedure="insurance-forgotten")
    assert nets(won) == {"player": -100, "banker": Fraction("9.5") if game_id in COMMISSION else 5}


# ---------------------------------------------------------------- without a stake

HANDS = [("K 6", "2 3 9"), ("5 K 2", "4 K 5"), ("9 K", "8 K"), ("A 2 K", "K 3 K"), ("6 K", "6 Q")]


@pytest.mark.parametrize(("player", "banker"), HANDS)
def test_every_bet_is_settled_as_if_it_were_staked_alone(player: str, banker: str) -> None:
    game, dealt = loaded(COMMISSION_2024), finished(player, banker)
    lines = {line.id: line for line in settle(game, dealt).lines}
    for bet in game.bets:
        assert (lines.pop(bet.id),) == settle(game, dealt, {bet.id: Fraction(1)}).lines
    for table in game.insurance:
        stakes = {table.side.value: Fraction(1000)}
        try:
            (_, line) = settle(
                game, dealt, stakes, {table.insured: Fraction(1)}, table_maximum=Fraction(10000)
            ).lines
        except InputError:
            continue  # not on offer: it must not be among the lines that are left
        assert lines.pop(str(table.insured)) == line
    assert not lines
