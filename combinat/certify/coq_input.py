"""What an ``analysis.json`` states, taken as it stands, to be proved or not.

Nothing is derived here and no figure is compared with another: a count that is wrong is a theorem that fails, and
the theorem is named. ``analysis_file.read_dossier`` is for whoever relies on the file.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated

import msgspec

from combinat.analysis.statements import BetStatement, GameStatement, ShoeStatement, StateStatement
from combinat.base.errors import MalformedCertificateError, shown
from combinat.base.strict_json import parsed_object
from combinat.certify.analysis_file import SCHEMA
from combinat.certify.signature import Sha256
from combinat.rules import bounds
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand

_DIGITS = 400
"""The most digits of a number; a sample space of the most decks has 29, an edge somewhat more."""

Number = Annotated[str, msgspec.Meta(pattern=rf"\A[0-9]{{1,{_DIGITS}}}\Z")]
Rational = Annotated[str, msgspec.Meta(pattern=rf"\A-?[0-9]{{1,{_DIGITS}}}(/[1-9][0-9]{{0,{_DIGITS}}})?\Z")]
Points = Annotated[int, msgspec.Meta(ge=0, le=9)]


class _Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the file, as much of it as is stated; its other keys are left alone."""


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
    """What an ``analysis.json`` states of these numbers of decks; of all that it has, where none are given."""
    raw = parsed_object(content, MalformedCertificateError)
    if raw.get("schema") != SCHEMA:
        raise MalformedCertificateError(
            f"schema: found {shown(str(raw.get('schema'))[:100])}, this combinat reads {SCHEMA}"
        )
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
