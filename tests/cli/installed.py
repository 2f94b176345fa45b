"""The program as an installer puts it: a script in a folder of its own, run as a process; and folders with traps."""

from pathlib import Path

from combinat.base.processes import SAFE_PATH
from tests.conftest import SMALL_BOOK, Ran
from tests.programs import python

SCRIPT = "from combinat.cli import program\n\nif __name__ == '__main__':\n    program()\n"
"""As an installer writes it. Python puts the script's folder on the module path, not the current one."""


def run_in(folder: Path, argv: list[str], **environment: str) -> Ran:
    """Run the program from this folder as a process of its own."""
    script = folder.parent / "installed" / "combinat"
    script.parent.mkdir(exist_ok=True)
    script.write_text(SCRIPT, "utf-8")
    return python(str(script), *argv, folder=folder, **{SAFE_PATH: "", **environment})


TRAP = "import pathlib\n\npathlib.Path(__file__).with_suffix('.ran').touch()\n"
NAMES = (
    "multiprocessing",
    "numpy",
    "json",
    "typing_extensions",
    "combinat",
    "sitecustomize",
    "yaml",
    "pickle",
)

STUDY = [
    *("protect", str(SMALL_BOOK), "--decks", "1", "--cut-card", "20", "--burn", "none", "--bet", "six"),
    *("--shoes", "2000", "--seed", "7", "--out", "study"),
]
"""So many shoes that dealing, and verifying all blocks, starts processes where there are two cores."""


def trapped(folder: Path) -> Path:
    """A new folder with modules that leave a trace when they run, and a configuration of numba."""
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(TRAP, "utf-8")
    (folder / ".numba_config.yaml").write_text(f"cache_dir: {folder / 'numba.ran'}\n", "utf-8")
    return folder


def traces(folder: Path) -> list[str]:
    """What ran that must not run."""
    return sorted(path.name for path in folder.rglob("*.ran"))
