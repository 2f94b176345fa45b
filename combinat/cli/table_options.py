"""Options of every command that prints tables: columns, order, decimals, and the file to write."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace

from combinat.base.errors import InputError
from combinat.cli.options import refuse
from combinat.cli.output import diverted, warn
from combinat.render.table_options import WIDTH, TableOptions, printing_tables
from combinat.render.text import Format

MOST_PLACES = 60
LEAST_WIDTH, MOST_WIDTH = 40, 1000
STANDARD_OUTPUT = "-"
"""The file name that means standard output."""


def shape_options(
    places: Annotated[
        int | None,
        typer.Option(
            min=0, max=MOST_PLACES, metavar="N", help="Decimals of rounded figures.", show_default=False
        ),
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Sort the rows by this column; -COLUMN: in descending order.",
            show_default=False,
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="COLUMNS", help="Print these columns, such as bet,pays.", show_default=False),
    ] = None,
    out: Annotated[
        str | None,  # an empty path would be the folder that one is in
        typer.Option(
            metavar="FILE", help="Write the output to this file; -: standard output.", show_default=False
        ),
    ] = None,
) -> None:
    """Declare the options of every command that prints tables: a command takes them from this signature."""


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

    with diverted() as texts:
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
        if options[name] is not None and not options[name].strip(" ,-"):
            raise InputError(f'found "{options[name]}"', f"write {wanted}, or leave it out", parameter=name)
    if form == Format.JSON:
        shape = {name: options[name] is not None for name in ("places", "sort", "columns")}
        refuse("JSON holds every figure, exactly", shape)


def fitting_the_terminal() -> AbstractContextManager[object]:
    """Fit everything printed within to the terminal."""
    return printing_tables(_terminal())


def _options(form: str, options: Mapping[str, Any], *, is_file: bool) -> TableOptions:
    return replace(
        _terminal(),
        places=options["places"],
        sort=options["sort"] or "",
        columns=tuple(word.strip() for word in (options["columns"] or "").split(",") if word.strip()),
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
