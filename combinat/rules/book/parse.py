"""Untrusted TOML: bounds are checked before parsing. Also the line of every key, and checks of texts.

The marks, brackets and dots outside texts and comments are counted first, so that the parser never gets a text
that is expensive to parse. In an invalid text the counts may be wrong after the first invalid token; the parser
stops there or earlier.
"""

import re
import tomllib
from collections.abc import Iterator
from itertools import islice
from typing import Any

from combinat.base.errors import InputError, shortened
from combinat.rules import bounds

NEWLINE = "\n"

_BARE = r"[^\s\"'\#\[\]{}=.,]"
"""A character of a number, or of a key without quotes."""

_TOKEN = rf"""(?x)
      (?P<space> (?: [ \t\r\n]++ | \#[^\n]*+ )++ )
    | "(?: [^"\\\n]++ | \\[^\n] )*+" | '[^'\n]*' | [\[\]{{}}=.,] | {_BARE}+
    """


def parsed_toml(text: str, *, is_checked: bool = False) -> dict[str, Any]:
    """Return the data of a TOML text; refuse it, with a line, if it exceeds the bounds or is not TOML.

    ``is_checked``: the text is known to be within the bounds.
    """
    if text.startswith("\ufeff"):
        raise InputError("line 1: found a byte order mark (BOM); save the file as UTF-8 without one")
    if not is_checked:
        _check_build(text)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise InputError(shortened(str(error), 200)) from None


_SKIPPED = r"""("{3}|'{3}) | "(?:[^"\\\n]|\\[^\n])*+" | '[^'\n]*+' | \#[^\n]*+"""
"""Three quotation marks; or a text of one line, or a comment."""


def _check_build(text: str) -> None:
    """Refuse more marks, deeper brackets, longer words or keys of more parts than any rule book needs."""
    bare = re.sub(_SKIPPED, lambda skipped: skipped[1] or '"', text, flags=re.VERBOSE)
    for quotes in ('"""', "'''"):
        if quotes in bare:
            _refuse(bare, bare.index(quotes), quotes, "each text on one line, in quotes")
    if word := re.search(rf"(?<!{_BARE})(?:{_BARE}){{{bounds.WORD + 1},}}+", bare):
        _refuse(
            bare, word.start(), f"a number or bare key of {len(word[0])} characters", f"at most {bounds.WORD}"
        )
    if key := re.search(rf"(?:\.[^.\n\[\]{{}}=,]*+){{{bounds.PARTS}}}", bare):
        _refuse(bare, key.start(), f"a key of more than {bounds.PARTS} parts", f"at most {bounds.PARTS}")
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", bare):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > bounds.DEPTH:
            _refuse(bare, bracket.start(), "brackets within brackets", f"at most {bounds.DEPTH} deep")
    if sum(map(bare.count, "[{=.,")) > bounds.MARKS:
        too_many = next(islice(re.finditer(r"[\[{=.,]", bare), bounds.MARKS, None))
        _refuse(
            bare,
            too_many.start(),
            "very many keys, tables and list entries",
            f"at most {bounds.MARKS} of them in a rule book",
        )


def _refuse(text: str, place: int, what: str, write: str) -> None:
    raise InputError(f"line {text.count(NEWLINE, 0, place) + 1}: found {what}; write {write}")


def comments(text: str) -> Iterator["re.Match[str]"]:
    """Yield each comment of a text."""
    return (skipped for skipped in re.finditer(_SKIPPED, text, re.VERBOSE) if skipped[0][0] == "#")


# ---------------------------------------------------------------- the line of every key


