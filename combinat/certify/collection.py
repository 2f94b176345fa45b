"""A collection of reports: the comparison of its games, its file, and the files above the report folders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

from combinat.base.files import Files
from combinat.base.strict_json import canonical
from combinat.certify.analysis_file import plain
from combinat.certify.certificate import (
    CERTIFICATE,
    CollectionPredicate,
    sealed,
)
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
    """The house edge of a bet on a fresh shoe of this number of decks."""

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
    """Games side by side, in the order in which they came into force, then of their ids; ``collection.json``."""

    schema: Literal["combinat/collection/1"] = "combinat/collection/1"
    games: tuple[CollectedGame, ...]


def collection(reports: Sequence[tuple[Game, Dossier, Sequence[str]]]) -> Collection:
    """Return the collection of these reports: each a game, its dossier, and the file names of its folder."""
    collected = [_collected_game(game, dossier, names) for game, dossier, names in reports]
    return Collection(games=tuple(sorted(collected, key=lambda game: (game.effective, game.id))))


def _collected_game(game: Game, dossier: Dossier, names: Sequence[str]) -> CollectedGame:
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
    """Return the commission on an even win if every win pays the same and less than even money, or None.

    >>> _commission([Fraction(19, 20)]), _commission([Fraction(1), Fraction(1, 2)]), _commission([])
    (Fraction(1, 20), None, None)
    """
    (net, *others) = set(nets) or {Fraction(1)}
    return 1 - net if not others and net < 1 else None


# ---------------------------------------------------------------- the files above the folders of the games

INDEX = "README.md"
INDEX_PAGE = "index.html"
EXPLORER = "explorer.html"
COLLECTION = "collection.json"


def collection_bytes(collection: Collection) -> bytes:
    """Return the content of ``collection.json``."""
    return canonical(plain(collection))


def sealed_collection(
    collected: Collection,
    certificates: Files,
    documents: Files,
    *,
    libraries: Mapping[str, str],
    key: Path | None = None,
) -> dict[str, bytes]:
    """Return the files above the folders of the games.

    ``certificates``: those of the games, by game id; ``documents``: the index in both its forms and the explorer.
    """
    named = {f"{game}/{CERTIFICATE}": content for game, content in certificates.items()}
    own = {COLLECTION: collection_bytes(collected), **documents}
    claims = {"games": tuple(sorted(certificates))}
    every = sealed({**own, **named}, CollectionPredicate, claims, libraries, key)
    return {name: content for name, content in every.items() if name not in named}


def reports_in(contents: Files) -> dict[str, dict[str, bytes]]:
    """Return the files of each folder of a collection, by the folder's name."""
    reports: dict[str, dict[str, bytes]] = {}
    for name, content in contents.items():
        folder, slash, rest = name.partition("/")
        if slash:
            reports.setdefault(folder, {})[rest] = content
    return reports
