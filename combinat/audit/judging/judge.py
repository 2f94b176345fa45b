"""The verdict on a file: counts or a hand log, read, replayed, tested, and one word said of it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from combinat.audit.judging.count_tests import judged
from combinat.audit.judging.counting import Counting, by_points
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.faults import Ledger, Sink
from combinat.audit.judging.groups import Groups, adjusted_groupings, trials
from combinat.audit.judging.judgement import ALPHA
from combinat.audit.judging.log_tests import judged_log
from combinat.audit.judging.replay import Replay
from combinat.audit.judging.results_only import HOW_LITTLE, results
from combinat.audit.judging.shoe_trace import ShoeToShow
from combinat.audit.reading.amounts import Chips
from combinat.audit.reading.counts_file import read_counts
from combinat.audit.reading.grouping import Groupings
from combinat.audit.reading.hand_log import HandLog, check_columns, hand_log, opened
from combinat.audit.reading.log_map import LogMap
from combinat.audit.reading.rows import Rows
from combinat.audit.reading.source import Source
from combinat.audit.verdict import FaultKind, Judgement, Replayed, Verdict, Word
from combinat.base.errors import FileError, InputError, RuleBookError, quoted
from combinat.montecarlo.dealing import Dealing
from combinat.montecarlo.log_file import HEAD_KEYS
from combinat.montecarlo.observed import Observed, observed
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import RuleBook, load_rule_book
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

MOST_SHORT = 2
"""How many shoes may be cut short by the beginning and the end of a log, beside one in a hundred."""

ProgressBar = Callable[[int, str], AbstractContextManager[Callable[[int], None]]]
"""From a total and what is being done, what to call with each part of it that is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What is said beside the file: a shoe and a cut card where it names none, the level, what is judged.

    ``sink``: what takes every fault. ``groupings``: by what the log is told apart. ``shoe_shown``: which is looked at.
    ``in_report``: the file lies in a report. ``most_rows``: how many rows a log may have.
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

    ``log_map``: what the columns of a foreign log say, as far as they do not say it themselves. ``sink``: what takes
    every fault as it is met. ``groupings``: by what the log is told apart. ``shoe_shown``: which shoe is looked at.
    """
    given = Given(
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
    return _verdict(Source.of(name, content), book, Given(alpha=alpha, in_report=True, most_rows=most_rows))


def game_named(path: Path) -> str | None:
    """The id of the game that a file says it is about."""
    source = Source.at(path)
    if _is_counts(source):
        return read_counts(source).game_id
    return opened(source).head.get("game")


def _verdict(source: Source, game: RuleBook | str | None, given: Given) -> Verdict:
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


def _of_counts(source: Source, game: RuleBook | str | None, given: Given) -> Verdict:
    if given.cut_card is not None or given.log_map.cut_card is not None:
        raise InputError(
            f"{source.place}: a counts file has no cut card", "leave out {cut_card}", parameter="cut_card"
        )
    if given.settlement_only:
        raise FileError(
            f"{source.place}: a counts file has no rounds to settle; settlements alone are judged of hand logs"
        )
    if given.sink is not None or given.groupings or given.shoe_shown is not None:
        raise FileError(
            f"{source.place}: a counts file has no rows to list, to tell apart or to show; give a hand log"
        )
    counted = read_counts(source)
    book = rule_book_of(source, counted.game_id, game)
    shoe = _shoe(source, book.game, counted.shoe, given.shoe, in_report=given.in_report)
    judgement = judged(counted, Expected.of(book.game, shoe), given.alpha)
    claims = (("game", counted.game_id), _shoe_claim(counted.shoe))
    return _record(source, book, counted, judgement, None, [], given, claims)


def _of_log(source: Source, game: RuleBook | str | None, given: Given) -> Verdict:
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
        raise FileError(f"{source.place}: rounds are from no shoe that could be shown")
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
    counting, ledger = Counting(replay), Ledger(given.sink)
    groups = (
        Groups(given.groupings, expected.analysis, columns, whole_shoes=log.has_shoes)
        if expected is not None and given.groupings
        else None
    )
    to_show = ShoeToShow(book.game, given.shoe_shown, log.tells_ranks) if log.has_shoes else None
    doing = "replaying, every round by the cards left" if log.has_shoes else "replaying"
    with given.bar(log.size, doing) as advance:
        try:
            for piece in replay.pieces(_bounded(log.batches(advance), given.most_rows)):
                ledger.add(piece.faults)
                counting.add(piece)
                if groups is not None:
                    groups.add(piece, replay.questions)
                if to_show is not None:
                    to_show.add(piece)
            shown_shoe = to_show.record() if to_show is not None else None
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
        totals=replay.settlements.record(),
        groupings=groups.record() if groups is not None else (),
        shown_shoe=shown_shoe,
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
        more = list(trials(replayed.groupings))
        judgement = judged_log(counted, counting, expected, given.alpha, more)
        replayed = replace(replayed, groupings=adjusted_groupings(replayed.groupings, judgement.tests))
    wrong = replay.settlements.wrong_subjects
    return _record(source, book, counted, judgement, replayed, wrong, given, claims_of(log), chips)


def _bounded(batches: Iterator[Rows], most: int | None) -> Iterator[Rows]:
    """The rows of a log; one with more than so many is refused."""
    count = 0
    for rows in batches:
        count += rows.frame.height + len(rows.unreadable)
        if most is not None and count > most:
            raise FileError(f"more than {most} rows; cross-check such a log by itself")
        yield rows


def _cut_line(log: HandLog, replayed: Replayed) -> int | None:
    """The last line of a text where it does not end and everything that is wrong is of it: it may be half a row."""
    kinds = AGAINST_THE_RULES
    lines = {fault.line for kind in kinds for fault in replayed.first.get(kind, ())}
    shown = sum(len(replayed.first.get(kind, ())) for kind in kinds)
    if len(lines) != 1 or sum(replayed.counts[kind] for kind in kinds) > shown or log.lines is None:
        return None
    return lines.pop() if log.source.unended_line() in lines else None


def _of_results(log: HandLog, book: RuleBook, given: Given) -> Verdict:
    if given.settlement_only:
        raise FileError(f"{log.source.place}: the log has no cards, and so no settlements to judge")
    if given.groupings or given.shoe_shown is not None:
        raise FileError(
            f"{log.source.place}: the log has no cards; only one with cards is told apart, or shown by its shoes"
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


# ---------------------------------------------------------------- what the file claims


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
    """The shoe that a file claims or the auditor gives; what the game does not allow counts only if it is given."""
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
    """Everything by which a log says that it is to be judged."""
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


# ---------------------------------------------------------------- the word and its reasons


def _record(
    source: Source,
    book: RuleBook,
    counted: Observed,
    judgement: Judgement | None,
    replay: Replayed | None,
    wrong_subjects: list[str],
    given: Given,
    claims: tuple[tuple[str, str], ...],
    chips: Chips | None = None,
) -> Verdict:
    """Everything that is said of the file."""
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
    """What keeps the file from being judged."""
    wanting: list[str] = []
    if unreadable := replay.counts[FaultKind.UNREADABLE] if replay else 0:
        assert replay is not None
        number, first = _number(unreadable, "unreadable row"), replay.first[FaultKind.UNREADABLE][0]
        wanting.append(f"{number}, such as {replay.line_word} {first.line}: {first.message}")
        if judgement and judgement.failed:
            wanting.append(
                f"among the other rows {', '.join(_off(judgement)[:3])} is off beyond chance, which rows that were left out may explain"
            )
    if replay and replay.cut_line is not None:
        wanting.append(
            f"line {replay.cut_line}, the last, does not end and is what is wrong: the file may be cut there; "
            "give it whole, or end its last line"
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
    """What speaks against the file, the gravest first."""
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
"""Faults of a kind from which on it is said what most of them come from."""


def _mostly(replay: Replayed, kind: FaultKind) -> str:
    """What most faults of a kind come from, where there are many and most come from one thing."""
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
    """Why, in one line."""
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
