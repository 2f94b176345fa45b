"""An answer printed in the format asked for, and the options of tables: columns, order, decimals, the file to write."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace

from combinat.base.errors import InputError
from combinat.cli.output import collecting_output, say, warn
from combinat.render.blocks import Block
from combinat.render.table_options import WIDTH, TableOptions, printing_tables
from combinat.render.text import Format, as_json, rendered

if TYPE_CHECKING:
    from combinat.rules.game import Game

Blocks = Callable[[], Block | Sequence[Block]]

MOST_PLACES = 60
LEAST_WIDTH, MOST_WIDTH = 40, 1000
STANDARD_OUTPUT = "-"
"""The file name that means standard output."""


def show(
    form: Format,
    game: "Game | None",
    *,
    record: Callable[[], dict[str, Any]],
    document: Blocks,
    csv: Blocks | None = None,
    main: str = "",
) -> None:
    """Print an answer: JSON from its record, CSV from its tables, the other formats from its document.

    ``game``: show its provisos too. ``main``: the table of the document that CSV holds.
    """
    if form is Format.JSON:
        say(as_json(record()))
        return
    drawn = csv() if csv is not None and form is Format.CSV else document()
    blocks = [drawn] if isinstance(drawn, Block) else list(drawn)
    if game is not None:
        from combinat.report.provisos import with_provisos  # the list of games has none

        blocks = with_provisos(game, blocks, form)
    say(rendered(blocks, form, main=main))


# ---------------------------------------------------------------- options of tables

FormatOption = Annotated[Format, typer.Option("--format", "-f", help="Output format.")]
OutOption = Annotated[
    str | None,  # an empty path would be the folder that one is in
    typer.Option(metavar="FILE", help="Write the output to this file; -: standard output."),
]


def document_options(out: OutOption = None) -> None:
    """Declare the options of a command that prints a document: it takes them from this signature."""


def table_options(
    places: Annotated[
        int | None, typer.Option(min=0, max=MOST_PLACES, metavar="N", help="Decimals of rounded figures.")
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Sort the rows by this column; -COLUMN: in descending order."),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(metavar="COLUMNS", help="Print these columns, such as bet,pays.")
    ] = None,
    out: OutOption = None,
) -> None:
    """Declare the options of a command whose answer is a list of rows: it takes them from this signature."""


@contextmanager
def tables_in_shape(form: str, options: Mapping[str, Any], files: Sequence[Path]) -> Iterator[None]:
    """Apply the options of tables to everything printed within. ``files``: inputs, which are never overwritten."""
    out = _place(options.get("out"))
    if out is not None:
        from combinat.base.output_paths import refuse_inputs  # most print

        for file in files:
            refuse_inputs("out", out, {"a file of this command": file})
            if file.is_dir() and Path(os.path.realpath(file)) in Path(os.path.realpath(out)).parents:
                raise InputError(f"{out} is in {file}, an input", "write to another place", parameter="out")
    _check(form, options)
    with printing_tables(_options(form, options, is_file=out is not None)) as left_out:
        try:
            with nullcontext() if out is None else _written_to(out):
                yield
        except typer.Exit:  # a verdict, which is printed
            _warn_of_others(left_out)
            raise
    _warn_of_others(left_out)


def _warn_of_others(left_out: Sequence[str]) -> None:
    if left_out:
        warn(f"CSV is one table; left out: {', '.join(left_out)} (JSON holds them all)")


@contextmanager
def _written_to(out: Path) -> Iterator[None]:
    """Write everything printed within to a file, verdicts included; after an error there is no file."""
    from combinat.base.files import write_whole  # most print

    with collecting_output() as texts:
        try:
            yield
        except typer.Exit:
            write_whole(out, "\n".join(texts))
            raise
    write_whole(out, "\n".join(texts))


def _place(name: str | None) -> Path | None:
    """The file to write to, or None for standard output."""
    if name is not None and not name.strip():
        raise InputError("found no name", "write a file, such as odds.txt", parameter="out")
    return None if name in (None, STANDARD_OUTPUT) else Path(str(name))


def _check(form: str, options: Mapping[str, Any]) -> None:
    for name, wanted in (("sort", "a column"), ("columns", "columns, such as bet,pays")):
        given = options.get(name)
        if given is not None and not given.strip(" ,-"):
            raise InputError(f'found "{given}"', f"write {wanted}, or leave it out", parameter=name)
    if form == Format.JSON:
        for name in ("places", "sort", "columns"):
            if options.get(name) is not None:
                raise InputError("JSON holds every figure, exactly", f"leave out {{{name}}}", parameter=name)


def fitting_the_terminal() -> AbstractContextManager[object]:
    """Fit everything printed within to the terminal."""
    return printing_tables(_terminal())


def _options(form: str, options: Mapping[str, Any], *, is_file: bool) -> TableOptions:
    return replace(
        _terminal(),
        places=options.get("places"),
        sort=options.get("sort") or "",
        columns=tuple(word.strip() for word in (options.get("columns") or "").split(",") if word.strip()),
        one_table=form == Format.CSV,
        is_styled=not is_file and _has_styles(),
    )


def _terminal() -> TableOptions:
    """The options that the terminal states."""
    columns = _columns()
    return TableOptions(
        width=columns or WIDTH, is_terminal=columns is not None, breaks_lines=sys.stdout.isatty()
    )


def _has_styles() -> bool:
    """Whether standard output is a terminal that shows bold and coloured text, and the user has not set ``NO_COLOR``."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _columns() -> int | None:
    """The width of the terminal, or ``COLUMNS``; None for a file or a pipe."""
    text = os.environ.get("COLUMNS", "")
    if text.isascii() and text.isdigit() and 0 < len(text) < 7:
        return min(max(int(text), LEAST_WIDTH), MOST_WIDTH)
    if sys.stdout.isatty():
        return min(max(os.get_terminal_size(sys.stdout.fileno()).columns, LEAST_WIDTH), MOST_WIDTH)
    return None
