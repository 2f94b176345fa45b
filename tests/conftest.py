"""What the tests share."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from combinat.cli import main


@dataclass(frozen=True)
class Ran:
    """What a run of the program left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``combinat`` with these arguments in this process, as its console script does."""

    def run_combinat(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["combinat", *arguments])
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.setenv("COLUMNS", "100")
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run_combinat
