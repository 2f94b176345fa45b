"""Procedures: their conditions, and settlements that obey them."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from combinat import Shoe
from combinat.analysis.bets import bet_analysis
from combinat.analysis.round_in_progress import dealt_on, result_so_far
from combinat.base.errors import InputError
from combinat.engine.walk import walk
from combinat.rules.bet import Pay
from combinat.rules.cards import parse_cards
from combinat.rules.deal_space import decided_bets
from combinat.rules.insurance import Insured
from combinat.rules.procedure import Effect, Fact, Procedure
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand
from combinat.table.settlement import Settlement, settle
from tests.conftest import Run
from tests.documents import (
    COMMISSION_2013,
    COMMISSION_2024,
    GAMES,
    MODERN,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
    PLUS,
)
from tests.games import loaded

PLAYER_FOUR = Insured(Hand.PLAYER, Stage.FOUR_CARDS)
BY_THE_STAKES = "available-bets-of-the-layout"
"""The reading under whose other one the bets that were staked are the available ones."""
PLAYER_THIRD = Insured(Hand.PLAYER, Stage.PLAYER_THIRD_CARD)
LATE = {"insured": {PLAYER_FOUR: "10"}, "procedure": "insurance-offered-late"}


def settled(
    game_id: str,
    hands: tuple[str, str],
    stakes: dict[str, str],
    insured: dict[Insured, str] | None = None,
    *,
    procedure: str,
    layout: str | None = None,
    late: list[Insured] | None = None,
    reading: str | None = None,
) -> Settlement:
    """A settlement of a round in which something happened."""
    game = loaded(game_id)
    return settle(
        game.reading(reading) if reading else game,
        game.round(*map(parse_cards, hands)),
        {bet: Fraction(amount) for bet, amount in stakes.items()},
        {what: Fraction(amount) for what, amount in (insured or {}).items()},
        procedure=procedure,
        layout=layout,
        late=late,
    )


# ---------------------------------------------------------------- conditions


@pytest.mark.parametrize(
    ("only_if", "unless"),
    [
        ((), ()),
        ((Fact.OUTCOME,), ()),
        ((Fact.OUTCOME, Fact.RECONSTRUCTIBLE), ()),
        ((), (Fact.CARDS_MISSING,)),
        ((Fact.OUTCOME,), (Fact.CARDS_MISSING,)),
        ((Fact.OUTCOME, Fact.RECONSTRUCTIBLE), (Fact.CARDS_MISSING,)),
        ((), (Fact.CARDS_MISSING, Fact.RECONSTRUCTIBLE)),
        ((Fact.OUTCOME,), (Fact.CARDS_MISSING, Fact.RECONSTRUCTIBLE)),
    ],
)
def test_a_condition_that_is_not_known_is_what_every_way_of_knowing_it_agrees_on(
    only_if: tuple[Fact, ...], unless: tuple[Fact, ...]
) -> None:
    procedure = Procedure(
        id="x", clauses=("5",), when="So.", effect=Effect.SETTLED, only_if=only_if, unless=unless
    )
    facts = (Fact.OUTCOME, Fact.RECONSTRUCTIBLE, Fact.CARDS_MISSING)
    for known in product((True, False, None), repeat=3):
        ways = product(*((True, False) if fact is None else (fact,) for fact in known))
        holds = {
            all(way[facts.index(fact)] for fact in only_if)
            and not (unless and all(way[facts.index(fact)] for fact in unless))
            for way in ways
        }
        assert procedure.applies(dict(zip(facts, known, strict=True))) == (
            holds.pop() if len(holds) == 1 else None
        )


def test_conditions_in_words() -> None:
    game = loaded(COMMISSION_2024)
    assert {procedure.id: procedure.condition for procedure in game.procedures if procedure.condition} == {
        "technical-interruption": "no outcome is established",
        "technical-interruption-outcome": "an outcome is established",
        "wrong-number-of-cards": "a hand has a wrong number of cards and the cards cannot be reconstructed",
        "wrong-number-reconstructed": "a hand has a wrong number of cards and the cards can be reconstructed "
        "and no outcome is established",
        "wrong-number-after-outcome": "a hand has a wrong number of cards and the cards can be reconstructed "
        "and an outcome is established",
        "insufficient-cards": "the shoe cannot finish the round",
        "excess-cards": "no outcome is established",
        "excess-cards-after-outcome": "an outcome is established",
        "exposed-cards": "no outcome is established",
        "exposed-cards-after-outcome": "an outcome is established",
        "wrong-side": "either no outcome is established or the cards cannot be reconstructed",
        "wrong-side-after-outcome": "an outcome is established and the cards can be reconstructed",
        "face-up": "no outcome is established",
        "face-up-after-outcome": "an outcome is established",
        "insurance-offered-late": "no outcome is established",
        "insurance-forgotten": "an outcome is established",
    }


# ---------------------------------------------------------------- settlements


@pytest.mark.parametrize("game_id", MODERN)
def test_a_technical_interruption_after_an_outcome_does_not_return_a_won_bet(game_id: str) -> None:
    stakes = {"player": "100", "banker": "10", "tie": "5"}
    settlement = settled(game_id, ("K 9", "K 8"), stakes, procedure="technical-interruption")
    assert settlement.procedure is not None
    assert (settlement.procedure.id, settlement.procedure.clauses) == (
        "technical-interruption-outcome",
        ("5.4.1",),
    )
    assert [line.net for line in settlement.lines] == [100, -10, -5]
    assert {line.condition for line in settlement.lines} == {""}


@pytest.mark.parametrize(
    ("game_id", "hands", "stakes", "told"),
    [
        # The pair is decided by the third card, staked or on a layout that offers it: the round is played to its end.
        # So it is whichever layout is in use, for it decides a bet of every one.
        *(
            (game, ("K 5", "8"), {bet: "1"}, {"procedure": "technical-interruption"})
            for game in MODERN
            for bet in ("player-pair", "player")
        ),
        (
            NONCOMMISSION_2025,
            ("K 5", "8"),
            {"player": "1"},
            {"procedure": "technical-interruption", "layout": "A"},
        ),
        # Players choose: it is not settled for them.
        *((game, ("K 9", "K 8"), {"player": "1"}, {"procedure": "wrong-side"}) for game in MODERN),
        (COMMISSION_2024, ("K", "8"), {"player": "1"}, {"procedure": "face-up"}),
        (COMMISSION_2024, ("K", "8"), {"player": "1"}, {"procedure": "simultaneous-cards"}),
        (NONCOMMISSION_2025, ("K", "8"), {"player": "1"}, {"procedure": "excess-cards"}),
        # It is left to discretion.
        (COMMISSION_2024, ("K 9", "K 8"), {"player": "1"}, {"procedure": "unforeseen"}),
        # Insurance is offered late only where no outcome of any layout is established.
        *(
            (NONCOMMISSION_2024, ("K 6", "Q 5 2"), {"player": "100"}, {**LATE, "layout": layout})
            for layout in (None, *"ABCDEFGHIJK")
        ),
        # Late insurance must be offered, and staked.
        (
            COMMISSION_2024,
            ("K 6", "Q 5 2"),
            {"player": "100"},
            {**LATE, "procedure": "squeeze", "late": [PLAYER_FOUR]},
        ),
        (
            COMMISSION_2024,
            ("K 6", "Q 5 2"),
            {"player": "100"},
            {**LATE, "late": [PLAYER_THIRD], "reading": BY_THE_STAKES},
        ),
    ],
)
def test_what_a_procedure_does_not_settle_is_refused(
    game_id: str, hands: tuple[str, str], stakes: dict[str, str], told: dict[str, Any]
) -> None:
    """The wording is in ``tests/refusals.toml``."""
    with pytest.raises(InputError):
        settled(game_id, hands, stakes, **told)


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("procedure", ["insufficient-cards", "wrong-number-of-cards"])
def test_an_unfinished_round_is_void_under_the_condition_of_its_procedure(
    game_id: str, procedure: str
) -> None:
    (line,) = settled(game_id, ("5 K", "Q 6"), {"player": "1"}, procedure=procedure).lines
    assert (line.net, line.condition) == (Fraction(0), loaded(game_id).procedure(procedure).condition)


@pytest.mark.parametrize("game_id", MODERN)
def test_where_the_layout_would_tell_the_line_says_under_which_condition_it_holds(game_id: str) -> None:
    """Two layouts: one has the pair, which the third card decides, the other has not."""
    game = loaded(game_id)
    kept = {"player": ("A", "B"), "player-pair": ("A",)}
    bets = tuple(replace(bet, layouts=kept[bet.id]) for bet in game.bets if bet.id in kept)
    two = tuple(layout for layout in game.layouts if layout.id in "AB")
    game = replace(game, bets=bets, layouts=two)
    dealt = game.round(parse_cards("K 5"), parse_cards("8"))
    (line,) = settle(game, dealt, {"player": Fraction(1)}, procedure="technical-interruption").lines
    assert (line.result, line.condition) == ("returned", "no outcome is established")
    with pytest.raises(InputError, match="since an outcome is established"):
        settle(game, dealt, {"player-pair": Fraction(1)}, procedure="technical-interruption")
    (on_b,) = settle(
        game, dealt, {"player": Fraction(1)}, layout="B", procedure="technical-interruption"
    ).lines
    assert (on_b.result, on_b.condition) == ("returned", "")


@pytest.mark.parametrize("game_id", GAMES)
def test_a_hand_with_a_card_too_many_is_void_if_it_cannot_be_reconstructed(game_id: str) -> None:
    stakes = {"player": "1"}
    (line,) = settled(game_id, ("K 6 2", "Q 7"), stakes, procedure="wrong-number-of-cards").lines
    assert line.condition == "a hand has a wrong number of cards and the cards cannot be reconstructed"
    with pytest.raises(InputError, match="the third card 2 is against the Table of Play"):
        settled(game_id, ("K 6 2", "Q 7"), stakes, procedure="late-bet")


@pytest.mark.parametrize("game_id", MODERN)
@pytest.mark.parametrize(
    "procedure", ["late-error", "withdrawn-bet", "misplaced-bet", "wrong-display", "walked-away"]
)
def test_what_changes_nothing_is_settled_by_the_cards(game_id: str, procedure: str) -> None:
    (line,) = settled(game_id, ("K 9", "K 8"), {"player": "7"}, procedure=procedure).lines
    assert (line.net, line.condition) == (Fraction(7), "")


@pytest.mark.parametrize("game_id", PLUS)
@pytest.mark.parametrize("procedure", ["silent-player", "walked-away"])
def test_who_was_silent_takes_no_later_insurance(game_id: str, procedure: str) -> None:
    hands, stakes = ("5 K 2", "4 K 5"), {"player": "100"}
    settlement = settled(game_id, hands, stakes, {PLAYER_FOUR: "10"}, procedure=procedure)
    assert settlement.lines[1].net == 15
    with pytest.raises(InputError, match=f"not open under {procedure} .*: no further insurance in the round"):
        settled(game_id, hands, stakes, {PLAYER_THIRD: "10"}, procedure=procedure)


@pytest.mark.parametrize("game_id", PLUS)
def test_who_took_all_the_insurance_there_was_was_not_silent(game_id: str) -> None:
    """Player 6 and Banker 5 of two cards each: after the Player's third card nothing is offered."""
    hands, insured = ("K 6", "K 5 2"), {PLAYER_FOUR: "10"}
    assert settled(game_id, hands, {"player": "100"}, insured, procedure="walked-away").lines[1].net == 25
    with pytest.raises(InputError):
        settled(game_id, hands, {"player": "100"}, insured, procedure="silent-player")


