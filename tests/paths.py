"""The folders that tests read from."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
BOOKS = TESTS / "books"
CORPUS = TESTS / "corpus"
GOLDEN = TESTS / "golden"
