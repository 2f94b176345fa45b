"""A forger's tools: change a file, then make every hash and every sum fit again, as an unsigned report allows."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Statement = dict[str, Any]


def reseal(folder: Path, also: Callable[[Statement], object] = lambda statement: None) -> None:
    """Write an unsigned certificate and sums that fit the files as they are; ``also`` changes its statement."""
    certificate = folder / "certificate.json"
    statement: Statement = json.loads(certificate.read_text("ascii"))
    names = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("certificate.json", "SHA256SUMS")
    )
    statement["subject"] = [{"name": name, "digest": {"sha256": sha256(folder / name)}} for name in names]
    also(statement)
    certificate.write_text(json.dumps(statement, sort_keys=True, indent=1) + "\n", "ascii")
    lines = {subject["name"]: subject["digest"]["sha256"] for subject in statement["subject"]}
    lines["certificate.json"] = sha256(certificate)
    sums = "".join(f"{lines[name]}  {name}\n" for name in sorted(lines))
    (folder / "SHA256SUMS").write_text(sums, "utf-8")


def sha256(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def replaced(path: Path, old: bytes, new: bytes) -> None:
    """Change the first place in a file where the old bytes stand."""
    content = path.read_bytes()
    assert old in content, f"{path.name} does not say {old!r}"
    path.write_bytes(content.replace(old, new, 1))


def another_digit(path: Path) -> None:
    """Change one digit in the middle of a file."""
    content = bytearray(path.read_bytes())
    places = [place for place, byte in enumerate(content) if chr(byte).isdigit()]
    place = places[len(places) // 2]
    content[place] = ord("7") if content[place] != ord("7") else ord("3")
    path.write_bytes(bytes(content))
