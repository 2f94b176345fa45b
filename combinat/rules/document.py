"""A rule document as a record. Its fields are the keys of the TOML file."""

import datetime
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeVar

import msgspec

from combinat.base.errors import InputError, near_hint, shortened
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular
from combinat.rules.bet import Bet, ExampleRound, Expect, Pay
from combinat.rules.cards import Rank
from combinat.rules.house_rules import PRACTICES, Phrased, Practice, TableLimits
from combinat.rules.insurance import (
    InsuranceTable,
    InsuranceTerms,
    Insured,
    Limit,
    Offer,
    Open,
    State,
)
from combinat.rules.odds import Clause, Id, Text
from combinat.rules.procedure import DealingErrors, Effect, Fact, Procedure
from combinat.rules.round import Round, Stage, finished_round
from combinat.rules.table_of_play import COMMON_TABLE, Hand, PrintedTable, TableOfPlay
from combinat.rules.value_sets import PointsOrNone

SCHEMA = 1


class RuleRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a rule book: frozen, with a closed set of keys."""


class Decks(RuleRecord, frozen=True, kw_only=True):
    """The numbers of decks that the document allows."""

    least: int
    """The fewest decks of a fresh shoe."""
    most: int
    """The most decks of a fresh shoe."""
    clause: Clause
    """Where the document states them."""

    def allows(self, decks: int) -> bool:
        """Whether the document allows a shoe of this many decks."""
        return self.least <= decks <= self.most


class Positions(RuleRecord, frozen=True, kw_only=True):
    """The numbers of playing positions of a layout."""

    least: int
    """The fewest positions."""
    most: int
    """The most positions."""

    def __str__(self) -> str:
        return str(self.most) if self.least == self.most else f"{self.least} to {self.most}"


class Layout(RuleRecord, frozen=True, kw_only=True):
    """A table layout, shown in an appendix of the document."""

    id: Text
    """The letter or name of the layout, such as A."""
    clause: Clause
    """Where the document shows it."""
    positions: Positions
    """The number of playing positions."""
    kind: str = ""
    """The kind of table, as the document names it."""


class Clauses(RuleRecord, frozen=True, kw_only=True):
    """The clauses of the rules that all bets depend on.

    ``table_of_play`` and ``third_cards`` are for a rule book that states no ``[table_of_play]``: the clauses
    of the table and of what the Banker Hand does when the Player Hand has stood. The others state them there.
    """

    card_values: Clause
    """The values of cards."""
    point_total: Clause
    """The clause on the points of a hand."""
    natural: Clause
    """The definition of a natural."""
    deal: Clause
    """The clause on the dealing of cards."""
    third_cards: Clause = ""
    """The Banker Hand's draw when the Player Hand has stood; only without [table_of_play]."""
    table_of_play: Clause = ""
    """The Table of Play; only without [table_of_play]."""
    winner: Clause
    """Which hand wins."""
    tie: Clause
    """The definition of a tie."""
    bets: str = ""
    """The list of bets."""


class VoidBets(Phrased):
    """The treatment of bets when the shoe cannot finish the round."""

    RETURNED = "returned", "every bet is returned"
    DECIDED_STAND = "decided-stand", "decided bets stand, the others are returned"
    STAY = "stay", "every bet stays for the next round"


class Void(RuleRecord, frozen=True, kw_only=True):
    """A round that the shoe could not finish."""

    clauses: Annotated[tuple[Clause, ...], msgspec.Meta(min_length=1)]
    """Where the document states it."""
    bets: VoidBets
    """The treatment of bets when the shoe cannot finish the round."""


class OtherPays(RuleRecord, frozen=True, kw_only=True):
    """Another pay table for one bet."""

    id: Text
    """The bet."""
    pays: tuple[Pay, ...]
    """Its pay table by the other reading."""


class OtherOffers(RuleRecord, frozen=True, kw_only=True):
    """Other lines for one hand's insurance at one stage."""

    side: Hand
    """The insured hand."""
    stage: Stage
    """The stage of the offer."""
    offers: tuple[Offer, ...]
    """The lines by the other reading."""

    @property
    def insured(self) -> Insured:
        """The hand and the stage that they insure."""
        return Insured(self.side, self.stage)


