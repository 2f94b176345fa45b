"""Differences between two rule books: additions, removals and changes, and their effect on the house edge."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from combinat.analysis.odds import Analysis, one_round_analysis
from combinat.analysis.readings import Measure, differences
from combinat.base.errors import InputError
from combinat.base.tabular import Answer
from combinat.rules import bounds
from combinat.rules.bet import Bet, Case
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import load_game
from combinat.rules.converters import DECKS, GameGiven, as_game, whole_number
from combinat.rules.document import RuleDocument
from combinat.rules.facts import BY_NAME
from combinat.rules.game import Game
from combinat.rules.house_rules import PRACTICES
from combinat.rules.insurance import Offer, State
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import TOTALS
from combinat.rules.value_sets import NumberSet


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
    """The kind of a change from the first rule book to the second."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, kw_only=True)
class ChangeEffect:
    """The effect of a number of decks or a reading on one figure; None where the figure does not exist.

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
        """The change of the figure."""
        return None if self.first is None or self.second is None else self.second - self.first


@dataclass(frozen=True, kw_only=True)
class RuleBookChange:
    """One difference. ``before`` and ``after``: the statement of each rule book, or empty.

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
        """The change of the house edge. None if a rule book has no edge here."""
        before, after = self.house_edges
        return None if before is None or after is None else after - before


def rule_book_changes(before: Game, after: Game, decks: int) -> tuple[RuleBookChange, ...]:
    """Return all differences between two rule books, with house edges on fresh shoes of ``decks`` decks."""
    analyses = [one_round_analysis(game, Shoe.of_decks(decks)) for game in (before, after)]
    return tuple(change for part in BookPart for change in _changed(part, *analyses))


class BookStatement(NamedTuple):
    """A statement of a rule book and its clause; ``house_edge``: that of a bet or an insurance state."""

    words: str = ""
    clause: str = ""
    house_edge: Fraction | None = None


Stated = Mapping[str, BookStatement]
"""The statements of a rule book on one part, by name."""


def _changed(part: BookPart, before: Analysis, after: Analysis) -> Iterator[RuleBookChange]:
    """Yield the differences in a part; the same words in another clause are not a difference."""
    first, second = _PARTS[part](before, after)
    for name in dict.fromkeys([*first, *second]):
        old, new = first.get(name, BookStatement()), second.get(name, BookStatement())
        if old.words != new.words or old.house_edge != new.house_edge:
            yield RuleBookChange(
                part=part,
                id=name,
                before=old.words,
                after=new.words,
                clauses=(old.clause, new.clause),
                house_edges=(old.house_edge, new.house_edge),
                effects=tuple(_EFFECTS[part](name, before, after)) if part in _EFFECTS else (),
            )


def _common(first: Stated, second: Stated) -> tuple[Stated, Stated]:
    """Return the statements about the names that both rule books have."""
    return (
        {name: said for name, said in first.items() if name in second},
        {name: said for name, said in second.items() if name in first},
    )


# ---------------------------------------------------------------- effects


def _effects_of_decks(name: str, before: Analysis, after: Analysis) -> Iterator[ChangeEffect]:
    """Return the house edges of the second game's bets at the deck limits of each game, if these differ."""
    for named in ("least", "most"):
        numbers = [getattr(analysis.game.decks, named) for analysis in (before, after)]
        if numbers[0] == numbers[1]:
            continue
        edges = [one_round_analysis(after.game, Shoe.of_decks(number)).bets for number in numbers]
        for bet, other in zip(*edges, strict=True):
            yield ChangeEffect(
                of=after.game.id,
                subject=bet.id,
                is_edge=True,
                measure=f"house edge with the {named} decks, {numbers[0]} and {numbers[1]}",
                first=bet.house_edge,
                second=other.house_edge,
            )


def _effects_of_reading(name: str, before: Analysis, after: Analysis) -> Iterator[ChangeEffect]:
    """Return the figures of the register in each book that has the entry.

    House edges replace expected values.
    """
    for analysis in (before, after):
        for entry in (entry for entry in analysis.game.interpretations if entry.id == name):
            for one in differences(analysis.game, entry, analysis.shoe, analysis.distribution):
                is_edge = one.measure in (Measure.EXPECTED_VALUE, Measure.UNTIL_DECIDED)
                sign = -1 if is_edge else 1
                yield ChangeEffect(
                    of=analysis.game.id,
                    subject=str(one.subject),
                    measure=one.measure.in_words.replace("expected value", "house edge"),
                    is_edge=is_edge,
                    first=None if one.read is None else sign * one.read,
                    second=None if one.otherwise is None else sign * one.otherwise,
                )


