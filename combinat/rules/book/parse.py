"""Untrusted TOML: bounds are checked before parsing. Also the line of every key, and checks of texts.

The marks, brackets and dots outside texts and comments are counted first, in one pass, so that the parser
never gets a text that is expensive to parse. The count stops at the first invalid token; the parser stops
there or earlier.
"""

import re
import tomllib
from collections.abc import Iterator
from itertools import islice
from typing import Any

from combinat.base.errors import shortened
from combinat.rules import bounds

_TOKEN = r"""(?x)
      (?P<space> (?: [ \t\r\n]++ | \#[^\n]*+ )++ )
    | (?P<lines> \"{3} | '{3} )
    | (?P<text> "(?: [^"\\\n]++ | \\[^\n] )*+" | '[^'\n]*' )
    | (?P<mark> [\[\]{}=.,] )
    | (?P<word> [^\s"'\#\[\]{}=.,]+ )
    """


def parsed_toml(text: str, *, is_checked: bool = False) -> dict[str, Any]:
    """Return the data of a TOML text; raise ``ValueError`` with a line if it exceeds the bounds or is not TOML.

    ``is_checked``: the text is known to be within the bounds.
    """
    if text.startswith("\ufeff"):
        raise ValueError("line 1: found a byte order mark (BOM); save the file as UTF-8 without one")
    if not is_checked:
        _check_build(text)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise ValueError(shortened(str(error), 200)) from None


def _check_build(text: str) -> None:
    """Refuse more marks, deeper brackets, longer words or keys of more parts than any rule book needs."""
    marks = depth = dots = 0
    for token in islice(toml_tokens(text), 10 * bounds.MARKS):  # TOML has a mark among ten tokens
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
    """Yield the tokens of the text, up to its end or to the first invalid token."""
    at = 0
    for token in re.finditer(_TOKEN, text):
        if token.start() != at:
            return
        at = token.end()
        yield token


def _line(text: str, token: "re.Match[str]") -> int:
    return text.count("\n", 0, token.start()) + 1


def _refuse(text: str, token: "re.Match[str]", what: str, most: str) -> None:
    raise ValueError(f"line {_line(text, token)}: found {what}; write at most {most}")


# ---------------------------------------------------------------- the line of every key


def key_lines(text: str) -> dict[str, int]:
    r"""Return the line of each key of a TOML text, by dotted key; entries of lists by their number.

    >>> key_lines('schema = 1\n[[bets]]\nid = "a"\npays = [{ margin = 4 }]')["bets[0].pays[0].margin"]
    4
    """
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    inside: list[tuple[str, int]] = []  # the open brackets: path, and number of entry, or -1 for a table
    heading: list[str] = []
    table = path = ""
    state = "key"
    for kind, part, line in _tokens(text):
        if kind == "line":
            if not inside:
                path, state = table, "key"
        elif state == "heading":
            if part == "]":
                is_list = heading[0] == "["
                table, state = _table(heading[is_list:], is_list, counts, lines, line), "value"
            elif part != ".":
                heading.append(part.strip("\"'"))
        elif part in ("]", "}"):
            if inside:
                inside.pop()
            state = "value"
        elif part == ",":
            path, number = inside[-1]
            if number < 0:
                state = "key"
            else:
                inside[-1] = (path, number + 1)
                path = f"{path}[{number + 1}]"
        elif state == "value":
            if inside and inside[-1][1] >= 0:
                lines.setdefault(path, line)
            if part == "[":
                inside.append((path, 0))
                path = f"{path}[0]"
            elif part == "{":
                inside.append((path, -1))
                state = "key"
        elif part == "[":
            heading, state = [], "heading"
        elif part == "=":
            state = "value"
        elif part != ".":
            path = _joined(path, part.strip("\"'"))
            lines.setdefault(path, line)
    return lines


def _table(
    heading: list[str], is_list: bool, counts: dict[str, int], lines: dict[str, int], line: int
) -> str:
    """Return the path of the table that a heading opens: ``[name]``, or the next of ``[[name]]``."""
    path = ""
    for number, part in enumerate(heading, start=1):
        path = _joined(path, part)
        lines.setdefault(path, line)
        if is_list and number == len(heading):
            counts[path] = counts.get(path, 0) + 1
        if path in counts:
            path = f"{path}[{counts[path] - 1}]"
            lines.setdefault(path, line)
    return path


def _joined(path: str, part: str) -> str:
    return f"{path}.{part}" if path else part


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the kind, the text and the line of each token; a token of kind ``line`` at each end of a line."""
    line = 1
    for token in toml_tokens(text):
        kind, part = token.lastgroup or "", token[0]
        if kind != "space":
            yield kind, part, line
        elif "\n" in part:
            yield "line", "", line
        line += part.count("\n")


def line_of(key: str, lines: dict[str, int]) -> int | None:
    """Return the line of a dotted key, or of the nearest key above it, or None."""
    while key:
        if key in lines:
            return lines[key]
        key = re.sub(r"(\.[^.\[\]]*|\[\d+\]|^[^.\[\]]+)$", "", key)
    return None


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
