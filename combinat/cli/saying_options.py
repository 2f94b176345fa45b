"""How a verdict is said beside the printed one: a list of faults, groups, a shoe to look at."""

from pathlib import Path
from typing import Annotated

import typer

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
        help="The shoe whose house edges are drawn in the HTML verdict, such as 3 or T1:3. Default: the first shoe with a fault.",
        show_default=False,
    ),
]