class KeyLines:
    r"""The line of each key of a TOML text, by dotted key; entries of lists by their number.

    >>> KeyLines('schema = 1\n[[bets]]\nid = "a"\npays = [{ margin = 4 }]').lines["bets[0].pays[0].margin"]
    4
    """

    def __init__(self, text: str) -> None:
        self.lines: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        self._tokens = _tokens(text)
        table = ""
        for part, line in self._tokens:
            if part == "[":
                table = self._heading(line)
            elif part != NEWLINE:
                self._key(table, part, line)

    def of(self, key: str) -> int | None:
        """Return the line of a dotted key, or of the nearest key above it, or None."""
        while key and key not in self.lines:
            key = re.sub(r"(\.[^.\[\]]*|\[\d+\]|^[^.\[\]]+)$", "", key)
        return self.lines.get(key)

    def _note(self, path: str, part: str, line: int) -> str:
        name = part.strip("\"'")
        path = f"{path}.{name}" if path else name
        self.lines.setdefault(path, line)
        return path

    def _heading(self, line: int) -> str:
        """Return the path of the table that a heading opens: ``[name]``, or the next of ``[[name]]``."""
        parts = [part for part, _ in iter(self._tokens.__next__, (NEWLINE, line))]
        path, is_list = "", parts[0] == "["
        names = [part for part in parts if part not in ("[", "]", ".")]
        for number, name in enumerate(names, start=1):
            path = self._note(path, name, line)
            if is_list and number == len(names):
                self._counts[path] = self._counts.get(path, 0) + 1
            if path in self._counts:
                path = f"{path}[{self._counts[path] - 1}]"
                self.lines.setdefault(path, line)
        return path

    def _key(self, path: str, part: str, line: int) -> str:
        """Note a key and those in its value; return the mark after it."""
        while part != "=":
            path = path if part == "." else self._note(path, part, line)
            part, line = next(self._tokens)
        return self._value(path, *next(self._tokens))

    def _value(self, path: str, part: str, line: int) -> str:
        """Note the keys and entries in a value; return the mark after it."""
        if part not in ("[", "{"):
            return next(mark for mark, _ in self._tokens if mark in (",", "]", "}", NEWLINE))
        is_list, number = part == "[", 0
        part, line = next(self._tokens)
        while part not in ("]", "}"):
            place = f"{path}[{number}]" if is_list else path
            self.lines.setdefault(place, line)
            part = (self._value if is_list else self._key)(place, part, line)
            if part == ",":
                part, line = next(self._tokens)
            number += 1
        return next(self._tokens)[0]


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Yield each token of a valid TOML text with its line; outside brackets, each end of a line too."""
    line, depth = 1, 0
    for token in re.finditer(_TOKEN, f"{text}\n"):
        part = token[0]
        if token.lastgroup != "space":
            depth += (part in "[{") - (part in "]}")
            yield part, line
        elif NEWLINE in part and not depth:
            yield NEWLINE, line
        line += part.count(NEWLINE)


# ---------------------------------------------------------------- texts: one line of visible characters, not too long, in Unicode form NFC

_SHAPELESS = (
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that print nothing."""

_STACKED = 4
"""The most combining marks on one letter."""


def hidden_character(text: str) -> str | None:
    r"""The first character that does not show, as ``U+202E``, or None.

    Hidden are control, format, private and unassigned characters, and letters without a shape: fillers, blanks,
    variation selectors. The Unicode version is Python's.

    >>> hidden_character("Big\u202eTiger"), hidden_character("Big Tiger"), hidden_character("a\tb")
    ('U+202E', None, 'U+0009')
    >>> hidden_character("Tiger\ufe0f"), hidden_character("\u3164")
    ('U+FE0F', 'U+3164')
    """
    if text.isascii() and text.isprintable():
        return None
    if shapeless := re.search(_SHAPELESS, text):
        return f"U+{ord(shapeless[0]):04X}"
    if text.isprintable():
        return None
    import unicodedata  # imported here: only a text that is not printable needs it

    hidden = (one for one in text if not one.isprintable() and unicodedata.category(one) != "Zs")
    first = next(hidden, None)
    return f"U+{ord(first):04X}" if first else None


def has_stacked_marks(text: str) -> bool:
    """Whether a letter carries more combining marks than any language writes."""
    if text.isascii():
        return False
    import unicodedata  # only other alphabets need it

    marks = "".join("m" if unicodedata.combining(one) else "." for one in text)
    return "m" * (_STACKED + 1) in marks


def text_mistake(name: str, text: str) -> str:
    """Return the mistake in a text under a key of this name, or the empty text.

    >>> text_mistake("name", " Tiger")
    'found " Tiger"; write it without spaces before or after it'
    """
    most = bounds.LENGTHS.get(name, bounds.NAME)
    if text.isascii() and text.isprintable() and len(text) <= most and text == text.strip():
        return ""
    if character := hidden_character(text):
        return f"found {character}, which is not printable in a text of one line; remove it"
    if len(text) > most:
        return f'found {len(text)} characters, "{shortened(text, 40)}"; write at most {most}'
    if text != text.strip():
        return f'found "{shortened(text)}"; write it without spaces before or after it'
    if has_stacked_marks(text):
        return f"found more than {_STACKED} marks on one letter; write letters that can be read"
    if not text.isascii():
        import unicodedata  # only other alphabets need it

        if not unicodedata.is_normalized("NFC", text):
            return (
                f'found "{shortened(text)}" in parts (Unicode NFD); '
                "write accented letters as one character (NFC)"
            )
    return ""
