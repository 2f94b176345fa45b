"""Perfect play at a depth, over every composition of the cards left, and upper bounds on any player's gain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from combinat.base.errors import InputError, in_words, named
from combinat.base.tabular import Answer
from combinat.engine.progress import SILENT, Progress
from combinat.protection.betting import Betting
from combinat.protection.ceiling import USUAL_DEALING, cut_card_within, shoe_ceilings
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
from combinat.protection.wagers import wagers
from combinat.rules.converters import GameGiven, ShoeGiven, as_game, as_shoe
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe


@dataclass(frozen=True, slots=True, kw_only=True)
class PerfectBet:
    """A bet or an insurance table: perfect play at a depth, and upper bounds on any player's gain.

    ``play``: None if upper bounds alone were requested. ``ceilings``: of a round, by the cards left. ``over_shoe``: of a
    whole shoe up to the cut card, None without one; ``sufficient_cut``: the fewest cards behind the cut card that keep
    it within the limit, or None.
    """

    id: str
    mean: Fraction
    play: Betting | None
    ceilings: Mapping[int, Fraction]
    over_shoe: Fraction | None
    sufficient_cut: int | None


@dataclass(repr=False, frozen=True, slots=True, kw_only=True)
class PerfectAnswer(Answer):
    """Perfect play of some bets at a depth of a shoe, and upper bounds on any player's gain.

    ``left``: the depth of perfect play, the first of those of the ceilings. ``compositions``: their number by points; None:
    ceilings alone were requested. ``cut_card``: the cards behind it, or None; ``limit``: on the gain of a shoe.
    """

    game: Game
    shoe: Shoe
    left: int
    compositions: int | None
    bets: tuple[PerfectBet, ...]
    cut_card: int | None
    limit: Fraction


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

    >>> perfect("commission-insurance-2013", 7, decks=1, bets=["tie"]).bets[0].play.gain > 0
    True
    """
    loaded, dealt_from, lefts = as_game(game), as_shoe(shoe, decks=decks), as_depths(left)
    with named("bets"):
        asked = checked_wagers(loaded, bets)
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
    play = dict[str, Betting]()
    if not ceilings:
        for one in chosen:
            if "@" in one:
                raise InputError(f"{one} is insurance", "ask for its {ceilings}", parameter="bets")
        with named("left"):
            shoes = work(loaded, dealt_from, lefts[0], chosen)
            progress.make_ready(shoes)
            with progress.bar(shoes, "compositions", parts=False) as advance:
                play = perfect_play(loaded, dealt_from, lefts[0], chosen, advance)
    found = []
    for wager in wagers(loaded, dealt_from, chosen):
        with named("left"):
            by_round = {depth: wager.ceiling(depth) for depth in lefts}
        by_cut = {} if cut_card is None else shoe_ceilings(wager.ceiling, dealt_from.size)
        found.append(
            PerfectBet(
                id=wager.id,
                mean=wager.mean,
                play=play.get(wager.id),
                ceilings=by_round,
                over_shoe=None if cut_card is None else by_cut[cut_card],
                sufficient_cut=cut_card_within(by_cut, most),
            )
        )
    return PerfectAnswer(
        game=loaded,
        shoe=dealt_from,
        left=lefts[0],
        compositions=compositions(kinds_by_points(dealt_from, lefts[0]), lefts[0]) if play else None,
        bets=tuple(found),
        cut_card=cut_card,
        limit=most,
    )
