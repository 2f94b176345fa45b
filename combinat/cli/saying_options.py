"""How a verdict is said beside the printed one: a list of faults, groups, a shoe to look at, a file for pipelines."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from combinat.cli.places import refuse_inputs
from combinat.errors import CombinatError
from combinat.render.files import replacing

ReportOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write the verdict to a file too: .html, .md or .json.", show_default=False
    ),
]
FaultsOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write every row with a fault to a CSV file.", show_default=False),
]
ByOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Tell the log apart by columns, such as table,day or dealer+day: rounds, faults and hold of each group.",
        show_default=False,
    ),
]
ShoeShownOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="The shoe whose roads and edges are in the HTML verdict, such as 3 or T1:3; else the first with a fault.",
        show_default=False,
    ),
]
JunitOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the verdict as JUnit XML too.", show_default=False),
]

SUFFIXES = {"--report": (".html", ".md", ".json"), "--faults": (".csv",), "--junit": (".xml",)}
"""How the name of each file that is written ends."""


def check_places(places: Mapping[str, Path | None], inputs: Mapping[str, Path | None]) -> None:
    """Refuse, before anything is read, a place that is read from, is written twice or cannot be written."""
    given = {option: place for option, place in places.items() if place is not None}
    written: dict[str, Path | None] = {}
    for option, place in given.items():
        refuse_inputs(option, place, {**inputs, **written})
        written[f"that of {option}"] = place
        if place.suffix not in SUFFIXES[option]:
            raise CombinatError(
                f'{option}: found "{place}"; write a file name that ends in {", ".join(SUFFIXES[option])}'
            )
        folder = next(parent for parent in place.absolute().parents if parent.exists())
        if place.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
            raise CombinatError(f"{option}: {place} cannot be written; choose another place")


@contextmanager
def faults_sink(place: Path | None) -> Iterator[Any]:
    """What takes faults and writes them to a file, whole or not at all; None: nobody asked for one."""
    if place is None:
        yield None
        return
    from combinat.report.faults_file import FaultsFile

    with replacing(place) as aside, FaultsFile(aside) as file:
        yield file.write


def stated_groupings(by: str | None) -> Any:
    """By what a log is told apart."""
    if by is None:
        return ()
    from combinat.audit.grouping import parse_groupings

    try:
        return parse_groupings(by)
    except CombinatError as error:
        raise CombinatError(f"--{error}") from None
