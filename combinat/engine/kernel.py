"""The kernel: a program run for whole batches of shoes, compiled to machine code if numba is installed.

Shoes are worked on in lanes: a row of the program holds one number for each of some shoes, and a step is one
sum of products for all of them, which the compiler turns into the processor's vector instructions. numba
compiles only the loop over the steps, once for all games; a program is data. It caches the code on disk,
beside this file or in the user's cache directory (``NUMBA_CACHE_DIR`` puts it elsewhere). Without numba the
same steps run on rows of numpy.

Exactness. All steps are sums and products of integers, so a lane of 64 bits holds each number modulo 2**64,
whatever the intermediate values; and a result that is known to be below 2**63 in size is exact. Every result is a
number of ways, at most ``falling(N, 6)``. Where that is too large, Python integers take over.

Lanes of float64, exact below 2**53, are hardly faster and end at 8 decks. Compiled lanes of 16 shoes take
three times as long as 64, and 128 hardly less. On rows of numpy the cost of a call counts: 256 shoes take
four times as long a shoe as 2,048.
"""

import sys
import threading
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from os import cpu_count, environ

import numpy as np

from combinat.engine.arrays import Array, Ints
from combinat.engine.distribution import falling
from combinat.engine.program import Program
from combinat.engine.walk import MOST_CARDS

LANES = 64
"""Number of shoes per step: enough to outweigh reading the step, few enough for the nearest caches."""

CHUNK = 16 * LANES
"""Number of shoes that a thread takes at a time."""

BOUND = 2**63
"""A whole number below this in size is what int64 makes of it modulo 2**64."""

NUMPY_LANES = 32 * LANES
"""Number of shoes per step without numba: enough to outweigh the calls, few enough for the caches."""


def count(
    steps: Array, starts: Array, adds: Array, constants: Ints, first_sum: int, rows: int, results: Array,
    shoes: Ints, columns: Ints,
) -> None:  # fmt: skip
    """Run a program for every shoe and write its results to the columns. numba compiles this function."""
    table = np.zeros((rows, LANES), dtype=np.int64)
    for number in range(len(constants)):
        for lane in range(LANES):
            table[number, lane] = constants[number]
    for first in range(0, len(shoes), LANES):
        lanes = min(LANES, len(shoes) - first)
        for rank in range(shoes.shape[1]):
            row = table[len(constants) + rank]
            for lane in range(lanes):
                row[lane] = shoes[first + lane, rank]
        for number in range(first_sum, rows):
            row = table[number]
            for lane in range(LANES):
                row[lane] = 0
        for number in range(len(steps)):
            row = table[steps[number, 0]]
            x1, y1 = table[steps[number, 1]], table[steps[number, 2]]
            x2, y2 = table[steps[number, 3]], table[steps[number, 4]]
            x3, y3 = table[steps[number, 5]], table[steps[number, 6]]
            x4, y4 = table[steps[number, 7]], table[steps[number, 8]]
            for lane in range(LANES):
                row[lane] = (
                    x1[lane] * y1[lane] + x2[lane] * y2[lane] + x3[lane] * y3[lane] + x4[lane] * y4[lane]
                )
            for place in range(starts[number], starts[number + 1]):
                asking = table[adds[place]]
                for lane in range(LANES):
                    asking[lane] += row[lane]
        for column in range(len(results)):
            row = table[results[column]]
            for lane in range(lanes):
                columns[first + lane, column] = row[lane]


def count_on_rows(program: Program, shoes: Ints, columns: Ints) -> None:
    """Run a program without numba, with a few numpy calls per step."""
    one, lanes = program.constants.index(1), len(shoes)
    first = len(program.constants)
    table = np.zeros((program.rows, lanes), dtype=np.int64)
    table[:first] = np.array(program.constants, dtype=np.int64)[:, None]
    table[first : first + shoes.shape[1]] = shoes.T
    rows, product = list(table), np.empty(lanes, dtype=np.int64)
    for number, products, adds in program.listed:
        row, (x, y) = rows[number], products[0]
        np.multiply(rows[x], rows[y], row)
        for x, y in products[1:]:
            if y == one:
                np.add(row, rows[x], row)
            else:
                np.multiply(rows[x], rows[y], product)
                np.add(row, product, row)
        for asking in adds:
            np.add(rows[asking], row, rows[asking])
    columns[:] = table[program.results].T


