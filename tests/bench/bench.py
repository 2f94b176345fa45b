"""What combinat costs, as ratios to something fixed in the same run: ``make bench``.

Machines are noisy and differ, so no number here is a promise in seconds; each is the best of several runs.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from combinat import Shoe, analyze, evaluate, load_game
from combinat.engine.walk import walk

GAME = "tiger-buffalo-noncommission-2025"
HERE = Path(__file__).parent


def best(run: Callable[[], object], times: int = 7) -> float:
    """The shortest of several runs, in seconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def command(*words: str) -> Callable[[], object]:
    """A fresh Python process."""
    return lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True)


def yardstick(folder: str, kind: str, shoes: int) -> float | None:
    """Seconds a shoe of the C loops; None: there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = Path(folder) / "paths"
    if not program.exists():
        subprocess.run([compiler, "-O2", "-o", str(program), str(HERE / "paths.c")], check=True)
    runs = [
        subprocess.run([str(program), kind, str(shoes)], check=True, capture_output=True, text=True)
        for _ in range(3)
    ]
    checks = {run.stdout.split()[1] for run in runs}
    if checks != {"2230518282592256"}:  # Player wins at 8 decks
        raise SystemExit(f"the C yardstick counts wrongly: {checks}")
    return min(float(run.stdout.split()[0]) for run in runs)


def line(what: str, seconds: float, against: str = "", base: float | None = None) -> None:
    """One line of the bench."""
    ratio = f"   {seconds / base:8.2f} x {against}" if base else f"   {'':8}   {against}"
    print(f"{what:<58} {seconds * 1000:10.3f} ms{ratio}")


def main() -> None:
    """Measure and print."""
    bare = best(command("-c", "import numpy, typer"))
    line("python -c 'import numpy, typer'", bare)
    line("combinat odds GAME, cold", best(command("-m", "combinat", "odds", GAME)), "the line above", bare)

    game, fresh = load_game(GAME), Shoe.of_decks(8)
    with tempfile.TemporaryDirectory() as folder:
        plain, careful = yardstick(folder, "plain", 40), yardstick(folder, "careful", 4000)
    print()
    if plain and careful:
        line("C, every ordered path by rank, a shoe", plain)
        line("C, by points with unordered pairs, a shoe", careful)
    recursion = best(lambda: walk(fresh))
    line("walk: the recursion, every outcome, 8 decks", recursion, "C by rank", plain)
    line("analyze: every bet, 8 decks", best(lambda: analyze(game, fresh)), "C by rank", plain)
    for decks in (4, 10, 1000):
        line(
            f"walk, {decks} decks",
            best(partial(walk, Shoe.of_decks(decks))),
            "walk, 8 decks",
            recursion,
        )

    print()
    generator = np.random.default_rng(1)
    start = time.perf_counter()
    evaluate(game, [[32] * 13])
    line("evaluate, the first call: compiling", time.perf_counter() - start)
    for number in (1_000, 10_000, 40_000):
        shoes = generator.integers(0, 33, size=(number, 13))
        each = best(partial(evaluate, game, shoes), 3) / number
        line(f"evaluate, {number} random shoes, a shoe", each, "C by points", careful)
        print(f"{'':<58} {1 / each:10.0f} shoes a second, {recursion / each:.0f} times the recursion")
    for decks in (4, 10, 25):
        shoes = generator.integers(0, 4 * decks + 1, size=(10_000, 13))
        each = best(partial(evaluate, game, shoes), 3) / len(shoes)
        line(f"evaluate, 10000 shoes from {decks} decks, a shoe", each, "C by points", careful)


if __name__ == "__main__":
    main()
