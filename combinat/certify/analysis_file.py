"""``analysis.json``: the dossier in its one written form, and read back.

An object for each record, with the fields that were counted and the figures that follow from them. Exact
numbers are text: ``"4998398275503360"``, ``"-43/415"``. Keys are sorted, the text is ASCII and ends in one
newline, so that equal dossiers are equal bytes.

Reading takes the fields alone, works the figures out again, and refuses a text that does not say just that:
what is drawn from a dossier that was read is what the file says.
"""

import dataclasses
import re
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, Literal, TypedDict, get_args, get_type_hints

import msgspec

from combinat.base.errors import MalformedCertificateError, RejectedCertificateError, shown
from combinat.base.number import Whole
from combinat.base.strict_json import canonical, parsed_object
from combinat.certify.collection import CollectedGame, Collection
from combinat.certify.dossier import Dossier
from combinat.rules.odds import Odds

_FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?")
"""How a fraction is written; not with an exponent, which could stand for a number without end."""

ANALYSIS = "analysis.json"
SCHEMA = "combinat/analysis/4"


def analysis_bytes(dossier: Dossier) -> bytes:
    """The content of ``analysis.json``."""
    return canonical({"schema": SCHEMA, **_plain(dossier)})


@dataclasses.dataclass(frozen=True, kw_only=True)
class AnalysisDocument(Dossier):
    """Everything that a report says of a game; ``analysis.json``."""

    schema: Literal["combinat/analysis/4"]


COLLECTION = "collection.json"
COLLECTION_SCHEMA = "combinat/collection/1"


def collection_bytes(collection: Collection) -> bytes:
    """The content of ``collection.json``."""
    return canonical({"schema": COLLECTION_SCHEMA, **_plain(collection)})


class CollectionDocument(TypedDict):
    """The reports that belong together; ``collection.json``."""

    schema: Literal["combinat/collection/1"]
    games: list[CollectedGame]


def _plain(value: Any) -> Any:
    """A value as JSON has it; a record with its fields and its figures."""
    match value:
        case None | bool():
            return value
        case StrEnum() | str():
            return str(value)
        case Fraction():
            return str(value)
        case int():
            return value
        case tuple() | list():
            return [_plain(one) for one in value]
        case _:
            fields = {
                name: _written(getattr(value, name), is_text)
                for name, is_text in _fields(value.__class__).items()
            }
            figures = {name: _plain(getattr(value, name)) for name in getattr(value, "FIGURES", ())}
            return fields | figures


def _written(value: Any, is_text: bool) -> Any:
    if not is_text:
        return _plain(value)
    return [str(one) for one in value] if isinstance(value, tuple) else str(value)


@cache
def _fields(record: type[Any]) -> dict[str, bool]:
    """The fields of a record, and of each whether it holds whole numbers of any size, which are text."""
    hints = get_type_hints(record)
    names = getattr(record, "__struct_fields__", None) or [field.name for field in dataclasses.fields(record)]
    return {name: hints[name] is Whole or Whole in get_args(hints[name]) for name in names}


def read_dossier(content: bytes) -> Dossier:
    """The dossier that an ``analysis.json`` states."""
    raw = parsed_object(content, MalformedCertificateError)
    if raw.get("schema") != SCHEMA:
        raise MalformedCertificateError(
            f"schema: found {shown(str(raw.get('schema'))[:100])}, this combinat reads {SCHEMA}"
        )
    try:
        dossier = msgspec.convert(raw, Dossier, strict=False, dec_hook=_exact)
        again = analysis_bytes(dossier)
    except (ValueError, ArithmeticError, LookupError, StopIteration) as error:
        raise MalformedCertificateError(f"not a dossier: {shown(str(error)[:300])}") from None
    if again != content:
        raise RejectedCertificateError("its figures do not follow from its own counts")
    return dossier


def _exact(kind: Any, value: object) -> Any:
    """A number or odds from their text."""
    if isinstance(value, str) and kind is Fraction and _FRACTION.fullmatch(value):
        return Fraction(value)
    if isinstance(value, str) and kind is Odds:
        return Odds.parse(value)
    raise ValueError(f"found {str(value)[:100]}")
