"""Two rule books side by side: what the second adds, takes out and changes, and what that does to the house edge."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from combinat.analysis.analysis import Analysis, analyze
from combinat.analysis.in_words import (
    draws_in_words,
    layout_in_words,
    offer_in_words,
    pays_in_words,
    record_in_words,
)
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.readings import Difference, Measure, differences
from combinat.base.errors import InputError
from combinat.rules import bounds
from combinat.rules.bet import Bet
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import load_game
from combinat.rules.converters import DECKS, GameGiven, as_game, whole_number
from combinat.rules.document import RuleDocument
from combinat.rules.game import Game
from combinat.rules.house_rules import PRACTICES
from combinat.rules.insurance import State
from combinat.rules.shoe import Shoe


class BookPart(StrEnum):
    """The parts of a rule book, in the order in which they are compared."""

    DOCUMENT = "document"
    DECKS = "decks"
    LAYOUTS = "layouts"
    BETS = "bets"
    OFFERED_ON = "bets-on-layouts"
    TABLE_OF_PLAY = "table-of-play"
    VOID = "void"
    INSURANCE = "insurance"
    INSURANCE_TERMS = "insurance-terms"
    PROCEDURES = "procedures"
    PRACTICE = "practice"
    READINGS = "readings"
    OTHER = "other-rules"
    NO_BEARING = "no-bearing"
    CLAUSES = "clauses"


class Done(StrEnum):
    """What the second rule book does to something of the first."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, kw_only=True)
class ChangeEffect:
    """What a number of decks or a reading does to one figure; None: there is no such figure.

    ``of``: the id of the rule book by which it is computed; ``measure``: which figure it is; ``is_edge``: whether
    that is a house edge.
    """

    of: str
    subject: str
    measure: str
    is_edge: bool
    first: Fraction | None
    second: Fraction | None

    @property
    def change(self) -> Fraction | None:
        """By how much the figure moves."""
        return None if self.first is None or self.second is None else self.second - self.first


@dataclass(frozen=True, kw_only=True)
class RuleBookChange:
    """One thing that differs. ``before`` and ``after``: what each states of it; empty: nothing.

    ``clauses``: where each states it. ``house_edges``: of the bet or insurance state, on the reference shoe;
    None: there is none, or the thing has none. ``effects``: of decks, what the other number does to every bet;
    of a reading, what the other one does in each rule book that has it.
    """

    part: BookPart
    id: str
    before: str
    after: str
    clauses: tuple[str, str]
    house_edges: tuple[Fraction | None, Fraction | None] = (None, None)
    effects: tuple[ChangeEffect, ...] = ()

    @property
    def done(self) -> Done:
        """Whether it was added, removed or changed."""
        return Done.CHANGED if self.before and self.after else Done.ADDED if self.after else Done.REMOVED

    @cached_property
    def effect(self) -> Fraction | None:
        """By how much the house edge moves; None: one of the two has none."""
        before, after = self.house_edges
        return None if before is None or after is None else after - before


def rule_book_changes(before: Game, after: Game, decks: int) -> tuple[RuleBookChange, ...]:
    """All that differs between two rule books, with house edges on fresh shoes of this number of decks."""
    analyses = analyze(before, Shoe.of_decks(decks)), analyze(after, Shoe.of_decks(decks))
    return tuple(change for part in BookPart for change in _PARTS[part](part, *analyses))


Said = tuple[str, str]
"""What a rule book states of something, and where."""

NOTHING: Said = ("", "")


def _compared(
    part: BookPart,
    before: Mapping[str, Said],
    after: Mapping[str, Said],
    edges: Callable[[str], tuple[Fraction | None, Fraction | None]] = lambda name: (None, None),
) -> Iterator[RuleBookChange]:
    """What differs between two sets of things by name; the same words in another clause are no difference here."""
    for name in dict.fromkeys([*before, *after]):
        (words, clause), (other_words, other_clause) = before.get(name, NOTHING), after.get(name, NOTHING)
        house_edges = edges(name)
        if words != other_words or house_edges[0] != house_edges[1]:
            yield RuleBookChange(
                part=part,
                id=name,
                before=words,
                after=other_words,
                clauses=(clause, other_clause),
                house_edges=house_edges,
            )


