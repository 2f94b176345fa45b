"""Other people's rounds: counts and hand logs held against the exact results, once or as they grow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from combinat.base.errors import FileError, in_words
from combinat.base.money import Amount
from combinat.base.number import integer
from combinat.base.output_paths import refuse_inputs
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular
from combinat.library import looks
from combinat.library.progress import SILENT, Progress
from combinat.library.verdicts import check_places, faults_sink, write_verdict
from combinat.rules.converters import (
    GameGiven,
    ShoeGiven,
    as_book,
    as_path,
    as_probability,
    as_shoe,
    rule_books_read,
    whole_number,
)
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:
    from combinat.audit.reading.grouping import Groupings
    from combinat.audit.reading.log_map import LogMap
    from combinat.audit.verdict import Verdict
    from combinat.audit.watch import Watch

LogMapGiven = str | Path | Mapping[str, Any]
"""What the columns of a foreign log hold: the path of a TOML file, or its keys in a dict."""

LEAST_CARDS, MOST_CARDS = 0, 10**9
"""Cards behind a cut card."""

WHERE_ALL = "the verdict as .json"

looks.register()


def crosscheck(
    file: str | Path,
    *,
    game: GameGiven | None = None,
    shoe: ShoeGiven | None = None,
    decks: int | str | None = None,
    cards: str | None = None,
    cut_card: int | None = None,
    alpha: Amount = "0.001",
    settlement_only: bool = False,
    by: str | Sequence[str] | None = None,
    shoe_shown: str | int | None = None,
    log_map: "LogMapGiven | LogMap | None" = None,
    report: str | Path | None = None,
    faults: str | Path | None = None,
    progress: Progress = SILENT,
) -> "Verdict":
    """A simulator's counts, or every round of a hand log, held against the exact results.

    ``game``, ``shoe``, ``cut_card``: where the file says nothing of them. ``alpha``: the chance of a false alarm that is
    accepted, all tests together. ``settlement_only``: judge the settlements of a log and not chance. ``by``: columns by
    which a log is told apart, ``"table,day"`` or ``["table", "dealer+day"]``. ``log_map``: what the columns of a foreign
    log hold, as a TOML file or as its keys in a dict, ``{"columns": {"round": "hand"}, "cards-as": "rank-suit"}``.

    Files that are written beside: ``report``, the whole verdict (.html, .md or .json), in HTML with the house edges
    along ``shoe_shown``, else along the first shoe with a fault; ``faults``, every row with a fault (.csv).

    The word is ``verdict.word``; ``verdict.judgement`` has every test, ``verdict.replay`` every kind of fault of a log.

    >>> import tempfile
    >>> from combinat import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     counts = simulate("commission-insurance-2013", f"{folder}/counts.json", rounds=20_000)
    ...     crosscheck(counts)
    <Verdict on counts.json: agrees, 20000 rounds of commission-insurance-2013>
    """
    from combinat.audit.judging.judge import verdict

    place, level = as_path("file", file), _alpha(alpha)
    places = {
        name: None if given is None else as_path(name, given)
        for name, given in {"report": report, "faults": faults}.items()
    }
    check_places(places, {"the file to judge": place, **_read_from(game, log_map)})
    with faults_sink(places["faults"]) as sink:
        judged = verdict(
            place,
            game=None if game is None else as_book(game),
            shoe=stated_shoe(shoe, decks, cards),
            cut_card=_cut_card(cut_card),
            alpha=level,
            bar=lambda total, doing: progress.bar(total, doing, parts=False),
            settlement_only=settlement_only,
            log_map=as_log_map(log_map),
            sink=sink,
            groupings=_groupings(by),
            shoe_shown=_shoe_shown(shoe_shown),
        )
    write_verdict(judged, places["report"], WHERE_ALL)
    return judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed(Tabular):
    """A log that grows, as far as it was looked at: alarms and remarks that are new, each in one line.

    ``rounds``: all that were judged so far; ``faults``: all that contradict the rules so far; ``unreadable``: rows that could not be read. A log that is right raises an
    alarm by chance, over all looks together, with a probability of ``alpha`` at the most.

    >>> import tempfile
    >>> from combinat import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     followed = follow(simulate("commission-insurance-2013", f"{folder}/log.csv", rounds=50))
    >>> followed.rounds, followed.has_alarmed, followed.remarks
    (50, False, ())
    """

    path: Path
    rounds: int
    alarms: tuple[str, ...]
    remarks: tuple[str, ...]
    faults: int
    unreadable: int
    alpha: Fraction

    @property
    def has_alarmed(self) -> bool:
        """Whether there was an alarm, in this look or before: as long as the log holds faults."""
        return bool(self.alarms or self.faults)

    def to_dicts(self) -> list[dict[str, Exact]]:
        """A row for each alarm and each remark."""
        return [
            {"sort": sort, "said": said}
            for sort, lines in (("alarm", self.alarms), ("remark", self.remarks))
            for said in lines
        ]

    def __repr__(self) -> str:
        alarms = f"{len(self.alarms)} alarms" if self.alarms else "no alarm"
        unreadable = f", {self.unreadable} rows could not be read" if self.unreadable else ""
        return f"<Followed {self.path}: {alarms} in {self.rounds} rounds{unreadable}>"


def follow(
    file: str | Path,
    *,
    state: str | Path | None = None,
    game: GameGiven | None = None,
    shoe: ShoeGiven | None = None,
    cut_card: int | None = None,
    alpha: Amount = "0.001",
    log_map: "LogMapGiven | LogMap | None" = None,
) -> Followed:
    """A log that grows by lines (CSV, JSON lines), looked at as far as it is there now, by a test made for that.

    ``state``: a file that keeps how far it came. With it, call again as often as you like: only the rows that are new are
    read, and the chance of a false alarm over all calls together is ``alpha``. The rest is as for ``crosscheck``.

    >>> import tempfile
    >>> from combinat import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = simulate("commission-insurance-2013", f"{folder}/log.csv", rounds=100)
    ...     follow(log, state=f"{folder}/state.json").alarms
    ()
    """
    from combinat.audit.reading.source import GrowingFile
    from combinat.audit.watch import Watched, read_state, write_state

    place, level = as_path("file", file), _alpha(alpha)
    kept = None if state is None else as_path("state", state)
    if kept is not None:
        refuse_inputs("state", kept, {"the log to follow": place, **_read_from(game, log_map)})
    feed = GrowingFile(place)
    given = Watched(
        game=None if game is None else as_book(game),
        shoe=None if shoe is None else as_shoe(shoe),
        cut_card=_cut_card(cut_card),
        alpha=level,
        log_map=as_log_map(log_map),
    )
    begun = _begun(feed, given)
    if begun is None:
        return Followed(path=place, rounds=0, alarms=(), remarks=(), faults=0, unreadable=0, alpha=level)
    watch, rows = begun
    if kept is not None and kept.exists():
        watch.go_on(kept, read_state(kept), feed)
        rows = feed.more()
    alarms = [watch.against] if watch.has_alarmed else []
    remarks: list[str] = []
    while rows:
        remarks += watch.look(rows)
        rows = feed.more()
    alarms += watch.undelivered
    watch.undelivered.clear()
    if kept is not None:
        write_state(kept, watch.state(feed))
    return Followed(
        path=place,
        rounds=watch.evidence.rounds,
        alarms=tuple(alarms),
        remarks=tuple(remarks),
        faults=watch.faults.against_the_rules,
        unreadable=watch.faults.unreadable,
        alpha=level,
    )


def _begun(feed: Any, given: Any) -> "tuple[Watch, bytes] | None":
    """The watch, if there is a row."""
    from combinat.audit.watch import begun

    content = b""
    while lines := feed.more():
        content += lines
        started = begun(content, feed.place, given)
        if started:
            return started
    return None


# ---------------------------------------------------------------- what is given


def stated_shoe(shoe: ShoeGiven | None, decks: int | str | None, cards: str | None) -> Shoe | None:
    """The shoe that was given; None: the file names it."""
    if shoe is None and decks is None and cards is None:
        return None
    return as_shoe(shoe, decks=decks, cards=cards)


def _alpha(alpha: Amount) -> Fraction:
    return as_probability("alpha", alpha, Fraction(1, 2))


def _cut_card(cut_card: int | None) -> int | None:
    return None if cut_card is None else whole_number("cut_card", cut_card, LEAST_CARDS, MOST_CARDS)


def _read_from(game: GameGiven | None, log_map: object) -> dict[str, Path | None]:
    """What is read beside the file: what it is, and its path."""
    map_file = Path(log_map) if isinstance(log_map, str | Path) else None
    return {**({} if game is None else rule_books_read(game)), "the map": map_file}


def as_log_map(given: object) -> "LogMap":
    """The map of a log: itself, a TOML file, or its keys."""
    from combinat.audit.reading.log_map import LogMap, parsed_map, read_map

    if given is None or isinstance(given, LogMap):
        return given or LogMap()
    if isinstance(given, str | Path):
        return read_map(as_path("log_map", given))
    if not isinstance(given, Mapping):
        raise FileError(
            f'log_map: found {in_words(given)}; write the path of a TOML file, or its keys, such as {{"columns": {{"round": "hand"}}}}'
        )
    return parsed_map({str(key).replace("_", "-"): value for key, value in given.items()}, "log_map")


def _groupings(by: object) -> "Groupings":
    from combinat.audit.reading.grouping import parse_groupings

    if by is None:
        return ()
    names = [by] if isinstance(by, str) else by
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise FileError(
            f'by: found {in_words(by)}; write names of columns, such as "table,day" or ["table", "dealer+day"]'
        )
    return parse_groupings(",".join(names))


def _shoe_shown(shoe: object) -> str | None:
    if shoe is None or isinstance(shoe, str):
        return shoe
    number = integer(shoe)
    if number is None:
        raise FileError(
            f'shoe_shown: found {in_words(shoe)}; write the number of a shoe, such as 3 or "T1:3"'
        )
    return str(number)
