"""The letters that a PDF can show: those that typst's own fonts have, found by asking typst.

A document for the archive must show every letter of it, so one letter without a shape refuses the whole
document. What cannot be shown is known before it is set, and stands there by its code point.
"""

import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from combinat.render.escape import code_point

LATIN = "\xff"
"""The last of the letters that need no asking."""

MOST_QUESTIONS = 500
"""How often typst is asked, at 15 milliseconds each; what is not known by then is shown by its code point."""

ARCHIVE: Final = "a-2a"
ACCESSIBLE: Final = "ua-1"
"""The kinds of PDF/A and of PDF/UA."""

_PROBE = """
#set text(font: "Libertinus Serif", lang: "en")
#par("{letters}")
#strong("{letters}")
#image("probe.svg")
"""
_PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="20" '
    "font-family=\"Helvetica, Arial, 'Libertinus Serif', sans-serif\"><text>{letters}</text>"
    '<text font-weight="bold">{letters}</text></svg>'
)


def stand_ins(text: str) -> Mapping[int, str]:
    """The letters of a text that cannot be shown, each with what stands for it; for ``str.translate``."""
    asked = sorted({letter for letter in text if letter > LATIN})
    return {ord(letter): code_point(letter) for letter in _without_shape("".join(asked))}


def every_stand_in(text: str) -> Mapping[int, str]:
    """Every letter of a text beyond the plain ones, with what stands for it."""
    return {ord(letter): code_point(letter) for letter in text if letter > LATIN}


@lru_cache(maxsize=16)
def _without_shape(letters: str) -> str:
    """Those of the letters that cannot be shown: all of a part that can be shown are known at once."""
    questions = 0
    unshown: list[str] = []
    parts = [letters] if letters else []
    while parts:
        part = parts.pop()
        questions += 1
        if questions > MOST_QUESTIONS:
            unshown.append(part)
        elif not _is_shown(part):
            if len(part) == 1:
                unshown.append(part)
            else:
                middle = len(part) // 2
                parts += [part[middle:], part[:middle]]
    return "".join(unshown)


@lru_cache(maxsize=4096)
def _is_shown(letters: str) -> bool:
    import typst

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.typ"
        apart = "".join(f"x{letter} " for letter in letters)  # a mark stands on a letter
        (source.parent / "probe.svg").write_text(_PICTURE.format(letters=apart), encoding="utf-8")
        source.write_text(_PROBE.format(letters=apart), encoding="utf-8")
        try:
            typst.compile(
                str(source), root=folder, ignore_system_fonts=True, format="pdf", pdf_standards=["a-2b"]
            )
        except typst.TypstError:
            return False
    return True
