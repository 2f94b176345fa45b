"""The figures of a verdict, declared once: JSON, its schema and tables follow from these relations."""

import re
from fractions import Fraction
from typing import Any

from combinat.audit.verdict import (
    BetMean,
    Cause,
    ColumnTotal,
    Contradiction,
    Evidence,
    FaultKind,
    FaultRow,
    Grouping,
    Judgement,
    LogGroup,
    Replayed,
    ShoeTrace,
    StatisticalTest,
    TracedRound,
    Verdict,
    Word,
)
from combinat.base.kinds import (
    CHANCE,
    CLAUSE,
    COUNT,
    FLAG,
    FRACTION,
    HASH,
    MONEY,
    NUMBER,
    TEXT,
    decimal,
    estimated,
    percentage,
)
from combinat.base.relation import ByName, Document, Field, Many, Relation
from combinat.render.blocks import Figure
from combinat.report.provisos import SHOE
from combinat.rules.outcome import Winner

DEVIATIONS = estimated(decimal(2, signed=True))
"""A number of standard deviations."""

P_VALUE = estimated(CHANCE)

FAMILY_NAMES = {
    Evidence.OMNIBUS: "omnibus tests",
    Evidence.CARDS: "ranks of the cards",
    Evidence.REPEATS: "repeats",
    Evidence.OUTCOME: "outcomes",
    Evidence.MEAN: "means of bets",
    Evidence.GROUP: "holds of groups",
}

# ---------------------------------------------------------------- chance

CONTRADICTIONS: Relation[Contradiction] = Relation(
    "contradictions",
    Field("subject", "subject", TEXT, "The bet, the cells or the cards.", views="terminal"),
    Field("kind", "kind", TEXT, "The kind of contradiction.", views="terminal", words=Evidence),
    Field("found", "found", TEXT, "The observation that the rules exclude.", lambda row: row.message, views="terminal"),
)  # fmt: skip
"""Observations that the rules exclude, a row each."""

BET_MEANS: Relation[BetMean] = Relation(
    "means of bets",
    Field("id", "bet", TEXT, "The bet's id.", lambda row: row.bet, views="terminal"),
    Field("mean", "mean %", percentage(), "Observed mean net result per unit staked.", views="terminal"),
    Field("exact", "exact %", percentage(), "Exact expected value of the same rounds.", views="terminal"),
    Field("z", "z", DEVIATIONS, "Deviation in standard deviations; none with too few rounds for a normal tail.", views="terminal", may_be_none=True),
    Field("noticeable", "noticeable", estimated(percentage()), "Deviation that these rounds would have shown.", views="terminal", may_be_none=True),
)  # fmt: skip
"""The mean net results of bets, a row each."""


def amount(value: Fraction | None) -> Figure | None:
    """Return a count or a mean, with the decimals that are of use."""
    if value is None:
        return None
    return Figure(value, decimal(0 if value.denominator == 1 else 6 if abs(value) < 10 else 1))


def statistic(test: StatisticalTest) -> Figure:
    """Return the statistic of a test, with its degrees of freedom if it is a sum of squares."""
    if not test.score.is_squares:
        return Figure(test.score.statistic, before="z ")
    return Figure(test.score.statistic, decimal(1), before="chi2 ", after=f" on {test.score.freedom}")


TESTS: Relation[StatisticalTest] = Relation(
    "tests",
    Field("subject", "subject", TEXT, "The bet, the insurance state, the cards or the cells.", views="terminal"),
    Field("kind", "kind", TEXT, "The family of the test.", words=Evidence),
    Field("what", "statistic of", TEXT, "The statistic.", views="terminal"),
    Field("observed", "observed", FRACTION, "Observed count or mean.", may_be_none=True),
    Field("expected", "expected", FRACTION, "Expected count or mean.", may_be_none=True),
    Field("observed", "observed", decimal(6), "", lambda row: amount(row.observed), views="terminal", for_people=True),
    Field("expected", "expected", decimal(6), "", lambda row: amount(row.expected), views="terminal", for_people=True),
    Field("statistic", "statistic", DEVIATIONS, "The test statistic.", lambda row: row.score.statistic),
    Field("statistic", "statistic", DEVIATIONS, "", statistic, views="terminal", for_people=True),
    Field("degrees_of_freedom", "degrees of freedom", NUMBER, "Degrees of freedom, if it has any.", lambda row: row.score.freedom, may_be_none=True),
    Field("p", "p", P_VALUE, "The p-value.", lambda row: row.score.chance, views="terminal"),
    Field("adjusted_p", "adjusted p", P_VALUE, "The p-value adjusted by Holm's method.", lambda row: row.adjusted_chance, views="terminal"),
)  # fmt: skip
"""The tests of a judgement, a row each."""