def is_available() -> bool:
    """Whether numba is installed; does not import it."""
    return find_spec("numba") is not None and environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


_lock = threading.Lock()
_kernel: list[Callable[..., None] | None] = []


def load() -> bool:
    """Load the kernel from disk or compile it; return whether it is ready. The first time takes a second or two."""
    with _lock:
        if not _kernel:
            _kernel.append(_compiled() if is_available() else None)
    return _kernel[0] is not None


FEW = 128
"""Number of shoes that take less time one by one, at 2 or 3 ms each, than loading numba.

A report of one game has fewer: it looks at 14 shoes or so for each number of decks.
"""

_few = [0]


def is_worth_loading(shoes: int) -> bool:
    """Whether a process with this number of further shoes should load the kernel."""
    if not _kernel:
        _few[0] += shoes
    return bool(_kernel) or _few[0] > FEW


def _compiled() -> Callable[..., None] | None:
    """Return ``count`` in machine code, or None if numba cannot be used here.

    If the compiled code cannot be cached (no writable directory, a full disk, another user's
    file in its place), it is compiled for this process alone.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numba's own warnings, on which a user cannot act
        try:
            with _without_yaml():
                import numba
        except ImportError:
            return None  # numba is broken or incompatible with this numpy
        u16, u32, i64 = numba.uint16, numba.uint32, numba.int64
        arrays = (u16[:, ::1], u32[::1], u16[::1], i64[::1], i64, i64, u16[::1], i64[:, ::1], i64[:, ::1])
        signature = numba.void(*arrays)
        try:
            compiled: Callable[..., None] = numba.njit(signature, nogil=True, cache=True)(count)
        except Exception:  # caching failed; compiling without a cache shows errors in the code itself
            compiled = numba.njit(signature, nogil=True)(count)
    return compiled


@contextmanager
def _without_yaml() -> Iterator[None]:
    """Import numba as if PyYAML were not installed: it then ignores a ``.numba_config.yaml`` in the current folder.

    The file may be untrusted, and can name a folder of pickled code for numba to load.
    """
    loaded = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "yaml"}
    sys.modules["yaml"] = None  # type: ignore[assignment]  # as if it were not installed
    try:
        yield
    finally:
        del sys.modules["yaml"]
        sys.modules.update(loaded)


MOST_IN_LANES = bisect_left(range(10_000), BOUND, key=lambda cards: falling(cards, MOST_CARDS)) - 1
"""The most cards of a shoe whose rounds are fewer than 2**63."""


def ways(program: Program, shoes: Ints) -> Array:
    """Return the exact columns of every shoe (a row each): int64, or Python integers if they may be larger.

    Each shoe has six cards or more. Without a loaded kernel, the program runs on rows of numpy; of few shoes, or of
    more than ``MOST_IN_LANES`` cards, it runs in Python integers, one by one.
    """
    fits, are_many = shoes.sum(axis=1) <= MOST_IN_LANES, is_worth_loading(len(shoes))
    if are_many:
        load()
        if fits.all():
            return _in_lanes(program, shoes)
    columns: Array = np.empty((len(shoes), len(program.results)), dtype=np.int64 if fits.all() else object)
    if are_many:
        columns[fits] = _in_lanes(program, shoes[fits])
    for row in np.flatnonzero(~(fits & are_many)):
        columns[row] = program.run(shoes[row].tolist())
    return columns


def _in_lanes(program: Program, shoes: Ints) -> Ints:
    kernel = _kernel[0] if _kernel else None
    constants = np.array(program.constants, dtype=np.int64)
    shoes = np.ascontiguousarray(shoes)
    columns = np.empty((len(shoes), len(program.results)), dtype=np.int64)
    size = CHUNK if kernel else NUMPY_LANES

    def chunk(start: int) -> None:
        part = shoes[start : start + size], columns[start : start + size]
        if kernel is None:
            count_on_rows(program, *part)
        else:
            steps = program.steps, program.starts, program.adds
            kernel(*steps, constants, program.first_sum, program.rows, program.results, *part)

    starts = range(0, len(shoes), size)
    if len(starts) <= 1:
        for start in starts:
            chunk(start)
    else:
        with ThreadPoolExecutor(cpu_count()) as pool:
            list(pool.map(chunk, starts))
    return columns
