"""The commands of ``commands.txt``, each with its note."""

from tests.paths import TESTS

LISTED = [
    line.partition("  # ")
    for line in (TESTS / "approved" / "commands.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
LINES = [line for line, _, _ in LISTED]
