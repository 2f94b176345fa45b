"""Records as tables: rows of exact values, frames, a table in a notebook.

A record names the relation of its rows (``RELATION``) and their records (``records``); the rest is here. A registered
``Presenter`` draws records in notebooks, and knows the rows of an ``Answer``, so that this package depends on no record.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, SupportsIndex, TypeVar, overload

from combinat.base.errors import (
    CombinatError,
    InputError,
    MissingLibraryError,
    in_words,
    near_hint,
    shortened,
)
from combinat.base.number import Root, percent
from combinat.base.relation import Exact, Relation

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars

    Floats = npt.NDArray[np.float64]


class Presenter(Protocol):
    """What shows records to people: the module ``combinat.report.notebook``."""

    def html(self, record: object) -> str:
        """Return the notebook view of a record."""
        ...

    def rows(self, answer: "Answer") -> list[dict[str, Exact]]:
        """Return the rows of an ``Answer``."""
        ...

    def title(self, answer: "Answer") -> str:
        """Return the title of the document of an ``Answer``."""
        ...


_presenter: list[Callable[[], Presenter]] = []

INT64 = 2**63
"""Whole numbers from here on are text in a frame, whose columns hold no larger ones."""

AT_ONCE = 2**14
"""Rows that are divided at once, as Python's own integers."""


def present_with(presenter: Callable[[], Presenter]) -> None:
    """Show records by the presenter that this function imports and returns."""
    _presenter[:] = [presenter]


class Tabular:
    """A record that can be shown as a table."""

    __slots__ = ()

    RELATION: ClassVar[Relation[Any]]
    """The names of the fields of its rows."""

    def records(self) -> Iterable[Any]:
        """The records of its rows. Default: itself."""
        return (self,)

    def to_dicts(self) -> list[dict[str, Exact]]:
        """Its rows, all values exact: whole numbers, Fractions, Roots, text, or None."""
        return self.RELATION.rows(self.records())

    def head(self, most: int) -> list[dict[str, Exact]]:
        """The first ``most`` rows."""
        return self.to_dicts()[:most]

    def to_polars(self) -> "polars.DataFrame":
        """Its rows as a polars frame: every Fraction as exact text, and beside it ``..._float``, a Float64."""
        frame: polars.DataFrame = frame_of("polars", columns(self.to_dicts()))
        return frame

    def to_pandas(self) -> Any:
        """Its rows as a pandas frame: every Fraction as exact text, and beside it ``..._float``, a float64."""
        return frame_of("pandas", columns(self.to_dicts()))

    def _repr_html_(self) -> str | None:
        """Return the HTML for a notebook, or None to show the ``repr`` if no presenter is registered."""
        return _presenter[0]().html(self) if _presenter else None


class Answer(Tabular):
    """A record whose title is that of its document, and whose rows are those of its CSV table."""

    __slots__ = ()

    def __repr__(self) -> str:
        title = f": {shortened(_presenter[0]().title(self))}" if _presenter else ""
        return f"<{type(self).__name__}{title}>"

    def to_dicts(self) -> list[dict[str, Exact]]:
        """Its rows, all values exact: whole numbers, Fractions, Roots, text, or None."""
        if not _presenter:
            raise CombinatError(
                "no presenter knows its rows; use a public name of combinat first, such as combinat.odds"
            )
        return _presenter[0]().rows(self)


FIRST = 3
"""Records that the line of several names."""


class Keyed(Protocol):
    """A record among others."""

    @property
    def key(self) -> str:
        """The id or name used for lookup."""
        ...


class KeyedRows(Keyed, Protocol):
    """A record among others that has rows."""

    def to_dicts(self) -> list[dict[str, Exact]]:
        """Its rows, all values exact."""
        ...


Record = TypeVar("Record", bound=Keyed)
RowsRecord = TypeVar("RowsRecord", bound=KeyedRows)


def record_named(records: Iterable[Record], name: str) -> Record:
    """Return the record with this name."""
    known = []
    for record in records:
        if record.key == name:
            return record
        known.append(record.key)
    raise InputError(
        f'found "{shortened(name)}"{near_hint(name, known)} There are {shortened(", ".join(known), 500)}'
    )


class Listing(Tabular, Generic[Record]):
    """A record that lists others: iterating gives them, and ``listing["tie"]`` is the record of that name."""

    __slots__ = ()

    LISTED: ClassVar[str]
    """The field that holds the records that it lists."""

    def listed(self) -> tuple[Record, ...]:
        """The records that it lists."""
        return tuple(getattr(self, self.LISTED))

    def records(self) -> Iterable[Any]:
        """The records of its rows. Default: the records that it lists."""
        return self.listed()

    def __iter__(self) -> Iterator[Record]:
        return iter(self.listed())

    def __len__(self) -> int:
        return len(self.listed())

    def __contains__(self, what: object) -> bool:
        if isinstance(what, str):
            return any(record.key == what for record in self.listed())
        return what in self.listed()

    def __getitem__(self, name: str | SupportsIndex) -> Record:
        return record_named(self.listed(), name) if isinstance(name, str) else self.listed()[name]