FAMILIES: Relation[tuple[Judgement, Evidence]] = Relation(
    "families",
    Field("tests", "tests", TEXT, "The family.", lambda row: FAMILY_NAMES[row[1]], views="terminal"),
    Field("number", "number", COUNT, "The number of its tests.", lambda row: len(row[0].families[row[1]]), views="terminal"),
    *Relation[StatisticalTest](
        "unlikeliest",
        Field("unlikeliest", "unlikeliest", TEXT, "The test with the least p-value.", lambda test: f"{test.subject}, {test.what}", views="terminal"),
        Field("statistic", "statistic", DEVIATIONS, "Its statistic.", statistic, views="terminal"),
        Field("p", "p", P_VALUE, "Its p-value.", lambda test: test.score.chance, views="terminal"),
        Field("adjusted_p", "adjusted p", P_VALUE, "Its adjusted p-value.", lambda test: test.adjusted_chance, views="terminal"),
    ).part(lambda row: row[0].families[row[1]][0]),
    Field("failed", "failed", COUNT, "How many failed.", lambda row: sum(test.kind is row[1] for test in row[0].failed), views="terminal"),
)  # fmt: skip
"""The tests by family, a row each; for people."""

JUDGEMENT: Relation[Judgement] = Relation(
    "judgement",
    Field("alpha", "alpha", MONEY, "Accepted probability of a false alarm, all tests together."),
    Field("decision_rule", "decision rule", TEXT, "The rule by which the file was judged."),
    Field("notes", "notes", Many(TEXT), "Notes."),
    Field("contradictions", "contradictions", Many(CONTRADICTIONS), "Observations that the rules exclude."),
    Field("bets", "bets", Many(BET_MEANS), "The means of bets."),
    Field("tests", "tests", Many(TESTS), "Every test."),
)

# ---------------------------------------------------------------- hand logs

_NUMBER = re.compile(r" *-?[0-9]+(/[0-9]+|\.[0-9]+)? *")


def as_written(text: str) -> Figure | None:
    """Return a cell of a column of numbers as the file writes it: a number, or words; None for a blank."""
    return Figure(text, FRACTION if _NUMBER.fullmatch(text) else TEXT) if text else None


FAULT_ROWS: Relation[FaultRow] = Relation(
    "faults",
    Field("line", "line", NUMBER, "The line or the row.", views="faults wrong"),
    Field("table", "table", TEXT, "The table."),
    Field("shoe", "shoe", TEXT, "The shoe."),
    Field("round", "round", TEXT, "The round."),
    Field("round", "round", COUNT, "", lambda row: as_written(row.place), views="faults wrong", for_people=True),
    Field("cards", "cards", TEXT, "The cards."),
    Field("cards", "cards", TEXT, "", lambda row: row.cards or None, views="faults wrong", for_people=True),
    Field("kind", "kind", TEXT, "The kind of fault.", words=FaultKind),
    Field("cause", "cause", TEXT, "The cause that faults alike share."),
    Field("message", "message", TEXT, "The fault; of a wrong settlement, its column."),
    Field("message", "fault", TEXT, "", views="faults", for_people=True),
    Field("message", "column", TEXT, "", views="wrong", for_people=True),
    Field("paid", "paid", TEXT, "The amount paid, as it is written."),
    Field("paid", "paid", FRACTION, "", lambda row: as_written(row.paid), views="wrong", for_people=True),
    Field("due", "due", TEXT, "The amount due by the rules."),
    Field("due", "due", FRACTION, "", lambda row: as_written(row.due), views="wrong", for_people=True),
    Field("clause", "clause", TEXT, "The clause."),
    Field("clause", "clause", CLAUSE, "", views="wrong", for_people=True),
)  # fmt: skip
"""Faults of rows, a row each."""

KINDS_OF_FAULTS: Relation[tuple[int, tuple[FaultRow, ...]]] = Relation(
    "kinds of faults",
    Field("rows", "rows", NUMBER, "Rows with such a fault; the number of wrong settlements and of gaps.", lambda row: row[0]),
    Field("first", "first", Many(FAULT_ROWS), "The first of them.", lambda row: row[1]),
)  # fmt: skip

