"""Which wagers can be beaten, by the position of the cut card: proven bounds on gains of a shoe, without dealing.

**At most.** In a round that begins with ``n`` cards left, no player gains more than perfect play, whose gain
falls as ``n`` grows. So any of these bounds it: the exact gain at ``n`` or fewer cards, where it is known;
the ceiling from a count at ``n`` or fewer cards; the ceiling from the variance at ``n`` (``ceiling``). The
lowest of them counts.

Over a shoe: one round is dealt after the one in which the cut card comes, and begins with at least ``cut -
6`` cards. Every other round begins with at least ``cut`` cards. A round takes four cards or more, so the
moment at which it begins and those after its first three cards belong to it alone, and its gain is at most
the mean of the bounds at these moments. So the gain of a shoe is at most the bound at ``cut - 6`` and a
quarter of the bounds from ``cut - 3`` cards on.

**At least.** A counter notes the running count when ``n`` cards are left, and bets on the next rounds to
begin if that count was favourable. The expected value of the bet is a martingale, so each of these rounds
gains exactly what the law of the count says for ``n`` cards left, however many cards it begins with. A round
takes six cards at most: so between two such moments, ``n`` and ``m`` cards left, ``(n - m) // 6`` rounds
begin for certain; and a round begins with the cut card or less left, since one is dealt after the one in
which it comes. The same holds for perfect play, whose gain at a depth is at least that of the count and that on
the fresh shoe, and exact for some wagers (``Wager.perfect``). A player who looks at every round anew gains
more. No card is burnt.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise

from combinat.base.errors import named
from combinat.base.tabular import Answer
from combinat.engine.walk import MOST_CARDS
from combinat.protection.betting import GainRange
from combinat.protection.ceiling import PARTS, SHORTEST_ROUND, USUAL_DEALING, ceiling_by_count, rounded_up
from combinat.protection.count import SimpleCount, simple_count, usual_depths
from combinat.protection.count_law import Depth
from combinat.protection.inputs import (
    LIMIT,
    Numbers,
    Rational,
    as_limit,
    as_numbers,
    check_size,
    checked_wagers,
)
from combinat.protection.insurance_play import FavourableOffers
from combinat.protection.wagers import Wager, wagers
from combinat.rules.converters import GameGiven, ShoeGiven, as_game, as_shoe
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

CUT_CARDS = (14, 26, 52)
"""Default positions of the cut card."""

MOMENTS = (14, 20, 26, 32, 38, 44, 52, 58, 64, 70, 76, 82, 88, 94, 104, 116, 128, 160, 200)
"""Cards left at which a counter looks at the count. With more left, it gains little."""


class Beaten(StrEnum):
    """The player who gains more than the limit in a shoe."""

    ANYONE = "anyone"  # it favours the player from the first card on
    NO_ONE = "no-one"  # the ceiling is within the limit
    COUNT = "count"  # the simple count gains more than the limit
    COMPOSITION = "composition"  # it does not, but a player who tracks every card does
    OPEN = "open"  # neither is known, and the ceiling is above the limit


class Proof(StrEnum):
    """The bound from which most of a ceiling over a shoe comes."""

    EXACT = "exact"
    COUNT = "count"
    VARIANCE = "variance"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerAtCut:
    """A wager with the cut card at one position: gains of a shoe, in units.

    ``count_gain``: at least, of the simple count; ``perfect_gain``: at least, of perfect play; ``ceiling``:
    at most, of any player, and ``proof``: the bound from which most of it comes. ``beaten``: the player who
    gains more than the limit.
    """

    cut_card: int
    count_gain: Fraction
    perfect_gain: Fraction
    ceiling: Fraction
    proof: Proof
    beaten: Beaten


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectedWager:
    """A bet or an insurance table on a fresh shoe: its simple count, and the bounds for each position of the cut card.

    ``offers``: of insurance, the gain from the offers that favour the player.
    """

    id: str
    house_edge: Fraction
    count: SimpleCount
    offers: FavourableOffers | None
    cuts: tuple[WagerAtCut, ...]


@dataclass(repr=False, frozen=True, slots=True, kw_only=True)
class ProtectAnswer(Answer):
    """The wagers of a game by the position of the cut card, against a limit on the gain of a shoe."""

    game: Game
    shoe: Shoe
    limit: Fraction
    wagers: tuple[ProtectedWager, ...]


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

    ``bets``: such as ``"tie"`` or ``"player@four-cards"``. Default: all, insurance among them. ``cut_card``:
    cards behind it, such as ``"14,26,52"``, the default.

    >>> (tie,) = protect("commission-insurance-2013", bets=["tie"]).wagers
    >>> [str(at.beaten) for at in tie.cuts]
    ['open', 'no-one', 'no-one']
    """
    loaded, dealt_from, most = as_game(game), as_shoe(shoe, decks=decks), as_limit(limit)
    with named("bets"):
        chosen = checked_wagers(loaded, bets)
    check_size(dealt_from)
    cuts = as_cut_cards(dealt_from, cut_card)
    made = (_protected(wager, dealt_from, cuts, most) for wager in wagers(loaded, dealt_from, chosen))
    return ProtectAnswer(game=loaded, shoe=dealt_from, limit=most, wagers=tuple(made))


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


