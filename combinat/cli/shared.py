"""Options that every command has, without saying so itself."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Annotated, Any

import typer

from combinat.cli import leaving, output

DebugOption = Annotated[bool, typer.Option("--debug", help="Show where an unforeseen fault came from.")]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="No warnings and no progress on standard error.")
]

OPTIONS: dict[str, Any] = {"quiet": QuietOption, "debug": DebugOption}


def with_shared_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options that every command has, after its own, and what a shell completes."""
    from combinat.cli.completion import completed  # the list of commands does without

    signature = inspect.signature(command)
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=option)
        for name, option in OPTIONS.items()
    ]
    parameters = [*map(completed, signature.parameters.values()), *shared]

    @wraps(command)
    def taking_options(**given: Any) -> None:
        with _in_force(**{name: given.pop(name) for name in OPTIONS}):
            command(**given)

    taking_options.__dict__["__signature__"] = signature.replace(parameters=parameters)
    taking_options.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return taking_options


@contextmanager
def _in_force(*, quiet: bool, debug: bool) -> Iterator[None]:
    """What the options say, while a command runs. How it ends is told after that."""
    if debug:
        leaving.show_faults()
    with output.quietly(quiet):
        yield
