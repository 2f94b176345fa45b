"""A collection of dossiers: what joins several games, and nothing that one game alone could say."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.certify.dossier import Dossier
from combinat.rules.game import Game
from combinat.rules.table_of_play import Hand


@dataclass(frozen=True, kw_only=True)
class BetEdge:
    """The house edge of a bet on its game's reference shoe."""

    bet: str
    name: str
    house_edge: Fraction


@dataclass(frozen=True, kw_only=True)
class DecksEdge:
    """The house edge of a bet on a fresh shoe of so many decks."""

    decks: int
    house_edge: Fraction


@dataclass(frozen=True, kw_only=True)
class CollectedGame:
    """A game of the collection. ``banker``: the bet on the Banker Hand, by number of decks; None: it has none.

    ``banker_pays``: the odds of its wins; ``commission``: what is kept of each, where all pay one and the same, less
    than even money; None: nothing is.
    """

    id: str
    name: str
    version: str
    effective: str
    least_decks: int
    most_decks: int
    rule_book_sha256: str
    followed: tuple[str, ...]
    reference_decks: int
    files: tuple[str, ...]
    bets: tuple[BetEdge, ...]
    offered_states: int
    favourable_states: int
    banker: str | None
    banker_pays: tuple[str, ...]
    commission: Fraction | None
    banker_edges: tuple[DecksEdge, ...]


@dataclass(frozen=True, kw_only=True)
class Collection:
    """Games side by side, in the order in which they came into force, then of their ids."""

    games: tuple[CollectedGame, ...]


def collection(reports: Sequence[tuple[Game, Dossier, Sequence[str]]]) -> Collection:
    """The collection of these reports: each a game, its dossier, and the names of the files in its folder."""
    collected = [_collected(game, dossier, names) for game, dossier, names in reports]
    return Collection(games=tuple(sorted(collected, key=lambda game: (game.effective, game.id))))


def _collected(game: Game, dossier: Dossier, names: Sequence[str]) -> CollectedGame:
    banker = game.bet_on(Hand.BANKER)
    wins = [pay for pay in banker.pays if pay.odds.net > 0] if banker is not None else []
    edges = [
        DecksEdge(decks=shoe.decks, house_edge=bet.house_edge)
        for shoe in dossier.shoes
        for bet in shoe.bets
        if banker is not None and bet.id == banker.id
    ]
    return CollectedGame(
        id=game.id,
        name=game.name,
        version=game.version,
        effective=game.in_force,
        least_decks=game.decks.least,
        most_decks=game.decks.most,
        rule_book_sha256=dossier.rule_book_sha256,
        followed=dossier.followed,
        reference_decks=dossier.reference_decks,
        files=tuple(sorted(name for name in names if "/" not in name)),
        bets=tuple(
            BetEdge(bet=bet.id, name=bet.name, house_edge=bet.house_edge) for bet in dossier.reference.bets
        ),
        offered_states=dossier.offered_states,
        favourable_states=dossier.favourable_states,
        banker=banker.id if banker is not None else None,
        banker_pays=tuple(pay.odds for pay in wins),
        commission=_commission([pay.odds.net for pay in wins]),
        banker_edges=tuple(edges),
    )


def _commission(nets: Sequence[Fraction]) -> Fraction | None:
    """What is kept of an even win: where every win pays the same, and less.

    >>> _commission([Fraction(19, 20)]), _commission([Fraction(1), Fraction(1, 2)]), _commission([])
    (Fraction(1, 20), None, None)
    """
    (net, *others) = set(nets) or {Fraction(1)}
    return 1 - net if not others and net < 1 else None
