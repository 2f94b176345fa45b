"""The certificate of a report: an in-toto Statement that names each file of a folder by its SHA-256.

``certificate.json`` is the Statement itself, or a DSSE envelope around it where a key was given. Both are
canonical JSON (sorted keys, ASCII, one space a level, one newline at the end), so that equal certificates
are equal bytes and a certificate has one spelling only. ``SHA256SUMS`` says the same in the form that
``sha256sum -c`` reads, and covers the certificate too.

What a certificate says is read as strictly as a rule book: closed key sets, no number that is not whole,
no key twice, no file name that could lead out of the folder. What others wrote is quoted before it is shown.
"""

import errno
import hashlib
import os
import re
import stat
import tempfile
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from combinat import __version__
from combinat.certify.signature import (
    Envelope,
    Record,
    Sha256,
    canonical,
    enveloped,
    parsed_json,
    quoted,
)
from combinat.errors import CertificateError, MalformedCertificateError, RejectedCertificateError, shown
from combinat.rules.game import Game

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:combinat:pay-table-analysis:1"
SOFTWARE = "combinat"

CERTIFICATE = "certificate.json"
SUMS = "SHA256SUMS"
ANALYSIS = "analysis.json"

WORDS = {
    True: "A signed, reproducible analysis: the signature binds the named files to the holder of the key, "
    "and anyone can derive every number again from the rule book. "
    "It is not a test laboratory's certification.",
    False: "A reproducible analysis, not signed: anyone can derive every number again from the rule book. "
    "It is not a test laboratory's certification.",
}
"""What a certificate says of itself, signed or not; a signature taken off leaves the wrong words behind."""

MOST_DECKS = 1_000
MOST_FILES = 10_000
MOST_FILE_BYTES = 256_000_000
MOST_HELD_BYTES = 16_000_000
"""Limits far above any report: a folder that exceeds one is refused before it costs time or memory."""

_PLAIN_NAME = 'a plain name: no ".." or leading "." or "/", no "\\" or ":", printable characters only'


class Digest(Record, frozen=True, kw_only=True):
    """The hash of a file."""

    sha256: Sha256


class Subject(Record, frozen=True, kw_only=True):
    """A file of the folder."""

    name: str
    digest: Digest


class Named(Record, frozen=True, kw_only=True):
    """The game."""

    id: str
    name: str


class RuleBook(Record, frozen=True, kw_only=True):
    """The file that the game was read from."""

    name: str
    sha256: Sha256


class Software(Record, frozen=True, kw_only=True):
    """The program that wrote the report."""

    name: str
    version: Annotated[str, msgspec.Meta(pattern=r"\A[0-9A-Za-z.+!-]{1,40}\Z")]


class Identity(Record, frozen=True, kw_only=True):
    """An identity that was checked before the report was written, and its result in words."""

    identity: str
    result: str


class Predicate(Record, frozen=True, kw_only=True):
    """What is said of the files."""

    game: Named
    rule_book: RuleBook
    software: Software
    decks: tuple[Annotated[int, msgspec.Meta(ge=1, le=MOST_DECKS)], ...]
    checked: tuple[Identity, ...]
    statement: str


class Statement(Record, frozen=True, kw_only=True):
    """An in-toto Statement, version 1."""

    type: str = msgspec.field(name="_type")
    subject: tuple[Subject, ...]
    predicate_type: str = msgspec.field(name="predicateType")
    predicate: Predicate


