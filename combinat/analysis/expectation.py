"""The published figures that a rule book states, held against the exact ones."""

from dataclasses import dataclass
from fractions import Fraction

from combinat.analysis.bets import bet_analysis
from combinat.engine.pairs import pair_distribution
from combinat.rules.examples import Expect, Published
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """A published figure and the exact value of what it states."""

    stated: Expect
    name: str
    published: Published
    exact: Fraction

    @property
    def is_met(self) -> bool:
        """Whether the exact value is the published one, in the digits that are published."""
        return self.published.is_met_by(self.exact)


def expectations(game: Game) -> tuple[Expectation, ...]:
    """Every published figure of a rule book, in its order."""
    return tuple(
        Expectation(stated=stated, name=name, published=figure, exact=_exact(game, stated, name))
        for stated in game.expect
        for name, figure in stated.figures.items()
    )


def _exact(game: Game, stated: Expect, name: str) -> Fraction:
    distribution = pair_distribution(Shoe.of_decks(stated.decks), game.table_of_play)
    analysis = bet_analysis(game, game.bet(stated.bet), distribution)
    if name == "probability":
        return next(line.probability for line in analysis.outcomes if line.name == stated.line)
    value = getattr(analysis, name)
    assert isinstance(value, Fraction)
    return value