TOTALS: Relation[ColumnTotal] = Relation(
    "totals",
    Field("column", "column", TEXT, "The column.", views="terminal"),
    Field("rows", "rows", NUMBER, "Rows with a value.", views="terminal"),
    Field("wrong", "wrong", NUMBER, "Rows with a wrong value.", views="terminal"),
    Field("recorded", "recorded", MONEY, "The sum as recorded.", views="terminal"),
    Field("due", "due", MONEY, "The sum due by the rules.", views="terminal"),
)
"""The totals of columns, a row each."""

CAUSES: Relation[Cause] = Relation(
    "causes",
    Field("message", "cause", TEXT, "The cause.", views="terminal tables"),
    Field("kind", "kind", TEXT, "The kind of fault.", views="terminal tables", words=FaultKind),
    Field("rows", "rows", NUMBER, "Rows with such a fault.", views="terminal tables"),
    Field("situations", "situations", NUMBER, "Rows in which the fault could have occurred.", may_be_none=True),
    Field("how_often", "how often", TEXT, "", lambda row: row.how_often or None, views="terminal tables", for_people=True),
    Field("table", "table", TEXT, "Of several tables, the one with the most such faults."),
    Field("at_table", "at that table", NUMBER, "Such faults at that table."),
    Field("where", "where", TEXT, "", lambda row: row.where or None, views="tables", for_people=True),
    Field("first_line", "first at", NUMBER, "The line of the first.", views="terminal tables"),
    Field("clause", "clause", CLAUSE, "The clause.", lambda row: row.clause or None, views="terminal tables", may_be_none=True),
)  # fmt: skip
"""The causes of faults, a row each."""


def _of_score(name: str) -> Any:
    return lambda row: None if row.test is None else getattr(row.test.score, name)


GROUPS: Relation[LogGroup] = Relation(
    "groups",
    Field("name", "group", TEXT, "The group.", views="terminal"),
    Field("rounds", "rounds", NUMBER, "Rounds of the group.", views="terminal"),
    Field("faults", "faults", NUMBER, "Faults of the group.", views="terminal"),
    Field("staked", "staked", MONEY, "Sum of its stakes.", lambda row: None if row.hold is None else row.staked, views="terminal", may_be_none=True),
    Field("hold", "hold %", percentage(2), "The share of the stakes that was kept.", views="terminal", may_be_none=True),
    Field("exact", "exact %", percentage(2), "The exact expected share.", views="terminal", may_be_none=True),
    Field("z", "z", DEVIATIONS, "Deviation in standard deviations.", _of_score("statistic"), views="terminal", may_be_none=True),
    Field("p", "p", P_VALUE, "The p-value.", _of_score("chance"), may_be_none=True),
    Field("adjusted_p", "adjusted p", P_VALUE, "The p-value adjusted by Holm's method.", lambda row: row.test and row.test.adjusted_chance, views="terminal", may_be_none=True),
)  # fmt: skip
"""The groups of a log, a row each."""

GROUPINGS: Relation[Grouping] = Relation(
    "groupings",
    Field("by", "by", TEXT, "The column, or several joined by +."),
    Field("groups", "groups", Many(GROUPS), "Its groups."),
)

TRACED_ROUNDS: Relation[tuple[ShoeTrace, TracedRound]] = Relation(
    "traced rounds",
    *Relation[TracedRound](
        "rounds of a shoe",
        Field("line", "line", NUMBER, "The line or the row.", views="faults"),
        Field("round", "round", TEXT, "The round.", lambda row: row.name),
        Field(
            "round", "round", COUNT, "", lambda row: Figure(row.name, TEXT), views="faults", for_people=True
        ),
        Field("cards", "cards", TEXT, "The cards.", views="faults"),
        Field(
            "winner", "winner", TEXT, "The winner, if the deal is possible.", may_be_none=True, words=Winner
        ),
        Field("player_pair", "Player pair", FLAG, "Whether the Player Hand has a pair."),
        Field("banker_pair", "Banker pair", FLAG, "Whether the Banker Hand has a pair."),
        Field("faulty", "faulty", FLAG, "Whether the row has a fault.", lambda row: row.is_faulty),
    ).part(lambda pair: pair[1]),
    Field(
        *("house_edges", "house edges", ByName(FRACTION), "House edges on the cards left before the round."),
        lambda pair: None if pair[1].edges is None else dict(zip(pair[0].bets, pair[1].edges, strict=True)),
        may_be_none=True,
    ),
)

