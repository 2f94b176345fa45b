"""The program as an installer puts it: a script in a folder of its own, run as a process."""

import os
import subprocess
import sys
from pathlib import Path

from combinat.simulate.study_processes import SAFE_PATH
from tests.conftest import Ran
from tests.paths import ROOT

SCRIPT = "from combinat.cli import program\n\nif __name__ == '__main__':\n    program()\n"
"""As an installer writes it. Python puts the script's folder on the module path, not the current one."""


def run_in(folder: Path, argv: list[str], **environment: str) -> Ran:
    """Run the program from this folder as a process of its own."""
    script = folder.parent / "installed" / "combinat"
    script.parent.mkdir(exist_ok=True)
    script.write_text(SCRIPT, "utf-8")
    env = {name: value for name, value in os.environ.items() if name != SAFE_PATH}
    ran = subprocess.run(
        [sys.executable, str(script), *argv],
        cwd=folder,
        env={**env, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        timeout=300,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())
