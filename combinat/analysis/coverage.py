"""The coverage of a pay table: its lines in words, ways and example deals; rounds left over.

Likely omissions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from combinat.analysis.bets import ZERO, BetAnalysis, bet_analysis
from combinat.base.kinds import COUNT, FRACTION, ODDS, TEXT, percentage
from combinat.base.relation import Field, Relation
from combinat.base.tabular import Answer, Listing, Tabular, in_percent
from combinat.engine.pairs import pair_distribution
from combinat.rules.bet import Bet, Expect
from combinat.rules.book.find import rule_book_path
from combinat.rules.book.load import examined_file
from combinat.rules.book.reader import Mistake
from combinat.rules.converters import DECKS, GameGiven, ShoeGiven, as_bets, as_game, as_shoe
from combinat.rules.deal_space import DealSpace, Kinds, deal_space
from combinat.rules.facts import BY_NAME, RESULT_FACTS, ROW_FACTS
from combinat.rules.game import Game
from combinat.rules.odds import Published
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe


class CautionSort(StrEnum):
    """A warning for a designer; the rule book may be right nevertheless."""

    FAVOURS_PLAYER = "favours-player"
    NEVER_LOSES = "never-loses"
    NEVER_PAYS = "never-pays"
    HOLE = "hole"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """Values that no line covers, with values on both sides that lines do cover.

    ``where``: the other facts, each with the values for which the hole exists.
    """

    fact: str
    values: tuple[int, ...]
    where: Mapping[str, frozenset[Any]]
    deal: Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """A point to check in a bet; ``line``: the line that never pays; ``hole``: the hole, if the point is one."""

    sort: CautionSort
    line: str = ""
    hole: Hole | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoveredLine:
    """A line of a pay table, or the rounds left over: its condition in words, its ways, and an example deal.

    ``deal`` is None if no card sequence of the shoe reaches it.
    """

    name: str
    when: str
    odds: str
    net: Fraction
    ways: int
    probability: Fraction
    deal: Round | None
    is_rest: bool = False

    def __repr__(self) -> str:
        return (
            f"<CoveredLine {self.name}: {self.when}, {self.odds}, {in_percent(self.probability)} of rounds>"
        )


COVERED_LINES: Relation[CoveredLine] = Relation(
    "covered lines",
    Field("outcome", "outcome", TEXT, "The name of the line.", lambda line: line.name, views="terminal"),
    Field("when", "when", TEXT, "When the line is met, in words.", views="terminal"),
    Field("odds", "odds", ODDS, "What it pays.", views="terminal"),
    Field("net", "net", FRACTION, "Profit per unit staked."),
    Field("ways", "ways", COUNT, "Ordered card sequences.", views="terminal"),
    Field("probability", "probability %", percentage(), "Ways over the sample space.", views="terminal"),
    Field(
        *("deal", "for example", TEXT, "A deal that shows it."),
        lambda line: None if line.deal is None else str(line.deal),
        may_be_none=True,
        views="terminal",
    ),
)
"""The rounds that each line of a bet covers, a row each."""

COVERED: "Relation[tuple[BetCoverage, CoveredLine]]" = COVERED_LINES.under(
    Field("bet", "bet", TEXT, "The bet's id.", lambda one: one.bet.id)
)
"""The rounds that each line of several bets covers, a row each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetCoverage(Tabular):
    """The lines of one bet, the rounds left over, its analysis, and the points to check.

    >>> from combinat import coverage
    >>> coverage("commission-insurance-2013", bets=["tie"])["tie"].rest
    <CoveredLine loses: everything else, lose, 90.4844 % of rounds>
    """

    RELATION: ClassVar = COVERED

    bet: Bet
    lines: tuple[CoveredLine, ...]
    analysis: BetAnalysis
    cautions: tuple[Caution, ...]

    @property
    def rest(self) -> CoveredLine:
        """The rounds that no line covers."""
        return self.lines[-1]

    @property
    def key(self) -> str:
        """The bet's id."""
        return self.bet.id

    def records(self) -> Iterable[Any]:
        """A row for each line, and one for the rounds left over."""
        return ((self, line) for line in self.lines)

    def __repr__(self) -> str:
        return f"<BetCoverage {self.bet.id}: {len(self.lines) - 1} lines, and what is left over>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage(Listing[BetCoverage]):
    """The coverage of every pay table of a game on one shoe.

    >>> from combinat import coverage
    >>> [(covered.bet.id, len(covered.lines)) for covered in coverage("commission-insurance-2013")]
    [('player', 3), ('banker', 3), ('tie', 2), ('player-pair', 2), ('banker-pair', 2)]
    """

    RELATION: ClassVar = COVERED
    LISTED: ClassVar = "bets"

    game: Game
    shoe: Shoe
    bets: tuple[BetCoverage, ...]

    def records(self) -> Iterable[Any]:
        """A row for each line of every bet, and one for the rounds left over."""
        return (row for covered in self.bets for row in covered.records())

    def __repr__(self) -> str:
        return f"<Coverage of {self.game.id} on {self.shoe.in_short}: {len(self.bets)} bet{'' if len(self.bets) == 1 else 's'}>"


