"""``combinat verify``: whether certificates hold, down to the last number."""

import textwrap
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from combinat.certify.signature import public_key as read_public_key
from combinat.certify.verification import Verified, game_folders, verify_folder
from combinat.cli.progress import progress_bar
from combinat.errors import CombinatError, RejectedCertificateError, shown
from combinat.render.document import WIDTH, as_json


class Form(StrEnum):
    """The formats of a verdict."""

    TEXT = "text"
    JSON = "json"


class Word(StrEnum):
    """What became of a folder's certificate."""

    HOLDS = "holds"
    REJECTED = "rejected"
    UNCHECKED = "unchecked"


_IN_WORDS = {Word.HOLDS: "holds", Word.REJECTED: "does not hold", Word.UNCHECKED: "could not be checked"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A folder, what became of it, and why or what was checked."""

    folder: Path
    word: Word
    message: str | None = None
    verified: Verified | None = None


def verify(
    path: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="A game's folder, or a folder of them.", show_default=False),
    ],
    public_key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The public key of who must have signed.", show_default=False),
    ] = None,
    rule_book: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The game's rule book, if not the one of this combinat.", show_default=False
        ),
    ] = None,
    form: Annotated[Form, typer.Option("--format", "-f", help="The format of what is printed.")] = Form.TEXT,
) -> None:
    """Check certificates: signature, hash of every file, rule book, and every number derived again.

    Exit codes: 0, all hold; 1, one does not; 2, one could not be checked.
    """
    folders = game_folders(path)
    if rule_book is not None and len(folders) > 1:
        raise CombinatError(f"--rule-book: {path} holds {len(folders)} games; give one game's folder")
    if public_key is not None:
        read_public_key(public_key)  # a key that is none is no fault of a certificate
    verdicts = []
    with progress_bar(len(folders), "games") as advance:
        for folder in folders:
            verdicts.append(_verdict(folder, public_key, rule_book))
            advance(1)
    if form is Form.JSON:
        holds = all(verdict.word is Word.HOLDS for verdict in verdicts)
        games = [_as_record(verdict) for verdict in verdicts]
        typer.echo(as_json({"schema": "combinat/verify/1", "holds": holds, "games": games}))
    else:
        typer.echo("\n\n".join(_as_text(verdict) for verdict in verdicts))
    words = {verdict.word for verdict in verdicts}
    raise typer.Exit(1 if Word.REJECTED in words else 2 if Word.UNCHECKED in words else 0)


def _verdict(folder: Path, public_key: Path | None, rule_book: Path | None) -> Verdict:
    try:
        verified = verify_folder(folder, public_key, rule_book)
    except CombinatError as error:
        word = Word.REJECTED if isinstance(error, RejectedCertificateError) else Word.UNCHECKED
        return Verdict(folder=folder, word=word, message=" ".join(str(error).splitlines()))
    return Verdict(folder=folder, word=Word.HOLDS, verified=verified)


def _as_text(verdict: Verdict) -> str:
    head = f"{shown(str(verdict.folder))}: {_IN_WORDS[verdict.word]}"
    verified = verdict.verified
    if verified is None:
        return f"{head}: {shown(str(verdict.message))}"
    predicate = verified.predicate
    key = f" (key {verified.key_id})" if verified.key_id else ""
    said = {
        "game": shown(predicate.game.name),
        "signature": f"{verified.signature.in_words}{key}",
        "files": f"{verified.files}, each with the SHA-256 that the certificate names",
        "rule book": f"{predicate.rule_book.name}, SHA-256 {predicate.rule_book.sha256}",
        "decks": ", ".join(map(str, predicate.decks)),
        "numbers": f"{verified.numbers}, each derived again from the rule book",
        "identities": f"{len(predicate.checked)}, checked by {predicate.software.name} "
        f"{predicate.software.version} when it wrote the report",
        "note": predicate.statement,
    }
    lines = (
        textwrap.fill(
            text,
            WIDTH,
            initial_indent=f"  {word + ':':12}",
            subsequent_indent=" " * 14,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for word, text in said.items()
    )
    return "\n".join([head, *lines])


def _as_record(verdict: Verdict) -> dict[str, Any]:
    record: dict[str, Any] = {
        "folder": shown(str(verdict.folder)),
        "verdict": verdict.word.value,
        "message": verdict.message if verdict.message is None else shown(verdict.message),
    }
    if (verified := verdict.verified) is not None:
        predicate = verified.predicate
        record |= {
            "game": predicate.game.id,
            "signature": verified.signature.value,
            "key_id": verified.key_id,
            "files": verified.files,
            "rule_book_sha256": predicate.rule_book.sha256,
            "software_version": predicate.software.version,
            "decks": list(predicate.decks),
            "numbers": verified.numbers,
            "identities": len(predicate.checked),
        }
    return record
