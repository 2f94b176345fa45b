"""Texts in a file from a stranger: one line of visible characters, not too long, in Unicode form NFC."""

import re

from combinat.base.errors import shortened
from combinat.rules import bounds

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
    import unicodedata  # only a text that does not print needs it

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
        return f"found {character}, which does not show in a text of one line; take it out"
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
