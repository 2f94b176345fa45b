"""Perfect play at a depth: a unit bet only if the composition of the cards left favours the player.

Over every composition of this number of cards, each with its exact probability: the mean of the expected
value, which is that of the whole shoe; how often it favours the player; and the gain a round of betting only
then. A player who knows only the cards gone cannot gain more in the round dealt there. Bets on pairs need no
compositions (``pairs``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb

import msgspec
import numpy as np

from combinat.analysis.evaluate import evaluate
from combinat.base.errors import InputError, in_words, named
from combinat.engine.distribution import falling
from combinat.engine.progress import SILENT, Progress
from combinat.engine.walk import MOST_CARDS
from combinat.protection.ceiling import (
    USUAL_DEALING,
    RoundCeiling,
    ceiling,
    cut_card_within,
    round_ceilings,
    shoe_ceilings,
)
from combinat.protection.compositions import (
    TENS,
    Kind,
    blocks,
    compositions,
    kinds_by_points,
    kinds_by_rank,
    weighted_sums,
)
from combinat.protection.inputs import LIMIT, Numbers, Rational, as_depths, as_limit, check_left
from combinat.protection.pairs import PerfectBet, looks_at_pairs_alone, pair_play
from combinat.protection.samples import Sample, samples
from combinat.rules.bet import Bet
from combinat.rules.bounds import COMPOSITIONS
from combinat.rules.converters import GameGiven, ShoeGiven, as_bet, as_game, as_shoe
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

Advance = Callable[[int], None]
"""Called with the number of compositions done since the last call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeBound:
    """A bet over a whole shoe: the ceiling, and the fewest cards behind the cut card that keep it within the limit."""

    id: str
    gain: Fraction
    within: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCard:
    """Bets over a whole shoe with this number of cards ``behind`` the cut card, and a limit on their ceilings."""

    behind: int
    limit: Fraction
    bets: tuple[ShoeBound, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BetCeilings:
    """The ceilings of a bet at some depths."""

    id: str
    ceilings: tuple[RoundCeiling, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PerfectAnswer:
    """Perfect play of some bets at a depth of a shoe, their ceilings, and a cut card.

    ``play``: the bets with ``left`` cards left, or None if ceilings alone were asked for. ``compositions``:
    their number by points.
    """

    game: Game
    shoe: Shoe
    left: int
    compositions: int
    play: tuple[PerfectBet, ...] | None
    bets: tuple[BetCeilings, ...]
    cut_card: CutCard | None


def perfect(
    game: GameGiven,
    left: Numbers,
    *,
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
    bets: Sequence[str] = (),
    ceilings: bool = False,
    cut_card: int | None = None,
    limit: Rational | None = None,
    progress: Progress = SILENT,
) -> PerfectAnswer:
    """Return perfect play at a depth, over every composition of the cards left, and upper bounds on any player's gain.

    With ``ceilings`` the upper bounds alone, which may be of several depths. ``cut_card``: also the upper
    bounds over a whole shoe with this number of cards behind the cut card, and the cut cards that keep them
    within ``limit`` units.

    >>> perfect("commission-insurance-2013", 7, decks=1, bets=["tie"]).play[0].bet
    'tie'
    """
    loaded, dealt_from, lefts = as_game(game), as_shoe(shoe, decks=decks), as_depths(left)
    wanted = {as_bet(loaded, bet) for bet in bets}
    chosen = [one.id for one in loaded.bets if not wanted or one.id in wanted]
    if len(lefts) > 1 and not ceilings:
        raise InputError(
            f"found {in_words(left)}", "write one depth, or ask for {ceilings}", parameter="left"
        )
    most = LIMIT if limit is None else as_limit(limit)
    if limit is not None and cut_card is None:
        raise InputError("a limit is for a whole shoe up to a cut card", "add {cut_card}", parameter="limit")
    if cut_card is not None:
        with named("cut_card"):
            replace(USUAL_DEALING, cut_card=cut_card).check(dealt_from.size)
    with named("left"):
        play = None
        if not ceilings:
            shoes = work(loaded, dealt_from, lefts[0], chosen)
            progress.make_ready(shoes)
            with progress.bar(shoes, "compositions", parts=False) as advance:
                play = perfect_play(loaded, dealt_from, lefts[0], chosen, advance)
        by_bet = samples(loaded, dealt_from)
        bounds = [
            BetCeilings(
                id=one,
                ceilings=tuple(
                    RoundCeiling(left=depth, gain=ceiling(by_bet[one], one, depth)) for depth in lefts
                ),
            )
            for one in chosen
        ]
    return PerfectAnswer(
        game=loaded,
        shoe=dealt_from,
        left=lefts[0],
        compositions=compositions(kinds_by_points(dealt_from, lefts[0]), lefts[0]) if play else 0,
        play=play,
        bets=tuple(bounds),
        cut_card=None if cut_card is None else _cut_card(by_bet, chosen, cut_card, most),
    )


def _cut_card(by_bet: Mapping[str, Sample], bets: Sequence[str], behind: int, limit: Fraction) -> CutCard:
    rows = []
    for bet in bets:
        by_shoe = shoe_ceilings(round_ceilings(by_bet[bet], bet))
        del by_shoe[by_bet[bet].size]  # no round is dealt before it
        rows.append(ShoeBound(id=bet, gain=by_shoe[behind], within=cut_card_within(by_shoe, limit)))
    return CutCard(behind=behind, limit=limit, bets=tuple(rows))


def work(game: Game, shoe: Shoe, left: int, bets: Sequence[str]) -> int:
    """Return the number of compositions that ``perfect_play`` goes through; refuse too many."""
    check_left(shoe.size, left)
    by_points, _, by_rank = _levels(game, bets)
    levels = (kinds_by_points, by_points), (kinds_by_rank, by_rank)
    return sum(_checked_work(shoe, kinds, left, some) for kinds, some in levels if some)


def perfect_play(
    game: Game, shoe: Shoe, left: int, bets: Sequence[str], advance: Advance = lambda done: None
) -> tuple[PerfectBet, ...]:
    """Return perfect play of these bets with this number of cards left, over every composition."""
    work(game, shoe, left, bets)
    by_points, by_pairs, by_rank = _levels(game, bets)
    results = {bet.id: pair_play(bet, shoe, range(left, left + 1))[left] for bet in by_pairs}
    if by_points:
        results |= _over_compositions(game, shoe, left, kinds_by_points(shoe, left), by_points, advance)
    if by_rank:
        results |= _over_compositions(game, shoe, left, kinds_by_rank(shoe, left), by_rank, advance)
    return tuple(results[bet] for bet in bets)


def _levels(game: Game, bets: Sequence[str]) -> tuple[list[Bet], list[Bet], list[Bet]]:
    """Return the bets by what decides them: points; pairs alone; ranks and points together."""
    wanted = [game.bet(bet) for bet in bets]
    by_points = [bet for bet in wanted if not bet.needs_ranks]
    by_pairs = [bet for bet in wanted if looks_at_pairs_alone(bet)]
    return by_points, by_pairs, [bet for bet in wanted if bet not in by_points + by_pairs]


def _checked_work(
    shoe: Shoe, kinds: Callable[[Shoe, int], list[Kind]], left: int, bets: Sequence[Bet]
) -> int:
    """Return the number of compositions; refuse too many, in a large shoe before they are counted.

    Their number grows up to half the shoe and falls again alike; and of no more cards than there are of any
    points, every split among the points is one.
    """
    held = [number for number in (*shoe.counts[: TENS[0]], sum(shoe.counts[TENS[0] :])) if number]
    few = min(left, shoe.size - left, *held)
    number = comb(few + len(held) - 1, few)
    if number <= COMPOSITIONS:
        number = compositions(kinds(shoe, left), left)
    if number > COMPOSITIONS:
        raise InputError(
            f"{left} cards left have more than {COMPOSITIONS} compositions for {', '.join(bet.id for bet in bets)}, "
            "and no more are gone through; write fewer cards, or ask for ceilings, which there are at every depth"
        )
    return number


def _over_compositions(
    game: Game, shoe: Shoe, left: int, kinds: Sequence[Kind], bets: Sequence[Bet], advance: Advance
) -> dict[str, PerfectBet]:
    asked = msgspec.structs.replace(game, bets=tuple(bets), insurance=())
    width = len(bets)
    sums, unit = [0] * (3 * width), 1
    for block in blocks(kinds, left):
        evaluation = evaluate(asked, block.counts)
        values = evaluation.numerators
        favourable = (values > 0).astype(values.dtype)
        columns = np.concatenate([values, favourable, np.maximum(values, 0)], axis=1)
        sums = [total + more for total, more in zip(sums, weighted_sums(block, columns), strict=True)]
        unit = evaluation.unit
        advance(len(columns))
    ways = comb(shoe.size, left)
    whole = ways * unit * falling(left, MOST_CARDS)
    return {
        bet.id: PerfectBet(
            bet=bet.id,
            mean=Fraction(sums[place], whole),
            favourable=Fraction(sums[place + width], ways),
            gain=Fraction(sums[place + 2 * width], whole),
        )
        for place, bet in enumerate(bets)
    }
