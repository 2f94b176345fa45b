"""The index of the reports: the headline table of all games."""

from collections.abc import Sequence

from combinat.analysis.analysis import analyze
from combinat.render.document import Block, Heading, Paragraph, Table
from combinat.render.number import percent
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe


def index(games: Sequence[tuple[Game, str, Sequence[str]]], decks: int) -> list[Block]:
    """Games with their rule books' hashes and the files of their folders, and every bet's house edge."""
    rows = [
        [
            game.name,
            f"{game.effective}",
            f"{game.decks.least} to {game.decks.most}",
            ", ".join(f"[{name}]({game.id}/{name})" for name in files),
            f"`{sha256[:16]}`",
        ]
        for game, sha256, files in games
    ]
    edges = [
        {bet.id: bet.house_edge for bet in analyze(game, Shoe.of_decks(decks)).bets} for game, _, _ in games
    ]
    bets = list(dict.fromkeys(bet for found in edges for bet in found))
    table = [[bet, *(percent(found[bet]) if bet in found else "-" for found in edges)] for bet in bets]
    return [
        Heading("Exact pay-table analyses", 1),
        Paragraph(
            "Written by `combinat report`; never edited by hand. Check everything with `combinat verify`."
        ),
        Table(
            columns=("game", "in force from", "decks", "files", "rule book SHA-256"), align="lllll", rows=rows
        ),
        Heading(f"House edge in per cent, {decks} decks"),
        Table(columns=("bet", *(game.id for game, _, _ in games)), align="l" + "r" * len(games), rows=table),
    ]
