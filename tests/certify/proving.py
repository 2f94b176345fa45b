"""The theorems of the small game, and the program that asks Coq for them."""

import importlib.util
from types import ModuleType

from tests.paths import GOLDEN as FOLDER
from tests.paths import ROOT

GOLDEN = FOLDER / "small_baccarat.v"


def check_program() -> ModuleType:
    """The program beside the sources of the proof, as a module."""
    spec = importlib.util.spec_from_file_location("proof_check", ROOT / "proof" / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