def _document(game: Game) -> Iterator[tuple[str, Said]]:
    for key in ("name", "version", "operator", "authority", "effective", "time"):
        if getattr(game, key) not in (None, ""):
            yield key, (str(getattr(game, key)), game.stated)


def _decks(part: BookPart, before: Analysis, after: Analysis) -> Iterator[RuleBookChange]:
    first, second = (
        {"decks": (f"{game.decks.least} to {game.decks.most}", game.decks.clause)}
        for game in (before.game, after.game)
    )
    for change in _compared(part, first, second):
        yield replace(change, effects=tuple(_effects_of_decks(before.game, after.game)))


def _effects_of_decks(before: Game, after: Game) -> Iterator[ChangeEffect]:
    """The house edges of the second game's bets with the least and the most decks of each, where they differ."""
    first, second = before.decks, after.decks
    for named, numbers in (
        ("least", (first.least, second.least)),
        ("most", (first.most, second.most)),
    ):
        if numbers[0] == numbers[1]:
            continue
        edges = [analyze(after, Shoe.of_decks(number)).bets for number in numbers]
        for bet, other in zip(*edges, strict=True):
            yield ChangeEffect(
                of=after.id,
                subject=bet.id,
                is_edge=True,
                measure=f"house edge with the {named} decks, {numbers[0]} and {numbers[1]}",
                first=bet.house_edge,
                second=other.house_edge,
            )


def _readings(part: BookPart, before: Analysis, after: Analysis) -> Iterator[RuleBookChange]:
    both = before.game.interpretations, after.game.interpretations
    for change in _records(part, *both, ("question", "reading")):
        yield replace(
            change,
            effects=tuple(
                _effect_of_reading(analysis.game, one)
                for analysis in (before, after)
                for entry in analysis.game.interpretations
                if entry.id == change.id
                for one in differences(analysis.game, entry, analysis.shoe, analysis.distribution)
            ),
        )


def _layouts(game: Game) -> Iterator[tuple[str, Said]]:
    yield from ((layout.id, (layout_in_words(layout), layout.clause)) for layout in game.layouts)


def _bets(part: BookPart, before: Analysis, after: Analysis) -> Iterator[RuleBookChange]:
    both = before.game, after.game
    bets = [{bet.id: bet for bet in game.bets} for game in both]
    edges = [{bet.id: bet.house_edge for bet in analysis.bets} for analysis in (before, after)]
    # Where two pay tables read the same and are not, the facts of their lines are named.
    alike = {
        bet_id
        for bet_id in bets[0].keys() & bets[1].keys()
        if pays_in_words(bets[0][bet_id]) == pays_in_words(bets[1][bet_id])
        and _settling(bets[0][bet_id]) != _settling(bets[1][bet_id])
    }

    def stated(of_game: Mapping[str, Bet]) -> dict[str, Said]:
        return {
            bet.id: (pays_in_words(bet, with_facts=bet.id in alike), bet.settled) for bet in of_game.values()
        }

    yield from _compared(
        part,
        stated(bets[0]),
        stated(bets[1]),
        lambda bet_id: (edges[0].get(bet_id), edges[1].get(bet_id)),
    )


def _settling(bet: Bet) -> list[object]:
    """What settles a bet: of every line its facts and odds, and what becomes of it otherwise."""
    lines = [(pay.facts, [case.facts for case in pay.exceptions], pay.odds.net) for pay in bet.pays]
    return [*lines, bet.rest]


def _offered_on(part: BookPart, before: Analysis, after: Analysis) -> Iterator[RuleBookChange]:
    first, second = (
        {bet.id: (" ".join(bet.layouts), bet.settled) for bet in analysis.game.bets}
        for analysis in (before, after)
    )
    common = first.keys() & second.keys()
    yield from (change for change in _compared(part, first, second) if change.id in common)


