"""The certificate of a report: an in-toto Statement that names each file of a folder by its SHA-256.

``certificate.json`` is the Statement itself, or a DSSE envelope around it if it is signed. Both are
canonical JSON (sorted keys, ASCII, one space a level, one newline at the end), so that equal certificates
are equal bytes and a certificate has only one spelling. ``SHA256SUMS`` lists the same hashes in the form that
``sha256sum -c`` reads, and covers the certificate too.

There are three kinds: of a game's report, of a collection of reports, and of a study of whole shoes. A
certificate is read as strictly as a rule book: closed key sets, no number that is not whole, no key twice, no
file name that could lead out of the folder. Untrusted text is quoted before it is shown.
"""

import datetime
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args

import msgspec

from combinat import __version__
from combinat.base.errors import (
    CertificateError,
    MalformedCertificateError,
    RejectedCertificateError,
    printable,
)
from combinat.base.files import Files
from combinat.base.strict_json import canonical, parsed_object, quoted
from combinat.certify.filing import FIRST, LAST
from combinat.certify.folder import PLAIN_NAME, is_plain
from combinat.certify.signature import Envelope, Record, Sha256, enveloped
from combinat.rules import bounds
from combinat.rules.game import Game

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
SOFTWARE = "combinat"

CERTIFICATE = "certificate.json"
SUMS = "SHA256SUMS"

WORDS = {
    True: "A signed, reproducible analysis: the signature binds the named files to the holder of the key. The checker "
    "counts bets and insurance again from the rule book; combinat verify reproduces the rest, game protection and "
    "insurance by habit among it, and draws every document again. It is not a test laboratory's certification.",
    False: "A reproducible analysis, not signed. The checker counts bets and insurance again from the rule book; combinat "
    "verify reproduces the rest, game protection and insurance by habit among it, and draws every document again. "
    "It is not a test laboratory's certification.",
}
"""The statement of a certificate, signed or not; removing the signature leaves the wrong statement behind."""

STUDY_WORDS = {
    True: "A signed, reproducible study: the signature binds the named files to the holder of the key, and anyone "
    "can deal every shoe again from the rule book and the seed. It is not a test laboratory's certification.",
    False: "A reproducible study, not signed: anyone can deal every shoe again from the rule book and the seed. "
    "It is not a test laboratory's certification.",
}
"""The same of a study of whole shoes."""

MOST_CERTIFICATE_BYTES = 16_000_000


class Digest(Record, frozen=True, kw_only=True):
    """The hash of a file."""

    sha256: Sha256


class NamedFile(Record, frozen=True, kw_only=True):
    """A file of the folder."""

    name: str
    digest: Digest


class NamedGame(Record, frozen=True, kw_only=True):
    """The game."""

    id: str
    name: str


class RuleBookFile(Record, frozen=True, kw_only=True):
    """The file that the game was read from."""

    name: str
    sha256: Sha256


class Software(Record, frozen=True, kw_only=True):
    """A program or a library, and its version."""

    name: Annotated[str, msgspec.Meta(pattern=r"\A[0-9A-Za-z._-]{1,40}\Z")]
    version: Annotated[str, msgspec.Meta(pattern=r"\A[0-9A-Za-z.+!-]{1,40}\Z")]


class Predicate(Record, frozen=True, kw_only=True):
    """The predicate of a game's report.

    ``date``: the one that its files carry in themselves, where they carry one; ``paper``: what it is printed on, where
    it is not A4.
    """

    TYPE: ClassVar = "urn:combinat:pay-table-analysis:3"
    SUBJECT: ClassVar = "a game's report"
    WORDS: ClassVar = WORDS

    game: NamedGame
    rule_book: RuleBookFile
    software: Software
    libraries: tuple[Software, ...]
    decks: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=1, le=bounds.DECKS)], ...],
        msgspec.Meta(max_length=bounds.SHOES),
    ]
    forms: tuple[str, ...]
    simulations: tuple[str, ...]
    statement: str
    date: datetime.date | msgspec.UnsetType = msgspec.UNSET
    paper: Literal["letter"] | msgspec.UnsetType = msgspec.UNSET


class CollectionPredicate(Record, frozen=True, kw_only=True):
    """The predicate of a collection of reports."""

    TYPE: ClassVar = "urn:combinat:collection:1"
    SUBJECT: ClassVar = "a collection of reports"
    WORDS: ClassVar = WORDS

    games: tuple[str, ...]
    software: Software
    libraries: tuple[Software, ...]
    statement: str


