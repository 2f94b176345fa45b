"""Game protection in a report: the verdict on a bet, and its sentence."""

from dataclasses import replace
from fractions import Fraction

from combinat import Shoe, load_game
from combinat.certify.dossier import Dossier, Volume
from combinat.protection import summary
from combinat.protection.ceiling import USUAL_DEALING
from combinat.protection.inputs import LIMIT
from combinat.protection.summary import Beaten, BetProtection, protection
from combinat.report.protection import protection as shown
from combinat.rules import bounds
from tests.conftest import SMALL_BOOK


def by_bet(dossier: Dossier) -> dict[str, BetProtection]:
    return {one.bet: one for one in dossier.protection}


def gaining(one: BetProtection, gain: Fraction) -> BetProtection:
    """The bet with a count that gains this at every depth."""
    depths = tuple(replace(depth, gain=gain) for depth in one.count.depths)
    return replace(one, count=replace(one.count, depths=depths))


def test_a_verdict_follows_from_the_figures(small_dossier: Dossier) -> None:
    six = by_bet(small_dossier)["six"]
    anyone = replace(six, expected_value=Fraction(1, 1000))
    assert (anyone.beaten, anyone.beaten_from) == (Beaten.ANYONE, 104)
    usual = six.shoe_ceilings[0]
    assert usual.gain > LIMIT
    within = (replace(usual, gain=LIMIT), *six.shoe_ceilings[1:])
    assert replace(six, shoe_ceilings=within).beaten is Beaten.NO_ONE
    slight = gaining(six, summary.ROUND_LIMIT)
    assert (slight.beaten, slight.beaten_from) == (Beaten.COMPOSITION, summary.PERFECT_LEFT)
    unknown = replace(slight, perfect=None)
    assert (unknown.beaten, unknown.beaten_from) == (Beaten.OPEN, None)


def test_insurance_has_a_verdict_too(small_dossier: Dossier) -> None:
    """On the small game some offers favour the player from the first round on; else the figures decide."""
    player, banker = small_dossier.insurance_protection
    assert (player.name, player.beaten, player.beaten_from) == ("player@four-cards", Beaten.ANYONE, 104)
    assert banker.beaten is Beaten.ANYONE
    counted = replace(player, by_cards=replace(player.by_cards, gain=Fraction(0)))
    assert (counted.beaten, counted.beaten_from) == (Beaten.COUNT, 52)
    depths = tuple(replace(depth, gain=summary.ROUND_LIMIT) for depth in player.count.depths)
    never = replace(counted, count=replace(player.count, depths=depths))
    assert (never.beaten, never.beaten_from) == (Beaten.COMPOSITION, summary.PERFECT_LEFT)
    within = (replace(never.shoe_ceilings[0], gain=LIMIT), *never.shoe_ceilings[1:])
    assert replace(never, shoe_ceilings=within).beaten is Beaten.NO_ONE
    slight = replace(never, perfect=replace(never.perfect, gain=summary.ROUND_LIMIT))
    assert (slight.beaten, slight.beaten_from) == (Beaten.OPEN, None)


def test_the_limits_in_words_are_the_limits() -> None:
    assert ("0.1 % of a stake", Fraction(1, 1000)) == (shown.OF_A_STAKE, summary.ROUND_LIMIT)
    assert ("a tenth of a unit", Fraction(1, 10)) == (shown.OF_A_UNIT, LIMIT)


def test_figures_of_one_bet_agree_with_each_other(small_dossier: Dossier) -> None:
    for one in small_dossier.protection:
        assert one.perfect is not None
        assert one.perfect.gain <= one.ceilings[0].gain
        assert one.ceilings[0].left == one.perfect.left == USUAL_DEALING.fewest_left()
        assert [at.gain for at in one.ceilings] == sorted((at.gain for at in one.ceilings), reverse=True)
        assert one.cut_card is not None
        assert one.cut_card >= USUAL_DEALING.least_cut()
        for depth in one.count.depths:
            ceiling = next(at.gain for at in one.ceilings if at.left == depth.left)
            assert 0 <= depth.gain <= ceiling
        assert one.count.depths[0].gain <= one.perfect.gain
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
