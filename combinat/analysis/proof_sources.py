"""The proof: the Coq sources that come with combinat, and their hash."""

import hashlib
from functools import cache
from pathlib import Path

from combinat.base.errors import CombinatError

PROGRAM = "check.py"
"""The program beside the sources that compiles them and what is stated."""


def proof_folder() -> Path:
    """The folder of the sources: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "proof", package.parent / "proof"):
        if folder.is_dir():
            return folder
    raise CombinatError(
        f"no proof sources found: neither {package / 'proof'} nor the checkout's proof/ exists"
    )


@cache
def proof_sources() -> dict[str, bytes]:
    """The Coq sources by name."""
    return {path.name: path.read_bytes() for path in sorted(proof_folder().glob("*.v"))}


@cache
def proof_sha256() -> str:
    """The SHA-256 of the sources: of the lines that ``sha256sum *.v`` prints in their folder."""
    lines = (f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in proof_sources().items())
    return hashlib.sha256("".join(lines).encode("ascii")).hexdigest()
