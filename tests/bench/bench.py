"""What combinat costs, as ratios to something fixed in the same run: ``make bench``.

Machines are noisy and differ, so no number here is a promise in seconds; each is the best of several runs.
"""

import random
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
from combinat.simulate.simulation import Simulation
from combinat.simulate.tally import Tally

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


def plain_dealing(rounds: int) -> list[int]:
    """A plain Python loop that deals rounds and counts Player, Banker, Tie and the pairs; no insurance."""
    pack = [rank for rank in range(1, 14) for _ in range(32)]
    draws_against = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}}
    found = [0] * 5
    for _ in range(rounds):
        six = random.sample(pack, 6)
        points = [rank if rank < 10 else 0 for rank in six]
        player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
        if player < 8 and banker < 8:
            if player < 6:
                third = points[4]
                player = (player + third) % 10
                if banker < 3 or third in draws_against.get(banker, ()):
                    banker = (banker + points[5]) % 10
            elif banker < 6:
                banker = (banker + points[4]) % 10
        found[0] += player > banker
        found[1] += banker > player
        found[2] += player == banker
        found[3] += six[0] == six[2]
        found[4] += six[1] == six[3]
    return found


def dealing() -> None:
    """The simulator against a plain loop; and the replay of what it dealt."""
    rounds, game = 2_000_000, load_game("commission-insurance-2013")
    each = best(lambda: plain_dealing(100_000), 3) / 100_000
    line("a plain Python loop, five bets, a million rounds", each * 1e6)

    def simulated(cut_card: int | None) -> None:
        simulation = Simulation(game=game, shoe=Shoe.of_decks(8), rounds=rounds, seed=1, cut_card=cut_card)
        tally = Tally(simulation.asked)
        for _, part in simulation.results(simulation.tally):
            tally.add(part)

    for name, cut_card in (("independent rounds", None), ("whole shoes", 14)):
        cost = best(partial(simulated, cut_card), 3) / rounds
        line(f"simulate, {name}, all bets, a million rounds", cost * 1e6)
        print(f"{'':<58} {1 / cost:10.0f} rounds a second, {each / cost:.0f} times the plain loop")
    with tempfile.TemporaryDirectory() as folder:
        log = str(Path(folder) / "log.csv")
        words = ("simulate", game.id, "--rounds", "1000000", "--out", log)
        subprocess.run([sys.executable, "-m", "combinat", *words], check=True, capture_output=True)
        cost = best(command("-m", "combinat", "crosscheck", log), 1)
        line("crosscheck of a hand log of a million rows", cost, "the plain loop", each * 1e6)


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

    print()
    dealing()


if __name__ == "__main__":
    main()
