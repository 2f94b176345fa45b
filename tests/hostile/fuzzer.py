"""The fuzzer: hostile inputs made from valid ones, and the law that every reader keeps on each of them.

The law: any input gives a result or a refusal, whose message is one line that prints and is no longer than
it must be, within bounds of processor time and memory; no other exception, and no file made or changed.

An input follows from its reader, a seed and a number alone, so that any can be made again. One that breaks the
law is kept as ``found-READER-SEED-NUMBER.new`` beside this page; in the corpus (``corpus.py``) it is tried again.
"""

import datetime
import json
import resource
import signal
import time
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from combinat.base.errors import CombinatError, printable

HERE = Path(__file__).parent

MOST_MESSAGE = 2_000
"""Characters of a message: room for a list of all the keys that there are, and not for what someone else wrote."""

MOST_MEMORY = 1 << 30
"""Bytes that an input may cost beside what the process already has."""

TEXTS = (
    "", " ", "0", "-1", "1e9", "1/0", "NaN", "1 to 0", "0 to 1", "9" * 5_000, "push", "0-9", "9-0", "é", "e\u0301",
    "\0", "\x07", "\x1b[2J", "\x1b]0;x\x07", "\x85", "\u202e4 ot 1", "\u2066x", "\u200b", "\ufeff", "\ufffe", "\U000e0041",
    "\u2028", "a\nb", "a\rb", "a\tb", "١٢", "\U0001f42f", "<script>alert(1)</script>", "![x](http://x)", "| a | b |", "# x",
    '"><img src=x onerror=alert(1)>', "=1+1", "+1", "@SUM(A1)", "-2+3", "\\input{/etc/passwd}", "$x$ % & _ { } ~ ^",
    "#eval(1)", "{{ 7 * 7 }}", "%s%n", "../../etc/passwd", "/dev/zero", "C:\\x", "x" * 3_000, "player", "banker", "*",
    "]]>", "';--", "a,b;c", "A=1", "10 J Q K",
)  # fmt: skip

NUMBERS = (
    0,
    1,
    -1,
    2,
    9,
    10,
    13,
    52,
    255,
    1_000,
    10**6,
    2**31,
    2**53 + 1,
    2**63,
    -(2**63) - 1,
    10**30,
    10**4_000,
)

