"""The rule books that come with combinat, read and checked beforehand.

What a rule book states follows from its bytes alone. So the shipped ones are read and checked where they are changed
(``make regenerate``), and not again at every start. A prepared book keeps the lines that it was made from: of a file with
any other byte in it nothing is prepared, and the file itself is read. Whether what was prepared still is what the
file states, ``combinat check`` and ``combinat doctor`` ask (``rulebook.read_again``).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

FOLDER = Path(__file__).with_name("prepared_books")

Stated = TypeVar("Stated")


class Prepared(msgspec.Struct, Generic[Stated], frozen=True):
    """The lines of a rule book, and what they state."""

    lines: list[str]
    states: Stated


def prepared(
    game_id: str, content: bytes, kind: type[Stated], of_text: Callable[[Any, Any], Any] | None = None
) -> Stated | None:
    """What the rule book of a game states, if it was prepared from these very bytes; None: it is to be read.

    ``kind``: the record that is wanted of it. ``of_text``: makes values of the types that are texts in a rule book.
    """
    try:
        written = (FOLDER / f"{game_id}.json").read_bytes()
        book = msgspec.json.decode(written, type=Prepared[kind], dec_hook=of_text)  # type: ignore[valid-type]
    except (OSError, msgspec.MsgspecError):
        return None
    return book.states if "\n".join(book.lines).encode("utf-8") == content else None


def prepared_games() -> list[str]:
    """The ids of the games whose rule books were prepared."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def prepared_file(text: str, raw: dict[str, Any]) -> bytes:
    """The file of a prepared book: of a rule book's text, and the data that it states."""
    return msgspec.json.format(msgspec.json.encode(Prepared(text.split("\n"), raw)), indent=1) + b"\n"
