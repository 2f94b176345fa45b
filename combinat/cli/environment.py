"""Environment variables, checked before a library is loaded that would stop at a wrong one."""

import os

EPOCH = "SOURCE_DATE_EPOCH"
THREADS = "POLARS_MAX_THREADS"

GAME = "COMBINAT_GAME"
"""The default game."""

DECKS = "COMBINAT_DECKS"
"""The default number of decks."""


def check_environment() -> None:
    """Drop settings that mean the default, and refuse a malformed date.

    numpy fails on an empty date, and polars on 0 threads. Empty means unset; 0 threads means the default.
    """
    threads = os.environ.get(THREADS)
    if threads is not None and not (threads.isdecimal() and int(threads)):
        del os.environ[THREADS]
    date = os.environ.get(EPOCH)
    if date == "":
        del os.environ[EPOCH]
    elif date is not None and not (date.isascii() and date.isdecimal()):
        from combinat.report.certified.issue import builders_date  # most runs have no date, or a right one

        builders_date()