class OnDecks(msgspec.Struct, frozen=True, kw_only=True):
    """The part of an analysis on one number of decks, without its figures."""

    decks: int


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    """What an analysis says that it is of; its figures are the checker's."""

    game: str
    rule_book_sha256: str
    software: Software
    decks: tuple[OnDecks, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A certificate that is well formed; whether it holds is another question."""

    statement: Statement
    envelope: Envelope | None

    @property
    def digests(self) -> dict[str, str]:
        """The SHA-256 of every file it names."""
        return {subject.name: subject.digest.sha256 for subject in self.statement.subject}


def write_certificate(
    folder: Path,
    game: Game,
    rule_book_sha256: str,
    checked: Sequence[Mapping[str, Any]],
    key: Path | None = None,
) -> list[Path]:
    """Write the certificate and the sums of a finished folder, in the place of any it has; the two paths.

    ``checked`` are the identities that were checked: each has ``identity`` and ``result``, and a result that
    does not begin with "holds" is not certified. With a private key the certificate is signed.
    """
    names = [name for name in plain_files(folder) if name not in (CERTIFICATE, SUMS)]
    digests = {name: sha256_of(folder, name) for name in names}
    claims = claims_of(content_of(folder, ANALYSIS))
    statement = Statement(
        type=STATEMENT_TYPE,
        subject=tuple(Subject(name=name, digest=Digest(sha256=digests[name])) for name in names),
        predicate_type=PREDICATE_TYPE,
        predicate=Predicate(
            game=Named(id=game.id, name=game.name),
            rule_book=RuleBook(name=f"{game.id}.toml", sha256=rule_book_sha256),
            software=Software(name=SOFTWARE, version=__version__),
            decks=tuple(part.decks for part in claims.decks),
            checked=_converted(list(checked), tuple[Identity, ...]),
            statement=WORDS[key is not None],
        ),
    )
    check_claims(statement.predicate, claims)
    content = canonical(msgspec.to_builtins(statement))
    if key is not None:
        content = canonical(enveloped(content, key))
    parsed_certificate(content)  # what is written can be read
    return [
        _write_whole(folder / CERTIFICATE, content),
        _write_whole(folder / SUMS, sums(digests, content)),
    ]


def sums(digests: Mapping[str, str], certificate: bytes) -> bytes:
    """The text of ``SHA256SUMS``: every file with its hash, the certificate among them."""
    every = {**digests, CERTIFICATE: hashlib.sha256(certificate).hexdigest()}
    return "".join(f"{every[name]}  {name}\n" for name in sorted(every)).encode("utf-8")


def _write_whole(path: Path, content: bytes) -> Path:
    """Write a file so that a reader sees the old one or the new one, never a part."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=f".{path.name}")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(name, 0o644)
            os.replace(name, path)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise CertificateError(f"{path}: cannot be written ({error.strerror})") from None
    return path


# ---------------------------------------------------------------- reading what others wrote

Kind = TypeVar("Kind")


def parsed_certificate(content: bytes) -> Certificate:
    """The certificate that a file states; what is none is refused with the key and what was found."""
    raw = parsed_json(content)
    envelope = None
    if "payload" in raw:
        _check_spelling(raw, content, "")
        envelope = _converted(raw, Envelope)
        content = envelope.opened()
        raw = parsed_json(content, "payload: ")
    _check_spelling(raw, content, "payload: " if envelope else "")
    statement = _converted(raw, Statement)
    expect("_type", statement.type, STATEMENT_TYPE, MalformedCertificateError)
    expect("predicateType", statement.predicate_type, PREDICATE_TYPE, MalformedCertificateError)
    _check_names(statement)
    decks = statement.predicate.decks
    if not decks or any(first >= second for first, second in pairwise(decks)):
        raise MalformedCertificateError(
            f"predicate.decks: found {quoted(str(list(decks)))}; expected one or more, ascending"
        )
    for one in statement.predicate.checked:
        if not one.result.startswith("holds"):
            raise RejectedCertificateError(
                f"predicate.checked: {quoted(one.identity)}: found {quoted(one.result)}; expected that it holds"
            )
    return Certificate(statement=statement, envelope=envelope)


def _check_names(statement: Statement) -> None:
    """Refuse names that a folder of its own cannot have, or that do not stand in order."""
    names = [subject.name for subject in statement.subject]
    for number, name in enumerate(names):
        if not is_plain(name):
            raise MalformedCertificateError(
                f"subject[{number}].name: found {quoted(name)}; expected {_PLAIN_NAME}"
            )
        if name in (CERTIFICATE, SUMS):
            raise MalformedCertificateError(f"subject[{number}].name: {name} cannot name itself")
    for first, second in pairwise(names):
        if first >= second:
            raise MalformedCertificateError(
                f"subject: {quoted(first)} stands before {quoted(second)}; expected each once, in order"
            )
    if ANALYSIS not in names:
        raise MalformedCertificateError(f"subject: {ANALYSIS} is not named, and it holds the numbers")
    game = statement.predicate.game.id
    if not is_plain(game) or "/" in game:
        raise MalformedCertificateError(
            f"predicate.game.id: found {quoted(game)}; expected {_PLAIN_NAME}, and no folder"
        )


def claims_of(analysis: bytes) -> Claims:
    """What an analysis says that it is of."""
    try:
        return _converted(parsed_json(analysis), Claims)
    except MalformedCertificateError as error:
        raise MalformedCertificateError(f"{ANALYSIS}: {error}") from None


def check_claims(predicate: Predicate, claims: Claims) -> None:
    """Refuse an analysis of something else than the certificate says."""
    decks = tuple(part.decks for part in claims.decks)
    expect(f"{ANALYSIS}: game", claims.game, predicate.game.id)
    expect(f"{ANALYSIS}: rule_book_sha256", claims.rule_book_sha256, predicate.rule_book.sha256)
    expect(f"{ANALYSIS}: software.name", claims.software.name, predicate.software.name)
    expect(f"{ANALYSIS}: software.version", claims.software.version, predicate.software.version)
    expect(f"{ANALYSIS}: decks", str(decks), str(predicate.decks))


def expect(
    where: str, found: str, expected: str, refusal: type[CertificateError] = RejectedCertificateError
) -> None:
    """Refuse anything but the expected text."""
    if found != expected:
        raise refusal(f"{where}: found {quoted(found)}, expected {quoted(expected)}")


def _check_spelling(raw: Mapping[str, Any], content: bytes, where: str) -> None:
    try:
        spelled = canonical(raw)
    except RecursionError:
        spelled = b""
    if spelled != content:
        raise MalformedCertificateError(
            f"{where}not in canonical form: expected sorted keys, one space a level, a newline at the end"
        )


def _converted(raw: Any, kind: type[Kind]) -> Kind:
    try:
        return msgspec.convert(raw, kind)
    except (msgspec.ValidationError, UnicodeError) as error:  # half a surrogate pair is text to JSON
        placed = re.fullmatch(r"(.*) - at `\$\.?(.*)`", str(error))
        message = f"{placed[2]}: {placed[1]}" if placed else str(error)
        raise MalformedCertificateError(shown(message[:300])) from None


# ---------------------------------------------------------------- the files of a folder


def is_plain(name: str) -> bool:
    r"""Whether a name, with ``/`` between its parts, can only be that of a file inside a folder.

    >>> [is_plain(name) for name in ("tables/bets.csv", "../x", "/x", "a//b", "C:x", "a\\b", "x\0", "")]
    [True, False, False, False, False, False, False, False]
    """
    parts = name.split("/")
    return (
        name.isprintable()
        and unicodedata.is_normalized("NFC", name)
        and not {"\\", ":"} & set(name)
        and all(part and part[0] not in ". " and part[-1] not in ". " for part in parts)
    )


def plain_files(folder: Path) -> list[str]:
    """The names of all files in a folder; where there is anything but plain files, it is refused.

    No link is followed, and nothing is opened.
    """
    found: list[str] = []
    seen, waiting = 0, [""]
    while waiting:
        for name, mode in _entries(folder, waiting.pop()):
            seen += 1
            if seen > MOST_FILES:
                raise RejectedCertificateError(f"more than {MOST_FILES} files; no report has so many")
            if stat.S_ISLNK(mode):
                raise RejectedCertificateError(f"{quoted(name)}: a symbolic link; expected a plain file")
            if not is_plain(name):
                raise RejectedCertificateError(f"{quoted(name)}: expected {_PLAIN_NAME}")
            if stat.S_ISDIR(mode):
                waiting.append(f"{name}/")
            elif stat.S_ISREG(mode):
                found.append(name)
            else:
                raise RejectedCertificateError(f"{name}: a device or a pipe; expected a plain file")
    return sorted(found)


def _entries(folder: Path, inside: str) -> list[tuple[str, int]]:
    """What stands in a folder inside the folder, each with its mode, in order."""
    try:
        with os.scandir(folder / inside) as entries:
            return sorted(
                (inside + entry.name, entry.stat(follow_symlinks=False).st_mode)
                for entry in islice(entries, MOST_FILES + 1)
            )
    except OSError as error:
        raise RejectedCertificateError(f"{inside or folder}: cannot be read ({error.strerror})") from None


def sha256_of(folder: Path, name: str) -> str:
    """The SHA-256 of a file in a folder."""
    digest = hashlib.sha256()
    for piece in _pieces(folder, name, MOST_FILE_BYTES, RejectedCertificateError):
        digest.update(piece)
    return digest.hexdigest()


def content_of(folder: Path, name: str, refusal: type[CertificateError] = RejectedCertificateError) -> bytes:
    """The bytes of a file in a folder that are few enough to be held."""
    return b"".join(_pieces(folder, name, MOST_HELD_BYTES, refusal))


def _pieces(folder: Path, name: str, most: int, refusal: type[CertificateError]) -> Iterator[bytes]:
    """A plain file piece by piece: no link is followed, no pipe waited for, no endless file read to its end."""
    never = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with open(folder / name, "rb", opener=lambda path, flags: os.open(path, flags | never)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise refusal(f"{name}: expected a plain file")
            left = most
            while piece := file.read(1 << 20):
                left -= len(piece)
                if left < 0:
                    raise refusal(f"{name}: larger than {most} bytes; no report has such a file")
                yield piece
    except OSError as error:
        link = error.errno == errno.ELOOP
        why = "a symbolic link; expected a plain file" if link else f"cannot be read ({error.strerror})"
        raise refusal(f"{name}: {why}") from None