def _table_of_play(game: Game) -> Iterator[tuple[str, Said]]:
    stood = ("Banker Hand draws, Player stood", "Banker Hand draws against a natural")
    for rule, draws in draws_in_words(game).items():
        yield rule, (draws, game.stood_clause if rule in stood else game.table_clause)


def _void(game: Game) -> Iterator[tuple[str, Said]]:
    yield "void", (game.void.bets.in_words, ", ".join(game.void.clauses))


def _insurance(part: BookPart, before: Analysis, after: Analysis) -> Iterator[RuleBookChange]:
    def stated(game: Game) -> dict[str, Said]:
        return {
            str(state): (offer_in_words(offer), offer.clause or listed.settled)
            for listed in game.insurance
            for state, offer in listed.states()
        }

    edges = [
        {str(one.state): one.house_edge for one in insurance_analysis(analysis.game, analysis.distribution)}
        for analysis in (before, after)
    ]
    order = {str(state): state for analysis in (before, after) for state in analysis.game.offers}
    changed = _compared(
        part,
        stated(before.game),
        stated(after.game),
        lambda state: (edges[0].get(state), edges[1].get(state)),
    )
    yield from sorted(changed, key=lambda change: _place(order[change.id]))


def _place(state: State) -> tuple[object, ...]:
    """Where a state stands: by hand and stage, then by the points of the hand that is insured."""
    return state.side, state.stage, state.points(state.side), state.points(state.side.other)


def _insurance_terms(game: Game) -> Iterator[tuple[str, Said]]:
    terms = game.insurance_terms
    if terms is not None:
        yield "name", (terms.name, terms.clauses[0])
        yield "open", (terms.open.in_words, ", ".join(terms.clauses))
        for number, limit in enumerate(terms.limits, start=1):
            yield f"limit {number}", (limit.in_words, limit.clause)


_SAYS_NOTHING = (None, (), "")
"""What stands under a key that a rule book leaves out."""


def _records(
    part: BookPart, before: Sequence[Any], after: Sequence[Any], heads: Sequence[str] = ()
) -> Iterator[RuleBookChange]:
    """Records with ids, such as procedures: of one that both have, the keys in which they differ.

    ``heads``: the keys shown of a record that only one of them has. Default: all.
    """
    of_each = [{record.id: record for record in records} for records in (before, after)]

    def stated(own: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Said]:
        stated_of = {}
        for record_id, record in own.items():
            keys = [key for key in record.__struct_fields__ if key not in ("id", "clauses")]
            other = others.get(record_id)
            named = (
                [
                    key
                    for key in keys
                    if (not heads or key in heads) and getattr(record, key) not in _SAYS_NOTHING
                ]
                if other is None
                else [key for key in keys if getattr(record, key) != getattr(other, key)]
            )
            in_words = [key for key in named if key != "instead"] or named
            stated_of[record_id] = record_in_words(record, in_words), ", ".join(record.clauses)
        return stated_of

    yield from _compared(part, stated(of_each[0], of_each[1]), stated(of_each[1], of_each[0]))


def _practice(game: Game) -> Iterator[tuple[str, Said]]:
    yield from ((key, (game.practice.in_words(key), _practised_by(game, key))) for key in PRACTICES)


def _effect_of_reading(game: Game, one: Difference) -> ChangeEffect:
    """The figure of the register; in the place of an expected value the house edge."""
    is_edge = one.measure in (Measure.EXPECTED_VALUE, Measure.UNTIL_DECIDED)
    sign = -1 if is_edge else 1
    return ChangeEffect(
        of=game.id,
        subject=str(one.subject),
        measure=one.measure.in_words.replace("expected value", "house edge"),
        is_edge=is_edge,
        first=None if one.read is None else sign * one.read,
        second=None if one.otherwise is None else sign * one.otherwise,
    )


