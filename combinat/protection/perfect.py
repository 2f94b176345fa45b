"""Perfect play at a depth, over every composition of the cards left, and upper bounds on any player's gain."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from combinat.base.errors import InputError, in_words, named
from combinat.base.tabular import Answer
from combinat.engine.progress import SILENT, Progress
from combinat.engine.walk import MOST_CARDS
from combinat.protection.ceiling import USUAL_DEALING, RoundCeiling, cut_card_within, shoe_ceilings
from combinat.protection.compositions import compositions, kinds_by_points, perfect_play, work
from combinat.protection.inputs import (
    LIMIT,
    Numbers,
    Rational,
    as_depths,
    as_limit,
    check_size,
    checked_wagers,
)
from combinat.protection.pairs import PerfectBet
from combinat.protection.wagers import Wager, wagers
from combinat.rules.converters import GameGiven, ShoeGiven, as_game, as_shoe
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe


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


@dataclass(repr=False, frozen=True, slots=True, kw_only=True)
class PerfectAnswer(Answer):
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
    with named("bets"):
        asked = checked_wagers(loaded, tuple(bets))
    chosen = [one for one in asked if bets or one in {bet.id for bet in loaded.bets}]
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
        check_size(dealt_from)
    play = None
    if not ceilings:
        for one in chosen:
            if "@" in one:
                raise InputError(f"{one} is insurance", "ask for its {ceilings}", parameter="bets")
        with named("left"):
            shoes = work(loaded, dealt_from, lefts[0], chosen)
            progress.make_ready(shoes)
            with progress.bar(shoes, "compositions", parts=False) as advance:
                play = perfect_play(loaded, dealt_from, lefts[0], chosen, advance)
    found = wagers(loaded, dealt_from, chosen)
    with named("left"):
        bounds = [
            BetCeilings(
                id=wager.id,
                ceilings=tuple(RoundCeiling(left=depth, gain=wager.ceiling(depth)) for depth in lefts),
            )
            for wager in found
        ]
    return PerfectAnswer(
        game=loaded,
        shoe=dealt_from,
        left=lefts[0],
        compositions=compositions(kinds_by_points(dealt_from, lefts[0]), lefts[0]) if play else 0,
        play=play,
        bets=tuple(bounds),
        cut_card=None if cut_card is None else _cut_card(found, dealt_from, cut_card, most),
    )


def _cut_card(found: Sequence[Wager], shoe: Shoe, behind: int, limit: Fraction) -> CutCard:
    rows = []
    for wager in found:
        by_shoe = shoe_ceilings({left: wager.ceiling(left) for left in range(MOST_CARDS, shoe.size + 1)})
        del by_shoe[shoe.size]  # no round is dealt before it
        rows.append(ShoeBound(id=wager.id, gain=by_shoe[behind], within=cut_card_within(by_shoe, limit)))
    return CutCard(behind=behind, limit=limit, bets=tuple(rows))
