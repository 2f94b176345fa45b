"""Compile the proof and everything that is stated, with Coq, and say how many theorems hold.

    python3 proof/check.py output          the counts of every report in a folder (make slow M=proof)
    python3 proof/check.py --all output    and all of it once more by coqchk, without the virtual machine
    python3 proof/check.py my_game.v       files that combinat prove wrote

It leaves with 0 where all of it holds, 1 where something does not, and names the theorem; 2 where nothing could be
checked. It needs Python and Coq, and for the counts of reports combinat, which writes them as theorems.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from pathlib import Path

HERE = Path(__file__).resolve().parent
GENERAL = ("Cards", "Play", "Walk", "Grouped", "Counts", "Main", "Small")
"""The sources in the order of their building."""

CHECKED = ("Baccarat.Main", "Baccarat.Small")
"""What coqchk always takes: the general theorems, and the counts of two small shoes."""

ASKED = re.compile(r"^(?:Eval lazy in \(counted_theorems (\w+)\)|Print Assumptions (\w+))\.$", re.MULTILINE)
STATED = re.compile(r"^(?:Theorem|Lemma|Definition) (\w+)")
PLACE = re.compile(r'^File "[^"]*", line (\d+), characters \d+-\d+:$', re.MULTILINE)
CLOSED = "Closed under the global context"


class NotHoldingError(Exception):
    """Something that was checked and does not hold."""


class UncheckedError(Exception):
    """Something that could not be checked."""


class Programs:
    """The programs that run now, so that they can be stopped together."""

    def __init__(self) -> None:
        self.running: set[subprocess.Popen[str]] = set()
        self.lock = threading.Lock()
        self.stopped = False

    def run(self, *command: str, cwd: Path) -> tuple[int, str, str]:
        """The exit code of a program, and what it said on either stream."""
        with self.lock:
            if self.stopped:
                raise UncheckedError("stopped")
            program = subprocess.Popen(
                command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace"
            )
            self.running.add(program)
        out, err = program.communicate()
        with self.lock:
            self.running.discard(program)
            if self.stopped:
                raise UncheckedError("stopped")
        return program.returncode, out, err

    def stop(self) -> None:
        """Stop them all, and begin no other."""
        with self.lock:
            self.stopped = True
            for program in self.running:
                program.terminate()


def say(text: str) -> None:
    """A line of progress or the verdict."""
    print(text, flush=True)


def theorem_at(source: str, line: int) -> str:
    """The theorem or definition that a line of a file belongs to."""
    names = [match[1] for text in source.splitlines()[:line] if (match := STATED.match(text))]
    return names[-1] if names else "its first lines"


def refusal(path: Path, err: str) -> str:
    """What Coq refuses in a file, by the name of the theorem, and its reason."""
    if not (places := list(PLACE.finditer(err))):
        return f"{path.name}: {err.strip()[-1000:] or 'coqc failed and did not say why'}"
    last = places[-1]
    reason = " ".join(err[last.end() :].split())
    return f"{path.name}, line {last[1]}: {theorem_at(path.read_text('utf-8'), int(last[1]))} does not hold: {reason[:600]}"


def compiled(programs: Programs, path: Path) -> int:
    """How many theorems a file holds, when Coq accepts it and they assume nothing."""
    began = time.monotonic()
    say(f"{path.name}: compiling")
    code, out, err = programs.run("coqc", "-q", "-Q", ".", "Baccarat", path.name, cwd=path.parent)
    if code:
        raise NotHoldingError(refusal(path, err))
    asked = list(ASKED.finditer(path.read_text("utf-8")))
    answers = [
        part.strip() for part in re.split(r"(?=^ +=)|(?=^Closed)|(?=^Axioms)", out, flags=re.MULTILINE)
    ]
    answers = [part for part in answers if part]
    if len(answers) != len(asked):
        raise NotHoldingError(f"{path.name}: {len(asked)} questions and {len(answers)} answers of Coq")
    theorems = 0
    for question, answer in zip(asked, answers, strict=True):
        if question[1]:
            theorems += int(answer.split()[1])
        elif answer != CLOSED:
            raise NotHoldingError(f"{path.name}: {question[2]} assumes: {' '.join(answer.split())[:600]}")
        else:
            say(f"  {path.name}: {question[2]}: {answer}")
    if not theorems:
        raise NotHoldingError(f"{path.name}: it lists no theorem")
    say(f"{path.name}: {theorems} theorems hold ({time.monotonic() - began:.0f} s)")
    return theorems


def checked_again(programs: Programs, folder: Path, modules: tuple[str, ...]) -> int:
    """Nothing, when coqchk accepts these modules and all that they stand on, and finds no axiom."""
    began = time.monotonic()
    say(f"coqchk: {', '.join(modules)}: checking again")
    code, out, err = programs.run("coqchk", "-silent", "-o", "-Q", ".", "Baccarat", *modules, cwd=folder)
    if code:
        raise NotHoldingError(f"coqchk refuses {', '.join(modules)}: {' '.join(err.split())[-600:]}")
    if "* Axioms: <none>" not in out + err:
        raise NotHoldingError(
            f"coqchk finds axioms under {', '.join(modules)}: {' '.join(out.split())[:600]}"
        )
    say(f"coqchk: {', '.join(modules)}: accepted, no axioms ({time.monotonic() - began:.0f} s)")
    return 0


def written(programs: Programs, given: Path, folder: Path) -> Iterator[Path]:
    """The files to compile: a given one, or one for each report of a folder."""
    if given.suffix == ".v":
        if not given.is_file():
            raise UncheckedError(f"{given}: there is no such file")
        yield Path(shutil.copy(given, folder))
        return
    reports = sorted(given.glob("*/analysis.json"))
    if not reports:
        raise UncheckedError(
            f"{given}: found no report in it; give a folder that combinat report wrote, or a .v file"
        )
    for analysis in reports:
        game = analysis.parent.name
        own = HERE.parent / "tables" / f"{game}.toml"
        book = own if own.is_file() else analysis.with_name(f"{game}.toml")
        out = folder / f"{game.replace('-', '_')}.v"
        command = ("prove", str(book), "--analysis", str(analysis.resolve()), "--out", str(out))
        code, _, err = programs.run(sys.executable, "-m", "combinat", *command, cwd=HERE.parent)
        if code:
            raise UncheckedError(f"{game}: {err.strip()}")
        if err:
            say(f"  {game}: {err.strip()}")
        yield out


def everything(programs: Programs, given: list[Path], folder: Path, thoroughly: bool, jobs: int) -> int:
    """How many theorems hold, all told."""
    for name in GENERAL:
        shutil.copy(HERE / f"{name}.v", folder)
    files = [path for one in given for path in written(programs, one.resolve(), folder)]
    theorems = 0
    for name in GENERAL:
        path = folder / f"{name}.v"
        if ASKED.search(path.read_text("utf-8")):
            theorems += compiled(programs, path)
            continue
        code, _, err = programs.run("coqc", "-q", "-Q", ".", "Baccarat", path.name, cwd=folder)
        if code:
            raise NotHoldingError(refusal(path, err))
        say(f"{path.name}: accepted")
    with ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(compiled, programs, path) for path in files]
        running.append(pool.submit(checked_again, programs, folder, CHECKED))
        theorems += finished(programs, running)
        if thoroughly:
            modules = [f"Baccarat.{path.stem}" for path in files]
            finished(programs, [pool.submit(checked_again, programs, folder, (one,)) for one in modules])
    return theorems


def finished(programs: Programs, running: list[Future[int]]) -> int:
    """The sum of what all of them come to; the first that fails stops the others."""
    try:
        wait(running, return_when=FIRST_EXCEPTION)
        failed = [one for one in running if one.done() and one.exception() is not None]
        if failed:
            programs.stop()
            raise failed[0].exception() or AssertionError
        return sum(one.result() for one in running)
    except KeyboardInterrupt:
        programs.stop()
        raise


def main() -> int:
    """Check what was asked for; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("given", nargs="+", type=Path, metavar="REPORTS-OR-FILE.v")
    parser.add_argument("--all", action="store_true", help="coqchk takes the counts of every shoe too")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 4), help="programs at a time")
    options = parser.parse_args()
    missing = [name for name in ("coqc", "coqchk") if shutil.which(name) is None]
    if missing:
        print(f"proof: {missing[0]} is not installed; on Debian: apt-get install coq", file=sys.stderr)
        return 2
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="combinat-proof-") as folder:
            theorems = everything(Programs(), options.given, Path(folder), options.all, max(1, options.jobs))
    except NotHoldingError as error:
        print(f"proof: {error}", file=sys.stderr)
        return 1
    except UncheckedError as error:
        print(f"proof: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    say(f"all of it took {time.monotonic() - began:.0f} s")
    say(f"{theorems} theorems hold, no axioms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
