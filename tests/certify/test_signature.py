"""Keys: made once and never overwritten, read only if they are what they must be."""

import os
import stat
from collections.abc import Callable
from functools import partial
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
from tests.raises import noting_refusals, refusal_of, refusing
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
    (tmp_path / "current.pem").symlink_to(public)
    keys = signer(private).public_key, public_key(public), public_key(tmp_path / "current.pem")
    assert {key.keyid for key in keys} == {key_id(public)}


@pytest.mark.parametrize("there", ["private", "public"])
@pytest.mark.parametrize("what", ["file", "link"])
def test_no_key_is_ever_overwritten(tmp_path: Path, there: str, what: str) -> None:
    paths = {name: tmp_path / f"k-{name}.pem" for name in ("private", "public")}
    if what == "file":
        paths[there].write_bytes(b"mine")
    else:
        paths[there].symlink_to(tmp_path / "nowhere")
    refusal = refusal_of(write_key_pair, paths["private"], paths["public"])
    assert str(refusal).startswith(f"{paths[there]}: ")
    assert os.listdir(tmp_path) == [paths[there].name]
    assert what == "link" or paths[there].read_bytes() == b"mine"


# ---------------------------------------------------------------- files that are no key


def test_what_is_no_key_is_refused_and_every_raise_is_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is waited for. A ``raise`` that nothing here reaches is a refusal that nobody has seen."""
    private, public, bad = tmp_path / "private.pem", tmp_path / "public.pem", tmp_path / "bad"
    write_key_pair(private, public)
    bad.mkdir()
    os.mkfifo(bad / "pipe")
    (bad / "circle").symlink_to(bad / "circle")
    (bad / "large").write_bytes(b"#" * 10_001)
    corpus = [
        path for path in sorted((TESTS / "hostile" / "keys").glob("*.pem")) if path.name != "public.pem"
    ]
    no_keys = [*bad.iterdir(), bad, bad / "missing", bad / "nul\0", Path("/dev/zero"), *corpus]
    made = enveloped(b"{}", private)

    def envelope(signed: dict[str, str] | None = None, **values: str) -> Envelope:
        signatures = [made["signatures"][0] | (signed or {})]
        return msgspec.convert(made | {"signatures": signatures} | values, Envelope)

    tries: list[tuple[str, Callable[[], object]]] = [
        *((f"{path}: ", partial(read, path)) for path in no_keys for read in (signer, public_key)),
        (f"{public}: ", partial(signer, public)),
        (f"{private}: ", partial(public_key, private)),
        (f"{private}: ", partial(write_key_pair, private, tmp_path / "new.pem")),
        (f"{public / '1'}: ", partial(write_key_pair, public / "1", tmp_path / "2")),
        ("payloadType: ", envelope(payloadType="text/plain").opened),
        ("payload: ", envelope(payload="!").opened),
        ("signatures[0].sig: ", envelope({"sig": "AAAA"}).opened),
        ("", partial(verify_signature, envelope(payload="e30K"), public)),
        ("", partial(verify_signature, envelope({"keyid": "0" * 64}), public)),
    ]
    reached = noting_refusals(monkeypatch)
    for names, refused in tries:
        with pytest.raises(CombinatError) as refusal:
            refused()
        assert str(refusal.value).startswith(names)
    assert refusing(signature) - reached == set()
