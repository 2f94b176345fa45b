"""Hostile inputs for every reader: a fixed set, then new ones for as long as SECONDS says, from SEED on."""

import os
import time
from pathlib import Path

import pytest

from tests.hostile.fuzzer import fuzz
from tests.hostile.readers import READERS


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", READERS)
def test_a_reader_keeps_the_law(name: str, tmp_path: Path) -> None:
    """Each input gives a result or a refusal of one line, in bounded time and memory, and leaves no file behind."""
    tried = fuzz(READERS[name], 12, tmp_path)
    assert not tried.kept, f"{name}: {tried}"
    assert tried.inputs == READERS[name].inputs
    assert tried.accepted < tried.inputs, "no hostile input was among them"


@pytest.mark.parametrize("name", READERS)
def test_a_reader_keeps_the_law_for_long(name: str, tmp_path: Path) -> None:
    """The same with a seed of its own, for this reader's share of the time."""
    seconds, seed = int(os.environ.get("SECONDS", "60")), int(os.environ.get("SEED", str(time.time_ns())))
    tried = fuzz(READERS[name], seed, tmp_path, seconds=max(1, seconds // len(READERS)))
    print(f"{name}, seed {seed}: {tried}")
    assert not tried.kept, f"{name}, seed {seed}: {tried}"
