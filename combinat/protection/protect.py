"""Which wagers can be beaten, by the position of the cut card: proven bounds on gains of a shoe, without dealing.

**At most.** No player gains more than the ceiling over a shoe (``ceiling``). For pairs it is a lower one: perfect play is
exact at small depths, and gains no more with more cards left.

**At least.** A counter notes the running count when ``n`` cards are left, and bets on the next rounds to begin if that
count was favourable. The expected value of the bet is a martingale, so each of these rounds gains exactly what the law
of the count says for ``n`` cards left, however many cards it begins with. A round takes six cards at most: so between
two such moments, ``n`` and ``m`` cards left, ``(n - m) // 6`` rounds begin for certain; and a round begins with the cut
card or less left, since one is dealt after the one in which it comes. The same holds for perfect play, whose gain at a
depth is exact for pairs, and at any depth is at least that of the count and that on the fresh shoe. A player who looks
at every round anew gains more. No card is burnt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from combinat.base.errors import named
from combinat.engine.walk import MOST_CARDS
from combinat.protection.ceiling import PARTS, USUAL_DEALING, shoe_ceilings
from combinat.protection.given import LIMIT, Numbers, Rational, as_limit, as_numbers
from combinat.protection.study import checked_wagers
from combinat.protection.summary import Beaten
from combinat.protection.wagers import Wager, wagers
from combinat.rules.converters import GameGiven, ShoeGiven, as_game, as_shoe
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

CUT_CARDS = (14, 26, 52)
"""Default positions of the cut card."""

MOMENTS = (14, 20, 26, 32, 38, 44, 52, 64, 76, 88, 104, 128)
"""Cards left at which a counter looks at the count. With more left, it gains little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerAtCut:
    """A bet or an insurance table with the cut card at one position: gains of a shoe, in units.

    ``count_gain``: at least, of the simple count; ``perfect_gain``: at least, of perfect play; ``ceiling``: at most, of
    any player. ``beaten``: the player who gains more than the limit.
    """

    id: str
    house_edge: Fraction
    cut_card: int
    count_gain: Fraction
    perfect_gain: Fraction
    ceiling: Fraction
    beaten: Beaten


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectAnswer:
    """The wagers of a game by the position of the cut card, against a limit on the gain of a shoe."""

    game: Game
    shoe: Shoe
    limit: Fraction
    cut_cards: Sequence[int]
    wagers: Sequence[WagerAtCut]


def protect(
    game: GameGiven,
    *,
    bets: Sequence[str] = (),
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
    cut_card: Numbers | None = None,
    limit: Rational = LIMIT,
) -> ProtectAnswer:
    """Return which bets can be beaten for more than ``limit`` units a shoe, with the cut card at each position.

    ``bets``: such as ``"tie"`` or ``"player@four-cards"``. Default: all, insurance among them. ``cut_card``: cards behind
    it, such as ``"14,26,52"``, the default.

    >>> [str(one.beaten) for one in protect("commission-insurance-2013", bets=["tie"]).wagers]
    ['open', 'no-one', 'no-one']
    """
    loaded, dealt_from, most = as_game(game), as_shoe(shoe, decks=decks), as_limit(limit)
    with named("bets"):
        chosen = checked_wagers(loaded, tuple(bets))
    cuts = as_cut_cards(dealt_from, cut_card)
    made = [
        one for wager in wagers(loaded, dealt_from, chosen) for one in _at_cuts(wager, dealt_from, cuts, most)
    ]
    return ProtectAnswer(game=loaded, shoe=dealt_from, limit=most, cut_cards=cuts, wagers=made)


def as_cut_cards(shoe: Shoe, cut_card: Numbers | None) -> list[int]:
    """Return positions of the cut card in a shoe. Default: those of 14, 26 and 52 that the shoe has room for."""
    USUAL_DEALING.check_room(shoe.size)
    if cut_card is None:
        fitting = [cut for cut in CUT_CARDS if cut <= USUAL_DEALING.most_cut(shoe.size)]
        return fitting or [USUAL_DEALING.least_cut()]
    cuts = as_numbers("cut_card", cut_card, "cards behind the cut card, such as 14,26,52")
    with named("cut_card"):
        for cut in cuts:
            replace(USUAL_DEALING, cut_card=cut).check_cut(shoe.size)
    return cuts


def _at_cuts(wager: Wager, shoe: Shoe, cuts: Sequence[int], limit: Fraction) -> list[WagerAtCut]:
    exact = wager.perfect()
    by_shoe = shoe_ceilings(_lowered(wager.ceilings(shoe), exact))
    moments = {
        cut: [cut, *(left for left in MOMENTS if cut + MOST_CARDS <= left < shoe.size)] for cut in cuts
    }
    lefts = {left for some in moments.values() for left in some}
    law = wager.law(wager.tags, max(lefts))
    counted = {left: law(left).sides.gain for left in lefts}
    known = {left: max(counted[left], wager.at_once, exact.get(left, wager.at_once)) for left in lefts}
    always = max(wager.mean, Fraction(0))
    rows = []
    for cut in cuts:
        rounds = {moments[cut][0]: 1}
        rounds |= {upper: (upper - lower) // MOST_CARDS for lower, upper in pairwise(moments[cut])}
        others = (shoe.size - cut) // MOST_CARDS + 1 - sum(rounds.values())
        count_gain = sum((counted[left] * few for left, few in rounds.items()), others * always)
        perfect_gain = sum((known[left] * few for left, few in rounds.items()), others * wager.at_once)
        rows.append(
            WagerAtCut(
                id=wager.id,
                house_edge=wager.house_edge,
                cut_card=cut,
                count_gain=count_gain,
                perfect_gain=perfect_gain,
                ceiling=by_shoe[cut],
                beaten=_verdict(wager, count_gain, perfect_gain, by_shoe[cut], limit),
            )
        )
    return rows


def _lowered(ceilings: dict[int, Fraction], exact: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The ceilings of a round, none above the gain of perfect play at this depth or with fewer cards left."""
    known = {
        left: Fraction(-(-gain.numerator * PARTS // gain.denominator), PARTS) for left, gain in exact.items()
    }
    if not known:
        return ceilings
    deepest = max(known)
    return {left: min(gain, known[min(left, deepest)]) for left, gain in ceilings.items()}


def _verdict(
    wager: Wager, count_gain: Fraction, perfect_gain: Fraction, ceiling: Fraction, limit: Fraction
) -> Beaten:
    if ceiling <= limit:
        return Beaten.NO_ONE
    if wager.at_once > 0:
        return Beaten.ANYONE
    if count_gain > limit:
        return Beaten.COUNT
    return Beaten.COMPOSITION if perfect_gain > limit else Beaten.OPEN
