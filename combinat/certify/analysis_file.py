"""``analysis.json``: writing the dossier in canonical form, and reading it back.

An object for each record, with the fields that were counted and the figures that follow from them. Exact
numbers are text: ``"4998398275503360"``, ``"-43/415"``. Keys are sorted, the text is ASCII and ends in one
newline, so that equal dossiers are equal bytes.

Reading takes the fields alone, computes the figures again, and refuses a file that differs from the result.
Documents drawn from a dossier that was read therefore agree with the file.
"""

import dataclasses
import re
from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec

from combinat.analysis.statements import BetStatement, GameStatement, ShoeStatement, StateStatement
from combinat.base.errors import MalformedCertificateError, RejectedCertificateError, shown
from combinat.base.number import Whole
from combinat.base.strict_json import canonical, parsed_object
from combinat.certify.dossier import Dossier
from combinat.certify.signature import Sha256
from combinat.rules import bounds
from combinat.rules.insurance import State
from combinat.rules.odds import Odds
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand

_FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?")
"""How a fraction is written; not with an exponent, which could stand for a number without end."""

ANALYSIS = "analysis.json"
SCHEMA = "combinat/analysis/4"


def analysis_bytes(dossier: Dossier) -> bytes:
    """Return the content of ``analysis.json``."""
    return canonical({"schema": SCHEMA, **plain(dossier)})


@dataclasses.dataclass(frozen=True, kw_only=True)
class AnalysisDocument(Dossier):
    """Everything that a report says of a game; ``analysis.json``."""

    schema: Literal["combinat/analysis/4"]


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
                name: _written(getattr(value, name), is_text)
                for name, is_text in _fields(value.__class__).items()
            }
            figures = {name: plain(getattr(value, name)) for name in getattr(value, "FIGURES", ())}
            return fields | figures


def _written(value: Any, is_text: bool) -> Any:
    if not is_text:
        return plain(value)
    return [str(one) for one in value] if isinstance(value, tuple) else str(value)


@cache
def _fields(record: type[Any]) -> dict[str, bool]:
    """Return the fields of a record, each with whether it holds integers of any size, which are text."""
    hints = get_type_hints(record)
    names = getattr(record, "__struct_fields__", None) or [field.name for field in dataclasses.fields(record)]
    return {name: hints[name] is Whole or Whole in get_args(hints[name]) for name in names}


def _raw(content: bytes) -> dict[str, Any]:
    raw = parsed_object(content, MalformedCertificateError)
    if raw.get("schema") != SCHEMA:
        raise MalformedCertificateError(
            f"schema: found {shown(str(raw.get('schema'))[:100])}, this combinat reads {SCHEMA}"
        )
    return raw


def read_dossier(content: bytes) -> Dossier:
    """Return the dossier in an ``analysis.json``."""
    raw = _raw(content)
    try:
        dossier = msgspec.convert(raw, Dossier, strict=False, dec_hook=_exact)
        again = analysis_bytes(dossier)
    except (ValueError, ArithmeticError, LookupError, StopIteration) as error:
        raise MalformedCertificateError(f"not a dossier: {shown(str(error)[:300])}") from None
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


# ---------------------------------------------------------------- statements to prove

# Nothing is derived here and no figure is compared with another: a wrong count is a theorem that fails, and
# the theorem is named. Callers that rely on the file use ``read_dossier``.

_DIGITS = 400
"""The most digits of a number; a sample space of the most decks has 29, an edge somewhat more."""

Number = Annotated[str, msgspec.Meta(pattern=rf"\A[0-9]{{1,{_DIGITS}}}\Z")]
Rational = Annotated[str, msgspec.Meta(pattern=rf"\A-?[0-9]{{1,{_DIGITS}}}(/[1-9][0-9]{{0,{_DIGITS}}})?\Z")]
Points = Annotated[int, msgspec.Meta(ge=0, le=9)]


class _Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the file, with the keys declared here; other keys are ignored."""


class _Outcome(_Part, frozen=True, kw_only=True):
    ways: Number
    is_void: bool


class _Bet(_Part, frozen=True, kw_only=True):
    id: str
    outcomes: tuple[_Outcome, ...]
    house_edge: Rational


class _State(_Part, frozen=True, kw_only=True):
    side: Hand
    stage: Stage
    player_points: Points
    banker_points: Points


class _Insurance(_Part, frozen=True, kw_only=True):
    state: _State
    ways: Number
    won: Number
    lost: Number
    house_edge: Rational | None


class _Shoe(_Part, frozen=True, kw_only=True):
    decks: Annotated[int, msgspec.Meta(ge=1, le=bounds.DECKS)]
    sample_space: Number
    bets: tuple[_Bet, ...]
    insurance: tuple[_Insurance, ...]
    void: Rational


class _Analysis(_Part, frozen=True, kw_only=True):
    schema: str
    game: str
    rule_book_sha256: Sha256
    shoes: Annotated[tuple[_Shoe, ...], msgspec.Meta(max_length=bounds.SHOES)]


def read_statement(content: bytes, decks: Iterable[int] | None = None) -> GameStatement:
    """Return the statements of an ``analysis.json`` for these numbers of decks. Default: all that it has."""
    raw = _raw(content)
    try:
        analysis = msgspec.convert(raw, _Analysis)
    except (msgspec.ValidationError, UnicodeError) as error:
        placed = re.fullmatch(r"(.*) - at `\$\.?(.*)`", str(error))
        message = f"{placed[2]}: {placed[1]}" if placed else str(error)
        raise MalformedCertificateError(shown(message[:300])) from None
    shoes = {shoe.decks: shoe for shoe in analysis.shoes}
    wanted = list(shoes) if decks is None else list(decks)
    if missing := [number for number in wanted if number not in shoes]:
        has = ", ".join(map(str, shoes)) or "none"
        raise MalformedCertificateError(
            f"shoes: {missing[0]} is no number of decks of this file; it has {has}"
        )
    return GameStatement(
        game=analysis.game,
        rule_book_sha256=analysis.rule_book_sha256,
        shoes=tuple(_shoe(shoes[number]) for number in wanted),
    )


def _shoe(shoe: _Shoe) -> ShoeStatement:
    void = Fraction(shoe.void) * int(shoe.sample_space)
    if void.denominator > 1:
        raise MalformedCertificateError(
            f"shoes, {shoe.decks} decks: a void of {shoe.void} is no number of ways of {shoe.sample_space}"
        )
    return ShoeStatement(
        decks=shoe.decks,
        sample_space=int(shoe.sample_space),
        void=void.numerator,
        bets=tuple(_bet(bet) for bet in shoe.bets),
        states=tuple(_state(insurance) for insurance in shoe.insurance),
    )


def _bet(bet: _Bet) -> BetStatement:
    ways = [int(outcome.ways) for outcome in bet.outcomes if not outcome.is_void]
    if not ways:
        raise MalformedCertificateError(
            f"bet {shown(bet.id[:100])}: found no outcome; expected at least the loss"
        )
    return BetStatement(
        id=bet.id, lines=tuple(ways[:-1]), loses=ways[-1], house_edge=Fraction(bet.house_edge)
    )


def _state(insurance: _Insurance) -> StateStatement:
    at = insurance.state
    return StateStatement(
        state=State(at.side, at.stage, at.player_points, at.banker_points),
        reached=int(insurance.ways),
        wins=int(insurance.won),
        loses=int(insurance.lost),
        house_edge=None if insurance.house_edge is None else Fraction(insurance.house_edge),
    )
