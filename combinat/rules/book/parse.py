"""TOML from a stranger: its bounds are checked before the parser sees it. And the line of every key in it.

The marks, brackets and dots outside texts and comments are counted first, in one pass, so that the parser never gets a
text that is expensive to parse. The count stops at the first thing that is not TOML; the parser stops there or earlier.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

from combinat.base.errors import shortened
from combinat.rules import bounds

_TOKEN = re.compile(
    r"""
      (?P<space> (?: [ \t\r\n]++ | \#[^\n]*+ )++ )
    | (?P<lines> \"{3} | '{3} )
    | (?P<text> "(?: [^"\\\n]++ | \\[^\n] )*+" | '[^'\n]*' )
    | (?P<mark> [\[\]{}=.,] )
    | (?P<word> [^\s"'\#\[\]{}=.,]+ )
    """,
    re.VERBOSE,
)


def parsed_toml(text: str) -> dict[str, Any]:
    """The data of a TOML text within the bounds. Raises ``ValueError`` with the line where it is not."""
    if text.startswith("\ufeff"):
        raise ValueError("line 1: found a byte order mark (BOM); save the file as UTF-8 without one")
    if not is_plainly_built(text):
        _check_build(text)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise ValueError(shortened(str(error), 200)) from None


_TEXT_OR_COMMENT = r""" "(?: [^"\\\n]++ | \\[^\n] )*+" | '[^'\n]*+' | \#[^\n]*+ """
_LONG_WORD = rf"[^\s\[\]{{}}=.,]{{{bounds.WORD + 1}}}"


def is_plainly_built(text: str) -> bool:
    """Whether a text is within the bounds at a glance: then its tokens need not be counted one by one.

    Without its texts and comments, brackets that can be taken out in pairs, layer by layer, are nowhere deeper than
    there are layers. A text that is no TOML may look otherwise from its fault on, and there the parser stops.
    """
    if sum(map(text.count, "[{=.,")) > bounds.MARKS or '"""' in text or "'''" in text:
        return False
    bare = re.sub(_TEXT_OR_COMMENT, "", text, flags=re.VERBOSE)
    if re.search(_LONG_WORD, bare) or any(line.count(".") >= bounds.PARTS for line in bare.splitlines()):
        return False
    brackets = re.sub(r"[^\[\]{}]++", "", bare)
    for _ in range(bounds.DEPTH // 2):  # each takes out two layers at most
        brackets = brackets.replace("[]", "").replace("{}", "")
    return not brackets


def _check_build(text: str) -> None:
    """Refuse more marks, deeper brackets, longer words or keys of more parts than any rule book needs."""
    marks = depth = dots = 0
    for token in toml_tokens(text):
        kind, part = token.lastgroup, token[0]
        if kind == "mark":
            dots = dots + 1 if part == "." else 0
            marks += part not in "]}"
            depth += (part in "[{") - (part in "]}")
        elif kind == "space":
            dots = 0 if "\n" in part else dots
        elif kind == "word" and len(part) > bounds.WORD:
            _refuse(text, token, f"a number or bare key of {len(part)} characters", f"{bounds.WORD}")
        elif kind == "lines":
            line = _line(text, token)
            raise ValueError(f"line {line}: found {part}; write each text on one line, in quotes")
        if dots >= bounds.PARTS:
            _refuse(text, token, f"a key of more than {bounds.PARTS} parts", f"{bounds.PARTS}")
        if depth > bounds.DEPTH:
            _refuse(text, token, "brackets within brackets", f"{bounds.DEPTH} deep")
        if marks > bounds.MARKS:
            _refuse(
                text,
                token,
                "very many keys, tables and list entries",
                f"{bounds.MARKS} of them in a rule book",
            )


def toml_tokens(text: str) -> Iterator["re.Match[str]"]:
    """What the text is made of, up to its end or to what is no TOML."""
    at = 0
    for token in _TOKEN.finditer(text):
        if token.start() != at:
            return
        at = token.end()
        yield token


def _line(text: str, token: "re.Match[str]") -> int:
    return text.count("\n", 0, token.start()) + 1


def _refuse(text: str, token: "re.Match[str]", what: str, most: str) -> None:
    raise ValueError(f"line {_line(text, token)}: found {what}; write at most {most}")


# ---------------------------------------------------------------- the line of every key

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
