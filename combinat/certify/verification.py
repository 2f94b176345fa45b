"""Whether a certificate holds: every check, from the certificate's form to the last number.

In this order: the certificate is well formed; its signature; what it says of itself; ``SHA256SUMS``; the
files, all of them and no other; each file's hash; the folder's name; the rule book; what the analysis is
of; and then every number, derived again by the checker. The first that fails is named.

Nothing outside the folder is read but the rule book and the key, and nothing is believed before its hash is.
"""

import hashlib
import os
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from pathlib import Path

from combinat.certify.certificate import (
    ANALYSIS,
    CERTIFICATE,
    SOFTWARE,
    SUMS,
    WORDS,
    Certificate,
    Predicate,
    check_claims,
    claims_of,
    content_of,
    expect,
    parsed_certificate,
    plain_files,
    sha256_of,
    sums,
)
from combinat.certify.checker import Malformed, Rejected, check
from combinat.certify.signature import quoted, verify_signature
from combinat.errors import CertificateError, MalformedCertificateError, RejectedCertificateError, shown
from combinat.rules.rulebook import parse_game, rule_book_paths


class Signed(StrEnum):
    """What is known of a certificate's signature."""

    VALID = "valid"
    NOT_CHECKED = "not-checked"
    NONE = "none"

    @property
    def in_words(self) -> str:
        """What is known of it, as a phrase."""
        return _SIGNED[self]


_SIGNED = {
    Signed.VALID: "valid",
    Signed.NOT_CHECKED: "signed, but not checked: give --public-key",
    Signed.NONE: "none",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A certificate that holds, and what was checked."""

    predicate: Predicate
    signature: Signed
    key_id: str | None
    files: int
    numbers: int


def game_folders(path: Path) -> list[Path]:
    """The games' folders that a path stands for: itself, or those in it."""
    if any(os.path.lexists(path / name) for name in (CERTIFICATE, SUMS, ANALYSIS)):
        return [path]
    try:
        inside = [entry for entry in sorted(path.iterdir()) if entry.is_dir()]
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise CertificateError(
            f"{path}: cannot be read ({why}); give a game's folder or a folder of them"
        ) from None
    folders = [entry for entry in inside if not entry.name.startswith(".")]
    if not folders:
        raise CertificateError(f"{path}: no game's folder in it; give a folder that combinat report wrote")
    return folders


def verify_folder(folder: Path, public_key: Path | None = None, rule_book: Path | None = None) -> Verified:
    """What was checked of a game's folder, where all of it holds.

    ``MalformedCertificateError``: there is no certificate to check. ``RejectedCertificateError``: it does
    not hold. Another ``CombinatError``: the key or the rule book could not be used.
    """
    if os.path.islink(folder):
        raise RejectedCertificateError("a symbolic link; expected the folder itself")
    content = content_of(folder, CERTIFICATE, MalformedCertificateError)
    try:
        certificate = parsed_certificate(content)
        signature = _signature(certificate, public_key)
        _check_itself(certificate)
    except (MalformedCertificateError, RejectedCertificateError) as error:
        raise type(error)(f"{CERTIFICATE}: {error}") from None
    _check_sums(folder, sums(certificate.digests, content))
    analysis = _checked_files(folder, certificate.digests)
    predicate = certificate.statement.predicate
    expect("the folder's name", os.path.basename(os.path.realpath(folder)), predicate.game.id)
    book = _checked_rule_book(predicate, rule_book)
    check_claims(predicate, claims_of(analysis))
    return Verified(
        predicate=predicate,
        signature=signature,
        key_id=certificate.envelope.keyid if certificate.envelope else None,
        files=len(certificate.digests),
        numbers=_checked_numbers(analysis, book),
    )


def _signature(certificate: Certificate, public_key: Path | None) -> Signed:
    if certificate.envelope is None:
        if public_key is not None:
            raise RejectedCertificateError(f"not signed; expected a signature by {public_key}")
        return Signed.NONE
    if public_key is None:
        return Signed.NOT_CHECKED
    verify_signature(certificate.envelope, public_key)
    return Signed.VALID


def _check_itself(certificate: Certificate) -> None:
    """Refuse words that a certificate of this program does not have."""
    predicate = certificate.statement.predicate
    words = WORDS[certificate.envelope is not None]
    expect("predicate.software.name", predicate.software.name, SOFTWARE)
    expect("predicate.rule_book.name", predicate.rule_book.name, f"{predicate.game.id}.toml")
    expect("predicate.statement", predicate.statement, words)


def _check_sums(folder: Path, expected: bytes) -> None:
    found = content_of(folder, SUMS)
    if found == expected:
        return
    pairs = zip_longest(found.split(b"\n"), expected.split(b"\n"))
    number, here, there = next(
        (number, here, there) for number, (here, there) in enumerate(pairs, start=1) if here != there
    )
    raise RejectedCertificateError(
        f"{SUMS}: line {number}: found {_line(here)}, expected {_line(there)} by the certificate"
    )


def _line(content: bytes | None) -> str:
    return quoted(content.decode("utf-8", "backslashreplace")) if content else "no line"


def _checked_files(folder: Path, digests: dict[str, str]) -> bytes:
    """The analysis, when every file is there, is as it was named, and no other is there."""
    there = set(plain_files(folder)) - {CERTIFICATE, SUMS}
    if missing := digests.keys() - there:
        raise RejectedCertificateError(f"{min(missing)}: named in the certificate, and not there")
    if extra := there - digests.keys():
        raise RejectedCertificateError(f"{min(extra)}: not named in the certificate; expected no other file")
    analysis = content_of(folder, ANALYSIS)
    for name, expected in digests.items():
        found = hashlib.sha256(analysis).hexdigest() if name == ANALYSIS else sha256_of(folder, name)
        expect(f"{name}: SHA-256", found, expected)
    return analysis


def _checked_rule_book(predicate: Predicate, given: Path | None) -> bytes:
    """The rule book that the analysis was made from, when it is still the same."""
    path = given or rule_book_paths().get(predicate.game.id)
    if path is None:
        raise CertificateError(
            f"no rule book of {quoted(predicate.game.id)} comes with combinat; give it with --rule-book"
        )
    real = Path(os.path.realpath(path))  # a person's own path may be a link
    book = content_of(real.parent, real.name, CertificateError)
    found = hashlib.sha256(book).hexdigest()
    expect(f"{path}: SHA-256 of the rule book", found, predicate.rule_book.sha256)
    game = parse_game(book.decode("utf-8", "replace"), Path(predicate.rule_book.name))
    expect(f"{CERTIFICATE}: predicate.game.name", predicate.game.name, game.name)
    return book


def _checked_numbers(analysis: bytes, book: bytes) -> int:
    """How many numbers of the analysis were derived again, all of them equal."""
    try:
        return check(analysis, book)
    except Rejected as error:
        raise RejectedCertificateError(f"{ANALYSIS}: {shown(str(error))}") from None
    except Malformed as error:
        raise MalformedCertificateError(f"{ANALYSIS}: {shown(str(error))}") from None
