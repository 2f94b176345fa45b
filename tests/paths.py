"""The folders that tests read from."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
BOOKS = TESTS / "books"
CORPUS = TESTS / "corpus"
GOLDEN = TESTS / "golden"
GOOD_BOOK = CORPUS / "rulebooks" / "good.toml"
PLAIN_BOOK = CORPUS / "analyses" / "plain.toml"
"""Two bets and no insurance: the rule book that a report is made of in a moment."""
