"""Tags: the whole number that a counter adds for a card of each rank as it is seen."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from combinat.base.errors import InputError, named
from combinat.rules.bounds import TAG
from combinat.rules.cards import RANKS, Rank, parse_by_rank

_TAG = r"[+-]?[0-9]{1,9}"


@dataclass(frozen=True, slots=True)
class Tags:
    """A whole number for each rank, in the order of ``RANKS``. They never change.

    >>> Tags.parse("4=-1 5=-1 6=-1 7=-1 8=2 9=+2").is_balanced
    True
    """

    EXPECTED: ClassVar[str] = 'tags, such as "4=-1 8=2"'

    values: tuple[int, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.values, tuple) or len(self.values) != len(RANKS):
            raise InputError(f"tags are a tuple of {len(RANKS)} whole numbers, A to K; found {self.values!r}")
        for rank, tag in zip(RANKS, self.values, strict=True):
            if not isinstance(tag, int) or isinstance(tag, bool):
                raise InputError(f"the tag of {rank} must be a whole number; found {tag!r}", parameter="tags")
            if abs(tag) > TAG:
                raise InputError(
                    f"the tag of {rank} must be from -{TAG} to {TAG}; found {tag}", parameter="tags"
                )

    @classmethod
    def parse(cls, text: object) -> "Tags":
        """The tags written as ``"A=0 4=-1 ... K=0"``; ranks not named have the tag 0.

        >>> Tags.parse("6=-3 7=1 8=1 9=1").values
        (0, 0, 0, 0, 0, -3, 1, 1, 1, 0, 0, 0, 0)
        """
        if not isinstance(text, str):
            raise InputError(f"found {text!r}; write text in quotes", parameter="tags")
        with named("tags"):
            tags = parse_by_rank(text, _TAG, "8=-2")
        if not tags:
            raise InputError(
                'no rank is named; write a tag for some ranks, such as "4=-1 8=2"', parameter="tags"
            )
        return cls(tuple(tags.get(rank, 0) for rank in RANKS))

    @property
    def is_balanced(self) -> bool:
        """Whether the tags of a whole deck add up to 0."""
        return sum(self.values) == 0

    def __getitem__(self, rank: Rank) -> int:
        return self.values[RANKS.index(rank)]

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __str__(self) -> str:
        return " ".join(f"{rank}={tag}" for rank, tag in zip(RANKS, self.values, strict=True))
