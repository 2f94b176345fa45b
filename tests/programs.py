"""combinat as a process of its own, and what it leaves in a folder."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.paths import ROOT

PROGRAM = [sys.executable, "-m", "combinat"]


def program(words: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    """The program, running."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*PROGRAM, *words], cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True
    )


def wait_for(holds: object) -> None:
    """Wait until something holds."""
    assert callable(holds)
    until = time.monotonic() + 60
    while True:
        with suppress(FileNotFoundError):
            if holds():
                return
        assert time.monotonic() < until
        time.sleep(0.005)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, and every empty folder, by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"a folder"
        for path in sorted(folder.rglob("*"))
        if path.is_file() or not any(path.iterdir())
    }
