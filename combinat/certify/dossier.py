"""The dossier: all figures of a game, as records of integers, fractions and ids.

It depends only on the rule book's bytes, on the numbers of decks and on the readings followed. Every
document is drawn from it, ``analysis.json`` is its written form, and the checker checks its
statements. Its identities are numbers computed in two ways; if one fails, no dossier is made.
Each distribution is counted once. There is no decimal in it: where the printed value is
irrational, it holds the square (with the value's sign).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from combinat.analysis.bets import BetAnalysis, bet_analysis
from combinat.analysis.evaluate import evaluate
from combinat.analysis.formula import ClosedForms, closed_forms
from combinat.analysis.insurance import (
    StateAnalysis,
    ThirdCard,
    by_third_card,
    not_offered,
)
from combinat.analysis.insurance_analysis import StateRange, state_ranges
from combinat.analysis.insurance_habits import InsuredBet, insured_bets
from combinat.analysis.joint import Combination, Correlation, combination, correlations
from combinat.analysis.odds import Analysis, one_round_analysis
from combinat.analysis.readings import Reading, readings
from combinat.analysis.removal import Removal, removals
from combinat.base.errors import CombinatError
from combinat.base.number import Whole
from combinat.certify.examples import Example, examples
from combinat.engine.distribution import falling
from combinat.engine.pairs import pair_distribution
from combinat.engine.walk import MOST_CARDS
from combinat.protection.protect import ProtectedWager, protect
from combinat.rules.bounds import COUNTED_CARDS
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.house_rules import Phrased
from combinat.rules.insurance import Open
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand

REFERENCE_DECKS = 8
"""The shoe of the figures that are given for one shoe only, where it is among the numbers of decks."""


@dataclass(frozen=True, kw_only=True)
class FreshShoe:
    """The game on a fresh shoe: every bet, every two of them, every insurance state."""

    decks: int
    cards: int
    sample_space: Whole
    void: Fraction
    bets: tuple[BetAnalysis, ...]
    joint: tuple[Correlation, ...]
    insurance: tuple[StateAnalysis, ...]


@dataclass(frozen=True, kw_only=True)
class Volume:
    """The House's win on a bet after a number of independent rounds of one unit each.

    ``most_win`` and ``most_loss``: all that it can win and lose in these rounds. Bands of one, two and three standard
    deviations around the expected win are given by the squares of their widths, and cut where they would reach beyond.
    """

    bet: str
    rounds: int
    expected_win: Fraction
    sigma_squared: Fraction
    most_win: Fraction
    most_loss: Fraction

    def below_squared(self, sigmas: int) -> Fraction:
        """Return the squared width of ``sigmas`` standard deviations below the expected win."""
        return min(sigmas**2 * self.sigma_squared, (self.expected_win + self.most_loss) ** 2)

    def above_squared(self, sigmas: int) -> Fraction:
        """Return the squared width of ``sigmas`` standard deviations above the expected win."""
        return min(sigmas**2 * self.sigma_squared, (self.most_win - self.expected_win) ** 2)


class Law(Phrased):
    """The two quantities that an identity equates."""

    OUTCOME_WAYS = "outcome-ways", "the ways of all outcomes of each bet add up to N(N-1)...(N-5)"
    JOINT_WAYS = (
        "joint-ways",
        "results and matches of the first four cards, counted jointly, have the same total",
    )
    PAIR_ALGORITHM = (
        "pair-algorithm",
        "the pair algorithm gives the expected value of every bet that the recursion gives",
    )
    REMOVAL_LAW = "removal-law", "removing a card at random changes no expected value on average"
    INSURANCE_STATES = (
        "insurance-states",
        "insurance states, offered or not, make up all rounds that go on after four cards",
    )


@dataclass(frozen=True, kw_only=True)
class Identity:
    """An identity on a fresh shoe: its number of equalities, and the sums of both sides."""

    law: Law
    decks: int
    equalities: int
    left: Fraction
    right: Fraction


@dataclass(frozen=True, kw_only=True)
class Dossier:
    """Everything that a report says of a game; ``analysis.json``. Figures of one shoe are of ``reference_decks``.

    ``followed``: the entries of the register whose other reading all of it follows.
    """

    schema: Literal["combinat/analysis/5"] = "combinat/analysis/5"
    game: str
    rule_book_sha256: str
    followed: tuple[str, ...]
    reference_decks: int
    shoes: tuple[FreshShoe, ...]
    examples: tuple[Example, ...]
    readings: tuple[Reading, ...]
    not_offered: tuple[StateAnalysis, ...]
    third_cards: tuple[ThirdCard, ...]
    ranges: tuple[StateRange, ...]
    insured: tuple[InsuredBet, ...]
    combination: Combination
    protection: tuple[ProtectedWager, ...]
    removal: tuple[Removal, ...]
    formulas: tuple[ClosedForms, ...]
    operations: tuple[Volume, ...]
    identities: tuple[Identity, ...]

    @property
    def offered_states(self) -> int:
        """The number of insurance states that the game offers."""
        return len(self.reference.insurance)

    @property
    def favourable_states(self) -> int:
        """The number of insurance states that favour the player."""
        return sum(one.favours_player for one in self.reference.insurance)

    @property
    def decks(self) -> tuple[int, ...]:
        """The numbers of decks."""
        return tuple(shoe.decks for shoe in self.shoes)

    @property
    def reference(self) -> FreshShoe:
        """The shoe of the figures that are stated for one shoe only."""
        return next(shoe for shoe in self.shoes if shoe.decks == self.reference_decks)


def dossier(game: Game, decks: Sequence[int]) -> Dossier:
    """Return the dossier of a rule book on fresh shoes of these numbers of decks."""
    analyses: dict[int, Analysis] = {}
    shoes: list[FreshShoe] = []
    for number in decks:
        analyses[number] = one_round_analysis(game, Shoe.of_decks(number), by_recursion=True)
        shoes.append(_fresh_shoe(analyses[number], number))
    reference = REFERENCE_DECKS if REFERENCE_DECKS in analyses else decks[-1]
    analysis = analyses[reference]
    shoe, distribution = analysis.shoe, analysis.distribution
    read_otherwise = readings(game, shoe, distribution)
    ranges, habits = (
        state_ranges(game, shoe, distribution.sample_space),
        insured_bets(game, shoe, distribution),
    )
    removed = removals(game, shoe)
    protected = protected_wagers(game, shoe)
    held = identities(analyses)
    forms = closed_forms(game)
    return Dossier(
        game=game.id,
        rule_book_sha256=game.sha256,
        followed=game.provisos.readings,
        reference_decks=reference,
        shoes=tuple(shoes),
        examples=examples(game),
        readings=read_otherwise,
        not_offered=not_offered(game, distribution),
        third_cards=by_third_card(game, distribution),
        ranges=ranges,
        insured=habits,
        combination=combination(game, _stakes_together(game), distribution),
        protection=protected,
        removal=removed,
        formulas=forms,
        operations=tuple(_volume(bet, rounds) for bet in analysis.bets for rounds in ROUNDS),
        identities=held,
    )


def protected_wagers(game: Game, shoe: Shoe) -> tuple[ProtectedWager, ...]:
    """Return who can beat each bet, or nothing for a shoe with too many depths to go through."""
    return protect(game, shoe=shoe).wagers if shoe.size <= COUNTED_CARDS else ()


def _fresh_shoe(analysis: Analysis, decks: int) -> FreshShoe:
    game, distribution = analysis.game, analysis.distribution
    return FreshShoe(
        decks=decks,
        cards=analysis.shoe.size,
        sample_space=Whole(analysis.sample_space),
        void=analysis.void,
        bets=analysis.bets,
        joint=correlations(game, game.bets, distribution),
        insurance=tuple(analysis.insurance),
    )


STAKES = Fraction(100), Fraction(10)
"""The stakes of the example of bets together: on a main bet, and on a side bet."""


def _stakes_together(game: Game) -> dict[str, Fraction]:
    """Return the bet on the Banker Hand and the first side bet; other bets if the game lacks these."""
    on_hands = [bet for hand in (Hand.BANKER, Hand.PLAYER) if (bet := game.bet_on(hand)) is not None]
    main = (on_hands or game.bets)[0]
    others = [bet for bet in game.bets if bet is not main]
    side = next((bet for bet in others if bet not in on_hands), None) or next(iter(others), None)
    return dict(zip([bet.id for bet in (main, side) if bet], STAKES, strict=False))


ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
"""The numbers of rounds of the table for operations."""


def _volume(bet: BetAnalysis, rounds: int) -> Volume:
    nets = [line.net for line in bet.outcomes if line.ways]
    return Volume(
        bet=bet.id,
        rounds=rounds,
        expected_win=bet.house_edge * rounds,
        sigma_squared=bet.variance * rounds,
        most_win=-min(nets) * rounds,
        most_loss=max(nets) * rounds,
    )


# ---------------------------------------------------------------- identities

Sides = tuple[Sequence[Fraction | int], Sequence[Fraction | int]]
"""The left and the right sides of equalities, in one order."""


def identities(analyses: dict[int, Analysis]) -> tuple[Identity, ...]:
    """Return every law on every shoe, by the number of its decks."""
    return tuple(
        _identity(law, decks, sides(analysis))
        for law, sides in _SIDES.items()
        for decks, analysis in analyses.items()
        if law is not Law.INSURANCE_STATES or analysis.game.insurance_terms is not None
    )


def _identity(law: Law, decks: int, sides: Sides) -> Identity:
    left, right = sides
    if list(left) != list(right):
        raise CombinatError(
            f"an identity fails at {decks} decks, so nothing is written: {law.in_words}; please report this"
        )
    return Identity(
        law=law,
        decks=decks,
        equalities=len(left),
        left=Fraction(sum(left)),
        right=Fraction(sum(right)),
    )


def _outcome_ways(analysis: Analysis) -> Sides:
    space = falling(analysis.shoe.size, MOST_CARDS)
    return [sum(line.ways for line in bet.outcomes) for bet in analysis.bets], [space] * len(analysis.bets)


def _joint_ways(analysis: Analysis) -> Sides:
    return [sum(analysis.distribution.outcomes.values())], [falling(analysis.shoe.size, MOST_CARDS)]


def _pair_algorithm(analysis: Analysis) -> Sides:
    game = analysis.game
    pairs = pair_distribution(analysis.shoe, game.table_of_play)
    return [bet_analysis(game, bet, pairs).expected_value for bet in game.bets], _values(analysis)


def _removal_law(analysis: Analysis) -> Sides:
    shoe = analysis.shoe
    batch = evaluate(analysis.game, np.array([shoe.minus([rank]).counts for rank in RANKS]))

    def on_average(bet: str) -> Iterator[Fraction]:
        for row, rank in enumerate(RANKS):
            yield Fraction(shoe[rank], shoe.size) * batch.expected_value(row, bet)

    return [sum(on_average(bet.id), Fraction(0)) for bet in analysis.bets], _values(analysis)


def _values(analysis: Analysis) -> list[Fraction]:
    return [bet.expected_value for bet in analysis.bets]


def _insurance_states(analysis: Analysis) -> Sides:
    game, distribution = analysis.game, analysis.distribution
    states = [*analysis.insurance, *not_offered(game, distribution)]
    known = game.insurance_terms is not None and game.insurance_terms.open is Open.WHENEVER_LISTED
    goes_on = sum(ways for result, ways in distribution.results.items() if known or result.cards > 4)
    sides = list(dict.fromkeys(one.state.side for one in states))
    first = [one for one in states if one.state.stage is Stage.FOUR_CARDS]
    return [sum(one.ways for one in first if one.state.side is side) for side in sides], [goes_on] * len(
        sides
    )


_SIDES: dict[Law, Callable[[Analysis], Sides]] = {
    Law.OUTCOME_WAYS: _outcome_ways,
    Law.JOINT_WAYS: _joint_ways,
    Law.PAIR_ALGORITHM: _pair_algorithm,
    Law.REMOVAL_LAW: _removal_law,
    Law.INSURANCE_STATES: _insurance_states,
}
