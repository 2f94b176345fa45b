"""The files of a report, each written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from combinat.errors import CombinatError
from combinat.report.document import Block, Format, Heading, Paragraph, Table, rendered
from combinat.report.rulebook import rule_book
from combinat.rules.game import Game
from combinat.rules.rulebook import load_game, rule_book_sha256


def write_reports(paths: Sequence[Path], out: Path) -> Iterator[Path]:
    """Write a folder per game and an index of them; the paths written, one by one.

    Every rule book is read and checked before the first file is written.
    """
    games = [(load_game(path), rule_book_sha256(path)) for path in paths]
    for game, sha256 in games:
        yield write_whole(out / game.id / "rules.md", rendered(rule_book(game, sha256), Format.MARKDOWN))
    yield write_whole(out / "README.md", rendered(_index(games), Format.MARKDOWN))


def _index(games: Sequence[tuple[Game, str]]) -> list[Block]:
    rows = [
        [
            f"[{game.name}]({game.id}/rules.md)",
            str(game.effective),
            f"{game.decks.least} to {game.decks.most}",
            str(len(game.bets)),
            str(len(game.offers)),
            f"`{sha256}`",
        ]
        for game, sha256 in games
    ]
    return [
        Heading("combinat output", 1),
        Paragraph("Written by `combinat report`; never edited by hand."),
        Table(
            columns=(
                "game",
                "in force from",
                "decks",
                "bets",
                "insurance states",
                "SHA-256 of the rule book",
            ),
            align="lllrrl",
            rows=rows,
        ),
    ]


def write_whole(path: Path, text: str) -> Path:
    """Write a text file so that a reader sees the old file or the new one, never a part."""
    with replacing(path) as temporary:
        temporary.write_text(text.rstrip("\n") + "\n", encoding="utf-8", newline="\n")
    return path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file to write in the place of ``path``: it takes its place when all went well, else it is gone."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=f".{path.name}")
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            temporary.chmod(0o644)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise CombinatError(f"{path}: cannot be written ({error.strerror}); choose another place") from None
