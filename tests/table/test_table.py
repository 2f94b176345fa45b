"""A whole table: worked examples written out by hand from the clauses, in every document, and the laws behind them.

The numbers of the examples: a minimum of 100, a maximum Differential of 10,000, unless one says otherwise.
"""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import load_game
from combinat.base.errors import FileError
from combinat.rules.game import Game
from combinat.rules.table_of_play import Hand
from combinat.table.differential import ShareReason, acceptances, shares
from combinat.table.gaming_table import ChipRounding, Chips, GamingTable, PlayerPlace
from combinat.table.table_file import parsed_table
from combinat.table.table_settlement import table_state
from tests.conftest import Run
from tests.documents import COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.paths import ROOT
from tests.table.tables import Stakes, cards, chips, settled_table, table_of, table_text, third

DOCUMENTS = (COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025)
every_document = pytest.mark.parametrize("game", [load_game(game) for game in DOCUMENTS], ids=DOCUMENTS)
ONE = load_game(NONCOMMISSION_2024)
OLD = load_game(COMMISSION_2013)

OF_A_BOX = "differential-of-the-table"
EACH_PLAYER = "minimum-for-each-player"
NOBODY_IN_THE_BOX = "under-minimum-one-player"
BY_RATIO = "pro-rata-to-the-limit"
BOTH_HANDS = "pro-rata-heavier-hand"

Boxes = Sequence[tuple[Stakes, Sequence[Stakes]]]


def these(*values: object) -> tuple[object, ...]:
    """Values side by side: whole numbers among them may be fractions."""
    return values


def taken(game: Game, boxes: Boxes) -> list[tuple[object, ...]]:
    """Before the close: taken, rejected and short of the minimum, stake by stake."""
    table = table_of(game, boxes, closed=False)
    return [(one.accepted, one.rejected, one.short) for one in acceptances(game, table)]


def at_stake(
    game: Game, boxes: Boxes, more: str = "", minimum: int = 100, maximum: int = 10_000
) -> list[object]:
    """After the close: what wins or loses, stake by stake."""
    return [
        share.at_stake
        for share in shares(game, table_of(game, boxes, more=more, minimum=minimum, maximum=maximum))
    ]


# ---------------------------------------------------------------- the documents


@pytest.mark.parametrize(
    ("game", "clauses"),
    [
        (COMMISSION_2024, "1.8 1.22 1.25 3.4 3.5 3.6 5.6 5.1 5.1.1 5.1.2 5.2 5.2.1 5.14"),
        (NONCOMMISSION_2024, "1.8 1.23 1.26 3.4 3.5 3.6 5.6 5.1 5.1.1 5.1.2 5.2 5.2.1 5.14"),
        (NONCOMMISSION_2025, "1.10 1.26 1.29 3.4 3.5 3.6 5.7 5.1 5.1.1 5.1.2 5.2 5.2.1 5.14"),
    ],
)
def test_where_each_document_says_it(game: str, clauses: str) -> None:
    """Typed a second time from the documents.

    In the order: Differential, seated, standing, displayed, duty, balance, closed, excess, pro rata, under the
    minimum, raised, unnoticed, position of chips.
    """
    limits = load_game(game).table_limits
    assert limits is not None
    stated = limits.clauses
    assert " ".join(getattr(stated, name) for name in stated.__struct_fields__) == clauses


def test_the_2013_document_has_no_such_limits() -> None:
    assert OLD.table_limits is None
    assert not {OF_A_BOX, NOBODY_IN_THE_BOX, BY_RATIO, BOTH_HANDS} & {one.id for one in OLD.interpretations}


@every_document
def test_the_register_has_what_the_clauses_leave_open(game: Game) -> None:
    answers = {entry: game.interpretation(entry).instead.practices for entry in (OF_A_BOX, NOBODY_IN_THE_BOX, BY_RATIO, BOTH_HANDS)}  # fmt: skip
    assert answers == {
        OF_A_BOX: {"differential": "box"},
        NOBODY_IN_THE_BOX: {"under_minimum": "box"},
        BY_RATIO: {"pro_rata": "by-ratio"},
        BOTH_HANDS: {"pro_rata": "both-hands"},
    }


