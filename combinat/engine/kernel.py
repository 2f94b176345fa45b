"""The kernel: a program run for whole batches of shoes, compiled to machine code if numba is installed.

Shoes are worked on in lanes: a row of the program holds one number for each of some shoes, and a step is one
sum of products for all of them, which the compiler turns into the processor's vector instructions. numba
compiles only the loop over the steps, once for all games; a program is data. It caches the code on disk,
beside this file or in the user's cache directory (``NUMBA_CACHE_DIR`` puts it elsewhere). Without numba the
same steps run on rows of numpy.

Exactness. All steps are sums and products of integers, so a lane of 64 bits holds each number modulo 2**64,
whatever the intermediate values; and a result that is known to be below 2**63 in size is exact. Every result is a
number of ways, at most ``falling(N, 6)``. Where that is too large, Python integers take over.

Lanes of float64, exact below 2**53, are hardly faster and end at 8 decks. Compiled lanes of 128 shoes take an eighth
less a shoe than 64, but a single shoe then takes half as long again. On rows of numpy the cost of a call counts: 256
shoes take four times as long a shoe as 2,048.
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
from typing import Any

import numpy as np
import numpy.typing as npt

from combinat.engine.arrays import Array, Ints
from combinat.engine.distribution import falling
from combinat.engine.program import ZERO_ROW, Program
from combinat.engine.walk import MOST_CARDS

LANES = 64
"""Number of shoes per step: enough to outweigh reading the step, few enough for the nearest caches."""

CACHE_LINE = 64
"""Number of bytes of a cache line, or a divisor of it."""

CHUNK = 16 * LANES
"""Number of shoes that a thread takes at a time."""

BOUND = 2**63
"""A whole number below this in size is what int64 makes of it modulo 2**64."""

NUMPY_LANES = 32 * LANES
"""Number of shoes per step without numba: enough to outweigh the calls, few enough for the caches."""


def count(
    steps: Array, starts: Array, adds: Array, constants: Ints, first_sum: int, results: Array,
    table: Ints, shoes: Ints, columns: Ints,
) -> None:  # fmt: skip
    """Run a program for every shoe and write its results. numba compiles this function.

    ``table``: room for the rows. It is indexed by row and lane: a view of a row would cost as much as a step.
    """
    for number in range(len(constants)):
        for lane in range(LANES):
            table[number, lane] = constants[number]
    for first in range(0, len(shoes), LANES):
        lanes = min(LANES, len(shoes) - first)
        for rank in range(shoes.shape[1]):
            for lane in range(lanes):
                table[len(constants) + rank, lane] = shoes[first + lane, rank]
        for number in range(first_sum, len(table)):
            for lane in range(LANES):
                table[number, lane] = 0
        for number in range(len(steps)):
            row = steps[number, 0]
            x1, y1, x2, y2 = steps[number, 1], steps[number, 2], steps[number, 3], steps[number, 4]
            x3, y3, x4, y4 = steps[number, 5], steps[number, 6], steps[number, 7], steps[number, 8]
            if x3 == ZERO_ROW:
                for lane in range(LANES):
                    table[row, lane] = table[x1, lane] * table[y1, lane] + table[x2, lane] * table[y2, lane]
            else:
                for lane in range(LANES):
                    table[row, lane] = (
                        table[x1, lane] * table[y1, lane] + table[x2, lane] * table[y2, lane]
                        + table[x3, lane] * table[y3, lane] + table[x4, lane] * table[y4, lane]
                    )  # fmt: skip
            for place in range(starts[number], starts[number + 1]):
                asking = adds[place]
                for lane in range(LANES):
                    table[asking, lane] += table[row, lane]
        for column in range(len(results)):
            row = results[column]
            for lane in range(lanes):
                columns[column, first + lane] = table[row, lane]


def count_on_rows(program: Program, table: Ints, shoes: Ints, columns: Ints) -> None:
    """Run a program without numba, with a few numpy calls per step; ``table``: room for the rows."""
    one, first = program.constants.index(1), len(program.constants)
    table[:first] = np.array(program.constants, dtype=np.int64)[:, None]
    table[first : first + shoes.shape[1]] = shoes.T
    table[program.first_sum :] = 0
    rows, product = list(table), np.empty(len(shoes), dtype=np.int64)
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
    columns[:] = table[program.results]


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
        program, rows = (u16[:, ::1], u32[::1], u16[::1], i64[::1], i64, u16[::1]), i64[:, ::1]
        signature = numba.void(*program, rows, rows, rows)
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


Use = Callable[[Any, Array], None]
"""Takes the places of some shoes in their batch, and their columns, a row each."""


def ways(program: Program, shoes: Ints, use: Use) -> None:
    """Count the exact columns of every shoe; pass them to ``use`` some shoes at a time, on all cores.

    They are int64, or Python integers if they may be larger. Each shoe has six cards or more. Without a loaded
    kernel, the program runs on rows of numpy; of few shoes, or of more than ``MOST_IN_LANES`` cards, it runs in
    Python integers, one by one.
    """
    fits, are_many = shoes.sum(axis=1) <= MOST_IN_LANES, is_worth_loading(len(shoes))
    if are_many:
        load()
        _in_lanes(program, *shoes_where(fits, shoes, use))
    for place in np.flatnonzero(~(fits & are_many)).tolist():
        counted = program.run(shoes[place].tolist())
        use([place], np.array(counted, dtype=np.int64 if fits[place] else object)[:, None])


def shoes_where(chosen: npt.NDArray[np.bool_], shoes: Ints, use: Use) -> tuple[Ints, Use]:
    """Return the chosen shoes of a batch, and ``use`` for their places among themselves."""
    if chosen.all():
        return shoes, use
    places = np.flatnonzero(chosen)
    return shoes[chosen], lambda some, columns: use(places[some], columns)


def _in_lanes(program: Program, shoes: Ints, use: Use) -> None:
    kernel = _kernel[0] if _kernel else None
    constants = np.array(program.constants, dtype=np.int64)
    steps = program.steps, program.starts, program.adds, constants
    size = min(CHUNK if kernel else NUMPY_LANES, len(shoes))
    starts = range(0, len(shoes), size or 1)
    waiting = iter(starts)

    def work(_: int) -> None:
        """Count chunks while there are any, in the same memory: fresh memory costs as much as counting."""
        columns = np.empty((len(program.results), size), dtype=np.int64)
        table = _aligned(program.rows, LANES if kernel else size)
        for start in waiting:
            some = np.ascontiguousarray(shoes[start : start + size])
            if kernel is None:
                count_on_rows(program, table[:, : len(some)], some, columns[:, : len(some)])
            else:
                kernel(*steps, program.first_sum, program.results, table, some, columns)
            use(slice(start, start + len(some)), columns[:, : len(some)])

    if len(starts) <= 1:
        work(0)
    else:
        with ThreadPoolExecutor() as pool:
            list(pool.map(work, range(cpu_count() or 1)))


def _aligned(rows: int, lanes: int) -> Ints:
    """Return rows of lanes that begin where a cache line does: a vector across two lines takes twice as long."""
    room = np.empty((rows + 1) * max(lanes, CACHE_LINE), dtype=np.int64)
    first = -room.ctypes.data % CACHE_LINE // room.itemsize
    return room[first : first + rows * lanes].reshape(rows, lanes)
