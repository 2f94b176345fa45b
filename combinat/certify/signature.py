"""Signatures: an Ed25519 key pair in PEM files, and a DSSE envelope.

What is signed is the envelope's pre-authentication encoding (DSSE version 1), so that a payload cannot
be taken for one of another type. An envelope carries one signature. Ed25519 is deterministic: the same
key and the same payload give the same bytes.

The libraries are imported when a key is used.
"""

import base64
import contextlib
import hashlib
import os
import stat
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import msgspec

from combinat.base.errors import CombinatError, FileError, MalformedCertificateError, RejectedCertificateError
from combinat.base.files import plain_bytes
from combinat.base.strict_json import quoted

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from securesystemslib.signer import CryptoSigner, SSlibKey  # type: ignore[attr-defined]  # no __all__

PAYLOAD_TYPE = "application/vnd.in-toto+json"
_SIGNATURE_BYTES = 64
_MOST_KEY_BYTES = 10_000

Sha256 = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""A SHA-256 as 64 hexadecimal digits in lower case."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of the objects of a certificate: frozen, with a closed set of keys."""


class Signature(Record, frozen=True, kw_only=True):
    """A signature, and the id of the key that made it."""

    keyid: Sha256
    sig: str


class Envelope(Record, frozen=True, kw_only=True):
    """A DSSE envelope as its JSON has it."""

    payload: str
    payload_type: str = msgspec.field(name="payloadType")
    signatures: Annotated[tuple[Signature, ...], msgspec.Meta(min_length=1, max_length=1)]

    @property
    def keyid(self) -> str:
        """The id of the key that its maker names."""
        return self.signatures[0].keyid

    def opened(self) -> bytes:
        """Return the payload without checking the signature."""
        if self.payload_type != PAYLOAD_TYPE:
            raise MalformedCertificateError(
                f"payloadType: found {quoted(self.payload_type)}, expected {quoted(PAYLOAD_TYPE)}"
            )
        signature = _decoded("signatures[0].sig", self.signatures[0].sig)
        if len(signature) != _SIGNATURE_BYTES:
            raise MalformedCertificateError(
                f"signatures[0].sig: found {len(signature)} bytes, expected {_SIGNATURE_BYTES} (Ed25519)"
            )
        return _decoded("payload", self.payload)


def _decoded(key: str, text: str) -> bytes:
    """Return the bytes of a canonical base64 text."""
    try:
        content = base64.b64decode(text, validate=True)
    except ValueError:
        content = b""
    if not content or base64.b64encode(content).decode("ascii") != text:
        raise MalformedCertificateError(f"{key}: not base64, or cut short")
    return content


def enveloped(payload: bytes, key: Path) -> dict[str, Any]:
    """Return a DSSE envelope around a payload, signed with the private key of a PEM file."""
    made = signer(key)
    from securesystemslib.dsse import Envelope as Dsse

    envelope = Dsse(payload, PAYLOAD_TYPE, {})
    envelope.sign(made)
    return envelope.to_dict()


def verify_signature(envelope: Envelope, key: Path) -> None:
    """Refuse an envelope whose signature does not match this public key."""
    known = public_key(key)
    from securesystemslib.dsse import Envelope as Dsse
    from securesystemslib.exceptions import VerificationError

    if envelope.keyid != known.keyid:
        raise RejectedCertificateError(
            f"signed with another key: found key id {envelope.keyid}, {key} has {known.keyid}"
        )
    try:
        Dsse.from_dict(msgspec.to_builtins(envelope)).verify([known], threshold=1)
    except VerificationError:
        raise RejectedCertificateError(
            f"the signature does not fit: the payload or the signature was changed, or {key} did not sign it"
        ) from None


def signer(key: Path) -> "CryptoSigner":
    """Return the signer for the private key of a PEM file."""
    pem = _pem(key)
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    from securesystemslib.signer import CryptoSigner  # type: ignore[attr-defined]  # no __all__

    try:
        private = load_pem_private_key(pem, None)
    except TypeError:
        raise CombinatError(f"{key}: the private key has a password; give one without") from None
    except (ValueError, UnsupportedAlgorithm):
        private = None
    if not isinstance(private, Ed25519PrivateKey):
        raise CombinatError(f"{key}: no Ed25519 private key in PEM; make one with combinat keygen")
    return CryptoSigner(private, _key_with_id(private.public_key()))


def public_key(path: Path) -> "SSlibKey":
    """Return the public key of a PEM file."""
    pem = _pem(path)
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    if b"PRIVATE KEY" in pem:
        raise CombinatError(f"{path}: a private key; give the public one, and keep this one to yourself")
    try:
        public = load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm):
        public = None
    if not isinstance(public, Ed25519PublicKey):
        raise CombinatError(f"{path}: no Ed25519 public key in PEM; combinat keygen writes one")
    return _key_with_id(public)


def _key_with_id(public: "Ed25519PublicKey") -> "SSlibKey":
    """Return a public key with its id: the SHA-256 of its DER form.

    ``openssl pkey -pubin -in KEY-public.pem -outform DER | sha256sum`` prints the same id.
    """
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from securesystemslib.signer import SSlibKey  # type: ignore[attr-defined]  # no __all__

    der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return SSlibKey.from_crypto(public, hashlib.sha256(der).hexdigest())


def _pem(path: Path) -> bytes:
    """Return the content of a small plain file; links are followed."""
    try:
        return plain_bytes(path, _MOST_KEY_BYTES, links=True)
    except FileError as error:
        raise CombinatError(f"{path}: {error.why}; give the path of a key") from None


def is_private(key: Path) -> bool:
    """Whether the permissions of a key's file let only its owner read it."""
    others = stat.S_IRGRP | stat.S_IROTH
    return os.name != "posix" or not key.stat().st_mode & others


def write_key_pair(private: Path, public: Path) -> str:
    """Write a new key pair, the private key readable only by its owner; return the id of the key.

    An existing file is never overwritten; if one of the two exists, neither is written.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    made = Ed25519PrivateKey.generate()
    pem = serialization.Encoding.PEM
    secret = made.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    known = made.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo)
    begun: dict[Path, BinaryIO] = {}
    try:
        with contextlib.ExitStack() as stack:
            for path, mode in ((private, 0o600), (public, 0o644)):
                path.parent.mkdir(parents=True, exist_ok=True)
                opener = partial(os.open, mode=mode)
                begun[path] = stack.enter_context(open(path, "xb", opener=opener))
            begun[private].write(secret)
            begun[public].write(known)
    except (OSError, ValueError) as error:
        for path_begun in begun:
            path_begun.unlink(missing_ok=True)
        if isinstance(error, FileExistsError) and os.path.lexists(path):
            raise CombinatError(
                f"{path}: exists already, and a key is never overwritten; choose another name"
            ) from None
        why = error.strerror if isinstance(error, OSError) else error
        raise CombinatError(f"{path}: cannot be written ({why}); choose another place") from None
    return public_key(public).keyid