def coverage(game: GameGiven, shoe: ShoeGiven | None = None, *, bets: Sequence[str] = ()) -> Coverage:
    """Return the coverage of every bet: its lines in words, ways and example deals, and the rounds left over.

    Default: 8 decks, all bets.

    >>> whole = coverage("commission-insurance-2013", bets=["tie"])
    >>> whole["tie"].lines[0].when, str(whole["tie"].rest.deal)
    ('the hands tie', 'Player A 9 K, Banker A 9 A')
    """
    played, dealt_from = as_game(game), as_shoe(shoe)
    distribution = pair_distribution(dealt_from, played.table_of_play)
    deals = deal_space(played.table_of_play)
    chosen = [played.bet(bet_id) for bet_id in as_bets(played, bets)] or list(played.bets)
    covered = []
    for bet in chosen:
        analysis = bet_analysis(played, bet, distribution)
        covered.append(
            BetCoverage(
                bet=bet,
                lines=tuple(_lines(bet, analysis, deals, dealt_from)),
                analysis=analysis,
                cautions=tuple(_cautions(bet, analysis, deals)),
            )
        )
    return Coverage(game=played, shoe=dealt_from, bets=tuple(covered))


def _lines(bet: Bet, analysis: BetAnalysis, deals: DealSpace, shoe: Shoe) -> Iterator[CoveredLine]:
    left = deals.all_kinds
    for pay, outcome in zip((*bet.pays, None), analysis.outcomes, strict=False):  # void rounds follow them
        covered = deals.covered(pay) if pay else left
        left &= ~covered
        yield CoveredLine(
            name=outcome.name,
            when=pay.in_words() if pay else "everything else",
            odds=outcome.odds or "lose",
            net=outcome.net,
            ways=int(outcome.ways),
            probability=outcome.probability,
            deal=deals.example(covered, shoe) if outcome.ways else None,
            is_rest=pay is None,
        )


def _cautions(bet: Bet, analysis: BetAnalysis, deals: DealSpace) -> Iterator[Caution]:
    if analysis.expected_value > 0:
        yield Caution(sort=CautionSort.FAVOURS_PLAYER)
    if not sum((line.probability for line in analysis.outcomes if line.net < 0), ZERO):
        yield Caution(sort=CautionSort.NEVER_LOSES)
    never = (pay for pay in bet.pays if not deals.covered(pay))
    yield from (Caution(sort=CautionSort.NEVER_PAYS, line=bet.line_name(pay)) for pay in never)
    yield from (Caution(sort=CautionSort.HOLE, hole=hole) for hole in holes(bet, deals))


def holes(bet: Bet, deals: DealSpace) -> Iterator[Hole]:
    """Return values of facts that no line covers although lines cover lower and higher ones, all else equal.

    The exceptions of a line are not holes: the designer stated them.
    """
    facts = sorted(set[str]().union(*(pay.named for pay in bet.pays)))
    rows = [fact for fact in facts if fact in ROW_FACTS]
    if not rows:
        return
    covered: Kinds = 0
    for pay in bet.pays:
        covered |= deals.having(pay.facts)
    for row in rows:
        others = [fact for fact in facts if fact != row]
        yield from _holes_in(row, others, covered, deals)


