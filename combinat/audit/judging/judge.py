"""The verdict on a file of counts or on a hand log: read it, replay it, test it, and state the result."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from combinat.audit.judging.counting import Counting, by_points
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.faults import Ledger, Sink, line_faults
from combinat.audit.judging.groups import Groups, adjusted_groupings, group_tests
from combinat.audit.judging.judgement import ALPHA, judged, judged_log
from combinat.audit.judging.replay import Replay
from combinat.audit.judging.shoe_trace import ShoeTracer
from combinat.audit.reading.counts_file import read_counts
from combinat.audit.reading.grouping import Groupings
from combinat.audit.reading.hand_log import HandLog, check_columns, hand_log, opened
from combinat.audit.reading.log_map import Chips, LogMap
from combinat.audit.reading.rows import RowBatch
from combinat.audit.reading.source import Source
from combinat.audit.verdict import FaultKind, Judgement, Replayed, Verdict, Word
from combinat.base.errors import FileError, InputError, RuleBookError, quoted
from combinat.montecarlo.dealing import Dealing
from combinat.montecarlo.log_file import HEAD_KEYS
from combinat.montecarlo.observed import Observed, Times, observed
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import RuleBook, load_rule_book
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

MOST_SHORT = 2
"""How many shoes may be cut short by the beginning and the end of a log, beside one in a hundred."""

ProgressBar = Callable[[int, str], AbstractContextManager[Callable[[int], None]]]
"""From a total and a description, a function to call with the size of each finished part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrosscheckOptions:
    """The options of a cross-check: the shoe and the cut card if the file names none, the level, what to judge.

    ``sink``: takes every fault. ``groupings``: the columns to group by. ``shoe_shown``: the shoe to trace.
    ``in_report``: the file belongs to a report. ``most_rows``: the most rows that a log may have.
    """

    shoe: Shoe | None = None
    cut_card: int | None = None
    alpha: Fraction = ALPHA
    settlement_only: bool = False
    bar: ProgressBar = lambda total, doing: nullcontext(lambda done: None)
    log_map: LogMap = field(default_factory=LogMap)
    sink: Sink | None = None
    groupings: Groupings = ()
    shoe_shown: str | None = None
    in_report: bool = False
    most_rows: int | None = None


def verdict(
    path: Path,
    *,
    game: RuleBook | str | None = None,
    shoe: Shoe | None = None,
    cut_card: int | None = None,
    alpha: Fraction = ALPHA,
    settlement_only: bool = False,
    bar: ProgressBar = lambda total, doing: nullcontext(lambda done: None),
    log_map: LogMap | None = None,
    sink: Sink | None = None,
    groupings: Groupings = (),
    shoe_shown: str | None = None,
) -> Verdict:
    """The verdict on the counts file or the hand log at this path. ``game`` and ``shoe``: where it names none.

    ``log_map``: the meaning of the columns of a foreign log, where their names do not tell it. ``sink``: takes
    every fault. ``groupings``: the columns to group by. ``shoe_shown``: the shoe to trace.
    """
    given = CrosscheckOptions(
        shoe=shoe,
        cut_card=cut_card,
        alpha=alpha,
        settlement_only=settlement_only,
        bar=bar,
        log_map=log_map or LogMap(),
        sink=sink,
        groupings=groupings,
        shoe_shown=shoe_shown,
    )
    return _verdict(Source.at(path), game, given)


def verdict_of_bytes(
    name: str, content: bytes, book: RuleBook, alpha: Fraction = ALPHA, most_rows: int | None = None
) -> Verdict:
    """The verdict on a counts file or a hand log in a report, by its rule book.

    The report states the decks of its figures, so that a file in it may claim any number of fresh decks.
    """
    return _verdict(
        Source.of(name, content), book, CrosscheckOptions(alpha=alpha, in_report=True, most_rows=most_rows)
    )


def game_named(path: Path) -> str | None:
    """The id of the game that a file names, or None."""
    source = Source.at(path)
    if _is_counts(source):
        return read_counts(source).game_id
    return opened(source).head.get("game")


def _verdict(source: Source, game: RuleBook | str | None, given: CrosscheckOptions) -> Verdict:
    if not source.is_regular:
        raise FileError(f"{source.place}: not a regular file; give a counts file or a hand log")
    return (_of_counts if _is_counts(source) else _of_log)(source, game, given)


