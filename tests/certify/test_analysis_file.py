"""``analysis.json`` read back: an equal dossier, or a refusal that says what is wrong."""

import dataclasses
import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from combinat.base.errors import CertificateError, MalformedCertificateError, RejectedCertificateError
from combinat.certify import analysis_file, statements
from combinat.certify.analysis_file import analysis_bytes, read_dossier
from combinat.certify.collection import Collection, collection, collection_bytes
from combinat.certify.dossier import Dossier
from combinat.certify.statements import read_statement
from combinat.rules.game import Game
from tests.certify.forger import Place, at, places, put, spelled
from tests.raises import noting_refusals, refusing


def fields_of(record: Any) -> tuple[str, ...]:
    """The fields of a record or of a kind of records; none of what is no record."""
    if dataclasses.is_dataclass(record):
        return tuple(field.name for field in dataclasses.fields(record))
    kind = record if isinstance(record, type) else type(record)
    return kind.__struct_fields__ if issubclass(kind, msgspec.Struct) else ()


def records_of(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every record in a value, with its place."""
    names = fields_of(value)
    if names:
        yield place, value
    inside = (
        enumerate(value) if isinstance(value, tuple) else ((name, getattr(value, name)) for name in names)
    )
    for key, entry in inside:
        yield from records_of(entry, (*place, key))


def record_types(kind: Any) -> set[type[Any]]:
    """Every kind of record that a record of this kind can hold."""
    if not (names := fields_of(kind)):
        return set[type[Any]]().union(*map(record_types, get_args(kind)))
    assert isinstance(kind, type)
    hints = get_type_hints(kind)
    inside = [record_types(hints[name]) for name in names]
    return {kind}.union(*inside)


def test_a_dossier_read_back_is_equal(small_dossier: Dossier) -> None:
    """Record for record, of every kind that there is, and with the same figures."""
    content = analysis_bytes(small_dossier)
    again = read_dossier(content)
    assert again == small_dossier
    assert analysis_bytes(again) == content
    assert {type(record) for _, record in records_of(again)} == record_types(Dossier)
    for (_, here), (_, there) in zip(records_of(again), records_of(small_dossier), strict=True):
        assert type(here) is type(there)
        for name in getattr(here, "FIGURES", ()):
            assert getattr(here, name) == getattr(there, name)


def test_no_number_of_it_is_a_float(small_dossier: Dossier) -> None:
    raw = json.loads(analysis_bytes(small_dossier))
    leaves = [at(raw, place) for place in places(raw)]
    assert {type(leaf) for leaf in leaves} == {dict, list, str, int, bool, type(None)}
    assert all(abs(leaf) < 2**53 for leaf in leaves if isinstance(leaf, int))  # any reader of JSON is right


def test_a_collection_is_written_with_its_numbers_as_text(small_game: Game, small_dossier: Dossier) -> None:
    together = collection([(small_game, small_dossier, ["report.md", "tables/bets.csv"])])
    assert isinstance(together, Collection)
    raw = json.loads(collection_bytes(together))
    assert raw["schema"] == "combinat/collection/1"
    (game,) = raw["games"]
    assert (game["files"], game["banker"]) == (["report.md"], "banco")
    edges = [bet["house_edge"] for bet in game["bets"]]
    assert edges == [str(bet.house_edge) for bet in small_dossier.reference.bets]


# ---------------------------------------------------------------- refused


def changed_at(content: bytes, place: Place, value: Any) -> bytes:
    return spelled(put(json.loads(content), place, value))


@pytest.mark.parametrize("kind", sorted(record_types(Dossier), key=str))
def test_a_record_of_each_kind_is_closed(tiny_dossier: Dossier, kind: type[Any]) -> None:
    """A key more, a key less, another figure: each is refused, in a record of every kind."""
    content = analysis_bytes(tiny_dossier)
    place = next(place for place, record in records_of(tiny_dossier) if type(record) is kind)
    record = at(json.loads(content), place)
    with pytest.raises(RejectedCertificateError):
        read_dossier(changed_at(content, (*place, "more"), 1))
    for key in record.keys() - {"schema"}:
        with pytest.raises(CertificateError):
            read_dossier(changed_at(content, (*place, key), ...))
    for figure in getattr(kind, "FIGURES", ()):
        other = not record[figure] if isinstance(record[figure], bool) else "10001"
        with pytest.raises(RejectedCertificateError):
            read_dossier(changed_at(content, (*place, figure), other))


REFUSED: list[tuple[Place, Any]] = [
    (("schema",), "combinat/analysis/1"),
    (("schema",), "\x1b"),
    (("schema",), "x" * 1000),
    (("shoes", 0, "decks"), "eight"),
    (("shoes",), {}),
    (("not_offered", 0, "state", "side"), "dealer"),
    (("shoes", 0, "void"), "1/0"),
    (("shoes", 0, "void"), "1e999999999"),
    (("shoes", 0, "void"), 0),
    (("shoes", 0, "insurance", 0, "odds"), "even"),
    (("shoes", 0, "bets", 0, "id"), None),
]
UNSTATED: list[tuple[Place, Any]] = [
    (("schema",), "x"),
    (("shoes",), [{"decks": 0}]),
    (("shoes",), []),
    (("rule_book_sha256",), "?"),
    (("shoes", 0, "void"), "1/7919"),
    (("shoes", 0, "bets", 0, "outcomes"), []),
]
"""Places of a file that states no counts to prove."""
TEXTS = [
    *(b"", b"[]", b'{"schema": 0.5}', b'{"a": 1, "a": 1}', b'{"shoes":' + b"[" * 100_000, b"\xff", b"{}"),
    b'{"schema": "combinat/analysis/5"}',
]


def test_what_is_no_analysis_is_refused_and_every_raise_is_reached(
    tiny_dossier: Dossier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Malformed as a value or as a text; another spelling is rejected."""
    content = analysis_bytes(tiny_dossier)
    spellings = [content + b"\n", content.replace(b"\n ", b"\n  "), json.dumps(json.loads(content)).encode()]
    values = [changed_at(content, place, value) for place, value in REFUSED]
    unstated = [changed_at(content, place, value) for place, value in UNSTATED]
    tries: list[tuple[type[CertificateError], Callable[[bytes], object], list[bytes]]] = [
        (MalformedCertificateError, read_dossier, [*values, *TEXTS]),
        (MalformedCertificateError, partial(read_statement, decks=[1]), unstated),
        (RejectedCertificateError, read_dossier, spellings),
    ]
    reached = noting_refusals(monkeypatch)
    for kind, read, contents in tries:
        for other in contents:
            with pytest.raises(kind) as refusal:
                read(other)
            assert str(refusal.value).isprintable()
            assert len(str(refusal.value)) < 400
    assert refusing(analysis_file, statements) - reached == set()
