"""``analysis.json``: writing the dossier in canonical form, and reading it back.

An object for each record, with the fields that were counted and the figures that follow from them. Exact
numbers are text: ``"4998398275503360"``, ``"-43/415"``. Keys are sorted, the text is ASCII and ends in one
newline, so that equal dossiers are equal bytes.

Reading takes the fields alone, computes the figures again, and refuses a file that differs from the result.
Documents drawn from a dossier that was read therefore agree with the file.
"""

import dataclasses
import re
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec

from combinat.base.errors import MalformedCertificateError, RejectedCertificateError, printable
from combinat.base.number import Whole
from combinat.base.strict_json import canonical, parsed_object
from combinat.certify.dossier import Dossier
from combinat.rules.odds import Odds

_FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?")
"""The form of a fraction; an exponent is not allowed, because it could denote a number of any size."""

ANALYSIS = "analysis.json"


def analysis_bytes(dossier: Dossier) -> bytes:
    """Return the content of ``analysis.json``."""
    return canonical(plain(dossier))


def plain(value: Any) -> Any:
    """Return a value as JSON; a record with its fields and its figures."""
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
            return [plain(one) for one in value]
        case _:
            fields = {
                name: _plain_field(getattr(value, name), is_text)
                for name, is_text in _fields(value.__class__).items()
            }
            figures = {name: plain(getattr(value, name)) for name in getattr(value, "FIGURES", ())}
            return fields | figures


def _plain_field(value: Any, is_text: bool) -> Any:
    if not is_text:
        return plain(value)
    return [str(one) for one in value] if isinstance(value, tuple) else str(value)


@cache
def _fields(record: type[Any]) -> dict[str, bool]:
    """Return the fields of a record, each with whether it holds integers of any size, which are text."""
    hints = get_type_hints(record)
    names = getattr(record, "__struct_fields__", None) or [field.name for field in dataclasses.fields(record)]
    return {name: hints[name] is Whole or Whole in get_args(hints[name]) for name in names}


def parsed_analysis(content: bytes) -> dict[str, Any]:
    """Return the object of an ``analysis.json``; refuse another schema."""
    raw = parsed_object(content, MalformedCertificateError)
    if raw.get("schema") != Dossier.schema:
        raise MalformedCertificateError(
            f"schema: found {printable(str(raw.get('schema'))[:100])}, this combinat reads {Dossier.schema}"
        )
    return raw


def read_dossier(content: bytes) -> Dossier:
    """Return the dossier in an ``analysis.json``."""
    raw = parsed_analysis(content)
    try:
        dossier = msgspec.convert(raw, Dossier, strict=False, dec_hook=_exact)
        again = analysis_bytes(dossier)
    except (ValueError, ArithmeticError, LookupError, StopIteration) as error:
        raise MalformedCertificateError(f"not a dossier: {printable(str(error)[:300])}") from None
    if again != content:
        raise RejectedCertificateError("its figures do not follow from its own counts")
    return dossier


def _exact(kind: Any, value: object) -> Any:
    """Return a number or odds from their text."""
    if isinstance(value, str) and kind is Fraction and _FRACTION.fullmatch(value):
        return Fraction(value)
    if isinstance(value, str) and kind is Odds:
        return Odds.parse(value)
    raise ValueError(f"found {str(value)[:100]}")
