"""``combinat keygen``: a key pair to sign certificates with."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CombinatError
from combinat.base.strict_json import quoted
from combinat.certify.folder import is_plain
from combinat.certify.signature import write_key_pair
from combinat.cli.output import say_line


def keygen(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the two files.")],
    out: Annotated[str, typer.Option(metavar="FOLDER", help="The folder to write to.")] = ".",
) -> None:
    """Make an Ed25519 key pair: NAME-private.pem to sign with, NAME-public.pem to publish.

    The private key is readable by its owner only. A file that exists is never overwritten.
    """
    if not is_plain(name) or "/" in name:
        raise CombinatError(f"NAME: found {quoted(name)}; write a plain name, and the folder with --out")
    if not out:
        raise CombinatError("--out: found no name; write a folder, such as --out keys")
    private, public = Path(out) / f"{name}-private.pem", Path(out) / f"{name}-public.pem"
    key_id = write_key_pair(private, public)
    say_line(f"wrote {private}: keep it secret")
    say_line(f"wrote {public}: give it to whoever verifies")
    say_line(f"key id {key_id}")
