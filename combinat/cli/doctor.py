"""``combinat doctor``: what is installed here, what is missing, and what this machine can do."""

import platform
import re
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import typer

from combinat.cli.options import FormatOption
from combinat.cli.output import say
from combinat.cli.trials import trials
from combinat.render.text import Format, as_json, rendered
from combinat.report.machine import Library, Machine, machine_document, machine_json, trials_table

_REQUIREMENT = re.compile(r"([\w.-]+)\s*(\[[^\]]*\])?\s*([^;]*?)\s*(?:;.*extra == ['\"]([\w-]+)['\"].*)?")
_LEFT_OUT = ("all", "dev", "docs")
"""Extras that repeat the others, or that only developers need."""


def doctor(form: FormatOption = Format.TEXT) -> None:
    """What is installed, which extras are missing, and whether this machine can write reports and PDFs.

    Every trial does a small piece of the real work. Exit codes: 0, what is installed works; 1, something does not.
    """
    machine = Machine(
        python=f"{platform.python_version()} ({platform.python_implementation()})",
        system=f"{platform.system()} {platform.machine()}",
        libraries=tuple(libraries()),
        trials=tuple(trials(Path.cwd())),
    )
    if form is Format.JSON:
        say(as_json(machine_json(machine)))
    else:
        block = trials_table(machine.trials) if form is Format.CSV else machine_document(machine)
        say(rendered([block], form))
    raise typer.Exit(0 if machine.holds else 1)


def libraries() -> list[Library]:
    """The libraries that combinat asks for, as its own metadata says; none where it was not installed by pip."""
    try:
        return required(metadata.requires("combinat") or ())
    except metadata.PackageNotFoundError:
        return []


def required(requirements: Sequence[str]) -> list[Library]:
    """The libraries of these requirements, those that everything needs first, each with its version here."""
    named = []
    for requirement in requirements:
        match = _REQUIREMENT.fullmatch(requirement)
        if match is None or match[2] or match[4] in _LEFT_OUT:
            continue
        named.append(
            Library(name=match[1], wanted=match[3], extra=match[4] or "", version=_installed(match[1]))
        )
    return sorted(named, key=lambda library: (library.extra, library.name))


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
