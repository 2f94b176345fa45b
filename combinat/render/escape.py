"""Escaping of untrusted text: one function for each format, applied to every text.

After it a text is that text and nothing else: no markup, no formula, no command. Whatever the format, a text
is one line, and what has no shape of its own (a control character, a bidirectional override) is shown by its
code point. The characters are listed here and not asked of Python, whose tables change with its version: a
report has the same bytes on each.

The patterns are texts, which ``re`` compiles when they are first used and keeps: most commands need few of them.
"""

import re
from urllib.parse import quote

_ENDS = "\r\n|[\t\n\x0b\x0c\r\x85\u2028\u2029]"
"""Characters that end a line or move within it."""

UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Control and format characters, halves of pairs, and what no XML can hold; as a set of a regular expression."""

_UNSEEN = f"[{UNSEEN}]"
_UNSEEN_IN_JSON = f"(?!\n)[{UNSEEN}]"

_MARKDOWN = (
    r"(?i)[\\`*_\[\]<>|~&]|(?<=/)/|(?<=www)\.|(?<=mailto):|(?<=xmpp):|@(?=[\w.-]+\.\w)|(?<![^ ])#(?=#*$)"
)
_MARKDOWN_START = r"[-+=#]|\d+[.)]"

_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Characters that begin a formula in a spreadsheet; the last four are the full-width forms."""

_LATEX = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "^": r"\^{}",
        "~": r"\textasciitilde{}",
        "|": r"\textbar{}",
        "<": r"\ensuremath{<}",
        ">": r"\ensuremath{>}",
    }
)
_LIGATURE = "-(?=-)|`(?=`)|'(?=')|,(?=,)|[?!](?=`)"
_LATEX_SPACE = r"^\s|(?<= ) |\s$"

_XML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_HTML = _XML | str.maketrans({"'": "&#x27;"})

LONGEST_XLSX = 32_767
"""Maximum length of a workbook cell, in units of UTF-16."""

LONGEST_XLSX_FOOT = 200
"""Maximum length of the text of a footer, which holds 255 letters together with its marks."""

_CUT = " ... (cut: a cell holds no more)"


def code_point(character: str) -> str:
    """Return a character that cannot be shown, by its code point.

    >>> code_point(chr(0x202E)), code_point(chr(0x1F600))
    ('[U+202E]', '[U+1F600]')
    """
    return f"[U+{ord(character):04X}]"


def visible(text: str) -> str:
    r"""Return the text on one line, and what has no shape of its own by its code point.

    >>> print(visible("two\nlines, \x1b[2J"))
    two lines, [U+001B][2J
    """
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNSEEN, lambda match: code_point(match[0]), re.sub(_ENDS, " ", text))


def for_text(text: str) -> str:
    """Return a text for a terminal, without control or direction characters."""
    return visible(text)


def for_json(written: str) -> str:
    r"""Return a JSON document for a terminal: invisible characters are escaped, with the same meaning.

    >>> print(for_json('"' + chr(0x9B) + '2J"'))
    "\u009b2J"
    """
    import json  # not every document is JSON

    return re.sub(_UNSEEN_IN_JSON, lambda match: json.dumps(match[0])[1:-1], written)


def for_markdown(text: str, *, begins_line: bool = False, is_inside: bool = False) -> str:
    r"""Return a text in Markdown, with HTML on or off; where a line begins with it, more is markup.

    Spaces at its ends, which Markdown would drop, are written as entities, unless it ``is_inside`` others. GitHub links an e-mail address
    however it is escaped; elsewhere it stays a text.

    >>> print(for_markdown("<b>x</b> | see http://x *now*"))
    \<b\>x\</b\> \| see http:/\/x \*now\*
    >>> print(for_markdown("1. one", begins_line=True), for_markdown("- two", begins_line=True))
    1\. one \- two
    """
    seen = visible(text)
    inner = seen if is_inside else seen.strip()
    before, _, after = seen.partition(inner) if inner else (seen, "", "")
    escaped = re.sub(_MARKDOWN, lambda match: "&amp;" if match[0] == "&" else f"\\{match[0]}", inner)
    start = re.match(_MARKDOWN_START, escaped) if begins_line and not before else None
    if start is not None:
        escaped = f"{escaped[: start.end() - 1]}\\{escaped[start.end() - 1 :]}"
    return f"{_entities(before)}{escaped}{_entities(after)}"


