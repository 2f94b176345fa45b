"""Effects of removal: the change of every bet's expected value when a card leaves the shoe."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, ClassVar

import numpy as np

from combinat.analysis.bets import FigureSubject
from combinat.analysis.evaluate import evaluate
from combinat.base.errors import InputError
from combinat.base.kinds import CARDS, TEXT, percentage
from combinat.base.relation import Field, Many, Relation
from combinat.base.tabular import Listing, Tabular, in_percent
from combinat.rules.cards import RANKS, Rank
from combinat.rules.converters import GameGiven, ShoeGiven, as_bets, as_game, as_shoe
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

Cards = tuple[Rank, ...]


@dataclass(frozen=True, kw_only=True)
class RemovalEffect:
    """The change of an expected value when these cards are removed; None without a value before or after."""

    removed: Cards
    change: Fraction | None


EFFECTS: "Relation[tuple[Removal, RemovalEffect]]" = Relation(
    "effects",
    Field("removed", "removed", CARDS, "The cards removed.", lambda row: row[1].removed),
    Field(
        *("change", "change %", percentage(3, signed=True), "By how much the expected value moves."),
        lambda row: row[1].change,
        may_be_none=True,
    ),
    Field(
        *("linear_error", "error of the sum %", percentage(6), "Of two cards: the sum of their effects less the effect."),
        lambda row: None if len(row[1].removed) < 2 else row[0].linear_error(row[1].removed),
        may_be_absent=True,
    ),
)  # fmt: skip
"""Effects of removal on a bet or an insurance state, a row each."""

REMOVED: "Relation[Removal]" = Relation(
    "removals",
    Field("id", "bet", TEXT, "The bet or the insurance state.", lambda row: str(row.subject)),
    Field("expected_value", "EV %", percentage(), "Mean net result per unit staked.", may_be_none=True),
    Field("effects", "effects", Many(EFFECTS), "The effect of each removal.", lambda row: list(row.records())),
    Field("matter_most", "ranks with the largest effects", CARDS, "The ranks, the largest effect first.", lambda row: row.most),
)  # fmt: skip
"""Bets and insurance states with the effects of removal, a row each."""

REMOVALS: "Relation[tuple[Removal, RemovalEffect]]" = Relation(
    "removal", *REMOVED.part(lambda row: row[0], "id", "expected_value"), *EFFECTS.fields
)
"""Effects of removal, a row each, with their bet."""


@dataclass(frozen=True, kw_only=True)
class Removal(Tabular):
    """One bet or insurance state: its expected value, and how each removal changes it.

    >>> from combinat import Rank, removal
    >>> effect = removal("commission-insurance-2013")["tie"]
    >>> effect.most[0], effect.effects[(Rank.SIX,)]
    (<Rank.SIX: '6'>, Fraction(-103136982128, 88947191534565))
    """

    RELATION: ClassVar = REMOVALS

    subject: FigureSubject
    expected_value: Fraction | None
    changes: tuple[RemovalEffect, ...]

    @property
    def key(self) -> str:
        """The id of the bet, or the name of the insurance state."""
        return self.subject.state.key if self.subject.state is not None else str(self.subject)

    def records(self) -> Iterable[Any]:
        """Its removals, a row each."""
        return ((self, change) for change in self.changes)

    def __repr__(self) -> str:
        return f"<Removal {self.subject}: expected value {in_percent(self.expected_value)}, {len(self.changes)} removals>"

    @cached_property
    def effects(self) -> dict[Cards, Fraction | None]:
        """The change for each set of cards removed."""
        return {change.removed: change.change for change in self.changes}

    def linear_error(self, cards: Cards) -> Fraction | None:
        """Return the error of the sum of the single effects for the removal of these two cards together."""
        singles = [self.effects[(card,)] for card in cards]
        together = self.effects[cards]
        if together is None or None in singles:
            return None
        return sum((single for single in singles if single is not None), Fraction(0)) - together

    @cached_property
    def largest_linear_error(self) -> Fraction | None:
        """The largest error of the sum of two single effects. None if no pairs were removed."""
        errors = [self.linear_error(cards) for cards in self._pairs]
        return max((abs(error) for error in errors if error is not None), default=None)

    @cached_property
    def worst_pair(self) -> Cards | None:
        """The two cards whose removal lowers the expected value most. None if no pairs were removed."""
        return self._pairs[0] if self._pairs else None

    @cached_property
    def best_pair(self) -> Cards | None:
        """The two cards whose removal raises the expected value most. None if no pairs were removed."""
        return self._pairs[-1] if self._pairs else None

    @cached_property
    def _pairs(self) -> list[Cards]:
        """Return the pairs removed, the lowest change first; equal changes in the order of their names."""
        changes = {
            cards: effect for cards, effect in self.effects.items() if len(cards) > 1 and effect is not None
        }
        return sorted(changes, key=lambda cards: (changes[cards], cards))

    @cached_property
    def most(self) -> list[Rank]:
        """The ranks with the largest effects of removal, the largest first."""
        known = {
            cards[0]: abs(effect)
            for cards, effect in self.effects.items()
            if len(cards) == 1 and effect is not None
        }
        return sorted(known, key=lambda rank: (-known[rank], RANKS.index(rank)))


def removals(game: Game, shoe: Shoe, *, pairs: bool = False, insurance: bool = False) -> tuple[Removal, ...]:
    """Return the effect of removing each rank that the shoe holds, and with ``pairs`` each two cards.

    The effects are those on every bet, or with ``insurance`` on every insurance state.
    """
    removed: list[Cards] = [(rank,) for rank in RANKS if shoe[rank]]
    if pairs:
        removed += [
            (first, second)
            for first, second in combinations_with_replacement(RANKS, 2)
            if shoe[first] and shoe[second] > (first is second)
        ]
    if not removed:
        raise InputError("the shoe is empty: there is no card to remove")
    shoes = [shoe, *(shoe.minus(cards) for cards in removed)]
    evaluation = evaluate(game, np.array([left.counts for left in shoes]), insurance=insurance)
    rows = range(len(shoes))
    subjects = [FigureSubject(state=state) for state in evaluation.states]
    values = [[evaluation.state_expected_value(row, state) for row in rows] for state in evaluation.states]
    if not insurance:
        subjects = [FigureSubject(bet=bet) for bet in evaluation.bets]
        values = [[evaluation.expected_value(row, bet) for row in rows] for bet in evaluation.bets]
    return tuple(
        Removal(
            subject=subject,
            expected_value=of_shoe,
            changes=tuple(
                RemovalEffect(
                    removed=cards, change=None if of_shoe is None or value is None else value - of_shoe
                )
                for cards, value in zip(removed, after, strict=True)
            ),
        )
        for subject, (of_shoe, *after) in zip(subjects, values, strict=True)
    )


@dataclass(frozen=True, kw_only=True)
class RemovalAnalysis(Listing[Removal]):
    """The effects of removing cards from one shoe; ``has_pairs``: of two cards too.

    Iterating gives them; ``analysis["tie"]`` is the effect on the bet with that id.
    """

    RELATION: ClassVar = REMOVALS
    LISTED: ClassVar = "effects"

    game: Game
    shoe: Shoe
    effects: tuple[Removal, ...]
    has_pairs: bool

    def records(self) -> Iterable[Any]:
        """A row for each bet or state and each removal."""
        return (row for effect in self.effects for row in effect.records())

    def __repr__(self) -> str:
        return f"<RemovalAnalysis of {self.game.id} on {self.shoe.in_short}: {len(self.effects)} effects>"


def removal(
    game: GameGiven,
    shoe: ShoeGiven | None = None,
    *,
    decks: int | None = None,
    removed: str | None = None,
    cards: str | None = None,
    bets: Sequence[str] = (),
    pairs: bool = False,
    insurance: bool = False,
) -> RemovalAnalysis:
    """Return the exact effect of removing one card of each rank on every bet, and of each two cards with ``pairs``.

    The shoe is stated as for ``odds``. ``bets`` selects bets; with ``insurance`` the effects are those on every
    insurance state instead.

    >>> removal("commission-insurance-2013")["player"]
    <Removal player: expected value -1.2351 %, 13 removals>
    """
    played = as_game(game)
    chosen = as_bets(played, bets)
    if insurance and played.insurance_terms is None:
        raise InputError(f"{played.id} offers no insurance: there is nothing to analyse")
    if insurance and chosen:
        raise InputError("this shows insurance instead of bets", "leave out {bets}", parameter="insurance")
    dealt_from = as_shoe(shoe, decks=decks, removed=removed, cards=cards)
    effects = removals(played, dealt_from, pairs=pairs, insurance=insurance)
    kept = tuple(effect for effect in effects if not chosen or effect.subject.bet in chosen)
    return RemovalAnalysis(game=played, shoe=dealt_from, effects=kept, has_pairs=pairs)