def _practised_by(game: Game, key: str) -> str:
    """The clauses that a practice rests on: those of its entry of the register, or of its procedure; empty: none."""
    clauses = [
        clause for entry in game.interpretations if key in entry.instead.practices for clause in entry.clauses
    ] or [
        clause
        for procedure in game.procedures
        if key == "squeeze_waives" and procedure.id == SQUEEZE
        for clause in procedure.clauses
    ]
    return ", ".join(dict.fromkeys(clauses))


SQUEEZE = "squeeze"
"""The procedure that says for whom a squeeze waives insurance."""

COMPARED = {
    *("schema", "id", "name", "version", "operator", "authority", "effective", "time", "stated", "decks"),
    *("layouts", "clauses", "void", "bets", "insurance_terms", "insurance", "procedures", "varies"),
    *("interpretations", "no_bearing", "practice", "stated_table"),
}
"""The fields of a game that another part compares, or that name its rule book."""


def _others(game: Game) -> Iterator[tuple[str, Said]]:
    """What else a rule book states, key by key."""
    names = [field.name for field in msgspec.structs.fields(RuleDocument) if field.name not in COMPARED]
    for key, words in (leaf for name in names for leaf in _leaves(name, getattr(game, name))):
        yield key, (words, words if _IS_CLAUSE.fullmatch(words) else "")


_IS_CLAUSE = re.compile(r"(?a)\d+(\.\d+)+[a-z]?")
"""Words that are a clause, such as those of the table's limits: it is its own."""


