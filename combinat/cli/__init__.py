"""The command line: it parses, calls and prints. Nothing is computed here."""

from combinat.cli.app import app, main

__all__ = ["app", "main"]
