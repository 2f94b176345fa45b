"""``odds``: the exact odds of every bet of a game on a shoe."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from msgspec.structs import replace

from combinat.analysis.bets import BETS, BetAnalysis, bet_analysis, staying_bets, until_decided
from combinat.base.errors import InputError
from combinat.base.money import Amount
from combinat.base.tabular import Listing, Records
from combinat.engine.distribution import Distribution
from combinat.engine.pairs import pair_distribution
from combinat.engine.walk import walk
from combinat.rules.converters import GameGiven, ShoeGiven, as_bets, as_game, as_shoe, as_stakes
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:
    from combinat.analysis.insurance import StateAnalysis
    from combinat.analysis.joint import Combination, Correlation
    from combinat.analysis.readings import Reading
else:
    Combination = Correlation = Reading = (
        Any  # imported at run time by their users; ``help`` reads annotations
    )


class Analysis(Listing[BetAnalysis], msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Every bet of a game on one shoe, exactly.

    Iterating gives the bets; ``analysis["tie"]`` is the bet with that id. ``joint`` (correlations),
    ``combination`` (stakes together) and ``interpretations`` (effects of other readings) are None unless
    requested from ``odds``.

    >>> from combinat import analyze
    >>> analysis = analyze("commission-insurance-2013")
    >>> [bet.id for bet in analysis], analysis["tie"].hit_frequency
    (['player', 'banker', 'tie', 'player-pair', 'banker-pair'], Fraction(619306544887, 6508331087895))
    >>> analysis.sample_space, analysis.insurance["banker:four-cards:6-5"].odds
    (4998398275503360, '3 to 1')
    """

    RELATION: ClassVar = BETS
    LISTED: ClassVar = "bets"

    game: Game
    shoe: Shoe
    distribution: Distribution
    bets: tuple[BetAnalysis, ...]
    joint: tuple[Correlation, ...] | None = None
    combination: Combination | None = None
    interpretations: tuple[Reading, ...] | None = None

    @property
    def sample_space(self) -> int:
        """The number of ordered card sequences: the denominator of all ways."""
        return self.distribution.sample_space

    @property
    def void(self) -> Fraction:
        """The probability that the shoe cannot finish a round."""
        return Fraction(self.distribution.void, self.distribution.sample_space)

    def bet(self, bet_id: str) -> BetAnalysis:
        """The analysis of one bet."""
        return self[bet_id]

    @cached_property
    def insurance(self) -> "Records[StateAnalysis]":
        """Every insurance state that the game offers; empty if it offers no insurance.

        ``analysis.insurance["banker:four-cards:6-5"]`` is one of them, the insured hand's points first.
        """
        from combinat.analysis.insurance import (
            insurance_analysis,
        )  # imported here: the odds of bets do not need it

        return Records(insurance_analysis(self.game, self.distribution))

    def __repr__(self) -> str:
        return f"<Analysis of {self.game.id} on {self.shoe.in_short}: {len(self.bets)} bets>"


def one_round_analysis(game: Game, shoe: Shoe, *, by_recursion: bool = False) -> Analysis:
    """Return the exact analysis of every bet in one round on a shoe.

    A bet that stays on the layout counts as returned. The rounds are counted by pairs (``engine/pairs.py``),
    in a fraction of the time that the recursion takes (``engine/walk.py``). The recursion is the definition:
    both give the same integers, and certified figures are counted by it.

    >>> from combinat import load_game
    >>> analysis = one_round_analysis(load_game("commission-insurance-2013"), Shoe.of_decks(8))
    >>> analysis.bet("player-pair").expected_value
    Fraction(-43, 415)
    """
    distribution = walk(shoe, game.round()) if by_recursion else pair_distribution(shoe, game.table_of_play)
    bets = tuple(bet_analysis(game, bet, distribution) for bet in game.bets)
    return Analysis(game=game, shoe=shoe, distribution=distribution, bets=bets)


def odds(
    game: GameGiven,
    shoe: ShoeGiven | None = None,
    *,
    decks: int | None = None,
    removed: str | None = None,
    cards: str | None = None,
    bets: Sequence[str] = (),
    layout: str | None = None,
    joint: bool = False,
    stakes: Mapping[str, Amount] | None = None,
    interpretations: bool = False,
    by_recursion: bool = False,
) -> Analysis:
    """Return the exact analysis of every bet of a game on a shoe.

    The shoe is a ``Shoe`` or a number of decks; or ``decks`` and the cards ``removed`` from them; or all ``cards`` that
    are left, such as ``"A=31 2=32 K=32"``. Default: 8 decks. ``analyze`` is another name of this function.

    ``bets`` and ``layout`` select bets. On request the answer also has the correlations of the bets (``joint``), the
    distribution of several ``stakes`` in one round, and the effect of every other reading (``interpretations``).
    Bets that stay on the layout after a tie or a void round are valued until they are decided.
    ``by_recursion``: count by the definition, which is slower and gives the same integers.

    >>> analysis = odds("commission-insurance-2013")
    >>> analysis["player-pair"].expected_value
    Fraction(-43, 415)
    >>> print(analysis["player-pair"].standard_deviation)
    3.154856488941
    >>> from combinat import load_game
    >>> odds(load_game("commission-insurance-2013").paying(tie="9 to 1"), decks=6)["tie"]
    <BetAnalysis tie: house edge 4.9313 %, wins 9.5069 %>
    """
    played = as_game(game)
    chosen = _chosen(played, as_bets(played, bets), layout)
    staked = None if stakes is None else _on_layout(played, as_stakes(played, stakes), layout)
    if interpretations and played.provisos.odds:
        raise InputError(
            "other readings have odds of their own", "leave out {interpretations} or the odds of {pays}"
        )
    every = one_round_analysis(
        played, as_shoe(shoe, decks=decks, removed=removed, cards=cards), by_recursion=by_recursion
    )
    decided = {bet.id: until_decided(played, bet, every.distribution) for bet in staying_bets(played)}
    answer = replace(every, bets=tuple(decided.get(bet.id) or bet for bet in every.bets if bet.id in chosen))
    if joint:
        from combinat.analysis.joint import correlations

        pairs = correlations(played, [played.bet(bet) for bet in chosen], every.distribution)
        answer = replace(answer, joint=pairs)
    if staked:
        from combinat.analysis.joint import combination

        answer = replace(answer, combination=combination(played, staked, every.distribution))
    if interpretations:
        from combinat.analysis.readings import readings

        answer = replace(answer, interpretations=readings(played, every.shoe, every.distribution))
    return answer


analyze = odds


def _chosen(game: Game, bets: Sequence[str], layout: str | None) -> list[str]:
    """Return the ids of the selected bets, in the order of the rule book."""
    offered = [bet.id for bet in (game.bets if layout is None else game.bets_on(layout))]
    if missing := sorted(set(bets) - set(offered)):
        raise InputError(
            f"layout {layout} does not offer {', '.join(missing)}",
            f"write one of {', '.join(offered)}",
            parameter="bets",
        )
    return [bet for bet in offered if not bets or bet in bets]


def _on_layout(game: Game, stakes: dict[str, Fraction], layout: str | None) -> dict[str, Fraction]:
    """Return the stakes; refuse a stake on a bet that the layout does not offer."""
    for bet in stakes:
        if layout is not None and game.bet(bet) not in game.bets_on(layout):
            raise InputError(f"layout {layout} does not offer it", parameter=f"stakes {bet}")
    return stakes