class OtherLayout(RuleRecord, frozen=True, kw_only=True):
    """Other bets on one layout."""

    id: Text
    """The layout."""
    bets: tuple[Text, ...]
    """The bets that it offers by the other reading."""


if TYPE_CHECKING:
    OtherPractice = RuleRecord
else:  # the keys of ``Practice``, all without an answer
    OtherPractice = msgspec.defstruct(
        "OtherPractice",
        [(field.name, field.type | None, None) for field in msgspec.structs.fields(Practice)],
        bases=(RuleRecord,),
        module=__name__,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )


class Instead(OtherPractice, frozen=True, kw_only=True):
    """The other reading of a clause: what it puts in place of the rule book's own, and of its ``Practice``."""

    bets: tuple[OtherPays, ...] = ()
    """Other pay tables for some bets."""
    layouts: tuple[OtherLayout, ...] = ()
    """Other bets on some layouts."""
    insurance: tuple[OtherOffers, ...] = ()
    """Other lines for some insurance tables."""
    insurance_open: Open | None = None
    """Another rule for when an offer is open."""
    insurance_limits: tuple[Limit, ...] = ()
    """Other caps on insurance bets."""
    void_bets: VoidBets | None = None
    """Another rule for the bets of a void round."""
    banker_draws_against_natural: PointsOrNone | None = None
    """Other totals on which the Banker Hand draws against a natural of the Player."""

    @property
    def practices(self) -> dict[str, str]:
        """The questions of practice that it answers differently."""
        answers = {key: getattr(self, key) for key in PRACTICES}
        return {key: answer for key, answer in answers.items() if answer is not None}


class Interpretation(RuleRecord, frozen=True, kw_only=True):
    """An unclear clause: the question, the reading taken, and the other one as data."""

    id: Id
    """The id of the entry."""
    clauses: Annotated[tuple[Clause, ...], msgspec.Meta(min_length=1)]
    """The clauses that are unclear."""
    question: Text
    """The question that the clauses leave open."""
    reading: Text
    """The reading that this rule book takes."""
    otherwise: Text
    """The other reading."""
    instead: Instead
    """The other reading as data: what replaces the rule book's own."""


class NoBearing(RuleRecord, frozen=True, kw_only=True):
    """Clauses that nothing here depends on, and why."""

    clauses: Annotated[tuple[Clause, ...], msgspec.Meta(min_length=1)]
    """The clauses."""
    why: Text
    """Why no figure depends on them."""


@lru_cache(maxsize=64)
def _offers(tables: tuple[InsuranceTable, ...]) -> dict[State, Offer]:
    """Return every state of the tables; cached, because every settlement needs them."""
    return {state: offer for table in tables for state, offer in table.states()}


Named = TypeVar("Named", Bet, Layout, Procedure, Interpretation)


class Status(StrEnum):
    """Whether a rule book states an approved document, or is somebody's draft."""

    APPROVED = "approved"
    DRAFT = "draft"


class RuleText(msgspec.Struct, frozen=True, eq=False):
    """The text of a rule book, as bytes. Any two are equal: the same rules in other words are the same game."""

    content: bytes = b""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleText)

    def __hash__(self) -> int:
        return hash(RuleText)


