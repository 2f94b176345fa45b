"""Keys: made once and never overwritten, read only if they are what they must be."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from combinat.certify import signature
from combinat.certify.signature import enveloped, public_key, signer, verify_signature, write_key_pair
from combinat.errors import CombinatError
from tests.certify.test_certificate import key_id
from tests.reports import unreached


def test_a_key_pair(tmp_path: Path) -> None:
    private, public = tmp_path / "new" / "k-private.pem", tmp_path / "new" / "k-public.pem"
    before = os.umask(0)
    try:
        assert write_key_pair(private, public) == key_id(public)
    finally:
        os.umask(before)
    assert private.read_text("ascii").startswith("-----BEGIN PRIVATE KEY-----\n")
    assert public.read_text("ascii").startswith("-----BEGIN PUBLIC KEY-----\n")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (private, public)] == [0o600, 0o644]
    assert signer(private).public_key.keyid == public_key(public).keyid == key_id(public)


def test_a_key_may_be_named_by_a_link(tmp_path: Path) -> None:
    write_key_pair(tmp_path / "private.pem", tmp_path / "public.pem")
    (tmp_path / "current.pem").symlink_to("public.pem")
    assert public_key(tmp_path / "current.pem").keyid == key_id(tmp_path / "public.pem")


@pytest.mark.parametrize("there", ["private", "public"])
@pytest.mark.parametrize("what", ["file", "link"])
def test_no_key_is_ever_overwritten(tmp_path: Path, there: str, what: str) -> None:
    paths = {name: tmp_path / f"k-{name}.pem" for name in ("private", "public")}
    if what == "file":
        paths[there].write_bytes(b"mine")
    else:
        paths[there].symlink_to(tmp_path / "nowhere")
    with pytest.raises(CombinatError) as refusal:
        write_key_pair(paths["private"], paths["public"])
    assert str(refusal.value) == f"{paths[there]}: exists already, and a key is never overwritten"
    assert os.listdir(tmp_path) == [paths[there].name]
    assert what == "link" or paths[there].read_bytes() == b"mine"


def test_a_place_for_keys_that_is_none(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_bytes(b"")
    with pytest.raises(CombinatError, match=r"k-private.pem: cannot be written \(.*\); choose another place"):
        write_key_pair(place / "k-private.pem", place / "k-public.pem")


def pem_of(made: Any, password: bytes | None = None) -> tuple[bytes, bytes]:
    """A private key and its public key, as PEM."""
    from cryptography.hazmat.primitives import serialization as written

    hidden = written.BestAvailableEncryption(password) if password else written.NoEncryption()
    return (
        made.private_bytes(written.Encoding.PEM, written.PrivateFormat.PKCS8, hidden),
        made.public_key().public_bytes(written.Encoding.PEM, written.PublicFormat.SubjectPublicKeyInfo),
    )


def bad_keys() -> dict[str, tuple[bytes | None, str, str]]:
    """Files that are no key: the content, what is said of it as a private key, and as a public one."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    no_private = "no Ed25519 private key in PEM; make one with combinat keygen"
    no_public = "no Ed25519 public key in PEM; combinat keygen writes one"
    a_private = "a private key; give the public one, and keep this one to yourself"
    private, public = pem_of(Ed25519PrivateKey.generate())
    hidden, _ = pem_of(Ed25519PrivateKey.generate(), b"word")
    curve_private, curve_public = pem_of(ec.generate_private_key(ec.SECP256R1()))
    missing = "cannot be read (No such file or directory); give the path of a key"
    large = "larger than 10000 bytes; give the path of a key"
    return {
        "missing": (None, missing, missing),
        "large": (b"#" * 10_001, large, large),
        "empty": (b"", no_private, no_public),
        "no text": (b"\xff\0", no_private, no_public),
        "private": (private, "", a_private),
        "public": (public, no_private, ""),
        "password": (hidden, "the private key has a password; give one without", a_private),
        "private of a curve": (curve_private, no_private, a_private),
        "public of a curve": (curve_public, no_private, no_public),
        "cut": (private[:80], no_private, a_private),
        "public cut": (public[:60], no_private, no_public),
    }


BAD_KEYS = bad_keys()


