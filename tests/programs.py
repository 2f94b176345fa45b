"""combinat as a process of its own, and what it leaves in a folder."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.conftest import Ran
from tests.paths import ROOT

PROGRAM = [sys.executable, "-m", "combinat"]


def process(
    words: Sequence[str],
    folder: Path | None = None,
    *,
    given: str = "",
    encoding: str = "utf-8",
    **environment: str,
) -> Ran:
    """What a process leaves behind that comes to its end; it is given a text, and finds this checkout."""
    ran = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        input=given.encode(),
        capture_output=True,
        timeout=300,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout.decode(encoding), ran.stderr.decode())


def python(*words: str, folder: Path | None = None, given: str = "", **environment: str) -> Ran:
    """What this Python leaves behind, run with these words."""
    return process([sys.executable, *words], folder, given=given, **environment)


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
    """Every file below a folder, and every link, pipe and empty folder, by name."""
    return {
        str(path.relative_to(folder)): os.readlink(path).encode()
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else b"a folder or a pipe"
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or not path.is_dir() or not any(path.iterdir())
    }
