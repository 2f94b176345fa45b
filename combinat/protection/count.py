"""Counts of a bet: the exact law of one linear count, and the best simple count of every wager."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.base.errors import InputError, named
from combinat.base.tabular import Answer
from combinat.engine.walk import MOST_CARDS
from combinat.protection.count_law import CountAt, Depth
from combinat.protection.inputs import (
    Numbers,
    Rational,
    Tags,
    as_depths,
    as_fraction,
    check_left,
    check_size,
    checked_wagers,
)
from combinat.protection.wagers import LARGEST, Wager, best_tags, wagers
from combinat.rules.converters import GameGiven, ShoeGiven, as_game, as_shoe, whole_number
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

BEST = "best"
USUAL = (26, 52, 104)
"""Default depths: half a deck, one and two."""


@dataclass(repr=False, frozen=True, slots=True, kw_only=True)
class CountAnswer(Answer):
    """The law of a count of a bet or an insurance table at some depths; ``index``: the true count from which one bets.

    ``effects``: the effects of removal from which the best tags follow, and ``share``: the share that the tags see of the
    variance that the effects see. None: the tags were not looked for.
    """

    game: Game
    bet: str
    shoe: Shoe
    tags: Tags
    index: Fraction | None
    effects: tuple[Fraction, ...] | None
    share: Fraction | None
    depths: Sequence[Depth]


def count(
    game: GameGiven,
    bet: str,
    tags: str | Tags = BEST,
    left: Numbers | None = None,
    *,
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
    index: Rational | None = None,
    largest: int = 2,
) -> CountAnswer:
    """Return the exact law of a linear count of a bet: every running count, its probability, the expected value then.

    ``bet``: such as ``"tie"`` or ``"player@four-cards"``. ``tags``: added for each card seen, such as ``"4=-1 8=2"``, or ``"best"`` for the best tags up to
    ``largest`` in size. ``left``: depths in cards left, such as ``"26,52"``. ``index``: bet at this true
    count and above. Default: bet from the first favourable counts of each depth on.

    >>> len(count("commission-insurance-2013", "tie", "8=1", 26).depths[0].counts)
    27
    """
    loaded = as_game(game)
    with named("bet"):
        (chosen,) = checked_wagers(loaded, [bet])
    dealt_from = as_shoe(shoe, decks=decks)
    check_size(dealt_from)
    (wager,) = wagers(loaded, dealt_from, [chosen])
    is_best = tags == BEST
    if is_best:
        with named("tags"):
            tags = best_tags(wager, dealt_from, whole_number("largest", largest, 1, LARGEST))
    counting = tags if isinstance(tags, Tags) else Tags.parse(tags)
    with named("left"):
        depths = count_law(wager, dealt_from, counting, _depths(dealt_from, left))
    return CountAnswer(
        game=loaded,
        bet=chosen,
        shoe=dealt_from,
        tags=counting,
        index=None if index is None else as_fraction("index", index, "a true count, such as 4, 3.5 or 15/4"),
        effects=wager.removal_effects if is_best else None,
        share=wager.share(counting) if is_best else None,
        depths=depths,
    )


def _depths(shoe: Shoe, left: Numbers | None) -> list[int]:
    return usual_depths(shoe) if left is None else as_depths(left)


def usual_depths(shoe: Shoe) -> list[int]:
    """Return the default depths: those of half a deck, one and two that the shoe has."""
    return [depth for depth in USUAL if depth < shoe.size] or [max(MOST_CARDS, shoe.size // 2)]


def count_law(wager: Wager, shoe: Shoe, tags: Tags, lefts: Sequence[int]) -> tuple[Depth, ...]:
    """Return the law of a count of a wager at these depths. The count begins at 0 with the shoe."""
    for left in lefts:
        check_left(shoe.size, left)
    law = wager.law(tags, max(lefts))
    return tuple(law(left) for left in lefts)


# ---------------------------------------------------------------- every wager


@dataclass(frozen=True, kw_only=True)
class SimpleCount:
    """A count: its tags by rank, and its gain at each depth.

    ``share``: the share that the tags see of the best sum of one number for each card gone; None: single cards have no
    effects, and there is no best sum. ``explained``: the share of the variance of the expected value, with 26 cards
    left, that the best sum explains; None for insurance and for shoes of 26 cards or fewer.
    """

    tags: tuple[int, ...]
    share: Fraction | None
    explained: Fraction | None
    depths: tuple[CountAt, ...]


def simple_count(wager: Wager, depths: Sequence[Depth]) -> SimpleCount:
    """Return the simple count of a wager, from its law at some depths."""
    return SimpleCount(
        tags=wager.tags.values,
        share=wager.share(wager.tags),
        explained=wager.explained(),
        depths=tuple(depth.sides for depth in depths),
    )


@dataclass(repr=False, frozen=True, slots=True, kw_only=True)
class CountsAnswer(Answer):
    """The best simple count of each wager of a game on a fresh shoe, by the wager's id."""

    game: Game
    shoe: Shoe
    counts: dict[str, SimpleCount]


def counts(
    game: GameGiven,
    left: Numbers | None = None,
    *,
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
) -> CountsAnswer:
    """Return the best simple count of every bet and every insurance table: tags, index and gain at some depths.

    >>> counts("commission-insurance-2013", 26, decks=1).counts["tie"].tags
    (0, -1, 0, -1, -1, -2, -2, 1, 1, 1, 1, 1, 2)
    """
    loaded, dealt_from = as_game(game), as_shoe(shoe, decks=decks)
    if dealt_from.size <= MOST_CARDS:
        raise InputError(
            f"found a shoe of {dealt_from.size} cards; the best tags need {MOST_CARDS + 1} or more"
        )
    check_size(dealt_from)
    with named("left"):
        lefts = _depths(dealt_from, left)
        found = {
            wager.id: simple_count(wager, count_law(wager, dealt_from, wager.tags, lefts))
            for wager in wagers(loaded, dealt_from)
        }
    return CountsAnswer(game=loaded, shoe=dealt_from, counts=found)
