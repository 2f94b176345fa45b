"""Keys: made once and never overwritten, read only if they are what they must be."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from combinat.base.errors import CombinatError
from combinat.certify import signature
from combinat.certify.signature import (
    Envelope,
    enveloped,
    public_key,
    signer,
    verify_signature,
    write_key_pair,
)
from tests.paths import TESTS
from tests.raises import unreached
from tests.reports import key_id


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
    assert str(refusal.value).startswith(f"{paths[there]}: ")
    assert os.listdir(tmp_path) == [paths[there].name]
    assert what == "link" or paths[there].read_bytes() == b"mine"


# ---------------------------------------------------------------- files that are no key

PUBLIC = {"public.pem"}
"""The keys of the corpus that are read; all its others are refused, in the words that stand there."""


def refused_keys(folder: Path) -> list[Path]:
    """Files that are neither a private nor a public key for signatures, and places that are no file."""
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "large").write_bytes(b"#" * 10_001)
    strange = [
        folder,
        folder / "missing",
        folder / "nul\0",
        folder / "pipe",
        folder / "circle",
        folder / "large",
    ]
    corpus = (TESTS / "hostile" / "keys").glob("*.pem")
    return [*strange, Path("/dev/zero"), *(path for path in sorted(corpus) if path.name not in PUBLIC)]


def refusals_of(folder: Path) -> Iterator[CombinatError]:
    """The refusal of each, as a private and as a public key; nothing is waited for."""
    private, public = folder / "private.pem", folder / "public.pem"
    write_key_pair(private, public)
    tries = [(read_key, path) for path in refused_keys(folder / "bad") for read_key in (signer, public_key)]
    for read_key, path in [*tries, (signer, public), (public_key, private)]:
        with pytest.raises(CombinatError) as refusal:
            read_key(path)
        assert str(refusal.value).startswith(f"{path}: ")
        yield refusal.value


def test_what_is_no_key_is_refused_and_every_raise_is_reached(tmp_path: Path) -> None:
    """A ``raise`` that no file here reaches is a refusal that nobody has seen."""
    refusals: list[BaseException] = list(refusals_of(tmp_path))
    private, public = tmp_path / "private.pem", tmp_path / "public.pem"
    made = enveloped(b"{}", private)

    def envelope(signed: dict[str, str] | None = None, **values: str) -> Envelope:
        signatures = [made["signatures"][0] | (signed or {})]
        return msgspec.convert(made | {"signatures": signatures} | values, Envelope)

    tries: list[Callable[[], object]] = [
        envelope(payloadType="text/plain").opened,
        envelope(payload="!").opened,
        envelope({"sig": "AAAA"}).opened,
        lambda: verify_signature(envelope(payload="e30K"), public),
        lambda: verify_signature(envelope({"keyid": "0" * 64}), public),
        lambda: write_key_pair(private, tmp_path / "new.pem"),
        lambda: write_key_pair(public / "1", tmp_path / "2"),
    ]
    for refused in tries:
        with pytest.raises(CombinatError) as refusal:
            refused()
        refusals.append(refusal.value)
    assert unreached([signature], refusals) == set()
