"""Game protection: the exact law of a count, perfect play at a depth, upper bounds on any player's gain."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from combinat.base.errors import InputError, in_words, named
from combinat.base.number import integer
from combinat.engine.progress import SILENT, Progress
from combinat.engine.walk import MOST_CARDS
from combinat.protection.best_tags import LARGEST, best_tags
from combinat.protection.ceiling import (
    USUAL_DEALING,
    ceiling,
    cut_card_within,
    round_ceilings,
    shoe_ceilings,
)
from combinat.protection.count import count_law
from combinat.protection.perfect import perfect_play, work
from combinat.protection.samples import Sample, samples
from combinat.protection.tags import Tags
from combinat.report.protection.count import Counted
from combinat.report.protection.perfect import CutCard, Protection
from combinat.rules.bounds import DEPTHS
from combinat.rules.converters import GameGiven, ShoeGiven, as_bet, as_game, as_shoe, whole_number

BEST = "best"
USUAL = (26, 52, 104)
"""Default depths: half a deck, one and two."""

LIMIT = Fraction(1, 10)
"""Default limit on the gain of a shoe, in units."""

_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9}|/0*[1-9]\d{0,8})?", re.ASCII)


def count(
    game: GameGiven,
    bet: str,
    tags: "str | Tags",
    left: "int | str | Sequence[int] | None" = None,
    *,
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
    index: "int | str | Fraction | None" = None,
    largest: int = 2,
) -> Counted:
    """The exact law of a linear count of a bet: every running count, its probability, the expected value then.

    ``tags``: what each card seen adds, such as ``"4=-1 8=2"``, or ``"best"`` for the best tags up to ``largest`` in size.
    ``left``: depths in cards left, such as ``"26,52"``. ``index``: bet at this true count and above; else from the first
    favourable counts of each depth on.

    >>> counted = count("commission-insurance-2013", "tie", "8=1", 26)
    >>> len(counted.depths[0].counts)
    27
    """
    loaded = as_game(game)
    bet_id = as_bet(loaded, bet)
    dealt_from = as_shoe(shoe, decks=decks)
    best = None
    if tags == BEST:
        with named("tags"):
            best = best_tags(loaded, bet_id, dealt_from, whole_number("largest", largest, 1, LARGEST))
    chosen = best.tags if best else tags if isinstance(tags, Tags) else Tags.parse(tags)
    usual = [depth for depth in USUAL if depth < dealt_from.size] or [max(MOST_CARDS, dealt_from.size // 2)]
    with named("left"):
        depths = count_law(loaded, bet_id, dealt_from, chosen, usual if left is None else as_depths(left))
    return Counted(
        game=loaded,
        bet=loaded.bet(bet_id),
        shoe=dealt_from,
        tags=chosen,
        index=None if index is None else as_fraction("index", index, "a true count, such as 4, 3.5 or 15/4"),
        best=best,
        depths=depths,
    )


def perfect(
    game: GameGiven,
    left: "int | str | Sequence[int]",
    *,
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
    bets: Sequence[str] = (),
    ceilings: bool = False,
    cut_card: int | None = None,
    limit: "int | str | Fraction | None" = None,
    progress: Progress = SILENT,
) -> Protection:
    """Perfect play at a depth, over every composition of the cards left, and upper bounds on any player's gain.

    With ``ceilings`` the upper bounds alone, which may be of several depths. ``cut_card``: also over a whole shoe with so
    many cards behind the cut card, and where the gain stays within ``limit`` units.

    >>> perfect("commission-insurance-2013", 7, decks=1, bets=["tie"]).play.bets[0].bet
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
        at_depths = [ceiling(by_bet[one], one, depth) for one in chosen for depth in lefts]
    return Protection(
        game=loaded,
        shoe=dealt_from,
        bets=chosen,
        play=play,
        ceilings=at_depths,
        cut_card=None if cut_card is None else _cut_card(by_bet, chosen, cut_card, most),
    )


def _cut_card(by_bet: Mapping[str, Sample], bets: Sequence[str], behind: int, limit: Fraction) -> CutCard:
    of_shoe = {bet: shoe_ceilings(round_ceilings(by_bet[bet], bet)) for bet in bets}
    for bet in bets:
        del of_shoe[bet][by_bet[bet].size]  # it leaves no round before it
    return CutCard(
        behind=behind,
        limit=limit,
        gains={bet: of_shoe[bet][behind] for bet in bets},
        within={bet: cut_card_within(of_shoe[bet], limit) for bet in bets},
    )


def as_depths(left: "int | str | Sequence[int]") -> list[int]:
    """Depths in cards left, each once: a number, several, or text such as ``26,52,104``."""
    words = left.replace(",", " ").split() if isinstance(left, str) else left
    listed = list(words) if isinstance(words, list | tuple | range) else [words]
    numbers = [
        int(word)
        if isinstance(word, str) and word.isascii() and word.isdigit() and len(word) < 10
        else integer(word)
        for word in listed
    ]
    if not numbers or len(numbers) > DEPTHS or any(number is None or number < 0 for number in numbers):
        raise InputError(
            f"found {in_words(left)}",
            f"write cards left, such as 26,52,104, at most {DEPTHS} depths",
            parameter="left",
        )
    return list(dict.fromkeys(number for number in numbers if number is not None))


def as_fraction(what: str, number: object, wanted: str) -> Fraction:
    """A rational number: a whole number, a Fraction, or text such as ``3.5`` or ``15/4``."""
    if isinstance(number, str) and _NUMBER.fullmatch(number):
        return Fraction(number)
    if isinstance(number, Fraction):
        return number
    if (whole := integer(number)) is not None:
        return Fraction(whole)
    raise InputError(f"found {in_words(number)}", f"write {wanted}", parameter=what)


def as_limit(limit: object) -> Fraction:
    """The gain of a shoe that is allowed, in units of a stake."""
    wanted = "the most that may be gained in a shoe, in units of a stake, such as 0.1 or 1/4"
    exact = as_fraction("limit", limit, wanted)
    if exact < 0:
        raise InputError(f"found {in_words(limit)}", f"write {wanted}", parameter="limit")
    return exact