def log_named(
    path: Path, game: str | None, shoe: Shoe | None, log_map: LogMap
) -> tuple[RuleBook, HandLog, Shoe]:
    """The hand log at this path, with the rule book and the shoe that it names, or those given."""
    source = Source.at(path)
    if not source.is_regular or _is_counts(source):
        raise FileError(f"{source.place}: not a hand log; give a CSV, JSON or Parquet file of rounds")
    rows = opened(source, log_map)
    book = rule_book_of(source, rows.head.get("game"), game or log_map.game)
    log = hand_log(rows, book.game, log_map)
    return book, log, shoe_of(log, book.game, shoe)


def _is_counts(source: Source) -> bool:
    return not source.is_parquet and source.is_json and not source.is_json_rows


def _of_counts(source: Source, game: RuleBook | str | None, given: CrosscheckOptions) -> Verdict:
    if given.cut_card is not None or given.log_map.cut_card is not None:
        raise InputError(
            f"{source.place}: a counts file has no cut card", "leave out {cut_card}", parameter="cut_card"
        )
    if given.settlement_only:
        raise FileError(
            f"{source.place}: a counts file has no rounds to settle; only a hand log can be judged by its settlements alone"
        )
    if given.sink is not None or given.groupings or given.shoe_shown is not None:
        raise FileError(
            f"{source.place}: a counts file has no rows to list, to group or to show; give a hand log"
        )
    counted = read_counts(source)
    book = rule_book_of(source, counted.game_id, game)
    shoe = _shoe(source, book.game, counted.shoe, given.shoe, in_report=given.in_report)
    judgement = judged(counted, Expected.of(book.game, shoe), given.alpha)
    claims = (("game", counted.game_id), _shoe_claim(counted.shoe))
    return _record(source, book, counted, judgement, None, [], given, claims)


def _of_log(source: Source, game: RuleBook | str | None, given: CrosscheckOptions) -> Verdict:
    rows = opened(source, given.log_map)
    book = rule_book_of(source, rows.head.get("game"), game or given.log_map.game)
    log = hand_log(rows, book.game, given.log_map, given.groupings)
    if not log.has_cards:
        return _of_results(log, book, given)
    shoe = shoe_of(log, book.game, given.shoe, in_report=given.in_report)
    columns, chips = log.columns(book.game), log.chips
    if not log.tells_ranks:
        check_columns(source.place, columns, book.game)
    if given.shoe_shown is not None and not log.has_shoes:
        raise FileError(f"{source.place}: the log has no whole shoes to show")
    is_expected = bool(given.groupings) or not given.settlement_only
    expected = Expected.of(book.game, shoe, log.tells_ranks) if is_expected else None
    replay = Replay(
        book.game,
        shoe,
        columns,
        log.cut_card(shoe, given.cut_card),
        chips,
        tells_ranks=log.tells_ranks,
    )
    ledger = Ledger(given.sink)
    counting = Counting(replay, is_tested=not given.settlement_only)
    groups = (
        Groups(given.groupings, expected.analysis, columns, whole_shoes=log.has_shoes)
        if expected is not None and given.groupings
        else None
    )
    tracer = ShoeTracer(book.game, given.shoe_shown, log.tells_ranks) if log.has_shoes else None
    doing = "replaying, every round by the cards left" if log.has_shoes else "replaying"
    with given.bar(log.size, doing) as advance:
        try:
            for piece in replay.pieces(_bounded(log.batches(advance), given.most_rows)):
                ledger.add(piece.faults)
                counting.add(piece)
                if groups is not None:
                    groups.add(piece, replay.partitions)
                if tracer is not None:
                    tracer.add(piece)
            shoe_trace = tracer.record() if tracer is not None else None
        except FileError as error:
            if str(error).startswith(source.place):
                raise
            raise FileError(f"{source.place}: {error}") from None
    ledger.situations.update(replay.situations)
    replayed = Replayed(
        line_word=log.line_word,
        read_as=log.read_as,
        tables=len(replay.tables),
        rows=replay.rows,
        declared=replay.declared,
        cut_card=replay.cut_card,
        cut_card_stated="cut-card" in log.head or given.cut_card is not None,
        shoes=counting.shoes,
        short_shoes=counting.short_shoes,
        missing=replay.missing,
        totals=replay.payments.record(),
        groupings=groups.record() if groups is not None else (),
        shoe_trace=shoe_trace,
        **ledger.record(len(replay.tables)),
    )
    replayed = replace(replayed, cut_line=_cut_line(log, replayed))
    if not replay.rows:
        raise FileError(f"{source.place}: the log has no rows; there is nothing to judge")
    dealing = Dealing.SHOES if log.has_shoes else Dealing.INDEPENDENT
    note = {"note": quoted(log.head["note"])} if "note" in log.head else {}
    counted = observed(counting.tally, book.game.id, shoe, dealing, made_by=note)
    if not log.tells_ranks:
        counted = by_points(counted, book.game)
    judgement = None
    if expected is not None and not given.settlement_only and counted.rounds:
        of_groups = list(group_tests(replayed.groupings))
        judgement = judged_log(counted, counting, expected, given.alpha, of_groups)
        replayed = replace(replayed, groupings=adjusted_groupings(replayed.groupings, judgement.tests))
    wrong = replay.payments.wrong_subjects
    return _record(source, book, counted, judgement, replayed, wrong, given, claims_of(log), chips)


