"""A collection of dossiers: what joins several games, and nothing that one game alone could say."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.analysis.dossier import Dossier
from combinat.rules.game import Game
from combinat.rules.table_of_play import Hand


@dataclass(frozen=True, kw_only=True)
class BetEdge:
    """The house edge of a bet on its game's reference shoe."""

    bet: str
    house_edge: Fraction


@dataclass(frozen=True, kw_only=True)
class DecksEdge:
    """The house edge of a bet on a fresh shoe of so many decks."""

    decks: int
    house_edge: Fraction


@dataclass(frozen=True, kw_only=True)
class CollectedGame:
    """A game of the collection. ``banker``: the bet on the Banker Hand, by number of decks; None: it has none."""

    id: str
    name: str
    effective: str
    least_decks: int
    most_decks: int
    rule_book_sha256: str
    followed: tuple[str, ...]
    reference_decks: int
    files: tuple[str, ...]
    bets: tuple[BetEdge, ...]
    banker: str | None
    banker_edges: tuple[DecksEdge, ...]


@dataclass(frozen=True, kw_only=True)
class Collection:
    """Games side by side, in the order of their ids."""

    games: tuple[CollectedGame, ...]


def collection(reports: Sequence[tuple[Game, Dossier, Sequence[str]]]) -> Collection:
    """The collection of these reports: each a game, its dossier, and the names of the files in its folder."""
    collected = [_collected(game, dossier, names) for game, dossier, names in reports]
    return Collection(games=tuple(sorted(collected, key=lambda game: game.id)))


def _collected(game: Game, dossier: Dossier, names: Sequence[str]) -> CollectedGame:
    banker = game.bet_on(Hand.BANKER)
    edges = [
        DecksEdge(decks=shoe.decks, house_edge=bet.house_edge)
        for shoe in dossier.shoes
        for bet in shoe.bets
        if banker is not None and bet.id == banker.id
    ]
    return CollectedGame(
        id=game.id,
        name=game.name,
        effective=game.in_force,
        least_decks=game.decks.least,
        most_decks=game.decks.most,
        rule_book_sha256=dossier.rule_book_sha256,
        followed=dossier.followed,
        reference_decks=dossier.reference_decks,
        files=tuple(sorted(name for name in names if "/" not in name)),
        bets=tuple(BetEdge(bet=bet.id, house_edge=bet.house_edge) for bet in dossier.reference.bets),
        banker=banker.id if banker is not None else None,
        banker_edges=tuple(edges),
    )
