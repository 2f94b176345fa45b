"""Reports of next to nothing, for tests of what certifies, places and verifies them; quick to write and to read.

Their dossier is that of the small rule book with one entry of every list, their documents are a few lines,
and ``press`` has them drawn again. What the checker makes of numbers is tested with the checker.
"""

import base64
import dataclasses
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from combinat.base.errors import FileError
from combinat.base.files import Files
from combinat.certify import verification
from combinat.certify.collection import Collection, collection, sealed_collection
from combinat.certify.dossier import Dossier
from combinat.certify.filing import DRAFT, Issue
from combinat.certify.report_files import sealed_report
from combinat.certify.signature import signer
from combinat.report.certified import verified
from combinat.rules.book.load import parsed_game
from combinat.rules.game import Game

GAME, OTHER = "small-baccarat", "other-baccarat"
NUMBERS = 421
"""How many numbers the checker is said to have derived, where it is not asked."""

Contents = dict[str, bytes]
"""The files of a folder."""


def shrunk(value: Any) -> Any:
    """A record, and all in it, with the first entry of every list of records alone."""
    if (
        isinstance(value, tuple)
        and value
        and (dataclasses.is_dataclass(value[0]) or isinstance(value[0], msgspec.Struct))
    ):
        return (shrunk(value[0]),)
    if isinstance(value, msgspec.Struct):
        kept = {name: shrunk(getattr(value, name)) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **kept)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return dataclasses.replace(value, **{name: shrunk(getattr(value, name)) for name in names})
    return value


def tiny(dossier: Dossier) -> Dossier:
    """A dossier that is read and written in a moment."""
    small: Dossier = shrunk(
        dataclasses.replace(dossier, reference_decks=dossier.decks[0], protection=dossier.protection[-1:])
    )
    return small


def drawn(
    dossier: Dossier,
    game: Game,
    forms: Sequence[str],
    judged: Sequence[str],
    issue: Issue = DRAFT,
    checked: int = 0,
) -> Contents:
    """The documents of some forms: of ``html`` a page, of ``pdf`` what a library called press draws."""
    files: Contents = {}
    if "html" in forms:
        lines = [f"# {game.name}", f"{dossier.decks} {dossier.shoes[0].sample_space}", *judged]
        files["report.md"] = "\n".join(lines).encode("utf-8") + b"\n"
    if "pdf" in forms:
        files |= {"report.pdf": f"%PDF\0{game.id}".encode(), "tables/bets.csv": b"bet,ways\npunto,1\n"}
    return files


def judged(game: Game, simulations: Files) -> list[str]:
    """What the documents say of the simulations."""
    for name, content in simulations.items():
        if not content.startswith(b"{"):
            raise FileError(f"{name}: not a counts file")
    return [f"{name}: {content.decode('ascii')}" for name, content in sorted(simulations.items())]


def press(patched: pytest.MonkeyPatch, version: str = "1.0") -> None:
    """Have documents drawn in a moment, by a library called press; and every number accepted."""

    def libraries(forms: Sequence[str], *, simulations: bool = False) -> dict[str, str]:
        return {"press": version} if {"pdf", "markdown"} & set(forms) else {}

    patched.setattr(verification, "check", lambda analysis, rule_book: {"bets": NUMBERS})
    patched.setattr(verification, "check_reproduced", lambda stated, game: None)
    patched.setattr(verified, "files", drawn)
    patched.setattr(verified, "judged_again", judged)
    patched.setattr(verified, "libraries", libraries)
    patched.setattr(verified, "over_the_games", drawn_over)


def report_of(
    game: Game,
    dossier: Dossier,
    *,
    forms: tuple[str, ...] = ("html", "pdf"),
    simulations: Files | None = None,
    key: Path | None = None,
) -> Contents:
    """The files of a report, sealed."""
    travelling = simulations or {}
    documents = drawn(dossier, game, forms, judged(game, travelling)) if forms else {}
    libraries = {"press": "1.0"} if "pdf" in forms else {}
    issue = Issue(key=key, key_id=None if key is None else signer(key).public_key.keyid)
    return sealed_report(
        dossier, game, documents, forms, libraries=libraries, simulations=travelling, issue=issue
    )


Reports = dict[str, tuple[Game, Dossier, Contents]]
"""Rule book, dossier and files of reports, by folder."""


def two_reports(game: Game, dossier: Dossier, key: Path | None = None) -> Reports:
    """The report of a game, and that of the same game under another id."""
    text = game.content.replace(GAME.encode(), OTHER.encode(), 1)
    other = parsed_game(text, Path(f"{OTHER}.toml"))
    other_dossier = dataclasses.replace(dossier, game=OTHER, rule_book_sha256=other.sha256)
    return {
        GAME: (game, dossier, report_of(game, dossier, key=key)),
        OTHER: (other, other_dossier, report_of(other, other_dossier, key=key)),
    }


def drawn_over(collected: Collection, games: Sequence[Game]) -> Contents:
    """The index and the explorer of a collection."""
    index = "".join(f"- {game.id}: {', '.join(game.files)}\n" for game in collected.games)
    explorer = "".join(f"<p>{game.sha256}</p>\n" for game in sorted(games, key=lambda game: game.id))
    return {"README.md": index.encode(), "explorer.html": explorer.encode()}


def collection_of(reports: Reports, key: Path | None = None) -> Contents:
    """The files of a collection and of its reports, sealed."""
    collected = collection([(game, dossier, sorted(files)) for game, dossier, files in reports.values()])
    certificates = {folder: files["certificate.json"] for folder, (_, _, files) in reports.items()}
    documents = drawn_over(collected, [game for game, _, _ in reports.values()])
    over = sealed_collection(collected, certificates, documents, libraries={"press": "1.0"}, key=key)
    inside = {
        f"{folder}/{name}": content
        for folder, (_, _, files) in reports.items()
        for name, content in files.items()
    }
    return over | inside


def written(contents: Files, folder: Path) -> Path:
    """The files, in a folder."""
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def read(folder: Path) -> Contents:
    """The files of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def sha256(content: bytes) -> str:
    """A hash, as a certificate has it."""
    return hashlib.sha256(content).hexdigest()


def key_id(public: Path) -> str:
    """The SHA-256 of a public key's DER form, computed here."""
    _, *body, _ = public.read_text("ascii").splitlines()
    return sha256(base64.b64decode("".join(body)))
