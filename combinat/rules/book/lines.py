"""The line of every dotted key of a TOML text, which has been parsed before, within the bounds."""

import re
from collections.abc import Callable, Iterator

from combinat.rules.book.parse import toml_tokens

Token = tuple[str, str, int]
"""Its sort, its text, its line."""


def key_lines(text: str) -> dict[str, int]:
    r"""The line on which each key of a TOML text stands, by dotted key; entries of lists by their number.

    >>> key_lines('schema = 1\n[[bets]]\nid = "a"\npays = [{ margin = 4 }]')["bets[0].pays[0].margin"]
    4
    """
    keys = _Keys(list(_tokens(text)))
    keys.read()
    return keys.lines


def line_of(key: str, lines: dict[str, int]) -> int | None:
    """The line of a dotted key, or of the nearest key that it stands under; or None."""
    while key:
        if key in lines:
            return lines[key]
        key = re.sub(r"(\.[^.\[\]]*|\[\d+\]|^[^.\[\]]+)$", "", key)
    return None


def _tokens(text: str) -> Iterator[Token]:
    line = 1
    for token in toml_tokens(text):
        kind, part = token.lastgroup or "", token[0]
        if kind != "space":
            yield kind, part, line
        elif "\n" in part:
            yield "line", "", line
        line += part.count("\n")
    yield "line", "", line


class _Keys:
    """The keys of a row of tokens, followed from the first to the last."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.lines: dict[str, int] = {}
        self.counts: dict[str, int] = {}

    def read(self) -> None:
        """Follow every statement."""
        table = ""
        while self.at < len(self.tokens):
            kind, part, line = self.tokens[self.at]
            if kind == "line":
                self.at += 1
            elif part == "[":
                table = self._heading()
                self.lines.setdefault(table, line)
            else:
                self._entry(table)

    def _heading(self) -> str:
        """The table that a heading opens: ``[name]``, or the next of ``[[name]]``."""
        is_list = self.tokens[self.at + 1][1] == "["
        self.at += 1 + is_list
        parts = self._parts("]")
        self.at += is_list
        path = ""
        line = self.tokens[self.at - 1][2]
        for part in parts[:-1]:
            path = self._joined(path, part)
            if path in self.counts:
                path = f"{path}[{self.counts[path] - 1}]"
            self.lines.setdefault(path, line)
        path = self._joined(path, parts[-1])
        if is_list:
            self.lines.setdefault(path, line)
            self.counts[path] = self.counts.get(path, 0) + 1
            path = f"{path}[{self.counts[path] - 1}]"
        return path

    def _parts(self, end: str) -> list[str]:
        """The parts of a key, up to the mark that ends it."""
        parts = []
        while (part := self.tokens[self.at][1]) != end:
            if part != ".":
                parts.append(part.strip("\"'"))
            self.at += 1
        self.at += 1
        return parts

    def _joined(self, path: str, part: str) -> str:
        return f"{path}.{part}" if path else part

    def _entry(self, table: str) -> None:
        line = self.tokens[self.at][2]
        path = table
        for part in self._parts("="):
            path = self._joined(path, part)
            self.lines.setdefault(path, line)
        self._value(path)

    def _value(self, path: str) -> None:
        match self.tokens[self.at][1]:
            case "[":
                self._inside("]", lambda number: self._numbered(f"{path}[{number}]"))
            case "{":
                self._inside("}", lambda number: self._entry(path))
            case _:
                while self.tokens[self.at][0] != "line" and self.tokens[self.at][1] not in ("]", "}", ","):
                    self.at += 1

    def _inside(self, end: str, each: Callable[[int], None]) -> None:
        """What stands between two brackets, one after the other."""
        self.at += 1
        number = 0
        while (part := self.tokens[self.at][1]) != end:
            if self.tokens[self.at][0] == "line" or part == ",":
                self.at += 1
                continue
            each(number)
            number += 1
        self.at += 1

    def _numbered(self, path: str) -> None:
        self.lines.setdefault(path, self.tokens[self.at][2])
        self._value(path)
