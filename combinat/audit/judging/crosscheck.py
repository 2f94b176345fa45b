"""The verdict on a file of counts or on a hand log: read it, replay it, test it, and state the result."""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from combinat.audit.judging.decision import ALPHA, judged
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.faults import line_faults
from combinat.audit.judging.groups import Groups
from combinat.audit.judging.ledger import Ledger, Sink, Totals
from combinat.audit.judging.replay import whole_log
from combinat.audit.judging.sample import Counting, RoundSample, by_points
from combinat.audit.judging.shoe_trace import ShoeTracer
from combinat.audit.judging.terms import LogTerms, Statements, agreed_shoe, shoe_claim, shoe_of
from combinat.audit.reading.counts_file import read_counts
from combinat.audit.reading.hand_log import Claims, HandLog, located, open_log, open_rows, rule_book_of
from combinat.audit.reading.log_map import Chips
from combinat.audit.reading.rounds import Groupings
from combinat.audit.reading.source import FileForm, Source
from combinat.audit.verdict import AGAINST_THE_RULES, Judgement, Replayed, Verdict
from combinat.base.errors import FileError, InputError, quoted
from combinat.engine.progress import SILENT, Progress
from combinat.montecarlo.counts import Dealing, Observed, Times, observed
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

HOW_LITTLE = (
    "The log names winners and no cards. Three frequencies show little: a dealer that breaks one cell of the Table of "
    "Play is detected only after some 10 to 70 million rounds of such results; with cards, after thousands."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrosscheckOptions:
    """The options of a cross-check: its level, and its scope.

    ``sink``: receives every fault. ``groupings``: the columns to group by. ``shoe_shown``: the shoe to trace.
    ``most_rows``: the maximum number of rows of a log.
    """

    alpha: Fraction = ALPHA
    settlement_only: bool = False
    progress: Progress = SILENT
    sink: Sink | None = None
    groupings: Groupings = ()
    shoe_shown: str | None = None
    most_rows: int | None = None


def judge(source: Source, statements: Statements, options: CrosscheckOptions) -> Verdict:
    """Return the verdict on a counts file or a hand log."""
    if not source.is_regular:
        raise FileError(f"{source.place}: not a regular file; give a counts file or a hand log")
    if source.form is FileForm.COUNTS:
        return _of_counts(source, statements, options)
    game, log = open_log(source, statements.game, statements.log_map, options.groupings)
    shoe = shoe_of(log, game, statements)
    if not log.has_cards:
        return _of_winners(log, game, shoe, options)
    return _of_cards(log, game, shoe, statements.cut_card, options)


def verdict_of_bytes(
    name: str, content: bytes, game: Game, alpha: Fraction = ALPHA, most_rows: int | None = None
) -> Verdict:
    """Return the verdict on a counts file or a hand log in a report, by its rule book.

    The report states its numbers of decks, so a file in it may claim any number of fresh decks.
    """
    options = CrosscheckOptions(alpha=alpha, most_rows=most_rows)
    return judge(Source.of(name, content), Statements(game=game, in_report=True), options)


def game_named(path: Path) -> str | None:
    """Return the id of the game that a file names, or None."""
    source = Source.at(path)
    return (
        read_counts(source).game_id if source.form is FileForm.COUNTS else open_rows(source).head.get("game")
    )


def _of_counts(source: Source, statements: Statements, options: CrosscheckOptions) -> Verdict:
    if statements.cut_card is not None or statements.log_map.cut_card is not None:
        raise InputError(
            f"{source.place}: a counts file has no cut card", "leave out {cut_card}", parameter="cut_card"
        )
    if options.settlement_only:
        raise FileError(f"{source.place}: a counts file has no rounds to settle; give a hand log")
    if options.sink is not None or options.groupings or options.shoe_shown is not None:
        raise FileError(
            f"{source.place}: a counts file has no rows to list, to group or to show; give a hand log"
        )
    counted = read_counts(source)
    game = rule_book_of(source, counted.game_id, statements.game)
    shoe = agreed_shoe(source, game, counted.shoe, statements.shoe, in_report=statements.in_report)
    judgement = judged(RoundSample.of(counted, Expected.of(game, shoe)), options.alpha)
    claims = (("game", counted.game_id), shoe_claim(counted.shoe))
    return _verdict(source, game, counted, judgement, None, claims)


def _of_cards(
    log: HandLog, game: Game, shoe: Shoe, cut_card: int | None, options: CrosscheckOptions
) -> Verdict:
    """Return the verdict on a log with cards: every row is replayed."""
    place, is_tested = log.source.place, not options.settlement_only
    if options.shoe_shown is not None and not log.has_shoes:
        raise FileError(f"{place}: the log has no whole shoes to show")
    terms, expected = LogTerms.of(log, game, shoe, cut_card), Expected.of(game, shoe, log.tells_ranks)
    ledger, counting = Ledger(options.sink, options.most_rows), Counting(terms, is_tested=is_tested)
    totals, groups = Totals(terms), Groups(options.groupings, expected.analysis, terms)
    tracer = ShoeTracer(terms, options.shoe_shown)
    doing = "replaying, every round by the cards left" if log.has_shoes else "replaying"
    with options.progress.bar(log.size, doing, parts=False) as advance, located(place):
        for piece in whole_log(terms, ledger.reading(log.batches(advance))):
            for fold in (ledger, totals, counting, groups, tracer):
                fold.add(piece)
        trace = tracer.record()
    counted = observed(
        counting.tally,
        game.id,
        shoe,
        Dealing.SHOES if log.has_shoes else Dealing.INDEPENDENT,
        made_by={"note": quoted(log.head["note"])} if "note" in log.head else {},
    )
    if not log.tells_ranks:
        counted = by_points(counted, game)
    judgement, tests = None, tuple(groups.tests())
    if is_tested and counted.rounds:
        judgement = judged(RoundSample.of(counted, expected, counting), options.alpha, tests)
        tests = judgement.tests
    replayed = Replayed(
        **_faults_of(log, ledger),
        cut_card=terms.cut_card,
        cut_card_stated="cut-card" in log.head or cut_card is not None,
        shoes=counting.shoes,
        short_shoes=counting.short_shoes,
        totals=totals.record(),
        groupings=groups.record(tests),
        shoe_trace=trace,
        cut_line=_cut_line(log, ledger),
    )
    return _verdict(
        *(log.source, game, counted, judgement, replayed, log.claimed, terms.chips),
        settlement_only=options.settlement_only,
    )


def _of_winners(log: HandLog, game: Game, shoe: Shoe, options: CrosscheckOptions) -> Verdict:
    """Return the verdict on a log that names winners and no cards."""
    place = log.source.place
    if options.settlement_only:
        raise FileError(f"{place}: the log has no cards, and so no settlements to judge")
    if options.groupings or options.shoe_shown is not None:
        raise FileError(
            f"{place}: the log has no cards; a log without cards cannot be grouped and has no shoe to show"
        )
    expected = Expected.of(game, shoe)
    winners: Counter[str] = Counter()
    ledger = Ledger(options.sink, options.most_rows)
    with options.progress.bar(log.size, "counting results", parts=False) as advance:
        for some in ledger.reading(log.batches(advance)):
            column = some.frame["winner"]
            winners.update(
                {str(name): int(count) for name, count in column.value_counts().iter_rows() if name}
            )
            blank = [int(some.lines[row]) for row in column.is_null().arg_true().to_list()]
            ledger.add_faults(line_faults([(line, "winner: found nothing") for line in blank]))
    counted = Observed(
        game_id=game.id,
        rule_book_sha256=None,
        shoe=shoe,
        rounds=winners.total(),
        dealing=Dealing.INDEPENDENT,
        bets={
            bet: {
                net: Times(sum(winners[winner] for winner, other in nets.items() if other == net))
                for net in nets.values()
            }
            for bet, nets in expected.by_winner.items()
        },
    )
    replayed = Replayed(**_faults_of(log, ledger))
    judgement = judged(RoundSample.of(counted, expected), options.alpha) if counted.rounds else None
    if judgement is not None:
        judgement = replace(judgement, notes=(HOW_LITTLE, *judgement.notes))
    return _verdict(log.source, game, counted, judgement, replayed, log.claimed)


def _faults_of(log: HandLog, ledger: Ledger) -> dict[str, Any]:
    """Return the faults of a whole log as fields of its record."""
    ledger.hand_on()
    return {
        "line_word": log.line_word,
        "read_as": log.read_as,
        "rows": ledger.rows,
        "tables": max(1, len(ledger.tables)),
        "missing": ledger.missing,
        "declared": ledger.declared,
        "counts": ledger.counts,
        "first": {kind: tuple(first) for kind, first in ledger.first.items() if first},
        "causes": ledger.causes(),
    }


def _cut_line(log: HandLog, ledger: Ledger) -> int | None:
    """Return the last line if it has no line end and contains all faults: the row may be cut off."""
    lines = [fault.line for kind in AGAINST_THE_RULES for fault in ledger.first[kind]]
    if len(set(lines)) != 1 or sum(ledger.counts[kind] for kind in AGAINST_THE_RULES) > len(lines):
        return None
    return lines[0] if log.lines is not None and log.source.unended_line() == lines[0] else None


def _verdict(
    source: Source,
    game: Game,
    counted: Observed,
    judgement: Judgement | None,
    replay: Replayed | None,
    claims: Claims,
    chips: Chips | None = None,
    *,
    settlement_only: bool = False,
) -> Verdict:
    if replay is not None and not replay.rows:
        raise FileError(f"{source.place}: the log has no rows; there is nothing to judge")
    return Verdict(
        file=source.name,
        sha256=source.sha256,
        claims=claims,
        rounding=chips and (chips[0], str(chips[1])),
        game=game.id,
        game_name=game.name,
        rule_book_sha256=game.sha256,
        decks_allowed=game.decks,
        shoe=counted.shoe,
        rounds=counted.rounds,
        dealing=counted.dealing,
        shoes=counted.shoes,
        made_under=counted.rule_book_sha256,
        made_by=tuple(counted.made_by.items()),
        judgement=judgement,
        replay=replay,
        settlement_only=settlement_only,
    )