class StudyPredicate(Record, frozen=True, kw_only=True):
    """The predicate of a study of whole shoes."""

    TYPE: ClassVar = "urn:combinat:whole-shoes:1"
    SUBJECT: ClassVar = "a study of whole shoes"
    WORDS: ClassVar = STUDY_WORDS

    game: NamedGame
    rule_book: RuleBookFile
    software: Software
    libraries: tuple[Software, ...]
    statement: str


AnyPredicate = Predicate | CollectionPredicate | StudyPredicate


class Statement(Record, frozen=True, kw_only=True, tag_field="predicateType"):
    """An in-toto Statement: each file of a folder by its hash."""

    type: Literal["https://in-toto.io/Statement/v1"] = msgspec.field(name="_type")
    subject: tuple[NamedFile, ...]


class ReportStatement(Statement, frozen=True, kw_only=True, tag=Predicate.TYPE):
    """The certificate of a game's report: each file by its hash, and the claims about them."""

    predicate: Predicate


class CollectionStatement(Statement, frozen=True, kw_only=True, tag=CollectionPredicate.TYPE):
    """The certificate of a collection of reports."""

    predicate: CollectionPredicate


class StudyStatement(Statement, frozen=True, kw_only=True, tag=StudyPredicate.TYPE):
    """The certificate of a study of whole shoes."""

    predicate: StudyPredicate


AnyStatement = ReportStatement | CollectionStatement | StudyStatement
CertificateDocument = AnyStatement | Envelope
"""The shape of ``certificate.json``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A well-formed certificate, not yet verified."""

    digests: Mapping[str, str]
    predicate: AnyPredicate
    envelope: Envelope | None


THIS = Software(name=SOFTWARE, version=__version__)


def rule_book_name(game_id: str) -> str:
    """Return the name of a game's rule book in its folder."""
    return f"{game_id}.toml"


def about(game: Game) -> dict[str, Any]:
    """Return what a certificate says of a game and its rule book."""
    rule_book = RuleBookFile(name=rule_book_name(game.id), sha256=game.sha256)
    return {"game": NamedGame(id=game.id, name=game.name), "rule_book": rule_book}


def sealed(
    files: Files,
    kind: type[AnyPredicate],
    claims: Mapping[str, Any],
    libraries: Mapping[str, str],
    key: Path | None,
) -> dict[str, bytes]:
    """Return the files with their certificate and their sums.

    ``claims``: those that only a predicate of this kind makes; ``libraries``: the versions of those that drew the
    files. With a private key the certificate is signed.
    """
    predicate = kind(
        software=THIS,
        libraries=tuple(Software(name=name, version=version) for name, version in sorted(libraries.items())),
        statement=kind.WORDS[key is not None],
        **claims,
    )
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    subject = [{"name": name, "digest": {"sha256": sha256}} for name, sha256 in digests.items()]
    claims = {"predicateType": predicate.TYPE, "predicate": msgspec.to_builtins(predicate)}
    content = canonical({"_type": STATEMENT_TYPE, "subject": subject, **claims})
    if key is not None:
        content = canonical(enveloped(content, key))
    parsed_certificate(content)  # check that the certificate can be read back
    return {**files, CERTIFICATE: content, SUMS: sums(digests, content)}


def sums(digests: Mapping[str, str], certificate: bytes) -> bytes:
    """Return the text of ``SHA256SUMS``: every file with its hash, including the certificate."""
    every = {**digests, CERTIFICATE: hashlib.sha256(certificate).hexdigest()}
    return "".join(f"{every[name]}  {name}\n" for name in sorted(every)).encode("utf-8")


# ---------------------------------------------------------------- reading untrusted certificates

Converted = TypeVar("Converted")


def parsed_certificate(content: bytes) -> Certificate:
    """Return the certificate in a file; refuse anything else, naming the key and the value found."""
    raw, envelope = _opened(content)
    known = [kind.TYPE for kind in get_args(AnyPredicate)]
    if raw.get("predicateType") not in known:
        found = f"found {quoted(str(raw['predicateType']))}" if "predicateType" in raw else "missing"
        raise MalformedCertificateError(f"predicateType: {found}; expected one of {', '.join(known)}")
    statement: AnyStatement = converted(raw, AnyStatement)  # type: ignore[arg-type]  # a union
    predicate = statement.predicate
    _check_names("predicate.libraries", [library.name for library in predicate.libraries])
    if isinstance(predicate, CollectionPredicate):
        _check_names("predicate.games", predicate.games)
    else:
        _check_names("predicate.game.id", [predicate.game.id])
    if isinstance(predicate, Predicate):
        _check_report(predicate)
    return Certificate(digests=_digests(statement.subject), predicate=predicate, envelope=envelope)


