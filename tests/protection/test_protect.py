"""``combinat protect`` without dealing: proven bounds by cut card, and the shortest way of a newcomer to them."""

from collections import defaultdict
from fractions import Fraction
from functools import cache, partial

import pytest

from combinat import Game, Shoe, count, counts, load_game, protect
from combinat.engine.distribution import falling
from combinat.engine.walk import every_round
from combinat.protection.inputs import LIMIT, Tags
from combinat.protection.insurance_play import insurance_play
from combinat.protection.protect import Beaten, Proof, ProtectAnswer, WagerAtCut
from combinat.report.filing.protection import LIMIT_IN_WORDS
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2024

SMALL = str(SMALL_BOOK)


@pytest.fixture(scope="module")
def commission() -> dict[tuple[str, int], WagerAtCut]:
    return by_cut(protect(COMMISSION_2013, bets=["tie", "player-pair", "player@four-cards"]))


def by_cut(answer: ProtectAnswer) -> dict[tuple[str, int], WagerAtCut]:
    return {(one.id, at.cut_card): at for one in answer.wagers for at in one.cuts}


def test_a_newcomer_gets_there_in_one_command(run: Run) -> None:
    """Help states the question and the default cut cards; the answer is among the approved outputs."""
    shown = " ".join(run("protect", "--help").out.split())
    assert "Show which bets can be beaten with the cut card at 14, 26 or 52 cards" in shown
    assert "[default: 14,26,52]" in shown


@pytest.mark.parametrize("bet", ["six", "player@four-cards"])
def test_the_best_count_of_every_bet_is_that_of_each_bet_by_itself(bet: str) -> None:
    """Of all bets in one table, and beside the bounds that rest on it."""
    game = load_game(SMALL)
    shown = counts(SMALL, 26, decks=1).counts[bet]
    (wager,) = protect(SMALL, bets=[bet], decks=1).wagers
    assert wager.count == shown
    (at,) = shown.depths
    one = count(SMALL, bet, left=26, decks=1)
    (depth,) = one.depths
    assert one.tags == Tags(shown.tags)
    assert (at.left, at.bets_up, at.bets_down, at.chance, at.gain) == (
        *(26, depth.sides.bets_up, depth.sides.bets_down),
        *(depth.sides.chance, depth.sides.gain),
    )
    on_table = 0 if bet == "six" else 4
    assert (at.unseen, (wager.offers is None, shown.explained is not None)) == (
        26 - on_table,
        (on_table == 0,) * 2,
    )
    if wager.offers is not None:
        (table,) = [one for one in game.insurance if str(one.insured) == bet]
        play = insurance_play(game, table, Shoe.of_decks(1))
        offers = wager.offers
        assert (offers.by_cards, offers.last_round) == (play.by_cards(), play.perfect(9))
        assert offers.by_totals.gain <= offers.by_cards.gain <= offers.last_round.gain


def test_the_verdicts_of_the_commission_game(commission: dict[tuple[str, int], WagerAtCut]) -> None:
    verdicts = {key: one.beaten for key, one in commission.items()}
    assert verdicts["tie", 26] is Beaten.NO_ONE
    assert verdicts["player-pair", 14] is Beaten.COMPOSITION
    assert verdicts["player-pair", 52] is Beaten.NO_ONE
    assert verdicts["player@four-cards", 52] is Beaten.ANYONE
    assert verdicts["tie", 14] is Beaten.OPEN
    proofs = [commission[key].proof for key in (("player-pair", 52), ("tie", 26), ("player@four-cards", 26))]
    assert proofs == [Proof.EXACT, Proof.COUNT, Proof.VARIANCE]


def test_exact_play_settles_verdicts_that_a_count_leaves_open() -> None:
    """With 14 cards left every composition by points is gone through; one card decides insurance after the third card."""
    for bet, cut in (
        ("tiger-buffalo", 14),
        ("player@player-third-card", 26),
        ("banker@player-third-card", 14),
    ):
        ((_, at),) = by_cut(protect(NONCOMMISSION_2024, bets=[bet], cut_card=cut)).items()
        assert (at.beaten, at.count_gain < at.perfect_gain) == (Beaten.COMPOSITION, True)


def test_bounds_are_in_order_and_fall_with_the_cut_card(
    commission: dict[tuple[str, int], WagerAtCut],
) -> None:
    for (bet, cut), one in commission.items():
        assert 0 <= one.count_gain <= one.perfect_gain <= one.ceiling
        if cut > 14:
            before = commission[bet, 14 if cut == 26 else 26]
            assert (one.count_gain, one.ceiling) < (before.count_gain, before.ceiling)


def test_the_limit_of_a_report_is_that_of_protect() -> None:
    assert ("a tenth of a unit", Fraction(1, 10)) == (LIMIT_IN_WORDS, LIMIT)


def test_a_limit_decides_the_verdict() -> None:
    asked = partial(protect, SMALL, decks=1, bets=["six"], cut_card=14)
    ((one,),) = (wager.cuts for wager in asked().wagers)
    verdicts = {
        limit: asked(limit=limit).wagers[0].cuts[0].beaten
        for limit in (one.ceiling, one.perfect_gain, one.count_gain, one.count_gain / 2)
    }
    assert verdicts == {
        one.ceiling: Beaten.NO_ONE,
        one.perfect_gain: Beaten.OPEN,
        one.count_gain: Beaten.COMPOSITION,
        one.count_gain / 2: Beaten.COUNT,
    }


def exact_gains(game: Game, whole: Shoe, cut_card: int) -> dict[str, Fraction]:
    """The gain of perfect play in a shoe, over every order of its cards: one round after that of the cut card."""

    @cache
    def gains(shoe: Shoe) -> dict[str, Fraction]:
        worth, after = defaultdict[str, Fraction](Fraction), defaultdict[str, Fraction](Fraction)
        for ended, ways in every_round(shoe, game.round()):
            used = [*ended.player, *ended.banker]
            chance = Fraction(ways, falling(shoe.size, len(used)))
            later = gains(shoe.minus(used)) if shoe.size > cut_card else {}
            for bet in game.bets:
                worth[bet.id] += chance * bet.net(ended.outcome)
                after[bet.id] += chance * later.get(bet.id, Fraction(0))
        return {bet.id: max(worth[bet.id], Fraction(0)) + after[bet.id] for bet in game.bets}

    return gains(whole)


def test_the_gain_of_perfect_play_is_between_its_bounds() -> None:
    game, shoe = load_game(SMALL), Shoe.parse("6=7 K=10")
    exact = {cut: exact_gains(game, shoe, cut) for cut in (12, 14)}
    for (bet, cut), at in by_cut(
        protect(game, shoe=shoe, bets=["six", "any-pair"], cut_card="12,14")
    ).items():
        assert 0 < at.count_gain <= at.perfect_gain <= exact[cut][bet] <= at.ceiling