def _entities(spaces: str) -> str:
    return "".join(f"&#{ord(space)};" for space in spaces)


def for_html(text: str) -> str:
    """Return a text in HTML, as content or in a quoted attribute."""
    return visible(text).translate(_HTML)


def for_address(target: str) -> str:
    """Return the address of a file beside a document, and of a place in it; nothing in it ends a link or an attribute.

    >>> for_address("small game/report.html#tie"), for_address("a)b#c#d")
    ('small%20game/report.html#tie', 'a%29b#c%23d')
    """
    file, mark, place = target.partition("#")
    return f"{quote(file)}{mark}{quote(place, safe='=')}"


def for_svg(text: str) -> str:
    """Return a text in SVG, between tags and between quotes alike.

    >>> for_svg('<b>&"')
    '&lt;b&gt;&amp;&quot;'
    """
    return visible(text).translate(_XML)


def for_csv(text: str) -> str:
    """Return a text for a CSV cell; a text that a spreadsheet would read as a formula gets an apostrophe.

    >>> for_csv("=1+1"), for_csv("1+1")
    ("'=1+1", '1+1')
    """
    begins = text.startswith(("\t", "\r", "\n")) or text.lstrip().startswith(_FORMULA)
    return f"'{visible(text)}" if begins else visible(text)


def for_latex(text: str) -> str:
    r"""Return a text in LaTeX: its signs are signs, none join to another sign, and none is an argument.

    A row that begins with a bracket or a star would be an argument of the end of the row before.

    >>> print(for_latex("100 % of $5 -- [x]"), for_latex("[2em]"))
    100 \% of \$5 -{}- [x] {[}2em]
    """
    escaped = re.sub(_LIGATURE, r"\g<0>{}", visible(text).translate(_LATEX))
    spaced = re.sub(_LATEX_SPACE, r"{\g<0>}", escaped)
    return f"{{{spaced[0]}}}{spaced[1:]}" if spaced.startswith(("[", "*")) else spaced


def for_latex_comment(text: str) -> str:
    """Return a text in a comment of LaTeX, which ends with its line."""
    return visible(text)


def for_coq_comment(text: str) -> str:
    """Return a text in a comment of Coq, where marks of comments nest and a quotation mark begins a string.

    >>> print(for_coq_comment('the "Six" *) Axiom (*'))
    the 'Six' * ) Axiom ( *
    """
    return visible(text).replace('"', "'").replace("(*", "( *").replace("*)", "* )")


def for_xlsx(text: str) -> str:
    """Return a text as a cell of a workbook can hold it: one that is too long is cut, and says so.

    >>> for_xlsx("a" * 40_000)[-35:], len(for_xlsx("a" * 40_000))
    ('aaa ... (cut: a cell holds no more)', 32767)
    """
    units = visible(text).encode("utf-16-le")
    if len(units) <= 2 * LONGEST_XLSX:
        return visible(text)
    return units[: 2 * (LONGEST_XLSX - len(_CUT))].decode("utf-16-le", "ignore") + _CUT


def for_xlsx_foot(text: str) -> str:
    """Return a text at the foot of a sheet, after a size: no sign in it is a command, no digit part of the size.

    >>> for_xlsx_foot("P&L"), for_xlsx_foot("7 up")
    ('P&&L', ' 7 up')
    """
    seen = visible(text)
    written = seen.replace("&", "&&")
    length = len(seen)
    while len(written.encode("utf-16-le")) > 2 * LONGEST_XLSX_FOOT:
        length -= 1
        written = seen[:length].replace("&", "&&") + "..."
    written = written.replace("&[", "&&8[")  # else the library would take it for a picture
    return f" {written}" if seen[:1].isdecimal() else written
