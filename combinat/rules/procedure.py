"""Procedures: what a document prescribes when something happens at the table.

An incident is what happened. A document answers it with one procedure, or with several, each under a
condition of its own: then they name the incident that they answer, and the facts tell which of them applies.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import msgspec

from combinat.rules.odds import Clause, Text

SILENT = "silent-player"
"""The incident of a player who says nothing where insurance is offered."""


class Ruling(StrEnum):
    """What follows from an incident for the round."""

    VOID = "void"
    CONTINUE = "continue"
    STANDS = "stands"
    OPTIONS = "options"
    DISCRETION = "discretion"

    @property
    def in_words(self) -> str:
        """What follows, as a sentence."""
        return _RULINGS[self]


_RULINGS = {
    Ruling.VOID: "The round is void.",
    Ruling.CONTINUE: "Play goes on, and the bets are settled by the cards.",
    Ruling.STANDS: "It is too late for the round in which it happened: that stands as it was settled by the cards.",
    Ruling.OPTIONS: "All players at the table choose: go on, or have the bet returned.",
    Ruling.DISCRETION: "The document leaves it to the one who decides.",
}


class Effect(StrEnum):
    """What a procedure does to a settlement."""

    RETURNED = "returned"
    TAKEN_BACK = "taken-back"
    OPTIONS = "options"
    SETTLED = "settled"
    STANDS = "stands"
    DISCRETION = "discretion"
    THIRD_CARD_INSURANCE_WAIVED = "third-card-insurance-waived"
    INSURANCE_FORGONE = "insurance-forgone"
    NO_INSURANCE = "no-insurance"
    LATE_INSURANCE = "late-insurance"
    ORIGINAL_BET_RETURNED = "original-bet-returned"

    @property
    def in_words(self) -> str:
        """What it does, as a sentence."""
        return _EFFECTS[self]

    @property
    def ruling(self) -> Ruling:
        """What follows for the round."""
        return _FOLLOWS.get(self, Ruling.CONTINUE)

    @property
    def returns_all(self) -> bool:
        """Whether every bet comes back, whatever cards were dealt."""
        return self in (Effect.RETURNED, Effect.TAKEN_BACK)


_EFFECTS = {
    Effect.RETURNED: "every bet is returned",
    Effect.TAKEN_BACK: "a player who so chooses has the bets returned",
    Effect.OPTIONS: "every player chooses to go on or to have the bet returned",
    Effect.SETTLED: "every bet is settled by the cards",
    Effect.STANDS: "every bet stays as it was settled by the cards",
    Effect.DISCRETION: "decided by discretion",
    Effect.THIRD_CARD_INSURANCE_WAIVED: "no insurance after the Player's third card",
    Effect.INSURANCE_FORGONE: "no further insurance in the round for this player",
    Effect.NO_INSURANCE: "no insurance in the round",
    Effect.LATE_INSURANCE: "insurance is still taken, under a limit of its own",
    Effect.ORIGINAL_BET_RETURNED: "the bet on the hand is returned if the insurance meant for it would have won",
}

_FOLLOWS = {
    Effect.RETURNED: Ruling.VOID,
    Effect.TAKEN_BACK: Ruling.OPTIONS,
    Effect.STANDS: Ruling.STANDS,
    Effect.OPTIONS: Ruling.OPTIONS,
    Effect.DISCRETION: Ruling.DISCRETION,
}


class Fact(StrEnum):
    """What a condition of a procedure is about."""

    OUTCOME = "outcome-established"  # one of the available bets has conclusively won or lost
    RECONSTRUCTIBLE = "reconstructible"  # the cards can be put back into their intended order
    CARDS_MISSING = "cards-missing"  # the shoe has too few cards to finish the round
    WRONG_NUMBER = "wrong-number"  # a hand has cards too few or too many

    def in_words(self, holds: bool = True) -> str:
        """The fact, or its contrary, as a clause of a sentence."""
        return _FACTS[self][0 if holds else 1]


_FACTS = {
    Fact.OUTCOME: ("an outcome is established", "no outcome is established"),
    Fact.RECONSTRUCTIBLE: ("the cards can be reconstructed", "the cards cannot be reconstructed"),
    Fact.CARDS_MISSING: ("the shoe cannot finish the round", "the shoe can finish the round"),
    Fact.WRONG_NUMBER: ("a hand has a wrong number of cards", "both hands have the right number of cards"),
}


class Asks(StrEnum):
    """What must be told of an incident beside the cards in the order in which they left the shoe."""

    SIDES = "sides"  # where each card lay
    EARLY = "early"  # how many of the last cards were drawn or exposed before their turn
    ORDER = "order"  # how many of the last cards came together, in no order that can be told


Facts = Mapping[Fact, bool | None]
"""What is known: so, not so, or (None, as where it is not named) not to be told from the cards."""


class Procedure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What follows when something happens at the table, and under which condition.

    ``incident``: what happened, where several procedures answer it; else the procedure's own id says it.
    ``decides``: whose decision it is, where the document gives one. ``asks``: what must be told beside the cards.
    It applies where every fact of ``if`` holds, unless every fact of ``unless`` does.
    """

    id: Text
    clauses: Annotated[tuple[Clause, ...], msgspec.Meta(min_length=1)]
    when: Text
    effect: Effect
    incident: str = ""
    decides: str = ""
    asks: Asks | None = None
    only_if: tuple[Fact, ...] = msgspec.field(name="if", default=())
    unless: tuple[Fact, ...] = ()

    @property
    def answers(self) -> str:
        """The incident that it answers."""
        return self.incident or self.id

    @property
    def cited(self) -> str:
        """Its clauses, as a line cites them."""
        return ", ".join(self.clauses)

    def applies(self, facts: Facts) -> bool | None:
        """Whether its condition holds; None: the facts do not tell.

        >>> late = Procedure(id="late", clauses=("5.1",), when="So.", effect=Effect.SETTLED, unless=(Fact.OUTCOME,))
        >>> late.applies({Fact.OUTCOME: False}), late.applies({Fact.OUTCOME: True}), late.applies({})
        (True, False, None)
        """
        excepted = _all(self.unless, facts) if self.unless else False
        return _neither_false(_all(self.only_if, facts), None if excepted is None else not excepted)

    @property
    def condition(self) -> str:
        """Its condition, as a clause of a sentence; empty: it has none."""
        parts = [fact.in_words() for fact in self.only_if]
        if self.unless:
            contraries = [fact.in_words(holds=False) for fact in self.unless]
            parts.append(f"{'either ' if len(contraries) > 1 else ''}{' or '.join(contraries)}")
        return " and ".join(parts)

    @property
    def facts(self) -> frozenset[Fact]:
        """The facts on which it turns."""
        return frozenset((*self.only_if, *self.unless))


def _all(wanted: tuple[Fact, ...], facts: Facts) -> bool | None:
    """Whether all these facts hold; None: it is not known, and none of them is known not to."""
    known = [facts.get(fact) for fact in wanted]
    if False in known:
        return False
    return None if None in known else True


def _neither_false(first: bool | None, second: bool | None) -> bool | None:
    if first is False or second is False:
        return False
    return None if first is None or second is None else True


class DealingErrors(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that all players have after a dealing error: the clause of each, and what they speak of.

    ``outcome`` is where the document says when an outcome is established, ``reconstruction`` where it says what it
    is to reconstruct cards. ``excludes``: the procedures of errors that the options are not for; where one of them
    applies, it answers instead, whatever the incident is called.
    """

    clause: Clause
    outcome: Clause
    reconstruction: Clause
    as_it_is: Clause
    reconstructed: Clause
    returned: Clause
    excludes: tuple[Text, ...] = ()