_EFFECTS = {BookPart.DECKS: _effects_of_decks, BookPart.READINGS: _effects_of_reading}


# ---------------------------------------------------------------- the statements of a rule book, in phrases


def _document(game: Game) -> Stated:
    keys = ("name", "version", "operator", "authority", "effective", "time")
    return {
        key: BookStatement(str(value), game.stated)
        for key in keys
        if (value := getattr(game, key)) not in (None, "")
    }


def _layouts(game: Game) -> Stated:
    return {
        layout.id: BookStatement(
            f"{layout.kind + ', ' if layout.kind else ''}{layout.positions} positions", layout.clause
        )
        for layout in game.layouts
    }


def _bets(before: Analysis, after: Analysis) -> tuple[Stated, Stated]:
    bets = [{bet.id: bet for bet in analysis.game.bets} for analysis in (before, after)]
    # Two different pay tables with the same words are described by the facts of their lines.
    alike = {
        name
        for name in bets[0].keys() & bets[1].keys()
        if _pays_in_words(bets[0][name]) == _pays_in_words(bets[1][name])
        and _settling(bets[0][name]) != _settling(bets[1][name])
    }

    def statements(analysis: Analysis) -> Stated:
        return {
            bet.id: BookStatement(
                _pays_in_words(bet, with_facts=bet.id in alike), bet.settled, analysis.bet(bet.id).house_edge
            )
            for bet in analysis.game.bets
        }

    return statements(before), statements(after)


def _settling(bet: Bet) -> list[object]:
    """Return what settles a bet: the facts and odds of every line, and the result if no line applies."""
    lines = [(pay.facts, [case.facts for case in pay.exceptions], pay.odds.net) for pay in bet.pays]
    return [*lines, bet.rest]


def _pays_in_words(bet: Bet, *, with_facts: bool = False) -> str:
    """Return a pay table as a phrase, with the facts of every line if their names are ambiguous."""
    lines = []
    for pay in bet.pays:
        odds = f"at {pay.odds}" if pay.odds.net > 0 else "lost" if pay.odds.net else "returned"
        excepted = "".join(f", except {_facts_in_words(case)}" for case in pay.exceptions)
        facts = f" ({_facts_in_words(pay)}{excepted})" if with_facts else ""
        lines.append(f"{pay.name or 'wins'}{facts} {odds}")
    return "; ".join([*lines, *([] if bet.rest else ["otherwise returned"])])


def _facts_in_words(case: Case) -> str:
    values = {fact: getattr(case, fact) for fact in BY_NAME if fact in case.facts}
    return ", ".join(
        f"{fact} {str(value).lower() if isinstance(value, bool) else value}" for fact, value in values.items()
    )


def _offered_on(game: Game) -> Stated:
    return {bet.id: BookStatement(" ".join(bet.layouts), bet.settled) for bet in game.bets}


def _table_of_play(game: Game) -> Stated:
    printed, table, stood = game.printed_table, game.table_clause, game.stood_clause
    rules = {
        "natural": BookStatement(str(printed.natural), table),
        "Player Hand draws": BookStatement(str(printed.player_draws), table),
        "Banker Hand draws, Player stood": BookStatement(str(printed.banker_draws_when_player_stood), stood),
        "Banker Hand draws against a natural": BookStatement(
            str(printed.banker_draws_against_natural), stood
        ),
    }
    thirds = {
        f"Banker Hand with {total} draws, Player's third": BookStatement(
            str(NumberSet(printed.third(total))), table
        )
        for total in TOTALS
        if total not in printed.natural
    }
    return rules | thirds


def _insurance(before: Analysis, after: Analysis) -> tuple[Stated, Stated]:
    """Return the statements about every state that a game offers, by hand, stage and own points."""

    def place(state: State) -> tuple[object, ...]:
        return state.side, state.stage, state.points(state.side), state.points(state.side.other)

    def statements(analysis: Analysis) -> Stated:
        edges = {one.state: one.house_edge for one in analysis.insurance}
        clauses = {state: table.settled for table in analysis.game.insurance for state, _ in table.states()}
        return {
            str(state): BookStatement(_offer_in_words(offer), offer.clause or clauses[state], edges[state])
            if (offer := analysis.game.offers.get(state))
            else BookStatement()
            for state in every
        }

    every = sorted({*before.game.offers, *after.game.offers}, key=place)
    return statements(before), statements(after)


