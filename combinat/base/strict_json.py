"""Canonical JSON: writing, and strict reading.

The library is imported on use, because few commands need it.
"""

from collections.abc import Mapping
from typing import Any

from combinat.base.errors import CombinatError

MOST_VALUES = 4_000_000
"""Values of a JSON document, keys among them, counted before it is parsed; each costs up to some 100 bytes."""


def canonical(payload: Mapping[str, Any]) -> bytes:
    r"""Return the canonical JSON of a document: sorted keys, ASCII, one space per level, a final newline.

    >>> canonical({"b": 1, "a": "é"})
    b'{\n "a": "\\u00e9",\n "b": 1\n}\n'
    """
    import json

    return (json.dumps(payload, sort_keys=True, ensure_ascii=True, indent=1) + "\n").encode("ascii")


def parsed_object(
    content: bytes,
    refusal: type[CombinatError],
    where: str = "",
    encoding: str = "ascii",
    *,
    whole_numbers: bool = True,
) -> dict[str, Any]:
    """Return a JSON object with unique keys and whole numbers; refuse anything else with this error.

    ``whole_numbers``: False if the caller itself refuses other numbers, naming their place.
    """
    import json

    if sum(map(content.count, (b",", b":", b"[", b"{"))) > MOST_VALUES:
        raise refusal(f"{where}more than {MOST_VALUES} values; no file of combinat has more")
    refused = _not_whole if whole_numbers else None
    try:
        raw = json.loads(
            content.decode(encoding),
            object_pairs_hook=_each_once,
            parse_float=refused,
            parse_constant=refused,
        )
    except UnicodeDecodeError as error:
        raise refusal(f"{where}not {encoding.upper()} text (byte {error.start})") from None
    except (ValueError, RecursionError) as error:
        raise refusal(f"{where}not readable as JSON: {error}") from None
    if not isinstance(raw, dict):
        raise refusal(f"{where}expected a JSON object")
    return raw


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for key, value in pairs:
        if key in record:
            raise ValueError(f"the key {quoted(key)} stands twice")
        record[key] = value
    return record


def _not_whole(text: str) -> None:
    raise ValueError(f"{quoted(text)} is not a whole number")


def quoted(text: str) -> str:
    r"""Return an untrusted text in quotes, in ASCII and shortened.

    >>> print(quoted("café\x1b[2J"))
    "caf\u00e9\u001b[2J"
    """
    import json

    return json.dumps(text if len(text) <= 120 else f"{text[:117]}...")
