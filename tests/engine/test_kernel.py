"""How the kernel is had: with numba and without, from disk or compiled, in several threads and processes."""

import sys
import threading
from collections.abc import Callable
from errno import ENOSPC
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from combinat import evaluate
from combinat.engine import kernel
from tests.conftest import Ran
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025
from tests.games import loaded
from tests.programs import python

FULL = [32] * 13

needs_numba = pytest.mark.skipif(
    not kernel.is_available(), reason="numba is not installed: pip install '.[fast]'"
)


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has not looked for the kernel yet."""
    monkeypatch.setattr(kernel, "_kernel", [])
    monkeypatch.setattr(kernel, "_few", [0])


# ---------------------------------------------------------------- with numba and without


@needs_numba
@pytest.mark.usefixtures("unloaded")
@pytest.mark.parametrize("shoes", [3, 2 * kernel.FEW])
def test_without_numba_the_arrays_are_the_same(shoes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In value and in type, for few shoes and for many."""
    counts = np.random.default_rng(2).integers(0, 17, size=(shoes, 13))
    assert kernel.load()
    fast = evaluate(loaded(COMMISSION_2013), counts, outcomes=True)
    monkeypatch.setattr(kernel, "_kernel", [])
    monkeypatch.setattr(kernel, "is_available", lambda: False)
    slow = evaluate(loaded(COMMISSION_2013), counts, outcomes=True)
    assert kernel._kernel == ([] if shoes == 3 else [None])
    for name in ("numerators", "denominators", "sample_spaces", "outcome_ways"):
        ours, theirs = getattr(fast, name), getattr(slow, name)
        assert ours.dtype == theirs.dtype == np.int64
        assert ours.tolist() == theirs.tolist()


@pytest.mark.usefixtures("unloaded")
def test_few_shoes_load_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading numba takes longer than counting a few; it is loaded once there have been many."""
    asked = []
    monkeypatch.setattr(kernel, "FEW", 5)
    monkeypatch.setattr(kernel, "load", lambda: asked.append(1))
    for _ in range(kernel.FEW):
        evaluate(loaded(COMMISSION_2013), [[4] * 13])
    assert asked == []
    evaluate(loaded(COMMISSION_2013), [[4] * 13])
    assert asked == [1]


@pytest.mark.usefixtures("unloaded")
@pytest.mark.parametrize("why", ["not installed", "switched off", "broken"])
def test_without_numba_there_is_no_kernel(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken: it is there, but not made for this numpy."""
    if why == "not installed":
        monkeypatch.setattr(kernel, "find_spec", lambda name: None)
    elif why == "switched off":
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    else:
        monkeypatch.setattr(kernel, "is_available", lambda: True)
        monkeypatch.setitem(sys.modules, "numba", None)
    assert kernel.is_available() is (why == "broken")
    assert not kernel.load()


@needs_numba
@pytest.mark.usefixtures("unloaded")
@pytest.mark.parametrize(
    "failure",
    [RuntimeError("no locator available"), OSError(ENOSPC, "No space left on device"), EOFError("cut short")],
    ids=["no directory may be written to", "a full disk", "a file that was cut short"],
)
def test_code_that_cannot_be_kept_is_compiled_for_this_process(
    failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numba

    def njit(signature: object, **options: object) -> Callable[[object], object]:
        if options.get("cache"):
            raise failure
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)
    assert kernel.load()
    assert kernel._kernel == [kernel.count]


@needs_numba
def test_threads_may_evaluate_at_once() -> None:
    game, shoes = loaded(NONCOMMISSION_2025), np.random.default_rng(3).integers(1, 33, size=(300, 13))
    expected, batches = evaluate(game, shoes).numerators.tolist(), []
    threads = [threading.Thread(target=lambda: batches.append(evaluate(game, shoes))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [batch.numerators.tolist() for batch in batches] == [expected] * 4


# ---------------------------------------------------------------- other processes


output_of = partial(python, "-W", "error", "-c")
"""What a Python program leaves behind, every warning an error."""


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty folder in which other processes keep compiled code."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


COLD = """
import sys
from combinat.cli import main
sys.argv = ["combinat", *sys.argv[1:]]
try:
    main()
finally:
    print(sorted({"numba", "llvmlite"} & set(sys.modules)), file=sys.stderr)
"""
EVALUATE = """
from combinat import evaluate, load_game
from combinat.engine import kernel
assert kernel.load()
print(evaluate(load_game("commission-insurance-2013"), [[32] * 13] * 100).numerators[99].tolist())
"""


@pytest.mark.usefixtures("cache_folder")
@pytest.mark.parametrize("command", ["odds", "removal"])
def test_few_shoes_do_not_import_numba(command: str) -> None:
    ran = output_of(COLD, command, COMMISSION_2013)
    assert (ran.code, ran.err) == (0, "[]\n")


@needs_numba
@pytest.mark.full
def test_two_processes_may_compile_at_once(cache_folder: Path) -> None:
    """Into one empty folder, where the next finds the code; a file that was cut short is compiled again."""
    running: list[Ran] = []
    threads = [threading.Thread(target=lambda: running.append(output_of(EVALUATE))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = sorted(path.name for path in cache_folder.rglob("kernel.count-*"))
    assert len(kept) == 2  # an index, and the code
    running.append(output_of(EVALUATE))
    assert sorted(path.name for path in cache_folder.rglob("kernel.count-*")) == kept
    for path in cache_folder.rglob("*.nbi"):
        path.write_bytes(b"cut short")
    running.append(output_of(EVALUATE))
    expected = evaluate(loaded(COMMISSION_2013), [FULL]).numerators[0].tolist()
    assert running == [Ran(0, f"{expected}\n", "")] * 4


@needs_numba
@pytest.mark.full
def test_a_folder_that_cannot_be_written_to(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel is compiled for the process alone; nothing is printed, and nothing is left."""
    (cache_folder / "file").write_text("in the way")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(cache_folder / "file" / "folder"))
    expected = evaluate(loaded(COMMISSION_2013), [FULL]).numerators[0].tolist()
    assert output_of(EVALUATE).output() == f"{expected}\n"
    assert [path.name for path in cache_folder.iterdir()] == ["file"]