# ---------------------------------------------------------------- 5.1: before the close

TAKEN: dict[str, tuple[list[str], Boxes, list[tuple[int, int, int]]]] = {
    "within the limits": (
        [],
        [({"banker": 6000, "tie": 50}, [{"banker": 4000}]), ({"player": 100}, [])],
        [(6000, 0, 0), (50, 0, 0), (4000, 0, 0), (100, 0, 0)],
    ),
    # 8000 + 3000 + 1000 is 2000 over: 1000 of the last standing player, 1000 of the one before.
    "standing players are rejected before seated ones": (
        [],
        [({"banker": 8000}, [{"banker": 3000}, {"banker": 1000}])],
        [(8000, 0, 0), (2000, 1000, 0), (0, 1000, 0)],
    ),
    "a seated player is rejected when no standing one is left": (
        [],
        [({"player": 12_000}, [{"player": 500}])],
        [(10_000, 2000, 0), (0, 500, 0)],
    ),
    # 12000 against 1500 is a Differential of 10500; the bet on the lighter hand is not touched.
    "bets on the other hand make room": (
        [],
        [({"banker": 8000}, [{"banker": 4000}]), ({"player": 1500}, [])],
        [(8000, 0, 0), (3500, 500, 0), (1500, 0, 0)],
    ),
    "side bets are no part of the Differential": (
        [],
        [({"banker": 10_000, "tie": 9000, "big-tiger": 9000}, [])],
        [(10_000, 0, 0), (9000, 0, 0), (9000, 0, 0)],
    ),
    "seated players of all boxes come before standing ones": (
        [],
        [({"banker": 5000}, [{"banker": 5000}]), ({"banker": 4000}, [])],
        [(5000, 0, 0), (1000, 4000, 0), (4000, 0, 0)],
    ),
    # 9000 in one box and 4000 in another are 3000 over at the table, and over in neither box.
    "two boxes, of the table": (
        [],
        [({"banker": 9000}, []), ({"banker": 4000}, [])],
        [(9000, 0, 0), (1000, 3000, 0)],
    ),
    "two boxes, each by itself": (
        [OF_A_BOX],
        [({"banker": 9000}, []), ({"banker": 4000}, [])],
        [(9000, 0, 0), (4000, 0, 0)],
    ),
    "both hands, of the table": (
        [],
        [({"banker": 11_000}, []), ({"player": 11_000}, [])],
        [(11_000, 0, 0), (11_000, 0, 0)],
    ),
    "both hands, each box by itself": (
        [OF_A_BOX],
        [({"banker": 11_000}, []), ({"player": 11_000}, [])],
        [(10_000, 1000, 0), (10_000, 1000, 0)],
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_taken_before_the_close(name: str) -> None:
    """Taken, rejected and short of the minimum, stake by stake."""
    readings, boxes, expected = TAKEN[name]
    assert taken(ONE.reading(*readings), boxes) == expected


@every_document
def test_the_clause_of_every_refusal_is_cited(game: Game) -> None:
    boxes: Boxes = [({"banker": 9800, "tie": 700}, [{"banker": 600}, {"player": 40}])]
    table = table_of(game, boxes, closed=False, more="[limits.bets]\ntie = { maximum = 500 }\n")
    assert [one.clauses for one in acceptances(game, table)] == [(), ("3.5",), ("5.1",), ("5.2",)]


# ---------------------------------------------------------------- 3.5: the maximum of a single bet


def test_what_is_over_the_maximum_of_a_bet_is_rejected_before_the_close_and_stands_after_it() -> None:
    """No clause cuts it after the close; the position of the chips decides (5.14)."""
    more = "[limits.bets]\ntie = { minimum = 10, maximum = 500 }\n"
    (one,) = acceptances(ONE, table_of(ONE, [({"tie": 700}, [])], closed=False, more=more))
    assert these(one.accepted, one.over_maximum, one.over_differential, one.short) == (500, 200, 0, 0)
    (share,) = shares(ONE, table_of(ONE, [({"tie": 700}, [])], more=more))
    assert these(share.at_stake, share.why, share.clause) == (700, ShareReason.OVER_MAXIMUM, "5.14")


def test_a_maximum_of_the_table_holds_for_each_bet_on_a_hand() -> None:
    text = table_text([({"banker": 6000, "tie": 6000}, [{"player": 5000}])], closed=False)
    table = parsed(text.replace("[limits]", "[limits]\nmaximum = 5000"))
    assert [one.accepted for one in acceptances(ONE, table)] == [5000, 6000, 5000]


def parsed(text: str) -> GamingTable:
    return parsed_table(text.encode(), ONE)


# ---------------------------------------------------------------- 5.2: under the minimum, before the close


@every_document
@pytest.mark.parametrize(
    ("boxes", "expected"),
    [
        ([({"banker": 60}, [])], (60, 0, 40, True)),
        # 9950 and 200 are 150 over; the 50 that are left are under the minimum, and the table is full.
        ([({"banker": 9950}, [{"banker": 200}])], (50, 150, 50, False)),
        # 40 are missing to the minimum, and 40 to the limit; with 9910, 30 are.
        ([({"banker": 9900}, [{"banker": 60}])], (60, 0, 40, True)),
        ([({"banker": 9910}, [{"banker": 60}])], (60, 0, 40, False)),
        # On the lighter hand there is room to raise.
        ([({"banker": 10_000}, [{"player": 60}])], (60, 0, 40, True)),
    ],
)
def test_a_bet_under_the_minimum_is_raised_where_there_is_room_or_withdrawn(
    game: Game, boxes: Boxes, expected: tuple[object, ...]
) -> None:
    *_, one = acceptances(game, table_of(game, boxes, closed=False))
    assert these(one.accepted, one.rejected, one.short, one.can_raise) == expected
    assert one.clauses == (("5.1", "5.2") if one.rejected else ("5.2",))


def test_a_side_bet_has_a_minimum_where_its_own_is_displayed() -> None:
    plain = table_of(ONE, [({"tie": 10, "big-tiger": 10}, [])], closed=False)
    shown = table_of(
        ONE, [({"tie": 10, "big-tiger": 10}, [])], closed=False, more="[limits.bets]\ntie = { minimum = 25 }"
    )
    assert [one.short for one in acceptances(ONE, plain)] == [0, 0]
    assert [one.short for one in acceptances(ONE, shown)] == [15, 0]


# ---------------------------------------------------------------- 5.1.1, 5.1.2, 5.2.1: after the close

SMALL_BET: Boxes = [({"banker": 11_950}, [{"banker": 50}])]
TWO_HANDS: Boxes = [({"banker": 1900}, [{"banker": 150, "player": 50}])]
LEAST_SHARE: Boxes = [({"banker": 11_900}, [{"banker": 100}])]
TWO_BOXES: Boxes = [({"banker": 6000}, [{"banker": 50}]), ({"banker": 8000}, [])]
THREE_BOXES: Boxes = [
    ({"banker": 20_000}, []), ({"banker": 12_000}, [{"player": 1000}]), ({"player": 500}, []),
]  # fmt: skip
FULL = (ShareReason.WHOLE, "5.14")
CUT, SMALL, WITHOUT = (
    (ShareReason.PRO_RATA, "5.1.1"),
    (ShareReason.AT_MINIMUM, "5.1.1"),
    (ShareReason.NO_PRO_RATA, "5.1.2"),
)
AT_STAKE: dict[str, tuple[list[str], Boxes, int, list[object], list[object]]] = {
    # 8000 and 4000 share 10000: two thirds and one third.
    "pro rata": (
        [],
        [({"banker": 8000, "tie": 50}, [{"banker": 4000}])],
        10_000,
        [third(20_000), 50, third(10_000)],
        [CUT, FULL, CUT],
    ),
    "the lighter hand makes room": (
        [],
        [({"banker": 12_000}, [{"player": 2000}])],
        10_000,
        [12_000, 2000],
        [],
    ),
    "the lighter hand is not cut": (
        [],
        [({"banker": 13_000}, [{"player": 2000}])],
        10_000,
        [12_000, 2000],
        [],
    ),
    "by ratio": ([BY_RATIO], [({"banker": 13_000}, [{"player": 2000}])], 10_000, [12_000, 2000], []),
    # 100 would come to 83 1/3: it keeps 100, and the other has the 9900 that are left.
    "no share is below the minimum": ([], LEAST_SHARE, 10_000, [9900, 100], [CUT, SMALL]),
    "no share is below the minimum, by ratio": (
        [BY_RATIO],
        LEAST_SHARE,
        10_000,
        [Fraction(29_750, 3), 100],
        [],
    ),
    # Of 500, first 100 is short; then 280 has 87.50 of the 400 left and is short too; 1000 has the last 300.
    "one share at the minimum pushes another to it": (
        [],
        [({"banker": 1000}, [{"banker": 280}, {"banker": 100}])],
        500,
        [300, 100, 100],
        [],
    ),
    # 50 stands (5.1.2); of the limit 9950 are left for the other, or by ratio 11950 x 10000 / 12000.
    "a player under the minimum is settled in full": ([], SMALL_BET, 10_000, [9950, 50], [CUT, WITHOUT]),
    "and by ratio": ([BY_RATIO], SMALL_BET, 10_000, [Fraction(11_950 * 10, 12), 50], []),
    "and nobody in the box is cut": ([NOBODY_IN_THE_BOX], SMALL_BET, 10_000, [11_950, 50], []),
    # 2050 against 50 is 2000: of the 1050 that may win or lose on the Banker, 150 stands and 900 is left.
    "all bets of a player with one under the minimum": (
        [],
        TWO_HANDS,
        1000,
        [900, 150, 50],
        [CUT, WITHOUT, WITHOUT],
    ),
    "nobody in the box of a player with one under it": (
        [NOBODY_IN_THE_BOX],
        TWO_HANDS,
        1000,
        [1900, 150, 50],
        [],
    ),
    "a small bet within the limit suspends nothing": (
        [],
        [({"banker": 500}, [{"banker": 150, "player": 50}])],
        1000,
        [500, 150, 50],
        [FULL, FULL, (ShareReason.UNNOTICED, "5.2.1")],
    ),
    # Box 1 stands in full with its 6050; of the 10000 that leaves 3950 for box 2.
    "a small bet suspends the pro rata of its box alone": (
        [NOBODY_IN_THE_BOX],
        TWO_BOXES,
        10_000,
        [6000, 50, 3950],
        [],
    ),
    "and each box by itself": ([NOBODY_IN_THE_BOX, OF_A_BOX], TWO_BOXES, 10_000, [6000, 50, 8000], []),
    # 12000 against 1000 is 11000: everything times 10/11.
    "both hands are cut by one ratio": (
        [BOTH_HANDS],
        [({"banker": 12_000}, [{"player": 1000}])],
        10_000,
        [Fraction(120_000, 11), Fraction(10_000, 11)],
        [],
    ),
    "each box by itself": ([OF_A_BOX], THREE_BOXES, 10_000, [10_000, 11_000, 1000, 500], []),
    "the whole table": (
        [],
        THREE_BOXES,
        10_000,
        [Fraction(11_500 * 5, 8), Fraction(11_500 * 3, 8), 1000, 500],
        [],
    ),
    "a bet under the minimum that nobody noticed": (
        [],
        [({"banker": 60}, [])],
        10_000,
        [60],
        [(ShareReason.UNNOTICED, "5.2.1")],
    ),
}
"""Readings, boxes, the maximum Differential; what is at stake, and why, where that is asserted."""


@pytest.mark.parametrize("name", AT_STAKE)
def test_what_is_at_stake_after_the_close(name: str) -> None:
    readings, boxes, maximum, expected, why = AT_STAKE[name]
    game = ONE.reading(*readings)
    closed = shares(game, table_of(game, boxes, maximum=maximum))
    assert [share.at_stake for share in closed] == expected
    assert not why or [(share.why, share.clause) for share in closed] == why


def test_when_all_are_at_the_minimum_the_limit_gives_way() -> None:
    boxes: Boxes = [({"banker": 5000}, [{"banker": 5000}, {"banker": 5000}])]
    assert at_stake(ONE, boxes, minimum=5000) == [5000, 5000, 5000]


def test_a_player_under_the_minimum_wins_and_loses_on_all_bets() -> None:
    dealt = table_of(ONE, TWO_HANDS, maximum=1000, more=cards("K 9", "K 8"))
    settlement = settled_table(ONE, dealt)
    assert [line.net for _, line in settlement.lines] == [-900, -150, 50]


# ---------------------------------------------------------------- whole chips


@pytest.mark.parametrize(("way", "left"), [("down", 6650), ("up", 6675), ("half-even", 6675)])
def test_a_share_is_rounded_to_whole_chips_as_stated(way: str, left: int) -> None:
    """6666 2/3 is between 266 and 267 chips of 25."""
    boxes: Boxes = [({"banker": 8000}, [{"banker": 4000}])]
    assert at_stake(ONE, boxes, more=chips(25, way))[0] == left
    assert shares(ONE, table_of(ONE, boxes, more=chips(25, way)))[0].exact == third(20_000)


def test_rounding_never_goes_below_the_minimum() -> None:
    """Of 10000, three bets of 4000 have 3333 1/3 each: with a minimum of 3300 and chips of 1100, 3300."""
    boxes: Boxes = [({"banker": 4400}, [{"banker": 4400}, {"banker": 4400}])]
    table = table_of(ONE, boxes, minimum=3300, maximum=9900, more=chips(1100, "down"))
    assert [share.at_stake for share in shares(ONE, table)] == [3300, 3300, 3300]


@pytest.mark.parametrize(("way", "net", "rounding"), [("down", 20, -5), ("up", 30, 5), ("half-even", 20, -5)])
def test_winnings_are_rounded_as_stated_and_it_is_said_in_whose_favour(
    way: str, net: int, rounding: int
) -> None:
    """Banker wins with 6: half of 50 is 25, two chips and a half of 10. Losses are whole chips by themselves."""
    more = f"{chips(10, way)}\n{cards('2 3 Q', 'A 2 3')}"
    settlement = settled_table(ONE, table_of(ONE, [({"banker": 50, "tie": 70}, [])], minimum=10, more=more))
    (_, won), (_, lost) = settlement.lines
    assert these(won.net, won.rounding) == (net, rounding)
    assert these(lost.net, lost.rounding) == (-70, 0)
    assert these(settlement.house, settlement.house_rounding) == (70 - net, -rounding)


@given(st.integers(-(10**6), 10**6), st.integers(1, 1000), st.integers(1, 97))
@settings(max_examples=50)
def test_rounding_is_to_a_neighbouring_chip(top: int, bottom: int, chip: int) -> None:
    amount = Fraction(top, bottom)
    low, high, near = (
        Chips(smallest=Fraction(chip), rounding=way).rounded(amount)
        for way in (ChipRounding.DOWN, ChipRounding.UP, ChipRounding.HALF_EVEN)
    )
    assert abs(low) <= abs(amount) <= abs(high) <= abs(low) + chip
    assert near == min((low, high), key=lambda one: (abs(one - amount), one / chip % 2))
    assert all(one / chip % 1 == 0 and one * amount >= 0 for one in (low, high, near))


# ---------------------------------------------------------------- the cards: every result, and the House's

# Player 2 3 Q is 5, Banker A 2 3 is 6 with three cards: Banker wins with 6, Big Tiger wins, all else loses.
HANDS = cards("2 3 Q", "A 2 3")


@pytest.mark.parametrize(
    ("game", "banker"),
    [(COMMISSION_2024, Fraction(95)), (NONCOMMISSION_2024, Fraction(50)), (NONCOMMISSION_2025, Fraction(50))],
)
def test_every_line_and_the_house(game: str, banker: Fraction) -> None:
    """100 on Banker pays by the document, 10 on Big Tiger 500, 200 on Player and 20 on Tie are lost."""
    loaded = load_game(game)
    boxes: Boxes = [({"banker": 100, "tie": 20}, [{"big-tiger": 10}]), ({"player": 200}, [])]
    settlement = settled_table(loaded, table_of(loaded, boxes, more=HANDS))
    assert [line.net for _, line in settlement.lines] == [banker, -20, 500, -200]
    assert settlement.by_bet == {"banker": -banker, "tie": 20, "big-tiger": -500, "player": 200}
    assert settlement.house == 220 - 500 - banker


def test_the_2013_table_is_settled_as_it_lies() -> None:
    """No limit, however large the bet; Banker wins 0.95 to 1."""
    table = table_of(OLD, [({"banker": 10**6}, []), ({"player": 1}, [])], minimum=None, more=HANDS)
    state = table_state(OLD, table)
    assert these(state.placed, state.left) == ((), ())
    assert [share.at_stake for share in state.shares] == [10**6, 1]
    assert state.settlement is not None
    assert state.settlement.house == 1 - 950_000


def test_a_cut_bet_wins_on_its_share_and_the_rest_comes_back() -> None:
    """13000 on Banker is cut to 10000, which wins half of it."""
    state = table_state(ONE, table_of(ONE, [({"banker": 13_000}, [])], more=HANDS))
    assert state.shares[0].returned == 3000
    assert state.settlement is not None
    assert [these(line.stake, line.net) for _, line in state.settlement.lines] == [(10_000, 5000)]
    assert state.left[0].difference == 10_000


INSURED = table_text([({"player": 1000}, [])], more=HANDS).replace(
    "{ player = 1000 } }", '{ player = 1000 }, insurance = { "player@player-third-card" = 400 } }'
)


def test_insurance_is_settled_and_no_limit_cuts_it() -> None:
    """Player stood at 5 against 3 with a card to come: 3 to 2, and Banker won. 4.1.8."""
    settlement = settled_table(ONE, parsed(INSURED))
    assert [these(line.id, line.net, line.clause) for _, line in settlement.lines] == [
        ("player", -1000, "4.1.1"),
        ("player@player-third-card", 600, "4.1.8"),
    ]


def test_insurance_is_held_against_the_bet_as_it_was_placed() -> None:
    """Of 12000 only 10000 can lose, but 12000 were placed, and may be insured."""
    text = INSURED.replace("player = 1000", "player = 12000").replace("= 400", "= 12000")
    settlement = settled_table(ONE, parsed(text))
    assert [line.net for _, line in settlement.lines] == [-10_000, 18_000]
    with pytest.raises(FileError, match=r"box 1, seated: .* is over the limit of 12000, .*3\.12\.2"):
        table_state(ONE, parsed(text.replace("= 12000 } }", "= 12001 } }")))


def test_insurance_at_10_to_1_is_held_against_the_maximum_displayed() -> None:
    """Player 5 4: K drawn to 8 is no case; 3 K 5 is 8 against 3: 10 to 1, at most 25 % of the maximum."""
    plain = table_text([({"player": 9000}, [])], more=cards("3 K 5", "A 2 K")).replace(
        "{ player = 9000 } }", '{ player = 9000 }, insurance = { "player@player-third-card" = 2500 } }'
    )
    text = plain.replace("[limits]", "[limits]\nmaximum = 10000")
    settlement = settled_table(ONE, parsed(text))
    assert settlement.lines[1][1].net == -2500
    with pytest.raises(FileError, match=r"over the limit of 2500, 25% of the .* \(3\.12\.2\)"):
        table_state(ONE, parsed(text.replace("= 2500", "= 2501")))
    with pytest.raises(FileError, match=r"box 1, seated: .*\(3\.12\.2\).*with limits\.maximum$"):
        table_state(ONE, parsed(plain))
    other = ONE.reading("quarter-of-the-maximum-bet")
    assert table_state(other, parsed(plain)).settlement is not None
    with pytest.raises(FileError, match=r"over the limit of 2500, 25% of the maximum differential"):
        table_state(other, parsed(plain.replace("= 2500", "= 2501")))


# ---------------------------------------------------------------- laws

amounts = st.integers(1, 400).map(lambda tens: tens * 10)
hands = st.sampled_from(["banker", "player"])
one_stake = st.builds(lambda hand, amount: {hand: amount}, hands, amounts)
some_boxes = st.lists(st.tuples(one_stake, st.lists(one_stake, max_size=3)), min_size=1, max_size=5)
limited = st.integers(1, 40).map(lambda tens: tens * 10)


def placed_in_turn(game: Game, table: GamingTable) -> list[Fraction]:
    """The second opinion on 5.1: the lighter hand first, then seated and standing players up to the limit."""
    maximum = table.limits.maximum_differential
    assert maximum is not None
    stakes = [(bettor, hand, bettor.stakes[hand]) for bettor in table.bettors for hand in bettor.stakes]
    total = {hand: sum(amount for _, on, amount in stakes if on == hand) for hand in ("banker", "player")}
    heavier = max(total, key=lambda hand: total[hand])
    room = min(total.values()) + maximum
    accepted = {number: amount for number, (_, on, amount) in enumerate(stakes) if on != heavier}
    for place in (PlayerPlace.SEATED, PlayerPlace.STANDING):
        for number, (bettor, on, amount) in enumerate(stakes):
            if on == heavier and bettor.place is place:
                accepted[number] = min(amount, Fraction(room))
                room -= accepted[number]
    return [accepted[number] for number in range(len(stakes))]


@given(some_boxes, limited)
@settings(max_examples=60)
def test_what_is_taken_is_what_placing_in_turn_would_take(boxes: Boxes, limit: int) -> None:
    table = table_of(ONE, boxes, closed=False, minimum=10, maximum=limit * 10)
    assert [one.accepted for one in acceptances(ONE, table)] == placed_in_turn(ONE, table)


def level(bets: Sequence[Fraction], floor: Fraction, total: Fraction) -> list[Fraction]:
    """The second opinion on 5.1.1: the ratio at which shares, none below the floor, come to the total.

    Between two ratios at which a bet reaches the floor the sum is linear, so the ratio is found there.
    """
    if floor * len(bets) >= total:
        return [floor] * len(bets)
    for reached in sorted({floor / bet for bet in bets}):
        above = [bet for bet in bets if floor / bet <= reached]
        ratio = (total - floor * (len(bets) - len(above))) / sum(above)
        shares_now = [max(floor, bet * ratio) for bet in bets]
        if sum(shares_now) == total:
            return shares_now
    raise AssertionError("no ratio")


@given(st.lists(amounts, min_size=1, max_size=6), limited, limited)
@settings(max_examples=60)
def test_shares_are_level_above_the_minimum_and_keep_the_limit(
    bets: list[int], minimum: int, limit: int
) -> None:
    maximum = max(minimum, limit * 4)
    boxes: Boxes = [({"banker": bets[0]}, [{"banker": bet} for bet in bets[1:]])]
    left = at_stake(ONE, boxes, minimum=minimum, maximum=maximum)
    small = [Fraction(bet) for bet in bets if bet < minimum]
    large = [Fraction(bet) for bet in bets if bet >= minimum]
    if sum(bets) <= maximum:
        assert left == bets
        return
    wanted = iter(level(large, Fraction(minimum), maximum - sum(small, Fraction(0))))
    assert left == [bet if bet < minimum else next(wanted) for bet in bets]


@given(
    readings=st.sampled_from([[], [OF_A_BOX], [BY_RATIO], [BOTH_HANDS], [NOBODY_IN_THE_BOX], [OF_A_BOX, BY_RATIO, NOBODY_IN_THE_BOX]]),
    boxes=some_boxes,
    minimum=limited,
    limit=limited,
)  # fmt: skip
@settings(max_examples=60)
def test_whatever_is_read_no_share_is_more_than_the_stake_or_less_than_the_minimum(
    readings: list[str], boxes: Boxes, minimum: int, limit: int
) -> None:
    game = ONE.reading(*readings)
    table = table_of(game, boxes, minimum=minimum, maximum=max(minimum, limit * 4), more=HANDS)
    state = table_state(game, table)
    for share in state.shares:
        assert min(share.wager.staked, Fraction(minimum)) <= share.at_stake <= share.wager.staked
    assert state.settlement is not None
    assert state.settlement.house == -sum(own.net for _, own in state.settlement.players)
    for placed, left in zip(state.placed, state.left, strict=True):
        if not placed.excess:
            assert placed == left
        assert left.room(Hand.BANKER) == 0 or left.banker - left.player < left.maximum


# ---------------------------------------------------------------- the command

EXAMPLE = str(ROOT / "docs" / "table.toml")


def test_what_every_other_reading_would_come_to(run: Run) -> None:
    """Each line is what following that reading gives; Banker and Player lie on the hands, the rest on side bets."""
    words = ["table", NONCOMMISSION_2024, EXAMPLE, "--format", "json"]
    record = run(*words, "--interpretations").document()
    assert [one["id"] for one in record["interpretations"]] == [
        OF_A_BOX,
        NOBODY_IN_THE_BOX,
        EACH_PLAYER,
        BY_RATIO,
        BOTH_HANDS,
    ]
    for one in record["interpretations"]:
        alone = run(*words, "--reading", one["id"]).document()
        assert alone["readings"] == [one["id"]]
        assert one["house"] == alone["settlement"]["house"]["net"]
        on = {
            hand: sum(Fraction(bet["at_stake"]) for bet in alone["bets"] if bet["bet"] == hand)
            for hand in ("banker", "player")
        }
        assert {hand: Fraction(amount) for hand, amount in one["at_stake"].items()} == on
    assert len({one["house"] for one in record["interpretations"]}) > 1


# ---------------------------------------------------------------- 5.2


BOXES = [
    ({"banker": 60, "player": 30}, [{"banker": 50}]),  # Banker 110 together, Player 30
    ({"banker": 40}, [{"banker": 30}]),  # 70 together: 30 are missing
]
STAKES = ["1 banker 60", "1 player 30", "1 banker 50", "2 banker 40", "2 banker 30"]


@pytest.mark.parametrize(
    ("readings", "short"), [((), [40, 70, 50, 60, 70]), ((EACH_PLAYER,), [0, 70, 0, 30, 30])]
)
def test_each_player_or_the_bets_of_a_box_together_meet_the_minimum(
    readings: tuple[str, ...], short: list[int]
) -> None:
    game = ONE.reading(*readings)
    placed: list[tuple[str, object]] = [
        (f"{one.wager.bettor.box} {one.wager.bet} {one.wager.staked}", one.short)
        for one in acceptances(game, table_of(game, BOXES, closed=False))
    ]
    assert placed == list(zip(STAKES, short, strict=True))


def test_what_nobody_noticed_is_under_the_minimum_of_its_box() -> None:
    """5.2.1: it wins or loses in full either way; the reason is another one."""
    own = [share.why for share in shares(ONE, table_of(ONE, BOXES))]
    assert own == [ShareReason.UNNOTICED] * 5
    other = shares(ONE.reading(EACH_PLAYER), table_of(ONE, BOXES))
    assert [share.why for share in other] == [
        ShareReason.WHOLE,
        ShareReason.UNNOTICED,
        ShareReason.WHOLE,
        ShareReason.UNNOTICED,
        ShareReason.UNNOTICED,
    ]
    assert all(share.at_stake == share.wager.staked for share in other)


def test_the_pro_rata_still_looks_at_each_player() -> None:
    """5.1.1 and 5.1.2 name a Player's bet under the minimum: 60 stands in full where 10,050 on Banker are cut to 10,000."""
    boxes = [({"banker": 60}, [{"banker": 9990}])]
    for read in (ONE, ONE.reading(EACH_PLAYER)):
        assert [share.at_stake for share in shares(read, table_of(read, boxes))] == [60, 9940]
