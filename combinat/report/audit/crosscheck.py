"""The public ``crosscheck``: the verdict on a file, and the documents that are written beside it."""

import csv
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

from combinat import __version__
from combinat.audit.judging.crosscheck import CrosscheckOptions, judge
from combinat.audit.judging.ledger import Sink
from combinat.audit.judging.shoe_trace import as_shoe_name
from combinat.audit.judging.terms import Statements, files_read
from combinat.audit.reading.log_map import LogMapGiven
from combinat.audit.reading.rounds import as_groupings
from combinat.audit.reading.source import Source
from combinat.audit.verdict import Verdict
from combinat.base.errors import InputError
from combinat.base.files import replacing, write_whole
from combinat.base.money import Amount
from combinat.base.output_paths import refuse_inputs
from combinat.engine.progress import SILENT, Progress
from combinat.render.escape import for_csv
from combinat.render.text import Format
from combinat.report.audit.verdict import verdict_document, verdict_text
from combinat.report.audit.verdict_records import FAULT_ROWS
from combinat.rules.converters import GameGiven, ShoeGiven, as_path, as_probability

SUFFIXES = {"report": (".html", ".md", ".json"), "faults": (".csv",)}
"""The suffixes of the files that are written beside a verdict."""

WHERE_ALL = "the verdict as .json"

_NUMBER = re.compile(r"-?[0-9]{1,15}(/[0-9]{1,15}|\.[0-9]{1,9})?")


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
    log_map: LogMapGiven | None = None,
    report: str | Path | None = None,
    faults: str | Path | None = None,
    progress: Progress = SILENT,
) -> Verdict:
    """Compare a simulator's counts, or every round of a hand log, with the exact results.

    ``game``, ``shoe``, ``cut_card``: if the file does not name them. ``alpha``: the accepted probability of a false
    alarm, all tests together. ``settlement_only``: judge the settlements of a log and not chance. ``by``: columns to
    group a log by, ``"table,day"`` or ``["table", "dealer+day"]``. ``log_map``: the meaning of the columns of a foreign
    log, as a TOML file or as its keys in a dict, ``{"columns": {"round": "hand"}, "cards-as": "rank-suit"}``.

    Files that are written beside the verdict: ``report``, the whole verdict (.html, .md or .json), in HTML with the
    house edges along ``shoe_shown``, by default the first shoe with a fault; ``faults``, every row with a fault (.csv).

    The word is ``verdict.word``; ``verdict.judgement`` has every test, ``verdict.replay`` every kind of fault of a log.

    >>> import tempfile
    >>> from combinat import crosscheck, simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     counts = simulate("commission-insurance-2013", f"{folder}/counts.json", rounds=20_000)
    ...     crosscheck(counts)
    <Verdict on counts.json: agrees, 20000 rounds of commission-insurance-2013>
    """
    place = as_path("file", file)
    report = None if report is None else as_path("report", report)
    faults = None if faults is None else as_path("faults", faults)
    inputs = {"the file to judge": place, **files_read(game, log_map)}
    _check_outputs({"report": report, "faults": faults}, inputs)
    with _faults_sink(faults) as sink:
        statements = Statements.of(game, log_map, shoe=shoe, decks=decks, cards=cards, cut_card=cut_card)
        options = CrosscheckOptions(
            alpha=as_probability("alpha", alpha, Fraction(1, 2)),
            settlement_only=settlement_only,
            progress=progress,
            sink=sink,
            groupings=as_groupings(by),
            shoe_shown=as_shoe_name(shoe_shown),
        )
        verdict = judge(Source.at(place), statements, options)
    if report is not None:
        write_whole(report, _document(verdict, report.suffix))
    return verdict


def _check_outputs(outputs: Mapping[str, Path | None], inputs: Mapping[str, Path | None]) -> None:
    """Refuse, before anything is read, an output that is an input, is written twice or cannot be written."""
    written: dict[str, Path | None] = {}
    for what, place in outputs.items():
        if place is None:
            continue
        refuse_inputs(what, place, {**inputs, **written})
        written[f"that of {what}"] = place
        if place.suffix not in SUFFIXES[what]:
            ends = ", ".join(SUFFIXES[what])
            raise InputError(f'found "{place}"', f"write a file name that ends in {ends}", parameter=what)
        folder = next(parent for parent in place.absolute().parents if parent.exists())
        if place.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
            raise InputError(f"{place} cannot be written", "choose another place", parameter=what)


@contextmanager
def _faults_sink(place: Path | None) -> Iterator[Sink | None]:
    """A function that writes faults to a CSV file, which appears whole or not at all; None without a file."""
    if place is None:
        yield None
        return
    with replacing(place) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer, names = csv.writer(file, lineterminator="\n"), [field.name for field in FAULT_ROWS.keys]
        writer.writerow(names)
        yield lambda faults: writer.writerows(
            [_cell(str(getattr(fault, name))) for name in names] for fault in faults
        )


def _cell(text: str) -> str:
    """Return a number as it is, any other text so that no spreadsheet takes it for a formula."""
    return text if _NUMBER.fullmatch(text) else for_csv(text)


def _document(verdict: Verdict, suffix: str) -> str:
    """Return the text of a verdict in the format that a suffix names."""
    if suffix == ".html":
        from combinat.render.html import html

        foot = f"combinat {__version__}; rule book SHA-256 {verdict.rule_book_sha256}"
        return html(verdict_document(verdict, WHERE_ALL, with_shoe=True), foot)
    return verdict_text(verdict, Format.MARKDOWN if suffix == ".md" else Format.JSON, WHERE_ALL)
