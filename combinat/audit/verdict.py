"""The records of a verdict on a simulation or a hand log.

A verdict is a function of the file's bytes, its name, the rule book and the level of the tests. Counts and
exact results are integers and fractions. Statistics are computed in floats and rounded to fractions of nine
significant digits, so that equal files give equal records everywhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from combinat.base.errors import InputError, printable, shortened
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular
from combinat.montecarlo.counts import Dealing
from combinat.rules.document import Decks
from combinat.rules.shoe import Shoe


class Word(StrEnum):
    """The verdict in words."""

    AGREES = "agrees"
    DISAGREES = "does not agree"
    UNJUDGED = "could not be judged"

    @property
    def exit_code(self) -> int:
        """The exit code of the program."""
        return list(Word).index(self)


class Evidence(StrEnum):
    """The kinds of evidence against a file: two kinds of contradictions, and the families of tests."""

    IMPOSSIBLE = "impossible"  # an event that the rules exclude
    SETTLEMENT = "settlement"  # settlements that differ from the rules
    OMNIBUS = "omnibus"
    CARDS = "cards"
    REPEATS = "repeats"
    OUTCOME = "outcome"
    MEAN = "mean"
    GROUP = "group"  # the hold of a group of the log


FAMILIES = (
    Evidence.OMNIBUS,
    Evidence.CARDS,
    Evidence.REPEATS,
    Evidence.OUTCOME,
    Evidence.MEAN,
    Evidence.GROUP,
)
"""The families of tests, in the order in which they are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """An observation that the rules exclude, however rounds were dealt."""

    subject: str
    kind: Evidence
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A test statistic, its degrees of freedom if it has any, and its p-value.

    ``is_squares``: the statistic is a sum of squares; otherwise it is a number of standard deviations.
    """

    statistic: Fraction
    freedom: int | None
    chance: Fraction
    is_squares: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticalTest:
    """A test: its subject, the observed and expected amounts, its score, and its adjusted p-value.

    ``bet``: the bet that is tested; None for tests of insurance, cards or whole rounds.
    """

    subject: str
    kind: Evidence
    what: str
    observed: Fraction | None
    expected: Fraction | None
    score: Score
    adjusted_chance: Fraction = Fraction(1)
    bet: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BetMean:
    """A bet's mean net result: observed and exact.

    If the mean is tested, its deviation and the least noticeable one.
    """

    bet: str
    mean: Fraction
    exact: Fraction
    z: Fraction | None = None
    noticeable: Fraction | None = None


@dataclass(frozen=True, kw_only=True)
class Judgement(Tabular):
    """All tests, their decision rule, and their result.

    ``too_few``: why the sample is too small for the tests. ``power``: the probability that the tests detect a
    deviation of a bet's noticeable size.

    >>> import tempfile
    >>> from combinat import crosscheck, simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     verdict = crosscheck(simulate("commission-insurance-2013", f"{folder}/counts.json", rounds=20_000))
    >>> judgement = verdict.judgement
    >>> judgement["tie"].exact, judgement["tie"].mean, judgement.failed
    (Fraction(-103841353768, 723147898655), Fraction(-163, 1000), ())
    """

    alpha: Fraction
    power: Fraction
    decision_rule: str
    too_few: str | None
    contradictions: tuple[Contradiction, ...]
    bets: tuple[BetMean, ...]
    tests: tuple[StatisticalTest, ...]
    notes: tuple[str, ...]

    def __iter__(self) -> Iterator[StatisticalTest]:
        return iter(self.tests)

    def __len__(self) -> int:
        return len(self.tests)

    def __bool__(self) -> bool:
        return True  # a judgement without tests is still a judgement

    def __contains__(self, what: object) -> bool:
        return any(mean.bet == what for mean in self.bets) if isinstance(what, str) else what in self.tests

    def __getitem__(self, bet: str) -> BetMean:
        for mean in self.bets:
            if mean.bet == bet:
                return mean
        known = ", ".join(mean.bet for mean in self.bets)
        raise InputError(f'no mean of a bet "{shortened(str(bet))}"; there are {known}')

    def to_dicts(self) -> list[dict[str, Exact]]:
        """Return a row for each test."""
        return [
            {
                "subject": test.subject,
                "kind": str(test.kind),
                "what": test.what,
                "observed": test.observed,
                "expected": test.expected,
                "statistic": test.score.statistic,
                "freedom": test.score.freedom,
                "chance": test.score.chance,
                "adjusted_chance": test.adjusted_chance,
                "failed": test.adjusted_chance <= self.alpha,
            }
            for test in self.tests
        ]

    def __repr__(self) -> str:
        word = self.too_few or ("agrees" if self.agrees else f"{len(self.failed)} failed")
        return f"<Judgement of {len(self.tests)} tests: {word}>"

    @cached_property
    def failed(self) -> tuple[StatisticalTest, ...]:
        """The tests that failed, the smallest p-value first."""
        failed = [test for test in self.tests if test.adjusted_chance <= self.alpha]
        return tuple(sorted(failed, key=lambda test: (test.adjusted_chance, test.score.chance)))

    @cached_property
    def agrees(self) -> bool:
        """Whether the sample is large enough, nothing contradicts the rules, and no test failed."""
        return not self.too_few and not self.contradictions and not self.failed

    @cached_property
    def families(self) -> dict[Evidence, tuple[StatisticalTest, ...]]:
        """The tests of each family, the smallest p-value first."""
        in_order = sorted(self.tests, key=lambda test: test.score.chance)
        families = {kind: tuple(test for test in in_order if test.kind is kind) for kind in FAMILIES}
        return {kind: tests for kind, tests in families.items() if tests}


class FaultKind(StrEnum):
    """The kinds of faults of a row; a gap in the numbers of rounds is shown, and is no fault."""

    UNREADABLE = "unreadable"
    REPEATED = "repeated"
    IMPOSSIBLE = "impossible"
    DECLARED = "declared"
    SETTLEMENT = "settlement"
    GAP = "gap"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRow:
    """A fault of a row. Fields that do not apply are empty.

    ``cause``: the text that all faults of the same cause share. ``paid`` is as the log writes it, ``due`` as
    the rules have it; the message of a wrong settlement is its column.
    """

    line: int
    table: str = ""
    shoe: str = ""
    round: str = ""
    cards: str = ""
    kind: FaultKind
    cause: str = ""
    message: str
    paid: str = ""
    due: str = ""
    clause: str = ""

    @property
    def place(self) -> str:
        """The table, if the log names one, and the round."""
        return f"{self.table} {self.round}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Faults with the same cause: the number of rows, the first of them, and its place.

    ``table``: in a log of several tables, the table with the most of these faults; ``at_table``: their number
    there. ``situations``: the number of rows in which the fault could have occurred, or None if that is not
    counted.
    """

    kind: FaultKind
    message: str
    rows: int
    first_line: int
    clause: str
    table: str = ""
    at_table: int = 0
    situations: int | None = None

    @property
    def where(self) -> str:
        """The table in words; empty for a log of one table."""
        return f"{self.at_table} of {self.rows} at table {self.table}" if self.at_table else ""

    @property
    def how_often(self) -> str:
        """The share of situations with the fault, in words; empty if situations are not counted."""
        if self.situations is None:
            return ""
        return f"{self.rows} of {self.situations} such situation{'' if self.situations == 1 else 's'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogGroup:
    """A group of a log: its rounds, its faults, and the hold of its stakes.

    ``hold``: as it was recorded; ``exact``: what the stakes are expected to lose, given the cards left where
    they are known. ``test``: of the hold by the rules on the cards dealt, or None if there is too little for it
    or no stake.
    """

    name: str
    rounds: int
    faults: int
    staked: Fraction
    hold: Fraction | None
    exact: Fraction | None
    test: StatisticalTest | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """A log by one of its columns, or by several together."""

    by: str
    groups: tuple[LogGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedRound:
    """A round of a traced shoe. ``winner`` is None if the deal is impossible or cannot be read.

    ``edges``: of every bet, on the cards left before the round; None where fewer than six are left.
    """

    line: int
    name: str
    cards: str
    winner: str | None
    player_pair: bool
    banker_pair: bool
    is_faulty: bool
    edges: tuple[Fraction, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeTrace:
    """A shoe of a log, round by round. ``rounds``: the first rounds; ``all_rounds``: their number in all."""

    table: str
    shoe: str
    all_rounds: int
    bets: tuple[str, ...]
    rounds: tuple[TracedRound, ...]


@dataclass(frozen=True, slots=True)
class ColumnTotal:
    """The totals of a column: rows with a value, wrong rows, the amounts recorded and the amounts due."""

    column: str
    rows: int = 0
    wrong: int = 0
    recorded: Fraction = Fraction(0)
    due: Fraction = Fraction(0)

    def __add__(self, other: "ColumnTotal") -> "ColumnTotal":
        return ColumnTotal(
            self.column,
            self.rows + other.rows,
            self.wrong + other.wrong,
            self.recorded + other.recorded,
            self.due + other.due,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A hand log, every row dealt and settled again.

    ``line_word``: the name for the number of a row. ``read_as``: for a foreign log, the meaning of each column and the notation of cards. ``counts``: rows with each kind of fault (of settlements and gaps,
    their number); ``first``: the first of each kind, in the order of lines; ``causes``: the most frequent
    first. ``declared``: results that rows state beside their cards. ``short_shoes``: of whole shoes, those
    that end before the cut card can have come. ``missing``: how many numbers of rounds are missing in gaps.
    ``cut_line``: the last line of a text, if it does not end and all faults are of it: the file may be cut
    there.
    """

    line_word: str
    read_as: tuple[tuple[str, str], ...]
    rows: int
    counts: Mapping[FaultKind, int]
    first: Mapping[FaultKind, tuple[FaultRow, ...]]
    causes: tuple[Cause, ...]
    tables: int = 1
    declared: int = 0
    cut_card: int | None = None
    cut_card_stated: bool = False
    shoes: int = 0
    short_shoes: int = 0
    missing: int = 0
    totals: tuple[ColumnTotal, ...] = ()
    groupings: tuple[Grouping, ...] = ()
    shoe_trace: ShoeTrace | None = None
    cut_line: int | None = None

    @property
    def holds(self) -> bool:
        """Whether every row is readable, possible, not repeated, and declared and settled by the rules."""
        return not any(count for kind, count in self.counts.items() if kind is not FaultKind.GAP)

    @property
    def wrong_subjects(self) -> list[str]:
        """The bets and insurance of which some settlement is wrong."""
        return sorted({total.column.partition(":")[2] for total in self.totals if total.wrong})

    @property
    def settlements(self) -> int:
        """The number of settlements in the log."""
        return sum(total.rows for total in self.totals)


MOST_SHORT = 2
"""Shoes that may be cut short by the beginning and the end of a log, beside one in a hundred."""

MOST_ALIKE = 10
"""The fewest faults of a kind for which a common cause is named."""

AGAINST_THE_RULES = {
    FaultKind.SETTLEMENT: ("wrong settlement", ""),
    FaultKind.IMPOSSIBLE: ("impossible deal", ""),
    FaultKind.REPEATED: ("row", " with a round that was given before"),
    FaultKind.DECLARED: ("row", " declared otherwise than the cards"),
}
"""The kinds of faults that contradict the rules, in words, the gravest first."""


@dataclass(frozen=True, kw_only=True)
class Verdict(Tabular):
    """The verdict on a file.

    ``claims``: everything by which the file itself says that it is to be judged. ``rounding``: the smallest
    amount paid and how winnings were rounded to it, as the auditor stated. ``decks_allowed``: what the game's
    document allows. ``made_under``: the SHA-256 of the rule book that the file names, if it names one.
    ``judgement`` is None where settlements alone are judged (``settlement_only``), and where there is no
    round to judge; ``replay`` is None for counts.

    >>> import tempfile
    >>> from combinat import crosscheck, simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     verdict = crosscheck(simulate("commission-insurance-2013", f"{folder}/counts.json", rounds=20_000))
    >>> verdict.word.value, verdict.rounds, verdict.judgement
    ('agrees', 20000, <Judgement of 297 tests: agrees>)
    """

    file: str
    sha256: str
    claims: tuple[tuple[str, str], ...]
    rounding: tuple[Fraction, str] | None
    game: str
    game_name: str
    rule_book_sha256: str
    decks_allowed: Decks
    shoe: Shoe
    rounds: int
    dealing: Dealing
    shoes: int | None
    made_under: str | None
    made_by: tuple[tuple[str, str], ...]
    judgement: Judgement | None
    replay: Replayed | None
    settlement_only: bool = False

    def to_dicts(self) -> list[dict[str, Exact]]:
        """Return a row for each test; none where chance was not judged."""
        return [] if self.judgement is None else self.judgement.to_dicts()

    def __repr__(self) -> str:
        return f"<Verdict on {printable(self.file)}: {self.word}, {self.rounds} rounds of {self.game}>"

    @property
    def is_under_another_book(self) -> bool:
        """Whether the file names another rule book than the one that it was judged by."""
        return self.made_under is not None and self.made_under != self.rule_book_sha256

    @cached_property
    def word(self) -> Word:
        """The verdict in a word."""
        if self._against:
            return Word.DISAGREES
        return Word.UNJUDGED if self._reasons_not_judged else Word.AGREES

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """The reasons for the verdict, the gravest first."""
        return (*self._against, *self._reasons_not_judged)

    @cached_property
    def sentence(self) -> str:
        """The verdict in a sentence, with its gravest reason."""
        first = self.reasons[0] if self.reasons else self._agreement
        more = f" (and {len(self.reasons) - 1} more)" if len(self.reasons) > 1 else ""
        return f"Verdict: {self.word}: {first}{more}"

    def _count(self, kind: FaultKind) -> int:
        return self.replay.counts[kind] if self.replay is not None else 0

    @cached_property
    def _against(self) -> list[str]:
        """The findings against the file, the gravest first."""
        found: list[str] = []
        replay, judgement = self.replay, self.judgement
        for kind, (what, more) in AGAINST_THE_RULES.items():
            if replay and replay.cut_line is None and self._count(kind):
                more = f" ({', '.join(replay.wrong_subjects)})" if kind is FaultKind.SETTLEMENT else more
                found.append(f"{_number(self._count(kind), what)}{more}{_common_cause(replay, kind)}")
        if judgement:
            found += dict.fromkeys(f"{fault.subject}: {fault.message}" for fault in judgement.contradictions)
        if self._count(FaultKind.UNREADABLE):
            return found  # the remaining rows need not follow the exact distribution
        if judgement:
            found += [f"{subject}: off beyond chance" for subject in _failed_subjects(judgement)]
        if replay and replay.cut_card_stated and replay.short_shoes > MOST_SHORT + replay.shoes // 100:
            found.append(f"{replay.short_shoes} of {replay.shoes} shoes end before the cut card")
        return found

    @cached_property
    def _reasons_not_judged(self) -> list[str]:
        """The reasons why the file cannot be judged."""
        why: list[str] = []
        replay, judgement = self.replay, self.judgement
        if replay and (unreadable := self._count(FaultKind.UNREADABLE)):
            number, first = _number(unreadable, "unreadable row"), replay.first[FaultKind.UNREADABLE][0]
            why.append(f"{number}, such as {replay.line_word} {first.line}: {first.message}")
            if judgement and judgement.failed:
                why.append(
                    f"in the other rows {', '.join(_failed_subjects(judgement)[:3])} is off beyond chance, "
                    "which the unreadable rows may explain"
                )
        if replay and replay.cut_line is not None:
            why.append(
                f"line {replay.cut_line}, the last, has no line end and holds every fault: the file may be truncated; "
                "give the whole file, or end its last line"
            )
        if judgement and judgement.too_few and not judgement.failed:
            nothing = "" if self._against or why else "; nothing was found against them"
            why.append(f"{judgement.too_few}{nothing}")
        if replay and replay.holds and self.settlement_only and not replay.settlements:
            why.append("there is no settlement to judge")
        if replay and replay.holds and judgement is None and not self.settlement_only and not why:
            why.append("there is no round to judge")
        return why

    @property
    def _agreement(self) -> str:
        rounds = f"{self.rounds} rounds of {self.game}"
        if self.judgement is None:
            return f"every settlement of {rounds} is the one the rules give"
        settled = "every settlement is right, and " if self.replay and self.replay.settlements else ""
        tests = len(self.judgement.tests)
        return f"{settled}none of {tests} tests on {rounds} finds a difference from the exact results"


def _failed_subjects(judgement: Judgement) -> list[str]:
    """Return the subjects of the failed tests."""
    return list(dict.fromkeys(test.subject for test in judgement.failed))


def _common_cause(replay: Replayed, kind: FaultKind) -> str:
    """Return the cause of most faults of a kind, if there are many and most have one cause."""
    causes = [cause for cause in replay.causes if cause.kind is kind]
    rows = sum(cause.rows for cause in causes)
    if rows < MOST_ALIKE or 2 * causes[0].rows <= rows:
        return ""
    share = "all" if causes[0].rows == rows else "most"
    return f", {share} of them alike ({causes[0].message})"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
