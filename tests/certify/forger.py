"""A forger's tools: change a file, then make every hash and every sum fit again, as an unsigned report allows."""

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from combinat.base.files import Files
from tests.reports import Contents, read, sha256

Fault = Callable[[Contents], object]
"""A change of the files of a report."""

Change = Callable[[Path], object]
"""A change of what is in a place on the disk."""

Place = tuple[str | int, ...]
"""A place in a JSON value: keys of objects and numbers of entries."""


# ---------------------------------------------------------------- JSON


def spelled(raw: Any) -> bytes:
    """Return the canonical text of a JSON value, written without combinat."""
    return (json.dumps(raw, sort_keys=True, indent=1) + "\n").encode("ascii")


def at(raw: Any, place: Place) -> Any:
    """Return the value at a place of a JSON value."""
    for key in place:
        raw = raw[key]
    return raw


def put(raw: Any, place: Place, value: Any) -> Any:
    """Put another value at a place of a JSON value, or remove the key (``...``); return the whole."""
    inner = at(raw, place[:-1])
    if value is ...:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return raw


def places(raw: Any, place: Place = ()) -> list[Place]:
    """Return every place of a JSON value, but its root."""
    entries = raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
    inside = [inner for key, value in entries for inner in places(value, (*place, key))]
    return [place, *inside] if place else inside


# ---------------------------------------------------------------- the files of a report


def statement_of(contents: Files) -> dict[str, Any]:
    """Return the statement of the certificate, signed or not."""
    raw: dict[str, Any] = json.loads(contents["certificate.json"])
    return json.loads(base64.b64decode(raw["payload"])) if "payload" in raw else raw


def certified(content: bytes) -> Fault:
    """Another certificate, with sums that fit it."""

    def change(contents: Contents) -> None:
        contents["certificate.json"] = content
        try:
            lines = {part["name"]: part["digest"]["sha256"] for part in statement_of(contents)["subject"]}
        except Exception:
            lines = {}  # it is refused before its sums matter
        lines["certificate.json"] = sha256(content)
        sums = "".join(f"{lines[name]}  {name}\n" for name in sorted(lines, key=str))
        contents["SHA256SUMS"] = sums.encode("utf-8", "surrogatepass")

    return change


def restated(change: Callable[[dict[str, Any]], object]) -> Fault:
    """An unsigned certificate with another statement, and sums that fit it."""

    def forge(contents: Contents) -> None:
        statement = statement_of(contents)
        change(statement)
        certified(spelled(statement))(contents)

    return forge


def stated(*place: str | int, value: Any) -> Fault:
    """The statement with another value at a place; ``...`` removes the key."""
    return restated(lambda statement: put(statement, place, value))


def sealed_again(contents: Contents) -> None:
    """Write a certificate and sums that fit the files as they are."""
    statement = statement_of(contents)
    names = contents.keys() - {"certificate.json", "SHA256SUMS"}
    if statement["predicateType"].startswith("urn:combinat:collection:"):
        names = {name for name in names if re.fullmatch(r"[^/]+(/certificate\.json)?", name)}
    subjects = [{"name": name, "digest": {"sha256": sha256(contents[name])}} for name in sorted(names)]
    stated("subject", value=subjects)(contents)


def changed(name: str, content: bytes) -> Fault:
    """A file with other content, or one more, and every hash made to fit."""
    return both(damaged(name, content), sealed_again)


def dropped(name: str) -> Fault:
    """A file less, and every hash made to fit."""
    return both(lost(name), sealed_again)


def damaged(name: str, content: bytes) -> Fault:
    """A file with other content, or one more, and no hash made to fit."""
    return lambda contents: contents.update({name: content})


def lost(name: str) -> Fault:
    """A file less, and no hash made to fit."""
    return lambda contents: contents.pop(name)


def both(*faults: Fault) -> Fault:
    """One change after the other."""
    return lambda contents: [fault(contents) for fault in faults]


# ---------------------------------------------------------------- a report in a folder


def moved_away(put: Change, name: str = "") -> Change:
    """A change of a folder, or of what has a name in it: it is moved away, and something else is put there."""

    def change(folder: Path) -> None:
        place = folder / name
        place.rename(place.with_name("elsewhere"))
        put(place)

    return change


def reseal(folder: Path, *faults: Fault) -> None:
    """Write a certificate and sums that fit the files of a folder; ``faults`` then change the statement."""
    contents = read(folder)
    both(sealed_again, *faults)(contents)
    for name in ("certificate.json", "SHA256SUMS"):
        (folder / name).write_bytes(contents[name])


def replaced(path: Path, old: bytes, new: bytes) -> None:
    """Change the first place in a file that has the old bytes."""
    content = path.read_bytes()
    assert old in content, f"{path.name} does not have {old!r}"
    path.write_bytes(content.replace(old, new, 1))


def another_digit(path: Path) -> None:
    """Change one digit in the middle of a file."""
    content = bytearray(path.read_bytes())
    digits = [place for place, byte in enumerate(content) if chr(byte).isdigit()]
    place = digits[len(digits) // 2]
    content[place] = ord("7") if content[place] != ord("7") else ord("3")
    path.write_bytes(bytes(content))
