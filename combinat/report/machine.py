"""What a machine has of combinat's libraries, and what it can do with them, as people and programs read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from combinat import __version__
from combinat.render.blocks import Block, Column, Paragraph, Section, Table, Terms, table


class State(StrEnum):
    """How a trial ended."""

    WORKS = "works"
    MISSING = "missing"  # a library that it needs is not installed
    FAILS = "fails"


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A library that combinat asks for; ``extra``: the one it belongs to, empty where nothing works without it."""

    name: str
    wanted: str
    extra: str = ""
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Something that was tried on this machine; ``said``: what came of it, or what to do."""

    what: str
    state: State
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Where combinat runs, its libraries and the trials."""

    python: str
    system: str
    libraries: tuple[Library, ...]
    trials: tuple[Trial, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing fails and no library is missing that everything needs; an extra may be left out."""
        return all(trial.state is not State.FAILS for trial in self.trials) and all(
            library.extra or library.version for library in self.libraries
        )

    @property
    def missing_extras(self) -> list[str]:
        """The extras of which a library is not installed."""
        lacking = (library.extra for library in self.libraries if library.version is None and library.extra)
        return sorted(set(lacking))


def machine_document(machine: Machine) -> Section:
    """The trials, then the libraries, then what to install."""
    blocks: list[Block] = [
        Terms({"Python": machine.python, "System": machine.system}),
        trials_table(machine.trials),
        _libraries(machine.libraries),
        Paragraph(_verdict(machine)),
    ]
    return Section(f"combinat {__version__} on this machine", tuple(blocks))


def trials_table(trials: Sequence[Trial]) -> Table:
    """What was tried, a line each."""
    return table(
        (Column("can it"), Column("state"), Column("what came of it")),
        [(trial.what, trial.state, trial.said) for trial in trials],
    )


def _libraries(libraries: Sequence[Library]) -> Table:
    columns = (Column("library"), Column("installed"), Column("wanted"), Column("extra"))
    return table(
        columns, [(one.name, one.version or "missing", one.wanted, one.extra or "-") for one in libraries]
    )


def _verdict(machine: Machine) -> str:
    missing = machine.missing_extras
    if not machine.holds:
        return "Something is wrong here: see the lines that fail, and the libraries without an extra."
    if missing:
        return f"What is installed works. For the rest: pip install '.[{','.join(missing)}]'."
    return "Everything is installed and works."


def machine_json(machine: Machine) -> dict[str, Any]:
    """The machine under the schema ``combinat/doctor/1``."""
    return {
        "schema": "combinat/doctor/1",
        "combinat": __version__,
        "python": machine.python,
        "system": machine.system,
        "holds": machine.holds,
        "missing_extras": machine.missing_extras,
        "trials": [
            {"what": trial.what, "state": str(trial.state), "said": trial.said} for trial in machine.trials
        ],
        "libraries": [
            {"name": one.name, "installed": one.version, "wanted": one.wanted, "extra": one.extra or None}
            for one in machine.libraries
        ],
    }
