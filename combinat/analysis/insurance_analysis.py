"""``insurance``: the exact odds of every insurance state of a game on a shoe."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from combinat.analysis.insurance import (
    STATES,
    StateAnalysis,
    ThirdCard,
    by_third_card,
    insurance_analysis,
    not_offered,
)
from combinat.base.errors import InputError
from combinat.base.tabular import Listing
from combinat.engine.pairs import pair_distribution
from combinat.rules.converters import GameGiven, ShoeGiven, as_choice, as_game, as_shoe
from combinat.rules.game import Game
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand

if TYPE_CHECKING:
    from combinat.analysis.exact_cards import StateRange
    from combinat.analysis.insurance_habits import InsuredBet
else:
    InsuredBet = StateRange = Any  # imported where they are asked for; ``help`` reads annotations


class InsuranceAnalysis(Listing[StateAnalysis], msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Insurance states of a game on one shoe, exactly.

    Iterating gives the states; ``analysis["banker:four-cards:6-5"]`` is one of them, the insured hand's points first.
    ``third_cards``, ``ranges``, ``not_offered`` and ``summary`` are None unless ``insurance`` was asked for them.
    """

    RELATION: ClassVar = STATES

    game: Game
    shoe: Shoe
    sample_space: int
    states: tuple[StateAnalysis, ...]
    favourable: bool = False
    third_cards: tuple[ThirdCard, ...] | None = None
    ranges: tuple[StateRange, ...] | None = None
    not_offered: tuple[StateAnalysis, ...] | None = None
    summary: tuple[InsuredBet, ...] | None = None

    def listed(self) -> tuple[StateAnalysis, ...]:
        """The states."""
        return self.states

    def __repr__(self) -> str:
        return f"<InsuranceAnalysis of {self.game.id} on {self.shoe.in_short}: {len(self.states)} states>"


def insurance(
    game: GameGiven,
    shoe: ShoeGiven | None = None,
    *,
    decks: int | None = None,
    removed: str | None = None,
    cards: str | None = None,
    hand: str | None = None,
    stage: str | None = None,
    favourable: bool = False,
    by_card: bool = False,
    ranges: bool = False,
    grid: bool = False,
    summary: bool = False,
) -> InsuranceAnalysis:
    """Return every insurance state of a game on a shoe: its probability, and the expected value given the state.

    The shoe is stated as for ``odds``. ``hand``, ``stage`` and ``favourable`` (to the player) select states.
    On request the answer also has the states by the Player's third card (``by_card``), the best and the worst exact
    cards of each state (``ranges``), the states at which nothing is offered (``grid``), and the cost or gain of
    insurance as a habit (``summary``).

    >>> insurance("commission-insurance-2013")["banker:four-cards:5-0"]
    <StateAnalysis banker@four-cards, Player 0, Banker 5: 2 to 1, house edge -0.1185 %>
    """
    played = as_game(game)
    if played.insurance_terms is None:
        under = f" under {', '.join(played.provisos.readings)}" if played.document.insurance_terms else ""
        raise InputError(f"{played.id} offers no insurance{under}: there is nothing to analyse")
    if favourable and (grid or summary):
        raise InputError("a grid and a summary show every state", "leave out {favourable}")
    dealt_from = as_shoe(shoe, decks=decks, removed=removed, cards=cards)
    distribution = pair_distribution(dealt_from, played.table_of_play)
    hands = list(Hand) if hand is None else [as_choice("hand", hand, Hand)]
    stages = list(Stage) if stage is None else [as_choice("stage", stage, Stage)]
    states = tuple(
        one
        for one in insurance_analysis(played, distribution)
        if one.state.side in hands and one.state.stage in stages and (one.favours_player or not favourable)
    )
    chosen = {one.state for one in states}
    offered = {(state.side, state.stage) for state in chosen}
    more: dict[str, object] = {}
    if by_card:
        split = by_third_card(played, distribution)
        more["third_cards"] = tuple(card for card in split if card.analysis.state in chosen)
    if ranges:
        from combinat.analysis.exact_cards import state_ranges

        every = state_ranges(played, dealt_from, distribution.sample_space)
        more["ranges"] = tuple(one for one in every if one.state in chosen)
    if grid:
        others = not_offered(played, distribution)
        more["not_offered"] = tuple(one for one in others if (one.state.side, one.state.stage) in offered)
    if summary:
        from combinat.analysis.insurance_habits import insured_bets

        habits = insured_bets(played, dealt_from, distribution)
        more["summary"] = tuple(bet for bet in habits if bet.hand in {side for side, _ in offered})
    return InsuranceAnalysis(
        game=played,
        shoe=dealt_from,
        sample_space=distribution.sample_space,
        states=states,
        favourable=favourable,
        **more,  # type: ignore[arg-type]  # each of its own type
    )


def favourable_at_any(answers: Mapping[int, InsuranceAnalysis]) -> dict[int, InsuranceAnalysis]:
    """The answers for several numbers of decks, with the states alone that favour the player at one of them."""
    kept = {one.state for answer in answers.values() for one in answer if one.favours_player}
    return {
        number: msgspec.structs.replace(answer, states=tuple(one for one in answer if one.state in kept))
        for number, answer in answers.items()
    }