def _offer_in_words(offer: Offer) -> str:
    return f"{offer.odds}, {f'a tie on {offer.tie_pays} pays' if offer.tie_pays else 'a tie is returned'}"


def _insurance_terms(game: Game) -> Stated:
    terms = game.insurance_terms
    if terms is None:
        return {}
    limits = {
        f"limit {number}": BookStatement(one.in_words, one.clause)
        for number, one in enumerate(terms.limits, start=1)
    }
    return {
        "name": BookStatement(terms.name, terms.clauses[0]),
        "open": BookStatement(terms.open.in_words, ", ".join(terms.clauses)),
        **limits,
    }


def _records(before: Sequence[Any], after: Sequence[Any], heads: Sequence[str] = ()) -> tuple[Stated, Stated]:
    """Return the statements of records with ids, such as procedures.

    For common records, the keys that differ. ``heads``: the keys shown for a record that only one rule book
    has. Default: all.
    """
    first, second = ({record.id: record for record in records} for records in (before, after))

    def in_words(record: msgspec.Struct, other: msgspec.Struct | None) -> str:
        keys = {key: getattr(record, key) for key in record.__struct_fields__ if key not in ("id", "clauses")}
        named = [
            key
            for key, value in keys.items()
            if (
                value != getattr(other, key)
                if other
                else (not heads or key in heads) and value not in _NOTHING
            )
        ]
        in_short = [key for key in named if key != "instead"] or named
        return "; ".join(
            f"{key.replace('_', ' ')}: {_plain(keys[key]).rstrip('.') or 'none'}" for key in in_short
        )

    def statements(own: Mapping[str, Any], others: Mapping[str, Any]) -> Stated:
        return {
            name: BookStatement(in_words(one, others.get(name)), ", ".join(one.clauses))
            for name, one in own.items()
        }

    return statements(first, second), statements(second, first)


_NOTHING = (None, (), "")
"""The values of keys that a rule book leaves out."""


def _plain(value: Any) -> str:
    """Return a value approximately as the rule book writes it."""
    if isinstance(value, msgspec.Struct):
        inner = {key: getattr(value, key) for key in value.__struct_fields__}
        return ", ".join(f"{key} {_plain(one)}" for key, one in inner.items() if one not in _NOTHING)
    return "; ".join(map(_plain, value)) if isinstance(value, tuple) else str(value)


def _practices(game: Game) -> Stated:
    """Return every practice, with the clauses of its entry of the register, or of its procedure."""
    clauses: dict[str, list[str]] = {key: [] for key in PRACTICES}
    for entry in game.interpretations:
        for key in entry.instead.practices:
            clauses[key] += entry.clauses
    squeeze = [clause for one in game.procedures if one.id == SQUEEZE for clause in one.clauses]
    clauses["squeeze_waives"] = clauses["squeeze_waives"] or squeeze
    return {
        key: BookStatement(game.practice.in_words(key), ", ".join(dict.fromkeys(cited)))
        for key, cited in clauses.items()
    }


SQUEEZE = "squeeze"
"""The procedure that states whose insurance a squeeze waives."""

COMPARED = {
    *("schema", "id", "name", "version", "operator", "authority", "effective", "time", "stated", "decks"),
    *("layouts", "clauses", "void", "bets", "insurance_terms", "insurance", "procedures", "varies"),
    *("interpretations", "no_bearing", "practice", "stated_table"),
}
"""The fields of a game that another part compares, or that name its rule book."""


def _others(game: Game) -> Stated:
    """Return the other statements of a rule book, key by key; texts that are clauses are cited as such."""
    names = [field.name for field in msgspec.structs.fields(RuleDocument) if field.name not in COMPARED]
    return {
        key: BookStatement(words, words if _IS_CLAUSE.fullmatch(words) else "")
        for name in names
        for key, words in _leaves(name, getattr(game, name))
    }


_IS_CLAUSE = re.compile(r"(?a)\d+(\.\d+)+[a-z]?")