def _holes_in(row: str, others: list[str], covered: Kinds, deals: DealSpace) -> list[Hole]:
    """Return the holes of one fact; holes that differ only in another fact are merged."""
    seen: dict[tuple[Any, ...], dict[int, Round | None]] = {}
    of_result = set(others) <= set(RESULT_FACTS)
    for place in _one_a_result(deals) if of_result else range(len(deals.deals)):
        deal, outcome = deals.deals[place], deals.outcomes[place]
        value = BY_NAME[row].of(outcome)
        if value is None:
            continue
        there = seen.setdefault(tuple(BY_NAME[fact].of(outcome) for fact in others), {})
        if covered >> place & 1:
            there[value] = None
        else:
            there.setdefault(value, deal)
    holes: list[Hole] = []
    for values, there in seen.items():
        paid = [value for value, deal in there.items() if deal is None]
        missing = {
            value: deal
            for value, deal in sorted(there.items())
            if deal is not None and paid and min(paid) < value < max(paid)
        }
        if missing:
            where = {fact: frozenset({value}) for fact, value in zip(others, values, strict=True)}
            holes.append(
                Hole(fact=row, values=tuple(missing), where=where, deal=next(iter(missing.values())))
            )
    for fact in others:
        holes = _merge_holes(holes, fact)
    return holes


def _merge_holes(holes: Sequence[Hole], fact: str) -> list[Hole]:
    """Merge holes of the same values that differ in this fact alone into one with all of its values."""
    one_of: dict[tuple[Any, ...], Hole] = {}
    for hole in holes:
        elsewhere = frozenset((other, values) for other, values in hole.where.items() if other != fact)
        key = hole.values, elsewhere, None in hole.where[fact]
        first = one_of.setdefault(key, hole)
        one_of[key] = replace(first, where={**first.where, fact: first.where[fact] | hole.where[fact]})
    return list(one_of.values())


@lru_cache(maxsize=4)
def _one_a_result(deals: DealSpace) -> tuple[int, ...]:
    """Return the index of one deal for each result: enough for lines that depend on results alone."""
    places = {outcome.result: place for place, outcome in reversed(list(enumerate(deals.outcomes)))}
    return tuple(sorted(places.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """A published figure and its exact value."""

    stated: Expect
    name: str
    published: Published
    exact: Fraction

    @property
    def is_met(self) -> bool:
        """Whether the exact value, rounded to the published digits, equals the published figure."""
        return self.published.is_met_by(self.exact)


def expectations(game: Game) -> tuple[Expectation, ...]:
    """Every published figure of a rule book, in its order."""
    return tuple(
        Expectation(stated=stated, name=name, published=figure, exact=_exact(game, stated, name))
        for stated in game.expect
        for name, figure in stated.figures.items()
    )


def _exact(game: Game, stated: Expect, name: str) -> Fraction:
    distribution = pair_distribution(Shoe.of_decks(stated.decks), game.table_of_play)
    analysis = bet_analysis(game, game.bet(stated.bet), distribution)
    if name == "probability":
        return next(line.probability for line in analysis.outcomes if line.name == stated.line)
    value = getattr(analysis, name)
    assert isinstance(value, Fraction)
    return value


@dataclass(repr=False, frozen=True, slots=True, kw_only=True)
class RuleBookCheck(Answer):
    """The mistakes of a rule book; without mistakes, its coverage and its published figures."""

    path: Path
    mistakes: Sequence[Mistake]
    coverage: Coverage | None = None
    published: Sequence[Expectation] = ()

    @property
    def holds(self) -> bool:
        """Whether it has no mistakes and every published figure holds."""
        return not self.mistakes and all(one.is_met for one in self.published)


def check(file: str | Path, *, bets: Sequence[str] = (), decks: int | str | None = None) -> RuleBookCheck:
    """Check a rule book: every mistake with its line, what each line covers, its published figures.

    Default of ``decks``: 8 if the game allows them, else the most that it allows.

    >>> check("commission-insurance-2013", bets=["tie"]).holds
    True
    """
    path = rule_book_path(str(file))
    game, mistakes = examined_file(path)
    if game is None:
        return RuleBookCheck(path=path, mistakes=mistakes)
    usual = DECKS if game.decks.allows(DECKS) else game.decks.most
    covered = coverage(game, as_shoe(None, decks=usual if decks is None else decks), bets=bets)
    return RuleBookCheck(path=path, mistakes=(), coverage=covered, published=expectations(game))