def _bounded(batches: Iterator[RowBatch], most: int | None) -> Iterator[RowBatch]:
    """The rows of a log; a log with more than ``most`` rows is refused."""
    count = 0
    for rows in batches:
        count += rows.frame.height + len(rows.unreadable)
        if most is not None and count > most:
            raise FileError(f"more than {most} rows; cross-check such a log by itself")
        yield rows


def _cut_line(log: HandLog, replayed: Replayed) -> int | None:
    """The last line of a text, if it has no line end and all faults are in it: it may be half a row."""
    kinds = AGAINST_THE_RULES
    lines = {fault.line for kind in kinds for fault in replayed.first.get(kind, ())}
    shown = sum(len(replayed.first.get(kind, ())) for kind in kinds)
    if len(lines) != 1 or sum(replayed.counts[kind] for kind in kinds) > shown or log.lines is None:
        return None
    return lines.pop() if log.source.unended_line() in lines else None


def _of_results(log: HandLog, book: RuleBook, given: CrosscheckOptions) -> Verdict:
    if given.settlement_only:
        raise FileError(f"{log.source.place}: the log has no cards, and so no settlements to judge")
    if given.groupings or given.shoe_shown is not None:
        raise FileError(
            f"{log.source.place}: the log has no cards; a log without cards cannot be grouped and has no shoe to show"
        )
    expected = Expected.of(book.game, shoe_of(log, book.game, given.shoe, in_report=given.in_report))
    batches = log.batches
    log = replace(log, batches=lambda advance: _bounded(batches(advance), given.most_rows))
    with given.bar(log.size, "counting results") as advance:
        counted, replayed = results(log, book.game.id, expected, advance, given.sink)
    if not replayed.rows:
        raise FileError(f"{log.source.place}: the log has no rows; there is nothing to judge")
    judgement = judged(counted, expected, given.alpha) if counted.rounds else None
    if judgement is not None:
        judgement = replace(judgement, notes=(HOW_LITTLE, *judgement.notes))
    return _record(log.source, book, counted, judgement, replayed, [], given, claims_of(log))


# ---------------------------------------------------------------- the claims of the file


def shoe_of(log: HandLog, game: Game, given: Shoe | None, *, in_report: bool = False) -> Shoe:
    """The shoe to judge by: the one that the log or its map names, or the one given."""
    named = log.shoe()
    if named is None and given is None:
        raise InputError(
            f"{log.source.place}: the log names no shoe",
            "add a line # decks: N, or give {decks}",
            parameter="decks",
        )
    if "decks" in log.stated:
        given = given or named
    return _shoe(log.source, game, named, given, in_report=in_report)


def _shoe(source: Source, game: Game, claimed: Shoe | None, given: Shoe | None, *, in_report: bool) -> Shoe:
    """The shoe that the file claims or the auditor gives; a shoe that the game does not allow must be given."""
    if claimed is None or given is not None:
        assert given is not None
        if claimed is not None and claimed != given:
            raise InputError(
                f"{source.place}: the file claims {_in_words(claimed)}",
                "leave out {decks} and {cards}",
                parameter="decks",
            )
        return given
    decks = claimed.decks
    if decks is None or not (in_report or game.decks.allows(decks)):
        allowed = f"{game.decks.least} to {game.decks.most} decks, {game.decks.clause}"
        key, value = _shoe_claim(claimed)
        raise InputError(
            f"{source.place}: the file claims {_in_words(claimed)}, and {game.id} allows {allowed}",
            f'repeat the claim to judge the file by it: {{{key}}}="{value}"',
            parameter=key,
        )
    return claimed


def _shoe_claim(shoe: Shoe) -> tuple[str, str]:
    """A shoe by the key and the value of a log's head."""
    if shoe.decks is not None:
        return "decks", str(shoe.decks)
    return "cards", " ".join(
        f"{rank}={count}" for rank, count in zip(RANKS, shoe.counts, strict=True) if count
    )