@pytest.mark.parametrize("fault", BAD_KEYS)
def test_what_is_no_key_is_refused_in_these_words(tmp_path: Path, fault: str) -> None:
    content, as_private, as_public = BAD_KEYS[fault]
    path = tmp_path / "key.pem"
    if content is not None:
        path.write_bytes(content)
    for read_key, message in ((signer, as_private), (public_key, as_public)):
        if message:
            with pytest.raises(CombinatError) as refusal:
                read_key(path)
            assert str(refusal.value) == f"{path}: {message}"
        else:
            assert read_key(path)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("pipe", "not a plain file; give the path of a key"),
        ("folder", "cannot be read (Is a directory); give the path of a key"),
        ("device", "not a plain file; give the path of a key"),
        ("circle", "cannot be read (Too many levels of symbolic links); give the path of a key"),
        ("zero", "cannot be read (embedded null byte); give the path of a key"),
    ],
)
def test_only_a_plain_file_is_a_key(tmp_path: Path, kind: str, message: str) -> None:
    """Nothing is waited for: a pipe that nobody writes to is refused at once."""
    path = tmp_path / "key.pem"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "circle":
        path.symlink_to(path)
    else:
        path = Path("/dev/zero") if kind == "device" else tmp_path / "key\0.pem"
    for read_key in (signer, public_key):
        with pytest.raises(CombinatError) as refusal:
            read_key(path)
        assert str(refusal.value) == f"{path}: {message}"


@pytest.mark.parametrize("library", ["cryptography", "securesystemslib"])
def test_signatures_say_what_they_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    private, public = tmp_path / "private.pem", tmp_path / "public.pem"
    write_key_pair(private, public)
    envelope = signature.Envelope(
        payload="", payload_type="", signatures=(signature.Signature(keyid="0" * 64, sig=""),)
    )
    monkeypatch.setitem(sys.modules, library, None)
    for use in (
        lambda: write_key_pair(tmp_path / "1", tmp_path / "2"),
        lambda: verify_signature(envelope, public),
        lambda: enveloped(b"", private),
    ):
        with pytest.raises(CombinatError) as refusal:
            use()
        assert str(refusal.value) == (
            "signatures need more than combinat alone: pip install 'combinat[sign]'"
        )
    assert not (tmp_path / "1").exists()


def test_every_raise_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``raise`` that nothing here reaches is a refusal that nobody has seen."""
    write_key_pair(tmp_path / "private.pem", tmp_path / "public.pem")
    made = signature.enveloped(b"{}", tmp_path / "private.pem")

    def envelope(**values: Any) -> signature.Envelope:
        import msgspec

        return msgspec.convert(made | values, signature.Envelope)

    def signed_with(sig: str, keyid: str | None = None) -> list[dict[str, str]]:
        return [{"keyid": keyid or made["signatures"][0]["keyid"], "sig": sig}]

    def refusals() -> Iterator[BaseException]:
        tries: list[Any] = [
            envelope(payloadType="text/plain").opened,
            envelope(payload="!").opened,
            envelope(signatures=signed_with("AAAA")).opened,
            lambda: verify_signature(envelope(payload="e30K"), tmp_path / "public.pem"),
            lambda: verify_signature(
                envelope(signatures=signed_with("AAAA", "0" * 64)), tmp_path / "public.pem"
            ),
            lambda: write_key_pair(tmp_path / "private.pem", tmp_path / "new.pem"),
            lambda: write_key_pair(tmp_path / "public.pem" / "1", tmp_path / "2"),
        ]
        for number, (content, as_private, as_public) in enumerate(BAD_KEYS.values()):
            path = tmp_path / f"{number}.pem"
            if content is not None:
                path.write_bytes(content)
            tries += [lambda path=path: signer(path)] if as_private else []
            tries += [lambda path=path: public_key(path)] if as_public else []
        for refused in tries:
            with pytest.raises(CombinatError) as refusal:
                refused()
            yield refusal.value
        monkeypatch.setitem(sys.modules, "cryptography", None)
        with pytest.raises(CombinatError) as refusal:
            public_key(tmp_path / "public.pem")
        yield refusal.value

    assert unreached([signature], refusals()) == set()