class RuleDocument(Tabular, RuleRecord, frozen=True, kw_only=True):
    """One approved rule document, or the draft of one: its fields are the keys of a rule book."""

    read_first: ClassVar[tuple[str, ...]] = ("base",)

    schema: int
    """The version of the file format: 1."""
    id: Id
    """The id of the game: the name of the file without .toml."""
    name: Text
    """The name of the game, as its document has it."""
    status: Status = Status.APPROVED
    """Whether it states an approved document, or is a draft, which may omit what only a document has.
    Default on a base: draft."""
    varies: str = ""
    """The game that this one is a variation of. Default: the base."""
    operator: Text
    """The operator whose document it is."""
    effective: datetime.date | None = None
    """The day from which the document is in force."""
    stated: Text
    """Where the document states its name and date, such as its title page."""
    decks: Decks
    """The numbers of decks that the document allows."""
    layouts: tuple[Layout, ...]
    """The table layouts. Each offers some of the bets."""
    clauses: Clauses
    """The clauses of the rules that all bets depend on."""
    void: Void
    """A round that the shoe cannot finish."""
    bets: tuple[Bet, ...]
    """The bets, each with its pay table."""
    version: str = ""
    """The version of the document."""
    authority: str = ""
    """The authority that approved the document."""
    time: datetime.time | None = None
    """The time of the day from which the document is in force."""
    insurance_terms: InsuranceTerms | None = None
    """The terms of every insurance bet."""
    insurance: tuple[InsuranceTable, ...] = ()
    """The insurance pay tables: one for each hand and stage."""
    dealing_errors: DealingErrors | None = None
    """The options of all players after a dealing error, each with its clause."""
    procedures: tuple[Procedure, ...] = ()
    """The procedures for incidents at the table."""
    interpretations: tuple[Interpretation, ...] = ()
    """The register of unclear clauses: the reading taken, and the other one as data."""
    no_bearing: tuple[NoBearing, ...] = ()
    """The clauses that no figure depends on, and why."""
    practice: Practice = Practice()
    """The answers to questions that the document leaves open, where they are not the common ones."""
    stated_table: PrintedTable | None = msgspec.field(name="table_of_play", default=None)
    """The Table of Play: when each hand draws a third card. Default: the table of all four documents."""
    table_limits: TableLimits | None = None
    """Where the document states the limits of a table."""
    examples: tuple[ExampleRound, ...] = ()
    """Finished rounds, each with the pay line that applies; checked whenever the file is loaded."""
    expect: tuple[Expect, ...] = ()
    """Published figures with their source; combinat check compares them with the exact ones."""

    @property
    def is_draft(self) -> bool:
        """Whether it is a draft, which may leave out clauses, operator and dates."""
        return self.status is Status.DRAFT

    @property
    def in_force(self) -> str:
        """The day from which the document is in force, as 2025-08-08, or ``not stated`` in a draft without one."""
        return "not stated" if self.effective is None else str(self.effective)

    def to_dicts(self) -> list[dict[str, Exact]]:
        """Return a row for each line of every pay table: the bet, the line, its odds.

        ``coverage`` has the conditions.
        """
        return [
            {
                "bet": bet.id,
                "name": bet.name,
                "line": pay.name or "wins",
                "odds": str(pay.odds),
                "net": pay.odds.net,
                "clause": pay.clause or bet.settled,
            }
            for bet in self.bets
            for pay in bet.pays
        ]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}: {len(self.bets)} bets, {self.decks.least} to {self.decks.most} decks>"

    @property
    def printed_table(self) -> PrintedTable:
        """The Table of Play of the rule book, or else the common one."""
        return self.stated_table or COMMON_TABLE

    @property
    def table_of_play(self) -> TableOfPlay:
        """The Table of Play of the game, cell by cell."""
        return self.printed_table.cells

    @property
    def table_clause(self) -> str:
        """The clause that prints the Table of Play."""
        return self.stated_table.clause if self.stated_table else self.clauses.table_of_play

    @property
    def stood_clause(self) -> str:
        """The clause on the Banker Hand after the Player Hand has stood."""
        return self.stated_table.stood_clause if self.stated_table else self.clauses.third_cards

    def round(self, player: Sequence[Rank] = (), banker: Sequence[Rank] = ()) -> Round:
        """Return a round of this game with these cards on the table."""
        return Round(tuple(player), tuple(banker), self.table_of_play)

    def finished_round(self, player: Sequence[Rank], banker: Sequence[Rank]) -> Round:
        """Return the round of two complete hands; refuse hands that the game's Table of Play cannot deal."""
        return finished_round(
            player,
            banker,
            table=self.table_of_play,
            table_clause=self.table_clause,
            stood_clause=self.stood_clause,
        )

    def bet(self, bet_id: str) -> Bet:
        """Return the bet with this id."""
        return self._one_of(self.bets, "bet", bet_id)

    def bet_on(self, hand: Hand) -> Bet | None:
        """Return the bet on a hand: the one with that ``hand``, else the one with the hand's name as id, or None."""
        says_so = [bet for bet in self.bets if bet.hand is hand]
        called_so = [bet for bet in self.bets if bet.hand is None and bet.id == hand.value]
        return next(iter([*says_so, *called_so]), None)

    def layout(self, layout_id: str) -> Layout:
        """Return the layout with this id."""
        known = [layout.id for layout in self.layouts]
        return self._one_of(self.layouts, "layout", layout_id if layout_id in known else layout_id.upper())

    def procedure(self, procedure_id: str) -> Procedure:
        """Return the procedure with this id."""
        return self._one_of(self.procedures, "procedure", procedure_id)

    def void_bets(self, procedure: Procedure) -> VoidBets:
        """Return the treatment of bets in a void round; decided bets stand only if the shoe ran out."""
        ran_out = Fact.CARDS_MISSING in procedure.only_if
        stand = self.void.bets is VoidBets.DECIDED_STAND
        return VoidBets.RETURNED if stand and not ran_out else self.void.bets

    def effect_in_words(self, procedure: Procedure) -> str:
        """Return the effect of a procedure on a settlement, as a sentence."""
        if procedure.effect is Effect.RETURNED:
            return self.void_bets(procedure).in_words
        if procedure.effect is Effect.INSURANCE_FORGONE and self.practice.silent_player == "forgoes-offer":
            return f"this player forgoes {self.practice.in_words('silent_player')}"
        return procedure.effect.in_words

    def answers_to(self, incident: str) -> tuple[Procedure, ...]:
        """Return the procedures that answer an incident, named by its id or by the id of one of them."""
        answers = tuple(procedure for procedure in self.procedures if procedure.answers == incident)
        return answers or (self.procedure(incident),)

    @property
    def incident_ids(self) -> tuple[str, ...]:
        """The incidents that the document answers, in its order."""
        return tuple(dict.fromkeys(procedure.answers for procedure in self.procedures))

    def answers_to_incident(self, incident: str) -> tuple[Procedure, ...]:
        """Return the procedures that answer an incident.

        Refuse an incident that the document does not answer.
        """
        if incident in self.incident_ids:
            return self.answers_to(incident)
        raise self._unknown_id("incident", incident, self.incident_ids)

    def interpretation(self, interpretation_id: str) -> Interpretation:
        """Return the entry of the register with this id."""
        return self._one_of(self.interpretations, "interpretation", interpretation_id)

    def _one_of(self, records: tuple[Named, ...], kind: str, wanted: str) -> Named:
        for record in records:
            if record.id == wanted:
                return record
        raise self._unknown_id(kind, wanted, [record.id for record in records])

    def _unknown_id(self, kind: str, wanted: str, known: Sequence[str]) -> InputError:
        """Return the refusal of an unknown id."""
        hint = near_hint(wanted, known)
        return InputError(
            f'{self.id} has no {kind} "{shortened(wanted)}"{hint} It has: {", ".join(known) or "none"}'
        )

    def bets_on(self, layout_id: str) -> tuple[Bet, ...]:
        """Return the bets that a layout offers."""
        layout = self.layout(layout_id)
        return tuple(bet for bet in self.bets if layout.id in bet.layouts)

    @property
    def offers(self) -> dict[State, Offer]:
        """Every insurance state the game offers, with the line that covers it."""
        return _offers(self.insurance)

    def insurance_table(self, side: Hand, stage: Stage) -> InsuranceTable | None:
        """Return the lines that insure this hand at this stage, or None if the game has none."""
        return next((table for table in self.insurance if (table.side, table.stage) == (side, stage)), None)

    def offer(self, side: Hand, moment: Round) -> Offer | None:
        """Return the insurance offer that is open for a hand at this moment of a round, or None."""
        if self.insurance_terms is None or moment.stage is None:
            return None
        if moment.is_over and self.insurance_terms.open is Open.CARD_TO_COME:
            return None
        state = State(side, moment.stage, moment.points(Hand.PLAYER), moment.points(Hand.BANKER))
        return self.offers.get(state)
