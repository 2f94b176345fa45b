"""The paths of the rule books, and their contents."""

import os
from functools import cache
from importlib import import_module
from pathlib import Path

from combinat.base.errors import RuleBookError, near_matches, shortened


def rule_book_paths() -> dict[str, Path]:
    """Return the paths of the rule books that come with combinat, by game id."""
    package = Path(__file__).resolve().parent.parent.parent
    # An installed wheel has the rule books inside the package; a checkout has them beside it.
    for folder in (package / "tables", package.parent / "tables"):
        if folder.is_dir():
            names = sorted(name for name in os.listdir(folder) if name.endswith(".toml"))
            return {name.removesuffix(".toml"): folder / name for name in names}
    raise RuleBookError(
        f"no rule books found: neither {package / 'tables'} nor the checkout's tables/ exists"
    )


@cache
def checked_sums() -> dict[str, str]:
    """Return the SHA-256 of every shipped rule book that passed all checks, by game id."""
    try:
        lines = Path(__file__).with_name("checked.txt").read_text("utf-8").splitlines()
    except OSError:
        return {}
    return {game_id: sha256 for sha256, _, game_id in (line.partition("  ") for line in lines)}


def is_checked(content: bytes, game_id: str) -> bool:
    """Whether the bytes are those of a shipped rule book that passed all checks."""
    known = checked_sums().get(game_id)
    return known is not None and sha256(content) == known


def sha256(content: bytes) -> str:
    """Return the SHA-256 of these bytes, in hexadecimal.

    ``hashlib`` loads OpenSSL, 0.05 times ``import typer``; so, like the standard library's ``random``, this takes the
    module below it. Python 3.11 names it ``_sha256``.
    """
    for module in ("_sha2", "_sha256"):
        try:
            digest: str = import_module(module).sha256(content).hexdigest()
        except ImportError:
            continue
        return digest
    import hashlib  # a Python without them

    return hashlib.sha256(content).hexdigest()


def rule_book_path(game: str) -> Path:
    """Return the file of a game named by its id, by the beginning of its id, or by a path to a TOML file."""
    if game.endswith(".toml") or "/" in game or "\\" in game:
        return Path(game)
    known = rule_book_paths()
    matches = (
        [known[game]] if game in known else [path for name, path in known.items() if name.startswith(game)]
    )
    if game and len(matches) == 1:
        return matches[0]
    ids = ", ".join(known)
    if game and matches:
        several = ", ".join(path.stem for path in matches)
        raise RuleBookError(f'game "{game}" could be {several}; write more of the id')
    wanted = shortened(game)
    near = _near_games(wanted, list(known))
    hint = f"; did you mean {' or '.join(near)}?" if near else "."
    raise RuleBookError(f'no game "{wanted}"{hint} The games are {ids}; or give a path to a TOML file')


def _near_games(wanted: str, ids: list[str]) -> list[str]:
    """Return the game with the most similar id, or else the games whose ids begin similarly.

    >>> _near_games("comission", ["commission-2013", "plain-2024"])
    ['commission-2013']
    """
    if near := near_matches(wanted, ids):
        return near
    words = [game_id.split("-") for game_id in ids]
    beginnings = {"-".join(some[:count]) for some in words for count in range(1, len(some))}
    begun = near_matches(wanted, sorted(beginnings))
    return [game_id for game_id in ids if begun and game_id.startswith(f"{begun[0]}-")]


def document_clauses(game_id: str) -> list[str]:
    """Return the clauses of a shipped game's document, in its order; empty for a game that is not shipped."""
    path = rule_book_paths().get(game_id)
    listed_in = path and path.parent / "clauses" / f"{game_id}.txt"
    if not listed_in or not listed_in.is_file():
        return []
    return [line for line in listed_in.read_text("utf-8").splitlines() if not line.startswith("#")]