def _leaves(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every value within a value that is neither a record nor a list, by its dotted key."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _leaves(f"{key}.{name}", getattr(value, name))
    elif isinstance(value, tuple):
        for number, entry in enumerate(value):
            yield from _leaves(f"{key}[{number}]", entry)
    elif value not in (None, ""):
        yield key, str(value)


def _no_bearing(game: Game) -> Iterator[tuple[str, Said]]:
    for entry in game.no_bearing:
        clauses = ", ".join(entry.clauses)
        yield entry.why, (clauses, clauses)


def _clauses(part: BookPart, before: Analysis, after: Analysis) -> Iterator[RuleBookChange]:
    """What both rule books have under different clauses."""
    first, second = (dict(_stands(analysis.game)) for analysis in (before, after))
    common = [name for name in first if name in second]
    before_said, after_said = (
        {name: (clauses[name], clauses[name]) for name in common} for clauses in (first, second)
    )
    yield from _compared(part, before_said, after_said)


def _stands(game: Game) -> Iterator[tuple[str, str]]:
    """Everything that a rule book cites a clause for, and the clause."""
    for name, clause in msgspec.structs.asdict(game.clauses).items():
        yield name.replace("_", " "), clause
    yield from (("table of play", game.table_clause), ("third cards", game.stood_clause))
    yield from (("decks", game.decks.clause), ("void", ", ".join(game.void.clauses)))
    for bet in game.bets:
        yield from ((f"bet {bet.id}, defined", bet.defined), (f"bet {bet.id}, settled", bet.settled))
    for table in game.insurance:
        yield f"insurance {table.insured}", table.settled
    if game.insurance_terms is not None:
        yield "insurance terms", ", ".join(game.insurance_terms.clauses)
    yield from _cited("procedure", game.procedures)
    yield from _cited("reading", game.interpretations)


def _cited(what: str, records: Iterable[Any]) -> Iterator[tuple[str, str]]:
    yield from ((f"{what} {record.id}", ", ".join(record.clauses)) for record in records)


def _each(stated: Callable[[Game], Iterable[tuple[str, Said]]]) -> "Compares":
    """The comparison of a part of which each rule book states some things by name."""
    return lambda part, before, after: _compared(part, dict(stated(before.game)), dict(stated(after.game)))


Compares = Callable[[BookPart, Analysis, Analysis], Iterator[RuleBookChange]]

_PARTS: dict[BookPart, Compares] = {
    BookPart.DOCUMENT: _each(_document),
    BookPart.DECKS: _decks,
    BookPart.LAYOUTS: _each(_layouts),
    BookPart.BETS: _bets,
    BookPart.OFFERED_ON: _offered_on,
    BookPart.TABLE_OF_PLAY: _each(_table_of_play),
    BookPart.VOID: _each(_void),
    BookPart.INSURANCE: _insurance,
    BookPart.INSURANCE_TERMS: _each(_insurance_terms),
    BookPart.PROCEDURES: lambda part, before, after: _records(
        part, before.game.procedures, after.game.procedures
    ),
    BookPart.PRACTICE: _each(_practice),
    BookPart.READINGS: _readings,
    BookPart.OTHER: _each(_others),
    BookPart.NO_BEARING: _each(_no_bearing),
    BookPart.CLAUSES: _clauses,
}

REFERENCE_DECKS = 8


class BetVariation(NamedTuple):
    """A bet that a variation changes: its name, the change, and by how much the house edge moves, if both have one."""

    subject: str
    words: str
    edge: Fraction | None


class Variation(NamedTuple):
    """The base of a rule book, and the changes in its bets, with house edges on a fresh shoe."""

    base: Game
    decks: int
    changes: tuple[BetVariation, ...]


def variation(game: Game) -> Variation | None:
    """What a game changes in the shipped game that it varies, or None if it varies none."""
    if game.varies not in rule_book_paths():
        return None
    base = load_game(game.varies)
    shoe = Shoe.of_decks(REFERENCE_DECKS)
    return Variation(base, REFERENCE_DECKS, tuple(_changes(analyze(base, shoe), analyze(game, shoe))))


def _changes(before: Analysis, after: Analysis) -> Iterator[BetVariation]:
    old = {bet.id: bet for bet in before.game.bets}
    new = {bet.id: bet for bet in after.game.bets}
    for bet_id, bet in new.items():
        if bet_id not in old:
            yield BetVariation(bet.name, "added", None)
            continue
        edge = after.bet(bet_id).house_edge - before.bet(bet_id).house_edge
        words = ", ".join(_odds(old[bet_id], bet))
        if words or edge:
            yield BetVariation(bet.name, words or "settled otherwise", edge)
    yield from (BetVariation(bet.name, "removed", None) for bet_id, bet in old.items() if bet_id not in new)


def _odds(before: Bet, after: Bet) -> Iterator[str]:
    """The lines of a pay table whose odds differ."""
    old = {before.line_name(pay): pay.odds for pay in before.pays}
    new = {after.line_name(pay): pay.odds for pay in after.pays}
    alone = len(old) == len(new) == 1
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            line = "" if alone else f"{name} "
            yield f"{line}{old.get(name, 'not paid')} -> {new.get(name, 'not paid')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBookDiff:
    """Every difference between two rule books, with its effect on fresh shoes of ``decks`` decks."""

    before: Game
    after: Game
    decks: int
    changes: Sequence[RuleBookChange]


def diff(before: GameGiven, after: GameGiven | None = None, *, decks: int | str = DECKS) -> RuleBookDiff:
    """Return all that one rule book adds, removes and changes in another, with the effect on the house edge.

    With one game: what it changes in its base.

    >>> diff("commission-insurance-2013", "tiger-buffalo-commission-plus-2024").after.id
    'tiger-buffalo-commission-plus-2024'
    """
    number = whole_number("decks", decks, 1, bounds.SHOE_DECKS)
    earlier, later = as_game(before), None if after is None else as_game(after)
    if later is None:
        later = earlier
        if not later.varies:
            raise InputError(f"{later.id} has no base to compare it with", "write two games")
        beside = Path(str(before)).parent / later.varies
        earlier = as_game(beside if later.varies.endswith(".toml") else later.varies)
    changes = rule_book_changes(earlier, later, number)
    return RuleBookDiff(before=earlier, after=later, decks=number, changes=changes)
