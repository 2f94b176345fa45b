"""Phrases and cells in HTML: every text escaped, every link and reference one that can be followed."""

from combinat.base.kinds import TEXT, Kind
from combinat.render.blocks import Cell, Figure, Link, Reference, Words, in_words
from combinat.render.escape import for_address, for_html


def words_html(words: Words | Cell, kind: Kind = TEXT) -> str:
    """A phrase or a cell."""
    if isinstance(words, tuple | list) and has_link(words):
        return "".join(_part(part) for part in words)
    return for_html(in_words(words, kind))


def has_link(words: Words | Cell) -> bool:
    """Whether something in a phrase can be followed."""
    return isinstance(words, tuple | list) and any(isinstance(part, Link | Reference) for part in words)


def caption_html(label: str, caption: Words) -> str:
    """A caption after its label."""
    return f"<b>{for_html(label)}.</b> {words_html(caption)}" if label else words_html(caption)


def _part(part: str | Figure | Link | Reference) -> str:
    match part:
        case Reference(to, name):
            return f'<a href="#{for_html(to)}">{for_html(name)}</a>'
        case Link(name, target):
            return f'<a href="{for_address(target)}">{for_html(name)}</a>'
        case _:
            return for_html(in_words(part))
