"""Verdicts on files: how a foreign log is read, what is written beside a verdict, and where."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from combinat import __version__
from combinat.base.errors import InputError
from combinat.base.files import replacing, write_whole
from combinat.base.output_paths import refuse_inputs
from combinat.render.text import Format

if TYPE_CHECKING:
    from combinat.audit.verdict import Verdict

SUFFIXES = {"report": (".html", ".md", ".json"), "faults": (".csv",)}
"""How the name of each file that is written beside a verdict ends."""


def check_places(places: Mapping[str, Path | None], inputs: Mapping[str, Path | None]) -> None:
    """Refuse, before anything is read, a place that is read from, is written twice or cannot be written."""
    written: dict[str, Path | None] = {}
    for what, place in places.items():
        if place is None:
            continue
        refuse_inputs(what, place, {**inputs, **written})
        written[f"that of {what}"] = place
        if place.suffix not in SUFFIXES[what]:
            raise InputError(
                f'found "{place}"',
                f"write a file name that ends in {', '.join(SUFFIXES[what])}",
                parameter=what,
            )
        folder = next(parent for parent in place.absolute().parents if parent.exists())
        if place.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
            raise InputError(f"{place} cannot be written", "choose another place", parameter=what)


@contextmanager
def faults_sink(place: Path | None) -> Iterator[Any]:
    """What takes faults and writes them to a file, whole or not at all; None: nobody asked for one."""
    if place is None:
        yield None
        return
    from combinat.report.audit.faults_file import FaultsFile

    with replacing(place) as aside, FaultsFile(aside) as file:
        yield file.write


def write_verdict(judged: "Verdict", report: Path | None, where_all: str) -> None:
    """Write the verdict to the files that are asked for. ``where_all``: where those that are not shown can be read."""
    from combinat.report.audit.verdict import verdict_document, verdict_text

    if report is None:
        return
    if report.suffix == ".html":
        from combinat.render.html import html

        foot = f"combinat {__version__}; rule book SHA-256 {judged.rule_book_sha256}"
        write_whole(report, html(verdict_document(judged, where_all, with_shoe=True), foot))
    else:
        form = Format.MARKDOWN if report.suffix == ".md" else Format.JSON
        write_whole(report, verdict_text(judged, form, where_all))
