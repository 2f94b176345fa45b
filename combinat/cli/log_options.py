"""What is said of a foreign log on the command line: the keys of a map, each an option."""

import inspect
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from combinat.base.errors import (
    CombinatError,
    MissingGameError,
    MissingShoeError,
    StatedTwiceError,
    UnconfirmedError,
    UnknownGameError,
    UnsaidError,
    shortened,
)

if TYPE_CHECKING:
    from combinat.audit.reading.log_map import LogMap

MapOption = Annotated[
    Path | None,
    typer.Option(
        "--map",
        metavar="FILE",
        help="A TOML file that says what the columns of a foreign log hold.",
        show_default=False,
    ),
]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="WHAT=NAME",
        help="Which column says what, such as round=hand, player_cards=p1+p2+p3 or stake:tie=tie_bet; may be repeated.",
        show_default=False,
    ),
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="NAME",
        help='A column not to look at; may be repeated; "others" for all that are not known.',
        show_default=False,
    ),
]
CardsAsOption = Annotated[
    str | None,
    typer.Option(
        "--cards-as",
        metavar="NOTATION",
        help="How cards are written: rank, rank-suit, suit-rank, words, 1-13, 0-12, 0-51, 1-52, 0-51-by-rank, 1-52-by-rank, 0-9.",
        show_default=False,
    ),
]
DelimiterOption = Annotated[
    str | None,
    typer.Option(metavar="MARK", help="What separates the cells of a text file.", show_default=False),
]
DecimalOption = Annotated[
    str | None, typer.Option(metavar="MARK", help="The decimal mark of amounts.", show_default=False)
]
ThousandsOption = Annotated[
    str | None, typer.Option(metavar="MARK", help="What groups their thousands.", show_default=False)
]
CurrencyOption = Annotated[
    str | None, typer.Option(metavar="SIGN", help="The currency beside amounts.", show_default=False)
]
ShoesOption = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help="Without a column of shoes: restart, where the numbers of rounds begin again; or none.",
        show_default=False,
    ),
]
ScaleOption = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="The decimals that floats of a Parquet file stand for.", show_default=False
    ),
]
UnitOption = Annotated[
    str | None,
    typer.Option(
        metavar="AMOUNT", help="The smallest amount that is paid, such as 0.01.", show_default=False
    ),
]
RoundingOption = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help="How winnings are rounded to it: down, up, half-up or half-even.",
        show_default=False,
    ),
]

_WAYS_OUT: dict[type[CombinatError], str] = {
    MissingGameError: ", or give --game GAME",
    MissingShoeError: ", or give --decks N",
    UnknownGameError: " with --game FILE.toml",
}
"""What the options can do about a file that does not say enough."""

_GIVEN = {"shoe": ("--decks", "--cards"), "cut card": ("--cut-card",)}
"""The options by which something is given that a file may say itself."""

_WAYS = {
    "column": ", with --column WHAT=NAME and --ignore NAME, or in a --map FILE",
    "cards": ", with --cards-as NOTATION",
    "scale": ", with --scale N",
    "shoes": ", with --shoes restart or --shoes none",
    "amounts": ", with --decimal MARK and --thousands MARK",
}
"""The options that say what a foreign log leaves open."""

_ONE_CHARACTER = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " "}


OPTIONS: dict[str, Any] = {
    "map_file": MapOption,
    "column": ColumnOption,
    "ignore": IgnoreOption,
    "cards_as": CardsAsOption,
    "delimiter": DelimiterOption,
    "decimal": DecimalOption,
    "thousands": ThousandsOption,
    "currency": CurrencyOption,
    "shoes": ShoesOption,
    "scale": ScaleOption,
    "unit": UnitOption,
    "rounding": RoundingOption,
}
"""Everything that a command takes that reads logs, in the order of its help."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a log is to be read, as the command line says."""

    said: Mapping[str, Any]

    @property
    def map_file(self) -> Path | None:
        """The file of the map."""
        file: Path | None = self.said["map_file"]
        return file

    def log_map(self) -> "LogMap":
        """The map that a file and options state together; an option goes before the file."""
        others = {name: value for name, value in self.said.items() if name not in _APART}
        return _stated_map(self.map_file, self.said["column"], self.said["ignore"], **others)


_APART = ("map_file", "column", "ignore")


def reads_logs(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes a reading, with the options of a log in its place."""
    signature = inspect.signature(command)
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.name != "reading":
            parameters.append(parameter)
            continue
        parameters += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
            for name, option in OPTIONS.items()
        ]

    @wraps(command)
    def taking_options(**given: Any) -> None:
        said = {name: given.pop(name) for name in OPTIONS}
        command(**given, reading=Reading(said))

    taking_options.__dict__["__signature__"] = signature.replace(parameters=parameters)
    taking_options.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return taking_options


def _stated_map(
    file: Path | None, columns: list[str] | None, ignore: list[str] | None, **said: Any
) -> "LogMap":
    from combinat.audit.reading.log_map import LogMap, parsed_map, read_map

    raw: dict[str, Any] = {
        key.replace("_", "-"): _ONE_CHARACTER.get(value, value) if isinstance(value, str) else value
        for key, value in said.items()
        if value is not None
    }
    if columns:
        raw["columns"] = dict(_column(text) for text in columns)
    names = [name for name in ignore or [] if name != "others"]
    if names:
        raw["ignore"] = names
    stated = parsed_map(raw, "the options")
    if "others" in (ignore or []):
        stated = LogMap(**{**stated.__dict__, "ignore_others": True})
    return stated.over(read_map(file)) if file is not None else stated


def _column(text: str) -> tuple[str, str | list[str]]:
    what, equals, names = text.partition("=")
    if not equals or not names:
        raise CombinatError(
            f'--column: found "{shortened(text)}"; write what a column says and its name, such as round=hand'
        )
    parts = names.split("+") if what in ("player_cards", "banker_cards") else [names]
    return what, parts[0] if len(parts) == 1 else parts


@contextmanager
def ways_out() -> Iterator[None]:
    """What a file leaves open, or says itself, is refused with the options that help."""
    try:
        yield
    except UnsaidError as error:
        raise CombinatError(f"{error}{_WAYS[error.thing]}") from None
    except UnconfirmedError as error:
        repeated = " ".join(f"--{name} {shlex.quote(value)}" for name, value in error.repeat.items())
        raise CombinatError(f"{error}, with {repeated}") from None
    except StatedTwiceError as error:
        *options, last = (option for thing in error.things for option in _GIVEN[thing])
        listed = f"{', '.join(options)} and {last}" if options else last
        raise CombinatError(f"{error}; leave out {listed}") from None
    except (MissingGameError, MissingShoeError, UnknownGameError) as error:
        raise CombinatError(f"{error}{_WAYS_OUT[type(error)]}") from None


@contextmanager
def at_hand(file: Path) -> Iterator[Path]:
    """The file, or what comes from standard input, laid into a file: it is looked at more than once.

    What the log leaves open is asked for by the options.
    """
    with ways_out():
        if str(file) != "-":
            yield file
            return
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "standard-input"
            with place.open("wb") as copy:
                shutil.copyfileobj(sys.stdin.buffer, copy)
            yield place