class Records(tuple[RowsRecord, ...], Tabular):
    """Records of one kind in order: a tuple that is also a table, with lookup by id.

    >>> from combinat import games
    >>> games()["commission-insurance-2013"].decks, "commission-insurance-2013" in games()
    ('4-8', True)
    """

    __slots__ = ()

    @overload
    def __getitem__(self, place: SupportsIndex | str) -> RowsRecord: ...
    @overload
    def __getitem__(self, place: "slice[Any, Any, Any]") -> "Records[RowsRecord]": ...
    def __getitem__(
        self, place: "SupportsIndex | str | slice[Any, Any, Any]"
    ) -> "RowsRecord | Records[RowsRecord]":
        if isinstance(place, slice):
            return Records(super().__getitem__(place))
        if not isinstance(place, str):
            if not isinstance(place, SupportsIndex):
                raise InputError(f"found {in_words(place)}; write an id as text, or a place from 0 on")
            return super().__getitem__(place)
        return record_named(self, place)

    def __contains__(self, what: object) -> bool:
        if isinstance(what, str):
            return any(record.key == what for record in self)
        return super().__contains__(what)

    def to_dicts(self) -> list[dict[str, Exact]]:
        """The rows of all records."""
        return [row for record in self for row in record.to_dicts()]

    def __repr__(self) -> str:
        if not self:
            return "<none>"
        first = ", ".join(record.key for record in self[:FIRST])
        more = f" and {len(self) - FIRST} more" if len(self) > FIRST else ""
        return f"<{len(self)} of {type(self[0]).__name__}: {first}{more}>"


def columns(rows: Sequence[dict[str, Exact]]) -> dict[str, list[Any]]:
    """Return rows as columns for a frame: Fractions as text with a float beside, very large numbers as text.

    >>> columns([{"id": "tie", "edge": Fraction(1, 8), "ways": 2**70}])
    {'id': ['tie'], 'edge': ['1/8'], 'edge_float': [0.125], 'ways': ['1180591620717411303424']}
    """
    framed: dict[str, list[Any]] = {}
    for name in rows[0] if rows else ():
        values = [row[name] for row in rows]
        if any(isinstance(value, Fraction | Root) for value in values):
            framed[name] = [None if value is None else str(value) for value in values]
            framed[f"{name}_float"] = [None if value is None else float(value) for value in values]
        elif any(isinstance(value, int) and abs(value) >= INT64 for value in values):
            framed[name] = [None if value is None else str(value) for value in values]
        else:
            framed[name] = [str(value) if isinstance(value, str) else value for value in values]
    return framed


def frame_of(library: str, columns: dict[str, Any]) -> Any:
    """Return a polars or pandas frame with these columns."""
    try:
        module = import_module(library)
    except ImportError:
        raise MissingLibraryError(
            f"to_{library} needs {library}: pip install {library}; or use to_dicts()"
        ) from None
    return module.DataFrame(columns)


def in_int64_or_text(values: "npt.NDArray[Any]") -> Any:
    """Return Python integers for a frame: int64 if all of them fit, else text."""
    import numpy as np

    listed = values.tolist()
    if all(abs(value) < INT64 for value in listed):
        return np.array(listed, dtype=np.int64)
    return list(map(str, listed))


def quotients(tops: "npt.NDArray[Any]", bottoms: "npt.NDArray[Any]") -> "Floats":
    """Return ``tops / bottoms`` as float64, each correctly rounded from the exact integers.

    Nan where a bottom is 0.
    """
    import numpy as np

    values = np.empty(tops.shape, dtype=np.float64)
    for start in range(0, len(tops), AT_ONCE):
        rows = slice(start, start + AT_ONCE)
        below = bottoms[rows].astype(object)
        nothing = below == 0
        below[nothing] = 1
        values[rows] = tops[rows].astype(object) / below
        values[rows][np.broadcast_to(nothing, values[rows].shape)] = np.nan
    return values


def in_percent(value: Fraction | None) -> str:
    """Return a share in per cent for a line of text.

    >>> in_percent(Fraction(43, 415)), in_percent(None)
    ('10.3614 %', 'none')
    """
    return "none" if value is None else f"{percent(value)} %"
