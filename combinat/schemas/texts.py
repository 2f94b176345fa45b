"""The words and exact numbers of JSON: what each text looks like."""

from dataclasses import dataclass
from typing import Annotated, Literal


@dataclass(frozen=True, slots=True)
class Named:
    """A text that many documents have: what it is called, what it means, and its pattern."""

    name: str
    about: str
    pattern: str


_WHOLE = "0|-?[1-9][0-9]*"

Exact = Annotated[
    str,
    Named(
        "exact",
        'A number, exact: a fraction in lowest terms, such as "-43/415"; a whole number has no slash.',
        rf"^({_WHOLE}|-?[1-9][0-9]*/([2-9]|[1-9][0-9]+))$",
    ),
]
Integer = Annotated[str, Named("integer", "A whole number of any size, as text.", rf"^({_WHOLE})$")]
Count = Annotated[
    str, Named("count", "A whole number of any size from 0 on, as text: ways.", "^(0|[1-9][0-9]*)$")
]
Rounded = Annotated[
    str,
    Named("rounded", "A number that is no fraction, such as a root, rounded once.", r"^-?[0-9]+\.[0-9]+$"),
]
OddsText = Annotated[
    str,
    Named(
        "odds",
        'The profit to a stake, such as "50 to 1", "0.95 to 1" or "1 to 1 less 5%"; or "push" or "lose".',
        r"^(push|lose|[0-9]+(\.[0-9]+)? to [0-9]+(\.[0-9]+)?( less [0-9]+(\.[0-9]+)?%)?)$",
    ),
]
Share = Annotated[str, Named("share", 'A share, such as "25%".', r"^[0-9]+(\.[0-9]+)?%$")]
Hash = Annotated[str, Named("sha256", "A SHA-256: 64 hexadecimal digits.", "^[0-9a-f]{64}$")]
Date = Annotated[str, Named("date", "A day, such as 2025-08-08.", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
Version = Annotated[str, Named("version", "A version of a program.", "^[0-9A-Za-z.+!-]{1,40}$")]
Words = Annotated[str, Named("words", "A text for people; it says something.", r"\S")]
Id = Annotated[str, Named("id", "The id of a game, a bet, a layout or an entry.", r"^\S(.*\S)?$")]

RankText = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
