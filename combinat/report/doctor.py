"""The document of ``combinat doctor``: the installed libraries, and the results of trying them."""

from dataclasses import dataclass
from enum import StrEnum

from combinat import __version__
from combinat.base.kinds import FLAG, TEXT
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Section, section
from combinat.report.relation_tables import view_table


class TrialState(StrEnum):
    """The result of a trial."""

    WORKS = "works"
    MISSING = "missing"  # a library that it needs is not installed
    FAILS = "fails"


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A library that combinat requires; ``extra``: the extra that needs it, or empty if every installation does."""

    name: str
    wanted: str
    extra: str = ""
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A function of combinat that was tried on this machine; ``said``: the result, or the remedy."""

    what: str
    state: TrialState
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The machine on which combinat runs: its libraries, and the trials."""

    python: str
    system: str
    libraries: tuple[Library, ...]
    trials: tuple[Trial, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing fails and no library is missing that everything needs; an extra may be left out."""
        return all(trial.state is not TrialState.FAILS for trial in self.trials) and all(
            library.extra or library.version for library in self.libraries
        )

    @property
    def missing_extras(self) -> list[str]:
        """The extras of which a library is not installed."""
        lacking = (library.extra for library in self.libraries if library.version is None and library.extra)
        return sorted(set(lacking))


def machine_document(machine: Machine) -> Section:
    """Return the trials, then the libraries, then what to install."""
    return section(
        f"combinat {__version__} on this machine",
        {"Python": machine.python, "System": machine.system},
        view_table(TRIALS, machine.trials),
        view_table(LIBRARIES, machine.libraries),
        _verdict(machine),
    )


TRIALS: Relation[Trial] = Relation(
    "trials",
    Field("what", "can it", TEXT, "What was tried.", views="terminal"),
    Field("state", "state", TEXT, "How it ended.", views="terminal", words=TrialState),
    Field("said", "what came of it", TEXT, "What came of it, or what to do.", views="terminal"),
)
"""Trials on this machine, a row each."""

LIBRARIES: Relation[Library] = Relation(
    "libraries",
    Field("name", "library", TEXT, "The library.", views="terminal"),
    Field("installed", "installed", TEXT, "The version installed.", lambda one: one.version, views="terminal", may_be_none=True),
    Field("wanted", "wanted", TEXT, "The versions wanted.", views="terminal"),
    Field("extra", "extra", TEXT, "The extra that asks for it.", lambda one: one.extra or None, views="terminal", may_be_none=True),
)  # fmt: skip
"""The libraries that combinat asks for, a row each."""


def _verdict(machine: Machine) -> str:
    missing = machine.missing_extras
    if not machine.holds:
        return "Something is wrong here: see the lines that fail, and the libraries without an extra."
    if missing:
        return f"What is installed works. For the rest: pip install '.[{','.join(missing)}]'."
    return "Everything is installed and works."


DOCTOR: Document[Machine] = Document(
    "combinat/doctor/1",
    "What this machine can do: combinat doctor.",
    Field("combinat", "combinat", TEXT, "The version of combinat.", lambda machine: __version__),
    Field("python", "Python", TEXT, "The version of Python."),
    Field("system", "system", TEXT, "The system."),
    Field("holds", "holds", FLAG, "Whether nothing fails and nothing needed is missing."),
    Field("missing_extras", "missing extras", Many(TEXT), "Extras that are not installed."),
    Field("trials", "trials", Many(TRIALS), "What was tried."),
    Field("libraries", "libraries", Many(LIBRARIES), "The libraries."),
)
