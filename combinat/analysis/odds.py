"""``odds``: the exact odds of every bet of a game on a shoe."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from combinat.analysis import analysis
from combinat.analysis.analysis import Analysis
from combinat.analysis.until_decided import staying_bets, until_decided
from combinat.base.errors import InputError
from combinat.base.money import Amount
from combinat.rules.converters import GameGiven, ShoeGiven, as_bets, as_game, as_shoe, as_stakes
from combinat.rules.game import Game


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
    every = as_they_stay(
        analysis.analyze(
            played, as_shoe(shoe, decks=decks, removed=removed, cards=cards), by_recursion=by_recursion
        )
    )
    answer = replace(every, bets=tuple(bet for bet in every.bets if bet.id in chosen))
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


def as_they_stay(analysis: Analysis) -> Analysis:
    """The analysis with bets that stay on the layout valued until decided; one that never is, as in one round."""
    game = analysis.game
    staying = {bet.id: bet for bet in staying_bets(game)}
    return replace(
        analysis,
        bets=tuple(
            (until_decided(game, staying[bet.id], analysis.distribution) or bet) if bet.id in staying else bet
            for bet in analysis.bets
        ),
    )


def _chosen(game: Game, bets: Sequence[str], layout: str | None) -> list[str]:
    """The ids of the bets asked for, in the order of the rule book."""
    offered = [bet.id for bet in (game.bets if layout is None else game.bets_on(layout))]
    if missing := sorted(set(bets) - set(offered)):
        raise InputError(
            f"layout {layout} does not offer {', '.join(missing)}",
            f"write one of {', '.join(offered)}",
            parameter="bets",
        )
    return [bet for bet in offered if not bets or bet in bets]


def _on_layout(game: Game, stakes: dict[str, Fraction], layout: str | None) -> dict[str, Fraction]:
    """The stakes, all on bets of the layout."""
    for bet in stakes:
        if layout is not None and game.bet(bet) not in game.bets_on(layout):
            raise InputError(f"layout {layout} does not offer it", parameter=f"stakes {bet}")
    return stakes