def _leaves(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield every value within a value that is neither a record nor a list, by its dotted key."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _leaves(f"{key}.{name}", getattr(value, name))
    elif isinstance(value, tuple):
        for number, entry in enumerate(value):
            yield from _leaves(f"{key}[{number}]", entry)
    elif value not in (None, ""):
        yield key, str(value)


def _no_bearing(game: Game) -> Stated:
    return {entry.why: BookStatement(cited := ", ".join(entry.clauses), cited) for entry in game.no_bearing}


def _clauses(game: Game) -> Stated:
    """Return every citation of a rule book: its subject and its clause."""
    cited = {
        **{name.replace("_", " "): clause for name, clause in msgspec.structs.asdict(game.clauses).items()},
        "table of play": game.table_clause,
        "third cards": game.stood_clause,
        "decks": game.decks.clause,
        "void": ", ".join(game.void.clauses),
    }
    for bet in game.bets:
        cited |= {f"bet {bet.id}, defined": bet.defined, f"bet {bet.id}, settled": bet.settled}
    cited |= {f"insurance {table.insured}": table.settled for table in game.insurance}
    if game.insurance_terms is not None:
        cited["insurance terms"] = ", ".join(game.insurance_terms.clauses)
    cited |= {f"procedure {one.id}": ", ".join(one.clauses) for one in game.procedures}
    cited |= {f"reading {one.id}": ", ".join(one.clauses) for one in game.interpretations}
    return {name: BookStatement(clause, clause) for name, clause in cited.items()}


Compares = Callable[[Analysis, Analysis], tuple[Stated, Stated]]


def _each(statements_of: Callable[[Game], Stated]) -> Compares:
    """Return a function that compares the named statements of a part of two rule books."""
    return lambda before, after: (statements_of(before.game), statements_of(after.game))


_PARTS: dict[BookPart, Compares] = {
    BookPart.DOCUMENT: _each(_document),
    BookPart.DECKS: _each(
        lambda game: {"decks": BookStatement(f"{game.decks.least} to {game.decks.most}", game.decks.clause)}
    ),
    BookPart.LAYOUTS: _each(_layouts),
    BookPart.BETS: _bets,
    BookPart.OFFERED_ON: lambda before, after: _common(_offered_on(before.game), _offered_on(after.game)),
    BookPart.TABLE_OF_PLAY: _each(_table_of_play),
    BookPart.VOID: _each(
        lambda game: {"void": BookStatement(game.void.bets.in_words, ", ".join(game.void.clauses))}
    ),
    BookPart.INSURANCE: _insurance,
    BookPart.INSURANCE_TERMS: _each(_insurance_terms),
    BookPart.PROCEDURES: lambda before, after: _records(before.game.procedures, after.game.procedures),
    BookPart.PRACTICE: _each(_practices),
    BookPart.READINGS: lambda before, after: _records(
        before.game.interpretations, after.game.interpretations, ("question", "reading")
    ),
    BookPart.OTHER: _each(_others),
    BookPart.NO_BEARING: _each(_no_bearing),
    BookPart.CLAUSES: lambda before, after: _common(_clauses(before.game), _clauses(after.game)),
}

REFERENCE_DECKS = 8


class BetVariation(NamedTuple):
    """A bet that a variation changes: its name, the change, and the change of the house edge, if any."""

    subject: str
    words: str
    edge: Fraction | None


class Variation(NamedTuple):
    """The base of a rule book, and the changes in its bets, with house edges on a fresh shoe."""

    base: Game
    decks: int
    changes: tuple[BetVariation, ...]


def variation(game: Game) -> Variation | None:
    """Return the changes of a game to the shipped game that it varies, or None if there is none."""
    if game.varies not in rule_book_paths():
        return None
    base = load_game(game.varies)
    analyses = [one_round_analysis(one, Shoe.of_decks(REFERENCE_DECKS)) for one in (base, game)]
    return Variation(base, REFERENCE_DECKS, tuple(_changes(*analyses)))


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
    """Yield the lines of a pay table whose odds differ."""
    old = {before.line_name(pay): pay.odds for pay in before.pays}
    new = {after.line_name(pay): pay.odds for pay in after.pays}
    alone = len(old) == len(new) == 1
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            line = "" if alone else f"{name} "
            yield f"{line}{old.get(name, 'not paid')} -> {new.get(name, 'not paid')}"


@dataclass(repr=False, frozen=True, slots=True, kw_only=True)
class RuleBookDiff(Answer):
    """Every difference between two rule books, with its effect on fresh shoes of ``decks`` decks."""

    before: Game
    after: Game
    decks: int
    changes: Sequence[RuleBookChange]


def diff(before: GameGiven, after: GameGiven | None = None, *, decks: int | str = DECKS) -> RuleBookDiff:
    """Return the additions, removals and changes of a rule book against another, with the effect on the edge.

    With one game, return its changes to its base.

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
