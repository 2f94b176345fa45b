"""``combinat doctor``: a trial does real work; only a failure or a missing dependency is a fault."""

import json
from unittest.mock import Mock

import pytest

from combinat.base.errors import CombinatError
from combinat.cli import doctor as doctor_module
from combinat.cli.doctor import libraries, run_trial
from combinat.report.doctor import Library, Machine, Trial, TrialState
from tests.conftest import Run


def test_this_machine_works(run: Run) -> None:
    ran = run("doctor", "--format", "json")
    said = json.loads(ran.out)
    assert (ran.code, ran.err, said["holds"]) == (0, "", True)
    states = {trial["what"]: trial["state"] for trial in said["trials"]}
    assert {states[what] for what in ("read the rule books", "count exactly", "write files here")} == {
        "works"
    }


def test_a_missing_extra_is_no_fault_and_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_module, "find_spec", lambda name: None)
    ran = run("doctor")
    assert (ran.code, "pip install '.[fast]'" in ran.out) == (0, True)


def test_a_failing_trial_is_a_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_module, "_odds", Mock(side_effect=OSError("two\nlines")))
    ran = run("doctor", "--format", "csv")
    assert ran.code == 1
    assert "count exactly,fails,OSError: two lines" in ran.out.splitlines()


def test_a_trial_fails_for_whatever_it_raises() -> None:
    assert run_trial("a", Mock(side_effect=SystemExit(3))).state is TrialState.FAILS
    refused = run_trial("b", Mock(side_effect=CombinatError("not today")))
    assert refused == Trial(what="b", state=TrialState.FAILS, said="not today")


def test_the_libraries_are_those_of_the_metadata() -> None:
    named = libraries(
        [
            "msgspec<1,>=0.19",
            "no-such-thing==3; extra == 'fast'",
            "pytest<10; extra == 'dev'",
            "combinat[fast]; extra == 'dev'",
        ]
    )
    assert [(one.name, one.wanted, one.extra, one.version is None) for one in named] == [
        ("msgspec", "<1,>=0.19", "", False),
        ("no-such-thing", "==3", "fast", True),
    ]
    machine = Machine(python="", system="", libraries=(named[1],), trials=())
    assert (machine.holds, machine.missing_extras) == (True, ["fast"])
    assert not Machine(python="", system="", libraries=(Library(name="a", wanted=""),), trials=()).holds
