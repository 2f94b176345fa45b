"""The folders that tests read from."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
BOOKS = TESTS / "books"
CORPUS = TESTS / "corpus"
GOLDEN = TESTS / "golden"
PLAIN_BOOK = CORPUS / "analyses" / "plain.toml"
"""Two bets and no insurance: the rule book that a report is made of in a moment."""