TRACE: Relation[ShoeTrace] = Relation(
    "shoe trace",
    Field("table", "table", TEXT, "The table."),
    Field("shoe", "shoe", TEXT, "The shoe."),
    Field("all_rounds", "rounds", NUMBER, "All its rounds."),
    Field(
        *("rounds", "rounds", Many(TRACED_ROUNDS), "Its first rounds."),
        lambda trace: [(trace, one) for one in trace.rounds],
    ),
)

REPLAY: Relation[Replayed] = Relation(
    "replay",
    Field("read_as", "read as", ByName(TEXT), "How a foreign log was read.", lambda row: dict(row.read_as)),
    Field("tables", "tables", NUMBER, "Tables of the log."),
    Field("rows", "rows", NUMBER, "Rows of the log."),
    Field("declared", "declared", NUMBER, "Results that rows state beside their cards."),
    Field("cut_card", "cut card", NUMBER, "Cards behind the cut card of whole shoes.", may_be_none=True),
    Field("cut_card_stated", "stated", FLAG, "Whether the log or the auditor stated the cut card."),
    Field("shoes", "shoes", NUMBER, "Whole shoes."),
    Field("short_shoes", "short shoes", NUMBER, "Shoes that end before the cut card."),
    Field("missing", "missing", NUMBER, "Missing numbers of rounds."),
    Field(
        *("faults", "faults", ByName(KINDS_OF_FAULTS, names=FaultKind), "Faults by their kind."),
        lambda row: {kind: (count, row.first.get(kind, ())) for kind, count in row.counts.items()},
    ),
    Field("totals", "totals", Many(TOTALS), "The totals of columns."),
    Field("causes", "causes", Many(CAUSES), "The causes of faults, the most frequent first."),
    Field("groupings", "groupings", Many(GROUPINGS), "The log by groups."),
    Field("shoe", "shoe", TRACE, "A shoe, round by round.", lambda row: row.shoe_trace, may_be_none=True),
)

# ---------------------------------------------------------------- the whole

ROUNDING: Relation[tuple[Fraction, str]] = Relation(
    "rounding",
    Field("unit", "unit", MONEY, "The smallest amount paid.", lambda pair: pair[0]),
    Field("how", "how", TEXT, "How winnings were rounded to it.", lambda pair: pair[1]),
)

CROSSCHECK: Document[Verdict] = Document(
    "combinat/crosscheck/4",
    "The verdict on a simulation or a log: combinat crosscheck.",
    Field("verdict", "verdict", TEXT, "The word.", lambda verdict: verdict.word, words=Word),
    Field("exit_code", "exit code", NUMBER, "The exit code of the command.", lambda verdict: verdict.word.exit_code),
    Field("sentence", "sentence", TEXT, "The verdict in one sentence."),
    Field("reasons", "reasons", Many(TEXT), "The reasons, the gravest first."),
    Field("claims", "claims", ByName(TEXT), "The claims of the file about itself.", lambda verdict: dict(verdict.claims)),
    Field("rounding", "rounding", ROUNDING, "How winnings were rounded, as the auditor stated.", may_be_none=True),
    Field("file", "file", TEXT, "The file."),
    Field("sha256", "SHA-256", HASH, "Its SHA-256."),
    Field("game", "game", TEXT, "The game's id."),
    Field("rule_book_sha256", "rule book", HASH, "The SHA-256 of the rule book."),
    Field("shoe", "shoe", SHOE, "The fresh shoe."),
    Field("rounds", "rounds", NUMBER, "Rounds judged."),
    Field("dealing", "dealing", TEXT, "How rounds were dealt.", words=("independent", "shoes")),
    Field("shoes", "shoes", NUMBER, "Shoes of counts from whole shoes.", may_be_none=True),
    Field("made_by", "made by", ByName(TEXT), "The origin of the file.", lambda verdict: dict(verdict.made_by)),
    Field("replay", "replay", REPLAY, "A hand log, row by row.", may_be_none=True),
    Field("judgement", "judgement", JUDGEMENT, "The tests of chance, if chance was judged.", may_be_none=True),
)  # fmt: skip
