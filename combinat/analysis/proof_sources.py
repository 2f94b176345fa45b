"""The sources that come with combinat beside its own: the Coq proof, and the hash of the stand-alone checker."""

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
def checker_sha256() -> str:
    """The SHA-256 of the checker that goes with every report."""
    checker = Path(__file__).resolve().parent.parent / "certify" / "checker.py"
    return hashlib.sha256(checker.read_bytes()).hexdigest()
