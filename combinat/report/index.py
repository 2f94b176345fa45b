"""The index of a collection of reports: its games, and the house edge of every bet side by side."""

from collections.abc import Sequence

from combinat.analysis.collection import CollectedGame, Collection
from combinat.render.blocks import Block, Cell, Column, Figure, Link, Paragraph, Section, table
from combinat.render.kinds import COUNT, HASH, TEXT, percentage
from combinat.report.odds import DECKS_ACROSS


def index(collection: Collection) -> Section:
    """The page that stands over the folders of the games."""
    games = collection.games
    references = {game.reference_decks for game in games}
    shoe = (
        f", {games[0].reference_decks} decks" if len(references) == 1 else ", on each game's reference shoe"
    )
    blocks: list[Block] = [
        Paragraph("Written by combinat report; never edited by hand. Check everything with combinat verify."),
        table(
            (
                Column("game"),
                Column("in force from"),
                Column("decks"),
                Column("files"),
                Column("rule book SHA-256", HASH),
            ),
            [_game(game) for game in games],
        ),
        Section(f"House edge in per cent{shoe}", (_edges(games),)),
    ]
    if any(game.banker for game in games):
        blocks.append(
            Section(
                "The bet on the Banker Hand by number of decks, house edge in per cent",
                tuple(_banker(games)),
            )
        )
    return Section("Exact pay-table analyses", tuple(blocks))


def _game(game: CollectedGame) -> tuple[Cell, ...]:
    links: list[str | Figure | Link] = []
    for name in game.files:
        links += [", ", Link(name, f"{game.id}/{name}")] if links else [Link(name, f"{game.id}/{name}")]
    decks = (Figure(game.least_decks, COUNT), " to ", Figure(game.most_decks, COUNT))
    under = f" (readings followed: {', '.join(game.followed)})" if game.followed else ""
    return (f"{game.name}{under}", game.effective, decks, tuple(links), game.rule_book_sha256)


def _edges(games: Sequence[CollectedGame]) -> Block:
    by_game = [{edge.bet: edge.house_edge for edge in game.bets} for game in games]
    bets = list(dict.fromkeys(bet for edges in by_game for bet in edges))
    columns = [Column("bet"), *(Column(game.id, percentage(4)) for game in games)]
    return table(columns, [(bet, *(edges.get(bet) for edges in by_game)) for bet in bets])


def _banker(games: Sequence[CollectedGame]) -> list[Block]:
    listed = [game for game in games if game.banker]
    numbers = sorted({edge.decks for game in listed for edge in game.banker_edges})
    blocks: list[Block] = []
    for start in range(0, len(numbers), DECKS_ACROSS):
        across = numbers[start : start + DECKS_ACROSS]
        columns = [
            *(Column("game", TEXT), Column("bet")),
            *(Column(f"{number} deck{'s' if number > 1 else ''}", percentage(4)) for number in across),
        ]
        rows: list[tuple[Cell, ...]] = []
        for game in listed:
            edges = {edge.decks: edge.house_edge for edge in game.banker_edges}
            rows.append((game.id, game.banker, *(edges.get(number) for number in across)))
        blocks.append(table(columns, rows))
    return blocks