def _in_words(shoe: Shoe) -> str:
    decks = shoe.decks
    if decks is None:
        return f"a shoe of {shoe.size} cards"
    return f"{decks} deck{'' if decks == 1 else 's'}"


def claims_of(log: HandLog) -> tuple[tuple[str, str], ...]:
    """The claims of a log about how it is to be judged."""
    return tuple((key, quoted(log.head[key])) for key in HEAD_KEYS if key in log.claims)


def rule_book_of(source: Source, named: str | None, given: RuleBook | str | None) -> RuleBook:
    """The rule book to judge by: the one given, which must be of the game that the file names, if it names one."""
    if given is None and named is None:
        raise InputError(
            f"{source.place}: the file names no game",
            "add a line # game: ID, or give {game}",
            parameter="game",
        )
    if given is None and named not in rule_book_paths():
        raise InputError(
            f'{source.place}: the file names the game "{named}", which is none of {", ".join(rule_book_paths())}',
            "give its rule book with {game}",
            parameter="game",
        )
    book = given if isinstance(given, RuleBook) else load_rule_book(given or named or "")
    if named is not None and book.game.id != named:
        raise RuleBookError(
            f"{source.place}: the file is about {named}, and the rule book is that of {book.game.id}; give that game's"
        )
    return book


# ---------------------------------------------------------------- the verdict and its reasons


def _record(
    source: Source,
    book: RuleBook,
    counted: Observed,
    judgement: Judgement | None,
    replay: Replayed | None,
    wrong_subjects: list[str],
    given: CrosscheckOptions,
    claims: tuple[tuple[str, str], ...],
    chips: Chips | None = None,
) -> Verdict:
    """The verdict as a record."""
    faults = _faults(judgement, replay, wrong_subjects)
    wanting = _wanting(judgement, replay, given.settlement_only, is_faulty=bool(faults))
    reasons = [*faults, *wanting]
    word = Word.DISAGREES if faults else Word.UNJUDGED if wanting else Word.AGREES
    return Verdict(
        file=source.name,
        sha256=source.sha256,
        claims=claims,
        rounding=chips and (chips[0], str(chips[1])),
        game=book.game.id,
        game_name=book.game.name,
        rule_book_sha256=book.sha256,
        decks_allowed=book.game.decks,
        shoe=counted.shoe,
        rounds=counted.rounds,
        dealing=counted.dealing,
        shoes=counted.shoes,
        made_under=counted.rule_book_sha256,
        made_by=tuple(counted.made_by.items()),
        word=word,
        sentence=f"Verdict: {word}: {_finding(word, reasons, counted, judgement, replay)}",
        reasons=tuple(reasons),
        judgement=judgement,
        replay=replay,
    )


AGAINST_THE_RULES = {
    FaultKind.SETTLEMENT: ("wrong settlement", ""),
    FaultKind.IMPOSSIBLE: ("impossible deal", ""),
    FaultKind.REPEATED: ("row", " with a round that was given before"),
    FaultKind.DECLARED: ("row", " declared otherwise than the cards"),
}
"""The kinds of faults that contradict the rules, in words, the gravest first."""


def _wanting(
    judgement: Judgement | None, replay: Replayed | None, settlement_only: bool, is_faulty: bool
) -> list[str]:
    """The reasons why the file cannot be judged."""
    wanting: list[str] = []
    if unreadable := replay.counts[FaultKind.UNREADABLE] if replay else 0:
        assert replay is not None
        number, first = _number(unreadable, "unreadable row"), replay.first[FaultKind.UNREADABLE][0]
        wanting.append(f"{number}, such as {replay.line_word} {first.line}: {first.message}")
        if judgement and judgement.failed:
            wanting.append(
                f"in the other rows {', '.join(_off(judgement)[:3])} is off beyond chance, which the unreadable rows may explain"
            )
    if replay and replay.cut_line is not None:
        wanting.append(
            f"line {replay.cut_line}, the last, has no line end and holds every fault: the file may be truncated; "
            "give the whole file, or end its last line"
        )
    if judgement and judgement.too_few and not judgement.failed:
        nothing = "" if is_faulty or wanting else "; nothing was found against them"
        wanting.append(f"{judgement.too_few}{nothing}")
    if replay and replay.holds and settlement_only and not replay.settlements:
        wanting.append("there is no settlement to judge")
    if replay and replay.holds and judgement is None and not settlement_only and not wanting:
        wanting.append("there is no round to judge")
    return wanting


