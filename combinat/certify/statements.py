"""Provable statements about a game: the counts of every bet and insurance state on fresh shoes.

They have the shape of ``analysis.json``: read from one, or counted now by the recursion. A statement is a claim, not a
proof: nothing is derived here and no figure is compared with another. The records declare the keys that are read;
other keys of the file are ignored. A wrong count is a theorem that fails, and the
theorem is named. Callers that rely on the file use ``read_dossier``.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated

import msgspec

from combinat.analysis.odds import one_round_analysis
from combinat.base.errors import MalformedCertificateError, printable
from combinat.certify.analysis_file import parsed_analysis, plain
from combinat.certify.certificate import converted
from combinat.certify.signature import Sha256
from combinat.rules import bounds
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.shoe import Shoe

_DIGITS = 400
"""The most digits of a number; a sample space of the most decks has 29, an edge somewhat more."""

Number = Annotated[str, msgspec.Meta(pattern=rf"\A[0-9]{{1,{_DIGITS}}}\Z")]
Rational = Annotated[str, msgspec.Meta(pattern=rf"\A-?[0-9]{{1,{_DIGITS}}}(/[1-9][0-9]{{0,{_DIGITS}}})?\Z")]


class LineStatement(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a pay table, or the rest after the last: its ways."""

    ways: Number
    is_void: bool


class BetStatement(msgspec.Struct, frozen=True, kw_only=True):
    """A bet on one shoe: the ways of each line of its pay table, then those in which it loses; and its edge."""

    id: str
    outcomes: tuple[LineStatement, ...]
    house_edge: Rational

    @property
    def ways(self) -> list[int]:
        """The ways of each line, and last those in which no line covers the round."""
        return [int(line.ways) for line in self.outcomes if not line.is_void]


class StateStatement(msgspec.Struct, frozen=True, kw_only=True):
    """An insurance state on one shoe: the ways in which it is reached, and the results of the bet there.

    ``house_edge`` is None if the state is never reached.
    """

    state: State
    ways: Number
    won: Number
    lost: Number
    house_edge: Rational | None


class ShoeStatement(msgspec.Struct, frozen=True, kw_only=True):
    """A fresh shoe: its sample space, its void rounds, its bets and its insurance states."""

    decks: Annotated[int, msgspec.Meta(ge=1, le=bounds.DECKS)]
    sample_space: Number
    void: Rational
    bets: tuple[BetStatement, ...]
    insurance: tuple[StateStatement, ...]

    @property
    def void_ways(self) -> int:
        """The ways of void rounds; the file states their share of all."""
        return int(Fraction(self.void) * int(self.sample_space))


class GameStatement(msgspec.Struct, frozen=True, kw_only=True):
    """All statements about a game, and its rule book."""

    game: str
    rule_book_sha256: Sha256
    shoes: Annotated[tuple[ShoeStatement, ...], msgspec.Meta(max_length=bounds.SHOES)]


def game_statement(
    game: Game, decks: Sequence[int], done: Callable[[int], None] = lambda shoes: None
) -> GameStatement:
    """Return the statements about a game on fresh shoes of these numbers of decks, counted now."""
    shoes = []
    for number in decks:
        analysis = one_round_analysis(game, Shoe.of_decks(number))
        parts = {"bets": plain(analysis.bets), "insurance": plain(tuple(analysis.insurance))}
        counts = {"sample_space": str(analysis.sample_space), "void": str(analysis.void)}
        shoes.append({"decks": number, **counts, **parts})
        done(1)
    stated = {"game": game.id, "rule_book_sha256": game.sha256, "shoes": shoes}
    return msgspec.convert(stated, GameStatement)


def read_statement(content: bytes, decks: Sequence[int] | None = None) -> GameStatement:
    """Return the statements of an ``analysis.json`` for these numbers of decks. Default: all that it has."""
    stated = converted(parsed_analysis(content), GameStatement)
    for shoe in stated.shoes:
        if (Fraction(shoe.void) * int(shoe.sample_space)).denominator > 1:
            raise MalformedCertificateError(
                f"shoes, {shoe.decks} decks: a void of {shoe.void} is no number of ways of {shoe.sample_space}"
            )
        for bet in shoe.bets:
            if not bet.ways:
                raise MalformedCertificateError(
                    f"bet {printable(bet.id[:100])}: found no outcome; expected at least the loss"
                )
    shoes = {shoe.decks: shoe for shoe in stated.shoes}
    wanted = list(shoes) if decks is None else list(decks)
    if missing := [number for number in wanted if number not in shoes]:
        has = ", ".join(map(str, shoes)) or "none"
        raise MalformedCertificateError(
            f"shoes: {missing[0]} is no number of decks of this file; it has {has}"
        )
    return msgspec.structs.replace(stated, shoes=tuple(shoes[number] for number in wanted))
