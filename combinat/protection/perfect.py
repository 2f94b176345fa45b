"""Perfect play at a depth: a unit bet only where the composition left favours the player.

Over every composition of so many cards, each with its exact chance: the mean of the expected value, which is
that of the whole shoe; how often it favours the player; and what betting only then gains a round. Nobody who
knows no more than the cards gone can gain more in the round dealt there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from combinat.analysis.evaluate import evaluate
from combinat.base.errors import DepthError
from combinat.engine.distribution import falling
from combinat.engine.walk import MOST_CARDS
from combinat.protection.compositions import (
    TENS,
    Kind,
    blocks,
    compositions,
    kinds_by_every_rank,
    kinds_by_points,
    kinds_by_rank,
    weighted_sums,
)
from combinat.protection.pair_play import looks_at_pairs_alone, pair_play
from combinat.rules.bet import Bet
from combinat.rules.bounds import COMPOSITIONS, COUNTED_CARDS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

Advance = Callable[[int], None]
"""What is called with the number of compositions that were gone through since the last call."""


@dataclass(frozen=True, kw_only=True)
class PerfectBet:
    """A bet at a depth: its mean, how often it favours the player, and the gain of betting only then."""

    bet: str
    mean: Fraction
    favourable: Fraction
    gain: Fraction

    @property
    def edge(self) -> Fraction | None:
        """The player's average edge where the bet is made; None: it never is."""
        return self.gain / self.favourable if self.favourable else None


@dataclass(frozen=True, kw_only=True)
class PerfectPlay:
    """Bets at a depth of a shoe. ``compositions``: how many there are, by points."""

    left: int
    compositions: int
    bets: tuple[PerfectBet, ...]


def check_left(size: int, left: int) -> None:
    """Refuse a depth at which no whole round can be dealt, or which the shoe does not have."""
    if left < MOST_CARDS:
        raise DepthError(
            f"found {left} cards left; a round may need {MOST_CARDS}: write {MOST_CARDS} or more"
        )
    if left > size:
        raise DepthError(f"found {left} cards left; the shoe has {size}: write {size} or fewer")


def work(game: Game, shoe: Shoe, left: int, bets: Sequence[str]) -> int:
    """How many compositions ``perfect_play`` goes through, one by one; refused where they are too many."""
    check_left(shoe.size, left)
    levels = [(kinds, some) for kinds, some in _levels(game, shoe, left, bets) if kinds is not None and some]
    return sum(_checked_work(kinds, left, some) for kinds, some in levels)


def perfect_play(
    game: Game, shoe: Shoe, left: int, bets: Sequence[str], advance: Advance = lambda done: None
) -> PerfectPlay:
    """Perfect play of these bets with so many cards left, over every composition."""
    check_left(shoe.size, left)
    results: dict[str, PerfectBet] = {}
    for kinds, some in _levels(game, shoe, left, bets):
        if not some:
            continue
        if kinds is None:
            results |= {bet.id: PerfectBet(bet=bet.id, **pair_play(bet, shoe, left)) for bet in some}
        else:
            _checked_work(kinds, left, some)
            results |= _over_compositions(game, shoe, left, kinds, some, advance)
    return PerfectPlay(
        left=left,
        compositions=compositions(kinds_by_points(shoe, left), left),
        bets=tuple(results[bet] for bet in bets),
    )


def _levels(
    game: Game, shoe: Shoe, left: int, bets: Sequence[str]
) -> list[tuple[list[Kind] | None, list[Bet]]]:
    """The bets by what they look at: points; pairs alone (no kinds); both; the ranks of pairs."""
    wanted = [game.bet(bet) for bet in bets]
    by_points = [bet for bet in wanted if not bet.needs_ranks]
    by_pairs = [bet for bet in wanted if looks_at_pairs_alone(bet)]
    by_rank = [bet for bet in wanted if bet.looks_at_pair_ranks]
    joint = [bet for bet in wanted if bet not in by_points + by_pairs + by_rank]
    if shoe.size > COUNTED_CARDS:
        _check_large(shoe, left, [*by_points, *joint, *by_rank])
    return [
        (kinds_by_points(shoe, left) if by_points else [], by_points),
        (None, by_pairs),
        (kinds_by_rank(shoe, left) if joint else [], joint),
        (kinds_by_every_rank(shoe, left) if by_rank else [], by_rank),
    ]


def _check_large(shoe: Shoe, left: int, bets: Sequence[Bet]) -> None:
    """Refuse what is too much for certain, before the compositions of a large shoe are even counted.

    Their number grows up to half the shoe and falls again alike; and of no more cards than there are of any points,
    every split among the points is one.
    """
    held = [number for number in (*shoe.counts[: TENS[0]], sum(shoe.counts[TENS[0] :])) if number]
    few = min(left, shoe.size - left, *held)
    if bets and comb(few + len(held) - 1, few) > COMPOSITIONS:
        raise DepthError(
            f"{left} cards left have more than {COMPOSITIONS} compositions for {', '.join(bet.id for bet in bets)}, "
            "and no more are gone through; write fewer cards, or ask for ceilings, which there are at every depth"
        )


def _checked_work(kinds: Sequence[Kind], left: int, bets: Sequence[Bet]) -> int:
    number = compositions(kinds, left)
    if number > COMPOSITIONS:
        names = ", ".join(bet.id for bet in bets)
        raise DepthError(
            f"{left} cards left have {number} compositions for {names}, and at most {COMPOSITIONS} are gone "
            "through; write fewer cards, or ask for ceilings, which there are at every depth"
        )
    return number


def _over_compositions(
    game: Game, shoe: Shoe, left: int, kinds: Sequence[Kind], bets: Sequence[Bet], advance: Advance
) -> dict[str, PerfectBet]:
    places = [game.bets.index(bet) for bet in bets]
    width = len(bets)
    sums, unit = [0] * (3 * width), 1
    for block in blocks(kinds, left):
        evaluation = evaluate(game, block.counts)
        values = evaluation.numerators[:, places]
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
