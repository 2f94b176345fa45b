"""TOML from a stranger: looked over before the parser sees it, and its values held to the bounds.

The parser is never given a text that could cost it much: the marks, brackets and dots outside texts and
comments are counted first, in one pass. The count goes along with the parser as far as the parser comes:
where it stops, at something that is no TOML, the parser stops too, or has stopped before.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from combinat.errors import RuleBookError, shortened
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
    """The table that a TOML text of a bounded build states; ``ValueError``: it is none, with its line."""
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


# ---------------------------------------------------------------- the values

_LAYOUT = str.maketrans("\t\r\n", "   ")
"""What lays out a file, beside spaces."""


def check_values(raw: dict[str, Any], text: str) -> None:
    """Refuse a list or a text that is too long, and a character that does not show, by its dotted key.

    A text is one line of characters that show, in the Unicode form NFC, so that what looks the same is the
    same; what shows depends on the Unicode version of Python. Comments are read by people too.
    """
    lines, recounts = 0, set[str]()
    for key, name, value in _values("", "", raw):
        if name in ("void_bets", "banker_draws_against_natural"):
            recounts.add(key.removesuffix(f".{name}"))
        if isinstance(value, list):
            most = bounds.LISTS.get(name, max(bounds.LISTS.values()))
            if len(value) > most:
                raise RuleBookError(f"{key}: found {len(value)} entries; write at most {most}")
            lines += len(value) if name == "pays" else 0
        elif isinstance(value, str):
            _check_text(key, name, value)
    if lines > bounds.LINES:
        raise RuleBookError(
            f"pays: found {lines} lines in all pay tables together; write at most {bounds.LINES}"
        )
    if len(recounts) > bounds.RECOUNTS:
        raise RuleBookError(
            f"interpretations: found {len(recounts)} with void_bets or banker_draws_against_natural; write at most "
            f"{bounds.RECOUNTS}"
        )
    if character := hidden_character(text.translate(_LAYOUT)):
        before = text[: text.index(chr(int(character[2:], 16)))]
        line = before.count("\n") + 1
        raise RuleBookError(f"line {line}: found {character}, which does not show; take it out")


def _values(key: str, name: str, value: Any) -> Iterator[tuple[str, str, Any]]:
    """Every value with its dotted key and the last name in it; a key of the file's own making is checked first."""
    yield key, name, value
    if isinstance(value, list):
        for number, entry in enumerate(value):
            yield from _values(f"{key}[{number}]", name, entry)
    elif isinstance(value, dict):
        for inner, entry in value.items():
            if character := hidden_character(inner):
                raise RuleBookError(
                    f"{key or 'the file'}: found {character} in a key, which does not show; take it out"
                )
            below = shortened(inner)
            yield from _values(f"{key}.{below}" if key else below, inner, entry)


def _check_text(key: str, name: str, text: str) -> None:
    most = bounds.LENGTHS.get(name, bounds.NAME)
    if character := hidden_character(text):
        raise RuleBookError(
            f"{key}: found {character}, which does not show in a text of one line; take it out"
        )
    if len(text) > most:
        raise RuleBookError(
            f'{key}: found {len(text)} characters, "{shortened(text, 40)}"; write at most {most}'
        )
    if text != text.strip():
        raise RuleBookError(f'{key}: found "{shortened(text)}"; write it without spaces before or after it')
    if is_overloaded(text):
        raise RuleBookError(
            f"{key}: found more than {_STACKED} marks on one letter; write letters that can be read"
        )
    if not text.isascii():
        import unicodedata  # only other alphabets need it

        if not unicodedata.is_normalized("NFC", text):
            raise RuleBookError(
                f'{key}: found "{shortened(text)}" in parts (Unicode NFD); '
                "write accented letters as one character (NFC)"
            )


_SHAPELESS = (
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that print nothing."""

_STACKED = 4
"""How many marks may stand on one letter."""


def hidden_character(text: str) -> str | None:
    r"""The first character that does not show, as ``U+202E``: control, format, private, unassigned; None: all show.

    Beside those, the letters that have no shape: fillers, blanks, variation selectors.

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
    import unicodedata  # only what does not print needs it

    hidden = (one for one in text if not one.isprintable() and unicodedata.category(one) != "Zs")
    first = next(hidden, None)
    return f"U+{ord(first):04X}" if first else None


def is_overloaded(text: str) -> bool:
    """Whether more marks stand on a letter than any language writes."""
    if text.isascii():
        return False
    import unicodedata  # only other alphabets need it

    marks = "".join("m" if unicodedata.combining(one) else "." for one in text)
    return "m" * (_STACKED + 1) in marks