def test_silence_may_be_read_to_forgo_that_offer_alone() -> None:
    game = loaded(COMMISSION_2024).reading("silent-player-forgoes-the-round")
    dealt = game.round(parse_cards("5 K 2"), parse_cards("4 K 5"))
    stakes, insured = {"player": Fraction(100)}, {PLAYER_THIRD: Fraction(10)}
    assert settle(game, dealt, stakes, insured, procedure="silent-player").lines[1].net == 40


@pytest.mark.parametrize("layout", [None, "A", "C"])
def test_an_interruption_by_the_staked_bets(layout: str | None) -> None:
    """Under the other reading the layout says nothing: where no staked bet is decided, all come back."""
    game = loaded(COMMISSION_2024).reading("available-bets-of-the-layout")
    dealt = game.round(parse_cards("K 5"), parse_cards("8"))
    (line,) = settle(
        game, dealt, {"player": Fraction(1)}, layout=layout, procedure="technical-interruption"
    ).lines
    assert (line.result, line.condition) == ("returned", "")


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("hands", [("5 K", "K 6"), ("K K", "2 2"), ("5 K 2", "4 K"), ("5 K", "K")])
def test_decided_bets_may_be_read_to_stand_where_the_shoe_ran_out(
    game_id: str, hands: tuple[str, str]
) -> None:
    """As they are valued in a shoe that has no more cards; a foreign card returns them all the same."""
    game = loaded(game_id).reading("unfinished-round-void")
    dealt = game.round(*map(parse_cards, hands))
    stakes = {bet.id: Fraction(1) for bet in game.bets}
    nets = {line.id: line.net for line in settle(game, dealt, stakes, procedure="insufficient-cards").lines}
    empty = walk(Shoe((0,) * 13), dealt)
    assert nets == {bet.id: bet_analysis(game, bet, empty).expected_value for bet in game.bets}
    assert nets["player-pair"] == (11 if hands[0] == "K K" else -1)
    foreign = settle(game, dealt, stakes, procedure="foreign-card")
    assert {line.net for line in foreign.lines} == {0}


