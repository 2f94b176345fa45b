"""The paper sizes of printed documents."""

from enum import StrEnum


class Paper(StrEnum):
    """A paper size, by its common name."""

    A4 = "a4"
    LETTER = "letter"