PIECES = (
    b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x1b[31m", "\u202e".encode(),
    "\u2028".encode(), b"\r", b"\n\n", b"\r\n", b'"', b"'''", b'"""', b"\\", b"\\u0000", b"\\ud800", b"[", b"[[", b"]", b"{", b"}",
    b"=", b".", b",", b"#", b"-", b"0x", b"1e999", b"NaN", b"-Infinity", b"null", b"true", b"a.b.c.d", b"9" * 400, b"[" * 400,
    b"{" * 60, b"a." * 150, b" " * 3_000,
)  # fmt: skip


class Broken(Exception):  # noqa: N818  # the name is the verdict
    """An input on which a reader does not keep the law."""


class TooLong(BaseException):
    """An input took more time than it may; no reader's ``except Exception`` catches it."""


@dataclass(frozen=True, kw_only=True)
class Reader:
    """A reader of what strangers write.

    ``seeds``: valid inputs. ``structured``: a hostile input made from one with knowledge of its form.
    ``read``: reads an input to the end, and raises ``refusals`` alone. ``inputs``: how many the plain suite tries.
    """

    name: str
    seeds: Callable[[], Sequence[bytes]]
    structured: Callable[["Chance", bytes], bytes]
    read: Callable[[bytes], object]
    refusals: tuple[type[Exception], ...]
    inputs: int
    seconds: float = 5


# ---------------------------------------------------------------- hostile inputs


class Chance(Random):
    """Chance, and what a hostile hand does by it."""

    def text(self) -> str:
        """A text that someone might write to do harm, or any characters at all."""
        if self.random() < 0.8:
            return self.choice(TEXTS)
        points = [self.choice((self.randrange(128), self.randrange(0xD800), self.randrange(0xE000, 0x110000)))
                  for _ in range(self.randrange(1, 9))]  # fmt: skip
        return "".join(map(chr, points))

    def value(self, other: Any = None) -> Any:
        """A value of any kind; ``other``: one that stands somewhere else."""
        kinds: tuple[Callable[[], Any], ...] = (
            self.text,
            self.text,
            lambda: self.choice(NUMBERS),
            lambda: self.choice(NUMBERS),
            lambda: self.choice((True, False, 0.5, -0.0, 1e300)),
            lambda: self.choice(([], {}, [[]], {"": {}}, [1, "a", None])),
            lambda: nested(self.choice((3, 12, 70)), self.random() < 0.5),
            lambda: other,
            lambda: other,
        )
        return self.choice(kinds)()

    def tree(self, value: Any, other: Any) -> Any:
        """A copy of a tree of values with some places changed, a few of them to what stands in another tree."""
        copy = deepcopy(value)
        for _ in range(self.choice((1, 1, 1, 2, 3, 8))):
            self._change(copy, other)
        return copy

    def _change(self, tree: Any, other: Any) -> None:
        places = list(_places(tree))
        if not places:
            return
        holder, key = self.choice(places)
        elsewhere = self.choice(list(_places(other)) or places)
        alike = [(there, name) for there, name in _places(other) if name == key and isinstance(name, str)]
        change = self.randrange(12)
        if change == 0:
            del holder[key]
        elif change > 6 and alike:
            there, name = self.choice(alike)
            holder[key] = deepcopy(there[name])
        elif change == 1 and isinstance(holder, list):
            holder.insert(self.randrange(len(holder) + 1), deepcopy(holder[key]))
        elif change == 1:
            holder[self.text()] = holder[key]
        elif change == 2 and isinstance(holder[key], str):
            holder[key] = self.choice(
                (holder[key] + self.text(), self.text() + holder[key], holder[key][:-1])
            )
        elif change == 2 and isinstance(holder[key], int):
            holder[key] = self.choice((holder[key] + 1, -holder[key], str(holder[key]), holder[key] * 10**6))
        elif change == 3 and isinstance(holder[key], list):
            holder[key] = holder[key] * self.choice((0, 2, 30))
        else:
            holder[key] = self.value(deepcopy(elsewhere[0][elsewhere[1]]))

    def lines(self, content: bytes, separator: bytes = b",") -> bytes:
        """Lines of cells with some changed: dropped, doubled, moved, or a cell that says something else."""
        lines = content.split(b"\n")
        for _ in range(self.choice((1, 1, 2, 4))):
            place = self.randrange(len(lines))
            change = self.randrange(6)
            if change == 0 and len(lines) > 1:
                del lines[place]
            elif change == 1:
                lines.insert(place, self.choice(lines))
            elif change == 2:
                self.shuffle(lines)
            else:
                cells = lines[place].split(separator)
                said = self.choice(
                    (self.text(), str(self.choice(NUMBERS)), self.choice(cells).decode("latin-1"))
                )
                cells[self.randrange(len(cells))] = said.encode("utf-8", "surrogatepass")
                lines[place] = separator.join(cells)
        return b"\n".join(lines)

    def bytes_of(self, content: bytes, other: bytes) -> bytes:
        """Bytes with some changed, without any knowledge of what they are."""
        changed = bytearray(content)
        for _ in range(self.choice((1, 1, 2, 3, 10))):
            start = self.randrange(len(changed) + 1)
            end = min(len(changed), start + self.choice((1, 1, 2, 8, 64, 1_000)))
            change = self.randrange(7)
            if change == 0:
                del changed[start:end]
            elif change == 1:
                changed[start:start] = changed[start:end] * self.choice((1, 1, 50))
            elif change == 2:
                changed[start:end] = self.choice(PIECES)
            elif change == 3:
                changed[start:start] = self.choice(PIECES)
            elif change == 4 and changed:
                changed[start % len(changed)] = self.randrange(256)
            elif change == 5:
                from_there = self.randrange(len(other) + 1)
                changed[start:end] = other[from_there : from_there + self.choice((1, 8, 200))]
            elif self.random() < 0.3:
                del changed[start:]
        return bytes(changed)


def nested(depth: int, as_tables: bool) -> Any:
    """Lists in lists, or tables in tables, so deep."""
    value: Any = 1
    for _ in range(depth):
        value = {"a": value} if as_tables else [value]
    return value


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a tree, as what holds it and its key there."""
    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        keys = (
            list(holder)
            if isinstance(holder, dict)
            else range(len(holder))
            if isinstance(holder, list)
            else ()
        )
        for key in keys:
            yield holder, key
            waiting.append(holder[key])


def toml(tree: Mapping[str, Any]) -> bytes:
    """A TOML document: a line a key, everything below in one piece."""
    return "".join(f"{_toml(key)} = {_toml(value)}\n" for key, value in tree.items()).encode(
        "utf-8", "replace"
    )


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return '"null"' if value is None else json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@cache
def toml_tree(content: bytes) -> Any:
    """The values of a TOML document."""
    return tomllib.loads(content.decode("utf-8"))


def hostile_toml(seeds: Callable[[], Sequence[bytes]], **kept: Any) -> Callable[[Chance, bytes], bytes]:
    """A way to change a TOML document: some values, a few of ``kept`` among them, or some of its lines."""

    def change(chance: Chance, content: bytes) -> bytes:
        if chance.random() < 0.3:
            return chance.lines(content, chance.choice((b",", b"=", b'"')))
        tree = chance.tree(toml_tree(content), toml_tree(chance.choice(seeds())))
        return toml(tree | kept if chance.random() < 0.9 else tree)

    return change


def hostile(reader: Reader, seed: int, number: int) -> bytes:
    """An input: the one that this seed and this number make for a reader."""
    chance = Chance(f"{reader.name}:{seed}:{number}")
    seeds = reader.seeds()
    content, other = chance.choice(seeds), chance.choice(seeds)
    if chance.random() < 0.7:
        content = reader.structured(chance, content)
        return chance.bytes_of(content, other) if chance.random() < 0.1 else content
    return chance.bytes_of(content, other)


# ---------------------------------------------------------------- the law


def check_law(reader: Reader, content: bytes, folder: Path) -> str | None:
    """What a reader refuses an input with, None where it accepts it; ``Broken`` where it does not keep the law.

    The reader works in ``folder``, which is the current one: nothing may be there afterwards that was not before.
    """
    before = _listing(folder)
    started = time.process_time()
    try:
        with bounds(reader.seconds):
            reader.read(content)
        said = None
    except reader.refusals as refusal:
        said = printed(refusal)
        check_message(refusal)
    except Broken:
        raise
    except TooLong:
        raise Broken(f"not done after {reader.seconds} s of processor time") from None
    except MemoryError:
        raise Broken(f"more than {MOST_MEMORY} bytes of memory") from None
    except Exception as error:
        raise Broken(f"{type(error).__name__}: {ascii(str(error))[:300]}") from error
    if (spent := time.process_time() - started) > reader.seconds:
        raise Broken(f"{spent:.1f} s of processor time; {reader.seconds} are enough")
    if left := _listing(folder) - before:
        raise Broken(f"left behind or changed: {min(left)[0]}")
    if gone := before - _listing(folder):
        raise Broken(f"gone: {min(gone)[0]}")
    return said


def printed(refusal: Exception) -> str:
    """A refusal as the program prints it; the checker prints its own as they are."""
    return (
        printable(" ".join(str(refusal).splitlines())) if isinstance(refusal, CombinatError) else str(refusal)
    )


def check_message(refusal: Exception) -> None:
    """Refuse a message that is none, that does not print on one line, or that echoes too much."""
    message, said = str(refusal), printed(refusal)
    if not message.strip():
        raise Broken("refused without a word")
    if odd := hidden(said):
        raise Broken(f"a message that does not print on one line ({odd}): {ascii(said)[:300]}")
    if len(message) > MOST_MESSAGE:
        raise Broken(f"a message of {len(message)} characters: {ascii(message)[:300]}")


def hidden(text: str) -> str:
    """The first character of a text that does not show, such as ``U+202E``; empty: all show. A space of any width does."""
    odd = (one for one in text if not one.isprintable() and unicodedata.category(one) != "Zs")
    return next((f"U+{ord(one):04X}" for one in odd), "")


def _listing(folder: Path) -> set[tuple[str, int, int]]:
    entries = ((path, path.lstat()) for path in folder.rglob("*"))
    return {(str(path.relative_to(folder)), state.st_size, state.st_mtime_ns) for path, state in entries}


@contextmanager
def bounds(seconds: float, wall: float | None = None) -> Iterator[None]:
    """Bounds of processor time, of time on the wall for what waits for ever, and of memory."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    handlers = {number: signal.signal(number, stop) for number in (signal.SIGPROF, signal.SIGALRM)}
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    statm = Path("/proc/self/statm")
    try:
        if statm.exists():
            held = int(statm.read_text("ascii").split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (held + MOST_MEMORY, hard))
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, wall or 12 * seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)  # None: another language's


def keeps_law(reader: Reader, seed: int, number: int, folder: Path) -> bool:
    """Try the input of this seed and number; True if it is accepted. An input that breaks the law stays as a file.

    It is written down before it is tried, so that one that ends the process is known too.
    """
    content = hostile(reader, seed, number)
    path = HERE / f"found-{reader.name}-{seed}-{number}.new"
    path.write_bytes(content)
    try:
        is_accepted = check_law(reader, content, folder) is None
    except Broken as broken:
        raise Broken(f"{path.name}: {broken}") from broken
    path.unlink()
    return is_accepted