def _protected(wager: Wager, shoe: Shoe, cuts: Sequence[int], limit: Fraction) -> ProtectedWager:
    moments = {
        cut: [cut, *(left for left in MOMENTS if cut + MOST_CARDS <= left < shoe.size)] for cut in cuts
    }
    usual = usual_depths(shoe)
    lefts = {*usual, *(left for some in moments.values() for left in some)}
    law = wager.law(wager.tags, max(lefts))
    depths = {left: law(left) for left in sorted(lefts)}
    deep = {left for cut in cuts for left in (cut - MOST_CARDS, cut - SHORTEST_ROUND + 1)}
    perfect = wager.perfect(sorted(deep | depths.keys()))
    bounds = _round_bounds(wager, shoe, depths, perfect)
    always = max(wager.mean, Fraction(0))
    rows = []
    for cut in cuts:
        rounds = {cut: 1}
        rounds |= {upper: (upper - lower) // MOST_CARDS for lower, upper in pairwise(moments[cut])}
        others = (shoe.size - cut) // MOST_CARDS + 1 - sum(rounds.values())
        count_gain, perfect_gain = others * always, others * wager.at_once
        for left, few in rounds.items():
            count_gain += few * depths[left].sides.gain
            known = [perfect[left].least] if left in perfect else []
            perfect_gain += few * max(depths[left].favourable.gain, wager.at_once, *known)
        ceiling, proof = _shoe_bound(bounds, cut)
        rows.append(
            WagerAtCut(
                cut_card=cut,
                count_gain=count_gain,
                perfect_gain=perfect_gain,
                ceiling=ceiling,
                proof=proof,
                beaten=_verdict(wager, count_gain, perfect_gain, ceiling, limit),
            )
        )
    return ProtectedWager(
        id=wager.id,
        house_edge=wager.house_edge,
        count=simple_count(wager, [depths[left] for left in usual]),
        offers=wager.offers(),
        cuts=tuple(rows),
    )


Bound = tuple[Fraction, Proof]


def _round_bounds(
    wager: Wager, shoe: Shoe, depths: Mapping[int, Depth], perfect: Mapping[int, GainRange]
) -> dict[int, Bound]:
    """Return the lowest bound on any player's gain in a round, by the cards left at its beginning."""
    variance = {left: wager.ceiling(left) for left in range(MOST_CARDS, shoe.size + 1)}
    known: dict[int, list[Bound]] = {
        left: [(rounded_up(gain.most), Proof.EXACT if gain.least == gain.most else Proof.VARIANCE)]
        for left, gain in perfect.items()
    }
    if wager.mean_square is not None:
        for left, depth in depths.items():
            bound = ceiling_by_count(depth, wager.mean_square(left), wager.mean)
            known.setdefault(left, []).append((bound, Proof.COUNT))
    bounds, deeper = {}, list[Bound]()
    for left in sorted(variance):
        deeper = [min((*deeper, *known[left]))] if left in known else deeper
        bounds[left] = min((*deeper, (variance[left], Proof.VARIANCE)))
    return bounds


def _shoe_bound(bounds: Mapping[int, Bound], cut: int) -> Bound:
    """Return the bound on any player's gain in a shoe, and that of which it has most."""
    by_proof = Counter[Proof]()
    for left, (gain, proof) in bounds.items():
        times = (left >= cut - SHORTEST_ROUND + 1) + SHORTEST_ROUND * (left == cut - MOST_CARDS)
        by_proof[proof] += times * int(gain * PARTS)
    return Fraction(by_proof.total(), SHORTEST_ROUND * PARTS), by_proof.most_common(1)[0][0]


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
