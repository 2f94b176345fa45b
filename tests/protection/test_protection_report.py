"""Game protection in a report: the verdict on a bet, and its sentence."""

from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from combinat import Shoe, load_game
from combinat.certify.dossier import Dossier, Volume
from combinat.protection import summary
from combinat.protection.ceiling import USUAL_DEALING
from combinat.protection.inputs import LIMIT
from combinat.protection.summary import Beaten, BetProtection, InsuranceProtection, protection
from combinat.report.protection import protection as shown
from combinat.rules import bounds
from tests.conftest import SMALL_BOOK

Wager = TypeVar("Wager", BetProtection, InsuranceProtection)


def by_bet(dossier: Dossier) -> dict[str, BetProtection]:
    return {one.bet: one for one in dossier.protection}


def gaining(one: Wager, gain: Fraction) -> Wager:
    """The wager with a count that gains this at every depth."""
    depths = tuple(replace(depth, gain=gain) for depth in one.count.depths)
    return replace(one, count=replace(one.count, depths=depths))


def within(one: Wager) -> Wager:
    """The wager with a ceiling at the limit."""
    assert one.shoe_ceilings[0].gain > LIMIT
    return replace(one, shoe_ceilings=(replace(one.shoe_ceilings[0], gain=LIMIT), *one.shoe_ceilings[1:]))


def test_a_verdict_follows_from_the_figures(small_dossier: Dossier) -> None:
    six = by_bet(small_dossier)["six"]
    slight = gaining(six, summary.ROUND_LIMIT)
    for one, beaten, beaten_from in (
        (replace(six, expected_value=Fraction(1, 1000)), Beaten.ANYONE, 104),
        (within(six), Beaten.NO_ONE, None),
        (slight, Beaten.COMPOSITION, summary.PERFECT_LEFT),
        (replace(slight, perfect=None), Beaten.OPEN, None),
    ):
        assert (one.beaten, one.beaten_from) == (beaten, beaten_from)


def test_insurance_has_a_verdict_too(small_dossier: Dossier) -> None:
    """On the small game some offers favour the player from the first round on; else the figures decide."""
    player, banker = small_dossier.insurance_protection
    assert (player.name, banker.beaten) == ("player@four-cards", Beaten.ANYONE)
    counted = replace(player, by_cards=replace(player.by_cards, gain=Fraction(0)))
    never = gaining(counted, summary.ROUND_LIMIT)
    for one, beaten, beaten_from in (
        (player, Beaten.ANYONE, 104),
        (counted, Beaten.COUNT, 52),
        (never, Beaten.COMPOSITION, summary.PERFECT_LEFT),
        (within(never), Beaten.NO_ONE, None),
        (replace(never, perfect=replace(never.perfect, gain=summary.ROUND_LIMIT)), Beaten.OPEN, None),
    ):
        assert (one.beaten, one.beaten_from) == (beaten, beaten_from)


def test_the_limits_in_words_are_the_limits() -> None:
    assert ("0.1 % of a stake", Fraction(1, 1000)) == (shown.OF_A_STAKE, summary.ROUND_LIMIT)
    assert ("a tenth of a unit", Fraction(1, 10)) == (shown.OF_A_UNIT, LIMIT)


def test_figures_of_one_bet_agree_with_each_other(small_dossier: Dossier) -> None:
    for one in small_dossier.protection:
        assert one.perfect is not None
        assert one.ceilings[0].left == one.perfect.left == USUAL_DEALING.fewest_left()
        assert [at.gain for at in one.ceilings] == sorted((at.gain for at in one.ceilings), reverse=True)
        assert one.cut_card is not None
        assert one.cut_card >= USUAL_DEALING.least_cut()
        ceilings = {at.left: at.gain for at in one.ceilings}
        assert all(0 <= depth.gain <= ceilings[depth.left] for depth in one.count.depths)
        assert one.count.depths[0].gain <= one.perfect.gain <= one.ceilings[0].gain
        assert (one.worst is None) == (one.best is None) == (one.first_order >= Fraction(1, 2))


def test_a_shoe_too_large_to_go_through_has_none() -> None:
    game = load_game(str(SMALL_BOOK))
    decks = bounds.COUNTED_CARDS // 52 + 1
    assert protection(game, Shoe.of_decks(decks), [decks]) == ()


def test_a_band_ends_where_all_is_won_or_lost() -> None:
    """Ten rounds at 2 to 1: the house can win 10 and lose 20, however wide a band would be."""
    volume = Volume(
        bet="six",
        rounds=10,
        expected_win=Fraction(1),
        sigma_squared=Fraction(25),
        most_win=Fraction(10),
        most_loss=Fraction(20),
    )
    bands = [(volume.below_squared(sigmas), volume.above_squared(sigmas)) for sigmas in (1, 2, 3)]
    assert bands == [tuple(map(Fraction, pair)) for pair in ((25, 25), (100, 81), (225, 81))]
    lower = replace(volume, most_loss=Fraction(13))
    assert lower.below_squared(3) == 196
