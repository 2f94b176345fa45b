"""What combinat costs, as ratios to something fixed in the same run: ``make bench``.

Machines are noisy and differ, so no number here is a promise in seconds; each is the best of several runs.
"""

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from unittest import mock

import numpy as np

from combinat import Game, Shoe, analyze, evaluate, load_game
from combinat.engine import kernel
from combinat.engine.arrays import Ints
from combinat.engine.pairs import pair_distribution
from combinat.engine.walk import walk
from combinat.montecarlo.simulation import Simulation
from combinat.montecarlo.tally import Tally
from combinat.rules.cards import RANKS
from combinat.rules.table_of_play import TABLE_OF_PLAY

GAME = "tiger-buffalo-noncommission-2025"
INSURED = "commission-insurance-2013"
FIRST_ROWS = 20_000
"""Rows of a log that allow every test."""
HERE = Path(__file__).parent

LOOPS = {"ranks": 40, "points": 400, "careful": 4000}
LOOP_NAMES = {
    "ranks": "every ordered path by rank",
    "points": "every ordered path by points",
    "careful": "by points with unordered pairs",
}
"""The loops in C, with the number of shoes that they are timed on."""


def best(run: Callable[[], object], times: int = 7) -> float:
    """The shortest of several runs, in seconds."""
    return both(run, times)[0]


def both(run: Callable[[], object], times: int = 7) -> tuple[float, float]:
    """The shortest of several runs, in seconds: on the clock, and of the processor."""
    walls, processor = [], []
    for _ in range(times):
        start, used = time.perf_counter(), time.process_time()
        run()
        walls.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
    return min(walls), min(processor)


def command(*words: str, threads: int | None = None) -> Callable[[], object]:
    """A fresh Python process, which finds its modules compiled as an installed program does."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if threads is not None:
        names = ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
        variables |= dict.fromkeys(names, str(threads))
    return lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True, env=variables)


def start(*words: str) -> float:
    """Seconds of the processor that such a process takes: what else the machine does is no part of a start."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command(*words)()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


SCRIPT = ("-c", "from combinat.cli import program; program()")
"""What the console script does."""

STARTS = {
    "combinat --version": (*SCRIPT, "--version"),
    "combinat --help": (*SCRIPT, "--help"),
    "combinat games": (*SCRIPT, "games"),
    "combinat odds GAME": (*SCRIPT, "odds", GAME),
    "combinat odds GAME --format json": (*SCRIPT, "odds", GAME, "--format", "json"),
    "combinat insurance GAME": (*SCRIPT, "insurance", INSURED),
    "combinat round GAME ...": (*SCRIPT, "round", INSURED, "--player", "5 K", "--banker", "K 6"),
    "combinat settle GAME ...": (*SCRIPT, "settle", INSURED, "--player", "K 6", "--banker", "2 3 9"),
    "combinat rules GAME": (*SCRIPT, "rules", GAME),
}


def start_up(times: int = 15) -> None:
    """Commands from a cold start, in turns with ``import typer``, which all of them need."""
    commands = {"python -c 'import typer'": ("-c", "import typer")} | STARTS
    seconds: dict[str, list[float]] = {what: [] for what in commands}
    for turn in range(times + 1):
        for what, words in commands.items():
            taken = start(*words)
            if turn:  # the first compiles modules
                seconds[what].append(taken)
    bare = min(next(iter(seconds.values())))
    for what, taken_by in seconds.items():
        line(what, min(taken_by), "import typer", bare)


def yardstick(folder: str, kind: str, shoes: int) -> float | None:
    """Seconds of the processor that a loop in C takes a shoe; None: there is no compiler."""
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


def random_shoes(number: int) -> Ints:
    """What is left of eight decks when 60 to 416 cards are."""
    generator = np.random.default_rng(5)
    left = generator.integers(60, 417, size=number)
    return np.array([generator.multivariate_hypergeometric([32] * 13, cards) for cards in left])


