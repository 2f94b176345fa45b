"""The sizes of paper that a document is printed on."""

from enum import StrEnum


class Paper(StrEnum):
    """A size of paper, by the name that people give it."""

    A4 = "a4"
    LETTER = "letter"
