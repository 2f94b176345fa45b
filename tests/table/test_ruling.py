"""Rulings on incidents, against worked examples written out by hand from the clauses of each document.

Values of options and what is decided are held against the oracle, which deals every way to go on.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import Any

import pytest

from combinat import Shoe, ruling
from combinat.base.errors import InputError
from combinat.rules.bet import is_outcome
from combinat.rules.cards import format_cards, parse_cards
from combinat.rules.deal_space import decided_bets
from combinat.rules.insurance import Insured
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from combinat.table.ruling import IncidentRuling
from combinat.table.settlement import settle
from tests.documents import (
    BETS,
    COMMISSION_2013,
    COMMISSION_2024,
    GAMES,
    MODERN,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
    PLUS,
)
from tests.games import EIGHT, WORTH, loaded
from tests.oracle.dealer import deals, hands_of, points
from tests.oracle.settler import mean
from tests.table.tables import plainly


def ruled(
    game_id: str,
    incident: str,
    cards: str = "",
    *,
    lay: tuple[str, str] | None = None,
    shoe: str | None = None,
    stakes: dict[str, str] | None = None,
    reading: str | None = None,
    **options: Any,
) -> IncidentRuling:
    """The ruling on an incident at a table with a fresh shoe, or with this one."""
    game = loaded(game_id).reading(*([reading] if reading else []))
    player, banker = lay or (None, None)
    left = Shoe.parse(shoe) if shoe else EIGHT
    return ruling(game, incident, cards, left, player=player, banker=banker, stakes=stakes, **options)


def decided(made: IncidentRuling) -> dict[str, str]:
    """The bets that are decided, and how."""
    return {bet.id: bet.result for bet in made if bet.result is not None}


# ---------------------------------------------------------------- every incident of every document


@dataclass(frozen=True)
class Example:
    """An incident, and what follows from it by the clauses."""

    incident: str
    cards: str
    ruling: str
    clauses: str
    established: bool = False
    told: dict[str, Any] = field(default_factory=dict)
    hands: str = ""
    next_round: str = ""
    condition: str = ""
    decides: str = ""

    def __str__(self) -> str:
        return f"{self.incident} {self.cards} {self.told or ''}"


HOUSE = "the House, at {} discretion, on whether the cards can be reconstructed"
CANNOT = {"reconstructible": False}
NUMBER = "a hand has a wrong number of cards"


def modern(one_on: int, insured: bool) -> tuple[Example, ...]:
    """The incidents of 2024, and those of 2025, whose clauses are one further on from 5.6."""

    def clause(number: int, *parts: str) -> str:
        return ", ".join(f"5.{number + one_on}{part}" for part in parts)

    excess, side, up = clause(7, "", ".1"), clause(8, "", ".1", ".2"), clause(9, "")
    options = clause(12, "")
    house = HOUSE.format("reasonable" if one_on else "its absolute")
    third = {"lay": ("K 6 2", "Q 7")}  # 5.5.3: Player 6 stands on two cards, but a third was dealt to it
    last = {"shoe": "5=1 K=2 6=1"}  # 5.5.4: four cards are all that there were, and the Player Hand draws
    swapped = {"lay": ("5 K", "3 6")}
    # 5.10: options in any case; the Pit Supervisor decides the order.
    together = f"{clause(10, '', '.1', '.2')}, {options}"
    supervisor = "Pit Supervisor or above, on the order and on a new set of cards"
    # 5.11, and the clauses by which earlier rounds stand.
    stand = "5.12, 5.6" if one_on else "5.11, 5.5"
    manager = "Table Game Shift Manager or above, at reasonable discretion"
    pit = "Pit Manager or above"
    every = (
        # 5.4: the power fails after two cards, where every bet is open; after the third, which settles the Player Pair.
        Example("technical-interruption", "5 K", "void", "5.4.2, 5.16", hands="5/K"),
        Example("technical-interruption", "5 K K", "continue", "5.4.1", True, hands="5 K/K"),
        Example("technical-interruption", "K K 9 8", "continue", "5.4.1", True, hands="K 9/K 8"),
        Example("technical-interruption", "", "void", "5.4.2, 5.16", hands="/"),
        # 5.5: void, whatever lies on the table.
        Example("foreign-card", "K K 9 8", "void", "5.5.1, 5.16", True, hands="K 9/K 8"),
        Example("foreign-card", "", "void", "5.5.1, 5.16", hands="/"),
        Example("wrong-deck", "5 K", "void", "5.5.2, 5.16", hands="5/K"),
        Example("not-shuffled", "5", "void", "5.5.5, 5.16", hands="5/"),
        Example(
            "wrong-number-of-cards",
            "K Q 6 7 2",
            "void",
            "5.5.3, 5.16",
            False,
            {**third, **CANNOT},
            hands="K 6 2/Q 7",
            decides=house,
        ),
        Example(
            "wrong-number-of-cards",
            "K Q 6 7 2",
            "continue",
            f"5.5.3, {clause(7, '')}",
            True,
            third,
            hands="K 6/Q 7",
            next_round="2",
            decides=house,
        ),
        # Two cards to the Player Hand and none to the Banker Hand: the second belongs to the Banker.
        Example(
            "wrong-number-of-cards",
            "5 K",
            "options",
            f"5.5.3, {excess}, {options}",
            False,
            {"lay": ("5 K", "")},
            hands="5/K",
            decides=house,
        ),
        Example(
            "wrong-number-of-cards",
            "5 K",
            "void",
            "5.5.3, 5.16",
            False,
            CANNOT,
            hands="5/K",
            decides=house,
            condition=f"{NUMBER} and the cards cannot be reconstructed",
        ),
        Example("insufficient-cards", "5 K K 6", "void", "5.5.4, 5.16", False, last, hands="5 K/K 6"),
        # 5.7: a fifth card that nobody draws goes into the next round; all is decided.
        Example(
            "excess-cards",
            "K Q 6 7 2 9",
            "continue",
            clause(7, ""),
            True,
            hands="K 6/Q 7",
            next_round="2 9",
            decides=house,
        ),
        Example("excess-cards", "5 K", "options", f"{excess}, {options}", False, hands="5/K", decides=house),
        Example("exposed-cards", "5 K", "options", f"{excess}, {options}", False, hands="5/K", decides=house),
        # The fifth card, seen too early, is the Player's third.
        Example(
            "exposed-cards", "5 K K 6 7", "continue", clause(7, ""), True, hands="5 K 7/K 6", decides=house
        ),
        # 5.8: the second card lay at the Player's side. Once the third is dealt and the order known, play goes on.
        Example(
            "wrong-side",
            "5 K",
            "options",
            f"{side}, {options}",
            False,
            {"lay": ("K", "5")},
            hands="5/K",
            decides=house,
        ),
        Example("wrong-side", "5 K 3 6", "continue", side, True, swapped, hands="5 3/K 6", decides=house),
        Example(
            "wrong-side",
            "5 K 3 6",
            "options",
            f"{side}, {options}",
            True,
            {**swapped, **CANNOT},
            hands="5 K/3 6",
            decides=house,
        ),
        # 5.9
        Example("face-up", "5 K", "options", f"{up}, {options}", False, hands="5/K"),
        Example("face-up", "5 K K", "continue", up, True, hands="5 K/K"),
        Example("simultaneous-cards", "5 K", "options", together, False, hands="5/K", decides=supervisor),
        Example(
            "simultaneous-cards",
            "5 K K 6 7 3",
            "options",
            together,
            True,
            hands="5 K 7/K 6 3",
            decides=supervisor,
        ),
        Example("late-error", "K Q 6 7", "stands", stand, True, hands="K 6/Q 7"),
        # 5.12: any other dealing error.
        Example("dealing-error", "5 K", "options", options, False, hands="5/K"),
        # Bets that are placed, withdrawn or meant otherwise; what is shown; what nobody foresaw.
        Example("late-bet", "", "continue", f"3.8, {clause(6, '')}", hands="/"),
        Example("withdrawn-bet", "5 K", "continue", clause(6, ""), hands="5/K"),
        Example("misplaced-bet", "5 K", "continue", "5.14, 5.17", hands="5/K"),
        Example("wrong-display", "K Q 6 7", "continue", "5.15", True, hands="K 6/Q 7"),
        Example("unforeseen", "5", "discretion", "5.18", hands="5/", decides=manager),
        Example("walked-away", "5 K", "continue", "5.3, 5.3.1" if insured else "5.3", hands="5/K"),
    )
    of_insurance = (
        Example("silent-player", "K Q 6 5", "continue", "5.3", True, hands="K 6/Q 5"),
        Example("squeeze", "5 K K 4", "continue", "3.14", True, hands="5 K/K 4", decides="the House"),
        Example("insurance-not-offered", "", "continue", "4.2.2", hands="/", decides="the House"),
        Example("insurance-neglected", "K Q 6 5", "continue", "5.13.2", True, hands="K 6/Q 5", decides=pit),
    )
    return (*every, *of_insurance) if insured else every


OF_2013 = (
    Example("foreign-card", "K K 9 8", "void", "5.1, 5.1.1", True, hands="K 9/K 8"),
    Example("foreign-card", "5", "void", "5.1, 5.1.1", hands="5/"),
    Example(
        "wrong-number-of-cards", "K Q 6 7 2", "void", "5.1, 5.1.2", False,
        {"lay": ("K 6", "Q 7 2"), **CANNOT}, hands="K 6/Q 7 2",
    ),
    Example(
        "wrong-number-of-cards", "K Q 6 7 2", "continue", "5.1.2", True,
        {"lay": ("K 6", "Q 7 2")}, hands="K 6/Q 7", next_round="2",
    ),
    Example(
        "insufficient-cards", "5 K K 6", "void", "5.1, 5.1.3", False, {"shoe": "5=1 K=2 6=1"}, hands="5 K/K 6"
    ),
    Example("late-error", "K Q 6 7", "stands", "5.1.1, 5.1.2", True, hands="K 6/Q 7"),
    Example("late-bet", "5", "continue", "3.2, 5.2", hands="5/"),
    Example("withdrawn-bet", "5", "continue", "5.3", hands="5/"),
    Example("squeeze", "5 K K 4", "continue", "4.1.5", True, hands="5 K/K 4", decides="the House"),
)  # fmt: skip

EXAMPLES = {
    COMMISSION_2013: OF_2013,
    COMMISSION_2024: modern(0, insured=True),
    NONCOMMISSION_2024: modern(0, insured=True),
    NONCOMMISSION_2025: modern(1, insured=False),
}


@pytest.mark.parametrize("game_id", GAMES)
def test_every_incident_of_the_document_has_an_example(game_id: str) -> None:
    assert {example.incident for example in EXAMPLES[game_id]} == set(loaded(game_id).incident_ids)


@pytest.mark.parametrize(
    ("game_id", "example"),
    [(game_id, example) for game_id in GAMES for example in EXAMPLES[game_id]],
    ids=str,
)
def test_a_worked_example(game_id: str, example: Example) -> None:
    made = ruled(game_id, example.incident, example.cards, **example.told)
    assert made.ruling == example.ruling
    assert made.cited == example.clauses
    assert made.outcome_established is example.established
    assert f"{format_cards(made.dealt.player)}/{format_cards(made.dealt.banker)}" == example.hands
    assert format_cards(made.next_round) == example.next_round
    assert made.condition == example.condition
    assert made.procedure.decides == example.decides
    assert bool(made.options) == (example.ruling == "options")


@pytest.mark.parametrize("game_id", PLUS)
def test_the_options_after_a_dealing_error_have_their_clauses(game_id: str) -> None:
    made = ruled(game_id, "exposed-cards", "5 K")
    assert [(option.id, option.clause, option.is_open) for option in made.options] == [
        ("continue", "5.12.1", False),
        ("continue-reconstructed", "5.12.2", True),
        ("take-back", "5.12.3", True),
    ]
    beyond_repair = ruled(game_id, "exposed-cards", "5 K", reconstructible=False)
    assert [option.is_open for option in beyond_repair.options] == [True, False, True]
    of_2025 = ruled(NONCOMMISSION_2025, "exposed-cards", "5 K")
    assert [option.clause for option in of_2025.options] == ["5.13.1", "5.13.2", "5.13.3"]


# ---------------------------------------------------------------- an outcome is established


def representative(total: int, first: str) -> str:
    """A card that brings a first card to this total."""
    return WORTH[(total - points(first)) % 10]


@pytest.mark.parametrize("game_id", [COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025])
def test_the_third_card_always_decides_a_bet_of_every_layout(game_id: str) -> None:
    """Where there are no pairs: with Player 6 the bet on a 6 of three cards is lost, else that on two; so with 7."""
    game = loaded(game_id)
    for total in range(10):
        for first, banker in (("5", "K"), ("J", "9")):
            dealt = game.round(parse_cards(f"{first} {representative(total, first)}"), parse_cards(banker))
            results = decided_bets(game.bets, dealt)
            for layout in game.layouts:
                decided = [bet.id for bet in game.bets_on(layout.id) if is_outcome(results[bet.id])]
                assert decided, (total, layout.id)


@pytest.mark.parametrize("game_id", PLUS)
def test_insurance_is_never_open_before_an_outcome_of_the_layout(game_id: str) -> None:
    """So that 5.13.1 is out of reach while the available bets are those of the layout."""
    game = loaded(game_id)
    states = sorted({state.moment for state in game.offers if state.stage is Stage.FOUR_CARDS})
    assert len(states) > 10
    for _, player, banker in states:
        hands = (f"5 {representative(total, '5')}" for total in (player, banker))
        results = decided_bets(game.bets, game.round(*map(parse_cards, hands)))
        for layout in game.layouts:
            assert any(is_outcome(results[bet.id]) for bet in game.bets_on(layout.id))


def test_what_is_decided_hangs_on_the_layout() -> None:
    """Player K K, Banker 7: the pair has won; a 6, or a 7, of two cards is lost, and Tiger Pair has won at some odds."""
    a = ruled(NONCOMMISSION_2025, "technical-interruption", "K 7 K", layout="M")
    assert decided(a) == {"player-pair": "won"}
    p = ruled(NONCOMMISSION_2025, "technical-interruption", "K 7 K", layout="p")
    assert decided(p) == {"player-small-7": "lost", "tiger-pair": "won"}
    assert (a.layouts, p.layouts) == ((), ())
    every = ruled(NONCOMMISSION_2025, "technical-interruption", "K 7 K")
    assert set(every.layouts) == set("ABCDEFGHIJKLMNOPQR")


def test_a_shoe_without_the_cards_decides_early() -> None:
    """Only tens are left: after the first card, nothing can come but a tie on the tens."""
    made = ruled(COMMISSION_2013, "late-bet", "K", shoe="K=10")
    assert decided(made) == {
        "player": "returned", "banker": "returned", "tie": "won", "player-pair": "won", "banker-pair": "won",
    }  # fmt: skip
    assert made.outcome_established


def test_a_way_in_which_the_shoe_runs_out_keeps_a_bet_open() -> None:
    """Player 5 K, Banker K 6, one card left: a 6 or 7 makes the Banker draw in vain, and the round void."""
    made = ruled(COMMISSION_2024, "insufficient-cards", "5 K K 6", shoe="5=1 K=2 6=1 7=1")
    assert decided(made) == {}
    assert (made.condition, made.void) == ("", Fraction(1))
    mixed = ruled(COMMISSION_2024, "technical-interruption", "5 K K 6", shoe="5=1 K=2 6=1 7=1 9=1")
    assert mixed.void == 0  # two cards are enough
    # Banker K 7 stands against 5 K 6; Banker K 6 draws against 5 K 7, in vain.
    short = ruled(COMMISSION_2024, "insufficient-cards", "5 K K", shoe="5=1 K=2 6=1 7=1")
    assert (short.void, short.condition) == (Fraction(1, 2), "the shoe cannot finish the round")
    assert decided(short) == {}  # a pair that is lost comes back in a void round


def test_bets_that_stand_in_a_void_round_are_decided_under_the_other_reading() -> None:
    reading = "unfinished-round-void"
    made = ruled(COMMISSION_2024, "technical-interruption", "5 K K 6", shoe="5=1 K=2 6=1", reading=reading)
    assert decided(made)["player-pair"] == "lost"
    assert made.outcome_established


# ---------------------------------------------------------------- what options are worth


@pytest.mark.parametrize("game_id", [COMMISSION_2024, NONCOMMISSION_2025])
@pytest.mark.parametrize(
    ("cards", "lay"),
    [("5 K 3 6", ("5 K", "3 6")), ("2 4 K 3 6", ("K 4 6", "2 3")), ("7 9 K A", ("7 A", "K 9"))],
)
def test_each_option_of_cards_on_the_wrong_side_is_worth_what_follows_from_it(
    game_id: str, cards: str, lay: tuple[str, str]
) -> None:
    made = ruled(game_id, "wrong-side", cards, lay=lay, reconstructible=False)
    as_it_is, reconstructed, back = made.options
    left = EIGHT.minus(cards)
    order = cards.split()
    by_order = plainly(game_id, " ".join((order[0], order[2], *order[4:5])), " ".join(order[1:4:2]), left)
    as_it_lay = plainly(game_id, *lay, left)
    for bet in BETS[game_id]:
        assert as_it_is.value(bet) == as_it_lay[bet][0]
        assert reconstructed.value(bet) == by_order[bet][0]
        assert back.value(bet) == 0
    assert [option.is_open for option in made.options] == [True, False, True]
    for choice in made.choices:
        assert choice.bet is not None
        value = as_it_lay[choice.bet][0]
        assert choice.cost == abs(value)
        assert choice.best == (("continue",) if value > 0 else ("take-back",) if value < 0 else ("continue", "take-back"))  # fmt: skip


def test_hands_that_no_table_deals_have_no_value() -> None:
    """By their order Player 2 draws a 6 against 7; as they lay, a natural 9 has a third card, and nothing says how it goes on."""
    made = ruled(COMMISSION_2024, "wrong-side", "2 7 K 10 6", lay=("2 7 6", "K 10"), reconstructible=False)
    assert [option.value("player") for option in made.options] == [None, Fraction(1), Fraction(0)]
    assert {(choice.best, choice.cost) for choice in made.choices} == {((), None)}


@pytest.mark.parametrize("game_id", [COMMISSION_2024, NONCOMMISSION_2025])
@pytest.mark.parametrize(
    ("cards", "together"), [("5 K K 6 7 3", 2), ("5 K K 6 2", 2), ("5 9 2 6 K", 3), ("A 4 4 J", 2)]
)
def test_every_order_of_cards_that_came_together_is_valued(game_id: str, cards: str, together: int) -> None:
    shoe = "A=2 4=3 5=2 6=2 7=2 9=1 2=1 3=1 J=1 K=3"
    made = ruled(game_id, "simultaneous-cards", cards, together=together, shoe=shoe)
    first, last = cards.split()[:-together], cards.split()[-together:]
    orders = list(dict.fromkeys(permutations(last)))
    *by_order, back = made.options
    dealt = [len(option.dealt.player) + len(option.dealt.banker) for option in by_order if option.dealt]
    assert [len(option.next_round) for option in by_order] == [len(cards.split()) - used for used in dealt]
    assert [tuple(map(str, option.order)) for option in by_order] == orders
    left = Shoe.parse(shoe).minus(cards)
    worth: dict[str, list[Fraction]] = {bet: [] for bet in BETS[game_id]}
    for option, order in zip(by_order, orders, strict=True):
        player, banker = (" ".join(hand) for hand in hands_of([*first, *order]))
        for bet, (value, _) in plainly(game_id, player, banker, left).items():
            assert option.value(bet) == value
            worth[bet].append(value)
    for bet, values in worth.items():
        assert made.difference(bet) == max(values) - min(values)
    assert {back.value(bet.id) for bet in made.bets} == {0}
    assert len(made.choices) == len(orders) * len(BETS[game_id])


def test_what_an_order_that_matters_costs() -> None:
    """5 K K 6, then 7 and 3 together: Player 2 against Banker 9, or Player 8 against a Banker who stands on 6."""
    made = ruled(
        NONCOMMISSION_2025,
        "simultaneous-cards",
        "5 K K 6 7 3",
        layout="P",
        stakes={"player": "100", "tiger": "10"},
    )
    assert [str(option.dealt) for option in made.options[:2]] == [
        "Player 5 K 7, Banker K 6 3",
        "Player 5 K 3, Banker K 6",
    ]
    assert [option.worth(made.report.stakes) for option in made.options] == [-110, 90, 0]
    assert made.difference("player") == 2
    choices = {(choice.bet, format_cards(choice.order)): choice for choice in made.choices}
    assert choices["player", "7 3"].best == ("take-back",)
    assert choices["player", "3 7"].best == ("continue-2",)
    assert choices["player", "3 7"].money == 100
    assert "player-pair" not in made


def test_the_shoe_may_be_replaced_after_cards_came_together() -> None:
    """5.10.2: a new set of cards is whole, whatever lies on the table."""
    new_set = Shoe.of_decks(4)
    made = ruled(COMMISSION_2024, "simultaneous-cards", "5 K K 6", new_set=new_set)
    assert made.shoe == new_set
    for option, hands in zip(made.options, (("5 K", "K 6"), ("5 6", "K K")), strict=False):
        for bet, (value, _) in plainly(COMMISSION_2024, *hands, new_set).items():
            assert option.value(bet) == value


def test_stakes_are_valued_in_money() -> None:
    stakes = {"player": "100", "banker": "50"}
    made = ruled(NONCOMMISSION_2024, "dealing-error", "5 7", stakes=stakes, shoe="5=2 7=2 K=4 2=1 8=1")
    player, banker = (
        plainly(NONCOMMISSION_2024, "5", "7", made.shoe)[bet][0] for bet in ("player", "banker")
    )
    assert player < 0 < banker
    _, go_on, back = made.options
    assert [go_on.worth(made.report.stakes), back.worth(made.report.stakes)] == [
        100 * player + 50 * banker,
        0,
    ]
    assert [choice.money for choice in made.choices if choice.bet in stakes] == [-100 * player, 50 * banker]
    assert [bet.stake for bet in made.staked] == [100, 50]


@pytest.mark.parametrize("game_id", PLUS)
def test_cards_dealt_face_up_lie_as_they_were_drawn(game_id: str) -> None:
    """Nothing is reconstructed: players go on with the hand as it is (5.12.1) or have the bet returned."""
    made = ruled(game_id, "face-up", "5 K")
    assert [(option.id, option.is_open) for option in made.options] == [
        ("continue", True),
        ("continue-reconstructed", False),
        ("take-back", True),
    ]
    assert {best for choice in made.choices for best in choice.best} == {"continue", "take-back"}
    one_too_many = ruled(game_id, "dealing-error", "K Q 6 7 2")
    assert [option.is_open for option in one_too_many.options] == [False, True, True]


# ---------------------------------------------------------------- insurance that was not offered


@pytest.mark.parametrize("game_id", PLUS)
def test_neglected_insurance_after_an_outcome(game_id: str) -> None:
    """Player 6 stands, Banker draws a 2 to 7: the insurance at 5 to 2 would have won."""
    made = ruled(game_id, "insurance-neglected", "K Q 6 5 2", layout="C", stakes={"player": "100"})
    assert made.procedure.id == "insurance-forgotten"
    (one,) = made.neglected
    assert (one.offer.state.side, one.offer.odds, one.result, one.most) == (
        Hand.PLAYER,
        "5 to 2",
        "won",
        None,
    )
    open_still = ruled(game_id, "insurance-neglected", "K Q 6 5", layout="C").neglected[0]
    assert open_still.result is None
    # Of the 412 cards left 31 are sixes... the Banker Hand wins with A none, 2, 3, 4: 7, 8, 9; it ties with an Ace.
    assert open_still.offer.wins == Fraction(3 * 32, 412)


@pytest.mark.parametrize("game_id", PLUS)
@pytest.mark.parametrize(
    ("cards", "bet"), [("K 6 5 K 4", "banker"), ("K 6 5 K", "banker"), ("K Q 6 5", "player")]
)
def test_the_original_bet_comes_back_where_the_insurance_would_have_won(
    game_id: str, cards: str, bet: str
) -> None:
    """A bet on the hand that loses, insured, is worth 0 and not -1: settled on every way to go on (5.13.2)."""
    made = ruled(game_id, "insurance-neglected", cards, layout="A", stakes={bet: "100"})
    (one,) = made.neglected
    insured = Insured(one.offer.state.side, one.offer.state.stage)
    player, banker = (tuple(map(str, hand)) for hand in (made.dealt.player, made.dealt.banker))
    ends = deals(made.shoe.counts, player, banker)
    nets = Counter[Fraction]()
    for end, ways in ends.items():
        dealt = made.game.round(parse_cards(" ".join(end.player)), parse_cards(" ".join(end.banker)))
        stakes, meant = {bet: Fraction(1)}, {insured: Fraction(1, 100)}
        settlement = settle(made.game, dealt, stakes, meant, layout="A", procedure="insurance-neglected")
        nets[settlement.net] += ways
    total = mean(nets)
    assert (one.insured, one.original) == (bet, total)
    assert one.original_gain == 100 * total
    assert total > (made[bet].if_played or 0)


@pytest.mark.parametrize("game_id", PLUS)
def test_neglected_insurance_before_an_outcome_is_capped(game_id: str) -> None:
    """By the staked bets nothing is decided yet: a late offer, whose payout may not exceed the original bet (5.13.1)."""
    reading = "available-bets-of-the-layout"
    made = ruled(game_id, "insurance-neglected", "K Q 6 5", stakes={"player": "100"}, reading=reading)
    assert (made.procedure.id, made.outcome_established) == ("insurance-offered-late", False)
    (one,) = made.neglected
    assert one.most == Fraction(2, 5)  # at 5 to 2
    assert one.most_stake == 40


@pytest.mark.parametrize("game_id", [COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025])
def test_available_bets_may_be_read_as_those_that_are_staked(game_id: str) -> None:
    told: dict[str, Any] = {"reading": "available-bets-of-the-layout"}
    for bet, answer in (("player", "void"), ("player-pair", "continue")):
        for layout in (None, "A"):
            told |= {"layout": layout, "stakes": {bet: "1"}}
            made = ruled(game_id, "technical-interruption", "K 7 K", **told)
            assert (made.ruling, made.layouts) == (answer, ())


# ---------------------------------------------------------------- other readings of the options


def test_an_option_chosen_for_all_bets_together() -> None:
    """After a Player's 9 and a Banker's K: apart, Player goes on and Banker is taken back; together, the sum decides."""
    stakes, shoe = {"player": "100", "banker": "60", "tie": "10"}, "A=2 4=3 6=2 7=2 9=2 K=3"
    exposed = partial(ruled, COMMISSION_2024, "face-up", "9 K", layout="A", shoe=shoe)
    apart = exposed(stakes=stakes)
    assert {choice.bet: choice.best for choice in apart.choices if choice.bet in stakes} == {
        "player": ("continue",),
        "banker": ("take-back",),
        "tie": ("take-back",),
    }
    (together,) = exposed(stakes=stakes, reading="options-for-each-bet").choices
    values = plainly(COMMISSION_2024, "9", "K", apart.shoe)
    worth = sum(Fraction(stake) * values[bet][0] for bet, stake in stakes.items())
    assert worth > 0
    assert (together.bet, together.best, together.cost) == (None, ("continue",), worth)
    assert exposed(reading="options-for-each-bet").choices == ()


def test_an_option_chosen_for_all_bets_in_each_order() -> None:
    told: dict[str, Any] = {"stakes": {"player": "10", "banker": "10"}, "reading": "options-for-each-bet"}
    made = ruled(COMMISSION_2024, "simultaneous-cards", "9 K", **told)
    assert [choice.order for choice in made.choices] == [("9", "K"), ("K", "9")]
    for choice, option in zip(made.choices, made.options, strict=False):
        worth = option.worth(made.report.stakes)
        assert worth is not None
        assert choice.cost == abs(worth)


@pytest.mark.parametrize(
    ("cards", "early", "established"),
    [
        ("K 7 K", None, (True, False)),
        ("K 7 K", 2, (True, False)),
        ("K 7 K 2", 1, (True, True)),
        ("K 7", 1, (False, False)),
    ],
)
def test_whether_a_card_that_came_early_establishes_an_outcome(
    cards: str, early: int | None, established: tuple[bool, bool]
) -> None:
    """The third card settles the Player Pair: read otherwise, only when it is drawn in its turn."""
    exposed = partial(ruled, COMMISSION_2024, "exposed-cards", cards, layout="A", early=early)
    at_once, later = exposed(), exposed(reading="early-card-counts-at-once")
    assert (at_once.outcome_established, later.outcome_established) == established
    for made in (at_once, later):
        assert made.ruling == ("continue" if made.outcome_established else "options")
    assert [bet.if_played for bet in at_once] == [bet.if_played for bet in later]


def test_a_settlement_does_not_tell_which_cards_came_early() -> None:
    """Under the other reading the finished hands do not say whether an outcome was established before."""
    game = loaded(COMMISSION_2024)
    dealt = game.finished_round(parse_cards("K 9"), parse_cards("K 8"))
    stakes = {"player": Fraction(100)}
    assert settle(game, dealt, stakes, procedure="exposed-cards").net == 100
    read = game.reading("early-card-counts-at-once")
    with pytest.raises(InputError, match="every player chooses to go on"):
        settle(read, dealt, stakes, procedure="exposed-cards")
    after = settle(read, dealt, stakes, procedure="exposed-cards-after-outcome")
    assert after.net == 100


# ---------------------------------------------------------------- a hand with a wrong number of cards that cannot be reconstructed


WITH_OPTIONS = ("excess-cards", "exposed-cards", "wrong-side", "face-up", "dealing-error")
CARDS = "K 8 K K 5"


@pytest.mark.parametrize("game", MODERN)
@pytest.mark.parametrize("incident", WITH_OPTIONS)
def test_three_cards_where_two_belong_are_void(game: str, incident: str) -> None:
    made = ruling(game, incident, CARDS, player="K K 5", banker="8 K", reconstructible=False)
    assert (made.ruling, made.cited) == ("void", "5.5.3, 5.16")
    assert not made.options
    assert {bet.value for bet in made} == {0}


@pytest.mark.parametrize("game", MODERN)
def test_a_wrong_number_is_void_where_the_hands_as_they_lay_establish_an_outcome(game: str) -> None:
    """By order Player 2 6 (8) against Banker K 9 (9): over. As it lay, Player 2 K draws the last card: 3 cards for 2."""
    made = ruling(game, "excess-cards", "2 K 6 9 5", player="2 K 5", banker="6 9", reconstructible=False)
    assert made.outcome_established
    assert (made.ruling, made.cited) == ("void", "5.5.3, 5.16")


@pytest.mark.parametrize("game", MODERN)
@pytest.mark.parametrize("incident", ["excess-cards", "exposed-cards", "face-up", "dealing-error"])
def test_hands_that_are_not_known_have_no_value(game: str, incident: str) -> None:
    """The 5 may lie in a hand (void) or beside it (options): "as it is" has no value, so nothing is best or costs."""
    made = ruling(game, incident, CARDS, reconstructible=False, stakes={"player-pair": 100})
    assert made.ruling == "options"
    assert "both hands have the right number of cards" in made.condition
    assert "5.5.3" in made.condition
    as_it_is = made.options[0]
    assert (as_it_is.id, as_it_is.is_open, as_it_is.dealt, as_it_is.is_known) == (
        "continue",
        True,
        None,
        False,
    )
    assert {(choice.best, choice.cost) for choice in made.choices} == {((), None)}
    assert {choice.money for choice in made.choices} == {None}