def predicate_of(files: Files) -> AnyPredicate | None:
    """Return the predicate of the certificate of these files; None if there is no well-formed certificate."""
    try:
        return parsed_certificate(files.get(CERTIFICATE, b"")).predicate
    except CertificateError:
        return None


def named_files(content: bytes) -> dict[str, str]:
    """Return the SHA-256 of every file that a certificate names, ignoring its other claims."""
    return _digests(converted(_opened(content)[0].get("subject"), tuple[NamedFile, ...], "subject"))


def _opened(content: bytes) -> tuple[dict[str, Any], Envelope | None]:
    """Return the statement in a certificate, not yet read, and the envelope around it."""
    if len(content) > MOST_CERTIFICATE_BYTES:
        raise MalformedCertificateError(f"larger than {MOST_CERTIFICATE_BYTES} bytes")
    raw = parsed_object(content, MalformedCertificateError)
    _check_spelling(raw, content, "")
    if "payload" not in raw:
        return raw, None
    envelope = converted(raw, Envelope)
    payload = envelope.opened()
    raw = parsed_object(payload, MalformedCertificateError, "payload: ")
    _check_spelling(raw, payload, "payload: ")
    return raw, envelope


def _digests(subjects: Sequence[NamedFile]) -> dict[str, str]:
    """Return the SHA-256 of every file; refuse names that a folder cannot contain, or that are not in order."""
    names = [subject.name for subject in subjects]
    for number, name in enumerate(names):
        if not is_plain(name):
            raise MalformedCertificateError(
                f"subject[{number}].name: found {quoted(name)}; expected {PLAIN_NAME}"
            )
        if name in (CERTIFICATE, SUMS):
            raise MalformedCertificateError(f"subject[{number}].name: {name} cannot name itself")
    _check_order("subject", names)
    return {subject.name: subject.digest.sha256 for subject in subjects}


def _check_report(predicate: Predicate) -> None:
    if not predicate.decks or any(first >= second for first, second in pairwise(predicate.decks)):
        raise MalformedCertificateError(
            f"predicate.decks: found {quoted(str(list(predicate.decks)))}; expected one or more, ascending"
        )
    if len(set(predicate.forms)) < len(predicate.forms):
        raise MalformedCertificateError(
            f"predicate.forms: found {quoted(str(list(predicate.forms)))}; expected each once"
        )
    _check_names("predicate.simulations", predicate.simulations)
    if predicate.date is not msgspec.UNSET and not FIRST <= predicate.date <= LAST:
        raise MalformedCertificateError(
            f"predicate.date: found {predicate.date}; expected a date from {FIRST} to {LAST}"
        )


def _check_names(where: str, names: Sequence[str]) -> None:
    """Refuse names that cannot be games or files of one folder, repeated names, and names out of order."""
    for name in names:
        if not is_plain(name) or "/" in name:
            raise MalformedCertificateError(
                f"{where}: found {quoted(name)}; expected {PLAIN_NAME}, and no folder"
            )
    _check_order(where, names)


def _check_order(where: str, names: Sequence[str]) -> None:
    for first, second in pairwise(names):
        if first >= second:
            raise MalformedCertificateError(
                f"{where}: {quoted(first)} stands before {quoted(second)}; expected each once, in order"
            )


def expect(where: str, given: str, expected: str) -> None:
    """Reject anything but the expected text."""
    if given != expected:
        raise RejectedCertificateError(f"{where}: found {quoted(given)}, expected {quoted(expected)}")


def _check_spelling(raw: Mapping[str, Any], content: bytes, where: str) -> None:
    try:
        spelled = canonical(raw)
    except RecursionError:
        spelled = b""
    if spelled != content:
        raise MalformedCertificateError(
            f"{where}not in canonical form: expected sorted keys, one space a level, a newline at the end"
        )


def converted(raw: Any, kind: type[Converted], inside: str = "") -> Converted:
    """Return a JSON value as a record; refuse another shape, naming the key and what was found.

    ``inside``: the key of the value itself.
    """
    try:
        return msgspec.convert(raw, kind)
    except (msgspec.ValidationError, UnicodeError) as error:  # half a surrogate pair is text to JSON
        placed = re.fullmatch(r"(.*) - at `\$\.?(.*)`", str(error))
        key = ".".join(part for part in (inside, placed[2] if placed else "") if part)
        reason = placed[1] if placed else str(error)
        message = f"{key}: {reason}" if key else reason
        raise MalformedCertificateError(printable(message[:300])) from None
