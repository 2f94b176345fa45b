"""``combinat doctor``: what is tried is really tried, what is missing is said, and only what fails is a fault."""

import json

import pytest

from combinat.base.errors import CombinatError
from combinat.cli import trials as trials_module
from combinat.cli.doctor import required
from combinat.cli.trials import tried
from combinat.report.machine import Library, Machine, State, Trial
from tests.conftest import Run


def test_this_machine_can_do_all(run: Run) -> None:
    ran = run("doctor", "--format", "json")
    said = json.loads(ran.out)
    assert (ran.code, ran.err, said["holds"]) == (0, "", True)
    states = {trial["what"]: trial["state"] for trial in said["trials"]}
    assert len(states) == 12
    assert {
        states[what] for what in ("read the rule books", "count exactly", "draw PDFs", "write files here")
    } == {"works"}


def test_what_is_not_installed_is_missing_and_no_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials_module, "_TRIALS", [("fly", ("no_such_wings",), "sky", lambda: "up")])
    ran = run("doctor")
    assert ran.code == 0
    assert "fly                 missing  no_such_wings not installed: pip install 'combinat[sky]'" in ran.out


def test_what_fails_is_told_in_a_line_and_is_a_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> str:
        raise OSError("two\nlines")

    monkeypatch.setattr(trials_module, "_TRIALS", [("fly", (), "", broken)])
    ran = run("doctor", "--format", "csv")
    assert ran.code == 1
    assert ran.out.splitlines()[:2] == ["can_it,state,what_came_of_it", "fly,fails,OSError: two lines"]


def test_a_trial_fails_for_whatever_it_raises() -> None:
    def panic() -> str:
        raise SystemExit(3)

    def refused() -> str:
        raise CombinatError("not today")

    assert tried("a", panic).state is State.FAILS
    assert tried("b", refused) == Trial(what="b", state=State.FAILS, said="not today")


def test_the_libraries_are_those_of_the_metadata() -> None:
    named = required(
        [
            "msgspec<1,>=0.19",
            "no-such-thing==3; extra == 'fast'",
            "pytest<10; extra == 'dev'",
            "combinat[fast,sign]; extra == 'all'",
        ]
    )
    assert [(one.name, one.wanted, one.extra, one.version is None) for one in named] == [
        ("msgspec", "<1,>=0.19", "", False),
        ("no-such-thing", "==3", "fast", True),
    ]


def test_only_a_library_without_an_extra_must_be_there() -> None:
    extra = Library(name="a", wanted="", extra="fast")
    machine = Machine(python="", system="", libraries=(extra,), trials=())
    assert (machine.holds, machine.missing_extras) == (True, ["fast"])
    needed = Machine(python="", system="", libraries=(Library(name="a", wanted=""),), trials=())
    assert not needed.holds
