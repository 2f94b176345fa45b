"""The dossier: everything that is said of a game, as records of integers, fractions and ids.

It is a function of the rule book's bytes, of the numbers of decks and of the readings followed, and of nothing
else. Every document is drawn from it, ``analysis.json`` is its one written form, and the checker checks its
statements. Each distribution is counted once. There is no decimal in it: where the printed value is
irrational, it holds the square (with the value's sign).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.analysis.bets import BetAnalysis
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
from combinat.base.number import Whole
from combinat.certify.examples import Example, examples
from combinat.certify.identities import Identity, identities
from combinat.protection.summary import (
    BetProtection,
    InsuranceProtection,
    insurance_protection,
    protection,
)
from combinat.rules.book.load import RuleBook
from combinat.rules.game import Game
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
    """What the house wins on a bet after so many independent rounds of a unit each.

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
        """The square of how far this many standard deviations reach below the expected win."""
        return min(sigmas**2 * self.sigma_squared, (self.expected_win + self.most_loss) ** 2)

    def above_squared(self, sigmas: int) -> Fraction:
        """The square of how far this many standard deviations reach above the expected win."""
        return min(sigmas**2 * self.sigma_squared, (self.most_win - self.expected_win) ** 2)


@dataclass(frozen=True, kw_only=True)
class Dossier:
    """Everything that is said of a game. What is given for one shoe only is of ``reference_decks``.

    ``followed``: the entries of the register whose other reading all of it follows.
    """

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
    protection: tuple[BetProtection, ...]
    insurance_protection: tuple[InsuranceProtection, ...]
    removal: tuple[Removal, ...]
    formulas: tuple[ClosedForms, ...]
    operations: tuple[Volume, ...]
    identities: tuple[Identity, ...]

    @property
    def offered_states(self) -> int:
        """How many insurance states the game offers."""
        return len(self.reference.insurance)

    @property
    def favourable_states(self) -> int:
        """How many of them favour the player."""
        return sum(one.favours_player for one in self.reference.insurance)

    @property
    def decks(self) -> tuple[int, ...]:
        """The numbers of decks."""
        return tuple(shoe.decks for shoe in self.shoes)

    @property
    def reference(self) -> FreshShoe:
        """The shoe of the figures that are given for one shoe only."""
        return next(shoe for shoe in self.shoes if shoe.decks == self.reference_decks)


def dossier(book: RuleBook, decks: Sequence[int]) -> Dossier:
    """Return the dossier of a rule book on fresh shoes of these numbers of decks."""
    game = book.game
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
    protected, insurance = protection(game, shoe, decks), insurance_protection(game, shoe, decks)
    held = identities(analyses)
    forms = closed_forms(game)
    return Dossier(
        game=game.id,
        rule_book_sha256=book.sha256,
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
        insurance_protection=insurance,
        removal=removed,
        formulas=forms,
        operations=tuple(_volume(bet, rounds) for bet in analysis.bets for rounds in ROUNDS),
        identities=held,
    )


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
    """The bet on the Banker Hand with the first bet that is on no hand; other bets where there are none such."""
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