def test_bets_of_a_void_game_may_be_read_to_stay(run: Run) -> None:
    words = [
        "settle",
        COMMISSION_2013,
        "--player",
        "5",
        "--stake",
        "player=10",
        "--procedure",
        "foreign-card",
    ]
    stays = "foreign-card, stays for the next round"
    assert stays not in run(*words).output()
    assert stays in run(*words, "--reading", "void-game-returns-bets").output()


# ---------------------------------------------------------------- late insurance


@pytest.mark.parametrize("game_id", PLUS)
def test_late_insurance_is_capped_and_timely_insurance_in_the_same_round_is_not(game_id: str) -> None:
    """Player 5 draws a 2 to 7, Banker 4 draws a 5 to 9. Four cards: 3 to 2; third card: 4 to 1, at most 25."""
    hands, stakes = ("5 K 2", "4 K 5"), {"player": "100"}
    insured = {PLAYER_FOUR: "100", PLAYER_THIRD: "25"}  # payouts of 150 and 100
    told = {"procedure": "insurance-offered-late", "reading": BY_THE_STAKES}
    settlement = settled(game_id, hands, stakes, insured, late=[PLAYER_THIRD], **told)
    assert [line.net for line in settlement.lines] == [-100, 150, 100]
    assert [line.condition for line in settlement.lines] == ["", "", ""]
    for late, over in (([PLAYER_THIRD], {PLAYER_THIRD: "25.01"}), (None, {})):
        with pytest.raises(InputError, match=r"over the limit of 100, 100% of the original bet \(5\.13\.1\)"):
            settled(game_id, hands, stakes, insured | over, late=late, **told)