def one_shoe(game: Game, by_rank: float | None) -> float:
    """The recursion and the pair algorithm for one shoe; the seconds of the recursion."""
    fresh = Shoe.of_decks(8)
    recursion = best(lambda: walk(fresh))
    line("walk: the recursion, every outcome, 8 decks", recursion, "C by rank", by_rank)
    results = best(lambda: pair_distribution(fresh, TABLE_OF_PLAY).results)
    line("pair_distribution: results", results, "walk", recursion)
    line("analyze: every bet, 8 decks", best(lambda: analyze(game, fresh)), "C by rank", by_rank)
    for decks in (4, 10, 1000):
        shoe = Shoe.of_decks(decks)
        line(f"walk, {decks} decks", best(partial(walk, shoe)), "walk, 8 decks", recursion)
        line(f"analyze, {decks} decks", best(partial(analyze, game, shoe)), "walk, 8 decks", recursion)
    return recursion


FIRST_CALL = """
import time
from combinat.engine import kernel
start = time.perf_counter()
kernel.load()
print(time.perf_counter() - start)
"""


def readiness(game: Game) -> None:
    """What it takes until the first shoe: compiling, loading, writing a program."""
    with tempfile.TemporaryDirectory() as folder:
        variables = {**os.environ, "NUMBA_CACHE_DIR": folder}
        words = [sys.executable, "-c", FIRST_CALL]
        for what in ("compiled from nothing", "from disk"):
            ran = subprocess.run(words, check=True, capture_output=True, text=True, env=variables)
            line(f"the kernel, {what}, numba loaded", float(ran.stdout))
    shoe = random_shoes(1)
    line("the program of a game, first call", best(lambda: evaluate(game, shoe), 1))


def batches(game: Game, yardsticks: dict[str, float | None], recursion: float) -> None:
    """The kernel, and rows of numpy: microseconds a shoe, on the clock and of the processor."""
    shoes = random_shoes(60_000)
    with mock.patch.object(kernel, "_kernel", [None]):
        costs = {"evaluate on rows of numpy": each(partial(evaluate, game), shoes[:12_000])}
    asked: dict[str, Callable[[Ints], object]] = {
        "evaluate": partial(evaluate, game),
        "evaluate with outcomes": partial(evaluate, game, outcomes=True),
        "evaluate with variance": partial(evaluate, game, variance=True),
    }
    for what, run in asked.items():
        costs[f"{what}, {len(game.bets)} bets"] = each(run, shoes)
    insured = load_game("commission-insurance-2013")
    costs["evaluate, the 2013 game, 5 bets"] = each(partial(evaluate, insured), shoes)
    with_insurance = partial(evaluate, insured, insurance=True)
    costs[f"the same with its {len(insured.offers)} insurance states"] = each(with_insurance, shoes)
    print(f"{'a shoe of a batch of 60,000, 60 to 416 cards left':<58} {'clock':>10}    {'processor':>10}")
    for what, (wall, used) in costs.items():
        print(f"{what:<58} {wall * 1e6:10.2f} us {used * 1e6:10.2f} us")
    wall, used = costs[f"evaluate, {len(game.bets)} bets"]
    against = {"rows of numpy": costs["evaluate on rows of numpy"][0], "the recursion": recursion}
    for what, seconds in {**against, **yardsticks}.items():
        if seconds:
            print(f"{'  evaluate, on the clock':<58} {seconds / wall:10.0f} times as quick as {what}")
    for what, seconds in yardsticks.items():
        if seconds:
            print(f"{'  evaluate, of the processor':<58} {seconds / used:10.0f} times as quick as {what}")
    plain, insured_cost = (costs[what][1] for what in list(costs)[-2:])
    print(f"{'  insurance, of the processor':<58} {insured_cost / plain:10.2f} times what it is without")
    for number in (1, 100, 1_000, 10_000):
        wall, _ = each(partial(evaluate, game), shoes[:number])
        print(f"{f'evaluate, {number} shoes, a shoe':<58} {wall * 1e6:10.2f} us")
    for decks in (4, 10, 16, 25):
        larger = np.random.default_rng(6).integers(0, 4 * decks + 1, size=(2_000, 13))
        wall, _ = each(partial(evaluate, game), larger)
        print(f"{f'evaluate, 2000 shoes of up to {decks} decks, a shoe':<58} {wall * 1e6:10.2f} us")


def each(run: Callable[[Ints], object], shoes: Ints) -> tuple[float, float]:
    """Seconds a shoe of a batch, on the clock and of the processor, once all is ready."""
    run(shoes[:1])
    wall, used = both(lambda: run(shoes), 5)
    return wall / len(shoes), used / len(shoes)


