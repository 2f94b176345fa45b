"""The kernel: a program run for whole batches of shoes, compiled to machine code if numba is installed.

Shoes are worked on in lanes: a row of the program holds one number for each of some shoes, and a step is one
sum of products for all of them, which the compiler turns into the processor's vector instructions. numba
compiles only the loop over the steps, once for all games; a program is data. It caches the code on disk,
beside this file or in the user's cache directory (``NUMBA_CACHE_DIR`` puts it elsewhere). Without numba the
same steps run on rows of numpy.

Exactness. All steps are sums and products of integers, so a lane of 64 bits holds each number modulo 2**64,
whatever the intermediate values; and a result that is known to be below 2**63 in size is exact. No result is
larger than the largest value of a round times the ``falling(N, 6)`` rounds. Where that product is too large,
but the rounds alone are not, values are split into digits, a column each; where even the rounds are, Python
integers take over.

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
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from os import cpu_count, environ
from typing import Any

import numpy as np

from combinat.engine.arrays import Array, Ints
from combinat.engine.distribution import falling
from combinat.engine.pair_program import BatchQuestion, pair_program
from combinat.engine.program import Program, Values
from combinat.engine.walk import MOST_CARDS
from combinat.rules.table_of_play import TableOfPlay

LANES = 64
"""How many shoes a step works on: enough to make up for reading the step, few enough for the nearest caches."""

CHUNK = 16 * LANES
"""How many shoes one thread works on before it looks for more."""

BOUND = 2**63
"""A whole number below this in size is what int64 makes of it modulo 2**64."""

ONE_DIGIT = 0, 1
"""Values that need not be split: bits and digits."""

PARTS = 8
"""A question's values come in fewer parts than this: for every round, by course, and by match."""

NUMPY_LANES = 32 * LANES
"""How many shoes a step works on without numba: enough to make up for the calls, few enough for the caches."""


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


def load(before_compiling: Callable[[], None] | None = None) -> bool:
    """Load the kernel from disk or compile it; return whether it is ready. The first time takes seconds.

    ``before_compiling`` is called if it is not on disk.
    """
    with _lock:
        if not _kernel:
            _kernel.append(_compiled(before_compiling) if is_available() else None)
    return _kernel[0] is not None


FEW = 128
"""So many shoes, at 2 or 3 ms each, take less time one by one than it takes to load numba.

A report of one game has fewer: it looks at 14 shoes or so for each number of decks.
"""

_few = [0]


def is_worth_loading(shoes: int) -> bool:
    """Whether a process with this number of further shoes should load the kernel."""
    if not _kernel:
        _few[0] += shoes
    return bool(_kernel) or _few[0] > FEW


def _compiled(before_compiling: Callable[[], None] | None) -> Callable[..., None] | None:
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
        with _heard(before_compiling):
            try:
                compiled: Callable[..., None] = numba.njit(signature, nogil=True, cache=True)(count)
            except (
                Exception
            ):  # caching failed for any reason; compiling without a cache shows errors in the code itself
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


@contextmanager
def _heard(before_compiling: Callable[[], None] | None) -> Iterator[None]:
    """Call ``before_compiling`` once, when numba begins to compile ``count`` because it is not on disk."""
    if before_compiling is None:
        yield
        return
    from numba.core import event

    calls = [before_compiling]

    class Compiling(event.Listener):  # type: ignore[misc, unused-ignore]  # no types without numba
        def on_start(self, begun: Any) -> None:
            if calls and begun.data["dispatcher"].py_func is count:
                calls.pop()()

        def on_end(self, ended: Any) -> None:
            pass

    with event.install_listener("numba:compile", Compiling()):
        yield


@lru_cache(maxsize=64)
def program(question: BatchQuestion, table: TableOfPlay, bits: int = 0, digits: int = 1) -> Program:
    """Return the program for a question, its values split into ``digits`` digits of ``bits`` bits each."""
    return pair_program(question if digits == 1 else in_digits(question, bits, digits), table)


def in_digits(question: BatchQuestion, bits: int, digits: int) -> BatchQuestion:
    """Return the question with every column split: the sum of ``digit << (bits * place)`` is the column.

    All digits but the last are from 0 to ``2**bits - 1``; the last carries the sign.
    """

    def split(values: Values) -> Values:
        places = [
            (column * digits + place, value >> bits * place)
            for column, value in values
            for place in range(digits)
        ]
        cut = [
            (column, value if column % digits == digits - 1 else value & ((1 << bits) - 1))
            for column, value in places
        ]
        return tuple((column, digit) for column, digit in cut if digit)

    return replace(
        question,
        columns=question.columns * digits,
        every_round=split(question.every_round),
        courses=tuple(_then(split, part) for part in question.courses),
        matches=_then(split, question.matches) if question.matches else None,
    )


def _then(split: Callable[[Values], Values], part: Callable[..., Values]) -> Callable[..., Values]:
    return lambda *of: split(part(*of))


def digits_for(largest: int, most: int) -> tuple[int, int] | None:
    """Return the digits and their bits for shoes of at most ``most`` cards, or None if int64 is too narrow.

    One digit is the value itself.

    The bound: a column is the sum of value times ways over all rounds, so it is at most the largest value
    times ``falling(most, 6)``. Where values are split, each part of a question adds digits of at most
    ``2**bits``, and a part is at most twice the largest value, since it is the difference of two.
    """
    rounds = falling(most, MOST_CARDS)
    if largest * rounds < BOUND:
        return ONE_DIGIT
    bits = ((BOUND - 1) // (PARTS * rounds)).bit_length() - 1
    if bits < 1:
        return None
    return bits, -(-(2 * largest).bit_length() // bits)


@lru_cache(maxsize=64)
def most_in_lanes(largest: int) -> int:
    """Return the largest number of cards of a shoe for which int64 suffices, with or without digits."""
    return bisect_left(range(10_000), True, key=lambda most: digits_for(largest, most) is None) - 1


def totals(question: BatchQuestion, table: TableOfPlay, shoes: Ints) -> Array:
    """Return the exact columns of every shoe (a row each): int64, or Python integers if they may be larger.

    Each shoe has six cards or more. Without a loaded kernel, the program runs on rows of numpy.
    """
    sizes = shoes.sum(axis=1)
    lanes = sizes <= most_in_lanes(question.largest)
    if not lanes.all():
        columns: Array = np.empty((len(shoes), question.columns), dtype=object)
        if lanes.any():
            columns[lanes] = totals(question, table, shoes[lanes])
        columns[~lanes] = in_integers(question, table, shoes[~lanes])
        return columns
    bits, digits = digits_for(question.largest, int(sizes.max(initial=MOST_CARDS))) or ONE_DIGIT
    columns = _in_lanes(program(question, table, bits, digits), shoes)
    if digits == 1:
        return columns
    parts = columns.reshape(len(shoes), question.columns, digits)
    whole: Array = parts[:, :, -1].astype(object)
    for place in range(digits - 2, -1, -1):
        whole = (whole << bits) + parts[:, :, place].astype(object)
    return whole


def in_integers(question: BatchQuestion, table: TableOfPlay, shoes: Ints) -> Array:
    """Return the same, counted in Python integers one by one: for any number of cards, and without numba."""
    steps, most = program(question, table), int(shoes.sum(axis=1).max(initial=MOST_CARDS))
    whole = np.int64 if digits_for(question.largest, most) == ONE_DIGIT else object
    columns: Array = np.empty((len(shoes), question.columns), dtype=whole)
    for number, counts in enumerate(shoes.tolist()):
        columns[number] = steps.run(counts)
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
