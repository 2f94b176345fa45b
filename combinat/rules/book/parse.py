"""TOML from a stranger: its bounds are checked before the parser sees it.

The marks, brackets and dots outside texts and comments are counted first, in one pass, so that the parser never gets a
text that is expensive to parse. The count stops at the first thing that is not TOML; the parser stops there or earlier.
"""

import re
import tomllib
from collections.abc import Iterator
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