def files(shoes: Ints) -> None:
    """``combinat evaluate`` from file to file: what a shoe costs beyond the start, as the difference of two files."""
    few = len(shoes) // 4
    with tempfile.TemporaryDirectory() as folder:
        given = [Path(folder) / f"{number}.csv" for number in (few, len(shoes))]
        for path, number in zip(given, (few, len(shoes)), strict=True):
            rows = "\n".join(",".join(map(str, row)) for row in shoes[:number].tolist())
            path.write_text(f"{','.join(RANKS)}\n{rows}\n", "utf-8")
        for values in ("fractions", "decimals", "integers"):
            for suffix in ("csv", "parquet"):
                out = str(Path(folder) / f"values.{suffix}")
                words = [
                    ("evaluate", GAME, "--shoes", str(path), "--values", values, "--out", out)
                    for path in given
                ]
                walls = [best(command(*SCRIPT, *one), 3) for one in words]
                used = [min(start(*SCRIPT, *one) for _ in range(3)) for one in words]
                wall, processor = ((more - less) / (len(shoes) - few) * 1e6 for less, more in (walls, used))
                what = f"combinat evaluate --values {values}, 20 bets, to {suffix}"
                print(f"{what:<58} {wall:10.2f} us {processor:10.2f} us")


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
        tally = Tally(simulation.partitions)
        for _, part in simulation.results(simulation.tally):
            tally.add(part)

    for name, cut_card in (("independent rounds", None), ("whole shoes", 14)):
        cost = best(partial(simulated, cut_card), 3) / rounds
        line(f"simulate, {name}, all bets, a million rounds", cost * 1e6)
        print(f"{'':<58} {1 / cost:10.0f} rounds a second, {each / cost:.0f} times the plain loop")
    logs()


def logs() -> None:
    """``combinat crosscheck`` on a log of a million rounds beyond its start, against polars, which reads it as text.

    The start is what the first rounds of the log take: imports, exact chances, and the same tests. Both use one
    thread.
    """
    with tempfile.TemporaryDirectory() as folder:
        for dealing, words in (("independent rounds", ()), ("whole shoes", ("--cut-card", "14"))):
            log, first = Path(folder) / "log.csv", Path(folder) / "first.csv"
            deal = ("simulate", INSURED, "--rounds", "1000000", "--out", str(log), *words)
            command(*SCRIPT, *deal)()
            with log.open(encoding="utf-8") as file:
                first.write_text("".join(islice(file, FIRST_ROWS)), "utf-8")
            times = {}
            for what, words_of in (
                ("start", (*SCRIPT, "crosscheck", str(first))),
                ("whole", (*SCRIPT, "crosscheck", str(log))),
                ("polars", ("-c", READ, str(log))),
                ("import", ("-c", "import polars")),
            ):
                times[what] = best(command(*words_of, threads=1), 3)
            whole, plain = times["whole"] - times["start"], times["polars"] - times["import"]
            line(f"crosscheck of a million rows, {dealing}", whole, "polars", plain)


READ = """
import sys, polars
rows = polars.scan_csv(sys.argv[1], comment_prefix="#", infer_schema=False)
print(sum(batch.height for batch in rows.collect_batches(chunk_size=2**17)))
"""
"""Reads a log in batches, every value as text."""


def line(what: str, seconds: float, against: str = "", base: float | None = None) -> None:
    """One line of the bench."""
    ratio = f"   {seconds / base:8.2f} x {against}" if base else f"   {'':8}   {against}"
    print(f"{what:<58} {seconds * 1000:10.3f} ms{ratio}")


def main() -> None:
    """Measure and print."""
    start_up()
    game = load_game(GAME)
    with tempfile.TemporaryDirectory() as folder:
        loops = {kind: yardstick(folder, kind, shoes) for kind, shoes in LOOPS.items()}
    print()
    for kind, seconds in loops.items():
        if seconds:
            line(f"C, {LOOP_NAMES[kind]}, a shoe", seconds)
    if not any(loops.values()):
        print("no C compiler: the plain loops in C are left out")
    recursion = one_shoe(game, loops["ranks"])

    print()
    if not kernel.is_available():
        print("numba is not installed: these are rows of numpy (pip install '.[fast]')")
    readiness(game)
    kernel.load()
    batches(game, {LOOP_NAMES[kind]: loops[kind] for kind in ("points", "careful")}, recursion)
    files(random_shoes(60_000))

    print()
    dealing()


if __name__ == "__main__":
    main()
