"""Logs of winners without cards: only three frequencies can be judged."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from combinat.audit.judging.expected import Expected
from combinat.audit.judging.faults import Ledger, Sink, line_faults
from combinat.audit.reading.hand_log import HandLog
from combinat.audit.verdict import Replayed
from combinat.montecarlo.dealing import Dealing
from combinat.montecarlo.observed import Observed, Times

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
