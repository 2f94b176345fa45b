"""The command line: it parses, calls and prints. Nothing is computed here."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the program. Ctrl-C while it is still being loaded ends it as later: without a word."""
    try:
        from combinat.cli.app import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()
