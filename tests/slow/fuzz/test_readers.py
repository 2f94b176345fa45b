"""Hostile inputs for every reader: a fixed set, then new ones for as long as SECONDS says, from SEED on."""

import os
import time
from itertools import count
from pathlib import Path

import pytest

from tests.hostile.fuzzer import keeps_law
from tests.hostile.readers import READERS

SECONDS, SEED = int(os.environ.get("SECONDS", "60")), int(os.environ.get("SEED", str(time.time_ns())))


@pytest.mark.parametrize("name", READERS)
def test_a_reader_keeps_the_law(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each input gives a result or a refusal of one line, in bounded time and memory, and leaves no file behind."""
    monkeypatch.chdir(tmp_path)
    reader = READERS[name]
    accepted = [keeps_law(reader, 12, number, tmp_path) for number in range(reader.inputs)]
    assert not all(accepted), "no hostile input was among them"
    until = time.monotonic() + SECONDS / len(READERS)
    for number in count():
        keeps_law(reader, SEED, number, tmp_path)
        if time.monotonic() > until:
            break
    print(f"{name}, seed {SEED}: {number + 1} more inputs")
