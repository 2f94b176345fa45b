"""Procedures: what a document prescribes for an incident at the table.

A document answers an incident with one procedure, or with several, each under its own condition. These name
the incident that they answer, and the facts decide which of them applies.
"""

from collections.abc import Mapping
from enum import StrEnum
from itertools import product
from typing import Annotated

import msgspec

from combinat.rules.house_rules import Phrased
from combinat.rules.odds import Clause, Id, Text

SILENT = "silent-player"
"""The incident of a player who says nothing where insurance is offered."""


class Ruling(Phrased):
    """The consequence of an incident for the round."""

    VOID = "void", "The round is void."
    CONTINUE = "continue", "Play goes on, and the bets are settled by the cards."
    STANDS = (
        "stands",
        "The error was found too late: the round in which it happened stays settled by its cards.",
    )
    OPTIONS = "options", "All players at the table choose: go on, or have the bet returned."
    DISCRETION = "discretion", "The document leaves the decision to the person named."


class Effect(Phrased):
    """The effect of a procedure on a settlement."""

    RETURNED = "returned", "every bet is returned"
    TAKEN_BACK = "taken-back", "a player may have the bets returned"
    OPTIONS = "options", "every player chooses to go on or to have the bet returned"
    SETTLED = "settled", "every bet is settled by the cards"
    STANDS = "stands", "every bet stays settled by the cards"
    DISCRETION = "discretion", "left to the discretion of the House"
    THIRD_CARD_INSURANCE_WAIVED = "third-card-insurance-waived", "no insurance after the Player's third card"
    INSURANCE_FORGONE = "insurance-forgone", "no further insurance in the round for this player"
    NO_INSURANCE = "no-insurance", "no insurance in the round"
    LATE_INSURANCE = "late-insurance", "insurance is still offered, under a separate limit"
    ORIGINAL_BET_RETURNED = (
        "original-bet-returned",
        "the bet on the hand is returned if the insurance meant for it would have won",
    )

    @property
    def ruling(self) -> Ruling:
        """The consequence for the round."""
        return _FOLLOWS.get(self, Ruling.CONTINUE)

    @property
    def returns_all(self) -> bool:
        """Whether every bet is returned, regardless of the cards dealt."""
        return self in (Effect.RETURNED, Effect.TAKEN_BACK)


_FOLLOWS = {
    Effect.RETURNED: Ruling.VOID,
    Effect.TAKEN_BACK: Ruling.OPTIONS,
    Effect.STANDS: Ruling.STANDS,
    Effect.OPTIONS: Ruling.OPTIONS,
    Effect.DISCRETION: Ruling.DISCRETION,
}


class Fact(Phrased):
    """The fact that a condition of a procedure tests."""

    OUTCOME = "outcome-established", "an outcome is established"
    RECONSTRUCTIBLE = "reconstructible", "the cards can be reconstructed"
    CARDS_MISSING = "cards-missing", "the shoe cannot finish the round"
    WRONG_NUMBER = "wrong-number", "a hand has a wrong number of cards"

    @property
    def contrary(self) -> str:
        """The negation of the fact, as a phrase."""
        return _CONTRARY[self]


_CONTRARY = {
    Fact.OUTCOME: "no outcome is established",
    Fact.RECONSTRUCTIBLE: "the cards cannot be reconstructed",
    Fact.CARDS_MISSING: "the shoe can finish the round",
    Fact.WRONG_NUMBER: "both hands have the right number of cards",
}


class Asks(StrEnum):
    """A detail that an incident report must state besides the cards in the order in which they left the shoe."""

    SIDES = "sides"  # the position of each card
    EARLY = "early"  # the number of last cards that were drawn or exposed before their turn
    ORDER = "order"  # the number of last cards that came together, in unknown order


Facts = Mapping[Fact, bool | None]
"""Each fact: whether it holds; None, or no entry: the cards do not decide it."""


class Procedure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The consequence of an incident, with its condition.

    ``incident``: the incident that it answers. Default: its own id. ``decides``: whose decision it is, where the
    document names someone. ``asks``: what a report must state beside the cards. It applies where every fact of
    ``if`` holds, unless every fact of ``unless`` does.
    """

    id: Id
    """The id of the procedure."""
    clauses: Annotated[tuple[Clause, ...], msgspec.Meta(min_length=1)]
    """Where the document states it."""
    when: Text
    """A sentence: the incident."""
    effect: Effect
    """The effect of the procedure on a settlement."""
    incident: Id = ""
    """The incident that it answers, where several procedures answer it. Default: its id."""
    decides: str = ""
    """The person who decides, if the document names one."""
    asks: Asks | None = None
    """A detail that an incident report must state besides the cards in the order in which they left the shoe."""
    only_if: tuple[Fact, ...] = msgspec.field(name="if", default=())
    """The procedure applies where every one of these facts holds."""
    unless: tuple[Fact, ...] = ()
    """The procedure does not apply where every one of these facts holds."""

    @property
    def answers(self) -> str:
        """The incident that it answers."""
        return self.incident or self.id

    @property
    def cited(self) -> str:
        """Its clauses, as a line cites them."""
        return ", ".join(self.clauses)

    def applies(self, facts: Facts) -> bool | None:
        """Return whether its condition holds, or None if the facts do not decide it.

        >>> late = Procedure(id="late", clauses=("5.1",), when="So.", effect=Effect.SETTLED, unless=(Fact.OUTCOME,))
        >>> late.applies({Fact.OUTCOME: False}), late.applies({Fact.OUTCOME: True}), late.applies({})
        (True, False, None)
        """
        unknown = [fact for fact in self.facts if facts.get(fact) is None]
        answers = {
            self.holds({**facts, **dict(zip(unknown, values, strict=True))})
            for values in product((True, False), repeat=len(unknown))
        }
        return answers.pop() if len(answers) == 1 else None

    def holds(self, facts: Facts) -> bool:
        """Whether its condition holds; requires that every fact that it names is known."""
        is_excepted = bool(self.unless) and all(facts[fact] for fact in self.unless)
        return all(facts[fact] for fact in self.only_if) and not is_excepted

    @property
    def condition(self) -> str:
        """Its condition as a clause of a sentence, or the empty text if it has none."""
        parts = [fact.in_words for fact in self.only_if]
        if self.unless:
            contraries = [fact.contrary for fact in self.unless]
            parts.append(f"{'either ' if len(contraries) > 1 else ''}{' or '.join(contraries)}")
        return " and ".join(parts)

    @property
    def facts(self) -> frozenset[Fact]:
        """The facts that its condition names."""
        return frozenset((*self.only_if, *self.unless))


class DealingErrors(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that all players have after a dealing error, with the clause of each.

    ``outcome`` is where the document says when an outcome is established, ``reconstruction`` where it says what it
    is to reconstruct cards. ``excludes``: the procedures of errors that the options are not for; where one of them
    applies, it answers instead, whatever the incident is called.
    """

    clause: Clause
    """Where the document states the options."""
    outcome: Clause
    """Where the document states when an outcome is established."""
    reconstruction: Clause
    """Where the document defines the reconstruction of cards."""
    as_it_is: Clause
    """The option to go on with the hand as it is."""
    reconstructed: Clause
    """The option to go on with the cards put back into their order."""
    returned: Clause
    """The option to have the bet returned."""
    excludes: tuple[Text, ...] = ()
    """Procedures of errors without these options: where one applies, it answers instead."""
