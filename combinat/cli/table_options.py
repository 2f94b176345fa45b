"""Options of every command that prints tables: which columns, in which order, how exact, how wide, and where to."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from combinat.base.errors import CombinatError
from combinat.cli.output import diverted, warn
from combinat.render.table_options import (
    WIDTH,
    TableOptionError,
    TableOptions,
    TableOptionsInForce,
    printing_tables,
)
from combinat.render.text import Format

MOST_PLACES = 60
LEAST_WIDTH, MOST_WIDTH = 40, 1000
STANDARD_OUTPUT = "-"
"""The name of a file that stands for standard output."""

OPTIONS: dict[str, Any] = {
    "places": Annotated[
        int | None,
        typer.Option(
            min=0, max=MOST_PLACES, metavar="N", help="Decimals of rounded figures.", show_default=False
        ),
    ],
    "sort": Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Sort the rows by this column; -COLUMN: the largest first.",
            show_default=False,
        ),
    ],
    "columns": Annotated[
        str | None,
        typer.Option(metavar="COLUMNS", help="Print these columns, such as bet,pays.", show_default=False),
    ],
}
OUT: Any = Annotated[
    str | None,  # an empty path would be the folder that one is in
    typer.Option(
        metavar="FILE", help="Write what would be printed to this file; -: print it.", show_default=False
    ),
]
DEFAULTS: dict[str, Any] = dict.fromkeys([*OPTIONS, "out"])


@contextmanager
def tables_in_shape(form: StrEnum, said: Mapping[str, Any], files: Sequence[Path]) -> Iterator[None]:
    """What is printed meanwhile, in the shape that the options say.

    ``form``: a format, of all tables or of a command that has more. ``files``: those that it has to do with.
    """
    out = _place(said.get("out"))
    if out is not None:
        from combinat.base.output_paths import refuse_inputs  # most print

        for file in files:
            refuse_inputs("out", out, {"a file of this command": file})
            if file.is_dir() and Path(os.path.realpath(file)) in Path(os.path.realpath(out)).parents:
                raise CombinatError(
                    f"--out: {out} lies in {file}, which is looked at; write to another place"
                )
    _refuse_empty(said)
    _refuse_with_json(form, said)
    with printing_tables(_options(form, said)) as asked:
        try:
            with nullcontext() if out is None else _written_to(out):
                yield
        except TableOptionError as error:
            raise CombinatError(f"--{error.option}: {error}") from None
        except typer.Exit:  # a verdict, which is printed
            _tell_of_others(asked.left_out)
            raise
    _tell_of_others(asked.left_out)


def _tell_of_others(left_out: Sequence[str]) -> None:
    if left_out:
        warn(f"CSV is one table; left out: {', '.join(left_out)} (JSON holds them all)")


@contextmanager
def _written_to(out: Path) -> Iterator[None]:
    """What is said meanwhile goes to a file, also where it is a verdict; a mistake leaves no file."""
    from combinat.base.files import write_whole  # most print

    with diverted() as texts:
        try:
            yield
        except typer.Exit:
            write_whole(out, "\n".join(texts))
            raise
    write_whole(out, "\n".join(texts))


def _place(name: str | None) -> Path | None:
    """The file to write to; None: standard output."""
    if name is not None and not name.strip():
        raise CombinatError("--out: found no name; write a file, such as --out odds.txt")
    return None if name in (None, STANDARD_OUTPUT) else Path(str(name))


def _refuse_empty(said: Mapping[str, Any]) -> None:
    for name, wanted in (("sort", "a column"), ("columns", "columns, such as bet,pays")):
        if said[name] is not None and not said[name].strip(" ,-"):
            raise CombinatError(f'--{name}: found "{said[name]}"; write {wanted}, or leave it out')


def _refuse_with_json(form: StrEnum, said: Mapping[str, Any]) -> None:
    given = [f"--{name}" for name in ("places", "sort", "columns") if said[name] is not None]
    if form == Format.JSON and given:
        raise CombinatError(
            f"{given[0]}: JSON holds every figure, exactly; leave it out, or print another format"
        )


def fitting_the_terminal() -> AbstractContextManager[TableOptionsInForce]:
    """Have what is printed meanwhile fit the terminal."""
    columns = _columns()
    return printing_tables(TableOptions(width=columns or WIDTH, is_terminal=columns is not None))


def _options(form: StrEnum, said: Mapping[str, Any]) -> TableOptions:
    columns = _columns()
    return TableOptions(
        width=columns or WIDTH,
        is_terminal=columns is not None,
        places=said["places"],
        sort=said["sort"] or "",
        columns=tuple(word.strip() for word in (said["columns"] or "").split(",") if word.strip()),
        one_table=form == Format.CSV,
    )


def _columns() -> int | None:
    """The columns of the terminal, as it or ``COLUMNS`` says; a file and a pipe have none."""
    text = os.environ.get("COLUMNS", "")
    if text.isascii() and text.isdigit() and 0 < len(text) < 7:
        return min(max(int(text), LEAST_WIDTH), MOST_WIDTH)
    if sys.stdout.isatty():
        return min(max(os.get_terminal_size(sys.stdout.fileno()).columns, LEAST_WIDTH), MOST_WIDTH)
    return None
