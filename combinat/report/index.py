"""The index of a collection of reports: its games side by side, with their documents and house edges."""

from collections.abc import Callable, Iterator, Sequence, Set

from combinat.analysis.bets import odds_in_words
from combinat.base.kinds import COUNT, HASH, MONEY, TEXT, percentage
from combinat.certify.collection import CollectedGame, Collection
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Link,
    Section,
    Table,
    section,
    table,
)
from combinat.report.analysis.odds import decks_in_words
from combinat.report.explorer import EXPLORER
from combinat.report.phrases import DRAFT_STATUS
from combinat.report.relation_tables import across

INDEX_PAGE = "index.html"

GAMES_ACROSS = 4
"""Number of games side by side."""

READ = {
    "Report": {"report.html": "page", "report.pdf": "PDF", "report.md": "text"},
    "Memo": {"memo.html": "page", "memo.pdf": "PDF", "memo.md": "text"},
    "Workbook": {"workbook.xlsx": "spreadsheet"},
    "Rules": {"rules.md": "restated"},
}
"""The documents of a report, by file name."""

FILED = {"filing.toml": "who issues it"}
"""The files with which a report is issued."""

CHECK = {
    "VERIFY.txt": "how to check",
    "certificate.json": "certificate",
    "analysis.json": "every figure",
    "checker.py": "checker",
    "SHA256SUMS": "hashes",
}
"""The files for verification."""


def index(collection: Collection, drafts: Set[str] = frozenset()) -> Section:
    """Return the index page of a collection; ``drafts``: the ids of the games whose rule books are drafts."""
    games = collection.games
    hashes = [(name, game.rule_book_sha256) for name, game in zip(_names(games), games, strict=True)]
    of_what = "its rule book" if drafts else "our transcription"
    return section(
        "Exact pay-table analyses",
        "Written by combinat report; never edited by hand. Check everything with combinat verify.",
        (_side_by_side(some, drafts) for some in across(games, GAMES_ACROSS)),
        section(
            f"House edge in per cent{_shoe(games)}",
            (_edges(games, some) for some in across(games, GAMES_ACROSS)),
        ),
        section(_banker_title(games), _banker(games))
        if any(len(game.banker_edges) > 1 for game in games)
        else None,
        section("The rule books", table((Column("game"), Column(f"SHA-256 of {of_what}", HASH)), hashes)),
    )


def _shoe(games: Sequence[CollectedGame]) -> str:
    if len({game.reference_decks for game in games}) == 1:
        return f", {decks_in_words(games[0].reference_decks)}"
    return ", on each game's reference shoe"


def _side_by_side(games: Sequence[CollectedGame], drafts: Set[str]) -> Table:
    """Return a table with a column for each game; rows without any value are left out."""
    said: dict[str, Callable[[CollectedGame], Cell]] = {
        "Status": lambda game: DRAFT_STATUS if game.id in drafts else "approved" if drafts else None,
        "In force from": lambda game: game.effective,
        "Version": lambda game: game.version or None,
        "Readings followed": lambda game: ", ".join(game.followed) or None,
        "Decks": lambda game: (Figure(game.least_decks, COUNT), " to ", Figure(game.most_decks, COUNT)),
        "Commission": _commission,
        "Banker pays": lambda game: odds_in_words(game.banker_pays) if game.banker_pays else None,
        "Bets": lambda game: Figure(len(game.bets), COUNT),
        "Insurance states that favour the player": _favourable,
        **{name: _read(files) for name, files in READ.items()},
        "Explorer": lambda game: (Link("any shoe, any round", f"{EXPLORER}#game={game.id}"),),
        "Rule book": lambda game: _links(game, {f"{game.id}.toml": "as data"}),
        "Filing": _read(FILED),
        "To check": _read(CHECK),
        "Also there": _others,
    }
    rows = [(name, *(say(game) for game in games)) for name, say in said.items()]
    return table(
        (Column("game", TEXT), *(Column(name) for name in _names(games))),
        [row for row in rows if any(cell is not None for cell in row[1:])],
    )


def _names(games: Sequence[CollectedGame]) -> list[str]:
    """Return the names of the games, with the id added if two games have the same name."""
    names = [game.name for game in games]
    return [
        name if names.count(name) == 1 else f"{name} ({game.id})"
        for name, game in zip(names, games, strict=True)
    ]


def _commission(game: CollectedGame) -> Cell:
    if game.commission is not None:
        return Figure(game.commission * 100, MONEY, after=" % of a win on Banker")
    return "none" if game.banker else None


def _favourable(game: CollectedGame) -> Cell:
    if not game.offered_states:
        return None
    return Figure(game.favourable_states, COUNT), " of ", Figure(game.offered_states, COUNT)


def _read(files: dict[str, str]) -> Callable[[CollectedGame], Cell]:
    return lambda game: _links(game, files)


def _links(game: CollectedGame, files: dict[str, str]) -> Cell:
    """Links to the files of a game, by kind, or None if it has no files."""
    cell: list[str | Figure | Link] = []
    for file, name in files.items():
        if file in game.files:
            cell += [*([", "] if cell else []), Link(name, f"{game.id}/{file}")]
    return tuple(cell) or None


def _others(game: CollectedGame) -> Cell:
    named = {*CHECK, *FILED, f"{game.id}.toml", *(file for files in READ.values() for file in files)}
    return _links(game, {file: file for file in game.files if file not in named})


def _edges(games: Sequence[CollectedGame], some: Sequence[CollectedGame]) -> Table:
    """Return the house edge of every bet that one of these games offers."""
    by_game = [{edge.bet: edge.house_edge for edge in game.bets} for game in some]
    names = {edge.bet: edge.name for game in reversed(games) for edge in reversed(game.bets)}
    bets = list(dict.fromkeys(bet for edges in by_game for bet in edges))
    columns = [Column("bet"), *(Column(name, percentage(4)) for name in _names(some))]
    return table(columns, [(names[bet], *(edges.get(bet) for edges in by_game)) for bet in bets])


def _banker_title(games: Sequence[CollectedGame]) -> str:
    if {game.commission is None for game in games if game.banker} == {True, False}:
        return "Commission beside non-commission: the bet on the Banker Hand, house edge in per cent"
    return "The bet on the Banker Hand by number of decks, house edge in per cent"


def _banker(games: Sequence[CollectedGame]) -> Iterator[Block]:
    """Yield the bet on the Banker Hand by number of decks, games with a commission first."""
    listed = sorted((game for game in games if game.banker), key=lambda game: game.commission is None)
    numbers = sorted({edge.decks for game in listed for edge in game.banker_edges})
    names = dict(zip([game.id for game in games], _names(games), strict=True))
    for some in across(numbers):
        columns = [
            *(Column("game", TEXT), Column("pays")),
            *(Column(decks_in_words(number), percentage(4)) for number in some),
        ]
        rows: list[tuple[Cell, ...]] = []
        for game in listed:
            edges = {edge.decks: edge.house_edge for edge in game.banker_edges}
            rows.append(
                (names[game.id], odds_in_words(game.banker_pays), *(edges.get(number) for number in some))
            )
        yield table(columns, rows)
