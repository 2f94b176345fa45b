"""What a stranger wrote, made harmless: one function for each format, and every text goes through it.

After it a text is that text and nothing else: no markup, no formula, no command.
"""

import html
import json
import re

_MARKDOWN = re.compile(r"[\\`*_\[\]<>|~]|://|(?<=www)\.|@(?=[\w.-]+\.\w)", re.IGNORECASE)
_MARKDOWN_START = re.compile(r"^(\s*)([-+=#]|\d+(?=[.)]))")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def one_line(text: str) -> str:
    """The text on one line: what ends a line is a space."""
    return " ".join(text.splitlines()) if len(text.splitlines()) > 1 else text.strip("\r\n")


def for_markdown(text: str) -> str:
    r"""A text in Markdown, with HTML on or off.

    >>> print(for_markdown("<b>x</b> | see http://x *now*"))
    \<b\>x\</b\> \| see http\://x \*now\*
    """
    return _MARKDOWN.sub(lambda match: f"\\{match[0]}", one_line(text).replace("&", "&amp;"))


def for_markdown_line(text: str) -> str:
    r"""A text at the beginning of a line of Markdown, where more is markup.

    >>> print(for_markdown_line("1. one"), for_markdown_line("- two"))
    1\. one \- two
    """
    escaped = for_markdown(text)
    start = _MARKDOWN_START.match(escaped)
    if start is None:
        return escaped
    spaces, mark = start[1], start[2]
    rest = escaped[start.end() :]
    return f"{spaces}\\{mark}{rest}" if not mark.isdigit() else f"{spaces}{mark}\\{rest}"


def for_html(text: str) -> str:
    """A text in HTML or XML, as content or in a quoted attribute."""
    return html.escape(text, quote=True)


def for_csv(text: str) -> str:
    """A text in a cell of CSV: one that a spreadsheet would take for a formula stands behind an apostrophe."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def for_typst(text: str) -> str:
    """A text as a string of typst, in quotes."""
    return json.dumps(text, ensure_ascii=False)


def for_latex_comment(text: str) -> str:
    """A text in a comment of LaTeX, which ends with its line."""
    return one_line(text)