def test_the_incident_tells_its_procedure_where_the_cards_do() -> None:
    hands, stakes, meant = ("K 6", "Q 5 2"), {"player": "100"}, {PLAYER_FOUR: "10"}
    for layout in (None, "C"):
        forgotten = settled(
            COMMISSION_2024, hands, stakes, meant, procedure="insurance-neglected", layout=layout
        )
        assert (forgotten.lines[0].outcome, forgotten.lines[0].result) == ("insurance-forgotten", "returned")
    late = settled(
        COMMISSION_2024,
        ("5 K 2", "4 K 5"),
        stakes,
        meant,
        procedure="insurance-offered-late",
        reading=BY_THE_STAKES,
    )
    assert late.lines[1].net == 15


# ---------------------------------------------------------------- what is decided


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(
    "cards", ["", "6", "K 8", "5 K K", "9 6 9", "K Q 6 5", "2 2 2 2", "5 4 K K 7", "A A K 6 6"]
)
def test_what_any_cards_decide_is_what_a_large_shoe_decides(game_id: str, cards: str) -> None:
    """Settlement asks without a shoe; the ruling counts every way that a shoe has."""
    game, shoe = loaded(game_id), Shoe.of_decks(8).minus(cards)
    rounds, _ = dealt_on(game.round(), parse_cards(cards))
    counted = walk(shoe, rounds[-1])
    assert decided_bets(game.bets, rounds[-1]) == {
        bet.id: result_so_far(bet_analysis(game, bet, counted)) for bet in game.bets
    }


@pytest.mark.parametrize(
    ("is_pair", "first", "decided"), [(False, "K", None), (True, "K", None), (True, "6 K", "lost")]
)
def test_cards_worth_the_same_may_be_a_pair_or_not(is_pair: bool, first: str, decided: str | None) -> None:
    """A bet on two cards worth 0 that are, or are not, of one rank: a King first, it is open either way."""
    pay = Pay.of("9 to 1", player_pair=is_pair, player_points=0, player_cards=2)
    bet = replace(loaded(COMMISSION_2013).bet("tie"), id="nought", pays=(pay,))
    assert decided_bets([bet], Round(parse_cards(first)))["nought"] == decided