def _faults(judgement: Judgement | None, replay: Replayed | None, wrong_subjects: list[str]) -> list[str]:
    """The findings against the file, the gravest first."""
    faults: list[str] = []
    for kind, (what, more) in AGAINST_THE_RULES.items():
        if replay and replay.cut_line is None and replay.counts[kind]:
            more = f" ({', '.join(wrong_subjects)})" if kind is FaultKind.SETTLEMENT else more
            faults.append(f"{_number(replay.counts[kind], what)}{more}{_mostly(replay, kind)}")
    if judgement:
        faults += dict.fromkeys(f"{fault.subject}: {fault.message}" for fault in judgement.contradictions)
    if replay and replay.counts[FaultKind.UNREADABLE]:
        return faults  # what is left when rows are left out need not be as chance has it
    if judgement:
        faults += [f"{subject}: off beyond chance" for subject in _off(judgement)]
    if replay and replay.cut_card_stated and replay.short_shoes > MOST_SHORT + replay.shoes // 100:
        faults.append(f"{replay.short_shoes} of {replay.shoes} shoes end before the cut card")
    return faults


def _off(judgement: Judgement) -> list[str]:
    """What is off beyond chance."""
    return list(dict.fromkeys(test.subject for test in judgement.failed))


MOST_ALIKE = 10
"""The fewest faults of a kind for which a common cause is named."""


def _mostly(replay: Replayed, kind: FaultKind) -> str:
    """The cause of most faults of a kind, if there are many and most have one cause."""
    causes = [cause for cause in replay.causes if cause.kind is kind]
    rows = sum(cause.rows for cause in causes)
    if rows < MOST_ALIKE or 2 * causes[0].rows <= rows:
        return ""
    share = "all" if causes[0].rows == rows else "most"
    return f", {share} of them alike ({causes[0].message})"


def _finding(
    word: Word,
    reasons: list[str],
    counted: Observed,
    judgement: Judgement | None,
    replay: Replayed | None,
) -> str:
    """The main reason, in one line."""
    if word is not Word.AGREES:
        first, *others = reasons
        return first + (f" (and {len(others)} more)" if others else "")
    if judgement is None:
        return f"every settlement of {counted.rounds} rounds of {counted.game_id} is the one the rules give"
    replayed = "every settlement is right, and " if replay and replay.settlements else ""
    tests, rounds = len(judgement.tests), f"{counted.rounds} rounds of {counted.game_id}"
    return f"{replayed}none of {tests} tests on {rounds} finds a difference from the exact results"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


# ---------------------------------------------------------------- logs of winners without cards


HOW_LITTLE = (
    "The log names winners and no cards. Three frequencies show little: a dealer that breaks one cell of the Table of "
    "Play is detected only after some 10 to 70 million rounds of such results; with cards, after thousands."
)


def results(
    log: HandLog, game_id: str, expected: Expected, advance: Callable[[int], None], sink: Sink | None = None
) -> tuple[Observed, Replayed]:
    """The counts of a log of winners, and its replay. ``sink``: takes the rows that cannot be read."""
    winners: Counter[str] = Counter()
    ledger, rows = Ledger(sink), 0
    for some in log.batches(advance):
        rows += some.frame.height + len(some.unreadable)
        said = some.frame["winner"]
        winners.update({str(name): int(count) for name, count in said.value_counts().iter_rows() if name})
        blank = said.is_null().arg_true().to_list()
        ledger.add(
            line_faults(
                [*some.unreadable, *((int(some.lines[row]), "winner: found nothing") for row in blank)]
            )
        )
    counted = Observed(
        game_id=game_id,
        rule_book_sha256=None,
        shoe=expected.analysis.shoe,
        rounds=winners.total(),
        dealing=Dealing.INDEPENDENT,
        bets={
            bet_id: {net: Times(count) for net, count in nets.items()}
            for bet_id, nets in _decided(expected, winners).items()
        },
    )
    return counted, Replayed(
        line_word=log.line_word,
        read_as=log.read_as,
        tables=1,
        rows=rows,
        declared=0,
        cut_card=None,
        cut_card_stated=False,
        shoes=0,
        short_shoes=0,
        missing=0,
        **ledger.record(1),
    )


def _decided(expected: Expected, winners: Counter[str]) -> dict[str, dict[Fraction, int]]:
    """The net results of the bets that the winner alone decides."""
    bets: dict[str, dict[Fraction, int]] = {}
    for bet_id, nets in expected.by_winner.items():
        bets[bet_id] = dict.fromkeys(nets.values(), 0)
        for winner, net in nets.items():
            bets[bet_id][net] += winners[winner]
    return bets
